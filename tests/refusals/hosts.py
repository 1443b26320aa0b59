"""A fake of each API, at each host and for each model: what is wrong with a body there."""

from __future__ import annotations

import json
from importlib import import_module

from tests.oracles import strict
from tests.refusals import refused

__all__ = ["HOSTS", "faults"]

HOSTS: dict[str, tuple[str, ...]] = {
    "anthropic": ("anthropic", "vertex", "bedrock"),
    "openai_chat": (
        *("openai", "azure", "openrouter", "deepseek", "xai", "groq", "zai", "qwen"),
        *("vllm", "llamacpp", "ollama", "generic"),
    ),
    "openai_responses": ("openai", "azure", "xai", "openrouter"),
    "gemini": ("gemini", "vertex"),
    "bedrock": ("bedrock",),
    "mistral": ("mistral",),
    "cohere": ("cohere",),
    "ollama": ("ollama",),
}
"""Wire -> where it is served, by the names of wireglot's dialects; the maker's own host first."""
_ORACLES_OF_HOSTS = ("openai_chat", "openai_responses", "gemini")


def faults(wire: str, host: str, model: str, body: bytes) -> list[str]:
    """Return all that an API refuses in a body: JSON, types, rules of the wire, and the table."""
    try:
        request = strict.read_json(body)
    except strict.OracleError as error:
        return [str(error)]
    found = [f"{row.name} - at {path}" for row, path in refused(wire, host, model, request)]
    if "model" not in request and wire in _NAMED_IN_PATH:
        body = json.dumps({"model": model or "m", **request}).encode()
    if wire == "anthropic":
        body = _as_typed(body, host)
    oracle = import_module(f"tests.oracles.{wire}")
    try:
        oracle.check_request(body, *((host,) if wire in _WITH_HOSTS else ()))
    except strict.OracleError as error:
        found += str(error).splitlines()
    return found


_WITH_HOSTS = ("openai_chat", "openai_responses", "gemini")
"""The wires whose oracle knows hosts."""
_NAMED_IN_PATH = ("anthropic", "openai_chat")
"""The wires with the model in the path at some hosts; the SDK's types have it in the body."""


def _as_typed(body: bytes, host: str) -> bytes:
    """Leave out the keys of betas and of the clouds, which the SDK's types have not."""
    request = json.loads(body)
    not_typed = _OF_BETAS if host == "anthropic" else _OF_BETAS | _OF_CLOUDS
    return json.dumps({key: request[key] for key in request if key not in not_typed}).encode()


_OF_BETAS = frozenset({"context_management", "fallbacks", "mcp_servers"})
_OF_CLOUDS = frozenset({"anthropic_version", "anthropic_beta"})
