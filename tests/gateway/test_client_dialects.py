"""A gateway whose clients of Chat Completions speak a dialect: its requests and its answers."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

import aiohttp
import pytest
from openrouter import OpenRouter
from openrouter.errors import NotFoundResponseError, TooManyRequestsResponseError
from starlette.requests import Request
from starlette.responses import Response

from tests.gateway.provider import JSON, Provider
from tests.gateway.serving import served
from wireglot.gateway import Config, ModelRoute, create_app
from wireglot.gateway.server import Guarded

THOUGHT = {"type": "thinking", "thinking": "Look.", "signature": "RXVz"}
CALL = {"type": "tool_use", "id": "a", "name": "f", "input": {}}
ANSWER = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "model": "claude-sonnet-4-5",
    "content": [THOUGHT, CALL],
    "stop_reason": "tool_use",
    "stop_sequence": None,
    "usage": {"input_tokens": 1, "output_tokens": 2},
}
STREAM = b"""event: message_start
data: {"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant",\
"model":"claude-sonnet-4-5","content":[],"stop_reason":null,"stop_sequence":null,\
"usage":{"input_tokens":1,"output_tokens":1}}}

event: content_block_start
data: {"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":""}}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"Look."}}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"RXVz"}}

event: content_block_stop
data: {"type":"content_block_stop","index":0}

