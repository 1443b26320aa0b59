"""The entries of a session, or bare messages, <-> canonical messages.

An answer gets the model that the entries before it name; a model change is written before an answer
of another model. What never goes to an LLM has its own type of entry.
"""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, ClassVar, Final, Literal

import msgspec
from msgspec import UNSET, Raw

from ... import model
from ..._body.decode import as_given
from ...errors import DecodeError, EncodeError
from ...losses import Losses
from ...model import Extras
from ...model.session import whole
from .._mapping import Keys, Where, Writer, extras_of, path_of
from .._records import read, unknown, write
from . import losses as tables
from . import types as own
from .blocks import blocks_of, contents_of, finite, json_of
from .contents import TextContent
from .messages import (
    apart,
    canonical_message,
    data_of,
    milliseconds,
    own_keys,
    own_message,
    seconds_of,
    summarised_from,
    timed,
)
from .printing import in_order
from .system import API, SYSTEM, WIRE
from .tree import ENTRY, NOBODY, Place, Served, Tree, place_of, text_id

__all__ = ["FORMS", "Form", "MessageWriter", "canonical"]

Form = Literal["session", "messages", "rpc"]
FORMS: Final = ("session", "messages", "rpc")

_COMMON: Final = frozenset({"id", "timestamp", "parent_id", "unknown"})
_BARE: Final = frozenset(own.AgentMessage.__args__)
_POINTERS: Final = frozenset({own.LabelEntry, own.LeafEntry})
_TRUE: Final = Raw(b"true")
_value = msgspec.json.Decoder().decode
_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_encode = msgspec.json.Encoder().encode


# -- Operator-Use's -> canonical -------------------------------------------------------------------


def canonical(values: Iterable[Any], served: Served = NOBODY) -> list[model.AgentMessage]:
    """Return canonical messages for messages and for entries of a session, in their order.

    `served` is the model and provider of answers that are bare messages, outside any entry.
    """
    messages: list[model.AgentMessage] = []
    served_at: dict[str | None, Served] = {}
    is_first = True
    for value in values:
        kind = type(value)
        if kind in _BARE:
            messages.append(canonical_message(value, served, None))
            continue
        is_header = kind is own.SessionHeader
        parent = None if is_header else value.parent_id
        now = served_at.get(parent, NOBODY)
        is_root = is_header or (is_first and parent is None)
        place = _place(value, parent, not (is_root or parent in served_at))
        named = _named(value)
        if named is not None and named not in served_at:
            place["loose"] = named
        is_first = is_first and is_header
        if kind is own.MessageEntry:
            messages.append(canonical_message(value.message, now, (value, place)))
        else:
            messages.append(_ENTRIES.get(kind, _other_entry)(value, place))
            if kind is own.ModelChangeEntry:
                now = (value.model_id or None, value.provider_id or None)
        if value.id is not None and not is_header:
            served_at[value.id] = now
    return messages


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
    if type(entry) is own.CompactionEntry:
        return entry.first_kept_entry_id or None
    named: str | None = entry.target_id if type(entry) in _POINTERS else None
    return None if named == entry.id else named


def _of_entry(
    entry: Any,
    place: Mapping[str, Any],
    keys: Mapping[str, Any] | None = None,
    spelling: Mapping[str, Any] | None = None,
) -> Extras | None:
    """Return extras of an entry that becomes a message with the entry's own id and time."""
    rest = {key: value for key, value in place.items() if key not in ("id", "timestamp")}
    spelling = {**timed(entry.timestamp), **(spelling or {}), ENTRY: rest}
    return extras_of(API, apart(entry.unknown), keys, spelling)


def _custom_entry(entry: own.CustomMessageEntry, place: Mapping[str, Any]) -> model.CustomMessage:
    is_text = isinstance(entry.content, str)
    content: Any = entry.content
    return model.CustomMessage(
        entry.custom_type,
        blocks_of([TextContent(content)] if is_text else content),
        entry.display,
        entry.details,
        milliseconds(entry.timestamp),
        entry.id,
        _of_entry(entry, place, None, {"content": "text"} if is_text else None),
    )


def _branch_entry(entry: own.BranchEntry, place: Mapping[str, Any]) -> model.BranchSummaryMessage:
    return model.BranchSummaryMessage(
        entry.summary,
        summarised_from(entry.from_id),
        entry.details,
        milliseconds(entry.timestamp),
        entry.id,
        _of_entry(entry, place, {"from_hook": True} if entry.from_hook else None),
    )


