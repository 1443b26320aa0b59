"""Response <-> the JSON of Mistral's chat completions, the body of an answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Final

import msgspec
from msgspec import Raw

from ...losses import Losses
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
from .._answers import ResponseWriter, answer_bytes, answer_extras, stop_of, usage_of
from .._reading import read_with
from .._writing import check_dialect, shallow, with_keys
from . import wire
from .chunks import ChunkWriter, is_own_answer, wire_id
from .reading import MessageReader
from .request import DIALECTS

__all__ = ["AnswerReader", "AnswerWriter", "answer", "decode_response", "encode_response", "stop"]

STOP_WORDS: Final = {
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
_KEPT: Final = ("logprobs", "prompt_logprobs", "messages")
_NULL: Final = b"null"
_NO_ID: Final = "msg_0"
_NO_TEXT: Final = b'""'
_NO_ARGUMENTS: Final = Raw(b'"{}"')
_usage_of = msgspec.json.Decoder(wire.Usage).decode
_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_list = msgspec.json.Decoder(list[dict[str, Raw]]).decode


def decode_response(
    data: bytes | bytearray | memoryview | str,
    *,
    dialect: str = DIALECTS[0],
    losses: Losses = None,
) -> Response:
    """Decode an answer.

    The API counts cached tokens inside `prompt_tokens`, those of audio beside it, and thinking
    inside `completion_tokens`; `Usage.input` is what was not cached, audio included. The usage also
    names the service tier. Lone surrogates are an error, or with a list of losses U+FFFD and a
    loss.

    Raises `DecodeError`.
    """
    check_dialect(dialect, DIALECTS, "mistral")
    return read_with(
        lambda body: answer(AnswerReader(body, dialect)), wire.Answer, data, "mistral", losses
    )


def encode_response(
    response: Response, losses: Losses = None, *, dialect: str = DIALECTS[0]
) -> bytes:
    """Encode `response` as the API would have sent it.

    Texts and thinking stand before the calls. Call ids of other APIs become nine letters and
    digits, as in requests.

    Raises `LossError` if a part of it has no place on this wire and `losses` is None.
    """
    return answer_bytes(lambda r, found: AnswerWriter(r, found, dialect), response, losses)


class AnswerReader(MessageReader):
    """The state of one decoding of an answer."""

    def call(self, part: wire.ToolCall) -> ToolCallBlock:
        """Return a call; which place it has is said by its place, and blank arguments are `{}`."""
        part.index = None
        if bytes(part.function.arguments) == _NO_TEXT:
            part.function.arguments = _NO_ARGUMENTS
        return super().call(part)

    def kept(self, choice: wire.Choice) -> dict[str, Any]:
        """Return the keys of a choice that the model has no field for."""
        keys: dict[str, Any] = dict(self._unknown.get(id(choice), {}))
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
    kept = [reader.kept(choice) for choice in choices]
    response = Response(
        message,
        id=root.id,
        created_at=root.created * 1000 if root.created is not None else None,
        alternatives=others or None,
        extras=answer_extras(reader, root, choices=kept if any(kept) else None),
    )
    message.usage = usage_of(root.usage, wire.API, _usage)
    if message.usage is not None:
        response.service_tier = _usage_of(root.usage).service_tier
    return response


def _message(reader: AnswerReader, choice: wire.Choice, model: str | None) -> AssistantMessage:
    message = reader.answer(choice.message) if choice.message is not None else AssistantMessage([])
    message.api = wire.API
    message.model = model
    message.raw_stop_reason = choice.finish_reason
    message.stop_reason = stop(choice.finish_reason, message.content)
    return message


def stop(word: str | None, content: list[Content]) -> StopReason | None:
    """Return why an answer ended: for its calls, where the wire says no more than that it did."""
    return stop_of(STOP_WORDS, word, content) if word is not None else None


def _usage(raw: Raw) -> Usage:
    came = _usage_of(raw)
    prompt, said = came.prompt_tokens or 0, came.completion_tokens or 0
    total = came.total_tokens or 0
    details, more = came.prompt_tokens_details, came.completion_tokens_details
    audio = details.audio_tokens if details is not None else None
    cached = (details.cached_tokens if details is not None else 0) or came.num_cached_tokens or 0
    if audio is not None and total >= prompt + said + audio:
        prompt += audio
    return Usage(
        input=max(0, prompt - cached),
        output=said,
        reasoning=(more.reasoning_tokens or 0) if more is not None else 0,
        cache_read=cached,
        total_tokens=total,
        audio_tokens=audio,
    )


class AnswerWriter(ChunkWriter, ResponseWriter):
    """The encoder of one answer, and of the parts of a stream."""

    SPOKEN: ClassVar[tuple[str, ...]] = DIALECTS
    STOP_WORDS: ClassVar[Mapping[str, StopReason]] = STOP_WORDS
    STOPS: ClassVar[Mapping[StopReason, str]] = _STOPS
    DEFAULT_STOP: ClassVar[str] = "stop"

    def answer(self) -> Any:
        """Return the body."""
        made = self.head("chat.completion")
        own = self.own_keys()
        made["choices"] = [
            with_keys(self._choice(index, message), self.choice_keys(own, index))
            for index, message in enumerate(self.messages())
        ]
        own.pop("choices", None)
        made["usage"] = self.usage()
        return with_keys(made, own) if own else made

    def messages(self) -> list[AssistantMessage]:
        """Return all candidates."""
        return [self._message, *(self._response.alternatives or ())]

    def head(self, kind: str) -> dict[str, Any]:
        """Return the keys that are known before the content; `created` is in seconds."""
        response = self._response
        return {
            "id": response.id or _NO_ID,
            "object": kind,
            "created": (response.created_at or 0) // 1000,
            "model": self._message.model or "",
        }

    def own_keys(self) -> dict[str, Raw]:
        """Return the keys that the answer brought over this API."""
        return self._own_keys(self._response) if self._response.extras is not None else {}

    def choice_keys(self, own: dict[str, Raw], index: int) -> dict[str, Raw]:
        """Return those of one choice."""
        raw = own.get("choices")
        choices = _list(raw) if raw is not None else []
        return choices[index] if index < len(choices) else {}

    def _choice(self, index: int, message: AssistantMessage) -> dict[str, Any]:
        return {
            "index": index,
            "finish_reason": self.stop_word(message),
            "message": self._said_by(message),
        }

    def _said_by(self, message: AssistantMessage) -> Any:
        content: list[Any] = []
        calls: list[Any] = []
        for block in message.content:
            if type(block) is ToolCallBlock:
                calls.append(self.call(block, message, len(calls)))
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
        came = self.usage_json(usage, _usage)
        if came is not None:
            same = tier is None or tier == _usage_of(came).service_tier
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
        """Return a call; its name is one of those that the client gave."""
        if block.signature is not None:
            self._lose("signature", block)
        if block.cache is not None:
            self._lose("cache mark", block)
        function = wire.FunctionCall(block.name, self.arguments(block))
        call_id = block.id if is_own_answer(message) else wire_id(block.id)
        made = wire.ToolCall(index=index, id=call_id, type="function", function=function)
        if block.extras is None:
            return made
        return {**shallow(self._with_extras(made, block)), "index": index}

    def chunk(self, block: Any, message: AssistantMessage) -> Any:
        """Return the chunk of a block that is no call, None for one that it has no place for."""
        content: list[Any] = []
        self._add(block, message, content)
        return content[0] if content else None

    def _add(self, block: Any, message: Any, content: list[Any]) -> None:
        """Add the chunk of a block; an empty one of another API says nothing."""
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
        """Report what is lost of a media block: answers hold them, where requests do not."""
        if block.cache is not None:
            self._lose("cache mark", block)
        return False
