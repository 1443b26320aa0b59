"""The lines of the echo server's streams -> stream events, and back."""

from __future__ import annotations

from typing import Any, ClassVar

from msgspec import Raw

from wireglot import (
    BlockEnd,
    Response,
    StreamEnd,
    StreamFailure,
    StreamStart,
    TextBlock,
    TextDelta,
    ToolCallBlock,
)
from wireglot._body.encode import encode_json as encode
from wireglot.framing import ndjson
from wireglot.providers._across.errors import json_object
from wireglot.providers._codecs.responses import ResponseCodec
from wireglot.providers._codecs.stream_decoder import StreamDecoder as _StreamDecoder
from wireglot.providers._codecs.stream_encoder import StreamEncoder as _StreamEncoder
from wireglot.providers._state.decoding import Decoding
from wireglot.providers._state.rules import Rules

from . import blocks, wire
from .errors import decode_error, encode_error
from .losses import RULES
from .response import RESPONSES, ResponseWriter
from .wire import DIALECTS


class StreamDecoder(_StreamDecoder):
    """The stream of `POST /v1/echo` -> events; calls come whole, and `end` comes last."""

    RULES: ClassVar[Rules] = RULES
    CODEC: ClassVar[ResponseCodec] = RESPONSES
    LAST: ClassVar[str] = "`end`"
    FRAMER: ClassVar[Any] = ndjson.Decoder

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._answer: dict[str, Any] = {"end": "done"}
        self._calls: list[Raw] = []
        self._at = -1  # the index of the open text block

    def _frame(self, frame: bytes) -> None:
        body = self._read(wire.Line, frame)
        line: wire.Line = body.root
        if line.error is not None:
            self._fail(decode_error(frame))
            return
        self._answer |= body.unknown.get(id(line), {})
        if not self._is_started:
            self._answer |= {"id": line.id, "model": line.model}
            self._start(self._response())
        if line.text:
            if self._at < 0:
                self._at = self._open(TextBlock(""))
            self._text(self._at, line.text)
        if line.call is not None:
            self._calls.append(line.call)
            self._end_text()
            self._whole(self._read_with(_call, wire.Call, bytes(line.call)))
        if line.end is not None:
            self._answer |= {"end": line.end, "asked": line.asked, "said": line.said}
            self._is_complete = True
            self._done()

    def _end_text(self) -> None:
        if self._at >= 0:
            self._end(self._at)
        self._at = -1

    def _response(self) -> Response:
        """Read the answer that the lines add up to, as if it had come whole."""
        return self._answered(
            self._answer | {"turn": {"from": "model", "calls": self._calls}},
        )


def _call(body: Any) -> Any:
    return blocks.call(body.root, Decoding(RULES, body, DIALECTS[0]))


class StreamEncoder(_StreamEncoder):
    """Events -> the lines of `POST /v1/echo`; a call is one line, when it is complete."""

    RULES: ClassVar[Rules] = RULES
    WRITER: ClassVar[Any] = ResponseWriter
    CONTENT_TYPE: ClassVar[str] = "application/x-ndjson"
    FINAL: ClassVar[frozenset[type]] = _StreamEncoder.FINAL - {ToolCallBlock}
    _answer: ResponseWriter

    def _on_start(self, event: StreamStart) -> bytes:
        return ndjson.encode(encode(self._answer.head()))

    def _on_text(self, event: TextDelta) -> bytes:
        return ndjson.encode(encode({"text": event.text}))

    def _on_block_end(self, event: BlockEnd) -> bytes:
        """Write a block that had no deltas, and report one that this wire cannot carry."""
        draft = blocks.Draft()
        blocks.add(event.block, draft, self._answer.encoding)
        lines = [{"call": call} for call in draft.calls]
        if type(event.block) is not TextBlock:  # whose deltas have been written
            lines += [{"text": text} for text in draft.texts]
        return b"".join(ndjson.encode(encode(line)) for line in lines)

    def _on_end(self, event: StreamEnd) -> bytes:
        writer = ResponseWriter(event.response, self._losses, self._dialect, self._ids)
        writer.encoding.lose_keys(event.response.message)  # which no line has room for
        return ndjson.encode(encode(writer.with_answer_extras(writer.end())))

    def _on_failure(self, event: StreamFailure) -> bytes:
        error = event.error()
        line = encode_error(error)
        if json_object(line) is None:  # a proxy's page, which is not a JSON object
            line = encode({"error": error.message})
        return ndjson.encode(line.replace(b"\n", b" "))
