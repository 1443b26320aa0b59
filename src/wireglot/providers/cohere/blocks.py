"""Content blocks <-> the parts, the calls and the citations of Cohere's chat.

The content of requests and answers is the same. Citations stand beside it, by offsets into one of
its texts; calls stand beside it too, and text before them becomes their plan.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import msgspec
from msgspec import Raw, Struct

from ..._body.encode import encode_json as encode
from ..._body.objects import with_keys
from ...errors import DecodeError
from ...model import (
    AnnotationBlock,
    AnnotationRef,
    AssistantMessage,
    AudioBlock,
    Content,
    DocumentBlock,
    ErrorBlock,
    Extras,
    ImageBlock,
    Media,
    OpaqueBlock,
    Response,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    ToolResultBlock,
    ToolResultMessage,
    VideoBlock,
)
from ...model.rawjson import adopt_text, check_utf8
from .._across.media import inline, media_type, of_its_kind, plain_type
from .._codecs.simple import is_bare_call
from .._state.decoding import Decoding, arguments_of
from .._state.encoding import Encoding
from .._state.rules import lists_some
from .._state.stored import key_of
from .._state.wire import Slice, Wire
from . import wire

_IMAGE_TYPES: Final = frozenset({"image/jpeg", "image/jpg", "image/png", "image/gif", "image/webp"})
"""The types of images that the API takes."""
_MAKERS: Final = frozenset({"cohere"})  # `provider` of a message that names no `api`
_RESULTS: Final = frozenset({ToolResultBlock, ToolResultMessage})
_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_text_of = msgspec.json.Decoder(str).decode
_texts = msgspec.json.Decoder(dict[str, str]).decode


def is_own(message: Any) -> bool:
    """Whether an answer is this API's."""
    return message.api == wire.API if message.api is not None else message.provider in _MAKERS


def spelling(original: Any, key: str) -> Any:
    """Return the value of a key in the spelling of a message or block, None if it is not there."""
    extra = original.extras.get(wire.API) if original.extras is not None else None
    if extra is None or extra.spelling is None:
        return None
    return key_of(extra.spelling, key)


# -- blocks -> parts ---------------------------------------------------------------------------

_DETAILS: Final = {"auto": "auto", "low": "low", "high": "high", "original": "high"}


def part(block: Content, message: Any, encoding: Encoding) -> Any:
    """Return the part for a block of a message or result, None if nothing of the block is left.

    Calls have no part, see `call`; `lose_annotations` reports sources.
    """
    write = _BLOCKS.get(type(block))
    if write is None:
        shown: Any = of_its_kind(block, encoding)
        if shown is not None:
            return part(shown, message, encoding)
        encoding.lose_whole(block)
        return None
    body = write(block, message, encoding)
    encoding.lose_rest(block)
    if body is None or block.extras is None:
        return body
    if type(body) is wire.Text and spelling(block, "document") is not None:
        own = encoding.own_keys(block)  # without the document, which the text has left behind
        return with_keys(body, own) if own else body
    return encoding.with_extras(body, block)


def _text(block: TextBlock, message: Any, encoding: Encoding) -> Any:
    # A client of this wire gets an empty text back if it came with unknown keys.
    if not block.text and (type(encoding.root) is not Response or _is_bare(block)):
        encoding.lose_keys(block)
        return None
    if block.extras is not None and type(message) in _RESULTS:
        document = _document_of(block)
        if document is not None:
            return {"type": "document", "document": document}
    return wire.Text(block.text)


def _is_bare(block: TextBlock) -> bool:
    """Whether a block has no unknown keys that came over this API."""
    extra = (block.extras or {}).get(wire.API)
    return extra is None or extra.keys.text == b"{}"


def _document_of(block: Any) -> Raw | None:
    """Return the document that a text was read from, if the text has not changed."""
    if spelling(block, "document") is None:
        return None
    document = _keys(block.extras[wire.API].spelling.text)["document"]
    return document if _document_text(_keys(document)["data"]) == block.text else None


def _thinking(block: ThinkingBlock, message: Any, encoding: Encoding) -> wire.Thinking | None:
    if type(message) is not AssistantMessage:
        encoding.lose("thinking", block)
        return None
    if block.redacted:
        encoding.lose("redacted thinking", block)
        return None
    text = "".join(thoughts(block))
    if text or is_own(message):
        return wire.Thinking(text)
    encoding.lose_keys(block)
    return None


def thoughts(block: ThinkingBlock) -> list[str]:
    """Return the text of a thinking block, or else of its details, in a list; empty if none."""
    text = block.thinking or "\n".join(block.details or ())
    return [text] if text else []


