"""Streamed answers <-> events."""

import sys
from typing import Any

import pytest
from msgspec.structs import replace

import wireglot as wg
from tests.providers.openai_chat.answers import (
    BODY,
    OPENROUTER_BODY,
    OPENROUTER_STREAM,
    STREAM,
    chunk,
    delta,
    stream,
)
from tests.providers.streams import check_chunkings, check_truncations, events_of

API = "openai-chat"
chat = wg.providers.openai_chat

ROLE = delta('"role":"assistant","content":""')
HI = delta('"content":"hi"')
STOP = delta("", '"stop"')
ENDED = delta("", '"tool_calls"')
USAGE = chunk('"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":4,"total_tokens":7}')
TWINS = {"openai": (STREAM, BODY), "openrouter": (OPENROUTER_STREAM, OPENROUTER_BODY)}


def _call(index: int | None, rest: str) -> bytes:
    number = "" if index is None else f'"index":{index},'
    return delta(f'"tool_calls":[{{{number}{rest}}}]')


def _begun(index: int | None, call_id: str, name: str = "f", arguments: str = "") -> bytes:
    function = f'{{"name":"{name}","arguments":"{arguments}"}}'
    return _call(index, f'"id":"{call_id}","type":"function","function":{function}')


def _more(index: int | None, arguments: str) -> bytes:
    return _call(index, f'"function":{{"arguments":"{arguments}"}}')


def _answer(*chunks: bytes, **options: Any) -> wg.Response:
    return check_chunkings(chat, stream(*chunks), **options)


def _message(*chunks: bytes, **options: Any) -> wg.AssistantMessage:
    return _answer(*chunks, **options).message


def _calls(*chunks: bytes) -> list[tuple[str, str, bytes]]:
    calls = _message(ROLE, *chunks, ENDED).tool_calls()
    return [(call.id, call.name, call.arguments.text) for call in calls]


def _encoded(data: bytes, **options: Any) -> bytes:
    encoder = chat.StreamEncoder(**options)
    made = b"".join(map(encoder.encode, events_of(chat.StreamDecoder(**options), data)))
    return made + encoder.close()


def _check(data: bytes, dialect: str = "openai") -> None:
    from tests.oracles import openai_chat as oracle

    oracle.check_stream(data, dialect)


@pytest.mark.parametrize("dialect", TWINS)
def test_the_oracle_takes_what_is_made_of_the_streams_of_these_tests(dialect: str) -> None:
    _check(_encoded(TWINS[dialect][0], dialect=dialect), dialect)


@pytest.mark.parametrize("dialect", TWINS)
def test_a_stream_gives_the_answer_of_its_twin(dialect: str) -> None:
    data, body = TWINS[dialect]
    streamed = check_chunkings(chat, data, dialect=dialect)
    assert wg.json.encode(streamed) == wg.json.encode(chat.decode_response(body, dialect=dialect))


@pytest.mark.parametrize("dialect", TWINS)
def test_a_stream_that_was_cut_has_no_end(dialect: str) -> None:
    check_truncations(chat, TWINS[dialect][0], dialect=dialect)


@pytest.mark.parametrize("dialect", TWINS)
def test_a_stream_goes_back_to_its_own_wire(dialect: str) -> None:
    data = TWINS[dialect][0]
    made = _encoded(data, dialect=dialect)
    assert check_chunkings(chat, made, dialect=dialect) == check_chunkings(
        chat, data, dialect=dialect
    )


def test_the_events_of_a_stream_are_these() -> None:
    events = events_of(chat.StreamDecoder(), stream(ROLE, HI, STOP, USAGE))
    start, begun, text, ended, usage, end = _in_order(events)
    assert type(start) is wg.StreamStart
    assert (start.response.id, start.response.created_at) == ("chatcmpl-1", 1754432618000)
    assert begun == wg.BlockStart(0, wg.TextBlock(""))
    assert text == wg.TextDelta(0, "hi")
    assert ended == wg.BlockEnd(0, wg.TextBlock("hi"))
    assert type(usage) is wg.UsageUpdate
    assert (usage.usage.input, usage.usage.output) == (3, 4)
    assert type(end) is wg.StreamEnd
    assert end.response.message.content == [wg.TextBlock("hi")]
    assert start.response.message.content == []


def _in_order(events: list[Any]) -> list[Any]:
    """Return the events with the usage, which may come while a block is open, behind the blocks."""
    usage = [event for event in events if type(event) is wg.UsageUpdate]
    rest = [event for event in events if type(event) is not wg.UsageUpdate]
    return [*rest[:-1], *usage, rest[-1]]


def test_the_events_add_up_to_the_message() -> None:
    total = wg.Accumulator()
    decoder = chat.StreamDecoder()
    for event in events_of(decoder, STREAM):
        total.add(event)
    assert total.message == decoder.close().message == decoder.message


def test_the_message_is_at_hand_at_any_time() -> None:
    decoder = chat.StreamDecoder()
    decoder.feed(ROLE + HI + _begun(0, "a") + _more(0, r"{\"a\":"))
    text, call = decoder.message.content
    assert text == wg.TextBlock("hi")
    assert isinstance(call, wg.ToolCallBlock)
    assert call.arguments.text == b'{"a":'
    decoder.feed(_more(0, "1}"))
    assert decoder.message.tool_calls()[0].arguments.value == {"a": 1}


