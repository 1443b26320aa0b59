"""Sessions to a table and back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given

import wireglot as wg
from wireglot import arrow, testing

EXAMPLE = Path(__file__).parents[2] / "examples" / "agent-session.jsonl"


@pytest.fixture
def session() -> list[wg.AgentMessage]:
    return [*wg.json.decode_lines(EXAMPLE.read_bytes())]


@pytest.mark.parametrize("format", ["json", "msgpack"])
def test_a_session_comes_back_from_parquet(
    format: Any, session: list[wg.AgentMessage], tmp_path: Path
) -> None:
    table = arrow.to_table([session, None, session[:2]], format=format)
    pq.write_table(table, tmp_path / "sessions.parquet")
    back = pq.read_table(tmp_path / "sessions.parquet")
    assert back.schema == table.schema
    assert [*arrow.from_table(back)] == [session, None, session[:2]]


def test_the_messages_have_what_queries_ask_for(session: list[wg.AgentMessage]) -> None:
    (messages,) = arrow.to_table([session])["messages"].to_pylist()
    assert [message["role"] for message in messages[:6]] == [
        "system",
        "user",
        "assistant",
        "toolResult",
        "toolResult",
        "assistant",
    ]
    user, answer, result = messages[1:4]
    assert user["media"] == ["image"]
    assert user["timestamp"].isoformat() == "2025-10-09T08:53:40+00:00"
    assert answer["thinking"].startswith("The p99 line jumps in the middle of the chart, so")
    assert [call["name"] for call in answer["calls"]] == ["grep", "bash"]
    assert answer["calls"][1]["arguments"].endswith('"timeout": 1e2}')
    assert answer["usage"]["output"] == 212
    (only,) = result["results"]
    assert (only["name"], only["is_error"]) == ("grep", False)
    assert only["text"].startswith("src/checkout/views.py:41:def checkout")


def test_what_arrow_cannot_hold_is_null_and_still_in_the_document() -> None:
    message = wg.AssistantMessage(
        [wg.TextBlock("a")], usage=wg.Usage(2**63, 5), timestamp=-1, model="m"
    )
    table = arrow.to_table([[message]])
    (row,) = table["messages"].to_pylist()[0]
    assert (row["timestamp"], row["usage"]["input"], row["usage"]["output"]) == (None, None, 5)
    assert [*arrow.from_table(table, list[wg.Message])] == [[message]]


def test_the_document_is_native_json() -> None:
    table = arrow.to_table([[wg.UserMessage([wg.TextBlock("Hi")])], None])
    assert table["document"].to_pylist() == [
        '[{"role":"user","content":[{"type":"text","text":"Hi"}]}]',
        None,
    ]


def test_the_media_of_a_result_are_those_of_its_message() -> None:
    image = wg.ImageBlock(url="https://example.org/a.png")
    result = wg.ToolResultMessage("c", "draw", [wg.TextBlock("Done."), image])
    (row,) = arrow.to_table([[result]])["messages"].to_pylist()[0]
    assert (row["media"], row["results"][0]["text"]) == (["image"], "Done.")


def test_requests_and_answers_have_rows_too() -> None:
    request = wg.Request([wg.UserMessage([wg.TextBlock("Hi")])], model="m", seed=7)
    response = wg.Response(wg.AssistantMessage([wg.TextBlock("Yes")], model="m"), id="r1")
    for value in (request, response):
        table = arrow.to_table([value])
        assert [*arrow.from_table(table, type(value))] == [value]
    assert arrow.to_table([response])["messages"].to_pylist()[0][0]["text"] == "Yes"


def test_a_document_that_is_not_one_is_named_by_its_row() -> None:
    table = pa.chunked_array([["[]"], ["[]", '[{"role":"user","content":5}]']])
    rows = arrow.from_table(pa.table({"document": table}))
    assert [next(rows), next(rows)] == [[], []]
    with pytest.raises(wg.DecodeError) as caught:
        next(rows)
    assert caught.value.path == "row 2: $[0].content"


@pytest.mark.parametrize("format", ["json", "msgpack"])
def test_the_document_tells_its_format_and_not_its_type(format: Any) -> None:
    table = arrow.to_table([[wg.UserMessage([wg.TextBlock("a")])]], format=format)
    binary = table["document"].cast(pa.binary()).combine_chunks()
    for column in (binary, binary.dictionary_encode(), binary.cast(pa.large_binary())):
        (back,) = arrow.from_table(pa.table({"document": column}), list[wg.Message])
        assert back == [wg.UserMessage([wg.TextBlock("a")])]


def test_what_is_unknown_is_the_callers_fault() -> None:
    with pytest.raises(wg.EncodeError, match="unknown format `x`, expected one of `json`"):
        arrow.to_table([], format="x")  # type: ignore[arg-type]
    with pytest.raises(wg.EncodeError, match="unknown column `x`, expected one of `messages`"):
        next(arrow.from_table(arrow.to_table([[]]), column="x"))
    table = pa.Table.from_arrays([pa.array(["[]"])] * 2, names=["document"] * 2)
    with pytest.raises(wg.EncodeError, match="two columns `document`, expected one"):
        next(arrow.from_table(table))


UNREADABLE: dict[str, tuple[Any, str]] = {
    "text for a message": (["x"], "json: expected `object`, got `str` - at `row 1: $[0]`"),
    "text for blocks": (
        [wg.UserMessage("Hi")],  # type: ignore[arg-type]
        "json: expected `array`, got `str` - at `row 1: $[0].content`",
    ),
    "a number for text": (
        [wg.ToolResultMessage("c1", content=[wg.TextBlock(21)])],  # type: ignore[arg-type]
        "json: expected `str`, got `int` - at `row 1: $[0].content[0].text`",
    ),
    "text for a time": (
        wg.Request([wg.UserMessage([], timestamp="now")]),  # type: ignore[arg-type]
        "json: expected `int | null`, got `str` - at `row 1: $.messages[0].timestamp`",
    ),
}


@pytest.mark.parametrize(("value", "said"), UNREADABLE.values(), ids=UNREADABLE)
def test_what_could_not_be_read_again_has_no_row(value: Any, said: str) -> None:
    with pytest.raises(wg.EncodeError) as caught:
        arrow.to_table([[], value])
    assert str(caught.value) == said


def test_another_value_has_no_row() -> None:
    with pytest.raises(wg.EncodeError) as caught:
        arrow.to_table(["x"])
    assert caught.value.reason == "`str`, expected a list of messages, `Request` or `Response`"


def test_no_rows_are_a_table_with_the_schema() -> None:
    assert arrow.to_table([]).schema == arrow.SCHEMA
    assert [*arrow.from_table(arrow.to_table([]))] == []


@given(testing.sessions())
def test_every_session_comes_back(session: list[wg.AgentMessage]) -> None:
    (back,) = arrow.from_table(arrow.to_table([session], format="msgpack"))
    assert back == session
