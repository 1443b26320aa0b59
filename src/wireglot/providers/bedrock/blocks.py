"""Content blocks <-> the blocks of Bedrock Converse, in requests and in answers.

What describes a block to programs (alt text, bounding boxes, sizes, pages, the kind of a call) is
not sent.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

import msgspec
from msgspec import Raw, Struct

from ..._body.objects import is_null, with_keys
from ...model import (
    AnnotationRef,
    AssistantMessage,
    AudioBlock,
    CacheMark,
    Content,
    DocumentBlock,
    ErrorBlock,
    Extra,
    Extras,
    ImageBlock,
    OpaqueBlock,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    ToolResultBlock,
    VideoBlock,
)
from ...model.blocks import MediaBlock
from .._across.ids import hashed, nine_letters
from .._across.media import inline, media_type, of_its_kind
from .._across.tools import object_arguments
from .._codecs.order import Result
from .._codecs.simple import is_bare, is_lone_result
from .._state.decoding import Decoding, arguments_of
from .._state.encoding import Encoding
from .._state.signatures import CLAUDE, api_of, blob_of, claudes, reads
from .._state.stored import lenient_value
from .._state.wire import Slice, Wire
from . import wire
from .formats import AUDIO, DOCUMENTS, IMAGES, MIME_TYPES, PAGED, VIDEO, is_s3
from .makers import ANYONE, PLAIN, RESULT, Maker

# -- blocks -> the wire's ----------------------------------------------------------------------

_MOST_MARKS: Final = 4
_LONGEST: Final = 64
_ID_LETTER: Final = re.compile(r"[a-zA-Z0-9_.:-]")
_is_id: Final = re.compile(r"[a-zA-Z0-9_.:-]{1,64}").fullmatch
_is_base64: Final = re.compile(r"(?:[a-zA-Z0-9+/]{4})*(?:[a-zA-Z0-9+/]{2,3}={1,2})?").fullmatch
_NOT_IN_TITLES: Final = re.compile(r"[^a-zA-Z0-9()\[\]-]+")  # nor are two spaces in a row
_is_title: Final = re.compile(r"(?!.*  )(?! *$)[a-zA-Z0-9()\[\] -]{1,200}").fullmatch
_LONGEST_TITLE: Final = 180  # the limit is 200; the rest is for a number


class BlockWriter:
    """The encoder of the blocks of one request or one answer.

    It counts the cache points, and keeps the names of documents apart, and those of tools in this
    wire's alphabet.
    """

    def __init__(
        self, encoding: Encoding, *, is_answer: bool = False, maker: Maker = ANYONE
    ) -> None:
        self._encoding = encoding
        self._maker = maker
        self._is_answer = is_answer
        self._marks_left = 0 if is_answer else _MOST_MARKS  # answers have none
        self._has_short_mark = False
        self.id_of_call: Callable[[str], str] = nine_letters if maker.nine_letters else id_of_call
        """The id of a call -> the id as the model takes it."""
        self._titles: dict[str, int] = {}
        """The document names in use -> the last number appended to each."""
        self.inner_mark: CacheMark | None = None
        """The mark of a block in the last result, which goes behind the result."""
        self.shown: list[Any] = []
        """The media of results that the model takes only behind them."""
        self._unmarked: tuple[list[Any], int, int] = ([], 0, 0)
        """Some content, and from where to where its blocks take no cache point behind them."""

    def block(self, block: Content, message: Any = None) -> Any:
        """Return the wire's block without its cache point, None if it has no place for this one.

        `message` is what the block is the content of, None for a result.
        """
        kind = type(block)
        write = _BLOCKS.get(kind)
        if write is None:
            shown: Any = of_its_kind(block, self._encoding)
            if shown is not None:
                return self.block(shown, message)
            self._encoding.lose_whole(block)
            return None
        self._encoding.lose_rest(block)
        body = write(self, block, message)
        if block.extras is None:
            return body
        if type(block) is TextBlock and (body is None or body.text is not None):
            return self._beside_text(body, block)
        return self._encoding.with_extras(body, block) if body is not None else None

    def call(self, block: ToolCallBlock, call_id: str) -> wire.Block:
        """Return the block of a call, without its unknown keys."""
        arguments = object_arguments(block, self._encoding)
        # A client knows the tool by the very name that the model has called.
        name = block.name if self._is_answer else self._encoding.tool_name(block.name, block)
        return wire.Block(tool_use=wire.ToolUse(call_id, name, arguments))

    def result(self, result: Result, call_id: str) -> wire.Block:
        """Return the block of a result, without its unknown keys."""
        content: list[Any] = []
        block: Any
        if is_lone_result(result):
            block = result.content[0]
            return wire.Block(tool_result=wire.ToolResult(call_id, [wire.Part(block.text)]))
        self._encoding.lose_rest(result)
        media: list[Any] = []
        for block in result.content:
            shown: Any = of_its_kind(block, self._encoding) or block
            if is_plain(block):
                content.append(wire.Block(block.text))
            elif type(shown) in _IN_RESULTS or is_own_block(block):
                body = self.block(shown)
                if body is not None:
                    (content if self._is_in_result(body) else media).append(body)
                if getattr(block, "cache", None) is not None:
                    if self.inner_mark is not None:
                        self._encoding.lose("cache mark", block)
                    self.inner_mark = block.cache
            else:
                self._encoding.lose("tool result content", block)
        if media:
            self.shown += [wire.Block(f"This is from the result of {_tool_of(result)}:"), *media]
        status = self._status(result)
        if not content and status is not None:  # the API refuses one without content
            content.append(wire.Part(status))
        elif not content and not self._maker.empty_results:
            content.append(wire.Part(""))
        return wire.Block(tool_result=wire.ToolResult(call_id, content, status))

    def _is_in_result(self, body: Any) -> bool:
        """Whether a result may hold a block of the wire, by its kind."""
        kind = _kind_of(body)
        return kind is None or kind in self._maker.in_results

    def _status(self, result: Result) -> str | None:
        if not result.is_error:
            return None
        if self._maker.status:
            return "error"
        self._encoding.lose("error flag", result)
        return None

    def signature(self, block: ThinkingBlock, message: Any) -> str | None:
        """Return the signature of thinking, None if this API would not accept it, as a loss.

        That of redacted thinking is all that it has: it is base64, or the thinking is lost.
        """
        signature = self._signature(block, message)
        if block.redacted:
            if signature is None:
                self._encoding.lose("thinking", block)
        elif signature is None and block.signature is not None:
            self._encoding.lose("signature", block)
        return signature

    def is_thought(self, block: Content, message: AssistantMessage) -> bool:
        """Whether a block is thinking that this API takes back."""
        if type(block) is not ThinkingBlock or not self._maker.thoughts:
            return False
        if self._signature(block, message):
            return True
        # Other models than Claude reason without a signature, which Claude refuses.
        return _is_own(message) and not block.redacted and not reads(self._encoding, CLAUDE)

    def _signature(self, block: ThinkingBlock, message: Any) -> str | None:
        if _is_own(message):
            if block.redacted and not (block.signature and _is_base64(block.signature)):
                return None
            return block.signature
        signature = claudes(block, message, self._encoding)
        return blob_of(signature) if signature is not None and block.redacted else signature

    # Cache points, and names

    def add_mark(
        self, content: list[Any], mark: CacheMark, part: Any, place: str = "messages"
    ) -> None:
        """Add a cache point after content, or before what cannot be marked, which is a loss.

        It is lost if nothing that can be cached comes before it, and after thinking.
        """
        at = self._unmarked_from(content)
        is_moved = at < len(content)
        self._unmarked = (content, at, len(content))
        if not at or _is_thinking(content[at - 1]) or (is_moved and is_mark(content[at - 1])):
            self._encoding.lose("cache mark", part)
            return
        points = [wire.Block(cache_point=point) for point in self.point(mark, part, place)]
        if points and is_moved:
            self._encoding.lose("cache mark", part)
        content[at:at] = points
        self._unmarked = (content, at + len(points), len(content))

    def _unmarked_from(self, content: list[Any]) -> int:
        """Return where the blocks at the end of content begin that a cache point may not follow.

        Many blocks may ask for a point behind them that has no place: none is looked at again.
        """
        known, begin, end = self._unmarked
        at = len(content)
        while at and _kind_of(content[at - 1]) in self._maker.unmarked:
            at = begin if known is content and at == end else at - 1
        return at

    def parts_mark(self, content: list[Any]) -> bool:
        """Whether a blank text has to stay, as it parts a mark from what cannot be marked."""
        return bool(content) and _kind_of(content[-1]) in self._maker.unmarked

    def point(self, mark: CacheMark, part: Any, place: str) -> list[wire.CachePoint]:
        """Return a cache point, none if all are used. One of an hour after a shorter is a loss."""
        if self._marks_left == 0 or place not in self._maker.marks:
            self._encoding.lose("cache mark", part)
            return []
        self._marks_left -= 1
        ttl = mark.ttl
        if ttl == "1h" and (self._has_short_mark or not self._maker.hour):
            self._encoding.lose("cache ttl", part)
            ttl = None
        self._has_short_mark |= ttl != "1h"
        return [wire.CachePoint("default", ttl)]

    def has_counted(self) -> bool:
        """Whether there have been cache points or documents, which are counted over a request."""
        return self._marks_left < _MOST_MARKS or bool(self._titles)

    def _title(self, title: str) -> str:
        """Return a document's name in the wire's alphabet, different from all others.

        A name that has to change loses its extension.
        """
        new = plain = title
        if not _is_title(title) or title in self._titles:
            stem, dot, extension = title.rpartition(".")
            plain = stem if dot and stem and len(extension) < 6 else title
            plain = _NOT_IN_TITLES.sub(" ", plain).strip()[:_LONGEST_TITLE].strip() or "Document"
            new = plain
        count = self._titles.get(plain, 1)
        while new in self._titles:
            count += 1
            new = f"{plain} {count}"
        self._titles[new] = 1
        if new != plain:
            self._titles[plain] = count
        return new

    # One kind each: the wire's block, or None

    def _text(self, block: TextBlock, message: Any) -> Any:
        if block.extras is not None and _is_as_it_came(block, message):
            return wire.Block()  # the spelling fills it
        if block.annotations:
            self._encoding.lose("annotation", block)
        text = block.text
        if self._is_answer:
            return wire.Block(text) if text or _is_own(message) else None
        # The API refuses a request with blank text.
        return wire.Block(text) if text and not text.isspace() else None

    def _beside_text(self, body: wire.Block | None, block: TextBlock) -> Any:
        """Return a text with those of its unknown keys that are null.

        Others are a loss: a union has no place for them.
        """
        own = self._encoding.own_keys(block)
        nulls = {key: raw for key, raw in own.items() if is_null(raw)}
        if len(nulls) < len(own):
            self._encoding.lose("extras", block, keys=[key for key in own if key not in nulls])
        return with_keys(body, nulls) if body is not None and nulls else body

    def _thinking(self, block: ThinkingBlock, message: Any) -> Any:
        # A client is shown the thinking of any API, but not data that only another one can read.
        if not self._is_answer and not self.is_thought(block, message):
            self._encoding.lose("thinking", block)
            return None
        signature = self.signature(block, message)
        if not block.redacted:
            text = wire.ReasoningText(block.thinking, signature)
            return wire.Block(reasoning_content=wire.Reasoning(text))
        if signature is None:
            return None
        if block.thinking:
            self._encoding.lose("redacted thinking", block)
        return wire.Block(reasoning_content=wire.Reasoning(redacted_content=signature))

    def _call(self, block: ToolCallBlock, message: Any) -> Any:
        if type(message) is not AssistantMessage:
            self._encoding.lose_whole(block)
            return None
        return self.call(block, self.id_of_call(block.id))

    def _image(self, block: ImageBlock, message: Any) -> Any:
        source, form = self._source(block, IMAGES, message)
        if source is None:
            self._encoding.lose("image", block)
            return None
        return wire.Block(image=wire.Image(form, source))

    def _video(self, block: VideoBlock, message: Any) -> Any:
        source, form = self._source(block, VIDEO, message)
        if source is None:
            self._encoding.lose("video", block)
            return _words(block.transcript)
        return wire.Block(video=wire.Image(form, source))

    def _audio(self, block: AudioBlock, message: Any) -> Any:
        source, form = self._source(block, AUDIO, message)
        if source is None:
            self._encoding.lose("audio", block)
            return _words(block.transcript)
        return wire.Block(audio=wire.Image(form, source))

    def _document(self, block: DocumentBlock, message: Any) -> Any:
        form: str | None
        if block.text is not None and not self._is_refused(block, message):
            if (block.url or block.data or block.file_id) is not None:
                self._encoding.lose("document source", block)
            source: wire.Source | None = wire.Source(text=block.text)
            form = DOCUMENTS.get(block.mime_type, "txt") if block.mime_type is not None else None
        else:
            source, form = self._source(block, DOCUMENTS, message)
        if source is None:
            self._encoding.lose("document", block)
            return None
        cited = wire.Citations(block.citations) if block.citations is not None else None
        if block.citations and not self._maker.citations:
            self._encoding.lose("citations", block)
            cited = None
        title = self._title(block.title or block.filename or "Document")
        return wire.Block(document=wire.Document(title, source, form, block.context, cited))

    def _source(
        self, block: MediaBlock, formats: dict[str, str], message: Any
    ) -> tuple[wire.Source | None, str]:
        """Return the source of the data, None if Bedrock does not take it, and the format."""
        media = inline(block)
        url = block.url if media is None else None
        is_stored = url is not None and is_s3(url) and self._maker.s3
        if self._is_refused(block, message) or (media is None and not is_stored):
            return None, ""
        form = formats.get(media_type(block))
        if form is None:
            return None, ""
        if url is not None:
            return wire.Source(s3_location=wire.S3Location(url)), form
        return wire.Source(media), form

    def _is_refused(self, block: MediaBlock, message: Any) -> bool:
        """Whether the model takes no such block, or a message of another API cannot have it."""
        if _KINDS[type(block)] not in self._maker.media:
            return True
        is_foreign = type(message) is AssistantMessage and not _is_own(message)
        return is_foreign and type(block) in _OWN_ONLY[self._is_answer]

    def _error(self, block: ErrorBlock, _: Any) -> Any:
        self._encoding.lose_whole(block)
        return _words(block.message)

    def _opaque(self, block: OpaqueBlock, _: Any) -> Any:
        if block.api != wire.API:
            self._encoding.lose_whole(block)
            return None
        return self._encoding.opaque(block)


_BLOCKS: Final[dict[type, Callable[[BlockWriter, Any, Any], Any]]] = {
    TextBlock: BlockWriter._text,
    ThinkingBlock: BlockWriter._thinking,
    ToolCallBlock: BlockWriter._call,
    ImageBlock: BlockWriter._image,
    DocumentBlock: BlockWriter._document,
    AudioBlock: BlockWriter._audio,
    VideoBlock: BlockWriter._video,
    ErrorBlock: BlockWriter._error,
    OpaqueBlock: BlockWriter._opaque,
}
_KINDS: Final[dict[type, str]] = {
    ImageBlock: "image",
    DocumentBlock: "document",
    VideoBlock: "video",
    AudioBlock: "audio",
}
_IN_RESULTS: Final = frozenset({TextBlock, ImageBlock, DocumentBlock, VideoBlock})
_OWN_ONLY: Final[dict[bool, frozenset[type]]] = {
    False: frozenset({ImageBlock, DocumentBlock}),  # the API documents these for users alone
    True: frozenset({AudioBlock, DocumentBlock, VideoBlock}),  # models make no more than images
}
"""Whether it is an answer -> the media that only an answer of this API has."""


def is_plain(block: Any) -> bool:
    """Whether a block has text that is not blank, and nothing else."""
    return is_bare(block) and bool(block.text) and not block.text.isspace()


def id_of_call(call_id: str) -> str:
    """Return the id of a call in this wire's alphabet, in which the API requires it."""
    if len(call_id) <= _LONGEST and call_id.isascii() and call_id.isidentifier():
        return call_id  # quicker than the pattern
    return call_id if _is_id(call_id) else hashed(call_id, _ID_LETTER, _LONGEST)


