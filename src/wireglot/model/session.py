"""The entries of an agent session: messages with their place in it, and session-only entries."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal, Self, TypeAlias, cast

import msgspec
from msgspec import Struct

from .._locks import lock_held_at_fork
from ..errors import EncodeError, WireglotError, shown
from .accepted import ListOf, written_empty
from .base import NATIVE, Adapted, Extras, Node, UnknownKeys, only_text
from .blocks import Content, TextBlock
from .ids import now_ms
from .messages import Message

__all__ = [
    "ENTRIES",
    "FLAT",
    "FLAT_TYPES",
    "PLACE",
    "AgentMessage",
    "BranchSummaryMessage",
    "CompactionSummaryMessage",
    "CustomMessage",
    "ExtensionMessage",
    "HintFollowUp",
    "HintIdentityBlock",
    "HintLoopTurn",
    "HintMemoryTier",
    "HintSteering",
    "HintSystemPrompt",
    "HintUnknown",
    "LlmMessage",
    "ProvenanceHint",
    "SessionOnly",
    "Tag",
    "TurnId",
    "bare_messages",
    "canonical",
    "is_entry",
    "lifted",
    "llm_messages",
    "not_a_message",
]


# Frozen, so that it can be a key; a frozen type cannot derive from `Node`.
class TurnId(Struct, Adapted, frozen=True, rename="camel", forbid_unknown_fields=True, gc=False):
    """Which turn of which loop a message belongs to."""

    loop_id: str
    turn_index: int


class Tag(Struct, Adapted, forbid_unknown_fields=True, gc=False):
    """A note that the loop keeps on a message, here with phi-core's snake_case keys."""

    kind: Literal["lesson", "finding", "outcome", "checkpoint"]
    text: str
    created_at_turn: int
    abandoned_node_ids: list[int]


class _Hint(Struct, Adapted, tag_field="kind", forbid_unknown_fields=True):
    """Base of the provenance hints: where in a request a message came from (phi-core)."""


class HintSystemPrompt(_Hint, tag="system-prompt"):
    """From the system prompt."""


class HintIdentityBlock(_Hint, tag="identity-block"):
    """From an identity block."""

    name: str
    order: int


class HintMemoryTier(_Hint, tag="memory-tier"):
    """From a memory record."""

    tier: str
    record_id: str


class HintLoopTurn(_Hint, tag="loop-turn"):
    """From a turn of the loop."""

    turn_index: int
    role: Literal["user-message", "assistant-response", "tool-call-request", "tool-call-result"]
    message_index: int


class HintSteering(_Hint, tag="steering"):
    """From a steering message."""


class HintFollowUp(_Hint, tag="follow-up"):
    """From a follow-up."""


class HintUnknown(_Hint, tag="unknown"):
    """From an unknown place."""


ProvenanceHint = (
    HintSystemPrompt
    | HintIdentityBlock
    | HintMemoryTier
    | HintLoopTurn
    | HintSteering
    | HintFollowUp
    | HintUnknown
)


def _flat_type(message: type[Struct]) -> type[Struct]:
    fields = [(name, annotation, None) for name, annotation in _PLACE_TYPES.items()]
    tag = message.__struct_config__.tag
    return msgspec.defstruct(f"Flat{message.__name__}", fields, bases=(message,), tag=tag)


_PLACE_TYPES: dict[str, Any] = {
    "turn_id": TurnId | None,
    "node_id": int | None,
    "parent_id": int | None,
    "tags": list[Tag] | None,
    "provenance_hint": ProvenanceHint | None,
}
PLACE = tuple(_PLACE_TYPES)
"""The fields that `LlmMessage` adds to a message."""
FLAT: dict[type[Struct], type[Struct]] = {
    message: _flat_type(message) for message in Message.__args__
}
"""Message type -> the Struct that has its fields and those of `PLACE`, as on the wire."""
FLAT_TYPES = frozenset(FLAT.values())

_fields_of = {message: attrgetter(*message.__struct_fields__) for message in FLAT}
_message_of = {flat: message for message, flat in FLAT.items()}
_place = attrgetter(*PLACE)
_one_at_a_time = lock_held_at_fork()


