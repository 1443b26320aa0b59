"""Operator-Use's messages, and the entries of its sessions, as Structs with its own JSON.

A session file is JSON Lines of entries, which form a tree by their parents; its header goes first.
A missing id or time stays None, and is left out again, as is any field of an entry that is None;
only the factories make new ones.

Source: CursorTouch/Operator-Use at ed1adb1, `program/message/types.py`,
`program/inference/types.py`, `program/session/types.py` and `manager.py`; later fields from
operator_use (7297d0b) and Jeomon/Tau (00f93a7).
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal, Self

from msgspec import UNSET, UnsetType, field

from ...errors import EncodeError, unknown
from ...model import Media, RawJson, ThinkingLevel
from ...model.accepted import NOTHING
from ...model.base import only, only_text
from ...model.rawjson import MaybeRawValue, optional_json
from .._constructors import Fresh, seconds
from .base import Own
from .contents import (
    AudioContent,
    Content,
    FileContent,
    ImageContent,
    LinesContent,
    TextContent,
    ThinkingContent,
    ToolCallContent,
    ToolResultContent,
    VideoContent,
)
from .system import WIRE

if TYPE_CHECKING:
    from PIL.Image import Image

    Source = str | bytes | Media
    Picture = Source | Image

__all__ = [
    "ENTRY_TYPES",
    "AgentMessage",
    "AssistantMessage",
    "BaseMessage",
    "BranchEntry",
    "BranchSummaryMessage",
    "ChannelEntry",
    "CompactionEntry",
    "CompactionSummaryMessage",
    "Cost",
    "CustomInfoEntry",
    "CustomMessage",
    "CustomMessageEntry",
    "LLMMessage",
    "LabelEntry",
    "LeafEntry",
    "MessageAttachment",
    "MessageEntry",
    "MessageMeta",
    "ModelChangeEntry",
    "Role",
    "SessionEntry",
    "SessionFileEntry",
    "SessionHeader",
    "SessionInfoEntry",
    "SessionMessage",
    "SkillInvocationMessage",
    "StopReason",
    "SystemMessage",
    "TemplateInvocationMessage",
    "TerminalExecutionMessage",
    "ThinkingBudgets",
    "ThinkingLevel",
    "ThinkingLevelChangeEntry",
    "ToolMessage",
    "Usage",
    "UsageCost",
    "UserMessage",
]

_MILLION: Final = 1_000_000
_NOW: Final[Fresh] = {"timestamp": time.time}


class Role(StrEnum):
    """The role of a message. From `custom` on, none reaches an LLM by itself; some are Tau's."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"
    CUSTOM = "custom"
    BRANCH_SUMMARY = "branch_summary"
    COMPACTION_SUMMARY = "compaction_summary"
    SKILL_INVOCATION = "skill_invocation"
    TEMPLATE_INVOCATION = "template_invocation"
    TERMINAL_EXECUTION = "terminal_execution"
    BASH_EXECUTION = TERMINAL_EXECUTION


class StopReason(StrEnum):
    """Why the model stopped. The system spells the names as the second of each pair."""

    STOP = "stop"
    Stop = STOP
    LENGTH = "length"
    Length = LENGTH
    TOOL_CALLS = "tool_calls"
    ToolCalls = TOOL_CALLS
    CONTENT_FILTER = "content_filter"
    ContentFilter = CONTENT_FILTER
    ABORT = "abort"
    Abort = ABORT
    ERROR = "error"
    Error = ERROR


class ThinkingBudgets(Own):
    """Tokens to think with, by level; None means the default of the level."""

    minimal: int | None = 1024
    low: int | None = 2048
    medium: int | None = 4096
    high: int | None = 8192
    xhigh: int | None = 16384
    max: int | None = 32768

    def get(self, level: ThinkingLevel) -> int:
        """Return the tokens of a level. Raises `EncodeError` for one that has none, as `off`."""
        default = _BUDGETS.get(level)
        if default is None:
            raise EncodeError(unknown("thinking level", level, _BUDGETS), wire=WIRE)
        budget = getattr(self, level)
        return default if budget is None else int(budget)


