"""How clients reach Ollama over HTTP. Source: its `docs/api.md`."""

from __future__ import annotations

from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, Final

import msgspec

from .._state.facts import Endpoint

_VERSION: Final = b'{"version":"0.32.14"}'
"""The version of the API as it is known here: clients refuse an older one."""
_DETAILS: Final = {
    "parent_model": "",
    "format": "",
    "family": "",
    "families": [],
    "parameter_size": "",
    "quantization_level": "",
}


def _time(since: int) -> str:
    return datetime.fromtimestamp(since, UTC).isoformat().replace("+00:00", "Z")


def _model(name: str, since: int) -> dict[str, Any]:
    return {
        "name": name,
        "model": name,
        "modified_at": _time(since),
        "size": 0,
        "digest": sha256(name.encode()).hexdigest(),  # clients take two of one digest for the same
        "details": _DETAILS,
    }


def _shown(since: int) -> bytes:
    """Return what is shown of any model; clients look for `capabilities`."""
    return msgspec.json.encode(
        {
            "modelfile": "",
            "parameters": "",
            "template": "",
            "details": _DETAILS,
            "model_info": {},
            "capabilities": ["completion", "tools", "vision", "thinking"],
            "modified_at": _time(since),
        }
    )


def _timings(answered: float, took: float) -> dict[str, Any]:
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


def _nanoseconds(seconds: float) -> int:
    return max(1, round(seconds * 1e9))


ENDPOINT: Final = Endpoint(
    paths=("/api/chat",),
    end="chat",
    models=("/api/tags",),
    other_calls=("embed", "embeddings"),
    own_paths=("/api/",),
    streams_unasked=True,
    model=_model,
    list_models=lambda models: {"models": models},
    fixed_answers={("POST", "/api/show"): _shown, ("GET", "/api/version"): _VERSION},
    timings=_timings,
)
