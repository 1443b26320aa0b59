"""PyAgenity's blocks <-> canonical ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Final

import msgspec
from msgspec import UNSET, Raw, UnsetType

from ... import model
from ..._body.decode import as_given, read_body, slices_of
from ..._body.surrogates import mended_value
from ...errors import DecodeError
from ...model import Arguments, Extras, RawJson
from .._mapping import Keys, Where, Writer, extras_of, inline, path_of, spelled
from .._records import Record, read, unknown, write
from . import contents as own
from .base import unchecked
from .calls import object_of, same_json
from .media import NO_KEYS, data_of, ref_of, told, told_data
from .system import API, WIRE
from .types import Version

__all__ = ["BlockWriter", "blocks_of"]

_BRACKET: Final = ord("[")
_KINDS: Final = frozenset({"citation", "note"})
_STATUSES: Final = frozenset({"completed", "failed"})
_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_value = msgspec.json.Decoder().decode
_flag = msgspec.json.Decoder(bool).decode


# -- PyAgenity's -> canonical ----------------------------------------------------------------------


def blocks_of(blocks: list[own.ContentBlock], version: Version) -> list[model.Content]:
    """Return canonical blocks."""
    return [_BLOCKS[type(block)](block, version) for block in blocks]


def _text_block(block: own.TextBlock, version: Version) -> model.TextBlock:
    annotations = [_reference(ref) for ref in block.annotations] or None
    return model.TextBlock(block.text, annotations, extras=_extras(block))


def _image_block(block: own.ImageBlock, version: Version) -> model.ImageBlock:
    fields, more, says = told(block.media)
    return model.ImageBlock(
        **fields,
        alt_text=block.alt_text,
        bbox=block.bbox,
        extras=_extras(block, _under("media", more), _under("media", says)),
    )


def _audio_block(block: own.AudioBlock, version: Version) -> model.AudioBlock:
    fields, more, says = told(block.media)
    return model.AudioBlock(
        **fields,
        transcript=block.transcript,
        sample_rate=block.sample_rate,
        channels=block.channels,
        extras=_extras(block, _under("media", more), _under("media", says)),
    )


def _video_block(block: own.VideoBlock, version: Version) -> model.VideoBlock:
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


def _document_block(block: own.DocumentBlock, version: Version) -> model.DocumentBlock:
    fields, more, says = told(block.media)
    spelling: dict[str, Any] = _under("media", says) or {}
    if (block.text is UNSET) is (version == "agentflow"):
        spelling["text"] = block.text is not UNSET
    return model.DocumentBlock(
        **fields,
        text=None if block.text is UNSET else block.text,
        pages=block.pages,
        excerpt=block.excerpt,
        extras=_extras(block, _under("media", more), spelling),
    )


def _data_block(block: own.DataBlock, version: Version) -> model.DataBlock:
    fields, keys, spelling = told_data(block)
    return model.DataBlock(**fields, extras=_extras(block, keys, spelling))


def _call_block(block: own.ToolCallBlock, version: Version) -> model.ToolCallBlock:
    return model.ToolCallBlock(
        block.id,
        block.name,
        Arguments.of(block.args),
        tool_type=block.tool_type,
        extras=_extras(block),
    )


def _remote_call_block(block: own.RemoteToolCallBlock, version: Version) -> model.OpaqueBlock:
    return model.OpaqueBlock(API, RawJson.adopt(Raw(write(block, WIRE))))


def _result_block(block: own.ToolResultBlock, version: Version) -> model.ToolResultBlock:
    content, spelling = _output_blocks(block.output, version)
    return model.ToolResultBlock(
        block.call_id,
        content=content,
        is_error=block.is_error,
        status=block.status,
        extras=_extras(block, None, spelling),
    )


def _output_blocks(output: Any, version: Version) -> tuple[list[model.Content], dict[str, Any]]:
    """Return the content for an output, and its spelling.

    A list of blocks becomes those blocks, a string becomes text, other JSON its own text.
    """
    if output is None:
        return [], {}
    if type(output) is str:
        return [model.TextBlock(output)], {}
    text = write(output, WIRE)  # which turns blocks inside it into plain objects
    spelling = {"output": Raw(text)}
    blocks = _listed(text)
    if blocks is None:
        return [model.TextBlock(text.decode())], spelling
    is_text = len(blocks) == 1 and type(blocks[0]) is own.TextBlock
    if not blocks or is_text or not _is_same(write(blocks, WIRE), text):
        return blocks_of(blocks, version), spelling
    return blocks_of(blocks, version), {}


def _reasoning_block(block: own.ReasoningBlock, version: Version) -> model.ThinkingBlock:
    return model.ThinkingBlock(block.summary, details=block.details, extras=_extras(block))


def _annotation_block(block: own.AnnotationBlock, version: Version) -> model.AnnotationBlock:
    refs = [_reference(ref) for ref in block.refs]
    return model.AnnotationBlock(block.kind, refs, block.spans, extras=_extras(block))


def _error_block(block: own.ErrorBlock, version: Version) -> model.ErrorBlock:
    return model.ErrorBlock(block.message, block.code, block.data, extras=_extras(block))


def _listed(text: bytes) -> list[own.ContentBlock] | None:
    """Return the blocks of an output, None if it is not a list of blocks."""
    if text[0] != _BRACKET:
        return None
    try:
        with slices_of(text):
            body = read_body(list[own.ContentBlock], text, WIRE, closed=True)
    except DecodeError:
        return None
    blocks: list[own.ContentBlock] = body.root
    return blocks


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


def _is_same(again: bytes, text: bytes) -> bool:
    """Whether JSON that was encoded anew means the same as the output."""
    return again == text or same_json(_value(again), _value(text))


_BLOCKS: Final[Mapping[type[Any], Any]] = {
    own.TextBlock: _text_block,
    own.ImageBlock: _image_block,
    own.AudioBlock: _audio_block,
    own.VideoBlock: _video_block,
    own.DocumentBlock: _document_block,
    own.DataBlock: _data_block,
    own.ToolCallBlock: _call_block,
    own.RemoteToolCallBlock: _remote_call_block,
    own.ToolResultBlock: _result_block,
    own.ReasoningBlock: _reasoning_block,
    own.AnnotationBlock: _annotation_block,
    own.ErrorBlock: _error_block,
}


# -- canonical -> PyAgenity's ----------------------------------------------------------------------


def _elsewhere(content: Sequence[Any]) -> set[int]:
    """Return the indexes of the blocks that only an answer's `reasoning` and `tools_calls` express.

    They came in like that, and are where a reader puts them: a single thought at the start, calls
    at the end, with ids that no call before them has.
    """
    thoughts = [i for i, block in enumerate(content) if type(block) is model.ThinkingBlock]
    indexes = {0} if thoughts == [0] and _needs_no_block(content[0]) else set()
    start = len(content)
    while start and type(content[start - 1]) is model.ToolCallBlock:
        if not _needs_no_block(content[start - 1]):
            break
        start -= 1
    ids = {block.id for block in content[:start] if type(block) is model.ToolCallBlock}
    if ids.isdisjoint(call.id for call in content[start:]):
        indexes.update(range(start, len(content)))
    return indexes


def _needs_no_block(block: Any) -> bool:
    """Whether a thought or a call came in without a block, and has no field that needs one."""
    if bytes(spelled(block.extras, API).get("block", b"")) != b"false":
        return False
    if type(block) is model.ToolCallBlock:
        return block.tool_type is None
    return block.details is None and not block.redacted and block.thinking != ""


class BlockWriter:
    """Makes the blocks of one message in the version that it is written in.

    `is_wanted` tells that a caller asked for the version. `named` is the result whose function the
    message's metadata names.
    """

    def __init__(
        self,
        writer: Writer,
        version: Version,
        is_wanted: bool,
        named: model.ToolResultBlock | None = None,
    ) -> None:
        self._writer = writer
        self._version: Version = version
        self._is_wanted = is_wanted
        self._named = named

    def content(
        self, blocks: Iterable[tuple[int, model.Content]], where: Where, *, is_answer: bool = False
    ) -> list[own.ContentBlock]:
        """Return blocks; in an answer, without those that its other fields express."""
        parts = []
        numbered = list(blocks)
        elsewhere = _elsewhere([block for _, block in numbered]) if is_answer else ()
        for i, block in numbered:
            make = self._BLOCKS.get(type(block))
            at = (*where, i)
            if make is None:
                self._writer.lose_block(block, at)
                continue
            if i in elsewhere:
                self._writer.lose_rest(block, at)
                continue
            if not is_answer and type(block) is model.ToolCallBlock:
                self.lose_entry(block, at)
            part = make(self, block, at)
            if part is not None:
                parts.append(part)
        return parts

    def lose_entry(self, call: model.ToolCallBlock, where: Where) -> None:
        """Report the fields of a call that only an entry in `tools_calls` could hold."""
        if call.signature is not None:
            self._writer.lose("signature", where, ".signature")
        if object_of(call.arguments.text) is None:
            self._writer.lose("arguments", where, ".arguments")

    def object_of(self, value: Any, what: str, where: Where, key: str) -> dict[str, Any] | None:
        """Return data that must be an object there; other data is lost."""
        if isinstance(value, RawJson):
            value = value.value
        if value is None or type(value) is dict:
            return value
        self._writer.lose(what, where, key)
        return None

    def _references(
        self, refs: Iterable[model.AnnotationRef], where: Where, name: str
    ) -> list[own.AnnotationRef]:
        references = []
        for i, ref in enumerate(refs):
            keys, _ = self._writer.rest(ref, (*where, f".{name}[{i}]"))
            references.append(
                unchecked(
                    own.AnnotationRef,
                    ref.url,
                    ref.file_id,
                    ref.page,
                    ref.index,
                    ref.title,
                    unknown=unknown(keys),
                )
            )
        return references

    def _text(self, block: model.TextBlock, where: Where) -> own.TextBlock:
        keys, _ = self._writer.rest(block, where)
        refs = self._references(block.annotations or (), where, "annotations")
        part: own.TextBlock = as_given(own.TextBlock, block.text, refs, unknown=unknown(keys))
        return part

    def _media(
        self, block: model.MediaBlock, where: Where
    ) -> tuple[own.MediaRef, dict[str, Raw], Keys]:
        rest, spelling = self._writer.rest(block, where)
        keys = dict(rest)
        more = _keys(keys.pop("media")) if "media" in keys else NO_KEYS
        says = _keys(spelling["media"]) if "media" in spelling else NO_KEYS
        return ref_of(block, more, says), keys, spelling

    def _image(self, block: model.ImageBlock, where: Where) -> own.ImageBlock:
        ref, keys, _ = self._media(block, where)
        bbox = self._writer.finite(block.bbox, where, ".bbox")
        return unchecked(own.ImageBlock, ref, block.alt_text, bbox, unknown=unknown(keys))

    def _audio(self, block: model.AudioBlock, where: Where) -> own.AudioBlock:
        ref, keys, _ = self._media(block, where)
        return unchecked(
            own.AudioBlock,
            ref,
            block.transcript,
            block.sample_rate,
            block.channels,
            unknown=unknown(keys),
        )

    def _video(self, block: model.VideoBlock, where: Where) -> own.VideoBlock:
        ref, keys, _ = self._media(block, where)
        still = self._still(block.thumbnail, (*where, ".thumbnail"))
        return unchecked(own.VideoBlock, ref, still, unknown=unknown(keys))

    def _still(self, image: model.ImageBlock | None, where: Where) -> own.MediaRef | None:
        if image is None:
            return None
        ref, keys, _ = self._media(image, where)
        self._writer.lose_keys(keys, where)
        for key, value in (("altText", image.alt_text), ("bbox", image.bbox)):
            if value is not None:
                self._writer.lose(key, where, f".{key}")
        return ref

    def _document(self, block: model.DocumentBlock, where: Where) -> own.DocumentBlock:
        ref, keys, spelling = self._media(block, where)
        text: str | UnsetType | None = block.text
        has_text = _flag(spelling["text"]) if "text" in spelling else None
        if self._version == "agentflow":
            if text is None and has_text is False:
                text = UNSET
        elif has_text is not True or self._is_wanted:
            if text is not None:
                self._writer.lose("text", where, ".text")
            text = UNSET
        return unchecked(
            own.DocumentBlock, ref, text, block.pages, block.excerpt, unknown=unknown(keys)
        )

    def _data(self, block: model.DataBlock, where: Where) -> own.DataBlock:
        rest, spelling = self._writer.rest(block, where)
        keys = dict(rest)
        mime_type = block.mime_type
        if mime_type is None:
            media = inline(block)
            sniffed = None if media is None else media.mime_type
            mime_type = sniffed or block.default_mime_type
        made = data_of(block, mime_type, keys, spelling)
        made.unknown = unknown(keys)
        return made

    def _thinking(self, block: model.ThinkingBlock, where: Where) -> own.ReasoningBlock | None:
        if block.redacted:
            self._writer.lose("redacted", where)
            return None
        keys, _ = self._writer.rest(block, where)
        part: own.ReasoningBlock = as_given(
            own.ReasoningBlock, block.thinking, block.details, unknown=unknown(keys)
        )
        return part

    def _call(self, block: model.ToolCallBlock, where: Where) -> own.ToolCallBlock:
        keys, _ = self._writer.rest(block, where)
        args = object_of(block.arguments.text) or {}
        part: own.ToolCallBlock = as_given(
            own.ToolCallBlock, block.id, block.name, args, block.tool_type, unknown=unknown(keys)
        )
        return part

    def _result(self, block: model.ToolResultBlock, where: Where) -> own.ToolResultBlock:
        keys, spelling = self._writer.rest(block, where)
        if block.tool_name is not None and block is not self._named:
            self._writer.lose("function name", where, ".toolName")
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
            self._writer.lose("status", where, ".status")
            status = None
        output = self._output(result.content, where, spelling)
        part: own.ToolResultBlock = as_given(
            own.ToolResultBlock, result.tool_call_id, output, result.is_error, status
        )
        return part

    def _output(self, content: list[model.Content], where: Where, spelling: Keys) -> Any:
        if "output" in spelling:
            original = _value(spelling["output"])
            if _output_blocks(original, self._version)[0] == content:
                return original
        blocks = self.content(enumerate(content), where)
        if not blocks:
            return None
        only: Any = blocks[0]
        is_text = len(blocks) == 1 and type(only) is own.TextBlock and only.unknown is UNSET
        if is_text and not only.annotations:
            return only.text
        path = f"{path_of(where)}.content"
        return _value(write(mended_value(blocks, WIRE, path, self._writer.losses), WIRE))

    def _annotation(self, block: model.AnnotationBlock, where: Where) -> own.AnnotationBlock:
        keys, _ = self._writer.rest(block, where)
        kind: Any = block.kind
        if kind not in _KINDS:
            self._writer.lose("annotation kind", where, ".kind")
            kind = "note"
        refs = self._references(block.refs, where, "refs")
        return unchecked(own.AnnotationBlock, kind, refs, block.spans, unknown=unknown(keys))

    def _error(self, block: model.ErrorBlock, where: Where) -> own.ErrorBlock:
        keys, _ = self._writer.rest(block, where)
        data = self.object_of(block.data, "error data", where, ".data")
        return unchecked(own.ErrorBlock, block.message, block.code, data, unknown=unknown(keys))

    def _opaque(self, block: model.OpaqueBlock, where: Where) -> own.ContentBlock | None:
        self._writer.lose_rest(block, where)
        if block.api != API:
            self._writer.lose("opaque", where)
            return None
        try:
            part: own.ContentBlock = read(own.ContentBlock, block.raw.text, WIRE)
        except DecodeError:
            self._writer.lose("opaque", where)
            return None
        if type(part) is own.RemoteToolCallBlock and self._is_wanted and self._version == "0.3.6":
            self._writer.lose("remote call", where)
            return None
        return part

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
