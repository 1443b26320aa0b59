"""Literal pieces of Ollama's wire, and short names for what its tests say over and over."""

from typing import Any

import wireglot as wg

try:
    from tests.oracles.ollama import check_request as judge
except ModuleNotFoundError:  # without the SDK the bytes are compared alone

    def judge(body: bytes) -> None:
        """Accept everything."""


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
    "calling",
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

API = "ollama-chat"
OTHER = "openai-chat"
PNG = wg.Media.from_base64("iVBORw0KGgo=", "image/png")

HI = '{"role":"user","content":"hi"}'
YES = '{"role":"assistant","content":"yes"}'
CALL_A = (
    '{"role":"assistant","content":"","tool_calls":[{"id":"a",'
    '"function":{"name":"f","arguments":{}}}]}'
)
RESULT_A = '{"role":"tool","content":"","tool_name":"f","tool_call_id":"a"}'


def body(*messages: str, head: str = "") -> bytes:
    """Return the body of a request to model `m`; `head` is what stands before the messages."""
    more = "," + head if head else ""
    return f'{{"model":"m","stream":false{more},"messages":[{",".join(messages)}]}}'.encode()


def said(words: str, more: str = "", role: str = "user") -> str:
    return f'{{"role":"{role}","content":"{words}"{"," + more if more else ""}}}'


def answered(words: str, more: str = "") -> str:
    return said(words, more, "assistant")


def calling(*calls: str, content: str = "") -> str:
    return answered(content, f'"tool_calls":[{",".join(calls)}]')


def request(*messages: wg.Message, **fields: Any) -> wg.Request:
    return wg.Request(list(messages), model="m", **fields)


def system(*content: Any, **fields: Any) -> wg.SystemMessage:
    return wg.SystemMessage(_blocks(content), **fields)


def user(*content: Any, **fields: Any) -> wg.UserMessage:
    return wg.UserMessage(_blocks(content), **fields)


def answer(*content: Any, **fields: Any) -> wg.AssistantMessage:
    return wg.AssistantMessage(_blocks(content), **fields)


def own(*content: Any, **fields: Any) -> wg.AssistantMessage:
    """An answer as it is decoded from this wire."""
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


def spelled(**keys: Any) -> wg.Extras:
    """Return keys that have been read, in the words that they came in."""
    return {API: wg.Extra({}, keys)}


def _blocks(content: tuple[Any, ...]) -> list[Any]:
    return [wg.TextBlock(part) if isinstance(part, str) else part for part in content]
