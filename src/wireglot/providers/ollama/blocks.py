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
from .._state.decoding import Decoding, arguments_of
from .._state.encoding import Encoding
from . import wire

_NULL: Final = Raw(b"null")
_QUOTE: Final = ord('"')


# -- blocks -> keys ----------------------------------------------------------------------------


class Draft(Struct):
    """The content of one message, or of a piece of one, by the key that it is written under."""

    texts: list[str] = []
    thoughts: list[str] = []
    images: list[Any] = []
    calls: list[Any] = []


def add(block: Content, draft: Draft, encoding: Encoding, role: str = "assistant") -> None:
    """Add a block to the message of a role. Calls have no place here, but in `Draft.calls`."""
    kind = type(block)
    write = _BLOCKS.get(kind)
    if write is None:
        shown: Any = of_its_kind(block, encoding)
        if shown is not None:
            add(shown, draft, encoding, role)
        else:
            encoding.lose_whole(block)
    elif kind is ThinkingBlock and role != "assistant":
        encoding.lose("thinking", block)
    else:
        write(block, draft, encoding)
        encoding.lose_rest(block)
    encoding.lose_keys(block)  # no block is an object on this wire


def _text(block: TextBlock, draft: Draft, _: Encoding) -> None:
    if block.text:
        draft.texts.append(block.text)


def words(block: TextBlock | ThinkingBlock) -> str:
    """Return the text of a block."""
    if isinstance(block, TextBlock):
        return block.text
    return block.thinking or "\n".join(block.details or ())


def _thinking(block: ThinkingBlock, draft: Draft, encoding: Encoding) -> None:
    text = words(block)
    if text:
        draft.thoughts.append(text)
    elif block.redacted or block.signature:
        encoding.lose("redacted thinking", block)


def _image(block: ImageBlock, draft: Draft, encoding: Encoding) -> None:
    media = inline(block)
    if media is None:
        encoding.lose("image", block)
    else:
        draft.images.append(media)


def _document(block: DocumentBlock, draft: Draft, encoding: Encoding) -> None:
    if not block.text:
        encoding.lose("document", block)
        return
    encoding.lose("document text", block)
    if block.context is not None:
        encoding.lose("document context", block)
    if block.citations:
        encoding.lose("citations", block)
    if block.data is not None or block.url is not None or block.file_id is not None:
        encoding.lose("document source", block)
    draft.texts.append(block.text)


def _transcript(block: AudioBlock | VideoBlock, draft: Draft, encoding: Encoding) -> None:
    encoding.lose_whole(block)
    if block.transcript:
        draft.texts.append(block.transcript)


def _error(block: ErrorBlock, draft: Draft, encoding: Encoding) -> None:
    encoding.lose("error", block)
    if block.message:
        draft.texts.append(block.message)


_BLOCKS: Final[dict[type, Callable[[Any, Draft, Encoding], None]]] = {
    TextBlock: _text,
    ThinkingBlock: _thinking,
    ImageBlock: _image,
    DocumentBlock: _document,
    AudioBlock: _transcript,
    VideoBlock: _transcript,
    ErrorBlock: _error,
}


def arguments(call: ToolCallBlock, encoding: Encoding) -> Any:
    """Return the arguments of a call, an object on this wire, and report what else it has."""
    if not is_bare_call(call):
        encoding.lose_rest(call)
    return object_arguments(call, encoding)


# -- keys -> blocks ----------------------------------------------------------------------------


def content(part: wire.Message, role: str, decoding: Decoding) -> list[Content]:
    """Return the text, the thinking and the images of a message. The images follow the text."""
    blocks: list[Content] = []
    if part.thinking and role == "assistant":
        blocks.append(ThinkingBlock(part.thinking))
    if part.content:
        blocks.append(TextBlock(part.content))
    blocks += images(part, decoding)
    return blocks


def images(part: wire.Message, decoding: Decoding) -> list[ImageBlock]:
    """Return the images of a message."""
    blocks = []
    for i, image in enumerate(part.images or ()):
        if memoryview(image)[0] != _QUOTE:
            decoding.fail("expected `str`", part, f".images[{i}]")
        blocks.append(ImageBlock(image))
    return blocks


def block_of_call(
    part: wire.ToolCall, decoding: Decoding, call_id: str | None = None
) -> ToolCallBlock:
    """Return a call; `call_id` is the one made up for it, which is not sent back."""
    function = part.function
    spelling: dict[str, Any] = {}
    if call_id is not None or not part.id:
        spelling["id"] = part.id or _NULL
    if part.type is not None:
        spelling["type"] = part.type
        decoding.keep_type(part, part.type)
    if function.index is not None:
        spelling["function"] = {"index": function.index}
    extras: Extras | None = decoding.extras_of(part, **spelling)
    given = call_id if call_id is not None else part.id or ""
    return ToolCallBlock(given, function.name, arguments_of(function.arguments), extras=extras)
