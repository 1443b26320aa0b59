"""The entries of an agent session: messages with their place in it, and session-only entries."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from itertools import groupby
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal, Self, TypeAlias

from msgspec.structs import replace

from ..errors import EncodeError, WireglotError, shown
from .accepted import ListOf, written_empty
from .base import NATIVE, Adapted, Extras, Node, UnknownKeys, only_text
from .blocks import Content, TextBlock
from .ids import now_ms
from .messages import Message
from .place import NOWHERE, PLACE, ProvenanceHint, Tag, TurnId, place_of

__all__ = [
    "ENTRIES",
    "MESSAGES",
    "AgentMessage",
    "BranchSummaryMessage",
    "CompactionSummaryMessage",
    "CustomMessage",
    "ExtensionMessage",
    "LlmMessage",
    "SessionOnly",
    "canonical",
    "is_entry",
    "llm_messages",
    "not_a_message",
    "unplaced",
    "whole",
]


MESSAGES: Final = frozenset(Message.__args__)
"""The types that `Message` stands for."""


class LlmMessage(Adapted):
    """A message and its place in a session as a pair, as phi-core has them; in JSON one object.

    Each entry of a decoded session is the message itself, which has the fields of its place. The
    pair is for a field or an argument of your own that is to hold the two apart: it is written by
    `enc_hook`, and read as the type `LlmMessage`. A place that the message has is the pair's unless
    another is given, and `message` has none.

    Raises `EncodeError` for what is not a `Message`, such as a session-only message.
    """

    __match_args__ = ("message", *PLACE)
    __slots__ = ("message", *PLACE)

    message: Message
    turn_id: TurnId | None
    node_id: int | None
    parent_id: int | None
    tags: list[Tag] | None
    provenance_hint: ProvenanceHint | None

    def __init__(
        self,
        message: Message,
        turn_id: TurnId | None = None,
        node_id: int | None = None,
        parent_id: int | None = None,
        tags: list[Tag] | None = None,
        provenance_hint: ProvenanceHint | None = None,
    ) -> None:
        self.turn_id = turn_id
        self.node_id = node_id
        self.parent_id = parent_id
        self.tags = tags
        self.provenance_hint = provenance_hint
        self.message = message

    if not TYPE_CHECKING:  # with a `__setattr__`, a type checker allows any name

        def __setattr__(self, name: str, value: Any) -> None:
            """Take a `message` without its place, which is the pair's where it has none.

            Raises `EncodeError` for what is not a `Message`.
            """
            if name == "message":
                if type(value) not in MESSAGES:
                    raise _misplaced(value)
                for field, own in zip(PLACE, place_of(value), strict=True):
                    if getattr(self, field, None) is None:
                        object.__setattr__(self, field, own)
                value = unplaced(value)
            object.__setattr__(self, name, value)

    def flat(self) -> Message:
        """Return the message with its place, as an entry of a session."""
        places = zip(PLACE, place_of(self), place_of(self.message), strict=True)
        return replace(self.message, **{n: own if it is None else it for n, it, own in places})

    @property
    def role(self) -> str:
        """The message's role."""
        return self.message.role

    def as_llm(self) -> Message:
        """Return the message, which may reach an LLM."""
        return self.message

    def with_turn_id(self, turn_id: TurnId | None) -> Self:
        """Return the same message in another turn; None clears it."""
        made = type(self)(self.message, *place_of(self))
        made.turn_id = turn_id
        return made

    def __eq__(self, other: object) -> bool:
        """Equal when message and place are."""
        if type(other) is not LlmMessage:
            return NotImplemented
        return self.message == other.message and bool(place_of(self) == place_of(other))

    def __repr__(self) -> str:
        """Return the message, and the fields of its place that are set."""
        rest = (
            f", {name}={value!r}"
            for name, value in zip(PLACE, place_of(self), strict=True)
            if value is not None
        )
        return f"LlmMessage({self.message!r}{''.join(rest)})"

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle by the constructor's arguments."""
        return type(self), (self.message, *place_of(self))


def unplaced(message: Message) -> Message:
    """Return a message without its place in a session: itself if it has none."""
    return message if place_of(message) == NOWHERE else replace(message, **_CLEARED)


_CLEARED: Final[dict[str, Any]] = dict.fromkeys(PLACE)


def llm_messages(session: Iterable[Any]) -> list[Message]:
    """Return the messages of a session that may reach an LLM, in order, without their place.

    Session-only messages are left out, summaries too, although a model may need what they say:
    `wireglot.formats.operator_use.context` makes user messages of them. A bare `Message` is taken
    as it is, and a message of another system's types as `to_canonical` of its format returns it.

    Raises `EncodeError` for what is not a message.
    """
    messages: list[Message] = []
    for i, message in enumerate(canonical(session)):
        if type(message) in MESSAGES:
            messages.append(unplaced(message))
        elif not isinstance(message, _SessionOnly):
            raise _misplaced(message, f"$[{i}]")
    return messages


def whole(entry: Any) -> Any:
    """Return an entry of a session as one object: for a pair, the message with its place."""
    return entry.flat() if type(entry) is LlmMessage else entry


def canonical(entries: Iterable[Any]) -> list[Any]:
    """Return entries with pairs and other systems' types in canonical form; others stay.

    Neighbours of one system are read together: one message may say what another means.

    Raises `EncodeError` for what the other system's format does not read.
    """
    found: list[Any] = []
    for system, group in groupby(entries, _system_of):
        if system is None:
            found += map(whole, group)
            continue
        try:
            found += import_module(system).to_canonical([*group])
        except (WireglotError, LookupError, TypeError, AttributeError) as error:
            told = shown(str(error), 300)
            reason = f"not messages that `{system}.to_canonical` reads: {told}"
            raise EncodeError(reason, wire="model") from error
    return found


