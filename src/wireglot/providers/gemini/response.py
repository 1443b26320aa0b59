"""Response <-> Gemini's generateContent JSON, the body of the answer.

What is normalized without a loss: keys are camelCase, an empty list of parts is none, and a finish
reason is a word where Vertex sends a number.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
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
    Extra,
    ImageBlock,
    OpaqueBlock,
    RawJson,
    Response,
    StopReason,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    Usage,
    VideoBlock,
)
from .._answers import ResponseWriter, answer_bytes, answer_extras, stop_of, usage_of
from .._reading import Body, read_with
from .._waiting import prefix_of
from .._writing import check_dialect, encode, with_keys
from . import wire
from .parts import PartWriter, is_own
from .reading import MessageReader, forget_nulls, given
from .request import DIALECTS

__all__ = [
    "AnswerReader",
    "AnswerWriter",
    "answer",
    "counts",
    "decode_response",
    "encode_response",
    "stop_reason",
]

# Source: the SDK's FinishReason, and its BlockedReason for what was said of the prompt.
STOP_WORDS: Final = {
    "FINISH_REASON_UNSPECIFIED": StopReason.STOP,
    "STOP": StopReason.STOP,
    "MAX_TOKENS": StopReason.LENGTH,
    "SAFETY": StopReason.GUARD_RAIL,
    "RECITATION": StopReason.GUARD_RAIL,
    "LANGUAGE": StopReason.GUARD_RAIL,
    "OTHER": StopReason.ERROR,
    "BLOCKLIST": StopReason.GUARD_RAIL,
    "PROHIBITED_CONTENT": StopReason.GUARD_RAIL,
    "SPII": StopReason.GUARD_RAIL,
    "MALFORMED_FUNCTION_CALL": StopReason.ERROR,
    "IMAGE_SAFETY": StopReason.GUARD_RAIL,
    "IMAGE_PROHIBITED_CONTENT": StopReason.GUARD_RAIL,
    "IMAGE_OTHER": StopReason.ERROR,
    "NO_IMAGE": StopReason.ERROR,
    "IMAGE_RECITATION": StopReason.GUARD_RAIL,
    "UNEXPECTED_TOOL_CALL": StopReason.ERROR,
    "TOO_MANY_TOOL_CALLS": StopReason.ERROR,
    "MISSING_THOUGHT_SIGNATURE": StopReason.ERROR,
    "MALFORMED_RESPONSE": StopReason.ERROR,
    "ESCALATION": StopReason.GUARD_RAIL,
    "PUP_LIMITED_DISABLED": StopReason.GUARD_RAIL,
    "CONTINUATION": StopReason.PAUSED,
    "MODEL_ARMOR": StopReason.GUARD_RAIL,
}
_STOPS: Final = {
    StopReason.STOP: "STOP",
    StopReason.LENGTH: "MAX_TOKENS",
    StopReason.TOOL_USE: "STOP",
    StopReason.GUARD_RAIL: "SAFETY",
    StopReason.ERROR: "OTHER",
}
# The numbers that mean the same on both services.
_NUMBERS: Final = (
    "FINISH_REASON_UNSPECIFIED",
    "STOP",
    "MAX_TOKENS",
    "SAFETY",
    "RECITATION",
    "OTHER",
)
_KEPT: Final = ("prompt_feedback", "model_status")
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_usage_of = msgspec.json.Decoder(wire.Usage).decode
_feedback = msgspec.json.Decoder(wire.PromptFeedback).decode
_time = msgspec.json.Decoder(datetime).decode
_NONE: Final = Raw(b"[]")
_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_list = msgspec.json.Decoder(list[Raw]).decode


def decode_response(
    data: bytes | bytearray | memoryview | str,
    *,
    dialect: str = DIALECTS[0],
    losses: Losses = None,
) -> Response:
    """Decode an answer.

    The API counts cached tokens inside `promptTokenCount` and thoughts beside
    `candidatesTokenCount`; `Usage` takes the former out, puts the latter in, and adds what tools
    of the provider put into the prompt to `input`. The API has no word for tool use: a plain
    `STOP` with calls is `toolUse`. A blocked prompt has no candidate, and the reason for it is the
    stop reason. Lone surrogates are an error, or with a list of losses U+FFFD and a loss.

    Raises `DecodeError`.
    """
    check_dialect(dialect, DIALECTS, "gemini")
    return read_with(
        lambda body: answer(AnswerReader(body, dialect)), wire.Answer, data, "gemini", losses
    )


def encode_response(
    response: Response, losses: Losses = None, *, dialect: str = DIALECTS[0]
) -> bytes:
    """Encode `response` as the API would have sent it; its alternatives are further candidates.

    Thinking of another API is a thought without a signature.

    Raises `LossError` if a part of it has no place on this wire and `losses` is None.
    """
    return answer_bytes(lambda r, found: AnswerWriter(r, found, dialect), response, losses)


class AnswerReader(MessageReader):
    """The reader of the model's content, whose calls begin anew with each candidate."""

    def __init__(self, body: Body, dialect: str) -> None:
        super().__init__(body, dialect)
        self._is_answer = True

    def on(self, body: Body) -> AnswerReader:
        """Go on with another piece of the same content."""
        forget_nulls(body.unknown)
        self.body = body
        self._unknown = body.unknown
        return self

    def candidate(self, part: wire.Candidate) -> AssistantMessage:
        """Return the message of a candidate."""
        content = part.content
        raw = _word(part.finish_reason)
        message = AssistantMessage([], api=self.API, raw_stop_reason=raw)
        if content is not None:
            if content.role not in (None, "model"):
                self._fail(f"expected the role `model`, got `{content.role}`", content, ".role")
            message.content = self.content(content)
            keys = self._unknown.get(id(content))
            if keys:
                message.extras = {self.API: Extra(RawJson.adopt(Raw(encode(keys))))}
        message.stop_reason = stop_reason(raw, message.content)
        return message

    def candidate_keys(self, part: wire.Candidate) -> dict[str, Any]:
        """Return what a candidate says beside its message."""
        names = zip(part.__struct_fields__[2:], part.__struct_encode_fields__[2:], strict=True)
        keys = {key: value for name, key in names if (value := getattr(part, name)) is not None}
        return keys | self._unknown.get(id(part), {})


