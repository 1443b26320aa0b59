"""What a caller changes in one decoded value does not show in another one."""

import pytest

import wireglot as wg

CHAT = (
    b'{"id":"a","object":"chat.completion","created":1,"model":"m","system_fingerprint":"f",'
    b'"choices":[{"index":0,"message":{"role":"assistant","content":"Hi"},"finish_reason":"stop"}],'
    b'"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3}}'
)
ANTHROPIC = (
    b'{"id":"a","type":"message","role":"assistant","model":"m","stop_reason":"end_turn",'
    b'"stop_sequence":null,"content":[{"type":"text","text":"Hi"}],'
    b'"usage":{"input_tokens":1,"output_tokens":2}}'
)
STREAM = (
    b'data: {"candidates":[{"content":{"role":"model","parts":[{"text":"Hi"}]},'
    b'"finishReason":"STOP","index":0}],'
    b'"usageMetadata":{"promptTokenCount":1,"candidatesTokenCount":2,"totalTokenCount":3}}\r\n\r\n'
)


def test_the_extras_of_an_answer_are_its_own() -> None:
    first, second = (wg.providers.openai_chat.decode_response(CHAT) for _ in range(2))
    assert first.extras is not None
    assert second.extras is not None
    first.extras["openai-chat"].keys.value["secret"] = "x"
    assert second.extras["openai-chat"].keys.value == {}


def test_the_extras_of_counts_are_their_own() -> None:
    first = wg.providers.openai_chat.decode_response(CHAT).message.usage
    second = wg.providers.anthropic.decode_response(ANTHROPIC).message.usage
    assert first is not None
    assert second is not None
    assert first.extras is not None
    assert second.extras is not None
    first.extras["openai-chat"].keys.value["secret"] = "x"
    assert second.extras["anthropic-messages"].keys.value == {}


@pytest.mark.parametrize("kind", [wg.StreamStart, wg.UsageUpdate])
def test_counts_that_an_event_told_are_not_those_of_the_answer(kind: type) -> None:
    decoder = wg.providers.gemini.StreamDecoder()
    events = [*decoder.feed(STREAM), *decoder.finish()]
    for event in events:
        if type(event) is kind:
            told = event.usage if type(event) is wg.UsageUpdate else event.response.message.usage
            if told is not None:
                told.input = 999
    end = events[-1]
    assert type(end) is wg.StreamEnd
    assert end.response.message.usage is not None
    assert end.response.message.usage.input == 1
