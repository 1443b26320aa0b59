"""What the mappings of frameworks share: an unchanged message is written exactly as it came in.

Where the JSON that the writer would make of a canonical message differs from the JSON that came in,
the original text is kept in the spelling, and is written as long as the message has not changed. So
a mapping needs to be exact only for what the framework writes today. A reader tells whether the two
differ (`Notes`); only where it cannot tell, the message is written to compare them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, ClassVar, Final, Generic, Protocol, TypeVar

import msgspec
from msgspec import UNSET, Raw, Struct

from .._body.decode import plain_text, slices_of
from .._body.encode import encode_json as encode
from .._body.refuse import errors
from .._body.surrogates import mended_text, mended_value
from ..errors import DecodeError, EncodeError, WireglotError
from ..losses import Losses
from ..model import AgentMessage, Extras, RawJson
from ._mapping import CANONICAL, MAPPING_FAULTS, Where, extras_of, mapped, mapping_error, spelled
from ._records import own_value, read, read_all, write, write_lines, written, written_back

__all__ = [
    "FrameworkCodec",
    "FrameworkWriter",
    "Notes",
    "as_it_came",
    "in_order",
    "is_same",
    "json_text",
    "object_of",
    "own_json",
    "parts_of",
]

_CAME: Final = "came"
_FLAGS: Final = frozenset({_CAME, "joins", "repeats"})
_value = msgspec.json.Decoder().decode
_sorted = msgspec.json.Encoder(order="sorted").encode
_str = msgspec.json.Decoder(str).decode
_items = msgspec.json.Decoder(list[Raw]).decode
_ERRORS: Final = (WireglotError, msgspec.MsgspecError, ValueError, RecursionError)
_NONE: Final = RawJson(b"{}")


def is_same(one: bytes, other: bytes) -> bool:
    """Whether two JSON texts mean the same. A text that cannot be parsed equals only itself."""
    if one == other:
        return True
    try:
        return bool(_value(one) == _value(other))
    except (msgspec.DecodeError, ValueError, RecursionError):
        return False


def parts_of(value: Any) -> str | list[str | RawJson]:
    """Adopt a `content`: text, or a list of texts and objects. Objects stay raw JSON.

    Raises ValueError, which the running decoder turns into an error with the path.
    """
    if isinstance(value, str):
        return value
    if type(value) is Raw:
        text = json_text(value)
        if text is not None:
            return text
        value = _items(value) if bytes(memoryview(value)[:1]) == b"[" else None
    if not isinstance(value, list):
        raise ValueError("expected `str` or `array` as `content`")
    return [_part(item) for item in value]


def _part(item: Any) -> str | RawJson:
    text = item if isinstance(item, str) else json_text(item) if type(item) is Raw else None
    return object_of(item, "content[...]") if text is None else text


def object_of(value: Any, name: str) -> RawJson:
    """Adopt an object. Raises ValueError if it is something else."""
    made = RawJson.adopt(value)
    if bytes(memoryview(made.native())[:1]) != b"{":
        raise ValueError(f"expected `object` as `{name}`")
    return made


def json_text(raw: Any) -> str | None:
    """Return the text of a slice that is a JSON string, None for another slice or for none."""
    return _str(raw) if raw is not None and bytes(memoryview(raw)[:1]) == b'"' else None


def in_order(kind: Any, made: dict[str, Any]) -> dict[str, Any]:
    """Return an object with its keys in the order in which `kind` writes them, for equal bytes."""
    return {name: made[name] for name in _names(kind) if name in made} | made


@cache
def _names(kind: Any) -> tuple[str, ...]:
    return (kind.__struct_config__.tag_field, *kind.__struct_encode_fields__)


def own_json(kind: Any, keys: dict[str, Any]) -> Raw:
    """Return a message of the framework as JSON, with its keys in the order of `kind`."""
    return Raw(written(in_order(kind, keys)))  # not `write`: `_made` mends the canonical messages


class Notes(Struct):
    """What a reader says of one message, beside its canonical fields.

    `flags` are those of a piece. `keys` and `spelling` are for `extras`. `is_same` is whether the
    writer makes the same JSON again; None if only writing can tell.
    """

    flags: dict[str, Any] = {}
    keys: dict[str, Any] = {}
    spelling: dict[str, Any] = {}
    is_same: bool | None = True

    def extras(self, api: str) -> Extras | None:
        """Return the `extras` of the message."""
        return extras_of(api, UNSET, self.keys, self.spelling | self.flags)

    def differ(self) -> None:
        """Note that the writer makes other JSON."""
        self.is_same = False

    def doubt(self) -> None:
        """Note that the writer may make other JSON."""
        self.is_same = self.is_same and None


class FrameworkWriter(Protocol):
    """A `Writer` that makes a framework's messages as JSON; its own stay as they are."""

    WIRE: ClassVar[str]
    API: ClassVar[str]
    MESSAGE: ClassVar[Any]
    """The type of the framework's messages."""
    CANONICAL: ClassVar[Any]
    """The function that makes a canonical message of one, all but its `extras`, and its `Notes`.

    It is a static method.
    """

    def __init__(self, losses: Losses) -> None: ...

    def messages(self, entries: Iterable[Any]) -> list[Any]: ...


def as_it_came(
    make: Callable[[Any, Any, Where], list[Any]],
    shape: Callable[[Any, Any], Any] = lambda original, _: Raw(written_back(original)),
) -> Callable[..., list[Any]]:
    """Wrap a writer's method: a message that has not changed is written as it came in.

    `shape` turns an original into what the method makes, with the canonical message at hand.
    """

    def made(writer: FrameworkWriter, message: Any, where: Where) -> list[Any]:
        original = _original(writer, message) if message.extras is not None else None
        return make(writer, message, where) if original is None else [shape(original, message)]

    return made


