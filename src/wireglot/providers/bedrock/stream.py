"""The event stream of Bedrock ConverseStream -> stream events."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Callable, Container
from typing import Any, ClassVar, Final

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

from ..._objects import is_null
from ...framing import eventstream
from ...model import (
    Content,
    ImageBlock,
    OpaqueBlock,
    RawJson,
    Response,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
)
from .._reading import residue
from .._streams import StreamDecoder as _StreamDecoder
from .._writing import encode
from . import wire
from .errors import TYPE, decode_error
from .formats import MIME_TYPES
from .reading import MessageReader
from .request import DIALECTS
from .response import AnswerReader

__all__ = ["StreamDecoder"]

_delta = msgspec.json.Decoder(wire.BlockDelta).decode
_block_start = msgspec.json.Decoder(wire.BlockStart).decode
_block_stop = msgspec.json.Decoder(wire.BlockStop).decode
_message_stop = msgspec.json.Decoder(wire.MessageStop).decode
_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_value = msgspec.json.Decoder().decode
_PADDING: Final = "p"
_THOUGHT: Final = frozenset({"text", "signature", "redactedContent"})
_NULL: Final = b"null"
_NOTHING: Final = Raw(b"{}")
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

    `messageStop` completes the answer; the usage follows it. Only calls, results and images have a
    start event. Text, thinking or a citation after the end of its block begins a new block; any
    other delta there is an error.
    """

    WIRE: ClassVar[str] = "bedrock"
    API: ClassVar[str] = wire.API
    SPOKEN: ClassVar[tuple[str, ...]] = DIALECTS
    FRAMER: ClassVar[Any] = eventstream.Decoder

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._message_keys: dict[str, Any] = {}
        self._answer: dict[str, Any] = {}
        self._parts: dict[int, _Part] = {}
        self._ended: set[int] = set()
        self._odd: set[int] = set()
        """The numbers of open blocks of unknown kinds."""

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

    # -- events --------------------------------------------------------------------------------

    def _begin(self) -> None:
        """Send the start if it has not been sent: the stream may lack `messageStart`."""
        if not self._is_started:
            self._start(self._response())

    def _on_message_start(self, data: bytes) -> None:
        self._message_keys |= _without_padding(data)
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
        self._merge(data)
        self._is_complete = True
        if "usage" in self._answer:
            self._done()

    def _on_metadata(self, data: bytes) -> None:
        usage = self._merge(data).message.usage
        if usage is not None:
            self._update(usage)
        if self._is_complete:
            self._done()

    def _merge(self, data: bytes) -> Response:
        """Merge keys into the answer; return the answer so far."""
        keys = _without_padding(data)
        keys.pop("output", None)
        self._answer |= keys
        response = self._response()
        self._start(response)
        return response

    def _on_exception(self, headers: eventstream.Headers, data: bytes) -> None:
        code = headers.get(":exception-type") or headers.get(":error-code") or ""
        said = headers.get(":error-message")
        body = data or encode({"message": str(said or code)})
        self._fail(decode_error(body, headers={TYPE: str(code)}))

    # -- deltas --------------------------------------------------------------------------------

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
                self._bad("a part of no result", ".contentBlockIndex")
            part.collected += delta.tool_result
        elif delta.image is not None:
            if part is None or part.kind != "image":
                self._bad("a part of no image", ".contentBlockIndex")
            part.collected.append(delta.image)
        elif _says_more(_keys(data)["delta"]):  # of an unknown kind
            self._opaque(data, "contentBlockDelta")

    def _on_thought(self, thought: wire.ReasoningDelta, number: int, data: bytes) -> None:
        if thought.text:
            self._thinking(self._part("thinking", number).index, thought.text)
        elif thought.signature:
            if number in self._ended:
                self._bad("a signature after the end of its block", ".contentBlockIndex")
            self._part("thinking", number).signature += thought.signature
        elif thought.redacted_content:
            self._part("redacted", number).collected.append(thought.redacted_content)
        elif _says_more(_keys(_keys(data)["delta"])["reasoningContent"], _THOUGHT):
            self._opaque(data, "contentBlockDelta")

    def _on_input(self, part: _Part | None, text: str | None) -> None:
        if part is None or part.kind != "toolUse":
            self._bad("arguments of no call, or after its end", ".contentBlockIndex")
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

    # -- blocks --------------------------------------------------------------------------------

    def _called(self, begun: dict[str, Any]) -> Content:
        """Return a call before its arguments; one that the provider runs itself is opaque."""
        call = self._block("toolUse", {**begun, "input": _NOTHING})
        return replace(call, arguments="") if type(call) is ToolCallBlock else call

    def _result(self, begun: dict[str, Any]) -> Content:
        return self._block("toolResult", {**begun, "content": []})

    def _image(self, begun: dict[str, Any]) -> Content:
        mime_type = MIME_TYPES["image"].get(_word(begun.get("format", _NOTHING)))
        if mime_type is None:
            return OpaqueBlock(self.API, RawJson.adopt(Raw(encode({"image": begun}))))
        return ImageBlock(mime_type=mime_type)

    def _stop(self, number: int) -> None:
        """End the block with this number on the wire; its whole JSON gives its content."""
        part = self._parts.pop(number)
        self._ended.add(number)
        block: Any = self._total.block(part.index)
        given = part.collected
        if part.kind == "text" and given:
            said = {"content": [{"text": block.text}]} if block.text else {}
            block = self._block("citationsContent", {**said, "citations": given})
        elif part.kind == "thinking" and part.signature:
            block = replace(block, signature=part.signature)
        elif part.kind == "redacted":
            block = replace(block, signature=_joined(given))
        elif type(block) is ToolCallBlock:
            block = None  # its deltas were complete
        elif part.kind == "toolUse":
            text = RawJson("".join(given) or "{}")
            block = self._block("toolUse", {**part.begun, "input": text})
        elif part.kind == "toolResult":
            block = self._block("toolResult", {**part.begun, "content": given})
        elif part.kind == "image":
            block = self._picture({**part.begun, **_merged(given)})
        self._end(part.index, block)

    def _picture(self, image: dict[str, Any]) -> Content:
        """Return an image; one without a source, which reports an error, is opaque."""
        if "source" in image:
            return self._block("image", image)
        return OpaqueBlock(self.API, RawJson.adopt(Raw(encode({"image": image}))))

    def _close_block(self, index: int) -> None:
        for number, part in self._parts.items():
            if part.index == index:
                self._stop(number)
                return
        self._end(index)

    def _block(self, kind: str, content: dict[str, Any]) -> Content:
        """Return the block for the wire's JSON of it."""
        made: Content = self._read_with(
            lambda body: MessageReader(body, self._dialect).content(body.root)[0],
            list[wire.Block],
            encode([{kind: content}]),
        )
        return made

    def _response(self) -> Response:
        message = {"role": "assistant", **self._message_keys, "content": []}
        made: Response = self._read_with(
            lambda body: AnswerReader(body, self._dialect).answer(),
            wire.Answer,
            encode({**self._answer, "output": {"message": message}}),
        )
        return made


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
    made: dict[str, Any] = {}
    data: list[str] = []
    for delta in deltas:
        made |= delta
        source = _value(delta.get("source", _NOTHING))
        if isinstance(source, dict) and isinstance(source.get("bytes"), str):
            data.append(source["bytes"])
    if len(data) > 1:
        made["source"] = {"bytes": _joined(data)}
    return made