PREFIX = b'data: {"id":"x%","object":"chat.completion.chunk","created":0,"model":"m","choices":'
PLAIN = b',"logprobs":null,"finish_reason":null}]}\n\n'


def test_the_bytes_of_a_stream_are_these() -> None:
    call = wg.ToolCallBlock("c1", "f", "{}")
    content = [wg.ThinkingBlock("T"), wg.TextBlock("é"), call]
    whole = wg.Response(
        wg.AssistantMessage(
            content, model="m", stop_reason=wg.StopReason.TOOL_USE, usage=wg.Usage(1, 2)
        ),
        id="x%",
    )
    events: list[Any] = [
        wg.StreamStart(wg.Response(wg.AssistantMessage([], model="m", api="o"), id="x%")),
        wg.BlockStart(0, wg.ThinkingBlock("")),
        wg.ThinkingDelta(0, "T"),
        wg.BlockEnd(0, content[0]),
        wg.BlockStart(1, wg.TextBlock("")),
        wg.TextDelta(1, "é"),
        wg.BlockEnd(1, content[1]),
        wg.BlockStart(2, wg.ToolCallBlock("c1", "f", "")),
        wg.ArgumentsDelta(2, "{}"),
        wg.BlockEnd(2, call),
        wg.UsageUpdate(wg.Usage(1, 2)),
        wg.StreamEnd(whole),
    ]
    encoder = chat.StreamEncoder(dialect="deepseek")
    made = b"".join(map(encoder.encode, events)) + encoder.close()
    deltas = (
        b'{"role":"assistant","content":null}',
        b'{"reasoning_content":"T"}',
        '{"content":"é"}'.encode(),
        b'{"tool_calls":[{"index":0,"id":"c1","type":"function","function":{"name":"f",'
        b'"arguments":""}}]}',
        b'{"tool_calls":[{"index":0,"function":{"arguments":"{}"}}]}',
    )
    assert made == (
        b"".join(PREFIX + b'[{"index":0,"delta":' + delta + PLAIN for delta in deltas)
        + PREFIX
        + b'[{"index":0,"delta":{},"logprobs":null,"finish_reason":"tool_calls"}]}\n\n'
        + PREFIX
        + b'[],"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3,'
        b'"prompt_tokens_details":{"cached_tokens":0},"completion_tokens_details":'
        b'{"reasoning_tokens":0}}}\n\ndata: [DONE]\n\n'
    )
    _check(made, "deepseek")


# -- losses -----------------------------------------------------------------------------------


def _lost(block: Any, dialect: str = "openai") -> tuple[list[str], list[str]]:
    """Return what is lost of a block of another API, in a stream and in a body."""
    losses: list[wg.Loss] = []
    encoder = chat.StreamEncoder(losses=losses, dialect=dialect)
    message = wg.AssistantMessage([block], api="o", stop_reason=wg.StopReason.STOP)
    encoder.encode(wg.StreamStart(wg.Response(wg.AssistantMessage([], api="o"))))
    encoder.encode(wg.BlockStart(0, _without_its_end(block)))
    encoder.encode(wg.BlockEnd(0, block))
    encoder.encode(wg.StreamEnd(wg.Response(message)))
    whole: list[wg.Loss] = []
    chat.encode_response(wg.Response(message), losses=whole, dialect=dialect)
    return [loss.what for loss in losses], [loss.what for loss in whole]


def _without_its_end(block: Any) -> Any:
    """Return a block as it begins, before its signature is known."""
    if type(block) is wg.ToolCallBlock:
        return replace(block, arguments="")
    is_signed = type(block) in (wg.TextBlock, wg.ThinkingBlock)
    return replace(block, signature=None) if is_signed else block


LOST = {
    "thinking, at OpenAI": (wg.ThinkingBlock("T"), "openai", "thinking"),
    "a signature of another API": (wg.ThinkingBlock("T", "s"), "deepseek", "signature"),
    "thinking that is encrypted": (
        wg.ThinkingBlock("", "s", redacted=True),
        "deepseek",
        "redacted thinking",
    ),
    "a signature of a text": (wg.TextBlock("T", signature="s"), "openai", "signature"),
    "a citation of another API": (
        wg.TextBlock("T", annotations=[wg.AnnotationRef("u")]),
        "openai",
        "annotation",
    ),
    "a call of a custom tool, where there are none": (
        wg.ToolCallBlock("c", "f", "free", tool_type="custom"),
        "deepseek",
        "custom call",
    ),
    "an image": (wg.ImageBlock(url="https://a.b/"), "openai", "image"),
    "sound": (wg.AudioBlock(url="https://a.b/"), "openai", "audio"),
    "an opaque block of another API": (wg.OpaqueBlock("o", {"a": 1}), "openai", "opaque block"),
    "an error": (wg.ErrorBlock("bad"), "openai", "error"),
}


