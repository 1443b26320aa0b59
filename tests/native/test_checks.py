"""What is written can be read: values of wrong types, and other systems' types, on the way out."""

import importlib
from collections.abc import Callable
from typing import Any

import pytest
from msgspec import Struct

import wireglot as wg
from wireglot import queue
from wireglot.formats import operator_use, phi_core, pyagenity, ravi

Encode = Callable[..., bytes]

w: Any = wg  # the values here are of wrong types

# One row: what it shows, the value, the reason, the path.
WRONG: list[tuple[str, Any, str, str]] = [
    (
        "text as content",
        [w.UserMessage("Hello")],
        "expected `array`, got `str`; use `from_text`",
        "$[0].content",
    ),
    (
        "text as content, in a session",
        [w.UserMessage([]), w.UserMessage("Hello")],
        "expected `array`, got `str`; use `from_text`",
        "$[1].content",
    ),
    (
        "one block as content",
        w.UserMessage(w.TextBlock("a")),
        "expected `array`, got `object`",
        "$.content",
    ),
    (
        "a text as a block",
        w.AssistantMessage(["a"]),
        "expected `object`, got `str`",
        "$.content[0]",
    ),
    (
        "a dict without a type",
        w.UserMessage([{"text": "a"}]),
        "object missing required field `type`",
        "$.content[0]",
    ),
    (
        "a message as a block",
        w.UserMessage([w.UserMessage([])]),
        "object missing required field `type`",
        "$.content[0]",
    ),
    ("a number as text", w.TextBlock(3), "expected `str`, got `int`", "$.text"),
    ("bytes as text", w.TextBlock(b"abc"), "expected `str`, got `bytes`", "$.text"),
    ("a text as a time", w.UserMessage([], "5"), "expected `int | null`, got `str`", "$.timestamp"),
    ("an unknown word", w.CacheMark("2h"), "invalid enum value '2h'", "$.ttl"),
    ("no id", w.ToolResultBlock(None), "expected `str`, got `null`", "$.toolCallId"),
    (
        "a text as usage",
        w.AssistantMessage([], usage="3"),
        "expected `object`, got `str`",
        "$.usage",
    ),
    (
        "a list as metadata",
        w.UserMessage([], metadata=[1]),
        "expected `object | null`, got `array`",
        "$.metadata",
    ),
    (
        "a tool in a request",
        w.Request([], tools=[{"name": "f"}]),
        "object missing required field `type`",
        "$.tools[0]",
    ),
    (
        "messages that are blocks",
        w.Request([w.TextBlock("a")]),
        "object missing required field `role`",
        "$.messages[0]",
    ),
    (
        "a message of another role",
        w.Response(w.UserMessage([])),
        "`user`, expected `assistant`",
        "$.message.role",
    ),
    ("an event's index", [w.TextDelta("0", "a")], "expected `int`, got `str`", "$[0].index"),
    ("inside plain data", {"a": [1, w.TextBlock(3)]}, "expected `str`, got `int`", "$.a[1].text"),
]


@pytest.mark.parametrize("wire", ["json", "msgpack"])
@pytest.mark.parametrize(
    ("value", "reason", "path"), [case[1:] for case in WRONG], ids=[case[0] for case in WRONG]
)
def test_a_value_of_a_wrong_type_is_an_error_with_its_path(
    wire: str, value: Any, reason: str, path: str
) -> None:
    encode: Encode = getattr(wg, wire).encode
    if wire == "msgpack":
        reason = reason.replace("got `null`", "got `None`")
    with pytest.raises(wg.EncodeError) as caught:
        encode(value, check=True)
    assert str(caught.value) == f"{wire}: {reason} - at `{path}`"


def test_lines_are_checked_too() -> None:
    lines = w.json.encode_lines([w.UserMessage([]), w.UserMessage("a")], check=True)
    assert next(lines) == b'{"role":"user","content":[]}\n'
    with pytest.raises(wg.EncodeError, match=r"got `str`.* - at `line 2: \$.content`"):
        next(lines)


def test_the_queue_always_checks() -> None:
    for value, path in (
        ([w.UserMessage("Hello")], r"\$\[0\].content"),
        (w.Request([w.UserMessage("Hello")]), r"\$.messages\[0\].content"),
        (w.Response(w.AssistantMessage("Hello")), r"\$.message.content"),
        ([w.TextDelta(0, 1)], r"\$\[0\].text"),
    ):
        for form in ("json", "msgpack"):
            with pytest.raises(wg.EncodeError, match=f"{form}: expected .* - at `{path}`"):
                queue.encode(value, format=form)


