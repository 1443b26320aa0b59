"""One request of a client -> one answer in the client's own wire, by way of a provider.

    request = source.decode_request(body)          # what the client wants
    body = target.encode_request(request, losses)  # as the provider has it
    ...
    target.StreamDecoder -> events -> source.StreamEncoder

Where both sides use the same wire, and nothing needs to change, their bytes pass through.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import AsyncExitStack, aclosing, suppress
from email.utils import parsedate_to_datetime
from functools import partial
from secrets import token_hex
from time import time
from typing import Final, TypeVar
from urllib.parse import quote, unquote

import aiohttp
import msgspec
from msgspec import Struct
from msgspec.structs import replace
from starlette.requests import Request as Http
from starlette.responses import Response as Answer

from ..errors import ERROR_KINDS, DecodeError, EncodeError, ProviderError, WireglotError, shown
from ..framing import sse
from ..losses import Loss
from ..model import AssistantMessage, Request, Response, ToolNames
from ..model.events import StreamEnd, StreamEvent, StreamFailure, StreamStart
from ..providers import PROVIDERS, Provider
from ..translate.conversation import Translation
from .config import LONGEST_NAME, Config, ModelRoute, is_header_value
from .doors import JSON, door_of, doors
from .masks import Mask
from .refusals import RefusedError, refuse_severe
from .sending import Streamed
from .spans import span
from .telemetry import Call
from .timings import timed
from .translators import Translators, tenant_of
from .upstream import Upstream, refuse_odd

__all__ = ["Exchange"]

T = TypeVar("T")

_LOSSES: Final = "x-wireglot-losses"
_MOST: Final = 20  # losses that the header names
_MUCH: Final = 256 * 1024  # bytes from which work takes a thread; also the size of a piece sent
_SHOWN: Final = 2000  # characters of a client's or provider's text that we quote
_AS_IT_COMES: Final = {"cache-control": "no-cache", "x-accel-buffering": "no"}  # what nginx obeys
_IDS: Final = partial(token_hex, 12)  # clients take two answers of one id for the same
_TO_CLIENT: Final = re.compile(
    "content-type|(x-)?request-id|x-amzn-(errortype|requestid)|retry-after(-ms)?|x-should-retry"
    "|(anthropic|x)-ratelimit-.*"
)


class _StreamOptions(Struct):
    include_usage: bool | None = None


class _Head(Struct):
    """The fields of a body that decide where it is sent, and how the answer is streamed."""

    model: str | None = None
    stream: bool | None = None
    stream_options: _StreamOptions | None = None


_head = msgspec.json.Decoder(_Head).decode
_keys = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode
_encode = msgspec.json.Encoder().encode


class Exchange:
    """One request of a client of the wire `call.client`, and its answer from a provider.

    The provider's response stays open until `held` is closed.
    """

    def __init__(
        self,
        config: Config,
        translators: Translators,
        upstream: Upstream,
        held: AsyncExitStack,
        http: Http,
        call: Call,
    ) -> None:
        self._config = config
        self._translators = translators
        self._upstream = upstream
        self._held = held
        self._http = http
        self._call = call
        path = http.scope.get("raw_path") or quote(http.scope["path"], safe="/:").encode()
        self._path: str = path.decode("ascii", "replace")
        self._source = PROVIDERS[call.client]
        self._streams = self._source.StreamEncoder.CONTENT_TYPE
        self._door = door_of(call.client).endpoint
        self._dialect = config.client_dialects.get(call.client)
        self._name: str | None = None
        self._end = ""
        self._is_stream = False
        self._wants_usage = True
        self._attempt = held
        self._status: int | None = None  # of the provider's answer; 0 before it is asked
        self._mask = Mask()  # of what the provider alone may know
        self._names: ToolNames = {}
        self._began = 0  # when the provider answered, in milliseconds since 1970
        self._answered = 0.0  # the same, in seconds from the request

    async def answer(self, body: bytes) -> Answer:
        """Ask the provider, and return its answer; without one, ask where the route falls back to.

        Raises `WireglotError` for what is wrong with the request, the route or the answer.
        """
        name = self._name = await self._worked(len(body), lambda: self._model(body))
        self._call.model = name
        route = self._call.route = self._config.route(name)
        if route is None:
            what = "no model, expected its name"
            if name is not None and len(name) > LONGEST_NAME:
                what = f"model of {len(name):,} characters, expected at most {LONGEST_NAME}"
            elif name is not None:
                what = f"no route for the model `{shown(name, LONGEST_NAME)}`"
            raise ProviderError("not_found", what)
        asked = name
        while True:
            model = name if route.name is None else route.named(asked)
            if route.name is not None and model == "":
                raise ProviderError("not_found", f"no model in `{shown(asked or '', _SHOWN)}`")
            further = self._config.route(route.fallback) if route.fallback is not None else None
            if further is None:
                self._attempt = self._held
                return await self._routed(route, body, model)
            self._attempt = await self._held.enter_async_context(AsyncExitStack())
            if not self._upstream.rests(route):
                try:
                    return await self._routed(route, body, model)
                except ProviderError as error:
                    # What has begun with another status may have been paid, whatever comes of it.
                    if self._status is not None and not _is_passing(self._status):
                        raise
                    self._upstream.rest(route, error.retry_after)
                    self._call.failed(error)
                    await self._attempt.aclose()
            self._call.falls_back(further)
            asked, route = route.fallback, further

    async def _routed(self, route: ModelRoute, body: bytes, model: str | None) -> Answer:
        """Ask the provider of one route, which has its own name of the model."""
        name = self._name
        self._status = 0
        if self._end in self._door.other_calls:
            return await self._beside(route, body, model)
        is_same = route.provider == self._call.client and model == name
        is_plain = (route.dialect, route.like, self._dialect) == (None, None, None)
        # A client that has changed models may send what another one has signed.
        is_foreign = self._door.is_foreign
        if is_same and is_plain and not (is_foreign is not None and is_foreign(body)):
            return await self._passed(route, body, model)
        return await self._translated(route, body, model)

    def _model(self, body: bytes) -> str | None:
        """Return the model that the client names, in the URL or in the body."""
        door = self._door
        if door.before_model is not None:
            _, _, rest = self._path.partition(door.before_model)
            known = (door.end, door.stream_end, *door.other_calls)
            end = next((end for end in known if end and rest.endswith(end) and rest != end), None)
            if end is None:
                raise ProviderError("not_found", f"nothing is at `{shown(self._path, _SHOWN)}`")
            self._end = end
            self._is_stream = end == door.stream_end
            return unquote(rest.removesuffix(end))
        path = self._http.scope["path"]  # as it was routed, without escapes
        ends = (end for end in (door.end, *door.other_calls) if path.endswith("/" + end))
        self._end = max(ends, key=len)
        try:
            head = _head(body)
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            # The wire's own reader accepts more, or gives a better error.
            request = self._source.decode_request(body, self._path, losses=[])
            head = _Head(request.model, request.stream)
        self._is_stream = door.streams_unasked if head.stream is None else head.stream
        if door.counts_if_asked and self._dialect is None:
            options = head.stream_options
            self._wants_usage = options is not None and options.include_usage is True
        return head.model

    async def _translated(self, route: ModelRoute, body: bytes, model: str | None) -> Answer:
        call, target = self._call, PROVIDERS[route.provider]
        dialect = route.dialect or target.DIALECTS[0]

        def asked() -> Translation:
            translator = self._translators.of(call.client, route)
            try:
                return translator.translation(
                    body,
                    losses=call.losses,
                    path=self._path,
                    model=model,
                    names=self._names,
                    tenant=tenant_of(self._http),
                )
            finally:  # if it is refused, what is stored elsewhere is most likely the reason
                refuse_severe(call.losses, route.allow)

        translated, request = await self._worked(len(body), asked)
        to = target.route(request, dialect=dialect)
        response = await self._ask(route, to.path, translated, to.headers, request)
        self._began, self._answered = round(time() * 1000), call.elapsed()
        if response.status >= 400:
            raise self._error(target, response, await self._said(route, response))
        if request.stream and response.content_type != JSON:
            chunks = self._upstream.chunks(response)
            return self._stream(self._events(chunks, response, route, dialect))
        answer = await self._upstream.whole(response)
        if request.stream:  # `stream` was ignored: this is an error, or the answer in one piece
            fault = await self._worked(len(answer), lambda: _fault(target, answer, dialect))
            if fault is not None or len(answer) >= _MUCH:  # which would hold up other clients
                is_error = isinstance(fault, ProviderError)
                raise self._error(target, response, answer, is_error=is_error)
            return self._stream(self._events(_pieces(answer), response, route, dialect))

        def answered() -> bytes:
            call.response = target.decode_response(
                answer, dialect=dialect, losses=call.losses, ids=_IDS, names=self._names
            )
            asked = self._as_asked(call.response)
            took = call.elapsed()
            asked = timed(call.client, asked, took, took)
            return self._source.encode_response(
                asked, losses=call.losses, dialect=self._dialect, ids=_IDS
            )

        try:
            translation = await self._worked(len(answer), answered)
        except (DecodeError, EncodeError) as error:
            reason = self._mask.text(f"answer cannot be read: {error}")
            raise RefusedError("server", reason, status=502) from error
        except ProviderError as error:
            raise self._mask.error(error) from error
        return self._whole(translation, {"content-type": JSON, **self._told()})

    async def _worked(self, size: int, work: Callable[[], T]) -> T:
        """Return the result of codec work; for a large body it runs in a thread."""
        with self._call.working():
            return work() if size < _MUCH else await asyncio.to_thread(work)

    def _whole(self, data: bytes, headers: dict[str, str], status: int = 200) -> Answer:
        """Return a complete answer; a large one is sent in pieces."""
        if len(data) < _MUCH:
            return Answer(data, status, headers)
        headers = {**headers, "content-length": str(len(data))}
        return Streamed(_pieces(data), self._config.patience, status_code=status, headers=headers)

    async def _ask(
        self,
        route: ModelRoute,
        path: str,
        body: bytes,
        headers: dict[str, str],
        request: Request,
    ) -> aiohttp.ClientResponse:
        client_headers = self._http.headers
        asks = {
            name: ", ".join(client_headers.getlist(name))
            for name in self._door.feature_headers
            if name in client_headers
        }
        own = {name.lower() for name in route.headers} if asks else ()
        for name in list(asks):
            if route.provider != self._call.client:
                why = "a header of another API; left out"
            elif route.dialect in self._door.features_in_body:
                why = "stands in the body there; left out"
            elif name in own:
                why = "the route has its own; left out"
            else:
                continue
            del asks[name]
            self._call.losses.append(Loss("$", name, why))
        carried = self._attempt.enter_context(span(self._call, route, request, client_headers))
        sent = {**headers, **asks, **carried}
        self._status, self._mask = None, self._upstream.mask(route)
        self._call.masked = self._mask.text
        response = await self._upstream.ask(self._attempt, route, path, body, sent)
        self._status = response.status
        self._call.should_retry = response.headers.get("x-should-retry")
        refuse_odd(response, self._mask)
        names = dict.fromkeys(door.endpoint.id_header for door in doors().values())
        ids = (response.headers[name] for name in names if name in response.headers)
        self._call.provider_id = next(map(self._mask.text, ids), None)
        return response

    async def _said(self, route: ModelRoute, response: aiohttp.ClientResponse) -> bytes | None:
        """Return the body of an error; None if it cannot be read, and the status says enough.

        It does not keep the fallback from being asked.
        """
        is_brief = route.fallback is not None and _is_passing(response.status)
        return await self._upstream.said(response, is_brief=is_brief)

    def _error(
        self,
        provider: Provider,
        response: aiohttp.ClientResponse,
        said: bytes | None,
        *,
        is_error: bool = True,
    ) -> ProviderError:
        """Return the error that a provider has answered with.

        If the body `is_error` no more than an answer is, asking again does not help.
        """
        is_told = response.status >= 400
        error = provider.decode_error(
            self._mask(said or b""),
            response.status if is_told else None,
            headers={name: self._mask.text(value) for name, value in response.headers.items()},
        )
        if not is_told and error.kind == "server" and not is_error:
            error = RefusedError(
                "server", error.message, status=502, wire=error.wire, body=error.body
            )
        error.message = error.message[:_SHOWN]
        if said is None or response.content_type != JSON:
            error.body = None  # a proxy's page, not an answer of the wire
        if error.retry_after is None:
            error.retry_after = _seconds_until(response.headers.get("retry-after", ""))
        return error

    def _to_client(self, response: aiohttp.ClientResponse) -> dict[str, str]:
        """Return the headers of a provider's answer that are for the client."""
        return {
            name.lower(): self._mask.text(value)
            for name, value in response.headers.items()
            if _TO_CLIENT.fullmatch(name.lower()) and is_header_value(value)
        }

    def _as_asked(self, response: Response) -> Response:
        """Return an answer with the client's name of the model, if the provider has another.

        It has a time, too: the codec has no clock, and would write 1970 for none.
        """
        if response.created_at is None:
            response = replace(response, created_at=self._began)
        message = response.message
        route = self._call.route
        if message.model is not None and (route is None or route.name is None):
            return response
        return replace(response, message=replace(message, model=self._name))

    async def _events(
        self,
        chunks: AsyncGenerator[bytes, None],
        response: aiohttp.ClientResponse,
        route: ModelRoute,
        dialect: str,
    ) -> AsyncIterator[bytes]:
        """Yield the frames of a stream as they come; an error becomes the last frame."""
        call = self._call
        target = PROVIDERS[route.provider]
        decoder = target.StreamDecoder(
            dialect=dialect, losses=call.losses, ids=_IDS, names=self._names
        )
        encoder = self._source.StreamEncoder(losses=call.losses, dialect=self._dialect, ids=_IDS)
        expected = AssistantMessage([], model=self._name)
        encoder.expect(Response(expected, created_at=self._began))

        frames: list[bytes] = []

        def write(events: list[StreamEvent]) -> bool:
            """Add the bytes of events to `frames`; return whether the answer ends with them.

            If the provider's own error is the last event, it is written whatever is wrong before.
            """
            self._note(events)
            try:
                for event in events:
                    frames.append(encoder.encode(self._for_client(event)))
            except EncodeError:
                if encoder.is_over or not isinstance(events[-1], StreamFailure):
                    raise
                frames.append(encoder.encode(self._for_client(events[-1])))
            if not events or not isinstance(events[-1], StreamEnd | StreamFailure):
                return False
            frames.append(encoder.close())
            return True

        try:
            async with aclosing(chunks):
                async for chunk in chunks:
                    with call.working():
                        is_over = write(decoder.feed(chunk))
                    if any(frames):
                        yield b"".join(frames)
                        frames.clear()
                    if is_over:  # whatever the provider does with the connection
                        self._attempt.push_async_callback(self._upstream.drained, response)
                        return
                    if decoder.error is not None:  # behind these events
                        raise decoder.error
            with call.working():
                write(decoder.finish())
            yield b"".join(frames)
        except WireglotError as error:
            kind = error.kind if isinstance(error, ProviderError) else "server"
            reason = self._mask.text(f"{route.provider} broke off: {error}")
            broken = ProviderError(kind, reason)
            broken.__cause__ = error.__cause__
            call.failed(broken)
            failure = StreamFailure.of(broken)
            with suppress(EncodeError):  # the answer has already ended
                frames += [encoder.encode(failure), encoder.close()]
            yield b"".join(frames)

    def _for_client(self, event: StreamEvent) -> StreamEvent:
        """Return an event with the client's name of the model, and an error without our secrets.

        OpenAI's streams tell the usage only if they are asked to: some clients trip over the chunk
        that does, which has no choice.
        """
        if isinstance(event, StreamStart | StreamEnd):
            response = self._as_asked(event.response)
            if not self._wants_usage:
                response = replace(response, message=replace(response.message, usage=None))
            if isinstance(event, StreamEnd):
                took = self._call.elapsed()
                response = timed(self._call.client, response, self._answered, took)
            return replace(event, response=response)
        if isinstance(event, StreamFailure):
            return StreamFailure.of(self._mask.error(event.error()))
        return event

    def _note(self, events: list[StreamEvent]) -> None:
        for event in events:
            if isinstance(event, StreamEnd):
                self._call.response = event.response
            elif isinstance(event, StreamFailure):
                self._call.failure = event.kind

    async def _beside(self, route: ModelRoute, body: bytes, model: str | None) -> Answer:
        """Send a call beside the chat to a provider of the client's wire, and return its answer.

        No provider of another wire counts, or embeds, as the client expects of its own.
        """
        reason = f"`{self._end.lstrip('/:')}` is not translated: `{route.provider}` has no such"
        missing = RefusedError("invalid_request", f"{reason} call of this API", status=501)
        if route.provider != self._call.client:
            raise missing
        to = self._source.route(Request([], model), dialect=route.dialect)
        path, mark, query = to.path.partition("?")
        if not path.endswith(self._door.end):  # as Anthropic's on Vertex
            raise missing
        if model != self._name and self._door.before_model is None:
            body = _with_model(body, model)
        path = f"{path.removesuffix(self._door.end)}{self._end}{mark}{query}"
        response = await self._ask(route, path, body, to.headers, Request([], model))
        if response.status < 400:
            answer = await self._upstream.whole(response)
        else:
            answer = await self._refusal(route, response)
        return self._whole(answer, self._to_client(response), response.status)

    async def _passed(self, route: ModelRoute, body: bytes, model: str | None) -> Answer:
        """Send the client's bytes to the provider, and the provider's to the client."""
        # The path is made anew: with the client's path, our key might open another endpoint.
        asked = Request([], model, stream=self._is_stream)
        to = self._source.route(asked)
        path = to.path.removesuffix("?alt=sse") if self._wants_array() else to.path
        response = await self._ask(route, path, body, to.headers, asked)
        back = self._to_client(response) | self._told()
        if response.status >= 400:
            return self._whole(await self._refusal(route, response), back, response.status)
        if self._is_stream or response.content_type == self._streams:
            chunks = self._read_along(response)
            patience = self._config.patience
            back = {**_AS_IT_COMES, **back}
            return Streamed(chunks, patience, status_code=response.status, headers=back)
        answer = await self._upstream.whole(response)

        def read() -> bytes:
            try:
                self._call.response = self._source.decode_response(answer, losses=[])
            except ProviderError:
                return self._mask(answer)
            except WireglotError:
                pass
            return answer

        answer = await self._worked(len(answer), read)
        return self._whole(answer, back, response.status)

    async def _refusal(self, route: ModelRoute, response: aiohttp.ClientResponse) -> bytes:
        """Return the body of an error that passes through.

        Raises `ProviderError` where another provider is asked, or if there is no body to pass on.
        """
        said = await self._said(route, response)
        error = self._error(self._source, response, said)
        if said is None or (route.fallback is not None and _is_passing(response.status)):
            raise error
        self._call.failure = error.kind
        return await self._worked(len(said), lambda: self._mask(said))

    async def _read_along(self, response: aiohttp.ClientResponse) -> AsyncIterator[bytes]:
        """Yield the provider's bytes unchanged, and decode them for telemetry where possible."""
        decoder = self._source.StreamDecoder(losses=[])
        async for chunk in self._upstream.chunks(response):
            yield chunk
            with self._call.working(), suppress(WireglotError):
                self._note(decoder.feed(chunk))
        with self._call.working(), suppress(WireglotError):
            self._note(decoder.finish())

    def _stream(self, chunks: AsyncIterator[bytes]) -> Answer:
        kind = self._streams
        if self._wants_array():
            chunks, kind = _as_array(chunks), JSON
        headers = {**_AS_IT_COMES, **self._told()}
        return Streamed(chunks, self._config.patience, headers=headers, media_type=kind)

    def _wants_array(self) -> bool:
        unless = self._door.array_unless
        return unless is not None and self._http.query_params.get(unless[0]) != unless[1]

    def _told(self) -> dict[str, str]:
        """Return the header that names the losses so far."""
        losses = self._call.losses
        if not losses:
            return {}
        names = ", ".join(dict.fromkeys(loss.what for loss in losses[:_MOST]))
        return {_LOSSES: f"{len(losses)}; {names}"}


