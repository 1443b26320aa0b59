"""Streamed answers <-> events."""

import json
import re
from typing import Any

import pytest

import wireglot as wg
from tests.providers.openai_responses.answers import BODY, STREAM, frames
from tests.providers.streams import check_chunkings, check_truncations, events_of

API = "openai-responses"
responses = wg.providers.openai_responses

HEAD = '"id":"resp_1","object":"response","created_at":1,"model":"m"'
START = ("created", f'"response":{{{HEAD},"status":"in_progress","output":[],"usage":null}}')
USAGE = '{"input_tokens":1,"output_tokens":2,"total_tokens":3}'


def _end(output: str = "", status: str = "completed", more: str = "") -> tuple[str, str]:
    whole = f'{HEAD},"status":"{status}","output":[{output}],"usage":{USAGE}{more}'
    return status, f'"response":{{{whole}}}'


END = _end()


def _added(item: str, index: int = 0) -> tuple[str, str]:
    return "output_item.added", f'"output_index":{index},"item":{{{item}}}'


def _done(item: str, index: int = 0) -> tuple[str, str]:
    return "output_item.done", f'"output_index":{index},"item":{{{item}}}'


def _said(*parts: str, status: str = "completed") -> str:
    content = ",".join(f"{{{part}}}" for part in parts)
    return (
        f'"id":"msg_a","type":"message","status":"{status}","role":"assistant",'
        f'"content":[{content}]'
    )


def _part(text: str) -> str:
    return f'"type":"output_text","text":"{text}","annotations":[]'


def _text(text: str, index: int = 0, place: int = 0, **keys: str) -> tuple[str, str]:
    more = "".join(f',"{key}":"{value}"' for key, value in keys.items())
    return (
        "output_text.delta",
        f'"item_id":"msg_a","output_index":{index},"content_index":{place},"delta":"{text}"{more}',
    )


def _call(arguments: str = "", call_id: str = "c", status: str = "completed") -> str:
    return (
        f'"id":"fc_{call_id}","type":"function_call","status":"{status}",'
        f'"call_id":"{call_id}","name":"f","arguments":"{arguments}"'
    )


def _arguments(text: str, index: int = 0) -> tuple[str, str]:
    return "function_call_arguments.delta", f'"output_index":{index},"delta":"{text}"'


def _summary(text: str, place: int = 0, index: int = 0) -> tuple[str, str]:
    return (
        "reasoning_summary_text.delta",
        f'"output_index":{index},"summary_index":{place},"delta":"{text}"',
    )


BEGUN = _added(_said(status="in_progress"))
HI = _text("hi")
SAID = _done(_said(_part("hi")))


def _answer(*events: tuple[str, str], **options: Any) -> wg.Response:
    data = frames(START, *events)
    check_truncations(responses, data, **options)
    return check_chunkings(responses, data, **options)


def _message(*events: tuple[str, str]) -> wg.AssistantMessage:
    return _answer(*events).message


def _check(data: bytes) -> None:
    from tests.oracles import openai_responses as oracle

    oracle.check_stream(data)


def _back(data: bytes, **options: Any) -> bytes:
    """Return a stream of this wire, written again."""
    encoder = responses.StreamEncoder(**options)
    events = events_of(responses.StreamDecoder(**options), data)
    return b"".join(map(encoder.encode, events)) + encoder.close()


def _written(*events: Any, losses: list[wg.Loss] | None = None, **options: Any) -> bytes:
    """Return the stream of events of another API, which are told by their blocks."""
    encoder = responses.StreamEncoder(losses=losses, **options)
    return b"".join(map(encoder.encode, events)) + encoder.close()


def _kinds(data: bytes) -> list[str]:
    return [line[7:] for line in data.decode().split("\n") if line.startswith("event: ")]


def test_the_oracle_refuses_streams_that_are_none() -> None:
    from tests.oracles import openai_responses as oracle

    good = _back(STREAM)
    first, second, *rest = good.split(b"\n\n")
    for bad in (
        b"\n\n".join([first, second]) + b"\n\n",
        b"\n\n".join([second, first, *rest]),
        good.replace(b'"sequence_number":4,', b'"sequence_number":5,'),
        good.replace(b'"delta":"Let me look. "', b'"delta":"Let me. "'),
        good.replace(b"response.content_part.added", b"response.content_part.done"),
    ):
        with pytest.raises(oracle.strict.OracleError):
            oracle.check_stream(bad)


def test_a_stream_gives_the_answer_of_its_twin() -> None:
    assert check_chunkings(responses, STREAM) == responses.decode_response(BODY)


def test_a_stream_that_was_cut_has_no_end() -> None:
    check_truncations(responses, STREAM)


def test_the_events_of_a_stream_are_these() -> None:
    events = events_of(responses.StreamDecoder(), frames(START, BEGUN, HI, SAID, END))
    start, begun, text, ended, usage, end = events
    assert type(start) is wg.StreamStart
    assert (start.response.id, start.response.created_at) == ("resp_1", 1000)
    assert start.response.message == wg.AssistantMessage([], model="m", api=API)
    assert type(begun) is wg.BlockStart
    assert begun.block.text == ""
    assert text == wg.TextDelta(0, "hi")
    assert type(ended) is wg.BlockEnd
    assert ended.block.text == "hi"
    assert type(usage) is wg.UsageUpdate
    assert (usage.usage.input, usage.usage.output) == (1, 2)
    assert type(end) is wg.StreamEnd
    assert end.response.message.text() == "hi"
    assert (end.response.message.stop_reason, end.response.message.usage) == ("stop", usage.usage)


def test_the_events_add_up_to_the_message() -> None:
    total = wg.Accumulator()
    decoder = responses.StreamDecoder()
    for event in events_of(decoder, STREAM):
        total.add(event)
    assert total.message == decoder.close().message == decoder.message


def test_deltas_say_what_their_blocks_say() -> None:
    told: dict[int, str] = {}
    decoder = responses.StreamDecoder()
    for event in events_of(decoder, STREAM):
        if type(event) in (wg.TextDelta, wg.ThinkingDelta, wg.ArgumentsDelta):
            told[event.index] = told.get(event.index, "") + event.text
    assert told == {
        0: "Paris?\n\nYes.",
        2: "Let me look. é😀",
        3: '{"city":"Paris", "n":1e2}',
        4: "SELECT 1",
    }


def test_the_message_is_at_hand_at_any_time() -> None:
    decoder = responses.StreamDecoder()
    decoder.feed(frames(START, _added(_call(status="in_progress")), _arguments(r"{\"a\":")))
    (call,) = decoder.message.tool_calls()
    assert (call.id, call.arguments.text) == ("c", b'{"a":')


# -- back to its own wire -----------------------------------------------------------------------


