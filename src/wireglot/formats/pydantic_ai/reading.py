"""Pydantic AI's messages -> canonical ones.

A request becomes several canonical messages, one for each part. Those after the first are marked,
so that the writer joins them again. Instructions become a system message where they change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from operator import attrgetter
from typing import Any, Final

import msgspec
from msgspec import UNSET, Raw
from msgspec.structs import replace

from ... import model
from ...model import Arguments, RawJson, StopReason
from ...providers._state.facts import called
from .._as_it_came import Notes, json_text
from .._mapping import extras_of
from .._records import write
from . import types as own
from .items import blocks_of, digest, file_block
from .system import API, CALL_SIGNER, WIRE

__all__ = [
    "MEANT",
    "PART",
    "SAID",
    "canonical",
    "millis",
    "pieces",
    "result_content",
    "signs_calls",
    "stamp",
]

PART: Final = "pydantic-ai."
"""Before the kind of an extension that is a part which says nothing to the model."""

SAID: Final = frozenset(
    {"speech", "retry-feedback", "compaction", "instruction-delta", "tool-availability-delta"}
)
"""The kinds of further parts that Pydantic AI turns into something that the model reads."""

MEANT: Final[Mapping[str, StopReason]] = {
    "stop": StopReason.STOP,
    "length": StopReason.LENGTH,
    "content_filter": StopReason.GUARD_RAIL,
    "tool_call": StopReason.TOOL_USE,
    "error": StopReason.ERROR,
}
"""`finish_reason` -> ours."""

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
    """Return the canonical message of a response, or of a request with one part at most.

    It is without its `extras`.
    """
    keys = notes.keys
    result: model.AgentMessage
    if type(message) is own.ModelResponse:
        result = _response(message, notes)
    elif message.parts:
        part = message.parts[0]
        result = _PARTS[type(part)](part, notes)
    elif message.instructions:
        result = model.SystemMessage([model.TextBlock(message.instructions)])
        notes.spelling["instructions"] = True
    else:
        result = model.ExtensionMessage(f"{PART}request", {})
    if "(request)" in keys:
        notes.doubt()
    if type(message) is own.ModelRequest and "joins" not in notes.flags:
        if message.instructions in ("", UNSET):
            notes.differ()
        about = _about(message, notes)
        if message.timestamp and _is_near(message.timestamp, getattr(result, "timestamp", None)):
            notes.spelling["request"] = about.pop("timestamp")
        if about:
            keys["(request)"] = about
    return result


def _is_near(text: str, time: int | None) -> bool:
    """Whether a request has the time of its first part, to the second: then it says nothing new."""
    return time is not None and abs(millis(text) - time) < 1000


_TAKEN: Final = {
    own.SystemPromptPart: "content timestamp metadata",
    own.UserPromptPart: "content timestamp",
    own.ToolReturnPart: (
        "tool_name content tool_call_id metadata timestamp outcome content_file_digests"
    ),
    own.RetryPromptPart: "content timestamp tool_name tool_call_id",
    own.TextPart: "content",
    own.ThinkingPart: "content signature",
    own.ToolCallPart: "tool_name args tool_call_id",
    own.FilePart: "content",
    own.ModelRequest: "parts instructions",
    own.ModelResponse: (
        "parts usage model_name timestamp provider_name metadata vendor_id vendor_details "
        "provider_details provider_response_id"
    ),
}
"""For each record, the fields that are read one by one."""
_LEFT: Final[Mapping[type[Any], list[tuple[str, str | None]]]] = {
    kind: [
        (name, _DEFAULTS.get(name))
        for name in kind.__struct_fields__
        if name not in (*taken.split(), "unknown")
    ]
    for kind, taken in _TAKEN.items()
}
"""For each record, the other fields, each with the value that the writer gives it."""


def _about(record: Any, notes: Notes) -> dict[str, Any]:
    """Return the other keys of a record: those that are set, and not the default."""
    keys: dict[str, Any] = {}
    for name, usual in _LEFT[type(record)]:
        value = getattr(record, name)
        if isinstance(value, RawJson):
            _put(keys, name, value, value.text, notes)
        elif value != usual:
            if value is UNSET or value is None or (value == "" and usual is None):
                notes.differ()
            else:
                keys[name] = value
    if record.unknown is not UNSET:
        for name, raw in _keys(record.unknown.native()).items():
            if bytes(raw) == b"null":
                notes.differ()
            _put(keys, name, raw, bytes(raw), notes)
    return keys


def _put(keys: dict[str, Any], name: str, value: Any, text: bytes, notes: Notes) -> None:
    """Put a key with JSON as its value, unless it says nothing."""
    if text == b'"%b"' % _DEFAULTS.get(name, "").encode():
        notes.differ()
    elif text != b"null":
        keys[name] = value


def _time(record: Any, notes: Notes) -> int | None:
    text = record.timestamp
    if not isinstance(text, str):
        if text is None:
            notes.differ()
        return None
    time = millis(text)
    if stamp(time) != text:
        notes.spelling["timestamp"] = text
    return time


# -- parts of requests ----------------------------------------------------------------------------


def _system(part: own.SystemPromptPart, notes: Notes) -> model.SystemMessage:
    notes.keys |= _about(part, notes)
    return model.SystemMessage(
        [model.TextBlock(part.content)],
        _time(part, notes),
        metadata=_metadata(part, notes),
    )


def _json(value: Any) -> RawJson | None:
    """Return JSON that is there, and not null."""
    return value if isinstance(value, RawJson) and value.text != b"null" else None


def _metadata(record: Any, notes: Notes) -> dict[str, Any] | None:
    if record.metadata is UNSET:
        notes.differ()
    raw = _json(record.metadata)
    held = raw.value if raw is not None else None
    if held is not None and not isinstance(held, dict):
        notes.keys["metadata"] = raw
        return None
    return held


def _user(part: own.UserPromptPart, notes: Notes) -> model.UserMessage:
    notes.keys |= _about(part, notes)
    made = model.UserMessage(blocks_of(part.content), _time(part, notes))
    if not isinstance(part.content, str):
        if len(made.content) == 1:
            notes.spelling["content"] = "list"
        if any(type(block) is not model.TextBlock or block.extras for block in made.content):
            notes.doubt()  # objects have more than one spelling
    return made


def _result(part: own.ToolReturnPart, notes: Notes) -> model.ToolResultMessage:
    notes.keys |= _about(part, notes)
    outcome = part.outcome or "success"
    if outcome != part.outcome or outcome not in OUTCOMES or not isinstance(part.tool_call_id, str):
        notes.differ()
    if part.metadata is UNSET:
        notes.differ()
    raw = _json(part.metadata)
    details = raw.value if raw is not None else None
    content = result_content(part, notes.spelling)
    if not _is_written_so(part, content, notes.spelling):
        notes.doubt()
    return model.ToolResultMessage(
        part.tool_call_id or "",
        part.tool_name,
        content,
        outcome != "success",
        _time(part, notes),
        status=outcome if outcome not in ("success", "failed") else None,
        details=details,
    )


OUTCOMES: Final = frozenset({"success", "failed", "denied", "interrupted", "retried"})


def _is_written_so(part: own.ToolReturnPart, content: list[Any], spelling: Any) -> bool:
    """Whether the writer makes the same content of a result, and the same digests of its files."""
    first = part.content.text[:1] if isinstance(part.content, RawJson) else b""
    digests: Any = [] if first in (b"{", b"[") else UNSET
    return part.content_file_digests == digests and (first == b'"' or "content" in spelling)


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


def _retry(part: own.RetryPromptPart, notes: Notes) -> Any:
    notes.differ()  # it is written as a result, or as what a user says
    raw = part.content.native() if isinstance(part.content, RawJson) else Raw(b"null")
    text = json_text(raw)
    content: list[model.Content] = [model.TextBlock(bytes(raw).decode() if text is None else text)]
    notes.keys |= _about(part, notes)
    time = _time(part, notes)
    if part.tool_name:
        id, name = part.tool_call_id or "", part.tool_name
        return model.ToolResultMessage(id, name, content, True, time, status="retried")
    if part.tool_call_id:
        notes.keys["tool_call_id"] = part.tool_call_id
    return model.UserMessage(content, time)


def _other(part: own.OtherPart, notes: Notes) -> Any:
    """Return a part that the model reads as a user message, any other part as an extension."""
    notes.doubt()
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


def _text(part: own.TextPart, keys: dict[str, Any], notes: Notes) -> model.TextBlock:
    return model.TextBlock(part.content, extras=extras_of(API, UNSET, keys))


def _thinking(part: own.ThinkingPart, keys: dict[str, Any], notes: Notes) -> model.ThinkingBlock:
    redacted = part.id in _REDACTED and not part.content and part.signature is not None
    spelling = {"id": keys.pop("id")} if redacted else {}
    if redacted or part.signature in ("", UNSET):
        notes.doubt()
    made = model.ThinkingBlock(part.content, part.signature or None, redacted=redacted)
    made.extras = extras_of(API, UNSET, keys, spelling)
    return made


def _call(part: own.ToolCallPart, keys: dict[str, Any], notes: Notes) -> model.ToolCallBlock:
    raw = part.args.native() if isinstance(part.args, RawJson) else Raw(b"null")
    text = json_text(raw)
    arguments: Any = raw if text is None else Arguments(text)
    if bytes(raw) == b"null":
        arguments = Arguments("")
    is_usual = text is not None or bytes(memoryview(raw)[:1]) in (b"{", b"n")
    if not is_usual or part.args is UNSET or not isinstance(part.tool_call_id, str):
        notes.doubt()
    spelling = {"args": "text"} if text is not None else {}
    made = model.ToolCallBlock(part.tool_call_id or "", part.tool_name, arguments)
    made.extras = extras_of(API, UNSET, keys, spelling)
    return made


def _file(part: own.FilePart, notes: Notes) -> model.Content:
    notes.doubt()
    held = part.content if isinstance(part.content, RawJson) else RawJson(b"{}")
    is_object = bytes(memoryview(held.native())[:1]) == b"{"
    block: Any = file_block(held) if is_object else None
    if block is None or _about(part, notes):
        return model.OpaqueBlock(API, RawJson.adopt(Raw(write(part, WIRE))))
    found: model.Content = block
    return found


_SIGNED: Final[Mapping[type[Any], Any]] = {
    own.TextPart: _text,
    own.ThinkingPart: _thinking,
    own.ToolCallPart: _call,
}


def _block(part: Any, message: own.ModelResponse, notes: Notes) -> Any:
    """Return the block of a part, without the provider's name if the answer has the same.

    Google's signature of a call comes from the details of the part.
    """
    if type(part) is own.FilePart:
        return _file(part, notes)
    make = _SIGNED.get(type(part))
    if make is None:
        notes.doubt()
        return model.OpaqueBlock(API, RawJson.adopt(Raw(write(part, WIRE))))
    keys = _about(part, notes)
    provider = message.provider_name or None
    is_signed = bool("id" in keys or "provider_details" in keys or getattr(part, "signature", None))
    call_signature = None
    if part.provider_name == message.provider_name:
        if is_signed or isinstance(part.provider_details, RawJson):
            keys.pop("provider_name", None)
        if type(part) is own.ToolCallPart and signs_calls(called(WIRE, provider)):
            call_signature = _call_signature(keys)
    if keys.get("provider_name", provider if is_signed else None) != part.provider_name:
        notes.differ()
    block = make(part, keys, notes)
    if call_signature is not None:
        block.signature = call_signature
    if call_signature is not None or "signature" in keys:
        notes.doubt()
    return block


def signs_calls(api: str | None) -> bool:
    """Whether the calls over an API have a signature."""
    return api is not None and api == called(WIRE, CALL_SIGNER)


def _call_signature(keys: dict[str, Any]) -> str | None:
    """Take Google's signature out of the details of a call."""
    details = keys.get("provider_details")
    if details is None or details.text[:1] != b"{":
        return None
    held = _keys(details.native())
    signature = json_text(held.pop("thought_signature", None))
    if signature is not None:
        keys["provider_details"] = held
        if not held:
            del keys["provider_details"]
    return signature