class LlmMessage(Adapted):
    """A message and its place in a session; on the wire, one flat object with the message's keys.

    A decoded one holds that flat object, and takes it apart when a field is first read. It is not a
    Struct, so that the encoder asks our hook how to write it.

    Raises `EncodeError` for what is not a `Message`, such as a session-only message.
    """

    __match_args__ = ("message",)
    __slots__ = ("_flat", "message", *PLACE)

    message: Message
    turn_id: TurnId | None
    node_id: int | None
    parent_id: int | None
    tags: list[Tag] | None
    provenance_hint: ProvenanceHint | None
    _flat: Any

    def __init__(
        self,
        message: Message,
        turn_id: TurnId | None = None,
        node_id: int | None = None,
        parent_id: int | None = None,
        tags: list[Tag] | None = None,
        provenance_hint: ProvenanceHint | None = None,
    ) -> None:
        if type(message) not in FLAT:
            raise _misplaced(message)
        put = object.__setattr__  # our own `__setattr__` would look for a flat object
        put(self, "_flat", None)
        put(self, "message", message)
        put(self, "turn_id", turn_id)
        put(self, "node_id", node_id)
        put(self, "parent_id", parent_id)
        put(self, "tags", tags)
        put(self, "provenance_hint", provenance_hint)

    if not TYPE_CHECKING:  # to a type checker every name would be there

        def __getattr__(self, name: str) -> Any:
            """Take the flat object apart; Python calls this when a field has no value yet."""
            if name not in LlmMessage.__slots__:
                raise AttributeError(f"`LlmMessage` has no attribute {name!r}")
            self._take_apart()
            return object.__getattribute__(self, name)

        def __setattr__(self, name: str, value: Any) -> None:
            """Take the flat object apart first; otherwise it would be written without the change.

            Raises `EncodeError` for a `message` that is not one.
            """
            if name == "message" and type(value) not in FLAT:
                raise _misplaced(value)
            self._take_apart()
            object.__setattr__(self, name, value)

    def _take_apart(self) -> None:
        if self._flat is None:
            return
        with _one_at_a_time:
            flat = self._flat
            if flat is None:
                return
            kind = _message_of[type(flat)]
            object.__setattr__(self, "message", kind(*_fields_of[kind](flat)))
            for name, value in zip(PLACE, _place(flat), strict=True):
                object.__setattr__(self, name, value)
            # Last, so that a thread without the lock finds one of the two forms complete.
            object.__setattr__(self, "_flat", None)

    def flat(self) -> Struct:
        """Return the object that is written: the bare message if no field of its place is set."""
        flat = self._flat  # once: another thread may take it apart
        if flat is not None:
            return cast("Struct", flat)
        message = self.message
        place = _place(self)
        if place == _NOWHERE:
            return message
        kind = type(message)
        return FLAT[kind](*_fields_of[kind](message), *place)

    def packed(self) -> Struct:
        """Return `flat()` for MessagePack, whose map header depends on the number of fields.

        A flat object without a place has more fields than its message, and so a longer header; the
        bare message is returned instead.
        """
        flat = self._flat  # once: another thread may take it apart
        if flat is None:
            return self.message if _place(self) == _NOWHERE else self.flat()
        if flat.turn_id is None and _place(flat) == _NOWHERE:
            kind = _message_of[type(flat)]
            return kind(*_fields_of[kind](flat))
        return cast("Struct", flat)

    @property
    def role(self) -> str:
        """The message's role."""
        return str((self._flat or self.message).role)

    def as_llm(self) -> Message:
        """Return the message, which may reach an LLM."""
        return self.message

    def with_turn_id(self, turn_id: TurnId | None) -> Self:
        """Return the same message in another turn; None clears it."""
        return type(self)(self.message, turn_id, *_place(self)[1:])

    def __eq__(self, other: object) -> bool:
        """Equal when message and metadata are."""
        if type(other) is not LlmMessage:
            return NotImplemented
        mine, others = self._flat, other._flat
        if mine is not None and others is not None:
            return bool(mine == others)
        return self.message == other.message and bool(_place(self) == _place(other))

    def __repr__(self) -> str:
        """Return the message, and the fields of its place that are set."""
        rest = (
            f", {name}={value!r}"
            for name, value in zip(PLACE, _place(self), strict=True)
            if value is not None
        )
        return f"LlmMessage({self.message!r}{''.join(rest)})"

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle by the constructor's arguments."""
        return type(self), (self.message, *_place(self))


