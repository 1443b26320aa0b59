"""What counts as dropped: gone from the other request, and in no loss."""

from typing import Any

import pytest

import wireglot as wg
from tests.corpus.kept import dropped
from tests.corpus.parameters import unset
from tests.providers.conversation import (
    answer,
    assistant,
    batch,
    call,
    extras,
    request,
    result,
    text,
    user,
)

CAT = wg.ImageBlock.from_base64("Y2F0", "image/png")
OPAQUE = wg.OpaqueBlock("x", wg.RawJson("{}"))

KEPT = {
    "the same": (request(user("hi")), request(user("hi"))),
    "texts that were joined": (request(user("a", "b")), request(user("a\nb"))),
    "text that was moved": (request(user("a"), user("b")), request(user("b"), user("a"))),
    "white space": (request(user("a", " ")), request(user("a"))),
    "a thought said aloud": (request(assistant(wg.ThinkingBlock("t"))), request(assistant("t"))),
    "arguments of another spelling": (
        request(assistant(call("1", '{"a": 1.0, "b": 2}'))),
        request(assistant(call("x", '{"b":2,"a":1}'))),
    ),
    "no arguments": (request(assistant(call("1", ""))), request(assistant(call("1", "{}")))),
    "a batch in single messages": (
        request(batch(result("1", "a"), result("2", "b"))),
        request(answer("1", "a"), answer("2", "b")),
    ),
    "a result as an object": (
        request(answer("1", '{"a": 1}')),
        request(answer("1", '{"a":1.0}')),
    ),
    "an image of a result in a user's message": (
        request(answer("1", CAT)),
        request(answer("1"), user(CAT)),
    ),
    "an image as a data URL": (
        request(user(CAT)),
        request(user(wg.ImageBlock(url="data:image/png;base64,Y2F0"))),
    ),
    "a document as text": (
        request(user(wg.DocumentBlock.from_base64("Y2F0", "text/plain"))),
        request(user("A document: cat")),
    ),
}


@pytest.mark.parametrize(("source", "target"), KEPT.values(), ids=KEPT)
def test_nothing_is_dropped(source: wg.Request, target: wg.Request) -> None:
    assert list(dropped(source, target, [])) == []


SAID = "$.messages[0].content[0]"
DROPPED = {
    "a text": (request(user("a")), request(user("b")), SAID),
    "a text that stood there twice": (
        request(user("a", "a")),
        request(user("a")),
        "$.messages[0].content[1]",
    ),
    "a text inside another that stands once": (
        request(user("ab", "a")),
        request(user("ab")),
        "$.messages[0].content[1]",
    ),
    "a call's name": (request(assistant(call("1"))), request(assistant(call("1", name="g"))), SAID),
    "a digit of the arguments": (
        request(assistant(call("1", f'{{"a":{10**30}}}'))),
        request(assistant(call("1", f'{{"a":{10**30 + 1}}}'))),
        SAID,
    ),
    "a call of two": (
        request(assistant(call("1"), call("2"))),
        request(assistant(call("1"))),
        "$.messages[0].content[1]",
    ),
    "a result": (request(answer("1", "a")), request(answer("1")), "$.messages[0].content[0]"),
    "an image": (request(user(CAT)), request(user(wg.ImageBlock(url="https://x.org/"))), SAID),
    "an opaque block": (request(user(OPAQUE)), request(user("x")), SAID),
    "a tool": (request(user("a"), tools=[wg.Tool("f")]), request(user("a")), "$.tools[0]"),
    "an unknown key": (
        request(user("a", extras=extras("x", k=1))),
        request(user("a", extras=extras("x", k=1))),
        "$.messages[0]",
    ),
}


@pytest.mark.parametrize(("source", "target", "path"), DROPPED.values(), ids=DROPPED)
def test_is_dropped_unless_a_loss_tells(source: wg.Request, target: wg.Request, path: str) -> None:
    assert [failure.path for failure in dropped(source, target, [])] == [path]
    assert list(dropped(source, target, [wg.Loss(path, "it", "why")])) == []
    assert list(dropped(source, target, [wg.Loss("$.messages[9]", "it", "why")]))


def test_a_loss_beside_a_text_does_not_excuse_it() -> None:
    losses = [wg.Loss(SAID, "cache mark", "why"), wg.Loss("$", "extras", "why")]
    assert list(dropped(request(user("a")), request(user("b")), losses))


def test_a_call_may_have_another_name_if_names_were_lost() -> None:
    source = request(assistant(call("1", name="a.b")))
    target = request(assistant(call("1", name="a_b")))
    assert list(dropped(source, target, [wg.Loss("$.tools[0]", "tool name", "why")])) == []


def test_a_word_of_a_text_in_a_result_is_found() -> None:
    assert not list(dropped(request(user(text("a"))), request(answer("1", "so: a")), []))


UNSET = {
    "a seed": ({"seed": 1}, {}, ["$.seed"]),
    "thinking": ({"thinking": wg.Thinking(budget_tokens=9)}, {}, ["$.thinking"]),
    "what is the default": (
        {"candidates": 1, "parallel_tool_calls": True, "tool_choice": wg.ToolChoice()},
        {},
        [],
    ),
    "what has another value": ({"temperature": 2.0}, {"temperature": 1.0}, []),
}


@pytest.mark.parametrize(("asked", "left", "paths"), UNSET.values(), ids=UNSET)
def test_a_parameter_is_unset(
    asked: dict[str, Any], left: dict[str, Any], paths: list[str]
) -> None:
    source, target = request(user("a"), **asked), request(user("a"), **left)
    assert [failure.path for failure in unset(source, target, [])] == paths
    named = [wg.Loss("$", path[2:], "why") for path in paths]
    assert list(unset(source, target, named)) == []