def _image(block: ImageBlock, message: Any, encoding: Encoding) -> wire.Image | None:
    url = None if type(message) is AssistantMessage else _image_url(block)
    if url is None:
        encoding.lose("image", block)
        return None
    if block.detail is not None and block.detail not in _DETAILS:
        encoding.lose("image detail", block)
    return wire.Image(wire.ImageUrl(url, _DETAILS.get(block.detail or "")))


def _image_url(block: ImageBlock) -> Any:
    """Return the URL of an image that the API takes, None for any other."""
    media = inline(block)
    if media is None:
        url = block.url
        return url if url is not None and url.startswith(("https://", "http://")) else None
    kind = block.known_mime_type()
    kind = kind if kind in _IMAGE_TYPES else media_type(block)
    return media.json_data_url(kind) if kind in _IMAGE_TYPES else None


def _document(block: DocumentBlock, message: Any, encoding: Encoding) -> Any:
    text = None if type(message) is AssistantMessage else _text_in(block)
    if not text:
        encoding.lose("document", block)
        return None
    if block.text is not None and (block.url or block.data or block.file_id) is not None:
        encoding.lose("document source", block)
    if type(message) in _RESULTS:
        fields = {"title": block.title or block.filename, "text": text, "context": block.context}
        data = {key: value for key, value in fields.items() if value is not None}
        return wire.Document(wire.DocumentData(data=data))
    encoding.lose("document text", block)
    if block.context is not None:
        encoding.lose("document context", block)
    if block.citations:
        encoding.lose("citations", block)
    return wire.Text(text)


def _text_in(block: DocumentBlock) -> str | None:
    """Return the text of a document, None if it does not hold text."""
    if block.text is not None:
        return block.text
    media = inline(block)
    if media is None or not block.known_mime_type().startswith("text/"):
        return None
    try:
        return media.to_bytes().decode()
    except (DecodeError, UnicodeDecodeError):
        return None


def _transcript(block: AudioBlock | VideoBlock, _: Any, encoding: Encoding) -> wire.Text | None:
    encoding.lose_whole(block)
    return _shown(block.transcript)


def _error(block: ErrorBlock, _: Any, encoding: Encoding) -> wire.Text | None:
    encoding.lose("error", block)
    return _shown(block.message)


def _shown(text: str | None) -> wire.Text | None:
    return wire.Text(text) if text and not text.isspace() else None


def _annotation(block: AnnotationBlock, message: Any, encoding: Encoding) -> None:
    """Return nothing: citations stand beside the content."""


def _opaque(block: OpaqueBlock, _: Any, encoding: Encoding) -> Any:
    if block.api == wire.API:
        return encoding.opaque(block)
    encoding.lose_whole(block)
    return None


_BLOCKS: Final[dict[type, Callable[[Any, Any, Encoding], Any]]] = {
    TextBlock: _text,
    ThinkingBlock: _thinking,
    ImageBlock: _image,
    DocumentBlock: _document,
    AudioBlock: _transcript,
    VideoBlock: _transcript,
    AnnotationBlock: _annotation,
    ErrorBlock: _error,
    OpaqueBlock: _opaque,
}


# -- calls -------------------------------------------------------------------------------------


def call(block: ToolCallBlock, call_id: str, arguments: Any, encoding: Encoding) -> Any:
    """Return a call of the wire."""
    if not is_bare_call(block):
        encoding.lose_rest(block)
    function = wire.Function(block.name, arguments)
    body = wire.ToolCall(id=call_id, type="function", function=function)
    return body if block.extras is None else encoding.with_extras(body, block)


def own_arguments(block: ToolCallBlock) -> Any:
    """Return the arguments of an answer: the model's own text, JSON or not; `{}` for none."""
    arguments = block.arguments
    return arguments.string()


def checked_arguments(block: ToolCallBlock, encoding: Encoding) -> Any:
    """Return the arguments for a request: the API refuses text that is not JSON.

    JSON of another kind than an object is the API's to judge.
    """
    arguments = block.arguments
    if arguments.object_json() is None:
        try:
            arguments.value  # noqa: B018 -- it is decoded to see whether it is JSON
        except DecodeError:
            encoding.lose("arguments", block)
            text = arguments.text.decode("utf-8", "replace")
            return encode({"raw_arguments": text}).decode()
    return own_arguments(block)


