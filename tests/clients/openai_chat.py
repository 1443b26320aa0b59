"""The client `openai`, for Chat Completions."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from openai import OpenAI
from openai.lib.streaming.chat import ChatCompletionStreamState

from tests.clients.seen import TOOL, Call, Seen, question

__all__ = ["Client"]


# Of a stream. Of other keys the client joins the words, however often a service repeats them.
_MESSAGE = {"content": True, "refusal": True, "tool_calls": True}
_CHOICE = {"index": True, "finish_reason": True, "logprobs": True, "message": _MESSAGE}
_ADDED_UP = {"id": True, "model": True, "usage": True, "choices": {"__all__": _CHOICE}}


class Client:
    model = "m"
    STREAM = "text/event-stream"
    CALLS = "tool_calls"
    ENDS = "stop"

    def __init__(self, url: str) -> None:
        self._client = OpenAI(api_key="x", base_url=f"{url}/v1", max_retries=0)
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
        }
        if streamed:
            state, usage = ChatCompletionStreamState(), None
            options = {"include_usage": True}
            for chunk in self._client.chat.completions.create(
                **asked, stream=True, stream_options=options
            ):
                state.handle_chunk(chunk)
                usage = chunk.usage or usage
            answer: Any = state.current_completion_snapshot
            answer.usage = usage  # which the state forgets if another chunk follows
        else:
            answer = self._client.chat.completions.create(**asked)
        choice = answer.choices[0]
        message = choice.message
        self._history.append(message.model_dump(exclude_none=True, warnings=False))
        seen = Seen(message.content or "", stop=choice.finish_reason)
        seen.whole = answer.model_dump(warnings=False, include=_ADDED_UP if streamed else None)
        seen.thinking = getattr(message, "reasoning_content", None) or ""
        for call in message.tool_calls or ():
            arguments = json.loads(call.function.arguments)
            seen.calls.append(Call(call.id, call.function.name, arguments))
        if answer.usage is not None:
            seen.tokens = (answer.usage.prompt_tokens, answer.usage.completion_tokens)
        return seen
