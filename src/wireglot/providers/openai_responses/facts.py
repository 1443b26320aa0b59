"""What is known of OpenAI Responses beside its JSON."""

from __future__ import annotations

from typing import Final

from ...model import RawJson
from .._across import probabilities
from .._across.openai_tools import openai_tools
from .._state.facts import Facts, Sdk
from . import images, opaque, web_search
from .endpoint import ENDPOINT

API: Final = "openai-responses"
"""The stable id of this wire."""


FACTS: Final = Facts(
    api=API,
    endpoint=ENDPOINT,
    framing="sse",
    sdk=Sdk(
        parsed={
            "output": {
                "__all__": {"content": {"__all__": {"parsed": True}}, "parsed_arguments": True}
            }
        }
    ),
    stop_reasons=frozenset(
        {
            "cancelled",
            "completed",
            "content_filter",
            "failed",
            "in_progress",
            "incomplete",
            "max_messages",
            "max_output_tokens",
            "queued",
            "steered",
        }
    ),
    file_store="openai",
    # Source: the SDK. Without it, the answer is kept for 30 days; other APIs keep none.
    keys_for_others=RawJson.of({"store": False}),
    # Source: the parameters of the SDK.
    progress=(
        "response.apply_patch_call_operation_diff.",
        "response.compaction.",
        "response.computer_call.",
        "response.image_generation_call.",
        "response.shell_call_command.",
        "response.shell_call_output_content.",
    ),
    stored_keys=("previous_response_id", "conversation", "prompt"),
    refers_to=opaque.refers_to,
    search_in=web_search.search_in,
    searches=web_search.SEARCHES,
    client_tools=openai_tools,
    finds_tools=True,
    image_in=images.image_in,
    image_as=images.image_as,
    logprobs=probabilities.RESPONSES,
    retold=frozenset({"logprobs"}),
    also_called={
        "command": ("responses",),
        "opentelemetry": ("openai",),
        "": ("openai",),
        "operator_use": ("openai", "azure", "azure-openai", "azure_openai", "codex"),
    },
)
