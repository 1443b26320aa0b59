"""Reported situations of agents, routers and gateways -> what has to come out of each."""

from __future__ import annotations

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
from tests.trackers.events import (
    CHAT_SCHEMA,
    every,
    function_item,
    keys_of,
    message_item,
    streamed,
    thinking_item,
)
from tests.trackers.table import Case, case

__all__ = ["CASES"]

CASES: Final[tuple[Case, ...]] = (
    case(
        "router-for-me/CLIProxyAPI#497",
        "request",
        "anthropic",
        "openai_chat:openrouter",
        anthropic(
            HI, assistant(use("a"), use("b")), user(result("1", "a"), result("2", "b"), text("Go"))
        ),
        lambda d: (
            [m["role"] for m in d["messages"]] == ["user", "assistant", "tool", "tool", "user"]
            and [m.get("tool_call_id") for m in d["messages"][2:4]] == ["a", "b"]
        ),
    ),
    case(
        "router-for-me/CLIProxyAPI#4154",
        "answer",
        "openai_chat",
        "anthropic",
        chat_answer({"content": "Ok", "reasoning": "Hm."}),
        lambda d: (
            d["content"][0]["type"] == "thinking"
            and d["content"][0]["thinking"] == "Hm."
            and d["content"][1]["text"] == "Ok"
        ),
    ),
    case(
        "router-for-me/CLIProxyAPI#5378",
        "stream",
        "openai_responses",
        "openai_chat:deepseek",
        streamed(*thinking_item(text="Hm."), *message_item("Ok", 1)),
        lambda e: (
            "".join(deltas(e, "reasoning_content")) == "Hm."
            and "".join(deltas(e, "content")) == "Ok"
        ),
    ),
    case(
        "router-for-me/CLIProxyAPI#1700",
        "stream",
        "openai_responses",
        "anthropic",
        streamed(*message_item("ok")),
        lambda e: [x["usage"]["input_tokens"] for x in e if x["type"] == "message_delta"] == [3],
    ),
    case(
        "router-for-me/CLIProxyAPI#3807",
        "stream",
        "anthropic",
        "openai_responses",
        [
            {
                **START,
                "message": {
                    **START["message"],
                    "usage": {
                        "input_tokens": 3,
                        "cache_read_input_tokens": 40,
                        "cache_creation_input_tokens": 5,
                        "output_tokens": 1,
                    },
                },
            },
            *block(0, text(""), {"type": "text_delta", "text": "Ok"}),
            *end(),
        ],
        lambda e: (
            e[-1]["response"]["usage"]["input_tokens_details"]["cached_tokens"] == 40
            and e[-1]["response"]["usage"]["input_tokens"] == 48
        ),
    ),
    case(
        "router-for-me/CLIProxyAPI#2172",
        "request",
        "anthropic",
        "anthropic",
        (
            '{"model":"claude-sonnet-4-6","max_tokens":9000,"thinking":{"type":"adaptive"},'
            '"messages":[{"role":"user","content":"Hi"},{"role":"assistant","content":[{"type":"thinking",'
            '"thinking":"a\\u2028 \\u00e9 <b> ","signature":"c2ln/+=="},'
            '{"type":"tool_use","id":"a","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result",'
            '"tool_use_id":"a","content":"1"}]}]}'
        ),
        lambda d: (
            d["messages"][1]["content"][0]
            == {"type": "thinking", "thinking": "a\u2028 \xe9 <b> ", "signature": "c2ln/+=="}
        ),
    ),
    case(
        "router-for-me/CLIProxyAPI#4902",
        "request",
        "openai_responses",
        "openai_chat:generic",
        responses(
            HI,
            {"type": "custom_tool_call", "call_id": "a", "name": "v", "input": "{}"},
            {
                "type": "custom_tool_call_output",
                "call_id": "a",
                "output": [{"type": "input_image", "image_url": DATA_URL, "detail": "auto"}],
            },
        ),
        lambda d: DATA_URL in list(every(list(every(d["messages"], "image_url")), "url")),
        model="kimi-k3",
    ),
    case(
        "router-for-me/CLIProxyAPI#5419",
        "stream",
        "openai_chat:vllm",
        "anthropic",
        [
            chunk(
                called(""), usage={"prompt_tokens": 3, "completion_tokens": 1, "total_tokens": 4}
            ),
            chunk(
                called('{"x":', identity=None, name=None),
                usage={"prompt_tokens": 3, "completion_tokens": 2, "total_tokens": 5},
            ),
            chunk(
                called('"1"}', identity=None, name=None),
                "tool_calls",
                usage={"prompt_tokens": 3, "completion_tokens": 3, "total_tokens": 6},
            ),
            "[DONE]",
        ],
        lambda e: (
            grown(e, "input_json_delta", "partial_json") == '{"x":"1"}'
            and len(blocks(e)) == 1
            and stop(e) == "tool_use"
        ),
    ),
    case(
        "router-for-me/CLIProxyAPI#1652",
        "stream",
        "openai_responses",
        "anthropic",
        streamed(*function_item('{"x":"1"}', deltas=('{"x":', '"1"}'))),
        lambda e: grown(e, "input_json_delta", "partial_json") == '{"x":"1"}',
    ),
    case(
        "router-for-me/CLIProxyAPI#3776",
        "stream",
        "openai_responses",
        "anthropic",
        streamed(*function_item('{"command":"pwd"}', deltas=(), has_done=False, name="Bash")),
        lambda e: grown(e, "input_json_delta", "partial_json") == '{"command":"pwd"}',
    ),
    case(
        "router-for-me/CLIProxyAPI#735",
        "request",
        "openai_chat",
        "anthropic",
        chat(
            HI,
            calls(call("a", "f", '{"x":"1"}')),
            tool("1"),
            tools=[CHAT_TOOL],
            tool_choice="required",
        ),
        lambda d: (
            d["tools"][0]["input_schema"]["properties"] == OBJECT["properties"]
            and d["tool_choice"]["type"] == "any"
            and d["messages"][1]["content"][0] == use("a", "f", x="1")
        ),
        model="claude-sonnet-4-5",
    ),
    case(
        "router-for-me/CLIProxyAPI#129",
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
                            "properties": {"p": {"type": "string", "enum": [1, 2, 3]}},
                        },
                    },
                }
            ]
        ),
        lambda d: all(
            isinstance(v, str)
            for e in every(
                [
                    x["parameters"]
                    for x in d["tools"][0]["functionDeclarations"]
                    if "parameters" in x
                ],
                "enum",
            )
            for v in e
        ),
        model="gemini-2.5-pro",
    ),
    case(
        "router-for-me/CLIProxyAPI#3777",
        "request",
        "anthropic",
        "gemini",
        anthropic(
            tools=[
                {
                    "name": "f",
                    "input_schema": {
                        "type": "object",
                        "$comment": "c",
                        "properties": {
                            "o": {
                                "type": "object",
                                "properties": {"y": {"type": "string", "$comment": "d"}},
                            }
                        },
                    },
                }
            ]
        ),
        lambda d: (
            "$comment"
            not in keys_of(
                [
                    x["parameters"]
                    for x in d["tools"][0]["functionDeclarations"]
                    if "parameters" in x
                ]
            )
        ),
        model="gemini-3-flash",
    ),
    case(
        "router-for-me/CLIProxyAPI#2187",
        "request",
        "anthropic",
        "openai_responses",
        anthropic(tools=[TOOL], tool_choice={"type": "auto", "disable_parallel_tool_use": True}),
        lambda d: d["parallel_tool_calls"] is False,
        model="gpt-5.3-codex",
    ),
    case(
        "router-for-me/CLIProxyAPI#1540",
        "request",
        "anthropic",
        "gemini",
        anthropic(
            model="claude-opus-4-6", thinking={"type": "adaptive"}, output_config={"effort": "low"}
        ),
        lambda d: d["generationConfig"]["thinkingConfig"]["thinkingLevel"].lower() == "low",
        model="gemini-3-pro-preview",
    ),
    case(
        "router-for-me/CLIProxyAPI#4795",
        "request",
        "openai_chat:openrouter",
        "anthropic",
        chat(
            {"role": "system", "content": [text("S", cache_control={"type": "ephemeral"})]},
            *(
                {"role": "user", "content": [text(str(i), cache_control={"type": "ephemeral"})]}
                for i in range(4)
            ),
        ),
        lambda d: len(list(every(d, "cache_control"))) <= 4,
        model="claude-sonnet-5",
    ),
    case(
        "router-for-me/CLIProxyAPI#3398",
        "request",
        "openai_chat:openrouter",
        "anthropic",
        chat(
            {
                "role": "user",
                "content": [text("S", cache_control={"type": "ephemeral", "ttl": "1h"})],
            }
        ),
        lambda d: (
            d["messages"][0]["content"][0]["cache_control"] == {"type": "ephemeral", "ttl": "1h"}
        ),
        model="claude-sonnet-5",
    ),
    case(
        "router-for-me/CLIProxyAPI#5156",
        "request",
        "openai_chat",
        "openai_responses",
        chat(prompt_cache_key="k", service_tier="priority", prompt_cache_retention="24h"),
        lambda d: (
            d["prompt_cache_key"] == "k"
            and d["service_tier"] == "priority"
            and d["prompt_cache_retention"] == "24h"
        ),
        model="gpt-5.1",
    ),
    case(
        "router-for-me/CLIProxyAPI#364",
        "request",
        "anthropic",
        "openai_chat:generic",
        anthropic(tools=[{"type": "web_search_20250305", "name": "web_search", "max_uses": 8}]),
        lambda d: False,
        model="kimi-k2-thinking",
        told="web_search",
    ),
    case(
        "router-for-me/CLIProxyAPI#3960",
        "request",
        "openai_chat",
        "anthropic",
        chat({"role": "developer", "content": "Start with DEVOK:"}, HI),
        lambda d: "DEVOK" in str(d["system"]) and len(d["messages"]) == 1,
        model="claude-opus-4-6",
    ),
    case(
        "router-for-me/CLIProxyAPI#2310",
        "request",
        "openai_chat",
        "anthropic",
        chat({"role": "system", "content": "Rule 1"}, {"role": "system", "content": "Rule 2"}, HI),
        lambda d: (
            [b["text"] for b in d["system"]] == ["Rule 1", "Rule 2"]
            and [m["role"] for m in d["messages"]] == ["user"]
        ),
        model="claude-sonnet-4-5",
    ),
    case(
        "router-for-me/CLIProxyAPI#3609",
        "request",
        "anthropic",
        "openai_chat:deepseek",
        anthropic(
            HI,
            assistant(text("Ok")),
            user(text("More")),
            {"role": "system", "content": "Now brief"},
            model="claude-opus-4-8",
            system="S",
        ),
        lambda d: (
            "Now brief" in str(d["messages"])
            and {m["role"] for m in d["messages"]} <= {"system", "user", "assistant"}
        ),
        model="deepseek-chat",
    ),
    case(
        "router-for-me/CLIProxyAPI#736",
        "request",
        "openai_responses",
        "anthropic",
        responses({"role": "system", "content": "You are helpful."}, HI),
        lambda d: (
            "You are helpful." in str(d["system"])
            and [m["role"] for m in d["messages"]] == ["user"]
        ),
        model="claude-sonnet-4-5",
    ),
    case(
        "router-for-me/CLIProxyAPI#5028",
        "stream",
        "openai_responses",
        "openai_chat",
        streamed(*message_item("Ok")),
        lambda e: "".join(deltas(e, "content")) == "Ok" and finish(e) == ["stop"],
    ),
    case(
        "router-for-me/CLIProxyAPI#4479",
        "stream",
        "openai_chat:generic",
        "openai_responses",
        [chunk({"role": "assistant", "content": "Ok"}), chunk({}, "stop"), COUNTS, "[DONE]"],
        lambda e: all(x["response"]["model"] == "m" for x in e if "response" in x),
    ),
    case(
        "router-for-me/CLIProxyAPI#1407",
        "stream",
        "openai_chat:qwen",
        "openai_responses",
        [chunk({"role": "assistant", "content": "Ok"}), chunk({}, "stop"), "[DONE]"],
        lambda e: e[-1]["type"] == "response.completed",
    ),
    case(
        "router-for-me/CLIProxyAPI#4980",
        "stream",
        "anthropic",
        "openai_chat",
        [{"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}],
        lambda e: any("error" in x for x in e),
        refused="Overloaded",
    ),
    case(
        "router-for-me/CLIProxyAPI#2712",
        "stream",
        "openai_responses",
        "anthropic",
        [
            {
                "type": "error",
                "sequence_number": 0,
                "error": {
                    "type": "service_unavailable_error",
                    "code": "server_is_overloaded",
                    "message": "Overloaded",
                },
            }
        ],
        lambda e: any(x["type"] == "error" and x["error"]["type"] == "overloaded_error" for x in e),
        refused="Overloaded",
    ),
    case(
        "router-for-me/CLIProxyAPI#3451",
        "request",
        "openai_responses",
        "openai_chat:deepseek",
        responses(
            HI,
            {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "gAAA"},
            function_call("a"),
            function_output("1", "a"),
            tools=[RESPONSES_TOOL],
            reasoning={"effort": "high"},
        ),
        lambda d: all(
            isinstance(m.get("reasoning_content"), str)
            for m in d["messages"]
            if m.get("tool_calls")
        ),
        model="deepseek-v4-pro",
    ),
    case(
        "router-for-me/CLIProxyAPI#3601",
        "request",
        "anthropic",
        "openai_chat:generic",
        anthropic(
            HI,
            assistant(use("a")),
            user(result("1", "a")),
            tools=[TOOL],
            thinking={"type": "enabled", "budget_tokens": 1024},
        ),
        lambda d: isinstance(d["messages"][1].get("reasoning_content"), str),
        model="kimi-k2.6",
    ),
    case(
        "router-for-me/CLIProxyAPI#2999",
        "request",
        "openai_responses",
        "openai_chat:deepseek",
        responses(HI, function_call("a"), function_output("1", "a"), tools=[RESPONSES_TOOL]),
        lambda d: all(
            isinstance(m.get("reasoning_content"), str)
            for m in d["messages"]
            if m.get("tool_calls")
        ),
        model="deepseek-v4-pro",
    ),
    case(
        "router-for-me/CLIProxyAPI#5956",
        "answer",
        "openai_chat",
        "anthropic",
        chat_answer(
            {"content": "Ok"},
            usage={
                "prompt_tokens": 100,
                "completion_tokens": 2,
                "total_tokens": 102,
                "prompt_tokens_details": {"cached_tokens": 30, "cache_write_tokens": 50},
            },
        ),
        lambda d: (
            (
                d["usage"]["input_tokens"],
                d["usage"]["cache_read_input_tokens"],
                d["usage"]["cache_creation_input_tokens"],
            )
            == (20, 30, 50)
        ),
    ),
    case(
        "router-for-me/CLIProxyAPI#5166",
        "request",
        "openai_responses",
        "gemini",
        responses(
            HI,
            {
                "type": "reasoning",
                "id": "rs_1",
                "summary": [{"type": "summary_text", "text": "Hm."}],
                "encrypted_content": "gAAAA-not-gemini",
            },
            function_call("a"),
            function_output("1", "a"),
            tools=[RESPONSES_TOOL],
        ),
        lambda d: "gAAAA-not-gemini" not in list(every(d, "thoughtSignature")),
        model="gemini-3-pro-preview",
    ),
    case(
        "router-for-me/CLIProxyAPI#5148",
        "stream",
        "anthropic",
        "openai_chat:deepseek",
        [
            START,
            *block(
                0,
                {"type": "thinking", "thinking": "", "signature": ""},
                {"type": "thinking_delta", "thinking": "Hm."},
                {"type": "signature_delta", "signature": "c2ln"},
            ),
            *block(1, text(""), {"type": "text_delta", "text": "Ok"}),
            *end(),
        ],
        lambda e: (
            "".join(deltas(e, "reasoning_content")) == "Hm."
            and "".join(deltas(e, "content")) == "Ok"
        ),
    ),
    case(
        "router-for-me/CLIProxyAPI#5116",
        "stream",
        "gemini",
        "openai_responses",
        [gemini_answer({"text": "Ok"})],
        lambda e: all(
            p["annotations"] == []
            for x in e
            if x["type"] == "response.output_item.done"
            for p in x["item"]["content"]
        ),
    ),
    case(
        "router-for-me/CLIProxyAPI#5106",
        "answer",
        "gemini",
        "anthropic",
        gemini_answer(
            {"text": "Hm.", "thought": True},
            {"functionCall": {"name": "f", "args": {}}, "thoughtSignature": "c2ln"},
        ),
        lambda d: "c2ln" in str(d),
        told="signature",
    ),
    case(
        "router-for-me/CLIProxyAPI#5065",
        "request",
        "openai_responses",
        "gemini",
        responses(
            tools=[
                {
                    "type": "function",
                    "name": "f",
                    "parameters": {
                        "type": "object",
                        "properties": {"x": {"type": "string", "encrypted": True}},
                    },
                }
            ]
        ),
        lambda d: (
            "encrypted"
            not in keys_of(
                [
                    x["parameters"]
                    for x in d["tools"][0]["functionDeclarations"]
                    if "parameters" in x
                ]
            )
        ),
        model="gemini-3-flash",
    ),
    case(
        "router-for-me/CLIProxyAPI#5056",
        "request",
        "openai_chat:openrouter",
        "gemini",
        chat(
            {
                "role": "user",
                "content": [
                    {"type": "video_url", "video_url": {"url": "data:video/mp4;base64,AAAA"}},
                    text("What?"),
                ],
            }
        ),
        lambda d: (
            d["contents"][0]["parts"][0]["inlineData"] == {"mimeType": "video/mp4", "data": "AAAA"}
        ),
        model="gemini-2.5-pro",
    ),
    case(
        "router-for-me/CLIProxyAPI#5040",
        "request",
        "openai_chat",
        "anthropic",
        chat(max_completion_tokens=77),
        lambda d: d["max_tokens"] == 77,
        model="claude-sonnet-4-5",
    ),
    case(
        "router-for-me/CLIProxyAPI#5003",
        "request",
        "openai_responses",
        "anthropic",
        responses(service_tier="priority"),
        lambda d: "service_tier" not in d or d["service_tier"] in ("auto", "standard_only"),
        model="claude-opus-4-6",
        told="service_tier",
    ),
    case(
        "router-for-me/CLIProxyAPI#4984",
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
                            "properties": {"x": {"type": "string"}},
                            "if": {"properties": {"x": {"const": "a"}}},
                            "then": {"properties": {"y": {"type": "string"}}},
                        },
                    },
                }
            ]
        ),
        lambda d: (
            not {"if", "then"}
            & keys_of(
                [
                    x["parameters"]
                    for x in d["tools"][0]["functionDeclarations"]
                    if "parameters" in x
                ]
            )
        ),
        model="gemini-2.5-pro",
    ),
    case(
        "router-for-me/CLIProxyAPI#4873",
        "stream",
        "openai_chat:generic",
        "openai_responses",
        [chunk({"role": "assistant", "content": "O"}), chunk({}, "length"), COUNTS, "[DONE]"],
        lambda e: (
            e[-1]["type"] == "response.incomplete"
            and e[-1]["response"]["status"] == "incomplete"
            and e[-1]["response"]["incomplete_details"]["reason"] == "max_output_tokens"
        ),
    ),
    case(
        "router-for-me/CLIProxyAPI#4951",
        "request",
        "openai_responses",
        "openai_responses",
        responses(
            {
                "role": "user",
                "content": [
                    {
                        "type": "input_text",
                        "text": "Hi",
                        "prompt_cache_breakpoint": {"mode": "explicit"},
                    }
                ],
            },
            model="gpt-5.1",
        ),
        lambda d: "prompt_cache_breakpoint" not in keys_of(d),
        model="gpt-5.1",
    ),
    case(
        "router-for-me/CLIProxyAPI#4914",
        "request",
        "gemini",
        "openai_chat",
        gemini(
            said("user", {"text": "Hi"}),
            said("model", {"text": "Secret", "thought": True}, {"text": "Ok"}),
            said("user", {"text": "Go"}),
        ),
        lambda d: "Secret" not in str([m.get("content") for m in d["messages"]]),
        model="gpt-5",
    ),
    case(
        "router-for-me/CLIProxyAPI#4901",
        "stream",
        "openai_responses",
        "anthropic",
        streamed(
            {
                "type": "response.output_item.added",
                "output_index": 0,
                "item": {
                    "type": "function_call",
                    "id": "fc_a",
                    "call_id": "a",
                    "name": "f",
                    "arguments": "",
                    "status": "in_progress",
                },
            },
            {
                "type": "response.function_call_arguments.delta",
                "output_index": 0,
                "item_id": "other",
                "delta": '{"x":"1"}',
            },
            {
                "type": "response.output_item.done",
                "output_index": 0,
                "item": {
                    "type": "function_call",
                    "id": "fc_a",
                    "call_id": "a",
                    "name": "f",
                    "arguments": '{"x":"1"}',
                    "status": "completed",
                },
            },
        ),
        lambda e: grown(e, "input_json_delta", "partial_json") == '{"x":"1"}',
    ),
    case(
        "router-for-me/CLIProxyAPI#4850",
        "request",
        "openai_responses",
        "anthropic",
        responses(
            HI,
            {
                "type": "custom_tool_call",
                "call_id": "a",
                "name": "apply_patch",
                "input": "*** Begin",
            },
            {"type": "custom_tool_call_output", "call_id": "a", "output": "Done"},
            tools=[
                {
                    "type": "custom",
                    "name": "apply_patch",
                    "description": "P",
                    "format": {"type": "text"},
                }
            ],
        ),
        lambda d: (
            d["messages"][1]["content"][0]["name"] == "apply_patch"
            and "*** Begin" in str(d["messages"][1]["content"][0]["input"])
            and d["messages"][2]["content"][0]["tool_use_id"] == "a"
        ),
        model="claude-sonnet-4-5",
    ),
    case(
        "router-for-me/CLIProxyAPI#4811",
        "request",
        "openai_responses",
        "anthropic",
        responses(
            HI,
            function_call("a"),
            {"role": "user", "content": "Wait"},
            function_output("1", "a"),
            tools=[RESPONSES_TOOL],
        ),
        lambda d: (
            d["messages"][1]["content"][-1]["id"] == "a"
            and d["messages"][2]["content"][0]["tool_use_id"] == "a"
        ),
        model="claude-sonnet-4-5",
    ),
    case(
        "router-for-me/CLIProxyAPI#4783",
        "stream",
        "openai_chat:generic",
        "openai_chat",
        [
            chunk({"role": "assistant", "content": "Ok"}),
            chunk({}, "stop"),
            "[DONE]",
            chunk({"content": "More"}, "stop"),
        ],
        lambda e: "".join(deltas(e, "content")) == "Ok",
    ),
    case(
        "router-for-me/CLIProxyAPI#4745",
        "stream",
        "openai_chat:generic",
        "openai_responses",
        [chunk({"role": "assistant", "content": "Ok"}), "[DONE]"],
        lambda e: e[-1]["type"] == "response.completed",
    ),
    case(
        "router-for-me/CLIProxyAPI#4743",
        "answer",
        "anthropic",
        "openai_responses",
        anthropic_answer(thought("A"), text("B"), use("a"), stop="tool_use"),
        lambda d: [o["type"] for o in d["output"]] == ["reasoning", "message", "function_call"],
    ),
    case(
        "router-for-me/CLIProxyAPI#4655",
        "stream",
        "openai_responses",
        "openai_chat",
        streamed(*function_item('{"x":"1"}', 0), *function_item('{"x":"2"}', 1)),
        lambda e: (
            [c["index"] for cs in deltas(e, "tool_calls") for c in cs if c.get("id")] == [0, 1]
            and finish(e) == ["tool_calls"]
        ),
    ),
    case(
        "router-for-me/CLIProxyAPI#4544",
        "stream",
        "openai_chat:generic",
        "anthropic",
        [
            chunk({"role": "assistant", "content": "Ok"}),
            chunk({}, "stop"),
            chunk(
                {}, "stop", usage={"prompt_tokens": 3, "completion_tokens": 2, "total_tokens": 5}
            ),
            "[DONE]",
        ],
        lambda e: [x["type"] for x in e].count("message_delta") == 1 and stop(e) == "end_turn",
    ),
    case(
        "router-for-me/CLIProxyAPI#4416",
        "request",
        "openai_chat",
        "gemini",
        chat(
            {
                "role": "user",
                "content": [
                    {
                        "type": "file",
                        "file": {
                            "filename": "a.pdf",
                            "file_data": "data:application/pdf;base64,JVBERi0=",
                        },
                    }
                ],
            }
        ),
        lambda d: (
            d["contents"][0]["parts"][0]["inlineData"]["mimeType"] == "application/pdf"
            and d["contents"][0]["parts"][0]["inlineData"]["data"] == "JVBERi0="
        ),
        model="gemini-2.5-pro",
    ),
    case(
        "router-for-me/CLIProxyAPI#4431",
        "answer",
        "openai_chat",
        "anthropic",
        chat_answer({"content": None}),
        lambda d: isinstance(d["content"], list),
    ),
    case(
        "router-for-me/CLIProxyAPI#3055",
        "stream",
        "openai_responses",
        "anthropic",
        streamed(
            *message_item("O"),
            last={
                "type": "response.incomplete",
                "response": responses_answer(
                    status="incomplete", incomplete_details={"reason": "max_output_tokens"}
                ),
            },
        ),
        lambda e: grown(e, "text_delta", "text") == "O" and stop(e) == "max_tokens",
    ),
    case(
        "router-for-me/CLIProxyAPI#4219",
        "request",
        "openai_responses",
        "openai_chat:generic",
        responses({"type": "additional_tools", "tools": [RESPONSES_TOOL]}, HI, tools=None),
        lambda d: d["tools"][0]["function"]["name"] == "f",
        model="m",
        told="opaque",
    ),
    case(
        "router-for-me/CLIProxyAPI#4108",
        "request",
        "openai_chat",
        "gemini",
        chat(max_tokens=77),
        lambda d: d["generationConfig"]["maxOutputTokens"] == 77,
        model="gemini-2.5-pro",
    ),
    case(
        "router-for-me/CLIProxyAPI#4116",
        "request",
        "openai_responses",
        "anthropic",
        responses(
            HI,
            function_call("a"),
            function_output(
                [{"type": "input_image", "image_url": DATA_URL, "detail": "auto"}], "a"
            ),
        ),
        lambda d: (
            d["messages"][2]["content"][0]["content"][0]["source"]
            == {"type": "base64", "media_type": "image/png", "data": PNG}
        ),
        model="claude-sonnet-4-5",
    ),
    case(
        "router-for-me/CLIProxyAPI#3471",
        "stream",
        "openai_chat:generic",
        "anthropic",
        [
            chunk(
                {
                    "tool_calls": [
                        {"index": 0, "id": "a", "type": "function", "function": {"arguments": ""}}
                    ]
                }
            ),
            chunk({"tool_calls": [{"index": 0, "function": {"name": "f", "arguments": "{}"}}]}),
            chunk({}, "tool_calls"),
            COUNTS,
            "[DONE]",
        ],
        lambda e: [b["name"] for b in blocks(e)] == ["f"],
    ),
    case(
        "router-for-me/CLIProxyAPI#3385",
        "request",
        "openai_responses",
        "openai_chat",
        responses(
            {
                "role": "user",
                "content": [{"type": "input_image", "image_url": DATA_URL, "detail": "high"}],
            }
        ),
        lambda d: (
            d["messages"][0]["content"][0]["image_url"] == {"url": DATA_URL, "detail": "high"}
        ),
        model="gpt-5",
    ),
    case(
        "router-for-me/CLIProxyAPI#3165",
        "request",
        "anthropic",
        "openai_chat",
        anthropic(tools=[{"name": "f", "input_schema": {"type": "object"}}]),
        lambda d: d["tools"][0]["function"]["parameters"]["properties"] == {},
        model="gpt-5",
    ),
    case(
        "router-for-me/CLIProxyAPI#2781",
        "request",
        "anthropic",
        "gemini",
        anthropic(
            HI,
            assistant(use("a")),
            user(
                result(
                    [
                        text("T"),
                        {
                            "type": "image",
                            "source": {"type": "base64", "media_type": "image/png", "data": PNG},
                        },
                    ],
                    "a",
                )
            ),
        ),
        lambda d: (
            "T" in str(d["contents"][2]["parts"][0]["functionResponse"]["response"])
            and PNG in str(d["contents"][2])
            and PNG not in str(d["contents"][2]["parts"][0]["functionResponse"]["response"])
        ),
        model="gemini-3-pro-preview",
    ),
    case(
        "router-for-me/CLIProxyAPI#2161",
        "request",
        "openai_responses",
        "gemini",
        responses(HI, function_call("a"), function_output("{ CFBundle = 1; }", "a")),
        lambda d: (
            "{ CFBundle = 1; }" in str(d["contents"][2]["parts"][0]["functionResponse"]["response"])
        ),
        model="gemini-2.5-pro",
    ),
    case(
        "router-for-me/CLIProxyAPI#1872",
        "request",
        "openai_chat",
        "anthropic",
        chat(HI, calls(call("fs.read:0")), tool("1", "fs.read:0")),
        lambda d: (
            set(d["messages"][1]["content"][0]["id"])
            <= set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")
            and d["messages"][1]["content"][0]["id"]
            == d["messages"][2]["content"][0]["tool_use_id"]
        ),
        model="claude-sonnet-4-5",
    ),
    case(
        "router-for-me/CLIProxyAPI#1378",
        "request",
        "gemini",
        "gemini",
        gemini(
            generationConfig={"thinkingConfig": {"thinkingBudget": 1024, "includeThoughts": False}}
        ),
        lambda d: (
            d["generationConfig"]["thinkingConfig"].get("includeThoughts", False) is False
            and d["generationConfig"]["thinkingConfig"]["thinkingBudget"] == 1024
        ),
        model="gemini-2.5-pro",
    ),
    case(
        "router-for-me/CLIProxyAPI#1260",
        "request",
        "openai_chat",
        "gemini",
        chat(
            tools=[
                {
                    "type": "function",
                    "function": {
                        "name": "f",
                        "parameters": {"type": "object", "properties": {"x": {"enum": ["a", "b"]}}},
                    },
                }
            ]
        ),
        lambda d: all(
            p.get("type")
            for p in next(
                iter(
                    every(
                        [
                            x["parameters"]
                            for x in d["tools"][0]["functionDeclarations"]
                            if "parameters" in x
                        ],
                        "properties",
                    )
                ),
                {},
            ).values()
        ),
        model="gemini-3-pro-preview",
    ),
    case(
        "RooCodeInc/Roo-Code#11448",
        "answer",
        "anthropic",
        "openai_chat",
        anthropic_answer(
            text("Ok"),
            usage={
                "input_tokens": 10,
                "cache_read_input_tokens": 80,
                "cache_creation_input_tokens": 5,
                "output_tokens": 2,
            },
        ),
        lambda d: (
            (
                d["usage"]["prompt_tokens"],
                d["usage"]["prompt_tokens_details"]["cached_tokens"],
                d["usage"]["total_tokens"],
            )
            == (95, 80, 97)
        ),
    ),
    case(
        "RooCodeInc/Roo-Code#11303",
        "request",
        "openai_chat",
        "gemini",
        chat(reasoning_effort="medium"),
        lambda d: (
            d["generationConfig"]["thinkingConfig"]["thinkingLevel"].lower() in ("low", "high")
        ),
        model="gemini-3-pro-preview",
    ),
    case(
        "RooCodeInc/Roo-Code#11237",
        "request",
        "gemini",
        "gemini",
        gemini(
            said("user", {"text": "Hi"}),
            said("model", {"functionCall": {"name": "f", "args": {}}, "thoughtSignature": "c2ln"}),
            said("user", {"functionResponse": {"name": "f", "response": {"r": 1}}}),
        ),
        lambda d: d["contents"][1]["parts"][0]["thoughtSignature"] == "c2ln",
        model="gemini-3-pro-preview",
    ),
    case(
        "RooCodeInc/Roo-Code#11031",
        "request",
        "openai_chat",
        "anthropic",
        chat(tools=[CHAT_TOOL], parallel_tool_calls=False),
        lambda d: d["tool_choice"]["disable_parallel_tool_use"] is True,
        model="claude-sonnet-4-5",
    ),
    case(
        "RooCodeInc/Roo-Code#10990",
        "request",
        "openai_chat",
        "bedrock",
        chat(HI, calls(call("functions.read:0")), tool("1", "functions.read:0")),
        lambda d: (
            set(d["messages"][1]["content"][0]["toolUse"]["toolUseId"])
            <= set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.:-")
            and d["messages"][1]["content"][0]["toolUse"]["toolUseId"]
            == d["messages"][2]["content"][0]["toolResult"]["toolUseId"]
        ),
        model="anthropic.claude-sonnet-4-5-20250929-v1:0",
    ),
    case(
        "RooCodeInc/Roo-Code#10888",
        "stream",
        "openai_responses",
        "anthropic",
        streamed(*thinking_item("Hm."), *message_item("Ok", 1)),
        lambda e: (
            grown(e, "text_delta", "text") == "Ok"
            and grown(e, "thinking_delta", "thinking") == "Hm."
        ),
    ),
    case(
        "RooCodeInc/Roo-Code#10694",
        "request",
        "openai_chat:openrouter",
        "gemini",
        chat(
            HI,
            calls(
                call("a"),
                reasoning_details=[
                    {
                        "type": "reasoning.encrypted",
                        "data": "gAAAforeign",
                        "id": "rs_1",
                        "format": "openai-responses-v1",
                        "index": 0,
                    }
                ],
            ),
            tool("1"),
            tools=[CHAT_TOOL],
        ),
        lambda d: "gAAAforeign" not in list(every(d, "thoughtSignature")),
        model="gemini-3-pro-preview",
    ),
    case(
        "RooCodeInc/Roo-Code#10728",
        "request",
        "anthropic",
        "gemini:vertex",
        anthropic(user(text(""), text("Hi"))),
        lambda d: [p["text"] for p in d["contents"][0]["parts"]] == ["Hi"],
        model="gemini-2.5-pro",
        told="empty",
    ),
    case(
        "RooCodeInc/Roo-Code#10743",
        "request",
        "anthropic",
        "gemini",
        anthropic(
            HI,
            assistant(use("a")),
            user(result("1", "a")),
            assistant(use("b"), use("c")),
            user(result("2", "b"), result("3", "c")),
            tools=[TOOL],
        ),
        lambda d: all(
            next(p for p in c["parts"] if "functionCall" in p).get("thoughtSignature")
            for c in d["contents"]
            if c["role"] == "model"
        ),
        model="gemini-3-pro-preview",
    ),
    case(
        "RooCodeInc/Roo-Code#10671",
        "request",
        "anthropic",
        "openai_chat:generic",
        anthropic(tools=[TOOL], tool_choice={"type": "auto"}),
        lambda d: "parallel_tool_calls" not in d,
        model="m",
    ),
    case(
        "RooCodeInc/Roo-Code#10590",
        "stream",
        "gemini",
        "gemini",
        [
            gemini_answer(
                {"functionCall": {"name": "f", "args": {}}, "thoughtSignature": "c2ln"},
                {"functionCall": {"name": "g", "args": {}}},
            )
        ],
        lambda e: (
            [
                p.get("thoughtSignature")
                for x in e
                for p in x["candidates"][0]["content"]["parts"]
                if "functionCall" in p
            ]
            == ["c2ln", None]
        ),
    ),
    case(
        "RooCodeInc/Roo-Code#10559",
        "request",
        "anthropic",
        "openai_chat:openrouter",
        anthropic(HI, assistant(use("a")), user(result("1", "a"))),
        lambda d: "content" in d["messages"][1],
        model="google/gemini-3-pro-preview",
    ),
    case(
        "RooCodeInc/Roo-Code#10472",
        "request",
        "openai_chat",
        "openai_responses",
        chat(tools=[{"type": "function", "function": {"name": "f", "parameters": OBJECT}}]),
        lambda d: (
            d["tools"][0].get("strict") is False
            or d["tools"][0]["parameters"].get("additionalProperties") is False
        ),
        model="gpt-5",
    ),
    case(
        "RooCodeInc/Roo-Code#10313",
        "request",
        "openai_chat:openrouter",
        "openai_chat:openrouter",
        chat(
            HI,
            calls(
                call("a"),
                reasoning_details=[
                    {
                        "type": "reasoning.encrypted",
                        "data": "x",
                        "id": "t",
                        "format": "google-gemini-v1",
                        "index": 0,
                    }
                ],
            ),
            tool("1"),
        ),
        lambda d: (
            d["messages"][1]["reasoning_details"]
            == [
                {
                    "type": "reasoning.encrypted",
                    "data": "x",
                    "id": "t",
                    "format": "google-gemini-v1",
                    "index": 0,
                }
            ]
        ),
        model="google/gemini-3-pro-preview",
    ),
    case(
        "RooCodeInc/Roo-Code#10280",
        "stream",
        "openai_chat:generic",
        "anthropic",
        [chunk(called('{"x":"1"}')), "[DONE]"],
        lambda e: stop(e) == "tool_use" and [x["type"] for x in e].count("content_block_stop") == 1,
    ),
    case(
        "RooCodeInc/Roo-Code#10220",
        "request",
        "anthropic",
        "openai_responses",
        anthropic(
            tools=[
                {
                    "name": "f",
                    "input_schema": {
                        "type": "object",
                        "properties": {"a": {"type": "string"}, "b": {"type": "string"}},
                        "required": ["a"],
                    },
                }
            ]
        ),
        lambda d: (
            d["tools"][0]["parameters"]["required"] == ["a"]
            and d["tools"][0].get("strict") is False
        ),
        model="gpt-5",
    ),
    case(
        "RooCodeInc/Roo-Code#10155",
        "request",
        "anthropic",
        "bedrock",
        anthropic(HI, assistant(use("a")), user(result("1", "a"))),
        lambda d: d["toolConfig"]["tools"][0]["toolSpec"]["name"] == "f",
        model="anthropic.claude-sonnet-4-5-20250929-v1:0",
    ),
    case(
        "RooCodeInc/Roo-Code#9969",
        "request",
        "anthropic",
        "openai_chat:deepseek",
        anthropic(HI, assistant(thought("Hm."), use("a")), user(result("1", "a"), text("env"))),
        lambda d: [m["role"] for m in d["messages"]] == ["user", "assistant", "tool", "user"],
        model="deepseek-reasoner",
    ),
    case(
        "RooCodeInc/Roo-Code#10039",
        "error",
        "openai_chat:openrouter",
        "anthropic",
        {
            "error": {
                "message": "Provider returned error",
                "code": 400,
                "metadata": {
                    "raw": '{"type":"error","error":{"type":"t","message":"tools.0: bad"}}',
                    "provider_name": "Anthropic",
                },
            }
        },
        lambda d: d["type"] == "error" and "tools.0: bad" in d["error"]["message"],
    ),
    case(
        "RooCodeInc/Roo-Code#9973",
        "request",
        "openai_chat",
        "gemini",
        chat(reasoning_effort="minimal"),
        lambda d: d["generationConfig"]["thinkingConfig"]["thinkingLevel"].lower() == "minimal",
        model="gemini-3-flash-preview",
    ),
    case(
        "RooCodeInc/Roo-Code#9618",
        "request",
        "openai_responses",
        "anthropic:vertex",
        responses(
            HI,
            {
                "type": "reasoning",
                "id": "rs_1",
                "summary": [{"type": "summary_text", "text": "Hm."}],
                "encrypted_content": "gAAA",
            },
            {
                "type": "message",
                "role": "assistant",
                "content": [{"type": "output_text", "text": "Ok", "annotations": []}],
            },
            {"role": "user", "content": "Go"},
        ),
        lambda d: (
            {b["type"] for m in d["messages"] for b in m["content"]} <= {"text", "thinking"}
            and not any(b.get("signature") == "gAAA" for m in d["messages"] for b in m["content"])
        ),
        model="claude-sonnet-4-5",
    ),
    case(
        "RooCodeInc/Roo-Code#9506",
        "stream",
        "openai_chat:openrouter",
        "openai_chat:openrouter",
        [
            chunk(
                {
                    "role": "assistant",
                    "content": "",
                    "reasoning_details": [
                        {
                            "type": "reasoning.encrypted",
                            "data": "c2ln",
                            "id": "a",
                            "format": "google-gemini-v1",
                            "index": 0,
                        }
                    ],
                }
            ),
            chunk(called("{}")),
            chunk({}, "tool_calls"),
            COUNTS,
            "[DONE]",
        ],
        lambda e: "c2ln" in list(every(e, "data")),
    ),
    case(
        "RooCodeInc/Roo-Code#9375",
        "request",
        "anthropic",
        "gemini",
        anthropic(max_tokens=5000, thinking={"type": "enabled", "budget_tokens": 2048}),
        lambda d: (
            d["generationConfig"]["maxOutputTokens"] == 5000
            and d["generationConfig"]["thinkingConfig"]["thinkingBudget"] == 2048
            and d["generationConfig"]["thinkingConfig"]["includeThoughts"] is True
        ),
        model="gemini-2.5-pro",
    ),
    case(
        "RooCodeInc/Roo-Code#9224",
        "stream",
        "anthropic",
        "openai_chat",
        [
            {
                **START,
                "message": {
                    **START["message"],
                    "usage": {
                        "input_tokens": 3,
                        "cache_read_input_tokens": 40,
                        "cache_creation_input_tokens": 5,
                        "output_tokens": 1,
                    },
                },
            },
            *block(0, text(""), {"type": "text_delta", "text": "Ok"}),
            *end(input_tokens=3, cache_read_input_tokens=40, cache_creation_input_tokens=5),
        ],
        lambda e: [x["usage"]["prompt_tokens"] for x in e if x.get("usage")] == [48],
    ),
    case(
        "RooCodeInc/Roo-Code#9105",
        "stream",
        "openai_chat:generic",
        "anthropic",
        [
            chunk({"role": "assistant", "content": "Ok"}),
            {
                "id": "c1",
                "object": "chat.completion.chunk",
                "created": 1,
                "model": "m",
                "choices": None,
            },
            chunk({}, "stop"),
            "[DONE]",
        ],
        lambda e: grown(e, "text_delta", "text") == "Ok" and stop(e) == "end_turn",
    ),
    case(
        "cline/cline#13015",
        "answer",
        "openai_chat:generic",
        "anthropic",
        chat_answer(
            {"content": None, "tool_calls": [call("a", "f", '{"x": "rm -rf /tm')]}, "length"
        ),
        lambda d: (
            d["content"][0]["input"] != {"x": "rm -rf /tm"} and d["stop_reason"] == "max_tokens"
        ),
        told="arguments",
    ),
    case(
        "cline/cline#12948",
        "request",
        "openai_chat",
        "anthropic",
        chat(
            tools=[
                {
                    "type": "function",
                    "function": {
                        "name": "f",
                        "parameters": {
                            "type": "object",
                            "anyOf": [
                                {"properties": {"a": {"type": "string"}}, "required": ["a"]},
                                {"properties": {"b": {"type": "string"}}, "required": ["b"]},
                            ],
                        },
                    },
                }
            ]
        ),
        lambda d: not {"anyOf", "oneOf", "allOf"} & set(d["tools"][0]["input_schema"]),
        model="claude-sonnet-4-5",
    ),
    case(
        "cline/cline#12928",
        "request",
        "anthropic",
        "bedrock",
        anthropic(
            user(text("Hi", cache_control={"type": "ephemeral"})),
            system=[text("S", cache_control={"type": "ephemeral"})],
        ),
        lambda d: (
            d["system"][1] == {"cachePoint": {"type": "default"}}
            and d["messages"][0]["content"][1] == {"cachePoint": {"type": "default"}}
            and "cache_control" not in keys_of(d)
        ),
        model="anthropic.claude-sonnet-4-5-20250929-v1:0",
    ),
    case(
        "cline/cline#12902",
        "request",
        "anthropic",
        "openai_chat",
        anthropic(max_tokens=77),
        lambda d: d["max_completion_tokens"] == 77 and "max_tokens" not in d,
        model="gpt-5",
    ),
    case(
        "cline/cline#12542",
        "request",
        "openai_chat",
        "openai_chat:qwen",
        chat(reasoning_effort="none"),
        lambda d: d["enable_thinking"] is False and "reasoning_effort" not in d,
        model="qwen3-max",
    ),
    case(
        "cline/cline#12061",
        "answer",
        "openai_chat:generic",
        "anthropic",
        chat_answer({"content": None, "tool_calls": [call("a", "f", "hello")]}, "tool_calls"),
        lambda d: (
            d["content"][0]["type"] == "tool_use" and "hello" in str(d["content"][0]["input"])
        ),
        told="arguments",
    ),
    case(
        "cline/cline#11397",
        "request",
        "openai_chat",
        "anthropic",
        chat(reasoning_effort="none"),
        lambda d: d.get("thinking", {}).get("type") != "disabled",
        model="claude-fable-5",
    ),
    case(
        "cline/cline#10692",
        "request",
        "anthropic",
        "openai_chat:zai",
        anthropic(thinking={"type": "disabled"}),
        lambda d: d["thinking"] == {"type": "disabled"},
        model="glm-4.6",
    ),
    case(
        "cline/cline#9871",
        "stream",
        "openai_chat:openrouter",
        "anthropic",
        [
            chunk({"role": "assistant", "content": "Ok"}),
            chunk({}, "stop"),
            {
                **COUNTS,
                "usage": {
                    "prompt_tokens": 100,
                    "completion_tokens": 2,
                    "total_tokens": 102,
                    "prompt_tokens_details": {"cached_tokens": 30, "cache_write_tokens": 50},
                },
            },
            "[DONE]",
        ],
        lambda e: (
            [
                (x["usage"]["input_tokens"], x["usage"]["cache_creation_input_tokens"])
                for x in e
                if x["type"] == "message_delta"
            ]
            == [(20, 50)]
        ),
    ),
    case(
        "cline/cline#9544",
        "request",
        "openai_chat",
        "openai_chat:openrouter",
        chat(max_completion_tokens=32000),
        lambda d: 32000 in (d.get("max_tokens"), d.get("max_completion_tokens")),
        model="anthropic/claude-sonnet-4.5",
    ),
    case(
        "cline/cline#9459",
        "request",
        "anthropic",
        "openai_chat:generic",
        anthropic(HI, assistant(use("toolu_01ABC")), user(result("1", "toolu_01ABC"))),
        lambda d: (
            d["messages"][1]["tool_calls"][0]["id"]
            == "toolu_01ABC"
            == d["messages"][2]["tool_call_id"]
        ),
        model="m",
    ),
    case(
        "cline/cline#9150",
        "request",
        "anthropic",
        "bedrock",
        anthropic(
            HI,
            assistant(use("a"), use("b", "g")),
            user(result("1", "a"), result("2", "b", is_error=True)),
        ),
        lambda d: (
            [b["toolResult"]["toolUseId"] for b in d["messages"][2]["content"]] == ["a", "b"]
            and d["messages"][2]["content"][1]["toolResult"]["status"] == "error"
        ),
        model="anthropic.claude-sonnet-4-5-20250929-v1:0",
    ),
    case(
        "cline/cline#8871",
        "stream",
        "ollama",
        "anthropic",
        [
            {
                "model": "m",
                "created_at": "2026-01-01T00:00:00Z",
                "message": {
                    "role": "assistant",
                    "content": "",
                    "tool_calls": [{"function": {"name": "f", "arguments": {"x": "1"}}}],
                },
                "done": False,
            },
            {
                "model": "m",
                "created_at": "2026-01-01T00:00:00Z",
                "message": {"role": "assistant", "content": ""},
                "done": True,
                "done_reason": "stop",
                "prompt_eval_count": 3,
                "eval_count": 2,
            },
        ],
        lambda e: (
            grown(e, "input_json_delta", "partial_json").replace(" ", "") == '{"x":"1"}'
            and stop(e) == "tool_use"
            and blocks(e)[0]["id"]
        ),
    ),
    case(
        "cline/cline#8527",
        "stream",
        "openai_chat:azure",
        "anthropic",
        [
            {
                "id": "",
                "object": "",
                "created": 0,
                "model": "",
                "choices": [],
                "prompt_filter_results": [],
            },
            chunk({"role": "assistant", "content": "Ok"}),
            chunk({}, "stop"),
            COUNTS,
            "[DONE]",
        ],
        lambda e: grown(e, "text_delta", "text") == "Ok" and stop(e) == "end_turn",
    ),
    case(
        "cline/cline#8122",
        "request",
        "gemini",
        "anthropic",
        gemini(
            said("user", {"text": "Hi"}),
            said(
                "model",
                {"text": "Hm.", "thought": True, "thoughtSignature": "R0VN"},
                {"functionCall": {"name": "f", "args": {}, "id": "a"}, "thoughtSignature": "R0VN"},
            ),
            said("user", {"functionResponse": {"name": "f", "id": "a", "response": {"r": 1}}}),
        ),
        lambda d: "R0VN" not in str(d),
        model="claude-sonnet-4-5",
    ),
    case(
        "cline/cline#8014",
        "request",
        "anthropic",
        "gemini",
        anthropic(thinking={"type": "enabled", "budget_tokens": 1024}),
        lambda d: "thinkingConfig" not in d["generationConfig"],
        model="gemini-2.0-flash",
        told="thinking",
    ),
    case(
        "langchain-ai/langchain#39685",
        "stream",
        "anthropic",
        "anthropic",
        [
            START,
            *block(
                0,
                {"type": "thinking", "thinking": "", "signature": ""},
                {"type": "signature_delta", "signature": "c2ln"},
            ),
            *block(1, text(""), {"type": "text_delta", "text": "Paris"}),
            *end(),
        ],
        lambda e: (
            [b["type"] for b in blocks(e)] == ["thinking", "text"]
            and grown(e, "signature_delta", "signature") == "c2ln"
        ),
    ),
    case(
        "langchain-ai/langchain#37625",
        "stream",
        "openai_responses",
        "anthropic",
        streamed(
            {
                "type": "response.output_item.added",
                "output_index": 0,
                "item": {"type": "reasoning", "id": "rs_0", "summary": []},
            },
            {
                "type": "response.output_item.done",
                "output_index": 0,
                "item": {
                    "type": "reasoning",
                    "id": "rs_0",
                    "summary": [{"type": "summary_text", "text": "Hm."}],
                },
            },
            *message_item("Ok", 1),
        ),
        lambda e: (
            grown(e, "thinking_delta", "thinking") == "Hm."
            and grown(e, "text_delta", "text") == "Ok"
        ),
    ),
    case(
        "langchain-ai/langchain#39662",
        "request",
        "openai_responses",
        "openai_responses",
        responses(
            HI,
            {
                "type": "reasoning",
                "id": "rs_1",
                "summary": [{"type": "summary_text", "text": "A"}],
                "encrypted_content": "g1",
            },
            {
                "type": "reasoning",
                "id": "rs_2",
                "summary": [{"type": "summary_text", "text": "B"}],
                "encrypted_content": "g2",
            },
            function_call("a"),
            function_output("1", "a"),
        ),
        lambda d: (
            [(i["id"], i["encrypted_content"]) for i in d["input"] if i.get("type") == "reasoning"]
            == [("rs_1", "g1"), ("rs_2", "g2")]
        ),
    ),
    case(
        "langchain-ai/langchain#39635",
        "stream",
        "openai_responses",
        "openai_responses",
        streamed(*thinking_item("Hm.", encrypted="gAAA"), *message_item("Ok", 1)),
        lambda e: (
            "gAAA"
            in list(
                every(
                    [x for x in e if x["type"] == "response.output_item.done"], "encrypted_content"
                )
            )
        ),
    ),
    case(
        "langchain-ai/langchain#34920",
        "request",
        "openai_chat:openrouter",
        "anthropic",
        chat(
            HI,
            calls(call("a")),
            {
                "role": "tool",
                "tool_call_id": "a",
                "content": [text("1", cache_control={"type": "ephemeral"})],
            },
        ),
        lambda d: len(list(every(d["messages"][2], "cache_control"))) == 1,
        model="claude-sonnet-4-5",
    ),
    case(
        "langchain-ai/langchain#38446",
        "request",
        "anthropic",
        "bedrock",
        anthropic(
            HI,
            assistant({**use("a"), "cache_control": {"type": "ephemeral"}}),
            user(result("1", "a")),
        ),
        lambda d: d["messages"][1]["content"][1] == {"cachePoint": {"type": "default"}},
        model="anthropic.claude-sonnet-4-5-20250929-v1:0",
    ),
    case(
        "langchain-ai/langchain-google#1587",
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
                            "properties": {"x": {"type": "array", "items": {}}},
                        },
                    },
                }
            ]
        ),
        lambda d: list(every(d["tools"], "items")) != [],
        model="gemini-2.5-pro",
    ),
    case(
        "langchain-ai/langchain-google#1869",
        "request",
        "gemini",
        "gemini:vertex",
        gemini(
            generationConfig={"thinkingConfig": {"thinkingLevel": "LOW", "includeThoughts": True}}
        ),
        lambda d: (
            d["generationConfig"]["thinkingConfig"]
            == {"thinkingLevel": "LOW", "includeThoughts": True}
        ),
        model="gemini-3-pro-preview",
    ),
    case(
        "langchain-ai/langchain-google#1733",
        "request",
        "openai_chat",
        "anthropic:vertex",
        chat(HI, {"role": "assistant", "content": "Once \n"}),
        lambda d: d["messages"][1]["content"][0]["text"] == "Once",
        model="claude-haiku-4-5",
        told="white space",
    ),
    case(
        "langchain-ai/langchain-google#1531",
        "request",
        "openai_chat",
        "gemini:vertex",
        chat(
            tools=[
                {
                    "type": "function",
                    "function": {
                        "name": "f",
                        "parameters": {
                            "type": "object",
                            "properties": {
                                "x": {
                                    "anyOf": [
                                        {"type": "string"},
                                        {"type": "integer"},
                                        {"type": "null"},
                                    ]
                                }
                            },
                        },
                    },
                }
            ]
        ),
        lambda d: (
            not any(
                str(t).upper() == "NULL"
                for t in every(
                    [
                        x["parameters"]
                        for x in d["tools"][0]["functionDeclarations"]
                        if "parameters" in x
                    ],
                    "type",
                )
            )
        ),
        model="gemini-2.5-pro",
    ),
    case(
        "langchain-ai/langchain-google#1590",
        "request",
        "openai_chat",
        "anthropic:vertex",
        chat(),
        lambda d: d["max_tokens"] > 1024,
        model="claude-sonnet-4-5",
    ),
    case(
        "langchain-ai/langchain-google#1610",
        "request",
        "openai_chat",
        "anthropic:vertex",
        chat(
            HI,
            {"role": "assistant", "content": "Ok"},
            {"role": "system", "content": "Be brief"},
            {"role": "user", "content": "Go"},
        ),
        lambda d: (
            "Be brief" in str(d) and {m["role"] for m in d["messages"]} == {"user", "assistant"}
        ),
        model="claude-sonnet-4-5",
    ),
    case(
        "langchain-ai/langchain-google#1519",
        "request",
        "openai_responses",
        "gemini:vertex",
        responses(
            {
                "role": "user",
                "content": [{"type": "input_file", "file_url": "https://a.example/b.pdf"}],
            }
        ),
        lambda d: (
            d["contents"][0]["parts"][0]["fileData"]["fileUri"] == "https://a.example/b.pdf"
            and d["contents"][0]["parts"][0]["fileData"]["mimeType"] == "application/pdf"
        ),
        model="gemini-2.5-pro",
    ),
    case(
        "langchain-ai/langchain-google#1469",
        "request",
        "openai_chat",
        "gemini:vertex",
        chat(
            tools=[
                {
                    "type": "function",
                    "function": {
                        "name": "f",
                        "parameters": {
                            "type": "object",
                            "properties": {
                                "o": {
                                    "type": "object",
                                    "properties": {"x": {"type": ["string", "null"]}},
                                }
                            },
                        },
                    },
                }
            ]
        ),
        lambda d: (
            not any(
                isinstance(t, list)
                for t in every(
                    [
                        x["parameters"]
                        for x in d["tools"][0]["functionDeclarations"]
                        if "parameters" in x
                    ],
                    "type",
                )
            )
        ),
        model="gemini-2.5-pro",
    ),
    case(
        "langchain-ai/langchain-google#1446",
        "request",
        "anthropic",
        "bedrock",
        anthropic(
            HI, assistant({**use("a"), "caller": {"type": "direct"}}), user(result("1", "a"))
        ),
        lambda d: "caller" not in keys_of(d),
        model="anthropic.claude-sonnet-4-5-20250929-v1:0",
    ),
    case(
        "langchain-ai/langchain-google#1442",
        "request",
        "gemini",
        "gemini",
        gemini(
            said("user", {"text": "Draw"}),
            said(
                "model",
                {"inlineData": {"mimeType": "image/png", "data": PNG}, "thoughtSignature": "c2ln"},
            ),
            said("user", {"text": "More"}),
        ),
        lambda d: d["contents"][1]["parts"][0]["thoughtSignature"] == "c2ln",
        model="gemini-3-pro-image-preview",
    ),
    case(
        "langchain-ai/langchain-google#1392",
        "answer",
        "gemini",
        "openai_chat",
        {
            **gemini_answer({"text": "Ok"}),
            "candidates": [
                {
                    "content": {"role": "model", "parts": [{"text": "Ok"}]},
                    "finishReason": "STOP",
                    "logprobsResult": {
                        "chosenCandidates": [{"token": "Ok", "tokenId": 1, "logProbability": 0.0}],
                        "topCandidates": [
                            {"candidates": [{"token": "Ok", "tokenId": 1, "logProbability": 0.0}]}
                        ],
                    },
                }
            ],
        },
        lambda d: [t["logprob"] for t in d["choices"][0]["logprobs"]["content"]] == [0.0],
    ),
    case(
        "langchain-ai/langchain-google#1369",
        "request",
        "anthropic",
        "anthropic:vertex",
        anthropic(
            HI,
            assistant(use("a")),
            user({**result("1", "a"), "cache_control": {"type": "ephemeral"}}),
        ),
        lambda d: d["messages"][2]["content"][0]["cache_control"] == {"type": "ephemeral"},
        model="claude-sonnet-4-5",
    ),
    case(
        "langchain-ai/langchain-google#1259",
        "request",
        "openai_responses",
        "gemini",
        responses(
            {
                "role": "user",
                "content": [{"type": "input_image", "image_url": DATA_URL, "detail": "high"}],
            }
        ),
        lambda d: "HIGH" in str(d["contents"][0]["parts"][0]["mediaResolution"]),
        model="gemini-3-pro-preview",
    ),
    case(
        "langchain-ai/langchain-aws#1218",
        "request",
        "openai_responses",
        "bedrock",
        responses(
            HI,
            {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "gAAA"},
            {
                "type": "message",
                "role": "assistant",
                "content": [{"type": "output_text", "text": "Look", "annotations": []}],
            },
            function_call("a"),
            function_output("1", "a"),
        ),
        lambda d: (
            [sorted(b)[0] for b in d["messages"][1]["content"]] == ["text", "toolUse"]
            and "gAAA" not in str(d)
        ),
        model="anthropic.claude-sonnet-4-5-20250929-v1:0",
    ),
    case(
        "langchain-ai/langchain-aws#1153",
        "request",
        "anthropic",
        "bedrock",
        anthropic(
            HI,
            assistant({"type": "thinking", "thinking": "", "signature": "c2ln"}, use("a")),
            user(result("1", "a")),
            tools=[TOOL],
            thinking={"type": "adaptive"},
            model="claude-opus-4-8",
        ),
        lambda d: (
            d["messages"][1]["content"][0]["reasoningContent"]["reasoningText"]
            == {"text": "", "signature": "c2ln"}
        ),
        model="anthropic.claude-opus-4-8",
    ),
    case(
        "langchain-ai/langchain-aws#1141",
        "request",
        "anthropic",
        "bedrock",
        anthropic(tools=[TOOL], tool_choice={"type": "any"}, model="claude-opus-4-8"),
        lambda d: d["toolConfig"]["toolChoice"] == {"any": {}},
        model="anthropic.claude-opus-4-8",
    ),
    case(
        "langchain-ai/langchain-aws#1095",
        "request",
        "openai_chat",
        "bedrock",
        chat(temperature=0.5, top_p=0.9),
        lambda d: not {"temperature", "topP"} & set(d.get("inferenceConfig", {})),
        model="anthropic.claude-opus-4-8",
        told="temperature",
    ),
    case(
        "langchain-ai/langchain-aws#963",
        "request",
        "openai_responses",
        "bedrock",
        responses(
            {
                "role": "user",
                "content": [
                    {"type": "input_file", "file_data": "data:application/pdf;base64,JVBERi0="},
                    {"type": "input_text", "text": "So?"},
                ],
            }
        ),
        lambda d: (
            d["messages"][0]["content"][0]["document"]["name"]
            and d["messages"][0]["content"][0]["document"]["format"] == "pdf"
        ),
        model="anthropic.claude-sonnet-4-5-20250929-v1:0",
    ),
    case(
        "langchain-ai/langchain-aws#838",
        "request",
        "anthropic",
        "anthropic:bedrock",
        anthropic(system=[text("S", cache_control={"type": "ephemeral"})]),
        lambda d: d["system"] == [text("S", cache_control={"type": "ephemeral"})],
        model="anthropic.claude-sonnet-4-5-20250929-v1:0",
    ),
    case(
        "langchain-ai/langchain-aws#882",
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
                        "parameters": CHAT_SCHEMA["json_schema"]["schema"],
                    },
                }
            ]
        ),
        lambda d: d["toolConfig"]["tools"][0]["toolSpec"]["strict"] is True,
        model="anthropic.claude-sonnet-4-5-20250929-v1:0",
    ),
    case(
        "langchain-ai/langchain-aws#880",
        "request",
        "openai_chat",
        "bedrock",
        chat(HI, calls(call("a", "f", '{"x":"1"}')), tool("1")),
        lambda d: d["messages"][1]["content"][0]["toolUse"]["input"] == {"x": "1"},
        model="anthropic.claude-sonnet-4-5-20250929-v1:0",
    ),
    case(
        "Portkey-AI/gateway#1486",
        "request",
        "openai_chat",
        "gemini",
        chat(reasoning_effort="minimal"),
        lambda d: (
            d["generationConfig"]["thinkingConfig"]["thinkingBudget"] >= 0
            and "thinkingLevel" not in d["generationConfig"]["thinkingConfig"]
        ),
        model="gemini-2.5-flash",
    ),
    case(
        "Portkey-AI/gateway#1415",
        "request",
        "openai_chat",
        "ollama",
        chat(reasoning_effort="high"),
        lambda d: d["think"] in (True, "high"),
        model="gpt-oss:20b",
    ),
    case(
        "Portkey-AI/gateway#1476",
        "answer",
        "gemini",
        "openai_chat:openrouter",
        gemini_answer({"text": "Here"}, {"inlineData": {"mimeType": "image/png", "data": PNG}}),
        lambda d: DATA_URL in str(d["choices"][0]["message"]),
        told="image",
    ),
    case(
        "Portkey-AI/gateway#1452",
        "request",
        "anthropic",
        "anthropic:bedrock",
        anthropic(tools=[{**TOOL, "input_examples": [{"x": "1"}]}]),
        lambda d: d["tools"][0]["input_examples"] == [{"x": "1"}],
        model="anthropic.claude-sonnet-4-5-20250929-v1:0",
    ),
    case(
        "Portkey-AI/gateway#1454",
        "request",
        "openai_chat:openrouter",
        "openai_chat:openrouter",
        chat(
            HI,
            calls(
                call("a"),
                reasoning="Hm.",
                reasoning_details=[
                    {
                        "type": "reasoning.text",
                        "text": "Hm.",
                        "format": "google-gemini-v1",
                        "index": 0,
                    },
                    {
                        "type": "reasoning.encrypted",
                        "data": "c2ln",
                        "id": "a",
                        "format": "google-gemini-v1",
                        "index": 1,
                    },
                ],
            ),
            tool("1"),
        ),
        lambda d: [x.get("data") for x in d["messages"][1]["reasoning_details"]] == [None, "c2ln"],
        model="google/gemini-3-pro-preview",
    ),
    case(
        "Portkey-AI/gateway#1450",
        "request",
        "openai_chat:generic",
        "gemini",
        chat(
            HI,
            calls({**call("a"), "extra_content": {"google": {"thought_signature": "c2ln"}}}),
            tool("1"),
            tools=[CHAT_TOOL],
        ),
        lambda d: d["contents"][1]["parts"][0]["thoughtSignature"] == "c2ln",
        model="gemini-3-pro-preview",
    ),
    case(
        "Portkey-AI/gateway#1429",
        "request",
        "openai_chat",
        "bedrock",
        chat(tools=[]),
        lambda d: "toolConfig" not in d,
        model="anthropic.claude-sonnet-4-5-20250929-v1:0",
    ),
    case(
        "Portkey-AI/gateway#1422",
        "request",
        "openai_chat",
        "gemini:vertex",
        chat(temperature=0, top_p=0.0, seed=0),
        lambda d: (d["generationConfig"]["temperature"], d["generationConfig"]["seed"]) == (0, 0),
        model="gemini-2.5-pro",
    ),
    case(
        "Portkey-AI/gateway#1373",
        "answer",
        "gemini",
        "openai_chat",
        gemini_answer(
            {"text": "Ok"},
            usageMetadata={
                "promptTokenCount": 100,
                "cachedContentTokenCount": 30,
                "candidatesTokenCount": 2,
                "thoughtsTokenCount": 5,
                "totalTokenCount": 107,
            },
        ),
        lambda d: (
            (
                d["usage"]["prompt_tokens"],
                d["usage"]["prompt_tokens_details"]["cached_tokens"],
                d["usage"]["completion_tokens"],
                d["usage"]["completion_tokens_details"]["reasoning_tokens"],
            )
            == (100, 30, 7, 5)
        ),
    ),
    case(
        "Portkey-AI/gateway#1384",
        "request",
        "openai_chat",
        "cohere",
        chat(
            {"role": "system", "content": "S"},
            HI,
            calls(call("a", "f", '{"x":"1"}')),
            tool("1"),
            tools=[CHAT_TOOL],
        ),
        lambda d: (
            [m["role"] for m in d["messages"]] == ["system", "user", "assistant", "tool"]
            and d["messages"][2]["tool_calls"][0]["function"]["arguments"] == '{"x":"1"}'
        ),
        model="command-a-03-2025",
    ),
    case(
        "Portkey-AI/gateway#1403",
        "request",
        "openai_responses",
        "openai_responses:azure",
        responses(
            prompt_cache_key="k",
            safety_identifier="u",
            top_logprobs=2,
            max_tool_calls=3,
            include=["message.output_text.logprobs"],
            model="gpt-4.1",
        ),
        lambda d: (
            (d["prompt_cache_key"], d["safety_identifier"], d["top_logprobs"], d["max_tool_calls"])
            == ("k", "u", 2, 3)
        ),
        model="gpt-4.1",
    ),
    case(
        "Portkey-AI/gateway#1383",
        "request",
        "openai_chat",
        "bedrock",
        chat(temperature=0, max_tokens=9),
        lambda d: d["inferenceConfig"]["temperature"] == 0,
        model="amazon.nova-pro-v1:0",
    ),
    case(
        "Portkey-AI/gateway#1367",
        "request",
        "openai_chat",
        "gemini:vertex",
        chat(
            {
                "role": "user",
                "content": [
                    {"type": "input_audio", "input_audio": {"data": "AAAA", "format": "wav"}},
                    text("So?"),
                ],
            }
        ),
        lambda d: (
            d["contents"][0]["parts"][0]["inlineData"]["data"] == "AAAA"
            and d["contents"][0]["parts"][1]["text"] == "So?"
        ),
        model="gemini-2.5-pro",
    ),
    case(
        "anomalyco/opencode#45620",
        "request",
        "anthropic",
        "bedrock",
        anthropic(
            HI, assistant(thought("Hm.", "")), user(text("Go", cache_control={"type": "ephemeral"}))
        ),
        lambda d: all(
            [k for b in m["content"] for k in b if k != "cachePoint"] for m in d["messages"]
        ),
        model="anthropic.claude-sonnet-4-5-20250929-v1:0",
    ),
    case(
        "anomalyco/opencode#4256",
        "answer",
        "openai_chat:openrouter",
        "anthropic",
        chat_answer(
            {"content": "Ok"},
            usage={
                "prompt_tokens": 100,
                "completion_tokens": 2,
                "total_tokens": 102,
                "prompt_tokens_details": {"cached_tokens": 80},
            },
        ),
        lambda d: (d["usage"]["input_tokens"], d["usage"]["cache_read_input_tokens"]) == (20, 80),
    ),
    case(
        "anomalyco/opencode#14234",
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
                            "properties": {"x": {"$ref": "#/$defs/X"}},
                            "$defs": {"X": {"type": ["null", "string"]}},
                            "additionalProperties": False,
                        },
                    },
                }
            ]
        ),
        lambda d: (
            not {"$ref", "$defs"}
            & keys_of(
                [
                    x["parameters"]
                    for x in d["tools"][0]["functionDeclarations"]
                    if "parameters" in x
                ]
            )
        ),
        model="gemini-2.5-pro",
    ),
    case(
        "anomalyco/opencode#15408",
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
                            "properties": {"data": {"type": "string", "contentEncoding": "base64"}},
                        },
                    },
                }
            ]
        ),
        lambda d: (
            "contentEncoding"
            not in keys_of(
                [
                    x["parameters"]
                    for x in d["tools"][0]["functionDeclarations"]
                    if "parameters" in x
                ]
            )
        ),
        model="gemini-3-flash-preview",
    ),
    case(
        "anomalyco/opencode#37389",
        "request",
        "openai_responses",
        "anthropic",
        responses(HI, {"type": "item_reference", "id": "rs_1"}, {"role": "user", "content": "Go"}),
        lambda d: False,
        model="claude-sonnet-4-5",
        told="item_reference",
        refused="item_reference",
    ),
    case(
        "anomalyco/opencode#8900",
        "request",
        "openai_chat:generic",
        "openai_chat:generic",
        chat(HI, calls(call("a"), reasoning_text="Hm.", reasoning_opaque="o1"), tool("1")),
        lambda d: (
            d["messages"][1]["reasoning_opaque"] == "o1"
            and d["messages"][1]["reasoning_text"] == "Hm."
        ),
        model="gemini-3-pro-preview",
    ),
    case(
        "anomalyco/opencode#9124",
        "stream",
        "openai_responses",
        "anthropic",
        streamed(
            {
                "type": "response.output_item.added",
                "output_index": 0,
                "item": {"type": "reasoning", "id": "id_1", "summary": []},
            },
            {
                "type": "response.reasoning_summary_part.added",
                "output_index": 0,
                "item_id": "id_2",
                "summary_index": 0,
                "part": {"type": "summary_text", "text": ""},
            },
            {
                "type": "response.reasoning_summary_text.delta",
                "output_index": 0,
                "item_id": "id_3",
                "summary_index": 0,
                "delta": "Hm.",
            },
            {
                "type": "response.reasoning_summary_text.done",
                "output_index": 0,
                "item_id": "id_4",
                "summary_index": 0,
                "text": "Hm.",
            },
            {
                "type": "response.output_item.done",
                "output_index": 0,
                "item": {
                    "type": "reasoning",
                    "id": "id_5",
                    "summary": [{"type": "summary_text", "text": "Hm."}],
                    "encrypted_content": "gAAA",
                },
            },
            *message_item("Ok", 1),
        ),
        lambda e: (
            grown(e, "thinking_delta", "thinking") == "Hm."
            and [b["type"] for b in blocks(e)] == ["thinking", "text"]
        ),
    ),
    case(
        "anomalyco/opencode#4445",
        "request",
        "openai_responses:azure",
        "openai_responses:azure",
        responses(
            HI,
            {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "gAAA"},
            {**function_call("a"), "id": "fc_1"},
            function_output("1", "a"),
            store=False,
            include=["reasoning.encrypted_content"],
        ),
        lambda d: (
            [i.get("type", "message") for i in d["input"]]
            == ["message", "reasoning", "function_call", "function_call_output"]
            and d["input"][1]["encrypted_content"] == "gAAA"
            and d["store"] is False
        ),
        model="gpt-5.1-codex-max",
    ),
    case(
        "anomalyco/opencode#38126",
        "request",
        "openai_responses",
        "anthropic",
        responses(
            {
                "role": "user",
                "content": [
                    {
                        "type": "input_file",
                        "filename": "a.zip",
                        "file_data": "data:application/zip;base64,UEsDBA==",
                    },
                    {"type": "input_text", "text": "So?"},
                ],
            }
        ),
        lambda d: False,
        model="claude-sonnet-4-5",
        told="document",
    ),
    case(
        "anomalyco/opencode#21909",
        "request",
        "anthropic",
        "openai_chat:deepseek",
        anthropic(
            HI,
            assistant(use("a")),
            user(
                result(
                    [
                        {
                            "type": "document",
                            "source": {
                                "type": "base64",
                                "media_type": "application/pdf",
                                "data": "JVBERi0=",
                            },
                        }
                    ],
                    "a",
                )
            ),
        ),
        lambda d: False,
        model="deepseek-chat",
        told="document",
    ),
    case(
        "anomalyco/opencode#39449",
        "request",
        "openai_chat:deepseek",
        "openai_chat:deepseek",
        chat(
            HI, calls(call("a"), content="", reasoning_content="Hm."), tool("1"), tools=[CHAT_TOOL]
        ),
        lambda d: d["messages"][1]["reasoning_content"] == "Hm.",
        model="deepseek-v4-pro",
    ),
    case(
        "anomalyco/opencode#49859",
        "request",
        "openai_chat:openrouter",
        "bedrock",
        chat(
            HI,
            {
                "role": "assistant",
                "content": [text("Ok", cache_control={"type": "ephemeral"})],
                "reasoning_details": [
                    {
                        "type": "reasoning.text",
                        "text": "Hm.",
                        "signature": "c2ln",
                        "format": "anthropic-claude-v1",
                        "index": 0,
                    }
                ],
            },
            {"role": "user", "content": "Go"},
        ),
        lambda d: (
            d["messages"][1]["content"][-1] == {"cachePoint": {"type": "default"}}
            and "text" in d["messages"][1]["content"][-2]
        ),
        model="anthropic.claude-sonnet-4-5-20250929-v1:0",
    ),
    case(
        "NousResearch/hermes-agent#97592",
        "request",
        "anthropic",
        "anthropic",
        anthropic(
            HI,
            assistant(thought("Hm.", "c2ln"), text("A")),
            assistant(thought("So.", "c2lm"), text("B")),
            user(text("Go")),
        ),
        lambda d: (
            [
                b.get("signature")
                for m in d["messages"]
                for b in m["content"]
                if isinstance(b, dict) and b["type"] == "thinking"
            ]
            == ["c2ln", "c2lm"]
        ),
    ),
    case(
        "NousResearch/hermes-agent#6112",
        "request",
        "openai_chat:deepseek",
        "anthropic",
        chat(
            HI, calls(call("a"), content="", reasoning_content="Hm."), tool("1"), tools=[CHAT_TOOL]
        ),
        lambda d: not any(b["type"] == "thinking" for m in d["messages"] for b in m["content"]),
        model="claude-sonnet-4-5",
    ),
    case(
        "NousResearch/hermes-agent#15687",
        "request",
        "openai_chat",
        "openai_responses",
        chat(HI, {"role": "assistant", "content": [text("Ok")]}, {"role": "user", "content": "Go"}),
        lambda d: (
            isinstance(d["input"][1]["content"], str)
            or d["input"][1]["content"][0]["type"] == "output_text"
        ),
        model="gpt-5.3-codex",
    ),
    case(
        "NousResearch/hermes-agent#91886",
        "request",
        "openai_responses",
        "openai_responses:xai",
        responses(
            HI,
            {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "gAAA-openai"},
            {"role": "assistant", "content": "Ok"},
            {"role": "user", "content": "Go"},
        ),
        lambda d: "gAAA-openai" not in str(d),
        model="grok-4.3",
    ),
    case(
        "NousResearch/hermes-agent#111559",
        "request",
        "openai_chat:generic",
        "gemini",
        chat(
            HI,
            calls({**call("a"), "extra_content": {"google": {"thought_signature": ""}}}),
            tool("1"),
            tools=[CHAT_TOOL],
        ),
        lambda d: d["contents"][1]["parts"][0]["thoughtSignature"] != "",
        model="gemini-3.8-flash",
    ),
    case(
        "NousResearch/hermes-agent#102757",
        "answer",
        "gemini",
        "openai_chat",
        '{"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"name":"f","args":{"x":"a\\ud800b"}}}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":3,"totalTokenCount":3}}',
        lambda d: (
            d["choices"][0]["message"]["tool_calls"][0]["function"]["arguments"].encode()
            and d["choices"][0]["finish_reason"] == "tool_calls"
        ),
        told="surrogate",
    ),
    case(
        "NousResearch/hermes-agent#65294",
        "request",
        "bedrock",
        "gemini",
        bedrock(
            {"role": "user", "content": [{"text": "Hi"}]},
            {
                "role": "assistant",
                "content": [{"toolUse": {"toolUseId": "a", "name": "f", "input": {}}}],
            },
            {
                "role": "user",
                "content": [{"toolResult": {"toolUseId": "a", "content": [{"text": "1"}]}}],
            },
            toolConfig={"tools": [{"toolSpec": {"name": "f", "inputSchema": {"json": OBJECT}}}]},
        ),
        lambda d: d["contents"][1]["parts"][0]["thoughtSignature"],
        model="gemini-3-pro-preview",
    ),
    case(
        "NousResearch/hermes-agent#31582",
        "request",
        "openai_chat",
        "openai_chat:generic",
        chat(HI, calls(call("a"), content=""), tool("1")),
        lambda d: d["messages"][1]["content"] in (None, ""),
        model="claude-sonnet-4-5",
    ),
    case(
        "NousResearch/hermes-agent#23435",
        "request",
        "openai_chat",
        "openai_responses:xai",
        chat(reasoning_effort="medium"),
        lambda d: "effort" not in d.get("reasoning", {}),
        model="grok-4-0709",
    ),
    case(
        "NousResearch/hermes-agent#20590",
        "request",
        "anthropic",
        "openai_responses:xai",
        anthropic(tools=[], tool_choice={"type": "auto"}),
        lambda d: "tool_choice" not in d,
        model="grok-4.3",
    ),
    case(
        "NousResearch/hermes-agent#35831",
        "request",
        "anthropic",
        "bedrock",
        anthropic(
            system=[text("S", cache_control={"type": "ephemeral", "ttl": "1h"})],
            tools=[{**TOOL, "cache_control": {"type": "ephemeral", "ttl": "1h"}}],
        ),
        lambda d: (
            d["system"][1] == {"cachePoint": {"type": "default", "ttl": "1h"}}
            and d["toolConfig"]["tools"][1] == {"cachePoint": {"type": "default", "ttl": "1h"}}
        ),
        model="anthropic.claude-sonnet-4-5-20250929-v1:0",
    ),
    case(
        "NousResearch/hermes-agent#30284",
        "request",
        "anthropic",
        "bedrock",
        anthropic(
            user(text("A"), text("B", cache_control={"type": "ephemeral"})),
            assistant(text("Ok")),
            user(text("Go", cache_control={"type": "ephemeral"})),
        ),
        lambda d: (
            [sorted(b)[0] for b in d["messages"][0]["content"]] == ["text", "text", "cachePoint"]
            and sorted(d["messages"][2]["content"][1]) == ["cachePoint"]
        ),
        model="amazon.nova-pro-v1:0",
    ),
    case(
        "musistudio/claude-code-router#1478",
        "stream",
        "openai_chat:openrouter",
        "anthropic",
        [
            chunk({"role": "assistant", "content": "Ok"}),
            chunk({}, "stop"),
            {
                **COUNTS,
                "usage": {
                    "prompt_tokens": 100,
                    "completion_tokens": 2,
                    "total_tokens": 102,
                    "prompt_tokens_details": {"cached_tokens": 30},
                    "cache_creation_input_tokens": 50,
                },
            },
            "[DONE]",
        ],
        lambda e: (
            [
                (x["usage"]["input_tokens"], x["usage"]["cache_creation_input_tokens"])
                for x in e
                if x["type"] == "message_delta"
            ]
            == [(20, 50)]
        ),
    ),
    case(
        "musistudio/claude-code-router#1422",
        "stream",
        "openai_chat:generic",
        "anthropic",
        [chunk({"role": "assistant", "content": "Ok"}), chunk({}, "stop"), COUNTS, "[DONE]"],
        lambda e: (
            [
                (x["usage"]["input_tokens"], x["usage"]["output_tokens"])
                for x in e
                if x["type"] == "message_delta"
            ]
            == [(3, 2)]
        ),
    ),
    case(
        "musistudio/claude-code-router#1293",
        "request",
        "anthropic",
        "openai_chat",
        anthropic(
            HI,
            assistant(use("a")),
            user(
                result(
                    [
                        {
                            "type": "image",
                            "source": {"type": "base64", "media_type": "image/png", "data": PNG},
                        }
                    ],
                    "a",
                )
            ),
        ),
        lambda d: (
            DATA_URL in list(every(list(every(d["messages"], "image_url")), "url"))
            and not any(PNG in str(t) for t in every(d, "text"))
        ),
        model="gpt-5",
    ),
    case(
        "musistudio/claude-code-router#1032",
        "request",
        "anthropic",
        "gemini",
        anthropic(
            HI,
            assistant(text("So"), use("a", "TodoWrite")),
            user(result("1", "a"), text("Go")),
            tools=[{**TOOL, "name": "TodoWrite"}],
        ),
        lambda d: d["contents"][1]["parts"][1]["thoughtSignature"],
        model="gemini-3-pro-preview",
    ),
    case(
        "musistudio/claude-code-router#1020",
        "request",
        "anthropic",
        "openai_chat:openrouter",
        anthropic(
            HI, assistant(thought("Hm.", "c2ln"), use("a")), user(result("1", "a")), tools=[TOOL]
        ),
        lambda d: "c2ln" not in str(d),
        model="google/gemini-3-pro-preview",
    ),
)
