"""An agent's conversation, from wire to wire: each turn translates the whole body so far.

Four sides are timed at every turn: our `RequestTranslator`, which translates only what is new, our
`translate_request` of everything, the floor, and the peer, which has everything anew. The floor is
msgspec, which parses the body without types and writes it again.
"""

from __future__ import annotations

import gc
import random
import time
from collections import deque
from collections.abc import Iterator
from functools import partial
from typing import Any

import msgspec

import wireglot as wg

from . import cases
from .jobs import mistranslated, peer_module, translation
from .session import TOOLS

__all__ = ["TURNS", "bodies", "translated"]

TURNS = 400
_PATIENCE = 40.0  # seconds of the peer; the time of half of the turns predicts the whole
_SIDES = ("kept", "anew", "floor", "peer")
_SYSTEM = "Work on the files of this project with the tools, and say briefly what you do. " * 25
_decode = msgspec.json.Decoder().decode
_encode = msgspec.json.Encoder().encode


def translated(job: str, peer: str, turns: int = TURNS) -> dict[str, Any]:
    """Return the seconds of each side in all, and the hits; empty if the peer does not do it.

    A peer that is too slow stops after half of the turns; the other sides stop there too.
    """
    source, target, *how = job.split(":")[1:]
    grown = partial(bodies, source, turns, is_marked=how == ["marked"])
    module = peer_module(peer)
    theirs = translation(module, source, target)
    if theirs is None:
        return {}
    last = deque(grown(), maxlen=1).pop()
    wrong = mistranslated(last, theirs(last), source, target, "translate" in module.FLOOR)
    if wrong is not None:
        return {"wrong": wrong}
    totals = dict.fromkeys(_SIDES, 0.0)
    translator = wg.RequestTranslator(source, target)
    clock = time.thread_time  # other work of the machine does not count
    gc.collect()
    gc.freeze()  # the libraries' set-up is not to be collected while one side is timed
    size = turn = 0
    for turn, body in enumerate(grown(), start=1):
        size += len(body)
        start = clock()
        kept = translator.translate(body, losses=[], model=cases.MODEL)
        one = clock()
        anew = wg.translate_request(body, source, target, losses=[], model=cases.MODEL)
        two = clock()
        _encode(_decode(body))
        three = clock()
        theirs(body)
        end = clock()
        assert kept == anew
        for side, took in zip(
            _SIDES, (one - start, two - one, three - two, end - three), strict=True
        ):
            totals[side] += took
        if turn == turns // 2 and totals["peer"] * 4 > _PATIENCE:
            break
    counted = {"turns": turn, "hits": translator.stats.hits, "bytes": size}
    return {**totals, **counted, "ratio": totals["kept"] / totals["peer"]}


def bodies(wire: str, turns: int, *, is_marked: bool = False) -> Iterator[bytes]:
    """Yield the body of each turn: a call and its result more, and now and then a new question.

    A client that marks what is to be cached marks the last two messages that are not the model's.
    """
    rng = random.Random(11)
    encode = wg.PROVIDERS[wire].encode_request
    tools: list[Any] = [wg.Tool(name, f"Runs {name}.", dict(cases.SCHEMA)) for name in TOOLS]
    messages: list[Any] = [wg.SystemMessage([wg.TextBlock(_SYSTEM)])]
    asking = [_asks("Fix the bug in the file that reads the settings.")]
    messages += asking
    for turn in range(turns):
        if is_marked:
            for message in asking[:-2]:
                message.content[-1].cache = None
            for message in asking[-2:]:
                message.content[-1].cache = wg.CacheMark()
        yield encode(wg.Request(messages, model=cases.MODEL, max_tokens=4096, tools=tools))
        name = rng.choice(TOOLS)
        text = "x = read(path)\n" * rng.randint(1, 20)
        arguments = _encode({"path": f"src/file_{turn}.py", "note": text}).decode()
        call = wg.ToolCallBlock(f"call_{turn:06}", name, arguments)
        answer: list[Any] = [wg.TextBlock("Let me look at it."), call] if turn % 3 else [call]
        output = wg.TextBlock("a line of the output\n" * rng.randint(1, 30))
        result = wg.ToolMessage([wg.ToolResultBlock(call.id, name, [output])])
        messages += [wg.AssistantMessage(answer, wg.StopReason.TOOL_USE, cases.MODEL), result]
        asking.append(result)
        if turn % 10 == 9:
            done: list[Any] = [wg.TextBlock("Done.")]
            messages.append(wg.AssistantMessage(done, wg.StopReason.STOP, cases.MODEL))
            asking.append(_asks("Go on with the next one."))
            messages.append(asking[-1])


def _asks(text: str) -> Any:
    return wg.UserMessage([wg.TextBlock(text)])
