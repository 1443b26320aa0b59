"""How clients reach OpenAI's chat API over HTTP."""

from __future__ import annotations

from typing import Final

from .._state.facts import Endpoint

ENDPOINT: Final = Endpoint(
    paths=("/v1/chat/completions",),
    end="chat/completions",
    models=("/v1/models", "/models"),
    other_calls=("embeddings", "completions", "moderations"),
    feature_headers=("openai-beta",),
    counts_if_asked=True,
)
