"""The client `mistralai`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from mistralai.client import Mistral

from tests.clients.seen import TOOL, Call, Seen, question

__all__ = ["Client"]


class Client:
    model = "m"
    STREAM = "text/event-stream"
    CALLS = "tool_calls"
    ENDS = "stop"

    def __init__(self, url: str) -> None:
        self._client = Mistral(api_key="x", server_url=url)
        self._history: list[Any] = []

    def ask(self, *, streamed: bool, image: bytes | None = None) -> Seen:
        self._history = [{"role": "user", "content": question(image)}]
        return self._send(streamed)

    def tell(self, results: Sequence[str]) -> Seen:
        calls = self._history[-1]["tool_calls"]
        self._history += [
            {
                "role": "tool",
                "tool_call_id": call["id"],
                "name": call["function"]["name"],
                "content": result,
            }
            for call, result in zip(calls, results, strict=True)
        ]
        return self._send(False)

    def _send(self, streamed: bool) -> Seen:
        asked: dict[str, Any] = {
            "model": self.model,
            "messages": self._history,
            "tools": [{"type": "function", "function": TOOL}],
        }
        seen = Seen()
        calls: list[dict[str, Any]] = []
        if streamed:
            with self._client.chat.stream(**asked) as stream:
                for event in stream:
                    for choice in event.data.choices:
                        if choice.index == 0:
                            _add(seen, calls, choice.delta, choice.finish_reason)
                    _count(seen, event.data.usage)
        else:
            answer = self._client.chat.complete(**asked)
            choice = answer.choices[0]
            _add(seen, calls, choice.message, choice.finish_reason)
            _count(seen, answer.usage)
            seen.whole = answer.model_dump(mode="json")
            for call in seen.whole["choices"][0]["message"].get("tool_calls") or ():
                call |= {"type": "function", "index": None}  # both may be left out
        for call in calls:
            function = call["function"]
            arguments = function["arguments"]
            if isinstance(arguments, str):
                arguments = json.loads(arguments)
            seen.calls.append(Call(call["id"], function["name"], arguments))
        message = {"role": "assistant", "content": seen.text, "tool_calls": calls or None}
        self._history.append(message)
        return seen


def _add(seen: Seen, calls: list[dict[str, Any]], said: Any, stop: str | None) -> None:
    content = said.content
    for chunk in content if isinstance(content, list) else ():
        if chunk.type == "text":
            seen.text += chunk.text
        elif chunk.type == "thinking":
            seen.thinking += "".join(part.text for part in chunk.thinking)
    if isinstance(content, str):
        seen.text += content
    calls += [call.model_dump(mode="json") for call in said.tool_calls or ()]
    seen.stop = stop or seen.stop


def _count(seen: Seen, usage: Any) -> None:
    if usage is not None:
        seen.tokens = (usage.prompt_tokens or 0, usage.completion_tokens or 0)
