"""The tokens of an answer: an API's own counts -> `Usage`, and what was not counted in all."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec
from msgspec import Raw
from msgspec.structs import replace

from ..._body.decode import Decoded, read_text
from ..._body.encode import encode_json as encode
from ...errors import DecodeError
from ...model import Extra, RawJson, Response, Usage
from .._state.decoding import residue
from .._state.facts import TokenParts, TokenPlace, facts_of
from .._state.stored import lenient_value

_keys = msgspec.json.Decoder(dict[str, Raw]).decode

LATEST: Final = 1e14
"""The bound on a time in seconds, before and after 1970: milliseconds must fit 64 bits."""
NO_CHOICES: Final = "answer without choices, expected at least one"
OUT_OF_RANGE: Final = "time out of range, expected at most 10**14 seconds from 1970"

TIERS: Final = frozenset({"flex", "priority"})
"""The tiers that several APIs have, beside the usual one."""
_NO_KEYS: Final = Raw(b"{}")

ReadUsage = Callable[[Any], Usage]
"""Returns the counts in a wire's own Struct for its usage."""


def usage_of(
    raw: Any,
    api: str,
    kind: Any,
    counts: ReadUsage,
    path: str = "$.usage",
    uncounted: Callable[[Any], Mapping[str, Raw]] = lambda _: {},
) -> Usage | None:
    """Return the usage in a slice that holds a `kind`; its `extras` keep the slice, for its wire.

    Its unknown keys are those of no field of `kind`; what a service counts that the model has no
    place for is not a loss on another wire, and `kind` has fields for it. What is in none of the
    counts is a loss there: `uncounted` returns those keys.

    Raises `DecodeError`; `path` is that of the slice.
    """
    text = b"null" if raw is None else bytes(raw)
    if text == b"null":
        return None
    try:
        body = usage_body(kind, text)
    except DecodeError as error:
        raise DecodeError(error.reason, path=path + error.path[1:]) from error
    usage = counts(body.root)
    apart = uncounted(body.root)
    unknown = residue(body.root, body.unknown) if body.unknown else {}
    keys = Raw(encode({**unknown, **apart})) if apart or unknown else _NO_KEYS
    usage.extras = {api: Extra(RawJson.adopt(keys), spelling=RawJson.adopt(Raw(text)))}
    return usage


def totalled(response: Response) -> Response:
    """Give an answer a total of its tokens, in place, where the API reports none.

    That is after its calls have ids, which may be a hash of all that the API has said.
    """
    for message in (response.message, *(response.alternatives or ())):
        if message.usage is not None:
            message.usage.total_tokens = message.usage.summed()
    return response


def usage_body(kind: Any, raw: Any) -> Decoded:
    """Decode a slice of usage."""
    return read_text(kind, bytes(raw), "usage")


def with_reasoning(said: int, thought: int) -> int:
    """Return the tokens of an answer, reasoning included.

    More reasoning than tokens in all was counted outside of them, as Perplexity does.
    """
    return said + thought if thought > said else said


def counts_of(usage: Usage) -> tuple[Any, ...]:
    """Return the counts of usage, without its `extras`."""
    return tuple(getattr(usage, name) for name in usage.__struct_fields__ if name != "extras")


def with_tier(response: Response, key: str) -> Response:
    """Return an answer with the tier that its API tells under a key among the counts.

    The usual tier, which each API calls otherwise, says nothing.
    """
    if response.service_tier is not None:
        return response
    text = _spelled(response.message.usage, response.message.api)
    if key.encode() not in text:
        return response
    said = lenient_value(RawJson.adopt(Raw(text)))
    tier = said.get(key) if isinstance(said, dict) else None
    if not isinstance(tier, str) or tier.lower() not in TIERS:
        return response
    return replace(response, service_tier=tier.lower())


def token_parts(usage: Usage, api: str | None) -> TokenParts:
    """Return what the API that usage came over has counted apart, as far as it fits the counts.

    A caller may have changed the counts since.
    """
    known = facts_of(api).token_parts
    text = _spelled(usage, api) if known else b""
    places: dict[str, TokenPlace] = {}
    for name, place in known.items() if text else ():
        step = place[-2:][0]  # most usage does not have the word that tells of the part
        if str(step[1] if type(step) is tuple else place[-1]).encode() in text:
            places[name] = place
    if not places:
        return NO_PARTS
    parts = TokenParts()
    said = lenient_value(RawJson.adopt(Raw(text)))
    for name, place in places.items():
        setattr(parts, name, _count_at(said, place))
    if parts.audio_in + parts.images_in > usage.input + usage.cache_read + usage.cache_write:
        parts.audio_in = parts.images_in = 0
    if parts.audio_out > usage.output:
        parts.audio_out = 0
    if parts.written_5m + parts.written_1h != usage.cache_write:
        parts.written_5m = parts.written_1h = 0
    return parts


NO_PARTS: Final = TokenParts()


def _spelled(usage: Usage | None, api: str | None) -> bytes:
    """Return usage as its API wrote it, empty if that is not known."""
    extra = usage.extras.get(api or "") if usage is not None and usage.extras is not None else None
    return extra.spelling.text if extra is not None and extra.spelling is not None else b""


def _count_at(said: Any, place: TokenPlace) -> int:
    """Return the count at a place of plain data, 0 if there is none."""
    found = [said]
    for step in place:
        if isinstance(step, str):
            found = [value.get(step) for value in found if isinstance(value, dict)]
        else:
            key, chosen = step
            listed = [item for value in found if isinstance(value, list) for item in value]
            found = [x for x in listed if isinstance(x, dict) and x.get(key) == chosen]
    return sum(count for count in found if type(count) is int and count > 0)
