"""Stream events <-> the event stream of Bedrock ConverseStream.

Only calls, results and images have a start event. `messageStop` completes the answer; the usage
follows it. `p` is padding: the size of a frame is not to tell that of its text.
"""

from __future__ import annotations

import struct
from base64 import b64decode, b64encode
from collections.abc import Callable, Container
from functools import lru_cache
from typing import Any, ClassVar, Final
from zlib import crc32

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

from ..._body.decode import Decoded
from ..._body.encode import encode_json as encode
from ..._body.objects import is_null, shallow, with_keys
from ...framing import eventstream
from ...losses import Losses
from ...model import (
    Content,
    IdSource,
    ImageBlock,
    OpaqueBlock,
    RawJson,
    Response,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
)
from ...model.events import (
    ArgumentsDelta,
    BlockEnd,
    BlockStart,
    OpaqueEvent,
    StreamEnd,
    StreamFailure,
    StreamStart,
    TextDelta,
    ThinkingDelta,
)
from .._across.errors import error_bytes
from .._codecs.framers import Messages
from .._codecs.responses import ResponseCodec
from .._codecs.stream_decoder import StreamDecoder as _StreamDecoder
from .._codecs.stream_decoder import grow
from .._codecs.stream_encoder import StreamEncoder as _StreamEncoder
from .._codecs.stream_encoder import is_free, json_string
from .._state.decoding import Decoding, residue
from .._state.rules import Rules
from .._state.stored import key_of
from . import blocks, wire
from .errors import TYPE, decode_error, message_of
from .formats import MIME_TYPES
from .losses import RULES
from .response import RESPONSES, ResponseWriter

_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_NOTHING: Final = Raw(b"{}")

# -- frames -> events --------------------------------------------------------------------------

_delta = msgspec.json.Decoder(wire.BlockDelta).decode
_block_start = msgspec.json.Decoder(wire.BlockStart).decode
_block_stop = msgspec.json.Decoder(wire.BlockStop).decode
_message_stop = msgspec.json.Decoder(wire.MessageStop).decode
_value = msgspec.json.Decoder().decode
_PADDING: Final = "p"
_THOUGHT: Final = frozenset({"text", "signature", "redactedContent"})
_NULL: Final = b"null"
_STOP_KEYS: Final = frozenset({"stopReason", "additionalModelResponseFields"})
"""The keys of `messageStop` that the decoder has read, or that are kept unread."""
_NO_DELTA: Final = wire.Delta()
_NO_THOUGHT: Final = wire.ReasoningDelta()


class _Part(Struct):
    """An open block: its index, the JSON that it began with, and the pieces collected since."""

    index: int
    kind: str
    begun: dict[str, Any] = {}
    signature: str = ""
    collected: list[Any] = []