def is_own_block(block: Any) -> bool:
    """Whether a block is opaque, and of this API."""
    return type(block) is OpaqueBlock and block.api == wire.API


def _is_own(message: Any) -> bool:
    """Whether a message came over this API."""
    return api_of(message) == wire.API


def _is_as_it_came(block: TextBlock, message: Any) -> bool:
    """Whether the block has not changed since it was read from JSON or from cited text.

    JSON occurs only in results, where `message` is None; cited text only outside of them.
    """
    extra = (block.extras or {}).get(wire.API)
    if extra is None or extra.spelling is None:
        return False
    if message is None:
        return extra.spelling.text == b'{"json":%b}' % block.text.encode()
    return citations_of(block) is not None


def _is_thinking(part: Any) -> bool:
    return type(part) is wire.Block and part.reasoning_content is not None


def is_mark(part: Any) -> bool:
    """Whether a block or tool of the wire is a cache point."""
    return isinstance(part, wire.Block | wire.Tool) and part.cache_point is not None


def kinds_of(part: Any) -> list[str]:
    """Return the keys of a block of the wire, which is a union: one."""
    if type(part) is wire.Block or type(part) is wire.Part:
        names = zip(part.__struct_fields__, part.__struct_encode_fields__, strict=True)
        return [key for name, key in names if getattr(part, name) is not None]
    keys = part if type(part) is dict else lenient_value(part)
    return list(keys) if isinstance(keys, dict) else []


