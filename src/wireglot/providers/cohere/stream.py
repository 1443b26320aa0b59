"""Stream events <-> the event stream of Cohere's chat."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Final

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

from ..._body.encode import encode_json as encode
from ...errors import ProviderError
from ...framing import sse
from ...losses import Losses
from ...model import (
    AnnotationBlock,
    AnnotationRef,
    Content,
    Extra,
    Extras,
    IdSource,
    RawJson,
    Response,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
)
from ...model.events import (
    ArgumentsDelta,
    BlockEnd,
    BlockStart,
    StreamEnd,
    StreamFailure,
    StreamStart,
    TextDelta,
    ThinkingDelta,
    UsageUpdate,
)
from .._across.errors import json_object
from .._codecs.framers import Events
from .._codecs.responses import ResponseCodec
from .._codecs.stream_decoder import StreamDecoder as _StreamDecoder
from .._codecs.stream_decoder import grow
from .._codecs.stream_encoder import StreamEncoder as _StreamEncoder
from .._codecs.stream_encoder import json_string
from .._state.decoding import Decoding, residue, strange
from .._state.rules import Rules
from . import blocks, wire
from .errors import decode_error, encode_error, message_of
from .losses import RULES
from .response import RESPONSES, ResponseWriter

_PLAN: Final[Extras] = {wire.API: Extra(RawJson(b"{}"), spelling=RawJson(b'{"tool_plan":null}'))}
"""The extras of a plan's `BlockStart`, so that the encoder can tell it from text."""

# -- frames -> events --------------------------------------------------------------------------

_event = msgspec.json.Decoder(wire.Event).decode
_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_value = msgspec.json.Decoder().decode
_text_of = msgspec.json.Decoder(str | None).decode
_REPEATED: Final = "citation-end"
"""The event that says nothing but that a citation, which came whole, has ended."""
_WORDS: Final = frozenset({"text", "thinking"})
_OF_START: Final = frozenset({"id", "message"})
_OF_OTHERS: Final = frozenset({"message", "finish_reason", "usage"})
"""The keys of the answer that the end of it, and an event beside its delta, do not tell."""
_MESSAGE_KEYS: Final = frozenset({"role", "content", "tool_plan", "tool_calls", "citations"})


class _Part(Struct):
    """A part of the content, or a call: its JSON, and the index of its block, -1 before it has one.

    `number` is its index on the wire. Text and thinking get their block with their first text.
    """

    body: dict[str, Any]
    kind: str
    number: int | None
    index: int = -1


