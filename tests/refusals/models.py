"""The models that rows speak of, by the form of their names; newer ones take after the newest."""

from __future__ import annotations

from tests.refusals.row import Models

CLAUDE_4_7 = Models(
    "Claude 4.7 and later",
    r"claude-(opus|sonnet|haiku|fable|mythos)-(4[-.](?:[7-9]|\d\d)(?!\d)|[5-9])",
)
CLAUDE = Models("Claude", "claude")
CLAUDE_4_1_TO_4_6 = Models("Claude 4.1 to 4.6", r"claude-(?:opus|sonnet|haiku)-4[-.][1-6](?!\d)")
CLAUDE_4_6 = Models("Claude 4.6", r"claude-(?:opus|sonnet|haiku)-4[-.]6(?!\d)")
CLAUDE_4_6_ON = Models(
    "Claude 4.6 and later",
    r"claude-(?:opus|sonnet|haiku|fable|mythos)-(?:4[-.](?:[6-9]|\d\d)(?!\d)|[5-9])",
)
CLAUDE_BEFORE_4_6 = Models(
    "Claude before 4.6",
    r"claude-(?:v|instant|3-|(?:opus|sonnet|haiku)-4-(?:[0-5](?!\d)|20\d{6}))",
)
CLAUDE_3_7_TO_4_5 = Models(
    "Claude 3.7 to 4.5", r"claude-(?:3-7|(?:opus|sonnet|haiku)-4-(?:[0-5](?!\d)|20\d{6}))"
)
CLAUDE_UNFORCED = Models(
    "Fable 5.1, Opus 5.5, Sonnet 5.5", r"claude-(?:fable-5[-.]1|(?:opus|sonnet)-5[-.]5)"
)
# Only on Bedrock: the names are those that Bedrock has for its models.
BEDROCK_UNCACHED_CLAUDE = Models(
    "Claude 2, 3 and the first 3.5 Sonnet",
    r"claude-(?:v2|instant|3-(?:opus|sonnet|haiku)|3-5-sonnet-20240620)",
)
BEDROCK_CLAUDE_BEFORE_4_5 = Models(
    "Claude 3.5 to 4.1", r"claude-(?:3-[57]|(?:opus|sonnet)-4-(?:[01](?!\d)|20\d{6}))"
)
BEDROCK_CLAUDE_NOT_STRICT = Models(
    "Claude 4.0, 4.1, 4.7, 4.8, Sonnet 5, Opus 5.5, Fable 5.1",
    r"claude-(?:opus-4-[178](?!\d)|(?:opus|sonnet)-4-20\d{6}|sonnet-5(?!-5)|opus-5-5|fable-5-1)",
)
BEDROCK_CLAUDE_2 = Models("Claude 2", r"claude-(?:v2|instant)")
BEDROCK_NOVA = Models("Amazon Nova", r"amazon\.nova-")
BEDROCK_NOVA_1 = Models("Amazon Nova 1", r"amazon\.nova-(?:micro|lite|pro|premier)")
BEDROCK_NOVA_2 = Models("Amazon Nova 2", r"amazon\.nova-2-")
BEDROCK_NOVA_MICRO = Models("Amazon Nova Micro", r"amazon\.nova-micro")
BEDROCK_NO_VIDEO = Models(
    "all known makers but Amazon",
    r"(?:anthropic|meta|mistral|openai|qwen|deepseek|moonshot(?:ai)?|nvidia)\.",
)
BEDROCK_UNCACHED = Models(
    "Llama, Qwen, DeepSeek, Nemotron",
    r"(?:meta\.llama|qwen\.|deepseek\.|nvidia\.)",
)
BEDROCK_UNCITED = Models(
    "Nova, Llama, Pixtral, DeepSeek", r"(?:amazon\.nova|meta\.llama|mistral\.pixtral|deepseek\.)"
)
BEDROCK_TITAN = Models("Amazon Titan", r"amazon\.titan-text")
BEDROCK_TOOLLESS = Models(
    "Titan, DeepSeek R1, Llama 3 and the small 3.2, Mistral 7B and 8x7B, Claude 2",
    r"amazon\.titan|deepseek\.r1|llama3-(?:8|70)b|llama3-2-[13]b|mistral-7b|mixtral"
    r"|claude-(?:v2|instant)|jamba-instruct",
)
BEDROCK_PROMPTLESS = Models("Titan, Mistral 7B and 8x7B", r"amazon\.titan|mistral-7b|mixtral")
BEDROCK_BLIND = Models(
    "models that see no images",
    r"amazon\.(?:nova-micro|titan)|meta\.llama3-(?:\d+b|1|3|2-[13]b)|mistral-(?:7b|large-240|small)"
    r"|mixtral|deepseek\.r1|cohere\.command|ai21\.jamba|claude-(?:v2|instant)",
)
BEDROCK_APART = Models("Llama, Mistral, Writer", r"(?:meta\.llama|mistral\.|writer\.)")
BEDROCK_LLAMA = Models("Meta Llama", r"meta\.llama")
BEDROCK_MISTRAL = Models("Mistral", r"(?<![a-z])mistral\.")
BEDROCK_R1 = Models("DeepSeek R1", r"deepseek\.r1")
BEDROCK_SILENT = Models("DeepSeek R1, Nova", r"deepseek\.r1|amazon\.nova-")
BEDROCK_STOPLESS = Models("Qwen, DeepSeek V3.1", r"qwen\.|deepseek\.v3-v1")
BEDROCK_GPT = Models("GPT-5.6 and later", r"openai\.gpt-(?:5\.[6-9]|[6-9])")
BEDROCK_GPT_OSS = Models("gpt-oss", r"openai\.gpt-oss")
BEDROCK_GROK = Models("xAI Grok", r"xai\.grok")
BEDROCK_TEXT_RESULTS = Models(
    "GPT, Qwen, Kimi, Pixtral", r"openai\.gpt-[5-9]|qwen\.|moonshot(?:ai)?\.|mistral\.pixtral"
)
BEDROCK_UNFORMED = Models(
    "Nova, Llama, Mistral Large 2, Opus 4.1, Claude 4.7 and 4.8, Grok 4.6",
    r"amazon\.nova|meta\.llama|mistral-large-2407|claude-opus-4-[178](?!\d)|xai\.grok-4-6",
)
BEDROCK_WRITER = Models("Writer Palmyra", r"writer\.palmyra")