_COUNTS: Final = (
    "cache_write_1h_tokens",
    "input_audio_tokens",
    "cache_audio_read_tokens",
    "output_audio_tokens",
)
_USUAL: Final = {"audio_seconds": (b"0", b"0.0"), "details": (b"{}",), "cost": (b"null",)}
"""The values that the writer gives these, as a text."""
_ZEROS: Final = frozenset({b"0", b"0.0", b"{}"})
_NOTHING: Final = _ZEROS | {b"", b"null", b'""'}


def _usage(usage: own.RequestUsage, notes: Notes) -> model.Usage:
    cached, written = usage.cache_read_tokens or 0, usage.cache_write_tokens or 0
    into = usage.input_tokens or usage.request_tokens or 0
    keys: dict[str, Any] = {name: n for name in _COUNTS if (n := getattr(usage, name))}
    for name, usual in _USUAL.items():
        value = getattr(usage, name)
        text = value.text if isinstance(value, RawJson) else b""
        if text not in _NOTHING:
            keys[name] = value
        elif text not in usual:
            notes.differ()
    if usage.unknown is not UNSET:
        others = _keys(usage.unknown.native())
        for name, raw in others.items():
            if bytes(raw) not in _ZEROS:
                _put(keys, name, raw, bytes(raw), notes)
        notes.doubt()
    if into < cached + written:
        keys["input_tokens"] = into
    if usage.input_tokens and usage.request_tokens:
        keys["request_tokens"] = usage.request_tokens
    if usage.output_tokens and usage.response_tokens:
        keys["response_tokens"] = usage.response_tokens
    if into < cached + written or UNSET in _current(usage) or _older(usage) != (UNSET,) * 3:
        notes.doubt()
    return model.Usage(
        max(into - cached - written, 0),
        usage.output_tokens or usage.response_tokens or 0,
        usage.output_reasoning_tokens or 0,
        cached,
        written,
        usage.total_tokens or 0,
        extras=extras_of(API, UNSET, keys),
    )


