"""Stream events <-> the event stream of OpenAI Responses.

When an item ends, it is read from its whole JSON, so a stream and the body of the same answer
decode to the same blocks; text that its deltas left out is sent as a last delta. Both directions
are here, as they name the same events; each is one object.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any, ClassVar, Final

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

from ..._body.decode import Decoded
from ..._body.encode import encode_json as encode
from ..._body.faults import FAULTS
from ..._body.objects import is_null, shallow
from ...errors import DecodeError, EncodeError
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
from .._across.errors import json_object
from .._codecs.framers import Events
from .._codecs.responses import ResponseCodec, says_error
from .._codecs.stream_decoder import StreamDecoder as _StreamDecoder
from .._codecs.stream_encoder import StreamEncoder as _StreamEncoder
from .._codecs.stream_encoder import json_string
from .._state.decoding import Decoding, residue
from .._state.rules import Rules
from . import wire
from .blocks import BlockReader, shape
from .errors import decode_error, keys_of, known_code, message_of, type_of
from .items import Draft, ItemReader
from .losses import RULES
from .response import RESPONSES, ResponseWriter, read_answer

_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_items = msgspec.json.Decoder(list[Raw] | None).decode
_CALLS: Final = {"function_call": "arguments", "custom_tool_call": "input"}
_THOUGHT: Final = "reasoning"
_EMPTY: Final = {"type": "output_text", "text": "", "annotations": []}

# -- the event stream -> events ------------------------------------------------------------------

_event = msgspec.json.Decoder(wire.Event).decode
_kind = msgspec.json.Decoder(wire.Repeated).decode
_ODD: Final = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
_CALLS_DONE: Final = {
    f"response.{name}.done": key
    for name, key in (
        ("function_call_arguments", "arguments"),
        ("custom_tool_call_input", "input"),
    )
}
_NOTHING: Final = frozenset({b"null", b'""'})
_SAID: Final = "message"
_BETWEEN: Final = "\n\n"
"""The separator of two parts of reasoning, which become one block."""
# The keys of a response that count only once it is whole.
_AT_THE_END: Final = ("status", "usage", "error", "incomplete_details")
_OF_RESPONSE: Final = frozenset(wire.Response.__struct_encode_fields__)
_DONE: Final = (b"", b"[DONE]")


class _Item(Struct):
    """An item that is open; `begun` is its JSON as it began.

    `blocks` maps each part, in the order in which they began, to the index of its block; `places`
    does so with the parts' own numbers. `citations` are by the index of their block, and those that
    came before it are in `early`, by the number of the part. `texts` lists
    the keys of its parts in `StreamDecoder._texts`. Of reasoning, `key` is that whose deltas become
    the block, `summary` or `content`, and `last` the latest part of that. Of a call, `pieces` are
    the arguments before its id and its name, and `done` is the text of the event that repeats them
    all.
    """

    kind: str
    begun: dict[str, Any]
    blocks: dict[int, int] = {}
    places: dict[int, int] = {}
    citations: dict[int, list[Raw]] = {}
    early: dict[int, list[Raw]] = {}
    texts: list[tuple[int, int]] = []
    key: str = ""
    last: int = 0
    pieces: list[str] = []
    done: str = ""


_OTHER_KIND: Final = "end of a block of another type, expected the type that began"


class StreamDecoder(_StreamDecoder):
    """The stream of `POST /v1/responses` with `"stream": true` -> events.

    `response.completed` or `response.incomplete` ends it. `response.output_item.done` ends an item,
    and its JSON gives the content; the parts of one message end together. The parts of reasoning
    become one block, with a blank line between them. Text after the end of its item begins a new
    block; arguments there are an error.
    """

    RULES: ClassVar[Rules] = RULES
    CODEC: ClassVar[ResponseCodec] = RESPONSES
    LAST: ClassVar[str] = "`response.completed`"
    FRAMER: ClassVar[Any] = Events
    _call_ids: set[str] | None = None
    """The ids of the calls among the blocks that `_is_begun` has looked at."""
    _looked: int = 0
    """How many blocks those are."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._answer: dict[str, Any] = {}
        self._items: dict[int, _Item] = {}
        self._has_items = False
        self._first_thought = inf  # the number of the first item of reasoning
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
                if event.logprobs is not None and memoryview(event.logprobs).nbytes > 2:
                    self._beside_delta(event)
                self._text(index, event.delta)
                return
        read = _EVENTS.get(type(event))
        if read is not None:
            read(self, event, data)

    def _beside_delta(self, event: wire.TextDelta) -> None:
        """Send the probabilities of a delta's tokens, which the text has again at its end."""
        raw = event.logprobs
        if event.delta and raw is not None and memoryview(raw).nbytes > 2 and not is_null(raw):
            self._beside({"logprobs": raw}, b"response.output_text.delta")

    def _tolerated(self, frame: sse.Event) -> Any:
        """Return the event of a frame with unknown keys, None for an empty frame or `[DONE]`."""
        name, data = frame
        if data.strip() in _DONE or self._is_repeated(name, data):
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
        event = body.root
        if type(event) is Raw:  # of a kind that is not read
            if not self._is_repeated(name, body.data):
                self._opaque(body.data, name)
            return None
        if type(event) in _STAGES:
            unknown = body.unknown.pop(id(event), {})
            self._answer |= self._apart(unknown, _OF_RESPONSE, name)
        self._beside(residue(event, body.unknown), name)
        return event

    def _is_repeated(self, name: bytes, data: bytes) -> bool:
        """Whether a frame says what others say; its unknown keys are sent."""
        try:
            kind, keys = _kind(data).type, _keys(data)
        except _ODD:
            return False
        if kind in _CALLS_DONE:
            self._on_arguments_done(keys, _CALLS_DONE[kind])
        elif kind not in wire.REPEATED:
            return False
        known = wire.REPEATING | wire.REPEATED_KEYS.get(kind.rpartition(".")[0], frozenset())
        if not keys.keys() <= known:
            self._beside({key: keys[key] for key in keys if key not in known}, name)
        return True

    # -- the response as a whole ---------------------------------------------------------------

    def _on_stage(self, event: Any, _: bytes) -> None:
        self._answer |= _keys(event.response)
        self._answer.pop("output", None)
        self._begin()

    def _begin(self) -> None:
        if not self._is_started:
            self._start(self._response())

    def _on_whole(self, event: Any, data: bytes) -> None:
        self._answer |= _keys(event.response)
        if says_error(self._answer):
            self._on_error(event, data)
            return
        output = _items(self._answer.pop("output", b"null")) or []
        self._begin()
        if not self._has_items:
            for number, raw in enumerate(output):
                for block in self._blocks(number, raw):
                    self._came_whole(block)
        for number in sorted(self._items):
            self._stop(number, output[number] if 0 <= number < len(output) else None)
        self._is_complete = True
        response = self._response()
        if response.message.usage is not None:
            self._update(response.message.usage)
        self._end_blocks()
        self._end_answer(response)

    def _on_error(self, _: Any, data: bytes) -> None:
        self._fail(decode_error(data))

    def _response(self) -> Response:
        whole = {**self._answer, "output": []}
        if not self._is_complete:
            whole = {key: whole[key] for key in whole if key not in _AT_THE_END}
        return self._answered(whole)

    def _read_answer(self, body: Decoded) -> Response:
        return read_answer(Decoding(RULES, body, self._dialect), self._total.content())

    # -- items ---------------------------------------------------------------------------------

    def _on_added(self, event: wire.ItemAdded, _: bytes) -> None:
        number = event.output_index
        if number in self._items:  # reused before its item ended
            self._stop(number, None)
        if event.item is None or bytes(event.item) == b"null":
            return
        self._item(number, _keys(event.item))

    def _item(self, number: int, begun: dict[str, Any]) -> _Item:
        """Begin an item; a call, or an item of an unknown type, begins its block at once."""
        self._begin()
        self._has_items = True
        kind = _text_in(begun, "type") or ""
        if kind == _THOUGHT:
            self._first_thought = min(number, self._first_thought)
        self._items[number] = item = _Item(kind, begun)
        if kind in _CALLS:
            if _text_in(begun, "call_id") is not None and _text_in(begun, "name") is not None:
                block: Any = self._blocks(number, {**begun, _CALLS[kind]: ""})[0]
                item.blocks[0] = self._open(replace(block, arguments=""))
        elif kind not in (_SAID, _THOUGHT):
            item.blocks[0] = self._open(self._blocks(number, begun)[0])
        return item

    def _on_item_done(self, event: wire.ItemDone, _: bytes) -> None:
        number = event.output_index
        item = self._items.get(number)
        if item is not None and item.kind in _CALLS:
            done = _text_in(_keys(event.item), "call_id")
            begun = _text_in(item.begun, "call_id")
            if done is not None and begun is not None and done != begun:
                if self._is_begun(done):  # another item took its number, and ended it
                    return
                self._stop(number, None)
                item = None
        if item is None:
            self._begin()
            self._has_items = True
            for block in self._blocks(number, event.item):
                self._came_whole(block)
            return
        self._stop(number, event.item)

    def _is_begun(self, call_id: str) -> bool:
        """Whether a call of this id has begun; looks at each block once, however often asked."""
        blocks = self._total.blocks
        seen = self._call_ids = self._call_ids or set()
        seen.update(b.id for b in blocks[self._looked :] if type(b) is ToolCallBlock)
        self._looked = len(blocks)
        return call_id in seen

    def _stop(self, number: int, whole: Any) -> None:
        """End an item with its whole JSON, or without one with what came of it so far."""
        item = self._items.pop(number)
        for key in item.texts:
            self._texts.pop(key, None)
        if whole is None or _text_in(_keys(whole), "type") != item.kind:
            whole = self._grown(item)
        if whole is None:
            return
        if item.kind in _CALLS:
            whole = self._with_arguments(item, whole)
        blocks = self._blocks(number, whole)
        begun = item.blocks
        if len(item.places) == len(begun) and all(0 <= at < len(blocks) for at in item.places):
            begun = item.places
        for place, block in enumerate(blocks):
            index = begun.pop(place, None)
            if index is None:
                self._came_whole(block)
            else:
                self._finish(index, block)
        for index in begun.values():
            self._end(index)

    def _tell_rest(self) -> None:
        for number in sorted(self._items):
            if self._items[number].kind in _CALLS:
                self._tell_call(self._items[number])
                continue
            try:
                self._stop(number, None)
            except FAULTS:
                self._leave_out(f"$.message.content[{len(self._total.blocks)}]")
        super()._tell_rest()

    def _tell_call(self, item: _Item) -> None:
        """Send what is known of the arguments of an open call; one without an id is a loss."""
        if not item.blocks:
            self._leave_out(f"$.message.content[{len(self._total.blocks)}]")
        elif item.done and not self._told_arguments(item):
            self._arguments(item.blocks[0], item.done)

    def _with_arguments(self, item: _Item, whole: Any) -> Any:
        """Return the JSON of a call; arguments that it does not repeat are those told before."""
        key = _CALLS[item.kind]
        keys = whole if type(whole) is dict else _keys(whole)
        given = keys.get(key)
        if given is None or bytes(Raw(encode(given))) in _NOTHING:
            text = self._told_arguments(item) or item.done
            if text:
                return {**keys, key: text}
        return whole

    def _told_arguments(self, item: _Item) -> str:
        """Return the arguments that deltas have told, those that are held back included."""
        if not item.blocks:
            return "".join(item.pieces)
        index = item.blocks[0]
        held = self._held.get(index)
        return "".join(self._pieces[index] or (held.pieces if held is not None else ()))

    def _grown(self, item: _Item) -> dict[str, Any] | None:
        """Return the JSON so far of an item without an end, None for a message without parts."""
        whole = dict(item.begun)
        so_far: list[Any] = [self._total.block(index) for index in item.blocks.values()]
        if item.kind == _SAID:
            cited = (item.citations.get(index, []) for index in item.blocks.values())
            parts = list(map(_part_of, so_far, cited))
            parts += [{**_EMPTY, "annotations": early} for early in item.early.values()]
            item.places.clear()
            whole["content"] = parts
            return whole if parts else None
        if item.kind == _THOUGHT:
            if so_far:
                part = {"type": _THOUGHTS[item.key], "text": so_far[0].thinking}
                whole |= {"summary": [], item.key: [part]}
            return whole
        if item.kind in _CALLS:
            if not so_far:
                self._bad("call without an id or a name, expected both")
            whole[_CALLS[item.kind]] = self._told_arguments(item)
        return whole

    def _came_whole(self, block: Any) -> None:
        """Begin and end a block that has had no deltas."""
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
        """End a block; first send the text that its deltas have left out."""
        so_far = "".join(self._total.pieces[index] or ())
        kind = type(block)
        held = self._held.get(index)
        if held is not None:
            so_far = "".join(held.pieces)
            if kind is not ToolCallBlock or not block.arguments.text.startswith(so_far.encode()):
                self._unheld(index)
                so_far = ""
        begun: Any = self._total.blocks[index]
        if kind is not type(begun) and type(begun) is not ThinkingBlock:  # it may turn out opaque
            self._bad(_OTHER_KIND)
        revised = kind is not type(begun)
        if kind is type(begun) and kind in _TELL:
            text, tell = _TELL[kind]
            whole = text(block)
            revised = not whole.startswith(so_far)
            if not revised and len(whole) > len(so_far):
                tell(self, index, whole[len(so_far) :])
        if type(begun) is ToolCallBlock and block.name != begun.name:
            revised = True
        if kind is ToolCallBlock and block.tool_type == "custom":  # empty input is not `{}`
            self._send(BlockEnd(index, self._identified(index, block), revised))
        else:
            self._end(index, block, revised)

    def _blocks(self, number: int, whole: Any) -> list[Content]:
        """Return the blocks that the JSON of an item stands for."""

        def blocks(body: Decoded) -> list[Content]:
            decoding = Decoding(RULES, body, self._dialect)
            is_reasoned = self._first_thought < number
            items = ItemReader(decoding, BlockReader(decoding), is_reasoned=is_reasoned)
            content = items.answer([body.root])
            if items.is_reasoned:
                self._first_thought = min(number, self._first_thought)
            return content

        made: list[Content] = self._read_with(blocks, wire.Item, encode(whole))
        return made

    # -- deltas --------------------------------------------------------------------------------

    def _on_text(self, event: wire.TextDelta | wire.RefusalDelta, _: bytes) -> None:
        if event.delta:
            index = self._text_of(event, _TEXT_PARTS[type(event)])
            if type(event) is wire.TextDelta:
                self._beside_delta(event)
            self._text(index, event.delta)

    def _text_of(self, event: Any, part: dict[str, Any]) -> int:
        """Return the index of the text that an event tells of; its block may begin with it."""
        key = (event.output_index, event.content_index)
        index = self._texts.get(key)
        if index is None:
            item = self._said(event.output_index, _SAID)
            parts = [_EMPTY, part] if item.blocks else [part]  # later parts continue the message
            begun = {**item.begun, "role": "assistant", "content": parts}
            block = self._blocks(event.output_index, begun)[-1]
            index = self._open(block)
            item.blocks[len(item.blocks)] = index
            item.places.setdefault(event.content_index, index)
            item.texts.append(key)
            self._texts[key] = index
            for source in item.early.pop(event.content_index, ()):
                self._on_source(index, item, event.output_index, source)
        return index

    def _on_part_done(self, event: wire.PartDone, _: bytes) -> None:
        """Begin the block of a part that no delta tells, so that it keeps its place."""
        item = self._items.get(event.output_index)
        part = None if event.part is None else json_object(event.part)
        kind = None if part is None else part.get("type")
        if item is None or item.kind != _SAID or not isinstance(kind, str) or kind in _TOLD:
            return
        if event.content_index not in item.places:
            whole = {**item.begun, "role": "assistant", "content": [event.part]}
            index = self._open(self._blocks(event.output_index, whole)[0])
            item.blocks[len(item.blocks)] = item.places[event.content_index] = index

    def _said(self, number: int, kind: str) -> _Item:
        """Return the item that a delta belongs to; a new one if it never began, or has ended."""
        item = self._items.get(number)
        if item is None:
            item = self._item(number, {"type": kind})
        if item.kind != kind:
            self._bad(f"text of a `{kind}` in another item, expected a `{kind}`", ".output_index")
        return item

    def _on_summary(self, event: wire.SummaryDelta, _: bytes) -> None:
        self._thought("summary", event.output_index, event.summary_index, event.delta)

    def _on_reasoning(self, event: wire.ReasoningDelta, _: bytes) -> None:
        self._thought("content", event.output_index, event.content_index, event.delta)

    def _thought(self, key: str, number: int, place: int, delta: str) -> None:
        if not delta:
            return
        item = self._said(number, _THOUGHT)
        if not item.blocks:
            item.key, item.last = key, place
            part = {"type": _THOUGHTS[key], "text": ""}
            block = self._blocks(number, {"summary": [], **item.begun, key: [part]})[0]
            # Even if the item turns out opaque, its deltas are thinking.
            item.blocks[0] = self._open(ThinkingBlock("", extras=block.extras))
        elif item.key != key:  # the block holds only one of the two
            return
        elif place > item.last:
            item.last = place
            self._thinking(item.blocks[0], _BETWEEN)
        self._thinking(item.blocks[0], delta)

    def _on_arguments(self, event: wire.ArgumentsDelta | wire.InputDelta, _: bytes) -> None:
        item = self._items.get(event.output_index)
        if item is None:
            self._bad("arguments without a call, expected an open one", ".output_index")
        if item.kind not in _CALLS or not event.delta:
            return
        if item.blocks:
            self._arguments(item.blocks[0], event.delta)
        else:
            item.pieces.append(event.delta)

    def _on_arguments_done(self, keys: dict[str, Raw], key: str) -> None:
        """Keep the arguments that an event repeats: some services tell them nowhere else."""
        number = msgspec.json.decode(keys.get("output_index", b"0"), type=int)
        item = self._items.get(number)
        if item is not None:
            item.done = _text_in(keys, key) or item.done

    def _on_annotation(self, event: wire.AnnotationAdded, data: bytes) -> None:
        item = self._items.get(event.output_index)
        if event.annotation is None:
            return
        if item is None or item.kind != _SAID:
            self._opaque(data, b"response.output_text.annotation.added")
            return
        index = self._texts.get((event.output_index, event.content_index))
        if index is None:  # its text may begin, or the end of the item brings it
            item.early.setdefault(event.content_index, []).append(event.annotation)
        else:
            self._on_source(index, item, event.output_index, event.annotation)

    def _on_source(self, index: int, item: _Item, number: int, source: Raw) -> None:
        item.citations.setdefault(index, []).append(source)
        part = {**_EMPTY, "annotations": [source]}
        block: Any = self._blocks(number, {"type": _SAID, "content": [part]})[0]
        for ref in block.annotations or ():
            self._cite(index, ref)


