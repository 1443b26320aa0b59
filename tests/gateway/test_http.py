"""The gateway as HTTP sees it: bytes that pass through, hostile clients, providers that fail."""

from __future__ import annotations

import asyncio
import gzip
import json
import re
import socket
from collections.abc import AsyncIterator
from itertools import pairwise
from typing import Any

import aiohttp
import pytest
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse
from yarl import URL

from tests.gateway.provider import ANSWER, END, HELLO, JSON, START, Provider, beside
from tests.gateway.serving import served
from wireglot.gateway import Config, ModelRoute, create_app, upstream


def test_with_nothing_to_change_the_bytes_pass_through() -> None:
    body = HELLO.replace(b"{", b'{ "unknown" : 1e2 , ', 1)

    async def test(provider: Provider, client: aiohttp.ClientSession) -> None:
        headers = JSON | {"anthropic-version": "2023-06-01"}
        async with client.post("/v1/messages", data=body, headers=headers) as response:
            assert (response.status, await response.read()) == (200, ANSWER)
            assert response.headers["request-id"] == "r1"
        path, got, came = provider.asked[0]
        assert (path, came) == ("/v1/messages", body)
        assert got["anthropic-version"] == "2023-06-01"

    beside(test)


def test_what_a_header_asks_for_reaches_its_own_api_alone() -> None:
    headers = JSON | {"anthropic-beta": "b1,b2", "openai-beta": "o1"}

    async def test(provider: Provider, client: aiohttp.ClientSession) -> None:
        for model in (b'"m"', b'"other"'):
            body = HELLO.replace(b'"m"', model)
            async with client.post("/v1/messages", data=body, headers=headers) as response:
                assert response.status == 200
        body = HELLO.replace(b'"max_tokens"', b'"max_completion_tokens"')
        async with client.post("/v1/chat/completions", data=body, headers=headers) as response:
            assert response.headers["x-wireglot-losses"] == "2; openai-beta, extras"
        said = [(got.get("anthropic-beta"), got.get("openai-beta")) for _, got, _ in provider.asked]
        assert said == [("b1,b2", None), ("b1,b2", None), (None, None)]

    beside(test)


def test_a_client_does_not_learn_what_the_model_is_called_there() -> None:
    async def test(provider: Provider, client: aiohttp.ClientSession) -> None:
        asked = HELLO.replace(b'"m"', b'"other"')
        async with client.post("/v1/messages", data=asked, headers=JSON) as response:
            assert (await response.json())["model"] == "other"
        assert json.loads(provider.asked[0][2])["model"] == "real"

    beside(test)


def test_a_client_learns_which_version_of_its_model_answers() -> None:
    async def test(_: Provider, client: aiohttp.ClientSession) -> None:
        asked = HELLO.replace(b'"max_tokens"', b'"max_completion_tokens"')
        async with client.post("/v1/chat/completions", data=asked, headers=JSON) as response:
            assert (await response.json())["model"] == "real"

    beside(test)


DEEP = b'{"model":"other","messages":' + b"[" * 5000 + b"]" * 5000 + b"}"
BAD = [
    ("/v1/messages", b"{", JSON, 400),
    ("/v1/messages", b"\xff\xfe", JSON, 400),
    ("/v1/messages", b"3", JSON, 400),
    ("/v1/messages", b"[]", JSON, 404),  # messages alone, which name no model
    ("/v1/messages", DEEP, JSON, 400),
    ("/v1/messages", b'{"model":"other","messages":5}', JSON, 400),
    ("/v1/messages", b'{"model":5}', JSON, 400),
    ("/v1/messages", b" " * 20_001, JSON, 413),
    ("/v1/messages", HELLO, {"content-type": "text/html"}, 415),
    ("/v1/messages", HELLO, {"content-type": "application/jsonp"}, 415),
    ("/v1/messages", gzip.compress(HELLO, mtime=0), JSON | {"content-encoding": "gzip"}, 415),
    ("/v1/chat/completions", b'{"model":"nobody"}', JSON, 404),
    ("/model/x/forget", b"{}", JSON, 404),
    ("/v1beta/models/x:forget", b"{}", JSON, 404),
]


def test_a_hostile_request_gets_the_right_status_and_the_next_one_is_served() -> None:
    async def test(provider: Provider, client: aiohttp.ClientSession) -> None:
        for path, body, headers, status in BAD:
            async with client.post(path, data=body, headers=headers) as response:
                said = await response.json()
                assert (response.status, "error" in said or "message" in said) == (status, True)
        good = {"content-type": "application/JSON; charset=utf-8"}
        async with client.post("/v1/messages", data=HELLO, headers=good) as response:
            assert response.status == 200
        assert len(provider.asked) == 1

    beside(test, largest=20_000)


