"""Response <-> the body of the answer to `POST /v1/chat/completions` of Mistral.

Reading: `prompt_tokens` includes cached tokens; audio tokens come on top of it where the total says
so. `Usage.input` is what was not cached, audio included. `completion_tokens` includes thinking. The
service tier is read from the usage. Further choices are `alternatives`.

Writing: texts and thinking come before the calls. Call ids of other APIs become nine letters and
digits, as in requests; the names of tools stay as they are, since the client gave them. Unlike in a
request, answers may hold images, documents and audio.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Final

import msgspec
from msgspec import Raw, Struct

from ..._body.objects import with_keys
from ...model import (
    AssistantMessage,
    Content,
    Response,
    StopReason,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    Usage,
)
from .._across.stops import stop_of
from .._across.usage import LATEST, NO_CHOICES, OUT_OF_RANGE, usage_of, with_reasoning
from .._codecs.responses import BaseResponseWriter, ResponseCodec, says_error
from .._state.decoding import Decoding
from .._state.rules import Rules
from . import blocks, wire
from .errors import decode_error
from .losses import RULES

NO_ID: Final = (None, "", blocks.MISSING_ID)
"""How a call says that it has no id: `null`, as a text, is the API's default."""
_OBJECT: Final = "chat.completion"
_STOP_WORDS: Final = {
    "stop": StopReason.STOP,
    "length": StopReason.LENGTH,
    "model_length": StopReason.LENGTH,
    "error": StopReason.ERROR,
    "tool_calls": StopReason.TOOL_USE,
}
_STOPS: Final = {
    StopReason.STOP: "stop",
    StopReason.LENGTH: "length",
    StopReason.ERROR: "error",
    StopReason.TOOL_USE: "tool_calls",
}


class _Tiered(Struct):
    service_tier: str | None = None


_tiered = msgspec.json.Decoder(_Tiered).decode


def _tier_of(usage: Raw) -> str | None:
    """Return the service tier, which this wire tells beside the counts."""
    tier: str | None = _tiered(usage).service_tier
    return tier


# -- response -> body --------------------------------------------------------------------------

_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_choices = msgspec.json.Decoder(list[dict[str, Raw]]).decode


def choice_keys(choices: list[dict[str, Raw]], index: int) -> dict[str, Raw]:
    """Return the unknown keys of one choice."""
    return choices[index] if index < len(choices) else {}


