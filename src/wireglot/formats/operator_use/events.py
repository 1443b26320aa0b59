"""Operator-Use's events as Structs whose JSON is the line that RPC prints, null and all.

Events of gateways, channels and providers' requests are not here.

Source: CursorTouch/Operator-Use at ed1adb1, `program/hooks/types.py`, `program/rpc/server.py`.
"""

from __future__ import annotations

from typing import Any, ClassVar, Final, Literal

from msgspec import Raw, field

from ...model import RawJson
from ...model.accepted import NOTHING
from ...model.rawjson import MaybeRawValue, RawValue, optional_json
from .._records import read
from .base import Own
from .contents import ToolCallContent, ToolResultContent
from .types import AgentMessage

__all__ = [
    "EVENT_TYPES",
    "AgentEndEvent",
    "AgentErrorEvent",
    "AgentStartEvent",
    "BeforeAgentStartEvent",
    "ContextEvent",
    "Event",
    "InputEvent",
    "MessageEndEvent",
    "MessageStartEvent",
    "MessageUpdateEvent",
    "ModelSelectEvent",
    "QueueUpdateEvent",
    "Response",
    "SavePointEvent",
    "SessionBeforeCompactEvent",
    "SessionBeforeForkEvent",
    "SessionBeforeSwitchEvent",
    "SessionBeforeTreeEvent",
    "SessionCompactEvent",
    "SessionShutdownEvent",
    "SessionStartEvent",
    "SessionTreeEvent",
    "SettledEvent",
    "SubagentEndEvent",
    "SubagentStartEvent",
    "ThinkingLevelSelectEvent",
    "ToolCallEvent",
    "ToolExecutionEndEvent",
    "ToolExecutionFailureEvent",
    "ToolExecutionStartEvent",
    "ToolExecutionUpdateEvent",
    "ToolResultEvent",
    "TurnEndEvent",
    "TurnStartEvent",
]


def _object() -> Any:
    return Raw(b"{}")


def _array() -> Any:
    return Raw(b"[]")


class _Event(Own, tag_field="type"):
    """Base of the events."""

    RAW: ClassVar[tuple[str, ...]] = ()
    """Fields that hold any JSON, kept as it came in."""

    def __post_init__(self) -> None:
        """Adopt the decoder's slices, or plain Python data."""
        for name in self.RAW:
            value = getattr(self, name)
            if value is not None and not isinstance(value, RawJson):
                setattr(self, name, optional_json(value))


# -- the agent ------------------------------------------------------------------------------------


class AgentStartEvent(_Event, tag="agent_start"):
    """The agent starts."""

    type: ClassVar[Literal["agent_start"]] = "agent_start"


class AgentEndEvent(_Event, tag="agent_end"):
    """The agent is done: all messages that there are."""

    type: ClassVar[Literal["agent_end"]] = "agent_end"

    messages: list[AgentMessage] = field(default_factory=list)
    reason: Literal["completed", "aborted", "error"] = "completed"


class AgentErrorEvent(_Event, tag="agent_error"):
    """The agent failed."""

    type: ClassVar[Literal["agent_error"]] = "agent_error"

    error: str = ""


class BeforeAgentStartEvent(_Event, tag="before_agent_start"):
    """The agent is about to start."""

    type: ClassVar[Literal["before_agent_start"]] = "before_agent_start"

    prompt: str = ""
    system_prompt: str = ""


class ContextEvent(_Event, tag="context"):
    """The messages that a request is made of."""

    type: ClassVar[Literal["context"]] = "context"

    messages: list[AgentMessage] = field(default_factory=list)


class TurnStartEvent(_Event, tag="turn_start"):
    """A turn begins. `timestamp` is in seconds since 1970."""

    type: ClassVar[Literal["turn_start"]] = "turn_start"

    turn_index: int = 0
    timestamp: float = 0.0


class TurnEndEvent(_Event, tag="turn_end"):
    """A turn is over; after an error or an abort there is no message."""

    type: ClassVar[Literal["turn_end"]] = "turn_end"

    turn_index: int = 0
    message: AgentMessage | None = None
    tool_results: list[ToolResultContent] = field(default_factory=list)


class MessageStartEvent(_Event, tag="message_start"):
    """A message begins."""

    type: ClassVar[Literal["message_start"]] = "message_start"

    message: AgentMessage | None = None


