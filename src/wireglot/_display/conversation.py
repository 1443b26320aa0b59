"""A document of any wire -> a conversation as a person reads it: entries, calls with results."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from textwrap import indent
from typing import Any, Final, NamedTuple

import msgspec
from msgspec.structs import fields

from ..errors import DecodeError
from ..model import (
    AgentMessage,
    AssistantMessage,
    Content,
    OpaqueBlock,
    RawJson,
    Request,
    Response,
    TextBlock,
    ToolCallBlock,
    ToolMessage,
    ToolResultBlock,
    ToolResultMessage,
    Usage,
)
from ..model.session import whole
from .prices import Prices

_SIGNS: Final = {"USD": "$", "EUR": "€", "GBP": "£"}
# An unfinished string matches all the rest, so that none of its quotes starts another scan.
_TOKEN: Final = re.compile(rb'"(?:[^"\\]|\\.)*+"?|[\[{}\]]', re.DOTALL)
_STEPS: Final = {b"{": 1, b"[": 1, b"}": -1, b"]": -1}
_DEEPEST: Final = 100
_ASIDE: Final = frozenset({"messages", "model", "tools", "extras"})


class Answered(NamedTuple):
    """A call, and the result that it got, if it has one."""

    call: ToolCallBlock
    result: ToolResultBlock | ToolResultMessage | None


class Extension(NamedTuple):
    """What a program that extends the agent wrote; `data` is JSON over several lines."""

    kind: str
    data: str


Shown = Content | ToolResultMessage | Answered | Extension


class Entry(NamedTuple):
    """One message: who speaks, when, and what. `cost` is in the currency of the prices."""

    role: str
    by: str | None
    time: int | None
    usage: Usage | None
    cost: float | None
    error: str | None
    blocks: list[Shown]


class Conversation(NamedTuple):
    """A whole document: `facts` are the parameters of a request, by name.

    Of the `models`, that which a request asks is the first; the others have answered.
    """

    name: str
    wire: str
    kind: str
    models: list[str]
    facts: list[tuple[str, str]]
    entries: list[Entry]
    usage: Usage
    cost: float | None
    currency: str


def conversation(name: str, wire: str, kind: str, value: Any, prices: Prices) -> Conversation:
    """Return a document as a conversation, in reading order.

    `value` is a `Request`, a `Response` or a list of messages; `wire` and `kind` say what it was.
    """
    entries = _entries(_messages(value), prices)
    costs = [entry.cost for entry in entries if entry.cost is not None]
    total = Usage()
    for entry in entries:
        total = total if entry.usage is None else total.combine(entry.usage)
    asked = [value.model] if isinstance(value, Request) else []
    named = (*asked, *(entry.by for entry in entries if entry.role == "assistant"))
    models = [*dict.fromkeys(model for model in named if model)]
    facts = [*_facts(value)] if isinstance(value, Request) else []
    return Conversation(
        name,
        wire,
        kind,
        models,
        facts,
        entries,
        total,
        sum(costs) if costs else None,
        prices.currency,
    )


def clock(time: int | None) -> str:
    """Return a time of day in UTC, or the number itself if it is not a valid time."""
    if time is None:
        return ""
    try:
        return datetime.fromtimestamp(time / 1000, UTC).strftime("%H:%M:%S")
    except (OverflowError, ValueError, OSError):
        return str(time)


def counted(usage: Usage) -> str:
    """Return token counts in words: what went in, how much of it was cached, what came out."""
    read = usage.input + usage.cache_read + usage.cache_write
    cached = f" ({hit_rate(usage):.0%} cached)" if usage.cache_read else ""
    return f"{grouped(read)} in{cached}, {grouped(usage.output)} out"


def grouped(count: int) -> str:
    """Return a count with commas, or words if it has more digits than Python writes (4,300)."""
    try:
        return f"{count:,}"
    except ValueError:
        return "too long a number"


def hit_rate(usage: Usage) -> float:
    """Return the share of the input that was cached; 0 for counts that cannot be."""
    try:
        return usage.cache_hit_rate()
    except OverflowError:
        return 0.0


def money(amount: float, currency: str) -> str:
    """Return an amount with its currency: `$0.0070`, `1,250.0000 CHF`."""
    sign = _SIGNS.get(currency)
    return f"{amount:,.4f} {currency}" if sign is None else f"{sign}{amount:,.4f}"


def number_of(one: str, many: str, count: int) -> str:
    """Return a count with its noun: `1 entry`, `2,000 entries`."""
    return f"{count:,} {one if count == 1 else many}"


def json_text(value: RawJson | Any) -> str:
    """Return JSON over several lines; text that is not JSON, or very deep, is returned as it is."""
    text = value.text if isinstance(value, RawJson) else _encoded(value)
    try:
        if not _is_deep(text):
            text = msgspec.json.format(text, indent=2)
    except msgspec.DecodeError:
        pass
    return text.decode(errors="replace")


def _is_deep(text: bytes) -> bool:
    """Whether JSON nests so deeply that indents would be most of its text."""
    depth = 0
    for found in _TOKEN.finditer(text):
        depth += _STEPS.get(found[0], 0)
        if depth > _DEEPEST:
            return True
    return False


def argument_text(call: ToolCallBlock) -> str:
    """Return a call's arguments for a person: a name and a value each, with line ends kept."""
    try:
        value = None if _is_deep(call.arguments.text) else call.arguments.value
    except DecodeError:
        value = None
    if not isinstance(value, dict):
        return json_text(call.arguments)
    lines = []
    for name, held in value.items():
        text = held if isinstance(held, str) else json_text(held)
        lines.append(f"{name}: {text}" if "\n" not in text else f"{name}:\n{indent(text, '  ')}")
    return "\n".join(lines)


