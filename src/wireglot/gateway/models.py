"""The models of a gateway's routes -> the lists that each wire's clients ask for.

A route whose pattern has a `*` stands for models that only its provider knows, and is not listed;
a client may name one all the same. A model is as old as the configuration: nothing else is known
(`since`, in seconds since 1970). Sources: the official SDKs' types, and Ollama's `docs/api.md`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, Final

import msgspec

__all__ = ["OLLAMA_VERSION", "model_json", "models_json", "shown_json"]

_encode = msgspec.json.Encoder().encode

OLLAMA_VERSION: Final = b'{"version":"0.32.14"}'
"""The version of Ollama's API as this gateway knows it: clients refuse an older one."""
_CALLS: Final = ["generateContent", "streamGenerateContent"]
_CAPABILITIES: Final = {
    "completion_chat": True,
    "function_calling": True,
    "reasoning": True,
    "vision": True,
}
_DETAILS: Final = {
    "parent_model": "",
    "format": "",
    "family": "",
    "families": [],
    "parameter_size": "",
    "quantization_level": "",
}


def _anthropic(name: str, since: int) -> dict[str, Any]:
    model = {"type": "model", "id": name, "display_name": name, "created_at": _time(since)}
    return model | {"lifecycle": "active"}


def _openai(name: str, since: int) -> dict[str, Any]:
    return {"id": name, "object": "model", "created": since, "owned_by": "wireglot"}


def _mistral(name: str, since: int) -> dict[str, Any]:
    return _openai(name, since) | {"type": "base", "capabilities": _CAPABILITIES}


def _gemini(name: str, _: int) -> dict[str, Any]:
    return {"name": f"models/{name}", "displayName": name, "supportedGenerationMethods": _CALLS}


def _bedrock(name: str, _: int) -> dict[str, Any]:
    return {
        "modelId": name,
        "modelName": name,
        "inputModalities": ["TEXT", "IMAGE"],
        "outputModalities": ["TEXT"],
        "responseStreamingSupported": True,
        "inferenceTypesSupported": ["ON_DEMAND"],
        "modelLifecycle": {"status": "ACTIVE"},
    }


def _cohere(name: str, _: int) -> dict[str, Any]:
    return {"name": name, "endpoints": ["chat"]}


def _ollama(name: str, since: int) -> dict[str, Any]:
    return {
        "name": name,
        "model": name,
        "modified_at": _time(since),
        "size": 0,
        "digest": sha256(name.encode()).hexdigest(),  # clients take two of one digest for the same
        "details": _DETAILS,
    }


def _time(since: int) -> str:
    return datetime.fromtimestamp(since, UTC).isoformat().replace("+00:00", "Z")


_MODELS: Final[Mapping[str, Callable[[str, int], dict[str, Any]]]] = {
    "anthropic": _anthropic,
    "bedrock": _bedrock,
    "cohere": _cohere,
    "gemini": _gemini,
    "mistral": _mistral,
    "ollama": _ollama,
}
"""The wires whose list is not in OpenAI's form."""
_KEYS: Final = {"bedrock": "modelSummaries", "cohere": "models", "gemini": "models"}


def model_json(wire: str, name: str, since: int) -> bytes:
    """Return one model, as a wire's API describes it."""
    model = _MODELS.get(wire, _openai)(name, since)
    return _encode({"modelDetails": model} if wire == "bedrock" else model)


def models_json(wire: str, names: Sequence[str], since: int) -> bytes:
    """Return the list of models, as a wire's API gives it, on one page."""
    model = _MODELS.get(wire, _openai)
    models = [model(name, since) for name in names]
    if wire == "anthropic":
        first, last = (names[0], names[-1]) if names else (None, None)
        page = {"has_more": False, "first_id": first, "last_id": last}
        return _encode({"data": models, **page})
    if wire == "ollama":
        return _encode({"models": models})
    key = _KEYS.get(wire)
    return _encode({key: models} if key is not None else {"object": "list", "data": models})


def shown_json(since: int) -> bytes:
    """Return what Ollama shows of a model; clients look for `capabilities`."""
    return _encode(
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
