"""The name of a model on Bedrock -> what it takes of a Converse request.

Converse has one form for the models of all makers, and answers what a model does not take with
status 400. Here stands what each maker's models take at this host. A new one is a row of `_ROWS`, a
new difference is a field of `Maker`. What Claude and Nova take at every host stands in
`wireglot.capabilities`.

Sources: AWS's pages on Converse, "Supported models and model features", 2025-08, on prompt caching
and on structured outputs; pydantic-ai 2.68, whose profiles were tried on the API in 2026; the
issues beside the rows.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, Literal, NamedTuple, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from ...capabilities import ANY, Capabilities, generation
from ...model import ThinkingLevel

LONGEST: Final = 300

Effort: TypeAlias = Literal[
    "", "effort", "claude", "reasoningConfig", "reasoning", "reasoning_effort", "reasoning_config"
]
"""Where the effort goes: nowhere; into `outputConfig`, for Claude beside its `thinking`; or into
`additionalModelRequestFields`, under this key."""
MEDIA: Final = frozenset({"image", "document", "video", "audio"})
"""The kinds of media."""
PLAIN: Final = "plain document"
"""A document without pages: text, Markdown, HTML or comma-separated values."""
RESULT: Final = "result"
"""A result of a tool, where blocks are told apart by what a cache point may follow."""
_IN_RESULTS: Final = frozenset({"image", "document", PLAIN, "video"})


class Maker(Struct, frozen=True, kw_only=True):
    """What models of one maker take at this host; by default all that Converse has a place for."""

    takes: Capabilities = ANY
    """What they take of thinking, sampling, tools, schemas and the system prompt."""
    is_claude: bool = False
    """Whether they are Anthropic's."""
    effort: Effort = "effort"
    top_k: Literal["", "top_k", "topK"] = ""
    """The name of `top_k`, which Nova has in an `inferenceConfig` of its own; empty for none."""
    stop: bool = True
    """Whether they take stop sequences."""
    marks: frozenset[str] = frozenset({"system", "messages", "tools"})
    """Where they take cache points."""
    hour: bool = True
    """Whether a cache point may last for an hour."""
    unmarked: frozenset[str] = frozenset()
    """The kinds of blocks that a cache point may not follow."""
    strict: bool = True
    """Whether tools may be strict."""
    named: bool = True
    """Whether a call of one tool can be forced, not only of any."""
    nine_letters: bool = False
    """Whether the ids of calls are nine letters and digits."""
    status: bool = True
    """Whether a result can be an error."""
    empty_results: bool = False
    """Whether a result may have no content."""
    in_results: frozenset[str] = _IN_RESULTS
    """The kinds of media that results may hold."""
    beside_results: frozenset[str] | None = None
    """The kinds of blocks that may share a turn with results; None for all."""
    texts_beside_calls: bool = True
    """Whether an answer may have text and calls in one turn."""
    media: frozenset[str] = MEDIA
    """The kinds of media that they take from a user."""
    s3: bool = True
    """Whether media may lie in S3."""
    citations: bool = True
    """Whether they cite documents."""
    thoughts: bool = True
    """Whether they take their thinking back."""
    thinks_while_forced: bool = True
    """Whether adaptive thinking goes with a call that is forced."""


class Row(NamedTuple):
    """The models whose names have a pattern, until the next row that they match."""

    pattern: str
    maker: Maker
    source: str
    """Where the facts are from, beside the pages above, and when they were seen there."""


_LOW, _MEDIUM, _HIGH = ThinkingLevel.LOW, ThinkingLevel.MEDIUM, ThinkingLevel.HIGH
_XHIGH, _MAX = ThinkingLevel.XHIGH, ThinkingLevel.MAX
_THREE: Final = (_LOW, _MEDIUM, _HIGH)
_PLAIN: Final = Capabilities(efforts=(), budgets=None, system_turns=False)
# No answer is held to a schema.
_FREE: Final = replace(_PLAIN, schemas=False, bedrock_schemas=False)
_ALWAYS: Final = replace(_PLAIN, rests=False)  # it thinks, and cannot be told how much
_BARE: Final = replace(_FREE, tools=False)
_DOCUMENTS: Final = frozenset({"document"})
_SEEN: Final = frozenset({"image", "document"})
_ALONE: Final[frozenset[str]] = frozenset()

