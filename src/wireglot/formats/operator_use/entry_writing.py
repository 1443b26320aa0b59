"""Canonical messages -> the entries of a session: those that hold a message, and all others."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any, ClassVar, Final, Literal

import msgspec
from msgspec import UNSET, Raw

from ... import model
from ...errors import DecodeError, EncodeError
from ...losses import Losses
from .._mapping import Keys, Where, path_of
from .._records import read, unknown
from . import session
from . import types as own
from .block_reading import API, WIRE
from .block_writing import BlockWriter
from .contents import TextContent
from .reading import ENTRY, NOBODY, Served, milliseconds
from .tree import Place, Tree, place_of, text_id

__all__ = ["FORMS", "EntryWriter", "Form", "own_keys"]

Form = Literal["session", "messages", "rpc"]
FORMS: Final = ("session", "messages", "rpc")

_ROLES: Final[dict[str, type[Any]]] = {
    str(kind.__struct_config__.tag): kind
    for kind in (
        own.SkillInvocationMessage,
        own.TemplateInvocationMessage,
        own.TerminalExecutionMessage,
    )
}


_FURTHEST: Final = sys.float_info.max  # the limit of times: an integer of JSON may exceed it
_TOO_MUCH: Final = 10**18  # milliseconds, far beyond what seconds express exactly
_TRUE: Final = Raw(b"true")
_value = msgspec.json.Decoder().decode
_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_encode = msgspec.json.Encoder().encode


class EntryWriter(BlockWriter):
    """Makes entries of messages that never go to an LLM, and puts the others into entries."""

    def __init__(
        self,
        losses: Losses,
        form: Form = "session",
        header: session.SessionHeader | Literal[False] | None = None,
    ) -> None:
        super().__init__(losses)
        self._is_session = form == "session"
        self._header = header
        self._tree: Tree = Tree()
        self._has_header = False
        self.sources: list[int] = []
        """For each entry made, the index of the message that it was made of."""
        self._entry_of: dict[str, str] = {}
        """Ids of messages -> ids of their entries."""

    def _is_first(self, where: Where) -> bool:
        """Whether a header may be written here; a later one is a loss."""
        if self._has_header or self._tree.count:
            self.lose("session", where)
            return False
        self._has_header = True
        return True

    # -- values --------------------------------------------------------------------------------

    def _free(self, value: Any, where: Where) -> str | None:
        """Return the id of a message as that of its entry, None if another entry has it."""
        if value is None or value == "":
            return None
        if not self._tree.is_free(str(value)):
            self.lose("id", where, ".id")
            return None
        return str(value)

    def _time(self, value: Any, spelling: Keys, where: Where) -> float | None:
        """Return a time in seconds: the original number if it is still the same time."""
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

    def _stands(
        self, made: Any, keys: Keys, spelling: Keys, where: Where, served: Served | None = None
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
                message.custom_type, time, contents, details, unknown=unknown(own_keys(keys))
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
            unknown=unknown(own_keys(keys)),
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
                message.summary, from_id, time, unknown=unknown(own_keys(keys))
            )
            return self._stands(made, keys, spelling, where)
        find = self._tree.now_called if ENTRY in spelling else self._entry_for
        left = find(from_id)
        entry = session.BranchEntry(
            from_id=from_id if left is None else left,
            summary=message.summary,
            details=self._finite(message.details, where, ".details"),
            from_hook=keys.get("from_hook") == _TRUE,
            unknown=unknown(own_keys(keys, "from_hook")),
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
                message.summary, message.tokens_before or 0, time, unknown=unknown(own_keys(keys))
            )
            return self._stands(made, keys, spelling, where)
        entry = session.CompactionEntry(
            summary=message.summary,
            first_kept_entry_id=self._first_kept(message.first_kept_id, spelling, where),
            tokens_before=message.tokens_before or 0,
            details=self._finite(message.details, where, ".details"),
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
                self.lose("extras", where, ".extras")
            del keys[key]
            entry.unknown = unknown(keys)

    def _entry_for(self, found: str) -> str | None:
        """Return the id of the entry `found`, or of the entry that holds the message `found`."""
        entry = self._tree.now_called(found)
        return self._entry_of.get(found) if entry is None else entry

    def _first_kept(self, found: str | None, spelling: Keys, where: Where) -> str:
        """Return the id of the first kept entry; if that entry was left out, of the next one."""
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
        return around[1] or ""  # the entry left out was the only one kept

    def _points(self, entry: Any, place: Place, where: Where) -> bool:
        """Point a leaf or a label at an entry that was written; False if there is none."""
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
                made.target_id = made.id  # a new id if another entry had this one
            return entries
        data = None if message.data is None else self._json(message.data, where, ".data")
        entry = session.CustomInfoEntry(
            custom_type=message.kind, data=data, unknown=unknown(own_keys(keys))
        )
        return self._tree.put(entry, place)

    def _record(self, kind: Any, message: model.ExtensionMessage, where: Where) -> Any:
        """Return the record that is held in the data of an extension."""
        config = kind.__struct_config__
        at = f"{path_of(where)}.data"
        if type(message.data) is not dict:
            raise EncodeError("expected `object`", wire=WIRE, path=at)
        keys = {**self._finite(message.data, where, ".data"), config.tag_field: config.tag}
        try:
            return read(kind, _encode(keys), WIRE)
        except DecodeError as error:
            raise EncodeError(error.reason, wire=WIRE, path=at + error.path[1:]) from error

    MESSAGES: ClassVar[Mapping[type[Any], Any]] = {
        model.CustomMessage: _custom,
        model.BranchSummaryMessage: _branch,
        model.CompactionSummaryMessage: _compaction,
        model.ExtensionMessage: _extension,
    }


_SHOWN: Final = frozenset({model.TextBlock, model.ImageBlock, model.OpaqueBlock})
# Entries that become canonical extension messages; the header does too.
_KEPT: Final = frozenset(session.SessionEntry.__args__) - {
    session.MessageEntry,
    session.CustomMessageEntry,
    session.BranchEntry,
    session.CompactionEntry,
    session.CustomInfoEntry,
}
_POINTERS: Final = frozenset({session.LeafEntry, session.LabelEntry})


def own_keys(keys: Keys, *but: str) -> dict[str, Raw]:
    """Return the unknown keys of a message itself, without those of its entry."""
    return {
        key.removeprefix(ENTRY): raw for key, raw in keys.items() if key != ENTRY and key not in but
    }
