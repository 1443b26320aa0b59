"""What is known of AWS Bedrock Converse beside its JSON."""

from __future__ import annotations

from typing import Final

from .._state.facts import Facts, Sdk
from . import opaque
from .citations import DOCUMENTS
from .endpoint import ENDPOINT

API: Final = "bedrock-converse"
"""The stable id of this wire."""


FACTS: Final = Facts(
    api=API,
    endpoint=ENDPOINT,
    sdk=Sdk(beside=frozenset({"ResponseMetadata"}), has_dicts=True, keyed_events=True),
    framing="eventstream",
    shows="unasked",
    model_in_path=True,
    stop_reasons=frozenset(
        {
            "content_filtered",
            "end_turn",
            "guardrail_intervened",
            "malformed_model_output",
            "malformed_tool_use",
            "max_tokens",
            "model_context_window_exceeded",
            "stop_sequence",
            "tool_use",
        }
    ),
    stored_keys=("promptVariables",),
    signer="claude",  # Claude alone signs: the other models there reason without a signature
    signs_as_blob=True,
    text_of=opaque.text_of,
    result_in=opaque.result_in,
    result_as=opaque.result_as,
    refers_to=opaque.refers_to,
    documents=DOCUMENTS,
    token_parts={
        "written_5m": ("cacheDetails", ("ttl", "5m"), "inputTokens"),
        "written_1h": ("cacheDetails", ("ttl", "1h"), "inputTokens"),
    },
    also_called={
        "command": ("converse",),
        "opentelemetry": ("aws.bedrock",),
        "": ("bedrock", "amazon-bedrock"),
        "langchain": ("bedrock_converse",),
        "operator_use": ("bedrock", "amazon-bedrock"),
        "pydantic_ai": ("bedrock",),
    },
)
