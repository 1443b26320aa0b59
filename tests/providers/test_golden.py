"""Requests and streams of our own, and the bytes of each wire for them.

`CASE.in.json` is a request, `CASE.events.json` the events of a stream, both on the native wire.
`CASE.WIRE.json` and `CASE.WIRE.bytes` are what goes out, `CASE.losses.json` what is told. A new
case is a new file.
"""

import json
from importlib import import_module
from pathlib import Path

import pytest

import wireglot as wg

GOLDEN = Path(__file__).parents[1] / "golden" / "providers"
REQUESTS = sorted(path.name.split(".")[0] for path in GOLDEN.glob("*.in.json"))
STREAMS = sorted(path.name.split(".")[0] for path in GOLDEN.glob("*.events.json"))
every_wire = pytest.mark.parametrize("name", list(wg.PROVIDERS))


def _told(losses: list[wg.Loss]) -> list[str]:
    return [f"{loss.path}: {loss.what}" for loss in losses]


def _expected(case: str, name: str) -> list[str]:
    losses: dict[str, list[str]] = json.loads((GOLDEN / f"{case}.losses.json").read_bytes())
    return losses[name]


@every_wire
@pytest.mark.parametrize("case", REQUESTS)
def test_the_body_of_a_request(case: str, name: str) -> None:
    request = wg.json.decode((GOLDEN / f"{case}.in.json").read_bytes(), type=wg.Request)
    losses: list[wg.Loss] = []
    body = wg.PROVIDERS[name].encode_request(request, losses=losses)
    assert body == (GOLDEN / f"{case}.{name}.json").read_bytes().removesuffix(b"\n")
    assert _told(losses) == _expected(case, name)
    import_module(f"tests.oracles.{name}").check_request(body)


@every_wire
@pytest.mark.parametrize("case", STREAMS)
def test_the_bytes_of_a_stream(case: str, name: str) -> None:
    text = (GOLDEN / f"{case}.events.json").read_bytes()
    losses: list[wg.Loss] = []
    encoder = wg.PROVIDERS[name].StreamEncoder(losses=losses)
    events = wg.json.decode(text, type=list[wg.StreamEvent])
    data = b"".join(map(encoder.encode, events)) + encoder.close()
    assert data == (GOLDEN / f"{case}.{name}.bytes").read_bytes()
    assert _told(losses) == _expected(case, name)
    import_module(f"tests.oracles.{name}").check_stream(data)


@every_wire
@pytest.mark.parametrize("case", STREAMS)
def test_a_stream_is_read_as_it_was_written(case: str, name: str) -> None:
    decoder = wg.PROVIDERS[name].StreamDecoder()
    decoder.feed((GOLDEN / f"{case}.{name}.bytes").read_bytes())
    decoder.finish()
    message = decoder.message
    texts = {"text_and_a_call": "Let me look: Łódź.", "thinking_and_text": "4"}
    assert message.text() == texts[case]
    calls = [(call.name, call.arguments.value) for call in message.tool_calls()]
    assert calls == ([("get_weather", {"city": "Łódź"})] if case == "text_and_a_call" else [])
