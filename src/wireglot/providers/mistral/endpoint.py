"""How clients reach Mistral's chat API over HTTP."""

from __future__ import annotations

from typing import Any, Final

from .._state.facts import Endpoint

_CAPABILITIES: Final = {
    "completion_chat": True,
    "function_calling": True,
    "reasoning": True,
    "vision": True,
}


def _model(name: str, since: int) -> dict[str, Any]:
    return {
        "id": name,
        "object": "model",
        "created": since,
        "owned_by": "wireglot",
        "type": "base",
        "capabilities": _CAPABILITIES,
    }


ENDPOINT: Final = Endpoint(
    paths=("/v1/chat/completions",),
    end="chat/completions",
    models=("/v1/models", "/models"),
    other_calls=("embeddings", "moderations"),
    model=_model,
)
