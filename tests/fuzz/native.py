"""Inputs of the native wires and of media -> nothing, or the law that one of them broke."""

from __future__ import annotations

import contextlib
import pickle
from collections.abc import Iterable
from typing import Any

from msgspec import Raw

import wireglot as wg
from tests.fuzz.laws import check, check_native, choices, cut, decoded, encoded, is_deep

__all__ = ["KINDS", "NATIVE"]

KINDS: tuple[Any, ...] = (list[wg.AgentMessage], wg.Request, wg.Response, wg.AgentMessage)
_SMALL = wg.Limits(bytes=400, messages=2, blocks=3, depth=6)


def _json(data: bytes) -> None:
    first, second, body = choices(data)
    kind = KINDS[first % len(KINDS)]
    options: dict[str, Any] = {"check_media": bool(second & 1)}
    if second & 2:
        options["limits"] = _SMALL
    strict = decoded(lambda: wg.json.decode(body, kind, **options), "json")
    losses: list[wg.Loss] = []
    value = decoded(lambda: wg.json.decode(body, kind, losses=losses, **options), "json")
    if strict is not None:
        check(not losses, "what decodes without a list of losses has none")
        check(value == strict or is_deep(body), "a list of losses changes nothing without a loss")
    if value is not None:
        check_native(value, kind)


def _lines(data: bytes) -> None:
    first, _, body = choices(data)
    whole = _read([body], [])
    check(_read(cut(body, first), []) == whole, "any chunking gives the same values and error")
    check_strict = _read([body], None)
    check(check_strict[0] == whole[0][: len(check_strict[0])], "losses change no value before")
    values, _ = whole
    written = encoded(lambda: b"".join(wg.json.encode_lines(values)))
    if written is None or is_deep(written):
        return
    again, error = _read([written], None)
    check(error is None and again == values, "lines give back the values")
    check(b"".join(wg.json.encode_lines(again)) == written, "lines are written the same again")


def _read(
    chunks: Iterable[bytes], losses: list[wg.Loss] | None
) -> tuple[list[Any], type[Exception] | None]:
    """Return the values of lines, and the type of the error after them, None if there is none."""
    values: list[Any] = []
    try:
        values.extend(wg.json.decode_lines(chunks, losses=losses))
    except wg.DecodeError as error:
        check(error.path.startswith("line ") or type(error) is wg.LimitError, "a path has its line")
        return values, type(error)
    return values, None


def _msgpack(data: bytes) -> None:
    first, second, body = choices(data)
    kind = KINDS[first % len(KINDS)]
    options: dict[str, Any] = {"check_media": bool(second & 1)}
    if second & 2:
        options["limits"] = _SMALL
    value = decoded(lambda: wg.msgpack.decode(body, kind, **options), "msgpack")
    if value is not None:
        check_native(value, kind, is_json=False)


def _media(data: bytes) -> None:
    first, second, body = choices(data)
    held: Any = None
    with contextlib.suppress(wg.WireglotError):
        held = _HELD[first % len(_HELD)](body)
    if held is None:
        return
    declared = held.mime_type
    check(declared is None or isinstance(declared, str), "a type is a text")
    view = decoded(held.view, "media")
    text = decoded(held.to_base64, "media")
    url = encoded(lambda: decoded(held.data_url, "media"))
    assert isinstance(repr(held), str)
    if view is not None:
        check(held.size == len(view), "the size is that of the data")
        check(held.to_bytes() == view, "bytes are a copy of the view")
        check(wg.Media.from_bytes(bytes(view)) == held, "what holds the same data is equal")
        check(pickle.loads(pickle.dumps(held)) == held, "media can be pickled")
        is_plain = (declared or "x").isascii() and (declared or "x").isprintable()
        has_url = is_plain and "," not in (declared or "")
        check(url is not None or not has_url, "what has data has a URL")
    if text is not None:
        check(wg.Media.from_base64(text) == held, "the base64 text holds the same")
    if second & 1:
        held.detach()
    block = wg.DataBlock(data=held)
    packed = encoded(lambda: wg.msgpack.encode(block))
    written = encoded(lambda: wg.json.encode(block))
    if written is not None and view is not None:
        check(wg.json.decode(written, wg.DataBlock).data == held, "JSON gives back the data")
    if packed is not None and view is not None:
        check(wg.msgpack.decode(packed, wg.DataBlock).data == held, "MessagePack, too")
    if url is not None and view is not None:
        quoted = held.json_data_url()
        check(wg.Media.of_data_url(quoted) == held, "a quoted URL gives back the data")
    if declared is not None and declared.startswith("image/"):
        with contextlib.suppress(wg.DecodeError):
            held.to_pil()


def _in_json(body: bytes) -> wg.Media | None:
    return wg.json.decode(b'{"type":"data","data":' + body + b"}", wg.DataBlock).data


_HELD: tuple[Any, ...] = (
    wg.Media.from_base64,
    lambda body: wg.Media.from_base64(body.decode("utf-8", "surrogateescape")),
    lambda body: wg.Media.from_data_url(body.decode("utf-8", "surrogateescape")),
    wg.Media.from_bytes,
    lambda body: _in_json(b'"' + body + b'"'),
    _in_json,
    lambda body: wg.Media.of_data_url(Raw(wg.json.encode(body.decode("utf-8", "replace")))),
    lambda body: wg.msgpack.decode(b"\x82\xa4type\xa4data\xa4data" + body, wg.DataBlock).data,
)

NATIVE = {"json": _json, "lines": _lines, "msgpack": _msgpack, "media": _media}
