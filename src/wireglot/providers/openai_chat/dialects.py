"""The dialects of Chat Completions: how each service spells what the wire leaves open.

A file of its own, as it is data that blocks, requests and answers look into alike.

The decoder accepts all of them at once; the encoder writes one, chosen by name. Sources: the
services' own API references and SDKs, and vLLM's, llama.cpp's and Ollama's documentation of their
servers, November 2026.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from ..._body.field_types import refuser
from ..._registry import Dialects, Table
from ...model import ThinkingLevel
from .._across.routes import BEARER

_OFF, _MINIMAL, _LOW, _MEDIUM, _HIGH, _XHIGH, _MAX, _ULTRA = ThinkingLevel

_Efforts = Mapping[ThinkingLevel, str]
# Level -> its word on the wire. A level without one takes the nearest word, which is a loss.
_THREE: Final[_Efforts] = MappingProxyType({_LOW: "low", _MEDIUM: "medium", _HIGH: "high"})
_FIVE: Final[_Efforts] = MappingProxyType({_MINIMAL: "minimal", **_THREE, _XHIGH: "xhigh"})
_SIX: Final[_Efforts] = MappingProxyType({**_FIVE, _MAX: "max"})


class Service(Struct, frozen=True, kw_only=True):
    """How one service spells the wire."""

    path: str = "/v1/chat/completions"
    """The URL's, after the host."""
    key: tuple[str, str] = BEARER
    """The name of the header for the caller's key, and the text in it before the key."""
    limit: Literal["max_completion_tokens", "max_tokens"] = "max_completion_tokens"
    """The key of `max_tokens`."""
    user: Literal["user", "user_id", "safety_identifier"] = "user"
    """The key of `user_id`."""
    needs_model: bool = True
    """Whether a request must name a model."""
    stream_usage: bool = True
    """Whether a request must ask for a stream's usage, with `stream_options`."""
    lacks: frozenset[str] = frozenset({"top_k", "metadata"})
    """The parameters of `Request` that it does not know, but for `service_tier`: see `tiers`."""
    stores_metadata: bool = False
    """Whether metadata is taken only together with `store`."""
    tiers: frozenset[str] = frozenset()
    """What `service_tier` can be; empty if there is no such parameter."""
    adapts: bool = False
    """Whether the service itself leaves out what a model does not take."""
    families: frozenset[str] = frozenset({"gpt", "o"})
    """The models whose rules hold here: see `wireglot.capabilities`."""
    refuses: frozenset[str] = frozenset()
    """The keys of other services' bodies that it refuses or does not heed, and `Request` has no
    field for."""
    guessed: bool = False
    """Whether nobody knows what it refuses: keys that came over this wire pass, then."""
    explicit_cache: bool = False
    """Whether `prompt_cache_options` need the mode `explicit` (OpenRouter's SDK 1.3)."""
    author_names: bool = True
    """Whether a message can have the name of its author."""
    later_prompts: bool = True
    """Whether system messages may follow the first message of a conversation."""
    searches: bool = True
    """Whether a body can have OpenAI's `web_search_options`."""
    respelled: tuple[tuple[str, str], ...] = ()
    """The keys among those of other services that it has by another name."""
    schemas: bool = True
    """Whether an answer can be held to a JSON Schema."""

    choices: frozenset[str] = frozenset({"auto", "none", "required", "tool"})
    """What a tool choice can be; with `allowed`, `auto` and `required` can name some tools."""
    forced_while_thinking: bool = True
    """Whether a call can be forced while thinking is on."""
    thinks_unstreamed: bool = True
    """Whether thinking can be on where the answer is not a stream."""
    knows: frozenset[str] = frozenset()
    """OpenAI's features that it has: `custom` tools, the `developer` role, `refusal`, `voice`."""

    effort: Literal["reasoning_effort", "reasoning"] | None = "reasoning_effort"
    """The key that holds an effort; None if the service has none, whatever `efforts` says."""
    efforts: _Efforts = _SIX
    """Level -> its word; a level without one takes the nearest, which is a loss."""
    switch: Literal["thinking", "enable_thinking", "chat_template_kwargs", "reasoning"] | None = (
        None
    )
    """The key that turns thinking on and off.

    Without one, the effort `none` turns it off: a service that has efforts is taken to know that
    word. Where there is no effort, nothing turns it off.
    """
    budget: (
        Literal["reasoning", "thinking_budget", "thinking_token_budget", "thinking_budget_tokens"]
        | None
    ) = None
    """The key that limits thinking in tokens."""
    thinks: bool = True
    """Whether a request can say anything of thinking: how much, or whether it is shown."""
    shows: Literal["never", "always", "reasoning", "reasoning_format"] = "always"
    """Whether thinking comes back as text, or the key that decides it."""
    thinking: Literal["reasoning_content", "reasoning"] | None = None
    """The key under which a request sends an answer's thinking back; None if it is not taken."""
    details: bool = False
    """Whether requests send `reasoning_details` back too, and answers have them."""
    extra_content: bool = False
    """Whether calls have Gemini's signatures as `extra_content`, in requests those to a Gemini."""
    replays: bool = False
    """Whether an answer with calls must have its thinking, even if that is empty."""
    replays_text: bool = False
    """Whether an answer without calls must, too, where there are tools."""
    no_thinking: str = ""
    """What stands for thinking there if there is none."""
    no_text: Literal["null", "empty", "absent"] = "null"
    """What the `content` of an answer is that has calls alone."""

    cache: Literal["prompt_cache_breakpoint", "cache_control"] | None = None
    """The key of a breakpoint on a part."""
    media: frozenset[str] = frozenset({"image"})
    """What a user's message may hold beside text."""
    result_media: frozenset[str] = frozenset()
    """What a tool's message may hold beside text; other media follow it in a user message."""
    listed_results: bool = True
    """Whether a tool's message may be a list of parts; else its texts are joined by line feeds."""
    file_urls: bool = False
    """Whether a document can be a URL."""
    longest_id: int = 1 << 30
    """The most characters in the id of a call; a longer one is cut."""
    user_lengths: tuple[int, int] = (0, 128)
    """The fewest and the most characters in the id of a user under that key.

    A longer one is cut; only `user_id` and `safety_identifier` have such limits.
    """
    status_codes: bool = False
    """Whether the code of an error is its HTTP status, and an error in a stream is a chunk."""
    fingerprint: bool = False
    """Whether every answer has a `system_fingerprint`, which may be null."""

    @property
    def has_custom_tools(self) -> bool:
        """Whether a tool may take free text, or whether nobody knows."""
        return "custom" in self.knows or self.guessed


