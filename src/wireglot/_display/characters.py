"""Text of somebody else -> text that controls no terminal, turns nothing around and hides nothing.

The characters concerned are Unicode's categories Cc (control), Cf (format), Zl and Zp (line ends),
Cs (half characters), and the code points that it reserves for more characters without a shape.

Not concerned are:
- U+200C and U+200D, the joiners inside words of Persian and Indic scripts, and inside emoji. They
  change the shape of their neighbours only;
- the few of category Cf that have a shape, such as the signs above Arabic numbers;
- private and other unassigned code points, for which a terminal draws a box or a symbol.
"""

from __future__ import annotations

from typing import Final

__all__ = ["escaped", "one_line", "visible"]

_CONTROLS: Final = (*range(0x20), *range(0x7F, 0xA0))
_LINE_ENDS: Final = (0x2028, 0x2029)
_HIDDEN: Final = (
    0xAD,  # the soft hyphen
    0x61C,  # the Arabic letter mark, which sets a direction
    0x180E,
    0x200B,  # the space of no width
    *range(0x200E, 0x2010),  # marks of direction
    *range(0x202A, 0x202F),  # embedding and override of direction
    *range(0x2060, 0x2070),  # joiners, invisible operators, isolates
    *range(0xD800, 0xE000),
    0xFEFF,  # the byte order mark
    *range(0xFFF0, 0xFFFC),  # annotations
    *range(0x13430, 0x13440),
    *range(0x1BCA0, 0x1BCA4),
    *range(0x1D173, 0x1D17B),
    *range(0xE0000, 0xE0100),  # tags: a whole text can hide in them
    *range(0xE01F0, 0xE1000),  # up to here from the last variation selector
)
_VISIBLE: Final = {
    **dict.fromkeys((*_CONTROLS, *_HIDDEN), 0xFFFD),
    **{code: 0x2400 + code for code in range(0x20) if chr(code) not in "\n\t"},
    0x7F: 0x2421,
    **dict.fromkeys(_LINE_ENDS, 0x0A),
    0x09: 0x09,
    0x0A: 0x0A,
}


def _escape(code: int) -> str:
    units = chr(code).encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))


# JSON has those below U+0020 outside strings only, as spaces between values.
_ESCAPED: Final = {
    code: _escape(code) for code in (*_CONTROLS, *_LINE_ENDS, *_HIDDEN) if code >= 0x20
}


def visible(text: str) -> str:
    """Return text in which visible characters replace those that would control a terminal."""
    return text.replace("\r\n", "\n").translate(_VISIBLE)


def one_line(text: str) -> str:
    """Return text as `visible` does, on one line."""
    return visible(text).replace("\n", "␊")


def escaped(json: bytes) -> bytes:
    """Return the same JSON, in which a backslash and a number stand for each of these."""
    return json.decode().translate(_ESCAPED).encode()
