"""Operator-Use's messages as Structs whose JSON is Operator-Use's own.

A missing id or time stays None, and is left out again; only the factories make new ones.

Source: CursorTouch/Operator-Use at ed1adb1, `program/message/types.py` and
`program/inference/types.py`; later fields from operator_use (7297d0b) and Jeomon/Tau (00f93a7).
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Any, ClassVar, Final, Self

from msgspec import UNSET, UnsetType, field

from ...errors import EncodeError
from ...model import Media, ThinkingLevel, generate_id
from .._records import Record
from .contents import (
    AudioContent,
    Content,
    ImageContent,
    LinesContent,
    TextContent,
    ThinkingContent,
    ToolCallContent,
    ToolResultContent,
)

if TYPE_CHECKING:
    from PIL.Image import Image

    from .session import BranchEntry, CompactionEntry, CustomMessageEntry

    Source = str | bytes | Media
    Picture = Source | Image

__all__ = [
    "AgentMessage",
    "AssistantMessage",
    "BranchSummaryMessage",
    "CompactionSummaryMessage",
    "Cost",
    "CustomMessage",
    "LLMMessage",
    "Role",
    "SkillInvocationMessage",
    "StopReason",
    "SystemMessage",
    "TemplateInvocationMessage",
    "TerminalExecutionMessage",
    "ThinkingBudgets",
    "ThinkingLevel",
    "ToolMessage",
    "Usage",
    "UsageCost",
    "UserMessage",
]

_MILLION: Final = 1_000_000


class Role(StrEnum):
    """The role of a message. The last three never reach an LLM by themselves."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"
    CUSTOM = "custom"
    BRANCH_SUMMARY = "branch_summary"
    COMPACTION_SUMMARY = "compaction_summary"


class StopReason(StrEnum):
    """Why the model stopped."""

    STOP = "stop"
    LENGTH = "length"
    TOOL_CALLS = "tool_calls"
    CONTENT_FILTER = "content_filter"
    ABORT = "abort"
    ERROR = "error"


class ThinkingBudgets(Record):
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
            raise EncodeError(f"no thinking budget for `{level}`", wire="operator_use")
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


class UsageCost(Record):
    """Money spent."""

    input: float = 0.0
    output: float = 0.0
    cache_read: float = 0.0
    cache_write: float = 0.0
    total: float = 0.0


class Usage(Record):
    """Token counts. `input_tokens` includes cached tokens only if the last field says so (Tau).

    Operator-Use never fills `cost` by itself; see `Cost.calculate_cost`.
    """

    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    cost: UsageCost = field(default_factory=UsageCost)
    input_tokens_include_cache_read: bool | UnsetType = UNSET


class Cost(Record):
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


class _Message(Record, omit_defaults=True):
    """The fields of every message of an LLM conversation. `timestamp` is in seconds since 1970."""

    contents: list[Content] = field(default_factory=lambda: [])
    id: str | None = None
    timestamp: float | None = None

    @classmethod
    def new(cls, contents: Sequence[Content]) -> Self:
        """Return a message with the present time and a new id."""
        return cls(list(contents), str(generate_id()), time.time())


class SystemMessage(_Message, tag_field="role", tag="system"):
    """Instructions: texts, which are joined by line feeds when they are sent."""

    role: ClassVar[Role] = Role.SYSTEM

    @classmethod
    def text(cls, content: str) -> Self:
        """Return a message of one text, with the present time."""
        return cls.new([TextContent(content)])

    from_text = text


class UserMessage(_Message, tag_field="role", tag="user"):
    """What the user says; it may hold tool results too."""

    role: ClassVar[Role] = Role.USER

    @classmethod
    def text(cls, content: str) -> Self:
        """Return a message of one text, with the present time."""
        return cls.new([TextContent(content)])

    from_text = text

    @classmethod
    def with_images(cls, content: str, images: Iterable[Picture]) -> Self:
        """Return a message of one text and one list of images, with the present time."""
        listed: list[Any] = list(images)
        return cls.new([TextContent(content), ImageContent(listed)])

    @classmethod
    def with_audio(cls, content: str, audio: Iterable[Source]) -> Self:
        """Return a message of one text and one list of sounds, with the present time."""
        listed: list[Any] = list(audio)
        return cls.new([TextContent(content), AudioContent(listed)])


