"""Content blocks <-> the parts of Responses, in requests and in answers.

A part may come in a shape that the model has no field for. Then `as` in the spelling of its block's
extras names the shape, and the writer restores it. A text of an answer has annotations, which a
request sends back only if they came.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

import msgspec
from msgspec import Raw, Struct

from ..._body.encode import encode_json as encode
from ..._body.objects import is_object, shallow, with_keys
from ...errors import DecodeError
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
    Media,
    OpaqueBlock,
    RawJson,
    TextBlock,
    VideoBlock,
)
from ...model.media import Pieces
from .._across.citations import lose_others, pages, url_citation
from .._across.ids import hashed
from .._across.media import inline, is_foreign_file, media_type, of_its_kind
from .._across.openai_keys import LONGER, USUAL
from .._state.decoding import Decoding, Kind, kinds
from .._state.encoding import Encoding
from .._state.stored import key_of
from .._state.wire import Slice, Wire
from . import wire
from .dialects import SERVICES, Service
from .losses import DETAILS, MARKERS

ANSWERS_SAY: Final = "output_text"
OTHERS_SAY: Final = "input_text"
LONGEST: Final = 64
"""The most characters that a call's id, or a name, may have."""
_IMAGE_TYPES: Final = frozenset({"image/jpeg", "image/png", "image/gif", "image/webp"})
_FILE_TYPES: Final = {
    "any": re.compile(
        r"text/[\w.+-]+|application/(pdf|json|rtf|xml|msword|vnd\.ms-(excel|powerpoint)"
        r"|vnd\.openxmlformats-officedocument\.[\w.+-]+|vnd\.oasis\.opendocument\.[\w.+-]+)"
    ),
    "pdf": re.compile("application/pdf"),
    "stored": re.compile("(?!)"),
}
"""The types of documents that are taken inline."""
_PLAIN_MARKS: Final = (wire.CacheBreakpoint("explicit"), wire.CacheBreakpoint("explicit", LONGER))
_NULL: Final = Raw(b"null")
_keys = msgspec.json.Decoder(dict[str, Raw]).decode


def shape(part: Any) -> Any:
    """Return the shape that a part came in, None if it is the usual one."""
    extra = part.extras.get(wire.API) if part.extras is not None else None
    return None if extra is None or extra.spelling is None else key_of(extra.spelling, "as")


# -- blocks -> parts ---------------------------------------------------------------------------

_ANSWERED: Final = frozenset({"output_text", "refusal"})
_DEFAULT_NAMES: Final = {"application/pdf": "document.pdf", "text/plain": "document.txt"}
_LETTER: Final = re.compile(r"[a-zA-Z0-9_-]")
_is_word: Final = re.compile(r"[a-zA-Z0-9_-]{1,64}").fullmatch


