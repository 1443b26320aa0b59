"""The event stream of Anthropic Messages -> stream events."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Final

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

from ...framing import sse
from ...framing._buffer import MAX_FRAME
from ...model import (
    RawJson,
    Response,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    Usage,
)
from .._reading import residue
from .._streams import StreamDecoder as _StreamDecoder
from .._writing import encode
from . import invoke_model, wire
from .errors import decode_error
from .reading import MessageReader
from .request import DIALECTS
from .response import answer

__all__ = ["StreamDecoder"]

_event = msgspec.json.Decoder(wire.Event).decode
_keys = msgspec.json.Decoder(dict[str, Raw]).decode


class _Part(Struct):
    """An open block: its index, the JSON that it began with, and the pieces collected since."""

    index: int
    kind: str
    begun: dict[str, Any]
    signature: str = ""
    citations: list[Raw] = []
    json: list[str] = []


class StreamDecoder(_StreamDecoder):
    """The stream of `POST /v1/messages` with `"stream": true` -> events.

    `message_stop` ends it. A text or thinking delta after the end of its block begins a new block;
    an argument delta there is an error.
    """

    WIRE: ClassVar[str] = "anthropic"
    API: ClassVar[str] = wire.API
    SPOKEN: ClassVar[tuple[str, ...]] = DIALECTS
    FRAMER: ClassVar[Any] = sse.Decoder

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        if self._dialect == "bedrock":
            self._framer = invoke_model.Decoder(options.get("max_frame", MAX_FRAME))
        self._answer: dict[str, Any] = {}
        self._counts: dict[str, Any] = {}
        self._parts: dict[int, _Part] = {}

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
                self._answer |= body.unknown.get(id(event), {})
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

    # -- events --------------------------------------------------------------------------------

    def _on_start(self, event: wire.MessageStart) -> None:
        self._answer |= _keys(event.message)
        self._counts = _keys(self._answer.pop("usage", Raw(b"{}")))
        self._start(self._response())

    def _on_block_start(self, event: wire.BlockStart) -> None:
        if event.index in self._parts:  # reused before its block ended
            self._stop(event.index)
        begun = _keys(event.content_block)
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
        self._parts[event.index] = part

    def _on_block_stop(self, event: wire.BlockStop) -> None:
        if event.index in self._parts:
            self._stop(event.index)

    def _on_message_delta(self, event: wire.MessageDelta) -> None:
        self._answer |= event.delta
        if event.usage is not None:
            self._counts |= {k: v for k, v in event.usage.items() if bytes(v) != b"null"}
            self._update(self._response().message.usage or Usage())

    def _on_message_stop(self, _: wire.MessageStop) -> None:
        self._is_complete = True
        self._done()

    def _on_error(self, event: wire.Error) -> None:
        self._fail(decode_error(encode(event)))

    # -- deltas --------------------------------------------------------------------------------

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
            self._bad("arguments after the end of their call", ".index")
        if part.kind == "tool_use":
            if delta.partial_json:
                self._arguments(part.index, delta.partial_json)
        elif delta.partial_json:
            part.json.append(delta.partial_json)

    def _on_signature(self, part: _Part | None, delta: wire.SignatureDelta) -> None:
        if part is None:
            self._bad("a signature after the end of its block", ".index")
        part.signature += delta.signature

    def _on_citation(self, part: _Part | None, delta: wire.CitationsDelta) -> None:
        if part is None or part.kind != "text":
            self._bad("a citation of no text", ".index")
        part.citations.append(delta.citation)
        cited: Any = self._block({"type": "text", "text": "", "citations": [delta.citation]})
        for ref in cited.annotations or ():
            self._cite(part.index, ref)

    # -- blocks --------------------------------------------------------------------------------

    def _stop(self, number: int) -> None:
        """End the block with this number on the wire; its whole JSON gives its content."""
        part = self._parts.pop(number)
        whole = dict(part.begun)
        if part.kind == "tool_use":
            if part.json and not any(self._total.pieces[part.index] or ()):
                self._arguments(part.index, part.json[0])
            self._end(part.index)
            return
        so_far: Any = self._total.block(part.index)
        if part.kind == "text":
            whole["text"] = so_far.text
            if part.citations:
                whole["citations"] = part.citations
        elif part.kind == "thinking":
            whole |= {"thinking": so_far.thinking, "signature": part.signature}
        elif any(part.json):
            whole["input"] = RawJson("".join(part.json))
        self._end(part.index, self._block(whole))

    def _close_block(self, index: int) -> None:
        numbers = [n for n, part in self._parts.items() if part.index == index]
        if numbers:
            self._stop(numbers[0])
        else:
            self._end(index)

    def _block(self, whole: dict[str, Any]) -> Any:
        """Return the block for the wire's JSON of it."""
        return self._read_with(
            lambda body: MessageReader(body, self._dialect).content(body.root)[0],
            list[wire.Block],
            encode([whole]),
        )

    def _response(self) -> Response:
        whole = {"type": "message", "content": [], **self._answer, "usage": self._counts}
        made: Response = self._read_with(
            lambda body: answer(MessageReader(body, self._dialect)), wire.Answer, encode(whole)
        )
        return made


_WHOLE: Final = frozenset({wire.MessageStart, wire.MessageDelta, wire.MessageStop})
"""The events about the whole answer, whose unknown keys are the answer's."""
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
