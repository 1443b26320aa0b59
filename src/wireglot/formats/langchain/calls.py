"""LangChain's tool calls -> canonical ones: today's, those of early versions, and broken ones."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from msgspec import UNSET, Raw, UnsetType

from ... import model
from ..._body.encode import encode_json as encode
from ...model import Arguments, RawJson
from .._as_it_came import Notes, is_same
from .._mapping import Keys, extras_of
from .._records import unknown
from . import types as own
from .system import API

__all__ = ["but_other_calls", "calls_of", "with_calls"]

_keys = msgspec.json.Decoder(dict[str, Raw]).decode


class _Function(msgspec.Struct):
    name: str | None
    arguments: str


class _Entry(msgspec.Struct):
    """A call in OpenAI's shape."""

    function: _Function | UnsetType = UNSET
    id: str | None = None


class _Chunk(msgspec.Struct):
    """A call, or a part of one, in a streamed answer."""

    name: str | None = None
    args: str | None = None
    id: str | None = None


_ENTRIES: Final = msgspec.json.Decoder(list[_Entry])
_CHUNKS: Final = msgspec.json.Decoder(list[_Chunk])
_value = msgspec.json.Decoder().decode
_sorted = msgspec.json.Encoder(order="sorted").encode


def calls_of(word: str, fields: own.Fields, notes: Notes) -> list[model.ToolCallBlock]:
    """Return the calls of an answer, broken ones last.

    `additional_kwargs` may hold the calls too, in OpenAI's shape. If they are only there, as in the
    first versions, LangChain takes the calls from there. If they repeat the calls and say no more,
    they are removed from the unknown keys.
    """
    keys = notes.keys
    if fields.tool_calls is UNSET or fields.invalid_tool_calls is UNSET:
        notes.differ()
    calls = [_tool_call(call, notes) for call in fields.tool_calls or []]
    if fields.invalid_tool_calls:
        calls += [_invalid(call) for call in fields.invalid_tool_calls]
        notes.doubt()
    if "tool_call_chunks" in keys:
        notes.doubt()
    held = keys.get("additional_kwargs")
    kwargs = _keys(held.native()) if isinstance(held, RawJson) else {}
    if "tool_calls" not in kwargs:
        return calls
    notes.doubt()
    try:
        entries = _ENTRIES.decode(kwargs["tool_calls"])
    except msgspec.DecodeError:
        return calls
    found = _of_entries(entries)
    in_order = _in_order(found)
    if not calls and word == "ai":
        calls = in_order
    if list(map(_said, in_order)) == list(map(_said, calls)):
        repeated = encode([_entry(call) for call in found])
        if is_same(bytes(kwargs.pop("tool_calls")), repeated):
            keys["additional_kwargs"] = kwargs
            if not kwargs:
                del keys["additional_kwargs"]
    return calls


def _of_entries(entries: list[_Entry]) -> list[model.ToolCallBlock]:
    return [
        model.ToolCallBlock(
            entry.id or "", entry.function.name or "", Arguments(entry.function.arguments)
        )
        for entry in entries
        if entry.function
    ]


def _in_order(calls: list[model.ToolCallBlock]) -> list[model.ToolCallBlock]:
    return sorted(calls, key=lambda call: call.arguments.object_json() is None)


def but_other_calls(content: list[model.Content], keys: Keys) -> dict[str, Any]:
    """Return the unknown keys without any calls in them that differ from those of the content.

    LangChain would use the unknown keys: in a chunk, and in an answer that has no other calls.
    """
    others: dict[str, Any] = dict(keys)
    kwargs = _keys(others.get("additional_kwargs", b"{}"))
    calls = _as_json([block for block in content if type(block) is model.ToolCallBlock])
    if "tool_calls" in kwargs:
        try:
            other_calls = _of_entries(_ENTRIES.decode(kwargs["tool_calls"]))
        except msgspec.DecodeError:  # LangChain finds no calls here either
            other_calls = []
        if other_calls and _as_json(other_calls) != calls:
            del kwargs["tool_calls"]
            others["additional_kwargs"] = Raw(encode(kwargs))
    if "tool_call_chunks" in others:
        try:
            chunks = _CHUNKS.decode(others["tool_call_chunks"])
        except msgspec.DecodeError:
            chunks = []
        if chunks and _as_json([_of_chunk(chunk) for chunk in chunks]) != calls:
            del others["tool_call_chunks"]
    return others


def _of_chunk(chunk: _Chunk) -> model.ToolCallBlock:
    return model.ToolCallBlock(chunk.id or "", chunk.name or "", Arguments(chunk.args or ""))


def _as_json(calls: list[model.ToolCallBlock]) -> bytes:
    """Return calls as JSON, to compare them: in Python, an argument 1 would equal `true`."""
    said = [
        (call.id, call.name, call.arguments.object_json() or call.arguments.string_json())
        for call in _in_order(calls)
    ]
    return _sorted(_value(encode(said)))


def _said(call: model.ToolCallBlock) -> tuple[str, str, Arguments]:
    return call.id, call.name, call.arguments


def _entry(call: model.ToolCallBlock) -> dict[str, Any]:
    function = {"name": call.name, "arguments": call.arguments.string_json()}
    return {"id": call.id, "type": "function", "function": function}


def with_calls(
    content: list[model.Content], calls: list[model.ToolCallBlock]
) -> list[model.Content]:
    """Add the calls to a content. A call that is in both appears once, where the content has it.

    LangChain uses `tool_calls`, and leaves what the provider sent in the content.
    """
    waiting: dict[str, list[model.ToolCallBlock]] = {}
    for call in reversed(calls):
        waiting.setdefault(call.id, []).append(call)
    blocks: list[model.Content] = []
    placed = set()
    for block in content:
        if type(block) is model.ToolCallBlock and waiting.get(block.id):
            call = waiting[block.id].pop()
            placed.add(id(call))
            blocks.append(_joined(block, call))
        else:
            blocks.append(block)
    return blocks + [call for call in calls if id(call) not in placed]


def _joined(block: model.ToolCallBlock, call: model.ToolCallBlock) -> model.ToolCallBlock:
    said: dict[str, Any] = {"name": block.name} if block.name != call.name else {}
    if block.arguments != call.arguments:
        said["input"] = block.arguments
    keys = unknown({**_keys_of(block), **said, **_keys_of(call)})
    extras = extras_of(API, keys)
    return model.ToolCallBlock(call.id, call.name, call.arguments, extras=extras)


def _keys_of(block: model.ToolCallBlock) -> Keys:
    extra = (block.extras or {}).get(API)
    return _keys(extra.keys.text) if extra is not None else {}


def _tool_call(call: own.ToolCall, notes: Notes) -> model.ToolCallBlock:
    if call.unknown is not UNSET:
        notes.doubt()
    if call.type != "tool_call" or type(call.id) is not str:
        notes.differ()
    extras = extras_of(API, call.unknown)
    args: Any = call.args.native() if isinstance(call.args, RawJson) else {}
    return model.ToolCallBlock(call.id or "", call.name, args, extras=extras)


def _invalid(call: own.InvalidToolCall) -> model.ToolCallBlock:
    keys: dict[str, Any] = dict(_keys(call.unknown.text)) if call.unknown is not UNSET else {}
    if call.error:
        keys["error"] = call.error
    extras = extras_of(API, unknown(keys))
    arguments = Arguments(call.args or "")
    return model.ToolCallBlock(call.id or "", call.name or "", arguments, extras=extras)
