"""How clients reach Cohere's chat API over HTTP."""

from __future__ import annotations

from typing import Any, Final

from .._state.facts import Endpoint

_FINAL: Final = 424  # the SDK repeats a request at each 502


def _model(name: str, _: int) -> dict[str, Any]:
    return {"name": name, "endpoints": ["chat"]}


ENDPOINT: Final = Endpoint(
    paths=("/v2/chat",),
    end="chat",
    models=("/v1/models", "/models"),
    other_calls=("embed", "rerank"),
    own_paths=("/v2/",),
    own_header="x-fern-sdk-name",
    unusable=_FINAL,
    model=_model,
    list_models=lambda models: {"models": models},
)
