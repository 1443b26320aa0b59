"""Operator-Use's session files: JSON Lines of entries, which form a tree by their parents.

A file begins with its header. A field that is None is left out.

Source: CursorTouch/Operator-Use at ed1adb1, `program/session/types.py` and `manager.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Final

from msgspec import Struct, field

from ...errors import DecodeError, EncodeError
from ...model import AgentMessage as CanonicalMessage
from ...model import RawJson
from ...model.rawjson import MaybeRawValue, optional_json
from .._records import Record
from .contents import ImageContent, LinesContent, TextContent
from .types import AgentMessage, ThinkingLevel

__all__ = [
    "ENTRY_TYPES",
    "BranchEntry",
    "ChannelEntry",
    "CompactionEntry",
    "CustomInfoEntry",
    "CustomMessageEntry",
    "LabelEntry",
    "LeafEntry",
    "MessageAttachment",
    "MessageEntry",
    "MessageMeta",
    "ModelChangeEntry",
    "SessionContext",
    "SessionEntry",
    "SessionFileEntry",
    "SessionHeader",
    "SessionInfoEntry",
    "ThinkingLevelChangeEntry",
    "branch",
    "kept_of",
    "path_of",
]

_WIRE: Final = "operator_use"


class SessionHeader(Record, tag_field="type", tag="session", omit_defaults=True):
    """The first line of a file."""

    type: ClassVar[str] = "session"

    version: int = field(default_factory=lambda: 3)
    id: str | None = None
    timestamp: float | None = None
    cwd: str = field(default_factory=lambda: ".")
    parent_session: str | None = None


class _Entry(Record, kw_only=True, tag_field="type", omit_defaults=True):
    """Base of the entries. `timestamp` is in seconds since 1970; `parent_id` is None at a root."""

    type: ClassVar[str]

    id: str | None = None
    timestamp: float | None = None
    parent_id: str | None = None


class MessageAttachment(Record, omit_defaults=True):
    """A file that came with a message, by its path."""

    path: str
    mime_type: str | None = None


class MessageMeta(Record, omit_defaults=True):
    """Data that a channel adds to a message; it is not part of the conversation."""

    reply_to: str | None = None
    channel_message_id: str | None = None
    attachments: list[MessageAttachment] | None = None
    reactions: list[str] | None = None


class MessageEntry(_Entry, kw_only=True, tag="message"):
    """A message of the conversation."""

    type: ClassVar[str] = "message"

    message: AgentMessage
    meta: MessageMeta | None = None


class ThinkingLevelChangeEntry(_Entry, kw_only=True, tag="thinking_level_change"):
    """From here on the model has this thinking level."""

    type: ClassVar[str] = "thinking_level_change"

    thinking_level: ThinkingLevel


class ModelChangeEntry(_Entry, kw_only=True, tag="model_change"):
    """From here on another model answers."""

    type: ClassVar[str] = "model_change"

    model_id: str
    provider_id: str


class CompactionEntry(_Entry, kw_only=True, tag="compaction"):
    """A summary in place of all that comes before `first_kept_entry_id`."""

    type: ClassVar[str] = "compaction"

    summary: str
    first_kept_entry_id: str
    tokens_before: int
    details: Any = None
    from_hook: bool = field(default_factory=bool)


class BranchEntry(_Entry, kw_only=True, tag="branch_summary"):
    """A summary of a branch that was left, at the entry `from_id`, or at the `root`."""

    type: ClassVar[str] = "branch_summary"

    from_id: str
    summary: str
    details: Any = None
    from_hook: bool = field(default_factory=bool)


class LabelEntry(_Entry, kw_only=True, tag="label"):
    """A name for an entry; without `label`, the name is removed."""

    type: ClassVar[str] = "label"

    label: str | None = None
    target_id: str


class LeafEntry(_Entry, kw_only=True, tag="leaf"):
    """The conversation continues after another entry; without `target_id`, it starts again."""

    type: ClassVar[str] = "leaf"

    target_id: str | None = None


class CustomInfoEntry(_Entry, kw_only=True, tag="custom"):
    """Data of an extension."""

    type: ClassVar[str] = "custom"

    custom_type: str
    data: MaybeRawValue = None

    def __post_init__(self) -> None:
        """Adopt the decoder's slice, or plain Python data."""
        if self.data is not None and not isinstance(self.data, RawJson):
            self.data = optional_json(self.data)


