"""Response <-> the body of the answer to `POST /v2/chat` of Cohere.

The usage is read from `tokens`, since only it counts thinking and images apart, or else from
`billed_units`. The API's input includes cached tokens, `Usage.input` does not. Text beside calls is
their plan. Arguments are written as the model's own text, JSON or not. The model's name and the
time are not sent: the wire has no keys for them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Final

from msgspec import Raw

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
from .._across.stops import is_at_sequence, stop_of
from .._across.texts import joined
from .._across.usage import usage_of, with_reasoning
from .._codecs.responses import BaseResponseWriter, ResponseCodec, says_error
from .._state.decoding import Decoding
from .._state.rules import Rules
from . import blocks, wire
from .errors import decode_error
from .losses import RULES

_STOP_WORDS: Final = {
    "COMPLETE": StopReason.STOP,
    "STOP_SEQUENCE": StopReason.STOP,
    "MAX_TOKENS": StopReason.LENGTH,
    "TOOL_CALL": StopReason.TOOL_USE,
    "ERROR": StopReason.ERROR,
    "TIMEOUT": StopReason.ERROR,
}
_STOPS: Final = {
    StopReason.STOP: "COMPLETE",
    StopReason.LENGTH: "MAX_TOKENS",
    StopReason.TOOL_USE: "TOOL_CALL",
    StopReason.ERROR: "ERROR",
}
_SIGNED: Final = frozenset({TextBlock, ThinkingBlock, ToolCallBlock})

# -- response -> body --------------------------------------------------------------------------


class ResponseWriter(BaseResponseWriter):
    """The encoder of one answer, and of the whole blocks of a stream."""

    STOP_WORDS: ClassVar[Mapping[str, StopReason]] = _STOP_WORDS
    STOPS: ClassVar[Mapping[StopReason, str]] = _STOPS
    DEFAULT_STOP: ClassVar[str] = "COMPLETE"
    RULES: ClassVar[Rules] = RULES

    def answer(self) -> Any:
        """Return the body."""
        self.lose_alternatives()
        body = {"id": self.id(), "message": self._whole_message(), **self.end()}
        return self.with_answer_extras(body)

    def lose_alternatives(self) -> None:
        """Report further candidates."""
        if self.response.alternatives:
            self.encoding.lose("candidates", self.response)

    def _whole_message(self) -> Any:
        """Return the message: content, plan and calls, in the order of the wire."""
        message = self.message
        parts: list[Any] = []
        plan: list[str] = []
        calls: list[Any] = []
        plans = any(type(block) is ToolCallBlock for block in message.content)
        for block in message.content:
            if type(block) is ToolCallBlock:
                calls.append(self.call(block, blocks.own_arguments(block)))
                continue
            part = self.part(block)
            # Unlike in a request, text with unknown keys may stand in the content.
            if plans and type(part) is wire.Text:
                plan.append(part.text)
            elif part is not None:
                parts.append(part)
        body = wire.Assistant(parts or None, joined(plan) if plan else None, calls or None)
        self.lose_annotations()
        return self.encoding.with_extras(body, message)

    def part(self, block: Content) -> Any:
        """Return the part for a block, None if the wire has no place for it."""
        self._lose_signature(block)
        if _says_nothing(block):  # as on the way in; requests keep empty thinking
            return None
        return blocks.part(block, self.message, self.encoding)

    def call(self, block: ToolCallBlock, arguments: Any) -> Any:
        """Return a call."""
        self._lose_signature(block)
        return blocks.call(block, block.id, arguments, self.encoding)

    def lose_beside(self, block: TextBlock | ThinkingBlock) -> None:
        """Report what a block has that its deltas did not tell."""
        self._lose_signature(block)
        self.encoding.lose_rest(block)

    def _lose_signature(self, block: Content) -> None:
        """Report a signature, even of thinking that says nothing; encrypted thinking is one."""
        if type(block) is ThinkingBlock and block.redacted:
            return
        if type(block) in _SIGNED and getattr(block, "signature", None) is not None:
            self.encoding.lose("signature", block)

    def lose_annotations(self) -> None:
        """Report sources that did not come over this API."""
        for block in self.message.content:
            blocks.lose_annotations(block, self.message, self.encoding)

    def end(self) -> dict[str, Any]:
        """Return the stop reason, the error and the usage."""
        message = self.message
        end: dict[str, Any] = {"finish_reason": self.stop_word(message)}
        if message.error_message is not None:
            end["error"] = message.error_message
        if message.usage is not None:
            end["usage"] = self.usage(message.usage)
        return end

    def answer_keys(self) -> dict[str, Raw]:
        """Return the unknown keys of the answer, without an error that was taken away."""
        own = super().answer_keys()
        if self.message.error_message is None:
            own.pop("error", None)
        return own

    def stop_word(self, message: AssistantMessage) -> str:
        """Return the wire's stop reason; another API's stop sequence makes it `STOP_SEQUENCE`."""
        word = super().stop_word(message)
        if word == "COMPLETE" and not self.is_own() and is_at_sequence(message):
            return "STOP_SEQUENCE"
        return word

    def usage(self, usage: Usage) -> Any:
        """Return the counts. Other APIs do not say what is billed, so all input and output is."""
        came = self.usage_json(usage, wire.Usage, read_counts)
        if came is not None:
            return came
        inputs = usage.input + usage.cache_read + usage.cache_write
        billed = {"input_tokens": inputs, "output_tokens": usage.output}
        tokens = dict(billed)
        if usage.reasoning:
            tokens["reasoning_tokens"] = usage.reasoning
        if usage.image_tokens is not None:
            tokens["image_tokens"] = usage.image_tokens
        return {"billed_units": billed, "tokens": tokens, "cached_tokens": usage.cache_read}


# -- body -> response --------------------------------------------------------------------------

_KEPT: Final = ("logprobs",)
_NO_COUNTS: Final = wire.Counts()


def _answer(decoding: Decoding) -> Response:
    """Return the response that a body stands for."""
    root: wire.Response = decoding.body.root
    message = _message(root.message, decoding)
    raw = root.finish_reason
    if raw is not None:
        message.raw_stop_reason = raw
        message.stop_reason = stop_of(_STOP_WORDS, raw, message.content)
    if root.error is not None:  # which other APIs have no place for in an answer
        decoding.keep_key(root, "error", root.error)
    message.usage = usage_of(root.usage, wire.API, wire.Usage, read_counts)
    return Response(message, id=root.id, extras=decoding.answer_extras(root, _KEPT))


def _message(part: wire.Assistant, decoding: Decoding) -> AssistantMessage:
    """Return the message; its plan is text, even if no calls follow it.

    Empty text and thinking are left out. The spelling keeps content that holds nothing else.
    """
    spelling: dict[str, Any] = {}
    if part.content is not None and all(map(_is_wordless, part.content)):
        spelling["content"] = part.content
    message = blocks.answer(part, part.tool_plan, spelling, decoding)
    message.content = [block for block in message.content if not _says_nothing(block)]
    decoding.unknown.pop(id(part), None)  # they are with the message now
    return message


def _is_wordless(part: Any) -> bool:
    kind = type(part)
    return (kind is wire.Text and not part.text) or (kind is wire.Thinking and not part.thinking)


def _says_nothing(block: Any) -> bool:
    """Whether a block is empty text or thinking, with no annotations and no extras."""
    kind = type(block)
    if kind is TextBlock:
        return not block.text and block.annotations is None and block.extras is None
    is_thought = kind is ThinkingBlock and not block.redacted
    return is_thought and block.extras is None and not blocks.thoughts(block)


def read_counts(usage: wire.Usage) -> Usage:
    """Return the counts of an answer."""
    tokens = usage.tokens or usage.billed_units or _NO_COUNTS
    cached, thought = int(usage.cached_tokens or 0), int(tokens.reasoning_tokens or 0)
    return Usage(
        input=max(int(tokens.input_tokens or 0) - cached, 0),
        output=with_reasoning(int(tokens.output_tokens or 0), thought),
        reasoning=thought,
        cache_read=cached,
        image_tokens=int(tokens.image_tokens) if tokens.image_tokens is not None else None,
    )


_ERROR_KEYS: Final = frozenset({"id", "message", "data"})


def _is_error(keys: Mapping[str, Raw]) -> bool:
    """Whether keys hold an error: its message is a text, and that of an answer is not."""
    said = bytes(keys.get("message", b""))[:1] == b'"'
    return says_error(keys) or (said and keys.keys() <= _ERROR_KEYS)


RESPONSES: Final = ResponseCodec(
    RULES,
    wire.Response,
    ResponseWriter,
    _answer,
    decode_error,
    is_error=_is_error,
    has_failed=lambda body: bool(body.root.error),
)
encode_response: Final = RESPONSES.encode_response
decode_response: Final = RESPONSES.decode_response
