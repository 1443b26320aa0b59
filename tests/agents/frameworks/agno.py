"""Agno: most of its clients have one current call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from agno.agent import Agent, RunEvent
from agno.models.aws import AwsBedrock
from agno.models.cohere import Cohere
from agno.models.mistral import MistralChat
from agno.models.openai import OpenAIResponses
from boto3 import client
from cohere import ClientV2

MODELS: dict[str, Callable[[str, str], Any]] = {
    "agno_responses": lambda address, model: OpenAIResponses(
        id=model, base_url=f"{address}/v1", api_key="none", store=False
    ),
    "agno_bedrock": lambda address, model: AwsBedrock(
        id=model, client=client("bedrock-runtime", "us-east-1", endpoint_url=address)
    ),
    "agno_cohere": lambda address, model: Cohere(
        id=model, client=ClientV2("none", base_url=address)
    ),
    "agno_mistral": lambda address, model: MistralChat(
        id=model, endpoint=f"{address}/mistral", api_key="none"
    ),
}


def run(model: Any, prompt: str, tools: list[Callable[..., str]]) -> str:
    agent = Agent(model=model, tools=tools)
    said = ""
    for event in agent.run(prompt, stream=True):
        if event.event == RunEvent.run_error:
            raise RuntimeError(event.content)
        if event.event == RunEvent.run_content:
            said += event.content or ""
    return said
