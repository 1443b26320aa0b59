"""How long an answer took -> the keys in which Ollama's and Bedrock's answers tell it.

Clients compute with these numbers, and the codec has no clock: it writes 0. Sources: Ollama's
`api/types.go`, Bedrock's `ConverseMetrics`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec.structs import replace

from ..model import Extra, RawJson, Response
from ..providers import PROVIDERS

__all__ = ["timed"]


def timed(wire: str, response: Response, answered: float, took: float) -> Response:
    """Return an answer of another API with the time that it took, if its client's wire tells that.

    `answered` is when the provider began to answer, in seconds from the request, and `took` when
    the answer was complete: both are the same for an answer that came whole.
    """
    tell = _TOLD.get(wire)
    api = PROVIDERS[wire].API
    if tell is None or response.message.api == api:
        return response
    extra = Extra(RawJson.of(tell(answered, took)))
    return replace(response, extras={**(response.extras or {}), api: extra})


def _ollama(answered: float, took: float) -> dict[str, Any]:
    """Return the durations in nanoseconds; clients divide by them, so none is 0 that was measured.

    Nothing tells when the model had read the prompt of an answer that came whole: both times are
    then that of the answer.
    """
    writing = took - answered or took
    return {
        "total_duration": _nanoseconds(took),
        "load_duration": 0,
        "prompt_eval_duration": _nanoseconds(answered),
        "eval_duration": _nanoseconds(writing),
    }


def _bedrock(_: float, took: float) -> dict[str, Any]:
    return {"metrics": {"latencyMs": round(took * 1e3)}}


def _nanoseconds(seconds: float) -> int:
    return max(1, round(seconds * 1e9))


_TOLD: Final[Mapping[str, Callable[[float, float], dict[str, Any]]]] = {
    "bedrock": _bedrock,
    "ollama": _ollama,
}
