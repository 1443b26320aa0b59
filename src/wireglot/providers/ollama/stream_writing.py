"""Stream events -> the lines of Ollama's chat."""

from __future__ import annotations

from typing import Any, ClassVar, Final

from ...framing import ndjson
from ...losses import Losses
from ...model import AssistantMessage, IdSource, RawJson, Response, TextBlock, ThinkingBlock
from ...model.events import (
    BlockEnd,
    BlockStart,
    OpaqueEvent,
    StreamEnd,
    StreamFailure,
    StreamStart,
    TextDelta,
    ThinkingDelta,
)
from .._errors import json_object
from .._stream_writing import StreamEncoder as _StreamEncoder
from .._stream_writing import json_string
from .._writing import encode
from .errors import encode_error
from .request import DIALECTS
from .response_writing import AnswerWriter, Draft
from .wire import API

__all__ = ["StreamEncoder"]


class StreamEncoder(_StreamEncoder):
    """Events -> the lines of `POST /api/chat`; a call is one line, when it is complete."""

    WIRE: ClassVar[str] = "ollama"
    SPOKEN: ClassVar[tuple[str, ...]] = DIALECTS
    FINAL: ClassVar[frozenset[type]] = frozenset({TextBlock, ThinkingBlock})

    def __init__(
        self,
        losses: Losses = None,
        *,
        dialect: str | None = None,
        ids: IdSource | None = None,
    ) -> None:
        super().__init__(losses, dialect=dialect, ids=ids)
        self._text_line = self._thinking_line = b""
        self._head: dict[str, Any] = {}
        self._open: set[int] = set()
        """The blocks whose deltas have been written."""
        self._said: set[type] = set()
        """The kinds of blocks that have been written: the next one of a kind begins with glue."""
        self._glued: dict[int, str] = {}
        """By block, the separator that still has to be written before its first delta."""
        self._writer = AnswerWriter(
            Response(AssistantMessage([])), losses, self._dialect, self._ids
        )

    def _on_start(self, event: StreamStart) -> bytes:
        self._writer = AnswerWriter(event.response, self._losses, self._dialect, self._ids)
        self._head = self._writer.head()
        head = encode(self._head)[:-1].replace(b"%", b"%%")
        self._text_line = head + _TEXT
        self._thinking_line = head + _THINKING
        return b""

    def _on_block_start(self, event: BlockStart) -> bytes:
        kind = type(event.block)
        if (kind is TextBlock or kind is ThinkingBlock) and kind in self._said:
            self._glued[event.index] = self._writer.glue
        return b""

    def _on_text(self, event: TextDelta) -> bytes:
        text = event.text
        if event.index not in self._open:
            text = self._first(event.index, text)
        return ndjson.encode(self._text_line % json_string(text))

    def _on_thinking(self, event: ThinkingDelta) -> bytes:
        text = event.text
        if event.index not in self._open:
            text = self._first(event.index, text)
        return ndjson.encode(self._thinking_line % json_string(text))

    def _first(self, index: int, text: str) -> str:
        """Return the first delta of a block, after the separator from the block before."""
        self._open.add(index)
        return self._glued.pop(index, "") + text

    def _on_block_end(self, event: BlockEnd) -> bytes:
        block = event.block
        if event.index in self._open:
            self._said.add(type(block))
            if type(block) is TextBlock or type(block) is ThinkingBlock:
                self._writer.lose_beside(block)
                self._writer._lose_keys(block)
            return b""
        draft = Draft()
        self._writer.add(block, draft)
        if draft == Draft():
            return b""
        if draft.texts:
            draft.texts[0] = (self._writer.glue if TextBlock in self._said else "") + draft.texts[0]
            self._said.add(TextBlock)
        if draft.thoughts:
            glue = self._writer.glue if ThinkingBlock in self._said else ""
            draft.thoughts[0] = glue + draft.thoughts[0]
            self._said.add(ThinkingBlock)
        line = self._head | {"message": self._writer.said(draft), "done": False}
        return ndjson.encode(encode(line))

    def _framed(self, event: OpaqueEvent) -> bytes:
        return ndjson.encode(event.raw.text)

    def _unframed(self, data: bytes) -> list[OpaqueEvent]:
        return [OpaqueEvent(API, RawJson(line)) for line in ndjson.Decoder().feed(data)]

    def _on_end(self, event: StreamEnd) -> bytes:
        writer = AnswerWriter(event.response, self._losses, self._dialect, self._ids)
        said = writer._with_extras(writer.said(Draft()), event.response.message)
        return ndjson.encode(encode(writer.whole(said)))

    def _on_failure(self, event: StreamFailure) -> bytes:
        error = event.error()
        line = encode_error(error)
        if json_object(line) is None:  # a proxy's page, which is not a line of this wire
            line = encode({"error": error.message})
        return ndjson.encode(line.replace(b"\n", b" "))


_TEXT: Final = b',"message":{"role":"assistant","content":%b},"done":false}'
_THINKING: Final = b',"message":{"role":"assistant","content":"","thinking":%b},"done":false}'