def block_of_call(original: wire.ToolCall, decoding: Decoding) -> ToolCallBlock:
    """Return the block for a call of the wire."""
    if original.type not in (None, "function"):
        decoding.fail(f"expected `function`, got `{original.type}`", original, ".type")
    function = original.function
    arguments = arguments_of(function.arguments)
    if type(arguments) is Raw and bytes(memoryview(arguments)[:1]) != b'"':
        decoding.fail("expected `str`", function, ".arguments")
    extras = decoding.extras_of(original, **without_type(original.type))
    return ToolCallBlock(original.id, function.name, adopt_text(arguments), extras=extras)


def without_type(kind: str | None) -> dict[str, Any]:
    """Return the spelling of an object that came without `type`, which the encoder writes."""
    return {} if kind is not None else {"type": None}


# -- parts -> blocks ---------------------------------------------------------------------------

_DOCUMENT_KEYS: Final = frozenset({"title", "text", "context"})
"""Keys of a document that a `DocumentBlock` has fields for."""
_KNOWN_DETAILS: Final = frozenset({"auto", "low", "high"})


def answer(
    original: wire.Assistant, plan: str | None, spelled: dict[str, Any], decoding: Decoding
) -> AssistantMessage:
    """Return the message for an answer: its content, then the plan as text, then its calls.

    The spelling keeps keys that are there but empty.
    """
    parts, calls = original.content, original.tool_calls
    blocks = content(parts, decoding) if parts else []
    if calls and parts is not None and all(map(_is_empty, blocks)):
        spelled["content"] = parts
        if not all(map(decoding.is_known, parts)):
            decoding.keep_key(original, "content", decoding.as_it_came(parts))
        blocks = []
    cited = list(blocks)
    if plan:
        blocks.append(TextBlock(plan))
    elif plan == "":
        spelled["tool_plan"] = plan
    if original.citations is not None and bytes(original.citations) != b"null":
        spelled["citations"] = original.citations
        lenient_value = _cite(original, cited, blocks[-1] if plan else None, decoding)
        if lenient_value:
            blocks.append(AnnotationBlock(refs=lenient_value))
    if calls:
        blocks += [block_of_call(each, decoding) for each in calls]
    elif calls is not None:
        spelled["tool_calls"] = calls
    return AssistantMessage(blocks, api=wire.API, extras=decoding.extras_of(original, **spelled))


def _is_empty(block: Content) -> bool:
    return type(block) is TextBlock and not block.text


def content(parts: str | list[Any], decoding: Decoding) -> list[Content]:
    """Return the blocks for `content`, a string or a list of parts."""
    if type(parts) is str:
        return [TextBlock(parts)] if parts else []
    return [_PARTS[type(each)](each, decoding) for each in parts]


def _block_of_text(original: wire.Text, decoding: Decoding) -> TextBlock:
    return TextBlock(original.text, extras=decoding.extras(original))


def _block_of_thinking(original: wire.Thinking, decoding: Decoding) -> ThinkingBlock:
    return ThinkingBlock(original.thinking or "", extras=decoding.extras(original))


def _block_of_image(original: wire.Image, decoding: Decoding) -> ImageBlock:
    url, detail = original.image_url.url, original.image_url.detail
    if bytes(memoryview(url)[:1]) != b'"':
        decoding.fail("expected `str`", original.image_url, ".url")
    try:
        media = Media.of_data_url(url)
    except DecodeError as error:
        decoding.fail(error.reason, original.image_url, ".url")
    if media is None:
        block = ImageBlock(url=_text_of(url))
    else:
        block = ImageBlock(data=media, mime_type=media.mime_type)
        if block.mime_type is not None and block.mime_type not in _IMAGE_TYPES:
            block.mime_type = plain_type(block.mime_type)
    if detail in _KNOWN_DETAILS:
        block.detail = detail
    elif detail is not None:  # not a word of the API: an unknown key
        decoding.keep_key(original.image_url, "detail", detail, original)
    block.extras = decoding.extras(original)
    return block


def _block_of_document(original: wire.Document, decoding: Decoding) -> Content:
    """Return a document; one that does not fit a `DocumentBlock` becomes the text of its JSON."""
    document = original.document
    fields: Any = _fields(document.data)
    if fields is not None and decoding.is_known(document):
        spelled = {"document": {"id": document.id}} if document.id is not None else {}
        return DocumentBlock(**fields, extras=decoding.extras_of(original, **spelled))
    try:
        text = _document_text(document.data)
    except msgspec.DecodeError:
        decoding.fail("expected `object`", document, ".data")
    return TextBlock(text, extras=decoding.extras_of(original, document=decoding.raw(document)))


