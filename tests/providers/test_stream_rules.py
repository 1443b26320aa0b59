"""What holds for the stream codecs of every provider, whatever the bytes."""

import contextlib
import random
import traceback
from typing import Any

import pytest

import wireglot as wg
from tests.clients.turn import STREAMS
from tests.providers.streams import events_and_error
from tests.swallowed import fates, mutant

every_provider = pytest.mark.parametrize("name", list(wg.PROVIDERS))


@every_provider
def test_an_unknown_dialect_is_refused(name: str) -> None:
    provider = wg.PROVIDERS[name]
    for make in (provider.StreamDecoder, provider.StreamEncoder):
        with pytest.raises(wg.EncodeError, match="`klingon`"):
            make(dialect="klingon")


@every_provider
def test_nothing_is_written_after_the_end(name: str) -> None:
    provider = wg.PROVIDERS[name]
    decoder, encoder = provider.StreamDecoder(), provider.StreamEncoder(losses=[])
    events = decoder.feed(STREAMS[name]) + decoder.finish()
    for event in events:
        encoder.encode(event)
    encoder.close()
    with pytest.raises(wg.EncodeError, match="event after the end of the stream, expected none"):
        encoder.encode(events[-1])


@every_provider
def test_a_stream_is_not_closed_before_its_end(name: str) -> None:
    encoder = wg.PROVIDERS[name].StreamEncoder(losses=[])
    encoder.encode(wg.StreamStart(wg.Response(wg.AssistantMessage([], model="m"))))
    with pytest.raises(
        wg.EncodeError,
        match="closed before the end of the answer, expected `StreamEnd` or `StreamFailure`",
    ):
        encoder.close()


@every_provider
@pytest.mark.parametrize("kind", [wg.TextDelta, wg.ThinkingDelta, wg.ArgumentsDelta])
def test_a_delta_goes_out_or_its_block_has_not_begun(name: str, kind: Any) -> None:
    assert _delta(name, kind(5, "xyzzy")) in (
        "xyzzy",
        f"{name}: `{kind.__name__}` of a block that has not begun, expected `BlockStart` first"
        " - at `$`",
    )


def _delta(name: str, delta: Any) -> str:
    """Return what is written of a delta's text, or the error."""
    encoder = wg.PROVIDERS[name].StreamEncoder(losses=[])
    encoder.encode(wg.StreamStart(wg.Response(wg.AssistantMessage([], model="m"))))
    try:
        return delta.text if delta.text.encode() in encoder.encode(delta) else ""
    except wg.EncodeError as error:
        return str(error)


def _events(*content: Any) -> list[wg.StreamEvent]:
    """Return the stream of an answer whose blocks have no deltas."""
    begun = wg.Response(wg.AssistantMessage([], model="m"), id="x")
    whole = wg.Response(wg.AssistantMessage([*content], wg.StopReason.STOP, "m"), id="x")
    blocks = [kind(i, b) for i, b in enumerate(content) for kind in (wg.BlockStart, wg.BlockEnd)]
    return [wg.StreamStart(begun), *blocks, wg.StreamEnd(whole)]


OUT_OF_TURN: dict[str, tuple[list[wg.StreamEvent], str]] = {
    "the end of a block alone": (
        [_events()[0], wg.BlockEnd(0, wg.TextBlock("x"))],
        "`BlockEnd` of a block that has not begun, expected `BlockStart` first"
        " - at `$.message.content[0]`",
    ),
    "the end of the answer alone": (
        [_events()[0], _events(wg.TextBlock("x"))[-1]],
        "end of the answer after 0 of 1 blocks, expected `BlockEnd` of each - at `$`",
    ),
    "the end of the answer in a block": (
        [_events()[0], wg.BlockStart(0, wg.TextBlock("")), _events()[-1]],
        "end of the answer after 0 of 1 blocks, expected `BlockEnd` of each - at `$`",
    ),
}


@every_provider
@pytest.mark.parametrize(("events", "reason"), OUT_OF_TURN.values(), ids=OUT_OF_TURN)
def test_an_event_out_of_turn_is_refused(
    name: str, events: list[wg.StreamEvent], reason: str
) -> None:
    *before, last = events
    encoder = wg.PROVIDERS[name].StreamEncoder(losses=[])
    for event in before:
        encoder.encode(event)
    with pytest.raises(wg.EncodeError) as caught:
        encoder.encode(last)
    assert str(caught.value) == f"{name}: {reason}"


