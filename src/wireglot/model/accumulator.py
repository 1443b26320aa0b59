"""Stream events -> the message so far, at any time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace

from ..errors import StreamError
from . import (
    AnnotationRef,
    AssistantMessage,
    Content,
    Response,
    StopReason,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
)
from .events import (
    ArgumentsDelta,
    BlockEnd,
    BlockStart,
    CitationDelta,
    OpaqueEvent,
    StreamEnd,
    StreamEvent,
    StreamFailure,
    StreamStart,
    TextDelta,
    ThinkingDelta,
    UsageUpdate,
)

__all__ = ["Accumulator", "not_begun"]


class Accumulator:
    """The message that the events of one stream add up to.

    Text is kept in pieces and joined when `message` is read, so that the cost of a delta does not
    grow with the answer.
    """

    def __init__(self) -> None:
        self.response: Response = Response(AssistantMessage([]))
        """The answer, without the content of its message."""
        self.blocks: list[Content] = []
        """Each block as given by its `BlockStart`, or by its `BlockEnd` once that has come."""
        self.cited: dict[int, list[AnnotationRef]] = {}
        """The citations that arrived since a block began, by its index."""
        self.pieces: list[list[str] | None] = []
        """The deltas of each block, None for one that has ended."""

    def add(self, event: StreamEvent) -> None:
        """Take in the next event.

        Text for a block that has ended is skipped, since its `BlockEnd` held all of it. A citation
        may come later than the end of its text.

        Raises `StreamError` if its block has not begun, begins out of order, or does not grow by
        such deltas.
        """
        if isinstance(event, _OF_BLOCKS) and not 0 <= event.index < len(self.blocks):
            raise _out_of_turn(not_begun(event), event.index)
        add = _ADD.get(type(event))
        if add is None:
            kind = type(event).__name__
            raise StreamError(f"`{kind}`, expected an event of `StreamEvent`", wire="events")
        add(self, event)

    @property
    def message(self) -> AssistantMessage:
        """The message so far; each read returns a new one."""
        return replace(self.response.message, content=self.content())

    def content(self) -> list[Content]:
        """Return the blocks so far."""
        if not self.cited and not any(self.pieces):
            return [*self.blocks]
        return [self.block(i) for i in range(len(self.blocks))]

    def block(self, index: int) -> Content:
        """Return the block so far."""
        block = self.blocks[index]
        cited = self.cited.get(index)
        if cited is not None and type(block) is TextBlock:
            block = replace(block, annotations=[*(block.annotations or ()), *cited])
        pieces = self.pieces[index]
        if not pieces:
            return block
        grow = _GROWN.get(type(block))
        return block if grow is None else grow(block, "".join(pieces))

    def _start(self, event: StreamStart) -> None:
        self._answer(event.response)

    def _answer(self, response: Response) -> None:
        message = replace(response.message)  # the copy will change, the event must not
        self.response = replace(response, message=message)

    def _open(self, event: BlockStart) -> None:
        if event.index != len(self.blocks):
            raise _out_of_turn(
                f"start of another block, expected block {len(self.blocks)}", event.index
            )
        self.blocks.append(event.block)
        self.pieces.append([])

    def _text(self, event: TextDelta | ThinkingDelta | ArgumentsDelta) -> None:
        pieces = self.pieces[event.index]
        if pieces is not None:
            kind = type(self.blocks[event.index])
            if kind is not _GROWING[type(event)]:
                wanted = _GROWING[type(event)].__name__
                reason = f"`{type(event).__name__}` in a `{kind.__name__}`, expected a `{wanted}`"
                raise _out_of_turn(reason, event.index)
            pieces.append(event.text)

    def _cite(self, event: CitationDelta) -> None:
        self.cite(event.index, event.ref)

    def cite(self, index: int, ref: AnnotationRef) -> None:
        """Add a source to a text block."""
        if type(self.blocks[index]) is TextBlock:
            self.cited.setdefault(index, []).append(ref)

    def _close(self, event: BlockEnd) -> None:
        self.blocks[event.index] = event.block
        self.cited.pop(event.index, None)
        self.pieces[event.index] = None

    def _usage(self, event: UsageUpdate) -> None:
        self.response.message.usage = event.usage

    def _end(self, event: StreamEnd) -> None:
        self._answer(event.response)
        self.blocks = list(event.response.message.content)
        self.cited = {}
        self.pieces = [None] * len(self.blocks)

    def _fail(self, event: StreamFailure) -> None:
        message = self.response.message
        message.stop_reason = StopReason.ERROR
        message.error_message = event.message


def not_begun(event: StreamEvent) -> str:
    """Return the reason for an event of a block without a start."""
    return f"`{type(event).__name__}` of a block that has not begun, expected `BlockStart` first"


def _out_of_turn(reason: str, index: int) -> StreamError:
    return StreamError(reason, wire="events", path=f"$.message.content[{index}]")


_OF_BLOCKS: Final = (TextDelta, ThinkingDelta, ArgumentsDelta, CitationDelta, BlockEnd)
_GROWING: Final[dict[type, type]] = {
    TextDelta: TextBlock,
    ThinkingDelta: ThinkingBlock,
    ArgumentsDelta: ToolCallBlock,
}
_GROWN: Final[dict[type, Callable[[Any, str], Content]]] = {
    TextBlock: lambda block, text: replace(block, text=block.text + text),
    ThinkingBlock: lambda block, text: replace(block, thinking=block.thinking + text),
    ToolCallBlock: lambda block, text: replace(block, arguments=text),
}

_ADD: Final[dict[type, Callable[[Accumulator, Any], None]]] = {
    StreamStart: Accumulator._start,
    BlockStart: Accumulator._open,
    TextDelta: Accumulator._text,
    ThinkingDelta: Accumulator._text,
    ArgumentsDelta: Accumulator._text,
    CitationDelta: Accumulator._cite,
    BlockEnd: Accumulator._close,
    UsageUpdate: Accumulator._usage,
    StreamEnd: Accumulator._end,
    StreamFailure: Accumulator._fail,
    OpaqueEvent: lambda *_: None,
}
