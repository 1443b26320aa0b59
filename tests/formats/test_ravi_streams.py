"""Any provider's stream as Ravi's chunks, and back."""

from pathlib import Path
from typing import Any

import pytest

import wireglot as wg
from tests.corpus.streams import disorder
from wireglot.formats import ravi

GOLDEN = Path(__file__).parents[1] / "golden" / "providers"
TEXT, CALL, THOUGHT = wg.TextBlock("ab"), wg.ToolCallBlock("c1", "f", '{"a":1}'), wg.ThinkingBlock
START = wg.StreamStart(wg.Response(wg.AssistantMessage([])))


def _answer(*content: Any, **fields: Any) -> wg.Response:
    return wg.Response(wg.AssistantMessage([*content], **fields))


EVENTS: list[wg.StreamEvent] = [
    START,
    wg.BlockStart(0, THOUGHT("")),
    wg.ThinkingDelta(0, "Hm"),
    wg.BlockEnd(0, THOUGHT("Hm")),
    wg.BlockStart(1, wg.TextBlock("")),
    wg.TextDelta(1, "a"),
    wg.TextDelta(1, "b"),
    wg.BlockEnd(1, TEXT),
    wg.BlockStart(2, wg.ToolCallBlock("c1", "f", "")),
    wg.ArgumentsDelta(2, '{"a":1}'),
    wg.BlockEnd(2, CALL),
    wg.StreamEnd(_answer(THOUGHT("Hm"), TEXT, CALL, raw_stop_reason="tool_calls")),
]


def _written(events: list[Any], **options: Any) -> list[Any]:
    writer = ravi.StreamWriter(**options)
    chunks = [chunk for event in events for chunk in writer.feed(event)]
    assert writer.close() == []
    return chunks


def _back(chunks: list[Any]) -> tuple[list[Any], wg.Response]:
    reader = ravi.StreamReader()
    return [event for chunk in chunks for event in reader.feed(chunk)], reader.close()


def test_text_and_reasoning_come_in_pieces_and_the_answer_whole() -> None:
    call = ravi.ToolCallMessage("f", {"a": 1}, id="c1")
    assert _written(EVENTS) == [
        ravi.ReasoningDeltaChunk("Hm"),
        ravi.TextDeltaChunk("a"),
        ravi.TextDeltaChunk("b"),
        ravi.CompletionChunk(
            ravi.AssistantMessage(["ab"], [call], "Hm", finish_reason="tool_calls")
        ),
    ]


def test_the_bytes_of_the_chunks() -> None:
    assert ravi.encode(_written(EVENTS)[2:], lines=True).decode() == (
        '{"chunk_type":"text_delta","metadata":{},"text":"b"}\n'
        '{"chunk_type":"completion","metadata":{},"message":{"role":"assistant","content":["ab"],'
        '"type":"AssistantMessage","name":null,"reasoning":"Hm","tool_calls":[{"id":"c1","role":'
        '"tool_call","content":null,"type":"ToolCallMessage","name":"f","arguments":{"a":1}}],'
        '"finish_reason":"tool_calls","usage":null,"cached":false,"parsed":null}}\n'
    )


def test_the_answer_is_a_message_of_the_version_asked_for() -> None:
    for version in ("v2", "v3"):
        assert _written(EVENTS, version=version)[-1].message.version == version


def test_the_chunks_come_back() -> None:
    events, response = _back(_written(EVENTS))
    assert list(disorder(events)) == []
    ends = [EVENTS[3], EVENTS[7]]  # Ravi does not tell when a block ends, nor calls before the end
    assert events[1:6] == [event for event in EVENTS[1:7] if event not in ends]
    assert events[6:8] == ends
    assert events[8:-1] == EVENTS[8:-1]
    message = wg.AssistantMessage(
        [THOUGHT("Hm"), TEXT, CALL], wg.StopReason.TOOL_USE, raw_stop_reason="tool_calls"
    )
    assert response == wg.Response(message)


CASES = sorted({path.name.split(".")[0] for path in GOLDEN.glob("*.events.json")})


@pytest.mark.parametrize("name", list(wg.PROVIDERS))
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("version", ["v2", "v3"])
def test_any_providers_stream_goes_there_and_back(case: str, name: str, version: Any) -> None:
    decoder = wg.PROVIDERS[name].StreamDecoder()
    events = decoder.feed((GOLDEN / f"{case}.{name}.bytes").read_bytes()) + decoder.finish()
    losses: list[wg.Loss] = []
    chunks = _written(events, losses=losses, version=version)
    assert ravi.decode(ravi.encode(chunks), list[ravi.StreamChunk]) == chunks
    back, response = _back(chunks)
    assert list(disorder(back)) == []
    first = decoder.close().message
    message = response.message
    texts = {"text_and_a_call": "Let me look: Łódź.", "thinking_and_text": "4"}
    assert message.text() == texts[case]
    assert message.content == [_plain(block) for block in first.content]
    assert message.stop_reason == first.stop_reason
    assert message.usage is not None
    assert (message.usage.input, message.usage.output) == (11, 7)
    expected = {"id", "api", "model", "rawStopReason", "extras", "signature"}
    assert {loss.what for loss in losses} <= expected


def _plain(block: Any) -> Any:
    block.extras = None
    if isinstance(block, wg.ThinkingBlock):
        block.signature = None
    return block


# -- structured output -----------------------------------------------------------------------------

