"""Blocks -> the parts of Gemini's generateContent that requests and answers have in common."""

from __future__ import annotations

import re
from typing import Any, ClassVar, Final

from msgspec import Raw

from ...model import AssistantMessage, DocumentBlock, ImageBlock, Media, ToolCallBlock
from ...model.blocks import MediaBlock
from .._writing import Writer, encode, inline
from ..losses import losses_of
from . import wire

__all__ = ["PartWriter", "is_own", "is_signature"]

_SIGNERS: Final = frozenset({"google", "gemini", "vertex"})  # `provider` where no `api` is named
_is_base64: Final = re.compile(r"[A-Za-z0-9+/_-]+={0,2}").fullmatch
_FETCHED: Final = ("https://", "http://", "gs://", "files/")


class PartWriter(Writer):
    """Base of the encoders of this wire: calls, media and signatures."""

    WIRE: ClassVar[str] = "gemini"
    API: ClassVar[str] = wire.API
    LOSSES = losses_of("gemini")

    _is_own = False
    """Whether this API signed the message that is being written."""

    def _arguments(self, block: ToolCallBlock) -> Raw | None:
        """Return a call's arguments as an object, None where the model gave none."""
        arguments = block.arguments.object_json()
        if arguments is None:
            self._lose("arguments", block)
            text = block.arguments.text.decode("utf-8", "replace")
            return Raw(encode({"raw_arguments": text}))
        if len(memoryview(arguments)) == len(b"{}") and not block.arguments.text.strip():
            return None
        return arguments

    def _signature(self, block: Any) -> str | None:
        """Return a block's signature if it is one of this API."""
        signature: str | None = block.signature
        return signature if signature and self._is_own and is_signature(signature) else None

    def _is_made_up(self, block: Any) -> bool:
        """Whether a block came over this wire without an id, and its reader made one up."""
        return block.extras is not None and self._came(block, "id", "") is None

    def _came(self, part: Any, key: str, default: Any = None) -> Any:
        """Return the value of a key in a part's spelling, `default` if it is not there."""
        extra = part.extras.get(self.API)
        if extra is None or extra.spelling is None:
            return default
        return extra.spelling.value.get(key, default)

    def _media_part(self, block: MediaBlock, *, takes_text: bool = True) -> Any:
        """Return the part of a media block, or its transcript where `takes_text` allows that."""
        signature = self._signature(block) if type(block) is ImageBlock else None
        if type(block) is DocumentBlock:
            if block.context is not None:
                self._lose("document context", block)
            if block.citations:
                self._lose("citations", block)
            if block.text:
                if (block.url or block.data or block.file_id) is not None:
                    self._lose("document source", block)
                data = Media.from_bytes(block.text.encode())
                return wire.Part(inline_data=wire.Blob(data, block.mime_type or "text/plain"))
        media = inline(block)
        if media is not None:
            blob = wire.Blob(media, block.known_mime_type())
            return wire.Part(inline_data=blob, thought_signature=signature)
        uri = block.file_id or block.url or ""
        if not uri[:8].lower().startswith(_FETCHED):
            self._lose("media", block)
            transcript = getattr(block, "transcript", None)
            return wire.Part(transcript) if transcript and takes_text else None
        wants_type = self._dialect == "vertex"
        mime_type = block.known_mime_type() if wants_type else block.mime_type
        return wire.Part(file_data=wire.FileData(uri, mime_type), thought_signature=signature)


def is_signature(text: str) -> bool:
    """Whether a text can be a signature of this API: base64, in either alphabet."""
    return _is_base64(text) is not None and len(text.rstrip("=")) % 4 != 1


def is_own(message: Any) -> bool:
    """Whether the signatures in a message are this API's."""
    if type(message) is not AssistantMessage:
        return False
    return message.api == wire.API if message.api is not None else message.provider in _SIGNERS
