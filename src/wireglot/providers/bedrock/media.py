"""Images, documents, videos and audio -> blocks of Bedrock Converse, in requests and answers."""

from __future__ import annotations

import re
from typing import Any, ClassVar, Final

from ..._objects import is_null
from ...model import AudioBlock, DocumentBlock, ImageBlock, TextBlock, VideoBlock
from ...model.blocks import MediaBlock
from .._media import media_type
from .._writing import Writer, inline, with_keys
from ..losses import losses_of
from . import wire
from .formats import AUDIO, DOCUMENTS, IMAGES, VIDEO, is_s3

__all__ = ["MediaWriter", "source_of", "words"]

_NOT_IN_TITLES: Final = re.compile(r"[^a-zA-Z0-9()\[\]-]+")  # nor are two spaces in a row
_is_title: Final = re.compile(r"(?!.*  )(?! *$)[a-zA-Z0-9()\[\] -]{1,200}").fullmatch
_LONGEST_TITLE: Final = 180  # the limit is 200; the rest is for a number


class MediaWriter(Writer):
    """The encoder of media in requests and answers; a method returns None if nothing is left."""

    WIRE: ClassVar[str] = "bedrock"
    API: ClassVar[str] = wire.API
    LOSSES = losses_of("bedrock")
    _titles: dict[str, int]
    """The document names in use -> the last number appended to each."""

    def beside_text(self, made: wire.Block | None, block: TextBlock) -> Any:
        """Return a text with those of its unknown keys that are null.

        Others are a loss: a union has no place for them.
        """
        own = self._own_keys(block)
        nulls = {key: raw for key, raw in own.items() if is_null(raw)}
        if len(nulls) < len(own):
            self._lose("extras", block)
        return with_keys(made, nulls) if made is not None and nulls else made

    def image(self, block: ImageBlock) -> wire.Block | None:
        """Return an image."""
        source, form = source_of(block, IMAGES)
        if source is None:
            self._lose("image", block)
            return None
        return wire.Block(image=wire.Image(form, source))

    def video(self, block: VideoBlock) -> wire.Block | None:
        """Return a video, or else its transcript as text."""
        source, form = source_of(block, VIDEO)
        if source is None:
            self._lose("video", block)
            return words(block.transcript)
        return wire.Block(video=wire.Image(form, source))

    def audio(self, block: AudioBlock) -> wire.Block | None:
        """Return audio, or else its transcript as text."""
        source, form = source_of(block, AUDIO)
        if source is None:
            self._lose("audio", block)
            return words(block.transcript)
        return wire.Block(audio=wire.Image(form, source))

    def document(self, block: DocumentBlock) -> wire.Block | None:
        """Return a document."""
        form: str | None
        if block.text is not None:
            if (block.url or block.data or block.file_id) is not None:
                self._lose("document source", block)
            source: wire.Source | None = wire.Source(text=block.text)
            form = DOCUMENTS.get(block.mime_type, "txt") if block.mime_type is not None else None
        else:
            source, form = source_of(block, DOCUMENTS)
        if source is None:
            self._lose("document", block)
            return None
        cited = wire.Citations(block.citations) if block.citations is not None else None
        title = self._title(block.title or block.filename or "Document")
        return wire.Block(document=wire.Document(title, source, form, block.context, cited))

    def _title(self, title: str) -> str:
        """Return a document's name in the wire's alphabet, different from all others.

        A name that has to change loses its extension.
        """
        made = plain = title
        if not _is_title(title) or title in self._titles:
            stem, dot, extension = title.rpartition(".")
            plain = stem if dot and stem and len(extension) < 6 else title
            plain = _NOT_IN_TITLES.sub(" ", plain).strip()[:_LONGEST_TITLE].strip() or "Document"
            made = plain
        count = self._titles.get(plain, 1)
        while made in self._titles:
            count += 1
            made = f"{plain} {count}"
        self._titles[made] = 1
        if made != plain:
            self._titles[plain] = count
        return made


def source_of(block: MediaBlock, formats: dict[str, str]) -> tuple[wire.Source | None, str]:
    """Return the source of the data, None if Bedrock cannot read it, and the format."""
    media = inline(block)
    url = block.url if media is None else None
    if media is None and (url is None or not is_s3(url)):
        return None, ""
    form = formats.get(media_type(block))
    if form is None:
        return None, ""
    if url is not None:
        return wire.Source(s3_location=wire.S3Location(url)), form
    return wire.Source(media), form


def words(text: str | None) -> wire.Block | None:
    """Return a text block in place of another block, None if the text is blank."""
    return wire.Block(text=text) if text and not text.isspace() else None
