"""Model values in envelopes: they come back, and what was altered on its way does not."""

import sys
import zlib
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import wireglot as wg
from tests.memory import within
from tests.queues.outcomes import outcome
from wireglot import queue
from wireglot import testing as some
from wireglot.queue import Envelope

laws = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow], database=None
)

PNG = b"\x89PNG\r\n\x1a\n"
IMAGE = wg.ImageBlock.from_bytes(PNG, "image/png")
MESSAGES: list[Any] = [wg.UserMessage([wg.TextBlock("Hi"), IMAGE], node_id=7)]
PACKED = (
    b"\x91\x83\xa4role\xa4user\xa7content\x92"
    b"\x82\xa4type\xa4text\xa4text\xa2Hi"
    b"\xde\x00\x03\xa4type\xa5image\xa4data\xc4\x08\x89PNG\r\n\x1a\n\xa8mimeType\xa9image/png"
    b"\xa6nodeId\x07"
)
JSON = (
    b'[{"role":"user","content":[{"type":"text","text":"Hi"},'
    b'{"type":"image","data":"iVBORw0KGgo=","mimeType":"image/png"}],"nodeId":7}]'
)
_REQUIRED = {"specversion": "1.0", "id": "1", "source": "/s", "type": "t"}
_ANY = {
    "messages": some.sessions(),
    "request": some.requests(),
    "response": some.responses(),
    "events": st.lists(some.stream_events(), min_size=1, max_size=3),
}


def _of(format: str, kind: str, body: bytes, encoding: str | None = None) -> Envelope:
    """Return an envelope that nobody signed with a checksum."""
    content = f"application/vnd.wireglot+{format}; kind={kind}; version=1"
    return Envelope({**_REQUIRED, "datacontenttype": content}, body, encoding)


# -- what goes in comes out -----------------------------------------------------------------------


@pytest.mark.parametrize("kind", list(_ANY))
@laws
@given(data=st.data(), format=st.sampled_from(("msgpack", "json")), over=st.sampled_from((None, 0)))
def test_what_is_encoded_decodes_to_the_same_value(
    kind: str, data: st.DataObject, format: Any, over: int | None
) -> None:
    value = data.draw(_ANY[kind])
    envelope = queue.encode(value, format=format, zstd_over=over)
    assert queue.decode(envelope, queue.KINDS[kind]) == value
    if kind in ("messages", "events"):
        assert list(queue.decode_each(envelope)) == value


def test_the_body_is_the_native_wire() -> None:
    assert queue.encode(MESSAGES).body == PACKED
    assert queue.encode(MESSAGES, format="json").body == JSON


def test_what_stands_beside_the_body() -> None:
    envelope = queue.encode(
        MESSAGES,
        id="e-1",
        source="/gateway",
        type="turn.done",
        conversation="c-42",
        subject="łódź",
        time="2026-01-02T03:04:05Z",
        traceparent="00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
    )
    assert envelope.attributes == {
        "specversion": "1.0",
        "id": "e-1",
        "source": "/gateway",
        "type": "turn.done",
        "partitionkey": "c-42",
        "subject": "łódź",
        "time": "2026-01-02T03:04:05Z",
        "traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        "datacontenttype": "application/vnd.wireglot+msgpack; kind=messages; version=1",
        "crc32": "0f2dd300",
    }
    assert envelope.encoding is None


@pytest.mark.parametrize(
    ("value", "type"),
    [
        (MESSAGES, "wireglot.messages"),
        ([wg.UserMessage([])], "wireglot.messages"),
        ([wg.CustomMessage("x")], "wireglot.messages"),
        ([], "wireglot.messages"),
        (wg.Request([]), "wireglot.request"),
        (wg.Response(wg.AssistantMessage([])), "wireglot.response"),
        ([wg.TextDelta(0, "x")], "wireglot.events"),
    ],
)
def test_the_type_says_what_is_inside(value: Any, type: str) -> None:
    assert queue.encode(value).type == type


def test_ids_are_random_and_different_if_not_given() -> None:
    ids = {queue.encode([]).id for _ in range(100)}
    assert len(ids) == 100
    assert {len(id) for id in ids} == {32}


def test_the_checksum_is_that_of_the_body_as_it_travels() -> None:
    envelope = queue.encode(MESSAGES, zstd_over=0)
    assert envelope.attributes["crc32"] == f"{zlib.crc32(envelope.body):08x}"
    assert queue.encode([], id="1").attributes["crc32"] == "220d7cc9"


