"""Content blocks <-> the parts of content, which the SDK calls chunks, and the calls.

A request's answers hold text, thinking and calls; those of a response may hold media too. Calls
stand beside the content.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

import msgspec
from msgspec import UNSET, Raw

from ..._body.encode import encode_json as encode
from ...errors import EncodeError
from ...model import (
    AssistantMessage,
    AudioBlock,
    Content,
    DocumentBlock,
    ErrorBlock,
    ImageBlock,
    Media,
    OpaqueBlock,
    Response,
    SystemMessage,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    VideoBlock,
)
from ...model.blocks import MediaBlock
from ...model.media import adopt_media, is_url
from ...model.rawjson import adopt_text
from ...model.source import whole
from .._across.ids import nine_letters
from .._across.media import inline, is_foreign_file, media_type, of_its_kind, plain_type
from .._codecs.simple import is_bare_call
from .._state.decoding import Decoding, arguments_of
from .._state.encoding import Encoding
from .._state.stored import lenient_value
from . import wire

MISSING_ID: Final = "null"
"""The id of a call that has none: the API's default is this text."""
_UNKNOWN_TYPE: Final = "application/octet-stream"
_DETAILS: Final = frozenset({"auto", "low", "high"})
_MAKERS: Final = frozenset({"mistral"})  # `provider` of a message that names no `api`
_NOTHING: Final[Mapping[str, Any]] = {}


def is_own(message: Any) -> bool:
    """Whether a message is an answer of this API, so that its signatures are valid here."""
    if type(message) is not AssistantMessage:
        return False
    return message.api == wire.API if message.api is not None else message.provider in _MAKERS


def spelling(original: Any) -> Mapping[str, Any]:
    """Return the keys that a part came with in another form than the one written by default."""
    extra = original.extras.get(wire.API) if original.extras is not None else None
    if extra is None or extra.spelling is None:
        return _NOTHING
    spelled: dict[str, Any] = lenient_value(extra.spelling)
    return spelled


# -- blocks -> parts ---------------------------------------------------------------------------

_IMAGE_TYPES: Final = frozenset({"image/jpeg", "image/png", "image/gif", "image/webp"})


def part(block: Content, message: Any, encoding: Encoding) -> Any:
    """Return the part for a block of a message or result, None if nothing of the block is left.

    Calls have no part, see `call`.
    """
    write = _BLOCKS.get(type(block))
    if write is None:
        shown: Any = of_its_kind(block, encoding)
        if shown is not None:
            return part(shown, message, encoding)
        encoding.lose_whole(block)
        return None
    encoding.lose_rest(block)
    body = write(block, message, encoding)
    return body if body is None or block.extras is None else encoding.with_extras(body, block)


def as_content(parts: list[Any], original: Any) -> Any:
    """Return parts as `content`: a string, if it is one text that did not come as a list."""
    if original.extras is not None and "content" in spelling(original):
        return parts
    if len(parts) == 1:
        only = parts[0]
        if type(only) is TextBlock or type(only) is wire.Text:
            return only.text
    return parts or ""


def _text(block: TextBlock, _: Any, encoding: Encoding) -> wire.Text:
    return wire.Text(block.text)


def _thinking(block: ThinkingBlock, message: Any, encoding: Encoding) -> wire.Thinking | None:
    """Return thinking, which is text on this wire: that of any API is sent, not its signature."""
    kind = type(message)
    is_signed = kind is SystemMessage or is_own(message)
    texts = [block.thinking] if block.thinking else block.details or []
    has_place = kind is SystemMessage or kind is AssistantMessage
    if not has_place or block.redacted or not (texts or is_signed):
        encoding.lose("thinking", block)
        return None
    return wire.Thinking(
        [wire.Text(text) for text in texts], block.signature if is_signed else None
    )


