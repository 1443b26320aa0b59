"""The event stream of Mistral's wire -> events, and back."""

import json
from typing import Any

import pytest

import wireglot as wg
from tests.providers.mistral.pieces import API, OTHER, answer, call, extras, judge_stream, spelled
from tests.providers.streams import check_chunkings, check_truncations, events_of
from wireglot.model import events

mistral = wg.providers.mistral

HEAD = '"id":"i","object":"chat.completion.chunk","created":7,"model":"m"'
USAGE = '"usage":{"prompt_tokens":9,"completion_tokens":3,"total_tokens":12}'
CALL = '{"index":0,"id":"aaaaaaaa1","type":"function","function":{"name":"f","arguments":"{}"}}'
CLOSED = '"closed":true,'
DONE = "data: [DONE]\n\n"


def frame(delta: str, word: str | None = None, *, index: int = 0, more: str = "") -> str:
    """Return the frame of a delta; `more` are keys of the choice."""
    ended = f'"{word}"' if word else "null"
    inner = f'{{"index":{index},"delta":{{{delta}}},"finish_reason":{ended}{more}}}'
    return f'data: {{{HEAD},"choices":[{inner}]}}\n\n'


def text(words: str) -> str:
    return frame(f'"content":{json.dumps(words)}')


def thought(words: str, more: str = "", first: str = "") -> str:
    parts = f'{{"type":"text","text":{json.dumps(words)}}}' if words else ""
    return frame(f'"content":[{{{first}"type":"thinking","thinking":[{parts}]{more}}}]')


def bare(made: str, name: str = "f") -> wg.ToolCallBlock:
    """Return a call that came without an id, and got one."""
    return call(made, name=name, extras={API: wg.Extra({}, {"id": None})})


def calls(*given: str) -> str:
    return frame(f'"tool_calls":[{",".join(given)}]')


def end(word: str = "stop", delta: str = '"content":""') -> str:
    return frame(delta, word).removesuffix("}\n\n") + f",{USAGE}}}\n\n" + DONE


def called(*given: str) -> str:
    """Return the end of an answer, whose delta has all calls."""
    return end("tool_calls", f'"content":"","tool_calls":[{",".join(given)}]')


def fragment(arguments: str, index: int = 0, more: str = "") -> str:
    function = f'{{"name":"","arguments":{json.dumps(arguments)}}}'
    return f'{{"index":{index},{more}"function":{function}}}'


def begun(call_id: str, index: int = 0, arguments: str = "", name: str = "f") -> str:
    return fragment(arguments, index, f'"id":"{call_id}",').replace('""', f'"{name}"', 1)


START = frame('"role":"assistant","content":""')
HI = START + text("Hel") + text("lo") + end()

# As the encoder writes them, and with the events that they stand for.
BOTH_WAYS: dict[str, tuple[str, list[wg.Content]]] = {
    "a text": (HI, [wg.TextBlock("Hello")]),
    "nothing": (START + end("length"), []),
    "thinking, and a text": (
        START + thought("Hm") + thought(".") + text("x") + end(),
        [wg.ThinkingBlock("Hm."), wg.TextBlock("x")],
    ),
    "thinking that is signed and closed": (
        START + thought("Hm") + thought("", ',"signature":"s"', CLOSED) + text("x") + end(),
        [wg.ThinkingBlock("Hm", "s", extras=spelled(closed=True)), wg.TextBlock("x")],
    ),
    "two thoughts, each closed": (
        START
        + thought("a")
        + thought("", first=CLOSED)
        + thought("b")
        + thought("", first=CLOSED)
        + end(),
        [
            wg.ThinkingBlock("a", extras=spelled(closed=True)),
            wg.ThinkingBlock("b", extras=spelled(closed=True)),
        ],
    ),
    "a text, and two calls": (
        START + text("x") + called(CALL, CALL.replace("0", "1", 1).replace("a1", "a2")),
        [wg.TextBlock("x"), call(), call("aaaaaaaa2")],
    ),
    "arguments as the model wrote them": (
        START + called(CALL.replace('"{}"', r'"{\"x\": 1e2,"')),
        [call(arguments='{"x": 1e2,')],
    ),
    "arguments that are an object": (
        START + called(CALL.replace('"{}"', '{"a": 1e2}')),
        [call(arguments='{"a": 1e2}', extras=spelled(function={"arguments": {}}))],
    ),
    "a call of a type of its own": (
        START + called(CALL.replace('"type":"function"', '"type":"builtin"')),
        [call(extras={API: wg.Extra({"type": "builtin"}, {"type": "builtin"})})],
    ),
    "a reference between texts": (
        START
        + text("a")
        + frame('"content":[{"type":"reference","reference_ids":[1]}]')
        + text("b")
        + end(),
        [
            wg.TextBlock("a"),
            wg.OpaqueBlock(API, wg.RawJson('{"type":"reference","reference_ids":[1]}')),
            wg.TextBlock("b"),
        ],
    ),
}


