"""Readers of about ten lines, as frameworks for agents have them: a stream -> its text and calls.

No API has two calls of a stream open at once, so many frameworks keep only the one that began last.
Others number Mistral's calls by their place in a chunk, or compute with Ollama's durations.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

import httpx

from tests.agents.script import TOOLS, result
from wireglot.framing import eventstream

__all__ = ["READERS", "played"]

Call = dict[str, Any]
"""A call with its `id`, `name` and `arguments`, as the wire has them."""
Part = str | Call
"""A piece of the answer's text, or a call that is complete."""


def _events(response: httpx.Response) -> Iterator[Any]:
    for line in response.iter_lines():
        if line.startswith("data: ") and line != "data: [DONE]":
            yield json.loads(line.removeprefix("data: "))


def _tools(schema: str) -> list[dict[str, Any]]:
    """Return the tools, with their schemas under a wire's own name for them."""
    return [
        {"name": tool["name"], "description": tool["description"], schema: tool["parameters"]}
        for tool in TOOLS
    ]


class Chat:
    """Calls are in a list, and an index is a place in it; what has an id begins one."""

    path = "/v1/chat/completions"

    def body(self, model: str, talk: list[Any]) -> dict[str, Any]:
        tools = [{"type": "function", "function": tool} for tool in _tools("parameters")]
        return {"model": model, "messages": talk, "tools": tools, "stream": True}

    def asks(self, text: str) -> Any:
        return {"role": "user", "content": text}

    def says(self, text: str, calls: list[Call]) -> list[Any]:
        uses = [
            {
                "id": call["id"],
                "type": "function",
                "function": {"name": call["name"], "arguments": call["arguments"]},
            }
            for call in calls
        ]
        return [{"role": "assistant", "content": text, **({"tool_calls": uses} if uses else {})}]

    def returns(self, results: list[tuple[Call, str]]) -> list[Any]:
        return [
            {"role": "tool", "tool_call_id": call["id"], "content": text} for call, text in results
        ]

    def parts(self, response: httpx.Response) -> Iterator[Part]:
        calls: list[Call] = []
        for chunk in _events(response):
            for delta in (choice["delta"] for choice in chunk["choices"]):
                yield delta.get("content") or ""
                for call in delta.get("tool_calls") or []:
                    if "id" in call:
                        calls.append({"id": call["id"], "name": "", "arguments": ""})
                    for key, text in call["function"].items():
                        calls[call["index"]][key] += text
        yield from calls


class Mistral(Chat):
    """A call's number is its place in the list of a chunk."""

    path = "/mistral/v1/chat/completions"

    def parts(self, response: httpx.Response) -> Iterator[Part]:
        calls: dict[int, Call] = {}
        for chunk in _events(response):
            delta = chunk["choices"][0]["delta"]
            yield delta.get("content") or ""
            for place, call in enumerate(delta.get("tool_calls") or []):
                calls[place] = {"id": call["id"], **call["function"]}
        yield from calls.values()


class Cohere(Chat):
    """One call at a time; its end does not say which call has ended."""

    path = "/v2/chat"

    def parts(self, response: httpx.Response) -> Iterator[Part]:
        for event in _events(response):
            message = event.get("delta", {}).get("message", {})
            if event["type"] == "content-delta":
                yield message["content"].get("text", "")
            elif event["type"] == "tool-plan-delta":
                yield message["tool_plan"]
            elif event["type"] == "tool-call-start":
                call = {"id": message["tool_calls"]["id"], **message["tool_calls"]["function"]}
            elif event["type"] == "tool-call-delta":
                call["arguments"] += message["tool_calls"]["function"]["arguments"]
            elif event["type"] == "tool-call-end":
                yield call


