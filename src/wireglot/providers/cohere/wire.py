"""The JSON of Cohere's chat (`POST /v2/chat`), both directions.

Source: the types of the official Python SDK, `cohere` 7.3; limits from its docstrings and from the
API's own errors. The API refuses unknown keys (422).
"""

from __future__ import annotations

from typing import Annotated, Any, Final, TypeAlias

from .._state.wire import Slice, Wire
from .facts import API as API

DIALECTS: Final = ("cohere",)
"""Who serves the wire: Cohere alone."""


# Parts


class Text(Wire, tag_field="type", tag="text"):
    text: str


class ImageUrl(Wire):
    """`url` is a string, http or `data:`."""

    url: Annotated[Slice, str]
    detail: str | None = None


class Image(Wire, tag_field="type", tag="image_url"):
    image_url: ImageUrl


class Thinking(Wire, tag_field="type", tag="thinking"):
    """Thinking is plain text: there is no signature. Where it is empty, it may be left out."""

    thinking: str | None = None


class DocumentData(Wire, kw_only=True):
    """`data` is an object, whose keys are all shown to the model, or a string of such JSON."""

    id: str | None = None
    data: Annotated[Slice, str | dict[str, Any]]


class Document(Wire, tag_field="type", tag="document"):
    """A part of a tool's result, for the model to cite."""

    document: DocumentData


Part: TypeAlias = Text | Image | Thinking | Document
Content: TypeAlias = str | list[Part]


# Messages


class Function(Wire):
    """`arguments` is a string, the model's own text."""

    name: str
    arguments: Annotated[Slice, str | None] = None


class ToolCall(Wire, kw_only=True):
    id: str
    type: str | None = None
    function: Function


class System(Wire, tag_field="role", tag="system"):
    content: Content


class User(Wire, tag_field="role", tag="user"):
    content: Content


class Assistant(Wire, tag_field="role", tag="assistant"):
    """An answer; beside `tool_calls` the API takes no text except `tool_plan`."""

    content: Content | None = None
    tool_plan: str | None = None
    tool_calls: list[ToolCall] | None = None
    citations: Annotated[Slice, list[dict[str, Any]] | None] = None


class Tool(Wire, tag_field="role", tag="tool"):
    """The result of one call; other servers take null for an empty one."""

    tool_call_id: str
    content: Content | None


Message: TypeAlias = System | User | Assistant | Tool


# Tools and parameters


class FunctionDefinition(Wire):
    name: str
    description: str | None = None
    parameters: Slice = None


class FunctionTool(Wire):
    """A function; `type` is `function`, or missing."""

    type: str | None = None
    function: FunctionDefinition | None = None


class ResponseFormat(Wire):
    """`type` is `text`, or `json_object`, which may have a schema."""

    type: str
    json_schema: Slice = None


class ThinkingConfig(Wire):
    type: str
    token_budget: int | None = None


THINKING_KEYS: Final = {"enabled": "token_budget", "disabled": ""}
"""Type of thinking -> its keys, beside `type`."""


class Body(Wire, kw_only=True):
    """The request.

    `messages` is last, so that a longer conversation starts with the bytes of the shorter one.
    `strict_tools` is for all tools at once. `documents`, to be cited, are kept as raw JSON.
    """

    model: str | None = None
    stream: bool | None = None
    max_tokens: int | None = None
    stop_sequences: list[str] | None = None
    temperature: float | None = None
    seed: int | None = None
    frequency_penalty: float | None = None
    presence_penalty: float | None = None
    k: int | None = None
    p: float | None = None
    logprobs: bool | None = None
    response_format: ResponseFormat | None = None
    thinking: ThinkingConfig | None = None
    tool_choice: str | None = None
    strict_tools: bool | None = None
    documents: Slice = None
    tools: list[FunctionTool] | None = None
    messages: list[Message]


# Answers


class Response(Wire, kw_only=True):
    """The response. `error` has been seen only in streams."""

    id: str | None = None
    message: Assistant
    finish_reason: str | None = None
    error: str | None = None
    usage: Annotated[Slice, Usage | None] = None
    logprobs: Slice = None


class Counts(Wire):
    """Counts of tokens: the API sends integers, the SDK's types allow any number."""

    input_tokens: int | float | None = None
    output_tokens: int | float | None = None
    reasoning_tokens: int | float | None = None
    image_tokens: int | float | None = None
    search_units: Slice = None
    classifications: Slice = None


class Usage(Wire):
    """The counts that are read. The raw JSON of the whole object is kept beside them.

    `tokens` counts all that the model read and wrote, `billed_units` what is to be paid.
    """

    tokens: Counts | None = None
    billed_units: Counts | None = None
    cached_tokens: int | float | None = None


# The events of a stream


class Opening(Wire):
    message: dict[str, Slice] | None = None


class MessageStart(Wire, tag_field="type", tag="message-start"):
    id: str | None = None
    delta: Opening | None = None


class Plan(Wire):
    tool_plan: str


class PlanPiece(Wire):
    message: Plan


class PlanDelta(Wire, tag_field="type", tag="tool-plan-delta"):
    delta: PlanPiece


class NewContent(Wire):
    content: Slice


class NewContentPiece(Wire):
    message: NewContent


class ContentStart(Wire, tag_field="type", tag="content-start", kw_only=True):
    index: int | None = None
    delta: NewContentPiece


class Words(Wire):
    text: str | None = None
    thinking: str | None = None


class MoreContent(Wire):
    content: Words


class ContentPiece(Wire):
    message: MoreContent


class ContentDelta(Wire, tag_field="type", tag="content-delta", kw_only=True):
    index: int | None = None
    delta: ContentPiece
    logprobs: Slice = None


class ContentEnd(Wire, tag_field="type", tag="content-end"):
    index: int | None = None


class NewCall(Wire):
    """`tool_calls` is one call, despite the plural."""

    tool_calls: Slice


class NewCallPiece(Wire):
    message: NewCall


class CallStart(Wire, tag_field="type", tag="tool-call-start", kw_only=True):
    index: int | None = None
    delta: NewCallPiece


class MoreFunction(Wire):
    arguments: str | None = None


class MoreCall(Wire):
    function: MoreFunction


class CallPiece(Wire):
    tool_calls: MoreCall


class CallMessage(Wire):
    message: CallPiece


class CallDelta(Wire, tag_field="type", tag="tool-call-delta", kw_only=True):
    index: int | None = None
    delta: CallMessage


class CallEnd(Wire, tag_field="type", tag="tool-call-end"):
    index: int | None = None


class NewCitation(Wire):
    """`citations` is one citation, despite the plural."""

    citations: Slice


class NewCitationPiece(Wire):
    message: NewCitation


class CitationStart(Wire, tag_field="type", tag="citation-start", kw_only=True):
    index: int | None = None
    delta: NewCitationPiece


class MessageEnd(Wire, tag_field="type", tag="message-end", kw_only=True):
    id: str | None = None
    delta: dict[str, Slice]


Event: TypeAlias = (
    MessageStart
    | PlanDelta
    | ContentStart
    | ContentDelta
    | ContentEnd
    | CallStart
    | CallDelta
    | CallEnd
    | CitationStart
    | MessageEnd
)
