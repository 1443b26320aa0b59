"""The JSON of Bedrock Converse (`POST /model/{modelId}/converse`), API version 2023-09-30.

Source: the service model `bedrock-runtime` of botocore 1.44. An object that it calls a union has
exactly one key; here it is one Struct with a field for each key. Binary data are base64.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from msgspec import Struct, field

from .._state.wire import Slice, Wire
from .facts import API as API

DIALECTS: Final = ("bedrock",)
"""Who serves the wire: AWS alone."""


class CachePoint(Wire):
    """A cache breakpoint after the content before it; `type` is `default`."""

    type: str
    ttl: str | None = None


class S3Location(Wire, rename="camel"):
    uri: str
    bucket_owner: str | None = None


class Source(Wire, rename="camel"):
    """A union: inline data, an object in S3, or the text of a document."""

    bytes: Annotated[Slice, str | None] = None
    s3_location: S3Location | None = None
    text: str | None = None


class Image(Wire):
    format: str
    source: Source


class Citations(Wire, omit_defaults=False):
    enabled: bool


class Document(Wire):
    name: str
    source: Source
    format: str | None = None
    context: str | None = None
    citations: Citations | None = None


class ToolUse(Wire, rename="camel"):
    """A call; with a `type` other than `tool_use`, the provider runs the tool."""

    tool_use_id: str
    name: str
    input: Slice = None
    type: str | None = None


class ReasoningText(Wire):
    text: str
    signature: str | None = None


class Reasoning(Wire, rename="camel"):
    """A union: text, or encrypted thinking in base64."""

    reasoning_text: ReasoningText | None = None
    redacted_content: str | None = None


class Cited(Wire):
    text: str | None = None


class CitedText(Wire):
    content: list[Cited] | None = None
    citations: Annotated[Slice, list[dict[str, Any]] | None] = None


class Part(Wire, rename="camel"):
    """A union: a block inside a result."""

    text: str | None = None
    json: Slice = None
    image: Image | None = None
    document: Document | None = None
    video: Image | None = None


class ToolResult(Wire, rename="camel"):
    tool_use_id: str
    content: list[Part]
    status: str | None = None
    type: str | None = None


class Block(Wire, rename="camel"):
    """A union: a block of a message, or of the system prompt."""

    text: str | None = None
    image: Image | None = None
    document: Document | None = None
    video: Image | None = None
    audio: Image | None = None
    tool_use: ToolUse | None = None
    tool_result: ToolResult | None = None
    reasoning_content: Reasoning | None = None
    citations_content: CitedText | None = None
    cache_point: CachePoint | None = None


class Message(Wire):
    role: Literal["user", "assistant", "system"]
    content: list[Block]


class InputSchema(Wire):
    json: Slice


class ToolSpec(Wire, rename="camel"):
    name: str
    input_schema: InputSchema
    description: str | None = None
    strict: bool | None = None


class Tool(Wire, rename="camel"):
    """A union: a function, or a cache breakpoint after the tools before it."""

    tool_spec: ToolSpec | None = None
    cache_point: CachePoint | None = None


class Nothing(Wire):
    """An object without keys; its presence is what counts."""


class NamedTool(Wire):
    name: str


class ToolChoice(Wire):
    """A union: any text or call, some call, or a call of one tool."""

    auto: Nothing | None = None
    any: Nothing | None = None
    tool: NamedTool | None = None


class ToolConfig(Wire, rename="camel"):
    tools: list[Tool]
    tool_choice: ToolChoice | None = None


class Inference(Wire, rename="camel"):
    max_tokens: int | None = None
    temperature: float | None = None
    top_p: float | None = None
    stop_sequences: list[str] | None = None


class JsonSchema(Wire):
    """A JSON Schema; `schema` is a string that holds its JSON."""

    schema: Slice
    name: str | None = None
    description: str | None = None


class Structure(Wire, rename="camel"):
    """A union of one member."""

    json_schema: JsonSchema | None = None


class TextFormat(Wire):
    type: str
    structure: Structure


class OutputConfig(Wire, rename="camel"):
    text_format: TextFormat | None = None
    effort: str | None = None


class ServiceTier(Wire):
    type: str


class Thinking(Wire, forbid_unknown_fields=False):
    type: str
    budget_tokens: int | None = None


THINKING_KEYS: Final = {"enabled": "budget_tokens", "adaptive": "budget_tokens", "disabled": ""}
"""Type of thinking -> its keys, beside `type`."""


class NovaThinking(Wire, forbid_unknown_fields=False, rename="camel"):
    """How Nova 2 is asked to think; `type` is `enabled` or `disabled`."""

    type: str
    max_reasoning_effort: str | None = None


class NovaInference(Wire, forbid_unknown_fields=False):
    """The parameter of Nova that `inferenceConfig` has no place for."""

    top_k: int | None = field(default=None, name="topK")


class AskedReasoning(Wire, forbid_unknown_fields=False):
    """How GPT-5.6 and later models, and Grok, are asked to think."""

    effort: str | None = None


class ModelFields(Wire, forbid_unknown_fields=False):
    """The keys of `additionalModelRequestFields` that are known: each of some makers' models."""

    thinking: Thinking | None = None
    top_k: int | None = None
    nova_thinking: NovaThinking | None = field(default=None, name="reasoningConfig")
    nova_inference: NovaInference | None = field(default=None, name="inferenceConfig")
    reasoning: AskedReasoning | None = None
    reasoning_effort: str | None = None
    reasoning_config: str | Thinking | None = None
    """An effort of Qwen, or what Claude also has in `thinking`."""


