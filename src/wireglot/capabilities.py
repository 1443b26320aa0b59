"""The name of a model -> what it takes of a request.

The types of a wire allow what its API refuses for one model or another: a body can be valid and
still be answered with status 400. What each generation takes stands in `GENERATIONS`, with the
source and the date of each rule. The encoders look it up, and report what they leave out.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, Literal, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from .model import ThinkingLevel

__all__ = ["ANY", "GENERATIONS", "Capabilities", "Generation", "generation", "of_model"]

_LONGEST: Final = 300
_OFF, _MINIMAL, _LOW, _MEDIUM, _HIGH, _XHIGH, _MAX, _ULTRA = ThinkingLevel


class Capabilities(Struct, frozen=True, kw_only=True):
    """What a model takes. By default everything that its wire has a place for."""

    efforts: tuple[ThinkingLevel, ...] | None = None
    """The levels of thinking that it takes; empty if it takes none, None if it takes all."""
    beside: tuple[ThinkingLevel, ...] = ()
    """The levels that it takes beside a budget, as an effort, on Anthropic's wires."""
    budgets: tuple[int, int] | None = (1, 1 << 31)
    """The fewest and the most tokens of a thinking budget; None if it takes no budget."""
    rests: bool = True
    """Whether thinking can be turned off."""
    unasked: bool = False
    """Whether it thinks if a request says nothing of thinking."""
    shows: bool = True
    """Whether it shows its thinking where a request does not say, on Anthropic's wires."""
    sampling: Literal["always", "at rest", "never"] = "always"
    """Whether it takes temperature, top_p and the like: `at rest` is while it does not think."""
    both: bool = True
    """Whether it takes temperature and top_p in one request."""
    penalties: Literal["always", "vertex", "never"] = "always"
    """Whether it takes penalties, on Chat Completions and Gemini's: `vertex` is Vertex AI alone."""
    stop: bool = True
    """Whether it takes stop sequences, on OpenAI's wires."""
    old_limit: bool = True
    """Whether it takes `max_tokens` under that name, on Chat Completions of OpenAI."""
    parallel: bool = True
    """Whether it can be told how many tools to call at a time, on OpenAI's wires."""
    tools: bool = True
    """Whether it takes functions."""
    chat_tools: Literal["always", "at rest", "never"] = "always"
    """Whether it does on Chat Completions: `at rest` is while it does not think."""
    forced: bool = True
    """Whether it can be made to call a tool, on Anthropic's wires, Chat's and Cohere's."""
    tokens: int = 1 << 31
    """The most tokens of an answer."""
    system: bool = True
    """Whether it takes a system prompt."""
    prefill: bool = True
    """Whether it goes on with an answer that a request ends with, on Anthropic's and Gemini's."""
    system_turns: bool = True
    """Whether it takes system messages after the first turn, on Anthropic's wires."""
    schemas: bool = True
    """Whether an answer can be held to a JSON Schema."""
    bedrock_schemas: bool = True
    """Whether it can on Bedrock."""
    optional: bool = True
    """Whether that, or a strict tool, may leave properties out, on OpenAI's wires."""
    verbosity: bool = True
    """Whether it takes any verbosity but the usual one, on OpenAI's wires."""
    unions: Literal["always", "responses", "never"] = "always"
    """Whether a tool's schema may be a union at the top: `responses` is on that wire alone."""
    breakpoints: bool = True
    """Whether it takes breakpoints of the prompt cache, on OpenAI's wires."""
    result_media: bool = True
    """Whether a tool's result can hold media, on Gemini's wire."""
    candidates: Literal["always", "vertex"] = "always"
    """Whether it gives several answers, on Gemini's wire."""
    logprobs: bool = True
    """Whether it tells log probabilities, on Gemini's wire."""
    json: Literal["always", "without tools", "never"] = "always"
    """Whether it can be held to JSON, on Gemini's wire."""
    vertex_ids: Literal["always", "own", "never"] = "always"
    """Whether Vertex AI takes the ids of its calls: `own` are those that came from there."""
    signed: bool = False
    """Whether it refuses calls that it is to go on from without a signature, on Gemini's wire."""
    detail: bool = True
    """Whether the resolution of an image can be chosen, on Gemini's wire."""
    images: bool = True
    """Whether it takes images, on OpenAI's wires."""
    searches: bool = True
    """Whether it searches the web by an option of Chat Completions."""
    lookaround: bool = True
    """Whether the pattern of a tool that is not strict may look around, on OpenAI's wires."""
    retentions: tuple[str, ...] | None = None
    """How long its prompt cache can be asked to last, on OpenAI's wires; None if any."""

    @property
    def thinks(self) -> bool:
        """Whether it can be asked to think."""
        return self.efforts != () or self.budgets is not None


