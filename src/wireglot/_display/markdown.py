"""Markdown of somebody else -> HTML that runs nothing, fetches nothing and lacks nothing.

It is CommonMark with tables and strikethrough. HTML in it is text, and so are images, whose source
becomes a link. Links lead to `http`, `https` and `mailto` alone.

Markdown can hide text: link definitions, table cells beyond the last column, whatever is nested too
deeply. So every letter of the source is looked for in the result.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from html import escape
from typing import TYPE_CHECKING, Any, Final

from .._runtime.extras import needs
from .characters import visible

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_MOST: Final = 50_000
"""Characters. The time that hostile text takes grows faster than the text."""
_may_be_followed = re.compile(r"https?://|mailto:", re.IGNORECASE).match
_MARKS: Final = dict.fromkeys(map(ord, string.punctuation + string.whitespace))


def markdown_html(text: str) -> str | None:
    """Return text as HTML; None if it is long, or if Markdown would leave out a part of it.

    None too if it may be a table of many empty cells: rows get those that they lack.
    """
    if len(text) > _MOST or _most_cells(text) > len(text):
        return None
    text = visible(text)
    tokens = _reader().parse(text)
    lacks = Counter(text.translate(_MARKS))
    lacks.subtract("".join(_shown(tokens)))
    if any(count > 0 for count in lacks.values()):
        return None
    html: str = _reader().renderer.render(tokens, _reader().options, {})
    return html


def _most_cells(text: str) -> int:
    lines = text.split("\n")
    return len(lines) * max(line.count("|") for line in lines)


def _shown(tokens: Sequence[Token]) -> Iterator[str]:
    """Yield all text that a reader sees: also that of attributes, which the style sheet shows."""
    for token in tokens:
        if token.children is None:
            yield token.content
            yield token.info
        else:
            yield from _shown(token.children)
        yield from (str(token.attrs[name]) for name in ("href", "title") if name in token.attrs)


@cache
def _reader() -> MarkdownIt:
    with needs("Markdown on a page", "'wireglot[cli]'"):
        from markdown_it import MarkdownIt

    reader = MarkdownIt("commonmark", {"html": False, "breaks": True})
    reader.enable(["strikethrough", "table"])
    # An address in `<>` would be shown twice, an entity could stand for an invisible character.
    reader.disable(["autolink", "entity", "image", "reference"])
    reader.validateLink = lambda url: _may_be_followed(url) is not None  # type: ignore[method-assign]
    reader.normalizeLink = lambda url: url  # type: ignore[method-assign]
    reader.add_render_rule("fence", _code)
    reader.add_render_rule("code_block", _code)
    reader.add_render_rule("list_item_open", _item)
    return reader


def _code(_: Any, tokens: Sequence[Token], index: int, *more: Any) -> str:
    """Return code, with the words behind the fence above it: they may be more than a language."""
    token = tokens[index]
    above = f'<p class="note">{escape(token.info.strip())}</p>\n' if token.info.strip() else ""
    return f"{above}<pre>{escape(token.content)}</pre>\n"


def _item(_: Any, tokens: Sequence[Token], index: int, *more: Any) -> str:
    """Return the start of an item, with the number that the text gives it."""
    number = tokens[index].info
    return f'<li value="{escape(number)}">' if number else "<li>"
