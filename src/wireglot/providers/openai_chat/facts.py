"""What is known of OpenAI Chat Completions beside its JSON."""

from __future__ import annotations

from typing import Final

from .._across import probabilities
from .._across.openai_tools import openai_tools
from .._state.facts import Facts, Sdk
from . import beside, web_search
from .endpoint import ENDPOINT

API: Final = "openai-chat"
"""The stable id of this wire."""


FACTS: Final = Facts(
    api=API,
    endpoint=ENDPOINT,
    framing="sse",
    sdk=Sdk(
        parsed={
            "choices": {
                "__all__": {
                    "message": {
                        "parsed": True,
                        "tool_calls": {"__all__": {"function": {"parsed_arguments": True}}},
                    }
                }
            }
        }
    ),
    stop_reasons=frozenset(
        {
            "abort",
            "content_filter",
            "eos",
            "error",
            "function_call",
            "insufficient_system_resource",
            "length",
            "model_context_window_exceeded",
            "network_error",
            "sensitive",
            "stop",
            "tool_calls",
        }
    ),
    file_store="openai",
    idle_keys={"store": b"false"},
    shown_keys=("documents",),  # of vLLM and the like
    search_in=web_search.search_in,
    searches=web_search.SEARCHES,
    client_tools=openai_tools,
    token_parts={
        "audio_in": ("prompt_tokens_details", "audio_tokens"),
        "audio_out": ("completion_tokens_details", "audio_tokens"),
        "images_in": ("prompt_tokens_details", "image_tokens"),
        # those of gateways before Claude
        "written_5m": ("cache_creation", "ephemeral_5m_input_tokens"),
        "written_1h": ("cache_creation", "ephemeral_1h_input_tokens"),
    },
    images_in=beside.images_in,
    sources_in=beside.sources_in,
    logprobs=probabilities.CHAT,
    also_called={
        "command": ("openai", "chat"),
        "opentelemetry": ("openai",),
        "": ("openrouter",),
        "operator_use": ("deepseek", "groq", "xai"),
    },
)
