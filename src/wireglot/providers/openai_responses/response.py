"""The body of the answer to `POST /v1/responses` -> Response."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import msgspec
from msgspec import Raw

from ...losses import Losses
from ...model import (
    AssistantMessage,
    Content,
    Cost,
    Extra,
    Extras,
    IdSource,
    RawJson,
    Response,
    StopReason,
    TextBlock,
    ToolCallBlock,
    Usage,
)
from .._answers import LATEST, answer_extras, stop_of, usage_of, with_reasoning
from .._ids import named
from .._reading import read_with
from .._writing import check_dialect, encode
from . import wire
from .reading import MessageReader
from .request import DIALECTS

__all__ = ["answer", "counts", "decode_response", "error_of", "meaning"]

STOP_WORDS: Final = {
    "completed": StopReason.STOP,
    "incomplete": StopReason.LENGTH,
    "failed": StopReason.ERROR,
    "cancelled": StopReason.ABORTED,
    "queued": StopReason.PAUSED,
    "in_progress": StopReason.PAUSED,
    # why it is incomplete
    "max_output_tokens": StopReason.LENGTH,
    "max_messages": StopReason.MAX_TURNS,
    "content_filter": StopReason.GUARD_RAIL,
    "steered": StopReason.USER_STOP,
}
WHOLE: Final = "completed"
_OBJECT: Final = b'"response"'
STATUSES: Final = frozenset(
    {"completed", "incomplete", "failed", "cancelled", "queued", "in_progress"}
)
_READ: Final = frozenset(
    {"id", "created_at", "status", "model", "output", "usage", "service_tier"}
    | {"incomplete_details", "error", "object"}
)
_KEPT: Final = tuple(name for name in wire.Answer.__struct_fields__ if name not in _READ)
# Keys that repeat the request, or record how the service handled it: no loss on other wires.
_ECHOED: Final = frozenset(
    {"access_programs", "background", "billing", "completed_at", "frequency_penalty", "image"}
    | {"instructions", "max_output_tokens", "max_tool_calls", "metadata", "output_text"}
    | {"parallel_tool_calls", "presence_penalty", "previous_response_id", "prompt"}
    | {"prompt_cache_key", "prompt_cache_options", "prompt_cache_retention", "reasoning"}
    | {"safety_identifier", "store", "temperature", "text", "tool_choice", "tool_usage", "tools"}
    | {"top_logprobs", "top_p", "truncation", "user"}
)
_NULL: Final = Raw(b"null")
_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_value = msgspec.json.Decoder().decode


def decode_response(
    data: bytes | bytearray | memoryview | str,
    *,
    dialect: str = DIALECTS[0],
    losses: Losses = None,
    ids: IdSource | None = None,
) -> Response:
    """Decode an answer.

    `input_tokens` includes cached tokens, read and written; `Usage.input` is the rest.
    `output_tokens` includes reasoning, as `Usage.output` does. The stop reason is read from the
    status, or from why the answer is incomplete; a completed answer with calls is `TOOL_USE`, one
    with a refusal `GUARD_RAIL`. A lone surrogate is an error; with `losses` it becomes U+FFFD and a
    loss.

    Raises `DecodeError`.
    """
    check_dialect(dialect, DIALECTS, "openai_responses")
    return read_with(
        lambda body: named(answer(MessageReader(body, dialect)), ids),
        wire.Answer,
        data,
        "openai_responses",
        losses,
    )


def answer(reader: MessageReader, content: list[Content] | None = None) -> Response:
    """Return the response that a body stands for; `content`, if given, replaces its output."""
    root: wire.Answer = reader.body.root
    if content is None:
        content = reader.answered(root.output or [])
    why = _why(root)
    raw = why if why is not None else root.status
    error = error_of(root.error)
    message = AssistantMessage(
        content,
        stop_reason=meaning(raw, content) if raw is not None else None,
        model=root.model,
        usage=usage_of(root.usage, wire.API, wire.Usage, counts),
        error_message=error,
        api=wire.API,
        raw_stop_reason=raw,
    )
    nested: dict[str, Any] = {}
    if not _is_null(root.object) and bytes(root.object) != _OBJECT:
        nested["object"] = root.object
    if not _is_null(root.error):
        nested["error"] = root.error
    if root.status is not None and root.status not in STATUSES:
        nested["status"] = root.status
    if not _is_null(root.incomplete_details) and (
        why is None or _keys(root.incomplete_details).keys() != {"reason"}
    ):
        nested["incomplete_details"] = root.incomplete_details
    created = root.created_at
    if created is not None and not -LATEST <= created <= LATEST:
        reader._fail("a time that is out of range", root, ".created_at")
    return Response(
        message,
        id=root.id,
        created_at=round(created * 1000) if created else None,  # 0 means none
        service_tier=root.service_tier,
        extras=_extras(reader, root, nested),
    )


def _extras(reader: MessageReader, root: wire.Answer, nested: dict[str, Any]) -> Extras | None:
    """Return the keys that have no field; those that echo the request, or are null, as spelling."""
    extras = answer_extras(reader, root, _KEPT, **nested)
    if extras is None:
        return None
    keys = _keys(extras[wire.API].keys.text)
    echoed = {key: keys.pop(key) for key in [*keys] if key in _ECHOED or keys[key] == _NULL}
    extra = Extra(RawJson.adopt(Raw(encode(keys))))
    if echoed:
        extra.spelling = RawJson.adopt(Raw(encode(echoed)))
    return {wire.API: extra}


def _is_null(raw: Any) -> bool:
    return raw is None or bytes(raw) == b"null"


def _why(root: wire.Answer) -> str | None:
    """Return why an answer is incomplete, if it is and says so."""
    if root.status != "incomplete" or _is_null(root.incomplete_details):
        return None
    details = _value(root.incomplete_details)
    reason = details.get("reason") if isinstance(details, dict) else None
    return reason if isinstance(reason, str) and reason not in STATUSES else None


def error_of(raw: Any) -> str | None:
    """Return the message of an answer's error."""
    error = _value(raw) if raw is not None else None
    said = error.get("message") if isinstance(error, dict) else error
    return said if isinstance(said, str) else None


def meaning(raw: str, content: Sequence[Content]) -> StopReason:
    """Return what a stop reason means for an answer of this content."""
    if raw == WHOLE:
        kinds = set(map(type, content))
        if ToolCallBlock in kinds:
            return StopReason.TOOL_USE
        if any(type(block) is TextBlock and _is_refusal(block) for block in content):
            return StopReason.GUARD_RAIL
    return stop_of(STOP_WORDS, raw)


def _is_refusal(block: TextBlock) -> bool:
    extra = (block.extras or {}).get(wire.API)
    return (
        extra is not None
        and extra.spelling is not None
        and extra.spelling.value.get("as") == "refusal"
    )


def counts(came: wire.Usage) -> Usage:
    """Return the counts of a usage object."""
    cached, written, thought = 0, 0, 0
    if came.input_tokens_details is not None:
        cached = came.input_tokens_details.cached_tokens or 0
        written = came.input_tokens_details.cache_write_tokens or 0
    if came.output_tokens_details is not None:
        thought = came.output_tokens_details.reasoning_tokens or 0
    return Usage(
        input=max(0, (came.input_tokens or 0) - cached - written),
        output=with_reasoning(came.output_tokens or 0, thought),
        reasoning=thought,
        cache_read=cached,
        cache_write=written,
        total_tokens=came.total_tokens or 0,
        cost=Cost(total=came.cost) if came.cost is not None else None,
    )
