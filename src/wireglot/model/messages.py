"""Messages that may reach an LLM, a union tagged by `role`."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

from msgspec import field
from msgspec.structs import astuple, replace

from ..errors import EncodeError, unknown
from .accepted import ListOf, written_empty
from .base import Extras, Node, only, only_text
from .blocks import (
    AudioBlock,
    Content,
    DocumentBlock,
    ImageBlock,
    MediaBlock,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    ToolResultBlock,
    VideoBlock,
    joined_text,
)
from .enums import StopReason
from .ids import now_ms
from .media import Media, MediaSource, media_of_text
from .place import NOWHERE, PLACE, ProvenanceHint, Tag, TurnId
from .usage import Usage

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = [
    "AssistantMessage",
    "Message",
    "SystemMessage",
    "ToolMessage",
    "ToolResultMessage",
    "UserMessage",
]

MediaKind = Literal["image", "audio", "video", "document"]

_MEDIA_BLOCKS: dict[str, type[MediaBlock]] = {
    "image": ImageBlock,
    "audio": AudioBlock,
    "video": VideoBlock,
    "document": DocumentBlock,
}


class _Conversational(Node, kw_only=True):
    """Base of the messages that may reach an LLM; each has a `content`, which comes first.

    The fields here are the message's place in a session (phi-core). They come last on the wire, and
    never reach an LLM.
    """

    turn_id: TurnId | None = None
    node_id: int | None = None
    parent_id: int | None = None
    tags: list[Tag] | None = None
    provenance_hint: ProvenanceHint | None = None

    def __reduce__(self) -> Any:
        """Pickle and copy by position: by name, as msgspec does it here, takes longer."""
        if type(self) not in _KINDS:  # a subclass, whose constructor is its own
            return super().__reduce__()
        values = astuple(self)
        own, place = values[: -len(PLACE)], values[-len(PLACE) :]
        return (type(self), own) if place == NOWHERE else (_placed, (type(self), own, place))

    def as_llm(self) -> Self:
        """Return self: it may reach an LLM."""
        return self

    def with_turn_id(self, turn_id: TurnId | None) -> Self:
        """Return the same message in another turn; None clears it."""
        return replace(self, turn_id=turn_id)

    def text(self: Any) -> str:
        """Return the text of the text blocks and tool results, in order, without a separator."""
        return joined_text(self.content)

    def attach_media(self: Any, ref: MediaBlock | MediaSource, as_type: MediaKind) -> None:
        """Append `ref` as an image, audio, video or document block.

        A `str` is a URL, which may be a `data:` URL, or base64 whose first bytes show `as_type`. A
        `Path` is read as `from_file` reads it. A block of another kind is converted: its source and
        the fields that both kinds have are kept.

        Raises `EncodeError` for any other `as_type` or `str` (a path, other base64), or if a text
        document is to become another kind.
        """
        kind = _MEDIA_BLOCKS.get(as_type)
        if kind is None:
            raise EncodeError(unknown("kind of media", as_type, _MEDIA_BLOCKS), wire="model")
        message = self  # a type checker takes an assignment to `self` for a declaration
        message.content = [*message.content, _media_block(kind, ref, "$.ref")]


def _placed(kind: type[_Conversational], own: tuple[Any, ...], place: tuple[Any, ...]) -> Any:
    """Return a message of its own fields and its place, for pickle."""
    return kind(*own, **dict(zip(PLACE, place, strict=True)))


class SystemMessage(_Conversational, tag_field="role", tag="system"):
    """Instructions. Those before the first message of another role are the system prompt."""

    role: ClassVar[Literal["system"]] = "system"

    content: ListOf[Content]
    timestamp: int | None = None
    id: str | int | None = None
    name: str | None = None
    metadata: dict[str, Any] | None = None
    extras: Extras | None = None

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Return a message of one text block, without a timestamp: a prompt is not an event.

        Raises `EncodeError` for what is not text, as every `from_text` does.
        """
        only_text(text=text)
        return cls([TextBlock(text)])


