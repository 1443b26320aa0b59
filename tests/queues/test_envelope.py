"""An envelope in one piece, what it refuses, and the errors that take it along."""

import copy
import pickle
import sys
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import wireglot as wg
from tests.queues.outcomes import outcome
from wireglot import queue
from wireglot.queue import Envelope

laws = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow], database=None
)

REQUIRED = {"specversion": "1.0", "id": "1", "source": "/s", "type": "t"}
TYPE = "application/vnd.wireglot+msgpack; kind=messages; version=1"
ENVELOPE = Envelope({**REQUIRED, "datacontenttype": TYPE}, b"\x90")
# [1, {attributes}, null, body]
PACKED = (
    b"\x94\x01"
    b"\x85\xafdatacontenttype"
    b"\xd9\x3aapplication/vnd.wireglot+msgpack; kind=messages; version=1"
    b"\xa2id\xa11\xa6source\xa2/s\xabspecversion\xa31.0\xa4type\xa1t"
    b"\xc0"
    b"\xc4\x01\x90"
)

_TEXTS = st.text(st.characters(exclude_categories=["Cc", "Cs"]), min_size=1, max_size=12)
_NAMES = st.from_regex("[a-z0-9]{1,12}", fullmatch=True).filter(lambda name: name != "data")


@st.composite
def envelopes(draw: st.DrawFn) -> Envelope:
    """Draw envelopes of any attributes and any body."""
    attributes = draw(st.dictionaries(_NAMES, _TEXTS, max_size=3))
    known = {"specversion": "1.0", **{name: draw(_TEXTS) for name in ("id", "source", "type")}}
    return Envelope(
        {**attributes, **known}, draw(st.binary(max_size=20)), draw(st.sampled_from((None, "zstd")))
    )


# -- in one piece ---------------------------------------------------------------------------------


def test_an_envelope_in_one_piece_is_an_array_of_version_attributes_encoding_and_body() -> None:
    assert ENVELOPE.to_bytes() == PACKED
    assert Envelope.from_bytes(PACKED) == ENVELOPE


def test_equal_envelopes_are_equal_bytes_whatever_the_order_of_their_attributes() -> None:
    turned = dict(reversed(ENVELOPE.attributes.items()))
    assert Envelope(turned, b"\x90").to_bytes() == PACKED


def test_an_envelope_of_a_compressed_body_says_so() -> None:
    packed = PACKED.replace(b"\xc0\xc4", b"\xa4zstd\xc4")
    assert Envelope(ENVELOPE.attributes, b"\x90", "zstd").to_bytes() == packed
    assert Envelope.from_bytes(packed).encoding == "zstd"


@laws
@given(envelopes())
def test_an_envelope_comes_back_from_one_piece(envelope: Envelope) -> None:
    packed = envelope.to_bytes()
    assert Envelope.from_bytes(packed) == envelope
    assert Envelope.from_bytes(memoryview(packed)).to_bytes() == packed


def test_the_body_of_an_envelope_that_came_in_one_piece_is_a_slice_of_it() -> None:
    data = bytes(bytearray(PACKED))  # no other test holds these
    before = sys.getrefcount(data)
    envelope = Envelope.from_bytes(data)
    assert sys.getrefcount(data) > before
    del envelope
    assert sys.getrefcount(data) == before


def test_an_envelope_does_not_change_with_the_buffer_that_it_came_in() -> None:
    buffer = bytearray(PACKED)
    envelope = Envelope.from_bytes(memoryview(buffer).toreadonly())
    buffer[-1:] = b"\x91"
    assert envelope == ENVELOPE


def test_the_repr_of_an_envelope_has_its_size_and_no_content() -> None:
    attributes = {"specversion": "1.0", "id": "1", "source": "s", "type": "t"}
    shown = "{'specversion': '1.0', 'id': '1', 'source': 's', 'type': 't'}"
    plain, packed = Envelope(attributes, b"Hello"), Envelope(attributes, b"(\xb5/", "zstd")
    assert repr(plain) == f"Envelope({shown}, <5 bytes>)"
    assert repr(packed) == f"Envelope({shown}, <3 bytes>, encoding='zstd')"


