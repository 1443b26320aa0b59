"""The time of an answer whose provider names none: the gateway's clock has it."""

from __future__ import annotations

import json
import re
import urllib.request
from time import perf_counter, time
from typing import Any

import ollama
import pytest

import wireglot as wg
from tests.clients.server import Server
from tests.clients.turn import PLAIN, STREAMS
from tests.gateway.pairs import STREAM

ASKED = {
    "openai_chat": ("/v1/chat/completions", {"messages": [{"role": "user", "content": "Hi"}]}),
    "openai_responses": ("/v1/responses", {"input": "Hi"}),
    "mistral": ("/v1/chat/completions", {"messages": [{"role": "user", "content": "Hi"}]}),
    "ollama": ("/api/chat", {"messages": [{"role": "user", "content": "Hi"}]}),
}
TIMELESS = ("anthropic", "bedrock", "cohere")
TIME = re.compile(rb'"created(?:_at)?":("[^"]+"|[0-9.]+)')
every_pair = pytest.mark.parametrize(
    ("name", "target"), [(name, target) for name in ASKED for target in TIMELESS]
)


def _answer(gateway: str, name: str, target: str, *, streamed: bool) -> bytes:
    path, body = ASKED[name]
    asked = {"model": f"to-{target}", "stream": streamed, **body}
    request = urllib.request.Request(
        f"{gateway}/{name}{path}",
        json.dumps(asked).encode(),
        {"content-type": "application/json"},
    )
    with urllib.request.urlopen(request) as response:
        data: bytes = response.read()
    return data


@every_pair
def test_an_answer_is_of_now(name: str, target: str, gateway: str, provider: Server) -> None:
    provider.answers("application/json", PLAIN[target].encode())
    before = int(time()) * 1000
    data = _answer(gateway, name, target, streamed=False)
    created = wg.PROVIDERS[name].decode_response(data).created_at
    assert created is not None
    assert before <= created <= time() * 1000 + 1


@every_pair
def test_each_piece_of_a_stream_is_of_the_same_time(
    name: str, target: str, gateway: str, provider: Server
) -> None:
    provider.answers(STREAM[target], STREAMS[target])
    before = int(time()) * 1000
    data = _answer(gateway, name, target, streamed=True)
    assert len(set(TIME.findall(data))) == 1
    decoder = wg.PROVIDERS[name].StreamDecoder()
    decoder.feed(data)
    created = decoder.close().created_at
    assert created is not None
    assert before <= created <= time() * 1000 + 1


def test_the_providers_own_time_is_kept(gateway: str, provider: Server) -> None:
    provider.answers("application/json", PLAIN["ollama"].encode())
    made = wg.providers.openai_chat.decode_response(
        _answer(gateway, "openai_chat", "ollama", streamed=False)
    )
    own = wg.providers.ollama.decode_response(PLAIN["ollama"].encode())
    assert own.created_at is not None
    assert made.created_at == own.created_at // 1000 * 1000


def test_a_time_that_the_gateway_gives_is_a_whole_number(gateway: str, provider: Server) -> None:
    told = b'{"id":"a","created":0,"model":"m","choices":[{"index":0,"finish_reason":"stop",'
    told += b'"message":{"role":"assistant","content":"Hi"}}]}'
    provider.answers("application/json", told)
    data = _answer(gateway, "openai_responses", "openai_chat", streamed=False)
    assert type(json.loads(data)["created_at"]) is int


@pytest.mark.parametrize("streamed", [False, True])
def test_a_client_of_ollama_can_compute_with_durations(
    streamed: bool, gateway: str, provider: Server
) -> None:
    kind = STREAM["anthropic"] if streamed else "application/json"
    answer = STREAMS["anthropic"] if streamed else PLAIN["anthropic"].encode()
    provider.answers(kind, answer)
    before = perf_counter()
    with ollama.Client(gateway) as client:
        asked: Any = {"model": "to-anthropic", "messages": [{"role": "user", "content": "Hi"}]}
        if streamed:
            *_, last = client.chat(**asked, stream=True)
        else:
            last = client.chat(**asked)
    total, loading = last.total_duration, last.load_duration
    assert loading == 0
    assert total
    assert last.prompt_eval_duration  # clients divide by these
    assert last.eval_duration
    assert total <= (perf_counter() - before) * 1e9
    assert max(last.prompt_eval_duration, last.eval_duration) <= total
    if streamed:
        assert abs(last.prompt_eval_duration + last.eval_duration - total) < 10
    else:
        assert last.eval_duration == total


def test_an_answer_of_ollama_keeps_its_own_durations(gateway: str, provider: Server) -> None:
    told = PLAIN["ollama"].replace("{", '{"total_duration":5,"eval_duration":3,', 1)
    provider.answers("application/json", told.encode())
    data = json.loads(_answer(gateway, "ollama", "ollama", streamed=False))
    assert (data["total_duration"], data["eval_duration"]) == (5, 3)
    assert "load_duration" not in data


@pytest.mark.parametrize("end", ["converse", "converse-stream"])
def test_a_client_of_bedrock_is_told_the_latency(
    end: str, gateway: str, provider: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wireglot.gateway.telemetry.perf_counter", iter(range(9000)).__next__)
    is_stream = end == "converse-stream"
    kind = STREAM["anthropic"] if is_stream else "application/json"
    provider.answers(kind, STREAMS["anthropic"] if is_stream else PLAIN["anthropic"].encode())
    request = urllib.request.Request(
        f"{gateway}/model/to-anthropic/{end}",
        b'{"messages":[{"role":"user","content":[{"text":"Hi"}]}]}',
        {"content-type": "application/json"},
    )
    with urllib.request.urlopen(request) as response:
        [latency] = re.findall(rb'"latencyMs":([0-9]+)', response.read())
    assert int(latency) >= 1000


@pytest.mark.parametrize("target", TIMELESS)
def test_an_error_in_place_of_an_answer_is_of_now_too(
    target: str, gateway: str, provider: Server
) -> None:
    provider.answers(STREAM[target], b"")
    before = int(time())
    data = _answer(gateway, "openai_responses", target, streamed=True)
    events = [json.loads(line[6:]) for line in data.splitlines() if line.startswith(b"data: {")]
    failed = events[-1]["response"]
    assert events[-1]["type"] == "response.failed"
    assert before <= failed["created_at"] <= time() + 1
    assert failed["model"] == f"to-{target}"