def answer(reader: AnswerReader) -> Response:
    """Return the response that a body stands for."""
    root: wire.Answer = reader.body.root
    if root.candidates is None and not (given(root.prompt_feedback) or given(root.usage_metadata)):
        reader._fail("object missing required field `candidates`", root)
    candidates = root.candidates or []
    messages: list[AssistantMessage] = []
    keys: list[dict[str, Any]] = []
    shapes: list[dict[str, Any]] = []
    for part in candidates:
        own = AnswerReader(reader.body, reader._dialect)
        own.prefix = prefix_of(root.response_id)
        messages.append(own.candidate(part))
        keys.append(own.candidate_keys(part))
        shapes.append(_shape(part.content))
    first = messages[0] if messages else _blocked(root.prompt_feedback)
    first.model = root.model_version
    first.usage = usage_of(root.usage_metadata, wire.API, counts, "$.usageMetadata")
    made = Response(first, id=root.response_id, alternatives=messages[1:] or None)
    nested = {"candidates": keys if any(keys) else None}
    unread: tuple[str, ...] = _KEPT
    spelling: dict[str, Any] = {}
    if given(root.create_time):
        made.created_at = _milliseconds(root.create_time)
        if made.created_at is None:
            unread = (*_KEPT, "create_time")
        else:
            spelling["createTime"] = root.create_time
    if not candidates:
        spelling["candidates"] = root.candidates
    elif any(shapes):
        spelling["candidates"] = shapes
    made.extras = answer_extras(reader, root, unread, (), **nested)
    if spelling:
        made.extras = made.extras or {wire.API: Extra(RawJson(b"{}"))}
        made.extras[wire.API].spelling = RawJson.adopt(Raw(encode(spelling)))
    return made


def stop_reason(raw: str | None, content: list[Content]) -> StopReason | None:
    """Return what a finish reason means after this content."""
    if raw is None:
        return None
    if raw == "STOP" and any(type(block) is ToolCallBlock for block in content):
        return StopReason.TOOL_USE
    return stop_of(STOP_WORDS, raw)


def _is_number(word: str) -> bool:
    """Whether a word is a number, as it would be written."""
    return len(word) < 10 and word.isdecimal() and word == str(int(word))


def _word(reason: str | int | None) -> str | None:
    if isinstance(reason, str) and _is_number(reason):
        reason = int(reason)
    if isinstance(reason, int):
        return _NUMBERS[reason] if 0 <= reason < len(_NUMBERS) else str(reason)
    return reason


def _shape(content: wire.Content | None) -> dict[str, Any]:
    """Return what of a content is not as it is written by default: that it or its role is not."""
    if content is None:
        return {"content": None}
    return {"content": {"role": None}} if content.role is None else {}


