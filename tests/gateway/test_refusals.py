"""What goes wrong reaches a client as its own wire has it, with the right status."""

from __future__ import annotations

import gc
import warnings
from collections.abc import Callable
from typing import Any

import anthropic
import pytest

import wireglot as wg
from tests.clients.seen import Client
from tests.clients.server import Server
from tests.clients.turn import STREAMS
from tests.gateway.pairs import every_pair

ClientOf = Callable[[str], Client]
every_client = pytest.mark.parametrize("name", wg.PROVIDERS)

_OPENAI = b"""{"error":{"message":"Slow down, please.","type":"requests","param":null,
 "code":"rate_limit_exceeded"}}"""
BUSY = {
    "anthropic": b"""{"type":"error","error":{"type":"rate_limit_error",
 "message":"Slow down, please."}}""",
    "openai_chat": _OPENAI,
    "openai_responses": _OPENAI,
    "gemini": b"""{"error":{"code":429,"message":"Slow down, please.",
 "status":"RESOURCE_EXHAUSTED"}}""",
    "bedrock": b"""{"message":"Slow down, please."}""",
    "mistral": b"""{"object":"error","message":"Slow down, please.","type":"rate_limited",
 "param":null,"code":"1300"}""",
    "cohere": b"""{"id":"e1","message":"Slow down, please."}""",
    "ollama": b"""{"error":"Slow down, please."}""",
}
for _name in wg.PROVIDERS.keys() - BUSY:
    _slow = wg.ProviderError("rate_limit", "Slow down, please.", wire=_name)
    BUSY[_name] = wg.PROVIDERS[_name].encode_error(_slow)


def _refused(client: Client) -> tuple[int, str]:
    """Ask, and return the status and the words of the exception that the client raises."""
    with pytest.raises(Exception) as caught:  # noqa: PT011 - each client has its own
        client.ask(streamed=False)
    error: Any = caught.value
    if hasattr(error, "response") and isinstance(error.response, dict):  # boto3's
        return error.response["ResponseMetadata"]["HTTPStatusCode"], str(error)
    status = getattr(error, "status_code", None) or getattr(error, "code", None)
    return status, f"{error} {getattr(error, 'body', '')}"


@every_pair
def test_a_provider_that_is_busy(
    name: str, target: str, provider: Server, client_of: ClientOf
) -> None:
    client = client_of(name)
    client.model = f"to-{target}"
    provider.answers("application/json", BUSY[target], 429)
    status, words = _refused(client)
    assert status == 429
    assert "Slow down, please." in words


@every_client
def test_an_answer_that_cannot_be_read(name: str, provider: Server, client_of: ClientOf) -> None:
    client = client_of(name)
    client.model = "to-cohere"
    provider.answers("application/json", b"<html>")
    status, words = _refused(client)
    assert status == (424 if name in ("bedrock", "cohere") else 502)  # their SDKs repeat a 502
    assert "answer cannot be read" in words


@every_client
def test_a_model_without_a_route(name: str, client_of: ClientOf) -> None:
    client = client_of(name)
    client.model = "nobody"
    status, words = _refused(client)
    assert status == 404
    assert "no route for the model `nobody`" in words


@every_client
def test_a_stream_that_breaks_off_is_an_error_of_the_client(
    name: str, provider: Server, client_of: ClientOf
) -> None:
    client = client_of(name)
    client.model = "to-anthropic"
    provider.answers("text/event-stream", STREAMS["anthropic"][:700])
    with pytest.raises(Exception) as caught:  # noqa: PT011 - each client has its own
        client.ask(streamed=True)
    # Mistral's client knows no errors in a stream, and stumbles over them with its socket open.
    assert ("Response validation failed" if name == "mistral" else "broke off") in str(caught.value)
    del caught
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()


def test_a_client_of_anthropic_is_told_that_the_prompt_is_too_long(
    gateway: str, provider: Server
) -> None:
    too_long = b"""{"error":{"code":400,"status":"INVALID_ARGUMENT",
     "message":"The input token count (9) exceeds the maximum number of tokens allowed (8)."}}"""
    provider.answers("application/json", too_long, 400)
    client = anthropic.Anthropic(base_url=gateway, api_key="k", max_retries=0)
    with pytest.raises(anthropic.BadRequestError) as caught:
        client.messages.create(
            model="to-gemini", max_tokens=9, messages=[{"role": "user", "content": "Hi"}]
        )
    body: Any = caught.value.body
    assert body["error"] == {
        "type": "invalid_request_error",
        "message": "prompt is too long: The input token count (9) exceeds the maximum number of"
        " tokens allowed (8).",
    }