class StreamDecoder(_StreamDecoder):
    """The stream of `POST /model/{model}/converse-stream` -> events.

    Text, thinking or a citation after the end of its block begins a new block; any other delta
    there is an error.
    """

    RULES: ClassVar[Rules] = RULES
    CODEC: ClassVar[ResponseCodec] = RESPONSES
    LAST: ClassVar[str] = "`messageStop`"
    FRAMER: ClassVar[Any] = Messages

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._message_keys: dict[str, Any] = {}
        self._answer: dict[str, Any] = {}
        self._parts: dict[int, _Part] = {}
        self._ended: set[int] = set()
        self._odd: set[int] = set()
        """The numbers of open blocks of unknown kinds."""

    def _as_frame(self, name: str, data: bytes) -> eventstream.Event:
        kind = "exception" if name.endswith("Exception") else "event"
        return {":message-type": kind, f":{kind}-type": name}, data

    def _frame(self, frame: eventstream.Event) -> None:
        headers, data = frame
        kind = headers.get(":event-type")
        if kind == "contentBlockDelta":
            try:
                event = _delta(data)
            except msgspec.DecodeError:
                event = self._odd_delta(data)
            delta, number = event.delta, event.content_block_index
            part = self._parts.get(number)
            if part is not None and delta.text and part.kind == "text":
                self._text(part.index, delta.text)
            else:
                self._on_delta(part, delta, number, data)
            return
        read = _EVENTS.get(str(kind))
        if read is not None:
            read(self, data)
        elif headers.get(":message-type") in ("exception", "error"):
            self._on_exception(headers, data)
        elif data:
            self._opaque(data, str(kind or ""))

    def _odd_delta(self, data: bytes) -> wire.BlockDelta:
        """Decode a delta with unknown keys; one of an unknown kind goes as it came."""
        body = self._read(wire.BlockDelta, data)
        event: wire.BlockDelta = body.root
        thought = event.delta.reasoning_content
        if event.delta != _NO_DELTA and thought != _NO_THOUGHT:
            self._beside(residue(event, body.unknown), "contentBlockDelta")
        return event

    def _tolerated(self, kind: Any, data: bytes, name: str) -> Any:
        """Decode an event with unknown keys."""
        body = self._read(kind, data)
        self._beside(residue(body.root, body.unknown), name)
        return body.root

    # Events

    def _begin(self) -> None:
        """Send the start if it has not been sent: the stream may lack `messageStart`."""
        if not self._is_started:
            self._start(self._response())

    def _on_message_start(self, data: bytes) -> None:
        keys = _without_padding(data)
        if "content" in keys:
            keys = self._apart(keys, _OF_BLOCKS, "messageStart")
        grow(self._message_keys, keys)
        self._begin()

    def _on_block_start(self, data: bytes) -> None:
        try:
            event = _block_start(data)
        except msgspec.DecodeError:
            event = self._tolerated(wire.BlockStart, data, "contentBlockStart")
        number = event.content_block_index
        if number in self._parts:  # reused before its block ended
            self._stop(number)
        self._begin()
        for kind, start in event.start.items():
            if kind in _OPENED and bytes(start) != _NULL:
                others = {key: event.start[key] for key in event.start if key != kind}
                if others:
                    self._beside({"start": others}, "contentBlockStart")
                begun = _keys(start)
                index = self._open(_OPENED[kind](self, begun))
                self._parts[number] = _Part(index, kind, begun)
                self._ended.discard(number)
                return
        if _says_more(event.start):  # of an unknown kind
            self._odd.add(number)
            self._opaque(data, "contentBlockStart")

    def _on_block_stop(self, data: bytes) -> None:
        try:
            event = _block_stop(data)
        except msgspec.DecodeError:
            event = self._tolerated(wire.BlockStop, data, "contentBlockStop")
        number = event.content_block_index
        if number in self._parts:
            self._stop(number)
        elif number in self._odd:
            self._odd.discard(number)
            self._opaque(data, "contentBlockStop")

    def _on_message_stop(self, data: bytes) -> None:
        _message_stop(data)
        keys = self._keep(data, "messageStop")
        is_odd = bool(keys.keys() - _STOP_KEYS) and self._is_affordable()
        if not self._is_started or is_odd:
            self._start(self._response())
        self._is_complete = True
        if "usage" in self._answer:
            self._done()

    def _on_metadata(self, data: bytes) -> None:
        self._keep(data, "metadata")
        if self._is_started and not self._is_complete and not self._is_affordable():
            return
        response = self._response()
        self._start(response)
        if response.message.usage is not None:
            self._update(response.message.usage)
        if self._is_complete:
            self._end_blocks()
            self._end_answer(response)

    def _tell_counts(self) -> None:
        usage = self._response().message.usage
        if usage is not None:
            self._update(usage)

    def _keep(self, data: bytes, name: str) -> dict[str, Any]:
        """Add the keys of an event to the answer, and return them."""
        keys = _without_padding(data)
        if "output" in keys:
            keys = self._apart(keys, _OF_BLOCKS, name)
        grow(self._answer, keys)
        return keys

    def _on_exception(self, headers: eventstream.Headers, data: bytes) -> None:
        code = headers.get(":exception-type") or headers.get(":error-code") or ""
        said = headers.get(":error-message")
        body = data or encode({"message": str(said or code)})
        self._fail(decode_error(body, headers={TYPE: str(code)}))

    # Deltas

    def _on_delta(self, part: _Part | None, delta: wire.Delta, number: int, data: bytes) -> None:
        thought = delta.reasoning_content
        if delta.text is not None:
            if delta.text:
                self._text(self._part("text", number).index, delta.text)
        elif thought is not None:
            self._on_thought(thought, number, data)
        elif delta.tool_use is not None:
            self._on_input(part, delta.tool_use.input)
        elif delta.citation is not None:
            self._on_citation(delta.citation, number)
        elif delta.tool_result is not None:
            if part is None or part.kind != "toolResult":
                self._bad("part without a result, expected an open one", ".contentBlockIndex")
            part.collected += delta.tool_result
        elif delta.image is not None:
            if part is None or part.kind != "image":
                self._bad("part without an image, expected an open one", ".contentBlockIndex")
            part.collected.append(delta.image)
        elif _says_more(_keys(data)["delta"]):  # of an unknown kind
            self._opaque(data, "contentBlockDelta")

    def _on_thought(self, thought: wire.ReasoningDelta, number: int, data: bytes) -> None:
        if thought.text:
            self._thinking(self._part("thinking", number).index, thought.text)
        elif thought.signature:
            if number in self._ended:
                self._bad(
                    "signature after the end of its block, expected none", ".contentBlockIndex"
                )
            self._part("thinking", number).signature += thought.signature
        elif thought.redacted_content:
            self._part("redacted", number).collected.append(thought.redacted_content)
        elif _says_more(_keys(_keys(data)["delta"])["reasoningContent"], _THOUGHT):
            self._opaque(data, "contentBlockDelta")

    def _on_input(self, part: _Part | None, text: str | None) -> None:
        if part is None or part.kind != "toolUse":
            self._bad("arguments without a call, expected an open one", ".contentBlockIndex")
        if not text:
            return
        if type(self._total.blocks[part.index]) is ToolCallBlock:
            self._arguments(part.index, text)
        else:
            part.collected.append(text)

    def _on_citation(self, citation: Raw, number: int) -> None:
        part = self._part("text", number)
        part.collected.append(citation)
        cited: Any = self._block("citationsContent", {"citations": [citation]})
        for ref in cited.annotations or ():
            self._cite(part.index, ref)

    def _part(self, kind: str, number: int) -> _Part:
        """Return the open block of a delta; a new one if none of its kind is open."""
        part = self._parts.get(number)
        if part is not None:
            if part.kind == kind:
                return part
            self._stop(number)
        self._begin()
        part = _Part(self._open(_IMPLIED[kind]()), kind)
        self._parts[number] = part
        self._ended.discard(number)
        return part

    # Blocks

    def _called(self, begun: dict[str, Any]) -> Content:
        """Return a call before its arguments; one that the provider runs itself is opaque."""
        call: Content = self._block("toolUse", {**begun, "input": _NOTHING})
        return replace(call, arguments="") if type(call) is ToolCallBlock else call

    def _result(self, begun: dict[str, Any]) -> Content:
        result: Content = self._block("toolResult", {**begun, "content": []})
        return result

    def _image(self, begun: dict[str, Any]) -> Content:
        mime_type = MIME_TYPES["image"].get(_word(begun.get("format", _NOTHING)))
        if mime_type is None:
            return OpaqueBlock(self.RULES.api, RawJson.adopt(Raw(encode({"image": begun}))))
        return ImageBlock(mime_type=mime_type)

    def _stop(self, number: int) -> None:
        """End the block with this number on the wire; its whole JSON gives its content."""
        part = self._parts.pop(number)
        self._ended.add(number)
        block: Any = self._total.block(part.index)
        pieces = part.collected
        if part.kind == "text" and pieces:
            content = {"content": [{"text": block.text}]} if block.text else {}
            block = self._block("citationsContent", {**content, "citations": pieces})
        elif part.kind == "thinking" and part.signature:
            block = replace(block, signature=part.signature)
        elif part.kind == "redacted":
            block = replace(block, signature=_joined(pieces))
        elif type(block) is ToolCallBlock:
            block = None  # its deltas were complete
        elif part.kind == "toolUse":
            arguments = RawJson("".join(pieces) or "{}")
            block = self._block("toolUse", {**part.begun, "input": arguments})
        elif part.kind == "toolResult":
            block = self._block("toolResult", {**part.begun, "content": pieces})
        elif part.kind == "image":
            block = self._picture({**part.begun, **_merged(pieces)})
        self._end(part.index, block)

    def _picture(self, image: dict[str, Any]) -> Content:
        """Return an image; one without a source, which reports an error, is opaque."""
        if "source" in image:
            block: Content = self._block("image", image)
            return block
        return OpaqueBlock(self.RULES.api, RawJson.adopt(Raw(encode({"image": image}))))

    def _close_block(self, index: int) -> None:
        for number, part in self._parts.items():
            if part.index == index:
                self._stop(number)
                return
        self._end(index)

    def _block(self, kind: str, content: dict[str, Any]) -> Any:
        """Return the block for the wire's JSON of it."""
        [block] = self._read_with(self._content, list[wire.Block], encode([{kind: content}]))
        return block

    def _content(self, body: Decoded) -> list[Content]:
        return blocks.BlockReader(Decoding(RULES, body, self._dialect)).content(body.root)

    def _response(self) -> Response:
        message = {"role": "assistant", **self._message_keys, "content": []}
        data = self._assembled({**self._answer, "output": {"message": message}})
        response: Response = self._read_with(self._read_answer, self.CODEC.body, data)
        return response


