"""What clients of Ollama's chat want."""

from __future__ import annotations

from tests.wants.row import Json, Paths, wants


@wants(
    "ollama",
    "answer",
    "Clients divide by the durations, as the API's reference does to compute the speed.",
    "Ollama, docs/api.md, 2026-11",
    kept='{"eval_count":2,"eval_duration":5,"total_duration":9}',
    broken='{"eval_count":2,"eval_duration":0,"total_duration":9}',
)
def durations_are_above_zero(answer: Json) -> Paths:
    for key in ("eval_duration", "total_duration"):
        if key in answer and answer[key] <= 0:
            yield key


@wants(
    "ollama",
    "answer",
    "Clients read calls whose arguments are an object, as no text is parsed there.",
    "Ollama, docs/api.md, 2026-11",
    kept='{"message":{"tool_calls":[{"function":{"name":"f","arguments":{}}}]}}',
    broken='{"message":{"tool_calls":[{"function":{"name":"f","arguments":"{}"}}]}}',
)
def arguments_are_an_object(answer: Json) -> Paths:
    for i, call in enumerate(answer.get("message", {}).get("tool_calls") or []):
        if not isinstance(call["function"]["arguments"], dict):
            yield f"message.tool_calls.{i}.function.arguments"
