"""What goes to Vertex and Bedrock: each cell of the grid of what they take, and what is lost."""

import json
from pathlib import Path
from typing import Any

import pytest

import wireglot as wg

GRID = Path(__file__).parents[2] / "refusals" / "grids" / "anthropic.tsv"
CELLS = [line.split("\t") for line in GRID.read_text().splitlines()]
HI = {"role": "user", "content": "Hi"}
SCHEMA = {"type": "object", "properties": {}, "additionalProperties": False}
TOOL = {"name": "f", "input_schema": SCHEMA}
MARK = {"type": "ephemeral"}
URL = {"type": "url", "url": "https://a.example/x"}
FILE = {"type": "file", "file_id": "file_1"}
FORMAT = {"format": {"type": "json_schema", "schema": SCHEMA}}
PNG = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5E"
    "rkJggg=="
)
OLD, NEW = "claude-sonnet-4-5", "claude-opus-4-8"
OLDER = {"temperature", "top_k", "top_p", "output_config.format", "tool key strict"}
"""Keys that newer models refuse, or only on Bedrock."""

PARAMETERS: dict[str, dict[str, Any]] = {
    "max_tokens": {},
    "model": {},
    "stream": {"stream": True},
    "stop_sequences": {"stop_sequences": ["END"]},
    "system": {"system": "Be brief."},
    "thinking": {"thinking": {"type": "adaptive"}},
    "tool_choice": {"tools": [TOOL], "tool_choice": {"type": "none"}},
    "temperature": {"temperature": 0.5},
    "top_k": {"top_k": 5},
    "top_p": {"top_p": 0.5},
    "metadata": {"metadata": {"user_id": "u"}},
    "service_tier": {"service_tier": "auto"},
    "cache_control": {"cache_control": MARK},
    "cache_control ttl 1h": {
        "messages": [
            {
                "role": "user",
                "content": [{"type": "text", "text": "a", "cache_control": {**MARK, "ttl": "1h"}}],
            }
        ]
    },
    "container": {"container": {"id": "c"}},
    "context_management": {"context_management": {"edits": []}},
    "context_management with its beta": {
        "context_management": {"edits": []},
        "anthropic_beta": ["context-management-2025-06-27"],
    },
    "anthropic_beta": {"anthropic_beta": ["context-1m-2025-08-07"]},
    "diagnostics": {"diagnostics": {"previous_message_id": "m"}},
    "fallbacks": {"fallbacks": [{"model": "claude-opus-4-8"}]},
    "fallback_credit_token": {"fallback_credit_token": "t"},
    "inference_geo": {"inference_geo": "us"},
    "mcp_servers": {"mcp_servers": [{"type": "url", "url": "https://a.example", "name": "n"}]},
    "speed": {"speed": "fast"},
    "billing_policy": {"billing_policy": {}},
    "compaction": {"compaction": {}},
    "thread": {"thread": {"previous_message_id": "m"}},
    "user_profile_id": {"user_profile_id": "p"},
    "workspace_id": {"workspace_id": "w"},
    "output_config.task_budget": {"output_config": {"task_budget": {"type": "tokens", "total": 9}}},
    "output_config.effort": {"output_config": {"effort": "low"}},
    "output_config.format": {"output_config": FORMAT},
    "output_config.format of a later model": {"output_config": FORMAT},
}
TOOL_KEYS: dict[str, Any] = {
    "strict": True,
    "strict of a later model": True,
    "defer_loading": True,
    "input_examples": [{}],
    "eager_input_streaming": True,
    "allowed_callers": ["code_execution_20250825"],
    "cache_control": MARK,
}
TOOLS: dict[str, dict[str, Any]] = {
    "advisor_20260301": {"name": "advisor", "model": "claude-opus-4-8"},
    "browser_toolset_20260801": {},
    "computer_toolset_20260801": {},
    "mcp_toolset": {"mcp_server_name": "n"},
}
CALL = {"type": "tool_use", "id": "a", "name": "f", "input": {}}
RESULT = {"type": "tool_result", "tool_use_id": "a", "content": "1"}
SEARCHED = {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {"query": "x"}}
BLOCKS: dict[str, list[dict[str, Any]]] = {
    "text": [{"type": "text", "text": "a"}],
    "image base64": [
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}}
    ],
    "image url": [{"type": "image", "source": URL}],
    "image file": [{"type": "image", "source": FILE}],
    "document base64": [
        {
            "type": "document",
            "source": {"type": "base64", "media_type": "application/pdf", "data": "JVBERi0x"},
        }
    ],
    "document text": [
        {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "a"}}
    ],
    "document url": [{"type": "document", "source": URL}],
    "document file": [{"type": "document", "source": FILE}],
    "container_upload": [{"type": "container_upload", "file_id": "f"}],
    "search_result": [
        {
            "type": "search_result",
            "source": "s",
            "title": "t",
            "content": [{"type": "text", "text": "a"}],
        }
    ],
}
ANSWERED: dict[str, list[dict[str, Any]]] = {
    "thinking": [{"type": "thinking", "thinking": "Hm.", "signature": "c2ln"}, CALL],
    "redacted_thinking": [{"type": "redacted_thinking", "data": "c2ln"}, CALL],
    "tool_use": [CALL],
    "tool_result": [CALL],
    "web_search_tool_result": [
        SEARCHED,
        {"type": "web_search_tool_result", "tool_use_id": "s", "content": []},
    ],
    "server_tool_use": [SEARCHED],
    "advisor_tool_result": [
        {"type": "server_tool_use", "id": "s", "name": "advisor", "input": {}},
        {
            "type": "advisor_tool_result",
            "tool_use_id": "s",
            "content": {"type": "advisor_result", "text": "a"},
        },
    ],
    "mcp_tool_use": [
        {"type": "mcp_tool_use", "id": "s", "name": "n", "server_name": "n", "input": {}}
    ],
    "mcp_tool_result": [{"type": "mcp_tool_result", "tool_use_id": "s", "content": []}],
    "mcp_tool_listing": [{"type": "mcp_tool_listing", "server_name": "n", "tools": []}],
}