_BUDGETS: Final[dict[str, int]] = {
    "minimal": 1024,
    "low": 2048,
    "medium": 4096,
    "high": 8192,
    "xhigh": 16384,
    "max": 32768,
}


# -- usage ----------------------------------------------------------------------------------------


class UsageCost(Own):
    """Money spent."""

    input: float = 0.0
    output: float = 0.0
    cache_read: float = 0.0
    cache_write: float = 0.0
    total: float = 0.0


class Usage(Own):
    """Token counts. `input_tokens` includes cached tokens only if the last field says so (Tau).

    Operator-Use never fills `cost` by itself; see `Cost.calculate_cost`.
    """

    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    cost: UsageCost = field(default_factory=UsageCost)
    input_tokens_include_cache_read: bool | UnsetType = UNSET


class Cost(Own):
    """A model's prices per million tokens."""

    input: float = 0.0
    output: float = 0.0
    cache_read: float = 0.0
    cache_write: float = 0.0

    def calculate_cost(self, usage: Usage) -> UsageCost:
        """Fill `usage.cost` at these prices, and return it."""
        cost = usage.cost
        cost.input = self.input / _MILLION * usage.input_tokens
        cost.output = self.output / _MILLION * usage.output_tokens
        cost.cache_read = self.cache_read / _MILLION * usage.cache_read_tokens
        cost.cache_write = self.cache_write / _MILLION * usage.cache_write_tokens
        cost.total = cost.input + cost.output + cost.cache_read + cost.cache_write
        return cost


# -- messages -------------------------------------------------------------------------------------


class BaseMessage(Own):
    """The base of every message, an LLM's and a session's."""


class _Spoken(BaseMessage, omit_defaults=True):
    """The fields of every message of an LLM conversation. `timestamp` is in seconds since 1970.

    The constructor fills in a UUIDv4 and the present time; a decoded message without them has none.
    """

    FRESH: ClassVar[Fresh] = {"id": lambda: str(uuid.uuid4()), "timestamp": time.time}

    contents: list[Content] = field(default_factory=lambda: [])
    id: str | None = None
    timestamp: float | None = None

    def __setattr__(self, name: str, value: Any) -> None:
        """Set a field; a `datetime` as `timestamp` becomes seconds, as in the constructor."""
        super().__setattr__(name, seconds(value) if name == "timestamp" else value)


def _text(content: str) -> TextContent:
    """Return a text. Raises `EncodeError` for what is not text."""
    only_text(WIRE, content=content)
    return TextContent(content)


class SystemMessage(_Spoken, tag_field="role", tag="system"):
    """Instructions: texts, which are joined by line feeds when they are sent."""

    role: ClassVar[Literal[Role.SYSTEM]] = Role.SYSTEM

    @classmethod
    def text(cls, content: str) -> Self:
        """Return a message of one text, with the present time."""
        return cls([_text(content)])

    from_text = text


def _listed(items: Iterable[Any]) -> list[Any]:
    return list(items)


class UserMessage(_Spoken, tag_field="role", tag="user"):
    """What the user says; it may hold tool results too."""

    role: ClassVar[Literal[Role.USER]] = Role.USER

    @classmethod
    def text(cls, content: str) -> Self:
        """Return a message of one text, with the present time."""
        return cls([_text(content)])

    from_text = text

    @classmethod
    def with_images(cls, content: str, images: Iterable[Picture]) -> Self:
        """Return a message of one text and one list of images."""
        return cls([_text(content), ImageContent(_listed(images))])

    @classmethod
    def with_audio(cls, content: str, audio: Iterable[Source]) -> Self:
        """Return a message of one text and one list of sounds."""
        return cls([_text(content), AudioContent(_listed(audio))])

    @classmethod
    def with_video(cls, content: str, video: Iterable[Source]) -> Self:
        """Return a message of one text and one list of videos (Tau)."""
        return cls([_text(content), VideoContent(_listed(video))])

    @classmethod
    def with_file(cls, content: str, file: Iterable[Source]) -> Self:
        """Return a message of one text and one list of documents (Tau)."""
        return cls([_text(content), FileContent(_listed(file))])

    @classmethod
    def with_media(
        cls,
        content: str,
        images: Iterable[Picture] | None = None,
        audio: Iterable[Source] | None = None,
        video: Iterable[Source] | None = None,
        file: Iterable[Source] | None = None,
    ) -> Self:
        """Return a message of one text and a list of each kind of media that there is (Tau)."""
        contents: list[Content] = [_text(content)]
        for kind, items in (
            (ImageContent, images),
            (AudioContent, audio),
            (VideoContent, video),
            (FileContent, file),
        ):
            listed = _listed(items or ())
            if listed:
                contents.append(kind(listed))
        return cls(contents)


