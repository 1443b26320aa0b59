"""Two calls of an answer that came with one id -> two ids, whole and as a stream."""

from __future__ import annotations

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
