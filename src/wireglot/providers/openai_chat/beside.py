"""What services put beside the text of an answer: OpenRouter images, Perplexity its sources."""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec import Raw, Struct

from ..._body.encode import encode_json as encode
from ...model import AnnotationRef, Extra, ImageBlock, RawJson


class _Url(Struct, forbid_unknown_fields=True):
    url: str


class _Image(Struct, forbid_unknown_fields=True):
    image_url: _Url
    type: str | None = None
    index: int | None = None


class _Source(Struct):
    url: str
    title: str | None = None
    snippet: str | None = None


_SOURCE_KEYS: Final = frozenset({"url", "title", "snippet"})
_addresses = msgspec.json.Decoder(list[str] | None).decode
_sources = msgspec.json.Decoder(list[_Source] | None).decode
_objects = msgspec.json.Decoder(list[dict[str, Raw]] | None).decode
_images = msgspec.json.Decoder(list[_Image]).decode


def images_in(keys: dict[str, Raw]) -> list[ImageBlock]:
    """Take the images out of the unknown keys of a message."""
    if "images" not in keys:
        return []
    found = [ImageBlock(url=each.image_url.url) for each in _images(keys["images"])]
    del keys["images"]
    return [_inline(block) for block in found]


def _inline(block: ImageBlock) -> ImageBlock:
    media = block.inline()
    return block if media is None else ImageBlock(media, mime_type=media.mime_type)


def sources_in(keys: dict[str, Raw], api: str) -> list[AnnotationRef]:
    """Take the pages that an answer cites as a whole out of its unknown keys.

    `citations` has their addresses, `search_results` says more of the same ones.
    """
    addresses = _addresses(keys.get("citations", b"null")) or []
    raw = keys.get("search_results", b"null")
    told = _sources(raw) or []
    refs: list[AnnotationRef] = []
    objects: list[dict[str, Raw]] = _objects(raw) or []
    for each, given in zip(told, objects, strict=True):
        more = {k: v for k, v in given.items() if k not in _SOURCE_KEYS and v != _NULL}
        extras = {api: Extra(RawJson(encode(more)))} if more else None
        words = each.snippet or None
        refs.append(AnnotationRef(each.url, each.title, cited_text=words, extras=extras))
    known = {ref.url for ref in refs}
    refs += [AnnotationRef(url) for url in addresses if url not in known]
    if refs:
        keys.pop("citations", None)
        keys.pop("search_results", None)
    return refs


_NULL: Final = Raw(b"null")
