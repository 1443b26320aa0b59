"""What every model type has in common: naming, omission, and unknown keys kept aside."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, Self

from msgspec import Raw, Struct

from ..errors import EncodeError
from .accepted import NOTHING
from .rawjson import MaybeRawValue, RawJson, RawValue, optional_json

__all__ = [
    "ADAPTERS",
    "NATIVE",
    "Adapted",
    "Extra",
    "Extras",
    "Node",
    "UnknownKeys",
    "adopting",
    "only",
    "only_text",
]

NATIVE = "wireglot"
"""The API name of our own wire, under which `extras` keeps its unknown keys."""


_put = Struct.__setattr__


def adopting(**fields: Callable[[Any], Any]) -> Callable[[Any, str, Any], None]:
    """Return the `__setattr__` of a class: a field adopts what a caller assigns to it.

    A constructor and a decoder do not come here; they call the class's `__post_init__`.
    """

    def assign(owner: Any, name: str, value: Any) -> None:
        adopt = fields.get(name)
        _put(owner, name, value if adopt is None else adopt(value))

    return assign


def only_text(wire: str = "model", **given: Any) -> None:
    """Raise `EncodeError` for the first argument of a helper that is not text."""
    for name, value in given.items():
        only(str, value, f"$.{name}", wire)


def only(kind: type, value: Any, path: str, wire: str = "model") -> None:
    """Raise `EncodeError` for a value of another type: what is written with it is not readable."""
    if not isinstance(value, kind):
        reason = f"expected `{kind.__name__}`, got `{type(value).__name__}`"
        raise EncodeError(reason, wire=wire, path=path)


ADAPTERS: dict[str, Callable[[], Any]] = {}
"""The library that asks -> what returns the module with the answers; `wireglot` fills it."""


class Adapted:
    """What other libraries ask a class for, by the names of methods.

    The answers are in modules that are imported when one of them asks. A Struct names this after
    `Struct`, or Python refuses it a `__setattr__` of its own.
    """

    __slots__ = ()

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        """Return how pydantic reads and writes this type."""
        return ADAPTERS["pydantic"]().validator_of(cls)

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: Any, handler: Any) -> Any:
        """Return the JSON Schema that pydantic and FastAPI publish of this type."""
        return ADAPTERS["pydantic"]().schema_of(cls, handler)

    def _repr_html_(self) -> str | None:
        """Return what a notebook shows; None for what is not a message, a block or the like."""
        html: str | None = ADAPTERS["notebook"]().html(self)
        return html


class Extra(Struct, Adapted, forbid_unknown_fields=True, omit_defaults=True):
    """Keys of one API that have no field here: `keys` is a JSON object, text as it came.

    `spelling` is an object too. It holds keys that have a field, but came in another spelling than
    ours (`null` for a key that we would omit). They are written again to the same `dialect` of the
    API, as long as they agree with the fields.
    """

    keys: Annotated[RawValue, dict[str, Any]]
    spelling: Annotated[MaybeRawValue, dict[str, Any] | None] = NOTHING
    dialect: str | None = None

    def __post_init__(self) -> None:
        """Adopt the decoder's slice, or a plain dict."""
        if not isinstance(self.keys, RawJson):
            self.keys = RawJson.adopt(self.keys)
        if self.spelling is not None and not isinstance(self.spelling, RawJson):
            self.spelling = optional_json(self.spelling)
        for held in (self.keys, self.spelling):
            if held is not None and held.text[:1] != b"{":
                raise ValueError("expected `object`")

    if not TYPE_CHECKING:  # with a `__setattr__`, a type checker allows any name
        __setattr__ = adopting(keys=RawJson.adopt, spelling=optional_json)


class UnknownKeys(RawJson):
    """Unknown keys of the native wire; the encoder writes them back beside the known ones.

    `came_as` holds their MessagePack values, if they came as MessagePack: JSON has no binary.
    """

    __slots__ = ("came_as",)

    came_as: dict[str, Raw]

    def detach(self) -> Self:
        """Copy the keys out of the input that they are slices of, and return self."""
        if hasattr(self, "came_as"):
            self.came_as = {key: Raw(bytes(raw)) for key, raw in self.came_as.items()}
        return super().detach()

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle and copy as bytes, in both forms."""
        packed = {key: bytes(raw) for key, raw in getattr(self, "came_as", {}).items()}
        return _revive, (self.text, packed)


def _revive(text: bytes, packed: dict[str, bytes]) -> UnknownKeys:
    made = UnknownKeys(text)
    if packed:
        made.came_as = {key: Raw(value) for key, value in packed.items()}
    return made


Extras = dict[str, Extra]
"""Unknown keys by API name (`anthropic-messages`, `wireglot`, ...)."""


class Node(
    Struct,
    Adapted,
    omit_defaults=True,
    repr_omit_defaults=True,
    rename="camel",
    forbid_unknown_fields=True,
    gc=False,
):
    """Base of the model types: keys are camelCase, optional fields are omitted when unset.

    Types refuse unknown keys, so that the plain C decode fails on data that is not canonical; the
    tolerant reader then collects the unknown keys into `extras`. A document is a tree, so the
    cyclic garbage collector does not track its objects, which makes decoding much faster. A message
    that a caller makes refer to itself is never freed, unless the caller breaks the cycle.
    """