@pytest.mark.parametrize("change", [copy.deepcopy, lambda e: pickle.loads(pickle.dumps(e))])
def test_an_envelope_whose_body_is_a_slice_can_be_copied_and_pickled(change: Any) -> None:
    came = change(Envelope.from_bytes(PACKED))
    assert came == ENVELOPE
    assert type(came.body) is bytes


def test_what_an_envelope_says_of_itself() -> None:
    envelope = Envelope({**ENVELOPE.attributes, "partitionkey": "c-42"}, b"")
    assert (envelope.id, envelope.source, envelope.type) == ("1", "/s", "t")
    assert envelope.conversation == "c-42"
    assert ENVELOPE.conversation is None
    assert envelope.content_type == queue.ContentType("msgpack", "messages", 1)
    assert str(envelope.content_type) == TYPE


# -- what is no envelope --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("packed", "words"),
    [
        (b"", "not an envelope: Input data was truncated"),
        (b"\x90", "not an envelope: not enough values"),
        (b"\x01", "not an envelope: Expected `array`, got `int`"),
        (b"\x80", "not an envelope: Expected `array`, got `object`"),
        (b"\x94\xa11\x80\xc0\xc4\0", "not an envelope: Expected `int`, got `str`"),
        (
            b"\x94\x01\x80\xc0\xc4\0",
            "not an envelope: envelope without `specversion`, expected some text - at `$`",
        ),
        (b"\x91\x01", "not an envelope: Expected `array` of at least length 4"),
        (b"\x95" + PACKED[1:] + b"\x01", "not an envelope: Expected `array` of at most length 4"),
        (b"\x94\x00" + PACKED[2:], "not an envelope: Expected `int` >= 1 - at `$[0]`"),
        (b"\x94\xfb" + PACKED[2:], "not an envelope: Expected `int` >= 1 - at `$[0]`"),
        (PACKED + b"\0", "not an envelope: MessagePack data is malformed: trailing"),
        (PACKED.replace(b"\xc0\xc4", b"\x05\xc4"), "not an envelope: Expected `str | null`"),
        (PACKED.replace(b"\xc0\xc4", b"\xa1 \xc4"), "not an envelope: content encoding ` `"),
        (PACKED.replace(b"\xa11", b"\xa1\xff"), "not an envelope: 'utf-8' codec"),
        (PACKED.replace(b"\xa2/s", b"\xa3\xed\xa0\x80"), "not an envelope: 'utf-8' codec"),
        (
            PACKED.replace(b"\xa2/s", b"\xa2/\n"),
            "not an envelope: text with control characters, expected",
        ),
        (PACKED.replace(b"\xa11", b"\xa0"), "not an envelope: envelope without `id`"),
        (PACKED.replace(b"\xa2id", b"\xa2iD"), "not an envelope: attribute `iD`, expected letters"),
        (b"\x91" * 100_000, "not an envelope: maximum recursion depth exceeded"),
        (b"\xdd\xff\xff\xff\xff", "not an envelope: Input data was truncated"),
    ],
)
def test_what_is_no_envelope_is_poison_with_its_cause(packed: bytes, words: str) -> None:
    with pytest.raises(wg.queue.PoisonError) as caught:
        Envelope.from_bytes(packed)
    assert str(caught.value).startswith(f"queue: {words}")
    assert caught.value.body == packed
    assert caught.value.__cause__ is not None


@pytest.mark.parametrize(
    "packed",
    [b"\x91\x02", b"\x92\x02\xa6future", b"\x94\x02" + PACKED[2:], b"\x91\xcf" + b"\xff" * 8],
)
def test_an_envelope_of_a_newer_version_is_told_from_a_broken_one(packed: bytes) -> None:
    with pytest.raises(wg.queue.VersionError, match="envelope of version") as got:
        Envelope.from_bytes(packed)
    assert got.value.body == packed


@laws
@given(st.binary(max_size=60) | st.binary(max_size=60).map(lambda tail: PACKED[:30] + tail))
def test_any_bytes_are_an_envelope_or_poison(packed: bytes) -> None:
    envelope, error = outcome(Envelope.from_bytes, packed)
    assert envelope.id if error is None else error.body == packed


