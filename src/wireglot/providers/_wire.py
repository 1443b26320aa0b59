"""The base of every wire's Structs, and the field type for what is carried, not read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from msgspec import Raw, Struct

__all__ = ["Slice", "Wire"]

if TYPE_CHECKING:
    Slice: TypeAlias = Any
else:
    Slice = Raw
"""Any JSON: comes in as a slice of the body (`null` too), goes out as whatever the encoder takes.

With a default of `None` it is optional. `Annotated[Slice, str]` says, to `schema.py` alone, what
readers look for in it.
"""


class Wire(Struct, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """Base of the wires' JSON objects: strict on the way in, unset keys left out on the way out.

    What it refuses goes to the tolerant reader of `_reading.py`. Its objects are a tree, so they
    need no cyclic garbage collector.
    """

    PROTO: ClassVar[bool] = False
    """Whether the wire is proto3 JSON, and its readers as lenient as that (see `_reading.py`)."""
