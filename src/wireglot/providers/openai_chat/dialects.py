"""The dialects of Chat Completions: how each service spells what the wire leaves open.

A file of its own, as it is data that blocks, requests and answers look into alike.

The decoder accepts all of them at once; the encoder writes one, chosen by name. Sources: the
services' own API references and SDKs, and vLLM's, llama.cpp's and Ollama's documentation of their
servers, November 2026.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal

from msgspec import Struct

from ..._body.field_types import refuser
from ..._registry import Dialects, Table
from ...model import ThinkingLevel
from .._across.openai_keys import SHARED
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
    schemas: bool = True
    """Whether an answer can be held to a JSON Schema."""

    choices: frozenset[str] = frozenset({"auto", "none", "required", "tool"})
    """What a tool choice can be; with `allowed`, `auto` and `required` can name some tools."""
    forced_while_thinking: bool = True
    """Whether a call can be forced while thinking is on."""
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

    cache: Literal["prompt_cache_breakpoint", "cache_control"] | None = None
    """The key of a breakpoint on a part."""
    media: frozenset[str] = frozenset({"image"})
    """What a user's message may hold beside text."""
    result_media: frozenset[str] = frozenset()
    """What a tool's message may hold beside text; other media follow it in a user message."""
    file_urls: bool = False
    """Whether a document can be a URL."""
    shares: frozenset[str] = frozenset()
    """The keys of Responses that it has too."""
    longest_id: int = 1 << 30
    """The most characters in the id of a call; a longer one is cut."""
    status_codes: bool = False
    """Whether the code of an error is its HTTP status, and an error in a stream is a chunk."""
    fingerprint: bool = False
    """Whether every answer has a `system_fingerprint`, which may be null."""


_OPENAI_KNOWS: Final = frozenset({"custom", "developer", "refusal", "voice"})
_OPENAI_MEDIA: Final = frozenset({"image", "audio", "document"})
_ALLOWED: Final = frozenset({"auto", "none", "required", "tool", "allowed"})
_IMAGE: Final = frozenset({"image"})

_OWN: Final[Mapping[str, Service]] = MappingProxyType(
    {
        "openai": Service(
            user="safety_identifier",
            lacks=frozenset({"top_k"}),
            stores_metadata=True,
            tiers=frozenset({"auto", "default", "flex", "scale", "priority", "fast"}),
            choices=_ALLOWED,
            knows=_OPENAI_KNOWS,
            shows="never",
            efforts=_FIVE,
            cache="prompt_cache_breakpoint",
            media=_OPENAI_MEDIA,
            shares=SHARED,
            longest_id=40,
        ),
        "azure": Service(
            key=("api-key", ""),
            path="/openai/v1/chat/completions",
            needs_model=False,  # it may be in the URL
            lacks=frozenset({"top_k"}),
            stores_metadata=True,
            tiers=frozenset({"auto", "default", "priority"}),
            choices=_ALLOWED,
            knows=_OPENAI_KNOWS,
            shows="never",
            efforts=_FIVE,
            media=_OPENAI_MEDIA,
            shares=SHARED,
            longest_id=40,
        ),
        "openrouter": Service(
            path="/api/v1/chat/completions",
            adapts=True,
            status_codes=True,
            fingerprint=True,
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
            lacks=frozenset({"candidates", "metadata", "parallel_tool_calls", "seed", "top_k"}),
            schemas=False,
            forced_while_thinking=False,
            efforts=MappingProxyType({**_SIX, _ULTRA: "ultra"}),
            switch="thinking",
            thinking="reasoning_content",
            replays=True,
            media=frozenset(),
        ),
        "xai": Service(efforts=_THREE, thinking="reasoning_content"),
        "groq": Service(
            path="/openai/v1/chat/completions",
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
            lacks=frozenset({"metadata"}),
            choices=frozenset({"auto", "none", "tool"}),
            effort=None,
            switch="enable_thinking",
            budget="thinking_budget",
            thinking="reasoning_content",
            media=frozenset({"image", "audio", "video"}),
        ),
        "vllm": Service(
            lacks=frozenset({"metadata"}),
            efforts=_THREE,
            switch="chat_template_kwargs",
            budget="thinking_token_budget",
            thinking="reasoning",
            media=frozenset({"image", "audio", "video"}),
            result_media=_IMAGE,
        ),
        "llamacpp": Service(
            lacks=frozenset({"metadata"}),
            choices=frozenset({"auto", "none", "required"}),
            budget="thinking_budget_tokens",
            thinking="reasoning_content",
            media=frozenset({"image", "audio"}),
            result_media=_IMAGE,
        ),
        "ollama": Service(
            limit="max_tokens",
            lacks=frozenset({"candidates", "metadata", "parallel_tool_calls", "top_k"}),
            choices=frozenset({"auto"}),
            efforts=_THREE,
            thinking="reasoning",
        ),
        "generic": Service(
            limit="max_tokens",
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
