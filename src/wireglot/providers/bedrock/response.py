"""The body of the answer to `/converse` -> Response."""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec import Raw

from ...losses import Losses
from ...model import (
    AssistantMessage,
    IdSource,
    Response,
    StopReason,
    Usage,
)
from .._answers import answer_extras, stop_of, usage_of
from .._ids import named
from .._reading import read_with
from .._writing import check_dialect
from . import wire
from .reading import MessageReader
from .request import DIALECTS

__all__ = ["STOP_WORDS", "AnswerReader", "counts", "decode_response"]

STOP_WORDS: Final = {
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
_KEPT: Final = ("additional_model_response_fields", "trace")
_ECHOED: Final = ("metrics", "performance_config")
_fields = msgspec.json.Decoder(wire.ResponseFields).decode


def decode_response(
    data: bytes | bytearray | memoryview | str,
    *,
    dialect: str = DIALECTS[0],
    losses: Losses = None,
    ids: IdSource | None = None,
) -> Response:
    """Decode an answer, which holds neither an id nor the model's name.

    `inputTokens` excludes cached tokens, as `Usage.input` does; `totalTokens` includes them.
    `outputTokens` includes thinking, which has no count of its own. A lone surrogate is an error;
    with `losses` it becomes U+FFFD and a loss.

    Raises `DecodeError`.
    """
    check_dialect(dialect, DIALECTS, "bedrock")
    return read_with(
        lambda body: named(AnswerReader(body, dialect).answer(), ids),
        wire.Answer,
        data,
        "bedrock",
        losses,
    )


class AnswerReader(MessageReader):
    """The decoder of one answer."""

    def answer(self) -> Response:
        """Return the response that the body stands for."""
        root: wire.Answer = self.body.root
        part, raw = root.output.message, root.stop_reason
        content = self.content(part.content)
        message = AssistantMessage(
            content,
            stop_reason=stop_of(STOP_WORDS, raw, content) if raw is not None else None,
            usage=usage_of(root.usage, wire.API, wire.Usage, counts),
            api=wire.API,
            raw_stop_reason=raw,
            stop_sequence=_stop_sequence(root.additional_model_response_fields),
            extras=self._extras(part),
        )
        self._unknown.pop(id(part), None)  # they are with the message now
        tier = root.service_tier.type if root.service_tier is not None else None
        return Response(
            message, service_tier=tier, extras=answer_extras(self, root, _KEPT, _ECHOED)
        )


def _stop_sequence(fields: Raw | None) -> str | None:
    """Return the stop sequence, which Anthropic's models send if asked to."""
    if fields is None:
        return None
    try:
        return _fields(fields).stop_sequence
    except msgspec.DecodeError:  # the model's maker may put anything there
        return None


def counts(came: wire.Usage) -> Usage:
    """Return the counts of a usage object."""
    return Usage(
        input=came.input_tokens or 0,
        output=came.output_tokens or 0,
        cache_read=came.cache_read_input_tokens or 0,
        cache_write=came.cache_write_input_tokens or 0,
        total_tokens=came.total_tokens or 0,
    )