@pytest.mark.parametrize("name", LOST)
def test_what_has_no_place_is_lost_in_streams_and_bodies_alike(name: str) -> None:
    block, dialect, what = LOST[name]
    assert _lost(block, dialect) == ([what], [what])


# -- streams that misbehave -------------------------------------------------------------------


def test_a_call_without_arguments_has_an_empty_object() -> None:
    assert _calls(_begun(0, "a")) == [("a", "f", b"{}")]


def test_arguments_may_stand_where_the_call_begins() -> None:
    assert _calls(_begun(0, "a", arguments=r"{\"a\": 1}")) == [("a", "f", b'{"a": 1}')]


def test_arguments_that_are_cut_off_keep_their_text() -> None:
    assert _calls(_begun(0, "a"), _more(0, r"{\"a\":")) == [("a", "f", b'{"a":')]


def test_calls_with_one_number_and_two_ids_are_two() -> None:
    assert _calls(_begun(0, "a", "f", "{}"), _begun(0, "b", "g", "[]"), _more(0, " ")) == [
        ("a", "f", b"{}"),
        ("b", "g", b"[] "),
    ]


def test_a_call_that_repeats_its_id_is_one() -> None:
    chunks = _begun(0, "a", "f", "["), _begun(0, "a", "f", "1"), _begun(0, "a", "f", "]")
    assert _calls(*chunks) == [("a", "f", b"[1]")]


def test_a_call_without_a_number_goes_on_with_the_last_one() -> None:
    assert _calls(_begun(None, "a"), _more(None, "{}")) == [("a", "f", b"{}")]


def test_fragments_of_two_calls_may_be_mixed() -> None:
    chunks = _begun(0, "a"), _begun(1, "b"), _more(0, "["), _more(1, "{"), _more(0, "]")
    assert _calls(*chunks, _more(1, "}")) == [("a", "f", b"[]"), ("b", "f", b"{}")]


ARGUMENTS = r'"{\"x\":1}"'
LATE = {
    "the id late": (
        '"function":{"name":"f","arguments":""}',
        f'"id":"a","function":{{"arguments":{ARGUMENTS}}}',
    ),
    "an empty id first": (
        '"id":"","function":{"name":"f","arguments":""}',
        f'"id":"a","function":{{"arguments":{ARGUMENTS}}}',
    ),
    "the name late": (
        '"id":"a","type":"function","function":{"arguments":""}',
        f'"function":{{"name":"f","arguments":{ARGUMENTS}}}',
    ),
    "an empty name first": (
        '"id":"a","function":{"name":"","arguments":""}',
        f'"function":{{"name":"f","arguments":{ARGUMENTS}}}',
    ),
    "null first": (
        '"id":"a","function":{"name":null,"arguments":null}',
        f'"function":{{"name":"f","arguments":{ARGUMENTS}}}',
    ),
    "no function first": (
        '"id":"a","type":"function"',
        f'"function":{{"name":"f","arguments":{ARGUMENTS}}}',
    ),
    "the name after the arguments": (
        f'"id":"a","function":{{"arguments":{ARGUMENTS}}}',
        '"function":{"name":"f"}',
    ),
    "arguments before anything else": (
        f'"function":{{"arguments":{ARGUMENTS}}}',
        '"id":"a","type":"function","function":{"name":"f","arguments":""}',
    ),
    "the name twice": (
        '"id":"a","function":{"name":"f","arguments":""}',
        f'"id":"a","function":{{"name":"f","arguments":{ARGUMENTS}}}',
    ),
    "an empty id and no name later": (
        '"id":"a","function":{"name":"f","arguments":""}',
        f'"id":"","function":{{"name":null,"arguments":{ARGUMENTS}}}',
    ),
}


@pytest.mark.parametrize("name", LATE)
def test_the_fragments_of_a_call_may_come_in_any_order(name: str) -> None:
    assert _calls(*(_call(0, rest) for rest in LATE[name])) == [("a", "f", b'{"x":1}')]


@pytest.mark.parametrize("name", LATE)
def test_a_call_begins_once_its_name_is_known(name: str) -> None:
    data = stream(ROLE, *(_call(0, rest) for rest in LATE[name]), ENDED)
    translator = wg.StreamTranslator("openai_chat", "anthropic")
    made = translator.feed(data) + translator.close()
    assert made.count(b"content_block_start") == 2  # the event's name, and its type
    assert b'"content_block":{"type":"tool_use","id":"a","name":"f","input":{}}' in made


def test_a_name_may_come_in_pieces() -> None:
    pieces = _begun(0, "a", "get_"), _call(0, '"function":{"name":"time"}'), _more(0, "[1]")
    assert _calls(*pieces) == [("a", "get_time", b"[1]")]


def test_a_name_may_come_whole_after_a_piece_of_it() -> None:
    pieces = _begun(0, "a", "get"), _call(0, '"function":{"name":"get_time"}'), _more(0, "[1]")
    assert _calls(*pieces) == [("a", "get_time", b"[1]")]


def test_a_late_id_is_not_another_call() -> None:
    late = _call(0, r'"id":"a","function":{"arguments":"1]"}')
    (call,) = _calls(_call(0, '"function":{"name":"f","arguments":"["}'), late)
    assert call[1:] == ("f", b"[1]")


