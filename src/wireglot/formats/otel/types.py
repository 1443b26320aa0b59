"""Messages and tools of OpenTelemetry's GenAI conventions as Structs whose JSON is theirs.

Optional fields are `UNSET` where the key is missing, and None where it is null.

Source: OpenTelemetry semantic conventions for generative AI, schemas `gen-ai-input-messages.json`,
`gen-ai-output-messages.json`, `gen-ai-system-instructions.json` and `gen-ai-tool-definitions.json`,
as opentelemetry-util-genai 1.3b0 has them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from msgspec import UNSET, Raw, UnsetType

from ...model import Arguments, Media
from ...model.media import InlineMedia, adopt_media
from ...model.rawjson import RawValue, adopt_arguments
from .._records import Record, set_aside
from .._set_aside import Carried, WithUncarried

__all__ = [
    "BlobPart",
    "CompactionPart",
    "FilePart",
    "FunctionToolDefinition",
    "GenericPart",
    "GenericToolDefinition",
    "Message",
    "Part",
    "ReasoningPart",
    "ServerToolCallPart",
    "ServerToolCallResponsePart",
    "TextPart",
    "ToolCallPart",
    "ToolCallResponsePart",
    "ToolDefinition",
    "UriPart",
]

Maybe = str | UnsetType | None

if TYPE_CHECKING:
    MaybeArguments: TypeAlias = Arguments | UnsetType | None
else:
    MaybeArguments = Raw


class TextPart(WithUncarried, tag_field="type", tag="text"):
    """Text."""

    content: str


class ReasoningPart(WithUncarried, tag_field="type", tag="reasoning"):
    """What the model thought."""

    content: str


class ToolCallPart(WithUncarried, tag_field="type", tag="tool_call"):
    """A call. `arguments` are any JSON, which keeps its text."""

    name: str
    id: Maybe = UNSET
    arguments: MaybeArguments = UNSET

    def __post_init__(self) -> None:
        """Adopt the decoder's slice, or what the caller passed."""
        held: Any = self.arguments
        if type(held) is Raw and bytes(memoryview(held)[:4]) == b"null":
            self.arguments = None
        elif held is not UNSET and held is not None and type(held) is not Arguments:
            self.arguments = adopt_arguments(held)


class ToolCallResponsePart(WithUncarried, tag_field="type", tag="tool_call_response"):
    """The result of a call. `response` is any JSON, which keeps its text."""

    response: RawValue
    id: Maybe = UNSET


class BlobPart(WithUncarried, tag_field="type", tag="blob"):
    """Inline media: `content` is held as the base64 that came in.

    A `modality` is `image`, `audio`, `video`, `document`, or any other word.
    """

    modality: str
    content: InlineMedia
    mime_type: Maybe = UNSET

    def __post_init__(self) -> None:
        """Adopt the decoder's slice, or what the caller passed."""
        if type(self.content) is not Media:
            media = adopt_media(self.content)
            if media is None:
                raise ValueError("expected base64 `str`")
            self.content = media


class FilePart(WithUncarried, tag_field="type", tag="file"):
    """A file that the provider holds."""

    modality: str
    file_id: str
    mime_type: Maybe = UNSET


class UriPart(WithUncarried, tag_field="type", tag="uri"):
    """Media by URL."""

    modality: str
    uri: str
    mime_type: Maybe = UNSET


class ServerToolCallPart(WithUncarried, tag_field="type", tag="server_tool_call"):
    """A call of a tool that the provider runs."""

    name: str
    server_tool_call: RawValue
    id: Maybe = UNSET


class ServerToolCallResponsePart(WithUncarried, tag_field="type", tag="server_tool_call_response"):
    """The answer of a tool that the provider ran."""

    server_tool_call_response: RawValue
    id: Maybe = UNSET


class CompactionPart(WithUncarried, tag_field="type", tag="compaction"):
    """Where the provider compacted the conversation, with the summary if it is given."""

    id: Maybe = UNSET
    content: Maybe = UNSET


class GenericPart(Record, tag_field="type", tag="generic"):
    """A part of any other type; all its keys are in `unknown`."""

    ANY_TAG: ClassVar[bool] = True


Part = (
    TextPart
    | ToolCallPart
    | ToolCallResponsePart
    | ReasoningPart
    | BlobPart
    | FilePart
    | UriPart
    | ServerToolCallPart
    | ServerToolCallResponsePart
    | CompactionPart
    | GenericPart
)
"""A part of a message or of the system instructions."""


class Message(WithUncarried):
    """A message, of the input or of the output.

    A `role` is `system`, `user`, `assistant`, `tool`, or any other word. Only an assistant's
    message has a `finish_reason`; elsewhere it is an unknown key.
    """

    role: str
    parts: list[Part]
    name: Maybe = UNSET
    finish_reason: Maybe = UNSET

    def __post_init__(self) -> None:
        """Set aside a `finish_reason` if this is not an assistant's message."""
        if self.finish_reason is not UNSET and self.role != "assistant":
            set_aside(self, {"finish_reason": self.finish_reason})
            self.finish_reason = UNSET


class FunctionToolDefinition(WithUncarried, tag_field="type", tag="function"):
    """A function that the model may call. `parameters` is a JSON Schema, text as it came."""

    name: str
    description: Maybe = UNSET
    parameters: Carried = UNSET


class GenericToolDefinition(Record, tag_field="type", tag="generic"):
    """A tool of any other type; all its other keys are in `unknown`."""

    ANY_TAG: ClassVar[bool] = True

    name: str


ToolDefinition = FunctionToolDefinition | GenericToolDefinition
"""A tool as it is described to the model."""
