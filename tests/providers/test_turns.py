"""Messages in order: each call answered at once, and what stood between goes behind."""

from collections.abc import Container
from typing import Any, NoReturn

import pytest

import wireglot as wg
from tests.providers.conversation import (
    answer,
    assistant,
    batch,
    call,
    extras,
    result,
    system,
    user,
)
from wireglot.providers._codecs.order import is_failure, ordered


def _fail(reason: str, part: object) -> NoReturn:
    raise wg.EncodeError(reason, wire="w")


def _ordered(
    messages: list[wg.Message], *, repair: bool = False, in_call_order: Container[int] = ()
) -> list[wg.Message]:
    return ordered(
        messages,
        _fail,
        lambda new, old: None,
        lambda part: None,
        repair=repair,
        in_call_order=in_call_order,
    )


# Messages are written as their texts, `ID!` for a call and `ID=` for a result.
IN_ORDER: dict[str, list[wg.Message]] = {
    "nothing": [],
    "each side in its turn": [user("a"), assistant("b"), user("c")],
    "an answer that calls after one that does not": [
        assistant("a"),
        assistant("b", call("1")),
        answer("1"),
    ],
    "neighbours of one side": [user("a"), batch("b"), assistant("c"), assistant("d")],
    "an id that is used again in a later turn": [
        assistant(call("1")),
        answer("1"),
        assistant(call("1")),
        answer("1"),
    ],
    "a user's text after the results in one message": [
        assistant(call("1")),
        user(result("1"), "a"),
    ],
    "system messages between turns": [system("a"), user("b"), system("c"), assistant("d")],
    "results in another order than the calls": [
        assistant(call("1"), call("2")),
        batch(result("2"), result("1")),
    ],
}


@pytest.mark.parametrize("messages", IN_ORDER.values(), ids=IN_ORDER)
def test_what_is_in_order_stays_as_it_is(messages: list[wg.Message]) -> None:
    made = _ordered(messages)
    assert len(made) == len(messages)
    assert all(new is old for new, old in zip(made, messages, strict=True))


REORDERED: dict[str, tuple[list[wg.Message], list[str]]] = {
    "text before its results, in one message": (
        [assistant(call("1")), user("a", result("1"), "b")],
        ["assistant 1!", "tool 1=", "user a b"],
    ),
    "text before its results, in another message": (
        [assistant(call("1")), user("a"), answer("1")],
        ["assistant 1!", "toolResult 1=", "user a"],
    ),
    "results of messages of every kind": (
        [
            assistant(call("1"), call("2"), call("3")),
            batch(result("3")),
            answer("1"),
            user("a", result("2")),
        ],
        ["assistant 1! 2! 3!", "tool 3=", "toolResult 1=", "tool 2=", "user a"],
    ),
    "an id that is called twice": (
        [assistant(call("1"), call("1")), answer("1"), answer("1")],
        ["assistant 1! 1_2!", "toolResult 1=", "toolResult 1_2="],
    ),
    "an id that is called twice, and its new name too": (
        [assistant(call("1"), call("1"), call("1_2")), answer("1"), answer("1_2"), answer("1")],
        ["assistant 1! 1_2! 1_2_2!", "toolResult 1=", "toolResult 1_2_2=", "toolResult 1_2="],
    ),
    "a system message between a call and its result": (
        [assistant(call("1"), call("2")), answer("1"), system("a"), answer("2"), user("b")],
        ["assistant 1! 2!", "toolResult 1=", "toolResult 2=", "system a", "user b"],
    ),
    "a system message between two answers that call": (
        [assistant(call("1")), system("a"), assistant(call("2")), answer("2"), answer("1")],
        ["assistant 1! 2!", "toolResult 2=", "toolResult 1=", "system a"],
    ),
    "text after one of two results, in one message": (
        [assistant(call("1"), call("2")), user(result("1"), "a"), answer("2")],
        ["assistant 1! 2!", "tool 1=", "toolResult 2=", "user a"],
    ),
    "text after the last result, while other text waits": (
        [assistant(call("1")), user("a"), user(result("1"), "b")],
        ["assistant 1!", "tool 1=", "user a", "user b"],
    ),
    "an answer that goes on after other messages": (
        [user("a"), assistant(call("1")), assistant("b"), answer("1")],
        ["user a", "assistant 1! b", "toolResult 1="],
    ),
    "an answer that goes on while a call is open": (
        [assistant("a", call("1")), assistant("b"), answer("1")],
        ["assistant a 1! b", "toolResult 1="],
    ),
}


