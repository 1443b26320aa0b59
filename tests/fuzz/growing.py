"""A body -> nothing, or an error if what was translated before it changes what becomes of it."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
from msgspec import Raw

import wireglot as wg
from tests.fuzz.laws import check, choices, is_deep
from tests.fuzz.providers import PATHS
from wireglot.translate import conversation as request_translator

__all__ = ["GROWING"]

_NAMES = tuple(wg.PROVIDERS)
_KEYS = {"gemini": "contents", "openai_responses": "input"}
"""The key of the messages, where it is another than `messages`."""
_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_items = msgspec.json.Decoder(list[Raw]).decode


def _check(data: bytes) -> None:
    """Translate a body, a shorter one with the same beginning, one with another end, and again."""
    first, second, body = choices(data)
    if is_deep(body):
        return
    source, target = _NAMES[first % len(_NAMES)], _NAMES[second % len(_NAMES)]
    flags = second // len(_NAMES)
    dialects = wg.PROVIDERS[source].DIALECTS
    dialect = dialects[first // len(_NAMES) % len(dialects)]
    translator = _translator(source, target, dialect, bool(flags & 1))
    translator.clear()
    asked = {
        "path": PATHS.get(source),
        "model": (None, None, "o1-mini", "claude-opus-5")[flags >> 3],
    }
    options = {"source_dialect": dialect, "repair": bool(flags & 1)}
    short = _cut(body, _KEYS.get(source, "messages"), first // 32)
    other = body.rstrip()[:-1] + b',"temperature":0.5}'
    least = request_translator._LEAST
    request_translator._LEAST = 0
    try:
        for each in (body, short, body, other, short, other):
            known = _outcome(translator.translate, each, flags, **asked)
            whole = _outcome(
                wg.translate_request, each, flags, source=source, target=target, **asked, **options
            )
            check(known == whole, "what was translated before changes nothing")
    finally:
        request_translator._LEAST = least


@cache
def _translator(source: str, target: str, dialect: str, repair: bool) -> wg.RequestTranslator:
    return wg.RequestTranslator(source, target, source_dialect=dialect, repair=repair, at_once=True)


def _outcome(translate: Any, body: bytes, flags: int, **options: Any) -> Any:
    losses: list[wg.Loss] | None = None if flags & 2 else []
    names = wg.ToolNames() if flags & 4 else None
    try:
        return translate(body, losses=losses, names=names, **options), losses, names
    except wg.WireglotError as error:
        return type(error), str(error), losses, names


def _cut(body: bytes, key: str, count: int) -> bytes:
    """Return a body without its last messages; one that has none is cut in its middle."""
    try:
        messages = _keys(body)[key]
        items = _items(messages)
        kept = items[: max(len(items) - count, 1)]
        at = end = body.index(messages)
        for item in kept:
            end = body.index(item, end) + memoryview(item).nbytes
        return body[:end] + b"]" + body[at + memoryview(messages).nbytes :]
    except (msgspec.DecodeError, ValueError, LookupError, RecursionError):
        return body[: len(body) // 2]


GROWING = {"growing": _check}
"""The target of `RequestTranslator`, all pairs of wires."""
