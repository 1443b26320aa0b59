"""Where a gateway sends requests: a table of routes, made in code or read from TOML."""

from __future__ import annotations

import os
from fnmatch import fnmatchcase
from pathlib import Path

import msgspec
from msgspec import Struct, field

from ..errors import DecodeError, EncodeError
from ..providers import PROVIDERS

__all__ = ["WIRE", "Config", "Route", "read_config"]

WIRE = "gateway"


class Route(Struct, frozen=True, forbid_unknown_fields=True):
    """Where requests for a model go: those whose name of it matches `model`, a pattern with `*`.

    `url` stands before the wire's own path, `https://api.anthropic.com`. `key` is the environment
    variable that has the provider's key. `name` is what the provider calls the model, the client's
    word if it is None. `headers` go with every request.

    Raises `EncodeError` if a value is none.
    """

    model: str
    provider: str
    url: str
    key: str | None = None
    name: str | None = None
    dialect: str | None = None
    headers: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse what is no provider, dialect or address."""
        _check("provider", self.provider, tuple(PROVIDERS))
        if self.dialect is not None:
            _check("dialect", self.dialect, PROVIDERS[self.provider].DIALECTS)
        if not self.url.startswith(("http://", "https://")):
            raise EncodeError(f"url `{self.url}`, expected http or https", wire=WIRE)


class Config(Struct, frozen=True, forbid_unknown_fields=True):
    """A gateway: its routes, of which the first that matches is taken, and its limits.

    `largest` counts the bytes of a request, and of an answer that is no stream. A request has to
    arrive within `arrival` seconds; after `patience` seconds in which the provider sends nothing,
    or the client takes nothing, a gateway gives up. `retries` is how often it tries again to
    connect to a provider. `client_key` is the environment variable that has the key which clients
    must show, if they must.
    """

    routes: list[Route]
    largest: int = 64 * 1024 * 1024
    arrival: float = 60.0
    patience: float = 600.0
    retries: int = 1
    client_key: str | None = None

    def route(self, model: str | None) -> Route | None:
        """Return the route of a model."""
        return next((each for each in self.routes if fnmatchcase(model or "", each.model)), None)


def read_config(path: str | os.PathLike[str]) -> Config:
    """Read a `Config` from a TOML file; a route is a table `[[routes]]`.

    Raises `DecodeError` if it is none, OSError if it cannot be read.
    """
    try:
        return msgspec.toml.decode(Path(path).read_bytes(), type=Config)
    except ValueError as error:
        raise DecodeError(f"{os.fspath(path)}: {error}", wire=WIRE) from error


def secret(variable: str | None) -> str | None:
    """Return what is in a variable of the environment. Raises `EncodeError` if it is not set."""
    if variable is None:
        return None
    value = os.environ.get(variable)
    if not value:
        raise EncodeError(f"no `{variable}` in the environment", wire=WIRE)
    return value


def _check(what: str, value: str, known: tuple[str, ...]) -> None:
    if value not in known:
        names = ", ".join(f"`{name}`" for name in known)
        raise EncodeError(f"{what} `{value}`, expected one of {names}", wire=WIRE)
