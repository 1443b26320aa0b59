"""What is known of Anthropic Messages beside its JSON."""

from __future__ import annotations

from typing import Final

from .._state.facts import Facts, Sdk
from . import client_tools, opaque, web_search
from .citations import DOCUMENTS
from .endpoint import ENDPOINT
from .sdk import event

API: Final = "anthropic-messages"
"""The stable id of this wire."""


FACTS: Final = Facts(
    api=API,
    endpoint=ENDPOINT,
    framing="sse",
    shows="unasked",
    sdk=Sdk(parsed={"content": {"__all__": {"parsed_output": True}}}, event=event),
    models=("claude",),
    stop_reasons=frozenset(
        {
            "compaction",
            "end_turn",
            "max_tokens",
            "model_context_window_exceeded",
            "pause_turn",
            "refusal",
            "stop_sequence",
            "tool_use",
        }
    ),
    file_store="anthropic",
    # Source: the parameters of the SDK.
    stored_keys=("container.id", "thread.previous_message_id"),
    shown_keys=("container.skills",),
    server_keys=("mcp_servers",),
    signer="claude",
    text_of=opaque.text_of,
    result_in=opaque.result_in,
    result_as=opaque.result_as,
    refers_to=opaque.refers_to,
    search_in=web_search.search_in,
    searches=web_search.SEARCHES,
    client_tools=client_tools.client_tools,
    documents=DOCUMENTS,
    tier_key="service_tier",
    token_parts={
        "written_5m": ("cache_creation", "ephemeral_5m_input_tokens"),
        "written_1h": ("cache_creation", "ephemeral_1h_input_tokens"),
    },
    also_called={
        "command": ("claude",),
        "": ("anthropic",),
        "langchain": ("anthropic",),
        "operator_use alone": ("anthropic-claude-code", "anthropic-oauth"),
        "operator_use": ("anthropic",),
        "pydantic_ai": ("anthropic",),
    },
)
