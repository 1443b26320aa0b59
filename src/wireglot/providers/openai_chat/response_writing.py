"""Response -> the body of the answer to `POST /v1/chat/completions`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import islice
from typing import Any, ClassVar, Final

import msgspec
from msgspec import Raw
from msgspec.structs import replace

from ...losses import Losses
from ...model import (
    AssistantMessage,
    AudioBlock,
    ErrorBlock,
    Extra,
    Extras,
    IdSource,
    OpaqueBlock,
    RawJson,
    Response,
    StopReason,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    Usage,
)
from .._answers import LATEST, ResponseWriter, answer_bytes
from .._media import is_foreign_file
from .._writing import encode, hashed, shallow, with_keys
from . import wire
from .parts import LETTER, LONGEST_NAME, MEDIA, PartWriter
from .request import DIALECTS
from .response import OBJECT, STOP_WORDS, counts, meaning

__all__ = ["AnswerWriter", "encode_response"]

_STOPS: Final = {
    StopReason.STOP: "stop",
    StopReason.LENGTH: "length",
    StopReason.TOOL_USE: "tool_calls",
    StopReason.GUARD_RAIL: "content_filter",
}
_REFUSALS: Final = frozenset({"refusal", "refusal part"})
_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_choices = msgspec.json.Decoder(list[dict[str, Raw]]).decode
_value = msgspec.json.Decoder().decode


def encode_response(
    response: Response,
    losses: Losses = None,
    *,
    dialect: str = DIALECTS[0],
    ids: IdSource | None = None,
) -> bytes:
    """Encode `response` as a service of that dialect would have sent it.

    The texts become one, before the calls. Thinking is written in every dialect but `openai` and
    `azure`; signatures of another API are lost.

    Raises `LossError` if a part of it has no place on this wire and `losses` is None.
    """
    return answer_bytes(lambda r, found: AnswerWriter(r, found, dialect, ids), response, losses)


class AnswerWriter(PartWriter, ResponseWriter):
    """The encoder of one answer, and of all that a stream has beside its deltas."""

    SPOKEN: ClassVar[tuple[str, ...]] = DIALECTS
    STOP_WORDS: ClassVar[Mapping[str, StopReason]] = STOP_WORDS
    STOPS: ClassVar[Mapping[StopReason, str]] = _STOPS
    DEFAULT_STOP: ClassVar[str] = "stop"

    def answer(self) -> Any:
        """Return the body."""
        response = self._response
        own, others = self.own_keys()
        messages = [*self.parts(), *((other, {}) for other in response.alternatives or ())]
        made = {
            **self.head(),
            "choices": [
                self._choice(message, i, others) | place
                for i, (message, place) in enumerate(messages)
            ],
        }
        usage = response.message.usage
        if usage is not None:
            made["usage"] = self.usage(usage)
        tier = self.tier()
        if tier is not None:
            made["service_tier"] = tier
        return {**with_keys(made, own), **{k: own[k] for k in ("object",) if k in own}}

    def head(self) -> dict[str, Any]:
        """Return the keys that are known before the content."""
        created = self._response.created_at or 0
        if abs(created) > LATEST * 1000:
            self._fail("a time that is out of range", self._response, ".created_at")
        return {
            "id": self.id("chatcmpl-"),
            "object": OBJECT,
            "created": self._seconds(created),
            "model": self._message.model or "",
        }

    def _seconds(self, created: int) -> float:
        """Return a time in whole seconds, unless it came over this API as a fraction."""
        came = self.spelled_as().get("created")
        if isinstance(came, float) and round(came * 1000) == created:
            return came
        return created // 1000

    def spelled_as(self) -> dict[str, Any]:
        """Return how an answer that came over this API was written, beside its keys."""
        extra = (self._response.extras or {}).get(self.API)
        if extra is None or extra.spelling is None:
            return {}
        shape = extra.spelling.value.get("as")
        return shape if isinstance(shape, dict) else {}

    def answer_keys(self) -> dict[str, Raw]:
        """Return the keys of `Response.extras` that belong to this API."""
        own = super().answer_keys()
        if self.spelled_as():
            own.pop("as", None)
        return own

    def parts(self) -> list[tuple[AssistantMessage, dict[str, Any]]]:
        """Return the messages of the choices that an answer came in, mostly one, and their numbers.

        A message that has been changed since is written as one choice.
        """
        message = self._message
        split = self.spelled_as().get("choices")
        if (
            not split
            or sum(part["blocks"] for part in split) != len(message.content)
            or message.stop_reason != meaning(message.raw_stop_reason or "", message.content)
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
                    extras=_own(part),
                ),
                {key: part[key] for key in ("index",) if key in part},
            )
            for part in split
        ]

    def tier(self) -> str | None:
        """Return the tier that served the answer, if this service has it."""
        tier = self._response.service_tier
        return tier if self.is_own() or tier in self._service.tiers else None

    def own_keys(self) -> tuple[dict[str, Raw], list[dict[str, Raw]]]:
        """Return the unknown keys of the answer, and of each of its choices."""
        own = dict(self.answer_keys())
        try:
            others = _choices(own.pop("choices", Raw(b"[]")))
        except msgspec.DecodeError:
            others = []
        return own, others

    def _choice(self, message: AssistantMessage, i: int, others: list[dict[str, Raw]]) -> Any:
        made: dict[str, Any] = {
            "index": i,
            "message": self.message(message),
            "logprobs": None,
            "finish_reason": self.finish(message),
        }
        return made | (others[i] if i < len(others) else {})

    def finish(self, message: AssistantMessage) -> str | None:
        """Return the word for why an answer ended, None if it came over this API without one."""
        raw, reason = message.raw_stop_reason, message.stop_reason
        if message.api == self.API:
            if reason is None:
                return raw
            if raw is not None and reason == meaning(raw, message.content):
                return raw
        if message.stop_sequence is not None:
            self._lose("stop sequence", message)
        return self.stop_word(message)

    def usage(self, usage: Usage) -> Any:
        """Return the counts."""
        came = self.usage_json(usage, wire.Usage, counts)
        if came is not None:
            return came
        asked = usage.input + usage.cache_read + usage.cache_write
        cached: dict[str, Any] = {"cached_tokens": usage.cache_read}
        if usage.cache_write:
            cached["cache_write_tokens"] = usage.cache_write
        made: dict[str, Any] = {
            "prompt_tokens": asked,
            "completion_tokens": usage.output,
            "total_tokens": usage.total_tokens or asked + usage.output,
            "prompt_tokens_details": cached,
            "completion_tokens_details": {"reasoning_tokens": usage.reasoning},
        }
        if usage.cost is not None and self._service.details:
            made["cost"] = usage.cost.total
        return made

    # -- the message ---------------------------------------------------------------------------

    def message(self, message: AssistantMessage) -> dict[str, Any]:
        """Return the message of a choice."""
        said = Said(message.api == self.API)
        for block in message.content:
            write = _BLOCKS.get(type(block))
            if write is None:
                self._lose("answer content", block)
            else:
                write(self, block, said)
        made: dict[str, Any] = {"role": "assistant"}
        content = said.content()
        if content is not None:
            made["content"] = content
        if said.refusals:
            made["refusal"] = "".join(said.refusals)
        elif "refusal" in self._service.knows:
            made["refusal"] = None
        separator = "" if said.is_own else "\n\n"
        made |= {key: separator.join(texts) for key, texts in said.thoughts.items()}
        if said.details:
            made["reasoning_details"] = said.details
        made |= said.rest
        if said.calls:
            made["tool_calls"] = said.calls
        return {"content": None, **self.spelled(made, message)}

    def spelled(self, made: dict[str, Any], message: AssistantMessage) -> dict[str, Any]:
        """Return a message with its unknown keys and its spelling."""
        if message.name is not None:
            made["name"] = message.name
        if message.extras is None:
            return made
        out: dict[str, Any] = shallow(self._with_extras(made, message))
        spelled = _spelled(message.extras.get(self.API))
        came = spelled.get("content")
        if came is not None and came[:1] == b"{" and made.get("content") == came.decode():
            out["content"] = Raw(came)
        if "annotations" in spelled:  # even if empty: answers of every dialect may have it
            out["annotations"] = Raw(spelled["annotations"])
        return out

    def key_of(self, block: TextBlock) -> str:
        """Return the key that a text is written under."""
        if block.extras is None:
            return "content"
        shape, same = self._shape(block)
        is_refusal = shape in _REFUSALS and (same or "refusal" in self._service.knows)
        return "refusal" if is_refusal else "content"

    def lose_marks(self, block: TextBlock) -> None:
        """Report the signature of a text, and citations that did not come over this API."""
        if block.signature is not None:
            self._lose("signature", block)
        if block.annotations and self._shape(block)[0] != "cited":
            self._lose("annotation", block)

    def _said_text(self, block: TextBlock, said: Said) -> None:
        self.lose_marks(block)
        if self.key_of(block) == "refusal":
            self._lose_keys(block)
            said.refusals.append(block.text)
            return
        part: Any = wire.Text(block.text)
        own = self._own_keys(block) if block.extras is not None else {}
        said.parts.append(with_keys(part, own) if own else part)

    def keys_of(self, block: ThinkingBlock, is_own: bool) -> tuple[str, ...] | None:
        """Return the keys that thinking is written under; "" for the details, None if lost."""
        shape, same = self._shape(block) if block.extras is not None else (None, False)
        if type(shape) is list and same:
            return tuple(shape)
        is_detail = type(shape) is dict or block.signature is not None or block.redacted
        if is_own and is_detail and (self._service.details or same):
            return ("",)
        if block.redacted:
            self._lose("redacted thinking", block)
            return None
        if self._service.thinking is None:
            self._lose("thinking", block)
            return None
        if block.signature is not None:
            self._lose("signature", block)
        return (self._service.thinking,)

    def _said_thinking(self, block: ThinkingBlock, said: Said) -> None:
        for key in self.keys_of(block, said.is_own) or ():
            if key:
                said.thoughts.setdefault(key, []).append(block.thinking)
            else:
                said.details.append(self.detail(block))

    def detail(self, block: ThinkingBlock) -> Any:
        """Return thinking as one of the `reasoning_details`."""
        shape = self._shape(block)[0] if block.extras is not None else None
        return self._detail(block, shape if type(shape) is dict else {})

    def _said_call(self, block: ToolCallBlock, said: Said) -> None:
        if self.is_legacy(block):
            text = self.arguments(block, said.is_own)
            said.rest["function_call"] = wire.Function(block.name, text)
            return
        said.calls.append(self.call(block, said.is_own))

    def is_legacy(self, block: ToolCallBlock) -> bool:
        """Whether a call is a deprecated `function_call`."""
        return block.extras is not None and self._shape(block)[0] == "function_call"

    def call(self, block: ToolCallBlock, is_own: bool, *, is_whole: bool = True) -> Any:
        """Return a call, without its arguments unless `is_whole`."""
        if block.signature is not None:
            self._lose("signature", block)
        call_id = block.id
        longest = self._service.longest_id
        if not is_own and not 0 < len(call_id) <= longest:
            call_id = hashed(call_id, LETTER, min(longest, LONGEST_NAME))
        text: Any = self.arguments(block, is_own) if is_whole else ""
        if self.is_custom(block, is_own):
            made: Any = wire.Call(call_id, "custom", custom=wire.Custom(block.name, text))
        else:
            if block.tool_type == "custom":
                self._lose("custom call", block)
                if is_whole:
                    text = encode({"input": block.arguments.text.decode()}).decode()
            made = wire.Call(call_id, self._type_of(block), wire.Function(block.name, text))
        return made if block.extras is None else self._with_extras(made, block)

    def is_custom(self, block: ToolCallBlock, is_own: bool) -> bool:
        """Whether a call is written as one of a custom tool."""
        return block.tool_type == "custom" and (is_own or "custom" in self._service.knows)

    def arguments(self, block: ToolCallBlock, is_own: bool) -> Any:
        """Return a call's arguments as a JSON string."""
        if is_own:
            return block.arguments.string_json()
        text = block.arguments.text.decode()
        return text if text.strip() not in ("", "null") else "{}"

    def _said_audio(self, block: AudioBlock, said: Said) -> None:
        voice = self.voice(block)
        if voice is not None:
            said.rest["audio"] = voice
        else:
            self._said_media(block, said)

    def voice(self, block: AudioBlock) -> dict[str, Any] | None:
        """Return a spoken answer, None for audio that did not come as one."""
        extra = (block.extras or {}).get(self.API)
        if extra is not None and extra.spelling is not None and block.data is not None:
            spelling = extra.spelling.value
            if spelling.get("as") == "voice":
                made = {"id": spelling.get("id"), "data": block.data.json()}
                if "expires_at" in spelling:
                    made["expires_at"] = spelling["expires_at"]
                if block.transcript is not None:
                    made["transcript"] = block.transcript
                return with_keys(made, self._own_keys(block))
        if block.file_id is not None and not is_foreign_file(block, self.API):
            made = {"id": block.file_id}
            return made | ({"transcript": block.transcript} if block.transcript else {})
        return None

    def _said_media(self, block: Any, said: Said) -> None:
        part = self._part(block) if self._came_so(block) else None
        if part is None:
            self._lose("answer content", block)
        else:
            said.parts.append(part)
            said.is_plain = False

    def _said_error(self, block: ErrorBlock, said: Said) -> None:
        self._lose("error", block)
        if block.message:
            said.parts.append(wire.Text(block.message))

    def _said_opaque(self, block: OpaqueBlock, said: Said) -> None:
        if block.api != self.API:
            self._lose("opaque block", block)
        elif str(_value(self._opaque(block).text).get("type")).startswith("reasoning."):
            said.details.append(self._opaque(block))
        else:
            said.parts.append(self._opaque(block))
            said.is_plain = False


