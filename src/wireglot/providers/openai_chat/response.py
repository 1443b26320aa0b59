"""Response <-> the body of the answer to `POST /v1/chat/completions`, in every dialect.

Reading: `prompt_tokens` includes cached tokens, read and written; `Usage.input` is the rest.
`completion_tokens` includes reasoning, as `Usage.output` does; where the total says that it does
not (xAI), or where there is more of it (Perplexity), reasoning is added. A plain stop of an answer
with calls is `TOOL_USE`, of one with a refusal `GUARD_RAIL`.

Writing: the texts become one, before the calls. Thinking is written in every dialect but `openai`
and `azure`; signatures of Claude and Gemini in `openrouter`, those of Gemini's calls in `generic`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import Any, ClassVar, Final, TypeVar

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

from ..._body.decode import Decoded
from ..._body.encode import encode_json as encode
from ..._body.objects import shallow, with_keys
from ...losses import Losses
from ...model import (
    AssistantMessage,
    AudioBlock,
    Content,
    Cost,
    ErrorBlock,
    Extra,
    Extras,
    IdSource,
    ImageBlock,
    RawJson,
    Response,
    StopReason,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    Usage,
)
from .._across.media import is_foreign_file
from .._across.stops import stop_of
from .._across.usage import (
    LATEST,
    NO_CHOICES,
    OUT_OF_RANGE,
    usage_body,
    usage_of,
    with_reasoning,
)
from .._codecs.responses import BaseResponseWriter, ResponseCodec, says_error
from .._state.decoding import Decoding
from .._state.rules import Rules
from .._state.stored import key_of, lenient_value
from . import wire
from .blocks import (
    DETAILS,
    EXTRA_CONTENT,
    REFUSALS,
    BlockReader,
    BlockWriter,
    Draft,
    shortened,
)
from .errors import decode_error
from .losses import RULES

_NULL: Final = Raw(b"null")
_OBJECT: Final = "chat.completion"
_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_Read = TypeVar("_Read")
_STOP_WORDS: Final = {
    "stop": StopReason.STOP,
    "eos": StopReason.STOP,  # Together's, as Chat's `stop`
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
_STOPS: Final = {
    StopReason.STOP: "stop",
    StopReason.LENGTH: "length",
    StopReason.TOOL_USE: "tool_calls",
    StopReason.GUARD_RAIL: "content_filter",
}


def _meaning(raw: str, content: Sequence[Content]) -> StopReason:
    """Return what a stop reason means for an answer of this content."""
    reason = stop_of(_STOP_WORDS, raw, content)
    if reason is StopReason.STOP and any(map(_is_refusal, content)):
        return StopReason.GUARD_RAIL
    return reason


def _is_refusal(block: Content) -> bool:
    extra = (block.extras or {}).get(wire.API) if type(block) is TextBlock else None
    return (
        extra is not None
        and extra.spelling is not None
        and key_of(extra.spelling, "as") in REFUSALS
    )


# -- response -> body ----------------------------------------------------------------------------

_choices = msgspec.json.Decoder(list[dict[str, Raw]]).decode


class ResponseWriter(BaseResponseWriter):
    """The encoder of one answer, and of all that a stream has beside its deltas."""

    STOP_WORDS: ClassVar[Mapping[str, StopReason]] = _STOP_WORDS
    STOPS: ClassVar[Mapping[StopReason, str]] = _STOPS
    DEFAULT_STOP: ClassVar[str] = "stop"
    RULES: ClassVar[Rules] = RULES

    def __init__(
        self, response: Response, losses: Losses, dialect: str, ids: IdSource | None = None
    ) -> None:
        super().__init__(response, losses, dialect, ids)
        self.blocks: BlockWriter = BlockWriter(self.encoding, is_answer=True)
        self._service = self.blocks.service

    def answer(self) -> Any:
        """Return the body."""
        response = self.response
        own, others = self.own_keys()
        messages = [*self._parts(), *((other, {}) for other in response.alternatives or ())]
        body = {
            **self.head(),
            "choices": [
                self._choice(message, i, others) | place
                for i, (message, place) in enumerate(messages)
            ],
        }
        usage = response.message.usage
        if usage is not None:
            body["usage"] = self.usage(usage)
        tier = self.tier()
        if tier is not None:
            body["service_tier"] = tier
        if self._service.fingerprint and "system_fingerprint" not in own:
            body["system_fingerprint"] = None
        return {**with_keys(body, own), **{k: own[k] for k in ("object",) if k in own}}

    def head(self) -> dict[str, Any]:
        """Return the keys that are known before the content."""
        created = self.response.created_at or 0
        if abs(created) > LATEST * 1000:
            self.encoding.fail(OUT_OF_RANGE, self.response, ".created_at")
        return {
            "id": self.id("chatcmpl-"),
            "object": _OBJECT,
            "created": self._seconds(created),
            "model": self.message.model or "",
        }

    def _seconds(self, created: int) -> float:
        """Return a time in whole seconds, unless it came over this API as a fraction."""
        came = self._shape().get("created")
        if isinstance(came, float) and round(came * 1000) == created:
            return came
        return created // 1000

    def _shape(self) -> dict[str, Any]:
        """Return the shape that an answer of this API came in, as `_answer` keeps it."""
        shape = self.blocks.shape(self.response)[0]
        return shape if isinstance(shape, dict) else {}

    def answer_keys(self) -> dict[str, Raw]:
        """Return the keys of `Response.extras` that belong to this API."""
        own = super().answer_keys()
        if self._shape():
            own.pop("as", None)
        return own

    def _parts(self) -> list[tuple[AssistantMessage, dict[str, Any]]]:
        """Return the messages of the choices that an answer came in, mostly one, and their numbers.

        A message that has been changed since is written as one choice.
        """
        message = self.message
        split = self._shape().get("choices")
        if (
            not split
            or sum(part["blocks"] for part in split) != len(message.content)
            or message.stop_reason != _meaning(message.raw_stop_reason or "", message.content)
        ):
            return [(message, {})]
        rest = iter(message.content)
        return [
            (
                replace(
                    message,
                    content=[*islice(rest, part["blocks"])],
                    raw_stop_reason=part["finish"],
                    stop_reason=None,
                    name=part.get("name"),
                    extras=_part_extras(part),
                ),
                {key: part[key] for key in ("index",) if key in part},
            )
            for part in split
        ]

    def tier(self) -> str | None:
        """Return the tier that served the answer, if this service has it."""
        tier = self.response.service_tier
        return tier if self.is_own() or tier in self._service.tiers else None

    def own_keys(self) -> tuple[dict[str, Raw], list[dict[str, Raw]]]:
        """Return the unknown keys of the answer, and of each of its choices."""
        own = dict(self.answer_keys())
        if "choices" not in own:
            return own, []
        try:
            others = _choices(own.pop("choices"))
        except msgspec.DecodeError:
            others = []
        return own, others

    def _choice(self, message: AssistantMessage, i: int, others: list[dict[str, Raw]]) -> Any:
        choice: dict[str, Any] = {
            "index": i,
            "message": self.whole(message),
            "logprobs": None,
            "finish_reason": self.finish(message),
        }
        return choice | (others[i] if i < len(others) else {})

    def meaning(self, raw: str, content: Sequence[Content]) -> StopReason:
        """Return what a stop reason of the wire means for an answer of this content."""
        return _meaning(raw, content)

    def finish(self, message: AssistantMessage) -> str | None:
        """Return the word for why an answer ended, None if it came over this API without one."""
        raw, reason = message.raw_stop_reason, message.stop_reason
        if message.api == wire.API:
            if reason is None:
                return raw
            if raw is not None and reason == _meaning(raw, message.content):
                return raw
        if message.stop_sequence is not None:
            self.encoding.lose("stop sequence", message)
        return self.stop_word(message)

    def usage(self, usage: Usage) -> Any:
        """Return the counts."""
        timings = None
        if usage.cache_read and self.response.extras is not None:
            timings = _spelled(self.response.extras.get(wire.API)).get("timings")
        came = self.usage_json(
            usage, wire.Usage, lambda body: with_cached(read_counts(body), timings)
        )
        if came is not None:
            return self._with_places(came, usage)
        asked = usage.input + usage.cache_read + usage.cache_write
        cached: dict[str, Any] = {"cached_tokens": usage.cache_read}
        if usage.cache_write:
            cached["cache_write_tokens"] = usage.cache_write
        answered: dict[str, Any] = {"reasoning_tokens": usage.reasoning}
        parts = self.token_parts(usage)
        if parts.audio_in:
            cached["audio_tokens"] = parts.audio_in
        if parts.images_in:
            cached["image_tokens"] = parts.images_in
        if parts.audio_out:
            answered["audio_tokens"] = parts.audio_out
        body: dict[str, Any] = {
            "prompt_tokens": asked,
            "completion_tokens": usage.output,
            "total_tokens": max(usage.total_tokens, asked + usage.output),
            "prompt_tokens_details": cached,
            "completion_tokens_details": answered,
        }
        if usage.cost is not None and self._service.details:
            body["cost"] = usage.cost.total
        return body

    def _with_places(self, came: Raw, usage: Usage) -> Any:
        """Return counts as they came, with those that OpenAI's clients would not find, too.

        They look into the details alone, and not under the keys that other services have. Where a
        service counts reasoning beside its answer, the details do not get it.
        """
        if "refusal" not in self._service.knows:
            return came
        body = usage_body(wire.Usage, came).root
        prompt = body.prompt_tokens_details or wire.PromptDetails()
        completion = body.completion_tokens_details or wire.CompletionDetails()
        added: dict[str, Any] = {}
        if body.prompt_tokens is None and body.completion_tokens is None:
            asked = usage.input + usage.cache_read + usage.cache_write
            added = {"prompt_tokens": asked, "completion_tokens": usage.output}
        if usage.cache_read and not prompt.cached_tokens:
            added["prompt_tokens_details"] = {"cached_tokens": usage.cache_read}
        fits = usage.reasoning <= (body.completion_tokens or usage.output)
        if usage.reasoning and fits and not completion.reasoning_tokens:
            added["completion_tokens_details"] = {"reasoning_tokens": usage.reasoning}
        return with_keys(added, _keys(came)) if added else came

    # The message

    def whole(self, message: AssistantMessage) -> dict[str, Any]:
        """Return the message of a choice."""
        draft = Draft()
        is_own = message.api == wire.API
        content = message.content
        if self.blocks.service.extra_content:
            content = self.blocks.content_of(message)
        for block in content:
            self._add(block, draft, is_own)
        cited = self._annotations(message)
        if cited:
            draft.rest["annotations"] = cited
        body: dict[str, Any] = {"role": "assistant"}
        content = _content(draft)
        if content is not None:
            body["content"] = content
        if draft.refusals:
            body["refusal"] = "".join(draft.refusals)
        elif "refusal" in self._service.knows:
            body["refusal"] = None
        separator = "" if is_own else "\n\n"  # an own answer's are pieces of one text
        body |= {key: separator.join(texts) for key, texts in draft.thoughts.items()}
        if draft.details:
            body[DETAILS] = draft.details
        body |= draft.rest
        if draft.calls:
            body["tool_calls"] = draft.calls
        return {"content": None, **self.spelled(body, message)}

    def _annotations(self, message: AssistantMessage) -> list[Any]:
        """Return the citations of the texts, which are written as one."""
        if not any(type(block) is TextBlock and block.annotations for block in message.content):
            return []
        cited: list[Any] = []
        before = 0
        for block in message.content:
            if type(block) is TextBlock and self.blocks.refusal(block) is None:
                cited += self.blocks.annotations(block, before)
                before += len(block.text)
            elif type(block) is ErrorBlock:
                before += len(block.message)
        return cited

    def spelled(self, body: dict[str, Any], message: AssistantMessage) -> dict[str, Any]:
        """Return a message with its unknown keys and its spelling."""
        if message.name is not None:
            body["name"] = message.name
        if message.extras is None:
            return body
        out: dict[str, Any] = shallow(self.encoding.with_extras(body, message))
        spelled = _spelled(message.extras.get(wire.API))
        came = spelled.get("content")
        if came is not None and came[:1] == b"{" and body.get("content") == came.decode():
            out["content"] = Raw(came)
        if "annotations" in spelled:  # even if empty: answers of every dialect may have it
            out["annotations"] = Raw(spelled["annotations"])
        return out

    def _add(self, block: Content, draft: Draft, is_own: bool) -> None:
        if type(block) is ToolCallBlock:
            if self.is_legacy(block):
                text = self.blocks.arguments(block, is_own)
                draft.rest["function_call"] = wire.Function(block.name, text)
            else:
                draft.calls.append(self.call(block, is_own))
                detail = self.proof(block, len(draft.details))
                if detail is not None:
                    draft.details.append(detail)
        elif type(block) is ImageBlock and (image := self.image(block)) is not None:
            draft.rest.setdefault("images", []).append(image)
        elif type(block) is AudioBlock and (voice := self.voice(block)) is not None:
            draft.rest["audio"] = voice
        else:
            self.lose_signatures(block, is_own)
            self.blocks.add(block, draft, self.message, is_own=is_own)

    def lose_signatures(self, block: Content, is_own: bool) -> None:
        """Report the signature of a text, or of thinking that does not go into the details."""
        if not isinstance(block, TextBlock | ThinkingBlock) or block.signature is None:
            return
        if isinstance(block, ThinkingBlock):
            keys = self.blocks.keys_of(block, is_own)
            if not keys or keys == (DETAILS,):
                return
            if not is_own and self.blocks.foreign_detail(block, self.message, 0) is not None:
                return
        elif self.blocks.signed_under(block, self.message) is not None:
            return
        self.encoding.lose("signature", block)

    def lose_beside(self, block: TextBlock) -> None:
        """Report what a text has that its deltas did not tell."""
        self.lose_signatures(block, self.is_own())
        self.blocks.part(block)

    def is_legacy(self, block: ToolCallBlock) -> bool:
        """Whether a call is a deprecated `function_call`.

        Who asks with `functions` is answered so, whatever the dialects on the way.
        """
        return block.extras is not None and self.blocks.shape(block)[0] == "function_call"

    def call(self, block: ToolCallBlock, is_own: bool, *, is_whole: bool = True) -> Any:
        """Return a call, without its arguments unless `is_whole`.

        Its name is the one that the client gave the tool, and stays as it is.
        """
        key = None
        if block.signature is not None:
            key = self.blocks.signed_under(block, self.message)
            if key is None:
                self.encoding.lose("signature", block)
        text = self.blocks.arguments(block, is_own) if is_whole else None
        is_custom = self.is_custom(block, is_own)
        is_signed = key == EXTRA_CONTENT
        return self.blocks.call(
            block, self._call_id(block), block.name, text, is_custom=is_custom, is_signed=is_signed
        )

    def is_signed(self, block: ToolCallBlock) -> bool:
        """Whether a call is written with its signature."""
        return self.blocks.signed_under(block, self.message) == EXTRA_CONTENT

    def _call_id(self, block: ToolCallBlock) -> str:
        longest = self._service.longest_id
        if self.is_own() or 0 < len(block.id) <= longest:
            return block.id
        return shortened(block.id, longest)

    def proof(self, block: TextBlock | ToolCallBlock, index: int) -> Any:
        """Return the reasoning detail with the signature of a text or a call, None without one."""
        if block.signature is None or self.blocks.signed_under(block, self.message) != DETAILS:
            return None
        call_id = self._call_id(block) if isinstance(block, ToolCallBlock) else None
        return self.blocks.proof(block, index, call_id)

    def is_custom(self, block: ToolCallBlock, is_own: bool) -> bool:
        """Whether a call is written as one of a custom tool.

        A service that has answered with one knows them, whatever its dialect.
        """
        return block.tool_type == "custom" and (is_own or "custom" in self._service.knows)

    def image(self, block: ImageBlock) -> Any:
        """Return an image that a model has made, None where answers have none."""
        return self.blocks.made_image(block) if self._service.details else None

    def voice(self, block: AudioBlock) -> dict[str, Any] | None:
        """Return a spoken answer, None for audio that did not come as one."""
        extra = (block.extras or {}).get(wire.API)
        if extra is not None and extra.spelling is not None and block.data is not None:
            spelling = lenient_value(extra.spelling)
            if spelling.get("as") == "voice":
                voice = {"id": spelling.get("id"), "data": block.data.json()}
                if "expires_at" in spelling:
                    voice["expires_at"] = spelling["expires_at"]
                if block.transcript is not None:
                    voice["transcript"] = block.transcript
                return with_keys(voice, self.encoding.own_keys(block))
        if block.file_id is not None and not is_foreign_file(block, wire.API):
            voice = {"id": block.file_id}
            return voice | ({"transcript": block.transcript} if block.transcript else {})
        return None


def _content(draft: Draft) -> Any:
    """Return the texts as one string, a list if there is more than text, None if empty."""
    if not draft.parts:
        return None
    if all(type(part) is wire.Text for part in draft.parts):
        return "".join(part.text for part in draft.parts)
    return draft.parts


def _part_extras(part: dict[str, Any]) -> Extras | None:
    """Return the extras of a choice's message, as `_split` keeps them."""
    if "keys" not in part:
        return None
    extra = Extra(RawJson(encode(part["keys"])))
    if "spelling" in part:
        extra.spelling = RawJson(encode(part["spelling"]))
    return {wire.API: extra}


