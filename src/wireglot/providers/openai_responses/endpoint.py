"""How clients reach OpenAI's Responses over HTTP."""

from __future__ import annotations

from typing import Final

from .._state.facts import Endpoint
from .._state.signatures import holds_sealed

ENDPOINT: Final = Endpoint(
    paths=("/v1/responses",),
    end="responses",
    models=("/v1/models", "/models"),
    other_calls=("responses/input_tokens", "responses/compact"),
    own_paths=("/v1/responses",),
    feature_headers=("openai-beta",),
    is_foreign=holds_sealed,
)
