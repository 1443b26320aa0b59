"""The versions of PyAgenity's messages: each read, each written, and the times of 0.3.6."""

import os
import time
from collections.abc import Iterator
from datetime import timedelta, timezone
from typing import Any
from zoneinfo import ZoneInfo

import pytest

import wireglot as wg
from wireglot.formats import pyagenity as pa

_BODY = (
    '{"message_id":"m1","role":"user","content":[%s],"delta":false,"tools_calls":null,'
    '"reasoning":null,"timestamp":%s,"metadata":{},"usages":null,"raw":null%s}'
)
_REF = (
    '{"kind":"file_id","url":null,"file_id":"f","data_base64":null,"mime_type":null,'
    '"size_bytes":null,"sha256":null,"filename":null,"width":null,"height":null,'
    '"duration_ms":null,"page":null}'
)
_DOCUMENT = '{"type":"document","media":' + _REF + '%s,"pages":null,"excerpt":null}'
VERSIONS = {
    "0.3.6": _BODY % (_DOCUMENT % "", '"2024-01-02T03:04:05.678000"', ""),
    "0.3.9": _BODY % (_DOCUMENT % "", "1704164645.678", ""),
    "agentflow": _BODY % (_DOCUMENT % ',"text":null', "1704164645.678", ',"parsed_content":null'),
}
MS = 1704164645678
every_version = pytest.mark.parametrize("version", VERSIONS)


@every_version
@pytest.mark.parametrize("target", VERSIONS)
def test_a_message_of_every_version_is_written_as_every_other(version: str, target: Any) -> None:
    (entry,) = pa.decode(VERSIONS[version])
    assert entry.timestamp == MS
    assert pa.encode([entry], version=target).decode() == f"[{VERSIONS[target]}]"


@every_version
def test_without_a_version_a_message_is_written_as_the_one_that_it_came_in(version: str) -> None:
    entries = pa.decode(VERSIONS[version])
    assert pa.encode(entries).decode() == f"[{VERSIONS[version]}]"
    native = wg.json.decode(wg.json.encode(entries))
    assert pa.encode(native).decode() == f"[{VERSIONS[version]}]"
    packed = wg.msgpack.decode(wg.msgpack.encode(entries))
    assert pa.encode(packed).decode() == f"[{VERSIONS[version]}]"


@every_version
def test_a_message_from_elsewhere_is_written_as_the_version_asked_for(version: Any) -> None:
    user = wg.UserMessage([wg.DocumentBlock(file_id="f")], MS, "m1")
    assert pa.encode([user], version=version).decode() == f"[{VERSIONS[version]}]"
    assert pa.encode([user]).decode() == f"[{VERSIONS['agentflow']}]"


def test_own_messages_are_written_as_they_are_or_in_the_version_asked_for() -> None:
    own = pa.decode(VERSIONS["0.3.6"], pa.Message)
    assert pa.encode([own]).decode() == f"[{VERSIONS['0.3.6']}]"
    for made in (pa.encode([own], version="agentflow"), pa.encode(own, version="agentflow")):
        assert b'"timestamp":1704164645.678,' in made
        assert b'"parsed_content":null' in made


def test_an_unknown_version_is_refused() -> None:
    with pytest.raises(wg.EncodeError, match=r"unknown version `0\.3\.5`, expected"):
        pa.encode([], version="0.3.5")


def test_microseconds_go_from_version_to_version() -> None:
    (old,) = pa.decode(VERSIONS["0.3.6"].replace("678000", "678901"))
    assert old.timestamp == MS + 1
    assert b'"timestamp":1704164645.678901,' in pa.encode([old], version="agentflow")
    (new,) = pa.decode(VERSIONS["agentflow"].replace("5.678", "5.678901"))
    assert b'"timestamp":"2024-01-02T03:04:05.678901",' in pa.encode([new], version="0.3.6")


def test_a_year_that_text_cannot_say_is_a_loss_there_alone() -> None:
    (far,) = pa.decode(VERSIONS["agentflow"].replace("1704164645.678", "300000000000.25"))
    assert b'"timestamp":300000000000.25,' in pa.encode([far])
    losses: list[wg.Loss] = []
    assert b'"timestamp":null,' in pa.encode([far], losses=losses, version="0.3.6")
    assert [(loss.path, loss.what) for loss in losses] == [("$[0].timestamp", "timestamp")]


def test_a_time_that_would_not_be_read_again_is_written_as_null() -> None:
    losses: list[wg.Loss] = []
    body = pa.encode([wg.UserMessage([], 2**63 - 1), wg.UserMessage([], 10**400)], losses=losses)
    assert body.count(b'"timestamp":null,') == 2
    assert [loss.path for loss in losses] == ["$[0].timestamp", "$[1].timestamp"]


