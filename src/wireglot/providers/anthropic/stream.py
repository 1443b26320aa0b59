"""Stream events <-> the event stream of Anthropic Messages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Final

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

from ..._body.decode import Decoded
from ..._body.encode import encode_json as encode
from ..._body.objects import shallow
from ...framing import sse
from ...framing._buffer import MAX_FRAME
from ...losses import Losses
from ...model import (
    Content,
    IdSource,
    RawJson,
    Response,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    Usage,
)
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
from .._across.usage import usage_of
from .._codecs.framers import Events
from .._codecs.responses import ResponseCodec
from .._codecs.stream_decoder import StreamDecoder as _StreamDecoder
from .._codecs.stream_decoder import grow
from .._codecs.stream_encoder import StreamEncoder as _StreamEncoder
from .._codecs.stream_encoder import is_free, json_string
from .._state.decoding import Decoding, residue
from .._state.rules import Rules
from . import blocks, invoke_model, wire
from .errors import decode_error, encode_error
from .losses import RULES
from .response import RESPONSES, ResponseWriter, read_counts, uncounted

_keys = msgspec.json.Decoder(dict[str, Raw]).decode

# -- frames -> events --------------------------------------------------------------------------

_event = msgspec.json.Decoder(wire.Event).decode
_NULL: Final = Raw(b"null")
_list = msgspec.json.Decoder(list[Raw] | None).decode


class _Part(Struct):
    """An open block: its index, the JSON that it began with, and the pieces collected since."""

    index: int
    kind: str
    begun: dict[str, Any]
    signature: str = ""
    citations: list[Raw] = []
    json: list[str] = []
    is_bare: bool = False
    """Whether it began as nearly all texts and thinking do: its text and its signature are all."""


class StreamDecoder(_StreamDecoder):
    """The stream of `POST /v1/messages` with `"stream": true` -> events.

    `message_stop` ends it. A text or thinking delta after the end of its block begins a new block;
    an argument delta there is an error.
    """

    RULES: ClassVar[Rules] = RULES
    CODEC: ClassVar[ResponseCodec] = RESPONSES
    LAST: ClassVar[str] = "`message_stop`"
    FRAMER: ClassVar[Any] = Events

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        if self._dialect == "bedrock":
            self._framer = invoke_model.Decoder(options.get("max_frame", MAX_FRAME))
        self._answer: dict[str, Any] = {}
        self._counts: dict[str, Any] = {}
        self._usage: Usage | None = None  # that of the last update, which had all of the counts
        self._parts: dict[int, _Part] = {}
        self._numbers: dict[int, int] = {}  # block -> its number on the wire

    def _frame(self, frame: sse.Event) -> None:
        name, data = frame
        try:
            event = _event(data)
        except msgspec.DecodeError:
            body = self._read(wire.Event, data)
            event, data = body.root, body.data
            if type(event) is Raw:  # of an unknown kind
                self._opaque(data, name)
                return
            if type(event) in _WHOLE:
                unknown = body.unknown.get(id(event), {})
                grow(self._answer, self._apart(unknown, _OF_OTHERS, name))
            else:
                self._beside(residue(event, body.unknown), name)
        if type(event) is wire.BlockDelta:
            delta: Any = event.delta
            part = self._parts.get(event.index)
            if type(delta) is wire.TextDelta and part is not None and part.kind == "text":
                self._text(part.index, delta.text)
            elif type(delta) is Raw:  # of an unknown kind
                self._opaque(data, name)
            else:
                _DELTAS[type(delta)](self, part, delta)
        else:
            _EVENTS[type(event)](self, event)

    # Events

    def _on_start(self, event: wire.MessageStart) -> None:
        begun = _keys(event.message)
        for key in ("content", "usage"):
            if begun.get(key) == _NULL:  # as some servers begin
                del begun[key]
        self._counts, self._usage = _keys(begun.pop("usage", Raw(b"{}"))), None
        self._answer |= begun
        if not self._is_started:
            self._start(self._response())

    def _on_block_start(self, event: wire.BlockStart) -> None:
        if event.index in self._parts:  # reused before its block ended
            self._stop(event.index)
        begun = _keys(event.content_block)
        if begun == _BARE_TEXT:
            part = _Part(self._open(TextBlock("")), "text", begun, is_bare=True)
        elif begun == _BARE_THINKING:
            part = _Part(self._open(ThinkingBlock("")), "thinking", begun, is_bare=True)
        else:
            part = self._part(begun)
        self._parts[event.index] = part
        self._numbers[part.index] = event.index

    def _part(self, begun: dict[str, Any]) -> _Part:
        """Begin the block for the wire's JSON of it."""
        block = self._block(begun)
        kind = type(block)
        if kind is TextBlock:
            part = _Part(self._open(TextBlock("", extras=block.extras)), "text", begun)
            if block.text:
                self._text(part.index, block.text)
        elif kind is ThinkingBlock and not block.redacted:
            part = _Part(self._open(ThinkingBlock("", extras=block.extras)), "thinking", begun)
            part.signature = block.signature or ""
            if block.thinking:
                self._thinking(part.index, block.thinking)
        elif kind is ToolCallBlock:
            text = block.arguments.text.decode()
            part = _Part(self._open(replace(block, arguments="")), "tool_use", begun)
            part.json = [] if text == "{}" else [text]
        else:
            part = _Part(self._open(block), "", begun)
        return part

    def _on_block_stop(self, event: wire.BlockStop) -> None:
        if event.index in self._parts:
            self._stop(event.index)

    def _on_message_delta(self, event: wire.MessageDelta) -> None:
        delta = self._apart(event.delta, _OF_START, "message_delta", "delta")
        grow(self._answer, delta)
        if event.usage is not None:
            grow(self._counts, event.usage)
            self._usage = None
            if self._is_affordable():
                self._tell_counts()

    def _tell_counts(self) -> None:
        said = Raw(self._assembled(self._counts))
        self._usage = (
            usage_of(said, wire.API, wire.Usage, read_counts, uncounted=uncounted) or Usage()
        )
        self._update(self._usage)

    def _on_message_stop(self, _: wire.MessageStop) -> None:
        self._is_complete = True
        self._done()

    def _on_error(self, event: wire.Error) -> None:
        self._fail(decode_error(encode(event)))

    # Deltas

    def _on_text(self, part: _Part | None, delta: wire.TextDelta) -> None:
        """Add text that belongs to no open text block: it gets a block of its own."""
        self._text(self._open(TextBlock("")), delta.text)

    def _on_thinking(self, part: _Part | None, delta: wire.ThinkingDelta) -> None:
        if part is None or part.kind != "thinking":
            self._thinking(self._open(ThinkingBlock("")), delta.thinking)
            return
        self._thinking(part.index, delta.thinking)

    def _on_input(self, part: _Part | None, delta: wire.InputDelta) -> None:
        if part is None:
            self._bad("arguments without a call, expected an open one", ".index")
        if part.kind == "tool_use":
            if delta.partial_json:
                self._arguments(part.index, delta.partial_json)
        elif delta.partial_json:
            part.json.append(delta.partial_json)

    def _on_signature(self, part: _Part | None, delta: wire.SignatureDelta) -> None:
        if part is None:
            self._bad("signature after the end of its block, expected none", ".index")
        part.signature += delta.signature

    def _on_citation(self, part: _Part | None, delta: wire.CitationsDelta) -> None:
        if part is None or part.kind != "text":
            self._bad("citation without a text, expected an open one", ".index")
        part.citations.append(delta.citation)
        cited: Any = self._block({"type": "text", "text": "", "citations": [delta.citation]})
        for ref in cited.annotations or ():
            self._cite(part.index, ref)

    # Blocks

    def _stop(self, number: int) -> None:
        """End the block with this number on the wire; its whole JSON gives its content."""
        part = self._parts.pop(number)
        del self._numbers[part.index]
        whole = dict(part.begun)
        if part.kind == "tool_use":
            if part.json and not any(self._total.pieces[part.index] or ()):
                self._arguments(part.index, part.json[0])
            self._end(part.index)
            return
        so_far: Any = self._total.block(part.index)
        if part.is_bare and not part.citations:
            if part.kind == "thinking":
                so_far = ThinkingBlock(so_far.thinking, part.signature)
            self._end(part.index, so_far)
            return
        if part.kind == "text":
            whole["text"] = so_far.text
            if part.citations:
                begun = _list(whole.get("citations", _NULL)) or []
                told = {*map(bytes, part.citations)}
                whole["citations"] = [c for c in begun if bytes(c) not in told] + part.citations
        elif part.kind == "thinking":
            whole |= {"thinking": so_far.thinking, "signature": part.signature}
        elif any(part.json):
            whole["input"] = RawJson("".join(part.json))
        self._end(part.index, self._block(whole))

    def _close_block(self, index: int) -> None:
        number = self._numbers.get(index)
        if number is not None:
            self._stop(number)
        else:
            self._end(index)

    def _block(self, whole: dict[str, Any]) -> Any:
        """Return the block for the wire's JSON of it."""
        [block] = self._read_with(self._content, list[wire.Block], encode([whole]))
        return block

    def _content(self, body: Decoded) -> list[Content]:
        return blocks.BlockReader(Decoding(RULES, body, self._dialect)).content(body.root)

    def _response(self) -> Response:
        usage = self._usage
        counts = self._counts if usage is None else None
        whole = {"type": "message", "content": [], **self._answer, "usage": counts}
        response = self._answered(whole)
        if usage is not None:
            response.message.usage = usage
        return response


