"""Where a gateway sends requests: a table of routes, made in code or read from TOML."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Collection
from pathlib import Path
from typing import Any, Final, Literal
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct, field

from .._body.faults import located
from ..capabilities import ANY, of_model
from ..errors import DecodeError, EncodeError, unknown
from ..model import Request
from ..providers import PROVIDERS
from ..providers.losses import SEVERE
from .doors import doors

__all__ = [
    "LONGEST_NAME",
    "WIRE",
    "Config",
    "ModelRoute",
    "fits",
    "is_header_value",
    "read_config",
    "secret",
]

WIRE = "gateway"
LONGEST_NAME: Final = 512
"""Characters of a model's name. Bedrock's longest in use, an ARN, has about 150."""

_is_variable = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,99}").fullmatch
_is_host = re.compile(r"[A-Za-z0-9._*-]+").fullmatch
_is_token = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+").fullmatch


class ModelRoute(Struct, frozen=True, forbid_unknown_fields=True):
    """Where to send the requests whose model matches `model`, a pattern with `*`.

    `url` is the part before the wire's own path, `https://api.anthropic.com`. `key` is the
    environment variable that has the provider's key. `name` is the provider's name of the model;
    with None it is the client's. A `*` in it is what that of `model` stands for. `headers` are sent
    with every request. `like` is a name that tells which model it is, where the provider's name
    does not, as that of an Azure deployment: what the model does not take is left out (see
    `wireglot.capabilities`). `fallback` is a model whose route is taken where this provider gives
    no answer: at 429 or 5xx, or if it cannot be reached, breaks off or is silent before it answers.
    `allow` names severe losses with which requests are sent all the same.

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
    fallback: str | None = None
    allow: tuple[str, ...] = ()

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
            raise EncodeError(f"url `{self.url}`, expected the part before `{path}`", wire=WIRE)
        if odd := {*self.model} & {*"?[]"}:
            reason = "expected `*` as the only wildcard"
            raise EncodeError(f"model `{self.model}` has `{min(odd)}`, {reason}", wire=WIRE)
        if len(self.model) > LONGEST_NAME:
            reason = f"model of {len(self.model):,} characters, expected at most {LONGEST_NAME}"
            raise EncodeError(reason, wire=WIRE)
        if self.name == "":
            raise EncodeError("empty name, expected that of the provider's model", wire=WIRE)
        wildcards = (self.name or "").count("*")
        if wildcards and not wildcards == self.model.count("*") == 1:
            what = f"name `{self.name}` for the model `{self.model}`"
            raise EncodeError(f"{what}, expected one `*` in both", wire=WIRE)
        for what in self.allow:
            _check("severe loss", what, SEVERE)
        for name, value in self.headers.items():
            if not (_is_token(name) and is_header_value(value)):
                raise EncodeError(f"header `{name}`, expected printable ASCII", wire=WIRE)

    def named(self, model: str | None) -> str | None:
        """Return the provider's name of a model that the route takes.

        None is the client's own name, and an empty one is that of no model.
        """
        if self.name is None or "*" not in self.name:
            return self.name
        given = model or ""
        before, _, behind = self.model.partition("*")
        found = given[len(before) : len(given) - len(behind)]
        return self.name.replace("*", found) if found else ""

    def takes(self, model: str) -> bool:
        """Whether the route is for a model; none is for a name of more than 512 characters."""
        return len(model) <= LONGEST_NAME and fits(model, self.model)


