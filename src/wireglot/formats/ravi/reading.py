"""Ravi's messages -> canonical ones.

The blocks of an answer are in Ravi's own order: reasoning first, then the content, then the calls.
V3 is a dialect in `extras`, so that a V3 message is written as V3 again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec
from msgspec import UNSET, Raw

from ... import model
from ...model import Extra, Extras, LlmMessage, Media, RawJson, StopReason
from .._mapping import extras_of
from .._records import unknown
from . import items as held
from . import types as own
from .items import PNG, png
from .result_reading import API, V3, extras_of_part, result_blocks, url_spelled

__all__ = ["API", "CACHED", "DETAILS", "FORMATS", "MEANT", "V3", "canonical"]

MEANT: Final[Mapping[str, StopReason]] = {
    **{reason.value: reason for reason in StopReason},
    "end_turn": StopReason.STOP,
    "stop_sequence": StopReason.STOP,
    "STOP": StopReason.STOP,
    "max_tokens": StopReason.LENGTH,
    "max_output_tokens": StopReason.LENGTH,
    "MAX_TOKENS": StopReason.LENGTH,
    "tool_calls": StopReason.TOOL_USE,
    "tool_call": StopReason.TOOL_USE,
    "tool_use": StopReason.TOOL_USE,
    "function_call": StopReason.TOOL_USE,
    "cancelled": StopReason.ABORTED,
    "content_filter": StopReason.GUARD_RAIL,
    "refusal": StopReason.GUARD_RAIL,
    "SAFETY": StopReason.GUARD_RAIL,
    "guardrail_tripped": StopReason.GUARD_RAIL,
}
"""Finish reasons -> ours: Ravi's, those of the providers that it passes on, and our own."""

CACHED: Final[Mapping[str, str]] = {
    "cache_read_input_tokens": "cache_read",
    "cache_creation_input_tokens": "cache_write",
}
"""Keys of `extra` in the usage -> the canonical fields for them."""

FORMATS: Final[Mapping[str, str]] = {
    "mpeg": "mp3",
    "x-wav": "wav",
    "wave": "wav",
    "vnd.wave": "wav",
    **{name: name for name in ("mp3", "wav", "opus", "flac", "ogg")},
}
"""The part of a type after `audio/` -> V3's word for it. V3 has no other formats."""

DETAILS: Final = frozenset({"low", "high", held.AUTO})
"""V3's words for the detail of an image."""

_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_NO_KEYS: Final = RawJson(b"{}")


def canonical(message: own.AgentMessage) -> LlmMessage:
    """Return the canonical message."""
    made: model.Message = _MESSAGES[type(message)](message)
    return LlmMessage(made)


def _extras(message: Any, spelling: Mapping[str, Any]) -> Extras | None:
    """Return what the canonical message has no field for, and the version if it is not V2."""
    made = extras_of(API, message.unknown, None, spelling)
    if message.version == V3:
        made = made or {API: Extra(_NO_KEYS)}
        made[API].dialect = V3
    return made


def _role(message: Any, role: str) -> dict[str, Any]:
    return {"role": message.role} if message.role != role else {}


# -- items -----------------------------------------------------------------------------------------


def _content(
    items: list[Any], version: str, spelling: Mapping[str, Any] | None = None
) -> list[model.Content]:
    return [
        model.TextBlock(item)
        if type(item) is str and spelling is None
        else _ITEMS.get(type(item), _pil)(item, version, spelling)
        for item in items
    ]


def _text(item: str, version: str, spelling: Any) -> model.TextBlock:
    return model.TextBlock(item, extras=extras_of_part(UNSET, spelling))


def _marked_text(item: held.TextContent, version: str, spelling: Any) -> model.TextBlock:
    return model.TextBlock(item.text, extras=extras_of_part(item.unknown, spelling))


def _image(item: Any, version: str, spelling: Any) -> model.ImageBlock:
    has_type = item.data is not None or version == V3
    if version == V3 and item.detail not in DETAILS:
        spelling = {**(spelling or {}), "detail": item.detail}
    return model.ImageBlock(
        data=item.data,
        url=item.url,
        file_id=item.file_id,
        mime_type=item.media_type if has_type else None,
        detail=item.detail if item.detail != held.AUTO else None,
        extras=extras_of_part(item.unknown, spelling),
    )


def _audio(item: Any, version: str, spelling: Any) -> model.AudioBlock:
    mime_type = held.mime_type_of(item)
    if version == V3 and FORMATS.get(held.format_of(mime_type, "audio")) != item.format:
        spelling = {**(spelling or {}), "format": item.format}
    return model.AudioBlock(
        data=item.data,
        mime_type=mime_type,
        transcript=item.transcript,
        extras=extras_of_part(item.unknown, spelling),
    )


def _video(item: Any, version: str, spelling: Any) -> model.VideoBlock:
    keys = item.unknown
    spelling = url_spelled(item.url, spelling)
    if version == V3 and keys is not UNSET:
        others = _keys(keys.text)
        if "media_type" in others:  # half a type
            spelling = {**(spelling or {}), "media_type": others.pop("media_type")}
            keys = unknown(others)
    return model.VideoBlock(
        data=item.data,
        url=item.url,
        mime_type=held.mime_type_of(item),
        extras=extras_of_part(keys, spelling),
    )


