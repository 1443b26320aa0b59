"""Every official client, through the gateway, to every provider."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Callable

import wireglot as wg
from tests.clients.seen import QUESTION, Call, Client, Seen
from tests.clients.server import Server
from tests.clients.turn import CALL_ID, PLAIN, RESPONSES, STREAMS, TEXT
from tests.gateway.pairs import STREAM, every_pair

NO_IDS = ("ollama",)  # whose client drops the ids of calls
ClientOf = Callable[[str], Client]


# A picture of one dot.
PNG = b64decode(
    b"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGD4DwABBAEAX+XDSwAAAABJRU5ErkJg"
    b"gg=="
)


def _check(seen: Seen, client: Client, name: str) -> None:
    assert seen.text == TEXT
    call_id = None if name in NO_IDS else CALL_ID
    assert seen.calls == [Call(call_id, "weather", {"city": "Łódź", "days": 2})]
    assert seen.stop == client.CALLS
    assert seen.tokens == (20, 9)


@every_pair
def test_a_client_asks_a_provider_that_it_does_not_know(
    name: str, target: str, provider: Server, client_of: ClientOf
) -> None:
    client = client_of(name)
    client.model = f"to-{target}"
    provider.answers("application/json", RESPONSES[target].encode())
    _check(client.ask(streamed=False), client, name)
    provider.answers("application/json", PLAIN[target].encode())
    seen = client.tell(["21 °C"])
    assert (seen.text, seen.calls) == ("It is 21 °C.", [])
    assert (seen.stop, seen.tokens) == (client.ENDS, (31, 7))
    asked = provider.asked[-1]
    request = wg.PROVIDERS[target].decode_request(asked.body, asked.path)
    assert request.model == "m"
    (result,) = request.messages[-1].content
    assert isinstance(result, wg.ToolResultBlock)
    (said,) = result.content
    assert isinstance(said, wg.TextBlock)
    assert said.text == "21 °C"


@every_pair
def test_a_client_is_answered_bit_by_bit(
    name: str, target: str, provider: Server, client_of: ClientOf
) -> None:
    client = client_of(name)
    client.model = f"to-{target}"
    provider.answers(STREAM[target], STREAMS[target])
    _check(client.ask(streamed=True), client, name)


@every_pair
def test_a_client_shows_a_picture(
    name: str, target: str, provider: Server, client_of: ClientOf
) -> None:
    client = client_of(name)
    client.model = f"to-{target}"
    provider.answers("application/json", PLAIN[target].encode())
    assert client.ask(streamed=False, image=PNG).text == "It is 21 °C."
    asked = provider.asked[-1]
    request = wg.PROVIDERS[target].decode_request(asked.body, asked.path)
    (message,) = request.messages
    text, image = message.content
    assert (type(text), type(image)) == (wg.TextBlock, wg.ImageBlock)
    assert text.text == QUESTION
    media = image.inline()
    assert media is not None
    assert media.to_bytes() == PNG
