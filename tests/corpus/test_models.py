"""Recorded requests to the models of three generations: none gets what it is known to refuse.

What a model refuses is written down here, and not looked up in `wireglot.capabilities`.
"""

import json
from collections.abc import Iterator
from functools import cache
from typing import Any, Final, NamedTuple

import pytest

import wireglot as wg
from tests.corpus.exchanges import Sample, read_corpus
from tests.corpus.oracles import faults_of
from tests.traffic import TRAFFIC, needs_traffic

pytestmark = [needs_traffic, pytest.mark.slow]
SAMPLING = frozenset({"temperature", "top_p", "presence_penalty", "frequency_penalty", "logprobs"})


class Refuses(NamedTuple):
    """What a model refuses: keys of the body, and values that are written anywhere in it."""

    keys: frozenset[str] = frozenset()
    texts: tuple[str, ...] = ()


_APART = frozenset({"tools", "toolConfig", "system"})
_MARK = '"prompt_cache_breakpoint"'
_SCHEMA = '"type":"json_schema"'
_ADAPTIVE = '"type":"adaptive"'
_BUDGET = '"budget_tokens"'
_LEVEL = '"thinkingLevel"'
MODELS: Final[dict[tuple[str, str], Refuses]] = {
    ("openai_chat", "gpt-4"): Refuses(frozenset({"reasoning_effort"}), (_SCHEMA, _MARK)),
    ("openai_chat", "o4-mini"): Refuses(
        SAMPLING | {"top_logprobs", "stop", "parallel_tool_calls"}, ('_effort":"none"', _MARK)
    ),
    ("openai_chat", "gpt-5.6"): Refuses(frozenset({"stop"}), ('_effort":"minimal"',)),
    ("openai_responses", "gpt-4"): Refuses(frozenset({"reasoning"}), (_SCHEMA, _MARK)),
    ("openai_responses", "o4-mini"): Refuses(
        SAMPLING | {"top_logprobs", "parallel_tool_calls"}, ('"effort":"none"', _MARK)
    ),
    ("openai_responses", "gpt-5.6"): Refuses(frozenset(), ('"effort":"minimal"',)),
    ("anthropic", "claude-3-5-haiku-20241022"): Refuses(
        frozenset({"thinking", "output_config"}), ('"role":"system"',)
    ),
    ("anthropic", "claude-sonnet-4-5"): Refuses(frozenset(), (_ADAPTIVE, '"role":"system"')),
    ("anthropic", "claude-opus-5"): Refuses(
        frozenset({"temperature", "top_p", "top_k"}), (_BUDGET,)
    ),
    ("bedrock", "anthropic.claude-3-haiku-20240307-v1:0"): Refuses(
        frozenset({"outputConfig"}), ('"thinking":{', '"role":"system"')
    ),
    ("bedrock", "us.anthropic.claude-sonnet-4-5-20250929-v1:0"): Refuses(
        frozenset(), (_ADAPTIVE, '"role":"system"')
    ),
    ("bedrock", "us.anthropic.claude-opus-5"): Refuses(
        frozenset({"temperature", "topP"}), (_BUDGET,)
    ),
    ("gemini", "gemini-2.0-flash"): Refuses(frozenset(), ('"thinkingConfig"',)),
    ("gemini", "gemini-2.5-pro"): Refuses(frozenset(), (_LEVEL, '"thinkingBudget":0')),
    ("gemini", "gemini-3-pro-preview"): Refuses(
        frozenset(), ('"thinkingLevel":"M', '"thinkingBudget":0')
    ),
}


@cache
def _samples() -> list[Sample]:
    dialects = {name: wg.PROVIDERS[name].DIALECTS for name in wg.PROVIDERS}
    return read_corpus(TRAFFIC, dialects).samples


@pytest.mark.parametrize(("target", "model"), MODELS, ids=lambda name: name)
def test_no_recorded_request_has_what_the_model_refuses(target: str, model: str) -> None:
    others = [sample for sample in _samples() if sample.provider != target]
    assert others
    refused = []
    for sample in others:
        written = _written(sample, target, model)
        if written is None:
            continue
        if sample.fault is None:
            refused += [
                f"{sample.id}: {f.message} at {f.path}"
                for f in faults_of(target, "check_request", written)
            ]
        refused += [f"{sample.id}: {what}" for what in _refused(written, MODELS[target, model])]
    assert refused == []


def _written(sample: Sample, target: str, model: str) -> bytes | None:
    """Return the body for a model; None where the request itself is refused."""
    try:
        request = wg.PROVIDERS[sample.provider].decode_request(
            sample.data, sample.path, dialect=sample.dialect, losses=[]
        )
        request.model = model
        return wg.PROVIDERS[target].encode_request(request, [], repair=True)
    except wg.WireglotError:
        return None


def _refused(written: bytes, refuses: Refuses) -> Iterator[str]:
    body: dict[str, Any] = json.loads(written)
    asked = body | body.get("inferenceConfig", {})
    yield from sorted(refuses.keys & {key for key in asked if asked[key] is not None})
    parameters = {key: body[key] for key in body if key not in _APART}
    text = json.dumps(parameters, separators=(",", ":"))
    yield from (found for found in refuses.texts if found in text)