class BlockWriter:
    """The encoder of the blocks of one request or one answer that are parts of its content.

    It keeps the names that tools have been given.
    """

    def __init__(self, encoding: Encoding, *, is_answer: bool = False) -> None:
        self._encoding = encoding
        self.service: Service = SERVICES[encoding.dialect]
        self._is_answer = is_answer

    def part(self, block: Any, message: Any = None) -> Any:
        """Return the part for a block, None if it has none.

        `message` is what the block is the content of, None for a result.
        """
        write = _BLOCKS.get(type(block))
        if write is None:
            shown: Any = of_its_kind(block, self._encoding)
            if shown is not None:
                return self.part(shown, message)
            self._encoding.lose_whole(block)
            return None
        self._encoding.lose_rest(block)
        part = write(self, block, message)
        if part is None or block.extras is None:
            return part
        own = self._encoding.own_keys(block)
        if type(message) is AssistantMessage and is_object(own.get("message", _NULL)):
            del own["message"]  # which are those of the item around it
        return joined(part, own, self.spelling(block))

    def _text(self, block: TextBlock, message: Any) -> Any:
        is_said = type(message) is AssistantMessage
        form = shape(block) if is_said and block.extras is not None else None
        if form == "refusal":
            part: Any = wire.Part("refusal", refusal=block.text)
        elif form == "empty" and self._is_answer and not block.text:
            return None
        else:
            part = self._words(block.text, message)
            if self._is_answer and block.annotations:
                part["annotations"] = _annotations(block) or self._pages(block)
        if block.annotations and type(part) is not dict and not self._is_cited(block):
            self._encoding.lose("annotation", block)
        return self._marked(part, block)

    def _is_cited(self, block: TextBlock) -> bool:
        """Whether a text of a request goes out with the annotations that it brought."""
        return "annotations" in self.spelling(block)

    def _pages(self, block: TextBlock) -> list[Any]:
        """Return annotations for the pages that a text of another API cites."""
        lose_others(block, self._encoding)
        return [{"type": "url_citation", **url_citation(page)} for page in pages(block)]

    def _words(self, text: str, message: Any) -> Any:
        """Return the part for a text."""
        kind = "output_text" if type(message) is AssistantMessage else "input_text"
        if self._is_answer:
            return {"type": kind, "annotations": [], "text": text}
        return wire.Part(kind, text)

    def _image(self, block: ImageBlock, message: Any) -> Any:
        if type(message) is AssistantMessage:
            self._encoding.lose("image" if self._is_answer else "image place", block)
            return None
        if not self._encoding.takes.images:
            self._encoding.lose("image input", block, severe=True)
            return None
        if is_foreign_file(block, wire.API):
            self._encoding.lose("file id", block)
            return None
        part = wire.Part("input_image", file_id=block.file_id)
        if block.file_id is None:
            part.image_url = self._url(block, inline(block))
            if part.image_url is None:
                self._encoding.lose("image", block)
                return None
        part.detail = block.detail if block.detail in DETAILS else "auto"
        return self._marked(part, block)

    def _url(self, block: ImageBlock, media: Media | None) -> Raw | Pieces | str | None:
        if media is None:
            return _http(block.url)
        came_so = self.came_so(block)
        kind = block.known_mime_type() if came_so else media_type(block)
        return media.json_data_url(kind) if kind in _IMAGE_TYPES or came_so else None

    def _document(self, block: DocumentBlock, message: Any) -> Any:
        if type(message) is AssistantMessage:
            self._encoding.lose_whole(block)
            return None
        if block.context is not None:
            self._encoding.lose("document context", block)
        if block.citations:
            self._encoding.lose("citations", block)
        part = wire.Part("input_file", filename=block.filename)
        media, mime_type = inline(block), "text/plain"
        if block.text:
            if (block.url or block.data or block.file_id) is not None:
                self._encoding.lose("document source", block)
            media = Media.from_bytes(block.text.encode())
        elif is_foreign_file(block, wire.API):
            self._encoding.lose("file id", block)
            return None
        elif block.file_id is not None:
            part.file_id = block.file_id
            return self._marked(part, block)
        elif media is not None:
            mime_type = block.known_mime_type()
        if media is None:
            part.file_url = _http(block.url)
        elif _FILE_TYPES[self.service.files].fullmatch(mime_type) or self.came_so(block):
            part.file_data = media.json_data_url(mime_type)
            part.filename = block.filename or block.title or _DEFAULT_NAMES.get(mime_type, "file")
        else:
            text = block.text or _text_of(media, mime_type)
            if text:
                self._encoding.lose("document text", block)
                return self._marked(self._words(text, message), block)
        if part.file_url is None and part.file_data is None:
            self._encoding.lose("document", block)
            return None
        return self._marked(part, block)

    def _transcript(self, block: AudioBlock | VideoBlock, message: Any) -> Any:
        self._encoding.lose_whole(block)
        text = block.transcript
        if not text or text.isspace():
            return None
        return self._marked(self._words(text, message), block)

    def _error(self, block: ErrorBlock, message: Any) -> Any:
        self._encoding.lose_whole(block)
        text = block.message
        return self._words(text, message) if text and not text.isspace() else None

    def _opaque(self, block: OpaqueBlock, message: Any) -> Any:
        if block.api != wire.API:
            self._encoding.lose_whole(block)
            return None
        is_sent_back = type(message) is AssistantMessage and not self._is_answer
        if is_sent_back and shape(block) != "part" and key_of(block.raw, "type") not in _ANSWERED:
            self._encoding.lose("user part", block)
            return None
        return self._encoding.opaque(block)

    # Breakpoints and names

    def _marked(self, part: Any, block: Any) -> Any:
        if block.cache is not None and "prompt_cache_breakpoint" not in self.spelling(block):
            self.mark(part, block.cache, block)
        return part

    def mark(self, part: Any, mark: CacheMark, owner: Any) -> None:
        """Put a breakpoint on a part that takes one. An answer's does not: it is not a prompt."""
        is_taken = self._encoding.takes.breakpoints and type(part) is wire.Part
        if not is_taken or part.type not in self.service.breakpoints:
            self._encoding.lose("cache mark", owner)
            return
        ttl = LONGER if mark.ttl == "1h" else None
        if ttl is not None and not self.service.ttls:
            self._encoding.lose("cache ttl", owner)
            ttl = None
        part.prompt_cache_breakpoint = wire.CacheBreakpoint("explicit", ttl)

    def name(self, name: str, part: Any) -> str:
        """Return a name, other than a tool's, in this wire's alphabet."""
        if _is_word(name):
            return name
        self._encoding.lose("name", part)
        return shortened(name)

    # Spelling

    def spelling(self, part: Any) -> dict[str, Raw]:
        """Return the spelled keys of a part that still hold, if they came in this dialect."""
        extra = part.extras.get(wire.API) if part.extras is not None else None
        if extra is None or extra.spelling is None:
            return {}
        if extra.dialect not in (None, self._encoding.dialect):
            return {}
        spelled = _keys(extra.spelling.text)
        is_stale = self._encoding.rules.is_stale
        return {key: raw for key, raw in spelled.items() if not is_stale(part, key, raw)}

    def came_so(self, block: Any) -> bool:
        """Whether a block goes back as it came in this dialect, even if the dialect takes none."""
        extra = block.extras.get(wire.API) if block.extras is not None else None
        is_so = extra is not None and extra.dialect in (None, self._encoding.dialect)
        return is_so and bool(shape(block) == "as is")


