"""Cohere's Chat: what models refuse."""

from __future__ import annotations

from tests.refusals.models import COHERE_TO_R
from tests.refusals.row import Json, Paths, refuses

_TOOLS = (
    '"stream":false,"messages":[{"role":"user","content":"Hi"}],"tools":[{"type":"function",'
    '"function":{"name":"f","parameters":{"type":"object","properties":{}}}}]'
)


@refuses(
    "cohere",
    "This parameter is only compatible with models Command-r7b and newer.",
    "cohere 7.3.1, ClientV2.chat; docs.cohere.com/reference/chat, 2026-11",
    sent="the model chooses",
    models=COHERE_TO_R,
    seen="command-r-plus",
    taken='{"model":"command-r-plus",' + _TOOLS + "}",
    refused='{"model":"command-r-plus",' + _TOOLS + ',"tool_choice":"REQUIRED"}',
)
def a_tool_is_chosen(body: Json) -> Paths:
    if body.get("tool_choice") is not None:
        yield "tool_choice"
