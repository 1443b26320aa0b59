"""Envelopes as headers and body: in the words of each binding, which CloudEvents' own SDK reads."""

from datetime import UTC, datetime
from typing import Any

import pytest
from cloudevents.core.bindings import amqp, http, kafka, rabbitmq
from cloudevents.core.formats.json import JSONFormat
from cloudevents.core.v1.event import CloudEvent
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import wireglot as wg
from tests.queues.outcomes import outcome
from tests.queues.test_envelope import envelopes
from wireglot import queue
from wireglot.queue import Envelope
from wireglot.queue.headers import AMQP, HTTP, KAFKA, described, envelope_of, headers_of

laws = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow], database=None
)

TYPE = "application/vnd.wireglot+msgpack; kind=messages; version=1"
ATTRIBUTES = {
    "specversion": "1.0",
    "id": "e-1",
    "source": "/a b",
    "type": "turn.done",
    "partitionkey": "c-42",
    "subject": 'łódź "50%" 🌍',
    "datacontenttype": TYPE,
    "crc32": "2d02ef8d",
}
ENVELOPE = Envelope(ATTRIBUTES, b"\x90", "zstd")
KAFKA_HEADERS = {
    "ce_specversion": "1.0",
    "ce_id": "e-1",
    "ce_source": "/a b",
    "ce_type": "turn.done",
    "ce_partitionkey": "c-42",
    "ce_subject": 'łódź "50%" 🌍',
    "ce_crc32": "2d02ef8d",
    "content-type": TYPE,
    "content-encoding": "zstd",
}
HTTP_HEADERS = {
    "ce-specversion": "1.0",
    "ce-id": "e-1",
    "ce-source": "/a%20b",
    "ce-type": "turn.done",
    "ce-partitionkey": "c-42",
    "ce-subject": "%C5%82%C3%B3d%C5%BA%20%2250%25%22%20%F0%9F%8C%8D",
    "ce-crc32": "2d02ef8d",
    "content-type": TYPE,
    "content-encoding": "zstd",
}
AMQP_HEADERS = {
    "cloudEvents_specversion": "1.0",
    "cloudEvents_id": "e-1",
    "cloudEvents_source": "/a b",
    "cloudEvents_type": "turn.done",
    "cloudEvents_partitionkey": "c-42",
    "cloudEvents_subject": 'łódź "50%" 🌍',
    "cloudEvents_crc32": "2d02ef8d",
    "content-type": TYPE,
    "content-encoding": "zstd",
}
_BINDINGS = [(KAFKA, KAFKA_HEADERS), (HTTP, HTTP_HEADERS), (AMQP, AMQP_HEADERS)]
_PLAIN = {"ce_specversion": "1.0", "ce_id": "1", "ce_source": "/s", "ce_type": "t"}


# -- the words of each binding --------------------------------------------------------------------


@pytest.mark.parametrize(("prefix", "headers"), _BINDINGS)
def test_attributes_are_headers_of_the_bindings_own_names(
    prefix: str, headers: dict[str, str]
) -> None:
    assert headers_of(ENVELOPE, prefix) == headers
    assert envelope_of(headers, b"\x90") == ENVELOPE


@pytest.mark.parametrize(("prefix", "headers"), _BINDINGS)
def test_headers_may_come_as_pairs_of_bytes_and_in_capitals(
    prefix: str, headers: dict[str, str]
) -> None:
    pairs = [(key.upper().encode(), value.encode()) for key, value in headers.items()]
    assert envelope_of(pairs, b"\x90") == ENVELOPE


def test_the_older_names_of_amqp_are_read_too() -> None:
    headers = {key.replace("cloudEvents_", "cloudEvents:"): v for key, v in AMQP_HEADERS.items()}
    assert envelope_of(headers, b"\x90") == ENVELOPE


def test_the_brokers_own_properties_stand_for_the_headers_of_that_name() -> None:
    headers = {**AMQP_HEADERS}
    content_type, encoding = headers.pop("content-type"), headers.pop("content-encoding")
    assert envelope_of(headers, b"\x90", content_type, encoding) == ENVELOPE


