"""Closed vocabularies. Each is a `str`, so that `message.stop_reason == "toolUse"` holds."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["StopReason", "ThinkingLevel", "ToolKind"]


class StopReason(StrEnum):
    """Why the model, or the loop around it, stopped. The words are phi-core's.

    phi-core spells the names as the second of each pair.
    """

    STOP = "stop"
    Stop = STOP
    LENGTH = "length"
    Length = LENGTH
    TOOL_USE = "toolUse"
    ToolUse = TOOL_USE
    ERROR = "error"
    Error = ERROR
    ABORTED = "aborted"
    Aborted = ABORTED
    MAX_TURNS = "maxTurns"
    MaxTurns = MAX_TURNS
    USER_STOP = "userStop"
    UserStop = USER_STOP
    HANDOFF = "handoff"
    Handoff = HANDOFF
    GUARD_RAIL = "guardRail"
    GuardRail = GUARD_RAIL
    CONTEXT_COMPACTED = "contextCompacted"
    ContextCompacted = CONTEXT_COMPACTED
    PAUSED = "paused"
    Paused = PAUSED


class ThinkingLevel(StrEnum):
    """How hard to think; `off` to `high` are phi-core's, the rest Operator-Use's."""

    OFF = "off"
    MINIMAL = "minimal"
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"
    XHIGH = "xhigh"
    MAX = "max"
    ULTRA = "ultra"


class ToolKind(StrEnum):
    """What a tool does to the world (Operator-Use)."""

    READ = "read"
    EDIT = "edit"
    WRITE = "write"
    EXECUTE = "execute"
    WEB = "web"
    CRON = "cron"
    AGENT = "agent"
    WORKFLOW = "workflow"
    PLAN = "plan"
    UNKNOWN = "unknown"