def _spelled(extra: Extra | None) -> dict[str, bytes]:
    if extra is None or extra.spelling is None:
        return {}
    return {key: bytes(raw) for key, raw in _keys(extra.spelling.text).items()}


# -- body -> response ----------------------------------------------------------------------------

_ECHOED: Final = ("system_fingerprint", "provider", "x_groq", "usage_breakdown", "timings")
_KEPT: Final = ("prompt_filter_results", "moderation", "metadata")
_CHOICE_KEPT: Final = ("logprobs", "native_finish_reason", "content_filter_results")
_EMPTY_KEYS: Final = ("content", "reasoning_content", "reasoning", "reasoning_text")


def _answer(decoding: Decoding) -> Response:
    """Return the response that a body stands for."""
    root: wire.Response = decoding.body.root
    if not root.choices:
        decoding.fail(NO_CHOICES, root, ".choices")
    blocks = BlockReader(decoding)
    messages: list[AssistantMessage] = []
    others: list[dict[str, Any]] = []
    for choice in root.choices:
        if choice.message is None and not _is_filtered(choice):
            decoding.fail("object missing required field `message`", choice)
        message = _message(choice.message or wire.Answered(), decoding, blocks)
        raw = message.raw_stop_reason = choice.finish_reason
        message.stop_reason = _meaning(raw, message.content) if raw is not None else None
        message.model = root.model
        messages.append(message)
        other: dict[str, Any] = dict(decoding.unknown.get(id(choice), {}))
        for key in _CHOICE_KEPT:
            value = getattr(choice, key)
            if value is not None and value != _NULL:
                other[key] = value
        others.append(other)
    shape: dict[str, Any] = {}
    if len(messages) > 1 and _are_one(root.choices, messages):
        shape["choices"] = [*map(_split, root.choices, messages)]
        messages = [_joined(messages)]
    else:
        for i, choice in enumerate(root.choices):
            if choice.index not in (i, None):
                others[i]["index"] = choice.index
    first, *alternatives = messages
    usage = usage_of(root.usage, wire.API, wire.Usage, read_counts)
    first.usage = with_cached(usage, root.timings) if usage is not None else None
    nested: dict[str, Any] = {"choices": others if any(others) else None}
    if root.object not in (_OBJECT, None):
        nested["object"] = root.object
    created = root.created
    if created is not None and created % 1:
        shape["created"] = created
    if created is not None and not -LATEST <= created <= LATEST:
        decoding.fail(OUT_OF_RANGE, root, ".created")
    return Response(
        first,
        id=root.id,
        created_at=round(created * 1000) if created else None,  # 0 means none
        service_tier=root.service_tier,
        alternatives=alternatives or None,
        extras=decoding.answer_extras(
            root, _KEPT, _ECHOED, {"as": shape} if shape else None, **nested
        ),
    )


