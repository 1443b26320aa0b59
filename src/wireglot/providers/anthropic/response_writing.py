"""Response -> the body of the answer to `POST /v1/messages`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Final

import msgspec
from msgspec import Raw

from ...losses import Losses
from ...model import (
    AssistantMessage,
    Content,
    ErrorBlock,
    IdSource,
    OpaqueBlock,
    Response,
    StopReason,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    Usage,
)
from .._answers import ResponseWriter, answer_bytes
from .._writing import encode, hashed, is_uncited
from ..losses import losses_of
from . import wire
from .request import DIALECTS
from .response import STOP_WORDS, counts

__all__ = ["AnswerWriter", "encode_response"]

_STOPS: Final = {
    StopReason.STOP: "end_turn",
    StopReason.LENGTH: "max_tokens",
    StopReason.TOOL_USE: "tool_use",
    StopReason.PAUSED: "pause_turn",
    StopReason.GUARD_RAIL: "refusal",
}
_LETTER: Final = re.compile(r"[a-zA-Z0-9_-]")
_is_word: Final = re.compile(r"[a-zA-Z0-9_-]+").fullmatch
_LONGEST_ID: Final = 128


def encode_response(
    response: Response,
    losses: Losses = None,
    *,
    dialect: str = DIALECTS[0],
    ids: IdSource | None = None,
) -> bytes:
    """Encode `response` as the API would have sent it.

    Thinking of another API gets an empty signature: this API would not accept the original.

    Raises `LossError` if a part of it has no place on this wire and `losses` is None.
    """
    return answer_bytes(lambda r, found: AnswerWriter(r, found, dialect, ids), response, losses)


class AnswerWriter(ResponseWriter):
    """The encoder of one answer, and of the whole blocks of a stream."""

    WIRE: ClassVar[str] = "anthropic"
    API: ClassVar[str] = wire.API
    LOSSES = losses_of("anthropic")
    SPOKEN: ClassVar[tuple[str, ...]] = DIALECTS
    STOP_WORDS: ClassVar[Mapping[str, StopReason]] = STOP_WORDS
    STOPS: ClassVar[Mapping[StopReason, str]] = _STOPS
    DEFAULT_STOP: ClassVar[str] = "end_turn"
    CALL_ID: ClassVar[str] = "toolu_"

    def answer(self) -> Any:
        """Return the body."""
        message = self._message
        if self._response.alternatives:
            self._lose("candidates", self._response)
        made = self.head()
        self.lose_foreign(message)
        made["content"] = [part for block in message.content if (part := self.block(block))]
        made |= self.stop(message)
        made["usage"] = self.usage(message.usage)
        return self.with_answer_extras(made)

    def head(self) -> dict[str, Any]:
        """Return the keys that are known before the content."""
        return {
            "id": self.id("msg_"),
            "type": "message",
            "role": "assistant",
            "model": self._message.model or "",
        }

    def stop(self, message: AssistantMessage) -> dict[str, Any]:
        """Return `stop_reason` and `stop_sequence`."""
        word = self.stop_word(message)
        if message.stop_sequence is not None and word == "end_turn":
            word = "stop_sequence"
        return {"stop_reason": word, "stop_sequence": message.stop_sequence}

    def usage(self, usage: Usage | None) -> Any:
        """Return the counts, zeros if there are none: the API always sends them."""
        if usage is None:
            return {"input_tokens": 0, "output_tokens": 0}
        came = self.usage_json(usage, wire.Usage, counts)
        if came is not None:
            return came
        made: dict[str, Any] = {
            "input_tokens": usage.input,
            "cache_creation_input_tokens": usage.cache_write,
            "cache_read_input_tokens": usage.cache_read,
            "output_tokens": usage.output,
        }
        if usage.reasoning:
            made["output_tokens_details"] = {"thinking_tokens": usage.reasoning}
        return made

    def block(self, block: Content) -> Any:
        """Return the wire's block, None if it has no place for this one."""
        write = _BLOCKS.get(type(block))
        if write is None:
            self._lose("answer content", block)
            return None
        made = write(self, block)
        return made if made is None else self._with_extras(made, block)

    def _text(self, block: TextBlock) -> Any:
        if block.annotations and not self.citations(block):
            self._lose("annotation", block)
        if block.signature is not None:
            self._lose("signature", block)
        if not block.text:
            self._lose_keys(block)
            return None
        return {"type": "text", "text": block.text}

    def citations(self, block: TextBlock) -> list[Raw]:
        """Return the citations that a text brought over this API, none without annotations."""
        extra = (block.extras or {}).get(self.API)
        if not block.annotations or extra is None or extra.spelling is None:
            return []
        return _citations(extra.spelling.text).citations or []

    def _is_stale(self, part: Any, key: str, spelled: Raw) -> bool:
        return key == "citations" and type(part) is TextBlock and is_uncited(part, spelled)

    def _thinking(self, block: ThinkingBlock) -> Any:
        if block.redacted:
            if not self.is_own():
                self._lose("redacted thinking", block)
                return None
            return {"type": "redacted_thinking", "data": block.signature or ""}
        return {
            "type": "thinking",
            "thinking": block.thinking,
            "signature": self.signature(block) or "",
        }

    def signature(self, block: ThinkingBlock) -> str | None:
        """Return the signature of a block, if it is this API's."""
        if block.signature is not None and not self.is_own():
            self._lose("signature", block)
            return None
        return block.signature

    def _call(self, block: ToolCallBlock) -> Any:
        if block.signature is not None:
            self._lose("signature", block)
        arguments = block.arguments.object_json()
        if arguments is None:
            self._lose("arguments", block)
            text = block.arguments.text.decode("utf-8", "replace")
            arguments = Raw(encode({"raw_arguments": text}))
        return {**self.call(block), "input": arguments}

    def call(self, block: ToolCallBlock) -> dict[str, Any]:
        """Return a call without its arguments; its id is mapped into this wire's alphabet."""
        call_id = block.id
        if not _is_word(call_id):
            call_id = hashed(call_id, _LETTER, _LONGEST_ID)
        return {"type": "tool_use", "id": call_id, "name": block.name}

    def _error(self, block: ErrorBlock) -> Any:
        self._lose("error", block)
        return {"type": "text", "text": block.message} if block.message else None

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
    ToolCallBlock: AnswerWriter._call,
    ErrorBlock: AnswerWriter._error,
    OpaqueBlock: AnswerWriter._opaque_block,
}
