"""The JSON of Cohere's chat (`POST /v2/chat`), requests, both directions.

Source: the types of the official Python SDK, `cohere` 7.3; limits from its docstrings and from the
API's own errors. An unknown key is refused by the API (422).
"""

from __future__ import annotations

from typing import Final, TypeAlias

from .._wire import Slice, Wire

API: Final = "cohere-chat-v2"
"""The stable id of this wire."""


# Parts


class Text(Wire, tag_field="type", tag="text"):
    text: str


class ImageUrl(Wire):
    """`url` is a string, http or `data:`."""

    url: Slice
    detail: str | None = None


class Image(Wire, tag_field="type", tag="image_url"):
    image_url: ImageUrl


class Thinking(Wire, tag_field="type", tag="thinking"):
    """Thinking is plain text: there is no signature."""

    thinking: str


class DocumentData(Wire, kw_only=True):
    """`data` is an object of any keys, all shown to the model, or a string of such JSON."""

    id: str | None = None
    data: Slice


class Document(Wire, tag_field="type", tag="document"):
    """A part of a tool's result, for the model to cite."""

    document: DocumentData


Part: TypeAlias = Text | Image | Thinking | Document
Content: TypeAlias = str | list[Part]


# Messages


class Function(Wire):
    """`arguments` is a string, the model's own text."""

    name: str
    arguments: Slice = None


class ToolCall(Wire, kw_only=True):
    id: str
    type: str | None = None
    function: Function


class System(Wire, tag_field="role", tag="system"):
    content: Content


class User(Wire, tag_field="role", tag="user"):
    content: Content


class Assistant(Wire, tag_field="role", tag="assistant"):
    """Beside calls no text is taken but the `tool_plan`."""

    content: Content | None = None
    tool_plan: str | None = None
    tool_calls: list[ToolCall] | None = None
    citations: Slice = None


class Tool(Wire, tag_field="role", tag="tool"):
    """The result of one call."""

    tool_call_id: str
    content: Content


Message: TypeAlias = System | User | Assistant | Tool


# Tools and parameters


class FunctionDefinition(Wire):
    name: str
    description: str | None = None
    parameters: Slice = None


class FunctionTool(Wire):
    """A function, as `type` says where it is not left out."""

    type: str | None = None
    function: FunctionDefinition | None = None


class ResponseFormat(Wire):
    """`text` or `json_object`, to which a schema may be given."""

    type: str
    json_schema: Slice = None


class ThinkingConfig(Wire):
    type: str
    token_budget: int | None = None


class Body(Wire, kw_only=True):
    """The request.

    `messages` is last, so that a longer conversation starts with the bytes of the shorter one.
    `strict_tools` is for all tools at once. `documents`, to be cited, have no place in the model.
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
