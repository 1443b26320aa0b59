"""Canonical blocks -> PyAgenity's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import tzinfo
from typing import Any, ClassVar, Final

import msgspec
from msgspec import UNSET, Raw, UnsetType

from ... import model
from ..._surrogates import mended_value
from ...errors import DecodeError
from ...losses import Losses
from ...model import RawJson
from .._mapping import Keys, Where, Writer, inline, path_of, spelled
from .._records import read, unknown, write
from . import blocks as own
from .block_reading import API, BlockReader
from .calls import object_of
from .media import NO_KEYS, data_of, ref_of
from .types import Version

__all__ = ["MEDIA", "BlockWriter", "Found", "said_elsewhere"]

MEDIA: Final = "data url file_id mime_type filename size sha256 width height duration_ms page"
Found = Sequence[tuple[int, model.Content]]
"""Blocks, each with its place in the content."""

_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_value = msgspec.json.Decoder().decode
_flag = msgspec.json.Decoder(bool).decode
_KINDS: Final = frozenset({"citation", "note"})
_STATUSES: Final = frozenset({"completed", "failed"})


def said_elsewhere(content: Sequence[Any]) -> set[int]:
    """Return the indexes of the blocks that only an answer's `reasoning` and `tools_calls` express.

    They came in like that, and are where a reader puts them: a single thought at the start, calls
    at the end, with ids that no call before them has.
    """
    thoughts = [i for i, block in enumerate(content) if type(block) is model.ThinkingBlock]
    found = {0} if thoughts == [0] and _needs_no_block(content[0]) else set()
    start = len(content)
    while start and type(content[start - 1]) is model.ToolCallBlock:
        if not _needs_no_block(content[start - 1]):
            break
        start -= 1
    ids = {block.id for block in content[:start] if type(block) is model.ToolCallBlock}
    if ids.isdisjoint(call.id for call in content[start:]):
        found.update(range(start, len(content)))
    return found


def _needs_no_block(block: Any) -> bool:
    """Whether a thought or a call came in without a block, and has no field that needs one."""
    if bytes(spelled(block.extras, API).get("block", b"")) != b"false":
        return False
    if type(block) is model.ToolCallBlock:
        return block.tool_type is None
    return block.details is None and not block.redacted and block.thinking != ""


class BlockWriter(Writer):
    """Makes blocks in the version that their message is written in. Times are in `zone`."""

    def __init__(self, losses: Losses, version: Version | None, zone: tzinfo) -> None:
        super().__init__(losses)
        self._wanted = version
        self._version: Version = version or "agentflow"
        self._zone = zone
        self.named: model.ToolResultBlock | None = None
        """The result whose function the message's metadata names."""

    def content(
        self, found: Iterable[tuple[int, model.Content]], where: Where, *, is_answer: bool = False
    ) -> list[own.ContentBlock]:
        """Return blocks; in an answer, without those that `said_elsewhere` finds."""
        made = []
        numbered = list(found)
        elsewhere = said_elsewhere([block for _, block in numbered]) if is_answer else ()
        for i, block in numbered:
            make = self._BLOCKS.get(type(block))
            at = (*where, i)
            if make is None:
                self.lose_block(block, at)
                continue
            if i in elsewhere:
                if self.rest(block, at)[0]:
                    self.lose("extras", at, ".extras")
                continue
            if not is_answer and type(block) is model.ToolCallBlock:
                self.lose_entry(block, at)
            part = make(self, block, at)
            if part is not None:
                made.append(part)
        return made

    def lose_entry(self, call: model.ToolCallBlock, where: Where) -> None:
        """Report the fields of a call that only an entry in `tools_calls` could hold."""
        if call.signature is not None:
            self.lose("signature", where, ".signature")
        if object_of(call.arguments.text) is None:
            self.lose("arguments", where, ".arguments")

    def object_of(self, value: Any, what: str, where: Where, key: str) -> dict[str, Any] | None:
        """Return data that must be an object there; other data is lost."""
        if isinstance(value, RawJson):
            value = value.value
        if value is None or type(value) is dict:
            return value
        self.lose(what, where, key)
        return None

    def _references(
        self, refs: Iterable[model.AnnotationRef], where: Where, name: str
    ) -> list[own.AnnotationRef]:
        made = []
        for i, ref in enumerate(refs):
            keys, _ = self.rest(ref, (*where, f".{name}[{i}]"))
            made.append(
                own.AnnotationRef(
                    ref.url, ref.file_id, ref.page, ref.index, ref.title, unknown=unknown(keys)
                )
            )
        return made

    def _text(self, block: model.TextBlock, where: Where) -> own.TextBlock:
        keys, _ = self.rest(block, where)
        refs = self._references(block.annotations or (), where, "annotations")
        return own.TextBlock(block.text, refs, unknown=unknown(keys))

    def _media(
        self, block: model.MediaBlock, where: Where
    ) -> tuple[own.MediaRef, dict[str, Raw], Keys]:
        found, spelling = self.rest(block, where)
        keys = dict(found)
        more = _keys(keys.pop("media")) if "media" in keys else NO_KEYS
        says = _keys(spelling["media"]) if "media" in spelling else NO_KEYS
        return ref_of(block, more, says), keys, spelling

    def _image(self, block: model.ImageBlock, where: Where) -> own.ImageBlock:
        ref, keys, _ = self._media(block, where)
        bbox = self.finite(block.bbox, where, ".bbox")
        return own.ImageBlock(ref, block.alt_text, bbox, unknown=unknown(keys))

    def _audio(self, block: model.AudioBlock, where: Where) -> own.AudioBlock:
        ref, keys, _ = self._media(block, where)
        return own.AudioBlock(
            ref, block.transcript, block.sample_rate, block.channels, unknown=unknown(keys)
        )

    def _video(self, block: model.VideoBlock, where: Where) -> own.VideoBlock:
        ref, keys, _ = self._media(block, where)
        still = self._still(block.thumbnail, (*where, ".thumbnail"))
        return own.VideoBlock(ref, still, unknown=unknown(keys))

    def _still(self, image: model.ImageBlock | None, where: Where) -> own.MediaRef | None:
        if image is None:
            return None
        ref, keys, _ = self._media(image, where)
        if keys:
            self.lose("extras", where, ".extras")
        for key, value in (("altText", image.alt_text), ("bbox", image.bbox)):
            if value is not None:
                self.lose(key, where, f".{key}")
        return ref

    def _document(self, block: model.DocumentBlock, where: Where) -> own.DocumentBlock:
        ref, keys, spelling = self._media(block, where)
        text: str | UnsetType | None = block.text
        said = _flag(spelling["text"]) if "text" in spelling else None
        if self._version == "agentflow":
            if text is None and said is False:
                text = UNSET
        elif said is not True or self._wanted is not None:
            if text is not None:
                self.lose("text", where, ".text")
            text = UNSET
        return own.DocumentBlock(ref, text, block.pages, block.excerpt, unknown=unknown(keys))

    def _data(self, block: model.DataBlock, where: Where) -> own.DataBlock:
        found, spelling = self.rest(block, where)
        keys = dict(found)
        mime_type = block.mime_type
        if mime_type is None:
            media = inline(block)
            mime_type = (media and media.mime_type) or block.default_mime_type
        made = data_of(block, mime_type, keys, spelling)
        made.unknown = unknown(keys)
        return made

    def _thinking(self, block: model.ThinkingBlock, where: Where) -> own.ReasoningBlock | None:
        if block.redacted:
            self.lose("redacted", where)
            return None
        keys, _ = self.rest(block, where)
        return own.ReasoningBlock(block.thinking, block.details, unknown=unknown(keys))

    def _call(self, block: model.ToolCallBlock, where: Where) -> own.ToolCallBlock:
        keys, _ = self.rest(block, where)
        args = object_of(block.arguments.text) or {}
        return own.ToolCallBlock(block.id, block.name, args, block.tool_type, unknown=unknown(keys))

    def _result(self, block: model.ToolResultBlock, where: Where) -> own.ToolResultBlock:
        keys, spelling = self.rest(block, where)
        if block.tool_name is not None and block is not self.named:
            self.lose("function name", where, ".toolName")
        made = self.result_of(block, where, spelling)
        made.unknown = unknown(keys)
        return made

    def result_of(
        self,
        result: model.ToolResultBlock | model.ToolResultMessage,
        where: Where,
        spelling: Keys = NO_KEYS,
    ) -> own.ToolResultBlock:
        """Return the block of a result, without its unknown keys."""
        status: Any = result.status
        if status is not None and status not in _STATUSES:
            self.lose("status", where, ".status")
            status = None
        output = self._output(result.content, where, spelling)
        return own.ToolResultBlock(result.tool_call_id, output, result.is_error, status)

    def _output(self, content: list[model.Content], where: Where, spelling: Keys) -> Any:
        if "output" in spelling:
            came = _value(spelling["output"])
            if BlockReader(self._version).output(came)[0] == content:
                return came
        made = self.content(enumerate(content), where)
        if not made:
            return None
        only: Any = made[0]
        is_text = len(made) == 1 and type(only) is own.TextBlock and only.unknown is UNSET
        if is_text and not only.annotations:
            return only.text
        path = f"{path_of(where)}.content"
        return _value(write(mended_value(made, self.WIRE, path, self.losses), self.WIRE))

    def _annotation(self, block: model.AnnotationBlock, where: Where) -> own.AnnotationBlock:
        keys, _ = self.rest(block, where)
        kind: Any = block.kind
        if kind not in _KINDS:
            self.lose("annotation kind", where, ".kind")
            kind = "note"
        refs = self._references(block.refs, where, "refs")
        return own.AnnotationBlock(kind, refs, block.spans, unknown=unknown(keys))

    def _error(self, block: model.ErrorBlock, where: Where) -> own.ErrorBlock:
        keys, _ = self.rest(block, where)
        data = self.object_of(block.data, "error data", where, ".data")
        return own.ErrorBlock(block.message, block.code, data, unknown=unknown(keys))

    def _opaque(self, block: model.OpaqueBlock, where: Where) -> own.ContentBlock | None:
        if self.rest(block, where)[0]:
            self.lose("extras", where, ".extras")
        if block.api != self.API:
            self.lose("opaque", where)
            return None
        try:
            made: own.ContentBlock = read(own.ContentBlock, block.raw.text, self.WIRE)
        except DecodeError:
            self.lose("opaque", where)
            return None
        if type(made) is own.RemoteToolCallBlock and self._wanted == "0.3.6":
            self.lose("remote call", where)
            return None
        return made

    _BLOCKS: ClassVar[Mapping[type[Any], Any]] = {
        model.TextBlock: _text,
        model.ImageBlock: _image,
        model.AudioBlock: _audio,
        model.VideoBlock: _video,
        model.DocumentBlock: _document,
        model.DataBlock: _data,
        model.ThinkingBlock: _thinking,
        model.ToolCallBlock: _call,
        model.ToolResultBlock: _result,
        model.AnnotationBlock: _annotation,
        model.ErrorBlock: _error,
        model.OpaqueBlock: _opaque,
    }