def decoded(stream: str) -> wg.Response:
    decoder = mistral.StreamDecoder()
    decoder.feed(stream.encode())
    response: wg.Response = decoder.close()
    return response


def encoded(given: list[events.StreamEvent], losses: list[wg.Loss] | None = None) -> bytes:
    encoder = mistral.StreamEncoder(losses=losses)
    return b"".join([encoder.encode(event) for event in given]) + encoder.close()


@pytest.mark.parametrize(("stream", "content"), BOTH_WAYS.values(), ids=BOTH_WAYS)
def test_both_ways(stream: str, content: list[wg.Content]) -> None:
    data = stream.encode()
    judge_stream(data)
    response = check_chunkings(mistral, data)
    check_truncations(mistral, data)
    assert response.message.content == content
    assert encoded(events_of(mistral.StreamDecoder(), data)) == data


@pytest.mark.parametrize(("stream", "content"), BOTH_WAYS.values(), ids=BOTH_WAYS)
def test_a_stream_and_its_twin_are_one(stream: str, content: list[wg.Content]) -> None:
    response = decoded(stream)
    assert mistral.decode_response(mistral.encode_response(response)).message.content == content
    if stream is HI:
        said = '{"index":0,"message":{"content":"Hello"},"finish_reason":"stop"}'
        twin = f'{{{HEAD.replace(".chunk", "")},"choices":[{said}],{USAGE}}}'
        assert mistral.decode_response(twin) == response


def test_the_events_of_a_text() -> None:
    found = events_of(mistral.StreamDecoder(), HI.encode())
    whole = wg.TextBlock("Hello")
    assert [type(event) for event in found[:1] + found[-2:]] == [
        events.StreamStart,
        events.UsageUpdate,
        events.StreamEnd,
    ]
    assert found[1:-2] == [
        events.BlockStart(0, wg.TextBlock("")),
        events.TextDelta(0, "Hel"),
        events.TextDelta(0, "lo"),
        events.BlockEnd(0, whole),
    ]
    start, response = found[0].response, found[-1].response
    assert (start.id, start.created_at, start.message.model) == ("i", 7000, "m")
    assert start.message.content == []
    assert response.message.content == [whole]
    assert response.message.stop_reason == wg.StopReason.STOP
    assert response.message.usage.input == 9


def test_the_events_of_a_call() -> None:
    stream = START + calls(CALL) + end("tool_calls")
    found = events_of(mistral.StreamDecoder(), stream.encode())
    assert found[1:-2] == [
        events.BlockStart(0, call(arguments="")),
        events.ArgumentsDelta(0, "{}"),
        events.BlockEnd(0, call()),
    ]
    assert found[-1].response.message.stop_reason == wg.StopReason.TOOL_USE


# What the API writes otherwise than the encoder does, and what servers do that should not.

