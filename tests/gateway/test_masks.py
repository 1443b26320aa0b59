"""A provider that repeats the key that it was shown: the client never sees it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator

import aiohttp
import pytest
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from tests.gateway.provider import HELLO, JSON, START, Provider, beside
from tests.gateway.serving import served
from wireglot.gateway import Config, ModelRoute, create_app
from wireglot.gateway.masks import Mask

KEY = 'sk-a/b+c"d<e>&0123456789'
RAW = KEY.encode()
MODES = pytest.mark.parametrize("model", [b'"m"', b'"other"'], ids=["passed through", "translated"])
JSON_ERROR = b'{"type":"error","error":{"type":"authentication_error","message":"bad key %s"}}'
SAID = {
    "as text": (b"bad key " + RAW, "text/plain"),
    "as HTML": (b"<p>bad key sk-a/b+c&quot;d&lt;e&gt;&amp;0123456789</p>", "text/html"),
    "as JSON": (JSON_ERROR % rb"sk-a/b+c\"d<e>&0123456789", "application/json"),
    "as PHP's JSON": (JSON_ERROR % rb"sk-a\/b+c\"d<e>&0123456789", "application/json"),
    "as Go's JSON": (JSON_ERROR % rb"sk-a/b+c\"d\u003ce\u003e\u00260123456789", "application/json"),
    "as .NET's JSON": (
        JSON_ERROR % rb"sk-a/b\u002Bc\u0022d\u003Ce\u003E\u00260123456789",
        "application/json",
    ),
    "in a URL": (b"bad key ?key=sk-a%2Fb%2Bc%22d%3Ce%3E%260123456789", "text/plain"),
    "behind much text": (b"-" * 1991 + b" " + RAW, "text/plain"),
}
STREAM = START + b"event: error\ndata: " + JSON_ERROR % rb"sk-a/b+c\"d<e>&0123456789" + b"\n\n"


def _shown(
    reply: Response, body: bytes, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> tuple[int, str]:
    """Return the status, and all that the client and the log are told."""
    caplog.set_level(logging.DEBUG, "wireglot.gateway")
    monkeypatch.setenv("PROVIDER_KEY", KEY)
    told: list[str] = []
    status = 0

    async def test(provider: Provider, client: aiohttp.ClientSession) -> None:
        nonlocal status

        async def answer(_: Request) -> Response:
            return reply

        provider.reply = answer
        async with client.post("/v1/messages", data=body, headers=JSON) as response:
            status = response.status
            told.append(f"{dict(response.headers)}{await response.text()}")
        assert provider.asked[0][1]["x-api-key"] == KEY

    beside(test, key="PROVIDER_KEY")
    told += [record.getMessage() for record in caplog.records]
    return status, "\n".join(told)


@MODES
@pytest.mark.parametrize("status", [200, 401], ids=["with 200", "with 401"])
@pytest.mark.parametrize(("said", "kind"), SAID.values(), ids=SAID)
def test_a_key_in_an_error_is_not_shown(
    said: bytes,
    kind: str,
    status: int,
    model: bytes,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    reply = Response(said, status, media_type=kind, headers={"request-id": "r-" + KEY})
    body = HELLO.replace(b'"m"', model)
    _, told = _shown(reply, body, monkeypatch, caplog)
    assert "0123456789" not in told
    assert "sk-a" not in told
    assert "r-***" in told
    if status == 401 and b"bad key" in said:
        assert "bad key" in told
        assert "***" in told.partition("bad key")[2]


@MODES
def test_a_key_in_an_error_of_a_stream_is_not_shown_however_it_is_cut(
    model: bytes, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def chunks() -> AsyncGenerator[bytes, None]:
        for i in range(0, len(STREAM), 7):
            yield STREAM[i : i + 7]
            await asyncio.sleep(0)

    reply = StreamingResponse(chunks(), media_type="text/event-stream")
    body = HELLO.replace(b'"m"', model).replace(b"{", b'{"stream":true,', 1)
    status, told = _shown(reply, body, monkeypatch, caplog)
    assert status == 200
    assert "0123456789" not in told
    assert "bad key ***" in told


def _masked(key: str, chunks: list[bytes]) -> list[bytes]:
    async def source() -> AsyncGenerator[bytes, None]:
        for chunk in chunks:
            yield chunk

    async def run() -> list[bytes]:
        return [chunk async for chunk in Mask(key).chunks(source())]

    return asyncio.run(run())


def test_a_key_is_found_wherever_a_stream_is_cut() -> None:
    data = b"s sk-sk-a " + RAW + RAW + b' sk-a\\/b+c\\"d<e>&0123456789 sk-a'
    expected = b"s sk-sk-a ****** *** sk-a"
    for size in range(1, len(data) + 1):
        chunks = [data[i : i + size] for i in range(0, len(data), size)]
        assert b"".join(_masked(KEY, chunks)) == expected
    for cut in range(len(data)):
        assert b"".join(_masked(KEY, [data[:cut], data[cut:]])) == expected


def test_a_chunk_waits_only_for_what_may_be_a_key() -> None:
    chunks = [b"data: sk\n\n", b"data: 1 sk-a", b"data: 2\n\n", b"s"]
    expected = [b"data: sk\n\n", b"data: 1 ", b"sk-adata: 2\n\n", b"s"]
    assert _masked(KEY, chunks) == expected


@pytest.mark.parametrize("key", ["none", "not-needed", "123456789012345"])
def test_a_short_key_is_a_word_like_others(key: str) -> None:
    assert Mask(key)(b"say " + key.encode()) == b"say " + key.encode()


def test_a_key_in_a_header_that_cannot_be_read_is_not_logged(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "wireglot.gateway")
    monkeypatch.setenv("PROVIDER_KEY", "sk-0123456789abcdef")
    told = ""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 401 No\r\nx-key: sk-0123456789abcdef\0\r\n\r\n")
        writer.close()

    async def run() -> None:
        nonlocal told
        there = await asyncio.start_server(answer, "127.0.0.1", 0)
        url = f"http://127.0.0.1:{there.sockets[0].getsockname()[1]}"
        app = create_app(Config([ModelRoute("m", "anthropic", url, key="PROVIDER_KEY")]))
        async with (
            there,
            served(app) as here,
            aiohttp.ClientSession(here) as client,
            client.post("/v1/messages", data=HELLO, headers=JSON) as response,
        ):
            assert response.status == 502
            told = await response.text()

    asyncio.run(run())
    [line] = [record.getMessage() for record in caplog.records]
    assert "0123456789abcdef" not in told + line
    assert "b'***" in line
