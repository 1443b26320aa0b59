"""Response <-> the body of the answer to `POST /v1/responses`.

`input_tokens` includes cached tokens, read and written; `Usage.input` is the rest. `output_tokens`
includes reasoning, as `Usage.output` does. The stop reason is read from the status, or from why the
answer is incomplete; a completed answer with calls is `TOOL_USE`, one with a refusal `GUARD_RAIL`.

Items without an id get one, made of their position and a token of `ids`, or of a hash of the
answer. Thinking of another API becomes a reasoning summary, with its signature if a Claude has made
that: clients send it back, and it goes on to a Claude.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, ClassVar, Final

import msgspec
from msgspec import Raw

from ..._body.decode import Decoded
from ..._body.objects import is_null, shallow, with_keys
from ...losses import Losses
from ...model import (
    AssistantMessage,
    Content,
    Cost,
    Extras,
    IdSource,
    OpaqueBlock,
    Response,
    StopReason,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    Usage,
)
from .._across.ids import own_id
from .._across.stops import stop_of
from .._across.usage import LATEST, OUT_OF_RANGE, usage_of, with_reasoning
from .._codecs.responses import BaseResponseWriter, ResponseCodec, says_error
from .._state.decoding import Decoding, given, residue
from .._state.rules import Rules
from .._state.stored import key_of
from . import wire
from .blocks import BlockReader, BlockWriter, shape
from .dialects import SERVICES
from .errors import decode_error
from .items import Draft, ItemReader, ItemWriter
from .losses import RULES

_STOP_WORDS: Final = {
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
_WHOLE: Final = "completed"
_STATUSES: Final = frozenset(
    {"completed", "incomplete", "failed", "cancelled", "queued", "in_progress"}
)
_NULL: Final = Raw(b"null")
_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_value = msgspec.json.Decoder().decode


def _meaning(raw: str, content: Sequence[Content]) -> StopReason:
    """Return what a stop reason means for an answer of this content."""
    if raw == _WHOLE:
        kinds = set(map(type, content))
        if ToolCallBlock in kinds:
            return StopReason.TOOL_USE
        if any(type(block) is TextBlock and shape(block) == "refusal" for block in content):
            return StopReason.GUARD_RAIL
    return stop_of(_STOP_WORDS, raw)


def _error_in(raw: Any) -> str | None:
    """Return the message of an answer's error."""
    error = _value(raw) if raw is not None else None
    text = error.get("message") if isinstance(error, dict) else error
    return text if isinstance(text, str) else None


# -- response -> body ----------------------------------------------------------------------------

# Further keys that the SDK's type requires, for answers that came over another API.
_DEMANDED: Final[Mapping[str, Any]] = {
    "metadata": {},
    "parallel_tool_calls": True,
    "tool_choice": "auto",
    "tools": [],
}
_SIGNED: Final = frozenset({TextBlock, ToolCallBlock})
_ITEMS: Final = frozenset({ThinkingBlock, ToolCallBlock})


