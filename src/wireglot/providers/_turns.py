"""Messages -> turns: whose side speaks, results before anything else, every call answered.

Every wire wants the same order of things, and refuses a call without its result. Here that order is
made; how a turn is written is the wire's business.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Literal

from msgspec import Struct

from ..errors import EncodeError
from ..model import (
    AssistantMessage,
    Message,
    SystemMessage,
    TextBlock,
    ToolCallBlock,
    ToolResultBlock,
    ToolResultMessage,
    UserMessage,
)

__all__ = ["CallIds", "Result", "Turn", "turns"]

Result = ToolResultBlock | ToolResultMessage


class Turn(Struct):
    """Consecutive messages of one side. `results` answer the calls of the turn before."""

    role: Literal["system", "user", "assistant"]
    messages: list[Message]
    results: list[Result] = []


def turns(messages: list[Message], wire: str, *, repair: bool = False) -> list[Turn]:
    """Group messages into turns. A `ToolResultMessage` adds to `results` alone.

    A system message keeps its place, but never stands between a call and its results. A call
    without a result and a result without a call raise `EncodeError` with the id; with `repair` the
    call gets an error result that says so, and the result becomes a user's text.
    """
    out: list[Turn] = []
    waiting: list[Turn] = []  # system turns that met unanswered calls
    unanswered: dict[str, int] = {}
    turn: Turn | None = None

    def close() -> None:
        """Answer what is unanswered: nothing of the user side can follow any more."""
        nonlocal turn
        if unanswered:
            if not repair:
                call = next(iter(unanswered))
                raise EncodeError(
                    f"tool call `{call}` has no result", wire=wire, path=_path(messages, call)
                )
            if turn is None or turn.role != "user":
                out.append(turn := Turn("user", []))
            for call, times in unanswered.items():
                text = "No result was recorded for this call."
                turn.results += [
                    ToolResultBlock.from_text(call, text, is_error=True) for _ in range(times)
                ]
            unanswered.clear()
        out.extend(waiting)
        if waiting:
            turn = None
        waiting.clear()

    for message in messages:
        kind = type(message)
        if kind is AssistantMessage:
            if turn is None or turn.role != "assistant":
                close()
                out.append(turn := Turn("assistant", []))
            turn.messages.append(message)
            for block in message.content:
                if type(block) is ToolCallBlock:
                    unanswered[block.id] = unanswered.get(block.id, 0) + 1
            continue
        if kind is SystemMessage:
            (waiting if unanswered else out).append(Turn("system", [message]))
            turn = None if not unanswered else turn
            continue
        if turn is None or turn.role != "user":
            out.append(turn := Turn("user", []))
        results: list[Result]
        if type(message) is ToolResultMessage:
            results = [message]
        else:
            results = [block for block in message.content if type(block) is ToolResultBlock]
            turn.messages.append(message)
        for result in results:
            call = result.tool_call_id
            left = unanswered.get(call, 0)
            if left > 1:
                unanswered[call] = left - 1
            elif left:
                del unanswered[call]
            elif repair:
                text = TextBlock(f"A result without its call ({call}):")
                turn.messages.append(UserMessage([text, *result.content]))
                continue
            else:
                raise EncodeError(
                    f"tool result `{call}` has no call before it",
                    wire=wire,
                    path=_path(messages, call),
                )
            turn.results.append(result)
        if waiting and not unanswered:
            close()
    close()
    return out


class CallIds:
    """The ids of one conversation on a wire: call and result alike, unique within a turn.

    `mapped` brings an id into the wire's alphabet and length, one to one.
    """

    def __init__(self, mapped: Callable[[str], str]) -> None:
        self._mapped = mapped
        self._open: dict[str, deque[str]] = {}
        self._taken: set[str] = set()

    def new_turn(self) -> None:
        """Forget the calls of the turn before; real histories use ids again."""
        self._open = {}
        self._taken = set()

    def call(self, call_id: str) -> str:
        """Return the wire's id for a call."""
        new = first = self._mapped(call_id)
        number = 1
        while new in self._taken:
            number += 1
            new = f"{first}_{number}"
        self._taken.add(new)
        self._open.setdefault(call_id, deque()).append(new)
        return new

    def result(self, call_id: str) -> str:
        """Return the wire's id for the result of that call, in the order of the calls."""
        return self._open[call_id].popleft()


def _path(messages: list[Message], call: str) -> str:
    """Where the call or result with this id stands last."""
    for i in range(len(messages) - 1, -1, -1):
        message = messages[i]
        if type(message) is ToolResultMessage and message.tool_call_id == call:
            return f"$.messages[{i}]"
        for j, block in enumerate(message.content):
            if (type(block) is ToolCallBlock and block.id == call) or (
                type(block) is ToolResultBlock and block.tool_call_id == call
            ):
                return f"$.messages[{i}].content[{j}]"
    return "$.messages"
