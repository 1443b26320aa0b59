"""Two calls of an answer that came with one id -> two ids, whole and as a stream."""

from __future__ import annotations

import json

import pytest

import wireglot as wg
from tests.field.frames import COUNTS, chunk, framed

_CALL = '{"id":"call_0","type":"function","function":{"name":"f","arguments":"{}"}}'
_ANSWER = (
    '{"id":"c1","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,'
    f'"message":{{"role":"assistant","content":null,"tool_calls":[{_CALL},{_CALL},{_CALL}]}},'
    '"finish_reason":"tool_calls"}]}'
).encode()
_STREAM = framed(
    "openai_chat",
    [
        chunk('{"role":"assistant","content":""}'),
        *(chunk(f'{{"tool_calls":[{{"index":{i},{_CALL[1:]}]}}') for i in range(3)),
        chunk("{}", '"tool_calls"'),
        COUNTS,
        "[DONE]",
    ],
)
# How the wire writes each of the ids in an answer; a stream of Chat begins a call with the same.
_WIRES = {
    "anthropic": '"id":"{}","name":"f"',
    "bedrock": '"toolUseId":"{}","name":"f"',
    "cohere": '"id":"{}","type":"function"',
    "gemini": '"args":{{}},"id":"{}"',
    "openai_chat": '"id":"{}","type":"function"',
    "openai_responses": '"call_id":"{}","name":"f"',
}


@pytest.mark.parametrize("wire", _WIRES)
@pytest.mark.parametrize("streamed", [False, True], ids=["whole", "streamed"])
def test_calls_of_one_id_get_their_own(wire: str, streamed: bool) -> None:
    losses: list[wg.Loss] = []
    if streamed:
        translator = wg.StreamTranslator("openai_chat", wire, losses=losses)
        made = translator.feed(_STREAM) + translator.close()
    else:
        made = wg.translate_response(_ANSWER, "openai_chat", wire, losses=losses)
    text = made.decode(errors="replace")
    for call_id in ("call_0", "call_0_1", "call_0_2"):
        assert _WIRES[wire].format(call_id) in text
    assert losses == []


def test_ids_of_alternatives_may_be_the_same() -> None:
    choice = _ANSWER[_ANSWER.index(b'{"index":0') : -2].replace(f"{_CALL},".encode(), b"")
    two = (
        _ANSWER.replace(f"{_CALL},".encode(), b"")[:-2]
        + b","
        + choice.replace(b'"index":0', b'"index":1')
        + b"]}"
    )
    made = wg.translate_response(two, "openai_chat", "openai_chat")
    assert made.count(b'"id":"call_0"') == 2


# -- items that are made of another API's blocks -----------------------------------------------

_SHELL = {"shell": wg.ToolName("shell", "shell")}
_RUN = '{"toolUse":{"toolUseId":"t1","name":"shell","input":{"commands":["ls"]}}}'
_TWICE = (
    '{"output":{"message":{"role":"assistant","content":[' + _RUN + "," + _RUN + "]}},"
    '"stopReason":"tool_use","usage":{"inputTokens":1,"outputTokens":1,"totalTokens":2}}'
)
_IMAGE = '{"inlineData":{"mimeType":"image/png","data":"iVBORw0KGgo="}}'
_ALIKE = (
    '{"candidates":[{"content":{"role":"model","parts":[' + _IMAGE + "," + _IMAGE + "]},"
    '"finishReason":"STOP","index":0}]}'
)


def _items(text: bytes) -> list[tuple[str, str | None]]:
    return [(item["id"], item.get("call_id")) for item in json.loads(text)["output"]]


def test_two_calls_of_a_shell_that_have_one_id_get_ids_of_their_own() -> None:
    text = wg.translate_response(_TWICE, "bedrock", "openai_responses", losses=[], names=_SHELL)
    assert _items(text) == [("sh_t1", "t1"), ("sh_t1_1", "t1_1")]


def test_two_images_that_are_alike_get_ids_of_their_own() -> None:
    text = wg.translate_response(_ALIKE, "gemini", "openai_responses", losses=[])
    # the SHA-256 of the base64
    first = "ig_929e08d597feae564ce98003c4a47ff5"
    assert _items(text) == [(first, None), (f"{first}_1", None)]


def test_two_calls_of_a_shell_in_a_stream_get_ids_of_their_own() -> None:
    def event(kind: str, keys: str) -> str:
        return f'event: {kind}\ndata: {{"type":"{kind}",{keys}}}\n\n'

    text = event(
        "message_start",
        '"message":{"id":"m","type":"message","role":"assistant","model":"c","content":[],'
        '"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}',
    )
    for index in (0, 1):
        call = '{"type":"tool_use","id":"t1","name":"shell","input":{}}'
        text += event("content_block_start", f'"index":{index},"content_block":{call}')
        delta = '{"type":"input_json_delta","partial_json":"{\\"commands\\":[\\"ls\\"]}"}'
        text += event("content_block_delta", f'"index":{index},"delta":{delta}')
        text += event("content_block_stop", f'"index":{index}')
    text += event(
        "message_delta",
        '"delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"output_tokens":2}',
    )
    text += 'event: message_stop\ndata: {"type":"message_stop"}\n\n'
    translator = wg.StreamTranslator("anthropic", "openai_responses", losses=[], names=_SHELL)
    frames = (translator.feed(text.encode()) + translator.close()).decode().split("\n")
    said = [json.loads(line[6:]) for line in frames if line.startswith("data: {")]
    added = [it["item"] for it in said if it["type"] == "response.output_item.added"]
    whole = said[-1]["response"]["output"]
    expected = [("sh_t1", "t1"), ("sh_t1_1", "t1_1")]
    assert [(item["id"], item["call_id"]) for item in added] == expected
    assert [(item["id"], item["call_id"]) for item in whole] == expected
