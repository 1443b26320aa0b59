"""Response <-> OpenAI Responses JSON, the body of the answer to `POST /v1/responses`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final

import msgspec
from msgspec import Raw, Struct

from ...losses import Losses
from ...model import (
    AssistantMessage,
    Content,
    Cost,
    ErrorBlock,
    Extra,
    Extras,
    OpaqueBlock,
    RawJson,
    Response,
    StopReason,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    Usage,
)
from .._answers import ResponseWriter, answer_bytes, answer_extras, stop_of, usage_of
from .._reading import read_with
from .._writing import check_dialect, encode, hashed, with_keys
from . import wire
from .dialects import SERVICES
from .parts import LETTER, LONGEST, SpellingWriter, joined
from .reading import MessageReader
from .request import DIALECTS

__all__ = ["AnswerWriter", "Said", "answer", "decode_response", "encode_response"]

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
_STOPS: Final = {
    StopReason.STOP: "completed",
    StopReason.TOOL_USE: "completed",
    StopReason.LENGTH: "max_output_tokens",
    StopReason.GUARD_RAIL: "content_filter",
    StopReason.MAX_TURNS: "max_messages",
    StopReason.USER_STOP: "steered",
    StopReason.ABORTED: "cancelled",
    StopReason.ERROR: "failed",
}
_STATUSES: Final = frozenset(
    {"completed", "incomplete", "failed", "cancelled", "queued", "in_progress"}
)
_READ: Final = frozenset(
    {"id", "created_at", "status", "model", "output", "usage", "service_tier"}
    | {"incomplete_details", "error", "object"}
)
_KEPT: Final = tuple(name for name in wire.Answer.__struct_fields__ if name not in _READ)
# What an answer repeats of its request, and what the service writes down about it: no other wire
# has to carry this.
_ECHOED: Final = frozenset(
    {"access_programs", "background", "billing", "completed_at", "frequency_penalty", "image"}
    | {"instructions", "max_output_tokens", "max_tool_calls", "metadata", "output_text"}
    | {"parallel_tool_calls", "presence_penalty", "previous_response_id", "prompt"}
    | {"prompt_cache_key", "prompt_cache_options", "prompt_cache_retention", "reasoning"}
    | {"safety_identifier", "store", "temperature", "text", "tool_choice", "tool_usage", "tools"}
    | {"top_logprobs", "top_p", "truncation", "user"}
)
# What the SDK's type demands beside the rest, for answers that came over another API.
_DEMANDED: Final[Mapping[str, Any]] = {
    "metadata": {},
    "parallel_tool_calls": True,
    "tool_choice": "auto",
    "tools": [],
}
_LATEST: Final = 1e14  # of times in seconds, so that milliseconds fit 64 bits
_NULL: Final = Raw(b"null")
_TRUE: Final = Raw(b"true")
_NO_TEXT: Final = Raw(b'""')
_NO_ARGUMENTS: Final = Raw(b'"{}"')
_WHOLE: Final = "completed"
_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_value = msgspec.json.Decoder().decode
_usage_of = msgspec.json.Decoder(wire.Usage).decode


def decode_response(
    data: bytes | bytearray | memoryview | str,
    *,
    dialect: str = DIALECTS[0],
    losses: Losses = None,
) -> Response:
    """Decode an answer.

    The API counts cached tokens inside `input_tokens`, read and written; `Usage.input` is what is
    left without them. It counts reasoning inside `output_tokens`, as `Usage` does. There is no word
    for the end of an answer but its status, and why it is incomplete: calls make a completed one
    `TOOL_USE`, a refusal makes it `GUARD_RAIL`. Lone surrogates are an error, or with a list of
    losses U+FFFD and a loss.

    Raises `DecodeError`.
    """
    check_dialect(dialect, DIALECTS, "openai_responses")
    return read_with(
        lambda body: answer(MessageReader(body, dialect)),
        wire.Answer,
        data,
        "openai_responses",
        losses,
    )


def encode_response(
    response: Response, losses: Losses = None, *, dialect: str = DIALECTS[0]
) -> bytes:
    """Encode `response` as the API would have sent it.

    Items without an id get one by their place. Thinking of another API is a reasoning summary,
    without its signature: this API would not take it back.

    Raises `LossError` if a part of it has no place on this wire and `losses` is None.
    """
    return answer_bytes(lambda r, found: AnswerWriter(r, found, dialect), response, losses)


def answer(reader: MessageReader, content: list[Content] | None = None) -> Response:
    """Return the response that a body stands for; with `content`, if that is known already."""
    root: wire.Answer = reader.body.root
    if content is None:
        content = reader.answered(root.output or [])
    why = _why(root)
    raw = why if why is not None else root.status
    error = _error_of(root.error)
    message = AssistantMessage(
        content,
        stop_reason=_meaning(raw, content) if raw is not None else None,
        model=root.model,
        usage=usage_of(root.usage, wire.API, _usage),
        error_message=error,
        api=wire.API,
        raw_stop_reason=raw,
    )
    nested: dict[str, Any] = {}
    if not _is_null(root.error):
        nested["error"] = root.error
    if root.status is not None and root.status not in _STATUSES:
        nested["status"] = root.status
    if not _is_null(root.incomplete_details) and (
        why is None or _keys(root.incomplete_details).keys() != {"reason"}
    ):
        nested["incomplete_details"] = root.incomplete_details
    created = root.created_at
    if created is not None and not -_LATEST <= created <= _LATEST:
        reader._fail("a time that is out of range", root, ".created_at")
    return Response(
        message,
        id=root.id,
        created_at=round(created * 1000) if created is not None else None,
        service_tier=root.service_tier,
        extras=_extras(reader, root, nested),
    )


def _extras(reader: MessageReader, root: wire.Answer, nested: dict[str, Any]) -> Extras | None:
    """Return what has no field; echoes, and keys that say nothing, as a spelling."""
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
    return reason if isinstance(reason, str) and reason not in _STATUSES else None


def _error_of(raw: Any) -> str | None:
    """Return the message of an answer's error."""
    error = _value(raw) if raw is not None else None
    said = error.get("message") if isinstance(error, dict) else error
    return said if isinstance(said, str) else None