def test_a_stream_goes_back_to_its_own_wire() -> None:
    made = _back(STREAM)
    _check(made)
    assert check_chunkings(responses, made) == check_chunkings(responses, STREAM)
    last = json.loads(made.split(b"data: ")[-1])
    assert last["response"] == json.loads(BODY)


def test_the_bytes_of_a_stream_are_these() -> None:
    start = wg.Response(wg.AssistantMessage([], model="m", api="other-api"), id="x")
    said, call = wg.TextBlock("é%"), wg.ToolCallBlock("c", "f", '{"a": 1}')
    whole = wg.AssistantMessage(
        [said, call], model="m", stop_reason=wg.StopReason.TOOL_USE, api="other-api"
    )
    made = _written(
        wg.StreamStart(start),
        wg.BlockStart(0, wg.TextBlock("")),
        wg.TextDelta(0, "é"),
        wg.TextDelta(0, "%"),
        wg.BlockEnd(0, said),
        wg.BlockStart(1, wg.ToolCallBlock("c", "f", "")),
        wg.ArgumentsDelta(1, '{"a": 1}'),
        wg.BlockEnd(1, call),
        wg.StreamEnd(wg.Response(whole, id="x")),
        ids=lambda: "t",
    )
    head = '"id":"x","object":"response","created_at":0'
    rest = '"metadata":{},"parallel_tool_calls":true,"tool_choice":"auto","tools":[]'
    begun = (
        f'{{{head},"status":"in_progress","error":null,"incomplete_details":null,"model":"m",'
        f'"output":[],"usage":null,{rest}}}'
    )
    part = '{"type":"output_text","annotations":[],"text":"é%"}'
    item = '"id":"msg_t0000","type":"message","status":"%s","role":"assistant","content":[%s]'
    call_item = (
        '"id":"fc_t0001","type":"function_call","status":"%s","call_id":"c","name":"f",'
        '"arguments":"%s"'
    )
    arguments = r"{\"a\": 1}"
    at = '"item_id":"msg_t0000","output_index":0,"content_index":0'
    done_items = [item % ("completed", part), call_item % ("completed", arguments)]
    whole_json = (
        f'{{{head},"status":"completed","error":null,"incomplete_details":null,"model":"m",'
        f'"output":[{{{done_items[0]}}},{{{done_items[1]}}}],"usage":null,{rest}}}'
    )
    assert made == frames(
        ("created", f'"response":{begun}'),
        ("in_progress", f'"response":{begun}'),
        ("output_item.added", f'"output_index":0,"item":{{{item % ("in_progress", "")}}}'),
        (
            "content_part.added",
            f'{at},"part":{{"type":"output_text","text":"","annotations":[]}}',
        ),
        ("output_text.delta", f'{at},"delta":"é","logprobs":[]'),
        ("output_text.delta", f'{at},"delta":"%","logprobs":[]'),
        ("output_text.done", f'{at},"text":"é%","logprobs":[]'),
        ("content_part.done", f'{at},"part":{part}'),
        ("output_item.done", f'"output_index":0,"item":{{{done_items[0]}}}'),
        ("output_item.added", f'"output_index":1,"item":{{{call_item % ("in_progress", "")}}}'),
        (
            "function_call_arguments.delta",
            f'"item_id":"fc_t0001","output_index":1,"delta":"{arguments}"',
        ),
        (
            "function_call_arguments.done",
            f'"item_id":"fc_t0001","output_index":1,"arguments":"{arguments}"',
        ),
        ("output_item.done", f'"output_index":1,"item":{{{done_items[1]}}}'),
        ("completed", f'"response":{whole_json}'),
    )
    _check(made)


def _events(*blocks: Any, **fields: Any) -> list[Any]:
    """Return the events of an answer of another API; blocks come whole."""
    out: list[Any] = [wg.StreamStart(wg.Response(wg.AssistantMessage([], api="other-api")))]
    for index, block in enumerate(blocks):
        kind = type(block)
        if kind is wg.TextBlock:
            out += [wg.BlockStart(index, wg.TextBlock("")), wg.TextDelta(index, block.text)]
        elif kind is wg.ThinkingBlock:
            out.append(wg.BlockStart(index, wg.ThinkingBlock("", redacted=block.redacted)))
            out += [wg.ThinkingDelta(index, block.thinking)] if block.thinking else []
        elif kind is wg.ToolCallBlock:
            begun = wg.ToolCallBlock(block.id, block.name, "", tool_type=block.tool_type)
            out.append(wg.BlockStart(index, begun))
            out.append(wg.ArgumentsDelta(index, block.arguments.text.decode()))
        else:
            out.append(wg.BlockStart(index, block))
        out.append(wg.BlockEnd(index, block))
    message = wg.AssistantMessage(list(blocks), api="other-api", **fields)
    return [*out, wg.StreamEnd(wg.Response(message))]


FOREIGN: dict[str, tuple[list[Any], list[str]]] = {
    "thinking": ([wg.ThinkingBlock("why"), wg.TextBlock("a")], []),
    "a signature": ([wg.ThinkingBlock("why", "s")], ["signature"]),
    "a signature alone": ([wg.ThinkingBlock("", "s"), wg.TextBlock("a")], ["signature"]),
    "redacted thinking": (
        [wg.ThinkingBlock("", "s", redacted=True), wg.TextBlock("a")],
        ["redacted thinking"],
    ),
    "two texts": ([wg.TextBlock("a"), wg.TextBlock("b")], []),
    "an image between texts": (
        [wg.TextBlock("a"), wg.ImageBlock.from_url("https://x.org/a.png"), wg.TextBlock("b")],
        ["image"],
    ),
    "an error": ([wg.ErrorBlock("m")], ["error"]),
    "an error without words": ([wg.TextBlock("a"), wg.ErrorBlock("")], ["error"]),
    "a sound with its words": (
        [wg.TextBlock("a"), wg.AudioBlock(data=b"ID3", transcript="m"), wg.TextBlock("b")],
        ["audio"],
    ),
    "a sound without words": ([wg.AudioBlock(data=b"ID3"), wg.TextBlock("b")], ["audio"]),
    "a block of another API": (
        [wg.OpaqueBlock("other-api", {"type": "x"}), wg.TextBlock("a")],  # type: ignore[arg-type]
        ["opaque block"],
    ),
    "citations": (
        [wg.TextBlock("a", annotations=[wg.AnnotationRef(url="u")])],
        ["annotation"],
    ),
    "two calls": ([wg.ToolCallBlock("a", "f", "{}"), wg.ToolCallBlock("b", "f", "{}")], []),
    "a custom call": ([wg.ToolCallBlock("a", "f", "x", tool_type="custom")], []),
}