def _fields(data: Raw) -> dict[str, str] | None:
    """Return a document's data as fields of a `DocumentBlock`, None if they do not fit."""
    try:
        fields = _texts(data)
    except msgspec.DecodeError:
        return None
    return fields if fields.get("text") and fields.keys() <= _DOCUMENT_KEYS else None


def _document_text(data: Raw) -> str:
    """Return a document's data as text: the string itself, or the JSON of an object as it came.

    Raises `msgspec.DecodeError` if they are neither object nor string.
    """
    if bytes(memoryview(data)[:1]) == b"{":
        return bytes(data).decode()
    return _text_of(data)


def _block_of_other(original: Raw, decoding: Decoding) -> OpaqueBlock:
    return OpaqueBlock(wire.API, decoding.raw(original))


_PARTS: Final[dict[type, Callable[[Any, Decoding], Content]]] = {
    wire.Text: _block_of_text,
    wire.Thinking: _block_of_thinking,
    wire.Image: _block_of_image,
    wire.Document: _block_of_document,
    Raw: _block_of_other,
}


# -- citations ---------------------------------------------------------------------------------


class _Source(Wire):
    """A source that is cited: a document, or the output of a tool."""

    document: dict[str, Slice] | None = None
    tool_output: dict[str, Slice] | None = None
    id: Slice = None
    type: Slice = None


class Citation(Wire):
    """A span of one part of the answer, or of its plan, and the sources that support it."""

    start: int | None = None
    end: int | None = None
    sources: list[_Source] | None = None
    content_index: int | None = None
    type: str | None = None
    text: Slice = None


class _Cited(Struct):
    citations: list[Raw] | None = None


_cited = msgspec.json.Decoder(_Cited).decode
CITATIONS: Final = list[Citation] | None


def citations(message: Any) -> list[Raw]:
    """Return the citations that an answer brought over this API, none if it cites nothing now."""
    extra = message.extras.get(wire.API) if message.extras is not None else None
    if extra is None or extra.spelling is None or not _cites(message):
        return []
    return _cited(extra.spelling.text).citations or []


def _cites(message: AssistantMessage) -> bool:
    return any(map(_has_sources, message.content))


def _has_sources(block: Content) -> bool:
    return type(block) is AnnotationBlock or (type(block) is TextBlock and bool(block.annotations))


def is_stale(original: Any, key: str, spelled: Raw) -> bool:
    """Whether citations that an answer came with (`spelled`, on the wire) have been taken away."""
    is_answers = key == "citations" and type(original) is AssistantMessage
    return is_answers and lists_some(spelled) and not _cites(original)


def lose_annotations(block: Content, message: Any, encoding: Encoding) -> None:
    """Report the sources of a block, unless its message brought them over this API."""
    if _has_sources(block):
        if type(message) is AssistantMessage and citations(message):
            return
        encoding.lose("annotation", block)


def _cite(
    original: wire.Assistant, content: list[Content], plan: Content | None, decoding: Decoding
) -> list[AnnotationRef]:
    """Add each citation to its text; return the references that have no text."""
    lenient_value: list[AnnotationRef] = []
    for citation, extras in decoding.cited(CITATIONS, original.citations, original, ".citations"):
        at = cited_part(citation)
        refs = references(citation, extras)
        text: Any = None
        if at is not None:
            text = plan if at < 0 else content[at] if at < len(content) else None
        if type(text) is not TextBlock:
            lenient_value += refs
        elif text.annotations is None:
            text.annotations = refs
        else:
            text.annotations += refs
    return lenient_value


def cited_part(citation: Citation) -> int | None:
    """Return the index of the part that a citation is in: -1 for the plan, None for no text."""
    if citation.type == "PLAN":
        return -1
    index = citation.content_index or 0
    return index if citation.type in (None, "TEXT_CONTENT") and index >= 0 else None


def references(citation: Citation, extras: Extras | None) -> list[AnnotationRef]:
    """Return a reference for each source of a citation; without sources, one of its span alone.

    The first one has the unknown keys of the citation.
    """
    refs = []
    for source in citation.sources or [_Source()]:
        cited = source.document or source.tool_output or {}
        refs.append(
            AnnotationRef(
                url=_text_at(cited, "url"),
                title=_text_at(cited, "title"),
                start=citation.start,
                end=citation.end,
            )
        )
    refs[0].extras = extras
    return refs


def _text_at(cited: dict[str, Raw], key: str) -> str | None:
    raw = cited.get(key)
    if raw is None or bytes(memoryview(raw)[:1]) != b'"':
        return None
    check_utf8(raw)
    return _text_of(raw)
