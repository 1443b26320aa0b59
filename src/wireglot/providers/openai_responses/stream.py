"""The event stream of OpenAI Responses -> stream events."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any, ClassVar, Final

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

from ...errors import DecodeError
from ...framing import sse
from ...model import Content, OpaqueBlock, Response, TextBlock, ThinkingBlock, ToolCallBlock
from ...model.events import BlockEnd
from .._errors import json_object
from .._reading import Body, residue
from .._streams import StreamDecoder as _StreamDecoder
from .._writing import encode
from . import wire
from .errors import decode_error
from .reading import MessageReader
from .request import DIALECTS
from .response import answer

__all__ = ["StreamDecoder"]

_event = msgspec.json.Decoder(wire.Event).decode
_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_items = msgspec.json.Decoder(list[Raw] | None).decode
_CALLS: Final = {"function_call": "arguments", "custom_tool_call": "input"}
_CALLS_DONE: Final = {
    f"response.{name}.done": key
    for name, key in (
        ("function_call_arguments", "arguments"),
        ("custom_tool_call_input", "input"),
    )
}
_NOTHING: Final = frozenset({b"null", b'""'})
_SAID: Final = "message"
_THOUGHT: Final = "reasoning"
_BETWEEN: Final = "\n\n"
"""The separator of two parts of reasoning, which become one block."""
# The keys of a response that count only once it is whole.
_AT_THE_END: Final = ("status", "usage", "error", "incomplete_details")
_DONE: Final = (b"", b"[DONE]")


class _Item(Struct):
    """An item that is open; `begun` is its JSON as it began.

    `blocks` maps each part, in the order in which they began, to the index of its block; `places`
    does so with the parts' own numbers. `texts` lists the keys of its parts in
    `StreamDecoder._texts`. Of reasoning, `told` is the key whose deltas become the block, `summary`
    or `content`, and `last` the latest part of that. Of a call, `pieces` are the arguments before
    its id and its name, and `done` is the text of the event that repeats them all.
    """

    kind: str
    begun: dict[str, Any]
    blocks: dict[int, int] = {}
    places: dict[int, int] = {}
    citations: dict[int, list[Raw]] = {}
    texts: list[tuple[int, int]] = []
    told: str = ""
    last: int = 0
    pieces: list[str] = []
    done: str = ""


class StreamDecoder(_StreamDecoder):
    """The stream of `POST /v1/responses` with `"stream": true` -> events.

    `response.completed` or `response.incomplete` ends it. `response.output_item.done` ends an item,
    and its JSON gives the content; the parts of one message end together. The parts of reasoning
    become one block, with a blank line between them. Text after the end of its item begins a new
    block; arguments there are an error.
    """

    WIRE: ClassVar[str] = "openai_responses"
    API: ClassVar[str] = wire.API
    SPOKEN: ClassVar[tuple[str, ...]] = DIALECTS
    FRAMER: ClassVar[Any] = sse.Decoder

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
                self._text(index, event.delta)
                return
        read = _EVENTS.get(type(event))
        if read is not None:
            read(self, event, data)

    def _tolerated(self, frame: sse.Event) -> Any:
        """Return the event of a frame with unknown keys, None for an empty frame or `[DONE]`."""
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
        event = body.root
        if type(event) is Raw:  # of a kind that is not read
            keys = _keys(event)
            kind = _text_in(keys, "type")
            if kind in _CALLS_DONE:
                self._on_arguments_done(keys, _CALLS_DONE[kind])
            elif kind not in _REPEATED:
                self._opaque(body.data, name)
                return None
            event = _REPEATED_EVENT
            body.unknown[id(event)] = {key: keys[key] for key in keys if key not in _REPEATING}
        if type(event) in _STAGES:
            self._answer |= body.unknown.pop(id(event), {})
        self._beside(residue(event, body.unknown), name)
        return event

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
            for number, raw in enumerate(output):
                for block in self._blocks(number, raw):
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
        content = self._total.content()
        made: Response = self._read_with(
            lambda body: answer(MessageReader(body, self._dialect), content),
            wire.Answer,
            encode(whole),
        )
        return made

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
                known = (b.id for b in self._total.blocks if type(b) is ToolCallBlock)
                if done in known:  # another item took its number, and ended it
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
            parts = [_part_of(block, item.citations.get(i, [])) for i, block in enumerate(so_far)]
            item.places.clear()
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
                del self._held[index]
                so_far = ""
        begun: Any = self._total.blocks[index]
        if kind is not type(begun) and type(begun) is not ThinkingBlock:  # it may turn out opaque
            self._bad("a block that ends as another kind than it began")
        revised = False
        if kind is type(begun) and kind in _TELL:
            text, tell = _TELL[kind]
            said = text(block)
            revised = not said.startswith(so_far)
            if not revised and len(said) > len(so_far):
                tell(self, index, said[len(so_far) :])
        if type(begun) is ToolCallBlock and block.name != begun.name:
            revised = True
        if kind is ToolCallBlock and block.tool_type == "custom":  # empty input is not `{}`
            self._send(BlockEnd(index, self._identified(index, block), revised))
        else:
            self._end(index, block, revised)

    def _blocks(self, number: int, whole: Any) -> list[Content]:
        """Return the blocks that the JSON of an item stands for."""

        def blocks(body: Body) -> list[Content]:
            reader = MessageReader(body, self._dialect)
            reader.is_reasoned = self._first_thought < number
            content = reader.answered([body.root])
            if reader.is_reasoned:
                self._first_thought = min(number, self._first_thought)
            return content

        made: list[Content] = self._read_with(blocks, wire.Item, encode(whole))
        return made

    # -- deltas --------------------------------------------------------------------------------

    def _on_text(self, event: wire.TextDelta | wire.RefusalDelta, _: bytes) -> None:
        if not event.delta:
            return
        key = (event.output_index, event.content_index)
        index = self._texts.get(key)
        if index is None:
            item = self._said(event.output_index, _SAID)
            part: Any = _TEXT_PARTS[type(event)]
            parts = [_EMPTY, part] if item.blocks else [part]  # later parts continue the message
            begun = {**item.begun, "role": "assistant", "content": parts}
            block = self._blocks(event.output_index, begun)[-1]
            index = self._open(block)
            item.blocks[len(item.blocks)] = index
            item.places.setdefault(event.content_index, index)
            item.texts.append(key)
            self._texts[key] = index
        self._text(index, event.delta)

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
            block = self._blocks(number, {"summary": [], **item.begun, told: [part]})[0]
            # Even if the item turns out opaque, its deltas are thinking.
            item.blocks[0] = self._open(ThinkingBlock("", extras=block.extras))
        elif item.told != told:  # the block holds only one of the two
            return
        elif place > item.last:
            item.last = place
            self._thinking(item.blocks[0], _BETWEEN)
        self._thinking(item.blocks[0], delta)

    def _on_arguments(self, event: wire.ArgumentsDelta | wire.InputDelta, _: bytes) -> None:
        item = self._items.get(event.output_index)
        if item is None:
            self._bad("arguments of no call, or of one that has ended", ".output_index")
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

    def _on_annotation(self, event: wire.AnnotationAdded, _: bytes) -> None:
        index = self._texts.get((event.output_index, event.content_index))
        if index is None or event.annotation is None:  # the item's end brings it
            return
        item = self._items[event.output_index]
        place = next(place for place, at in item.blocks.items() if at == index)
        item.citations.setdefault(place, []).append(event.annotation)
        part = {**_EMPTY, "annotations": [event.annotation]}
        block: Any = self._blocks(event.output_index, {"type": _SAID, "content": [part]})[0]
        for ref in block.annotations or ():
            self._cite(index, ref)


_EMPTY: Final = {"type": "output_text", "text": "", "annotations": []}
_TEXT_PARTS: Final = {
    wire.TextDelta: _EMPTY,
    wire.RefusalDelta: {"type": "refusal", "refusal": ""},
}
_TOLD: Final = frozenset({"output_text", "refusal"})
_STEPS: Final = (
    "in_progress",
    "searching",
    "interpreting",
    "generating",
    "completed",
    "failed",
)
_THOUGHTS: Final = {"summary": "summary_text", "content": "reasoning_text"}
_REPEATED: Final = frozenset(
    {
        "keepalive",
        "response.content_part.added",
        "response.output_text.done",
        "response.refusal.done",
        "response.reasoning_summary_part.added",
        "response.reasoning_summary_part.done",
        "response.reasoning_summary_text.done",
        "response.reasoning_text.done",
        "response.code_interpreter_call_code.delta",
        "response.code_interpreter_call_code.done",
        "response.mcp_call_arguments.delta",
        "response.mcp_call_arguments.done",
        *(f"response.web_search_call.{stage}" for stage in _STEPS),
        *(f"response.file_search_call.{stage}" for stage in _STEPS),
        *(f"response.code_interpreter_call.{stage}" for stage in _STEPS),
        *(f"response.image_generation_call.{stage}" for stage in _STEPS),
        *(f"response.mcp_call.{stage}" for stage in _STEPS),
        *(f"response.mcp_list_tools.{stage}" for stage in _STEPS),
    }
)
"""Events that say what their deltas or the end of their item say as well."""
_REPEATING: Final = frozenset(
    {
        *("type", "sequence_number", "item_id", "output_index", "obfuscation", "name"),
        *("content_index", "summary_index", "part", "delta", "text", "refusal", "logprobs"),
        *("arguments", "input", "code"),
    }
)
"""The keys of such events."""
_REPEATED_EVENT: Final = wire.Repeated()
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
    spelling = block.extras[wire.API].spelling if block.extras is not None else None
    if spelling is not None and spelling.value.get("as") == "refusal":
        return {"type": "refusal", "refusal": block.text}
    return {"type": "output_text", "text": block.text, "annotations": citations}