ANY: Final = Capabilities()
"""What a model is taken to take whose name no generation has."""


class Generation(NamedTuple):
    """What the models of a family take from one version on, until the next row that they match.

    A name that is newer than all rows takes after the newest.
    """

    family: str
    since: tuple[int, int]
    only: str
    """A pattern that the name has, for some models of the generation; empty for all of them."""
    takes: Capabilities
    source: str
    """Where the rules are from, and when they were seen there."""


_THREE: Final = (_LOW, _MEDIUM, _HIGH)
_FOUR: Final = (*_THREE, _XHIGH)
_NO_THINKING: Final = Capabilities(efforts=(), budgets=None)
_CLAUDE: Final = replace(
    _NO_THINKING, tokens=4096, system_turns=False, schemas=False, unions="never"
)
_CLAUDE_3_5: Final = replace(_CLAUDE, tokens=8192)
_CLAUDE_3_7: Final = replace(_CLAUDE, budgets=(1024, 1 << 31), tokens=128_000)
_CLAUDE_4: Final = replace(_CLAUDE_3_7, tokens=64_000)
_OPUS_4: Final = replace(_CLAUDE_4, tokens=32_000)
_OPUS_4_1: Final = replace(_OPUS_4, both=False, schemas=True, bedrock_schemas=False)
_CLAUDE_4_5: Final = replace(_OPUS_4_1, tokens=64_000, bedrock_schemas=True)
_OPUS_4_5: Final = replace(_CLAUDE_4_5, beside=_THREE)
_CLAUDE_4_6: Final = replace(_CLAUDE_4_5, efforts=(*_THREE, _MAX), tokens=128_000, prefill=False)
_CLAUDE_4_7: Final = replace(
    _CLAUDE_4_6,
    efforts=(*_FOUR, _MAX),
    budgets=None,
    shows=False,
    sampling="never",
    bedrock_schemas=False,
)
_CLAUDE_4_8: Final = replace(_CLAUDE_4_7, system_turns=True)
_SONNET_5: Final = replace(_CLAUDE_4_8, system_turns=False)
_FABLE: Final = replace(_CLAUDE_4_8, rests=False)
_FABLE_5_1: Final = replace(_FABLE, forced=False)
_SONNET_5_5: Final = replace(_FABLE_5_1, system_turns=False)
_DAY: Final = ("24h",)
_GPT: Final = replace(
    _NO_THINKING,
    tokens=4096,
    schemas=False,
    optional=False,
    unions="never",
    breakpoints=False,
    images=False,
    searches=False,
    verbosity=False,
    retentions=("in_memory",),
)
_GPT_4: Final = replace(_GPT, tokens=32_768)
_GPT_4_TURBO: Final = replace(_GPT, images=True)
_CHATGPT_4O: Final = replace(_GPT_4, images=True)
_GPT_4O: Final = replace(_GPT_4_TURBO, tokens=16_384, schemas=True)
_SEARCH: Final = replace(_GPT_4O, sampling="never", searches=True)
_GPT_4_1: Final = replace(_GPT_4O, tokens=32_768, retentions=None)
_CHAT: Final = replace(_GPT_4_1, tokens=16_384, unions="responses")
_THINKER: Final = replace(
    _CHAT,
    tokens=128_000,
    verbosity=True,
    efforts=_THREE,
    rests=False,
    unasked=True,
    sampling="never",
    stop=False,
    old_limit=False,
)
_O: Final = replace(
    _THINKER,
    tokens=100_000,
    parallel=False,
    unions="never",
    verbosity=False,
    retentions=("in_memory",),
)
_O3_MINI: Final = replace(_O, images=False)
_O1_MINI: Final = replace(
    _O3_MINI, efforts=(), tokens=65_536, schemas=False, system=False, tools=False
)
_RESEARCH: Final = replace(_O, efforts=(_MEDIUM,))
_GPT_5: Final = replace(_THINKER, efforts=(_MINIMAL, *_THREE))
_SEARCH_5: Final = replace(_GPT_5, searches=True)
_PRO_5: Final = replace(_THINKER, efforts=(_HIGH,), tokens=272_000)
_FIXED: Final = replace(_THINKER, efforts=(_MEDIUM,), tokens=16_384)
_GPT_5_1: Final = replace(_THINKER, rests=True, unasked=False, sampling="at rest")
_GPT_5_2: Final = replace(_GPT_5_1, efforts=_FOUR)
_CODEX_5_1: Final = replace(_THINKER, verbosity=False)
_CODEX_5_2: Final = replace(_CODEX_5_1, efforts=_FOUR)
_PRO_5_2: Final = replace(_THINKER, efforts=_FOUR[1:])
_GPT_5_4: Final = replace(_GPT_5_2, chat_tools="at rest", lookaround=False)
_PRO_5_4: Final = replace(_PRO_5_2, lookaround=False)
_GPT_5_5: Final = replace(_GPT_5_4, unasked=True, retentions=_DAY)
_PRO_5_5: Final = replace(_PRO_5_4, retentions=_DAY)
_GPT_5_6: Final = replace(_GPT_5_5, efforts=(*_FOUR, _MAX), breakpoints=True)
_GPT_6: Final = replace(_GPT_5_6, rests=False, sampling="never", chat_tools="never")
_GPT_OSS: Final = Capabilities(efforts=_THREE, budgets=None, rests=False)
_GROK_4: Final = replace(_NO_THINKING, rests=False, penalties="never", stop=False)
_GROK_PLAIN: Final = replace(_NO_THINKING, penalties="never")
_GROK_4_3: Final = Capabilities(efforts=_THREE, budgets=None, penalties="never", stop=False)
_GROK_3_MINI: Final = replace(_GROK_4_3, efforts=(_LOW, _HIGH), unasked=True)
_GROK_4_5: Final = replace(_GROK_4_3, rests=False, unasked=True)
_GLM_5_2: Final = replace(ANY, rests=False)
_GLM_5_3: Final = replace(_GLM_5_2, efforts=(_LOW, _HIGH, _MAX))
_UNASKED: Final = replace(ANY, unasked=True)
_KIMI: Final = replace(_UNASKED, sampling="never")
_KIMI_2_7: Final = replace(_KIMI, rests=False, forced=False)
_KIMI_3: Final = replace(_KIMI, efforts=(_LOW, _HIGH, _MAX), rests=False)
_GEMINI: Final = replace(
    _NO_THINKING,
    tokens=8192,
    result_media=False,
    json="without tools",
    vertex_ids="never",
    detail=False,
)
_GEMINI_2_5: Final = replace(_GEMINI, tokens=65_536, penalties="vertex")
_FLASH_2_5: Final = replace(_GEMINI_2_5, budgets=(1, 24_576))
_LITE_2_5: Final = replace(_GEMINI_2_5, budgets=(512, 24_576))
_PRO_2_5: Final = replace(_GEMINI_2_5, budgets=(128, 32_768), rests=False)
_GEMINI_3: Final = Capabilities(
    efforts=(_MINIMAL, *_THREE),
    rests=False,
    tokens=65_536,
    penalties="never",
    candidates="vertex",
    logprobs=False,
    signed=True,
    vertex_ids="own",
)
_PRO_3: Final = replace(_GEMINI_3, efforts=(_LOW, _HIGH))
_THREE_LEVELS: Final = replace(_GEMINI_3, efforts=_THREE)
_IMAGE_3_1: Final = replace(_GEMINI_3, efforts=(_MINIMAL, _HIGH))
_GEMINI_3_5: Final = replace(_GEMINI_3, vertex_ids="always")
_PRO_3_5: Final = replace(_GEMINI_3_5, efforts=_THREE)
_IMAGE_3_5: Final = replace(_GEMINI_3_5, efforts=(_MINIMAL, _HIGH))
_GEMINI_3_6: Final = replace(_GEMINI_3_5, sampling="never", prefill=False)
_PRO_3_6: Final = replace(_GEMINI_3_6, efforts=_THREE)
_IMAGE_3_6: Final = replace(_GEMINI_3_6, efforts=(_MINIMAL, _HIGH))
_GEMMA: Final = replace(_GEMINI, system=False, tools=False, json="never")
_GEMMA_4: Final = Capabilities(efforts=(_MINIMAL, _HIGH), budgets=None, rests=False)
_NOVA_2: Final = Capabilities(
    efforts=_THREE, budgets=None, system_turns=False, schemas=False, bedrock_schemas=False
)
_NOVA: Final = replace(_NOVA_2, efforts=(), tokens=10_000)
_MISTRAL: Final = Capabilities(efforts=(_HIGH,), budgets=None)
_MAGISTRAL: Final = replace(_NO_THINKING, rests=False)
_COMMAND_R: Final = replace(ANY, forced=False)
_SWITCHED: Final = replace(ANY, efforts=())