@pytest.mark.parametrize("name", FOREIGN)
def test_a_stream_of_another_api_ends_as_its_answer_would(name: str) -> None:
    blocks, lost = FOREIGN[name]
    losses: list[wg.Loss] = []
    events = _events(*blocks)
    made = _written(*events, losses=losses, ids=lambda: "t")
    _check(made)
    assert [loss.what for loss in losses] == lost
    last = json.loads(made.split(b"data: ")[-1])["response"]
    assert last == json.loads(
        responses.encode_response(events[-1].response, losses=[], ids=lambda: "t")
    )
    if lost:
        with pytest.raises(wg.LossError):
            _written(*events)


def test_a_custom_call_is_a_function_where_there_are_none() -> None:
    losses: list[wg.Loss] = []
    block = wg.ToolCallBlock("a", "f", "x", tool_type="custom")
    made = _written(*_events(block), losses=losses, dialect="xai")
    _check(made)
    (call,) = check_chunkings(responses, made).message.tool_calls()
    assert call.arguments.value == {"input": "x"}
    assert [loss.what for loss in losses] == ["custom call"]


def test_blocks_of_another_api_may_be_open_side_by_side() -> None:
    one, two, said = (
        wg.ToolCallBlock("a", "f", "[1]"),
        wg.ToolCallBlock("b", "f", "[2]"),
        wg.TextBlock("hi"),
    )
    made = _written(
        wg.StreamStart(wg.Response(wg.AssistantMessage([]))),
        wg.BlockStart(0, wg.TextBlock("")),
        wg.TextDelta(0, "h"),
        wg.BlockStart(1, wg.ToolCallBlock("a", "f", "")),
        wg.BlockStart(2, wg.ToolCallBlock("b", "f", "")),
        wg.ArgumentsDelta(2, "[2"),
        wg.ArgumentsDelta(1, "[1]"),
        wg.TextDelta(0, "i"),
        wg.ArgumentsDelta(2, "]"),
        wg.BlockEnd(0, said),
        wg.BlockEnd(2, two),
        wg.BlockEnd(1, one),
        wg.StreamEnd(wg.Response(wg.AssistantMessage([said, one, two]))),
    )
    _check(made)
    message = check_chunkings(responses, made).message
    assert message.text() == "hi"
    assert [call.arguments.text for call in message.tool_calls()] == [b"[1]", b"[2]"]


@pytest.mark.parametrize(
    ("reason", "last"),
    [
        (wg.StopReason.STOP, "response.completed"),
        (wg.StopReason.LENGTH, "response.incomplete"),
        (wg.StopReason.ABORTED, "response.incomplete"),
        (wg.StopReason.ERROR, "response.failed"),
    ],
)
def test_the_last_event_says_how_it_ended(reason: wg.StopReason, last: str) -> None:
    made = _written(*_events(wg.TextBlock("a"), stop_reason=reason))
    _check(made)
    assert _kinds(made)[-1] == last


def test_an_error_of_another_api_is_an_event() -> None:
    error = wg.ProviderError("overloaded", "busy", wire="anthropic", body=b'{"type":"error"}')
    answer = wg.Response(wg.AssistantMessage([], model="m"), id="resp_7", created_at=5000)
    made = _written(wg.StreamStart(answer), wg.StreamFailure.of(error))
    assert made.endswith(
        b'event: error\ndata: {"type":"error","sequence_number":2,"code":"server_is_overloaded",'
        b'"message":"busy","param":null,"error":{"type":"service_unavailable_error",'
        b'"code":"server_is_overloaded","message":"busy","param":null}}\n\n'
        b'event: response.failed\ndata: {"type":"response.failed","sequence_number":3,"response":'
        b'{"id":"resp_7","object":"response","created_at":5,"status":"failed",'
        b'"error":{"code":"server_is_overloaded","message":"busy"},"incomplete_details":null,'
        b'"model":"m","output":[],"usage":null,"metadata":{},"parallel_tool_calls":true,'
        b'"tool_choice":"auto","tools":[]}}\n\n'
    )
    _check(made)
    assert [type(event) for event in events_of(responses.StreamDecoder(), made)] == [
        wg.StreamStart,
        wg.StreamFailure,
    ]


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        ("invalid_request", "invalid_prompt"),
        ("authentication", "invalid_prompt"),
        ("permission", "invalid_prompt"),
        ("not_found", "invalid_prompt"),
        ("rate_limit", "rate_limit_exceeded"),
        ("overloaded", "server_is_overloaded"),
        ("context_overflow", "context_length_exceeded"),
        ("content_filter", "invalid_prompt"),
        ("timeout", "server_error"),
        ("server", "server_error"),
    ],
)
def test_a_failed_answer_has_a_code(kind: str, code: str) -> None:
    made = _written(wg.StreamFailure(kind, "no"))
    _check(made)
    assert _kinds(made) == [
        *("response.created", "response.in_progress"),
        *("error", "response.failed"),
    ]
    failed = json.loads(made.rpartition(b"data: ")[2])
    assert failed["response"]["error"]["code"] == code
    (failure,) = events_of(responses.StreamDecoder(), made)[1:]
    assert (type(failure), failure.kind) == (wg.StreamFailure, kind)


# -- shapes of this wire -------------------------------------------------------------------------

REFUSED = '"type":"refusal","refusal":"No."'
SHAPES = {
    "a refusal": (
        [
            BEGUN,
            ("refusal.delta", '"output_index":0,"content_index":0,"delta":"N"'),
            ("refusal.delta", '"output_index":0,"content_index":0,"delta":"o."'),
            _done(_said(REFUSED)),
        ],
        _said(REFUSED),
    ),
    "two parts in one message": (
        [
            BEGUN,
            _text("a"),
            _text("b", place=1),
            _text("c", place=1),
            _done(_said(_part("a"), _part("bc"))),
        ],
        _said(_part("a"), _part("bc")),
    ),
    "an empty text": ([BEGUN, _text(""), _done(_said(_part("")))], _said(_part(""))),
    "a message without parts": ([BEGUN, _done(_said())], _said()),
    "a part that nobody knows": (
        [BEGUN, HI, _done(_said(_part("hi"), '"type":"new","x":1'))],
        _said(_part("hi"), '"type":"new","x":1'),
    ),
    "reasoning in its own words": (
        [
            _added('"id":"rs_a","type":"reasoning","summary":[],"content":[]'),
            ("reasoning_text.delta", '"output_index":0,"content_index":0,"delta":"Hm"'),
            ("reasoning_text.delta", '"output_index":0,"content_index":0,"delta":"."'),
            _done(
                '"id":"rs_a","type":"reasoning","summary":[],'
                '"content":[{"type":"reasoning_text","text":"Hm."}]'
            ),
        ],
        '"id":"rs_a","type":"reasoning","summary":[],'
        '"content":[{"type":"reasoning_text","text":"Hm."}]',
    ),
    "reasoning that is encrypted": (
        [
            _added('"id":"rs_a","type":"reasoning","summary":[],"encrypted_content":"a"'),
            _done('"id":"rs_a","type":"reasoning","summary":[],"encrypted_content":"ab"'),
        ],
        '"id":"rs_a","type":"reasoning","summary":[],"encrypted_content":"ab"',
    ),
    "a custom call without input": (
        [
            _added('"id":"ctc_a","type":"custom_tool_call","call_id":"c","name":"f","input":""'),
            _done('"id":"ctc_a","type":"custom_tool_call","call_id":"c","name":"f","input":""'),
        ],
        '"id":"ctc_a","type":"custom_tool_call","call_id":"c","name":"f","input":""',
    ),
}


