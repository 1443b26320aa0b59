"""How clients reach Bedrock's Converse over HTTP."""

from __future__ import annotations

from typing import Any, Final

from .._state.facts import Endpoint

_FAILED: Final = 424  # what Bedrock answers where a model's answer is of no use


def _model(name: str, _: int) -> dict[str, Any]:
    return {
        "modelId": name,
        "modelName": name,
        "inputModalities": ["TEXT", "IMAGE"],
        "outputModalities": ["TEXT"],
        "responseStreamingSupported": True,
        "inferenceTypesSupported": ["ON_DEMAND"],
        "modelLifecycle": {"status": "ACTIVE"},
    }


def _timings(_: float, took: float) -> dict[str, Any]:
    return {"metrics": {"latencyMs": round(took * 1e3)}}


ENDPOINT: Final = Endpoint(
    paths=("/model/{call:path}",),
    end="/converse",
    models=("/foundation-models",),
    other_calls=("/count-tokens",),
    before_model="/model/",
    stream_end="/converse-stream",
    own_paths=("/model/", "/foundation-models"),
    id_header="x-amzn-requestid",
    code_header="x-amzn-errortype",
    unusable=_FAILED,
    model=_model,
    one_model=lambda model: {"modelDetails": model},
    list_models=lambda models: {"modelSummaries": models},
    timings=_timings,
)
