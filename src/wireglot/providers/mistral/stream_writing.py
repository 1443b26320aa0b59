"""Stream events -> the event stream of Mistral's chat completions."""

from __future__ import annotations

from typing import Any, ClassVar, Final

from msgspec import Raw

from ...framing import sse
from ...losses import Losses
from ...model import AssistantMessage, IdSource, Response, TextBlock, ThinkingBlock, ToolCallBlock
from ...model.events import (
    BlockEnd,
    StreamEnd,
    StreamFailure,
    StreamStart,
    TextDelta,
    ThinkingDelta,
)
from .._errors import json_object
from .._stream_writing import StreamEncoder as _StreamEncoder
from .._stream_writing import json_string
from .._writing import encode, shallow, with_keys
from . import wire
from .errors import encode_error
from .request import DIALECTS
from .response_writing import AnswerWriter

__all__ = ["StreamEncoder"]


class StreamEncoder(_StreamEncoder):
    """Events -> the stream of `POST /v1/chat/completions`; each call is written whole."""

    WIRE: ClassVar[str] = "mistral"
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
        self._begin(Response(AssistantMessage([])))

    def _begin(self, response: Response) -> None:
        """Prepare what all chunks of the answer have in common."""
        self._writer = writer = AnswerWriter(response, self._losses, self._dialect, self._ids)
        self._message = response.message
        self._count = 0
        self._told: set[int] = set()
        self._head = writer.head(_KIND)
        frame = self._frame({"content": Raw(b"@")}).replace(b"%", b"%%")
        before, _, after = frame.rpartition(b"@")
        self._text = b"%b%%b%b" % (before, after)
        self._thought = b"%b%b%%b%b%b" % (before, _THINKING, b"}]}]", after)

    def _frame(
        self,
        delta: Any,
        index: int = 0,
        word: str | None = None,
        more: Any = None,
        tail: Any = None,
    ) -> bytes:
        choice: dict[str, Any] = {"index": index, "delta": delta, "finish_reason": word}
        if more:
            choice = with_keys(choice, more)
        return sse.encode(encode({**self._head, "choices": [choice], **(tail or {})}))

    def _on_start(self, event: StreamStart) -> bytes:
        self._begin(event.response)
        return self._frame({"role": "assistant", "content": ""})

    def _on_text(self, event: TextDelta) -> bytes:
        return self._text % json_string(event.text)

    def _on_thinking(self, event: ThinkingDelta) -> bytes:
        self._told.add(event.index)
        return self._thought % json_string(event.text)

    def _on_block_end(self, event: BlockEnd) -> bytes:
        block = event.block
        if type(block) is ToolCallBlock:
            made = self._writer.call(block, self._message, self._count)
            self._count += 1
            return self._frame({"tool_calls": [made]})
        made = self._writer.part(block, self._message)
        key = "text" if type(block) is TextBlock else "thinking"
        if made is not None and (key == "text" or event.index in self._told):
            made = {**shallow(made), key: "" if key == "text" else []}
            if len(made) == _SENT:
                return b""
        return self._part(made, 0)

    def _part(self, made: Any, index: int) -> bytes:
        """Return the frame of a part; a text without unknown keys becomes a string."""
        if made is None:
            return b""
        return self._frame({"content": made.text if type(made) is wire.Text else [made]}, index)

    def _on_end(self, event: StreamEnd) -> bytes:
        response = event.response
        writer = AnswerWriter(response, self._losses, self._dialect, self._ids)
        if writer.is_own() or not self._message.model:  # else all frames have the same head
            self._head = writer.head(_KIND)
        own = writer.own_keys()
        out = b"".join(
            self._candidate(writer, index, message, own)
            for index, message in enumerate(response.alternatives or (), 1)
        )
        delta = writer.with_own({"content": ""}, response.message)
        word = writer.stop_word(response.message)
        more = writer.choice_keys(own, 0)
        own.pop("choices", None)
        tail = {**own, "usage": writer.usage()}
        return out + self._frame(delta, 0, word, more, tail) + _DONE

    def _candidate(
        self, writer: AnswerWriter, index: int, message: AssistantMessage, own: dict[str, Raw]
    ) -> bytes:
        """Return the frames of a further candidate."""
        out = [self._frame({"role": "assistant", "content": ""}, index)]
        calls: list[Any] = []
        for block in message.content:
            if type(block) is ToolCallBlock:
                calls.append(writer.call(block, message, len(calls)))
                continue
            out.append(self._part(writer.part(block, message), index))
        if calls:
            out.append(self._frame({"tool_calls": calls}, index))
        delta = writer.with_own({"content": ""}, message)
        word = writer.stop_word(message)
        out.append(self._frame(delta, index, word, writer.choice_keys(own, index)))
        return b"".join(out)

    def _on_failure(self, event: StreamFailure) -> bytes:
        error = event.error()
        if (
            error.body is not None and json_object(error.body) is None
        ):  # no reader would recognise it as an error
            error.body = None
        return sse.encode(encode_error(error), b"error")


_KIND: Final = "chat.completion.chunk"
_SENT: Final = 2  # the number of keys that deltas have sent already: the type, and the text
_THINKING: Final = b'[{"type":"thinking","thinking":[{"type":"text","text":'
_DONE: Final = b"data: [DONE]\n\n"
