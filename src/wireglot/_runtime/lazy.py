"""A package whose names are imported when they are first asked for."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from .locks import first_use


def lazily(
    package: str, places: Mapping[str, str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return the `__getattr__` and the `__dir__` of a package that has an `__all__`.

    `places` has the module of each name that is not there at once, as `import_module` takes it:
    `{"json": ".json"}` is the module itself, `{"Route": ".routes"}` the `Route` in it.

    The import runs under the lock of first uses. So no module of ours may ask a package for such a
    name while it is imported itself (`import wireglot.json as json`, not `from .. import json`):
    two threads would each hold the lock that the other waits for. A test finds those that do.
    """

    def find(name: str) -> Any:
        place = places.get(name)
        if place is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        with first_use:
            try:
                module = import_module(place, package)
            except AttributeError as error:  # which would say that there is no such name
                raise ImportError(f"{package}{place}: {error}", name=package + place) from error
        value = module if place == f".{name}" else getattr(module, name)
        setattr(sys.modules[package], name, value)  # so that the next access does not come here
        return value

    def names() -> list[str]:
        return sorted({*sys.modules[package].__all__, *places})

    return find, names
