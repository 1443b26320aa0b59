"""Every client with every provider, for tests that take a `name` and a `target`."""

from __future__ import annotations

import pytest

import wireglot as wg

__all__ = ["STREAM", "every_pair"]

_PAIRS = [(client, provider) for client in wg.PROVIDERS for provider in wg.PROVIDERS]
every_pair = pytest.mark.parametrize(
    ("name", "target"), _PAIRS, ids=[f"{client} to {provider}" for client, provider in _PAIRS]
)
STREAM = {
    **{name: provider.StreamEncoder.CONTENT_TYPE for name, provider in wg.PROVIDERS.items()},
    **dict.fromkeys(("anthropic", "openai_chat", "openai_responses"), "text/event-stream"),
    **dict.fromkeys(("gemini", "mistral", "cohere"), "text/event-stream"),
    "bedrock": "application/vnd.amazon.eventstream",
    "ollama": "application/x-ndjson",
}
"""The media type of a provider's streams."""
