"""Keys of a request to OpenAI's APIs that a service or a model refuses.

`Request` has no fields for these: they say how the service stores, caches and checks. Sources:
openai 3.57; for what services refuse, the pages that `dialects.py` names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

import msgspec
from msgspec import Raw
from msgspec.structs import replace

from ..._body.encode import encode_json as encode
from ..._body.fields import changed
from ..._body.objects import is_null, is_object
from ...capabilities import ANY, Capabilities
from ...model import Extra, RawJson
from .._state.encoding import Encoding
from .ids import hashed

_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_string = msgspec.json.Decoder(str | None).decode
SAME_TIERS: Final = {"standard": "default", "standard_only": "default"}
"""Tier of another API -> OpenAI's word for it."""
USUAL, LONGER = "30m", "12h"
"""How long a breakpoint lasts if none says otherwise, and the nearest to an hour."""
_LONGEST_KEY: Final = 64
_OPTIONS: Final = "prompt_cache_options"
_MEDIUM: Final = b'"medium"'
_CHARACTER: Final = re.compile(r"[\s\S]")


def adapt_keys(
    encoding: Encoding,
    takes: Capabilities,
    refuses: frozenset[str],
    *,
    in_text: bool,
    explicit: bool,
) -> None:
    """Take from a request's own keys those that are refused, and shorten the key of the cache.

    `takes` is what the model takes, `refuses` are the keys that the service refuses, `in_text` is
    whether the API has the verbosity in `text`, `explicit` whether the options of the cache have to
    say that its breakpoints are explicit.
    """
    request, api = encoding.root, encoding.api
    own = request.extras.get(api)
    if own is None:
        return
    keys = _lifted(own.keys)
    spelled = _lifted(own.spelling) if own.spelling is not None else {}
    changes: dict[str, Raw | None] = {}
    for key, raw in {**spelled, **keys}.items():
        if is_null(raw):
            continue
        is_implicit = explicit and key == _OPTIONS and b'"explicit"' not in bytes(raw)
        if key in refuses or is_implicit or _is_refused(key, raw, takes):
            encoding.lose("parameter", request, f".{key}", [key])
            changes[key] = None
        elif key == "prompt_cache_key" and len(_text(raw)) > _LONGEST_KEY:
            changes[key] = Raw(encode(hashed(_text(raw), _CHARACTER, _LONGEST_KEY)))
    if changes:
        new = _with(own, keys, spelled, changes, in_text=in_text)
        encoding.stand_in(changed(request, {"extras": {**request.extras, api: new}}))


def _with(
    own: Extra,
    keys: dict[str, Raw],
    spelled: dict[str, Raw],
    changes: Mapping[str, Raw | None],
    *,
    in_text: bool,
) -> Extra:
    """Return the extras of a request with some keys changed, or taken away."""
    keys = {key: raw for key, raw in {**keys, **changes}.items() if raw is not None}
    spelled = {key: raw for key, raw in spelled.items() if key not in changes}
    spelling = _lowered(spelled, in_text=in_text) if own.spelling is not None else None
    return replace(own, keys=_lowered(keys, in_text=in_text), spelling=spelling)


def _lifted(keys: RawJson) -> dict[str, Raw]:
    """Return the keys of a request, with the verbosity in `text` beside the others."""
    found = _keys(keys.text)
    text = found.get("text")
    if text is None or b"verbosity" not in bytes(text) or not is_object(text):
        return found
    inner = _keys(text)
    verbosity = inner.pop("verbosity", None)
    if verbosity is not None:
        found["verbosity"] = verbosity
        found["text"] = Raw(encode(inner))
        if not inner:
            del found["text"]
    return found


def _lowered(keys: dict[str, Raw], *, in_text: bool) -> RawJson:
    """Return keys with the verbosity where an API has it."""
    if in_text and "verbosity" in keys:
        keys = dict(keys)
        verbosity = keys.pop("verbosity")
        text = _keys(keys["text"]) if "text" in keys and is_object(keys["text"]) else {}
        keys["text"] = Raw(encode({**text, "verbosity": verbosity}))
    return RawJson.adopt(Raw(encode(keys)))


def _text(raw: Raw) -> str:
    try:
        return _string(raw) or ""
    except msgspec.DecodeError:
        return ""


_Refused = Callable[[Raw, Capabilities], bool]
_BY_MODEL: Final[Mapping[str, _Refused]] = {
    _OPTIONS: lambda _, takes: not takes.breakpoints,
    "prompt_cache_retention": lambda raw, takes: (
        takes.retentions is not None and _text(raw) not in takes.retentions
    ),
    "verbosity": lambda raw, takes: not takes.verbosity and bytes(raw) != _MEDIUM,
}


def _is_refused(key: str, raw: Raw, takes: Capabilities) -> bool:
    """Whether a model refuses the value of a key."""
    return takes is not ANY and key in _BY_MODEL and _BY_MODEL[key](raw, takes)
