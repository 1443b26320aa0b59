"""Content blocks <-> the parts of Gemini's generateContent, in requests and in answers.

A part has exactly one kind of data: text, a call, a result, or media; a thought is a text that is
marked as one. A part of any other kind is an opaque block. Calls may have no ids, and their results
then belong to them by the function's name and by order.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any, Final

import msgspec
from msgspec import Raw, Struct

from ..._body.encode import encode_json as encode
from ...model import (
    AudioBlock,
    Content,
    DataBlock,
    DocumentBlock,
    ErrorBlock,
    ImageBlock,
    Media,
    OpaqueBlock,
    RawJson,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    ToolResultBlock,
    VideoBlock,
)
from ...model.blocks import MediaBlock
from ...model.source import whole
from .._across.media import inline
from .._across.tools import object_arguments
from .._codecs.calls_by_name import Call, CallsByName
from .._codecs.order import Result
from .._state.decoding import Decoding
from .._state.encoding import Encoding
from .._state.signatures import GEMINI, api_of, noted
from .._state.stored import key_of, lenient_value
from . import wire
from .hosts import host_of

_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_value = msgspec.json.Decoder().decode
_NULL: Final = Raw(b"null")

# -- signatures --------------------------------------------------------------------------------

_is_base64: Final = re.compile(r"[A-Za-z0-9+/_-]+={0,2}").fullmatch


def is_of_this_api(message: Any) -> bool:
    """Whether a message came over this API."""
    return api_of(message) == wire.API


def own_signature(block: Any, is_own: bool) -> str | None:
    """Return a block's signature if it is one of this API's models.

    `is_own` is whether the message came over this API; else the block itself has to say so.
    """
    text: str | None = block.signature
    if not text or not (is_own or noted(block) == GEMINI):
        return None
    return text if _is_signature(text) else None


def _is_signature(text: str) -> bool:
    """Whether a text can be a signature of this API: base64, in either alphabet."""
    return _is_base64(text) is not None and len(text.rstrip("=")) % 4 != 1


# -- what a block came as ----------------------------------------------------------------------


def spelled(part: Any, key: str, default: Any = None) -> Any:
    """Return the value of a key in the spelling of a part, `default` if it is not there."""
    extra = (part.extras or {}).get(wire.API)
    if extra is None or extra.spelling is None:
        return default
    return key_of(extra.spelling, key, default)


def sent_id(block: ToolCallBlock) -> str | None:
    """Return the id to write for a call: none if the reader made it up for one without."""
    return None if spelled(block, "id", "") is None else block.id or None


# -- blocks -> parts ---------------------------------------------------------------------------

_RESOLUTIONS: Final = {
    "low": "MEDIA_RESOLUTION_LOW",
    "high": "MEDIA_RESOLUTION_HIGH",
    "original": "MEDIA_RESOLUTION_ULTRA_HIGH",
}
"""Detail -> the resolution of a part; ai.google.dev/gemini-api/docs/media-resolution, 2026-11."""
_FETCHED: Final = ("https://", "http://", "gs://", "files/")
_FILES: Final = ("https://generativelanguage.googleapis.com/", "files/")
"""How the files begin that the Gemini API stores, which Vertex AI cannot read."""


class BlockWriter:
    """The parts of one request, or of one answer.

    Two rules of the API hold for requests alone: it takes back no thoughts but its own, where an
    answer may tell those of any model, and Vertex refuses an empty text. `is_own` says whether this
    API signed the message that a block stands in.
    """

    __slots__ = ("_encoding", "_is_answer", "_takes_ids", "takes_empty")

    def __init__(self, encoding: Encoding, *, is_answer: bool) -> None:
        self._encoding = encoding
        self._is_answer = is_answer
        self.takes_empty: bool = is_answer or encoding.dialect != "vertex"
        """Whether a text may be empty."""
        # On Vertex AI older models refuse ids. Their results are matched by name and by order.
        is_vertex = encoding.dialect == "vertex" and not is_answer
        self._takes_ids = encoding.takes.vertex_ids if is_vertex else "always"

    def part(self, block: Content, is_own: bool) -> Any:
        """Return the part that stands for a block, None for nothing; results have no place."""
        write = _BLOCKS.get(type(block))
        if write is None:
            self._encoding.lose_whole(block)
            return None
        return self._with_rest(write(self, block, is_own), block)

    def _with_rest(self, part: Any, block: Content | MediaBlock) -> Any:
        self._encoding.lose_rest(block)
        if part is None or block.extras is None:
            return part
        return self._encoding.with_extras(part, block)

    # Text

    def _text(self, block: TextBlock, is_own: bool) -> Any:
        if block.annotations and not is_own and not self._is_answer:
            self._encoding.lose("annotation", block)  # an answer has them beside its parts
        return self._words(block.text, block, own_signature(block, is_own))

    def _thinking(self, block: ThinkingBlock, is_own: bool) -> Any:
        is_own = is_own or noted(block) == GEMINI
        if not is_own and not self._is_answer:
            self._encoding.lose("thinking", block)
            return None
        if block.redacted:
            self._encoding.lose("redacted thinking", block)
            return None
        if not is_own and not block.thinking:  # all that it has is a signature of another API
            self._encoding.lose_keys(block)
            return None
        part = self._words(block.thinking, block, own_signature(block, is_own))
        if part is not None:
            part.thought = True
        return part

    def _error(self, block: ErrorBlock, _: bool) -> Any:
        self._encoding.lose("error", block)
        return self._words(block.message, block)

    def _words(self, text: str, block: Any, signature: str | None = None) -> Any:
        if text or signature or self.takes_empty:
            return wire.Part(text, thought_signature=signature)
        self._encoding.lose_keys(block)
        return None

    # Media

    def _media(self, block: MediaBlock, is_own: bool) -> Any:
        part = self._source(block, is_own)
        if type(block) is ImageBlock and block.detail in _RESOLUTIONS and part is not None:
            return self._resolved(part, block)
        transcript = getattr(block, "transcript", None)
        return wire.Part(transcript) if part is None and transcript else part

    def _resolved(self, part: wire.Part, block: ImageBlock) -> wire.Part:
        """Return the part of an image in the resolution that is asked for."""
        if not self._encoding.takes.detail:
            if spelled(block, "mediaResolution") is None and not self._is_answer:
                self._encoding.lose("detail", block)
            return part
        resolution = wire.MediaResolution(_RESOLUTIONS[block.detail or ""])
        return wire.ResolvedPart(
            inline_data=part.inline_data,
            file_data=part.file_data,
            thought_signature=part.thought_signature,
            media_resolution=resolution,
        )

    def _source(self, block: MediaBlock, is_own: bool) -> Any:
        """Return the part for a source that the API reads; any other is a loss."""
        signature = own_signature(block, is_own) if type(block) is ImageBlock else None
        if type(block) is DocumentBlock and block.text:
            if (block.url or block.data or block.file_id) is not None:
                self._encoding.lose("document source", block)
            data = Media.from_bytes(block.text.encode())
            return wire.Part(inline_data=wire.Blob(data, block.mime_type or "text/plain"))
        media = inline(block)
        if media is not None:
            blob = wire.Blob(media, block.known_mime_type())
            return wire.Part(inline_data=blob, thought_signature=signature)
        uri = block.file_id or block.url or ""
        is_foreign = (
            self._encoding.dialect == "vertex"
            and uri.startswith(_FILES)
            and host_of(self._encoding.root) != "vertex"
        )
        if is_foreign or not uri[:8].lower().startswith(_FETCHED):
            self._encoding.lose("media", block)
            return None
        # Vertex requires the type of a file.
        wants_type = self._encoding.dialect == "vertex"
        mime_type = block.known_mime_type() if wants_type else block.mime_type
        return wire.Part(file_data=wire.FileData(uri, mime_type), thought_signature=signature)

    # Calls and results

    def _call(self, block: ToolCallBlock, is_own: bool) -> wire.Part:
        return self.call(block, is_own, block.name)

    def call(self, block: ToolCallBlock, is_own: bool, name: str) -> wire.Part:
        """Return a call of the function of this name, without the call's unknown keys."""
        arguments = object_arguments(block, self._encoding)
        is_empty = len(memoryview(arguments)) == len(b"{}") and not block.arguments.text.strip()
        is_taken = self._takes_ids == "always" or (is_own and self._takes_ids == "own")
        call_id = sent_id(block) if is_taken else None
        call = wire.FunctionCall(name, None if is_empty else arguments, call_id)
        return wire.Part(function_call=call, thought_signature=own_signature(block, is_own))

    def outcome(self, result: Result) -> tuple[Any, list[Any]]:
        """Return the response of a function and the media beside it: the content of a result."""
        texts: list[str] = []
        media: list[Any] = []
        block: Any
        for block in result.content:
            kind = type(block)
            if kind is TextBlock:
                texts.append(block.text)
                if block.annotations:
                    self._encoding.lose("annotation", block)
                self._encoding.lose_rest(block)
                self._encoding.lose_keys(block)
            elif kind is OpaqueBlock and block.api == wire.API:
                media.append(self._with_rest(self._encoding.opaque(block), block))
            elif isinstance(block, MediaBlock):
                part = self._with_rest(self._source(block, is_own=False), block)
                if part is not None:
                    media.append(part)
            else:
                self._encoding.lose("tool result content", block)
        return _response(result, "\n".join(texts)), media

    # Blocks of this API alone

    def _opaque(self, block: OpaqueBlock, _: bool) -> Any:
        if block.api == wire.API:
            return self._encoding.opaque(block)
        self._encoding.lose("opaque block", block)
        return None


