"""Inputs of bodies with payloads -> nothing, or what lifting them out of the body has changed."""

from __future__ import annotations

import re
from typing import Any

import wireglot as wg
from tests.fuzz.laws import check, choices
from tests.fuzz.providers import PATHS
from wireglot import _lifting
from wireglot.model import media

__all__ = ["LIFTING", "READERS"]

READERS = ("", *wg.PROVIDERS)
"""Who reads the body, by the first of its choices: the native wire, or a provider's requests."""
_SMALL, _NEVER = 32, 1 << 60
# What a decoder of JSON refuses within a string, and is not seen in one that is lifted.
_REFUSED = re.compile(rb"[\x00-\x1f\x80-\xff\\]")


def _check(data: bytes) -> None:
    first, _, body = choices(data)
    name = READERS[first % len(READERS)]
    plain, lifted = _outcome(name, body, _NEVER), _outcome(name, body, _SMALL)
    if not (isinstance(plain, tuple) and _REFUSED.search(body)):
        check(lifted == plain, "payloads that skip the decoder change nothing")


def _outcome(name: str, body: bytes, large: int) -> Any:
    """Return what the values are, or the error, where payloads of so many bytes are large."""
    _lifting.LARGE = media._LARGE = large
    losses: list[wg.Loss] = []
    try:
        if not name:
            messages = wg.json.decode(body, losses=losses)
            return [wg.json.encode(messages), losses]
        provider = wg.PROVIDERS[name]
        request = provider.decode_request(body, PATHS.get(name), losses=losses)
        native = wg.json.encode(request)
        return [native, losses, provider.encode_request(request, losses, repair=True)]
    except wg.WireglotError as error:
        return type(error), str(error), losses
    finally:
        _lifting.LARGE = media._LARGE = _DEFAULT


_DEFAULT = _lifting.LARGE
LIFTING = {"lifting": _check}
