"""An answer with three calls, and their results in three messages, from each wire to each."""

import json
from collections.abc import Callable
from importlib import import_module
from typing import Any

import pytest

import wireglot as wg
from tests.providers.conversation import answer, assistant, batch, call, request, result, user

IDS = ("call00001", "call00002", "call00003")
NAMES = ("f", "g", "h")
CALLS = list(zip(IDS, NAMES, strict=True))


def _calls() -> list[wg.ToolCallBlock]:
    return [call(call_id, name=name) for call_id, name in CALLS]


ASKED = user("hi")
GOES_ON = user("go on")
SPLIT: dict[str, list[wg.Message]] = {
    "a message for each result": [
        ASKED,
        assistant("yes", *_calls()),
        *[answer(call_id, call_id) for call_id in IDS],
        GOES_ON,
    ],
    "a batch for each result": [
        ASKED,
        assistant("yes", *_calls()),
        *[batch(result(call_id, call_id)) for call_id in IDS],
        GOES_ON,
    ],
    "an answer for each call": [
        ASKED,
        assistant("yes", _calls()[0]),
        *[assistant(block) for block in _calls()[1:]],
        *[answer(call_id, call_id) for call_id in IDS],
        GOES_ON,
    ],
    "what a user says in the message of the last result": [
        ASKED,
        assistant("yes", *_calls()),
        answer(IDS[0], IDS[0]),
        batch(result(IDS[1], IDS[1])),
        user(result(IDS[2], IDS[2]), "go on"),
    ],
}


def _gemini(body: Any) -> list[str]:
    return [
        " ".join([content["role"], *(_kind(part) for part in content["parts"])])
        for content in body["contents"]
    ]


def _kind(part: Any) -> str:
    if "functionResponse" in part:
        return "result:" + part["functionResponse"]["name"]
    return "call:" + part["functionCall"]["name"] if "functionCall" in part else "text"


def _blocks(body: Any) -> list[str]:
    """The messages of Anthropic and Bedrock."""
    told = []
    for message in body["messages"]:
        content = message["content"]
        kinds = []
        for block in [{"text": content}] if isinstance(content, str) else content:
            used = block.get("toolUse") or (block if block.get("type") == "tool_use" else None)
            done = block.get("toolResult") or (block if "tool_use_id" in block else None)
            if done is not None:
                call_id = done.get("tool_use_id") or done["toolUseId"]
                kinds.append("result:" + dict(CALLS)[call_id])
            else:
                kinds.append("call:" + used["name"] if used else "text")
        told.append(" ".join([message["role"], *kinds]))
    return told


def _messages(body: Any) -> list[str]:
    """The messages of Chat, Mistral, Cohere and Ollama."""
    told = []
    for message in body["messages"]:
        calls = [c["function"]["name"] for c in message.get("tool_calls") or ()]
        kinds = [*(["text"] if message.get("content") else ()), *(f"call:{c}" for c in calls)]
        if message["role"] == "tool":
            kinds = ["result:" + (message.get("tool_name") or dict(CALLS)[message["tool_call_id"]])]
        elif message.get("tool_plan"):
            kinds.insert(0, "text")
        told.append(" ".join([message["role"], *kinds]))
    return told


def _items(body: Any) -> list[str]:
    told = []
    for item in body["input"]:
        kind = item.get("type", "message")
        if kind == "message":
            told.append(item["role"])
        else:
            told.append(kind + ":" + dict(CALLS)[item["call_id"]])
    return told


RESULTS = ["tool result:f", "tool result:g", "tool result:h"]
ASSISTANT = ["user text", "assistant text call:f call:g call:h"]
EXPECTED: dict[str, tuple[Callable[[Any], list[str]], list[str]]] = {
    "anthropic": (_blocks, [*ASSISTANT, "user result:f result:g result:h text"]),
    "bedrock": (_blocks, [*ASSISTANT, "user result:f result:g result:h text"]),
    "openai_chat": (_messages, [*ASSISTANT, *RESULTS, "user text"]),
    "mistral": (_messages, [*ASSISTANT, *RESULTS, "user text"]),
    "cohere": (_messages, [*ASSISTANT, *RESULTS, "user text"]),
    "ollama": (_messages, [*ASSISTANT, *RESULTS, "user text"]),
    "openai_responses": (
        _items,
        [
            "user",
            "assistant",
            *(f"function_call:{name}" for name in NAMES),
            *(f"function_call_output:{name}" for name in NAMES),
            "user",
        ],
    ),
    "gemini": (
        _gemini,
        [
            "user text",
            "model text call:f call:g call:h",
            "user result:f result:g result:h",
            "user text",
        ],
    ),
}


def _as_read(name: str, body: bytes) -> list[str]:
    """Tell a request as its own decoder reads it, each result apart."""
    told = []
    for message in wg.PROVIDERS[name].decode_request(body).messages:
        kinds = []
        for block in message.content:
            if type(block) is wg.ToolResultBlock:
                told.append("result:" + dict(CALLS)[block.tool_call_id])
            else:
                kinds.append(f"call:{block.name}" if type(block) is wg.ToolCallBlock else "text")
        if kinds:
            told.append(" ".join([message.role, *kinds]))
    return told


READ = [*ASSISTANT, *(f"result:{name}" for name in NAMES), "user text"]


def _check(target: str, body: bytes) -> None:
    """Compare a request with its row; one of a wire without a row is read again."""
    if target in EXPECTED:
        told, expected = EXPECTED[target]
        assert told(json.loads(body)) == expected
    else:
        assert _as_read(target, body) == READ
        first = wg.PROVIDERS[target].encode_request(_request(next(iter(SPLIT.values()))))
        key = import_module(f"wireglot.providers.{target}.request").REQUESTS._content[-1]
        assert json.loads(body)[key] == json.loads(first)[key]


def _request(messages: list[wg.Message]) -> wg.Request:
    return request(*messages, tools=[wg.Tool(name) for name in NAMES], max_tokens=64)


@pytest.mark.parametrize("target", list(wg.PROVIDERS))
@pytest.mark.parametrize("messages", SPLIT.values(), ids=SPLIT)
def test_from_messages(messages: list[wg.Message], target: str) -> None:
    _check(target, wg.PROVIDERS[target].encode_request(_request(messages)))


@pytest.mark.parametrize("target", list(wg.PROVIDERS))
@pytest.mark.parametrize("source", list(wg.PROVIDERS))
def test_from_each_wire(source: str, target: str) -> None:
    given = _request(SPLIT["a message for each result"])
    body = wg.PROVIDERS[source].encode_request(given)
    _check(target, wg.translate_request(body, source=source, target=target, model="m"))