# -- what is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "what"),
    [
        (None, "NoneType"),
        ({}, "dict"),
        ((), "tuple"),
        ([{}], "list"),
        ([[]], "list"),
        (wg.UserMessage([]), "UserMessage"),
        ([wg.UserMessage([]), wg.TextDelta(0, "x")], "list"),
        ([wg.TextBlock("x")], "list"),
    ],
)
def test_what_no_envelope_holds_is_an_encode_error(value: Any, what: str) -> None:
    with pytest.raises(wg.EncodeError, match=f"`{what}`, expected a list of messages or of events"):
        queue.encode(value)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"id": ""}, "envelope without `id`"),
        ({"source": ""}, "envelope without `source`"),
        ({"type": ""}, "envelope without `type`"),
        ({"id": 5}, r"expected printable text - at `\$\.id`"),
        ({"conversation": "a\n"}, r"expected printable text - at `\$\.partitionkey`"),
        ({"Subject": "x"}, "attribute `Subject`, expected letters a-z or digits"),
        ({"data": "x"}, "attribute `data`"),
        ({"crc32": "00000000"}, "attribute `crc32`, expected another"),
        ({"datacontenttype": "text/plain"}, "attribute `datacontenttype`, expected another"),
        ({"specversion": "0.3"}, "CloudEvents `0.3`, expected `1.0`"),
        ({"subject": ""}, r"empty text, expected a character or more - at `\$\.subject`"),
        ({"dataschema": ""}, r"empty text, expected a character or more - at `\$\.dataschema`"),
        ({"conversation": ""}, r"empty text, expected a character or more - at `\$\.partitionkey`"),
        ({"time": "yesterday"}, r"`yesterday`, expected a time as in RFC 3339 - at `\$\.time`"),
        ({"time": ""}, r"``, expected a time as in RFC 3339 - at `\$\.time`"),
        ({"time": "2026-01-02"}, "`2026-01-02`, expected a time as in RFC 3339"),
        ({"time": "2026-01-02T03:04:05"}, "`2026-01-02T03:04:05`, expected a time as in RFC"),
        ({"time": "2026-13-02T03:04:05Z"}, "`2026-13-02T03:04:05Z`, expected a time as in RFC"),
        ({"time": datetime(2026, 1, 2, tzinfo=UTC)}, r"expected printable text - at `\$\.time`"),
        ({"time": "\ud800"}, r"`\\ud800`, expected a time as in RFC 3339 - at `\$\.time`"),
        ({"time": 10**5000}, r"`int`, expected a time as in RFC 3339 - at `\$\.time`"),
        ({"format": "cbor"}, "unknown format `cbor`, expected one of `msgpack`, `json`"),
    ],
)
def test_an_attribute_that_is_none_is_an_encode_error(options: Any, words: str) -> None:
    with pytest.raises(wg.EncodeError, match=words):
        queue.encode(MESSAGES, **options)


@pytest.mark.parametrize(
    "value", ["\ud800", "a\ud800", b"x", [], {}, 10**5000, float("nan")], ids=type
)
@pytest.mark.parametrize(
    "name",
    ["id", "source", "type", "conversation", "time", "subject", "traceparent", "sequence", "mine"],
)
def test_no_attribute_is_of_another_type_or_half_a_character(name: str, value: Any) -> None:
    place = "partitionkey" if name == "conversation" else name
    for encode in (queue.encode, queue.encode_batch):
        with pytest.raises(wg.EncodeError, match=rf"at `\$\.{place}`|envelope without `{place}`"):
            encode([], **{name: value})


@pytest.mark.parametrize(
    "time", ["2026-01-02T03:04:05Z", "2026-01-02t03:04:05.123456789z", "2026-01-02T03:04:05-12:30"]
)
def test_any_time_of_rfc_3339_goes_out_as_it_is(time: str) -> None:
    assert queue.encode(MESSAGES, time=time).attributes["time"] == time


@pytest.mark.parametrize("name", ["time", "subject", "dataschema", "partitionkey"])
def test_what_others_made_of_an_attribute_costs_no_message(name: str) -> None:
    envelope = queue.encode(MESSAGES, id="1")
    came = Envelope({**envelope.attributes, name: ""}, envelope.body)
    assert queue.decode(Envelope.from_bytes(came.to_bytes())) == MESSAGES


