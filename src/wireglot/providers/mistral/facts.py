"""What is known of Mistral's chat API beside its JSON."""

from __future__ import annotations

from typing import Final

from .._state.facts import Facts, Sdk
from .endpoint import ENDPOINT
from .sdk import event

API: Final = "mistral-chat"
"""The stable id of this wire."""


FACTS: Final = Facts(
    api=API,
    endpoint=ENDPOINT,
    framing="sse",
    sdk=Sdk(event=event),
    models="(open-)?(mi[sx]|minis|magis|codes|devs|pix|vox)tral",
    own_keys=frozenset({"safe_prompt", "prompt_mode", "guardrails", "document_image_limit"}),
    stops=frozenset({"error", "length", "model_length", "stop", "tool_calls"}),
    file_store="mistral",
    also_called={
        "opentelemetry": ("mistral_ai",),
        "langchain": ("mistralai",),
        "operator_use": ("mistral",),
        "pydantic_ai": ("mistral",),
    },
)