ODD: dict[str, tuple[str, list[wg.Content]]] = {
    "padding, and keys that are null": (
        START + text("x").replace('"choices"', '"p":"abc","usage":null,"choices"') + end(),
        [wg.TextBlock("x")],
    ),
    "comments, and lines that end in CRLF": (
        (": hi\n\n" + HI).replace("\n", "\r\n"),
        [wg.TextBlock("Hello")],
    ),
    "events of other kinds": (
        START + 'data: {"object":"ping"}\n\n' + "data: {}\n\n" + text("x") + end(),
        [wg.TextBlock("x")],
    ),
    "a text with the end": (START + end(delta='"content":"x"'), [wg.TextBlock("x")]),
    "a call with the end": (
        START + end("tool_calls", f'"content":null,"tool_calls":[{CALL}]'),
        [call()],
    ),
    "counts before the end": (
        START + text("x").replace("}]}", f"}}],{USAGE}}}") + frame("", "stop") + DONE,
        [wg.TextBlock("x")],
    ),
    "counts after the end": (
        START + text("x") + frame("", "stop") + f'data: {{{HEAD},"choices":[],{USAGE}}}\n\n' + DONE,
        [wg.TextBlock("x")],
    ),
    "no last word": (HI.removesuffix(DONE), [wg.TextBlock("Hello")]),
    "texts in lists": (
        START
        + frame('"content":[{"type":"text","text":"Hel"}]')
        + frame('"content":[{"type":"text","text":""},{"type":"text","text":"lo"}]')
        + end(),
        [wg.TextBlock("Hello")],
    ),
    "a text with keys of its own": (
        START + text("Hel") + frame('"content":[{"type":"text","text":"lo","k":1}]') + end(),
        [wg.TextBlock("Hello", extras=extras(k=1))],
    ),
    "a thought of nothing": (START + thought("") + text("x") + end(), [wg.TextBlock("x")]),
    "a thought that comes whole": (
        START + thought("a", ',"closed":true') + thought("b", ',"closed":true') + end(),
        [
            wg.ThinkingBlock("a", extras=spelled(closed=True)),
            wg.ThinkingBlock("b", extras=spelled(closed=True)),
        ],
    ),
    "a thought with a reference in it": (
        START
        + thought("a")
        + frame(
            '"content":[{"type":"thinking","thinking":[{"type":"reference","reference_ids":[]}]}]'
        )
        + end(),
        [
            wg.ThinkingBlock("a"),
            wg.OpaqueBlock(
                API,
                wg.RawJson(
                    '{"type":"thinking","thinking":[{"type":"reference","reference_ids":[]}]}'
                ),
            ),
        ],
    ),
    "a chunk of a kind that is not known": (
        START + frame('"content":[{"type":"resource_link","uri":"a:b"}]') + end(),
        [wg.OpaqueBlock(API, wg.RawJson('{"type":"resource_link","uri":"a:b"}'))],
    ),
    "a call without type and number": (
        START
        + calls('{"id":"aaaaaaaa1","function":{"name":"f","arguments":"{}"}}')
        + end("tool_calls"),
        [call()],
    ),
    "a call in fragments": (
        START
        + calls(begun("aaaaaaaa1"))
        + calls(fragment('{"a":'))
        + calls(fragment("1}"))
        + end("tool_calls"),
        [call(arguments='{"a":1}')],
    ),
    "fragments without a number, or with the id again": (
        START
        + calls('{"id":"aaaaaaaa1","function":{"name":"f"}}')
        + calls('{"function":{"arguments":"{"}}')
        + calls('{"id":"aaaaaaaa1","function":{"arguments":"}"}}')
        + end("tool_calls"),
        [call()],
    ),
    "fragments of two calls by turns": (
        START
        + calls(begun("aaaaaaaa1", 0, "{"), begun("aaaaaaaa2", 1, "[", "g"))
        + calls(fragment("}", 0))
        + calls(fragment("]", 1))
        + end("tool_calls"),
        [call(), call("aaaaaaaa2", "[]", "g")],
    ),
    "parallel calls that all have number 0": (
        START
        + calls(CALL)
        + calls(CALL.replace("a1", "a2"))
        + calls(CALL.replace("a1", "a3"))
        + end("tool_calls"),
        [call(), call("aaaaaaaa2"), call("aaaaaaaa3")],
    ),
    "calls without ids": (
        START
        + calls('{"function":{"name":"f","arguments":"{}"}}')
        + calls('{"function":{"name":"g","arguments":"{}"}}')
        + end("tool_calls"),
        [bare("call_5eb54f8392f3_0"), bare("call_5eb54f8392f3_1", "g")],
    ),
    "a call without arguments": (
        START + calls(begun("aaaaaaaa1")) + end("tool_calls"),
        [call()],
    ),
    "a call with keys of its own, in any fragment": (
        START
        + calls(begun("aaaaaaaa1").replace("{", '{"j":1,', 1))
        + calls(fragment("{}").replace("{", '{"k":2,', 1))
        + end("tool_calls"),
        [call(extras=extras(j=1, k=2))],
    ),
    "a text between the fragments of a call": (
        START
        + text("a")
        + calls(begun("aaaaaaaa1", 0, "{"))
        + text("b")
        + calls(fragment("}"))
        + end("tool_calls"),
        [wg.TextBlock("a"), call(), wg.TextBlock("b")],
    ),
    "a text after the end": (
        START + text("a") + frame("", "stop") + text("b") + DONE,
        [wg.TextBlock("a"), wg.TextBlock("b")],
    ),
    "what follows the last word": (HI + text("!"), [wg.TextBlock("Hello")]),
}


