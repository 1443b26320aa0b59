"""What the host of a dialect has not, of what the API itself has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct


class Host(Struct, frozen=True, kw_only=True):
    """What one host of an API refuses, or does not do. By default it has all that the API has."""

    keys: Mapping[type[Any], frozenset[str]] = {}
    """Type of the model -> the unknown keys that its values may not have there."""
    betas: Mapping[str, tuple[str, ...]] = {}
    """Key of a request -> how the names of betas begin, one of which the body has to name."""
    named_in: str = ""
    """The key of a request that names betas."""
    tools: tuple[str, ...] = ()
    """How the types of tools begin that it does not run."""
    blocks: frozenset[str] = frozenset()
    """The types of blocks that it does not know."""
    calls: frozenset[str] = frozenset()
    """The names of the tools whose calls by the provider it does not know."""
    fetches: bool = True
    """Whether it fetches media from URLs."""
    stores: bool = True
    """Whether it stores files, so that media can be named by their ids."""
    untimed: str = ""
    """A pattern of models whose breakpoints may not say how long they last; empty for none."""
    caches: bool = True
    """Whether it can be asked to put the breakpoint of a prompt cache itself."""


EVERYTHING = Host()
"""A host that has all."""
