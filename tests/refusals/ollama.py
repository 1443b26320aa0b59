"""Ollama's chat: what the models of its library refuse; those that users make may take it."""

from __future__ import annotations

from tests.refusals.models import (
    OLLAMA_DEEPSEEK_GEMMA,
    OLLAMA_LLAMA_GEMMA,
    OLLAMA_QWEN_DEEPSEEK,
)
from tests.refusals.row import Json, Paths, refuses

_HI = '"messages":[{"role":"user","content":"Hi"}]'
_TOOLS = (
    ',"tools":[{"type":"function","function":{"name":"f","description":"F","parameters":'
    '{"type":"object","properties":{}}}}]'
)


@refuses(
    "ollama",
    '"gemma3:4b" does not support thinking',
    "taketwo/llm-ollama#54, 2025-07; ollama/ollama#14212, 2026-02",
    sent="the parameter is left out",
    models=OLLAMA_LLAMA_GEMMA,
    seen="gemma3:4b",
    taken='{"model":"gemma3:4b","think":false,' + _HI + "}",
    refused='{"model":"gemma3:4b","think":true,' + _HI + "}",
)
def thinking_is_asked_for(body: Json) -> Paths:
    if body.get("think"):
        yield "think"


@refuses(
    "ollama",
    'think value "medium" is not supported for this model',
    "ollama/ollama#12561, 2025-10",
    sent="`true`",
    models=OLLAMA_QWEN_DEEPSEEK,
    seen="qwen3:4b",
    taken='{"model":"qwen3:4b","think":true,' + _HI + "}",
    refused='{"model":"qwen3:4b","think":"medium",' + _HI + "}",
)
def a_level_of_thinking_is_asked_for(body: Json) -> Paths:
    if isinstance(body.get("think"), str):
        yield "think"


@refuses(
    "ollama",
    "registry.ollama.ai/library/deepseek-r1:latest does not support tools",
    "ollama/ollama#15023, 2026-03; louisho5/picobot#6, 2026-02",
    sent="no tools",
    models=OLLAMA_DEEPSEEK_GEMMA,
    seen="deepseek-r1:latest",
    taken='{"model":"deepseek-r1:latest",' + _HI + "}",
    refused='{"model":"deepseek-r1:latest",' + _HI + _TOOLS + "}",
)
def functions_are_offered(body: Json) -> Paths:
    if body.get("tools"):
        yield "tools"