def test_another_name_after_the_arguments_is_another_call() -> None:
    first, second = (_call(0, f'"function":{{"name":"{name}","arguments":"[]"}}') for name in "fg")
    assert [call[1:] for call in _calls(first, second)] == [("f", b"[]"), ("g", b"[]")]


def test_calls_that_wait_keep_their_order() -> None:
    chunks = _begun(0, "a"), _begun(1, "b"), _more(1, "[1]"), _more(0, "[0]")
    assert _calls(*chunks) == [("a", "f", b"[0]"), ("b", "f", b"[1]")]


def test_a_call_begins_before_the_text_behind_it() -> None:
    message = _message(ROLE, HI, _begun(0, "a"), HI, ENDED)
    assert [type(block) for block in message.content] == [
        wg.TextBlock,
        wg.ToolCallBlock,
        wg.TextBlock,
    ]


def test_a_call_of_a_further_choice_may_have_its_name_late() -> None:
    late = delta('"tool_calls":[{"index":0,"id":"a","function":{"arguments":"[1]"}}]', index=1)
    name = delta('"tool_calls":[{"index":0,"function":{"name":"f"}}]', index=1)
    ended = delta("", '"tool_calls"', index=1)
    (other,) = _answer(ROLE, HI, late, name, STOP, ended).alternatives or ()
    assert [(call.id, call.name) for call in other.tool_calls()] == [("a", "f")]


@pytest.mark.parametrize("rest", ['"function":{"arguments":"{}"}', '"id":"a"'])
def test_a_call_that_never_has_a_name_is_an_error(rest: str) -> None:
    with pytest.raises(wg.StreamError) as caught:
        events_of(chat.StreamDecoder(), stream(ROLE, _call(0, rest), ENDED))
    assert str(caught.value) == "openai_chat: call without a name, expected one - at `$[3]`"


# -- one answer in several choices -------------------------------------------------------------


def _part(index: int | None, said: str, finish: str = "null") -> bytes:
    number = "" if index is None else f'"index":{index},'
    return chunk(f'"choices":[{{{number}"delta":{{{said}}},"finish_reason":{finish}}}]')


SPLIT_CALL = '"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}]'


@pytest.mark.parametrize("places", [(0, 1), (0, 0), (None, None)])
def test_a_text_and_its_calls_may_come_in_two_choices(places: tuple[int | None, ...]) -> None:
    text, call = places
    response = _answer(
        _part(text, '"content":"Text"'),
        _part(call, SPLIT_CALL),
        _part(text, "", '"tool_calls"'),
        _part(call, "", '"tool_calls"'),
    )
    assert response.message.text() == "Text"
    assert [(c.id, c.name) for c in response.message.tool_calls()] == [("a", "f")]
    assert response.alternatives is None
    assert response.message.stop_reason == wg.StopReason.TOOL_USE


def test_an_answer_in_two_choices_is_written_as_one() -> None:
    data = stream(
        _part(0, '"content":"Text"'),
        _part(1, SPLIT_CALL),
        _part(0, "", '"tool_calls"'),
        _part(1, "", '"tool_calls"'),
    )
    losses: list[wg.Loss] = []
    translator = wg.StreamTranslator("openai_chat", "anthropic", losses=losses)
    made = translator.feed(data) + translator.close()
    assert b'{"type":"text_delta","text":"Text"}' in made
    assert b'"content_block":{"type":"tool_use","id":"a","name":"f","input":{}}' in made
    assert losses == []
    own = _encoded(data)
    assert b'"index":1' not in own
    assert chat.StreamDecoder().feed(own)[-1].response.message.text() == "Text"


def test_alternatives_with_and_without_calls_remain_alternatives() -> None:
    response = _answer(
        _part(0, '"content":"Text"'),
        _part(1, SPLIT_CALL),
        _part(0, "", '"stop"'),
        _part(1, "", '"tool_calls"'),
    )
    assert response.message.tool_calls() == []
    assert len(response.alternatives or ()) == 1


def test_a_plain_stop_after_calls_is_a_use_of_tools() -> None:
    message = _message(ROLE, _begun(0, "a"), STOP)
    assert (message.stop_reason, message.raw_stop_reason) == (wg.StopReason.TOOL_USE, "stop")


def test_text_after_calls_is_a_text_of_its_own() -> None:
    kinds = [type(block) for block in _message(ROLE, HI, _begun(0, "a"), HI, ENDED).content]
    assert kinds == [wg.TextBlock, wg.ToolCallBlock, wg.TextBlock]


def test_thinking_ends_where_the_text_begins() -> None:
    thought = delta('"content":null,"reasoning_content":"T"')
    message = _message(ROLE, thought, thought, HI, STOP, dialect="deepseek")
    assert message.content == [wg.ThinkingBlock("TT"), wg.TextBlock("hi")]


def test_thinking_under_two_keys_is_thought_once() -> None:
    thought = delta('"reasoning":"T","reasoning_content":"T"')
    data = stream(ROLE, thought, HI, STOP)
    (thinking,) = check_chunkings(chat, data).message.thinking()
    assert thinking.thinking == "T"
    assert b'"reasoning":"T","reasoning_content":"T"' in _encoded(data)


