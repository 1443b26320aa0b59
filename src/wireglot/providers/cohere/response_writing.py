"""Response -> the body of the answer to `POST /v2/chat`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Final

import msgspec
from msgspec import Raw

from ...losses import Losses
from ...model import (
    AnnotationBlock,
    AssistantMessage,
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
from .._writing import lists_some, shallow
from ..losses import losses_of
from . import wire
from .reading import is_cited
from .request import DIALECTS
from .response import STOP_WORDS, counts

__all__ = ["AnswerWriter", "encode_response"]

_STOPS: Final = {
    StopReason.STOP: "COMPLETE",
    StopReason.LENGTH: "MAX_TOKENS",
    StopReason.TOOL_USE: "TOOL_CALL",
    StopReason.ERROR: "ERROR",
}


def encode_response(
    response: Response,
    losses: Losses = None,
    *,
    dialect: str = DIALECTS[0],
    ids: IdSource | None = None,
) -> bytes:
    """Encode `response` as the API would have sent it; text beside calls becomes their plan.

    Arguments are written as the model's own text, JSON or not. The model's name and the time are
    not sent: the wire has no keys for them.

    Raises `LossError` if a part of it has no place on this wire and `losses` is None.
    """
    return answer_bytes(lambda r, found: AnswerWriter(r, found, dialect, ids), response, losses)


class AnswerWriter(ResponseWriter):
    """The encoder of one answer, and of the whole blocks of a stream."""

    WIRE: ClassVar[str] = "cohere"
    API: ClassVar[str] = wire.API
    LOSSES = losses_of("cohere")
    SPOKEN: ClassVar[tuple[str, ...]] = DIALECTS
    STOP_WORDS: ClassVar[Mapping[str, StopReason]] = STOP_WORDS
    STOPS: ClassVar[Mapping[StopReason, str]] = _STOPS
    DEFAULT_STOP: ClassVar[str] = "COMPLETE"

    def answer(self) -> Any:
        """Return the body."""
        message = self._message
        self.lose_alternatives()
        made: dict[str, Any] = {"id": self.id(), "message": self.said(message)}
        made |= self.end(message)
        return self.with_answer_extras(made)

    def lose_alternatives(self) -> None:
        """Report further candidates."""
        if self._response.alternatives:
            self._lose("candidates", self._response)

    def said(self, message: AssistantMessage) -> dict[str, Any]:
        """Return the message: content, plan and calls, in the order of the wire."""
        content: list[Any] = []
        plan: list[str] = []
        calls: list[Any] = []
        plans = any(type(block) is ToolCallBlock for block in message.content)
        for block in message.content:
            if type(block) is ToolCallBlock:
                calls.append({**self.call(block), "function": self._function(block)})
                calls[-1] = self._with_extras(calls[-1], block)
                continue
            made = self.part(block)
            if made is None:
                continue
            words = shallow(made)
            if plans and words["type"] == "text" and words.keys() == {"type", "text"}:
                plan.append(words["text"])
            else:
                content.append(made)
        whole: dict[str, Any] = {"role": "assistant"}
        if content:
            whole["content"] = content
        if plan:
            whole["tool_plan"] = "\n".join(plan)
        if calls:
            whole["tool_calls"] = calls
        whole = self._with_extras(whole, message)
        self.lose_annotations(message)
        return whole

    def end(self, message: AssistantMessage) -> dict[str, Any]:
        """Return the stop reason, the error and the usage."""
        made: dict[str, Any] = {"finish_reason": self.stop_word(message)}
        if message.error_message is not None:
            made["error"] = message.error_message
        if message.usage is not None:
            made["usage"] = self.usage(message.usage)
        return made

    def stop_word(self, message: AssistantMessage) -> str:
        """Return the wire's stop reason; another API's stop sequence makes it `STOP_SEQUENCE`."""
        word = super().stop_word(message)
        if message.stop_sequence is not None and word == "COMPLETE" and not self.is_own():
            return "STOP_SEQUENCE"
        return word

    def usage(self, usage: Usage) -> Any:
        """Return the counts. Other APIs do not say what is billed, so all input and output is."""
        came = self.usage_json(usage, wire.Usage, counts)
        if came is not None:
            return came
        inputs = usage.input + usage.cache_read + usage.cache_write
        billed = {"input_tokens": inputs, "output_tokens": usage.output}
        tokens = dict(billed)
        if usage.reasoning:
            tokens["reasoning_tokens"] = usage.reasoning
        if usage.image_tokens is not None:
            tokens["image_tokens"] = usage.image_tokens
        return {"billed_units": billed, "tokens": tokens, "cached_tokens": usage.cache_read}

    # -- citations -----------------------------------------------------------------------------

    def citations(self, message: AssistantMessage) -> list[Raw]:
        """Return the citations that a message brought over this API, none if it cites nothing."""
        extra = (message.extras or {}).get(self.API)
        if extra is None or extra.spelling is None or not is_cited(message):
            return []
        return _citations(extra.spelling.text).citations or []

    def _is_stale(self, part: Any, key: str, spelled: Raw) -> bool:
        is_answers = key == "citations" and type(part) is AssistantMessage
        return is_answers and lists_some(spelled) and not is_cited(part)

    def lose_annotations(self, message: AssistantMessage) -> None:
        """Report sources that did not come over this API."""
        if self.citations(message):
            return
        block: Any
        for block in message.content:
            kind = type(block)
            if kind is AnnotationBlock or (kind is TextBlock and block.annotations):
                self._lose("annotation", block)

    # -- blocks --------------------------------------------------------------------------------

    def part(self, block: Content) -> Any:
        """Return the part for a block, None if the wire has no place for it."""
        write = _BLOCKS.get(type(block))
        if write is None:
            self._fail(f"`{type(block).__name__}` is no block", block)
        made = write(self, block)
        return made if made is None else self._with_extras(made, block)

    def call(self, block: ToolCallBlock) -> dict[str, Any]:
        """Return a call without its arguments."""
        self.lose_signature(block)
        return {"id": block.id, "type": "function", "function": {"name": block.name}}

    def lose_signature(self, block: TextBlock | ThinkingBlock | ToolCallBlock) -> None:
        """Report a signature, which this wire has no place for."""
        if block.signature is not None:
            self._lose("signature", block)

    def _function(self, block: ToolCallBlock) -> dict[str, Any]:
        is_none = block.arguments.text.strip() in (b"", b"null")
        made: Any = "{}" if is_none else block.arguments.string_json()
        return {"name": block.name, "arguments": made}

    def _text(self, block: TextBlock) -> Any:
        self.lose_signature(block)
        if not block.text and self._is_bare(block):
            self._lose_keys(block)
            return None
        return {"type": "text", "text": block.text}

    def _thinking(self, block: ThinkingBlock) -> Any:
        if block.redacted:
            self._lose("redacted thinking", block)
            return None
        self.lose_signature(block)
        text = block.thinking or "\n".join(block.details or ())
        if not text and self._is_bare(block):
            self._lose_keys(block)
            return None
        return {"type": "thinking", "thinking": text}

    def _is_bare(self, block: TextBlock | ThinkingBlock) -> bool:
        """Whether a block has no unknown keys that came over this API."""
        extra = (block.extras or {}).get(self.API)
        return extra is None or extra.keys.text == b"{}"

    def _error(self, block: ErrorBlock) -> Any:
        self._lose("error", block)
        return _words(block.message)

    def _media(self, block: Any) -> Any:
        self._lose("answer content", block)
        return _words(getattr(block, "transcript", None))

    def _annotation(self, block: AnnotationBlock) -> Any:
        """Return None: the wire holds citations beside the content."""
        return None

    def _opaque_block(self, block: OpaqueBlock) -> Any:
        if block.api != self.API:
            self._lose("opaque block", block)
            return None
        return self._opaque(block)


class _Cited(msgspec.Struct):
    citations: list[Raw] | None = None


_citations = msgspec.json.Decoder(_Cited).decode

_BLOCKS: Final[dict[type, Callable[[AnswerWriter, Any], Any]]] = {
    TextBlock: AnswerWriter._text,
    ThinkingBlock: AnswerWriter._thinking,
    ErrorBlock: AnswerWriter._error,
    ImageBlock: AnswerWriter._media,
    AudioBlock: AnswerWriter._media,
    VideoBlock: AnswerWriter._media,
    DocumentBlock: AnswerWriter._media,
    DataBlock: AnswerWriter._media,
    ToolResultBlock: AnswerWriter._media,
    AnnotationBlock: AnswerWriter._annotation,
    OpaqueBlock: AnswerWriter._opaque_block,
}


def _words(text: str | None) -> Any:
    return {"type": "text", "text": text} if text and not text.isspace() else None