_EVENTS: Final[dict[str, Callable[[StreamDecoder, bytes], None]]] = {
    "messageStart": StreamDecoder._on_message_start,
    "contentBlockStart": StreamDecoder._on_block_start,
    "contentBlockStop": StreamDecoder._on_block_stop,
    "messageStop": StreamDecoder._on_message_stop,
    "metadata": StreamDecoder._on_metadata,
}
_OPENED: Final[dict[str, Callable[[StreamDecoder, dict[str, Any]], Content]]] = {
    "toolUse": StreamDecoder._called,
    "toolResult": StreamDecoder._result,
    "image": StreamDecoder._image,
}
"""Key of `start` -> the block before its deltas."""
_IMPLIED: Final[dict[str, Callable[[], Content]]] = {
    "text": lambda: TextBlock(""),
    "thinking": lambda: ThinkingBlock(""),
    "redacted": lambda: ThinkingBlock("", redacted=True),
}
"""The blocks without a start event, which their first delta begins."""


def _says_more(part: Raw | dict[str, Raw], known: Container[str] = ()) -> bool:
    """Whether an object has other keys than the known ones that are not null."""
    keys = _keys(part) if isinstance(part, Raw) else part
    return any(key not in known and not is_null(raw) for key, raw in keys.items())


def _without_padding(data: bytes) -> dict[str, Any]:
    keys: dict[str, Any] = _keys(data)
    keys.pop(_PADDING, None)
    return keys


