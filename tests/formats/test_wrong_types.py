"""A field of a canonical message that holds a value of another type: an error with its path."""

from collections.abc import Callable
from typing import Any

import pytest

import wireglot as wg
from wireglot.formats import FORMATS, phi_core, ravi
from wireglot.formats import operator_use as ou

TEXT = wg.TextBlock("x")
CALL = wg.ToolCallBlock("c", "f", {"a": 1})
Odd: Any = type("Odd", (), {})
every_format = pytest.mark.parametrize("name", list(FORMATS))


def _user(*content: Any, **fields: Any) -> Any:
    return wg.UserMessage([*content], **fields)


def _answer(*content: Any, **fields: Any) -> Any:
    return wg.AssistantMessage([*content], **fields)


def _with(block: Any, **fields: Any) -> Any:
    for name, value in fields.items():
        setattr(block, name, value)
    return block


WRONG: list[tuple[str, Any, str, str]] = [
    ("a number as text", _user(wg.TextBlock(5)), "expected `str`, got `int`", ".content[0].text"),  # type: ignore[arg-type]
    ("no text", _user(TEXT, wg.TextBlock(None)), "expected `str`, got `null`", ".content[1].text"),  # type: ignore[arg-type]
    ("a text as block", _user("x"), "`str`, expected a content block", ".content[0]"),
    (
        "an object as block",
        _user({"type": "text", "text": "x"}),
        "`dict`, expected a content block",
        "",
    ),
    (
        "a message as block",
        _user(_user()),
        "`UserMessage`, expected a content block",
        ".content[0]",
    ),
    ("no content", wg.UserMessage(None), "expected `array`, got `null`", ".content"),  # type: ignore[arg-type]
    ("a call's id", _answer(wg.ToolCallBlock(5, "f", {})), "expected `str`", ".content[0].id"),  # type: ignore[arg-type]
    (
        "a call's name",
        _answer(wg.ToolCallBlock("c", None, {})),  # type: ignore[arg-type]
        "expected `str`",
        ".content[0].name",
    ),
    (
        "a result's id",
        wg.ToolMessage([wg.ToolResultBlock(5, "f", [TEXT])]),  # type: ignore[arg-type]
        "expected `str`",
        ".content[0].toolCallId",
    ),
    (
        "a block inside a result",
        wg.ToolMessage([wg.ToolResultBlock("c", "f", [wg.TextBlock(5)])]),  # type: ignore[arg-type]
        "expected `str`",
        ".content[0].content[0].text",
    ),
    ("thinking", _answer(wg.ThinkingBlock(5)), "expected `str`", ".content[0].thinking"),  # type: ignore[arg-type]
    (
        "details of thinking",
        _answer(wg.ThinkingBlock("x", details=[5])),  # type: ignore[list-item]
        "expected `str`",
        ".content[0].details[0]",
    ),
    ("a URL", _user(_with(wg.ImageBlock(), url=5)), "expected `str | null`", ".content[0].url"),
    ("a usage", _answer(TEXT, usage=5), "expected `", ".usage"),
    ("a count", _answer(TEXT, usage=wg.Usage(input="5")), "expected `int`", ".usage.input"),  # type: ignore[arg-type]
    ("a usage as a dict", _answer(TEXT, usage={}), "expected `Usage`, got `dict`", ".usage"),
    (
        "a list of marks",
        _user(_with(wg.TextBlock("x"), cache=[])),
        "expected `",
        ".content[0].cache",
    ),
    ("a model", _answer(TEXT, model=5), "expected `str | null`", ".model"),
    ("a time", _user(TEXT, timestamp="now"), "expected `int | null`", ".timestamp"),
    ("a stop reason", _answer(TEXT, stop_reason=5), "expected `", ".stopReason"),
    ("metadata", _user(TEXT, metadata=5), "expected `object | null`", ".metadata"),
    ("unknown keys", _user(TEXT, extras=5), "expected `object | null`", ".extras"),
]


