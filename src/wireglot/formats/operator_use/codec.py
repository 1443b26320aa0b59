"""Operator-Use's session files and messages <-> canonical messages.

A session is JSON Lines of entries; each entry becomes a canonical message. An array of messages, a
single message and JSON Lines of messages are read too. RPC prints events; read them with `type`.
"""

from __future__ import annotations

import typing
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, Final, Literal

import msgspec
from msgspec import Raw
from msgspec.structs import replace

from ... import model
from ..._body.decode import plain_text, slices_of
from ..._body.encode import InPieces, Unplaced, json_hook
from ..._body.refuse import errors
from ..._runtime.locks import first_use
from ...errors import DecodeError, EncodeError, unknown
from ...losses import Loss, Losses, lost_so_far
from ...model import TextBlock, ThinkingLevel, UserMessage
from .._mapping import mapped
from .._records import is_own, read, readable, write, write_lines
from . import types as own
from .entries import FORMS, Form, MessageWriter, canonical
from .events import EVENT_TYPES
from .printing import in_order, with_nulls
from .system import WIRE
from .tree import SessionContext, kept_of, path_to

__all__ = ["MESSAGE", "context", "decode", "encode", "from_canonical", "to_canonical"]

MESSAGE: Final[Any] = own.AgentMessage
"""The type of the items of an array of messages; a session file holds entries."""

_LINES: Final = frozenset({*own.SessionFileEntry.__args__, *EVENT_TYPES})
_SPACE: Final = b" \t\r\n"
_BOM: Final = b"\xef\xbb\xbf"
_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_raw = msgspec.json.Decoder(Raw).decode
_encode_lines = msgspec.json.Encoder(enc_hook=json_hook).encode_lines
# Python, and so Operator-Use, ends a line at these: it would read half a line and skip it.
_LINE_ENDS: Final = (
    (b"\xc2\x85", rb"\u0085"),
    (b"\xe2\x80\xa8", rb"\u2028"),
    (b"\xe2\x80\xa9", rb"\u2029"),
)


def decode(data: Any, type: Any = None, *, losses: Losses = None) -> Any:
    """Decode a session file, or messages, as canonical messages, `list[AgentMessage]`.

    With `type`, a type of this module or a `list` of it, decode one document as that; a list may
    be JSON Lines too. A broken line, which Operator-Use skips silently, is an error; with a list of
    losses it is skipped, and is a loss.

    Raises `DecodeError`; for JSON Lines the path begins with the line number.
    """
    text = plain_text(data, WIRE, losses)
    if type is None:
        return to_canonical(_all(None, text, losses))
    if typing.get_origin(type) is list and not _is_array(text):
        return _all(typing.get_args(type)[0], text, losses)
    return read(type, text, WIRE, losses)


def encode(
    value: Any,
    *,
    losses: Losses = None,
    form: Form = "session",
    header: own.SessionHeader | Literal[False] | None = None,
    check: bool = False,
) -> bytes:
    """Encode canonical messages, or values of this module's types.

    `form` is what canonical messages become: `session`, a file of entries; `messages`, an array of
    bare messages, without entries; `rpc`, an array with null where the other forms leave a key out.
    `header` goes first in a session, in place of its own header or of one made from the first
    message; with False none is made, so that the lines may be appended to a file. Values of this
    module's types keep their form: entries and events become lines, messages an array.

    With `check`, the output is read again, so that nothing is written that `decode` refuses.

    Raises `EncodeError`, and `LossError` if there is a loss and no list for it.
    """
    data = _encoded(value, losses, form, header)
    return readable(data, value, WIRE, decode) if check else data


def _encoded(
    value: Any, losses: Losses, form: Form, header: own.SessionHeader | Literal[False] | None
) -> bytes:
    if is_own(value, WIRE):
        if type(value) in _LINES:
            return _lines([value], losses).removesuffix(b"\n")
        return write(with_nulls(value) if form == "rpc" else value, WIRE, losses)
    if not isinstance(value, list | tuple):
        value = [value]
    if not value or not all(is_own(item, WIRE) for item in value):
        value = from_canonical(value, losses=losses, form=form, header=header)
        if form == "session" and not value:
            return b""
    if not value or type(value[0]) not in _LINES:
        return write(with_nulls(list(value)) if form == "rpc" else value, WIRE, losses)
    return _lines(value, losses)


def to_canonical(messages: Iterable[Any]) -> list[model.AgentMessage]:
    """Return Operator-Use's messages, or the entries of a session, as canonical messages.

    Raises `DecodeError`.
    """
    with mapped(WIRE):
        return canonical(messages)


def from_canonical(
    messages: Iterable[Any],
    *,
    losses: Losses = None,
    form: Form = "session",
    header: own.SessionHeader | Literal[False] | None = None,
) -> list[Any]:
    """Return canonical messages as Operator-Use's: entries for a session, else bare messages.

    Raises `EncodeError`, and `LossError` if there is a loss and no list for it.
    """
    if form not in FORMS:
        raise EncodeError(unknown("form", form, FORMS), wire=WIRE)
    return _made(MessageWriter(losses, form, header), messages)


def _made(writer: MessageWriter, messages: Iterable[Any]) -> list[Any]:
    with errors(WIRE):
        return writer.messages(messages)