@pytest.mark.parametrize(("messages", "expected"), REORDERED.values(), ids=REORDERED)
@pytest.mark.parametrize("repair", [False, True])
def test_reordered(messages: list[wg.Message], expected: list[str], repair: bool) -> None:
    before = wg.json.encode(messages)
    assert _told(_ordered(messages, repair=repair)) == expected
    assert wg.json.encode(messages) == before


AS_CALLED: dict[str, tuple[list[wg.Message], list[str]]] = {
    "in the order of the calls already": (
        [assistant(call("2"), call("1")), answer("2"), answer("1")],
        ["assistant 2! 1!", "toolResult 2=", "toolResult 1="],
    ),
    "in one message, with more behind": (
        [assistant(call("1"), call("2")), user(result("2"), result("1"), "a")],
        ["assistant 1! 2!", "user 1= 2= a"],
    ),
    "in messages of every kind": (
        [
            assistant(call("1"), call("2"), call("3"), call("4")),
            batch(result("4"), result("3")),
            answer("2"),
            user(result("1"), "a"),
        ],
        ["assistant 1! 2! 3! 4!", "tool 1= 2=", "tool 3=", "user 4= a"],
    ),
    "each turn for itself": (
        [
            assistant(call("1"), call("2")),
            answer("2"),
            answer("1"),
            assistant(call("2"), call("1")),
            answer("1"),
            answer("2"),
        ],
        [
            *("assistant 1! 2!", "toolResult 1=", "toolResult 2="),
            *("assistant 2! 1!", "toolResult 2=", "toolResult 1="),
        ],
    ),
    "of an id that is called twice": (
        [assistant(call("1"), call("2"), call("1")), answer("2"), answer("1"), answer("1")],
        ["assistant 1! 2! 1_2!", "toolResult 1=", "toolResult 2=", "toolResult 1_2="],
    ),
}


@pytest.mark.parametrize(("messages", "expected"), AS_CALLED.values(), ids=AS_CALLED)
def test_results_in_the_order_of_their_calls(
    messages: list[wg.Message], expected: list[str]
) -> None:
    before = wg.json.encode(messages)
    assert _told(_ordered(messages, in_call_order={1, 2})) == expected
    assert wg.json.encode(messages) == before


def test_a_result_that_was_made_stands_in_its_place() -> None:
    messages = [assistant(call("1"), call("2")), answer("2"), user("a")]
    made = _ordered(messages, repair=True, in_call_order={1, 2})
    assert _told(made) == ["assistant 1! 2!", "tool 1=", "tool 2=", "user a"]


REPAIRED: dict[str, tuple[list[wg.Message], list[str]]] = {
    "a call that nobody answers": (
        [assistant(call("1"), call("2"), call("2")), answer("2")],
        ["assistant 1! 2! 2_2!", "toolResult 2=", "tool 1= 2_2="],
    ),
    "a call before another answer": (
        [assistant(call("1")), user("a"), assistant("b")],
        ["assistant 1!", "tool 1=", "user a", "assistant b"],
    ),
    "a call that only a system message follows": (
        [assistant(call("1")), system("a")],
        ["assistant 1!", "tool 1=", "system a"],
    ),
    "a result that nobody asked for": (
        [answer("1", "r"), user("a")],
        ["user A result without its call (1): r", "user a"],
    ),
    "a result that nobody asked for, of a call that failed": (
        [batch(result("1", "r", is_error=True))],
        ["user A failed result without its call (1): r"],
    ),
    "a result in the turn after the next": (
        [assistant(call("1")), answer("1"), assistant("a"), batch(result("1", "r"))],
        ["assistant 1!", "toolResult 1=", "assistant a", "user A result without its call (1): r"],
    ),
}


@pytest.mark.parametrize(("messages", "expected"), REPAIRED.values(), ids=REPAIRED)
def test_repaired(messages: list[wg.Message], expected: list[str]) -> None:
    before = wg.json.encode(messages)
    assert _told(_ordered(messages, repair=True)) == expected
    assert wg.json.encode(messages) == before
    with pytest.raises(wg.EncodeError):
        _ordered(messages)


def _told(messages: list[wg.Message]) -> list[str]:
    return [" ".join((message.role, *_parts(message))) for message in messages]


def _parts(message: Any) -> list[str]:
    if type(message) is wg.ToolResultMessage:
        return [f"{message.tool_call_id}="]
    told = []
    for block in message.content:
        if type(block) is wg.ToolCallBlock:
            told.append(f"{block.id}!")
        elif type(block) is wg.ToolResultBlock:
            told.append(f"{block.tool_call_id}=")
        else:
            told.append(block.text)
    return told


