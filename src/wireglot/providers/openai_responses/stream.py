"""The event stream of OpenAI Responses -> stream events, and back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Final

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

from ...errors import DecodeError, EncodeError
from ...framing import sse
from ...losses import Losses
from ...model import (
    AssistantMessage,
    Content,
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
from .._streams import StreamDecoder as _StreamDecoder
from .._streams import StreamEncoder as _StreamEncoder
from .._streams import json_string
from .._writing import encode, shallow
from . import wire
from .errors import code_of, decode_error
from .reading import MessageReader
from .request import DIALECTS
from .response import AnswerWriter, Said, answer

__all__ = ["StreamDecoder", "StreamEncoder"]

_event = msgspec.json.Decoder(wire.Event).decode
_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_items = msgspec.json.Decoder(list[Raw] | None).decode
_CALLS: Final = {"function_call": "arguments", "custom_tool_call": "input"}
_SAID: Final = "message"
_THOUGHT: Final = "reasoning"
_BETWEEN: Final = "\n\n"
"""What stands between two parts of reasoning, which are one block."""
# What a response says only once it is whole.
_AT_THE_END: Final = ("status", "usage", "error", "incomplete_details")
_DONE: Final = (b"", b"[DONE]")


class _Item(Struct):
    """An item of the wire that has begun, as it began.

    `blocks` holds the place in the message of each part that has begun, `texts` the keys under
    which deltas find the parts of a message. `told` says which of its texts reasoning tells, and
    `last` the latest part of that.
    """

    kind: str
    begun: dict[str, Any]
    blocks: dict[int, int] = {}
    citations: dict[int, list[Raw]] = {}
    texts: list[tuple[int, int]] = []
    told: str = ""
    last: int = 0
    held: list[str] = []


class StreamDecoder(_StreamDecoder):
    """The stream of `POST /v1/responses` with `"stream": true` -> events.

    Finished by `response.completed` or `response.incomplete`. Items end when the wire says so, and
    as it says then; parts of one message end together. The parts of reasoning are one block, with a
    blank line between them. Text after the end of its item begins a new block; arguments there are
    an error.
    """

    WIRE: ClassVar[str] = "openai_responses"
    API: ClassVar[str] = wire.API
    SPOKEN = DIALECTS
    FRAMER: ClassVar[Any] = sse.Decoder

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._answer: dict[str, Any] = {}
        self._items: dict[int, _Item] = {}
        self._has_items = False
        self._texts: dict[tuple[int, int], int] = {}

    def _frame(self, frame: sse.Event) -> None:
        data = frame[1]
        try:
            event: Any = _event(data)
        except msgspec.DecodeError:
            event = self._tolerated(frame)
        if type(event) is wire.TextDelta:
            index = self._texts.get((event.output_index, event.content_index))
            if index is not None:
                self._text(index, event.delta)
                return
        read = _EVENTS.get(type(event))
        if read is not None:
            read(self, event, data)

    def _tolerated(self, frame: sse.Event) -> Any:
        """Return the event of a frame that has unknown keys, nothing for one of unknown kind."""
        name, data = frame
        if data.strip() in _DONE:
            return None
        try:
            body = self._read(wire.Event, data)
        except DecodeError:
            keys = json_object(data)
            if keys is None or "type" in keys:
                raise
            if "error" in keys:
                return wire.Error()
            if not name:
                raise
            named = encode({"type": name.decode("utf-8", "replace"), **_keys(data)})
            body = self._read(wire.Event, named)
        if type(body.root) in _STAGES:
            self._answer |= body.unknown.get(id(body.root), {})
        return body.root

    # -- the response as a whole ---------------------------------------------------------------

    def _on_stage(self, event: Any, _: bytes) -> None:
        self._answer |= _keys(event.response)
        self._answer.pop("output", None)
        self._begin()

    def _begin(self) -> None:
        if not self._is_started:
            self._start(self._response())

    def _on_whole(self, event: Any, _: bytes) -> None:
        self._answer |= _keys(event.response)
        output = _items(self._answer.pop("output", b"null")) or []
        self._begin()
        if not self._has_items:
            for raw in output:
                for block in self._blocks(raw):
                    self._came_whole(block)
        for number in sorted(self._items):
            self._stop(number, output[number] if 0 <= number < len(output) else None)
        self._is_complete = True
        usage = self._response().message.usage
        if usage is not None:
            self._update(usage)
        self._done()

    def _on_error(self, _: Any, data: bytes) -> None:
        self._fail(decode_error(data))

    def _response(self) -> Response:
        whole = {**self._answer, "output": []}
        if not self._is_complete:
            whole = {key: whole[key] for key in whole if key not in _AT_THE_END}
        content = list(self._total.blocks)
        made: Response = self._read_with(
            lambda body: answer(MessageReader(body, self._dialect), content),
            wire.Answer,
            encode(whole),
        )
        return made

    # -- items ---------------------------------------------------------------------------------

    def _on_added(self, event: wire.ItemAdded, _: bytes) -> None:
        number = event.output_index
        if number in self._items:  # used again, and never ended
            self._stop(number, None)
        if event.item is None or bytes(event.item) == b"null":
            return
        self._item(number, _keys(event.item))

    def _item(self, number: int, begun: dict[str, Any]) -> _Item:
        """Begin an item; a call and what is no kind of the model's is a block at once."""
        self._begin()
        self._has_items = True
        kind = _text_in(begun, "type") or ""
        self._items[number] = item = _Item(kind, begun)
        if kind in _CALLS:
            if _text_in(begun, "call_id") is not None and _text_in(begun, "name") is not None:
                block: Any = self._blocks({**begun, _CALLS[kind]: ""})[0]
                item.blocks[0] = self._open(replace(block, arguments=""))
        elif kind not in (_SAID, _THOUGHT):
            item.blocks[0] = self._open(self._blocks(begun)[0])
        return item

    def _on_item_done(self, event: wire.ItemDone, _: bytes) -> None:
        number = event.output_index
        item = self._items.get(number)
        if item is not None and item.kind in _CALLS:
            done = _text_in(_keys(event.item), "call_id")
            begun = _text_in(item.begun, "call_id")
            if done is not None and begun is not None and done != begun:
                known = (b.id for b in self._total.blocks if type(b) is ToolCallBlock)
                if done in known:  # its place was taken by another, and it has ended
                    return
                self._stop(number, None)
                item = None
        if item is None:
            self._begin()
            self._has_items = True
            for block in self._blocks(event.item):
                self._came_whole(block)
            return
        self._stop(number, event.item)

    def _stop(self, number: int, whole: Any) -> None:
        """End an item as its whole JSON says; without one, as it began and grew."""
        item = self._items.pop(number)
        for key in item.texts:
            self._texts.pop(key, None)
        if whole is None or _text_in(_keys(whole), "type") != item.kind:
            whole = self._grown(item)
        if whole is None:
            return
        for place, block in enumerate(self._blocks(whole)):
            index = item.blocks.pop(place, None)
            if index is None:
                self._came_whole(block)
            else:
                self._finish(index, block)
        for index in item.blocks.values():
            self._end(index)

    def _grown(self, item: _Item) -> dict[str, Any] | None:
        """Return an item whose end the wire has not told, None for one of which nothing is left."""
        whole = dict(item.begun)
        so_far: list[Any] = [self._total.block(index) for index in item.blocks.values()]
        if item.kind == _SAID:
            parts = [_part_of(block, item.citations.get(i, [])) for i, block in enumerate(so_far)]
            whole["content"] = parts
            return whole if parts else None
        if item.kind == _THOUGHT:
            if so_far:
                part = {"type": _THOUGHTS[item.told], "text": so_far[0].thinking}
                whole |= {"summary": [], item.told: [part]}
            return whole
        if item.kind in _CALLS:
            if not so_far:
                self._bad("a call without its id or its name")
            whole[_CALLS[item.kind]] = so_far[0].arguments.text.decode()
        return whole

    def _came_whole(self, block: Any) -> None:
        """Begin and end a block that no delta has told of."""
        kind = type(block)
        begun = block
        if kind is TextBlock:
            begun = replace(block, text="", annotations=None)
        elif kind is ThinkingBlock:
            begun = replace(block, thinking="", signature=None, details=None)
        elif kind is ToolCallBlock:
            begun = replace(block, arguments="")
        self._finish(self._open(begun), block)

    def _finish(self, index: int, block: Any) -> None:
        """End a block; what its deltas have not said yet goes before."""
        so_far = "".join(self._total.pieces[index] or ())
        kind = type(block)
        begun = type(self._total.blocks[index])
        if kind is not begun and begun is not ThinkingBlock:  # that may turn out to be opaque
            self._bad("a block that ends as another kind than it began")
        if kind is begun and kind in _TELL:
            text, tell = _TELL[kind]
            said = text(block)
            if len(said) > len(so_far) and said.startswith(so_far):
                tell(self, index, said[len(so_far) :])
        if kind is ToolCallBlock and block.tool_type == "custom":  # to which nothing is no `{}`
            self._send(BlockEnd(index, block))
        else:
            self._end(index, block)

    def _blocks(self, whole: Any) -> list[Content]:
        """Return the blocks that the JSON of an item stands for."""
        made: list[Content] = self._read_with(
            lambda body: MessageReader(body, self._dialect).answered([body.root]),
            wire.Item,
            encode(whole),
        )
        return made

    # -- deltas --------------------------------------------------------------------------------

    def _on_text(self, event: wire.TextDelta | wire.RefusalDelta, _: bytes) -> None:
        if not event.delta:
            return
        place = (event.output_index, event.content_index)
        index = self._texts.get(place)
        if index is None:
            item = self._said(event.output_index, _SAID)
            part: Any = _TEXT_PARTS[type(event)]
            parts = [_EMPTY, part] if item.blocks else [part]  # only a second one goes on
            block = self._blocks({**item.begun, **_NEW[_SAID], "content": parts})[-1]
            index = self._open(block)
            item.blocks[len(item.blocks)] = index
            item.texts.append(place)
            self._texts[place] = index
        self._text(index, event.delta)

    def _said(self, number: int, kind: str) -> _Item:
        """Return the item that a delta belongs to; a new one if it never began, or has ended."""
        item = self._items.get(number)
        if item is None:
            item = self._item(number, {"type": kind, **_NEW[kind]})
        if item.kind != kind:
            self._bad(f"text of a `{kind}` in another item", ".output_index")
        return item

    def _on_summary(self, event: wire.SummaryDelta, _: bytes) -> None:
        self._thought("summary", event.output_index, event.summary_index, event.delta)

    def _on_reasoning(self, event: wire.ReasoningDelta, _: bytes) -> None:
        self._thought("content", event.output_index, event.content_index, event.delta)

    def _thought(self, told: str, number: int, place: int, delta: str) -> None:
        if not delta:
            return
        item = self._said(number, _THOUGHT)
        if not item.blocks:
            item.told, item.last = told, place
            part = {"type": _THOUGHTS[told], "text": ""}
            block: Any = self._blocks({"summary": [], **item.begun, told: [part]})[0]
            item.blocks[0] = self._open(
                ThinkingBlock("", extras=block.extras) if type(block) is ThinkingBlock else block
            )
        elif item.told != told:  # the block tells one of them
            return
        elif place > item.last:
            item.last = place
            self._thinking(item.blocks[0], _BETWEEN)
        self._thinking(item.blocks[0], delta)

    def _on_arguments(self, event: wire.ArgumentsDelta | wire.InputDelta, _: bytes) -> None:
        item = self._items.get(event.output_index)
        if item is None:
            self._bad("arguments of no call, or of one that has ended", ".output_index")
        if item.kind in _CALLS and event.delta and item.blocks:
            self._arguments(item.blocks[0], event.delta)

    def _on_annotation(self, event: wire.AnnotationAdded, _: bytes) -> None:
        index = self._texts.get((event.output_index, event.content_index))
        if index is None or event.annotation is None:  # the end of the item tells of it
            return
        item = self._items[event.output_index]
        place = next(place for place, at in item.blocks.items() if at == index)
        item.citations.setdefault(place, []).append(event.annotation)
        part = {**_EMPTY, "annotations": [event.annotation]}
        block: Any = self._blocks({"type": _SAID, "content": [part]})[0]
        for ref in block.annotations or ():
            self._cite(index, ref)


