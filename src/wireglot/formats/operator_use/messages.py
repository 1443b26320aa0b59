"""Operator-Use's messages <-> canonical ones, without the entries that hold them in a session.

The fields of an entry around its message are kept under `(entry)`: id, time and parent in the
spelling, all others in the keys.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Mapping
from typing import Any, Final

import msgspec
from msgspec import UNSET, Raw, UnsetType

from ... import model
from ..._body.decode import as_given
from ...model import Extras, RawJson, StopReason
from ...model.base import UnknownKeys
from ...providers._state.facts import called
from .._mapping import Keys, Where, Writer, extras_of
from .._records import unknown, write
from . import types as own
from .blocks import blocks_of, contents_of, own_signer, result_of, signer_of
from .system import API, CALL_SIGNER, THINKING_SIGNER, WIRE
from .tree import ENTRY, Served, text_id

__all__ = [
    "apart",
    "canonical_message",
    "data_of",
    "milliseconds",
    "own_keys",
    "own_message",
    "seconds_of",
    "summarised_from",
    "timed",
]

_SIGNERS: Final[dict[Any, str]] = {
    model.ToolCallBlock: CALL_SIGNER,
    model.ThinkingBlock: THINKING_SIGNER,
}
"""The provider that a signature is of, if nothing names one."""

_LATEST: Final = 1e14  # the limit of times in seconds: milliseconds have to fit 64 bits
_FURTHEST: Final = sys.float_info.max  # the limit of times: an integer of JSON may exceed it
_TOO_MUCH: Final = 10**18  # milliseconds, far beyond what seconds express exactly
_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_value = msgspec.json.Decoder().decode

_STOPS: Final = {
    own.StopReason.STOP: StopReason.STOP,
    own.StopReason.LENGTH: StopReason.LENGTH,
    own.StopReason.TOOL_CALLS: StopReason.TOOL_USE,
    own.StopReason.CONTENT_FILTER: StopReason.GUARD_RAIL,
    own.StopReason.ABORT: StopReason.ABORTED,
    own.StopReason.ERROR: StopReason.ERROR,
}
_REASONS: Final = {canonical: reason for reason, canonical in _STOPS.items()}


# -- times -----------------------------------------------------------------------------------------


def milliseconds(seconds: float | None) -> int | None:
    """Return a time in milliseconds, None if there is none or it is too far away."""
    if seconds is None or not -_LATEST < seconds < _LATEST:
        return None
    return round(seconds * 1000)


def timed(seconds: float | None) -> dict[str, Any]:
    """Return the spelling of a time, empty if milliseconds express it exactly."""
    if seconds is None:
        return {}
    time = milliseconds(seconds)
    return {} if time is not None and time / 1000 == seconds else {"timestamp": seconds}


def seconds_of(writer: Writer, value: Any, spelling: Keys, where: Where) -> float | None:
    """Return a time in seconds: the original number if it is still the same time."""
    original = spelling.get("timestamp")
    if original is not None:
        seconds = float(max(-_FURTHEST, min(_value(original), _FURTHEST)))
        if milliseconds(seconds) == value.timestamp:
            return seconds
    if value.timestamp is None:
        return None
    seconds = max(-_TOO_MUCH, min(value.timestamp, _TOO_MUCH)) / 1000
    if milliseconds(seconds) != value.timestamp:
        writer.lose("timestamp", where, ".timestamp")
        return None
    return float(seconds)


# -- Operator-Use's -> canonical -------------------------------------------------------------------

_Around = tuple[own.MessageEntry, Mapping[str, Any]] | None
"""The entry that holds a message, and its place."""


def _extras(
    message: Any,
    around: _Around,
    keys: Mapping[str, Any] | None = None,
    spelling: Mapping[str, Any] | None = None,
) -> Extras | None:
    spelling = {**timed(message.timestamp), **(spelling or {})}
    if around is not None:
        spelling[ENTRY], beside = _around(around, type(message) in _LLM)
        if beside:
            keys = {**(keys or {}), ENTRY: beside}
    return extras_of(API, apart(message.unknown), keys, spelling)


def apart(others: UnknownKeys | UnsetType) -> UnknownKeys | UnsetType:
    """Return unknown keys, with `(entry)` escaped: that key is for the fields of the entry."""
    if others is UNSET:
        return others
    keys = _keys(others.text)
    if not any(key.startswith(ENTRY) for key in keys):
        return others
    return unknown({ENTRY * key.startswith(ENTRY) + key: raw for key, raw in keys.items()})


def _around(around: tuple[Any, Any], is_llm: bool) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the fields of an entry around its message: its place, and the rest."""
    entry, place = around
    beside: dict[str, Any] = {} if entry.meta is None else {"meta": Raw(write(entry.meta, WIRE))}
    if entry.unknown is not UNSET:
        beside |= _keys(entry.unknown.text)
    return dict(place) if is_llm else {"type": entry.type, **place}, beside


