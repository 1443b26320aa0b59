"""The body of the answer to `POST /api/chat` -> Response."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any, Final

import msgspec
from msgspec import Raw

from ...losses import Losses
from ...model import (
    AssistantMessage,
    Extra,
    IdSource,
    RawJson,
    Response,
    StopReason,
    Usage,
)
from .._answers import answer_extras, stop_of, usage_of
from .._ids import named
from .._reading import read_with
from .._writing import check_dialect, encode
from . import wire
from .reading import MessageReader
from .request import DIALECTS

__all__ = [
    "STOP_WORDS",
    "AnswerReader",
    "answer",
    "counts",
    "decode_response",
    "milliseconds",
    "timestamp",
]

STOP_WORDS: Final = {
    "stop": StopReason.STOP,
    "length": StopReason.LENGTH,
    "load": StopReason.STOP,
    "unload": StopReason.STOP,
}
_KEPT: Final = ("logprobs",)
_ECHOED: Final = (
    "total_duration",
    "load_duration",
    "prompt_eval_duration",
    "eval_duration",
    "remote_model",
    "remote_host",
)
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND: Final = timedelta(milliseconds=1)
_keys = msgspec.json.Decoder(dict[str, Raw]).decode


def decode_response(
    data: bytes | bytearray | memoryview | str,
    *,
    dialect: str = DIALECTS[0],
    losses: Losses = None,
    ids: IdSource | None = None,
) -> Response:
    """Decode an answer.

    `prompt_eval_count` is the whole prompt, cached or not, and becomes `Usage.input`; `eval_count`
    includes thinking. Neither cached tokens nor thinking are counted apart. A plain stop of an
    answer with calls is `TOOL_USE`. A lone surrogate is an error; with `losses` it becomes U+FFFD
    and a loss.

    Raises `DecodeError`.
    """
    check_dialect(dialect, DIALECTS, "ollama")
    return read_with(
        lambda body: named(answer(AnswerReader(body, dialect)), ids),
        wire.Answer,
        data,
        "ollama",
        losses,
    )


class AnswerReader(MessageReader):
    """The reader of one answer, or of the lines of one."""

    def _free_id(self) -> str:
        return ""  # which the whole answer decides


def answer(reader: AnswerReader) -> Response:
    """Return the response that a body stands for."""
    root: wire.Answer = reader.body.root
    message = reader.message(root.message)
    if type(message) is not AssistantMessage:
        reader._fail("expected `assistant`", root.message, ".role")
    reader._unknown.pop(id(root.message), None)  # they are with the message now
    raw = root.done_reason
    if raw is not None:
        message.raw_stop_reason = raw
        message.stop_reason = stop_of(STOP_WORDS, raw, message.content)
    message.model = root.model
    came = {"prompt_eval_count": root.prompt_eval_count, "eval_count": root.eval_count}
    came = {key: count for key, count in came.items() if count is not None}
    if came:
        message.usage = usage_of(Raw(encode(came)), wire.API, wire.Usage, counts)
    created_at = milliseconds(root.created_at)
    extras = answer_extras(reader, root, _KEPT, _ECHOED)
    spelling: dict[str, Any] = {}
    if root.created_at is not None and timestamp(created_at) != root.created_at:
        spelling["created_at"] = root.created_at
    if not root.done:
        spelling["done"] = False
    if spelling:
        extra = (extras or {}).get(wire.API) or Extra(RawJson(b"{}"))
        echoed = _keys(extra.spelling.text) if extra.spelling is not None else {}
        extra.spelling = RawJson(encode({**echoed, **spelling}))
        extras = {wire.API: extra}
    return Response(message, created_at=created_at, extras=extras)


def counts(came: wire.Usage) -> Usage:
    """Return the counts of a usage object."""
    return Usage(input=came.prompt_eval_count or 0, output=came.eval_count or 0)


def milliseconds(time: str | None) -> int | None:
    """Return a time in RFC 3339 as milliseconds since the epoch, None if it is malformed."""
    try:
        found = msgspec.convert(time, datetime)
    except msgspec.ValidationError:
        return None
    if found.tzinfo is None:
        found = found.replace(tzinfo=UTC)
    return (found - _EPOCH) // _MILLISECOND


def timestamp(milliseconds: int | None) -> str | None:
    """Return a time in RFC 3339, None before the year 1 or after 9999; no time is the epoch."""
    try:
        time = _EPOCH + _MILLISECOND * (milliseconds or 0)
    except OverflowError:
        return None
    precision = "milliseconds" if time.microsecond else "seconds"
    return time.isoformat(timespec=precision).replace("+00:00", "Z")
