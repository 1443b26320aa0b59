"""Services that speak Chat Completions, each in its way: shapes that they refuse, and send."""

from typing import Final

import pytest

from tests.field.cases import Case, Request

_ASKED = '{"role":"user","content":"Hi"}'
_TOOL = '"tools":[{"type":"function","function":{"name":"f"}}]'
_CALLS = '"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]'

CASES: Final[dict[str, Case]] = {
    "texts of a result are one string where a list may be refused": Request(
        "NousResearch/hermes-agent#27344",
        "anthropic",
        "openai_chat:generic",
        (
            '{"model":"mimo-v2.5","max_tokens":9,"messages":[{"role":"user","content":"Hi"},'
            '{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]},'
            '{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":['
            '{"type":"text","text":"Seen."},{"type":"image","source":{"type":"base64",'
            '"media_type":"image/png","data":"iVBORw0KGgo="}}]}]}]}'
        ),
        (
            f'{{"model":"mimo-v2.5","max_tokens":9,"messages":[{_ASKED},'
            f'{{"role":"assistant","content":null,{_CALLS}}},'
            '{"role":"tool","tool_call_id":"a","content":"Seen.\\nSee file a-1."},'
            '{"role":"user","content":[{"type":"text","text":"This is file a-1:"},'
            '{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw0KGgo="}}]}]}'
        ),
    ),
    "a result that came as a list goes back as one": Request(
        "NousResearch/hermes-agent#41072",
        "openai_chat:generic",
        "openai_chat:generic",
        (
            f'{{"model":"m","messages":[{_ASKED},{{"role":"assistant","content":null,{_CALLS}}},'
            '{"role":"tool","tool_call_id":"a","content":[{"type":"text","text":"1"},'
            '{"type":"text","text":"2"}]}]}'
        ),
        (
            f'{{"model":"m","messages":[{_ASKED},{{"role":"assistant","content":null,{_CALLS}}},'
            '{"role":"tool","tool_call_id":"a","content":[{"type":"text","text":"1"},'
            '{"type":"text","text":"2"}]}]}'
        ),
    ),
    "a model that does not think at Groq gets no thinking back": Request(
        "vercel/ai#8056",
        "openai_chat:deepseek",
        "openai_chat:groq",
        (
            f'{{"model":"moonshotai/kimi-k2-instruct","messages":[{_ASKED},{{"role":"assistant",'
            f'"content":"Yes.","reasoning_content":"Hm."}},{_ASKED}]}}'
        ),
        (
            f'{{"model":"moonshotai/kimi-k2-instruct","messages":[{_ASKED},{{"role":"assistant",'
            f'"content":"Yes."}},{_ASKED}]}}'
        ),
        lost="thinking",
    ),
    "a distilled model thinks at Groq, whatever it was made of": Request(
        "vercel/ai#8056",
        "openai_chat:deepseek",
        "openai_chat:groq",
        (
            f'{{"model":"deepseek-r1-distill-llama-70b","messages":[{_ASKED},{{"role":"assistant",'
            f'"content":"Yes.","reasoning_content":"Hm."}},{_ASKED}]}}'
        ),
        (
            f'{{"model":"deepseek-r1-distill-llama-70b","messages":[{_ASKED},{{"role":"assistant",'
            f'"content":"Yes.","reasoning":"Hm."}},{_ASKED}]}}'
        ),
    ),
    "a model that does not think at Groq is asked for no effort": Request(
        "diegosouzapw/OmniRoute#3258",
        "openai_chat",
        "openai_chat:groq",
        (f'{{"model":"llama-3.3-70b-versatile","reasoning_effort":"high","messages":[{_ASKED}]}}'),
        f'{{"model":"llama-3.3-70b-versatile","messages":[{_ASKED}]}}',
        lost="thinking asked",
    ),
    "a model that does not think at Groq is not told to rest": Request(
        "diegosouzapw/OmniRoute#12134",
        "openai_chat",
        "openai_chat:groq",
        f'{{"model":"groq/compound","reasoning_effort":"none","messages":[{_ASKED}]}}',
        f'{{"model":"groq/compound","messages":[{_ASKED}]}}',
    ),
    "calls alone come to Ollama with an empty text": Request(
        "pydantic/pydantic-ai#3406",
        "openai_chat",
        "openai_chat:ollama",
        (
            f'{{"model":"qwen3:32b","messages":[{_ASKED},{{"role":"assistant","content":null,'
            f'{_CALLS}}},{{"role":"tool","tool_call_id":"a","content":"1"}}]}}'
        ),
        (
            f'{{"model":"qwen3:32b","messages":[{_ASKED},{{"role":"assistant","content":"",'
            f'{_CALLS}}},{{"role":"tool","tool_call_id":"a","content":"1"}}]}}'
        ),
    ),
    "calls alone come to a Gemini of others without content": Request(
        "NousResearch/hermes-agent#66593",
        "openai_chat",
        "openai_chat:generic",
        (
            f'{{"model":"google/gemini-3-flash","messages":[{_ASKED},{{"role":"assistant",'
            f'"content":null,{_CALLS}}},{{"role":"tool","tool_call_id":"a","content":"1"}}]}}'
        ),
        (
            f'{{"model":"google/gemini-3-flash","messages":[{_ASKED},{{"role":"assistant",'
            f'{_CALLS}}},{{"role":"tool","tool_call_id":"a","content":"1"}}]}}'
        ),
    ),
    "each answer brings its thinking to DeepSeek where there are tools": Request(
        "openclaw/openclaw#73417",
        "openai_chat",
        "openai_chat:deepseek",
        (
            f'{{"model":"deepseek-v4-pro",{_TOOL},"messages":[{_ASKED},'
            f'{{"role":"assistant","content":"Yes?"}},{_ASKED}]}}'
        ),
        (
            f'{{"model":"deepseek-v4-pro",{_TOOL},"messages":[{_ASKED},'
            f'{{"role":"assistant","content":"Yes?","reasoning_content":""}},{_ASKED}]}}'
        ),
    ),
    "a call brings its thinking to Kimi, even if it has none": Request(
        "mastra-ai/mastra#12592",
        "openai_chat",
        "openai_chat:generic",
        (
            f'{{"model":"kimi-k2.5","messages":[{_ASKED},'
            f'{{"role":"assistant","content":null,{_CALLS}}},'
            '{"role":"tool","tool_call_id":"a","content":"1"}]}'
        ),
        (
            f'{{"model":"kimi-k2.5","messages":[{_ASKED},'
            f'{{"role":"assistant","content":null,"reasoning_content":" ",{_CALLS}}},'
            '{"role":"tool","tool_call_id":"a","content":"1"}]}'
        ),
    ),
    "thinking among the parts of an answer goes where thinking goes": Request(
        "RooCodeInc/Roo-Code#12196",
        "openai_chat",
        "openai_chat:deepseek",
        (
            f'{{"model":"deepseek-chat","messages":[{_ASKED},{{"role":"assistant",'
            '"reasoning_content":"","content":[{"type":"reasoning","text":"Hm."},'
            f'{{"type":"text","text":"Yes."}}]}},{_ASKED}]}}'
        ),
        (
            f'{{"model":"deepseek-chat","messages":[{_ASKED},{{"role":"assistant",'
            f'"content":"Yes.","reasoning_content":"Hm."}},{_ASKED}]}}'
        ),
    ),
    "thinking among the parts of an answer goes back as it came": Request(
        "RooCodeInc/Roo-Code#12196",
        "openai_chat:generic",
        "openai_chat:generic",
        (
            f'{{"model":"m","messages":[{_ASKED},{{"role":"assistant","content":['
            '{"type":"reasoning","text":"Hm."},{"type":"text","text":"Yes."}]},'
            f"{_ASKED}]}}"
        ),
        (
            f'{{"model":"m","messages":[{_ASKED},{{"role":"assistant","content":['
            '{"type":"reasoning","text":"Hm."},{"type":"text","text":"Yes."}]},'
            f"{_ASKED}]}}"
        ),
    ),
    "Qwen's template gets one system message, and later ones as a user's": Request(
        "BerriAI/litellm#39852",
        "openai_chat",
        "openai_chat:vllm",
        (
            '{"model":"Qwen/Qwen3.6-27B","messages":[{"role":"system","content":"A"},'
            f'{{"role":"system","content":"B"}},{_ASKED},{{"role":"system","content":"C"}}]}}'
        ),
        (
            '{"model":"Qwen/Qwen3.6-27B","messages":[{"role":"system","content":"A\\n\\nB"},'
            f'{_ASKED},{{"role":"user","content":"C"}}]}}'
        ),
        lost="system turn",
    ),
    "a model whose template is not known keeps its system messages": Request(
        "BerriAI/litellm#37351",
        "openai_chat",
        "openai_chat:vllm",
        f'{{"model":"m","messages":[{_ASKED},{{"role":"system","content":"C"}}]}}',
        f'{{"model":"m","messages":[{_ASKED},{{"role":"system","content":"C"}}]}}',
    ),
    "what Chat and Responses both ask the service for goes over": Request(
        "MailFathom/MailFathom#634",
        "openai_responses",
        "openai_chat",
        (
            '{"model":"gpt-5.6","text":{"verbosity":"low"},'
            '"prompt_cache_options":{"mode":"explicit"},"input":"Hi"}'
        ),
        (
            '{"prompt_cache_options":{"mode":"explicit"},"verbosity":"low","model":"gpt-5.6",'
            f'"messages":[{_ASKED}]}}'
        ),
    ),
    "a service does not get what it refuses": Request(
        "CherryHQ/cherry-studio#11435",
        "openai_chat",
        "openai_chat:groq",
        f'{{"model":"m","verbosity":"low","store":true,"messages":[{_ASKED}]}}',
        f'{{"model":"m","messages":[{_ASKED}]}}',
        lost="parameter, parameter",
    ),
    "a service gets back what it was sent": Request(
        "fanenr/chatbot#21",
        "openai_chat:groq",
        "openai_chat:groq",
        f'{{"store":true,"model":"m","messages":[{_ASKED}]}}',
        f'{{"store":true,"model":"m","messages":[{_ASKED}]}}',
    ),
    "samplers of open models go from one server to another": Request(
        "yym68686/uni-api#130",
        "ollama",
        "openai_chat:llamacpp",
        (
            f'{{"model":"m","stream":false,"messages":[{_ASKED}],'
            '"options":{"min_p":0.1,"repeat_penalty":1.1,"typical_p":0.9}}'
        ),
        (f'{{"min_p":0.1,"typical_p":0.9,"repeat_penalty":1.1,"model":"m","messages":[{_ASKED}]}}'),
    ),
    "a predicted answer goes from Mistral to OpenAI": Request(
        "vercel/ai#3475",
        "mistral",
        "openai_chat",
        f'{{"model":"m","messages":[{_ASKED}],"prediction":{{"type":"content","content":"x"}}}}',
        f'{{"prediction":{{"type":"content","content":"x"}},"model":"m","messages":[{_ASKED}]}}',
    ),
    "a schema is read where Together and llama.cpp have it": Request(
        "BerriAI/litellm#38269",
        "openai_chat:generic",
        "openai_chat",
        (
            '{"model":"m","response_format":{"type":"json_schema","schema":{"type":"object"}},'
            f'"logprobs":2,"messages":[{_ASKED}]}}'
        ),
        (
            '{"model":"m","logprobs":true,"top_logprobs":2,"response_format":{"type":'
            '"json_schema","json_schema":{"name":"response","schema":{"type":"object"}}},'
            f'"messages":[{_ASKED}]}}'
        ),
    ),
    "a schema beside JSON mode goes back as it came": Request(
        "ggml-org/llama.cpp, tools/server",
        "openai_chat:llamacpp",
        "openai_chat:llamacpp",
        (
            '{"response_format":{"type":"json_object","schema":{"type":"object"}},'
            f'"messages":[{_ASKED}]}}'
        ),
        (
            '{"response_format":{"type":"json_object","schema":{"type":"object"}},'
            f'"messages":[{_ASKED}]}}'
        ),
    ),
    "an image is read where its URL stands alone": Request(
        "recorded 2026-10",
        "openai_chat:generic",
        "openai_chat",
        (
            '{"model":"m","messages":[{"role":"user","content":[{"type":"image_url",'
            '"image_url":"https://a.example/x.png"}]}]}'
        ),
        (
            '{"model":"m","messages":[{"role":"user","content":[{"type":"image_url",'
            '"image_url":{"url":"https://a.example/x.png"}}]}]}'
        ),
    ),
    "a breakpoint of half an hour lasts an hour at OpenRouter": Request(
        "maximhq/bifrost#6699",
        "openai_chat",
        "openai_chat:openrouter",
        (
            '{"model":"m","messages":[{"role":"user","content":[{"type":"text","text":"Hi",'
            '"prompt_cache_breakpoint":{"mode":"explicit","ttl":"30m"}}]}]}'
        ),
        (
            '{"model":"m","messages":[{"role":"user","content":[{"type":"text","text":"Hi",'
            '"cache_control":{"type":"ephemeral","ttl":"1h"}}]}]}'
        ),
    ),
    "a free-text tool is a function where there are no such tools": Request(
        "groq 1.7, ChatCompletionToolParam",
        "openai_chat",
        "openai_chat:groq",
        (
            '{"model":"m","tools":[{"type":"custom","custom":{"name":"c"}}],'
            f'"messages":[{_ASKED}]}}'
        ),
        (
            '{"model":"m","tools":[{"type":"function","function":{"name":"c","parameters":'
            '{"type":"object","properties":{"input":{"type":"string"}},"required":["input"]}}}],'
            f'"messages":[{_ASKED}]}}'
        ),
        lost="tool kind",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_service(name: str) -> None:
    CASES[name].check()
