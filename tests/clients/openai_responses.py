"""The client `openai`, for Responses."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from openai import OpenAI

from tests.clients.seen import QUESTION, TOOL, Call, Seen, data_url

__all__ = ["Client"]

_LAST = ("response.completed", "response.incomplete", "response.failed")


class Client:
    model = "m"
    STREAM = "text/event-stream"
    CALLS = "completed"
    ENDS = "completed"

    def __init__(self, url: str) -> None:
        self._client = OpenAI(api_key="x", base_url=f"{url}/v1", max_retries=0)
        self._history: list[Any] = []

    def ask(self, *, streamed: bool, image: bytes | None = None) -> Seen:
        content: Any = QUESTION
        if image is not None:
            content = [
                {"type": "input_text", "text": QUESTION},
                {"type": "input_image", "detail": "auto", "image_url": data_url(image)},
            ]
        self._history = [{"role": "user", "content": content}]
        return self._send(streamed)

    def tell(self, results: Sequence[str]) -> Seen:
        calls = [item for item in self._history if item.get("type") == "function_call"]
        self._history += [
            {"type": "function_call_output", "call_id": call["call_id"], "output": result}
            for call, result in zip(calls, results, strict=True)
        ]
        return self._send(False)

    def _send(self, streamed: bool) -> Seen:
        asked: dict[str, Any] = {
            "model": self.model,
            "input": self._history,
            "store": False,
            "tools": [{"type": "function", "strict": False, **TOOL}],
        }
        if streamed:
            seen = Seen()
            with self._client.responses.create(**asked, stream=True) as stream:
                for event in stream:
                    if event.type == "response.output_text.delta":
                        seen.text += event.delta
                    elif event.type == "response.reasoning_summary_text.delta":
                        seen.thinking += event.delta
                    elif event.type == "error":
                        raise RuntimeError(event.message)
                    elif event.type in _LAST:
                        answer: Any = event.response
                        break
                for _ in stream:  # else its generator dies some time, and not in peace
                    pass
            whole = _seen(answer)
            assert seen.text == whole.text  # what came bit by bit is what came at the end
            assert seen.thinking == whole.thinking
        else:
            answer = self._client.responses.create(**asked)
            whole = _seen(answer)
        self._history += [item.model_dump(exclude_none=True) for item in answer.output]
        return whole


def _seen(answer: Any) -> Seen:
    seen = Seen(stop=answer.status, whole=answer.model_dump(warnings=False))
    for item in answer.output:
        if item.type == "message":
            seen.text += "".join(part.text for part in item.content if part.type == "output_text")
        elif item.type == "reasoning":
            seen.thinking += "".join(part.text for part in item.summary)
        elif item.type == "function_call":
            seen.calls.append(Call(item.call_id, item.name, json.loads(item.arguments)))
    if answer.usage is not None:
        seen.tokens = (answer.usage.input_tokens, answer.usage.output_tokens)
    return seen
