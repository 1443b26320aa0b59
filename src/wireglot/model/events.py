"""The events of a stream, which are the same for every provider.

A stream is `StreamStart`, then for each block `BlockStart`, its deltas and `BlockEnd`, then
`StreamEnd`. `index` is the block's position in the message's content. Several blocks may be open at
once, where a server sends them so. A block without deltas (an image, an opaque block) comes whole
in its `BlockEnd`. A provider's error is `StreamFailure`, and is the last event. What a wire sends
that none of these can say is an `OpaqueEvent`, at any place before the last.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

from ..errors import DecodeError, ProviderError
from .accepted import NOTHING
from .base import Node, adopting
from .blocks import AnnotationRef, Content
from .rawjson import MaybeRawValue, RawJson, RawValue, optional_json
from .request import Response
from .usage import Usage

__all__ = [
    "ArgumentsDelta",
    "BlockEnd",
    "BlockStart",
    "CitationDelta",
    "OpaqueEvent",
    "StreamEnd",
    "StreamEvent",
    "StreamFailure",
    "StreamStart",
    "TextDelta",
    "ThinkingDelta",
    "UsageUpdate",
]


class StreamStart(Node, tag_field="type", tag="start"):
    """The answer begins: its id, model and the like, without content."""

    type: ClassVar[Literal["start"]] = "start"

    response: Response


class BlockStart(Node, tag_field="type", tag="blockStart"):
    """A block begins: its kind, and what is known before its deltas (a call's id and name)."""

    type: ClassVar[Literal["blockStart"]] = "blockStart"

    index: int
    block: Content


class TextDelta(Node, tag_field="type", tag="textDelta"):
    """More of a text block."""

    type: ClassVar[Literal["textDelta"]] = "textDelta"

    index: int
    text: str


class ThinkingDelta(Node, tag_field="type", tag="thinkingDelta"):
    """More of a thinking block."""

    type: ClassVar[Literal["thinkingDelta"]] = "thinkingDelta"

    index: int
    text: str


class ArgumentsDelta(Node, tag_field="type", tag="argumentsDelta"):
    """More of a tool call's arguments: a fragment of JSON text, verbatim."""

    type: ClassVar[Literal["argumentsDelta"]] = "argumentsDelta"

    index: int
    text: str


class CitationDelta(Node, tag_field="type", tag="citation"):
    """A source of a text block."""

    type: ClassVar[Literal["citation"]] = "citation"

    index: int
    ref: AnnotationRef
    cut: bool = False
    """Whether it is told only because a provider's error ends the stream."""


class BlockEnd(Node, tag_field="type", tag="blockEnd"):
    """A block is complete; `block` is all of it, signature and unknown keys included.

    A call of Chat or Mistral may be complete twice: the second one is `revised`.
    """

    type: ClassVar[Literal["blockEnd"]] = "blockEnd"

    index: int
    block: Content
    revised: bool = False
    """Whether the block is not what its start and its deltas said; `block` is what counts."""
    cut: bool = False
    """Whether a provider's error came before the end of the block: more of it may be missing."""


class UsageUpdate(Node, tag_field="type", tag="usage"):
    """The counts so far. Each update replaces the one before."""

    type: ClassVar[Literal["usage"]] = "usage"

    usage: Usage


class StreamEnd(Node, tag_field="type", tag="done"):
    """The answer is complete; `response` is all of it."""

    type: ClassVar[Literal["done"]] = "done"

    response: Response


class StreamFailure(Node, tag_field="type", tag="error"):
    """The provider ended the stream with an error; the fields are those of `ProviderError`."""

    type: ClassVar[Literal["error"]] = "error"

    kind: str
    message: str
    status: int | None = None
    code: str | None = None
    retry_after: float | None = None
    wire: str = ""
    body: MaybeRawValue = NOTHING

    def __post_init__(self) -> None:
        """Adopt the decoder's slice."""
        if self.body is not None and not isinstance(self.body, RawJson):
            self.body = optional_json(self.body)

    if not TYPE_CHECKING:  # with a `__setattr__`, a type checker allows any name
        __setattr__ = adopting(body=optional_json)

    @classmethod
    def of(cls, error: ProviderError) -> StreamFailure:
        """Return the event of an error; a body that is not JSON (a proxy's page) is dropped."""
        try:
            body = RawJson(error.body) if error.body is not None else None
        except DecodeError:
            body = None
        return cls(
            error.kind,
            error.message,
            error.status,
            error.code,
            error.retry_after,
            error.wire,
            body,
        )

    def error(self) -> ProviderError:
        """Return the exception of this event."""
        return ProviderError(
            self.kind,
            self.message,
            status=self.status,
            code=self.code,
            retry_after=self.retry_after,
            wire=self.wire,
            body=self.body.text if self.body is not None else None,
        )


class OpaqueEvent(Node, tag_field="type", tag="opaque"):
    """An event, a delta or keys that only their own API knows; no part of the message.

    The same API's encoder writes it as it came. On another wire it is a loss, one for each name,
    unless it shows progress alone.
    """

    type: ClassVar[Literal["opaque"]] = "opaque"

    api: str
    raw: RawValue
    name: str | None = None
    """What the frame calls the event outside of its JSON, on the wires that do so."""
    beside: bool = False
    """Whether `raw` is not a whole event but the unknown keys of the one that follows."""

    def __post_init__(self) -> None:
        """Adopt the decoder's slice, or a plain dict."""
        if not isinstance(self.raw, RawJson):
            self.raw = RawJson.adopt(self.raw)

    if not TYPE_CHECKING:
        __setattr__ = adopting(raw=RawJson.adopt)


StreamEvent = (
    StreamStart
    | BlockStart
    | TextDelta
    | ThinkingDelta
    | ArgumentsDelta
    | CitationDelta
    | BlockEnd
    | UsageUpdate
    | StreamEnd
    | StreamFailure
    | OpaqueEvent
)
