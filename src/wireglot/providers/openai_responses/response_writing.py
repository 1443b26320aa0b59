"""Response -> the body of the answer to `POST /v1/responses`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final

import msgspec
from msgspec import Raw, Struct

from ...losses import Losses
from ...model import (
    Content,
    ErrorBlock,
    IdSource,
    OpaqueBlock,
    Response,
    StopReason,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    Usage,
)
from .._answers import LATEST, ResponseWriter, answer_bytes
from .._writing import encode, hashed, with_keys
from . import wire
from .dialects import SERVICES
from .parts import LETTER, LONGEST, SpellingWriter, joined
from .request import DIALECTS
from .response import STATUSES, STOP_WORDS, WHOLE, counts, error_of, meaning

__all__ = ["AnswerWriter", "Said", "encode_response"]

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
# Further keys that the SDK's type requires, for answers that came over another API.
_DEMANDED: Final[Mapping[str, Any]] = {
    "metadata": {},
    "parallel_tool_calls": True,
    "tool_choice": "auto",
    "tools": [],
}
_TRUE: Final = Raw(b"true")
_NONE: Final = frozenset({b"", b"null"})
_NO_ARGUMENTS: Final = Raw(b'"{}"')
_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_value = msgspec.json.Decoder().decode


def encode_response(
    response: Response,
    losses: Losses = None,
    *,
    dialect: str = DIALECTS[0],
    ids: IdSource | None = None,
) -> bytes:
    """Encode `response` as the API would have sent it.

    Items without an id get one, made of their position and a token of `ids`, or of a hash of the
    answer. Thinking of another API becomes a reasoning summary without its signature: this API
    would not accept it.

    Raises `LossError` if a part of it has no place on this wire and `losses` is None.
    """
    return answer_bytes(lambda r, found: AnswerWriter(r, found, dialect, ids), response, losses)


class Said(Struct):
    """A message that is being written: its number among the items, its id, keys and parts."""

    number: int
    id: str
    own: dict[str, Raw]
    spelling: dict[str, Raw]
    parts: list[Any]

    def item(self) -> dict[str, Any]:
        """Return the message as an item."""
        made: dict[str, Any] = joined(
            {
                "id": self.id,
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
    DEFAULT_STOP: ClassVar[str] = WHOLE

    def __init__(
        self, response: Response, losses: Losses, dialect: str, ids: IdSource | None = None
    ) -> None:
        super().__init__(response, losses, dialect, ids)
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
        elif word not in STATUSES:
            status, details = "incomplete", {"reason": word}
        elif word == "failed" and (
            "error" not in own or error_of(own["error"]) != message.error_message
        ):
            own.pop("error", None)
            error = {"code": "server_error", "message": message.error_message or ""}
        return self._body(status, details, error, output, self.usage(message.usage), own)

    def begun(self) -> Any:
        """Return the body of an answer that has just begun."""
        return self._body("in_progress", None, None, [], None, self._first_keys())

    def failed(self, error: Any) -> Any:
        """Return the body of an answer that an error ended; the items so far have been told."""
        return self._body("failed", None, error, [], None, self._first_keys())

    def _first_keys(self) -> dict[str, Raw]:
        extra = (self._response.extras or {}).get(self.API)
        return self._echoed() | (_keys(extra.keys.text) if extra is not None else {})

    def _echoed(self) -> dict[str, Raw]:
        """Return the keys of the answer that repeat its request."""
        extra = (self._response.extras or {}).get(self.API)
        if extra is None or extra.spelling is None:
            return {}
        return _keys(extra.spelling.text)

    def _body(
        self, status: str, details: Any, error: Any, output: list[Any], usage: Any, own: Any
    ) -> Any:
        response = self._response
        if abs(response.created_at or 0) > LATEST * 1000:
            self._fail("a time that is out of range", response, ".created_at")
        made: dict[str, Any] = {
            "id": self.id("resp_"),
            "object": own.get("object", "response"),
            "created_at": _seconds(response.created_at or 0, self.is_own()),
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
        """Return what a stop reason of the wire means for an answer of this content."""
        return meaning(raw, content)

    def usage(self, usage: Usage | None) -> Any:
        """Return the counts, None where there are none."""
        if usage is None:
            return None
        came = self.usage_json(usage, wire.Usage, counts)
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
        """Whether the wire has a place for a block; report the loss otherwise."""
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
        """Whether a block is a part of a message, and not an item of its own."""
        kind = type(block)
        return kind in _PARTS or (type(block) is OpaqueBlock and not self._is_item(block))

    def goes_on(self, block: Any) -> bool:
        """Whether a part belongs to the message of the part before it."""
        return block.extras is not None and self._spelling(block).get("next") == _TRUE

    def said(self, block: Any, number: int) -> Said:
        """Return the message that begins with this block, still without any part."""
        extra = (block.extras or {}).get(self.API)
        own = _inner(_keys(extra.keys.text) if extra is not None else {})
        made = self.item_id("msg_", number)
        return Said(number, made, own, _inner(self._spelling(block)), [])

    def part(self, block: Any) -> Any:
        """Return the part for a block, None for the block of a message without parts."""
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
        """Return the annotations that a text brought over this API, none if it has none now."""
        extra = (block.extras or {}).get(self.API)
        if not block.annotations or extra is None or extra.spelling is None:
            return []
        return _annotations(extra.spelling.text).annotations or []

    def item(self, block: Any, number: int) -> Any:
        """Return the item for a block that is not part of a message."""
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
        item_id = self.item_id("rs_", number)
        made: dict[str, Any] = {"id": item_id, "type": "reasoning", "summary": []}
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
        call_id = block.id
        if len(call_id) > LONGEST:
            call_id = hashed(call_id, LETTER, LONGEST)
        made = {"id": self.item_id("fc_", number), "type": "function_call"}
        text = block.arguments.string_json()
        if block.tool_type == "custom":
            if self.takes_custom():
                made = {"id": self.item_id("ctc_", number), "type": "custom_tool_call"}
                return {**made, "call_id": call_id, "name": block.name, "input": text}
            self._lose("custom call", block)
            text = Raw(encode(encode({"input": text}).decode()))
        elif block.arguments.text.strip() in _NONE:
            text = _NO_ARGUMENTS
        made["status"] = "completed"
        return {**made, "call_id": call_id, "name": block.name, "arguments": text}

    def takes_custom(self) -> bool:
        """Whether a call of a custom tool is written as one."""
        return self._service.custom or self.is_own()


class _Cited(Struct):
    annotations: list[Raw] | None = None


_annotations = msgspec.json.Decoder(_Cited).decode
_PARTS: Final = frozenset({TextBlock, ErrorBlock})
_WRITTEN: Final = _PARTS | {ThinkingBlock, ToolCallBlock, OpaqueBlock}
_THOUGHTS: Final = {"summary": "summary_text", "content": "reasoning_text"}


def _inner(keys: dict[str, Raw]) -> dict[str, Raw]:
    """Return the keys of the message around a part, from the part's extras."""
    raw = keys.get("message")
    return _keys(raw) if raw is not None and bytes(raw)[:1] == b"{" else {}


def _seconds(milliseconds: int, is_own: bool) -> int | float:
    """Return a time in seconds; only this API's own may be a fraction."""
    whole, rest = divmod(milliseconds, 1000)
    return milliseconds / 1000 if rest and is_own else whole
