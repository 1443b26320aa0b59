"""The hand-written half of the native wire: what msgspec cannot encode by itself.

- `LlmMessage` is one flat object: the keys of its message, `turnId` and the others of its place.
- Media, tool arguments and raw JSON are written as the slices in which they arrived. A large string
  that must be assembled is joined with the rest of the output at the end, so that it is copied
  once: its hook raises `InPieces`, and the encoder starts again with a short random word in its
  place.
- Unknown keys are written beside the known ones. Only a value that has some pays for this: its hook
  raises `Unplaced`, and the encoder starts again on a rebuilt value.

A caller's own encoder does not know these signals: hooks for it leave unknown keys in `extras`.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from operator import attrgetter
from typing import Any, Final

import msgspec
from msgspec import NODEFAULT, Raw, defstruct, field
from msgspec.structs import fields

from ..errors import EncodeError, reason_of
from ..model import Arguments, LlmMessage, Media, RawJson, Request, ToolResultMessage
from ..model.base import NATIVE, Node, UnknownKeys
from ..model.media import Pieces
from ..model.place import NOWHERE, PLACE, place_of
from ..model.rawjson import not_of_the_model, parsed
from .fields import changed, field_names
from .refuse import MODEL, refuse


class InPieces(Exception):  # noqa: N818 -- a signal between hook and encoder, never an error
    """Raised by a hook that met a large string in pieces; holds the value and its pieces."""

    def __init__(self, value: Any, pieces: Pieces) -> None:
        self.value = value
        self.pieces = pieces


class Unplaced(Exception):  # noqa: N818 -- a signal between hook and encoder, never an error
    """Raised by a hook that met unknown keys: they belong beside the known ones."""


def json_hook(value: Any) -> Any:
    """Return the JSON form of a value that is not a Struct."""
    kind = type(value)
    if kind is Arguments or kind is RawJson:
        return value.native()
    if kind is Media or kind is Pieces:
        made = value.json_pieces() if kind is Media else value
        if type(made) is Pieces:
            raise InPieces(value, made)
        return made
    if kind is LlmMessage:
        return value.flat()
    if kind is UnknownKeys:
        raise Unplaced
    if isinstance(value, Arguments):  # those of a format whose dict a program has
        return value.native()
    raise TypeError(not_of_the_model(value))


_encode = msgspec.json.Encoder(enc_hook=json_hook).encode


def encode_json(value: Any) -> bytes:
    """Encode a value with `json_hook`; a large string is copied once."""
    try:
        return _encode(value)
    except InPieces as large:
        return _in_one(value, large)


def _in_one(value: Any, first_met: InPieces) -> bytes:
    """Encode a value with a word for each large string, then join the strings with the rest.

    The media value of `first_met` is not read again: a file costs time, and may have changed.
    """
    known = [first_met]
    word = b'"%b"' % secrets.token_hex(16).encode()
    strings: list[Pieces] = []

    def hook(value: Any) -> Any:
        kind = type(value)
        if known and known[0].value is value:
            content = known.pop().pieces
        else:
            content = value.json_pieces() if kind is Media else value
        if type(content) is not Pieces:
            return content if kind is Media else json_hook(value)
        strings.append(content)
        return Raw(word)

    first, *others = msgspec.json.Encoder(enc_hook=hook).encode(value).split(word)
    parts: list[bytes | memoryview] = [first]
    for pieces, other in zip(strings, others, strict=True):
        parts += (*pieces.parts, other)
    return b"".join(parts)


def msgpack_hook(value: Any) -> Any:
    """Return the MessagePack form of a value that is not a Struct.

    Raw JSON becomes `bin` that holds its text, media become `bin` or base64 text.
    """
    kind = type(value)
    if kind is Arguments:
        held = value._held
        if type(held) is Raw:  # UTF-8: each slice is checked where it is adopted
            text = bytes(held)
            if text[0] != _QUOTE:
                return text
        elif type(held) is bytes and held.isascii():
            return held
        return value.packed()
    if kind is RawJson:
        return value.packed()
    if kind is Media:
        return value.msgpack()
    if kind is LlmMessage:
        return _without_places(value.flat())
    if kind is UnknownKeys:
        raise Unplaced
    raise TypeError(not_of_the_model(value))


_QUOTE: Final = ord('"')


# -- hooks for the encoders of others, which know no signals ---------------------------------------


def _known(value: Any) -> type[Any]:
    kind = type(value)
    if kind not in _HOOKED:
        # What msgspec expects of a hook, so that a caller can ask the next one.
        raise NotImplementedError(f"`{kind.__name__}`, expected a type of the model")
    return kind


_HOOKED: Final = frozenset({Arguments, LlmMessage, Media, RawJson, UnknownKeys})


def json_only_hook(value: Any) -> Any:
    """Return what `json_hook` does; a large string is joined here, which copies it once more."""
    if _known(value) is UnknownKeys:
        return value.native()
    try:
        return json_hook(value)
    except InPieces as large:
        return Raw(b"".join(large.pieces.parts))


def msgpack_only_hook(value: Any) -> Any:
    """Return what `msgpack_hook` does."""
    return value.packed() if _known(value) is UnknownKeys else msgpack_hook(value)


def value_hook(value: Any) -> Any:
    """Return plain data, or a Struct. Arguments that are not JSON are their text."""
    kind = _known(value)
    if kind is Media:
        return value.to_base64()
    if kind is LlmMessage:
        return value.flat()
    return parsed(bytes(value.native()))


# -- the first look at a value ---------------------------------------------------------------------


def checked(value: Any, wire: str) -> Any:
    """Return a value. Raises `EncodeError` for another system's types, in a list of it too."""
    if type(value) is list:
        if not MODEL.issuperset(map(type, value)):
            refuse(value, wire)
    elif type(value) not in MODEL or type(value) is Request:
        refuse(value, wire)
    return value


