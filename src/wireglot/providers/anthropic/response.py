"""Response <-> the body of the answer to `POST /v1/messages`.

`input_tokens` excludes cached tokens, as `Usage.input` does; `output_tokens` includes thinking. The
API gives no total. Thinking that no Claude has signed gets an empty signature: this API would not
accept the original.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Final

import msgspec
from msgspec import Raw, Struct

from ...losses import Losses
from ...model import (
    AssistantMessage,
    Content,
    IdSource,
    Response,
    StopReason,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    Usage,
)
from .._across.stops import is_at_sequence, stop_of
from .._across.usage import usage_of, with_reasoning
from .._codecs.responses import BaseResponseWriter, ResponseCodec
from .._state.decoding import Decoding
from .._state.rules import Rules
from . import blocks, wire
from .errors import decode_error
from .losses import RULES

_STOP_WORDS: Final = {
    "end_turn": StopReason.STOP,
    "max_tokens": StopReason.LENGTH,
    "stop_sequence": StopReason.STOP,
    "tool_use": StopReason.TOOL_USE,
    "pause_turn": StopReason.PAUSED,
    "refusal": StopReason.GUARD_RAIL,
    "model_context_window_exceeded": StopReason.LENGTH,
    "compaction": StopReason.CONTEXT_COMPACTED,
}
_STOPS: Final = {
    StopReason.STOP: "end_turn",
    StopReason.LENGTH: "max_tokens",
    StopReason.TOOL_USE: "tool_use",
    StopReason.PAUSED: "pause_turn",
    StopReason.GUARD_RAIL: "refusal",
}
_KEPT: Final = ("stop_details",)
_ECHOED: Final = ("container", "context_management", "diagnostics")

# -- response -> body --------------------------------------------------------------------------


class ResponseWriter(BaseResponseWriter):
    """The encoder of one answer, and of the whole blocks of a stream."""

    STOP_WORDS: ClassVar[Mapping[str, StopReason]] = _STOP_WORDS
    STOPS: ClassVar[Mapping[StopReason, str]] = _STOPS
    DEFAULT_STOP: ClassVar[str] = "end_turn"
    CALL_ID: ClassVar[str] = "toolu_"
    RULES: ClassVar[Rules] = RULES

    def __init__(
        self, response: Response, losses: Losses, dialect: str, ids: IdSource | None = None
    ) -> None:
        super().__init__(response, losses, dialect, ids)
        self._blocks = blocks.BlockWriter(self.encoding, is_answer=True)

    def answer(self) -> Any:
        """Return the body."""
        message = self.message
        self.lose_rest()
        content = [body for each in message.content if (body := self.block(each)) is not None]
        body = {**self.head(), "content": content, **self.stop(message)}
        body["usage"] = self.usage(message.usage)
        return self.with_answer_extras(body)

    def lose_rest(self) -> None:
        """Report what the answer has beside its content, and this wire has no place for."""
        if self.response.alternatives:
            self.encoding.lose("candidates", self.response)
        self.encoding.lose_foreign(self.message)

    def head(self) -> dict[str, Any]:
        """Return the keys that are known before the content."""
        return {
            "id": self.id("msg_"),
            "type": "message",
            "role": "assistant",
            "model": self.message.model or "",
        }

    def stop(self, message: AssistantMessage) -> dict[str, Any]:
        """Return `stop_reason` and `stop_sequence`."""
        word = self.stop_word(message)
        if word == "end_turn" and is_at_sequence(message):
            word = "stop_sequence"
        return {"stop_reason": word, "stop_sequence": message.stop_sequence}

    def usage(self, usage: Usage | None) -> Any:
        """Return the counts, zeros if there are none: the API always sends them.

        Those of the cache, too: clients add up all that went in.
        """
        usage = usage or _NO_USAGE
        original = self.usage_json(usage, wire.Usage, read_counts)
        if original is not None:
            return original
        counts: dict[str, Any] = {
            "input_tokens": usage.input,
            "cache_creation_input_tokens": usage.cache_write,
            "cache_read_input_tokens": usage.cache_read,
            "output_tokens": usage.output,
        }
        parts = self.token_parts(usage)
        if parts.written_5m or parts.written_1h:
            counts["cache_creation"] = {
                "ephemeral_5m_input_tokens": parts.written_5m,
                "ephemeral_1h_input_tokens": parts.written_1h,
            }
        if self.response.service_tier == "priority" and not self.is_own():
            counts["service_tier"] = "priority"
        if usage.reasoning:
            counts["output_tokens_details"] = {"thinking_tokens": usage.reasoning}
        return counts

    def block(self, block: Content) -> Any:
        """Return the wire's block, None if it has no place for this one."""
        if type(block) in _SIGNED:
            self.lose_signature(block)
        return self._blocks.block(block, self.message)

    def signature(self, block: ThinkingBlock) -> str:
        """Return the signature of thinking; one of another API is a loss, and becomes empty."""
        return self._blocks.signature(block, self.message)

    def cited(self, block: TextBlock) -> list[Any]:
        """Return the citations of a text that it did not bring over this API."""
        return self._blocks.cited(block)

    def lose_beside(self, block: Any) -> None:
        """Report what a block has that its deltas did not tell, save citations and thinking's."""
        if type(block) in _SIGNED:
            self.lose_signature(block)
            self._blocks.mark(block.cache, block)
        self.encoding.lose_rest(block)


_SIGNED: Final = frozenset({TextBlock, ToolCallBlock})  # by other APIs

# -- body -> response --------------------------------------------------------------------------


def _answer(decoding: Decoding) -> Response:
    """Return the response that a body stands for."""
    root: wire.Response = decoding.body.root
    raw = root.stop_reason
    content = blocks.BlockReader(decoding).content(root.content or [])
    message = AssistantMessage(
        content,
        stop_reason=stop_of(_STOP_WORDS, raw, content) if raw is not None else None,
        model=root.model,
        usage=usage_of(root.usage, wire.API, wire.Usage, read_counts, uncounted=uncounted),
        api=wire.API,
        raw_stop_reason=raw,
        stop_sequence=root.stop_sequence,
    )
    return Response(message, id=root.id, extras=decoding.answer_extras(root, _KEPT, _ECHOED))


_NO_USAGE: Final = Usage()
_COUNTED: Final = frozenset({"message", "fallback_message"})


class _Iteration(Struct):
    type: str = "message"


_iterations = msgspec.json.Decoder(list[_Iteration] | None).decode


def read_counts(usage: wire.Usage) -> Usage:
    """Return the counts of a usage object."""
    details = usage.output_tokens_details
    thought = (details.thinking_tokens or 0) if details is not None else 0
    return Usage(
        input=usage.input_tokens or 0,
        output=with_reasoning(usage.output_tokens or 0, thought),
        reasoning=thought,
        cache_read=usage.cache_read_input_tokens or 0,
        cache_write=usage.cache_creation_input_tokens or 0,
    )


def uncounted(usage: wire.Usage) -> Mapping[str, Raw]:
    """Return the iterations of an answer if the counts are not those of all.

    Those of a compaction and of an advisor are apart; a fallback that declined is not paid.
    """
    if usage.iterations is None:
        return {}
    try:
        listed = _iterations(usage.iterations)
    except msgspec.DecodeError:
        return {"iterations": usage.iterations}
    is_apart = any(each.type not in _COUNTED for each in listed or ())
    return {"iterations": usage.iterations} if is_apart else {}


RESPONSES: Final = ResponseCodec(RULES, wire.Response, ResponseWriter, _answer, decode_error)
encode_response: Final = RESPONSES.encode_response
decode_response: Final = RESPONSES.decode_response