def test_a_signature_without_thinking_is_kept() -> None:
    detail = (
        '"reasoning_details":[{"type":"reasoning.text","signature":"s","format":"f","index":0}]'
    )
    data = stream(ROLE, delta(detail), HI, STOP)
    (thinking,) = check_chunkings(chat, data).message.thinking()
    assert (thinking.thinking, thinking.signature) == ("", "s")
    assert check_chunkings(chat, _encoded(data)) == check_chunkings(chat, data)


def test_a_summary_of_thinking_grows() -> None:
    pieces = [
        f'"reasoning_details":[{{"type":"reasoning.summary","summary":"{piece}","index":0}}]'
        for piece in ("So", " be it")
    ]
    data = stream(ROLE, *map(delta, pieces), HI, STOP)
    thinking, said = check_chunkings(chat, data).message.content
    assert isinstance(thinking, wg.ThinkingBlock)
    assert (thinking.thinking, said) == ("So be it", wg.TextBlock("hi"))
    deltas = [
        event for event in events_of(chat.StreamDecoder(), data) if type(event) is wg.ThinkingDelta
    ]
    assert deltas == [wg.ThinkingDelta(0, "So"), wg.ThinkingDelta(0, " be it")]
    assert check_chunkings(chat, _encoded(data)) == check_chunkings(chat, data)


def test_details_of_unknown_types_are_opaque() -> None:
    detail = '"reasoning_details":[{"type":"reasoning.new","data":"d","index":0,"new":1}]'
    data = stream(ROLE, delta(detail), HI, STOP)
    opaque, _ = check_chunkings(chat, data).message.content
    assert isinstance(opaque, wg.OpaqueBlock)
    assert opaque.raw.value == {"type": "reasoning.new", "data": "d", "index": 0, "new": 1}
    assert check_chunkings(chat, _encoded(data)) == check_chunkings(chat, data)


def test_a_refusal_is_a_guard_rail() -> None:
    refused = delta('"refusal":"I can"'), delta('"refusal":"not."')
    message = _message(ROLE, *refused, STOP)
    assert message.text() == "I cannot."
    assert (message.stop_reason, message.raw_stop_reason) == (wg.StopReason.GUARD_RAIL, "stop")
    assert b'"delta":{"refusal":"not."}' in _encoded(stream(ROLE, *refused, STOP))


def test_a_spoken_answer_has_its_id() -> None:
    data = stream(
        delta('"role":"assistant","audio":{"id":"audio_1","transcript":"he"}'),
        delta('"audio":{"data":"AAE="}'),
        delta('"audio":{"data":"AgM=","transcript":"y"}'),
        delta('"audio":{"expires_at":9}'),
        STOP,
    )
    (voice,) = check_chunkings(chat, data).message.content
    assert isinstance(voice, wg.AudioBlock)
    assert voice.data is not None
    assert (voice.data.to_bytes(), voice.transcript) == (b"\0\1\2\3", "hey")
    assert (
        b'"audio":{"id":"audio_1","data":"AAECAw==","expires_at":9,"transcript":"hey"}'
        in _encoded(data)
    )


def test_a_deprecated_function_call_goes_back_as_one() -> None:
    data = stream(
        ROLE,
        delta('"function_call":{"name":"f","arguments":""}'),
        delta('"function_call":{"arguments":"{}"}'),
        delta("", '"function_call"'),
    )
    assert check_chunkings(chat, data).message.stop_reason == wg.StopReason.TOOL_USE
    assert check_chunkings(chat, _encoded(data)) == check_chunkings(chat, data)
    assert b'"function_call":{"arguments":"{}"}' in _encoded(data)


def test_a_custom_call_has_its_input() -> None:
    begun = _call(0, '"id":"a","type":"custom","custom":{"name":"f","input":"4 "}')
    data = stream(ROLE, begun, _call(0, '"custom":{"input":"+ 4"}'), ENDED)
    (call,) = check_chunkings(chat, data).message.tool_calls()
    assert (call.tool_type, call.arguments.text) == ("custom", b"4 + 4")
    assert check_chunkings(chat, _encoded(data)) == check_chunkings(chat, data)


def test_a_call_of_a_kind_that_one_service_has_goes_back_as_one() -> None:
    begun = _call(0, '"id":"a","type":"builtin_function","function":{"name":"f","arguments":""}')
    data = stream(ROLE, begun, _call(0, '"function":{"arguments":"{}"}'), ENDED)
    (call,) = check_chunkings(chat, data).message.tool_calls()
    assert (call.tool_type, call.arguments.text) == ("builtin_function", b"{}")
    assert b'"id":"a","type":"builtin_function","function":{"name":"f"' in _encoded(data)
    assert check_chunkings(chat, _encoded(data)) == check_chunkings(chat, data)


