"""What the package keeps from one call to the next: each place, what its keys are, and its bound.

If a client or a provider chooses the keys, their number and size must be bounded, or it can fill
the memory of a process for good. A new cache fails the first test until it has a row here.
"""

from __future__ import annotations

import ast
import gc
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import wireglot as wg
from wireglot import capabilities, queue
from wireglot._display.prices import prices_in
from wireglot.framing import eventstream

SOURCE = Path(wg.__file__).parent
_CACHES = ("cache", "lru_cache", "cached_property")
_KEEPERS = ("Recent", "WeakKeyDictionary", "WeakValueDictionary", "WeakSet")
_CONTAINERS = ("dict", "list", "set", "OrderedDict", "defaultdict", "deque", "Counter")
_CHANGES = ("add", "append", "extend", "insert", "pop", "setdefault", "update")
_PASSING = ("providers", "formats", "cli", "_display", "_documents", "testing")
"""Rooms whose objects are made for one document or stream, or one run of the command."""
_Assigned = ast.Assign | ast.AnnAssign


# -- every place, found in the source --------------------------------------------------------------


def _name(node: ast.AST) -> str:
    node = node.func if isinstance(node, ast.Call) else node
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def _target(node: _Assigned) -> ast.expr:
    return node.targets[0] if isinstance(node, ast.Assign) else node.target


def _holds(node: ast.AST) -> bool:
    """Whether something gets a container, other than a field of a Struct."""
    if not isinstance(node, _Assigned):
        return False
    value = node.value
    made = isinstance(value, ast.Dict | ast.List | ast.Set | ast.DictComp | ast.ListComp)
    return made or (isinstance(value, ast.Call) and _name(value) in _CONTAINERS)


def _changed(tree: ast.Module) -> set[str]:
    """Return the names that something is put into inside a function."""
    names: set[str] = set()
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        for node in ast.walk(function):
            if isinstance(node, ast.Global):
                names.update(node.names)
            elif isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
                names.add(_name(node.value))
            elif isinstance(node, ast.Call) and _name(node) in _CHANGES:
                names.add(_name(getattr(node.func, "value", node)))
    return names


def _places(tree: ast.Module, is_passing: bool) -> Iterator[tuple[str, str]]:
    """Yield the name of each place that keeps something, and how it does."""
    changed = _changed(tree)
    functions: dict[ast.AST, str] = {}
    for node in ast.walk(tree):  # outer ones first
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            functions |= dict.fromkeys(ast.walk(node), node.name)
    for node in ast.walk(tree):
        for decorator in getattr(node, "decorator_list", ()):
            if _name(decorator) in _CACHES:
                yield node.name, ast.unparse(decorator)
        if isinstance(node, _Assigned | ast.Return) and isinstance(node.value, ast.Call):
            calls = {_name(e): e for e in ast.walk(node.value) if isinstance(e, ast.Call)}
            name = functions[node] if isinstance(node, ast.Return) else _name(_target(node))
            for how in (*_CACHES, *_KEEPERS):
                if how in calls:
                    yield name, ast.unparse(calls[how]) if how == "lru_cache" else how
        if not isinstance(node, ast.Module | ast.ClassDef):
            continue
        for part in node.body:
            if isinstance(part, ast.FunctionDef) and part.name == "__missing__":
                yield f"{node.name}.__missing__", "container"
            if _holds(part) and _name(_target(part)) in changed:
                is_field = isinstance(node, ast.ClassDef) and isinstance(part, ast.AnnAssign)
                if not is_field or "ClassVar" in ast.unparse(part.annotation):
                    yield _name(_target(part)), "container"
        for part in () if is_passing or isinstance(node, ast.Module) else ast.walk(node):
            if _holds(part) and isinstance(_target(part), ast.Attribute):
                yield f"{node.name}.{_name(_target(part))}", "container"


def _found() -> dict[str, str]:
    places = {}
    for path in sorted(SOURCE.rglob("*.py")):
        where = path.relative_to(SOURCE)
        tree = ast.parse(path.read_text())
        for name, how in _places(tree, where.parts[0] in _PASSING):
            places[f"{where.as_posix()}: {name}"] = how
    return places


# -- what is known of each -------------------------------------------------------------------------