def _plain_message(kind: type[Any]) -> Any:
    def canonical(message: Any, _: Served, around: _Around) -> model.Message:
        made: model.Message = kind(
            blocks_of(message.contents),
            milliseconds(message.timestamp),
            message.id,
            extras=_extras(message, around),
        )
        return made

    return canonical


def _assistant_message(
    message: own.AssistantMessage, served: Served, around: _Around
) -> model.AssistantMessage:
    keys = {} if message.error_kind is UNSET else {"error_kind": message.error_kind}
    content = blocks_of(message.contents)
    return model.AssistantMessage(
        content,
        _STOPS[message.stop_reason],
        *served,
        _usage_in(message.usage),
        milliseconds(message.timestamp),
        message.error or None,
        _signer(content, served[1]),
        id=message.id,
        extras=_extras(message, around, keys),
    )


def _signer(content: Iterable[Any], provider: str | None) -> str | None:
    """Return the API that has signed an answer, None if none has, or its provider says enough.

    Operator-Use has names of its own for some providers. Where no entry names one, signed calls are
    Gemini's, and signed thinking is Anthropic's: nobody else's is in its sessions. An answer with
    both has no known provider.
    """
    signed = {
        type(block) for block in content if type(block) in _SIGNERS and block.signature is not None
    }
    if not signed:
        return None
    if provider is not None:
        return own_signer(provider)
    return called(WIRE, _SIGNERS[signed.pop()]) if len(signed) == 1 else None


def _usage_in(usage: own.Usage) -> model.Usage | None:
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
        _uncached(usage.input_tokens, read, write) if flag else usage.input_tokens,
        usage.output_tokens,
        cache_read=read,
        cache_write=write,
        cost=None if cost == _NO_COST else _cost_in(cost),
        extras=extras_of(API, usage.unknown, keys, spelling),
    )


def _uncached(count: int, read: int, write: int) -> int:
    """Return how many of the input tokens were not cached, at least 0 (Tau)."""
    return max(0, count - read - write)


_NO_COST: Final = own.UsageCost()
_NO_USAGE: Final = own.Usage()


def _cost_in(cost: own.UsageCost) -> model.Cost:
    return model.Cost(cost.input, cost.output, cost.cache_read, cost.cache_write, cost.total)


def _custom_message(message: own.CustomMessage, _: Served, around: _Around) -> model.CustomMessage:
    return model.CustomMessage(
        message.custom_type,
        blocks_of(message.contents),
        details=message.details,
        timestamp=milliseconds(message.timestamp),
        extras=_extras(message, around),
    )


def _branch_message(
    message: own.BranchSummaryMessage, _: Served, around: _Around
) -> model.BranchSummaryMessage:
    return model.BranchSummaryMessage(
        message.summary,
        summarised_from(message.from_id),
        timestamp=milliseconds(message.timestamp),
        extras=_extras(message, around),
    )


def _compaction_message(
    message: own.CompactionSummaryMessage, _: Served, around: _Around
) -> model.CompactionSummaryMessage:
    return model.CompactionSummaryMessage(
        message.summary,
        message.tokens_before,
        timestamp=milliseconds(message.timestamp),
        extras=_extras(message, around),
    )


def summarised_from(entry_id: str) -> str | None:
    """Return the entry at which a branch was left, None for the root."""
    return None if entry_id == "root" else entry_id


def _invoked(message: Any, _: Served, around: _Around) -> model.ExtensionMessage:
    """Return a message of a role that only Tau has."""
    role = str(message.__struct_config__.tag)
    spelling: dict[str, Any] = {"role": role}
    keys: dict[str, Any] = {}
    if around is not None:
        spelling[ENTRY], beside = _around(around, False)
        keys = {ENTRY: beside} if beside else {}
    data = data_of(message, frozenset({"unknown"}))
    return model.ExtensionMessage(role, data, extras_of(API, UNSET, keys, spelling))


_CANONICAL: Final[dict[type[Any], Any]] = {
    own.SystemMessage: _plain_message(model.SystemMessage),
    own.UserMessage: _plain_message(model.UserMessage),
    own.AssistantMessage: _assistant_message,
    own.ToolMessage: _plain_message(model.ToolMessage),
    own.CustomMessage: _custom_message,
    own.BranchSummaryMessage: _branch_message,
    own.CompactionSummaryMessage: _compaction_message,
    own.SkillInvocationMessage: _invoked,
    own.TemplateInvocationMessage: _invoked,
    own.TerminalExecutionMessage: _invoked,
}
_LLM: Final = frozenset(own.LLMMessage.__args__)


def canonical_message(message: Any, served: Served, around: _Around) -> model.AgentMessage:
    """Return the canonical message; `served` is the model and provider of an answer.

    `around` is the entry that holds the message, and its place, None for a bare message.
    """
    canonical: model.AgentMessage = _CANONICAL[type(message)](message, served, around)
    return canonical


