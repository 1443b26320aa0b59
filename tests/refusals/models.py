"""The models that rows speak of, by the form of their names; newer ones take after the newest."""

from __future__ import annotations

from tests.refusals.row import Models

# Claude. A version may be followed by a date, which has eight digits.

_AFTER = r"(?=$|[@:]|-\d{8}|-v\d)"
_LATER = r"(?:fable|mythos)-\d|claude-(?:opus|sonnet|haiku)-(?:[5-9]|4-\d\d(?!\d))"

CLAUDE_3_7_TO_4_5 = Models(
    "Claude 3.7 to 4.5", rf"claude-(?:3-7-|(?:opus|sonnet|haiku)-4(?:-[015])?{_AFTER})"
)
CLAUDE_4_1_TO_4_6 = Models("Claude 4.1 to 4.6", rf"claude-(?:opus|sonnet|haiku)-4-[156]{_AFTER}")
CLAUDE_4_6 = Models("Claude 4.6", rf"claude-(?:opus|sonnet)-4-6{_AFTER}")
CLAUDE_4_6_ON = Models("Claude 4.6 and later", rf"claude-(?:opus|sonnet)-4-[6-9]{_AFTER}|{_LATER}")
CLAUDE_4_7 = Models(
    "Claude 4.7 and later",
    r"claude-(opus|sonnet|haiku|fable|mythos)-(4[-.](?:[7-9]|\d\d)(?!\d)|[5-9])",
)
CLAUDE = Models("Claude", "claude")
DEEPSEEK_4 = Models("DeepSeek V4 and later", r"^deepseek-v[4-9]")
GEMINI = Models("Gemini", "gemini")
GLM_5_2 = Models("GLM 5.2 and later", r"^glm-5\.[2-9]")
GLM_5_3 = Models("GLM 5.3 and later", r"^glm-5\.[3-9]")
GPT_4_TURBO = Models("gpt-3.5-turbo, gpt-4-turbo", r"^gpt-(3\.5|4)-turbo")
GPT_OSS = Models("gpt-oss", r"gpt-oss")
GROK_4 = Models("grok-4", r"^grok-4(-latest)?$")
GROK_4_DATED = Models("grok-4, grok-code-fast-1", r"^grok-(4(-latest|-\d{4})?$|code-fast)")
GROK_4_ON = Models("grok-3-mini, grok-4 and later", r"^grok-(3-mini|4)")
GROK_4_5 = Models("grok-4.5 and grok-4.6", r"^grok-4\.[56]")
GROQ_UNTHINKING = Models(
    "Llama, Kimi K2, Gemma, Mistral, Allam, Qwen 2.5, Compound",
    r"^(?!deepseek).*(llama|kimi-k2-instruct|gemma|mi[sx]tral|allam|qwen-2\.5|compound)",
)
KIMI_2_5 = Models("Kimi K2.5 and K2.6", r"^kimi-k2\.[56]")
KIMI_2_7 = Models("Kimi K2.7", r"^kimi-k2\.7")
KIMI_2_5_ON = Models("Kimi K2.5 and later", r"^kimi-(k2\.[5-9]|for-coding)")
MISTRAL = Models("Mistral", r"(?i)mi(ni)?stral")
NOT_OF_OPENAI = Models("DeepSeek, Kimi, Mistral", r"(?i)^(deepseek|kimi|mi(ni)?stral)")
OPENAI = Models("all of OpenAI", r"^(gpt-[3456]|o[134])")
QWEN_3_5 = Models("Qwen 3.5 and later", r"(?i)qwen-?(3\.[5-9]|[4-9])")
QWEN_3_OPEN = Models("the open models of Qwen 3", r"^qwen3-(\d+(\.\d+)?b|\d+b-a\d+b)$")
CLAUDE_BEFORE_4_6 = Models(
    "Claude before 4.6",
    r"claude-(?:v|instant|3-|(?:opus|sonnet|haiku)-4-(?:[0-5](?!\d)|20\d{6}))",
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
BEDROCK_OPUS_4_6 = Models("Claude Opus 4.6 and 4.7", r"anthropic\.claude-opus-4-[67](?!\d)")
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
COHERE_TO_R = Models("Command R and R+", r"command-r(-plus)?(-0\d-2024)?$")
GEMINI_2_5 = Models("Gemini 2.5", r"gemini-2\.5")
GEMINI_2_5_PRO = Models("Gemini 2.5 Pro", r"gemini-2\.5-pro")
GEMINI_3_PRO = Models("Gemini 3 Pro", r"gemini-3-pro")
GEMINI_3_7_FLASH = Models("Gemini 3.7 Flash and later", r"gemini-(3\.[7-9]|[4-9])\S*-flash(?!-l)")
GEMINI_FIXED = Models(
    "Gemini 3.6 and later, and 3.5 Flash-Lite", r"gemini-(3\.5-flash-lite|3\.[6-9]|[4-9])"
)
GEMINI_FROM_2_5 = Models("Gemini 2.5 and later", r"gemini-(2\.5|[3-9])")
GEMINI_FROM_3 = Models("Gemini 3 and later", r"gemini-[3-9]")
GEMINI_TO_2_0 = Models("Gemini 1.5 and 2.0", r"gemini-(1\.|2\.0)")
GEMINI_TO_2_5 = Models("Gemini 2.5 and older", r"gemini-[12]\.")
GEMMA_4 = Models("Gemma 4", r"gemma-4")
GEMMA_3 = Models("Gemma before 4", r"gemma-[1-3]")
MISTRAL_SMALL_4 = Models(
    "Mistral Small 4 and Medium 3.5", r"mistral-(small-(2603|latest)|medium-(2604|3[-.]5))"
)
MISTRAL_WITHOUT_EFFORT = Models(
    "Mistral's models that cannot be asked to think",
    r"mistral-(large|tiny|saba|nemo)|ministral|codestral|devstral|pixtral|voxtral|open-mi",
)
OLLAMA_DEEPSEEK_GEMMA = Models("Gemma 3 and DeepSeek R1", r"^(gemma3|deepseek-r1)(:|$)")
OLLAMA_LLAMA_GEMMA = Models("Llama 3 and Gemma 3", r"^(llama3(\.\d)?|gemma3)(:|$)")
OLLAMA_QWEN_DEEPSEEK = Models("Qwen 3 and DeepSeek R1", r"^(qwen3|deepseek-r1)(:|$)")
BEFORE_CLAUDE_4_8 = Models(
    "Claude before 4.8, and Sonnet 5",
    rf"claude-(?:3-|(?:opus|sonnet|haiku)-4(?:-[0-7])?{_AFTER}|sonnet-5{_AFTER})",
)
OPUS_4_5 = Models("Claude Opus 4.5", rf"claude-opus-4-5{_AFTER}")
CLAUDE_WITHOUT_EFFORT = Models(
    "Claude before 4.6, but for Opus 4.5",
    rf"claude-(?:3-|(?:opus|sonnet|haiku)-4(?:-[01])?{_AFTER}|(?:sonnet|haiku)-4-5{_AFTER})",
)
CLAUDE_THAT_ALWAYS_THINKS = Models("Claude Fable and Mythos", r"claude-(?:fable|mythos)-\d")
CLAUDE_UNFORCED = Models(
    "Claude Fable 5.1, Opus 5.5, Sonnet 5.5", r"claude-(?:(?:fable|mythos)-5-1|(?:opus|sonnet)-5-5)"
)
CLAUDE_OF_32_000 = Models("Claude Opus 4 and 4.1", rf"claude-opus-4(?:-[01])?{_AFTER}")
CLAUDE_OF_64_000 = Models(
    "Claude Sonnet 4, and Claude 4.5",
    rf"claude-(?:sonnet-4|(?:opus|sonnet|haiku)-4-5){_AFTER}",
)
