"""Literal pieces of Responses, and short names for what its tests say over and over."""

from typing import Any

import wireglot as wg
from tests.providers.conversation import (
    answer,
    assistant,
    batch,
    call,
    result,
    system,
    text,
    user,
)

try:
    from tests.oracles.openai_responses import check_request as judge
except ModuleNotFoundError:  # without the SDKs the bytes are compared alone

    def judge(body: bytes, dialect: str = "openai") -> None:
        """Accept everything."""


__all__ = [
    "API",
    "CALL_A",
    "HI",
    "OTHER",
    "PNG",
    "PNG_PART",
    "RESULT_A",
    "YES",
    "answer",
    "assistant",
    "batch",
    "body",
    "call",
    "extras",
    "judge",
    "own",
    "request",
    "result",
    "said",
    "spelled",
    "system",
    "text",
    "user",
]

API = "openai-responses"
OTHER = "anthropic-messages"
PNG = wg.Media.from_base64("iVBORw0KGgo=", "image/png")

HI = '{"role":"user","content":"hi"}'
YES = '{"role":"assistant","content":"yes"}'
CALL_A = '{"type":"function_call","call_id":"a","name":"f","arguments":"{}"}'
RESULT_A = '{"type":"function_call_output","call_id":"a","output":""}'
PNG_PART = '{"type":"input_image","image_url":"data:image/png;base64,iVBORw0KGgo=","detail":"auto"}'


def body(*items: str, head: str = "") -> bytes:
    """Return the body of a request to model `m`; `head` is what stands before the input."""
    return f'{{"model":"m"{"," + head if head else ""},"input":[{",".join(items)}]}}'.encode()


def said(*parts: str, role: str = "user") -> str:
    return f'{{"role":"{role}","content":[{",".join(parts)}]}}'


def request(*messages: wg.Message, **fields: Any) -> wg.Request:
    return wg.Request(list(messages), model="m", **fields)


def own(*content: Any, **fields: Any) -> wg.AssistantMessage:
    """An answer of the API under test, whose reasoning it takes back."""
    return assistant(*content, api=API, **fields)


def extras(api: str = API, **keys: Any) -> wg.Extras:
    return {api: wg.Extra(keys)}


def spelled(keys: dict[str, Any] | None = None, /, **spelling: Any) -> wg.Extras:
    """Return keys that have been read, in the words that they came in."""
    return {API: wg.Extra(keys or {}, spelling, "openai")}