@every_provider
def test_a_delta_of_a_block_that_takes_none_goes_out_or_is_refused(name: str) -> None:
    encoder = wg.PROVIDERS[name].StreamEncoder(losses=[])
    encoder.encode(_events()[0])
    encoder.encode(wg.BlockStart(0, wg.ImageBlock(url="https://x.org")))
    with contextlib.suppress(wg.EncodeError):
        encoder.encode(wg.TextDelta(0, "x"))


@every_provider
def test_an_empty_delta_does_not_stand_for_the_text(name: str) -> None:
    encoder = wg.PROVIDERS[name].StreamEncoder()
    start, begin, end, last = _events(wg.TextBlock("xyzzy"))
    made = b"".join(map(encoder.encode, [start, begin, wg.TextDelta(0, ""), end, last]))
    assert b'"xyzzy"' in made


BROKEN = "f\ud83d"
SURROGATES: dict[str, Any] = {
    "text": lambda word: wg.TextBlock(word),
    "thinking": lambda word: wg.ThinkingBlock(word),
    "the name of a call": lambda word: wg.ToolCallBlock("c", word, '{"a":1}'),
    "the id of a call": lambda word: wg.ToolCallBlock(word, "f", '{"a":1}'),
    "an error": lambda word: wg.ErrorBlock(word),
}


@every_provider
@pytest.mark.parametrize("make", SURROGATES.values(), ids=SURROGATES)
def test_half_a_character_changes_nothing_else_in_the_stream(name: str, make: Any) -> None:
    streams = []
    for word in (BROKEN, "f\ufffd"):
        losses: list[wg.Loss] = []
        encoder = wg.PROVIDERS[name].StreamEncoder(losses=losses)
        events = _events(make(word), wg.ToolCallBlock("d", "g", '{"b":2}'))
        streams.append((b"".join(map(encoder.encode, events)), losses))
    (mended, losses), (whole, others) = streams
    assert mended == whole
    told = [loss for loss in losses if loss.what == "lone surrogate"]
    assert {loss.path.split(".")[2] for loss in told} == {"content[0]"}
    assert [loss for loss in losses if loss not in told] == others


@every_provider
def test_half_a_character_in_a_delta_changes_nothing_else_in_the_stream(name: str) -> None:
    streams = []
    for word in (BROKEN, "f\ufffd"):
        encoder = wg.PROVIDERS[name].StreamEncoder(losses=[])
        start, begin, end, last = _events(wg.TextBlock(f"{word}y{word}"))
        deltas = [wg.TextDelta(0, part) for part in (word, "y", word)]
        streams.append([encoder.encode(event) for event in (start, begin, *deltas, end, last)])
    assert streams[0] == streams[1]


@every_provider
def test_thinking_that_came_encrypted_may_still_have_deltas(name: str) -> None:
    message = wg.AssistantMessage([], model="m")
    block = wg.ThinkingBlock("x", "c2ln", redacted=True)
    encoder = wg.PROVIDERS[name].StreamEncoder(losses=[])
    encoder.encode(wg.StreamStart(wg.Response(message)))
    encoder.encode(wg.BlockStart(0, wg.ThinkingBlock("", redacted=True)))
    encoder.encode(wg.ThinkingDelta(0, "x"))
    encoder.encode(wg.BlockEnd(0, block))
    message.content.append(block)
    encoder.encode(wg.StreamEnd(wg.Response(message)))
    encoder.close()


@every_provider
def test_a_loss_is_at_the_block_that_lost_it(name: str) -> None:
    losses: list[wg.Loss] = []
    _write_something_strange(name, losses)
    assert {loss.path for loss in losses} == {"$.message.content[1]"}
    with pytest.raises(wg.LossError) as caught:
        _write_something_strange(name, None)
    assert caught.value.path == "$.message.content[1]"


def _write_something_strange(name: str, losses: wg.Losses) -> None:
    strange = wg.OpaqueBlock("another", {"type": "x"})
    encoder = wg.PROVIDERS[name].StreamEncoder(losses=losses)
    encoder.encode(wg.StreamStart(wg.Response(wg.AssistantMessage([], model="m"))))
    encoder.encode(wg.BlockStart(0, wg.TextBlock("")))
    encoder.encode(wg.TextDelta(0, "x"))
    encoder.encode(wg.BlockEnd(0, wg.TextBlock("x")))
    encoder.encode(wg.BlockStart(1, strange))
    encoder.encode(wg.BlockEnd(1, strange))


