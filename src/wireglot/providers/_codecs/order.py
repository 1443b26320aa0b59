"""Messages -> messages in the order that every wire requires: each call answered at once.

The encoders write a conversation as it is, and raise `OutOfOrder` where a call or its result is out
of place. Only then are the messages put in order here, and written again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Container
from operator import is_
from typing import Any, Final, NoReturn

import msgspec
from msgspec import Raw
from msgspec.structs import replace

from ...errors import quoted
from ...model import (
    AssistantMessage,
    Content,
    Extra,
    Extras,
    Message,
    OpaqueBlock,
    RawJson,
    SystemMessage,
    TextBlock,
    ToolCallBlock,
    ToolMessage,
    ToolResultBlock,
    ToolResultMessage,
    UserMessage,
)
from ...model.session import not_a_message

Result = ToolResultBlock | ToolResultMessage
Fail = Callable[[str, Any], NoReturn]
Derived = Callable[[Any, Any], None]
Leave = Callable[[Any], None]

_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_encode = msgspec.json.Encoder().encode
NO_MESSAGE: Final = "no message with content, expected at least one"
GO_ON: Final = "Go on."
"""What a user says where a model does not go on with an answer by itself."""
_NO_RESULT: Final = "No result was recorded for this call."
_USER_SIDE: Final = frozenset({UserMessage, ToolMessage, ToolResultMessage})
_SHARED: Final = frozenset(ToolResultBlock.__struct_fields__) & frozenset(
    ToolResultMessage.__struct_fields__
)


def count_prompts(messages: list[Message]) -> int:
    """Return how many system messages come before all others."""
    for i, message in enumerate(messages):
        if type(message) is not SystemMessage:
            return i
    return len(messages)


def is_failure(result: Result) -> bool:
    """Whether a result is a real error; the one that `repair` makes is known by its text."""
    return result.is_error and result.text() != _NO_RESULT


def last_said(messages: list[Message]) -> Message:
    """Return the last message of a conversation that is not a system message."""
    return next(m for m in reversed(messages) if type(m) is not SystemMessage)


def last_answer(messages: list[Message]) -> AssistantMessage:
    """Return the last answer of a conversation that has one."""
    return next(m for m in reversed(messages) if type(m) is AssistantMessage)


def is_thoughtless(
    messages: list[Message],
    is_thought: Callable[[Content, AssistantMessage], bool],
    *,
    prefill: bool,
) -> bool:
    """Whether a conversation ends within a turn that the model began without thinking.

    It does with results of calls; with `prefill` also with an answer, for the model to go on with.
    All answers between two messages of the user are one turn, and thinking in any of them counts.
    `is_thought` says which blocks are thinking that is sent.
    """
    has_results = is_answered = is_found = False
    is_end = prefill
    for message in reversed(messages):
        if type(message) is SystemMessage:
            continue
        if type(message) is AssistantMessage:
            has_results |= is_end
        is_end = False
        if type(message) is not AssistantMessage:
            has_results = (has_results and not is_answered) or bool(_results(message))
            is_answered = False
            continue
        if not has_results:
            break
        if any(is_thought(block, message) for block in message.content):
            return False
        is_answered = is_found = True
    return is_found


def ordered(
    messages: list[Message],
    fail: Fail,
    derived: Derived,
    leave: Leave,
    *,
    repair: bool = False,
    in_call_order: Container[int] = (),
    ids_differ: bool = False,
) -> list[Message]:
    """Return the conversation with each result right after the answer that called for it.

    Answers that follow each other while calls are open become one. User and system messages between
    a call and its results are moved behind the results. Of several calls with one id in a turn, or
    with `ids_differ` in the whole request, all but the first get a suffix, and so do their results.
    A call without a result and a result without a call are passed to `fail`; with `repair` the call
    gets an error result that says so, and the result becomes a user's text.

    `derived(new, old)` is called for each part that had to be made anew. `leave(part)` is called
    for each part that has a meaning only in a result, and cannot follow it into a user message: an
    opaque block, or the unknown keys and the cache breakpoint of the result itself. `in_call_order`
    holds the numbers of the answers, from one, whose results must also be in the order of their
    calls.
    """
    return _Order(fail, derived, leave, repair, in_call_order, ids_differ).made(messages)


class _Order:
    def __init__(
        self,
        fail: Fail,
        derived: Derived,
        leave: Leave,
        repair: bool,
        in_call_order: Container[int],
        ids_differ: bool,
    ) -> None:
        self._fail = fail
        self._derived = derived
        self._leave = leave
        self._repair = repair
        self._in_call_order = in_call_order
        self._ids_differ = ids_differ
        self._out: list[Message] = []
        self._open: dict[str, deque[ToolCallBlock]] = {}  # id as it came -> calls as written
        # The ids of this turn, or of all, in order -> the last suffix tried.
        self._taken: dict[str, int] = {}
        self._turn = 0  # where the results of this turn begin in `_out`
        self._answers = 0  # how many are in `_out`
        self._behind: list[Message] = []  # messages that must follow the results
        # The merged answers, each with the unknown keys of its parts.
        self._grown: list[tuple[AssistantMessage, list[Extras | None]]] = []

    def made(self, messages: list[Message]) -> list[Message]:
        message: Any
        for message in messages:
            kind = type(message)
            if kind is AssistantMessage:
                self._answer(message)
            elif kind is SystemMessage:
                self._rest().append(message)
            elif kind in _USER_SIDE:
                self._user_side(message)
            else:
                self._fail(not_a_message(message), message)
        self._close()
        for answer, extras in self._grown:
            answer.extras = _joined(extras)
        return self._out

    def _answer(self, message: AssistantMessage) -> None:
        last = self._out[-1] if self._out else None
        waiting = self._behind if not self._open else _without_system(self._behind)
        goes_on = type(last) is AssistantMessage and not waiting
        if not goes_on:
            self._close()
            if not self._ids_differ:
                self._taken.clear()
        is_open = bool(self._open)
        content: list[Content] = []
        for block in message.content:
            if type(block) is ToolCallBlock:
                call_id = block.id
                block = self._unique(block)
                self._open.setdefault(call_id, deque()).append(block)
            content.append(block)
        if type(last) is AssistantMessage and goes_on and is_open:
            self._go_on(last, message, content)
        else:
            self._answers += 1
            if not _same(content, message.content):
                whole = message
                message = replace(whole, content=content)
                self._derived(message, whole)
            self._out.append(message)
        self._turn = len(self._out)

    def _go_on(
        self, last: AssistantMessage, message: AssistantMessage, content: list[Content]
    ) -> None:
        """Merge an answer into the last one.

        An answer that is merged already grows in place, because very many may follow.
        """
        if not self._grown or self._grown[-1][0] is not last:
            whole = replace(last, content=list(last.content))
            self._grown.append((whole, [last.extras]))
            self._derived(whole, last)
            self._out[-1] = whole
        whole, extras = self._grown[-1]
        whole.content += content
        whole.api = whole.api if whole.api == message.api else None
        whole.provider = whole.provider if whole.provider == message.provider else None
        extras.append(message.extras)

    def _unique(self, call: ToolCallBlock) -> ToolCallBlock:
        new = call.id
        while new in self._taken:
            self._taken[call.id] += 1
            new = f"{call.id}_{self._taken[call.id]}"
        self._taken[new] = 1
        if new == call.id:
            return call
        renamed = replace(call, id=new)
        self._derived(renamed, call)
        return renamed

    def _user_side(self, message: UserMessage | ToolMessage | ToolResultMessage) -> None:
        if type(message) is ToolResultMessage:
            placed = self._placed(message)
            (self._out if type(placed) is ToolResultMessage else self._rest()).append(placed)
            return
        results: list[Content] = []
        rest: list[Content] = []
        orphans: list[Message] = []
        for block in message.content:
            if type(block) is not ToolResultBlock:
                rest.append(block)
                continue
            placed = self._placed(block)
            if type(placed) is ToolResultBlock:
                results.append(placed)
            else:
                orphans.append(placed)
        is_whole = not orphans and _same(results + rest, message.content)
        if is_whole and results and not (rest and (self._open or self._behind)):
            self._out.append(message)
            return
        if results:
            # The message's own unknown keys stay with its other blocks, if it has any.
            part = ToolMessage(results, extras=None if rest else message.extras)
            self._derived(part, message)
            self._out.append(part)
        if rest or not (results or orphans):
            if len(rest) != len(message.content):
                whole = message
                message = replace(message, content=rest)
                self._derived(message, whole)
            self._rest().append(message)
        self._rest().extend(orphans)

    def _rest(self) -> list[Message]:
        """Return the list that a message without results is appended to."""
        return self._behind if self._open else self._settled()

    def _settled(self) -> list[Message]:
        self._out += self._behind
        self._behind.clear()
        return self._out

    def _placed(self, result: Any) -> Any:
        """Return a result with the id of its call as written, or a user's text for an orphan."""
        call_id = result.tool_call_id
        calls = self._open.get(call_id)
        if calls is None:
            if not self._repair:
                self._fail(
                    (
                        f"tool result {quoted(call_id)} has no call before it;"
                        " add one, or pass repair=True"
                    ),
                    result,
                )
            orphan = UserMessage(self._as_said(result))
            self._derived(orphan, result)
            return orphan
        call = calls.popleft()
        if not calls:
            del self._open[call_id]
        if call.id == call_id:
            return result
        renamed = replace(result, tool_call_id=call.id)
        self._derived(renamed, result)
        return renamed

    def _as_said(self, result: Result) -> list[Content]:
        """Return a result without its call as a user's content, without its opaque blocks."""
        self._leave(result)
        what = "A failed result" if result.is_error else "A result"
        content: list[Content] = [TextBlock(f"{what} without its call ({result.tool_call_id}):")]
        for block in result.content:
            if type(block) is ToolResultBlock:
                content += self._as_said(block)
            elif type(block) is OpaqueBlock:
                self._leave(block)
            else:
                content.append(block)
        return content

    def _close(self) -> None:
        """End the turn: no result can follow any more.

        Calls without a result are passed to `fail`, or get an error result with `repair`.
        """
        if self._open:
            calls = [call for same in self._open.values() for call in same]
            if not self._repair:
                self._fail(
                    (
                        f"tool call {quoted(next(iter(self._open)))} has no result;"
                        " add one, or pass repair=True"
                    ),
                    calls[0],
                )
            self._out.append(
                ToolMessage(
                    [
                        ToolResultBlock.from_text(call.id, _NO_RESULT, is_error=True)
                        for call in calls
                    ]
                )
            )
            self._open.clear()
        if self._answers in self._in_call_order:
            self._sort_results()
        self._settled()

    def _sort_results(self) -> None:
        """Put the results of a turn into the order of their calls."""
        ranks = {call_id: rank for rank, call_id in enumerate(self._taken)}
        results = [result for message in self._out[self._turn :] for result in _results(message)]
        in_order = sorted(results, key=lambda result: ranks[result.tool_call_id])
        if _same(results, in_order):
            return
        rest = iter(in_order)
        for i in range(self._turn, len(self._out)):
            message: Any = self._out[i]
            places = len(_results(message))
            if type(message) is ToolResultMessage:
                moved: Any = next(rest)
                if type(moved) is ToolResultBlock:
                    moved = ToolMessage([moved])
                    self._derived(moved, moved.content[0])
            elif places:
                content = [self._as_block(next(rest)) for _ in range(places)]
                moved = replace(message, content=content + message.content[places:])
                self._derived(moved, message)
            else:
                continue
            self._out[i] = moved

    def _as_block(self, result: Any) -> Content:
        """Return a result as a block of a batch."""
        if type(result) is ToolResultBlock:
            return result
        block = ToolResultBlock(**{name: getattr(result, name) for name in _SHARED})
        self._derived(block, result)
        return block


def _results(message: Any) -> list[Any]:
    """Return the results of a message in order: the message itself, or its result blocks."""
    if type(message) is ToolResultMessage:
        return [message]
    if type(message) not in _USER_SIDE:
        return []
    return [block for block in message.content if type(block) is ToolResultBlock]


def _joined(parts: list[Extras | None]) -> Extras | None:
    """Return the unknown keys of messages that become one; of equal keys the last wins."""
    given: dict[str, list[Extra]] = {}
    for extras in parts:
        for api, extra in (extras or {}).items():
            given.setdefault(api, []).append(extra)
    return {api: _united(of_api) for api, of_api in given.items()} or None


def _united(of_api: list[Extra]) -> Extra:
    if len(of_api) == 1:
        return of_api[0]
    keys: dict[str, Raw] = {}
    for extra in of_api:
        keys |= _keys(extra.keys.text)
    return Extra(RawJson.adopt(Raw(_encode(keys))))


def _without_system(messages: list[Message]) -> list[Message]:
    return [message for message in messages if type(message) is not SystemMessage]


def _same(new: list[Content], old: list[Content]) -> bool:
    return len(new) == len(old) and all(map(is_, new, old))
