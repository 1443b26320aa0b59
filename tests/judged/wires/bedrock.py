"""AWS Bedrock Converse, as its reference of 2026-11 has it; the model is in the path."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.judged.scripts import PDF, PNG, Call, Media, Script, Tool, drawn

MODELS = (
    *("anthropic.claude-3-haiku-20240307-v1:0", "anthropic.claude-3-5-sonnet-20240620-v1:0"),
    *("us.anthropic.claude-3-7-sonnet-20250219-v1:0", "anthropic.claude-opus-4-7-v1:0"),
    *("us.anthropic.claude-opus-4-1-20250805-v1:0", "us.anthropic.claude-sonnet-4-6"),
    *("us.anthropic.claude-sonnet-4-5-20250929-v1:0", "global.anthropic.claude-sonnet-5"),
    *("us.anthropic.claude-opus-5-5", "amazon.nova-pro-v1:0", "us.amazon.nova-2-lite-v1:0"),
    *("amazon.nova-micro-v1:0", "amazon.titan-text-express-v1", "meta.llama3-8b-instruct-v1:0"),
    *("meta.llama3-3-70b-instruct-v1:0", "us.meta.llama4-maverick-17b-instruct-v1:0"),
    *("mistral.mistral-7b-instruct-v0:2", "mistral.mistral-large-2407-v1:0"),
    *("us.mistral.pixtral-large-2502-v1:0", "mistral.ministral-3-14b-instruct"),
    *("openai.gpt-oss-120b-1:0", "us.openai.gpt-5.6-sol", "us.openai.gpt-6-astra"),
    *("xai.grok-4-6", "qwen.qwen3-32b-v1:0", "qwen.qwen3-vl-235b-a22b", "us.deepseek.r1-v1:0"),
    *("deepseek.v3-v1:0", "deepseek.v3.2", "cohere.command-r-v1:0", "ai21.jamba-1-5-large-v1:0"),
    *("us.writer.palmyra-x5-v1:0", "moonshot.kimi-k2-thinking", "moonshotai.kimi-k2.5"),
    *("minimax.minimax-m2", "zai.glm-4.7", "zai.glm-5.3", "nvidia.nemotron-super-3-120b"),
    "google.gemma-3-27b-it",
)
_SCHEMA = {
    "name": "r",
    "schema": '{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false}',
}
_POINT = {"cachePoint": {"type": "default"}}
PARAMETERS: dict[str, tuple[Any, ...]] = {
    "additionalModelRequestFields": (
        {"top_k": 5},
        {"thinking": {"type": "enabled", "budget_tokens": 1024}},
        {"thinking": {"type": "adaptive"}},
        {"reasoningConfig": {"type": "enabled", "maxReasoningEffort": "high"}},
        {"reasoning_effort": "low"},
        {"reasoning": {"effort": "xhigh"}},
        {"reasoning_config": "high"},
        {"inferenceConfig": {"topK": 5}},
    ),
    "outputConfig": (
        {"effort": "low"},
        {"effort": "xhigh"},
        {"textFormat": {"type": "json_schema", "structure": {"jsonSchema": _SCHEMA}}},
    ),
    "requestMetadata": ({"k": "v"},),
    "performanceConfig": ({"latency": "standard"},),
    "serviceTier": ({"type": "default"}, {"type": "priority"}),
    "additionalModelResponseFieldPaths": (["/stop_sequence"],),
}
_INFERENCE: dict[str, tuple[Any, ...]] = {
    "maxTokens": (64, 4000),
    "temperature": (0, 0.5, 1),
    "topP": (0.5, 1),
    "stopSequences": (["END"],),
}


def write(script: Script, random: Random) -> dict[str, Any]:
    messages: list[Any] = []
    for number, turn in enumerate(script.turns):
        before = script.turns[number - 1].calls if number else []
        content = [_result(call) for call in before] + [_item(item) for item in turn.user]
        if random.random() < 0.1:
            content.append(_POINT)
        messages.append({"role": "user", "content": content})
        answer: list[Any] = []
        if turn.thinking and (turn.calls or turn.answer.strip()):
            signed = {"text": turn.thinking, "signature": "c2lnbmVk"}
            answer.append({"reasoningContent": {"reasoningText": signed}})
        if turn.answer.strip():
            answer.append({"text": turn.answer})
        answer += [
            {"toolUse": {"toolUseId": _id(call), "name": call.name, "input": call.arguments}}
            for call in turn.calls
        ]
        if answer:
            messages.append({"role": "assistant", "content": answer})
    if script.turns[-1].calls:
        messages.append({"role": "user", "content": [_result(c) for c in script.turns[-1].calls]})
    body: dict[str, Any] = {"messages": messages}
    if script.system:
        body["system"] = [{"text": text} for text in script.system]
        if random.random() < 0.2:
            body["system"].append(_POINT)
    if script.tools:
        body["toolConfig"] = {
            "tools": [
                {
                    "toolSpec": {
                        "name": tool.name,
                        **({"description": tool.description} if tool.description else {}),
                        "inputSchema": {"json": tool.schema},
                        **_strict(tool),
                    }
                }
                for tool in script.tools
            ]
        }
        if random.random() < 0.2:
            body["toolConfig"]["tools"].append(_POINT)
        if random.random() < 0.3:
            body["toolConfig"]["toolChoice"] = random.choice(
                ({"auto": {}}, {"any": {}}, {"tool": {"name": script.tools[0].name}})
            )
    inference = drawn(_INFERENCE, random)
    if inference:
        body["inferenceConfig"] = inference
    return body | drawn(PARAMETERS, random)


def _strict(tool: Tool) -> dict[str, Any]:
    """Return the key of a tool that is strict, if its schema is of such a form."""
    is_closed = tool.schema.get("additionalProperties") is False
    return {"strict": tool.strict} if tool.strict is not None and is_closed else {}


def _id(call: Call) -> str:
    return "".join(c if c.isalnum() or c in "_-" else "_" for c in call.id)[:64]


def _result(call: Call) -> dict[str, Any]:
    content: list[Any] = [{"text": call.result}] if call.result else [{"json": {"a": 1}}]
    if call.media:
        content.append(_item(call.media))
    result: dict[str, Any] = {"toolUseId": _id(call), "content": content}
    if call.error:
        result["status"] = "error"
    return {"toolResult": result}


def _item(item: str | Media) -> dict[str, Any]:
    if isinstance(item, str):
        return {"text": item}
    if item.kind == "image":
        return {"image": {"format": "png", "source": {"bytes": PNG}}}
    return {"document": {"format": "pdf", "name": "a", "source": {"bytes": PDF}}}
