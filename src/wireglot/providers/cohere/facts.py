"""What is known of Cohere Chat, version 2, beside its JSON."""

from __future__ import annotations

from typing import Final

from .._state.facts import Facts
from .endpoint import ENDPOINT

API: Final = "cohere-chat-v2"
"""The stable id of this wire."""


FACTS: Final = Facts(
    api=API,
    endpoint=ENDPOINT,
    framing="sse",
    shows="unasked",
    models=("command", "c4ai"),
    shown_keys=("documents",),
    own_keys=frozenset({"documents", "citation_options", "safety_mode", "raw_prompting"}),
    stop_reasons=frozenset(
        {"COMPLETE", "ERROR", "MAX_TOKENS", "STOP_SEQUENCE", "TIMEOUT", "TOOL_CALL"}
    ),
    also_called={
        "langchain": ("cohere",),
        "operator_use": ("cohere",),
        "pydantic_ai": ("cohere",),
    },
)