def _is_filtered(choice: wire.Choice) -> bool:
    return choice.finish_reason == "content_filter" or choice.content_filter_results is not None


def _are_one(choices: list[wire.Choice], messages: list[AssistantMessage]) -> bool:
    """Whether the choices are parts of one message, as Copilot sends them, and not alternatives.

    Of a message in parts, one choice has the text, and the others have only calls. Alternatives are
    whole answers with numbers of their own: a text without calls does not end with `tool_calls`.
    """
    calls = [[b.id for b in message.content if type(b) is ToolCallBlock] for message in messages]
    tellers = [i for i, message in enumerate(messages) if len(message.content) > len(calls[i])]
    ids = [call_id for some in calls for call_id in some if call_id]
    if len(tellers) > 1 or not any(calls) or len(ids) != len({*ids}):
        return False
    numbers = {choice.index for choice in choices}
    if None in numbers or len(numbers) < len(choices):
        return True
    are_calls = all(message.stop_reason is StopReason.TOOL_USE for message in messages)
    return are_calls and len(tellers) == 1 and not calls[tellers[0]]


def _split(choice: wire.Choice, message: AssistantMessage) -> dict[str, Any]:
    """Return what a choice had of its own, so that its own wire can write it again."""
    part: dict[str, Any] = {"blocks": len(message.content), "finish": choice.finish_reason}
    if choice.index is not None:
        part["index"] = choice.index
    if message.name is not None:
        part["name"] = message.name
    extra = (message.extras or {}).get(wire.API)
    if extra is not None:
        part["keys"] = extra.keys
        if extra.spelling is not None:
            part["spelling"] = extra.spelling
    return part


