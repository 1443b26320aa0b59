"""The dialects of Responses: how each service spells what the wire leaves open.

A file of its own, as it is data that blocks, requests and answers look into alike.

The decoder accepts all of them at once; the encoder writes one, chosen by name. Sources: the API
references of OpenAI, Azure, xAI and OpenRouter, November 2026.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal

from msgspec import Struct

from ..._body.field_types import refuser
from ..._registry import Dialects, Table
from ...model import ThinkingLevel
from .._across.routes import BEARER

_OFF, _MINIMAL, _LOW, _MEDIUM, _HIGH, _XHIGH, _MAX, _ULTRA = ThinkingLevel

_Efforts = Mapping[ThinkingLevel, str]
# Level -> its word on the wire. A level without one takes the nearest word, which is a loss.
_THREE: Final[_Efforts] = MappingProxyType({_LOW: "low", _MEDIUM: "medium", _HIGH: "high"})
_SIX: Final[_Efforts] = MappingProxyType(
    {_MINIMAL: "minimal", **_THREE, _XHIGH: "xhigh", _MAX: "max"}
)
_SAMPLING: Final = frozenset({"frequency_penalty", "presence_penalty", "stop", "top_k"})


_SHARED: Final[Mapping[str, str]] = MappingProxyType(
    {
        "moderation": "moderation",
        "prompt_cache_key": "prompt_cache_key",
        "prompt_cache_options": "prompt_cache_options",
        "prompt_cache_retention": "prompt_cache_retention",
        "store": "store",
        "verbosity": "text.verbosity",
    }
)


def _some(*names: str) -> Mapping[str, str]:
    return MappingProxyType({name: _SHARED[name] for name in names})


class Service(Struct, frozen=True, kw_only=True):
    """How one service spells the wire."""

    path: str = "/v1/responses"
    """The URL's, after the host."""
    key: tuple[str, str] = BEARER
    """The name of the header for the caller's key, and the text in it before the key."""
    adapts: bool = False
    """Whether the service itself leaves out what a model does not take."""
    families: frozenset[str] = frozenset({"gpt", "o"})
    """The models whose rules hold here: see `wireglot.capabilities`."""
    lacks: frozenset[str] = _SAMPLING
    """The parameters of `Request` that it does not know, beside those that no service knows."""
    least_tokens: int = 1
    """The lowest `max_output_tokens` that it takes."""
    user: Literal["safety_identifier", "user"] = "safety_identifier"
    """The key of `user_id`."""
    tiers: frozenset[str] = frozenset()
    """What `service_tier` can be."""
    efforts: _Efforts = _SIX
    """Level -> its word; a level without one takes the nearest, which is a loss."""
    budgets: bool = False
    """Whether thinking can be limited in tokens."""
    logprobs: Literal["include", "logprobs", "top_logprobs"] = "include"
    """The key that asks for logprobs; `top_logprobs` if there is only that one."""
    most_logprobs: int = 20
    """The highest `top_logprobs` that it takes."""
    custom: bool = False
    """Whether there are calls of custom tools, with free text."""
    reasoning_ids: bool = False
    """Whether reasoning goes back only with its id."""
    long_ids: bool = False
    """Whether the id of an item may have more than 64 characters; recorded at xAI in 2026-10."""
    explicit_cache: bool = False
    """Whether `prompt_cache_options` need the mode `explicit` (OpenRouter's SDK 1.3)."""
    files: Literal["any", "pdf", "stored"] = "pdf"
    """Which documents it takes inline; every service takes them by URL or id."""
    breakpoints: frozenset[str] = frozenset()
    """The parts that take cache breakpoints."""
    ttls: bool = False
    """Whether a breakpoint can say how long it lasts."""
    cache_control: bool = False
    """Whether the service itself puts a breakpoint behind the last message, if asked to."""
    cost: bool = False
    """Whether it says what an answer cost."""
    shares: Mapping[str, str] = _SHARED
    """Key of Chat Completions -> its own, if it has that, with a dot before an inner key."""
    refuses: frozenset[str] = frozenset()
    """The keys of OpenAI that it refuses, or ignores."""
    includes: frozenset[str] | None = None
    """What `include` can be, None if all that OpenAI knows."""
    stateless: bool = False
    """Whether it stores nothing, so that it refuses what refers to that."""


_OWN: Final[Mapping[str, Service]] = MappingProxyType(
    {
        "openai": Service(
            least_tokens=16,
            tiers=frozenset({"auto", "default", "flex", "scale", "priority", "fast", "ultrafast"}),
            custom=True,
            files="any",
            breakpoints=frozenset({"input_text", "input_image", "input_file"}),
            ttls=True,
        ),
        "azure": Service(
            key=("api-key", ""),
            path="/openai/v1/responses",
            least_tokens=16,
            tiers=frozenset({"auto", "default", "priority"}),
            custom=True,
        ),
        "xai": Service(
            families=frozenset({"grok"}),
            long_ids=True,
            lacks=_SAMPLING | {"metadata"},
            user="user",
            efforts=_THREE,
            logprobs="logprobs",
            most_logprobs=8,
            files="stored",
            includes=frozenset({"reasoning.encrypted_content"}),
            shares=_some("prompt_cache_key", "store"),
            refuses=frozenset(
                {"background", "conversation", "metadata", "moderation", "prompt"}
                | {"prompt_cache_options", "prompt_cache_retention", "safety_identifier"}
                | {"service_tier", "truncation"}
            ),
        ),
        "openrouter": Service(
            explicit_cache=True,
            path="/api/v1/responses",
            adapts=True,
            lacks=frozenset(),
            tiers=frozenset({"auto", "default", "flex", "scale", "priority", "fast", "ultrafast"}),
            budgets=True,
            custom=True,
            reasoning_ids=True,
            logprobs="top_logprobs",
            breakpoints=frozenset({"input_text"}),
            cache_control=True,
            cost=True,
            shares=_some("prompt_cache_key", "prompt_cache_options", "verbosity"),
            stateless=True,
            refuses=frozenset(  # its SDK has no such keys
                {"access_programs", "background_options", "context_management", "image"}
                | {"moderation", "prompt_cache_retention"}
            ),
            includes=frozenset(
                {"code_interpreter_call.outputs", "computer_call_output.output.image_url"}
                | {"file_search_call.results", "message.input_image.image_url"}
                | {"reasoning.encrypted_content"}
            ),
        ),
    }
)
SERVICES: Final[Mapping[str, Service]] = Table(
    "wireglot.dialects", _OWN, _OWN.__getitem__, refuser(Service), prefix="openai_responses."
)
"""Every dialect by name, the default first; those of other distributions follow."""
DIALECTS: Final = Dialects(_OWN, SERVICES)
"""Who speaks the wire, each in a slightly different way; the first is the default."""
