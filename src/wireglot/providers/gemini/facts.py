"""What is known of Gemini's generateContent beside its JSON."""

from __future__ import annotations

from typing import Final

from .._state.facts import Facts, Sdk
from . import web_search
from .endpoint import ENDPOINT
from .probabilities import LOGPROBS

API: Final = "gemini-generate-content"
"""The stable id of this wire."""


FACTS: Final = Facts(
    api=API,
    endpoint=ENDPOINT,
    framing="sse",
    shows="asked",
    sdk=Sdk(beside=frozenset({"automaticFunctionCallingHistory", "parsed", "sdkHttpResponse"})),
    model_in_path=True,
    models=("gemini",),
    stop_reasons=frozenset(
        {
            "BLOCKLIST",
            "CONTINUATION",
            "ESCALATION",
            "FINISH_REASON_UNSPECIFIED",
            "IMAGE_OTHER",
            "IMAGE_PROHIBITED_CONTENT",
            "IMAGE_RECITATION",
            "IMAGE_SAFETY",
            "LANGUAGE",
            "MALFORMED_FUNCTION_CALL",
            "MALFORMED_RESPONSE",
            "MAX_TOKENS",
            "MISSING_THOUGHT_SIGNATURE",
            "MODEL_ARMOR",
            "NO_IMAGE",
            "OTHER",
            "PROHIBITED_CONTENT",
            "PUP_LIMITED_DISABLED",
            "RECITATION",
            "SAFETY",
            "SPII",
            "STOP",
            "TOO_MANY_TOOL_CALLS",
            "UNEXPECTED_TOOL_CALL",
        }
    ),
    file_store="gemini",
    stored_keys=("cachedContent", "cached_content", "continuationToken", "continuation_token"),
    signer="gemini",
    search_in=web_search.search_in,
    searches=web_search.SEARCHES,
    tier_key="serviceTier",
    token_parts={
        "audio_in": ("promptTokensDetails", ("modality", "AUDIO"), "tokenCount"),
        "audio_out": ("candidatesTokensDetails", ("modality", "AUDIO"), "tokenCount"),
        "images_in": ("promptTokensDetails", ("modality", "IMAGE"), "tokenCount"),
    },
    logprobs=LOGPROBS,
    also_called={
        "command": ("google", "vertex:vertex"),
        "opentelemetry": ("gcp.gemini",),
        "": ("google", "gemini", "vertex"),
        "langchain": ("google_genai", "google_vertexai"),
        "operator_use alone": (
            "antigravity",
            "google-antigravity",
            "google-vertex",
            "google_vertex",
        ),
        "operator_use": ("gemini", "google", "vertex"),
        "pyagenity": ("google", "gemini"),
        "pydantic_ai": ("google", "google-cloud", "google-gla", "google-vertex"),
    },
)
