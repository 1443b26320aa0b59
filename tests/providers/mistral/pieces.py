"""Literal pieces of Mistral's wire, and short names for what its tests say over and over."""

from typing import Any

import wireglot as wg

try:
    from tests.oracles.mistral import check_request as judge
    from tests.oracles.mistral import check_response as judge_response
    from tests.oracles.mistral import check_stream as judge_stream
except ModuleNotFoundError:  # without the SDK the bytes are compared alone

    def judge(body: bytes) -> None:
        """Accept everything."""

    judge_response = judge_stream = judge


__all__ = [
    "API",
    "CALL_A",
    "HI",
    "OTHER",
    "PNG",
    "RESULT_A",
    "YES",
    "answer",
    "answered",
    "batch",
    "body",
    "call",
    "extras",
    "judge",
    "judge_response",
    "judge_stream",
    "own",
    "request",
    "result",
    "said",
    "spelled",
    "system",
    "text",
    "user",
]

API = "mistral-chat"
OTHER = "openai-chat"
PNG = wg.Media.from_base64("iVBORw0KGgo=", "image/png")

HI = '{"role":"user","content":"hi"}'
YES = '{"role":"assistant","content":"yes"}'
CALL_A = (
    '{"role":"assistant","content":"","tool_calls":[{"id":"aaaaaaaa1","type":"function",'
    '"function":{"name":"f","arguments":"{}"}}]}'
)
RESULT_A = '{"role":"tool","tool_call_id":"aaaaaaaa1","content":""}'


def body(*messages: str, head: str = "") -> bytes:
    """Return the body of a request to model `m`; `head` is what stands before the messages."""
    return f'{{"model":"m"{"," + head if head else ""},"messages":[{",".join(messages)}]}}'.encode()


def said(*chunks: str, role: str = "user") -> str:
    return f'{{"role":"{role}","content":[{",".join(chunks)}]}}'


def answered(*chunks: str) -> str:
    return said(*chunks, role="assistant")


def request(*messages: wg.Message, **fields: Any) -> wg.Request:
    return wg.Request(list(messages), model="m", **fields)


def system(*content: Any, **fields: Any) -> wg.SystemMessage:
    return wg.SystemMessage(_blocks(content), **fields)


def user(*content: Any, **fields: Any) -> wg.UserMessage:
    return wg.UserMessage(_blocks(content), **fields)


def answer(*content: Any, **fields: Any) -> wg.AssistantMessage:
    return wg.AssistantMessage(_blocks(content), **fields)


def own(*content: Any, **fields: Any) -> wg.AssistantMessage:
    """An answer of the API under test, whose signatures it takes back."""
    return answer(*content, api=API, **fields)


def call(
    call_id: str = "aaaaaaaa1", arguments: Any = "{}", name: str = "f", **fields: Any
) -> wg.ToolCallBlock:
    return wg.ToolCallBlock(call_id, name, arguments, **fields)


def result(*content: Any, call_id: str = "aaaaaaaa1", **fields: Any) -> wg.ToolResultBlock:
    return wg.ToolResultBlock(call_id, content=_blocks(content), **fields)


def batch(*content: Any, **fields: Any) -> wg.ToolMessage:
    return wg.ToolMessage(list(content), **fields)


def text(words: str, **fields: Any) -> wg.TextBlock:
    return wg.TextBlock(words, **fields)


def extras(api: str = API, **keys: Any) -> wg.Extras:
    return {api: wg.Extra(keys)}


def spelled(**keys: Any) -> wg.Extras:
    """Return keys that have been read, in the words that they came in."""
    return {API: wg.Extra({}, keys)}


def _blocks(content: tuple[Any, ...]) -> list[Any]:
    return [wg.TextBlock(part) if isinstance(part, str) else part for part in content]