@pytest.mark.parametrize(("stream", "content"), ODD.values(), ids=ODD)
def test_what_comes_otherwise(stream: str, content: list[wg.Content]) -> None:
    response = check_chunkings(mistral, stream.encode())
    assert response.message.content == content
    again = encoded(events_of(mistral.StreamDecoder(), stream.encode()))
    message = decoded(again.decode()).message
    assert message.text() == response.message.text()
    assert message.thinking() == response.message.thinking()
    assert message.tool_calls() == response.message.tool_calls()
    if b'"k"' not in again and b'"ping"' not in again:
        judge_stream(again)


@pytest.mark.parametrize("name", ["counts before the end", "counts after the end"])
def test_counts_may_stand_anywhere(name: str) -> None:
    usage = decoded(ODD[name][0]).message.usage
    assert usage is not None
    assert (usage.input, usage.output) == (9, 3)


def test_candidates_are_gathered_without_events() -> None:
    stream = (
        START
        + frame('"role":"assistant","content":""', index=1)
        + text("yes")
        + frame('"content":"n"', index=1)
        + frame('"content":"o"', index=1)
        + frame("", "stop")
        + frame(f'"tool_calls":[{CALL}]', index=1)
        + end("stop").replace('"index":0', '"index":1')
    )
    data = stream.encode()
    response = check_chunkings(mistral, data)
    found = events_of(mistral.StreamDecoder(), data)
    assert [event for event in found if type(event) is events.TextDelta] == [
        events.TextDelta(0, "yes")
    ]
    assert response.message.text() == "yes"
    assert response.alternatives is not None
    other = response.alternatives[0]
    assert other.content == [wg.TextBlock("no"), call()]
    assert other.stop_reason == wg.StopReason.TOOL_USE
    again = encoded(found)
    judge_stream(again)
    assert decoded(again.decode()) == response
    assert mistral.decode_response(mistral.encode_response(response)) == response


def test_the_end_of_one_candidate_is_not_that_of_all() -> None:
    stream = START + frame('"content":"n"', index=1) + frame("", "stop")
    with pytest.raises(wg.StreamError):
        decoded(stream)


def test_keys_that_have_no_field() -> None:
    logged = ',"logprobs":{"content":[{"token":"%s"}]}'
    stream = (
        frame('"role":"assistant","content":"","x":1', more=logged % "a").replace(
            '"choices"', '"system_fingerprint":"f","choices"'
        )
        + frame('"content":"yes"', more=logged % "b")
        + end()
    )
    response = check_chunkings(mistral, stream.encode())
    assert response.message.extras == extras(x=1)
    assert response.extras is not None
    assert response.extras[API].keys.value == {
        "system_fingerprint": "f",
        "choices": [{"logprobs": {"content": [{"token": "a"}, {"token": "b"}]}}],
    }
    again = encoded(events_of(mistral.StreamDecoder(), stream.encode()))
    assert decoded(again.decode()) == response


# Errors

FULL = '{"object":"error","message":"Full","type":"service_tier_capacity_exceeded","code":"3505"}'
FAILED = {
    "as data": f"data: {FULL}\n\n",
    "as an event": f"event: error\ndata: {FULL}\n\n",
    "without a type": 'data: {"detail":"Full"}\n\n',
    "of a message alone": 'data: {"message":"Full"}\n\n',
    "inside an object": f'data: {{"error":{FULL}}}\n\n',
}


@pytest.mark.parametrize("failure", FAILED.values(), ids=FAILED)
def test_an_error_in_a_stream(failure: str) -> None:
    decoder = mistral.StreamDecoder()
    found = decoder.feed((START + text("x") + failure + text("y")).encode())
    kinds = [events.TextDelta, events.BlockEnd, events.StreamFailure]
    assert [type(event) for event in found[-3:]] == kinds
    assert found[-1].message == "Full"
    with pytest.raises(wg.ProviderError, match="Full"):
        decoder.close()
    assert decoder.message.text() == "x"
    again = mistral.StreamDecoder()
    data = b"".join(map(mistral.StreamEncoder().encode, found))
    judge_stream(data)
    assert again.feed(data)[-1] == found[-1]