_TEXT_PARTS: Final[dict[type, dict[str, Any]]] = {
    wire.TextDelta: _EMPTY,
    wire.RefusalDelta: {"type": "refusal", "refusal": ""},
}
_TOLD: Final = frozenset({"output_text", "refusal"})
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
    wire.PartDone: StreamDecoder._on_part_done,
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


def _part_of(block: Any, citations: list[Raw]) -> Any:
    """Return the part for a block of a message without an end."""
    if type(block) is OpaqueBlock:
        return block.raw
    if shape(block) == "refusal":
        return {"type": "refusal", "refusal": block.text}
    return {"type": "output_text", "text": block.text, "annotations": citations}


# -- events -> the event stream ------------------------------------------------------------------


class _Message(Struct):
    """A message that is being written; `parts` counts those that have begun."""

    draft: Draft
    id: bytes
    parts: int = 0


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

    RULES: ClassVar[Rules] = RULES
    WRITER: ClassVar[Any] = ResponseWriter
    FINAL: ClassVar[frozenset[type]] = frozenset()
    OPENS_BESIDE: ClassVar[bool] = False
    _answer: ResponseWriter

    def __init__(
        self,
        *,
        losses: Losses = None,
        dialect: str | None = None,
        ids: IdSource | None = None,
    ) -> None:
        super().__init__(losses=losses, dialect=dialect, ids=ids)
        self._sequence = -1
        self._open: dict[int, _Written] = {}
        self._deltas: dict[int, bytes] = {}
        self._output: list[Any] = []
        self._message: _Message | None = None

    def _use(self, response: Response) -> None:
        super()._use(response)
        self._sketch = ResponseWriter(response, [], self._dialect, self._ids)
        """Reports no losses: what it writes is written again by `_writer`, which reports them."""
        self._answer.item_ids = self._sketch.item_ids
        self._answer.taken_ids = self._sketch.taken_ids

    def _frame(self, kind: str, **keys: Any) -> bytes:
        self._sequence += 1
        made = {"type": kind, "sequence_number": self._sequence, **keys}
        return sse.encode(encode(made), kind.encode())

    def _on_start(self, event: StreamStart) -> bytes:
        begun = self._sketch.begun()
        return self._frame("response.created", response=begun) + self._frame(
            "response.in_progress", response=begun
        )

    # -- blocks --------------------------------------------------------------------------------

    def _on_block_start(self, event: BlockStart) -> bytes:
        block: Any = event.block
        sketch = self._sketch
        if sketch.is_item(block):
            number = len(self._output)
            item = sketch.item(block, number)
            if item is None:
                self._answer.item(block, number)
                return b""
            written, begun = self._begun(block, number, shallow(item))
            out = self._end_message() + self._begin_item(begun)
        elif type(block) is TextBlock or sketch.part(block) is not None:
            out = b""
            message = self._message
            if message is None or not sketch.items.goes_on(block):
                out = self._end_message()
                draft = sketch.draft(block, len(self._output))
                begun = sketch.items.message(draft) | {"status": "in_progress"}
                message = self._message = _Message(draft, encode(begun.get("id") or draft.id))
                out += self._begin_item(begun)
            written = _Written(message.draft.number, message.id, message.parts, message)
            written.kind = "refusal" if shape(block) == "refusal" else "text"
            message.parts += 1
        else:
            self._answer.part(block)
            return b""
        written.delta = _delta(written)
        self._open[event.index] = written
        if written.kind in _CALLS and (written.kind == "custom_tool_call") is _is_custom(block):
            written.is_begun = True
            self._deltas[event.index] = written.delta
        return out

    def _begun(self, block: Content, number: int, item: dict[str, Any]) -> tuple[_Written, Any]:
        """Return an item that begins, and its JSON before its deltas."""
        begun = dict(item)
        kind = str(_plain(item.get("type")))
        if "status" in begun:
            begun["status"] = "in_progress"
        if kind in _CALLS:
            begun[_CALLS[kind]] = ""
        elif kind == _THOUGHT and type(block) is ThinkingBlock:
            begun |= {key: [] for key in ("summary", "content") if begun.get(key) is not None}
            kind = "content" if shape(block) == "content" else "summary"
        item_id = begun.get("id") or self._sketch.item_id("item_", number)
        return _Written(number, encode(item_id), kind=kind), begun

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
        if self._sketch.is_item(block) is (written.message is not None):
            raise EncodeError(_OTHER_KIND, wire=self.RULES.wire)
        if written.message is not None:
            return self._end_part(written, written.message, block, has_delta)
        item = self._answer.item(block, written.number)
        if item is None:
            item = self._output[written.number]
        out = b""
        if written.kind in _CALLS:
            key = _CALLS[written.kind]
            text = shallow(item).get(key, "")
            name = _DELTA_NAMES[written.kind]
            if not written.is_begun:  # its text is not that of the deltas
                out += self._frame(f"{name}.delta", **self._at(written), delta=text)
            out += self._frame(f"{name}.done", **self._at(written), **{key: text})
        elif written.kind in _PARTS and type(block) is ThinkingBlock:
            out += self._end_thought(written, block.thinking, has_delta)
        self._output[written.number] = item
        return out + self._frame(
            "response.output_item.done", output_index=written.number, item=item
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
        part = self._answer.part(block)
        draft = message.draft
        if written.place == 0:  # only now are the message's keys complete
            whole = self._sketch.draft(block, draft.number)
            draft.own, draft.spelling = whole.own, whole.spelling
        if part is None:
            return b""
        draft.parts.append(part)
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
        number = message.draft.number
        self._output[number] = made = self._sketch.items.message(message.draft)
        return self._frame("response.output_item.done", output_index=number, item=made)

    # -- the end -------------------------------------------------------------------------------

    def _on_end(self, event: StreamEnd) -> bytes:
        out = self._end_message()
        self._use(event.response)
        body = self._answer.whole(self._output)
        status = body["status"]
        kind = _LAST.get(status, "response.completed")
        return out + self._frame(kind, response=body)

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
            begun = self._start(StreamStart(self._expected or Response(AssistantMessage([]))))
        message = message_of(error)
        keys = json_object(error.body) if error.wire == self.RULES.wire and error.body else None
        kind = (keys or {}).get("type")
        if kind == "response.failed":
            return begun + self._numbered(error.body or b"", kind)
        if kind == "error":
            frame = self._numbered(error.body or b"", kind)
        else:
            own = keys_of(error)
            flat = {"code": own["code"], "message": message, "param": own["param"]}
            frame = self._frame("error", **flat, error={"type": type_of(error), **flat})
        code = known_code(error) or _FAILED.get(error.kind, "invalid_prompt")
        whole = self._sketch.failed({"code": code, "message": message})
        return begun + frame + self._frame("response.failed", response=whole)


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