_MODELS_DEV: Final = "models.dev, 2026-07"
_MISTRALS_4: Final = "^mistral-(small|medium|vibe)"
_PYDANTIC: Final = "pydantic-ai, profiles/openai.py, tried on the API in 2026-07"
GENERATIONS: Final[tuple[Generation, ...]] = (
    Generation("claude", (0, 0), "", _CLAUDE, _MODELS_DEV),
    Generation("claude", (3, 5), "", _CLAUDE_3_5, _MODELS_DEV),
    Generation("claude", (3, 7), "", _CLAUDE_3_7, _MODELS_DEV),
    Generation("claude", (4, 0), "", _CLAUDE_4, _MODELS_DEV),
    Generation("claude", (4, 0), "opus", _OPUS_4, _MODELS_DEV),
    Generation("claude", (4, 1), "", _OPUS_4_1, "aws-samples/bedrock-chat#979; recorded 2026-10"),
    Generation("claude", (4, 5), "", _CLAUDE_4_5, "natively-cluely-ai-assistant#54, 2026-03"),
    Generation("claude", (4, 5), "opus", _OPUS_4_5, "Oaklight/llm-rosetta#289, 2026-06"),
    Generation("claude", (4, 6), "", _CLAUDE_4_6, "lidge-jun/opencodex#65, tried 2026-07"),
    Generation("claude", (4, 7), "", _CLAUDE_4_7, "aws-samples/bedrock-chat#1102, 2026-06"),
    Generation("claude", (4, 8), "", _CLAUDE_4_8, "lingua, capabilities.rs, tried 2026-07"),
    Generation("claude", (5, 0), "sonnet", _SONNET_5, "mid-conversation-system-messages, 2026-10"),
    Generation("claude", (5, 0), "fable|mythos", _FABLE, "lingua, capabilities.rs, tried 2026-07"),
    Generation("claude", (5, 1), "fable|mythos", _FABLE_5_1, "anthropics/claude-cookbooks#854"),
    Generation("claude", (5, 5), "opus|sonnet", _FABLE_5_1, "What's new in Opus 5.5, 2026-09"),
    Generation(
        "claude", (5, 5), "sonnet", _SONNET_5_5, "mid-conversation-system-messages, 2026-10"
    ),
    Generation("gpt", (0, 0), "", _GPT, "OpenAI's guide to structured outputs, 2026-06"),
    Generation("gpt", (4, 0), "", _GPT_4, _MODELS_DEV),
    Generation("gpt", (4, 0), "turbo|preview|^gpt-4o", _GPT_4_TURBO, "NextChat#3195, 2023-11"),
    Generation("gpt", (4, 0), "^gpt-4o(?!-2024-05-13)", _GPT_4O, _PYDANTIC),
    Generation("gpt", (4, 0), "-search-preview", _SEARCH, "vercel/ai#5609, 2025-04"),
    Generation("gpt", (4, 0), "^chatgpt-4o", _CHATGPT_4O, _MODELS_DEV),
    Generation("gpt", (4, 1), "", _GPT_4_1, "BoundaryML/baml#2708, 2025-11"),
    Generation("gpt", (5, 0), "", _GPT_5, "FlowiseAI/Flowise#5046, 2025-08"),
    Generation("gpt", (5, 0), "codex", _THINKER, _MODELS_DEV),
    Generation("gpt", (5, 0), "-pro", _PRO_5, "opencode#3474, 2025-10"),
    Generation("gpt", (5, 0), "5-chat", _CHAT, _PYDANTIC),
    Generation("gpt", (5, 0), "5-search-api", _SEARCH_5, "docs.litellm.ai, web search, 2026-11"),
    Generation("gpt", (5, 1), "", _GPT_5_1, "openai/openai-agents-python#2089, 2025-11"),
    Generation("gpt", (5, 1), "codex", _CODEX_5_1, "big-AGI#947, 2026-01"),
    Generation("gpt", (5, 1), "codex-max", _CODEX_5_2, _MODELS_DEV),
    Generation("gpt", (5, 1), "-chat", _FIXED, "egoist/chatwise-releases#1257, 2026-02"),
    Generation("gpt", (5, 2), "", _GPT_5_2, _PYDANTIC),
    Generation("gpt", (5, 2), "codex", _CODEX_5_2, _MODELS_DEV),
    Generation("gpt", (5, 2), "-pro", _PRO_5_2, _MODELS_DEV),
    Generation("gpt", (5, 2), "-chat", _FIXED, "egoist/chatwise-releases#1257, 2026-02"),
    Generation("gpt", (5, 3), "codex", _GPT_5_2, _PYDANTIC),
    Generation("gpt", (5, 4), "", _GPT_5_4, "pipecat-ai/pipecat#4043, 2026-03"),
    Generation("gpt", (5, 4), "-pro", _PRO_5_4, _MODELS_DEV),
    Generation("gpt", (5, 5), "", _GPT_5_5, _PYDANTIC),
    Generation("gpt", (5, 5), "-pro", _PRO_5_5, _MODELS_DEV),
    Generation("gpt", (5, 6), "", _GPT_5_6, "BerriAI/litellm#34569, 2026-07; openai-python 3.52"),
    Generation("gpt", (6, 0), "", _GPT_6, "genkit-ai/genkit#6303, tried 2026-09"),
    Generation("gpt", (6, 0), "sol|luna", _GPT_5_6, "OpenAI's deployment checklist, 2026-11"),
    Generation("gpt", (6, 1), "", _GPT_6, "OpenAI's deployment checklist, 2026-11"),
    Generation("gpt", (6, 1), "terra", _GPT_5_6, "pydantic-ai 2.68, profiles/openai.py"),
    Generation("gpt", (6, 2), "", _GPT_6, "OpenAI's deployment checklist, 2026-11"),
    Generation("o", (1, 0), "", _O, "langchain-ai/langgraph-supervisor-py#125, 2025-04"),
    Generation("o", (1, 0), "^o1-(mini|preview)", _O1_MINI, "inspect_ai#1290; recorded 2026-10"),
    Generation("o", (3, 0), "^o3-mini", _O3_MINI, "machine-theory/lm-council#14, 2025-05"),
    Generation("o", (3, 0), "deep-research", _RESEARCH, "anomalyco/opencode#26273, 2026-05"),
    Generation("gpt-oss", (0, 0), "", _GPT_OSS, "Groq's page on reasoning, 2026-07"),
    Generation("grok", (0, 0), "", _NO_THINKING, "BerriAI/litellm#16265, 2025-11"),
    Generation("grok", (0, 0), "code-fast", _GROK_4, "NousResearch/hermes-agent#23435, 2026-05"),
    Generation("grok", (3, 0), "mini", _GROK_3_MINI, "lobehub/lobehub#7370, 2025-04"),
    Generation("grok", (4, 0), "", _GROK_4, "BerriAI/litellm#16265, 2025-11"),
    Generation("grok", (4, 0), "non-reasoning", _GROK_PLAIN, "lobehub/lobehub#13332, 2026-03"),
    Generation("grok", (4, 3), "", _GROK_4_3, "NousResearch/hermes-agent#23088, 2026-05"),
    Generation("grok", (4, 5), "", _GROK_4_5, "mnfst/modelparams.dev#330, 2026-08"),
    Generation("grok", (4, 20), "", _GROK_4, "charmbracelet/catwalk#181, 2026-02"),
    Generation("grok", (4, 20), "multi-agent", _GROK_4_3, "hermes-agent#23088, 2026-05"),
    Generation("grok", (4, 20), "non-reasoning", _GROK_PLAIN, "NativeTavern#83, 2026-09"),
    Generation("glm", (5, 2), "", _GLM_5_2, "NousResearch/hermes-agent#96373, 2026-09"),
    Generation("glm", (5, 3), "", _GLM_5_3, "charmbracelet/catwalk#603, 2026-09"),
    Generation("kimi", (0, 0), "for-coding", _KIMI, "NousResearch/hermes-agent#12668, 2026-04"),
    Generation("kimi", (2, 5), "", _KIMI, "HKUDS/nanobot#4967, 2026-07"),
    Generation("kimi", (2, 7), "", _KIMI_2_7, "UKGovernmentBEIS/inspect_ai#5152, 2026-08"),
    Generation("kimi", (3, 0), "", _KIMI_3, "simstudioai/sim#5716, tried 2026-07"),
    Generation("deepseek", (4, 0), "", _UNASKED, "BerriAI/litellm#37470, 2026-08"),
    Generation("qwen", (3, 5), "", _UNASKED, "can1357/oh-my-pi#886, 2026-06"),
    Generation("gemini", (0, 0), "", _GEMINI, "google-gemini/gemini-cli#19436, 2026-02"),
    Generation("gemini", (2, 5), "", _FLASH_2_5, "su-kaka/gcli2api#108, 2025-11"),
    Generation("gemini", (2, 5), "lite", _LITE_2_5, "earendil-works/pi#2838, 2026-04"),
    Generation("gemini", (2, 5), "pro", _PRO_2_5, "snailyp/gemini-balance#206, 2025-07"),
    Generation("gemini", (2, 5), "image|tts|audio", _GEMINI_2_5, _MODELS_DEV),
    Generation("gemini", (3, 0), "", _GEMINI_3, "withceleste/celeste-python#292, 2026-06"),
    Generation("gemini", (3, 0), "pro", _PRO_3, "egoist/chatwise-releases#1206, 2025-12"),
    Generation("gemini", (3, 1), "pro", _THREE_LEVELS, _MODELS_DEV),
    Generation("gemini", (3, 1), "image", _IMAGE_3_1, "CLIProxyAPI#1734, 2026-02"),
    Generation("gemini", (3, 5), "", _GEMINI_3_5, "anomalyco/opencode#50504, tried 2026-09"),
    Generation("gemini", (3, 5), "pro", _PRO_3_5, _MODELS_DEV),
    Generation("gemini", (3, 5), "image", _IMAGE_3_5, "CLIProxyAPI#1734, 2026-02"),
    Generation("gemini", (3, 5), "flash-lite", _GEMINI_3_6, "LibreChat-AI/agents#323, 2026-07"),
    Generation("gemini", (3, 6), "", _GEMINI_3_6, "langchain-ai/langchain-google#1897, 2026-07"),
    Generation("gemini", (3, 6), "pro", _PRO_3_6, _MODELS_DEV),
    Generation("gemini", (3, 6), "image", _IMAGE_3_6, "CLIProxyAPI#1734, 2026-02"),
    Generation("gemini", (3, 7), "flash(?!-lite)", _PRO_3_6, "litellm-docs#1505, 2026-09"),
    Generation("gemma", (0, 0), "", _GEMMA, "rig#788, 2025-09; BerriAI/litellm#10313, 2025-04"),
    Generation("gemma", (4, 0), "", _GEMMA_4, "earendil-works/pi#2812, aduermael/herm#23, 2026-04"),
    Generation("nova", (0, 0), "", _NOVA, "BerriAI/litellm#23198, 2026-03"),
    Generation("nova", (2, 0), "", _NOVA_2, "UKGovernmentBEIS/inspect_ai#3461, 2026-03"),
    Generation("mistral", (0, 0), "", _NO_THINKING, "NousResearch/hermes-agent#11243, 2026-04"),
    Generation("mistral", (26, 3), "^mistral-small", _MISTRAL, "vercel/ai#13688, 2026-03"),
    Generation("mistral", (26, 4), _MISTRALS_4, _MISTRAL, "celeste-python#311, tried 2026-07"),
    Generation("magistral", (0, 0), "", _MAGISTRAL, "NousResearch/hermes-agent#11243, 2026-04"),
    Generation("magistral", (26, 6), "small", _MISTRAL, "spring-projects/spring-ai#6208, 2026-05"),
    Generation("command", (0, 0), "r(-plus)?(-0[0-9]-2024)?$", _COMMAND_R, "cohere-python 7.3"),
    Generation("qwen3", (0, 0), "", _SWITCHED, "ollama/ollama#12561, 2025-10"),
    Generation("deepseek-r1", (0, 0), "", replace(_SWITCHED, tools=False), "ollama#15023, 2026-03"),
    Generation("llama3", (0, 0), "", _NO_THINKING, "taketwo/llm-ollama#54, 2025-07"),
    Generation("gemma3", (0, 0), "", replace(_NO_THINKING, tools=False), "picobot#6, 2026-02"),
)
"""The rules of all models that are known; of two rows that match, the later counts."""

