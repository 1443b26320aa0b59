"""The lines of Ollama's chat -> stream events."""

from __future__ import annotations

from typing import Any, ClassVar

import msgspec
from msgspec import Raw, Struct

from ...framing import ndjson
from ...model import Response, TextBlock, ThinkingBlock
from .._streams import StreamDecoder as _StreamDecoder
from .._writing import encode
from . import wire
from .errors import decode_error
from .request import DIALECTS
from .response import AnswerReader, answer

__all__ = ["StreamDecoder"]

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

    WIRE: ClassVar[str] = "ollama"
    API: ClassVar[str] = wire.API
    SPOKEN: ClassVar[tuple[str, ...]] = DIALECTS
    FRAMER: ClassVar[Any] = ndjson.Decoder

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._answer: dict[str, Any] = {}
        self._message: dict[str, Any] = {}
        self._calls: list[Raw] = []
        self._logprobs: list[Raw] = []
        self._at_text = self._at_thinking = -1

    def _frame(self, frame: bytes) -> None:
        try:
            line = _line(frame)
        except msgspec.DecodeError:
            line = self._odd(frame)
        if line.error is not None:
            self._fail(decode_error(frame))
            return
        if not self._is_started:
            self._add_keys(frame)
            self._start(self._response())
        message = line.message
        if message is not None:
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

    def _odd(self, data: bytes) -> wire.Line:
        """Return a line with unknown keys, and add those to the answer."""
        body = self._read(wire.Line, data)
        line: wire.Line = body.root
        self._answer |= body.unknown.get(id(line), {})
        self._message |= body.unknown.get(id(line.message), {})
        return line

    def _add_keys(self, data: bytes) -> None:
        """Add the keys of a line to the answer; of its message, only the role."""
        keys = _keys(data.removeprefix(b"\xef\xbb\xbf"))
        role = _keys(keys.pop("message", Raw(b"{}"))).get("role")
        if role is not None:
            self._message["role"] = role
        keys.pop("logprobs", None)
        self._answer |= keys

    def _add_parts(self, data: bytes) -> None:
        """Send the images and calls of a line, which come whole."""
        self._end_texts()
        parts = _parts(data).message
        if parts.images:
            message = encode({"role": "", "images": parts.images})
            for image in self._read_with(
                lambda body: AnswerReader(body, self._dialect).images(body.root),
                wire.Message,
                message,
            ):
                self._whole(image)
        if parts.tool_calls:
            self._calls += parts.tool_calls
            calls = self._read_with(
                lambda body: AnswerReader(body, self._dialect).calls(body.root),
                list[wire.ToolCall],
                encode(parts.tool_calls),
            )
            for call in calls:
                self._whole(call)

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
        made: Response = self._read_with(
            lambda body: answer(AnswerReader(body, self._dialect)), wire.Answer, encode(whole)
        )
        return made
