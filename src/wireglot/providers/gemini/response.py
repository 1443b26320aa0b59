"""The body of an answer of `generateContent` -> Response.

What is normalized without a loss: keys become camelCase, an empty list of parts is left out, and a
finish reason that Vertex sends as a number becomes a word.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any, Final

import msgspec
from msgspec import Raw

from ...losses import Losses
from ...model import (
    AssistantMessage,
    Content,
    Extra,
    IdSource,
    RawJson,
    Response,
    StopReason,
    Usage,
)
from .._answers import answer_extras, stop_of, usage_of
from .._ids import named
from .._reading import Body, read_with
from .._writing import check_dialect, encode
from . import wire
from .reading import MessageReader, forget_nulls, given
from .request import DIALECTS

__all__ = [
    "AnswerReader",
    "answer",
    "counts",
    "decode_response",
    "is_number",
    "milliseconds",
    "stop_reason",
]

# Source: the SDK's FinishReason, and its BlockedReason for blocked prompts.
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
EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_feedback = msgspec.json.Decoder(wire.PromptFeedback).decode
_time = msgspec.json.Decoder(datetime).decode
_keys = msgspec.json.Decoder(dict[str, Raw]).decode


def decode_response(
    data: bytes | bytearray | memoryview | str,
    *,
    dialect: str = DIALECTS[0],
    losses: Losses = None,
    ids: IdSource | None = None,
) -> Response:
    """Decode an answer.

    `promptTokenCount` includes cached tokens; `Usage.input` excludes them, but includes what tools
    of the provider put into the prompt. `candidatesTokenCount` excludes thoughts; `Usage.output`
    includes them. The API has no finish reason for tool use: `STOP` with calls is `toolUse`. A
    blocked prompt has no candidate; the block reason is the raw stop reason. A lone surrogate is an
    error; with `losses` it becomes U+FFFD and a loss.

    Raises `DecodeError`.
    """
    check_dialect(dialect, DIALECTS, "gemini")
    return read_with(
        lambda body: named(answer(AnswerReader(body, dialect)), ids),
        wire.Answer,
        data,
        "gemini",
        losses,
    )


class AnswerReader(MessageReader):
    """The reader of one candidate's content; each candidate has calls of its own."""

    def __init__(self, body: Body, dialect: str) -> None:
        super().__init__(body, dialect)
        self._is_answer = True

    def _free_id(self) -> str:
        return ""  # which the whole answer decides

    def on(self, body: Body) -> AnswerReader:
        """Return this reader, set to another piece of the same content."""
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
        """Return the keys of a candidate that its message has no field for."""
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
        messages.append(own.candidate(part))
        keys.append(own.candidate_keys(part))
        shapes.append(_shape(part.content))
    first = messages[0] if messages else _blocked(root.prompt_feedback)
    first.model = root.model_version
    first.usage = usage_of(root.usage_metadata, wire.API, wire.Usage, counts, "$.usageMetadata")
    made = Response(first, id=root.response_id, alternatives=messages[1:] or None)
    nested = {"candidates": keys if any(keys) else None}
    unread: tuple[str, ...] = _KEPT
    spelling: dict[str, Any] = {}
    if given(root.create_time):
        made.created_at = milliseconds(root.create_time)
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
    """Return what a finish reason means for an answer of this content."""
    return stop_of(STOP_WORDS, raw, content) if raw is not None else None


def is_number(word: str) -> bool:
    """Whether a word is a number in its usual spelling."""
    return len(word) < 10 and word.isdecimal() and word == str(int(word))


def _word(reason: str | int | None) -> str | None:
    if isinstance(reason, str) and is_number(reason):
        reason = int(reason)
    if isinstance(reason, int):
        return _NUMBERS[reason] if 0 <= reason < len(_NUMBERS) else str(reason)
    return reason


def _shape(content: wire.Content | None) -> dict[str, Any]:
    """Return the spelling of a candidate that came without content, or without its role."""
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


def milliseconds(raw: Raw) -> int | None:
    """Return a timestamp in milliseconds since 1970, None if it is not one."""
    try:
        time = _time(raw)
    except msgspec.DecodeError:
        return None
    return (time - EPOCH) // timedelta(milliseconds=1) if time.tzinfo is not None else None


def counts(came: wire.Usage) -> Usage:
    """Return the counts of a usage object."""
    cached, thoughts = came.cached_content_token_count or 0, came.thoughts_token_count or 0
    prompt = (came.prompt_token_count or 0) + (came.tool_use_prompt_token_count or 0)
    return Usage(
        input=max(prompt - cached, 0),
        output=(came.candidates_token_count or 0) + thoughts,
        reasoning=thoughts,
        cache_read=cached,
        total_tokens=came.total_token_count or 0,
    )