def _joined(messages: list[AssistantMessage]) -> AssistantMessage:
    """Return the message whose parts these are; it ends as its calls do."""
    ended = (message for message in messages if message.stop_reason is StopReason.TOOL_USE)
    whole = replace(next(ended, messages[0]))
    whole.content = [block for message in messages for block in message.content]
    whole.name = next((message.name for message in messages if message.name is not None), None)
    keys: dict[str, Any] = {}
    for message in messages:
        if message.extras is not None:
            keys = _keys(message.extras[wire.API].keys.text) | keys
    whole.extras = {wire.API: Extra(RawJson.adopt(Raw(encode(keys))))} if keys else None
    return whole


def _message(part: wire.Answered, decoding: Decoding, blocks: BlockReader) -> AssistantMessage:
    """Return the message; an empty text becomes no block, only spelling."""
    spelling: dict[str, Any] = {}
    for key in _EMPTY_KEYS:
        if getattr(part, key) == "":
            spelling[key] = ""
            setattr(part, key, None)
    content = blocks.answer(part, spelling)
    if part.audio is not None:
        content.append(_voice(part.audio, decoding))
    if part.function_call is not None:
        content.append(blocks.legacy_call(part.function_call, ""))
    for call in part.tool_calls or ():
        content.append(blocks.call(call))
    message = AssistantMessage(content, api=wire.API, name=part.name)
    if spelling or decoding.unknown:
        message.extras = blocks.bound(part, **spelling)
    return message


