"""Content blocks <-> the text and the calls of a turn, in requests and in answers."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from wireglot import Content, ErrorBlock, TextBlock, ToolCallBlock
from wireglot.providers._across.tools import object_arguments
from wireglot.providers._state.decoding import Decoding
from wireglot.providers._state.encoding import Encoding

from . import wire


class Draft(Struct):
    """The text and calls collected from the blocks of one turn."""

    texts: list[str] = []
    calls: list[Any] = []


def turn(role: str, content: list[Content], encoding: Encoding) -> wire.Turn:
    """Return the turn of a message's content."""
    draft = Draft()
    for block in content:
        add(block, draft, encoding, role)
    return wire.Turn(role=role, text="".join(draft.texts), calls=draft.calls or None)


def add(block: Content, draft: Draft, encoding: Encoding, role: str = "model") -> None:
    """Add a block to the draft, or report its loss."""
    if type(block) is TextBlock:
        encoding.lose_rest(block)
        encoding.lose_keys(block)  # a text is not an object here, so it cannot hold them
        draft.texts.append(block.text)
    elif type(block) is ErrorBlock:
        encoding.lose("error", block)
        encoding.lose_rest(block)
        encoding.lose_keys(block)
        draft.texts.append(block.message)
    elif type(block) is ToolCallBlock and role == "model":
        encoding.lose_rest(block)
        call = wire.Call(block.id, block.name, object_arguments(block, encoding))
        draft.calls.append(encoding.with_extras(call, block))
    else:
        encoding.lose_whole(block)


def content(part: wire.Turn, decoding: Decoding) -> list[Content]:
    """Return the blocks of a turn; the arguments of its calls are slices of the body."""
    blocks: list[Content] = [TextBlock(part.text)] if part.text else []
    blocks += [call(each, decoding) for each in part.calls or ()]
    return blocks


def call(part: wire.Call, decoding: Decoding) -> ToolCallBlock:
    """Return a call."""
    return ToolCallBlock(part.id, part.name, part.input, extras=decoding.extras(part))