def _document(item: Any, version: str, spelling: Any) -> model.DocumentBlock:
    return model.DocumentBlock(
        data=item.data,
        url=item.url,
        file_id=item.file_id,
        mime_type=item.media_type,
        filename=item.filename,
        extras=extras_of_part(item.unknown, url_spelled(item.url, spelling)),
    )


def _pil(item: Any, version: str, spelling: Any) -> model.ImageBlock:
    media = Media.from_pil(item)
    if media.mime_type != PNG:  # another format would be encoded anew, and worse
        media = png(item)
    return model.ImageBlock(
        data=media, mime_type=media.mime_type, extras=extras_of_part(UNSET, spelling)
    )


_ITEMS: Final[Mapping[type, Callable[[Any, str, Any], model.Content]]] = {
    str: _text,
    held.TextContent: _marked_text,
    held.ImageContent: _image,
    held.AudioContent: _audio,
    held.VideoContent: _video,
    held.DocumentContent: _document,
}


# -- messages --------------------------------------------------------------------------------------


def _system(message: own.SystemMessage) -> model.SystemMessage:
    content: list[model.Content] = [model.TextBlock(message.content)]
    extras = _extras(message, _role(message, "system"))
    return model.SystemMessage(content, id=message.id, extras=extras)


def _user(message: own.UserMessage) -> model.UserMessage:
    return model.UserMessage(
        _content(message.content, message.version),
        id=message.id,
        name=message.name,
        extras=_extras(message, _role(message, "user")),
    )


def _call(call: own.ToolCallMessage) -> model.ToolCallBlock:
    spelling = _role(call, "tool_call")
    if call.id is None:
        spelling["id"] = None
    keys = {"content": call.content} if call.content else None
    extras = extras_of(API, call.unknown, keys, spelling)
    return model.ToolCallBlock(call.id or "", call.name, call.arguments, extras=extras)


def _lone_call(call: own.ToolCallMessage) -> model.AssistantMessage:
    extras = extras_of(API, UNSET, None, {"type": "ToolCallMessage"})
    assert extras is not None
    if call.version == V3:
        extras[API].dialect = V3
    return model.AssistantMessage([_call(call)], extras=extras)


def _assistant(message: own.AssistantMessage) -> model.AssistantMessage:
    spelling = _role(message, "assistant")
    content: list[model.Content] = []
    if message.reasoning:
        content.append(model.ThinkingBlock(message.reasoning))
    elif message.reasoning is not None:
        spelling["reasoning"] = ""
    if message.content:
        content += _content(message.content, message.version)
    elif message.content is not None:
        spelling["content"] = []
    if message.tool_calls:
        content += [_call(call) for call in message.tool_calls]
    elif message.tool_calls is not None:
        spelling["tool_calls"] = []
    if message.parsed is not None and message.version != V3:
        spelling["parsed"] = None
    return model.AssistantMessage(
        content,
        MEANT.get(message.finish_reason),
        usage=_usage(message.usage) if message.usage is not None else None,
        raw_stop_reason=message.finish_reason,
        id=message.id,
        name=message.name,
        cached=message.cached,
        parsed=message.parsed,
        extras=_extras(message, spelling),
    )


def _usage(usage: own.UsageStats) -> model.Usage:
    """Return the counts. `prompt_tokens` does not include Anthropic's cached tokens in `extra`."""
    extra = dict(usage.extra)
    counts = {}
    for key, name in CACHED.items():
        if type(extra.get(key)) is int:
            counts[name] = extra.pop(key)
    spelling: dict[str, Any] = {"extra": usage.extra} if usage.extra else {}
    if not usage.total_tokens and (usage.prompt_tokens or usage.completion_tokens):
        spelling["total_tokens"] = usage.total_tokens
    return model.Usage(
        usage.prompt_tokens,
        usage.completion_tokens,
        total_tokens=usage.total_tokens,
        extras=extras_of(API, usage.unknown, {"extra": extra} if extra else None, spelling),
        **counts,
    )


def _result(message: own.ToolExecutionResultMessage) -> model.ToolResultMessage:
    spelling = _role(message, "tool_response")
    content = result_blocks(message.content, message.version)
    if message.media:
        content += _content(message.media, message.version, {"as": "media"})
    elif message.media is not None:
        spelling["media"] = []
    return model.ToolResultMessage(
        message.tool_call_id,
        message.name,
        content,
        message.is_error,
        details=message.app_data,
        id=message.id,
        extras=_extras(message, spelling),
    )


_MESSAGES: Final[Mapping[type, Callable[[Any], model.Message]]] = {
    own.SystemMessage: _system,
    own.UserMessage: _user,
    own.AssistantMessage: _assistant,
    own.ToolCallMessage: _lone_call,
    own.ToolExecutionResultMessage: _result,
}