class MessageUpdateEvent(_Event, tag="message_update"):
    """More of an answer: a message of its own, with a new id, that holds only the new part."""

    type: ClassVar[Literal["message_update"]] = "message_update"

    message: AgentMessage | None = None


class MessageEndEvent(_Event, tag="message_end"):
    """A message is complete; after an error or an abort there is none."""

    type: ClassVar[Literal["message_end"]] = "message_end"

    message: AgentMessage | None = None


class QueueUpdateEvent(_Event, tag="queue_update"):
    """A message waits its turn; `messages` is the whole queue."""

    type: ClassVar[Literal["queue_update"]] = "queue_update"

    queue: Literal["steering", "followup"] = "steering"
    message: AgentMessage | None = None
    messages: list[AgentMessage] = field(default_factory=list)


class SubagentStartEvent(_Event, tag="subagent_start"):
    """Another agent is given a task."""

    type: ClassVar[Literal["subagent_start"]] = "subagent_start"

    task_id: str = ""
    label: str = ""
    task: str = ""


class SubagentEndEvent(_Event, tag="subagent_end"):
    """Another agent is done with its task."""

    type: ClassVar[Literal["subagent_end"]] = "subagent_end"

    task_id: str = ""
    label: str = ""
    status: str = "completed"
    result: str | None = None


# -- tools ----------------------------------------------------------------------------------------


class ToolExecutionStartEvent(_Event, tag="tool_execution_start"):
    """A tool is run."""

    type: ClassVar[Literal["tool_execution_start"]] = "tool_execution_start"

    tool_call: ToolCallContent | None = None


class ToolExecutionUpdateEvent(_Event, tag="tool_execution_update"):
    """A tool reports its progress."""

    type: ClassVar[Literal["tool_execution_update"]] = "tool_execution_update"

    partial_tool_result: ToolResultContent | None = None


class ToolExecutionEndEvent(_Event, tag="tool_execution_end"):
    """A tool is done."""

    type: ClassVar[Literal["tool_execution_end"]] = "tool_execution_end"

    tool_result: ToolResultContent | None = None


class ToolExecutionFailureEvent(_Event, tag="tool_execution_failure"):
    """A tool failed."""

    type: ClassVar[Literal["tool_execution_failure"]] = "tool_execution_failure"

    RAW: ClassVar[tuple[str, ...]] = ("input",)

    tool_name: str = ""
    tool_call_id: str = ""
    input: RawValue = field(default_factory=_object)
    error: str = ""


class ToolCallEvent(_Event, tag="tool_call"):
    """A tool is about to be run."""

    type: ClassVar[Literal["tool_call"]] = "tool_call"

    RAW: ClassVar[tuple[str, ...]] = ("input",)

    tool_call_id: str = ""
    tool_name: str = ""
    input: RawValue = field(default_factory=_object)


class ToolResultEvent(_Event, tag="tool_result"):
    """A tool has been run."""

    type: ClassVar[Literal["tool_result"]] = "tool_result"

    RAW: ClassVar[tuple[str, ...]] = ("input",)

    tool_call_id: str = ""
    tool_name: str = ""
    input: RawValue = field(default_factory=_object)
    content: str = ""
    is_error: bool = False


# -- sessions and settings ------------------------------------------------------------------------


class SessionStartEvent(_Event, tag="session_start"):
    """A session begins."""

    type: ClassVar[Literal["session_start"]] = "session_start"

    reason: Literal["startup", "reload", "new", "resume", "fork"] = "startup"
    previous_session_file: str | None = None


class SessionBeforeSwitchEvent(_Event, tag="session_before_switch"):
    """Another session is about to take its place."""

    type: ClassVar[Literal["session_before_switch"]] = "session_before_switch"

    reason: Literal["new", "resume"] = "new"
    target_session_file: str | None = None


class SessionBeforeForkEvent(_Event, tag="session_before_fork"):
    """A new session is about to be made from a part of this one."""

    type: ClassVar[Literal["session_before_fork"]] = "session_before_fork"

    entry_id: str = ""
    position: Literal["before", "at"] = "at"


class SessionBeforeCompactEvent(_Event, tag="session_before_compact"):
    """The session is about to be compacted."""

    type: ClassVar[Literal["session_before_compact"]] = "session_before_compact"

    RAW: ClassVar[tuple[str, ...]] = ("preparation", "branch_entries")

    preparation: MaybeRawValue = NOTHING
    branch_entries: MaybeRawValue = field(default_factory=_array)
    custom_instructions: str | None = None


