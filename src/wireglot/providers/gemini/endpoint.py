"""How clients reach Gemini's API over HTTP, at Google AI and at Vertex AI."""

from __future__ import annotations

from typing import Any, Final

from .._state.facts import Endpoint

_CALLS: Final = ["generateContent", "streamGenerateContent"]


def _model(name: str, _: int) -> dict[str, Any]:
    return {"name": f"models/{name}", "displayName": name, "supportedGenerationMethods": _CALLS}


ENDPOINT: Final = Endpoint(
    paths=(
        *("/v1beta/models/{call:path}", "/v1/models/{call:path}"),
        *("/v1beta1/projects/{call:path}", "/v1/projects/{call:path}"),  # Vertex
        *("/v1beta1/publishers/{call:path}", "/v1/publishers/{call:path}"),  # with an API key
    ),
    end=":generateContent",
    models=("/v1beta/models", "/v1/models", "/models"),
    other_calls=(":countTokens", ":embedContent", ":batchEmbedContents"),
    before_model="/models/",
    stream_end=":streamGenerateContent",
    own_paths=("/v1beta", "/v1/projects", "/v1/publishers"),
    own_header="x-goog-api-key",
    array_unless=("alt", "sse"),
    model=_model,
    list_models=lambda models: {"models": models},
)
