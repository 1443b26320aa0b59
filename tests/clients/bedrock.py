"""The client `boto3`, for Bedrock Converse."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import boto3
from botocore.config import Config

from tests.clients.seen import QUESTION, TOOL, Call, Seen

__all__ = ["Client"]


class Client:
    model = "m"
    STREAM = "application/vnd.amazon.eventstream"
    CALLS = "tool_use"
    ENDS = "end_turn"

    def __init__(self, url: str) -> None:
        self._client = boto3.client(
            "bedrock-runtime",
            region_name="us-east-1",
            endpoint_url=url,
            aws_access_key_id="x",
            aws_secret_access_key="x",
            config=Config(retries={"total_max_attempts": 1}, proxies={}),
        )
        self._history: list[Any] = []

    def ask(self, *, streamed: bool, image: bytes | None = None) -> Seen:
        content: list[Any] = [{"text": QUESTION}]
        if image is not None:
            content.append({"image": {"format": "png", "source": {"bytes": image}}})
        self._history = [{"role": "user", "content": content}]
        return self._send(streamed)

    def tell(self, results: Sequence[str]) -> Seen:
        calls = [block["toolUse"] for block in self._history[-1]["content"] if "toolUse" in block]
        told = [
            {"toolResult": {"toolUseId": call["toolUseId"], "content": [{"text": result}]}}
            for call, result in zip(calls, results, strict=True)
        ]
        self._history.append({"role": "user", "content": told})
        return self._send(False)

    def _send(self, streamed: bool) -> Seen:
        tool = {"name": TOOL["name"], "inputSchema": {"json": TOOL["parameters"]}}
        asked = {
            "modelId": self.model,
            "messages": self._history,
            "toolConfig": {"tools": [{"toolSpec": tool}]},
        }
        if streamed:
            answer = _added_up(self._client.converse_stream(**asked)["stream"])
        else:
            answer = self._client.converse(**asked)
            del answer["ResponseMetadata"]
        message = answer["output"]["message"]
        self._history.append(message)
        seen = Seen(stop=answer["stopReason"], whole=answer)
        for block in message["content"]:
            seen.text += block.get("text", "")
            reasoning = block.get("reasoningContent", {}).get("reasoningText", {})
            seen.thinking += reasoning.get("text", "")
            if "toolUse" in block:
                call = block["toolUse"]
                seen.calls.append(Call(call["toolUseId"], call["name"], call["input"]))
        usage = answer.get("usage", {})
        cached = usage.get("cacheReadInputTokens", 0) + usage.get("cacheWriteInputTokens", 0)
        seen.tokens = (usage.get("inputTokens", 0) + cached, usage.get("outputTokens", 0))
        return seen


def _added_up(stream: Any) -> dict[str, Any]:
    """Put a stream together as the documentation says; the client leaves that to its user."""
    blocks: dict[int, dict[str, Any]] = {}
    answer: dict[str, Any] = {}
    for event in stream:
        ((name, said),) = event.items()
        if name == "contentBlockStart":
            blocks[said["contentBlockIndex"]] = {
                "toolUse": {**said["start"]["toolUse"], "input": ""}
            }
        elif name == "contentBlockDelta":
            block = blocks.setdefault(said["contentBlockIndex"], {})
            _add(block, said["delta"])
        elif name == "messageStop" or name == "metadata":
            answer |= said
    for block in blocks.values():
        if "toolUse" in block:
            block["toolUse"]["input"] = json.loads(block["toolUse"]["input"])
    content = [blocks[i] for i in sorted(blocks)]
    return {"output": {"message": {"role": "assistant", "content": content}}, **answer}


def _add(block: dict[str, Any], delta: dict[str, Any]) -> None:
    for key, value in delta.items():
        if key == "reasoningContent":
            held = block.setdefault(key, {})
            if "redactedContent" in value:
                held |= value
            else:
                _add(held.setdefault("reasoningText", {}), value)
        elif isinstance(value, str):
            block[key] = block.get(key, "") + value
        elif isinstance(value, dict):
            _add(block.setdefault(key, {}), value)