def llm_messages(session: Iterable[Any]) -> list[Message]:
    """Return the messages of a session that may reach an LLM, in order.

    Session-only messages are left out, summaries too, although a model may need what they say:
    `wireglot.formats.operator_use.context` makes user messages of them. A bare `Message` is taken
    as it is, and a message of another system's types as `to_canonical` of its format returns it.

    Raises `EncodeError` for what is not a message.
    """
    messages: list[Message] = []
    for i, message in enumerate(bare_messages(session)):
        if type(message) in FLAT:
            messages.append(message)
        elif not isinstance(message, _SessionOnly):
            raise _misplaced(message, f"$[{i}]")
    return messages


def bare_messages(entries: Iterable[Any]) -> list[Any]:
    """Return entries of a session without their place; what is not a message stays as it is."""
    return [entry.message if type(entry) is LlmMessage else entry for entry in canonical(entries)]


def canonical(entries: Iterable[Any]) -> list[Any]:
    """Return entries with those of other systems' types in canonical form; others stay.

    Neighbours of one system are read together: one message may say what another means.

    Raises `EncodeError` for what the other system's format does not read.
    """
    found: list[Any] = []
    for system, group in groupby(entries, _system_of):
        if system is None:
            found += group
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
    return issubclass(kind, AgentMessage) or kind.__module__.startswith(_FORMATS)


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


def lifted(flats: list[Any]) -> list[AgentMessage]:
    """Return the Structs that the decoder made, flat and session-only, as AgentMessages."""
    messages: list[AgentMessage] = []
    for flat in flats:
        if type(flat) in FLAT_TYPES:
            made = _new(LlmMessage)
            _hold(made, flat)
            messages.append(made)
        else:
            messages.append(flat)
    return messages


_new = object.__new__
_hold = LlmMessage.__dict__["_flat"].__set__
_NOWHERE = (None,) * len(PLACE)


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

    kind: str
    data: Any
    extras: Extras | None = None

    @property
    def role(self) -> str:
        """`extension`, or the role that was on the wire."""
        native = (self.extras or {}).get(NATIVE)
        if native is None or type(native.keys) is not UnknownKeys:
            return "extension"
        return str(native.keys.value.get("role", "extension"))


SessionOnly = CustomMessage | BranchSummaryMessage | CompactionSummaryMessage | ExtensionMessage
"""A message that has no way to an LLM."""
# Not `AgentMessage.__args__`: Hypothesis takes a class that has it for a generic one.
ENTRIES: tuple[type[Any], ...] = (LlmMessage, *SessionOnly.__args__)
"""The types that `AgentMessage` stands for."""
if TYPE_CHECKING:
    AgentMessage: TypeAlias = LlmMessage | SessionOnly
else:

    class _AnyAgentMessage(type):
        """Makes `isinstance` and `issubclass` ask for one of the types in `ENTRIES`."""

        def __instancecheck__(cls, value: Any) -> bool:
            return isinstance(value, ENTRIES)

        def __subclasscheck__(cls, kind: type) -> bool:
            return kind is cls or issubclass(kind, ENTRIES)

    class AgentMessage(Adapted, metaclass=_AnyAgentMessage):
        """An entry of a session: untagged on the wire, told apart by its role and keys.

        `LlmMessage | SessionOnly` for a type checker. At run time it is a class of which no object
        is made: msgspec refuses a union of a Struct with a class that it does not know, and asks
        `dec_hook` about a class.
        """

        def __new__(cls) -> Self:
            """Refuse to make an object."""
            raise TypeError("`AgentMessage` is a union of types, expected one of them")
