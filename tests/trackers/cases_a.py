"""Situations that users of gateways and agents have reported: bodies, and what has to hold."""

from __future__ import annotations

import json
from typing import Final

from tests.trackers.bodies import (
    CHAT_TOOL,
    COUNTS,
    DATA_URL,
    HI,
    OBJECT,
    PNG,
    RESPONSES_TOOL,
    START,
    TOOL,
    anthropic,
    anthropic_answer,
    assistant,
    bedrock,
    bedrock_answer,
    block,
    blocks,
    call,
    called,
    calls,
    chat,
    chat_answer,
    chunk,
    deltas,
    end,
    finish,
    function_call,
    function_output,
    gemini,
    gemini_answer,
    grown,
    mentions,
    responses,
    responses_answer,
    result,
    said,
    stop,
    text,
    thought,
    tool,
    use,
    user,
)
from tests.trackers.table import Case, case

CASES: Final[list[Case]] = [
    case(
        "BerriAI/litellm#25561",
        "stream",
        "gemini",
        "anthropic",
        [
            gemini_answer({"text": "Hm.", "thought": True}, finish=""),
            gemini_answer(
                {"functionCall": {"name": "Read", "args": {"x": "1"}}, "thoughtSignature": "c2ln"}
            ),
        ],
        lambda o: (
            json.loads(grown(o, "input_json_delta", "partial_json")) == {"x": "1"}
            and stop(o) == "tool_use"
        ),
    ),
    case(
        "BerriAI/litellm#29491",
        "stream",
        "openai_chat:generic",
        "anthropic",
        [
            chunk(
                {
                    "role": "assistant",
                    "content": None,
                    "tool_calls": [
                        {
                            "index": 0,
                            "id": "a",
                            "type": "function",
                            "function": {"name": "f", "arguments": ""},
                        }
                    ],
                }
            ),
            chunk(
                {
                    "content": None,
                    "tool_calls": [
                        {
                            "index": 0,
                            "id": None,
                            "type": "function",
                            "function": {"name": None, "arguments": '{"x":'},
                        }
                    ],
                }
            ),
            chunk(
                {
                    "content": None,
                    "tool_calls": [
                        {
                            "index": 0,
                            "id": "",
                            "type": "function",
                            "function": {"name": "", "arguments": '"1"}'},
                        }
                    ],
                }
            ),
            chunk({}, "tool_calls"),
            COUNTS,
        ],
        lambda o: (
            grown(o, "input_json_delta", "partial_json") == '{"x":"1"}'
            and [b["name"] for b in blocks(o)] == ["f"]
        ),
    ),
    case(
        "BerriAI/litellm#20433",
        "request",
        "anthropic",
        "openai_responses",
        anthropic(HI, max_tokens=16000, thinking={"type": "enabled", "budget_tokens": 10000}),
        lambda o: (
            o["reasoning"]["effort"] in ("medium", "high")
            and o["reasoning"]["summary"] in ("auto", "detailed")
        ),
        model="gpt-5.2",
        known="OpenAI refuses summaries to unverified organizations; none is asked for",
    ),
    case(
        "BerriAI/litellm#32944",
        "request",
        "anthropic",
        "bedrock",
        anthropic(HI, max_tokens=8192, thinking={"type": "adaptive"}),
        lambda o: (
            o["additionalModelRequestFields"]["thinking"]["type"] == "enabled"
            and 1024 <= o["additionalModelRequestFields"]["thinking"]["budget_tokens"] < 8192
        ),
        model="us.anthropic.claude-sonnet-4-5-20250929-v1:0",
    ),
    case(
        "BerriAI/litellm#29600",
        "stream",
        "openai_chat:generic",
        "anthropic",
        [
            chunk({"role": "assistant", "content": ""}),
            chunk({"reasoning_content": "Hm"}),
            chunk({"reasoning_content": "."}),
            chunk({"content": "Hi"}),
            chunk({}, "stop"),
            COUNTS,
        ],
        lambda o: (
            [b["type"] for b in blocks(o)] == ["thinking", "text"]
            and grown(o, "thinking_delta", "thinking") == "Hm."
        ),
    ),
    case(
        "BerriAI/litellm#25322",
        "answer",
        "gemini",
        "anthropic",
        gemini_answer(
            {"text": "Hm.", "thought": True},
            {"functionCall": {"name": "f", "args": {}}, "thoughtSignature": "c2lnbmF0dXJl"},
        ),
        lambda o: mentions(o, "c2lnbmF0dXJl"),
        told="signature",
    ),
    case(
        "BerriAI/litellm#16895",
        "stream",
        "gemini",
        "openai_chat",
        [
            gemini_answer(
                {"functionCall": {"name": "f", "args": {}}, "thoughtSignature": "c2lnbmF0dXJl"}
            )
        ],
        lambda o: mentions(o, "c2lnbmF0dXJl"),
        told="signature",
    ),
    case(
        "BerriAI/litellm#17479",
        "request",
        "openai_chat",
        "bedrock",
        chat(
            HI,
            calls(call()),
            {
                "role": "tool",
                "tool_call_id": "a",
                "content": [text("1", cache_control={"type": "ephemeral"})],
            },
            tools=[CHAT_TOOL],
        ),
        lambda o: not any("cachePoint" in b for b in o["messages"][2]["content"]),
        model="us.amazon.nova-pro-v1:0",
    ),
    case(
        "BerriAI/litellm#41067",
        "stream",
        "openai_chat:generic",
        "anthropic",
        [
            chunk({"role": "assistant", "content": "Hi"}),
            chunk({}, "stop"),
            {
                **COUNTS,
                "usage": {
                    "prompt_tokens": 2643,
                    "completion_tokens": 2,
                    "total_tokens": 2645,
                    "prompt_tokens_details": {"cached_tokens": 2623},
                },
            },
        ],
        lambda o: (lambda u: (u["input_tokens"], u["cache_read_input_tokens"]) == (20, 2623))(
            next(e for e in o if e["type"] == "message_delta")["usage"]
        ),
    ),
    case(
        "BerriAI/litellm#35878",
        "request",
        "openai_responses",
        "openai_chat",
        responses(
            HI,
            tools=[
                RESPONSES_TOOL,
                {
                    "type": "namespace",
                    "name": "crm",
                    "description": "CRM",
                    "tools": [
                        {
                            "type": "function",
                            "name": "list_orders",
                            "description": "List",
                            "parameters": OBJECT,
                        }
                    ],
                },
            ],
        ),
        lambda o: any("list_orders" in t["function"]["name"] for t in o["tools"]),
        told="namespace",
    ),
    case(
        "BerriAI/litellm#23712",
        "request",
        "anthropic",
        "gemini",
        anthropic(
            HI,
            assistant(use()),
            user(
                result(
                    [
                        {
                            "type": "image",
                            "source": {"type": "base64", "media_type": "image/png", "data": PNG},
                        }
                    ]
                )
            ),
        ),
        lambda o: mentions(o["contents"], PNG),
        model="gemini-3-pro-preview",
    ),
    case(
        "BerriAI/litellm#31882",
        "request",
        "openai_chat",
        "anthropic:bedrock",
        chat(
            HI,
            response_format={
                "type": "json_schema",
                "json_schema": {
                    "name": "r",
                    "schema": {**OBJECT, "required": ["x"], "additionalProperties": False},
                },
            },
        ),
        lambda o: o["output_config"]["format"]["schema"]["required"] == ["x"],
        model="anthropic.claude-sonnet-4-5-20250929-v1:0",
    ),
    case(
        "BerriAI/litellm#17574",
        "request",
        "openai_chat",
        "bedrock",
        chat(
            HI,
            response_format={
                "type": "json_schema",
                "json_schema": {
                    "name": "r",
                    "schema": {
                        "anyOf": [
                            {**OBJECT, "additionalProperties": False},
                            {
                                "type": "object",
                                "properties": {"y": {"type": "string"}},
                                "additionalProperties": False,
                            },
                        ]
                    },
                },
            },
        ),
        lambda o: mentions(o, "anyOf"),
        model="global.anthropic.claude-opus-4-5-20251101-v1:0",
    ),
    case(
        "BerriAI/litellm#35655",
        "request",
        "openai_chat",
        "bedrock",
        chat(
            HI,
            response_format={
                "type": "json_schema",
                "json_schema": {
                    "name": "Color",
                    "schema": {**OBJECT, "required": ["x"], "additionalProperties": False},
                },
            },
        ),
        lambda o: (
            o["outputConfig"]["textFormat"]["type"] == "json_schema" and "toolConfig" not in o
        ),
        model="zai.glm-5",
    ),
    case(
        "BerriAI/litellm#23731",
        "answer",
        "gemini",
        "openai_chat",
        gemini_answer(
            {"text": "Hi"},
            usageMetadata={
                "promptTokenCount": 199,
                "candidatesTokenCount": 29,
                "thoughtsTokenCount": 140,
                "toolUsePromptTokenCount": 248,
                "totalTokenCount": 616,
            },
        ),
        lambda o: (
            (u := o["usage"])["total_tokens"] == 616
            and u["completion_tokens"] == 169
            and u["prompt_tokens"] == 447
            and u["completion_tokens_details"]["reasoning_tokens"] == 140
        ),
    ),
    case(
        "BerriAI/litellm#27950",
        "request",
        "openai_responses:openrouter",
        "anthropic",
        responses(
            {
                "type": "message",
                "role": "user",
                "content": [
                    {
                        "type": "input_text",
                        "text": "Hi",
                        "cache_control": {"type": "ephemeral", "ttl": "1h"},
                    }
                ],
            }
        ),
        lambda o: mentions(o["messages"], "1h"),
        model="claude-sonnet-4-6",
        told="extras",
    ),
    case(
        "BerriAI/litellm#29088",
        "request",
        "openai_chat",
        "gemini",
        chat(
            {"role": "system", "content": [text("S", cache_control={"type": "ephemeral"})]},
            HI,
            tools=[CHAT_TOOL],
            tool_choice="required",
        ),
        lambda o: o["toolConfig"]["functionCallingConfig"]["mode"] == "ANY",
        model="gemini-2.5-flash",
    ),
    case(
        "BerriAI/litellm#32867",
        "request",
        "anthropic",
        "anthropic",
        anthropic(
            HI,
            model="claude-opus-4-7",
            thinking={"type": "adaptive"},
            output_config={"effort": "high"},
        ),
        lambda o: (
            o["thinking"]["type"] == "enabled" and o["thinking"]["budget_tokens"] < o["max_tokens"]
        ),
        model="claude-sonnet-4-5",
        told="thinking",
    ),
    case(
        "maximhq/bifrost#3795",
        "request",
        "openai_responses",
        "bedrock",
        responses(
            HI,
            tools=[
                RESPONSES_TOOL,
                {
                    "type": "mcp",
                    "server_label": "time",
                    "server_url": "https://a.example/mcp",
                    "require_approval": "never",
                },
            ],
        ),
        lambda o: False,
        told="tools[1]",
        model="eu.anthropic.claude-sonnet-4-6",
    ),
    case(
        "maximhq/bifrost#3184",
        "request",
        "openai_chat",
        "bedrock",
        chat(
            response_format={
                "type": "json_schema",
                "json_schema": {
                    "name": "r",
                    "schema": {**OBJECT, "required": ["x"], "additionalProperties": False},
                },
            }
        ),
        lambda o: (
            "output_config" not in json.dumps(o.get("additionalModelRequestFields", {}))
            and mentions(o, "json_schema")
        ),
        model="us.anthropic.claude-opus-4-7",
        told="schema",
    ),
    case(
        "maximhq/bifrost#1391",
        "request",
        "openai_chat",
        "gemini",
        chat(HI, calls(call("a"), call("b", "g")), tool("1", "a"), tool("2", "b")),
        lambda o: (
            [
                [p["functionResponse"]["name"] for p in c["parts"]]
                for c in o["contents"]
                if "functionResponse" in c["parts"][0]
            ]
            == [["f", "g"]]
        ),
        model="gemini-2.5-pro",
    ),
    case(
        "maximhq/bifrost#5158",
        "request",
        "openai_responses",
        "openai_responses",
        responses(
            {
                "type": "additional_tools",
                "role": "developer",
                "tools": [
                    {
                        "type": "custom",
                        "name": "exec",
                        "format": {
                            "type": "grammar",
                            "syntax": "lark",
                            "definition": "start: /.+/",
                        },
                    },
                    {
                        "type": "namespace",
                        "name": "c",
                        "description": "d",
                        "tools": [RESPONSES_TOOL],
                    },
                ],
            },
            HI,
        ),
        lambda o: (
            [t["type"] for t in o["input"][0]["tools"]] == ["custom", "namespace"]
            and o["input"][0]["tools"][0]["format"]["syntax"] == "lark"
        ),
    ),
    case(
        "maximhq/bifrost#1080",
        "request",
        "openai_chat",
        "gemini",
        chat(
            reasoning_effort="low",
            response_format={
                "type": "json_schema",
                "json_schema": {
                    "name": "r",
                    "schema": {**OBJECT, "required": ["x"], "additionalProperties": False},
                },
            },
        ),
        lambda o: (
            (g := o["generationConfig"])["responseMimeType"] == "application/json"
            and (g.get("responseJsonSchema") or g.get("responseSchema"))["required"] == ["x"]
            and "thinkingConfig" in g
        ),
        model="gemini-2.5-flash",
    ),
    case(
        "maximhq/bifrost#3878",
        "request",
        "anthropic",
        "anthropic",
        anthropic(
            HI,
            assistant(text("a")),
            HI,
            {"role": "system", "content": "Be brief."},
            model="claude-opus-4-8",
        ),
        lambda o: o["messages"][3]["role"] == "system",
    ),
    case(
        "maximhq/bifrost#6457",
        "request",
        "openai_chat",
        "openai_chat:generic",
        chat(max_completion_tokens=100),
        lambda o: o["max_tokens"] == 100,
        model="glm-5",
    ),
    case(
        "maximhq/bifrost#6487",
        "stream",
        "openai_chat",
        "openai_responses",
        [chunk({"role": "assistant", "content": "Hi"}), chunk({}, "stop"), COUNTS],
        lambda o: (
            next(e["item"] for e in o if e["type"] == "response.output_item.added")["content"] == []
        ),
    ),
    case(
        "maximhq/bifrost#2652",
        "stream",
        "openai_responses",
        "anthropic",
        [
            {
                "type": "response.created",
                "sequence_number": 0,
                "response": responses_answer(status="in_progress"),
            },
            {
                "type": "error",
                "sequence_number": 1,
                "code": "insufficient_quota",
                "message": "You exceeded your quota",
                "param": None,
            },
        ],
        lambda o: (
            o[-1]["type"] == "error" and o[-1]["error"]["message"] == "You exceeded your quota"
        ),
    ),
    case(
        "maximhq/bifrost#6419",
        "stream",
        "openai_responses:azure",
        "openai_chat",
        [
            {
                "type": "response.created",
                "sequence_number": 0,
                "response": responses_answer(status="in_progress"),
            },
            {
                "type": "response.failed",
                "sequence_number": 1,
                "response": responses_answer(
                    status="failed",
                    error={"code": "content_filter", "message": "The response was filtered"},
                ),
            },
            {
                "type": "error",
                "sequence_number": 2,
                "code": "content_filter",
                "message": "The response was filtered",
                "param": None,
            },
        ],
        lambda o: mentions(o, "filtered"),
    ),
    case(
        "maximhq/bifrost#1674",
        "error",
        "openai_chat:generic",
        "openai_chat",
        {"error": {"type": "", "message": ""}},
        lambda o: isinstance(o["error"]["message"], str),
    ),
    case(
        "maximhq/bifrost#2210",
        "request",
        "openai_responses",
        "gemini",
        responses(HI, function_call(), function_output()),
        lambda o: o["contents"][1]["parts"][0].get("thoughtSignature"),
        model="gemini-3.1-flash-preview",
    ),
    case(
        "maximhq/bifrost#1142",
        "answer",
        "gemini",
        "openai_chat:openrouter",
        gemini_answer(
            {"functionCall": {"name": "f", "args": {}}, "thoughtSignature": "c2lnbmF0dXJl"}
        ),
        lambda o: mentions(o, "c2lnbmF0dXJl"),
        told="signature",
    ),
    case(
        "maximhq/bifrost#908",
        "answer",
        "bedrock",
        "openai_chat",
        bedrock_answer(
            {"text": "Hi"},
            usage={
                "inputTokens": 10,
                "outputTokens": 2,
                "totalTokens": 112,
                "cacheReadInputTokens": 40,
                "cacheWriteInputTokens": 60,
            },
        ),
        lambda o: (
            (u := o["usage"])["prompt_tokens"] == 110
            and u["prompt_tokens_details"]["cached_tokens"] == 40
            and u["completion_tokens"] == 2
        ),
    ),
    case(
        "maximhq/bifrost#4746",
        "stream",
        "openai_chat",
        "bedrock",
        [
            chunk({"role": "assistant", "content": "Hi"}),
            chunk({}, "stop"),
            {
                **COUNTS,
                "usage": {
                    "prompt_tokens": 100,
                    "completion_tokens": 2,
                    "total_tokens": 102,
                    "prompt_tokens_details": {"cached_tokens": 80},
                },
            },
        ],
        lambda o: (
            (u := o[-1]["metadata"]["usage"])["inputTokens"] == 20
            and u["cacheReadInputTokens"] == 80
            and u["totalTokens"] == 102
        ),
    ),
    case(
        "maximhq/bifrost#1872",
        "answer",
        "anthropic",
        "openai_responses",
        anthropic_answer(
            text(),
            usage={
                "input_tokens": 10,
                "cache_creation_input_tokens": 60,
                "cache_read_input_tokens": 30,
                "output_tokens": 2,
            },
        ),
        lambda o: (
            (u := o["usage"])["input_tokens"] == 100
            and u["input_tokens_details"]["cached_tokens"] == 30
            and u["total_tokens"] == 102
        ),
    ),
    case(
        "maximhq/bifrost#2773",
        "request",
        "anthropic",
        "anthropic",
        anthropic(HI, max_tokens=20000, thinking={"type": "enabled", "budget_tokens": 1024}),
        lambda o: (
            o["thinking"]["type"] == "adaptive"
            and o["output_config"]["effort"] in ("low", "medium")
        ),
        model="claude-opus-4-7",
    ),
    case(
        "maximhq/bifrost#2093",
        "request",
        "anthropic",
        "openai_chat:generic",
        anthropic(
            HI,
            assistant(thought("Plan", ""), use()),
            user(result()),
            thinking={"type": "enabled", "budget_tokens": 1024},
        ),
        lambda o: o["messages"][1]["reasoning_content"] == "Plan",
        model="kimi-k2.5",
    ),
    case(
        "maximhq/bifrost#974",
        "stream",
        "gemini",
        "openai_chat:openrouter",
        [gemini_answer({"text": "Hm.", "thought": True}, finish=""), gemini_answer({"text": "Hi"})],
        lambda o: (
            "".join(deltas(o, "reasoning") or deltas(o, "reasoning_content")) == "Hm."
            and "".join(deltas(o, "content")) == "Hi"
        ),
    ),
    case(
        "maximhq/bifrost#6537",
        "answer",
        "openai_chat:deepseek",
        "openai_chat:generic",
        chat_answer({"content": "Hi", "reasoning_content": "Hm."}),
        lambda o: o["choices"][0]["message"]["reasoning_content"] == "Hm.",
    ),
    case(
        "maximhq/bifrost#5149",
        "stream",
        "anthropic",
        "openai_responses",
        [
            START,
            *block(
                0,
                {"type": "thinking", "thinking": "", "signature": ""},
                {"type": "thinking_delta", "thinking": "Hm."},
                {"type": "signature_delta", "signature": "c2ln"},
            ),
            *block(1, text(""), {"type": "text_delta", "text": "Hi"}),
            *end(),
        ],
        lambda o: (
            next(
                e["text"]
                for e in o
                if e["type"]
                in ("response.reasoning_summary_text.done", "response.reasoning_text.done")
            )
            == "Hm."
            and [e["item"]["type"] for e in o if e["type"] == "response.output_item.done"]
            == ["reasoning", "message"]
            and [i["type"] for i in o[-1]["response"]["output"]] == ["reasoning", "message"]
        ),
    ),
    case(
        "maximhq/bifrost#4622",
        "request",
        "bedrock",
        "openai_responses",
        bedrock(
            {
                "role": "user",
                "content": [
                    {"text": "Hi"},
                    {"document": {"format": "docx", "name": "d", "source": {"bytes": "UEsDBA=="}}},
                ],
            }
        ),
        lambda o: mentions(o, "wordprocessingml") and not mentions(o, "application/pdf"),
        model="gpt-5",
    ),
    case(
        "diegosouzapw/OmniRoute#8946",
        "request",
        "openai_responses",
        "openai_chat",
        responses(
            HI,
            {
                "type": "custom_tool_call",
                "call_id": "a",
                "name": "apply_patch",
                "input": "*** Begin",
            },
            {"type": "custom_tool_call_output", "call_id": "a", "output": "ok"},
            tools=[{"type": "custom", "name": "apply_patch"}],
        ),
        lambda o: (
            o["messages"][1]["tool_calls"][0]["id"] == o["messages"][2]["tool_call_id"] == "a"
            and mentions(o["messages"][1], "*** Begin")
        ),
    ),
    case(
        "diegosouzapw/OmniRoute#9132",
        "request",
        "openai_chat",
        "anthropic",
        chat(
            tools=[
                {"type": "function", "function": {"name": f"f{i}", "parameters": OBJECT}}
                for i in range(167)
            ]
        ),
        lambda o: len(o["tools"]) == 167,
        model="claude-sonnet-4-5",
    ),
    case(
        "diegosouzapw/OmniRoute#1412",
        "request",
        "anthropic",
        "gemini",
        anthropic(
            HI,
            assistant(use("a"), use("b"), use("c")),
            user(result("1", "a"), result("2", "b"), result("3", "c"), text("go on")),
        ),
        lambda o: len([p for p in o["contents"][2]["parts"] if "functionResponse" in p]) == 3,
        model="gemini-2.5-pro",
    ),
    case(
        "diegosouzapw/OmniRoute#13964",
        "stream",
        "anthropic",
        "openai_responses",
        [
            START,
            *block(0, text(""), {"type": "text_delta", "text": "Hi"}),
            *block(1, use(), {"type": "input_json_delta", "partial_json": "{}"}),
            *end("tool_use"),
        ],
        lambda o: (
            [e["sequence_number"] for e in o] == [*range(len(o))]
            and all(
                e["response"]["output"] == []
                for e in o
                if e["type"] in ("response.created", "response.in_progress")
            )
            and all(
                e["item"]["status"] == "in_progress"
                for e in o
                if e["type"] == "response.output_item.added"
            )
            and all(
                e["item"]["status"] == "completed"
                for e in o
                if e["type"] == "response.output_item.done"
            )
        ),
    ),
    case(
        "diegosouzapw/OmniRoute#5312",
        "stream",
        "anthropic",
        "openai_chat:generic",
        [
            START,
            *block(
                0,
                {"type": "thinking", "thinking": "", "signature": ""},
                {"type": "thinking_delta", "thinking": "Hm."},
                {"type": "signature_delta", "signature": "c2ln"},
            ),
            *block(
                1,
                use(),
                {"type": "input_json_delta", "partial_json": '{"command": "ls'},
                {"type": "input_json_delta", "partial_json": ' -l", "x": 1}'},
            ),
            *end("tool_use"),
        ],
        lambda o: (
            not mentions(o, "think>")
            and "".join(
                c["function"].get("arguments", "") for d in deltas(o, "tool_calls") for c in d
            )
            == '{"command": "ls -l", "x": 1}'
        ),
    ),
    case(
        "diegosouzapw/OmniRoute#2402",
        "answer",
        "openai_chat:generic",
        "anthropic",
        chat_answer(
            {"content": "Hi"},
            usage={
                "prompt_tokens": 100,
                "completion_tokens": 20,
                "total_tokens": 120,
                "cached_tokens": 80,
                "reasoning_tokens": 10,
            },
        ),
        lambda o: (u := o["usage"])["cache_read_input_tokens"] == 80 and u["input_tokens"] == 20,
    ),
    case(
        "diegosouzapw/OmniRoute#708",
        "request",
        "anthropic",
        "anthropic",
        anthropic(
            user(text("Hi", cache_control={"type": "ephemeral"})),
            system=[text("S", cache_control={"type": "ephemeral", "ttl": "1h"})],
            tools=[{**TOOL, "cache_control": {"type": "ephemeral", "ttl": "1h"}}],
        ),
        lambda o: (
            o["system"][0]["cache_control"]["ttl"] == "1h"
            and o["tools"][0]["cache_control"]["ttl"] == "1h"
            and o["messages"][0]["content"][0]["cache_control"] == {"type": "ephemeral"}
        ),
    ),
    case(
        "diegosouzapw/OmniRoute#224",
        "request",
        "openai_chat:deepseek",
        "openai_responses",
        chat(HI, calls(call(), reasoning_content="Hm."), tool()),
        lambda o: all(
            i["id"].startswith("rs")
            for i in o["input"]
            if i.get("type") == "reasoning" and "id" in i
        ),
    ),
    case(
        "diegosouzapw/OmniRoute#3612",
        "stream",
        "openai_chat:generic",
        "openai_responses",
        [
            chunk({"role": "assistant", "content": None, "reasoning_content": "Hm."}),
            chunk(called('{"x":"1"}')),
            chunk({}, "tool_calls"),
            COUNTS,
        ],
        lambda o: (
            o[-1]["type"] == "response.completed"
            and [i["type"] for i in o[-1]["response"]["output"]] == ["reasoning", "function_call"]
        ),
    ),
    case(
        "diegosouzapw/OmniRoute#707",
        "request",
        "openai_chat",
        "openai_chat",
        chat(tools=[RESPONSES_TOOL]),
        lambda o: o["tools"][0]["function"]["name"] == "f",
        refused="function",
    ),
    case(
        "diegosouzapw/OmniRoute#6402",
        "request",
        "openai_chat",
        "anthropic",
        {"model": "gpt-5"},
        lambda o: False,
        refused="messages",
    ),
    case(
        "QuantumNous/new-api#6394",
        "stream",
        "openai_chat",
        "anthropic",
        [
            chunk({"role": "assistant", "content": None}),
            chunk(called('{"x":', 0, "a", "f")),
            chunk(called('{"y":', 1, "b", "g")),
            chunk(called('"1"}', 0, None, None)),
            chunk(called('"2"}', 1, None, None)),
            chunk({}, "tool_calls"),
            COUNTS,
        ],
        lambda o: (
            grown(o, "input_json_delta", "partial_json") == '{"x":"1"}{"y":"2"}'
            and [(b["id"], b["name"]) for b in blocks(o)] == [("a", "f"), ("b", "g")]
            and [e["type"] for e in o if "index" in e and "delta" not in e]
            == ["content_block_start", "content_block_stop"] * 2
        ),
    ),
    case(
        "QuantumNous/new-api#5482",
        "stream",
        "openai_chat",
        "anthropic",
        [
            chunk({"role": "assistant", "content": ""}),
            chunk(called("", 0)),
            chunk({"content": ""}),
            chunk(called("{}", 0, None, None)),
            chunk({"content": ""}, "tool_calls"),
            COUNTS,
        ],
        lambda o: (
            [e["index"] for e in o if e["type"] == "content_block_start"]
            == [0]
            == [e["index"] for e in o if e["type"] == "content_block_stop"]
        ),
    ),
    case(
        "QuantumNous/new-api#5125",
        "request",
        "anthropic",
        "openai_chat:deepseek",
        anthropic(HI, assistant(thought("Plan", ""), text("look"), use()), user(result())),
        lambda o: (
            o["messages"][1]["reasoning_content"] == "Plan"
            and o["messages"][1]["content"] == "look"
        ),
        model="deepseek-v4-pro",
    ),
    case(
        "QuantumNous/new-api#5530",
        "answer",
        "anthropic",
        "openai_chat:generic",
        anthropic_answer(thought("Secret"), text("Hi")),
        lambda o: (
            (m := o["choices"][0]["message"])["content"] == "Hi"
            and m["reasoning_content"] == "Secret"
        ),
    ),
    case(
        "QuantumNous/new-api#6463",
        "request",
        "openai_responses",
        "openai_chat",
        responses(
            user(
                {"type": "input_text", "text": "Hi"},
                {"type": "input_image", "image_url": DATA_URL, "detail": "high"},
            )
        ),
        lambda o: (
            o["messages"][0]["content"][1]["image_url"] == {"url": DATA_URL, "detail": "high"}
        ),
    ),
    case(
        "QuantumNous/new-api#5672",
        "stream",
        "openai_chat:generic",
        "openai_responses",
        [
            chunk({"role": "assistant", "content": "Hi"}),
            chunk(
                {},
                "stop",
                usage={
                    "prompt_tokens": 3513,
                    "completion_tokens": 1246,
                    "total_tokens": 4759,
                    "prompt_tokens_details": {"cached_tokens": 3328},
                    "completion_tokens_details": {"reasoning_tokens": 618},
                },
            ),
        ],
        lambda o: (
            (u := o[-1]["response"]["usage"])["input_tokens_details"]["cached_tokens"] == 3328
            and u["output_tokens_details"]["reasoning_tokens"] == 618
        ),
    ),
    case(
        "QuantumNous/new-api#7227",
        "request",
        "openai_responses",
        "openai_chat",
        responses(
            HI,
            function_call(),
            function_output(
                [
                    {"type": "input_text", "text": "t"},
                    {"type": "input_image", "image_url": DATA_URL},
                ]
            ),
        ),
        lambda o: (
            not any(isinstance(m["content"], str) and PNG in m["content"] for m in o["messages"])
            and mentions(o, DATA_URL)
        ),
    ),
    case(
        "QuantumNous/new-api#7137",
        "request",
        "openai_responses",
        "anthropic",
        responses(HI, tools=[{"type": "web_search"}]),
        lambda o: o["tools"][0]["type"].startswith("web_search_2"),
        model="claude-sonnet-4-6",
    ),
    case(
        "QuantumNous/new-api#7444",
        "request",
        "anthropic",
        "openai_chat",
        anthropic(
            HI,
            assistant(use("a"), use("b")),
            user(
                result(
                    [
                        text("t"),
                        {
                            "type": "image",
                            "source": {"type": "base64", "media_type": "image/png", "data": PNG},
                        },
                    ],
                    "a",
                ),
                result("2", "b"),
            ),
        ),
        lambda o: (
            not any(isinstance(m["content"], str) and PNG in m["content"] for m in o["messages"])
            and mentions(o, DATA_URL)
            and [m["role"] for m in o["messages"]][:4] == ["user", "assistant", "tool", "tool"]
        ),
    ),
    case(
        "QuantumNous/new-api#2181",
        "request",
        "gemini",
        "gemini",
        {
            "contents": [said("user", {"text": "Hi"})],
            "generation_config": {
                "thinking_config": {"include_thoughts": True, "thinking_budget": 1024}
            },
        },
        lambda o: (
            (c := (o.get("generationConfig") or o.get("generation_config")))
            and (t := (c.get("thinkingConfig") or c.get("thinking_config")))
            and t.get("thinkingBudget", t.get("thinking_budget")) == 1024
        ),
        model="gemini-2.5-flash",
    ),
    case(
        "QuantumNous/new-api#5345",
        "stream",
        "openai_chat:generic",
        "anthropic",
        [chunk({"role": "assistant", "content": "Hi"}), chunk({}, "stop")],
        lambda o: o[-1]["type"] == "message_stop" and stop(o) == "end_turn",
    ),
    case(
        "QuantumNous/new-api#4760",
        "stream",
        "openai_chat:openrouter",
        "anthropic",
        [
            chunk({"role": "assistant", "content": "Hi"}),
            chunk({"role": "assistant", "content": ""}, "stop"),
            chunk(
                {"role": "assistant", "content": ""},
                None,
                usage={"prompt_tokens": 3, "completion_tokens": 7, "total_tokens": 10},
            ),
        ],
        lambda o: next(e for e in o if e["type"] == "message_delta")["usage"]["output_tokens"] == 7,
    ),
    case(
        "QuantumNous/new-api#4697",
        "stream",
        "openai_chat:qwen",
        "anthropic",
        [
            chunk({"content": None, "reasoning_content": "Hm", "role": "assistant"}, usage=None),
            chunk({"content": None, "reasoning_content": "."}),
            chunk({"content": "Hi", "reasoning_content": None}),
            {
                "choices": [
                    {
                        "finish_reason": "stop",
                        "delta": {"content": "", "reasoning_content": None},
                        "index": 0,
                        "logprobs": None,
                    }
                ],
                "object": "chat.completion.chunk",
                "usage": None,
                "created": 1,
                "system_fingerprint": None,
                "model": "m",
                "id": "c1",
            },
        ],
        lambda o: (
            [b["type"] for b in blocks(o)] == ["thinking", "text"]
            and o[-1]["type"] == "message_stop"
        ),
    ),
    case(
        "diegosouzapw/OmniRoute#9221",
        "answer",
        "openai_chat",
        "gemini",
        chat_answer(
            {
                "content": None,
                "tool_calls": [
                    call(extra_content={"google": {"thought_signature": "c2lnbmF0dXJl"}})
                ],
            },
            "tool_calls",
        ),
        lambda o: o["candidates"][0]["content"]["parts"][0]["thoughtSignature"] == "c2lnbmF0dXJl",
    ),
    case(
        "vercel/ai#17390",
        "request",
        "anthropic",
        "anthropic",
        anthropic(
            HI,
            assistant(
                {
                    "type": "server_tool_use",
                    "id": "srvtoolu_1",
                    "name": "web_search",
                    "input": {"query": "q"},
                },
                {
                    "type": "web_search_tool_result",
                    "tool_use_id": "srvtoolu_1",
                    "content": {
                        "type": "web_search_tool_result_error",
                        "error_code": "invalid_tool_input",
                    },
                },
                text("a"),
            ),
            HI,
            tools=[{"type": "web_search_20250305", "name": "web_search"}],
        ),
        lambda o: (
            [b["type"] for b in o["messages"][1]["content"]]
            == ["server_tool_use", "web_search_tool_result", "text"]
            and not any(b["type"] == "tool_result" for b in o["messages"][2]["content"])
        ),
    ),
    case(
        "vercel/ai#11077",
        "answer",
        "anthropic",
        "openai_chat",
        anthropic_answer(
            text(),
            usage={
                "input_tokens": 10,
                "cache_creation_input_tokens": 0,
                "cache_read_input_tokens": 90,
                "output_tokens": 2,
            },
        ),
        lambda o: (
            (u := o["usage"])["prompt_tokens"] == 100
            and u["prompt_tokens_details"]["cached_tokens"] == 90
            and u["total_tokens"] == 102
        ),
    ),
    case(
        "vercel/ai#7099",
        "request",
        "openai_responses",
        "openai_responses",
        responses(
            HI,
            {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "ZW5j"},
            {**function_call(), "id": "fc_1"},
            function_output(),
        ),
        lambda o: (
            [i.get("type", "message") for i in o["input"]]
            == ["message", "reasoning", "function_call", "function_call_output"]
            and o["input"][2]["id"] == "fc_1"
        ),
    ),
    case(
        "vercel/ai#11745",
        "answer",
        "openai_chat",
        "openai_chat:generic",
        chat_answer(
            {
                "content": None,
                "tool_calls": [
                    call(extra_content={"google": {"thought_signature": "c2lnbmF0dXJl"}})
                ],
            },
            "tool_calls",
        ),
        lambda o: (
            o["choices"][0]["message"]["tool_calls"][0]["extra_content"]["google"][
                "thought_signature"
            ]
            == "c2lnbmF0dXJl"
        ),
        told="signature",
    ),
    case(
        "vercel/ai#10738",
        "request",
        "gemini",
        "gemini",
        gemini(
            said("user", {"text": "Hi"}),
            said(
                "model",
                {"inlineData": {"mimeType": "image/png", "data": PNG}, "thoughtSignature": "c2ln"},
            ),
            said("user", {"text": "Hi"}),
        ),
        lambda o: (
            o["contents"][1]["parts"][0]["thoughtSignature"] == "c2ln"
            and o["contents"][1]["parts"][0]["inlineData"]["data"] == PNG
        ),
        model="gemini-3-pro-image-preview",
    ),
    case(
        "vercel/ai#7034",
        "request",
        "openai_chat:deepseek",
        "bedrock",
        chat(HI, calls(call(), reasoning_content="Hm."), tool(), tools=[CHAT_TOOL]),
        lambda o: not mentions(o, "reasoningContent"),
        model="us.anthropic.claude-3-haiku-20240307-v1:0",
    ),
    case(
        "pydantic/pydantic-ai#3881",
        "request",
        "openai_chat",
        "gemini:vertex",
        chat(HI, calls(call()), tool()),
        lambda o: (
            o["contents"][1]["parts"][0]["thoughtSignature"]
            in ("skip_thought_signature_validator", "c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I=")
        ),
        model="gemini-3-pro-preview",
    ),
    case(
        "pydantic/pydantic-ai#3467",
        "request",
        "openai_chat:openrouter",
        "anthropic",
        chat(user(*[text(str(i), cache_control={"type": "ephemeral"}) for i in range(6)])),
        lambda o: json.dumps(o).count("ephemeral") == 4,
        model="claude-sonnet-4-5",
    ),
    case(
        "pydantic/pydantic-ai#3942",
        "request",
        "openai_responses",
        "anthropic",
        responses(
            user(
                {"type": "input_text", "text": "Hi"}, {"type": "input_file", "file_id": "file-abc"}
            )
        ),
        lambda o: not mentions(o, "file-abc"),
        model="claude-sonnet-4-5",
        told="file",
    ),
    case(
        "pydantic/pydantic-ai#4102",
        "answer",
        "gemini",
        "openai_chat",
        {
            "promptFeedback": {"blockReason": "PROHIBITED_CONTENT"},
            "usageMetadata": {"promptTokenCount": 3, "totalTokenCount": 3},
            "modelVersion": "m",
            "responseId": "r1",
        },
        lambda o: o["choices"][0]["finish_reason"] == "content_filter",
    ),
    case(
        "pydantic/pydantic-ai#7470",
        "answer",
        "openai_chat:deepseek",
        "openai_chat",
        chat_answer(
            {"content": "Hi"},
            usage={
                "prompt_tokens": 100,
                "completion_tokens": 2,
                "total_tokens": 102,
                "prompt_cache_hit_tokens": 80,
                "prompt_cache_miss_tokens": 20,
            },
        ),
        lambda o: (
            (u := o["usage"])["prompt_tokens_details"]["cached_tokens"] == 80
            and u["prompt_tokens"] == 100
        ),
    ),
    case(
        "pydantic/pydantic-ai#5957",
        "answer",
        "cohere",
        "openai_chat",
        {
            "id": "c1",
            "finish_reason": "COMPLETE",
            "message": {"role": "assistant", "content": [{"type": "text", "text": "Hi"}]},
            "usage": {
                "billed_units": {"input_tokens": 20, "output_tokens": 2},
                "tokens": {"input_tokens": 100, "output_tokens": 2},
                "cached_tokens": 80,
            },
        },
        lambda o: (
            (u := o["usage"])["prompt_tokens_details"]["cached_tokens"] == 80
            and u["prompt_tokens"] == 100
        ),
    ),
    case(
        "pydantic/pydantic-ai#6832",
        "answer",
        "bedrock",
        "openai_chat:deepseek",
        bedrock_answer({"text": "Hi"}, {"reasoningContent": {"reasoningText": {"text": "Hm."}}}),
        lambda o: (
            (m := o["choices"][0]["message"])["reasoning_content"] == "Hm." and m["content"] == "Hi"
        ),
    ),
    case(
        "BerriAI/litellm#40845",
        "stream",
        "anthropic",
        "openai_chat",
        [
            {
                **START,
                "message": {
                    **START["message"],
                    "usage": {
                        "input_tokens": 14,
                        "cache_creation_input_tokens": 35203,
                        "cache_read_input_tokens": 0,
                        "output_tokens": 1,
                    },
                },
            },
            *block(0, text(""), {"type": "text_delta", "text": "Hi"}),
            *end(input_tokens=14, cache_creation_input_tokens=0, cache_read_input_tokens=35203),
        ],
        lambda o: (
            (u := o[-1]["usage"])["prompt_tokens"] == 35217
            and u["prompt_tokens_details"]["cached_tokens"] == 35203
        ),
    ),
    case(
        "vercel/ai#16714",
        "request",
        "anthropic",
        "anthropic",
        anthropic(
            HI,
            assistant(
                text("a"),
                {
                    "type": "server_tool_use",
                    "id": "srvtoolu_1",
                    "name": "code_execution",
                    "input": {"code": "1"},
                },
                {
                    "type": "code_execution_tool_result",
                    "tool_use_id": "srvtoolu_1",
                    "content": {
                        "type": "code_execution_tool_result_error",
                        "error_code": "unavailable",
                    },
                },
                use(),
            ),
            user(result()),
        ),
        lambda o: (
            [b["type"] for b in o["messages"][1]["content"]]
            == ["text", "server_tool_use", "code_execution_tool_result", "tool_use"]
        ),
    ),
    case(
        "vercel/ai#16724",
        "request",
        "gemini",
        "openai_chat",
        gemini(
            generationConfig={
                "responseMimeType": "application/json",
                "responseSchema": {"type": "ARRAY", "items": {"type": "STRING"}},
            }
        ),
        lambda o: o["response_format"]["json_schema"]["schema"]["type"] == "object",
        model="gpt-5",
        told="schema",
        refused="schema",
    ),
    case(
        "vercel/ai#7927",
        "request",
        "openai_chat",
        "bedrock",
        chat(max_completion_tokens=2000, reasoning_effort="high"),
        lambda o: (
            o["inferenceConfig"]["maxTokens"]
            > o["additionalModelRequestFields"]["thinking"]["budget_tokens"]
            >= 1024
        ),
        model="us.anthropic.claude-opus-4-1-20250805-v1:0",
    ),
    case(
        "diegosouzapw/OmniRoute#12862",
        "stream",
        "gemini",
        "anthropic",
        [
            gemini_answer(
                {"text": "Hi"},
                usageMetadata={
                    "promptTokenCount": 100,
                    "cachedContentTokenCount": 80,
                    "candidatesTokenCount": 2,
                    "totalTokenCount": 102,
                },
            )
        ],
        lambda o: (
            (u := next(e for e in o if e["type"] == "message_delta")["usage"])["input_tokens"] == 20
            and u["cache_read_input_tokens"] == 80
        ),
    ),
    case(
        "diegosouzapw/OmniRoute#1434",
        "answer",
        "anthropic",
        "openai_chat",
        anthropic_answer(
            text(),
            usage={
                "input_tokens": 10,
                "cache_creation_input_tokens": 60,
                "cache_read_input_tokens": 30,
                "output_tokens": 2,
            },
        ),
        lambda o: o["usage"]["prompt_tokens"] == 100 and o["usage"]["total_tokens"] == 102,
    ),
    case(
        "diegosouzapw/OmniRoute#14204",
        "stream",
        "openai_chat:generic",
        "anthropic",
        [
            chunk({"role": "assistant", "content": "Hi"}),
            chunk({}, "stop"),
            {**COUNTS, "usage": {"input_tokens": 100, "output_tokens": 7, "total_tokens": 107}},
        ],
        lambda o: (
            (u := next(e for e in o if e["type"] == "message_delta")["usage"])["output_tokens"] == 7
            and u["input_tokens"] == 100
        ),
    ),
    case(
        "diegosouzapw/OmniRoute#10791",
        "request",
        "openai_chat",
        "anthropic",
        chat(
            HI,
            calls(call()),
            tool(
                [text("t"), {"type": "image_url", "image_url": {"url": "https://a.example/x.png"}}]
            ),
        ),
        lambda o: (
            o["messages"][2]["content"][0]["content"][1]["source"]
            == {"type": "url", "url": "https://a.example/x.png"}
        ),
        model="claude-sonnet-4-5",
    ),
    case(
        "diegosouzapw/OmniRoute#14111",
        "request",
        "openai_responses",
        "openai_chat",
        responses(
            HI,
            {"type": "custom_tool_call", "call_id": "a", "name": "view", "input": "x"},
            {
                "type": "custom_tool_call_output",
                "call_id": "a",
                "output": [
                    {"type": "input_text", "text": "t"},
                    {"type": "input_image", "image_url": DATA_URL},
                ],
            },
            tools=[{"type": "custom", "name": "view"}],
        ),
        lambda o: (
            not any(isinstance(m["content"], str) and PNG in m["content"] for m in o["messages"])
            and mentions(o, DATA_URL)
            and o["messages"][2]["role"] == "tool"
        ),
    ),
    case(
        "diegosouzapw/OmniRoute#3980",
        "stream",
        "openai_responses",
        "openai_chat",
        [
            {
                "type": "response.created",
                "sequence_number": 0,
                "response": responses_answer(status="in_progress"),
            },
            {
                "type": "response.output_item.added",
                "sequence_number": 1,
                "output_index": 0,
                "item": {
                    "type": "function_call",
                    "id": "fc_1",
                    "call_id": "a",
                    "name": "f",
                    "arguments": "",
                    "status": "in_progress",
                },
            },
            {
                "type": "response.function_call_arguments.delta",
                "sequence_number": 2,
                "item_id": "fc_1",
                "output_index": 0,
                "delta": "{}",
            },
            {
                "type": "response.function_call_arguments.done",
                "sequence_number": 3,
                "item_id": "fc_1",
                "output_index": 0,
                "arguments": "{}",
            },
            {
                "type": "response.output_item.done",
                "sequence_number": 4,
                "output_index": 0,
                "item": {
                    "type": "function_call",
                    "id": "fc_1",
                    "call_id": "a",
                    "name": "f",
                    "arguments": "{}",
                    "status": "completed",
                },
            },
            {
                "type": "response.completed",
                "sequence_number": 5,
                "response": responses_answer(
                    {
                        "type": "function_call",
                        "id": "fc_1",
                        "call_id": "a",
                        "name": "f",
                        "arguments": "{}",
                        "status": "completed",
                    }
                ),
            },
        ],
        lambda o: finish(o) == ["tool_calls"] and deltas(o, "tool_calls")[0][0]["id"] == "a",
    ),
    case(
        "diegosouzapw/OmniRoute#7804",
        "stream",
        "openai_chat:generic",
        "anthropic",
        [chunk({"role": "assistant", "content": None}), chunk(called("{}")), "[DONE]"],
        lambda o: stop(o) == "tool_use",
        refused="stream",
    ),
    case(
        "diegosouzapw/OmniRoute#14008",
        "stream",
        "openai_chat:generic",
        "openai_responses",
        [
            chunk({"role": "assistant", "content": "H", "tool_calls": []}),
            chunk({"content": "i", "tool_calls": []}),
            chunk({"content": "", "tool_calls": []}, "stop"),
            COUNTS,
        ],
        lambda o: (
            [e["item"]["type"] for e in o if e["type"] == "response.output_item.done"]
            == ["message"]
            and o[-1]["response"]["output"][0]["content"][0]["text"] == "Hi"
        ),
    ),
    case(
        "diegosouzapw/OmniRoute#10562",
        "request",
        "anthropic",
        "openai_chat:deepseek",
        anthropic(
            HI,
            model="claude-opus-4-7",
            thinking={"type": "adaptive"},
            output_config={"effort": "max"},
        ),
        lambda o: o["reasoning_effort"] == "max",
        model="deepseek-v4-flash",
    ),
    case(
        "diegosouzapw/OmniRoute#13464",
        "request",
        "openai_chat",
        "gemini",
        chat(
            tools=[
                {
                    "type": "function",
                    "function": {
                        "name": "f",
                        "parameters": {
                            "type": "object",
                            "properties": {
                                "r": {
                                    "type": "array",
                                    "prefixItems": [{"type": "integer"}, {"type": "integer"}],
                                    "minItems": 2,
                                }
                            },
                        },
                    },
                }
            ]
        ),
        lambda o: (
            "prefixItems"
            not in json.dumps(o["tools"][0]["functionDeclarations"][0].get("parameters", {}))
            and mentions(o["tools"], '"r"')
        ),
        model="gemini-3.6-flash",
    ),
    case(
        "diegosouzapw/OmniRoute#12871",
        "request",
        "anthropic",
        "gemini:vertex",
        anthropic(
            HI,
            tools=[
                {
                    "name": "f",
                    "input_schema": {
                        "type": "object",
                        "properties": {
                            "r": {
                                "type": "array",
                                "items": {
                                    "type": "array",
                                    "prefixItems": [{"type": "string"}, {"type": "integer"}],
                                },
                            }
                        },
                    },
                }
            ],
        ),
        lambda o: (
            "prefixItems"
            not in json.dumps(o["tools"][0]["functionDeclarations"][0].get("parameters", {}))
        ),
        model="gemini-2.5-pro",
    ),
    case(
        "diegosouzapw/OmniRoute#9617",
        "request",
        "openai_chat",
        "gemini",
        chat(
            tools=[
                {
                    "type": "function",
                    "function": {
                        "name": "f",
                        "parameters": {
                            "type": "object",
                            "properties": {
                                "a": {
                                    "type": "array",
                                    "items": {
                                        "type": "object",
                                        "properties": {
                                            "b": {
                                                "type": "array",
                                                "items": {"type": "string"},
                                                "uniqueItems": True,
                                            }
                                        },
                                    },
                                }
                            },
                        },
                    },
                }
            ]
        ),
        lambda o: (
            "uniqueItems"
            not in json.dumps(o["tools"][0]["functionDeclarations"][0].get("parameters", {}))
        ),
        model="gemini-2.5-flash",
    ),
    case(
        "diegosouzapw/OmniRoute#760",
        "request",
        "anthropic",
        "gemini",
        anthropic(
            HI,
            tools=[
                {
                    "name": "f",
                    "input_schema": {
                        "type": "object",
                        "properties": {"x": {"type": "integer", "enum": [0, 1, 2]}},
                    },
                }
            ],
        ),
        lambda o: (
            (d := o["tools"][0]["functionDeclarations"][0])
            and (
                "parameters" not in d
                or "enum" not in d["parameters"]["properties"]["x"]
                or d["parameters"]["properties"]["x"]["type"] in ("STRING", "string")
            )
        ),
        model="gemini-2.5-flash",
    ),
    case(
        "diegosouzapw/OmniRoute#10374",
        "request",
        "openai_responses",
        "openai_responses:openrouter",
        responses(
            HI,
            tools=[
                {
                    "type": "custom",
                    "name": "exec",
                    "description": "d",
                    "format": {"type": "grammar", "syntax": "lark", "definition": "start: /.+/"},
                }
            ],
        ),
        lambda o: o["tools"][0]["type"] == "custom" and o["tools"][0]["format"]["syntax"] == "lark",
        told="tools[0]",
    ),
    case(
        "diegosouzapw/OmniRoute#1482",
        "request",
        "openai_responses",
        "openai_responses",
        responses(
            HI,
            tools=[
                {
                    "type": "namespace",
                    "name": "mcp__a",
                    "description": "d",
                    "tools": [RESPONSES_TOOL],
                }
            ],
        ),
        lambda o: o["tools"][0]["tools"][0]["name"] == "f",
    ),
    case(
        "diegosouzapw/OmniRoute#2570",
        "request",
        "anthropic",
        "anthropic",
        anthropic({"role": "system", "content": "Memory"}, HI, model="claude-haiku-4-5-20251001"),
        lambda o: (
            [m["role"] for m in o["messages"]] == ["user"] and mentions(o["system"], "Memory")
        ),
    ),
    case(
        "diegosouzapw/OmniRoute#2515",
        "request",
        "openai_chat",
        "openai_responses",
        chat(
            user(
                text(),
                {
                    "type": "file",
                    "file": {
                        "filename": "a.pdf",
                        "file_data": "data:application/pdf;base64,JVBERi0=",
                    },
                },
            )
        ),
        lambda o: (
            o["input"][0]["content"][1]["type"] == "input_file"
            and o["input"][0]["content"][1]["file_data"].endswith("JVBERi0=")
            and o["input"][0]["content"][1]["filename"] == "a.pdf"
        ),
    ),
    case(
        "maximhq/bifrost#6123",
        "stream",
        "openai_chat:generic",
        "anthropic",
        [
            chunk({"role": "assistant", "content": "I look"}),
            chunk(called('{"x":"1"}')),
            chunk({}, "tool_calls"),
            COUNTS,
        ],
        lambda o: stop(o) == "tool_use" and [b["type"] for b in blocks(o)] == ["text", "tool_use"],
    ),
    case(
        "maximhq/bifrost#1821",
        "answer",
        "openai_chat:vllm",
        "openai_chat",
        chat_answer({"content": "Hi", "tool_calls": []}, "stop", kv_transfer_params=None),
        lambda o: (
            o["choices"][0]["finish_reason"] == "stop"
            and not o["choices"][0]["message"].get("tool_calls")
        ),
    ),
    case(
        "maximhq/bifrost#4065",
        "answer",
        "openai_chat:azure",
        "anthropic",
        chat_answer({"content": None, "tool_calls": [call(arguments='{"x":"1"}')]}, "tool_calls"),
        lambda o: o["stop_reason"] == "tool_use" and o["content"][-1]["input"] == {"x": "1"},
    ),
    case(
        "maximhq/bifrost#5166",
        "request",
        "gemini",
        "gemini",
        gemini(
            generationConfig={
                "enableEnhancedCivicAnswers": True,
                "translationConfig": {"targetLanguageCode": "de"},
            },
            tools=[{"googleSearch": {"searchTypes": {"webSearch": {}}}}],
        ),
        lambda o: (
            o["generationConfig"]["translationConfig"] == {"targetLanguageCode": "de"}
            and o["generationConfig"]["enableEnhancedCivicAnswers"] is True
            and mentions(o["tools"], "searchTypes")
        ),
        model="gemini-3-flash-preview",
    ),
    case(
        "BerriAI/litellm#29854",
        "request",
        "openai_responses",
        "gemini",
        responses(
            HI,
            tools=[
                {
                    "type": "namespace",
                    "name": "mcp__r",
                    "description": "d",
                    "tools": [
                        {
                            "type": "function",
                            "name": "js",
                            "description": "Run",
                            "parameters": OBJECT,
                        }
                    ],
                }
            ],
        ),
        lambda o: (
            (d := o["tools"][0]["functionDeclarations"][0])["name"].endswith("js")
            and d["description"]
            and ("parameters" in d or "parametersJsonSchema" in d)
        ),
        model="gemma-4-31b-it",
    ),
    case(
        "BerriAI/litellm#33075",
        "request",
        "anthropic",
        "openai_chat:generic",
        anthropic(HI, stop_sequences=["</block>"]),
        lambda o: o["stop"] in (["</block>"], "</block>") and "stop_sequences" not in o,
        model="grok-code",
    ),
    case(
        "BerriAI/litellm#26094",
        "request",
        "openai_chat",
        "ollama",
        chat(HI, calls(call(arguments='{"x":"1"}')), tool("22 degrees"), tools=[CHAT_TOOL]),
        lambda o: (
            o["messages"][2]["role"] == "tool"
            and o["messages"][2]["content"] == "22 degrees"
            and o["messages"][2]["tool_name"] == "f"
            and o["messages"][1]["tool_calls"][0]["function"]["arguments"] == {"x": "1"}
        ),
        model="gemma4:26b",
    ),
    case(
        "BerriAI/litellm#31582",
        "request",
        "openai_chat",
        "bedrock",
        chat(
            tools=[
                {
                    "type": "function",
                    "function": {
                        "name": "f",
                        "strict": True,
                        "parameters": {**OBJECT, "required": ["x"], "additionalProperties": False},
                    },
                }
            ]
        ),
        lambda o: "strict" not in o["toolConfig"]["tools"][0]["toolSpec"],
        model="us.anthropic.claude-opus-4-7",
    ),
    case(
        "BerriAI/litellm#20557",
        "request",
        "openai_chat",
        "gemini",
        chat(
            HI,
            calls(call("a", extra_content={"google": {"thought_signature": "c2lnMQ=="}})),
            tool("1", "a"),
            calls(call("b", extra_content={"google": {"thought_signature": "c2lnMg=="}})),
            tool("2", "b"),
        ),
        lambda o: (
            [
                p["thoughtSignature"]
                for c in o["contents"]
                for p in c["parts"]
                if "functionCall" in p
            ]
            == ["c2lnMQ==", "c2lnMg=="]
        ),
        model="gemini-3-flash-preview",
    ),
    case(
        "pydantic/pydantic-ai#4844",
        "request",
        "anthropic",
        "anthropic",
        anthropic(
            HI,
            assistant(
                {
                    "type": "server_tool_use",
                    "id": "srvtoolu_1",
                    "name": "web_search",
                    "input": {"query": "q"},
                    "caller": {"type": "code_execution_20260120", "tool_id": "srvtoolu_0"},
                },
                {
                    "type": "web_search_tool_result",
                    "tool_use_id": "srvtoolu_1",
                    "content": [],
                    "caller": {"type": "code_execution_20260120", "tool_id": "srvtoolu_0"},
                },
                text("a"),
            ),
            HI,
        ),
        lambda o: all(
            b["caller"]["tool_id"] == "srvtoolu_0" for b in o["messages"][1]["content"][:2]
        ),
    ),
    case(
        "pydantic/pydantic-ai#3481",
        "stream",
        "gemini",
        "gemini",
        [
            gemini_answer({"text": "Hi"}, finish=""),
            gemini_answer({"text": "", "thoughtSignature": "c2ln"}),
        ],
        lambda o: (
            mentions(o, "c2ln")
            and "".join(
                p.get("text", "")
                for e in o
                for c in e["candidates"]
                for p in c.get("content", {}).get("parts", [])
            )
            == "Hi"
        ),
    ),
    case(
        "pydantic/pydantic-ai#5326",
        "request",
        "openai_responses",
        "bedrock",
        responses(HI, reasoning={"effort": "low"}),
        lambda o: (
            (a := o["additionalModelRequestFields"])["thinking"]["type"] == "adaptive"
            and (a.get("output_config") or o.get("outputConfig")) == {"effort": "low"}
        ),
        model="us.anthropic.claude-opus-4-6-v1",
    ),
    case(
        "pydantic/pydantic-ai#7283",
        "request",
        "openai_chat",
        "anthropic",
        chat(
            tools=[CHAT_TOOL],
            tool_choice={"type": "function", "function": {"name": "f"}},
            reasoning_effort="medium",
        ),
        lambda o: (
            o["tool_choice"] == {"type": "tool", "name": "f"}
            and o["thinking"]["type"] == "adaptive"
        ),
        model="claude-sonnet-4-6",
    ),
    case(
        "pydantic/pydantic-ai#7718",
        "answer",
        "cohere",
        "openai_chat",
        {
            "id": "c1",
            "finish_reason": "TOOL_CALL",
            "message": {
                "role": "assistant",
                "tool_calls": [
                    {"id": "a", "type": "function", "function": {"name": "f", "arguments": None}},
                    {"id": "b", "type": "function", "function": {"name": "g", "arguments": ""}},
                ],
            },
            "usage": {"tokens": {"input_tokens": 3, "output_tokens": 2}},
        },
        lambda o: (
            [
                (c["function"]["name"], json.loads(c["function"]["arguments"]))
                for c in o["choices"][0]["message"]["tool_calls"]
            ]
            == [("f", {}), ("g", {})]
        ),
    ),
    case(
        "pydantic/pydantic-ai#7208",
        "request",
        "openai_chat",
        "bedrock",
        chat(HI, calls(call(arguments='{"x": ')), tool()),
        lambda o: isinstance(o["messages"][1]["content"][0]["toolUse"]["input"], dict),
        model="us.anthropic.claude-sonnet-4-6",
        refused="argument",
    ),
    case(
        "QuantumNous/new-api#6223",
        "stream",
        "openai_responses",
        "openai_chat",
        [
            {
                "type": "response.created",
                "sequence_number": 0,
                "response": responses_answer(status="in_progress"),
            },
            {
                "type": "response.output_item.added",
                "sequence_number": 1,
                "output_index": 0,
                "item": {
                    "type": "function_call",
                    "id": "fc_1",
                    "call_id": "a",
                    "name": "f",
                    "arguments": "",
                    "status": "in_progress",
                },
            },
            {
                "type": "response.function_call_arguments.delta",
                "sequence_number": 2,
                "item_id": "fc_1",
                "output_index": 0,
                "delta": '{"x":"1"}',
            },
            {
                "type": "response.output_item.done",
                "sequence_number": 3,
                "output_index": 0,
                "item": {
                    "type": "function_call",
                    "id": "fc_1",
                    "call_id": "a",
                    "name": "f",
                    "arguments": '{"x":"1"}',
                    "status": "completed",
                },
            },
            {
                "type": "response.completed",
                "sequence_number": 4,
                "response": responses_answer(
                    {
                        "type": "function_call",
                        "id": "fc_1",
                        "call_id": "a",
                        "name": "f",
                        "arguments": '{"x":"1"}',
                        "status": "completed",
                    }
                ),
            },
        ],
        lambda o: (
            len({c["index"] for d in deltas(o, "tool_calls") for c in d}) == 1
            and "".join(
                c["function"].get("arguments", "") for d in deltas(o, "tool_calls") for c in d
            )
            == '{"x":"1"}'
        ),
    ),
    case(
        "vercel/ai#20837",
        "stream",
        "openai_chat:generic",
        "anthropic",
        [
            {
                "id": "",
                "object": "chat.completion.chunk",
                "created": 0,
                "model": "",
                "choices": [],
                "prompt_filter_results": [],
            },
            chunk({"role": "assistant", "content": "Hi"}),
            chunk({}, "stop"),
            COUNTS,
        ],
        lambda o: (
            grown(o, "text_delta", "text") == "Hi"
            and stop(o) == "end_turn"
            and bool(o[0]["message"]["id"])
        ),
    ),
    case(
        "vercel/ai#11682",
        "stream",
        "openai_chat:zai",
        "anthropic",
        [
            chunk({"role": "assistant", "reasoning_content": "Hm."}),
            chunk({"content": "Hi"}),
            chunk({}, "stop"),
            COUNTS,
        ],
        lambda o: (
            grown(o, "thinking_delta", "thinking") == "Hm."
            and grown(o, "text_delta", "text") == "Hi"
        ),
    ),
    case(
        "QuantumNous/new-api#4577",
        "request",
        "anthropic",
        "openai_chat:deepseek",
        anthropic(
            HI,
            assistant(thought(), use()),
            user(result()),
            tools=[TOOL],
            thinking={"type": "enabled", "budget_tokens": 1024},
        ),
        lambda o: o["messages"][1]["reasoning_content"] == "Hm." and o["messages"][1]["tool_calls"],
        model="deepseek-v4-pro",
    ),
    case(
        "QuantumNous/new-api#2043",
        "request",
        "openai_responses",
        "openai_chat:deepseek",
        responses(HI, instructions="Be brief.", tools=[RESPONSES_TOOL], max_output_tokens=100),
        lambda o: (
            o["messages"] == [{"role": "system", "content": "Be brief."}, HI]
            and o["max_tokens"] == 100
            and o["tools"][0]["function"]["name"] == "f"
        ),
        model="deepseek-v4",
    ),
    case(
        "QuantumNous/new-api#5514",
        "request",
        "anthropic",
        "openai_chat:vllm",
        anthropic(
            HI,
            assistant(text("a"), use()),
            user(result()),
            system=[text("s", cache_control={"type": "ephemeral"})],
            tools=[TOOL],
        ),
        lambda o: (
            [m["role"] for m in o["messages"]] == ["system", "user", "assistant", "tool"]
            and "cache_control" not in json.dumps(o)
        ),
        model="qwen3",
    ),
    case(
        "vercel/ai#14382",
        "answer",
        "mistral",
        "anthropic",
        chat_answer(
            {"content": "Hi"},
            usage={
                "prompt_tokens": 100,
                "completion_tokens": 2,
                "total_tokens": 102,
                "num_cached_tokens": 80,
            },
        ),
        lambda o: o["usage"]["cache_read_input_tokens"] == 80 and o["usage"]["input_tokens"] == 20,
    ),
    case(
        "vercel/ai#9774",
        "answer",
        "openai_chat:xai",
        "anthropic",
        chat_answer(
            {"content": "Hi"},
            usage={
                "prompt_tokens": 2640,
                "completion_tokens": 182,
                "total_tokens": 3494,
                "prompt_tokens_details": {
                    "text_tokens": 2640,
                    "audio_tokens": 0,
                    "image_tokens": 0,
                    "cached_tokens": 473,
                },
                "completion_tokens_details": {"reasoning_tokens": 672, "audio_tokens": 0},
                "num_sources_used": 0,
            },
        ),
        lambda o: (
            o["usage"]["cache_read_input_tokens"] == 473
            and o["usage"]["input_tokens"] == 2167
            and o["usage"]["output_tokens"] == 854
        ),
    ),
    case(
        "vercel/ai#10491",
        "stream",
        "openai_responses",
        "anthropic",
        [
            {
                "type": "response.created",
                "sequence_number": 0,
                "response": responses_answer(status="in_progress"),
            },
            {
                "type": "response.output_item.added",
                "sequence_number": 1,
                "output_index": 0,
                "item": {"type": "reasoning", "id": "rs_1", "summary": [], "status": "in_progress"},
            },
            {
                "type": "response.reasoning_summary_text.delta",
                "sequence_number": 2,
                "item_id": "rs_1",
                "output_index": 0,
                "summary_index": 0,
                "delta": "Hm.",
            },
            {
                "type": "response.output_item.done",
                "sequence_number": 3,
                "output_index": 0,
                "item": {
                    "type": "reasoning",
                    "id": "rs_1",
                    "summary": [{"type": "summary_text", "text": "Hm."}],
                    "status": "completed",
                },
            },
            {
                "type": "response.completed",
                "sequence_number": 4,
                "response": responses_answer(
                    {
                        "type": "reasoning",
                        "id": "rs_1",
                        "summary": [{"type": "summary_text", "text": "Hm."}],
                        "status": "completed",
                    }
                ),
            },
        ],
        lambda o: grown(o, "thinking_delta", "thinking") == "Hm.",
    ),
    case(
        "pydantic/pydantic-ai#5807",
        "request",
        "anthropic",
        "openai_responses",
        anthropic(
            user({"type": "image", "source": {"type": "file", "file_id": "file-img123"}}, text())
        ),
        lambda o: (
            o["input"][0]["content"][0]["type"] == "input_image"
            and o["input"][0]["content"][0]["file_id"] == "file-img123"
        ),
        told="file",
    ),
    case(
        "pydantic/pydantic-ai#3647",
        "stream",
        "gemini",
        "openai_chat",
        [
            gemini_answer({"text": "Hm.", "thought": True}, finish=""),
            gemini_answer({"functionCall": {"name": "f", "args": {}}, "thoughtSignature": "c2ln"}),
        ],
        lambda o: mentions(o, "c2ln") and finish(o) == ["tool_calls"],
        told="signature",
    ),
    case(
        "pydantic/pydantic-ai#3418",
        "request",
        "anthropic",
        "bedrock",
        anthropic(
            user(text("Hi", cache_control={"type": "ephemeral"})),
            system=[text("s", cache_control={"type": "ephemeral"})],
            tools=[{**TOOL, "cache_control": {"type": "ephemeral"}}],
        ),
        lambda o: (
            "cachePoint" in o["system"][-1]
            and "cachePoint" in o["toolConfig"]["tools"][-1]
            and "cachePoint" in o["messages"][0]["content"][-1]
        ),
        model="us.anthropic.claude-sonnet-4-6",
    ),
    case(
        "pydantic/pydantic-ai#3438",
        "request",
        "anthropic",
        "bedrock",
        anthropic(
            *[
                m
                for _ in range(5)
                for m in (
                    user(text("Hi", cache_control={"type": "ephemeral"})),
                    assistant(text("a")),
                )
            ],
            HI,
        ),
        lambda o: json.dumps(o).count('"cachePoint"') <= 4,
        model="us.anthropic.claude-sonnet-4-6",
        told="cache",
    ),
    case(
        "BerriAI/litellm#21090",
        "stream",
        "openai_chat:vllm",
        "openai_responses",
        [
            chunk({"role": "assistant", **called("")}),
            chunk(called('{"x":"1"}', identity=None, name=None)),
            chunk({}, "tool_calls"),
            COUNTS,
        ],
        lambda o: (
            "".join(e["delta"] for e in o if e["type"] == "response.function_call_arguments.delta")
            == '{"x":"1"}'
            and any(
                e["type"] == "response.output_item.added" and e["item"]["type"] == "function_call"
                for e in o
            )
        ),
    ),
    case(
        "maximhq/bifrost#1245",
        "request",
        "openai_chat",
        "gemini",
        chat(reasoning_effort="high"),
        lambda o: (
            (c := o["generationConfig"]["thinkingConfig"])["thinkingLevel"].lower() == "high"
            and "thinkingBudget" not in c
        ),
        model="gemini-3-pro-preview",
    ),
    case(
        "diegosouzapw/OmniRoute#13170",
        "request",
        "openai_chat",
        "bedrock",
        chat(HI, calls(call("a"), call("b")), tool("1", "a"), HI),
        lambda o: (
            {
                b["toolUse"]["toolUseId"]
                for m in o["messages"]
                for b in m["content"]
                if "toolUse" in b
            }
            == {
                b["toolResult"]["toolUseId"]
                for m in o["messages"]
                for b in m["content"]
                if "toolResult" in b
            }
        ),
        model="us.anthropic.claude-sonnet-4-6",
        repair=True,
    ),
    case(
        "diegosouzapw/OmniRoute#1387",
        "request",
        "anthropic",
        "openai_chat",
        anthropic(
            user(
                {
                    "type": "image",
                    "source": {"type": "base64", "media_type": "image/png", "data": PNG},
                },
                text(),
            ),
            assistant(text("a")),
            HI,
        ),
        lambda o: o["messages"][0]["content"][0]["image_url"]["url"] == DATA_URL,
    ),
    case(
        "diegosouzapw/OmniRoute#3317",
        "request",
        "openai_responses",
        "anthropic",
        responses(HI, prompt_cache_retention="24h", safety_identifier="u", user="u"),
        lambda o: not {"prompt_cache_retention", "safety_identifier", "user"} & o.keys(),
        model="claude-sonnet-4-5",
    ),
    case(
        "diegosouzapw/OmniRoute#4539",
        "request",
        "openai_responses",
        "openai_chat:generic",
        responses(
            HI,
            tools=[
                {
                    "type": "namespace",
                    "name": "mcp__context7",
                    "description": "d",
                    "tools": [
                        {**RESPONSES_TOOL, "name": "resolve-library-id"},
                        {**RESPONSES_TOOL, "name": "query-docs"},
                    ],
                }
            ],
        ),
        lambda o: (
            [
                t["function"]["name"].endswith(n)
                for t, n in zip(o["tools"], ["resolve-library-id", "query-docs"], strict=True)
            ]
            == [True, True]
        ),
    ),
    case(
        "diegosouzapw/OmniRoute#976",
        "error",
        "gemini",
        "openai_chat",
        {"error": {"code": 404, "message": "models/x is not found", "status": "NOT_FOUND"}},
        lambda o: o["error"]["message"] == "models/x is not found",
        status=404,
    ),
    case(
        "diegosouzapw/OmniRoute#4453",
        "stream",
        "openai_chat",
        "gemini",
        [chunk({"role": "assistant", "content": "Hi"}), chunk({}, "length"), COUNTS, "[DONE]"],
        lambda o: (
            o[-1]["candidates"][0]["finishReason"] == "MAX_TOKENS"
            and o[-1]["usageMetadata"]["totalTokenCount"] == 5
        ),
    ),
    case(
        "BerriAI/litellm#18442",
        "request",
        "openai_chat",
        "gemini",
        chat(
            tools=[
                {
                    "type": "function",
                    "function": {
                        "name": "load_mcp_documentation",
                        "description": "d",
                        "parameters": {},
                    },
                }
            ]
        ),
        lambda o: (
            (
                p := (d := o["tools"][0]["functionDeclarations"][0]).get(
                    "parameters", d.get("parametersJsonSchema")
                )
            )
            is None
            or p["type"].lower() == "object"
        ),
        model="gemini-3-flash-preview",
    ),
    case(
        "pydantic/pydantic-ai#3546",
        "answer",
        "openai_chat:openrouter",
        "anthropic",
        chat_answer(
            {
                "content": None,
                "tool_calls": [call()],
                "reasoning_details": [
                    {
                        "type": "reasoning.encrypted",
                        "format": "google-gemini-v1",
                        "data": "c2ln",
                        "id": "a",
                        "index": 0,
                    }
                ],
            },
            "tool_calls",
        ),
        lambda o: [b["name"] for b in o["content"] if b["type"] == "tool_use"] == ["f"],
    ),
    case(
        "pydantic/pydantic-ai#3581",
        "answer",
        "openai_chat:openrouter",
        "anthropic",
        {
            **(a := chat_answer({"content": "Hi"})),
            "choices": [{**a["choices"][0], "native_finish_reason": None}],
        },
        lambda o: o["stop_reason"] == "end_turn",
    ),
    case(
        "pydantic/pydantic-ai#3428",
        "request",
        "openai_chat",
        "anthropic",
        chat(
            response_format={
                "type": "json_schema",
                "json_schema": {
                    "name": "r",
                    "strict": True,
                    "schema": {**OBJECT, "required": ["x"], "additionalProperties": False},
                },
            }
        ),
        lambda o: (
            (f := o["output_config"]["format"])["type"] == "json_schema"
            and f["schema"]["required"] == ["x"]
        ),
        model="claude-sonnet-4-5",
    ),
    case(
        "pydantic/pydantic-ai#4368",
        "request",
        "openai_chat",
        "bedrock",
        chat(
            response_format={
                "type": "json_schema",
                "json_schema": {
                    "name": "r",
                    "strict": True,
                    "schema": {**OBJECT, "required": ["x"], "additionalProperties": False},
                },
            }
        ),
        lambda o: "textFormat" in o["outputConfig"] or mentions(o, "json_schema"),
        model="us.anthropic.claude-sonnet-4-6",
        told="schema",
    ),
    case(
        "diegosouzapw/OmniRoute#989",
        "request",
        "openai_chat",
        "anthropic",
        chat(
            user(
                text("what is it"),
                {"type": "image_url", "image_url": {"url": "https://files.example/x.png"}},
            )
        ),
        lambda o: (
            o["messages"][0]["content"][1]["source"]
            == {"type": "url", "url": "https://files.example/x.png"}
        ),
        model="claude-sonnet-4-6",
    ),
    case(
        "diegosouzapw/OmniRoute#11384",
        "stream",
        "openai_responses",
        "openai_chat",
        [
            {
                "type": "response.created",
                "sequence_number": 0,
                "response": responses_answer(status="in_progress"),
            },
            {
                "type": "response.output_text.delta",
                "sequence_number": 1,
                "item_id": "msg_1",
                "output_index": 0,
                "content_index": 0,
                "delta": "OK",
            },
            {
                "type": "response.completed",
                "sequence_number": 2,
                "response": responses_answer(
                    {
                        "type": "message",
                        "id": "msg_1",
                        "role": "assistant",
                        "status": "completed",
                        "content": [{"type": "output_text", "text": "OK", "annotations": []}],
                    }
                ),
            },
            {"type": "keepalive", "sequence_number": 3},
        ],
        lambda o: "".join(deltas(o, "content")) == "OK" and finish(o) == ["stop"],
    ),
    case(
        "diegosouzapw/OmniRoute#13693",
        "stream",
        "openai_chat:deepseek",
        "openai_responses",
        [
            chunk({"role": "assistant", "content": "1"}),
            chunk({"content": "\n"}),
            chunk({"content": "2"}),
            chunk({}, "stop"),
            COUNTS,
        ],
        lambda o: (
            [e["type"] for e in o if "output_text" in e["type"]]
            == ["response.output_text.delta"] * 3 + ["response.output_text.done"]
            and [e["text"] for e in o if e["type"] == "response.output_text.done"] == ["1\n2"]
        ),
    ),
    case(
        "diegosouzapw/OmniRoute#8979",
        "request",
        "anthropic",
        "gemini",
        anthropic(
            HI,
            assistant(use("toolu_1", "Read", path="x")),
            user(result("1", "toolu_1")),
            tools=[{**TOOL, "name": "Read"}],
        ),
        lambda o: (
            o["contents"][1]["parts"][0]["thoughtSignature"]
            in ("skip_thought_signature_validator", "c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I=")
        ),
        model="gemini-3.6-flash",
    ),
    case(
        "diegosouzapw/OmniRoute#2360",
        "answer",
        "cohere",
        "openai_chat",
        {
            "id": "c1",
            "finish_reason": "COMPLETE",
            "message": {"role": "assistant", "content": [{"type": "text", "text": "Hi"}]},
            "usage": {"tokens": {"input_tokens": 3, "output_tokens": 2}},
        },
        lambda o: (
            o["choices"][0]["message"]["content"] == "Hi"
            and o["choices"][0]["finish_reason"] == "stop"
        ),
    ),
    case(
        "BerriAI/litellm#19736",
        "request",
        "anthropic",
        "openai_responses",
        anthropic(HI, assistant(thought("", "gAAAAenc"), text("a")), HI),
        lambda o: (
            all(
                "encrypted_content" not in i or i["encrypted_content"] == "gAAAAenc"
                for i in o["input"]
            )
            and not any(
                i.get("role") == "assistant" and "gAAAAenc" in json.dumps(i) for i in o["input"]
            )
        ),
        model="gpt-5.4",
    ),
    case(
        "BerriAI/litellm#28668",
        "answer",
        "openai_responses",
        "anthropic",
        responses_answer(
            {
                "type": "reasoning",
                "id": "rs_1",
                "summary": [{"type": "summary_text", "text": "Hm."}],
                "encrypted_content": "gAAAAenc",
            },
            {
                "type": "message",
                "id": "msg_1",
                "role": "assistant",
                "status": "completed",
                "content": [{"type": "output_text", "text": "Hi", "annotations": []}],
            },
        ),
        lambda o: (
            [b["type"] for b in o["content"]] == ["thinking", "text"]
            and "gAAAAenc" in o["content"][0]["signature"]
        ),
        told="signature",
    ),
    case(
        "BerriAI/litellm#24668",
        "request",
        "openai_chat",
        "bedrock",
        chat(
            tools=[
                {
                    "type": "function",
                    "function": {"name": "f", "description": "", "parameters": OBJECT},
                }
            ]
        ),
        lambda o: (
            o["toolConfig"]["tools"][0]["toolSpec"].get("description") != ""
            and o["toolConfig"]["tools"][0]["toolSpec"]["name"] == "f"
        ),
        model="us.anthropic.claude-sonnet-4-6",
    ),
    case(
        "BerriAI/litellm#29324",
        "request",
        "anthropic",
        "gemini",
        anthropic(
            HI,
            assistant(use()),
            user(
                result(
                    [
                        text("1"),
                        {
                            "type": "image",
                            "source": {"type": "base64", "media_type": "image/png", "data": PNG},
                        },
                    ]
                )
            ),
        ),
        lambda o: (
            [list(p) for p in o["contents"][2]["parts"]] == [["functionResponse"]]
            and o["contents"][2]["parts"][0]["functionResponse"]["parts"][0]["inlineData"]["data"]
            == PNG
        ),
        model="gemini-3-pro-preview",
    ),
    case(
        "maximhq/bifrost#1164",
        "request",
        "openai_chat",
        "bedrock",
        chat(
            HI,
            calls(call("a"), call("b", "g"), content="I'll call both"),
            tool("1", "a"),
            tool("2", "b"),
            tools=[CHAT_TOOL],
        ),
        lambda o: (
            [m["role"] for m in o["messages"]] == ["user", "assistant", "user"]
            and [b["toolResult"]["toolUseId"] for b in o["messages"][2]["content"]] == ["a", "b"]
        ),
        model="us.anthropic.claude-sonnet-4-5-20250929-v1:0",
    ),
    case(
        "maximhq/bifrost#2311",
        "request",
        "anthropic:bedrock",
        "openai_chat",
        {
            "anthropic_version": "bedrock-2023-05-31",
            "max_tokens": 1024,
            "tools": [
                {
                    "name": "get_color",
                    "description": "d",
                    "input_schema": {"type": "object", "properties": {}, "required": []},
                }
            ],
            "messages": [
                HI,
                assistant(use("tooluse_1", "get_color")),
                user(result("magenta", "tooluse_1")),
            ],
        },
        lambda o: (
            o["messages"][1]["tool_calls"][0]["function"]["name"] == "get_color"
            and o["messages"][2]
            == {"role": "tool", "tool_call_id": "tooluse_1", "content": "magenta"}
        ),
        model="gpt-5",
    ),
    case(
        "maximhq/bifrost#905",
        "answer",
        "anthropic",
        "openai_chat",
        anthropic_answer(
            text(),
            usage={
                "input_tokens": 5,
                "cache_creation_input_tokens": 100,
                "cache_read_input_tokens": 50,
                "output_tokens": 2,
            },
        ),
        lambda o: (
            (u := o["usage"])["prompt_tokens"] == 155
            and u["prompt_tokens_details"]["cached_tokens"] == 50
            and u["total_tokens"] == 157
        ),
    ),
    case(
        "maximhq/bifrost#898",
        "request",
        "openai_responses",
        "openai_responses",
        responses(
            HI,
            prompt_cache_key="k",
            store=False,
            include=["reasoning.encrypted_content"],
            tools=[{**RESPONSES_TOOL, "strict": False}],
        ),
        lambda o: (
            o["prompt_cache_key"] == "k"
            and o["include"] == ["reasoning.encrypted_content"]
            and o["tools"][0]["strict"] is False
        ),
    ),
    case(
        "QuantumNous/new-api#4377",
        "stream",
        "openai_responses",
        "openai_chat",
        [
            {
                "response": {
                    "id": "resp_1",
                    "created_at": 1776821735.0,
                    "error": None,
                    "incomplete_details": None,
                    "instructions": None,
                    "metadata": {},
                    "model": "minimax-v2.5",
                    "object": "response",
                    "output": [],
                    "parallel_tool_calls": True,
                    "tool_choice": "auto",
                    "tools": [],
                    "status": "in_progress",
                    "text": None,
                    "usage": None,
                },
                "sequence_number": 0,
                "type": "response.created",
            },
            {
                "content_index": 0,
                "delta": "Hi",
                "item_id": "msg_1",
                "logprobs": [],
                "output_index": 0,
                "sequence_number": 1,
                "type": "response.output_text.delta",
            },
            {
                "response": {
                    **responses_answer(
                        {
                            "type": "message",
                            "id": "msg_1",
                            "role": "assistant",
                            "status": "completed",
                            "content": [
                                {
                                    "type": "output_text",
                                    "text": "Hi",
                                    "annotations": [],
                                    "logprobs": None,
                                }
                            ],
                        }
                    ),
                    "created_at": 1776821735.0,
                },
                "sequence_number": 2,
                "type": "response.completed",
            },
        ],
        lambda o: "".join(deltas(o, "content")) == "Hi" and finish(o) == ["stop"],
    ),
    case(
        "QuantumNous/new-api#3339",
        "request",
        "openai_chat",
        "anthropic:bedrock",
        chat(max_completion_tokens=100),
        lambda o: (
            o["anthropic_version"] == "bedrock-2023-05-31"
            and "model" not in o
            and o["max_tokens"] == 100
        ),
        model="us.anthropic.claude-sonnet-4-6",
    ),
    case(
        "vercel/ai#12777",
        "request",
        "openai_responses",
        "gemini",
        responses(
            HI,
            function_call(),
            function_output(
                [
                    {"type": "input_text", "text": "1"},
                    {"type": "input_image", "image_url": DATA_URL},
                ]
            ),
        ),
        lambda o: (
            (r := o["contents"][2]["parts"][0]["functionResponse"])["parts"][0]["inlineData"]
            == {"mimeType": "image/png", "data": PNG}
            and mentions(r["response"], "1")
        ),
        model="gemini-3-flash-preview",
    ),
    case(
        "vercel/ai#12591",
        "stream",
        "anthropic",
        "openai_chat",
        [
            START,
            *block(0, {"type": "tool_use", "id": "a", "name": "json", "input": {"x": "1"}}),
            *end("tool_use"),
        ],
        lambda o: (
            json.loads(
                "".join(
                    c["function"].get("arguments", "") for d in deltas(o, "tool_calls") for c in d
                )
            )
            == {"x": "1"}
        ),
    ),
    case(
        "pydantic/pydantic-ai#3879",
        "answer",
        "bedrock",
        "openai_chat",
        bedrock_answer(
            {"text": "Hi"},
            usage={
                "inputTokens": 10,
                "outputTokens": 2,
                "totalTokens": 112,
                "cacheReadInputTokens": 60,
                "cacheWriteInputTokens": 40,
            },
        ),
        lambda o: (
            o["usage"]["prompt_tokens"] == 110
            and o["usage"]["prompt_tokens_details"]["cached_tokens"] == 60
            and o["usage"]["total_tokens"] == 112
        ),
    ),
    case(
        "pydantic/pydantic-ai#4013",
        "request",
        "openai_responses",
        "openai_responses",
        responses({"id": "cmp_001", "type": "compaction", "encrypted_content": "gAAAAenc"}, HI),
        lambda o: (
            o["input"][0]["type"] == "compaction"
            and o["input"][0]["encrypted_content"] == "gAAAAenc"
        ),
    ),
    case(
        "pydantic/pydantic-ai#3784",
        "request",
        "gemini",
        "openai_chat:openrouter",
        gemini(
            said("user", {"inlineData": {"mimeType": "video/mp4", "data": "AAAA"}}, {"text": "Hi"})
        ),
        lambda o: (
            o["messages"][0]["content"][0]
            == {"type": "video_url", "video_url": {"url": "data:video/mp4;base64,AAAA"}}
        ),
        model="google/gemini-2.5-pro",
        told="media",
        refused="video",
    ),
    case(
        "pydantic/pydantic-ai#3501",
        "request",
        "openai_chat",
        "gemini",
        chat(
            user(
                {
                    "type": "image_url",
                    "image_url": {"url": "https://x.example/c.png?X-Amz-Algorithm=AWS4"},
                },
                text(),
            )
        ),
        lambda o: (
            (f := o["contents"][0]["parts"][0]["fileData"])["fileUri"].startswith(
                "https://x.example/c.png?X-Amz"
            )
            and f.get("mimeType", "image/png") == "image/png"
        ),
        model="gemini-3-flash-preview",
    ),
    case(
        "QuantumNous/new-api#4543",
        "request",
        "anthropic",
        "openai_chat:deepseek",
        anthropic(
            HI,
            assistant(thought("One."), use("a")),
            user(result("1", "a")),
            assistant(thought("Two."), use("b")),
            user(result("2", "b")),
            tools=[TOOL],
            thinking={"type": "enabled", "budget_tokens": 1024},
        ),
        lambda o: (
            [m.get("reasoning_content") for m in o["messages"] if m["role"] == "assistant"]
            == ["One.", "Two."]
        ),
        model="deepseek-v4-flash",
    ),
    case(
        "QuantumNous/new-api#4515",
        "request",
        "openai_chat:deepseek",
        "openai_chat:deepseek",
        chat(
            HI, calls(call(), content="", reasoning_content="Hm."), tool(), model="deepseek-v4-pro"
        ),
        lambda o: o["messages"][1]["reasoning_content"] == "Hm.",
    ),
    case(
        "QuantumNous/new-api#3121",
        "request",
        "anthropic",
        "openai_chat:generic",
        anthropic(
            HI,
            assistant(thought(), text("a"), use()),
            user(result()),
            tools=[TOOL],
            thinking={"type": "adaptive"},
        ),
        lambda o: (
            o["messages"][1]["reasoning_content"] == "Hm." and o["messages"][1]["content"] == "a"
        ),
        model="kimi-k2.5",
    ),
    case(
        "vercel/ai#10533",
        "error",
        "openai_chat",
        "anthropic",
        {
            "code": "The service is currently unavailable",
            "error": "Timed out waiting for first token",
        },
        lambda o: (
            "Timed out waiting for first token" in o["error"]["message"] and o["type"] == "error"
        ),
        status=503,
    ),
    case(
        "vercel/ai#14932",
        "stream",
        "openai_responses",
        "anthropic",
        [
            {
                "sequence_number": 0,
                "type": "error",
                "code": None,
                "message": "Invalid arguments passed to the model.",
                "param": None,
            }
        ],
        lambda o: (
            o[-1]["type"] == "error"
            and o[-1]["error"]["message"] == "Invalid arguments passed to the model."
        ),
    ),
    case(
        "vercel/ai#16573",
        "request",
        "openai_chat",
        "anthropic:vertex",
        chat(
            response_format={
                "type": "json_schema",
                "json_schema": {
                    "name": "r",
                    "strict": True,
                    "schema": {**OBJECT, "required": ["x"], "additionalProperties": False},
                },
            }
        ),
        lambda o: (
            o["output_config"]["format"]["type"] == "json_schema"
            and o["anthropic_version"] == "vertex-2023-10-16"
        ),
        model="claude-sonnet-4-5@20250929",
    ),
]
