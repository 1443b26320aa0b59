"""What a model of one generation refuses: what goes to it instead, and what is reported.

Each case has a public report of the refusal, or of the form that is taken.
"""

import itertools
from typing import Any, Final, NamedTuple

import pytest
from msgspec.structs import replace

import wireglot as wg
from wireglot.capabilities import ANY, GENERATIONS, Capabilities, of_model

LEVEL = wg.ThinkingLevel
TOOLS = [wg.Tool("f")]
SCHEMA = wg.ResponseFormat(
    "json_schema", wg.RawJson('{"type":"object","additionalProperties":false}'), name="r"
)
EITHER = wg.Tool(
    "f",
    parameters=wg.RawJson(
        '{"type":"object","properties":{"id":{"type":"string"},"path":{"type":"string"}},'
        '"anyOf":[{"required":["id"]},{"required":["path"]}]}'
    ),
)
EITHER_OBJECT = (
    '{"type":"object","properties":{"id":{"type":"string"},"path":{"type":"string"}},'
    '"description":"anyOf: [{\\"required\\":[\\"id\\"]},{\\"required\\":[\\"path\\"]}]"}'
)
FILTERED = wg.Tool(
    "f",
    parameters=wg.RawJson(
        '{"type":"object","properties":{"filter[id]":{"type":"string"},"n":{"type":"integer"}},'
        '"required":["filter[id]","n"],"additionalProperties":false}'
    ),
)
FILTERED_OBJECT = (
    '{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"],"description":'
    '"properties: {\\"filter[id]\\":{\\"type\\":\\"string\\"}}, required: [\\"filter[id]\\"]"}'
)
LOOSE = '{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false}'
STRICT = wg.Tool("f", parameters=wg.RawJson(LOOSE), strict=True)
PICTURE = wg.ImageBlock(data=wg.Media.from_bytes(b"\x89PNG\r\n\x1a\n"))
HI = wg.UserMessage.from_text("hi")
BRIEF = [wg.SystemMessage.from_text("Be brief."), HI]
MARKED = [wg.UserMessage([wg.TextBlock("hi", cache=wg.CacheMark())])]
BEGUN = [HI, wg.AssistantMessage([wg.TextBlock("Once")])]
SHOWN = [wg.UserMessage([wg.ImageBlock(url="https://a.b/x.png"), wg.TextBlock("hi")])]
SEEN = [
    HI,
    wg.AssistantMessage([wg.ToolCallBlock("a", "f", {})]),
    wg.ToolResultMessage("a", "f", [wg.TextBlock("see"), PICTURE]),
]
DETAILED = wg.UserMessage([replace(PICTURE, detail="original")])
SWAPPED = [
    HI,
    wg.AssistantMessage([wg.ToolCallBlock("a", "f", {}), wg.ToolCallBlock("b", "f", {})]),
    wg.ToolResultMessage("b", "f", [wg.TextBlock("2")]),
    wg.ToolResultMessage("a", "f", [wg.TextBlock("1")]),
]
GOOGLES = wg.OpaqueBlock("gemini-generate-content", wg.RawJson('{"googleSearch":{}}'))
CALLED = [
    HI,
    wg.AssistantMessage([wg.ToolCallBlock("a", "f", {})], api="gemini-generate-content"),
    wg.ToolResultMessage("a", "f", [wg.TextBlock("1")]),
]
MESSAGES = {
    "anthropic": '"messages":[{"role":"user","content":[{"type":"text","text":"hi"}]}]}',
    "bedrock": '"messages":[{"role":"user","content":[{"text":"hi"}]}]}',
    "mistral": '"messages":[{"role":"user","content":"hi"}]}',
    "gemini": '"contents":[{"role":"user","parts":[{"text":"hi"}]}]}',
    "cohere": '"messages":[{"role":"user","content":"hi"}]}',
    "ollama": '"messages":[{"role":"user","content":"hi"}]}',
    "openai_chat": '"messages":[{"role":"user","content":"hi"}]}',
    "openai_responses": '"input":[{"role":"user","content":"hi"}]}',
}


class Case(NamedTuple):
    """A request to a model, and the body that it becomes."""

    report: str
    """Where the rule was reported: a repository's issue, or a page."""
    wire: str
    """The provider, and perhaps a dialect of it after a colon."""
    model: str
    fields: dict[str, Any]
    body: str
    """The body without the model; `...` stands for the message `hi`."""
    lost: str = ""
    """What is reported: rows of the table of losses, with commas between."""


def asked(**fields: Any) -> dict[str, Any]:
    """Return the fields of a request."""
    return fields