def _is_passing(status: int) -> bool:
    """Whether an error is of the moment, so that another provider may answer."""
    return status == ERROR_KINDS["rate_limit"] or ERROR_KINDS["server"] <= status < 600


def _with_model(body: bytes, model: str | None) -> bytes:
    """Return a JSON body that names another model; all else stays as it is."""
    try:
        keys = _keys(body)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise DecodeError("body of another type, expected `object`", wire="gateway") from error
    return _encode({**keys, "model": model})


def _fault(provider: Provider, body: bytes, dialect: str) -> WireglotError | None:
    """Return why a body is not an answer: a `ProviderError` if it is an error of the provider."""
    try:
        provider.decode_response(body, dialect=dialect, losses=[])
    except WireglotError as error:
        return error
    return None


def _seconds_until(date: str) -> float | None:
    """Return how long it is until a date of HTTP."""
    try:
        return max(0.0, parsedate_to_datetime(date).timestamp() - time())
    except (ValueError, OverflowError):
        return None


async def _pieces(data: bytes) -> AsyncGenerator[bytes, None]:
    for start in range(0, len(data), _MUCH):
        yield data[start : start + _MUCH]


async def _as_array(chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Frame a Gemini stream as one JSON array, as clients without `alt=sse` expect it."""
    decoder = sse.Decoder()
    before = b"["
    async for chunk in chunks:
        for _, data in decoder.feed(chunk):
            yield before + data
            before = b",\r\n"
    yield b"]" if before != b"[" else b"[]"
