"""What goes to the models of each maker, held against a table of what they take: the grid.

`tests/refusals/grids/bedrock.tsv` has a line for each maker and each member of a request: whether
the models take it (`sent`), refuse it (`loss`), or nothing is known. What is sent may be respelled,
as an effort is that each maker has under another key.
"""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest

import wireglot as wg
from tests.judged.scripts import PNG
from wireglot.providers.bedrock.makers import of_model

GRID: Final = Path(__file__).parents[2] / "refusals" / "grids" / "bedrock.tsv"
MODELS: Final = {
    "claude-3": "anthropic.claude-3-haiku-20240307-v1:0",
    "claude-4.0": "us.anthropic.claude-sonnet-4-20250514-v1:0",
    "claude-4.5": "us.anthropic.claude-sonnet-4-5-20250929-v1:0",
    "claude-4.6": "us.anthropic.claude-sonnet-4-6",
    "claude-4.7": "us.anthropic.claude-opus-4-7",
    "nova-micro": "us.amazon.nova-micro-v1:0",
    "nova-pro": "us.amazon.nova-pro-v1:0",
    "nova-2": "us.amazon.nova-2-lite-v1:0",
    "titan": "amazon.titan-text-express-v1",
    "llama-3": "meta.llama3-70b-instruct-v1:0",
    "llama-4": "us.meta.llama4-maverick-17b-instruct-v1:0",
    "mistral-7b": "mistral.mistral-7b-instruct-v0:2",
    "mistral-large-2": "mistral.mistral-large-2407-v1:0",
    "pixtral": "us.mistral.pixtral-large-2502-v1:0",
    "ministral-3": "mistral.ministral-3-14b-instruct",
    "gpt-oss": "openai.gpt-oss-120b-1:0",
    "gpt-5.6": "us.openai.gpt-5.6-sol",
    "grok-4.6": "xai.grok-4-6",
    "qwen3": "qwen.qwen3-32b-v1:0",
    "deepseek-r1": "us.deepseek.r1-v1:0",
    "deepseek-v3": "deepseek.v3-v1:0",
    "command-r": "cohere.command-r-v1:0",
    "jamba-1.5": "ai21.jamba-1-5-large-v1:0",
    "palmyra": "us.writer.palmyra-x5-v1:0",
    "kimi-k2.5": "moonshotai.kimi-k2.5",
    "minimax-m2": "minimax.minimax-m2",
    "glm-4.7": "zai.glm-4.7",
    "nemotron": "nvidia.nemotron-super-3-120b",
    "gemma-3": "google.gemma-3-27b-it",
}


class Member(NamedTuple):
    """A request with one member, and texts of which each stands in a body that has it."""

    body: dict[str, Any]
    texts: tuple[str, ...]
    or_else: tuple[str, ...] = ()
    """Those of a respelling."""


def said(*content: Any, **more: Any) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": [*content]}], **more}


def called(*content: Any, beside: tuple[Any, ...] = (), **more: Any) -> dict[str, Any]:
    """Return a conversation with a result."""
    use = {"toolUse": {"toolUseId": "abcdef123", "name": "f", "input": {}}}
    result = {"toolResult": {"toolUseId": "abcdef123", "content": [*content], **more}}
    return {
        "toolConfig": {"tools": [F]},
        "messages": [
            {"role": "user", "content": [T]},
            {"role": "assistant", "content": [use]},
            {"role": "user", "content": [result, *beside]},
        ],
    }


def answered(*content: Any) -> dict[str, Any]:
    turns = [("user", [T]), ("assistant", [*content]), ("user", [T])]
    return {"messages": [{"role": role, "content": parts} for role, parts in turns]}


def asked(**fields: Any) -> dict[str, Any]:
    return said(T, additionalModelRequestFields=fields)