class ResponseWriter(BaseResponseWriter):
    """The encoder of one answer, and of the parts of a stream."""

    STOP_WORDS: ClassVar[Mapping[str, StopReason]] = _STOP_WORDS
    STOPS: ClassVar[Mapping[StopReason, str]] = _STOPS
    DEFAULT_STOP: ClassVar[str] = "stop"
    RULES: ClassVar[Rules] = RULES

    def answer(self) -> Any:
        """Return the body."""
        own, choices = self.own_keys()
        body = self.head(own.get("object", _OBJECT))
        messages = [self.message, *(self.response.alternatives or ())]
        body["choices"] = [
            self._choice(index, message, choice_keys(choices, index))
            for index, message in enumerate(messages)
        ]
        body["usage"] = self.usage()
        return with_keys(body, own) if own else body

    def head(self, kind: str | Raw) -> dict[str, Any]:
        """Return the keys that are known before the content; `created` is in seconds."""
        return {
            "id": self.id(),
            "object": kind,
            "created": self._seconds(self.response.created_at or 0),
            "model": self.message.model or "",
        }

    def _seconds(self, created: int) -> float:
        """Return a time in seconds: whole ones, as the API has, unless it came as a fraction."""
        original = blocks.spelling(self.response).get("created")
        if isinstance(original, float) and round(original * 1000) == created:
            return original
        return created // 1000

    def own_keys(self) -> tuple[dict[str, Raw], list[dict[str, Raw]]]:
        """Return the unknown keys of the response, and those of each choice that has some."""
        own = self.encoding.own_keys(self.response) if self.response.extras is not None else {}
        raw = own.pop("choices", None)
        return own, _choices(raw) if raw is not None else []

    def _choice(self, index: int, message: AssistantMessage, own: dict[str, Raw]) -> dict[str, Any]:
        body = {
            "index": own.get("index", index),
            "finish_reason": self.stop_word(message),
            "message": self._whole_message(message),
        }
        return with_keys(body, own)

    def _whole_message(self, message: AssistantMessage) -> Any:
        parts: list[Any] = []
        calls: list[Any] = []
        for block in message.content:
            if type(block) is ToolCallBlock:
                calls.append(self.call(block, message, self._number(block, message, len(calls))))
                continue
            part = self.part(block, message)
            if part is not None:
                parts.append(part)
        body = {"role": "assistant", "content": blocks.as_content(parts, message)}
        if calls:
            body["tool_calls"] = calls
        return self.with_own(body, message)

    def with_own(self, body: dict[str, Any], message: AssistantMessage) -> Any:
        """Return a message of the wire with the unknown keys that it came with."""
        return self.encoding.with_extras(body, message)

    def usage(self) -> Any:
        """Return the counts, which the API always gives."""
        usage, tier = self.message.usage or Usage(), self.response.service_tier
        original = self.usage_json(usage, wire.Usage, read_counts)
        if original is not None:
            same = tier is None or tier == _tier_of(original)
            return original if same else {**_keys(original), "service_tier": tier}
        prompt = usage.input + usage.cache_read + usage.cache_write
        total = max(usage.total_tokens, prompt + usage.output)
        details: dict[str, int] = {}
        if usage.cache_read:
            details["cached_tokens"] = usage.cache_read
        audio = usage.audio_tokens
        if audio is None:
            audio = self.token_parts(usage).audio_in or None
        if audio is not None:
            details["audio_tokens"] = audio
            if audio <= usage.input and total == prompt + usage.output:
                prompt -= audio
        body: dict[str, Any] = {
            "prompt_tokens": prompt,
            "completion_tokens": usage.output,
            "total_tokens": total,
        }
        if details:
            body["prompt_tokens_details"] = details
        if usage.reasoning:
            body["completion_tokens_details"] = {"reasoning_tokens": usage.reasoning}
        if tier is not None:
            body["service_tier"] = tier
        return body

    # Blocks

    def part(self, block: Content, message: AssistantMessage) -> Any:
        """Return the part for a block that is not a call, None if nothing of it is left.

        An empty text or thinking of another API is left out.
        """
        text: Any
        if type(block) is TextBlock:
            text = block.text
        elif type(block) is ThinkingBlock and not block.redacted:
            text = block.thinking or block.details
        else:
            return blocks.part(block, message, self.encoding)
        is_own = blocks.is_own(message)
        if block.signature is not None and (type(block) is TextBlock or not is_own):
            self.encoding.lose("signature", block)
        if text or is_own:
            return blocks.part(block, message, self.encoding)
        self.encoding.lose_rest(block)
        self.encoding.lose_keys(block)
        return None

    def call(self, block: ToolCallBlock, message: AssistantMessage, index: int) -> Any:
        """Return a call; its name is written unchanged, since it is one that the client gave."""
        if block.signature is not None:
            self.encoding.lose("signature", block)
        is_own = blocks.is_own(message)
        call_id = _original_id(block) if is_own else blocks.id_of_call(block.id)
        return blocks.call(block, call_id, block.name, self.encoding, index)

    def _number(self, block: ToolCallBlock, message: AssistantMessage, position: int) -> int:
        """Return a call's `index` as it came over this API, else its position."""
        if not blocks.is_own(message):
            return position
        number: int = blocks.spelling(block).get("index", position)
        return number


def _original_id(block: ToolCallBlock) -> str | None:
    """Return a call's id as it came over this API: it may have been none, or the word for none."""
    original: str | None = blocks.spelling(block).get("id", block.id)
    return block.id if original == "" else original


# -- body -> response --------------------------------------------------------------------------

_KEPT: Final = ("logprobs", "prompt_logprobs", "messages")
_NULL: Final = b"null"
_NO_TEXT: Final = b'""'
_NO_ARGUMENTS: Final = Raw(b'"{}"')


