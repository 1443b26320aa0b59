"""The event stream of Cohere's chat -> stream events."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Final

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

from ...errors import ProviderError
from ...framing import sse
from ...model import (
    AnnotationBlock,
    AnnotationRef,
    Response,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
)
from .._errors import json_object
from .._reading import residue
from .._streams import StreamDecoder as _StreamDecoder
from .._writing import encode
from . import wire
from .errors import decode_error
from .reading import Citation, MessageReader, cited_part, references
from .request import DIALECTS
from .response import answer
from .stream_writing import PLAN

__all__ = ["StreamDecoder"]

_event = msgspec.json.Decoder(wire.Event).decode
_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_value = msgspec.json.Decoder().decode
_text_of = msgspec.json.Decoder(str | None).decode
_citation = msgspec.json.Decoder(Citation).decode
_REPEATED: Final = "citation-end"
"""The event that says nothing but that a citation, which came whole, has ended."""
_WORDS: Final = frozenset({"text", "thinking"})
_MESSAGE_KEYS: Final = frozenset({"role", "content", "tool_plan", "tool_calls", "citations"})


class _Part(Struct):
    """A part of the content, or a call: its JSON, and the index of its block, -1 before it has one.

    `number` is its index on the wire. Text and thinking get their block with their first text.
    """

    made: dict[str, Any]
    kind: str
    number: int | None
    index: int = -1


class StreamDecoder(_StreamDecoder):
    """The stream of `POST /v2/chat` with `"stream": true` -> events.

    `message-end` ends it; with an `error` it is a failure. A text or thinking delta after the end
    of its part begins a new part; an argument delta there is an error. Citations without a text
    become a block of their own at the end.
    """

    WIRE: ClassVar[str] = "cohere"
    API: ClassVar[str] = wire.API
    SPOKEN: ClassVar[tuple[str, ...]] = DIALECTS
    FRAMER: ClassVar[Any] = sse.Decoder

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._answer: dict[str, Any] = {}
        self._message: dict[str, Any] = {}
        self._parts: list[_Part] = []
        self._calls: list[_Part] = []
        self._open_parts: dict[int | None, _Part] = {}
        self._open_calls: dict[int | None, _Part] = {}
        self._spoken: dict[int, _Part] = {}
        """Index of a block -> its part, a text or thinking."""
        self._plan = -1
        self._planned: list[str] = []
        self._citations: list[Raw] = []
        self._loose: list[AnnotationRef] = []
        self._logprobs: list[Raw] = []

    def _frame(self, frame: sse.Event) -> None:
        data = frame[1]
        event: Any
        try:
            event = _event(data)
        except msgspec.DecodeError:
            event = self._odd(*frame)
            if event is None:
                return
        kind = type(event)
        if not self._is_started and kind is not wire.MessageStart:
            self._start(self._response())
        if kind is wire.ContentDelta:
            words = event.delta.message.content
            part = self._open_parts.get(event.index)
            if words.text:
                if part is None or part.index < 0 or part.kind != "text":
                    part = self._begun(part, event.index, "text")
                self._text(part.index, words.text)
            if words.thinking:
                if part is None or part.index < 0 or part.kind != "thinking":
                    part = self._begun(part, event.index, "thinking")
                self._thinking(part.index, words.thinking)
            if not _says(event) and _has_more(data):
                self._opaque(data, frame[0])
            elif event.logprobs is not None:
                self._logprobs.append(event.logprobs)
        else:
            _EVENTS[kind](self, event)

    def _odd(self, name: bytes, data: bytes) -> Any:
        """Decode an event with unknown keys; None if it is not an event of the answer."""
        if data.strip() == b"[DONE]":
            return None
        keys = json_object(data)
        if keys is not None and "type" not in keys and ("message" in keys or "error" in keys):
            self._fail(decode_error(data))
            return None
        body = self._read(wire.Event, data)
        event = body.root
        if type(event) is Raw:  # of a kind that is not read
            if keys is None or keys.get("type") != _REPEATED:
                self._opaque(body.data, name)
            return None
        if type(event) in (wire.MessageStart, wire.MessageEnd):
            self._answer |= body.unknown.pop(id(event), {})
        if type(event) is not wire.ContentDelta or _says(event):  # else it goes as it came
            self._beside(residue(event, body.unknown), name)
        return event

    # -- events --------------------------------------------------------------------------------

    def _on_start(self, event: wire.MessageStart) -> None:
        if event.id is not None:
            self._answer["id"] = event.id
        given = (event.delta.message if event.delta is not None else None) or {}
        self._message |= {key: given[key] for key in given if key not in _MESSAGE_KEYS}
        self._start(self._response())

    def _on_plan(self, event: wire.PlanDelta) -> None:
        text = event.delta.message.tool_plan
        if not text:
            return
        if self._plan < 0 or self._pieces[self._plan] is None:
            self._plan = self._open(TextBlock("", extras=PLAN))
        self._planned.append(text)
        self._text(self._plan, text)

    def _on_content_start(self, event: wire.ContentStart) -> None:
        self._end_part(event.index)  # reused before its end
        made = _keys(event.delta.message.content)
        block = self._block(made)
        kind = type(block)
        if kind is TextBlock or kind is ThinkingBlock:
            part = self._part(event.index, made, "text" if kind is TextBlock else "thinking")
            words = block.text if kind is TextBlock else block.thinking
            if words:
                self._begun(part, event.index, part.kind)
                (self._text if kind is TextBlock else self._thinking)(part.index, words)
            elif block.extras is not None:
                self._begun(part, event.index, part.kind)
        else:
            part = self._part(event.index, made, "")
            self._end_plan()
            part.index = self._open(block)

    def _on_content_end(self, event: wire.ContentEnd) -> None:
        self._end_part(event.index)

    def _on_call_start(self, event: wire.CallStart) -> None:
        self._end_call(event.index)  # reused before its end
        self._end_plan()
        made = _keys(event.delta.message.tool_calls)
        block = self._call(made)
        index = self._open(replace(block, arguments=""))
        part = _Part(made, "call", event.index, index)
        self._calls.append(part)
        self._open_calls[event.index] = part
        text = block.arguments.text.decode()
        if text:
            self._arguments(part.index, text)

    def _on_call(self, event: wire.CallDelta) -> None:
        part = self._open_calls.get(event.index)
        if part is None:
            self._bad("arguments of no call", ".index")
        arguments = event.delta.message.tool_calls.function.arguments
        if arguments:
            self._arguments(part.index, arguments)

    def _on_call_end(self, event: wire.CallEnd) -> None:
        self._end_call(event.index)

    def _on_citation(self, event: wire.CitationStart) -> None:
        raw = event.delta.message.citations
        citation = _citation(raw)
        self._citations.append(raw)
        at = cited_part(citation)
        index = -1
        if at is not None and at < 0:
            index = self._plan
        elif at is not None and at < len(self._parts) and self._parts[at].kind == "text":
            index = self._parts[at].index
        if index < 0:
            self._loose += references(citation)
            return
        for ref in references(citation):
            self._cite(index, ref)

    def _on_end(self, event: wire.MessageEnd) -> None:
        if event.id is not None:
            self._answer["id"] = event.id
        self._answer |= event.delta
        error = _text_of(self._answer.get("error", b"null"))
        if event.delta.get("usage") is not None:
            usage = self._response().message.usage
            if usage is not None:
                self._update(usage)
        if error:
            reason = _text_of(event.delta.get("finish_reason", b"null"))
            kind = "timeout" if reason == "TIMEOUT" else "server"
            self._fail(ProviderError(kind, error, code=reason, wire=self.WIRE))
            return
        self._is_complete = True
        self._done()

    # -- blocks --------------------------------------------------------------------------------

    def _part(self, number: int | None, made: dict[str, Any], kind: str) -> _Part:
        part = _Part(made, kind, number)
        self._parts.append(part)
        self._open_parts[number] = part
        return part

    def _begun(self, part: _Part | None, number: int | None, kind: str) -> _Part:
        """Open the block of a part, or of a new part if this one is of another kind."""
        if part is None or part.kind != kind:
            self._end_part(number)
            part = self._part(number, {"type": kind, kind: ""}, kind)
        self._end_plan()
        block = self._block(part.made)
        if kind == "text":
            part.index = self._open(TextBlock("", extras=block.extras))
        else:
            part.index = self._open(ThinkingBlock("", extras=block.extras))
        self._spoken[part.index] = part
        return part

    def _end_plan(self) -> None:
        """End the plan before another block begins: the wire has no event for its end."""
        if self._plan >= 0 and self._pieces[self._plan] is not None:
            so_far: Any = self._total.block(self._plan)
            self._end(self._plan, replace(so_far, extras=None))

    def _end_part(self, number: int | None) -> None:
        part = self._open_parts.pop(number, None)
        if part is None or part.index < 0:
            return
        so_far: Any = self._total.block(part.index)
        if part.kind == "text":
            part.made["text"] = so_far.text
        elif part.kind == "thinking":
            part.made["thinking"] = so_far.thinking
        block: Any = self._block(part.made)
        if part.kind == "text":
            block.annotations = so_far.annotations
        self._end(part.index, block)

    def _end_call(self, number: int | None) -> None:
        part = self._open_calls.pop(number, None)
        if part is not None:
            self._end(part.index)

    def _close_block(self, index: int) -> None:
        if index == self._plan:
            self._end_plan()
            return
        part = self._spoken.get(index)
        if part is not None:
            self._end_part(part.number)
        else:
            self._end(index)

    def _done(self) -> None:
        for index, pieces in enumerate(self._total.pieces):
            if pieces is not None:
                self._close_block(index)
        if self._loose:
            self._whole(AnnotationBlock(refs=self._loose))
        super()._done()

    def _block(self, made: dict[str, Any]) -> Any:
        """Return the block for the wire's JSON of a part."""
        return self._read_with(
            lambda body: MessageReader(body, self._dialect).content(body.root)[0],
            list[wire.Part],
            encode([made]),
        )

    def _call(self, made: dict[str, Any]) -> ToolCallBlock:
        """Return the call for the wire's JSON of it."""
        block: ToolCallBlock = self._read_with(
            lambda body: MessageReader(body, self._dialect).call(body.root),
            wire.ToolCall,
            encode(made),
        )
        return block

    # -- the answer ----------------------------------------------------------------------------

    def _response(self) -> Response:
        """Read the answer that the events add up to, as if it had come whole."""
        message: dict[str, Any] = {"role": "assistant", **self._message}
        parts = {
            "content": [part.made for part in self._parts],
            "tool_plan": "".join(self._planned),
            "tool_calls": [self._whole_call(part) for part in self._calls],
            "citations": self._citations,
        }
        message |= {key: value for key, value in parts.items() if value}
        whole = {**self._answer, "message": message}
        if self._logprobs:
            whole["logprobs"] = self._logprobs
        made: Response = self._read_with(
            lambda body: answer(MessageReader(body, self._dialect)), wire.Answer, encode(whole)
        )
        return made

    def _whole_call(self, part: _Part) -> dict[str, Any]:
        block: Any = self._total.block(part.index)
        function = {"name": block.name, "arguments": block.arguments.text.decode()}
        return {**part.made, "function": function}


def _says(event: wire.ContentDelta) -> bool:
    words = event.delta.message.content
    return words.text is not None or words.thinking is not None


def _has_more(data: bytes) -> bool:
    """Whether the content of a delta has keys beside those that are read."""
    return not _value(data)["delta"]["message"]["content"].keys() <= _WORDS


_EVENTS: Final[dict[type, Callable[[StreamDecoder, Any], None]]] = {
    wire.MessageStart: StreamDecoder._on_start,
    wire.PlanDelta: StreamDecoder._on_plan,
    wire.ContentStart: StreamDecoder._on_content_start,
    wire.ContentEnd: StreamDecoder._on_content_end,
    wire.CallStart: StreamDecoder._on_call_start,
    wire.CallDelta: StreamDecoder._on_call,
    wire.CallEnd: StreamDecoder._on_call_end,
    wire.CitationStart: StreamDecoder._on_citation,
    wire.MessageEnd: StreamDecoder._on_end,
}