@pytest.mark.parametrize("prefix", [KAFKA, HTTP, AMQP])
@laws
@given(envelopes())
def test_an_envelope_comes_back_from_its_headers(prefix: str, envelope: Envelope) -> None:
    headers = headers_of(envelope, prefix)
    assert envelope_of(headers, envelope.body) == envelope
    if prefix == HTTP:
        values = [value for key, value in headers.items() if key.startswith("ce-")]
        assert "".join(values).isascii()
        assert not {*' "\n'} & {*"".join(values)}


def test_types_that_brokers_have_for_attributes_become_their_canonical_text() -> None:
    headers = {
        **_PLAIN,
        "ce_flag": True,
        "ce_no": False,
        "ce_number": -5,
        "ce_bytes": "ł".encode(),
        "ce_time": datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC),
        "ce_nothing": None,
    }
    attributes = envelope_of(headers, b"").attributes
    assert {name: attributes[name] for name in ("flag", "no", "number", "bytes", "time")} == {
        "flag": "true",
        "no": "false",
        "number": "-5",
        "bytes": "ł",
        "time": "2026-01-02T03:04:05+00:00",
    }
    assert "nothing" not in attributes


# -- headers of others ----------------------------------------------------------------------------


def test_headers_of_others_are_not_looked_at() -> None:
    headers = {**_PLAIN, "x-death": [{"count": 1}], "host": b"\xff", "nats-msg-id": None, "ce": 1}
    assert envelope_of(headers, b"").attributes == {
        "specversion": "1.0",
        "id": "1",
        "source": "/s",
        "type": "t",
    }


def test_a_trace_beside_the_event_is_its_own_unless_it_has_one() -> None:
    headers = {**_PLAIN, "traceparent": b"00-aa-bb-01", "Tracestate": "a=b"}
    attributes = envelope_of(headers, b"").attributes
    assert (attributes["traceparent"], attributes["tracestate"]) == ("00-aa-bb-01", "a=b")
    headers = {"traceparent": "00-cc-dd-01", **_PLAIN, "ce_traceparent": "00-aa-bb-01"}
    assert envelope_of(headers, b"").attributes["traceparent"] == "00-aa-bb-01"


@pytest.mark.parametrize("trace", [None, "", 5, [], "a\r\nb", b"\xff", "\ud83d"])
def test_a_broken_trace_beside_the_event_costs_no_message(trace: Any) -> None:
    attributes = envelope_of({**_PLAIN, "traceparent": trace}, b"").attributes
    assert "traceparent" not in attributes


@pytest.mark.parametrize("encoding", ["", None])
def test_an_empty_encoding_is_none(encoding: str | None) -> None:
    assert envelope_of({**_PLAIN, "content-encoding": encoding}, b"").encoding is None


# -- what is no event -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("headers", "words"),
    [
        ({}, "envelope without `specversion`"),
        ({**_PLAIN, "ce_id": None}, "envelope without `id`"),
        ({**_PLAIN, "ce_source": ""}, "envelope without `source`"),
        ({**_PLAIN, "ce_specversion": "0.3"}, "CloudEvents `0.3`, expected `1.0`"),
        ({**_PLAIN, "ce_": "x"}, "attribute ``, expected letters"),
        ({**_PLAIN, "ce_a_b": "x"}, "attribute `a_b`, expected letters"),
        ({**_PLAIN, "ce_é": "x"}, "attribute `é`, expected letters"),
        ({**_PLAIN, "ce_data": "x"}, "attribute `data`, expected letters"),
        ({**_PLAIN, "ce_subject": "a\r\nb"}, "text with control characters, expected"),
        ({**_PLAIN, "ce_subject": "\x00"}, "text with control characters, expected"),
        ({**_PLAIN, "ce_subject": "\ud83d"}, "text with control characters, expected"),
        ({**_PLAIN, "ce_subject": b"\xff"}, "bad header: 'utf-8' codec"),
        ({**_PLAIN, "ce-subject": "%FF"}, "bad header: 'utf-8' codec"),
        ({**_PLAIN, "ce-subject": "%0A"}, "text with control characters, expected"),
        ({**_PLAIN, b"\xff": "x"}, "bad header: 'utf-8' codec"),
        ({**_PLAIN, "ce_subject": 1.5}, "bad header: `float`, expected text"),
        ({**_PLAIN, "ce_subject": ["x"]}, "bad header: `list`, expected text"),
        ({**_PLAIN, "content-type": ["x"]}, "bad header: `list`, expected text"),
        ({**_PLAIN, "content-encoding": b"\xff"}, "bad header: 'utf-8' codec"),
        ({**_PLAIN, "content-encoding": "gzip, zstd"}, "content encoding `gzip, zstd`"),
    ],
)
def test_what_is_no_event_is_poison_with_all_that_came(headers: Any, words: str) -> None:
    with pytest.raises(wg.queue.PoisonError) as caught:
        envelope_of(headers, memoryview(b"body"))
    assert str(caught.value).startswith(f"queue: {words}")
    assert caught.value.body == b"body"
    assert len(caught.value.headers) == len(headers)
    assert all(type(text) is str for pair in caught.value.headers.items() for text in pair)
    assert caught.value.__cause__ is not None


