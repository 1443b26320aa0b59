"""A conversation -> text for a terminal, with colours and small pictures where it has them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.style import Style
from rich.text import Text

from .._display.characters import one_line, visible
from .._display.conversation import (
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
from .._display.thumbnails import caption, thumbnail, unshown
from ..errors import WireglotError
from ..model import (
    AnnotationBlock,
    AudioBlock,
    DataBlock,
    DocumentBlock,
    ErrorBlock,
    ImageBlock,
    MediaBlock,
    OpaqueBlock,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    ToolResultBlock,
    ToolResultMessage,
    VideoBlock,
)

__all__ = ["Terminal"]

_ROLES: Final = {
    "user": "color(32)",
    "assistant": "color(28)",
    "system": "color(127)",
    "tool": "color(130)",
    "toolResult": "color(130)",
}
"""Colours that can be read on white and on black."""
_TOOL: Final = "color(130)"
_OTHER: Final = "color(30)"
_BAD: Final = "color(160)"
_FOLDED: Final = 12
_WIDE: Final = 100
"""The most columns of a text: longer lines are hard to read, even on a wider terminal."""
_PICTURE: Final = 36
_HANG: Final = 4


class Terminal:
    """Prints conversations. `is_full` unfolds thinking and long results."""

    def __init__(self, console: Console, *, is_full: bool) -> None:
        self._console = console
        self._is_full = is_full
        self._width = min(console.width, _WIDE)
        has_colors = console.color_system in ("256", "truecolor") and not console.no_color
        self._has_pictures = console.is_terminal and has_colors

    def print(self, shown: Conversation) -> None:
        """Print a conversation."""
        self._put(self._head(shown))
        self.go_on(shown)

    def go_on(self, shown: Conversation) -> None:
        """Print entries of a conversation whose start was printed before."""
        for entry in shown.entries:
            self._put(self._title(entry, shown.currency))
            for block in entry.blocks:
                self._put(Padding(self._block(block), (0, 0, 0, 2)))
            if entry.error is not None:
                self._put(Padding(_said(f"error: {entry.error}", _BAD), (0, 0, 0, 2)))

    def _put(self, what: RenderableType) -> None:
        put = self._console.print
        if self._console.is_terminal:
            put(what, width=self._width, highlight=False)
            return
        with self._console.capture() as captured:
            put(what, width=self._width, highlight=False)
        for line in captured.get().splitlines():
            self._console.file.write(f"{line.rstrip()}\n")

    def _head(self, shown: Conversation) -> RenderableType:
        title = Text(one_line(shown.name), "bold")
        title.append(f"   {shown.wire} {shown.kind}", "not bold dim")
        parts = [", ".join(shown.models)] if shown.models else []
        parts.append(number_of("entry", "entries", len(shown.entries)))
        if shown.usage.input or shown.usage.output:
            parts.append(counted(shown.usage))
        if shown.cost is not None:
            parts.append(money(shown.cost, shown.currency))
        lines = [title]
        if shown.entries:  # those of a session that is followed are yet to come
            lines.append(Text(one_line(" · ".join(parts))))
        lines += [Text(one_line(f"{name}: {value}"), "dim") for name, value in shown.facts]
        return Group(*map(self._hanging, lines), Rule(style="dim"))

    def _title(self, entry: Entry, currency: str) -> RenderableType:
        line = Text(one_line(entry.role), _ROLES.get(entry.role, _OTHER) + " bold")
        parts = [entry.by or "", clock(entry.time)]
        if entry.usage is not None:
            parts.append(counted(entry.usage))
        if entry.cost is not None:
            parts.append(money(entry.cost, currency))
        for part in filter(None, parts):
            line.append(f"  {one_line(part)}", "not bold dim")
        return Group("", self._hanging(line))

    def _hanging(self, line: Text) -> Text:
        """Return a line; what does not fit on it is indented, since an entry begins in column 0."""
        if line.cell_len <= self._width:
            return line
        return Text("\n" + " " * _HANG).join(line.wrap(self._console, self._width - _HANG))

    # -- blocks -------------------------------------------------------------------------------

    def _block(self, block: Any) -> RenderableType:
        return _BLOCKS[type(block)](self, block)

    def _text(self, block: TextBlock) -> RenderableType:
        return _said(block.text)

    def _thinking(self, block: ThinkingBlock) -> RenderableType:
        if block.redacted:
            return Text("▸ thinking, encrypted", "dim italic")
        text = block.thinking
        if self._is_full:
            return _said(f"▾ thinking\n{text}", "dim italic")
        first = _said(f"▸ thinking, {len(text):,} characters: {' '.join(text[:300].split())}")
        first.stylize("dim italic")
        first.truncate(self._width - 2, overflow="ellipsis")
        return first

    def _call(self, answered: Answered) -> RenderableType:
        call = answered.call
        line = Text("⚙ ")
        line.append(one_line(call.name), _TOOL)
        arguments = visible(" ".join(str(call.arguments.text, "utf-8", "replace").split()))
        is_short = len(arguments) + len(call.name) + 6 <= self._width
        if is_short and arguments != "{}":
            line.append(f" {arguments}", "dim")
        parts: list[RenderableType] = [line]
        if not is_short:
            parts.append(Padding(self._folded(argument_text(call)), (0, 0, 0, 2)))
        if answered.result is not None:
            parts.append(Padding(self._result(answered.result), (0, 0, 0, 2)))
        return Group(*parts)

    def _lone_call(self, call: ToolCallBlock) -> RenderableType:
        return self._call(Answered(call, None))  # inside a result, where nobody answers it

    def _result(self, result: Any) -> RenderableType:
        parts: list[RenderableType] = []
        if result.is_error:
            parts.append(Text("✗ failed", _BAD))
        for block in result.content:
            if type(block) is TextBlock:
                parts.append(self._folded(block.text))
            elif isinstance(block, ToolResultBlock):  # may be nested to any depth
                parts.append(Text("a result inside a result", "dim"))
            else:
                parts.append(self._block(block))
        return Group(*parts)

    def _lone_result(self, result: Any) -> RenderableType:
        line = Text("⚙ ")
        line.append(one_line(result.tool_name or "result"), _TOOL)
        line.append(f" {one_line(result.tool_call_id)}", "dim")
        return Group(line, Padding(self._result(result), (0, 0, 0, 2)))

    def _folded(self, text: str) -> RenderableType:
        lines = visible(text).split("\n")
        if self._is_full or len(lines) <= _FOLDED:
            return Text("\n".join(lines), "dim")
        rest = f"… {len(lines) - _FOLDED:,} more lines"
        return Text("\n".join((*lines[:_FOLDED], rest)), "dim")

    def _media(self, block: MediaBlock) -> RenderableType:
        line = _said(f"[{caption(block)}]", _OTHER)
        parts: list[RenderableType] = [line]
        if type(block) is ImageBlock and self._has_pictures:
            try:
                parts.insert(0, Text("\n").join(_picture(block)))
            except WireglotError as error:
                line.append(f" {unshown(error)}", "dim")
        for text in (getattr(block, "text", None), getattr(block, "transcript", None)):
            if text:
                parts.append(self._folded(text))
        return Group(*parts)

    def _notes(self, block: AnnotationBlock) -> RenderableType:
        refs = (ref.url or ref.title or ref.file_id or "a source" for ref in block.refs)
        return _said(f"[{block.kind}: {', '.join(refs)}]", _OTHER)

    def _error(self, block: ErrorBlock) -> RenderableType:
        return _said(f"error: {block.message}", _BAD)

    def _extension(self, block: Extension) -> RenderableType:
        return _said(f"{block.kind}\n{block.data}")

    def _opaque(self, block: OpaqueBlock) -> RenderableType:
        text = _said(f"[{block.api}] ", _OTHER)
        return text.append_text(_said(json_text(block.raw), "dim"))


def _said(text: str, style: str = "") -> Text:
    """Return text of somebody else, in which nothing controls the terminal."""
    return Text(visible(text), style)


_BLOCKS: Final[dict[type[Any], Callable[[Terminal, Any], RenderableType]]] = {
    TextBlock: Terminal._text,
    ThinkingBlock: Terminal._thinking,
    Answered: Terminal._call,
    ToolCallBlock: Terminal._lone_call,
    ToolResultBlock: Terminal._lone_result,
    ToolResultMessage: Terminal._lone_result,
    ImageBlock: Terminal._media,
    AudioBlock: Terminal._media,
    VideoBlock: Terminal._media,
    DocumentBlock: Terminal._media,
    DataBlock: Terminal._media,
    AnnotationBlock: Terminal._notes,
    ErrorBlock: Terminal._error,
    Extension: Terminal._extension,
    OpaqueBlock: Terminal._opaque,
}


def _picture(block: MediaBlock) -> Iterator[Text]:
    """Yield the lines of a picture, in half blocks: each shows two pixels, one above the other."""
    image = thumbnail(block, _PICTURE, _PICTURE)
    points: Any = image.load()
    for top in range(0, image.height, 2):
        line = Text()
        for x in range(image.width):
            upper = points[x, top]
            lower = points[x, top + 1] if top + 1 < image.height else (0, 0, 0, 0)
            line.append(*_half(upper, lower))
        yield line


def _half(upper: tuple[int, ...], lower: tuple[int, ...]) -> tuple[str, Style]:
    """Return a character for two pixels; a transparent one shows the terminal's background."""
    up, down = (f"#{r:02x}{g:02x}{b:02x}" if a > 127 else None for r, g, b, a in (upper, lower))
    if up is None:
        return ("▄", Style(color=down)) if down is not None else (" ", Style())
    return "▀", Style(color=up, bgcolor=down)
