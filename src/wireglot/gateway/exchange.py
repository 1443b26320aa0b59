"""One request of a client -> one answer in the client's own wire, by way of a provider.

    request = source.decode_request(body)          # what the client wants
    body = target.encode_request(request, losses)  # as the provider has it
    ...
    target.StreamDecoder -> events -> source.StreamEncoder

Where both sides speak the same wire, and nothing is to change, their bytes pass through.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, suppress
from typing import Final
from urllib.parse import unquote

import aiohttp
import msgspec
from msgspec import Struct
from msgspec.structs import replace
from starlette.requests import Request as Http
from starlette.responses import Response as Answer

from ..errors import DecodeError, EncodeError, ProviderError, WireglotError
from ..framing import sse
from ..losses import Loss
from ..model import Request, Response
from ..model.events import StreamEnd, StreamEvent, StreamFailure, StreamStart
from ..providers import PROVIDERS
from .config import Config, Route
from .doors import DOORS, JSON
from .sending import Streamed
from .spans import span
from .telemetry import Call
from .upstream import Upstream

__all__ = ["Exchange"]

_LOSSES: Final = "x-wireglot-losses"
_MOST: Final = 20  # losses that the header names
_TO_CLIENT: Final = ("content-type", "retry-after", "request-id", "x-request-id")


class _Named(Struct):
    """A body, as far as it says which model it is for."""

    model: str | None = None


_named = msgspec.json.Decoder(_Named).decode


class Exchange:
    """A request that came through the door of `call.client`, on its way to a provider and back.

    What the provider has open for it is closed with `held`.
    """

    def __init__(
        self, config: Config, upstream: Upstream, held: AsyncExitStack, http: Http, call: Call
    ) -> None:
        self._config = config
        self._upstream = upstream
        self._held = held
        self._http = http
        self._call = call
        self._path: str = http.scope["raw_path"].decode("ascii", "replace")
        self._source = PROVIDERS[call.client]
        self._door = DOORS[call.client]
        self._name: str | None = None

    async def answer(self, body: bytes) -> Answer:
        """Ask the provider, and return its answer.

        Raises `WireglotError` for what is wrong with the request, the route or the answer.
        """
        name = self._name = self._model(body)
        route = self._call.route = self._config.route(name)
        if route is None:
            raise ProviderError("not_found", f"no route for the model `{name}`")
        model = route.name or name
        if route.provider == self._call.client and route.dialect is None and model == name:
            return await self._passed(route, body, model)
        return await self._translated(route, body, model)

    def _model(self, body: bytes) -> str | None:
        """Return the model that the client names, in the URL or in the body."""
        if self._door.model is not None:
            found = self._door.model.search(self._path)
            return None if found is None else unquote(found[1])
        try:
            return _named(body).model
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            raise DecodeError(str(error), wire=self._call.client) from error

    async def _translated(self, route: Route, body: bytes, model: str | None) -> Answer:
        call, target = self._call, PROVIDERS[route.provider]
        dialect = route.dialect or target.DIALECTS[0]
        with call.working():
            request = self._source.decode_request(body, self._path, losses=call.losses)
            request.model = model
            made = target.encode_request(request, call.losses, dialect=dialect)
            to = target.route(request, dialect=dialect)
        response = await self._ask(route, to.path, made, to.headers, model, request)
        if response.status >= 400:
            said = await self._upstream.whole(response)
            raise target.decode_error(said, response.status, headers=response.headers)
        if request.stream:
            return self._stream(self._events(response, route, dialect))
        said = await self._upstream.whole(response)
        with call.working():
            try:
                call.response = target.decode_response(said, dialect=dialect, losses=call.losses)
            except DecodeError as error:
                reason = f"answer cannot be read: {error}"
                raise ProviderError("server", reason, status=502) from error
            said = self._source.encode_response(self._as_asked(call.response), call.losses)
        return Answer(said, headers=self._told(), media_type=JSON)

    async def _ask(
        self,
        route: Route,
        path: str,
        body: bytes,
        headers: dict[str, str],
        model: str | None,
        request: Request | None = None,
    ) -> aiohttp.ClientResponse:
        came = self._http.headers
        asks = {name: came[name] for name in self._door.asks if name in came}
        if route.provider != self._call.client:
            why = "a header of another API; left out"
            self._call.losses += [Loss("$", name, why) for name in asks]
            asks = {}
        carried = self._held.enter_context(span(self._call, route, model, request, came))
        sent = {**headers, **asks, **carried}
        return await self._upstream.ask(self._held, route, path, body, sent)

    def _as_asked(self, response: Response) -> Response:
        """Return an answer under the client's name of the model, if the provider has another."""
        message = response.message
        route = self._call.route
        if message.model is not None and (route is None or route.name is None):
            return response
        return replace(response, message=replace(message, model=self._name))

    async def _events(
        self, response: aiohttp.ClientResponse, route: Route, dialect: str
    ) -> AsyncIterator[bytes]:
        """Yield the frames of a stream as they come; an error on the way is the last of them."""
        call = self._call
        decoder = PROVIDERS[route.provider].StreamDecoder(dialect=dialect, losses=call.losses)
        encoder = self._source.StreamEncoder(call.losses)

        def written(events: list[StreamEvent]) -> bytes:
            self._note(events)
            return b"".join([encoder.encode(self._renamed(event)) for event in events])

        try:
            async for chunk in self._upstream.chunks(response):
                with call.working():
                    made = written(decoder.feed(chunk))
                if made:
                    yield made
            with call.working():
                made = written(decoder.finish()) + encoder.close()
            yield made
        except WireglotError as error:
            reason = f"{route.provider} broke off: {error}"
            failure = StreamFailure.of(ProviderError("server", reason))
            call.failure = failure.kind
            with suppress(EncodeError):  # the answer had its end
                yield encoder.encode(failure) + encoder.close()

    def _renamed(self, event: StreamEvent) -> StreamEvent:
        if isinstance(event, StreamStart | StreamEnd):
            return replace(event, response=self._as_asked(event.response))
        return event

    def _note(self, events: list[StreamEvent]) -> None:
        for event in events:
            if isinstance(event, StreamEnd):
                self._call.response = event.response
            elif isinstance(event, StreamFailure):
                self._call.failure = event.kind

    async def _passed(self, route: Route, body: bytes, model: str | None) -> Answer:
        """Send the client's bytes to the provider, and the provider's to the client."""
        # The path is made anew: with the client's own, ours might be the key to another door.
        is_stream = self._path.endswith((":streamGenerateContent", "/converse-stream"))
        to = self._source.route(Request([], model, stream=is_stream))
        path = to.path.removesuffix("?alt=sse") if self._wants_array() else to.path
        response = await self._ask(route, path, body, to.headers, model)
        back = {name: response.headers[name] for name in _TO_CLIENT if name in response.headers}
        if response.status < 400 and (is_stream or response.content_type == self._door.stream):
            chunks = self._read_along(response)
            return Streamed(
                chunks, self._config.patience, status_code=response.status, headers=back
            )
        said = await self._upstream.whole(response)
        with self._call.working(), suppress(WireglotError):
            if response.status >= 400:
                error = self._source.decode_error(said, response.status, headers=response.headers)
                self._call.failure = error.kind
            else:
                self._call.response = self._source.decode_response(said, losses=[])
        return Answer(said, response.status, back)

    async def _read_along(self, response: aiohttp.ClientResponse) -> AsyncIterator[bytes]:
        """Yield what passes through, and read what has been sent as far as that can be done."""
        decoder = self._source.StreamDecoder(losses=[])
        async for chunk in self._upstream.chunks(response):
            yield chunk
            with self._call.working(), suppress(WireglotError):
                self._note(decoder.feed(chunk))
        with self._call.working(), suppress(WireglotError):
            self._note(decoder.finish())

    def _stream(self, chunks: AsyncIterator[bytes]) -> Answer:
        kind = self._door.stream
        if self._wants_array():
            chunks, kind = _as_array(chunks), JSON
        return Streamed(chunks, self._config.patience, headers=self._told(), media_type=kind)

    def _wants_array(self) -> bool:
        return self._call.client == "gemini" and self._http.query_params.get("alt") != "sse"

    def _told(self) -> dict[str, str]:
        """Return the header that tells of the losses until now."""
        losses = self._call.losses
        if not losses:
            return {}
        names = ", ".join(dict.fromkeys(loss.what for loss in losses[:_MOST]))
        return {_LOSSES: f"{len(losses)}; {names}"}


async def _as_array(chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Frame a stream of Gemini's as it is without `alt=sse`: one array of JSON."""
    decoder = sse.Decoder()
    before = b"["
    async for chunk in chunks:
        for _, data in decoder.feed(chunk):
            yield before + data
            before = b",\r\n"
    yield b"]" if before != b"[" else b"[]"
