"""The body of the answer to `POST /v1/messages` -> Response."""

from __future__ import annotations

from typing import Final

from ...losses import Losses
from ...model import (
    AssistantMessage,
    IdSource,
    Response,
    StopReason,
    Usage,
)
from .._answers import answer_extras, stop_of, usage_of, with_reasoning
from .._ids import named
from .._reading import read_with
from .._writing import check_dialect
from . import wire
from .reading import MessageReader
from .request import DIALECTS

__all__ = ["STOP_WORDS", "answer", "counts", "decode_response"]

STOP_WORDS: Final = {
    "end_turn": StopReason.STOP,
    "max_tokens": StopReason.LENGTH,
    "stop_sequence": StopReason.STOP,
    "tool_use": StopReason.TOOL_USE,
    "pause_turn": StopReason.PAUSED,
    "refusal": StopReason.GUARD_RAIL,
    "model_context_window_exceeded": StopReason.LENGTH,
    "compaction": StopReason.CONTEXT_COMPACTED,
}
_KEPT: Final = ("stop_details",)
_ECHOED: Final = ("container", "context_management", "diagnostics")


def decode_response(
    data: bytes | bytearray | memoryview | str,
    *,
    dialect: str = DIALECTS[0],
    losses: Losses = None,
    ids: IdSource | None = None,
) -> Response:
    """Decode an answer.

    `input_tokens` excludes cached tokens, as `Usage.input` does; `output_tokens` includes thinking.
    The API gives no total. A lone surrogate is an error; with `losses` it becomes U+FFFD and a
    loss.

    Raises `DecodeError`.
    """
    check_dialect(dialect, DIALECTS, "anthropic")
    return read_with(
        lambda body: named(answer(MessageReader(body, dialect)), ids),
        wire.Answer,
        data,
        "anthropic",
        losses,
    )


def answer(reader: MessageReader) -> Response:
    """Return the response that a body stands for."""
    root: wire.Answer = reader.body.root
    raw = root.stop_reason
    content = reader.content(root.content)
    message = AssistantMessage(
        content,
        stop_reason=stop_of(STOP_WORDS, raw, content) if raw is not None else None,
        model=root.model,
        usage=usage_of(root.usage, wire.API, wire.Usage, counts),
        api=wire.API,
        raw_stop_reason=raw,
        stop_sequence=root.stop_sequence,
    )
    return Response(message, id=root.id, extras=answer_extras(reader, root, _KEPT, _ECHOED))


def counts(came: wire.Usage) -> Usage:
    """Return the counts of a usage object."""
    details = came.output_tokens_details
    thought = (details.thinking_tokens or 0) if details is not None else 0
    return Usage(
        input=came.input_tokens or 0,
        output=with_reasoning(came.output_tokens or 0, thought),
        reasoning=thought,
        cache_read=came.cache_read_input_tokens or 0,
        cache_write=came.cache_creation_input_tokens or 0,
    )