_VALUES = st.none() | st.integers() | st.text(max_size=8) | st.binary(max_size=8)


@laws
@given(
    st.dictionaries(
        st.sampled_from(["ce_id", "ce-id", "CE_x", "content-type", "traceparent"])
        | st.text(max_size=8)
        | st.binary(max_size=8),
        _VALUES | st.floats() | st.lists(_VALUES, max_size=1) | st.datetimes(),
        max_size=4,
    ),
    st.booleans(),
)
def test_any_headers_are_an_envelope_or_poison(headers: Any, whole: bool) -> None:
    headers = {**_PLAIN, **headers} if whole else headers
    _, error = outcome(lambda: queue.decode(envelope_of(headers, b"\x90")))
    assert error is None or error.body == b"\x90"


# -- why it lies where it lies --------------------------------------------------------------------


def test_an_error_as_a_header_is_one_line_of_ascii_whatever_came() -> None:
    error = wg.queue.PoisonError("unknown field `a\r\nce-id: é\x00\x7f`", body=b"", wire="queue")
    assert described(error) == "queue: unknown field `a ce-id: \\xe9 ` - at `$`"
    assert len(described(wg.queue.PoisonError("a" * 5000, body=b""))) == 1000


def test_a_key_with_a_line_break_makes_no_header() -> None:
    body = (
        b'[{"role":"user","content":[{"type":"text","text":"","cache":{"a\\r\\nce-id: evil":1}}]}]'
    )
    text = "application/vnd.wireglot+json; kind=messages; version=1"
    envelope = Envelope({**ATTRIBUTES, "datacontenttype": text, "crc32": ""}, body)
    attributes = {name: v for name, v in envelope.attributes.items() if name != "crc32"}
    with pytest.raises(wg.queue.PoisonError) as caught:
        queue.decode(Envelope(attributes, body))
    assert described(caught.value) == (
        "queue: object contains unknown field `a\\r\\nce-id: evil` - at `$[0].content[0].cache`"
    )


# -- the official SDK -----------------------------------------------------------------------------

# It has a time for every event: now, if none came.
_EVENT = {**ATTRIBUTES, "time": "2026-01-02T03:04:05Z"}
_SEEN = {**ATTRIBUTES, "time": datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)}
_BODY = b"\x91\xc1\xff"


def test_the_sdk_reads_what_goes_to_kafka() -> None:
    headers = {k: v.encode() for k, v in headers_of(Envelope(_EVENT, _BODY), KAFKA).items()}
    event = kafka.from_kafka(kafka.KafkaMessage(headers, b"c-42", _BODY), JSONFormat())
    assert event.get_attributes() == _SEEN
    assert event.get_data() == _BODY


def test_the_sdk_reads_what_goes_over_http_and_nats() -> None:
    headers = headers_of(Envelope(_EVENT, _BODY), HTTP)
    event = http.from_http(http.HTTPMessage(headers, _BODY), JSONFormat())
    assert event.get_attributes() == _SEEN
    assert event.get_data() == _BODY


