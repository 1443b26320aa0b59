"""Mistral's Chat Completion: what models refuse."""

from __future__ import annotations

from tests.refusals.models import MISTRAL_SMALL_4, MISTRAL_WITHOUT_EFFORT
from tests.refusals.row import Json, Paths, refuses

_HI = '"messages":[{"role":"user","content":"Hi"}]'


def _body(model: str, keys: str = "") -> str:
    return '{"model":"' + model + '",' + _HI + keys + "}"


@refuses(
    "mistral",
    "reasoning_effort is not enabled for this model",
    "NousResearch/hermes-agent#119249; NousResearch/hermes-agent#11243, 2026-04",
    sent="the parameter is left out",
    models=MISTRAL_WITHOUT_EFFORT,
    seen="codestral-2508",
    taken=_body("codestral-2508"),
    refused=_body("codestral-2508", ',"reasoning_effort":"high"'),
)
def an_effort_is_asked_for(body: Json) -> Paths:
    if body.get("reasoning_effort") is not None:
        yield "reasoning_effort"


@refuses(
    "mistral",
    "refuses every effort except `none` and `high`",
    "withceleste/celeste-python#311, tried 2026-07; anomalyco/models.dev#1986, tried 2026-06",
    sent="the effort `high`",
    models=MISTRAL_SMALL_4,
    seen="mistral-small-2603",
    taken=_body("mistral-small-2603", ',"reasoning_effort":"high"'),
    refused=_body("mistral-small-2603", ',"reasoning_effort":"low"'),
)
def an_effort_between_none_and_high_is_asked_for(body: Json) -> Paths:
    if body.get("reasoning_effort") not in (None, "none", "high"):
        yield "reasoning_effort"


@refuses(
    "mistral",
    "Reasoning prompt mode is not enabled for this model",
    "earendil-works/pi#3096, 2026-04; UKGovernmentBEIS/inspect_ai#4711, 2026-07",
    sent="the parameter is left out, if the body is not Mistral's own",
    seen="mistral-small-2603",
    taken=_body("mistral-small-2603"),
    refused=_body("mistral-small-2603", ',"prompt_mode":"reasoning"'),
)
def a_mode_of_the_prompt_is_asked_for(body: Json) -> Paths:
    if body.get("prompt_mode") is not None:
        yield "prompt_mode"
