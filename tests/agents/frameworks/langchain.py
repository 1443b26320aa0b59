"""LangChain: its client of Cohere has one current call."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from langchain_cohere import ChatCohere
from langchain_core.messages import AIMessage, HumanMessage, ToolCall
from langchain_core.tools import tool

MODELS: dict[str, Callable[[str, str], Any]] = {
    "langchain_cohere": lambda address, model: ChatCohere(
        model=model, base_url=address, cohere_api_key="none"
    )
}


def run(model: Any, prompt: str, tools: list[Callable[..., str]]) -> str:
    """Run the loop of an agent of LangChain: its agents are a package of their own.

    The calls are in Cohere's own form in the last chunk. Those of LangChain's form are of no use:
    at the end of each call, the client yields the last piece of its arguments once more.
    """
    known = {one.__name__: tool(one) for one in tools}
    bound = model.bind_tools(list(known.values()))
    messages: list[Any] = [HumanMessage(prompt)]
    for _ in range(5):
        *chunks, last = bound.stream(messages)
        text = "".join(str(chunk.text) for chunk in chunks)
        calls = [
            ToolCall(
                name=call["function"]["name"],
                args=json.loads(call["function"]["arguments"]),
                id=call["id"],
                type="tool_call",
            )
            for call in last.additional_kwargs.get("tool_calls", [])
        ]
        if not calls:
            return text
        messages.append(AIMessage(text, tool_calls=calls))
        messages += [known[call["name"]].invoke(call) for call in calls]
    raise AssertionError("no end")
