"""What clients of Google Gemini want."""

from __future__ import annotations

from tests.wants.row import Json, Paths, wants


@wants(
    "gemini",
    "answer",
    "Gemini CLI asks again, or shows an error, if an answer has no finish reason.",
    "google-gemini/gemini-cli#7851, 2025-09",
    kept='{"candidates":[{"content":{"parts":[{"text":"x"}]},"finishReason":"STOP"}]}',
    broken='{"candidates":[{"content":{"parts":[{"text":"x"}]}}]}',
)
def every_candidate_says_why_it_ended(answer: Json) -> Paths:
    for i, candidate in enumerate(answer.get("candidates", [])):
        if not candidate.get("finishReason"):
            yield f"candidates.{i}.finishReason"


@wants(
    "gemini",
    "stream",
    "Gemini CLI takes a stream without a finish reason for one that broke off.",
    "google-gemini/gemini-cli#7851, 2025-09",
    kept='[{"candidates":[{"content":{"parts":[]},"finishReason":"STOP"}]}]',
    broken='[{"candidates":[{"content":{"parts":[]}}]}]',
)
def a_stream_says_why_it_ended(events: list[Json]) -> Paths:
    reasons = [c.get("finishReason") for event in events for c in event.get("candidates", [])]
    if not any(reasons):
        yield "finishReason"
