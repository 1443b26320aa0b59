"""Canonical stream events <-> phi-core's events of one answer.

Source: phi-core 0.10.0, `src/agent_loop/streaming.rs`, `src/types/event.rs`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec.structs import replace

from ... import model
from ..._body.refuse import errors
from ...errors import EncodeError, ProviderError, StreamError
from ...losses import Losses
from ...model import AssistantMessage, Response, StopReason, now_ms
from ...model.accumulator import Accumulator
from ...model.events import (
    ArgumentsDelta,
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
from .events import AgentEvent, Delta, MessageEnd, MessageStart, MessageUpdate, StreamDelta
from .reading import canonical
from .system import WIRE
from .writing import MessageWriter

__all__ = ["StreamReader", "StreamWriter"]

_NO_ARGUMENTS: Final = model.Arguments(b"{}")


class StreamWriter:
    """Canonical events -> phi-core's events of one answer in the loop with an id.

    Each update has the message so far, as phi-core documents it: a new message, whose finished
    blocks are shared with the one before; its open text is copied for each delta, and the arguments
    of an open call are `{}`. With `so_far=False` all updates share the empty message of
    `MessageStart`, as phi-core 0.10.0 in fact sends it.

    `model` and `provider` are written where the answer does not name them, and `timestamp`, by
    default now, where it has no time.
    """

    def __init__(
        self,
        loop_id: str,
        *,
        losses: Losses = None,
        so_far: bool = True,
        model: str = "",
        provider: str = "",
        timestamp: int | None = None,
    ) -> None:
        self._loop_id = loop_id
        self._losses = losses
        self._lost = StreamLosses(losses, WIRE, MessageWriter.SYSTEM)
        self._so_far = so_far
        self._defaults = (model, provider, timestamp)
        self._total = Accumulator()
        self._parts: list[own.Content | None] = []
        """phi-core's block for each that has begun, None where it has none."""
        self._told: list[bool] = []
        """Whether a delta has carried something of each block."""
        self._start: own.AssistantMessage | None = None
        self._is_over = False

    def feed(self, event: StreamEvent) -> list[AgentEvent]:
        """Return phi-core's events for an event, often none.

        An error of the provider is a `MessageEnd` whose message has what arrived, the stop reason
        `error` and the error's text.

        Raises `EncodeError` for an event out of turn, `LossError` if there is a loss and no list
        for it.
        """
        if self._is_over:
            raise EncodeError("event after the end of the stream, expected none", wire=WIRE)
        check_turn(event, self._start is not None, WIRE)
        write = _WRITE.get(type(event))
        with errors(WIRE):
            self._total.add(event)
            return write(self, event) if write is not None else []

    def close(self) -> list[AgentEvent]:
        """Return the end of an answer that was cut: `MessageEnd` with an error. Else, nothing.

        Raises `LossError` as `feed` does.
        """
        if self._is_over or self._start is None:
            return []
        return self.feed(StreamFailure("server", CUT))

    def _message(self, response: Response) -> own.AssistantMessage:
        """Return the whole answer, and report what is lost of it."""
        self._lost.response(response)
        (made,) = MessageWriter(self._losses).message(response.message, IN_MESSAGE)
        return self._completed(made, response)

    def _completed(self, made: own.AssistantMessage, response: Response) -> own.AssistantMessage:
        name, provider, time = self._defaults
        made.model = made.model or name
        made.provider = made.provider or provider
        if response.message.timestamp is None:
            made.timestamp = self._time(response.created_at if time is None else time)
        return made

    def _time(self, time: int | None) -> int:
        if time is not None and 0 <= time <= own.U64_MAX:
            return time
        return self._start.timestamp if self._start is not None else now_ms()

    def _begin(self, event: StreamStart) -> list[AgentEvent]:
        answer = event.response
        known = AssistantMessage(
            [],
            model=answer.message.model,
            provider=answer.message.provider,
            timestamp=answer.message.timestamp,
        )
        (made,) = MessageWriter([]).message(known, IN_MESSAGE)
        self._start = self._completed(made, replace(answer, message=known))
        return [MessageStart(self._loop_id, self._start)]

    def _open(self, event: BlockStart) -> list[AgentEvent]:
        block = event.block
        self._told.append(False)
        if type(block) is model.ToolCallBlock:
            call = own.ToolCallContent(block.id, block.name, _NO_ARGUMENTS)
            self._parts.append(call)
            return []
        if type(block) not in _DELTAS:  # comes whole at its end
            self._parts.append(None)
            return []
        self._parts.append(self._part(block))
        return self._whole(event.index, block)

    def _whole(self, index: int, block: Any) -> list[AgentEvent]:
        """Return an update with all the text of a block, if no delta has carried any of it."""
        text = "" if self._told[index] else text_of(block)
        if not text:
            return []
        self._told[index] = True
        return [self._update(_DELTAS[type(block)](Delta(text)))]

    @staticmethod
    def _part(block: Any) -> own.Content | None:
        """Return phi-core's block; what is lost is reported at the end."""
        parts = MessageWriter([]).message(AssistantMessage([block]), IN_MESSAGE)[0].content
        return parts[0] if parts else None

    def _text(self, event: Any) -> list[AgentEvent]:
        index, part = event.index, self._parts[event.index]
        self._told[index] = True
        grown = _GROWN.get(type(part)) if self._so_far else None
        if grown is not None:
            self._parts[index] = grown(part, event.text)
        return [self._update(_DELTAS[type(event)](Delta(event.text)))]

    def _update(self, delta: StreamDelta) -> MessageUpdate:
        message = self._start
        assert message is not None  # no block begins before the answer
        if self._so_far:
            message = replace(message, content=[part for part in self._parts if part is not None])
        return MessageUpdate(self._loop_id, message, delta)

    def _end_block(self, event: BlockEnd) -> list[AgentEvent]:
        self._parts[event.index] = self._part(event.block)
        return self._whole(event.index, event.block)

    def _lose_event(self, event: OpaqueEvent) -> list[AgentEvent]:
        self._lost.event(event)
        return []

    def _end(self, event: StreamEnd) -> list[AgentEvent]:
        message = self._message(event.response)
        self._is_over = True
        return [MessageEnd(self._loop_id, message)]

    def _fail(self, event: StreamFailure) -> list[AgentEvent]:
        self._lost.failure(event)
        response = replace(self._total.response, message=self._total.message)
        response.message.stop_reason = StopReason.ERROR
        response.message.error_message = event.message
        message = self._message(response)
        self._is_over = True
        ended = MessageEnd(self._loop_id, message)
        return [ended] if self._start is not None else [MessageStart(self._loop_id, message), ended]