def test_keys_of_a_call_that_nobody_knows_go_out_where_they_belong() -> None:
    begun = _call(0, '"id":"a","j":1,"type":"function","function":{"name":"f","k":2}')
    data = stream(ROLE, begun, _call(0, '"function":{"arguments":"{}","l":3}'), ENDED)
    assert b'"tool_calls":[{"index":0,"j":1,"function":{"k":2,"l":3}}]' in _encoded(data)
    assert check_chunkings(chat, _encoded(data)) == check_chunkings(chat, data)


def test_what_a_call_began_with_is_not_said_at_its_end() -> None:
    """Clients add up the strings of deltas: an id that came twice would be another id."""
    untyped: wg.Extras = {API: wg.Extra({}, {"type": None})}
    begun = wg.ToolCallBlock("a", "f", "", extras=untyped)
    whole = wg.ToolCallBlock("b", "g", "", extras={API: wg.Extra({"index": 7, "new": 1})})
    encoder = chat.StreamEncoder()
    encoder.encode(wg.StreamStart(wg.Response(wg.AssistantMessage([], api=API))))
    encoder.encode(wg.BlockStart(0, begun))
    made = encoder.encode(wg.BlockEnd(0, whole))
    assert b'"tool_calls":[{"index":0,"new":1}]' in made


@pytest.mark.parametrize("place", ["before the finish", "with it", "after it", "in `x_groq`"])
def test_the_usage_may_stand_anywhere(place: str) -> None:
    usage = '"usage":{"prompt_tokens":3,"completion_tokens":4,"total_tokens":7}'
    finish = '"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]'
    ends = {
        "before the finish": (USAGE, STOP),
        "with it": (chunk(f"{finish},{usage}"),),
        "after it": (STOP, USAGE),
        "in `x_groq`": (chunk(f'{finish},"x_groq":{{"id":"r",{usage}}}'),),
    }
    found = _message(ROLE, HI, *ends[place]).usage
    assert found is not None
    assert (found.input, found.output, found.total_tokens) == (3, 4, 7)


def test_further_choices_are_alternatives() -> None:
    data = stream(
        ROLE,
        delta('"role":"assistant","content":""', index=1),
        HI,
        delta('"content":"ho"', index=1),
        delta(
            '"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}]', index=1
        ),
        STOP,
        delta("", '"length"', index=1),
    )
    response = check_chunkings(chat, data)
    assert response.message.content == [wg.TextBlock("hi")]
    (other,) = response.alternatives or ()
    assert other.content == [wg.TextBlock("ho"), wg.ToolCallBlock("a", "f", "{}")]
    assert (other.stop_reason, other.raw_stop_reason) == (wg.StopReason.LENGTH, "length")
    made = _encoded(data)
    _check(made)
    assert check_chunkings(chat, made) == response


def test_keys_that_nobody_knows_belong_to_the_answer() -> None:
    response = _answer(
        ROLE,
        HI,
        delta('"channel":"final"', more=',"token_ids":[1]'),
        STOP,
        chunk('"choices":[],"timings":{"n":1}'),
    )
    assert response.extras is not None
    assert response.extras[API].keys.value == {"choices": [{"token_ids": [1]}]}
    assert response.extras[API].spelling is not None
    assert response.extras[API].spelling.value == {"timings": {"n": 1}}
    assert response.message.extras is not None
    assert response.message.extras[API].keys.value == {"channel": "final"}


def test_padding_is_no_part_of_the_answer() -> None:
    padded = chunk('"choices":[{"index":0,"delta":{"content":"hi"}}],"obfuscation":"abc"')
    assert _answer(ROLE, padded, STOP).extras is None


def test_a_message_that_repeats_its_deltas_is_no_part_of_the_answer() -> None:
    repeated = delta('"content":"hi"', more=',"message":{"role":"assistant","content":"hi"}')
    assert _message(ROLE, repeated, STOP).content == [wg.TextBlock("hi")]


def test_events_of_other_kinds_are_skipped() -> None:
    others = b'data: {"type":"ping"}\n\n', b": keep-alive\n\n", b"data: \n\n", b"event: ping\n\n"
    assert _message(ROLE, *others, HI, STOP).content == [wg.TextBlock("hi")]


def test_a_head_that_comes_late_is_read() -> None:
    empty = chunk(
        '"choices":[],"prompt_filter_results":[]', '"id":"","object":"","created":0,"model":""'
    )
    start, *_ = chat.StreamDecoder().feed(empty + ROLE + HI)
    assert type(start) is wg.StreamStart
    assert (start.response.id, start.response.message.model) == ("chatcmpl-1", "gpt-5")


def test_a_model_that_comes_late_is_written_at_the_end() -> None:
    model = b',"model":"gpt-5"'
    made = _encoded(stream(ROLE, HI, STOP).replace(model, b"", 2))
    assert [model in frame for frame in made.split(b"\n\n")] == [False, False, True, False, False]
    assert check_chunkings(chat, made).message.model == "gpt-5"


def test_the_end_may_be_missing_after_a_finish_reason() -> None:
    decoder = chat.StreamDecoder()
    decoder.feed(ROLE + HI + STOP)
    assert decoder.close().message.content == [wg.TextBlock("hi")]


def test_the_finish_reason_may_be_missing_before_the_end() -> None:
    message = _message(ROLE, HI)
    assert (message.content, message.stop_reason) == ([wg.TextBlock("hi")], None)