def _blocked(feedback: Any) -> AssistantMessage:
    """Return the message of an answer without candidates."""
    message = AssistantMessage([], api=wire.API)
    reason = _feedback(feedback).block_reason if given(feedback) else None
    if reason is not None:
        message.stop_reason = StopReason.GUARD_RAIL
        message.raw_stop_reason = str(reason)
    return message


def _milliseconds(raw: Raw) -> int | None:
    """Return the time that a timestamp says, None if it is none."""
    try:
        time = _time(raw)
    except msgspec.DecodeError:
        return None
    return (time - _EPOCH) // timedelta(milliseconds=1) if time.tzinfo is not None else None


def counts(raw: Raw) -> Usage:
    """Return the counts of a usage object."""
    came = _usage_of(raw)
    cached, thoughts = came.cached_content_token_count or 0, came.thoughts_token_count or 0
    prompt = (came.prompt_token_count or 0) + (came.tool_use_prompt_token_count or 0)
    return Usage(
        input=max(prompt - cached, 0),
        output=(came.candidates_token_count or 0) + thoughts,
        reasoning=thoughts,
        cache_read=cached,
        total_tokens=came.total_token_count or 0,
    )


class AnswerWriter(PartWriter, ResponseWriter):
    """The encoder of one answer, and of the whole parts of a stream."""

    SPOKEN: ClassVar[tuple[str, ...]] = DIALECTS
    STOP_WORDS: ClassVar[Mapping[str, StopReason]] = STOP_WORDS
    STOPS: ClassVar[Mapping[StopReason, str]] = _STOPS
    DEFAULT_STOP: ClassVar[str] = "STOP"

    def __init__(self, response: Response, losses: Losses, dialect: str) -> None:
        super().__init__(response, losses, dialect)
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
        """Whether there is an answer: there was none to a prompt that was blocked."""
        if self._message.content or self._response.alternatives or not self._is_own:
            return True
        return bytes(self._spelled.get("candidates") or b"") not in (b"null", b"[]")

    def body(self, made: dict[str, Any]) -> Any:
        """Return an answer, or the last chunk of one, with what stands beside the candidates."""
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
        """Return when the answer was made; the Gemini API does not tell, unless it has."""
        created, came = self._response.created_at, self._spelled.get("createTime")
        if came is not None and _milliseconds(came) == created:
            return came
        if created is None or self._dialect != "vertex":
            return None
        try:
            time = _EPOCH + timedelta(milliseconds=created)
        except OverflowError:
            self._fail("no such time", self._response, ".createdAt")
        return time.isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def usage(self, usage: Usage) -> Any:
        """Return the counts, cached tokens inside the prompt and thoughts beside the answer."""
        came = self.usage_json(usage, counts)
        if came is not None:
            return came
        prompt = usage.input + usage.cache_read + usage.cache_write
        made = {"promptTokenCount": prompt, "candidatesTokenCount": usage.output - usage.reasoning}
        if usage.cache_read:
            made["cachedContentTokenCount"] = usage.cache_read
        if usage.reasoning:
            made["thoughtsTokenCount"] = usage.reasoning
        made["totalTokenCount"] = usage.total_tokens or prompt + usage.output
        return made

    def _candidate(self, number: int, message: AssistantMessage) -> Any:
        self._is_own = is_own(message)
        parts = [part for block in message.content if (part := self.part(block)) is not None]
        return self.candidate(number, message, parts)

    def candidate(self, number: int, message: AssistantMessage, parts: list[Any]) -> Any:
        """Return a candidate with these parts, and why it ended."""
        made: dict[str, Any] = {}
        content = self.content(number, message, parts)
        if content is not None:
            made["content"] = content
        reason = self.finish(message)
        if reason is not None:
            made["finishReason"] = reason
        return with_keys(made, self.candidate_keys(number))

    def candidate_keys(self, number: int) -> dict[str, Raw]:
        """Return what is said of a candidate beside its message, its index above all."""
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
        """Return the word for why the answer ended; None for an own one that did not say."""
        if message.stop_sequence is not None:
            self._lose("stop sequence", message)
        if message.stop_reason is None and message.api == self.API:
            return None
        word = self.stop_word(message)
        return int(word) if _is_number(word) else word

    # -- parts: what stands for a block, or None for nothing -----------------------------------

    def part(self, block: Content) -> Any:
        """Return the part of a block, None for one that the wire has no place for."""
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
