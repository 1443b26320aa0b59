"""Recorded answers of every provider, through the gateway, as every official client sees them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.clients.recorded import turns
from tests.clients.seen import Client
from tests.clients.server import Server
from tests.gateway.pairs import STREAM, every_pair
from tests.traffic import needs_traffic

pytestmark = needs_traffic


@pytest.mark.parametrize("kind", ["response", "stream"])
@every_pair
def test_a_client_sees_text_and_calls_of_a_recorded_answer(
    name: str, target: str, kind: str, provider: Server, client_of: Callable[[str], Client]
) -> None:
    client = client_of(name)
    client.model = f"to-{target}"
    is_stream = kind == "stream"
    for answer, text, calls in turns(target, kind):
        provider.answers(STREAM[target] if is_stream else "application/json", answer.data)
        seen = client.ask(streamed=is_stream)
        assert seen.text == text, answer.id
        assert [(call.name, call.arguments) for call in seen.calls] == calls, answer.id
