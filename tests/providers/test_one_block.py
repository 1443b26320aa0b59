"""One block after the other: what is written of events that come in any order."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wireglot as wg
from tests.one_block import READERS
from tests.providers.odd_requests import PNG
from wireglot.providers._codecs import stream_decoder as _streams

every_provider = pytest.mark.parametrize("name", list(wg.PROVIDERS))
START = wg.StreamStart(wg.Response(wg.AssistantMessage([], model="m"), id="x"))


def _end(*content: Any) -> wg.StreamEnd:
    answer = wg.AssistantMessage([*content], wg.StopReason.TOOL_USE, "m")
    return wg.StreamEnd(wg.Response(answer, id="x"))


def _written(name: str, events: list[wg.StreamEvent]) -> tuple[bytes, list[wg.Loss]]:
    losses: list[wg.Loss] = []
    encoder = wg.PROVIDERS[name].StreamEncoder(losses=losses)
    return b"".join(map(encoder.encode, events)) + encoder.close(), losses


# -- events in any order --------------------------------------------------------------------------

Events = list[wg.StreamEvent]


def _text(index: int, _: str) -> Events:
    deltas = [wg.TextDelta(index, piece) for piece in ("one ", "", f"two {index}")]
    return [
        wg.BlockStart(index, wg.TextBlock("")),
        *deltas,
        wg.BlockEnd(index, wg.TextBlock(f"one two {index}")),
    ]


def _untold(index: int, _: str) -> Events:
    block = wg.TextBlock(f"whole {index}")
    return [wg.BlockStart(index, wg.TextBlock("")), wg.BlockEnd(index, block)]


def _thinking(index: int, _: str) -> Events:
    return [
        wg.BlockStart(index, wg.ThinkingBlock("")),
        wg.ThinkingDelta(index, "hm"),
        wg.BlockEnd(index, wg.ThinkingBlock("hm", "c2ln")),
    ]


def _redacted(index: int, _: str) -> Events:
    block = wg.ThinkingBlock("", "c2ln", redacted=True)
    return [
        wg.BlockStart(index, wg.ThinkingBlock("", redacted=True)),
        wg.BlockEnd(index, block),
    ]


def _call(index: int, _: str) -> Events:
    call_id, text = f"call0000{index}", f'{{"x":{index}}}'
    return [
        wg.BlockStart(index, wg.ToolCallBlock(call_id, f"f{index}", "")),
        *[wg.ArgumentsDelta(index, piece) for piece in (text[:3], text[3:])],
        wg.BlockEnd(index, wg.ToolCallBlock(call_id, f"f{index}", text)),
    ]


def _custom(index: int, _: str) -> Events:
    call = wg.ToolCallBlock(f"call0000{index}", f"c{index}", "", tool_type="custom")
    whole = wg.ToolCallBlock(f"call0000{index}", f"c{index}", "a b", tool_type="custom")
    return [
        wg.BlockStart(index, call),
        wg.ArgumentsDelta(index, "a "),
        wg.ArgumentsDelta(index, "b"),
        wg.BlockEnd(index, whole),
    ]


def _image(index: int, _: str) -> Events:
    block = wg.ImageBlock(data=PNG, mime_type="image/png")
    return [wg.BlockStart(index, block), wg.BlockEnd(index, block)]


def _opaque(index: int, api: str) -> Events:
    block = wg.OpaqueBlock(api, {"type": "container_upload", "file_id": f"f{index}"})
    return [wg.BlockStart(index, block), wg.BlockEnd(index, block)]


def _with_keys(index: int, api: str) -> Events:
    start, *rest = _text(index, api)
    keys = wg.RawJson.of({"zz": index})
    return [start, wg.OpaqueEvent(api, keys, None, True), *rest]


BLOCKS = (_text, _untold, _thinking, _redacted, _call, _custom, _image, _opaque, _with_keys)


@st.composite
def _interleaved(draw: st.DrawFn, api: str) -> tuple[Events, Events]:
    """Draw the events of some blocks, one after the other and in turns; blocks begin in order."""
    kinds = draw(st.lists(st.sampled_from(BLOCKS), min_size=1, max_size=5))
    blocks = [kind(index, api) for index, kind in enumerate(kinds)]
    end = _end(*(events[-1].block for events in blocks))  # type: ignore[union-attr]
    in_order = [START, *(event for events in blocks for event in events), end]
    waiting, begun, in_turns = [[*events] for events in blocks], [], [START]
    while waiting or begun:
        at = draw(st.integers(0, len(begun) - (not waiting)))
        if at == len(begun):
            begun.append(waiting.pop(0))
        event = begun[at].pop(0)
        in_turns.append(event)
        if isinstance(event, wg.OpaqueEvent):  # of the one that follows
            in_turns.append(begun[at].pop(0))
        if not begun[at]:
            del begun[at]
    return in_order, [*in_turns, end]


@every_provider
@settings(max_examples=60)
@given(data=st.data())
def test_the_order_of_events_of_several_blocks_changes_nothing(
    name: str, data: st.DataObject
) -> None:
    in_order, in_turns = data.draw(_interleaved(wg.PROVIDERS[name].API))
    made, losses = _written(name, in_order)
    others, other_losses = _written(name, in_turns)
    assert others == made
    assert sorted(map(str, other_losses)) == sorted(map(str, losses))


@pytest.mark.parametrize("name", READERS)
@settings(max_examples=60)
@given(data=st.data())
def test_a_client_with_one_current_block_reads_all_calls(name: str, data: st.DataObject) -> None:
    in_order, in_turns = data.draw(_interleaved("another"))
    calls = in_order[-1].response.message.tool_calls()  # type: ignore[union-attr]
    made, _ = _written(name, in_turns)
    assert READERS[name](made) == [(call.name, _given(name, call)) for call in calls]


def _given(name: str, call: wg.ToolCallBlock) -> Any:
    text = call.arguments.text.decode()
    if call.tool_type != "custom":
        return json.loads(text)
    return {"raw_arguments": text} if name in ("anthropic", "bedrock") else text


@every_provider
def test_a_block_that_waits_is_written_when_the_one_before_it_has_ended(name: str) -> None:
    first, second = _call(0, ""), _call(1, "")
    encoder = wg.PROVIDERS[name].StreamEncoder(losses=[])
    for event in (START, first[0], *second):
        encoder.encode(event)
    made = [encoder.encode(event) for event in first[1:]]
    assert [b"f1" in frames for frames in made] == [False, False, name != "mistral"]


@every_provider
def test_a_block_that_waits_for_one_without_an_end_is_missed_at_the_end(name: str) -> None:
    first, second = _text(0, ""), _text(1, "")
    encoder = wg.PROVIDERS[name].StreamEncoder(losses=[])
    for event in (START, *first[:-1], *second):
        encoder.encode(event)
    with pytest.raises(wg.EncodeError, match="end of the answer after 0 of 2 blocks"):
        encoder.encode(_end(wg.TextBlock("a"), wg.TextBlock("b")))


@every_provider
def test_an_error_ends_a_stream_in_which_a_block_waits(name: str) -> None:
    encoder = wg.PROVIDERS[name].StreamEncoder(losses=[])
    for event in (START, *_text(0, "")[:-1], *_text(1, "")):
        encoder.encode(event)
    assert b"no luck" in encoder.encode(wg.StreamFailure("server", "no luck")) + encoder.close()


@every_provider
def test_a_delta_of_no_block_is_refused_while_a_block_waits(name: str) -> None:
    encoder = wg.PROVIDERS[name].StreamEncoder(losses=[])
    for event in (START, *_call(0, "")[:-1], *_call(1, "")[:-1]):
        encoder.encode(event)
    with pytest.raises(wg.EncodeError, match="`BlockEnd` of a block that has not begun"):
        encoder.encode(wg.BlockEnd(7, wg.TextBlock("x")))


@pytest.mark.parametrize("source", list(wg.PROVIDERS))
def test_all_calls_for_a_client_of_mistral_are_in_the_delta_with_the_finish_reason(
    source: str,
) -> None:
    in_order = [START, *_text(0, ""), *_call(1, ""), *_call(2, "")]
    content = [event.block for event in in_order if isinstance(event, wg.BlockEnd)]
    stream, _ = _written(source, [*in_order, _end(*content)])
    translator = wg.StreamTranslator(source, "mistral", losses=[], model="m")
    made = translator.feed(stream) + translator.close()
    *_, last, end = [line for line in made.decode().splitlines() if line]
    choice = json.loads(last.removeprefix("data: "))["choices"][0]
    calls = [(each["index"], each["function"]["name"]) for each in choice["delta"]["tool_calls"]]
    assert calls == [(0, "f1"), (1, "f2")]
    assert choice["finish_reason"] == "tool_calls"
    assert made.count(b"tool_calls") == 2  # its key, and the reason
    assert end == "data: [DONE]"


# -- calls of the wires that do not say where one ends --------------------------------------------


def _frames(*choices: str) -> bytes:
    head = '"id":"c1","object":"chat.completion.chunk","created":1,"model":"m"'
    frames = [f'data: {{{head},"choices":[{{"index":0,{choice}}}]}}\n\n' for choice in choices]
    return "".join([*frames, "data: [DONE]\n\n"]).encode()


def _begun(number: int, arguments: str, more: str = "") -> str:
    function = f'"function":{{"name":"f{number}","arguments":{json.dumps(arguments)}}}'
    call = f'{{"index":{number},"id":"call0000{number}","type":"function",{function}{more}}}'
    return f'"delta":{{"tool_calls":[{call}]}}'


def _more(number: int, arguments: str, more: str = "") -> str:
    function = f'"function":{{"arguments":{json.dumps(arguments)}}}'
    return f'"delta":{{"tool_calls":[{{"index":{number},{function}{more}}}]}}'


SAID = '"delta":{"content":"Hi"}'
STOP = '"delta":{},"finish_reason":"tool_calls"'
CALLERS = pytest.mark.parametrize("name", ["openai_chat", "mistral"])


def _told(name: str, *choices: str) -> list[str]:
    """Return the events of blocks, in short: `+0`, `-0`, and a delta of block 0 as `0 text`."""
    decoder = wg.PROVIDERS[name].StreamDecoder()
    told = []
    for event in decoder.feed(_frames(*choices)) + decoder.finish():
        if isinstance(event, wg.BlockStart):
            told.append(f"+{event.index}")
        elif isinstance(event, wg.BlockEnd):
            told.append(f"{'!' if event.revised else '-'}{event.index}")
        elif isinstance(event, wg.ArgumentsDelta | wg.TextDelta):
            told.append(f"{event.index} {event.text}")
    return told


SEQUENTIAL: dict[str, tuple[list[str], list[str]]] = {
    "a call after a whole one": (
        [_begun(0, '{"x":'), _more(0, "1}"), _begun(1, '{"y":2}'), STOP],
        ["+0", '0 {"x":', "0 1}", "-0", "+1", '1 {"y":2}', "-1"],
    ),
    "a text after a whole call": (
        [_begun(0, '{"x":1}'), SAID, STOP],
        ["+0", '0 {"x":1}', "-0", "+1", "1 Hi", "-1"],
    ),
    "a call whose arguments are none": (
        [_begun(0, "{}"), _begun(1, "null"), _begun(2, '{"y":2}'), STOP],
        ["+0", "0 {}", "-0", "+1", "1 {}", "-1", "+2", '2 {"y":2}', "-2"],
    ),
    "starts of both before the arguments of both": (
        [_begun(0, ""), _begun(1, ""), _more(0, '{"x":1}'), _more(1, '{"y":2}'), STOP],
        ["+0", '0 {"x":1}', "-0", "+1", '1 {"y":2}', "-1"],
    ),
    "white space behind the arguments": (
        [_begun(0, '{"x":1}'), _more(0, " \n"), _begun(1, '{"y":2}'), _more(0, "\n"), STOP],
        ["+0", '0 {"x":1}', "0  \n", "-0", "+1", '1 {"y":2}', "-1"],
    ),
}


@CALLERS
@pytest.mark.parametrize(("choices", "told"), SEQUENTIAL.values(), ids=SEQUENTIAL)
def test_a_call_ends_when_another_block_begins(
    name: str, choices: list[str], told: list[str]
) -> None:
    assert _told(name, *choices) == told


OPEN: dict[str, tuple[list[str], list[str]]] = {
    "pieces of calls in turns": (
        [_begun(0, '{"x":'), _begun(1, '{"y":'), _more(0, "1}"), _more(1, "2}"), STOP],
        ["+0", '0 {"x":', "+1", '1 {"y":', "0 1}", "1 2}", "-0", "-1"],
    ),
    "arguments that are not an object yet": (
        [_begun(0, '{"x":{}'), SAID, _more(0, "}"), STOP],
        ["+0", '0 {"x":{}', "+1", "1 Hi", "0 }", "-0", "-1"],
    ),
    "arguments that are not an object": (
        [_begun(0, "[1]"), _begun(1, '{"y":2}'), STOP],
        ["+0", "0 [1]", "+1", '1 {"y":2}', "-0", "-1"],
    ),
}


@CALLERS
@pytest.mark.parametrize(("choices", "told"), OPEN.values(), ids=OPEN)
def test_a_call_that_is_not_whole_stays_open(
    name: str, choices: list[str], told: list[str]
) -> None:
    made = _told(name, *choices)
    ends = [event for event in made if event.startswith("-")]  # a text may end before a call
    assert [event for event in made if event not in ends] + sorted(ends) == told


LATE: dict[str, tuple[list[str], str]] = {
    "arguments behind none": (
        [_begun(0, "{}"), _begun(1, "{}"), _more(0, '{"x":'), _more(0, "1}")],
        '{"x":1}',
    ),
    "more behind a whole object": (
        [_begun(0, '{"x":1}'), _begun(1, "{}"), _more(0, '{"z":3}')],
        '{"x":1}{"z":3}',
    ),
    "unknown keys": ([_begun(0, '{"x":1}'), _begun(1, "{}"), _more(0, "", ',"zz":7')], '{"x":1}'),
}


@CALLERS
@pytest.mark.parametrize(("choices", "arguments"), LATE.values(), ids=LATE)
def test_what_comes_for_a_call_after_its_end_revises_it(
    name: str, choices: list[str], arguments: str
) -> None:
    decoder = wg.PROVIDERS[name].StreamDecoder()
    events = decoder.feed(_frames(*choices, STOP)) + decoder.finish()
    ends = [event for event in events if isinstance(event, wg.BlockEnd) and event.index == 0]
    call = decoder.close().message.tool_calls()[0]
    assert [end.revised for end in ends] == [False, True]
    assert ends[1].block == call
    assert call.arguments.text.decode() == arguments
    assert (b'"zz":7' in wg.json.encode(call)) is ("zz" in choices[-1])
    for target in wg.PROVIDERS:
        made, losses = _written(target, events)
        lost = ("$.message.content[0]", "revision") in [(loss.path, loss.what) for loss in losses]
        assert lost is (target != "mistral")  # which has the calls in its last chunk
        if not lost and "zz" not in choices[-1]:
            assert _arguments(made) == arguments


def _arguments(stream: bytes) -> str:
    """Return the arguments of the first call in a stream of Mistral."""
    last = json.loads(stream.split(b"data: ")[-2])
    arguments: str = last["choices"][0]["delta"]["tool_calls"][0]["function"]["arguments"]
    return arguments


@every_provider
def test_a_delta_after_the_end_of_its_block_is_written_or_refused(name: str) -> None:
    encoder = wg.PROVIDERS[name].StreamEncoder(losses=[])
    call = wg.ToolCallBlock("call00001", "f", "{}")
    for event in (START, wg.BlockStart(0, wg.ToolCallBlock("call00001", "f", ""))):
        encoder.encode(event)
    encoder.encode(wg.BlockEnd(0, call))
    try:
        made = encoder.encode(wg.ArgumentsDelta(0, "xyzzy"))
    except wg.EncodeError as error:
        made = str(error).encode()
        assert b"xyzzy" not in made
    assert b"xyzzy" in made or b"after the end of its block" in made or b"another type" in made


@pytest.mark.parametrize("keys", ['"zz":7,"function":{}', '"function":{"zz":7}'])
def test_a_key_of_a_call_after_the_end_of_a_mistral_choice_is_refused(keys: str) -> None:
    late = f'"delta":{{"tool_calls":[{{"index":0,{keys}}}]}}'
    decoder = wg.providers.mistral.StreamDecoder()
    decoder.feed(_frames(_begun(0, '{"x":1}'), STOP, late))
    with pytest.raises(wg.StreamError, match="delta after the end of its block"):
        decoder.close()
    decoder = wg.providers.mistral.StreamDecoder()
    decoder.feed(_frames(_begun(0, '{"x":1}'), STOP, late.replace("7", "null")))
    assert len(decoder.close().message.tool_calls()) == 1


@CALLERS
def test_arguments_are_looked_through_only_once(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []
    decode = _streams._object

    def counted(text: str) -> Any:
        sizes.append(len(text))
        return decode(text)

    monkeypatch.setattr(_streams, "_object", counted)
    choices = [_begun(0, '{"x":"'), *[_more(0, "a" * 94)] * 9]
    for number in range(1, 6):
        choices += [_begun(number, '{"y":'), _more(0, "b" * 100)]
    _told(name, *choices, STOP)
    assert sizes == [852, 5, 5, 5, 5]


def test_no_arguments_that_another_block_follows_end_a_call_wherever_it_stands() -> None:
    choices = [
        _begun(0, "{"),
        _begun(1, '{"y":'),
        _more(0, "}"),
        '"delta":{"content":"Hi"}',
        _more(0, '{"x":1}'),
        _more(1, "2}"),
    ]
    for name in ("openai_chat", "mistral"):
        decoder = wg.PROVIDERS[name].StreamDecoder()
        decoder.feed(_frames(*choices, STOP))
        calls = decoder.close().message.tool_calls()
        assert [call.arguments.text for call in calls] == [b'{"x":1}', b'{"y":2}']


def _legacy(**call: str) -> str:
    return f'"delta":{{"function_call":{json.dumps(call)}}}'


LEGACY: dict[str, tuple[list[str], str]] = {
    "a name after the arguments": (
        [_legacy(arguments='{"a"'), _legacy(name="f", arguments=":1}")],
        '{"a":1}',
    ),
    "a name beside no arguments": (
        [_legacy(arguments=""), _legacy(name="f", arguments="{}")],
        "{}",
    ),
    "a name in pieces": (
        [_legacy(name="f", arguments=""), _legacy(name="g"), _legacy(arguments="{}")],
        "{}",
    ),
    "a name that is repeated": (
        [_legacy(name="f", arguments=""), _legacy(name="f", arguments='{"a":1}')],
        '{"a":1}',
    ),
}


@pytest.mark.parametrize(("choices", "arguments"), LEGACY.values(), ids=LEGACY)
def test_the_name_of_a_deprecated_call_may_come_late(choices: list[str], arguments: str) -> None:
    decoder = wg.providers.openai_chat.StreamDecoder()
    stop = '"delta":{},"finish_reason":"function_call"'
    events = decoder.feed(_frames(*choices, stop)) + decoder.finish()
    begun = [event.block.name for event in events if isinstance(event, wg.BlockStart)]
    told = "".join(event.text for event in events if isinstance(event, wg.ArgumentsDelta))
    (call,) = decoder.close().message.tool_calls()
    assert begun == [call.name]
    assert call.name == ("fg" if len(choices) == 3 else "f")
    assert told == call.arguments.text.decode() == arguments


def test_a_deprecated_call_that_says_nothing_is_not_a_call() -> None:
    decoder = wg.providers.openai_chat.StreamDecoder()
    said = '"delta":{"content":"Hi","function_call":{"name":"","arguments":""}}'
    decoder.feed(_frames(said, '"delta":{},"finish_reason":"stop"'))
    message = decoder.close().message
    assert (message.text(), message.tool_calls()) == ("Hi", [])
