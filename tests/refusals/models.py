"""The models that rows speak of, by the form of their names; newer ones take after the newest."""

from __future__ import annotations

from tests.refusals.row import Models

CLAUDE_4_7 = Models(
    "Claude 4.7 and later",
    r"claude-(opus|sonnet|haiku|fable|mythos)-(4[-.](?:[7-9]|\d\d)(?!\d)|[5-9])",
)
CLAUDE = Models("Claude", "claude")
DEEPSEEK_4 = Models("DeepSeek V4 and later", r"^deepseek-v[4-9]")
GLM_5_2 = Models("GLM 5.2 and later", r"^glm-5\.[2-9]")
GLM_5_3 = Models("GLM 5.3 and later", r"^glm-5\.[3-9]")
GPT_3_AND_4 = Models("gpt-3.5, gpt-4, gpt-4-turbo", r"^gpt-(3\.5|4)(?![o.])")
GPT_BEFORE_5 = Models("gpt-3.5, gpt-4, gpt-4o, gpt-4.1", r"^gpt-(3\.5|4)")
GPT_4_TURBO = Models("gpt-3.5-turbo, gpt-4-turbo", r"^gpt-(3\.5|4)-turbo")
GPT_4O_SEARCH = Models("gpt-4o with a search", r"^gpt-4o(-mini)?-search")
GPT_5 = Models("gpt-5", r"^gpt-5(?![.\d]|-(chat|pro|codex))")
GPT_5_1 = Models("gpt-5.1", r"^gpt-5\.1(?!-(chat|codex))")
GPT_5_1_ON = Models("gpt-5.1 and later", r"^gpt-(5\.|6)")
GPT_5_4 = Models("gpt-5.4 and later", r"^gpt-(5\.[4-9](?!-pro)|6)")
GPT_5_6 = Models("gpt-5.6 and later", r"^gpt-(5\.[6-9]|6)")
GPT_BEFORE_5_6 = Models("before gpt-5.6", r"^(gpt-(3\.5|4|5(?!\.[6-9]))|o[134])")
GPT_6_ASTRA = Models("gpt-6-astra", r"^gpt-6-astra")
GPT_OSS = Models("gpt-oss", r"gpt-oss")
GROK_4 = Models("grok-4", r"^grok-4(-latest)?$")
GROK_4_ON = Models("grok-3-mini, grok-4 and later", r"^grok-(3-mini|4)")
GROK_4_5 = Models("grok-4.5 and grok-4.6", r"^grok-4\.[56]")
KIMI_2_5 = Models("Kimi K2.5 and K2.6", r"^kimi-k2\.[56]")
KIMI_2_7 = Models("Kimi K2.7", r"^kimi-k2\.7")
KIMI_2_5_ON = Models("Kimi K2.5 and later", r"^kimi-(k2\.[5-9]|for-coding)")
MISTRAL = Models("Mistral", r"(?i)mi(ni)?stral")
NOT_OF_OPENAI = Models("DeepSeek and Kimi", r"(?i)^(deepseek|kimi)")
O1_MINI = Models("o1-mini, o1-preview", r"^o1-(mini|preview)")
O_SERIES = Models("o1, o3, o4", r"^o[134](-mini|-pro)?($|-20)")
OPENAI = Models("all of OpenAI", r"^(gpt-[3456]|o[134])")
QWEN_3_5 = Models("Qwen 3.5 and later", r"(?i)qwen-?(3\.[5-9]|[4-9])")
QWEN_3_OPEN = Models("the open models of Qwen 3", r"^qwen3-(\d+(\.\d+)?b|\d+b-a\d+b)$")
THINKING_OPENAI = Models(
    "o1, o3, o4, gpt-5, gpt-6-astra",
    r"^(o[134](-mini|-pro)?($|-20)|gpt-5(?![.\d]|-chat)|gpt-6-astra)",
)