TOLD: dict[str, tuple[Any, Any, Any]] = {
    "text": (wg.TextBlock(""), wg.TextDelta(0, "ho"), wg.TextBlock("hi")),
    "thinking": (wg.ThinkingBlock(""), wg.ThinkingDelta(0, "ho"), wg.ThinkingBlock("hi")),
    "call": (
        wg.ToolCallBlock("call_1", "f", ""),
        wg.ArgumentsDelta(0, "[1]"),
        wg.ToolCallBlock("call_1", "f", "[2]"),
    ),
}
WRITTEN_AT_THE_END = {
    *((name, "call") for name in ("gemini", "ollama")),
    *(("openai_responses", kind) for kind in TOLD),
}


@every_provider
@pytest.mark.parametrize("kind", TOLD)
@pytest.mark.parametrize("revised", [True, False])
def test_the_end_of_a_block_that_takes_back_what_was_told_is_a_loss_where_it_cannot(
    name: str, kind: str, revised: bool
) -> None:
    begun, delta, block = TOLD[kind]
    losses: list[wg.Loss] = []
    encoder = wg.PROVIDERS[name].StreamEncoder(losses=losses)
    for event in (_events()[0], wg.BlockStart(0, begun), delta):
        encoder.encode(event)
    end = encoder.encode(wg.BlockEnd(0, block, revised))
    told = [(loss.path, loss.what) for loss in losses if loss.what == "revision"]
    is_written = (b"[2]" if kind == "call" else b"hi") in end
    is_written |= (name, kind) == ("mistral", "call")  # with the last chunk
    assert is_written or (name, kind) not in WRITTEN_AT_THE_END
    if revised and not is_written:
        assert told == [("$.message.content[0]", "revision")]
    else:
        assert told == []


@every_provider
@pytest.mark.parametrize("pieces", [["*** Begin", " Patch"], []])
def test_free_text_of_a_call_is_wrapped_where_input_is_an_object(
    name: str, pieces: list[str]
) -> None:
    call = wg.ToolCallBlock("call_1", "patch", "*** Begin Patch", tool_type="custom")
    losses: list[wg.Loss] = []
    encoder = wg.PROVIDERS[name].StreamEncoder(losses=losses)
    start, _, end, last = _events(call)
    begin = wg.BlockStart(0, wg.ToolCallBlock("call_1", "patch", "", tool_type="custom"))
    deltas = [wg.ArgumentsDelta(0, piece) for piece in pieces]
    made = b"".join(map(encoder.encode, [start, begin, *deltas, end, last])) + encoder.close()
    decoder = wg.PROVIDERS[name].StreamDecoder()
    decoder.feed(made)
    (back,) = decoder.close().message.tool_calls()
    whole = wg.PROVIDERS[name].encode_response(last.response, losses=[])
    (call,) = wg.PROVIDERS[name].decode_response(whole).message.tool_calls()
    assert back.arguments == call.arguments
    if name in ("anthropic", "bedrock", "gemini", "ollama") or b"raw_arguments" in whole:
        assert back.arguments.text == b'{"raw_arguments":"*** Begin Patch"}'
        assert [(loss.path, loss.what) for loss in losses] == [
            ("$.message.content[0]", "arguments")
        ]
    else:
        assert (back.arguments.text, losses) == (b"*** Begin Patch", [])


@every_provider
def test_an_answer_of_which_no_delta_tells_is_written_whole(name: str) -> None:
    provider = wg.PROVIDERS[name]
    encoder, decoder = provider.StreamEncoder(), provider.StreamDecoder()
    content = [wg.TextBlock("Wait."), wg.ToolCallBlock("call_1", "f", '{"a": 1}')]
    answer = wg.AssistantMessage(content, wg.StopReason.TOOL_USE, "m")
    whole = wg.Response(answer, id="x", created_at=1_700_000_000_000)
    stream = encoder.encode(wg.StreamStart(wg.Response(wg.AssistantMessage([], model="m"), id="x")))
    for index, block in enumerate(content):
        stream += encoder.encode(wg.BlockStart(index, block))
        stream += encoder.encode(wg.BlockEnd(index, block))
    decoder.feed(stream + encoder.encode(wg.StreamEnd(whole)) + encoder.close())
    text, call = decoder.close().message.content
    assert (text.text, call.name, call.arguments.value) == ("Wait.", "f", {"a": 1})


