"""`python -m tests.proportion [TARGET...]`: documents that grow -> how their time and memory grow.

Shapes are made, not thought of. A small document comes from a wire's own Structs, or from an
encoder; each list, object, text and frame of it is repeated, as it is and with ids and numbers that
grow. The cost of a refusal counts like that of a result. Time and memory grow like `n**e`; the law
is `e <= 1.2` for time, `e <= 1.1` for memory.
"""

from __future__ import annotations

import contextlib
import copy
import gc
import json
import math
import sys
import time
import tracemalloc
import types
import typing
import zlib
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from itertools import pairwise
from typing import Any, NamedTuple, Union

import msgspec
from msgspec import Raw, Struct

import wireglot as wg
from tests.cli.running import run as command
from tests.clients.turn import RESPONSES, STREAMS
from tests.fuzz.seeds import seeds
from tests.test_translate import BODIES, PATHS
from wireglot import queue
from wireglot.framing import eventstream

__all__ = ["TARGETS", "Finding", "Shape", "find", "picked", "shapes"]

SCREEN = (250, 1000)
SIZES = (1000, 4000, 16_000, 64_000)
"""Where the data outgrow a cache of the machine, the curve bends, but only once. So a pair of sizes
that is within the law acquits the shape."""
MOST_TIME, MOST_MEMORY = 1.2, 1.1
_TINY = 0.03
"""Seconds; a shape that takes less at its largest is not judged."""
_SMALL = 4_000_000
"""Bytes, likewise."""
_A_BYTE = 2e-8
"""Seconds for a byte of input; less is in proportion, though it may begin at some size only."""
_COPIES = 3
"""Memory of so many times the input is in proportion, likewise."""
_ROUNDS = 20
"""A machine whose speed changes needs many; a shape within the law ends at its first good one."""

Job = Callable[[Any], Any]
Make = Callable[[int], bytes]


class Shape(NamedTuple):
    """What is repeated, and the document in which it is repeated `n` times."""

    name: str
    make: Make


class Finding(NamedTuple):
    """How a shape's cost grows; None for a cost that is too small to judge."""

    shape: str
    time: float | None
    memory: float | None

    def is_fine(self) -> bool:
        return (self.time or 0) <= MOST_TIME and (self.memory or 0) <= MOST_MEMORY


# -- samples of a wire's own Structs --------------------------------------------------------------


def samples(kind: Any, depth: int = 6) -> list[Any]:
    """Return JSON values of a type: one for each member of a union, each with every field."""
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Annotated:
        return samples(inner[1] if len(inner) > 1 and inner[0] is Raw else inner[0], depth)
    if origin in (types.UnionType, Union):
        return [
            each for member in inner if member is not type(None) for each in samples(member, depth)
        ]
    if origin is typing.Literal:
        return [inner[0]]
    if kind is list or origin is list or origin is tuple:
        return [samples(inner[0], depth - 1) if inner and depth else []]
    if kind is dict or origin is dict:
        return [{"k": samples(inner[1], depth - 1)[0] if inner and depth else 0}]
    if isinstance(kind, type) and issubclass(kind, Struct):
        return [_object(kind, depth)]
    return [_LEAVES.get(kind, "x")]


_LEAVES: dict[Any, Any] = {int: 1, float: 0.5, bool: True, str: "x", Any: {"k": 0}, Raw: {"k": 0}}


def _object(kind: Any, depth: int) -> dict[str, Any]:
    config, hints = kind.__struct_config__, typing.get_type_hints(kind, include_extras=True)
    made: dict[str, Any] = {config.tag_field: config.tag} if config.tag_field else {}
    for field in msgspec.structs.fields(kind):
        if "(" in field.encode_name or (not depth and not field.required):
            continue
        values = samples(hints[field.name], max(depth - 1, 0))
        if values:
            made[field.encode_name] = values[0]
    return made


# -- shapes of a document -------------------------------------------------------------------------

_IDS = ("id", "Id", "_id", "name", "key")


def _numbered(value: Any, number: int) -> Any:
    """Return a copy whose ids and indices are its own."""
    if isinstance(value, list):
        return [_numbered(item, number) for item in value]
    if not isinstance(value, dict):
        return value
    made = {key: _numbered(item, number) for key, item in value.items()}
    for key, item in value.items():
        if isinstance(item, str) and key.endswith(_IDS):
            made[key] = f"{item}{number:05}"
        elif type(item) is int and "ndex" in key:
            made[key] = item + number
    return made


