"""Response -> the body of the answer to `POST /api/chat`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Final

import msgspec
from msgspec import Raw, Struct

from ...losses import Losses
from ...model import (
    AnnotationBlock,
    AudioBlock,
    Content,
    DataBlock,
    DocumentBlock,
    ErrorBlock,
    IdSource,
    ImageBlock,
    OpaqueBlock,
    Response,
    StopReason,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    ToolResultBlock,
    Usage,
    VideoBlock,
)
from .._answers import ResponseWriter, answer_bytes
from .._writing import encode, inline
from ..losses import losses_of
from . import wire
from .request import DIALECTS
from .response import STOP_WORDS, counts, milliseconds, timestamp

__all__ = ["AnswerWriter", "Draft", "encode_response"]

_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_text = msgspec.json.Decoder(str).decode
_STOPS: Final = {
    StopReason.STOP: "stop",
    StopReason.LENGTH: "length",
    StopReason.TOOL_USE: "stop",
}


def encode_response(
    response: Response,
    losses: Losses = None,
    *,
    dialect: str = DIALECTS[0],
    ids: IdSource | None = None,
) -> bytes:
    """Encode `response` as the server would have sent it.

    Durations are written only if they came over this API. The wire has no key for the id.

    Raises `LossError` if a part of it has no place on this wire and `losses` is None.
    """
    return answer_bytes(lambda r, found: AnswerWriter(r, found, dialect, ids), response, losses)


class Draft(Struct):
    """The content of an answer, or of a line of a stream, by the key that it is written under."""

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
    CALL_ID: ClassVar[str] = ""

    def __init__(
        self, response: Response, losses: Losses, dialect: str, ids: IdSource | None = None
    ) -> None:
        super().__init__(response, losses, dialect, ids)
        self._calls = 0
        self.glue = "" if self.is_own() else "\n"
        """The separator of two texts: an own answer's are pieces of one text, others are lines."""

    def answer(self) -> Any:
        """Return the body."""
        message = self._message
        draft = Draft()
        for block in message.content:
            self.add(block, draft)
        return self.whole(self._with_extras(self.said(draft), message))

    def whole(self, said: Any) -> Any:
        """Return the body that has this message, with the stop reason and the counts."""
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
        created_at: Any = timestamp(self._response.created_at)
        if created_at is None:
            self._fail("a time beyond the year 9999", self._response, ".createdAt")
        came = self._spelled().get("created_at")
        if came is not None and milliseconds(_text(came)) == self._response.created_at:
            created_at = came
        return {"model": self._message.model or "", "created_at": created_at}

    def _spelled(self) -> dict[str, Raw]:
        extra = (self._response.extras or {}).get(self.API)
        return _keys(extra.spelling.text) if extra is not None and extra.spelling else {}

    def usage(self, usage: Usage) -> dict[str, Any]:
        """Return the counts."""
        came = self.usage_json(usage, wire.Usage, counts)
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
        """Add a block to the draft."""
        write = _BLOCKS.get(type(block))
        if write is None:
            self._fail(f"`{type(block).__name__}` is no block", block)
        write(self, block, draft)
        if type(block) is not ToolCallBlock:  # no other block is an object on this wire
            self._lose_keys(block)

    def lose_beside(self, block: TextBlock | ThinkingBlock) -> None:
        """Report the annotations and the signature of a block."""
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