_OPENAI_KNOWS: Final = frozenset({"custom", "developer", "refusal", "voice"})
_OPENAI_MEDIA: Final = frozenset({"image", "audio", "document"})
_ALLOWED: Final = frozenset({"auto", "none", "required", "tool", "allowed"})
_IMAGE: Final = frozenset({"image"})

# The keys of bodies that have no field in `Request`, by who has them: OpenAI, and servers of open
# models.
_CACHE_KEYS: Final = frozenset(
    {"prompt_cache_key", "prompt_cache_retention", "prompt_cache_options"}
)
_SPOKEN: Final = frozenset({"audio", "modalities"})
_OPENAIS: Final = (
    _CACHE_KEYS | _SPOKEN | {"moderation", "prediction", "store", "verbosity", "logit_bias"}
)
_SAMPLERS: Final = frozenset({"min_p", "repetition_penalty", "typical_p", "min_tokens", "top_a"})
_OTHERS: Final = frozenset(
    # llama.cpp: tools/server/README.md, 2026-11; Perplexity: `PerplexityChatInput` of LangChain
    {"cache_prompt", "id_slot", "n_predict", "n_probs", "repeat_penalty"}
    | {"disable_search", "return_images", "return_related_questions", "search_domain_filter"}
    | {"search_mode", "search_recency_filter"}
)
"""What of llama.cpp's server and of Perplexity no other service has."""