CASES: Final = {
    "a reasoning model takes no temperature": Case(
        "khoj-ai/khoj#1377", "openai_chat", "gpt-5.6", asked(temperature=0.8), "{...", "sampling"
    ),
    "o4-mini takes no temperature": Case(
        "griptape-ai/griptape#1915",
        "openai_chat",
        "o4-mini",
        asked(temperature=0.1),
        "{...",
        "sampling",
    ),
    "a temperature of zero is a loss as any other": Case(
        "johny-b/llmcomp#69", "openai_chat", "o4-mini", asked(temperature=0), "{...", "sampling"
    ),
    "a temperature of zero is a loss at Claude 4.7": Case(
        "UKGovernmentBEIS/inspect_ai#3721",
        "anthropic",
        "claude-opus-4-7",
        asked(max_tokens=99, temperature=0),
        '{"max_tokens":99,...',
        "sampling",
    ),
    "the default temperature is left out without a loss": Case(
        "griptape-ai/griptape#1915", "openai_chat", "o4-mini", asked(temperature=1), "{..."
    ),
    "gpt-5.2 takes a temperature, as it does not think unless asked": Case(
        "vercel/ai#10940",
        "openai_chat",
        "gpt-5.2",
        asked(temperature=0.2),
        '{"temperature":0.2,...',
    ),
    "gpt-5.2 takes no temperature while it thinks": Case(
        "vercel/ai#10940",
        "openai_chat",
        "gpt-5.2",
        asked(temperature=0.2, thinking=wg.Thinking(LEVEL.LOW)),
        '{"reasoning_effort":"low",...',
        "sampling",
    ),
    "gpt-5.5 takes a temperature only if told not to think": Case(
        "langchain-ai/langchain#35424",
        "openai_responses",
        "gpt-5.5",
        asked(temperature=0.2, thinking=wg.Thinking(LEVEL.OFF)),
        '{"temperature":0.2,"reasoning":{"effort":"none"},...',
    ),
    "a reasoning model takes no penalties and no logprobs": Case(
        "pydantic-ai, profiles/openai.py",
        "openai_chat",
        "gpt-5",
        asked(presence_penalty=0.5, frequency_penalty=0.5, top_p=0.9, top_logprobs=2),
        "{...",
        "sampling, sampling, sampling, sampling",
    ),
    "a reasoning model takes no stop sequences": Case(
        "FlowiseAI/Flowise#5046", "openai_chat", "gpt-5", asked(stop=["END"]), "{...", "no stop"
    ),
    "a reasoning model of Responses takes no top_p": Case(
        "khoj-ai/khoj#1377",
        "openai_responses",
        "gpt-5.6",
        asked(top_p=0.9, temperature=0.3),
        "{...",
        "sampling, sampling",
    ),
    "gpt-4o takes no effort": Case(
        "BoundaryML/baml#2708",
        "openai_chat",
        "gpt-4o",
        asked(thinking=wg.Thinking(LEVEL.LOW)),
        "{...",
        "thinking asked",
    ),
    "gpt-4.1 takes no effort on Responses": Case(
        "BoundaryML/baml#2708",
        "openai_responses",
        "gpt-4.1",
        asked(thinking=wg.Thinking(LEVEL.HIGH)),
        "{...",
        "thinking asked",
    ),
    "gpt-4o is not told not to think": Case(
        "BoundaryML/baml#2708",
        "openai_chat",
        "gpt-4o",
        asked(thinking=wg.Thinking(LEVEL.OFF)),
        "{...",
    ),
    "gpt-5.1 knows no effort minimal": Case(
        "openai/openai-agents-python#2089",
        "openai_responses",
        "gpt-5.1",
        asked(thinking=wg.Thinking(LEVEL.MINIMAL)),
        '{"include":["reasoning.encrypted_content"],"reasoning":{"effort":"low"},...',
        "thinking level",
    ),
    "gpt-5.2-chat-latest knows the effort medium alone": Case(
        "egoist/chatwise-releases#1257",
        "openai_chat",
        "gpt-5.2-chat-latest",
        asked(thinking=wg.Thinking(LEVEL.HIGH)),
        '{"reasoning_effort":"medium",...',
        "thinking level",
    ),
    "gpt-5-pro knows the effort high alone": Case(
        "anomalyco/opencode#3474",
        "openai_responses",
        "gpt-5-pro",
        asked(thinking=wg.Thinking(LEVEL.LOW)),
        '{"include":["reasoning.encrypted_content"],"reasoning":{"effort":"high"},...',
        "thinking level",
    ),
    "gpt-5 cannot be told not to think": Case(
        "pydantic-ai, profiles/openai.py",
        "openai_chat",
        "gpt-5-mini",
        asked(thinking=wg.Thinking(LEVEL.OFF)),
        '{"reasoning_effort":"minimal",...',
        "thinking off",
    ),
    "a budget becomes an effort": Case(
        "pydantic-ai, profiles/openai.py",
        "openai_chat",
        "gpt-5-mini",
        asked(thinking=wg.Thinking(budget_tokens=9000)),
        '{"reasoning_effort":"high",...',
        "thinking form",
    ),
    "gpt-5.4 takes tools on Chat only while it does not think": Case(
        "pipecat-ai/pipecat#4043",
        "openai_chat",
        "gpt-5.4",
        asked(tools=TOOLS, thinking=wg.Thinking(LEVEL.LOW)),
        '{"reasoning_effort":"none","tools":[{"type":"function","function":{"name":"f"}}],...',
        "thinking beside tools",
    ),
    "gpt-5.6 is told not to think where it has tools on Chat": Case(
        "BerriAI/litellm#34569",
        "openai_chat",
        "gpt-5.6-luna",
        asked(tools=TOOLS),
        '{"reasoning_effort":"none","tools":[{"type":"function","function":{"name":"f"}}],...',
    ),
    "gpt-5.6 thinks with tools on Responses": Case(
        "BerriAI/litellm#34569",
        "openai_responses",
        "gpt-5.6-luna",
        asked(tools=TOOLS, thinking=wg.Thinking(LEVEL.LOW)),
        (
            '{"include":["reasoning.encrypted_content"],"reasoning":{"effort":"low"},'
            '"tools":[{"type":"function","name":"f","parameters":{"type":"object","properties":{}},'
            '"strict":false}],...'
        ),
    ),
    "o3-mini cannot be told to call one tool at a time": Case(
        "langchain-ai/langchain#29704",
        "openai_chat",
        "o3-mini",
        asked(tools=TOOLS, parallel_tool_calls=False),
        '{"tools":[{"type":"function","function":{"name":"f"}}],...',
        "parallel_tool_calls",
    ),
    "o4-mini takes no parallel_tool_calls on Responses": Case(
        "evalstate/fast-agent#279",
        "openai_responses",
        "o4-mini",
        asked(tools=TOOLS, parallel_tool_calls=True),
        (
            '{"tools":[{"type":"function","name":"f","parameters":{"type":"object",'
            '"properties":{}},"strict":false}],...'
        ),
    ),
    "gpt-4-turbo cannot be held to a schema": Case(
        "crewAIInc/crewAI#6357",
        "openai_chat",
        "gpt-4-turbo",
        asked(response_format=SCHEMA),
        '{"response_format":{"type":"json_object"},...',
        "json schema",
    ),
    "chatgpt-4o-latest cannot be held to a schema": Case(
        "web-infra-dev/midscene#259",
        "openai_responses",
        "chatgpt-4o-latest",
        asked(response_format=SCHEMA),
        '{"text":{"format":{"type":"json_object"}},...',
        "json schema",
    ),
    "gpt-4o takes no breakpoint": Case(
        "pydantic-ai, profiles/openai.py",
        "openai_chat",
        "gpt-4o",
        asked(messages=MARKED),
        "{...",
        "cache mark",
    ),
    "gpt-5.6 takes a breakpoint": Case(
        "pydantic-ai, profiles/openai.py",
        "openai_chat",
        "gpt-5.6",
        asked(messages=MARKED),
        (
            '{"messages":[{"role":"user","content":[{"type":"text","text":"hi",'
            '"prompt_cache_breakpoint":{"mode":"explicit"}}]}]}'
        ),
    ),
    "OpenRouter fits a request to the model itself": Case(
        "enricoros/big-AGI#940",
        "openai_chat:openrouter",
        "openai/o1",
        asked(temperature=0.8, thinking=wg.Thinking(LEVEL.XHIGH)),
        '{"temperature":0.8,"reasoning":{"effort":"xhigh"},...',
    ),
    "a model of another maker is left alone": Case(
        "vercel/ai#10940",
        "openai_chat:generic",
        "qwen3",
        asked(temperature=0.8, thinking=wg.Thinking(LEVEL.LOW)),
        '{"temperature":0.8,"reasoning_effort":"low",...',
    ),
    "Claude 3.5 does not think": Case(
        "models.dev",
        "anthropic",
        "claude-3-5-haiku-20241022",
        asked(max_tokens=99, thinking=wg.Thinking(LEVEL.LOW)),
        '{"max_tokens":99,...',
        "thinking asked",
    ),
    "Claude 3.5 is not told not to think": Case(
        "models.dev",
        "anthropic",
        "claude-3-5-haiku-20241022",
        asked(max_tokens=99, thinking=wg.Thinking(LEVEL.OFF)),
        '{"max_tokens":99,...',
    ),
    "Claude 3.5 cannot be held to a schema": Case(
        "pydantic/pydantic-ai#3670",
        "anthropic",
        "claude-3-5-haiku-20241022",
        asked(max_tokens=99, response_format=SCHEMA),
        '{"max_tokens":99,...',
        "no schema",
    ),
    "Claude 3.5 cannot be held to a schema on Bedrock": Case(
        "pydantic/pydantic-ai#3670",
        "bedrock",
        "anthropic.claude-3-5-haiku-20241022-v1:0",
        asked(response_format=SCHEMA),
        "{...",
        "no schema",
    ),
    "Claude 4.5 takes no effort": Case(
        "Oaklight/llm-rosetta#289",
        "anthropic",
        "claude-haiku-4-5",
        asked(max_tokens=9999, thinking=wg.Thinking(LEVEL.LOW)),
        '{"max_tokens":9999,"thinking":{"type":"enabled","budget_tokens":2048},...',
    ),
    "Opus 4.5 does not know adaptive thinking": Case(
        "lidge-jun/opencodex#65",
        "anthropic",
        "claude-opus-4-5",
        asked(max_tokens=9999, thinking=wg.Thinking(LEVEL.LOW)),
        '{"max_tokens":9999,"thinking":{"type":"enabled","budget_tokens":2048},'
        '"output_config":{"effort":"low"},...',
    ),
    "a budget of Claude has at least 1,024 tokens": Case(
        "Anthropic's page on thinking",
        "anthropic",
        "claude-haiku-4-5",
        asked(max_tokens=9999, thinking=wg.Thinking(budget_tokens=9)),
        '{"max_tokens":9999,"thinking":{"type":"enabled","budget_tokens":1024},...',
    ),
    "a level beside a budget of Claude 4.5": Case(
        "Anthropic's page on thinking",
        "bedrock",
        "anthropic.claude-haiku-4-5-20251001-v1:0",
        asked(max_tokens=9999, thinking=wg.Thinking(LEVEL.LOW, 2048)),
        (
            '{"inferenceConfig":{"maxTokens":9999},'
            '"additionalModelRequestFields":{"thinking":{"type":"enabled","budget_tokens":2048}},'
            "..."
        ),
        "thinking form",
    ),
    "Claude 4.6 knows no effort xhigh": Case(
        "recorded with Claude 4.6",
        "anthropic",
        "claude-sonnet-4-6",
        asked(max_tokens=99, thinking=wg.Thinking(LEVEL.XHIGH)),
        '{"max_tokens":99,"thinking":{"type":"adaptive"},"output_config":{"effort":"high"},...',
        "thinking level",
    ),
    "Claude 4.7 takes no budget": Case(
        "lidge-jun/opencodex#65",
        "anthropic",
        "claude-opus-4-7",
        asked(max_tokens=9999, thinking=wg.Thinking(budget_tokens=4096)),
        '{"max_tokens":9999,"thinking":{"type":"adaptive"},"output_config":{"effort":"medium"},...',
        "thinking form",
    ),
    "Claude 4.7 takes no temperature, even without thinking": Case(
        "UKGovernmentBEIS/inspect_ai#3721",
        "bedrock",
        "us.anthropic.claude-opus-4-7",
        asked(temperature=0.5, thinking=wg.Thinking(LEVEL.OFF)),
        '{"additionalModelRequestFields":{"thinking":{"type":"disabled"}},...',
        "sampling",
    ),
    "Claude 4.1 to 4.6 take no top_p beside a temperature": Case(
        "aws-samples/bedrock-chat#979",
        "anthropic",
        "claude-opus-4-1@20250805",
        asked(max_tokens=99, temperature=0.5, top_p=0.5),
        '{"max_tokens":99,"temperature":0.5,...',
        "sampling",
    ),
    "Claude Fable always thinks": Case(
        "braintrustdata/lingua, capabilities.rs",
        "anthropic",
        "claude-fable-5",
        asked(max_tokens=99, thinking=wg.Thinking(LEVEL.OFF)),
        '{"max_tokens":99,"thinking":{"type":"adaptive"},"output_config":{"effort":"low"},...',
        "thinking off",
    ),
    "Claude Fable always thinks on Bedrock": Case(
        "braintrustdata/lingua, capabilities.rs",
        "bedrock",
        "us.anthropic.claude-fable-5",
        asked(thinking=wg.Thinking(LEVEL.OFF)),
        (
            '{"additionalModelRequestFields":{"thinking":{"type":"adaptive"}},'
            '"outputConfig":{"effort":"low"},...'
        ),
        "thinking off",
    ),
    "Claude Fable 5.1 cannot be made to call a tool": Case(
        "anthropics/claude-cookbooks#854",
        "anthropic",
        "claude-fable-5-1",
        asked(max_tokens=99, tools=TOOLS, tool_choice=wg.ToolChoice("required")),
        (
            '{"max_tokens":99,"tools":[{"name":"f","input_schema":{"type":"object",'
            '"properties":{}}}],"tool_choice":{"type":"auto"},...'
        ),
        "tool choice forced",
    ),
    "Claude Sonnet 5.5 cannot be made to call a tool on Bedrock": Case(
        "langchain-ai/langchain-aws#1274",
        "bedrock",
        "us.anthropic.claude-sonnet-5-5",
        asked(tools=TOOLS, tool_choice=wg.ToolChoice("tool", "f")),
        (
            '{"toolConfig":{"tools":[{"toolSpec":{"name":"f",'
            '"inputSchema":{"json":{"type":"object","properties":{}}}}}],"toolChoice":{"auto":{}}},'
            "..."
        ),
        "tool choice forced",
    ),
    "Claude 4.6 does not go on with an answer": Case(
        "cortexkit/magic-context#511",
        "anthropic",
        "claude-sonnet-4-6",
        asked(max_tokens=99, messages=BEGUN),
        (
            '{"max_tokens":99,"messages":[{"role":"user","content":[{"type":"text","text":"hi"}]},'
            '{"role":"assistant","content":[{"type":"text","text":"Once"}]},{"role":"user",'
            '"content":[{"type":"text","text":"Go on."}]}]}'
        ),
        "prefill",
    ),
    "Claude 4.5 goes on with an answer": Case(
        "cortexkit/magic-context#511",
        "anthropic",
        "claude-haiku-4-5",
        asked(max_tokens=99, messages=BEGUN),
        (
            '{"max_tokens":99,"messages":[{"role":"user","content":[{"type":"text","text":"hi"}]},'
            '{"role":"assistant","content":[{"type":"text","text":"Once"}]}]}'
        ),
    ),
    "Claude 4.6 does not go on with an answer on Bedrock": Case(
        "anomalyco/opencode#29760",
        "bedrock",
        "us.anthropic.claude-opus-4-6-v1",
        asked(messages=BEGUN),
        (
            '{"messages":[{"role":"user","content":[{"text":"hi"}]},{"role":"assistant",'
            '"content":[{"text":"Once"}]},{"role":"user","content":[{"text":"Go on."}]}]}'
        ),
        "prefill",
    ),
    "Gemini 2.0 does not think": Case(
        "googleapis/js-genai",
        "gemini",
        "gemini-2.0-flash",
        asked(thinking=wg.Thinking(LEVEL.LOW)),
        "{...",
        "thinking asked",
    ),
    "Gemini 2.0 is not told to show its thinking": Case(
        "lobehub/lobehub#7985",
        "gemini",
        "gemini-2.0-flash",
        asked(thinking=wg.Thinking(visible=True)),
        "{...",
        "thinking asked",
    ),
    "Gemini 2.5 Pro cannot be told not to think": Case(
        "snailyp/gemini-balance#206",
        "gemini",
        "gemini-2.5-pro",
        asked(thinking=wg.Thinking(LEVEL.OFF)),
        '{"generationConfig":{"thinkingConfig":{"thinkingBudget":128}},...',
        "thinking off",
    ),
    "Gemini 2.5 Flash thinks in at most 24,576 tokens": Case(
        "su-kaka/gcli2api#108",
        "gemini",
        "gemini-2.5-flash",
        asked(thinking=wg.Thinking(budget_tokens=32768)),
        '{"generationConfig":{"thinkingConfig":{"thinkingBudget":24576}},...',
    ),
    "Gemini 2.5 Flash-Lite thinks in at least 512 tokens": Case(
        "earendil-works/pi#2838",
        "gemini",
        "gemini-2.5-flash-lite",
        asked(thinking=wg.Thinking(budget_tokens=128)),
        '{"generationConfig":{"thinkingConfig":{"thinkingBudget":512}},...',
    ),
    "Gemini 2.5 gets a budget for a level": Case(
        "RooCodeInc/Roo-Code#10700",
        "gemini",
        "gemini-2.5-flash",
        asked(thinking=wg.Thinking(LEVEL.HIGH)),
        '{"generationConfig":{"thinkingConfig":{"thinkingBudget":24576}},...',
    ),
    "Gemini 2.5 takes a budget and not a level beside it": Case(
        "RooCodeInc/Roo-Code#10700",
        "gemini",
        "gemini-2.5-flash",
        asked(thinking=wg.Thinking(LEVEL.HIGH, 2048)),
        '{"generationConfig":{"thinkingConfig":{"thinkingBudget":2048}},...',
        "thinking form",
    ),
    "Gemini 3 Pro knows no level medium": Case(
        "egoist/chatwise-releases#1206",
        "gemini",
        "gemini-3-pro-preview",
        asked(thinking=wg.Thinking(LEVEL.MEDIUM)),
        '{"generationConfig":{"thinkingConfig":{"thinkingLevel":"LOW"}},...',
        "thinking level",
    ),
    "Gemini 3.7 Flash knows no level minimal": Case(
        "fishjar/kiss-translator#1051",
        "gemini",
        "gemini-3.7-flash",
        asked(thinking=wg.Thinking(LEVEL.MINIMAL)),
        '{"generationConfig":{"thinkingConfig":{"thinkingLevel":"LOW"}},...',
        "thinking level",
    ),
    "an image in a result follows the results before Gemini 3": Case(
        "google-gemini/gemini-cli#19436",
        "gemini",
        "gemini-2.5-flash",
        asked(messages=SEEN),
        (
            '{"contents":[{"role":"user","parts":[{"text":"hi"}]},{"role":"model",'
            '"parts":[{"functionCall":{"name":"f","args":{},"id":"a"},'
            '"thoughtSignature":"c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I="}]},{"role":"user",'
            '"parts":[{"functionResponse":{"name":"f","response":{"output":"see"},"id":"a"}}]},'
            '{"role":"user","parts":[{"text":"This is from the result of f:"},'
            '{"inlineData":{"data":"iVBORw0KGgo=","mimeType":"image/png"}}]}]}'
        ),
    ),
    "an image is in the result from Gemini 3 on": Case(
        "google-gemini/gemini-cli#19436",
        "gemini",
        "gemini-3-flash-preview",
        asked(messages=SEEN),
        (
            '{"contents":[{"role":"user","parts":[{"text":"hi"}]},{"role":"model",'
            '"parts":[{"functionCall":{"name":"f","args":{},"id":"a"},'
            '"thoughtSignature":"c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I="}]},{"role":"user",'
            '"parts":[{"functionResponse":{"name":"f","response":{"output":"see"},"id":"a",'
            '"parts":[{"inlineData":{"data":"iVBORw0KGgo=","mimeType":"image/png"}}]}}]}]}'
        ),
    ),
    "Claude 3 does not think on Bedrock": Case(
        "models.dev",
        "bedrock",
        "anthropic.claude-3-haiku-20240307-v1:0",
        asked(thinking=wg.Thinking(budget_tokens=2048)),
        "{...",
        "thinking asked",
    ),
    "o3 cannot be told not to think": Case(
        "pydantic-ai, profiles/openai.py",
        "openai_responses",
        "o3",
        asked(thinking=wg.Thinking(LEVEL.OFF)),
        '{"include":["reasoning.encrypted_content"],"reasoning":{"effort":"low"},...',
        "thinking off",
    ),
    "a budget becomes an effort on Responses": Case(
        "pydantic-ai, profiles/openai.py",
        "openai_responses",
        "gpt-5.4",
        asked(thinking=wg.Thinking(budget_tokens=1000)),
        '{"include":["reasoning.encrypted_content"],"reasoning":{"effort":"low"},...',
        "thinking form",
    ),
    "o1 cannot be told to call one tool at a time on Responses": Case(
        "UKGovernmentBEIS/inspect_ai#1023",
        "openai_responses",
        "o1",
        asked(tools=TOOLS, parallel_tool_calls=False),
        '{"tools":[{"type":"function","name":"f","parameters":{"type":"object","properties":{}},'
        '"strict":false}],...',
        "parallel_tool_calls",
    ),
    "a tool's schema is not a union at the top": Case(
        "anthropics/claude-code#5319",
        "anthropic",
        "claude-opus-4-8",
        asked(max_tokens=9, tools=[EITHER]),
        f'{{"max_tokens":9,"tools":[{{"name":"f","input_schema":{EITHER_OBJECT}}}],...',
        "schema union",
    ),
    "a tool's schema is not a union at the top on Bedrock": Case(
        "anthropics/claude-code#5319",
        "bedrock",
        "anthropic.claude-sonnet-4-6",
        asked(tools=[EITHER]),
        '{"toolConfig":{"tools":[{"toolSpec":{"name":"f","inputSchema":{"json":'
        f"{EITHER_OBJECT}}}}}}}]}},...",
        "schema union",
    ),
    "a tool's schema is not a union at the top on Chat": Case(
        "BerriAI/litellm#38839",
        "openai_chat",
        "gpt-5",
        asked(tools=[EITHER]),
        '{"tools":[{"type":"function","function":{"name":"f","parameters":'
        f"{EITHER_OBJECT}}}}}],...",
        "schema union",
    ),
    "gpt-4.1 takes no union on Responses": Case(
        "BerriAI/litellm#38792",
        "openai_responses",
        "gpt-4.1",
        asked(tools=[EITHER]),
        f'{{"tools":[{{"type":"function","name":"f","parameters":{EITHER_OBJECT},'
        '"strict":false}],...',
        "schema union",
    ),
    "gpt-5 takes a union on Responses": Case(
        "BerriAI/litellm#38792",
        "openai_responses",
        "gpt-5.6",
        asked(tools=[EITHER]),
        '{"tools":[{"type":"function","name":"f","parameters":{"type":"object","properties":'
        '{"id":{"type":"string"},"path":{"type":"string"}},"anyOf":[{"required":["id"]},'
        '{"required":["path"]}]},"strict":false}],...',
    ),
    "a property's name is of Anthropic's alphabet": Case(
        "decocms/studio#6874",
        "anthropic",
        "claude-sonnet-5",
        asked(max_tokens=9, tools=[FILTERED]),
        f'{{"max_tokens":9,"tools":[{{"name":"f","input_schema":{FILTERED_OBJECT}}}],...',
        "property name",
    ),
    "a property's name is of Anthropic's alphabet on Bedrock": Case(
        "aws-solutions-library-samples/accelerated-intelligent-document-processing-on-aws#709",
        "bedrock",
        "us.anthropic.claude-haiku-4-5-20251001-v1:0",
        asked(tools=[FILTERED]),
        '{"toolConfig":{"tools":[{"toolSpec":{"name":"f","inputSchema":{"json":'
        f"{FILTERED_OBJECT}}}}}}}]}},...",
        "property name",
    ),
    "a tool with an optional property is not strict": Case(
        "ash-project/ash_ai#155",
        "openai_chat",
        "gpt-4o",
        asked(tools=[STRICT]),
        f'{{"tools":[{{"type":"function","function":{{"name":"f","parameters":{LOOSE}}}}}],...',
        "strict",
    ),
    "a tool with an optional property is not strict on Responses": Case(
        "ash-project/ash_ai#155",
        "openai_responses",
        "gpt-5.6",
        asked(tools=[STRICT]),
        f'{{"tools":[{{"type":"function","name":"f","parameters":{LOOSE},"strict":false}}],...',
        "strict",
    ),
    "an answer with an optional property is not strict": Case(
        "ash-project/ash_ai#155",
        "openai_chat",
        "gpt-4o",
        asked(
            response_format=wg.ResponseFormat(
                "json_schema", wg.RawJson(LOOSE), name="r", strict=True
            )
        ),
        '{"response_format":{"type":"json_schema","json_schema":{"name":"r","schema":'
        f"{LOOSE}}}}},...",
        "strict",
    ),
    "a strict tool that requires all it has stays strict": Case(
        "ash-project/ash_ai#155",
        "openai_responses",
        "gpt-4o",
        asked(
            tools=[
                wg.Tool(
                    "f",
                    parameters=wg.RawJson(LOOSE[:-1] + ',"required":["a"]}'),
                    strict=True,
                )
            ]
        ),
        f'{{"tools":[{{"type":"function","name":"f","parameters":{LOOSE[:-1]},"required":["a"]}},'
        '"strict":true}],...',
    ),
    "Claude 4.5 gives at most 64,000 tokens": Case(
        "Natively-AI-assistant/natively-cluely-ai-assistant#54",
        "anthropic",
        "claude-sonnet-4-5-20250929",
        asked(max_tokens=65_536),
        '{"max_tokens":64000,...',
    ),
    "the tokens that Claude 3 gets where none are asked for fit it": Case(
        "langchain-ai/chat-langchain#287",
        "anthropic",
        "claude-3-opus-20240229",
        asked(),
        '{"max_tokens":4096,...',
    ),
    "what is likely to be thought is added to them": Case(
        "UKGovernmentBEIS/inspect_ai#3246",
        "anthropic",
        "claude-opus-4-8",
        asked(thinking=wg.Thinking(LEVEL.HIGH)),
        '{"max_tokens":32768,"thinking":{"type":"adaptive"},"output_config":{"effort":"high"},...',
    ),
    "Opus 4.1 gives at most 32,000 tokens": Case(
        "UKGovernmentBEIS/inspect_ai#2675",
        "bedrock",
        "us.anthropic.claude-opus-4-1-20250805-v1:0",
        asked(max_tokens=64_000),
        '{"inferenceConfig":{"maxTokens":32000},...',
    ),
    "Nova gives at most 10,000 tokens": Case(
        "BerriAI/litellm#23198",
        "bedrock",
        "us.amazon.nova-pro-v1:0",
        asked(max_tokens=32_000),
        '{"inferenceConfig":{"maxTokens":10000},...',
    ),
    "gpt-4o gives at most 16,384 tokens": Case(
        "enoch3712/ExtractThinker#346",
        "openai_chat",
        "gpt-4o",
        asked(max_tokens=32_000),
        '{"max_completion_tokens":16384,...',
    ),
    "gpt-4o gives at most 16,384 tokens on Responses": Case(
        "enoch3712/ExtractThinker#346",
        "openai_responses",
        "gpt-4o-mini",
        asked(max_tokens=32_000),
        '{"max_output_tokens":16384,...',
    ),
    "Gemini 2.0 gives at most 8,192 tokens": Case(
        "stackblitz-labs/bolt.diy#955",
        "gemini",
        "gemini-2.0-flash",
        asked(max_tokens=655_360),
        '{"generationConfig":{"maxOutputTokens":8192},...',
    ),
    "a budget leaves room in what the model gives": Case(
        "Natively-AI-assistant/natively-cluely-ai-assistant#54",
        "anthropic",
        "claude-haiku-4-5",
        asked(max_tokens=99_000, thinking=wg.Thinking(budget_tokens=80_000)),
        '{"max_tokens":64000,"thinking":{"type":"enabled","budget_tokens":63999},...',
        "max_tokens",
    ),
    "o1-mini takes no system prompt": Case(
        "pydantic/pydantic-ai#974",
        "openai_chat",
        "o1-mini",
        asked(messages=BRIEF),
        '{"messages":[{"role":"user","content":"Be brief."},{"role":"user","content":"hi"}]}',
        "system prompt",
    ),
    "o1-mini takes no system prompt on Responses": Case(
        "pydantic/pydantic-ai#974",
        "openai_responses",
        "o1-mini",
        asked(messages=BRIEF),
        '{"input":[{"role":"user","content":"Be brief."},{"role":"user","content":"hi"}]}',
        "system prompt",
    ),
    "o1-mini takes no functions": Case(
        "UKGovernmentBEIS/inspect_ai#1290",
        "openai_responses",
        "o1-mini",
        asked(tools=TOOLS, tool_choice=wg.ToolChoice("required")),
        "{...",
        "tools",
    ),
    "gpt-6-astra takes functions on Responses alone": Case(
        "genkit-ai/genkit#6303",
        "openai_chat",
        "gpt-6-astra",
        asked(tools=TOOLS, thinking=wg.Thinking(LEVEL.LOW)),
        '{"reasoning_effort":"low",...',
        "tools",
    ),
    "gpt-6-sol has functions on Chat Completions, if it does not think": Case(
        "onyx-dot-app/onyx#15008",
        "openai_chat",
        "gpt-6-sol",
        asked(tools=TOOLS, thinking=wg.Thinking(LEVEL.LOW)),
        '{"reasoning_effort":"none","tools":[{"type":"function","function":{"name":"f"}}],...',
        "thinking beside tools",
    ),
    "gpt-6.1-sol cannot be told not to think": Case(
        "pydantic-ai 2.68",
        "openai_responses",
        "gpt-6.1-sol",
        asked(thinking=wg.Thinking(LEVEL.OFF)),
        '{"include":["reasoning.encrypted_content"],"reasoning":{"effort":"low"},...',
        "thinking off",
    ),
    "no model knows the effort max on Chat Completions": Case(
        "pydantic-ai 2.68",
        "openai_chat",
        "gpt-6-luna",
        asked(thinking=wg.Thinking(LEVEL.MAX)),
        '{"reasoning_effort":"xhigh",...',
        "thinking level",
    ),
    "o3-mini takes no images": Case(
        "machine-theory/lm-council#14",
        "openai_responses",
        "o3-mini",
        asked(messages=SHOWN),
        "{...",
        "image input",
    ),
    "gpt-3.5 takes no images": Case(
        "nextcloud/integration_openai#282",
        "openai_chat",
        "gpt-3.5-turbo",
        asked(messages=SHOWN),
        "{...",
        "image input",
    ),
    "a model of search takes no temperature": Case(
        "vercel/ai#5609",
        "openai_chat",
        "gpt-4o-search-preview",
        asked(temperature=0.5),
        "{...",
        "sampling",
    ),
    "gpt-5-chat-latest writes at most 16,384 tokens": Case(
        "pydantic-ai 2.68",
        "openai_chat",
        "gpt-5-chat-latest",
        asked(max_tokens=99_999),
        '{"max_completion_tokens":16384,...',
    ),
    "Gemma 3 takes no system prompt": Case(
        "0xPlaygrounds/rig#788",
        "gemini",
        "gemma-3-27b-it",
        asked(messages=BRIEF),
        '{"contents":[{"role":"user","parts":[{"text":"Be brief."}]},'
        '{"role":"user","parts":[{"text":"hi"}]}]}',
        "system prompt",
    ),
    "Gemma 3 takes no functions": Case(
        "BerriAI/litellm#10313", "gemini", "gemma-3-27b-it", asked(tools=TOOLS), "{...", "tools"
    ),
    "Gemma 4 takes both": Case(
        "google-gemma/cookbook#307",
        "gemini",
        "gemma-4-31b-it",
        asked(messages=BRIEF, tools=TOOLS),
        '{"tools":[{"functionDeclarations":[{"name":"f"}]}],'
        '"systemInstruction":{"parts":[{"text":"Be brief."}]},...',
    ),
    "gemini-3.6-flash knows the level minimal": Case(
        "BerriAI/litellm-docs#1505",
        "gemini",
        "gemini-3.6-flash",
        asked(thinking=wg.Thinking(LEVEL.MINIMAL)),
        '{"generationConfig":{"thinkingConfig":{"thinkingLevel":"MINIMAL"}},...',
    ),
    "gemini-3.1-flash-image knows the levels minimal and high alone": Case(
        "router-for-me/CLIProxyAPI#1734",
        "gemini",
        "gemini-3.1-flash-image",
        asked(thinking=wg.Thinking(LEVEL.MEDIUM)),
        '{"generationConfig":{"thinkingConfig":{"thinkingLevel":"HIGH"}},...',
        "thinking level",
    ),
    "on Bedrock, no answer of Claude 4.7 and later is held to a schema": Case(
        "presenton/presenton#939",
        "bedrock",
        "us.anthropic.claude-sonnet-5",
        asked(response_format=SCHEMA),
        "{...",
        "no schema",
    ),
    "neither is one by InvokeModel": Case(
        "anthropics/anthropic-sdk-python#1759",
        "anthropic:bedrock",
        "us.anthropic.claude-opus-4-8",
        asked(max_tokens=9, response_format=SCHEMA),
        '{"anthropic_version":"bedrock-2023-05-31","max_tokens":9,...',
        "no schema",
    ),
    "Mistral Small 4 knows the effort high alone": Case(
        "vercel/ai#13688",
        "mistral",
        "mistral-small-2603",
        asked(thinking=wg.Thinking(LEVEL.LOW)),
        '{"reasoning_effort":"high",...',
        "thinking level",
    ),
    "Mistral Small 4 gets an effort for a budget": Case(
        "vercel/ai#13688",
        "mistral",
        "mistral-small-2603",
        asked(thinking=wg.Thinking(budget_tokens=2048)),
        '{"reasoning_effort":"high",...',
        "thinking form",
    ),
    "an older model of Mistral takes no effort": Case(
        "NousResearch/hermes-agent#11243",
        "mistral",
        "mistral-large-2512",
        asked(thinking=wg.Thinking(LEVEL.HIGH)),
        "{...",
        "thinking asked",
    ),
    "Gemini 2.5 takes functions or JSON": Case(
        "googleapis/python-genai#867",
        "gemini",
        "gemini-2.5-flash",
        asked(tools=TOOLS, response_format=SCHEMA),
        '{"tools":[{"functionDeclarations":[{"name":"f"}]}],...',
        "response format",
    ),
    "Gemini 3 takes both": Case(
        "googleapis/python-genai#867",
        "gemini",
        "gemini-3-flash-preview",
        asked(tools=TOOLS, response_format=wg.ResponseFormat("json")),
        '{"generationConfig":{"responseMimeType":"application/json"},'
        '"tools":[{"functionDeclarations":[{"name":"f"}]}],...',
    ),
    "Gemma 3 takes no JSON": Case(
        "FirebaseExtended/compass-ai-travel-planning-sample-flutter#40",
        "gemini",
        "gemma-3-27b-it",
        asked(response_format=wg.ResponseFormat("json")),
        "{...",
        "response format",
    ),
    "Gemini 3.6 takes no temperature": Case(
        "langchain-ai/langchain-google#1897",
        "gemini",
        "gemini-3.6-flash",
        asked(temperature=0.2, top_k=4),
        "{...",
        "sampling, sampling",
    ),
    "Gemini 3.6 does not go on with an answer": Case(
        "anomalyco/opencode#47034",
        "gemini",
        "gemini-3.8-flash",
        asked(messages=BEGUN),
        '{"contents":[{"role":"user","parts":[{"text":"hi"}]},{"role":"model","parts":'
        '[{"text":"Once"}]},{"role":"user","parts":[{"text":"Go on."}]}]}',
        "prefill",
    ),
    "Gemini 3.5 goes on with it": Case(
        "LibreChat-AI/agents#323",
        "gemini",
        "gemini-3.5-flash",
        asked(messages=BEGUN),
        '{"contents":[{"role":"user","parts":[{"text":"hi"}]},{"role":"model","parts":'
        '[{"text":"Once"}]}]}',
    ),
    "Gemini 2.5 takes no penalties at the Gemini API": Case(
        "vercel/ai#8943",
        "gemini",
        "gemini-2.5-flash",
        asked(presence_penalty=0.5, frequency_penalty=0),
        "{...",
        "penalty",
    ),
    "at Vertex AI it does": Case(
        "vercel/ai#8943",
        "gemini:vertex",
        "gemini-2.5-flash",
        asked(presence_penalty=0.5),
        '{"generationConfig":{"presencePenalty":0.5},...',
    ),
    "Gemini 3 tells no log probabilities": Case(
        "BerriAI/litellm#31600",
        "gemini:vertex",
        "gemini-3.5-flash",
        asked(logprobs=True, top_logprobs=2),
        "{...",
        "logprobs",
    ),
    "Gemini 3 gives one answer at the Gemini API": Case(
        "googleapis/js-genai#1609",
        "gemini",
        "gemini-3.1-flash-lite",
        asked(candidates=2),
        "{...",
        "candidates",
    ),
    "at Vertex AI it gives several": Case(
        "googleapis/python-genai#1723",
        "gemini:vertex",
        "gemini-3.1-pro-preview",
        asked(candidates=2),
        '{"generationConfig":{"candidateCount":2},...',
    ),
    "at Vertex AI, calls of Gemini 2.5 have no ids": Case(
        "pydantic/pydantic-ai#5081",
        "gemini:vertex",
        "gemini-2.5-flash",
        asked(messages=SWAPPED),
        '{"contents":[{"role":"user","parts":[{"text":"hi"}]},{"role":"model","parts":['
        '{"functionCall":{"name":"f","args":{}},"thoughtSignature":'
        '"c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I="},{"functionCall":{"name":"f","args":{}}}]},'
        '{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":"1"}}},'
        '{"functionResponse":{"name":"f","response":{"output":"2"}}}]}]}',
    ),
    "those of Gemini 3.5 have them": Case(
        "anomalyco/opencode#50504",
        "gemini:vertex",
        "gemini-3.5-flash",
        asked(messages=SWAPPED),
        '{"contents":[{"role":"user","parts":[{"text":"hi"}]},{"role":"model","parts":['
        '{"functionCall":{"name":"f","args":{},"id":"a"},"thoughtSignature":'
        '"c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I="},{"functionCall":{"name":"f","args":{},"id":"b"}}]},'
        '{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":"2"},'
        '"id":"b"}},{"functionResponse":{"name":"f","response":{"output":"1"},"id":"a"}}]}]}',
    ),
    "a system message alone is a user's at Gemini": Case(
        "langchain-ai/langchain-google#1351",
        "gemini",
        "gemini-2.5-flash",
        asked(messages=BRIEF[:1]),
        '{"contents":[{"role":"user","parts":[{"text":"Be brief."}]}]}',
        "system alone",
    ),
    "the detail of an image is the resolution of a part": Case(
        "langchain4j/langchain4j#4337",
        "gemini",
        "gemini-3-pro-preview",
        asked(messages=[DETAILED]),
        '{"contents":[{"role":"user","parts":[{"inlineData":{"data":"iVBORw0KGgo=",'
        '"mimeType":"image/png"},"mediaResolution":{"level":"MEDIA_RESOLUTION_ULTRA_HIGH"}}]}]}',
    ),
    "Gemini 2.5 has one resolution for all images": Case(
        "langchain4j/langchain4j#4337",
        "gemini",
        "gemini-2.5-pro",
        asked(messages=[DETAILED]),
        '{"contents":[{"role":"user","parts":[{"inlineData":{"data":"iVBORw0KGgo=",'
        '"mimeType":"image/png"}}]}]}',
        "detail",
    ),
    "Gemini 3 goes on from unsigned calls of Gemini 2.5": Case(
        "continuedev/continue#8785",
        "gemini",
        "gemini-3-pro-preview",
        asked(messages=CALLED),
        '{"contents":[{"role":"user","parts":[{"text":"hi"}]},{"role":"model","parts":['
        '{"functionCall":{"name":"f","args":{},"id":"a"},"thoughtSignature":'
        '"c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I="}]},{"role":"user","parts":'
        '[{"functionResponse":{"name":"f","response":{"output":"1"},"id":"a"}}]}]}',
    ),
    "those of an earlier turn get it, too, so that a conversation grows byte for byte": Case(
        "continuedev/continue#8785",
        "gemini",
        "gemini-3-pro-preview",
        asked(messages=[*CALLED, HI]),
        '{"contents":[{"role":"user","parts":[{"text":"hi"}]},{"role":"model","parts":['
        '{"functionCall":{"name":"f","args":{},"id":"a"},'
        '"thoughtSignature":"c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I="}]},{"role":"user","parts":'
        '[{"functionResponse":{"name":"f","response":{"output":"1"},"id":"a"}}]},'
        '{"role":"user","parts":[{"text":"hi"}]}]}',
    ),
    "at the Gemini API, what Google's tools do is shown beside functions": Case(
        "cloudwego/eino-ext#761",
        "gemini",
        "gemini-3.6-flash",
        asked(tools=[GOOGLES, *TOOLS]),
        '{"toolConfig":{"includeServerSideToolInvocations":true},'
        '"tools":[{"googleSearch":{}},{"functionDeclarations":[{"name":"f"}]}],...',
    ),
    "at Vertex AI it is not": Case(
        "strands-agents/harness-sdk#3646",
        "gemini:vertex",
        "gemini-3.6-flash",
        asked(tools=[GOOGLES, *TOOLS]),
        '{"tools":[{"googleSearch":{}},{"functionDeclarations":[{"name":"f"}]}],...',
    ),
    "Codestral takes no effort": Case(
        "NousResearch/hermes-agent#119249",
        "mistral",
        "codestral-latest",
        asked(thinking=wg.Thinking(LEVEL.HIGH)),
        "{...",
        "thinking asked",
    ),
    "Devstral Small does not either": Case(
        "withceleste/celeste-python#311",
        "mistral",
        "devstral-small-2507",
        asked(thinking=wg.Thinking(LEVEL.HIGH)),
        "{...",
        "thinking asked",
    ),
    "the newest Mistral Medium knows the effort high alone": Case(
        "withceleste/celeste-python#311",
        "mistral",
        "mistral-medium-latest",
        asked(thinking=wg.Thinking(LEVEL.MEDIUM)),
        '{"reasoning_effort":"high",...',
        "thinking level",
    ),
    "Command R+ cannot be made to call": Case(
        "docs.cohere.com/reference/chat",
        "cohere",
        "command-r-plus",
        asked(tools=TOOLS, tool_choice=wg.ToolChoice("required")),
        '{"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object",'
        '"properties":{}}}}],...',
        "tool choice forced",
    ),
    "nor told not to": Case(
        "docs.cohere.com/reference/chat",
        "cohere",
        "command-r-08-2024",
        asked(tools=TOOLS, tool_choice=wg.ToolChoice("none")),
        '{"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object",'
        '"properties":{}}}}],...',
        "tool choice",
    ),
    "Command R7B can": Case(
        "docs.cohere.com/reference/chat",
        "cohere",
        "command-r7b-12-2024",
        asked(tools=TOOLS, tool_choice=wg.ToolChoice("required")),
        '{"tool_choice":"REQUIRED","tools":[{"type":"function","function":{"name":"f",'
        '"parameters":{"type":"object","properties":{}}}}],...',
    ),
    "Gemma 3 at Ollama cannot be asked to think": Case(
        "taketwo/llm-ollama#54",
        "ollama",
        "gemma3:4b",
        asked(stream=True, thinking=wg.Thinking(LEVEL.HIGH)),
        '{"stream":true,...',
        "thinking asked",
    ),
    "Qwen 3 at Ollama knows no levels": Case(
        "ollama/ollama#12561",
        "ollama",
        "qwen3:4b",
        asked(stream=True, thinking=wg.Thinking(LEVEL.MEDIUM)),
        '{"stream":true,"think":true,...',
        "thinking level",
    ),
    "gpt-oss at Ollama knows them": Case(
        "ollama/ollama#12561",
        "ollama",
        "gpt-oss:20b",
        asked(stream=True, thinking=wg.Thinking(LEVEL.MEDIUM)),
        '{"stream":true,"think":"medium",...',
    ),
    "DeepSeek R1 at Ollama takes no functions": Case(
        "ollama/ollama#15023",
        "ollama",
        "deepseek-r1:latest",
        asked(stream=True, tools=TOOLS),
        '{"stream":true,...',
        "tools",
    ),
    "Magistral cannot be told not to think": Case(
        "NousResearch/hermes-agent#11243",
        "mistral",
        "magistral-medium-2507",
        asked(thinking=wg.Thinking(LEVEL.OFF)),
        "{...",
        "thinking off",
    ),
    "gpt-6-sol has functions if it does not think": Case(
        "onyx-dot-app/onyx#15008",
        "openai_chat",
        "gpt-6-sol",
        asked(tools=TOOLS, thinking=wg.Thinking(LEVEL.LOW)),
        '{"reasoning_effort":"none","tools":[{"type":"function","function":{"name":"f"}}],...',
        "thinking beside tools",
    ),
    "a model that searches takes no temperature": Case(
        "crmne/ruby_llm#155",
        "openai_chat",
        "gpt-4o-mini-search-preview",
        asked(temperature=0.7),
        "{...",
        "sampling",
    ),
    "an answer of OpenAI's models is an object": Case(
        "OpenAI's guide to structured outputs",
        "openai_chat",
        "gpt-4o",
        asked(response_format=wg.ResponseFormat("json_schema", {"type": "array"}, "n")),
        '{"response_format":{"type":"json_object"},...',
        "schema root",
    ),
    "Mistral's models at Azure have the old limit": Case(
        "pydantic/pydantic-ai#6593",
        "openai_chat:azure",
        "Ministral-3B",
        asked(max_tokens=99),
        '{"max_tokens":99,...',
    ),
    "Grok takes no penalties, not even of zero": Case(
        "lobehub/lobehub#13332",
        "openai_chat:xai",
        "grok-4-1-fast-non-reasoning",
        asked(presence_penalty=0, frequency_penalty=0.5),
        "{...",
        "sampling",
    ),
    "Grok that thinks takes no stop sequences": Case(
        "can1357/oh-my-pi#7454",
        "openai_chat:xai",
        "grok-4.6",
        asked(stop=["END"]),
        "{...",
        "no stop",
    ),
    "Grok 4.5 always thinks": Case(
        "mnfst/modelparams.dev#330",
        "openai_chat:xai",
        "grok-4.5",
        asked(thinking=wg.Thinking(LEVEL.OFF)),
        '{"reasoning_effort":"low",...',
        "thinking off",
    ),
    "Grok 4 takes no effort": Case(
        "BerriAI/litellm#16265",
        "openai_chat:xai",
        "grok-4-latest",
        asked(thinking=wg.Thinking(LEVEL.LOW)),
        "{...",
        "thinking asked",
    ),
    "Grok 4 takes no effort over Responses, and shows what it thinks": Case(
        "NousResearch/hermes-agent#23435",
        "openai_responses:xai",
        "grok-4-0709",
        asked(thinking=wg.Thinking(LEVEL.MEDIUM)),
        '{"include":["reasoning.encrypted_content"],...',
        "thinking asked",
    ),
    "grok-code-fast-1 takes no effort": Case(
        "NousResearch/hermes-agent#23435",
        "openai_responses:xai",
        "grok-code-fast-1",
        asked(thinking=wg.Thinking(LEVEL.LOW)),
        '{"include":["reasoning.encrypted_content"],...',
        "thinking asked",
    ),
    "GLM 5.3 is asked for its least thinking": Case(
        "NousResearch/hermes-agent#96373",
        "openai_chat:zai",
        "glm-5.3-flash",
        asked(thinking=wg.Thinking(LEVEL.OFF)),
        '{"reasoning_effort":"low","thinking":{"type":"enabled"},...',
        "thinking off",
    ),
    "Qwen thinks or does not at Groq": Case(
        "mnfst/modelparams.dev#114",
        "openai_chat:groq",
        "qwen/qwen3-32b",
        asked(thinking=wg.Thinking(LEVEL.LOW)),
        '{"reasoning_effort":"default",...',
        "thinking level",
    ),
    "gpt-oss always thinks at Groq": Case(
        "ENTERPILOT/GoModel#946",
        "openai_chat:groq",
        "openai/gpt-oss-120b",
        asked(thinking=wg.Thinking(LEVEL.OFF)),
        '{"reasoning_effort":"low",...',
        "thinking off",
    ),
    "Groq knows no authors": Case(
        "console.groq.com/docs/openai",
        "openai_chat:groq",
        "llama-3.3-70b",
        asked(messages=[wg.UserMessage([wg.TextBlock("hi")], name="ann")]),
        "{...",
        "author name",
    ),
    "a forced call turns off the thinking of DeepSeek V4, which nobody asked for": Case(
        "BerriAI/litellm#37470",
        "openai_chat:deepseek",
        "deepseek-v4-flash",
        asked(tools=TOOLS, tool_choice=wg.ToolChoice("required")),
        '{"thinking":{"type":"disabled"},"tool_choice":"required",'
        '"tools":[{"type":"function","function":{"name":"f"}}],...',
    ),
    "an open model thinks in streams alone at Qwen": Case(
        "OpenBMB/UltraRAG#287",
        "openai_chat:qwen",
        "qwen3-32b",
        asked(thinking=wg.Thinking(LEVEL.HIGH)),
        '{"enable_thinking":false,...',
        "thinking unstreamed",
    ),
    "Kimi has a temperature of its own": Case(
        "HKUDS/nanobot#4967",
        "openai_chat:generic",
        "kimi-k2.6",
        asked(temperature=0.6),
        "{...",
        "sampling",
    ),
    "Kimi elsewhere takes a temperature": Case(
        "HKUDS/nanobot#4967",
        "openai_chat:generic",
        "moonshotai/Kimi-K2.6",
        asked(temperature=0.6),
        '{"temperature":0.6,...',
    ),
    "Kimi K2.7 cannot be made to call": Case(
        "UKGovernmentBEIS/inspect_ai#5152",
        "openai_chat:generic",
        "kimi-k2.7-code",
        asked(tools=TOOLS, tool_choice=wg.ToolChoice("required")),
        '{"tool_choice":"auto","tools":[{"type":"function","function":{"name":"f"}}],...',
        "tool choice forced",
    ),
    "a forced call turns off the thinking of Kimi": Case(
        "can1357/oh-my-pi#1077",
        "openai_chat:generic",
        "kimi-k2.6",
        asked(tools=TOOLS, tool_choice=wg.ToolChoice("required")),
        '{"thinking":{"type":"disabled"},"tool_choice":"required",'
        '"tools":[{"type":"function","function":{"name":"f"}}],...',
    ),
    "Qwen's template has the system message first": Case(
        "vllm-project/vllm#41114",
        "openai_chat:vllm",
        "Qwen/Qwen3.6-27B",
        asked(messages=[HI, wg.SystemMessage.from_text("Be brief.")]),
        '{"messages":[{"role":"user","content":"hi"},{"role":"user","content":"Be brief."}]}',
        "system turn",
    ),
    "OpenAI's rules do not hold at a server of open models": Case(
        "ggml-org/llama.cpp, tools/server",
        "openai_chat:llamacpp",
        "gpt-3.5-turbo",
        asked(max_tokens=9000, thinking=wg.Thinking(LEVEL.LOW)),
        '{"max_completion_tokens":9000,"reasoning_effort":"low",...',
    ),
}
ROWS: Final[dict[str, set[str]]] = {wire: set() for wire in MESSAGES}
"""Provider -> the rows of its table of losses that the cases show."""
for case in CASES.values():
    ROWS[case.wire.partition(":")[0]] |= {*case.lost.split(", ")} - {""}


