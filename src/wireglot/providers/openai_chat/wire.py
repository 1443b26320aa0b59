"""The JSON of OpenAI Chat Completions (`POST /v1/chat/completions`): requests, answers, streams.

Source: the types of the official Python SDKs, `openai` 3.52, `groq` 1.7 and `openrouter` 1.3, and
the API references of the servers that speak the same wire. The decoder takes the keys of all of
them; `dialects.py` says which keys are written for each.
"""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from msgspec import UNSET, UnsetType, field

from .._state.wire import Slice, Wire
from .facts import API as API

# Parts


class CacheControl(Wire, tag_field="type", tag="ephemeral"):
    """A cache breakpoint in OpenRouter's form, which is Anthropic's."""

    ttl: str | None = None


class CacheBreakpoint(Wire):
    """A cache breakpoint in OpenAI's form."""

    mode: str
    ttl: str | None = None


class Text(Wire, tag_field="type", tag="text"):
    text: str
    prompt_cache_breakpoint: CacheBreakpoint | None = None
    cache_control: CacheControl | None = None


class Refusal(Wire, tag_field="type", tag="refusal"):
    refusal: str


class Url(Wire):
    """`url` is a string, often a `data:` URL of megabytes."""

    url: Annotated[Slice, str]
    detail: str | None = None


class Image(Wire, tag_field="type", tag="image_url"):
    """Some services take the URL alone."""

    image_url: Url | str
    prompt_cache_breakpoint: CacheBreakpoint | None = None
    cache_control: CacheControl | None = None


class Video(Wire, tag_field="type", tag="video_url"):
    """A key of OpenRouter's, vLLM's, Z.AI's and Qwen's; OpenAI takes no videos."""

    video_url: Url
    cache_control: CacheControl | None = None


class AudioData(Wire):
    """`data` is bare base64."""

    data: Annotated[Slice, str | None]
    format: str


class Audio(Wire, tag_field="type", tag="input_audio"):
    input_audio: AudioData
    prompt_cache_breakpoint: CacheBreakpoint | None = None
    cache_control: CacheControl | None = None


class FileData(Wire):
    """Has `file_id`, or `file_data`: a `data:` URL, on OpenRouter also an http URL."""

    filename: str | None = None
    file_data: Annotated[Slice, str] = None
    file_id: str | None = None


class File(Wire, tag_field="type", tag="file"):
    file: FileData
    prompt_cache_breakpoint: CacheBreakpoint | None = None
    cache_control: CacheControl | None = None


# Every message may hold any part: services differ in what they take, and the SDKs' types with them.
Part: TypeAlias = Text | Refusal | Image | Video | Audio | File
Content: TypeAlias = str | list[Part]


# Messages


class Function(Wire):
    """A call's name, and its arguments as the model wrote them: text, mostly valid JSON."""

    name: str
    arguments: Slice = None


class Custom(Wire):
    """A call of a custom tool; `input` is free text."""

    name: str
    input: Slice


class OfGoogle(Wire, forbid_unknown_fields=True):
    thought_signature: str


class ExtraContent(Wire, forbid_unknown_fields=True):
    """The signature of a call of Gemini's, in Google's OpenAI-compatible API.

    Source: "Thought signatures" of the Gemini API, 2026-10.
    """

    google: OfGoogle


class Call(Wire):
    """Has `function` or `custom`, as `type` says; `index` is left over from a stream.

    `extra_content` is an `ExtraContent`, or any other JSON.
    """

    id: str
    type: str | None = None
    function: Function | None = None
    custom: Custom | None = None
    index: int | None = None
    extra_content: Slice = None


class ReasoningText(Wire, tag_field="type", tag="reasoning.text"):
    text: str | None = None
    signature: str | None = None
    id: str | None = None
    format: str | None = None
    index: int | None = None


class ReasoningSummary(Wire, tag_field="type", tag="reasoning.summary"):
    summary: str | None = None
    id: str | None = None
    format: str | None = None
    index: int | None = None


class ReasoningEncrypted(Wire, tag_field="type", tag="reasoning.encrypted"):
    data: str | None = None
    id: str | None = None
    format: str | None = None
    index: int | None = None


