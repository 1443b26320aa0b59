"""One copy of the bytes: no library that makes a body of its own can be faster."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec

import wireglot as wg
from bench import cases

from .kinds import Native, Typed

__all__ = ["FLOOR", "IMPORT", "NATIVE", "REQUIREMENTS", "TRANSLATE", "TYPED"]

REQUIREMENTS: tuple[str, ...] = ()
IMPORT = None
FLOOR = frozenset({"decode", "encode", "image-native", "request", "translate", "image", "memory"})

NATIVE = Native(msgspec.json.encode, bytearray, bytearray)
TRANSLATE: dict[tuple[str, str], Callable[[bytes], bytearray]] = {
    ("openai_chat", "anthropic"): bytearray,
    ("anthropic", "openai_chat"): bytearray,
}


def _written(name: str, conversation: list[dict[str, Any]]) -> Typed:
    whole = memoryview(wg.PROVIDERS[name].encode_request(cases.asked(conversation)))
    per_message = len(whole) / len(conversation)

    def body(messages: list[Any]) -> bytearray:
        return bytearray(whole[: round(per_message * len(messages))])

    return Typed(conversation, body)


TYPED = {name: partial(_written, name) for name in wg.PROVIDERS}
