"""What every target uses: an input's two choices, the errors allowed, the native round trip."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, TypeVar

import wireglot as wg

__all__ = [
    "CHOICES",
    "LawError",
    "check",
    "check_native",
    "choices",
    "cut",
    "decoded",
    "encoded",
    "is_deep",
    "is_utf8",
]

T = TypeVar("T")
CHOICES = 2
"""Bytes before the body of every input: they choose the options of a target."""
_DEEP = 300
_SIZES = (1, 2, 3, 5, 7, 11, 16, 23, 32, 47, 64, 100, 150, 250, 500, 1000)
_MOST_CHUNKS = 200


class LawError(AssertionError):
    """A law that should hold for every input that decodes is broken."""


def check(holds: object, law: str) -> None:
    if not holds:
        raise LawError(law)


def choices(data: bytes) -> tuple[int, int, bytes]:
    """Split an input into two numbers and a body. A missing byte is 0."""
    first, second = data[:CHOICES].ljust(CHOICES, b"\0")
    return first, second, data[CHOICES:]


def cut(body: bytes, choice: int) -> list[bytes]:
    """Cut a body into chunks of one of sixteen sizes; a long body is not cut into tiny chunks."""
    size = max(_SIZES[choice % len(_SIZES)], len(body) // _MOST_CHUNKS)
    return [body[at : at + size] for at in range(0, len(body), size)]


def decoded(decode: Callable[[], T], wire: str) -> T | None:
    """Return what a decoder returns, or None if it raises an error that it may raise.

    A `ProviderError` may come in place of an answer.
    """
    try:
        return decode()
    except wg.DecodeError as error:
        check(error.wire == wire, f"the error names its wire, `{wire}`, not `{error.wire}`")
        check(error.path.startswith(("$", "byte ", "line ")), f"no path: {error.path}")
        return None
    except wg.ProviderError:
        return None


def encoded(encode: Callable[[], T]) -> T | None:
    """Return what an encoder returns, or None if it raises an error of ours.

    A decoded value has the right types, so a missing attribute or key is a fault of the library.
    """
    try:
        return encode()
    except wg.EncodeError as error:
        is_ours = isinstance(error.__cause__, AttributeError | LookupError | TypeError)
        check(not is_ours, f"a fault of our own: {error}")
        return None


def is_deep(*texts: bytes) -> bool:
    """Whether a text may nest near the depth where decoders stop, for which no law holds."""
    return any(text.count(b"[") + text.count(b"{") > _DEEP for text in texts)


def is_utf8(text: bytes) -> bool:
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True


def check_native(value: Any, kind: Any, *, is_json: bool = True) -> None:
    """Check that both native wires give back a value that was decoded, and the same bytes.

    `is_json` says that its free-form data came from JSON. From MessagePack it may hold numbers,
    binary data, times and keys other than text, which JSON writes as something else.
    """
    text = encoded(lambda: wg.json.encode(value))
    packed = encoded(lambda: wg.msgpack.encode(value))
    if text is None or is_deep(text):
        return
    if not is_json:
        text = wg.json.encode(wg.json.decode(text, kind))
    again = wg.json.decode(text, kind)
    check(wg.json.encode(again) == text, "JSON writes the same bytes again")
    check(again == value or not is_json, "JSON gives back an equal value")
    if packed is not None:
        again = wg.msgpack.decode(packed, kind)
        check(wg.msgpack.encode(again) == packed, "MessagePack writes the same bytes again")
        check(_is_equal(again, value), "MessagePack gives back an equal value")
        check(_says_the_same(wg.json.encode(again), text), "MessagePack and JSON say the same")


def _says_the_same(one: bytes, other: bytes) -> bool:
    """Whether two texts are equal as JSON."""
    return one == other or bool(_loads(one) == _loads(other))


def _loads(text: bytes) -> Any:
    return json.loads(text.decode(errors="replace"))


def _is_equal(one: Any, other: Any) -> bool:
    """Whether two values are equal. NaN is not equal to itself; with one, their JSON has to be."""
    if one == other:
        return True
    return "nan" in repr(other) and wg.json.encode(one) == wg.json.encode(other)
