"""A made-up answer or stream -> what a client of another wire makes of its translation."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from random import Random
from typing import Any

from botocore.eventstream import EventStreamBuffer

import wireglot as wg
from tests.field.frames import framed
from tests.judged.answers import ANSWERING
from tests.judged.replies import Reply, Seen, made
from tests.oracles import strict
from tests.providers.streams import chunked
from tests.wants import broken

__all__ = ["AnswerCase", "AnswerFault", "answer_cases"]


@dataclass(frozen=True)
class AnswerCase:
    """An answer of one wire, whole or as a stream, and the wire of the client."""

    source: str
    target: str
    reply: Reply
    streamed: bool
    given: bytes


@dataclass(frozen=True)
class AnswerFault:
    """What a client would trip over, in its first line, and what it was given."""

    case: AnswerCase
    rule: str
    written: bytes

    @property
    def key(self) -> str:
        """What it is counted by."""
        kind = "stream" if self.case.streamed else "answer"
        return f"{kind} {self.case.source} -> {self.case.target}: {self.rule}"


def answer_cases(
    count: int, seed: int, to: str = "", first: int = 0
) -> Iterator[tuple[str, AnswerFault | None]]:
    """Yield the outcome of each case from the `first` on, with its fault if it has one."""
    for number in range(first, first + count):
        random = Random(f"answer {seed}:{number}")
        source = random.choice(sorted(ANSWERING))
        target = to or random.choice(sorted(ANSWERING))
        reply, streamed = made(random), random.random() < 0.5
        if streamed:
            events = [json.dumps(event) for event in ANSWERING[source].events(reply, random)]
            done = ["[DONE]"] if source in ("openai_chat", "mistral") else []
            given = framed(source, events) + b"".join(b"data: [DONE]\n\n" for _ in done)
        else:
            given = json.dumps(ANSWERING[source].whole(reply)).encode()
        yield _judged(AnswerCase(source, target, reply, streamed, given), random)


def _judged(case: AnswerCase, random: Random) -> tuple[str, AnswerFault | None]:
    losses: list[wg.Loss] = []
    try:
        written = _translated(case, losses, random)
    except wg.StreamError as error:
        if case.reply.stop is None:
            return "refused", None  # a stream that does not say why it ended has been cut off
        return "fault", AnswerFault(case, f"refused: {error}", b"")
    found = _faults(case, written)
    if found:
        return "fault", AnswerFault(case, found[0].partition(" - at ")[0], written)
    return ("with losses" if losses else "whole"), None


def _translated(case: AnswerCase, losses: list[wg.Loss], random: Random) -> bytes:
    if not case.streamed:
        return wg.translate_response(case.given, case.source, case.target, losses=losses)
    translator = wg.StreamTranslator(case.source, case.target, losses=losses)
    size = random.choice((1, 7, len(case.given)))
    made = b"".join(translator.feed(chunk) for chunk in chunked(case.given, size))
    return made + translator.close()


def _faults(case: AnswerCase, written: bytes) -> list[str]:
    """Return what is wrong by the oracle, by the table, and by what a client has read."""
    oracle = import_module(f"tests.oracles.{case.target}")
    kind = "stream" if case.streamed else "answer"
    try:
        value = _value(case, case.target, written)
        seen = _seen(case, case.target, value)
        if case.source == case.target:  # it is to be as it came, whatever that was
            known = _seen(case, case.source, _value(case, case.source, case.given))
            same = (seen.text, seen.calls) == (known.text, known.calls)
            return [] if same else ["a client of the same wire reads other things"]
        (oracle.check_stream if case.streamed else oracle.check_response)(written)
    except strict.OracleError as error:
        return str(error).splitlines()
    except (KeyError, ValueError, TypeError, IndexError) as error:
        return [f"a client cannot read it: {error!r}"]
    unknown = _BY_THE_GATEWAY if _counts(case) else (*_BY_THE_GATEWAY, *_OF_COUNTS)
    rows = (at for at in broken(case.target, kind, value) if at[0].name not in unknown)
    return [f"{row.name} - at {path}" for row, path in rows] + [*_unlike(case, seen)]


_BY_THE_GATEWAY = ("durations are above zero",)
"""What a translation cannot know, and the gateway measures."""
_OF_COUNTS = ("a stream says how long the prompt was",)
"""What it cannot know of an answer without counts; the gateway asks for them."""


def _counts(case: AnswerCase) -> bool:
    return case.source != "openai_chat" or b'"usage": {' in case.given


def _value(case: AnswerCase, wire: str, data: bytes) -> Any:
    return _events(wire, data) if case.streamed else strict.read_json(data)


def _seen(case: AnswerCase, wire: str, value: Any) -> Seen:
    client = ANSWERING[wire]
    return client.read_events(value) if case.streamed else client.read(value)


def _unlike(case: AnswerCase, seen: Seen) -> Iterator[str]:
    """Yield how what was read differs from what was answered."""
    reply = case.reply
    if seen.text.strip() != reply.text.strip():
        yield "the text is another"
    if seen.calls != [(call.name, call.arguments) for call in reply.calls]:
        yield "the calls are others"
    if len(set(seen.ids)) < len(seen.ids) or not all(seen.ids):
        yield "two calls have one id, or one has none"
    stop = reply.stop
    if reply.calls and stop in ("end", None):
        stop = "calls"  # as all clients need it
    if not reply.calls and stop in ("calls", None):
        stop = "end"
    if seen.stop != stop:
        yield f"the stop is {seen.stop}, not {stop}"


def _events(wire: str, data: bytes) -> list[dict[str, Any]]:
    """Return the events of a stream as plain JSON; those of Bedrock by their names."""
    if wire == "bedrock":
        buffer = EventStreamBuffer()
        buffer.add_data(data)
        return [{message.headers[":event-type"]: json.loads(message.payload)} for message in buffer]
    if wire == "ollama":
        return [json.loads(line) for line in data.splitlines()]
    texts = [
        line.removeprefix("data: ")
        for line in data.decode().split("\n")
        if line.startswith("data: ") and line != "data: [DONE]"
    ]
    return [json.loads(text) for text in texts]
