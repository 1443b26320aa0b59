"""Arguments of tasks: plain data with model values anywhere in it, which comes back as it went."""

import enum
import sys
from collections import OrderedDict
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from fractions import Fraction
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import wireglot as wg
from tests.queues.outcomes import outcome
from tests.queues.test_envelope import PACKED as ENVELOPE_PACKED
from tests.queues.test_envelope import envelopes
from wireglot import queue
from wireglot import testing as some
from wireglot.queue import Envelope, decode_values, encode_values
from wireglot.queue.values import CONTENT_TYPE

laws = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow], database=None
)

_KINDS = (
    some.agent_messages,
    some.messages,
    some.blocks,
    some.requests,
    some.responses,
    some.stream_events,
    envelopes,
)


@st.composite
def _of_the_model(draw: st.DrawFn) -> Any:
    """Draw what an extension type holds; as one strategy it would be too large to be shown."""
    return draw(draw(st.sampled_from(_KINDS))())


_OFFSETS = st.integers(-86_399, 86_399).map(lambda seconds: timezone(timedelta(seconds=seconds)))
_PLAIN = (
    st.none()
    | st.booleans()
    | st.integers(-(10**40), 10**40)
    | st.floats(allow_nan=False)
    | some.texts()
    | st.binary(max_size=8)
    | st.datetimes(timezones=st.none() | _OFFSETS)
    | st.dates()
    | st.times()
    | st.uuids()
    | st.decimals(allow_nan=False)
)
_ANY = st.recursive(
    _PLAIN | _of_the_model() | _of_the_model(),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=4,
)


def test_the_content_type_names_kind_and_version() -> None:
    assert CONTENT_TYPE == "application/vnd.wireglot+msgpack; kind=values; version=1"


@laws
@given(_ANY)
def test_values_come_back(value: Any) -> None:
    packed = encode_values(value)
    assert decode_values(packed) == value
    assert encode_values(decode_values(packed)) == packed


@pytest.mark.parametrize(
    ("value", "packed"),
    [
        ({"a": [1, "x", None, True, 1.5, b"\0"]}, b"\x81\xa1a\x96\x01\xa1x\xc0\xc3\xcb\x3f\xf8"
         b"\0\0\0\0\0\0\xc4\x01\0"),
        (wg.UserMessage([], node_id=1), b"\xc7\x1c\x50\x83\xa4role\xa4user\xa7content\x90"
         b"\xa6nodeId\x01"),
        (wg.LlmMessage(wg.UserMessage([]), node_id=1), b"\xc7\x1c\x5d\x83\xa4role\xa4user"
         b"\xa7content\x90\xa6nodeId\x01"),
        (wg.CustomMessage("x"), b"\xc7\x23\x50\x83\xa4role\xa6custom\xaacustomType\xa1x"
         b"\xa7content\x90"),
        (wg.UserMessage([]), b"\xc7\x14\x51\x82\xa4role\xa4user\xa7content\x90"),
        (wg.TextBlock("a"), b"\xc7\x12\x52\x82\xa4type\xa4text\xa4text\xa1a"),
        (wg.Request([]), b"\xc7\x0d\x53\xde\0\x01\xa8messages\x90"),
        (wg.TextDelta(0, "a"), b"\xc7\x1e\x55\x83\xa4type\xa9textDelta\xa5index\0\xa4text\xa1a"),
        (Envelope.from_bytes(ENVELOPE_PACKED), b"\xc7\x79\x56" + ENVELOPE_PACKED),
        (datetime(2026, 1, 2, 3, 4, 5, 6), b"\xc7\x1a\x572026-01-02T03:04:05.000006"),
        (datetime(2026, 1, 2, tzinfo=UTC), b"\xc7\x19\x572026-01-02T00:00:00+00:00"),
        (date(2026, 1, 2), b"\xc7\x0a\x582026-01-02"),
        (time(3, 4), b"\xd7\x5903:04:00"),
        (time(3, 4, fold=1), b"\xd8\x5903:04:00[fold=1]"),
        (datetime(2026, 10, 25, 2, 30, fold=1), b"\xc7\x1b\x572026-10-25T02:30:00[fold=1]"),
        (UUID(int=5), b"\xc7\x24\x5a00000000-0000-0000-0000-000000000005"),
        (Decimal("1.10"), b"\xd6\x5b1.10"),
        (Decimal("-0"), b"\xd5\x5b-0"),
        (Decimal("-0.0"), b"\xd6\x5b-0.0"),
        (2**64 - 1, b"\xcf\xff\xff\xff\xff\xff\xff\xff\xff"),
        (2**64, b"\xc7\x14\x5c18446744073709551616"),
        (-(2**63), b"\xd3\x80\0\0\0\0\0\0\0"),
        (-(2**63) - 1, b"\xc7\x14\x5c-9223372036854775809"),
    ],
)  # fmt: skip
def test_each_type_has_its_extension(value: Any, packed: bytes) -> None:
    assert encode_values(value) == packed
    came = decode_values(packed)
    assert came == value
    assert type(came) is type(value)