NEW = '"type":"new_part","x":1'
NEW_DONE = ("content_part.done", f'"output_index":0,"content_index":0,"part":{{{NEW}}}')
NEW_AND_HI = _said(NEW, _part("hi"))


def test_a_part_of_an_unknown_type_keeps_its_place() -> None:
    whole = _end(f"{{{NEW_AND_HI}}}")
    hi = _text("hi", place=1)
    for events in (
        [BEGUN, NEW_DONE, hi, _done(NEW_AND_HI), whole],
        [BEGUN, NEW_DONE, hi, whole],
        [NEW_DONE, BEGUN, NEW_DONE, NEW_DONE, hi, _done(NEW_AND_HI), whole],
    ):
        first, second = _message(*events).content
        assert isinstance(first, wg.OpaqueBlock)
        assert first.raw.text == b"{%b}" % NEW.encode()
        assert isinstance(second, wg.TextBlock)
        assert second.text == "hi"


def test_a_part_of_an_unknown_type_that_only_the_end_tells_comes_last() -> None:
    message = _message(BEGUN, _text("hi", place=1), _done(NEW_AND_HI), END)
    assert [type(block) for block in message.content] == [wg.TextBlock, wg.OpaqueBlock]


@pytest.mark.parametrize("part", ["", ',"part":null', ',"part":7', ',"part":{"type":[]}'])
def test_the_end_of_a_part_that_says_nothing_is_skipped(part: str) -> None:
    message = _message(BEGUN, ("content_part.done", f'"output_index":0{part}'), HI, SAID, END)
    assert message.text() == "hi"


def test_a_place_beyond_the_parts_tells_only_the_order() -> None:
    message = _message(
        BEGUN, _text("a", place=7), _text("b", place=9), _done(_said(_part("a"), _part("b"))), END
    )
    assert [block.text for block in message.content] == ["a", "b"]  # type: ignore[union-attr]
    with pytest.raises(
        wg.StreamError, match="end of a block of another type, expected the type that began"
    ):
        _answer(BEGUN, _text("hi", place=7), _done(NEW_AND_HI), END)


@pytest.mark.parametrize("place", [0, -1])
def test_a_number_that_two_parts_have_tells_only_the_order(place: int) -> None:
    """A server that counts no parts gives the same number to all of them."""
    done = (NEW_DONE[0], NEW_DONE[1].replace('"content_index":0', f'"content_index":{place}'))
    message = _message(BEGUN, done, _text("hi", place=place), _done(NEW_AND_HI), END)
    assert [type(block) for block in message.content] == [wg.OpaqueBlock, wg.TextBlock]
    assert message.text() == "hi"


def test_parts_that_end_in_another_order_keep_their_places() -> None:
    item = _said(_part("a"), _part("b"))
    data = frames(START, BEGUN, _text("a"), _text("b", place=1), _done(item), END)
    events = events_of(responses.StreamDecoder(), data)
    first, second = (at for at, event in enumerate(events) if type(event) is wg.BlockEnd)
    events[first], events[second] = events[second], events[first]
    made = _written(*events)
    content = (
        b'"content":[{"type":"output_text","annotations":[],"text":"a"},'
        b'{"type":"output_text","annotations":[],"text":"b"}]'
    )
    assert made.count(content) == 2


def test_a_text_after_an_empty_part_is_told_once() -> None:
    item = _said(_part(""), _part("hi"))
    data = frames(START, BEGUN, _text("hi", place=1), _done(item), END)
    events = events_of(responses.StreamDecoder(), data)
    assert [event.text for event in events if isinstance(event, wg.TextDelta)] == ["hi"]
    message = check_chunkings(responses, data).message
    assert [block.text for block in message.content] == ["hi", ""]  # type: ignore[union-attr]


THOUGHT = '"id":"rs_a","type":"reasoning","summary":[]'
CUSTOM = '"id":"ctc_a","type":"custom_tool_call","call_id":"c","name":"f","input":'
CITED = '{"type":"url_citation","url":"u","title":"t","start_index":0,"end_index":2}'
# Deltas, the item that they make if nothing ends it, and what they tell.
GROWN: dict[str, tuple[list[tuple[str, str]], str, list[Any]]] = {
    "a refusal": (
        [
            BEGUN,
            ("refusal.delta", '"output_index":0,"content_index":0,"delta":"N"'),
            ("refusal.delta", '"output_index":0,"content_index":0,"delta":"o."'),
        ],
        _said(REFUSED, status="in_progress"),
        [wg.TextDelta(0, "N"), wg.TextDelta(0, "o.")],
    ),
    "a refusal without an item": (
        [("refusal.delta", '"output_index":0,"content_index":0,"delta":"No."')],
        f'"type":"message","role":"assistant","content":[{{{REFUSED}}}]',
        [wg.TextDelta(0, "No.")],
    ),
    "a part of an unknown type": (
        [BEGUN, NEW_DONE, _text("hi", place=1)],
        _said(NEW, _part("hi"), status="in_progress"),
        [wg.TextDelta(1, "hi")],
    ),
    "a cited text": (
        [
            BEGUN,
            HI,
            ("output_text.annotation.added", f'"output_index":0,"annotation":{CITED}'),
        ],
        _said(f'"type":"output_text","text":"hi","annotations":[{CITED}]', status="in_progress"),
        [
            wg.TextDelta(0, "hi"),
            wg.CitationDelta(0, wg.AnnotationRef(url="u", title="t", start=0, end=2)),
        ],
    ),
    "a summary without an item": (
        [_summary("why")],
        '"type":"reasoning","summary":[{"type":"summary_text","text":"why"}]',
        [wg.ThinkingDelta(0, "why")],
    ),
    "reasoning in its own words": (
        [
            _added(THOUGHT),
            ("reasoning_text.delta", '"output_index":0,"content_index":0,"delta":"Hm"'),
            ("reasoning_text.delta", '"output_index":0,"content_index":0,"delta":"."'),
        ],
        THOUGHT + ',"content":[{"type":"reasoning_text","text":"Hm."}]',
        [wg.ThinkingDelta(0, "Hm"), wg.ThinkingDelta(0, ".")],
    ),
    "the input of a custom call": (
        [
            _added(CUSTOM + '""'),
            ("custom_tool_call_input.delta", '"output_index":0,"delta":"4 "'),
            ("custom_tool_call_input.delta", '"output_index":0,"delta":"+ 4"'),
        ],
        CUSTOM + '"4 + 4"',
        [wg.ArgumentsDelta(0, "4 "), wg.ArgumentsDelta(0, "+ 4")],
    ),
}


