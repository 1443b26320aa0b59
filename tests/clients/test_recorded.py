"""Official clients see the same in recorded answers, as they came and as we write them again."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

import wireglot as wg
from tests.clients.recorded import calls_of, recorded, turns
from tests.clients.seen import Client, Seen
from tests.clients.server import Server
from tests.clients.turn import RESPONSES
from tests.corpus.answers import Answer
from tests.corpus.streams import decoded, encoded
from tests.traffic import needs_traffic

MOST = {"response": 40, "stream": 25}
LARGEST = 1 << 17
# What the client of a provider does not put together from a stream, though the service sends it.
NOTHING = b"nothing that is ever sent"
NOT_READ = {"anthropic": b'"type":"mcp_tool_use"'}

pytestmark = needs_traffic

ClientOf = Callable[[str], Client]


@cache
def _answers(name: str, kind: str) -> list[Answer]:
    """Return some of the answers that the provider's own service gave, from all that there are."""
    answers = [
        answer
        for answer in recorded(name, kind)
        if len(answer.data) <= LARGEST
        and (kind == "response" or NOT_READ.get(name, NOTHING) not in answer.data)
    ]
    return answers[:: max(1, len(answers) // MOST[kind])]


@pytest.mark.parametrize("name", wg.PROVIDERS)
def test_a_client_sees_the_same_answer(name: str, server: Server, client_of: ClientOf) -> None:
    provider, client = wg.PROVIDERS[name], client_of(name)
    read = 0
    for answer in _answers(name, "response"):
        before = _seen(client, server, answer.data, streamed=False)
        if before is None:
            continue
        response = provider.decode_response(answer.data, dialect=answer.dialect)
        written = provider.encode_response(response, dialect=answer.dialect)
        assert _seen(client, server, written, streamed=False) == before, answer.id
        read += 1
    assert read >= 10


@pytest.mark.parametrize("name", wg.PROVIDERS)
def test_a_client_sees_the_same_stream(name: str, server: Server, client_of: ClientOf) -> None:
    client = client_of(name)
    read = 0
    for answer in _answers(name, "stream"):
        before = _seen(client, server, answer.data, streamed=True)
        if before is None:
            continue
        try:
            events, _ = decoded(name, answer.dialect, answer.data)
        except wg.StreamError:  # cut, which some clients do not notice
            continue
        written = encoded(name, answer.dialect, events, [])
        assert _seen(client, server, written, streamed=True) == before, answer.id
        read += 1
    assert read >= 5


PAIRS = [(source, target) for source in wg.PROVIDERS for target in wg.PROVIDERS]
IDS = [f"{source} to {target}" for source, target in PAIRS]


@pytest.mark.parametrize("kind", MOST)
@pytest.mark.parametrize(("source", "target"), PAIRS, ids=IDS)
def test_a_client_completes_a_turn_of_another_wire(
    source: str, target: str, kind: str, server: Server, client_of: ClientOf
) -> None:
    client = client_of(target)
    answer, _, calls = turns(source, kind)[0]
    losses: list[wg.Loss] = []  # of usage, safety and the like
    is_stream = kind == "stream"
    if is_stream:
        translator = wg.StreamTranslator(source, target, losses=losses)
        data = translator.feed(answer.data) + translator.close()
    else:
        data = wg.translate_response(answer.data, source, target, losses=losses)
    server.answers(client.STREAM if is_stream else "application/json", data)
    seen = client.ask(streamed=is_stream)
    assert [(call.name, call.arguments) for call in seen.calls] == calls
    server.answers("application/json", RESPONSES[target].encode())
    client.tell(["done"] * len(calls))
    asked = server.asked[-1]
    request = wg.PROVIDERS[target].decode_request(asked.body, asked.path)
    assert calls_of(request.messages) == calls
    assert sum(message.text().count("done") for message in request.messages) == len(calls)


def _seen(client: Client, server: Server, data: bytes, *, streamed: bool) -> Seen | None:
    """Return what the client makes of an answer, None if it cannot read it."""
    server.answers(client.STREAM if streamed else "application/json", data)
    try:
        seen = client.ask(streamed=streamed)
    except Exception:  # noqa: BLE001 -- each client has its own
        return None
    seen.whole = _without_null(seen.whole)
    if type(client).__module__.endswith(
        ".openai_responses"
    ):  # an item tells it, and the end perhaps not (2026-06)
        _leave_out_encrypted(seen.whole)
    return seen


def _leave_out_encrypted(whole: Any) -> None:
    for item in (whole or {}).get("output", ()):
        item.pop("encrypted_content", None)


def _without_null(value: Any) -> Any:
    """Leave out keys that are null, which say what their absence says."""
    if isinstance(value, dict):
        return {key: _without_null(item) for key, item in value.items() if item is not None}
    return [_without_null(item) for item in value] if isinstance(value, list) else value