class UserMessage(_Conversational, tag_field="role", tag="user"):
    """What the user says. `timestamp` is in milliseconds since the Unix epoch.

    `delta` marks a part of a message that is still arriving (PyAgenity).
    """

    role: ClassVar[Literal["user"]] = "user"

    content: ListOf[Content]
    timestamp: int | None = None
    id: str | int | None = None
    name: str | None = None
    delta: bool = False
    metadata: dict[str, Any] | None = None
    extras: Extras | None = None

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Return a message of one text block, with the current time."""
        only_text(text=text)
        return cls([TextBlock(text)], now_ms())

    @classmethod
    def with_images(cls, text: str, images: Iterable[ImageBlock | MediaSource | Image]) -> Self:
        """Return a message of the text and a block per image, with the current time.

        A `str` is a URL, or base64 of an image; a `Path` is read as by `ImageBlock.from_file`.

        Raises `EncodeError` for any other `str`, such as a path: see `ImageBlock.from_file`.
        """
        only_text(text=text)
        return cls([TextBlock(text), *_media_blocks(ImageBlock, images, "images")], now_ms())

    @classmethod
    def with_audio(cls, text: str, clips: Iterable[AudioBlock | MediaSource]) -> Self:
        """Return a message of the text and a block per clip, with the current time.

        Strings and paths are as in `with_images`.
        """
        only_text(text=text)
        return cls([TextBlock(text), *_media_blocks(AudioBlock, clips, "clips")], now_ms())


class AssistantMessage(_Conversational, tag_field="role", tag="assistant"):
    """What the model answered.

    `stop_reason` is the canonical reason, `raw_stop_reason` the provider's own word for it. `api`
    is the wire that the message came over (`anthropic-messages`), and the API that its signatures
    belong to; `provider` is the service that ran the model. `timestamp` is in milliseconds since
    the Unix epoch. `cached` marks an answer from a cache, `delta` a part of an answer, `parsed` is
    structured output, `raw` the provider's response.
    """

    role: ClassVar[Literal["assistant"]] = "assistant"

    content: ListOf[Content]
    stop_reason: StopReason | None = None
    model: str | None = None
    provider: str | None = None
    usage: Usage | None = None
    timestamp: int | None = None
    error_message: str | None = field(default=None, name="error_message")
    api: str | None = None
    raw_stop_reason: str | None = None
    stop_sequence: str | None = None
    id: str | int | None = None
    name: str | None = None
    cached: bool = False
    delta: bool = False
    parsed: Any = None
    raw: Any = None
    metadata: dict[str, Any] | None = None
    extras: Extras | None = None

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Return an answer of one text block, with the current time."""
        only_text(text=text)
        return cls([TextBlock(text)], timestamp=now_ms())

    def tool_calls(self) -> list[ToolCallBlock]:
        """Return the tool calls, in order."""
        return [block for block in self.content if type(block) is ToolCallBlock]

    def thinking(self) -> list[ThinkingBlock]:
        """Return the thinking blocks, in order."""
        return [block for block in self.content if type(block) is ThinkingBlock]

    def is_context_overflow(self) -> bool:
        """Whether this is an error whose text says that the input was too long.

        The phrases of many providers are known.
        """
        if self.stop_reason != StopReason.ERROR or not self.error_message:
            return False
        said = self.error_message.lower()
        return any(words in said for words in OVERFLOW_WORDS)


