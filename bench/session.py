"""A session of 400 messages from a fixed seed, like that of an agent that edits code."""

from __future__ import annotations

import base64
import json
import random
from typing import Any

__all__ = ["TOOLS", "image_message", "session"]

_WORDS = [
    "the", "a", "function", "returns", "when", "file", "reads", "value", "and", "writes", "it",
    "to", "cache", "because", "test", "fails", "on", "empty", "input", "so", "we", "check",
    "length", "first", "then", "call", "parser", "with", "options", "from", "config", "module",
    "—", "“naïve”", "résumé", "error", "index", "out", "of", "range", "line", "import", "type",
    "hint", "async", "await", "None", "True", "loop",
]  # fmt: skip
TOOLS = ("read_file", "write_file", "bash", "grep", "list_directory")


def session(messages: int = 400, *, turn_ids: bool = False) -> list[dict[str, Any]]:
    """Return the messages as plain JSON data: user, assistant with two calls, two results, ...

    Every fiftieth message is a user's with a small image.
    """
    rng = random.Random(7)

    def text(words: int) -> str:
        return " ".join(rng.choices(_WORDS, k=words))

    out: list[dict[str, Any]] = []
    while len(out) < messages:
        turn = len(out) // 5
        now = 1_700_000_000_000 + turn * 30_000
        content: list[dict[str, Any]] = [{"type": "text", "text": text(40)}]
        if turn % 10 == 0:
            data = base64.b64encode(b"\x89PNG\r\n\x1a\n" + rng.randbytes(3000)).decode()
            content.append({"type": "image", "data": data, "mimeType": "image/png"})
        out.append({"role": "user", "content": content, "timestamp": now})
        calls = [
            {
                "type": "toolCall",
                "id": f"toolu_{rng.randbytes(12).hex()}",
                "name": rng.choice(TOOLS),
                "arguments": {"path": f"src/{text(1)}.py", "start": turn, "note": text(12)},
            }
            for _ in range(2)
        ]
        out.append(
            _assistant(
                [
                    {
                        "type": "thinking",
                        "thinking": text(60),
                        "signature": rng.randbytes(60).hex(),
                    },
                    {"type": "text", "text": text(25)},
                    *calls,
                ],
                "toolUse",
                now + 1000,
            )
        )
        for call in calls:
            out.append(
                {
                    "role": "toolResult",
                    "toolCallId": call["id"],
                    "toolName": call["name"],
                    "content": [{"type": "text", "text": text(150)}],
                    "isError": False,
                    "timestamp": now + 2000,
                }
            )
        out.append(_assistant([{"type": "text", "text": text(50)}], "stop", now + 3000))
    del out[messages:]
    if turn_ids:
        for index, message in enumerate(out):
            message["turnId"] = {"loopId": "session.anthropic.main.1", "turnIndex": index // 5}
    return out


def image_message(size: int) -> bytes:
    """Return a JSON session of one message whose inline image makes it `size` bytes long."""
    data = base64.b64encode(b"\x89PNG\r\n\x1a\n" + random.Random(7).randbytes(size * 3 // 4 - 200))
    message = {
        "role": "user",
        "content": [
            {"type": "text", "text": "What is this?"},
            {"type": "image", "data": data.decode(), "mimeType": "image/png"},
        ],
        "timestamp": 1_700_000_000_000,
    }
    return json.dumps([message], separators=(",", ":")).encode()


def _assistant(content: list[dict[str, Any]], stop: str, timestamp: int) -> dict[str, Any]:
    return {
        "role": "assistant",
        "content": content,
        "stopReason": stop,
        "model": "claude-sonnet-4-5",
        "provider": "anthropic",
        "usage": {
            "input": 1200,
            "output": 350,
            "reasoning": 80,
            "cache_read": 20_000,
            "cache_write": 900,
            "total_tokens": 22_450,
        },
        "timestamp": timestamp,
    }
