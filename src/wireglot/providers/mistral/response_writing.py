"""Response -> the body of an answer of `POST /v1/chat/completions`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Final

import msgspec
from msgspec import Raw

from ...losses import Losses
from ...model import (
    AssistantMessage,
    IdSource,
    Response,
    StopReason,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    Usage,
)
from .._answers import ResponseWriter, answer_bytes
from .._writing import shallow, with_keys
from . import wire
from .parts import PartWriter, is_own_answer, wire_id
from .request import DIALECTS
from .response import OBJECT, STOP_WORDS, counts, tier_of

__all__ = ["AnswerWriter", "encode_response"]

_STOPS: Final = {
    StopReason.STOP: "stop",
    StopReason.LENGTH: "length",
    StopReason.ERROR: "error",
    StopReason.TOOL_USE: "tool_calls",
}
_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_list = msgspec.json.Decoder(list[dict[str, Raw]]).decode


def encode_response(
    response: Response,
    losses: Losses = None,
    *,
    dialect: str = DIALECTS[0],
    ids: IdSource | None = None,
) -> bytes:
    """Encode `response` as the API would have sent it.

    Texts and thinking come before the calls. Call ids of other APIs become nine letters and digits,
    as in requests.

    Raises `LossError` if a part of it has no place on this wire and `losses` is None.
    """
    return answer_bytes(lambda r, found: AnswerWriter(r, found, dialect, ids), response, losses)


class AnswerWriter(PartWriter, ResponseWriter):
    """The encoder of one answer, and of the parts of a stream."""

    SPOKEN: ClassVar[tuple[str, ...]] = DIALECTS
    STOP_WORDS: ClassVar[Mapping[str, StopReason]] = STOP_WORDS
    STOPS: ClassVar[Mapping[StopReason, str]] = _STOPS
    DEFAULT_STOP: ClassVar[str] = "stop"

    def answer(self) -> Any:
        """Return the body."""
        own = self.own_keys()
        made = self.head(own.get("object", OBJECT))
        made["choices"] = [
            self._choice(index, message, self.choice_keys(own, index))
            for index, message in enumerate(self.messages())
        ]
        own.pop("choices", None)
        made["usage"] = self.usage()
        return with_keys(made, own) if own else made

    def messages(self) -> list[AssistantMessage]:
        """Return all candidates."""
        return [self._message, *(self._response.alternatives or ())]

    def head(self, kind: str | Raw) -> dict[str, Any]:
        """Return the keys that are known before the content; `created` is in seconds."""
        response = self._response
        created = response.created_at or 0
        return {
            "id": self.id(),
            "object": kind,
            "created": self._seconds(created),
            "model": self._message.model or "",
        }

    def _seconds(self, created: int) -> float:
        """Return a time in seconds: whole ones, as the API has, unless it came as a fraction."""
        extra = (self._response.extras or {}).get(self.API)
        came = extra.spelling.value.get("created") if extra and extra.spelling else None
        if isinstance(came, float) and round(came * 1000) == created:
            return came
        return created // 1000

    def own_keys(self) -> dict[str, Raw]:
        """Return the unknown keys of the response that came over this API."""
        return self._own_keys(self._response) if self._response.extras is not None else {}

    def choice_keys(self, own: dict[str, Raw], index: int) -> dict[str, Raw]:
        """Return the unknown keys of one choice."""
        raw = own.get("choices")
        choices = _list(raw) if raw is not None else []
        return choices[index] if index < len(choices) else {}

    def _choice(self, index: int, message: AssistantMessage, own: dict[str, Raw]) -> dict[str, Any]:
        made = {
            "index": own.get("index", index),
            "finish_reason": self.stop_word(message),
            "message": self._said_by(message),
        }
        return with_keys(made, own)

    def _said_by(self, message: AssistantMessage) -> Any:
        content: list[Any] = []
        calls: list[Any] = []
        for block in message.content:
            if type(block) is ToolCallBlock:
                calls.append(self.call(block, message, self._number(block, message, len(calls))))
            else:
                self._add(block, message, content)
        made = {"role": "assistant", "content": self._said(content, message), "tool_calls": calls}
        if not calls:
            del made["tool_calls"]
        return self.with_own(made, message)

    def with_own(self, made: dict[str, Any], message: AssistantMessage) -> Any:
        """Return a message of the wire with the unknown keys that it came with."""
        if message.name is not None:
            self._lose("name", message)
        return self._with_extras(made, message)

    def usage(self) -> Any:
        """Return the counts, which the API always gives."""
        usage, tier = self._message.usage or Usage(), self._response.service_tier
        came = self.usage_json(usage, wire.Usage, counts)
        if came is not None:
            same = tier is None or tier == tier_of(came)
            return came if same else {**_keys(came), "service_tier": tier}
        prompt = usage.input + usage.cache_read + usage.cache_write
        total = usage.total_tokens or prompt + usage.output
        details: dict[str, int] = {}
        if usage.cache_read:
            details["cached_tokens"] = usage.cache_read
        audio = usage.audio_tokens
        if audio is not None:
            details["audio_tokens"] = audio
            if audio <= usage.input and total == prompt + usage.output:
                prompt -= audio
        made: dict[str, Any] = {
            "prompt_tokens": prompt,
            "completion_tokens": usage.output,
            "total_tokens": total,
        }
        if details:
            made["prompt_tokens_details"] = details
        if usage.reasoning:
            made["completion_tokens_details"] = {"reasoning_tokens": usage.reasoning}
        if tier is not None:
            made["service_tier"] = tier
        return made

    # -- blocks --------------------------------------------------------------------------------

    def call(self, block: ToolCallBlock, message: AssistantMessage, index: int) -> Any:
        """Return a call; its name is written unchanged, since it is one that the client gave."""
        if block.signature is not None:
            self._lose("signature", block)
        if block.cache is not None:
            self._lose("cache mark", block)
        function = wire.FunctionCall(block.name, self.arguments(block))
        call_id = self._came_id(block) if is_own_answer(message) else wire_id(block.id)
        made = wire.ToolCall(index=index, id=call_id, type=self.type_of(block), function=function)
        if block.extras is None:
            return made
        return {**shallow(self._with_extras(made, block)), "index": index}

    def _number(self, block: ToolCallBlock, message: AssistantMessage, position: int) -> int:
        """Return a call's `index` as it came over this API, else its position."""
        extra = (block.extras or {}).get(self.API)
        if extra is None or extra.spelling is None or not is_own_answer(message):
            return position
        number: int = extra.spelling.value.get("index", position)
        return number

    def _came_id(self, block: ToolCallBlock) -> str:
        """Return a call's id as it came: it may have been the word for none."""
        extra = (block.extras or {}).get(self.API)
        if extra is None or extra.spelling is None:
            return block.id
        return extra.spelling.value.get("id") or block.id

    def part(self, block: Any, message: AssistantMessage) -> Any:
        """Return the part for a block that is no call, None if the wire has no place for it."""
        content: list[Any] = []
        self._add(block, message, content)
        return content[0] if content else None

    def _add(self, block: Any, message: Any, content: list[Any]) -> None:
        """Add the part for a block; an empty text or thinking of another API is left out."""
        kind = type(block)
        if kind is not TextBlock and (kind is not ThinkingBlock or block.redacted):
            super()._add(block, message, content)
            return
        is_own = is_own_answer(message)
        if block.signature is not None and (kind is TextBlock or not is_own):
            self._lose("signature", block)
        said = block.text if kind is TextBlock else block.thinking or block.details
        if said or is_own:
            super()._add(block, message, content)
            return
        self._lose_keys(block)
        if kind is TextBlock and block.annotations:
            self._lose("annotation", block)

    def _is_answer(self, block: Any, message: Any) -> bool:
        """Report a breakpoint as lost, and return False: responses may hold media in answers."""
        if block.cache is not None:
            self._lose("cache mark", block)
        return False
