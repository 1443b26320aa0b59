"""Recorded streams as other systems' events, and back: all of an answer, or a loss that says so."""

from collections.abc import Callable
from typing import Any

import pytest

import wireglot as wg
from tests.corpus.answers import read_answers
from tests.corpus.streams import decoded, disorder, encoded
from tests.traffic import FOLDERS, needs_traffic
from wireglot.formats import operator_use as ou
from wireglot.formats import phi_core as phi
from wireglot.formats import pyagenity as pa
from wireglot.formats import ravi

pytestmark = [needs_traffic, pytest.mark.slow]

SYSTEMS: dict[str, tuple[Callable[[list[wg.Loss]], Any], Callable[[], Any]]] = {
    "phi-core, as it sends them": (
        lambda losses: phi.StreamWriter("l", losses=losses, so_far=False),
        phi.StreamReader,
    ),
    "phi-core": (lambda losses: phi.StreamWriter("l", losses=losses), phi.StreamReader),
    "PyAgenity": (lambda losses: pa.StreamWriter(losses=losses), pa.StreamReader),
    "Operator-Use": (lambda losses: ou.StreamWriter(losses=losses), ou.StreamReader),
    "Ravi": (lambda losses: ravi.StreamWriter(losses=losses, version="v3"), ravi.StreamReader),
}
SOME = 4
"""One stream in so many is read: all of them, in five systems, take minutes."""
# What takes a block out of the answer, changes it, or moves it.
_OF_CONTENT = {"arguments", "order", "redacted", "redacted thinking", "thinking", "thoughts"}
_SAID = {
    wg.TextBlock: lambda block: ("text", block.text),
    wg.ThinkingBlock: lambda block: ("thinking", block.thinking, block.redacted),
    wg.ToolCallBlock: lambda block: (
        "call",
        block.id,
        block.name,
        block.arguments.text.strip() or b"{}",
    ),
}


def _content(message: wg.AssistantMessage) -> list[tuple[Any, ...]]:
    return [_SAID[type(block)](block) for block in message.content if type(block) in _SAID]


def test_recorded_streams_go_there_and_back() -> None:
    dialects = {name: wg.PROVIDERS[name].DIALECTS for name in wg.PROVIDERS}
    samples = read_answers(FOLDERS, dialects).samples
    failed = []
    count = 0
    for answer in [answer for answer in samples if answer.kind == "stream"][::SOME]:
        try:
            events, end = decoded(answer.provider, answer.dialect, answer.data)
        except wg.WireglotError:
            continue
        if not isinstance(end, wg.Response):
            continue
        count += 1
        for system, (writer, reader) in SYSTEMS.items():
            faults = _faults(events, end, writer, reader())
            failed += [f"{answer.id}, {system}: {what}" for what in faults]
    assert count > 250
    assert failed == []


def _faults(events: list[Any], end: wg.Response, writer: Any, reader: Any) -> list[str]:
    losses: list[wg.Loss] = []
    write = writer(losses)
    own = [one for event in events for one in write.feed(event)] + write.close()
    back = [event for one in own for event in reader.feed(one)]
    message = reader.close().message
    lost = {loss.what for loss in losses}
    faults = []
    if not lost & _OF_CONTENT and _content(message) != _content(end.message):
        faults.append("another content")
    if end.message.stop_reason not in (None, message.stop_reason):
        faults.append(f"{message.stop_reason} for {end.message.stop_reason}")
    if not any(getattr(event, "revised", False) for event in back) and not lost & _OF_CONTENT:
        faults += disorder(back)
        encoded("anthropic", "anthropic", back, [])
    return faults
