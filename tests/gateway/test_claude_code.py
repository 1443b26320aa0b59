"""Requests of the shape that Claude Code sends, with each of eight strict providers behind.

Sources: Anthropic's documentation of Claude Code with gateways, and its API's reference. The texts
are made up.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

import wireglot as wg
from tests.agents.provider import Providers
from tests.agents.script import Answer, Asked, Item
from tests.agents.wires import WIRES
from tests.gateway.serving import serving
from wireglot.gateway import Config, ModelRoute, create_app

HEADERS = {
    "anthropic-version": "2023-06-01",
    "anthropic-beta": "claude-code-20250219,interleaved-thinking-2025-05-14",
    "authorization": "Bearer none",
    "user-agent": "claude-cli/2.1.0 (external, cli)",
    "x-app": "cli",
}
MARK = {"cache_control": {"type": "ephemeral"}}
SCHEMA = {"$schema": "http://json-schema.org/draft-07/schema#", "additionalProperties": False}
TOOLS = [
    {
        "name": "Read",
        "description": "Reads a file.",
        "input_schema": {
            **SCHEMA,
            "type": "object",
            "properties": {
                "file_path": {"type": "string"},
                "limit": {"type": "integer", "exclusiveMinimum": 0},
            },
            "required": ["file_path"],
        },
    },
    {
        "name": "mcp__notes__find-note",
        "description": "Finds a note.",
        "input_schema": {
            **SCHEMA,
            "type": "object",
            "properties": {"kind": {"anyOf": [{"type": "string"}, {"type": "null"}]}},
        },
    },
]
SYSTEM = [
    {"type": "text", "text": "You are an agent of the command line.", **MARK},
    {"type": "text", "text": "# Environment\nWorking directory: /work", **MARK},
]


def _first(model: str) -> dict[str, Any]:
    reminder = "<system-reminder>\nThe user opened a file.\n</system-reminder>"
    content = [
        {"type": "text", "text": reminder},
        {"type": "text", "text": "[agent 1] How many rivers?", **MARK},
    ]
    return {
        "model": model,
        "max_tokens": 32000,
        "thinking": {"type": "enabled", "budget_tokens": 31999},
        "temperature": 1,
        "stream": True,
        "metadata": {"user_id": '{"device_id":"d0","account_uuid":"","session_id":"s0"}'},
        "system": SYSTEM,
        "tools": TOOLS,
        "messages": [{"role": "user", "content": content}],
        "context_management": {"edits": [{"type": "clear_thinking_20251015", "keep": "all"}]},
    }


def _script(asked: Asked, items: list[Item]) -> Answer:
    if any(item.kind == "result" for item in items):
        return Answer("There is 1 river.")
    calls = (
        ("Read", {"file_path": "/home/ann/one.txt"}),
        ("mcp__notes__find-note", {"kind": None}),
    )
    return Answer("Let me look.", thinking="Both at once.", calls=calls)


@pytest.fixture(scope="module")
def providers() -> Providers:
    return Providers()


@pytest.fixture(scope="module")
def gateway(providers: Providers) -> Iterator[str]:
    providers.scripts[1] = _script
    with serving(providers) as there:
        routes = [ModelRoute(wire.MODEL, name, f"{there}/{name}") for name, wire in WIRES.items()]
        with serving(create_app(Config(routes, retries=0))) as here:
            yield here


def _asked(gateway: str, body: dict[str, Any]) -> httpx.Response:
    url = f"{gateway}/v1/messages?beta=true"
    return httpx.post(url, json=body, headers=HEADERS, timeout=20)


def _answer(response: httpx.Response) -> list[dict[str, Any]]:
    """Return the content of a streamed answer, as the client would send it back."""
    assert response.status_code == 200, response.text
    decoder = wg.providers.anthropic.StreamDecoder()
    events = [*decoder.feed(response.content), *decoder.finish()]
    body = wg.providers.anthropic.encode_response(events[-1].response)
    content: list[dict[str, Any]] = json.loads(body)["content"]
    return content


@pytest.mark.parametrize("provider", WIRES)
def test_a_turn_with_tools_goes_on_to_its_answer(
    provider: str, providers: Providers, gateway: str
) -> None:
    body = _first(WIRES[provider].MODEL)
    content = _answer(_asked(gateway, body))
    calls = [block for block in content if block["type"] == "tool_use"]
    assert [(call["name"], call["input"]) for call in calls] == [
        ("Read", {"file_path": "/home/ann/one.txt"}),
        ("mcp__notes__find-note", {"kind": None}),
    ]
    results = [
        {"tool_use_id": calls[0]["id"], "type": "tool_result", "content": "1 river"},
        {
            "tool_use_id": calls[1]["id"],
            "type": "tool_result",
            "is_error": True,
            "content": "<tool_use_error>No such note</tool_use_error>",
            **MARK,
        },
    ]
    asks = [{"type": "text", "text": "Go on, please."}]
    body["messages"] += [
        {"role": "assistant", "content": content},
        {"role": "user", "content": results + asks},
    ]
    del body["messages"][0]["content"][1]["cache_control"]
    last = _answer(_asked(gateway, body))
    assert [block.get("text") for block in last] == ["There is 1 river."]
    asked = providers.cells[1].requests[-1]
    assert asked.tools == ["Read", "mcp__notes__find-note"]
    assert "Working directory: /work" in asked.system
    said = " ".join(item.text for item in asked.items)
    assert "The user opened a file." in said
    assert "No such note" in said
    assert providers.cells[1].refused == []
    assert providers.strangers == []


@pytest.mark.parametrize("provider", WIRES)
def test_a_nested_request_of_a_small_model_is_answered(provider: str, gateway: str) -> None:
    body = {
        "model": WIRES[provider].MODEL,
        "max_tokens": 512,
        "temperature": 0,
        "stream": True,
        "metadata": {"user_id": "user_0_account__session_0"},
        "system": [{"type": "text", "text": "Write a title."}],
        "messages": [{"role": "user", "content": "How many rivers?"}],
    }
    assert [block["text"] for block in _answer(_asked(gateway, body))] == ["A title"]


@pytest.mark.parametrize("provider", [name for name in WIRES if name != "anthropic"])
def test_a_count_of_tokens_is_refused_in_the_words_of_anthropic(
    provider: str, gateway: str
) -> None:
    url = f"{gateway}/v1/messages/count_tokens?beta=true"
    body = {"model": WIRES[provider].MODEL, "messages": [{"role": "user", "content": "x"}]}
    response = httpx.post(url, json=body, headers=HEADERS)
    assert (response.status_code, response.json()["type"]) == (501, "error")


@pytest.mark.parametrize("provider", [name for name in WIRES if name != "anthropic"])
def test_a_request_that_ends_with_a_system_message_is_answered(
    provider: str, providers: Providers, gateway: str
) -> None:
    body = _first(WIRES[provider].MODEL)
    reminder = "<system-reminder>\nThe skills are these.\n</system-reminder>"
    body["messages"].append({"role": "system", "content": reminder})
    assert _answer(_asked(gateway, body))
    asked = providers.cells[1].requests[-1]
    assert "The skills are these." in asked.system + " ".join(item.text for item in asked.items)
    assert providers.cells[1].refused == []