_BARE_TEXT: Final = _keys(b'{"type":"text","text":""}')
_BARE_THINKING: Final = _keys(b'{"type":"thinking","thinking":"","signature":""}')
_WHOLE: Final = frozenset({wire.MessageStart, wire.MessageDelta, wire.MessageStop})
"""The events about the whole answer, whose unknown keys are the answer's."""
_OF_START: Final = frozenset({"id", "type", "role", "model", "content", "usage"})
"""The keys of the answer that only its start, or the blocks, tell."""
_OF_OTHERS: Final = _OF_START | {"stop_reason", "stop_sequence"}
"""Those, and what a delta tells: beside an event they are not the answer's."""
_EVENTS: Final[dict[type, Callable[[StreamDecoder, Any], None]]] = {
    wire.MessageStart: StreamDecoder._on_start,
    wire.BlockStart: StreamDecoder._on_block_start,
    wire.BlockStop: StreamDecoder._on_block_stop,
    wire.MessageDelta: StreamDecoder._on_message_delta,
    wire.MessageStop: StreamDecoder._on_message_stop,
    wire.Ping: lambda *_: None,
    wire.Error: StreamDecoder._on_error,
}
_DELTAS: Final[dict[type, Callable[[StreamDecoder, Any, Any], None]]] = {
    wire.TextDelta: StreamDecoder._on_text,
    wire.InputDelta: StreamDecoder._on_input,
    wire.ThinkingDelta: StreamDecoder._on_thinking,
    wire.SignatureDelta: StreamDecoder._on_signature,
    wire.CitationsDelta: StreamDecoder._on_citation,
}


