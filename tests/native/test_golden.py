"""Golden documents: bytes that must decode for ever, and the canonical bytes that come of them."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import wireglot as wg
from tests.changes import swallowed

GOLDEN = Path(__file__).parents[1] / "golden" / "native" / "v1"
PHI_CORE = Path(__file__).parents[3] / "shared" / "formats" / "phi_core.jsonl"

_TYPES = {"request": wg.Request, "response": wg.Response}
_CASES = sorted({path.name.split(".")[0] for path in GOLDEN.glob("*.json")})
_PACKED = sorted({path.name.split(".")[0] for path in GOLDEN.glob("*.msgpack")})


def _type(case: str) -> Any:
    return _TYPES.get(case.split("-")[0], list[wg.AgentMessage])


def _input(case: str) -> bytes:
    path = GOLDEN / f"{case}.json"
    return _bytes(path if path.exists() else GOLDEN / f"{case}.in.json")


def _canonical(case: str) -> bytes:
    path = GOLDEN / f"{case}.json"
    return _bytes(path if path.exists() else GOLDEN / f"{case}.out.json")


def _bytes(path: Path) -> bytes:
    return path.read_bytes().removesuffix(b"\n")


def test_there_are_documents_and_every_pair_is_whole() -> None:
    assert len(_CASES) > 50
    assert len(_PACKED) > 10
    inputs = {path.name.split(".")[0] for path in GOLDEN.glob("*.in.json")}
    outputs = {path.name.split(".")[0] for path in GOLDEN.glob("*.out.json")}
    assert inputs == outputs
    assert set(_PACKED) <= set(_CASES)


@pytest.mark.parametrize("case", _CASES)
def test_a_document_decodes_and_encodes_to_its_canonical_bytes(case: str) -> None:
    assert wg.json.encode(wg.json.decode(_input(case), _type(case))) == _canonical(case)


@pytest.mark.parametrize("case", _CASES)
def test_canonical_bytes_come_back_as_they_are(case: str) -> None:
    canonical = _canonical(case)
    assert wg.json.encode(wg.json.decode(canonical, _type(case))) == canonical


@pytest.mark.parametrize("wire", [wg.json, wg.msgpack], ids=["json", "msgpack"])
@pytest.mark.parametrize("case", _CASES)
def test_each_value_that_changes_is_seen_in_the_bytes(case: str, wire: Any) -> None:
    def written(document: Any) -> bytes:
        made: bytes = wire.encode(wg.json.decode(json.dumps(document), _type(case)))
        return made

    assert [path for path, is_same in swallowed(json.loads(_input(case)), written) if is_same] == []


@pytest.mark.parametrize("case", _CASES)
def test_looking_at_every_part_does_not_change_the_bytes(case: str) -> None:
    value = wg.json.decode(_input(case), _type(case))
    packed = wg.msgpack.encode(value)
    repr(value)
    assert value == wg.json.decode(_input(case), _type(case))
    assert wg.json.encode(value) == _canonical(case)
    assert wg.msgpack.encode(value) == packed


@pytest.mark.parametrize("case", _CASES)
def test_a_document_means_the_same_after_a_way_through_messagepack(case: str) -> None:
    value = wg.json.decode(_input(case), _type(case))
    packed = wg.msgpack.encode(value)
    again = wg.msgpack.decode(packed, _type(case))
    assert again == value
    assert wg.msgpack.encode(again) == packed
    assert _value(wg.json.encode(again)) == _value(_canonical(case))


@pytest.mark.parametrize("case", _PACKED)
def test_the_messagepack_of_a_document_decodes_to_the_same_value(case: str) -> None:
    expected = wg.json.decode(_input(case), _type(case))
    for path in (*GOLDEN.glob(f"{case}.msgpack"), *GOLDEN.glob(f"{case}.in.msgpack")):
        assert wg.msgpack.decode(path.read_bytes(), _type(case)) == expected, path.name


@pytest.mark.parametrize(
    "case", [case for case in _PACKED if (GOLDEN / f"{case}.msgpack").exists()]
)
def test_a_document_encodes_to_its_canonical_messagepack(case: str) -> None:
    packed = (GOLDEN / f"{case}.msgpack").read_bytes()
    assert wg.msgpack.encode(wg.msgpack.decode(packed, _type(case))) == packed
    assert wg.msgpack.encode(wg.json.decode(_input(case), _type(case))) == packed


@pytest.mark.parametrize(
    "tag",
    [f'"type":"{kind.__struct_config__.tag}"' for kind in wg.Content.__args__]
    + [f'"role":"{kind.__struct_config__.tag}"' for kind in wg.Message.__args__]
    + [f'"role":"{kind.__struct_config__.tag}"' for kind in wg.SessionOnly.__args__]
    + [f'"kind":"{kind.__struct_config__.tag}"' for kind in wg.model.ProvenanceHint.__args__]
    + [f'"stopReason":"{reason}"' for reason in wg.StopReason],
)
def test_every_kind_of_block_message_hint_and_stop_has_a_document(tag: str) -> None:
    assert any(tag.encode() in _canonical(case) for case in _CASES)


@pytest.mark.parametrize(
    "kind", [*wg.Content.__args__, *wg.Message.__args__, *wg.SessionOnly.__args__, wg.Usage]
)
def test_every_field_of_a_kind_has_a_document(kind: Any) -> None:
    everything = b"".join(map(_canonical, _CASES))
    keys = [key for key in kind.__struct_encode_fields__ if b'"%b":' % key.encode() in everything]
    assert tuple(keys) == kind.__struct_encode_fields__


@pytest.mark.parametrize("case", [case for case in _CASES if case.startswith("phi-core-")])
def test_a_document_of_phi_cores_shape_comes_back_with_the_same_value(case: str) -> None:
    assert _value(wg.json.encode(wg.json.decode(_input(case)))) == _value(_input(case))


def test_what_phi_core_wrote_comes_back_with_the_same_value() -> None:
    if not PHI_CORE.exists():
        pytest.skip("the samples of phi-core are not beside this repository")
    found = [
        message
        for line in PHI_CORE.read_text().splitlines()
        for message in _messages(json.loads(line))
    ]
    assert len(found) >= 17
    documented = {"child_loop_id": "childLoopId"}  # read in both spellings, written in one
    for message in found:
        expected = {documented.get(key, key): value for key, value in message.items()}
        [decoded] = wg.json.decode(json.dumps([message]))
        assert json.loads(wg.json.encode(decoded)) == expected


def _messages(value: Any) -> Iterator[dict[str, Any]]:
    """Find messages in a document of phi-core, inside its events too."""
    if isinstance(value, list):
        for item in value:
            yield from _messages(item)
    elif isinstance(value, dict):
        if "role" in value and value.keys() & {"content", "data"}:
            yield value
        else:
            for item in value.values():
                yield from _messages(item)


def _value(data: bytes) -> Any:
    """Parse JSON so that numbers of the same value are equal, however they are spelled."""
    text = re.sub(r"\b1e999\b", '"beyond a double"', data.decode("utf-8-sig"))
    return json.loads(text)