# A version is a number of one or two digits: what follows may be a date, which is the version of
# Mistral's models; of these a name without one is the newest. Azure writes `gpt-35`, Databricks
# `gpt-5-2` and `gemini-2-5-pro`. Where others serve Kimi, its maker is in the name. Ollama's own
# models have no owner before their name.
_NAME: Final = re.compile(
    r"(?<![a-z])(?:chat)?(?:"
    r"(?<!/)(qwen3|deepseek-r1|llama3|gemma3)(?:\.\d)?(?=:|$)"
    r"|(claude)-(?:instant-v|v|[a-z]+-)?(\d\d?)(?:[.-](\d\d?))?(?!\d)"
    r"|(gpt)-(\d)(?:\.(\d\d?)|-(\d)(?![\da-z.])|(5)(?=-turbo))?(?!\d)"
    r"|(o)(\d)(?![\da-z])"
    r"|(gpt-oss)"
    r"|(grok|glm)-(?:(\d)(?:[.-](\d\d?))?(?!\d)|(?=code-fast))"
    r"|(?<!/)(kimi)-(?:k(\d)(?:\.(\d\d?))?(?!\d)|(?=for-coding))"
    r"|(deepseek)-v(\d)(?:\.(\d))?(?!\d)"
    r"|(qwen)-?(\d)(?:\.(\d))?(?!\d)"
    r"|(gemini|gemma)-(\d)(?:\.(\d)|-(\d)(?![\da-z.]))?(?!\d)"
    r"|(nova)-(?:[a-z]+-v)?(\d)"
    r"|(magistral|ministral|mi[sx]tral|codestral|devstral|pixtral|voxtral)-"
    r"(?:[a-z]+-)*(?:(\d\d)(\d\d)(?!\d))?"
    r"|(command)-[ar]"
    r")"
)
_NEWEST: Final = (99, 0)
_MISTRALS: Final = frozenset(
    {"codestral", "devstral", "ministral", "mixtral", "pixtral", "voxtral"}
)
"""What Mistral calls models that take what those of the family `mistral` do."""


