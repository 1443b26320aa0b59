"""Response <-> the JSON of Ollama's chat, the body of the answer to `POST /api/chat`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, ClassVar, Final

import msgspec
from msgspec import Raw, Struct

from ...losses import Losses
from ...model import (
    AnnotationBlock,
    AssistantMessage,
    AudioBlock,
    Content,
    DataBlock,
    DocumentBlock,
    ErrorBlock,
    Extra,
    ImageBlock,
    OpaqueBlock,
    RawJson,
    Response,
    StopReason,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    ToolResultBlock,
    Usage,
    VideoBlock,
)
from .._answers import ResponseWriter, answer_bytes, answer_extras, stop_of, usage_of
from .._reading import read_with
from .._waiting import prefix_of
from .._writing import check_dialect, encode, inline
from ..losses import losses_of
from . import wire
from .reading import MessageReader
from .request import DIALECTS

__all__ = ["AnswerWriter", "Draft", "answer", "decode_response", "encode_response"]

STOP_WORDS: Final = {
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
_usage_of = msgspec.json.Decoder(wire.Usage).decode
_keys = msgspec.json.Decoder(dict[str, Raw]).decode


def decode_response(
    data: bytes | bytearray | memoryview | str,
    *,
    dialect: str = DIALECTS[0],
    losses: Losses = None,
) -> Response:
    """Decode an answer.

    The server counts the whole prompt, cached or not, as `prompt_eval_count`, which is our input,
    and thinking inside `eval_count`; it tells neither apart. An answer with calls ends for them,
    whatever the server says. Lone surrogates are an error, or with a list of losses U+FFFD and a
    loss.

    Raises `DecodeError`.
    """
    check_dialect(dialect, DIALECTS, "ollama")
    return read_with(
        lambda body: answer(MessageReader(body, dialect)), wire.Answer, data, "ollama", losses
    )


def encode_response(
    response: Response, losses: Losses = None, *, dialect: str = DIALECTS[0]
) -> bytes:
    """Encode `response` as the server would have sent it, with no durations but its own.

    The wire has no id of an answer.

    Raises `LossError` if a part of it has no place on this wire and `losses` is None.
    """
    return answer_bytes(lambda r, found: AnswerWriter(r, found, dialect), response, losses)


def answer(reader: MessageReader) -> Response:
    """Return the response that a body stands for."""
    root: wire.Answer = reader.body.root
    reader.prefix = prefix_of(root.created_at)  # which is to the nanosecond; there is no id
    message = reader.message(root.message)
    if type(message) is not AssistantMessage:
        reader._fail("expected `assistant`", root.message, ".role")
    reader._unknown.pop(id(root.message), None)  # they are with the message now
    raw = root.done_reason
    if raw is not None:
        message.raw_stop_reason = raw
        message.stop_reason = stop_of(STOP_WORDS, raw, message.content)
    message.model = root.model
    counts = {"prompt_eval_count": root.prompt_eval_count, "eval_count": root.eval_count}
    counts = {key: count for key, count in counts.items() if count is not None}
    if counts:
        message.usage = usage_of(Raw(encode(counts)), wire.API, _usage)
    created_at = _milliseconds(root.created_at)
    extras = answer_extras(reader, root, _KEPT, _ECHOED)
    spelling: dict[str, Any] = {}
    if root.created_at is not None and _time(created_at) != root.created_at:
        spelling["created_at"] = root.created_at
    if not root.done:
        spelling["done"] = False
    if spelling:
        extra = (extras or {}).get(wire.API) or Extra(RawJson(b"{}"))
        echoed = _keys(extra.spelling.text) if extra.spelling is not None else {}
        extra.spelling = RawJson(encode({**echoed, **spelling}))
        extras = {wire.API: extra}
    return Response(message, created_at=created_at, extras=extras)


def _usage(raw: Raw) -> Usage:
    came = _usage_of(raw)
    return Usage(input=came.prompt_eval_count or 0, output=came.eval_count or 0)


def _milliseconds(time: str | None) -> int | None:
    """Return a time in RFC 3339 as milliseconds since the epoch, None where it is none."""
    try:
        found = msgspec.convert(time, datetime)
    except msgspec.ValidationError:
        return None
    if found.tzinfo is None:
        found = found.replace(tzinfo=UTC)
    return (found - _EPOCH) // _MILLISECOND


def _time(milliseconds: int | None) -> str | None:
    """Return a time in RFC 3339; none before the year 1 and after 9999."""
    try:
        time = _EPOCH + _MILLISECOND * (milliseconds or 0)
    except OverflowError:
        return None
    precision = "milliseconds" if time.microsecond else "seconds"
    return time.isoformat(timespec=precision).replace("+00:00", "Z")


class Draft(Struct):
    """What the blocks of an answer, or of a piece of it, come to."""

    texts: list[str] = []
    thoughts: list[str] = []
    images: list[Any] = []
    calls: list[Any] = []


class AnswerWriter(ResponseWriter):
    """The encoder of one answer, and of the lines of a stream."""

    WIRE: ClassVar[str] = "ollama"
    API: ClassVar[str] = wire.API
    LOSSES = losses_of("ollama")
    SPOKEN: ClassVar[tuple[str, ...]] = DIALECTS
    STOP_WORDS: ClassVar[Mapping[str, StopReason]] = STOP_WORDS
    STOPS: ClassVar[Mapping[StopReason, str]] = _STOPS
    DEFAULT_STOP: ClassVar[str] = "stop"

    def __init__(self, response: Response, losses: Losses, dialect: str) -> None:
        super().__init__(response, losses, dialect)
        self._calls = 0
        self.glue = "" if self.is_own() else "\n"
        """What stands between two texts: our own came in pieces, those of others are lines."""

    def answer(self) -> Any:
        """Return the body."""
        message = self._message
        draft = Draft()
        for block in message.content:
            self.add(block, draft)
        return self.whole(self._with_extras(self.said(draft), message))

    def whole(self, said: Any) -> Any:
        """Return the answer that ends with this message."""
        message = self._message
        if self._response.alternatives:
            self._lose("candidates", self._response)
        made = self.head() | {"message": said, "done": True}
        if message.stop_reason is not None or not self.is_own():
            made["done_reason"] = self.stop_word(message)
        if message.usage is not None:
            made |= self.usage(message.usage)
        made = self.with_answer_extras(made)
        return made | {key: raw for key, raw in self._spelled().items() if key == "done"}

    def head(self) -> dict[str, Any]:
        """Return the keys that are known before the content."""
        created_at: Any = _time(self._response.created_at)
        if created_at is None:
            self._fail("a time beyond the year 9999", self._response, ".createdAt")
        came = self._spelled().get("created_at")
        if came is not None and _milliseconds(_text(came)) == self._response.created_at:
            created_at = came
        return {"model": self._message.model or "", "created_at": created_at}

    def _spelled(self) -> dict[str, Raw]:
        extra = (self._response.extras or {}).get(self.API)
        return _keys(extra.spelling.text) if extra is not None and extra.spelling else {}

    def usage(self, usage: Usage) -> dict[str, Any]:
        """Return the counts."""
        came = self.usage_json(usage, _usage)
        if came is not None:
            return _keys(came)
        inputs = usage.input + usage.cache_read + usage.cache_write
        return {"prompt_eval_count": inputs, "eval_count": usage.output}

    # -- blocks --------------------------------------------------------------------------------

    def said(self, draft: Draft) -> dict[str, Any]:
        """Return the message, or a piece of it."""
        made: dict[str, Any] = {"role": "assistant", "content": self.glue.join(draft.texts)}
        if draft.thoughts:
            made["thinking"] = self.glue.join(draft.thoughts)
        if draft.images:
            made["images"] = draft.images
        if draft.calls:
            made["tool_calls"] = draft.calls
        return made

    def add(self, block: Content, draft: Draft) -> None:
        """Add what stands for a block."""
        write = _BLOCKS.get(type(block))
        if write is None:
            self._fail(f"`{type(block).__name__}` is no block", block)
        write(self, block, draft)
        if type(block) is not ToolCallBlock:  # no other block is an object on this wire
            self._lose_keys(block)

    def lose_beside(self, block: TextBlock | ThinkingBlock) -> None:
        """Report what stands beside the words of a block."""
        if type(block) is TextBlock and block.annotations:
            self._lose("annotation", block)
        if block.signature is not None:
            self._lose("signature", block)

    def _text(self, block: TextBlock, draft: Draft) -> None:
        self.lose_beside(block)
        if block.text:
            draft.texts.append(block.text)

    def _thinking(self, block: ThinkingBlock, draft: Draft) -> None:
        text = block.thinking or "\n".join(block.details or ())
        if text:
            self.lose_beside(block)
            draft.thoughts.append(text)
        elif block.redacted or block.signature:
            self._lose("redacted thinking", block)

    def _call(self, block: ToolCallBlock, draft: Draft) -> None:
        if block.signature is not None:
            self._lose("signature", block)
        arguments = block.arguments.object_json()
        if arguments is None:
            self._lose("arguments", block)
            text = block.arguments.text.decode("utf-8", "replace")
            arguments = Raw(encode({"raw_arguments": text}))
        function: dict[str, Any] = {"name": block.name, "arguments": arguments}
        if not self.is_own():
            function = {"index": self._calls, **function}
        self._calls += 1
        made = {"id": block.id, "function": function} if block.id else {"function": function}
        draft.calls.append(self._with_extras(made, block))

    def _image(self, block: ImageBlock, draft: Draft) -> None:
        media = inline(block)
        if media is None:
            self._lose("image", block)
        else:
            draft.images.append(media)

    def _error(self, block: ErrorBlock, draft: Draft) -> None:
        self._lose("error", block)
        if block.message:
            draft.texts.append(block.message)

    def _other(self, block: Any, draft: Draft) -> None:
        self._lose("answer content", block)
        words = getattr(block, "transcript", None)
        if words:
            draft.texts.append(words)

    def _annotation(self, block: AnnotationBlock, _: Draft) -> None:
        self._lose("annotation", block)

    def _opaque_block(self, block: OpaqueBlock, _: Draft) -> None:
        self._lose("opaque block", block)


_text = msgspec.json.Decoder(str).decode

_BLOCKS: Final[dict[type, Callable[[AnswerWriter, Any, Draft], None]]] = {
    TextBlock: AnswerWriter._text,
    ThinkingBlock: AnswerWriter._thinking,
    ToolCallBlock: AnswerWriter._call,
    ImageBlock: AnswerWriter._image,
    ErrorBlock: AnswerWriter._error,
    AudioBlock: AnswerWriter._other,
    VideoBlock: AnswerWriter._other,
    DocumentBlock: AnswerWriter._other,
    DataBlock: AnswerWriter._other,
    ToolResultBlock: AnswerWriter._other,
    AnnotationBlock: AnswerWriter._annotation,
    OpaqueBlock: AnswerWriter._opaque_block,
}
