"""Keys of a request that OpenAI's two APIs share, and keys that a service or a model refuses.

The model has no fields for these: they say how the service stores, caches and checks. A key of one
API becomes that of the other, if the service has it. One that would be refused is a loss, also on
its own API. Sources: openai 3.57; for what services refuse, the pages that `dialects.py` names.
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
_CHAT: Final = "openai-chat"
_RESPONSES: Final = "openai-responses"
SHARED: Final = frozenset(
    {"moderation", "prompt_cache_key", "prompt_cache_options", "prompt_cache_retention", "store"}
    | {"verbosity"}
)
"""The keys that both have; Responses has `verbosity` in `text`."""
_FALSE: Final = Raw(b"false")
_LONGEST_KEY: Final = 64
_MEDIUM: Final = b'"medium"'
_CHARACTER: Final = re.compile(r"[\s\S]")


def adapt_keys(
    encoding: Encoding, takes: Capabilities, shares: frozenset[str], refuses: frozenset[str]
) -> None:
    """Give a request the keys that the other API of OpenAI has brought, without refused ones.

    `takes` is what the model takes, `shares` are those of `SHARED` that the service has, `refuses`
    are keys that it refuses.
    """
    request, api = encoding.root, encoding.api
    extras: dict[str, Extra] = dict(request.extras)
    own = extras.get(api)
    keys = _lifted(own.keys) if own is not None else {}
    spelled = _lifted(own.spelling) if own is not None and own.spelling is not None else {}
    came = {**spelled, **keys}
    changes: dict[str, Raw | None] = {}
    name = _CHAT if api == _RESPONSES else _RESPONSES
    other = extras.get(name)
    if other is not None and shares:
        theirs = _lifted(other.keys)
        taken = [key for key in theirs if key in shares and not is_null(theirs[key])]
        if taken:
            changes = {key: theirs[key] for key in taken if not _says_nothing(key, theirs[key], api)}
            rest = {key: raw for key, raw in theirs.items() if key not in taken}
            extras[name] = replace(other, keys=_lowered(rest, name))
    for key, raw in (came | changes).items():
        if is_null(raw):
            continue
        if key in refuses or _is_refused(key, raw, takes):
            encoding.lose("refused key", request, f".{key}", [key])
            changes[key] = None
        elif key == "prompt_cache_key" and shares and len(_text(raw)) > _LONGEST_KEY:
            changes[key] = Raw(encode(hashed(_text(raw), _CHARACTER, _LONGEST_KEY)))
    if not changes and other is extras.get(name):
        return
    if changes:
        extras[api] = _with(own, keys, spelled, changes, api)
    encoding.stand_in(changed(request, {"extras": extras}))


def _with(
    own: Extra | None,
    keys: dict[str, Raw],
    spelled: dict[str, Raw],
    changes: Mapping[str, Raw | None],
    api: str,
) -> Extra:
    """Return the extras of a request with some keys changed, or taken away."""
    keys = {key: raw for key, raw in {**keys, **changes}.items() if raw is not None}
    spelled = {key: raw for key, raw in spelled.items() if key not in changes}
    extra = own if own is not None else Extra(RawJson.of({}))
    spelling = _lowered(spelled, api) if extra.spelling is not None else None
    return replace(extra, keys=_lowered(keys, api), spelling=spelling)


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


def _lowered(keys: dict[str, Raw], api: str) -> RawJson:
    """Return keys with the verbosity where an API has it."""
    if api == _RESPONSES and "verbosity" in keys:
        keys = dict(keys)
        verbosity = keys.pop("verbosity")
        text = _keys(keys["text"]) if "text" in keys and is_object(keys["text"]) else {}
        keys["text"] = Raw(encode({**text, "verbosity": verbosity}))
    return RawJson.adopt(Raw(encode(keys)))


def _says_nothing(key: str, raw: Raw, api: str) -> bool:
    """Whether a shared key asks the other API for what it does anyway."""
    return key == "store" and api == _CHAT and bytes(raw) == _FALSE


def _text(raw: Raw) -> str:
    try:
        return _string(raw) or ""
    except msgspec.DecodeError:
        return ""


_Refused = Callable[[Raw, Capabilities], bool]
_BY_MODEL: Final[Mapping[str, _Refused]] = {
    "prompt_cache_options": lambda _, takes: not takes.breakpoints,
    "prompt_cache_retention": lambda raw, takes: (
        takes.retentions is not None and _text(raw) not in takes.retentions
    ),
    "verbosity": lambda raw, takes: not takes.verbosity and bytes(raw) != _MEDIUM,
}


def _is_refused(key: str, raw: Raw, takes: Capabilities) -> bool:
    """Whether a model refuses the value of a key."""
    return takes is not ANY and key in _BY_MODEL and _BY_MODEL[key](raw, takes)
