"""A key that nobody knows and that is null says nothing: it is neither content nor a loss."""

import json

import pytest

import wireglot as wg
from wireglot.framing import eventstream

URL = "/model/m/converse"


def _request(source: str, target: str, data: bytes) -> tuple[bytes, list[str]]:
    losses: list[wg.Loss] = []
    path = URL if source == "bedrock" else None
    made = wg.translate_request(data, source, target, losses=losses, path=path)
    return made, [f"{loss.path} {loss.what}" for loss in losses]


def _stream(source: str, target: str, data: bytes) -> tuple[bytes, list[str]]:
    losses: list[wg.Loss] = []
    translator = wg.StreamTranslator(source, target, losses=losses)
    made = translator.feed(data) + translator.close()
    return made, [f"{loss.path} {loss.what}" for loss in losses]


BEDROCK = (
    b'{"toolConfig":{"tools":[{"toolSpec":{"name":"f","inputSchema":{"json":{}}}}],'
    b'"toolChoice":{"auto":{},"zz":null}},"messages":['
    b'{"role":"user","content":[{"text":"hi","zz":null}]},'
    b'{"role":"assistant","content":[{"toolUse":{"toolUseId":"a","name":"f","input":{}},'
    b'"zz":{"y":[null]}}]},'
    b'{"role":"user","content":[{"toolResult":{"toolUseId":"a","content":['
    b'{"text":"r","zz":null}]},"zz":null}]}]}'
)


def test_a_union_of_bedrock_with_a_null_key_has_one_member() -> None:
    assert _request("bedrock", "anthropic", BEDROCK) == (
        b'{"model":"m","max_tokens":8192,"tools":[{"name":"f","input_schema":{"type":"object"}}],'
        b'"tool_choice":{"type":"auto"},"messages":['
        b'{"role":"user","content":[{"type":"text","text":"hi"}]},'
        b'{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]},'
        b'{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":'
        b'[{"type":"text","text":"r"}]}]}]}',
        [],
    )


def test_on_its_own_wire_a_null_key_of_a_block_goes_back() -> None:
    made, losses = _request("bedrock", "bedrock", BEDROCK)
    assert losses == []
    assert json.loads(made)["messages"] == json.loads(BEDROCK)["messages"]


@pytest.mark.parametrize("block", [b'{"zz":{}}', b'{"zz":null}', b'{"text":"hi","zz":{}}'])
def test_a_key_that_is_not_null_or_is_alone_keeps_a_block_opaque(block: bytes) -> None:
    body = b'{"messages":[{"role":"user","content":[{"text":"x"},%b]}]}' % block
    assert _request("bedrock", "anthropic", body)[1] == ["$.messages[0].content[1] opaque block"]
    assert block in _request("bedrock", "bedrock", body)[0]


def test_an_answer_of_bedrock_with_a_null_key_keeps_its_text() -> None:
    data = (
        b'{"output":{"message":{"role":"assistant","content":[{"text":"Hi","zz":null}]}},'
        b'"stopReason":"end_turn","usage":{"inputTokens":1,"outputTokens":1,"totalTokens":2,'
        b'"zz":null}}'
    )
    for target in wg.PROVIDERS:
        losses: list[wg.Loss] = []
        made = wg.translate_response(data, "bedrock", target, losses=losses)
        assert losses == []
        assert b'"Hi"' in made


ODD_PARTS = {
    "cohere": (
        b'{"model":"m","messages":[{"role":"user","content":"q"},{"role":"assistant","tool_calls":'
        b'[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]},'
        b'{"role":"tool","tool_call_id":"a","content":[{"type":"document","document":'
        b'{"data":{"text":"words"},"zz":null}}]}]}',
        b'"words"',
    ),
    "mistral": (
        b'{"model":"m","messages":[{"role":"user","content":"q"},{"role":"assistant","content":'
        b'[{"type":"thinking","thinking":[{"type":"text","text":"words","zz":null}]},'
        b'{"type":"text","text":"a"}]},{"role":"user","content":"q"}]}',
        b'"thinking":"words"',
    ),
    "openai_responses": (
        b'{"model":"m","input":[{"role":"user","content":"q"},{"type":"reasoning","id":"rs",'
        b'"summary":[{"type":"summary_text","text":"words","zz":null}]},'
        b'{"role":"assistant","content":"a"},{"role":"user","content":"q"}]}',
        b'"thinking":"words"',
    ),
}


