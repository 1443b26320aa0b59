"""Closed vocabularies. Each is a `str`, so that `message.stop_reason == "toolUse"` holds."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["StopReason", "ThinkingLevel", "ToolKind"]


class StopReason(StrEnum):
    """Why the model, or the loop around it, stopped. The words are phi-core's."""

    STOP = "stop"
    LENGTH = "length"
    TOOL_USE = "toolUse"
    ERROR = "error"
    ABORTED = "aborted"
    MAX_TURNS = "maxTurns"
    USER_STOP = "userStop"
    HANDOFF = "handoff"
    GUARD_RAIL = "guardRail"
    CONTEXT_COMPACTED = "contextCompacted"
    PAUSED = "paused"


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
