"""A conversation -> one HTML page that needs nothing else: no script, no font, nothing fetched."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from html import escape
from importlib import resources
from io import BytesIO
from typing import Any, Final

from ..errors import WireglotError
from ..model import (
    AnnotationBlock,
    AudioBlock,
    DataBlock,
    DocumentBlock,
    ErrorBlock,
    ImageBlock,
    Media,
    MediaBlock,
    OpaqueBlock,
    TextBlock,
    ThinkingBlock,
    ToolResultBlock,
    ToolResultMessage,
    VideoBlock,
)
from .characters import visible
from .conversation import (
    Answered,
    Conversation,
    Entry,
    argument_text,
    clock,
    counted,
    json_text,
    money,
    number_of,
)
from .thumbnails import caption, thumbnail

__all__ = ["END", "page", "start"]

# A page of hostile content can load nothing, run nothing and send nothing.
_POLICY: Final = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"
_SHOWN: Final = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})
_MOST: Final = 512 * 1024
_PICTURE: Final = (1024, 1024)
_OPEN: Final = 12
_ONE_LINE: Final = 80
END: Final = "</body>\n</html>\n"
"""The end of a page."""


def start(title: str) -> str:
    """Return the start of a page."""
    style = resources.files("wireglot.cli").joinpath("page.css").read_text("utf-8")
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{_text(title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n"
    )


def page(shown: Conversation) -> Iterator[str]:
    """Yield a conversation as a section of a page, entry by entry."""
    parts = [", ".join(shown.models)] if shown.models else []
    parts.append(number_of("entry", "entries", len(shown.entries)))
    if shown.usage.input or shown.usage.output:
        parts.append(counted(shown.usage))
    if shown.cost is not None:
        parts.append(money(shown.cost, shown.currency))
    yield f"<section>\n<header>\n<h1>{_text(shown.name)}"
    yield f"<small>{shown.wire} {shown.kind}</small></h1>\n<p>{_text(' · '.join(parts))}</p>\n"
    for name, value in shown.facts:
        yield f"<p>{_text(name)}: {_text(value)}</p>\n"
    yield "</header>\n"
    for entry in shown.entries:
        yield from _entry(entry, shown.currency)
    yield "</section>\n"


def _text(text: str) -> str:
    return escape(visible(text))


def _entry(entry: Entry, currency: str) -> Iterator[str]:
    parts = [entry.by or "", clock(entry.time)]
    if entry.usage is not None:
        parts.append(counted(entry.usage))
    if entry.cost is not None:
        parts.append(money(entry.cost, currency))
    beside = "".join(f" <span>{_text(part)}</span>" for part in parts if part)
    yield f'<article class="{_text(entry.role)}">\n<h2>{_text(entry.role)}{beside}</h2>\n'
    for block in entry.blocks:
        yield _BLOCKS[type(block)](block)
    if entry.error is not None:
        yield f'<p class="text bad">{_text(entry.error)}</p>\n'
    yield "</article>\n"


def _paragraph(block: TextBlock) -> str:
    return f'<div class="text">{_text(block.text)}</div>\n'


def _thinking(block: ThinkingBlock) -> str:
    if block.redacted:
        return '<p class="note thinking">thinking, encrypted</p>\n'
    start = _text(" ".join(block.thinking[:200].split()))
    return (
        f'<details class="thinking"><summary>thinking <span>{start}</span></summary>'
        f'<div class="text">{_text(block.thinking)}</div></details>\n'
    )


def _call(answered: Answered) -> str:
    call, result = answered
    arguments = " ".join(str(call.arguments.text, "utf-8", "replace").split())
    is_short = len(arguments) <= _ONE_LINE
    failed = ' <span class="bad">failed</span>' if result is not None and result.is_error else ""
    is_open = " open" if result is None or _is_short(result) else ""
    return (
        f"<details{is_open}><summary><b>{_text(call.name)}</b>{failed} "
        f"<span>{_text(arguments[:300])}</span></summary>"
        f"{'' if is_short else f'<pre>{_text(argument_text(call))}</pre>'}"
        f"{'' if result is None else _result(result)}</details>\n"
    )


def _is_short(result: Any) -> bool:
    text = "".join(block.text for block in result.content if type(block) is TextBlock)
    return text.count("\n") < _OPEN and len(text) < 100 * _OPEN


def _result(result: Any) -> str:
    parts = []
    for block in result.content:
        if type(block) is TextBlock:
            parts.append(f"<pre>{_text(block.text)}</pre>")
        elif isinstance(block, ToolResultBlock):  # may be nested to any depth
            parts.append('<p class="note">a result inside a result</p>')
        else:
            parts.append(_BLOCKS[type(block)](block))
    kind = "result bad" if result.is_error else "result"
    return f'<div class="{kind}">{"".join(parts)}</div>'


def _lone_result(result: Any) -> str:
    name = _text(result.tool_name or "result")
    return (
        f"<details open><summary><b>{name}</b> <span>{_text(result.tool_call_id)}</span></summary>"
        f"{_result(result)}</details>\n"
    )


def _media(block: MediaBlock) -> str:
    picture = ""
    if type(block) is ImageBlock:
        try:
            picture = f'<img alt="{_text(block.alt_text or "")}" src="{_picture(block)}">'
        except WireglotError:
            picture = '<p class="note">not shown: no image that can be read</p>'
    texts = (getattr(block, "text", None), getattr(block, "transcript", None))
    more = "".join(f"<pre>{_text(text)}</pre>" for text in texts if text)
    return f'{picture}<p class="note">{_text(caption(block))}</p>{more}\n'


def _picture(block: MediaBlock) -> str:
    """Return an image as a `data:` URL, unchanged if it is small and browsers show its type."""
    media = block.inline()
    small = thumbnail(block, *_PICTURE)  # raises if it is not an image
    if media is not None and media.sniffed in _SHOWN and media.size <= _MOST:
        return Media.from_bytes(media.view()).data_url()
    made = BytesIO()
    small.save(made, "PNG")
    return Media.from_bytes(made.getvalue()).data_url("image/png")


def _notes(block: AnnotationBlock) -> str:
    refs = (ref.url or ref.title or ref.file_id or "a source" for ref in block.refs)
    return f'<p class="note">{_text(block.kind)}: {_text(", ".join(refs))}</p>\n'


def _error(block: ErrorBlock) -> str:
    return f'<p class="text bad">{_text(block.message)}</p>\n'


def _opaque(block: OpaqueBlock) -> str:
    return (
        f"<details><summary>{_text(block.api)}</summary>"
        f"<pre>{_text(json_text(block.raw))}</pre></details>\n"
    )


_BLOCKS: Final[dict[type[Any], Callable[[Any], str]]] = {
    TextBlock: _paragraph,
    ThinkingBlock: _thinking,
    Answered: _call,
    ToolResultBlock: _lone_result,
    ToolResultMessage: _lone_result,
    ImageBlock: _media,
    AudioBlock: _media,
    VideoBlock: _media,
    DocumentBlock: _media,
    DataBlock: _media,
    AnnotationBlock: _notes,
    ErrorBlock: _error,
    OpaqueBlock: _opaque,
}