@pytest.mark.parametrize(
    "value",
    [
        Decimal("-0"),
        Decimal("-0E+3"),
        time(3, 4, fold=1),
        datetime(2026, 10, 25, 2, 30, fold=1),
        datetime(2026, 10, 25, 2, 30),
    ],
)
def test_what_makes_no_difference_to_equality_is_kept_too(value: Any) -> None:
    assert repr(decode_values(encode_values(value))) == repr(value)


def test_a_time_of_day_whose_zone_has_no_offset_is_an_encode_error() -> None:
    with pytest.raises(
        wg.EncodeError,
        match="time of day in `Europe/Berlin`, expected a zone with a fixed offset",
    ):
        encode_values([time(3, 4, tzinfo=ZoneInfo("Europe/Berlin"))])
    moment = datetime(2026, 7, 2, 3, 4, tzinfo=ZoneInfo("Europe/Berlin"))
    assert encode_values(moment) == b"\xc7\x19\x572026-07-02T03:04:00+02:00"
    assert decode_values(encode_values(moment)) == moment


def test_a_time_keeps_an_offset_of_seconds() -> None:
    moment = datetime(1900, 1, 1, tzinfo=timezone(timedelta(minutes=19, seconds=32)))
    assert encode_values(moment) == b"\xc7\x1c\x571900-01-01T00:00:00+00:19:32"
    assert decode_values(encode_values(moment)) == moment


class _Color(enum.StrEnum):
    RED = "red"


class _Size(enum.IntEnum):
    BIG = 3


class _Items(list[int]):
    pass


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ((1, (2,)), [1, [2]]),
        (_Color.RED, "red"),
        (_Size.BIG, 3),
        (OrderedDict(a=1), {"a": 1}),
        (_Items([1]), [1]),
        (wg.StopReason.STOP, "stop"),
        ({_Color.RED: _Size.BIG}, {"red": 3}),
    ],
)
def test_kinds_of_plain_data_come_back_as_plain_data(value: Any, expected: Any) -> None:
    came = decode_values(encode_values(value))
    assert came == expected
    assert type(came) is type(expected)


class _Float(float):
    pass


class _Plain(enum.Enum):
    RED = "red"


_cycle: list[Any] = []
_cycle.append(_cycle)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ({1, 2}, "`set`, expected plain data"),
        ([{"a": [frozenset()]}], "`frozenset`, expected plain data"),
        (bytearray(b"x"), "`bytearray`, expected plain data"),
        (memoryview(b"x"), "`memoryview`, expected plain data"),
        (timedelta(1), "`timedelta`, expected plain data"),
        (Fraction(1, 2), "`Fraction`, expected plain data"),
        (_Float(1.5), "`_Float`, expected plain data"),
        (_Plain.RED, "`_Plain`, expected plain data"),
        (object(), "`object`, expected plain data"),
        (wg.Usage(), "`Usage`, expected plain data"),
        (wg.Media.from_bytes(b"x"), "`Media`, expected plain data"),
        (msgspec.msgpack.Ext(5, b""), "`Ext`, expected plain data"),
        (msgspec.Raw(b"\xff"), "`Raw`, expected plain data"),
        ("\ud83d", "text holds a lone surrogate"),
        ({"\ud83d": 1}, "text holds a lone surrogate"),
        (wg.TextBlock("\ud83d"), "lone surrogate"),
        (wg.ImageBlock(data=wg.Media.from_file("/no/such/file")), "cannot read `/no/such/file`"),
        ({(1, 2): 3}, "`tuple` as the key of an object"),
        ({2**70: 1}, "`int` as the key of an object"),
        ([10**5000], "integer of more than 4,300 digits"),
        (_cycle, "nested too deeply"),
    ],
)
def test_what_would_not_come_back_is_an_encode_error(value: Any, words: str) -> None:
    with pytest.raises(wg.EncodeError, match=words):
        encode_values(value)


