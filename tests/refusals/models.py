"""The models that rows speak of, by the form of their names; newer ones take after the newest."""

from __future__ import annotations

from tests.refusals.row import Models

CLAUDE_4_7 = Models(
    "Claude 4.7 and later",
    r"claude-(opus|sonnet|haiku|fable|mythos)-(4[-.](?:[7-9]|\d\d)(?!\d)|[5-9])",
)
CLAUDE = Models("Claude", "claude")
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
