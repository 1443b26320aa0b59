"""phi-core's messages as Structs whose JSON is phi-core's own.

Source: phi-core 0.10.0, `src/types` (content, agent_message, extension, usage, tool).
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, Final, Literal, Self, TypeVar

from msgspec import UNSET, Meta, Struct, field
from msgspec.structs import replace

from ...model import Arguments, Media, ProvenanceHint, RawJson, StopReason, Tag, TurnId, now_ms
from ...model.base import only_text
from ...model.media import InlineMedia, adopt_media
from ...model.rawjson import RawArguments, RawValue, adopt_arguments, parsed
from .._constructors import Constructed
from .._records import Record, set_aside
from .config import CostConfig

__all__ = [
    "AgentMessage",
    "AssistantMessage",
    "Content",
    "ExtensionMessage",
    "ImageContent",
    "LlmMessage",
    "Message",
    "ProvenanceHint",
    "StopReason",
    "Tag",
    "TextContent",
    "ThinkingContent",
    "ToolCallContent",
    "ToolResult",
    "ToolResultMessage",
    "TurnId",
    "Usage",
    "UserMessage",
    "extract_json",
]

U64 = Annotated[int, Meta(ge=0)]  # the upper bound is beyond msgspec's bounds
U64_MAX: Final = 2**64 - 1
U32_MAX: Final = 2**32 - 1
_MILLION = 1_000_000
AnyLlm = TypeVar("AnyLlm", bound="LlmMessage")


class TextContent(Record, tag_field="type", tag="text"):
    """Text."""

    type: ClassVar[Literal["text"]] = "text"

    text: str


class ImageContent(Record, tag_field="type", tag="image"):
    """An image, always inline: `data` is held as the base64 that came in."""

    type: ClassVar[Literal["image"]] = "image"

    data: InlineMedia
    mime_type: str = field(name="mimeType")

    def __post_init__(self) -> None:
        """Adopt the decoder's slice, or what the caller passed."""
        if type(self.data) is not Media:
            media = adopt_media(self.data)
            if media is None:
                raise ValueError("expected base64 `str`, got `null`")
            self.data = media


class ThinkingContent(Record, tag_field="type", tag="thinking", omit_defaults=True):
    """What the model thought, with the signature of the API that it came from."""

    type: ClassVar[Literal["thinking"]] = "thinking"

    thinking: str
    signature: str | None = None


class ToolCallContent(Record, tag_field="type", tag="toolCall"):
    """A call. `arguments` is any JSON, not only an object; a JSON string stays one."""

    type: ClassVar[Literal["toolCall"]] = "toolCall"

    id: str
    name: str
    arguments: RawArguments

    def __post_init__(self) -> None:
        """Adopt the decoder's slice, or what the caller passed."""
        if type(self.arguments) is not Arguments:
            self.arguments = adopt_arguments(self.arguments)


Content = TextContent | ImageContent | ThinkingContent | ToolCallContent


class Usage(Record):
    """Token counts. `reasoning` is part of `output`.

    Whether `input` includes the cached tokens depends on the provider: Anthropic's and Bedrock's
    does not, OpenAI's and Google's does.
    """

    input: U64
    output: U64
    reasoning: U64 = 0
    cache_read: U64 = 0
    cache_write: U64 = 0
    total_tokens: U64 = 0

    def __post_init__(self) -> None:
        """Refuse counts that do not fit phi-core's integers."""
        together = self.input | self.output | self.reasoning | self.total_tokens
        if (together | self.cache_read | self.cache_write) > U64_MAX:
            raise ValueError("count of 2**64 or more, expected 64 bits")

    def combine(self, other: Usage) -> Usage:
        """Return the sum of all six counts."""
        return Usage(
            self.input + other.input,
            self.output + other.output,
            self.reasoning + other.reasoning,
            self.cache_read + other.cache_read,
            self.cache_write + other.cache_write,
            self.total_tokens + other.total_tokens,
        )

    def estimated_cost(self, prices: CostConfig) -> float:
        """Return input, output, cache reads and cache writes at these prices."""
        return (
            self.input / _MILLION * prices.input_per_million
            + self.output / _MILLION * prices.output_per_million
            + self.cache_read / _MILLION * prices.cache_read_per_million
            + self.cache_write / _MILLION * prices.cache_write_per_million
        )

    def cache_hit_rate(self) -> float:
        """Return cache reads over input, cache reads and cache writes; 0.0 if there are none."""
        total = self.input + self.cache_read + self.cache_write
        return self.cache_read / total if total else 0.0


def is_turn(turn_id: TurnId) -> bool:
    """Whether the index of the turn fits phi-core's integer."""
    return 0 <= turn_id.turn_index <= U32_MAX


