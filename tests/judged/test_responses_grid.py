"""What each host of Responses takes: each cell of the grid is held against a translation.

A body of OpenAI goes to the host. A key that the host takes is in the body, perhaps under another
name, and no loss names it. One that it does not take is gone, and a loss tells of it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import wireglot as wg

_GRID = Path(__file__).parent.parent / "refusals" / "grids" / "responses.tsv"
_STATES = {"sent", "loss", "unknown"}
_MODELS = {"xai": "grok-4.5"}
_SCHEMA = {
    "type": "object",
    "properties": {"a": {"type": "string"}},
    "required": ["a"],
    "additionalProperties": False,
}
_FUNCTION = {"type": "function", "name": "f", "parameters": _SCHEMA, "strict": False}
_HI: dict[str, Any] = {"role": "user", "content": "Hi"}
_CALL = {"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"}
_CUSTOM = {"type": "custom_tool_call", "call_id": "c", "name": "f", "input": "x"}

_TOP: dict[str, Any] = {
    "instructions": "Be brief.",
    "max_output_tokens": 99,
    "temperature": 1,
    "top_p": 1,
    "tools": [_FUNCTION],
    "tool_choice": "auto",
    "parallel_tool_calls": True,
    "text": {"format": {"type": "json_object"}},
    "reasoning": {"effort": "low"},
    "stream": True,
    "prompt_cache_key": "k",
    "include": ["reasoning.encrypted_content"],
    "previous_response_id": "resp_1",
    "conversation": "conv_1",
    "prompt": {"id": "pmpt_1"},
    "background": True,
    "truncation": "auto",
    "context_management": [{"type": "compaction", "compact_threshold": 9000}],
    "service_tier": "priority",
    "metadata": {"k": "v"},
    "safety_identifier": "s",
    "prompt_cache_retention": "24h",
    "prompt_cache_options": {"mode": "explicit"},
    "top_logprobs": 2,
    "max_tool_calls": 3,
    "stream_options": {"include_obfuscation": False},
    "moderation": {"model": "omni-moderation-latest"},
    "access_programs": {"cyber": "standard"},
    "background_options": {"completion_window": "2h"},
    "image": {"context_compression": "auto"},
}
_BESIDE: dict[str, dict[str, Any]] = {
    "tool_choice": {"tools": [_FUNCTION]},
    "parallel_tool_calls": {"tools": [_FUNCTION]},
    "stream_options": {"stream": True},
    "temperature": {"reasoning": {"effort": "none"}},
    "top_p": {"reasoning": {"effort": "none"}},
    "top_logprobs": {"reasoning": {"effort": "none"}},
    "background_options": {"background": True},
}
_TOOLS: dict[str, dict[str, Any]] = {
    "function": _FUNCTION,
    "custom": {"type": "custom", "name": "f"},
    "web_search": {"type": "web_search"},
    "file_search": {"type": "file_search", "vector_store_ids": ["vs_1"]},
    "code_interpreter": {"type": "code_interpreter", "container": {"type": "auto"}},
    "mcp": {"type": "mcp", "server_label": "s", "server_url": "https://a.example"},
    "image_generation": {"type": "image_generation"},
    "shell": {"type": "shell"},
    "apply_patch": {"type": "apply_patch"},
    "computer": {"type": "computer"},
    "local_shell": {"type": "local_shell"},
    "namespace": {"type": "namespace", "name": "n", "description": "d", "tools": [_FUNCTION]},
    "tool_search": {"type": "tool_search"},
}
_ITEMS: dict[str, list[dict[str, Any]]] = {
    "message": [{"type": "message", **_HI}],
    "function_call": [_CALL, {"type": "function_call_output", "call_id": "c", "output": "1"}],
    "reasoning": [
        {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "g"},
        {"role": "assistant", "content": "Yes."},
    ],
    "custom_tool_call": [_CUSTOM, {**_CUSTOM, "type": "custom_tool_call_output", "output": "1"}],
    "web_search_call": [
        {
            "type": "web_search_call",
            "id": "ws_1",
            "status": "completed",
            "action": {"type": "search", "query": "x"},
        }
    ],
    "file_search_call": [
        {"type": "file_search_call", "id": "fs_1", "status": "completed", "queries": ["x"]}
    ],
}
_ITEMS |= {
    "item_reference": [{"type": "item_reference", "id": "msg_1"}],
    "compaction": [{"type": "compaction", "encrypted_content": "g"}],
    "code_interpreter_call": [
        {
            "type": "code_interpreter_call",
            "id": "ci_1",
            "status": "completed",
            "code": "1",
            "container_id": "c",
            "outputs": [],
        }
    ],
    "mcp_call": [
        {"type": "mcp_call", "id": "mcp_1", "server_label": "s", "name": "f", "arguments": "{}"}
    ],
    "shell_call": [
        {"type": "shell_call", "call_id": "c", "action": {"commands": ["ls"]}},
        {"type": "shell_call_output", "call_id": "c", "output": []},
    ],
    "apply_patch_call": [
        {
            "type": "apply_patch_call",
            "call_id": "c",
            "status": "completed",
            "operation": {"type": "delete_file", "path": "a"},
        },
        {"type": "apply_patch_call_output", "call_id": "c", "status": "completed"},
    ],
    "computer_call": [
        {
            "type": "computer_call",
            "id": "cu_1",
            "call_id": "c",
            "status": "completed",
            "action": {"type": "wait"},
            "pending_safety_checks": [],
        },
        {
            "type": "computer_call_output",
            "call_id": "c",
            "output": {"type": "computer_screenshot", "image_url": "https://a.example/x.png"},
        },
    ],
}
_ITEMS["function_call_output"] = _ITEMS["function_call"]
_ITEMS["custom_tool_call_output"] = [
    _CUSTOM,
    {"type": "custom_tool_call_output", "call_id": "c", "output": "1"},
]
_ITEMS["custom_tool_call"] = _ITEMS["custom_tool_call_output"]
_RESPELLED = {
    ("xai", "safety_identifier"): "user",
    ("xai", "include message.output_text.logprobs"): "logprobs",
}


def _cells() -> Iterator[tuple[str, str, str, str]]:
    for line in _GRID.read_text().splitlines()[1:]:
        host, key, state, source = line.split("\t")
        yield host, key, state, source


_KNOWN = [cell for cell in _cells() if cell[2] != "unknown"]


def _body(key: str, host: str) -> dict[str, Any]:
    kind, _, name = key.partition(" ")
    body: dict[str, Any] = {"model": _MODELS.get(host, "gpt-5.6"), "input": [_HI]}
    if kind == "tool":
        return {**body, "tools": [_TOOLS[name]]}
    if kind == "item":
        return {**body, "input": [_HI, *_ITEMS[name], _HI], "tools": [_FUNCTION]}
    if kind == "include" and name:
        rests = "logprobs" in name and host != "xai"
        beside = {"reasoning": {"effort": "none"}} if rests else {}
        return {**body, "include": [name], **beside}
    if kind == "format":
        form = {"name": "n", "schema": _SCHEMA, "strict": True} if name == "json_schema" else {}
        return {**body, "text": {"format": {"type": name, **form}}}
    if kind == "text" and name:
        return {**body, "text": {"verbosity": "low"}}
    if kind == "reasoning" and name:
        value = {"effort": "low", "summary": "auto", "context": "all_turns", "mode": "pro"}[name]
        return {**body, "reasoning": {"effort": "low", name: value}}
    top, _, value = key.partition("=")
    if value:
        return {**body, top: value == "true"}
    beside = dict(_BESIDE.get(key, {}))
    if host == "xai":  # whose models always think
        beside.pop("reasoning", None)
    return {**body, **beside, **({key: _TOP[key]} if key in _TOP else {})}


def _has(made: dict[str, Any], key: str, host: str) -> bool:
    kind, _, name = key.partition(" ")
    if kind == "tool":
        return any(tool.get("type") == name for tool in made.get("tools", ()))
    if kind == "item":
        return any(item.get("type", "message") == name for item in made["input"])
    if kind == "include" and name:
        respelled = _RESPELLED.get((host, key))
        return respelled in made if respelled else name in made.get("include", ())
    if kind == "format":
        return bool(made["text"]["format"]["type"] == name)
    if kind in ("text", "reasoning") and name:
        return name in made.get(kind, ())
    return _RESPELLED.get((host, key), key.partition("=")[0]) in made


@pytest.mark.parametrize(
    ("host", "key", "state", "source"), _KNOWN, ids=[f"{host}: {key}" for host, key, *_ in _KNOWN]
)
def test_a_host_gets_what_it_takes(host: str, key: str, state: str, source: str) -> None:
    losses: list[wg.Loss] = []
    body = json.dumps(_body(key, host))
    wire = "openai_responses"
    made = json.loads(wg.translate_request(body, wire, wire, losses=losses, target_dialect=host))
    assert source
    assert _has(made, key, host) is (state == "sent")
    assert len(losses) == (state == "loss"), losses


def test_every_cell_says_one_of_three_things() -> None:
    cells = [(host, key) for host, key, *_ in _cells()]
    assert len(cells) == len(set(cells))
    assert {state for *_, state, _ in _cells()} <= _STATES
