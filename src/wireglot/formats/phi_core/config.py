"""phi-core's settings that are stored beside conversations or that events hold.

Source: phi-core 0.10.0, `src/types/usage.rs`, `tool.rs`, `src/provider`.
"""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar, Literal

from ...model.rawjson import RawJson, RawValue
from .._records import Record

__all__ = [
    "ApiProtocol",
    "Batched",
    "CacheConfig",
    "CacheStrategy",
    "CostConfig",
    "JsonObjectFormat",
    "JsonSchemaFormat",
    "Manual",
    "ManualSections",
    "Parallel",
    "ResponseFormat",
    "Sequential",
    "TextFormat",
    "ThinkingLevel",
    "ToolDefinition",
    "ToolExecutionStrategy",
]


class ThinkingLevel(StrEnum):
    """How hard to think."""

    OFF = "off"
    MINIMAL = "minimal"
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


class ApiProtocol(StrEnum):
    """The API that a model is reached by, as stored.

    The names that phi-core displays have `openai` in one word. Nothing reads those, here or there.
    """

    ANTHROPIC_MESSAGES = "anthropic_messages"
    OPENAI_COMPLETIONS = "open_ai_completions"
    OPENAI_RESPONSES = "open_ai_responses"
    AZURE_OPENAI_RESPONSES = "azure_open_ai_responses"
    GOOGLE_GENERATIVE_AI = "google_generative_ai"
    GOOGLE_VERTEX = "google_vertex"
    BEDROCK_CONVERSE_STREAM = "bedrock_converse_stream"


class CostConfig(Record):
    """Prices per million tokens."""

    input_per_million: float
    output_per_million: float
    cache_read_per_million: float = 0.0
    cache_write_per_million: float = 0.0


class ManualSections(Record):
    """Which parts of a request to cache."""

    cache_system: bool
    cache_tools: bool
    cache_messages: bool


class Manual(Record):
    """The cache strategy that names the parts itself."""

    manual: ManualSections


CacheStrategy = Literal["auto", "disabled"] | Manual


class CacheConfig(Record):
    """Prompt caching. Both keys are required in JSON."""

    enabled: bool
    strategy: CacheStrategy

    @classmethod
    def default(cls) -> CacheConfig:
        """Return caching that is enabled and chooses the parts to cache itself."""
        return cls(True, "auto")


class Sequential(Record, tag_field="type", tag="sequential"):
    """Tools run one after the other."""

    type: ClassVar[Literal["sequential"]] = "sequential"


class Parallel(Record, tag_field="type", tag="parallel"):
    """Tools run all at once; the default."""

    type: ClassVar[Literal["parallel"]] = "parallel"


class Batched(Record, tag_field="type", tag="batched"):
    """Tools run `size` at a time."""

    type: ClassVar[Literal["batched"]] = "batched"

    size: int


ToolExecutionStrategy = Sequential | Parallel | Batched


class ToolDefinition(Record):
    """A tool as it is described to the model. `parameters` is a JSON Schema, text as it came."""

    name: str
    description: str
    parameters: RawValue

    def __post_init__(self) -> None:
        """Adopt the decoder's slice, or a plain dict."""
        if not isinstance(self.parameters, RawJson):
            self.parameters = RawJson.adopt(self.parameters)


class TextFormat(Record, tag_field="kind", tag="text"):
    """The answer is text."""

    kind: ClassVar[Literal["text"]] = "text"


class JsonObjectFormat(Record, tag_field="kind", tag="json-object"):
    """The answer is a JSON object."""

    kind: ClassVar[Literal["json-object"]] = "json-object"


class JsonSchemaFormat(Record, tag_field="kind", tag="json-schema"):
    """The answer is JSON of this schema."""

    kind: ClassVar[Literal["json-schema"]] = "json-schema"

    schema: RawValue
    name: str
    strict: bool

    def __post_init__(self) -> None:
        """Adopt the decoder's slice, or a plain dict."""
        if not isinstance(self.schema, RawJson):
            self.schema = RawJson.adopt(self.schema)


ResponseFormat = TextFormat | JsonObjectFormat | JsonSchemaFormat