def _system_of(entry: Any) -> str | None:
    module = type(entry).__module__
    return ".".join(module.split(".")[:3]) if module.startswith(_FORMATS) else None


def is_entry(kind: type[Any]) -> bool:
    """Whether a type is one of a session's entries, or of another system."""
    own = issubclass(kind, AgentMessage) or kind is LlmMessage
    return own or kind.__module__.startswith(_FORMATS)


_FORMATS: Final = "wireglot.formats."


def not_a_message(value: Any) -> str:
    """Return the reason for a value where a message for an LLM is expected, and the next step."""
    kind = type(value)
    what, step = "a message", ""
    if kind.__module__.startswith(_FORMATS):
        step = f'; use `FORMATS["{kind.__module__.split(".")[2]}"].to_canonical`'
    elif isinstance(value, _SessionOnly):
        what, step = "a message for an LLM", "; use `llm_messages(session)`"
    elif isinstance(value, str):
        step = "; use `UserMessage.from_text`"
    elif isinstance(value, dict):
        step = "; use `from_builtins`"
    elif hasattr(value, "model_dump"):
        step = "; use `decode_request` or `decode_response`"
    return f"`{kind.__name__}`, expected {what}{step}"


def _misplaced(message: Any, path: str = "$") -> EncodeError:
    return EncodeError(not_a_message(message), wire="model", path=path)


class _SessionOnly(Node):
    """Base of the session-only messages, which have no way to an LLM."""

    turn_id: ClassVar[None] = None

    def as_llm(self) -> None:
        """None: a session-only message never becomes a `Message`."""
        return

    def with_turn_id(self, turn_id: TurnId | None) -> Self:
        """Return self: a session-only message has no turn."""
        return self


class CustomMessage(_SessionOnly, tag_field="role", tag="custom"):
    """Something that an extension shows in the session (Operator-Use)."""

    role: ClassVar[Literal["custom"]] = "custom"

    custom_type: str
    content: ListOf[Content] = written_empty()
    display: bool = True
    details: Any = None
    timestamp: int | None = None
    id: str | int | None = None
    extras: Extras | None = None

    @classmethod
    def from_text(cls, custom_type: str, text: str) -> Self:
        """Return a message of one text block, with the current time."""
        only_text(custom_type=custom_type, text=text)
        return cls(custom_type, [TextBlock(text)], timestamp=now_ms())


class BranchSummaryMessage(_SessionOnly, tag_field="role", tag="branchSummary"):
    """A summary of a branch that was left; `from_id` names the entry where it began."""

    role: ClassVar[Literal["branchSummary"]] = "branchSummary"

    summary: str
    from_id: str | None = None
    details: Any = None
    timestamp: int | None = None
    id: str | int | None = None
    extras: Extras | None = None


class CompactionSummaryMessage(_SessionOnly, tag_field="role", tag="compactionSummary"):
    """A summary that replaces older messages; `tokens_before` counts the context before it."""

    role: ClassVar[Literal["compactionSummary"]] = "compactionSummary"

    summary: str
    tokens_before: int | None = None
    first_kept_id: str | None = None
    details: Any = None
    timestamp: int | None = None
    id: str | int | None = None
    extras: Extras | None = None


class ExtensionMessage(_SessionOnly, tag_field="role", tag="extension"):
    """Anything that an extension keeps in the session: `data` is any JSON, `None` too (phi-core).

    On the wire, an object of any role with `kind` and `data` is one, unless its role names another
    message and it decodes as that. A role other than `extension` is kept in `extras`, and written
    again.
    """

    role: ClassVar[Literal["extension"]] = "extension"

    kind: str
    data: Any
    extras: Extras | None = None

    @property
    def wire_role(self) -> str:
        """`extension`, or the role that was on the wire."""
        native = (self.extras or {}).get(NATIVE)
        if native is None or type(native.keys) is not UnknownKeys:
            return "extension"
        return str(native.keys.value.get("role", "extension"))


SessionOnly = CustomMessage | BranchSummaryMessage | CompactionSummaryMessage | ExtensionMessage
"""A message that has no way to an LLM."""
# Not `AgentMessage.__args__`: Hypothesis takes a class that has it for a generic one.
ENTRIES: tuple[type[Any], ...] = (*Message.__args__, *SessionOnly.__args__)
"""The types that `AgentMessage` stands for."""
if TYPE_CHECKING:
    AgentMessage: TypeAlias = Message | SessionOnly
else:

    class _AnyAgentMessage(type):
        """Makes `isinstance` and `issubclass` ask for one of the types in `ENTRIES`."""

        def __instancecheck__(cls, value: Any) -> bool:
            return isinstance(value, ENTRIES)

        def __subclasscheck__(cls, kind: type) -> bool:
            return kind is cls or issubclass(kind, ENTRIES)

    class AgentMessage(Adapted, metaclass=_AnyAgentMessage):
        """An entry of a session: untagged on the wire, told apart by its role and keys.

        `Message | SessionOnly` for a type checker. At run time it is a class of which no object is
        made: msgspec asks `dec_hook` about a class, and decodes a union of Structs by itself, which
        would refuse a role that it does not know.
        """

        def __new__(cls) -> Self:
            """Refuse to make an object."""
            raise TypeError("`AgentMessage` is a union of types, expected one of them")
