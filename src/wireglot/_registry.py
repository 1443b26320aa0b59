"""The name of a wire or a dialect -> ours of that name, or what another distribution registers.

It is registered by an entry point of one of three groups: `wireglot.providers` and
`wireglot.formats` have modules, `wireglot.dialects` has the `Service` of `openai_chat.NAME` or
`openai_responses.NAME`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache, partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, TypeVar, cast, get_args

from ._runtime.locks import first_use
from .errors import EncodeError, unknown

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

_OwnName: TypeAlias = Literal[
    "anthropic",
    "openai_chat",
    "openai_responses",
    "gemini",
    "bedrock",
    "mistral",
    "cohere",
    "ollama",
]
PROVIDER_NAMES: Final[tuple[str, ...]] = get_args(_OwnName)
APIS: Final[Mapping[str, str]] = {
    "anthropic-messages": "anthropic",
    "openai-chat": "openai_chat",
    "openai-responses": "openai_responses",
    "gemini-generate-content": "gemini",
    "bedrock-converse": "bedrock",
    "mistral-chat": "mistral",
    "cohere-chat-v2": "cohere",
    "ollama-chat": "ollama",
}
"""The id of each of our APIs -> the name of its provider."""
LIKELY: Final = ("openai_chat", *(name for name in PROVIDER_NAMES if name != "openai_chat"))
"""Our providers, the likelier first where a document could be of several."""
WireName: TypeAlias = _OwnName | str
"""The name of a provider: ours, which editors complete, or a registered one."""
FORMAT_NAMES: Final = (
    "phi_core",
    "pyagenity",
    "ravi",
    "operator_use",
    "langchain",
    "pydantic_ai",
    "mcp",
    "otel",
)
WIRES: Final = frozenset({*PROVIDER_NAMES, *FORMAT_NAMES, "native", "msgpack"})
"""Our own wires. The command has providers and formats in one list, so a name is of one of them."""

_Value = TypeVar("_Value")
_Refuse: TypeAlias = Callable[[Any], str | None]


class Table(Mapping[str, _Value]):
    """Name -> value: ours, in their order, then those that are registered, by name.

    `own` returns the value of one of `names`. `refuse` returns what is wrong with the value of an
    entry point of `group` whose name begins with `prefix`, None if nothing is. `reserved` are the
    names that it cannot have; they are not looked for either.

    Entry points are looked at when a name is not ours, or when the names are listed, which raises
    `EncodeError` if two have one name, or one has a reserved name. The value of one is loaded when
    it is asked for, which raises `EncodeError` if it cannot be, or is refused.
    """

    def __init__(
        self,
        group: str,
        names: Iterable[str],
        own: Callable[[str], _Value],
        refuse: _Refuse,
        *,
        prefix: str = "",
        reserved: frozenset[str] = frozenset(),
    ) -> None:
        self._group = group
        # Each with its value, once that was asked for: this is on the way of every request.
        self._names: dict[str, _Value | None] = dict.fromkeys(names)
        self._own = own
        self._refuse = refuse
        self._prefix = prefix
        self._reserved = reserved.union(self._names)

    def __getitem__(self, name: str) -> _Value:
        value = self._names.get(name)
        if value is not None:
            return value
        if name in self._names:
            value = self._names[name] = self._own(name)
            return value
        if name not in self:
            raise KeyError(unknown(self._group.removeprefix("wireglot.")[:-1], name, self))
        return cast("_Value", _loaded(self._group, self._prefix + name, self._refuse))

    def __contains__(self, name: object) -> bool:
        """Whether there is such a name; nothing is loaded for the answer."""
        return name in self._names or (name not in self._reserved and name in self._registered())

    def __iter__(self) -> Iterator[str]:
        return iter([*self._names, *self._registered()])

    def __len__(self) -> int:
        return len(self._names) + len(self._registered())

    def _registered(self) -> tuple[str, ...]:
        return _names(self._group, self._prefix, self._reserved)


class Dialects(tuple[str, ...]):
    """Our dialects of a wire, the default first. Those that are registered are `in` it as well.

    They are not listed, so that nothing is looked for while only ours are used.
    """

    _services: Mapping[str, Any]

    def __new__(cls, own: Iterable[str], services: Mapping[str, Any]) -> Dialects:
        made = super().__new__(cls, own)
        made._services = services
        return made

    def __contains__(self, name: object) -> bool:
        return name in self._services


def forget() -> None:
    """Look for entry points anew from now on, after an installation in a running process."""
    _scanned.cache_clear()
    _names.cache_clear()
    _loaded.cache_clear()
    _looked_for.clear()
    _registered.clear()


def _points(group: str) -> dict[str, EntryPoint]:
    """Return the entry points of a group, sorted by name. Raises `EncodeError` if two have one."""
    points, twice = _scanned(group)
    if twice is not None:
        point, other = twice
        raise _error(point, f"{other} registers `{point.name}` as well, expected one of them")
    return points


@cache
def _scanned(group: str) -> tuple[dict[str, EntryPoint], tuple[EntryPoint, str] | None]:
    """Return the entry points of a group, and one whose name another distribution has, too."""
    from importlib.metadata import entry_points  # it takes longer to import than all of the model

    points: dict[str, EntryPoint] = {}
    for point in sorted(entry_points(group=group), key=lambda point: point.name):
        if point.name in points:
            return points, (point, _distribution(points[point.name]))
        points[point.name] = point
    return points, None


@cache
def _names(group: str, prefix: str, reserved: frozenset[str]) -> tuple[str, ...]:
    """Return the registered names. Raises `EncodeError` if one of them is reserved."""
    names = [name.removeprefix(prefix) for name in _points(group) if name.startswith(prefix)]
    for name in sorted(reserved.intersection(names)):
        point = _points(group)[prefix + name]
        raise _error(point, f"`{name}` is wireglot's own, expected another name")
    return tuple(names)


@cache
def _loaded(group: str, name: str, refuse: _Refuse) -> Any:
    point = _points(group)[name]
    try:
        value = point.load()  # without a lock of ours: the module may ask for what takes one
        wrong = refuse(value)
    except (Exception, SystemExit) as error:  # whatever the module raises
        raise _error(point, f"cannot be loaded: {type(error).__name__}: {error}") from error
    if wrong is not None:
        raise _error(point, wrong)
    return value


def _error(point: EntryPoint, reason: str) -> EncodeError:
    where = f"entry point `{point.name} = {point.value}` of {_distribution(point)}"
    return EncodeError(f"{where}: {reason}", wire=point.group)


def _distribution(point: EntryPoint) -> str:
    return f"`{point.dist.name}`" if point.dist is not None else "an unknown distribution"


def _module(package: str, name: str) -> Any:
    with first_use:
        return import_module(f"{package}.{name}")


def _not_a(protocol: str, value: Any) -> str | None:
    """Return why a module is not what a protocol asks for; the protocol is loaded only now."""
    package, _, name = protocol.rpartition(".")
    home = import_module(package)
    kind = getattr(home, name)
    members = [each for each in (*kind.__annotations__, *vars(kind)) if each[0] != "_"]
    missing = ", ".join(f"`{each}`" for each in members if not hasattr(value, each))
    if missing:
        return f"no {missing}, expected a module that is a `{protocol}`"
    if not isinstance(value.API, str):
        return f"`API` is `{type(value.API).__name__}`, expected `str`"
    wrong: str | None = home.wrong_facts(value) if hasattr(home, "wrong_facts") else None
    return wrong


PROVIDERS: Final[Mapping[str, Any]] = Table(
    "wireglot.providers",
    PROVIDER_NAMES,
    partial(_module, "wireglot.providers"),
    partial(_not_a, "wireglot.providers.Provider"),
    reserved=WIRES,
)
"""The providers, each a `Provider`: `wireglot.providers` has the same with its type."""
FORMATS: Final[Mapping[str, Any]] = Table(
    "wireglot.formats",
    FORMAT_NAMES,
    partial(_module, "wireglot.formats"),
    partial(_not_a, "wireglot.formats.Format"),
    reserved=WIRES,
)
"""The formats, each a `Format`: `wireglot.formats` has the same with its type."""


_looked_for: dict[str, Any] = {}
"""The providers of other distributions so far, by name; None if one cannot be loaded."""
_registered: list[Mapping[str, Any]] = []
"""Those that can be, once all have been looked for."""


def registered() -> Mapping[str, Any]:
    """Return the providers of other distributions, by name.

    One that cannot be loaded is left out: who asks for it by its name gets the error.
    """
    for known in _registered:
        return known
    is_whole = True
    with suppress(EncodeError):
        for name in PROVIDERS:
            if name not in PROVIDER_NAMES and name not in _looked_for:
                try:
                    _looked_for[name] = PROVIDERS[name]
                except EncodeError:
                    if _is_being_imported(name):
                        is_whole = False
                    else:
                        _looked_for[name] = None
    looked_for = [*_looked_for.items()]  # which another thread may add to
    found = {name: module for name, module in looked_for if module is not None}
    if is_whole:
        _registered.append(found)
    return found


def _is_being_imported(name: str) -> bool:
    """Whether a module lacks names because another import of it has not ended yet."""
    module = sys.modules.get(_points("wireglot.providers")[name].module)
    return bool(getattr(getattr(module, "__spec__", None), "_initializing", False))
