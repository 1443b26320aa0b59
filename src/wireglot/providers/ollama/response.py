"""Response <-> the body of the answer to `POST /api/chat` of Ollama.

`prompt_eval_count` is the whole prompt, cached or not, and becomes `Usage.input`; `eval_count`
includes thinking. Neither cached tokens nor thinking are counted apart. A plain stop of an answer
with calls is `TOOL_USE`. Durations that did not come over this API are 0. The wire has no key for
the answer's id.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, ClassVar, Final

import msgspec
from msgspec import Raw

from ..._body.encode import encode_json as encode
from ..._body.objects import with_keys
from ...errors import quoted
from ...losses import Losses
from ...model import (
    AssistantMessage,
    Content,
    IdSource,
    Response,
    StopReason,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    Usage,
)
from .._across.stops import stop_of
from .._across.texts import joined
from .._across.usage import usage_of
from .._codecs.responses import BaseResponseWriter, ResponseCodec
from .._state.decoding import Decoding
from .._state.rules import Rules
from . import blocks, wire
from .errors import decode_error
from .losses import RULES
from .request import ROLES, keep_to_role

_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_text = msgspec.json.Decoder(str).decode
_STOP_WORDS: Final = {
    "stop": StopReason.STOP,
    "length": StopReason.LENGTH,
    "load": StopReason.STOP,
    "unload": StopReason.STOP,
}
_STOPS: Final = {
    StopReason.STOP: "stop",
    StopReason.LENGTH: "length",
    StopReason.TOOL_USE: "stop",
}


_NUMBERS: Final = (
    "total_duration",
    "load_duration",
    "prompt_eval_count",
    "prompt_eval_duration",
    "eval_count",
    "eval_duration",
)
"""What the last line always has; durations are in nanoseconds."""

# -- response -> body --------------------------------------------------------------------------


class ResponseWriter(BaseResponseWriter):
    """The encoder of one answer, and of the lines of a stream."""

    STOP_WORDS: ClassVar[Mapping[str, StopReason]] = _STOP_WORDS
    STOPS: ClassVar[Mapping[StopReason, str]] = _STOPS
    DEFAULT_STOP: ClassVar[str] = "stop"
    CALL_ID: ClassVar[str] = ""
    RULES: ClassVar[Rules] = RULES

    def __init__(
        self, response: Response, losses: Losses, dialect: str, ids: IdSource | None = None
    ) -> None:
        super().__init__(response, losses, dialect, ids)
        self._calls = 0

    def answer(self) -> Any:
        """Return the body."""
        message = self.message
        draft = blocks.Draft()
        for block in message.content:
            self.add(block, draft)
        return self.whole(self.encoding.with_extras(self.said(draft), message))

    def whole(self, said: Any) -> Any:
        """Return the body that has this message, with the stop reason and the counts.

        The API always sends counts and durations, and clients compute with them: an answer that did
        not come over it gets 0.
        """
        message = self.message
        if self.response.alternatives:
            self.encoding.lose("candidates", self.response)
        body = self.head() | {"message": said, "done": True}
        if message.stop_reason is not None or not self.is_own():
            body["done_reason"] = self.stop_word(message)
        keys = self.answer_keys()
        if not self.is_own():
            body |= {name: 0 for name in _NUMBERS if name not in keys}
        if message.usage is not None:
            body |= self._usage(message.usage)
        body = with_keys(body, keys) if keys else body
        return body | {key: raw for key, raw in self._spelled().items() if key == "done"}

    def head(self) -> dict[str, Any]:
        """Return the keys that are known before the content."""
        created_at: Any = _timestamp(self.response.created_at)
        if created_at is None:
            self.encoding.fail(
                "time out of range, expected the years 1 to 9999", self.response, ".createdAt"
            )
        came = self._spelled().get("created_at")
        if came is not None and _milliseconds(_text(came)) == self.response.created_at:
            created_at = came
        return {"model": self.message.model or "", "created_at": created_at}

    def said(self, draft: blocks.Draft) -> dict[str, Any]:
        """Return the message, or a piece of it."""
        message: dict[str, Any] = {"role": "assistant", "content": self.joined(draft.texts)}
        if draft.thoughts:
            message["thinking"] = self.joined(draft.thoughts)
        if draft.images:
            message["images"] = draft.images
        if draft.calls:
            message["tool_calls"] = draft.calls
        return message

    def joined(self, texts: list[str]) -> str:
        """Return texts as one; those of an own answer are pieces of it."""
        return "".join(texts) if self.is_own() else joined(texts)

    def add(self, block: Content, draft: blocks.Draft) -> None:
        """Add a block to the draft."""
        self.lose_signature(block)
        if type(block) is ToolCallBlock:
            draft.calls.append(self._call(block))
        else:
            blocks.add(block, draft, self.encoding)

    def lose_beside(self, block: TextBlock | ThinkingBlock) -> None:
        """Report what a block has that its deltas did not tell."""
        self.lose_signature(block)
        self.encoding.lose_rest(block)
        self.encoding.lose_keys(block)

    def _call(self, block: ToolCallBlock) -> Any:
        arguments = blocks.arguments(block, self.encoding)
        function: dict[str, Any] = {"name": block.name, "arguments": arguments}
        if not self.is_own():
            function = {"index": self._calls, **function}
        self._calls += 1
        call = {"id": block.id, "function": function} if block.id else {"function": function}
        return self.encoding.with_extras(call, block)

    def _spelled(self) -> dict[str, Raw]:
        extra = (self.response.extras or {}).get(wire.API)
        if extra is None or extra.spelling is None:
            return {}
        return _keys(extra.spelling.text)

    def _usage(self, usage: Usage) -> dict[str, Any]:
        came = self.usage_json(usage, wire.Usage, read_counts)
        if came is not None:
            return _keys(came)
        inputs = usage.input + usage.cache_read + usage.cache_write
        return {"prompt_eval_count": inputs, "eval_count": usage.output}


# -- body -> response --------------------------------------------------------------------------

_KEPT: Final = ("logprobs",)
_ECHOED: Final = (
    *(name for name in _NUMBERS if name.endswith("_duration")),
    "remote_model",
    "remote_host",
)


def _answer(decoding: Decoding) -> Response:
    """Return the response that a body stands for."""
    root: wire.Response = decoding.body.root
    message = _message(root.message, decoding)
    raw = root.done_reason
    if raw is not None:
        message.raw_stop_reason = raw
        message.stop_reason = stop_of(_STOP_WORDS, raw, message.content)
    message.model = root.model
    came = {"prompt_eval_count": root.prompt_eval_count, "eval_count": root.eval_count}
    came = {key: count for key, count in came.items() if count is not None}
    if came:
        message.usage = usage_of(Raw(encode(came)), wire.API, wire.Usage, read_counts)
    created_at = _milliseconds(root.created_at)
    spelling: dict[str, Any] = {}
    if root.created_at is not None and _timestamp(created_at) != root.created_at:
        spelling["created_at"] = root.created_at
    if not root.done:
        spelling["done"] = False
    extras = decoding.answer_extras(root, _KEPT, _ECHOED, spelling)
    return Response(message, created_at=created_at, extras=extras)


def _message(part: wire.Message, decoding: Decoding) -> AssistantMessage:
    """Return the message, with its calls; one without an id gets it from the whole answer."""
    if part.role.lower() != "assistant":
        decoding.fail(f"{quoted(part.role)}, expected `assistant`", part, ".role")
    keep_to_role(part, ROLES["assistant"], decoding)
    content = blocks.content(part, "assistant", decoding)
    content += [blocks.block_of_call(call, decoding) for call in part.tool_calls or ()]
    message = AssistantMessage(content, api=wire.API, extras=decoding.extras(part))
    decoding.unknown.pop(id(part), None)  # they are with the message now
    return message


def read_counts(came: wire.Usage) -> Usage:
    """Return the counts of an answer."""
    return Usage(input=came.prompt_eval_count or 0, output=came.eval_count or 0)


# -- times -------------------------------------------------------------------------------------

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND: Final = timedelta(milliseconds=1)


def _milliseconds(time: str | None) -> int | None:
    """Return a time in RFC 3339 as milliseconds since the epoch, None if it is malformed."""
    try:
        found = msgspec.convert(time, datetime)
    except msgspec.ValidationError:
        return None
    if found.tzinfo is None:
        found = found.replace(tzinfo=UTC)
    return (found - _EPOCH) // _MILLISECOND


def _timestamp(milliseconds: int | None) -> str | None:
    """Return a time in RFC 3339, None before the year 1 or after 9999; no time is the epoch."""
    try:
        time = _EPOCH + _MILLISECOND * (milliseconds or 0)
    except OverflowError:
        return None
    precision = "milliseconds" if time.microsecond else "seconds"
    return time.isoformat(timespec=precision).replace("+00:00", "Z")


RESPONSES: Final = ResponseCodec(RULES, wire.Response, ResponseWriter, _answer, decode_error)
encode_response: Final = RESPONSES.encode_response
decode_response: Final = RESPONSES.decode_response