class ToolResultMessage(_Conversational, tag_field="role", tag="toolResult"):
    """One tool result as a message, with the fields of `ToolResultBlock`.

    The role is phi-core's; `ToolMessage` holds a batch of results.
    """

    role: ClassVar[Literal["toolResult"]] = "toolResult"

    tool_call_id: str
    tool_name: str | None = None
    content: ListOf[Content] = written_empty()
    is_error: bool = field(default_factory=bool)  # a plain default would be omitted
    timestamp: int | None = None
    child_loop_id: str | None = None
    status: str | None = None
    details: Any = None
    terminate: bool = False
    id: str | int | None = None
    metadata: dict[str, Any] | None = None
    extras: Extras | None = None

    @classmethod
    def from_text(cls, tool_call_id: str, text: str, *, is_error: bool = False) -> Self:
        """Return the result of one call, one text block, with the current time."""
        only_text(tool_call_id=tool_call_id, text=text)
        content: list[Content] = [TextBlock(text)]
        return cls(tool_call_id, content=content, is_error=is_error, timestamp=now_ms())


class ToolMessage(_Conversational, tag_field="role", tag="tool"):
    """The results of one batch of calls, a `ToolResultBlock` each.

    The role is PyAgenity's and Operator-Use's; `ToolResultMessage` is one result.
    """

    role: ClassVar[Literal["tool"]] = "tool"

    content: ListOf[Content]
    timestamp: int | None = None
    id: str | int | None = None
    name: str | None = None
    delta: bool = False
    metadata: dict[str, Any] | None = None
    extras: Extras | None = None

    @classmethod
    def from_results(cls, results: Sequence[ToolResultBlock]) -> Self:
        """Return all results of a batch in one message, with the current time.

        Raises `EncodeError` for what is not a result.
        """
        made: list[Content] = [*results]
        for i, result in enumerate(made):
            only(ToolResultBlock, result, f"$.results[{i}]")
        return cls(made, now_ms())

    @classmethod
    def from_result(cls, result: ToolResultBlock) -> Self:
        """Return a batch of one, with the current time. Raises `EncodeError` as `from_results`."""
        only(ToolResultBlock, result, "$.result")
        return cls([result], now_ms())


Message = SystemMessage | UserMessage | AssistantMessage | ToolResultMessage | ToolMessage
"""A message that may reach an LLM. No session-only message can become one."""
_KINDS = frozenset(Message.__args__)


# The words that providers use for "the input was too long": phi-core's (0.10.0, src/types), and
# those of Anthropic, Bedrock and OpenAI, and of the servers Ollama, SGLang and vLLM.
OVERFLOW_WORDS = (
    "prompt is too long",
    "input is too long",
    "exceeds the context window",
    "exceeds the maximum",
    "maximum prompt length",
    "reduce the length of the messages",
    "exceeds the limit of",
    "exceeds the available context size",
    "greater than the context length",
    "context window exceeds limit",
    "exceeded model token limit",
    "context length exceeded",
    "max context length",
    "maximum context length",
    "exceeds the context length",
    "context_length_exceeded",
    "too many tokens",
    "token limit exceeded",
    "input tokens exceeded",
    "input tokens exceed the configured limit",
    "exceed context limit",
    "too many input tokens",
    "longer than the maximum model length",
    "longer than the model's context length",
)


def _media_blocks(kind: type[MediaBlock], refs: Iterable[Any], name: str) -> list[Any]:
    return [_media_block(kind, ref, f"$.{name}[{i}]") for i, ref in enumerate(refs)]


def _media_block(kind: type[MediaBlock], ref: Any, path: str) -> Any:
    if type(ref) is kind:
        return ref
    if isinstance(ref, MediaBlock):
        set_fields = {n: v for n in ref.__struct_fields__ if (v := getattr(ref, n)) is not None}
        if "text" in set_fields and kind is not type(ref):
            raise EncodeError(
                f"document of text as a `{kind.__name__}`, expected bytes or a URL", wire="model"
            )
        return kind(**{n: v for n, v in set_fields.items() if n in kind.__struct_fields__})
    if isinstance(ref, os.PathLike):
        return kind.from_file(ref)
    if isinstance(ref, str):
        media = media_of_text(ref, str(kind.__struct_config__.tag), wire="model", path=path)
        if media is None:
            return kind(url=ref)
    else:
        media = Media.of(ref)
    return kind(data=media, mime_type=media.mime_type)