def _voice(part: wire.Voice, decoding: Decoding) -> AudioBlock:
    """Return a spoken answer; requests send back its id, and nothing else."""
    if part.data is None:
        return AudioBlock(file_id=part.id, transcript=part.transcript)
    spelling: dict[str, Any] = {"as": "voice", "id": part.id}
    if part.expires_at is not None:
        spelling["expires_at"] = part.expires_at
    extras = decoding.extras_of(part, **spelling)
    return AudioBlock(part.data, transcript=part.transcript, extras=extras)


def read_counts(usage: wire.Usage) -> Usage:
    """Return the counts of a usage object."""
    prompt = usage.prompt_tokens_details
    if prompt is None:
        prompt = _of_responses(_prompt, usage.input_tokens_details) or wire.PromptDetails()
    completion = usage.completion_tokens_details
    if completion is None:
        completion = _of_responses(_completion, usage.output_tokens_details)
        completion = completion or wire.CompletionDetails()
    places = (
        prompt.cached_tokens,
        usage.prompt_cache_hit_tokens,
        usage.cached_tokens,
        usage.cache_read_input_tokens,
    )
    cached = next((count for count in places if count), 0)
    written = (
        prompt.cache_write_tokens
        or prompt.cache_creation_tokens
        or prompt.cache_creation_input_tokens
        or usage.cache_creation_input_tokens
        or 0
    )
    asked = usage.prompt_tokens or _of_responses(_count, usage.input_tokens) or 0
    answered = usage.completion_tokens or _of_responses(_count, usage.output_tokens) or 0
    total = usage.total_tokens or 0
    thought = completion.reasoning_tokens or usage.reasoning_tokens or 0
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
        cost=_cost(usage.cost.get("total_cost") if isinstance(usage.cost, dict) else usage.cost),
    )