class StreamDecoder(_StreamDecoder):
    """The stream of `POST /v2/chat` with `"stream": true` -> events.

    `message-end` ends it; with an `error` it is a failure. A text or thinking delta after the end
    of its part begins a new part; an argument delta there is an error. Citations without a text
    become a block of their own at the end.
    """

    RULES: ClassVar[Rules] = RULES
    CODEC: ClassVar[ResponseCodec] = RESPONSES
    LAST: ClassVar[str] = "`message-end`"
    FRAMER: ClassVar[Any] = Events

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
            if part is None:
                part = self._open_parts.get(_number(event.index, self._open_parts))
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
            unknown = body.unknown.pop(id(event), {})
            grow(self._answer, self._apart(unknown, _OF_OTHERS, name))
        if type(event) is not wire.ContentDelta or _says(event):  # else it goes as it came
            self._beside(residue(event, body.unknown), name)
        return event

    # -- events --------------------------------------------------------------------------------

    def _on_start(self, event: wire.MessageStart) -> None:
        if event.id is not None:
            self._answer["id"] = event.id
        given = (event.delta.message if event.delta is not None else None) or {}
        grow(self._message, {key: given[key] for key in given if key not in _MESSAGE_KEYS})
        if not self._is_started:
            self._start(self._response())

    def _on_plan(self, event: wire.PlanDelta) -> None:
        text = event.delta.message.tool_plan
        if not text:
            return
        if self._plan < 0 or self._pieces[self._plan] is None:
            self._plan = self._open(TextBlock("", extras=_PLAN))
        self._planned.append(text)
        self._text(self._plan, text)

    def _on_content_start(self, event: wire.ContentStart) -> None:
        self._end_part(event.index)  # reused before its end
        body = _keys(event.delta.message.content)
        block = self._block(body)
        kind = type(block)
        if kind is TextBlock or kind is ThinkingBlock:
            part = self._part(event.index, body, "text" if kind is TextBlock else "thinking")
            words = block.text if kind is TextBlock else block.thinking
            if words:
                self._begun(part, event.index, part.kind)
                (self._text if kind is TextBlock else self._thinking)(part.index, words)
            elif block.extras is not None:
                self._begun(part, event.index, part.kind)
        else:
            part = self._part(event.index, body, "")
            self._end_plan()
            part.index = self._open(block)

    def _on_content_end(self, event: wire.ContentEnd) -> None:
        self._end_part(_number(event.index, self._open_parts))

    def _on_call_start(self, event: wire.CallStart) -> None:
        self._end_call(event.index)  # reused before its end
        self._end_plan()
        body = _keys(event.delta.message.tool_calls)
        block = self._call(body)
        index = self._open(replace(block, arguments=""))
        part = _Part(body, "call", event.index, index)
        self._calls.append(part)
        self._open_calls[event.index] = part
        text = block.arguments.text.decode()
        if text:
            self._arguments(part.index, text)

    def _on_call(self, event: wire.CallDelta) -> None:
        part = self._open_calls.get(_number(event.index, self._open_calls))
        if part is None:
            self._bad("arguments without a call, expected an open one", ".index")
        arguments = event.delta.message.tool_calls.function.arguments
        if arguments:
            self._arguments(part.index, arguments)

    def _on_call_end(self, event: wire.CallEnd) -> None:
        self._end_call(_number(event.index, self._open_calls))

    def _on_citation(self, event: wire.CitationStart) -> None:
        raw = event.delta.message.citations
        body = self._read(blocks.Citation, bytes(raw))
        citation: blocks.Citation = body.root
        refs = blocks.references(citation, strange(citation, body, wire.API))
        self._citations.append(raw)
        at = blocks.cited_part(citation)
        index = -1
        if at is not None and at < 0:
            index = self._plan
        elif at is not None and at < len(self._parts) and self._parts[at].kind == "text":
            index = self._parts[at].index
        if index < 0:
            self._loose += refs
            return
        for ref in refs:
            self._cite(index, ref)

    def _on_end(self, event: wire.MessageEnd) -> None:
        if event.id is not None:
            self._answer["id"] = event.id
        error = _text_of(event.delta.get("error") or self._answer.get("error", b"null"))
        grow(
            self._answer,
            event.delta if error else self._apart(event.delta, _OF_START, "message-end", "delta"),
        )
        if event.delta.get("usage") is not None:
            usage = self._response().message.usage
            if usage is not None:
                self._update(usage)
        if error:
            reason = _text_of(event.delta.get("finish_reason", b"null"))
            kind = "timeout" if reason == "TIMEOUT" else "server"
            self._fail(ProviderError(kind, error, code=reason, wire=self.RULES.wire))
            return
        self._is_complete = True
        self._done()

    # -- blocks --------------------------------------------------------------------------------

    def _part(self, number: int | None, body: dict[str, Any], kind: str) -> _Part:
        part = _Part(body, kind, number)
        self._parts.append(part)
        self._open_parts[number] = part
        return part

    def _begun(self, part: _Part | None, number: int | None, kind: str) -> _Part:
        """Open the block of a part, or of a new part if this one is of another kind."""
        if part is None or part.kind != kind:
            self._end_part(number)
            part = self._part(number, {"type": kind, kind: ""}, kind)
        self._end_plan()
        block = self._block(part.body)
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
            part.body["text"] = so_far.text
        elif part.kind == "thinking":
            part.body["thinking"] = so_far.thinking
        block: Any = self._block(part.body)
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
        self._cite_loosely()
        super()._done()

    def _tell_rest(self) -> None:
        super()._tell_rest()
        self._cite_loosely()

    def _cite_loosely(self) -> None:
        """Send the citations without a text."""
        if self._loose:
            self._whole(AnnotationBlock(refs=self._loose))

    def _block(self, body: dict[str, Any]) -> Any:
        """Return the block for the wire's JSON of a part."""
        return self._read_with(
            lambda body: blocks.content(body.root, Decoding(RULES, body, self._dialect))[0],
            list[wire.Part],
            encode([body]),
        )

    def _call(self, body: dict[str, Any]) -> ToolCallBlock:
        """Return the call for the wire's JSON of it."""
        block: ToolCallBlock = self._read_with(
            lambda body: blocks.block_of_call(body.root, Decoding(RULES, body, self._dialect)),
            wire.ToolCall,
            encode(body),
        )
        return block

    # -- the answer ----------------------------------------------------------------------------

    def _response(self) -> Response:
        """Read the answer that the events add up to, as if it had come whole."""
        message: dict[str, Any] = {"role": "assistant", **self._message}
        parts = {
            "content": [part.body for part in self._parts],
            "tool_plan": "".join(self._planned),
            "tool_calls": [self._whole_call(part) for part in self._calls],
            "citations": self._citations,
        }
        message |= {key: value for key, value in parts.items() if value}
        whole = {**self._answer, "message": message}
        if self._logprobs:
            whole["logprobs"] = self._logprobs
        return self._answered(whole)

    def _whole_call(self, part: _Part) -> dict[str, Any]:
        block: Any = self._total.block(part.index)
        function = {"name": block.name, "arguments": block.arguments.text.decode()}
        return {**part.body, "function": function}