def test_an_error_of_another_api() -> None:
    given = events.StreamFailure("overloaded", "Full", wire="anthropic")
    assert mistral.StreamEncoder().encode(given) == (
        b'event: error\ndata: {"object":"error","message":"Full",'
        b'"type":"service_tier_capacity_exceeded","param":null,"code":null,'
        b'"raw_status_code":503}\n\n'
    )


def test_an_error_that_is_no_object_is_written_as_one() -> None:
    given = events.StreamFailure.of(wg.ProviderError("server", "Full", wire="mistral", body=b"[1]"))
    data = mistral.StreamEncoder().encode(given)
    assert mistral.StreamDecoder().feed(data)[0].message == "Full"


BROKEN: dict[str, tuple[str, str]] = {
    "no JSON": (START + "data: {\n\n", "$[1]"),
    "a text that is a number": (START + frame('"content":1'), "$[1].choices[0].delta.content"),
    "an object of no name": (START.replace('"chat.completion.chunk"', "5"), "$[0].object"),
    "a last word before the end": (START + text("x") + DONE, "$[2]"),
    "arguments before their call": (
        START + calls(fragment("{}")) + end("tool_calls"),
        "$[2]",
    ),
    "arguments after the end of their call": (
        START + calls(CALL) + frame("", "tool_calls") + calls(fragment("{}")),
        "$[3]",
    ),
    "arguments that are a number": (
        START + calls(CALL.replace('"{}"', "1")),
        "$[1].choices[0].delta.tool_calls",
    ),
}


@pytest.mark.parametrize(("stream", "path"), BROKEN.values(), ids=BROKEN)
def test_a_stream_that_breaks_its_own_rules(stream: str, path: str) -> None:
    with pytest.raises(wg.StreamError) as caught:
        decoded(stream + end())
    assert caught.value.path == path


# Events of other APIs

TEXT = [
    events.StreamStart(wg.Response(wg.AssistantMessage([], model="m%@", api=OTHER))),
    events.BlockStart(0, wg.TextBlock("")),
    events.TextDelta(0, 'a"\n%'),
    events.BlockEnd(0, wg.TextBlock('a"\n%')),
]
HEAD_OF_OTHERS = (
    '"id":"8fec514c694ceeea4dd7c14c","object":"chat.completion.chunk","created":0,"model":"m%@"'
)


def ended(*content: Any, **fields: Any) -> events.StreamEnd:
    return events.StreamEnd(wg.Response(answer(*content, api=OTHER, model="m%@", **fields)))


def test_a_text_of_another_api() -> None:
    data = encoded([*TEXT, ended('a"\n%', usage=wg.Usage(input=9, output=3))])
    expected = START + text('a"\n%') + end()
    assert data.decode() == expected.replace(HEAD, HEAD_OF_OTHERS)
    judge_stream(data)


def test_a_call_of_another_api_goes_whole() -> None:
    begun = call("call_abc", arguments="")
    given = call("call_abc", '{"a": 1}')
    data = encoded(
        [
            TEXT[0],
            events.BlockStart(0, begun),
            events.ArgumentsDelta(0, '{"a":'),
            events.ArgumentsDelta(0, " 1}"),
            events.BlockEnd(0, given),
            ended(given, stop_reason=wg.StopReason.TOOL_USE, usage=wg.Usage(input=9, output=3)),
        ]
    )
    sent = CALL.replace("aaaaaaaa1", "7QGXLTwWj").replace("{}", r"{\"a\": 1}")
    expected = START + called(sent)
    assert data.decode() == expected.replace(HEAD, HEAD_OF_OTHERS)
    judge_stream(data)


def test_parts_of_thinking_that_had_no_deltas_go_at_the_end_of_their_block() -> None:
    block = wg.ThinkingBlock("", details=["a", "b"])
    data = encoded(
        [
            TEXT[0],
            events.BlockStart(0, wg.ThinkingBlock("")),
            events.BlockEnd(0, block),
            ended(block),
        ]
    )
    judge_stream(data)
    assert decoded(data.decode()).message.content == [wg.ThinkingBlock("ab")]


