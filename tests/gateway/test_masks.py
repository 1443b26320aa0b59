"""A provider that repeats in an error what it was shown; what a model says is left alone."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator
from time import perf_counter
from typing import Any

import aiohttp
import pytest
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from tests.gateway.provider import ANSWER, END, HELLO, JSON, START, Provider, beside
from tests.gateway.serving import served
from wireglot.framing import eventstream
from wireglot.gateway import Config, ModelRoute, create_app
from wireglot.gateway.masks import Mask
from wireglot.gateway.server import Guarded

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
@pytest.mark.parametrize(("said", "kind"), SAID.values(), ids=SAID)
def test_a_key_in_an_error_is_not_shown(
    said: bytes,
    kind: str,
    model: bytes,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    reply = Response(said, 401, media_type=kind, headers={"request-id": "r-" + KEY})
    body = HELLO.replace(b'"m"', model)
    _, told = _shown(reply, body, monkeypatch, caplog)
    assert "0123456789" not in told
    assert "sk-a" not in told
    assert "r-***" in told
    if b"bad key" in said:
        assert "bad key" in told
        assert "***" in told.partition("bad key")[2]


@MODES
def test_a_key_in_an_error_with_the_status_of_an_answer_is_not_shown(
    model: bytes, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    said, kind = SAID["as JSON"]
    _, told = _shown(
        Response(said, 200, media_type=kind), HELLO.replace(b'"m"', model), monkeypatch, caplog
    )
    assert "0123456789" not in told
    assert "bad key ***" in told


def test_a_page_in_the_place_of_a_stream_shows_no_key(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    said = b"bad key " + RAW
    body = HELLO.replace(b'"m"', b'"other"').replace(b"{", b'{"stream":true,', 1)
    _, told = _shown(Response(said, media_type="application/json"), body, monkeypatch, caplog)
    assert "0123456789" not in told
    assert "bad key ***" in told


CALL = (
    b'{"path":".env","old":"KEY=sk-a/b+c\\"d<e>&0123456789",'
    b'"new":"KEY=sk-a/b+c\\"d<e>&0123456789\\nDEBUG=1"}'
)
TOOL_USE = ANSWER.replace(
    b'{"type":"text","text":"Hi."}', b'{"type":"tool_use","id":"t","name":"e","input":%s}' % CALL
)


@MODES
def test_a_call_of_the_model_that_edits_the_file_with_the_key_is_left_alone(
    model: bytes, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    reply = Response(TOOL_USE, media_type="application/json")
    status, told = _shown(reply, HELLO.replace(b'"m"', model), monkeypatch, caplog)
    assert status == 200
    assert CALL.decode() in told
    assert "***" not in told


@MODES
def test_a_stream_of_the_model_with_the_key_is_left_alone(
    model: bytes, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    text = START.replace(b'"text":"Hi"', rb'"text":"sk-a/b+c\"d<e>&0123456789"') + END
    reply = StreamingResponse(iter([text]), media_type="text/event-stream")
    body = HELLO.replace(b'"m"', model).replace(b"{", b'{"stream":true,', 1)
    status, told = _shown(reply, body, monkeypatch, caplog)
    assert status == 200
    assert r"sk-a/b+c\"d<e>&0123456789" in told
    assert "***" not in told


def test_a_key_in_an_error_of_a_translated_stream_is_not_shown_however_it_is_cut(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def chunks() -> AsyncGenerator[bytes, None]:
        for i in range(0, len(STREAM), 7):
            yield STREAM[i : i + 7]
            await asyncio.sleep(0)

    reply = StreamingResponse(chunks(), media_type="text/event-stream")
    body = HELLO.replace(b'"m"', b'"other"').replace(b"{", b'{"stream":true,', 1)
    status, told = _shown(reply, body, monkeypatch, caplog)
    assert status == 200
    assert "0123456789" not in told
    assert "bad key ***" in told


def test_a_stream_that_passes_through_stays_byte_for_byte_even_with_an_error(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    reply = StreamingResponse(iter([STREAM]), media_type="text/event-stream")
    body = HELLO.replace(b"{", b'{"stream":true,', 1)
    _, told = _shown(reply, body, monkeypatch, caplog)
    assert STREAM.decode() in told


BEDROCK_KEY = "ABSKQmVkcm9ja0FQSUtleS0xMjM0NTY3ODkw"
MESSAGE = b'{"message":"Too many requests for key %s"}' % BEDROCK_KEY.encode()
THROTTLED = eventstream.encode(
    {
        ":message-type": "exception",
        ":exception-type": "throttlingException",
        ":content-type": "application/json",
    },
    MESSAGE,
)
HELLO_CHAT = b'{"model":"m","messages":[{"role":"user","content":"Hello"}]}'
PACKED = {"content-encoding": BEDROCK_KEY}


def _told_by(
    reply: Response, path: str, body: bytes, monkeypatch: pytest.MonkeyPatch, **route: Any
) -> str:
    """Return the headers and the body of an answer by way of one route."""
    monkeypatch.setenv("PROVIDER_KEY", BEDROCK_KEY)

    async def answer(_: Request) -> Response:
        return reply

    async def run() -> str:
        provider = Provider()
        provider.reply = answer
        async with served(provider.app) as there:
            app = create_app(Config([ModelRoute("m", url=there, **route)]))
            async with (
                served(app, http=Guarded) as here,
                aiohttp.ClientSession(here) as client,
                client.post(path, data=body, headers=JSON) as response,
            ):
                return f"{dict(response.headers)}{await response.text()}"

    return asyncio.run(run())


def test_an_exception_of_bedrock_in_a_stream_keeps_its_words_and_shows_no_key(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kind = "application/vnd.amazon.eventstream"
    reply = StreamingResponse(iter([THROTTLED]), media_type=kind)
    body = HELLO_CHAT.replace(b"{", b'{"stream":true,', 1)
    told = _told_by(
        reply, "/v1/chat/completions", body, monkeypatch, provider="bedrock", key="PROVIDER_KEY"
    )
    assert '"message":"Too many requests for key ***"' in told
    assert '"code":"rate_limit_exceeded"' in told


@pytest.mark.parametrize(
    "name", [None, "real"], ids=["passed through", "with another name of the model"]
)
@pytest.mark.parametrize(
    ("status", "headers"),
    [(403, {"x-amzn-errortype": "X" + BEDROCK_KEY}), (200, PACKED)],
    ids=["the kind of an error", "a compression"],
)
def test_a_key_in_a_header_is_not_shown(
    status: int, headers: dict[str, str], name: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    reply = Response(b'{"message":"no"}', status, headers, "application/json")
    told = _told_by(
        reply,
        "/model/m/converse",
        b'{"messages":[{"role":"user","content":[{"text":"hi"}]}]}',
        monkeypatch,
        provider="bedrock",
        key="PROVIDER_KEY",
        name=name,
    )
    assert BEDROCK_KEY.lower() not in told.lower()
    assert "***" in told


@pytest.mark.parametrize(
    ("header", "value"),
    [
        ("Authorization", "Bearer sk-or-v1-0123456789"),
        ("authorization", "sk-or-v1-0123456789"),
        ("api-key", "sk-or-v1-0123456789"),
        ("x-amz-security-token", "sk-or-v1-0123456789"),
        ("cookie", "a=b; session=sk-or-v1-0123456789"),
    ],
    ids=["a bearer", "without a scheme", "a key", "a token", "a cookie"],
)
def test_a_secret_in_the_headers_of_a_route_is_not_shown(
    header: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    reply = Response(JSON_ERROR % b"sk-or-v1-0123456789", 401, media_type="application/json")
    told = _told_by(
        reply, "/v1/messages", HELLO, monkeypatch, provider="anthropic", headers={header: value}
    )
    assert '"message":"bad key ***"' in told


def test_a_header_that_is_not_a_secret_may_be_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    reply = Response(JSON_ERROR % b"prompt-caching-2024-07-31", 401, media_type="application/json")
    told = _told_by(
        reply,
        "/v1/messages",
        HELLO,
        monkeypatch,
        provider="anthropic",
        headers={"anthropic-beta": "prompt-caching-2024-07-31"},
    )
    assert '"message":"bad key prompt-caching-2024-07-31"' in told


@pytest.mark.parametrize(
    "spelling",
    [
        rb"a/b+c=d'0123456789",
        rb"a\/b+c=d'0123456789",
        rb"a/b\u002bc\u003dd\u00270123456789",
        rb"a/b\u002Bc\u003Dd\u00270123456789",
        rb"a\\\/b\\u002bc\\u003dd\\u00270123456789",
        rb"a\x2fb\x2bc\x3dd\x270123456789",
        b"a/b%2Bc%3Dd%270123456789",
        b"a%2fb%2bc%3dd%270123456789",
        b"a%252Fb%252Bc%253Dd%25270123456789",
        b"a&#x2F;b&#43;c&#61;d&#39;0123456789",
        b"a&#47;b&#x2b;c&#x3D;d&#x27;0123456789",
        b"a&sol;b&plus;c&equals;d&apos;0123456789",
    ],
)
def test_a_key_is_found_however_it_is_escaped(spelling: bytes) -> None:
    mask = Mask(["a/b+c=d'0123456789"])
    assert mask(b"<" + spelling + b">") == b"<***>"


def test_the_letters_of_a_key_are_compared_with_their_case() -> None:
    assert Mask(["a/b+c=d'ABCDEFGHIJ"])(b"a/b+c=d'abcdefghij") == b"a/b+c=d'abcdefghij"


@pytest.mark.parametrize("key", ["-" * 16 + "x", "\\" * 20 + "x", "/=" * 10 + "x"])
def test_a_key_is_looked_for_in_linear_time(key: str) -> None:
    text = (b"\\" * 50 + b"-" * 15 + b"/=" * 9) * 500
    began = perf_counter()
    assert Mask([key])(text) == text
    assert perf_counter() - began < 5


@pytest.mark.parametrize("key", ["none", "not-needed", "123456789012345"])
def test_a_short_key_is_a_word_like_others(key: str) -> None:
    assert Mask([key])(b"say " + key.encode()) == b"say " + key.encode()


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
