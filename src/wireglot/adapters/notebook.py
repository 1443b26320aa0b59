"""Values of the model -> what a notebook shows of them: HTML without a script, and not much of it.

Jupyter asks messages, blocks, requests and answers by themselves (`_repr_html_`). For lists of
them, such as a session, it has to be told once, in a cell::

    %load_ext wireglot.adapters.notebook

Nothing is fetched and no file is read: media in a file, in a store or behind a URL are only named.
Texts are shown as Markdown if markdown-it-py is installed, as with `wireglot[cli]`; otherwise as
they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from importlib.util import find_spec
from typing import Any, Final

from .._body.field_types import fault
from .._display.conversation import Conversation, Entry, conversation
from .._display.page import Room, block_html, ending, facts, heading, style, summary
from .._display.prices import Prices
from ..model import AgentMessage, Content, LlmMessage, Request, Response
from ..model.session import whole

__all__ = ["MOST", "html", "load_ipython_extension"]

MOST: Final = 256 * 1024
"""The most characters that one value becomes, its style sheet and a last note not counted."""

_ROOM: Final = Room(
    text=4_000,
    pixels=512,
    bytes=32 * 1024,
    reads_files=False,
    reads_markdown=find_spec("markdown_it") is not None,
)
_REPORTED: Final = Prices("USD", lambda model, usage, when: None)  # what an answer says itself
_DOCUMENTS: Final[tuple[Any, ...]] = (Request, Response)
_ENTRIES: Final[tuple[Any, ...]] = (AgentMessage, LlmMessage)
_BLOCKS: Final[tuple[Any, ...]] = Content.__args__


def html(value: Any) -> str | None:
    """Return a message, a block, a request, an answer, or a list of messages or of blocks as HTML.

    Texts are cut after 4,000 characters, the whole after `MOST`. Return None for any other value,
    and for one that is not valid.
    """
    items = value if type(value) is list else [value]
    try:
        if not items or any(fault(_struct(item)) for item in items if _is_ours(item)):
            return None
    except RecursionError:  # results inside results
        return None
    if isinstance(value, _DOCUMENTS):
        return _framed(_document(value))
    if all(isinstance(item, _ENTRIES) for item in items):
        return _framed(_document(items) if value is items else _articles(_shown(items)))
    if all(isinstance(item, _BLOCKS) for item in items):
        return _framed(block_html(item, _ROOM) for item in items)
    return None


def load_ipython_extension(ipython: Any) -> None:
    """Let lists of messages and of blocks be shown as well; `%load_ext` calls this."""
    ipython.display_formatter.formatters["text/html"].for_type(list, html)


def _is_ours(value: Any) -> bool:
    return isinstance(value, (*_DOCUMENTS, *_ENTRIES, *_BLOCKS))


def _struct(value: Any) -> Any:
    return whole(value)


def _shown(value: Any) -> Conversation:
    return conversation("", "native", "", value, _REPORTED)


@cache
def _style() -> str:
    return style("entries")


def _framed(pieces: Iterable[str]) -> str:
    """Return pieces inside one element, as many as there is room for; each is whole by itself."""
    parts: list[str] = []
    left = MOST
    for piece in pieces:
        left -= len(piece)
        if left < 0:
            parts.append('<p class="note">the rest is left out here</p>\n')
            break
        parts.append(piece)
    return f'<div class="wireglot">\n<style>\n{_style()}</style>\n{"".join(parts)}</div>\n'


def _document(value: Any) -> Iterator[str]:
    shown = _shown(value)
    yield f'<p class="note">{summary(shown)}</p>\n'
    yield facts(shown, _ROOM)
    yield from _articles(shown)


def _articles(shown: Conversation) -> Iterator[str]:
    for entry in shown.entries:
        yield _article(entry, shown.currency)


def _article(entry: Entry, currency: str) -> str:
    """Return an entry, and of its blocks those for which there is room."""
    parts = [heading(entry, currency)]
    left = MOST // 2
    for number, block in enumerate(entry.blocks):
        piece = block_html(block, _ROOM)
        left -= len(piece)
        if left < 0:
            more = len(entry.blocks) - number
            parts.append(f'<p class="note">{more:,} more of {len(entry.blocks):,} blocks</p>\n')
            break
        parts.append(piece)
    return "".join([*parts, ending(entry, _ROOM)])
