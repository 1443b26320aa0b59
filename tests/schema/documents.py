"""A wire and a kind of document -> the documents that tests and golden files have, and odd ones."""

from __future__ import annotations

import ast
import copy
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import wireglot as wg
from tests.clients.turn import PLAIN, RESPONSES
from tests.fuzz.laws import CHOICES
from tests.fuzz.seeds import seeds
from wireglot.schema import SCHEMAS

__all__ = ["ALL", "decodes", "documents", "mutants"]

ALL = [(wire, kind) for wire, kinds in SCHEMAS.items() for kind in kinds]

_TESTS = Path(__file__).parents[1]
_NATIVE: dict[str, Any] = {
    "session": list[wg.AgentMessage],
    "message": wg.AgentMessage,
    "request": wg.Request,
    "response": wg.Response,
}
_DELETED = object()
_VALUES: tuple[Any, ...] = (None, True, 7, 1.5, "x", [], {})


def decodes(wire: str, kind: str, data: bytes | str) -> bool:
    """Whether the library decodes a document, in one of the wire's dialects at least."""
    if wire == "native":
        return _reads(wg.json.decode, data, _NATIVE[kind])
    if wire in wg.FORMATS:
        form = wg.FORMATS[wire]
        return _reads(form.decode, data, list[form.MESSAGE] if kind == "session" else form.MESSAGE)
    provider = wg.PROVIDERS[wire]
    read = provider.decode_request if kind == "request" else provider.decode_response
    return any(_reads(read, data, dialect=dialect) for dialect in provider.DIALECTS)


def _reads(read: Any, *args: Any, **options: Any) -> bool:
    try:
        read(*args, **options, losses=[])
    except wg.DecodeError:
        return False
    except wg.ProviderError:
        return False
    return True


@cache
def documents(wire: str, kind: str) -> list[Any]:
    """Return the documents of a wire that decode, as Python has them, the shortest first."""
    found = {}
    for text in _texts(wire, kind):
        try:
            value = json.loads(text)
        except ValueError:
            continue
        if kind == "session" and not isinstance(value, list):
            value = [value]
        body = json.dumps(value)
        if "NaN" not in body and "Infinity" not in body and decodes(wire, kind, body):
            found[body] = value
    return [found[body] for body in sorted(found, key=len)]


def _texts(wire: str, kind: str) -> Iterator[str]:
    folder = "formats" if wire in wg.FORMATS else "native" if wire == "native" else "providers"
    for path in sorted((_TESTS / folder).rglob("*.py")):
        if folder != "providers" or path.parent.name in (wire, folder):
            yield from _literals(path)
    for path in sorted((_TESTS / "golden" / wire).rglob("*.json*")):
        yield from (
            path.read_text("utf-8-sig").splitlines()
            if path.suffix == ".jsonl"
            else (path.read_text("utf-8-sig"),)
        )
    target = wire
    if wire == "native":
        target = "json"
    elif wire in wg.PROVIDERS:
        target += "-request" if kind == "request" else "-answer"
        yield from (RESPONSES[wire], PLAIN[wire])
    for seed in seeds(target):
        yield seed[CHOICES:].decode("utf-8", "replace")


@cache
def _literals(path: Path) -> list[str]:
    """Return the texts in a module that may be JSON."""
    values = [
        node.value
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Constant)
    ]
    texts = [v.decode("utf-8", "replace") if isinstance(v, bytes) else v for v in values]
    return [text for text in texts if isinstance(text, str) and text.lstrip()[:1] in ("{", "[")]


def mutants(document: Any) -> Iterator[tuple[str, str, Any]]:
    """Yield documents in which one value is another, one key is missing, or one is new.

    With each come the place, without numbers, and what is there now.
    """
    for path in _paths(document, ()):
        place = "".join("[]" if isinstance(step, int) else f".{step}" for step in path)
        held = document
        for step in path:
            held = held[step]
        for value in _VALUES:
            yield place, json.dumps(value), _changed(document, path, value)
        if path and isinstance(path[-1], str):
            yield place, "deleted", _changed(document, path, _DELETED)
        if isinstance(held, dict):
            yield f"{place}.new", "1", _changed(document, path, {**held, "new": 1})


def _paths(value: Any, path: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    yield path
    items = value.items() if isinstance(value, dict) else ()
    for step, inner in enumerate(value[:3]) if isinstance(value, list) else items:
        yield from _paths(inner, (*path, step))


def _changed(document: Any, path: tuple[Any, ...], value: Any) -> Any:
    if not path:
        return value
    made = copy.copy(document)
    if value is _DELETED and len(path) == 1:
        del made[path[0]]
    else:
        made[path[0]] = _changed(document[path[0]], path[1:], value)
    return made