def test_not_a_number_is_refused_where_json_would_write_null() -> None:
    nan = float("nan")
    for value, path in (
        (w.UserMessage([], metadata={"a": nan}), "$.metadata"),
        (w.Request([], temperature=nan), "$.temperature"),
    ):
        with pytest.raises(wg.EncodeError) as caught:
            w.json.encode(value, check=True)
        assert str(caught.value) == f"json: `nan`, expected a finite number - at `{path}`"
        w.msgpack.encode(value, check=True)


def test_values_that_can_be_read_are_written_the_same_with_a_check() -> None:
    session = [
        w.UserMessage(
            [w.TextBlock("a"), w.ImageBlock.from_bytes(b"\x89PNG\r\n\x1a\n")],
            5,
            turn_id=w.model.TurnId("l", 0),
        ),
        w.AssistantMessage(
            (w.ToolCallBlock("c", "f", ' {"a": 1e2} '),),
            "stop",
            parsed=(1, {2: b"b"}),
        ),
        w.ExtensionMessage("k", {1, 2}),
    ]
    for value in (session, session[0], session[2], w.Request([]), [], {"a": session}, 3, None):
        assert w.json.encode(value, check=True) == w.json.encode(value)
        assert w.msgpack.encode(value, check=True) == w.msgpack.encode(value)


def test_a_lone_surrogate_is_a_loss_with_a_check_too() -> None:
    losses: list[wg.Loss] = []
    data = w.json.encode([w.UserMessage([w.TextBlock("\ud83d")])], losses=losses, check=True)
    assert data == '[{"role":"user","content":[{"type":"text","text":"\ufffd"}]}]'.encode()
    assert len(losses) == 1


# -- other systems' types ---------------------------------------------------------------------


class Job(Struct):
    session: Any


OTHERS: list[tuple[str, str, Any]] = [
    ("phi_core", "UserMessage", phi_core.UserMessage([phi_core.TextContent("x")], timestamp=1)),
    ("phi_core", "ExtensionMessage", phi_core.ExtensionMessage("k", {})),
    ("pyagenity", "Message", pyagenity.Message.text_message("x")),
    ("ravi", "UserMessage", ravi.UserMessage([])),
    ("operator_use", "UserMessage", operator_use.UserMessage.from_text("x")),
]


@pytest.mark.parametrize("check", [False, True], ids=["", "checked"])
@pytest.mark.parametrize("wire", ["json", "msgpack"])
@pytest.mark.parametrize(
    ("system", "name", "value"), OTHERS, ids=[f"{system} {name}" for system, name, _ in OTHERS]
)
def test_another_systems_type_is_refused_with_the_next_step(
    wire: str, check: bool, system: str, name: str, value: Any
) -> None:
    encode: Encode = getattr(wg, wire).encode
    for held, path in (
        (value, "$"),
        ([value], "$[0]"),
        ([wg.UserMessage([]), value], "$[1]"),
        ({"a": (value,)}, "$.a[0]"),
        (Job([value]), "$.session[0]"),
        *([([wg.UserMessage([]), value], "$[1]")] if check else []),
        *([([wg.UserMessage([value])], "$[0].content[0]")] if check else []),
        *([(wg.Response(value), "$.message")] if check else []),
        *([(wg.UserMessage([], metadata={"a": value}), "$.metadata.a")] if check else []),
    ):
        with pytest.raises(wg.EncodeError) as caught:
            encode(held, check=check)
        assert str(caught.value) == (
            f"{wire}: `{name}` of {system}, expected a type of the model; "
            f'use `FORMATS["{system}"].to_canonical` - at `{path}`'
        )
        assert callable(importlib.import_module(f"wireglot.formats.{system}").to_canonical)


@pytest.mark.parametrize(
    ("system", "name", "value"), OTHERS, ids=[f"{system} {name}" for system, name, _ in OTHERS]
)
def test_another_systems_type_is_not_wrapped(system: str, name: str, value: Any) -> None:
    with pytest.raises(wg.EncodeError) as caught:
        wg.LlmMessage(value)
    assert str(caught.value) == (
        f'model: `{name}`, expected a message; use `FORMATS["{system}"].to_canonical` - at `$`'
    )


@pytest.mark.parametrize(
    ("system", "name", "value"), OTHERS, ids=[f"{system} {name}" for system, name, _ in OTHERS]
)
def test_another_systems_type_is_refused_by_the_queue_and_by_providers(
    system: str, name: str, value: Any
) -> None:
    reason = f'`{name}` of {system}, expected a type of the model; use `FORMATS["{system}"]'
    for held in (value, [wg.UserMessage([value])]):
        with pytest.raises(wg.EncodeError) as caught:
            queue.encode(held)
        assert reason in str(caught.value)
    for provider in wg.PROVIDERS.values():
        request = wg.Request([wg.UserMessage([value])], model="m", max_tokens=9)
        with pytest.raises(wg.EncodeError) as caught:
            provider.encode_request(request, losses=[])
        assert reason in str(caught.value)
        assert caught.value.path.endswith(".content[0]")