def context(
    entries: Iterable[Any], leaf: str | None = None, summaries: bool = True
) -> SessionContext:
    """Return what a conversation continues with at `leaf`, by default the session's current leaf.

    `entries` are a session's own entries, or its canonical messages, which are returned unchanged,
    but for summaries of compactions and of branches: those are user messages, so that they reach
    the model in place of what they replace. A compaction's is between `<context-summary>` tags, as
    Tau sends it. With `summaries=False` they stay session-only messages, which `llm_messages`
    leaves out.

    Raises `EncodeError` if there is no entry `leaf`, `DecodeError` if the entries form a circle.
    """
    all_entries = list(entries)
    if all(type(entry) in _LINES for entry in all_entries):
        lines, messages = all_entries, to_canonical(all_entries)
        sources = list(range(len(all_entries)))
    else:
        messages = [to_canonical([m])[0] if is_own(m, WIRE) else m for m in all_entries]
        writer = MessageWriter([], "session", False)
        lines = _made(writer, messages)
        sources = writer.sources
    path = path_to(lines, leaf)
    result = SessionContext([])
    for i in path:
        entry = lines[i]
        if type(entry) is own.ThinkingLevelChangeEntry:
            result.thinking_level = ThinkingLevel(entry.thinking_level)
        elif type(entry) is own.ModelChangeEntry:
            result.model_id, result.provider_id = entry.model_id or None, entry.provider_id or None
    for i in kept_of(lines, path):
        message = messages[sources[i]]
        say = _SAID.get(type(message)) if summaries else None
        result.messages.append(message if say is None else _user(say(message), message))
    return result


def _compacted(message: model.CompactionSummaryMessage) -> str:
    # Tau (faf13cf), `to_llm_messages`. At ed1adb1 the converters skip the summary, and so lose it.
    return f"<context-summary>\n{message.summary}\n</context-summary>"


def _left(message: model.BranchSummaryMessage) -> str:
    # The stored summary says itself what it is: Tau begins each with such a sentence.
    return message.summary


_SAID: Final[dict[Any, Any]] = {
    model.CompactionSummaryMessage: _compacted,
    model.BranchSummaryMessage: _left,
}


def _user(text: str, message: Any) -> UserMessage:
    return UserMessage([TextBlock(text)], message.timestamp)


# -- documents ------------------------------------------------------------------------------------


def _is_array(text: bytes) -> bool:
    return text.removeprefix(_BOM).lstrip(_SPACE)[:1] == b"["


def _all(kind: Any, text: bytes, losses: Losses) -> list[Any]:
    """Read an array of messages, one value, or JSON Lines; `kind` None allows both."""
    if _is_array(text):
        array: list[Any] = read(list[own.AgentMessage], text, WIRE, losses)
        return array
    lines = _quickly(kind or own.SessionFileEntry, text)
    if lines is not None:
        return lines
    body = text.removeprefix(_BOM)
    start = len(body) - len(body.lstrip(_SPACE))
    if start == len(body):
        return []  # a session without entries has no lines
    if not _is_lines(body, start):
        return [read(kind or _kind_of(body), text, WIRE, losses)]
    values = []
    for number, line in enumerate(body.split(b"\n"), 1):
        if not line or line.isspace():
            continue
        before = lost_so_far(losses)
        try:
            values.append(read(kind or _kind_of(line), line, WIRE, losses))
        except DecodeError as error:
            path = f"line {number}: {error.path}"
            if losses is None:
                raise error.__class__(error.reason, wire=WIRE, path=path) from error
            losses[before:] = [Loss(path, "line", f"{error.reason}; skipped")]
            continue
        if losses is not None:
            losses[before:] = [
                replace(loss, path=f"line {number}: {loss.path}") for loss in losses[before:]
            ]
    return values


@cache
def _decoder(kind: Any) -> Any:
    with first_use:
        return msgspec.json.Decoder(kind).decode_lines


def _quickly(kind: Any, text: bytes) -> list[Any] | None:
    """Decode all lines in one C call; return None if that fails, or a line is not one value."""
    with slices_of(text):
        try:
            found: list[Any] = _decoder(kind)(text)
        except (msgspec.DecodeError, RecursionError, UnicodeError):
            return None
    lines = text.count(b"\n") + (not text.endswith(b"\n"))
    return found if found and len(found) == lines else None


def _is_lines(text: bytes, start: int) -> bool:
    """Whether there are several lines and the first is a document, or the whole is not one."""
    end = text.find(b"\n", start)
    if end < 0 or text[end:].isspace():
        return False
    try:
        _raw(text[start:end])
    except (msgspec.DecodeError, RecursionError):
        return not _is_json(text)
    return True


def _is_json(text: bytes) -> bool:
    try:
        _raw(text)
    except (msgspec.DecodeError, RecursionError):
        return False
    return True


def _kind_of(text: bytes) -> Any:
    """Return the type to read an object as: entries have a `type`, messages a `role`."""
    try:
        keys = _keys(text)
        is_entry = "role" not in keys or _raw_text(keys.get("type")) in _ENTRY_TYPES
        return own.SessionFileEntry if is_entry else own.AgentMessage
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        return own.SessionFileEntry


def _raw_text(raw: Raw | None) -> Any:
    return None if raw is None else bytes(raw)


_ENTRY_TYPES: Final = frozenset(f'"{name}"'.encode() for name in own.ENTRY_TYPES)


def _lines(values: Sequence[Any], losses: Losses) -> bytes:
    records = [with_nulls(v) if type(v) in EVENT_TYPES else in_order(v) for v in values]
    with errors(WIRE):
        try:
            text = _encode_lines(records)
        except (InPieces, Unplaced, UnicodeEncodeError):
            text = b""
    if text.count(b"\n") != len(records) or b"\r" in text:  # arguments hold line ends of their own
        text = write_lines(records, WIRE, losses)
    if not text.isascii():
        for end, escape in _LINE_ENDS:
            text = text.replace(end, escape)
    return text
