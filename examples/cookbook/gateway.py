"""A gateway: clients of Anthropic's API use a server of OpenAI's Chat Completions API.

UPSTREAM=https://api.openai.com KEY=sk-... uvicorn --app-dir examples/cookbook gateway:app
"""

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


async def messages(asked: Request) -> Response:
    """Answer `POST /v1/messages`."""
    losses: list[wg.Loss] = []  # log them, if you want to know what the other API cannot carry
    names: wg.ToolNames = {}
    try:
        body = wg.translate_request(await asked.body(), CLIENT, TARGET, losses=losses, names=names)
    except wg.WireglotError as error:
        return refusal(wg.ProviderError("invalid_request", str(error)))
    if severe := "; ".join(str(loss) for loss in losses if loss.severe):
        return refusal(wg.ProviderError("invalid_request", severe))
    try:
        url = f"{UPSTREAM}/v1/chat/completions"
        post = http.build_request("POST", url, content=body, headers=HEADERS)
        reply = await http.send(post, stream=True)
        if not reply.is_error and "event-stream" in reply.headers.get("content-type", ""):
            return StreamingResponse(frames(reply, names), media_type="text/event-stream")
        data = await reply.aread()
        if reply.is_error:
            raise wg.PROVIDERS[TARGET].decode_error(data, reply.status_code, headers=reply.headers)
        made = wg.translate_response(data, TARGET, CLIENT, losses=[], names=names, ids=token_hex)
    except wg.ProviderError as error:
        return refusal(error)
    except (wg.WireglotError, httpx.HTTPError) as error:
        return refusal(wg.ProviderError("server", str(error), status=502))
    return Response(made, media_type="application/json")


async def frames(reply: httpx.Response, names: wg.ToolNames) -> AsyncIterator[bytes]:
    """Yield the client's stream. An error becomes its last event."""
    translator = wg.StreamTranslator(TARGET, CLIENT, losses=[], names=names, ids=token_hex)
    try:
        async for chunk in reply.aiter_bytes():
            yield translator.feed(chunk)
        yield translator.close()
    except (wg.WireglotError, httpx.HTTPError) as error:
        yield translator.fail(wg.ProviderError("server", str(error)))
    finally:
        await reply.aclose()


def refusal(error: wg.ProviderError) -> Response:
    """Return an error in the form of the client's API."""
    headers = {} if error.retry_after is None else {"retry-after": f"{error.retry_after:.0f}"}
    body = wg.PROVIDERS[CLIENT].encode_error(error)
    return Response(body, error.http_status, headers, media_type="application/json")


app = Starlette(routes=[Route("/v1/messages", messages, methods=["POST"])])
