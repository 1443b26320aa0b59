"""Canonical stream events <-> PyAgenity's chunks, for one answer: deltas, then the whole message.

Source: 10xscale-agentflow 0.10.1, `runtime/adapters/llm/*_converter.py` and
`core/graph/utils/stream_handler.py`; pyagenity 0.3.9, `adapters/llm/litellm_converter.py`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from datetime import UTC
from typing import Any, Final, Literal

from msgspec import UNSET
from msgspec.structs import replace

from ... import model
from ..._body.refuse import errors
from ...errors import EncodeError, ProviderError, StreamError
from ...losses import Losses
from ...model import AssistantMessage, Response
from ...model.accumulator import Accumulator
from ...model.events import (
    BlockEnd,
    BlockStart,
    OpaqueEvent,
    StreamEnd,
    StreamFailure,
    StreamStart,
    TextDelta,
    ThinkingDelta,
)
from ...model.events import StreamEvent as CanonicalEvent
from .._mapping import mapped
from .._streams import CUT, IN_MESSAGE, Blocks, StreamLosses, paired, text_of
from . import contents as own
from .blocks import blocks_of
from .events import StreamChunk, StreamEvent
from .messages import MessageWriter, Reader
from .system import WIRE
from .types import MakeId, Message, generate_id

__all__ = ["StreamReader", "StreamWriter"]

_LOST_ORDER: Final = "the last message has the calls at its end; moved"


class StreamWriter:
    """Canonical events -> PyAgenity's chunks: text, reasoning and media as they come, then all.

    The last message is the whole answer: its texts, its reasoning, then the other blocks, and the
    calls, which no delta has. All messages have one id: the answer's own, else one of `make_id`.
    """

    def __init__(
        self,
        *,
        losses: Losses = None,
        version: Literal["0.3.9", "agentflow"] = "agentflow",
        thread_id: str | None = None,
        run_id: str | None = None,
        metadata: dict[str, Any] | None = None,
        make_id: MakeId = generate_id,
    ) -> None:
        self._losses = losses
        self._lost = StreamLosses(losses, WIRE, MessageWriter.SYSTEM)
        self._version: Literal["0.3.9", "agentflow"] = version
        self._thread_id = thread_id
        self._run_id = run_id
        self._metadata = metadata
        self._make_id = make_id
        self._id: str | int | None = None
        self._total = Accumulator()
        self._told: set[int] = set()
        """The blocks of which a delta has carried something."""
        self._is_begun = False
        self._is_over = False

    def feed(self, event: CanonicalEvent) -> list[StreamChunk]:
        """Return PyAgenity's chunks for an event, often none.

        A failure is a chunk of the kind `error`, whose `data` has the message as its `reason`.

        Raises `EncodeError` for an event out of turn, `LossError` if there is a loss and no list
        for it.
        """
        if self._is_over:
            raise EncodeError("event after the end of the stream, expected none", wire=WIRE)
        self._is_begun = True
        write = _WRITE.get(type(event))
        with errors(WIRE):
            self._total.add(event)
            return write(self, event) if write is not None else []

    def close(self) -> list[StreamChunk]:
        """Return the end of an answer that was cut: a chunk of the kind `error`. Else, nothing."""
        if self._is_over or not self._is_begun:
            return []
        return self.feed(StreamFailure("server", CUT))

    @property
    def message(self) -> AssistantMessage:
        """The message so far, canonical."""
        return self._total.message

    def _chunk(self, **fields: Any) -> StreamChunk:
        return StreamChunk(
            thread_id=self._thread_id, run_id=self._run_id, metadata=self._metadata, **fields
        )

    def _known_id(self, response: Response) -> str | int:
        if self._id is None:
            known = response.message.id
            self._id = self._make_id(response.id if known is None else known)
        return self._id

    def _start(self, event: StreamStart) -> list[StreamChunk]:
        self._known_id(event.response)
        return []

    def _delta(self, block: own.ContentBlock) -> list[StreamChunk]:
        message = Message(
            message_id=self._known_id(self._total.response),
            role="assistant",
            content=[block],
            delta=True,
            parsed_content=None if self._version == "agentflow" else UNSET,
        )
        return [self._chunk(message=message)]

    def _text(self, event: TextDelta | ThinkingDelta) -> list[StreamChunk]:
        if not event.text:
            return []
        self._told.add(event.index)
        return self._delta(_GROWING[type(event)](event.text))

    def _whole(self, event: BlockStart | BlockEnd) -> list[StreamChunk]:
        """Return a delta with all of a block, if none has carried any of it."""
        block, kind = event.block, type(event.block)
        if event.index in self._told or kind is model.ToolCallBlock:
            return []
        make = _GROWING.get(kind)
        if make is not None:  # at its end also one without text, which shows where it is
            text = text_of(block)
            parts: list[Any] = [make(text)] if text or type(event) is BlockEnd else []
        elif type(event) is BlockEnd:  # what is lost is reported of the whole
            parts = (
                MessageWriter([], self._version, UTC)
                .message(AssistantMessage([block]), IN_MESSAGE)[0]
                .content
            )
        else:
            parts = []
        if not parts:
            return []
        self._told.add(event.index)
        return self._delta(parts[0])

    def _lose_event(self, event: OpaqueEvent) -> list[StreamChunk]:
        self._lost.event(event)
        return []

    def _end(self, event: StreamEnd) -> list[StreamChunk]:
        response = event.response
        self._lost.response(replace(response, id=None))  # which is the message's
        answer = response.message
        if answer.timestamp is None and response.created_at is not None:
            answer = replace(answer, timestamp=response.created_at)
        writer = MessageWriter(self._losses, self._version, UTC)
        (message,) = writer.message(answer, IN_MESSAGE)
        kinds = [type(block) is own.ToolCallBlock for block in message.content]
        if kinds != sorted(kinds):
            self._lost.lose("order", "$.message.content", _LOST_ORDER)
        message.content = sorted(message.content, key=_place)
        message.message_id = self._known_id(response)
        if message.timestamp is None:
            message.timestamp = time.time()
        self._is_over = True
        return [self._chunk(message=message)]

    def _fail(self, event: StreamFailure) -> list[StreamChunk]:
        self._lost.failure(event)
        self._is_over = True
        return [self._chunk(event=StreamEvent.ERROR, data={"reason": event.message})]


def _place(block: own.ContentBlock) -> int:
    """Return where the systems' converters put a block at the end of a stream."""
    return _ORDER.get(type(block), 2)