@pytest.mark.parametrize("data", [b"", b"data: [DONE]\n\n", ROLE + HI], ids=repr)
def test_a_stream_without_an_answer_is_an_error(data: bytes) -> None:
    decoder = chat.StreamDecoder()
    decoder.feed(data)
    with pytest.raises(wg.StreamError, match="ended before the answer did"):
        decoder.close()


def test_a_known_event_with_bad_data_is_an_error() -> None:
    decoder = chat.StreamDecoder()
    with pytest.raises(wg.StreamError) as caught:
        events_of(decoder, ROLE + delta('"content":7'))
    reason = "expected `str | null`, got `int` - at `$[1].choices[0].delta.content`"
    assert str(caught.value) == f"openai_chat: {reason}"


ERRORS = {
    "alone": b'data: {"error":{"message":"busy","type":"overloaded_error"}}\n\n',
    "beside a choice": chunk(
        '"choices":[{"index":0,"delta":{},"finish_reason":"error"}],'
        '"error":{"message":"busy","code":503}'
    ),
    "in a choice": delta("", '"error"', more=',"error":{"message":"busy","code":503}'),
}


@pytest.mark.parametrize("place", ERRORS)
def test_an_error_in_the_stream_is_the_last_event(place: str) -> None:
    decoder = chat.StreamDecoder()
    *_, failure = decoder.feed(ROLE + HI + ERRORS[place])
    assert type(failure) is wg.StreamFailure
    assert (failure.kind, failure.message) == ("overloaded", "busy")
    assert decoder.finish() == []
    assert decoder.message.content == [wg.TextBlock("hi")]
    with pytest.raises(wg.ProviderError, match="busy"):
        decoder.close()
    assert chat.StreamEncoder().encode(failure) == ERRORS[place]


def test_what_follows_the_end_is_left_alone() -> None:
    data = stream(ROLE, HI, STOP) + ERRORS["alone"]
    assert check_chunkings(chat, data).message.content == [wg.TextBlock("hi")]


def test_an_encoder_takes_nothing_after_the_end() -> None:
    encoder = chat.StreamEncoder()
    end = wg.StreamEnd(wg.Response(wg.AssistantMessage([])))
    encoder.encode(end)
    with pytest.raises(wg.EncodeError, match="after the end of the stream"):
        encoder.encode(end)


@pytest.mark.parametrize(
    "content",
    [
        '"reasoning_content":"a"',
        '"tool_calls":[{"index":0,"id":"c","function":{"name":"f","arguments":"a"}}]',
    ],
)
def test_only_the_first_chunk_costs_the_start_of_an_answer(content: str) -> None:
    decoder = chat.StreamDecoder()
    one = delta(content)
    decoder.feed(one)
    decoder.feed(one)
    functions: list[str] = []
    sys.setprofile(lambda frame, event, _: functions.append(frame.f_code.co_name))
    try:
        decoder.feed(one)
    finally:
        sys.setprofile(None)
    assert "_on_delta" in functions
    assert "_begun" not in functions
    assert "answer" not in functions


def test_what_a_router_says_of_the_end_is_kept_though_the_api_says_nothing() -> None:
    """The choice has no `finish_reason`, but more of the text."""
    more = chunk(
        '"choices":[{"index":0,"delta":{"content":"!"},"finish_reason":null,'
        '"native_finish_reason":"eos"}]'
    )
    answer = _answer(ROLE, HI, more, STOP)
    assert answer.message.text() == "hi!"
    assert b'"native_finish_reason":"eos"' in wg.json.encode(answer)


def test_a_line_end_in_a_key_of_the_answer_goes_out_as_a_further_line_of_data() -> None:
    extra = wg.Extra(wg.RawJson(b'{"provider":{"a":\n1}}'))
    begun = wg.Response(wg.AssistantMessage([]), id="a", extras={API: extra})
    encoder = chat.StreamEncoder()
    encoder.encode(wg.StreamStart(begun))
    encoder.encode(wg.BlockStart(0, wg.TextBlock("")))
    assert encoder.encode(wg.TextDelta(0, "hi")) == (
        b'data: {"id":"a","object":"chat.completion.chunk","created":0,"model":"",'
        b'"provider":{"a":\ndata: 1},"choices":[{"index":0,"delta":{"content":"hi"},'
        b'"logprobs":null,"finish_reason":null}]}\n\n'
    )


def _delta(said: str, finish: str = "null") -> bytes:
    choice = f'{{"index":0,"delta":{said},"finish_reason":{finish}}}'
    head = '"id":"c","object":"chat.completion.chunk","created":1,"model":"m"'
    return f'data: {{{head},"choices":[{choice}]}}\n\n'.encode()