def data_of(record: Any, but: frozenset[str]) -> dict[str, Any]:
    """Return the fields of a record, except those in `but`, as plain data."""
    data: dict[str, Any] = {}
    for name in record.__struct_fields__:
        value = getattr(record, name)
        if name not in but and value is not None:
            data[name] = value.value if isinstance(value, RawJson) else value
    if record.unknown is not UNSET:
        data |= record.unknown.value
    return data


# -- canonical -> Operator-Use's -------------------------------------------------------------------


def own_message(writer: Writer, message: Any, keys: Keys, spelling: Keys, where: Where) -> Any:
    """Return the message of an LLM conversation; `keys` and `spelling` are what `rest` returned."""
    return _OWN[type(message)](writer, message, keys, spelling, where)


def _plain(writer: Writer, message: Any, keys: Keys, spelling: Keys, where: Where) -> Any:
    return as_given(
        _PLAIN[type(message)],
        contents_of(writer, message.content, where),
        text_id(message.id),
        seconds_of(writer, message, spelling, where),
        unknown=unknown(own_keys(keys)),
    )


_PLAIN: Final[dict[type[Any], Any]] = {
    model.SystemMessage: own.SystemMessage,
    model.UserMessage: own.UserMessage,
    model.ToolMessage: own.ToolMessage,
}


def _assistant(
    writer: Writer, message: model.AssistantMessage, keys: Keys, spelling: Keys, where: Where
) -> own.AssistantMessage:
    # Signatures that came from a session are written back, whichever provider it names.
    provider = message.provider or None
    api = None if message.api == _signer(message.content, provider) else message.api
    if api is not None:
        writer.lose("api", where, ".api")
    signer = signer_of(api, None if ENTRY in spelling else provider)
    stop = _REASONS.get(message.stop_reason or StopReason.STOP)
    if stop is None:
        writer.lose("stopReason", where, ".stopReason")
    kind = keys.get("error_kind")
    answer: own.AssistantMessage = as_given(
        own.AssistantMessage,
        contents_of(writer, message.content, where, signer=signer),
        text_id(message.id),
        seconds_of(writer, message, spelling, where),
        _usage(writer, message.usage, (*where, ".usage")),
        stop or own.StopReason.STOP,
        message.error_message or "",
        UNSET if kind is None else _value(kind),
        unknown=unknown(own_keys(keys, "error_kind")),
    )
    return answer


def _usage(writer: Writer, usage: model.Usage | None, where: Where) -> own.Usage:
    if usage is None:
        return own.Usage()
    keys, spelling = writer.rest(usage, where)
    count: int = usage.input
    everything = count + usage.output + usage.cache_read + usage.cache_write
    if usage.total_tokens not in (0, everything):  # else the other counts say it
        writer.lose("total_tokens", where, ".total_tokens")
    flag = spelling.get("input_tokens_include_cache_read")
    if flag is not None and _value(flag):
        cached = usage.cache_read, usage.cache_write
        original = _value(spelling["input_tokens"]) if "input_tokens" in spelling else None
        if original is not None and _uncached(original, *cached) == count:
            count = original
        else:
            count += sum(cached)
    return own.Usage(
        count,
        usage.output,
        usage.cache_read,
        usage.cache_write,
        _cost(writer, usage.cost, keys, where),
        UNSET if flag is None else _value(flag),
        unknown=unknown({key: raw for key, raw in keys.items() if key != "cost"}),
    )


def _cost(writer: Writer, cost: model.Cost | None, keys: Keys, where: Where) -> own.UsageCost:
    if cost is None:
        return own.UsageCost()
    amounts = [cost.input, cost.output, cost.cache_read, cost.cache_write, cost.total]
    for name, value in zip(model.Cost.__struct_fields__, amounts, strict=True):
        if not math.isfinite(value):
            writer.lose("cost", where, f".cost.{name}")
    made = own.UsageCost(*(value if math.isfinite(value) else 0.0 for value in amounts))
    if "cost" in keys:
        made.unknown = unknown(_keys(keys["cost"]))
    return made


def _tool_result(
    writer: Writer, message: model.ToolResultMessage, keys: Keys, spelling: Keys, where: Where
) -> own.ToolMessage:
    results: own.ToolMessage = as_given(
        own.ToolMessage,
        [result_of(writer, message, {}, {}, where)],
        text_id(message.id),
        seconds_of(writer, message, spelling, where),
        unknown=unknown(own_keys(keys)),
    )
    return results


_OWN: Final[dict[type[Any], Any]] = {
    **dict.fromkeys(_PLAIN, _plain),
    model.AssistantMessage: _assistant,
    model.ToolResultMessage: _tool_result,
}


def own_keys(keys: Keys, *but: str) -> dict[str, Raw]:
    """Return the unknown keys of a message itself, without those of its entry."""
    return {
        key.removeprefix(ENTRY): raw for key, raw in keys.items() if key != ENTRY and key not in but
    }
