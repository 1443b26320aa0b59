"""The client `cohere`, version 2 of its API."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from cohere import ClientV2

from tests.clients.seen import TOOL, Call, Seen, question

__all__ = ["Client"]


class Client:
    model = "m"
    STREAM = "text/event-stream"
    CALLS = "TOOL_CALL"
    ENDS = "COMPLETE"

    def __init__(self, url: str) -> None:
        self._client = ClientV2(api_key="x", base_url=url)
        self._history: list[Any] = []

    def ask(self, *, streamed: bool, image: bytes | None = None) -> Seen:
        self._history = [{"role": "user", "content": question(image)}]
        return self._send(streamed)

    def tell(self, results: Sequence[str]) -> Seen:
        calls = self._history[-1]["tool_calls"]
        self._history += [
            {"role": "tool", "tool_call_id": call["id"], "content": result}
            for call, result in zip(calls, results, strict=True)
        ]
        return self._send(False)

    def _send(self, streamed: bool) -> Seen:
        asked: dict[str, Any] = {
            "model": self.model,
            "messages": self._history,
            "tools": [{"type": "function", "function": TOOL}],
            "request_options": {"max_retries": 0},
        }
        if streamed:
            seen, calls = _streamed(list(self._client.chat_stream(**asked)))
        else:
            answer = self._client.chat(**asked)
            seen, calls = _whole(answer)
        said: dict[str, Any] = {"role": "assistant"}
        if calls:
            said |= {"tool_plan": seen.text, "tool_calls": calls}
        else:
            said["content"] = seen.text
        self._history.append(said)
        for call in calls:
            function = call["function"]
            arguments = json.loads(function["arguments"])
            seen.calls.append(Call(call["id"], function["name"], arguments))
        return seen


def _whole(answer: Any) -> tuple[Seen, list[dict[str, Any]]]:
    message = answer.message
    seen = Seen(message.tool_plan or "", stop=answer.finish_reason)
    for part in message.content or ():
        if part.type == "text":
            seen.text += part.text
        else:
            seen.thinking += part.thinking
    _count(seen, answer.usage)
    seen.whole = answer.model_dump(mode="json")
    return seen, [call.model_dump(mode="json") for call in message.tool_calls or ()]


def _streamed(events: list[Any]) -> tuple[Seen, list[dict[str, Any]]]:
    seen = Seen()
    calls: list[dict[str, Any]] = []
    for event in events:
        if event.type == "tool-plan-delta":
            seen.text += event.delta.message.tool_plan
        elif event.type in ("content-start", "content-delta"):
            content = event.delta.message.content
            seen.text += content.text or ""
            seen.thinking += content.thinking or ""
        elif event.type == "tool-call-start":
            calls.append(event.delta.message.tool_calls.model_dump(mode="json"))
        elif event.type == "tool-call-delta":
            more = event.delta.message.tool_calls.function.arguments
            calls[-1]["function"]["arguments"] += more
        elif event.type == "message-end":
            if event.delta.finish_reason == "ERROR":
                raise RuntimeError(event.delta.error)
            seen.stop = event.delta.finish_reason
            _count(seen, event.delta.usage)
    return seen, calls


def _count(seen: Seen, usage: Any) -> None:
    tokens = usage and usage.tokens
    if tokens:
        seen.tokens = (int(tokens.input_tokens or 0), int(tokens.output_tokens or 0))
