"""Clients of Chat Completions in front, Anthropic behind: aiohttp on both sides.

pip install wireglot aiohttp
UPSTREAM_KEY=sk-ant-... python aiohttp_gateway.py
OPENAI_BASE_URL=http://127.0.0.1:8000/v1 python your_program.py
"""

import os
from collections.abc import AsyncIterator
from secrets import token_hex

import aiohttp
from aiohttp import web

import wireglot as wg

CLIENT, TARGET = wg.providers.openai_chat, wg.providers.anthropic
UPSTREAM = os.environ.get("UPSTREAM", "https://api.anthropic.com")
KEY = os.environ.get("UPSTREAM_KEY", "none")
HTTP = web.AppKey("http", aiohttp.ClientSession)


async def chat(asked: web.Request) -> web.StreamResponse:
    """Answer `POST /v1/chat/completions`."""
    losses: list[wg.Loss] = []
    names: wg.ToolNames = {}
    try:
        request = CLIENT.decode_request(await asked.read(), losses=losses)
        body = TARGET.encode_request(request, losses=losses, names=names)
    except wg.WireglotError as error:
        return refusal(wg.ProviderError("invalid_request", str(error)))
    if severe := [str(loss) for loss in losses if loss.severe]:
        return refusal(wg.ProviderError("invalid_request", "; ".join(severe)))
    to = TARGET.route(request)
    post = asked.app[HTTP].post(UPSTREAM + to.path, data=body, headers=to.with_key(KEY))
    try:
        async with post as answer:
            if answer.status >= 400:
                said = await answer.read()
                return refusal(TARGET.decode_error(said, answer.status, headers=answer.headers))
            if request.stream:
                return await streamed(asked, answer, names)
            response = TARGET.decode_response(await answer.read(), losses=losses, names=names)
            said = CLIENT.encode_response(response, losses=losses, ids=token_hex)
    except (wg.WireglotError, aiohttp.ClientError) as error:
        return refusal(wg.ProviderError("server", str(error), status=502))
    return web.Response(body=said, content_type="application/json")


async def streamed(
    asked: web.Request, answer: aiohttp.ClientResponse, names: wg.ToolNames
) -> web.StreamResponse:
    """Send the client's stream; an error is its last event."""
    response = web.StreamResponse(headers={"content-type": CLIENT.StreamEncoder.CONTENT_TYPE})
    await response.prepare(asked)
    decoder = TARGET.StreamDecoder(losses=[], ids=token_hex, names=names)
    encoder = CLIENT.StreamEncoder(losses=[], ids=token_hex)
    try:
        async for chunk in answer.content.iter_any():
            await response.write(b"".join(map(encoder.encode, decoder.feed(chunk))))
        await response.write(b"".join(map(encoder.encode, decoder.finish())) + encoder.close())
    except (wg.WireglotError, aiohttp.ClientError) as error:
        failure = wg.StreamFailure.of(wg.ProviderError("server", str(error)))
        await response.write(encoder.encode(failure))
    return response


def refusal(error: wg.ProviderError) -> web.Response:
    """Return an error as the client's API would."""
    body, status = CLIENT.encode_error(error), error.http_status
    return web.Response(body=body, status=status, content_type="application/json")


async def connected(app: web.Application) -> AsyncIterator[None]:
    """Hold the connections to the provider."""
    async with aiohttp.ClientSession() as app[HTTP]:
        yield


app = web.Application(client_max_size=64 * 1024 * 1024)
app.cleanup_ctx.append(connected)
app.router.add_post("/v1/chat/completions", chat)
if __name__ == "__main__":
    web.run_app(app, port=8000)