class ResponseWriter(BaseResponseWriter):
    """The encoder of one answer, and of the items of a stream."""

    STOP_WORDS: ClassVar[Mapping[str, StopReason]] = _STOP_WORDS
    STOPS: ClassVar[Mapping[StopReason, str]] = _STOPS
    DEFAULT_STOP: ClassVar[str] = _WHOLE
    RULES: ClassVar[Rules] = RULES

    def __init__(
        self, response: Response, losses: Losses, dialect: str, ids: IdSource | None = None
    ) -> None:
        super().__init__(response, losses, dialect, ids)
        self._service = SERVICES[dialect]
        self._blocks = BlockWriter(self.encoding, is_answer=True)
        self.items: ItemWriter = ItemWriter(self.encoding, self._blocks, is_answer=True)
        self.item_ids: dict[int, str] = {}
        """The ids of items that were made of blocks of another API, by the item's number."""
        self.taken_ids: set[str] = set()

    def answer(self) -> Any:
        """Return the body."""
        return self.whole(self._output(self.message.content))

    def whole(self, output: list[Any]) -> Any:
        """Return the body with these items."""
        message, response = self.message, self.response
        if response.alternatives:
            self.encoding.lose("candidates", response)
        if message.stop_sequence is not None:
            self.encoding.lose("stop sequence", message)
        self.encoding.lose_keys(message)
        word = self.stop_word(message)
        own = self._echoed()
        if response.extras is not None:
            own |= self.encoding.own_keys(response)
        strange = own.pop("status", None)
        status, details, error = word, None, None
        if strange is not None and _value(strange) == word:
            pass
        elif word not in _STATUSES:
            status, details = "incomplete", {"reason": word}
        elif word == "failed" and (
            "error" not in own or _error_in(own["error"]) != message.error_message
        ):
            own.pop("error", None)
            said = message.error_message or message.raw_stop_reason or ""
            if said != "failed" or message.api != wire.API:  # else it came without an error
                error = {"code": "server_error", "message": said}
        return self._body(status, details, error, output, self.usage(message.usage), own)

    def begun(self) -> Any:
        """Return the body of an answer that has just begun."""
        return self._body("in_progress", None, None, [], None, self._first_keys())

    def failed(self, error: Any) -> Any:
        """Return the body of an answer that an error ended; the items so far have been told."""
        return self._body("failed", None, error, [], None, self._first_keys())

    def _first_keys(self) -> dict[str, Raw]:
        extra = (self.response.extras or {}).get(wire.API)
        return self._echoed() | (_keys(extra.keys.text) if extra is not None else {})

    def _echoed(self) -> dict[str, Raw]:
        """Return the keys of the answer that repeat its request."""
        extra = (self.response.extras or {}).get(wire.API)
        if extra is None or extra.spelling is None:
            return {}
        return _keys(extra.spelling.text)

    def _body(
        self, status: str, details: Any, error: Any, output: list[Any], usage: Any, own: Any
    ) -> Any:
        response = self.response
        if abs(response.created_at or 0) > LATEST * 1000:
            self.encoding.fail(OUT_OF_RANGE, response, ".created_at")
        body: dict[str, Any] = {
            "id": self.id("resp_"),
            "object": own.get("object", "response"),
            "created_at": _seconds(response.created_at or 0, self.is_own()),
            "status": status,
            "error": error,
            "incomplete_details": details,
            "model": self.message.model or "",
            "output": output,
            "usage": usage,
        }
        for key in ("error", "incomplete_details"):
            if body[key] is None and key in own:
                del body[key]
        tier = response.service_tier
        if tier is not None:
            if self.is_own() or tier in self._service.tiers:
                body["service_tier"] = tier
            else:
                self.encoding.lose("service_tier", response)
        if not self.is_own():
            body |= {key: value for key, value in _DEMANDED.items() if key not in own}
        return with_keys(body, own) if own else body

    def meaning(self, raw: str, content: Sequence[Content]) -> StopReason:
        """Return what a stop reason of the wire means for an answer of this content."""
        return _meaning(raw, content)

    def usage(self, usage: Usage | None) -> Any:
        """Return the counts, None where there are none."""
        if usage is None:
            return None
        original = self.usage_json(usage, wire.Usage, read_counts)
        if original is not None:
            return original
        everything = usage.input + usage.cache_read + usage.cache_write
        counts: dict[str, Any] = {
            "input_tokens": everything,
            "input_tokens_details": {
                "cached_tokens": usage.cache_read,
                "cache_write_tokens": usage.cache_write,
            },
            "output_tokens": usage.output,
            "output_tokens_details": {"reasoning_tokens": usage.reasoning},
            "total_tokens": max(usage.total_tokens, everything + usage.output),
        }
        if usage.cost is not None and self._service.cost:
            counts["cost"] = usage.cost.total
        return counts

    # Items

    def _output(self, content: list[Content]) -> list[Any]:
        """Return the items of an answer."""
        out: list[Any] = []
        draft: Draft | None = None
        for block in content:
            if self.is_item(block):
                item = self.item(block, len(out))
                if item is not None:
                    out.append(item)
                    draft = None
                continue
            part = self.part(block)
            if part is None and type(block) is not TextBlock:
                continue  # a text without a part is a message without parts
            if draft is None or not self.items.goes_on(block):
                draft = self.draft(block, len(out))
                out.append(draft)
            if part is not None:
                draft.parts.append(part)
        return [self.items.message(each) if type(each) is Draft else each for each in out]

    def is_item(self, block: Content) -> bool:
        """Whether a block is an item of its own, and not a part of a message."""
        if type(block) is OpaqueBlock:
            return block.api == wire.API and self.items.is_item(block)
        return type(block) in _ITEMS

    def draft(self, block: Content, number: int) -> Draft:
        """Return the message that begins with this block, still without any part."""
        return self.items.draft(block, number, self.item_id("msg_", number))

    def part(self, block: Content) -> Any:
        """Return the part for a block, None if it is lost, or stands for an empty message."""
        self._lose_signed(block)
        return self._blocks.part(block, self.message)

    def item(self, block: Content, number: int) -> Any:
        """Return the item for a block that is not part of a message, None if it is lost."""
        self._lose_signed(block)
        item = self.items.item(block, self.message, partial(self._id_of, number))
        if type(block) is not OpaqueBlock or self.is_own():
            return item
        return self._distinct(item, key_of(block.raw, "id"), number)

    def _distinct(self, item: Any, given: Any, number: int) -> Any:
        """Return an item with an id that no other has: two images may be alike, or two calls."""
        if not isinstance(given, str):
            return item
        own = self.item_ids.get(number)
        if own is None:
            own = self.item_ids[number] = own_id(given, number, self.taken_ids)
        return item if own == given else {**shallow(item), "id": own}

    def _id_of(self, number: int, prefix: str) -> str:
        return self.item_id(prefix, number)

    def _lose_signed(self, block: Content) -> None:
        if type(block) in _SIGNED:
            self.lose_signature(block)