def test_media_among_values_are_slices_of_what_came() -> None:
    data = encode_values({"m": wg.UserMessage([wg.ImageBlock.from_bytes(b"hello hi")])})
    before = sys.getrefcount(data)
    [image] = decode_values(data)["m"].content
    assert sys.getrefcount(data) > before
    assert image.data.to_bytes() == b"hello hi"
    del image
    assert sys.getrefcount(data) == before


# -- what is none ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("packed", "words"),
    [
        (b"", "not values: Input data was truncated"),
        (b"\x01\x01", "not values: MessagePack data is malformed: trailing"),
        (b"\xc1", "not values: MessagePack data is malformed"),
        (b"\xa1\xff", "not values: 'utf-8' codec"),
        (b"\x91" * 100_000, "not values: maximum recursion depth"),
        (b"\xdd\xff\xff\xff\xff", "not values: Input data was truncated"),
        (b"\xdf\xff\xff\xff\xff", "not values: Input data was truncated"),
        (b"\xd4\x01a", "not values: extension type 1, expected one of 80 to 93 - at `$`"),
        (b"\xd4\x7fa", "not values: extension type 127, expected one of 80 to 93 - at `$`"),
        (b"\xd4\x50\x2a", "not values: expected `object`, got `int` - at `$`"),
        (b"\xd4\x56\x2a", "not values: not an envelope: Expected `array`, got `int` - at `$`"),
        (b"\xd4\x57\xff", "not values: 'utf-8' codec"),
        (b"\xd4\x57x", "not values: Invalid isoformat string"),
        (b"\xd4\x58x", "not values: Invalid isoformat string"),
        (b"\xd4\x59x", "not values: Invalid isoformat string"),
        (b"\xc7\x12\x582026-01-02[fold=1]", "not values: Invalid isoformat string"),
        (b"\xd4\x5ax", "not values: Invalid UUID"),
        (b"\xd4\x5bx", "not values: Invalid decimal string"),
        (b"\xd4\x5cx", "not values: Expected `int`, got `str`"),
        (b"\xc8\x20\0\x5c" + b"9" * 8192, "not values: Integer value out of range"),
        (b"\xc7\x18\x5b1e9999999999999999999999", "not values: Invalid decimal string"),
        (b"\x81\x80\x01", "not values: MessagePack data is malformed: map keys"),
        (b"\x81\xc7\x14\x51\x82\xa4role\xa4user\xa7content\x90\x01", "not values: MessagePack"),
        (b"\x81\xc7\x04\x5bsNaN\x01", "not values: MessagePack data is malformed: map keys"),
    ],
)
def test_what_is_no_value_is_poison_with_its_cause(packed: bytes, words: str) -> None:
    with pytest.raises(wg.queue.PoisonError) as caught:
        decode_values(packed)
    assert str(caught.value).startswith(f"queue: {words}")
    assert type(caught.value) is wg.queue.PoisonError
    assert caught.value.body == packed
    assert caught.value.__cause__ is not None


def test_an_envelope_among_values_that_is_newer_is_told_from_a_broken_one() -> None:
    packed = b"\x92\x01\xc7\x02\x56\x91\x02"
    with pytest.raises(wg.queue.VersionError) as caught:
        decode_values(packed)
    expected = (
        "queue: not values: envelope of version 2, expected at most 1; upgrade wireglot - at `$`"
    )
    assert str(caught.value) == expected
    assert caught.value.body == packed


@settings(max_examples=300, deadline=None, database=None)
@given(
    st.binary(max_size=30),
    st.sampled_from((b"", b"\x92", b"\x81", *(bytes((0xC7, 8, code)) for code in range(80, 93)))),
)
def test_any_bytes_are_values_or_poison(tail: bytes, head: bytes) -> None:
    _, error = outcome(decode_values, head + tail)
    assert error is None or error.body == head + tail


def test_any_byte_of_values_may_be_another_one() -> None:
    packed = encode_values(
        {"m": wg.UserMessage([wg.TextBlock("a")]), "n": [2**64, Decimal(1)], "t": date(2026, 1, 2)}
    )
    read = 0
    for at in range(len(packed)):
        for byte in range(256):
            changed = packed[:at] + bytes([byte]) + packed[at + 1 :]
            _, error = outcome(decode_values, changed)
            read += error is None
            assert error is None or error.body == changed
    assert 256 < read < len(packed) * 256 - 256


def test_values_cut_off_anywhere_are_poison() -> None:
    packed = encode_values([wg.UserMessage([]), 2**64, queue.encode([])])
    for end in range(len(packed)):
        with pytest.raises(wg.queue.PoisonError):
            decode_values(packed[:end])
