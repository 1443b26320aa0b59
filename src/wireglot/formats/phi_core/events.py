"""phi-core's events as Structs whose JSON is phi-core's own: the events of a run of the loop.

Times are RFC 3339 text in UTC, kept as it came, since it may have nanoseconds; messages keep their
integer milliseconds. An optional field that is unset is null, but for `config_snapshot`.

Source: phi-core 0.10.0, `src/types/event.rs`, `provenance.rs`.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal, Self

from msgspec import Meta, field

from ...model import ProvenanceHint
from ...model.rawjson import RawJson, RawValue
from .._records import Record
from .config import ApiProtocol, ResponseFormat, ThinkingLevel, ToolDefinition
from .types import AgentMessage, Message, ToolResult, Usage

__all__ = [
    "AgentEnd",
    "AgentEvent",
    "AgentStart",
    "AnnotatedRequestPayload",
    "CompactionEnded",
    "CompactionStarted",
    "Continuation",
    "ContinuationKind",
    "Delta",
    "InputRejected",
    "LoopConfigSnapshot",
    "Marked",
    "MessageEnd",
    "MessageStart",
    "MessageUpdate",
    "ParallelLoopEnd",
    "ParallelLoopStart",
    "ProgressMessage",
    "PrunApplied",
    "RevertApplied",
    "StreamDelta",
    "ToolExecutionEnd",
    "ToolExecutionStart",
    "ToolExecutionUpdate",
    "TurnEnd",
    "TurnRequest",
    "TurnStart",
    "TurnTrigger",
]

Count = Annotated[int, Meta(ge=0)]


class Marked(Record):
    """The mark of a rerun or a branch: a time, RFC 3339 in UTC."""

    tag: str


class Continuation(Record, omit_defaults=True, rename="pascal"):
    """A continuation that has a mark; one of the two is set."""

    rerun: Marked | None = None
    branch: Marked | None = None

    def __post_init__(self) -> None:
        """Refuse both, and none."""
        if (self.rerun is None) == (self.branch is None):
            raise ValueError("both or neither of `Rerun` and `Branch`, expected one")


ContinuationKind = Literal["Initial", "Default", "Compaction"] | Continuation
"""How a loop relates to those before it."""

TurnTrigger = Literal["User", "SubAgent", "Continuation", "FollowUp", "Branch"]
"""What caused a turn; `FollowUp` is the older word for `Continuation`."""


class Delta(Record):
    """The text that arrived."""

    delta: str


class StreamDelta(Record, omit_defaults=True, rename="pascal"):
    """What a `MessageUpdate` adds; one of the three is set. A tool call's delta is JSON text."""

    text: Delta | None = None
    thinking: Delta | None = None
    tool_call_delta: Delta | None = None

    @classmethod
    def Text(cls, delta: str) -> Self:  # noqa: N802 -- as phi-core spells its variants
        """Return a piece of text."""
        return cls(text=Delta(delta))

    @classmethod
    def Thinking(cls, delta: str) -> Self:  # noqa: N802 -- likewise
        """Return a piece of thinking."""
        return cls(thinking=Delta(delta))

    @classmethod
    def ToolCallDelta(cls, delta: str) -> Self:  # noqa: N802 -- likewise
        """Return a piece of the arguments of a call."""
        return cls(tool_call_delta=Delta(delta))

    def __post_init__(self) -> None:
        """Refuse several, and none."""
        if [self.text, self.thinking, self.tool_call_delta].count(None) != 2:
            raise ValueError(
                "several or none of `Text`, `Thinking` and `ToolCallDelta`, expected one"
            )


class AnnotatedRequestPayload(Record):
    """A request as the provider got it; `provenance` gives the origin of each message."""

    system_prompt: str
    messages: list[Message]
    provenance: list[ProvenanceHint]
    tools: list[ToolDefinition]
    model_id: str
    thinking_level: ThinkingLevel
    max_tokens: Count | None
    temperature: float | None
    response_format: ResponseFormat


class LoopConfigSnapshot(Record, omit_defaults=True):
    """The model that a loop ran with, and its settings."""

    model: str
    provider: str
    config_id: str | None = field(default_factory=lambda: None)  # a plain default would be omitted
    name: str | None = None
    api: ApiProtocol | None = None
    base_url: str | None = None
    reasoning: bool | None = None
    context_window: Count | None = None
    max_tokens: Count | None = None
    thinking_level: ThinkingLevel | None = None
    temperature: float | None = None


class _Event(Record, tag_field="type"):
    """Base of the events; every one names its loop, or its session."""


class AgentStart(_Event, tag="AgentStart", omit_defaults=True):
    """A loop began, before any call of a model."""

    type: ClassVar[Literal["AgentStart"]] = "AgentStart"

    agent_id: str
    session_id: str
    loop_id: str
    parent_loop_id: str | None
    continuation_kind: ContinuationKind | None
    timestamp: str
    metadata: Any = field(default_factory=lambda: None)  # a plain default would be omitted
    config_snapshot: LoopConfigSnapshot | None = None

    def __post_init__(self) -> None:
        """Take null for the kind's default: phi-core does not read null here."""
        if self.continuation_kind is None:
            self.continuation_kind = "Initial"


class AgentEnd(_Event, tag="AgentEnd"):
    """A loop ended. `messages` are those that it added."""

    type: ClassVar[Literal["AgentEnd"]] = "AgentEnd"

    loop_id: str
    messages: list[AgentMessage]
    usage: Usage
    timestamp: str
    rejection: str | None = None


class TurnStart(_Event, tag="TurnStart"):
    """A turn began; one turn is one call of the model."""

    type: ClassVar[Literal["TurnStart"]] = "TurnStart"

    loop_id: str
    turn_index: Count
    timestamp: str
    triggered_by: TurnTrigger


