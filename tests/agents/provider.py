"""The scripted providers: an ASGI application that reads strictly, and answers by its script.

What an API refuses, `tests.oracles` and `tests.refusals` say. The modules of `tests.agents.wires`
refuse the rest: paths and headers, seals, and what only the providers of these tests do.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

from starlette.types import Receive, Scope, Send

from tests.agents.script import (
    ANSWERS,
    IMAGE,
    Answer,
    Asked,
    Item,
    RefusalError,
    cell_of,
    prompt,
    result,
    seal,
)
from tests.agents.wires import WIRES, Wire
from tests.refusals.hosts import HOSTS, faults

__all__ = ["Cell", "Providers"]

Script = Callable[[Asked, list[Item]], Answer]


@dataclass
class Cell:
    """What one run of a scenario has asked of a provider.

    `thoughts` is whether the text of a thought came back, `sealed` whether its signature did,
    `same_ids` whether each call came back with the id that it was given, `moved` whether the text
    beside a call came back behind it, and `mute` whether it did not. `begun` is set when half a
    stream has gone out, `left` when the other side has left it.
    """

    requests: list[Asked] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    attempts: int = 0
    thinks: bool = False
    thoughts: bool = False
    sealed: bool = False
    same_ids: bool = True
    moved: bool = False
    mute: bool = False
    begun: threading.Event = field(default_factory=threading.Event)
    left: threading.Event = field(default_factory=threading.Event)


class Providers:
    """All eight, each below the name of its wire. A script of its own is for an agent's run."""

    def __init__(self) -> None:
        self.cells: dict[int, Cell] = {}
        self.scripts: dict[int, Script] = {}
        self.strangers: list[str] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            while True:
                kind = (await receive())["type"]
                await send({"type": f"{kind}.complete"})
                if kind == "lifespan.shutdown":
                    return
        body = b""
        more = True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                return
            body += message.get("body", b"")
            more = message.get("more_body", False)
        _, name, path = scope["raw_path"].decode().split("/", 2)
        headers = {key.decode().lower(): value.decode() for key, value in scope["headers"]}
        reply = _Reply(WIRES[name], receive, send)
        try:
            _check(name, f"/{path}", body)
            asked = reply.wire.read(f"/{path}", json.loads(body), headers)
            await self._answer(reply, asked)
        except RefusalError as refused:
            self._note(body, refused)
            await reply.fails(refused.status, refused.message)

    def _note(self, body: bytes, refused: RefusalError) -> None:
        cell = cell_of(body.decode("utf-8", "replace"))
        if cell is None:
            self.strangers.append(refused.message)
        else:
            self.cells.setdefault(cell[1], Cell()).refused.append(refused.message)

    async def _answer(self, reply: _Reply, asked: Asked) -> None:
        found = [(i, cell_of(item.text)) for i, item in enumerate(asked.items)]
        tagged = next(((i, cell) for i, cell in found if cell is not None), None)
        if tagged is None:
            await reply.says(asked, Answer("A title"), "00000")
            return
        start, (scenario, number) = tagged
        items = asked.items[start:]
        mark = f"{number:04d}{sum(item.kind == 'result' for item in items)}"
        script = self.scripts.get(number)
        if script is not None and not asked.tools:  # beside its work, an agent asks for a title
            await reply.says(asked, Answer("A title"), mark)
            return
        cell = self.cells.setdefault(number, Cell())
        cell.attempts += 1
        cell.requests.append(asked)
        cell.thinks |= asked.thinks
        if script is None:
            answer = _checked(cell, scenario, number, items)
            if asked.stream == (scenario == "whole"):
                raise RefusalError(f"script: stream is {asked.stream}")
        else:
            _check_pairs(items)
            answer = script(asked, items)
        if scenario == "429" or (scenario == "retry" and cell.attempts == 1):
            await reply.fails(429, reply.wire.LIMIT, {"retry-after": "1"})
        elif scenario == "overflow":
            await reply.fails(400, reply.wire.OVERFLOW)
        elif scenario in ("error", "cut", "abort") and (script is None or cell.attempts == 1):
            await reply.breaks(asked, answer, mark, scenario, cell)
        else:
            await reply.says(asked, answer, mark)


def _check(wire: str, path: str, body: bytes) -> None:
    """Refuse what the API refuses of this model, at its maker's own host."""
    named = re.search(r"/model/([^/]+)/|/models/([^/:]+):", path)
    model = unquote(named[1] or named[2]) if named else json.loads(body).get("model", "")
    if wire == "openai_responses":
        body = json.dumps(_as_typed(json.loads(body))).encode()
    found = faults(wire, HOSTS[wire][0], model, body)
    if found:
        raise RefusalError("; ".join(found))


def _as_typed(value: Any, within: str = "") -> Any:
    """Return a body of Responses as the SDK's types have it, which the API is less strict than.

    Some clients omit what the types require. Codex has `client_metadata`, and gives an id to each
    message.
    """
    if isinstance(value, list):
        return [_as_typed(each, within) for each in value]
    if not isinstance(value, dict):
        return value
    whole = _OMITTED.get((within, str(value.get("type"))), {}) | value
    if within == "input" and value.get("role") in ("user", "developer", "system"):
        whole.pop("id", None)
    if not within:
        whole.pop("client_metadata", None)
    return {key: _as_typed(each, key) for key, each in whole.items()}


