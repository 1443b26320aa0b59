"""Messages -> turns: who speaks, which results come first, what waits, and the ids of calls."""

from typing import NoReturn

import pytest

import wireglot as wg
from tests.providers.conversation import answer, assistant, batch, call, result, system, user
from wireglot.providers._turns import CallIds, Turn, turns


def _fail(reason: str, part: object) -> NoReturn:
    raise wg.EncodeError(reason, wire="w")


# Turns are written as: role, the texts of its messages, the ids of its results.
Told = tuple[str, list[str], list[str]]

TURNS: dict[str, tuple[list[wg.Message], list[Told]]] = {
    "nothing": ([], []),
    "each side in its turn": (
        [user("a"), assistant("b"), user("c")],
        [("user", ["a"], []), ("assistant", ["b"], []), ("user", ["c"], [])],
    ),
    "neighbours of one side together": (
        [user("a"), batch("b"), assistant("c"), assistant("d")],
        [("user", ["a", "b"], []), ("assistant", ["c", "d"], [])],
    ),
    "a result message is a result alone": (
        [assistant(call("1")), answer("1", "r"), user("a")],
        [("assistant", [""], []), ("user", ["a"], ["1"])],
    ),
    "results of messages of every kind, in their order": (
        [
            assistant(call("1"), call("2"), call("3")),
            batch(result("3")),
            answer("1"),
            user("a", result("2")),
        ],
        [("assistant", [""], []), ("user", ["", "a"], ["3", "1", "2"])],
    ),
    "an id that is called twice is answered twice": (
        [assistant(call("1"), call("1")), answer("1"), answer("1")],
        [("assistant", [""], []), ("user", [], ["1", "1"])],
    ),
    "an id that is used again in a later turn": (
        [assistant(call("1")), answer("1"), assistant(call("1")), answer("1")],
        [
            ("assistant", [""], []),
            ("user", [], ["1"]),
            ("assistant", [""], []),
            ("user", [], ["1"]),
        ],
    ),
    "each system message is a turn, and parts the turns around it": (
        [system("a"), user("b"), system("c"), system("d"), user("e"), assistant("f")],
        [
            ("system", ["a"], []),
            ("user", ["b"], []),
            ("system", ["c"], []),
            ("system", ["d"], []),
            ("user", ["e"], []),
            ("assistant", ["f"], []),
        ],
    ),
    "a system message waits until all calls are answered": (
        [assistant(call("1"), call("2")), answer("1"), system("a"), answer("2"), user("b")],
        [
            ("assistant", [""], []),
            ("user", [], ["1", "2"]),
            ("system", ["a"], []),
            ("user", ["b"], []),
        ],
    ),
    "two answers about a waiting system message are one turn": (
        [assistant(call("1")), system("a"), assistant(call("2")), answer("2"), answer("1")],
        [("assistant", ["", ""], []), ("user", [], ["2", "1"]), ("system", ["a"], [])],
    ),
}


@pytest.mark.parametrize(("messages", "expected"), TURNS.values(), ids=TURNS)
@pytest.mark.parametrize("repair", [False, True])
def test_turns(messages: list[wg.Message], expected: list[Told], repair: bool) -> None:
    assert _told(turns(messages, _fail, repair=repair)) == expected


REPAIRED: dict[str, tuple[list[wg.Message], list[Told]]] = {
    "a call that nobody answers": (
        [assistant(call("1"), call("2"), call("2")), answer("2")],
        [("assistant", [""], []), ("user", [], ["2", "1", "2"])],
    ),
    "a call before another answer, after whose results it speaks": (
        [assistant(call("1")), user("a"), assistant("b")],
        [("assistant", [""], []), ("user", ["a"], ["1"]), ("assistant", ["b"], [])],
    ),
    "a call that only a system message follows": (
        [assistant(call("1")), system("a")],
        [("assistant", [""], []), ("user", [], ["1"]), ("system", ["a"], [])],
    ),
    "a result that nobody asked for": (
        [answer("1", "r"), user("a")],
        [("user", ["A result without its call (1):r", "a"], [])],
    ),
    "a result in the turn after the next": (
        [assistant(call("1")), answer("1"), assistant("a"), batch(result("1", "r"))],
        [
            ("assistant", [""], []),
            ("user", [], ["1"]),
            ("assistant", ["a"], []),
            ("user", ["r", "A result without its call (1):r"], []),
        ],
    ),
}


@pytest.mark.parametrize(("messages", "expected"), REPAIRED.values(), ids=REPAIRED)
def test_repaired_turns(messages: list[wg.Message], expected: list[Told]) -> None:
    before = wg.json.encode(messages)
    assert _told(turns(messages, _fail, repair=True)) == expected
    assert wg.json.encode(messages) == before
    with pytest.raises(wg.EncodeError):
        turns(messages, _fail)


def _told(made: list[Turn]) -> list[Told]:
    return [
        (
            turn.role,
            [message.text() for message in turn.messages],
            [result.tool_call_id for result in turn.results],
        )
        for turn in made
    ]


def test_the_made_result_is_an_error_that_says_so() -> None:
    _, turn = turns([assistant(call("1"))], _fail, repair=True)
    text = "No result was recorded for this call."
    assert turn.results == [wg.ToolResultBlock.from_text("1", text, is_error=True)]


def test_errors_name_the_wire_and_the_id() -> None:
    with pytest.raises(wg.EncodeError, match=r"^w: tool call `1` has no result - at "):
        turns([assistant(call("1"))], _fail)
    with pytest.raises(wg.EncodeError, match=r"^w: tool result `1` has no call before it - at "):
        turns([answer("1")], _fail)


def test_ids_are_mapped_alike_for_call_and_result() -> None:
    ids = CallIds(lambda call_id: call_id[:1])
    assert [ids.call("ab"), ids.call("ac"), ids.call("a_2")] == ["a", "a_2", "a_3"]
    assert [ids.result("a_2"), ids.result("ab"), ids.result("ac")] == ["a_3", "a", "a_2"]


def test_a_new_turn_may_use_an_id_again() -> None:
    ids = CallIds(str)
    assert [ids.call("a"), ids.call("a"), ids.result("a"), ids.result("a")] == ["a", "a_2"] * 2
    ids.new_turn()
    assert [ids.call("a"), ids.result("a")] == ["a", "a"]


def test_a_suffix_clashes_with_no_id_of_the_turn() -> None:
    ids = CallIds(str)
    made = [ids.call(name) for name in ("a_2", "a", "a", "a_2", "a_2_2")]
    assert made[:2] == ["a_2", "a"]
    assert len(set(made)) == 5
