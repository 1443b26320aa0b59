"""Each parameter and key of a message of Chat Completions, at each host: sent, or lost with a word.

The cells stand in `grids/chat.tsv`. A cell is `sent` if the host takes the key, perhaps by another
name, and `loss` if it refuses or ignores it; what is `unknown` is not checked.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import wireglot as wg
from tests.refusals.hosts import HOSTS

Json = dict[str, Any]
_GRID = Path(__file__).parent / "grids" / "chat.tsv"
_PDF = "data:application/pdf;base64,JVBERi0xLjQKJSVFT0YK"
_PICTURE = {"type": "image_url", "image_url": {"url": "https://a.example/x.png", "detail": "low"}}
_SCHEMA = {"type": "object", "properties": {}, "additionalProperties": False}
_FUNCTION = {"type": "function", "function": {"name": "f", "parameters": _SCHEMA}}
_CUSTOM = {"type": "custom", "custom": {"name": "c"}}
_NAMED = {"type": "function", "function": {"name": "f"}}
_TOOLS = [_FUNCTION, {"type": "function", "function": {"name": "g", "parameters": _SCHEMA}}]
_HI = {"role": "user", "content": "Hi"}
_CALL = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}
_TEXTS = [{"type": "text", "text": "12"}, {"type": "text", "text": "13"}]
_LIST = [
    _HI,
    {"role": "assistant", "content": None, "tool_calls": [_CALL]},
    {"role": "tool", "tool_call_id": "c", "content": _TEXTS},
]
_MARKED = {"type": "text", "text": "Hi", "prompt_cache_breakpoint": {"mode": "explicit"}}


def _answered(**keys: Any) -> list[Json]:
    return [_HI, {"role": "assistant", "content": "Yes", **keys}, _HI]


def _parts(body: Json) -> Iterator[Json]:
    for message in body["messages"]:
        content = message.get("content")
        yield from content if isinstance(content, list) else ()


def _under(*names: str) -> Callable[[Json], bool]:
    return lambda body: any(name in body for name in names)


def _chosen(body: Json, kind: str) -> bool:
    choice = body.get("tool_choice")
    return choice == kind or (isinstance(choice, dict) and choice.get("type") == kind)


_OTHERS = {"role": "developer", "content": "Be brief."}
_EFFORTS = ("reasoning_effort", "reasoning", "enable_thinking", "chat_template_kwargs")
_THOUGHTS = ("reasoning_content", "reasoning")
# key -> what is in the body for it, and whether the key, or its documented respelling, is in one
KEYS: dict[str, tuple[Json, Callable[[Json], bool]]] = {
    "temperature": ({"temperature": 0.5}, _under("temperature")),
    "top_p": ({"top_p": 0.5}, _under("top_p")),
    "top_k": ({"top_k": 5}, _under("top_k")),
    "n": ({"n": 2}, _under("n")),
    "stop": ({"stop": ["END"]}, _under("stop")),
    "presence_penalty": ({"presence_penalty": 0.5}, _under("presence_penalty")),
    "frequency_penalty": ({"frequency_penalty": 0.5}, _under("frequency_penalty")),
    "logprobs": ({"logprobs": True}, _under("logprobs")),
    "top_logprobs": ({"logprobs": True, "top_logprobs": 2}, _under("top_logprobs")),
    "logit_bias": ({"logit_bias": {"50256": -100}}, _under("logit_bias")),
    "seed": ({"seed": 7}, _under("seed")),
    "user": ({"user": "user-17"}, _under("user", "user_id", "safety_identifier")),
    "safety_identifier": (
        {"safety_identifier": "user-17"},
        _under("user", "user_id", "safety_identifier"),
    ),
    "max_tokens": ({"max_tokens": 99}, _under("max_tokens", "max_completion_tokens")),
    "max_completion_tokens": (
        {"max_completion_tokens": 99},
        _under("max_tokens", "max_completion_tokens"),
    ),
    "reasoning_effort": ({"reasoning_effort": "low"}, _under(*_EFFORTS)),
    "response_format.json_object": (
        {"response_format": {"type": "json_object"}},
        lambda body: body.get("response_format") == {"type": "json_object"},
    ),
    "response_format.json_schema": (
        {
            "response_format": {
                "type": "json_schema",
                "json_schema": {"name": "n", "schema": _SCHEMA, "strict": True},
            }
        },
        lambda body: body.get("response_format", {}).get("type") == "json_schema",
    ),
    "service_tier": ({"service_tier": "auto"}, _under("service_tier")),
    "store": ({"store": True}, _under("store")),
    "metadata": ({"metadata": {"k": "v"}, "store": True}, _under("metadata")),
    "prompt_cache_key": ({"prompt_cache_key": "k"}, _under("prompt_cache_key")),
    "prompt_cache_retention": (
        {"prompt_cache_retention": "24h"},
        _under("prompt_cache_retention"),
    ),
    "prompt_cache_options": (
        {"prompt_cache_options": {"mode": "explicit"}},
        _under("prompt_cache_options"),
    ),
    "verbosity": ({"verbosity": "low"}, _under("verbosity")),
    "prediction": (
        {"prediction": {"type": "content", "content": "x"}},
        _under("prediction"),
    ),
    "modalities": ({"modalities": ["text", "audio"]}, _under("modalities")),
    "audio": ({"audio": {"voice": "ash", "format": "wav"}}, _under("audio")),
    "web_search_options": (
        {"web_search_options": {}, "tools": _TOOLS},
        _under("web_search_options"),
    ),
    "moderation": ({"moderation": {"model": "omni-moderation-latest"}}, _under("moderation")),
    "parallel_tool_calls": (
        {"tools": _TOOLS, "parallel_tool_calls": False},
        _under("parallel_tool_calls"),
    ),
    "tool_choice.required": (
        {"tools": _TOOLS, "tool_choice": "required"},
        lambda body: _chosen(body, "required"),
    ),
    "tool_choice.function": (
        {"tools": _TOOLS, "tool_choice": _NAMED},
        lambda body: _chosen(body, "function"),
    ),
    "tool_choice.allowed_tools": (
        {
            "tools": _TOOLS,
            "tool_choice": {
                "type": "allowed_tools",
                "allowed_tools": {"mode": "auto", "tools": [_NAMED]},
            },
        },
        lambda body: _chosen(body, "allowed_tools"),
    ),
    "stream_options": (
        {"stream": True, "stream_options": {"include_usage": True}},
        _under("stream_options"),
    ),
    "min_p": ({"min_p": 0.1}, _under("min_p")),
    "repetition_penalty": (
        {"repetition_penalty": 1.1},
        _under("repetition_penalty", "repeat_penalty"),
    ),
    "repeat_penalty": ({"repeat_penalty": 1.1}, _under("repetition_penalty", "repeat_penalty")),
    "typical_p": ({"typical_p": 0.9}, _under("typical_p")),
    "min_tokens": ({"min_tokens": 3}, _under("min_tokens")),
    "top_a": ({"top_a": 0.1}, _under("top_a")),
    "messages.name": (
        {"messages": [{**_HI, "name": "ann"}]},
        lambda body: "name" in body["messages"][0],
    ),
    "messages.developer": (
        {"messages": [_OTHERS, _HI]},
        lambda body: body["messages"][0]["role"] in ("system", "developer"),
    ),
    "messages.refusal": (
        {"messages": [_HI, {"role": "assistant", "content": None, "refusal": "No"}, _HI]},
        lambda body: body["messages"][1].get("refusal") == "No",
    ),
    "messages.audio": (
        {"messages": _answered(audio={"id": "audio_1"})},
        lambda body: "audio" in body["messages"][1],
    ),
    "messages.reasoning_content": (
        {"messages": _answered(reasoning_content="So")},
        lambda body: any(body["messages"][1].get(key) == "So" for key in _THOUGHTS),
    ),
    "messages.cache_mark": (
        {"messages": [{"role": "user", "content": [_MARKED]}]},
        lambda body: any(key.startswith(("cache", "prompt_c")) for p in _parts(body) for key in p),
    ),
    "messages.image_detail": (
        {"messages": [{"role": "user", "content": [{"type": "text", "text": "?"}, _PICTURE]}]},
        lambda body: any(part.get("image_url", {}).get("detail") for part in _parts(body)),
    ),
    "messages.file": (
        {
            "messages": [
                {
                    "role": "user",
                    "content": [
                        {"type": "text", "text": "?"},
                        {"type": "file", "file": {"filename": "a.pdf", "file_data": _PDF}},
                    ],
                }
            ]
        },
        lambda body: any(part["type"] == "file" for part in _parts(body)),
    ),
    "messages.tool_list": (
        {"messages": _LIST, "tools": [_FUNCTION]},
        lambda body: body["messages"][2]["content"] in (_TEXTS, "12\n13"),
    ),
    "tools.custom": (
        {"tools": [_FUNCTION, _CUSTOM]},
        lambda body: any(tool["type"] == "custom" for tool in body["tools"]),
    ),
    "tools.strict": (
        {"tools": [{"type": "function", "function": {**_FUNCTION["function"], "strict": True}}]},
        lambda body: body["tools"][0]["function"].get("strict") is True,
    ),
}


def _cells() -> list[tuple[str, str, str, str]]:
    head, *lines = _GRID.read_text().splitlines()
    assert head.split("\t") == ["host", "key", "state", "source"]
    return [tuple(line.split("\t")) for line in lines]  # type: ignore[misc]


CELLS = _cells()


@pytest.mark.parametrize(
    ("host", "key", "state"), [cell[:3] for cell in CELLS if cell[2] != "unknown"]
)
def test_a_key_is_sent_or_lost_with_a_word(host: str, key: str, state: str) -> None:
    given, is_in = KEYS[key]
    body = {"model": "m", "messages": [_HI], **given}
    losses: list[wg.Loss] = []
    made = json.loads(
        wg.translate_request(
            json.dumps(body),
            *("openai_chat", "openai_chat"),
            source_dialect="generic" if host == "openai" else None,
            target_dialect=host,
            losses=losses,
        )
    )
    told = [loss.what for loss in losses if key == "store" or loss.path != "$.store"]
    told = [key] if key in told else told  # what goes with it is lost, too
    if state == "sent":
        assert is_in(made)
        assert told == []
    else:
        assert not is_in(made)
        assert len(told) == 1


def test_the_grid_has_each_key_at_each_host_with_a_source() -> None:
    assert [(host, key) for host, key, *_ in CELLS] == [
        (host, key) for host in HOSTS["openai_chat"] for key in KEYS
    ]
    assert {state for _, _, state, _ in CELLS} == {"sent", "loss", "unknown"}
    assert all(source for *_, source in CELLS)
