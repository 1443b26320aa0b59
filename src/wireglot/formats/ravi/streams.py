"""Canonical stream events <-> Ravi's chunks, for one answer: pieces of text, then the whole.

Source: Ravikumarchavva/agent-framework, `src/ravi/core/messages/_types.py` at 4375c21f.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from ... import model
from ..._body.refuse import errors
from ...errors import DecodeError, EncodeError, ProviderError, StreamError
from ...losses import Losses
from ...model import AssistantMessage, RawJson, Response, StopReason
from ...model.accumulator import Accumulator
from ...model.events import (
    BlockEnd,
    BlockStart,
    OpaqueEvent,
    StreamEnd,
    StreamEvent,
    StreamFailure,
    TextDelta,
    ThinkingDelta,
)
from .._mapping import mapped
from .._streams import CUT, IN_MESSAGE, Blocks, StreamLosses, text_of
from . import types as own
from .chunks import (
    CompletionChunk,
    ReasoningDeltaChunk,
    StreamChunk,
    StructuredOutputChunk,
    StructuredOutputResult,
    TextDeltaChunk,
)
from .messages import MessageWriter, canonical
from .system import SYSTEM, WIRE

__all__ = ["StreamReader", "StreamWriter"]


class StreamWriter:
    """Canonical events -> Ravi's chunks: text and reasoning as they come, the answer at the end.

    Calls, media and counts are only in the answer, which is a message of `version`. With
    `structured`, for an answer that was asked for in a format, a last chunk has the value of its
    text.
    """

    def __init__(
        self,
        *,
        losses: Losses = None,
        structured: bool = False,
        version: own.Version = "v2",
    ) -> None:
        self._losses = losses
        self._lost = StreamLosses(losses, WIRE, SYSTEM)
        self._structured = structured
        self._version: own.Version = version
        self._total = Accumulator()
        self._told: set[int] = set()
        """The blocks of which a chunk has carried something."""
        self._is_over = False
        self._failure: ProviderError | None = None

    def feed(self, event: StreamEvent) -> list[StreamChunk]:
        """Return Ravi's chunks for an event, often none.

        Raises the `ProviderError` of a `StreamFailure`, since Ravi's own streams raise; `message`
        still has what came before it. Raises `EncodeError` for an event out of turn, `LossError` if
        there is a loss and no list for it.
        """
        if self._is_over:
            raise EncodeError("event after the end of the stream, expected none", wire=WIRE)
        write = _WRITE.get(type(event))
        with errors(WIRE):
            self._total.add(event)
            chunks = write(self, event) if write is not None else []
        if type(event) is StreamFailure:
            self._is_over = True
            self._failure = event.error()
            raise self._failure
        return chunks

    def close(self) -> list[StreamChunk]:
        """Return no chunks: `feed` has returned all of a whole answer.

        Raises `StreamError` if the answer was cut, `ProviderError` if it ended with an error.
        """
        if self._failure is not None:
            raise self._failure.with_traceback(None)
        if not self._is_over:
            raise StreamError(CUT, wire=WIRE)
        return []

    @property
    def message(self) -> AssistantMessage:
        """The message so far, canonical."""
        return self._total.message

    def _text(self, event: TextDelta | ThinkingDelta) -> list[StreamChunk]:
        self._told.add(event.index)
        return [_CHUNKS[type(event)](event.text)]

    def _whole(self, event: BlockStart | BlockEnd) -> list[StreamChunk]:
        """Return a chunk with all the text of a block, if none has carried any of it."""
        make = _CHUNKS.get(type(event.block))
        text = "" if make is None or event.index in self._told else text_of(event.block)
        if make is None or not text:
            return []
        self._told.add(event.index)
        return [make(text)]

    def _lose_event(self, event: OpaqueEvent) -> list[StreamChunk]:
        self._lost.event(event)
        return []

    def _end(self, event: StreamEnd) -> list[StreamChunk]:
        response = event.response
        self._lost.response(response)
        writer = MessageWriter(self._losses, self._version)
        (message,) = writer.message(response.message, IN_MESSAGE)
        if type(message) is own.ToolCallMessage:  # an answer that came from Ravi as a call alone
            message = own.AssistantMessage(None, [message], id=None, version=self._version)
        chunks: list[StreamChunk] = [CompletionChunk(message)]
        if self._structured:
            chunks.append(StructuredOutputChunk(_structured(response.message)))
        self._is_over = True
        return chunks


def _structured(message: AssistantMessage) -> StructuredOutputResult:
    """Return the value of an answer's text, None if that is not JSON or if the model refused."""
    text = message.text()
    if message.stop_reason is StopReason.GUARD_RAIL:
        return StructuredOutputResult(None, text, text, message.model)
    parsed = message.parsed
    if parsed is None:
        try:
            parsed = RawJson(text).value
        except DecodeError:
            parsed = None
    return StructuredOutputResult(parsed, text, None, message.model)