T: Final = {"text": "Hi"}
F: Final = {"toolSpec": {"name": "f", "inputSchema": {"json": {"type": "object"}}}}
CLOSED: Final = {"type": "object", "properties": {}, "additionalProperties": False}
STRICT: Final = {"toolSpec": {"name": "f", "inputSchema": {"json": CLOSED}, "strict": True}}
POINT: Final = {"cachePoint": {"type": "default"}}
HOUR: Final = {"cachePoint": {"type": "default", "ttl": "1h"}}
DOCUMENT: Final = {"document": {"format": "txt", "name": "a", "source": {"bytes": "YQ=="}}}
CITED: Final = {"document": DOCUMENT["document"] | {"citations": {"enabled": True}}}
IMAGE: Final = {"image": {"format": "png", "source": {"bytes": PNG}}}
STORED: Final = {"image": {"format": "png", "source": {"s3Location": {"uri": "s3://buck/a"}}}}
VIDEO: Final = {"video": {"format": "mp4", "source": {"bytes": "AAAA"}}}
AUDIO: Final = {"audio": {"format": "mp3", "source": {"bytes": "AAAA"}}}
FORM: Final = {
    "type": "json_schema",
    "structure": {"jsonSchema": {"name": "r", "schema": json.dumps(CLOSED)}},
}
GUARDED: Final = {"guardContent": {"text": {"text": "a"}}}
FOUND: Final = {"searchResult": {"source": "a", "title": "b", "content": [{"text": "c"}]}}
QUOTED: Final = {"citationsContent": {"content": [{"text": "a"}], "citations": []}}
USE: Final = {"toolUse": {"toolUseId": "abcdef123", "name": "f", "input": {}}}
THOUGHT: Final = {"reasoningContent": {"reasoningText": {"text": "Hm", "signature": "c2lnbmVk"}}}
EFFORTS: Final = ('"effort":"high"', '"maxReasoningEffort":"high"')
FLAT: Final = ('"reasoning_effort":"high"', '"reasoning_config":"high"')


def choosing(choice: str) -> dict[str, Any]:
    value = {"name": "f"} if choice == "tool" else {}
    return said(T, toolConfig={"tools": [F], "toolChoice": {choice: value}})


def tuned(**config: Any) -> dict[str, Any]:
    return said(T, inferenceConfig=config)


MEMBERS: Final = {
    "system": Member(said(T, system=[{"text": "S"}]), ('"system":[',)),
    "system.cachePoint": Member(said(T, system=[{"text": "S"}, POINT]), ("cachePoint",)),
    "messages.cachePoint": Member(said(T, POINT), ("cachePoint",)),
    "messages.cachePoint.1h": Member(said(T, HOUR), ('"ttl":"1h"',)),
    "messages.cachePoint after a text document": Member(
        said(T, DOCUMENT, POINT), ('"YQ=="}}},{"cachePoint"',)
    ),
    "tools.cachePoint": Member(said(T, toolConfig={"tools": [F, POINT]}), ("cachePoint",)),
    "toolConfig": Member(said(T, toolConfig={"tools": [F]}), ("toolSpec",)),
    "toolChoice.auto": Member(choosing("auto"), ('"auto":{}',)),
    "toolChoice.any": Member(choosing("any"), ('"any":{}',)),
    "toolChoice.tool": Member(choosing("tool"), ('"tool":{"name":"f"}',)),
    "toolSpec.strict": Member(said(T, toolConfig={"tools": [STRICT]}), ('"strict":true',)),
    "toolResult.status": Member(called(T, status="error"), ('"status":"error"',)),
    "toolResult.content.json": Member(called({"json": {"a": 1}}), ('"json":{"a":1}',)),
    "image": Member(said(T, IMAGE), ('"image":',)),
    "document": Member(said(T, DOCUMENT), ('"document":',)),
    "document.citations": Member(said(T, CITED), ('"citations":',)),
    "image in S3": Member(said(T, STORED), ("s3://buck/a",)),
    "video": Member(said(T, VIDEO), ('"video":',)),
    "audio": Member(said(T, AUDIO), ('"audio":',)),
    "toolResult.content.image": Member(called(T, IMAGE), ('"image":',)),
    "toolResult.content.document": Member(called(T, DOCUMENT), ('"document":',)),
    "text beside toolResult": Member(
        called({"text": "1"}, beside=({"text": "So?"},)), ("toolResult", '{"text":"So?"}')
    ),
    "text beside toolUse": Member(
        called({"text": "1"})
        | {
            "messages": [
                {"role": "user", "content": [T]},
                {"role": "assistant", "content": [{"text": "I look."}, USE]},
                called({"text": "1"})["messages"][2],
            ]
        },
        ('{"text":"I look."}', "toolUse"),
    ),
    "reasoningContent": Member(answered(THOUGHT, T), ("reasoningContent",)),
    "guardContent": Member(said(T, GUARDED), ("guardContent",)),
    "citationsContent": Member(answered(QUOTED), ("citationsContent",)),
    "searchResult": Member(said(T, FOUND), ("searchResult",)),
    "inferenceConfig.maxTokens": Member(tuned(maxTokens=99), ('"maxTokens":99',)),
    "inferenceConfig.temperature": Member(tuned(temperature=0.5), ('"temperature":0.5',)),
    "inferenceConfig.topP": Member(tuned(topP=0.5), ('"topP":0.5',)),
    "inferenceConfig.temperature and topP": Member(
        tuned(temperature=0.5, topP=0.5), ('"temperature":0.5', '"topP":0.5')
    ),
    "inferenceConfig.stopSequences": Member(tuned(stopSequences=["END"]), ('["END"]',)),
    "outputConfig.textFormat": Member(said(T, outputConfig={"textFormat": FORM}), ("textFormat",)),
    "outputConfig.effort": Member(
        said(T, outputConfig={"effort": "high"}), EFFORTS[:1], (*EFFORTS, *FLAT)
    ),
    "fields.thinking.budget_tokens": Member(
        asked(thinking={"type": "enabled", "budget_tokens": 2048}), ("budget_tokens",)
    ),
    "fields.thinking.adaptive": Member(asked(thinking={"type": "adaptive"}), ("adaptive",)),
    "fields.reasoningConfig": Member(
        asked(reasoningConfig={"type": "enabled", "maxReasoningEffort": "high"}), EFFORTS[1:]
    ),
    "fields.reasoning.effort": Member(asked(reasoning={"effort": "high"}), EFFORTS[:1]),
    "fields.reasoning_effort": Member(asked(reasoning_effort="high"), FLAT[:1]),
    "fields.reasoning_config": Member(asked(reasoning_config="high"), FLAT[1:]),
    "fields.top_k": Member(asked(top_k=5), ('"top_k":5',), ('"topK":5',)),
    "performanceConfig": Member(said(T, performanceConfig={"latency": "standard"}), ("latency",)),
    "serviceTier": Member(said(T, serviceTier={"type": "priority"}), ("priority",)),
    "requestMetadata": Member(said(T, requestMetadata={"k": "v"}), ('{"k":"v"}',)),
}


