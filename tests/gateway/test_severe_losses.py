"""Requests that the provider would understand as others: refused, before the provider is asked."""

from __future__ import annotations

from typing import Any

import anthropic
import openai
import pytest

import wireglot as wg
from tests.clients.server import Server
from wireglot.gateway.refusals import refuse_severe

STORE = (
    "a reference to what its own API alone stores; nothing is stored here: set `store: false`"
    " (with the AI SDK `providerOptions.openai.store`), and send the whole conversation"
)
CALL = {"type": "item_reference", "id": "fc_1"}
RESULT = {"type": "function_call_output", "call_id": "c", "output": "x"}


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("previous_response_id", {"input": "Hi", "previous_response_id": "resp_1"}),
        ("conversation", {"input": "Hi", "conversation": "conv_1"}),
        ("item_reference", {"input": [CALL, RESULT]}),
        ("item_reference", {"input": [{"type": "item_reference", "id": "msg_1"}]}),
    ],
    ids=["an earlier response", "a conversation", "a call", "an answer"],
)
def test_a_client_of_responses_is_told_to_send_the_whole_conversation(
    name: str, asked: Any, gateway: str, provider: Server
) -> None:
    before = len(provider.asked)
    client = openai.OpenAI(base_url=f"{gateway}/v1", api_key="k", max_retries=0)
    with pytest.raises(openai.BadRequestError) as caught:
        client.responses.create(model="to-anthropic", **asked)
    assert caught.value.body == {
        "message": f"`{name}`, {STORE}",
        "type": "invalid_request_error",
        "param": None,
        "code": None,
    }
    assert len(provider.asked) == before


def test_the_nested_search_of_a_coding_agent_is_refused(gateway: str, provider: Server) -> None:
    before = len(provider.asked)
    client = anthropic.Anthropic(base_url=gateway, api_key="k", max_retries=0)
    with pytest.raises(anthropic.BadRequestError) as caught:
        client.messages.create(
            model="to-mistral",
            max_tokens=9,
            tools=[{"type": "web_search_20250305", "name": "web_search", "max_uses": 8}],
            messages=[{"role": "user", "content": "Perform a web search for: weather"}],
        )
    body: Any = caught.value.body
    assert body["error"]["message"] == (
        "`web_search`, the only tools of a request, which only another API has;"
        " the model would make up their results"
    )
    assert len(provider.asked) == before


FOUND = b"""{"candidates":[{"content":{"role":"model","parts":[{"text":"Rain."}]},"index":0,
"finishReason":"STOP","groundingMetadata":{"groundingChunks":[{"web":{"uri":"https://a.org/","title":
"A"}}],"groundingSupports":[{"segment":{"endIndex":5},"groundingChunkIndices":[0]}]}}]}"""


def test_the_nested_search_of_a_coding_agent_is_run_by_a_provider_that_has_one(
    gateway: str, provider: Server
) -> None:
    provider.answers("application/json", FOUND)
    client = anthropic.Anthropic(base_url=gateway, api_key="k", max_retries=0)
    answer = client.messages.create(
        model="to-gemini",
        max_tokens=9,
        tools=[{"type": "web_search_20250305", "name": "web_search", "max_uses": 8}],
        tool_choice={"type": "tool", "name": "web_search"},
        messages=[{"role": "user", "content": "Perform a web search for: weather"}],
    )
    assert b'"tools":[{"googleSearch":{}}]' in provider.asked[-1].body
    (text,) = answer.content
    assert isinstance(text, anthropic.types.TextBlock)
    (cited,) = text.citations or ()
    assert isinstance(cited, anthropic.types.CitationsWebSearchResultLocation)
    assert (text.text, cited.url, cited.title) == ("Rain.", "https://a.org/", "A")


def test_a_search_beside_the_tools_of_a_chat_is_refused(gateway: str, provider: Server) -> None:
    before = len(provider.asked)
    client = openai.OpenAI(base_url=f"{gateway}/v1", api_key="k", max_retries=0)
    with pytest.raises(openai.BadRequestError) as caught:
        client.chat.completions.create(
            model="to-mistral",
            web_search_options={},
            messages=[{"role": "user", "content": "What is the weather?"}],
        )
    assert "`web_search_options`, the only tools of a request" in str(caught.value)
    assert len(provider.asked) == before


def test_an_image_that_another_provider_stores_is_refused(gateway: str) -> None:
    client = openai.OpenAI(base_url=f"{gateway}/v1", api_key="k", max_retries=0)
    asked: Any = [
        {"role": "user", "content": "Draw a cat."},
        {"type": "image_generation_call", "id": "ig_1"},
        {"role": "user", "content": "Make it red."},
    ]
    with pytest.raises(openai.BadRequestError) as caught:
        client.responses.create(model="to-gemini", input=asked)
    assert (
        "`image_generation_call`, a reference to what its own API alone stores;"
        " nothing is stored here: send the content itself"
    ) in str(caught.value)


def test_a_file_that_another_provider_stores_is_refused(gateway: str) -> None:
    client = openai.OpenAI(base_url=f"{gateway}/v1", api_key="k", max_retries=0)
    file: Any = {"type": "file", "file": {"file_id": "file_1"}}
    with pytest.raises(openai.BadRequestError) as caught:
        client.chat.completions.create(
            model="to-mistral", messages=[{"role": "user", "content": [file]}]
        )
    assert "nothing is stored here: send the content itself" in str(caught.value)


def test_the_same_wire_gets_references_as_they_came(gateway: str, provider: Server) -> None:
    answer = b'{"id":"resp_2","object":"response","created_at":1,"status":"completed","output":[]}'
    provider.answers("application/json", answer)
    client = openai.OpenAI(base_url=f"{gateway}/v1", api_key="k", max_retries=0)
    client.responses.create(
        model="to-openai_responses", input=[CALL, RESULT], previous_response_id="resp_1"
    )
    body = provider.asked[-1].body
    assert b'"previous_response_id":"resp_1"' in body
    assert b'{"type":"item_reference","id":"fc_1"}' in body


def test_a_route_allows_severe_losses_by_name() -> None:
    image = wg.Loss("$.messages[0].content[1]", "image", "no images; left out", severe=True)
    refuse_severe([image], ("image",))
    with pytest.raises(wg.ProviderError, match="no images; the model would not see it"):
        refuse_severe([image], ("document",))
