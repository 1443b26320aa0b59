"""What the gateway tells: losses in a header and the log, numbers, spans; and never a key."""

from __future__ import annotations

import asyncio
import json
import logging
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache

import aiohttp
import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor, SpanExportResult
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

import wireglot as wg
from tests.gateway.provider import END, HELLO, JSON, START, Provider, beside
from tests.gateway.serving import served
from wireglot.gateway import Config, ModelRoute, create_app

CHAT = b'{"model":"other","seed":7,"max_tokens":9,"messages":[{"role":"user","content":"Hello"}]}'
CHAT_STREAM = CHAT.replace(b"{", b'{"stream":true,', 1)
_KNOWN = re.compile(r"(id|\w+_ms)=[0-9a-f.]+")
REFUSED = b'{"type":"error","error":{"type":"overloaded_error","message":"busy"}}'


class _Exporter(InMemorySpanExporter):
    """Keeps spans while a test wants them, not those of every test that follows."""

    is_wanted = False

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        return super().export(spans) if self.is_wanted else SpanExportResult.SUCCESS


@cache
def _exporter() -> _Exporter:
    """Return the exporter of the provider, of which a process takes one."""
    exporter = _Exporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    trace.set_tracer_provider(provider)
    return exporter


@pytest.fixture
def spans() -> Iterator[InMemorySpanExporter]:
    exporter = _exporter()
    exporter.is_wanted = True
    yield exporter
    exporter.is_wanted = False
    exporter.clear()


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
    lines = [_KNOWN.sub(r"\1=_", record.getMessage()) for record in caplog.records]
    tokens = 'tokens="input: 1, output: 2, cache_read: 0, cache_write: 0"'
    assert lines == [
        "id=_ client=openai_chat provider=anthropic provider_id=r1 route=other model=other"
        f' status=200 losses="seed: 1, extras: 1" codec_ms=_ first_ms=_ total_ms=_ {tokens}',
        "id=_ client=anthropic provider=anthropic provider_id=r1 route=m model=m status=200"
        f" codec_ms=_ first_ms=_ total_ms=_ {tokens}",
    ]


_IDS = {
    "translated": ("/v1/chat/completions", b"other", "x-request-id"),
    "translated, of a wire with a header of its own": ("/v1/messages", b"other", "request-id"),
    "of a model that is not there": ("/v1/chat/completions", b"nobody", "x-request-id"),
    "of Bedrock": ("/model/other/converse", b"", "x-amzn-requestid"),
}


@pytest.mark.parametrize(("path", "model", "header"), _IDS.values(), ids=_IDS)
def test_a_client_is_told_the_id_that_is_in_the_log(
    path: str, model: bytes, header: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "wireglot.gateway")
    told = ""

    async def test(_: Provider, client: aiohttp.ClientSession) -> None:
        nonlocal told
        said = b'{"messages":[{"role":"user","content":[{"text":"Hi"}]}]}'
        body = CHAT.replace(b"other", model) if model else said
        async with client.post(path, data=body, headers=JSON) as response:
            told = response.headers[header]

    beside(test)
    [line] = [record.getMessage() for record in caplog.records]
    assert re.fullmatch("[0-9a-f]{16}", told)
    assert line.startswith(f"id={told} ")
    assert (" provider_id=r1 " in line) is (model != b"nobody")


def test_a_client_keeps_the_id_of_a_provider_whose_answer_passes_through(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO, "wireglot.gateway")

    async def test(provider: Provider, client: aiohttp.ClientSession) -> None:
        async with client.post("/v1/messages", data=HELLO, headers=JSON) as response:
            assert response.headers["request-id"] == "r1"
        provider.reply = _stream
        async with client.post("/v1/messages", data=HELLO, headers=JSON) as response:
            told.append(response.headers["request-id"])  # the gateway's: this answer has none

    told: list[str] = []
    beside(test)
    passed, streamed = [record.getMessage() for record in caplog.records]
    assert " provider_id=r1 " in passed
    assert streamed.startswith(f"id={told[0]} ")


def test_the_official_clients_find_the_id() -> None:
    import anthropic
    import openai

    def ask(address: str) -> None:
        with openai.OpenAI(base_url=f"{address}/v1", api_key="k") as gpt:
            made = gpt.chat.completions.create(
                model="other", max_tokens=9, messages=[{"role": "user", "content": "Hi"}]
            )
            assert len(made._request_id or "") == 16
        with anthropic.Anthropic(base_url=address, api_key="k") as claude:
            said = claude.messages.create(
                model="other", max_tokens=9, messages=[{"role": "user", "content": "Hi"}]
            )
            assert len(said._request_id or "") == 16

    async def test(_: Provider, client: aiohttp.ClientSession) -> None:
        await asyncio.to_thread(ask, str(client._base_url).rstrip("/"))

    beside(test)


