"""The JSON of Mistral's chat completions (`POST /v1/chat/completions`): requests, answers, streams.

Source: the types of the official Python SDK, `mistralai` 3.7; rules from the checks of
`mistral-common`, which the API runs on its input, and from the API's own errors.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, TypeAlias

from msgspec import UNSET, UnsetType

from .._state.wire import Slice, Wire
from .facts import API as API

DIALECTS: Final = ("mistral",)
"""Who serves the wire."""


# Parts


class Text(Wire, tag_field="type", tag="text"):
    text: str


class ImageUrl(Wire):
    """`url` is a string, http or `data:`."""

    url: Annotated[Slice, str]
    detail: str | None = None


class Image(Wire, tag_field="type", tag="image_url"):
    """`image_url` is an `ImageUrl`, or its URL alone."""

    image_url: Annotated[Slice, str | ImageUrl]


class Document(Wire, tag_field="type", tag="document_url"):
    """`document_url` is a string, http or `data:`."""

    document_url: Annotated[Slice, str]
    document_name: str | None = None


class File(Wire, tag_field="type", tag="file"):
    """An uploaded file, of whatever kind."""

    file_id: str


class Audio(Wire, tag_field="type", tag="input_audio"):
    """`input_audio` is a string, bare base64 or a URL; OpenAI's `{data, format}` is taken too."""

    input_audio: Annotated[Slice, str | dict[str, Any]]


class Reference(Wire, tag_field="type", tag="reference"):
    """A citation in an answer; `reference_ids` name what it cites from the results of tools."""

    reference_ids: Slice


class Thinking(Wire, tag_field="type", tag="thinking"):
    """`closed` is false if the model is to continue thinking; unset means true."""

    thinking: list[Text | Reference]
    signature: str | None = None
    closed: bool | None = None


Part: TypeAlias = Text | Image | Document | File | Audio | Reference | Thinking
Content: TypeAlias = str | list[Part] | None


# Messages


class FunctionCall(Wire):
    """`arguments` is a string, the model's own text, or an object."""

    name: str
    arguments: Annotated[Slice, str | dict[str, Any] | None] = None


class ToolCall(Wire, kw_only=True):
    """The API itself sometimes omits `type`. `index` is the call's position in its answer."""

    index: int | None = None
    id: str | None = None
    type: str | None = None
    function: FunctionCall


class System(Wire, tag_field="role", tag="system"):
    content: Content


class User(Wire, tag_field="role", tag="user"):
    content: Content


class Assistant(Wire, tag_field="role", tag="assistant"):
    """`prefix` marks the last message as the beginning of the answer.

    The API itself writes an empty `content` beside calls.
    """

    content: Content | UnsetType = UNSET
    tool_calls: list[ToolCall] | None = None
    prefix: bool | None = None


class Tool(Wire, tag_field="role", tag="tool", kw_only=True):
    """The result of one call."""

    tool_call_id: str | None = None
    name: str | None = None
    content: Content


Message: TypeAlias = System | User | Assistant | Tool


# Tools and parameters


class Function(Wire):
    name: str
    description: str | None = None
    parameters: Slice = None
    strict: bool | None = None


class FunctionTool(Wire):
    """A function, whose `type` may be missing; a connector has another type and no `function`."""

    type: str | None = None
    function: Function | None = None


class FunctionName(Wire):
    name: str


class NamedTool(Wire):
    type: str | None = None
    function: FunctionName | None = None


class JsonSchema(Wire):
    name: str
    description: str | None = None
    schema: Slice = None
    strict: bool | None = None


class ResponseFormat(Wire):
    type: str | None = None
    json_schema: JsonSchema | None = None


class Body(Wire, kw_only=True):
    """The request.

    `messages` is last, so that a longer conversation starts with the bytes of the shorter one.
    """

    model: str | None = None
    temperature: float | None = None
    top_p: float | None = None
    top_k: int | None = None
    max_tokens: int | None = None
    stream: bool | None = None
    stop: str | list[str] | None = None
    random_seed: int | None = None
    metadata: Annotated[Slice, dict[str, Any] | None] = None
    response_format: ResponseFormat | None = None
    presence_penalty: float | None = None
    frequency_penalty: float | None = None
    logprobs: bool | None = None
    top_logprobs: int | None = None
    n: int | None = None
    parallel_tool_calls: bool | None = None
    reasoning_effort: str | None = None
    service_tier: str | None = None
    tool_choice: str | NamedTool | None = None
    tools: list[FunctionTool] | None = None
    messages: list[Message]


# Answers


class Said(Wire, kw_only=True):
    """The message of an answer."""

    role: Literal["assistant"] | None = None
    content: Content | UnsetType = UNSET
    tool_calls: list[ToolCall] | None = None
    prefix: bool | None = None


class Choice(Wire, kw_only=True):
    """One answer. `logprobs` and the fields after it are kept as raw JSON."""

    index: int | None = None
    message: Said | None = None
    finish_reason: str | None = None
    logprobs: Slice = None
    prompt_logprobs: Slice = None
    messages: Slice = None


class Response(Wire, kw_only=True):
    """The response. `created` is in seconds."""

    id: str | None = None
    object: str | None = None
    created: int | float | None = None
    model: str | None = None
    choices: list[Choice]
    usage: Annotated[Slice, Usage | None] = None


class PromptDetails(Wire):
    cached_tokens: int | None = 0
    audio_tokens: int | None = None


class CompletionDetails(Wire):
    reasoning_tokens: int | None = 0


class Usage(Wire):
    """The counts that are read. The raw JSON of the whole object is kept beside them."""

    prompt_tokens: int | None = 0
    completion_tokens: int | None = 0
    total_tokens: int | None = 0
    num_cached_tokens: int | None = 0
    prompt_tokens_details: PromptDetails | None = None
    completion_tokens_details: CompletionDetails | None = None
    service_tier: str | None = None
    prompt_audio_seconds: Slice = None


# The events of a stream


class FunctionDelta(Wire):
    name: str | None = None
    arguments: Slice = None


class CallDelta(Wire, kw_only=True):
    """A call, or a fragment of one. The API sends them whole."""

    index: int | None = None
    id: str | None = None
    type: str | None = None
    function: FunctionDelta | None = None


class Delta(Wire, kw_only=True):
    """`index` numbers the messages of one answer; there is only one."""

    role: str | None = None
    content: Content = None
    tool_calls: list[CallDelta] | None = None
    index: int | None = None


class ChoiceDelta(Wire, kw_only=True):
    index: int | None = 0
    delta: Delta | None = None
    finish_reason: str | None = None
    logprobs: dict[str, Slice] | None = None
    prompt_logprobs: dict[str, Slice] | None = None


class Event(Wire, kw_only=True):
    """The JSON of one frame. `p` is padding."""

    id: Slice = None
    object: str | None = None
    created: Slice = None
    model: Slice = None
    choices: list[ChoiceDelta]
    usage: dict[str, Slice] | None = None
    p: Slice = None