def _image(block: ImageBlock, message: Any, encoding: Encoding) -> Any:
    if _is_sent_back(message, encoding):
        encoding.lose("image", block)
        return None
    if is_foreign_file(block, wire.API):
        encoding.lose("file id", block)
        return None
    if block.file_id is not None:
        return wire.File(block.file_id)
    url: Any = _http_url(block)
    media = inline(block)
    if media is not None:
        kind = media_type(block)
        url = media.json_data_url(kind) if kind in _IMAGE_TYPES else None
    if url is None:
        encoding.lose("image", block)
        return None
    detail = block.detail
    if detail is not None and detail not in _DETAILS:
        encoding.lose("image detail", block)
        detail = None
    if detail is None and "image_url" in spelling(block):
        return wire.Image(url)
    return wire.Image(wire.ImageUrl(url, detail))


def _document(block: DocumentBlock, message: Any, encoding: Encoding) -> Any:
    if _is_sent_back(message, encoding):
        encoding.lose("document", block)
        return None
    if block.text is not None:
        encoding.lose("document text", block)
        if (block.url or block.data or block.file_id) is not None:
            encoding.lose("document source", block)
        return wire.Text(block.text)
    if is_foreign_file(block, wire.API):
        encoding.lose("file id", block)
        return None
    if block.file_id is not None:
        return wire.File(block.file_id)
    url: Any = _http_url(block)
    media = inline(block)
    if media is not None:
        kind = block.known_mime_type()
        url = media.json_data_url(kind if "/" in kind else _UNKNOWN_TYPE)
    if url is None:
        encoding.lose("document", block)
        return None
    return wire.Document(url, block.filename or block.title)


def _audio(block: AudioBlock, message: Any, encoding: Encoding) -> Any:
    media = inline(block)
    source: Any = media or _http_url(block)
    is_audio = source is not None and not (media is not None and is_url(media))
    if not is_audio or _is_sent_back(message, encoding):
        encoding.lose("audio", block)
        return _words(block.transcript)
    return wire.Audio({"data": source} if "input_audio" in spelling(block) else source)


def _video(block: VideoBlock, _: Any, encoding: Encoding) -> wire.Text | None:
    encoding.lose("video", block)
    return _words(block.transcript)


def _error(block: ErrorBlock, _: Any, encoding: Encoding) -> wire.Text | None:
    encoding.lose("error", block)
    return _words(block.message)


def _opaque(block: OpaqueBlock, _: Any, encoding: Encoding) -> Any:
    if block.api == wire.API:
        return encoding.opaque(block)
    encoding.lose_whole(block)
    return None


def _is_sent_back(message: Any, encoding: Encoding) -> bool:
    """Whether a message is an answer in a request, which holds no media."""
    return type(message) is AssistantMessage and type(encoding.root) is not Response


def _words(text: str | None) -> wire.Text | None:
    return wire.Text(text) if text and not text.isspace() else None


def _http_url(block: MediaBlock) -> str | None:
    url = block.url
    return url if url is not None and url.startswith(("https://", "http://")) else None


_BLOCKS: Final[dict[type, Callable[[Any, Any, Encoding], Any]]] = {
    TextBlock: _text,
    ThinkingBlock: _thinking,
    ImageBlock: _image,
    DocumentBlock: _document,
    AudioBlock: _audio,
    VideoBlock: _video,
    ErrorBlock: _error,
    OpaqueBlock: _opaque,
}


# -- calls -------------------------------------------------------------------------------------

_NO_ARGUMENTS: Final = Raw(b'"{}"')


def call(
    block: ToolCallBlock,
    call_id: str | None,
    name: str,
    encoding: Encoding,
    index: int | None = None,
) -> Any:
    """Return a call of the wire."""
    function = wire.FunctionCall(name, _arguments(block, encoding))
    if is_bare_call(block):
        return wire.ToolCall(index=index, id=call_id, type="function", function=function)
    encoding.lose_rest(block)
    word = spelling(block).get("type", "function")
    body = wire.ToolCall(index=index, id=call_id, type=word, function=function)
    return body if block.extras is None else encoding.with_extras(body, block)


