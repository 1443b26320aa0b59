"""Response <-> the body of the answer to `:generateContent`.

`promptTokenCount` includes cached tokens; `Usage.input` excludes them, but includes what tools of
the provider put into the prompt. `candidatesTokenCount` excludes thoughts; `Usage.output` includes
them. The API has no finish reason for tool use: `STOP` with calls is `TOOL_USE`. A blocked prompt
has no candidate; the block reason is the raw stop reason. Alternatives are further candidates.
Thinking of another API becomes a thought without a signature.

What is normalized without a loss: keys become camelCase, an empty list of parts is left out, and a
finish reason that Vertex sends as a number becomes a word.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, ClassVar, Final

import msgspec
from msgspec import Raw

from ..._body.encode import encode_json as encode
from ..._body.objects import with_keys
from ...errors import quoted
from ...losses import Losses
from ...model import (
    AssistantMessage,
    Content,
    Extra,
    IdSource,
    RawJson,
    Response,
    StopReason,
    TextBlock,
    Usage,
)
from .._across.citations import lose_others
from .._across.stops import stop_of
from .._across.usage import TIERS, usage_of
from .._codecs.responses import BaseResponseWriter, ResponseCodec
from .._state.decoding import Decoding
from .._state.rules import Rules
from . import blocks, wire
from .errors import decode_error
from .grounding import grounding, sources
from .losses import RULES

_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_list = msgspec.json.Decoder(list[Raw]).decode
_time = msgspec.json.Decoder(datetime).decode

# Source: the SDK's FinishReason, and its BlockedReason for blocked prompts.
_STOP_WORDS: Final = {
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


# -- response -> body --------------------------------------------------------------------------

_NONE: Final = Raw(b"[]")


class ResponseWriter(BaseResponseWriter):
    """The encoder of one answer, and of the chunks of a stream."""

    STOP_WORDS: ClassVar[Mapping[str, StopReason]] = _STOP_WORDS
    STOPS: ClassVar[Mapping[StopReason, str]] = _STOPS
    DEFAULT_STOP: ClassVar[str] = "STOP"
    CALL_ID: ClassVar[str] = ""
    RULES: ClassVar[Rules] = RULES

    def __init__(
        self, response: Response, losses: Losses, dialect: str, ids: IdSource | None = None
    ) -> None:
        super().__init__(response, losses, dialect, ids)
        self._blocks = blocks.BlockWriter(self.encoding, is_answer=True)
        self._is_own = blocks.is_of_this_api(response.message)
        extra = (self.response.extras or {}).get(wire.API)
        spelling = extra.spelling if extra is not None else None
        self._keys = _keys(extra.keys.text) if extra is not None else {}
        self._spelled = _keys(spelling.text) if spelling is not None else {}
        self._further = _objects(self._keys.pop("candidates", None))
        self._shapes = _objects(self._spelled.get("candidates"))

    def answer(self) -> Any:
        """Return the body."""
        body: dict[str, Any] = {}
        if self.has_candidates():
            first = self.candidate(0, self.message, self._parts(self.message))
            body["candidates"] = [first, *self.further()]
        elif self._spelled["candidates"] == _NONE:
            body["candidates"] = []
        return self.whole(body)

    def whole(self, body: dict[str, Any]) -> Any:
        """Return an answer, or the last chunk of one, with the keys beside the candidates."""
        usage = self.message.usage
        if usage is not None:
            body["usageMetadata"] = self._usage(usage)
        body |= self.head()
        self.encoding.lose_foreign(self.response)
        return with_keys(body, self._keys) if self._keys else body

    def head(self) -> dict[str, Any]:
        """Return the keys that each chunk of a stream has."""
        head: dict[str, Any] = {}
        if self.message.model is not None:
            head["modelVersion"] = self.message.model
        time = self._create_time()
        if time is not None:
            head["createTime"] = time
        if self.response.id is not None:
            head["responseId"] = self.response.id
        return head

    def _create_time(self) -> Any:
        """Return `createTime` as it came; otherwise only Vertex sends it."""
        time, original = self.response.created_at, self._spelled.get("createTime")
        if original is not None and _milliseconds(original) == time:
            return original
        if time is None or self.encoding.dialect != "vertex":
            return None
        text = _timestamp(time)
        if text is None:
            self.encoding.fail(
                "time out of range, expected the years 1 to 9999", self.response, ".createdAt"
            )
        return text

    def _usage(self, usage: Usage) -> Any:
        """Return the counts: the prompt includes cached tokens, the candidates exclude thoughts."""
        original = self.usage_json(usage, wire.Usage, read_counts)
        if original is not None:
            return original
        prompt = usage.input + usage.cache_read + usage.cache_write
        spoken = max(0, usage.output - usage.reasoning)
        numbers: dict[str, Any] = {"promptTokenCount": prompt, "candidatesTokenCount": spoken}
        if usage.cache_read:
            numbers["cachedContentTokenCount"] = usage.cache_read
        if usage.reasoning:
            numbers["thoughtsTokenCount"] = usage.reasoning
        numbers["totalTokenCount"] = max(usage.total_tokens, prompt + spoken + usage.reasoning)
        if self.response.service_tier in TIERS and not self.is_own():
            numbers["serviceTier"] = self.response.service_tier
        parts = self.token_parts(usage)
        if parts.audio_in or parts.images_in:
            kinds = {"AUDIO": parts.audio_in, "IMAGE": parts.images_in}
            numbers["promptTokensDetails"] = _modalities(prompt, kinds)
        if parts.audio_out:
            kinds = {"AUDIO": parts.audio_out}
            numbers["candidatesTokensDetails"] = _modalities(spoken, kinds)
        return numbers

    # Candidates

    def has_candidates(self) -> bool:
        """Whether there is a candidate: a blocked prompt has none."""
        if self.message.content or self.response.alternatives or not self._is_own:
            return True
        return bytes(self._spelled.get("candidates") or b"") not in (b"null", b"[]")

    def further(self) -> list[Any]:
        """Return the candidates beside the first."""
        others = self.response.alternatives or ()
        return [self.candidate(i, other, self._parts(other)) for i, other in enumerate(others, 1)]

    def candidate(self, number: int, message: AssistantMessage, parts: list[Any]) -> Any:
        """Return a candidate with these parts and its finish reason."""
        candidate: dict[str, Any] = {}
        content = self._content(number, message, parts)
        if content is not None:
            candidate["content"] = content
        reason = self._finish_reason(message)
        if reason is not None:
            candidate["finishReason"] = reason
        keys = self.candidate_keys(number)
        if "groundingMetadata" not in keys:
            found = self._grounding(message)
            if found is not None:
                candidate["groundingMetadata"] = found
        return with_keys(candidate, keys)

    def _grounding(self, message: AssistantMessage) -> dict[str, Any] | None:
        """Return the metadata for what the texts cite; other sources than pages are lost."""
        for block in message.content:
            if type(block) is TextBlock and block.annotations:
                lose_others(block, self.encoding)
        return grounding(message.content)

    def candidate_keys(self, number: int) -> dict[str, Raw]:
        """Return the keys of a candidate beside its message, such as its index."""
        is_own = self.message.api == wire.API
        shape = self._shapes[number] if number < len(self._shapes) else {}
        index = {"index": shape["index"]} if "index" in shape else {}
        if number < len(self._further) and (self._further[number] or is_own):
            index = index if is_own else {"index": Raw(encode(number))}
            return index | self._further[number]
        if number == 0 and is_own:
            return index
        return {"index": Raw(encode(number))}

    def role(self, number: int) -> str | None:
        """Return the role of a candidate's content, None if that came without one."""
        return "model" if self._original(number) in (b"", b"null") else None

    def _original(self, number: int) -> bytes:
        """Return a candidate's content if it came as null or without a role, else nothing."""
        shape = self._shapes[number] if number < len(self._shapes) else {}
        return bytes(shape.get("content") or b"")

    def _content(self, number: int, message: AssistantMessage, parts: list[Any]) -> Any:
        """Return a candidate's content; None if it came without and has none now."""
        if not parts and self._original(number) == b"null":
            return None
        role = self.role(number)
        content: dict[str, Any] = {"role": role} if role is not None else {}
        if parts:
            content["parts"] = parts
        return self.encoding.with_extras(content, message)

    def _finish_reason(self, message: AssistantMessage) -> Any:
        """Return the finish reason, None if an answer of this API came without one."""
        if message.stop_sequence is not None:
            self.encoding.lose("stop sequence", message)
        if message.stop_reason is None and message.api == wire.API:
            return None
        word = self.stop_word(message)
        return int(word) if _is_number(word) else word

    # Parts

    def _parts(self, message: AssistantMessage) -> list[Any]:
        is_own = blocks.is_of_this_api(message)
        parts = [self._part(block, is_own) for block in message.content]
        return [part for part in parts if part is not None]

    def part(self, block: Content) -> Any:
        """Return the part for a block of the first candidate, None for nothing."""
        return self._part(block, self._is_own)

    def _part(self, block: Any, is_own: bool) -> Any:
        signature = getattr(block, "signature", None)
        is_redacted = getattr(block, "redacted", False)  # then it is lost with its signature
        if signature and not is_redacted and blocks.own_signature(block, is_own) is None:
            self.encoding.lose("signature", block)
        return self._blocks.part(block, is_own)


