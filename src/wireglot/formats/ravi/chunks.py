"""What Ravi streams: pieces of text and reasoning, the whole answer, the structured output.

In V2 they are plain objects; their JSON is V3's, with `chunk_type`.

Source: Ravikumarchavva/agent-framework, `src/ravi/core/messages/_types.py` at 4375c21f (V2) and
3b7dd0a6 (V3).
"""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from msgspec import field
from msgspec.structs import replace

from ...errors import DecodeError
from .._records import Record
from . import wire
from .system import WIRE
from .types import AssistantMessage

__all__ = [
    "CompletionChunk",
    "ReasoningDeltaChunk",
    "StreamChunk",
    "StructuredOutputChunk",
    "StructuredOutputResult",
    "TextDeltaChunk",
]


class StructuredOutputResult(Record):
    """Structured output: the value parsed from the model's text, and the text.

    `parsed` is plain data, None if the text is not what was asked for; `refusal` is the model's
    text if it would not answer; `model` is its name.
    """

    parsed: Any = None
    raw_text: str = ""
    refusal: str | None = None
    model: str | None = None

    @property
    def ok(self) -> bool:
        """Whether there is an output."""
        return self.parsed is not None and self.refusal is None

    @property
    def refused(self) -> bool:
        """Whether the model would not answer."""
        return self.refusal is not None

    def unwrap(self) -> Any:
        """Return `parsed`. Raises `DecodeError` if there is no output."""
        if self.ok:
            return self.parsed
        reason = (
            f"the model refused: {self.refusal}"
            if self.refused
            else "no structured output, expected one"
        )
        raise DecodeError(reason, wire=WIRE)


class _Chunk(Record, tag_field="chunk_type"):
    @property
    def data(self) -> str | None:
        """The text of a piece of text, else None."""
        return None

    def _written(self, metadata: dict[str, Any], **more: Any) -> wire.Chunk:
        tag = str(self.__struct_config__.tag)
        return wire.Chunk(chunk_type=tag, metadata=metadata, unknown=self.unknown, **more)


class TextDeltaChunk(_Chunk, tag="text_delta"):
    """A piece of the answer's text."""

    type: ClassVar[Literal["text_delta"]] = "text_delta"
    chunk_type: ClassVar[Literal["text_delta"]] = "text_delta"

    text: str
    metadata: dict[str, Any] = field(default_factory=dict)

    @property
    def data(self) -> str:
        """The text."""
        return self.text

    def written(self) -> wire.Chunk:
        """Return the object that goes on the wire."""
        return self._written(self.metadata, text=self.text)


class ReasoningDeltaChunk(_Chunk, tag="reasoning_delta"):
    """A piece of the model's reasoning."""

    type: ClassVar[Literal["reasoning_delta"]] = "reasoning_delta"
    chunk_type: ClassVar[Literal["reasoning_delta"]] = "reasoning_delta"

    text: str
    metadata: dict[str, Any] = field(default_factory=dict)

    @property
    def data(self) -> str:
        """The text."""
        return self.text

    def written(self) -> wire.Chunk:
        """Return the object that goes on the wire."""
        return self._written(self.metadata, text=self.text)


class CompletionChunk(_Chunk, tag="completion"):
    """The whole answer, at the end. Its message is written as V3, like the chunk.

    An `id` that a program's message of V2 has is not written.
    """

    type: ClassVar[Literal["completion"]] = "completion"
    chunk_type: ClassVar[Literal["completion"]] = "completion"

    message: AssistantMessage
    metadata: dict[str, Any] = field(default_factory=dict)

    def written(self) -> wire.Chunk:
        """Return the object that goes on the wire."""
        message = self.message
        if message.version != "v3":
            message = replace(message, version="v3", id=None)
        return self._written(self.metadata, message=message.written())


class StructuredOutputChunk(_Chunk, tag="structured_output"):
    """The structured output, at the end of a run that was asked for one."""

    type: ClassVar[Literal["structured_output"]] = "structured_output"
    chunk_type: ClassVar[Literal["structured_output"]] = "structured_output"

    result: StructuredOutputResult
    metadata: dict[str, Any] = field(default_factory=dict)

    def written(self) -> wire.Chunk:
        """Return the object that goes on the wire."""
        return self._written(self.metadata, result=self.result)


StreamChunk = TextDeltaChunk | ReasoningDeltaChunk | CompletionChunk | StructuredOutputChunk
"""A chunk of a stream, told apart by `chunk_type`."""
