"""Anthropic Messages: what models refuse, and what the hosts Vertex and Bedrock do."""

from __future__ import annotations

from tests.refusals.models import CLAUDE_4_7
from tests.refusals.row import Json, Paths, refuses

_HI = '"max_tokens":9,"messages":[{"role":"user","content":"Hi"}]'


@refuses(
    "anthropic",
    "`temperature` is deprecated for this model.",
    "UKGovernmentBEIS/inspect_ai#3721, 2026-05",
    models=CLAUDE_4_7,
    seen="claude-opus-4-7",
    taken='{"model":"claude-opus-4-7",' + _HI + "}",
    refused='{"model":"claude-opus-4-7","temperature":0.2,' + _HI + "}",
)
def sampling_is_left_to_the_model(body: Json) -> Paths:
    for key in ("temperature", "top_p", "top_k"):
        if key in body and body[key] != 1:
            yield key