_BLOCKS: Final[dict[type, Callable[[BlockWriter, Any, bool], Any]]] = {
    TextBlock: BlockWriter._text,
    ThinkingBlock: BlockWriter._thinking,
    ToolCallBlock: BlockWriter._call,
    ImageBlock: BlockWriter._media,
    DocumentBlock: BlockWriter._media,
    AudioBlock: BlockWriter._media,
    VideoBlock: BlockWriter._media,
    DataBlock: BlockWriter._media,
    ErrorBlock: BlockWriter._error,
    OpaqueBlock: BlockWriter._opaque,
}


def _response(result: Result, text: str) -> Any:
    """Return the object that carries the text: as it came, if it still says the same."""
    extra = (result.extras or {}).get(wire.API)
    if extra is not None and extra.spelling is not None:
        function = _keys(extra.spelling.text).get("functionResponse")
        original = _keys(function).get("response") if function is not None else None
        if original is not None and _text_of(original)[:2] == (text, result.is_error):
            return original
    # Raw JSON, so that no unknown keys are merged into it.
    return Raw(encode({"error" if result.is_error else "output": text}))


class _Output(Struct, forbid_unknown_fields=True):
    """What the response of a function nearly always is."""

    output: str


_plain_output: Final = msgspec.json.Decoder(_Output).decode


