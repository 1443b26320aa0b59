"""What is known of Ollama's chat API beside its JSON."""

from __future__ import annotations

from typing import Final

from .._across import probabilities
from .._state.facts import Facts
from .endpoint import ENDPOINT

API: Final = "ollama-chat"
"""The stable id of this wire."""


FACTS: Final = Facts(
    api=API,
    endpoint=ENDPOINT,
    framing="ndjson",
    shows="unasked",
    own_keys=frozenset({"options", "keep_alive", "think", "template"}),
    stop_reasons=frozenset({"length", "load", "stop", "unload"}),
    logprobs=probabilities.OLLAMA,
    also_called={"langchain": ("ollama",), "operator_use": ("ollama",)},
)