_CHUNKS: Final[Mapping[type, Callable[[str], StreamChunk]]] = {
    TextDelta: TextDeltaChunk,
    ThinkingDelta: ReasoningDeltaChunk,
    model.TextBlock: TextDeltaChunk,
    model.ThinkingBlock: ReasoningDeltaChunk,
}
_WRITE: Final[Mapping[type, Callable[[StreamWriter, Any], list[StreamChunk]]]] = {
    BlockStart: StreamWriter._whole,
    TextDelta: StreamWriter._text,
    ThinkingDelta: StreamWriter._text,
    BlockEnd: StreamWriter._whole,
    OpaqueEvent: StreamWriter._lose_event,
    StreamEnd: StreamWriter._end,
}


class StreamReader:
    """Ravi's chunks of one answer -> canonical events, and the answer.

    A run of an agent has an answer for each call of the model; each is read by a reader of its own.
    Ravi does not say which block a chunk belongs to: a block goes on until text turns into
    reasoning, or reasoning into text. Calls come whole, at the end. What was told wrongly so is
    `revised` then, when the message counts. Ravi does not tell an answer's model, API, id and time.
    """

    def __init__(self) -> None:
        self._blocks = Blocks()
        self._is_begun = False
        self._answer: Response | None = None

    def feed(self, chunk: StreamChunk) -> list[StreamEvent]:
        """Return the canonical events for a chunk; none for structured output.

        Raises `StreamError` for a chunk after the end of the answer, but for its structured output,
        which becomes `parsed` in the answer. Raises `DecodeError` for a message that has no
        canonical form.
        """
        if type(chunk) is StructuredOutputChunk:
            if self._answer is None:
                raise StreamError(
                    "structured output before the answer, expected it at the end", wire=WIRE
                )
            self._answer.message.parsed = chunk.result.parsed
            return []
        if self._answer is not None:
            raise StreamError("chunk after the end of the answer, expected none", wire=WIRE)
        if not self._is_begun:
            self._is_begun = True
            self._blocks.start(Response(AssistantMessage([])))
        if type(chunk) is CompletionChunk:
            self._complete(chunk.message)
        else:
            self._grow(chunk)
        return self._blocks.taken()

    def close(self) -> Response:
        """Return the whole answer. Raises `StreamError` if the stream was cut."""
        if self._answer is None:
            raise StreamError(CUT, wire=WIRE)
        return self._answer

    @property
    def message(self) -> AssistantMessage:
        """The message so far."""
        return self._blocks.total.message if self._answer is None else self._answer.message

    def _grow(self, chunk: Any) -> None:
        kind = _KINDS[type(chunk)]
        if self._blocks.open is not kind:
            self._blocks.begin(kind(""))
        self._blocks.grow(chunk.text)

    def _complete(self, message: own.AssistantMessage) -> None:
        with mapped(WIRE):
            answer = canonical(message).as_llm()
        assert type(answer) is AssistantMessage
        self._blocks.end(answer.content)
        self._blocks.send(StreamEnd(Response(answer)))
        self._answer = self._blocks.total.response


_KINDS: Final[Mapping[type, Callable[[str], model.Content]]] = {
    TextDeltaChunk: model.TextBlock,
    ReasoningDeltaChunk: model.ThinkingBlock,
}
