"""Tools: schemas, choices, calls, ids, arguments and results."""

from typing import Final

import pytest

from tests.field.cases import Case, RefusedRequest, Request

_OLD = (
    '{"type":"object","properties":{"x":{"type":"string","required":true},'
    '"n":{"type":"integer","minimum":0,"exclusiveMinimum":true}}}'
)
_NEW = (
    '{"type":"object","properties":{"x":{"type":"string"},'
    '"n":{"type":"integer","exclusiveMinimum":0}},"required":["x"]}'
)

CASES: Final[dict[str, Case]] = {
    "a schema of draft 3 or 4 becomes one of today for OpenAI": Request(
        "CherryHQ/cherry-studio#4188",
        "anthropic",
        "openai_chat",
        '{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"hi"}],'
        '"tools":[{"name":"f","input_schema":' + _OLD + "}]}",
        '{"model":"m","max_completion_tokens":9,"tools":[{"type":"function","function":'
        '{"name":"f","parameters":' + _NEW + "}}],"
        '"messages":[{"role":"user","content":"hi"}]}',
    ),
    "a schema of draft 3 or 4 becomes one of today for Mistral": Request(
        "ayunis-core/ayunis-core#975",
        "openai_chat",
        "mistral",
        '{"model":"m","messages":[{"role":"user","content":"hi"}],'
        '"tools":[{"type":"function","function":{"name":"f","parameters":' + _OLD + "}}]}",
        '{"model":"m","tools":[{"type":"function","function":{"name":"f","parameters":'
        + _NEW
        + '}}],"messages":[{"role":"user","content":"hi"}]}',
    ),
    "a schema of draft 3 or 4 becomes one of today for Claude": Request(
        "Dokploy/mcp#74",
        "ollama",
        "anthropic",
        '{"model":"m","messages":[{"role":"user","content":"hi"}],"options":{"num_predict":9},'
        '"tools":[{"type":"function","function":{"name":"f","parameters":' + _OLD + "}}]}",
        '{"model":"m","max_tokens":9,"stream":true,"tools":[{"name":"f","input_schema":'
        + _NEW
        + '}],"messages":[{"role":"user","content":[{"type":"text","text":"hi"}]}]}',
    ),
    "a failed result without content gets a text for Claude": Request(
        "jlevy/markform#153",
        "anthropic",
        "anthropic",
        '{"model":"m","max_tokens":9,"messages":[{"role":"user","content":[{"type":"text",'
        '"text":"hi"}]},{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f",'
        '"input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a",'
        '"content":[],"is_error":true}]}]}',
        '{"model":"m","max_tokens":9,"messages":[{"role":"user","content":[{"type":"text",'
        '"text":"hi"}]},{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f",'
        '"input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a",'
        '"content":[{"type":"text","text":"error"}],"is_error":true}]}]}',
    ),
    "a failed result without content gets a text at Bedrock": Request(
        "aws-samples/sample-multi-agent-orchestration-chat-on-agentcore#15",
        "anthropic",
        "bedrock",
        '{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"hi"},'
        '{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]},'
        '{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","is_error":true}]}],'
        '"tools":[{"name":"f","input_schema":{"type":"object","properties":{}}}]}',
        '{"inferenceConfig":{"maxTokens":9},"toolConfig":{"tools":[{"toolSpec":{"name":"f",'
        '"inputSchema":{"json":{"type":"object","properties":{}}}}}]},'
        '"messages":[{"role":"user","content":[{"text":"hi"}]},{"role":"assistant","content":['
        '{"toolUse":{"toolUseId":"a","name":"f","input":{}}}]},{"role":"user","content":['
        '{"toolResult":{"toolUseId":"a","content":[{"text":"error"}],"status":"error"}}]}]}',
    ),
    "an empty text beside calls is no item of Responses": Request(
        "router-for-me/CLIProxyAPI#2132",
        "openai_chat",
        "openai_responses",
        '{"model":"m","messages":[{"role":"user","content":"hi"},{"role":"assistant",'
        '"content":"","tool_calls":[{"id":"a","type":"function","function":{"name":"f",'
        '"arguments":"{}"}}]},{"role":"tool","tool_call_id":"a","content":"1"}]}',
        '{"model":"m","store":false,"input":[{"role":"user","content":"hi"},'
        '{"type":"function_call","call_id":"a","name":"f","arguments":"{}"},'
        '{"type":"function_call_output","call_id":"a","output":"1"}]}',
    ),
    "Claude Opus 4.6 at Bedrock does not think where a call is forced": Request(
        "langchain-ai/langchain-aws#1151",
        "anthropic",
        "bedrock",
        '{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"hi"}],'
        '"thinking":{"type":"adaptive"},"tool_choice":{"type":"any"},'
        '"tools":[{"name":"f","input_schema":{"type":"object","properties":{}}}]}',
        '{"inferenceConfig":{"maxTokens":9},"additionalModelRequestFields":'
        '{"thinking":{"type":"disabled"}},"toolConfig":{"tools":[{"toolSpec":{"name":"f",'
        '"inputSchema":{"json":{"type":"object","properties":{}}}}}],"toolChoice":{"any":{}}},'
        '"messages":[{"role":"user","content":[{"text":"hi"}]}]}',
        model="anthropic.claude-opus-4-6-v1",
        lost="tool choice",
    ),
    "where a model takes no functions, none are held to their schemas": Request(
        "BerriAI/litellm#10313",
        "gemini",
        "gemini",
        (
            '{"contents":[{"role":"user","parts":[{"text":"hi"}]}],'
            '"toolConfig":{"functionCallingConfig":{"mode":"VALIDATED"}},'
            '"tools":[{"functionDeclarations":[{"name":"f"}]}]}'
        ),
        '{"contents":[{"role":"user","parts":[{"text":"hi"}]}]}',
        model="gemma-3-27b-it",
        lost="tools",
    ),
    "results of parallel calls share one turn of Anthropic": Request(
        "cloudwego/eino-ext#872",
        "openai_chat",
        "anthropic",
        (
            '{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"hi"},'
            '{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function",'
            '"function":{"name":"f","arguments":"{}"}},'
            '{"id":"b","type":"function","function":{"name":"g","arguments":"{\\"x\\":1}"}}]},'
            '{"role":"tool","tool_call_id":"a","content":"1"},'
            '{"role":"tool","tool_call_id":"b","content":"2"}]}'
        ),
        (
            '{"model":"m","max_tokens":9,"messages":[{"role":"user","content":[{"type":"text",'
            '"text":"hi"}]},{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f",'
            '"input":{}},{"type":"tool_use","id":"b","name":"g","input":{"x":1}}]},'
            '{"role":"user","content":[{"type":"tool_result","tool_use_id":"a",'
            '"content":[{"type":"text","text":"1"}]},'
            '{"type":"tool_result","tool_use_id":"b","content":[{"type":"text","text":"2"}]}]}]}'
        ),
    ),
    "results of parallel calls share one turn of Bedrock": Request(
        "agentjido/req_llm#243",
        "mistral",
        "bedrock",
        (
            '{"model":"m","messages":[{"role":"user","content":"hi"},'
            '{"role":"assistant","content":"","tool_calls":[{"id":"aaaaaaaa1",'
            '"function":{"name":"f","arguments":"{}"}},'
            '{"id":"aaaaaaaa2","function":{"name":"g","arguments":"{}"}}]},'
            '{"role":"tool","tool_call_id":"aaaaaaaa1","name":"f","content":"1"},'
            '{"role":"tool","tool_call_id":"aaaaaaaa2","name":"g","content":"2"}]}'
        ),
        (
            '{"toolConfig":{"tools":[{"toolSpec":{"name":"f",'
            '"inputSchema":{"json":{"type":"object","properties":{}}}}},'
            '{"toolSpec":{"name":"g","inputSchema":{"json":{"type":"object","properties":{}}}}}]},'
            '"messages":[{"role":"user","content":[{"text":"hi"}]},'
            '{"role":"assistant","content":[{"toolUse":{"toolUseId":"aaaaaaaa1","name":"f",'
            '"input":{}}},{"toolUse":{"toolUseId":"aaaaaaaa2","name":"g","input":{}}}]},'
            '{"role":"user","content":[{"toolResult":{"toolUseId":"aaaaaaaa1",'
            '"content":[{"text":"1"}]}},{"toolResult":{"toolUseId":"aaaaaaaa2",'
            '"content":[{"text":"2"}]}}]}]}'
        ),
    ),
    "results of parallel calls share one turn of Gemini": Request(
        "microsoft/semantic-kernel#10597",
        "openai_responses",
        "gemini",
        (
            '{"model":"m","input":[{"role":"user","content":"hi"},'
            '{"type":"function_call","call_id":"a","name":"f","arguments":"{}"},'
            '{"type":"function_call","call_id":"b","name":"g","arguments":"{}"},'
            '{"type":"function_call_output","call_id":"a","output":"1"},'
            '{"type":"function_call_output","call_id":"b","output":"2"}]}'
        ),
        (
            '{"contents":[{"role":"user","parts":[{"text":"hi"}]},'
            '{"role":"model","parts":[{"functionCall":{"name":"f","args":{},"id":"a"},'
            '"thoughtSignature":"c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I="},'
            '{"functionCall":{"name":"g","args":{},"id":"b"}}]},'
            '{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":"1"},'
            '"id":"a"}},{"functionResponse":{"name":"g","response":{"output":"2"},"id":"b"}}]}]}'
        ),
    ),
    "a user's text behind a result joins its turn at Anthropic": Request(
        "open-octo/octo-agent#250",
        "openai_chat",
        "anthropic",
        (
            '{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"hi"},'
            '{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"f",'
            '"arguments":"{}"}}]},{"role":"tool","tool_call_id":"a","content":"1"},'
            '{"role":"user","content":"be quick"}]}'
        ),
        (
            '{"model":"m","max_tokens":9,"messages":[{"role":"user","content":[{"type":"text",'
            '"text":"hi"}]},{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f",'
            '"input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a",'
            '"content":[{"type":"text","text":"1"}]},{"type":"text","text":"be quick"}]}]}'
        ),
    ),
    "a text before a result in Anthropic's turn follows the result on Chat": Request(
        "vercel/ai#2067",
        "anthropic",
        "openai_chat",
        (
            '{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"hi"},'
            '{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]},'
            '{"role":"user","content":[{"type":"text","text":"here"},'
            '{"type":"tool_result","tool_use_id":"a","content":"1"}]}]}'
        ),
        (
            '{"model":"m","max_completion_tokens":9,"messages":[{"role":"user","content":"hi"},'
            '{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function",'
            '"function":{"name":"f","arguments":"{}"}}]},'
            '{"role":"tool","tool_call_id":"a","content":"1"},{"role":"user","content":"here"}]}'
        ),
    ),
    "an id of another provider becomes nine letters and digits for Mistral": Request(
        "anomalyco/opencode#1680",
        "openai_chat",
        "mistral",
        (
            '{"model":"m","messages":[{"role":"user","content":"hi"},'
            '{"role":"assistant","tool_calls":[{"id":"call_PTLP8xhu3uwZk4l3nlnrrJha",'
            '"type":"function","function":{"name":"f","arguments":"{}"}}]},'
            '{"role":"tool","tool_call_id":"call_PTLP8xhu3uwZk4l3nlnrrJha","content":"1"}]}'
        ),
        (
            '{"model":"m","messages":[{"role":"user","content":"hi"},'
            '{"role":"assistant","content":"","tool_calls":[{"id":"8EOxwftM7","type":"function",'
            '"function":{"name":"f","arguments":"{}"}}]},'
            '{"role":"tool","tool_call_id":"8EOxwftM7","content":"1"}]}'
        ),
    ),
    "an id with dots and colons fits Anthropic's alphabet": Request(
        "BerriAI/litellm#34523",
        "openai_chat",
        "anthropic",
        (
            '{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"hi"},'
            '{"role":"assistant","tool_calls":[{"id":"functions.f:0","type":"function",'
            '"function":{"name":"f","arguments":"{}"}}]},'
            '{"role":"tool","tool_call_id":"functions.f:0","content":"1"}]}'
        ),
        (
            '{"model":"m","max_tokens":9,"messages":[{"role":"user","content":[{"type":"text",'
            '"text":"hi"}]},{"role":"assistant","content":[{"type":"tool_use",'
            '"id":"functions_f_0_d6bdd4de","name":"f","input":{}}]},'
            '{"role":"user","content":[{"type":"tool_result",'
            '"tool_use_id":"functions_f_0_d6bdd4de","content":[{"type":"text","text":"1"}]}]}]}'
        ),
    ),
    "an id that comes again in a later turn stays with its own result": Request(
        "editor-code-assistant/eca#233",
        "ollama",
        "openai_chat",
        (
            '{"model":"m","messages":[{"role":"user","content":"hi"},'
            '{"role":"assistant","content":"","tool_calls":[{"id":"a","function":{"name":"f",'
            '"arguments":{"n":1}}}]},{"role":"tool","tool_call_id":"a","tool_name":"f",'
            '"content":"1"},{"role":"assistant","content":"","tool_calls":[{"id":"a",'
            '"function":{"name":"f","arguments":{"n":2}}}]},'
            '{"role":"tool","tool_call_id":"a","tool_name":"f","content":"2"}]}'
        ),
        (
            '{"model":"m","stream":true,"stream_options":{"include_usage":true},'
            '"messages":[{"role":"user","content":"hi"},'
            '{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function",'
            '"function":{"name":"f","arguments":"{\\"n\\":1}"}}]},'
            '{"role":"tool","tool_call_id":"a","content":"1"},'
            '{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function",'
            '"function":{"name":"f","arguments":"{\\"n\\":2}"}}]},'
            '{"role":"tool","tool_call_id":"a","content":"2"}]}'
        ),
    ),
    "calls of Ollama without ids are told apart": Request(
        "huggingface/smolagents#1569",
        "ollama",
        "anthropic",
        (
            '{"model":"m","options":{"num_predict":9},"messages":[{"role":"user","content":"hi"},'
            '{"role":"assistant","content":"","tool_calls":[{"function":{"name":"f",'
            '"arguments":{"n":1}}},{"function":{"name":"f","arguments":{"n":2}}}]},'
            '{"role":"tool","tool_name":"f","content":"1"},'
            '{"role":"tool","tool_name":"f","content":"2"}]}'
        ),
        (
            '{"model":"m","max_tokens":9,"stream":true,"messages":[{"role":"user",'
            '"content":[{"type":"text","text":"hi"}]},'
            '{"role":"assistant","content":[{"type":"tool_use","id":"call_0","name":"f",'
            '"input":{"n":1}},{"type":"tool_use","id":"call_1","name":"f","input":{"n":2}}]},'
            '{"role":"user","content":[{"type":"tool_result","tool_use_id":"call_0",'
            '"content":[{"type":"text","text":"1"}]},'
            '{"type":"tool_result","tool_use_id":"call_1","content":[{"type":"text",'
            '"text":"2"}]}]}]}'
        ),
    ),
    "results of Gemini without ids answer the calls in their order": Request(
        "brainlid/langchain#620",
        "gemini",
        "openai_chat",
        (
            '{"contents":[{"role":"user","parts":[{"text":"hi"}]},'
            '{"role":"model","parts":[{"functionCall":{"name":"f","args":{"n":1}}},'
            '{"functionCall":{"name":"f","args":{"n":2}}}]},'
            '{"role":"user","parts":[{"functionResponse":{"name":"f",'
            '"response":{"output":"one"}}},{"functionResponse":{"name":"f",'
            '"response":{"output":"two"}}}]}]}'
        ),
        (
            '{"model":"m","messages":[{"role":"user","content":"hi"},'
            '{"role":"assistant","content":null,"tool_calls":[{"id":"call_0","type":"function",'
            '"function":{"name":"f","arguments":"{\\"n\\":1}"}},'
            '{"id":"call_1","type":"function","function":{"name":"f",'
            '"arguments":"{\\"n\\":2}"}}]},{"role":"tool","tool_call_id":"call_0",'
            '"content":"one"},{"role":"tool","tool_call_id":"call_1","content":"two"}]}'
        ),
    ),
    "a schema without properties gets them at Responses": Request(
        "looplj/axonhub#1302",
        "anthropic",
        "openai_responses",
        (
            '{"model":"m","max_tokens":9,"tools":[{"name":"f","input_schema":{"type":"object"}}],'
            '"messages":[{"role":"user","content":"hi"}]}'
        ),
        (
            '{"model":"m","store":false,"max_output_tokens":16,'
            '"tools":[{"type":"function","name":"f",'
            '"parameters":{"properties":{},"type":"object"},"strict":false}],'
            '"input":[{"role":"user","content":"hi"}]}'
        ),
        lost="max_tokens",
    ),
    "a tool without parameters has none at Gemini": Request(
        "pipecat-ai/pipecat-flows#110",
        "openai_chat",
        "gemini",
        (
            '{"model":"m","messages":[{"role":"user","content":"hi"}],'
            '"tools":[{"type":"function","function":{"name":"f"}}]}'
        ),
        (
            '{"tools":[{"functionDeclarations":[{"name":"f"}]}],'
            '"contents":[{"role":"user","parts":[{"text":"hi"}]}]}'
        ),
    ),
    "a schema without properties goes to Gemini as JSON Schema": Request(
        "sigoden/aichat#666",
        "openai_chat",
        "gemini",
        (
            '{"model":"m","messages":[{"role":"user","content":"hi"}],'
            '"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object",'
            '"properties":{},"required":[]}}}]}'
        ),
        (
            '{"tools":[{"functionDeclarations":[{"name":"f",'
            '"parametersJsonSchema":{"type":"object","properties":{},"required":[]}}]}],'
            '"contents":[{"role":"user","parts":[{"text":"hi"}]}]}'
        ),
    ),
    "a tool without parameters gets an empty schema at Anthropic": Request(
        "54xzh/FLIT#64",
        "cohere",
        "anthropic",
        (
            '{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"hi"}],'
            '"tools":[{"type":"function","function":{"name":"f","description":"F."}}]}'
        ),
        (
            '{"model":"m","max_tokens":9,"tools":[{"name":"f","input_schema":{"type":"object",'
            '"properties":{}},"description":"F."}],"messages":[{"role":"user",'
            '"content":[{"type":"text","text":"hi"}]}]}'
        ),
    ),
    "references of a schema stay references at Gemini": Request(
        "DEEIX-AI/DEEIX-Chat#546",
        "openai_chat",
        "gemini",
        (
            '{"model":"m","messages":[{"role":"user","content":"hi"}],'
            '"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object",'
            '"properties":{"a":{"type":"array","items":{"$ref":"#/$defs/p"}}},'
            '"$defs":{"p":{"type":"string"}},"additionalProperties":false}}}]}'
        ),
        (
            '{"tools":[{"functionDeclarations":[{"name":"f",'
            '"parametersJsonSchema":{"type":"object","properties":{"a":{"type":"array",'
            '"items":{"$ref":"#/$defs/p"}}},"$defs":{"p":{"type":"string"}},'
            '"additionalProperties":false}}]}],"contents":[{"role":"user",'
            '"parts":[{"text":"hi"}]}]}'
        ),
    ),
    "a schema goes to Gemini as JSON Schema, its dialect included": Request(
        "GetStream/Vision-Agents#513",
        "anthropic",
        "gemini",
        (
            '{"model":"m","max_tokens":9,"tools":[{"name":"f",'
            '"input_schema":{"$schema":"http://json-schema.org/draft-07/schema#","type":"object",'
            '"properties":{"x":{"const":1}}}}],"messages":[{"role":"user","content":"hi"}]}'
        ),
        (
            '{"generationConfig":{"maxOutputTokens":9},'
            '"tools":[{"functionDeclarations":[{"name":"f",'
            '"parametersJsonSchema":{"$schema":"http://json-schema.org/draft-07/schema#",'
            '"type":"object","properties":{"x":{"const":1}}}}]}],'
            '"contents":[{"role":"user","parts":[{"text":"hi"}]}]}'
        ),
    ),
    "a call that is required is ANY at Gemini": Request(
        "mem0ai/mem0#5430",
        "openai_chat",
        "gemini",
        (
            '{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"hi"}],'
            '"tools":[{"type":"function","function":{"name":"f"}}],"tool_choice":"required"}'
        ),
        (
            '{"generationConfig":{"maxOutputTokens":9},'
            '"toolConfig":{"functionCallingConfig":{"mode":"ANY"}},'
            '"tools":[{"functionDeclarations":[{"name":"f"}]}],'
            '"contents":[{"role":"user","parts":[{"text":"hi"}]}]}'
        ),
    ),
    "no calls is NONE at Gemini": Request(
        "mozilla-ai/any-llm#1352",
        "openai_chat",
        "gemini",
        (
            '{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"hi"}],'
            '"tools":[{"type":"function","function":{"name":"f"}}],"tool_choice":"none"}'
        ),
        (
            '{"generationConfig":{"maxOutputTokens":9},'
            '"toolConfig":{"functionCallingConfig":{"mode":"NONE"}},'
            '"tools":[{"functionDeclarations":[{"name":"f"}]}],'
            '"contents":[{"role":"user","parts":[{"text":"hi"}]}]}'
        ),
    ),
    "a named tool is the one that Gemini may call": Request(
        "mozilla-ai/any-llm#1300",
        "openai_chat",
        "gemini",
        (
            '{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"hi"}],'
            '"tools":[{"type":"function","function":{"name":"f"}}],'
            '"tool_choice":{"type":"function","function":{"name":"f"}}}'
        ),
        (
            '{"generationConfig":{"maxOutputTokens":9},'
            '"toolConfig":{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":["f"]}},'
            '"tools":[{"functionDeclarations":[{"name":"f"}]}],'
            '"contents":[{"role":"user","parts":[{"text":"hi"}]}]}'
        ),
    ),
    "the tools that are allowed are the names that Gemini may call": Request(
        "mozilla-ai/any-llm#1352",
        "openai_chat",
        "gemini",
        (
            '{"model":"m","messages":[{"role":"user","content":"hi"}],'
            '"tools":[{"type":"function","function":{"name":"f"}},'
            '{"type":"function","function":{"name":"g"}}],'
            '"tool_choice":{"type":"allowed_tools","allowed_tools":{"mode":"required",'
            '"tools":[{"type":"function","function":{"name":"f"}}]}}}'
        ),
        (
            '{"toolConfig":{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":["f"]}},'
            '"tools":[{"functionDeclarations":[{"name":"f"},{"name":"g"}]}],'
            '"contents":[{"role":"user","parts":[{"text":"hi"}]}]}'
        ),
    ),
    "a call that is required is any at Anthropic": Request(
        "BerriAI/litellm#3919",
        "openai_chat",
        "anthropic",
        (
            '{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"hi"}],'
            '"tools":[{"type":"function","function":{"name":"f"}}],"tool_choice":"required"}'
        ),
        (
            '{"model":"m","max_tokens":9,"tools":[{"name":"f","input_schema":{"type":"object",'
            '"properties":{}}}],"tool_choice":{"type":"any"},'
            '"messages":[{"role":"user","content":[{"type":"text","text":"hi"}]}]}'
        ),
    ),
    "no calls is none at Anthropic": Request(
        "agentscope-ai/agentscope-java#2221",
        "openai_chat",
        "anthropic",
        (
            '{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"hi"}],'
            '"tools":[{"type":"function","function":{"name":"f"}}],"tool_choice":"none"}'
        ),
        (
            '{"model":"m","max_tokens":9,"tools":[{"name":"f","input_schema":{"type":"object",'
            '"properties":{}}}],"tool_choice":{"type":"none"},'
            '"messages":[{"role":"user","content":[{"type":"text","text":"hi"}]}]}'
        ),
    ),
    "a named tool is of type tool at Anthropic": Request(
        "envoyproxy/ai-gateway#1490",
        "openai_chat",
        "anthropic",
        (
            '{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"hi"}],'
            '"tools":[{"type":"function","function":{"name":"f"}}],'
            '"tool_choice":{"type":"function","function":{"name":"f"}}}'
        ),
        (
            '{"model":"m","max_tokens":9,"tools":[{"name":"f","input_schema":{"type":"object",'
            '"properties":{}}}],"tool_choice":{"type":"tool","name":"f"},'
            '"messages":[{"role":"user","content":[{"type":"text","text":"hi"}]}]}'
        ),
    ),
    "a call that is required is any at Bedrock": Request(
        "BerriAI/litellm#37980",
        "openai_chat",
        "bedrock",
        (
            '{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"hi"}],'
            '"tools":[{"type":"function","function":{"name":"f"}}],"tool_choice":"required"}'
        ),
        (
            '{"inferenceConfig":{"maxTokens":9},"toolConfig":{"tools":[{"toolSpec":{"name":"f",'
            '"inputSchema":{"json":{"type":"object","properties":{}}}}}],"toolChoice":{"any":{}}},'
            '"messages":[{"role":"user","content":[{"text":"hi"}]}]}'
        ),
    ),
    "no calls cannot be asked of Bedrock, which is a loss": Request(
        "boto/boto3#4687",
        "openai_chat",
        "bedrock",
        (
            '{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"hi"}],'
            '"tools":[{"type":"function","function":{"name":"f"}}],"tool_choice":"none"}'
        ),
        (
            '{"inferenceConfig":{"maxTokens":9},"toolConfig":{"tools":[{"toolSpec":{"name":"f",'
            '"inputSchema":{"json":{"type":"object","properties":{}}}}}]},'
            '"messages":[{"role":"user","content":[{"text":"hi"}]}]}'
        ),
        lost="tool choice",
    ),
    "one call at a time is said in Anthropic's tool choice": Request(
        "anthropics/anthropic-sdk-python#553",
        "openai_chat",
        "anthropic",
        (
            '{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"hi"}],'
            '"tools":[{"type":"function","function":{"name":"f"}}],"parallel_tool_calls":false}'
        ),
        (
            '{"model":"m","max_tokens":9,"tools":[{"name":"f","input_schema":{"type":"object",'
            '"properties":{}}}],"tool_choice":{"type":"auto","disable_parallel_tool_use":true},'
            '"messages":[{"role":"user","content":[{"type":"text","text":"hi"}]}]}'
        ),
    ),
    "one call at a time is read from Anthropic's tool choice": Request(
        "anthony-chaudhary/fak#5798",
        "anthropic",
        "openai_responses",
        (
            '{"model":"m","max_tokens":9,"tools":[{"name":"f","input_schema":{"type":"object",'
            '"properties":{}}}],"tool_choice":{"type":"auto","disable_parallel_tool_use":true},'
            '"messages":[{"role":"user","content":"hi"}]}'
        ),
        (
            '{"model":"m","store":false,"max_output_tokens":16,'
            '"tool_choice":"auto","parallel_tool_calls":false,'
            '"tools":[{"type":"function","name":"f","parameters":{"type":"object",'
            '"properties":{}},"strict":false}],"input":[{"role":"user","content":"hi"}]}'
        ),
        lost="max_tokens",
    ),
    "empty arguments of a call are none at Gemini": Request(
        "BerriAI/litellm#6833",
        "openai_chat",
        "gemini",
        (
            '{"model":"m","messages":[{"role":"user","content":"hi"},'
            '{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function",'
            '"function":{"name":"f","arguments":""}}]},'
            '{"role":"tool","tool_call_id":"a","content":"1"}]}'
        ),
        (
            '{"contents":[{"role":"user","parts":[{"text":"hi"}]},'
            '{"role":"model","parts":[{"functionCall":{"name":"f","id":"a"},'
            '"thoughtSignature":"c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I="}]},'
            '{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":"1"},'
            '"id":"a"}}]}]}'
        ),
    ),
    "missing arguments of a call are an empty object": Request(
        "JetBrains/koog#2146",
        "gemini",
        "bedrock",
        (
            '{"contents":[{"role":"user","parts":[{"text":"hi"}]},'
            '{"role":"model","parts":[{"functionCall":{"name":"f","id":"a"}}]},'
            '{"role":"user","parts":[{"functionResponse":{"name":"f","id":"a",'
            '"response":{"output":"1"}}}]}]}'
        ),
        (
            '{"toolConfig":{"tools":[{"toolSpec":{"name":"f",'
            '"inputSchema":{"json":{"type":"object","properties":{}}}}}]},'
            '"messages":[{"role":"user","content":[{"text":"hi"}]},'
            '{"role":"assistant","content":[{"toolUse":{"toolUseId":"a","name":"f","input":{}}}]},'
            '{"role":"user","content":[{"toolResult":{"toolUseId":"a",'
            '"content":[{"text":"1"}]}}]}]}'
        ),
    ),
    "broken arguments of an earlier call go on as text in an object": Request(
        "openai/openai-agents-python#2061",
        "openai_chat",
        "anthropic",
        (
            '{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"hi"},'
            '{"role":"assistant","content":"","tool_calls":[{"id":"a","type":"function",'
            '"function":{"name":"f","arguments":"{\\"x\\": "}}]},'
            '{"role":"tool","tool_call_id":"a","content":"1"}]}'
        ),
        (
            '{"model":"m","max_tokens":9,"messages":[{"role":"user","content":[{"type":"text",'
            '"text":"hi"}]},{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f",'
            '"input":{"raw_arguments":"{\\"x\\": "}}]},'
            '{"role":"user","content":[{"type":"tool_result","tool_use_id":"a",'
            '"content":[{"type":"text","text":"1"}]}]}]}'
        ),
        lost="arguments",
    ),
    "the id of a call of Responses is not that of its item": Request(
        "ChronoAIProject/NyxID#200",
        "openai_responses",
        "anthropic",
        (
            '{"model":"m","max_output_tokens":9,"input":[{"role":"user","content":"hi"},'
            '{"type":"function_call","id":"fc_1","call_id":"call_1","name":"f","arguments":"{}"},'
            '{"type":"function_call_output","call_id":"call_1","output":"1"}]}'
        ),
        (
            '{"model":"m","max_tokens":9,"messages":[{"role":"user","content":[{"type":"text",'
            '"text":"hi"}]},{"role":"assistant","content":[{"type":"tool_use","id":"call_1",'
            '"name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result",'
            '"tool_use_id":"call_1","content":[{"type":"text","text":"1"}]}]}]}'
        ),
    ),
    "a result that is a list of texts is one of blocks at Bedrock": Request(
        "BerriAI/litellm#5652",
        "openai_chat",
        "bedrock",
        (
            '{"model":"m","messages":[{"role":"user","content":"hi"},'
            '{"role":"assistant","content":"","tool_calls":[{"id":"a","type":"function",'
            '"function":{"name":"f","arguments":"{}"}}]},'
            '{"role":"tool","tool_call_id":"a","content":[{"type":"text","text":"1"}]}]}'
        ),
        (
            '{"toolConfig":{"tools":[{"toolSpec":{"name":"f",'
            '"inputSchema":{"json":{"type":"object","properties":{}}}}}]},'
            '"messages":[{"role":"user","content":[{"text":"hi"}]},'
            '{"role":"assistant","content":[{"toolUse":{"toolUseId":"a","name":"f","input":{}}}]},'
            '{"role":"user","content":[{"toolResult":{"toolUseId":"a",'
            '"content":[{"text":"1"}]}}]}]}'
        ),
    ),
    "calls in the history alone make tools of Bedrock": Request(
        "langgenius/dify#17545",
        "openai_chat",
        "bedrock",
        (
            '{"model":"m","messages":[{"role":"user","content":"hi"},'
            '{"role":"assistant","content":"","tool_calls":[{"id":"a","type":"function",'
            '"function":{"name":"f","arguments":"{}"}}]},'
            '{"role":"tool","tool_call_id":"a","content":"1"}]}'
        ),
        (
            '{"toolConfig":{"tools":[{"toolSpec":{"name":"f",'
            '"inputSchema":{"json":{"type":"object","properties":{}}}}}]},'
            '"messages":[{"role":"user","content":[{"text":"hi"}]},'
            '{"role":"assistant","content":[{"toolUse":{"toolUseId":"a","name":"f","input":{}}}]},'
            '{"role":"user","content":[{"toolResult":{"toolUseId":"a",'
            '"content":[{"text":"1"}]}}]}]}'
        ),
    ),
    "a number with more digits than a float keeps them": Request(
        "earendil-works/pi#8943",
        "anthropic",
        "openai_chat",
        (
            '{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"hi"},'
            '{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f",'
            '"input":{"id":12345678901234567890, "p":0.10}}]},'
            '{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"1"}]}]}'
        ),
        (
            '{"model":"m","max_completion_tokens":9,"messages":[{"role":"user","content":"hi"},'
            '{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function",'
            '"function":{"name":"f","arguments":"{\\"id\\":12345678901234567890, \\"p\\":'
            '0.10}"}}]},{"role":"tool","tool_call_id":"a","content":"1"}]}'
        ),
    ),
    "a result whose call is not there is refused": RefusedRequest(
        "router-for-me/CLIProxyAPI#5735",
        "openai_responses",
        "openai_chat",
        (
            '{"model":"m","input":[{"role":"user","content":"hi"},'
            '{"type":"function_call_output","call_id":"call_1","output":"1"}]}'
        ),
        (
            "openai_chat: tool result `call_1` has no call before it;"
            " add one, or pass repair=True - at `$.messages[1].content[0]`"
        ),
    ),
    "arguments in a string are an object for Ollama": Request(
        "openclaw/openclaw#46679",
        "openai_chat",
        "ollama",
        (
            '{"model":"m","messages":[{"role":"user","content":"hi"},'
            '{"role":"assistant","content":"","tool_calls":[{"id":"a","type":"function",'
            '"function":{"name":"f","arguments":"{\\"x\\": 1}"}}]},'
            '{"role":"tool","tool_call_id":"a","content":"1"}]}'
        ),
        (
            '{"model":"m","stream":false,"messages":[{"role":"user","content":"hi"},'
            '{"role":"assistant","content":"","tool_calls":[{"id":"a","function":{"name":"f",'
            '"arguments":{"x": 1}}}]},{"role":"tool","content":"1","tool_name":"f",'
            '"tool_call_id":"a"}]}'
        ),
    ),
    "an empty list of tools does not go to Mistral": Request(
        "partITech/php-mistral#76",
        "openai_chat",
        "mistral",
        '{"model":"m","tools":[],"messages":[{"role":"user","content":"hi"}]}',
        '{"model":"m","messages":[{"role":"user","content":"hi"}]}',
    ),
    "a call that is required is REQUIRED at Cohere": Request(
        "langchain-ai/langchain-cohere#161",
        "openai_chat",
        "cohere",
        (
            '{"model":"m","messages":[{"role":"user","content":"hi"}],'
            '"tools":[{"type":"function","function":{"name":"f"}}],"tool_choice":"required"}'
        ),
        (
            '{"model":"m","tool_choice":"REQUIRED","tools":[{"type":"function",'
            '"function":{"name":"f","parameters":{"type":"object","properties":{}}}}],'
            '"messages":[{"role":"user","content":"hi"}]}'
        ),
    ),
    "one of two tools cannot be named at Cohere, which is a loss": Request(
        "ankit373/hydra#976",
        "openai_chat",
        "cohere",
        (
            '{"model":"m","messages":[{"role":"user","content":"hi"}],'
            '"tools":[{"type":"function","function":{"name":"f"}},'
            '{"type":"function","function":{"name":"g"}}],'
            '"tool_choice":{"type":"function","function":{"name":"f"}}}'
        ),
        (
            '{"model":"m","tool_choice":"REQUIRED","tools":[{"type":"function",'
            '"function":{"name":"f","parameters":{"type":"object","properties":{}}}},'
            '{"type":"function","function":{"name":"g","parameters":{"type":"object",'
            '"properties":{}}}}],"messages":[{"role":"user","content":"hi"}]}'
        ),
        lost="tool choice",
    ),
    "results have the ids of their calls at Gemini": Request(
        "router-for-me/CLIProxyAPI#5199",
        "anthropic",
        "gemini",
        (
            '{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"hi"},'
            '{"role":"assistant","content":[{"type":"tool_use","id":"113ccf07-3b49","name":"f",'
            '"input":{}},{"type":"tool_use","id":"4b8ccdfc-f181","name":"f","input":{}}]},'
            '{"role":"user","content":[{"type":"tool_result","tool_use_id":"113ccf07-3b49",'
            '"content":"1"},{"type":"tool_result","tool_use_id":"4b8ccdfc-f181","content":"2"}]}]}'
        ),
        (
            '{"generationConfig":{"maxOutputTokens":9},'
            '"contents":[{"role":"user","parts":[{"text":"hi"}]},'
            '{"role":"model","parts":[{"functionCall":{"name":"f","args":{},"id":"113ccf07-3b49"},'
            '"thoughtSignature":"c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I="},'
            '{"functionCall":{"name":"f","args":{},"id":"4b8ccdfc-f181"}}]},'
            '{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":"1"},'
            '"id":"113ccf07-3b49"}},{"functionResponse":{"name":"f","response":{"output":"2"},'
            '"id":"4b8ccdfc-f181"}}]}]}'
        ),
    ),
    "an id that is the word null is another one for Mistral": Request(
        "mistralai/client-js#69",
        "openai_chat",
        "mistral",
        (
            '{"model":"m","messages":[{"role":"user","content":"hi"},'
            '{"role":"assistant","content":"","tool_calls":[{"id":"null","type":"function",'
            '"function":{"name":"f","arguments":"{}"}}]},'
            '{"role":"tool","tool_call_id":"null","content":"1"}]}'
        ),
        (
            '{"model":"m","messages":[{"role":"user","content":"hi"},'
            '{"role":"assistant","content":"","tool_calls":[{"id":"dCNOmKnSY","type":"function",'
            '"function":{"name":"f","arguments":"{}"}}]},'
            '{"role":"tool","tool_call_id":"dCNOmKnSY","content":"1"}]}'
        ),
    ),
    "an answer with calls alone has no content at Cohere": Request(
        "langchain-ai/langchain-cohere#15",
        "openai_chat",
        "cohere",
        (
            '{"model":"m","messages":[{"role":"user","content":"hi"},'
            '{"role":"assistant","content":"","tool_calls":[{"id":"a","type":"function",'
            '"function":{"name":"f","arguments":"{\\"x\\":1}"}}]},'
            '{"role":"tool","tool_call_id":"a","content":"1"}]}'
        ),
        (
            '{"model":"m","messages":[{"role":"user","content":"hi"},'
            '{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"f",'
            '"arguments":"{\\"x\\":1}"}}]},{"role":"tool","tool_call_id":"a","content":"1"}]}'
        ),
    ),
    "a call that has no result is refused for Cohere": RefusedRequest(
        "oracle/langchain-oracle#10",
        "openai_chat",
        "cohere",
        (
            '{"model":"m","messages":[{"role":"user","content":"hi"},'
            '{"role":"assistant","content":"Look:","tool_calls":[{"id":"a","type":"function",'
            '"function":{"name":"f","arguments":"{}"}}]},{"role":"user","content":"go"}]}'
        ),
        (
            "cohere: tool call `a` has no result;"
            " add one, or pass repair=True - at `$.messages[1].content[1]`"
        ),
    ),
    "a result that is a list of JSON is a text of Bedrock": Request(
        "sigoden/aichat#1542",
        "openai_chat",
        "bedrock",
        (
            '{"model":"m","messages":[{"role":"user","content":"hi"},'
            '{"role":"assistant","content":"","tool_calls":[{"id":"a","type":"function",'
            '"function":{"name":"f","arguments":"{}"}}]},'
            '{"role":"tool","tool_call_id":"a","content":"[1,2]"}]}'
        ),
        (
            '{"toolConfig":{"tools":[{"toolSpec":{"name":"f",'
            '"inputSchema":{"json":{"type":"object","properties":{}}}}}]},'
            '"messages":[{"role":"user","content":[{"text":"hi"}]},'
            '{"role":"assistant","content":[{"toolUse":{"toolUseId":"a","name":"f","input":{}}}]},'
            '{"role":"user","content":[{"toolResult":{"toolUseId":"a",'
            '"content":[{"text":"[1,2]"}]}}]}]}'
        ),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_situation(name: str) -> None:
    CASES[name].check()
