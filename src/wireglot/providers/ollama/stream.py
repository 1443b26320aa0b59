"""Stream events <-> the lines of Ollama's chat; calls and images come whole."""

from __future__ import annotations

from typing import Any, ClassVar, Final

import msgspec
from msgspec import Raw, Struct

from ..._body.decode import Decoded
from ..._body.encode import encode_json as encode
from ...framing import ndjson
from ...losses import Losses
from ...model import IdSource, OpaqueBlock, RawJson, Response, TextBlock, ThinkingBlock
from ...model.events import (
    BlockEnd,
    OpaqueEvent,
    StreamEnd,
    StreamFailure,
    TextDelta,
    ThinkingDelta,
)
from .._across.texts import glue
from .._codecs.responses import ResponseCodec, says_error
from .._codecs.stream_decoder import StreamDecoder as _StreamDecoder
from .._codecs.stream_decoder import grow
from .._codecs.stream_encoder import StreamEncoder as _StreamEncoder
from .._codecs.stream_encoder import json_string
from .._state.decoding import Decoding
from .._state.rules import Rules
from . import blocks, wire
from .errors import decode_error, encode_error
from .losses import RULES
from .response import RESPONSES, ResponseWriter

# -- lines -> events --------------------------------------------------------------------------

_line = msgspec.json.Decoder(wire.Line).decode
_keys = msgspec.json.Decoder(dict[str, Raw]).decode


class _Parts(Struct):
    """The calls and images of a message, as raw JSON."""

    tool_calls: list[Raw] | None = None
    images: list[Raw] | None = None


class _Carrier(Struct):
    message: _Parts


_parts = msgspec.json.Decoder(_Carrier).decode


class StreamDecoder(_StreamDecoder):
    """The stream of `POST /api/chat` -> events; calls and images come whole.

    The line whose `done` is true ends it. Open text or thinking ends where a block of another kind
    begins; more of it after that is another block.
    """

    RULES: ClassVar[Rules] = RULES
    CODEC: ClassVar[ResponseCodec] = RESPONSES
    LAST: ClassVar[str] = "`done: true`"
    FRAMER: ClassVar[Any] = ndjson.Decoder

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._answer: dict[str, Any] = {}
        self._message: dict[str, Any] = {}
        self._calls: list[Raw] = []
        self._logprobs: list[Raw] = []
        self._at_text = self._at_thinking = -1

    def _as_frame(self, name: str, data: bytes) -> bytes:
        return data

    def _frame(self, frame: bytes) -> None:
        try:
            line = _line(frame)
        except msgspec.DecodeError:
            line, frame = self._odd(frame)
        if line.error is not None:
            error = {"error": line.error}
            if says_error(error):
                self._fail(decode_error(frame))
                return
            grow(self._answer, error)
        if not self._is_started:
            self._add_keys(frame)
            self._start(self._response())
        message = line.message
        if message is not None:
            if message.tool_name is not None or message.tool_call_id is not None:
                self._add_name(frame)
            if message.thinking:
                if self._at_thinking < 0:
                    self._end_texts()
                    self._at_thinking = self._open(ThinkingBlock(""))
                self._thinking(self._at_thinking, message.thinking)
            if message.content:
                if self._at_text < 0:
                    self._end_texts()
                    self._at_text = self._open(TextBlock(""))
                self._text(self._at_text, message.content)
            if message.tool_calls or message.images:
                self._add_parts(frame)
        if line.logprobs:
            self._logprobs += line.logprobs
        if line.done:
            self._add_keys(frame)
            self._is_complete = True
            self._done()

    def _odd(self, data: bytes) -> tuple[wire.Line, bytes]:
        """Return a line with unknown keys, which are added to the answer, and its mended bytes."""
        body = self._read(wire.Line, data)
        line: wire.Line = body.root
        grow(self._answer, body.unknown.get(id(line), {}))
        grow(self._message, body.unknown.get(id(line.message), {}))
        return line, body.data

    def _add_keys(self, data: bytes) -> None:
        """Add the keys of a line to the answer; of its message, only the role."""
        keys = _keys(data)
        role = _keys(keys.pop("message", Raw(b"{}"))).get("role")
        if role is not None:
            self._message["role"] = role
        keys.pop("logprobs", None)
        grow(self._answer, keys)

    def _add_name(self, data: bytes) -> None:
        """Add the keys that only the message of a result has to the answer's."""
        keys = _keys(_keys(data.removeprefix(b"\xef\xbb\xbf"))["message"])
        grow(self._message, {key: keys[key] for key in _OF_RESULTS if key in keys})

    def _add_parts(self, data: bytes) -> None:
        """Send the images and calls of a line, which come whole."""
        self._end_texts()
        parts = _parts(data).message
        if parts.images:
            message = encode({"role": "", "images": parts.images})
            for image in self._read_with(
                lambda body: blocks.images(body.root, Decoding(RULES, body, self._dialect)),
                wire.Message,
                message,
            ):
                self._whole(image)
        if parts.tool_calls:
            self._calls += parts.tool_calls
            for raw in parts.tool_calls:
                self._whole(self._read_with(self._call, wire.ToolCall, bytes(raw)))

    def _call(self, body: Decoded) -> Any:
        return blocks.block_of_call(body.root, Decoding(RULES, body, self._dialect))

    def _end_texts(self) -> None:
        """End the text or the thinking that is open, before another block begins."""
        for index in (self._at_text, self._at_thinking):
            if index >= 0:
                self._end(index)
        self._at_text = self._at_thinking = -1

    def _response(self) -> Response:
        """Read the answer that the lines add up to, as if it had come whole.

        Its text and thinking are left out: the events hold them. Calls decide its stop reason.
        """
        message = {"role": "assistant", "content": "", **self._message}
        if self._calls:
            message["tool_calls"] = self._calls
        whole = {**self._answer, "message": message, "done": True}
        if self._logprobs:
            whole["logprobs"] = self._logprobs
        return self._answered(whole)


