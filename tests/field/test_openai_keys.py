"""Reported situations of what OpenAI's two APIs share beside the conversation, and of schemas."""

from __future__ import annotations

import pytest

from tests.field.cases import Case, Request

_CHAT = '{"model":"m","messages":[{"role":"user","content":"hi"}]'
_RESPONSES = '{"model":"m","input":[{"role":"user","content":"hi"}]'
_ASKED = '"input":[{"role":"user","content":"hi"}]}'
_KEY = "k" * 72
_LONG = f"{'1' * 70}"
_LOOKS = '{"type":"object","properties":{"a":{"type":"string","pattern":"^(?=.*x)[a-z]+$"}},'
_TOLD = (
    '{"type":"object","properties":{"a":{"type":"string",'
    '"description":"pattern: \\"^(?=.*x)[a-z]+$\\""}},'
)
_CLOSED = '"required":["a"],"additionalProperties":false}'

CASES: dict[str, Case] = {
    "what a client of Chat asks is not stored at Responses": Request(
        "theopenco/llmgateway#2201",
        "openai_chat",
        "openai_responses",
        _CHAT + "}",
        '{"model":"m","store":false,' + _ASKED,
    ),
    "an explicit wish to store counts": Request(
        "BerriAI/litellm#34989",
        "openai_chat",
        "openai_responses",
        _CHAT + ',"store":true}',
        '{"model":"m","store":true,' + _ASKED,
    ),
    "what a client of Responses asks is stored as it says": Request(
        "theopenco/llmgateway#2201",
        "openai_responses",
        "openai_responses",
        _RESPONSES + "}",
        _RESPONSES + "}",
    ),
    "keys of llama.cpp's server are not sent to OpenAI": Request(
        "ggml-org/llama.cpp, tools/server/README.md, 2026-11",
        "openai_chat:llamacpp",
        "openai_chat",
        _CHAT + ',"cache_prompt":true,"n_predict":16}',
        '{"model":"m","messages":[{"role":"user","content":"hi"}]}',
        lost="parameter, parameter",
    ),
    "keys of Perplexity are not sent to OpenAI": Request(
        "LangChain, PerplexityChatInput, 2026-11",
        "openai_chat:generic",
        "openai_chat",
        _CHAT + ',"disable_search":true}',
        '{"model":"m","messages":[{"role":"user","content":"hi"}]}',
        lost="parameter",
    ),
    "what is not to be stored is not stored under another model": Request(
        "anomalyco/opencode#4445",
        "openai_responses",
        "openai_responses:azure",
        '{"model":"gpt-5.1","store":false,"include":["reasoning.encrypted_content"],' + _ASKED,
        '{"model":"gpt-5.1-codex-max","store":false,"include":["reasoning.encrypted_content"],'
        + _ASKED,
        "gpt-5.1-codex-max",
    ),
    "a model that does not think has no thinking to include": Request(
        "RooCodeInc/Roo-Code#9231",
        "openai_responses",
        "openai_responses",
        '{"model":"gpt-5.1","store":false,"include":["reasoning.encrypted_content"],' + _ASKED,
        '{"model":"gpt-4.1","store":false,' + _ASKED,
        "gpt-4.1",
    ),
    "OpenRouter takes options of the cache only with explicit breakpoints": Request(
        "openrouter 1.3, PromptCacheOptions",
        "openai_responses",
        "openai_chat:openrouter",
        _RESPONSES + ',"prompt_cache_options":{"ttl":"30m"}}',
        '{"model":"m","messages":[{"role":"user","content":"hi"}]}',
        lost="parameter",
    ),
    "OpenRouter's Responses takes them alike": Request(
        "openrouter 1.3, PromptCacheOptions",
        "openai_responses",
        "openai_responses:openrouter",
        _RESPONSES + ',"prompt_cache_options":{"mode":"explicit","ttl":"12h"}}',
        '{"prompt_cache_options":{"mode":"explicit","ttl":"12h"},"model":"m",' + _ASKED,
    ),
    "keys of Chat are keys of Responses": Request(
        "BerriAI/litellm#34989",
        "openai_chat",
        "openai_responses",
        _CHAT + ',"prompt_cache_key":"k","prompt_cache_retention":"24h","verbosity":"low",'
        '"moderation":{"model":"x"}}',
        '{"moderation":{"model":"x"},"model":"m","store":false,"text":{"verbosity":"low"},'
        '"prompt_cache_key":"k","prompt_cache_retention":"24h",' + _ASKED,
    ),
    "keys of Responses are keys of Chat": Request(
        "maximhq/bifrost#6699",
        "openai_responses",
        "openai_chat",
        _RESPONSES + ',"store":true,"prompt_cache_key":"k","text":{"verbosity":"low"}}',
        '{"prompt_cache_key":"k","store":true,"verbosity":"low","model":"m",'
        '"messages":[{"role":"user","content":"hi"}]}',
    ),
    "gpt-4o has one verbosity, and no options of the cache": Request(
        "google-deepmind/concordia#164",
        "openai_responses",
        "openai_responses",
        _RESPONSES + ',"text":{"verbosity":"low"},"prompt_cache_options":{"ttl":"30m"}}',
        '{"model":"gpt-4o",' + _ASKED,
        model="gpt-4o",
        lost="parameter, parameter",
    ),
    "thinking is not included where there is none": Request(
        "pydantic/pydantic-ai#2865",
        "openai_responses",
        "openai_responses",
        _RESPONSES + ',"include":["reasoning.encrypted_content"]}',
        '{"model":"gpt-4.1",' + _ASKED,
        model="gpt-4.1",
    ),
    "a key of the cache is at most 64 characters long": Request(
        "theopenco/llmgateway#3110",
        "openai_responses",
        "openai_responses",
        _RESPONSES + f',"prompt_cache_key":"{_KEY}"' + "}",
        '{"model":"m","prompt_cache_key":"' + "k" * 55 + '_eb5ee95b",' + _ASKED,
    ),
    "OpenRouter has nothing stored to go on from": Request(
        "langchain-ai/langchain#38898",
        "openai_responses",
        "openai_responses:openrouter",
        _RESPONSES + ',"previous_response_id":"resp_1"}',
        '{"model":"m",' + _ASKED,
        lost="stored state",
    ),
    "xAI knows no background": Request(
        "router-for-me/CLIProxyAPI#5648",
        "openai_responses",
        "openai_responses:xai",
        _RESPONSES + ',"background":false,"prompt_cache_key":"k"}',
        '{"model":"m","prompt_cache_key":"k",' + _ASKED,
        lost="parameter",
    ),
    "an id of an item that is too long is left out": Request(
        "can1357/oh-my-pi#284",
        "openai_responses",
        "openai_responses",
        '{"model":"m","input":[{"role":"user","content":"hi"},{"type":"reasoning","id":"rs_'
        + _LONG
        + '","summary":[],"encrypted_content":"g"},{"type":"message","id":"msg_'
        + _LONG
        + '","role":"assistant","status":"completed","content":[{"type":"output_text",'
        '"text":"yes","annotations":[]}]},{"role":"user","content":"go"}]}',
        '{"model":"m","input":[{"role":"user","content":"hi"},{"type":"reasoning","summary":[],'
        '"encrypted_content":"g"},{"role":"assistant","content":[{"type":"output_text",'
        '"text":"yes","annotations":[]}]},{"role":"user","content":"go"}]}',
    ),
    "a pattern that looks around goes into the description": Request(
        "tombii/better-ccflare#357",
        "anthropic",
        "openai_responses",
        '{"model":"m","max_tokens":99,"tools":[{"name":"f","input_schema":' + _LOOKS + '"x":1}}],'
        '"messages":[{"role":"user","content":"hi"}]}',
        '{"model":"gpt-5.6","store":false,"max_output_tokens":99,"tools":[{"type":"function",'
        '"name":"f","parameters":' + _TOLD + '"x":1},"strict":false}],' + _ASKED,
        model="gpt-5.6",
    ),
    "a schema that binds has no pattern that looks around": Request(
        "pydantic/pydantic-ai#5519",
        "openai_chat",
        "openai_chat",
        _CHAT
        + ',"response_format":{"type":"json_schema","json_schema":{"name":"n","schema":'
        + _LOOKS
        + _CLOSED
        + ',"strict":true}}}',
        '{"model":"gpt-4o","response_format":{"type":"json_schema","json_schema":{"name":"n",'
        '"schema":' + _TOLD + _CLOSED + ',"strict":true}},'
        '"messages":[{"role":"user","content":"hi"}]}',
        model="gpt-4o",
    ),
    "a schema that binds has no uniqueItems": Request(
        "1jehuang/jcode#687",
        "openai_chat",
        "openai_chat",
        _CHAT + ',"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object",'
        '"properties":{"a":{"type":"array","items":{"type":"string"},"uniqueItems":true}},'
        + _CLOSED
        + ',"strict":true}}]}',
        '{"model":"gpt-4o","tools":[{"type":"function","function":{"name":"f","parameters":'
        '{"type":"object","properties":{"a":{"type":"array","items":{"type":"string"},'
        '"description":"uniqueItems: true"}},' + _CLOSED + ',"strict":true}}],'
        '"messages":[{"role":"user","content":"hi"}]}',
        model="gpt-4o",
    ),
    "Anthropic's usual tier is the usual one": Request(
        "BerriAI/litellm#34989",
        "anthropic",
        "openai_responses",
        '{"model":"m","max_tokens":99,"service_tier":"standard_only",'
        '"messages":[{"role":"user","content":"hi"}]}',
        '{"model":"m","store":false,"max_output_tokens":99,"service_tier":"default",' + _ASKED,
    ),
    "an hour of the cache is at least that at OpenAI": Request(
        "maximhq/bifrost#6699",
        "anthropic",
        "openai_responses",
        '{"model":"m","max_tokens":99,"messages":[{"role":"user","content":[{"type":"text",'
        '"text":"hi","cache_control":{"type":"ephemeral","ttl":"1h"}}]}]}',
        '{"model":"m","store":false,"max_output_tokens":99,"input":[{"role":"user","content":'
        '[{"type":"input_text","text":"hi","prompt_cache_breakpoint":'
        '{"mode":"explicit","ttl":"12h"}}]}]}',
    ),
    "a breakpoint of Chat lasts as long at Responses": Request(
        "maximhq/bifrost#6699",
        "openai_chat",
        "openai_responses",
        '{"model":"m","messages":[{"role":"user","content":[{"type":"text","text":"hi",'
        '"prompt_cache_breakpoint":{"mode":"explicit","ttl":"12h"}}]}]}',
        '{"model":"m","store":false,"input":[{"role":"user","content":[{"type":"input_text",'
        '"text":"hi","prompt_cache_breakpoint":{"mode":"explicit","ttl":"12h"}}]}]}',
    ),
    "a patch of a file is a call of a function": Request(
        "smg-project/smg#1339",
        "openai_responses",
        "openai_chat",
        '{"model":"m","tools":[{"type":"apply_patch"}],"input":[{"role":"user","content":"hi"},'
        '{"type":"apply_patch_call","id":"apc_1","call_id":"c","status":"completed",'
        '"operation":{"type":"delete_file","path":"a.py"}},{"type":"apply_patch_call_output",'
        '"call_id":"c","status":"failed","output":"no such file"}]}',
        '{"model":"m","tools":[{"type":"function","function":{"name":"apply_patch","description":'
        '"Creates, updates or deletes a file; `diff` is a V4A diff, which a deletion has not.",'
        '"parameters":{"type":"object","properties":{"type":{"type":"string","enum":'
        '["create_file","update_file","delete_file"]},"path":{"type":"string"},"diff":'
        '{"type":"string"}},"required":["type","path"]}}}],"messages":[{"role":"user",'
        '"content":"hi"},{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":'
        '"function","function":{"name":"apply_patch","arguments":'
        '"{\\"type\\":\\"delete_file\\",\\"path\\":\\"a.py\\"}"}}]},'
        '{"role":"tool","tool_call_id":"c","content":"no such file"}]}',
        lost="tool kind, error flag",
    ),
    "a tool that a search has found is named at Chat": Request(
        "LeenHawk/gproxy#239",
        "anthropic",
        "openai_chat",
        '{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"hi"},{"role":'
        '"assistant","content":[{"type":"tool_use","id":"c","name":"ToolSearch","input":{}}]},'
        '{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":'
        '[{"type":"tool_reference","tool_name":"fetch"}]}]}]}',
        '{"model":"m","max_completion_tokens":9,"messages":[{"role":"user","content":"hi"},'
        '{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function",'
        '"function":{"name":"ToolSearch","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c",'
        '"content":"This tool can be called now: `fetch`."}]}',
        lost="opaque text",
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_a_situation(case: Case) -> None:
    case.check()
