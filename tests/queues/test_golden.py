"""Golden messages of queues: bytes that must decode for ever, and that we still write."""

from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

import wireglot as wg
from wireglot import queue
from wireglot.queue import Envelope
from wireglot.queue.headers import KAFKA, envelope_of, headers_of

GOLDEN = Path(__file__).parents[1] / "golden" / "queue" / "v1"

_CASES = sorted(path.stem for path in GOLDEN.glob("*-*.headers"))
_PLAIN = [case for case in _CASES if not case.endswith("-zstd")]
# What only `encode` knows to write.
_OURS = {"specversion", "datacontenttype", "crc32"}


def _body(case: str) -> bytes:
    return (GOLDEN / f"{case}.body").read_bytes()


def _headers(case: str) -> dict[str, str]:
    lines = (GOLDEN / f"{case}.headers").read_text(encoding="utf-8").splitlines()
    return dict(line.split(": ", 1) for line in lines)


def _envelope(case: str) -> Envelope:
    return envelope_of(_headers(case), _body(case))


def _value(case: str) -> Any:
    kind = case.split("-")[0]
    text = (GOLDEN / f"{kind}.json").read_bytes().removesuffix(b"\n")
    return wg.json.decode(text, queue.KINDS[kind])


def _given(envelope: Envelope) -> dict[str, str]:
    return {name: text for name, text in envelope.attributes.items() if name not in _OURS}


def test_every_kind_and_format_has_a_message_plain_and_compressed() -> None:
    assert {
        f"{kind}-{format}{end}"
        for kind in ("messages", "request", "response", "events")
        for format in ("msgpack", "json")
        for end in ("", "-zstd")
    } == {*_CASES}


@pytest.mark.parametrize("case", _CASES)
def test_a_message_decodes_to_its_value(case: str) -> None:
    envelope = _envelope(case)
    assert envelope.conversation == "c-42"
    assert envelope.attributes["subject"] == "łódź 50%"
    kind = queue.KINDS[case.split("-")[0]]
    assert queue.decode(envelope, kind) == _value(case)
    if kind not in (wg.Request, wg.Response):
        assert list(queue.decode_each(envelope)) == _value(case)


@pytest.mark.parametrize("case", _PLAIN)
def test_a_message_is_still_written_byte_for_byte(case: str) -> None:
    format: Any = case.split("-")[1]
    written = queue.encode(_value(case), format=format, **_given(_envelope(case)))  # type: ignore[arg-type]
    assert written.body == _body(case)
    assert headers_of(written, KAFKA) == _headers(case)


@pytest.mark.parametrize("case", [case for case in _CASES if case not in _PLAIN])
def test_a_compressed_message_holds_the_plain_one(case: str) -> None:
    assert _envelope(case).encoding == "zstd"
    value = queue.decode(_envelope(case), queue.KINDS[case.split("-")[0]])
    _, format, _ = case.split("-")
    assert queue.encode(value, format=format).body == _body(case.removesuffix("-zstd"))  # type: ignore[arg-type]


def test_a_batch_decodes_and_is_still_written_byte_for_byte() -> None:
    envelope = _envelope("batch")
    held = [_envelope("messages-json"), _envelope("events-msgpack-zstd")]
    assert list(queue.decode_batch(envelope)) == held
    written = queue.encode_batch(held, **_given(envelope))  # type: ignore[arg-type]
    assert written.body == _body("batch")
    assert headers_of(written, KAFKA) == _headers("batch")


def test_an_envelope_in_one_piece_decodes_and_is_still_written_byte_for_byte() -> None:
    packed = (GOLDEN / "whole.bytes").read_bytes()
    assert Envelope.from_bytes(packed) == _envelope("request-msgpack")
    assert _envelope("request-msgpack").to_bytes() == packed


def test_arguments_of_a_task_decode_and_are_written_with_one_type_for_each_message() -> None:
    packed = (GOLDEN / "values.bytes").read_bytes()
    expected = {
        "plain": [None, True, 1, -1.5, "łódź", b"\x00\xff", {"a": []}],
        "large": [2**64, -(2**63) - 1],
        "session": _value("messages"),
        "message": wg.UserMessage([wg.TextBlock("Hi")]),
        "block": wg.ImageBlock(
            data=wg.Media.from_bytes(b"\x89PNG\r\n\x1a\n"), mime_type="image/png"
        ),
        "request": _value("request"),
        "response": _value("response"),
        "events": _value("events"),
        "envelope": _envelope("messages-json"),
        "times": [
            datetime(2026, 1, 2, 3, 4, 5, 6, timezone(timedelta(hours=-3, minutes=-30))),
            date(2026, 1, 2),
            time(3, 4, 5),
        ],
        "others": [UUID("12345678-1234-5678-1234-567812345678"), Decimal("1.10")],
    }
    assert queue.decode_values(packed) == expected
    # A message without a place is extension type 81; some of these were 80.
    rewritten = (GOLDEN / "values-rewritten.bytes").read_bytes()
    assert queue.encode_values(expected) == rewritten
    assert queue.decode_values(rewritten) == expected
