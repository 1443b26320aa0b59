"""What all encoders of providers share: losses, unknown keys, and errors in a wire's name."""

from __future__ import annotations

from collections.abc import Callable
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

    def _lose(self, what: str, part: Any) -> None:
        """Record the loss of `part`, or raise; `what` is a row of the wire's table of losses."""
        path = _path_to(self._root, part, "$") or "$"
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


def _path_to(value: Any, part: Any, path: str) -> str | None:
    """Find where `part` itself stands; only a loss asks, so encoding keeps no record of places."""
    if value is part:
        return path
    if type(value) is list:
        items = [(f"{path}[{i}]", item) for i, item in enumerate(value)]
    elif isinstance(value, Struct):
        names = zip(value.__struct_encode_fields__, value.__struct_fields__, strict=True)
        items = [(f"{path}.{key}", getattr(value, name)) for key, name in names]
    else:
        return None
    return next((found for at, item in items if (found := _path_to(item, part, at))), None)
