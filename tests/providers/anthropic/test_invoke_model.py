"""Streams of Bedrock's InvokeModel: Anthropic's events in base64, in AWS messages."""

import json
from base64 import b64decode, b64encode

import pytest

import wireglot as wg
from tests.providers.anthropic.answers import STREAM
from tests.providers.streams import check_chunkings, check_truncations, events_of
from wireglot.framing import eventstream

anthropic = wg.providers.anthropic


def _wrapped(events: bytes) -> bytes:
    """Wrap events with headers in another order than ours, and with padding."""
    headers = {":message-type": "event", ":content-type": "application/json"}
    return b"".join(
        eventstream.encode(
            {**headers, ":event-type": "chunk"},
            json.dumps({"bytes": b64encode(data).decode(), "p": "abcdef"}).encode(),
        )
        for data in (frame.partition(b"data: ")[2] for frame in events.split(b"\n\n")[:-1])
    )


def _exception(name: str, message: str) -> bytes:
    headers = {":exception-type": name, ":message-type": "exception"}
    return eventstream.encode(headers, json.dumps({"message": message}).encode())


def test_the_events_are_those_inside() -> None:
    response = check_chunkings(anthropic, _wrapped(STREAM), dialect="bedrock")
    assert response == check_chunkings(anthropic, STREAM)


def test_a_stream_that_was_cut_has_no_end() -> None:
    check_truncations(anthropic, _wrapped(STREAM), dialect="bedrock")


def test_a_stream_is_written_so() -> None:
    from tests.oracles import anthropic as oracle

    encoder = anthropic.StreamEncoder(dialect="bedrock")
    made = b"".join(map(encoder.encode, events_of(anthropic.StreamDecoder(), STREAM)))
    made += encoder.close()
    oracle.check_stream(made)
    assert check_chunkings(anthropic, made, dialect="bedrock") == check_chunkings(anthropic, STREAM)


def test_text_that_no_delta_told_is_written_so() -> None:
    encoder, text = anthropic.StreamEncoder(dialect="bedrock"), wg.TextBlock("hi")
    encoder.encode(wg.StreamStart(wg.Response(wg.AssistantMessage([], model="m"), id="x")))
    encoder.encode(wg.BlockStart(0, wg.TextBlock("")))
    made = eventstream.Decoder().feed(encoder.encode(wg.BlockEnd(0, text)))
    assert [b64decode(json.loads(payload)["bytes"]) for _, payload in made] == [
        b'{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"hi"}}',
        b'{"type":"content_block_stop","index":0}',
    ]


EXCEPTIONS = {
    "throttlingException": "rate_limit",
    "validationException": "invalid_request",
    "modelTimeoutException": "timeout",
    "serviceUnavailableException": "overloaded",
    "internalServerException": "server",
}


@pytest.mark.parametrize("name", EXCEPTIONS)
def test_an_exception_is_an_error_of_the_stream(name: str) -> None:
    decoder = anthropic.StreamDecoder(dialect="bedrock")
    start = _wrapped(STREAM.partition(b"\n\n")[0] + b"\n\n")
    *_, failure = decoder.feed(start + _exception(name, "no"))
    assert type(failure) is wg.StreamFailure
    assert (failure.kind, failure.message) == (EXCEPTIONS[name], "no")


BAD = {
    "a chunk that is no JSON": b"{",
    "a chunk without bytes": b"{}",
    "bytes that are no base64": b'{"bytes":"!"}',
}


@pytest.mark.parametrize("name", BAD)
def test_a_chunk_that_is_none_is_an_error(name: str) -> None:
    decoder = anthropic.StreamDecoder(dialect="bedrock")
    with pytest.raises(wg.StreamError, match=r"^anthropic: "):
        decoder.feed(eventstream.encode({":event-type": "chunk"}, BAD[name]))
