"""Stream events -> the event stream of Anthropic Messages."""

from __future__ import annotations

from typing import Any, ClassVar, Final

import msgspec
from msgspec import Raw

from ...framing import sse
from ...losses import Losses
from ...model import (
    AssistantMessage,
    IdSource,
    Response,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
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
from .._stream_writing import StreamEncoder as _StreamEncoder
from .._stream_writing import is_free, json_string
from .._writing import encode
from . import invoke_model
from .errors import encode_error
from .request import DIALECTS
from .response_writing import AnswerWriter

__all__ = ["StreamEncoder"]

_keys = msgspec.json.Decoder(dict[str, Raw]).decode
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

    WIRE: ClassVar[str] = "anthropic"
    SPOKEN: ClassVar[tuple[str, ...]] = DIALECTS

    def __init__(
        self,
        losses: Losses = None,
        *,
        dialect: str | None = None,
        ids: IdSource | None = None,
    ) -> None:
        super().__init__(losses, dialect=dialect, ids=ids)
        self._numbers: dict[int, int] = {}
        self._heads: dict[int, bytes] = {}
        # Blocks that are written when they end; `_late` are calls.
        self._held: set[int] = set()
        self._late: set[int] = set()
        self._waiting: list[bytes] = []  # opaque events that came while a block was held
        self._begun: dict[str, Any] = {}  # the message of `message_start`
        self._writer = AnswerWriter(
            Response(AssistantMessage([])), losses, self._dialect, self._ids
        )

    def encode(self, event: StreamEvent) -> bytes:
        """Return the frames of an event, often none. Raises as the encoder of any wire does."""
        made = super().encode(event)
        return invoke_model.wrapped(made) if made and self._dialect == "bedrock" else made

    def _on_start(self, event: StreamStart) -> bytes:
        self._writer = writer = AnswerWriter(event.response, self._losses, self._dialect, self._ids)
        message = event.response.message
        made: dict[str, Any] = {
            **writer.head(),
            "content": [],
            "stop_reason": None,
            "stop_sequence": None,
            "usage": writer.usage(message.usage),
        }
        made = writer.with_answer_extras(made)
        self._begun = made
        return _frame("message_start", {"message": made})

    def _on_block_start(self, event: BlockStart) -> bytes:
        block: Any = event.block
        kind = type(block)
        if kind is TextBlock:
            made: dict[str, Any] = {"type": "text", "text": ""}
        elif kind is ThinkingBlock and not block.redacted:
            made = {"type": "thinking", "thinking": "", "signature": ""}
        elif kind is ToolCallBlock and not is_free(block):
            made = {**self._writer.call(block), "input": {}}
        else:
            held = self._late if kind is ToolCallBlock else self._held
            held.add(event.index)
            return b""
        return self._begin(event.index, self._writer._with_extras(made, block))

    def _begin(self, index: int, made: Any) -> bytes:
        number = self._numbers[index] = len(self._numbers)
        self._heads[index] = _TEXT % number
        return _frame("content_block_start", {"index": number, "content_block": made})

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
            made = self._writer.block(block)
            self._held.discard(event.index)
            waiting, self._waiting = b"".join(self._waiting), []
            if made is None:
                return waiting
            if event.index in self._late:
                text = encode(made["input"]).decode()
                out = self._begin(event.index, {**made, "input": {}})
                number = self._numbers[event.index]
                out += _INPUT % number + json_string(text) + _DELTA_END + waiting
                return out + _STOP % number
            return self._begin(event.index, made) + waiting + _STOP % self._numbers[event.index]
        if type(block) is ThinkingBlock:
            signature = self._writer.signature(block)
            if signature:
                out = _SIGNATURE % number + json_string(signature) + _DELTA_END
        elif (type(block) is TextBlock or type(block) is ToolCallBlock) and block.signature:
            self._writer._lose("signature", block)
        if type(block) is TextBlock and block.annotations:
            citations = self._writer.citations(block)
            if not citations:
                self._writer._lose("annotation", block)
            for citation in citations:
                delta = {"type": "citations_delta", "citation": citation}
                out += _frame("content_block_delta", {"index": number, "delta": delta})
        return out + _STOP % number

    def _as_it_came(self, event: OpaqueEvent) -> bytes:
        """Return the frame of an event; one that came in a held block waits for its start."""
        frame = self._framed(event)
        if not self._held:
            return frame
        self._waiting.append(frame)
        return b""

    def _on_end(self, event: StreamEnd) -> bytes:
        writer = AnswerWriter(event.response, self._losses, self._dialect, self._ids)
        message = event.response.message
        if event.response.alternatives:
            writer._lose("candidates", event.response)
        writer.lose_foreign(message)
        delta: dict[str, Any] = writer.stop(message)
        counts = self._counts(writer.usage(message.usage), message.usage is not None)
        made: dict[str, Any] = {"delta": delta, "usage": counts}
        last: dict[str, Any] = {}
        for key, value in writer.with_answer_extras({}).items():
            if key in _FIRST_DELTA_KEYS:
                delta[key] = value
            elif key not in self._begun:
                (last if key in made else made)[key] = value
        return _frame("message_delta", made) + _frame("message_stop", last)

    def _counts(self, usage: Any, is_known: bool) -> dict[str, Any]:
        """Return the counts of the whole answer, as the API repeats them at its end.

        Of the others, those are left out that are the same in `message_start`.
        """
        begun = _keys(encode(self._begun.get("usage", {})))
        counts = _keys(encode(usage))
        always = _CUMULATIVE if is_known else _CUMULATIVE[-1:]
        return {k: v for k, v in counts.items() if k in always or v != begun.get(k)}

    def _on_failure(self, event: StreamFailure) -> bytes:
        return sse.encode(encode_error(event.error()), b"error")


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
