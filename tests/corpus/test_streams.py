"""When events are in order, and which recorded streams no service would send."""

from typing import Any

import pytest

import wireglot as wg
from tests.corpus.refusals import broken, is_cut
from tests.corpus.streams import disorder

START = wg.StreamStart(wg.Response(wg.AssistantMessage([])))
CALL = wg.ToolCallBlock("a", "f", "{}")


def _text(index: int, *deltas: str, said: str | None = None) -> list[Any]:
    text = "".join(deltas) if said is None else said
    return [
        wg.BlockStart(index, wg.TextBlock("")),
        *(wg.TextDelta(index, delta) for delta in deltas),
        wg.BlockEnd(index, wg.TextBlock(text)),
    ]


def _end(*content: Any) -> wg.StreamEnd:
    return wg.StreamEnd(wg.Response(wg.AssistantMessage(list(content))))


ONE = _text(0, "a", "b")
ENDED = _end(wg.TextBlock("ab"))
ORDER: dict[str, tuple[list[Any], list[str]]] = {
    "an answer": ([START, *ONE, ENDED], []),
    "an error": ([START, *ONE[:2], wg.StreamFailure("server", "no")], []),
    "an error at once": ([wg.StreamFailure("server", "no")], []),
    "blocks side by side": (
        [START, ONE[0], *_text(1, "c"), *ONE[1:], _end(wg.TextBlock("ab"), wg.TextBlock("c"))],
        [],
    ),
    "a call without arguments": (
        [
            START,
            wg.BlockStart(0, CALL),
            wg.ArgumentsDelta(0, "{}"),
            wg.BlockEnd(0, wg.ToolCallBlock("a", "f", "")),
            _end(wg.ToolCallBlock("a", "f", "")),
        ],
        [],
    ),
    "nothing": ([], ["the first event is no start", "the last event is no end"]),
    "no start": ([*ONE, ENDED], ["the first event is no start"]),
    "two starts": ([START, START, *ONE, ENDED], ["a second start"]),
    "no end": ([START, *ONE], ["the last event is no end"]),
    "an index that is not the next": (
        [START, *_text(0, "a"), wg.BlockStart(2, CALL), _end(wg.TextBlock("a"))],
        ["a block begins out of turn", "a block without its end"],
    ),
    "a delta after the end": ([START, *ONE, ONE[1], ENDED], ["a delta outside its block"]),
    "a delta of another kind": (
        [START, ONE[0], wg.ThinkingDelta(0, "a"), *ONE[1:], ENDED],
        ["a delta of another kind than its block"],
    ),
    "two ends": ([START, *ONE, ONE[-1], ENDED], ["an end without its block"]),
    "a delta too few": (
        [START, *_text(0, "a", said="ab"), ENDED],
        ["a block of TextBlock is not the sum of its deltas"],
    ),
    "another answer": ([START, *ONE, _end()], ["the answer is not what its blocks were"]),
}


@pytest.mark.parametrize(("events", "faults"), ORDER.values(), ids=ORDER)
def test_the_order_of_events(events: list[Any], faults: list[str]) -> None:
    assert list(disorder(events)) == faults


DELTA = b'data: {"type":"response.output_text.delta","output_index":0,"delta":"%b"}\n\n'
DONE = b'data: {"type":"response.output_text.done","output_index":0,"text":"ab"}\n\n'
BROKEN = {
    "events that are apart": ("gemini", b'data: {"a":1}\n\ndata: {"a":2}\n\n', False),
    "events that are not": ("gemini", b'data: {"a":1}\ndata: {"a":2}\n', True),
    "one finish": ("gemini", b'data: {"finishReason":"STOP"}\n\n', False),
    "two finishes": ("gemini", b'data: {"finishReason":"STOP"}\n\n' * 2, True),
    "deltas that add up": ("openai_responses", DELTA % b"a" + DELTA % b"b" + DONE, False),
    "deltas that do not": ("openai_responses", DELTA % b"a" + DONE, True),
}


@pytest.mark.parametrize(("provider", "stream", "is_broken"), BROKEN.values(), ids=BROKEN)
def test_a_stream_is_broken(provider: str, stream: bytes, is_broken: bool) -> None:
    assert (broken(provider, stream) is not None) == is_broken


def test_a_stream_is_cut_if_it_does_not_say_that_it_is_complete() -> None:
    error = wg.StreamError("the stream ended before the answer did, expected `done`", wire="ollama")
    assert is_cut(error, "ollama", b'{"done":false}\n')
    assert not is_cut(error, "ollama", b'{"done":true}\n')
    assert not is_cut(wg.StreamError("no JSON", wire="ollama"), "ollama", b'{"done":false}\n')
