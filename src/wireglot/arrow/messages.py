"""Messages -> a column of lists of structs, which an engine can query."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

import pyarrow as pa

from ..errors import EncodeError
from ..model import (
    AssistantMessage,
    AudioBlock,
    DataBlock,
    DocumentBlock,
    ImageBlock,
    LlmMessage,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    ToolResultBlock,
    ToolResultMessage,
    Usage,
    VideoBlock,
)
from .columns import WIRE, array

__all__ = ["MESSAGES", "TIME", "MessageColumn", "count_of", "time_of"]

TIME: Final = pa.timestamp("us", "UTC")  # of all units, Spark reads this one alone
_TEXT: Final = pa.string()
_COUNT: Final = pa.int64()
_CALL: Final[dict[str, Any]] = {"id": _TEXT, "name": _TEXT, "arguments": _TEXT}
_RESULT: Final[dict[str, Any]] = {
    "call_id": _TEXT,
    "name": _TEXT,
    "text": _TEXT,
    "is_error": pa.bool_(),
}
_COUNTS: Final = ("input", "output", "reasoning", "cache_read", "cache_write", "total_tokens")
_USAGE: Final[dict[str, Any]] = {**dict.fromkeys(_COUNTS, _COUNT), "cost": pa.float64()}
_MESSAGE: Final[dict[str, Any]] = {
    "role": _TEXT,
    "text": _TEXT,
    "thinking": _TEXT,
    "calls": pa.list_(pa.struct([*_CALL.items()])),
    "results": pa.list_(pa.struct([*_RESULT.items()])),
    "media": pa.list_(_TEXT),
    "model": _TEXT,
    "api": _TEXT,
    "stop_reason": _TEXT,
    "timestamp": TIME,
    "usage": pa.struct([*_USAGE.items()]),
}
MESSAGES: Final = pa.list_(pa.struct([*_MESSAGE.items()]))
"""The type of the column `messages`.

`text` is that of the text blocks, without a separator, and `arguments` the model's own JSON text;
`media` names the kind of each image, sound, video and document. What has no field here, or is a
number too large for Arrow, is in the document beside it.
"""
_MEDIA: Final = frozenset({ImageBlock, AudioBlock, VideoBlock, DocumentBlock, DataBlock})
_MOST: Final = 2**63
_LAST: Final = 253_402_300_800_000
"""The year 10000, in milliseconds: no date is later."""


class _Lists:
    """A column of lists of structs: the fields one by one, and where each list ends."""

    def __init__(self, kinds: Mapping[str, Any]) -> None:
        self._kinds: Mapping[str, Any] = kinds
        self._rows: list[tuple[Any, ...]] = []
        self._starts: list[int | None] = []

    def add(self, *values: Any) -> None:
        """Add a struct to the list that is open."""
        self._rows.append(values)

    def end(self, start: int | None) -> None:
        """End a list, which began at `start`, a `size` before; with None it is null."""
        self._starts.append(start)

    @property
    def size(self) -> int:
        """The number of structs so far."""
        return len(self._rows)

    def array(self, **columns: Any) -> Any:
        """Return the column; `columns` are those of fields that are made elsewhere."""
        plain = [name for name in self._kinds if name not in columns]
        values = zip(*self._rows, strict=True) if self._rows else ((),) * len(plain)
        made = {n: array(v, self._kinds[n]) for n, v in zip(plain, values, strict=True)} | columns
        items = pa.StructArray.from_arrays(
            [made[name] for name in self._kinds],
            fields=[pa.field(*kind) for kind in self._kinds.items()],
        )
        starts = pa.array([*self._starts, self.size], pa.int32())
        return pa.ListArray.from_arrays(starts, items)


class MessageColumn:
    """The messages of one row after the other; `array` makes the column of them."""

    def __init__(self) -> None:
        self._messages: _Lists = _Lists(_MESSAGE)
        self._calls: _Lists = _Lists(_CALL)
        self._results: _Lists = _Lists(_RESULT)
        self._media: list[list[str]] = []
        self._usages: list[tuple[Any, ...]] = []

    def append(self, messages: Iterable[Any] | None) -> None:
        """Add the messages of the next row; None is null."""
        start = self._messages.size
        for message in messages or ():
            self._add(message.message if type(message) is LlmMessage else message)
        self._messages.end(None if messages is None else start)

    def _add(self, message: Any) -> None:
        if not hasattr(message, "role"):
            raise EncodeError(f"`{type(message).__name__}`, expected a message", wire=WIRE)
        texts: list[str] = []
        thoughts: list[str] = []
        media: list[str] = []
        calls, results = self._calls.size, self._results.size
        if type(message) is ToolResultMessage:
            self._add_result(message)
        else:
            for block in getattr(message, "content", ()):
                kind = type(block)
                if kind is TextBlock:
                    texts.append(block.text)
                elif kind is ThinkingBlock:
                    thoughts.append(block.thinking)
                elif kind is ToolCallBlock:
                    arguments = block.arguments.text.decode("utf-8", "replace")
                    self._calls.add(block.id, block.name, arguments)
                elif kind is ToolResultBlock:
                    self._add_result(block)
                elif kind in _MEDIA:
                    media.append(block.type)
        self._calls.end(calls)
        self._results.end(results)
        self._media.append(media)
        answer = message if type(message) is AssistantMessage else _NO_ANSWER
        usage = answer.usage
        self._usages.append(_NO_COUNTS if usage is None else _counts(usage))
        self._messages.add(
            message.role,
            "".join(texts) or getattr(message, "summary", ""),
            "".join(thoughts) if thoughts else None,
            answer.model,
            answer.api,
            None if answer is _NO_ANSWER else str(answer.stop_reason),
            time_of(getattr(message, "timestamp", None)),
        )

    def _add_result(self, result: ToolResultBlock | ToolResultMessage) -> None:
        self._results.add(result.tool_call_id, result.tool_name, result.text(), result.is_error)

    def array(self) -> Any:
        """Return the column."""
        usage = pa.StructArray.from_arrays(
            [
                array(values, kind)
                for values, kind in zip(
                    zip(*self._usages, strict=True) if self._usages else ((),) * len(_USAGE),
                    _USAGE.values(),
                    strict=True,
                )
            ],
            fields=[*_MESSAGE["usage"]],
            mask=pa.array([counts is _NO_COUNTS for counts in self._usages], pa.bool_()),
        )
        return self._messages.array(
            calls=self._calls.array(),
            results=self._results.array(),
            media=array(self._media, _MESSAGE["media"]),
            usage=usage,
        )


_NO_ANSWER: Final = AssistantMessage([])
_NO_COUNTS: Final = (None,) * len(_USAGE)


def _counts(usage: Usage) -> tuple[Any, ...]:
    cost = usage.cost
    return (*(count_of(getattr(usage, name)) for name in _COUNTS), cost and float(cost.total))


def count_of(value: int) -> int | None:
    """Return a count, None if it is too large for Arrow."""
    return value if -_MOST <= value < _MOST else None


def time_of(value: Any) -> int | None:
    """Return milliseconds as a time of `TIME`, None if it is not one that Arrow has."""
    return value * 1000 if type(value) is int and 0 <= value < _LAST else None
