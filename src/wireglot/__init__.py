"""A msgspec-based, zero-copy wire codec for LLM agent conversations.

`json` and `msgpack` are the native wires, `providers` has the LLM APIs, `formats` the messages of
other agent systems. Everything else here is the model, its errors and its losses. A codec module is
imported when it is first used.
"""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

from ._runtime.lazy import lazily
from ._version import __version__
from .errors import (
    ERROR_KINDS,
    DecodeError,
    EncodeError,
    LimitError,
    LossError,
    ProviderError,
    StreamError,
    WireglotError,
)
from .limits import Limits
from .losses import Loss, Losses, LossList
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
    CitationDelta,
    CompactionSummaryMessage,
    Content,
    Cost,
    CustomMessage,
    DataBlock,
    DocumentBlock,
    ErrorBlock,
    ExtensionMessage,
    Extra,
    Extras,
    IdSource,
    ImageBlock,
    LlmMessage,
    Media,
    MediaBlock,
    Message,
    OpaqueBlock,
    OpaqueEvent,
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
    TextBlock,
    TextDelta,
    Thinking,
    ThinkingBlock,
    ThinkingDelta,
    ThinkingLevel,
    Tool,
    ToolCallBlock,
    ToolChoice,
    ToolMessage,
    ToolName,
    ToolNames,
    ToolResultBlock,
    ToolResultMessage,
    Usage,
    UsageUpdate,
    UserMessage,
    VideoBlock,
    llm_messages,
)
from .model.base import ADAPTERS

if TYPE_CHECKING:
    from . import arrow as arrow
    from . import builtins as builtins
    from . import capabilities, formats, json, msgpack, providers
    from . import framing as framing
    from . import gateway as gateway
    from . import model as model
    from . import queue as queue
    from . import schema as schema
    from . import testing as testing
    from .builtins import from_builtins, to_builtins
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
    "CitationDelta",
    "CompactionSummaryMessage",
    "Content",
    "Cost",
    "CustomMessage",
    "DataBlock",
    "DecodeError",
    "DocumentBlock",
    "EncodeError",
    "ErrorBlock",
    "ExtensionMessage",
    "Extra",
    "Extras",
    "IdSource",
    "ImageBlock",
    "LimitError",
    "Limits",
    "LlmMessage",
    "Loss",
    "LossError",
    "LossList",
    "Losses",
    "Media",
    "MediaBlock",
    "Message",
    "OpaqueBlock",
    "OpaqueEvent",
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
    "TextBlock",
    "TextDelta",
    "Thinking",
    "ThinkingBlock",
    "ThinkingDelta",
    "ThinkingLevel",
    "Tool",
    "ToolCallBlock",
    "ToolChoice",
    "ToolMessage",
    "ToolName",
    "ToolNames",
    "ToolResultBlock",
    "ToolResultMessage",
    "Usage",
    "UsageUpdate",
    "UserMessage",
    "VideoBlock",
    "WireglotError",
    "__version__",
    "capabilities",
    "formats",
    "from_builtins",
    "json",
    "llm_messages",
    "msgpack",
    "providers",
    "to_builtins",
    "translate_request",
    "translate_response",
]

# `import *` loads all of `__all__`, and some submodules need an extra.
_ASKED_FOR = frozenset(
    {"arrow", "builtins", "framing", "gateway", "model", "queue", "schema", "testing"}
)
_LAZY = frozenset({"capabilities", "formats", "json", "msgpack", "providers"}) | _ASKED_FOR
_PLACES = {name: f".{name}" for name in _LAZY} | {
    "Accumulator": ".model.accumulator",
    "FORMATS": ".formats",
    "PROVIDERS": ".providers",
    "RequestTranslator": ".translate",
    "Route": ".providers",
    "StreamTranslator": ".translate",
    "from_builtins": ".builtins",
    "to_builtins": ".builtins",
    "translate_request": ".translate",
    "translate_response": ".translate",
}

# The model has methods that other libraries look for, and does not know who answers.
for _name in ("notebook", "pydantic"):
    ADAPTERS[_name] = partial(import_module, f".adapters.{_name}", __name__)


if not TYPE_CHECKING:  # to a type checker every name would be there
    __getattr__, __dir__ = lazily(__name__, _PLACES)