_count: Final = msgspec.json.Decoder(int | None).decode
_prompt: Final = msgspec.json.Decoder(wire.PromptDetails | None).decode
_completion: Final = msgspec.json.Decoder(wire.CompletionDetails | None).decode


def _of_responses(read: Callable[[Any], _Read | None], raw: Any) -> _Read | None:
    """Return what stands under a key of Responses; of another type it is another service's key."""
    try:
        return read(raw) if raw is not None else None
    except msgspec.DecodeError:
        return None


def with_cached(usage: Usage, timings: Any) -> Usage:
    """Return counts with the cached tokens that llama.cpp tells among its timings alone.

    Its usage has them since ggml-org/llama.cpp#19361, 2026-02.
    """
    if timings is None or usage.cache_read:
        return usage
    try:
        cached = _timings(bytes(timings)).cache_n
    except msgspec.DecodeError:  # they are another server's
        return usage
    if 0 < cached <= usage.input:
        usage.input -= cached
        usage.cache_read = cached
    return usage


def _cost(total: Any) -> Cost | None:
    """Return what an answer cost, None if that is not a number that fits into a float."""
    try:
        return Cost(total=float(total)) if type(total) in (int, float) else None
    except OverflowError:
        return None


class _Timings(Struct):
    cache_n: int = 0


_timings: Final = msgspec.json.Decoder(_Timings).decode


class _BaseResp(Struct):
    status_code: int = 0


_minimax: Final = msgspec.json.Decoder(_BaseResp).decode


def _is_error(keys: Mapping[str, Raw]) -> bool:
    """Whether keys hold an error; MiniMax tells it beside choices that are null."""
    try:
        return says_error(keys) or bool(_minimax(keys.get("base_resp", b"{}")).status_code)
    except msgspec.DecodeError:  # a key of another service
        return False


def _has_failed(body: Decoded) -> bool:
    """Whether a choice holds an error, as OpenRouter tells one of the provider behind it."""
    unknown = body.unknown
    return any(says_error(unknown.get(id(choice), {})) for choice in body.root.choices)


RESPONSES: Final = ResponseCodec(
    RULES,
    wire.Response,
    ResponseWriter,
    _answer,
    decode_error,
    is_error=_is_error,
    has_failed=_has_failed,
)
encode_response: Final = RESPONSES.encode_response
decode_response: Final = RESPONSES.decode_response
