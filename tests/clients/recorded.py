"""Recorded answers of the providers' own services, and of those what every wire can tell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

import wireglot as wg
from tests.corpus.answers import Answer, read_answers
from tests.corpus.streams import decoded
from tests.traffic import FOLDERS

__all__ = ["Turn", "calls_of", "recorded", "turns"]

_MOST = 3


class Turn(NamedTuple):
    """An answer of text and calls; each of `calls` is a name and arguments."""

    answer: Answer
    text: str
    calls: list[tuple[str, Any]]


def recorded(name: str, kind: str) -> Iterator[Answer]:
    """Yield the answers of a provider, its `response`s or its `stream`s."""
    dialects = {other: wg.PROVIDERS[other].DIALECTS for other in wg.PROVIDERS}
    for answer in read_answers(FOLDERS, dialects, name).samples:
        if answer.label == f"{name} {kind}":
            yield answer


@cache
def turns(name: str, kind: str) -> Sequence[Turn]:
    """Return the first recorded answers of nothing but text and calls, calls in all of them."""
    found: list[Turn] = []
    for answer in recorded(name, kind):
        try:
            if kind == "stream":
                _, response = decoded(name, answer.dialect, answer.data)
            else:
                response = wg.PROVIDERS[name].decode_response(answer.data)
        except wg.DecodeError:
            continue
        content = response.message.content
        calls = calls_of([response.message])
        is_plain = {wg.ToolCallBlock} <= set(map(type, content)) <= {wg.TextBlock, wg.ToolCallBlock}
        if is_plain and all(isinstance(arguments, dict) for _, arguments in calls):
            text = "".join(block.text for block in content if isinstance(block, wg.TextBlock))
            found.append(Turn(answer, text, calls))
            if len(found) == _MOST:
                break
    assert found, f"no {kind} of {name} has calls"
    return found


def calls_of(messages: Any) -> list[tuple[str, Any]]:
    """Return the calls in messages."""
    return [
        (block.name, block.arguments.value)
        for message in messages
        for block in message.content
        if type(block) is wg.ToolCallBlock
    ]
