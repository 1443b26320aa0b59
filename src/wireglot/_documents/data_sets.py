"""Bytes that may be training data, traces or agents' sessions -> the error that says what they are.

Such data have wires of their own, which wireglot does not read. Where they have a key that a
provider's request or answer has as well, a decoder accepts them, and keeps the rest of their text
as unknown keys.

The shapes of training data: Stanford Alpaca's file, ShareGPT's as FastChat reads it, the data set
formats of TRL, OpenAI's files for fine-tuning by preference. Of traces: the runs of LangSmith,
Langfuse's observations, the logs of Inspect, ATIF. Of sessions: what the programs write.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import Raw

from .._body.surrogates import mended_text
from .._registry import FORMAT_NAMES, PROVIDER_NAMES
from ..errors import DecodeError, WireglotError
from ..framing import jsonarray

_Keys = dict[str, Raw]
_FAULTS: Final = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
_MOST: Final = 16
_CHUNK: Final = 64 * 1024
_START: Final = 4 * 1024 * 1024


class _Shape(NamedTuple):
    """Data that are not read, and the keys of an object by which they are known.

    No wire that is read has these keys together, unless `holds` looks at their values too.
    """

    name: str
    keys: frozenset[str]
    holds: Callable[[_Keys], bool] = bool

    @property
    def is_message(self) -> bool:
        """Whether the object has a role; a message of a wire may have any other key."""
        return "role" in self.keys


def _is_exported(keys: _Keys) -> bool:
    """Whether each message is a pair of `info` and `parts`, as `opencode export` writes it."""
    messages = map(_known_keys, _items(bytes(keys["messages"])))
    return any("info" in message and "parts" in message for message in messages)


def _is_of_claude_code(keys: _Keys) -> bool:
    """Whether an object with a message is an event of Claude Code, as it prints them, too."""
    return bytes(keys["type"]) in (b'"assistant"', b'"user"')


_OF_ANSWERS: Final = frozenset({"object", "model", "status", "stopReason", "usage"})
_LISTS: Final = frozenset({"messages", "choices", "contents", "candidates"})
"""Keys that make a document one of a wire of ours, whatever else it has."""


def _is_no_answer(keys: _Keys) -> bool:
    """Whether an object with an input and an output is not an answer of the Responses API."""
    return _OF_ANSWERS.isdisjoint(keys)


def _has_ui_part(keys: _Keys) -> bool:
    """Whether a part is the AI SDK's.

    OpenTelemetry's parts have a type too, but their text is in `content`; Gemini's have no type.
    """
    return any(
        ("type" in part and ("toolCallId" in part or ("text" in part and "content" not in part)))
        or bytes(part.get("type", b"")) in _UI_PARTS
        for part in map(_known_keys, _items(bytes(keys["parts"])))
    )


_UI_PARTS: Final = frozenset({b'"step-start"', b'"source-url"', b'"source-document"'})


def _shape(name: str, *keys: str, holds: Callable[[_Keys], bool] = bool) -> _Shape:
    return _Shape(name, frozenset(keys), holds)


_TRAINING: Final = (
    _shape("Alpaca data", "instruction", "output"),
    _shape("ShareGPT data", "conversations"),
    _shape("ShareGPT data", "from", "value"),
    _shape("TRL prompt-completion data", "prompt", "completion"),
    _shape("TRL preference data", "chosen", "rejected"),
    _shape("TRL preference data", "messages", "chosen", "rejected"),
    _shape("OpenAI preference data", "preferred_output", "non_preferred_output"),
    _shape("LangSmith run data", "run_type", "inputs"),
    _shape("Langfuse observation data", "traceId", "type", "input"),
    _shape("input-output data", "input", "output", holds=_is_no_answer),
)
_STORED: Final = (
    _shape("Claude Code session", "parentUuid", "isSidechain"),
    _shape("Claude Code session", "leafUuid", "type"),
    _shape("Qwen Code session", "parentUuid", "sessionId"),
    _shape("Codex session", "payload", "timestamp", "type"),
    _shape("Gemini CLI session", "projectHash", "sessionId"),
    _shape("pi session", "parentId", "customType", "type"),
    _shape("GitHub Copilot CLI session", "parentId", "timestamp", "type", "data", "id"),
    _shape("pi session", "parentId", "timestamp", "type"),
    _shape("Claude Code session", "type", "message", holds=_is_of_claude_code),
    _shape("opencode session", "info", "messages", holds=_is_exported),
    _shape("opencode session", "info", "parts"),
    _shape("AI SDK message", "role", "parts", holds=_has_ui_part),
    _shape("AI SDK message", "role", "toolInvocations"),
    _shape("Inspect log", "eval", "samples"),
    _shape("ATIF trajectory", "schema_version", "steps"),
)
_SAYS: Final = frozenset(
    {"messages", "message", "input", "output", "contents", "candidates", "choices", "content"}
    | {"role", "parts", "data", "kwargs", "error"}
)
"""The keys under which our wires have what is said: an object without any of them is of none."""
_MARKS: Final = tuple(
    {f'"{max(shape.keys, key=len)}"'.encode() for shape in (*_TRAINING, *_STORED)}
)
"""A key of each shape: what has none of them is none of them, and need not be decoded."""
_READ: Final = ", ".join(("native", *PROVIDER_NAMES, *FORMAT_NAMES))
_EXAMPLE: Final = '{"messages":[{"role":"user","content":"..."}]}'


def data_set_in(data: bytes) -> DecodeError | None:
    """Return the error about data of a known shape, None for any other data.

    The objects at the start decide: all of the data, its first lines, or the first of a list.
    """
    if not any(mark in data for mark in _MARKS):
        return None
    path = "$[0]" if data.lstrip()[:1] == b"[" else "$"
    errors = (_error(keys, path) for keys in _objects(data))
    return next((error for error in errors if error is not None), None)


def data_set_of(names: Iterable[str]) -> DecodeError | None:
    """Return the error about a table whose columns are the keys of training data, else None."""
    columns = frozenset(names)
    name = next((it.name for it in _TRAINING if it.keys <= columns and it.holds is bool), None)
    return None if name is None else _not_read(name, "$")


def keys_at_start(data: bytes) -> frozenset[str]:
    """Return the keys of the object at the start: all of it, a line, or the first of a list."""
    return frozenset(next(_objects(data, _all_keys), ()))


def says_nothing(data: bytes) -> bool:
    """Whether data are an object, or begin with one, without any key of a wire of ours."""
    keys = next(_objects(data), None)
    return keys is not None and _SAYS.isdisjoint(keys)


_all_keys: Final = msgspec.json.Decoder(_Keys).decode
_KNOWN: Final = sorted(
    {"text", "toolCallId", *_OF_ANSWERS, *_SAYS}.union(*(it.keys for it in (*_TRAINING, *_STORED)))
)
# Other keys than these are skipped: an object may have millions.
_known_object: Final = msgspec.json.Decoder(
    msgspec.defstruct(
        "_Known",
        [(f"key{i}", Raw, Raw(b"")) for i in range(len(_KNOWN))],
        rename={f"key{i}": key for i, key in enumerate(_KNOWN)},
    )
).decode


def _known_keys(text: Any) -> _Keys:
    """Return the keys of an object that say what it is."""
    found = msgspec.structs.astuple(_known_object(text))
    return {key: raw for key, raw in zip(_KNOWN, found, strict=True) if bytes(raw)}


def _objects(data: bytes, keys_of: Callable[[Any], _Keys] = _known_keys) -> Iterator[_Keys]:
    """Yield the objects at the start of data; none that follow one that is not JSON."""
    try:
        text = mended_text(data, "cli", []) or data
        if text.lstrip()[:1] == b"[":
            yield from map(keys_of, _items(text))
            return
        try:
            yield keys_of(text)
        except msgspec.DecodeError:  # more lines follow
            yield from map(keys_of, _lines(text))
    except _FAULTS:
        return


def _lines(text: bytes) -> Iterator[bytes]:
    """Yield the first lines that are not blank."""
    start = 0
    left = _MOST
    while left and start < len(text):
        end = text.find(b"\n", start)
        end = len(text) if end < 0 else end
        line = text[start:end]
        if line and not line.isspace():
            yield line
            left -= 1
        start = end + 1


def _items(text: bytes) -> Iterator[bytes]:
    """Yield the first items of a list, which are objects; fewer if one is not, or is large."""
    text = text[:_START]
    decoder = jsonarray.Decoder(_START)
    items: Iterator[bytes] = (
        item for at in range(0, len(text), _CHUNK) for item in decoder.feed(text[at : at + _CHUNK])
    )
    try:
        yield from islice(items, _MOST)
    except WireglotError:
        return


def _error(keys: _Keys, path: str) -> DecodeError | None:
    for shape in (*_TRAINING, *_STORED):
        if (
            shape.keys <= keys.keys()
            and shape.is_message is ("role" in keys)
            and (_LISTS.isdisjoint(keys) or not _LISTS.isdisjoint(shape.keys))
            and _holds(shape, keys)
        ):
            return _not_read(shape.name, path, has_examples=shape in _TRAINING)
    return None


def _holds(shape: _Shape, keys: _Keys) -> bool:
    try:
        return shape.holds(keys)
    except _FAULTS:
        return False


def _not_read(name: str, path: str, *, has_examples: bool = True) -> DecodeError:
    reason = f"{name}, which wireglot does not read, expected a document of {_READ}"
    if has_examples:
        reason += f"; make a request of each example: `{_EXAMPLE}`"
    return DecodeError(reason, wire="cli", path=path)