def _text_of(response: Raw) -> tuple[str, bool, bool]:
    """Return the text of a function's response, whether it is an error, and whether it is ours.

    The text is the value of `output`, `result` or `error`, if that is the only key. A value that is
    not a string is taken as its JSON, and so is any other object. Ours is what the encoder writes.
    """
    try:
        return _plain_output(response).output, False, True
    except (msgspec.DecodeError, UnicodeDecodeError):
        pass  # more than that, or nothing that can be read, as the slow way tells
    keys = _keys(response) if bytes(memoryview(response)[:1]) == b"{" else {}
    word, raw = next(iter(keys.items()), ("", response))
    if len(keys) != 1 or word not in ("output", "result", "error"):
        return bytes(response).decode(), False, False
    if bytes(memoryview(raw)[:1]) == b'"':
        return _value(raw), word == "error", word != "result"
    return bytes(raw).decode(), word == "error", False


# -- parts -> blocks ---------------------------------------------------------------------------

_DETAILS: Final = {level: detail for detail, level in _RESOLUTIONS.items()}

_STANDARD: Final = bytes.maketrans(b"-_", b"+/")
_OF_URLS: Final = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_="
_URLS: Final = ("https://", "http://", "gs://")
_KINDS: Final[dict[str, type[MediaBlock]]] = {
    "image": ImageBlock,
    "audio": AudioBlock,
    "video": VideoBlock,
    "text": DocumentBlock,
}
_data: Final[Callable[[Any], tuple[Any, ...]]] = attrgetter(
    "text", "function_call", "function_response", "inline_data", "file_data"
)
"""Part -> its data, of each kind."""
_ALL_BUT_ONE: Final = 4
_OF_PARTS: Final = frozenset(wire.Part.__struct_fields__ + wire.Part.__struct_encode_fields__)
_SIGNED: Final = frozenset({TextBlock, ThinkingBlock, ToolCallBlock, ImageBlock})