@pytest.mark.parametrize("name", CASES)
def test_what_a_model_gets(name: str) -> None:
    case = CASES[name]
    wire, _, dialect = case.wire.partition(":")
    provider = wg.PROVIDERS[wire]
    losses: list[wg.Loss] = []
    request = wg.Request(**({"messages": [HI], "model": case.model} | case.fields))
    body = provider.encode_request(request, losses=losses, dialect=dialect or None).decode()
    has_model = wire not in ("bedrock", "gemini") and dialect != "bedrock"
    model = f'"model":"{case.model}",' if has_model else ""
    expected = case.body.replace("...", MESSAGES[wire]).replace("{", "{" + model, 1)
    assert body == expected
    assert [loss.what for loss in losses] == (case.lost.split(", ") if case.lost else [])
    if losses:
        with pytest.raises(wg.LossError):
            provider.encode_request(request, dialect=dialect or None)


# -- the table ------------------------------------------------------------------------------------

NAMES: Final = {
    "claude-opus-4-1@20250805": "claude-opus-4-1",
    "us.anthropic.claude-sonnet-4-5-20250929-v1:0": "claude-sonnet-4-5",
    "arn:aws:bedrock:us-east-1:1:inference-profile/us.anthropic.claude-opus-4-8-v1:0": (
        "claude-opus-4-8"
    ),
    "anthropic/claude-3.7-sonnet:thinking": "claude-3-7-sonnet",
    "databricks-claude-3-7-sonnet": "claude-3-7-sonnet",
    "databricks-gpt-5-1": "gpt-5.1",
    "databricks-gemini-2-5-pro": "gemini-2.5-pro",
    "anthropic.claude-v2": "claude-2.1",
    "anthropic.claude-instant-v1": "claude-2.1",
    "gpt-35-turbo": "gpt-3.5-turbo",
    "openai/gpt-4.1-mini": "gpt-4.1",
    "openai.gpt-5.6-luna": "gpt-5.6",
    "gpt-4o-mini-2024-07-18": "gpt-4o",
    "o4-mini-2025-04-16": "o3",
    "models/gemini-2.5-flash-preview-05-20": "gemini-2.5-flash",
    "google/gemini-3-flash-preview": "gemini-3-flash",
    "us.amazon.nova-lite-v1:0": "nova-micro-v1",
    "models/gemma-3n-e4b-it": "gemma-3-27b-it",
    "claude-opus-9": "claude-opus-5-5",
    "gpt-7.3-nova": "gpt-6",
    "grok-4-0709": "grok-4",
    "x-ai/grok-code-fast-1": "grok-4",
    "grok-4.20-0309-reasoning": "grok-4",
    "openai.gpt-oss-120b": "gpt-oss",
    "gemini-4-flash": "gemini-3.7-flash",
}


