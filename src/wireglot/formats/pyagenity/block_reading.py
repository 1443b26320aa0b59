"""PyAgenity's blocks -> canonical ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from msgspec import UNSET, Raw

from ... import model
from ..._bodies import read_body, slices_of
from ...errors import DecodeError
from ...model import Arguments, Extras, RawJson
from .._mapping import extras_of
from .._records import Record, write
from . import blocks as own
from .calls import same_json
from .media import told, told_data
from .types import Version

__all__ = ["API", "BlockReader"]

API: Final = "pyagenity"

_BRACKET: Final = ord("[")
_value = msgspec.json.Decoder().decode


class BlockReader:
    """Makes canonical blocks of the blocks of one version."""

    def __init__(self, version: Version = "agentflow") -> None:
        self._version: Version = version

    def content(self, blocks: list[own.ContentBlock]) -> list[model.Content]:
        """Return canonical blocks."""
        return [_BLOCKS[type(block)](self, block) for block in blocks]

    def _text(self, block: own.TextBlock) -> model.TextBlock:
        annotations = [_reference(ref) for ref in block.annotations] or None
        return model.TextBlock(block.text, annotations, extras=_extras(block))

    def _image(self, block: own.ImageBlock) -> model.ImageBlock:
        fields, more, says = told(block.media)
        return model.ImageBlock(
            **fields,
            alt_text=block.alt_text,
            bbox=block.bbox,
            extras=_extras(block, _under("media", more), _under("media", says)),
        )

    def _audio(self, block: own.AudioBlock) -> model.AudioBlock:
        fields, more, says = told(block.media)
        return model.AudioBlock(
            **fields,
            transcript=block.transcript,
            sample_rate=block.sample_rate,
            channels=block.channels,
            extras=_extras(block, _under("media", more), _under("media", says)),
        )

    def _video(self, block: own.VideoBlock) -> model.VideoBlock:
        fields, more, says = told(block.media)
        thumbnail = None
        if block.thumbnail is not None:
            still, further, other = told(block.thumbnail)
            extras = extras_of(API, UNSET, _under("media", further), _under("media", other))
            thumbnail = model.ImageBlock(**still, extras=extras)
        return model.VideoBlock(
            **fields,
            thumbnail=thumbnail,
            extras=_extras(block, _under("media", more), _under("media", says)),
        )

    def _document(self, block: own.DocumentBlock) -> model.DocumentBlock:
        fields, more, says = told(block.media)
        spelling: dict[str, Any] = _under("media", says) or {}
        if (block.text is UNSET) is (self._version == "agentflow"):
            spelling["text"] = block.text is not UNSET
        return model.DocumentBlock(
            **fields,
            text=None if block.text is UNSET else block.text,
            pages=block.pages,
            excerpt=block.excerpt,
            extras=_extras(block, _under("media", more), spelling),
        )

    def _data(self, block: own.DataBlock) -> model.DataBlock:
        fields, keys, spelling = told_data(block)
        return model.DataBlock(**fields, extras=_extras(block, keys, spelling))

    def _call(self, block: own.ToolCallBlock) -> model.ToolCallBlock:
        return model.ToolCallBlock(
            block.id,
            block.name,
            Arguments.of(block.args),
            tool_type=block.tool_type,
            extras=_extras(block),
        )

    def _remote_call(self, block: own.RemoteToolCallBlock) -> model.OpaqueBlock:
        return model.OpaqueBlock(API, RawJson.adopt(Raw(write(block, own.WIRE))))

    def _result(self, block: own.ToolResultBlock) -> model.ToolResultBlock:
        content, spelling = self.output(block.output)
        return model.ToolResultBlock(
            block.call_id,
            content=content,
            is_error=block.is_error,
            status=block.status,
            extras=_extras(block, None, spelling),
        )

    def output(self, output: Any) -> tuple[list[model.Content], dict[str, Any]]:
        """Return the content for an output, and its spelling.

        A list of blocks becomes those blocks, a string becomes text, other JSON its own text.
        """
        if output is None:
            return [], {}
        if type(output) is str:
            return [model.TextBlock(output)], {}
        text = write(output, own.WIRE)  # which turns blocks inside it into plain objects
        spelling = {"output": Raw(text)}
        blocks = _blocks(text)
        if blocks is None:
            return [model.TextBlock(text.decode())], spelling
        is_text = len(blocks) == 1 and type(blocks[0]) is own.TextBlock
        if not blocks or is_text or not _is_same(write(blocks, own.WIRE), text):
            return self.content(blocks), spelling
        return self.content(blocks), {}

    def _reasoning(self, block: own.ReasoningBlock) -> model.ThinkingBlock:
        return model.ThinkingBlock(block.summary, details=block.details, extras=_extras(block))

    def _annotation(self, block: own.AnnotationBlock) -> model.AnnotationBlock:
        refs = [_reference(ref) for ref in block.refs]
        return model.AnnotationBlock(block.kind, refs, block.spans, extras=_extras(block))

    def _error(self, block: own.ErrorBlock) -> model.ErrorBlock:
        return model.ErrorBlock(block.message, block.code, block.data, extras=_extras(block))


def _blocks(text: bytes) -> list[own.ContentBlock] | None:
    """Return the blocks of an output, None if it is not a list of blocks."""
    if text[0] != _BRACKET:
        return None
    try:
        with slices_of(text):
            made: list[own.ContentBlock] = read_body(
                list[own.ContentBlock], text, own.WIRE, closed=True
            ).root
    except DecodeError:
        return None
    return made


def _reference(ref: own.AnnotationRef) -> model.AnnotationRef:
    return model.AnnotationRef(
        ref.url, ref.title, ref.file_id, ref.page, ref.index, extras=_extras(ref)
    )


def _extras(
    record: Record,
    keys: Mapping[str, Any] | None = None,
    spelling: Mapping[str, Any] | None = None,
) -> Extras | None:
    return extras_of(API, record.unknown, keys, spelling)


def _under(name: str, keys: dict[str, Any]) -> dict[str, Any] | None:
    return {name: keys} if keys else None


def _is_same(made: bytes, text: bytes) -> bool:
    """Whether JSON that was encoded anew means the same as the output."""
    return made == text or same_json(_value(made), _value(text))


_BLOCKS: Final[Mapping[type[Any], Any]] = {
    own.TextBlock: BlockReader._text,
    own.ImageBlock: BlockReader._image,
    own.AudioBlock: BlockReader._audio,
    own.VideoBlock: BlockReader._video,
    own.DocumentBlock: BlockReader._document,
    own.DataBlock: BlockReader._data,
    own.ToolCallBlock: BlockReader._call,
    own.RemoteToolCallBlock: BlockReader._remote_call,
    own.ToolResultBlock: BlockReader._result,
    own.ReasoningBlock: BlockReader._reasoning,
    own.AnnotationBlock: BlockReader._annotation,
    own.ErrorBlock: BlockReader._error,
}
