"""The models of a gateway's routes -> the lists that each wire's clients ask for.

A route whose pattern has a `*` stands for models that only its provider knows, and is not listed;
a client may name one all the same. A model is as old as the configuration: nothing else is known
(`since`, in seconds since 1970). Most APIs list models as OpenAI does; the others say so in their
`Endpoint`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from .doors import door_of

__all__ = ["model_json", "models_json"]

_encode = msgspec.json.Encoder().encode


def model_json(wire: str, name: str, since: int) -> bytes:
    """Return one model, as a wire's API describes it."""
    endpoint = door_of(wire).endpoint
    return _encode(endpoint.one_model((endpoint.model or _model)(name, since)))


def models_json(wire: str, names: Sequence[str], since: int) -> bytes:
    """Return the list of models, as a wire's API gives it, on one page."""
    endpoint = door_of(wire).endpoint
    models = [(endpoint.model or _model)(name, since) for name in names]
    return _encode((endpoint.list_models or _models)(models))


def _model(name: str, since: int) -> dict[str, Any]:
    return {"id": name, "object": "model", "created": since, "owned_by": "wireglot"}


def _models(models: list[dict[str, Any]]) -> dict[str, Any]:
    return {"object": "list", "data": models}