LOST: dict[str, tuple[list[events.StreamEvent], str]] = {
    "a signature": (
        [
            events.BlockStart(0, wg.ThinkingBlock("")),
            events.ThinkingDelta(0, "hm"),
            events.BlockEnd(0, wg.ThinkingBlock("hm", "s")),
            ended(wg.ThinkingBlock("hm", "s")),
        ],
        "signature",
    ),
    "annotations": (
        [
            events.BlockStart(0, wg.TextBlock("")),
            events.CitationDelta(0, wg.AnnotationRef("https://x.org")),
            events.BlockEnd(0, wg.TextBlock("x", [wg.AnnotationRef("https://x.org")])),
            ended("x"),
        ],
        "annotation",
    ),
    "a film": (
        [
            events.BlockStart(0, wg.VideoBlock(url="https://x.org")),
            events.BlockEnd(0, wg.VideoBlock(url="https://x.org")),
            ended("x"),
        ],
        "video",
    ),
    "a reason": ([ended(stop_reason=wg.StopReason.GUARD_RAIL)], "stop reason"),
}


@pytest.mark.parametrize(("given", "what"), LOST.values(), ids=LOST)
def test_what_a_stream_loses(given: list[events.StreamEvent], what: str) -> None:
    with pytest.raises(wg.LossError):
        encoded([TEXT[0], *given])
    losses: list[wg.Loss] = []
    judge_stream(encoded([TEXT[0], *given], losses))
    assert [loss.what for loss in losses] == [what]


def test_half_of_a_surrogate_pair_is_mended_for_those_who_ask() -> None:
    encoder = mistral.StreamEncoder()
    encoder.encode(TEXT[0])
    with pytest.raises(wg.EncodeError):
        encoder.encode(events.TextDelta(0, "\ud83d"))
    losses: list[wg.Loss] = []
    encoder = mistral.StreamEncoder(losses=losses)
    encoder.encode(TEXT[0])
    assert b"\xef\xbf\xbd" in encoder.encode(events.TextDelta(0, "\ud83d"))
    assert len(losses) == 1


def test_a_stream_that_has_not_ended_is_not_closed() -> None:
    encoder = mistral.StreamEncoder()
    encoder.encode(TEXT[0])
    with pytest.raises(wg.EncodeError, match="closed before the end"):
        encoder.close()


X = r"{\"x\":1}"
LATE = {
    "the id late": (
        '"function":{"name":"f","arguments":""}',
        f'"id":"aaaaaaaa1","function":{{"arguments":"{X}"}}',
    ),
    "an empty id first": (
        '"id":"","function":{"name":"f","arguments":""}',
        f'"id":"aaaaaaaa1","function":{{"arguments":"{X}"}}',
    ),
    "the name late": (
        '"id":"aaaaaaaa1","function":{"name":"","arguments":""}',
        f'"function":{{"name":"f","arguments":"{X}"}}',
    ),
    "the name after the arguments": (
        f'"id":"aaaaaaaa1","function":{{"arguments":"{X}"}}',
        '"function":{"name":"f"}',
    ),
    "arguments before anything else": (
        f'"function":{{"arguments":"{X}"}}',
        '"id":"aaaaaaaa1","function":{"name":"f","arguments":""}',
    ),
}


@pytest.mark.parametrize("name", LATE)
def test_the_fragments_of_a_call_may_come_in_any_order(name: str) -> None:
    pieces = [calls(f'{{"index":0,{rest}}}') for rest in LATE[name]]
    data = (START + "".join(pieces) + end("tool_calls")).encode()
    assert check_chunkings(mistral, data).message.content == [call(arguments='{"x":1}')]
    translator = wg.StreamTranslator("mistral", "anthropic")
    made = translator.feed(data) + translator.close()
    assert made.count(b'"type":"content_block_start"') == 1
    assert b'"content_block":{"type":"tool_use","id":"aaaaaaaa1","name":"f","input":{}}' in made


def test_a_name_may_come_in_pieces() -> None:
    name = calls('{"index":0,"function":{"name":"time","arguments":""}}')
    data = START + calls(begun("aaaaaaaa1", name="get_")) + name + calls(fragment("{}"))
    message = check_chunkings(mistral, (data + end("tool_calls")).encode()).message
    assert message.content == [call(name="get_time")]


def test_a_call_that_never_has_a_name_is_an_error() -> None:
    data = START + calls(fragment("{}", 0, '"id":"aaaaaaaa1",')) + end("tool_calls")
    with pytest.raises(wg.StreamError, match="mistral: call without a name, expected one"):
        events_of(mistral.StreamDecoder(), data.encode())
