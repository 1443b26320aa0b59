"""The JSON of OpenAI Responses (`POST /v1/responses`), requests, both directions.

Source: the types of the official Python SDKs, `openai` 3.52 and `openrouter` 1.3, and xAI's API
reference. Reading takes the keys of them all; what each is written in says `dialects.py`.
"""

from __future__ import annotations

from typing import Any, Final

from .._wire import Slice, Wire

API: Final = "openai-responses"
"""The stable id of this wire."""


class CacheBreakpoint(Wire):
    mode: str
    ttl: str | None = None


class Part(Wire):
    """A part of a message, of a result or of reasoning: `type` says which, and so its keys.

    The API's own tools have parts without a type. `image_url` and `file_data` are often `data:`
    URLs of megabytes.
    """

    type: str | None = None
    text: str | None = None
    refusal: str | None = None
    image_url: Slice = None
    file_id: str | None = None
    file_url: str | None = None
    filename: str | None = None
    file_data: Slice = None
    detail: str | None = None
    annotations: Slice = None
    logprobs: Slice = None
    prompt_cache_breakpoint: CacheBreakpoint | None = None


class Item(Wire):
    """An item of the input: `type` says which, and so its keys; messages may leave it out.

    `arguments` is text that is JSON, mostly, but an object in some calls of the API's own tools;
    `output` is an object in some of their results.
    """

    type: str | None = None
    call_id: str | None = None
    name: str | None = None
    arguments: Slice = None
    input: Slice = None
    output: str | list[Part] | Part | None = None
    role: str | None = None
    content: str | list[Part] | None = None
    summary: list[Part] | None = None
    encrypted_content: str | None = None
    id: str | None = None
    status: str | None = None
    phase: str | None = None


class Tool(Wire):
    """A function; a tool that the API runs has another type, and no name."""

    type: str
    name: str | None = None
    description: str | None = None
    parameters: Slice = None
    strict: bool | None = None


class NamedTool(Wire):
    type: str
    name: str | None = None


class ToolChoice(Wire):
    """One tool by name or type, or `allowed_tools`, which has a mode and tools."""

    type: str
    name: str | None = None
    mode: str | None = None
    tools: list[NamedTool] | None = None


class Reasoning(Wire):
    """`max_tokens` and `enabled` are OpenRouter's."""

    effort: str | None = None
    summary: str | None = None
    max_tokens: int | None = None
    enabled: bool | None = None


class TextFormat(Wire, tag_field="type", tag="text"):
    pass


class JsonFormat(Wire, tag_field="type", tag="json_object"):
    pass


class SchemaFormat(Wire, tag_field="type", tag="json_schema"):
    name: str
    description: str | None = None
    schema: Slice = None
    strict: bool | None = None


class Text(Wire):
    format: TextFormat | JsonFormat | SchemaFormat | None = None


class CacheControl(Wire, tag_field="type", tag="ephemeral"):
    """OpenRouter's, in Anthropic's words."""

    ttl: str | None = None


class Body(Wire, kw_only=True):
    """The request.

    `input` is last, so that a longer conversation starts with the bytes of the shorter one. What
    says how the service stores, caches and streams (`store`, `include`, `prompt_cache_key` and the
    like) never reaches the model: it is carried for this wire alone.
    """

    model: str | None = None
    stream: bool | None = None
    stream_options: Slice = None
    store: bool | None = None
    include: list[str] | None = None
    max_output_tokens: int | None = None
    temperature: float | None = None
    top_p: float | None = None
    top_k: int | None = None
    frequency_penalty: float | None = None
    presence_penalty: float | None = None
    stop: str | list[str] | None = None
    logprobs: bool | None = None
    top_logprobs: int | None = None
    reasoning: Reasoning | None = None
    text: Text | None = None
    service_tier: str | None = None
    safety_identifier: str | None = None
    user: str | None = None
    metadata: dict[str, Any] | None = None
    prompt_cache_key: str | None = None
    prompt_cache_retention: str | None = None
    cache_control: CacheControl | None = None
    tool_choice: str | ToolChoice | None = None
    parallel_tool_calls: bool | None = None
    tools: list[Tool] | None = None
    instructions: str | None = None
    input: str | list[Item] | None = None
