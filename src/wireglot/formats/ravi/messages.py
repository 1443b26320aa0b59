"""Ravi's messages <-> canonical ones.

The blocks of an answer are in Ravi's own order: reasoning first, then the content, then the calls.
V3 is a dialect in `extras`, so that a V3 message is written as V3 again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Final

import msgspec
from msgspec import UNSET

from ... import model
from ...losses import Losses
from ...model import Extra, Extras, RawJson, StopReason
from .._mapping import Keys, Where, Writer, extras_of
from .._records import unknown
from . import types as own
from .blocks import blocks_of, item_of_block
from .losses import V2_CARRIED, V2_LOSSES
from .results import arguments_of, result_blocks, result_json, result_parts
from .system import API, SYSTEM, V2, V3, WIRE
from .writers import V2Writer, V3Writer, VersionWriter

__all__ = ["MessageWriter", "canonical"]

_MEANT: Final[Mapping[str, StopReason]] = {
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

_CACHED: Final[Mapping[str, str]] = {
    "cache_read_input_tokens": "cache_read",
    "cache_creation_input_tokens": "cache_write",
}
"""Keys of `extra` in the usage -> the canonical fields for them."""

_WORDS: Final[Mapping[StopReason, str]] = {
    StopReason.TOOL_USE: "tool_calls",
    StopReason.ABORTED: "cancelled",
    StopReason.GUARD_RAIL: "guardrail_tripped",
}
_NO_KEYS: Final = RawJson(b"{}")
_role = msgspec.json.Decoder(own.Role).decode
_str = msgspec.json.Decoder(str).decode
_object = msgspec.json.Decoder(dict[str, Any]).decode


# -- Ravi's -> canonical ---------------------------------------------------------------------------


def canonical(message: own.AgentMessage) -> model.Message:
    """Return the canonical message."""
    return _CANONICAL[type(message)](message)


def _extras(message: Any, spelling: Mapping[str, Any]) -> Extras | None:
    """Return what the canonical message has no field for, and the version if it is not V2."""
    extras = extras_of(API, message.unknown, None, spelling)
    if message.version == V3:
        extras = extras or {API: Extra(_NO_KEYS)}
        extras[API].dialect = V3
    return extras


def _role_of(message: Any, role: str) -> dict[str, Any]:
    return {"role": message.role} if message.role != role else {}


def _system_message(message: own.SystemMessage) -> model.SystemMessage:
    content: list[model.Content] = [model.TextBlock(message.content)]
    extras = _extras(message, _role_of(message, "system"))
    return model.SystemMessage(content, id=message.written_id, extras=extras)


def _user_message(message: own.UserMessage) -> model.UserMessage:
    return model.UserMessage(
        blocks_of(message.content, message.version),
        id=message.written_id,
        name=message.name,
        extras=_extras(message, _role_of(message, "user")),
    )


def _call_block(call: own.ToolCallMessage) -> model.ToolCallBlock:
    spelling = _role_of(call, "tool_call")
    if call.id is None:
        spelling["id"] = None
    keys = {"content": call.content} if call.content else None
    extras = extras_of(API, call.unknown, keys, spelling)
    return model.ToolCallBlock(call.id or "", call.name, own.ARGUMENTS.held(call), extras=extras)


def _lone_call_message(call: own.ToolCallMessage) -> model.AssistantMessage:
    extras = extras_of(API, UNSET, None, {"type": "ToolCallMessage"})
    assert extras is not None
    if call.version == V3:
        extras[API].dialect = V3
    return model.AssistantMessage([_call_block(call)], extras=extras)


def _assistant_message(message: own.AssistantMessage) -> model.AssistantMessage:
    spelling = _role_of(message, "assistant")
    content: list[model.Content] = []
    if message.reasoning:
        content.append(model.ThinkingBlock(message.reasoning))
    elif message.reasoning is not None:
        spelling["reasoning"] = ""
    if message.content:
        content += blocks_of(message.content, message.version)
    elif message.content is not None:
        spelling["content"] = []
    if message.tool_calls:
        content += [_call_block(call) for call in message.tool_calls]
    elif message.tool_calls is not None:
        spelling["tool_calls"] = []
    if message.parsed is not None and message.version != V3:
        spelling["parsed"] = None
    return model.AssistantMessage(
        content,
        _MEANT.get(message.finish_reason),
        usage=_usage_counts(message.usage) if message.usage is not None else None,
        raw_stop_reason=message.finish_reason,
        id=message.written_id,
        name=message.name,
        cached=message.cached,
        parsed=message.parsed,
        extras=_extras(message, spelling),
    )


def _usage_counts(usage: own.UsageStats) -> model.Usage:
    """Return the counts. `prompt_tokens` does not include Anthropic's cached tokens in `extra`."""
    extra = dict(usage.extra)
    counts = {}
    for key, name in _CACHED.items():
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


def _result_message(message: own.ToolExecutionResultMessage) -> model.ToolResultMessage:
    spelling = _role_of(message, "tool_response")
    content = result_blocks(message.content, message.version)
    if message.media:
        content += blocks_of(message.media, message.version, {"as": "media"})
    elif message.media is not None:
        spelling["media"] = []
    return model.ToolResultMessage(
        message.tool_call_id,
        message.name,
        content,
        message.is_error,
        details=message.app_data,
        id=message.written_id,
        extras=_extras(message, spelling),
    )


