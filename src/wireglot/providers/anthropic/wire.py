"""The JSON of Anthropic Messages (`POST /v1/messages`, `anthropic-version: 2023-06-01`).

Source: the types of the official Python SDK, `anthropic` 2.11; limits from the API's documentation.
"""

from __future__ import annotations

from typing import Any, Final, Literal

from msgspec import Raw, Struct

from ...model import Media, RawJson

API: Final = "anthropic-messages"
"""The stable id of this wire."""

Ttl = Literal["5m", "1h"]


class CacheControl(Struct, tag_field="type", tag="ephemeral", omit_defaults=True):
    ttl: Ttl | None = None


class Text(Struct, tag_field="type", tag="text", omit_defaults=True):
    text: str
    cache_control: CacheControl | None = None


class Base64Source(Struct, tag_field="type", tag="base64"):
    media_type: str
    data: Media


class UrlSource(Struct, tag_field="type", tag="url"):
    url: str


class FileSource(Struct, tag_field="type", tag="file"):
    file_id: str


class TextSource(Struct, tag_field="type", tag="text"):
    data: str
    media_type: str = "text/plain"


class Image(Struct, tag_field="type", tag="image", omit_defaults=True):
    source: Base64Source | UrlSource | FileSource
    cache_control: CacheControl | None = None


class Citations(Struct):
    enabled: bool


class Document(Struct, tag_field="type", tag="document", omit_defaults=True):
    source: Base64Source | UrlSource | FileSource | TextSource
    title: str | None = None
    context: str | None = None
    citations: Citations | None = None
    cache_control: CacheControl | None = None


class Thinking(Struct, tag_field="type", tag="thinking"):
    thinking: str
    signature: str


class RedactedThinking(Struct, tag_field="type", tag="redacted_thinking"):
    data: str


class ToolUse(Struct, tag_field="type", tag="tool_use", omit_defaults=True):
    id: str
    name: str
    input: Raw
    cache_control: CacheControl | None = None


class ToolResult(Struct, tag_field="type", tag="tool_result", omit_defaults=True):
    tool_use_id: str
    content: list[Any] = []
    is_error: bool = False
    cache_control: CacheControl | None = None


class Message(Struct):
    """One turn. `content` holds the blocks above, ours where the JSON is the same, and raw."""

    role: str
    content: list[Any]


class Tool(Struct, omit_defaults=True):
    name: str
    input_schema: RawJson
    description: str | None = None
    strict: bool | None = None
    cache_control: CacheControl | None = None


class ToolChoice(Struct, omit_defaults=True):
    type: Literal["auto", "any", "tool", "none"]
    name: str | None = None
    disable_parallel_tool_use: bool | None = None


class ThinkingConfig(Struct, omit_defaults=True):
    type: Literal["enabled", "adaptive", "disabled"]
    budget_tokens: int | None = None
    display: Literal["summarized", "omitted"] | None = None


class JsonFormat(Struct, tag_field="type", tag="json_schema"):
    schema: RawJson


class OutputConfig(Struct, omit_defaults=True):
    effort: str | None = None
    format: JsonFormat | None = None


class Metadata(Struct):
    user_id: str


class Body(Struct, omit_defaults=True, kw_only=True):
    """The request.

    `messages` is last, so that a longer conversation starts with the bytes of the shorter one.
    """

    model: str
    max_tokens: int
    stream: bool = False
    service_tier: str | None = None
    metadata: Metadata | None = None
    temperature: float | None = None
    top_p: float | None = None
    top_k: int | None = None
    stop_sequences: list[str] | None = None
    thinking: ThinkingConfig | None = None
    output_config: OutputConfig | None = None
    cache_control: CacheControl | None = None
    tools: list[Any] | None = None
    tool_choice: ToolChoice | None = None
    system: list[Any] | None = None
    messages: list[Any]