_CLAUDE: Final = Maker(
    is_claude=True,
    effort="claude",
    top_k="top_k",
    unmarked=frozenset({PLAIN}),
    beside_results=frozenset({"text", "image"}),
    in_results=_SEEN | {PLAIN},
    media=_SEEN,
    s3=False,
    strict=False,
    empty_results=True,
)
_CLAUDE_SHORT: Final = replace(_CLAUDE, hour=False)
_CLAUDE_3: Final = replace(_CLAUDE_SHORT, marks=frozenset())
_CLAUDE_2: Final = replace(_CLAUDE_3, media=_DOCUMENTS, in_results=_ALONE)
_CLAUDE_STRICT: Final = replace(_CLAUDE, strict=True)
_NOVA: Final = Maker(
    effort="",
    top_k="topK",
    marks=frozenset({"system", "messages"}),
    hour=False,
    # BerriAI/litellm#17479, 2025-12; zeroclaw-labs/zeroclaw#8720, 2026-07: none after a result.
    unmarked=frozenset({"document", PLAIN, RESULT, "video"}),
    strict=False,
    in_results=frozenset({"image", PLAIN}),
    media=frozenset({"image", "document", "video"}),
    citations=False,
    thoughts=False,
)
_NOVA_MICRO: Final = replace(_NOVA, media=_ALONE, in_results=_ALONE, s3=False)
_NOVA_2: Final = replace(_NOVA, effort="reasoningConfig")
_OTHER: Final = Maker(
    takes=_PLAIN,
    effort="",
    marks=frozenset(),
    media=_SEEN,
    in_results=_SEEN | {PLAIN},
    s3=False,
    citations=False,
)
"""What most of the makers without a prompt cache have in common."""
_LOOSE: Final = replace(_OTHER, takes=_FREE, strict=False)
_TITAN: Final = replace(
    _LOOSE, takes=replace(_BARE, system=False), media=_DOCUMENTS, in_results=_ALONE
)
_LLAMA: Final = replace(
    _LOOSE,
    takes=replace(_FREE, forced=False),
    beside_results=_ALONE,
    texts_beside_calls=False,
)
_LLAMA_BLIND: Final = replace(_LLAMA, media=_DOCUMENTS, in_results=_DOCUMENTS | {PLAIN})
_LLAMA_3: Final = replace(_LLAMA_BLIND, takes=_BARE)
_MISTRAL: Final = replace(
    _OTHER,
    nine_letters=True,
    beside_results=_ALONE,
    media=_SEEN | {"audio"},
    in_results=_DOCUMENTS | {PLAIN},
)
_MISTRAL_2: Final = replace(_MISTRAL, takes=_FREE, strict=False, named=False)
_MISTRAL_BLIND: Final = replace(_MISTRAL_2, media=_DOCUMENTS)
_MISTRAL_7B: Final = replace(_MISTRAL_BLIND, takes=replace(_BARE, system=False))
_GPT_OSS: Final = replace(
    _OTHER,
    takes=replace(_PLAIN, efforts=_THREE, rests=False, unasked=True),
    effort="reasoning_effort",
    media=_DOCUMENTS,
    in_results=_DOCUMENTS | {PLAIN},
)
_GPT: Final = replace(
    _OTHER,
    takes=replace(_PLAIN, efforts=(*_THREE, _XHIGH, _MAX), unasked=True, sampling="never"),
    effort="reasoning",
    in_results=_ALONE,
)
_GPT_ALWAYS: Final = replace(_GPT, takes=replace(_GPT.takes, rests=False))
_GROK: Final = replace(
    _OTHER,
    takes=replace(_FREE, efforts=(*_THREE, _XHIGH), rests=False, unasked=True, sampling="never"),
    effort="reasoning",
)
_QWEN: Final = replace(_OTHER, stop=False, media=_ALONE, in_results=_ALONE)
_QWEN_3: Final = replace(_QWEN, takes=replace(_PLAIN, efforts=(_HIGH,)), effort="reasoning_config")
_QWEN_VL: Final = replace(_QWEN_3, media=frozenset({"image"}))
_DEEPSEEK: Final = replace(_OTHER, media=_DOCUMENTS, in_results=_DOCUMENTS | {PLAIN})
_R1: Final = replace(_DEEPSEEK, takes=replace(_ALWAYS, tools=False, schemas=False), thoughts=False)
_HIGH_ONLY: Final = replace(_PLAIN, efforts=(_HIGH,))
_DEEPSEEK_3_2: Final = replace(_DEEPSEEK, takes=_HIGH_ONLY, effort="reasoning_effort")
_GLM: Final = replace(_OTHER, takes=_HIGH_ONLY, effort="reasoning_effort")
_GLM_5_3: Final = replace(
    _GLM, takes=replace(_PLAIN, efforts=(*_THREE, _XHIGH, _MAX), rests=False, unasked=True)
)
_READS: Final = replace(_LOOSE, media=_DOCUMENTS, in_results=_DOCUMENTS | {PLAIN})
_WRITER: Final = replace(_READS, beside_results=_ALONE, status=False)
_KIMI: Final = replace(_OTHER, in_results=_ALONE)
_KIMI_ALWAYS: Final = replace(_KIMI, takes=_ALWAYS)

