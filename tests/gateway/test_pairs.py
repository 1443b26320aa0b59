"""Every official client, through the gateway, to every provider."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import wireglot as wg
from tests.clients.seen import Call, Client, Seen
from tests.clients.server import Server
from tests.clients.turn import CALL_ID, RESPONSES, STREAMS, TEXT

PAIRS = [(client, provider) for client in wg.PROVIDERS for provider in wg.PROVIDERS]
IDS = [f"{client} to {provider}" for client, provider in PAIRS]
NO_IDS = ("ollama",)  # whose client drops the ids of calls
STREAM = {
    **dict.fromkeys(wg.PROVIDERS, "text/event-stream"),
    "bedrock": "application/vnd.amazon.eventstream",
    "ollama": "application/x-ndjson",
}
ClientOf = Callable[[str], Client]


def _check(seen: Seen, client: Client, name: str) -> None:
    assert seen.text == TEXT
    call_id = None if name in NO_IDS else CALL_ID
    assert seen.calls == [Call(call_id, "weather", {"city": "Łódź", "days": 2})]
    assert seen.stop == client.CALLS
    assert seen.tokens == (20, 9)


@pytest.mark.parametrize(("name", "target"), PAIRS, ids=IDS)
def test_a_client_asks_a_provider_that_it_does_not_know(
    name: str, target: str, provider: Server, client_of: ClientOf
) -> None:
    client = client_of(name)
    client.model = f"to-{target}"
    provider.answers("application/json", RESPONSES[target].encode())
    _check(client.ask(streamed=False), client, name)
    provider.answers("application/json", RESPONSES[target].encode())
    _check(client.tell(["21 °C"]), client, name)
    asked = provider.asked[-1]
    request = wg.PROVIDERS[target].decode_request(asked.body, asked.path)
    assert request.model == "m"
    provider.answers(STREAM[target], STREAMS[target])
    _check(client.ask(streamed=True), client, name)
