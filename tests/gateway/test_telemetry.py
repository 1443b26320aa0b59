"""What the gateway tells: losses in a header and the log, numbers, spans; and never a key."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import aiohttp
import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from starlette.requests import Request
from starlette.responses import Response

from tests.gateway.provider import END, HELLO, JSON, START, Provider, beside

CHAT = b'{"model":"other","seed":7,"max_tokens":9,"messages":[{"role":"user","content":"Hello"}]}'
CHAT_STREAM = CHAT.replace(b"{", b'{"stream":true,', 1)
REFUSED = b'{"type":"error","error":{"type":"overloaded_error","message":"busy"}}'


@pytest.fixture(scope="module")
def spans() -> Iterator[InMemorySpanExporter]:
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    trace.set_tracer_provider(provider)
    yield exporter
    exporter.shutdown()  # or it keeps the spans of every test that follows


async def _stream(http: Request) -> Response:
    return Response(START + END, media_type="text/event-stream")


async def _refuse(http: Request) -> Response:
    return Response(REFUSED, 529, media_type="application/json")


def test_losses_stand_in_a_header_and_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "wireglot.gateway")

    async def test(_: Provider, client: aiohttp.ClientSession) -> None:
        async with client.post("/v1/chat/completions", data=CHAT, headers=JSON) as response:
            assert response.headers["x-wireglot-losses"] == "2; seed, extras"
        async with client.post("/v1/messages", data=HELLO, headers=JSON) as response:
            assert "x-wireglot-losses" not in response.headers

    beside(test)
    lines = [record.getMessage() for record in caplog.records]
    assert lines[0].startswith("openai_chat to anthropic: 200, 2 losses, ")
    assert lines[0].endswith("tokens {'input': 1, 'output': 2, 'cache_read': 0, 'cache_write': 0}")
    assert lines[1].startswith("lost: 'seed: ")
    assert lines[2].startswith("lost: 'extras: ")
    assert lines[3].startswith("anthropic to anthropic: 200, 0 losses, ")


NUMBERS = """
wireglot_requests_total{client="openai_chat",provider="anthropic",status="200"} 2.0
wireglot_requests_total{client="anthropic",provider="anthropic",status="200"} 2.0
wireglot_requests_total{client="anthropic",provider="anthropic",status="529"} 1.0
wireglot_requests_total{client="anthropic",provider="",status="404"} 1.0
wireglot_overhead_seconds_count{client="openai_chat",provider="anthropic"} 2.0
wireglot_overhead_seconds_count{client="anthropic",provider="anthropic"} 3.0
wireglot_tokens_total{kind="input",provider="anthropic",route="other"} 21.0
wireglot_tokens_total{kind="output",provider="anthropic",route="other"} 4.0
wireglot_tokens_total{kind="input",provider="anthropic",route="m"} 21.0
wireglot_tokens_total{kind="output",provider="anthropic",route="m"} 4.0
wireglot_losses_total{client="openai_chat",provider="anthropic",what="seed"} 2.0
"""


def test_prometheus_gets_requests_work_tokens_and_losses() -> None:
    async def test(provider: Provider, client: aiohttp.ClientSession) -> None:
        async def ask(path: str, body: bytes) -> None:
            async with client.post(path, data=body, headers=JSON) as response:
                await response.read()

        await ask("/v1/chat/completions", CHAT)
        await ask("/v1/messages", HELLO)
        await ask("/v1/messages", b'{"model":"nobody"}')
        provider.reply = _stream
        await ask("/v1/chat/completions", CHAT_STREAM)
        await ask("/v1/messages", HELLO.replace(b"{", b'{"stream":true,', 1))
        provider.reply = _refuse
        await ask("/v1/messages", HELLO)
        async with client.get("/metrics") as response:
            assert response.content_type == "text/plain"
            said = (await response.text()).splitlines()
        assert [line for line in NUMBERS.split("\n") if line and line not in said] == []

    beside(test)


TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


def test_a_span_tells_what_was_asked_and_answered(spans: InMemorySpanExporter) -> None:
    spans.clear()

    async def test(provider: Provider, client: aiohttp.ClientSession) -> None:
        provider.reply = _stream
        headers = JSON | {"traceparent": TRACE}
        path = "/v1/chat/completions"
        async with client.post(path, data=CHAT_STREAM, headers=headers) as response:
            await response.read()
        (span,) = spans.get_finished_spans()
        assert span.context is not None
        assert provider.asked[0][1]["traceparent"] == (
            f"00-0af7651916cd43dd8448eb211c80319c-{span.context.span_id:016x}-01"
        )

    beside(test)
    (span,) = spans.get_finished_spans()
    assert (span.name, span.kind) == ("chat real", trace.SpanKind.CLIENT)
    assert span.parent is not None
    assert span.parent.span_id == 0xB7AD6B7169203331
    said = dict(span.attributes or {})
    assert said.pop("server.port") != 0
    assert said == {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "anthropic",
        "gen_ai.request.model": "real",
        "gen_ai.request.stream": True,
        "gen_ai.request.max_tokens": 9,
        "gen_ai.request.seed": 7,
        "gen_ai.response.id": "msg_1",
        "gen_ai.response.model": "m",
        "gen_ai.response.finish_reasons": ("end_turn",),
        "gen_ai.usage.input_tokens": 20,
        "gen_ai.usage.output_tokens": 2,
        "gen_ai.usage.cache_read.input_tokens": 0,
        "gen_ai.usage.cache_creation.input_tokens": 0,
        "gen_ai.usage.reasoning.output_tokens": 0,
        "server.address": "127.0.0.1",
    }
    assert span.status.is_ok


@pytest.mark.parametrize("path", ["/v1/messages", "/v1/chat/completions"])
def test_a_span_tells_of_an_error(path: str, spans: InMemorySpanExporter) -> None:
    spans.clear()

    async def test(provider: Provider, client: aiohttp.ClientSession) -> None:
        provider.reply = _refuse
        async with client.post(path, data=CHAT.replace(b"other", b"m"), headers=JSON) as response:
            assert response.status == 529

    beside(test)
    (span,) = spans.get_finished_spans()
    assert not span.status.is_ok
    assert (span.attributes or {})["error.type"] == "overloaded"


def test_no_key_is_ever_told(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, spans: InMemorySpanExporter
) -> None:
    spans.clear()
    caplog.set_level(logging.DEBUG)
    monkeypatch.setenv("GATEWAY_KEY", "gw-secret")
    monkeypatch.setenv("PROVIDER_KEY", "sk-secret")
    told: list[str] = []

    async def test(provider: Provider, client: aiohttp.ClientSession) -> None:
        asked = [
            (HELLO, JSON | {"x-api-key": "gw-secret"}),
            (HELLO, JSON | {"x-api-key": "gw-secret2"}),
            (b"{", JSON | {"x-api-key": "gw-secret"}),
            (HELLO, JSON | {"x-api-key": "gw-secret"}),
        ]
        for body, headers in asked:
            async with client.post("/v1/messages", data=body, headers=headers) as response:
                told.append(await response.text())
                provider.reply = _refuse
        async with client.get("/metrics") as response:
            told.append(await response.text())
        assert [got["x-api-key"] for _, got, _ in provider.asked] == ["sk-secret"] * 2

    beside(test, client_key="GATEWAY_KEY", key="PROVIDER_KEY")
    told += [record.getMessage() for record in caplog.records]
    told += [span.to_json() for span in spans.get_finished_spans()]
    assert len(told) > 8
    assert "secret" not in "".join(told)