class Said:
    """The content of a message, by the key that it is written under."""

    def __init__(self, is_own: bool) -> None:
        self.is_own = is_own
        self.parts: list[Any] = []
        self.is_plain = True
        self.refusals: list[str] = []
        self.thoughts: dict[str, list[str]] = {}
        self.details: list[Any] = []
        self.calls: list[Any] = []
        self.rest: dict[str, Any] = {}

    def content(self) -> Any:
        """Return the texts as one string, a list if there is more than text, None if empty."""
        if not self.parts:
            return None
        if self.is_plain and all(type(part) is wire.Text for part in self.parts):
            return "".join(part.text for part in self.parts)
        return self.parts


def _own(part: dict[str, Any]) -> Extras | None:
    """Return the extras of a choice's message, as `_split` of the reader keeps them."""
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


_BLOCKS: Final[dict[type, Callable[[AnswerWriter, Any, Said], None]]] = {
    TextBlock: AnswerWriter._said_text,
    ThinkingBlock: AnswerWriter._said_thinking,
    ToolCallBlock: AnswerWriter._said_call,
    ErrorBlock: AnswerWriter._said_error,
    OpaqueBlock: AnswerWriter._said_opaque,
    **dict.fromkeys(MEDIA, AnswerWriter._said_media),
    AudioBlock: AnswerWriter._said_audio,
}