_CANONICAL: Final[Mapping[type, Callable[[Any], model.Message]]] = {
    own.SystemMessage: _system_message,
    own.UserMessage: _user_message,
    own.AssistantMessage: _assistant_message,
    own.ToolCallMessage: _lone_call_message,
    own.ToolExecutionResultMessage: _result_message,
}


# -- canonical -> Ravi's ---------------------------------------------------------------------------


def _common(writer: VersionWriter, message: Any, keys: Keys, spelling: Keys, where: Where) -> Any:
    """Return the fields of every message: version, unknown keys, an unusual role, in V3 the id."""
    # An explicit None, since a message that is made without an `id` gets a new one.
    fields: dict[str, Any] = {"version": writer.VERSION, "unknown": unknown(keys), "id": None}
    if "role" in spelling:
        fields["role"] = _role(spelling["role"])
    if writer.VERSION == V3 and type(message) in _WITH_ID:
        if type(message.id) is str:
            fields["id"] = message.id
        elif message.id is not None:
            writer.lose("id", where, ".id")
    return fields


_WITH_ID: Final = frozenset(
    {
        model.SystemMessage,
        model.UserMessage,
        model.AssistantMessage,
        model.ToolResultMessage,
    }
)


def _system(
    writer: VersionWriter, message: model.SystemMessage, where: Where
) -> list[own.AgentMessage]:
    keys, spelling = writer.rest(message, where)
    texts = []
    for i, block in enumerate(message.content):
        if type(block) is not model.TextBlock:
            writer.lose("system content", (*where, i))
            continue
        writer.lose_rest(block, (*where, i))
        texts.append(block.text)
    common = _common(writer, message, keys, spelling, where)
    return [own.SystemMessage("\n".join(texts), **common)]


def _user(
    writer: VersionWriter, message: model.UserMessage, where: Where
) -> list[own.AgentMessage]:
    keys, spelling = writer.rest(message, where)
    common = _common(writer, message, keys, spelling, where)
    results: list[own.AgentMessage] = []
    items: list[Any] = []
    for i, block in enumerate(message.content):
        at = (*where, i)
        if type(block) is model.ToolResultBlock:
            results.append(_result_in(writer, block, at))
            if items:
                writer.lose("order", at)
        else:
            item = item_of_block(writer, block, at)
            items += [item] if item is not None else []
    if results and not items and not keys and message.name is None and common["id"] is None:
        return results
    return [*results, own.UserMessage(items, message.name, **common)]


def _assistant(
    writer: VersionWriter, message: model.AssistantMessage, where: Where
) -> list[own.AgentMessage]:
    keys, spelling = writer.rest(message, where)
    if "type" in spelling and _is_lone_call(message) and not keys:
        return [_call(writer, message.content[0], (*where, 0))]
    thoughts: list[str] = []
    items: list[Any] = []
    calls: list[own.ToolCallMessage] = []
    stage = 0
    for i, block in enumerate(message.content):
        at = (*where, i)
        order = _ORDER.get(type(block), 1)
        if order == 0:
            part: Any = _reasoning(writer, block, bool(thoughts), at)
        elif order == 2:
            part = _call(writer, block, at)
        else:
            part = item_of_block(writer, block, at)
        if part is not None:
            (thoughts, items, calls)[order].append(part)
            if order < stage:
                writer.lose("order", at)
            stage = max(stage, order)
    reasoning = "\n".join(thoughts) if thoughts else None
    return [
        own.AssistantMessage(
            items if items or "content" in spelling else None,
            calls if calls or "tool_calls" in spelling else None,
            "" if reasoning is None and "reasoning" in spelling else reasoning,
            _finish_reason(writer, message, where),
            _usage(writer, message.usage, where) if message.usage is not None else None,
            message.cached,
            message.name,
            _parsed(writer, message, spelling, where),
            **_common(writer, message, keys, spelling, where),
        )
    ]


_ORDER: Final[Mapping[type, int]] = {model.ThinkingBlock: 0, model.ToolCallBlock: 2}


def _is_lone_call(message: model.AssistantMessage) -> bool:
    """Whether an answer holds a single call and nothing else."""
    content = message.content
    return (
        len(content) == 1
        and type(content[0]) is model.ToolCallBlock
        and message == model.AssistantMessage(content, extras=message.extras)
    )


def _reasoning(writer: VersionWriter, block: Any, is_more: bool, where: Where) -> str | None:
    if block.redacted and writer.VERSION == V3:  # in V2 it is among the rest
        writer.lose("redacted", where, ".redacted")
    writer.lose_rest(block, where)
    if not block.thinking:
        writer.lose("thinking", where)
        return None
    if is_more:
        writer.lose("thoughts", where)
    thinking: str = block.thinking
    return thinking