class SessionCompactEvent(_Event, tag="session_compact"):
    """The session has been compacted."""

    type: ClassVar[Literal["session_compact"]] = "session_compact"

    RAW: ClassVar[tuple[str, ...]] = ("compaction_entry",)

    compaction_entry: MaybeRawValue = NOTHING
    from_extension: bool = False


class SessionShutdownEvent(_Event, tag="session_shutdown"):
    """The session ends."""

    type: ClassVar[Literal["session_shutdown"]] = "session_shutdown"

    reason: Literal["quit", "reload", "new", "resume", "fork"] = "quit"
    target_session_file: str | None = None


class SessionBeforeTreeEvent(_Event, tag="session_before_tree"):
    """The session is about to continue from another entry."""

    type: ClassVar[Literal["session_before_tree"]] = "session_before_tree"

    RAW: ClassVar[tuple[str, ...]] = ("preparation",)

    preparation: MaybeRawValue = NOTHING


class SessionTreeEvent(_Event, tag="session_tree"):
    """The session continues from another entry."""

    type: ClassVar[Literal["session_tree"]] = "session_tree"

    RAW: ClassVar[tuple[str, ...]] = ("summary_entry",)

    new_leaf_id: str | None = None
    old_leaf_id: str | None = None
    summary_entry: MaybeRawValue = NOTHING
    from_extension: bool = False


class ModelSelectEvent(_Event, tag="model_select"):
    """Another model was chosen."""

    type: ClassVar[Literal["model_select"]] = "model_select"

    RAW: ClassVar[tuple[str, ...]] = ("model", "previous_model")

    model: MaybeRawValue = NOTHING
    previous_model: MaybeRawValue = NOTHING
    source: Literal["set", "cycle", "restore"] = "set"


class ThinkingLevelSelectEvent(_Event, tag="thinking_level_select"):
    """Another thinking level was chosen."""

    type: ClassVar[Literal["thinking_level_select"]] = "thinking_level_select"

    level: str | None = None
    previous_level: str | None = None


class InputEvent(_Event, tag="input"):
    """Somebody, or something, gave input."""

    type: ClassVar[Literal["input"]] = "input"

    text: str = ""
    source: str = "interactive"


class SavePointEvent(_Event, tag="save_point"):
    """Everything so far is on disk."""

    type: ClassVar[Literal["save_point"]] = "save_point"


class SettledEvent(_Event, tag="settled"):
    """Nothing is left to do."""

    type: ClassVar[Literal["settled"]] = "settled"


class _Messages(Own):
    messages: list[AgentMessage] = field(default_factory=list)


class Response(_Event, tag="response", omit_defaults=True):
    """The answer to a command. For `get_messages`, `data` holds them under `messages`."""

    type: ClassVar[Literal["response"]] = "response"

    RAW: ClassVar[tuple[str, ...]] = ("data",)

    command: str
    success: bool
    id: str | None = None
    data: MaybeRawValue = NOTHING
    error: str | None = None

    def messages(self) -> list[AgentMessage]:
        """Return the messages in the data of `get_messages`. Raises `DecodeError`."""
        made: _Messages = read(
            _Messages, b"{}" if self.data is None else self.data.text, "operator_use"
        )
        return made.messages


Event = (
    AgentStartEvent
    | AgentEndEvent
    | AgentErrorEvent
    | BeforeAgentStartEvent
    | ContextEvent
    | TurnStartEvent
    | TurnEndEvent
    | MessageStartEvent
    | MessageUpdateEvent
    | MessageEndEvent
    | QueueUpdateEvent
    | SubagentStartEvent
    | SubagentEndEvent
    | ToolExecutionStartEvent
    | ToolExecutionUpdateEvent
    | ToolExecutionEndEvent
    | ToolExecutionFailureEvent
    | ToolCallEvent
    | ToolResultEvent
    | SessionStartEvent
    | SessionBeforeSwitchEvent
    | SessionBeforeForkEvent
    | SessionBeforeCompactEvent
    | SessionCompactEvent
    | SessionShutdownEvent
    | SessionBeforeTreeEvent
    | SessionTreeEvent
    | ModelSelectEvent
    | ThinkingLevelSelectEvent
    | InputEvent
    | SavePointEvent
    | SettledEvent
    | Response
)
"""A line that RPC prints."""
EVENT_TYPES: Final[frozenset[type[Any]]] = frozenset(Event.__args__)