class AssistantMessage(_Spoken, tag_field="role", tag="assistant"):
    """What the model answered. `error` is empty if there was none."""

    role: ClassVar[Literal[Role.ASSISTANT]] = Role.ASSISTANT

    usage: Usage = field(default_factory=Usage)
    stop_reason: StopReason = field(default_factory=lambda: StopReason.STOP)
    error: str = field(default_factory=str)
    error_kind: str | UnsetType = UNSET

    @classmethod
    def from_text(cls, content: str) -> Self:
        """Return a message of one text, with the present time."""
        return cls([_text(content)])

    def text_content(self) -> str:
        """Return the texts, joined without a separator."""
        return "".join(part.content for part in self.contents if type(part) is TextContent)

    def tool_calls(self) -> list[ToolCallContent]:
        """Return the calls, in order."""
        return [part for part in self.contents if type(part) is ToolCallContent]

    def thinking(self) -> list[ThinkingContent]:
        """Return the thinking, in order."""
        return [part for part in self.contents if type(part) is ThinkingContent]


class ToolMessage(_Spoken, tag_field="role", tag="tool"):
    """All results of one batch of calls."""

    role: ClassVar[Literal[Role.TOOL]] = Role.TOOL

    @classmethod
    def from_results(cls, results: Sequence[ToolResultContent]) -> Self:
        """Return a message of all results of a batch, with the present time.

        Raises `EncodeError` for what is not a result.
        """
        made: list[Content] = [*results]
        for i, result in enumerate(made):
            only(ToolResultContent, result, f"$.results[{i}]", WIRE)
        return cls(made)

    @classmethod
    def from_result(cls, result: ToolResultContent) -> Self:
        """Return a message of one result, with the present time."""
        only(ToolResultContent, result, "$.result", WIRE)
        return cls([result])


LLMMessage = SystemMessage | UserMessage | AssistantMessage | ToolMessage
"""What is sent to an LLM."""


class CustomMessage(BaseMessage, tag_field="role", tag="custom", omit_defaults=True):
    """Something that an extension shows in the session: texts and images."""

    role: ClassVar[Literal[Role.CUSTOM]] = Role.CUSTOM
    FRESH: ClassVar[Fresh] = _NOW

    custom_type: str
    timestamp: float | None = None
    contents: list[TextContent | ImageContent | LinesContent] = field(default_factory=lambda: [])
    details: Any = None

    @classmethod
    def from_session(cls, entry: CustomMessageEntry) -> Self:
        """Return the message of an entry, without its `display`.

        Content that is neither text nor a list, which no file has, is left out.
        """
        content: Any = entry.content
        if isinstance(content, str):
            content = [TextContent(content)]
        contents: list[Any] = [*content] if isinstance(content, list) else []
        return cls(entry.custom_type, entry.timestamp, contents, entry.details)


class BranchSummaryMessage(BaseMessage, tag_field="role", tag="branch_summary"):
    """A summary of a branch that was left, at the entry `from_id`, or at the `root`."""

    role: ClassVar[Literal[Role.BRANCH_SUMMARY]] = Role.BRANCH_SUMMARY
    FRESH: ClassVar[Fresh] = _NOW

    summary: str
    from_id: str
    timestamp: float | None = None

    @classmethod
    def from_session(cls, entry: BranchEntry) -> Self:
        """Return the message of an entry."""
        return cls(entry.summary, entry.from_id, entry.timestamp)


class CompactionSummaryMessage(BaseMessage, tag_field="role", tag="compaction_summary"):
    """A summary that replaces what came before."""

    role: ClassVar[Literal[Role.COMPACTION_SUMMARY]] = Role.COMPACTION_SUMMARY
    FRESH: ClassVar[Fresh] = _NOW

    summary: str
    tokens_before: int
    timestamp: float | None = None

    @classmethod
    def from_session(cls, entry: CompactionEntry) -> Self:
        """Return the message of an entry."""
        return cls(entry.summary, entry.tokens_before, entry.timestamp)


