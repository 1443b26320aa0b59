"""Let clients of Anthropic's API use a server of Chat Completions, streams and errors included.

UPSTREAM=https://api.openai.com KEY=sk-... uvicorn gateway:app
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
HEADERS = {"authorization": f"Bearer {os.environ.get('KEY')}", "content-type": "application/json"}
http = httpx.AsyncClient(timeout=600)


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
    url = f"{UPSTREAM}/v1/chat/completions"
    post = http.build_request("POST", url, content=body, headers=HEADERS)
    try:
        reply = await http.send(post, stream=True)
        if reply.headers.get("content-type", "").startswith("text/event-stream"):
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
    """Yield the client's stream; an error is its last event."""
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
    """Return an error as the client's API would."""
    body = wg.PROVIDERS[CLIENT].encode_error(error)
    return Response(body, error.http_status, media_type="application/json")


app = Starlette(routes=[Route("/v1/messages", messages, methods=["POST"])])
