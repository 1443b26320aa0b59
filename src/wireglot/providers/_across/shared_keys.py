"""Keys of a request without a field in the model that another API has too: from one to the other.

Unknown keys go to their own API alone. A wire that has some of them under a name of its own says so
in a table: API -> key there, with dots between keys of inner objects -> its own key, likewise.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from msgspec import Raw
from msgspec.structs import replace

from ..._body.encode import encode_json as encode
from ..._body.objects import is_null, is_object
from ...model import Extra, RawJson, Request
from .._state.encoding import Encoding

_keys = msgspec.json.Decoder(dict[str, Raw]).decode
FOREIGN: Final = "?"
"""The dialect of extras that hold keys of another API: it is nobody's."""


def share(encoding: Encoding, table: Mapping[str, Mapping[str, str]]) -> None:
    """Make those unknown keys of other APIs that this wire has, too, keys of its own.

    The request becomes a copy. A key that the wire's own extras have already stays as it is.
    """
    request: Request = encoding.root
    extras = dict(request.extras or {})
    own = extras.get(encoding.api)
    keys: dict[str, Any] = _keys(own.keys.text) if own is not None else {}
    found = False
    for api in [name for name in table if name in extras]:
        left: dict[str, Any] = _keys(extras[api].keys.text)
        taken = {name: _taken(left, path) for path, name in table[api].items()}
        taken = {name: raw for name, raw in taken.items() if raw is not None}
        if taken:
            found = True
            for name, raw in taken.items():
                _put(keys, name, raw)
            extras[api] = replace(extras[api], keys=RawJson.adopt(Raw(encode(left))))
    if not found:
        return
    kept = RawJson.adopt(Raw(encode(keys)))
    extras[encoding.api] = Extra(kept, None, FOREIGN) if own is None else replace(own, keys=kept)
    shared = replace(request, extras=extras)
    encoding.derived(shared, request)
    encoding.stand_in(shared)


def _put(keys: dict[str, Any], path: str, raw: Any) -> None:
    """Put a value at a path into some keys, if there is none yet."""
    name, _, rest = path.partition(".")
    if not rest:
        keys.setdefault(name, raw)
        return
    inner: dict[str, Any] = _keys(keys[name]) if is_object(keys.get(name, b"")) else {}
    _put(inner, rest, raw)
    keys[name] = Raw(encode(inner))


def _taken(keys: dict[str, Any], path: str) -> Any:
    """Take the value at a path out of some keys; None if there is none."""
    name, _, rest = path.partition(".")
    raw = keys.get(name)
    if raw is None or is_null(raw):
        return None
    if not rest:
        return keys.pop(name)
    if not is_object(raw):
        return None
    inner: dict[str, Any] = _keys(raw)
    found = _taken(inner, rest)
    if found is not None and inner:
        keys[name] = Raw(encode(inner))
    elif found is not None:
        del keys[name]
    return found
