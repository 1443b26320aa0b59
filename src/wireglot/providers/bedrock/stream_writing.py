"""Stream events -> the event stream of Bedrock ConverseStream."""

from __future__ import annotations

import struct
from functools import lru_cache
from typing import Any, ClassVar, Final
from zlib import crc32

import msgspec
from msgspec import Raw, Struct

from ...framing import eventstream
from ...losses import Losses
from ...model import (
    AssistantMessage,
    IdSource,
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
from .._errors import error_bytes
from .._stream_writing import StreamEncoder as _StreamEncoder
from .._stream_writing import is_free, json_string
from .._writing import encode, shallow, with_keys
from . import wire
from .errors import message_of
from .parts import citations_of
from .request import DIALECTS
from .response_writing import AnswerWriter

__all__ = ["StreamEncoder"]

_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_NOTHING: Final = Raw(b"{}")


class StreamEncoder(_StreamEncoder):
    """Events -> the stream of `POST /model/{model}/converse-stream`.

    Blocks are numbered as they are written; text and thinking without content are left out.
    """

    WIRE: ClassVar[str] = "bedrock"
    SPOKEN: ClassVar[tuple[str, ...]] = DIALECTS

    def __init__(
        self,
        losses: Losses = None,
        *,
        dialect: str | None = None,
        ids: IdSource | None = None,
    ) -> None:
        super().__init__(losses, dialect=dialect, ids=ids)
        self._numbers: dict[int, int] = {}
        self._late: set[int] = set()  # calls that are written when they end
        self._writer = AnswerWriter(
            Response(AssistantMessage([])), losses, self._dialect, self._ids
        )

    def _on_start(self, event: StreamStart) -> bytes:
        self._writer = AnswerWriter(event.response, self._losses, self._dialect, self._ids)
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
        made = wire.Block(tool_use=self._writer.call(block, _NOTHING))
        if block.extras is not None:
            made = self._writer._with_extras(made, block)
        call = dict(shallow(shallow(made)["toolUse"]))
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
        if block.signature is not None:
            self._writer._lose("signature", block)
        cited = citations_of(block)
        if cited is not None:
            citations = _cited(cited.text).citations_content.citations or []
            return b"".join(self._delta(index, {"citation": citation}) for citation in citations)
        if block.annotations:
            self._writer._lose("annotation", block)
        if block.extras is not None:
            self._writer._lose_keys(block)
        return b""

    def _rest_of_thinking(self, index: int, block: Any) -> bytes:
        if block.extras is not None:
            self._writer._lose_keys(block)
        signature = self._writer.signature(block)
        if signature is None:
            return b""
        key = "redactedContent" if block.redacted else "signature"
        return self._delta(index, {"reasoningContent": {key: signature}})

    def _whole(self, index: int, block: Any) -> bytes:
        """Return a block that has no deltas: what begins it, and one delta with its content."""
        made = self._writer.block(block)
        if made is None:
            return b""
        for kind, content in shallow(made).items():
            if kind == "text":
                return self._delta(index, {"text": content})
            key = _CONTENT.get(kind)
            if key is not None:
                held = dict(
                    shallow(content) if isinstance(content, Struct | dict) else _keys(content)
                )
                inner = held.pop(key, None)
                begun = _start(self._number(index), {kind: held})
                if inner is None:
                    return begun
                if kind == "toolUse":
                    inner = encode(inner).decode()
                delta = inner if kind == "toolResult" else {key: inner}
                return begun + self._delta(index, {kind: delta})
        self._writer._lose("stream content", block)
        return b""

    def _delta(self, index: int, delta: dict[str, Any]) -> bytes:
        return _delta_of(encode({_NUMBER: self._number(index), "delta": delta}))

    def _as_it_came(self, event: OpaqueEvent) -> bytes:
        if event.name == "contentBlockStart":
            number = event.raw.value.get(_NUMBER)
            if number == len(self._numbers):  # the blocks after it keep their numbers
                self._numbers[-1 - number] = number
        return self._framed(event)

    def _framed(self, event: OpaqueEvent) -> bytes:
        return eventstream.encode(_headers(event.name or ""), event.raw.text)

    def _unframed(self, data: bytes) -> list[OpaqueEvent]:
        frames = eventstream.Decoder().feed(data)
        return [OpaqueEvent(wire.API, RawJson(data), _name(headers)) for headers, data in frames]

    def _on_end(self, event: StreamEnd) -> bytes:
        writer = AnswerWriter(event.response, self._losses, self._dialect, self._ids)
        message = event.response.message
        if message.extras is not None:
            writer._own_keys(message)  # reports foreign keys; its own are in the start
        rest = writer.complete({**writer.stop(), **writer.counts()})
        if rest.pop("output", None) is not None:  # unknown keys beside the message
            writer._lose("extras", event.response)
        last: dict[str, Any] = {key: rest.pop(key) for key in _LAST if key in rest}
        return _message("messageStop", last) + (_message("metadata", rest) if rest else b"")

    def _on_failure(self, event: StreamFailure) -> bytes:
        error = event.error()
        name = _EXCEPTIONS.get(error.kind, "validationException")
        code = error.code or ""
        if error.wire == self.WIRE and code in _EXCEPTIONS.values():
            name = code
        headers = {":exception-type": name, **_JSON, ":message-type": "exception"}
        return eventstream.encode(
            headers, error_bytes(error, self.WIRE, {"message": message_of(error)})
        )


_NUMBER: Final = "contentBlockIndex"
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


class _Cited(Struct):
    citations: list[Raw] | None = None


class _Spelling(Struct, rename="camel"):
    citations_content: _Cited


_cited = msgspec.json.Decoder(_Spelling).decode


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
