"""NaN and infinity have no JSON: a format says so, where msgspec would write `null`."""

from typing import Any

import pytest

import wireglot as wg

NAN = float("nan")
TEXT = wg.TextBlock("x")
RESULT = wg.ToolResultMessage("c1", content=[TEXT], details={"score": NAN})
BATCH = wg.UserMessage([wg.ToolResultBlock("c1", content=[TEXT], details={"score": NAN})])
PARSED = wg.AssistantMessage([TEXT], parsed={"a": [NAN]})


@pytest.mark.parametrize(
    ("name", "message", "options", "path"),
    [
        ("ravi", RESULT, {}, "$[0].details"),
        ("ravi", BATCH, {}, "$[0].content[0].details"),
        ("ravi", PARSED, {"version": "v3"}, "$[0].parsed"),
        (
            "ravi",
            wg.ToolResultMessage("c1", content=[wg.ErrorBlock("m", data={"a": NAN})]),
            {"version": "v3"},
            "$[0].content[0].data",
        ),
        ("langchain", RESULT, {}, "$[0].details"),
        ("langchain", BATCH, {}, "$[0].content[0].details"),
        ("pydantic_ai", RESULT, {}, "$[0].details"),
        ("pydantic_ai", BATCH, {}, "$[0].content[0].details"),
        ("pydantic_ai", wg.SystemMessage([TEXT], metadata={"a": NAN}), {}, "$[0].metadata"),
        ("pydantic_ai", wg.AssistantMessage([TEXT], metadata={"a": NAN}), {}, "$[0].metadata"),
        (
            "pydantic_ai",
            wg.ExtensionMessage("pydantic-ai.odd", {"part_kind": "odd", "a": NAN}),
            {},
            "$[0].data",
        ),
        ("mcp", RESULT, {}, "$[0].details"),
        (
            "pyagenity",
            wg.UserMessage([wg.ImageBlock(url="https://x/a.png", bbox=[NAN])]),
            {},
            "$[0].content[0].bbox",
        ),
    ],
)
@pytest.mark.parametrize("losses", [None, []])
def test_not_a_number_is_an_error_with_its_place(
    name: str, message: wg.Message, options: dict[str, Any], path: str, losses: wg.Losses
) -> None:
    with pytest.raises(wg.EncodeError) as caught:
        wg.FORMATS[name].encode([message], losses=losses, **options)
    assert str(caught.value) == f"{name}: `nan`, expected a finite number - at `{path}`"


def test_infinity_is_an_error_too() -> None:
    message = wg.ToolResultMessage("c1", content=[TEXT], details=[{"a": float("-inf")}])
    with pytest.raises(wg.EncodeError) as caught:
        wg.FORMATS["langchain"].encode([message])
    assert str(caught.value) == "langchain: `-inf`, expected a finite number - at `$[0].details`"


def test_a_value_with_json_of_its_own_is_written_beside_null() -> None:
    message = wg.ToolResultMessage("c1", content=[], details={"a": wg.RawJson(b"[1]"), "b": None})
    written = wg.FORMATS["langchain"].encode([message])
    assert b'"artifact":{"a":[1],"b":null}' in written
