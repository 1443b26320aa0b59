"""What is known of Mistral's chat API beside its JSON."""

from __future__ import annotations

from typing import Final

from .._across import probabilities
from .._state.facts import Facts, Sdk
from .endpoint import ENDPOINT
from .sdk import event

API: Final = "mistral-chat"
"""The stable id of this wire."""


_FAMILIES: Final = ("mis", "mix", "minis", "magis", "codes", "devs", "pix", "vox")
_MODELS: Final = tuple(f"{maker}{name}tral" for maker in ("", "open-") for name in _FAMILIES)

FACTS: Final = Facts(
    api=API,
    endpoint=ENDPOINT,
    framing="sse",
    shows="unasked",
    sdk=Sdk(event=event),
    models=_MODELS,
    own_keys=frozenset({"safe_prompt", "prompt_mode", "guardrails", "document_image_limit"}),
    stop_reasons=frozenset({"error", "length", "model_length", "stop", "tool_calls"}),
    file_store="mistral",
    token_parts={"audio_in": ("prompt_tokens_details", "audio_tokens")},
    logprobs=probabilities.MISTRAL,
    also_called={
        "opentelemetry": ("mistral_ai",),
        "langchain": ("mistralai",),
        "operator_use": ("mistral",),
        "pydantic_ai": ("mistral",),
    },
)