def _call(writer: VersionWriter, block: Any, where: Where) -> own.ToolCallMessage:
    keys, spelling = writer.rest(block, where)
    common = _common(writer, block, keys, spelling, where)
    common["id"] = block.id if block.id or "id" not in spelling else None
    call = own.ToolCallMessage(block.name, arguments_of(writer, block, where), **common)
    if "content" in keys:
        call.content = _str(keys["content"])
        call.unknown = unknown({k: raw for k, raw in keys.items() if k != "content"})
    return call


def _finish_reason(writer: VersionWriter, message: model.AssistantMessage, where: Where) -> str:
    reason, raw = message.stop_reason, message.raw_stop_reason
    if raw is not None and (reason is None or _MEANT.get(raw) is reason):
        return raw
    if reason is None:
        return "stop"
    word = _WORDS.get(reason, str(reason))
    if raw is not None and raw != word:
        writer.lose("rawStopReason", where, ".rawStopReason")
    return word


def _parsed(
    writer: VersionWriter, message: model.AssistantMessage, spelling: Keys, where: Where
) -> Any:
    if writer.VERSION == V2 and message.parsed is not None and "parsed" not in spelling:
        writer.lose("parsed", where, ".parsed")
        return None
    return writer.finite(message.parsed, where, ".parsed")


def _usage(writer: VersionWriter, usage: model.Usage, where: Where) -> own.UsageStats:
    where = (*where, ".usage")
    keys, spelling = writer.rest(usage, where)
    extra = _object(keys["extra"]) if "extra" in keys else {}
    counts = {key: getattr(usage, name) for key, name in _CACHED.items()}
    stats = own.UsageStats(
        usage.input,
        usage.output,
        usage.total_tokens,
        extra,
        unknown=unknown({key: raw for key, raw in keys.items() if key != "extra"}),
    )
    if "extra" in spelling:
        original = _object(spelling["extra"])
        cached = {key: n for key, n in counts.items() if n or type(original.get(key)) is int}
        if original == {**extra, **cached}:
            stats.extra = original
            return stats
    if writer.VERSION == V3:
        stats.extra = {**{key: count for key, count in counts.items() if count}, **extra}
    else:
        for name in _CACHED.values():
            if getattr(usage, name):
                writer.lose(name, where, f".{name}")
        stats.prompt_tokens += sum(counts.values())
    if not stats.total_tokens and "total_tokens" not in spelling:
        stats.total_tokens = stats.prompt_tokens + stats.completion_tokens
    return stats


def _result(
    writer: VersionWriter, message: model.ToolResultMessage, where: Where
) -> list[own.AgentMessage]:
    return [_result_in(writer, message, where)]


def _result_in(writer: VersionWriter, result: Any, where: Where) -> own.AgentMessage:
    """Return the message for a result, which is a message or among other blocks."""
    keys, spelling = writer.rest(result, where)
    details = writer.finite(result.details, where, ".details")
    if details is not None and type(details) is not dict:
        writer.lose("result details", where, ".details")
        details = None
    items, media = result_parts(writer, result.content, spelling, where)
    return own.ToolExecutionResultMessage(
        result.tool_call_id,
        result_json(writer, items, where),
        result.tool_name,
        result.is_error,
        details,
        media,
        **_common(writer, result, keys, spelling, where),
    )


def _batch(
    writer: VersionWriter, message: model.ToolMessage, where: Where
) -> list[own.AgentMessage]:
    writer.lose_rest(message, where)
    if not message.content:
        writer.lose("tool", where)
    results: list[own.AgentMessage] = []
    for i, block in enumerate(message.content):
        if type(block) is model.ToolResultBlock:
            results.append(_result_in(writer, block, (*where, i)))
        else:
            writer.lose("tool content", (*where, i))
    return results


_OWN: Final[Mapping[type, Callable[[VersionWriter, Any, Where], list[own.AgentMessage]]]] = {
    model.SystemMessage: _system,
    model.UserMessage: _user,
    model.AssistantMessage: _assistant,
    model.ToolResultMessage: _result,
    model.ToolMessage: _batch,
}


class MessageWriter(Writer):
    """Makes Ravi's messages of canonical ones, each in one version, or in the one that it had.

    A message that came from elsewhere is written in V2, unless a version is given.
    """

    WIRE: ClassVar[str] = WIRE
    API: ClassVar[str] = API
    SYSTEM: ClassVar[str] = SYSTEM
    LOSSES: ClassVar[Mapping[str, str]] = V2_LOSSES
    CARRIED: ClassVar[Mapping[type[Any], str]] = V2_CARRIED

    def __init__(self, losses: Losses, version: own.Version | None = None) -> None:
        super().__init__(losses)
        self._version = version
        self._writers: Mapping[str, VersionWriter] = {V2: V2Writer(losses), V3: V3Writer(losses)}

    def _made(self, message: Any, where: Where) -> list[own.AgentMessage]:
        extra = message.extras.get(API) if message.extras is not None else None
        is_v3 = extra is not None and extra.dialect == V3
        writer = self._writers[self._version or (V3 if is_v3 else V2)]
        return _OWN[type(message)](writer, message, where)

    MESSAGES: ClassVar[Mapping[type[Any], Any]] = dict.fromkeys(_OWN, _made)
