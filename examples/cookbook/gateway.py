"""A gateway: clients of Anthropic's API use a server of OpenAI's Chat Completions API.

UPSTREAM=https://api.openai.com KEY=sk-... uvicorn --app-dir examples/cookbook gateway:app
"""

import logging
import math
import os
from collections.abc import AsyncIterator
from secrets import token_hex

import httpx
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

import wireglot as wg

CLIENT, TARGET = "anthropic", "openai_chat"
UPSTREAM = os.environ.get("UPSTREAM", "https://api.openai.com")
HEADERS = {"content-type": "application/json"}
if key := os.environ.get("KEY"):  # a server of your own may need none
    HEADERS["authorization"] = f"Bearer {key}"
http = httpx.AsyncClient(timeout=600)
log = logging.getLogger("gateway")


async def messages(asked: Request) -> Response:
    """Answer `POST /v1/messages`."""
    losses: list[wg.Loss] = []
    names: wg.ToolNames = {}
    data = await asked.body()
    try:
        body = wg.translate_request(data, CLIENT, TARGET, losses=losses, names=names)
    except wg.WireglotError as error:
        return refusal(wg.ProviderError("invalid_request", str(error)))
    if severe := [str(loss) for loss in losses if loss.severe]:
        return refusal(wg.ProviderError("invalid_request", "; ".join(severe)))
    report(losses)
    url = f"{UPSTREAM}/v1/chat/completions"
    post = http.build_request("POST", url, content=body, headers=HEADERS)
    try:
        reply = await http.send(post, stream=True)
        if reply.headers.get("content-type", "").startswith("text/event-stream"):
            return StreamingResponse(frames(reply, names), media_type="text/event-stream")
        data = await reply.aread()
        if reply.is_error:
            raise wg.PROVIDERS[TARGET].decode_error(data, reply.status_code, headers=reply.headers)
        losses = []
        answer = wg.translate_response(
            data, TARGET, CLIENT, losses=losses, names=names, ids=token_hex
        )
        report(losses)
    except wg.ProviderError as error:
        return refusal(error)
    except (wg.WireglotError, httpx.HTTPError) as error:
        return refusal(wg.ProviderError("server", str(error), status=502))
    return Response(answer, media_type="application/json")


async def frames(reply: httpx.Response, names: wg.ToolNames) -> AsyncIterator[bytes]:
    """Yield the client's stream. An error becomes its last event."""
    losses: list[wg.Loss] = []
    translator = wg.StreamTranslator(TARGET, CLIENT, losses=losses, names=names, ids=token_hex)
    try:
        async for chunk in reply.aiter_bytes():
            yield translator.feed(chunk)
        yield translator.close()
    except (wg.WireglotError, httpx.HTTPError) as error:
        yield translator.fail(wg.ProviderError("server", str(error)))
    finally:
        report(losses)
        await reply.aclose()


def report(losses: list[wg.Loss]) -> None:
    """Log what the other API cannot carry."""
    for loss in losses:
        log.warning("lost: %s", loss)


def refusal(error: wg.ProviderError) -> Response:
    """Return an error in the form of the client's API."""
    body = wg.PROVIDERS[CLIENT].encode_error(error)
    headers = {}
    if error.retry_after is not None:
        headers["retry-after"] = str(math.ceil(error.retry_after))
    return Response(body, error.http_status, headers, media_type="application/json")


app = Starlette(routes=[Route("/v1/messages", messages, methods=["POST"])])
