"""Canonical messages -> Operator-Use's, as bare messages or as the entries of a session."""

from __future__ import annotations

import hashlib
import math
import sys
import uuid
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, ClassVar, Final, Literal

import msgspec
from msgspec import UNSET, Raw

from ... import model
from ...errors import DecodeError, EncodeError
from ...losses import Losses
from ...model import StopReason
from .._mapping import Keys, Where, path_of
from .._records import read, unknown, write
from . import session
from . import types as own
from .block_reading import API, WIRE
from .block_writing import BlockWriter
from .contents import TextContent
from .printing import in_order
from .reading import ENTRY, NOBODY, Served, milliseconds, uncached
from .tree import Place, Tree, place_of, text_id

__all__ = ["FORMS", "Form", "MessageWriter"]

Form = Literal["session", "messages", "rpc"]
FORMS: Final = ("session", "messages", "rpc")

_STOPS: Final = {
    StopReason.STOP: own.StopReason.STOP,
    StopReason.LENGTH: own.StopReason.LENGTH,
    StopReason.TOOL_USE: own.StopReason.TOOL_CALLS,
    StopReason.GUARD_RAIL: own.StopReason.CONTENT_FILTER,
    StopReason.ABORTED: own.StopReason.ABORT,
    StopReason.ERROR: own.StopReason.ERROR,
}
_ROLES: Final[dict[str, type[Any]]] = {
    str(kind.__struct_config__.tag): kind
    for kind in (
        own.SkillInvocationMessage,
        own.TemplateInvocationMessage,
        own.TerminalExecutionMessage,
    )
}


_FURTHEST: Final = sys.float_info.max  # of times: a whole number of JSON may be no float
_TOO_MUCH: Final = 10**18  # milliseconds, far beyond what seconds can say exactly
_TRUE: Final = Raw(b"true")
_value = msgspec.json.Decoder().decode
_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_encode = msgspec.json.Encoder().encode