def test_a_key_is_asked_for_where_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GATEWAY_KEY", "sésame")

    async def test(provider: Provider, client: aiohttp.ClientSession) -> None:
        shown: list[tuple[str, dict[str, str], int]] = [
            ("", {}, 401),
            ("", {"x-api-key": "wrong"}, 401),
            ("", {"authorization": "Basic sésame"}, 401),
            ("?key=sesame", {}, 401),
            ("?key=日本", {}, 401),
            ("", {"authorization": "Bearer sésame"}, 200),
            ("", {"x-api-key": "sésame"}, 200),
            ("", {"x-goog-api-key": "sésame"}, 200),
            ("?key=sésame", {}, 200),
        ]
        for query, headers, status in shown:
            path = "/v1/messages" + query
            async with client.post(path, data=HELLO, headers=JSON | headers) as response:
                assert (query, headers, response.status) == (query, headers, status)
        assert all("sésame" not in str(got) for got in provider.asked)

    beside(test, client_key="GATEWAY_KEY")


def test_a_provider_that_is_not_there_is_a_bad_gateway() -> None:
    async def run() -> None:
        app = create_app(Config([ModelRoute("m", "ollama", "http://127.0.0.1:9")]))
        async with served(app) as here, aiohttp.ClientSession(here) as client:
            async with client.post("/v1/messages", data=HELLO, headers=JSON) as response:
                assert response.status == 502
                said = await response.json()
            assert said["error"]["message"] == "the provider cannot be reached"
            async with client.get("/health") as response:
                assert await response.text() == "ok"

    asyncio.run(run())


def test_a_provider_that_comes_back_in_time_is_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    provider = socket.socket()
    provider.bind(("127.0.0.1", 0))  # and does not listen yet
    pauses: list[float] = []
    servers: list[asyncio.Server] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(HELLO)
        head = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n"
        writer.write(head % len(ANSWER) + ANSWER)
        await writer.drain()
        writer.close()

    async def pause(seconds: float) -> None:
        pauses.append(seconds)
        if seconds == 1.0:
            servers.append(await asyncio.start_server(answer, sock=provider))

    async def run() -> None:
        monkeypatch.setattr(upstream, "sleep", pause)
        routes = [ModelRoute("m", "anthropic", f"http://127.0.0.1:{provider.getsockname()[1]}")]
        app = create_app(Config(routes, retries=3))
        async with (
            served(app) as here,
            aiohttp.ClientSession(here) as client,
            client.post("/v1/messages", data=HELLO, headers=JSON) as response,
        ):
            assert await response.read() == ANSWER
        servers[0].close()
        await servers[0].wait_closed()

    asyncio.run(run())
    assert pauses == [0.0, 0.5, 1.0]