def _meaning(raw: str, content: Sequence[Content]) -> StopReason:
    """Return what a stop reason means for an answer of this content."""
    if raw == _WHOLE:
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


def _usage(raw: Raw) -> Usage:
    came = _usage_of(raw)
    cached, written, thought = 0, 0, 0
    if came.input_tokens_details is not None:
        cached = came.input_tokens_details.cached_tokens or 0
        written = came.input_tokens_details.cache_write_tokens or 0
    if came.output_tokens_details is not None:
        thought = came.output_tokens_details.reasoning_tokens or 0
    return Usage(
        input=max(0, (came.input_tokens or 0) - cached - written),
        output=came.output_tokens or 0,
        reasoning=thought,
        cache_read=cached,
        cache_write=written,
        total_tokens=came.total_tokens or 0,
        cost=Cost(total=came.cost) if came.cost is not None else None,
    )


class Said(Struct):
    """A message of an answer that is being written: its place, its parts, and its own keys."""

    number: int
    own: dict[str, Raw]
    spelling: dict[str, Raw]
    parts: list[Any]

    def item(self) -> dict[str, Any]:
        """Return the item."""
        made: dict[str, Any] = joined(
            {
                "id": f"msg_{self.number}",
                "type": "message",
                "status": "completed",
                "role": "assistant",
                "content": self.parts,
            },
            self.own,
            self.spelling,
        )
        return made