@every_format
@pytest.mark.parametrize(
    ("message", "reason", "place"), [row[1:] for row in WRONG], ids=[row[0] for row in WRONG]
)
def test_a_value_of_another_type_is_an_error_with_its_path(
    name: str, message: Any, reason: str, place: str
) -> None:
    for write in (FORMATS[name].encode, FORMATS[name].from_canonical):
        with pytest.raises(wg.EncodeError) as caught:
            write([_user(TEXT), message], losses=[])
        assert caught.value.reason.startswith(reason)
        assert caught.value.path.startswith("$[1]" + place)


@every_format
def test_types_that_were_right_once_are_looked_at_again_where_they_are_lists(name: str) -> None:
    FORMATS[name].encode([_answer(wg.ThinkingBlock("x", details=["y"]))], losses=[])
    with pytest.raises(wg.EncodeError, match=r"details\[1\]"):
        FORMATS[name].encode([_answer(wg.ThinkingBlock("x", details=["y", 5]))], losses=[])  # type: ignore[list-item]


@every_format
@pytest.mark.parametrize(
    "value",
    [5, "x", {"a": 1}, Odd(), TEXT, wg.Request([]), [5], [Odd()], [TEXT], None],
    ids=lambda value: type(value).__name__,
)
def test_what_is_neither_a_message_nor_the_systems_own_is_refused(name: str, value: Any) -> None:
    with pytest.raises(wg.EncodeError, match=rf"^{name}: `\w+`, expected a message"):
        FORMATS[name].encode(value, losses=[])


@every_format
def test_a_message_of_another_system_is_refused_and_the_error_names_the_function(
    name: str,
) -> None:
    other = "ravi" if name != "ravi" else "otel"
    foreign = FORMATS[other].from_canonical([_user(TEXT)], losses=[])[0]
    for value in (foreign, [foreign]):
        with pytest.raises(wg.EncodeError, match=rf"use `FORMATS..{other}..\.to_canonical`"):
            FORMATS[name].encode(value, losses=[])


_OWN: dict[str, Callable[[Any], Any]] = {
    "operator_use": lambda own: own.AssistantMessage([5]),
    "phi_core": lambda own: own.UserMessage([5], 1),
    "pyagenity": lambda own: own.Message.model_construct(role="assistant", content="abc"),
}


@pytest.mark.parametrize("name", _OWN)
def test_an_own_message_of_a_wrong_type_is_a_decode_error(name: str) -> None:
    own: Any = FORMATS[name]
    with pytest.raises(wg.DecodeError, match="value of a wrong type"):
        own.to_canonical([_OWN[name](own)])


_CONTENT = "operator_use: expected `str`, got `int` - at `$.content`"
HELPERS: dict[str, Any] = {
    "phi-core": (phi_core.UserMessage.user, "phi_core: expected `str`, got `int` - at `$.text`"),
    "Ravi, a user": (ravi.UserMessage.from_text, "ravi: expected `str`, got `int` - at `$.text`"),
    "Ravi, an answer": (
        ravi.AssistantMessage.from_text,
        "ravi: expected `str`, got `int` - at `$.text`",
    ),
    "Operator-Use, instructions": (ou.SystemMessage.text, _CONTENT),
    "Operator-Use, a user": (ou.UserMessage.from_text, _CONTENT),
    "Operator-Use, a user with images": (lambda v: ou.UserMessage.with_images(v, []), _CONTENT),
    "Operator-Use, an answer": (ou.AssistantMessage.from_text, _CONTENT),
    "Operator-Use, a result": (
        ou.ToolMessage.from_result,
        "operator_use: expected `ToolResultContent`, got `int` - at `$.result`",
    ),
}


@pytest.mark.parametrize(("make", "said"), HELPERS.values(), ids=HELPERS)
def test_a_helper_makes_nothing_that_could_not_be_read(make: Any, said: str) -> None:
    with pytest.raises(wg.EncodeError) as caught:
        make(21)
    assert str(caught.value) == said
