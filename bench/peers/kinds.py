"""The abilities of a library, as the jobs use them: each peer's module has some of these."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

__all__ = ["Native", "Streaming", "Typed"]


class Native(NamedTuple):
    """Its own messages and their JSON.

    `store` makes the bytes from plain data, once and before the timing. `only` names the role of
    the messages that the library has types for, None if it has types for all.
    """

    store: Callable[[list[dict[str, Any]]], bytes]
    decode: Callable[[bytes], Any]
    encode: Callable[[Any], bytes]
    only: str | None = None


class Typed(NamedTuple):
    """Its own messages, and the function that makes the body of a request from them."""

    messages: list[Any]
    body: Callable[[list[Any]], bytes]


class Streaming(NamedTuple):
    """Network chunks of a stream to its own events, and the text of these events together."""

    events: Callable[[list[bytes]], list[Any]]
    text: Callable[[list[Any]], str]