_BLOCKS: Final[dict[type, Callable[[BlockWriter, Any, Any], Any]]] = {
    TextBlock: BlockWriter._text,
    ImageBlock: BlockWriter._image,
    AudioBlock: BlockWriter._transcript,
    VideoBlock: BlockWriter._transcript,
    DocumentBlock: BlockWriter._document,
    ErrorBlock: BlockWriter._error,
    OpaqueBlock: BlockWriter._opaque,
}


class _Cited(Struct):
    annotations: list[Raw] | None = None


_cited = msgspec.json.Decoder(_Cited).decode


def _annotations(block: TextBlock) -> list[Raw]:
    """Return the annotations that a text brought over this API."""
    extra = (block.extras or {}).get(wire.API)
    if extra is None or extra.spelling is None:
        return []
    return _cited(extra.spelling.text).annotations or []


def as_content(parts: list[Any]) -> Any:
    """Return parts as `content`: a string, if they are one plain text."""
    if len(parts) == 1:
        part = parts[0]
        is_text = type(part) is wire.Part and part.text is not None
        if is_text and part.prompt_cache_breakpoint is None:
            return part.text
    return parts


def shortened(word: str) -> str:
    """Return a name or an id in this wire's alphabet, with a hash to keep words distinct."""
    return hashed(word, _LETTER, LONGEST)


def joined(body: Any, own: dict[str, Raw], spelled: dict[str, Raw]) -> Any:
    """Return `body` with unknown keys and spelled keys; a key spelled as null is left out."""
    spelled = {key: spelled[key] for key in spelled if key not in MARKERS}
    if not own and not spelled:
        return body
    known = with_keys(body, own) if own else dict(shallow(body))
    known |= spelled
    return {key: known[key] for key in known if spelled.get(key) != _NULL}


def _http(url: str | None) -> str | None:
    return url if url is not None and url.startswith(("https://", "http://")) else None


