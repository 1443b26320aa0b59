"""The base of every wire's Structs, and the field type for JSON that is passed on unread."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from msgspec import Raw, Struct

if TYPE_CHECKING:
    Slice: TypeAlias = Any
else:
    Slice = Raw
"""Any JSON: decoded as a slice of the body (`null` too), encoded from whatever the encoder takes.

With a default of `None` it is optional. `Annotated[Slice, str]` tells only `schema.py` which type
readers expect in it.
"""


class Wire(Struct, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """Base of the wires' JSON objects: strict in decoding; in encoding, unset keys are left out.

    The tolerant reader of `_body/decode.py` reads what this refuses. The objects form a tree, so
    they need no cyclic garbage collector.
    """

    PROTO: ClassVar[bool] = False
    """Whether the wire is proto3 JSON, which `_body/decode.py` reads more leniently."""