def _objects(raw: Raw | None) -> list[dict[str, Raw]]:
    """Return the objects of a list, none for anything else."""
    try:
        return [_keys(item) for item in _list(raw)] if raw is not None else []
    except msgspec.DecodeError:
        return []


# -- body -> response --------------------------------------------------------------------------

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
_UNREAD: Final = [
    *zip(wire.Candidate.__struct_fields__, wire.Candidate.__struct_encode_fields__, strict=True)
][2:]
"""The fields of a candidate that are kept unread, each with its key."""
_feedback = msgspec.json.Decoder(wire.PromptFeedback).decode


def _answer(decoding: Decoding) -> Response:
    """Return the response that a body stands for."""
    blocks.forget_nulls(decoding.unknown)
    root: wire.Response = decoding.body.root
    is_bare = not (blocks.is_set(root.prompt_feedback) or blocks.is_set(root.usage_metadata))
    if root.candidates is None and is_bare:
        decoding.fail("object missing required field `candidates`", root)
    candidates = root.candidates or []
    messages = [_message(part, decoding) for part in candidates]
    keys = [_candidate_keys(part, decoding) for part in candidates]
    shapes = [_shape(part.content) for part in candidates]
    for number, (own, shape) in enumerate(zip(keys, shapes, strict=True)):
        if own.get("index") == number:  # which says no more than the place in the list
            shape["index"] = own.pop("index")
    first = messages[0] if messages else _blocked(root.prompt_feedback)
    first.model = root.model_version
    first.usage = usage_of(
        root.usage_metadata, wire.API, wire.Usage, read_counts, "$.usageMetadata"
    )
    response = Response(first, id=root.response_id, alternatives=messages[1:] or None)
    unread: tuple[str, ...] = _KEPT
    spelling: dict[str, Any] = {}
    if blocks.is_set(root.create_time):
        response.created_at = _milliseconds(root.create_time)
        if response.created_at is None:
            unread = (*_KEPT, "create_time")
        else:
            spelling["createTime"] = root.create_time
    if not candidates:
        spelling["candidates"] = root.candidates
    elif any(shapes):
        spelling["candidates"] = shapes
    nested = {"candidates": keys if any(keys) else None}
    response.extras = decoding.answer_extras(root, unread, (), spelling, **nested)
    return response