def _word(raw: Raw) -> str:
    word = _value(raw)
    return word if isinstance(word, str) else ""


def _joined(pieces: list[str]) -> str:
    """Join pieces of base64, each of which can be decoded by itself."""
    if len(pieces) == 1:
        return pieces[0]
    return b64encode(b"".join(b64decode(piece, validate=True) for piece in pieces)).decode()


def _merged(deltas: list[dict[str, Any]]) -> dict[str, Any]:
    """Merge the deltas of an image, and join their data."""
    image: dict[str, Any] = {}
    data: list[str] = []
    for delta in deltas:
        image |= delta
        source = _value(delta.get("source", _NOTHING))
        if isinstance(source, dict) and isinstance(source.get("bytes"), str):
            data.append(source["bytes"])
    if len(data) > 1:
        image["source"] = {"bytes": _joined(data)}
    return image


# -- events -> frames --------------------------------------------------------------------------


class StreamEncoder(_StreamEncoder):
    """Events -> the stream of `POST /model/{model}/converse-stream`.

    Blocks are numbered as they are written; text and thinking without content are left out.
    """

    RULES: ClassVar[Rules] = RULES
    WRITER: ClassVar[Any] = ResponseWriter
    CONTENT_TYPE: ClassVar[str] = "application/vnd.amazon.eventstream"
    ERROR_KEYS: ClassVar[tuple[str, ...]] = ("message", "Message")
    _answer: ResponseWriter

    def __init__(
        self,
        *,
        losses: Losses = None,
        dialect: str | None = None,
        ids: IdSource | None = None,
    ) -> None:
        super().__init__(losses=losses, dialect=dialect, ids=ids)
        self._numbers: dict[int, int] = {}
        self._late: set[int] = set()  # calls that are written when they end

    def _on_start(self, event: StreamStart) -> bytes:
        extra = (event.response.message.extras or {}).get(wire.API)
        own = _keys(extra.keys.text) if extra is not None else {}
        return _message("messageStart", with_keys({"role": "assistant"}, own))

    def _on_block_start(self, event: BlockStart) -> bytes:
        block = event.block
        if type(block) is not ToolCallBlock:
            return b""
        if is_free(block):
            self._late.add(event.index)
            return b""
        body = wire.Block(tool_use=wire.ToolUse(blocks.id_of_call(block.id), block.name, _NOTHING))
        call = dict(shallow(shallow(self._answer.encoding.with_extras(body, block))["toolUse"]))
        del call["input"]
        return _start(self._number(event.index), {"toolUse": call})

    def _on_text(self, event: TextDelta) -> bytes:
        text = json_string(event.text)
        number = self._numbers.get(event.index)
        return _delta_of(_TEXT % (self._number(event.index) if number is None else number, text))

    def _on_thinking(self, event: ThinkingDelta) -> bytes:
        text = json_string(event.text)
        return _delta_of(_THINKING % (self._number(event.index), text))

    def _on_arguments(self, event: ArgumentsDelta) -> bytes:
        if event.index in self._late:
            return b""
        text = json_string(event.text)
        return _delta_of(_INPUT % (self._number(event.index), text))

    def _on_block_end(self, event: BlockEnd) -> bytes:
        index, block = event.index, event.block
        kind = type(block)
        if kind is ToolCallBlock and index not in self._late:
            self._answer.lose_beside(block)
            out = b""
        elif kind is TextBlock:
            out = self._rest_of_text(index, block)
        elif kind is ThinkingBlock:
            out = self._rest_of_thinking(index, block)
        else:
            out = self._whole(index, block)
        number = self._numbers.get(index)
        return out + _message("contentBlockStop", {_NUMBER: number}) if number is not None else out

    def _number(self, index: int) -> int:
        """Return the number of a block; the next one, if it has none yet."""
        return self._numbers.setdefault(index, len(self._numbers))

    def _rest_of_text(self, index: int, block: Any) -> bytes:
        """Return the citations, which follow the text that they belong to."""
        self._answer.lose_beside(block)
        citations = blocks.citations_of(block)
        if citations is not None:
            return b"".join(self._delta(index, {"citation": citation}) for citation in citations)
        if block.annotations:
            self._answer.encoding.lose("annotation", block)
        self._answer.encoding.lose_keys(block)
        return b""

    def _rest_of_thinking(self, index: int, block: Any) -> bytes:
        self._answer.lose_beside(block)
        self._answer.encoding.lose_keys(block)
        signature = self._answer.signature(block)
        if signature is None:
            return b""
        key = "redactedContent" if block.redacted else "signature"
        return self._delta(index, {"reasoningContent": {key: signature}})

    def _whole(self, index: int, block: Any) -> bytes:
        """Return a block that has no deltas: what begins it, and one delta with its content."""
        body = self._answer.block(block)
        if body is None:
            return b""
        for kind, content in shallow(body).items():
            if kind == "text":
                return self._delta(index, {"text": content})
            key = _CONTENT.get(kind)
            if key is not None:
                is_json = not isinstance(content, Struct | dict)
                keys = dict(_keys(content) if is_json else shallow(content))
                inner = keys.pop(key, None)
                begun = _start(self._number(index), {kind: keys})
                if inner is None:
                    return begun
                if kind == "toolUse":
                    inner = encode(inner).decode()
                delta = inner if kind == "toolResult" else {key: inner}
                return begun + self._delta(index, {kind: delta})
        self._answer.encoding.lose("stream content", block)
        return b""

    def _delta(self, index: int, delta: dict[str, Any]) -> bytes:
        return _delta_of(encode({_NUMBER: self._number(index), "delta": delta}))

    def _as_it_came(self, event: OpaqueEvent) -> bytes:
        if event.name == "contentBlockStart":
            number = key_of(event.raw, _NUMBER)
            if number == len(self._numbers):  # the blocks after it keep their numbers
                self._numbers[-1 - number] = number
        return self._framed(event)

    def _framed(self, event: OpaqueEvent) -> bytes:
        return eventstream.encode(_headers(event.name or ""), event.raw.text)

    def _unframed(self, data: bytes) -> list[OpaqueEvent]:
        frames = eventstream.Decoder().feed(data)
        return [OpaqueEvent(wire.API, RawJson(data), _name(headers)) for headers, data in frames]

    def _on_end(self, event: StreamEnd) -> bytes:
        writer = ResponseWriter(event.response, self._losses, self._dialect, self._ids)
        message = event.response.message
        writer.encoding.lose_foreign(message)  # its own are in the start
        rest = writer.complete({**writer.stop(), **writer.counts()})
        beside = rest.pop("output", None)
        if beside is not None:  # unknown keys beside the message
            writer.encoding.lose("extras", event.response, keys=shallow(beside))
        last: dict[str, Any] = {key: rest.pop(key) for key in _LAST if key in rest}
        return _message("messageStop", last) + (_message("metadata", rest) if rest else b"")

    def _on_failure(self, event: StreamFailure) -> bytes:
        error = self._error(event)
        name = _EXCEPTIONS.get(error.kind, "validationException")
        code = error.code or ""
        if error.wire == self.RULES.wire and code in _EXCEPTIONS.values():
            name = code
        headers = {":exception-type": name, **_JSON, ":message-type": "exception"}
        return eventstream.encode(
            headers, error_bytes(error, self.RULES.wire, {"message": message_of(error)})
        )


