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
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    ToolResultBlock,
    ToolResultMessage,
    Usage,
    VideoBlock,
)
from ..model.session import whole
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
`media` names the kind of each image, sound, video and document, also of those in results. What has
no field here, or is a number too large for Arrow, is in the document beside it.
"""
_MEDIA: Final = frozenset({ImageBlock, AudioBlock, VideoBlock, DocumentBlock, DataBlock})
_MOST: Final = 2**63
_LAST: Final = 253_402_300_800_000
"""The year 10000, in milliseconds: no date is later."""


class _Table:
    """Rows of several fields, one after the other in one list.

    A batch has many; if each were an object, the garbage collector would take half of the time.
    """

    def __init__(self, width: int) -> None:
        self._width: int = width
        self._values: list[Any] = []
        self.size: int = 0

    def add(self, *values: Any) -> None:
        """Add a row."""
        self._values += values
        self.size += 1

    def columns(self) -> list[list[Any]]:
        """Return the values of each field."""
        return [self._values[field :: self._width] for field in range(self._width)]


class MessageColumn:
    """The messages of one row after the other; `array` makes the column of them."""

    def __init__(self) -> None:
        self._rows: list[int | None] = []
        # In place of `calls`, `results`, `media` and `usage` these have indexes into the others.
        self._messages: _Table = _Table(len(_MESSAGE))
        self._calls: _Table = _Table(len(_CALL))
        self._results: _Table = _Table(len(_RESULT))
        self._media: _Table = _Table(1)
        self._usages: _Table = _Table(len(_USAGE))

    def append(self, messages: Iterable[Any] | None) -> None:
        """Add the messages of the next row; None is null."""
        self._rows.append(None if messages is None else self._messages.size)
        for message in messages or ():
            self._add(whole(message))

    def _add(self, message: Any) -> None:
        if not hasattr(message, "role"):
            raise EncodeError(f"`{type(message).__name__}`, expected a message", wire=WIRE)
        starts = self._calls.size, self._results.size, self._media.size
        texts: list[str] = []
        thoughts: list[str] = []
        if type(message) is ToolResultMessage:
            self._add_result(message)
        else:
            for block in _blocks(message):
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
                    self._media.add(block.type)
        answer = message if type(message) is AssistantMessage else _NO_ANSWER
        usage = None
        if answer.usage is not None:
            usage = self._usages.size
            self._usages.add(*_counts(answer.usage))
        self._messages.add(
            getattr(message, "wire_role", message.role),
            "".join(texts) or getattr(message, "summary", ""),
            "".join(thoughts) if thoughts else None,
            *starts,
            answer.model,
            answer.api,
            None if answer is _NO_ANSWER else str(answer.stop_reason),
            time_of(getattr(message, "timestamp", None)),
            usage,
        )

    def _add_result(self, result: ToolResultBlock | ToolResultMessage) -> None:
        for block in _blocks(result):
            if type(block) in _MEDIA:
                self._media.add(block.type)
        self._results.add(result.tool_call_id, result.tool_name, result.text(), result.is_error)

    def array(self) -> Any:
        """Return the column."""
        columns = dict(zip(_MESSAGE, self._messages.columns(), strict=True))
        (media,) = self._media.columns()
        nested = {
            "calls": _lists(columns["calls"], _structs(self._calls.columns(), _CALL)),
            "results": _lists(columns["results"], _structs(self._results.columns(), _RESULT)),
            "media": _lists(columns["media"], array(media, _TEXT)),
            "usage": _structs(self._usages.columns(), _USAGE).take(
                array(columns["usage"], pa.int64())
            ),
        }
        return _lists(self._rows, _structs((columns | nested).values(), _MESSAGE))


def _blocks(holder: Any) -> Iterable[Any]:
    blocks = getattr(holder, "content", ())
    if isinstance(blocks, str):
        raise EncodeError("content of type `str`, expected a list of blocks", wire=WIRE)
    return blocks


def _structs(columns: Iterable[Any], kinds: Mapping[str, Any]) -> Any:
    """Return a column of structs; each of `columns` is an array, or a list of values."""
    arrays = [
        array(column, kind) if type(column) is list else column
        for column, kind in zip(columns, kinds.values(), strict=True)
    ]
    return pa.StructArray.from_arrays(arrays, fields=[pa.field(*kind) for kind in kinds.items()])


def _lists(starts: list[int | None], items: Any) -> Any:
    """Return a column of lists of `items`; a list is null if it does not start."""
    return pa.ListArray.from_arrays(array([*starts, len(items)], pa.int32()), items)


_NO_ANSWER: Final = AssistantMessage([])


def _counts(usage: Usage) -> tuple[Any, ...]:
    cost = usage.cost
    counts = [getattr(usage, name) for name in _COUNTS[:-1]]
    return (*map(count_of, (*counts, usage.summed())), cost and float(cost.total))


def count_of(value: int) -> int | None:
    """Return a count, None if it is too large for Arrow."""
    return value if -_MOST <= value < _MOST else None


def time_of(value: Any) -> int | None:
    """Return milliseconds as a time of `TIME`, None if it is not one that Arrow has."""
    return value * 1000 if type(value) is int and 0 <= value < _LAST else None