def _answer(decoding: Decoding) -> Response:
    """Return the response that a body stands for."""
    root: wire.Response = decoding.body.root
    if not root.choices:
        decoding.fail(NO_CHOICES, root, ".choices")
    choices = sorted(root.choices, key=lambda choice: choice.index or 0)
    message, *others = [_message(choice, root.model, decoding) for choice in choices]
    kept = [_kept(choice, position, decoding) for position, choice in enumerate(choices)]
    nested: dict[str, Any] = {"choices": kept if any(kept) else None}
    if root.object not in (_OBJECT, None):
        nested["object"] = root.object
    created = root.created
    if created is not None and not -LATEST <= created <= LATEST:
        decoding.fail(OUT_OF_RANGE, root, ".created")
    is_odd = created is not None and created % 1  # the API has whole seconds
    extras = decoding.answer_extras(
        root, spelling={"created": created} if is_odd else None, **nested
    )
    response = Response(
        message,
        id=root.id,
        created_at=round(created * 1000) if created else None,  # 0 means none
        alternatives=others or None,
        extras=extras,
    )
    message.usage = usage_of(root.usage, wire.API, wire.Usage, read_counts)
    if message.usage is not None:
        response.service_tier = _tier_of(root.usage)
    return response


def _message(choice: wire.Choice, model: str | None, decoding: Decoding) -> AssistantMessage:
    original = choice.message or wire.Said()
    calls = original.tool_calls or ()
    for position, each in enumerate(calls):
        if each.index == position:
            each.index = None
    message = blocks.answer(original, [answered_call(each, decoding) for each in calls], decoding)
    message.model = model
    message.raw_stop_reason = choice.finish_reason
    message.stop_reason = stop(choice.finish_reason, message.content)
    return message


def answered_call(original: wire.ToolCall, decoding: Decoding) -> ToolCallBlock:
    """Return the block for a call of an answer; no arguments are `{}`."""
    spelled: dict[str, Any] = {}
    if original.id in NO_ID:
        original.id, spelled["id"] = "", original.id
    arguments = original.function.arguments
    if arguments is not None and bytes(arguments) == _NO_TEXT:
        original.function.arguments = _NO_ARGUMENTS
    return blocks.block_of_call(original, decoding, **spelled)


def _kept(choice: wire.Choice, position: int, decoding: Decoding) -> dict[str, Any]:
    """Return the keys of a choice that the model has no field for."""
    keys: dict[str, Any] = dict(decoding.unknown.get(id(choice), {}))
    if choice.index not in (None, position):
        keys["index"] = choice.index
    for name in _KEPT:
        value = getattr(choice, name)
        if value is not None and bytes(value) != _NULL:
            keys[name] = value
    return keys


def stop(word: str | None, content: list[Content]) -> StopReason | None:
    """Return why an answer ended; a plain stop of an answer with calls is `TOOL_USE`."""
    return stop_of(_STOP_WORDS, word, content) if word is not None else None


def read_counts(usage: wire.Usage) -> Usage:
    """Return the counts of a usage object."""
    prompt, output = usage.prompt_tokens or 0, usage.completion_tokens or 0
    total = usage.total_tokens or 0
    details, more = usage.prompt_tokens_details, usage.completion_tokens_details
    thought = (more.reasoning_tokens or 0) if more is not None else 0
    audio = details.audio_tokens if details is not None else None
    cached = (details.cached_tokens if details is not None else 0) or usage.num_cached_tokens or 0
    if audio is not None and total >= prompt + output + audio:
        prompt += audio
    return Usage(
        input=max(0, prompt - cached),
        output=with_reasoning(output, thought),
        reasoning=thought,
        cache_read=cached,
        total_tokens=total,
        audio_tokens=audio,
    )


_SAYING: Final = frozenset({"message", "detail"})
_ERROR_KEYS: Final = _SAYING | {"object", "type", "param", "code", "raw_status_code", "request_id"}


def _is_error(keys: Mapping[str, Raw]) -> bool:
    """Whether keys are those of an error, in one of its three forms."""
    return says_error(keys) or (keys.keys() <= _ERROR_KEYS and not keys.keys().isdisjoint(_SAYING))


RESPONSES: Final = ResponseCodec(
    RULES, wire.Response, ResponseWriter, _answer, decode_error, is_error=_is_error
)
encode_response: Final = RESPONSES.encode_response
decode_response: Final = RESPONSES.decode_response