def test_a_lone_surrogate_is_an_encode_error_or_a_loss() -> None:
    message = wg.UserMessage([wg.TextBlock("\ud83d")])
    for format in ("msgpack", "json"):
        with pytest.raises(wg.EncodeError):
            queue.encode([message], format=format)
        losses: list[wg.Loss] = []
        [came] = queue.decode(queue.encode([message], format=format, losses=losses))
        assert came.text() == "\ufffd"
        assert len(losses) == 1


@pytest.mark.parametrize(
    ("wanted", "name"),
    [(wg.Request, "request"), (wg.Response, "response"), (list[wg.StreamEvent], "events")],
)
def test_an_envelope_of_another_kind_is_poison(wanted: Any, name: str) -> None:
    with pytest.raises(
        wg.queue.PoisonError, match=f"content of kind `messages`, expected `{name}`"
    ):
        queue.decode(queue.encode(MESSAGES), wanted)


def test_what_is_no_list_cannot_be_read_one_by_one() -> None:
    with pytest.raises(
        wg.queue.PoisonError, match="content of kind `request`, expected `messages` or `events`"
    ):
        queue.decode_each(queue.encode(wg.Request([])))


@pytest.mark.parametrize("kind", ["batch", "values", "Messages", "future"])
def test_a_kind_that_nobody_knows_is_poison(kind: str) -> None:
    for read in (queue.decode, queue.decode_each):
        with pytest.raises(wg.queue.PoisonError, match=f"content of kind `{kind}`"):
            read(_of("msgpack", kind, b"\x90"))


def test_a_format_that_nobody_knows_is_poison() -> None:
    for read in (queue.decode, queue.decode_each):
        with pytest.raises(
            wg.queue.PoisonError, match="unknown format `cbor`, expected one of `msgpack`, `json`"
        ):
            read(_of("cbor", "messages", b"\x90"))


# -- one by one -----------------------------------------------------------------------------------

_TWO_GOOD_ONE_BAD = (
    b'[{"role":"user","content":[]},{"role":"user","content":[]},{"role":"user","content":[5]}]'
)


def test_a_message_that_cannot_be_read_does_not_cost_those_before_it() -> None:
    found = queue.decode_each(_of("json", "messages", _TWO_GOOD_ONE_BAD))
    assert next(found) == wg.UserMessage([])
    assert next(found) == wg.UserMessage([])
    with pytest.raises(wg.queue.PoisonError) as caught:
        next(found)
    expected = "queue: expected `object`, got `int` - at `$[2].content[0]`"
    assert str(caught.value) == expected
    assert isinstance(caught.value.__cause__, wg.DecodeError)
    assert caught.value.body == _TWO_GOOD_ONE_BAD
    with pytest.raises(wg.queue.PoisonError) as whole:
        queue.decode(_of("json", "messages", _TWO_GOOD_ONE_BAD))
    assert str(whole.value) == expected


def test_an_envelope_that_cannot_be_read_raises_before_the_first_message() -> None:
    for body in (b"", b"\x2a", b"\x80", b"\x91", b"\x90\x90", b"\x91" * 100_000):
        with pytest.raises(wg.queue.PoisonError, match="not an array of messages"):
            queue.decode_each(_of("msgpack", "messages", body))


def test_a_byte_order_mark_is_skipped_whichever_way_json_is_read() -> None:
    envelope = _of("json", "messages", b"\xef\xbb\xbf" + JSON)
    assert queue.decode(envelope) == MESSAGES
    assert list(queue.decode_each(envelope)) == MESSAGES


# -- limits ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("read", [queue.decode, queue.decode_each])
@pytest.mark.parametrize("encoding", [None, "zstd"])
@pytest.mark.parametrize("format", ["msgpack", "json"])
def test_limits_hold_for_the_body_as_a_whole(read: Any, encoding: Any, format: Any) -> None:
    messages = [wg.UserMessage.from_text(str(number) * 10) for number in range(10)]
    envelope = queue.encode(messages, format=format, zstd_over=encoding and 0)
    assert envelope.encoding == encoding
    size = len(queue.encode(messages, format=format).body)
    assert len(list(read(envelope, limits=wg.Limits(bytes=size, messages=10)))) == 10
    with pytest.raises(wg.queue.PoisonError, match=f"bytes, expected at most {size - 1}"):
        read(envelope, limits=wg.Limits(bytes=size - 1))
    with pytest.raises(wg.queue.PoisonError, match="10 messages, expected at most 9"):
        read(envelope, limits=wg.Limits(messages=9))