class MessageWriter(BlockWriter):
    """Makes Operator-Use's messages, or entries, of canonical messages."""

    CARRIED: ClassVar[Mapping[type[Any], str]] = {
        **BlockWriter.CARRIED,
        model.SystemMessage: "content timestamp id",
        model.UserMessage: "content timestamp id",
        model.AssistantMessage: (
            "content stop_reason model provider usage timestamp error_message id"
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

    def __init__(
        self,
        losses: Losses,
        form: Form = "session",
        header: session.SessionHeader | Literal[False] | None = None,
    ) -> None:
        super().__init__(losses)
        self._is_session = form == "session"
        self._header = header
        self._tree = Tree()
        self._has_header = False
        self.sources: list[int] = []
        """For each entry that has been made, which message it was made of."""
        self._entry_of: dict[str, str] = {}
        """Ids of messages -> ids of their entries."""

    def messages(self, entries: Iterable[Any]) -> list[Any]:
        """Return own messages, or for a session its entries with the header first."""
        self._tree = Tree(entries := list(entries))
        made = super().messages(self._watched(entries))
        if not (self._is_session and made) or self._header is False:
            return made
        has_header = type(made[0]) is session.SessionHeader
        if self._header is not None:
            return [self._header, *made[has_header:]]
        return made if has_header else [self._made_header(made[0]), *made]

    def _watched(self, messages: Iterable[Any]) -> Iterator[Any]:
        """Yield the messages, and keep in mind how many entries each of them became."""
        for i, message in enumerate(messages):
            yield message
            made = self._has_header + self._tree.count - len(self.sources)
            self.sources += [i] * made

    def _is_first(self, where: Where) -> bool:
        """Whether a header may stand here; one that comes later is a loss."""
        if self._has_header or self._tree.count:
            self.lose("session", where)
            return False
        self._has_header = True
        return True

    def _made_header(self, first: Any) -> session.SessionHeader:
        """Return a header that depends on the first entry alone."""
        digest = hashlib.sha256(write(in_order(first), WIRE, [])).digest()
        return session.SessionHeader(
            id=str(uuid.UUID(bytes=digest[:16], version=5)), timestamp=first.timestamp
        )

    # -- values --------------------------------------------------------------------------------

    def _free(self, value: Any, where: Where) -> str | None:
        """Return the id of a message that becomes an entry, None if another entry has it."""
        if value is None or value == "":
            return None
        if not self._tree.is_free(str(value)):
            self.lose("id", where, ".id")
            return None
        return str(value)

    def _time(self, value: Any, spelling: Keys, where: Where) -> float | None:
        """Return a time in seconds, as it was spelled if that still says the same."""
        said = spelling.get("timestamp")
        if said is not None:
            seconds = float(max(-_FURTHEST, min(_value(said), _FURTHEST)))
            if milliseconds(seconds) == value.timestamp:
                return seconds
        if value.timestamp is None:
            return None
        seconds = max(-_TOO_MUCH, min(value.timestamp, _TOO_MUCH)) / 1000
        if milliseconds(seconds) != value.timestamp:
            self.lose("timestamp", where, ".timestamp")
            return None
        return float(seconds)

    # -- messages of an LLM conversation -------------------------------------------------------

    def _stands(
        self, made: Any, keys: Keys, spelling: Keys, where: Where, served: Served | None = None
    ) -> list[Any]:
        """Return a message in the entry that it stands in, or bare; `served` is of an answer."""
        beside = _keys(keys[ENTRY]) if ENTRY in keys else {}
        if not self._is_session:
            if beside:
                self.lose("meta", where, ".extras")
            model_id, provider_id = served or NOBODY
            if model_id is not None:
                self.lose("model", where, ".model")
            if provider_id is not None:
                self.lose("provider", where, ".provider")
            return [made]
        meta = beside.pop("meta", None)
        entry = session.MessageEntry(
            message=made,
            meta=None if meta is None else read(session.MessageMeta, bytes(meta), WIRE),
            unknown=unknown(beside),
        )
        place = place_of(spelling)
        entries = self._tree.put(entry, place, made.timestamp, None, served)
        made_id = getattr(made, "id", None)
        if made_id is not None and entry.id is not None:
            self._entry_of[made_id] = entry.id
        return entries

    def _plain(self, message: Any, where: Where) -> list[Any]:
        keys, spelling = self.rest(message, where)
        self._signer = None
        made = _PLAIN[type(message)](
            self._contents(message.content, where),
            text_id(message.id),
            self._time(message, spelling, where),
            unknown=unknown(_own(keys)),
        )
        return self._stands(made, keys, spelling, where)

    def _assistant(self, message: model.AssistantMessage, where: Where) -> list[Any]:
        keys, spelling = self.rest(message, where)
        # What a session says was signed goes home, whoever answers there.
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
            unknown=unknown(_own(keys, "error_kind")),
        )
        served = (message.model or None, message.provider or None)
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
            unknown=unknown(_own(keys)),
        )
        return self._stands(made, keys, spelling, where)

    # -- what never goes to an LLM -------------------------------------------------------------

    def _custom(self, message: model.CustomMessage, where: Where) -> list[Any]:
        keys, spelling = self.rest(message, where)
        self._signer = None
        shown: list[tuple[int, model.Content]] = []
        for i, block in enumerate(message.content):
            if type(block) in _SHOWN and getattr(block, "api", API) == API:
                shown.append((i, block))
            else:
                self.lose("custom content", (*where, i))
        contents: Any = self._contents((b for _, b in shown), where, [i for i, _ in shown])
        details = self._finite(message.details, where, ".details")
        time = self._time(message, spelling, where)
        if self._is_bare(message, spelling, where):
            if not message.display:
                self.lose("display", where, ".display")
            made = own.CustomMessage(
                message.custom_type, time, contents, details, unknown=unknown(_own(keys))
            )
            return self._stands(made, keys, spelling, where)
        if "content" in spelling and len(contents) == 1:
            only = contents[0]
            if type(only) is TextContent and only.unknown is UNSET:
                contents = only.content
        entry = session.CustomMessageEntry(
            custom_type=message.custom_type,
            content=contents,
            display=message.display,
            details=details,
            unknown=unknown(_own(keys)),
        )
        return self._as_entry(entry, message, time, spelling, where)

    def _branch(self, message: model.BranchSummaryMessage, where: Where) -> list[Any]:
        keys, spelling = self.rest(message, where)
        time = self._time(message, spelling, where)
        from_id = "root" if message.from_id is None else message.from_id
        if self._is_bare(message, spelling, where):
            if message.details is not None:
                self.lose("details", where, ".details")
            made = own.BranchSummaryMessage(
                message.summary, from_id, time, unknown=unknown(_own(keys))
            )
            return self._stands(made, keys, spelling, where)
        find = self._tree.now_called if ENTRY in spelling else self._entry_for
        left = find(from_id)
        entry = session.BranchEntry(
            from_id=from_id if left is None else left,
            summary=message.summary,
            details=self._finite(message.details, where, ".details"),
            from_hook=keys.get("from_hook") == _TRUE,
            unknown=unknown(_own(keys, "from_hook")),
        )
        return self._as_entry(entry, message, time, spelling, where)

    def _compaction(self, message: model.CompactionSummaryMessage, where: Where) -> list[Any]:
        keys, spelling = self.rest(message, where)
        time = self._time(message, spelling, where)
        if self._is_bare(message, spelling, where):
            for name, key in (("details", "details"), ("first_kept_id", "firstKeptId")):
                if getattr(message, name) is not None:
                    self.lose(key, where, f".{key}")
            made = own.CompactionSummaryMessage(
                message.summary, message.tokens_before or 0, time, unknown=unknown(_own(keys))
            )
            return self._stands(made, keys, spelling, where)
        entry = session.CompactionEntry(
            summary=message.summary,
            first_kept_entry_id=self._first_kept(message.first_kept_id, spelling, where),
            tokens_before=message.tokens_before or 0,
            details=self._finite(message.details, where, ".details"),
            from_hook=keys.get("from_hook") == _TRUE,
            unknown=unknown(_own(keys, "from_hook")),
        )
        return self._as_entry(entry, message, time, spelling, where)

    def _is_bare(self, message: Any, spelling: Keys, where: Where) -> bool:
        """Whether a message is to be one of a role, not an entry of its own."""
        place = place_of(spelling)
        is_message = place is not None and place.type == "message"
        if self._is_session and not is_message:
            return False
        if message.id is not None and (place is None or is_message):
            self.lose("id", where, ".id")
        return True

    def _as_entry(
        self, entry: Any, message: Any, time: float | None, spelling: Keys, where: Where
    ) -> list[Any]:
        place = place_of(spelling)
        if place is None:
            return self._tree.put(entry, None, time, self._free(message.id, where))
        place.id, place.timestamp = text_id(message.id), time
        if place.id is not None and place.id in self._tree:
            self.lose("id", where, ".id")
        return self._tree.put(entry, place)

    def _entry_for(self, found: str) -> str | None:
        """Return the entry that is called so, or that a message of this id stands in."""
        entry = self._tree.now_called(found)
        return self._entry_of.get(found) if entry is None else entry

    def _first_kept(self, found: str | None, spelling: Keys, where: Where) -> str:
        """Return the first entry that was kept; after one that is left out, the next."""
        if not found:
            return ""
        place = place_of(spelling)
        if place is not None and place.loose == found:
            return found
        entry = self._entry_for(found)
        if entry is not None:
            return entry
        around = self._tree.around(found, place)
        if around is None:
            self.lose("firstKeptId", where, ".firstKeptId")
            return ""
        return around[1] or ""  # it was all that was kept

    def _points(self, entry: Any, place: Place, where: Where) -> bool:
        """Let a leaf or a label name what has been written; False if there is no such entry."""
        found = entry.target_id
        if found is None or found in (place.loose, place.id):
            return True
        entry.target_id = self._entry_for(found)
        if entry.target_id is not None:
            return True
        around = self._tree.around(found, place)
        if around is None:
            self.lose("targetId", where, ".data.target_id")
            return False
        before, after = around
        is_leaf = type(entry) is session.LeafEntry
        entry.target_id = before if is_leaf or after is None else after
        return is_leaf or entry.target_id is not None

    def _extension(self, message: model.ExtensionMessage, where: Where) -> list[Any]:
        keys, spelling = self.rest(message, where)
        role = _ROLES.get(_value(spelling["role"])) if "role" in spelling else None
        if role is not None and message.kind == role.__struct_config__.tag:
            return self._stands(self._record(role, message, where), keys, spelling, where)
        if not self._is_session:
            self.lose("extension", where)
            return []
        place = place_of(spelling)
        is_kept = place is not None and place.type is None
        kind = session.ENTRY_TYPES.get(message.kind) if is_kept else None
        if kind is session.SessionHeader and place is not None:
            if not self._is_first(where):
                return []
            header: session.SessionHeader = self._record(kind, message, where)
            header.id, header.timestamp = place.id, place.timestamp
            return [header]
        if kind in _KEPT and place is not None:
            made = self._record(kind, message, where)
            if kind in _POINTERS and not self._points(made, place, where):
                return []
            entries = self._tree.put(made, place)
            if kind in _POINTERS and made.target_id == place.id:
                made.target_id = made.id  # which is a new one where another entry has it
            return entries
        data = None if message.data is None else self._json(message.data, where, ".data")
        entry = session.CustomInfoEntry(
            custom_type=message.kind, data=data, unknown=unknown(_own(keys))
        )
        return self._tree.put(entry, place)

    def _record(self, kind: Any, message: model.ExtensionMessage, where: Where) -> Any:
        """Return the record that the data of an extension are."""
        config = kind.__struct_config__
        at = f"{path_of(where)}.data"
        if type(message.data) is not dict:
            raise EncodeError("expected `object`", wire=WIRE, path=at)
        keys = {**self._finite(message.data, where, ".data"), config.tag_field: config.tag}
        try:
            return read(kind, _encode(keys), WIRE)
        except DecodeError as error:
            raise EncodeError(error.reason, wire=WIRE, path=at + error.path[1:]) from error

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
        reason = f"a `{type(value).__name__}` is no message"
        raise EncodeError(reason, wire=WIRE, path=path_of(where))

    MESSAGES: ClassVar[Mapping[type[Any], Any]] = {
        **dict.fromkeys(own.AgentMessage.__args__, _own_message),
        **dict.fromkeys(session.SessionFileEntry.__args__, _own_entry),
        model.SystemMessage: _plain,
        model.UserMessage: _plain,
        model.AssistantMessage: _assistant,
        model.ToolResultMessage: _tool_result,
        model.ToolMessage: _plain,
        model.CustomMessage: _custom,
        model.BranchSummaryMessage: _branch,
        model.CompactionSummaryMessage: _compaction,
        model.ExtensionMessage: _extension,
    }


_PLAIN: Final[dict[type[Any], Any]] = {
    model.SystemMessage: own.SystemMessage,
    model.UserMessage: own.UserMessage,
    model.ToolMessage: own.ToolMessage,
}
_SHOWN: Final = frozenset({model.TextBlock, model.ImageBlock, model.OpaqueBlock})
# Entries that are extensions among canonical messages; the header is one too.
_KEPT: Final = frozenset(session.SessionEntry.__args__) - {
    session.MessageEntry,
    session.CustomMessageEntry,
    session.BranchEntry,
    session.CompactionEntry,
    session.CustomInfoEntry,
}
_POINTERS: Final = frozenset({session.LeafEntry, session.LabelEntry})


def _own(keys: Keys, *but: str) -> dict[str, Raw]:
    """Return the unknown keys of a message alone."""
    return {
        key.removeprefix(ENTRY): raw for key, raw in keys.items() if key != ENTRY and key not in but
    }
