"""The HTTP side of each wire, as its clients see it: its paths, and where they show a key.

A path that two wires share (OpenAI's chat and Mistral's) belongs to the first. Every wire also has
its paths below its name, `/mistral/v1/chat/completions`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from .._registry import LIKELY, PROVIDER_NAMES
from ..errors import EncodeError
from ..providers import PROVIDERS, Endpoint, facts_named

__all__ = ["JSON", "Door", "door_of", "doors", "path_like", "paths_of", "shown_keys", "wire_of"]

JSON: Final = "application/json"
_VERSION: Final = "/v1"


class Door(NamedTuple):
    """A wire whose clients are served."""

    api: str
    endpoint: Endpoint


def doors() -> Mapping[str, Door]:
    """Return the wires whose clients are served, by name: ours, then those that are registered.

    A registered provider without an endpoint is only behind the gateway, not before it, and so is
    one that cannot be loaded, or whose name is how a path of ours begins.
    """
    try:
        return _doors(tuple(PROVIDERS))
    except EncodeError:  # two have one name, or one has a name of ours
        return _doors(PROVIDER_NAMES)


@lru_cache(maxsize=1)
def _doors(names: tuple[str, ...]) -> dict[str, Door]:
    found: dict[str, Door] = {}
    for name in names:
        facts = facts_named(name)
        is_free = name in PROVIDER_NAMES or name not in _first_words(found)
        if facts.endpoint is not None and is_free:
            found[name] = Door(facts.api, facts.endpoint)
    return found


def _first_words(found: Mapping[str, Door]) -> set[str]:
    """Return how paths of ours begin: a wire of such a name would hide them."""
    ends = (door.endpoint for name, door in found.items() if name in PROVIDER_NAMES)
    paths = (path for each in ends for path in (*each.paths, *each.models))
    return {path.split("/", 2)[1] for path in paths} | {"health", "metrics", "api"}


def door_of(wire: str) -> Door:
    """Return the door of a wire that has one."""
    return doors()[wire]


def paths_of(endpoint: Endpoint) -> list[str]:
    """Return the paths of a wire's calls; those of version 1 are served without it, too.

    A base URL without the version is the commonest slip of users.
    """
    others = () if endpoint.before_model else endpoint.other_calls  # else the model is before these
    first = endpoint.paths[0].removesuffix(endpoint.end)
    paths = [*endpoint.paths, *(first + end for end in others)]
    bare = (path.removeprefix(_VERSION) for path in paths if path.startswith(f"{_VERSION}/"))
    return paths if endpoint.before_model else [*paths, *bare]


def path_like(path: str) -> str | None:
    """Return the path of a call that a path ends with, as where a base URL has too much."""
    endpoints = (door.endpoint for door in doors().values() if not door.endpoint.before_model)
    known = [each for endpoint in endpoints for each in paths_of(endpoint)]
    if path in known:
        return None
    return next((each for each in known if path.endswith(each.removeprefix(_VERSION))), None)


def wire_of(path: str, headers: Mapping[str, str]) -> str:
    """Return the wire that a client speaks, by its path, or by a header that its clients send.

    Where nothing tells, it is OpenAI's chat, which most clients speak.
    """
    known = doors()
    name = path.split("/", 2)[1] if path.startswith("/") else ""
    if name in known:
        return name
    for name, door in known.items():
        # That of another distribution cannot be as short as to take all.
        if any(path.startswith(start) for start in door.endpoint.own_paths if len(start) > 1):
            return name
    return next(
        (name for name, door in known.items() if (door.endpoint.own_header or "") in headers),
        LIKELY[0],
    )


def shown_keys(headers: Mapping[str, str], query: Mapping[str, str]) -> list[bytes]:
    """Return the keys that a client sent, wherever its wire has them."""
    keys = [headers[name] for name in ("x-api-key", "x-goog-api-key", "api-key") if name in headers]
    scheme, _, key = headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        keys.append(key)
    shown = [key.encode("latin-1") for key in keys]
    return [*shown, query["key"].encode(errors="replace")] if "key" in query else shown
