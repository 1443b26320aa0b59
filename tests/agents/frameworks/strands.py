"""Strands Agents: of the blocks of a stream one is open at a time, whatever the API."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from strands import Agent, tool
from strands.models.anthropic import AnthropicModel
from strands.models.bedrock import BedrockModel
from strands.models.gemini import GeminiModel
from strands.models.mistral import MistralModel
from strands.models.ollama import OllamaModel

MODELS: dict[str, Callable[[str, str], Any]] = {
    "strands_anthropic": lambda address, model: AnthropicModel(
        client_args={"base_url": address, "api_key": "none"}, model_id=model, max_tokens=8000
    ),
    "strands_bedrock": lambda address, model: BedrockModel(
        endpoint_url=address, region_name="us-east-1", model_id=model
    ),
    "strands_gemini": lambda address, model: GeminiModel(
        client_args={"api_key": "none", "http_options": {"base_url": address}}, model_id=model
    ),
    "strands_mistral": lambda address, model: MistralModel(
        "none", client_args={"server_url": f"{address}/mistral"}, model_id=model
    ),
    "strands_ollama": lambda address, model: OllamaModel(address, model_id=model),
}


def run(model: Any, prompt: str, tools: list[Callable[..., str]]) -> str:
    agent = Agent(model=model, tools=[tool(one) for one in tools], callback_handler=None)
    return str(agent(prompt))
