"""A JSON library on plain dicts -> the jobs that it can do, or a part of them.

Bodies of requests are built beforehand, so that only the writing is timed; between two wires the
body is only parsed and written again.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from itertools import product
from typing import Any

import wireglot as wg
from bench import cases

from .kinds import Native, Typed

__all__ = ["DOES_LESS", "KEYS", "native", "translations", "typed"]

DOES_LESS = frozenset({"request", "translate", "growing", "image", "memory"})
# The key of the conversation in the body.
KEYS = dict.fromkeys(wg.PROVIDERS, "messages") | {"gemini": "contents", "openai_responses": "input"}


def native(loads: Callable[[bytes], Any], dumps: Callable[[Any], bytes]) -> Native:
    """Return the stored session as dicts."""
    return Native(dumps, loads, dumps)


def typed(dumps: Callable[[Any], bytes]) -> dict[str, Callable[[list[dict[str, Any]]], Typed]]:
    """Return, for every wire, the messages as that wire's dicts."""
    return {name: partial(_built, name, dumps) for name in wg.PROVIDERS}


def translations(
    loads: Callable[[bytes], Any], dumps: Callable[[Any], bytes]
) -> dict[tuple[str, str], Callable[[bytes], bytes]]:
    """Return, for each pair of wires, a function that parses a body and writes it again."""
    return dict.fromkeys(product(wg.PROVIDERS, repeat=2), lambda data: dumps(loads(data)))


def _built(name: str, dumps: Callable[[Any], bytes], conversation: list[dict[str, Any]]) -> Typed:
    whole = json.loads(wg.PROVIDERS[name].encode_request(cases.asked(conversation)))
    key = KEYS[name]

    def body(messages: list[Any]) -> bytes:
        return dumps({**whole, key: messages})

    return Typed(whole[key], body)
