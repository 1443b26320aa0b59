"""The JSON of the echo server (`POST /v1/echo`). It is made up, so it has no source."""

from __future__ import annotations

from typing import Final

from msgspec import field

from wireglot.providers._state.wire import Slice, Wire

from .facts import API as API

DIALECTS: Final = ("echo",)
"""No other service has a variant of it."""


class Call(Wire):
    """A call. `input` is an object, carried as text: it is never parsed on the way."""

    id: str
    name: str
    input: Slice


class Turn(Wire, kw_only=True):
    """One turn, of `system`, `user`, `model` or `tool`; a tool's says which `call` it answers."""

    role: str = field(name="from")
    text: str = ""
    calls: list[Call] | None = None
    call: str | None = None


class Tool(Wire):
    """A function; `input` is its JSON Schema."""

    name: str
    about: str | None = None
    input: Slice = None


class Body(Wire, kw_only=True):
    """The request. `turns` is last, so a longer body starts with the bytes of a shorter one."""

    model: str | None = None
    limit: int | None = None
    heat: float | None = None
    stream: bool = False
    tools: list[Tool] | None = None
    turns: list[Turn]


class Response(Wire, kw_only=True):
    """The answer, whole. `asked` and `said` count tokens, `asked` including cached ones."""

    id: str | None = None
    model: str | None = None
    turn: Turn
    end: str
    asked: int = 0
    said: int = 0


class Line(Wire, kw_only=True):
    """A line of a stream: id and model, then texts and calls, then the end, or an error."""

    id: str | None = None
    model: str | None = None
    text: str | None = None
    call: Slice = None
    end: str | None = None
    asked: int = 0
    said: int = 0
    error: Slice = None