@pytest.mark.parametrize("name", GROWN)
def test_an_item_that_nothing_ends_is_what_its_deltas_tell(name: str) -> None:
    given, item, told = GROWN[name]
    data = frames(START, *given, END)
    events = events_of(responses.StreamDecoder(), data)
    between = [event for event in events[1:-2] if type(event) not in (wg.BlockStart, wg.BlockEnd)]
    assert between == told
    twin = responses.decode_response(f'{{{HEAD},"status":"completed","output":[{{{item}}}]}}')
    assert check_chunkings(responses, data).message.content == twin.message.content


@pytest.mark.parametrize("name", SHAPES)
def test_a_shape_of_this_wire_comes_back(name: str) -> None:
    events, item = SHAPES[name]
    data = frames(START, *events, _end(f"{{{item}}}"))
    streamed = check_chunkings(responses, data)
    check_truncations(responses, data)
    twin = json.loads(data.split(b"data: ")[-1])["response"]
    assert streamed == responses.decode_response(json.dumps(twin))
    made = _back(data)
    assert check_chunkings(responses, made) == streamed
    last = json.loads(made.split(b"data: ")[-1])["response"]
    assert last["output"] == twin["output"]


# The item of a stream, and the events that stand for it.
REFUSAL_AT = '"item_id":"msg_a","output_index":0,"content_index":0'
REASON_AT = '"item_id":"rs_a","output_index":0,"content_index":0'
SUMMARY_AT = '"item_id":"rs_a","output_index":0,"summary_index":0'
TOLD: dict[str, tuple[str, list[tuple[str, str]]]] = {
    "a refusal": (
        _said(REFUSED),
        [
            BEGUN,
            ("content_part.added", f'{REFUSAL_AT},"part":{{"type":"refusal","refusal":""}}'),
            ("refusal.delta", f'{REFUSAL_AT},"delta":"No."'),
            ("refusal.done", f'{REFUSAL_AT},"refusal":"No."'),
            ("content_part.done", f'{REFUSAL_AT},"part":{{{REFUSED}}}'),
            _done(_said(REFUSED)),
        ],
    ),
    "reasoning in its own words": (
        THOUGHT + ',"content":[{"type":"reasoning_text","text":"Hm."}]',
        [
            _added(THOUGHT + ',"content":[]'),
            ("content_part.added", f'{REASON_AT},"part":{{"type":"reasoning_text","text":""}}'),
            ("reasoning_text.delta", f'{REASON_AT},"delta":"Hm."'),
            ("reasoning_text.done", f'{REASON_AT},"text":"Hm."'),
            ("content_part.done", f'{REASON_AT},"part":{{"type":"reasoning_text","text":"Hm."}}'),
            _done(THOUGHT + ',"content":[{"type":"reasoning_text","text":"Hm."}]'),
        ],
    ),
    "a summary": (
        THOUGHT[:-1] + '{"type":"summary_text","text":"why"}]',
        [
            _added(THOUGHT),
            (
                "reasoning_summary_part.added",
                f'{SUMMARY_AT},"part":{{"type":"summary_text","text":""}}',
            ),
            ("reasoning_summary_text.delta", f'{SUMMARY_AT},"delta":"why"'),
            ("reasoning_summary_text.done", f'{SUMMARY_AT},"text":"why"'),
            (
                "reasoning_summary_part.done",
                f'{SUMMARY_AT},"part":{{"type":"summary_text","text":"why"}}',
            ),
            _done(THOUGHT[:-1] + '{"type":"summary_text","text":"why"}]'),
        ],
    ),
    "a custom call": (
        CUSTOM + '"4"',
        [
            _added(CUSTOM + '""'),
            ("custom_tool_call_input.delta", '"item_id":"ctc_a","output_index":0,"delta":"4"'),
            ("custom_tool_call_input.done", '"item_id":"ctc_a","output_index":0,"input":"4"'),
            _done(CUSTOM + '"4"'),
        ],
    ),
}


@pytest.mark.parametrize("name", TOLD)
def test_an_item_is_told_by_these_events(name: str) -> None:
    item, expected = TOLD[name]
    made = _back(frames(START, _end(f"{{{item}}}")))
    numbered = frames(START, START, *expected).split(b"\n\n")
    assert made.split(b"\n\n")[2:-2] == numbered[2:-1]


def test_a_stream_that_was_cut_short_by_the_limit_is_complete() -> None:
    more = ',"incomplete_details":{"reason":"max_output_tokens"}'
    cut = _call(r"{\"x\":48", status="incomplete")
    message = _message(
        _added(_call(status="in_progress")),
        _arguments(r"{\"x\":48"),
        _done(cut),
        _end(f"{{{cut}}}", "incomplete", more),
    )
    assert (message.stop_reason, message.raw_stop_reason) == ("length", "max_output_tokens")
    assert message.tool_calls()[0].arguments.text == b'{"x":48'


@pytest.mark.parametrize("stage", ["created", "queued", "in_progress"])
def test_keys_beside_a_response_are_part_of_it(stage: str) -> None:
    given = (stage, START[1] + ',"new_usage":{"a":1}')
    response = check_chunkings(responses, frames(START, given, BEGUN, HI, SAID, END))
    assert response.extras is not None
    assert response.extras[API].keys.value["new_usage"] == {"a": 1}


@pytest.mark.parametrize("status", ["completed", "incomplete"])
def test_keys_beside_the_whole_response_are_part_of_it(status: str) -> None:
    end = (status, _end(status=status)[1] + ',"new_usage":{"a":1}')
    response = check_chunkings(responses, frames(START, BEGUN, HI, SAID, end))
    assert response.extras is not None
    assert response.extras[API].keys.value["new_usage"] == {"a": 1}


@pytest.mark.parametrize("stage", ["created", "queued", "in_progress"])
def test_an_answer_begins_with_nothing_that_is_known_at_its_end(stage: str) -> None:
    more = (
        f'"status":"incomplete","output":[],"usage":{USAGE},'
        '"error":{"code":"server_error","message":"no"},'
        '"incomplete_details":{"reason":"max_output_tokens"}'
    )
    (start,) = responses.StreamDecoder().feed(frames((stage, f'"response":{{{HEAD},{more}}}')))
    message = wg.AssistantMessage([], model="m", api=API)
    assert start == wg.StreamStart(wg.Response(message, id="resp_1", created_at=1000))