_GROWN: Final[Mapping[type, Callable[[Any, str], own.Content]]] = {
    own.TextContent: lambda part, text: own.TextContent(part.text + text),
    own.ThinkingContent: lambda part, text: own.ThinkingContent(part.thinking + text),
}
_DELTAS: Final[Mapping[type, Callable[[Delta], StreamDelta]]] = {
    kind: make
    for kinds, make in (
        ((model.TextBlock, TextDelta), lambda delta: StreamDelta(text=delta)),
        ((model.ThinkingBlock, ThinkingDelta), lambda delta: StreamDelta(thinking=delta)),
        ((model.ToolCallBlock, ArgumentsDelta), lambda delta: StreamDelta(tool_call_delta=delta)),
    )
    for kind in kinds
}
"""A type of block, and of its deltas -> phi-core's delta."""
_WRITE: Final[Mapping[type, Callable[[StreamWriter, Any], list[AgentEvent]]]] = {
    StreamStart: StreamWriter._begin,
    BlockStart: StreamWriter._open,
    TextDelta: StreamWriter._text,
    ThinkingDelta: StreamWriter._text,
    ArgumentsDelta: StreamWriter._text,
    BlockEnd: StreamWriter._end_block,
    OpaqueEvent: StreamWriter._lose_event,
    StreamEnd: StreamWriter._end,
    StreamFailure: StreamWriter._fail,
}


