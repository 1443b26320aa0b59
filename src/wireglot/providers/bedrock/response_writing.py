"""Response -> the body of the answer to `/converse`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Final

from msgspec import Raw

from ...losses import Losses
from ...model import (
    AnnotationBlock,
    AudioBlock,
    Content,
    DataBlock,
    DocumentBlock,
    ErrorBlock,
    IdSource,
    ImageBlock,
    OpaqueBlock,
    Response,
    StopReason,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    ToolResultBlock,
    Usage,
    VideoBlock,
)
from .._answers import ResponseWriter, answer_bytes
from .._writing import encode, hashed
from . import wire
from .media import MediaWriter, words
from .parameters import TIERS
from .parts import ID_LETTER, LONGEST, citations_of, is_base64, is_id
from .request import DIALECTS
from .response import STOP_WORDS, counts

__all__ = ["AnswerWriter", "encode_response"]

_STOPS: Final = {
    StopReason.STOP: "end_turn",
    StopReason.LENGTH: "max_tokens",
    StopReason.TOOL_USE: "tool_use",
    StopReason.GUARD_RAIL: "content_filtered",
    StopReason.ERROR: "malformed_model_output",
}


def encode_response(
    response: Response,
    losses: Losses = None,
    *,
    dialect: str = DIALECTS[0],
    ids: IdSource | None = None,
) -> bytes:
    """Encode `response` as the API would have sent it.

    Thinking of another API loses its signature: this API would not accept it.

    Raises `LossError` if a part of it has no place on this wire and `losses` is None.
    """
    return answer_bytes(lambda r, found: AnswerWriter(r, found, dialect, ids), response, losses)


class AnswerWriter(MediaWriter, ResponseWriter):
    """The encoder of one answer, and of the whole blocks of a stream."""

    SPOKEN: ClassVar[tuple[str, ...]] = DIALECTS
    STOP_WORDS: ClassVar[Mapping[str, StopReason]] = STOP_WORDS
    STOPS: ClassVar[Mapping[StopReason, str]] = _STOPS
    DEFAULT_STOP: ClassVar[str] = "end_turn"
    CALL_ID: ClassVar[str] = "tooluse_"

    def __init__(
        self, response: Response, losses: Losses, dialect: str, ids: IdSource | None = None
    ) -> None:
        super().__init__(response, losses, dialect, ids)
        self._titles = {}

    def answer(self) -> Any:
        """Return the body."""
        content = [part for block in self._message.content if (part := self.block(block))]
        message = {"role": "assistant", "content": content}
        made: dict[str, Any] = {
            "output": {"message": self._with_extras(message, self._message)},
            **self.stop(),
            **self.counts(),
        }
        return self.complete(made)

    def complete(self, made: dict[str, Any]) -> dict[str, Any]:
        """Return the answer with its service tier, its metrics and its unknown keys.

        The API always sends metrics: an answer that did not come over it gets a latency of 0.
        """
        if self._response.alternatives:
            self._lose("candidates", self._response)
        tier = self._response.service_tier
        if tier is not None and (self.is_own() or tier in TIERS):
            made["serviceTier"] = {"type": tier}
        whole: dict[str, Any] = self.with_answer_extras(made)
        if not self._came():
            whole.setdefault("metrics", {"latencyMs": 0})
        return whole

    def _came(self) -> bool:
        return self.is_own() and self._message.raw_stop_reason is not None

    def stop(self) -> dict[str, Any]:
        """Return the keys that say why the answer ended."""
        message = self._message
        made: dict[str, Any] = {"stopReason": self.stop_word(message)}
        if message.stop_sequence is not None:
            if not self.is_own() and message.stop_reason is StopReason.STOP:
                made["stopReason"] = "stop_sequence"
            made["additionalModelResponseFields"] = {"stop_sequence": message.stop_sequence}
        return made

    def counts(self) -> dict[str, Any]:
        """Return the usage, zeros if there is none; an answer of this API may go without."""
        usage = self._message.usage
        if usage is None and self._came():
            return {}
        return {"usage": self._counts(usage or Usage())}

    def _counts(self, usage: Usage) -> Any:
        came = self.usage_json(usage, wire.Usage, counts)
        if came is not None:
            return came
        cached = usage.cache_read + usage.cache_write
        made = {
            "inputTokens": usage.input,
            "outputTokens": usage.output,
            "totalTokens": usage.total_tokens or usage.input + cached + usage.output,
        }
        if cached:
            made["cacheReadInputTokens"] = usage.cache_read
            made["cacheWriteInputTokens"] = usage.cache_write
        return made

    # -- blocks: the part for each, or None ----------------------------------------------------

    def block(self, block: Content) -> Any:
        """Return the wire's block, None if it has no place for this one."""
        write = _BLOCKS.get(type(block))
        if write is None:
            self._fail(f"`{type(block).__name__}` is not a block", block)
        made = write(self, block)
        if block.extras is None:
            return made
        if type(block) is TextBlock and (made is None or made.text is not None):
            return self.beside_text(made, block)
        return self._with_extras(made, block) if made is not None else None

    def _text(self, block: TextBlock) -> Any:
        if block.signature is not None:
            self._lose("signature", block)
        if citations_of(block) is not None:
            return wire.Block()  # the spelling fills it
        if block.annotations:
            self._lose("annotation", block)
        return wire.Block(block.text) if block.text or self.is_own() else None

    def _thinking(self, block: ThinkingBlock) -> Any:
        signature = self.signature(block)
        if not block.redacted:
            text = wire.ReasoningText(block.thinking, signature)
            return wire.Block(reasoning_content=wire.Reasoning(text))
        if signature is None:
            return None
        if block.thinking:
            self._lose("redacted thinking", block)
        return wire.Block(reasoning_content=wire.Reasoning(redacted_content=signature))

    def signature(self, block: ThinkingBlock) -> str | None:
        """Return a block's signature if it is this API's; redacted thinking needs one in base64."""
        if block.redacted:
            if not self.is_own() or not block.signature or not is_base64(block.signature):
                self._lose("thinking", block)
                return None
        elif block.signature is not None and not self.is_own():
            self._lose("signature", block)
            return None
        return block.signature

    def _call(self, block: ToolCallBlock) -> Any:
        arguments = block.arguments.object_json()
        if arguments is None:
            self._lose("arguments", block)
            text = block.arguments.text.decode("utf-8", "replace")
            arguments = Raw(encode({"raw_arguments": text}))
        return wire.Block(tool_use=self.call(block, arguments))

    def call(self, block: ToolCallBlock, arguments: Raw) -> wire.ToolUse:
        """Return a call; its id is mapped into this wire's alphabet."""
        if block.signature is not None:
            self._lose("signature", block)
        call_id = block.id if is_id(block.id) else hashed(block.id, ID_LETTER, LONGEST)
        return wire.ToolUse(call_id, block.name, arguments)

    def _result(self, block: ToolResultBlock) -> None:
        self._lose("tool result", block)

    def _image(self, block: ImageBlock) -> Any:
        return self.image(block)

    def _document(self, block: DocumentBlock) -> Any:
        return self.document(block) if self._may_come(block) else None

    def _video(self, block: VideoBlock) -> Any:
        return self.video(block) if self._may_come(block) else words(block.transcript)

    def _audio(self, block: AudioBlock) -> Any:
        return self.audio(block) if self._may_come(block) else words(block.transcript)

    def _may_come(self, block: Content) -> bool:
        if not self.is_own():
            self._lose("answer content", block)
        return self.is_own()

    def _error(self, block: ErrorBlock) -> Any:
        self._lose("error", block)
        return words(block.message)

    def _data(self, block: DataBlock) -> None:
        self._lose("data", block)

    def _annotation(self, block: AnnotationBlock) -> None:
        self._lose("annotation", block)

    def _opaque_block(self, block: OpaqueBlock) -> Any:
        if block.api != self.API:
            self._lose("opaque block", block)
            return None
        return self._opaque(block)


_BLOCKS: Final[dict[type, Callable[[AnswerWriter, Any], Any]]] = {
    TextBlock: AnswerWriter._text,
    ThinkingBlock: AnswerWriter._thinking,
    ToolCallBlock: AnswerWriter._call,
    ToolResultBlock: AnswerWriter._result,
    ImageBlock: AnswerWriter._image,
    DocumentBlock: AnswerWriter._document,
    AudioBlock: AnswerWriter._audio,
    VideoBlock: AnswerWriter._video,
    DataBlock: AnswerWriter._data,
    AnnotationBlock: AnswerWriter._annotation,
    ErrorBlock: AnswerWriter._error,
    OpaqueBlock: AnswerWriter._opaque_block,
}