event: message_delta
data: {"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},\
"usage":{"output_tokens":2}}

event: message_stop
data: {"type":"message_stop"}

"""
DETAIL = {
    "type": "reasoning.text",
    "text": "Look.",
    "signature": "RXVz",
    "format": "anthropic-claude-v1",
    "index": 0,
}
HELLO: dict[str, Any] = {"model": "fast", "messages": [{"role": "user", "content": "hi"}]}


def _with(
    dialects: dict[str, str], test: Callable[[Provider, aiohttp.ClientSession], Awaitable[None]]
) -> None:
    """Run a test with a provider of a Claude, and a client of a gateway that calls it `fast`."""

    async def run() -> None:
        provider = Provider()
        provider.reply = _thinks
        async with asyncio.timeout(20), served(provider.app) as there:
            routes = [
                ModelRoute("fast", "anthropic", there, name="claude-sonnet-4-5"),
                ModelRoute("claude-*", "anthropic", there),
                ModelRoute("gpt-*", "openai_responses", there),
            ]
            app = create_app(Config(routes, client_dialects=dialects))
            async with (
                served(app, http=Guarded) as here,
                aiohttp.ClientSession(here) as client,
            ):
                await test(provider, client)

    asyncio.run(run())


async def _thinks(http: Request) -> Response:
    if json.loads(await http.body()).get("stream"):
        return Response(STREAM, media_type="text/event-stream")
    return Response(json.dumps(ANSWER), media_type="application/json")


async def _asked(client: aiohttp.ClientSession, body: dict[str, Any]) -> bytes:
    async with client.post("/v1/chat/completions", json=body, headers=JSON) as response:
        assert response.status == 200
        return await response.read()


@pytest.mark.parametrize("dialect", ["openrouter", None])
def test_thinking_comes_back_to_claude_over_a_client_of_the_dialect(dialect: str | None) -> None:
    async def test(provider: Provider, client: aiohttp.ClientSession) -> None:
        answer = json.loads(await _asked(client, HELLO))
        message = answer["choices"][0]["message"]
        assert message.get("reasoning_details") == ([DETAIL] if dialect else None)
        result = {"role": "tool", "tool_call_id": "a", "content": "ok"}
        await _asked(client, HELLO | {"messages": [*HELLO["messages"], message, result]})
        _, _, body = provider.asked[-1]
        content = json.loads(body)["messages"][1]["content"]
        assert content == ([THOUGHT, CALL] if dialect else [CALL])

    _with({"openai_chat": dialect} if dialect else {}, test)


def test_a_stream_is_written_in_the_dialect() -> None:
    async def test(provider: Provider, client: aiohttp.ClientSession) -> None:
        stream = await _asked(client, HELLO | {"stream": True})
        detail = json.dumps(DETAIL, separators=(",", ":"))
        assert f'"delta":{{"reasoning_details":[{detail}]}}'.encode() in stream

    _with({"openai_chat": "openrouter"}, test)


@pytest.mark.parametrize("dialects", [{}, {"anthropic": "anthropic"}])
def test_bytes_pass_through_only_where_clients_speak_no_dialect(dialects: dict[str, str]) -> None:
    async def test(provider: Provider, client: aiohttp.ClientSession) -> None:
        body = HELLO | {"model": "claude-sonnet-4-5", "max_tokens": 9}
        async with client.post("/v1/messages", json=body) as response:
            is_as_it_came = await response.read() == json.dumps(ANSWER).encode()
        assert is_as_it_came is not bool(dialects)

    _with(dialects, test)


@pytest.mark.parametrize("content", ["claude:RXVz", "claude-redacted:RXVz", "gAAAAABp"])
def test_a_client_that_has_changed_models_does_not_send_openai_a_claudes_signature(
    content: str,
) -> None:
    """OpenAI refuses what it has not encrypted itself: fkiene/llmtrim#175."""
    item = {"type": "reasoning", "summary": [], "encrypted_content": content}
    request = {"model": "gpt-5.2", "input": [{"role": "user", "content": "hi"}, item]}

    async def test(provider: Provider, client: aiohttp.ClientSession) -> None:
        async with client.post("/v1/responses", json=request) as response:
            await response.read()
        _, _, body = provider.asked[-1]
        assert (content.encode() in body) is (content == "gAAAAABp")

    _with({}, test)


BUSY = b'{"type":"error","error":{"type":"rate_limit_error","message":"busy"}}'
CUT = STREAM.partition(b"event: content_block_stop")[0]
OVERLOADED = (
    b'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"busy"}}\n\n'
)


def test_the_official_client_of_openrouter_reads_answers_streams_and_errors() -> None:
    def ask(address: str, provider: Provider) -> None:
        async def answer(http: Request) -> Response:
            if json.loads(await http.body()).get("stream"):
                return Response(STREAM, media_type="text/event-stream")
            return Response(json.dumps(ANSWER), media_type="application/json")

        async def busy(_: Request) -> Response:
            return Response(BUSY, 429, media_type="application/json")

        async def broken(_: Request) -> Response:
            return Response(CUT + OVERLOADED, media_type="text/event-stream")

        asked: Any = {"messages": [{"role": "user", "content": "Hi"}], "retries": None}
        with OpenRouter(api_key="k", server_url=f"{address}/v1") as client:
            provider.reply = answer
            for model in ("claude", "gpt"):
                whole = client.chat.send(model=model, **asked)
                assert whole.choices[0].message.reasoning == "Look."
                streamed = client.chat.send(model=model, stream=True, **asked)
                deltas = [chunk.choices[0].delta for chunk in streamed if chunk.choices]
                assert "Look." in [delta.reasoning for delta in deltas]
            with pytest.raises(NotFoundResponseError) as missing:
                client.chat.send(model="nobody", **asked)
            assert (missing.value.data.error.code, "nobody" in str(missing.value)) == (404, True)
            provider.reply = busy
            with pytest.raises(TooManyRequestsResponseError, match="busy") as limited:
                client.chat.send(model="claude", **asked)
            assert limited.value.data.error.code == 429
            provider.reply = broken
            *_, last = client.chat.send(model="claude", stream=True, **asked)
            assert last.error is not None
            assert (last.error.code, last.error.message) == (503, "busy")
            assert last.choices[0].finish_reason == "error"

    async def run() -> None:
        provider = Provider()
        async with asyncio.timeout(60), served(provider.app) as there:
            routes = [ModelRoute("claude", "anthropic", there)]
            routes.append(ModelRoute("gpt", "anthropic", there, name="real"))
            config = Config(routes, client_dialects={"openai_chat": "openrouter"})
            async with served(create_app(config)) as here:
                await asyncio.to_thread(ask, here, provider)

    asyncio.run(run())
