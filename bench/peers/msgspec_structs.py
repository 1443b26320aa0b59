"""msgspec by itself: Structs of the session's shape, and of a body that was built beforehand.

The Structs keep no unknown keys and check no limits. Between two wires it parses a body without
types and writes it again.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any

import msgspec

import wireglot as wg
from bench import cases
from bench.plain import ParsedMessage

from .dicts import DOES_LESS, KEYS, translations
from .kinds import Native, Typed

__all__ = ["FLOOR", "IMPORT", "NATIVE", "REQUIREMENTS", "TRANSLATE", "TYPED"]

REQUIREMENTS: tuple[str, ...] = ()
IMPORT = "import msgspec"
FLOOR = DOES_LESS

_encode = msgspec.json.Encoder().encode

NATIVE = Native(_encode, msgspec.json.Decoder(list[ParsedMessage]).decode, _encode)
TRANSLATE = translations(msgspec.json.Decoder().decode, _encode)


def _built(name: str, conversation: list[dict[str, Any]]) -> Typed:
    kind = import_module(f"wireglot.providers.{name}.wire").Body
    written = wg.PROVIDERS[name].encode_request(cases.asked(conversation))
    whole = msgspec.json.decode(written, type=kind)
    key = KEYS[name]
    replaced = msgspec.structs.replace

    def body(messages: list[Any]) -> bytes:
        return _encode(replaced(whole, **{key: messages}))

    return Typed(getattr(whole, key), body)


TYPED: dict[str, Callable[[list[dict[str, Any]]], Typed]] = {
    name: partial(_built, name) for name in wg.PROVIDERS
}
