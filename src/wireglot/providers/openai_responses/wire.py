"""The JSON of OpenAI Responses (`POST /v1/responses`): requests, answers, events of streams.

Source: the types of the official Python SDKs, `openai` 3.52 and `openrouter` 1.3, and xAI's API
reference. The decoder takes the keys of all of them; `dialects.py` says which keys are written for
each.
"""

from __future__ import annotations

from typing import Annotated, Any, Final

from msgspec import Struct, field

from ..._body.decode import Aside
from .._state.wire import Slice, Wire
from .facts import API as API


class CacheBreakpoint(Wire):
    mode: str
    ttl: str | None = None


class Part(Wire):
    """A part of a message, of a result or of reasoning; `type` says what it is, and so its keys.

    Parts of the API's own tools have no type. `image_url` and `file_data` are often `data:` URLs of
    megabytes.
    """

    type: str | None = None
    text: str | None = None
    refusal: str | None = None
    image_url: Annotated[Slice, str | None] = None
    file_id: str | None = None
    file_url: str | None = None
    filename: str | None = None
    file_data: Annotated[Slice, str | None] = None
    detail: str | None = None
    annotations: Annotated[Slice, list[dict[str, Any]] | None] = None
    logprobs: Slice = None
    prompt_cache_breakpoint: CacheBreakpoint | None = None


PART_KEYS: Final = {
    "input_text": "text annotations logprobs",
    "output_text": "text annotations logprobs",
    "refusal": "refusal",
    "input_image": "image_url file_id detail",
    "input_file": "file_id file_url filename file_data detail",
    "summary_text": "text",
    "reasoning_text": "text",
}
"""Type of part -> its keys, beside `type` and `prompt_cache_breakpoint`."""


class Item(Wire):
    """An item of the input or output; `type` says what it is, and so its keys.

    Messages may omit `type`. `arguments` is text, mostly valid JSON, but an object in some calls of
    the API's own tools; `output` is an object in some of their results.
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


ITEM_KEYS: Final = {
    "message": "role content",
    "answer": "role content phase",
    "reasoning": "summary content encrypted_content",
    "function_call": "call_id name arguments",
    "function_call_output": "call_id name output",
    "custom_tool_call": "call_id name input",
    "custom_tool_call_output": "call_id name output",
}
"""Type of item -> its keys, beside `type`, `id` and `status`; `answer` is the model's message."""


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


CHOICE_KEYS: Final = {"function": "name", "custom": "name", "allowed_tools": "mode tools"}
"""Type of tool choice -> its keys, beside `type`."""


class Reasoning(Wire, Aside):
    """`max_tokens` and `enabled` are OpenRouter's."""

    effort: str | None = None
    summary: str | None = None
    max_tokens: int | None = None
    enabled: bool | None = None
    aside: Slice = field(default=None, name="context")


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
    """A cache breakpoint in OpenRouter's form, which is Anthropic's."""

    ttl: str | None = None


class Body(Wire, kw_only=True):
    """The request.

    `input` is last, so that a longer conversation starts with the bytes of the shorter one. What
    asks for nothing that another API would do otherwise goes back to this wire, and is not a loss
    on another: `store: false`, `stream_options`, and an `include` of encrypted thinking.
    """

    aside: Slice = field(default=None, name="previous_response_id")
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


class Response(Wire, kw_only=True):
    """The response. The fields after `error` are kept as raw JSON: most echo the request."""

    id: str | None = None
    created_at: float | None = None
    status: str | None = None
    model: str | None = None
    output: list[Item] | None
    usage: Annotated[Slice, Usage | None] = None
    service_tier: str | None = None
    incomplete_details: Slice = None
    error: Slice = None
    object: Slice = None
    access_programs: Slice = None
    background: Slice = None
    billing: Slice = None
    completed_at: Slice = None
    content_filters: Slice = None
    conversation: Slice = None
    frequency_penalty: Slice = None
    image: Slice = None
    input_transformations: Slice = None
    instructions: Slice = None
    max_output_tokens: Slice = None
    max_tool_calls: Slice = None
    metadata: Slice = None
    moderation: Slice = None
    output_text: Slice = None
    parallel_tool_calls: Slice = None
    presence_penalty: Slice = None
    previous_response_id: Slice = None
    prompt: Slice = None
    prompt_cache_diagnostics: Slice = None
    prompt_cache_key: Slice = None
    prompt_cache_options: Slice = None
    prompt_cache_retention: Slice = None
    reasoning: Slice = None
    safety_identifier: Slice = None
    store: Slice = None
    system_fingerprint: Slice = None
    temperature: Slice = None
    text: Slice = None
    tool_choice: Slice = None
    tool_usage: Slice = None
    tools: Slice = None
    top_logprobs: Slice = None
    top_p: Slice = None
    truncation: Slice = None
    user: Slice = None


class InputDetails(Wire):
    cached_tokens: int | None = 0
    cache_write_tokens: int | None = 0
    cache_write_tokens_details: Slice = None


class OutputDetails(Wire):
    reasoning_tokens: int | None = 0