class AnswerWriter(SpellingWriter, ResponseWriter):
    """The encoder of one answer, and of the items of a stream."""

    SPOKEN: ClassVar[tuple[str, ...]] = DIALECTS
    STOP_WORDS: ClassVar[Mapping[str, StopReason]] = STOP_WORDS
    STOPS: ClassVar[Mapping[StopReason, str]] = _STOPS
    DEFAULT_STOP: ClassVar[str] = _WHOLE

    def __init__(self, response: Response, losses: Losses, dialect: str) -> None:
        super().__init__(response, losses, dialect)
        self._service = SERVICES[dialect]

    def answer(self) -> Any:
        """Return the body."""
        return self.whole(self.output(self._message.content))

    def whole(self, output: list[Any]) -> Any:
        """Return the body with these items."""
        message, response = self._message, self._response
        if response.alternatives:
            self._lose("candidates", response)
        if message.stop_sequence is not None:
            self._lose("stop sequence", message)
        self._lose_keys(message)
        word = self.stop_word(message)
        own = self._echoed()
        if response.extras is not None:
            own |= self._own_keys(response)
        strange = own.pop("status", None)
        status, details, error = word, None, None
        if strange is not None and _value(strange) == word:
            pass
        elif word not in _STATUSES:
            status, details = "incomplete", {"reason": word}
        elif word == "failed" and (
            "error" not in own or _error_of(own["error"]) != message.error_message
        ):
            own.pop("error", None)
            error = {"code": "server_error", "message": message.error_message or ""}
        return self._body(status, details, error, output, self.usage(message.usage), own)

    def begun(self) -> Any:
        """Return the body before there is anything in it."""
        extra = (self._response.extras or {}).get(self.API)
        own = self._echoed() | (_keys(extra.keys.text) if extra is not None else {})
        return self._body("in_progress", None, None, [], None, own)

    def _echoed(self) -> dict[str, Raw]:
        """Return what the answer repeats of its request."""
        extra = (self._response.extras or {}).get(self.API)
        if extra is None or extra.spelling is None:
            return {}
        return _keys(extra.spelling.text)

    def _body(
        self, status: str, details: Any, error: Any, output: list[Any], usage: Any, own: Any
    ) -> Any:
        response = self._response
        if abs(response.created_at or 0) > _LATEST * 1000:
            self._fail("a time that is out of range", response, ".created_at")
        made: dict[str, Any] = {
            "id": response.id or "resp_0",
            "object": "response",
            "created_at": _seconds(response.created_at),
            "status": status,
            "error": error,
            "incomplete_details": details,
            "model": self._message.model or "",
            "output": output,
            "usage": usage,
        }
        for key in ("error", "incomplete_details"):
            if made[key] is None and key in own:
                del made[key]
        tier = response.service_tier
        if tier is not None:
            if self.is_own() or tier in self._service.tiers:
                made["service_tier"] = tier
            else:
                self._lose("service_tier", response)
        if not self.is_own():
            made |= {key: value for key, value in _DEMANDED.items() if key not in own}
        return with_keys(made, own) if own else made

    def meaning(self, raw: str, content: Sequence[Content]) -> StopReason:
        """Return what a stop reason means; a refusal is an answer that is complete."""
        return _meaning(raw, content)

    def usage(self, usage: Usage | None) -> Any:
        """Return the counts, None where there are none."""
        if usage is None:
            return None
        came = self.usage_json(usage, _usage)
        if came is not None:
            return came
        everything = usage.input + usage.cache_read + usage.cache_write
        made: dict[str, Any] = {
            "input_tokens": everything,
            "input_tokens_details": {
                "cached_tokens": usage.cache_read,
                "cache_write_tokens": usage.cache_write,
            },
            "output_tokens": usage.output,
            "output_tokens_details": {"reasoning_tokens": usage.reasoning},
            "total_tokens": usage.total_tokens or everything + usage.output,
        }
        if usage.cost is not None and self._service.cost:
            made["cost"] = usage.cost.total
        return made

    # -- items ---------------------------------------------------------------------------------

    def output(self, content: list[Content]) -> list[Any]:
        """Return the items of an answer."""
        out: list[Any] = []
        said: Said | None = None
        for block in content:
            if not self.is_written(block):
                continue
            if not self.is_part(block):
                out.append(self.item(block, len(out)))
                said = None
                continue
            if said is None or not self.goes_on(block):
                said = self.said(block, len(out))
                out.append(said)
            part = self.part(block)
            if part is not None:
                said.parts.append(part)
        return [made.item() if type(made) is Said else made for made in out]

    def is_written(self, block: Content) -> bool:
        """Whether the wire has a place for a block; it is lost otherwise."""
        kind = type(block)
        if kind not in _WRITTEN:
            self._lose("answer content", block)
        elif type(block) is OpaqueBlock and block.api != self.API:
            self._lose("opaque block", block)
        elif type(block) is ThinkingBlock and block.redacted:
            self._lose("redacted thinking", block)
        else:
            return True
        return False

    def is_part(self, block: Content) -> bool:
        """Whether a block stands inside a message, and is no item of its own."""
        kind = type(block)
        return kind in _PARTS or (type(block) is OpaqueBlock and not self._is_item(block))

    def goes_on(self, block: Any) -> bool:
        """Whether a part belongs to the message of the part before it."""
        return block.extras is not None and self._spelling(block).get("next") == _TRUE

    def said(self, block: Any, number: int) -> Said:
        """Return the message that begins with a part, without that part."""
        extra = (block.extras or {}).get(self.API)
        own = _inner(_keys(extra.keys.text) if extra is not None else {})
        return Said(number, own, _inner(self._spelling(block)), [])

    def part(self, block: Any) -> Any:
        """Return the part of a message that a block stands for, None for one that holds none."""
        kind = type(block)
        shape = self._shape(block)[0]
        if kind is OpaqueBlock:
            made: Any = self._opaque(block)
        elif kind is ErrorBlock:
            self._lose("error", block)
            made = {"type": "output_text", "annotations": [], "text": block.message}
        else:
            if block.signature is not None:
                self._lose("signature", block)
            if shape == "empty" and not block.text:
                return None
            if shape == "refusal":
                made = {"type": "refusal", "refusal": block.text}
            else:
                cited = self.annotations(block)
                if block.annotations and not cited:
                    self._lose("annotation", block)
                made = {"type": "output_text", "annotations": cited, "text": block.text}
        if block.extras is None:
            return made
        own = self._own_keys(block)
        if _inner(own):
            del own["message"]
        return joined(made, own, self._spelling(block))

    def annotations(self, block: Any) -> list[Raw]:
        """Return the annotations of a text that came over this API, while it has any."""
        extra = (block.extras or {}).get(self.API)
        if not block.annotations or extra is None or extra.spelling is None:
            return []
        return _annotations(extra.spelling.text).annotations or []

    def item(self, block: Any, number: int) -> Any:
        """Return the item of its own that a block stands for."""
        kind = type(block)
        if kind is ThinkingBlock:
            made: Any = self._thought(block, number)
        elif kind is ToolCallBlock:
            made = self._call(block, number)
        else:
            made = self._opaque(block)
        return self._with_extras(made, block)

    def _thought(self, block: ThinkingBlock, number: int) -> Any:
        texts = [block.thinking] if block.thinking else []
        if block.details and "\n\n".join(block.details) == block.thinking:
            texts = block.details
        made: dict[str, Any] = {"id": f"rs_{number}", "type": "reasoning", "summary": []}
        key = "content" if self._shape(block)[0] == "content" else "summary"
        part = _THOUGHTS[key]
        made[key] = [{"type": part, "text": text} for text in texts]
        if block.signature is not None:
            if self.is_own():
                made["encrypted_content"] = block.signature
            else:
                self._lose("signature", block)
        return made

    def _call(self, block: ToolCallBlock, number: int) -> Any:
        if block.signature is not None:
            self._lose("signature", block)
        call_id = block.id or f"call_{number}"
        if len(call_id) > LONGEST:
            call_id = hashed(call_id, LETTER, LONGEST)
        made = {"id": f"fc_{number}", "type": "function_call"}
        text = block.arguments.string_json()
        if block.tool_type == "custom":
            if self.takes_custom():
                made = {"id": f"ctc_{number}", "type": "custom_tool_call"}
                return {**made, "call_id": call_id, "name": block.name, "input": text}
            self._lose("custom call", block)
            text = Raw(encode(encode({"input": text}).decode()))
        elif text == _NO_TEXT:
            text = _NO_ARGUMENTS
        made["status"] = "completed"
        return {**made, "call_id": call_id, "name": block.name, "arguments": text}

    def takes_custom(self) -> bool:
        """Whether a call of a custom tool goes as one."""
        return self._service.custom or self.is_own()


class _Cited(Struct):
    annotations: list[Raw] | None = None


_annotations = msgspec.json.Decoder(_Cited).decode
_PARTS: Final = frozenset({TextBlock, ErrorBlock})
_WRITTEN: Final = _PARTS | {ThinkingBlock, ToolCallBlock, OpaqueBlock}
_THOUGHTS: Final = {"summary": "summary_text", "content": "reasoning_text"}


def _inner(keys: dict[str, Raw]) -> dict[str, Raw]:
    """Return what the extras of a part say of the message around it."""
    raw = keys.get("message")
    return _keys(raw) if raw is not None and bytes(raw)[:1] == b"{" else {}


def _seconds(milliseconds: int | None) -> int | float:
    whole, rest = divmod(milliseconds or 0, 1000)
    return (milliseconds or 0) / 1000 if rest else whole