_OWN: Final[Mapping[str, Service]] = MappingProxyType(
    {
        "openai": Service(
            user="safety_identifier",
            refuses=_SAMPLERS | _OTHERS,
            lacks=frozenset({"top_k"}),
            stores_metadata=True,
            tiers=frozenset({"auto", "default", "flex", "scale", "priority", "fast"}),
            choices=_ALLOWED,
            knows=_OPENAI_KNOWS,
            shows="never",
            efforts=_FIVE,
            cache="prompt_cache_breakpoint",
            media=_OPENAI_MEDIA,
            longest_id=40,
        ),
        "azure": Service(
            key=("api-key", ""),
            path="/openai/v1/chat/completions",
            needs_model=False,  # it may be in the URL
            refuses=_SAMPLERS | _OTHERS,
            lacks=frozenset({"top_k"}),
            stores_metadata=True,
            tiers=frozenset({"auto", "default", "priority"}),
            choices=_ALLOWED,
            knows=_OPENAI_KNOWS,
            shows="never",
            efforts=_FIVE,
            media=_OPENAI_MEDIA,
            longest_id=40,
        ),
        "openrouter": Service(
            path="/api/v1/chat/completions",
            adapts=True,
            explicit_cache=True,
            status_codes=True,
            fingerprint=True,
            families=frozenset(),
            refuses=frozenset(
                {"prompt_cache_retention", "moderation", "store", "min_tokens", "typical_p"}
            ),
            respelled=(("repeat_penalty", "repetition_penalty"),),
            lacks=frozenset(),
            tiers=frozenset({"auto", "default", "flex", "scale", "priority", "fast", "ultrafast"}),
            knows=frozenset({"developer", "refusal", "voice"}),
            effort="reasoning",
            switch="reasoning",
            budget="reasoning",
            shows="reasoning",
            thinking="reasoning",
            details=True,
            cache="cache_control",
            media=_OPENAI_MEDIA | {"video"},
            result_media=_OPENAI_MEDIA | {"video"},
            file_urls=True,
        ),
        "deepseek": Service(
            path="/chat/completions",
            limit="max_tokens",
            user="user_id",
            families=frozenset({"deepseek"}),
            refuses=_OPENAIS | _SAMPLERS | _OTHERS,
            searches=False,
            lacks=frozenset({"candidates", "metadata", "parallel_tool_calls", "seed", "top_k"}),
            schemas=False,
            forced_while_thinking=False,
            efforts=MappingProxyType({**_SIX, _ULTRA: "ultra"}),
            switch="thinking",
            thinking="reasoning_content",
            replays=True,
            replays_text=True,
            media=frozenset(),
            listed_results=False,
        ),
        "xai": Service(
            families=frozenset({"grok"}),
            refuses=(_OPENAIS - {"logit_bias", "prompt_cache_key"}) | _SAMPLERS | _OTHERS,
            searches=False,
            efforts=_THREE,
            thinking="reasoning_content",
        ),
        "groq": Service(
            path="/openai/v1/chat/completions",
            families=frozenset({"gpt-oss"}),
            refuses=_OPENAIS | _SAMPLERS | _OTHERS,
            author_names=False,
            searches=False,
            lacks=frozenset({"candidates", "logprobs", "metadata", "top_k", "top_logprobs"}),
            tiers=frozenset({"auto", "on_demand", "flex", "performance"}),
            knows=frozenset({"developer"}),
            efforts=_THREE,
            shows="reasoning_format",
            thinking="reasoning",
            result_media=_IMAGE,
        ),
        "zai": Service(
            path="/api/paas/v4/chat/completions",
            limit="max_tokens",
            user="user_id",
            stream_usage=False,
            families=frozenset({"glm"}),
            refuses=_OPENAIS | _SAMPLERS | _OTHERS,
            user_lengths=(6, 128),
            listed_results=False,
            searches=False,
            lacks=frozenset(
                {"candidates", "frequency_penalty", "logprobs", "metadata", "parallel_tool_calls"}
                | {"presence_penalty", "seed", "top_k", "top_logprobs"}
            ),
            schemas=False,
            choices=frozenset({"auto"}),
            efforts=MappingProxyType({**_THREE, _MAX: "max"}),
            switch="thinking",
            thinking="reasoning_content",
            media=frozenset({"image", "video"}),
        ),
        "qwen": Service(
            path="/compatible-mode/v1/chat/completions",
            limit="max_tokens",
            families=frozenset({"qwen"}),
            refuses=(_OPENAIS - _SPOKEN) | (_SAMPLERS - {"repetition_penalty"}),
            respelled=(("repeat_penalty", "repetition_penalty"),),
            searches=False,
            forced_while_thinking=False,
            listed_results=False,
            lacks=frozenset({"metadata"}),
            choices=frozenset({"auto", "none", "tool"}),
            effort=None,
            switch="enable_thinking",
            budget="thinking_budget",
            thinking="reasoning_content",
            media=frozenset({"image", "audio", "video"}),
        ),
        "vllm": Service(
            families=frozenset(),
            refuses=(_OPENAIS - _SPOKEN - {"logit_bias"}) | {"typical_p", "top_a"},
            respelled=(("repeat_penalty", "repetition_penalty"),),
            searches=False,
            lacks=frozenset({"metadata"}),
            efforts=_THREE,
            switch="chat_template_kwargs",
            budget="thinking_token_budget",
            thinking="reasoning",
            media=frozenset({"image", "audio", "video"}),
            result_media=_IMAGE,
        ),
        "llamacpp": Service(
            families=frozenset(),
            refuses=(_OPENAIS - {"logit_bias"}) | {"top_a", "min_tokens"},
            respelled=(("repetition_penalty", "repeat_penalty"),),
            searches=False,
            needs_model=False,
            lacks=frozenset({"metadata"}),
            choices=frozenset({"auto", "none", "required"}),
            budget="thinking_budget_tokens",
            thinking="reasoning_content",
            media=frozenset({"image", "audio"}),
            result_media=_IMAGE,
        ),
        "ollama": Service(
            limit="max_tokens",
            families=frozenset(),
            refuses=_OPENAIS | _SAMPLERS | _OTHERS,
            listed_results=False,
            searches=False,
            lacks=frozenset({"candidates", "metadata", "parallel_tool_calls", "top_k"}),
            choices=frozenset({"auto"}),
            efforts=_THREE,
            thinking="reasoning",
            no_text="empty",  # a text is always taken: pydantic/pydantic-ai#5206, 2026-04
        ),
        "generic": Service(
            limit="max_tokens",
            families=frozenset({"gpt", "o", "grok", "kimi"}),
            refuses=_OPENAIS,
            guessed=True,
            listed_results=False,
            thinking="reasoning_content",
            extra_content=True,
            media=_OPENAI_MEDIA,
        ),
    }
)
SERVICES: Final[Mapping[str, Service]] = Table(
    "wireglot.dialects", _OWN, _OWN.__getitem__, refuser(Service), prefix="openai_chat."
)
"""Every dialect by name, the default first; those of other distributions follow.

`generic` is what most servers understand.
"""
DIALECTS: Final = Dialects(_OWN, SERVICES)
"""Who speaks the wire."""

