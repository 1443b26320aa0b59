"""How many Python functions a job calls: a measure of its work that no slow machine disturbs.

The bounds are the counts of CPython 3.11; later versions call nothing for a comprehension. Whoever
makes a job do more raises its bound, and says why. `python -m tests.test_work` prints the counts.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import wireglot as wg
from bench.agent import bodies
from bench.answers import LONG, SHORT, TARGETS, Answer, frames
from tests.structure import calls, counted
from tests.test_translate import BODIES

SLACK = 1.03
_TURNS = 30
_MARK = "“config”".encode()
"""In every tenth piece of the text of a streamed answer."""
_WIRES = tuple(wg.PROVIDERS)
_ASKED = wg.Request([wg.UserMessage([wg.TextBlock("Hello")])], "m", max_tokens=99)


def text_from_itself(wire: str) -> int:
    """Return the calls of one message of text from a wire to itself."""
    return calls(wire, wire, wg.PROVIDERS[wire].encode_request(_ASKED))[0]


def text_from_others(target: str) -> int:
    """Return the calls of one message of text, from the other wire that needs most."""
    written = {name: wg.PROVIDERS[name].encode_request(_ASKED) for name in _WIRES}
    return max(calls(name, target, written[name])[0] for name in _WIRES if name != target)


def tools_from_itself(wire: str) -> int:
    """Return the same as `text_from_itself` of a prompt, a tool, an image, a call, its result."""
    return calls(wire, wire, BODIES[wire].encode())[0]


def tools_from_others(target: str) -> int:
    """Return the same as `text_from_others` of a prompt, a tool, an image, a call, its result."""
    return max(calls(name, target, BODIES[name].encode())[0] for name in _WIRES if name != target)


def delta(source: str) -> int:
    """Return the calls of one streamed event with text, to the target that needs more."""
    events, _ = frames(source)
    at = [number for number, event in enumerate(events) if _MARK in event][9]

    def to(target: str) -> int:
        translator = wg.StreamTranslator(source, target, losses=[])
        for event in events[:at]:
            translator.feed(event)
        return counted(lambda: translator.feed(events[at]))[0]

    return max(map(to, TARGETS))


def long_answer(source: str) -> int:
    """Return the calls of a long streamed answer in one chunk, to the target that needs more."""
    return _answer(source, LONG)


def short_answer(source: str) -> int:
    """Return the calls of a short streamed answer in one chunk, to the target that needs more."""
    return _answer(source, SHORT)


def _answer(source: str, answer: Answer) -> int:
    stream = b"".join(frames(source, answer)[0])

    def to(target: str) -> int:
        def job() -> bytes:
            translator = wg.StreamTranslator(source, target, losses=[])
            return translator.feed(stream) + translator.close()

        job()
        return counted(job)[0]

    return max(map(to, TARGETS))


def turn(source: str) -> int:
    """Return the calls of one turn more of a conversation, to the target that needs more."""
    *begun, body = bodies(source, _TURNS)

    def to(target: str) -> int:
        translator = wg.RequestTranslator(source, target)
        for earlier in begun:
            translator.translate(earlier, losses=[], model="m")
        before = translator.stats.hits
        count = counted(lambda: translator.translate(body, losses=[], model="m"))[0]
        assert translator.stats.hits == before + 1
        return count

    return max(to(target) for target in TARGETS if target != source)


BOUNDS: dict[Callable[[str], int], dict[str, int]] = {
    text_from_itself: {
        "anthropic": 62,
        "openai_chat": 73,
        "openai_responses": 80,
        "gemini": 84,
        "bedrock": 76,
        "mistral": 65,
        "cohere": 60,
        "ollama": 76,
    },
    text_from_others: {
        "anthropic": 66,
        "openai_chat": 67,
        "openai_responses": 86,
        "gemini": 69,
        "bedrock": 73,
        "mistral": 67,
        "cohere": 63,
        "ollama": 62,
    },
    tools_from_itself: {
        "anthropic": 231,
        "openai_chat": 240,
        "openai_responses": 390,
        "gemini": 305,
        "bedrock": 256,
        "mistral": 290,
        "cohere": 206,
        "ollama": 224,
    },
    tools_from_others: {
        "anthropic": 243,
        "openai_chat": 251,
        "openai_responses": 274,
        "gemini": 241,
        "bedrock": 256,
        "mistral": 236,
        "cohere": 218,
        "ollama": 218,
    },
    delta: {
        "anthropic": 9,
        "openai_chat": 9,
        "openai_responses": 9,
        "gemini": 10,
        "bedrock": 9,
        "mistral": 9,
        "cohere": 10,
        "ollama": 10,
    },
    short_answer: {
        "anthropic": 358,
        "openai_chat": 375,
        "openai_responses": 513,
        "gemini": 353,
        "bedrock": 305,
        "mistral": 350,
        "cohere": 389,
        "ollama": 307,
    },
    long_answer: {
        "anthropic": 2007,
        "openai_chat": 2467,
        "openai_responses": 2636,
        "gemini": 862,
        "bedrock": 2107,
        "mistral": 1915,
        "cohere": 2316,
        "ollama": 1874,
    },
    turn: {
        "anthropic": 195,
        "openai_chat": 178,
        "openai_responses": 217,
        "gemini": 235,
        "bedrock": 220,
        "mistral": 197,
        "cohere": 194,
        "ollama": 224,
    },
}
"""A job -> a wire -> how many calls it may make.

Answers carry probabilities, images, tiers and parts of counts to other APIs, which takes about 30
calls an answer. A request for Responses that came over another API has `store: false`.
"""


@pytest.mark.parametrize(
    ("job", "wire", "bound"),
    [
        pytest.param(job, wire, bound, id=f"{job.__name__} {wire}")
        for job, bounds in BOUNDS.items()
        for wire, bound in bounds.items()
    ],
)
def test_a_job_calls_no_more_functions_than_it_did(
    job: Callable[[str], int], wire: str, bound: int
) -> None:
    assert job(wire) <= bound * SLACK


def test_every_job_has_a_bound_for_every_wire() -> None:
    assert all(bounds.keys() == wg.PROVIDERS.keys() for bounds in BOUNDS.values())


def main() -> None:
    """Print the counts, as they stand in `BOUNDS`."""
    for job in BOUNDS:
        counts: dict[str, Any] = {wire: job(wire) for wire in _WIRES}
        print(f"    {job.__name__}: {counts},".replace("'", '"'))


if __name__ == "__main__":
    main()
