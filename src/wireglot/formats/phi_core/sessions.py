"""phi-core's sessions as Structs whose JSON is that of its session files, one session each.

A session holds its loops, a loop its turns, messages and events. Times are RFC 3339 text in UTC,
kept as it came. phi-core writes the files with indentation, and reads them without it too.

Source: phi-core 0.10.0, `src/session/model.rs`, `src/context/compaction.rs`.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any, Literal

from msgspec import field

from .._records import Record
from .events import (
    AgentEvent,
    AnnotatedRequestPayload,
    ContinuationKind,
    Count,
    LoopConfigSnapshot,
    TurnTrigger,
)
from .types import AgentMessage, TurnId, Usage

__all__ = [
    "ChildLoopRef",
    "CompactedSection",
    "CompactionBlock",
    "Formed",
    "LoopEvent",
    "LoopRecord",
    "LoopStatus",
    "ParallelGroupRecord",
    "Session",
    "SessionFormation",
    "SessionScope",
    "SpawnRef",
    "TimedOut",
    "Turn",
    "TurnRange",
]


class Formed(Record):
    """When a session was formed."""

    timestamp: str


class TimedOut(Record):
    """Which session was idle for how long, before a new one was formed."""

    threshold_secs: Count
    previous_session_id: str | None
    timestamp: str


class SessionFormation(Record, omit_defaults=True, rename="pascal"):
    """Why a session was made; one of the three is set."""

    explicit: Formed | None = None
    first_loop: Formed | None = None
    inactivity_timeout: TimedOut | None = None

    def __post_init__(self) -> None:
        """Refuse several, and none."""
        if [self.explicit, self.first_loop, self.inactivity_timeout].count(None) != 2:
            raise ValueError(
                "several or none of `Explicit`, `FirstLoop` and `InactivityTimeout`, expected one"
            )


LoopStatus = Literal["Pending", "Running", "Completed", "Rejected", "Aborted"]
"""Where a loop is: `Pending` before its `AgentStart`, `Aborted` where its `AgentEnd` is missing."""

SessionScope = Literal["ephemeral", "persistent"]
"""Whether a session is only in memory, or in a store too."""


class ChildLoopRef(Record):
    """A loop in another session, which a call of a tool began."""

    tool_call_id: str
    tool_name: str
    child_loop_id: str
    child_session_id: str


class SpawnRef(Record):
    """The call in another session that began this session."""

    parent_session_id: str
    parent_loop_id: str
    tool_call_id: str
    tool_name: str


class ParallelGroupRecord(Record):
    """The loops that ran in parallel, and the one that was chosen of them."""

    all_loop_ids: list[str]
    selected_loop_id: str
    selected_config_index: Count
    evaluation_usage: Usage
    is_selected: bool


class LoopEvent(Record):
    """An event of a loop; where numbers are missing, events were left out."""

    sequence: Count
    event: AgentEvent


class TurnRange(Record, rename="camel"):
    """The turns from one to another, both included."""

    start_turn: Count
    end_turn: Count


class CompactedSection(Record):
    """Some turns of a loop, and the messages that stand for them."""

    range: TurnRange
    messages: list[AgentMessage]


class CompactionBlock(Record, kw_only=True, omit_defaults=True):
    """What goes to the model for a loop, instead of its messages."""

    keep_first: TurnRange | None = None
    keep_recent: CompactedSection | None = None
    keep_compacted: CompactedSection | None = None
    created_at: str = field(name="createdAt")


class Turn(Record, omit_defaults=True):
    """A turn: one call of the model, and the tools that ran because of its answer."""

    turn_id: TurnId
    triggered_by: TurnTrigger
    usage: Usage
    input_messages: list[AgentMessage]
    output_message: AgentMessage
    tool_results: list[AgentMessage]
    started_at: str
    ended_at: str
    request_payload: AnnotatedRequestPayload | None = None

    def index(self) -> int:
        """Return the number of the turn in its loop, from 0 on."""
        return self.turn_id.turn_index

    def duration(self) -> timedelta:
        """Return how long the turn took, without what is below a microsecond.

        Raises `ValueError` if a time is not RFC 3339.
        """
        return datetime.fromisoformat(self.ended_at) - datetime.fromisoformat(self.started_at)

    def has_tool_calls(self) -> bool:
        """Whether tools ran."""
        return bool(self.tool_results)

    def all_messages(self) -> list[AgentMessage]:
        """Return the messages in order: the input, the answer, the results."""
        return [*self.input_messages, self.output_message, *self.tool_results]


class LoopRecord(Record, kw_only=True, omit_defaults=True):
    """A run of the loop, whole. Its messages are those that it added."""

    loop_id: str
    session_id: str
    agent_id: str
    parent_loop_id: str | None = field(default_factory=lambda: None)  # null is written
    continuation_kind: ContinuationKind | None = field(default_factory=lambda: "Initial")
    started_at: str
    ended_at: str | None = field(default_factory=lambda: None)
    status: LoopStatus
    rejection: str | None = field(default_factory=lambda: None)
    config: LoopConfigSnapshot | None = field(default_factory=lambda: None)
    messages: list[AgentMessage]
    turns: list[Turn] = field(default_factory=lambda: [])
    usage: Usage
    metadata: Any = field(default_factory=lambda: None)
    events: list[LoopEvent]
    children_loop_ids: list[str]
    child_loop_refs: list[ChildLoopRef]
    parallel_group: ParallelGroupRecord | None = field(default_factory=lambda: None)
    compaction_block: CompactionBlock | None = None

    def __post_init__(self) -> None:
        """Take null for the kind's default, as phi-core does."""
        if self.continuation_kind is None:
            self.continuation_kind = "Initial"

    def get_turn(self, turn_index: int) -> Turn | None:
        """Return the turn at a position, None if there is none."""
        return self.turns[turn_index] if 0 <= turn_index < len(self.turns) else None

    def turn_count(self) -> int:
        """Return the number of turns; older sessions have none."""
        return len(self.turns)


