"""The two gateways of one file in the examples, with official clients before them."""

from __future__ import annotations

import asyncio
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Final

import anthropic
import openai
import pytest
from aiohttp import web

from tests.clients.server import Server
from tests.gateway.provider import END, START
from tests.gateway.serving import served

EXAMPLES: Final = Path(__file__).parents[2] / "examples"
CHAT: Final = (
    b'{"id":"chatcmpl-1","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,'
    b'"message":{"role":"assistant","content":"Hi."},"finish_reason":"stop"}],'
    b'"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3}}'
)
CHAT_STREAM: Final = (
    b'data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"m",'
    b'"choices":[{"index":0,"delta":{"role":"assistant","content":"Hi"}}]}\n\n'
    b'data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"m",'
    b'"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'
)
ANSWER: Final = (
    b'{"id":"msg_1","type":"message","role":"assistant","model":"m","content":['
    b'{"type":"text","text":"Hi."}],"stop_reason":"end_turn","stop_sequence":null,'
    b'"usage":{"input_tokens":1,"output_tokens":2}}'
)
BUSY_CHAT: Final = b'{"error":{"message":"busy","type":"rate_limit_error"}}'
BUSY: Final = b'{"type":"error","error":{"type":"rate_limit_error","message":"busy"}}'
SSE: Final = "text/event-stream"
JSON: Final = "application/json"


def module(name: str, upstream: str) -> ModuleType:
    """Return an example, which asks `upstream`."""
    spec = spec_from_file_location(Path(name).stem, EXAMPLES / name)
    assert spec is not None
    assert spec.loader is not None
    made = module_from_spec(spec)
    spec.loader.exec_module(made)
    made.UPSTREAM = upstream  # type: ignore[attr-defined]
    return made


def test_claude_s_clients_use_a_server_of_chat(provider: Server) -> None:
    def ask(address: str) -> None:
        with anthropic.Anthropic(base_url=address, api_key="k", max_retries=0) as client:
            said = {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "Hi"}]}
            provider.answers(JSON, CHAT)
            [block] = client.messages.create(**said).content
            assert block.text == "Hi."
            provider.answers(SSE, CHAT_STREAM)
            with client.messages.stream(**said) as stream:
                assert stream.get_final_text() == "Hi"
            provider.answers(JSON, BUSY_CHAT, 429)
            with pytest.raises(anthropic.RateLimitError, match="busy"):
                client.messages.create(**said)
            provider.answers(SSE, CHAT_STREAM.partition(b"\n\n")[0] + b"\n\n")
            with (
                client.messages.stream(**said) as stream,
                pytest.raises(anthropic.APIStatusError, match="the stream ended before"),
            ):
                stream.get_final_text()
            with pytest.raises(anthropic.BadRequestError):
                client.messages.create(**said, thinking={"type": "enabled", "budget_tokens": "x"})

    async def run() -> None:
        example = module("cookbook/gateway.py", provider.url)
        async with served(example.app) as address:
            await asyncio.to_thread(ask, address)
        await example.http.aclose()

    asyncio.run(run())


def test_chat_s_clients_use_claude(provider: Server) -> None:
    def ask(address: str) -> None:
        with openai.OpenAI(base_url=f"{address}/v1", api_key="k", max_retries=0) as client:
            said = {"model": "m", "messages": [{"role": "user", "content": "Hi"}]}
            provider.answers(JSON, ANSWER)
            assert client.chat.completions.create(**said).choices[0].message.content == "Hi."
            provider.answers(SSE, START + END)
            with client.chat.completions.create(**said, stream=True) as stream:
                deltas = [c.choices[0].delta.content for c in stream if c.choices]
            assert "".join(filter(None, deltas)) == "Hi"
            provider.answers(JSON, BUSY, 429)
            with pytest.raises(openai.RateLimitError, match="busy"):
                client.chat.completions.create(**said)
            provider.answers(SSE, START)
            with (
                client.chat.completions.create(**said, stream=True) as stream,
                pytest.raises(openai.APIError, match="the stream ended before"),
            ):
                list(stream)

    async def run() -> None:
        example = module("gateway/aiohttp_gateway.py", provider.url)
        runner = web.AppRunner(example.app)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        try:
            await asyncio.to_thread(ask, f"http://127.0.0.1:{runner.addresses[0][1]}")
        finally:
            await runner.cleanup()

    asyncio.run(run())
