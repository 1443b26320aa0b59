"""Counts in which reasoning is larger than the answer -> on each wire it is part of the answer.

The usage of Perplexity's deep research counts reasoning outside of `completion_tokens`.
"""

import json
from typing import Any

import pytest

import wireglot as wg

PERPLEXITY = (
    '{"prompt_tokens":33,"completion_tokens":11395,"total_tokens":11428,"reasoning_tokens":193947}'
)
CHAT = (
    '{"id":"a","object":"chat.completion","created":0,"model":"m","choices":[{"index":0,'
    '"message":{"role":"assistant","content":"Hi","refusal":null},"logprobs":null,'
    f'"finish_reason":"stop"}}],"usage":{PERPLEXITY}}}'
)
# provider -> the key of the usage, and the usage of that answer there. What a wire without a row
# writes is read with its own decoder.
WRITTEN: dict[str, tuple[str, str]] = {
    "anthropic": (
        "usage",
        '{"input_tokens":33,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,'
        '"output_tokens":205342,"output_tokens_details":{"thinking_tokens":193947}}',
    ),
    "openai_chat": ("usage", PERPLEXITY),
    "openai_responses": (
        "usage",
        '{"input_tokens":33,"input_tokens_details":{"cached_tokens":0,"cache_write_tokens":0},'
        '"output_tokens":205342,"output_tokens_details":{"reasoning_tokens":193947},'
        '"total_tokens":205375}',
    ),
    "gemini": (
        "usageMetadata",
        '{"promptTokenCount":33,"candidatesTokenCount":11395,"thoughtsTokenCount":193947,'
        '"totalTokenCount":205375}',
    ),
    "bedrock": ("usage", '{"inputTokens":33,"outputTokens":205342,"totalTokens":205375}'),
    "mistral": (
        "usage",
        '{"prompt_tokens":33,"completion_tokens":205342,"total_tokens":205375,'
        '"completion_tokens_details":{"reasoning_tokens":193947}}',
    ),
    "cohere": (
        "usage",
        '{"billed_units":{"input_tokens":33,"output_tokens":205342},"tokens":'
        '{"input_tokens":33,"output_tokens":205342,"reasoning_tokens":193947},'
        '"cached_tokens":0}',
    ),
    "ollama": ("eval_count", "205342"),
}
# provider -> an answer with a usage, of which reasoning is larger than the answer
READ: dict[str, str] = {
    "anthropic": '{"type":"message","role":"assistant","content":[],"stop_reason":"end_turn",'
    '"usage":{"input_tokens":1,"output_tokens":3,"output_tokens_details":{"thinking_tokens":4}}}',
    "openai_chat": '{"choices":[{"index":0,"message":{"role":"assistant","content":"Hi"},'
    '"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":3,'
    '"total_tokens":4,"completion_tokens_details":{"reasoning_tokens":4}}}',
    "openai_responses": '{"object":"response","output":[],"status":"completed","usage":'
    '{"input_tokens":1,"output_tokens":3,"output_tokens_details":{"reasoning_tokens":4}}}',
    "mistral": '{"choices":[{"index":0,"message":{"role":"assistant","content":"Hi"},'
    '"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":3,'
    '"total_tokens":4,"completion_tokens_details":{"reasoning_tokens":4}}}',
    "cohere": '{"id":"a","finish_reason":"COMPLETE","message":{"role":"assistant","content":[]},'
    '"usage":{"tokens":{"input_tokens":1,"output_tokens":3,"reasoning_tokens":4}}}',
}


@pytest.mark.parametrize("name", wg.PROVIDERS)
def test_reasoning_beside_the_answer_becomes_part_of_it(name: str) -> None:
    losses: list[wg.Loss] = []
    made = wg.translate_response(CHAT, "openai_chat", name, losses=losses)
    usage = wg.PROVIDERS[name].decode_response(made).message.usage
    assert usage is not None
    assert (usage.input, usage.output) == (33, 205342)
    if name in WRITTEN:
        key, expected = WRITTEN[name]
        assert json.loads(made)[key] == json.loads(expected)


def test_the_same_wire_gets_the_counts_as_they_came() -> None:
    assert (
        f'"usage":{PERPLEXITY}'
        in wg.translate_response(CHAT, "openai_chat", "openai_chat").decode()
    )


@pytest.mark.parametrize("name", READ)
def test_more_reasoning_than_answer_is_added(name: str) -> None:
    response = wg.PROVIDERS[name].decode_response(READ[name])
    usage = response.message.usage
    assert usage is not None
    assert (usage.input, usage.output, usage.reasoning) == (1, 7, 4)
    came = json.loads(READ[name])["usage"]
    assert json.loads(wg.PROVIDERS[name].encode_response(response))["usage"] == came


@pytest.mark.parametrize("said", [4, 5], ids=["as much as the answer", "less than the answer"])
def test_reasoning_that_fits_into_the_answer_is_part_of_it(said: int) -> None:
    body = READ["openai_chat"].replace('"completion_tokens":3', f'"completion_tokens":{said}')
    usage = wg.providers.openai_chat.decode_response(body).message.usage
    assert usage is not None
    assert (usage.output, usage.reasoning) == (said, 4)


def test_a_stream_counts_as_its_answer_does() -> None:
    decoder = wg.providers.openai_chat.StreamDecoder()
    events = decoder.feed(
        b'data: {"choices":[{"index":0,"delta":{"role":"assistant","content":"Hi"},'
        b'"finish_reason":"stop"}]}\n\n'
        b'data: {"choices":[],"usage":%s}\n\ndata: [DONE]\n\n' % PERPLEXITY.encode()
    )
    updates = [event.usage for event in events if type(event) is wg.UsageUpdate]
    assert [(usage.output, usage.reasoning) for usage in updates] == [(205342, 193947)]


def _numbers(value: Any) -> list[float]:
    """List the numbers in a JSON value."""
    if isinstance(value, dict):
        return [number for inner in value.values() for number in _numbers(inner)]
    return [value] if type(value) in (int, float) else []


# what does not add up -> the counts
ODD: dict[str, wg.Usage] = {
    "more reasoning than answer": wg.Usage(input=2, output=3, reasoning=4),
    "more audio than input": wg.Usage(input=2, output=3, audio_tokens=9),
    "more audio than input, by the total": wg.Usage(
        input=2, output=3, cache_read=1, total_tokens=6, audio_tokens=9
    ),
    "more from the cache than in all": wg.Usage(input=0, output=1, cache_read=9, total_tokens=2),
}


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("name", wg.PROVIDERS)
def test_no_count_is_negative(name: str, odd: str) -> None:
    message = wg.AssistantMessage([wg.TextBlock("Hi")], usage=ODD[odd], model="m")
    made = json.loads(wg.PROVIDERS[name].encode_response(wg.Response(message, id="a"), losses=[]))
    assert min(_numbers(made)) >= 0


def test_the_counts_of_gemini_add_up() -> None:
    usage = wg.Usage(input=2, output=3, reasoning=4)
    message = wg.AssistantMessage([wg.TextBlock("Hi")], usage=usage, model="m")
    made = wg.providers.gemini.encode_response(wg.Response(message))
    assert (
        b'"usageMetadata":{"promptTokenCount":2,"candidatesTokenCount":0,'
        b'"thoughtsTokenCount":4,"totalTokenCount":6}'
    ) in made