@pytest.mark.parametrize("name", NAMES)
def test_a_model_is_known_by_any_way_to_write_its_name(name: str) -> None:
    known = of_model(NAMES[name])
    assert of_model(name) == known
    assert known != ANY


@pytest.mark.parametrize(
    "name",
    [
        None,
        "",
        "solo1",
        "ours/llama3",
        "moonshotai/Kimi-K2.6",
        "gemini-flash-latest",
        "o" * 400,
    ],
)
def test_a_name_of_no_family_is_left_alone(name: str | None) -> None:
    assert of_model(name) == ANY


def test_each_rule_has_a_source_and_newer_generations_come_later() -> None:
    for row, after in itertools.pairwise(GENERATIONS):
        assert row.source.strip(), row
        if row.family == after.family:
            assert row.since <= after.since, after


def test_a_caller_says_what_a_model_takes() -> None:
    request = wg.Request([HI], "my-deployment", temperature=0.5, thinking=wg.Thinking(LEVEL.MAX))
    losses: list[wg.Loss] = []
    body = wg.providers.openai_chat.encode_request(
        request, losses=losses, dialect="azure", capabilities=of_model("gpt-5-mini")
    )
    assert body == (
        b'{"model":"my-deployment","reasoning_effort":"high",'
        b'"messages":[{"role":"user","content":"hi"}]}'
    )
    assert [loss.what for loss in losses] == ["thinking level", "sampling"]
    none = Capabilities(efforts=(), budgets=None)
    made = wg.translate_request(
        body, "openai_chat", "openai_responses", losses=[], capabilities=none
    )
    assert (
        made == b'{"model":"my-deployment","store":false,"input":[{"role":"user","content":"hi"}]}'
    )


