"""Providers that answer oddly, byte by byte, and what a client gets of it."""

from __future__ import annotations

import asyncio
import json
import re
import threading
from io import BytesIO
from typing import Any

import aiohttp
import pytest

import wireglot as wg
from tests.gateway.provider import ANSWER, END, HELLO, JSON, START
from tests.gateway.serving import served
from wireglot.gateway import Config, ModelRoute, create_app

STREAM = HELLO.replace(b"{", b'{"stream":true,', 1)
ERROR = b'{"type":"error","error":{"type":"overloaded_error","message":"Too busy."}}'


def _raw(
    body: bytes, head: str = "", status: str = "200 OK", kind: str = "application/json"
) -> bytes:
    lines = [f"HTTP/1.1 {status}", f"content-type: {kind}", f"content-length: {len(body)}", head]
    return "\r\n".join(lines).encode() + b"\r\n" + body


def _ask(
    raw: bytes,
    body: bytes = HELLO,
    provider: str = "anthropic",
    sent: dict[str, str] = JSON,
    **more: Any,
) -> Any:
    """Return status, headers and body of what a client of Anthropic gets; `more` is the route's."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        await reader.readexactly(int(re.findall(rb"content-length: (\d+)", head.lower())[0]))
        writer.write(raw)
        await writer.drain()
        await reader.read()
        writer.close()

    async def run() -> Any:
        there = await asyncio.start_server(answer, "127.0.0.1", 0)
        url = f"http://127.0.0.1:{there.sockets[0].getsockname()[1]}"
        config = Config([ModelRoute("m", provider, url, **more)])
        async with (
            asyncio.timeout(20),
            there,
            served(create_app(config)) as here,
            aiohttp.ClientSession(here) as client,
            client.post("/v1/messages", data=body, headers=sent) as response,
        ):
            return response.status, response.headers, await response.read()

    return asyncio.run(run())


BOTH = pytest.mark.parametrize("name", [None, "real"], ids=["passed through", "translated"])


@BOTH
@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (_raw(ANSWER, status="600 Odd"), "the provider answers with the status 600"),
        (_raw(ANSWER, status="099 Odd"), "the provider answers with the status 99"),
        (_raw(ANSWER, status="302 Found"), "the provider answers from another place (302)"),
        (
            _raw(ANSWER, head="content-encoding: br\r\n"),
            "the provider answers in `br`, which was not asked for",
        ),
        (
            _raw(ANSWER, head="content-encoding: identity\r\ncontent-encoding: gzip\r\n"),
            "the provider answers in `identity, gzip`, which was not asked for",
        ),
    ],
)
def test_what_is_no_answer_is_a_bad_gateway(raw: bytes, said: str, name: str | None) -> None:
    status, _, body = _ask(raw, name=name)
    assert (status, json.loads(body)["error"]["message"]) == (502, said)


@BOTH
def test_a_header_that_no_header_can_hold_is_left_out(name: str | None) -> None:
    head = "x-request-id: 日本\r\nrequest-id: good\r\nretry-after-ms: 20\r\nserver: x\r\n"
    status, headers, _ = _ask(_raw(ANSWER, head=head), name=name)
    assert status == 200
    assert "x-request-id" not in headers
    if name is None:
        assert (headers["request-id"], headers["retry-after-ms"]) == ("good", "20")


@BOTH
def test_counts_that_nobody_believes_are_no_fault_of_the_answer(name: str | None) -> None:
    odd = ANSWER.replace(b'"output_tokens":2', b'"output_tokens":-2').replace(b"20", b"9" * 400)
    status, _, body = _ask(_raw(odd), name=name)
    assert (status, json.loads(body)["usage"]["output_tokens"]) == (200, -2)


@BOTH
@pytest.mark.parametrize("kind", ["application/json", "text/html"])
def test_an_error_keeps_its_words_and_a_page_is_put_into_the_wire(
    kind: str, name: str | None
) -> None:
    body = ERROR if kind == "application/json" else b"<html>Too busy.</html>"
    status, headers, said = _ask(_raw(body, status="529 Odd", kind=kind), name=name)
    assert status == 529
    if name is None:
        assert (headers["content-type"], said) == (kind, body)
    else:
        error = json.loads(said)["error"]
        assert (error["type"], "Too busy." in error["message"]) == ("overloaded_error", True)


def test_an_error_in_place_of_a_stream_is_that_error() -> None:
    status, _, said = _ask(_raw(ERROR), STREAM, name="real")
    assert (status, json.loads(said)["error"]["message"]) == (503, "Too busy.")
    status, _, said = _ask(_raw(b'{"ok":true}'), STREAM, name="real")
    assert status == 502
    assert b"ok" in said


def test_what_the_provider_says_counts_more_than_what_cannot_be_written_before_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    encoder = wg.PROVIDERS["anthropic"].StreamEncoder
    usual = encoder.encode

    def picky(self: wg.StreamEncoder, event: wg.StreamEvent) -> bytes:
        if isinstance(event, wg.TextDelta):
            raise wg.EncodeError("no text", wire="anthropic")
        return usual(self, event)

    monkeypatch.setattr(encoder, "encode", picky)
    chunk = '{"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[%s]}'
    said = chunk % '{"index":0,"delta":{"content":"Hi"},"finish_reason":null}'
    body = f'data: {said}\n\ndata: {{"error":{{"message":"Too busy."}}}}\n\n'.encode()
    raw = _raw(body, kind="text/event-stream")
    answer = _ask(raw, STREAM, "openai_chat")[2]
    assert b'"message":"Too busy."' in answer
    assert b"broke off" not in answer


def test_an_answer_in_place_of_a_stream_is_streamed() -> None:
    status, headers, said = _ask(_raw(ANSWER), STREAM, name="real")
    assert (status, headers["content-type"].partition(";")[0]) == (200, "text/event-stream")
    decoder = wg.providers.anthropic.StreamDecoder()
    decoder.feed(said)
    assert decoder.close().message.text() == "Hi."


FAILED = (
    b'{"id":"r","object":"response","created_at":1,"model":"m","status":"failed","output":[],'
    b'"error":{"code":"rate_limit_exceeded","message":"Too busy."}}'
)


@pytest.mark.parametrize("body", [HELLO, STREAM])
def test_a_failed_answer_is_an_error_of_the_clients_wire(body: bytes) -> None:
    status, _, said = _ask(_raw(FAILED), body, "openai_responses")
    assert status == 429
    assert json.loads(said)["error"] == {"type": "rate_limit_error", "message": "Too busy."}


BETAS: list[tuple[dict[str, Any], str | None]] = [
    ({}, None),
    ({"headers": {"Anthropic-Beta": "r1"}}, "1; anthropic-beta"),
    ({"headers": {"Anthropic-Beta": "r1"}, "name": "real"}, "1; anthropic-beta"),
    ({"dialect": "bedrock"}, "1; anthropic-beta"),
]


@pytest.mark.parametrize(("route", "lost"), BETAS)
def test_what_a_header_asks_for_and_does_not_get_is_told(
    route: dict[str, Any], lost: str | None
) -> None:
    _, headers, _ = _ask(_raw(ANSWER), sent=JSON | {"anthropic-beta": "b1"}, **route)
    assert headers.get("x-wireglot-losses") == lost


def test_a_stream_of_another_type_passes_as_it_comes() -> None:
    raw = START + END
    status, headers, said = _ask(_raw(raw, kind="text/plain"), STREAM)
    assert (status, headers["content-type"], said) == (200, "text/plain", raw)
    assert "content-length" not in headers


@BOTH
def test_a_proxy_in_front_is_told_to_hold_no_stream_back(name: str | None) -> None:
    _, headers, _ = _ask(_raw(START + END, kind="text/event-stream"), STREAM, name=name)
    assert (headers["x-accel-buffering"], headers["cache-control"]) == ("no", "no-cache")
    _, headers, _ = _ask(_raw(ANSWER), name=name)
    assert "x-accel-buffering" not in headers


def test_an_answer_that_the_client_has_no_words_for_is_a_bad_gateway() -> None:
    answer = b"""{"id":"c2","created":1e30,"model":"m","object":"chat.completion","choices":[
 {"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"Hi."}}]}"""
    status, _, said = _ask(_raw(answer), provider="mistral")
    assert (status, b"answer cannot be read" in said) == (502, True)


@pytest.mark.parametrize(
    ("head", "said"),
    [
        ("retry-after: 0.4\r\n", "1"),
        ("retry-after: 7\r\n", "7"),
        ("retry-after: Wed, 21 Oct 2015 07:28:00 GMT\r\n", "0"),
        ("retry-after: soon\r\n", None),
    ],
)
def test_how_long_to_wait_is_whole_seconds(head: str, said: str | None) -> None:
    _, headers, _ = _ask(_raw(ERROR, head=head, status="529 Odd"), name="real")
    assert headers.get("retry-after") == said


@pytest.mark.parametrize("name", [None, "real"], ids=["passed through", "translated"])
def test_the_exception_of_bedrock_stays_in_its_header(name: str | None) -> None:
    raw = _raw(
        b'{"message":"Slow down."}',
        head="x-amzn-ErrorType: ThrottlingException:http://x\r\n",
        status="429 Odd",
    )

    async def run() -> None:
        async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(raw)
            await reader.read()
            writer.close()

        there = await asyncio.start_server(answer, "127.0.0.1", 0)
        url = f"http://127.0.0.1:{there.sockets[0].getsockname()[1]}"
        app = create_app(Config([ModelRoute("m", "bedrock", url, name=name)]))
        body = b'{"messages":[{"role":"user","content":[{"text":"Hello"}]}]}'
        async with (
            there,
            served(app) as here,
            aiohttp.ClientSession(here) as client,
            client.post("/model/m/converse", data=body, headers=JSON) as response,
        ):
            assert response.status == 429
            assert response.headers["x-amzn-errortype"].startswith("ThrottlingException")

    asyncio.run(run())


def test_text_that_was_cut_in_a_character_is_no_reason_to_refuse() -> None:
    body = HELLO.replace(b"Hello", b"cut \\ud83d")
    status, _, said = _ask(_raw(ANSWER), body)
    assert (status, said) == (200, ANSWER)


def test_a_provider_that_does_not_read_is_not_waited_for() -> None:
    async def run() -> None:
        answered, left = asyncio.Event(), asyncio.Event()

        async def deaf(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await answered.wait()
            writer.transport.abort()
            left.set()

        there = await asyncio.start_server(deaf, "127.0.0.1", 0, limit=1)
        url = f"http://127.0.0.1:{there.sockets[0].getsockname()[1]}"
        app = create_app(Config([ModelRoute("m", "anthropic", url)], patience=0.3))
        body = HELLO.replace(b"Hello", b"x" * 30_000_000)
        async with (
            asyncio.timeout(20),
            served(app) as here,
            aiohttp.ClientSession(here) as client,
            client.post("/v1/messages", data=BytesIO(body), headers=JSON) as response,
        ):
            assert response.status == 504
            answered.set()
            await left.wait()
        there.close()

    asyncio.run(run())


def test_much_work_of_the_codec_is_done_beside_the_event_loop(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    threads: list[int] = []
    decode = wg.providers.anthropic.decode_request
    translation = wg.RequestTranslator.translation

    def noted(*given: Any, **more: Any) -> wg.Request:
        threads.append(threading.get_ident())
        return decode(*given, **more)

    def translated(*given: Any, **more: Any) -> Any:
        threads.append(threading.get_ident())
        return translation(*given, **more)

    monkeypatch.setattr(wg.providers.anthropic, "decode_request", noted)
    monkeypatch.setattr(wg.RequestTranslator, "translation", translated)
    _ask(_raw(ANSWER), name="real")
    tools = [
        {"name": f"t{i}", "description": "d" * 100, "input_schema": {"type": "object"}}
        for i in range(3000)
    ]
    body = json.dumps({**json.loads(HELLO), "tools": tools}).encode()
    for said in (body, body.replace(b"ddd", b"\\ud83d", 1)):  # a cut character, which is read twice
        status, _, answer = _ask(_raw(ANSWER), said, name="real")
        assert (status, json.loads(answer)["content"]) == (200, [{"type": "text", "text": "Hi."}])
    here = threading.get_ident()
    assert [thread == here for thread in threads] == [True, False, False, False]


NONE = ["https://", "http://a b", "http://u:p@x.org", "http://x.org?a=b", "http://a..b"]


@pytest.mark.parametrize("url", [*NONE, f"http://{'a' * 64}.org"])
def test_an_address_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(wg.EncodeError, match="expected http or https, a host and a path"):
        ModelRoute("m", "anthropic", url)


@BOTH
@pytest.mark.parametrize(
    ("head", "said"),
    [
        ("x-should-retry: false\r\n", "false"),
        ("x-should-retry: true\r\n", "true"),
        ("", None),
    ],
)
def test_what_a_provider_says_of_another_attempt_is_passed_on(
    head: str, said: str | None, name: str | None
) -> None:
    _, headers, _ = _ask(_raw(ERROR, head=head, status="529 Odd"), name=name)
    assert headers.get("x-should-retry") == said


def test_what_is_not_said_so_is_not_passed_on() -> None:
    _, headers, _ = _ask(_raw(ERROR, head="x-should-retry: maybe\r\n", status="529 Odd"), name="r")
    assert "x-should-retry" not in headers


@BOTH
def test_an_error_whose_body_cannot_be_read_keeps_its_status_and_its_wait(
    name: str | None,
) -> None:
    raw = _raw(b"\x1f\x8b", "retry-after: 30\r\ncontent-encoding: gzip\r\n", "429 Slow")
    status, headers, body = _ask(raw, name=name)
    assert (status, headers["retry-after"]) == (429, "30")
    assert "x-should-retry" not in headers
    assert json.loads(body)["error"]["type"] == "rate_limit_error"