TYPES = """
_bodies.py: _decoder
_bodies.py: _has_aside
_bodies.py: _plan
_bodies.py: _shape
_bodies.py: with_objects
_fields.py: struct_fields
_holders.py: _tag_reader
_holders.py: holder
_holders.py: kinds_inside
_objects.py: _fields
_reader.py: Reader._decoders
_reader.py: Reader._plans
_reader.py: _parts
_reader.py: _shape
_types.py: _plan
formats/_aside.py: _carried
formats/_aside.py: _hints
formats/_aside.py: _optional
formats/_frames.py: _names
formats/_mapping.py: _checks
formats/_records.py: _is_of
formats/_records.py: _to_look_at
formats/operator_use/base.py: _twin
formats/operator_use/codec.py: _decoder
formats/operator_use/printing.py: _in_order
formats/operator_use/printing.py: _with_nulls
formats/pyagenity/base.py: _fields
formats/ravi/results.py: _decoder
providers/_reader.py: _keys_of
providers/_requests.py: _in_order
providers/_rules.py: _Made.__missing__
"""
"""The keys are types, or names of their fields: no input makes one."""
SETTINGS = """
_display/markdown.py: _reader
_entry_points.py: _loaded
_entry_points.py: _names
_entry_points.py: _points
adapters/_definitions.py: definitions
adapters/notebook.py: _style
arrow/kernels.py: _prices
gateway/app.py: _Gateway._keys
gateway/telemetry.py: metric
gateway/translators.py: Translators._made
gateway/upstream.py: Upstream._resting
gateway/upstream.py: Upstream._targets
providers/_rules.py: _APIS
testing/_once.py: once
"""
"""There is no key, or it is one of the routes, wires, files or packages of who runs the program.

Labels of metrics are wires, routes, kinds of errors, names of losses, and statuses of three digits.
"""
PASSING = """
_bodies.py: Tolerant.raws
_bodies.py: Tolerant.unknown
_bodies.py: slices_of._token
accumulator.py: Accumulator.blocks
accumulator.py: Accumulator.cited
accumulator.py: Accumulator.pieces
arrow/messages.py: MessageColumn._rows
arrow/messages.py: _Table._values
gateway/exchange.py: Exchange._names
gateway/telemetry.py: Call.losses
gateway/telemetry.py: Call.tried
model/base.py: UnknownKeys.came_as
model/messages.py: _Conversational.content
model/source.py: Lifted._claimed
model/source.py: Lifted._strings
schema.py: _Maker._kinds
schema.py: _Maker.defs
"""
"""It goes with the message, document, stream, batch or request that it is for."""
BOUNDED = {
    "_conversations.py: Conversations._by_owner": "with its conversations",
    "_conversations.py: _recent": "`most_conversations`, `most_bytes`",
    "_display/prices.py: known": "1024 names of 512 characters",
    "_recent.py: Recent._entries": "as whoever makes it says",
    "capabilities.py: _row": "1024 names of 100 characters",
    "framing/eventstream.py: _known": "64 heads of 512 bytes",
    "framing/eventstream.py: _lengths": "1024 preludes of 12 bytes",
    "providers/bedrock/stream.py: _before": "1024 numbers",
    "providers/mistral/blocks.py: _known": "4096 ids of 100 characters",
    "queue/aio_pika.py: _sending": "ids of 255 bytes, until the broker answers",
    "queue/envelope.py: _content_type": "256 texts of 255 characters",
    "queue/stores.py: FileStore._synced": "100,000 hashes",
    "request_translator.py: _envelopes": "`most_conversations`, `most_bytes`",
    "request_translator.py: _seen": "numbers, four for each of `most_conversations`",
}
"""Others choose the keys."""


def _rows(text: str) -> list[str]:
    return text.strip("\n").split("\n")


def test_every_cache_has_a_row() -> None:
    rows = [*_rows(TYPES), *_rows(SETTINGS), *_rows(PASSING), *BOUNDED]
    assert sorted(_found()) == sorted(rows)


def test_a_cache_whose_keys_others_choose_has_a_largest_number() -> None:
    found = _found()
    assert {how for place, how in found.items() if place in BOUNDED} == {
        *("Recent", "WeakKeyDictionary", "container"),
        *("lru_cache(_MOST_KINDS)", "lru_cache(_MOST_SIZES)"),
        *("lru_cache(maxsize=256)", "lru_cache(maxsize=1024)", "lru_cache(maxsize=4096)"),
    }
    assert "lru_cache" not in {found[place] for place in _rows(TYPES)}


