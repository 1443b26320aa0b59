"""The body of an answer of `POST /v1/chat/completions` -> Response."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from msgspec import Raw, Struct

from ...losses import Losses
from ...model import (
    AssistantMessage,
    Content,
    Extra,
    IdSource,
    RawJson,
    Response,
    StopReason,
    ToolCallBlock,
    Usage,
)
from .._answers import LATEST, answer_extras, stop_of, usage_of, with_reasoning
from .._ids import named
from .._reading import read_with
from .._writing import check_dialect
from . import wire
from .reading import MessageReader
from .request import DIALECTS

__all__ = ["STOP_WORDS", "AnswerReader", "answer", "counts", "decode_response", "stop", "tier_of"]

OBJECT: Final = "chat.completion"
NO_ID: Final = (None, "", "null")
"""How a call says that it has no id: `null`, as a text, is the API's default."""
STOP_WORDS: Final = {
    "stop": StopReason.STOP,
    "length": StopReason.LENGTH,
    "model_length": StopReason.LENGTH,
    "error": StopReason.ERROR,
    "tool_calls": StopReason.TOOL_USE,
}
_KEPT: Final = ("logprobs", "prompt_logprobs", "messages")
_NULL: Final = b"null"
_NO_TEXT: Final = b'""'
_NO_ARGUMENTS: Final = Raw(b'"{}"')


def decode_response(
    data: bytes | bytearray | memoryview | str,
    *,
    dialect: str = DIALECTS[0],
    losses: Losses = None,
    ids: IdSource | None = None,
) -> Response:
    """Decode an answer.

    `prompt_tokens` includes cached tokens; audio tokens come on top of it where the total says so.
    `completion_tokens` includes thinking. `Usage.input` is what was not cached, audio included. The
    service tier is read from the usage. A lone surrogate is an error; with `losses` it becomes
    U+FFFD and a loss.

    Raises `DecodeError`.
    """
    check_dialect(dialect, DIALECTS, "mistral")
    return read_with(
        lambda body: named(answer(AnswerReader(body, dialect)), ids),
        wire.Answer,
        data,
        "mistral",
        losses,
    )


class AnswerReader(MessageReader):
    """The state of one decoding of an answer."""

    def call(self, part: wire.ToolCall, **spelling: Any) -> ToolCallBlock:
        """Return a call; no arguments are `{}`."""
        if part.id in NO_ID:
            part.id, spelling["id"] = "", part.id
        if part.function.arguments is not None and bytes(part.function.arguments) == _NO_TEXT:
            part.function.arguments = _NO_ARGUMENTS
        return super().call(part, **spelling)

    def kept(self, choice: wire.Choice, position: int) -> dict[str, Any]:
        """Return the keys of a choice that the model has no field for."""
        keys: dict[str, Any] = dict(self._unknown.get(id(choice), {}))
        if choice.index not in (None, position):
            keys["index"] = choice.index
        for name in _KEPT:
            value = getattr(choice, name)
            if value is not None and bytes(value) != _NULL:
                keys[name] = value
        return keys


def answer(reader: AnswerReader) -> Response:
    """Return the response that a body stands for."""
    root: wire.Answer = reader.body.root
    if not root.choices:
        reader._fail("expected an answer, got none", root, ".choices")
    choices = sorted(root.choices, key=lambda choice: choice.index or 0)
    message, *others = [_message(reader, choice, root.model) for choice in choices]
    kept = [reader.kept(choice, position) for position, choice in enumerate(choices)]
    nested: dict[str, Any] = {"choices": kept if any(kept) else None}
    if root.object not in (OBJECT, None):
        nested["object"] = root.object
    created = root.created
    if created is not None and not -LATEST <= created <= LATEST:
        reader._fail("a time that is out of range", root, ".created")
    extras = answer_extras(reader, root, **nested)
    if created is not None and created % 1:  # the API has whole seconds
        extra = (extras or {}).get(wire.API) or Extra(RawJson(b"{}"))
        extra.spelling = RawJson.of({"created": created})
        extras = {wire.API: extra}
    response = Response(
        message,
        id=root.id,
        created_at=round(created * 1000) if created else None,  # 0 means none
        alternatives=others or None,
        extras=extras,
    )
    message.usage = usage_of(root.usage, wire.API, wire.Usage, counts)
    if message.usage is not None:
        response.service_tier = tier_of(root.usage)
    return response


def _message(reader: AnswerReader, choice: wire.Choice, model: str | None) -> AssistantMessage:
    said = choice.message
    for position, call in enumerate((said.tool_calls or ()) if said is not None else ()):
        if call.index == position:
            call.index = None
    message = reader.answer(said) if said is not None else AssistantMessage([])
    message.api = wire.API
    message.model = model
    message.raw_stop_reason = choice.finish_reason
    message.stop_reason = stop(choice.finish_reason, message.content)
    return message


def stop(word: str | None, content: list[Content]) -> StopReason | None:
    """Return why an answer ended; a plain stop of an answer with calls is `TOOL_USE`."""
    return stop_of(STOP_WORDS, word, content) if word is not None else None


class _Tiered(Struct):
    service_tier: str | None = None


_tiered = msgspec.json.Decoder(_Tiered).decode


def tier_of(usage: Raw) -> str | None:
    """Return the service tier, which this wire tells beside the counts."""
    tier: str | None = _tiered(usage).service_tier
    return tier


def counts(came: wire.Usage) -> Usage:
    """Return the counts of a usage object."""
    prompt, said = came.prompt_tokens or 0, came.completion_tokens or 0
    total = came.total_tokens or 0
    details, more = came.prompt_tokens_details, came.completion_tokens_details
    thought = (more.reasoning_tokens or 0) if more is not None else 0
    audio = details.audio_tokens if details is not None else None
    cached = (details.cached_tokens if details is not None else 0) or came.num_cached_tokens or 0
    if audio is not None and total >= prompt + said + audio:
        prompt += audio
    return Usage(
        input=max(0, prompt - cached),
        output=with_reasoning(said, thought),
        reasoning=thought,
        cache_read=cached,
        total_tokens=total,
        audio_tokens=audio,
    )
