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

__all__ = ["counterpart", "text_of", "told"]

# -- Anthropic Messages (SDK: anthropic 2.12) and Bedrock Converse (botocore 1.44) --------------


class _Part(Struct):
    """A part of content, of which the text is read."""

    text: str | None = None


class _Source(Struct):
    content: str | list[_Part] | None = None


class _Block(Struct, tag_field="type"):
    pass


class _SearchResult(_Block, tag="search_result"):
    content: list[_Part]


class _Document(_Block, tag="document"):
    source: _Source


class _Compaction(_Block, tag="compaction"):
    content: str | None = None


class _Search(Struct):
    content: list[_Part]


class _SourceOnly(Struct):
    source: _Source


class _Union(Struct, rename="camel"):
    search_result: _Search | None = None
    document: _SourceOnly | None = None


_anthropic: Final = msgspec.json.Decoder(_SearchResult | _Document | _Compaction).decode
_bedrock: Final = msgspec.json.Decoder(_Union).decode


class _Words(Struct, forbid_unknown_fields=True, tag_field="type", tag="text"):
    text: str


class _Enabled(Struct, forbid_unknown_fields=True):
    enabled: bool


class _Result(
    Struct, forbid_unknown_fields=True, omit_defaults=True, tag_field="type", tag="search_result"
):
    """A search result of Anthropic's that has nothing beside what one of Bedrock's can have."""

    source: str
    title: str
    content: list[_Words]
    citations: _Enabled | None = None


class _BareWords(Struct, forbid_unknown_fields=True):
    text: str


class _BareResult(Struct, forbid_unknown_fields=True, omit_defaults=True):
    source: str
    title: str
    content: list[_BareWords]
    citations: _Enabled | None = None


class _OneResult(Struct, forbid_unknown_fields=True, rename="camel"):
    """The same of Bedrock's."""

    search_result: _BareResult


_whole: Final = msgspec.json.Decoder(_Result).decode
_whole_union: Final = msgspec.json.Decoder(_OneResult).decode
_encode: Final = msgspec.json.Encoder().encode


def counterpart(block: OpaqueBlock, api: str) -> OpaqueBlock | None:
    """Return a search result as another API has it, None if that has no place for all of it."""
    made: Any
    try:
        if (block.api, api) == ("anthropic-messages", "bedrock-converse"):
            ours = _whole(block.raw.text)
            bare = [_BareWords(part.text) for part in ours.content]
            made = _OneResult(_BareResult(ours.source, ours.title, bare, ours.citations))
        elif (block.api, api) == ("bedrock-converse", "anthropic-messages"):
            bedrocks = _whole_union(block.raw.text).search_result
            words = [_Words(part.text) for part in bedrocks.content]
            made = _Result(bedrocks.source, bedrocks.title, words, bedrocks.citations)
        else:
            return None
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None
    return OpaqueBlock(api, RawJson(_encode(made)))


def text_of(block: OpaqueBlock) -> str | None:
    """Return the text of an opaque block that is for the model to read, None if it has none."""
    try:
        if block.api == "anthropic-messages":
            part: Any = _anthropic(block.raw.text)
            content = part.source.content if type(part) is _Document else part.content
        elif block.api == "bedrock-converse":
            union = _bedrock(block.raw.text)
            document = union.document
            content = document.source.content if document is not None else None
            content = union.search_result.content if union.search_result is not None else content
        else:
            return None
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None
    if isinstance(content, list):
        content = "\n".join(part.text for part in content if part.text)
    return content or None


# -- in a conversation -------------------------------------------------------------------------

Lose = Callable[[Any], None]
Derived = Callable[[Any, Any], None]


def told(
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
