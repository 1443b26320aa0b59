"""Canonical stream events <-> the RPC events of one answer: its start, its new parts, its end.

Source: CursorTouch/Operator-Use at ed1adb1, `docs/rpc.md`, `program/hooks/types.py`; Jeomon/Tau at
faf13cf, `tau/engine/service.py`.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

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
    StreamEvent,
    StreamFailure,
    StreamStart,
    TextDelta,
    ThinkingDelta,
)
from .._mapping import mapped
from .._streams import CUT, IN_MESSAGE, Blocks, StreamLosses, check_turn, text_of
from . import types as own
from .blocks import blocks_of
from .contents import Content, TextContent, ThinkingContent
from .entries import MessageWriter
from .events import AgentErrorEvent, Event, MessageEndEvent, MessageStartEvent, MessageUpdateEvent
from .messages import canonical_message
from .system import WIRE
from .tree import NOBODY

__all__ = ["StreamReader", "StreamWriter"]

_NO_MESSAGE: Final = "`message_end` without a message, expected one; the turn was given up"


class StreamWriter:
    """Canonical events -> `message_start`, a `message_update` for each new part, `message_end`.

    An update is a message of its own, with a new id, that holds only the new part: a piece of text
    or of thinking, a whole call, or whole media. The end has the whole answer.
    """

    def __init__(self, *, losses: Losses = None) -> None:
        self._losses = losses
        self._lost = StreamLosses(losses, WIRE, MessageWriter.SYSTEM)
        self._total = Accumulator()
        self._told: set[int] = set()
        """The blocks of which an update has carried something."""
        self._is_begun = False
        self._is_over = False

    def feed(self, event: StreamEvent) -> list[Event]:
        """Return Operator-Use's events for an event, often none.

        A failure is a `message_end` without a message, and an `agent_error` with its text.

        Raises `EncodeError` for an event out of turn, `LossError` if there is a loss and no list
        for it.
        """
        if self._is_over:
            raise EncodeError("event after the end of the stream, expected none", wire=WIRE)
        check_turn(event, self._is_begun, WIRE)
        write = _WRITE.get(type(event))
        with errors(WIRE):
            self._total.add(event)
            return write(self, event) if write is not None else []

    def close(self) -> list[Event]:
        """Return the end of an answer that was cut, as that of a failure. Else, nothing."""
        if self._is_over or not self._is_begun:
            return []
        return self.feed(StreamFailure("server", CUT))

    @property
    def message(self) -> AssistantMessage:
        """The message so far, canonical."""
        return self._total.message

    def _start(self, event: StreamStart) -> list[Event]:
        self._is_begun = True
        return [MessageStartEvent(own.AssistantMessage())]

    def _update(self, part: Any) -> list[Event]:
        return [MessageUpdateEvent(own.AssistantMessage([part]))]

    def _text(self, event: TextDelta | ThinkingDelta) -> list[Event]:
        if not event.text:
            return []
        self._told.add(event.index)
        return self._update(_GROWING[type(event)](event.text))

    def _whole(self, event: BlockStart | BlockEnd) -> list[Event]:
        """Return an update with all of a block, if none has carried any of it."""
        block, make = event.block, _GROWING.get(type(event.block))
        if event.index in self._told:
            return []
        parts: list[Any] = []
        if make is not None:  # at its end also one without text, which shows where it is
            text = text_of(block)
            parts = [make(text)] if text or type(event) is BlockEnd else []
        elif type(event) is BlockEnd:  # what is lost is reported of the whole
            parts = _own([], AssistantMessage([block])).contents
        if not parts:
            return []
        self._told.add(event.index)
        return self._update(parts[0])

    def _lose_event(self, event: OpaqueEvent) -> list[Event]:
        self._lost.event(event)
        return []

    def _end(self, event: StreamEnd) -> list[Event]:
        response = event.response
        self._lost.response(response)
        answer = response.message
        if answer.timestamp is None and response.created_at is not None:
            answer = replace(answer, timestamp=response.created_at)
        message = _own(self._losses, answer)
        if message.id is None:
            message.id = str(uuid.uuid4())
        if message.timestamp is None:
            message.timestamp = time.time()
        self._is_over = True
        return [MessageEndEvent(message)]

    def _fail(self, event: StreamFailure) -> list[Event]:
        self._lost.failure(event)
        started = [] if self._is_begun else [MessageStartEvent(own.AssistantMessage())]
        self._is_over = True
        return [*started, MessageEndEvent(), AgentErrorEvent(event.message)]


def _own(losses: Losses, answer: AssistantMessage) -> own.AssistantMessage:
    (message,) = MessageWriter(losses, "rpc", None).message(answer, IN_MESSAGE)
    assert type(message) is own.AssistantMessage
    return message


_GROWING: Final[Mapping[type, Callable[[str], Content]]] = {
    TextDelta: TextContent,
    ThinkingDelta: ThinkingContent,
    model.TextBlock: TextContent,
    model.ThinkingBlock: ThinkingContent,
}
_WRITE: Final[Mapping[type, Callable[[StreamWriter, Any], list[Event]]]] = {
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
    """The RPC events of one answer -> canonical events, and the answer.

    A session has an answer for each call of the model; each is read by a reader of its own. Events
    that are not about an answer are skipped, but for `agent_error`.

    An update does not say which block it belongs to: a block goes on until text turns into
    thinking, or thinking into text. What was told wrongly so is `revised` at the end, whose message
    counts. In Tau an update has the whole message so far, with its own id; that is read, too.
    Operator-Use does not tell an answer's model, API and id, nor the kind of an error, which
    becomes `server`.
    """

    def __init__(self) -> None:
        self._blocks = Blocks()
        self._is_begun = False
        self._id: str | None = None
        self._lengths: list[int] = []
        """How much of each content a message so far has told."""
        self._is_over = False
        self._has_message = False
        self._failure: ProviderError | None = None

    def feed(self, event: Event) -> list[StreamEvent]:
        """Return the canonical events for an event, often none.

        Raises `StreamError` for an update or an end whose message has not begun, and for another
        answer after the first; `DecodeError` for a message that has no canonical form.
        """
        if type(event) is AgentErrorEvent:
            if self._failure is None and not self._has_message:
                self._fail(event.error)
            return self._blocks.taken()
        read = _READ.get(type(event))
        about: Any = event
        if read is None or not self._is_about(about.message):
            return []
        if self._is_begun is (type(event) is MessageStartEvent) or self._is_over:
            raise StreamError(f"`{about.type}` out of turn, expected one answer", wire=WIRE)
        with mapped(WIRE):
            read(self, about.message)
        return self._blocks.taken()

    def close(self) -> Response:
        """Return the whole answer.

        Raises `StreamError` if the stream was cut or given up, `ProviderError` if it ended with an
        error.
        """
        if self._failure is not None:
            raise self._failure.with_traceback(None)
        if not self._has_message:
            raise StreamError(_NO_MESSAGE if self._is_over else CUT, wire=WIRE)
        return self._blocks.total.response

    @property
    def message(self) -> AssistantMessage:
        """The message so far."""
        return self._blocks.total.message

    def _is_about(self, message: Any) -> bool:
        """Whether an event is about the answer; only its end may have no message."""
        if message is None:
            return self._is_begun and not self._is_over
        return type(message) is own.AssistantMessage

    def _start(self, message: own.AssistantMessage) -> None:
        self._is_begun = True
        self._id = message.id
        self._blocks.start(Response(AssistantMessage([])))
        self._update(message)

    def _update(self, message: own.AssistantMessage | None) -> None:
        if message is None:
            return
        is_all = message.id is not None and message.id == self._id
        parts: Iterable[Any] = self._new(message.contents) if is_all else message.contents
        for block in blocks_of(parts):
            kind = type(block)
            if kind is model.TextBlock or kind is model.ThinkingBlock:
                text = text_of(block)
                if self._blocks.open is not kind:
                    self._blocks.begin(block)
                if text:
                    self._blocks.grow(text)
            else:
                self._blocks.whole(block)

    def _new(self, contents: Iterable[Any]) -> Iterator[Any]:
        """Yield what a message so far has, and no earlier one had."""
        for i, part in enumerate(contents):
            is_text = type(part) is TextContent or type(part) is ThinkingContent
            length = len(part.content) if is_text else 0
            if i >= len(self._lengths):
                self._lengths.append(length)
                yield part
            elif length > self._lengths[i]:
                yield type(part)(part.content[self._lengths[i] :])
                self._lengths[i] = length

    def _end(self, message: own.AssistantMessage | None) -> None:
        self._is_over = True
        if message is None:
            return
        self._has_message = True
        answer = canonical_message(message, NOBODY, None).as_llm()
        assert type(answer) is AssistantMessage
        self._blocks.end(answer.content)
        self._blocks.send(StreamEnd(Response(answer, created_at=answer.timestamp)))

    def _fail(self, text: str) -> None:
        failure = StreamFailure("server", text, wire=WIRE)
        self._failure = failure.error()
        self._is_over = True
        self._blocks.send(failure)


_READ: Final[Mapping[type, Callable[[StreamReader, Any], None]]] = {
    MessageStartEvent: StreamReader._start,
    MessageUpdateEvent: StreamReader._update,
    MessageEndEvent: StreamReader._end,
}
