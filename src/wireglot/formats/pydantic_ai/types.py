"""Pydantic AI's messages as Structs whose JSON is Pydantic AI's own.

Source: pydantic-ai-slim 2.68.0, `messages` and `usage`; the spellings of 1.x are read too.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeAlias

from msgspec import UNSET, Raw, UnsetType

from ...model import RawJson
from .._as_it_came import parts_of
from .._records import Record

__all__ = [
    "FilePart",
    "ModelMessage",
    "ModelRequest",
    "ModelRequestPart",
    "ModelResponse",
    "ModelResponsePart",
    "OtherPart",
    "RequestUsage",
    "RetryPromptPart",
    "SystemPromptPart",
    "TextPart",
    "ThinkingPart",
    "ToolCallPart",
    "ToolReturnPart",
    "UserPromptPart",
]

if TYPE_CHECKING:
    Json: TypeAlias = RawJson | UnsetType
    Content: TypeAlias = str | list[str | RawJson]
else:
    Json = Content = Raw  # taken apart by `__post_init__`
Maybe: TypeAlias = str | UnsetType | None
Count: TypeAlias = int | UnsetType


_NULL_RAW: Final = Raw(b"null")
_NULL: Final = RawJson(b"null")  # most fields of raw JSON hold it: one for all is made once


class _Json(Record, kw_only=True):
    """Base of the types with fields of raw JSON."""

    JSON: ClassVar[tuple[str, ...]] = ()
    """The names of those fields."""

    def __post_init__(self) -> None:
        """Adopt the decoder's slices, or plain Python data."""
        for name in self.JSON:
            value = getattr(self, name)
            if value is not UNSET and type(value) is not RawJson:
                setattr(self, name, _NULL if value == _NULL_RAW else RawJson.adopt(value))


class SystemPromptPart(_Json, tag_field="part_kind", tag="system-prompt"):
    """A system prompt."""

    JSON: ClassVar[tuple[str, ...]] = ("metadata",)

    content: str
    timestamp: Maybe = UNSET
    dynamic_ref: Maybe = UNSET
    context_id: Maybe = UNSET
    scope: Maybe = UNSET
    metadata: Json = UNSET


class UserPromptPart(_Json, tag_field="part_kind", tag="user-prompt"):
    """What the user says: text, or texts and objects, each with its `kind`."""

    content: Content
    timestamp: Maybe = UNSET

    def __post_init__(self) -> None:
        """Adopt the decoder's slice, or plain Python data."""
        self.content = parts_of(self.content)


class ToolReturnPart(_Json, tag_field="part_kind", tag="tool-return"):
    """The result of one call: any JSON. `content_file_digests` tells which objects are files."""

    JSON: ClassVar[tuple[str, ...]] = ("content", "metadata", "retry")

    tool_name: str
    content: Json
    tool_call_id: Maybe = UNSET
    tool_kind: Maybe = UNSET
    metadata: Json = UNSET
    timestamp: Maybe = UNSET
    outcome: Maybe = UNSET
    retry: Json = UNSET
    content_file_digests: list[str] | UnsetType = UNSET


class RetryPromptPart(_Json, tag_field="part_kind", tag="retry-prompt"):
    """What was wrong with a call, or, without `tool_name`, with an answer (1.x).

    `content` is text, or a list of validation errors.
    """

    JSON: ClassVar[tuple[str, ...]] = ("content",)

    content: Json
    tool_name: Maybe = UNSET
    tool_call_id: Maybe = UNSET
    timestamp: Maybe = UNSET


class _Answer(_Json, kw_only=True):
    """Base of the parts of an answer."""

    JSON: ClassVar[tuple[str, ...]] = ("provider_details",)

    id: Maybe = UNSET
    provider_name: Maybe = UNSET
    provider_details: Json = UNSET


class TextPart(_Answer, tag_field="part_kind", tag="text"):
    """Text."""

    JSON: ClassVar[tuple[str, ...]] = ("provider_details", "citations")

    content: str
    citations: Json = UNSET


class ThinkingPart(_Answer, tag_field="part_kind", tag="thinking"):
    """What the model thought; redacted where `id` says so."""

    content: str
    signature: Maybe = UNSET


