"""Recorded streams, as clients of other wires read them that keep one current block."""

import json
from typing import Any

import pytest

import wireglot as wg
from tests.corpus.answers import Answer, read_answers
from tests.one_block import READERS
from tests.traffic import FOLDERS, needs_traffic

pytestmark = needs_traffic


@pytest.fixture(scope="module")
def streams() -> list[Answer]:
    dialects = {name: wg.PROVIDERS[name].DIALECTS for name in wg.PROVIDERS}
    samples = read_answers(FOLDERS, dialects).samples
    return [answer for answer in samples if answer.kind == "stream"]


@pytest.mark.parametrize("target", READERS)
def test_every_call_of_a_recorded_stream_is_read(streams: list[Answer], target: str) -> None:
    several = 0
    for answer in streams:
        events, calls = _decoded(answer)
        if not calls:
            continue
        encoder = wg.PROVIDERS[target].StreamEncoder(losses=[])
        made = b"".join(map(encoder.encode, events)) + encoder.close()
        assert READERS[target](made) == calls, answer.id
        several += len(calls) > 1
    assert several > 9


def _decoded(answer: Answer) -> tuple[list[Any], list[tuple[str, Any]]]:
    """Return the events of a stream and its calls; none if it ends with an error."""
    decoder = wg.PROVIDERS[answer.provider].StreamDecoder(dialect=answer.dialect, losses=[])
    try:
        events = decoder.feed(answer.data) + decoder.finish()
        calls = decoder.close().message.tool_calls()
        return events, [(call.name, json.loads(call.arguments.text)) for call in calls]
    except (wg.WireglotError, ValueError):
        return [], []
