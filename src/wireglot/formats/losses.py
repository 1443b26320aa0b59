"""The tables of what each format carries and loses, from which the documentation is made."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from msgspec.structs import fields

from ._mapping import EXTRAS, Writer

__all__ = ["carried_by", "losses_by"]


def _writer(name: str) -> type[Writer]:
    writer: type[Writer] = import_module(f".{name}.codec", __package__).MessageWriter
    return writer


def carried_by(name: str) -> dict[type[Any], tuple[list[str], list[str]]]:
    """Return, for each canonical type that a format has a place for, its fields carried and lost.

    `name` is a key of `FORMATS`. Every field but `extras` is in one of the two lists.
    """
    table = {}
    for kind, names in _writer(name).CARRIED.items():
        carried = names.split()
        known = [info.name for info in fields(kind)]
        table[kind] = carried, [n for n in known if n not in carried and n != "extras"]
    return table


def losses_by(name: str) -> Mapping[str, str]:
    """Return what else a format loses, by name: why, and what is done instead."""
    return {**_writer(name).LOSSES, "extras": EXTRAS}