class ToolCallPart(_Answer, tag_field="part_kind", tag="tool-call"):
    """A call. `args` is an object, the model's own text, or null."""

    JSON: ClassVar[tuple[str, ...]] = ("provider_details", "args")

    tool_name: str
    args: Json = UNSET
    tool_call_id: Maybe = UNSET
    tool_kind: Maybe = UNSET


class FilePart(_Answer, tag_field="part_kind", tag="file"):
    """A file that the model made."""

    JSON: ClassVar[tuple[str, ...]] = ("provider_details", "content")

    content: Json


class OtherPart(Record, tag_field="part_kind", tag="(other)"):
    """A part of any other kind: all of it is in `unknown`."""

    ANY_TAG: ClassVar[bool] = True

    @property
    def part_kind(self) -> str:
        """The kind that was on the wire."""
        return str(({} if self.unknown is UNSET else self.unknown.value).get("part_kind", ""))

    def __post_init__(self) -> None:
        """Refuse a part of a known kind that is broken."""
        if self.part_kind in KNOWN:
            raise ValueError(f"broken `{self.part_kind}` part, expected its required keys")


_PARTS: tuple[Any, ...] = (
    SystemPromptPart,
    UserPromptPart,
    ToolReturnPart,
    RetryPromptPart,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    FilePart,
)
KNOWN: Mapping[str, Any] = {part.__struct_config__.tag: part for part in _PARTS}

ModelRequestPart = SystemPromptPart | UserPromptPart | ToolReturnPart | RetryPromptPart | OtherPart
ModelResponsePart = TextPart | ThinkingPart | ToolCallPart | FilePart | OtherPart


class RequestUsage(_Json, kw_only=True):
    """Token counts. `input_tokens` includes the cached ones."""

    JSON: ClassVar[tuple[str, ...]] = ("audio_seconds", "details", "cost")

    input_tokens: Count = UNSET
    cache_write_tokens: Count = UNSET
    cache_write_1h_tokens: Count = UNSET
    cache_read_tokens: Count = UNSET
    output_tokens: Count = UNSET
    output_reasoning_tokens: Count = UNSET
    input_audio_tokens: Count = UNSET
    cache_audio_read_tokens: Count = UNSET
    output_audio_tokens: Count = UNSET
    audio_seconds: Json = UNSET
    details: Json = UNSET
    cost: Json = UNSET
    request_tokens: int | UnsetType | None = UNSET
    response_tokens: int | UnsetType | None = UNSET
    total_tokens: int | UnsetType | None = UNSET


class ModelRequest(_Json, tag_field="kind", tag="request"):
    """One request to the model."""

    JSON: ClassVar[tuple[str, ...]] = ("metadata",)

    parts: list[ModelRequestPart]
    timestamp: Maybe = UNSET
    instructions: Maybe = UNSET
    run_id: Maybe = UNSET
    conversation_id: Maybe = UNSET
    metadata: Json = UNSET
    state: Maybe = UNSET


class ModelResponse(_Json, tag_field="kind", tag="response"):
    """What the model answered."""

    JSON: ClassVar[tuple[str, ...]] = (
        "provider_details",
        "metadata",
        "workspace_ref",
        "failed_attempts",
        "vendor_details",
    )

    parts: list[ModelResponsePart]
    usage: RequestUsage | UnsetType = UNSET
    model_name: Maybe = UNSET
    model_id: Maybe = UNSET
    timestamp: Maybe = UNSET
    provider_name: Maybe = UNSET
    provider_url: Maybe = UNSET
    canonical_system: Maybe = UNSET
    provider_details: Json = UNSET
    provider_response_id: Maybe = UNSET
    finish_reason: Maybe = UNSET
    run_id: Maybe = UNSET
    conversation_id: Maybe = UNSET
    metadata: Json = UNSET
    workspace_ref: Json = UNSET
    history_digest: Maybe = UNSET
    failed_attempts: Json = UNSET
    state: Maybe = UNSET
    vendor_id: Maybe = UNSET
    vendor_details: Json = UNSET


ModelMessage = ModelRequest | ModelResponse
"""An entry of a stored history."""
