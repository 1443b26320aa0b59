"""What clients of Google Gemini want."""

from __future__ import annotations

from tests.wants.common import repeated
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


_COUNTED = '{"promptTokenCount":3,"candidatesTokenCount":2,"thoughtsTokenCount":4,'


@wants(
    "gemini",
    "answer",
    "Costs are computed from the counts: the total is the sum of them all, thoughts among them.",
    "google-genai 3.6, GenerateContentResponseUsageMetadata",
    kept=f'{{"usageMetadata":{_COUNTED}"totalTokenCount":9}}}}',
    broken=f'{{"usageMetadata":{_COUNTED}"totalTokenCount":5}}}}',
)
def counts_add_up(answer: Json) -> Paths:
    usage = answer.get("usageMetadata") or {}
    parts = ("promptTokenCount", "candidatesTokenCount")
    parts += ("thoughtsTokenCount", "toolUsePromptTokenCount")
    total = sum(usage.get(key, 0) for key in parts)
    if "totalTokenCount" in usage and usage["totalTokenCount"] != total:
        yield "usageMetadata.totalTokenCount"


@wants(
    "gemini",
    "answer",
    "Google's own chats leave a turn out of the history if one of its parts is empty.",
    "google-genai 3.6, chats.py",
    kept='{"candidates":[{"content":{"parts":[{"text":"x"}]}}]}',
    broken='{"candidates":[{"content":{"parts":[{"text":"x"},{}]}}]}',
)
def no_part_is_empty(answer: Json) -> Paths:
    for candidate in (answer.get("candidates") or [])[:1]:
        for i, part in enumerate(_parts(candidate)):
            if not part:
                yield f"candidates.0.content.parts.{i}"


def _parts(candidate: Json) -> list[Json]:
    return (candidate.get("content") or {}).get("parts") or []


@wants(
    "gemini",
    "stream",
    "Google's own chats leave a streamed turn out of the history if one of its events has no part.",
    "google-genai 3.6, chats.py",
    kept='[{"candidates":[{"content":{"parts":[{"text":"x"}]}}]},'
    '{"candidates":[{"content":{"parts":[{"text":""}]},"finishReason":"STOP"}]}]',
    broken='[{"candidates":[{"content":{"parts":[{"text":"x"}]}}]},'
    '{"candidates":[{"finishReason":"STOP"}]}]',
)
def every_event_of_an_answer_has_a_part(events: list[Json]) -> Paths:
    firsts = [(i, c) for i, e in enumerate(events) for c in (e.get("candidates") or [])[:1]]
    if any(_parts(candidate) for _, candidate in firsts):  # else nothing was said
        yield from (
            f"{i}.candidates.0" for i, candidate in firsts if not all(_parts(candidate) or [{}])
        )


@wants(
    "gemini",
    "answer",
    "A client finds the result of a call by its id, where calls have ids.",
    "google-genai 3.6, FunctionCall",
    kept='{"candidates":[{"content":{"parts":[{"functionCall":{"id":"a","name":"f"}},'
    '{"functionCall":{"id":"b","name":"f"}},{"functionCall":{"name":"f"}}]}}]}',
    broken='{"candidates":[{"content":{"parts":[{"functionCall":{"id":"a","name":"f"}},'
    '{"functionCall":{"id":"a","name":"f"}}]}}]}',
)
def no_two_calls_have_one_id(answer: Json) -> Paths:
    yield from repeated(
        (f"candidates.{i}.content.parts.{j}.functionCall.id", part["functionCall"]["id"])
        for i, candidate in enumerate(answer.get("candidates") or [])
        for j, part in enumerate((candidate.get("content") or {}).get("parts") or [])
        if part.get("functionCall", {}).get("id") is not None
    )
