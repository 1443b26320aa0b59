"""A msgspec-based, zero-copy wire codec for LLM agent conversations.

`json` and `msgpack` are the native wires, `providers` has the LLM APIs, `formats` the messages of
other agent systems. Everything else here is the model, its errors and its losses. A codec module is
imported when it is first used.
"""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ._runtime.locks import first_use
from ._version import __version__
from .errors import (
    ERROR_KINDS,
    ClaimError,
    DecodeError,
    EncodeError,
    LimitError,
    LossError,
    PoisonError,
    ProviderError,
    StreamError,
    TooLargeError,
    VersionError,
    WireglotError,
)
from .limits import Limits
from .losses import Loss, Losses
from .model import (
    AgentMessage,
    AnnotationBlock,
    AnnotationRef,
    Arguments,
    ArgumentsDelta,
    AssistantMessage,
    AudioBlock,
    BlockEnd,
    BlockStart,
    BranchSummaryMessage,
    CacheConfig,
    CacheMark,
    CacheSections,
    CacheStrategy,
    CitationDelta,
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
    IdSource,
    ImageBlock,
    LlmMessage,
    ManualCache,
    Media,
    MediaBlock,
    Message,
    OpaqueBlock,
    OpaqueEvent,
    ProvenanceHint,
    RawJson,
    Request,
    Response,
    ResponseFormat,
    SessionOnly,
    StopReason,
    StreamEnd,
    StreamEvent,
    StreamFailure,
    StreamStart,
    SystemMessage,
    Tag,
    TextBlock,
    TextDelta,
    Thinking,
    ThinkingBlock,
    ThinkingDelta,
    ThinkingLevel,
    Tool,
    ToolCallBlock,
    ToolChoice,
    ToolKind,
    ToolMessage,
    ToolName,
    ToolNames,
    ToolResultBlock,
    ToolResultMessage,
    TurnId,
    Usage,
    UsageUpdate,
    UserMessage,
    VideoBlock,
    generate_id,
    llm_messages,
    now_ms,
)
from .model.base import ADAPTERS

if TYPE_CHECKING:
    from . import arrow as arrow
    from . import capabilities, formats, json, msgpack, providers
    from . import framing as framing
    from . import gateway as gateway
    from . import queue as queue
    from . import schema as schema
    from . import testing as testing
    from .builtins import dec_hook, enc_hook, from_builtins, schema_hook, to_builtins
    from .formats import FORMATS
    from .model.accumulator import Accumulator
    from .providers import PROVIDERS, Route
    from .translate import (
        RequestTranslator,
        StreamTranslator,
        translate_request,
        translate_response,
    )

__all__ = [
    "ERROR_KINDS",
    "FORMATS",
    "PROVIDERS",
    "Accumulator",
    "AgentMessage",
    "AnnotationBlock",
    "AnnotationRef",
    "Arguments",
    "ArgumentsDelta",
    "AssistantMessage",
    "AudioBlock",
    "BlockEnd",
    "BlockStart",
    "BranchSummaryMessage",
    "CacheConfig",
    "CacheMark",
    "CacheSections",
    "CacheStrategy",
    "CitationDelta",
    "ClaimError",
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
    "IdSource",
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
    "OpaqueEvent",
    "PoisonError",
    "ProvenanceHint",
    "ProviderError",
    "RawJson",
    "Request",
    "RequestTranslator",
    "Response",
    "ResponseFormat",
    "Route",
    "SessionOnly",
    "StopReason",
    "StreamEnd",
    "StreamError",
    "StreamEvent",
    "StreamFailure",
    "StreamStart",
    "StreamTranslator",
    "SystemMessage",
    "Tag",
    "TextBlock",
    "TextDelta",
    "Thinking",
    "ThinkingBlock",
    "ThinkingDelta",
    "ThinkingLevel",
    "TooLargeError",
    "Tool",
    "ToolCallBlock",
    "ToolChoice",
    "ToolKind",
    "ToolMessage",
    "ToolName",
    "ToolNames",
    "ToolResultBlock",
    "ToolResultMessage",
    "TurnId",
    "Usage",
    "UsageUpdate",
    "UserMessage",
    "VersionError",
    "VideoBlock",
    "WireglotError",
    "__version__",
    "capabilities",
    "dec_hook",
    "enc_hook",
    "formats",
    "from_builtins",
    "generate_id",
    "json",
    "llm_messages",
    "msgpack",
    "now_ms",
    "providers",
    "schema_hook",
    "to_builtins",
    "translate_request",
    "translate_response",
]

# `import *` loads all of `__all__`, and some submodules need an extra.
_ASKED_FOR = frozenset({"arrow", "framing", "gateway", "queue", "schema", "testing"})
_LAZY = frozenset({"capabilities", "formats", "json", "msgpack", "providers"}) | _ASKED_FOR
_LAZY_FROM = {
    "Accumulator": ".model.accumulator",
    "FORMATS": ".formats",
    "PROVIDERS": ".providers",
    "RequestTranslator": ".translate",
    "Route": ".providers",
    "StreamTranslator": ".translate",
    "dec_hook": ".builtins",
    "enc_hook": ".builtins",
    "from_builtins": ".builtins",
    "schema_hook": ".builtins",
    "to_builtins": ".builtins",
    "translate_request": ".translate",
    "translate_response": ".translate",
}


# The model has methods that other libraries look for, and does not know who answers.
for _name in ("notebook", "pydantic"):
    ADAPTERS[_name] = partial(import_module, f".adapters.{_name}", __name__)


if not TYPE_CHECKING:  # to a type checker every name would be there

    def __getattr__(name: str) -> Any:
        with first_use:
            if name in _LAZY:
                return import_module(f".{name}", __name__)
            if name in _LAZY_FROM:
                value = getattr(import_module(_LAZY_FROM[name], __name__), name)
                globals()[name] = value  # so that the next access does not come here
                return value
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*__all__, *_LAZY})
