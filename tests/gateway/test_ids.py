"""Providers whose answers have no ids, and repeat themselves: clients see ids that differ."""

from __future__ import annotations

import json
import re
from urllib.request import Request, urlopen

import pytest

import wireglot as wg
from tests.clients.server import Server
from tests.gateway.pairs import STREAM
from wireglot.framing import eventstream

_ARGUMENTS = '{"city": "Bonn"}'
_CALL = f'{{"function":{{"name":"weather","arguments":{_ARGUMENTS}}}}}'
_PARTS = (
    '{"text":"Hm.","thought":true}',
    '{"text":"Let me see."}',
    f'{{"functionCall":{{"name":"weather","args":{_ARGUMENTS}}}}}',
    f'{{"functionCall":{{"name":"weather","args":{_ARGUMENTS}}}}}',
)
_END = '"finishReason":"STOP"'


def _event(name: str, said: str) -> bytes:
    headers = {":event-type": name, ":content-type": "application/json", ":message-type": "event"}
    return eventstream.encode(headers, said.encode())


def _block(number: int, delta: str) -> bytes:
    at = f'"contentBlockIndex":{number}'
    return _event("contentBlockDelta", f'{{{at},"delta":{delta}}}') + _event(
        "contentBlockStop", f"{{{at}}}"
    )


def _used(number: int, call_id: str) -> bytes:
    tool = f'{{"toolUse":{{"toolUseId":"{call_id}","name":"weather"}}}}'
    begun = _event("contentBlockStart", f'{{"contentBlockIndex":{number},"start":{tool}}}')
    return begun + _block(number, f'{{"toolUse":{{"input":{json.dumps(_ARGUMENTS)}}}}}')


# The calls of Bedrock always have ids: `%d` is the number of the turn.
WHOLE: dict[str, str] = {
    "ollama": f'{{"model":"m","created_at":"2026-01-02T03:04:05Z","message":{{"role":"assistant",'
    f'"thinking":"Hm.","content":"Let me see.","tool_calls":[{_CALL},{_CALL}]}},"done":true,'
    '"done_reason":"stop"}',
    "gemini": '{"candidates":[{"content":{"role":"model","parts":['
    f"{','.join(_PARTS)}]}},{_END}}}],"
    '"modelVersion":"m"}',
    "bedrock": '{"output":{"message":{"role":"assistant","content":['
    '{"reasoningContent":{"reasoningText":{"text":"Hm."}}},{"text":"Let me see."},'
    f'{{"toolUse":{{"toolUseId":"a%d","name":"weather","input":{_ARGUMENTS}}}}},'
    f'{{"toolUse":{{"toolUseId":"b%d","name":"weather","input":{_ARGUMENTS}}}}}]}}}},'
    '"stopReason":"tool_use","usage":{"inputTokens":1,"outputTokens":1,"totalTokens":2},'
    '"metrics":{"latencyMs":1}}',
}
_LINE = '{"model":"m","created_at":"2026-01-02T03:04:05Z",%s}\n'
_SAID = '"message":{"role":"assistant","content":"",%s},"done":false'
_CHUNK = 'data: {"candidates":[{"content":{"role":"model","parts":[%s]}%s}],"modelVersion":"m"}\n\n'
STREAMED: dict[str, bytes] = {
    "ollama": (
        _LINE % (_SAID % '"thinking":"Hm."')
        + _LINE % '"message":{"role":"assistant","content":"Let me see."},"done":false'
        + _LINE % (_SAID % f'"tool_calls":[{_CALL}]') * 2
        + _LINE % '"message":{"role":"assistant","content":""},"done":true,"done_reason":"stop"'
    ).encode(),
    "gemini": "".join(
        _CHUNK % (part, end) for part, end in zip(_PARTS, ("", "", "", "," + _END), strict=True)
    ).encode(),
    "bedrock": _event("messageStart", '{"role":"assistant"}')
    + _block(0, '{"reasoningContent":{"text":"Hm."}}')
    + _block(1, '{"text":"Let me see."}')
    + _used(2, "a%d")
    + _used(3, "b%d")
    + _event("messageStop", '{"stopReason":"tool_use"}')
    + _event("metadata", '{"usage":{"inputTokens":1,"outputTokens":1,"totalTokens":2}}'),
}
_ids = re.compile(rb'"(?:id|call_id|toolUseId)": ?"([^"]*)"').findall


def _answer(target: str, turn: int, *, streamed: bool) -> bytes:
    if target != "bedrock":
        return STREAMED[target] if streamed else WHOLE[target].encode()
    if not streamed:
        return (WHOLE[target] % (turn, turn)).encode()
    frames = eventstream.Decoder().feed(STREAMED[target])
    return b"".join(
        eventstream.encode(headers, data.replace(b"%d", b"%d" % turn)) for headers, data in frames
    )


@pytest.mark.parametrize("streamed", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize("target", WHOLE)
@pytest.mark.parametrize("name", wg.PROVIDERS)
def test_no_id_comes_twice(
    name: str, target: str, streamed: bool, provider: Server, gateway: str
) -> None:
    client = wg.PROVIDERS[name]
    messages: list[wg.Message] = [wg.UserMessage([wg.TextBlock("How is Bonn?")])]
    tools = [wg.Tool("weather", parameters={"type": "object"})]
    seen: set[bytes] = set()
    for turn in range(3):
        request = wg.Request(
            messages, f"to-{target}", tools=tools, max_tokens=2048, stream=streamed
        )
        kind = STREAM[target] if streamed else "application/json"
        provider.answers(kind, _answer(target, turn, streamed=streamed))
        to = client.route(request)
        body = client.encode_request(request, losses=[])
        headers = {"content-type": "application/json", **to.headers}
        with urlopen(Request(f"{gateway}/{name}{to.path}", body, headers)) as said:
            answer = said.read()
        found = _ids(answer)
        ids = {*found}
        assert b"" not in ids
        assert streamed or len(found) == len(ids)
        assert not ids & seen
        seen |= ids
        if streamed:
            decoder = client.StreamDecoder()
            decoder.feed(answer)
            message = decoder.close().message
        else:
            message = client.decode_response(answer).message
        calls = message.tool_calls()
        assert [call.arguments.value for call in calls] == [{"city": "Bonn"}] * 2
        results = [
            wg.ToolResultBlock.from_text(call.id, f"{turn}.{number}")
            for number, call in enumerate(calls)
        ]
        messages += [message, wg.ToolMessage([*results])]
    asked = provider.asked[-1]
    _check_results(wg.PROVIDERS[target].decode_request(asked.body, asked.path))


def _check_results(request: wg.Request) -> None:
    """Check that each result of the first two turns has the id of its call."""
    calls = [call.id for m in request.messages if m.role == "assistant" for call in m.tool_calls()]
    assert len({*calls}) == len(calls) == 4
    results = [
        (block.tool_call_id, block.content[0].text)
        for message in request.messages
        for block in message.content
        if type(block) is wg.ToolResultBlock
    ]
    assert results == list(zip(calls, ["0.0", "0.1", "1.0", "1.1"], strict=True))