def grid() -> dict[str, dict[str, str]]:
    """Return the state of each member, by maker."""
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for line in GRID.read_text().splitlines():
        maker, member, state, source = line.split("\t")
        assert state in ("sent", "loss", "unknown"), line
        assert source, line
        found[maker][member] = state
    return found


def test_the_grid_has_each_member_for_each_maker() -> None:
    found = grid()
    assert list(found) == list(MODELS)
    assert {tuple(members) for members in found.values()} == {tuple(MEMBERS)}


def has(body: str, member: Member) -> bool:
    is_there = all(text in body for text in member.texts)
    return is_there or any(text in body for text in member.or_else)


@pytest.mark.parametrize("maker", MODELS)
def test_what_goes_to_the_models_of_a_maker(maker: str) -> None:
    odd: list[str] = []
    for name, state in grid()[maker].items():
        if state == "unknown":
            continue
        losses: list[wg.Loss] = []
        text = json.dumps(MEMBERS[name].body, separators=(",", ":"))
        body = wg.translate_request(
            text, "bedrock", "bedrock", model=MODELS[maker], losses=losses
        ).decode()
        is_right = has(body, MEMBERS[name]) is (state == "sent") and bool(losses) is (
            state == "loss"
        )
        if not is_right:
            odd.append(f"{name} ({state}): {body}, {losses}")
    assert odd == []


@pytest.mark.parametrize("maker", MODELS)
def test_the_region_or_an_arn_before_the_name_changes_nothing(maker: str) -> None:
    plain = MODELS[maker].removeprefix("us.")
    arn = f"arn:aws:bedrock:us-east-1:123456789012:inference-profile/global.{plain}"
    assert of_model(plain) == of_model(f"eu.{plain}") == of_model(arn)


def test_a_model_of_no_known_maker_takes_all_that_there_is_a_place_for() -> None:
    assert of_model("my-profile") is of_model("arn:aws:sagemaker:us-east-1:1:endpoint/e")
