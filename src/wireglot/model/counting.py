"""The number of keys and values in a document, counted before memory is spent on them.

A decoder makes up to 100 bytes of one byte of `[` or `0x90`. A document of no more bytes than
values are allowed needs no count, so most documents are not counted at all.
"""

from __future__ import annotations

import re
from typing import Any, Final

from ..errors import LimitError

__all__ = ["INCREASE_VALUES", "MOST_VALUES", "check_json", "check_msgpack"]

MOST_VALUES: Final = 4_000_000

_MARKS: Final = b",:[{"
_NO_MARKS: Final = bytes({*range(256)} - {*_MARKS})
_NO_STRUCTURE: Final = bytes({*range(256)} - {*_MARKS, *b'"'})
_strings = re.compile(rb'"[^"]*+"?').finditer


INCREASE_VALUES: Final = "; increase `Limits.values`"
"""What to do where the caller gives the limit."""


def check_json(data: Any, most: int = MOST_VALUES, wire: str = "", step: str = "") -> None:
    """Raise `LimitError` if a JSON text has more than `most` commas, colons and opening brackets.

    That is one for each value and each key, and one for each empty list or object. `step` is the
    end of the message.
    """
    if len(data) <= most:
        return
    text = data.encode("utf-8", "replace") if isinstance(data, str) else bytes(data)
    if len(text.translate(None, _NO_MARKS)) <= most:
        return
    # Text has such marks too: count again without the strings. An escape may be a quote.
    if b"\\" in text:
        text = text.replace(b"\\\\", b"").replace(b'\\"', b"")
    text = text.translate(None, _NO_STRUCTURE).replace(b'""', b"")
    found = len(text)
    for string in _strings(text):
        found -= len(string[0])
    if found > most:
        raise _too_many(most, wire, step)


def check_msgpack(
    data: bytes | memoryview,
    most: int = MOST_VALUES,
    wire: str = "",
    documents: frozenset[int] = frozenset(),
    step: str = "",
) -> None:
    """Raise `LimitError` if a MessagePack document has more than `most` keys and values.

    An empty list or map counts as one. Values inside an extension of a type in `documents` are
    counted too.
    """
    if len(data) <= most:
        return
    at = total = 0
    remaining = 1  # how many values begin at `at` or after it
    try:
        while remaining:
            remaining -= 1
            first = data[at]
            if _SIZES[first]:
                at += _SIZES[first]
                continue
            if first in _EXTENSIONS:
                width, size = _EXTENSIONS[first]
                length = int.from_bytes(data[at + 1 : at + 1 + width], "big") if width else size
                is_document = data[at + 1 + width] in documents
                at += 2 + width
                remaining += is_document
                at += 0 if is_document else length
                continue
            if first in _TEXTS:
                width = _TEXTS[first]
                at += 1 + width + int.from_bytes(data[at + 1 : at + 1 + width], "big")
                continue
            width = _WIDE.get(first, 0)
            count = int.from_bytes(data[at + 1 : at + 1 + width], "big") if width else first & 15
            inside = 2 * count if first in _MAPS else count
            total += inside or 1
            if total > most:
                raise _too_many(most, wire, step)
            remaining += inside
            at += 1 + width
    except IndexError:  # the document is cut; its decoder will say so
        return


def _too_many(most: int, wire: str, step: str) -> LimitError:
    return LimitError(f"more than {most:,} keys and values{step}", wire=wire)


# By the first byte of a value (https://github.com/msgpack/msgpack/blob/master/spec.md): the bytes
# of those of one size, then the width of the length of others.
_SIZES: Final = [
    1 if first < 0x80 or first >= 0xE0 else first - 0x9F if 0xA0 <= first < 0xC0 else 0
    for first in range(256)
]
for _first, _size in (
    *((0xC0, 1), (0xC1, 1), (0xC2, 1), (0xC3, 1), (0xCA, 5), (0xCB, 9)),
    *((0xCC, 2), (0xCD, 3), (0xCE, 5), (0xCF, 9), (0xD0, 2), (0xD1, 3), (0xD2, 5), (0xD3, 9)),
):
    _SIZES[_first] = _size
_TEXTS: Final = {0xC4: 1, 0xC5: 2, 0xC6: 4, 0xD9: 1, 0xDA: 2, 0xDB: 4}
# The width of the length, or the length itself.
_EXTENSIONS: Final = {
    **{0xC7: (1, 0), 0xC8: (2, 0), 0xC9: (4, 0)},
    **{0xD4: (0, 1), 0xD5: (0, 2), 0xD6: (0, 4), 0xD7: (0, 8), 0xD8: (0, 16)},
}
_WIDE: Final = {0xDC: 2, 0xDD: 4, 0xDE: 2, 0xDF: 4}
_MAPS: Final = frozenset({*range(0x80, 0x90), 0xDE, 0xDF})
