"""Stream events -> the event stream of Cohere's chat."""

from __future__ import annotations

from typing import Any, ClassVar, Final

import msgspec
from msgspec import Raw

from ...framing import sse
from ...losses import Losses
from ...model import (
    AssistantMessage,
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
from .._stream_writing import StreamEncoder as _StreamEncoder
from .._stream_writing import json_string
from .._writing import encode
from . import wire
from .errors import encode_error, message_of
from .request import DIALECTS
from .response_writing import AnswerWriter

__all__ = ["PLAN", "StreamEncoder"]

PLAN: Final[Extras] = {wire.API: Extra(RawJson(b"{}"), spelling=RawJson(b'{"tool_plan":null}'))}
"""The extras of a plan's `BlockStart`, so that this encoder can tell it from text."""

_items = msgspec.json.Decoder(list[Raw]).decode


class StreamEncoder(_StreamEncoder):
    """Events -> the stream of `POST /v2/chat`; parts and calls are numbered as they are written.

    Text is written as content, since nothing says that calls will follow; a plan that came over
    this API stays a plan. Citations and logprobs follow the content.
    """

    WIRE: ClassVar[str] = "cohere"
    SPOKEN: ClassVar[tuple[str, ...]] = DIALECTS

    def __init__(
        self,
        losses: Losses = None,
        *,
        dialect: str | None = None,
        ids: IdSource | None = None,
    ) -> None:
        super().__init__(losses, dialect=dialect, ids=ids)
        self._forms: dict[int, bytes] = {}
        """Index of a block -> its delta, with a place for the text."""
        self._ends: dict[int, bytes] = {}
        """Index of a block -> the bytes that end it."""
        self._parts = self._calls = 0
        self._usage: Any = None
        self._begun: dict[str, Any] = {}
        """The keys of `message-start`."""
        self._writer = AnswerWriter(
            Response(AssistantMessage([])), losses, self._dialect, self._ids
        )

    def _on_start(self, event: StreamStart) -> bytes:
        self._writer = AnswerWriter(event.response, self._losses, self._dialect, self._ids)
        message = {
            "role": "assistant",
            "content": [],
            "tool_plan": "",
            "tool_calls": [],
            "citations": [],
        }
        begun = self._writer._with_extras(message, event.response.message)
        made: dict[str, Any] = {"id": self._writer.id(), "delta": {"message": begun}}
        made = self._writer.with_answer_extras(made)
        self._begun = made
        return _frame("message-start", made)

    def _on_block_start(self, event: BlockStart) -> bytes:
        block: Any = event.block
        kind = type(block)
        if kind is TextBlock:
            if _is_plan(block):
                self._forms[event.index] = _PLAN_DELTA
                self._ends[event.index] = b""
                return b""
            return self._begin(event.index, {"type": "text", "text": ""}, block, _TEXT)
        if kind is ThinkingBlock and not block.redacted:
            made = {"type": "thinking", "thinking": ""}
            return self._begin(event.index, made, block, _THINKING)
        if kind is ToolCallBlock:
            call = self._writer.call(block)
            call["function"]["arguments"] = ""
            number = self._calls
            self._calls += 1
            self._forms[event.index] = _ARGUMENTS % number
            self._ends[event.index] = _CALL_END % number
            delta = {"message": {"tool_calls": self._writer._with_extras(call, block)}}
            return _frame("tool-call-start", {"index": number, "delta": delta})
        return b""

    def _begin(self, index: int, made: Any, block: Content, form: bytes) -> bytes:
        number = self._parts
        self._parts += 1
        self._forms[index] = form % number
        self._ends[index] = _CONTENT_END % number
        delta = {"message": {"content": self._writer._with_extras(made, block)}}
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
                self._writer.lose_signature(block)
            return end
        made = self._writer.part(block)
        if made is None:
            return b""
        number = self._parts
        self._parts += 1
        start = _frame("content-start", {"index": number, "delta": {"message": {"content": made}}})
        return start + _CONTENT_END % number

    def _on_usage(self, event: UsageUpdate) -> bytes:
        self._usage = event.usage
        return b""

    def _on_end(self, event: StreamEnd) -> bytes:
        writer = AnswerWriter(event.response, self._losses, self._dialect, self._ids)
        message = event.response.message
        writer.lose_alternatives()
        writer.lose_annotations(message)
        writer.lose_foreign(message)
        out = []
        for number, citation in enumerate(writer.citations(message)):
            made = {"index": number, "delta": {"message": {"citations": citation}}}
            out += [_frame("citation-start", made), _frame("citation-end", {"index": number})]
        rest = writer.with_answer_extras({})
        for item in _items(rest.pop("logprobs", b"[]")):
            out.append(_LOGPROBS % (max(self._parts - 1, 0), item))
        rest = {key: value for key, value in rest.items() if self._begun.get(key) != value}
        inner = {key: rest.pop(key) for key in ("type", "delta") if key in rest}
        out.append(_frame("message-end", {**rest, "delta": inner | writer.end(message)}))
        return b"".join(out) + _DONE

    def _on_failure(self, event: StreamFailure) -> bytes:
        """Write an error into `message-end`, where the API's clients look for it."""
        if event.wire == self.WIRE and event.body is not None:
            return sse.encode(encode_error(event.error()))
        reason = "TIMEOUT" if event.kind == "timeout" else "ERROR"
        delta: dict[str, Any] = {"finish_reason": reason, "error": message_of(event.error())}
        if self._usage is not None:
            delta["usage"] = self._writer.usage(self._usage)
        return _frame("message-end", {"delta": delta}) + _DONE


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


def _frame(kind: str, keys: dict[str, Any]) -> bytes:
    return sse.encode(encode({"type": kind, **keys}), kind.encode())


def _is_plan(block: TextBlock) -> bool:
    extra = (block.extras or {}).get(wire.API)
    return extra is not None and extra.spelling is not None and extra == PLAN[wire.API]
