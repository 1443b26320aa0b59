"""The JSON of Gemini's generateContent (`POST /v1beta/models/{model}:generateContent`).

Source: the types of the official Python SDK, `google-genai` 3.4. The wire is proto3 JSON: keys are
camelCase, binary data are base64; snake_case is read too, and so is a single value for a list. A
part has exactly one of its data fields; here it is one Struct with all of them.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Final

from msgspec import Struct, field

from ..._body.decode import Aside
from .._state.wire import Slice
from .._state.wire import Wire as AnyWire
from .facts import API as API

DIALECTS: Final = ("gemini", "vertex")
"""Who serves the wire: the Gemini API, or Vertex AI, where the URL names the publisher."""


class Wire(AnyWire, rename="camel"):
    """Base of this wire's objects."""

    PROTO: ClassVar[bool] = True


class Blob(Wire):
    data: Annotated[Slice, str | None] = None
    mime_type: str | None = None


class FileData(Wire):
    file_uri: str
    mime_type: str | None = None


class FunctionCall(Wire):
    name: str
    args: Slice = None
    id: str | None = None


class Attachment(Wire):
    """Media inside a function's response."""

    inline_data: Blob | None = None
    file_data: FileData | None = None


class FunctionResponse(Wire):
    name: str
    response: Slice = None
    id: str | None = None
    parts: list[Attachment] | None = None


class Part(Wire):
    text: str | None = None
    inline_data: Blob | None = None
    file_data: FileData | None = None
    function_call: FunctionCall | None = None
    function_response: FunctionResponse | None = None
    thought: bool | None = None
    thought_signature: str | None = None


class MediaResolution(Wire):
    level: str


class ResolvedPart(Part):
    """An image whose resolution is chosen."""

    media_resolution: MediaResolution | None = None


class Content(Wire):
    """One turn; without a role it is the user's."""

    role: str | None = None
    parts: list[Part] | None = None


class FunctionDeclaration(Wire, Aside):
    """A function; `parameters` is in Gemini's dialect, `parametersJsonSchema` is JSON Schema."""

    name: str
    description: str | None = None
    parameters: Slice = None
    parameters_json_schema: Slice = None
    aside: Slice = field(default=None, name="parameters_json_schema")  # as Google's SDKs write it


class Tool(Wire, Aside):
    function_declarations: list[FunctionDeclaration] | None = None
    aside: Slice = field(default=None, name="codeExecution")


class FunctionCallingConfig(Wire):
    mode: str | None = None
    allowed_function_names: list[str] | None = None


class ToolConfig(Wire):
    function_calling_config: FunctionCallingConfig | None = None


class MixedToolConfig(ToolConfig):
    """Of a request with functions beside Google's own tools, which must show what these did."""

    include_server_side_tool_invocations: bool | None = None


class ThinkingConfig(Wire):
    include_thoughts: bool | None = None
    thinking_budget: int | None = None
    thinking_level: str | None = None


class GenerationConfig(Wire, Aside):
    max_output_tokens: int | None = None
    temperature: float | None = None
    top_p: float | None = None
    top_k: float | None = None
    candidate_count: int | None = None
    stop_sequences: list[str] | None = None
    seed: int | None = None
    presence_penalty: float | None = None
    frequency_penalty: float | None = None
    response_mime_type: str | None = None
    response_schema: Slice = None
    response_json_schema: Slice = None
    response_logprobs: bool | None = None
    logprobs: int | None = None
    thinking_config: ThinkingConfig | None = None
    aside: Slice = field(default=None, name="responseModalities")


class Body(Wire, kw_only=True):
    """The request; the URL holds the model and the stream flag.

    `contents` is last, so that a longer conversation starts with the bytes of the shorter one.
    """

    model: str | None = None
    generation_config: GenerationConfig | None = None
    service_tier: str | None = None
    labels: dict[str, str] | None = None
    tool_config: ToolConfig | None = None
    tools: list[Tool] | None = None
    system_instruction: Content | None = None
    aside: Slice = field(default=None, name="safetySettings")
    contents: list[Content]


class Candidate(Wire):
    """One answer of several. The fields after `index` are kept as raw JSON."""

    content: Content | None = None
    finish_reason: str | int | None = None  # Vertex has sent the enumeration's numbers
    index: int | None = None
    finish_message: Slice = None
    safety_ratings: Slice = None
    citation_metadata: Slice = None
    grounding_metadata: Slice = None
    url_context_metadata: Slice = None
    avg_logprobs: Slice = None
    logprobs_result: Slice = None
    token_count: Slice = None
    continuation_token: Slice = None


class Response(Wire):
    """The response. `createTime` and the fields after it are kept as raw JSON."""

    candidates: list[Candidate] | None = None
    model_version: str | None = None
    response_id: str | None = None
    create_time: Slice = None
    usage_metadata: Annotated[Slice, Usage | None] = None
    prompt_feedback: Annotated[Slice, PromptFeedback | None] = None
    model_status: Slice = None


class PromptFeedback(Struct, rename="camel"):
    """Why a prompt was blocked. The raw JSON of the whole object is kept beside it."""

    block_reason: str | int | None = None


class Usage(Wire, rename="camel"):
    """The counts that are read. The raw JSON of the whole object is kept beside them."""

    prompt_token_count: int | None = 0
    cached_content_token_count: int | None = 0
    candidates_token_count: int | None = 0
    thoughts_token_count: int | None = 0
    tool_use_prompt_token_count: int | None = 0
    total_token_count: int | None = 0
    prompt_tokens_details: Slice = None
    candidates_tokens_details: Slice = None
    cache_tokens_details: Slice = None
    tool_use_prompt_tokens_details: Slice = None
    service_tier: Slice = None
    traffic_type: Slice = None


# The chunks of a stream. Each is an answer with a piece of the content, so these Structs repeat
# those of the answer, but read of a part only what a delta needs.


class Piece(Wire):
    text: str | None = None
    thought: bool | None = None
    thought_signature: str | None = None
    function_call: Slice = None
    inline_data: Slice = None


class PieceContent(Wire):
    role: str | None = None
    parts: list[Piece] | None = None


class PieceCandidate(Wire):
    content: PieceContent | None = None
    finish_reason: str | int | None = None
    index: int | None = None
    finish_message: Slice = None
    safety_ratings: Slice = None
    citation_metadata: Slice = None
    grounding_metadata: Slice = None
    url_context_metadata: Slice = None
    avg_logprobs: Slice = None
    logprobs_result: Slice = None
    token_count: Slice = None
    continuation_token: Slice = None


class Chunk(Wire):
    candidates: list[PieceCandidate] | None = None
    model_version: str | None = None
    response_id: str | None = None
    create_time: Slice = None
    usage_metadata: Slice = None
    prompt_feedback: Slice = None
    model_status: Slice = None
    error: Slice = None


class PartialArg(Wire):
    """The value at `jsonPath` in a call's arguments, or a piece of a text there."""

    json_path: str
    string_value: str | None = None
    number_value: Slice = None
    bool_value: bool | None = None
    null_value: Slice = None
    will_continue: bool | None = None


class PartialCall(Wire):
    """A piece of a call; Vertex sends calls in pieces if asked to."""

    name: str | None = None
    args: Slice = None
    id: str | None = None
    partial_args: list[PartialArg] | None = None
    will_continue: bool | None = None