def test_sources_belong_to_the_piece_of_the_text_that_they_are_in() -> None:
    source = '{"type":"url_citation","url_citation":{"url":"https://x.org/%s","title":"T",%s}}'
    first = source % ("1", '"start_index":0,"end_index":2')
    both = source % ("2", '"start_index":1,"end_index":5')
    last = source % ("3", '"start_index":3,"end_index":5')
    data = b"".join(
        [
            _delta('{"content":"Hi "}'),
            _begun(0, "c", arguments="{}"),
            _delta('{"content":"Ho"}'),
            _delta(f'{{"annotations":[{first},{both},{last}]}}'),
            _delta("{}", '"tool_calls"'),
        ]
    )
    decoder = chat.StreamDecoder()
    events = [*decoder.feed(data), *decoder.feed(b"data: [DONE]\n\n")]
    one, _, two = decoder.close().message.content
    assert one == wg.TextBlock(
        "Hi ",
        annotations=[
            wg.AnnotationRef("https://x.org/1", "T", start=0, end=2),
            wg.AnnotationRef("https://x.org/2", "T", start=1, end=3),
        ],
    )
    assert two == wg.TextBlock(
        "Ho", annotations=[wg.AnnotationRef("https://x.org/3", "T", start=0, end=2)]
    )
    screen = wg.Accumulator()
    for event in events:
        screen.add(event)
    assert screen.message.content == [one, decoder.message.content[1], two]


def test_reasoning_beside_details_without_text_is_told() -> None:
    encrypted = '{"reasoning_details":[{"type":"reasoning.encrypted","data":"ENC","index":0}]}'
    chunks = [_delta(encrypted), _delta('{"reasoning":"Hm"}'), _delta('{"content":"Hi"}', '"stop"')]
    message = _message(*chunks)
    assert [getattr(block, "thinking", None) for block in message.content] == ["", "Hm", None]


def test_empty_reasoning_beside_details_without_text_is_no_block() -> None:
    encrypted = '"reasoning_details":[{"type":"reasoning.encrypted","data":"ENC","index":0}]'
    chunks = [_delta(f'{{"reasoning":"",{encrypted}}}'), _delta('{"content":"Hi"}', '"stop"')]
    assert [block.type for block in _message(*chunks).content] == ["thinking", "text"]


def test_reasoning_beside_an_encrypted_detail_is_there_when_the_connection_breaks() -> None:
    encrypted = '"reasoning_details":[{"type":"reasoning.encrypted","data":"ENC","index":0}]'
    decoder = chat.StreamDecoder()
    decoder.feed(_delta(f'{{"reasoning":"Hm",{encrypted}}}') + _delta('{"reasoning":" hm"}'))
    with pytest.raises(wg.StreamError):
        decoder.finish()
    assert [getattr(block, "thinking", None) for block in decoder.message.content] == ["", "Hm hm"]


def test_a_place_that_is_not_in_the_piece_of_its_source_is_left_out() -> None:
    source = '{"type":"url_citation","url_citation":{"url":"https://x.org","title":"T",%s}}'
    places = ["9,1", "50,60", "-1,2", "4,5", "4,null"]
    told = ",".join(
        source % '"start_index":{},"end_index":{}'.format(*place.split(",")) for place in places
    )
    pieces = [
        _delta('{"content":"Hi "}'),
        _begun(0, "c", arguments="{}"),
        _delta('{"content":"Ho"}'),
    ]
    data = b"".join([*pieces, _delta(f'{{"annotations":[{told}]}}'), _delta("{}", '"tool_calls"')])
    decoder = chat.StreamDecoder()
    decoder.feed(data + b"data: [DONE]\n\n")
    one, _, two = decoder.close().message.content
    assert isinstance(one, wg.TextBlock)
    assert isinstance(two, wg.TextBlock)
    assert [(ref.start, ref.end) for ref in one.annotations or ()] == [(None, None)]
    assert [(ref.start, ref.end) for ref in two.annotations or ()] == [
        (None, None),
        (None, None),
        (1, 2),
        (1, None),
    ]


@pytest.mark.parametrize("is_divided", [False, True])
def test_sources_of_chat_that_no_other_api_has_go_back_without_a_loss(is_divided: bool) -> None:
    file = '{"type":"file","file":{"hash":"h","name":"n","content":[]}}'
    second = _delta('{"content":"Ho"}') if is_divided else b""
    pieces = [_delta('{"content":"Hi"}'), _begun(0, "c", arguments="{}"), second]
    data = b"".join([*pieces, _delta(f'{{"annotations":[{file}]}}'), _delta("{}", '"tool_calls"')])
    translator = wg.StreamTranslator("openai_chat", "openai_chat")
    made = translator.feed(data + b"data: [DONE]\n\n") + translator.close()
    assert f'"annotations":[{file}]'.encode() in made


def test_an_error_of_groq_beside_its_chunk_breaks_the_stream_off() -> None:
    decoder = wg.providers.openai_chat.StreamDecoder(dialect="groq")
    events = decoder.feed(
        b'data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":'
        b'[{"index":0,"delta":{"role":"assistant","content":"Hi"}}],"x_groq":{"id":"r"}}\n\n'
        b'data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":'
        b'[{"index":0,"delta":{},"finish_reason":"stop"}],"x_groq":{"id":"r","error":"full"}}\n\n'
    )
    failure = events[-1]
    assert type(failure) is wg.StreamFailure
    assert (failure.kind, failure.message) == ("server", "full")