ReasoningDetail: TypeAlias = ReasoningText | ReasoningSummary | ReasoningEncrypted


class AudioId(Wire):
    """The id of an earlier spoken answer of the model."""

    id: str


class System(Wire, tag_field="role", tag="system"):
    content: Content
    name: str | None = None


class Developer(Wire, tag_field="role", tag="developer"):
    content: Content
    name: str | None = None


class User(Wire, tag_field="role", tag="user"):
    content: Content
    name: str | None = None


class Assistant(Wire, tag_field="role", tag="assistant"):
    """`content` is null if there are only calls; most servers of open models require the key.

    Thinking is under `reasoning_content` (DeepSeek and others), `reasoning` (vLLM, Groq, Ollama) or
    `reasoning_text` (Copilot), on OpenRouter with `reasoning_details` beside it. `annotations` is a
    key of responses, but clients send it back, usually empty.
    """

    content: Content | UnsetType | None = UNSET
    name: str | None = None
    refusal: str | None = None
    audio: AudioId | None = None
    reasoning_content: str | None = None
    reasoning: str | None = None
    reasoning_text: str | None = None
    reasoning_details: list[ReasoningDetail] | None = None
    annotations: Annotated[Slice, list[dict[str, Any]] | None] = None
    function_call: Function | None = None
    tool_calls: list[Call] | None = None


class Tool(Wire, tag_field="role", tag="tool"):
    """OpenAI has no `name` here, but clients send it; and null for an empty result."""

    tool_call_id: str
    content: Content | None
    name: str | None = None


class FunctionResult(Wire, tag_field="role", tag="function"):
    """The deprecated answer to a `function_call`."""

    name: str
    content: str | None


Message: TypeAlias = System | Developer | User | Assistant | Tool | FunctionResult


# Tools


class FunctionDefinition(Wire):
    name: str
    description: str | None = None
    parameters: Slice = None
    strict: bool | None = None


class FunctionTool(Wire, tag_field="type", tag="function"):
    """Cursor sends the keys of `function` in its place, as the tools of Responses have them."""

    function: FunctionDefinition | None = None
    cache_control: CacheControl | None = None


class CustomTool(Wire, tag_field="type", tag="custom"):
    """A tool that takes free text; it is kept as an opaque block."""

    custom: Slice


class Name(Wire):
    name: str


class NamedTool(Wire):
    """Has `function` or `custom`, as `type` says."""

    type: str | None = None
    function: Name | None = None
    custom: Name | None = None


class AllowedTools(Wire):
    mode: str
    tools: list[NamedTool]


class ToolChoice(Wire):
    """Has one of the next three keys, as `type` says; with a `name`, other APIs spell it."""

    type: str | None = None
    function: Name | None = None
    custom: Name | None = None
    allowed_tools: AllowedTools | None = None
    name: str | None = None


# The body


class TextFormat(Wire, tag_field="type", tag="text"):
    pass


class JsonFormat(Wire, tag_field="type", tag="json_object"):
    """`schema` is a key of llama.cpp's and Fireworks'."""

    schema: Slice = None


class JsonSchema(Wire):
    """OpenAI requires the name; llama.cpp and Perplexity do not."""

    name: str | None = None
    description: str | None = None
    schema: Slice = None
    strict: bool | None = None


class SchemaFormat(Wire, tag_field="type", tag="json_schema"):
    """Together has `schema` in the place of `json_schema`."""

    json_schema: JsonSchema | None = None
    schema: Slice = None


class StreamOptions(Wire):
    include_usage: bool | None = None
    include_obfuscation: bool | None = None


class Reasoning(Wire):
    """OpenRouter's key for thinking: an effort or a number of tokens."""

    effort: str | None = None
    max_tokens: int | None = None
    exclude: bool | None = None
    enabled: bool | None = None


class ThinkingSwitch(Wire):
    """DeepSeek's and Z.AI's key that turns thinking on and off."""

    type: str | None = None


class TemplateSwitch(Wire):
    """vLLM's key for what the chat templates of open models take."""

    enable_thinking: bool | None = None


