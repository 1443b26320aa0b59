"""Ravi's messages as Structs: what a user holds, read from the JSON of any of its versions.

Source: Ravikumarchavva/agent-framework at 4375c21f (V2), 3b7dd0a6 (V3), 30912676 and before (V0,
V1).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec
from msgspec import UNSET, Raw, field
from msgspec.structs import replace

from .._records import Record
from . import wire
from .base import Items, MaybeItems, Message, Role, Version, maybe, taken
from .parts import later_item, written_item
from .tools import ToolCallMessage, ToolExecutionResultMessage

__all__ = [
    "AgentMessage",
    "AssistantMessage",
    "Role",
    "SystemMessage",
    "ToolCallMessage",
    "ToolExecutionResultMessage",
    "UsageStats",
    "UserMessage",
    "Version",
]

if TYPE_CHECKING:
    MaybeValue: TypeAlias = Any
else:
    MaybeValue = Raw  # tells a decoded value from one that a caller gave

_value = msgspec.json.Decoder().decode


class UsageStats(Record, omit_defaults=True):
    """Token counts. `extra` holds the provider's own counts, in V3: Anthropic's cached tokens."""

    prompt_tokens: int = field(default_factory=int)  # a plain default would be omitted
    completion_tokens: int = field(default_factory=int)
    total_tokens: int = field(default_factory=int)
    extra: dict[str, Any] = field(default_factory=dict)


class SystemMessage(Message, tag="SystemMessage"):
    """Instructions."""

    content: str
    role: Role = "system"

    def __post_init__(self) -> None:
        """Choose the version."""
        self.settle(self.id is not None)

    def written(self) -> Record:
        """Return the object that goes on the wire."""
        if self.version == "v2":
            return wire.System(self.role, self.content, unknown=self.unknown)
        return wire.LaterSystem(
            id=maybe(self.id), role=self.role, content=self.content, unknown=self.unknown
        )


class UserMessage(Message, tag="UserMessage"):
    """What the user says: text as `str`, and media."""

    content: Items
    name: str | None = None
    role: Role = "user"

    def __post_init__(self) -> None:
        """Make items of what was decoded, and choose the version."""
        self.content, later = taken(self.content)
        self.settle(self.id is not None if later is None else later)
        if self.version == "v2":
            self.name = self.name or None

    def written(self) -> Record:
        """Return the object that goes on the wire. Raises `EncodeError` for what V2 has not."""
        if self.version == "v2":
            return wire.User(
                self.role,
                [written_item(item, self.role) for item in self.content],
                name=maybe(self.name),
                unknown=self.unknown,
            )
        return wire.LaterUser(
            id=maybe(self.id),
            role=self.role,
            content=[later_item(item) for item in self.content],
            name=self.name,
            unknown=self.unknown,
        )


class AssistantMessage(Message, tag="AssistantMessage"):
    """What the model answered.

    `finish_reason` is the provider's word, or Ravi's. `parsed` is structured output, which repeats
    the text. V2 does not write it, so a message that came with it is V3. An empty `content` is not
    the same as None.
    """

    content: MaybeItems = None
    tool_calls: list[ToolCallMessage] | None = None
    reasoning: str | None = None
    finish_reason: str = "stop"
    usage: UsageStats | None = None
    cached: bool = False
    name: str | None = None
    parsed: MaybeValue = None
    role: Role = "assistant"

    def __post_init__(self) -> None:
        """Make items of what was decoded, and choose the version; its calls get the same."""
        later: bool | None = None
        if self.content is not None:
            self.content, later = taken(self.content)
        parsed: Any = self.parsed
        if type(parsed) is Raw:  # it came in a document
            self.parsed = _value(parsed)
            later = later if self.parsed is None else True
        self.settle(self.id is not None if later is None else later)
        if self.version == "v2":
            self.name = self.name or None
            self.reasoning = self.reasoning or None
        if self.tool_calls:
            self.tool_calls = [
                call
                if call.version == self.version
                else replace(call, version=self.version, content=call.content or UNSET)
                for call in self.tool_calls
            ]

    def written(self) -> Record:
        """Return the object that goes on the wire. Raises `EncodeError` for what V2 has not."""
        if self.version == "v3":
            return self._written_later()
        made = wire.Assistant(
            role=self.role,
            finish_reason=self.finish_reason,
            cached=self.cached,
            name=maybe(self.name),
            reasoning=maybe(self.reasoning),
            usage=maybe(self.usage),
            unknown=self.unknown,
        )
        if self.content is not None:
            made.content = [written_item(item, self.role) for item in self.content]
        if self.tool_calls is not None:
            made.tool_calls = [call.written() for call in self.tool_calls]
        return made

    def _written_later(self) -> Record:
        content, calls, usage = self.content, self.tool_calls, self.usage
        return wire.LaterAssistant(
            id=maybe(self.id),
            role=self.role,
            content=[later_item(item) for item in content] if content is not None else None,
            name=self.name,
            reasoning=self.reasoning,
            tool_calls=[call.written() for call in calls] if calls is not None else None,
            finish_reason=self.finish_reason,
            usage=_later_usage(usage) if usage is not None else None,
            cached=self.cached,
            parsed=self.parsed,
            unknown=self.unknown,
        )


def _later_usage(usage: UsageStats) -> wire.LaterUsage:
    return wire.LaterUsage(
        prompt_tokens=usage.prompt_tokens,
        completion_tokens=usage.completion_tokens,
        total_tokens=usage.total_tokens,
        extra=usage.extra,
        unknown=usage.unknown,
    )


AgentMessage = (
    SystemMessage | UserMessage | AssistantMessage | ToolCallMessage | ToolExecutionResultMessage
)
"""A message of any kind, told apart by `type`."""
