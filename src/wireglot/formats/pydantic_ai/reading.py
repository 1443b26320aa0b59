"""Pydantic AI's messages -> canonical ones.

A request becomes several canonical messages, one for each part. Those after the first are marked,
so that the writer joins them again. Instructions become a system message where they change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import msgspec
from msgspec import UNSET, Raw
from msgspec.structs import replace

from ... import model
from ..._objects import encode
from ...model import Arguments, LlmMessage, RawJson, StopReason
from .._frames import Notes, json_text
from .._mapping import extras_of
from .._records import unknown, write
from . import types as own
from .items import API, blocks_of, digest, file_block

__all__ = [
    "API",
    "APIS",
    "GEMINI",
    "MEANT",
    "PART",
    "SAID",
    "canonical",
    "millis",
    "pieces",
    "result_content",
    "stamp",
]

PART: Final = "pydantic-ai."
"""Before the kind of an extension that is a part which says nothing to the model."""

SAID: Final = frozenset(
    {"speech", "retry-feedback", "compaction", "instruction-delta", "tool-availability-delta"}
)
"""The kinds of further parts that Pydantic AI turns into something that the model reads."""

GEMINI: Final = "gemini-generate-content"

MEANT: Final[Mapping[str, StopReason]] = {
    "stop": StopReason.STOP,
    "length": StopReason.LENGTH,
    "content_filter": StopReason.GUARD_RAIL,
    "tool_call": StopReason.TOOL_USE,
    "error": StopReason.ERROR,
}
"""`finish_reason` -> ours."""

APIS: Final[Mapping[str, str]] = {
    "anthropic": "anthropic-messages",
    "bedrock": "bedrock-converse",
    "google": "gemini-generate-content",
    "google-cloud": "gemini-generate-content",
    "google-gla": "gemini-generate-content",
    "google-vertex": "gemini-generate-content",
    "mistral": "mistral-chat",
    "cohere": "cohere-chat-v2",
}
"""`provider_name` -> the API that its signatures belong to."""

_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_items = msgspec.json.Decoder(list[Raw]).decode
_REDACTED: Final = ("redacted_thinking", "redacted_content")
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND: Final = timedelta(milliseconds=1)
_DEFAULTS: Final = {"scope": "conversation", "state": "complete"}


def millis(text: str) -> int:
    """Return a time in milliseconds. Raises ValueError if the text is not a time."""
    when = datetime.fromisoformat(text)
    try:
        return ((when if when.tzinfo else when.replace(tzinfo=UTC)) - _EPOCH) // _MILLISECOND
    except OverflowError as error:
        raise ValueError(str(error)) from error


def stamp(time: int) -> str | None:
    """Return milliseconds as Pydantic AI writes a time, None if its years do not reach that far."""
    try:
        when = _EPOCH + time * _MILLISECOND
    except OverflowError:
        return None
    return when.replace(tzinfo=None).isoformat() + "Z"


def pieces(messages: Iterable[Any]) -> Iterator[tuple[int, Any, dict[str, Any]]]:
    """Split requests: yield an index, the request for one canonical message, and its marks."""
    before = None
    for i, message in enumerate(messages):
        if type(message) is not own.ModelRequest:
            yield i, message, {}
            continue
        instructions, parts = message.instructions, message.parts
        marks: dict[str, Any] = {}
        if instructions and instructions == before:
            message = replace(message, instructions=None)
            marks["repeats"] = True
        elif instructions:
            before = instructions
            yield i, replace(message, parts=[]), {}
            yield from ((i, own.ModelRequest([part]), {"joins": True}) for part in parts)
            continue
        yield i, replace(message, parts=parts[:1]), marks
        yield from ((i, own.ModelRequest([part]), {"joins": True}) for part in parts[1:])


def canonical(message: Any, notes: Notes) -> model.AgentMessage:
    """Return the canonical message of a response, or of a request with one part at most."""
    notes.doubt()
    if type(message) is own.ModelResponse:
        return LlmMessage(_response(message))
    keys: dict[str, Any] = {}
    spelling: dict[str, Any] = {}
    result: Any
    if message.parts:
        part = message.parts[0]
        result = _PARTS[type(part)](part, keys, spelling)
    elif message.instructions:
        result = model.SystemMessage([model.TextBlock(message.instructions)])
        spelling["instructions"] = True
    else:
        result = model.ExtensionMessage(f"{PART}request", {})
    about = _about(message, but=("parts", "instructions"))
    if message.timestamp and _is_near(message.timestamp, getattr(result, "timestamp", None)):
        spelling["request"] = about.pop("timestamp")
    if about:
        keys["(request)"] = about
    result.extras = extras_of(API, unknown(keys), None, spelling)
    return result if type(result) is model.ExtensionMessage else LlmMessage(result)


def _is_near(text: str, time: int | None) -> bool:
    """Whether a request has the time of its first part, to the second: then it says nothing new."""
    return time is not None and abs(millis(text) - time) < 1000


def _about(record: Any, but: tuple[str, ...]) -> dict[str, Any]:
    """Return the keys of a record that are set and not default, except those in `but`."""
    keys: dict[str, Any] = _keys(write(record, API))
    config = record.__struct_config__
    return {
        key: raw
        for key, raw in keys.items()
        if key not in but
        and key != config.tag_field
        and bytes(raw) not in (b"null", b'"%b"' % _DEFAULTS.get(key, "").encode())
    }


def _time(record: Any, spelling: dict[str, Any]) -> int | None:
    text = record.timestamp
    if not isinstance(text, str):
        return None
    time = millis(text)
    if stamp(time) != text:
        spelling["timestamp"] = text
    return time


# -- parts of requests ----------------------------------------------------------------------------


def _system(
    part: own.SystemPromptPart, keys: dict[str, Any], spelling: dict[str, Any]
) -> model.SystemMessage:
    keys |= _about(part, but=("content", "timestamp", "metadata"))
    return model.SystemMessage(
        [model.TextBlock(part.content)],
        _time(part, spelling),
        metadata=_object(part.metadata, keys),
    )


def _object(value: Any, keys: dict[str, Any]) -> dict[str, Any] | None:
    held = value.value if isinstance(value, RawJson) else None
    if held is not None and not isinstance(held, dict):
        keys["metadata"] = value
        return None
    return held


def _user(
    part: own.UserPromptPart, keys: dict[str, Any], spelling: dict[str, Any]
) -> model.UserMessage:
    keys |= _about(part, but=("content", "timestamp"))
    made = model.UserMessage(blocks_of(part.content), _time(part, spelling))
    if not isinstance(part.content, str) and len(made.content) == 1:
        spelling["content"] = "list"
    return made


def _result(
    part: own.ToolReturnPart, keys: dict[str, Any], spelling: dict[str, Any]
) -> model.ToolResultMessage:
    known = ("tool_name", "content", "tool_call_id", "metadata", "timestamp", "outcome")
    keys |= _about(part, but=(*known, "content_file_digests"))
    outcome = part.outcome or "success"
    details = part.metadata.value if isinstance(part.metadata, RawJson) else None
    return model.ToolResultMessage(
        part.tool_call_id or "",
        part.tool_name,
        result_content(part, spelling),
        outcome != "success",
        _time(part, spelling),
        status=outcome if outcome not in ("success", "failed") else None,
        details=details,
    )


def result_content(part: own.ToolReturnPart, spelling: dict[str, Any]) -> list[model.Content]:
    """Return the blocks of a result; content other than texts and files becomes JSON text."""
    raw = part.content.native() if isinstance(part.content, RawJson) else Raw(b"null")
    text = json_text(raw)
    if text is not None:
        return [model.TextBlock(text)] if text else []
    first = bytes(memoryview(raw)[:1])
    found = [raw] if first == b"{" else _items(raw) if first == b"[" else []
    made = [_result_item(item, part.content_file_digests) for item in found]
    if made and None not in made and not (first == b"{" and type(made[0]) is model.TextBlock):
        return [block for block in made if block is not None]
    spelling["content"] = "json"
    return [model.TextBlock(bytes(raw).decode())]


def _result_item(item: Raw, digests: Any) -> Any:
    text = json_text(item)
    if text is not None:
        return model.TextBlock(text)
    if bytes(memoryview(item)[:1]) != b"{":
        return None
    block = file_block(RawJson.adopt(item))
    if block is not None and digests is not UNSET and block.data is None:
        return block if digest(bytes(item)) in digests else None
    return block


def _retry(part: own.RetryPromptPart, keys: dict[str, Any], spelling: dict[str, Any]) -> Any:
    raw = part.content.native() if isinstance(part.content, RawJson) else Raw(b"null")
    text = json_text(raw)
    content: list[model.Content] = [model.TextBlock(bytes(raw).decode() if text is None else text)]
    keys |= _about(part, but=("content", "timestamp", "tool_name", "tool_call_id"))
    time = _time(part, spelling)
    if part.tool_name:
        id, name = part.tool_call_id or "", part.tool_name
        return model.ToolResultMessage(id, name, content, True, time, status="retried")
    if part.tool_call_id:
        keys["tool_call_id"] = part.tool_call_id
    return model.UserMessage(content, time)


def _other(part: own.OtherPart, keys: dict[str, Any], spelling: dict[str, Any]) -> Any:
    """Return a part that the model reads as a user message, any other part as an extension."""
    if part.part_kind in SAID:
        held = RawJson.adopt(part.unknown.native()) if part.unknown is not UNSET else RawJson(b"{}")
        return model.UserMessage([model.OpaqueBlock(API, held)])
    data = part.unknown.value if part.unknown is not UNSET else {}
    return model.ExtensionMessage(PART + part.part_kind, data)


_PARTS: Final[Mapping[type[Any], Callable[..., Any]]] = {
    own.SystemPromptPart: _system,
    own.UserPromptPart: _user,
    own.ToolReturnPart: _result,
    own.RetryPromptPart: _retry,
    own.OtherPart: _other,
}

# -- answers --------------------------------------------------------------------------------------


def _text(part: own.TextPart) -> model.TextBlock:
    keys = _about(part, but=("content",))
    return model.TextBlock(part.content, extras=extras_of(API, unknown(keys)))


def _thinking(part: own.ThinkingPart) -> model.ThinkingBlock:
    keys = _about(part, but=("content", "signature"))
    redacted = part.id in _REDACTED and not part.content and part.signature is not None
    spelling = {"id": keys.pop("id")} if redacted else {}
    signature = part.signature or None
    made = model.ThinkingBlock(part.content, signature, redacted=redacted)
    made.extras = extras_of(API, unknown(keys), None, spelling)
    return made


def _call(part: own.ToolCallPart) -> model.ToolCallBlock:
    keys = _about(part, but=("tool_name", "args", "tool_call_id"))
    raw = part.args.native() if isinstance(part.args, RawJson) else Raw(b"null")
    text = json_text(raw)
    arguments: Any = raw if text is None else Arguments(text)
    if bytes(raw) == b"null":
        arguments = Arguments("")
    spelling = {"args": "text"} if text is not None else {}
    made = model.ToolCallBlock(part.tool_call_id or "", part.tool_name, arguments)
    made.extras = extras_of(API, unknown(keys), None, spelling)
    return made


def _file(part: own.FilePart) -> model.Content:
    held = part.content if isinstance(part.content, RawJson) else RawJson(b"{}")
    is_object = bytes(memoryview(held.native())[:1]) == b"{"
    block: Any = file_block(held) if is_object else None
    keys = _about(part, but=("content",))
    if block is None or keys:
        return model.OpaqueBlock(API, RawJson.adopt(Raw(write(part, API))))
    found: model.Content = block
    return found


def _opaque(part: own.OtherPart) -> model.OpaqueBlock:
    return model.OpaqueBlock(API, RawJson.adopt(Raw(write(part, API))))


_BLOCKS: Final[Mapping[type[Any], Any]] = {
    own.TextPart: _text,
    own.ThinkingPart: _thinking,
    own.ToolCallPart: _call,
    own.FilePart: _file,
    own.OtherPart: _opaque,
}


def _usage(usage: own.RequestUsage) -> model.Usage:
    cached, written = usage.cache_read_tokens or 0, usage.cache_write_tokens or 0
    into = usage.input_tokens or usage.request_tokens or 0
    known = ("input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens")
    older = ("request_tokens", "response_tokens", "total_tokens", "output_reasoning_tokens")
    left = _about(usage, but=(*known, *older))
    keys: dict[str, Any] = {
        key: raw for key, raw in left.items() if bytes(raw) not in (b"0", b"0.0", b"{}")
    }
    if into < cached + written:
        keys["input_tokens"] = into
    if usage.input_tokens and usage.request_tokens:
        keys["request_tokens"] = usage.request_tokens
    if usage.output_tokens and usage.response_tokens:
        keys["response_tokens"] = usage.response_tokens
    return model.Usage(
        max(into - cached - written, 0),
        usage.output_tokens or usage.response_tokens or 0,
        usage.output_reasoning_tokens or 0,
        cached,
        written,
        usage.total_tokens or 0,
        extras=extras_of(API, unknown(keys)),
    )


def _block(part: Any, message: own.ModelResponse) -> Any:
    """Return the block of a part, without the provider's name if the answer has the same.

    Google's signature of a call comes from the details of the part.
    """
    if type(part) not in _SIGNED:
        return _BLOCKS[type(part)](part)
    details, signature = part.provider_details, getattr(part, "signature", None)
    has_details = isinstance(details, RawJson)
    is_same = part.provider_name == message.provider_name
    if is_same and (part.id or has_details or signature):
        part = replace(part, provider_name=None)
    call_signature = None
    if is_same and has_details and type(part) is own.ToolCallPart:
        keys = _keys(details.native()) if details.text[:1] == b"{" else {}
        if APIS.get(message.provider_name or "") == GEMINI:
            call_signature = json_text(keys.pop("thought_signature", None))
        if call_signature is not None:
            left = RawJson.adopt(Raw(encode(keys))) if keys else None
            part = replace(part, provider_details=left)
    block = _BLOCKS[type(part)](part)
    if call_signature is not None:
        block.signature = call_signature
    return block


_SIGNED: Final = (own.TextPart, own.ThinkingPart, own.ToolCallPart)


def _response(message: own.ModelResponse) -> model.AssistantMessage:
    spelling: dict[str, Any] = {}
    known = ("parts", "usage", "model_name", "timestamp", "provider_name", "metadata")
    older = ("vendor_id", "vendor_details", "provider_details", "provider_response_id")
    keys = _about(message, but=(*known, *older))
    finish = message.finish_reason or ""
    if finish in MEANT:
        del keys["finish_reason"]
    details, older_details = message.provider_details, message.vendor_details
    if not isinstance(details, RawJson):
        details = older_details
    elif isinstance(older_details, RawJson):
        keys["vendor_details"] = older_details
    if message.provider_response_id and message.vendor_id:
        keys["vendor_id"] = message.vendor_id
    detail_keys: dict[str, Any] = {}
    if isinstance(details, RawJson):
        if bytes(memoryview(details.native())[:1]) == b"{":
            detail_keys = dict(_keys(details.native()))
        elif details.text != b"null":
            keys["provider_details"] = details
    word = json_text(detail_keys.get("finish_reason"))
    if word:
        del detail_keys["finish_reason"]
    if detail_keys:
        keys["provider_details"] = detail_keys
    answer = model.AssistantMessage(
        [_block(part, message) for part in message.parts],
        MEANT.get(finish),
        message.model_name or None,
        message.provider_name or None,
        _usage(message.usage) if message.usage else None,
        _time(message, spelling),
        api=APIS.get(message.provider_name or ""),
        raw_stop_reason=word or None,
        id=message.provider_response_id or message.vendor_id or None,
        metadata=_object(message.metadata, keys),
    )
    answer.extras = extras_of(API, unknown(keys), None, spelling)
    return answer