def _messages(value: Any) -> Iterable[AgentMessage | Any]:
    if isinstance(value, Request):
        return value.messages
    if isinstance(value, Response):
        return [value.message, *(value.alternatives or ())]
    return [*map(whole, value)]


def _facts(request: Request) -> Iterator[tuple[str, str]]:
    if request.tools:
        names = (t.api if isinstance(t, OpaqueBlock) else t.name for t in request.tools)
        yield "tools", ", ".join(names)
    for info in fields(request):
        held = getattr(request, info.name)
        # Not `in (None, False)`, which a temperature of 0 would match too.
        if info.name not in _ASIDE and held is not None and held is not False:
            text = held if isinstance(held, str) else _encoded(held)
            yield info.encode_name, text if isinstance(text, str) else text.decode(errors="replace")


def _encoded(value: Any) -> bytes:
    """Return data as JSON; a caller's own may be something else, and is then only named."""
    try:
        return msgspec.json.encode(value, enc_hook=_raw)
    except (TypeError, ValueError, RecursionError):
        return f"a `{type(value).__name__}` that is not JSON".encode()


def _raw(value: Any) -> Any:
    if isinstance(value, RawJson):
        return msgspec.Raw(value.text)
    raise TypeError(f"a `{type(value).__name__}` is not JSON")


def _entries(messages: Iterable[Any], prices: Prices) -> list[Entry]:
    entries: list[Entry] = []
    open_calls: dict[str, tuple[list[Shown], int, ToolCallBlock]] = {}
    for message in messages:
        blocks: list[Shown] = []
        for block in _blocks(message):
            is_result = isinstance(block, ToolResultBlock | ToolResultMessage)
            if is_result and block.tool_call_id in open_calls:
                held, place, call = open_calls.pop(block.tool_call_id)
                held[place] = Answered(call, block)
            elif isinstance(block, ToolCallBlock):
                open_calls[block.id] = blocks, len(blocks), block
                blocks.append(Answered(block, None))
            else:
                blocks.append(block)
        if blocks or not isinstance(message, ToolMessage | ToolResultMessage):
            entries.append(_entry(message, blocks, prices))
    return entries


def _blocks(message: Any) -> Iterable[Any]:
    if isinstance(message, ToolResultMessage):
        return [message]
    content = getattr(message, "content", None)
    if content is not None:
        return list(content)
    if hasattr(message, "summary"):
        return [TextBlock(message.summary)]
    return [Extension(message.kind, json_text(message.data))]


def _entry(message: Any, blocks: list[Shown], prices: Prices) -> Entry:
    is_answer = isinstance(message, AssistantMessage)
    return Entry(
        getattr(message, "wire_role", message.role),
        message.model if is_answer else getattr(message, "name", None),
        getattr(message, "timestamp", None),
        message.usage if is_answer else None,
        prices.cost(message) if is_answer else None,
        message.error_message if is_answer else None,
        blocks,
    )