def test_the_made_result_is_an_error_that_says_so() -> None:
    _, made = _ordered([assistant(call("1"))], repair=True)
    text = "No result was recorded for this call."
    assert made.content == [wg.ToolResultBlock.from_text("1", text, is_error=True)]


def test_errors_name_the_wire_and_the_id() -> None:
    with pytest.raises(
        wg.EncodeError,
        match=(
            r"^w: tool call `1` has no result;"
            r" add one, or pass repair=True - at "
        ),
    ):
        _ordered([assistant(call("1"))])
    with pytest.raises(
        wg.EncodeError,
        match=(
            r"^w: tool result `1` has no call before it;"
            r" add one, or pass repair=True - at "
        ),
    ):
        _ordered([answer("1")])


def test_nothing_is_repaired_unless_asked_for() -> None:
    told: list[Any] = []

    def fail(reason: str, part: object) -> NoReturn:
        told.append(part)
        raise wg.EncodeError(reason, wire="w")

    first, second = call("1"), call("2")
    with pytest.raises(wg.EncodeError):
        ordered([assistant(first, second)], fail, lambda new, old: None, lambda part: None)
    assert told == [first]


def test_a_result_that_repair_made_is_no_failure() -> None:
    made = "No result was recorded for this call."
    assert is_failure(wg.ToolResultBlock.from_text("1", "x", is_error=True))
    assert not is_failure(wg.ToolResultBlock.from_text("1", made, is_error=True))
    assert not is_failure(wg.ToolResultBlock.from_text("1", "x"))


def test_what_is_said_of_a_message_stays_with_the_rest_of_it() -> None:
    said = extras("x", k=1)
    two = _ordered([assistant(call("1")), user("a", result("1"), extras=said)])
    assert [message.extras for message in two] == [None, None, said]
    waiting = wg.ToolMessage([result("1"), result("9")], extras=said)
    one = _ordered([assistant(call("1")), waiting], repair=True)
    assert [message.extras for message in one] == [None, said, None]


def test_what_is_made_anew_is_told() -> None:
    given = [assistant(call("1"), call("1")), answer("1"), answer("1")]
    told: list[tuple[Any, Any]] = []
    made = ordered(given, _fail, lambda new, old: told.append((new, old)), lambda part: None)
    assert (made[0], given[0]) in told
    assert (made[2], given[2]) in told


def test_what_a_result_without_its_call_leaves_behind_is_told() -> None:
    opaque, inner_opaque = wg.OpaqueBlock("x", {"k": 1}), wg.OpaqueBlock("x", {"l": 2})
    inner = result("2", inner_opaque, "b")
    orphan = answer("1", "a", opaque, inner)
    left: list[Any] = []
    made = ordered([orphan], _fail, lambda new, old: None, left.append, repair=True)
    assert _told(made) == ["user A result without its call (1): a A result without its call (2): b"]
    assert [id(part) for part in left] == [*map(id, (orphan, opaque, inner, inner_opaque))]


def test_a_result_with_its_call_leaves_nothing_behind() -> None:
    given = [assistant(call("1")), user("a", result("1", wg.OpaqueBlock("x", {"k": 1})))]
    left: list[Any] = []
    ordered(given, _fail, lambda new, old: None, left.append, repair=True)
    assert left == []


def test_answers_of_two_apis_that_become_one_have_none() -> None:
    given = [
        assistant("a", call("1"), api="x", provider="p"),
        assistant("b", api="y", provider="q"),
        answer("1"),
    ]
    merged = _ordered(given)[0]
    assert (merged.api, merged.provider) == (None, None)


def test_answers_of_one_api_that_become_one_have_that() -> None:
    given = [
        assistant("a", call("1"), api="x", provider="p"),
        assistant("b", api="x", provider="p"),
        answer("1"),
    ]
    merged = _ordered(given)[0]
    assert (merged.api, merged.provider) == ("x", "p")


@pytest.mark.parametrize("keeper", [0, 1])
def test_unknown_keys_of_one_of_two_answers_are_those_of_both(keeper: int) -> None:
    said: list[wg.Extras | None] = [None, None]
    said[keeper] = extras("x", k=1)
    given = [assistant("a", call("1"), extras=said[0]), assistant("b", extras=said[1]), answer("1")]
    assert _ordered(given)[0].extras == extras("x", k=1)


def test_answers_that_become_one_keep_the_unknown_keys_of_both() -> None:
    given = [
        assistant("a", call("1"), extras={**extras("x", k=1), **extras("y", l=2)}),
        assistant("b", extras={**extras("x", m=3), **extras("z", n=4)}),
        answer("1"),
    ]
    assert _ordered(given)[0].extras == {
        **extras("x", k=1, m=3),
        **extras("y", l=2),
        **extras("z", n=4),
    }