def _compaction_entry(
    entry: own.CompactionEntry, place: Mapping[str, Any]
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


def _other_entry(entry: Any, place: Mapping[str, Any]) -> model.ExtensionMessage:
    return model.ExtensionMessage(
        entry.type, data_of(entry, _COMMON), extras_of(API, UNSET, None, {ENTRY: place})
    )


def _information_entry(
    entry: own.CustomInfoEntry, place: Mapping[str, Any]
) -> model.ExtensionMessage:
    """Return the data of an extension, whose kind may equal the name of an entry type."""
    data = entry.data
    spelling = {ENTRY: {"type": entry.type, **place}}
    return model.ExtensionMessage(
        entry.custom_type,
        None if data is None else data.value,
        extras_of(API, apart(entry.unknown), None, spelling),
    )


_ENTRIES: Final[dict[type[Any], Any]] = {
    own.CustomMessageEntry: _custom_entry,
    own.BranchEntry: _branch_entry,
    own.CompactionEntry: _compaction_entry,
    own.CustomInfoEntry: _information_entry,
}


# -- canonical -> Operator-Use's -------------------------------------------------------------------

_ROLES: Final[dict[str, type[Any]]] = {
    str(kind.__struct_config__.tag): kind
    for kind in (
        own.SkillInvocationMessage,
        own.TemplateInvocationMessage,
        own.TerminalExecutionMessage,
    )
}
_SHOWN: Final = frozenset({model.TextBlock, model.ImageBlock, model.OpaqueBlock})
# Entries that become canonical extension messages; the header does too.
_KEPT: Final = frozenset(own.SessionEntry.__args__) - {
    own.MessageEntry,
    own.CustomMessageEntry,
    own.BranchEntry,
    own.CompactionEntry,
    own.CustomInfoEntry,
}


class MessageWriter(Writer):
    """Makes Operator-Use's messages, or entries, of canonical messages."""

    WIRE: ClassVar[str] = WIRE
    API: ClassVar[str] = API
    SYSTEM: ClassVar[str] = SYSTEM
    LOSSES: ClassVar[Mapping[str, str]] = tables.LOSSES
    CARRIED: ClassVar[Mapping[type[Any], str]] = tables.CARRIED

    def __init__(
        self,
        losses: Losses,
        form: Form = "session",
        header: own.SessionHeader | Literal[False] | None = None,
    ) -> None:
        super().__init__(losses)
        self._is_session = form == "session"
        self._header = header
        self._tree = Tree()
        self._has_header = False
        self.sources: list[int] = []
        """For each entry made, the index of the message that it was made of."""
        self._entry_of: dict[str, str] = {}
        """Ids of messages -> ids of their entries."""

    def messages(self, entries: Iterable[Any]) -> list[Any]:
        """Return Operator-Use's messages, or for a session its entries with the header first."""
        entries = [*map(whole, entries)]
        for i, entry in enumerate(entries):
            self.check(entry, (i,))
        self._tree = Tree(entries)
        lines = super().messages(self._watched(entries))
        if not (self._is_session and lines) or self._header is False:
            return lines
        has_header = type(lines[0]) is own.SessionHeader
        if self._header is not None:
            return [self._header, *lines[has_header:]]
        return lines if has_header else [self._made_header(lines[0]), *lines]

    def _watched(self, messages: Iterable[Any]) -> Iterator[Any]:
        """Yield the messages, and record for each entry which of them it was made of."""
        for i, message in enumerate(messages):
            yield message
            number = self._has_header + self._tree.count - len(self.sources)
            self.sources.extend([i] * number)

    def _made_header(self, first: Any) -> own.SessionHeader:
        """Return a header that depends only on the first entry."""
        digest = hashlib.sha256(write(in_order(first), WIRE, [])).digest()
        return own.SessionHeader(
            id=str(uuid.UUID(bytes=digest[:16], version=5)), timestamp=first.timestamp
        )

    def _is_first(self, where: Where) -> bool:
        """Whether a header may be written here; a later one is a loss."""
        if self._has_header or self._tree.count:
            self.lose("session", where)
            return False
        self._has_header = True
        return True

    def _free(self, value: Any, where: Where) -> str | None:
        """Return the id of a message as that of its entry, None if another entry has it."""
        if value is None or value == "":
            return None
        if not self._tree.is_free(str(value)):
            self.lose("id", where, ".id")
            return None
        return str(value)

    def _stands(
        self, message: Any, keys: Keys, spelling: Keys, where: Where, served: Served | None = None
    ) -> list[Any]:
        """Return a message in its entry, or bare; `served` is an answer's model and provider."""
        beside = _keys(keys[ENTRY]) if ENTRY in keys else {}
        if not self._is_session:
            if beside:
                self.lose("meta", where, ".extras")
            model_id, provider_id = served or NOBODY
            if model_id is not None:
                self.lose("model", where, ".model")
            if provider_id is not None:
                self.lose("provider", where, ".provider")
            return [message]
        meta = beside.pop("meta", None)
        entry = as_given(
            own.MessageEntry,
            message=message,
            meta=None if meta is None else read(own.MessageMeta, bytes(meta), WIRE),
            unknown=unknown(beside),
        )
        place = place_of(spelling)
        entries = self._tree.put(entry, place, message.timestamp, None, served)
        message_id = getattr(message, "id", None)
        if message_id is not None and entry.id is not None:
            self._entry_of[message_id] = entry.id
        return entries

    # -- messages of an LLM conversation -------------------------------------------------------

    def _llm(self, message: Any, where: Where) -> list[Any]:
        keys, spelling = self.rest(message, where)
        served = None
        if type(message) is model.AssistantMessage:
            served = (message.model or None, message.provider or None)
        made = own_message(self, message, keys, spelling, where)
        return self._stands(made, keys, spelling, where, served)

    # -- what never goes to an LLM -------------------------------------------------------------

    def _custom(self, message: model.CustomMessage, where: Where) -> list[Any]:
        keys, spelling = self.rest(message, where)
        parts: list[tuple[int, model.Content]] = []
        for i, block in enumerate(message.content):
            if type(block) in _SHOWN and getattr(block, "api", API) == API:
                parts.append((i, block))
            else:
                self.lose("custom content", (*where, i))
        contents: Any = contents_of(self, (b for _, b in parts), where, at=[i for i, _ in parts])
        details = finite(message.details, where, ".details")
        time = seconds_of(self, message, spelling, where)
        if self._is_bare(message, spelling, where):
            if not message.display:
                self.lose("display", where, ".display")
            made = own.CustomMessage(
                message.custom_type, time, contents, details, unknown=unknown(own_keys(keys))
            )
            return self._stands(made, keys, spelling, where)
        if "content" in spelling and len(contents) == 1:
            only = contents[0]
            if type(only) is TextContent and only.unknown is UNSET:
                contents = only.content
        entry = as_given(
            own.CustomMessageEntry,
            custom_type=message.custom_type,
            content=contents,
            display=message.display,
            details=details,
            unknown=unknown(own_keys(keys)),
        )
        return self._as_entry(entry, message, time, spelling, where)

    def _branch(self, message: model.BranchSummaryMessage, where: Where) -> list[Any]:
        keys, spelling = self.rest(message, where)
        time = seconds_of(self, message, spelling, where)
        from_id = "root" if message.from_id is None else message.from_id
        if self._is_bare(message, spelling, where):
            if message.details is not None:
                self.lose("details", where, ".details")
            made = own.BranchSummaryMessage(
                message.summary, from_id, time, unknown=unknown(own_keys(keys))
            )
            return self._stands(made, keys, spelling, where)
        find = self._tree.now_called if ENTRY in spelling else self._entry_for
        left = find(from_id)
        entry = as_given(
            own.BranchEntry,
            from_id=from_id if left is None else left,
            summary=message.summary,
            details=finite(message.details, where, ".details"),
            from_hook=keys.get("from_hook") == _TRUE,
            unknown=unknown(own_keys(keys, "from_hook")),
        )
        return self._as_entry(entry, message, time, spelling, where)

    def _compaction(self, message: model.CompactionSummaryMessage, where: Where) -> list[Any]:
        keys, spelling = self.rest(message, where)
        time = seconds_of(self, message, spelling, where)
        if self._is_bare(message, spelling, where):
            for name, key in (("details", "details"), ("first_kept_id", "firstKeptId")):
                if getattr(message, name) is not None:
                    self.lose(key, where, f".{key}")
            made = own.CompactionSummaryMessage(
                message.summary, message.tokens_before or 0, time, unknown=unknown(own_keys(keys))
            )
            return self._stands(made, keys, spelling, where)
        entry = as_given(
            own.CompactionEntry,
            summary=message.summary,
            first_kept_entry_id=self._first_kept(message.first_kept_id, spelling, where),
            tokens_before=message.tokens_before or 0,
            details=finite(message.details, where, ".details"),
            from_hook=keys.get("from_hook") == _TRUE,
            unknown=unknown(own_keys(keys, "from_hook")),
        )
        return self._as_entry(entry, message, time, spelling, where)

    def _is_bare(self, message: Any, spelling: Keys, where: Where) -> bool:
        """Whether a message is written as a message with a role, not as its own type of entry."""
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
        self._name_apart(entry, where)
        place = place_of(spelling)
        if place is None:
            return self._tree.put(entry, None, time, self._free(message.id, where))
        place.id, place.timestamp = text_id(message.id), time
        if place.id is not None and place.id in self._tree:
            self.lose("id", where, ".id")
        return self._tree.put(entry, place)

    def _name_apart(self, entry: Any, where: Where) -> None:
        """Remove unknown keys that would be fields of the entry: use `details`, report the rest."""
        if entry.unknown is UNSET:
            return
        keys = _keys(entry.unknown.text)
        for key in keys.keys() & {"type", *entry.__struct_encode_fields__}:
            if key == "details" and entry.details is None:
                entry.details = keys[key]
            else:
                self.lose("extras", where, ".extras", [key])
            del keys[key]
            entry.unknown = unknown(keys)

    def _entry_for(self, target: str) -> str | None:
        """Return the id of the entry `target`, or of the entry that holds the message `target`."""
        entry = self._tree.now_called(target)
        return self._entry_of.get(target) if entry is None else entry

    def _first_kept(self, target: str | None, spelling: Keys, where: Where) -> str:
        """Return the id of the first kept entry; if that entry was left out, of the next one."""
        if not target:
            return ""
        place = place_of(spelling)
        if place is not None and place.loose == target:
            return target
        entry = self._entry_for(target)
        if entry is not None:
            return entry
        around = self._tree.around(target, place)
        if around is None:
            self.lose("firstKeptId", where, ".firstKeptId")
            return ""
        return around[1] or ""  # the entry left out was the only one kept

    def _points(self, entry: Any, place: Place, where: Where) -> bool:
        """Point a leaf or a label at an entry that was written; False if there is none."""
        target = entry.target_id
        if target is None or target in (place.loose, place.id):
            return True
        entry.target_id = self._entry_for(target)
        if entry.target_id is not None:
            return True
        around = self._tree.around(target, place)
        if around is None:
            self.lose("targetId", where, ".data.target_id")
            return False
        before, after = around
        is_leaf = type(entry) is own.LeafEntry
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
        kind = own.ENTRY_TYPES.get(message.kind) if is_kept else None
        if kind is own.SessionHeader and place is not None:
            if not self._is_first(where):
                return []
            header: own.SessionHeader = self._record(kind, message, where)
            header.id, header.timestamp = place.id, place.timestamp
            return [header]
        if kind in _KEPT and place is not None:
            record = self._record(kind, message, where)
            if kind in _POINTERS and not self._points(record, place, where):
                return []
            entries = self._tree.put(record, place)
            if kind in _POINTERS and record.target_id == place.id:
                record.target_id = record.id  # a new id if another entry had this one
            return entries
        data = None if message.data is None else json_of(message.data, where, ".data")
        entry = as_given(
            own.CustomInfoEntry,
            custom_type=message.kind,
            data=data,
            unknown=unknown(own_keys(keys)),
        )
        return self._tree.put(entry, place)

    def _record(self, kind: Any, message: model.ExtensionMessage, where: Where) -> Any:
        """Return the record that is held in the data of an extension."""
        config = kind.__struct_config__
        at = f"{path_of(where)}.data"
        if type(message.data) is not dict:
            reason = f"expected `object`, got `{type(message.data).__name__}`"
            raise EncodeError(reason, wire=WIRE, path=at)
        keys = {**finite(message.data, where, ".data"), config.tag_field: config.tag}
        try:
            return read(kind, _encode(keys), WIRE)
        except DecodeError as error:
            raise EncodeError(error.reason, wire=WIRE, path=at + error.path[1:]) from error

    # -- own values among canonical ones -------------------------------------------------------

    def _own_message(self, message: Any, where: Where) -> list[Any]:
        return self._stands(message, {}, {}, where)

    def _own_entry(self, entry: Any, where: Where) -> list[Any]:
        if not self._is_session:
            reason = f'`{type(entry).__name__}`, expected a message; pass `form="session"`'
            raise EncodeError(reason, wire=WIRE, path=path_of(where))
        if type(entry) is own.SessionHeader:
            return [entry] if self._is_first(where) else []
        self._tree.note(entry)
        return [entry]

    MESSAGES: ClassVar[Mapping[type[Any], Any]] = {
        **dict.fromkeys(own.AgentMessage.__args__, _own_message),
        **dict.fromkeys(own.SessionFileEntry.__args__, _own_entry),
        model.SystemMessage: _llm,
        model.UserMessage: _llm,
        model.AssistantMessage: _llm,
        model.ToolResultMessage: _llm,
        model.ToolMessage: _llm,
        model.CustomMessage: _custom,
        model.BranchSummaryMessage: _branch,
        model.CompactionSummaryMessage: _compaction,
        model.ExtensionMessage: _extension,
    }