def test_any_byte_of_an_envelope_may_be_another_one() -> None:
    read = 0
    for at in range(len(PACKED)):
        for byte in range(256):
            packed = PACKED[:at] + bytes([byte]) + PACKED[at + 1 :]
            try:
                queue.decode(Envelope.from_bytes(packed))
                read += 1
            except wg.queue.PoisonError:
                pass
    assert 256 < read < len(PACKED) * 256 - 256


def test_an_envelope_cut_off_anywhere_is_poison() -> None:
    for end in range(len(PACKED)):
        with pytest.raises(wg.queue.PoisonError):
            Envelope.from_bytes(PACKED[:end])


# -- what CloudEvents allow -----------------------------------------------------------------------


@pytest.mark.parametrize("name", ["specversion", "id", "source", "type"])
@pytest.mark.parametrize("value", [None, ""])
def test_an_envelope_has_what_every_event_has(name: str, value: str | None) -> None:
    attributes = {key: text for key, text in REQUIRED.items() if key != name}
    if value is not None:
        attributes[name] = value
    with pytest.raises(wg.EncodeError, match=f"envelope without `{name}`"):
        Envelope(attributes, b"")


@pytest.mark.parametrize("name", ["", "A", "trace_parent", "trace-parent", "é", "a\n", "data"])
def test_names_of_attributes_are_small_letters_and_digits_and_never_data(name: str) -> None:
    with pytest.raises(wg.EncodeError, match="expected letters a-z or digits"):
        Envelope({**REQUIRED, name: "x"}, b"")


@pytest.mark.parametrize("value", ["\0", "a\nb", "\x7f", "\x85", "\ud83d", b"x", 5, None, True])
def test_values_of_attributes_are_text_without_control_characters(value: Any) -> None:
    with pytest.raises(wg.EncodeError, match=r"expected printable text - at `\$\.subject`"):
        Envelope({**REQUIRED, "subject": value}, b"")


@pytest.mark.parametrize("version", ["0.3", "1", "1.0.2", "1.1", "2.0", "1.0 "])
def test_attributes_of_another_version_of_cloudevents_are_not_taken_for_this_one(
    version: str,
) -> None:
    with pytest.raises(wg.EncodeError, match=f"CloudEvents `{version}`, expected `1.0`"):
        Envelope({**REQUIRED, "specversion": version}, b"")
    packed = PACKED.replace(b"\xa31.0", bytes([0xA0 + len(version)]) + version.encode())
    with pytest.raises(wg.queue.PoisonError, match=f"CloudEvents `{version}`, expected `1.0`"):
        Envelope.from_bytes(packed)


@pytest.mark.parametrize("encoding", ["", "zstd, gzip", "zs\ntd", "é", "\ud83d"])
def test_an_encoding_is_one_word(encoding: str) -> None:
    with pytest.raises(wg.EncodeError, match="expected a word"):
        Envelope(REQUIRED, b"", encoding)


# -- content types --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("application/vnd.wireglot+json;kind=events;version=1", ("json", "events", 1)),
        ("APPLICATION/VND.Wireglot+JSON; Kind=events; VERSION=1", ("json", "events", 1)),
        (' application/vnd.wireglot+json ; version="1" ; kind="events" ', ("json", "events", 1)),
        ("application/vnd.wireglot+json; charset=utf-8; version=1; kind=x", ("json", "x", 1)),
        (
            "application/vnd.wireglot+msgpack; kind=messages; version=1.9",
            ("msgpack", "messages", 1),
        ),
        ("application/vnd.wireglot+cbor; kind=messages; version=1", ("cbor", "messages", 1)),
    ],
)
def test_a_content_type_may_be_spelled_in_any_way_that_http_allows(
    text: str, expected: tuple[str, str, int]
) -> None:
    assert Envelope({**REQUIRED, "datacontenttype": text}, b"").content_type == expected