class Body(Wire, kw_only=True):
    """The request.

    `messages` is last, so that a longer conversation starts with the bytes of the shorter one.
    """

    aside: Slice = field(default=None, name="provider")  # OpenRouter's
    model: str | None = None
    stream: bool | None = None
    stream_options: StreamOptions | None = None
    n: int | None = None
    max_tokens: int | None = None
    max_completion_tokens: int | None = None
    temperature: float | None = None
    top_p: float | None = None
    top_k: int | None = None
    frequency_penalty: float | None = None
    presence_penalty: float | None = None
    seed: int | None = None
    stop: str | list[str] | None = None
    logprobs: bool | int | None = None  # a number at Together: how many
    top_logprobs: int | None = None
    reasoning_effort: str | None = None
    reasoning: Reasoning | None = None
    thinking: ThinkingSwitch | None = None
    enable_thinking: bool | None = None
    thinking_budget: int | None = None
    thinking_token_budget: int | None = None
    thinking_budget_tokens: int | None = None
    chat_template_kwargs: TemplateSwitch | None = None
    reasoning_format: str | None = None
    response_format: TextFormat | JsonFormat | SchemaFormat | None = None
    service_tier: str | None = None
    user: str | None = None
    user_id: str | None = None
    safety_identifier: str | None = None
    metadata: dict[str, Any] | None = None
    cache_control: CacheControl | None = None
    tool_choice: str | ToolChoice | None = None
    function_call: str | Name | None = None
    parallel_tool_calls: bool | None = None
    web_search_options: Slice = None
    functions: list[FunctionDefinition] | None = None
    tools: list[FunctionTool | CustomTool] | None = None
    messages: list[Message]


# Answers


class Voice(Wire):
    """A spoken answer; requests send only its `id`."""

    id: str
    data: Slice = None
    expires_at: int | None = None
    transcript: str | None = None


class CalledFunction(Wire):
    name: str
    arguments: Slice = None


class AnsweredCall(Wire):
    """A `Call` of an answer, read leniently: `id` and `arguments` may be missing."""

    id: str = ""
    type: str | None = None
    function: CalledFunction | None = None
    custom: Custom | None = None
    index: int | None = None
    extra_content: Slice = None


class Answered(Wire, tag_field="role", tag="assistant"):
    """The message of an answer. What requests send back has the same keys there.

    `content` is an object if Cloudflare was asked for JSON; `padding` is Copilot's, and has no
    meaning.
    """

    content: Content | dict[str, Slice] | None = None
    refusal: str | None = None
    audio: Voice | None = None
    reasoning_content: str | None = None
    reasoning: str | None = None
    reasoning_text: str | None = None
    reasoning_details: list[ReasoningDetail] | None = None
    annotations: Annotated[Slice, list[dict[str, Any]] | None] = None
    function_call: CalledFunction | None = None
    tool_calls: list[AnsweredCall] | None = None
    name: str | None = None
    padding: str | None = None


class Choice(Wire):
    """One answer. The fields after `finish_reason` are kept as raw JSON.

    Azure leaves out the `message` of an answer that it has filtered.
    """

    message: Answered | None = None
    index: int | None = None
    finish_reason: str | None = None
    logprobs: Slice = None
    native_finish_reason: Slice = None
    content_filter_results: Slice = None


class Response(Wire, kw_only=True):
    """The response. The fields after `service_tier` are kept as raw JSON."""

    id: str | None = None
    object: str | None = None
    created: int | float | None = None
    model: str | None = None
    choices: list[Choice]
    usage: Annotated[Slice, Usage | None] = None
    service_tier: str | None = None
    system_fingerprint: Slice = None
    provider: Slice = None
    prompt_filter_results: Slice = None
    moderation: Slice = None
    metadata: Slice = None
    x_groq: Slice = None
    usage_breakdown: Slice = None
    timings: Slice = None


class PromptDetails(Wire):
    cached_tokens: int | None = None
    cache_write_tokens: int | None = None
    cache_creation_tokens: int | None = None
    cache_creation_input_tokens: int | None = None
    audio_tokens: Slice = None
    text_tokens: Slice = None
    image_tokens: Slice = None
    video_tokens: Slice = None
    file_tokens: Slice = None
    multimodal_tokens: Slice = None