_ORDER: Final[Mapping[type, int]] = {
    own.TextBlock: 0,
    own.ReasoningBlock: 1,
    own.ToolCallBlock: 3,
}
_GROWING: Final[Mapping[type, Callable[[str], own.ContentBlock]]] = {
    TextDelta: own.TextBlock,
    ThinkingDelta: own.ReasoningBlock,
    model.TextBlock: own.TextBlock,
    model.ThinkingBlock: own.ReasoningBlock,
}
_WRITE: Final[Mapping[type, Callable[[StreamWriter, Any], list[StreamChunk]]]] = {
    StreamStart: StreamWriter._start,
    BlockStart: StreamWriter._whole,
    TextDelta: StreamWriter._text,
    ThinkingDelta: StreamWriter._text,
    BlockEnd: StreamWriter._whole,
    OpaqueEvent: StreamWriter._lose_event,
    StreamEnd: StreamWriter._end,
    StreamFailure: StreamWriter._fail,
}


class StreamReader:
    """PyAgenity's chunks of one answer -> canonical events, and the answer.

    A run has an answer for each call of the model; each is read by a reader of its own. Chunks of
    states, updates and messages of other roles are skipped.

    A delta does not say which block it belongs to: a block goes on until text turns into reasoning,
    or reasoning into text. What was told wrongly so is `revised` at the end, whose message counts.
    Arguments of calls come whole. PyAgenity does not tell an answer's API, nor the kind of an
    error, which becomes `server`.
    """

    def __init__(self) -> None:
        self._blocks = Blocks()
        self._is_begun = False
        self._calls: set[str] = set()
        self._is_over = False
        self._failure: ProviderError | None = None

    def feed(self, chunk: StreamChunk | Message) -> list[CanonicalEvent]:
        """Return the canonical events for a chunk, or for the message in one, often none.

        Raises `StreamError` for an answer after the end of the first, `DecodeError` for a message
        that has no canonical form.
        """
        message = chunk.message if isinstance(chunk, StreamChunk) else chunk
        if isinstance(chunk, StreamChunk) and chunk.event is StreamEvent.ERROR:
            if not self._is_over:
                self._fail(chunk.data if isinstance(chunk.data, dict) else {})
            return self._blocks.taken()
        if message is None or message.role != "assistant":
            return []
        if self._is_over:
            raise StreamError("message after the end of the answer, expected none", wire=WIRE)
        with mapped(WIRE):
            if not self._is_begun:
                self._begin(message)
            if message.delta:
                self._grow(message)
            else:
                self._end(message)
        return self._blocks.taken()

    def close(self) -> Response:
        """Return the whole answer.

        Raises `StreamError` if the stream was cut, `ProviderError` if it ended with an error.
        """
        if self._failure is not None:
            raise self._failure.with_traceback(None)
        if not self._is_over:
            raise StreamError(CUT, wire=WIRE)
        return self._blocks.total.response

    @property
    def message(self) -> AssistantMessage:
        """The message so far."""
        return self._blocks.total.message

    def _begin(self, message: Message) -> None:
        self._is_begun = True
        known = replace(message, content=[], delta=False, tools_calls=None, reasoning=None)
        self._blocks.start(_response(_canonical(known)))

    def _grow(self, message: Message) -> None:
        for block in blocks_of(message.content, "agentflow"):
            if type(block) is model.ToolCallBlock:  # some converters repeat it
                if block.id not in self._calls:
                    self._calls.add(block.id)
                    self._blocks.whole(block)
            elif type(block) is model.TextBlock or type(block) is model.ThinkingBlock:
                text = text_of(block)
                if self._blocks.open is not type(block):
                    self._blocks.begin(block)
                if text:
                    self._blocks.grow(text)
            else:
                self._blocks.whole(block)

    def _end(self, message: Message) -> None:
        answer = _canonical(message)
        kinds = [type(block) for block in self._blocks.total.content()]
        answer.content = _in_order(answer.content, kinds)
        self._blocks.end(answer.content)
        self._is_over = True
        self._blocks.send(StreamEnd(_response(answer)))

    def _fail(self, data: Mapping[str, Any]) -> None:
        reason = data.get("reason") or data.get("error") or "an error without a reason"
        failure = StreamFailure("server", str(reason), wire=WIRE)
        self._failure = failure.error()
        self._is_over = True
        self._blocks.send(failure)


def _in_order(content: list[model.Content], kinds: list[type]) -> list[model.Content]:
    """Return the blocks of an answer in the order of the model, as far as the deltas show it.

    `kinds` are those of the blocks that deltas have told of; the last message has another order.
    """
    found, left = paired(content, kinds)
    if not any(type(block) in _GROWN for block in left):
        return [*(block for block in found if block is not None), *left]
    firsts = {kind: place for place, kind in reversed([*enumerate(kinds)])}
    return sorted(content, key=lambda block: firsts.get(type(block), len(kinds)))


_GROWN: Final = frozenset({model.TextBlock, model.ThinkingBlock})


def _canonical(message: Message) -> AssistantMessage:
    answer = Reader(UTC).message(message, "$.message")
    assert type(answer) is AssistantMessage
    return answer


def _response(answer: AssistantMessage) -> Response:
    own_id = answer.id if isinstance(answer.id, str) else None
    return Response(answer, id=own_id, created_at=answer.timestamp)