_EMPTY: Final = {"type": "output_text", "text": "", "annotations": []}
_TEXT_PARTS: Final = {
    wire.TextDelta: _EMPTY,
    wire.RefusalDelta: {"type": "refusal", "refusal": ""},
}
_NEW: Final[dict[str, dict[str, Any]]] = {_SAID: {"role": "assistant"}, _THOUGHT: {"summary": []}}
_THOUGHTS: Final = {"summary": "summary_text", "content": "reasoning_text"}
_STAGES: Final = frozenset(
    {wire.Created, wire.Queued, wire.InProgress, wire.Completed, wire.Incomplete}
)
_EVENTS: Final[dict[type, Callable[[StreamDecoder, Any, bytes], None]]] = {
    wire.Created: StreamDecoder._on_stage,
    wire.Queued: StreamDecoder._on_stage,
    wire.InProgress: StreamDecoder._on_stage,
    wire.Completed: StreamDecoder._on_whole,
    wire.Incomplete: StreamDecoder._on_whole,
    wire.Failed: StreamDecoder._on_error,
    wire.Error: StreamDecoder._on_error,
    wire.ItemAdded: StreamDecoder._on_added,
    wire.ItemDone: StreamDecoder._on_item_done,
    wire.TextDelta: StreamDecoder._on_text,
    wire.RefusalDelta: StreamDecoder._on_text,
    wire.SummaryDelta: StreamDecoder._on_summary,
    wire.ReasoningDelta: StreamDecoder._on_reasoning,
    wire.ArgumentsDelta: StreamDecoder._on_arguments,
    wire.InputDelta: StreamDecoder._on_arguments,
    wire.AnnotationAdded: StreamDecoder._on_annotation,
}
_Tell = tuple[Callable[[Any], str], Callable[[StreamDecoder, int, str], None]]
_TELL: Final[dict[type, _Tell]] = {
    TextBlock: (lambda block: block.text, StreamDecoder._text),
    ThinkingBlock: (lambda block: block.thinking, StreamDecoder._thinking),
    ToolCallBlock: (lambda block: block.arguments.text.decode(), StreamDecoder._arguments),
}


