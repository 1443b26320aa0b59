"""Constructors of the systems' own types: what a system's own constructor accepts and fills in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from msgspec import StructMeta

from .._body.decode import as_given
from ..errors import EncodeError, quoted

__all__ = ["Constructed", "Fresh", "seconds"]

Fresh = Mapping[str, Callable[[], Any]]
"""Fields that the constructor fills in where the caller gave none, and decoding does not."""


class Constructed(StructMeta):
    """Metaclass of own types: a constructor takes the tag as a keyword, and fills in ids and times.

    A type names its folder as `WIRE`, and as `FRESH` what is filled in, if anything is. The decoder
    does not come here, nor does a copy. Unpickling does, but names every field.
    """

    # Type checkers see the constructor that the fields make.
    if not TYPE_CHECKING:

        def __call__(cls, *args, **fields):  # noqa: N805 -- of a metaclass
            if "type" in fields or "role" in fields:
                _untag(cls, fields)
            fresh = getattr(cls, "FRESH", None)
            if not fresh:
                return as_given(cls, *args, **fields)
            for name, make in fresh.items():
                if name not in fields and cls.__struct_fields__.index(name) >= len(args):
                    fields[name] = make()
            made = as_given(cls, *args, **fields)
            if "timestamp" in fresh and isinstance(made.timestamp, datetime):
                made.timestamp = seconds(made.timestamp)
            return made


def _untag(kind: Any, fields: dict[str, Any]) -> None:
    """Take the tag out of `fields`. Raises `EncodeError` if it is another type's."""
    config = kind.__struct_config__
    if config.tag_field in fields:
        tag = fields.pop(config.tag_field)
        if tag != config.tag:
            reason = f"{quoted(tag)} of a `{kind.__name__}`, expected `{config.tag}`"
            raise EncodeError(reason, wire=kind.WIRE, path=f"$.{config.tag_field}")


def seconds(value: Any) -> Any:
    """Return a `datetime` in seconds since 1970, anything else unchanged.

    One without a zone is in that of the machine, as for Python itself.
    """
    return value.timestamp() if isinstance(value, datetime) else value