def are_counts(value: Any) -> bool:
    """Whether every number in tags or in a hint fits phi-core's integers."""
    if isinstance(value, Struct):
        return all(are_counts(getattr(value, name)) for name in value.__struct_fields__)
    if isinstance(value, list):
        return all(are_counts(item) for item in value)
    return type(value) is not int or 0 <= value <= U64_MAX


class LlmMessage(Record, kw_only=True, omit_defaults=True):
    """Base of the messages that may reach an LLM: they have fields for their place in a session.

    phi-core wraps a `Message` in one; the JSON is one object, and so it is here. If one of these
    values does not parse, phi-core drops it; here it is kept among the unknown keys.
    """

    LENIENT: ClassVar[frozenset[str]] = frozenset(
        {"turn_id", "node_id", "parent_id", "tags", "provenance_hint"}
    )

    turn_id: TurnId | None = field(default=None, name="turnId")
    node_id: U64 | None = field(default=None, name="nodeId")
    parent_id: U64 | None = field(default=None, name="parentId")
    tags: list[Tag] | None = None
    provenance_hint: ProvenanceHint | None = field(default=None, name="provenanceHint")

    def __post_init__(self) -> None:
        """Set aside a place that does not fit phi-core's integers; refuse such a time."""
        message: Any = self  # every message has a time
        if message.timestamp > U64_MAX:
            raise ValueError("`timestamp` of 2**64 or more, expected 64 bits")
        turn_id = self.turn_id
        if turn_id is not None and not is_turn(turn_id):
            set_aside(self, {"turnId": turn_id})
            self.turn_id = None
        if self.node_id is not None and self.node_id > U64_MAX:
            set_aside(self, {"nodeId": self.node_id})
            self.node_id = None
        if self.parent_id is not None and self.parent_id > U64_MAX:
            set_aside(self, {"parentId": self.parent_id})
            self.parent_id = None
        if self.tags is not None and not are_counts(self.tags):
            set_aside(self, {"tags": self.tags})
            self.tags = None
        if self.provenance_hint is not None and not are_counts(self.provenance_hint):
            set_aside(self, {"provenanceHint": self.provenance_hint})
            self.provenance_hint = None

    @staticmethod
    def new(message: AnyLlm) -> AnyLlm:
        """Return a copy of a message that has no place in a session; the content is shared."""
        return replace(
            message, turn_id=None, node_id=None, parent_id=None, tags=None, provenance_hint=None
        )

    @staticmethod
    def with_turn(message: AnyLlm, turn_id: TurnId) -> AnyLlm:
        """Return a copy of a message that has a turn, and no other place in a session."""
        return LlmMessage.new(message).with_turn_id(turn_id)

    @property
    def message(self) -> Self:
        """The message without its place in a session; the content is shared."""
        return self if self.is_bare() else LlmMessage.new(self)

    def is_bare(self) -> bool:
        """Whether the message has no place in a session: phi-core's `Message`."""
        place = (self.turn_id, self.node_id, self.parent_id, self.tags, self.provenance_hint)
        return place == (None,) * len(place)

    def as_llm(self) -> Self:
        """Return the message, which may reach an LLM."""
        return self

    def with_turn_id(self, turn_id: TurnId | None) -> Self:
        """Set the turn, or clear it with None; return self."""
        self.turn_id = turn_id
        return self

    def with_node_identity(self, node_id: int, parent_id: int | None = None) -> Self:
        """Set the node in the tree of the conversation, and the one before it; return self."""
        self.node_id = node_id
        self.parent_id = parent_id
        return self

    def with_provenance_hint(self, hint: ProvenanceHint) -> Self:
        """Set where the message came from; return self."""
        self.provenance_hint = hint
        return self

    def add_tag(self, tag: Tag) -> None:
        """Add a note to the message."""
        self.tags = [*(self.tags or ()), tag]

    def is_context_overflow(self) -> bool:
        """Whether this is an error that says, in some provider's words: the input was too long.

        Only an assistant message can be one.
        """
        return False


# Not the canonical message's list, which has the words of further providers.
_OVERFLOW_WORDS: Final = (
    "prompt is too long",
    "input is too long",
    "exceeds the context window",
    "exceeds the maximum",
    "maximum prompt length",
    "reduce the length of the messages",
    "maximum context length",
    "exceeds the limit of",
    "exceeds the available context size",
    "greater than the context length",
    "context window exceeds limit",
    "exceeded model token limit",
    "context length exceeded",
    "context_length_exceeded",
    "too many tokens",
    "token limit exceeded",
)


