"""What all request and response encoders share: errors with a wire's name, and unknown keys."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import Raw, Struct

from ..errors import EncodeError
from ..model import Extras
from ..model.base import NATIVE

__all__ = ["encoded", "path_to", "with_extras"]

_keys = msgspec.json.Decoder(dict[str, Raw]).decode
Lose = Callable[[str], None]


def encoded(encode: Callable[[Any], bytes], body: Any, wire: str) -> bytes:
    """Encode a wire's body; whatever msgspec raises becomes an `EncodeError` of that wire."""
    try:
        return encode(body)
    except UnicodeEncodeError as error:
        raise EncodeError("lone surrogate in text", wire=wire) from error
    except RecursionError as error:
        raise EncodeError("nested too deeply", wire=wire) from error
    except TypeError as error:
        raise EncodeError(str(error), wire=wire) from error


def with_extras(
    part: Any, extras: Extras, api: str, encode: Callable[[Any], bytes], lose: Lose
) -> Any:
    """Return `part` with the unknown keys that came over this API; those of others are a loss.

    A key that `part` has already wins. Unknown keys of the native wire never go to an LLM.
    """
    if any(other not in (api, NATIVE) for other in extras):
        lose("extras")
    extra = extras.get(api)
    if extra is None:
        return part
    return {**_keys(extra.keys.text), **_keys(encode(part))}


def path_to(root: Any, part: Any, path: str = "$") -> str:
    """Where `part` itself stands in `root`; `$` if it is not there.

    Looked for only when there is something to report, so that encoding keeps no record of places.
    """
    return _find(root, part, path) or path


def _find(value: Any, part: Any, path: str) -> str | None:
    if value is part:
        return path
    if type(value) is list:
        items = ((f"{path}[{i}]", item) for i, item in enumerate(value))
    elif isinstance(value, Struct):
        names = zip(value.__struct_encode_fields__, value.__struct_fields__, strict=True)
        items = ((f"{path}.{key}", getattr(value, name)) for key, name in names)
    else:
        return None
    for where, item in items:
        found = _find(item, part, where)
        if found is not None:
            return found
    return None