_AZURE: Final = _OWN["azure"]
_GENERIC: Final = _OWN["generic"]
_MOONSHOT: Final = replace(_GENERIC, switch="thinking", replays=True, no_thinking=" ")
_QWEN_TEMPLATE: Final = r"qwen-?(?:3[.-][5-9]|[4-9])"
VARIANTS: Final[Mapping[str, tuple[tuple[str, Service], ...]]] = MappingProxyType(
    {
        # It does not think, and takes its texts without; recorded in 2026-10.
        "deepseek": ((r"^deepseek-chat$", replace(_OWN["deepseek"], replays_text=False)),),
        "azure": (
            (
                r"(?:mi(?:ni)?|magi|code|dev)stral|pixtral",
                replace(
                    _OWN["azure"], limit="max_tokens", refuses=_OWN["azure"].refuses | _CACHE_KEYS
                ),
            ),
            (
                r"deepseek|kimi",
                replace(_AZURE, refuses=_AZURE.refuses | _CACHE_KEYS),
            ),
        ),
        "groq": (
            (
                r"^(?!deepseek)(?:.*(?:llama|kimi-k2-instruct|gemma|mi[sx]tral|allam|qwen-2\.5)"
                r"|(?:groq/)?compound)",
                replace(_OWN["groq"], thinks=False, thinking=None),
            ),
            (r"qwen", replace(_OWN["groq"], efforts=MappingProxyType({_HIGH: "default"}))),
        ),
        "qwen": (
            (
                r"^qwen3-(?:\d+(?:\.\d+)?b|\d+b-a\d+b)$",
                replace(_OWN["qwen"], thinks_unstreamed=False),
            ),
        ),
        "vllm": ((_QWEN_TEMPLATE, replace(_OWN["vllm"], later_prompts=False)),),
        "llamacpp": ((_QWEN_TEMPLATE, replace(_OWN["llamacpp"], later_prompts=False)),),
        "generic": (
            (
                r"(?<![/a-z])kimi-(?:k2\.[56]|for-coding)",
                replace(_MOONSHOT, forced_while_thinking=False),
            ),
            (r"(?<![/a-z])kimi-k(?:2\.7|[3-9])", _MOONSHOT),
            (_QWEN_TEMPLATE, replace(_GENERIC, later_prompts=False)),
            (r"gemini", replace(_GENERIC, no_text="absent")),
        ),
    }
)
"""Dialect -> patterns of models, each with the service as it is for them; the first counts.

Sources: pydantic/pydantic-ai#6593, 2026-07 (Mistral at Azure); zed-industries/zed#52000, 2026-03,
and vectorize-io/hindsight#3518, 2026-08 (cache keys at Azure); Groq's page on reasoning, 2026-07;
vercel/ai#8056, 2025-08, and diegosouzapw/OmniRoute#3258 and #12134, 2026-08 (Groq's others);
vllm-project/vllm#41114, 2026-04, and ggml-org/llama.cpp#20733, 2026-03 (the template of Qwen 3.5
and later); OpenBMB/UltraRAG#287, 2026-01 (open models at Qwen); mastra-ai/mastra#12592, 2026-02,
simstudioai/sim#5716, 2026-07, and pydantic-ai 2.68 (Moonshot); langchain-ai/langchain#30803,
2025-04, and odysseus-dev/odysseus#837, 2026-06 (Gemini takes neither null nor an empty text).
"""


def service_of(dialect: str, model: str | None) -> Service:
    """Return how a service spells the wire, for a model."""
    if model is None or dialect not in VARIANTS:
        return SERVICES[dialect]
    return _variant(dialect, model[:_LONGEST])


_LONGEST: Final = 300


@lru_cache(maxsize=256)
def _variant(dialect: str, model: str) -> Service:
    for pattern, service in VARIANTS[dialect]:
        if re.search(pattern, model.lower()):
            return service
    return SERVICES[dialect]
