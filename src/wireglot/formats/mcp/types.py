"""MCP's messages, content and tools as Structs whose JSON is MCP's own.

Optional fields are `UNSET` where the key is missing. Annotations, `_meta` and schemas stay raw JSON
until they are asked for: `block.annotations.value`.

Source: the Model Context Protocol, schemas of 2025-11-25 and 2026-07-28.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from msgspec import UNSET, Raw, UnsetType, field

from ...model import Arguments, Media
from ...model.media import InlineMedia, adopt_media
from ...model.rawjson import RawArguments, RawValue, adopt_arguments
from .._records import set_aside
from .._set_aside import Carried, WithUncarried

__all__ = [
    "AssistantMessage",
    "AudioContent",
    "CallToolResult",
    "ContentBlock",
    "CreateMessageRequestParams",
    "EmbeddedResource",
    "GetPromptResult",
    "ImageContent",
    "ListToolsResult",
    "Message",
    "ResourceContents",
    "ResourceLink",
    "SamplingContentBlock",
    "TextContent",
    "Tool",
    "ToolResultContent",
    "ToolUseContent",
    "UserMessage",
]

Maybe = str | UnsetType | None

if TYPE_CHECKING:
    MaybeMedia: TypeAlias = Media | UnsetType
else:
    MaybeMedia = Raw


class _Annotated(WithUncarried, kw_only=True):
    """The fields of every content block but calls and results."""

    UNCARRIED: ClassVar[frozenset[str]] = frozenset({"annotations", "meta"})

    annotations: Carried = UNSET
    meta: Carried = field(default=UNSET, name="_meta")


class _WithMeta(WithUncarried, kw_only=True):
    """The field of all other types."""

    UNCARRIED: ClassVar[frozenset[str]] = frozenset({"meta"})

    meta: Carried = field(default=UNSET, name="_meta")


class TextContent(_Annotated, tag_field="type", tag="text"):
    """Text."""

    text: str


class _Inline(_Annotated):
    """Inline media: `data` is held as the base64 that came in."""

    data: InlineMedia
    mime_type: str = field(name="mimeType")

    def __post_init__(self) -> None:
        self.data = _media(self.data)
        super().__post_init__()


class ImageContent(_Inline, tag_field="type", tag="image"):
    """An image."""


class AudioContent(_Inline, tag_field="type", tag="audio"):
    """A sound."""


class ResourceLink(_Annotated, tag_field="type", tag="resource_link"):
    """A resource that the server can read. `size` counts bytes."""

    UNCARRIED: ClassVar[frozenset[str]] = _Annotated.UNCARRIED | {"title", "description", "icons"}

    uri: str
    name: str
    mime_type: Maybe = field(default=UNSET, name="mimeType")
    size: int | UnsetType | None = UNSET
    title: Maybe = UNSET
    description: Maybe = UNSET
    icons: Carried = UNSET


class ResourceContents(_WithMeta):
    """What is in a resource: `text`, or `blob`, held as the base64 that came in."""

    UNCARRIED: ClassVar[frozenset[str]] = frozenset({"meta", "mime_type"})

    uri: str
    mime_type: Maybe = field(default=UNSET, name="mimeType")
    text: str | UnsetType = UNSET
    blob: MaybeMedia = UNSET

    def __post_init__(self) -> None:
        """Adopt the decoder's slices, or what the caller passed."""
        if self.blob is not UNSET:
            self.blob = _media(self.blob)
        super().__post_init__()
        if (self.text is UNSET) is (self.blob is UNSET):
            raise ValueError("both or neither of `text` and `blob`, expected one")


class EmbeddedResource(_Annotated, tag_field="type", tag="resource"):
    """A resource with its contents."""

    resource: ResourceContents


ContentBlock = TextContent | ImageContent | AudioContent | ResourceLink | EmbeddedResource
"""A block of a prompt, and of the result of a tool."""


class ToolUseContent(_WithMeta, tag_field="type", tag="tool_use"):
    """A call that the model asks for; `input` keeps its text."""

    id: str
    name: str
    input: RawArguments

    def __post_init__(self) -> None:
        """Adopt the decoder's slice, or what the caller passed."""
        if type(self.input) is not Arguments:
            self.input = adopt_arguments(self.input)
        super().__post_init__()
        if bytes(memoryview(self.input.native())[:1]) != b"{":
            raise ValueError("expected `object` as `input`")


