"""Where a gateway sends requests: a table of routes, made in code or read from TOML."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Collection
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct, field

from .._objects import located
from ..capabilities import ANY, of_model
from ..errors import DecodeError, EncodeError
from ..model import Request
from ..providers import PROVIDERS
from .doors import DOORS

__all__ = ["WIRE", "Config", "Route", "is_header_value", "read_config", "secret"]

WIRE = "gateway"

_is_variable = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,99}").fullmatch
_is_token = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+").fullmatch


class Route(Struct, frozen=True, forbid_unknown_fields=True):
    """Where to send the requests whose model matches `model`, a pattern with `*`.

    `url` is the part before the wire's own path, `https://api.anthropic.com`. `key` is the
    environment variable that has the provider's key. `name` is the provider's name of the model;
    with None it is the client's. `headers` are sent with every request. `like` is a name that tells
    which model it is, where the provider's name does not, as that of an Azure deployment: what the
    model does not take is left out (see `wireglot.capabilities`).

    Raises `EncodeError` if a value is invalid.
    """

    model: str
    provider: str
    url: str
    key: str | None = None
    name: str | None = None
    dialect: str | None = None
    headers: dict[str, str] = field(default_factory=dict)
    like: str | None = None

    def __post_init__(self) -> None:
        """Refuse an unknown provider or dialect, and an invalid address or header."""
        _check("provider", self.provider, PROVIDERS)
        if self.dialect is not None:
            _check("dialect", self.dialect, PROVIDERS[self.provider].DIALECTS)
        if self.like is not None and of_model(self.like) is ANY:
            reason = "expected the name of a known model"
            raise EncodeError(f"like `{self.like}`, {reason}", wire=WIRE)
        if not _is_address(self.url):
            reason = "expected http or https, a host and a path at most"
            raise EncodeError(f"url `{self.url}`, {reason}", wire=WIRE)
        # The base_url of an SDK often ends with the beginning of the wire's own path.
        provider = PROVIDERS[self.provider]
        path = provider.route(Request([], "m"), dialect=self.dialect or provider.DIALECTS[0]).path
        parts = path.split("/")
        begins = tuple("/".join(parts[:count]) for count in range(2, len(parts) + 1))
        if urlsplit(self.url).path.rstrip("/").endswith(begins):
            raise EncodeError(f"url `{self.url}`, expected what stands before `{path}`", wire=WIRE)
        for name, value in self.headers.items():
            if not (_is_token(name) and is_header_value(value)):
                raise EncodeError(f"header `{name}`, expected printable ASCII", wire=WIRE)

    def takes(self, model: str) -> bool:
        """Whether the route is for a model."""
        return _pattern(self.model)(model) is not None


class Config(Struct, frozen=True, forbid_unknown_fields=True):
    """A gateway: its routes, of which the first that matches is taken, and its limits.

    `largest` is the most bytes of a request, and of an answer that is not a stream. A request must
    arrive within `arrival` seconds. The gateway gives up when the provider sends nothing, or the
    client takes nothing, for `patience` seconds. `retries` is how often it tries again to connect
    to a provider. `client_key` is the environment variable that has the key that clients must show,
    at `/metrics` as well; with None they need none. `client_dialects` names the dialect of a wire
    that its clients speak, `{"openai_chat": "openrouter"}`; answers are written in it.

    Raises `EncodeError` if a value is invalid.
    """

    routes: list[Route]
    largest: int = 64 * 1024 * 1024
    arrival: float = 60.0
    patience: float = 600.0
    retries: int = 1
    client_key: str | None = None
    client_dialects: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse limits that are not positive and finite, and unknown wires and dialects."""
        for wire, dialect in self.client_dialects.items():
            _check("client_dialects", wire, DOORS)
            _check("dialect", dialect, PROVIDERS[wire].DIALECTS)
        for name in ("largest", "arrival", "patience"):
            value = getattr(self, name)
            if not 0 < value < math.inf:
                raise EncodeError(f"{name} {value}, expected more than 0", wire=WIRE)

    def route(self, model: str | None) -> Route | None:
        """Return the first route that matches a model, or None."""
        return next((each for each in self.routes if each.takes(model or "")), None)


def read_config(path: str | os.PathLike[str]) -> Config:
    """Read a `Config` from a TOML file; a route is a table `[[routes]]`.

    Raises `DecodeError` if it is invalid, OSError if it cannot be read.
    """
    try:
        return msgspec.toml.decode(Path(path).read_bytes(), type=Config)
    except ValueError as error:
        reason, below = located(error)
        raise DecodeError(f"{os.fspath(path)}: {reason}", wire=WIRE, path="$" + below) from error


def secret(variable: str | None) -> str | None:
    """Return the value of an environment variable.

    Raises `EncodeError` if it is not set, or if it is not printable.
    """
    if variable is None:
        return None
    if not _is_variable(variable):  # the key itself, most likely, which must not be shown
        raise EncodeError("a key that is not a name of an environment variable", wire=WIRE)
    value = os.environ.get(variable, "").strip()
    if not value:
        is_shown = variable.isupper()  # otherwise it may be the key itself
        reason = f"no `{variable}`" if is_shown else "a key that names nothing"
        raise EncodeError(f"{reason} in the environment", wire=WIRE)
    if not value.isprintable():
        raise EncodeError(f"`{variable}` in the environment, expected printable text", wire=WIRE)
    return value


def is_header_value(text: str) -> bool:
    """Whether every server and client accepts a text as the value of a header."""
    return text.isascii() and text.isprintable()


@cache
def _pattern(model: str) -> Callable[[str], re.Match[str] | None]:
    return re.compile(".*".join(map(re.escape, model.split("*"))), re.DOTALL).fullmatch


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        port = parts.port
        (parts.hostname or "").encode("idna")  # as DNS will get it
    except ValueError:
        return False
    return (
        parts.scheme in ("http", "https")
        and bool(parts.hostname)
        and port != 0
        and "@" not in parts.netloc
        and not parts.query
        and not parts.fragment
        and is_header_value(url)
        and " " not in url
    )


def _check(what: str, value: str, known: Collection[str]) -> None:
    if value not in known:
        names = ", ".join(f"`{name}`" for name in known)
        raise EncodeError(f"{what} `{value}`, expected one of {names}", wire=WIRE)
