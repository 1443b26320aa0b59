"""How clients reach Anthropic's API over HTTP."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Final

from .._state.facts import Endpoint


def _model(name: str, since: int) -> dict[str, Any]:
    return {
        "type": "model",
        "id": name,
        "display_name": name,
        "created_at": datetime.fromtimestamp(since, UTC).isoformat().replace("+00:00", "Z"),
        "lifecycle": "active",
    }


def _models(models: list[dict[str, Any]]) -> dict[str, Any]:
    first, last = (models[0]["id"], models[-1]["id"]) if models else (None, None)
    return {"data": models, "has_more": False, "first_id": first, "last_id": last}


ENDPOINT: Final = Endpoint(
    paths=("/v1/messages",),
    end="messages",
    models=("/v1/models", "/models"),
    other_calls=("messages/count_tokens",),
    own_paths=("/v1/messages",),
    own_header="anthropic-version",
    feature_headers=("anthropic-beta",),
    features_in_body=frozenset({"bedrock"}),
    id_header="request-id",
    model=_model,
    list_models=_models,
)