_ROWS: Final[tuple[Row, ...]] = (
    Row(r"anthropic\.claude", _CLAUDE, "BerriAI/litellm#33193, tried 2026-07"),
    Row(
        r"anthropic\.claude-(v2|instant)", _CLAUDE_2, "Supported models and model features, 2025-08"
    ),
    Row(r"anthropic\.claude-3-", _CLAUDE_SHORT, "earendil-works/pi#1570, 2026-02"),
    Row(
        r"anthropic\.claude-3-(opus|sonnet|haiku|5-sonnet-20240620)",
        _CLAUDE_3,
        "posit-dev/positron#12142, 2026-02; pensarai/apex#943, 2026-08",
    ),
    Row(
        r"anthropic\.claude-(opus|sonnet)-4-([01](?!\d)|20\d{6})",
        _CLAUDE_SHORT,
        "earendil-works/pi#1570, 2026-02",
    ),
    Row(
        r"anthropic\.claude-((opus|sonnet|haiku)-4-[56](?!\d)|opus-5(?!-\d\d?(?!\d)))",
        _CLAUDE_STRICT,
        "langchain-ai/langchain-aws#883, 2026-02; BerriAI/litellm#33193, tried 2026-07",
    ),
    Row(
        r"anthropic\.claude-opus-4-6(?!\d)",
        replace(_CLAUDE_STRICT, thinks_while_forced=False),
        "langchain-ai/langchain-aws#1151, 2026-07; Sonnet does: pydantic-ai#7960, tried 2026-08",
    ),
    Row(
        r"anthropic\.claude-opus-4-7(?!\d)",
        replace(_CLAUDE, thinks_while_forced=False),
        "langchain-ai/langchain-aws#1151 and #1141, 2026-07: from 4.8 on it does",
    ),
    Row(r"amazon\.nova", _NOVA, "NousResearch/hermes-agent#97289, 2026-08; inspect_ai#3939"),
    Row(r"amazon\.nova-micro", _NOVA_MICRO, "Supported models and model features, 2025-08"),
    Row(r"amazon\.nova-2", _NOVA_2, "UKGovernmentBEIS/inspect_ai#3461, 2026-03"),
    Row(r"amazon\.titan", _TITAN, "danny-avila/LibreChat#6456, 2025-03"),
    Row(r"meta\.llama", _LLAMA, "maximhq/bifrost#3196, 2026-05; langchain-aws#274, 2024-11"),
    Row(r"meta\.llama3", _LLAMA_BLIND, "Supported models and model features, 2025-08"),
    Row(r"meta\.llama3-2-(11|90)b", _LLAMA, "Supported models and model features, 2025-08"),
    Row(r"meta\.llama(2|3-(8|70)b|3-2-[13]b)", _LLAMA_3, "langchain-aws#175, 2024-09"),
    Row(r"(?<![a-z])mistral\.", _MISTRAL, "anomalyco/opencode#48843, tried 2026-09"),
    Row(r"mistral\.pixtral|mistral\.devstral", _MISTRAL_2, "langchain4j/langchain4j#4552"),
    Row(r"mistral\.mistral-(large|small)-24", _MISTRAL_BLIND, "langchain4j#4552, 2026-02"),
    Row(r"mistral\.mi(stral-7b|xtral)", _MISTRAL_7B, "567-labs/instructor#1753, 2025-07"),
    Row(r"openai\.gpt", _GPT, "anomalyco/opencode#48195, 2026-09; can1357/oh-my-pi#11685"),
    Row(r"openai\.gpt-6-astra|openai\.gpt-6\.1", _GPT_ALWAYS, "pydantic-ai 2.68"),
    Row(r"openai\.gpt-oss", _GPT_OSS, "pydantic-ai 2.68; recorded 2026-10"),
    Row(r"xai\.grok", _GROK, "pydantic-ai 2.68; langchain-aws#1239, 2026-08"),
    Row(r"(?<![a-z])qwen\.", _QWEN, "langgenius/dify-official-plugins#1767, 2025-09"),
    Row(r"qwen\.qwen3(?!-coder)", _QWEN_3, "pydantic-ai 2.68; recorded 2026-10"),
    Row(r"qwen\.qwen3-vl", _QWEN_VL, "pydantic-ai 2.68"),
    Row(r"deepseek\.", _DEEPSEEK, "pensarai/apex#943, 2026-08"),
    Row(r"deepseek\.r1", _R1, "langchain-ai/langchain-aws#447 and #401, 2025-04"),
    Row(r"deepseek\.v3-v1", replace(_DEEPSEEK, stop=False), "langchain-aws#664, 2025-10"),
    Row(r"deepseek\.v3\.2", _DEEPSEEK_3_2, "pydantic-ai 2.68"),
    Row(r"cohere\.command", _READS, "Supported models and model features, 2025-08"),
    Row(r"ai21\.", _READS, "Supported models and model features, 2025-08"),
    Row(r"ai21\.jamba-instruct", replace(_READS, takes=_BARE, media=_ALONE), "the same page"),
    Row(r"writer\.", _WRITER, "pydantic-ai 2.68"),
    Row(r"moonshot(ai)?\.", _KIMI, "pydantic-ai 2.68"),
    Row(r"kimi-k2-thinking", _KIMI_ALWAYS, "its name"),
    Row(r"minimax\.", replace(_OTHER, takes=_ALWAYS), "pydantic-ai 2.68"),
    Row(r"(?<![a-z])zai\.", _GLM, "pydantic-ai 2.68"),
    Row(r"zai\.glm-5\.3", _GLM_5_3, "pydantic-ai 2.68"),
    Row(r"nvidia\.", _OTHER, "BerriAI/litellm#39210, 2026-09"),
    Row(r"google\.gemma", _OTHER, "pydantic-ai 2.68"),
)
"""The rules of all models that are known; of two rows that match, the later counts."""

ANYONE: Final = Maker()
"""A maker that is not known: of a model that has a name of its owner's, for instance."""
_UNNAMED: Final = Maker(is_claude=True, effort="claude", top_k="top_k", empty_results=True)
"""Without a name, the model is taken for a Claude that takes all."""
_FAMILIES: Final = frozenset({"claude", "nova"})
"""The families that take here what they take elsewhere, but for what stands above."""


@lru_cache(maxsize=1024)
def of_model(name: str) -> Maker:
    """Return what a model takes, by the name that it has on Bedrock; empty if it has none.

    The name may have a region or an ARN before it, as `us.anthropic.claude-sonnet-4-6` has. Since
    what is found is kept, the caller cuts it after `LONGEST` characters.
    """
    known = name.lower()
    found = [row.maker for row in _ROWS if re.search(row.pattern, known)]
    unknown = _UNNAMED if "anthropic" in known or not known else ANYONE
    maker = found[-1] if found else unknown
    row = generation(name)
    if maker.takes is not ANY or row is None or row.family not in _FAMILIES:
        return maker
    return replace(maker, takes=row.takes)
