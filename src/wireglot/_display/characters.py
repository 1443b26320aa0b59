"""Text of somebody else -> text that controls no terminal, turns nothing around and hides nothing.

The characters concerned are Unicode's categories Cc (control), Cf (format), Zl and Zp (line ends),
Cs (half characters), those with its property Default_Ignorable_Code_Point (DerivedCoreProperties,
version 16), which have no shape, and a blank of Braille alone.

Not concerned are:
- U+200C and U+200D, the joiners inside words of Persian and Indic scripts, and inside emoji, up to
  three in a row. They change the shape of their neighbours only;
- one variation selector behind a character that has variations: an emoji, an ideograph, a letter of
  Mongolian, whose vowel separator stays between two letters;
- the tags in the flags of England, Scotland and Wales;
- the blank of Braille beside a cell of Braille;
- the few of category Cf that have a shape, such as the signs above Arabic numbers;
- private and other unassigned code points, for which a terminal draws a box or a symbol.
"""

from __future__ import annotations

import re
from typing import Final

_CONTROLS: Final = (*range(0x20), *range(0x7F, 0xA0))
_LINE_ENDS: Final = (0x2028, 0x2029)
_HIDDEN: Final = (
    0xAD,  # the soft hyphen
    0x34F,
    0x61C,  # the Arabic letter mark, which sets a direction
    *range(0x115F, 0x1161),  # fillers of Hangul
    *range(0x17B4, 0x17B6),
    *range(0x180B, 0x1810),  # selectors of Mongolian
    0x200B,  # the space of no width
    *range(0x200E, 0x2010),  # marks of direction
    *range(0x202A, 0x202F),  # embedding and override of direction
    *range(0x2060, 0x2070),  # joiners, invisible operators, isolates
    0x2800,  # the blank of Braille
    0x3164,  # a filler of Hangul
    *range(0xD800, 0xE000),
    *range(0xFE00, 0xFE10),  # variation selectors: a whole text can hide in them
    0xFEFF,  # the byte order mark
    0xFFA0,  # a filler of Hangul
    *range(0xFFF0, 0xFFFC),  # annotations
    *range(0x13430, 0x13440),
    *range(0x1BCA0, 0x1BCA4),
    *range(0x1D173, 0x1D17B),
    *range(0xE0000, 0xE1000),  # tags and variation selectors
)
_SELECTOR: Final = "[\ufe00-\ufe0f\U000e0100-\U000e01ef]"
# The symbols that emoji-variation-sequences.txt names, by their blocks; a digit only as a key.
_EMOJI: Final = (
    "\xa9\xae\u203c\u2049\u2122\u2139\u2190-\u21ff\u231a-\u23ff\u24c2\u25aa-\u27bf\u2934\u2935"
    "\u2b05-\u2b55\u3030\u303d\u3297\u3299\U0001f000-\U0001faff"
)
_IDEOGRAPH: Final = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_MONGOLIAN: Final = "\u1820-\u18aa"
_CELL: Final = "[\u2801-\u28ff]"
_FLAGS: Final = "|".join(
    "".join(chr(0xE0000 + ord(letter)) for letter in region)
    for region in ("gbeng", "gbsct", "gbwls")
)
_usual: Final = re.compile(
    "("
    f"(?<=[{_EMOJI}])[\ufe0e\ufe0f](?!{_SELECTOR})"
    "|(?<=[0-9#*])[\ufe0e\ufe0f](?=\u20e3)"
    f"|(?<=[{_IDEOGRAPH}])[\ufe00-\ufe02\U000e0100-\U000e01ef](?!{_SELECTOR})"
    f"|(?<=[{_MONGOLIAN}])[\u180b-\u180d\u180f](?![\u180b-\u180d\u180f])"
    f"|(?<=[{_MONGOLIAN}\u180b-\u180d\u180f])\u180e(?=[{_MONGOLIAN}])"
    f"|(?<=\U0001f3f4)(?:{_FLAGS})\U000e007f"
    f"|(?<={_CELL})\u2800+|(?<!\u2800)\u2800+(?={_CELL})"
    ")"
)
_may_be_usual: Final = re.compile(
    "[\u180b-\u180f\u2800\ufe00-\ufe02\ufe0e\ufe0f\U000e0061-\U000e01ef]"
).search
_joiners: Final = re.compile("[\u200c\u200d]{4,}")
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
    text = _joiners.sub(_shown, text.replace("\r\n", "\n"))
    if not _may_be_usual(text):
        return text.translate(_VISIBLE)
    parts = _usual.split(text)  # text, what is usual, text, and so on
    parts[::2] = [part.translate(_VISIBLE) for part in parts[::2]]
    return "".join(parts)


def _shown(joiners: re.Match[str]) -> str:
    return "\ufffd" * len(joiners[0])


def one_line(text: str) -> str:
    """Return text as `visible` does, on one line."""
    return visible(text).replace("\n", "␊")


def escaped(json: bytes) -> bytes:
    """Return the same JSON, in which a backslash and a number stand for each of these."""
    return json.decode().translate(_ESCAPED).encode()
