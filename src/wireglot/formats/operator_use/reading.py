"""Operator-Use's messages and session entries -> canonical messages.

The fields of an entry around its message are kept under `(entry)`: id, time and parent in the
spelling, all others in the keys. An answer gets the model that the entries before it name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

import msgspec
from msgspec import UNSET, Raw, UnsetType

from ... import model
from ...model import Extras, LlmMessage, RawJson, StopReason
from ...model.base import UnknownKeys
from .._mapping import extras_of
from .._records import unknown, write
from . import session
from . import types as own
from .block_reading import API, WIRE, blocks_of
from .contents import TextContent

__all__ = [
    "ENTRY",
    "GEMINI",
    "NOBODY",
    "Served",
    "canonical",
    "is_geminis",
    "milliseconds",
    "uncached",
]

ENTRY: Final = "(entry)"
GEMINI: Final = "gemini-generate-content"
"""The API that a call's signature belongs to."""

Served = tuple[str | None, str | None]
"""Model and provider."""
NOBODY: Final[Served] = (None, None)

_LATEST: Final = 1e14  # the limit of times in seconds: milliseconds have to fit 64 bits
_COMMON: Final = frozenset({"id", "timestamp", "parent_id", "unknown"})
_keys = msgspec.json.Decoder(dict[str, Raw]).decode

_STOPS: Final = {
    own.StopReason.STOP: StopReason.STOP,
    own.StopReason.LENGTH: StopReason.LENGTH,
    own.StopReason.TOOL_CALLS: StopReason.TOOL_USE,
    own.StopReason.CONTENT_FILTER: StopReason.GUARD_RAIL,
    own.StopReason.ABORT: StopReason.ABORTED,
    own.StopReason.ERROR: StopReason.ERROR,
}


def canonical(values: Iterable[Any], served: Served = NOBODY) -> list[model.AgentMessage]:
    """Return canonical messages for messages and for entries of a session, in their order.

    `served` is the model and provider of answers that are bare messages, outside any entry.
    """
    made: list[model.AgentMessage] = []
    seen: dict[str | None, Served] = {}
    is_first = True
    for value in values:
        kind = type(value)
        bare = _MESSAGES.get(kind)
        if bare is not None:
            made.append(bare(value, served, None))
            continue
        is_header = kind is session.SessionHeader
        parent = None if is_header else value.parent_id
        now = seen.get(parent, NOBODY)
        is_root = is_header or (is_first and parent is None)
        place = _place(value, parent, not (is_root or parent in seen))
        named = _named(value)
        if named is not None and named not in seen:
            place["loose"] = named
        is_first = is_first and is_header
        if kind is session.MessageEntry:
            made.append(_MESSAGES[type(value.message)](value.message, now, (value, place)))
        else:
            made.append(_ENTRIES.get(kind, _extension)(value, place))
            if kind is session.ModelChangeEntry:
                now = (value.model_id or None, value.provider_id or None)
        if value.id is not None and not is_header:
            seen[value.id] = now
    return made


def milliseconds(seconds: float | None) -> int | None:
    """Return a time in milliseconds, None if there is none or it is too far away."""
    if seconds is None or not -_LATEST < seconds < _LATEST:
        return None
    return round(seconds * 1000)


def _place(entry: Any, parent: str | None, cut: bool) -> dict[str, Any]:
    """Return the place of an entry; it is `cut` off if its parent is not before it.

    The caller adds `loose`: the entry that it names, if that is not before it.
    """
    place = {"id": entry.id, "timestamp": entry.timestamp, "parent_id": parent}
    if cut:
        place["cut"] = True
    return {key: value for key, value in place.items() if value is not None}


def _named(entry: Any) -> str | None:
    """Return the id of the other entry that an entry refers to, None if there is none."""
    if type(entry) is session.CompactionEntry:
        return entry.first_kept_entry_id or None
    named: str | None = entry.target_id if type(entry) in _POINTERS else None
    return None if named == entry.id else named


def _timed(seconds: float | None) -> dict[str, Any]:
    """Return the spelling of a time, empty if milliseconds express it exactly."""
    if seconds is None:
        return {}
    found = milliseconds(seconds)
    return {} if found is not None and found / 1000 == seconds else {"timestamp": seconds}


# -- messages -------------------------------------------------------------------------------------

_Around = tuple[session.MessageEntry, Mapping[str, Any]] | None
"""The entry that holds a message, and its place."""


def _extras(
    message: Any,
    around: _Around,
    keys: Mapping[str, Any] | None = None,
    spelling: Mapping[str, Any] | None = None,
) -> Extras | None:
    said = {**_timed(message.timestamp), **(spelling or {})}
    if around is not None:
        said[ENTRY], beside = _around(around, type(message) in _LLM)
        if beside:
            keys = {**(keys or {}), ENTRY: beside}
    return extras_of(API, _apart(message.unknown), keys, said)