async def _cut(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(
        b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{"
    )
    await writer.drain()
    writer.close()


async def _silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.read()
    writer.close()


@pytest.mark.parametrize(("answer", "status"), [(_cut, 502), (_silent, 504)])
@pytest.mark.parametrize("provider", ["ollama", "anthropic"], ids=["translated", "passed through"])
def test_a_provider_that_breaks_off_or_says_nothing(
    provider: str, answer: Any, status: int
) -> None:
    async def run() -> int:
        there = await asyncio.start_server(answer, "127.0.0.1", 0)
        port = there.sockets[0].getsockname()[1]
        config = Config([ModelRoute("m", provider, f"http://127.0.0.1:{port}")], patience=0.2)
        async with (
            there,
            served(create_app(config)) as here,
            aiohttp.ClientSession(here) as client,
            client.post("/v1/messages", data=HELLO, headers=JSON) as response,
        ):
            assert (await response.json())["type"] == "error"
            return response.status

    assert asyncio.run(run()) == status


def test_a_stream_that_is_cut_on_its_way_through_is_cut_for_the_client() -> None:
    async def cut(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: 9999\r\n\r\n"
        writer.write(head + START)
        await writer.drain()
        writer.close()

    async def run() -> None:
        there = await asyncio.start_server(cut, "127.0.0.1", 0)
        port = there.sockets[0].getsockname()[1]
        config = Config([ModelRoute("m", "anthropic", f"http://127.0.0.1:{port}")])
        async with (
            there,
            served(create_app(config)) as here,
            aiohttp.ClientSession(here) as client,
            client.post("/v1/messages", data=HELLO, headers=JSON) as response,
        ):
            assert response.status == 200
            assert await response.content.readexactly(len(START)) == START
            with pytest.raises(aiohttp.ClientPayloadError):
                await response.read()

    asyncio.run(run())


ENDS = {
    "anthropic": (
        "/v1/messages",
        HELLO.replace(b'"m"', b'"other","stream":true'),
        'event: message_stop\ndata: {"type":"message_stop"}\n\n',
    ),
    "openai_chat": (
        "/v1/chat/completions",
        HELLO.replace(b'"m"', b'"other","stream":true'),
        "data: [DONE]\n\n",
    ),
    "gemini": (
        "/v1beta/models/m:streamGenerateContent",
        b'{"contents":[{"role":"user","parts":[{"text":"Hello"}]}]}',
        '"modelVersion":"m","responseId":"msg_1"}]',
    ),
}


@pytest.mark.parametrize(("path", "body", "end"), ENDS.values(), ids=ENDS)
def test_an_answer_ends_where_it_says_so_and_not_where_its_connection_does(
    path: str, body: bytes, end: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "wireglot.gateway")

    async def test(provider: Provider, client: aiohttp.ClientSession) -> None:
        async def endless() -> AsyncIterator[bytes]:
            yield START + END
            try:
                await asyncio.Event().wait()
            finally:
                provider.left.set()

        async def reply(http: Request) -> Response:
            return StreamingResponse(endless(), media_type="text/event-stream")

        provider.reply = reply
        async with client.post(path, data=body, headers=JSON) as response:
            assert (await response.text()).endswith(end)
        await provider.left.wait()
        while not caplog.records:
            await asyncio.sleep(0)

    beside(test)
    (line,) = (record.getMessage() for record in caplog.records)
    assert " provider=anthropic " in line
    assert " status=200 codec_ms=" in line


def test_a_whole_answer_on_a_connection_that_breaks_is_no_failure(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level("INFO", "wireglot.gateway")

    async def cut(http: Request) -> Response:
        headers = {"content-length": "99999"}
        return Response(START + END, headers=headers, media_type="text/event-stream")

    async def test(provider: Provider, client: aiohttp.ClientSession) -> None:
        provider.reply = cut
        path, body, end = ENDS["anthropic"]
        async with client.post(path, data=body, headers=JSON) as response:
            assert (await response.text()).endswith(end)
        while not caplog.records:
            await asyncio.sleep(0)

    beside(test)
    (line,) = (record.getMessage() for record in caplog.records)
    assert " client=anthropic provider=anthropic " in line
    assert " status=200 codec_ms=" in line


def test_a_connection_is_kept_though_its_body_ends_after_the_answer(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "wireglot.gateway")
    monkeypatch.setattr(upstream, "_MOMENT", 30.0)
    ports: list[int] = []

    async def test(provider: Provider, client: aiohttp.ClientSession) -> None:
        read = asyncio.Event()

        async def late() -> AsyncIterator[bytes]:
            yield START + END
            await read.wait()

        async def reply(http: Request) -> Response:
            ports.append(http.scope["client"][1])
            return StreamingResponse(late(), media_type="text/event-stream")

        provider.reply = reply
        path, body, end = ENDS["anthropic"]
        for turn in (1, 2):
            read.clear()
            async with client.post(path, data=body, headers=JSON) as response:
                assert (await response.text()).endswith(end)
            assert len(caplog.records) < turn  # the end of the body is still waited for
            read.set()
            while len(caplog.records) < turn:
                await asyncio.sleep(0)

    beside(test)
    assert len(ports) == 2
    assert len({*ports}) == 1


TOLD = (
    '{"model":"other","created_at":"now",'
    '"message":{"role":"assistant","content":"Hi"},"done":false}\n'
    '{"error":"anthropic broke off: anthropic: JSON is malformed: '
    'object keys must be strings (byte 1) - at `$[3]`"}\n'
)


@pytest.mark.parametrize("cuts", [[], [len(START)]], ids=["in one chunk", "in two"])
def test_what_comes_before_a_bad_event_reaches_the_client_before_the_error(cuts: list[int]) -> None:
    said = START + b"data: {oops\n\n"

    async def test(provider: Provider, client: aiohttp.ClientSession) -> None:
        async def endless() -> AsyncIterator[bytes]:
            for begin, end in pairwise([0, *cuts, len(said)]):
                yield said[begin:end]
            await asyncio.Event().wait()

        async def reply(http: Request) -> Response:
            return StreamingResponse(endless(), media_type="text/event-stream")

        provider.reply = reply
        body = HELLO.replace(b'"m"', b'"other"')
        async with client.post("/api/chat", data=body, headers=JSON) as response:
            said_on = re.sub(r'(?<="created_at":")20[^"]+', "now", await response.text())
        assert said_on == TOLD

    beside(test)


def test_a_provider_that_points_elsewhere_is_not_followed() -> None:
    async def elsewhere(http: Request) -> Response:
        return RedirectResponse("/v1/steal", 307)

    async def test(provider: Provider, client: aiohttp.ClientSession) -> None:
        provider.reply = elsewhere
        for model in (b'"m"', b'"other"'):
            body = HELLO.replace(b'"m"', model)
            async with client.post("/v1/messages", data=body, headers=JSON) as response:
                said = await response.json()
            assert response.status == 502
            assert said["error"]["message"] == "the provider answers from another place (307)"
        assert [path for path, _, _ in provider.asked] == ["/v1/messages"] * 2

    beside(test)


def test_an_answer_without_end_is_no_answer() -> None:
    async def much(http: Request) -> Response:
        async def spaces() -> Any:
            while True:
                yield b" " * 4096
                await asyncio.sleep(0)  # uvicorn never waits once the other side has left

        return StreamingResponse(spaces(), media_type="application/json")

    async def test(provider: Provider, client: aiohttp.ClientSession) -> None:
        provider.reply = much
        body = HELLO.replace(b'"m"', b'"other"')
        async with client.post("/v1/messages", data=body, headers=JSON) as response:
            said = await response.json()
        assert response.status == 502
        assert said["error"]["message"] == "answer of more than 20,000 bytes"

    beside(test, largest=20_000)


def test_the_cookies_of_a_provider_do_not_come_back() -> None:
    async def sweet(http: Request) -> Response:
        return Response(ANSWER, media_type="application/json", headers={"set-cookie": "a=b"})

    async def test(provider: Provider, client: aiohttp.ClientSession) -> None:
        provider.reply = sweet
        for _ in range(2):
            async with client.post("/v1/messages", data=HELLO, headers=JSON) as response:
                assert "set-cookie" not in response.headers
        assert [got.get("cookie") for _, got, _ in provider.asked] == [None, None]

    beside(test)


def test_the_path_of_a_client_opens_no_other_door_of_the_provider() -> None:
    async def test(provider: Provider, client: aiohttp.ClientSession) -> None:
        asked = "/v1beta/models/g/../../files:generateContent?alt=sse%26key=x"
        url = URL(f"{client._base_url}{asked}", encoded=True)
        async with client.post(url, data=b"{}", headers=JSON) as response:
            assert response.status == 200
        (path, _, _) = provider.asked[0]
        assert path == "/v1beta/models/g%2F..%2F..%2Ffiles:generateContent"

    beside(test)


@pytest.mark.parametrize("model", [".", ".."])
def test_a_model_is_no_step_up_or_down_a_path(model: str) -> None:
    async def run() -> None:
        provider = Provider()
        async with served(provider.app) as there:
            app = create_app(Config([ModelRoute("*", "bedrock", there)]))
            async with served(app) as here, aiohttp.ClientSession(here) as client:
                asked = HELLO.replace(b'"m"', f'"{model}"'.encode())
                async with client.post("/v1/messages", data=asked, headers=JSON) as response:
                    assert response.status == 400
        assert provider.asked == []

    asyncio.run(run())


@pytest.mark.parametrize(
    "path",
    [
        *("/v1beta/models/m:generateMusic", "/v1beta/models/:generateContent"),
        *("/model/m/invoke", "/model//converse", "/v1/models/"),
    ],
)
def test_what_is_no_chat_is_not_answered_as_one(path: str) -> None:
    async def run() -> None:
        provider = Provider()
        async with served(provider.app) as there:
            app = create_app(Config([ModelRoute("*", "anthropic", there, name="real")]))
            async with served(app) as here, aiohttp.ClientSession(here) as client:
                body = b'{"contents":[{"role":"user","parts":[{"text":"Hello"}]}]}'
                async with client.post(path, data=body, headers=JSON) as response:
                    assert response.status == 404
                    assert f"nothing is at `{path}`" in await response.text()
        assert provider.asked == []

    asyncio.run(run())


ARRAY = """[{"candidates":[{"content":{"parts":[{"text":"Hi"}],"role":"model"},"index":0}],\
"modelVersion":"m","responseId":"msg_1"},\r
{"candidates":[{"index":0,"content":{"role":"model","parts":[{"text":""}]},"finishReason":"STOP"}],\
"usageMetadata":{"promptTokenCount":20,"candidatesTokenCount":2,"totalTokenCount":22},\
"modelVersion":"m","responseId":"msg_1"}]"""


def test_a_stream_of_gemini_that_nobody_wants_as_events_is_an_array() -> None:
    async def stream(http: Request) -> Response:
        return Response(START + END, media_type="text/event-stream")

    async def test(provider: Provider, client: aiohttp.ClientSession) -> None:
        provider.reply = stream
        path = "/v1beta/projects/p/locations/l/publishers/google/models/m:streamGenerateContent"
        path = path.replace("v1beta", "v1beta1")
        body = b'{"contents":[{"role":"user","parts":[{"text":"Hello"}]}]}'
        async with client.post(path, data=body, headers=JSON) as response:
            assert response.headers["content-type"] == "application/json"
            assert (await response.text()) == ARRAY

    beside(test)