STRUCTURED = {
    "JSON": (
        _answer(wg.TextBlock('{"a":1}'), model="m"),
        ravi.StructuredOutputResult({"a": 1}, '{"a":1}', None, "m"),
    ),
    "a value that the answer has": (
        _answer(wg.TextBlock("{}"), parsed={"a": 1}),
        ravi.StructuredOutputResult({"a": 1}, "{}"),
    ),
    "text that is not JSON": (_answer(TEXT), ravi.StructuredOutputResult(None, "ab")),
    "a refusal": (
        _answer(wg.TextBlock("No."), stop_reason=wg.StopReason.GUARD_RAIL),
        ravi.StructuredOutputResult(None, "No.", "No."),
    ),
}


@pytest.mark.parametrize(("answer", "result"), STRUCTURED.values(), ids=STRUCTURED)
def test_the_last_chunk_of_an_answer_in_a_format_is_its_value(
    answer: wg.Response, result: ravi.StructuredOutputResult
) -> None:
    chunks = _written([START, wg.StreamEnd(answer)], losses=[], structured=True)
    assert chunks[-1] == ravi.StructuredOutputChunk(result)
    _, response = _back(chunks)
    assert response.message.parsed == result.parsed
    assert [chunk.type for chunk in _written([START, wg.StreamEnd(answer)], losses=[])] == [
        "completion"
    ]


# -- errors ----------------------------------------------------------------------------------------


def test_a_providers_error_is_raised_as_in_ravi() -> None:
    writer = ravi.StreamWriter()
    for event in EVENTS[:6]:
        writer.feed(event)
    for fail in (lambda: writer.feed(wg.StreamFailure("overloaded", "No.", 529)), writer.close):
        with pytest.raises(wg.ProviderError) as caught:
            fail()
        assert (caught.value.kind, caught.value.status) == ("overloaded", 529)
    assert writer.message.text() == "a"
    with pytest.raises(wg.EncodeError, match="after the end"):
        writer.feed(START)


def test_a_stream_that_was_cut_is_an_error_on_both_sides() -> None:
    writer, reader = ravi.StreamWriter(), ravi.StreamReader()
    for event in EVENTS[:6]:
        for chunk in writer.feed(event):
            reader.feed(chunk)
    for side in (writer, reader):
        with pytest.raises(wg.StreamError, match="the stream ended before the answer did"):
            side.close()  # type: ignore[attr-defined]
        assert side.message.text() == "a"  # type: ignore[attr-defined]


def test_what_is_lost_is_an_error_without_a_list() -> None:
    end = wg.StreamEnd(wg.Response(wg.AssistantMessage([TEXT], api="a"), id="r1"))
    losses: list[wg.Loss] = []
    events = [START, wg.OpaqueEvent("a", {}, "ping"), wg.OpaqueEvent("a", {}, "ping"), end]
    _written(events, losses=losses)
    assert [(loss.path, loss.what) for loss in losses] == [
        ("$", "opaque event"),
        ("$.id", "id"),
        ("$.message.api", "api"),
    ]
    with pytest.raises(wg.LossError, match="ravi: id: Ravi has no place for it; left out"):
        ravi.StreamWriter().feed(end)


def test_a_reader_reads_one_answer() -> None:
    reader = ravi.StreamReader()
    result = ravi.StructuredOutputChunk(ravi.StructuredOutputResult(1, "1"))
    with pytest.raises(wg.StreamError, match="structured output before the answer"):
        reader.feed(result)
    reader.feed(ravi.CompletionChunk(ravi.AssistantMessage.from_text("1")))
    assert reader.feed(result) == []
    with pytest.raises(wg.StreamError, match="chunk after the end of the answer"):
        reader.feed(ravi.TextDeltaChunk("a"))
    assert reader.close().message.parsed == 1


def test_texts_side_by_side_are_one_block_until_the_answer_says_otherwise() -> None:
    answer = ravi.AssistantMessage(["a", "b"])
    chunks = [ravi.TextDeltaChunk("a"), ravi.TextDeltaChunk("b"), ravi.CompletionChunk(answer)]
    events, response = _back(chunks)
    assert events[4:-1] == [
        wg.BlockEnd(0, wg.TextBlock("a"), revised=True),
        wg.BlockStart(1, wg.TextBlock("")),
        wg.TextDelta(1, "b"),
        wg.BlockEnd(1, wg.TextBlock("b")),
    ]
    assert response.message.text() == "ab"


def test_a_call_that_came_alone_is_in_an_answer() -> None:
    (lone,) = ravi.to_canonical([ravi.ToolCallMessage("f", {}, id="c1")])
    end = wg.StreamEnd(wg.Response(lone.as_llm()))  # type: ignore[arg-type]
    (chunk,) = _written([START, end])
    assert chunk.message == ravi.AssistantMessage(
        tool_calls=[ravi.ToolCallMessage("f", {}, id="c1")]
    )


def test_an_answer_in_another_order_than_its_chunks_is_revised() -> None:
    answer = ravi.AssistantMessage(["a"], reasoning="b")
    chunks = [
        ravi.TextDeltaChunk("a"),
        ravi.ReasoningDeltaChunk("b"),
        ravi.CompletionChunk(answer),
    ]
    events, response = _back(chunks)
    assert [event.revised for event in events if isinstance(event, wg.BlockEnd)] == [False, True]
    assert response.message.content == [THOUGHT("b"), wg.TextBlock("a")]
