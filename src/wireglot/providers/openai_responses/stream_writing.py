"""Stream events -> the event stream of OpenAI Responses."""

from __future__ import annotations

from bisect import bisect
from typing import Any, ClassVar, Final

import msgspec
from msgspec import Raw, Struct

from ...errors import EncodeError
from ...framing import sse
from ...losses import Losses
from ...model import (
    AssistantMessage,
    Content,
    IdSource,
    OpaqueBlock,
    Response,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
)
from ...model.events import (
    ArgumentsDelta,
    BlockEnd,
    BlockStart,
    StreamEnd,
    StreamFailure,
    StreamStart,
    TextDelta,
    ThinkingDelta,
)
from .._errors import json_object
from .._stream_writing import StreamEncoder as _StreamEncoder
from .._stream_writing import json_string
from .._writing import encode, shallow
from .errors import code_of, message_of, type_of
from .request import DIALECTS
from .response_writing import AnswerWriter, Said

__all__ = ["StreamEncoder"]

_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_items = msgspec.json.Decoder(list[Raw] | None).decode
_CALLS: Final = {"function_call": "arguments", "custom_tool_call": "input"}
_THOUGHT: Final = "reasoning"
_EMPTY: Final = {"type": "output_text", "text": "", "annotations": []}


class _Message(Struct):
    """A message that is being written; `open` counts its parts that have not ended.

    `parts` counts those that have begun, `places` are the positions of those that have ended.
    `is_last` says that no further part will follow.
    """

    said: Said
    id: bytes
    parts: int = 0
    places: list[int] = []
    open: int = 0
    is_last: bool = False


class _Written(Struct):
    """A block that is being written: its item's number and id, and its position in the item.

    `message` is the message that it is a part of, `kind` names its events, and `delta` is the
    template of its deltas.
    """

    number: int
    id: bytes
    place: int = 0
    message: _Message | None = None
    kind: str = ""
    delta: bytes = b""
    is_begun: bool = False


