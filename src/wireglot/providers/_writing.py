"""What all encoders of providers share: losses, unknown keys, and errors in a wire's name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgspec
from msgspec import Raw, Struct

from ..errors import EncodeError
from ..losses import Losses, lose
from ..model import Extras
from ..model.base import NATIVE
from .losses import LOSSES

__all__ = ["Writer", "encoded"]

Encode = Callable[[Any], bytes]

_keys = msgspec.json.Decoder(dict[str, Raw]).decode


def encoded(encode: Encode, body: Any, wire: str) -> bytes:
    """Encode a wire's body; whatever msgspec raises becomes an `EncodeError` of that wire."""
    try:
        return encode(body)
    except UnicodeEncodeError as error:
        raise EncodeError("lone surrogate in text", wire=wire) from error
    except RecursionError as error:
        raise EncodeError("nested too deeply", wire=wire) from error
    except TypeError as error:
        raise EncodeError(str(error), wire=wire) from error


class Writer:
    """Base of the encoders: `root` is the canonical value being written, for paths in losses."""

    def __init__(self, root: Any, losses: Losses, wire: str, api: str, encode: Encode) -> None:
        self._root = root
        self._losses = losses
        self._wire = wire
        self._api = api
        self._encode = encode
        self._paths: dict[int, str] | None = None

    def _lose(self, what: str, part: Any) -> None:
        """Record the loss of `part`, or raise; `what` is a row of the wire's table of losses."""
        if self._paths is None:
            self._paths = dict(_places(self._root, "$"))
        path = self._paths.get(id(part), "$")
        lose(self._losses, self._wire, path, what, LOSSES[self._api][what])

    def _with_extras(self, made: Any, part: Any) -> Any:
        """Return `made` with the unknown keys that `part` brought over this API.

        A key that `made` has already wins. The keys of other APIs are a loss; those of the native
        wire never go to an LLM.
        """
        extras: Extras | None = part.extras
        if extras is None:
            return made
        if any(api not in (self._api, NATIVE) for api in extras):
            self._lose("extras", part)
        extra = extras.get(self._api)
        if extra is None:
            return made
        return {**_keys(extra.keys.text), **_keys(self._encode(made))}


def _places(value: Any, path: str) -> Iterator[tuple[int, str]]:
    """List every part of a value with its path; only a loss asks, so encoding keeps no record."""
    if type(value) is list:
        for i, item in enumerate(value):
            yield from _places(item, f"{path}[{i}]")
    elif isinstance(value, Struct):
        yield id(value), path
        names = zip(value.__struct_encode_fields__, value.__struct_fields__, strict=True)
        for key, name in names:
            yield from _places(getattr(value, name), f"{path}.{key}")
