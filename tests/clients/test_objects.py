"""What official clients return goes into our decoders as it is: answers, and events of streams."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from typing import Any

import boto3
import cohere
import ollama
import pytest
from anthropic import Anthropic
from botocore.config import Config
from mistralai.client import Mistral
from openai import OpenAI

import wireglot as wg
from tests.clients.server import Server
from tests.clients.turn import ARGUMENTS, CALL_ID, RESPONSES, STREAMS, TEXT

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # it is not ready for a later Python
    from google import genai

_HI: Any = [{"role": "user", "content": "Hi"}]


def _anthropic(url: str, streamed: bool) -> Any:
    client = Anthropic(api_key="x", base_url=url, max_retries=0)
    return client.messages.create(model="m", max_tokens=9, messages=_HI, stream=streamed)


def _anthropics_helper(url: str, streamed: bool) -> Any:
    client = Anthropic(api_key="x", base_url=url, max_retries=0)
    with client.messages.stream(model="m", max_tokens=9, messages=_HI) as stream:
        return list(stream)


def _openai_chat(url: str, streamed: bool) -> Any:
    client = OpenAI(api_key="x", base_url=f"{url}/v1", max_retries=0)
    return client.chat.completions.create(model="m", messages=_HI, stream=streamed)


def _openai_responses(url: str, streamed: bool) -> Any:
    client = OpenAI(api_key="x", base_url=f"{url}/v1", max_retries=0)
    return client.responses.create(model="m", input=_HI, stream=streamed)


def _gemini(url: str, streamed: bool) -> Any:
    client = genai.Client(api_key="x", http_options=genai.types.HttpOptions(base_url=url))
    if streamed:  # a list, since a client that is gone sends nothing
        return list(client.models.generate_content_stream(model="m", contents="Hi"))
    return client.models.generate_content(model="m", contents="Hi")


def _bedrock(url: str, streamed: bool) -> Any:
    client = boto3.client(
        "bedrock-runtime",
        endpoint_url=url,
        region_name="us-east-1",
        aws_access_key_id="x",
        aws_secret_access_key="x",
        config=Config(retries={"max_attempts": 0}),
    )
    asked: Any = {"modelId": "m", "messages": [{"role": "user", "content": [{"text": "Hi"}]}]}
    return client.converse_stream(**asked)["stream"] if streamed else client.converse(**asked)


def _mistral(url: str, streamed: bool) -> Any:
    chat = Mistral(api_key="x", server_url=url).chat
    ask = chat.stream if streamed else chat.complete
    return ask(model="m", messages=_HI)


def _cohere(url: str, streamed: bool) -> Any:
    client = cohere.ClientV2(api_key="x", base_url=url)
    return (client.chat_stream if streamed else client.chat)(model="m", messages=_HI)


def _ollama(url: str, streamed: bool) -> Any:
    return ollama.Client(host=url).chat(model="m", messages=_HI, stream=streamed)


_ASK: dict[str, Callable[[str, bool], Any]] = {
    "anthropic": _anthropic,
    "openai_chat": _openai_chat,
    "openai_responses": _openai_responses,
    "gemini": _gemini,
    "bedrock": _bedrock,
    "mistral": _mistral,
    "cohere": _cohere,
    "ollama": _ollama,
}
_KIND = {"bedrock": "application/vnd.amazon.eventstream", "ollama": "application/x-ndjson"}


def _check(response: wg.Response, name: str) -> None:
    message = response.message
    (call,) = message.tool_calls()
    assert message.text() == TEXT
    assert call.name == "weather"
    assert call.id == CALL_ID or name == "ollama"  # whose client drops the ids of calls
    assert call.arguments == {"city": "Łódź", "days": 2}
    assert message.stop_reason == "toolUse"
    assert message.usage is not None
    assert (message.usage.input, message.usage.output) == (20, 9)


@pytest.mark.parametrize("name", wg.PROVIDERS)
def test_an_answer_goes_in_as_the_client_returns_it(name: str, server: Server) -> None:
    server.answers("application/json", RESPONSES[name].encode())
    answer = _ASK[name](server.url, False)
    response = wg.PROVIDERS[name].decode_response(answer)
    _check(response, name)
    losses: list[wg.Loss] = []
    for other in wg.PROVIDERS.values():
        other.encode_response(response, losses=losses)
    assert not losses  # none of the client's own fields is left in it


@pytest.mark.parametrize("name", wg.PROVIDERS)
def test_a_stream_goes_in_event_by_event(name: str, server: Server) -> None:
    server.answers(_KIND.get(name, "text/event-stream"), STREAMS[name])
    decoder = wg.PROVIDERS[name].StreamDecoder()
    events: Iterable[Any] = _ASK[name](server.url, True)
    found = [event for each in events for event in decoder.feed_event(each)]
    assert not [event for event in found if event.type == "opaque"]
    assert "".join(event.text for event in found if event.type == "textDelta") == TEXT
    _check(decoder.close(), name)
    if name == "openai_chat":
        assert "".join(e.text for e in found if e.type == "argumentsDelta") == ARGUMENTS


def test_a_helper_of_anthropics_client_says_nothing_twice(server: Server) -> None:
    server.answers("text/event-stream", STREAMS["anthropic"])
    decoder = wg.providers.anthropic.StreamDecoder()
    events = _anthropics_helper(server.url, True)
    found = [event for each in events for event in decoder.feed_event(each)]
    assert "".join(event.text for event in found if event.type == "textDelta") == TEXT
    assert not [event for event in found if event.type == "opaque"]
    _check(decoder.close(), "anthropic")


def test_a_clients_answer_goes_into_the_next_request(server: Server) -> None:
    server.answers("application/json", RESPONSES["openai_chat"].encode())
    answer = _openai_chat(server.url, False).choices[0].message
    request = wg.providers.openai_chat.decode_request({"model": "m", "messages": [*_HI, answer]})
    assert [message.role for message in request.messages] == ["user", "assistant"]
    assert request.messages[1].text() == TEXT
