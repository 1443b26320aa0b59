"""What the models of a maker refuse on Bedrock: what goes to them instead, and what is told."""

import pytest

from tests.field.cases import Case, Request

CASES: dict[str, Case] = {
    "a strict tool goes to Sonnet 5 as one that is not": Request(
        "vercel/ai#17919",
        "openai_chat",
        "bedrock",
        '{"messages":[{"role":"user","content":"Hi"}],"tools":[{"type":"function","fu'
        'nction":{"name":"f","parameters":{"type":"object","properties":{},"additiona'
        'lProperties":false},"strict":true}}]}',
        '{"toolConfig":{"tools":[{"toolSpec":{"name":"f","inputSchema":{"json":{"type'
        '":"object","properties":{},"additionalProperties":false}}}}]},"messages":[{"'
        'role":"user","content":[{"text":"Hi"}]}]}',
        model="global.anthropic.claude-sonnet-5",
        lost="strict",
    ),
    "a tool that is not strict has no word of it for Opus 4.8": Request(
        "BerriAI/litellm#35688",
        "openai_chat",
        "bedrock",
        '{"messages":[{"role":"user","content":"Hi"}],"tools":[{"type":"function","fu'
        'nction":{"name":"f","parameters":{"type":"object","properties":{},"additiona'
        'lProperties":false},"strict":false}}]}',
        '{"toolConfig":{"tools":[{"toolSpec":{"name":"f","inputSchema":{"json":{"type'
        '":"object","properties":{},"additionalProperties":false}}}}]},"messages":[{"'
        'role":"user","content":[{"text":"Hi"}]}]}',
        model="us.anthropic.claude-opus-4-8",
    ),
    "Sonnet 4.6 is held to a strict tool": Request(
        "BerriAI/litellm#33193",
        "openai_chat",
        "bedrock",
        '{"messages":[{"role":"user","content":"Hi"}],"tools":[{"type":"function","fu'
        'nction":{"name":"f","parameters":{"type":"object","properties":{},"additiona'
        'lProperties":false},"strict":true}}]}',
        '{"toolConfig":{"tools":[{"toolSpec":{"name":"f","inputSchema":{"json":{"type'
        '":"object","properties":{},"additionalProperties":false}},"strict":true}}]},'
        '"messages":[{"role":"user","content":[{"text":"Hi"}]}]}',
        model="eu.anthropic.claude-sonnet-4-6",
    ),
    "marks of Claude Code do not go to Qwen": Request(
        "zeroclaw-labs/zeroclaw#7315",
        "anthropic",
        "bedrock",
        '{"max_tokens":64,"messages":[{"role":"user","content":[{"type":"text","text"'
        ':"Hi","cache_control":{"type":"ephemeral"}}]}],"system":[{"type":"text","tex'
        't":"S","cache_control":{"type":"ephemeral"}}]}',
        '{"inferenceConfig":{"maxTokens":64},"system":[{"text":"S"}],"messages":[{"ro'
        'le":"user","content":[{"text":"Hi"}]}]}',
        model="qwen.qwen3-32b-v1:0",
        lost="cache mark, cache mark",
    ),
    "Nova caches a prompt but no tools": Request(
        "langchain-ai/langchain-aws#913",
        "anthropic",
        "bedrock",
        '{"max_tokens":64,"messages":[{"role":"user","content":"Hi"}],"system":[{"typ'
        'e":"text","text":"S","cache_control":{"type":"ephemeral"}}],"tools":[{"name"'
        ':"f","input_schema":{"type":"object"},"cache_control":{"type":"ephemeral"}}]'
        "}",
        '{"inferenceConfig":{"maxTokens":64},"toolConfig":{"tools":[{"toolSpec":{"nam'
        'e":"f","inputSchema":{"json":{"type":"object"}}}}]},"system":[{"text":"S"},{'
        '"cachePoint":{"type":"default"}}],"messages":[{"role":"user","content":[{"te'
        'xt":"Hi"}]}]}',
        model="us.amazon.nova-pro-v1:0",
        lost="cache mark",
    ),
    "an hour of the cache is five minutes for Opus 4.1": Request(
        "earendil-works/pi#1570",
        "anthropic",
        "bedrock",
        '{"max_tokens":64,"messages":[{"role":"user","content":"Hi"}],"system":[{"typ'
        'e":"text","text":"S","cache_control":{"type":"ephemeral","ttl":"1h"}}]}',
        '{"inferenceConfig":{"maxTokens":64},"system":[{"text":"S"},{"cachePoint":{"t'
        'ype":"default"}}],"messages":[{"role":"user","content":[{"text":"Hi"}]}]}',
        model="us.anthropic.claude-opus-4-1-20250805-v1:0",
        lost="cache ttl",
    ),
    "Nova takes no mark after a result": Request(
        "BerriAI/litellm#17479",
        "anthropic",
        "bedrock",
        '{"max_tokens":64,"messages":[{"role":"user","content":"Hi"},{"role":"assistant",'
        '"content":[{"type":"tool_use","id":"a","name":"f","input":{}}]},{"role":"user",'
        '"content":[{"type":"tool_result","tool_use_id":"a","content":"1",'
        '"cache_control":{"type":"ephemeral"}}]}],'
        '"tools":[{"name":"f","input_schema":{"type":"object"}}]}',
        '{"inferenceConfig":{"maxTokens":64},"toolConfig":{"tools":[{"toolSpec":{"name":"f",'
        '"inputSchema":{"json":{"type":"object"}}}}]},"messages":[{"role":"user","content":['
        '{"text":"Hi"}]},{"role":"assistant","content":[{"toolUse":{"toolUseId":"a","name":"f",'
        '"input":{}}}]},{"role":"user","content":[{"toolResult":{"toolUseId":"a","content":['
        '{"text":"1"}]}}]}]}',
        model="us.amazon.nova-pro-v1:0",
        lost="cache mark",
    ),
    "a mark on a document of text stands before it": Request(
        "strands-agents/harness-sdk#1966",
        "anthropic",
        "bedrock",
        '{"max_tokens":64,"messages":[{"role":"user","content":[{"type":"text","text"'
        ':"Hi"},{"type":"document","source":{"type":"text","media_type":"text/plain",'
        '"data":"a"},"cache_control":{"type":"ephemeral"}}]}]}',
        '{"inferenceConfig":{"maxTokens":64},"messages":[{"role":"user","content":[{"'
        'text":"Hi"},{"cachePoint":{"type":"default"}},{"document":{"name":"Document"'
        ',"source":{"text":"a"},"format":"txt"}}]}]}',
        model="us.anthropic.claude-sonnet-4-5-20250929-v1:0",
        lost="cache mark",
    ),
    "a mark on a document alone is lost": Request(
        "anomalyco/opencode#29728",
        "anthropic",
        "bedrock",
        '{"max_tokens":64,"messages":[{"role":"user","content":[{"type":"document","s'
        'ource":{"type":"text","media_type":"text/plain","data":"a"},"cache_control":'
        '{"type":"ephemeral"}},{"type":"text","text":"Hi"}]}]}',
        '{"inferenceConfig":{"maxTokens":64},"messages":[{"role":"user","content":[{"'
        'document":{"name":"Document","source":{"text":"a"},"format":"txt"}},{"text":'
        '"Hi"}]}]}',
        model="us.anthropic.claude-sonnet-4-5-20250929-v1:0",
        lost="cache mark",
    ),
    "a mark on the text of a result stands behind the result": Request(
        "dynamiq-ai/dynamiq#934",
        "openai_chat",
        "bedrock",
        '{"messages":[{"role":"user","content":"Hi"},{"role":"assistant","tool_calls"'
        ':[{"id":"call_0","type":"function","function":{"name":"f","arguments":"{}"}}'
        ']},{"role":"tool","tool_call_id":"call_0","content":[{"type":"text","text":"'
        '1","cache_control":{"type":"ephemeral"}}]}],"tools":[{"type":"function","fun'
        'ction":{"name":"f","parameters":{"type":"object","properties":{},"additional'
        'Properties":false}}}]}',
        '{"toolConfig":{"tools":[{"toolSpec":{"name":"f","inputSchema":{"json":{"type'
        '":"object","properties":{},"additionalProperties":false}}}}]},"messages":[{"'
        'role":"user","content":[{"text":"Hi"}]},{"role":"assistant","content":[{"too'
        'lUse":{"toolUseId":"call_0","name":"f","input":{}}}]},{"role":"user","conten'
        't":[{"toolResult":{"toolUseId":"call_0","content":[{"text":"1"}]}},{"cachePo'
        'int":{"type":"default"}}]}]}',
        model="us.anthropic.claude-sonnet-4-5-20250929-v1:0",
    ),
    "ids of calls have nine letters for Pixtral": Request(
        "anomalyco/opencode#48843",
        "openai_chat",
        "bedrock",
        '{"messages":[{"role":"user","content":"Hi"},{"role":"assistant","tool_calls"'
        ':[{"id":"call_0","type":"function","function":{"name":"f","arguments":"{}"}}'
        ']},{"role":"tool","tool_call_id":"call_0","content":"1"}],"tools":[{"type":"'
        'function","function":{"name":"f","parameters":{"type":"object","properties":'
        '{},"additionalProperties":false}}}]}',
        '{"toolConfig":{"tools":[{"toolSpec":{"name":"f","inputSchema":{"json":{"type'
        '":"object","properties":{},"additionalProperties":false}}}}]},"messages":[{"'
        'role":"user","content":[{"text":"Hi"}]},{"role":"assistant","content":[{"too'
        'lUse":{"toolUseId":"xVeoWgAkm","name":"f","input":{}}}]},{"role":"user","con'
        'tent":[{"toolResult":{"toolUseId":"xVeoWgAkm","content":[{"text":"1"}]}}]}]}',
        model="us.mistral.pixtral-large-2502-v1:0",
    ),
    "an effort is one of Nova 2": Request(
        "UKGovernmentBEIS/inspect_ai#3461",
        "openai_chat",
        "bedrock",
        '{"messages":[{"role":"user","content":"Hi"}],"reasoning_effort":"medium","ma'
        'x_completion_tokens":99,"temperature":0.5}',
        '{"inferenceConfig":{"maxTokens":99,"temperature":0.5},"additionalModelReques'
        'tFields":{"reasoningConfig":{"type":"enabled","maxReasoningEffort":"medium"}'
        '},"messages":[{"role":"user","content":[{"text":"Hi"}]}]}',
        model="us.amazon.nova-2-lite-v1:0",
    ),
    "Nova 2 thinks hard without a limit of tokens": Request(
        "UKGovernmentBEIS/inspect_ai#3767",
        "openai_chat",
        "bedrock",
        '{"messages":[{"role":"user","content":"Hi"}],"reasoning_effort":"high","max_'
        'completion_tokens":99}',
        '{"additionalModelRequestFields":{"reasoningConfig":{"type":"enabled","maxRea'
        'soningEffort":"high"}},"messages":[{"role":"user","content":[{"text":"Hi"}]}'
        "]}",
        model="us.amazon.nova-2-lite-v1:0",
        lost="max_tokens",
    ),
    "Nova Pro cannot be asked for an effort": Request(
        "UKGovernmentBEIS/inspect_ai#5301",
        "openai_chat",
        "bedrock",
        '{"messages":[{"role":"user","content":"Hi"}],"reasoning_effort":"low"}',
        '{"messages":[{"role":"user","content":[{"text":"Hi"}]}]}',
        model="us.amazon.nova-pro-v1:0",
        lost="thinking asked",
    ),
    "an effort of gpt-oss is a flat key": Request(
        "BerriAI/litellm#13959",
        "openai_chat",
        "bedrock",
        '{"messages":[{"role":"user","content":"Hi"}],"reasoning_effort":"low"}',
        '{"additionalModelRequestFields":{"reasoning_effort":"low"},"messages":[{"rol'
        'e":"user","content":[{"text":"Hi"}]}]}',
        model="openai.gpt-oss-120b-1:0",
    ),
    "an effort of GPT 5.6 is in an object": Request(
        "anomalyco/opencode#48195",
        "openai_chat",
        "bedrock",
        '{"messages":[{"role":"user","content":"Hi"}],"reasoning_effort":"low"}',
        '{"additionalModelRequestFields":{"reasoning":{"effort":"low"}},"messages":[{'
        '"role":"user","content":[{"text":"Hi"}]}]}',
        model="us.openai.gpt-5.6-sol",
    ),
    "thinking is turned off for GPT 5.6": Request(
        "stdapi-ai/stdapi.ai#283",
        "openai_chat",
        "bedrock",
        '{"messages":[{"role":"user","content":"Hi"}],"reasoning_effort":"none"}',
        '{"additionalModelRequestFields":{"reasoning":{"effort":"none"}},"messages":['
        '{"role":"user","content":[{"text":"Hi"}]}]}',
        model="us.openai.gpt-5.6-sol",
    ),
    "an effort of Qwen is all that it has": Request(
        "BerriAI/litellm#34105",
        "openai_chat",
        "bedrock",
        '{"messages":[{"role":"user","content":"Hi"}],"reasoning_effort":"low"}',
        '{"additionalModelRequestFields":{"reasoning_config":"high"},"messages":[{"ro'
        'le":"user","content":[{"text":"Hi"}]}]}',
        model="qwen.qwen3-32b-v1:0",
        lost="thinking level",
    ),
    "an effort of Nova comes from Bedrock": Request(
        "maximhq/bifrost#5108",
        "bedrock",
        "bedrock",
        '{"additionalModelRequestFields":{"reasoningConfig":{"type":"enabled","maxRea'
        'soningEffort":"low"}},"messages":[{"role":"user","content":[{"text":"Hi"}]}]'
        "}",
        '{"additionalModelRequestFields":{"reasoning":{"effort":"low"}},"messages":[{'
        '"role":"user","content":[{"text":"Hi"}]}]}',
        model="us.openai.gpt-5.6-sol",
    ),
    "a result without content has an empty text for Nova": Request(
        "pydantic/pydantic-ai#6155",
        "anthropic",
        "bedrock",
        '{"max_tokens":64,"messages":[{"role":"user","content":"Hi"},{"role":"assista'
        'nt","content":[{"type":"tool_use","id":"toolu_1","name":"f","input":{}}]},{"'
        'role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","conte'
        'nt":[]}]}],"tools":[{"name":"f","input_schema":{"type":"object"}}]}',
        '{"inferenceConfig":{"maxTokens":64},"toolConfig":{"tools":[{"toolSpec":{"nam'
        'e":"f","inputSchema":{"json":{"type":"object"}}}}]},"messages":[{"role":"use'
        'r","content":[{"text":"Hi"}]},{"role":"assistant","content":[{"toolUse":{"to'
        'olUseId":"toolu_1","name":"f","input":{}}}]},{"role":"user","content":[{"too'
        'lResult":{"toolUseId":"toolu_1","content":[{"text":""}]}}]}]}',
        model="us.amazon.nova-pro-v1:0",
    ),
    "what is said beside results is another turn for Llama": Request(
        "langchain-ai/langchain-aws#141",
        "openai_chat",
        "bedrock",
        '{"messages":[{"role":"user","content":"Hi"},{"role":"assistant","tool_calls"'
        ':[{"id":"call_0","type":"function","function":{"name":"f","arguments":"{}"}}'
        ']},{"role":"tool","tool_call_id":"call_0","content":"1"},{"role":"user","con'
        'tent":"So?"}],"tools":[{"type":"function","function":{"name":"f","parameters'
        '":{"type":"object","properties":{},"additionalProperties":false}}}]}',
        '{"toolConfig":{"tools":[{"toolSpec":{"name":"f","inputSchema":{"json":{"type'
        '":"object","properties":{},"additionalProperties":false}}}}]},"messages":[{"'
        'role":"user","content":[{"text":"Hi"}]},{"role":"assistant","content":[{"too'
        'lUse":{"toolUseId":"call_0","name":"f","input":{}}}]},{"role":"user","conten'
        't":[{"toolResult":{"toolUseId":"call_0","content":[{"text":"1"}]}}]},{"role"'
        ':"assistant","content":[{"text":"."}]},{"role":"user","content":[{"text":"So'
        '?"}]}]}',
        model="meta.llama3-3-70b-instruct-v1:0",
    ),
    "a text beside calls is another turn for Llama": Request(
        "langchain-ai/langchain-aws#274",
        "openai_chat",
        "bedrock",
        '{"messages":[{"role":"user","content":"Hi"},{"role":"assistant","tool_calls"'
        ':[{"id":"call_0","type":"function","function":{"name":"f","arguments":"{}"}}'
        '],"content":"I look."},{"role":"tool","tool_call_id":"call_0","content":"1"}'
        '],"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"o'
        'bject","properties":{},"additionalProperties":false}}}]}',
        '{"toolConfig":{"tools":[{"toolSpec":{"name":"f","inputSchema":{"json":{"type'
        '":"object","properties":{},"additionalProperties":false}}}}]},"messages":[{"'
        'role":"user","content":[{"text":"Hi"}]},{"role":"assistant","content":[{"tex'
        't":"I look."}]},{"role":"user","content":[{"text":"Go on."}]},{"role":"assis'
        'tant","content":[{"toolUse":{"toolUseId":"call_0","name":"f","input":{}}}]},'
        '{"role":"user","content":[{"toolResult":{"toolUseId":"call_0","content":[{"t'
        'ext":"1"}]}}]}]}',
        model="meta.llama3-3-70b-instruct-v1:0",
    ),
    "a document beside results is another turn for Claude": Request(
        "pydantic/pydantic-ai#6081",
        "anthropic",
        "bedrock",
        '{"max_tokens":64,"messages":[{"role":"user","content":"Hi"},{"role":"assista'
        'nt","content":[{"type":"tool_use","id":"toolu_1","name":"f","input":{}}]},{"'
        'role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","conte'
        'nt":"1"},{"type":"text","text":"So?"},{"type":"document","source":{"type":"t'
        'ext","media_type":"text/plain","data":"a"}}]}],"tools":[{"name":"f","input_s'
        'chema":{"type":"object"}}]}',
        '{"inferenceConfig":{"maxTokens":64},"toolConfig":{"tools":[{"toolSpec":{"nam'
        'e":"f","inputSchema":{"json":{"type":"object"}}}}]},"messages":[{"role":"use'
        'r","content":[{"text":"Hi"}]},{"role":"assistant","content":[{"toolUse":{"to'
        'olUseId":"toolu_1","name":"f","input":{}}}]},{"role":"user","content":[{"too'
        'lResult":{"toolUseId":"toolu_1","content":[{"text":"1"}]}}]},{"role":"assist'
        'ant","content":[{"text":"."}]},{"role":"user","content":[{"text":"So?"},{"do'
        'cument":{"name":"Document","source":{"text":"a"},"format":"txt"}}]}]}',
        model="us.anthropic.claude-sonnet-4-5-20250929-v1:0",
    ),
    "an image of a result stands behind it for GPT": Request(
        "can1357/oh-my-pi#11685",
        "anthropic",
        "bedrock",
        '{"max_tokens":64,"messages":[{"role":"user","content":"Hi"},{"role":"assista'
        'nt","content":[{"type":"tool_use","id":"toolu_1","name":"f","input":{}}]},{"'
        'role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","conte'
        'nt":[{"type":"image","source":{"type":"base64","media_type":"image/png","dat'
        'a":"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGA'
        'WjR9awAAAABJRU5ErkJggg=="}}]}]}],"tools":[{"name":"f","input_schema":{"type"'
        ':"object"}}]}',
        '{"inferenceConfig":{"maxTokens":64},"toolConfig":{"tools":[{"toolSpec":{"nam'
        'e":"f","inputSchema":{"json":{"type":"object"}}}}]},"messages":[{"role":"use'
        'r","content":[{"text":"Hi"}]},{"role":"assistant","content":[{"toolUse":{"to'
        'olUseId":"toolu_1","name":"f","input":{}}}]},{"role":"user","content":[{"too'
        'lResult":{"toolUseId":"toolu_1","content":[{"text":""}]}},{"text":"This is f'
        'rom the result of f:"},{"image":{"format":"png","source":{"bytes":"iVBORw0KG'
        "goAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJR"
        'U5ErkJggg=="}}}]}]}',
        model="us.openai.gpt-5.6-sol",
    ),
    "a call of one tool cannot be forced on Llama": Request(
        "maximhq/bifrost#3196",
        "openai_chat",
        "bedrock",
        '{"messages":[{"role":"user","content":"Hi"}],"tools":[{"type":"function","fu'
        'nction":{"name":"f","parameters":{"type":"object","properties":{},"additiona'
        'lProperties":false}}}],"tool_choice":{"type":"function","function":{"name":"'
        'f"}}}',
        '{"toolConfig":{"tools":[{"toolSpec":{"name":"f","inputSchema":{"json":{"type'
        '":"object","properties":{},"additionalProperties":false}}}}],"toolChoice":{"'
        'auto":{}}},"messages":[{"role":"user","content":[{"text":"Hi"}]}]}',
        model="meta.llama3-3-70b-instruct-v1:0",
        lost="tool choice forced",
    ),
    "an answer of Nova is not held to a schema": Request(
        "spring-projects/spring-ai#2752",
        "openai_chat",
        "bedrock",
        '{"messages":[{"role":"user","content":"Hi"}],"response_format":{"type":"json'
        '_schema","json_schema":{"name":"r","schema":{"type":"object","properties":{}'
        ',"additionalProperties":false}}}}',
        '{"messages":[{"role":"user","content":[{"text":"Hi"}]}]}',
        model="us.amazon.nova-2-lite-v1:0",
        lost="no schema",
    ),
    "a begun answer does not end with a space": Request(
        "langchain-ai/langchain-aws#599",
        "openai_chat",
        "bedrock",
        '{"messages":[{"role":"user","content":"Hi"},{"role":"assistant","content":"So: "}]}',
        '{"messages":[{"role":"user","content":[{"text":"Hi"}]},{"role":"assistant","'
        'content":[{"text":"So:"}]}]}',
        model="us.anthropic.claude-sonnet-4-20250514-v1:0",
        lost="trailing space",
    ),
    "the top k of Nova has a place of its own": Request(
        "UKGovernmentBEIS/inspect_ai#3939",
        "anthropic",
        "bedrock",
        '{"max_tokens":64,"messages":[{"role":"user","content":"Hi"}],"top_k":5}',
        '{"inferenceConfig":{"maxTokens":64},"additionalModelRequestFields":{"inferen'
        'ceConfig":{"topK":5}},"messages":[{"role":"user","content":[{"text":"Hi"}]}]'
        "}",
        model="us.amazon.nova-pro-v1:0",
    ),
    "stop sequences do not go to Qwen": Request(
        "langgenius/dify-official-plugins#1767",
        "openai_chat",
        "bedrock",
        '{"messages":[{"role":"user","content":"Hi"}],"stop":["END"]}',
        '{"messages":[{"role":"user","content":[{"text":"Hi"}]}]}',
        model="qwen.qwen3-32b-v1:0",
        lost="stop",
    ),
    "tools do not go to R1": Request(
        "langchain-ai/langchain-aws#447",
        "openai_chat",
        "bedrock",
        '{"messages":[{"role":"user","content":"Hi"}],"tools":[{"type":"function","fu'
        'nction":{"name":"f","parameters":{"type":"object","properties":{},"additiona'
        'lProperties":false}}}]}',
        '{"messages":[{"role":"user","content":[{"text":"Hi"}]}]}',
        model="us.deepseek.r1-v1:0",
        lost="tools",
    ),
    "thinking does not go back to R1": Request(
        "langchain-ai/langchain-aws#401",
        "bedrock",
        "bedrock",
        '{"messages":[{"role":"user","content":[{"text":"Hi"}]},{"role":"assistant","'
        'content":[{"reasoningContent":{"reasoningText":{"text":"Hm"}}},{"text":"Hi"}'
        ']},{"role":"user","content":[{"text":"So?"}]}]}',
        '{"messages":[{"role":"user","content":[{"text":"Hi"}]},{"role":"assistant","'
        'content":[{"text":"Hi"}]},{"role":"user","content":[{"text":"So?"}]}]}',
        model="us.deepseek.r1-v1:0",
        lost="thinking",
    ),
    "a system prompt is a user's for Titan": Request(
        "danny-avila/LibreChat#6456",
        "openai_chat",
        "bedrock",
        '{"messages":[{"role":"system","content":"S"},{"role":"user","content":"Hi"}]}',
        '{"messages":[{"role":"user","content":[{"text":"S"},{"text":"Hi"}]}]}',
        model="amazon.titan-text-express-v1",
        lost="system prompt",
    ),
    "a film does not go to Claude": Request(
        "pydantic/pydantic-ai#6254",
        "bedrock",
        "bedrock",
        '{"messages":[{"role":"user","content":[{"text":"Hi"},{"video":{"format":"mp4'
        '","source":{"bytes":"AAAA"}}}]}]}',
        '{"messages":[{"role":"user","content":[{"text":"Hi"}]}]}',
        model="us.anthropic.claude-sonnet-4-5-20250929-v1:0",
        lost="video",
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_a_request_to_a_makers_model(case: Case) -> None:
    case.check()