class Ollama(Chat):
    """Each block is a message, results have neither ids nor names, and durations are divided by."""

    path = "/api/chat"

    def says(self, text: str, calls: list[Call]) -> list[Any]:
        said = [{"role": "assistant", "content": text}] if text else []
        functions = [{"name": call["name"], "arguments": call["arguments"]} for call in calls]
        return said + [
            {"role": "assistant", "tool_calls": [{"function": function}]} for function in functions
        ]

    def returns(self, results: list[tuple[Call, str]]) -> list[Any]:
        return [{"role": "tool", "content": text} for _, text in results]

    def parts(self, response: httpx.Response) -> Iterator[Part]:
        for line in map(json.loads, response.iter_lines()):
            yield line["message"]["content"]
            for call in line["message"].get("tool_calls") or []:
                yield call["function"]
            if line["done"]:  # The API's reference computes the speed so.
                assert line["eval_count"] / line["eval_duration"] * 1e9 > 0, line
                assert line["total_duration"] / 1e6 > 0, line


class Anthropic:
    """One block at a time: a start replaces it, and a stop ends it."""

    path = "/v1/messages"

    def body(self, model: str, talk: list[Any]) -> dict[str, Any]:
        asked = {"model": model, "messages": talk, "tools": _tools("input_schema")}
        return {**asked, "max_tokens": 8000, "stream": True}

    def asks(self, text: str) -> Any:
        return {"role": "user", "content": text}

    def says(self, text: str, calls: list[Call]) -> list[Any]:
        content: list[Any] = [{"type": "text", "text": text}] if text else []
        for call in calls:
            use = {"id": call["id"], "name": call["name"], "input": _parsed(call)}
            content.append({"type": "tool_use", **use})
        return [{"role": "assistant", "content": content}]

    def returns(self, results: list[tuple[Call, str]]) -> list[Any]:
        content = [
            {"type": "tool_result", "tool_use_id": call["id"], "content": text}
            for call, text in results
        ]
        return [{"role": "user", "content": content}]

    def parts(self, response: httpx.Response) -> Iterator[Part]:
        call: Call = {}
        for event in _events(response):
            if event["type"] == "content_block_start":
                block = event["content_block"]
                if block["type"] == "tool_use":
                    call = {"id": block["id"], "name": block["name"], "arguments": ""}
            elif event["type"] == "content_block_delta":
                yield event["delta"].get("text", "")
                if call:
                    call["arguments"] += event["delta"]["partial_json"]
            elif event["type"] == "content_block_stop" and call:
                yield call
                call = {}


class Bedrock:
    """One block at a time: a start replaces it, and a stop ends it."""

    path = "/model/{model}/converse-stream"

    def body(self, model: str, talk: list[Any]) -> dict[str, Any]:
        specs = [
            {"toolSpec": {**tool, "inputSchema": {"json": tool["inputSchema"]}}}
            for tool in _tools("inputSchema")
        ]
        return {"messages": talk, "toolConfig": {"tools": specs}}

    def asks(self, text: str) -> Any:
        return {"role": "user", "content": [{"text": text}]}

    def says(self, text: str, calls: list[Call]) -> list[Any]:
        content: list[Any] = [{"text": text}] if text else []
        for call in calls:
            use = {"name": call["name"], "input": _parsed(call)}
            content.append({"toolUse": {"toolUseId": call["id"], **use}})
        return [{"role": "assistant", "content": content}]

    def returns(self, results: list[tuple[Call, str]]) -> list[Any]:
        content = [
            {"toolResult": {"toolUseId": call["id"], "content": [{"text": text}]}}
            for call, text in results
        ]
        return [{"role": "user", "content": content}]

    def parts(self, response: httpx.Response) -> Iterator[Part]:
        call: Call = {}
        frames = eventstream.Decoder()
        chunks = response.iter_raw()
        for headers, payload in (frame for chunk in chunks for frame in frames.feed(chunk)):
            event = json.loads(payload)
            if headers[":event-type"] == "contentBlockStart":
                use = event["start"]["toolUse"]
                call = {"id": use["toolUseId"], "name": use["name"], "arguments": ""}
            elif headers[":event-type"] == "contentBlockDelta":
                yield event["delta"].get("text", "")
                if call:
                    call["arguments"] += event["delta"]["toolUse"]["input"]
            elif headers[":event-type"] == "contentBlockStop" and call:
                yield call
                call = {}


