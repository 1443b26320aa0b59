r"""Model values <-> native JSON.

`decode` reads canonical data in one C decode; a tolerant reader reads the rest. Results hold slices
of the input (media, tool arguments, unknown keys) and keep it alive; `detach` on a value copies it
out.

Input that JSON or Unicode does not allow:

- a byte order mark is skipped (RFC 8259, 8.1);
- a lone surrogate escape (``"\ud83d"``) is a `DecodeError`; with a list as `losses` it becomes
  U+FFFD and a `Loss` says where;
- NaN, trailing garbage, truncation, invalid UTF-8, numbers beyond a double: `DecodeError`; the
  base64 of media is not checked before it is used (see `check_media`);
- deeper nesting than the C decoder can read: `LimitError`; see `Limits.depth`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, TypeVar, cast, overload

import msgspec
from msgspec import Raw
from msgspec.structs import replace

from ._body.encode import Unplaced, as_encode_error, checked, encode_json, json_only_hook, rebuilt
from ._body.surrogates import lose_values, mended_text, mended_value
from ._native import check as _checks
from ._native.reader import SESSION, Reader, check_hooked
from .errors import DecodeError, EncodeError, LimitError, LossError
from .limits import DEFAULT_LIMITS, Limits
from .losses import Losses
from .model import AgentMessage, RawJson
from .model.source import ASCII_JSON, JSON, Source, settled

__all__ = ["dec_hook", "decode", "decode_lines", "enc_hook", "encode", "encode_lines"]

T = TypeVar("T")
Data = bytes | bytearray | memoryview | str

_WIRE = "json"
_decode_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_reader = Reader(_WIRE, msgspec.json.Decoder)

_SMALL = 1_000_000
_ONE_LINE = bytes.maketrans(b"\r\n", b"  ")
_BOM = b"\xef\xbb\xbf"
_NESTING = re.compile(rb'"(?:[^"\\]|\\.)*+"?|([\[{])|([\]}])', re.DOTALL)


@overload
def decode(
    data: Data, *, limits: Limits | None = ..., losses: Losses = ..., check_media: bool = ...
) -> list[AgentMessage]: ...
@overload
def decode(
    data: Data,
    type: type[T],
    *,
    limits: Limits | None = ...,
    losses: Losses = ...,
    check_media: bool = ...,
) -> T: ...
@overload
def decode(
    data: Data,
    type: Any,
    *,
    limits: Limits | None = ...,
    losses: Losses = ...,
    check_media: bool = ...,
) -> Any: ...
def decode(
    data: Data,
    type: Any = SESSION,
    *,
    limits: Limits | None = None,
    losses: Losses = None,
    check_media: bool = False,
) -> Any:
    """Decode one native document, by default a list of `AgentMessage`.

    `type` is any model type, a list of one, or a type of your own that holds such types: a Struct,
    dataclass, TypedDict and the like. `bytes` and views of `bytes` are
    not copied; any other buffer is, since its owner may write to it. Base64 is checked when it is
    used, or at once with `check_media`.

    Raises `DecodeError`, `LimitError` if the input is beyond `limits`, and `EncodeError` if no data
    can be decoded as `type`.
    """
    body = _bytes(data, losses)
    if limits is None:
        limits = DEFAULT_LIMITS
    elif limits.depth is not None:
        _check_depth(body, limits.depth)
    # In a large body this check costs more than the checks of single values that it saves.
    source: Source = JSON
    if isinstance(body, bytes) and len(body) <= _SMALL and body.isascii():
        source = ASCII_JSON
    try:
        return _reader.read(body, type, source, limits, check_media)
    except LimitError:
        raise
    except DecodeError as error:
        mended = _mended(body, losses, error)
        if mended is None:
            raise
        return _reader.read(mended, type, source, limits, check_media)


def encode(value: Any, *, losses: Losses = None, check: bool = False) -> bytes:
    """Encode any model value as JSON, usually a list of `AgentMessage` or of `Message`.

    A field whose value is of another builtin type than the field's is written as it is, and may not
    be readable. With `check`, the output is read again, and that is an error; this takes four to
    seven times as long.

    Raises `EncodeError` if a text holds a lone surrogate (with `losses`, U+FFFD replaces it), a
    file behind a media block cannot be read, or the value holds a type that is not part of the
    model.
    """
    data = _encoded(value, losses)
    if check:
        try:
            _checks.check(value, _WIRE, _encoded_part, decode, data=data)
        except RecursionError as error:
            raise EncodeError("nested too deeply", wire=_WIRE) from error
    return data


def _encoded_part(value: Any) -> bytes:
    return _encoded(value, [])


def _encoded(value: Any, losses: Losses) -> bytes:
    try:
        try:
            try:
                return encode_json(checked(value, _WIRE))
            except Unplaced:
                return encode_json(rebuilt(value, _merged))
        except UnicodeEncodeError:
            return encode_json(rebuilt(mended_value(value, _WIRE, "$", losses), _merged))
    except EncodeError:
        raise
    except RecursionError as error:
        raise EncodeError("nested too deeply", wire=_WIRE) from error
    except (Unplaced, TypeError, ValueError) as error:
        raise as_encode_error(error, _WIRE, value) from error


def encode_lines(
    messages: Iterable[Any], *, losses: Losses = None, check: bool = False
) -> Iterator[bytes]:
    """Encode values as JSON Lines, one at a time, each with its line feed; `check` as in `encode`.

    Raises as `encode` does, with the line number in the path. The paths of losses have it too.
    """
    for number, message in enumerate(messages, 1):
        known = len(losses or ())
        try:
            line = encode(message, losses=losses, check=check)
        except EncodeError as error:
            raise error.__class__(
                error.reason, wire=_WIRE, path=f"line {number}: {error.path}"
            ) from error
        _name_line(number, losses, known)
        # A slice of pretty-printed JSON may hold line ends; outside strings they are only space.
        yield line.translate(_ONE_LINE) + b"\n" if b"\n" in line or b"\r" in line else line + b"\n"


def decode_lines(
    chunks: Data | Iterable[Data],
    type: Any = AgentMessage,
    *,
    limits: Limits | None = None,
    losses: Losses = None,
) -> Iterator[Any]:
    """Decode JSON Lines from chunks of any size, one value at a time, in constant memory.

    Lines end in LF or CRLF, blank ones are skipped, the last needs no line end. `limits` apply to
    each line.

    Raises `DecodeError` with the line number in the path, once the lines before have been yielded.
    The paths of losses have the line number too.
    """
    most = (limits or DEFAULT_LIMITS).bytes
    for number, line in enumerate(_lines(chunks, most, losses), 1):
        if line.isspace() or not line:
            continue
        known = len(losses or ())
        try:
            value = decode(line, type, limits=limits, losses=losses)
        except DecodeError as error:
            raise error.__class__(
                error.reason, wire=_WIRE, path=f"line {number}: {error.path}"
            ) from error
        _name_line(number, losses, known)
        yield value


def _name_line(number: int, losses: Losses, known: int) -> None:
    """Put the line number into the paths of the losses after the first `known`."""
    if losses is not None and len(losses) > known:
        losses[known:] = [
            replace(loss, path=f"line {number}: {loss.path}") for loss in losses[known:]
        ]


def _lines(chunks: Data | Iterable[Data], most: int, losses: Losses) -> Iterator[bytes]:
    """Cut chunks into lines. Each byte is scanned once, however small the chunks are."""
    if isinstance(chunks, bytes | bytearray | memoryview | str):
        chunks = cast("Iterable[Data]", (chunks,))
    rest: list[bytes] = []
    size = 0
    number = 1
    for chunk in chunks:
        if isinstance(chunk, str):
            *lines, tail = _encoded_lines(chunk, number, losses)
        else:
            *lines, tail = bytes(_bytes(chunk, losses)).split(b"\n")
        number += len(lines)
        for line in lines:
            yield b"".join((*rest, line)) if rest else line
            rest.clear()
            size = 0
        if tail:
            rest.append(tail)
            size += len(tail)
            if size > most:
                path = f"line {number}: $"
                raise LimitError(
                    f"line of more than {most:,} bytes; increase `Limits.bytes`",
                    wire=_WIRE,
                    path=path,
                )
    if rest:
        yield b"".join(rest)


def _encoded_lines(text: str, first: int, losses: Losses) -> list[bytes]:
    """Cut text into lines; `first` is the number of the first line."""
    try:
        return text.encode().split(b"\n")
    except UnicodeEncodeError:
        lines = []
    for number, line in enumerate(text.split("\n"), first):
        known = len(losses or ())
        try:
            lines.append(bytes(_bytes(line, losses)))
        except DecodeError as error:
            path = f"line {number}: {error.path}"
            raise DecodeError(error.reason, wire=_WIRE, path=path) from error
        _name_line(number, losses, known)
    return lines


def _bytes(data: Data, losses: Losses) -> bytes | memoryview:
    if isinstance(data, bytes):
        return data
    if isinstance(data, str):
        try:
            return data.encode()
        except UnicodeEncodeError:
            return _without_surrogates(data, losses).encode()
    return settled(data)


def _without_surrogates(text: str, losses: Losses) -> str:
    try:
        made = str(mended_value(text, _WIRE, "$", losses))
        lose_values(made.encode(), _WIRE, losses)
        return made
    except LossError as error:
        raise DecodeError(error.reason, wire=_WIRE, path=error.path) from error


def _mended(body: bytes | memoryview, losses: Losses, error: DecodeError) -> bytes | None:
    """Return the body without a byte order mark and lone surrogates, or None if it has neither."""
    data = bytes(body)
    try:
        mended = mended_text(data, _WIRE, losses)
    except LossError as loss:
        raise DecodeError(loss.reason, wire=_WIRE, path=loss.path) from error
    if mended is None and not data.startswith(_BOM):
        return None
    return (mended or data).removeprefix(_BOM)


def _check_depth(body: bytes | memoryview, most: int) -> None:
    depth = 0
    for match in _NESTING.finditer(body):
        if match[1]:
            depth += 1
            if depth > most:
                raise LimitError(f"nested deeper than {most}; increase `Limits.depth`", wire=_WIRE)
        elif match[2]:
            depth -= 1


def _merged(part: Any, keys: RawJson) -> dict[str, Raw]:
    """Return the keys of a Struct and its unknown keys; a known key wins, except `role`."""
    known = _decode_keys(encode_json(part))
    for key, raw in _decode_keys(keys.text).items():
        if key not in known or key == "role":
            known[key] = raw
    return known


# -- hooks for msgspec's own functions -------------------------------------------------------------


def enc_hook(value: Any) -> Any:
    """Return a value that is not a Struct as `msgspec.json.encode` can write it.

    With it, a Struct of your own may hold any type of the model. Unknown keys stay in `extras`;
    `encode` takes such a Struct too, and writes them beside the known ones.

    Raises `NotImplementedError` for a class that the model does not have, as msgspec asks of a
    hook, and otherwise as `encode` does.
    """
    return json_only_hook(value)


def dec_hook(type: Any, data: Any) -> Any:
    """Return what `msgspec.json.decode` read as `AgentMessage`, `LlmMessage` or a raw value.

    msgspec has parsed the data by then: numbers keep their value, but not their spelling. `decode`
    takes the same types, and keeps every byte.

    Raises `DecodeError`, of which msgspec makes its own error with the path, and
    `NotImplementedError` for a class that the model does not have, as msgspec asks of a hook.
    """
    check_hooked(type)
    return decode(msgspec.json.encode(data), type)
