"""A name of each API, short enough for the head of a column."""

from __future__ import annotations

from typing import Final

__all__ = ["API_NAMES"]

API_NAMES: Final = {
    "anthropic": "Anthropic",
    "openai_chat": "Chat",
    "openai_responses": "Responses",
    "gemini": "Gemini",
    "bedrock": "Bedrock",
    "mistral": "Mistral",
    "cohere": "Cohere",
    "ollama": "Ollama",
}
