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


_CALLED = '"message":{"tool_calls":[{"function":{"name":"f","arguments":{}}}]}'


@wants(
    "ollama",
    "stream",
    "Ollama's client for JavaScript throws if no line says that it is done.",
    "ollama/ollama-vscode#61, 2026-08; ollama/ollama#10015, 2025-03",
    kept='[{"done":false,"message":{"content":"x"}},{"done":true,"done_reason":"stop"}]',
    broken='[{"done":false,"message":{"content":"x"}},{"done":false,"done_reason":"stop"}]',
)
def the_last_line_says_that_it_is_done(events: list[Json]) -> Paths:
    if not events or not (events[-1].get("done") or "error" in events[-1]):
        yield "done"


@wants(
    "ollama",
    "stream",
    "Clients that leave at `done`, such as new-api, do not see a call in the same line.",
    "kooshi/llama-swappo#13, 2025-12; QuantumNous/new-api#7252, 2026-09",
    kept=f'[{{"done":false,{_CALLED}}},{{"done":true}}]',
    broken=f'[{{"done":true,{_CALLED}}}]',
)
def calls_come_before_the_last_line(events: list[Json]) -> Paths:
    for i, event in enumerate(events):
        if event.get("done") and (event.get("message") or {}).get("tool_calls"):
            yield f"{i}.message.tool_calls"
