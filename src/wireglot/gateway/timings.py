"""How long an answer took -> the keys in which some APIs' answers tell it.

Clients compute with these numbers, and the codec has no clock: it writes 0.
"""

from __future__ import annotations

from msgspec.structs import replace

from ..model import Extra, RawJson, Response
from .doors import door_of

__all__ = ["timed"]


def timed(wire: str, response: Response, answered: float, took: float) -> Response:
    """Return an answer of another API with the time that it took, if its client's wire tells that.

    `answered` is when the provider began to answer, in seconds from the request, and `took` when
    the answer was complete: both are the same for an answer that came whole.
    """
    api, endpoint = door_of(wire)
    if endpoint.timings is None or response.message.api == api:
        return response
    extra = Extra(RawJson.of(endpoint.timings(answered, took)))
    return replace(response, extras={**(response.extras or {}), api: extra})