class Config(Struct, frozen=True, forbid_unknown_fields=True):
    """A gateway: its routes, of which the first that matches is taken, and its limits.

    `largest` is the most bytes of a request, and of an answer that is not a stream. A request must
    arrive within `arrival` seconds. The gateway gives up when the provider sends nothing, or the
    client takes nothing, for `patience` seconds. `retries` is how often it tries again to connect
    to a provider. `client_key` is the environment variable that has the key that clients must show,
    at `/metrics` as well, or a list of such variables; with None they need none. `log` is the form
    of a line in the log: `text` has `key=value`, `json` an object. `client_dialects` names the
    dialect of a wire that its clients speak, `{"openai_chat": "openrouter"}`; answers are written
    in it. `repair` gives a call without a result an error result, and makes a result without a call
    a text, where such a request is refused otherwise. `kept` is about how many bytes of the
    conversations between two wires are kept, so that only what is new of one is translated; with 0
    none are. `hosts` are the names that lead clients to the gateway, patterns with `*`. It matters
    only without `client_key`, where web pages could use the gateway; `localhost` and addresses are
    accepted without it.

    Raises `EncodeError` if a value is invalid, if there is no route, or one that is never taken.
    """

    routes: list[ModelRoute]
    largest: int = 64 * 1024 * 1024
    arrival: float = 60.0
    patience: float = 600.0
    retries: int = 1
    client_key: str | list[str] | None = None
    log: Literal["text", "json"] = "text"
    client_dialects: dict[str, str] = field(default_factory=dict)
    repair: bool = False
    kept: int = 64 * 1024 * 1024
    hosts: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Refuse limits that are not positive, unknown dialects, and routes never taken."""
        for wire, dialect in self.client_dialects.items():
            _check("wire of `client_dialects`", wire, doors())
            _check("dialect", dialect, PROVIDERS[wire].DIALECTS)
        for name in ("largest", "arrival", "patience"):
            value = getattr(self, name)
            if not 0 < value < math.inf:
                raise EncodeError(f"{name} {value}, expected more than 0", wire=WIRE)
        for name in ("retries", "kept"):
            if getattr(self, name) < 0:
                reason = f"{name} {getattr(self, name)}, expected 0 or more"
                raise EncodeError(reason, wire=WIRE)
        if self.client_key == []:
            reason = "client_key without a variable, expected the name of one"
            raise EncodeError(reason, wire=WIRE, path="$.client_key")
        for host in self.hosts:
            is_all = host != "*" and host.removesuffix(".").strip("*") == ""  # by a slip
            if is_all or not _is_host(host):
                reason = "expected the name of a host, without a port"
                raise EncodeError(f"host `{host}`, {reason}", wire=WIRE, path="$.hosts")
        routes: Any = self.routes
        if not isinstance(routes, list) or not {*map(type, routes)} <= {ModelRoute}:
            reason = "expected a list of `ModelRoute`; `read_config` reads a file"
            raise EncodeError(reason, wire=WIRE, path="$.routes")
        if not self.routes:
            raise EncodeError("no routes, expected at least one", wire=WIRE, path="$.routes")
        for i, route in enumerate(self.routes):
            path = f"$.routes[{i}]"
            # `*` of the later pattern stands for itself here, and only `*` matches it.
            first = next((each for each in self.routes[:i] if each.takes(route.model)), None)
            if first is not None:
                reason = f"expected it before `{first.model}`, which matches all of it"
                raise EncodeError(f"model `{route.model}`, {reason}", wire=WIRE, path=path)
            self._check_fallbacks(route, path)

    def _check_fallbacks(self, route: ModelRoute, path: str) -> None:
        """Refuse a fallback that has no route, or that leads back to where it came from."""
        seen = [route]
        while seen[-1].fallback is not None:
            name = seen[-1].fallback
            further = self.route(name)
            if further is None or further in seen:
                what = "without a route" if further is None else "with a route tried before"
                reason = f"fallback `{name}` {what}, expected another route"
                raise EncodeError(reason, wire=WIRE, path=path)
            if further.named(name) == "":
                what = f"fallback `{name}` does not name a model of `{further.model}`"
                reason = f"{what}, expected a name in the place of `*`"
                raise EncodeError(reason, wire=WIRE, path=path)
            seen.append(further)

    @property
    def client_keys(self) -> list[str]:
        """The environment variables that have the keys of clients; empty if they need none."""
        key = self.client_key
        return [] if key is None else [key] if isinstance(key, str) else key

    def route(self, model: str | None) -> ModelRoute | None:
        """Return the first route that matches a model, or None."""
        return next((each for each in self.routes if each.takes(model or "")), None)


def read_config(path: str | os.PathLike[str]) -> Config:
    """Read a `Config` from a TOML file; a route is a table `[[routes]]`.

    Raises `DecodeError` if it is invalid, OSError if it cannot be read.
    """
    text = Path(path).read_bytes()
    try:
        return msgspec.toml.decode(text, type=Config)
    except RecursionError as error:
        reason = f"{os.fspath(path)}: values in each other, expected fewer levels"
        raise DecodeError(reason, wire=WIRE) from error
    except ValueError as error:
        reason, below = located(error)
        reason = f"{os.fspath(path)}{_line_of(text, below)}: {reason}"
        raise DecodeError(reason, wire=WIRE, path="$" + below) from error


def _line_of(text: bytes, path: str) -> str:
    """Return the line of the table of a route, as `:14`, if a path leads to one."""
    number = re.search(r"\.routes\[(\d+)\]", path)
    tables = [*re.finditer(rb"^[ \t]*\[\[[ \t]*routes[ \t]*\]\]", text, re.MULTILINE)]
    if number is None or int(number[1]) >= len(tables):
        return ""
    lines = text.count(b"\n", 0, tables[int(number[1])].start())
    return f":{lines + 1}"


def secret(variable: str | None) -> str | None:
    """Return the value of an environment variable.

    Raises `EncodeError` if it is not set, or if it is not printable.
    """
    if variable is None:
        return None
    if not _is_variable(variable):  # the key itself, most likely, which must not be shown
        raise EncodeError(
            "key that is not a name, expected that of an environment variable", wire=WIRE
        )
    value = os.environ.get(variable, "").strip()
    if not value:
        is_shown = variable.isupper()  # otherwise it may be the key itself
        name = f"`{variable}`" if is_shown else "the variable that the key names"
        reason = f"no value of {name} in the environment, expected a key"
        raise EncodeError(reason, wire=WIRE)
    if not value.isprintable():
        raise EncodeError(f"`{variable}` in the environment, expected printable text", wire=WIRE)
    return value


def fits(text: str, pattern: str) -> bool:
    """Whether a text is as a pattern with `*` says. The time is in proportion to both."""
    begin, star, rest = pattern.partition("*")
    if not star or not text.startswith(begin):
        return text == pattern
    *pieces, end = rest.split("*")
    at, last = len(begin), len(text) - len(end)
    if at > last or not text.endswith(end):
        return False
    for piece in pieces:  # the first place of each leaves the most room for the others
        at = text.find(piece, at, last)
        if at < 0:
            return False
        at += len(piece)
    return True


def is_header_value(text: str) -> bool:
    """Whether every server and client accepts a text as the value of a header."""
    return text.isascii() and text.isprintable()


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
        raise EncodeError(unknown(what, value, known), wire=WIRE)