class Responses:
    """One item at a time: what is added replaces it, and any that is done ends it."""

    path = "/v1/responses"

    def body(self, model: str, talk: list[Any]) -> dict[str, Any]:
        tools = [{"type": "function", **tool} for tool in _tools("parameters")]
        asked = {"model": model, "input": talk, "tools": tools}
        return {**asked, "store": False, "stream": True}

    def asks(self, text: str) -> Any:
        return {"role": "user", "content": text}

    def says(self, text: str, calls: list[Call]) -> list[Any]:
        uses = [
            {"type": "function_call", "call_id": call["id"], "name": call["name"]}
            | {"arguments": call["arguments"]}
            for call in calls
        ]
        return [*([{"role": "assistant", "content": text}] if text else []), *uses]

    def returns(self, results: list[tuple[Call, str]]) -> list[Any]:
        return [
            {"type": "function_call_output", "call_id": call["id"], "output": text}
            for call, text in results
        ]

    def parts(self, response: httpx.Response) -> Iterator[Part]:
        call: Call = {}
        for event in _events(response):
            if event["type"] == "response.output_text.delta":
                yield event["delta"]
            elif event["type"] == "response.output_item.added":
                if (item := event["item"])["type"] == "function_call":
                    call = {"id": item["call_id"], "name": item["name"], "arguments": ""}
            elif event["type"] == "response.function_call_arguments.delta":
                call["arguments"] += event["delta"]
            elif event["type"] == "response.output_item.done" and call:
                yield call
                call = {}


READERS: dict[str, Any] = {
    "anthropic_reader": Anthropic(),
    "bedrock_reader": Bedrock(),
    "cohere_reader": Cohere(),
    "responses_reader": Responses(),
    "mistral_reader": Mistral(),
    "chat_reader": Chat(),
    "ollama_reader": Ollama(),
}


def played(name: str, address: str, cells: Sequence[tuple[int, str, str]]) -> dict[int, Any]:
    """Let a reader play its cells: each has a number, a model and a prompt.

    Returns what it saw, by number.
    """
    with httpx.Client(base_url=address, timeout=20) as client:
        return {number: _seen(READERS[name], client, *cell) for number, *cell in cells}


def _seen(reader: Any, client: httpx.Client, model: str, prompt: str) -> Any:
    seen: dict[str, Any] = {"turns": [], "pieces": 0, "error": None}
    talk = [reader.asks(prompt)]
    try:
        while len(seen["turns"]) < 5:
            text, calls = _turn(reader, client, model, talk, seen)
            if not calls:
                break
            talk += reader.says(text, calls)
            talk += reader.returns([(call, result(call["name"], _parsed(call))) for call in calls])
    except (ArithmeticError, AssertionError, LookupError, TypeError, ValueError) as error:
        seen["error"] = {"message": repr(error)}
    return seen


def _turn(
    reader: Any, client: httpx.Client, model: str, talk: list[Any], seen: dict[str, Any]
) -> tuple[str, list[Call]]:
    body = reader.body(model, talk)
    headers = {"anthropic-version": "2023-06-01"}
    with client.stream(
        "POST", reader.path.format(model=model), json=body, headers=headers
    ) as response:
        if response.status_code != 200:
            raise ValueError(response.read().decode())
        parts = [part for part in reader.parts(response) if part]
    pieces = [part for part in parts if isinstance(part, str)]
    calls = [part for part in parts if not isinstance(part, str)]
    shown = [{**call, "arguments": _parsed(call)} for call in calls]
    seen["pieces"] += len(pieces)
    seen["turns"].append({"text": "".join(pieces), "calls": shown})
    return "".join(pieces), calls


def _parsed(call: Call) -> Any:
    arguments = call["arguments"]
    return json.loads(arguments) if isinstance(arguments, str) else arguments