def of_model(model: str | None) -> Capabilities:
    """Return what a model takes, by its name; everything for a name that no family has.

    The name may have anything around it, as clouds and routers write it:
    `us.anthropic.claude-sonnet-4-5-20250929-v1:0`, `claude-opus-4-1@20250805`,
    `anthropic/claude-4.6-opus`, `models/gemini-2.5-pro`, `openai/gpt-5.1-codex`.
    """
    row = generation(model)
    return ANY if row is None else row.takes


def generation(model: str | None) -> Generation | None:
    """Return the row of `GENERATIONS` that a model has its rules from, None for an unknown name."""
    return _row(model[:_LONGEST]) if model is not None else None


@lru_cache(maxsize=1024)
def _row(model: str) -> Generation | None:
    found = _NAME.search(model.lower())
    if found is None:
        return None
    family, *numbers = (part for part in found.groups() if part)
    family = "mistral" if family in _MISTRALS else family
    unnumbered = _NEWEST if family in ("mistral", "magistral") else (0, 0)
    version = (int(numbers[0]), int(numbers[1] if numbers[1:] else 0)) if numbers else unnumbered
    name = found.string[found.start() :]
    last = None
    for row in GENERATIONS:
        if row.family != family or row.since > version:
            continue
        if not row.only or re.search(row.only, name):
            last = row
    return last
