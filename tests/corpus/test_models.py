"""Recorded requests to the models of three generations: none gets what it is known to refuse.

What a model refuses is written down here, and not looked up in `wireglot.capabilities`. Nor is why
the other models of the recordings have no rules there.
"""

import json
import re
from collections.abc import Iterator
from functools import cache
from typing import Any, Final, NamedTuple

import pytest

import wireglot as wg
from tests.corpus.exchanges import Sample, read_corpus
from tests.corpus.oracles import faults_of
from tests.traffic import FOLDERS, needs_traffic
from wireglot.capabilities import generation

pytestmark = [needs_traffic, pytest.mark.slow]
SAMPLING = frozenset({"temperature", "top_p", "presence_penalty", "frequency_penalty", "logprobs"})


class Refuses(NamedTuple):
    """What a model refuses: keys of the body, and values that are written anywhere in it."""

    keys: frozenset[str] = frozenset()
    texts: tuple[str, ...] = ()
    more_tokens: int = 1 << 31
    """More tokens than this."""
    at_the_top: frozenset[str] = frozenset()
    """Keys at the top of a tool's schema."""
    names: str = r"(?s).*"
    """Names of a tool's parameters that are not like this."""


_APART = frozenset({"tools", "toolConfig", "system"})
_MARK = '"prompt_cache_breakpoint"'
_SCHEMA = '"type":"json_schema"'
_ADAPTIVE = '"type":"adaptive"'
_BUDGET = '"budget_tokens"'
_LEVEL = '"thinkingLevel"'
_UNIONS = frozenset({"anyOf", "oneOf", "allOf"})
_OPENAI = _UNIONS | {"enum", "const", "not"}
_NAMES = r"[a-zA-Z0-9_.-]{1,64}"
MODELS: Final[dict[tuple[str, str], Refuses]] = {
    ("openai_chat", "gpt-4"): Refuses(
        frozenset({"reasoning_effort"}), (_SCHEMA, _MARK), 32_768, _OPENAI
    ),
    ("openai_chat", "o1-mini"): Refuses(
        SAMPLING | {"tools", "tool_choice"}, ('"role":"system"', '"role":"developer"')
    ),
    ("openai_chat", "o4-mini"): Refuses(
        SAMPLING | {"top_logprobs", "stop", "parallel_tool_calls"},
        ('_effort":"none"', _MARK),
        100_000,
        _OPENAI,
    ),
    ("openai_chat", "gpt-5.6"): Refuses(
        frozenset({"stop"}), ('_effort":"minimal"',), 128_000, _OPENAI
    ),
    ("openai_chat", "gpt-6-astra"): Refuses(frozenset({"tools", "tool_choice", "functions"})),
    ("openai_responses", "gpt-4"): Refuses(
        frozenset({"reasoning"}), (_SCHEMA, _MARK), 32_768, _OPENAI
    ),
    ("openai_responses", "o4-mini"): Refuses(
        SAMPLING | {"top_logprobs", "parallel_tool_calls"},
        ('"effort":"none"', _MARK),
        100_000,
        _OPENAI,
    ),
    ("openai_responses", "gpt-5.6"): Refuses(frozenset(), ('"effort":"minimal"',), 128_000),
    ("anthropic", "claude-3-5-haiku-20241022"): Refuses(
        frozenset({"thinking", "output_config"}), ('"role":"system"',), 8192, _UNIONS, _NAMES
    ),
    ("anthropic", "claude-sonnet-4-5"): Refuses(
        frozenset(), (_ADAPTIVE, '"role":"system"'), 64_000, _UNIONS, _NAMES
    ),
    ("anthropic", "claude-opus-5"): Refuses(
        frozenset({"temperature", "top_p", "top_k"}), (_BUDGET,), 128_000, _UNIONS, _NAMES
    ),
    ("bedrock", "anthropic.claude-3-haiku-20240307-v1:0"): Refuses(
        frozenset({"outputConfig"}), ('"thinking":{', '"role":"system"'), 4096, _UNIONS, _NAMES
    ),
    ("bedrock", "us.anthropic.claude-sonnet-4-5-20250929-v1:0"): Refuses(
        frozenset(), (_ADAPTIVE, '"role":"system"'), 64_000, _UNIONS, _NAMES
    ),
    ("bedrock", "us.anthropic.claude-opus-5"): Refuses(
        frozenset({"temperature", "topP"}), (_BUDGET, '"textFormat"'), 128_000, _UNIONS, _NAMES
    ),
    ("bedrock", "us.amazon.nova-pro-v1:0"): Refuses(frozenset(), ('"role":"system"',), 10_000),
    ("gemini", "gemma-3-27b-it"): Refuses(
        frozenset({"tools", "toolConfig", "systemInstruction"}), ('"thinkingConfig"',), 8192
    ),
    ("gemini", "gemini-2.0-flash"): Refuses(frozenset(), ('"thinkingConfig"',), 8192),
    ("gemini", "gemini-2.5-pro"): Refuses(frozenset(), (_LEVEL, '"thinkingBudget":0'), 65_536),
    ("gemini", "gemini-3-pro-preview"): Refuses(
        frozenset(), ('"thinkingLevel":"M', '"thinkingBudget":0'), 65_536
    ),
    ("mistral", "mistral-large-2512"): Refuses(frozenset({"reasoning_effort"})),
    ("mistral", "mistral-small-2603"): Refuses(frozenset(), ('_effort":"l', '_effort":"m')),
}


