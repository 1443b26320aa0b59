"""The pages of the web that the texts of an answer cite, as other wires than their own write them.

Offsets of the model are characters, and an end is open. So they are in Chat and Responses, whatever
their references call the last character: recorded answers show it. Gemini's are bytes of UTF-8, in
the joined text of an answer. Anthropic has none, as a text that cites is a block of its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

from ..._body.encode import encode_json as encode
from ...model import AnnotationRef, RawJson, Response, TextBlock
from .._state.encoding import Encoding
from .._state.facts import Facts, facts_of

_keys = msgspec.json.Decoder(dict[str, Raw]).decode

_CONTINUING: Final = bytes(range(0x80, 0xC0))  # the bytes of UTF-8 that do not begin a character


class Page(Struct):
    """A page of the web, and which part of a text cites it: all of it, if `is_placed` is False."""

    url: str
    title: str
    start: int
    end: int
    cited_text: str
    is_placed: bool


def pages(block: TextBlock) -> list[Page]:
    """Return the pages that a text cites; a place outside of the text is the whole text."""
    size = len(block.text)
    found: list[Page] = []
    for ref in block.annotations or ():
        url = ref.url
        if url is None or not _is_page(ref):
            continue
        start, end = ref.start, ref.end
        is_placed = start is not None and end is not None and 0 <= start < min(end, size)
        page = Page(url, ref.title or "", 0, size, ref.cited_text or "", is_placed)
        if is_placed and start is not None and end is not None:
            page.start, page.end = start, min(end, size)
        found.append(page)
    return found


def lose_others(block: TextBlock, encoding: Encoding, *, quotes: bool = False) -> None:
    """Report it if a text cites anything but pages of the web, and what else is said of a page.

    `quotes` is whether the wire has a place for the words of the page.
    """
    refs = block.annotations or ()
    found = [ref for ref in refs if _is_page(ref)]
    if len(found) < len(refs):
        encoding.lose("annotation", block)
    if any(_says_more(ref, quotes) for ref in found):
        encoding.lose("annotation detail", block)


def _says_more(ref: AnnotationRef, quotes: bool) -> bool:
    said = (ref.file_id, ref.page, ref.index, ref.extras, None if quotes else ref.cited_text)
    return any(value not in (None, "") for value in said)


def _is_page(ref: AnnotationRef) -> bool:
    return ref.url is not None and ref.url.startswith(("https://", "http://"))


def url_citation(page: Page, before: int = 0) -> dict[str, Any]:
    """Return OpenAI's citation of a page, in a text that has `before` characters before it."""
    return {
        "url": page.url,
        "title": page.title,
        "start_index": before + page.start,
        "end_index": before + page.end,
    }


def with_sources(response: Response, target: Facts) -> Response:
    """Return an answer whose text cites the pages that its API has beside the message.

    It stays as it is if there is not one text alone, or if the text has citations of its own.
    """
    message, api = response.message, response.message.api or ""
    read = facts_of(api).sources_in
    extra = (response.extras or {}).get(api)
    texts = [block for block in message.content if type(block) is TextBlock]
    if read is None or extra is None or api == target.api or len(texts) != 1:
        return response
    try:
        keys = _keys(extra.keys.text)
        refs = read(keys, api)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return response
    if not refs or texts[0].annotations:
        return response
    cited = replace(texts[0], annotations=refs)
    content = [cited if block is texts[0] else block for block in message.content]
    extras = {**(response.extras or {}), api: replace(extra, keys=RawJson(encode(keys)))}
    return replace(response, message=replace(message, content=content), extras=extras)


def in_bytes(text: str, offsets: Iterable[int]) -> dict[int, int]:
    """Return the offset in UTF-8 for each offset in characters; one pass over the text."""
    if text.isascii():
        return {offset: min(offset, len(text)) for offset in offsets}
    found: dict[int, int] = {}
    before = count = 0
    for offset in sorted({*offsets}):
        count += len(text[before:offset].encode("utf-8", "surrogatepass"))
        before = offset
        found[offset] = count
    return found


def in_characters(text: str, offsets: Iterable[int]) -> dict[int, int]:
    """Return the offset in characters for each offset in UTF-8; one pass over the text.

    An offset inside a character is that of its end.
    """
    if text.isascii():
        return {offset: min(offset, len(text)) for offset in offsets}
    data = text.encode("utf-8", "surrogatepass")
    found: dict[int, int] = {}
    before = count = 0
    for offset in sorted({*offsets}):
        count += len(data[before:offset].translate(None, _CONTINUING))
        before = offset
        found[offset] = count
    return found