class ToolResultContent(_WithMeta, tag_field="type", tag="tool_result"):
    """The result of a call, part of a user's message."""

    tool_use_id: str = field(name="toolUseId")
    content: list[ContentBlock]
    structured_content: Carried = field(default=UNSET, name="structuredContent")
    is_error: bool | UnsetType | None = field(default=UNSET, name="isError")


SamplingContentBlock = (
    TextContent | ImageContent | AudioContent | ToolUseContent | ToolResultContent
)
"""A block of a message that holds a list. A resource is the only block of its message."""
Content = (
    TextContent
    | ImageContent
    | AudioContent
    | ResourceLink
    | EmbeddedResource
    | ToolUseContent
    | ToolResultContent
    | list[SamplingContentBlock]
)


class UserMessage(_WithMeta, tag_field="role", tag="user"):
    """What the user says, in a prompt or for sampling; also the results of tools."""

    role: ClassVar[str] = "user"

    content: Content


class AssistantMessage(_WithMeta, tag_field="role", tag="assistant"):
    """What the model answered: in a prompt, for sampling, or as a `CreateMessageResult`.

    Only the last has a `model` and a `stopReason`; elsewhere they are unknown keys.
    """

    role: ClassVar[str] = "assistant"

    content: Content
    model: Maybe = UNSET
    stop_reason: Maybe = field(default=UNSET, name="stopReason")

    def __post_init__(self) -> None:
        """Adopt the slices; set aside `model` and `stop_reason` if this is not an answer."""
        super().__post_init__()
        if type(self.model) is not str or isinstance(self.content, ResourceLink | EmbeddedResource):
            answered = {"model": self.model, "stopReason": self.stop_reason}
            told = {key: value for key, value in answered.items() if value is not UNSET}
            if told:
                set_aside(self, told)
                self.model = self.stop_reason = UNSET


Message = UserMessage | AssistantMessage
"""MCP's SamplingMessage, PromptMessage and CreateMessageResult in one, told apart by `role`."""


class GetPromptResult(_WithMeta):
    """The messages of a prompt."""

    messages: list[Message]
    description: Maybe = UNSET


class Tool(_WithMeta):
    """A tool that a server offers. `input_schema` is a JSON Schema, text as it came."""

    UNCARRIED: ClassVar[frozenset[str]] = _WithMeta.UNCARRIED | {
        "title",
        "output_schema",
        "annotations",
        "icons",
        "execution",
    }

    name: str
    input_schema: RawValue = field(name="inputSchema")
    description: Maybe = UNSET
    title: Maybe = UNSET
    output_schema: Carried = field(default=UNSET, name="outputSchema")
    annotations: Carried = UNSET
    icons: Carried = UNSET
    execution: Carried = UNSET

    def __post_init__(self) -> None:
        """Adopt the decoder's slices, or plain dicts; refuse a schema that is not an object."""
        super().__post_init__()
        if self.input_schema.text[:1] != b"{":
            raise ValueError("expected `object` as `inputSchema`")


class ListToolsResult(_WithMeta):
    """The tools of a server, or a page of them."""

    tools: list[Tool]
    next_cursor: Maybe = field(default=UNSET, name="nextCursor")


class CreateMessageRequestParams(_WithMeta):
    """What a server asks a model, through the client. Further settings are unknown keys."""

    messages: list[Message]
    max_tokens: int = field(name="maxTokens")
    system_prompt: Maybe = field(default=UNSET, name="systemPrompt")
    tools: list[Tool] | UnsetType | None = UNSET


class CallToolResult(_WithMeta):
    """What a tool answered. `result_type` came in 2026; `complete` is its default."""

    content: list[ContentBlock]
    structured_content: Carried = field(default=UNSET, name="structuredContent")
    is_error: bool | UnsetType | None = field(default=UNSET, name="isError")
    result_type: Maybe = field(default=UNSET, name="resultType")


def _media(value: Any) -> Media:
    made = value if type(value) is Media else adopt_media(value)
    if made is None:
        raise ValueError("expected base64 `str`, got `null`")
    return made
