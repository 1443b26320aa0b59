"""Operator-Use's own values -> the Structs that are written for them, where the two differ.

Session files have id, time and parent of an entry before its type. RPC prints null where a session
file leaves a key out.
"""

from __future__ import annotations

from functools import cache
from operator import attrgetter
from typing import Any, Final

import msgspec
from msgspec import UNSET, Struct, field
from msgspec.structs import replace

from ..._body.decode import UNKNOWN
from .contents import ToolCallContent
from .events import EVENT_TYPES
from .types import AgentMessage, CustomMessage, SessionEntry, TerminalExecutionMessage

__all__ = ["in_order", "with_nulls"]

_ENTRIES: Final = frozenset(SessionEntry.__args__)
_COMMON: Final = ("id", "timestamp", "parent_id", "type")


def in_order(entry: Any) -> Any:
    """Return an entry as its line is written: id, time and parent come before the type."""
    kind: Any = type(entry)
    made = _in_order(kind)
    return entry if made is None else made[0](*made[1](entry))


@cache
def _in_order(kind: Any) -> tuple[Any, Any] | None:
    if kind not in _ENTRIES:
        return None
    names = [*_COMMON, *(name for name in kind.__struct_fields__ if name not in _COMMON)]
    names.remove("unknown")
    return _twin(kind, names, None, {}), attrgetter(*names, "unknown")


# The field of each type that is written as null if it is None; any other such field is left out.
_NULLED: Final[dict[Any, str]] = {
    ToolCallContent: "kind",
    CustomMessage: "details",
    TerminalExecutionMessage: "exit_code",
}
# The fields that may hold values of those types.
_WITHIN: Final = ("contents", "message", "messages", "tool_call")


def with_nulls(value: Any) -> Any:
    """Return a message, an event or a list of them as RPC prints it; unchanged parts are shared."""
    kind: Any = type(value)
    if kind is list:
        items = [with_nulls(item) for item in value]
        return items if any(a is not b for a, b in zip(items, value, strict=True)) else value
    name = _NULLED.get(kind)
    if name is not None and getattr(value, name) is None:
        twin, names = _with_nulls(kind)
        values = [(key, getattr(value, key)) for key in names]
        return twin(*(UNSET if held is None and key != name else held for key, held in values))
    if kind not in _HOLDERS:
        return value
    changes = {}
    for name in _WITHIN:
        old = getattr(value, name, None)
        if old is not None:
            new = with_nulls(old)
            if new is not old:
                changes[name] = new
    return replace(value, **changes) if changes else value


_HOLDERS: Final = frozenset({*AgentMessage.__args__, *EVENT_TYPES})


@cache
def _with_nulls(kind: Any) -> tuple[Any, tuple[str, ...]]:
    config = kind.__struct_config__
    names = [name for name in kind.__struct_fields__ if name != "unknown"]
    tag = {"tag_field": config.tag_field, "tag": config.tag}
    return _twin(kind, names, UNSET, tag), (*names, "unknown")


def _twin(kind: type[Any], names: list[str], unset: Any, tag: dict[str, Any]) -> type[Struct]:
    """Return a Struct type of these fields in this order, which leaves out only `unset`."""
    fields: list[Any] = [(name, Any, unset) for name in names]
    fields.append(("unknown", Any, field(default=UNSET, name=UNKNOWN)))
    return msgspec.defstruct(kind.__name__, fields, omit_defaults=True, gc=False, **tag)
