"""Official clients read what was translated for them, and answer it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

import wireglot as wg
from tests.clients.seen import QUESTION, Call, Client, Seen
from tests.clients.server import Server
from tests.clients.turn import ARGUMENTS, CALL_ID, RESPONSES, STREAMS, TEXT
from tests.providers.streams import chunked

PAIRS = [(source, target) for source in wg.PROVIDERS for target in wg.PROVIDERS]
IDS = [f"{source} to {target}" for source, target in PAIRS]
NO_IDS = ("ollama",)  # whose client drops the ids of calls

ClientOf = Callable[[str], Client]


# What a source says of itself (how long it took, ...) and no other has a word for.
ASIDE = {"extras"}


def _whole(source: str, target: str) -> bytes:
    losses: list[wg.Loss] = []
    made = wg.translate_response(RESPONSES[source], source, target, losses=losses, model="m")
    assert {loss.what for loss in losses} <= ASIDE
    return made


def _streamed(source: str, target: str) -> bytes:
    losses: list[wg.Loss] = []
    translator = wg.StreamTranslator(source, target, losses=losses, model="m")
    made = b"".join(map(translator.feed, chunked(STREAMS[source], 50))) + translator.close()
    assert {loss.what for loss in losses} <= ASIDE
    return made


@pytest.mark.parametrize("name", wg.PROVIDERS)
def test_a_client_reads_the_turn_as_it_is_written_here(
    name: str, server: Server, client_of: ClientOf
) -> None:
    client = client_of(name)
    server.answers("application/json", RESPONSES[name].encode())
    _check(client.ask(streamed=False), client, name)
    server.answers(client.STREAM, STREAMS[name])
    _check(client.ask(streamed=True), client, name)


@pytest.mark.parametrize(("source", "target"), PAIRS, ids=IDS)
def test_a_client_reads_a_translated_answer(
    source: str, target: str, server: Server, client_of: ClientOf
) -> None:
    client = client_of(target)
    server.answers("application/json", _whole(source, target))
    _check(client.ask(streamed=False), client, target)
    _check_reply(client, target, server)


@pytest.mark.parametrize(("source", "target"), PAIRS, ids=IDS)
def test_a_client_reads_a_translated_stream(
    source: str, target: str, server: Server, client_of: ClientOf
) -> None:
    client = client_of(target)
    server.answers(client.STREAM, _streamed(source, target))
    _check(client.ask(streamed=True), client, target)
    _check_reply(client, target, server)


def _check(seen: Seen, client: Client, target: str) -> None:
    assert seen.text == TEXT
    call_id = None if target in NO_IDS else CALL_ID
    assert seen.calls == [Call(call_id, "weather", {"city": "Łódź", "days": 2})]
    assert seen.stop == client.CALLS
    assert seen.tokens == (20, 9)


def _check_reply(client: Client, target: str, server: Server) -> None:
    """Let the client send the result of the call, and read that request."""
    server.answers("application/json", RESPONSES[target].encode())
    client.tell(["21 °C"])
    asked = server.asked[-1]
    request = wg.PROVIDERS[target].decode_request(asked.body, asked.path)
    assert request.model == "m"
    assert [_said(message) for message in request.messages] == [
        [QUESTION],
        [TEXT, ("weather", json.loads(ARGUMENTS))],
        ["21 °C"],
    ]
    (tool,) = request.tools or ()
    assert isinstance(tool, wg.Tool)
    assert tool.name == "weather"


def _said(message: Any) -> list[Any]:
    """Return the text of a message, which may come back in pieces, then calls and results."""
    said: list[Any] = ["".join(b.text for b in message.content if type(b) is wg.TextBlock)]
    for block in message.content:
        if type(block) is wg.ToolCallBlock:
            said.append((block.name, block.arguments.value))
        elif type(block) is wg.ToolResultBlock:
            said.append(block.text())
    return [part for part in said if part]