class UserMessage(LlmMessage, tag_field="role", tag="user"):
    """What the user says. `timestamp` is in milliseconds since the Unix epoch."""

    role: ClassVar[Literal["user"]] = "user"

    content: list[Content]
    timestamp: U64

    @classmethod
    def user(cls, text: str) -> Self:
        """Return one text, now. Raises `EncodeError` for what is not text."""
        only_text("phi_core", text=text)
        return cls([TextContent(text)], now_ms())


class AssistantMessage(LlmMessage, tag_field="role", tag="assistant"):
    """What the model answered. `timestamp` is in milliseconds since the Unix epoch.

    `error_message` is snake_case on the wire; an `errorMessage` is only an unknown key.
    """

    role: ClassVar[Literal["assistant"]] = "assistant"

    content: list[Content]
    stop_reason: StopReason = field(name="stopReason")
    model: str
    provider: str
    usage: Usage
    timestamp: U64
    error_message: str | None = None

    def is_context_overflow(self) -> bool:
        """Whether this is an error that says, in some provider's words: the input was too long."""
        if self.stop_reason != StopReason.ERROR or self.error_message is None:
            return False
        said = self.error_message.lower()
        return any(words in said for words in _OVERFLOW_WORDS)


class ToolResultMessage(LlmMessage, tag_field="role", tag="toolResult"):
    """The result of one call.

    `child_loop_id` is in phi-core's documentation of the message, not in its source, which drops
    it on reading.
    """

    ALIASES: ClassVar[Mapping[str, str]] = MappingProxyType({"child_loop_id": "childLoopId"})
    LENIENT: ClassVar[frozenset[str]] = LlmMessage.LENIENT | {"child_loop_id"}
    role: ClassVar[Literal["toolResult"]] = "toolResult"

    tool_call_id: str = field(name="toolCallId")
    tool_name: str = field(name="toolName")
    content: list[Content]
    is_error: bool = field(name="isError")
    timestamp: U64
    child_loop_id: str | None = field(default=None, name="childLoopId")


class ExtensionMessage(Record, tag_field="role", tag="extension", metaclass=Constructed):
    """Anything that the application keeps beside the conversation; it never reaches an LLM.

    Any object with `role`, `kind` and `data` that is not a message is one, whatever its role.
    """

    WIRE: ClassVar[str] = "phi_core"
    ANY_TAG: ClassVar[bool] = True
    turn_id: ClassVar[None] = None
    node_id: ClassVar[None] = None
    parent_id: ClassVar[None] = None
    tags: ClassVar[None] = None
    provenance_hint: ClassVar[None] = None
    timestamp: ClassVar[int] = 0

    kind: str
    data: RawValue

    def __post_init__(self) -> None:
        """Adopt the decoder's slice, or plain Python data."""
        if not isinstance(self.data, RawJson):
            self.data = RawJson.adopt(self.data)

    @classmethod
    def new(cls, kind: str, data: Any) -> Self:
        """Return an extension; `data` that JSON cannot express becomes null."""
        try:
            return cls(kind, RawJson.of(data))
        except ValueError:
            return cls(kind, RawJson.of(None))

    @property
    def role(self) -> str:
        """`extension`, or the role that was on the wire."""
        keys = self.unknown.value if self.unknown is not UNSET else {}
        return str(keys.get("role", "extension"))

    def as_llm(self) -> None:
        """Return None: an extension cannot become a message."""
        return

    def with_turn_id(self, turn_id: TurnId | None) -> Self:
        """Return self: an extension has no turn."""
        return self

    def with_node_identity(self, node_id: int, parent_id: int | None = None) -> Self:
        """Return self: an extension is not part of the tree."""
        return self

    def is_context_overflow(self) -> bool:
        """Return False: an extension is not an answer."""
        return False


Message = UserMessage | AssistantMessage | ToolResultMessage
"""What may reach an LLM."""
AgentMessage = UserMessage | AssistantMessage | ToolResultMessage | ExtensionMessage
"""An entry of a saved conversation."""


class ToolResult(Record, omit_defaults=True):
    """What a tool hands to the loop. `details` is any JSON, printed as null when there is none."""

    content: list[Content]
    details: Any = field(default_factory=lambda: None)  # a plain default would be omitted
    child_loop_id: str | None = None


def extract_json(message: Message) -> Any:
    """Return the structured output of an answer: the arguments of a call of `respond_json`.

    If there is no such call, the text blocks together are the JSON.

    Raises `DecodeError` if that is not JSON.
    """
    for block in message.content:
        if type(block) is ToolCallContent and block.name == "respond_json":
            return parsed(bytes(block.arguments.native()))  # a string of JSON stays a string
    texts = [block.text for block in message.content if type(block) is TextContent]
    return RawJson("".join(texts)).value
