"""Response <-> the body of the answer to `/converse`.

The answer holds neither an id nor the model's name. `inputTokens` excludes cached tokens, as
`Usage.input` does; `totalTokens` includes them. `outputTokens` includes thinking, which has no
count of its own. Thinking that neither this API nor a Claude has signed loses its signature: this
API would not accept it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Final

import msgspec
from msgspec import Raw

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
from .._across.usage import usage_of
from .._codecs.responses import BaseResponseWriter, ResponseCodec, says_error
from .._state.decoding import Decoding
from .._state.rules import Rules
from . import blocks, wire
from .errors import decode_error
from .losses import RULES
from .request import TIERS

_STOP_WORDS: Final = {
    "end_turn": StopReason.STOP,
    "tool_use": StopReason.TOOL_USE,
    "max_tokens": StopReason.LENGTH,
    "stop_sequence": StopReason.STOP,
    "guardrail_intervened": StopReason.GUARD_RAIL,
    "content_filtered": StopReason.GUARD_RAIL,
    "malformed_model_output": StopReason.ERROR,
    "malformed_tool_use": StopReason.ERROR,
    "model_context_window_exceeded": StopReason.LENGTH,
}
_STOPS: Final = {
    StopReason.STOP: "end_turn",
    StopReason.LENGTH: "max_tokens",
    StopReason.TOOL_USE: "tool_use",
    StopReason.GUARD_RAIL: "content_filtered",
    StopReason.ERROR: "malformed_model_output",
}
_KEPT: Final = ("additional_model_response_fields", "trace")
_ECHOED: Final = ("metrics", "performance_config")

# -- response -> body --------------------------------------------------------------------------


class ResponseWriter(BaseResponseWriter):
    """The encoder of one answer, and of the whole blocks of a stream."""

    STOP_WORDS: ClassVar[Mapping[str, StopReason]] = _STOP_WORDS
    STOPS: ClassVar[Mapping[StopReason, str]] = _STOPS
    DEFAULT_STOP: ClassVar[str] = "end_turn"
    CALL_ID: ClassVar[str] = "tooluse_"
    RULES: ClassVar[Rules] = RULES

    def __init__(
        self, response: Response, losses: Losses, dialect: str, ids: IdSource | None = None
    ) -> None:
        super().__init__(response, losses, dialect, ids)
        self._blocks = blocks.BlockWriter(self.encoding, is_answer=True)

    def answer(self) -> Any:
        """Return the body."""
        message = self.message
        content = [body for each in message.content if (body := self.block(each)) is not None]
        whole = self.encoding.with_extras({"role": "assistant", "content": content}, message)
        return self.complete({"output": {"message": whole}, **self.stop(), **self.counts()})

    def complete(self, body: dict[str, Any]) -> dict[str, Any]:
        """Return the answer with its service tier, its metrics and its unknown keys.

        The API always sends metrics: an answer that did not come over it gets a latency of 0.
        """
        if self.response.alternatives:
            self.encoding.lose("candidates", self.response)
        tier = self.response.service_tier
        if tier is not None and (self.is_own() or tier in TIERS):
            body["serviceTier"] = {"type": tier}
        whole: dict[str, Any] = self.with_answer_extras(body)
        if not self._is_as_it_came():
            whole.setdefault("metrics", {"latencyMs": 0})
        return whole

    def _is_as_it_came(self) -> bool:
        return self.is_own() and self.message.raw_stop_reason is not None

    def stop(self) -> dict[str, Any]:
        """Return the keys that say why the answer ended."""
        message = self.message
        body: dict[str, Any] = {"stopReason": self.stop_word(message)}
        if not self.is_own() and is_at_sequence(message):
            body["stopReason"] = "stop_sequence"
        if message.stop_sequence is not None:
            body["additionalModelResponseFields"] = {"stop_sequence": message.stop_sequence}
        return body

    def counts(self) -> dict[str, Any]:
        """Return the usage, zeros if there is none; an answer of this API may go without."""
        usage = self.message.usage
        if usage is None and self._is_as_it_came():
            return {}
        return {"usage": self._counts(usage or Usage())}

    def _counts(self, usage: Usage) -> Any:
        original = self.usage_json(usage, wire.Usage, read_counts)
        if original is not None:
            return original
        cached = usage.cache_read + usage.cache_write
        counts: dict[str, Any] = {
            "inputTokens": usage.input,
            "outputTokens": usage.output,
            "totalTokens": max(usage.total_tokens, usage.input + cached + usage.output),
        }
        if cached:
            counts["cacheReadInputTokens"] = usage.cache_read
            counts["cacheWriteInputTokens"] = usage.cache_write
        parts = self.token_parts(usage)
        written = {"1h": parts.written_1h, "5m": parts.written_5m}
        details = [{"ttl": ttl, "inputTokens": n} for ttl, n in written.items() if n]
        if details:
            counts["cacheDetails"] = details
        return counts

    def block(self, block: Content) -> Any:
        """Return the wire's block, None if it has no place for this one."""
        self._lose_aside(block)
        return self._blocks.block(block, self.message)

    def signature(self, block: ThinkingBlock) -> str | None:
        """Return the signature of thinking, None if this API would not accept it, as a loss."""
        return self._blocks.signature(block, self.message)

    def lose_beside(self, block: Any) -> None:
        """Report what a block has that its deltas did not tell, save citations and thinking's."""
        self._lose_aside(block)
        self.encoding.lose_rest(block)

    def _lose_aside(self, block: Any) -> None:
        """Report a cache mark, and a signature of another API's text or call."""
        if type(block) in _SIGNED:
            self.lose_signature(block)
        if getattr(block, "cache", None) is not None:
            self.encoding.lose("cache mark", block)