def _places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    yield path, value
    if isinstance(value, dict | list):
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _places(item, (*path, key))


def _with(document: Any, path: tuple[Any, ...], value: Any) -> bytes:
    if not path:
        return json.dumps(value).encode()
    made = copy.deepcopy(document)
    holder = made
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = value
    return json.dumps(made).encode()


def _grown(value: Any, how: str, n: int) -> Any:
    if how == "same":
        return value * n
    if how == "numbered":
        return [_numbered(item, i) for i in range(n) for item in value]
    if how == "keys":
        return {**value, **{f"k{i}": 0 for i in range(n)}}
    if how == "objects":
        return [{"type": "strange", "id": f"{i}"} for i in range(n)]
    return value + "x " * n


def grown(seed: bytes) -> list[Shape]:
    """Return the shapes of a JSON document: every place in it, grown in each way.

    Of JSON Lines, each line is repeated, and each place in a line is grown.
    """
    try:
        document = json.loads(seed)
    except json.JSONDecodeError:
        return _grown_lines(seed.splitlines(keepends=True))
    made = []
    for path, value in _places(document):
        ways: tuple[str, ...] = ()
        if isinstance(value, list):
            ways = ("same", "numbered", "objects") if value else ("objects",)
        elif isinstance(value, dict):
            ways = ("keys",)
        elif isinstance(value, str):
            ways = ("text",)
        where = "$" + "".join(f"[{k}]" if isinstance(k, int) else f".{k}" for k in path)
        for how in ways:

            def make(n: int, path: Any = path, value: Any = value, how: str = how) -> bytes:
                return _with(document, path, _grown(value, how, n))

            made.append(Shape(f"{where}, {how}", make))
    return made


def _grown_lines(lines: list[bytes]) -> list[Shape]:
    made = []
    for at, line in enumerate(lines):
        before, after = b"".join(lines[:at]), b"".join(lines[at + 1 :])

        def repeated(n: int, before: bytes = before, line: bytes = line) -> bytes:
            said = json.loads(line)
            return before + b"".join(_line(_numbered(said, i)) for i in range(n))

        made.append(Shape(f"line {at}, numbered", repeated))
        for shape in grown(line):

            def larger(
                n: int, before: bytes = before, after: bytes = after, make: Make = shape.make
            ) -> bytes:
                return before + _line(json.loads(make(n))) + after

            made.append(Shape(f"line {at}, {shape.name}", larger))
    return made


def _line(value: Any) -> bytes:
    return json.dumps(value).encode() + b"\n"


# -- shapes of a stream ---------------------------------------------------------------------------

Frame = tuple[Any, Any]


def _frames(name: str) -> list[Frame]:
    data = STREAMS[name]
    if name == "bedrock":
        return [(headers, json.loads(body)) for headers, body in eventstream.Decoder().feed(data)]
    if name == "ollama":
        return [(None, json.loads(line)) for line in data.splitlines() if line]
    found: list[Frame] = []
    for block in data.decode().split("\n\n"):
        head, _, said = block.rpartition("data: ")
        with contextlib.suppress(json.JSONDecodeError):
            found.append((head, json.loads(said)))
            continue
        if said.strip():
            found.append((head, said))
    return found


def _joined(name: str, frames: list[Frame]) -> bytes:
    if name == "bedrock":
        return b"".join(
            eventstream.encode(head, json.dumps(said).encode()) for head, said in frames
        )
    if name == "ollama":
        return b"".join(json.dumps(said).encode() + b"\n" for _, said in frames)
    texts = (said if isinstance(said, str) else json.dumps(said) for _, said in frames)
    parts = zip(frames, texts, strict=True)
    return "".join(f"{head}data: {text}\n\n" for (head, _), text in parts).encode()


