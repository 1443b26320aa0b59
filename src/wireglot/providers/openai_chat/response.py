"""The body of the answer to `POST /v1/chat/completions` -> Response."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from msgspec import Raw
from msgspec.structs import replace

from ...errors import DecodeError
from ...losses import Losses
from ...model import (
    AssistantMessage,
    AudioBlock,
    Content,
    Cost,
    Extra,
    Extras,
    IdSource,
    RawJson,
    Response,
    StopReason,
    TextBlock,
    ToolCallBlock,
    Usage,
)
from .._answers import LATEST, answer_extras, stop_of, usage_of, with_reasoning
from .._ids import named
from .._reading import read_with
from .._writing import check_dialect, encode
from . import wire
from .errors import decode_error
from .reading import MessageReader
from .request import DIALECTS

__all__ = ["AnswerReader", "answer", "counts", "decode_response", "meaning"]

STOP_WORDS: Final = {
    "stop": StopReason.STOP,
    "length": StopReason.LENGTH,
    "tool_calls": StopReason.TOOL_USE,
    "function_call": StopReason.TOOL_USE,
    "content_filter": StopReason.GUARD_RAIL,
    # DeepSeek's, Z.AI's, vLLM's and OpenRouter's
    "insufficient_system_resource": StopReason.ERROR,
    "sensitive": StopReason.GUARD_RAIL,
    "model_context_window_exceeded": StopReason.LENGTH,
    "network_error": StopReason.ERROR,
    "abort": StopReason.ABORTED,
    "error": StopReason.ERROR,
}
_ECHOED: Final = ("system_fingerprint", "provider", "x_groq", "usage_breakdown", "timings")
_KEPT: Final = ("prompt_filter_results", "moderation", "metadata")
_CHOICE_KEPT: Final = ("logprobs", "native_finish_reason", "content_filter_results")
_EMPTY_KEYS: Final = ("content", "reasoning_content", "reasoning")
OBJECT: Final = "chat.completion"
_NULL: Final = Raw(b"null")
_keys = msgspec.json.Decoder(dict[str, Raw]).decode


def decode_response(
    data: bytes | bytearray | memoryview | str,
    *,
    dialect: str = DIALECTS[0],
    losses: Losses = None,
    ids: IdSource | None = None,
) -> Response:
    """Decode an answer of any dialect.

    `prompt_tokens` includes cached tokens, read and written; `Usage.input` is the rest.
    `completion_tokens` includes reasoning, as `Usage.output` does; where the total says that it
    does not (xAI), or where there is more of it (Perplexity), reasoning is added. A plain stop of
    an answer with calls is `TOOL_USE`, of one with a refusal `GUARD_RAIL`. A lone surrogate is an
    error; with `losses` it becomes U+FFFD and a loss.

    Raises `DecodeError`, or `ProviderError` for an error that came in place of the answer.
    """
    check_dialect(dialect, DIALECTS, "openai_chat")
    try:
        return read_with(
            lambda body: named(answer(AnswerReader(body, dialect)), ids),
            wire.Answer,
            data,
            "openai_chat",
            losses,
        )
    except DecodeError as error:
        if _is_error(data):
            raise decode_error(data) from error
        raise


def _is_error(data: Any) -> bool:
    try:
        body = _keys(data)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return False
    return "choices" not in body and body.get("error", _NULL) != _NULL


class AnswerReader(MessageReader):
    """Reads the messages of responses, which have keys that requests do not have."""

    def answered(self, part: wire.Answered) -> AssistantMessage:
        """Return the message; an empty text becomes no block, only spelling."""
        spelling: dict[str, Any] = {}
        for key in _EMPTY_KEYS:
            if getattr(part, key) == "":
                spelling[key] = ""
                setattr(part, key, None)
        content: list[Content] = []
        if part.reasoning_details is not None or part.reasoning is not None:
            self._think(content, part, spelling)
        elif part.reasoning_content is not None:
            content.append(self._thought(part.reasoning_content, "reasoning_content"))
        if type(part.content) is dict:
            spelling["content"] = part.content
            content.append(TextBlock(encode(part.content).decode()))
        elif part.content:
            content += self._content(part.content)
            self._keep_media(content, frozenset())
        if part.annotations is not None and part.annotations != _NULL:
            spelling["annotations"] = part.annotations
            self._annotate(content, part)
        if part.refusal is not None:
            content.append(TextBlock(part.refusal, extras=self._came_as("refusal")))
        if part.audio is not None:
            content.append(self._voice(part.audio))
        if part.function_call is not None:
            content.append(self._legacy_call(part.function_call))
        for i, call in enumerate(part.tool_calls or ()):
            content.append(self._call(call, i))
        made = AssistantMessage(content, api=self.API, name=part.name)
        if spelling or self._unknown:
            made.extras = self._bound(part, **spelling)
        return made

    def _legacy_id(self) -> str:
        return ""  # which the whole answer decides

    def _voice(self, part: wire.Voice) -> AudioBlock:
        """Return a spoken answer; requests send back its id, and nothing else."""
        if part.data is None:
            return AudioBlock(file_id=part.id, transcript=part.transcript)
        made = AudioBlock(part.data, transcript=part.transcript)
        spelling: dict[str, Any] = {"as": "voice", "id": part.id}
        if part.expires_at is not None:
            spelling["expires_at"] = part.expires_at
        made.extras = self._extras(part, **spelling)
        return made


def answer(reader: AnswerReader) -> Response:
    """Return the response that a body stands for."""
    root: wire.Answer = reader.body.root
    if not root.choices:
        reader._fail("an answer without choices", root, ".choices")
    messages: list[AssistantMessage] = []
    others: list[dict[str, Any]] = []
    for choice in root.choices:
        message = reader.answered(choice.message)
        raw = message.raw_stop_reason = choice.finish_reason
        message.stop_reason = meaning(raw, message.content) if raw is not None else None
        message.model = root.model
        messages.append(message)
        other: dict[str, Any] = dict(reader._unknown.get(id(choice), {}))
        for key in _CHOICE_KEPT:
            value = getattr(choice, key)
            if value is not None and value != _NULL:
                other[key] = value
        others.append(other)
    spelling: dict[str, Any] = {}
    if len(messages) > 1 and _are_one(root.choices, messages):
        spelling["choices"] = [*map(_split, root.choices, messages)]
        messages = [_joined(messages)]
    else:
        for i, choice in enumerate(root.choices):
            if choice.index not in (i, None):
                others[i]["index"] = choice.index
    first, *alternatives = messages
    first.usage = usage_of(root.usage, wire.API, wire.Usage, counts)
    nested: dict[str, Any] = {"choices": others if any(others) else None}
    if root.object not in (OBJECT, None):
        nested["object"] = root.object
    created = root.created
    if created is not None and created % 1:
        spelling["created"] = created
    if created is not None and not -LATEST <= created <= LATEST:
        reader._fail("a time that is out of range", root, ".created")
    return Response(
        first,
        id=root.id,
        created_at=round(created * 1000) if created else None,  # 0 means none
        service_tier=root.service_tier,
        alternatives=alternatives or None,
        extras=_with_spelling(answer_extras(reader, root, _KEPT, _ECHOED, **nested), spelling),
    )


def _with_spelling(extras: Extras | None, more: dict[str, Any]) -> Extras | None:
    """Return the extras of an answer, whose spelling has more keys under `as`."""
    if not more:
        return extras
    extra = (extras or {}).get(wire.API) or Extra(RawJson(b"{}"))
    spelled = _keys(extra.spelling.text) if extra.spelling is not None else {}
    extra.spelling = RawJson.adopt(Raw(encode({**spelled, "as": more})))
    return {wire.API: extra}


def _are_one(choices: list[wire.Choice], messages: list[AssistantMessage]) -> bool:
    """Whether the choices are parts of one message, as Copilot sends them, and not alternatives.

    Of a message in parts, one choice has the text, and the others have only calls. Alternatives are
    whole answers with numbers of their own: a text without calls does not end with `tool_calls`.
    """
    calls = [[b.id for b in message.content if type(b) is ToolCallBlock] for message in messages]
    told = [i for i, message in enumerate(messages) if len(message.content) > len(calls[i])]
    ids = [call_id for some in calls for call_id in some if call_id]
    if len(told) > 1 or not any(calls) or len(ids) != len({*ids}):
        return False
    numbers = {choice.index for choice in choices}
    if None in numbers or len(numbers) < len(choices):
        return True
    are_calls = all(message.stop_reason is StopReason.TOOL_USE for message in messages)
    return are_calls and len(told) == 1 and not calls[told[0]]


def _split(choice: wire.Choice, message: AssistantMessage) -> dict[str, Any]:
    """Return what a choice had of its own, so that its own wire can write it again."""
    made: dict[str, Any] = {"blocks": len(message.content), "finish": choice.finish_reason}
    if choice.index is not None:
        made["index"] = choice.index
    if message.name is not None:
        made["name"] = message.name
    extra = (message.extras or {}).get(wire.API)
    if extra is not None:
        made["keys"] = extra.keys
        if extra.spelling is not None:
            made["spelling"] = extra.spelling
    return made


def _joined(messages: list[AssistantMessage]) -> AssistantMessage:
    """Return the message whose parts these are; it ends as its calls do."""
    ended = (message for message in messages if message.stop_reason is StopReason.TOOL_USE)
    made = replace(next(ended, messages[0]))
    made.content = [block for message in messages for block in message.content]
    made.name = next((message.name for message in messages if message.name is not None), None)
    keys: dict[str, Any] = {}
    for message in messages:
        if message.extras is not None:
            keys = _keys(message.extras[wire.API].keys.text) | keys
    made.extras = {wire.API: Extra(RawJson.adopt(Raw(encode(keys))))} if keys else None
    return made


def meaning(raw: str, content: list[Content]) -> StopReason:
    """Return what a stop reason means for an answer of this content."""
    meant = stop_of(STOP_WORDS, raw)
    if meant is StopReason.STOP:
        if any(type(block) is ToolCallBlock for block in content):
            return StopReason.TOOL_USE
        if any(type(block) is TextBlock and _is_refusal(block) for block in content):
            return StopReason.GUARD_RAIL
    return meant


def _is_refusal(block: TextBlock) -> bool:
    extra = (block.extras or {}).get(wire.API)
    return (
        extra is not None
        and extra.spelling is not None
        and extra.spelling.value.get("as") in ("refusal", "refusal part")
    )


def counts(came: wire.Usage) -> Usage:
    """Return the counts of a usage object."""
    prompt = came.prompt_tokens_details or wire.PromptDetails()
    completion = came.completion_tokens_details or wire.CompletionDetails()
    places = (
        prompt.cached_tokens,
        came.prompt_cache_hit_tokens,
        came.cached_tokens,
        came.cache_read_input_tokens,
    )
    cached = next((count for count in places if count), 0)
    written = prompt.cache_write_tokens or 0
    asked, answered = came.prompt_tokens or 0, came.completion_tokens or 0
    total = came.total_tokens or 0
    thought = completion.reasoning_tokens or came.reasoning_tokens or 0
    if thought and total == asked + answered + thought:
        answered += thought
    else:
        answered = with_reasoning(answered, thought)
    return Usage(
        input=max(0, asked - cached - written),
        output=answered,
        reasoning=thought,
        cache_read=cached,
        cache_write=written,
        total_tokens=total,
        cost=_cost(came.cost.get("total_cost") if isinstance(came.cost, dict) else came.cost),
    )


def _cost(total: Any) -> Cost | None:
    """Return what an answer cost, None if that is not a number that fits into a float."""
    try:
        return Cost(total=float(total)) if type(total) in (int, float) else None
    except OverflowError:
        return None