def _kind_of(part: Any) -> str | None:
    """Return the kind of media that a block of the wire is, or `result`; None if it is neither."""
    if type(part) is not wire.Block:
        return None
    if part.tool_result is not None:
        return RESULT
    document = part.document
    if document is not None:
        cited = document.citations is not None and document.citations.enabled
        return "document" if document.format in PAGED or cited else PLAIN
    return "image" if part.image is not None else "video" if part.video is not None else None


def _tool_of(result: Result) -> str:
    return result.tool_name or "a tool"


def _words(text: str | None) -> wire.Block | None:
    """Return a text block in place of another block, None if the text is blank."""
    return wire.Block(text) if text and not text.isspace() else None


# -- the wire's -> blocks ----------------------------------------------------------------------

_TTLS: Final = (None, "5m", "1h")
_NULL: Final = Raw(b"null")
_QUOTE: Final = ord('"')


class BlockReader:
    """The decoder of the blocks of one body; it knows the names of the tools called so far."""

    def __init__(self, decoding: Decoding) -> None:
        self._decoding = decoding
        self.names: dict[str, str] = {}

    def content(self, parts: list[wire.Block]) -> list[Content]:
        """Return the blocks of a turn or a prompt; a cache point marks the block before it."""
        content: list[Content] = []
        for part in parts:
            mark = mark_of(part, self._decoding) if part.cache_point is not None else None
            last: Any = content[-1] if content else None
            if mark is not None and getattr(last, "cache", mark) is None:
                last.cache = mark
            else:
                content.append(self._block(part))
        return content

    def _block(self, part: wire.Block) -> Content:
        text = part.text
        if text is not None and not self._decoding.unknown and part == wire.Block(text=text):
            return TextBlock(text)
        return self._member(part, member_of(part, self._decoding))

    def _member(self, part: Any, name: str | None) -> Content:
        """Return the block for a union's member, the union itself if no block can hold it."""
        read = _PARTS.get(name or "")
        block = read(self, part, getattr(part, name)) if read and name else None
        return block or OpaqueBlock(wire.API, self._decoding.raw(part))

    def _part(self, part: wire.Part) -> Content:
        """Return a block inside a result. JSON becomes text, and goes back to this API as JSON."""
        name = member_of(part, self._decoding)
        if name == "json":
            text = bytes(part.json).decode()
            return TextBlock(text, extras=self._decoding.extras_of(part, json=part.json))
        return self._member(part, name)

    def _text(self, part: Any, text: str) -> Content | None:
        return TextBlock(text, extras=self._decoding.extras(part))

    def _call(self, part: wire.Block, use: wire.ToolUse) -> Content | None:
        if use.type not in (None, "tool_use"):  # the provider runs the tool
            return None
        self.names[use.tool_use_id] = use.name
        spelling = {"toolUse": {"type": use.type}} if use.type is not None else {}
        extras = self._decoding.extras_of(part, **spelling)
        return ToolCallBlock(use.tool_use_id, use.name, arguments_of(use.input), extras=extras)

    def _result(self, part: wire.Block, result: wire.ToolResult) -> Content | None:
        if result.type is not None:  # of a tool that the provider runs
            return None
        spelling = {"toolResult": {"status": "success"}} if result.status == "success" else {}
        if result.status not in (None, "success", "error"):
            self._decoding.keep_key(result, "status", result.status, part)
        return ToolResultBlock(
            result.tool_use_id,
            self.names.get(result.tool_use_id),
            [self._part(inner) for inner in result.content],
            result.status == "error",
            extras=self._decoding.extras_of(part, **spelling),
        )

    def _thinking(self, part: wire.Block, thought: wire.Reasoning) -> Content | None:
        if member_of(thought, self._decoding) is None:
            return None
        extras = self._decoding.extras(part)
        if thought.reasoning_text is not None:
            text = thought.reasoning_text
            return ThinkingBlock(text.text, text.signature, extras=extras)
        return ThinkingBlock("", thought.redacted_content, redacted=True, extras=extras)

    def _cited(self, part: wire.Block, cited: wire.CitedText) -> Content | None:
        citations: list[tuple[Any, Extras | None]] = []
        if cited.citations is not None:
            citations = self._decoding.cited(_CITATIONS, cited.citations, cited, ".citations")
        texts = "".join(piece.text or "" for piece in cited.content or ())
        refs = [_annotation(*citation) for citation in citations]
        if self._decoding.is_odd(cited):  # which the text alone does not say
            keys = self._decoding.raw(cited)
            refs.append(AnnotationRef(extras={wire.API: Extra(keys)}))
        return TextBlock(
            texts,
            refs,
            extras=self._decoding.extras_of(citationsContent=self._decoding.raw(cited)),
        )

    def _image(self, part: Any, image: wire.Image) -> Any:
        return self._media(ImageBlock, part, image, "image")

    def _video(self, part: Any, film: wire.Image) -> Any:
        return self._media(VideoBlock, part, film, "video")

    def _audio(self, part: Any, sound: wire.Image) -> Any:
        return self._media(AudioBlock, part, sound, "audio")

    def _document(self, part: Any, document: wire.Document) -> Any:
        block: Any = None
        if member_of(document.source, self._decoding) == "text":
            mime_type = MIME_TYPES["document"].get(document.format or "")
            if mime_type is not None or document.format is None:
                block = DocumentBlock(text=document.source.text, mime_type=mime_type)
                block.extras = self._decoding.extras(part)
        else:
            block = self._media(DocumentBlock, part, document, "document")
        if block is not None:
            block.title = document.name
            block.context = document.context
            if document.citations is not None:
                block.citations = document.citations.enabled
        return block

    def _media(
        self, kind: type[MediaBlock], part: Any, media: wire.Image | wire.Document, name: str
    ) -> Any:
        """Return the media, None if its format or its source has no place in the model."""
        mime_type = MIME_TYPES[name].get(media.format or "")
        source, place = media.source, media.source.s3_location
        member = member_of(source, self._decoding)
        if member == "bytes" and memoryview(source.bytes)[0] != _QUOTE:
            self._decoding.fail("expected base64 `str`", source, ".bytes")
        if mime_type is None or member is None:
            return None
        if place is None:
            return kind(source.bytes, mime_type=mime_type, extras=self._decoding.extras(part))
        if place.bucket_owner is not None or not is_s3(place.uri):
            return None
        return kind(url=place.uri, mime_type=mime_type, extras=self._decoding.extras(part))