# -- events -> frames --------------------------------------------------------------------------

_FIRST_DELTA_KEYS: Final = ("stop_details", "container")
# Source: `MessageDeltaUsage` of the SDK, anthropic 2.12: "cumulative".
_CUMULATIVE: Final = (
    "input_tokens",
    "cache_creation_input_tokens",
    "cache_read_input_tokens",
    "output_tokens",
)


class StreamEncoder(_StreamEncoder):
    """Events -> the stream of `POST /v1/messages`; blocks are numbered as they are written.

    In the dialect `bedrock` each event is wrapped in a message of an AWS event stream.
    """

    RULES: ClassVar[Rules] = RULES
    WRITER: ClassVar[Any] = ResponseWriter
    _answer: ResponseWriter

    def __init__(
        self,
        *,
        losses: Losses = None,
        dialect: str | None = None,
        ids: IdSource | None = None,
    ) -> None:
        super().__init__(losses=losses, dialect=dialect, ids=ids)
        self._numbers: dict[int, int] = {}
        self._heads: dict[int, bytes] = {}
        # Blocks that are written when they end; `_late` are calls.
        self._held: set[int] = set()
        self._late: set[int] = set()
        self._calls_by_name: list[bytes] = []  # opaque events that came while a block was held
        self._begun: dict[str, Any] = {}  # the message of `message_start`

    def encode(self, event: StreamEvent) -> bytes:
        """Return the frames of an event, often none. Raises as the encoder of any wire does."""
        frames = _StreamEncoder.encode(self, event)  # `super()` is a tenth of a delta
        return invoke_model.wrapped(frames) if frames and self._dialect == "bedrock" else frames

    def _on_start(self, event: StreamStart) -> bytes:
        writer = self._answer
        message = event.response.message
        body: dict[str, Any] = {
            **writer.head(),
            "content": [],
            "stop_reason": None,
            "stop_sequence": None,
            "usage": writer.usage(message.usage),
        }
        self._begun = writer.with_answer_extras(body)
        return _frame("message_start", {"message": self._begun})

    def _on_block_start(self, event: BlockStart) -> bytes:
        block: Any = event.block
        kind = type(block)
        body: Any
        if kind is TextBlock:
            body = wire.Text("")
        elif kind is ThinkingBlock and not block.redacted:
            body = wire.Thinking("")
        elif kind is ToolCallBlock and not is_free(block):
            body = wire.ToolUse(blocks.id_of_call(block.id), block.name, {})
        else:
            later = self._late if kind is ToolCallBlock else self._held
            later.add(event.index)
            return b""
        return self._begin(event.index, self._answer.encoding.with_extras(body, block))

    def _begin(self, index: int, body: Any) -> bytes:
        number = self._numbers[index] = len(self._numbers)
        self._heads[index] = _TEXT % number
        return _frame("content_block_start", {"index": number, "content_block": body})

    def _on_text(self, event: TextDelta) -> bytes:
        return self._heads[event.index] + json_string(event.text) + _DELTA_END

    def _on_thinking(self, event: ThinkingDelta) -> bytes:
        if event.index in self._held:
            return b""
        return _THINKING % self._numbers[event.index] + json_string(event.text) + _DELTA_END

    def _on_arguments(self, event: ArgumentsDelta) -> bytes:
        if event.index in self._late:
            return b""
        return _INPUT % self._numbers[event.index] + json_string(event.text) + _DELTA_END

    def _on_block_end(self, event: BlockEnd) -> bytes:
        block, out = event.block, b""
        number = self._numbers.get(event.index)
        if number is None:
            return self._whole(event)
        if type(block) is ThinkingBlock:
            signature = self._answer.signature(block)
            if signature:
                out = _SIGNATURE % number + json_string(signature) + _DELTA_END
        self._answer.lose_beside(block)
        if type(block) is TextBlock and block.annotations:
            for citation in blocks.citations(block) or self._answer.cited(block):
                delta = {"type": "citations_delta", "citation": citation}
                out += _frame("content_block_delta", {"index": number, "delta": delta})
        return out + _STOP % number

    def _whole(self, event: BlockEnd) -> bytes:
        """Return the frames of a block that has waited for its end."""
        body = self._answer.block(event.block)
        self._held.discard(event.index)
        waiting, self._calls_by_name = b"".join(self._calls_by_name), []
        if body is None:
            return waiting
        if event.index not in self._late:
            return self._begin(event.index, body) + waiting + _STOP % self._numbers[event.index]
        call = shallow(body)
        text = encode(call["input"]).decode()
        out = self._begin(event.index, {**call, "input": {}})
        number = self._numbers[event.index]
        return out + _INPUT % number + json_string(text) + _DELTA_END + waiting + _STOP % number

    def _as_it_came(self, event: OpaqueEvent) -> bytes:
        """Return the frame of an event; one that came in a held block waits for its start."""
        frame = self._framed(event)
        if not self._held:
            return frame
        self._calls_by_name.append(frame)
        return b""

    def _on_end(self, event: StreamEnd) -> bytes:
        writer = ResponseWriter(event.response, self._losses, self._dialect, self._ids)
        message = event.response.message
        writer.lose_rest()
        delta: dict[str, Any] = writer.stop(message)
        counts = self._counts(writer.usage(message.usage), message.usage is not None)
        body: dict[str, Any] = {"delta": delta, "usage": counts}
        last: dict[str, Any] = {}
        for key, value in writer.with_answer_extras({}).items():
            if key in _FIRST_DELTA_KEYS:
                delta[key] = value
            elif key not in self._begun:
                (last if key in body else body)[key] = value
        return _frame("message_delta", body) + _frame("message_stop", last)

    def _counts(self, usage: Any, is_known: bool) -> dict[str, Any]:
        """Return the counts of the whole answer, as the API repeats them at its end.

        Of the others, those are left out that are the same in `message_start`.
        """
        begun = _keys(encode(self._begun.get("usage", {})))
        counts = _keys(encode(usage))
        always = _CUMULATIVE if is_known else _CUMULATIVE[-1:]
        return {k: v for k, v in counts.items() if k in always or v != begun.get(k)}

    def _on_failure(self, event: StreamFailure) -> bytes:
        return sse.encode(encode_error(self._error(event)), b"error")


_DELTA: Final = (
    b'event: content_block_delta\ndata: {"type":"content_block_delta","index":%%d,'
    b'"delta":{"type":"%b","%b":'
)
_DELTA_END: Final = b"}}\n\n"
_TEXT: Final = _DELTA % (b"text_delta", b"text")
_THINKING: Final = _DELTA % (b"thinking_delta", b"thinking")
_INPUT: Final = _DELTA % (b"input_json_delta", b"partial_json")
_SIGNATURE: Final = _DELTA % (b"signature_delta", b"signature")
_STOP: Final = b'event: content_block_stop\ndata: {"type":"content_block_stop","index":%d}\n\n'


def _frame(kind: str, keys: dict[str, Any]) -> bytes:
    return sse.encode(encode({"type": kind, **keys}), kind.encode())