class StreamEncoder(_StreamEncoder):
    """Events -> the stream of `POST /v1/responses`; items are numbered as they are written.

    A message ends only when another item begins, or the answer ends: until then a part may follow.
    """

    WIRE: ClassVar[str] = "openai_responses"
    SPOKEN: ClassVar[tuple[str, ...]] = DIALECTS
    FINAL: ClassVar[frozenset[type]] = frozenset()

    def __init__(
        self,
        losses: Losses = None,
        *,
        dialect: str | None = None,
        ids: IdSource | None = None,
    ) -> None:
        super().__init__(losses, dialect=dialect, ids=ids)
        self._sequence = -1
        self._open: dict[int, _Written] = {}
        self._deltas: dict[int, bytes] = {}
        self._output: list[Any] = []
        self._message: _Message | None = None
        self._use(Response(AssistantMessage([])))

    def _use(self, response: Response) -> None:
        self._writer = AnswerWriter(response, self._losses, self._dialect, self._ids)
        self._sketch = AnswerWriter(response, [], self._dialect, self._ids)
        """Reports no losses: what it writes is written again by `_writer`, which reports them."""

    def _frame(self, kind: str, **keys: Any) -> bytes:
        self._sequence += 1
        made = {"type": kind, "sequence_number": self._sequence, **keys}
        return sse.encode(encode(made), kind.encode())

    def _on_start(self, event: StreamStart) -> bytes:
        self._use(event.response)
        begun = self._sketch.begun()
        return self._frame("response.created", response=begun) + self._frame(
            "response.in_progress", response=begun
        )

    # -- blocks --------------------------------------------------------------------------------

    def _on_block_start(self, event: BlockStart) -> bytes:
        block: Any = event.block
        writer = self._sketch
        if not self._writer.is_written(block):
            return b""
        if writer.is_part(block):
            out, message = b"", self._message
            if message is None or not writer.goes_on(block):
                out = self._end_message()
                said = writer.said(block, len(self._output))
                begun = said.item() | {"status": "in_progress"}
                message = self._message = _Message(said, encode(begun.get("id") or said.id))
                out += self._begin_item(begun)
            written = _Written(message.said.number, message.id, message.parts, message)
            message.parts += 1
            message.open += 1
            refused = type(block) is TextBlock and writer._shape(block)[0] == "refusal"
            kind = "refusal" if refused else "text"
        else:
            out = self._end_message()
            number = len(self._output)
            made = shallow(writer.item(block, number))
            kind = str(_plain(made.get("type")))
            begun = dict(made)
            if "status" in begun:
                begun["status"] = "in_progress"
            if kind in _CALLS:
                begun[_CALLS[kind]] = ""
            elif kind == _THOUGHT and type(block) is ThinkingBlock:
                begun |= {key: [] for key in ("summary", "content") if begun.get(key) is not None}
                kind = "content" if writer._shape(block)[0] == "content" else "summary"
            out += self._begin_item(begun)
            written = _Written(number, encode(begun.get("id") or writer.item_id("item_", number)))
        written.kind = kind
        written.delta = _delta(written)
        self._open[event.index] = written
        if kind in _CALLS and (kind == "custom_tool_call") is _is_custom(block):
            written.is_begun = True
            self._deltas[event.index] = written.delta
        return out

    def _begin_item(self, begun: Any) -> bytes:
        number = len(self._output)
        self._output.append(begun)
        return self._frame("response.output_item.added", output_index=number, item=begun)

    def _on_text(self, event: TextDelta | ThinkingDelta | ArgumentsDelta) -> bytes:
        index = event.index
        template = self._deltas.get(index)
        if template is None:
            return self._first(index, event.text)
        text = json_string(event.text)
        self._sequence += 1
        return template % (self._sequence, text)

    _on_thinking = _on_text
    _on_arguments = _on_text

    def _first(self, index: int, text: str) -> bytes:
        """Return the first delta of a block, after the event that begins its part."""
        written = self._open.get(index)
        if written is None or not written.delta or written.kind in _CALLS:
            return b""
        self._deltas[index] = written.delta
        out = self._begin_part(written)
        self._sequence += 1
        return out + written.delta % (self._sequence, json_string(text))

    def _begin_part(self, written: _Written) -> bytes:
        written.is_begun = True
        kind = written.kind
        if kind not in _PARTS:
            return b""
        event, key, part = _PARTS[kind]
        return self._frame(f"{event}.added", **self._at(written, key), part=part)

    def _at(self, written: _Written, key: str = "") -> dict[str, Any]:
        """Return the keys that locate a frame: its item, and under `key` its part."""
        made = {"item_id": Raw(written.id), "output_index": written.number}
        return {**made, key: written.place} if key else made

    def _on_block_end(self, event: BlockEnd) -> bytes:
        written = self._open.pop(event.index, None)
        if written is None:
            return b""
        has_delta = self._deltas.pop(event.index, None) is not None and written.kind not in _CALLS
        block: Any = event.block
        if self._sketch.is_part(block) is (written.message is None):
            raise EncodeError("a block that ends as another kind than it began", wire=self.WIRE)
        if written.message is not None:
            out = self._end_part(written, written.message, block, has_delta)
            return out + self._end_if_last(written.message)
        made = self._writer.item(block, written.number)
        out = b""
        if written.kind in _CALLS:
            key = _CALLS[written.kind]
            text = shallow(made).get(key, "")
            name = _DELTA_NAMES[written.kind]
            if not written.is_begun:  # its text is not that of the deltas
                out += self._frame(f"{name}.delta", **self._at(written), delta=text)
            out += self._frame(f"{name}.done", **self._at(written), **{key: text})
        elif written.kind in _PARTS and type(block) is ThinkingBlock:
            out += self._end_thought(written, block.thinking, has_delta)
        self._output[written.number] = made
        return out + self._frame(
            "response.output_item.done", output_index=written.number, item=made
        )

    def _end_thought(self, written: _Written, text: str, has_delta: bool) -> bytes:
        out = b""
        if not has_delta:
            if not text:
                return b""
            out = self._begin_part(written) + self._told(written, text)
        event, key, part = _PARTS[written.kind]
        at = self._at(written, key)
        out += self._frame(f"{_DELTA_NAMES[written.kind]}.done", **at, text=text)
        return out + self._frame(f"{event}.done", **at, part={**part, "text": text})

    def _told(self, written: _Written, text: str) -> bytes:
        self._sequence += 1
        return written.delta % (self._sequence, json_string(text))

    def _end_part(self, written: _Written, message: _Message, block: Any, has_delta: bool) -> bytes:
        part = self._writer.part(block)
        said = message.said
        if written.place == 0:  # only now are the message's keys complete
            whole = self._sketch.said(block, said.number)
            said.own, said.spelling = whole.own, whole.spelling
        message.open -= 1
        if part is None:
            return b""
        place = bisect(message.places, written.place)  # parts may end in another order
        message.places.insert(place, written.place)
        said.parts.insert(place, part)
        at = self._at(written, "content_index")
        keys = shallow(part)
        if type(block) is OpaqueBlock:
            added = self._frame("response.content_part.added", **at, part=part)
            return added + self._frame("response.content_part.done", **at, part=part)
        out = b""
        text = keys.get("refusal" if written.kind == "refusal" else "text", "")
        if not has_delta:
            out = self._begin_part(written)
            if text:
                out += self._told(written, text)
        if written.kind == "refusal":
            out += self._frame("response.refusal.done", **at, refusal=text)
        else:
            for i, cited in enumerate(_listed(keys.get("annotations"))):
                out += self._frame(
                    "response.output_text.annotation.added",
                    **at,
                    annotation_index=i,
                    annotation=cited,
                )
            logprobs = keys.get("logprobs") or []
            out += self._frame("response.output_text.done", **at, text=text, logprobs=logprobs)
        return out + self._frame("response.content_part.done", **at, part=part)

    def _end_message(self) -> bytes:
        """End the open message: no further part will follow."""
        message, self._message = self._message, None
        if message is None:
            return b""
        message.is_last = True
        return self._end_if_last(message)

    def _end_if_last(self, message: _Message) -> bytes:
        """End a message if its parts have ended and no other will follow."""
        if message.open or not message.is_last:
            return b""
        number = message.said.number
        self._output[number] = made = message.said.item()
        return self._frame("response.output_item.done", output_index=number, item=made)

    # -- the end -------------------------------------------------------------------------------

    def _on_end(self, event: StreamEnd) -> bytes:
        out = self._end_message()
        self._use(event.response)
        made = self._writer.whole(self._output)
        status = made["status"]
        kind = _LAST.get(status, "response.completed")
        return out + self._frame(kind, response=made)

    def _numbered(self, data: bytes, kind: str) -> bytes:
        """Return an event as it came, but for its number: those of a stream must rise."""
        self._sequence += 1
        keys = _keys(data)
        if _NUMBER in keys:
            data = encode(keys | {_NUMBER: self._sequence})
        return sse.encode(data, kind.encode())

    def _on_failure(self, event: StreamFailure) -> bytes:
        """Write `error` and `response.failed`, as the API does: some clients read only one of them.

        OpenAI's SDKs raise for an `error` with an inner `error`, the form in which the API sends
        it; their types describe the flat form. An event that came over this API is kept.
        """
        error = event.error()
        begun = b""
        if self._sequence < 0:  # the SDKs want an answer that began
            begun = self._start(StreamStart(self._expected))
        message = message_of(error)
        keys = json_object(error.body) if error.wire == self.WIRE and error.body else None
        kind = (keys or {}).get("type")
        if kind == "response.failed":
            return begun + self._numbered(error.body or b"", kind)
        if kind == "error":
            told = self._numbered(error.body or b"", kind)
        else:
            flat = {"code": code_of(error), "message": message, "param": None}
            told = self._frame("error", **flat, error={"type": type_of(error), **flat})
        own = error.code if error.wire == self.WIRE else None
        code = own or _FAILED.get(error.kind, "invalid_prompt")
        whole = self._sketch.failed({"code": code, "message": message})
        return begun + told + self._frame("response.failed", response=whole)