def test_keys_beside_a_delta_are_padding() -> None:
    response = _answer(BEGUN, _text("hi", obfuscation="xyz"), SAID, END)
    assert response == _answer(BEGUN, HI, SAID, END)


def test_comments_and_unknown_events_are_not_part_of_the_message() -> None:
    data = b": OPENROUTER PROCESSING\n\n" + frames(
        START, ("new.event", '"a":1'), BEGUN, HI, SAID, END
    )
    data += b"data: [DONE]\n\n"
    message = check_chunkings(responses, data).message
    assert message.text() == "hi"


@pytest.mark.parametrize("frame", [b"data: [DONE]\n\n", b"event: ping\ndata:\n\n"])
def test_frames_that_are_no_events_are_skipped_anywhere(frame: bytes) -> None:
    data = frames(START, BEGUN) + frame + frames(HI, SAID, END)
    assert check_chunkings(responses, data).message.text() == "hi"


def test_events_may_have_no_name() -> None:
    data = b"".join(
        line + b"\n\n"
        for line in frames(START, BEGUN, HI, SAID, END).split(b"\n")
        if line.startswith(b"data: ")
    )
    assert check_chunkings(responses, data).message.text() == "hi"


def test_events_may_have_their_name_alone() -> None:
    delta = b'event: response.output_text.delta\ndata: {"output_index":0,"delta":"hi"}\n\n'
    data = frames(START, BEGUN) + delta + frames(SAID, END)
    assert check_chunkings(responses, data).message.text() == "hi"


# -- streams that misbehave -------------------------------------------------------------------


def test_a_call_without_arguments_has_an_empty_object() -> None:
    (call,) = _message(_added(_call()), _done(_call()), END).tool_calls()
    assert call.arguments.text == b"{}"


def test_arguments_that_came_in_no_delta_are_those_of_the_end() -> None:
    events = events_of(
        responses.StreamDecoder(),
        frames(START, _added(_call()), _arguments("{"), _done(_call("{ }")), END),
    )
    assert [event.text for event in events if type(event) is wg.ArgumentsDelta] == ["{", " }"]


NO_ARGUMENTS = {
    "null": _call().replace('"arguments":""', '"arguments":null'),
    "missing": _call().replace(',"arguments":""', ""),
    "empty": _call(),
}
X = r"{\"x\":1}"


@pytest.mark.parametrize("name", NO_ARGUMENTS)
@pytest.mark.parametrize("is_done", [True, False], ids=["at its end", "at the end of the answer"])
def test_arguments_that_the_end_does_not_repeat_are_those_of_the_deltas(
    name: str, is_done: bool
) -> None:
    call = NO_ARGUMENTS[name]
    events = [_added(_call()), _arguments("{"), _arguments(X[1:])]
    events += [_done(call)] if is_done else []
    data = frames(START, *events, _end(f"{{{call}}}"))
    check_chunkings(responses, data)
    losses: list[wg.Loss] = []
    translator = wg.StreamTranslator("openai_responses", "openai_chat", losses=losses)
    made = translator.feed(data) + translator.close()
    assert b'"function":{"arguments":"{"}' in made
    assert rb'"function":{"arguments":"\"x\":1}"}' in made
    assert losses == []
    own = wg.translate_response(_whole_of(data), "openai_responses", "openai_responses")
    assert rb'"arguments":"{\"x\":1}"' in own


def _whole_of(data: bytes) -> bytes:
    decoder = responses.StreamDecoder()
    decoder.feed(data)
    return responses.encode_response(decoder.close())


@pytest.mark.parametrize("name", NO_ARGUMENTS)
def test_arguments_may_be_told_by_the_event_after_the_deltas_alone(name: str) -> None:
    told = "function_call_arguments.done", f'"output_index":0,"item_id":"fc_c","arguments":"{X}"'
    (call,) = _message(_added(_call()), told, _done(NO_ARGUMENTS[name]), END).tool_calls()
    assert call.arguments.text == b'{"x":1}'


def test_arguments_before_the_name_of_a_call_are_kept() -> None:
    bare = '"id":"fc_c","type":"function_call"'
    named = NO_ARGUMENTS["null"]
    (call,) = _message(_added(bare), _arguments(X), _done(named), END).tool_calls()
    assert (call.name, call.arguments.text) == ("f", b'{"x":1}')


def test_an_empty_object_before_the_arguments_is_not_part_of_them() -> None:
    events = _added(_call()), _arguments("{"), _arguments("}"), _arguments(X), _done(_call(X)), END
    (call,) = _message(*events).tool_calls()
    assert call.arguments.text == b'{"x":1}'


def test_a_message_that_came_in_no_delta_is_that_of_the_end() -> None:
    events = events_of(responses.StreamDecoder(), frames(START, BEGUN, SAID, END))
    assert [event.text for event in events if type(event) is wg.TextDelta] == ["hi"]


def test_thinking_that_came_in_no_delta_is_that_of_the_end() -> None:
    whole = '"id":"rs_a","type":"reasoning","summary":[{"type":"summary_text","text":"why"}]'
    events = events_of(responses.StreamDecoder(), frames(START, _added(THOUGHT), _done(whole), END))
    assert [event.text for event in events if type(event) is wg.ThinkingDelta] == ["why"]


def test_items_that_came_in_no_event_are_those_of_the_response() -> None:
    said = _said(_part("hi"))
    message = _message(_end(f"{{{said}}},{{{_call('{}')}}}"))
    assert message.text() == "hi"
    assert message.tool_calls()[0].id == "c"


def test_a_response_that_repeats_no_items_is_complete() -> None:
    assert _message(BEGUN, HI, SAID, END).text() == "hi"


def test_items_that_never_end_are_as_the_response_says() -> None:
    said = _said(_part("hi there"))
    message = _message(BEGUN, HI, _end(f"{{{said}}}"))
    assert message.text() == "hi there"


def test_items_that_never_end_are_as_they_grew() -> None:
    message = _message(
        _added('"id":"rs_a","type":"reasoning","summary":[],"encrypted_content":"ab"'),
        _summary("why"),
        _added(_said(status="in_progress"), 1),
        _text("hi", 1),
        _added(_call(status="in_progress"), 2),
        _arguments("[1]", 2),
        END,
    )
    thought, said, call = message.content
    assert isinstance(thought, wg.ThinkingBlock)
    assert (thought.thinking, thought.signature) == ("why", "ab")
    assert isinstance(said, wg.TextBlock)
    assert said.text == "hi"
    assert isinstance(call, wg.ToolCallBlock)
    assert call.arguments.text == b"[1]"


def test_text_may_come_without_an_item() -> None:
    assert _message(HI, END).text() == "hi"


