"""The body of the answer to `POST /v2/chat` -> Response."""

from __future__ import annotations

from typing import Final

from ...losses import Losses
from ...model import (
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
    "COMPLETE": StopReason.STOP,
    "STOP_SEQUENCE": StopReason.STOP,
    "MAX_TOKENS": StopReason.LENGTH,
    "TOOL_CALL": StopReason.TOOL_USE,
    "ERROR": StopReason.ERROR,
    "TIMEOUT": StopReason.ERROR,
}
_KEPT: Final = ("logprobs",)
_NO_COUNTS: Final = wire.Counts()


def decode_response(
    data: bytes | bytearray | memoryview | str,
    *,
    dialect: str = DIALECTS[0],
    losses: Losses = None,
    ids: IdSource | None = None,
) -> Response:
    """Decode an answer.

    The usage is read from `tokens`, since only it counts thinking and images apart, or else from
    `billed_units`. The API's input includes cached tokens, `Usage.input` does not. A lone surrogate
    is an error; with `losses` it becomes U+FFFD and a loss.

    Raises `DecodeError`.
    """
    check_dialect(dialect, DIALECTS, "cohere")
    return read_with(
        lambda body: named(answer(MessageReader(body, dialect)), ids),
        wire.Answer,
        data,
        "cohere",
        losses,
    )


def answer(reader: MessageReader) -> Response:
    """Return the response that a body stands for."""
    root: wire.Answer = reader.body.root
    message = reader.answer(root.message)
    reader._unknown.pop(id(root.message), None)  # they are with the message now
    raw = root.finish_reason
    if raw is not None:
        message.raw_stop_reason = raw
        message.stop_reason = stop_of(STOP_WORDS, raw, message.content)
    message.error_message = root.error
    message.usage = usage_of(root.usage, wire.API, wire.Usage, counts)
    return Response(message, id=root.id, extras=answer_extras(reader, root, _KEPT))


def counts(came: wire.Usage) -> Usage:
    """Return the counts of a usage object."""
    tokens = came.tokens or came.billed_units or _NO_COUNTS
    cached, thought = int(came.cached_tokens or 0), int(tokens.reasoning_tokens or 0)
    return Usage(
        input=max(int(tokens.input_tokens or 0) - cached, 0),
        output=with_reasoning(int(tokens.output_tokens or 0), thought),
        reasoning=thought,
        cache_read=cached,
        image_tokens=int(tokens.image_tokens) if tokens.image_tokens is not None else None,
    )
