"""Short names for what the tests of the providers say over and over."""

from typing import Any

import wireglot as wg

API = "anthropic-messages"
OTHER = "openai-chat"


def request(*messages: wg.Message, max_tokens: int | None = 8, **fields: Any) -> wg.Request:
    return wg.Request(list(messages), model="m", max_tokens=max_tokens, **fields)


def system(*content: Any, **fields: Any) -> wg.SystemMessage:
    return wg.SystemMessage(_blocks(content), **fields)


def user(*content: Any, **fields: Any) -> wg.UserMessage:
    return wg.UserMessage(_blocks(content), **fields)


def assistant(*content: Any, **fields: Any) -> wg.AssistantMessage:
    return wg.AssistantMessage(_blocks(content), **fields)


def own(*content: Any) -> wg.AssistantMessage:
    """An answer of the API under test, whose signatures it takes back."""
    return assistant(*content, api=API)


def batch(*content: Any) -> wg.ToolMessage:
    return wg.ToolMessage(_blocks(content))


def answer(call_id: str, *content: Any, **fields: Any) -> wg.ToolResultMessage:
    return wg.ToolResultMessage(call_id, content=_blocks(content), **fields)


def result(call_id: str, *content: Any, **fields: Any) -> wg.ToolResultBlock:
    return wg.ToolResultBlock(call_id, content=_blocks(content), **fields)


def call(call_id: str, arguments: Any = "{}", name: str = "f", **fields: Any) -> wg.ToolCallBlock:
    return wg.ToolCallBlock(call_id, name, arguments, **fields)


def text(words: str, **fields: Any) -> wg.TextBlock:
    return wg.TextBlock(words, **fields)


def extras(api: str = API, **keys: Any) -> wg.Extras:
    return {api: wg.Extra(keys)}


def _blocks(content: tuple[Any, ...]) -> list[Any]:
    return [wg.TextBlock(part) if isinstance(part, str) else part for part in content]


def shows_no_image(media: wg.Media) -> bool:
    """Whether data do not show the type of an image, which would win over another label."""
    return not (media.sniffed or "").startswith("image/")