def _apart(held: UnknownKeys | UnsetType) -> UnknownKeys | UnsetType:
    """Return unknown keys, with `(entry)` escaped: that key is for the fields of the entry."""
    if held is UNSET:
        return held
    keys = _keys(held.text)
    if not any(key.startswith(ENTRY) for key in keys):
        return held
    return unknown({ENTRY * key.startswith(ENTRY) + key: raw for key, raw in keys.items()})


def _around(around: tuple[Any, Any], is_llm: bool) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the fields of an entry around its message: its place, and the rest."""
    entry, place = around
    beside: dict[str, Any] = {} if entry.meta is None else {"meta": Raw(write(entry.meta, WIRE))}
    if entry.unknown is not UNSET:
        beside |= _keys(entry.unknown.text)
    return dict(place) if is_llm else {"type": entry.type, **place}, beside


def _plain(kind: type[Any]) -> Any:
    def made(message: Any, _: Served, around: _Around) -> LlmMessage:
        return LlmMessage(
            kind(
                blocks_of(message.contents),
                milliseconds(message.timestamp),
                message.id,
                extras=_extras(message, around),
            )
        )

    return made


def _assistant(message: own.AssistantMessage, served: Served, around: _Around) -> LlmMessage:
    keys = {} if message.error_kind is UNSET else {"error_kind": message.error_kind}
    content = blocks_of(message.contents)
    return LlmMessage(
        model.AssistantMessage(
            content,
            _STOPS[message.stop_reason],
            *served,
            _usage(message.usage),
            milliseconds(message.timestamp),
            message.error or None,
            GEMINI if is_geminis(content, served[1]) else None,
            id=message.id,
            extras=_extras(message, around, keys),
        )
    )


def is_geminis(content: Iterable[Any], provider: str | None) -> bool:
    """Whether an answer whose provider no entry names is Gemini's: only Gemini signs calls.

    Signed thinking is Anthropic's here. An answer with both has no known provider.
    """
    signed = {
        type(block)
        for block in content
        if type(block) in (model.ToolCallBlock, model.ThinkingBlock) and block.signature is not None
    }
    return provider is None and signed == {model.ToolCallBlock}


def _usage(usage: own.Usage) -> model.Usage | None:
    """Return the counts, None if all are zero: Operator-Use writes that for "not known"."""
    if usage == _NO_USAGE:
        return None
    read, write = usage.cache_read_tokens, usage.cache_write_tokens
    flag = usage.input_tokens_include_cache_read
    spelling: dict[str, Any] = {}
    if flag is not UNSET:
        spelling["input_tokens_include_cache_read"] = flag
    if flag:
        spelling["input_tokens"] = usage.input_tokens
    cost = usage.cost
    keys = {} if cost.unknown is UNSET else {"cost": Raw(cost.unknown.text)}
    return model.Usage(
        uncached(usage.input_tokens, read, write) if flag else usage.input_tokens,
        usage.output_tokens,
        cache_read=read,
        cache_write=write,
        cost=None if cost == _NO_COST else _cost(cost),
        extras=extras_of(API, usage.unknown, keys, spelling),
    )


def uncached(count: int, read: int, write: int) -> int:
    """Return how many of the input tokens were not cached, at least 0 (Tau)."""
    return max(0, count - read - write)


_NO_COST: Final = own.UsageCost()
_NO_USAGE: Final = own.Usage()


def _cost(cost: own.UsageCost) -> model.Cost:
    return model.Cost(cost.input, cost.output, cost.cache_read, cost.cache_write, cost.total)


def _custom(message: own.CustomMessage, _: Served, around: _Around) -> model.CustomMessage:
    return model.CustomMessage(
        message.custom_type,
        blocks_of(message.contents),
        details=message.details,
        timestamp=milliseconds(message.timestamp),
        extras=_extras(message, around),
    )


def _branch(
    message: own.BranchSummaryMessage, _: Served, around: _Around
) -> model.BranchSummaryMessage:
    return model.BranchSummaryMessage(
        message.summary,
        _from(message.from_id),
        timestamp=milliseconds(message.timestamp),
        extras=_extras(message, around),
    )


def _compaction(
    message: own.CompactionSummaryMessage, _: Served, around: _Around
) -> model.CompactionSummaryMessage:
    return model.CompactionSummaryMessage(
        message.summary,
        message.tokens_before,
        timestamp=milliseconds(message.timestamp),
        extras=_extras(message, around),
    )


def _from(entry_id: str) -> str | None:
    return None if entry_id == "root" else entry_id


def _invoked(message: Any, _: Served, around: _Around) -> model.ExtensionMessage:
    """Return a message of a role that only Tau has."""
    role = str(message.__struct_config__.tag)
    spelling: dict[str, Any] = {"role": role}
    keys: dict[str, Any] = {}
    if around is not None:
        spelling[ENTRY], beside = _around(around, False)
        keys = {ENTRY: beside} if beside else {}
    data = _data(message, frozenset({"unknown"}))
    return model.ExtensionMessage(role, data, extras_of(API, UNSET, keys, spelling))


_MESSAGES: Final[dict[type[Any], Any]] = {
    own.SystemMessage: _plain(model.SystemMessage),
    own.UserMessage: _plain(model.UserMessage),
    own.AssistantMessage: _assistant,
    own.ToolMessage: _plain(model.ToolMessage),
    own.CustomMessage: _custom,
    own.BranchSummaryMessage: _branch,
    own.CompactionSummaryMessage: _compaction,
    own.SkillInvocationMessage: _invoked,
    own.TemplateInvocationMessage: _invoked,
    own.TerminalExecutionMessage: _invoked,
}
_LLM: Final = frozenset(own.LLMMessage.__args__)


# -- entries --------------------------------------------------------------------------------------


def _of_entry(
    entry: Any,
    place: Mapping[str, Any],
    keys: Mapping[str, Any] | None = None,
    spelling: Mapping[str, Any] | None = None,
) -> Extras | None:
    """Return extras of an entry that becomes a message with the entry's own id and time."""
    stands = {key: value for key, value in place.items() if key not in ("id", "timestamp")}
    said = {**_timed(entry.timestamp), **(spelling or {}), ENTRY: stands}
    return extras_of(API, _apart(entry.unknown), keys, said)