@pytest.mark.parametrize(
    "text",
    [
        None,
        "",
        ";;;",
        "application/json",
        "application/vnd.wireglot; kind=messages; version=1",
        "application/vnd.wireglot+msgpack",
        "application/vnd.wireglot+msgpack; kind=messages",
        "application/vnd.wireglot+msgpack; version=1",
        "application/vnd.wireglot+msgpack; kind=; version=1",
        "application/vnd.wireglot+msgpack; kind=messages; version=",
        "application/vnd.wireglot+msgpack; kind=messages; version=-1",
        "application/vnd.wireglot+msgpack; kind=messages; version=0",
        "application/vnd.wireglot+msgpack; kind=messages; version=01",
        "application/vnd.wireglot+msgpack; kind=messages; version=1e3",
        "application/vnd.wireglot+msgpack; kind=messages; version=\u0661",
        "application/vnd.wireglot+msgpack; kind=messages; version=\u00b2",
        "application/vnd.wireglot+msgpack; kind=messages; version=" + "9" * 10_000,
        "application/vnd.wireglot+msgpack; kind=messages; version=1; a=" + "b" * 1_000_000,
        "text/plain, application/vnd.wireglot+msgpack; kind=messages; version=1",
    ],
)
def test_what_is_no_content_type_of_ours_is_poison(text: str | None) -> None:
    attributes = REQUIRED if text is None else {**REQUIRED, "datacontenttype": text}
    with pytest.raises(
        wg.queue.PoisonError, match=r"content type .*, expected `application/vnd\.wireglot"
    ) as caught:
        queue.decode(Envelope(attributes, b"\x90"))
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize("version", ["2", "2.0", "999999"])
def test_content_of_a_newer_version_is_told_from_broken_content(version: str) -> None:
    text = f"application/vnd.wireglot+msgpack; kind=messages; version={version}"
    envelope = Envelope({**REQUIRED, "datacontenttype": text}, b"\xff")
    for read in (queue.decode, queue.decode_each, queue.decode_batch):
        with pytest.raises(
            wg.queue.VersionError, match=r"content of version .*, expected at most 1"
        ):
            read(envelope)


@laws
@given(st.text(st.characters(exclude_categories=["Cc", "Cs"]), max_size=60), st.booleans())
def test_any_content_type_is_read_or_poison(text: str, ours: bool) -> None:
    text = f"application/vnd.wireglot+{text}; kind={text}; version=1" if ours else text
    envelope = Envelope({**REQUIRED, "datacontenttype": text}, b"\x90")
    _, error = outcome(queue.decode, envelope)
    assert error is None or error.body == b"\x90"


# -- errors ---------------------------------------------------------------------------------------


def test_an_error_takes_body_attributes_and_encoding_along_and_can_be_pickled() -> None:
    envelope = Envelope({**ENVELOPE.attributes, "crc32": "00000000"}, memoryview(b"\x90"), "zstd")
    with pytest.raises(wg.queue.PoisonError) as caught:
        queue.decode(envelope)
    for error in (caught.value, pickle.loads(pickle.dumps(caught.value))):
        assert type(error) is wg.queue.PoisonError
        assert str(error) == (
            "queue: checksum `220d7cc9` of the body, expected `00000000` (`crc32`) - at `$`"
        )
        assert error.body == b"\x90"
        assert type(error.body) is bytes
        assert error.headers == {
            "specversion": "1.0",
            "id": "1",
            "source": "/s",
            "type": "t",
            "datacontenttype": "application/vnd.wireglot+msgpack; kind=messages; version=1",
            "crc32": "00000000",
            "content-encoding": "zstd",
        }


def test_an_error_about_a_newer_version_can_be_pickled() -> None:
    with pytest.raises(wg.queue.VersionError) as caught:
        Envelope.from_bytes(b"\x91\x02")
    error = pickle.loads(pickle.dumps(caught.value))
    assert type(error) is wg.queue.VersionError
    assert (error.body, error.headers, error.wire) == (b"\x91\x02", {}, "queue")


def test_what_a_caller_does_to_the_headers_of_an_error_leaves_the_envelope_alone() -> None:
    envelope = Envelope({**REQUIRED}, b"")
    envelope.poison("why").headers.clear()
    assert envelope.attributes == REQUIRED
