"""A msgspec-based, zero-copy wire codec for LLM agent conversations.

`json` and `msgpack` are the native wire, `providers` the LLM APIs; everything else here is the
model, its errors and its losses. The codecs are loaded when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ._version import __version__
from .errors import (
    DecodeError,
    EncodeError,
    LimitError,
    LossError,
    ProviderError,
    StreamError,
    WireglotError,
)
from .limits import Limits
from .losses import Loss, Losses
from .model import (
    AgentMessage,
    AnnotationBlock,
    AnnotationRef,
    Arguments,
    AssistantMessage,
    AudioBlock,
    BranchSummaryMessage,
    CacheConfig,
    CacheMark,
    CacheSections,
    CacheStrategy,
    CompactionSummaryMessage,
    Content,
    Cost,
    CostConfig,
    CustomMessage,
    DataBlock,
    DocumentBlock,
    ErrorBlock,
    ExtensionMessage,
    Extra,
    Extras,
    HintFollowUp,
    HintIdentityBlock,
    HintLoopTurn,
    HintMemoryTier,
    HintSteering,
    HintSystemPrompt,
    HintUnknown,
    IdKind,
    ImageBlock,
    LlmMessage,
    ManualCache,
    Media,
    MediaBlock,
    Message,
    OpaqueBlock,
    ProvenanceHint,
    RawJson,
    Request,
    Response,
    ResponseFormat,
    SessionOnly,
    StopReason,
    SystemMessage,
    Tag,
    TextBlock,
    Thinking,
    ThinkingBlock,
    ThinkingLevel,
    Tool,
    ToolCallBlock,
    ToolChoice,
    ToolKind,
    ToolMessage,
    ToolResultBlock,
    ToolResultMessage,
    TurnId,
    Usage,
    UserMessage,
    VideoBlock,
    generate_id,
    llm_messages,
    now_ms,
)

if TYPE_CHECKING:
    from . import json, msgpack, providers
    from .providers import PROVIDERS, Route
    from .translate import translate_request

__all__ = [
    "PROVIDERS",
    "AgentMessage",
    "AnnotationBlock",
    "AnnotationRef",
    "Arguments",
    "AssistantMessage",
    "AudioBlock",
    "BranchSummaryMessage",
    "CacheConfig",
    "CacheMark",
    "CacheSections",
    "CacheStrategy",
    "CompactionSummaryMessage",
    "Content",
    "Cost",
    "CostConfig",
    "CustomMessage",
    "DataBlock",
    "DecodeError",
    "DocumentBlock",
    "EncodeError",
    "ErrorBlock",
    "ExtensionMessage",
    "Extra",
    "Extras",
    "HintFollowUp",
    "HintIdentityBlock",
    "HintLoopTurn",
    "HintMemoryTier",
    "HintSteering",
    "HintSystemPrompt",
    "HintUnknown",
    "IdKind",
    "ImageBlock",
    "LimitError",
    "Limits",
    "LlmMessage",
    "Loss",
    "LossError",
    "Losses",
    "ManualCache",
    "Media",
    "MediaBlock",
    "Message",
    "OpaqueBlock",
    "ProvenanceHint",
    "ProviderError",
    "RawJson",
    "Request",
    "Response",
    "ResponseFormat",
    "Route",
    "SessionOnly",
    "StopReason",
    "StreamError",
    "SystemMessage",
    "Tag",
    "TextBlock",
    "Thinking",
    "ThinkingBlock",
    "ThinkingLevel",
    "Tool",
    "ToolCallBlock",
    "ToolChoice",
    "ToolKind",
    "ToolMessage",
    "ToolResultBlock",
    "ToolResultMessage",
    "TurnId",
    "Usage",
    "UserMessage",
    "VideoBlock",
    "WireglotError",
    "__version__",
    "generate_id",
    "json",
    "llm_messages",
    "msgpack",
    "now_ms",
    "providers",
    "translate_request",
]

_LAZY = frozenset({"json", "msgpack", "providers"})
_LAZY_FROM = {
    "PROVIDERS": ".providers",
    "Route": ".providers",
    "translate_request": ".translate",
}


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        return import_module(f".{name}", __name__)
    if name in _LAZY_FROM:
        return getattr(import_module(_LAZY_FROM[name], __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
