"""Why an answer ended: an API's word -> our stop reason, and what clients of another API get."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from ...model import AssistantMessage, Content, OpaqueBlock, StopReason, ToolCallBlock

UNENDED: Final = frozenset({"queued", "in_progress"})
"""Words for an answer in the background, which other APIs do not have: it is still to come."""

_AT_SEQUENCE: Final = frozenset({"stop_sequence", "STOP_SEQUENCE"})
"""The words of APIs that need not say which sequence it was."""


def is_at_sequence(message: AssistantMessage) -> bool:
    """Whether a stop sequence ended an answer."""
    if message.stop_reason not in (StopReason.STOP, None):
        return False
    return message.stop_sequence is not None or message.raw_stop_reason in _AT_SEQUENCE


def stop_of(
    words: Mapping[str, StopReason], raw: str, content: Sequence[Content] = ()
) -> StopReason:
    """Return the meaning of a wire's stop reason; an unknown one is `STOP`.

    `STOP` becomes `TOOL_USE` if the answer has tool calls, whatever the wire calls that.
    """
    reason = words.get(raw, StopReason.STOP)
    if reason is StopReason.STOP and any(type(block) is ToolCallBlock for block in content):
        return StopReason.TOOL_USE
    return reason


def settled(reason: StopReason | None, content: Sequence[Content]) -> StopReason | None:
    """Return the stop reason that clients of another API get: one for tools needs a call.

    They would wait for a call that never comes. A block of another kind may be one. An answer
    without a reason that has a call stopped for it: its clients would take any other for the end.
    """
    if reason is None:
        called = any(type(block) is ToolCallBlock for block in content)
        return StopReason.TOOL_USE if called else None
    calls = (type(block) is ToolCallBlock or type(block) is OpaqueBlock for block in content)
    return StopReason.STOP if reason is StopReason.TOOL_USE and not any(calls) else reason
