"""Canonical blocks -> the content of a tool's result: the items of MCP, as V2 passes them on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from msgspec import UNSET, Raw

from ... import model
from ..._hooks import Unplaced
from ..._objects import encode
from ...errors import LossError
from ...losses import Loss
from ...model import RawJson
from .._mapping import Keys, Where, Writer, inline, path_of, spelled
from .._records import unknown, write
from . import blocks
from .result_reading import API, V3
from .wire import WIRE

__all__ = ["ResultWriter", "declared", "type_of"]

_STR = Raw(b'"str"')


def type_of(block: model.MediaBlock, media: model.Media | None) -> str:
    """Return the type that a block declares, else that of its data, else its kind's default."""
    known = media.mime_type if media is not None else None
    return block.mime_type or known or block.default_mime_type


def declared(block: model.MediaBlock, media: model.Media | None) -> str:
    """Return the type that a block declares, even an empty one, else what `type_of` returns."""
    return block.mime_type if block.mime_type is not None else type_of(block, media)


class ResultWriter(Writer):
    """Makes the items of results."""

    WIRE: ClassVar[str] = WIRE
    API: ClassVar[str] = API
    SYSTEM: ClassVar[str] = "Ravi"
    VERSION: ClassVar[str] = "v2"

    def _result_json(self, items: list[Any], where: Where) -> RawJson:
        """Return the items of a result as the JSON that a message holds."""
        try:
            return RawJson.adopt(Raw(encode(items)))
        except (Unplaced, ValueError, RecursionError):
            return self._result_with_care(items, where)

    def _result_with_care(self, items: list[Any], where: Where) -> RawJson:
        """Do what `_result_json` does for items with unknown keys or with lone surrogates."""
        start = len(self._losses) if self._losses is not None else 0
        at = f"{path_of(where)}.content"
        try:
            text = write(items, WIRE, self._losses)
        except LossError as error:  # a lone surrogate
            raise LossError(error.reason, wire=WIRE, path=at + error.path[1:]) from error
        if self._losses is not None:
            self._losses[start:] = [
                Loss(at + loss.path[1:], loss.what, loss.why) for loss in self._losses[start:]
            ]
        return RawJson.adopt(Raw(text))

    def _result_parts(
        self, content: Iterable[model.Content], spelling: Keys, where: Where
    ) -> tuple[list[Any], list[Any] | None]:
        """Return the items of a result, and those of its `media`, which V2 does not have."""
        return self._result_items(content, where), None

    def _result_items(self, content: Iterable[model.Content], where: Where) -> list[Any]:
        made = []
        for i, block in enumerate(content):
            item = self._result_item(block, (*where, i))
            if item is not None:
                made.append(item)
        return made

    def _result_item(self, block: model.Content, where: Where) -> Any:
        make = self.RESULT.get(type(block))
        if make is None:
            self.lose_block(block, where)
            return None
        return make(self, block, where)

    def _result_text(self, block: model.TextBlock, where: Where) -> Any:
        keys, spelling = self.rest(block, where)
        if spelling.get("as") == _STR and not keys:
            return block.text
        return blocks.Text(block.text, unknown=unknown(keys))

    def _result_image(self, block: model.ImageBlock, where: Where) -> Any:
        media = inline(block)
        if media is None:
            self.lose("result media", where)
            return None
        keys, _ = self.rest(block, where)
        if block.detail is not None:
            self.lose("detail", where, ".detail")
        return blocks.Image(data=media, unknown=unknown(keys), **self._type(block, media))

    def _result_audio(self, block: model.AudioBlock, where: Where) -> Any:
        media = inline(block)
        if media is None:
            return self._as_text("result media", block.transcript, where)
        keys, _ = self.rest(block, where)
        type_ = self._type(block, media)
        made = blocks.Audio(data=media, unknown=unknown(keys), **type_, **self._said(block, type_))
        if made.transcript is UNSET and block.transcript is not None:
            self.lose("transcript", where, ".transcript")
        return made

    def _type(self, block: Any, media: model.Media) -> dict[str, Any]:
        """Return the media type under the key that it came in, or the version's own."""
        spelling = spelled(block.extras, API)
        is_later = "media_type" in spelling or (self.VERSION == V3 and "mimeType" not in spelling)
        return {"media_type" if is_later else "mime_type": declared(block, media)}

    def _said(self, block: model.AudioBlock, type_: Mapping[str, Any]) -> dict[str, Any]:
        return {"transcript": block.transcript} if "media_type" in type_ else {}

    def _as_text(self, what: str, text: str | None, where: Where) -> Any:
        """Report a loss; return its text as an item, if there is any."""
        self.lose(what, where)
        return blocks.Text(text) if text is not None else None

    def _result_video(self, block: model.VideoBlock, where: Where) -> Any:
        return self._as_text("video", block.transcript, where)

    def _result_document(self, block: model.DocumentBlock, where: Where) -> Any:
        return self._as_text("document", block.text, where)

    def _result_error(self, block: model.ErrorBlock, where: Where) -> Any:
        return self._as_text("error", block.message, where)

    def _opaque(self, block: model.OpaqueBlock, where: Where) -> Any:
        if block.api != API:
            self.lose("opaque", where)
            return None
        keys, _ = self.rest(block, where)
        if keys:
            self.lose("extras", where, ".extras")
        return block.raw

    RESULT: ClassVar[Mapping[type[Any], Any]] = {
        model.TextBlock: _result_text,
        model.ImageBlock: _result_image,
        model.AudioBlock: _result_audio,
        model.VideoBlock: _result_video,
        model.DocumentBlock: _result_document,
        model.ErrorBlock: _result_error,
        model.OpaqueBlock: _opaque,
    }
