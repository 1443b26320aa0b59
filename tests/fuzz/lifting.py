"""Bodies with payloads -> nothing, or an error if lifting payloads out of the body changes it."""

from __future__ import annotations

import re
from typing import Any

import wireglot as wg
from tests.fuzz.laws import check, choices
from tests.fuzz.providers import PATHS
from wireglot._body import payloads as _lifting
from wireglot.model import media

__all__ = ["LIFTING", "READERS"]

READERS = ("", *wg.PROVIDERS)
"""The wire that reads the body, by its first choice: native (`""`), or a provider's requests."""
_SMALL, _NEVER = 32, 1 << 60
# Bytes that a JSON decoder refuses in a string, but does not see in one that is lifted.
_REFUSED = re.compile(rb"[\x00-\x1f\x80-\xff\\]")


def _check(data: bytes) -> None:
    first, _, body = choices(data)
    name = READERS[first % len(READERS)]
    plain, lifted = _outcome(name, body, _NEVER), _outcome(name, body, _SMALL)
    if not (isinstance(plain, tuple) and _REFUSED.search(body)):
        check(lifted == plain, "payloads that skip the decoder change nothing")


def _outcome(name: str, body: bytes, large: int) -> Any:
    """Return the values or the error, with `large` bytes as the size of a large payload."""
    _lifting.LARGE = media._LARGE = large
    losses: list[wg.Loss] = []
    try:
        if not name:
            messages = wg.json.decode(body, losses=losses)
            return [wg.json.encode(messages), losses]
        provider = wg.PROVIDERS[name]
        request = provider.decode_request(body, PATHS.get(name), losses=losses)
        native = wg.json.encode(request)
        return [native, losses, provider.encode_request(request, losses=losses, repair=True)]
    except wg.WireglotError as error:
        return type(error), str(error), losses
    finally:
        _lifting.LARGE = media._LARGE = _DEFAULT


_DEFAULT = _lifting.LARGE
LIFTING = {"lifting": _check}
