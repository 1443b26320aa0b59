"""The total of an answer's tokens, also on the wires whose API reports none."""

from __future__ import annotations

import json
from typing import Any

import pytest

import wireglot as wg
from tests.clients.turn import RESPONSES, STREAMS

WITHOUT = {
    "anthropic": (
        '{"id":"m","type":"message","role":"assistant","model":"claude-sonnet-4-5","content":[],'
        '"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":5,'
        '"cache_creation_input_tokens":3,"cache_read_input_tokens":100,"output_tokens":20}}',
        128,
    ),
    "openai_chat": (
        '{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,'
        '"message":{"role":"assistant","content":"a"},"finish_reason":"stop"}],"usage":'
        '{"prompt_tokens":100,"completion_tokens":20,"prompt_tokens_details":{"cached_tokens":80}}}',
        120,
    ),
    "bedrock": (
        '{"output":{"message":{"role":"assistant","content":[]}},"stopReason":"end_turn",'
        '"usage":{"inputTokens":5,"outputTokens":20,"cacheReadInputTokens":100}}',
        125,
    ),
    "cohere": (
        '{"id":"c","message":{"role":"assistant","content":[{"type":"text","text":"a"}]},'
        '"finish_reason":"COMPLETE","usage":{"tokens":{"input_tokens":100,"output_tokens":20},'
        '"cached_tokens":80}}',
        120,
    ),
    "ollama": (
        '{"model":"m","created_at":"2026-01-01T00:00:00Z","message":{"role":"assistant",'
        '"content":"a"},"done":true,"done_reason":"stop","prompt_eval_count":5,"eval_count":20}',
        25,
    ),
}
"""Answers without a total, and all of their tokens, cached ones included."""


@pytest.mark.parametrize("wire", RESPONSES)
def test_an_answer_has_a_total_on_every_wire(wire: str) -> None:
    usage = wg.PROVIDERS[wire].decode_response(RESPONSES[wire]).message.usage
    assert usage is not None
    assert usage.total_tokens == 29


@pytest.mark.parametrize("size", [1, 10_000])
@pytest.mark.parametrize("wire", STREAMS)
def test_a_stream_ends_with_a_total_on_every_wire(wire: str, size: int) -> None:
    decoder = wg.PROVIDERS[wire].StreamDecoder()
    data = STREAMS[wire]
    events = [e for at in range(0, len(data), size) for e in decoder.feed(data[at : at + size])]
    usage = decoder.close().message.usage
    assert usage is not None
    assert usage.total_tokens == 29
    updates = [event.usage for event in events if isinstance(event, wg.UsageUpdate)]
    assert {update.total_tokens for update in updates} <= {29}


@pytest.mark.parametrize(("wire", "data", "total"), [(w, *v) for w, v in WITHOUT.items()])
def test_a_total_that_the_api_does_not_report_is_the_sum(wire: str, data: str, total: int) -> None:
    usage = wg.PROVIDERS[wire].decode_response(data).message.usage
    assert usage is not None
    assert usage.total_tokens == total


def _usage_in(body: Any) -> Any:
    return {key: body[key] for key in ("usage", "prompt_eval_count", "eval_count") if key in body}


@pytest.mark.parametrize(("wire", "data"), [(wire, data) for wire, (data, _) in WITHOUT.items()])
def test_the_sum_is_not_written_to_the_wire_that_had_none(wire: str, data: str) -> None:
    provider = wg.PROVIDERS[wire]
    answer = provider.decode_response(data)
    assert _usage_in(json.loads(provider.encode_response(answer))) == _usage_in(json.loads(data))
    assert answer.message.usage is not None
    answer.message.usage.total_tokens = 0  # as an earlier version has stored it
    assert _usage_in(json.loads(provider.encode_response(answer))) == _usage_in(json.loads(data))


def test_a_count_that_has_changed_is_written_anew() -> None:
    provider = wg.providers.anthropic
    answer = provider.decode_response(WITHOUT["anthropic"][0])
    assert answer.message.usage is not None
    answer.message.usage.output = 21
    made = json.loads(provider.encode_response(answer))["usage"]
    assert (made["output_tokens"], made["input_tokens"]) == (21, 5)


@pytest.mark.parametrize(
    ("target", "total"),
    [
        ("openai_chat", lambda body: body["usage"]["total_tokens"]),
        ("openai_responses", lambda body: body["usage"]["total_tokens"]),
        ("gemini", lambda body: body["usageMetadata"]["totalTokenCount"]),
        ("bedrock", lambda body: body["usage"]["totalTokens"]),
        ("mistral", lambda body: body["usage"]["total_tokens"]),
    ],
)
def test_another_wire_has_the_total_of_its_own_counts(target: str, total: Any) -> None:
    made = wg.translate_response(WITHOUT["anthropic"][0], "anthropic", target, losses=[])
    assert total(json.loads(made)) == 128


def test_sums_over_answers_of_several_wires_are_not_too_low() -> None:
    sums = wg.Usage()
    for wire, (data, _) in WITHOUT.items():
        usage = wg.PROVIDERS[wire].decode_response(data).message.usage
        assert usage is not None
        sums = sums.combine(usage)
    assert sums.total_tokens == 128 + 120 + 125 + 120 + 25


def test_usage_that_was_stored_without_a_total_counts_in_a_sum() -> None:
    stored = wg.json.decode(b'{"input":5,"output":2,"cache_read":3,"total_tokens":0}', wg.Usage)
    assert stored.combine(wg.Usage(1, 1, total_tokens=2)).total_tokens == 12
    assert wg.json.encode(stored).endswith(b'"total_tokens":0}')
