"""A conversation that grows: each turn writes the whole request so far -> the total cost.

Three sides are timed at every turn: our `Transcript`, our `encode_request` of everything, and the
peer, which always encodes everything.
"""

from __future__ import annotations

import gc
import math
import time
from typing import Any

import wireglot as wg

from . import cases
from .jobs import difference, peer_module

__all__ = ["MARKS", "TURNS", "grown"]

TURNS = 1000
MARKS = (125, 250, 500, 1000)
_PATIENCE = 40.0  # seconds of the peer; the time of half of the turns predicts the whole


def grown(peer: str, turns: int = TURNS) -> dict[str, Any] | None:
    """Return cumulative seconds at the marks and exponents, None if the peer does not do it.

    A peer that is too slow stops after half of the turns, and has no number for the whole.
    """
    typed = getattr(peer_module(peer), "TYPED", {}).get("anthropic")
    if typed is None:
        return None
    conversation = cases.growing(turns)
    asked = cases.asked(conversation)
    messages, body = typed(conversation)
    if len(messages) != len(asked.messages):
        raise ValueError(f"{peer}: {len(messages)} messages of {len(asked.messages)}")
    wrong = difference(asked, "anthropic", body(messages))
    if wrong is not None:
        return {"wrong": wrong}
    return _timed(asked, messages, body, turns)


def _timed(asked: wg.Request, messages: list[Any], body: Any, turns: int) -> dict[str, Any]:
    anthropic = wg.providers.anthropic
    fields = {"model": asked.model, "max_tokens": asked.max_tokens, "tools": asked.tools}
    transcript = anthropic.Transcript()
    so_far: list[Any] = []
    theirs: list[Any] = []
    names = ("transcript", "anew", "peer")
    totals = dict.fromkeys(names, 0.0)
    at: dict[str, dict[int, float]] = {name: {} for name in names}
    marks = [turns * mark // TURNS for mark in MARKS]
    clock = time.thread_time  # other work of the machine does not count
    gc.collect()
    gc.freeze()  # the libraries' set-up is not to be collected while one side is timed
    for turn in range(1, turns + 1):
        added = slice(max(2 * turn - 3, 0), 2 * turn - 1)  # the last answer, and the next question
        start = clock()
        for message in asked.messages[added]:
            transcript.append(message)
        made = transcript.encode(**fields)
        one = clock()
        so_far += asked.messages[added]
        again = anthropic.encode_request(wg.Request(list(so_far), **fields))
        two = clock()
        theirs += messages[added]
        body(theirs)
        end = clock()
        for name, took in zip(names, (one - start, two - one, end - two), strict=True):
            totals[name] += took
        if turn in marks:
            assert made == again
            for name in names:
                at[name][turn] = totals[name]
        if turn == turns // 2 and totals["peer"] * 4 > _PATIENCE:
            break
    return {name: {"seconds": list(at[name].items()), "exponent": _slope(at[name])} for name in at}


def _slope(at: dict[int, float]) -> float:
    """Return the slope of the logarithms by least squares."""
    xs, ys = [math.log(turn) for turn in at], [math.log(seconds) for seconds in at.values()]
    x, y = sum(xs) / len(xs), sum(ys) / len(ys)
    over = sum((a - x) * (b - y) for a, b in zip(xs, ys, strict=True))
    return over / sum((a - x) ** 2 for a in xs)
