"""The HTTP side of each wire: its paths, the type of its streams, the headers of its keys.

A path that two wires share (OpenAI's chat and Mistral's) belongs to the first. Every wire also has
its paths below its name, `/mistral/v1/chat/completions`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

__all__ = ["DOORS", "JSON", "Door", "key_header", "shown_keys"]

JSON: Final = "application/json"
_BEARER: Final = ("authorization", "Bearer ")


class Door(NamedTuple):
    """How clients reach a wire: its paths, in Starlette's syntax, and the header of the key.

    `key` is the name of that header, and the text in it before the key. `asks` are headers that ask
    for extra features. `model` finds the model in a path, on wires that do not have it in the body.
    """

    paths: tuple[str, ...]
    stream: str = "text/event-stream"
    key: tuple[str, str] = _BEARER
    asks: tuple[str, ...] = ()
    model: re.Pattern[str] | None = None


DOORS: Final[dict[str, Door]] = {
    "anthropic": Door(("/v1/messages",), key=("x-api-key", ""), asks=("anthropic-beta",)),
    "openai_chat": Door(("/v1/chat/completions",), asks=("openai-beta",)),
    "openai_responses": Door(("/v1/responses",), asks=("openai-beta",)),
    "gemini": Door(
        (
            *("/v1beta/models/{call:path}", "/v1/models/{call:path}"),
            *("/v1beta1/projects/{call:path}", "/v1/projects/{call:path}"),  # Vertex
        ),
        key=("x-goog-api-key", ""),
        model=re.compile(r"/models/(.+):(?:generate|streamGenerate)Content$"),
    ),
    "bedrock": Door(
        ("/model/{call:path}",),
        "application/vnd.amazon.eventstream",
        model=re.compile(r"/model/(.+)/converse(?:-stream)?$"),
    ),
    "mistral": Door(("/v1/chat/completions",)),
    "cohere": Door(("/v2/chat",)),
    "ollama": Door(("/api/chat",), "application/x-ndjson"),
}
"""The door of each of our wires; the others are only behind the gateway, not before it."""

# Dialects whose services expect the key in another header.
_KEYS: Final = {
    ("anthropic", "vertex"): _BEARER,
    ("anthropic", "bedrock"): _BEARER,
    ("gemini", "vertex"): _BEARER,
    ("openai_chat", "azure"): ("api-key", ""),
    ("openai_responses", "azure"): ("api-key", ""),
}


def key_header(provider: str, dialect: str | None, key: str) -> dict[str, str]:
    """Return the header that carries a provider's key, a bearer token unless it is another."""
    door = DOORS.get(provider)
    usual = _BEARER if door is None else door.key
    name, before = _KEYS.get((provider, dialect or ""), usual)
    return {name: before + key}


def shown_keys(headers: Mapping[str, str], query: Mapping[str, str]) -> list[bytes]:
    """Return the keys that a client sent, wherever its wire has them."""
    keys = [headers[name] for name in ("x-api-key", "x-goog-api-key", "api-key") if name in headers]
    scheme, _, key = headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        keys.append(key)
    shown = [key.encode("latin-1") for key in keys]
    return [*shown, query["key"].encode(errors="replace")] if "key" in query else shown
