"""Responses: what its hosts refuse; what OpenAI's models do stands in `openai_models`."""

from __future__ import annotations

from tests.refusals import models
from tests.refusals.openai import AT_REST, HOSTS
from tests.refusals.row import Json, Paths, refuses

_WIRE = "openai_responses"
_HI = '"model":"m","input":"Hi"'


def _items(body: Json) -> list[Json]:
    items = body.get("input")
    return items if isinstance(items, list) else []


@refuses(
    _WIRE,
    "Invalid 'input[2].id': string too long. Expected a string with maximum length 64",
    "can1357/oh-my-pi#284, 2026-03; github/copilot-cli#3594, 2026-05",
    sent="the item without its id",
    hosts=HOSTS,
    seen="gpt-5.3-codex",
    taken=(
        '{"model":"m","input":[{"type":"reasoning","id":"rs_1","summary":[],'
        '"encrypted_content":"g"},{"role":"assistant","content":"Hi"}]}'
    ),
    refused=(
        '{"model":"m","input":[{"type":"reasoning","id":"rs_' + "1" * 80 + '","summary":[],'
        '"encrypted_content":"g"},{"role":"assistant","content":"Hi"}]}'
    ),
)
def an_item_has_an_id_of_at_most_64_characters(body: Json) -> Paths:
    for i, item in enumerate(_items(body)):
        if len(item.get("id") or "") > 64:
            yield f"input.{i}.id"


@refuses(
    _WIRE,
    "Encrypted content is not supported with this model.",
    "pydantic/pydantic-ai#2865, 2025-09; NousResearch/hermes-agent#52023, 2026-06",
    sent="the thinking is not asked for",
    models=AT_REST,
    hosts=HOSTS,
    seen="gpt-4.1",
    taken="{" + _HI + "}",
    refused="{" + _HI + ',"include":["reasoning.encrypted_content"]}',
)
def thinking_is_not_included(body: Json) -> Paths:
    if "reasoning.encrypted_content" in (body.get("include") or ()):
        yield "include"


# -- OpenRouter --------------------------------------------------------------------------------

_STATELESS = "openrouter.ai/docs, Responses, error handling, 2026-11"


@refuses(
    _WIRE,
    "Requests that set store: true or a non-null previous_response_id are rejected",
    f"{_STATELESS}; langchain-ai/langchain#38898, 2026-07",
    sent="the parameter is left out, which is a severe loss",
    hosts="openrouter",
    seen="gpt-5",
    taken="{" + _HI + ',"store":false}',
    refused="{" + _HI + ',"previous_response_id":"resp_1"}',
)
def nothing_is_stored_to_go_on_from(body: Json) -> Paths:
    if body.get("previous_response_id") is not None:
        yield "previous_response_id"


# -- xAI ---------------------------------------------------------------------------------------


@refuses(
    _WIRE,
    "Argument not supported: instructions and previous_response_id together",
    "10-X-eng/vibecad#4, 2026-07",
    sent="both, as they are",
    hosts="xai",
    seen="grok-4",
    taken="{" + _HI + ',"previous_response_id":"resp_1"}',
    refused="{" + _HI + ',"instructions":"Hi","previous_response_id":"resp_1"}',
)
def stored_answers_have_their_own_instructions(body: Json) -> Paths:
    if body.get("instructions") and body.get("previous_response_id"):
        yield "instructions"


@refuses(
    _WIRE,
    "Model grok-4-0709 does not support parameter reasoningEffort.",
    "NousResearch/hermes-agent#23435, tried in 2026-05",
    hosts="xai",
    models=models.GROK_4_DATED,
    seen="grok-4-0709",
    sent="no effort",
    taken='{"model":"grok-4-0709","input":"Hi","include":["reasoning.encrypted_content"]}',
    refused='{"model":"grok-4-0709","input":"Hi","reasoning":{"effort":"medium"}}',
)
def older_groks_take_no_effort(body: Json) -> Paths:
    if (body.get("reasoning") or {}).get("effort") is not None:
        yield "reasoning.effort"