def test_thinking_may_come_without_an_item() -> None:
    (thought,) = _message(_summary("why"), END).thinking()
    assert thought.thinking == "why"


def test_text_after_the_end_of_its_item_begins_another_block() -> None:
    message = _message(BEGUN, HI, SAID, _text("there"), END)
    assert [block.text for block in message.content if isinstance(block, wg.TextBlock)] == [
        "hi",
        "there",
    ]


def test_parallel_calls_may_all_have_one_index() -> None:
    message = _message(
        _added(_call(call_id="a", status="in_progress")),
        _arguments("[1]"),
        _added(_call(call_id="b", status="in_progress")),
        _arguments("[2]"),
        _done(_call("[1]", "a")),
        _done(_call("[2]", "b")),
        END,
    )
    assert [(call.id, call.arguments.text) for call in message.tool_calls()] == [
        ("a", b"[1]"),
        ("b", b"[2]"),
    ]


def test_an_index_may_be_used_again() -> None:
    message = _message(
        _added(_call(call_id="a")),
        _done(_call("[1]", "a")),
        _added(_call(call_id="b")),
        _arguments("[2]"),
        _done(_call("[2]", "b")),
        END,
    )
    assert [call.arguments.text for call in message.tool_calls()] == [b"[1]", b"[2]"]


def test_fragments_of_calls_may_alternate() -> None:
    message = _message(
        _added(_call(call_id="a"), 0),
        _added(_call(call_id="b"), 1),
        _arguments("[1", 0),
        _arguments("[2", 1),
        _arguments("]", 0),
        _arguments("]", 1),
        _done(_call("[2]", "b"), 1),
        _done(_call("[1]", "a"), 0),
        END,
    )
    assert [call.arguments.text for call in message.tool_calls()] == [b"[1]", b"[2]"]


def test_a_call_may_be_named_at_its_end() -> None:
    (call,) = _message(
        _added('"id":"fc_c","type":"function_call","arguments":""'),
        _arguments("[1]"),
        _done(_call("[1]")),
        END,
    ).tool_calls()
    assert (call.id, call.arguments.text) == ("c", b"[1]")


def test_a_stream_may_begin_with_an_item() -> None:
    data = frames(BEGUN, HI, SAID, END)
    assert check_chunkings(responses, data).message.text() == "hi"


def test_reasoning_of_strange_parts_is_opaque_at_its_end() -> None:
    item = '"id":"rs_a","type":"reasoning","summary":[{"type":"new","text":"why"}]'
    data = frames(START, _summary("why"), _done(item), _end(f"{{{item}}}"))
    (block,) = check_chunkings(responses, data).message.content
    assert isinstance(block, wg.OpaqueBlock)
    assert check_chunkings(responses, _back(data)).message.content == [block]


@pytest.mark.parametrize(
    "end",
    [(_added(_said(), 0),), (_done('"id":"msg_a","type":"message","content":"x"'),), ()],
    ids=["its place is used again", "its place ends as something else", "nothing ends it"],
)
def test_reasoning_that_began_with_strange_parts_keeps_what_its_deltas_tell(
    end: tuple[tuple[str, str], ...],
) -> None:
    begun = (
        '"id":"rs_a","type":"reasoning","summary":[],"content":[{"type":"output_text","text":"a"}]'
    )
    data = frames(START, _added(begun), _summary("why"), *end, _end())
    block = check_chunkings(responses, data).message.content[0]
    expected = (
        '{"id":"rs_a","type":"reasoning","summary":[{"type":"summary_text","text":"why"}],'
        '"content":[{"type":"output_text","text":"a"}]}'
    )
    assert block == wg.OpaqueBlock(API, wg.RawJson(expected))


CUSTOM = (
    '"id":"ctc_a","type":"custom_tool_call","call_id":"a","name":"%s","input":"%s","status":"%s"'
)
WHY = '"id":"rs_a","type":"reasoning","summary":[{"type":"summary_text","text":"why"}]'
REVISED: dict[str, tuple[bool, list[tuple[str, str]]]] = {
    "text": (True, [BEGUN, _text("ho"), SAID]),
    "text that goes on": (False, [BEGUN, _text("h"), SAID]),
    "text that ends early": (True, [BEGUN, _text("hi!"), SAID]),
    "thinking": (True, [_added(THOUGHT), _summary("how"), _done(WHY)]),
    "thinking that goes on": (False, [_added(THOUGHT), _summary("w"), _done(WHY)]),
    "a call": (True, [_added(_call()), _arguments("[1]"), _done(_call("[2]"))]),
    "a call that goes on": (False, [_added(_call()), _arguments("["), _done(_call("[2]"))]),
    "a call by another name": (
        True,
        [_added(_call()), _done(_call("[2]").replace('"name":"f"', '"name":"g"'))],
    ),
    "a custom call by another name": (
        True,
        [
            _added(CUSTOM % ("f", "", "in_progress")),
            _done(CUSTOM % ("g", "x", "completed")),
        ],
    ),
}


@pytest.mark.parametrize(("revised", "events"), REVISED.values(), ids=REVISED)
def test_the_end_of_an_item_wins_over_its_deltas_and_says_so(
    revised: bool, events: list[tuple[str, str]]
) -> None:
    data = frames(START, *events, END)
    (end,) = [
        event for event in events_of(responses.StreamDecoder(), data) if type(event) is wg.BlockEnd
    ]
    assert end.revised is revised
    assert _answer(*events, END).message.content == [end.block]
    assert check_chunkings(responses, _back(data)).message.content == [end.block]


def test_what_the_end_of_an_item_takes_back_is_a_loss_on_another_wire() -> None:
    data = frames(START, BEGUN, _text("ho"), SAID, END)
    losses: list[wg.Loss] = []
    translator = wg.StreamTranslator("openai_responses", "anthropic", losses=losses)
    made = translator.feed(data) + translator.close()
    assert b'"text":"ho"' in made
    assert losses == [
        wg.Loss(
            "$.message.content[0]",
            "revision",
            "a stream cannot take back what it has told; that stays",
        )
    ]


def test_what_follows_the_end_is_left_alone() -> None:
    data = frames(START, BEGUN, HI, SAID, END, START, BEGUN, _text("more"), END)
    assert check_chunkings(responses, data).message.text() == "hi"