@every_provider
def test_what_an_answer_loses_is_told_once_for_each_stream(name: str) -> None:
    extras = {"other/v1": wg.Extra(wg.RawJson(b'{"verdict":"fine"}'))}
    message = wg.AssistantMessage([], stop_reason=wg.StopReason.STOP, model="m")
    answer = wg.Response(message, id="msg_1", extras=extras)
    losses: list[wg.Loss] = []
    for told in (1, 2):
        encoder = wg.PROVIDERS[name].StreamEncoder(losses=losses)
        encoder.encode(wg.StreamStart(answer))
        encoder.encode(wg.StreamEnd(answer))
        encoder.close()
        assert [(loss.path, loss.what) for loss in losses] == [("$", "extras")] * told


@every_provider
def test_what_follows_the_end_is_left_alone(name: str) -> None:
    decoder = wg.PROVIDERS[name].StreamDecoder()
    decoder.feed(STREAMS[name])
    answer = decoder.close()
    assert decoder.feed(STREAMS[name]) == []
    assert decoder.finish() == []
    assert decoder.close() is answer


CHAT = b"""data: {"id":"c","object":"chat.completion.chunk","created":1700000000,"model":"m",\
"choices":[{"index":0,"delta":{"role":"assistant","content":"Hi"},"finish_reason":null}]}

"""
MORE = CHAT.replace(b'"Hi"', b'" there"')


@pytest.mark.parametrize("size", [1, 7, 64, 1000])
def test_the_events_before_an_error_come_first(size: int) -> None:
    decoder = wg.providers.openai_chat.StreamDecoder()
    events, error = events_and_error(decoder, CHAT + MORE + b"data: {oops\n\n", size)
    assert events[2:] == [wg.TextDelta(0, "Hi"), wg.TextDelta(0, " there")]
    assert str(error) == (
        "openai_chat: JSON is malformed: object keys must be strings (byte 1) - at `$[2]`"
    )


@pytest.mark.parametrize("call", ["feed", "finish", "close"])
def test_the_call_after_the_events_raises_the_error_behind_them(call: str) -> None:
    decoder = wg.providers.openai_chat.StreamDecoder()
    events = decoder.feed(CHAT + b"data: {oops\n\n" + MORE)
    assert events[2:] == [wg.TextDelta(0, "Hi")]
    with pytest.raises(wg.StreamError, match=r"at `\$\[1\]`"):
        getattr(decoder, call)(*[b""] if call == "feed" else [])


def test_an_error_without_events_before_it_is_raised_at_once() -> None:
    decoder = wg.providers.openai_chat.StreamDecoder()
    decoder.feed(CHAT)
    with pytest.raises(wg.StreamError, match=r"at `\$\[1\]`"):
        decoder.feed(b"data: {oops\n\n" + MORE)


def test_events_that_come_last_are_lost_where_the_end_is_an_error() -> None:
    decoder = wg.providers.openai_chat.StreamDecoder()
    decoder.feed(CHAT)
    assert decoder.feed(MORE.rstrip()) == []
    with pytest.raises(wg.StreamError, match="the stream ended before the answer did"):
        decoder.finish()
    assert decoder.message.text() == "Hi there"


@every_provider
def test_an_error_is_raised_again_by_every_call(name: str) -> None:
    decoder = wg.PROVIDERS[name].StreamDecoder(max_frame=20)
    with pytest.raises(wg.LimitError) as first:
        decoder.feed(STREAMS[name])
    for again in (lambda: decoder.feed(b"x"), decoder.finish, decoder.close) * 2:
        with pytest.raises(wg.DecodeError) as later:
            again()
        assert later.value is first.value
        assert len(list(traceback.walk_tb(later.value.__traceback__))) <= 5  # it does not grow


_MENDED = [(wire, kind) for wire in wg.PROVIDERS for kind in ("event", "delta", "block")]


@pytest.mark.parametrize(("wire", "kind"), _MENDED)
def test_nothing_of_an_unknown_type_vanishes_without_a_word(wire: str, kind: str) -> None:
    for seed in range(5):
        made = mutant(random.Random(seed), wire, kind)
        if made is not None:
            others = [name for name in wg.PROVIDERS if name != wire]
            swallowed = [target for target, is_swallowed in fates(made, others) if is_swallowed]
            assert swallowed == [], made.data