_NUMBER: Final = "contentBlockIndex"
_OF_BLOCKS: Final = frozenset({"output", "content"})
"""The keys of an answer and of a message that its blocks tell."""
_LAST: Final = ("stopReason", "additionalModelResponseFields")
_CONTENT: Final = {"toolUse": "input", "toolResult": "content", "image": "source"}
"""Key of `start` -> the key that it leaves to the delta."""
_EXCEPTIONS: Final = {
    "rate_limit": "throttlingException",
    "overloaded": "serviceUnavailableException",
    "timeout": "modelStreamErrorException",
    "server": "internalServerException",
    "invalid_request": "validationException",
}
"""Kind of error -> the exception that ends the stream, one of five."""
_JSON: Final = {":content-type": "application/json"}
_TEXT: Final = b'{"contentBlockIndex":%d,"delta":{"text":%b}}'
_THINKING: Final = b'{"contentBlockIndex":%d,"delta":{"reasoningContent":{"text":%b}}}'
_INPUT: Final = b'{"contentBlockIndex":%d,"delta":{"toolUse":{"input":%b}}}'


def _headers(kind: str) -> dict[str, str]:
    return {":event-type": kind, **_JSON, ":message-type": "event"}


def _name(headers: eventstream.Headers) -> str:
    return str(headers.get(":event-type", ""))


def _message(kind: str, payload: dict[str, Any]) -> bytes:
    return eventstream.encode(_headers(kind), encode(payload))


def _start(number: int, start: dict[str, Any]) -> bytes:
    return _message("contentBlockStart", {"start": start, _NUMBER: number})


_sizes = struct.Struct(">II").pack
_u32 = struct.Struct(">I").pack
_HEAD: Final = eventstream.encode(_headers("contentBlockDelta"), b"")[12:-4]


@lru_cache(maxsize=1024)
def _before(size: int) -> tuple[bytes, int]:
    """Return the bytes before the payload of a delta of this size, and their checksum."""
    sizes = _sizes(len(_HEAD) + size + 16, len(_HEAD))
    before = b"".join((sizes, _u32(crc32(sizes)), _HEAD))
    return before, crc32(before)


def _delta_of(payload: bytes) -> bytes:
    """Frame a delta as `eventstream.encode` does, with all but the payload precomputed."""
    before, check = _before(len(payload))
    return before + payload + _u32(crc32(payload, check))
