"""A provider's error in the middle of an answer, as the official clients see it."""

from __future__ import annotations

import gc
import json
from collections.abc import Callable
from typing import Any

import openai
import pytest

from tests.clients.seen import Client
from tests.clients.server import Server
from tests.clients.turn import STREAMS
from wireglot.providers import PROVIDERS

BUSY = b"""event: error
data: {"type":"error","error":{"type":"overloaded_error","message":"Too busy."}}

"""
BROKEN = STREAMS["anthropic"][:700].rpartition(b"\n\n")[0] + b"\n\n" + BUSY


# Mistral's client knows no errors in a stream, and leaves its connection open.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("name", PROVIDERS)
def test_a_client_sees_the_providers_words(
    name: str, provider: Server, client_of: Callable[[str], Client]
) -> None:
    client = client_of(name)
    client.model = "to-anthropic"
    provider.answers("text/event-stream", BROKEN)
    with pytest.raises(Exception) as caught:  # noqa: PT011 - each client has its own
        client.ask(streamed=True)
    said = str(caught.value)
    del caught
    gc.collect()
    assert ("Response validation failed" if name == "mistral" else "Too busy.") in said


def test_openais_client_raises_the_error_of_responses(gateway: str, provider: Server) -> None:
    provider.answers("text/event-stream", BROKEN)
    client = openai.OpenAI(base_url=f"{gateway}/v1", api_key="k", max_retries=0)
    with (
        pytest.raises(openai.APIError) as caught,
        client.responses.create(model="to-anthropic", input="Hi", stream=True) as stream,
    ):
        for _ in stream:
            pass
    assert (caught.value.code, caught.value.message) == ("server_is_overloaded", "Too busy.")


def test_a_client_that_reads_the_last_event_alone_sees_it_too(
    gateway: str, provider: Server
) -> None:
    provider.answers("text/event-stream", BROKEN)
    client = openai.OpenAI(base_url=f"{gateway}/v1", api_key="k", max_retries=0)
    with client.responses.with_streaming_response.create(
        model="to-anthropic", input="Hi", stream=True
    ) as response:
        events: list[Any] = [
            json.loads(line[6:]) for line in response.iter_lines() if line.startswith("data: ")
        ]
    assert [event["sequence_number"] for event in events] == list(range(len(events)))
    assert [event["type"] for event in events[-2:]] == ["error", "response.failed"]
    answer = events[-1]["response"]
    assert (answer["id"], answer["status"]) == (events[0]["response"]["id"], "failed")
    assert answer["error"] == {"code": "server_is_overloaded", "message": "Too busy."}