def _message(part: wire.Candidate, decoding: Decoding) -> AssistantMessage:
    """Return the message of a candidate, which has calls of its own."""
    content = part.content
    raw = _word(part.finish_reason)
    message = AssistantMessage([], api=wire.API, raw_stop_reason=raw)
    if content is not None:
        if content.role not in (None, "model"):
            decoding.fail(f"{quoted(content.role)}, expected `model`", content, ".role")
        calls = blocks.Calls(makes_ids=False)
        message.content = blocks.content(content, decoding, calls, is_answer=True)
        if blocks.is_set(part.grounding_metadata):
            texts = [block for block in message.content if type(block) is TextBlock]
            for i, ref in sources(part.grounding_metadata, [block.text for block in texts]):
                cited = texts[i].annotations = texts[i].annotations or []
                cited.append(ref)
        keys = decoding.unknown.get(id(content))
        if keys:
            message.extras = {wire.API: Extra(RawJson.adopt(Raw(encode(keys))))}
    message.stop_reason = stop_reason(raw, message.content)
    return message


def _candidate_keys(part: wire.Candidate, decoding: Decoding) -> dict[str, Any]:
    """Return the keys of a candidate that its message has no field for."""
    keys = {key: value for name, key in _UNREAD if (value := getattr(part, name)) is not None}
    return keys | decoding.unknown.get(id(part), {})


