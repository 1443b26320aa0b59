"""Messages -> turns: whose side speaks, results before anything else, every call answered.

Every wire wants the same order of things, and refuses a call without its result. Here that order is
made; how a turn is written is the wire's business.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any, Literal, NoReturn

from msgspec import Struct

from ..model import (
    AssistantMessage,
    Message,
    SystemMessage,
    TextBlock,
    ToolCallBlock,
    ToolMessage,
    ToolResultBlock,
    ToolResultMessage,
    UserMessage,
)

__all__ = ["CallIds", "Result", "Turn", "turns"]

Result = ToolResultBlock | ToolResultMessage
Fail = Callable[[str, Any], NoReturn]

_USER_SIDE = frozenset({UserMessage, ToolMessage, ToolResultMessage})


class Turn(Struct):
    """Consecutive messages of one side. `results` answer the calls of the turn before."""

    role: Literal["system", "user", "assistant"]
    messages: list[Message]
    results: list[Result] = []
    orphans: list[Result] = []  # results without a call, which stand among `messages` as texts


def turns(messages: list[Message], fail: Fail, *, repair: bool = False) -> list[Turn]:
    """Group messages into turns. A `ToolResultMessage` adds to `results` alone.

    A system message keeps its place, but never stands between a call and its results. A call
    without a result and a result without a call go to `fail`, as does what is no message; with
    `repair` the call gets an error result that says so, and the result becomes a user's text.
    """
    out: list[Turn] = []
    waiting: list[Turn] = []  # system turns that met unanswered calls
    unanswered: dict[str, deque[ToolCallBlock]] = {}
    turn: Turn | None = None

    def close() -> None:
        """Answer what is unanswered: nothing of the user side can follow any more."""
        nonlocal turn
        if unanswered:
            first = next(iter(unanswered.values()))[0]
            if not repair:
                fail(f"tool call `{first.id}` has no result", first)
            if turn is None or turn.role != "user":
                out.append(turn := Turn("user", []))
            for call, blocks in unanswered.items():
                text = "No result was recorded for this call."
                turn.results += [ToolResultBlock.from_text(call, text, is_error=True)] * len(blocks)
            unanswered.clear()
        if waiting:
            out.extend(waiting)
            waiting.clear()
            turn = None

    for message in messages:
        kind = type(message)
        if kind is AssistantMessage:
            if turn is None or turn.role != "assistant":
                close()
                out.append(turn := Turn("assistant", []))
            turn.messages.append(message)
            for block in message.content:
                if type(block) is ToolCallBlock:
                    unanswered.setdefault(block.id, deque()).append(block)
            continue
        if kind is SystemMessage:
            if unanswered:
                waiting.append(Turn("system", [message]))
            else:
                out.append(Turn("system", [message]))
                turn = None
            continue
        if kind not in _USER_SIDE:
            fail(f"`{kind.__name__}` is no message that goes to an LLM", message)
        if turn is None or turn.role != "user":
            out.append(turn := Turn("user", []))
        results: list[Result]
        if type(message) is ToolResultMessage:
            results = [message]
        else:
            results = [block for block in message.content if type(block) is ToolResultBlock]
            turn.messages.append(message)
        for result in results:
            call_id = result.tool_call_id
            calls = unanswered.get(call_id)
            if calls is not None:
                calls.popleft()
                if not calls:
                    del unanswered[call_id]
                turn.results.append(result)
            elif repair:
                text = TextBlock(f"A result without its call ({call_id}):")
                turn.messages.append(UserMessage([text, *result.content]))
                turn.orphans.append(result)
            else:
                fail(f"tool result `{call_id}` has no call before it", result)
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
        self.new_turn()

    def new_turn(self) -> None:
        """Forget the calls of the turn before; real histories use ids again."""
        self._open: dict[str, deque[str]] = {}
        self._taken: dict[str, int] = {}

    def call(self, call_id: str) -> str:
        """Return the wire's id for a call."""
        new = first = self._mapped(call_id)
        while new in self._taken:
            self._taken[first] += 1
            new = f"{first}_{self._taken[first]}"
        self._taken[new] = 1
        self._open.setdefault(call_id, deque()).append(new)
        return new

    def result(self, call_id: str) -> str:
        """Return the wire's id for the result of that call, in the order of the calls."""
        return self._open[call_id].popleft()
