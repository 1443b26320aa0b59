"""Clients of Anthropic in front, a server of Chat Completions behind: Starlette and httpx.

pip install wireglot starlette httpx uvicorn
UPSTREAM=https://api.openai.com UPSTREAM_KEY=sk-... uvicorn starlette_gateway:app
ANTHROPIC_BASE_URL=http://127.0.0.1:8000 claude --model gpt-5.6
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

CLIENT, TARGET = wg.providers.anthropic, wg.providers.openai_chat
UPSTREAM = os.environ.get("UPSTREAM", "https://api.openai.com")
KEY = os.environ.get("UPSTREAM_KEY", "none")
http = httpx.AsyncClient(timeout=600)


async def messages(asked: Request) -> Response:
    """Answer `POST /v1/messages`."""
    losses: list[wg.Loss] = []
    names: wg.ToolNames = {}
    try:
        request = CLIENT.decode_request(await asked.body(), losses=losses)
        body = TARGET.encode_request(request, losses=losses, names=names)
    except wg.WireglotError as error:
        return refusal(wg.ProviderError("invalid_request", str(error)))
    if severe := [str(loss) for loss in losses if loss.severe]:
        return refusal(wg.ProviderError("invalid_request", "; ".join(severe)))
    to = TARGET.route(request)
    url, headers = UPSTREAM + to.path, to.with_key(KEY)
    post = http.build_request(to.method, url, content=body, headers=headers)
    try:
        answer = await http.send(post, stream=True)
    except httpx.HTTPError as error:
        return refusal(wg.ProviderError("server", str(error), status=502))
    if answer.status_code >= 400:
        said = await answer.aread()
        return refusal(TARGET.decode_error(said, answer.status_code, headers=answer.headers))
    if request.stream:
        kind = CLIENT.StreamEncoder.CONTENT_TYPE
        return StreamingResponse(frames(answer, names), media_type=kind)
    try:
        response = TARGET.decode_response(await answer.aread(), losses=losses, names=names)
        said = CLIENT.encode_response(response, losses=losses, ids=token_hex)
    except wg.WireglotError as error:
        return refusal(wg.ProviderError("server", str(error), status=502))
    return Response(said, media_type="application/json")


async def frames(answer: httpx.Response, names: wg.ToolNames) -> AsyncIterator[bytes]:
    """Yield the client's stream; an error is its last event."""
    decoder = TARGET.StreamDecoder(losses=[], ids=token_hex, names=names)
    encoder = CLIENT.StreamEncoder(losses=[], ids=token_hex)
    try:
        async for chunk in answer.aiter_raw():
            for event in decoder.feed(chunk):
                yield encoder.encode(event)
        for event in decoder.finish():
            yield encoder.encode(event)
        yield encoder.close()
    except (wg.WireglotError, httpx.HTTPError) as error:
        yield encoder.encode(wg.StreamFailure.of(wg.ProviderError("server", str(error))))
    finally:
        await answer.aclose()


def refusal(error: wg.ProviderError) -> Response:
    """Return an error as the client's API would."""
    body, status = CLIENT.encode_error(error), error.http_status
    return Response(body, status, media_type="application/json")


app = Starlette(routes=[Route("/v1/messages", messages, methods=["POST"])])