_OMITTED: dict[tuple[str, str], dict[str, Any]] = {
    ("tools", "function"): {"strict": None},
    ("content", "input_image"): {"detail": "auto"},
    ("output", "input_image"): {"detail": "auto"},
}
"""Where an object is, and its type -> what it may lack."""


def _check_pairs(items: list[Item]) -> None:
    """Refuse results that do not have the ids of their calls, in the same order."""
    calls = [item.id for item in items if item.kind == "call"]
    results = [item.id for item in items if item.kind == "result"]
    if results != calls[: len(results)]:
        raise RefusalError(f"script: results {results} of the calls {calls}")


_FILLER = "I will assist you using the tools provided."
"""What LangChain's client of Cohere says beside a call that has no text."""


def _checked(cell: Cell, scenario: str, number: int, items: list[Item]) -> Answer:
    """Compare a conversation with the script, and return the next answer.

    Raises `RefusalError` at the first difference.
    """
    _check_pairs(items)
    thought = {answer.thinking for answer in ANSWERS[scenario]} - {""}
    cell.thoughts |= any(item.text in thought for item in items)
    said = [
        _plain(item)
        for item in items
        if item.kind not in ("thought", "image") and item.text not in (*thought, _FILLER)
    ]
    expected: list[Any] = [("user", prompt(scenario, number))]
    results = 0
    thoughts = []
    for answer in ANSWERS[scenario]:
        if len(said) == len(expected):
            break
        if answer.text:
            text = ("text", answer.text)
            expected += _beside(cell, said, len(expected), text) if answer.calls else [text]
        expected += [("call", name, arguments) for name, arguments in answer.calls]
        expected += [("result", result(name, arguments)) for name, arguments in answer.calls]
        if answer.thinking:
            thoughts.append(seal(answer.thinking))
        results += len(answer.calls)
    else:
        raise RefusalError("script: more than there is")
    if said != expected:
        raise RefusalError(f"script: {said} instead of {expected}")
    images = [item.data for item in items if item.kind == "image"]
    if images != ([IMAGE] if scenario == "image" else []):
        raise RefusalError(f"script: the images {images}")
    if results:
        cell.sealed = [item.seal for item in items if item.seal is not None] == thoughts != []
        given = [item.id for item in items if item.kind == "call"]
        cell.same_ids &= all(id is None or f"{number:04d}" in id for id in given)
    return answer


def _beside(cell: Cell, said: list[Any], place: int, text: Any) -> list[Any]:
    """Return what is to be at a place: the text beside calls, if the client has kept it.

    If it is elsewhere, put it there.
    """
    if said[place : place + 1] == [text]:
        return [text]
    if text not in said[place:]:
        cell.mute = True
        return []
    cell.moved = True
    said.remove(text)
    said.insert(place, text)
    return [text]


def _plain(item: Item) -> Any:
    if item.kind == "call":
        return item.kind, item.name, item.data
    if item.kind == "result" and item.text.startswith(("{", "[")):
        return item.kind, _unwrapped(json.loads(item.text))
    return item.kind, item.text


def _unwrapped(result: Any) -> Any:
    """Return the text of a result that a client has put into JSON of its own."""
    if isinstance(result, list):
        (part,) = result
        return part["text"]
    key = next(key for key in ("content", "output", "result") if key in result)
    return result[key] if isinstance(result[key], str) else _unwrapped(result[key])


class _Reply:
    """One answer on its way."""

    def __init__(self, wire: Wire, receive: Receive, send: Send) -> None:
        self.wire = wire
        self._receive = receive
        self._send = send

    async def _starts(self, status: int, kind: str, headers: dict[str, str]) -> None:
        all_headers = {"content-type": kind, **headers}
        pairs = [(key.encode(), value.encode()) for key, value in all_headers.items()]
        await self._send({"type": "http.response.start", "status": status, "headers": pairs})

    async def _body(self, body: bytes, more: bool = False) -> None:
        await self._send({"type": "http.response.body", "body": body, "more_body": more})

    async def fails(self, status: int, message: str, more: dict[str, str] | None = None) -> None:
        headers, body = self.wire.error(status, message)
        await self._starts(status, "application/json", headers | (more or {}))
        await self._body(body)

    async def says(self, asked: Asked, answer: Answer, mark: str) -> None:
        if not asked.stream:
            await self._starts(200, "application/json", {})
            await self._body(self.wire.whole(asked, answer, mark))
            return
        await self._starts(200, self.wire.STREAM, {})
        for frame in self.wire.frames(asked, answer, mark):
            await self._body(frame, more=True)
        await self._body(b"")

    async def breaks(
        self, asked: Asked, answer: Answer, mark: str, scenario: str, cell: Cell
    ) -> None:
        """Send half a stream, and then an error, nothing, or no more until the client leaves."""
        frames = self.wire.frames(asked, answer, mark)
        await self._starts(200, self.wire.STREAM, {})
        for frame in frames[: max(1, len(frames) // 2)]:
            await self._body(frame, more=True)
        if scenario == "error":
            await self._body(self.wire.broken(asked, mark))
        elif scenario == "abort":
            cell.begun.set()
            while (await self._receive())["type"] != "http.disconnect":
                pass
            cell.left.set()
        # Without the end of the body, the server cuts the connection.