@pytest.mark.parametrize("source", ODD_PARTS)
def test_a_null_key_makes_no_part_opaque(source: str) -> None:
    data, words = ODD_PARTS[source]
    made, losses = _request(source, "ollama", data)
    assert words in made
    assert "opaque" not in "".join(losses)


# Streams.


def _events(*parts: tuple[str, bytes]) -> bytes:
    return b"".join(
        eventstream.encode({":event-type": kind, ":message-type": "event"}, data)
        for kind, data in parts
    )


def _sse(*parts: bytes) -> bytes:
    return b"".join(b"data: %b\n\n" % part for part in parts)


STREAMS = {
    "anthropic": _sse(
        b'{"type":"message_start","message":{"id":"x","type":"message","role":"assistant",'
        b'"model":"m","content":[],"stop_reason":null,"stop_sequence":null,"zz":null,'
        b'"usage":{"input_tokens":1,"output_tokens":1,"zz":null}},"zz":null}',
        b'{"type":"content_block_start","index":0,"content_block":{"type":"text","text":"",'
        b'"zz":null},"zz":null}',
        b'{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hi",'
        b'"zz":null},"zz":{"a":[null]}}',
        b'{"type":"content_block_stop","index":0,"zz":null}',
        b'{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null,'
        b'"zz":null},"usage":{"output_tokens":2,"zz":null},"zz":null}',
        b'{"type":"message_stop","zz":null}',
    ),
    "bedrock": _events(
        ("messageStart", b'{"role":"assistant","zz":null}'),
        ("contentBlockDelta", b'{"contentBlockIndex":0,"delta":{"text":"Hi","zz":null},"z":null}'),
        ("contentBlockDelta", b'{"contentBlockIndex":0,"delta":{"zz":null}}'),
        ("contentBlockDelta", b'{"contentBlockIndex":0,"delta":{"reasoningContent":{"z":null}}}'),
        ("contentBlockStop", b'{"contentBlockIndex":0,"zz":null}'),
        (
            "contentBlockStart",
            b'{"contentBlockIndex":1,"start":{"toolUse":{"toolUseId":"a","name":"f","zz":null},'
            b'"zz":null},"zz":null}',
        ),
        (
            "contentBlockDelta",
            b'{"contentBlockIndex":1,"delta":{"toolUse":{"input":"{}","zz":null},"zz":null}}',
        ),
        ("contentBlockStop", b'{"contentBlockIndex":1,"zz":null}'),
        ("contentBlockStart", b'{"contentBlockIndex":2,"start":{"zz":null}}'),
        ("contentBlockStop", b'{"contentBlockIndex":2}'),
        ("messageStop", b'{"stopReason":"tool_use","zz":null}'),
        (
            "metadata",
            b'{"usage":{"inputTokens":1,"outputTokens":1,"totalTokens":2,"zz":null},"zz":null}',
        ),
    ),
    "cohere": _sse(
        b'{"type":"message-start","id":"x","delta":{"message":{"role":"assistant","content":[],'
        b'"tool_plan":"","tool_calls":[],"citations":[],"zz":null},"zz":null},"zz":null}',
        b'{"type":"content-start","index":0,"delta":{"message":{"content":{"type":"text",'
        b'"text":"","zz":null},"zz":null},"zz":null},"zz":null}',
        b'{"type":"content-delta","index":0,"delta":{"message":{"content":{"text":"Hi",'
        b'"zz":null},"zz":null},"zz":null},"zz":null}',
        b'{"type":"content-end","index":0,"zz":null}',
        b'{"type":"tool-call-start","index":0,"delta":{"message":{"tool_calls":{"id":"a",'
        b'"type":"function","function":{"name":"f","arguments":"","zz":null},"zz":null},'
        b'"zz":null},"zz":null},"zz":null}',
        b'{"type":"tool-call-delta","index":0,"delta":{"message":{"tool_calls":{"function":'
        b'{"arguments":"{}","zz":null},"zz":null},"zz":null},"zz":null},"zz":null}',
        b'{"type":"tool-call-end","index":0,"zz":null}',
        b'{"type":"message-end","delta":{"finish_reason":"TOOL_CALL","usage":{"tokens":'
        b'{"input_tokens":1,"output_tokens":1,"zz":null},"zz":null},"zz":null},"zz":null}',
    ),
}


@pytest.mark.parametrize(("source", "target"), [(a, b) for a in STREAMS for b in wg.PROVIDERS])
def test_null_keys_in_a_stream_are_no_loss(source: str, target: str) -> None:
    made, losses = _stream(source, target, STREAMS[source])
    assert losses == []
    assert b"Hi" in made