def _number(number: int | None, parts: dict[int | None, _Part]) -> int | None:
    """Return the number of an event's part or call; without one, it is the latest."""
    return next(reversed(parts), None) if number is None and None not in parts else number


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


# -- events -> frames --------------------------------------------------------------------------

_items = msgspec.json.Decoder(list[Raw]).decode
_DELTA: Final = b'event: %b\ndata: {"type":"%b","index":%%d,"delta":{"message":{%b:%%%%b%b}}}\n\n'
_TEXT: Final = _DELTA % (b"content-delta", b"content-delta", b'"content":{"text"', b"}")
_THINKING: Final = _DELTA % (b"content-delta", b"content-delta", b'"content":{"thinking"', b"}")
_ARGUMENTS: Final = _DELTA % (
    b"tool-call-delta",
    b"tool-call-delta",
    b'"tool_calls":{"function":{"arguments"',
    b"}}",
)
_PLAN_DELTA: Final = (
    b'event: tool-plan-delta\ndata: {"type":"tool-plan-delta",'
    b'"delta":{"message":{"tool_plan":%b}}}\n\n'
)
_LOGPROBS: Final = (
    b'event: content-delta\ndata: {"type":"content-delta","index":%d,'
    b'"delta":{"message":{"content":{"text":""}}},"logprobs":%b}\n\n'
)
_CONTENT_END: Final = b'event: content-end\ndata: {"type":"content-end","index":%d}\n\n'
_CALL_END: Final = b'event: tool-call-end\ndata: {"type":"tool-call-end","index":%d}\n\n'
_DONE: Final = b"data: [DONE]\n\n"