class SkillInvocationMessage(
    BaseMessage, tag_field="role", tag="skill_invocation", omit_defaults=True
):
    """A skill that was invoked (Tau)."""

    role: ClassVar[Literal[Role.SKILL_INVOCATION]] = Role.SKILL_INVOCATION
    FRESH: ClassVar[Fresh] = _NOW

    name: str = field(default_factory=str)
    args: str = field(default_factory=str)
    content: str = field(default_factory=str)
    expanded: bool = field(default_factory=bool)
    timestamp: float | None = None


class TemplateInvocationMessage(
    BaseMessage, tag_field="role", tag="template_invocation", omit_defaults=True
):
    """A prompt template that was invoked (Tau)."""

    role: ClassVar[Literal[Role.TEMPLATE_INVOCATION]] = Role.TEMPLATE_INVOCATION
    FRESH: ClassVar[Fresh] = _NOW

    name: str = field(default_factory=str)
    args: str = field(default_factory=str)
    expanded_content: str = field(default_factory=str)
    expanded: bool = field(default_factory=bool)
    timestamp: float | None = None


class TerminalExecutionMessage(
    BaseMessage, tag_field="role", tag="terminal_execution", omit_defaults=True
):
    """A command that the user ran in the shell, and what it printed (Tau)."""

    role: ClassVar[Literal[Role.TERMINAL_EXECUTION]] = Role.TERMINAL_EXECUTION
    FRESH: ClassVar[Fresh] = _NOW

    command: str = field(default_factory=str)
    output: str = field(default_factory=str)
    exit_code: int | None = None
    cancelled: bool = field(default_factory=bool)
    timestamp: float | None = None
    exclude: bool = field(default_factory=bool)

    def to_user_message(self) -> UserMessage:
        """Return the command and its output as a user message, as Tau tells a model of them."""
        lines = [
            f"Ran `{self.command}`",
            f"```\n{self.output}\n```" if self.output else "(no output)",
        ]
        if self.cancelled:
            lines += ["", "(command cancelled)"]
        elif self.exit_code:
            lines += ["", f"Command exited with code {self.exit_code}"]
        return UserMessage.text("\n".join(lines))


SessionMessage = CustomMessage | BranchSummaryMessage | CompactionSummaryMessage
"""What a session adds, and an LLM never sees by itself."""
AgentMessage = (
    SystemMessage
    | UserMessage
    | AssistantMessage
    | ToolMessage
    | CustomMessage
    | BranchSummaryMessage
    | CompactionSummaryMessage
    | SkillInvocationMessage
    | TemplateInvocationMessage
    | TerminalExecutionMessage
)
"""Every message that there is."""


# -- the entries of a session ---------------------------------------------------------------------


def _uuid7() -> str:
    """Return a UUIDv7 (RFC 9562): 48 bits of milliseconds, then random ones."""
    stamp = time.time_ns() // 1_000_000
    number = (stamp << 80) | (uuid.uuid4().int & ((1 << 80) - 1))
    return str(uuid.UUID(int=(number & ~(0xF << 76)) | (7 << 76)))


class SessionHeader(Own, tag_field="type", tag="session", omit_defaults=True):
    """The first line of a file. The constructor fills in a UUIDv7 and the present time."""

    type: ClassVar[Literal["session"]] = "session"
    FRESH: ClassVar[Fresh] = {"id": lambda: _uuid7(), "timestamp": time.time}

    version: int = field(default_factory=lambda: 3)
    id: str | None = None
    timestamp: float | None = None
    cwd: str = field(default_factory=lambda: ".")
    parent_session: str | None = None


class _Entry(Own, kw_only=True, tag_field="type", omit_defaults=True):
    """Base of the entries. `timestamp` is in seconds since 1970; `parent_id` is None at a root.

    The constructor fills in an id of eight digits and the present time, the decoder does not.
    """

    FRESH: ClassVar[Fresh] = {"id": lambda: str(uuid.uuid4())[:8], "timestamp": time.time}

    id: str | None = None
    timestamp: float | None = None
    parent_id: str | None = None