@pytest.mark.parametrize(
    ("wire", "model"),
    [("openai_chat", "o1-mini"), ("openai_responses", "o1-mini"), ("gemini", "gemma-3-27b-it")],
)
def test_a_growing_conversation_has_its_system_prompt_as_a_users_text(
    wire: str, model: str
) -> None:
    provider = wg.PROVIDERS[wire]
    talk = provider.Transcript([])
    said: list[wg.Message] = []
    turns = [wg.AssistantMessage([wg.TextBlock("yes")]), wg.UserMessage.from_text("so")]
    for message in [*BRIEF, *turns, *turns]:
        talk.append(message)
        said.append(message)
        losses: list[wg.Loss] = []
        body = provider.encode_request(wg.Request(list(said), model), losses=losses)
        assert talk.encode(losses=[], model=model) == body
        assert [loss.what for loss in losses] == ["system prompt"]


def test_the_loss_of_all_functions_is_severe() -> None:
    losses: list[wg.Loss] = []
    request = wg.Request([HI], "gpt-6-astra", tools=TOOLS, tool_choice=wg.ToolChoice("required"))
    wg.providers.openai_chat.encode_request(request, losses=losses)
    assert [(loss.path, loss.what, loss.severe) for loss in losses] == [("$.tools", "tools", True)]
    losses = []
    wg.providers.openai_chat.encode_request(request, losses=losses, dialect="openrouter")
    assert losses == []


@pytest.mark.parametrize("wire", ["openai_chat", "openai_responses"])
def test_a_body_that_its_own_api_refuses_goes_back_as_it_came(wire: str) -> None:
    key = "messages" if wire == "openai_chat" else "input"
    body = f'{{"model":"o3","temperature":0.5,"{key}":[{{"role":"user","content":"hi"}}]}}'.encode()
    assert wg.translate_request(body, wire, wire) == body
