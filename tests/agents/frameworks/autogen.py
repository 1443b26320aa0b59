"""AutoGen: its client of Anthropic has one current call."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from autogen_core import CancellationToken
from autogen_core.models import (
    AssistantMessage,
    CreateResult,
    FunctionExecutionResult,
    FunctionExecutionResultMessage,
    UserMessage,
)
from autogen_core.tools import FunctionTool
from autogen_ext.models.anthropic import AnthropicChatCompletionClient

_INFO = {
    "vision": False,
    "function_calling": True,
    "json_output": False,
    "family": "unknown",
    "structured_output": False,
}
MODELS: dict[str, Callable[[str, str], Any]] = {
    "autogen_anthropic": lambda address, model: AnthropicChatCompletionClient(
        model=model, base_url=address, api_key="none", model_info=_INFO
    )
}


async def run(model: Any, prompt: str, tools: list[Callable[..., str]]) -> str:
    """Run the loop of an agent of AutoGen: its agents are a package of their own."""
    known = {
        one.__name__: FunctionTool(one, description=one.__doc__ or "", name=one.__name__)
        for one in tools
    }
    messages: list[Any] = [UserMessage(content=prompt, source="user")]
    for _ in range(5):
        async for part in model.create_stream(messages, tools=list(known.values())):
            if isinstance(part, CreateResult):
                answer = part
        if isinstance(answer.content, str):
            return answer.content
        messages.append(
            AssistantMessage(content=answer.content, thought=answer.thought, source="assistant")
        )
        results = [
            FunctionExecutionResult(
                content=await known[call.name].run_json(
                    json.loads(call.arguments), CancellationToken()
                ),
                name=call.name,
                call_id=call.id,
                is_error=False,
            )
            for call in answer.content
        ]
        messages.append(FunctionExecutionResultMessage(content=results))
    raise AssertionError("no end")
