"""The application in other hands than `serve`'s: servers and hosts that do as ASGI lets them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount
from starlette.types import Message, Send

from tests.gateway.provider import ANSWER, END, HELLO, JSON, START, Provider
from tests.gateway.serving import served
from wireglot.gateway import Config, ModelRoute, create_app
from wireglot.gateway.server import configured

STREAM = HELLO.replace(b"{", b'{"stream":true,', 1)
BOTH = pytest.mark.parametrize("name", [None, "real"], ids=["passed through", "translated"])


def _with(test: Callable[[Provider, Starlette], Any], name: str | None = None) -> None:
    """Run a test with a provider, and an application of which no lifespan has begun."""

    async def run() -> None:
        provider = Provider()
        async with asyncio.timeout(20), served(provider.app) as there:
            config = Config([ModelRoute("m", "anthropic", there, name=name)])
            await test(provider, create_app(config))

    asyncio.run(run())


@asynccontextmanager
async def _running(app: Starlette) -> AsyncIterator[Starlette]:
    async with app.router.lifespan_context(app):
        yield app


async def _call(
    app: Any, path: str, body: bytes = HELLO, send: Send | None = None, **more: Any
) -> tuple[int, bytes]:
    """Ask an application as a server does, with `more` in the scope, and return its answer."""
    came = [{"type": "http.request", "body": body, "more_body": False}]
    sent: list[Message] = []

    async def receive() -> Message:
        if came:
            return came.pop()
        return await asyncio.Future()

    async def note(message: Message) -> None:
        sent.append(message)

    headers = [(name.encode(), value.encode()) for name, value in JSON.items()]
    scope = {"type": "http", "method": "POST", "headers": headers, "query_string": b""}
    await app({**scope, "path": path, "raw_path": path.encode(), **more}, receive, send or note)
    status = sent[0]["status"] if sent else 0
    return status, b"".join(message.get("body", b"") for message in sent)


def test_a_server_need_not_have_the_path_as_it_came() -> None:
    async def test(provider: Provider, app: Starlette) -> None:
        async with _running(app):
            assert await _call(app, "/v1/messages", raw_path=None) == (200, ANSWER)
            body = b'{"contents":[{"role":"user","parts":[{"text":"Hello"}]}]}'
            path = "/v1beta/models/a ü:generateContent"
            status, said = await _call(app, path, body, raw_path=None)
            assert (status, "no route for the model `a ü`" in said.decode()) == (404, True)

    _with(test)


@BOTH
@pytest.mark.parametrize("body", [HELLO, STREAM], ids=["whole", "stream"])
@pytest.mark.parametrize("taken", [0, 1])
def test_a_server_may_raise_where_a_client_has_left(
    name: str | None, body: bytes, taken: int
) -> None:
    async def stream(http: Request) -> Response:
        return Response(START + END, media_type="text/event-stream")

    async def test(provider: Provider, app: Starlette) -> None:
        if body == STREAM:
            provider.reply = stream
        sent: list[Message] = []

        async def send(message: Message) -> None:
            if len(sent) == taken:
                raise ConnectionResetError
            sent.append(message)

        async with _running(app):
            await _call(app, "/v1/messages", body, send)
            _, said = await _call(app, "/metrics", method="GET")
        assert b'provider="anthropic",status="499"} 1.0' in said

    _with(test, name)


@BOTH
def test_a_host_that_does_not_wait_any_longer_is_heard(name: str | None) -> None:
    async def test(provider: Provider, app: Starlette) -> None:
        provider.reply = provider.silent
        async with _running(app):
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.2):
                    await _call(app, "/v1/messages")
            await provider.left.wait()

    _with(test, name)


def test_an_application_that_is_mounted_says_what_its_host_has_to_do() -> None:
    async def test(_: Provider, app: Starlette) -> None:
        async with _running(Starlette(routes=[Mount("/llm", app)])) as host:
            status, said = await _call(host, "/llm/v1/messages")
            assert (status, json.loads(said)["error"]["message"]) == (
                500,
                "the gateway has not begun, expected an ASGI server with lifespan",
            )
            async with _running(app):
                assert await _call(host, "/llm/v1/messages") == (200, ANSWER)

    _with(test)


def test_a_server_that_goes_logs_no_end_of_a_stream(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def run() -> None:
        provider = Provider()
        async with asyncio.timeout(20), served(provider.app) as there:
            config = tmp_path / "gateway.toml"
            config.write_text(f"[[routes]]\nmodel='m'\nprovider='anthropic'\nurl='{there}'")
            monkeypatch.setenv("WIREGLOT_GATEWAY_CONFIG", str(config))
            async with aiohttp.ClientSession() as client:
                async with served(configured()) as here:
                    response = await client.post(f"{here}/v1/messages", data=STREAM, headers=JSON)
                    assert await response.content.readany()
                with pytest.raises(aiohttp.ClientPayloadError):
                    await response.read()

    asyncio.run(run())
    assert "Exception in ASGI application" not in capsys.readouterr().err