_current: Final = attrgetter(
    "input_tokens",
    "output_tokens",
    "cache_read_tokens",
    "cache_write_tokens",
    "output_reasoning_tokens",
    *_COUNTS,
)
_older: Final = attrgetter("request_tokens", "response_tokens", "total_tokens")


def _response(message: own.ModelResponse, notes: Notes) -> model.AssistantMessage:
    keys = notes.keys
    keys |= _about(message, notes)
    if message.finish_reason in MEANT:
        del keys["finish_reason"]
    details, older_details = message.provider_details, message.vendor_details
    if not isinstance(details, RawJson):
        details = older_details
    elif isinstance(older_details, RawJson):
        keys["vendor_details"] = older_details
    if message.provider_response_id and message.vendor_id:
        keys["vendor_id"] = message.vendor_id
    held: dict[str, Any] = {}
    raw = _json(details)
    if raw is not None and raw.text[:1] == b"{":
        held = _keys(raw.native())
    elif raw is not None:
        keys["provider_details"] = raw
    is_nothing = raw is not None and not held
    word = json_text(held.get("finish_reason"))
    if word:
        del held["finish_reason"]
    if held:
        keys["provider_details"] = held
    texts = message.model_name, message.provider_name, message.provider_response_id
    if "" in texts or UNSET in (*texts, message.usage) or message.provider_details is UNSET:
        notes.differ()
    if is_nothing or message.vendor_id is not UNSET or older_details is not UNSET:
        notes.doubt()
    return model.AssistantMessage(
        [_block(part, message, notes) for part in message.parts],
        MEANT.get(message.finish_reason or ""),
        message.model_name or None,
        message.provider_name or None,
        _usage(message.usage, notes) if message.usage else None,
        _time(message, notes),
        api=called(WIRE, message.provider_name or None),
        raw_stop_reason=word or None,
        id=message.provider_response_id or message.vendor_id or None,
        metadata=_metadata(message, notes),
    )
