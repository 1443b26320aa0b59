"""Write what the jobs read: the exchanges that a proxy recorded, and a file of prices."""

import gzip
import json
from pathlib import Path
from typing import Any

TOOL = {"name": "weather", "description": "The weather of a city.", "parameters": {
    "type": "object", "properties": {"city": {"type": "string"}}}}  # fmt: skip


def chat(city: str, result: str, answer: str, tokens: int) -> tuple[Any, Any]:
    """Return a request and an answer of Chat Completions, in the middle of an agent's work."""
    call = {"id": "c1", "type": "function",
            "function": {"name": "weather", "arguments": json.dumps({"city": city})}}  # fmt: skip
    messages = [
        {"role": "user", "content": f"How warm is it in {city}?"},
        {"role": "assistant", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": result},
    ]
    request = {"model": "gpt-5", "messages": messages,
               "tools": [{"type": "function", "function": TOOL}]}  # fmt: skip
    message = {"role": "assistant", "content": answer}
    choice = {"index": 0, "finish_reason": "stop", "message": message}
    usage = {"prompt_tokens": tokens, "completion_tokens": 9, "total_tokens": tokens + 9}
    return request, {"id": "r1", "object": "chat.completion", "created": 1, "model": "gpt-5",
                     "choices": [choice], "usage": usage}  # fmt: skip


def claude(city: str, result: str, answer: str, tokens: int) -> tuple[Any, Any]:
    """Return the same of Anthropic, where a result can say that its call failed."""
    call = {"type": "tool_use", "id": "t1", "name": "weather", "input": {"city": city}}
    back = {"type": "tool_result", "tool_use_id": "t1", "content": result,
            "is_error": result.startswith("Error")}  # fmt: skip
    messages = [
        {"role": "user", "content": f"How warm is it in {city}?"},
        {"role": "assistant", "content": [call]},
        {"role": "user", "content": [back]},
    ]
    tool = {"name": "weather", "description": TOOL["description"],
            "input_schema": TOOL["parameters"]}  # fmt: skip
    request = {"model": "claude-sonnet-4-5", "max_tokens": 500, "messages": messages,
               "tools": [tool]}  # fmt: skip
    content = [{"type": "text", "text": answer}]
    return request, {"id": "m1", "type": "message", "role": "assistant", "content": content,
                     "model": "claude-sonnet-4-5", "stop_reason": "end_turn",
                     "usage": {"input_tokens": tokens, "output_tokens": 9}}  # fmt: skip


DAYS = {
    "2026-11-02": [
        ("openai_chat", "acme", chat("Oslo", "4 degrees", "It is 4 degrees.", 90)),
        ("anthropic", "acme", claude("Rome", "Error: timeout", "I cannot tell.", 120)),
        ("anthropic", "globex", claude("Bonn", "9 degrees", "It is 9 degrees.", 118)),
    ],
    "2026-11-03": [
        ("openai_chat", "globex", chat("Lima", "19 degrees", "It is 19 degrees.", 92)),
        ("openai_chat", "globex", ({"model": "gpt-5", "messages": 5}, {"error": "no"})),
        ("anthropic", "acme", claude("Nice", "Error: no such city", "I cannot tell.", 125)),
    ],
}

PRICES = """
[models."gpt-5"]
input_per_million = 1.25
output_per_million = 10.0

[models."claude-sonnet-*"]
input_per_million = 3.0
output_per_million = 15.0
"""

Path("prices.toml").write_text(PRICES)
Path("recorded").mkdir(exist_ok=True)
for day, exchanges in DAYS.items():
    with gzip.open(f"recorded/{day}.jsonl.gz", "wt") as file:
        for hour, (provider, tenant, (request, response)) in enumerate(exchanges):
            line = {"time": f"{day}T{hour:02}:00:00Z", "provider": provider, "tenant": tenant,
                    "request": request, "response": response}  # fmt: skip
            print(json.dumps(line), file=file)
    print(f"recorded/{day}.jsonl.gz: {len(exchanges)} exchanges")