_PARTS: Final[dict[str, Callable[[BlockReader, Any, Any], Content | None]]] = {
    "text": BlockReader._text,
    "tool_use": BlockReader._call,
    "tool_result": BlockReader._result,
    "reasoning_content": BlockReader._thinking,
    "image": BlockReader._image,
    "document": BlockReader._document,
    "video": BlockReader._video,
    "audio": BlockReader._audio,
    "citations_content": BlockReader._cited,
}


def member_of(union: Any, decoding: Decoding) -> str | None:
    """Return the name of a union's one field, None if it has no, several or unknown keys.

    A key that is null is as good as none.
    """
    if decoding.unknown and not decoding.is_known(union):
        return None
    names = [name for name in union.__struct_fields__ if getattr(union, name) not in (None, _NULL)]
    return names[0] if len(names) == 1 else None


def mark_of(part: Any, decoding: Decoding) -> CacheMark | None:
    """Return the mark for a cache point, None if the point says more than a mark can."""
    point: wire.CachePoint = part.cache_point
    ttl: Any = point.ttl
    if member_of(part, decoding) is None or not decoding.is_known(point):
        return None
    return CacheMark(ttl) if point.type == "default" and ttl in _TTLS else None


# -- citations ---------------------------------------------------------------------------------


class _Web(Wire):
    url: str | None = None
    domain: Slice = None