@cache
def _samples() -> list[Sample]:
    dialects = {name: wg.PROVIDERS[name].DIALECTS for name in wg.PROVIDERS}
    return read_corpus(FOLDERS, dialects).samples


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
        return wg.PROVIDERS[target].encode_request(request, losses=[], repair=True)
    except wg.WireglotError:
        return None


def _refused(written: bytes, refuses: Refuses) -> Iterator[str]:
    body: dict[str, Any] = json.loads(written)
    asked = body | body.get("inferenceConfig", {}) | body.get("generationConfig", {})
    yield from sorted(refuses.keys & {key for key in asked if asked[key] is not None})
    parameters = {key: body[key] for key in body if key not in _APART}
    text = json.dumps(parameters, separators=(",", ":"))
    yield from (found for found in refuses.texts if found in text)
    for key in _LIMITS:
        if (asked.get(key) or 0) > refuses.more_tokens:
            yield f"{key} {asked[key]}"
    for schema in _tool_schemas(body):
        yield from sorted(refuses.at_the_top & schema.keys())
        names = schema.get("properties") or {}
        yield from (name for name in names if not re.fullmatch(refuses.names, name))


_LIMITS: Final = (
    *("max_tokens", "max_completion_tokens", "max_output_tokens"),
    *("maxTokens", "maxOutputTokens"),
)


def _tool_schemas(body: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Return the schemas of the parameters of functions, of Anthropic's and OpenAI's wires."""
    for tool in body.get("tools") or body.get("toolConfig", {}).get("tools") or ():
        function = tool.get("function") or tool.get("toolSpec") or tool
        schema = function.get("parameters") or function.get("input_schema")
        schema = schema or function.get("inputSchema", {}).get("json")
        if isinstance(schema, dict):
            yield schema


# -- the models without rules ---------------------------------------------------------------------

_OPEN: Final = "an open model: what its host refuses is not of the wire"
WITHOUT_RULES: Final = {
    r"llama|qwen|deepseek|glm|gpt-oss|mixtral|opt-125m|allam|gemma[34]|granite|kimi|mimo": _OPEN,
    r"gpt-audio": "no report of a refusal",
    r"gemini-flash-latest": "whichever model is the newest",
    r"^command": "no report of a refusal; Cohere's API brings most parameters into range itself",
    r"^grok-\d|sonar|compound": "its service is a dialect, which has the rules",
    r"titan|palmyra": "no report of a refusal",
    r"computer-use-preview": "no report of a refusal",
    r"openrouter/auto": "a router, which fits requests to models itself",
    r"^bad|no-such-model|not?-?n?-?exist|definitely|identity-edge|error-edge|^invalid-|testing$"
    r"|nonexistent": ("a name that was made up"),
}
"""Pattern of a name -> why `wireglot.capabilities` has no rules for it."""


def test_each_recorded_model_has_rules_or_a_reason_for_none() -> None:
    names = {sample.model for sample in _samples() if sample.model}
    unknown = {name for name in names if generation(name) is None}
    found = {
        name: {pattern for pattern in WITHOUT_RULES if re.search(pattern, name.lower())}
        for name in unknown
    }
    assert [name for name in found if not found[name]] == []
    assert WITHOUT_RULES.keys() == set().union(*found.values())
