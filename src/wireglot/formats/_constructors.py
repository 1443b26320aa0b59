"""Constructors of the systems' own types: what a system's own constructor accepts and fills in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from msgspec import StructMeta

from .._bodies import as_given
from ..errors import EncodeError

__all__ = ["Constructed", "Fresh", "seconds"]

Fresh = Mapping[str, Callable[[], Any]]
"""Fields that the constructor fills in where the caller gave none, and decoding does not."""


class Constructed(StructMeta):
    """Metaclass of own types: a constructor takes the tag as a keyword, and fills in ids and times.

    The decoder does not come here, nor does a copy. Unpickling does, but names every field.
    """

    WIRE: str
    """The name of the system's folder, for errors."""
    FRESH: Fresh = MappingProxyType({})

    # Type checkers see the constructor that the fields make.
    if not TYPE_CHECKING:

        def __call__(cls, *args, **fields):  # noqa: N805 -- of a metaclass
            if "type" in fields or "role" in fields:
                cls._untag(fields)
            if cls.FRESH:
                for name, make in cls.FRESH.items():
                    if name not in fields and cls.__struct_fields__.index(name) >= len(args):
                        fields[name] = make()
            made = as_given(cls, *args, **fields)
            if "timestamp" in cls.FRESH and isinstance(made.timestamp, datetime):
                made.timestamp = seconds(made.timestamp)
            return made

    def _untag(cls, fields: dict[str, Any]) -> None:  # noqa: N805 -- of a metaclass
        """Take the tag out of `fields`. Raises `EncodeError` if it is another type's."""
        config = cls.__struct_config__
        tag = fields.pop(config.tag_field, config.tag) if config.tag_field else config.tag
        if tag != config.tag:
            reason = f"{config.tag_field} {tag!r} for a `{cls.__name__}`, expected {config.tag!r}"
            raise EncodeError(reason, wire=cls.WIRE, path=f"$.{config.tag_field}")


def seconds(value: Any) -> Any:
    """Return a `datetime` in seconds since 1970, anything else unchanged.

    One without a zone is in that of the machine, as for Python itself.
    """
    return value.timestamp() if isinstance(value, datetime) else value