def _seconds(milliseconds: int, is_own: bool) -> int | float:
    """Return a time in seconds; only this API's own may be a fraction."""
    whole, rest = divmod(milliseconds, 1000)
    return milliseconds / 1000 if rest and is_own else whole


# -- body -> response ----------------------------------------------------------------------------

_OBJECT: Final = b'"response"'
_READ: Final = frozenset(
    {"id", "created_at", "status", "model", "output", "usage", "service_tier"}
    | {"incomplete_details", "error", "object"}
)
# Keys that repeat the request, or record how the service handled it: no loss on other wires.
_ECHOED: Final = frozenset(
    {"access_programs", "background", "billing", "completed_at", "frequency_penalty", "image"}
    | {"instructions", "max_output_tokens", "max_tool_calls", "metadata", "output_text"}
    | {"parallel_tool_calls", "presence_penalty", "previous_response_id", "prompt"}
    | {"prompt_cache_key", "prompt_cache_options", "prompt_cache_retention", "reasoning"}
    | {"safety_identifier", "store", "temperature", "text", "tool_choice", "tool_usage", "tools"}
    | {"top_logprobs", "top_p", "truncation", "user"}
)
_UNREAD: Final = tuple(name for name in wire.Response.__struct_fields__ if name not in _READ)
_ECHOES: Final = tuple(name for name in _UNREAD if name in _ECHOED)
_KEPT: Final = tuple(name for name in _UNREAD if name not in _ECHOED)


def read_answer(decoding: Decoding, content: list[Content] | None = None) -> Response:
    """Return the response that a body stands for; `content`, if given, replaces its output."""
    root: wire.Response = decoding.body.root
    if content is None:
        content = ItemReader(decoding, BlockReader(decoding)).answer(root.output or [])
    why = _why(root)
    raw = why if why is not None else root.status
    message = AssistantMessage(
        content,
        stop_reason=_meaning(raw, content) if raw is not None else None,
        model=root.model,
        usage=usage_of(root.usage, wire.API, wire.Usage, read_counts),
        api=wire.API,
        raw_stop_reason=raw,
    )
    created = root.created_at
    if created is not None and not -LATEST <= created <= LATEST:
        decoding.fail(OUT_OF_RANGE, root, ".created_at")
    return Response(
        message,
        id=root.id,
        created_at=round(created * 1000) if created else None,  # 0 means none
        service_tier=root.service_tier,
        extras=_extras(decoding, root, why),
    )


def _extras(decoding: Decoding, root: wire.Response, why: str | None) -> Extras | None:
    """Return the keys that have no field; those that echo the request, or are null, as spelling."""
    nested: dict[str, Any] = {}
    if not _is_null(root.object) and bytes(root.object) != _OBJECT:
        nested["object"] = root.object
    if root.status and root.status not in _STATUSES:
        nested["status"] = root.status
    if not _is_null(root.incomplete_details) and (why is None or _says_more(root)):
        nested["incomplete_details"] = root.incomplete_details
    unknown = residue(root, decoding.unknown) if decoding.unknown else {}
    nulls = {key: unknown.pop(key) for key in [*unknown] if unknown[key] == _NULL}
    echoed = nulls | given(root, _ECHOES)
    return decoding.extras_in(unknown | given(root, _KEPT) | nested, echoed)


def _says_more(root: wire.Response) -> bool:
    """Whether the details say more than a reason."""
    details = _keys(root.incomplete_details)
    return any(key != "reason" and not is_null(details[key]) for key in details)


def _is_null(raw: Any) -> bool:
    return raw is None or bytes(raw) == b"null"


def _why(root: wire.Response) -> str | None:
    """Return why an answer is incomplete, if it is and says so."""
    if root.status != "incomplete" or _is_null(root.incomplete_details):
        return None
    details = _value(root.incomplete_details)
    reason = details.get("reason") if isinstance(details, dict) else None
    return reason if isinstance(reason, str) and reason not in _STATUSES else None


def read_counts(usage: wire.Usage) -> Usage:
    """Return the counts of a usage object."""
    cached, written, thought = 0, 0, 0
    if usage.input_tokens_details is not None:
        cached = usage.input_tokens_details.cached_tokens or 0
        written = usage.input_tokens_details.cache_write_tokens or 0
    if usage.output_tokens_details is not None:
        thought = usage.output_tokens_details.reasoning_tokens or 0
    return Usage(
        input=max(0, (usage.input_tokens or 0) - cached - written),
        output=with_reasoning(usage.output_tokens or 0, thought),
        reasoning=thought,
        cache_read=cached,
        cache_write=written,
        total_tokens=usage.total_tokens or 0,
        cost=Cost(total=usage.cost) if usage.cost is not None else None,
    )


def _has_failed(body: Decoded) -> bool:
    """Whether an answer is an error, whatever of it came before."""
    return says_error({"error": body.root.error or _NULL})


RESPONSES: Final = ResponseCodec(
    RULES, wire.Response, ResponseWriter, read_answer, decode_error, has_failed=_has_failed
)
encode_response: Final = RESPONSES.encode_response
decode_response: Final = RESPONSES.decode_response
