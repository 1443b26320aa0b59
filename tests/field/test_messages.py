"""Messages: system prompts, empty texts, the order of turns, and parameters beside them."""

from typing import Final

import pytest

from tests.field.cases import Case, RefusedRequest, Request

CASES: Final[dict[str, Case]] = {
    "two system messages are two blocks of Anthropic's system": Request(
        "autogenhub/autogen#5",
        "openai_chat",
        "anthropic",
        (
            '{"model":"m","max_tokens":9,"messages":[{"role":"system","content":"One."},'
            '{"role":"system","content":"Two."},{"role":"user","content":"hi"}]}'
        ),
        (
            '{"model":"m","max_tokens":9,"system":[{"type":"text","text":"One."},'
            '{"type":"text","text":"Two."}],"messages":[{"role":"user","content":[{"type":"text",'
            '"text":"hi"}]}]}'
        ),
    ),
    "an empty system message does not hide the one before it": Request(
        "NousResearch/hermes-agent#105375",
        "openai_chat",
        "anthropic",
        (
            '{"model":"m","max_tokens":9,"messages":[{"role":"system","content":"One."},'
            '{"role":"system","content":""},{"role":"user","content":"hi"}]}'
        ),
        (
            '{"model":"m","max_tokens":9,"system":[{"type":"text","text":"One."}],'
            '"messages":[{"role":"user","content":[{"type":"text","text":"hi"}]}]}'
        ),
    ),
    "the developer is Gemini's system instruction": Request(
        "router-for-me/CLIProxyAPI#3621",
        "openai_responses",
        "gemini",
        (
            '{"model":"m","input":[{"role":"developer","content":"Be brief."},'
            '{"role":"user","content":"hi"}]}'
        ),
        (
            '{"systemInstruction":{"parts":[{"text":"Be brief."}]},'
            '"contents":[{"role":"user","parts":[{"text":"hi"}]}]}'
        ),
    ),
    "the developer is Ollama's system": Request(
        "router-for-me/CLIProxyAPI#680",
        "openai_chat",
        "ollama",
        (
            '{"model":"m","messages":[{"role":"developer","content":"Be brief."},'
            '{"role":"user","content":"hi"}]}'
        ),
        (
            '{"model":"m","stream":false,"messages":[{"role":"system","content":"Be brief."},'
            '{"role":"user","content":"hi"}]}'
        ),
    ),
    "instructions beside a developer's message come first": Request(
        "looplj/axonhub#1241",
        "openai_responses",
        "mistral",
        (
            '{"model":"m","instructions":"One.","input":[{"role":"developer","content":"Two."},'
            '{"role":"user","content":"hi"}]}'
        ),
        (
            '{"model":"m","messages":[{"role":"system","content":"One."},'
            '{"role":"system","content":"Two."},{"role":"user","content":"hi"}]}'
        ),
    ),
    "a system message later on stays at its place on Chat": Request(
        "Alishahryar1/free-claude-code#1125",
        "anthropic",
        "openai_chat",
        (
            '{"model":"claude-opus-4-8","max_tokens":9,"system":"One.","messages":[{"role":"user",'
            '"content":"hi"},{"role":"assistant","content":"Hm"},'
            '{"role":"system","content":"Two."},{"role":"user","content":"go"}]}'
        ),
        (
            '{"model":"gpt-4o","max_completion_tokens":9,"messages":[{"role":"system",'
            '"content":"One."},{"role":"user","content":"hi"},{"role":"assistant","content":"Hm"},'
            '{"role":"system","content":"Two."},{"role":"user","content":"go"}]}'
        ),
        model="gpt-4o",
    ),
    "a system message later on is a user's text at Gemini, and a loss": Request(
        "langchain-ai/langchain#38651",
        "openai_chat",
        "gemini",
        (
            '{"model":"m","messages":[{"role":"system","content":"One."},'
            '{"role":"user","content":"hi"},{"role":"assistant","content":"Hm"},'
            '{"role":"system","content":"Two."},{"role":"user","content":"go"}]}'
        ),
        (
            '{"systemInstruction":{"parts":[{"text":"One."}]},'
            '"contents":[{"role":"user","parts":[{"text":"hi"}]},'
            '{"role":"model","parts":[{"text":"Hm"}]},{"role":"user","parts":[{"text":"Two."}]},'
            '{"role":"user","parts":[{"text":"go"}]}]}'
        ),
        lost="system place",
    ),
    "instructions alone are a user's for Bedrock": Request(
        "pydantic/pydantic-ai#4495",
        "openai_chat",
        "bedrock",
        '{"model":"m","messages":[{"role":"system","content":"Say hi."}]}',
        '{"messages":[{"role":"user","content":[{"text":"Say hi."}]}]}',
        lost="system alone",
    ),
    "a greeting at the start gets a user's turn before it at Bedrock": Request(
        "deepgram/deepgram-python-sdk#760",
        "openai_chat",
        "bedrock",
        (
            '{"model":"m","messages":[{"role":"assistant","content":"How can I help?"},'
            '{"role":"user","content":"hi"}]}'
        ),
        (
            '{"messages":[{"role":"user","content":[{"text":"."}]},'
            '{"role":"assistant","content":[{"text":"How can I help?"}]},'
            '{"role":"user","content":[{"text":"hi"}]}]}'
        ),
    ),
    "two user messages in a row are one turn of Bedrock": Request(
        "Portkey-AI/gateway#748",
        "openai_chat",
        "bedrock",
        (
            '{"model":"m","messages":[{"role":"user","content":"hi"},'
            '{"role":"user","content":"there"}]}'
        ),
        '{"messages":[{"role":"user","content":[{"text":"hi"},{"text":"there"}]}]}',
    ),
    "two answers in a row are one turn of Bedrock": Request(
        "microsoft/semantic-kernel#10281",
        "openai_chat",
        "bedrock",
        (
            '{"model":"m","messages":[{"role":"user","content":"hi"},'
            '{"role":"assistant","content":"a"},{"role":"assistant","content":"b"},'
            '{"role":"user","content":"go"}]}'
        ),
        (
            '{"messages":[{"role":"user","content":[{"text":"hi"}]},'
            '{"role":"assistant","content":[{"text":"a"},{"text":"b"}]},'
            '{"role":"user","content":[{"text":"go"}]}]}'
        ),
    ),
    "an empty answer between two questions is left out at Bedrock": Request(
        "BerriAI/litellm#15850",
        "openai_chat",
        "bedrock",
        (
            '{"model":"m","messages":[{"role":"user","content":"Hello"},'
            '{"role":"assistant","content":""},{"role":"user","content":"How are you?"}]}'
        ),
        '{"messages":[{"role":"user","content":[{"text":"Hello"},{"text":"How are you?"}]}]}',
    ),
    "an answer of line ends alone is left out at Bedrock": Request(
        "langchain-ai/langchain-aws#403",
        "openai_chat",
        "bedrock",
        (
            '{"model":"m","messages":[{"role":"user","content":"hi"},'
            '{"role":"assistant","content":"\\n\\n"},{"role":"user","content":"what?"}]}'
        ),
        '{"messages":[{"role":"user","content":[{"text":"hi"},{"text":"what?"}]}]}',
    ),
    "an empty text beside a picture is left out at Anthropic": Request(
        "experientiallabs/experiential#799",
        "openai_chat",
        "anthropic",
        (
            '{"model":"m","max_tokens":9,"messages":[{"role":"user","content":[{"type":"text",'
            '"text":""},{"type":"image_url","image_url":{"url":"https://a.example/b.png"}}]}]}'
        ),
        (
            '{"model":"m","max_tokens":9,"messages":[{"role":"user","content":[{"type":"image",'
            '"source":{"type":"url","url":"https://a.example/b.png"}}]}]}'
        ),
    ),
    "nothing but an empty text is refused for Anthropic": RefusedRequest(
        "BiFangKNT/mtga#68",
        "openai_chat",
        "anthropic",
        '{"model":"m","max_tokens":9,"messages":[{"role":"user","content":""}]}',
        "anthropic: no message with content, expected at least one - at `$.messages`",
    ),
    "an empty text beside a call is left out at Anthropic": Request(
        "NousResearch/hermes-agent#11906",
        "openai_chat",
        "anthropic",
        (
            '{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"hi"},'
            '{"role":"assistant","content":"","tool_calls":[{"id":"a","type":"function",'
            '"function":{"name":"f","arguments":"{}"}}]},'
            '{"role":"tool","tool_call_id":"a","content":""}]}'
        ),
        (
            '{"model":"m","max_tokens":9,"messages":[{"role":"user","content":[{"type":"text",'
            '"text":"hi"}]},{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f",'
            '"input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a"}]}]}'
        ),
    ),
    "an empty part of Responses is left out at Anthropic": Request(
        "farion1231/cc-switch#5071",
        "openai_responses",
        "anthropic",
        (
            '{"model":"m","max_output_tokens":9,"input":[{"role":"user","content":"hi"},'
            '{"role":"assistant","content":[{"type":"output_text","text":""}]},'
            '{"role":"user","content":[{"type":"input_text","text":"go"}]}]}'
        ),
        (
            '{"model":"m","max_tokens":9,"messages":[{"role":"user","content":[{"type":"text",'
            '"text":"hi"},{"type":"text","text":"go"}]}]}'
        ),
    ),
    "an empty text beside a call is left out on Vertex": Request(
        "zuisong/gemini-openai-proxy#86",
        "openai_chat",
        "gemini:vertex",
        (
            '{"model":"m","messages":[{"role":"user","content":"hi"},'
            '{"role":"assistant","content":"","tool_calls":[{"id":"a","type":"function",'
            '"function":{"name":"f","arguments":"{}"}}]},'
            '{"role":"tool","tool_call_id":"a","content":"1"}]}'
        ),
        (
            '{"contents":[{"role":"user","parts":[{"text":"hi"}]},'
            '{"role":"model","parts":[{"functionCall":{"name":"f","args":{},"id":"a"},'
            '"thoughtSignature":"c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I="}]},'
            '{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":"1"},'
            '"id":"a"}}]}]}'
        ),
    ),
    "an empty system message is left out on Vertex": Request(
        "songquanpeng/one-api#2243",
        "openai_chat",
        "gemini:vertex",
        '{"model":"m","messages":[{"role":"system","content":""},{"role":"user","content":"hi"}]}',
        '{"contents":[{"role":"user","parts":[{"text":"hi"}]}]}',
    ),
    "an answer to go on with loses the space at its end": Request(
        "tailcallhq/forgecode#1872",
        "openai_chat",
        "anthropic",
        (
            '{"model":"claude-haiku-4-5","max_tokens":9,"messages":[{"role":"user",'
            '"content":"hi"},{"role":"assistant","content":"Once "}]}'
        ),
        (
            '{"model":"claude-haiku-4-5","max_tokens":9,"messages":[{"role":"user",'
            '"content":[{"type":"text","text":"hi"}]},'
            '{"role":"assistant","content":[{"type":"text","text":"Once"}]}]}'
        ),
        lost="trailing space",
    ),
    "an answer at the end is a prefix for Mistral": Request(
        "anomalyco/opencode#19115",
        "openai_chat",
        "mistral",
        (
            '{"model":"m","messages":[{"role":"user","content":"hi"},'
            '{"role":"assistant","content":"Once"}]}'
        ),
        (
            '{"model":"m","messages":[{"role":"user","content":"hi"},'
            '{"role":"assistant","content":"Once","prefix":true}]}'
        ),
    ),
    "a single stop sequence stays a list": Request(
        "looplj/axonhub#2289",
        "anthropic",
        "openai_chat",
        (
            '{"model":"m","max_tokens":9,"stop_sequences":["END"],'
            '"messages":[{"role":"user","content":"hi"}]}'
        ),
        (
            '{"model":"m","max_completion_tokens":9,"stop":["END"],'
            '"messages":[{"role":"user","content":"hi"}]}'
        ),
    ),
    "a request without max_tokens gets one at Anthropic": Request(
        "JohnnyZ93/oai-compatible-copilot#161",
        "gemini",
        "anthropic",
        '{"contents":[{"role":"user","parts":[{"text":"hi"}]}]}',
        (
            '{"model":"m","max_tokens":8192,"messages":[{"role":"user","content":[{"type":"text",'
            '"text":"hi"}]}]}'
        ),
    ),
    "Gemini's keys in snake case are read": Request(
        "looplj/axonhub#1742",
        "gemini",
        "anthropic",
        (
            '{"system_instruction":{"parts":[{"text":"Be brief."}]},'
            '"generation_config":{"max_output_tokens":9,"stop_sequences":["END"]},'
            '"contents":[{"role":"user","parts":[{"text":"hi"},'
            '{"inline_data":{"mime_type":"image/png","data":"iVBORw0KGgo="}}]}]}'
        ),
        (
            '{"model":"m","max_tokens":9,"stop_sequences":["END"],'
            '"system":[{"type":"text","text":"Be brief."}],'
            '"messages":[{"role":"user","content":[{"type":"text","text":"hi"},'
            '{"type":"image","source":{"type":"base64","media_type":"image/png",'
            '"data":"iVBORw0KGgo="}}]}]}'
        ),
    ),
    "a temperature above one is one at Anthropic, and a loss": Request(
        "odysseus-dev/odysseus#1615",
        "openai_chat",
        "anthropic",
        (
            '{"model":"m","max_tokens":9,"temperature":1.5,"messages":[{"role":"user",'
            '"content":"hi"}]}'
        ),
        (
            '{"model":"m","max_tokens":9,"temperature":1.0,"messages":[{"role":"user",'
            '"content":[{"type":"text","text":"hi"}]}]}'
        ),
        lost="temperature",
    ),
    "marks of Anthropic's cache are cache points of Bedrock": Request(
        "cline/cline#12913",
        "anthropic",
        "bedrock",
        (
            '{"model":"m","max_tokens":9,"system":[{"type":"text","text":"Long.",'
            '"cache_control":{"type":"ephemeral"}}],"tools":[{"name":"f",'
            '"input_schema":{"type":"object","properties":{}},'
            '"cache_control":{"type":"ephemeral"}}],"messages":[{"role":"user",'
            '"content":[{"type":"text","text":"hi","cache_control":{"type":"ephemeral"}}]}]}'
        ),
        (
            '{"inferenceConfig":{"maxTokens":9},"toolConfig":{"tools":[{"toolSpec":{"name":"f",'
            '"inputSchema":{"json":{"type":"object","properties":{}}}}},'
            '{"cachePoint":{"type":"default"}}]},"system":[{"text":"Long."},'
            '{"cachePoint":{"type":"default"}}],"messages":[{"role":"user",'
            '"content":[{"text":"hi"},{"cachePoint":{"type":"default"}}]}]}'
        ),
    ),
    "a text in a list of parts is a string for Ollama": Request(
        "BerriAI/litellm#6808",
        "openai_chat",
        "ollama",
        '{"model":"m","messages":[{"role":"user","content":[{"type":"text","text":"hi"}]}]}',
        '{"model":"m","stream":false,"messages":[{"role":"user","content":"hi"}]}',
    ),
    "a limit of tokens has Mistral's name, and `store: false` asks for nothing": Request(
        "Gitlawb/openclaude#739",
        "openai_chat",
        "mistral",
        (
            '{"model":"m","store":false,"max_completion_tokens":8192,"messages":[{"role":"user",'
            '"content":"hi"}]}'
        ),
        '{"model":"m","max_tokens":8192,"messages":[{"role":"user","content":"hi"}]}',
    ),
    "the name of a speaker does not go to Mistral, which is a loss": Request(
        "Gage-Technologies/mistral-go#2",
        "openai_chat",
        "mistral",
        '{"model":"m","messages":[{"role":"user","name":"ada","content":"hi"}]}',
        '{"model":"m","messages":[{"role":"user","content":"hi"}]}',
        lost="name",
    ),
    "parts of an answer are answers of Responses in a row": Request(
        "stanfordnlp/dspy#9652",
        "openai_chat",
        "openai_responses",
        (
            '{"model":"m","messages":[{"role":"user","content":[{"type":"text","text":"hi"},'
            '{"type":"text","text":"there"}]},{"role":"assistant","content":[{"type":"text",'
            '"text":"Yes?"},{"type":"text","text":"What?"}]},{"role":"user","content":"go"}]}'
        ),
        (
            '{"model":"m","store":false,"input":[{"role":"user",'
            '"content":[{"type":"input_text","text":"hi"},'
            '{"type":"input_text","text":"there"}]},{"role":"assistant","content":"Yes?"},'
            '{"role":"assistant","content":"What?"},{"role":"user","content":"go"}]}'
        ),
    ),
    "a system prompt and a result have their roles at Cohere": Request(
        "jin38324/OCI_GenAI_access_gateway#24",
        "openai_chat",
        "cohere",
        (
            '{"model":"m","messages":[{"role":"system","content":"Be brief."},'
            '{"role":"user","content":"hi"},{"role":"assistant","content":"Look:",'
            '"tool_calls":[{"id":"a","type":"function","function":{"name":"f",'
            '"arguments":"{}"}}]},{"role":"tool","tool_call_id":"a","content":"1"}]}'
        ),
        (
            '{"model":"m","messages":[{"role":"system","content":"Be brief."},'
            '{"role":"user","content":"hi"},{"role":"assistant","tool_plan":"Look:",'
            '"tool_calls":[{"id":"a","type":"function","function":{"name":"f",'
            '"arguments":"{}"}}]},{"role":"tool","tool_call_id":"a","content":"1"}]}'
        ),
    ),
    "a bound below Responses' least becomes the least, which is a loss": Request(
        "BerriAI/litellm#31451",
        "anthropic",
        "openai_responses",
        '{"model":"m","max_tokens":1,"messages":[{"role":"user","content":"hi"}]}',
        '{"model":"m","store":false,"max_output_tokens":16,'
        '"input":[{"role":"user","content":"hi"}]}',
        lost="max_tokens",
    ),
    "an answer begun by the client is a prefix of Mistral": Request(
        "BerriAI/litellm#4882",
        "anthropic",
        "mistral",
        (
            '{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"hi"},'
            '{"role":"assistant","content":"Yes, "}]}'
        ),
        (
            '{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"hi"},'
            '{"role":"assistant","content":"Yes, ","prefix":true}]}'
        ),
    ),
    "a text beside a result is a message after it at Cohere": Request(
        "oracle/langchain-oracle#9",
        "anthropic",
        "cohere",
        (
            '{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"hi"},'
            '{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]},'
            '{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"1"},'
            '{"type":"text","text":"go"}]}]}'
        ),
        (
            '{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"hi"},'
            '{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"f",'
            '"arguments":"{}"}}]},{"role":"tool","tool_call_id":"a","content":"1"},'
            '{"role":"user","content":"go"}]}'
        ),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_situation(name: str) -> None:
    CASES[name].check()