class Body(Wire, kw_only=True, rename="camel"):
    """The request; the URL holds the model and the stream flag.

    `additionalModelRequestFields` holds the parameters of the model's maker. `messages` may be
    missing if the model is a managed prompt; it is last, so that a longer conversation starts with
    the bytes of the shorter one.
    """

    inference_config: Inference | None = None
    additional_model_request_fields: Slice = None
    output_config: OutputConfig | None = None
    request_metadata: dict[str, str] | None = None
    service_tier: ServiceTier | None = None
    tool_config: ToolConfig | None = None
    system: list[Block] | None = None
    aside: Slice = field(default=None, name="modelId")
    messages: list[Message] | None = None


class AnswerMessage(Wire, kw_only=True):
    role: Literal["assistant"] = "assistant"
    content: list[Block]


class Output(Wire):
    """A union of one member."""

    message: AnswerMessage


class Response(Wire, kw_only=True, rename="camel"):
    """The response. `usage`, and the fields after `serviceTier`, are kept as raw JSON."""

    output: Output
    stop_reason: str | None = None
    usage: Annotated[Slice, Usage | None] = None
    service_tier: ServiceTier | None = None
    metrics: Slice = None
    additional_model_response_fields: Slice = None
    trace: Slice = None
    performance_config: Slice = None


class Usage(Wire, rename="camel"):
    """The counts that are read. The raw JSON of the whole object is kept beside them."""

    input_tokens: int | None = 0
    output_tokens: int | None = 0
    total_tokens: int | None = 0
    cache_read_input_tokens: int | None = 0
    cache_write_input_tokens: int | None = 0
    cache_read_input_token_count: Slice = None
    cache_write_input_token_count: Slice = None
    server_tool_usage: Slice = None
    cache_details: Slice = None


class ResponseFields(Struct):
    """The key of `additionalModelResponseFields` that is read."""

    stop_sequence: str | None = None


# The events of a stream. `p` is padding: the size of a frame is not to tell that of its text.


class ToolUseDelta(Wire):
    input: str | None = None


class ReasoningDelta(Wire, rename="camel"):
    """A union: a piece of text, of a signature, or of encrypted thinking."""

    text: str | None = None
    signature: str | None = None
    redacted_content: str | None = None


class Delta(Wire, rename="camel"):
    """A union: a piece of a block."""

    text: str | None = None
    tool_use: ToolUseDelta | None = None
    reasoning_content: ReasoningDelta | None = None
    citation: Slice = None
    tool_result: list[Slice] | None = None
    image: dict[str, Slice] | None = None


class BlockDelta(Wire, rename="camel"):
    content_block_index: int
    delta: Delta
    p: Slice = None


class BlockStart(Wire, rename="camel"):
    """`start` is a union: a call, a result, or an image, without its content."""

    content_block_index: int
    start: dict[str, Slice]
    p: Slice = None


class BlockStop(Wire, rename="camel"):
    content_block_index: int
    p: Slice = None


class MessageStop(Struct, rename="camel"):
    """The key that is read; all of them are the answer's."""

    stop_reason: str
