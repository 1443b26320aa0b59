"""An element -> what becomes of it on its own wire, and what on each of the others."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import count
from typing import Any, NamedTuple

import msgspec

import wireglot as wg

from .apis import Root
from .elements import Element
from .streams import read_stream
from .values import MODEL, Json

dump = msgspec.json.encode
_load = msgspec.json.decode


class Made(NamedTuple):
    """What came of a body: its bytes, or the error, and the losses."""

    out: bytes
    error: str
    losses: frozenset[wg.Loss]


class Verdict(NamedTuple):
    """`own` is `kept`, `error` or `gone`; `held` is `typed`, `raw` or `-`.

    `targets` has a word for each other wire: `translated`, `loss`, `error` or `silent`.
    """

    element: Element
    own: str
    held: str
    targets: dict[str, str]
    why: str = ""


class Judge:
    """Judges the elements of one root; what several elements share is made once."""

    def __init__(self, root: Root) -> None:
        self.wire, self.part, self.dialect = root.wire, root.part, root.dialect
        self._provider = wg.PROVIDERS[root.wire]
        self._by: Any = {"dialect": root.dialect} if root.dialect else {}
        self._made: dict[tuple[bytes, str], Made] = {}
        self._decoded: dict[bytes, list[Any]] = {}

    def __call__(self, element: Element) -> Verdict:
        try:
            own, why = self._own(element)
            held = self._held(element)
        except wg.WireglotError as error:
            own, held, why = "error", "-", str(error)
        body, without = dump(element.body), dump(element.without)
        above = Above(element)
        others = [name for name in wg.PROVIDERS if name != self.wire]
        targets = {name: self._verdict(element, body, without, above, name) for name in others}
        return Verdict(element, own, held, targets, why)

    def _own(self, element: Element) -> tuple[str, str]:
        losses: list[wg.Loss] = []
        body = dump(element.body)
        if self.part == "request":
            request = self._provider.decode_request(body, **self._by)
            out = self._provider.encode_request(request, losses=losses, **self._by)
        elif self.part == "answer":
            response = self._provider.decode_response(body, **self._by)
            out = self._provider.encode_response(response, losses=losses, **self._by)
        else:
            out = self._streamed(element.body, self.wire, losses)
        made = read_stream(self.wire, out) if self.part == "stream" else _load(out)
        missing = Counter(_leaves(element.keys[-1], element.value))
        before, after = Counter(_leaves("", element.body)), Counter(_leaves("", made))
        if losses:
            return "kept", "; ".join(sorted(f"{loss.what}: {loss.why}" for loss in losses))
        gone = [leaf for leaf in missing if after[leaf] < before[leaf] and leaf not in _REPEATED]
        if self.part == "stream":
            gone = [leaf for leaf in gone if not after[leaf]]
        return ("gone", f"{gone}") if gone else ("kept", "")

    def _held(self, element: Element) -> str:
        """Return where the canonical value has it."""
        with_ = self._canonical(element.body)
        try:
            without = self._canonical(element.without)
        except wg.WireglotError:  # another value makes no sense there
            element.without = element.above[0]()
            without = self._canonical(element.without)
        places = {*_places(with_, without)}
        return "typed" if "typed" in places else "raw" if places else "-"

    def _canonical(self, body: Json) -> Json:
        if self.part == "request":
            return _load(wg.json.encode(self._provider.decode_request(dump(body), **self._by)))
        if self.part == "answer":
            return _load(wg.json.encode(self._provider.decode_response(dump(body), **self._by)))
        decoder = self._provider.StreamDecoder(**self._by)
        for event in body:
            decoder.feed_event(event)
        decoder.finish()
        return _load(wg.json.encode(decoder.close()))

    def _streamed(self, events: list[Json], target: str, losses: list[wg.Loss]) -> bytes:
        own = self._by if target == self.wire else {}
        encoder = wg.PROVIDERS[target].StreamEncoder(losses=losses, ids=_ids(), **own)
        parts = [encoder.encode(event) for event in self._events(events)]
        return b"".join([*parts, encoder.close()])

    def _events(self, events: list[Json]) -> list[Any]:
        """Return the canonical events of a stream, which are decoded once for all wires."""
        body = dump(events)
        if (decoded := self._decoded.get(body)) is None:
            decoder = self._provider.StreamDecoder(ids=_ids(), **self._by)
            decoded = [each for event in events for each in decoder.feed_event(event)]
            decoded += decoder.finish()
            decoder.close()
            self._decoded[body] = decoded
        return decoded

    def to(self, body: bytes, target: str) -> Made:
        if (made := self._made.get((body, target))) is None:
            made = self._made[body, target] = self._translated(body, target)
        return made

    def _translated(self, body: bytes, target: str) -> Made:
        losses: list[wg.Loss] = []
        common: Any = {"losses": losses, "source_dialect": self.dialect}
        if self.wire == "bedrock" or (self.wire, self.part) == ("gemini", "request"):  # in the URL
            common["model"] = MODEL
        out, why = b"", ""
        try:
            if self.part == "request":
                common |= {"repair": True, "names": {}}
                out = wg.translate_request(body, self.wire, target, **common)
            elif self.part == "answer":
                out = wg.translate_response(body, self.wire, target, ids=_ids(), **common)
            else:
                out = self._streamed(_load(body), target, losses)
        except wg.WireglotError as error:
            why = str(error)
        return Made(out, why, frozenset(losses))

    def _verdict(
        self, element: Element, body: bytes, without: bytes, above: Above, target: str
    ) -> str:
        made, base = self.to(body, target), self.to(without, target)
        if made.error:
            return "error"
        if made.losses - base.losses:
            return "loss"
        if made.out != base.out:
            return "translated"
        keys = element.keys
        for level, around in enumerate(above.bodies, 1):
            inside = keys[-level - 1 :]
            for loss in made.losses - self.to(around, target).losses:
                if _names(loss, inside, level):
                    return "loss"
        return "silent"


class Above:
    """The bodies without what is around an element, made when a verdict needs them."""

    def __init__(self, element: Element) -> None:
        self._element = element

    @cached_property
    def bodies(self) -> list[bytes]:
        return [dump(make()) for make in self._element.above]


_PARTS = {"annotation detail", "cache", "cache mark", "name", "signature", "strict"}
_PARTS |= {"text", "thinking level", "thinking shown"}
"""Losses of one thing about a block: they do not say that all of it went."""


def _names(loss: wg.Loss, inside: tuple[str, ...], level: int) -> bool:
    """Whether a loss that came with an object tells of what is inside, `level` objects deeper."""
    if loss.keys:
        return not {*loss.keys}.isdisjoint(inside)
    return level == 1 or loss.what not in _PARTS


_REPEATED = {("type", "text"), ("type", "function"), ("type", "input_text"), ("type", "message")}


def _ids() -> Callable[[], str]:
    numbers = count()
    return lambda: f"{next(numbers):032x}"


_TEXTS = {"content", "system", "text", "instructions", "input", "systemInstruction", "thinking"}
_TEXTS |= {"output"}


def _leaves(key: str, value: Json) -> Iterator[tuple[str, str]]:
    """Yield the key and the value of each leaf; a text has several forms, so one name for all."""
    if isinstance(value, dict) and value:
        for name, each in value.items():
            if each is not None:
                yield from _leaves(name, each)
    elif isinstance(value, list) and value:
        for each in value:
            yield from _leaves(key, each)
    elif isinstance(value, str) and key in _TEXTS:
        yield "text", value
    elif isinstance(value, str) and value[:1] + value[-1:] in ("{}", "[]"):
        yield from _leaves(key, json.loads(value))
    elif isinstance(value, float) and value == int(value):
        yield key, str(int(value))
    else:
        yield key, str(value)


def _places(one: Json, two: Json) -> Iterator[str]:
    """Yield `typed` or `raw` for each difference of two canonical values."""
    if isinstance(one, dict) and isinstance(two, dict) and one.get("type") == two.get("type"):
        for key in one.keys() | two.keys():
            if one.get(key) != two.get(key):
                if key == "extras" or one.get("type") == "opaque":
                    yield "raw"
                else:
                    yield from _places(one.get(key), two.get(key))
    elif isinstance(one, list) and isinstance(two, list) and len(one) == len(two):
        for each, another in zip(one, two, strict=True):
            yield from _places(each, another)
    elif one != two:
        yield from {*_kinds(one, two)}


def _kinds(one: Json, two: Json) -> Iterator[str]:
    """Yield where values differ that are not of one kind: what either has more."""
    ones, twos = (each if isinstance(each, list) else [each] for each in (one, two))
    longer = [x for x in ones if x not in twos] or [x for x in twos if x not in ones]
    for each in longer:
        kind = each.get("type") if isinstance(each, dict) else ""
        inner = each.get("content") if isinstance(each, dict) else None
        blocks = inner if isinstance(inner, list) else []
        raw = kind == "opaque" or any(b.get("type") == "opaque" for b in blocks)
        yield "raw" if raw else "typed"