_NUMBER: Final = "sequence_number"
_LAST: Final = {
    "incomplete": "response.incomplete",
    "cancelled": "response.incomplete",
    "failed": "response.failed",
}
_FAILED: Final = {
    "rate_limit": "rate_limit_exceeded",
    "overloaded": "server_is_overloaded",
    "context_overflow": "context_length_exceeded",
    "timeout": "server_error",
    "server": "server_error",
}
"""Kind of error -> the code of a failed answer, by which clients decide whether to ask again."""
_PARTS: Final[dict[str, tuple[str, str, dict[str, Any]]]] = {
    "text": ("response.content_part", "content_index", _EMPTY),
    "refusal": ("response.content_part", "content_index", {"type": "refusal", "refusal": ""}),
    "content": ("response.content_part", "content_index", {"type": "reasoning_text", "text": ""}),
    "summary": (
        "response.reasoning_summary_part",
        "summary_index",
        {"type": "summary_text", "text": ""},
    ),
}
"""Kind -> the name of a part's events, the key of its position, and the part as it begins."""
_DELTA_NAMES: Final = {
    "text": "response.output_text",
    "refusal": "response.refusal",
    "content": "response.reasoning_text",
    "summary": "response.reasoning_summary_text",
    "function_call": "response.function_call_arguments",
    "custom_tool_call": "response.custom_tool_call_input",
}
_TEMPLATE: Final = (
    b'event: %b.delta\ndata: {"type":"%b.delta","sequence_number":%%d,"item_id":%b,'
    b'"output_index":%d,%b"delta":%%b%b}\n\n'
)


def _delta(written: _Written) -> bytes:
    """Return the template of a block's deltas; it takes the sequence number and the text."""
    kind = written.kind
    if kind not in _DELTA_NAMES:
        return b""
    name = _DELTA_NAMES[kind].encode()
    place = b'"%b":%d,' % (_PARTS[kind][1].encode(), written.place) if kind in _PARTS else b""
    rest = b',"logprobs":[]' if kind == "text" else b""
    item_id = written.id.replace(b"%", b"%%")
    return _TEMPLATE % (name, name, item_id, written.number, place, rest)


def _plain(value: Any) -> Any:
    return msgspec.json.decode(value) if type(value) is Raw else value


def _listed(value: Any) -> list[Any]:
    if type(value) is Raw:
        return _items(value) or []
    return value or []


def _is_custom(block: Content) -> bool:
    return type(block) is ToolCallBlock and block.tool_type == "custom"