def _streamed(name: str) -> list[Shape]:
    frames = _frames(name)
    made: list[Shape] = []

    def add(what: str, at: int, repeated: list[Frame], after: int) -> None:
        for how in ("same", "numbered"):

            def make(n: int, how: str = how) -> bytes:
                more = repeated * n
                if how == "numbered":
                    more = [(head, _numbered(said, i)) for i in range(n) for head, said in repeated]
                return _joined(name, [*frames[:at], *more, *frames[after:]])

            made.append(Shape(f"{what}, {how}", make))

    for width in (1, 2, 3):
        for at in range(len(frames) - width + 1):
            add(f"frames {at}..{at + width - 1}", at, frames[at : at + width], at + width)
    for number, said in enumerate(_events(name)):
        head: Any = None
        if name == "bedrock":
            kind = next(iter(said), "")
            head = {":event-type": kind, ":message-type": "event"}
            said = said[kind]
        elif name != "ollama":
            head = f"event: {said['type']}\n" if "type" in said else ""
        for at in (1, len(frames) // 2, len(frames) - 1):
            add(f"sample {number} at {at}", at, [(head, said)], at)
    return made


@cache
def _events(name: str) -> tuple[Any, ...]:
    """Return samples of the frames of a wire; one with each of its keys alone, too."""
    wire = import_module(f"wireglot.providers.{name}.wire")
    if name == "bedrock":
        kinds = {"contentBlockStart": "BlockStart", "contentBlockDelta": "BlockDelta"}
        return tuple({key: _object(getattr(wire, kind), 6)} for key, kind in kinds.items())
    root = getattr(
        wire, {"openai_chat": "Chunk", "gemini": "Chunk", "ollama": "Line"}.get(name, "Event")
    )
    found = samples(root)
    for whole in found[:]:
        for path, value in _places(whole):
            if isinstance(value, dict) and len(value) > 1 and len(path) < 6:
                for key in value:
                    found.append(json.loads(_with(whole, path, {key: value[key]})))
    return tuple(found)


# -- requests in which several things grow together ------------------------------------------------

_TEXT = wg.TextBlock("x")
_PNG = wg.ImageBlock.from_bytes(b"\x89PNG\r\n\x1a\n")


def _user(*content: Any) -> wg.UserMessage:
    return wg.UserMessage(list(content) or [_TEXT])


def _call(i: int) -> wg.ToolCallBlock:
    return wg.ToolCallBlock(f"call{i:05}", "f", '{"a":1}')


def _result(i: int) -> wg.ToolResultBlock:
    return wg.ToolResultBlock(f"call{i:05}", "f", [_TEXT])


def _say(*content: Any) -> wg.AssistantMessage:
    return wg.AssistantMessage(list(content))


# Messages that must grow together, calls with their results: by what there are many of.
_TOGETHER: dict[str, Callable[[int], list[Any]]] = {
    "texts": lambda n: [_user(*[_TEXT] * n)],
    "images": lambda n: [_user(*[_TEXT, _PNG] * n)],
    "turns": lambda n: [_user(), *[_say(_TEXT), _user()] * n],
    "messages of a user": lambda n: [_user() for _ in range(n)],
    "answers in a row": lambda n: [_user(), *(_say(_TEXT) for _ in range(n)), _user()],
    "system messages": lambda n: [_user(), *(wg.SystemMessage([_TEXT]) for _ in range(n))],
    "calls": lambda n: [
        _user(),
        _say(*map(_call, range(n))),
        wg.ToolMessage([*map(_result, range(n))]),
    ],
    "results in another order": lambda n: [
        _user(),
        _say(*map(_call, range(n))),
        wg.ToolMessage([*map(_result, reversed(range(n)))]),
    ],
    "calls in answers of their own": lambda n: [
        _user(),
        *(_say(_call(i)) for i in range(n)),
        wg.ToolMessage([*map(_result, range(n))]),
    ],
    "calls in answers with unknown keys": lambda n: [
        _user(),
        *(wg.AssistantMessage([_call(i)], extras={f"{i}": wg.Extra({"k": i})}) for i in range(n)),
        wg.ToolMessage([*map(_result, range(n))]),
    ],
    "calls of one id": lambda n: [
        _user(),
        _say(*[_call(0)] * n),
        wg.ToolMessage([_result(0)] * n),
    ],
    "calls without results": lambda n: [_user(), _say(*map(_call, range(n)))],
    "results without calls": lambda n: [wg.ToolMessage([_result(i)]) for i in range(n)],
    "losses": lambda n: [_user(_TEXT, *[wg.DataBlock.from_bytes(b"x") for _ in range(n)])],
}


def _together() -> list[Shape]:
    def make(what: str) -> Make:
        return lambda n: wg.json.encode(wg.Request(_TOGETHER[what](n), "m", max_tokens=9))

    return [Shape(what, make(what)) for what in _TOGETHER]


# -- schemas of a tool, in which what is referred to grows together with its references ------------

_LEAF = {"type": "object", "properties": {"p": {"const": 0}}}


def _ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/$defs/{name}"}


def _names(n: int) -> dict[str, Any]:
    """Return the object that has n properties, all of them required."""
    names = [f"p{i}" for i in range(n)]
    return {"type": "object", "properties": {key: {} for key in names}, "required": names}


def _twice(outer: str, inner: str) -> Make:
    """Return a schema that refers to the next one twice on each level, of which there are few."""

    def make(n: int) -> Any:
        levels = n.bit_length()
        defs: dict[str, Any] = {}
        for i in range(levels):
            own = {"type": "object", "properties": {"p": {"const": i + 1}}}
            following = _ref(str(i + 1))
            defs[str(i)] = {outer: [following, {inner: [following, own]}]}
        defs[str(levels)] = {"type": "object", "properties": {"p": {"const": "x" * n}}}
        return {"type": "object", outer: [_ref("0")], "$defs": defs}

    return make


def _heirs(n: int, levels: int) -> Any:
    """Return an object that has n properties by way of other objects."""
    defs = {str(i): {"allOf": [_ref(str(i + 1)), _LEAF]} for i in range(levels)}
    return {"allOf": [_ref("0")], "$defs": {**defs, str(levels): _names(n)}}


def _nested(n: int, key: str) -> Any:
    made: Any = _names(n)
    for _ in range(min(n, 150)):
        made = {"type": "object", "properties": {"p": made}} if not key else {key: [made, _LEAF]}
    return made


# By what there is much of.
_SCHEMAS: dict[str, Callable[[int], Any]] = {
    **{
        f"{outer} and {inner} of the same": _twice(outer, inner)
        for outer, inner in (("allOf", "allOf"), ("anyOf", "allOf"), ("oneOf", "anyOf"))
    },
    "references to one object": lambda n: {
        "anyOf": [*[_ref("a")] * n, _LEAF],
        "$defs": {"a": _names(n)},
    },
    "references to one object, each with its requirement": lambda n: {
        "anyOf": [{"allOf": [_ref("a"), {"required": [f"r{i}"]}]} for i in range(n)],
        "$defs": {"a": _names(n)},
    },
    "unions with one large property": lambda n: {
        "allOf": [{"anyOf": [_ref("a"), {"properties": {"p": {"const": i}}}]} for i in range(n)],
        "$defs": {"a": {"properties": {"p": {"enum": [f"e{i}" for i in range(n)]}}}},
    },
    "heirs": lambda n: _heirs(n, min(n, 150)),
    "heirs of heirs": lambda n: _heirs(9, n),
    "references in a row": lambda n: {
        **_ref("0"),
        "$defs": {
            **{f"{i}": {**_ref(f"{i + 1}"), f"k{i}": 0} for i in range(n)},
            str(n): _LEAF,
        },
    },
    "steps of a reference": lambda n: {
        "anyOf": [{"$ref": "#/$defs" + "/a" * n}, _LEAF],
        "$defs": {"a": _LEAF},
    },
    "objects of a union": lambda n: {
        "anyOf": [{"properties": {"p": {"const": i}}, "required": ["p"]} for i in range(n)]
    },
    "properties": lambda n: {**_names(n), "allOf": [_names(n)]},
    "properties with odd names": lambda n: {
        "type": "object",
        "properties": {f"p {i}": {"minimum": 1} for i in range(n)},
        "required": [f"p {i}" for i in range(n)],
    },
    "properties that are bounded": lambda n: {
        "type": "object",
        "properties": {f"p{i}": {"minimum": i, "oneOf": [{"maxLength": 1}]} for i in range(n)},
    },
    "objects in objects": lambda n: _nested(n, ""),
    "unions in unions": lambda n: _nested(n, "anyOf"),
    "keys that are not JSON Schema's": lambda n: {f"k{i}": [] for i in range(n)},
    "wrong requirements": lambda n: {"allOf": [{"required": [[]] * n}], "required": [{}] * n},
}
_BOUND = {
    "openai_chat": "gpt-4o",
    "openai_responses": "gpt-4.1",
    "anthropic": "claude-haiku-4-5",
    "bedrock": "anthropic.claude-haiku-4-5",
}
"""A model of a wire that does not take every schema."""


def _with_schema() -> list[Shape]:
    def make(what: str) -> Make:
        def body(n: int) -> bytes:
            tool = {
                "type": "function",
                "name": "t",
                "parameters": _SCHEMAS[what](n),
                "strict": True,
            }
            message = {"role": "user", "content": [{"type": "text", "text": "x"}]}
            return json.dumps({"messages": [message], "tools": [tool]}).encode()

        return body

    return [Shape(what, make(what)) for what in _SCHEMAS]


# -- targets --------------------------------------------------------------------------------------


def _request(name: str, target: str | None) -> Job:
    provider = wg.PROVIDERS[name]

    def job(data: bytes) -> Any:
        if target is not None:
            return wg.translate_request(data, source=name, target=target, losses=[])
        return provider.decode_request(data, PATHS.get(name))

    return job


def _written(name: str) -> Job:
    provider = wg.PROVIDERS[name]

    def job(data: bytes) -> Any:
        request = wg.json.decode(data, wg.Request)
        request.model = request.model or _BOUND.get(name, "m")
        return provider.decode_request(provider.encode_request(request, losses=[], repair=True))

    return job


def _response(name: str, target: str | None) -> Job:
    def job(data: bytes) -> Any:
        if target is not None:
            return wg.translate_response(data, source=name, target=target, losses=[])
        return wg.PROVIDERS[name].decode_response(data)

    return job


def _stream(name: str, target: str | None) -> Job:
    def job(data: bytes) -> Any:
        if target is not None:
            translator = wg.StreamTranslator(source=name, target=target, losses=[])
            return translator.feed(data), translator.close()
        decoder = wg.PROVIDERS[name].StreamDecoder()
        return decoder.feed(data), decoder.close()

    return job


def _native(wire: str) -> Job:
    def job(data: bytes) -> Any:
        session = wg.json.decode(data, losses=[])
        codec = getattr(wg, wire)
        return codec.encode(codec.decode(codec.encode(session)))

    return job


def _envelope(form: str, zstd: int | None) -> Job:
    def job(data: bytes) -> Any:
        session = wg.json.decode(data, losses=[])
        sealed = queue.encode(session, format=form, zstd_over=zstd)  # type: ignore[arg-type]
        return queue.decode(queue.Envelope.from_bytes(sealed.to_bytes()))

    return job


def _format(name: str) -> Job:
    form: Any = wg.FORMATS[name]

    def job(data: bytes) -> Any:
        return form.encode(form.decode(data, losses=[]), losses=[])

    return job


def _command(*arguments: str) -> Job:
    return lambda data: command(*arguments, "-", stdin=data)


def _wire_seeds(name: str, root: str, body: str) -> list[bytes]:
    wire = import_module(f"wireglot.providers.{name}.wire")
    return [body.encode(), json.dumps(_object(getattr(wire, root), 6)).encode()]


def _of(documents: list[bytes]) -> list[Shape]:
    return [
        Shape(f"{number}: {shape.name}", shape.make)
        for number, document in enumerate(documents)
        for shape in grown(document)
    ]


def _sessions(name: str) -> list[bytes]:
    found = []
    for seed in seeds(name):
        text = seed[2:]
        with contextlib.suppress(ValueError):
            for part in text.splitlines() if name == "operator_use" else [text]:
                json.loads(part)
            found.append(text)
    return sorted(found, key=len)[-2:]


TARGETS: dict[str, tuple[Callable[[], list[Shape]], Job]] = {}
"""The name of a target -> its shapes, and what is done with a document."""
for _name in wg.PROVIDERS:
    TARGETS[f"{_name} request, written"] = (_together, _written(_name))
    TARGETS[f"{_name} schemas, written"] = (_with_schema, _written(_name))
    _other = "openai_chat" if _name != "openai_chat" else "anthropic"
    for _target, _said in ((None, "read"), (_name, "to itself"), (_other, f"to {_other}")):
        TARGETS[f"{_name} request, {_said}"] = (
            lambda name=_name: _of(_wire_seeds(name, "Body", BODIES[name])),  # type: ignore[misc]
            _request(_name, _target),
        )
        TARGETS[f"{_name} answer, {_said}"] = (
            lambda name=_name: _of(_wire_seeds(name, "Response", RESPONSES[name])),  # type: ignore[misc]
            _response(_name, _target),
        )
        TARGETS[f"{_name} stream, {_said}"] = (
            lambda name=_name: _streamed(name),  # type: ignore[misc]
            _stream(_name, _target),
        )
for _name in ("json", "msgpack"):
    TARGETS[f"native {_name}"] = (lambda: _of(_sessions("json")), _native(_name))
    for _zstd in (None, 0):
        TARGETS[f"envelope of {_name}, {'zstd' if _zstd == 0 else 'plain'}"] = (
            lambda: _of(_sessions("json")),
            _envelope(_name, _zstd),
        )
for _name in wg.FORMATS:
    TARGETS[f"format {_name}"] = (
        lambda name=_name: _of(_sessions(name)),  # type: ignore[misc]
        _format(_name),
    )
for _name in ("convert --to anthropic", "show", "stats", "check"):
    TARGETS[f"wireglot {_name.split()[0]}"] = (
        lambda: _of(_sessions("json")),
        _command(*_name.split()),
    )


def shapes(target: str) -> list[Shape]:
    """Return the shapes of a target."""
    return TARGETS[target][0]()


# -- measuring ------------------------------------------------------------------------------------


def find(target: str, shape: Shape) -> Finding:
    """Return how the cost of a shape grows; a suspicious one is measured again, and larger."""
    job = TARGETS[target][1]
    many = SCREEN[1]
    bodies = {n: shape.make(n) for n in SCREEN}
    times = {n: _seconds(job, bodies[n]) for n in SCREEN}
    memory = None
    if len(bodies[many]) > 20_000:
        peaks = {n: _peak(job, bodies[n]) for n in SCREEN}
        if peaks[many] > max(_SMALL, _COPIES * len(bodies[many])):
            memory = _exponent(peaks, bodies)
    if times[many] < 0.004 or _exponent(times, bodies) <= 1.1:
        return Finding(f"{target}: {shape.name}", None, memory)
    for sizes in pairwise(SIZES):
        bodies = {n: shape.make(n) for n in sizes}
        times = {n: float("inf") for n in sizes}
        for _ in range(_ROUNDS):
            for n in sizes:
                times[n] = min(times[n], _seconds(job, bodies[n]))
            if times[sizes[1]] > 8 or _exponent(times, bodies) <= MOST_TIME:
                break
        if times[sizes[1]] > _TINY and _exponent(times, bodies) <= MOST_TIME:
            break
        if times[sizes[1]] > 8:
            break
    cheap = max(_TINY, _A_BYTE * len(bodies[sizes[1]]))
    judged = None if times[sizes[1]] < cheap else _exponent(times, bodies)
    return Finding(f"{target}: {shape.name}", judged, memory)


def _exponent(costs: dict[int, float], bodies: dict[int, bytes]) -> float:
    few, many = sorted(costs)
    grown_by = max(len(bodies[many]) / len(bodies[few]), 1.5)
    return math.log(costs[many] / costs[few]) / math.log(grown_by)


def _seconds(job: Job, body: bytes) -> float:
    gc.collect(1)
    gc.disable()  # a full collection at a size of its own choice would bend the curve
    try:
        start = time.process_time()
        with contextlib.suppress(wg.WireglotError):
            job(body)
        return time.process_time() - start
    finally:
        gc.enable()


def _peak(job: Job, body: bytes) -> float:
    tracemalloc.start()
    try:
        with contextlib.suppress(wg.WireglotError):
            job(body)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def picked(target: str, share: int) -> list[Shape]:
    """Return one shape in `share`, always the same ones."""
    made = shapes(target)
    return [s for s in made if zlib.crc32(f"{target} {s.name}".encode()) % share == 0]


def main(names: list[str]) -> int:
    """Judge all shapes of targets whose names contain one of the words; print what they cost."""
    worst = 0
    all_found: list[Finding] = []
    for target in TARGETS:
        if names and not any(name in target for name in names):
            continue
        found = [find(target, shape) for shape in shapes(target)]
        bad = [each for each in found if not each.is_fine()]
        worst += len(bad)
        print(f"{target}: {_largest(found)}", flush=True)
        for each in bad:
            print(f"  {each}", flush=True)
        all_found += found
    print(f"all: {_largest(all_found)}", flush=True)
    return int(worst > 0)


def _largest(found: list[Finding]) -> str:
    """Return the largest exponents, and the shapes that have them."""
    words = [f"{len(found)} shapes"]
    for name in ("time", "memory"):
        judged = [each for each in found if getattr(each, name) is not None]
        if judged:
            top = max(judged, key=lambda each: getattr(each, name))
            words.append(f"{name} {getattr(top, name):.2f} ({top.shape})")
    return ", ".join(words)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