def test_a_line_is_an_object_where_that_is_asked_for(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "wireglot.gateway")

    async def test(_: Provider, client: aiohttp.ClientSession) -> None:
        async with client.post("/v1/chat/completions", data=CHAT, headers=JSON) as response:
            await response.read()

    beside(test, log="json")
    [record] = [json.loads(record.getMessage()) for record in caplog.records]
    times = {record.pop(name) >= 0 for name in ("codec_ms", "first_ms", "total_ms")}
    assert times == {True}
    assert len(record.pop("id")) == 16
    assert record == {
        "client": "openai_chat",
        "provider": "anthropic",
        "provider_id": "r1",
        "route": "other",
        "model": "other",
        "status": 200,
        "losses": {"seed": 1, "extras": 1},
        "tokens": {"input": 1, "output": 2, "cache_read": 0, "cache_write": 0},
    }


def test_what_a_client_writes_stays_in_its_line(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "wireglot.gateway")

    async def test(_: Provider, client: aiohttp.ClientSession) -> None:
        body = HELLO.replace(b'"m"', b'"a\\nstatus=200 \\u202e\\""')
        async with client.post("/v1/messages", data=body, headers=JSON) as response:
            assert response.status == 404

    beside(test)
    [line] = [record.getMessage() for record in caplog.records]
    assert ' model="a\\nstatus=200 \\u202e\\"" status=404 failure=not_found ' in line
    assert "\n" not in line


