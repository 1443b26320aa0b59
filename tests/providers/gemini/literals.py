"""Literal pieces of Gemini's wire, and short names for what its tests say over and over."""

from typing import Any

import wireglot as wg

try:
    from tests.oracles.gemini import check_request as judge
except ModuleNotFoundError:  # without the SDK the bytes are compared alone

    def judge(body: bytes, dialect: str = "gemini") -> None:
        """Accept everything."""


__all__ = [
    "API",
    "CALL_A",
    "HI",
    "OTHER",
    "PNG",
    "RESULT_A",
    "UNSIGNED",
    "YES",
    "answer",
    "answered",
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

API = "gemini-generate-content"
OTHER = "openai-chat"
PNG = wg.Media.from_base64("iVBORw0KGgo=", "image/png")

HI = '{"role":"user","parts":[{"text":"hi"}]}'
YES = '{"role":"model","parts":[{"text":"yes"}]}'
CALL_A = '{"role":"model","parts":[{"functionCall":{"name":"f","args":{},"id":"a"}}]}'
RESULT_A = (
    '{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":""},"id":"a"}}]}'
)
UNSIGNED = ',"thoughtSignature":"c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I="'
"""What the first call of an answer of another API has behind it."""


def body(*contents: str, head: str = "") -> bytes:
    """Return the body of a request; `head` is what stands before the contents."""
    return f'{{{head + "," if head else ""}"contents":[{",".join(contents)}]}}'.encode()


def said(*parts: str, role: str = "user") -> str:
    return f'{{"role":"{role}","parts":[{",".join(parts)}]}}'


def answered(*parts: str) -> str:
    return said(*parts, role="model")


def request(*messages: wg.Message, **fields: Any) -> wg.Request:
    return wg.Request(list(messages), **fields)


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
    call_id: str = "a", arguments: Any = "{}", name: str = "f", **fields: Any
) -> wg.ToolCallBlock:
    return wg.ToolCallBlock(call_id, name, arguments, **fields)


def result(*content: Any, call_id: str = "a", **fields: Any) -> wg.ToolResultBlock:
    return wg.ToolResultBlock(call_id, content=_blocks(content), **fields)


def batch(*content: Any, **fields: Any) -> wg.ToolMessage:
    return wg.ToolMessage(list(content), **fields)


def text(words: str, **fields: Any) -> wg.TextBlock:
    return wg.TextBlock(words, **fields)


def extras(api: str = API, **keys: Any) -> wg.Extras:
    return {api: wg.Extra(keys)}


def spelled(keys: dict[str, Any] | None = None, /, **spelling: Any) -> wg.Extras:
    """Return keys that have been read, in the words that they came in."""
    return {API: wg.Extra(keys or {}, spelling)}


def _blocks(content: tuple[Any, ...]) -> list[Any]:
    return [wg.TextBlock(part) if isinstance(part, str) else part for part in content]