def _text_of(media: Media, mime_type: str) -> str | None:
    if not mime_type.startswith("text/"):
        return None
    try:
        return media.to_bytes().decode()
    except (DecodeError, UnicodeDecodeError):
        return None


# -- parts -> blocks ---------------------------------------------------------------------------

PARTS: Final = kinds(wire.Part, "type prompt_cache_breakpoint", wire.PART_KEYS)
"""Type of part -> the fields that it knows."""
_is_plain: Final = kinds(wire.Part, "type", {"text": "text"})["text"].has_all
_NOTHING: Final = (b"", b"null")
_string: Final = msgspec.json.Decoder(str).decode


class _Annotation(Wire):
    """The keys of all kinds of citation. An `AnnotationRef` has no place for the last two."""

    url: str | None = None
    title: str | None = None
    filename: str | None = None
    file_id: str | None = None
    index: int | None = None
    start_index: int | None = None
    end_index: int | None = None
    type: Slice = None
    container_id: Slice = None


_REFS: Final = list[_Annotation] | None


class BlockReader:
    """The decoder of the parts of one body."""

    def __init__(self, decoding: Decoding) -> None:
        self._decoding = decoding
        self.service: Service = SERVICES[decoding.dialect]

    def content(self, content: Any, says: str) -> list[Content]:
        """Return the blocks of a content; `says` is the type that its texts usually have."""
        if type(content) is str:
            return [TextBlock(content)]
        blocks: list[Content] = []
        unknown = self._decoding.unknown
        for part in content:
            if part.type == says and not unknown and part.text is not None and _is_plain(part):
                blocks.append(TextBlock(part.text))
                continue
            block = None
            if part.type in _PARTS:
                kind, read = _PARTS[part.type]
                if not kind.has_all(part):
                    self._decoding.set_aside(part, kind)
                block = read(self, part, says)
            blocks.append(block if block is not None else self._opaque(part))
        return blocks

    def _is_nested(self, part: wire.Part) -> bool:
        """Whether a part has an unknown key under which we note those of the item around it."""
        return "message" in self._decoding.unknown.get(id(part), {})

    def _text(self, part: wire.Part, says: str) -> Any:
        if part.text is None:
            self._decoding.fail("object missing required field `text`", part)
        if self._is_nested(part):
            return None
        block = TextBlock(part.text)
        spelling: dict[str, Any] = {}
        if part.annotations is not None:
            spelling["annotations"] = part.annotations
        if part.logprobs is not None:
            if bytes(part.logprobs).strip(b"[] \t\r\n") not in _NOTHING:
                self._decoding.keep_key(part, "logprobs", part.logprobs)
            else:
                spelling["logprobs"] = part.logprobs
        if part.type != says:
            spelling["type"] = part.type
        if part.annotations is not None:
            refs = self._decoding.cited(_REFS, part.annotations, part, ".annotations")
            block.annotations = [_reference(*ref) for ref in refs] or None
        return self._marked(block, part, spelling)

    def _refusal(self, part: wire.Part, says: str) -> Any:
        if part.refusal is None or says != ANSWERS_SAY or self._is_nested(part):
            return None
        return self._marked(TextBlock(part.refusal), part, {"as": "refusal"})

    def _image(self, part: wire.Part, says: str) -> Any:
        url = _present(part.image_url)
        if says == ANSWERS_SAY or (url is None) is (part.file_id is None):
            return None
        block = ImageBlock(file_id=part.file_id)
        spelling: dict[str, Any] = {}
        if url is not None:
            block = self._media(ImageBlock, url, part, ".image_url")
            if block is None:
                return None
            if block.data is not None and block.known_mime_type() not in _IMAGE_TYPES:
                spelling["as"] = "as is"
        if block.url is not None and _http(block.url) is None:
            return None
        block.detail = part.detail
        if part.detail not in DETAILS:
            spelling["detail"] = part.detail
        return self._decoding.owned(self._marked(block, part, spelling))

    def _file(self, part: wire.Part, says: str) -> Any:
        data = _present(part.file_data)
        sources = (part.file_id, part.file_url, data)
        if says == ANSWERS_SAY or sum(source is not None for source in sources) != 1:
            return None
        block = DocumentBlock(file_id=part.file_id, url=part.file_url)
        spelling = given(detail=part.detail)
        if data is not None:
            block = self._media(DocumentBlock, data, part, ".file_data")
            if block is None or block.data is None:
                return None
            if not _FILE_TYPES[self.service.files].fullmatch(block.known_mime_type()):
                spelling["as"] = "as is"
            if part.filename is None:
                spelling["filename"] = None
        if block.url is not None and _http(block.url) is None:
            return None
        block.filename = part.filename
        return self._decoding.owned(self._marked(block, part, spelling))

    def _media(self, kind: Any, url: Raw, part: wire.Part, key: str) -> Any:
        """Return a block for a URL, None if it is a malformed `data:` URL."""
        try:
            media = Media.of_data_url(url)
        except DecodeError:
            return None
        if media is None:
            return kind(url=self._decoding.inner(_string, url, part, key))
        return kind(media, mime_type=media.mime_type)

    def _opaque(self, part: wire.Part) -> Content:
        block = OpaqueBlock(wire.API, self._decoding.raw(part))
        block.extras = self.came(None, {"as": "part"})
        return block

    def _marked(self, block: Any, part: wire.Part, spelling: dict[str, Any]) -> Any:
        """Return the block with its breakpoint and its unknown keys."""
        mark = part.prompt_cache_breakpoint
        if mark is not None:
            block.cache = CacheMark("1h" if mark.ttl == LONGER else None)
            is_plain = mark in _PLAIN_MARKS and self._decoding.is_known(mark)
            if not is_plain or part.type not in self.service.breakpoints:
                spelling["prompt_cache_breakpoint"] = self._decoding.raw(mark)
            if mark.ttl not in (None, USUAL, LONGER):
                self._decoding.keep_key(mark, "ttl", mark.ttl, part)
        if spelling or self._decoding.unknown:
            block.extras = self.came(part, spelling)
        return block

    # Extras

    def came(self, part: Any, spelling: dict[str, Any]) -> Extras | None:
        """Return extras: the unknown keys of `part`, and a spelling for this dialect alone."""
        if not spelling and not self._decoding.unknown:
            return None
        extras = self._decoding.extras_of(*(() if part is None else (part,)), **spelling)
        if spelling and extras is not None:
            extras[wire.API].dialect = self._decoding.dialect
        return extras

    def note(self, block: Any, keys: dict[str, Any], spelling: dict[str, Any]) -> None:
        """Add unknown keys and spelled keys to the extras of a block."""
        spelling = self._decoding.kept(spelling)
        if not keys and not spelling:
            return
        before = (block.extras or {}).get(wire.API) or Extra(RawJson.of({}))
        extra = Extra(RawJson.adopt(Raw(encode(_keys(before.keys.text) | keys))))
        if before.spelling is not None or spelling:
            known = _keys(before.spelling.text) if before.spelling is not None else {}
            extra.spelling = RawJson.adopt(Raw(encode(known | spelling)))
            extra.dialect = self._decoding.dialect
        block.extras = {wire.API: extra}


_PARTS: Final[dict[str | None, tuple[Kind, Callable[[BlockReader, wire.Part, str], Any]]]] = {
    "input_text": (PARTS["input_text"], BlockReader._text),
    "output_text": (PARTS["output_text"], BlockReader._text),
    "refusal": (PARTS["refusal"], BlockReader._refusal),
    "input_image": (PARTS["input_image"], BlockReader._image),
    "input_file": (PARTS["input_file"], BlockReader._file),
}


def _reference(ref: _Annotation, extras: Extras | None) -> AnnotationRef:
    return AnnotationRef(
        url=ref.url,
        title=ref.title or ref.filename,
        file_id=ref.file_id,
        index=ref.index,
        start=ref.start_index,
        end=ref.end_index,
        extras=extras,
    )


def given(**keys: Any) -> dict[str, Any]:
    """Return the keys that have a value."""
    return {key: value for key, value in keys.items() if value is not None}


def _present(raw: Any) -> Any:
    return None if raw is None or bytes(memoryview(raw)[:4]) == b"null" else raw