def _custom_entry(
    entry: session.CustomMessageEntry, place: Mapping[str, Any]
) -> model.CustomMessage:
    is_text = isinstance(entry.content, str)
    said: Any = entry.content
    content = [TextContent(said)] if is_text else said
    return model.CustomMessage(
        entry.custom_type,
        blocks_of(content),
        entry.display,
        entry.details,
        milliseconds(entry.timestamp),
        entry.id,
        _of_entry(entry, place, None, {"content": "text"} if is_text else None),
    )


def _branch_entry(
    entry: session.BranchEntry, place: Mapping[str, Any]
) -> model.BranchSummaryMessage:
    return model.BranchSummaryMessage(
        entry.summary,
        _from(entry.from_id),
        entry.details,
        milliseconds(entry.timestamp),
        entry.id,
        _of_entry(entry, place, {"from_hook": True} if entry.from_hook else None),
    )


def _compaction_entry(
    entry: session.CompactionEntry, place: Mapping[str, Any]
) -> model.CompactionSummaryMessage:
    return model.CompactionSummaryMessage(
        entry.summary,
        entry.tokens_before,
        entry.first_kept_entry_id or None,
        entry.details,
        milliseconds(entry.timestamp),
        entry.id,
        _of_entry(entry, place, {"from_hook": True} if entry.from_hook else None),
    )


def _extension(entry: Any, place: Mapping[str, Any]) -> model.ExtensionMessage:
    return model.ExtensionMessage(
        entry.type, _data(entry, _COMMON), extras_of(API, UNSET, None, {ENTRY: place})
    )


def _information(
    entry: session.CustomInfoEntry, place: Mapping[str, Any]
) -> model.ExtensionMessage:
    """Return the data of an extension, whose kind may equal the name of an entry type."""
    data = entry.data
    spelling = {ENTRY: {"type": entry.type, **place}}
    return model.ExtensionMessage(
        entry.custom_type,
        None if data is None else data.value,
        extras_of(API, _apart(entry.unknown), None, spelling),
    )


def _data(record: Any, but: frozenset[str]) -> dict[str, Any]:
    """Return the fields of a record, except those in `but`, as plain data."""
    data: dict[str, Any] = {}
    for name in record.__struct_fields__:
        value = getattr(record, name)
        if name not in but and value is not None:
            data[name] = value.value if isinstance(value, RawJson) else value
    if record.unknown is not UNSET:
        data |= record.unknown.value
    return data


_POINTERS: Final = frozenset({session.LabelEntry, session.LeafEntry})
_ENTRIES: Final[dict[type[Any], Any]] = {
    session.CustomMessageEntry: _custom_entry,
    session.BranchEntry: _branch_entry,
    session.CompactionEntry: _compaction_entry,
    session.CustomInfoEntry: _information,
}