BAD = {
    "arguments of no call": (
        [_arguments("{}")],
        "arguments without a call, expected an open one - at `$[1].output_index`",
    ),
    "arguments after the end of their call": (
        [_added(_call()), _done(_call()), _arguments("{}")],
        "arguments without a call, expected an open one - at `$[3].output_index`",
    ),
    "a number for a text": (
        [("output_text.delta", '"delta":1')],
        "expected `str`, got `int` - at `$[1].delta`",
    ),
    "an item that is none": (
        [("output_item.done", '"output_index":0,"item":[]')],
        "expected `object`, got `array` - at `$[1]`",
    ),
    "text in a call": (
        [_added(_call()), HI],
        "text of a `message` in another item, expected a `message` - at `$[2].output_index`",
    ),
    "a message that ends as something else": (
        [BEGUN, HI, _done(_said(_part("hi")).replace("assistant", "user"))],
        "end of a block of another type, expected the type that began - at `$[3]`",
    ),
    "a message that begins as a user's": (
        [_added(_said().replace("assistant", "user")), HI, END],
        "end of a block of another type, expected the type that began - at `$[3]`",
    ),
    "a number for a name": (
        [_added(_call()), _done(_call().replace('"name":"f"', '"name":1'))],
        "expected `str | null`, got `int` - at `$[2].name`",
    ),
    "a call that nobody named": (
        [_added('"type":"function_call"'), END],
        "call without an id or a name, expected both - at `$[2]`",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_a_frame_that_is_bad_is_refused_with_its_number(name: str) -> None:
    events, reason = BAD[name]
    decoder = responses.StreamDecoder()
    with pytest.raises(wg.StreamError) as caught:
        events_of(decoder, frames(START, *events))
    assert str(caught.value) == f"openai_responses: {reason}"


FAILED = {
    "an error": ("error", '"code":"server_error","message":"broken","param":null'),
    "an error in an object": (
        "error",
        '"error":{"type":"server_error","code":"server_error","message":"broken"}',
    ),
    "a response that failed": (
        "failed",
        f'"response":{{{HEAD},"status":"failed","output":[],'
        '"error":{"code":"server_error","message":"broken"}}',
    ),
}


@pytest.mark.parametrize("name", FAILED)
def test_a_provider_may_break_off(name: str) -> None:
    data = frames(START, BEGUN, HI, FAILED[name])
    for size in (1, 7, None):
        decoder = responses.StreamDecoder()
        failure = events_of(decoder, data, size)[-1]
        assert type(failure) is wg.StreamFailure
        assert (failure.kind, failure.code, failure.message) == ("server", "server_error", "broken")
        assert decoder.message.text() == "hi"
        with pytest.raises(wg.ProviderError):
            decoder.close()
    encoder = responses.StreamEncoder()
    made = b"".join(map(encoder.encode, events_of(responses.StreamDecoder(), data)))
    told = frames(START, BEGUN, HI, FAILED[name]).split(b"\n\n")[-2] + b"\n\n"
    number = made.count(b"event: ") - (1 if name == "a response that failed" else 2)
    told = re.sub(rb'"sequence_number":\d+', b'"sequence_number":%d' % number, told)
    assert made.count(told) == 1
    assert made.count(b"event: response.failed") == 1
    assert made.rpartition(b"event: ")[2].startswith(b"response.failed")


def test_an_error_may_have_no_type() -> None:
    data = frames(START) + b'data: {"error":{"code":429,"message":"slow"}}\n\n'
    failure = events_of(responses.StreamDecoder(), data)[-1]
    assert type(failure) is wg.StreamFailure
    assert (failure.kind, failure.message) == ("rate_limit", "slow")


def test_the_number_of_an_error_goes_on() -> None:
    error = "error", '"sequence_number":1,"code":"server_error","message":"no","param":null'
    data = frames(START) + b'event: error\ndata: {"type":"error",' + error[1].encode() + b"}\n\n"
    translator = wg.StreamTranslator("openai_responses", "openai_responses")
    made = translator.feed(data) + translator.close()
    numbers = [
        json.loads(line[6:])["sequence_number"]
        for line in made.splitlines()
        if line[:5] == b"data:"
    ]
    assert numbers == [0, 1, 2, 3]
    assert (
        b'data: {"type":"error","sequence_number":2,"code":"server_error","message":"no",'
        b'"param":null}\n\n'
    ) in made


def test_an_error_before_any_event_has_the_time_and_the_model_that_are_known() -> None:
    encoder = responses.StreamEncoder(ids=lambda: "made")
    encoder.expect(wg.Response(wg.AssistantMessage([], model="m"), created_at=5000))
    made = encoder.encode(wg.StreamFailure("server", "no"))
    assert made.count(b'"id":"resp_made","object":"response","created_at":5,') == 3
    assert made.count(b'"model":"m"') == 3


SOURCE = '{"type":"url_citation","url":"https://x.org","title":"T","start_index":0,"end_index":1}'


def _cited(place: int) -> tuple[str, str]:
    where = f'"output_index":0,"content_index":{place},"annotation_index":0'
    return "output_text.annotation.added", f'{where},"annotation":{SOURCE}'


def _cited_part(text: str) -> str:
    return f'"type":"output_text","text":"{text}","annotations":[{SOURCE}]'


EARLY: dict[str, tuple[list[str], list[tuple[str, str]]]] = {
    "of a part that is opaque": (['"type":"odd","x":1'], [_cited(0)]),
    "of no part": ([_cited_part("a")], [_cited(3), _text("a")]),
    "of no part, behind the text": ([_cited_part("a")], [_text("a"), _cited(1)]),
    "of the second part": (
        [_cited_part("a"), _cited_part("b")],
        [_cited(1), _text("a"), _text("b", place=1)],
    ),
    "of the text that follows": ([_cited_part("a")], [_cited(0), _text("a")]),
}


@pytest.mark.parametrize(("parts", "events"), EARLY.values(), ids=EARLY)
def test_a_source_before_its_text_changes_nothing_of_an_item_that_ends(
    parts: list[str], events: list[tuple[str, str]]
) -> None:
    item = _said(*parts)
    message = _message(BEGUN, *events, _done(item), _end(f"{{{item}}}"))
    body = f'{{{HEAD},"status":"completed","output":[{{{item}}}],"usage":{USAGE}}}'
    assert message.content == responses.decode_response(body).message.content


def test_a_source_of_no_item_goes_back_as_an_unknown_event() -> None:
    data = frames(START, _cited(0), END)
    [_, event, _, _] = events_of(responses.StreamDecoder(), data)
    assert isinstance(event, wg.OpaqueEvent)
    assert b"https://x.org" in _back(data)


@pytest.mark.parametrize("is_ended", [False, True], ids=["by an error", "without its end"])
def test_a_source_before_the_text_begins_it(is_ended: bool) -> None:
    failed = 'data: {"type":"error","code":"server_error","message":"BOOM"}\n\n'
    data = frames(START, BEGUN, _cited(0), HI)
    decoder = responses.StreamDecoder()
    decoder.feed(data + (frames(END) if is_ended else failed.encode()))
    [block] = decoder.message.content
    assert isinstance(block, wg.TextBlock)
    assert block.text == "hi"
    assert block.annotations == [wg.AnnotationRef("https://x.org", "T", start=0, end=1)]
