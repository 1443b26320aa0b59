"""Literal pieces of Cohere's wire, and short names for what its tests say over and over."""

from typing import Any

import wireglot as wg

try:
    from tests.oracles.cohere import check_request as judge
except ModuleNotFoundError:  # without the SDK the bytes are compared alone

    def judge(body: bytes) -> None:
        """Accept everything."""


__all__ = [
    "API",
    "CALL_A",
    "HI",
    "OTHER",
    "PNG",
    "PNG_URL",
    "RESULT_A",
    "TOOL",
    "YES",
    "answer",
    "answered",
    "batch",
    "body",
    "call",
    "calls",
    "extras",
    "judge",
    "own",
    "request",
    "result",
    "said",
    "system",
    "text",
    "user",
]

API = "cohere-chat-v2"
OTHER = "openai-chat"
PNG_URL = "data:image/png;base64,iVBORw0KGgo="
PNG = wg.Media.from_base64("iVBORw0KGgo=", "image/png")

HI = '{"role":"user","content":"hi"}'
YES = '{"role":"assistant","content":"yes"}'
TOOL = '{"type":"function","function":{"name":"f","parameters":{"type":"object","properties":{}}}}'
RESULT_A = '{"role":"tool","tool_call_id":"a","content":"ok"}'


def calls(*ids: str, before: str = "", arguments: str = "{}") -> str:
    """Return an answer with calls of `f`; `before` is what stands before them, with a comma."""
    made = [
        f'{{"id":"{call_id}","type":"function",'
        f'"function":{{"name":"f","arguments":"{arguments}"}}}}'
        for call_id in ids
    ]
    return f'{{"role":"assistant",{before}"tool_calls":[{",".join(made)}]}}'


CALL_A = calls("a")


def body(*messages: str, head: str = "") -> bytes:
    """Return the body of a request to model `m`; `head` is what stands before the messages."""
    return f'{{"model":"m"{"," + head if head else ""},"messages":[{",".join(messages)}]}}'.encode()


def said(*parts: str, role: str = "user") -> str:
    return f'{{"role":"{role}","content":[{",".join(parts)}]}}'


def answered(*parts: str) -> str:
    return said(*parts, role="assistant")


def request(*messages: wg.Message, **fields: Any) -> wg.Request:
    return wg.Request(list(messages), model="m", **fields)


def system(*content: Any, **fields: Any) -> wg.SystemMessage:
    return wg.SystemMessage(_blocks(content), **fields)


def user(*content: Any, **fields: Any) -> wg.UserMessage:
    return wg.UserMessage(_blocks(content), **fields)


def answer(*content: Any, **fields: Any) -> wg.AssistantMessage:
    return wg.AssistantMessage(_blocks(content), **fields)


def own(*content: Any, **fields: Any) -> wg.AssistantMessage:
    """An answer of the API under test."""
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


def _blocks(content: tuple[Any, ...]) -> list[Any]:
    return [wg.TextBlock(part) if isinstance(part, str) else part for part in content]
