"""Canonical messages -> Operator-Use's, as bare messages or as the entries of a session."""

from __future__ import annotations

import hashlib
import math
import uuid
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, ClassVar, Final

import msgspec
from msgspec import UNSET, Raw

from ... import model
from ...errors import EncodeError
from ...model import StopReason
from .._mapping import Keys, Where, path_of
from .._records import unknown, write
from . import session
from . import types as own
from .block_reading import WIRE
from .block_writing import BlockWriter
from .entry_writing import FORMS, EntryWriter, Form, own_keys
from .printing import in_order
from .reading import ENTRY, GEMINI, is_geminis, uncached
from .tree import Tree, text_id

__all__ = ["FORMS", "Form", "MessageWriter"]

_STOPS: Final = {
    StopReason.STOP: own.StopReason.STOP,
    StopReason.LENGTH: own.StopReason.LENGTH,
    StopReason.TOOL_USE: own.StopReason.TOOL_CALLS,
    StopReason.GUARD_RAIL: own.StopReason.CONTENT_FILTER,
    StopReason.ABORTED: own.StopReason.ABORT,
    StopReason.ERROR: own.StopReason.ERROR,
}
_value = msgspec.json.Decoder().decode
_keys = msgspec.json.Decoder(dict[str, Raw]).decode