def _arguments(block: ToolCallBlock, encoding: Encoding) -> str | Raw:
    """Return a call's arguments as a JSON string, or as an object if they came as one."""
    try:
        arguments = block.arguments.string()
    except EncodeError:
        encoding.lose("arguments", block)
        arguments = Raw(encode(block.arguments.text.decode("utf-8", "replace")))
    if block.extras is not None and "function" in spelling(block):
        arguments = block.arguments.object_json() or arguments
    return arguments


id_of_call: Final = nine_letters
"""A call's id -> the id in this wire's form."""


# -- parts -> blocks ---------------------------------------------------------------------------

_NO_KEYS: Final = Raw(b"{}")
_AUDIO_TYPES: Final = {"mp3": "audio/mpeg"}
_Sourced = TypeVar("_Sourced", ImageBlock, DocumentBlock, AudioBlock)
_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_text_of = msgspec.json.Decoder(str | None).decode


def answer(
    original: wire.Assistant | wire.Said,
    calls: list[ToolCallBlock],
    decoding: Decoding,
    *,
    is_last: bool = False,
) -> AssistantMessage:
    """Return the message for an answer with these calls, of a request or a response.

    The encoder sets `prefix` on an answer that is the last message. Any other `prefix` is kept as
    spelling only.
    """
    parts = original.content
    blocks = [] if parts is UNSET or not parts else content(parts, decoding)
    spelled = as_list(parts, or_empty=True)
    if original.prefix is not None and not (original.prefix and is_last):
        spelled["prefix"] = original.prefix
    extras = decoding.extras_of(original, **spelled)
    return AssistantMessage([*blocks, *calls], api=wire.API, extras=extras)


def content(parts: str | list[Any], decoding: Decoding) -> list[Content]:
    """Return the blocks for `content`, a string or a list of parts."""
    if type(parts) is str:
        return [TextBlock(parts)]
    return [_PARTS[type(each)](each, decoding) for each in parts]


def as_list(parts: Any, *, or_empty: bool = False) -> dict[str, Any]:
    """Return a spelling that keeps `content` a list where the writer would write a string.

    That is a list of one text and, with `or_empty`, an empty list.
    """
    if type(parts) is not list or len(parts) > 1:
        return {}
    is_text = type(parts[0]) is wire.Text if parts else or_empty
    return {"content": []} if is_text else {}


def block_of_call(original: wire.ToolCall, decoding: Decoding, **spelled: Any) -> ToolCallBlock:
    """Return the block for a call; its `index`, and a `type` of its own, are spelling only."""
    if original.index is not None:
        spelled["index"] = original.index
    if original.type not in ("function", None):
        spelled["type"] = original.type
        decoding.keep_type(original, original.type)
    call_id = original.id if original.id is not None else MISSING_ID
    function = original.function
    function.arguments = arguments_of(function.arguments)
    first = bytes(memoryview(function.arguments)[:1])
    if first not in (b'"', b"{"):
        decoding.fail("expected `str` or `object`", function, ".arguments")
    block = ToolCallBlock(call_id, function.name, adopt_text(function.arguments))
    if type(function.arguments) is Raw and first == b"{":
        spelled["function"] = {"arguments": {}}
    if spelled or decoding.unknown:
        block.extras = decoding.extras_of(original, **spelled)
    return block


def _block_of_text(original: wire.Text, decoding: Decoding) -> TextBlock:
    return TextBlock(original.text, extras=decoding.extras(original))


def _block_of_thinking(original: wire.Thinking, decoding: Decoding) -> Content:
    """Return thinking; one that holds more than texts stays as it is."""
    texts: list[str] = []
    for each in original.thinking:
        if type(each) is not wire.Text or not decoding.is_known(each):
            return _block_of_other(original, decoding)
        texts.append(each.text)
    spelled = {"closed": original.closed} if original.closed is not None else {}
    extras = decoding.extras_of(original, **spelled)
    return ThinkingBlock("".join(texts), original.signature, extras=extras)


