"""The JSON of Anthropic Messages (`POST /v1/messages`, `anthropic-version: 2023-06-01`).

Source: the types of the official Python SDK, `anthropic` 2.11; limits from the API's documentation.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from msgspec import field

from ..._body.decode import Aside
from .._state.wire import Slice, Wire
from .facts import API as API

Ttl = Literal["5m", "1h"]


class CacheControl(Wire, tag_field="type", tag="ephemeral"):
    ttl: Ttl | None = None


class Text(Wire, tag_field="type", tag="text"):
    text: str
    citations: Annotated[Slice, list[dict[str, Any]] | None] = None
    cache_control: CacheControl | None = None


class Base64Source(Wire, tag_field="type", tag="base64"):
    media_type: str
    data: Annotated[Slice, str | None]


class UrlSource(Wire, tag_field="type", tag="url"):
    url: str


class FileSource(Wire, tag_field="type", tag="file"):
    file_id: str


class TextSource(Wire, tag_field="type", tag="text", omit_defaults=False):
    data: str
    media_type: str = "text/plain"


class Image(Wire, tag_field="type", tag="image"):
    source: Base64Source | UrlSource | FileSource
    cache_control: CacheControl | None = None


class Citations(Wire, omit_defaults=False):
    enabled: bool = False


class Document(Wire, tag_field="type", tag="document"):
    source: Base64Source | UrlSource | FileSource | TextSource
    title: str | None = None
    context: str | None = None
    citations: Citations | None = None
    cache_control: CacheControl | None = None


class Thinking(Wire, tag_field="type", tag="thinking", omit_defaults=False):
    thinking: str
    signature: str = ""  # required; yet other services that speak this wire leave it out


class RedactedThinking(Wire, tag_field="type", tag="redacted_thinking"):
    data: str


class ToolUse(Wire, Aside, tag_field="type", tag="tool_use"):
    id: str
    name: str
    input: Slice = None
    cache_control: CacheControl | None = None
    aside: Slice = field(default=None, name="caller")


class ToolResult(Wire, tag_field="type", tag="tool_result"):
    tool_use_id: str
    content: str | list[Text | Image | Document] | None = field(default_factory=list)
    is_error: bool | None = False
    cache_control: CacheControl | None = None


Block = Text | Image | Document | Thinking | RedactedThinking | ToolUse | ToolResult


class Message(Wire):
    role: Literal["user", "assistant", "system"]
    content: str | list[Block] | None = None  # which only a system message may lack


class Tool(Wire):
    """A function; a tool that the provider runs has a `type` of its own and no `input_schema`."""

    name: str = ""
    input_schema: Slice = None
    description: str | None = None
    type: str | None = None
    strict: bool | None = None
    cache_control: CacheControl | None = None


class ToolChoice(Wire):
    type: str
    name: str | None = None
    disable_parallel_tool_use: bool | None = None


CHOICE_KEYS: Final = {
    "auto": "disable_parallel_tool_use",
    "any": "disable_parallel_tool_use",
    "tool": "name disable_parallel_tool_use",
    "none": "disable_parallel_tool_use",
}
"""Type of tool choice -> its keys, beside `type`."""


class ThinkingConfig(Wire):
    type: str
    budget_tokens: int | None = None
    display: str | None = None


THINKING_KEYS: Final = {
    "enabled": "budget_tokens display",
    "adaptive": "budget_tokens display",
    "disabled": "",
}
"""Type of thinking -> its keys, beside `type`."""


class OutputFormat(Wire):
    type: str
    schema: Slice = None


class OutputConfig(Wire):
    effort: str | None = None
    format: OutputFormat | None = None


class Metadata(Wire):
    user_id: str | None = None


class Body(Wire, kw_only=True):
    """The request.

    `messages` is last, so that a longer conversation starts with the bytes of the shorter one.
    On Vertex and Bedrock the URL holds the model, and the body holds `anthropic_version`.
    `output_format` is the beta's name for `output_config.format`. It goes back as it came and is
    not written otherwise: the API has refused it as deprecated (prism-php/prism#912, 2026-02).
    """

    anthropic_version: str | None = None
    model: str | None = None
    max_tokens: int | None = None
    stream: bool | None = None
    service_tier: str | None = None
    metadata: Metadata | None = None
    temperature: float | None = None
    top_p: float | None = None
    top_k: int | None = None
    stop_sequences: list[str] | None = None
    thinking: ThinkingConfig | None = None
    output_config: OutputConfig | None = None
    output_format: OutputFormat | None = None
    cache_control: CacheControl | None = None
    tools: list[Tool] | None = None
    tool_choice: ToolChoice | None = None
    system: str | list[Text] | None = None
    messages: list[Message]


class Response(Wire, tag_field="type", tag="message", kw_only=True):
    """The response. `usage` and the fields after it are kept as raw JSON."""

    id: str | None = None
    role: Literal["assistant"] = "assistant"
    model: str | None = None
    content: list[Block] | None
    stop_reason: str | None = None
    stop_sequence: str | None = None
    usage: Annotated[Slice, Usage | None] = None
    stop_details: Slice = None
    container: Slice = None
    context_management: Slice = None
    diagnostics: Slice = None


class OutputDetails(Wire):
    thinking_tokens: int | None = 0


class Usage(Wire):
    """The counts that are read. The raw JSON of the whole object is kept beside them."""

    input_tokens: int | None = 0
    output_tokens: int | None = 0
    cache_creation_input_tokens: int | None = 0
    cache_read_input_tokens: int | None = 0
    output_tokens_details: OutputDetails | None = None
    cache_creation: Slice = None
    server_tool_use: Slice = None
    service_tier: Slice = None
    inference_geo: Slice = None
    iterations: Slice = None
    speed: Slice = None


# The events of a stream


class TextDelta(Wire, tag_field="type", tag="text_delta"):
    text: str


class InputDelta(Wire, tag_field="type", tag="input_json_delta"):
    partial_json: str | None = None


class ThinkingDelta(Wire, tag_field="type", tag="thinking_delta"):
    thinking: str


class SignatureDelta(Wire, tag_field="type", tag="signature_delta"):
    signature: str


class CitationsDelta(Wire, tag_field="type", tag="citations_delta"):
    citation: Slice


class MessageStart(Wire, tag_field="type", tag="message_start"):
    message: Slice


class BlockStart(Wire, tag_field="type", tag="content_block_start"):
    index: int
    content_block: Slice


class BlockDelta(Wire, tag_field="type", tag="content_block_delta"):
    index: int
    delta: TextDelta | InputDelta | ThinkingDelta | SignatureDelta | CitationsDelta


class BlockStop(Wire, tag_field="type", tag="content_block_stop"):
    index: int


class MessageDelta(Wire, tag_field="type", tag="message_delta"):
    delta: dict[str, Slice]
    usage: dict[str, Slice] | None = None


class MessageStop(Wire, tag_field="type", tag="message_stop"):
    pass


class Ping(Wire, tag_field="type", tag="ping"):
    pass


class Error(Wire, tag_field="type", tag="error"):
    error: Slice


Event = (
    MessageStart | BlockStart | BlockDelta | BlockStop | MessageDelta | MessageStop | Ping | Error
)