NUMBERS = """
wireglot_requests_total{client="openai_chat",provider="anthropic",status="200"} 2.0
wireglot_requests_total{client="anthropic",provider="anthropic",status="200"} 2.0
wireglot_requests_total{client="anthropic",provider="anthropic",status="529"} 1.0
wireglot_requests_total{client="anthropic",provider="",status="404"} 1.0
wireglot_overhead_seconds_count{client="openai_chat",provider="anthropic"} 2.0
wireglot_overhead_seconds_count{client="anthropic",provider="anthropic"} 3.0
wireglot_duration_seconds_count{client="anthropic",provider="anthropic"} 3.0
wireglot_first_byte_seconds_count{client="anthropic",provider="anthropic"} 3.0
wireglot_requests_open{client="anthropic"} 0.0
wireglot_tokens_total{kind="input",provider="anthropic",route="other"} 21.0
wireglot_tokens_total{kind="output",provider="anthropic",route="other"} 4.0
wireglot_tokens_total{kind="input",provider="anthropic",route="m"} 21.0
wireglot_tokens_total{kind="output",provider="anthropic",route="m"} 4.0
wireglot_losses_total{client="openai_chat",provider="anthropic",what="seed"} 2.0
wireglot_failures_total{client="anthropic",kind="overloaded",provider="anthropic"} 1.0
wireglot_failures_total{client="anthropic",kind="not_found",provider=""} 1.0
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


FAILURES = {
    "cut on its way through": (START, b'"m"', "the provider broke off: ClientPayloadError"),
    "cut and translated": (START, b'"other"', "anthropic broke off: server (502): the provider"),
    "unreadable": (START + b"event: x\ndata: {\n\n", b'"other"', "broke off: anthropic: "),
}


@pytest.mark.parametrize(("said", "model", "reason"), FAILURES.values(), ids=FAILURES)
def test_why_a_stream_had_no_end_is_in_the_log_and_counted(
    said: bytes, model: bytes, reason: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "wireglot.gateway")

    async def cut(http: Request) -> Response:
        return Response(said, headers={"content-length": "99999"}, media_type="text/event-stream")

    async def test(provider: Provider, client: aiohttp.ClientSession) -> None:
        provider.reply = cut
        body = HELLO.replace(b'"m"', model + b',"stream":true')
        async with client.post("/v1/messages", data=body, headers=JSON) as response:
            with suppress(aiohttp.ClientPayloadError):
                await response.read()
        async with client.get("/metrics") as response:
            line = 'failures_total{client="anthropic",kind="server",provider="anthropic"} 1.0'
            assert line in await response.text()

    beside(test)
    [line] = (record.getMessage() for record in caplog.records)
    assert " client=anthropic provider=anthropic " in line
    assert ' status=200 failure=server reason="' in line
    assert reason in line
    assert caplog.records[0].levelname == "WARNING"


def test_why_a_provider_cannot_be_reached_is_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "wireglot.gateway")

    async def run() -> None:
        app = create_app(Config([ModelRoute("m", "ollama", "http://127.0.0.1:9")], retries=0))
        async with (
            served(app) as here,
            aiohttp.ClientSession(here) as client,
            client.post("/v1/messages", data=HELLO, headers=JSON) as response,
        ):
            assert "Connect call failed" not in await response.text()

    asyncio.run(run())
    [line] = (record.getMessage() for record in caplog.records)
    assert " client=anthropic provider=ollama route=m model=m status=502 failure=server " in line
    assert "the provider cannot be reached (ClientConnectorError: " in line
    assert "127.0.0.1:9" in line


def test_a_fault_of_ours_is_counted_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    async def test(_: Provider, client: aiohttp.ClientSession) -> None:
        monkeypatch.setattr(wg.providers.anthropic, "route", broken)
        async with client.post("/v1/messages", data=HELLO, headers=JSON) as response:
            assert response.status == 500
        async with client.get("/metrics") as response:
            line = 'requests_total{client="anthropic",provider="anthropic",status="500"} 1.0'
            assert line in await response.text()

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


@pytest.mark.parametrize("headers", [{}, {"traceparent": TRACE}])
def test_a_span_stands_below_that_of_an_instrumented_server(
    headers: dict[str, str], spans: InMemorySpanExporter
) -> None:
    spans.clear()

    async def run() -> None:
        provider = Provider()
        async with served(provider.app) as there:
            app = create_app(Config([ModelRoute("m", "anthropic", there)]))

            async def instrumented(scope: Scope, receive: Receive, send: Send) -> None:
                name = "served" if scope["type"] == "http" else "lifespan"
                with trace.get_tracer("server").start_as_current_span(name):
                    await app(scope, receive, send)

            async with served(instrumented) as here, aiohttp.ClientSession(here) as client:
                asked = client.post("/v1/messages", data=HELLO, headers=JSON | headers)
                async with asked as response:
                    assert response.status == 200

    asyncio.run(run())
    finished = {span.name: span for span in spans.get_finished_spans()}
    parent, outer = finished["chat m"].parent, finished["served"].context
    assert parent is not None
    assert outer is not None
    assert (parent.trace_id, parent.span_id) == (outer.trace_id, outer.span_id)


def test_a_span_of_what_passes_through_has_what_an_exporter_can_write(
    spans: InMemorySpanExporter,
) -> None:
    spans.clear()

    async def test(provider: Provider, client: aiohttp.ClientSession) -> None:
        async def reply(http: Request) -> Response:
            odd = END.replace(b'"output_tokens":2', b'"output_tokens":' + b"9" * 30)
            return Response(START + odd, media_type="text/event-stream")

        provider.reply = reply
        body = HELLO.replace(b"{", b'{"stream":true,', 1)
        async with client.post("/v1/messages", data=body, headers=JSON) as response:
            await response.read()

    beside(test)
    (span,) = spans.get_finished_spans()
    said = span.attributes or {}
    assert said["gen_ai.request.stream"] is True
    assert said["gen_ai.usage.input_tokens"] == 20
    assert "gen_ai.usage.output_tokens" not in said


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
        shown = {"authorization": "Bearer gw-secret"}
        async with client.get("/metrics", headers=shown) as response:
            assert response.status == 200
            told.append(await response.text())
        assert [got["x-api-key"] for _, got, _ in provider.asked] == ["sk-secret"] * 2

    beside(test, client_key="GATEWAY_KEY", key="PROVIDER_KEY")
    told += [record.getMessage() for record in caplog.records]
    told += [span.to_json() for span in spans.get_finished_spans()]
    assert len(told) > 8
    assert "secret" not in "".join(told)


@pytest.mark.parametrize(
    ("shown", "status"),
    [
        ({}, 401),
        ({"authorization": "Bearer other"}, 401),
        ({"authorization": "Bearer gw-secret"}, 200),
        ({"x-api-key": "gw-secret"}, 200),
    ],
    ids=["no key", "another key", "as Prometheus shows it", "as a client shows it"],
)
def test_metrics_need_the_key_of_the_clients(
    shown: dict[str, str], status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GATEWAY_KEY", "gw-secret")

    async def test(_: Provider, client: aiohttp.ClientSession) -> None:
        async with client.get("/metrics", headers=shown) as response:
            said = await response.text()
            assert response.status == status
            assert ("wireglot_requests" in said) is (status == 200)
            assert response.headers.get("www-authenticate") == (None if status == 200 else "Bearer")
        async with client.get("/health") as response:
            assert (response.status, await response.text()) == (200, "ok")

    beside(test, client_key="GATEWAY_KEY")