class MessageAttachment(Own, omit_defaults=True):
    """A file that came with a message, by its path."""

    path: str
    mime_type: str | None = None


class MessageMeta(Own, omit_defaults=True):
    """Data that a channel adds to a message; it is not part of the conversation."""

    reply_to: str | None = None
    channel_message_id: str | None = None
    attachments: list[MessageAttachment] | None = None
    reactions: list[str] | None = None


class MessageEntry(_Entry, kw_only=True, tag="message"):
    """A message of the conversation."""

    type: ClassVar[Literal["message"]] = "message"

    message: AgentMessage
    meta: MessageMeta | None = None


class ThinkingLevelChangeEntry(_Entry, kw_only=True, tag="thinking_level_change"):
    """From here on the model has this thinking level."""

    type: ClassVar[Literal["thinking_level_change"]] = "thinking_level_change"

    thinking_level: ThinkingLevel


class ModelChangeEntry(_Entry, kw_only=True, tag="model_change"):
    """From here on another model answers."""

    type: ClassVar[Literal["model_change"]] = "model_change"

    model_id: str
    provider_id: str


class CompactionEntry(_Entry, kw_only=True, tag="compaction"):
    """A summary in place of all that comes before `first_kept_entry_id`."""

    type: ClassVar[Literal["compaction"]] = "compaction"

    summary: str
    first_kept_entry_id: str
    tokens_before: int
    details: Any = None
    from_hook: bool = field(default_factory=bool)


class BranchEntry(_Entry, kw_only=True, tag="branch_summary"):
    """A summary of a branch that was left, at the entry `from_id`, or at the `root`."""

    type: ClassVar[Literal["branch_summary"]] = "branch_summary"

    from_id: str
    summary: str
    details: Any = None
    from_hook: bool = field(default_factory=bool)


class LabelEntry(_Entry, kw_only=True, tag="label"):
    """A name for an entry; without `label`, the name is removed."""

    type: ClassVar[Literal["label"]] = "label"

    label: str | None = None
    target_id: str


class LeafEntry(_Entry, kw_only=True, tag="leaf"):
    """The conversation continues after another entry; without `target_id`, it starts again."""

    type: ClassVar[Literal["leaf"]] = "leaf"

    target_id: str | None = None


class CustomInfoEntry(_Entry, kw_only=True, tag="custom"):
    """Data of an extension."""

    type: ClassVar[Literal["custom"]] = "custom"

    custom_type: str
    data: MaybeRawValue = NOTHING

    def __post_init__(self) -> None:
        """Adopt the decoder's slice, or plain Python data."""
        if self.data is not None and not isinstance(self.data, RawJson):
            self.data = optional_json(self.data)


class CustomMessageEntry(_Entry, kw_only=True, tag="custom_message"):
    """Something that an extension shows in the session. Older files have one text as `content`."""

    type: ClassVar[Literal["custom_message"]] = "custom_message"

    custom_type: str
    content: str | list[TextContent | ImageContent | LinesContent]
    display: bool = field(default_factory=lambda: True)
    details: Any = None


class SessionInfoEntry(_Entry, kw_only=True, tag="session_info"):
    """The session's name."""

    type: ClassVar[Literal["session_info"]] = "session_info"

    name: str | None = None


class ChannelEntry(_Entry, kw_only=True, tag="channel"):
    """The channel that the conversation continues in."""

    type: ClassVar[Literal["channel"]] = "channel"

    name: str
    chat_id: str | None = None
    user_id: str | None = None


SessionEntry = (
    MessageEntry
    | ThinkingLevelChangeEntry
    | ModelChangeEntry
    | CompactionEntry
    | BranchEntry
    | LabelEntry
    | LeafEntry
    | CustomInfoEntry
    | CustomMessageEntry
    | SessionInfoEntry
    | ChannelEntry
)
"""What a session holds besides its header."""
SessionFileEntry = SessionHeader | SessionEntry
"""A line of a session file."""
ENTRY_TYPES: Final[dict[str, type[Any]]] = {kind.type: kind for kind in SessionFileEntry.__args__}