_SIGNED: Final = frozenset({TextBlock, ToolCallBlock})  # by other APIs

# -- body -> response --------------------------------------------------------------------------

_fields = msgspec.json.Decoder(wire.ResponseFields).decode


def _answer(decoding: Decoding) -> Response:
    """Return the response that a body stands for."""
    root: wire.Response = decoding.body.root
    part, raw = root.output.message, root.stop_reason
    content = blocks.BlockReader(decoding).content(part.content)
    message = AssistantMessage(
        content,
        stop_reason=stop_of(_STOP_WORDS, raw, content) if raw is not None else None,
        usage=usage_of(root.usage, wire.API, wire.Usage, read_counts),
        api=wire.API,
        raw_stop_reason=raw,
        stop_sequence=_stop_sequence(root.additional_model_response_fields),
        extras=decoding.extras(part),
    )
    decoding.unknown.pop(id(part), None)  # they are with the message now
    tier = root.service_tier.type if root.service_tier is not None else None
    extras = decoding.answer_extras(root, _KEPT, _ECHOED)
    return Response(message, service_tier=tier, extras=extras)


def _stop_sequence(fields: Raw | None) -> str | None:
    """Return the stop sequence, which Anthropic's models send if asked to."""
    if fields is None:
        return None
    try:
        return _fields(fields).stop_sequence
    except msgspec.DecodeError:  # the model's maker may put anything there
        return None


def read_counts(usage: wire.Usage) -> Usage:
    """Return the counts of a usage object."""
    return Usage(
        input=usage.input_tokens or 0,
        output=usage.output_tokens or 0,
        cache_read=usage.cache_read_input_tokens or 0,
        cache_write=usage.cache_write_input_tokens or 0,
        total_tokens=usage.total_tokens or 0,
    )


_SAYING: Final = frozenset({"message", "Message"})
_ERROR_KEYS: Final = _SAYING | {"code"}


def _is_error(keys: Mapping[str, Raw]) -> bool:
    """Whether keys are those of an error; a path that the service does not know answers 200."""
    told = not keys.keys().isdisjoint(_SAYING) and keys.keys() <= _ERROR_KEYS
    named = "__type" in keys or b'"__type"' in bytes(keys.get("Output", b""))
    return told or named or says_error(keys)


RESPONSES: Final = ResponseCodec(
    RULES, wire.Response, ResponseWriter, _answer, decode_error, is_error=_is_error
)
encode_response: Final = RESPONSES.encode_response
decode_response: Final = RESPONSES.decode_response
