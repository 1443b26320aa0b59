"""A client behind the gateway gets calls by its own names, and of its own kinds of tools."""

from __future__ import annotations

import json
from typing import Final
from urllib.request import Request, urlopen

import pytest

import wireglot as wg
from tests.clients.server import Server
from tests.gateway.pairs import STREAM
from wireglot.framing import eventstream

LONG: Final = "mcp__" + "a" * 80
SENT: Final = "mcp__" + "a" * 50 + "_b5624b8b"
BODY: Final = {
    "model": "to-bedrock",
    "input": "Hi",
    "tools": [
        {"type": "function", "name": LONG, "parameters": {"type": "object", "properties": {}}},
        {"type": "custom", "name": "apply_patch"},
    ],
}
ANSWER: Final = (
    b'{"output":{"message":{"role":"assistant","content":['
    b'{"toolUse":{"toolUseId":"c1","name":"%b","input":{}}},'
    b'{"toolUse":{"toolUseId":"c2","name":"apply_patch","input":{"input":"+ a"}}}]}},'
    b'"stopReason":"tool_use","usage":{"inputTokens":1,"outputTokens":1,"totalTokens":2},'
    b'"metrics":{"latencyMs":1}}' % SENT.encode()
)


def event(name: str, data: str) -> bytes:
    headers = {":event-type": name, ":content-type": "application/json", ":message-type": "event"}
    return eventstream.encode(headers, data.encode())


def called(number: int, name: str, arguments: str) -> bytes:
    at = f'"contentBlockIndex":{number}'
    use = f'{{"toolUse":{{"toolUseId":"c{number + 1}","name":"{name}"}}}}'
    delta = f'{{"toolUse":{{"input":{json.dumps(arguments)}}}}}'
    return (
        event("contentBlockStart", f'{{{at},"start":{use}}}')
        + event("contentBlockDelta", f'{{{at},"delta":{delta}}}')
        + event("contentBlockStop", f"{{{at}}}")
    )


STREAMED: Final = (
    event("messageStart", '{"role":"assistant"}')
    + called(0, SENT, "{}")
    + called(1, "apply_patch", '{"input":"+ a"}')
    + event("messageStop", '{"stopReason":"tool_use"}')
    + event("metadata", '{"usage":{"inputTokens":1,"outputTokens":1,"totalTokens":2}}')
)


def asked(gateway: str, body: dict[str, object]) -> bytes:
    headers = {"content-type": "application/json"}
    url = f"{gateway}/openai_responses/v1/responses"
    with urlopen(Request(url, json.dumps(body).encode(), headers)) as answer:
        assert "x-wireglot-losses" not in answer.headers
        data: bytes = answer.read()
        return data


@pytest.mark.parametrize("streamed", [False, True], ids=["whole", "streamed"])
def test_the_client_gets_its_own_names(streamed: bool, provider: Server, gateway: str) -> None:
    kind = STREAM["bedrock"] if streamed else "application/json"
    provider.answers(kind, STREAMED if streamed else ANSWER)
    said = asked(gateway, {**BODY, "stream": streamed})
    sent = json.loads(provider.asked[-1].body)
    names = [tool["toolSpec"]["name"] for tool in sent["toolConfig"]["tools"]]
    assert names == [SENT, "apply_patch"]
    decoder = wg.providers.openai_responses.StreamDecoder()
    if streamed:
        decoder.feed(said)
        message = decoder.close().message
    else:
        message = wg.providers.openai_responses.decode_response(said).message
    calls = [(call.name, call.tool_type, call.arguments.text) for call in message.tool_calls()]
    assert calls == [(LONG, None, b"{}"), ("apply_patch", "custom", b"+ a")]
