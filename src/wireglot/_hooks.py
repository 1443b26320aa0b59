"""The hand-written half of the native wire: what a Struct cannot say by itself.

- `LlmMessage` is one flat object: the keys of its message and those of its place in a session. It
  goes through the C codec as the Struct that has both (`model/session.py`).
- Media, tool arguments and raw JSON go out as the slices that they came in as. A large one that
  has to be put together is joined with all the rest at the end, and so copied once: its hook raises
  `InPieces`, and the encoder starts again with a short random word in its place.
- Unknown keys go back beside the known ones. Only a value that has some pays for it: its hook
  raises `Unplaced`, and the encoder starts again on a rebuilt value.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

from .errors import EncodeError, WireglotError
from .model import Arguments, LlmMessage, Media, RawJson
from .model.base import NATIVE, UnknownKeys
from .model.media import Pieces

__all__ = [
    "InPieces",
    "Unplaced",
    "as_encode_error",
    "encode_json",
    "flattened",
    "json_hook",
    "msgpack_hook",
    "rebuilt",
]


class InPieces(Exception):  # noqa: N818 -- a signal between hook and encoder, never an error
    """Raised by a hook that met a large string in pieces: the value, and those."""

    def __init__(self, value: Any, pieces: Pieces) -> None:
        self.value = value
        self.pieces = pieces


class Unplaced(Exception):  # noqa: N818 -- a signal between hook and encoder, never an error
    """Raised by a hook that met unknown keys: they belong beside the known ones."""


def json_hook(value: Any) -> Any:
    """Say how JSON carries what is no Struct."""
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
    raise TypeError(f"`{kind.__name__}` is no part of the model")


_encode = msgspec.json.Encoder(enc_hook=json_hook).encode


def encode_json(value: Any) -> bytes:
    """Encode a value with `json_hook`; whatever is large is copied once."""
    try:
        return _encode(value)
    except InPieces as large:
        return _in_one(value, large)


def _in_one(value: Any, first_met: InPieces) -> bytes:
    """Encode a value, each large string as a word, and join the strings to the rest.

    What was met first is not asked again for its data: a file may be read once only.
    """
    known = [first_met]
    word = b'"%b"' % secrets.token_hex(16).encode()
    found: list[Pieces] = []

    def hook(value: Any) -> Any:
        kind = type(value)
        if known and known[0].value is value:
            made = known.pop().pieces
        else:
            made = value.json_pieces() if kind is Media else value
        if type(made) is not Pieces:
            return made if kind is Media else json_hook(value)
        found.append(made)
        return Raw(word)

    first, *others = msgspec.json.Encoder(enc_hook=hook).encode(value).split(word)
    parts: list[bytes | memoryview] = [first]
    for pieces, other in zip(found, others, strict=True):
        parts += (*pieces.parts, other)
    return b"".join(parts)


def msgpack_hook(value: Any) -> Any:
    """Say how MessagePack carries what is no Struct: raw JSON as its text, media as binary."""
    kind = type(value)
    if kind is Arguments or kind is RawJson:
        return value.packed()
    if kind is Media:
        return value.msgpack()
    if kind is LlmMessage:
        return value.packed()
    if kind is UnknownKeys:
        raise Unplaced
    raise TypeError(f"`{kind.__name__}` is no part of the model")


def packed(value: Any) -> Any:
    """Do as `flattened` does, for MessagePack."""
    if type(value) is list and value and type(value[0]) is LlmMessage:
        return [m.packed() if type(m) is LlmMessage else m for m in value]
    return value


def flattened(value: Any) -> Any:
    """Unwrap a list of `LlmMessage` at once, which is cheaper than a hook call each."""
    if type(value) is list and value and type(value[0]) is LlmMessage:
        return [m._flat or m.flat() if type(m) is LlmMessage else m for m in value]
    return value


def as_encode_error(error: Exception, wire: str) -> EncodeError:
    """Return ours for whatever the encoder raised, or media that turned out to be no base64."""
    return EncodeError(error.reason if isinstance(error, WireglotError) else str(error), wire=wire)


def rebuilt(value: Any, merged: Callable[[Any, RawJson], Any]) -> Any:
    """Return `value` with every part that has unknown keys replaced by `merged(part, keys)`.

    Parts without any are kept as they are, and shared with `value`.
    """
    kind = type(value)
    if kind is LlmMessage:
        value._take_apart()  # as msgpack_hook does
        return rebuilt(value.flat(), merged)
    if kind is list or kind is tuple:
        items = [rebuilt(item, merged) for item in value]
        return items if any(a is not b for a, b in zip(items, value, strict=True)) else value
    if kind is dict:
        parts = {key: rebuilt(item, merged) for key, item in value.items()}
        return parts if any(parts[key] is not item for key, item in value.items()) else value
    if not isinstance(value, Struct):
        return value
    changes = {}
    for name in value.__struct_fields__:
        old = getattr(value, name)
        if old is None or type(old) is str or name == "extras":
            continue
        new = rebuilt(old, merged)
        if new is not old:
            changes[name] = new
    extras = getattr(value, "extras", None)
    if extras is None or NATIVE not in extras or type(extras[NATIVE].keys) is not UnknownKeys:
        return replace(value, **changes) if changes else value
    others = {api: extra for api, extra in extras.items() if api != NATIVE}
    return merged(replace(value, **changes, extras=others or None), extras[NATIVE].keys)
