"""A scripted provider refuses what `tests.oracles` and `tests.refusals` say of its API."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import httpx
import pytest

from tests.agents.provider import Providers

_HI: dict[str, Any] = {"messages": [{"role": "user", "content": "Hi"}]}
_SAID = {"contents": [{"role": "user", "parts": [{"text": "Hi"}]}]}
_TURN = {"messages": [{"role": "user", "content": [{"text": "Hi"}]}]}
_NOVA = "/bedrock/model/us.amazon.nova-2-lite-v1%3A0/converse"


@pytest.mark.parametrize(
    ("path", "body", "fault"),
    [
        (
            "/anthropic/v1/messages",
            {"model": "claude-opus-4-7", "max_tokens": 9, "temperature": 0.2, **_HI},
            "sampling is left to the model - at temperature",
        ),
        (
            "/anthropic/v1/messages",
            {"model": "claude-opus-4-7", "max_tokens": 9, "anthropic_version": "x", **_HI},
            "schema: Extra inputs are not permitted - at anthropic_version",
        ),
        (
            "/openai_chat/v1/chat/completions",
            {"model": "o3", "stop": "END", **_HI},
            "a model that always thinks takes no stop - at stop",
        ),
        (
            "/gemini/v1beta/models/gemini-3.6-flash:generateContent",
            {"generationConfig": {"temperature": 0.2}, **_SAID},
            "sampling is left to the model - at generationConfig.temperature",
        ),
        (
            _NOVA,
            {"additionalModelRequestFields": {"top_k": 5}, **_TURN},
            "top k of nova has its own place - at additionalModelRequestFields.top_k",
        ),
    ],
    ids=["Anthropic's model", "a key", "OpenAI's model", "Gemini's model", "Bedrock's model"],
)
def test_a_provider_refuses_what_its_api_refuses(path: str, body: Any, fault: str) -> None:
    assert _refusal(path, body) == (400, fault)


def test_a_provider_takes_what_the_types_of_responses_require_and_the_api_does_not() -> None:
    tool = {"type": "function", "name": "f", "parameters": {"type": "object", "properties": {}}}
    body = {"model": "gpt-5.1", "input": "Hi", "tools": [tool]}
    assert _refusal("/openai_responses/v1/responses", body)[0] == 200


def _refusal(path: str, body: Any) -> tuple[int, str]:
    async def asked() -> httpx.Response:
        transport = httpx.ASGITransport(app=Providers())
        headers = {"anthropic-version": "2023-06-01"}
        async with httpx.AsyncClient(transport=transport, base_url="http://here") as client:
            return await client.post(path, content=json.dumps(body), headers=headers)

    response = asyncio.run(asked())
    said = response.json()
    return response.status_code, (said.get("error") or {}).get("message") or said.get("message", "")
