"""Images, documents, films and sound -> the blocks of Bedrock Converse, in requests and answers."""

from __future__ import annotations

import re
from typing import ClassVar, Final

from ...model import AudioBlock, DocumentBlock, ImageBlock, VideoBlock
from ...model.blocks import MediaBlock
from .._writing import Writer, inline
from ..losses import losses_of
from . import wire
from .formats import AUDIO, DOCUMENTS, IMAGES, VIDEO, is_s3

__all__ = ["MediaWriter", "source_of", "words"]

_NOT_IN_TITLES: Final = re.compile(r"[^a-zA-Z0-9()\[\]-]+")  # nor are two spaces
_is_title: Final = re.compile(r"(?!.*  )(?! *$)[a-zA-Z0-9()\[\] -]{1,200}").fullmatch
_LONGEST_TITLE: Final = 180  # of 200, which leaves room for a number


class MediaWriter(Writer):
    """What requests and answers have in common: a block of the wire, or None for nothing."""

    WIRE: ClassVar[str] = "bedrock"
    API: ClassVar[str] = wire.API
    LOSSES = losses_of("bedrock")
    _titles: dict[str, int]
    """The names of the documents so far, and the last number that was put behind each."""

    def image(self, block: ImageBlock) -> wire.Block | None:
        """Return an image."""
        source, form = source_of(block, IMAGES)
        if source is None:
            self._lose("image", block)
            return None
        return wire.Block(image=wire.Image(form, source))

    def video(self, block: VideoBlock) -> wire.Block | None:
        """Return a film, or its words."""
        source, form = source_of(block, VIDEO)
        if source is None:
            self._lose("video", block)
            return words(block.transcript)
        return wire.Block(video=wire.Image(form, source))

    def audio(self, block: AudioBlock) -> wire.Block | None:
        """Return sound, or its words."""
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
        """Return a document's name in the wire's alphabet, without extension, unlike the others."""
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
    """Return where the data are, None if Bedrock cannot get at them, and their format."""
    media = inline(block)
    url = block.url if media is None else None
    if media is None and (url is None or not is_s3(url)):
        return None, ""
    form = formats.get(block.known_mime_type().partition(";")[0].strip().lower())
    if form is None:
        return None, ""
    if url is not None:
        return wire.Source(s3_location=wire.S3Location(url)), form
    return wire.Source(media), form


def words(text: str | None) -> wire.Block | None:
    """Return a text that stands for something else, None if it is blank."""
    return wire.Block(text=text) if text and not text.isspace() else None
