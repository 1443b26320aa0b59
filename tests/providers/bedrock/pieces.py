"""Literal pieces of Bedrock's wire, and short names for what its tests say over and over."""

from typing import Any

import wireglot as wg

try:
    from tests.oracles.bedrock import check_request as judge
except ModuleNotFoundError:  # without the SDK the bytes are compared alone

    def judge(body: bytes) -> None:
        """Accept everything."""


__all__ = [
    "API",
    "CALL_A",
    "CLAUDE",
    "CONFIG",
    "HI",
    "OPENING",
    "OTHER",
    "PNG",
    "POINT",
    "RESULT_A",
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

API = "bedrock-converse"
OTHER = "openai-chat"
CLAUDE = "us.anthropic.claude-opus-4-8-v1:0"
"""A model that takes system messages among the turns."""
PNG = wg.Media.from_base64("iVBORw0KGgo=", "image/png")

HI = '{"role":"user","content":[{"text":"hi"}]}'
OPENING = '{"role":"user","content":[{"text":"."}]}'
YES = '{"role":"assistant","content":[{"text":"yes"}]}'
CALL_A = '{"role":"assistant","content":[{"toolUse":{"toolUseId":"a","name":"f","input":{}}}]}'
RESULT_A = '{"role":"user","content":[{"toolResult":{"toolUseId":"a","content":[]}}]}'
POINT = '{"cachePoint":{"type":"default"}}'
CONFIG = (
    '"toolConfig":{"tools":[{"toolSpec":{"name":"f",'
    '"inputSchema":{"json":{"type":"object","properties":{}}}}}]}'
)
"""What stands before the messages where `f` has been called."""


def body(*messages: str, head: str = "") -> bytes:
    """Return the body of a request; `head` is what stands before the messages."""
    return f'{{{head + "," if head else ""}"messages":[{",".join(messages)}]}}'.encode()


def said(*blocks: str, role: str = "user") -> str:
    return f'{{"role":"{role}","content":[{",".join(blocks)}]}}'


def answered(*blocks: str) -> str:
    return said(*blocks, role="assistant")


def request(*messages: wg.Message, **fields: Any) -> wg.Request:
    return wg.Request(list(messages), **fields)


def system(*content: Any, **fields: Any) -> wg.SystemMessage:
    return wg.SystemMessage(_blocks(content), **fields)


def user(*content: Any, **fields: Any) -> wg.UserMessage:
    return wg.UserMessage(_blocks(content), **fields)


def answer(*content: Any, **fields: Any) -> wg.AssistantMessage:
    return wg.AssistantMessage(_blocks(content), **fields)


def own(*content: Any, **fields: Any) -> wg.AssistantMessage:
    """An answer of the API under test, whose thinking it takes back."""
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