class _Location(Wire, rename="camel"):
    """A union. An `AnnotationRef` has a place for an address only."""

    web: _Web | None = None
    document_char: Slice = None
    document_page: Slice = None
    document_chunk: Slice = None
    search_result_location: Slice = None


class _Words(Wire):
    text: str = ""


class _Citation(Wire, rename="camel"):
    title: str | None = None
    source: str | None = None
    source_content: list[_Words] | None = None
    location: _Location | None = None


_CITATIONS: Final = list[_Citation] | None


class _Piece(Struct):
    text: str | None = None


class _Cited(Struct):
    content: list[_Piece] | None = None
    citations: list[Raw] | None = None


class _Spelling(Struct, rename="camel"):
    """The part of a text's spelling that is compared with the text."""

    citations_content: _Cited | None = None


_spelled: Final = msgspec.json.Decoder(_Spelling).decode


def _annotation(citation: _Citation, extras: Extras | None) -> AnnotationRef:
    web = citation.location.web if citation.location is not None else None
    texts = [piece.text for piece in citation.source_content or ()]
    return AnnotationRef(
        url=(web.url if web is not None else None) or citation.source,
        title=citation.title,
        cited_text="".join(texts) if texts else None,
        extras=extras,
    )


def citations_of(block: TextBlock) -> list[Raw] | None:
    """Return the citations of the cited text that a block was read from, None if it changed."""
    extra = (block.extras or {}).get(wire.API)
    if extra is None or extra.spelling is None or block.annotations is None:
        return None
    try:
        cited = _spelled(extra.spelling.text).citations_content
    except msgspec.DecodeError:
        return None
    if cited is None:
        return None
    text = "".join(piece.text or "" for piece in cited.content or ())
    return (cited.citations or []) if text == block.text else None
