"""A route that says which model a name stands for: what that model does not take is left out."""

import json

import anthropic

from tests.clients.server import Server
from tests.clients.turn import RESPONSES


def test_a_deployment_gets_what_its_model_takes(gateway: str, provider: Server) -> None:
    provider.answers("application/json", RESPONSES["openai_chat"].encode())
    client = anthropic.Anthropic(base_url=gateway, api_key="k", max_retries=0)
    client.messages.create(
        model="to-a-deployment",
        max_tokens=9,
        messages=[{"role": "user", "content": "Hi"}],
        extra_body={"temperature": 0.5},
    )
    assert json.loads(provider.asked[-1].body) == {
        "model": "m",
        "max_completion_tokens": 9,
        "messages": [{"role": "user", "content": "Hi"}],
    }