def _text_in(keys: dict[str, Any], key: str) -> str | None:
    """Return the text under a key, None if there is none."""
    value = keys.get(key)
    if type(value) is Raw:
        value = msgspec.json.decode(value)
    return value if isinstance(value, str) else None


def _part_of(block: Any, citations: list[Raw]) -> dict[str, Any]:
    """Return the part of a message that a text stands for whose end the wire has not told."""
    spelling = block.extras[wire.API].spelling if block.extras is not None else None
    if spelling is not None and spelling.value.get("as") == "refusal":
        return {"type": "refusal", "refusal": block.text}
    return {"type": "output_text", "text": block.text, "annotations": citations}


class _Message(Struct):
    """A message that is being written, `open` the number of its parts that have not ended.

    `is_last` says whether its latest part is its last.
    """

    said: Said
    id: bytes
    parts: int = 0
    open: int = 0
    is_last: bool = False


class _Written(Struct):
    """A block that is being written: its item's number and id, its place in that, its frames.

    `message` is the message that it is a part of, `delta` what its deltas are put into.
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

    A message is ended only when another item begins, or the answer ends: until then a part may
    follow.
    """

    WIRE: ClassVar[str] = "openai_responses"
    SPOKEN = DIALECTS

    def __init__(self, losses: Losses = None, *, dialect: str | None = None) -> None:
        super().__init__(losses, dialect=dialect)
        self._sequence = -1
        self._open: dict[int, _Written] = {}
        self._deltas: dict[int, bytes] = {}
        self._output: list[Any] = []
        self._message: _Message | None = None
        self._use(Response(AssistantMessage([])))

    def _use(self, response: Response) -> None:
        self._writer = AnswerWriter(response, self._losses, self._dialect)
        self._sketch = AnswerWriter(response, [], self._dialect)
        """Writes what will be written again, and then lost if it must be."""

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
                message = self._message = _Message(
                    said, encode(begun.get("id") or f"msg_{said.number}")
                )
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
            written = _Written(number, encode(begun.get("id") or f"item_{number}"))
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
        self._sequence += 1
        return template % (self._sequence, json_string(event.text))

    _on_thinking = _on_text
    _on_arguments = _on_text

    def _first(self, index: int, text: str) -> bytes:
        """Return the first delta of a block, with the beginning of its part."""
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
        """Return where a frame belongs."""
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
            if not written.is_begun:  # the text is another one than that of the deltas
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
        if written.place == 0:  # what it says of the message is all there by now
            whole = self._sketch.said(block, said.number)
            said.own, said.spelling = whole.own, whole.spelling
        message.open -= 1
        if part is None:
            return b""
        said.parts.append(part)
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
        """End the message that another part might have followed."""
        message, self._message = self._message, None
        if message is None:
            return b""
        message.is_last = True
        return self._end_if_last(message)

    def _end_if_last(self, message: _Message) -> bytes:
        """End a message of which nothing is left to write."""
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

    def _on_failure(self, event: StreamFailure) -> bytes:
        error = event.error()
        if error.wire == self.WIRE and error.body is not None:
            keys = json_object(error.body) or {}
            if keys.get("type") in ("error", "response.failed"):
                return sse.encode(error.body, keys["type"].encode())
        return self._frame("error", code=code_of(error), message=error.message, param=None)


_LAST: Final = {
    "incomplete": "response.incomplete",
    "cancelled": "response.incomplete",
    "failed": "response.failed",
}
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
"""The events of a part, where it says its place, and how it begins."""
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
    """Return what the deltas of a block are put into, with their number."""
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