class CompletionDetails(Wire):
    reasoning_tokens: int | None = None
    audio_tokens: Slice = None
    text_tokens: Slice = None
    image_tokens: Slice = None
    accepted_prediction_tokens: Slice = None
    rejected_prediction_tokens: Slice = None


class Usage(Wire):
    """The counts that are read. The raw JSON of the whole object is kept beside them.

    Cached tokens may be under three more keys: DeepSeek's, Moonshot's, and Anthropic's, which some
    gateways add. Written ones may be under Anthropic's, too, also in the details (Alibaba's,
    LiteLLM's). Some gateways have the names of Responses instead of Chat's
    (diegosouzapw/OmniRoute#14204, 2026-09), or beside them. `cost` is OpenRouter's; Perplexity's
    is an object.
    """

    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    total_tokens: int | None = None
    prompt_tokens_details: PromptDetails | None = None
    completion_tokens_details: CompletionDetails | None = None
    input_tokens: Slice = None
    output_tokens: Slice = None
    input_tokens_details: Slice = None
    output_tokens_details: Slice = None
    prompt_cache_hit_tokens: int | None = None
    cached_tokens: int | None = None
    cache_read_input_tokens: int | None = None
    reasoning_tokens: int | None = None
    cost: Any = None
    prompt_cache_miss_tokens: Slice = None
    cache_creation_input_tokens: int | None = None
    cache_creation: Slice = None
    cost_details: Slice = None
    is_byok: Slice = None
    server_tool_use: Slice = None
    server_tool_use_details: Slice = None
    service_tier: Slice = None
    iterations: Slice = None
    speed: Slice = None
    num_sources_used: Slice = None
    cost_in_usd_ticks: Slice = None
    queue_time: Slice = None
    prompt_time: Slice = None
    completion_time: Slice = None
    total_time: Slice = None
    citation_tokens: Slice = None
    num_search_queries: Slice = None
    search_context_size: Slice = None


# The chunks of a stream. A key that is null means nothing.


class CallDelta(Wire):
    index: int | None = None
    id: str | None = None
    type: str | None = None
    function: FunctionDelta | None = None
    custom: CustomDelta | None = None
    extra_content: Slice = None


class FunctionDelta(Wire):
    name: str | None = None
    arguments: str | None = None


class CustomDelta(Wire):
    name: str | None = None
    input: str | None = None


class DetailDelta(Wire):
    """A piece of one of the reasoning details; `index` and `type` say of which."""

    type: str
    index: int | None = None
    id: str | None = None
    format: str | None = None
    text: str | None = None
    summary: str | None = None
    data: str | None = None
    signature: str | None = None


class VoiceDelta(Wire):
    id: str | None = None
    data: str | None = None
    expires_at: int | None = None
    transcript: str | None = None


class Delta(Wire):
    content: str | None = None
    role: str | None = None
    refusal: str | None = None
    reasoning_content: str | None = None
    reasoning: str | None = None
    reasoning_text: str | None = None
    reasoning_details: list[DetailDelta] | None = None
    tool_calls: list[CallDelta] | None = None
    function_call: FunctionDelta | None = None
    audio: VoiceDelta | None = None
    annotations: list[Slice] | None = None
    name: str | None = None
    padding: str | None = None


class ChoiceDelta(Wire):
    """`message` repeats all the deltas before it, as at Perplexity, or is in their place."""

    delta: Delta | None = None
    index: int | None = None
    finish_reason: str | None = None
    logprobs: dict[str, Slice] | None = None
    native_finish_reason: str | None = None
    content_filter_results: dict[str, Slice] | None = None
    message: Slice = None


class Chunk(Wire):
    """One event. The fields after `usage` go into the answer; `obfuscation` is padding."""

    choices: list[ChoiceDelta] | None = None
    id: str | None = None
    object: str | None = None
    created: int | float | None = None
    model: str | None = None
    usage: dict[str, Slice] | None = None
    service_tier: str | None = None
    system_fingerprint: str | None = None
    provider: str | None = None
    obfuscation: str | None = None