class Calls:
    """The calls of a conversation, or of one candidate of an answer: their ids, and their results.

    In a conversation a call without an id of its own gets one (`makes_ids`); in an answer its id is
    empty, until the whole answer decides it.
    """

    def __init__(self, *, makes_ids: bool) -> None:
        self._makes_ids = makes_ids
        self._number = 0  # of the next id that is made up
        self._calls_by_name = CallsByName()
        self._taken: set[str] = set()  # ids of the calls of this turn
        self._seen: set[str] = set()  # ids that were given so far
        self._made_up: set[str] = set()
        self._parts: Sequence[wire.Part] = ()  # of the content being read
        self._given: set[str | None] | None = None  # ids in that content, collected on demand

    def so_far(self) -> Any:
        """Return a copy of what a next turn of the model needs to know."""
        return self._number, set(self._seen), set(self._made_up)

    def go_on(self, so_far: Any) -> None:
        """Begin with what is known of earlier turns."""
        self._number, seen, made_up = so_far
        self._seen |= seen
        self._made_up |= made_up

    def begin_turn(self) -> None:
        """Begin a turn of the model: its calls are other calls, even if their ids are the same."""
        self._calls_by_name = CallsByName()
        self._taken = set()

    def begin_content(self, parts: Sequence[wire.Part]) -> None:
        """Begin a content that has these parts."""
        self._parts, self._given = parts, None

    def id_of(self, call: wire.FunctionCall) -> tuple[str, bool]:
        """Note a call, and return its id and whether that is made up."""
        call_id, wire_id = call.id or "", call.id or None
        if not call_id or call_id in self._taken or call_id in self._made_up:
            call_id, wire_id = self._free_id() if self._makes_ids else "", None
        else:
            self._seen.add(call_id)
        self._taken.add(call_id)
        self._calls_by_name.add(Call(call_id, call.name, wire_id))
        return call_id, wire_id is None

    def _free_id(self) -> str:
        """Return an id that no call before has, or of this content: what follows may not matter."""
        if self._given is None:
            calls = (part.function_call for part in self._parts)
            self._given = {call.id for call in calls if call is not None}
        while True:
            call_id = f"call_{self._number}"
            self._number += 1
            if call_id not in self._seen and call_id not in self._given:
                self._made_up.add(call_id)
                return call_id

    def answered(self, wire_id: str | None, name: str) -> Call | None:
        """Return the call that a result answers; its id may be of no use."""
        call = self._calls_by_name.answered(wire_id, name)
        if call is None and wire_id:
            call = self._calls_by_name.answered(None, name)
        return call


def content(
    part: wire.Content, decoding: Decoding, calls: Calls, *, is_answer: bool
) -> list[Content]:
    """Return the blocks of a turn, or of the system instruction."""
    parts = part.parts or ()
    calls.begin_content(parts)
    unknown = decoding.unknown
    return [
        TextBlock(piece.text)
        if piece.text is not None and _is_plain(piece) and id(piece) not in unknown
        else _block(piece, decoding, calls, is_answer)
        for piece in parts
    ]


def _block(part: wire.Part, decoding: Decoding, calls: Calls, is_answer: bool) -> Content:
    """Return the block of a part; a part without exactly one kind of data is opaque."""
    spelling: dict[str, Any] = {}
    block: Any = None
    if _data(part).count(None) == _ALL_BUT_ONE:
        if part.text is not None:
            is_thought = part.thought and is_answer
            block = ThinkingBlock(part.text) if is_thought else TextBlock(part.text)
        elif part.function_call is not None:
            block = _call_in(part.function_call, calls, spelling)
        elif part.function_response is not None:
            block = _result_in(part.function_response, decoding, calls, spelling)
        else:
            block = _media_in(part, decoding)
            if type(block) is ImageBlock and id(part) in decoding.unknown:
                _read_detail(block, decoding.unknown[id(part)], spelling)
    if block is None:
        return OpaqueBlock(wire.API, decoding.raw(part))
    if part.thought and type(block) is not ThinkingBlock:
        decoding.keep_key(part, "thought", True)
    signature = part.thought_signature
    if signature is not None:
        if is_answer and type(block) in _SIGNED and _is_signature(signature):
            block.signature = signature
        else:
            spelling["thoughtSignature"] = signature
    if spelling or decoding.unknown:
        block.extras = decoding.extras_of(part, **spelling) or block.extras
    return block  # type: ignore[no-any-return]