def test_a_document_within_an_older_message_may_have_text_all_the_same() -> None:
    text = _BODY % (_DOCUMENT % ',"text":"all"', "1704164645.678", "")
    (entry,) = pa.decode(text)
    assert pa.encode([entry]).decode() == f"[{text}]"
    with pytest.raises(wg.LossError, match="text of a document is Agentflow's"):
        pa.encode([entry], version="0.3.9")


@every_version
def test_blocks_in_an_output_are_of_the_version_of_their_message(version: str) -> None:
    document = _DOCUMENT % (',"text":null' if version == "agentflow" else "")
    text = '{"type":"text","text":"a"}'  # without its annotations
    result = (
        f'{{"type":"tool_result","call_id":"c","output":[{document},{text}],"is_error":false,'
        '"status":null}'
    )
    body = VERSIONS[version].replace(document, result).replace('"user"', '"tool"')
    (entry,) = pa.decode(body)
    assert [type(b) for b in entry.content[0].content] == [wg.DocumentBlock, wg.TextBlock]
    assert pa.encode([entry]).decode() == f"[{body}]"


# -- times of 0.3.6 -------------------------------------------------------------------------------


def _at(stamp: str) -> str:
    return VERSIONS["0.3.6"].replace("2024-01-02T03:04:05.678000", stamp)


@pytest.mark.parametrize(
    ("stamp", "expected"),
    [
        ("2024-01-02T03:04:05", MS - 678),
        ("2024-01-02T03:04:05.000001", MS - 678),
        ("2024-01-02T03:04:05.678901Z", MS + 1),
        ("2024-01-02T05:04:05.678+02:00", MS),
        ("2024-01-02 03:04:05.678", MS),
        ("1969-12-31T23:59:59.999", -1),
    ],
    ids=[
        "whole seconds",
        "a microsecond",
        "in UTC",
        "with an offset",
        "with a space",
        "before 1970",
    ],
)
def test_a_time_is_kept_letter_by_letter(stamp: str, expected: int) -> None:
    (entry,) = pa.decode(_at(stamp))
    assert entry.timestamp == expected
    assert pa.encode([entry]).decode() == f"[{_at(stamp)}]"


def test_a_local_time_is_of_the_zone_that_the_caller_names() -> None:
    berlin = ZoneInfo("Europe/Berlin")
    text = VERSIONS["0.3.6"]
    (entry,) = pa.decode(text, zone=berlin)
    assert entry.timestamp == MS - 3600_000
    assert pa.encode([entry], zone=berlin).decode() == f"[{text}]"
    assert pa.encode([entry]).decode() == f"[{_at('2024-01-02T02:04:05.678000')}]"
    assert pa.encode([entry], version="agentflow") == pa.encode(
        pa.decode(_at("2024-01-02T02:04:05.678")), version="agentflow"
    )


def test_a_time_that_a_zone_has_twice_is_a_loss_the_second_time() -> None:
    berlin = ZoneInfo("Europe/Berlin")
    twice = 1729992600000  # 02:30 on the day on which summer time ends, the second one
    user = wg.UserMessage([], twice)
    losses: list[wg.Loss] = []
    body = pa.encode([user], losses=losses, version="0.3.6", zone=berlin)
    assert b'"timestamp":"2024-10-27T02:30:00",' in body
    assert [(loss.path, loss.what) for loss in losses] == [("$[0].timestamp", "timestamp")]
    user.timestamp = twice - 3600_000
    assert pa.encode([user], version="0.3.6", zone=berlin) == body


@pytest.fixture
def elsewhere() -> Iterator[None]:
    """Move the machine to another zone."""
    before = os.environ.get("TZ")
    os.environ["TZ"] = "Asia/Kolkata"
    time.tzset()
    yield
    if before is None:
        del os.environ["TZ"]
    else:
        os.environ["TZ"] = before
    time.tzset()


@pytest.mark.usefixtures("elsewhere")
def test_the_zone_of_the_machine_changes_nothing() -> None:
    test_a_message_of_every_version_is_written_as_every_other("0.3.6", "agentflow")
    test_a_message_of_every_version_is_written_as_every_other("agentflow", "0.3.6")
    test_a_local_time_is_of_the_zone_that_the_caller_names()


def test_a_time_at_the_edge_of_the_calendar_is_read_in_any_zone() -> None:
    west = timezone(timedelta(hours=-12))
    with pytest.raises(wg.DecodeError, match="not a time"):
        pa.decode(_at("soon"), zone=west)
    text = _at("9999-12-31T23:59:59.999999")
    (entry,) = pa.decode(text, zone=west)
    assert pa.encode([entry], zone=west).decode() == f"[{text}]"
