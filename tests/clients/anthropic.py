"""The client `anthropic`."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from typing import Any

from anthropic import Anthropic

from tests.clients.seen import QUESTION, TOOL, Call, Seen

__all__ = ["Client"]


class Client:
    model = "m"
    STREAM = "text/event-stream"
    CALLS = "tool_use"
    ENDS = "end_turn"

    def __init__(self, url: str) -> None:
        self._client = Anthropic(api_key="x", base_url=url, max_retries=0)
        self._history: list[Any] = []

    def ask(self, *, streamed: bool, image: bytes | None = None) -> Seen:
        content: Any = QUESTION
        if image is not None:
            source = {
                "type": "base64",
                "media_type": "image/png",
                "data": b64encode(image).decode(),
            }
            content = [{"type": "text", "text": QUESTION}, {"type": "image", "source": source}]
        self._history = [{"role": "user", "content": content}]
        return self._send(streamed)

    def tell(self, results: Sequence[str]) -> Seen:
        calls = [block for block in self._history[-1]["content"] if block.type == "tool_use"]
        told = [
            {"type": "tool_result", "tool_use_id": call.id, "content": result}
            for call, result in zip(calls, results, strict=True)
        ]
        self._history.append({"role": "user", "content": told})
        return self._send(False)

    def _send(self, streamed: bool) -> Seen:
        tool = {"name": TOOL["name"], "input_schema": TOOL["parameters"]}
        asked: dict[str, Any] = {
            "model": self.model,
            "max_tokens": 99,
            "messages": self._history,
            "tools": [tool],
        }
        if streamed:
            with self._client.messages.stream(**asked) as stream:
                message = stream.get_final_message()
        else:
            message = self._client.messages.create(**asked)
        self._history.append({"role": "assistant", "content": message.content})
        seen = Seen(stop=message.stop_reason, whole=message.model_dump(warnings=False))
        for block in message.content:
            if block.type == "text":
                seen.text += block.text
            elif block.type == "thinking":
                seen.thinking += block.thinking
            elif block.type == "tool_use":
                seen.calls.append(Call(block.id, block.name, block.input))
        usage = message.usage
        cached = (usage.cache_read_input_tokens or 0) + (usage.cache_creation_input_tokens or 0)
        seen.tokens = (usage.input_tokens + cached, usage.output_tokens)
        return seen
