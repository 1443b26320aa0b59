"""Tool calls, which PyAgenity holds twice: as blocks, and as OpenAI's entries in `tools_calls`.

The entries go back to a model, and hold the model's own text of the arguments; the blocks are for
people and programs. A good message has both, and they agree.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from ...model import ToolCallBlock
from . import contents as own

__all__ = [
    "Call",
    "Calls",
    "entry_of",
    "object_of",
    "paired",
    "same_json",
    "told_of",
    "wants_entry",
]

_sorted = msgspec.json.Encoder(order="sorted").encode
_value = msgspec.json.Decoder().decode
# `index` is the place in a stream, which LiteLLM leaves in the entry.
_KEYS: Final = frozenset({"id", "type", "function", "thought_signature", "index"})
_OF_FUNCTION: Final = frozenset({"name", "arguments"})
_PROVIDERS_OWN: Final = "server_tool"


class Call(NamedTuple):
    """A call in an entry; `text` is the model's text of the arguments, `signature` Gemini's."""

    id: str
    name: str
    text: str
    signature: str | None


class Calls(NamedTuple):
    """Entries matched with blocks: for each block its entry, if there is one that agrees.

    `others` are the calls that no block has. `is_all` is true if the entries hold nothing but
    calls: none is odd, and none disagrees with its block.
    """

    of_blocks: list[Call | None]
    others: list[Call]
    is_all: bool


_NO_CALLS: Final = Calls([], [], True)


def paired(blocks: Sequence[own.ToolCallBlock], entries: Sequence[dict[str, Any]]) -> Calls:
    """Find the entry of each block."""
    if not blocks and not entries:
        return _NO_CALLS
    calls: list[Call] = []
    by_what: dict[tuple[str, str, bytes], deque[Call]] = defaultdict(deque)
    is_all = True
    for entry in entries:
        call = _call(entry)
        if call is None:
            is_all = False
            continue
        calls.append(call)
        by_what[call.id, call.name, _sorted(object_of(call.text.encode()) or {})].append(call)
        is_all = is_all and entry.keys() <= _KEYS and entry["function"].keys() <= _OF_FUNCTION
    of_blocks: list[Call | None] = []
    matched: dict[str, int] = defaultdict(int)
    for block in blocks:
        # Arguments that are not an object match a block's empty object: it can hold nothing else.
        same = by_what.get((block.id, block.name, _sorted(block.args)))
        of_blocks.append(same.popleft() if same else None)
        matched[block.id] += of_blocks[-1] is not None
    # An unmatched entry with the id of a block is not another call: it disagrees with the block.
    others = [call for call in calls if call.id not in matched]
    is_all = is_all and len(calls) - len(others) == sum(matched.values())
    return Calls(of_blocks, others, is_all)


def entry_of(call: ToolCallBlock, signature: str | None) -> dict[str, Any]:
    """Return the entry of a canonical call. Raises ValueError if its text is not UTF-8."""
    entry: dict[str, Any] = {
        "id": call.id,
        "type": "function",
        "function": {"name": call.name, "arguments": str(call.arguments.text, "utf-8")},
    }
    if signature is not None:
        entry["thought_signature"] = signature
    return entry


def told_of(calls: Iterable[ToolCallBlock]) -> list[list[Any]]:
    """Return the fields of canonical calls. Raises ValueError if a text is not UTF-8."""
    return [
        [call.id, call.name, str(call.arguments.text, "utf-8"), call.signature] for call in calls
    ]


def wants_entry(call: ToolCallBlock) -> bool:
    """Whether the graph is to run the call: one that the provider ran must not be run again."""
    return call.tool_type != _PROVIDERS_OWN


def object_of(text: bytes) -> dict[str, Any] | None:
    """Return arguments as an object, None if they are not one; blank text is an empty object."""
    try:
        value = _value(text) if text.strip() else {}
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return value if type(value) is dict else None


def same_json(a: Any, b: Any) -> bool:
    """Whether two values are the same JSON; unlike `==`, this distinguishes 1, 1.0 and true."""
    return bool(_sorted(a) == _sorted(b))


def _call(entry: dict[str, Any]) -> Call | None:
    """Return the call in an entry, None if it is not the call of a function."""
    function = entry.get("function")
    if type(function) is not dict or entry.get("type", "function") != "function":
        return None
    call_id: Any = entry.get("id")
    name: Any = function.get("name")
    text: Any = function.get("arguments")
    signature = entry.get("thought_signature")
    texts = (call_id, name, text) if signature is None else (call_id, name, text, signature)
    if any(type(said) is not str for said in texts):
        return None
    return Call(call_id, name, text, signature)
