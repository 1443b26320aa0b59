"""Send requests through `gateway.py`. This program plays both the client and the provider."""

import asyncio
import json

import gateway
import httpx
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

ANSWER = b"""{"id": "c1", "object": "chat.completion", "created": 1, "model": "gpt-5", "choices": [
  {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "Oslo."}}],
"usage": {"prompt_tokens": 9, "completion_tokens": 2, "total_tokens": 11}}"""
STREAM = b"""data: {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "gpt-5", \
"choices": [{"index": 0, "delta": {"role": "assistant", "content": "Oslo."}}]}

data: {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "gpt-5", \
"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}], \
"usage": {"prompt_tokens": 9, "completion_tokens": 2, "total_tokens": 11}}

data: [DONE]

"""


async def completions(asked: Request) -> Response:
    """Answer as a Chat Completions server that only knows the model `gpt-5`."""
    body = await asked.json()
    if body["model"] != "gpt-5":
        error = b'{"error": {"message": "no such model", "type": "invalid_request_error"}}'
        return Response(error, 404, media_type="application/json")
    if body.get("stream"):
        return Response(STREAM, media_type="text/event-stream")
    return Response(ANSWER, media_type="application/json")


async def main() -> None:
    """Ask for an answer, for a stream, and for a model that does not exist."""
    provider = Starlette(routes=[Route("/v1/chat/completions", completions, methods=["POST"])])
    gateway.http = httpx.AsyncClient(transport=httpx.ASGITransport(provider))
    question = {"max_tokens": 100, "messages": [{"role": "user", "content": "Norway's capital?"}]}
    async with (
        gateway.http,
        httpx.AsyncClient(
            transport=httpx.ASGITransport(gateway.app), base_url="http://gateway"
        ) as client,
    ):
        for more in ({"model": "gpt-5"}, {"model": "gpt-5", "stream": True}, {"model": "gpt-0"}):
            answer = await client.post("/v1/messages", json={**question, **more})
            print(answer.status_code, json.dumps(more))
            print(answer.text.strip())


asyncio.run(main())
