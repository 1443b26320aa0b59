"""Every target by name: the check of an input, and the grammar of its body."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tests.fuzz.formats import FORMATS
from tests.fuzz.framing import FRAMING
from tests.fuzz.growing import GROWING
from tests.fuzz.lifting import LIFTING
from tests.fuzz.native import NATIVE
from tests.fuzz.providers import PROVIDERS
from tests.fuzz.queues import QUEUES
from tests.fuzz.schemas import SCHEMAS
from tests.fuzz.shapes import SHAPES, Shape

__all__ = ["TARGETS", "Target"]


class Target(NamedTuple):
    """A check, which raises if a law is broken, and the shape that mutations keep."""

    check: Callable[[bytes], None]
    shape: Shape


_GRAMMARS = {
    "lines": "lines",
    "msgpack": "msgpack",
    "envelope": "envelope",
    "values": "msgpack",
    "sse": "events",
    "ndjson": "lines",
    "eventstream": "messages",
    **dict.fromkeys(FORMATS, "any"),
}


def _grammar(name: str) -> str:
    return _GRAMMARS.get(name, "any" if name.endswith("-stream") else "json")


TARGETS = {
    name: Target(check, SHAPES[_grammar(name)])
    for name, check in (
        NATIVE | LIFTING | GROWING | SCHEMAS | FRAMING | PROVIDERS | FORMATS | QUEUES
    ).items()
}
