"""An opaque block of another API -> its text, which a wire without such a block sends in its place.

These are search results, documents made of content blocks, and the summaries of compacted
conversations: of each, the model is to read the text. Two wires have search results, for Claude
alone: there they stay what they are, so that Claude can cite them.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import is_
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from ...model import Message, OpaqueBlock, RawJson, TextBlock, ToolResultBlock
from .facts import facts_of

_encode: Final = msgspec.json.Encoder().encode
_FAULTS: Final = (msgspec.DecodeError, UnicodeError, RecursionError)


class Part(Struct):
    """A part of content, of which the text is read."""

    text: str | None = None


def texts_of(content: str | list[Part] | None) -> str | None:
    """Return the text of some content, None if it has none."""
    if isinstance(content, list):
        content = "\n".join(part.text for part in content if part.text)
    return content or None


def text_of(block: OpaqueBlock) -> str | None:
    """Return the text of an opaque block that is for the model to read, None if it has none."""
    read = facts_of(block.api).text_of
    try:
        return read(block.raw.text) if read is not None else None
    except _FAULTS:
        return None


def counterpart(block: OpaqueBlock, api: str) -> OpaqueBlock | None:
    """Return a search result as another API has it, None if that has no place for all of it."""
    read, write = facts_of(block.api).result_in, facts_of(api).result_as
    if read is None or write is None:
        return None
    try:
        return OpaqueBlock(api, RawJson(_encode(write(read(block.raw.text)))))
    except _FAULTS:
        return None


# -- in a conversation -------------------------------------------------------------------------

Lose = Callable[[Any], None]
Derived = Callable[[Any, Any], None]


def with_opaque_text(
    messages: list[Message], api: str, lose: Lose, derived: Derived, *, to_claude: bool
) -> list[Message]:
    """Return messages with texts in place of the opaque blocks of other APIs than `api`.

    `lose(block)` is called for each of these, `derived(new, old)` for each part that is made anew.
    `to_claude` is whether the model is known as a Claude.
    """

    def with_texts(part: Any) -> Any:
        old = getattr(part, "content", None)
        if not isinstance(old, list):
            return part
        content = [words(block) for block in old]
        if all(map(is_, content, old)):
            return part
        new = replace(part, content=content)
        derived(new, part)
        return new

    def words(block: Any) -> Any:
        if type(block) is ToolResultBlock:
            return with_texts(block)
        text = text_of(block) if type(block) is OpaqueBlock and block.api != api else None
        if text is None:
            return block
        new: Any = counterpart(block, api) if to_claude else None
        if new is None:
            lose(block)
            new = TextBlock(text)
        derived(new, block)
        return new

    return [with_texts(message) for message in messages]