class StreamEncoder(_StreamEncoder):
    """Events -> the stream of `POST /v2/chat`; parts and calls are numbered as they are written.

    Text is written as content, since nothing says that calls will follow; a plan that came over
    this API stays a plan. Citations and logprobs follow the content.
    """

    RULES: ClassVar[Rules] = RULES
    WRITER: ClassVar[Any] = ResponseWriter
    CITES_LAST: ClassVar[bool] = True
    ERROR_KEYS: ClassVar[tuple[str, ...]] = ("message", "error")
    _answer: ResponseWriter

    def __init__(
        self,
        *,
        losses: Losses = None,
        dialect: str | None = None,
        ids: IdSource | None = None,
    ) -> None:
        super().__init__(losses=losses, dialect=dialect, ids=ids)
        self._forms: dict[int, bytes] = {}
        """Index of a block -> its delta, with a place for the text."""
        self._ends: dict[int, bytes] = {}
        """Index of a block -> the bytes that end it."""
        self._parts = self._calls = 0
        self._usage: Any = None
        self._begun: dict[str, Any] = {}
        """The keys of `message-start`."""

    def _on_start(self, event: StreamStart) -> bytes:
        message = {
            "role": "assistant",
            "content": [],
            "tool_plan": "",
            "tool_calls": [],
            "citations": [],
        }
        whole = self._answer.encoding.with_extras(message, event.response.message)
        keys: dict[str, Any] = {"id": self._answer.id(), "delta": {"message": whole}}
        self._begun = self._answer.with_answer_extras(keys)
        return _frame("message-start", self._begun)

    def _on_block_start(self, event: BlockStart) -> bytes:
        block: Any = event.block
        kind = type(block)
        if kind is TextBlock:
            if _is_plan(block):
                self._forms[event.index] = _PLAN_DELTA
                self._ends[event.index] = b""
                return b""
            return self._begin(event.index, wire.Text(""), block, _TEXT)
        if kind is ThinkingBlock and not block.redacted:
            return self._begin(event.index, wire.Thinking(""), block, _THINKING)
        if kind is ToolCallBlock:
            number = self._calls
            self._calls += 1
            self._forms[event.index] = _ARGUMENTS % number
            self._ends[event.index] = _CALL_END % number
            delta = {"message": {"tool_calls": self._answer.call(block, "")}}
            return _frame("tool-call-start", {"index": number, "delta": delta})
        return b""

    def _begin(self, index: int, part: Any, block: Content, form: bytes) -> bytes:
        number = self._parts
        self._parts += 1
        self._forms[index] = form % number
        self._ends[index] = _CONTENT_END % number
        delta = {"message": {"content": self._answer.encoding.with_extras(part, block)}}
        return _frame("content-start", {"index": number, "delta": delta})

    def _on_text(self, event: TextDelta | ThinkingDelta | ArgumentsDelta) -> bytes:
        form = self._forms.get(event.index)
        return form % json_string(event.text) if form is not None else b""

    _on_thinking = _on_text
    _on_arguments = _on_text

    def _on_block_end(self, event: BlockEnd) -> bytes:
        block = event.block
        end = self._ends.get(event.index)
        if end is not None:
            if type(block) is TextBlock or type(block) is ThinkingBlock:
                self._answer.lose_beside(block)
            return end
        part = self._answer.part(block)
        if part is None:
            return b""
        number = self._parts
        self._parts += 1
        start = _frame("content-start", {"index": number, "delta": {"message": {"content": part}}})
        return start + _CONTENT_END % number

    def _on_usage(self, event: UsageUpdate) -> bytes:
        self._usage = event.usage
        return b""

    def _on_end(self, event: StreamEnd) -> bytes:
        writer = ResponseWriter(event.response, self._losses, self._dialect, self._ids)
        message = event.response.message
        writer.lose_alternatives()
        writer.lose_annotations()
        writer.encoding.lose_foreign(message)
        out = []
        for number, citation in enumerate(blocks.citations(message)):
            keys = {"index": number, "delta": {"message": {"citations": citation}}}
            out += [_frame("citation-start", keys), _frame("citation-end", {"index": number})]
        rest = writer.with_answer_extras({})
        for item in _items(rest.pop("logprobs", b"[]")):
            out.append(_LOGPROBS % (max(self._parts - 1, 0), item))
        rest = {key: value for key, value in rest.items() if self._begun.get(key) != value}
        inner = {key: rest.pop(key) for key in ("type", "delta") if key in rest}
        out.append(_frame("message-end", {**rest, "delta": inner | writer.end()}))
        return b"".join(out) + _DONE

    def _on_failure(self, event: StreamFailure) -> bytes:
        """Write an error into `message-end`, where the API's clients look for it."""
        error = self._error(event)
        if event.wire == self.RULES.wire and error.body is not None:
            return sse.encode(encode_error(error))
        reason = "TIMEOUT" if event.kind == "timeout" else "ERROR"
        delta: dict[str, Any] = {"finish_reason": reason, "error": message_of(error)}
        if self._usage is not None:
            delta["usage"] = self._answer.usage(self._usage)
        return _frame("message-end", {"delta": delta}) + _DONE


def _frame(kind: str, keys: dict[str, Any]) -> bytes:
    return sse.encode(encode({"type": kind, **keys}), kind.encode())


def _is_plan(block: TextBlock) -> bool:
    extra = (block.extras or {}).get(wire.API)
    return extra is not None and extra.spelling is not None and extra == _PLAN[wire.API]