def _call_in(call: Any, calls: Calls, spelling: dict[str, Any]) -> ToolCallBlock:
    """Return the call; an id that is made up is not sent back."""
    call_id, is_made_up = calls.id_of(call)
    if is_made_up:
        spelling["id"] = _NULL
    arguments: Any = call.args if is_set(call.args) else ""
    return ToolCallBlock(call_id, call.name, arguments)


def _result_in(
    response: Any, decoding: Decoding, calls: Calls, spelling: dict[str, Any]
) -> ToolResultBlock:
    """Return the result, with the id of its call; its spelling notes its own id and name."""
    wire_id = response.id or None
    call = calls.answered(wire_id, response.name)
    call_id = call.id if call is not None else wire_id or ""
    function: dict[str, Any] = {}
    if wire_id and (call is None or call.sent != wire_id):
        function["id"] = wire_id
    elif not wire_id and call is not None and call.sent:
        spelling["id"] = _NULL
    if call is not None and call.name != response.name:
        function["name"] = response.name
    blocks: list[Content] = []
    is_error = False
    if is_set(response.response):
        text, is_error, is_ours = _text_of(response.response)
        blocks.append(TextBlock(text))
        if not is_ours:
            function["response"] = response.response
    if function:
        spelling["functionResponse"] = function
    for piece in response.parts or ():
        # With a key that only parts of a message have, it is not media of a result: opaque.
        is_media = _OF_PARTS.isdisjoint(decoding.unknown.get(id(piece), ()))
        block = _media_in(piece, decoding) if is_media else None
        if block is not None:
            block.extras = decoding.extras(piece) or block.extras
        blocks.append(block or OpaqueBlock(wire.API, decoding.raw(piece)))
    return ToolResultBlock(call_id, response.name, blocks, is_error)


def _media_in(part: Any, decoding: Decoding) -> Any:
    """Return the media of a part, None without data or with a URI of another kind."""
    blob: Any = part.inline_data
    file: Any = part.file_data
    if file is None:
        if blob is None or not is_set(blob.data):
            return None
        block = decoding.inner(_kind(blob.mime_type), _standard(blob.data), blob, ".data")
        block.mime_type = blob.mime_type
        return block
    uri: str = file.file_uri
    if blob is not None or not uri.startswith((*_FILES, *_URLS)):
        return None
    if uri.startswith(_FILES):
        return decoding.owned(_kind(file.mime_type)(file_id=uri, mime_type=file.mime_type))
    return _kind(file.mime_type)(url=uri, mime_type=file.mime_type)


def _read_detail(block: ImageBlock, keys: dict[str, Raw], spelling: dict[str, Any]) -> None:
    """Read the resolution of an image, if it is one that `detail` has."""
    raw = keys.get("mediaResolution")
    value = lenient_value(RawJson.adopt(raw)) if raw is not None else None
    if isinstance(value, dict) and value.keys() == {"level"}:
        level = value["level"]
        block.detail = _DETAILS.get(level) if isinstance(level, str) else None
    if block.detail is not None:
        spelling["mediaResolution"] = keys.pop("mediaResolution")


def _kind(mime_type: str | None) -> type[MediaBlock]:
    """Return the kind of block for a MIME type."""
    plain = (mime_type or "").lower()
    if plain == "application/pdf":
        return DocumentBlock
    return _KINDS.get(plain.partition("/")[0], DataBlock)


def _is_plain(part: wire.Part) -> bool:
    """Whether a part has nothing but its text."""
    return (
        part.thought is None
        and part.thought_signature is None
        and part.function_call is None
        and part.inline_data is None
        and part.file_data is None
        and part.function_response is None
    )


def _standard(data: Raw) -> Any:
    """Return base64 in the standard alphabet; only this wire takes the URL-safe one, too."""
    text = bytes(whole(data))
    if (b"-" in text or b"_" in text) and text.translate(None, _OF_URLS) == b'""':
        return Raw(text.translate(_STANDARD))
    return data


# -- null, which means unset on this wire ------------------------------------------------------


def is_set(value: Any) -> bool:
    """Whether a field of raw JSON is set."""
    return value is not None and bytes(memoryview(value)[:4]) != b"null"


def forget_nulls(unknown: dict[int, dict[str, Raw]]) -> None:
    """Drop unknown keys that are null."""
    for part, keys in list(unknown.items()):
        unknown[part] = {key: raw for key, raw in keys.items() if is_set(raw)}
        if not unknown[part]:
            del unknown[part]