def test_the_sdk_reads_what_goes_over_amqp() -> None:
    headers = headers_of(Envelope(_EVENT, _BODY), AMQP)
    properties = {"content-type": headers.pop("content-type")}
    event = amqp.from_amqp(amqp.AMQPMessage(properties, headers, _BODY), JSONFormat())
    assert event.get_attributes() == _SEEN
    assert event.get_data() == _BODY


def test_we_read_what_the_sdk_sends_to_kafka() -> None:
    message = kafka.to_binary(CloudEvent({**_SEEN}, _BODY), JSONFormat())
    assert envelope_of(message.headers, message.value) == Envelope(_EVENT, _BODY)


def test_we_read_what_the_sdk_sends_over_http() -> None:
    message = http.to_binary(CloudEvent({**_SEEN}, _BODY), JSONFormat())
    assert envelope_of(message.headers, message.body) == Envelope(_EVENT, _BODY)
    assert {
        **message.headers,
        "content-encoding": "zstd",
    } == {**HTTP_HEADERS, "ce-time": "2026-01-02T03:04:05Z"}


def test_we_read_what_the_sdk_sends_over_amqp() -> None:
    message = amqp.to_binary(CloudEvent({**_SEEN}, _BODY), JSONFormat())
    headers = {**message.application_properties}
    assert headers.pop("cloudEvents_time") == 1767323045000  # milliseconds: AMQP 1.0 has a type
    content_type = message.properties["content-type"]
    assert envelope_of(headers, _BODY, content_type) == Envelope(ATTRIBUTES, _BODY)


@pytest.mark.parametrize(
    ("source", "subject"), [("/a b", "łódź 🌍"), ("/files/a%20b", "50%25"), ("/s", "%FF")]
)
def test_we_read_what_the_sdk_sends_to_rabbitmq(source: str, subject: str) -> None:
    words = {"source": source, "subject": subject}
    message = rabbitmq.to_binary(CloudEvent({**_SEEN, **words}, _BODY), JSONFormat())
    # Not percent-encoded, though the names are HTTP's.
    assert (message.headers["ce-source"], message.headers["ce-subject"]) == (source, subject)
    came = envelope_of(message.headers, message.body, message.content_type, percent=False)
    assert came == Envelope({**_EVENT, **words}, _BODY)


@pytest.mark.parametrize("name", ["id", "source", "type", "partitionkey", "subject", "x1"])
@laws
@given(st.text(st.characters(exclude_categories=["Cc", "Cs"]), min_size=1, max_size=12))
def test_the_sdk_and_we_agree_on_any_text(name: str, text: str) -> None:
    envelope = Envelope({**_EVENT, name: text}, _BODY)
    over_http = http.HTTPMessage(headers_of(envelope, HTTP), _BODY)
    assert http.from_binary(over_http, JSONFormat()).get_attributes()[name] == text
    headers = {key: value.encode() for key, value in headers_of(envelope, KAFKA).items()}
    over_kafka = kafka.KafkaMessage(headers, None, _BODY)
    assert kafka.from_binary(over_kafka, JSONFormat()).get_attributes()[name] == text


def test_a_time_may_come_as_the_timestamp_of_amqp() -> None:
    headers = {f"cloudEvents_{name}": "1.0" for name in ("specversion", "id", "source", "type")}
    envelope = envelope_of({**headers, "cloudEvents_time": 1_767_323_045_000}, b"")
    assert envelope.attributes["time"] == "2026-01-02T03:04:05+00:00"
    with pytest.raises(wg.queue.PoisonError, match="bad header"):
        envelope_of({**headers, "cloudEvents_time": 10**18}, b"")


def test_an_id_that_no_property_of_amqp_can_hold_goes_in_the_headers_alone() -> None:
    pytest.importorskip("aio_pika")
    envelope = queue.encode([], id="é" * 200)
    message = queue.aio_pika.message(envelope)
    assert (message.message_id, message.headers["cloudEvents_id"]) == (None, "é" * 200)
    assert queue.aio_pika.message(queue.encode([], id="x" * 255)).message_id == "x" * 255