def _block_of_image(original: wire.Image, decoding: Decoding) -> ImageBlock:
    url, detail = _long_form(original, "image_url", "url", "detail", decoding)
    block = _sourced(ImageBlock, original, url, ".image_url", decoding)
    if block.mime_type is not None:
        block.mime_type = plain_type(block.mime_type)
    if detail in _DETAILS:
        block.detail = detail
    elif detail is not None:  # not a word of the API: an unknown key
        unknown = decoding.unknown.setdefault(id(original), {})
        others = _keys(unknown.get("image_url", _NO_KEYS))
        unknown["image_url"] = Raw(encode({"detail": detail, **others}))
    is_short = url is original.image_url
    block.extras = decoding.extras_of(original, **({"image_url": ""} if is_short else {}))
    return block


def _block_of_document(original: wire.Document, decoding: Decoding) -> DocumentBlock:
    url = original.document_url
    block = _sourced(DocumentBlock, original, url, ".document_url", decoding)
    block.filename = original.document_name
    block.extras = decoding.extras(original)
    return block


def _block_of_file(original: wire.File, decoding: Decoding) -> DocumentBlock:
    """Return a document: the part does not tell of what kind the file is."""
    extras = decoding.extras(original)
    return decoding.owned(DocumentBlock(file_id=original.file_id, extras=extras))


def _block_of_audio(original: wire.Audio, decoding: Decoding) -> AudioBlock:
    source, form = _long_form(original, "input_audio", "data", "format", decoding)
    head = bytes(memoryview(whole(source))[:7]).lower()
    is_remote = head.startswith((b'"http:', b'"https:'))
    if is_remote or Media.of_data_url(source) is not None:
        block = _sourced(AudioBlock, original, source, ".input_audio", decoding)
    else:
        block = AudioBlock(data=adopt_media(source))
    if form is not None:
        block.mime_type = _AUDIO_TYPES.get(form, f"audio/{form}")
    if source is original.input_audio:
        block.extras = decoding.extras(original)
        return block
    rest: dict[str, Any] = {} if form is None else {"format": form}
    if (unknown := decoding.unknown.get(id(original), {}).get("input_audio")) is not None:
        rest |= _keys(unknown)
    block.extras = decoding.extras_of(original, input_audio=rest)
    return block


def _block_of_other(original: Any, decoding: Decoding) -> OpaqueBlock:
    return OpaqueBlock(wire.API, decoding.raw(original))


def _long_form(
    original: Any, key: str, main: str, more: str, decoding: Decoding
) -> tuple[Raw, str | None]:
    """Return the values of `main` and `more` in an object; a string is that of `main` alone."""
    form: Raw = getattr(original, key)
    first = bytes(memoryview(form)[:1])
    if first == b'"':
        return form, None
    if first != b"{":
        decoding.fail("expected `str` or `object`", original, f".{key}")
    keys = _keys(form)
    if bytes(memoryview(keys.get(main, b""))[:1]) != b'"':
        decoding.fail("expected `str`", original, f".{key}.{main}")
    source = keys.pop(main)
    try:
        word = _text_of(keys.pop(more, b"null"))
    except msgspec.ValidationError:
        decoding.fail("expected `str`", original, f".{key}.{more}")
    if keys:
        decoding.unknown.setdefault(id(original), {})[key] = Raw(encode(keys))
    return source, word


def _sourced(
    kind: type[_Sourced], original: Any, url: Raw, path: str, decoding: Decoding
) -> _Sourced:
    """Return a media block for a URL: a `data:` URL becomes inline data, others stay URLs."""
    if bytes(memoryview(url)[:1]) != b'"':
        decoding.fail("expected `str`", original, path)
    media = Media.of_data_url(url)
    if media is None:
        return kind(url=_text_of(url))
    return kind(data=media, mime_type=media.mime_type)


_PARTS: Final[dict[type, Callable[[Any, Decoding], Content]]] = {
    wire.Text: _block_of_text,
    wire.Thinking: _block_of_thinking,
    wire.Image: _block_of_image,
    wire.Document: _block_of_document,
    wire.File: _block_of_file,
    wire.Audio: _block_of_audio,
    wire.Reference: _block_of_other,
    Raw: _block_of_other,
}