class CustomMessageEntry(_Entry, kw_only=True, tag="custom_message"):
    """Something that an extension shows in the session. Older files have one text as `content`."""

    type: ClassVar[str] = "custom_message"

    custom_type: str
    content: str | list[TextContent | ImageContent | LinesContent]
    display: bool = field(default_factory=lambda: True)
    details: Any = None


class SessionInfoEntry(_Entry, kw_only=True, tag="session_info"):
    """The session's name."""

    type: ClassVar[str] = "session_info"

    name: str | None = None


class ChannelEntry(_Entry, kw_only=True, tag="channel"):
    """The channel that the conversation continues in."""

    type: ClassVar[str] = "channel"

    name: str
    chat_id: str | None = None
    user_id: str | None = None


SessionEntry = (
    MessageEntry
    | ThinkingLevelChangeEntry
    | ModelChangeEntry
    | CompactionEntry
    | BranchEntry
    | LabelEntry
    | LeafEntry
    | CustomInfoEntry
    | CustomMessageEntry
    | SessionInfoEntry
    | ChannelEntry
)
"""What a session holds besides its header."""
SessionFileEntry = (
    SessionHeader
    | MessageEntry
    | ThinkingLevelChangeEntry
    | ModelChangeEntry
    | CompactionEntry
    | BranchEntry
    | LabelEntry
    | LeafEntry
    | CustomInfoEntry
    | CustomMessageEntry
    | SessionInfoEntry
    | ChannelEntry
)
"""A line of a session file."""
ENTRY_TYPES: Final[dict[str, type[Any]]] = {kind.type: kind for kind in SessionFileEntry.__args__}


class SessionContext(Struct):
    """The context that a conversation continues with: canonical messages, and settings.

    Summaries are user messages in it; see `context`.
    """

    messages: list[CanonicalMessage]
    thinking_level: ThinkingLevel = ThinkingLevel.OFF
    model_id: str | None = None
    provider_id: str | None = None


def branch(entries: Iterable[Any], leaf: str | None = None) -> list[SessionEntry]:
    """Return the entries from the root to `leaf`, by default to the session's current leaf.

    The path stops at a missing parent, as it does in Operator-Use.

    Raises `EncodeError` if there is no entry `leaf`, `DecodeError` if the parents form a circle.
    """
    given = list(entries)
    return [given[i] for i in path_of(given, leaf)]


def path_of(entries: Sequence[Any], leaf: str | None) -> list[int]:
    """Return the indexes of `branch`."""
    found: dict[str, int] = {}
    last: str | None = None
    for i, entry in enumerate(entries):
        if type(entry) is SessionHeader or entry.id is None:
            continue
        found[entry.id] = i
        last = entry.target_id if type(entry) is LeafEntry else entry.id
    if leaf is not None and leaf not in found:
        raise EncodeError(f"no entry `{leaf}`", wire=_WIRE)
    path: list[int] = []
    passed: set[str] = set()
    at = last if leaf is None else leaf
    while at is not None and at in found:
        i = found[at]
        if at in passed:
            where = f"$[{path[-1]}].parent_id"
            raise DecodeError("parents in a circle", wire=_WIRE, path=where)
        passed.add(at)
        path.append(i)
        at = entries[i].parent_id
    path.reverse()
    return path


def kept_of(entries: Sequence[Any], path: Sequence[int]) -> list[int]:
    """Return the indexes of the entries on a path that belong to the model's context.

    If the path has compactions: the summary of the last one, the entries that it kept, and those
    that followed.
    """
    compactions = [n for n, i in enumerate(path) if type(entries[i]) is CompactionEntry]
    if not compactions:
        return [i for i in path if type(entries[i]) in _SHOWN]
    last = compactions[-1]
    summary = entries[path[last]]
    first = (n for n in range(last) if entries[path[n]].id == summary.first_kept_entry_id)
    kept = [*path[next(first, last) : last], *path[last + 1 :]]
    return [path[last], *(i for i in kept if type(entries[i]) in _SHOWN)]


_SHOWN: Final = frozenset({MessageEntry, CustomMessageEntry, BranchEntry})