def _shape(content: wire.Content | None) -> dict[str, Any]:
    """Return the spelling of a candidate that came without content, or without its role."""
    if content is None:
        return {"content": None}
    return {"content": {"role": None}} if content.role is None else {}


def _blocked(feedback: Any) -> AssistantMessage:
    """Return the message of an answer without candidates."""
    message = AssistantMessage([], api=wire.API)
    reason = _feedback(feedback).block_reason if blocks.is_set(feedback) else None
    if reason is not None:
        message.stop_reason = StopReason.GUARD_RAIL
        message.raw_stop_reason = str(reason)
    return message


def stop_reason(raw: str | None, content: list[Content]) -> StopReason | None:
    """Return what a finish reason means for an answer of this content."""
    return stop_of(_STOP_WORDS, raw, content) if raw is not None else None


def _word(reason: str | int | None) -> str | None:
    if isinstance(reason, str) and _is_number(reason):
        reason = int(reason)
    if isinstance(reason, int):
        return _NUMBERS[reason] if 0 <= reason < len(_NUMBERS) else str(reason)
    return reason


def _modalities(total: int, kinds: dict[str, int]) -> list[dict[str, Any]]:
    """Return the tokens by modality; what is of no other kind is text."""
    counts = {"TEXT": max(0, total - sum(kinds.values())), **kinds}
    return [{"modality": kind, "tokenCount": count} for kind, count in counts.items() if count]


def _is_number(word: str) -> bool:
    """Whether a word is a number in its usual spelling."""
    return len(word) < 10 and word.isdecimal() and word == str(int(word))


def read_counts(original: wire.Usage) -> Usage:
    """Return the counts of a usage object."""
    cached = original.cached_content_token_count or 0
    thoughts = original.thoughts_token_count or 0
    prompt = (original.prompt_token_count or 0) + (original.tool_use_prompt_token_count or 0)
    return Usage(
        input=max(prompt - cached, 0),
        output=(original.candidates_token_count or 0) + thoughts,
        reasoning=thoughts,
        cache_read=cached,
        total_tokens=original.total_token_count or 0,
    )


# -- times -------------------------------------------------------------------------------------

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND: Final = timedelta(milliseconds=1)


def _milliseconds(raw: Raw) -> int | None:
    """Return a timestamp in milliseconds since 1970, None if it is not one."""
    try:
        time = _time(raw)
    except msgspec.DecodeError:
        return None
    return (time - _EPOCH) // _MILLISECOND if time.tzinfo is not None else None


def _timestamp(milliseconds: int) -> str | None:
    """Return a time in RFC 3339, None before the year 1 or after 9999."""
    try:
        time = _EPOCH + _MILLISECOND * milliseconds
    except OverflowError:
        return None
    return time.isoformat(timespec="milliseconds").replace("+00:00", "Z")


RESPONSES: Final = ResponseCodec(RULES, wire.Response, ResponseWriter, _answer, decode_error)
encode_response: Final = RESPONSES.encode_response
decode_response: Final = RESPONSES.decode_response
