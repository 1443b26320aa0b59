"""The client `ollama`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ollama import Client as Ollama

from tests.clients.seen import QUESTION, TOOL, Call, Seen

__all__ = ["Client"]


class Client:
    model = "m"
    STREAM = "application/x-ndjson"
    CALLS = "stop"
    ENDS = "stop"

    def __init__(self, url: str) -> None:
        self._client = Ollama(host=url)
        self._history: list[Any] = []

    def ask(self, *, streamed: bool, image: bytes | None = None) -> Seen:
        asked: dict[str, Any] = {"role": "user", "content": QUESTION}
        if image is not None:
            asked["images"] = [image]
        self._history = [asked]
        return self._send(streamed)

    def tell(self, results: Sequence[str]) -> Seen:
        calls = self._history[-1]["tool_calls"]
        self._history += [
            {"role": "tool", "tool_name": call["function"]["name"], "content": result}
            for call, result in zip(calls, results, strict=True)
        ]
        return self._send(False)

    def _send(self, streamed: bool) -> Seen:
        asked: dict[str, Any] = {
            "model": self.model,
            "messages": self._history,
            "tools": [{"type": "function", "function": TOOL}],
        }
        if streamed:
            lines = list(self._client.chat(**asked, stream=True))
        else:
            lines = [self._client.chat(**asked)]
        seen = Seen(stop=lines[-1].done_reason)
        calls: list[dict[str, Any]] = []
        for line in lines:
            seen.text += line.message.content or ""
            seen.thinking += line.message.thinking or ""
            calls += [call.model_dump() for call in line.message.tool_calls or ()]
        for call in calls:
            function = call["function"]
            seen.calls.append(Call(None, function["name"], function["arguments"]))
        seen.tokens = (lines[-1].prompt_eval_count or 0, lines[-1].eval_count or 0)
        if not streamed:
            seen.whole = lines[0].model_dump(mode="json")
        self._history.append({"role": "assistant", "content": seen.text, "tool_calls": calls})
        return seen
