"""What all encoders of providers share: losses, unknown keys, and errors in a wire's name."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

import msgspec
from msgspec import Raw, Struct

from .._surrogates import mended_value
from ..errors import EncodeError, WireglotError
from ..losses import Losses, lose
from ..model import OpaqueBlock, RawJson
from ..model.base import NATIVE
from .losses import LOSSES

__all__ = ["Writer", "encoded"]

Encode = Callable[[Any], bytes]

_keys = msgspec.json.Decoder(dict[str, Raw]).decode


def encoded(
    write: Callable[[Any, Losses], Any], encode: Encode, value: Any, wire: str, losses: Losses
) -> bytes:
    """Encode what `write` makes of `value`; whatever goes wrong is an `EncodeError`.

    A lone surrogate in a text is one too, or with a list of losses U+FFFD and a loss.
    """
    before = len(losses) if losses is not None else 0
    try:
        try:
            return encode(write(value, losses))
        except UnicodeEncodeError:
            if losses is not None:
                del losses[before:]  # what the first attempt found will be found again
            return encode(write(mended_value(value, wire, "$", losses), losses))
    except EncodeError:
        raise
    except WireglotError as error:
        raise EncodeError(error.reason, wire=wire) from error
    except RecursionError as error:
        raise EncodeError("nested too deeply", wire=wire) from error
    except (TypeError, ValueError) as error:
        raise EncodeError(str(error), wire=wire) from error


class Writer:
    """Base of the encoders: `root` is the canonical value being written, for paths in errors."""

    def __init__(self, root: Any, losses: Losses, wire: str, api: str, encode: Encode) -> None:
        self._root = root
        self._losses = losses
        self._wire = wire
        self._api = api
        self._encode = encode
        self._paths: dict[int, str] | None = None

    def _path(self, part: Any) -> str:
        """Find where `part` stands; only errors and losses ask, so encoding keeps no record."""
        if self._paths is None:
            self._paths = {}
            for key, path in _places(self._root, "$"):
                self._paths.setdefault(key, path)
        return self._paths.get(id(part), "$")

    def _fail(self, reason: str, part: Any, key: str = "") -> NoReturn:
        raise EncodeError(reason, wire=self._wire, path=self._path(part) + key)

    def _lose(self, what: str, part: Any) -> None:
        """Record the loss of `part`, or raise; `what` is a row of the wire's table of losses."""
        lose(self._losses, self._wire, self._path(part), what, LOSSES[self._api][what])

    def _own_keys(self, part: Any) -> dict[str, Raw]:
        """Return the unknown keys that `part` brought over this API.

        Those of other APIs are a loss; those of the native wire never go to an LLM.
        """
        if any(api not in (self._api, NATIVE) for api in part.extras):
            self._lose("extras", part)
        extra = part.extras.get(self._api)
        return _keys(extra.keys.text) if extra is not None else {}

    def _with_extras(self, made: Any, part: Any) -> Any:
        """Return `made` with the unknown keys of `part`; a key that `made` has already wins."""
        if part.extras is None:
            return made
        own = self._own_keys(part)
        return self._with_keys(made, own) if own else made

    def _with_keys(self, made: Any, keys: dict[str, Raw]) -> dict[str, Raw]:
        return {**keys, **_keys(self._encode(made))}

    def _opaque(self, block: OpaqueBlock) -> RawJson:
        """Return the JSON of a block of this API, which is an object on every wire."""
        if block.raw.text[:1] != b"{":
            self._fail("an opaque block that is no object", block)
        return block.raw

    def _finite(self, value: float | None, key: str) -> float | None:
        """Refuse a number that JSON has no word for."""
        if value is not None and not math.isfinite(value):
            self._fail(f"{value} has no JSON", self._root, key)
        return value


def _places(value: Any, path: str) -> Iterator[tuple[int, str]]:
    """List every part of a value with its path."""
    if type(value) is list:
        for i, item in enumerate(value):
            yield from _places(item, f"{path}[{i}]")
    elif isinstance(value, Struct):
        yield id(value), path
        names = zip(value.__struct_encode_fields__, value.__struct_fields__, strict=True)
        for key, name in names:
            yield from _places(getattr(value, name), f"{path}.{key}")