class TurnRequest(_Event, tag="TurnRequest"):
    """What a turn asked of the provider."""

    type: ClassVar[Literal["TurnRequest"]] = "TurnRequest"

    loop_id: str
    turn_index: Count
    payload: AnnotatedRequestPayload
    timestamp: str


class TurnEnd(_Event, tag="TurnEnd"):
    """A turn ended: the answer, and the results of its tools."""

    type: ClassVar[Literal["TurnEnd"]] = "TurnEnd"

    loop_id: str
    message: AgentMessage
    usage: Usage
    timestamp: str
    tool_results: list[Message]


class MessageStart(_Event, tag="MessageStart"):
    """A message began."""

    type: ClassVar[Literal["MessageStart"]] = "MessageStart"

    loop_id: str
    message: AgentMessage


class MessageUpdate(_Event, tag="MessageUpdate"):
    """More of a message arrived. `message` holds everything so far, `delta` only the new part."""

    type: ClassVar[Literal["MessageUpdate"]] = "MessageUpdate"

    loop_id: str
    message: AgentMessage
    delta: StreamDelta


class MessageEnd(_Event, tag="MessageEnd"):
    """A message is complete."""

    type: ClassVar[Literal["MessageEnd"]] = "MessageEnd"

    loop_id: str
    message: AgentMessage


class ToolExecutionStart(_Event, tag="ToolExecutionStart"):
    """A tool is about to run. `args` is the model's JSON."""

    type: ClassVar[Literal["ToolExecutionStart"]] = "ToolExecutionStart"

    loop_id: str
    tool_call_id: str
    tool_name: str
    args: RawValue

    def __post_init__(self) -> None:
        """Adopt the decoder's slice, or plain Python data."""
        if not isinstance(self.args, RawJson):
            self.args = RawJson.adopt(self.args)


class ToolExecutionUpdate(_Event, tag="ToolExecutionUpdate"):
    """A tool showed a part of its result."""

    type: ClassVar[Literal["ToolExecutionUpdate"]] = "ToolExecutionUpdate"

    loop_id: str
    tool_call_id: str
    tool_name: str
    partial_result: ToolResult


class ToolExecutionEnd(_Event, tag="ToolExecutionEnd"):
    """A tool is done. `child_loop_id` is set where it ran an agent of its own."""

    type: ClassVar[Literal["ToolExecutionEnd"]] = "ToolExecutionEnd"

    loop_id: str
    tool_call_id: str
    tool_name: str
    result: ToolResult
    is_error: bool
    child_loop_id: str | None = None


class ProgressMessage(_Event, tag="ProgressMessage"):
    """A tool reported its progress to the user."""

    type: ClassVar[Literal["ProgressMessage"]] = "ProgressMessage"

    loop_id: str
    tool_call_id: str
    tool_name: str
    text: str


class InputRejected(_Event, tag="InputRejected"):
    """A filter refused the input; no model was called."""

    type: ClassVar[Literal["InputRejected"]] = "InputRejected"

    loop_id: str
    reason: str


class ParallelLoopStart(_Event, tag="ParallelLoopStart"):
    """Several loops begin in parallel."""

    type: ClassVar[Literal["ParallelLoopStart"]] = "ParallelLoopStart"

    session_id: str
    loop_ids: list[str]
    timestamp: str


class ParallelLoopEnd(_Event, tag="ParallelLoopEnd"):
    """One of several loops was chosen."""

    type: ClassVar[Literal["ParallelLoopEnd"]] = "ParallelLoopEnd"

    session_id: str
    selected_loop_id: str
    selected_config_index: Count
    evaluation_usage: Usage
    timestamp: str


class CompactionStarted(_Event, tag="CompactionStarted"):
    """The context is about to be compacted."""

    type: ClassVar[Literal["CompactionStarted"]] = "CompactionStarted"

    loop_id: str
    estimated_tokens: Count
    message_count: Count
    timestamp: str


class CompactionEnded(_Event, tag="CompactionEnded"):
    """The context was compacted."""

    type: ClassVar[Literal["CompactionEnded"]] = "CompactionEnded"

    loop_id: str
    messages_before: Count
    messages_after: Count
    estimated_tokens_before: Count
    estimated_tokens_after: Count
    loops_compacted: Count
    timestamp: str


class PrunApplied(_Event, tag="PrunApplied"):
    """A tool took messages out of the context; `pruned_timestamps` are theirs, in milliseconds."""

    type: ClassVar[Literal["PrunApplied"]] = "PrunApplied"

    loop_id: str
    tokens_removed: Count
    messages_removed: Count
    memo: str | None
    pruned_timestamps: list[Count]
    timestamp: str


class RevertApplied(_Event, tag="RevertApplied"):
    """The loop went back to an earlier node, or was asked to and did not."""

    type: ClassVar[Literal["RevertApplied"]] = "RevertApplied"

    loop_id: str
    category: Literal["failure", "tangent", "completion", "step-summary"]
    target: Count | None
    abandoned_node_ids: list[Count]
    summary: str | None
    applied: bool
    reason: str | None
    timestamp: str


AgentEvent = (
    AgentStart
    | AgentEnd
    | TurnStart
    | TurnRequest
    | TurnEnd
    | MessageStart
    | MessageUpdate
    | MessageEnd
    | ToolExecutionStart
    | ToolExecutionUpdate
    | ToolExecutionEnd
    | ProgressMessage
    | InputRejected
    | ParallelLoopStart
    | ParallelLoopEnd
    | CompactionStarted
    | CompactionEnded
    | PrunApplied
    | RevertApplied
)
"""An event of a run of the loop; `type` tells them apart."""