# -- no copies ------------------------------------------------------------------------------------


def _image(message: wg.AgentMessage) -> bytes:
    return message.as_llm().content[1].data.to_bytes()  # type: ignore[union-attr]


def test_media_of_a_decoded_envelope_are_slices_of_its_body() -> None:
    for read in (queue.decode, queue.decode_each):
        data = bytes(bytearray(PACKED))  # no other test holds these
        before = sys.getrefcount(data)
        [message] = read(_of("msgpack", "messages", data))
        assert sys.getrefcount(data) > before
        assert _image(message) == PNG
        del message
        assert sys.getrefcount(data) == before


def test_a_large_image_is_not_copied_on_its_way_in() -> None:
    large = PNG + bytes(10_000_000)
    messages = [wg.UserMessage([wg.ImageBlock.from_bytes(large, "image/png")])]
    packed = queue.encode(messages).to_bytes()
    [message] = within(100_000, lambda: queue.decode(Envelope.from_bytes(packed)))
    assert message.content[0].data.size == len(large)


# -- altered on its way ---------------------------------------------------------------------------


@pytest.mark.parametrize("read", [queue.decode, queue.decode_each])
@pytest.mark.parametrize("options", [{}, {"format": "json"}, {"zstd_over": 0}])
def test_a_checksum_tells_every_flipped_bit_and_every_truncation(read: Any, options: Any) -> None:
    envelope = queue.encode(MESSAGES, **options)
    body = bytes(envelope.body)
    for bit in range(8 * len(body)):
        changed = bytearray(body)
        changed[bit // 8] ^= 1 << bit % 8
        with pytest.raises(wg.queue.PoisonError, match="of the body, expected"):
            read(Envelope(envelope.attributes, bytes(changed), envelope.encoding))
    for end in range(len(body)):
        with pytest.raises(wg.queue.PoisonError, match="of the body, expected"):
            read(Envelope(envelope.attributes, body[:end], envelope.encoding))


@pytest.mark.parametrize("read", [queue.decode, queue.decode_each])
@pytest.mark.parametrize(
    ("format", "encoding"), [("msgpack", None), ("json", None), ("msgpack", "zstd")]
)
def test_without_a_checksum_another_byte_is_poison_or_another_message(
    read: Any, format: str, encoding: str | None
) -> None:
    body = bytes(queue.encode(MESSAGES, format=format, zstd_over=encoding and 0).body)  # type: ignore[arg-type]
    decoded = 0
    for at in range(len(body)):
        for byte in range(at % 3, 256, 3):
            changed = body[:at] + bytes([byte]) + body[at + 1 :]
            envelope = _of(format, "messages", changed, encoding)
            _, error = outcome(lambda envelope: [*read(envelope)], envelope)
            decoded += error is None
            assert error is None or (error.body == changed and error.__cause__ is not None)
    assert 100 < decoded < len(body) * 80


@pytest.mark.parametrize("format", ["msgpack", "json"])
@laws
@given(st.binary(max_size=40), st.sampled_from((None, "zstd")))
def test_any_body_is_messages_or_poison(format: str, body: bytes, encoding: str | None) -> None:
    for read in (queue.decode, queue.decode_each):
        envelope = _of(format, "messages", body, encoding)
        _, error = outcome(lambda envelope, read=read: [*read(envelope)], envelope)
        assert error is None or error.body == body


def test_a_type_that_no_envelope_holds_is_the_callers_mistake_and_no_poison() -> None:
    envelope = queue.encode([wg.UserMessage.from_text("Hello")])
    with pytest.raises(wg.EncodeError, match="expected one of `KINDS`"):
        queue.decode(envelope, list[wg.Message])


def test_more_messages_than_readers_take_are_refused_before_they_are_sent() -> None:
    message = wg.UserMessage.from_text("Hello")
    with pytest.raises(wg.EncodeError, match="100,001 values, expected at most 100,000"):
        queue.encode([message] * 100_001)


def test_a_body_that_readers_would_refuse_is_refused_before_it_is_compressed() -> None:
    held = queue.Envelope(_REQUIRED, bytes(256 * 1024 * 1024))
    with pytest.raises(
        wg.EncodeError,
        match=(
            r"body of 268,435,.* bytes,"
            r" expected at most 268,435,456"
        ),
    ):
        queue.encode_batch([held], zstd_over=0)