def asked(key: str) -> dict[str, Any]:
    """Return a small body that holds a key of the grid."""
    body: dict[str, Any] = {"model": OLD if key in OLDER else NEW, "max_tokens": 2000}
    kind, _, name = key.partition(" ")
    if key in PARAMETERS:
        return {**body, "messages": [HI], **PARAMETERS[key]}
    if key.startswith("tool key "):
        name = key.removeprefix("tool key ")
        tool = {**TOOL, name.removesuffix(" of a later model"): TOOL_KEYS[name]}
        return {**body, "messages": [HI], "tools": [tool]}
    if kind == "tool":
        rest = TOOLS.get(name, {"name": name.rpartition("_")[0]})
        return {**body, "messages": [HI], "tools": [TOOL, {"type": name, **rest}]}
    if name == "system turn":
        return {**body, "messages": [HI, {"role": "system", "content": "Be brief."}]}
    if name in ("tool_addition", "tool_removal"):
        change = {"type": name, "tool": {"type": "tool_reference", "name": "f"}}
        return {**body, "messages": [HI, {"role": "system", "content": [change]}], "tools": [TOOL]}
    if name == "tool_reference":
        found = {**RESULT, "content": [{"type": name, "tool_name": "f"}]}
        turns = [{"role": "assistant", "content": [CALL]}, {"role": "user", "content": [found]}]
        return {**body, "messages": [HI, *turns], "tools": [TOOL]}
    if name in BLOCKS:
        said = {"role": "user", "content": [{"type": "text", "text": "See."}, *BLOCKS[name]]}
        return {**body, "messages": [said]}
    said_so = ANSWERED.get(name, [{"type": name, "tool_use_id": "s", "content": []}])
    answer = {"role": "assistant", "content": [{"type": "text", "text": "I do."}, *said_so]}
    results = [RESULT] if CALL in said_so else [{"type": "text", "text": "Go on."}]
    return {**body, "messages": [HI, answer, {"role": "user", "content": results}], "tools": [TOOL]}


def word(key: str) -> str:
    """Return what stands in a body that holds a key, and in no other."""
    name = key.removeprefix("tool key ").removeprefix("tool ").removeprefix("block ")
    name = name.partition(" of a ")[0].partition(" with ")[0]
    special = {"image": URL["url"], "document": URL["url"]}
    kind, _, source = name.partition(" ")
    if source in ("url", "file"):
        return special[kind] if source == "url" else "file_1"
    if source == "base64":
        return PNG if kind == "image" else "JVBERi0x"
    if source == "text":
        return '"text/plain"'
    if name == "system turn":
        return '"role":"system"'
    return f'"{name.rpartition(".")[2]}"' if source != "ttl 1h" else '"1h"'


def sent(key: str, source: str, host: str) -> tuple[str, list[wg.Loss]]:
    losses: list[wg.Loss] = []
    body = wg.translate_request(
        json.dumps(asked(key)).encode(),
        "anthropic",
        "anthropic",
        source_dialect=source,
        target_dialect=host,
        losses=losses,
    )
    return json.dumps(json.loads(body), separators=(",", ":")), losses


def respelled(key: str, host: str) -> str:
    """Return what stands for a key at a host that has another word for it."""
    if host == "vertex" and key.startswith("tool web_search_2026"):
        return '"web_search_20250305"'
    if (key == "model" and host != "anthropic") or (key == "stream" and host == "bedrock"):
        return ""  # in the URL
    return word(key)


def each_cell(*states: str) -> Any:
    cells = [(host, key) for host, key, state, _ in CELLS if state in states]
    return pytest.mark.parametrize(("host", "key"), cells, ids=lambda each: each)


@each_cell("sent")
def test_what_a_host_takes_is_sent(host: str, key: str) -> None:
    for source in ("anthropic", host):
        if source == "anthropic" and key == "anthropic_beta":
            continue  # which only hosts have in the body
        body, losses = sent(key, source, host)
        assert respelled(key, host) in body
        assert losses == []


@each_cell("loss")
def test_what_a_host_refuses_is_a_loss(host: str, key: str) -> None:
    for source in ("anthropic", host):
        body, losses = sent(key, source, host)
        assert word(key) not in body
        told = [loss.what for loss in losses if loss.what not in ("only tools", "tool choice lost")]
        assert told == [told[0]] * (2 if key == "block advisor_tool_result" else 1)
        assert told[0] in TOLD


TOLD = {
    *("file id", "host block", "host key", "host tool", "media url"),
    *("no schema", "strict tool"),
}


def test_each_cell_has_a_state_and_a_source() -> None:
    assert {state for _, _, state, _ in CELLS} == {"sent", "loss", "unknown"}
    assert all(source for *_, source in CELLS)
    keys = {host: [key for at, key, *_ in CELLS if at == host] for host, *_ in CELLS}
    assert list(keys) == list(wg.providers.anthropic.DIALECTS)
    assert len({tuple(each) for each in keys.values()}) == 1