@pytest.mark.parametrize(
    ("code", "place"),
    [
        ("@cache\ndef f(a): pass", "f"),
        ("class A:\n    @functools.lru_cache(maxsize=9)\n    def f(self): pass", "f"),
        ("g = lru_cache()(f)", "g"),
        ("g: Any = cache(f)", "g"),
        ("def f(a):\n    return cache(a)", "f"),
        ("_made = {}\ndef f(a): _made[a] = 1", "_made"),
        ("_made: dict[str, int] = {}\ndef f(a): return _made.setdefault(a, 1)", "_made"),
        ("_made = set()\ndef f(a):\n    global _made\n    _made = {a}", "_made"),
        ("class A:\n    made: ClassVar[dict] = {}\n    def f(self, a): self.made[a] = 1", "made"),
        ("class A:\n    def __init__(self): self.made = {}", "A.made"),
        ("class A:\n    def __init__(self): self.made: dict = defaultdict(list)", "A.made"),
        ("class A(dict):\n    def __missing__(self, key): pass", "A.__missing__"),
        ("class A:\n    def __init__(self): self.made = Recent(1, 2, 3)", "made"),
    ],
)
def test_a_new_cache_would_be_found(code: str, place: str) -> None:
    assert place in [name for name, _ in _places(ast.parse(code), is_passing=False)]


# -- keys that are as large as a client likes ------------------------------------------------------

LARGE = "a" * 300_000
_PRICES = prices_in(b'{"x-*":{"input_cost_per_token":1,"output_cost_per_token":1}}')
_TURN = '{"role":"user","parts":[{"text":"%s"}]}'
_ENVELOPE = {"specversion": "1.0", "id": "1", "source": "a", "type": "b"}


def _mistral(number: int) -> None:
    call = wg.ToolCallBlock(f"{number}{LARGE}", "f", {})
    asked = wg.Request([wg.AssistantMessage([call])], "m")
    wg.providers.mistral.encode_request(asked, losses=[], repair=True)


def _content_type(number: int) -> None:
    kind = f"application/vnd.wireglot+json; kind={number}{LARGE}; version=1"
    with pytest.raises(wg.PoisonError):
        _ = queue.Envelope({**_ENVELOPE, "datacontenttype": kind}, b"").content_type


def _event(number: int) -> None:
    headers = {f"{number}-{each}": LARGE[:30_000] for each in range(10)}
    eventstream.Decoder().feed(eventstream.encode(headers, b""))


def _translated(**more: Any) -> Callable[[int], None]:
    """Return a job whose body comes twice, so that its beginning is kept."""
    translator = wg.RequestTranslator("gemini", "anthropic", most_bytes=1_000_000)

    def job(number: int) -> None:
        given = {name: value % f"{number}{LARGE}" for name, value in more.items()}
        turns = ",".join(_TURN % (str(number) * 100) for _ in range(9))
        body = f'{{"contents":[{turns}],"{given.pop("body", "key")}":1}}'
        for _ in range(2):
            translator.translate(body.encode(), losses=[], **{"model": "m"} | given)

    return job


JOBS: dict[str, Callable[[int], object]] = {
    "ids for Mistral": _mistral,
    "models with a price": lambda n: _PRICES.cost(
        wg.AssistantMessage([], model=f"x-{n}{LARGE}", usage=wg.Usage(input=1))
    ),
    "models with capabilities": lambda n: capabilities.of_model(f"{n}{LARGE}"),
    "types of content": _content_type,
    "headers of events": _event,
    "paths": _translated(path="/v1/%s/models/m:generateContent"),
    "models": _translated(model="%s"),
    "bodies": _translated(body="%s"),
}


@pytest.mark.parametrize("name", JOBS)
def test_keys_that_others_choose_do_not_fill_the_memory(name: str) -> None:
    job = JOBS[name]
    job(0)
    tracemalloc.start()
    try:
        for number in range(1, 40):
            job(number)
        gc.collect()
        assert tracemalloc.get_traced_memory()[0] < 3_000_000
    finally:
        tracemalloc.stop()
