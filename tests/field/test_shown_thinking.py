"""Thinking that one API shows unasked, and another only if asked."""

from typing import Final

import pytest

from tests.field.cases import Case, Request

_HI: Final = '"messages":[{"role":"user","content":"hi"}]}'
_CONTENTS: Final = '"contents":[{"role":"user","parts":[{"text":"hi"}]}]}'
_CLAUDE: Final = (
    '{"model":"%s","max_tokens":4096,"thinking":{"type":"enabled","budget_tokens":%d%s},'
)

CASES: Final[dict[str, Case]] = {
    "Gemini shows the thinking that Claude 4.5 would": Request(
        "diegosouzapw/OmniRoute#4180",
        "anthropic",
        "gemini",
        _CLAUDE % ("claude-sonnet-4-5", 2000, "") + _HI,
        '{"generationConfig":{"maxOutputTokens":4096,"thinkingConfig":{"includeThoughts":true,'
        '"thinkingBudget":2000}},' + _CONTENTS,
        model="gemini-2.5-flash",
    ),
    "it hides what Claude 4.7 would hide": Request(
        "diegosouzapw/OmniRoute#4180",
        "anthropic",
        "gemini",
        _CLAUDE % ("claude-opus-4-7", 2000, "") + _HI,
        '{"generationConfig":{"maxOutputTokens":4096,"thinkingConfig":{"thinkingBudget":2000}},'
        + _CONTENTS,
        model="gemini-2.5-flash",
    ),
    "and what the request hides": Request(
        "diegosouzapw/OmniRoute#4180",
        "anthropic",
        "gemini",
        _CLAUDE % ("claude-sonnet-4-5", 2000, ',"display":"omitted"') + _HI,
        '{"generationConfig":{"maxOutputTokens":4096,"thinkingConfig":{"includeThoughts":false,'
        '"thinkingBudget":2000}},' + _CONTENTS,
        model="gemini-2.5-flash",
    ),
    "no text is asked for where there is no thinking": Request(
        "diegosouzapw/OmniRoute#4180",
        "ollama",
        "gemini",
        '{"model":"qwen3","stream":false,"think":false,' + _HI,
        '{"generationConfig":{"thinkingConfig":{"thinkingBudget":0}},' + _CONTENTS,
        model="gemini-2.5-flash",
    ),
    "OpenAI, which shows it to verified organizations alone, is not asked": Request(
        "continuedev/continue#9779",
        "anthropic",
        "openai_responses",
        _CLAUDE % ("claude-sonnet-4-5", 2000, "") + _HI,
        '{"model":"gpt-5","store":false,"include":["reasoning.encrypted_content"],'
        '"max_output_tokens":4096,"reasoning":{"effort":"low"},"input":[{"role":"user","content":"hi"}]}',
        model="gpt-5",
        lost="thinking form",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_situation(name: str) -> None:
    CASES[name].check()
