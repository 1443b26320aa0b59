"""Content blocks <-> the keys of a message of Ollama's chat, in requests and in answers.

A message is a string, images and calls; it does not say where between its texts they belong.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from msgspec import Raw, Struct

from ...model import (
    AudioBlock,
    Content,
    DocumentBlock,
    ErrorBlock,
    Extras,
    ImageBlock,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    VideoBlock,
)
from .._across.media import inline, of_its_kind
from .._across.tools import object_arguments
from .._codecs.simple import is_bare_call
from .._state.decoding import Reader, arguments_of
from .._state.encoding import Writer
from . import wire

__all__ = ["Draft", "add", "arguments", "block_of_call", "content", "images"]

_NULL: Final = Raw(b"null")
_QUOTE: Final = ord('"')


# -- blocks -> keys ----------------------------------------------------------------------------


class Draft(Struct):
    """The content of one message, or of a piece of one, by the key that it is written under."""

    texts: list[str] = []
    thoughts: list[str] = []
    images: list[Any] = []
    calls: list[Any] = []


def add(block: Content, draft: Draft, writer: Writer, role: str = "assistant") -> None:
    """Add a block to the message of a role. Calls have no place here, but in `Draft.calls`."""
    kind = type(block)
    write = _BLOCKS.get(kind)
    if write is None:
        shown: Any = of_its_kind(block, writer)
        if shown is not None:
            add(shown, draft, writer, role)
        else:
            writer.lose_whole(block)
    elif kind is ThinkingBlock and role != "assistant":
        writer.lose("thinking", block)
    else:
        write(block, draft, writer)
        writer.lose_rest(block)
    writer.lose_keys(block)  # no block is an object on this wire


def _text(block: TextBlock, draft: Draft, _: Writer) -> None:
    if block.text:
        draft.texts.append(block.text)


def _thinking(block: ThinkingBlock, draft: Draft, writer: Writer) -> None:
    text = block.thinking or "\n".join(block.details or ())
    if text:
        draft.thoughts.append(text)
    elif block.redacted or block.signature:
        writer.lose("redacted thinking", block)


def _image(block: ImageBlock, draft: Draft, writer: Writer) -> None:
    media = inline(block)
    if media is None:
        writer.lose("image", block)
    else:
        draft.images.append(media)


def _document(block: DocumentBlock, draft: Draft, writer: Writer) -> None:
    if not block.text:
        writer.lose("document", block)
        return
    writer.lose("document text", block)
    if block.context is not None:
        writer.lose("document context", block)
    if block.citations:
        writer.lose("citations", block)
    if block.data is not None or block.url is not None or block.file_id is not None:
        writer.lose("document source", block)
    draft.texts.append(block.text)


def _transcript(block: AudioBlock | VideoBlock, draft: Draft, writer: Writer) -> None:
    writer.lose_whole(block)
    if block.transcript:
        draft.texts.append(block.transcript)


def _error(block: ErrorBlock, draft: Draft, writer: Writer) -> None:
    writer.lose("error", block)
    if block.message:
        draft.texts.append(block.message)


_BLOCKS: Final[dict[type, Callable[[Any, Draft, Writer], None]]] = {
    TextBlock: _text,
    ThinkingBlock: _thinking,
    ImageBlock: _image,
    DocumentBlock: _document,
    AudioBlock: _transcript,
    VideoBlock: _transcript,
    ErrorBlock: _error,
}


def arguments(call: ToolCallBlock, writer: Writer) -> Any:
    """Return the arguments of a call, an object on this wire, and report what else it has."""
    if not is_bare_call(call):
        writer.lose_rest(call)
    return object_arguments(call, writer)


# -- keys -> blocks ----------------------------------------------------------------------------


def content(part: wire.Message, role: str, reader: Reader) -> list[Content]:
    """Return the text, the thinking and the images of a message. The images follow the text."""
    blocks: list[Content] = []
    if part.thinking and role == "assistant":
        blocks.append(ThinkingBlock(part.thinking))
    if part.content:
        blocks.append(TextBlock(part.content))
    blocks += images(part, reader)
    return blocks


def images(part: wire.Message, reader: Reader) -> list[ImageBlock]:
    """Return the images of a message."""
    blocks = []
    for i, image in enumerate(part.images or ()):
        if memoryview(image)[0] != _QUOTE:
            reader.fail("expected `str`", part, f".images[{i}]")
        blocks.append(ImageBlock(image))
    return blocks


def block_of_call(part: wire.ToolCall, reader: Reader, call_id: str | None = None) -> ToolCallBlock:
    """Return a call; `call_id` is the one made up for it, which is not sent back."""
    function = part.function
    spelling: dict[str, Any] = {}
    if call_id is not None or not part.id:
        spelling["id"] = part.id or _NULL
    if part.type is not None:
        spelling["type"] = part.type
        reader.keep_type(part, part.type)
    if function.index is not None:
        spelling["function"] = {"index": function.index}
    extras: Extras | None = reader.extras_of(part, **spelling)
    given = call_id if call_id is not None else part.id or ""
    return ToolCallBlock(given, function.name, arguments_of(function.arguments), extras=extras)