class Usage(Wire):
    """The counts that are read. The raw JSON of the whole object is kept beside them.

    `cost` is OpenRouter's, in its credits.
    """

    input_tokens: int | None = 0
    output_tokens: int | None = 0
    total_tokens: int | None = 0
    input_tokens_details: InputDetails | None = None
    output_tokens_details: OutputDetails | None = None
    cost: float | None = None
    cost_details: Slice = None
    is_byok: Slice = None
    context_details: Slice = None
    cost_in_usd_ticks: Slice = None
    num_server_side_tools_used: Slice = None
    num_sources_used: Slice = None
    server_side_tool_usage_details: Slice = None
    server_tool_use_details: Slice = None


# The events of a stream. Unknown keys beside a whole response are part of it.


class _Stage(Wire):
    """An event that holds the whole response as it is at that point."""

    response: Slice
    sequence_number: Slice = None


class _Event(Wire, kw_only=True):
    """An event of an item. `obfuscation` is padding, so that its size does not tell the text's."""

    output_index: int = 0
    item_id: Slice = None
    sequence_number: Slice = None
    obfuscation: Slice = None


class Created(_Stage, tag_field="type", tag="response.created"):
    pass


class Queued(_Stage, tag_field="type", tag="response.queued"):
    pass


class InProgress(_Stage, tag_field="type", tag="response.in_progress"):
    pass


class Completed(_Stage, tag_field="type", tag="response.completed"):
    pass


class Incomplete(_Stage, tag_field="type", tag="response.incomplete"):
    pass


class Failed(Struct, tag_field="type", tag="response.failed"):
    pass


class Error(Struct, tag_field="type", tag="error"):
    pass


class ItemAdded(_Event, tag_field="type", tag="response.output_item.added"):
    item: Slice = None


class ItemDone(_Event, tag_field="type", tag="response.output_item.done"):
    item: Slice


class PartDone(_Event, tag_field="type", tag="response.content_part.done"):
    part: Slice = None
    content_index: int = 0


class TextDelta(_Event, tag_field="type", tag="response.output_text.delta"):
    delta: str
    logprobs: Slice = None
    content_index: int = 0


class RefusalDelta(_Event, tag_field="type", tag="response.refusal.delta"):
    delta: str
    content_index: int = 0


class SummaryDelta(_Event, tag_field="type", tag="response.reasoning_summary_text.delta"):
    delta: str
    summary_index: int = 0


class ReasoningDelta(_Event, tag_field="type", tag="response.reasoning_text.delta"):
    delta: str
    content_index: int = 0


class ArgumentsDelta(_Event, tag_field="type", tag="response.function_call_arguments.delta"):
    delta: str


class InputDelta(_Event, tag_field="type", tag="response.custom_tool_call_input.delta"):
    delta: str


class AnnotationAdded(_Event, tag_field="type", tag="response.output_text.annotation.added"):
    annotation: Slice = None
    annotation_index: Slice = None
    content_index: int = 0


class Repeated(Struct):
    """The kind of an event, of which most repeat what the others say; its other keys are unread."""

    type: str


Event = (
    TextDelta
    | RefusalDelta
    | SummaryDelta
    | ReasoningDelta
    | ArgumentsDelta
    | InputDelta
    | AnnotationAdded
    | PartDone
    | ItemAdded
    | ItemDone
    | Created
    | Queued
    | InProgress
    | Completed
    | Incomplete
    | Failed
    | Error
)
"""The events that are read; the others repeat what these say."""
_STEPS: Final = (
    "in_progress",
    "searching",
    "interpreting",
    "generating",
    "completed",
    "failed",
)
REPEATED: Final = frozenset(
    {
        "keepalive",
        "response.content_part.added",
        "response.output_text.done",
        "response.refusal.done",
        "response.reasoning_summary_part.added",
        "response.reasoning_summary_part.done",
        "response.reasoning_summary_text.done",
        "response.reasoning_text.done",
        "response.code_interpreter_call_code.delta",
        "response.code_interpreter_call_code.done",
        "response.mcp_call_arguments.delta",
        "response.mcp_call_arguments.done",
        *(f"response.web_search_call.{stage}" for stage in _STEPS),
        *(f"response.file_search_call.{stage}" for stage in _STEPS),
        *(f"response.code_interpreter_call.{stage}" for stage in _STEPS),
        *(f"response.image_generation_call.{stage}" for stage in _STEPS),
        *(f"response.mcp_call.{stage}" for stage in _STEPS),
        *(f"response.mcp_list_tools.{stage}" for stage in _STEPS),
    }
)
"""Events that say what their deltas or the end of their item say as well."""
REPEATING: Final = frozenset({"type", "sequence_number", "item_id", "output_index", "obfuscation"})
"""The keys of all such events."""
REPEATED_KEYS: Final = {
    f"response.{name}": frozenset(keys.split())
    for name, keys in {
        "content_part": "content_index part",
        "output_text": "content_index text logprobs",
        "refusal": "content_index refusal",
        "reasoning_summary_part": "summary_index part",
        "reasoning_summary_text": "summary_index text",
        "reasoning_text": "content_index text",
        "function_call_arguments": "arguments name",
        "custom_tool_call_input": "input",
        "code_interpreter_call_code": "delta code",
        "mcp_call_arguments": "delta arguments",
    }.items()
}
"""The keys that they have beside, by their names up to the last dot."""
