"""What holds for the stream codecs of every provider, whatever the bytes."""

import traceback
from typing import Any

import pytest

import wireglot as wg
from tests.clients.turn import STREAMS

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
    decoder, encoder = provider.StreamDecoder(), provider.StreamEncoder([])
    events = decoder.feed(STREAMS[name]) + decoder.finish()
    for event in events:
        encoder.encode(event)
    encoder.close()
    with pytest.raises(wg.EncodeError, match="an event after the end of the stream"):
        encoder.encode(events[-1])


@every_provider
def test_a_stream_is_not_closed_before_its_end(name: str) -> None:
    encoder = wg.PROVIDERS[name].StreamEncoder([])
    encoder.encode(wg.StreamStart(wg.Response(wg.AssistantMessage([], model="m"))))
    with pytest.raises(wg.EncodeError, match="closed before the end of the answer"):
        encoder.close()


@every_provider
@pytest.mark.parametrize("kind", [wg.TextDelta, wg.ThinkingDelta, wg.ArgumentsDelta])
def test_a_delta_goes_out_or_its_block_has_not_begun(name: str, kind: Any) -> None:
    assert _delta(name, kind(5, "xyzzy")) in (
        "xyzzy",
        f"{name}: a delta of a block that has not begun - at `$`",
    )


def _delta(name: str, delta: Any) -> str:
    """Return what is written of a delta's text, or the error."""
    encoder = wg.PROVIDERS[name].StreamEncoder([])
    encoder.encode(wg.StreamStart(wg.Response(wg.AssistantMessage([], model="m"))))
    try:
        return delta.text if delta.text.encode() in encoder.encode(delta) else ""
    except wg.EncodeError as error:
        return str(error)


@every_provider
def test_thinking_that_came_encrypted_may_still_have_deltas(name: str) -> None:
    message = wg.AssistantMessage([], model="m")
    block = wg.ThinkingBlock("x", "c2ln", redacted=True)
    encoder = wg.PROVIDERS[name].StreamEncoder([])
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
    encoder = wg.PROVIDERS[name].StreamEncoder(losses)
    encoder.encode(wg.StreamStart(wg.Response(wg.AssistantMessage([], model="m"))))
    encoder.encode(wg.BlockStart(0, wg.TextBlock("")))
    encoder.encode(wg.TextDelta(0, "x"))
    encoder.encode(wg.BlockEnd(0, wg.TextBlock("x")))
    encoder.encode(wg.BlockStart(1, strange))
    encoder.encode(wg.BlockEnd(1, strange))


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
        encoder = wg.PROVIDERS[name].StreamEncoder(losses)
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
