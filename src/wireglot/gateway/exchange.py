"""One request of a client -> one answer in the client's own wire, by way of a provider.

    request = source.decode_request(body)          # what the client wants
    body = target.encode_request(request, losses)  # as the provider has it
    ...
    target.StreamDecoder -> events -> source.StreamEncoder

The rest of this module is HTTP.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, suppress
from typing import Final
from urllib.parse import unquote

import aiohttp
import msgspec
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from .. import model
from ..errors import DecodeError, EncodeError, ProviderError, WireglotError
from ..losses import Loss
from ..model.events import StreamEnd, StreamEvent, StreamFailure, StreamStart
from ..providers import PROVIDERS
from .config import Config, Route, secret
from .doors import DOORS, key_header

__all__ = ["Exchange"]

_log = logging.getLogger("wireglot.gateway")

_JSON: Final = "application/json"
_LOSSES: Final = "x-wireglot-losses"
_MOST: Final = 20  # losses that a header names
_KEPT: Final = ("content-type", "retry-after", "request-id", "x-request-id")


class _Named(Struct):
    """A body, as far as it says which model it is for."""

    model: str | None = None


_named = msgspec.json.Decoder(_Named).decode


class Exchange:
    """A request that came through the door of `source`, on its way to a provider and back."""

    def __init__(
        self, config: Config, client: aiohttp.ClientSession, source: str, http: Request
    ) -> None:
        self._config = config
        self._client = client
        self._source = source
        self._http = http
        self._path: str = http.scope["raw_path"].decode("ascii", "replace")
        self._losses: list[Loss] = []

    async def answer(self) -> Response:
        """Ask the provider, and return its answer.

        Raises `WireglotError` for what is wrong with the request, the route or the answer,
        aiohttp's `ClientError` and TimeoutError if the provider cannot be had.
        """
        body = await self._body()
        name = self._model(body)
        route = self._config.route(name)
        if route is None:
            raise ProviderError("not_found", f"no route for the model `{name}`")
        if route.provider == self._source and route.dialect is None and route.name in (None, name):
            return await self._passed(route, body, name)
        source, target = PROVIDERS[self._source], PROVIDERS[route.provider]
        dialect = route.dialect or target.DIALECTS[0]
        request = source.decode_request(body, self._path, losses=self._losses)
        request.model = route.name or name
        made = target.encode_request(request, self._losses, dialect=dialect)
        to = target.route(request, dialect=dialect)
        async with AsyncExitStack() as held:
            response = await self._ask(held, route, to.path, made, to.headers)
            if response.status >= 400:
                said = await response.read()
                raise target.decode_error(said, response.status, headers=response.headers)
            if not request.stream:
                return self._translated(await response.read(), route, dialect, name)
            events = self._events(response, route, dialect, name)
            kind = DOORS[self._source].stream
            return _Held(held.pop_all(), events, media_type=kind, headers=self._told())

    async def _body(self) -> bytes:
        """Read the request. Raises `ProviderError` if it is too large, or of another type."""
        kind = self._http.headers.get("content-type", _JSON)
        if not kind.lower().startswith(_JSON):
            reason = f"content type `{kind[:100]}`, expected `{_JSON}`"
            raise ProviderError("invalid_request", reason, status=415)
        parts: list[bytes] = []
        size = 0
        async for part in self._http.stream():
            parts.append(part)
            size += len(part)
            if size > self._config.largest:
                reason = f"request of over {self._config.largest:,} bytes"
                raise ProviderError("invalid_request", reason, status=413)
        return b"".join(parts)

    def _model(self, body: bytes) -> str | None:
        """Return the model that the client names, in the URL or in the body."""
        pattern = DOORS[self._source].model
        if pattern is not None:
            found = pattern.search(self._path)
            return None if found is None else unquote(found[1])
        try:
            return _named(body).model
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            raise DecodeError(str(error), wire=self._source) from error

    async def _ask(
        self,
        held: AsyncExitStack,
        route: Route,
        path: str,
        body: bytes,
        headers: dict[str, str],
    ) -> aiohttp.ClientResponse:
        """Send a request to the provider; the answer is open until `held` is closed."""
        key = secret(route.key)
        shown = {} if key is None else key_header(route.provider, route.dialect, key)
        sent = {"content-type": _JSON, **headers, **route.headers, **shown}
        url = route.url + path
        for _ in range(self._config.retries):
            with suppress(aiohttp.ClientConnectorError):
                asked = self._client.post(url, data=body, headers=sent)
                return await held.enter_async_context(asked)
        return await held.enter_async_context(self._client.post(url, data=body, headers=sent))

    async def _passed(self, route: Route, body: bytes, name: str | None) -> Response:
        """Send the client's bytes to the provider, and the provider's to the client."""
        # The path is made anew: with the client's own, ours might be the key to another door.
        is_stream = self._path.endswith((":streamGenerateContent", "/converse-stream"))
        asked = model.Request([], name, stream=is_stream)
        path = PROVIDERS[self._source].route(asked).path
        if self._http.query_params.get("alt") != "sse":
            path = path.removesuffix("?alt=sse")
        kept = ("anthropic-version", "anthropic-beta", "openai-beta")
        headers = {name: self._http.headers[name] for name in kept if name in self._http.headers}
        async with AsyncExitStack() as held:
            response = await self._ask(held, route, path, body, headers)
            back = {name: response.headers[name] for name in _KEPT if name in response.headers}
            chunks = response.content.iter_any()
            return _Held(held.pop_all(), chunks, status_code=response.status, headers=back)
        raise AssertionError("an exit stack swallows nothing")

    def _translated(self, body: bytes, route: Route, dialect: str, name: str | None) -> Response:
        try:
            response = PROVIDERS[route.provider].decode_response(
                body, dialect=dialect, losses=self._losses
            )
        except DecodeError as error:
            raise ProviderError("server", f"answer cannot be read: {error}", status=502) from error
        response.message.model = name or response.message.model
        made = PROVIDERS[self._source].encode_response(response, self._losses)
        return Response(made, media_type=_JSON, headers=self._told())

    async def _events(
        self, response: aiohttp.ClientResponse, route: Route, dialect: str, name: str | None
    ) -> AsyncIterator[bytes]:
        """Yield the frames of a stream as they come; an error on the way is the last of them."""
        decoder = PROVIDERS[route.provider].StreamDecoder(dialect=dialect, losses=self._losses)
        encoder = PROVIDERS[self._source].StreamEncoder(self._losses)

        def written(events: list[StreamEvent]) -> bytes:
            for event in events:
                if name is not None and isinstance(event, StreamStart | StreamEnd):
                    event.response.message.model = name
            return b"".join(map(encoder.encode, events))

        try:
            async for chunk in response.content.iter_any():
                if made := written(decoder.feed(chunk)):
                    yield made
            yield written(decoder.finish()) + encoder.close()
        except (WireglotError, aiohttp.ClientError, TimeoutError) as error:
            reason = f"{route.provider} broke off: {error}"
            _log.warning(reason)
            failure = StreamFailure.of(ProviderError("server", reason))
            with suppress(EncodeError):  # the answer had its end
                yield encoder.encode(failure) + encoder.close()

    def _told(self) -> dict[str, str]:
        """Return the header that tells of losses, and log them."""
        if not self._losses:
            return {}
        for loss in self._losses:
            _log.info("lost: %s", loss)
        names = ", ".join(dict.fromkeys(loss.what for loss in self._losses[:_MOST]))
        return {_LOSSES: f"{len(self._losses)}; {names}"}


class _Held(StreamingResponse):
    """A stream that holds something open until it has been sent, or cannot be."""

    def __init__(
        self,
        held: AsyncExitStack,
        chunks: AsyncIterator[bytes],
        *,
        status_code: int = 200,
        headers: dict[str, str] | None = None,
        media_type: str | None = None,
    ) -> None:
        super().__init__(chunks, status_code, headers, media_type)
        self._held = held

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async with self._held:
            await super().__call__(scope, receive, send)