class StreamReader:
    """phi-core's events of one answer -> canonical events, and the answer.

    It reads the first answer of the loop whose answer begins first; other loops and events that are
    not about its message are skipped. phi-core does not say which block a delta belongs to: a block
    goes on until a delta of another kind comes, or a message with one more block. Calls begin when
    a message names them. What was told wrongly so is `revised` at the end, whose message counts.

    phi-core does not tell an answer's id, its API, the provider's own words, citations, nor the
    kind of an error, which becomes `server`, or `context_overflow` if its text says so.
    """

    def __init__(self) -> None:
        self._loop_id: str | None = None
        self._blocks = Blocks()
        self._known = 0
        """How many of the blocks in the message so far have begun here."""
        self._is_over = False
        self._failure: ProviderError | None = None

    def feed(self, event: AgentEvent) -> list[StreamEvent]:
        """Return the canonical events for one of phi-core's, often none.

        Raises `StreamError` for an update or an end whose message has not begun, and for a second
        answer in the loop: another reader reads it. Raises `DecodeError` for a message that has no
        canonical form.
        """
        read = _READ.get(type(event))
        about: Any = event
        if read is None or type(about.message) is not own.AssistantMessage:
            return []
        if self._loop_id is None and type(event) is MessageStart:
            self._loop_id = about.loop_id
        elif self._loop_id is None:
            raise StreamError(
                "event of a message that has not begun, expected `MessageStart` first", wire=WIRE
            )
        elif about.loop_id != self._loop_id:
            return []
        elif self._is_over or type(event) is MessageStart:
            raise StreamError("event of a second answer in a loop, expected one answer", wire=WIRE)
        with mapped(WIRE):
            read(self, about.message, about)
        return self._blocks.taken()

    def close(self) -> Response:
        """Return the whole answer.

        Raises `StreamError` if the stream was cut, `ProviderError` if it ended with an error.
        """
        if not self._is_over:
            raise StreamError(CUT, wire=WIRE)
        if self._failure is not None:
            raise self._failure.with_traceback(None)
        return self._blocks.total.response

    @property
    def message(self) -> AssistantMessage:
        """The message so far."""
        return self._blocks.total.message

    def _begin(self, message: own.AssistantMessage, _: MessageStart) -> None:
        self._blocks.start(_response(message, []))

    def _update(self, message: own.AssistantMessage, event: MessageUpdate) -> None:
        kind, text = _told(event.delta)
        blocks, parts = self._blocks, message.content
        if len(parts) > self._known:
            *whole, last = _content(message, self._known)
            self._known = len(parts)
            for block in whole:
                blocks.whole(block)
            if type(last) is kind:
                blocks.begin(last)
        elif blocks.open is not kind and kind is not model.ToolCallBlock:
            blocks.begin(kind(""))
        if blocks.open is kind:  # a call that no message has named waits for the end
            blocks.grow(text)

    def _end(self, message: own.AssistantMessage, _: MessageEnd) -> None:
        content = _content(message, 0)
        self._blocks.end(content)
        self._is_over = True
        if message.stop_reason is StopReason.ERROR and message.error_message is not None:
            kind = "context_overflow" if message.is_context_overflow() else "server"
            failure = StreamFailure(kind, message.error_message, wire=WIRE)
            self._failure = failure.error()
            self._blocks.send(failure)
        else:
            self._blocks.send(StreamEnd(_response(message, content)))


def _content(message: own.AssistantMessage, start: int) -> list[model.Content]:
    return _canonical(replace(message, content=message.content[start:])).content


def _response(message: own.AssistantMessage, content: list[model.Content]) -> Response:
    answer = _canonical(replace(message, content=[]))
    answer.content = content
    return Response(answer, created_at=answer.timestamp)


def _canonical(message: own.AssistantMessage) -> AssistantMessage:
    answer = canonical(message).as_llm()
    assert type(answer) is AssistantMessage
    return answer


def _told(delta: StreamDelta) -> tuple[type[Any], str]:
    """Return the type of block that a delta belongs to, and its text."""
    if delta.text is not None:
        return model.TextBlock, delta.text.delta
    if delta.thinking is not None:
        return model.ThinkingBlock, delta.thinking.delta
    assert delta.tool_call_delta is not None  # one of the three is set
    return model.ToolCallBlock, delta.tool_call_delta.delta


_READ: Final[Mapping[type, Callable[[StreamReader, own.AssistantMessage, Any], None]]] = {
    MessageStart: StreamReader._begin,
    MessageUpdate: StreamReader._update,
    MessageEnd: StreamReader._end,
}
