"""Response -> the body of an answer of `generateContent`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import timedelta
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
    Usage,
    VideoBlock,
)
from .._answers import ResponseWriter, answer_bytes
from .._writing import encode, with_keys
from . import wire
from .parts import PartWriter, is_own
from .request import DIALECTS
from .response import EPOCH, STOP_WORDS, counts, is_number, milliseconds

__all__ = ["AnswerWriter", "encode_response"]

_STOPS: Final = {
    StopReason.STOP: "STOP",
    StopReason.LENGTH: "MAX_TOKENS",
    StopReason.TOOL_USE: "STOP",
    StopReason.GUARD_RAIL: "SAFETY",
    StopReason.ERROR: "OTHER",
}
_NONE: Final = Raw(b"[]")
_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_list = msgspec.json.Decoder(list[Raw]).decode


def encode_response(
    response: Response,
    losses: Losses = None,
    *,
    dialect: str = DIALECTS[0],
    ids: IdSource | None = None,
) -> bytes:
    """Encode `response` as the API would have sent it; its alternatives are further candidates.

    Thinking of another API becomes a thought without a signature.

    Raises `LossError` if a part of it has no place on this wire and `losses` is None.
    """
    return answer_bytes(lambda r, found: AnswerWriter(r, found, dialect, ids), response, losses)


class AnswerWriter(PartWriter, ResponseWriter):
    """The encoder of one answer, and of the whole parts of a stream."""

    SPOKEN: ClassVar[tuple[str, ...]] = DIALECTS
    STOP_WORDS: ClassVar[Mapping[str, StopReason]] = STOP_WORDS
    STOPS: ClassVar[Mapping[StopReason, str]] = _STOPS
    DEFAULT_STOP: ClassVar[str] = "STOP"
    CALL_ID: ClassVar[str] = ""

    def __init__(
        self, response: Response, losses: Losses, dialect: str, ids: IdSource | None = None
    ) -> None:
        super().__init__(response, losses, dialect, ids)
        self._is_own = is_own(response.message)
        extras = response.extras
        self._keys = self._own_keys(response) if extras is not None else {}
        extra = extras.get(self.API) if extras is not None else None
        spelling = extra.spelling if extra is not None else None
        self._spelled = _keys(spelling.text) if spelling is not None else {}
        self._further = _objects(self._keys.pop("candidates", None))
        self._shapes = _objects(self._spelled.get("candidates"))

    def answer(self) -> Any:
        """Return the body."""
        made: dict[str, Any] = {}
        if self.has_candidates():
            made["candidates"] = [self._candidate(0, self._message), *self.further()]
        elif self._spelled["candidates"] == _NONE:
            made["candidates"] = []
        return self.body(made)

    def further(self) -> list[Any]:
        """Return the candidates beside the first."""
        others = self._response.alternatives or ()
        return [self._candidate(i, message) for i, message in enumerate(others, 1)]

    def has_candidates(self) -> bool:
        """Whether there is a candidate: a blocked prompt has none."""
        if self._message.content or self._response.alternatives or not self._is_own:
            return True
        return bytes(self._spelled.get("candidates") or b"") not in (b"null", b"[]")

    def body(self, made: dict[str, Any]) -> Any:
        """Return an answer, or the last chunk of one, with the keys beside the candidates."""
        usage = self._message.usage
        if usage is not None:
            made["usageMetadata"] = self.usage(usage)
        made |= self.head()
        return with_keys(made, self._keys) if self._keys else made

    def head(self) -> dict[str, Any]:
        """Return the keys that each chunk of a stream has."""
        made: dict[str, Any] = {}
        if self._message.model is not None:
            made["modelVersion"] = self._message.model
        created = self._time()
        if created is not None:
            made["createTime"] = created
        if self._response.id is not None:
            made["responseId"] = self._response.id
        return made

    def _time(self) -> Any:
        """Return `createTime` as it came; otherwise only Vertex sends it."""
        created, came = self._response.created_at, self._spelled.get("createTime")
        if came is not None and milliseconds(came) == created:
            return came
        if created is None or self._dialect != "vertex":
            return None
        try:
            time = EPOCH + timedelta(milliseconds=created)
        except OverflowError:
            self._fail("no such time", self._response, ".createdAt")
        return time.isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def usage(self, usage: Usage) -> Any:
        """Return the counts: the prompt includes cached tokens, the candidates exclude thoughts."""
        came = self.usage_json(usage, wire.Usage, counts)
        if came is not None:
            return came
        prompt = usage.input + usage.cache_read + usage.cache_write
        said = max(0, usage.output - usage.reasoning)
        made = {"promptTokenCount": prompt, "candidatesTokenCount": said}
        if usage.cache_read:
            made["cachedContentTokenCount"] = usage.cache_read
        if usage.reasoning:
            made["thoughtsTokenCount"] = usage.reasoning
        made["totalTokenCount"] = usage.total_tokens or prompt + said + usage.reasoning
        return made

    def _candidate(self, number: int, message: AssistantMessage) -> Any:
        self._is_own = is_own(message)
        parts = [part for block in message.content if (part := self.part(block)) is not None]
        return self.candidate(number, message, parts)

    def candidate(self, number: int, message: AssistantMessage, parts: list[Any]) -> Any:
        """Return a candidate with these parts and its finish reason."""
        made: dict[str, Any] = {}
        content = self.content(number, message, parts)
        if content is not None:
            made["content"] = content
        reason = self.finish(message)
        if reason is not None:
            made["finishReason"] = reason
        return with_keys(made, self.candidate_keys(number))

    def candidate_keys(self, number: int) -> dict[str, Raw]:
        """Return the keys of a candidate beside its message, such as its index."""
        if number < len(self._further) and (self._further[number] or self._message.api == self.API):
            return self._further[number]
        if number == 0 and self._message.api == self.API:
            return {}
        return {"index": Raw(encode(number))}

    def content(self, number: int, message: AssistantMessage, parts: list[Any]) -> Any:
        """Return a candidate's content; None if it came without and has none now."""
        made: dict[str, Any] = {"role": "model"}
        if number < len(self._shapes):
            shape = self._shapes[number].get("content")
            if bytes(shape or b"") == b"null":
                if not parts:
                    return None
            elif shape is not None:
                del made["role"]
        if parts:
            made["parts"] = parts
        return self._with_extras(made, message)

    def finish(self, message: AssistantMessage) -> Any:
        """Return the finish reason, None if an answer of this API came without one."""
        if message.stop_sequence is not None:
            self._lose("stop sequence", message)
        if message.stop_reason is None and message.api == self.API:
            return None
        word = self.stop_word(message)
        return int(word) if is_number(word) else word

    # -- parts: what stands for a block, or None for nothing -----------------------------------

    def part(self, block: Content) -> Any:
        """Return the part for a block, None if the wire has no place for it."""
        write = _BLOCKS.get(type(block))
        if write is None:
            self._lose("answer content", block)
            return None
        made = write(self, block)
        return made if made is None else self._with_extras(made, block)

    def _text(self, block: TextBlock) -> Any:
        if block.annotations:
            self._lose("annotation", block)
        return wire.Part(block.text, thought_signature=self._signature(block))

    def _thinking(self, block: ThinkingBlock) -> Any:
        if block.redacted:
            self._lose("redacted thinking", block)
            return None
        signature = self._signature(block)
        if not block.thinking and not self._is_own:
            self._lose_keys(block)
            return None
        return wire.Part(block.thinking, thought=True, thought_signature=signature)

    def _call(self, block: ToolCallBlock) -> Any:
        call_id = None if self._is_made_up(block) else block.id or None
        call = wire.FunctionCall(block.name, self._arguments(block), call_id)
        return wire.Part(function_call=call, thought_signature=self._signature(block))

    def _signature(self, block: Any) -> str | None:
        signature = super()._signature(block)
        if signature is None and block.signature:
            self._lose("signature", block)
        return signature

    def _error(self, block: ErrorBlock) -> Any:
        self._lose("error", block)
        return wire.Part(block.message)

    def _annotation(self, block: AnnotationBlock) -> None:
        self._lose("annotation", block)

    def _opaque_block(self, block: OpaqueBlock) -> Any:
        if block.api != self.API:
            self._lose("opaque block", block)
            return None
        return self._opaque(block)


def _objects(raw: Raw | None) -> list[dict[str, Raw]]:
    """Return the objects of a list, none for anything else."""
    try:
        return [_keys(item) for item in _list(raw)] if raw is not None else []
    except msgspec.DecodeError:
        return []


_BLOCKS: Final[dict[type, Callable[[AnswerWriter, Any], Any]]] = {
    TextBlock: AnswerWriter._text,
    ThinkingBlock: AnswerWriter._thinking,
    ToolCallBlock: AnswerWriter._call,
    ImageBlock: AnswerWriter._media_part,
    DocumentBlock: AnswerWriter._media_part,
    AudioBlock: AnswerWriter._media_part,
    VideoBlock: AnswerWriter._media_part,
    DataBlock: AnswerWriter._media_part,
    AnnotationBlock: AnswerWriter._annotation,
    ErrorBlock: AnswerWriter._error,
    OpaqueBlock: AnswerWriter._opaque_block,
}
