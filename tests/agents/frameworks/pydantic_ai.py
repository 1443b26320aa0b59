"""Pydantic AI: its client of Mistral numbers calls by their place in a chunk."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from boto3 import client
from mistralai.client import Mistral
from pydantic_ai import Agent, AgentRunResultEvent
from pydantic_ai.models.bedrock import BedrockConverseModel
from pydantic_ai.models.mistral import MistralModel
from pydantic_ai.providers.bedrock import BedrockProvider
from pydantic_ai.providers.mistral import MistralProvider

MODELS: dict[str, Callable[[str, str], Any]] = {
    "pydantic_ai_mistral": lambda address, model: MistralModel(
        model,
        provider=MistralProvider(
            mistral_client=Mistral(api_key="none", server_url=f"{address}/mistral")
        ),
    ),
    "pydantic_ai_bedrock": lambda address, model: BedrockConverseModel(
        model,
        provider=BedrockProvider(
            bedrock_client=client("bedrock-runtime", "us-east-1", endpoint_url=address)
        ),
    ),
}


async def run(model: Any, prompt: str, tools: list[Callable[..., str]]) -> str:
    agent = Agent(model, tools=tools)
    async with agent.run_stream_events(prompt) as events:
        async for event in events:
            if isinstance(event, AgentRunResultEvent):
                return str(event.result.output)
    raise AssertionError("no result")