def _original(writer: FrameworkWriter, message: Any) -> Any:
    """Return the original of a canonical message, None if there is none or it has changed."""
    spelling = spelled(message.extras, writer.API)
    if _CAME not in spelling:
        return None
    notes = Notes({key: raw for key, raw in spelling.items() if key in _FLAGS})
    try:
        original = read(writer.MESSAGE, spelling[_CAME], writer.WIRE)
        before = _bare(writer.CANONICAL(original, notes))
        before.extras = notes.extras(writer.API)
        if before == message and _is_written_same(before, message):
            return original
    except _ERRORS:  # somebody has changed the text
        pass
    return None


def _is_written_same(one: Any, other: Any) -> bool:
    """Whether messages that Python finds equal are equal in JSON: in Python, True == 1 == 1.0."""
    text, others = encode(one), encode(other)
    return text == others or _sorted(_value(text)) == _sorted(_value(others))


def _bare(entry: Any) -> Any:
    return entry


Own = TypeVar("Own")
_Pieces = Callable[[Iterable[Any]], Iterable[tuple[int, Any, dict[str, Any]]]]


def _whole(messages: Iterable[Any]) -> Iterable[tuple[int, Any, dict[str, Any]]]:
    return ((i, message, {}) for i, message in enumerate(messages))


class FrameworkCodec(Generic[Own]):
    """The codec of a framework, made of its mapping in both directions.

    `pieces` splits messages: it yields an index, a message and its flags for each canonical one.
    """

    def __init__(self, writer: type[FrameworkWriter], pieces: _Pieces = _whole) -> None:
        self._writer = writer
        self._wire = writer.WIRE
        self._pieces = pieces

    def decode(self, data: Any, kind: Any, losses: Losses) -> Any:
        """Decode a stored conversation, or with a `kind` one document as that type.

        A lone surrogate is an error, or with a list of losses a loss.
        """
        if kind is not None:
            return read(kind, data, self._wire, losses)
        text = plain_text(data, self._wire, losses)
        try:
            return self._read(text, losses)
        except DecodeError:
            mended = mended_text(text, self._wire, losses) if losses is not None else None
            if mended is None:
                raise
        return self._read(mended, losses)

    def _read(self, text: bytes, losses: Losses) -> list[AgentMessage]:
        with slices_of(text):
            own = read_all(self._writer.MESSAGE, text, self._wire, losses)
            return self._canonical(own, is_read=True)

    def encode(self, value: Any, losses: Losses, lines: bool) -> bytes:
        """Encode canonical messages as they are stored, or values of the framework's types."""
        if value.__class__ in CANONICAL:
            value = [value]
        if isinstance(value, list | tuple):
            made = self._made(value, losses)
            return (write_lines if lines else write)(made, self._wire, losses)
        return write(own_value(value, self._wire), self._wire, losses)

    def to_canonical(self, messages: Iterable[Own]) -> list[AgentMessage]:
        """Return canonical messages, each with its original text if writing gives other JSON."""
        return self._canonical(messages, is_read=False)

    def _canonical(self, messages: Iterable[Own], is_read: bool) -> list[AgentMessage]:
        """Return canonical messages. A field that a decoder has not read may hold anything."""
        canonical = []
        with mapped(self._wire):  # the pieces of a message may not be a list
            for i, message, flags in self._pieces(messages):
                try:
                    canonical.append(self._told(message, flags, is_read))
                except MAPPING_FAULTS as fault:
                    error = mapping_error(fault, self._wire)
                    path = f"$[{i}]{error.path.removeprefix('$')}"
                    raise DecodeError(error.reason, wire=self._wire, path=path) from fault
        return canonical

    def from_canonical(self, messages: Iterable[Any], losses: Losses) -> list[Own]:
        """Return the framework's messages for canonical ones."""
        kind, wire = self._writer.MESSAGE, self._wire
        with errors(wire):
            made = self._made(messages, losses)
            return [read(kind, each, wire) if type(each) is Raw else each for each in made]

    def _told(self, message: Any, flags: dict[str, Any], is_read: bool) -> Any:
        notes = Notes(flags)
        canonical = self._writer.CANONICAL(message, notes)
        bare = _bare(canonical)
        is_same = notes.is_same if is_read else None
        text = b"" if is_same else written_back(message) if is_read else write(message, self._wire)
        if is_same is False:
            notes.flags = flags | {_CAME: Raw(text)}
        bare.extras = notes.extras(self._writer.API)
        if is_same is None and not self._is_written(canonical, text):
            notes.flags = flags | {_CAME: Raw(text)}
            bare.extras = notes.extras(self._writer.API)
        return canonical

    def _is_written(self, canonical: Any, text: bytes) -> bool:
        """Whether the writer makes the same JSON of a message."""
        try:
            with errors(self._wire):
                again = write(self._writer([]).messages([canonical]), self._wire)
        except EncodeError:
            return False
        return is_same(again, b"[%b]" % text)

    def _made(self, messages: Iterable[Any], losses: Losses) -> list[Any]:
        """Return messages as JSON. Raises as `write` does, also for lone surrogates."""
        entries = list(messages)
        known = len(losses or ())
        with errors(self._wire):
            try:
                return self._writer(losses).messages(entries)
            except UnicodeEncodeError:
                if losses is not None:
                    del losses[known:]
                found = [self._mended(entry, f"$[{i}]", losses) for i, entry in enumerate(entries)]
                return self._writer(losses).messages(found)

    def _mended(self, entry: Any, path: str, losses: Losses) -> Any:
        return mended_value(entry, self._wire, path, losses)
