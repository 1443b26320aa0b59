"""A conversation -> HTML that needs nothing else: no script, no font, nothing fetched."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from html import escape
from importlib import resources
from io import BytesIO
from typing import Any, Final, NamedTuple

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
    ToolCallBlock,
    ToolResultBlock,
    ToolResultMessage,
    VideoBlock,
)
from .characters import visible
from .conversation import (
    Answered,
    Conversation,
    Entry,
    Extension,
    argument_text,
    clock,
    counted,
    json_text,
    money,
    number_of,
)
from .markdown import markdown_html
from .thumbnails import caption, thumbnail, unshown

# A page of hostile content can load nothing, run nothing and send nothing.
_POLICY: Final = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"
_SHOWN: Final = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})
_OPEN: Final = 12
_ONE_LINE: Final = 80
END: Final = "</body>\n</html>\n"
"""The end of a page."""


class Room(NamedTuple):
    """How much of a block is shown: characters of each text, pixels and bytes of each picture.

    A picture of more bytes is reduced to these pixels. Without `reads_files`, one that is in a file
    or behind a loader is not read. With `reads_markdown`, texts are, which needs markdown-it-py.
    """

    text: int
    pixels: int
    bytes: int
    reads_files: bool
    reads_markdown: bool


_PAGE: Final = Room(
    text=2**62, pixels=1024, bytes=512 * 1024, reads_files=True, reads_markdown=True
)


def style(name: str) -> str:
    """Return a style sheet: `page`, or `entries` for what is in an element of class `wireglot`."""
    return resources.files("wireglot._display").joinpath(f"{name}.css").read_text("utf-8")


def start(title: str) -> str:
    """Return the start of a page."""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="referrer" content="no-referrer">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{_text(title)}</title>\n<style>\n{style('entries')}{style('page')}</style>\n"
        '</head>\n<body class="wireglot">\n'
    )


def summary(shown: Conversation) -> str:
    """Return what a conversation is in one line: models, entries, tokens, cost."""
    parts = [", ".join(shown.models)] if shown.models else []
    parts.append(number_of("entry", "entries", len(shown.entries)))
    if shown.usage.input or shown.usage.output:
        parts.append(counted(shown.usage))
    if shown.cost is not None:
        parts.append(money(shown.cost, shown.currency))
    return _text(" · ".join(parts))


def facts(shown: Conversation, room: Room) -> str:
    """Return the parameters of a request, a paragraph each."""
    return "".join(f"<p>{_text(name)}: {_cut(value, room)}</p>\n" for name, value in shown.facts)


def page(shown: Conversation) -> Iterator[str]:
    """Yield a conversation as a section of a page, entry by entry."""
    yield f"<section>\n<header>\n<h1>{_text(shown.name)}"
    yield f"<small>{shown.wire} {shown.kind}</small></h1>\n<p>{summary(shown)}</p>\n"
    yield facts(shown, _PAGE)
    yield "</header>\n"
    for entry in shown.entries:
        yield heading(entry, shown.currency)
        for block in entry.blocks:
            yield block_html(block, _PAGE)
        yield ending(entry, _PAGE)
    yield "</section>\n"


def _text(text: str) -> str:
    return escape(visible(text))


def heading(entry: Entry, currency: str) -> str:
    """Return the start of an entry: who, and when; `ending` closes the element."""
    parts = [entry.by or "", clock(entry.time)]
    if entry.usage is not None:
        parts.append(counted(entry.usage))
    if entry.cost is not None:
        parts.append(money(entry.cost, currency))
    beside = "".join(f" <span>{_text(part)}</span>" for part in parts if part)
    return f'<article class="{_text(entry.role)}">\n<h2>{_text(entry.role)}{beside}</h2>\n'


def ending(entry: Entry, room: Room) -> str:
    """Return the end of an entry, with its error."""
    failed = "" if entry.error is None else f'<p class="text bad">{_cut(entry.error, room)}</p>\n'
    return f"{failed}</article>\n"


def block_html(block: Any, room: Room) -> str:
    """Return one block of an entry as an element."""
    return _BLOCKS[type(block)](block, room)


def _shortened(text: str, room: Room) -> str:
    """Return a text that may be long, cut where there is no more room."""
    more = len(text) - room.text
    return text if more <= 0 else f"{text[: room.text]}… and {more:,} more characters"


def _cut(text: str, room: Room) -> str:
    return _text(_shortened(text, room))


def _paragraph(block: TextBlock, room: Room) -> str:
    text = _shortened(block.text, room)
    html = markdown_html(text) if room.reads_markdown else None
    if html is not None:
        return f'<div class="markdown">{html}</div>\n'
    return f'<div class="text">{_text(text)}</div>\n'


def _thinking(block: ThinkingBlock, room: Room) -> str:
    if block.redacted:
        return '<p class="note thinking">thinking, encrypted</p>\n'
    start = _text(" ".join(block.thinking[:200].split()))
    return (
        f'<details class="thinking"><summary>thinking <span>{start}</span></summary>'
        f'<div class="text">{_cut(block.thinking, room)}</div></details>\n'
    )


def _call(answered: Answered, room: Room) -> str:
    call, result = answered
    arguments = " ".join(str(call.arguments.text, "utf-8", "replace").split())
    is_short = len(arguments) <= _ONE_LINE
    failed = ' <span class="bad">failed</span>' if result is not None and result.is_error else ""
    is_open = " open" if result is None or _is_short(result) else ""
    return (
        f"<details{is_open}><summary><b>{_text(call.name)}</b>{failed} "
        f"<span>{_text(arguments[:300])}</span></summary>"
        f"{'' if is_short else f'<pre>{_cut(argument_text(call), room)}</pre>'}"
        f"{'' if result is None else _result(result, room)}</details>\n"
    )


def _lone_call(call: ToolCallBlock, room: Room) -> str:
    """Return a call outside a conversation, or inside a result, where nobody answers it."""
    return _call(Answered(call, None), room)


def _is_short(result: Any) -> bool:
    text = "".join(block.text for block in result.content if type(block) is TextBlock)
    return text.count("\n") < _OPEN and len(text) < 100 * _OPEN


def _result(result: Any, room: Room) -> str:
    parts = []
    for block in result.content:
        if type(block) is TextBlock:
            parts.append(f"<pre>{_cut(block.text, room)}</pre>")
        elif isinstance(block, ToolResultBlock):  # may be nested to any depth
            parts.append('<p class="note">a result inside a result</p>')
        else:
            parts.append(block_html(block, room))
    kind = "result bad" if result.is_error else "result"
    return f'<div class="{kind}">{"".join(parts)}</div>'


def _lone_result(result: Any, room: Room) -> str:
    name = _text(result.tool_name or "result")
    return (
        f"<details open><summary><b>{name}</b> <span>{_text(result.tool_call_id)}</span></summary>"
        f"{_result(result, room)}</details>\n"
    )


def _media(block: MediaBlock, room: Room) -> str:
    media = block.data  # what a `data:` URL has is here
    if media is not None and media.is_elsewhere and not room.reads_files:
        kind = block.__struct_config__.tag
        return f'<p class="note">{kind}, not read: it is in a file or in a store</p>\n'
    picture = ""
    if type(block) is ImageBlock:
        try:
            picture = f'<img alt="{_text(block.alt_text or "")}" src="{_picture(block, room)}">'
        except WireglotError as error:
            picture = f'<p class="note">{unshown(error)}</p>'
    texts = (getattr(block, "text", None), getattr(block, "transcript", None))
    more = "".join(f"<pre>{_cut(text, room)}</pre>" for text in texts if text)
    return f'{picture}<p class="note">{_text(caption(block))}</p>{more}\n'


def _picture(block: MediaBlock, room: Room) -> str:
    """Return an image as a `data:` URL, unchanged if it is small and browsers show its type."""
    media = block.inline()
    small = thumbnail(block, room.pixels, room.pixels)  # raises if it is not an image
    if media is not None and media.sniffed in _SHOWN and media.size <= room.bytes:
        return Media.from_bytes(media.view()).data_url()
    made = BytesIO()
    small.save(made, "PNG")
    return Media.from_bytes(made.getvalue()).data_url("image/png")


def _notes(block: AnnotationBlock, room: Room) -> str:
    refs = (ref.url or ref.title or ref.file_id or "a source" for ref in block.refs)
    return f'<p class="note">{_text(block.kind)}: {_text(", ".join(refs))}</p>\n'


def _error(block: ErrorBlock, room: Room) -> str:
    return f'<p class="text bad">{_cut(block.message, room)}</p>\n'


def _extension(block: Extension, room: Room) -> str:
    return f'<p class="note">{_text(block.kind)}</p>\n<pre>{_cut(block.data, room)}</pre>\n'


def _opaque(block: OpaqueBlock, room: Room) -> str:
    return (
        f"<details><summary>{_text(block.api)}</summary>"
        f"<pre>{_cut(json_text(block.raw), room)}</pre></details>\n"
    )


_BLOCKS: Final[dict[type[Any], Callable[[Any, Room], str]]] = {
    TextBlock: _paragraph,
    ThinkingBlock: _thinking,
    Answered: _call,
    ToolCallBlock: _lone_call,
    ToolResultBlock: _lone_result,
    ToolResultMessage: _lone_result,
    ImageBlock: _media,
    AudioBlock: _media,
    VideoBlock: _media,
    DocumentBlock: _media,
    DataBlock: _media,
    AnnotationBlock: _notes,
    ErrorBlock: _error,
    Extension: _extension,
    OpaqueBlock: _opaque,
}