class MessageWriter(EntryWriter):
    """Makes Operator-Use's messages, or entries, of canonical messages."""

    CARRIED: ClassVar[Mapping[type[Any], str]] = {
        **BlockWriter.CARRIED,
        model.SystemMessage: "content timestamp id",
        model.UserMessage: "content timestamp id",
        model.AssistantMessage: (
            "content stop_reason model provider usage timestamp error_message api id"
        ),
        model.ToolResultMessage: (
            "tool_call_id tool_name content is_error metadata terminate timestamp id"
        ),
        model.ToolMessage: "content timestamp id",
        model.CustomMessage: "custom_type content display details timestamp id",
        model.BranchSummaryMessage: "summary from_id details timestamp id",
        model.CompactionSummaryMessage: (
            "summary tokens_before first_kept_id details timestamp id"
        ),
        model.ExtensionMessage: "kind data",
        model.Usage: "input output cache_read cache_write cost",
    }

    def messages(self, entries: Iterable[Any]) -> list[Any]:
        """Return Operator-Use's messages, or for a session its entries with the header first."""
        entries = list(entries)
        for i, entry in enumerate(entries):
            self.check(entry.message if type(entry) is model.LlmMessage else entry, (i,))
        self._tree = Tree(entries)
        made = super().messages(self._watched(entries))
        if not (self._is_session and made) or self._header is False:
            return made
        has_header = type(made[0]) is session.SessionHeader
        if self._header is not None:
            return [self._header, *made[has_header:]]
        return made if has_header else [self._made_header(made[0]), *made]

    def _watched(self, messages: Iterable[Any]) -> Iterator[Any]:
        """Yield the messages, and record for each entry which of them it was made of."""
        for i, message in enumerate(messages):
            yield message
            made = self._has_header + self._tree.count - len(self.sources)
            self.sources.extend([i] * made)

    def _made_header(self, first: Any) -> session.SessionHeader:
        """Return a header that depends only on the first entry."""
        digest = hashlib.sha256(write(in_order(first), WIRE, [])).digest()
        return session.SessionHeader(
            id=str(uuid.UUID(bytes=digest[:16], version=5)), timestamp=first.timestamp
        )

    # -- messages of an LLM conversation -------------------------------------------------------

    def _plain(self, message: Any, where: Where) -> list[Any]:
        keys, spelling = self.rest(message, where)
        self._signer = None
        made = _PLAIN[type(message)](
            self._contents(message.content, where),
            text_id(message.id),
            self._time(message, spelling, where),
            unknown=unknown(own_keys(keys)),
        )
        return self._stands(made, keys, spelling, where)

    def _assistant(self, message: model.AssistantMessage, where: Where) -> list[Any]:
        keys, spelling = self.rest(message, where)
        # Signatures that came from a session are written back, whichever provider it names.
        provider = message.provider or None
        if message.api is not None and not (
            message.api == GEMINI and is_geminis(message.content, provider)
        ):
            self.lose("api", where, ".api")
        self._signed_by(message.api, None if ENTRY in spelling else message.provider)
        stop = _STOPS.get(message.stop_reason or StopReason.STOP)
        if stop is None:
            self.lose("stopReason", where, ".stopReason")
        kind = keys.get("error_kind")
        made = own.AssistantMessage(
            self._contents(message.content, where),
            text_id(message.id),
            self._time(message, spelling, where),
            self._usage(message.usage, (*where, ".usage")),
            stop or own.StopReason.STOP,
            message.error_message or "",
            UNSET if kind is None else _value(kind),
            unknown=unknown(own_keys(keys, "error_kind")),
        )
        served = (message.model or None, provider)
        return self._stands(made, keys, spelling, where, served)

    def _usage(self, usage: model.Usage | None, where: Where) -> own.Usage:
        if usage is None:
            return own.Usage()
        keys, spelling = self.rest(usage, where)
        count: int = usage.input
        flag = spelling.get("input_tokens_include_cache_read")
        if flag is not None and _value(flag):
            read_too, written = usage.cache_read, usage.cache_write
            said = _value(spelling["input_tokens"]) if "input_tokens" in spelling else 0
            is_said = "input_tokens" in spelling and uncached(said, read_too, written) == count
            count = said if is_said else count + read_too + written
        return own.Usage(
            count,
            usage.output,
            usage.cache_read,
            usage.cache_write,
            self._cost(usage.cost, keys, where),
            UNSET if flag is None else _value(flag),
            unknown=unknown({key: raw for key, raw in keys.items() if key != "cost"}),
        )

    def _cost(self, cost: model.Cost | None, keys: Keys, where: Where) -> own.UsageCost:
        if cost is None:
            return own.UsageCost()
        given = [cost.input, cost.output, cost.cache_read, cost.cache_write, cost.total]
        for name, value in zip(model.Cost.__struct_fields__, given, strict=True):
            if not math.isfinite(value):
                self.lose("cost", where, f".cost.{name}")
        made = own.UsageCost(*(value if math.isfinite(value) else 0.0 for value in given))
        if "cost" in keys:
            made.unknown = unknown(_keys(keys["cost"]))
        return made

    def _tool_result(self, message: model.ToolResultMessage, where: Where) -> list[Any]:
        keys, spelling = self.rest(message, where)
        self._signer = None
        made = own.ToolMessage(
            [self._result_of(message, {}, {}, where)],
            text_id(message.id),
            self._time(message, spelling, where),
            unknown=unknown(own_keys(keys)),
        )
        return self._stands(made, keys, spelling, where)

    # -- own values among canonical ones -------------------------------------------------------

    def _own_message(self, message: Any, where: Where) -> list[Any]:
        return self._stands(message, {}, {}, where)

    def _own_entry(self, entry: Any, where: Where) -> list[Any]:
        if not self._is_session:
            self._refuse(entry, where)
        if type(entry) is session.SessionHeader:
            return [entry] if self._is_first(where) else []
        self._tree.note(entry)
        return [entry]

    def _refuse(self, value: Any, where: Where) -> None:
        reason = f"`{type(value).__name__}` is not a message"
        raise EncodeError(reason, wire=WIRE, path=path_of(where))

    MESSAGES: ClassVar[Mapping[type[Any], Any]] = {
        **EntryWriter.MESSAGES,
        **dict.fromkeys(own.AgentMessage.__args__, _own_message),
        **dict.fromkeys(session.SessionFileEntry.__args__, _own_entry),
        model.SystemMessage: _plain,
        model.UserMessage: _plain,
        model.AssistantMessage: _assistant,
        model.ToolResultMessage: _tool_result,
        model.ToolMessage: _plain,
    }


_PLAIN: Final[dict[type[Any], Any]] = {
    model.SystemMessage: own.SystemMessage,
    model.UserMessage: own.UserMessage,
    model.ToolMessage: own.ToolMessage,
}
