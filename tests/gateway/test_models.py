"""A route that says which model a name stands for: what that model does not take is left out."""

import json

import anthropic
import openai
import pytest

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


@pytest.mark.parametrize("model", ["to-a-deployment", "gpt-5-mini", "small"])
def test_clients_of_chat_may_send_what_only_older_models_take(
    model: str, gateway: str, provider: Server
) -> None:
    provider.answers("application/json", RESPONSES["openai_chat"].encode())
    with openai.OpenAI(base_url=f"{gateway}/v1", api_key="k", max_retries=0) as client:
        client.chat.completions.create(
            model=model, max_tokens=9, messages=[{"role": "user", "content": "Hi"}]
        )
    assert json.loads(provider.asked[-1].body) == {
        "model": "m" if model == "to-a-deployment" else "gpt-5-mini",
        "max_completion_tokens": 9,
        "messages": [{"role": "user", "content": "Hi"}],
    }