def packed(value: Any) -> Any:
    """Return a value as it is written in MessagePack, whose map header tells the number of fields.

    msgspec writes a longer header for a type with more than 15 fields, however many are set. A tool
    result has more with its place alone: without one it is written as it was before it had any.
    """
    return _without_places(checked(value, "msgpack"))


def _without_places(value: Any) -> Any:
    kind = type(value)
    if kind is ToolResultMessage:
        return _Placeless(*_own(value)) if place_of(value) == NOWHERE else value
    if kind is list or kind is tuple:
        if _HOLDING.isdisjoint(map(type, value)):
            return value
        return [*map(_without_places, value)]
    if kind is Request:
        messages = _without_places(value.messages)
        return value if messages is value.messages else changed(value, {"messages": messages})
    return value


_HOLDING: Final = frozenset({ToolResultMessage, Request})


_OWN: Final = [it for it in fields(ToolResultMessage) if it.name not in PLACE]
_own: Final = attrgetter(*(it.name for it in _OWN))
_Placeless: Final = defstruct(
    "ToolResultMessage",
    [
        (
            it.name,
            Any,
            it.default
            if it.default_factory is NODEFAULT
            else field(default_factory=it.default_factory),
        )
        for it in _OWN
    ],
    bases=(Node,),
    tag_field="role",
    tag="toolResult",
)
"""A tool result without the fields of a place."""


def as_encode_error(error: Exception, wire: str, value: Any) -> EncodeError:
    """Return the `EncodeError` for an error of the encoder, or of media with invalid base64.

    Its path is that of a foreign type in `value`, if there is one.
    """
    try:
        refuse(value, wire, inside=True)
    except EncodeError as located:
        return located
    except RecursionError:
        pass
    return EncodeError(reason_of(error), wire=wire)


def rebuilt(value: Any, merged: Callable[[Any, RawJson], Any]) -> Any:
    """Return `value` with every part that has unknown keys replaced by `merged(part, keys)`.

    Parts without any are kept as they are, and shared with `value`.
    """
    kind = type(value)
    if kind is LlmMessage:
        return rebuilt(value.flat(), merged)
    if isinstance(value, list | tuple):
        items = [rebuilt(item, merged) for item in value]
        return items if any(a is not b for a, b in zip(items, value, strict=True)) else value
    if kind is dict:
        parts = {key: rebuilt(item, merged) for key, item in value.items()}
        return parts if any(parts[key] is not item for key, item in value.items()) else value
    changes = {}
    for name in field_names(value):
        old = getattr(value, name, None)
        if old is None or type(old) is str or name == "extras":
            continue
        new = rebuilt(old, merged)
        if new is not old:
            changes[name] = new
    extras = getattr(value, "extras", None)
    if extras is None or NATIVE not in extras or type(extras[NATIVE].keys) is not UnknownKeys:
        return changed(value, changes)
    others = {api: extra for api, extra in extras.items() if api != NATIVE}
    return merged(changed(value, {**changes, "extras": others or None}), extras[NATIVE].keys)