_OF_RESULTS: Final = ("tool_name", "tool_call_id")

# -- events -> lines --------------------------------------------------------------------------

_TEXT: Final = b',"message":{"role":"assistant","content":%b},"done":false}'
_THINKING: Final = b',"message":{"role":"assistant","content":"","thinking":%b},"done":false}'


class StreamEncoder(_StreamEncoder):
    """Events -> the lines of `POST /api/chat`; a call is one line, when it is complete."""

    RULES: ClassVar[Rules] = RULES
    WRITER: ClassVar[Any] = ResponseWriter
    CONTENT_TYPE: ClassVar[str] = "application/x-ndjson"
    FINAL: ClassVar[frozenset[type]] = frozenset({OpaqueBlock, TextBlock, ThinkingBlock})
    _answer: ResponseWriter

    def __init__(
        self,
        *,
        losses: Losses = None,
        dialect: str | None = None,
        ids: IdSource | None = None,
    ) -> None:
        super().__init__(losses=losses, dialect=dialect, ids=ids)
        self._text_line = self._thinking_line = b""
        self._head: dict[str, Any] = {}
        self._open: set[int] = set()
        """The blocks whose deltas have been written."""
        self._said: dict[type, str] = {}
        """The last text of the blocks that have been written, by their kind."""

    def _use(self, response: Response) -> None:
        """Prepare what all lines of the answer have in common."""
        super()._use(response)
        self._head = self._answer.head()
        head = encode(self._head)[:-1].replace(b"%", b"%%")
        self._text_line = head + _TEXT
        self._thinking_line = head + _THINKING

    def _on_text(self, event: TextDelta) -> bytes:
        text = event.text
        if event.index not in self._open:
            text = self._first(event.index, TextBlock, text)
        return ndjson.encode(self._text_line % json_string(text))

    def _on_thinking(self, event: ThinkingDelta) -> bytes:
        text = event.text
        if event.index not in self._open:
            text = self._first(event.index, ThinkingBlock, text)
        return ndjson.encode(self._thinking_line % json_string(text))

    def _first(self, index: int, kind: type, text: str) -> str:
        """Return the first delta of a block, after the separator from the block before."""
        if text:
            self._open.add(index)
        return self._glue(kind, text) + text

    def _glue(self, kind: type, text: str) -> str:
        """Return the separator before a text of a kind."""
        return "" if self._answer.is_own() else glue(self._said.get(kind, ""), text)

    def _on_block_end(self, event: BlockEnd) -> bytes:
        block = event.block
        if event.index in self._open:
            if type(block) is TextBlock or type(block) is ThinkingBlock:
                self._said[type(block)] = blocks.words(block)
                self._answer.lose_beside(block)
            return b""
        draft = blocks.Draft()
        self._answer.add(block, draft)
        if draft == blocks.Draft():
            return b""
        if draft.texts:
            said = draft.texts[-1]
            draft.texts[0] = self._glue(TextBlock, draft.texts[0]) + draft.texts[0]
            self._said[TextBlock] = said
        if draft.thoughts:
            said = draft.thoughts[-1]
            draft.thoughts[0] = self._glue(ThinkingBlock, draft.thoughts[0]) + draft.thoughts[0]
            self._said[ThinkingBlock] = said
        line = self._head | {"message": self._answer.said(draft), "done": False}
        return ndjson.encode(encode(line))

    def _framed(self, event: OpaqueEvent) -> bytes:
        return ndjson.encode(event.raw.text)

    def _unframed(self, data: bytes) -> list[OpaqueEvent]:
        return [OpaqueEvent(wire.API, RawJson(line)) for line in ndjson.Decoder().feed(data)]

    def _on_end(self, event: StreamEnd) -> bytes:
        writer = ResponseWriter(event.response, self._losses, self._dialect, self._ids)
        said = writer.encoding.with_extras(writer.said(blocks.Draft()), event.response.message)
        return ndjson.encode(encode(writer.whole(said)))

    def _on_failure(self, event: StreamFailure) -> bytes:
        return ndjson.encode(encode_error(self._error(event)).replace(b"\n", b" "))