class Session(Record, kw_only=True):
    """The loops of one session, by the time when they began."""

    session_id: str
    agent_id: str
    created_at: str
    last_active_at: str
    formation: SessionFormation
    parent_spawn_ref: SpawnRef | None = None
    scope: SessionScope = "ephemeral"
    loops: list[LoopRecord]

    def root_loops(self) -> list[LoopRecord]:
        """Return the loops that continue no other loop of this session."""
        ids = {loop.loop_id for loop in self.loops}
        return [loop for loop in self.loops if loop.parent_loop_id not in ids]

    def children_of(self, loop_id: str) -> list[LoopRecord]:
        """Return the loops of this session that continue a loop."""
        parent = self.get_loop(loop_id)
        return self._among(parent.children_loop_ids) if parent is not None else []

    def parallel_siblings(self, loop_id: str) -> list[LoopRecord]:
        """Return the loops that ran in parallel with a loop, this one included."""
        one = self.get_loop(loop_id)
        group = one.parallel_group if one is not None else None
        return self._among(group.all_loop_ids) if group is not None else []

    def _among(self, loop_ids: Iterable[str]) -> list[LoopRecord]:
        ids = {*loop_ids}
        return [loop for loop in self.loops if loop.loop_id in ids]

    def get_loop(self, loop_id: str) -> LoopRecord | None:
        """Return the loop with an id, None if there is none."""
        return next((loop for loop in self.loops if loop.loop_id == loop_id), None)

    def loop_chain_to(self, target_loop_id: str) -> list[str]:
        """Return the ids of the loops that lead to a loop, the first one first.

        The last parent may be a loop of another session. A loop that leads to itself ends the
        chain; phi-core would not return.
        """
        chain = [target_loop_id]
        seen = {target_loop_id}
        loop = self.get_loop(target_loop_id)
        while loop is not None and loop.parent_loop_id is not None:
            if loop.parent_loop_id in seen:
                break
            chain.append(loop.parent_loop_id)
            seen.add(loop.parent_loop_id)
            loop = self.get_loop(loop.parent_loop_id)
        return chain[::-1]

    def total_usage(self) -> Usage:
        """Return the counts of all loops together."""
        total = Usage(0, 0)
        for loop in self.loops:
            total = total.combine(loop.usage)
        return total