class AssistantMessage(_Message, tag_field="role", tag="assistant"):
    """What the model answered. `error` is empty if there was none."""

    role: ClassVar[Role] = Role.ASSISTANT

    usage: Usage = field(default_factory=Usage)
    stop_reason: StopReason = field(default_factory=lambda: StopReason.STOP)
    error: str = field(default_factory=str)
    error_kind: str | UnsetType = UNSET

    @classmethod
    def from_text(cls, content: str) -> Self:
        """Return a message of one text, with the present time."""
        return cls.new([TextContent(content)])

    def text_content(self) -> str:
        """Return the texts, joined without a separator."""
        return "".join(part.content for part in self.contents if type(part) is TextContent)

    def tool_calls(self) -> list[ToolCallContent]:
        """Return the calls, in order."""
        return [part for part in self.contents if type(part) is ToolCallContent]

    def thinking(self) -> list[ThinkingContent]:
        """Return the thinking, in order."""
        return [part for part in self.contents if type(part) is ThinkingContent]


class ToolMessage(_Message, tag_field="role", tag="tool"):
    """All results of one batch of calls."""

    role: ClassVar[Role] = Role.TOOL

    @classmethod
    def from_results(cls, results: Sequence[ToolResultContent]) -> Self:
        """Return a message of all results of a batch, with the present time."""
        return cls.new(results)

    @classmethod
    def from_result(cls, result: ToolResultContent) -> Self:
        """Return a message of one result, with the present time."""
        return cls.new([result])


LLMMessage = SystemMessage | UserMessage | AssistantMessage | ToolMessage
"""What is sent to an LLM."""


class CustomMessage(Record, tag_field="role", tag="custom", omit_defaults=True):
    """Something that an extension shows in the session: texts and images."""

    role: ClassVar[Role] = Role.CUSTOM

    custom_type: str
    timestamp: float | None = None
    contents: list[TextContent | ImageContent | LinesContent] = field(default_factory=lambda: [])
    details: Any = None

    @classmethod
    def from_session(cls, entry: CustomMessageEntry) -> Self:
        """Return the message of an entry, without its `display`."""
        content: Any = entry.content
        contents: list[Any] = [TextContent(content)] if isinstance(content, str) else content
        return cls(entry.custom_type, entry.timestamp, [*contents], entry.details)


class BranchSummaryMessage(Record, tag_field="role", tag="branch_summary"):
    """A summary of a branch that was left, at the entry `from_id`, or at the `root`."""

    role: ClassVar[Role] = Role.BRANCH_SUMMARY

    summary: str
    from_id: str
    timestamp: float | None = None

    @classmethod
    def from_session(cls, entry: BranchEntry) -> Self:
        """Return the message of an entry."""
        return cls(entry.summary, entry.from_id, entry.timestamp)


class CompactionSummaryMessage(Record, tag_field="role", tag="compaction_summary"):
    """A summary that replaces what came before."""

    role: ClassVar[Role] = Role.COMPACTION_SUMMARY

    summary: str
    tokens_before: int
    timestamp: float | None = None

    @classmethod
    def from_session(cls, entry: CompactionEntry) -> Self:
        """Return the message of an entry."""
        return cls(entry.summary, entry.tokens_before, entry.timestamp)


class SkillInvocationMessage(Record, tag_field="role", tag="skill_invocation", omit_defaults=True):
    """A skill that was invoked (Tau)."""

    name: str = field(default_factory=str)
    args: str = field(default_factory=str)
    content: str = field(default_factory=str)
    expanded: bool = field(default_factory=bool)
    timestamp: float | None = None


class TemplateInvocationMessage(
    Record, tag_field="role", tag="template_invocation", omit_defaults=True
):
    """A prompt template that was invoked (Tau)."""

    name: str = field(default_factory=str)
    args: str = field(default_factory=str)
    expanded_content: str = field(default_factory=str)
    expanded: bool = field(default_factory=bool)
    timestamp: float | None = None


class TerminalExecutionMessage(
    Record, tag_field="role", tag="terminal_execution", omit_defaults=True
):
    """A command that the user ran in the shell, and what it printed (Tau)."""

    command: str = field(default_factory=str)
    output: str = field(default_factory=str)
    exit_code: int | None = None
    cancelled: bool = field(default_factory=bool)
    timestamp: float | None = None
    exclude: bool = field(default_factory=bool)


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
