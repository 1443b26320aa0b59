"""An ASGI application that accepts requests of any provider's client, for any provider."""

from __future__ import annotations

import asyncio
import hmac
import math
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from hashlib import blake2b
from time import time

from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route as Path
from starlette.types import Receive, Scope, Send

from ..errors import ProviderError, WireglotError, quoted, shown
from ..providers import PROVIDERS
from .config import Config, is_header_value, secret
from .doors import JSON, door_of, doors, path_like, paths_of, shown_keys, wire_of
from .exchange import Exchange
from .models import model_json, models_json
from .pages import refuse_pages
from .refusals import RefusedError, is_final, refused
from .sending import to_client, while_client_waits
from .telemetry import METRICS_TYPE, Call, Telemetry
from .translators import Translators
from .upstream import Upstream

__all__ = ["create_app"]

_SLOW = 408
_METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
_PLAIN = "identity"
_SHOWN = 2000  # characters of a path that are quoted
_UNUSABLE = 502
_LEFT = 499  # nginx's status for a client that left before its answer


def create_app(config: Config) -> Starlette:
    """Return the application of a gateway, with `/health` and `/metrics` beside the wires' paths.

    `app.state.reload` takes another `Config`, for the requests that come after.

    Raises `EncodeError` if a key that the configuration names is not in the environment, or if
    `PROMETHEUS_MULTIPROC_DIR` there is no folder.
    """
    gateway = _Gateway(config)
    taken: set[str] = set()
    routes = [Path("/health", _healthy), Path("/metrics", gateway.metrics), Path("/", _healthy)]
    for name, (_, endpoint) in doors().items():  # ours first, whose paths no other takes
        answer = _Door(gateway, name)
        for path in paths_of(endpoint):
            both = {path, f"/{name}{path}"} - taken
            taken |= both
            routes += [Path(each, answer, methods=["POST"]) for each in sorted(both)]
        for (method, path), tell in endpoint.fixed_answers.items():
            told = _Told(gateway, name, tell)
            routes += [Path(each, told, methods=[method]) for each in (path, f"/{name}{path}")]
    routes.append(Path("/{path:path}", gateway.listed, methods=_METHODS))
    app = Starlette(routes=routes, lifespan=gateway.lifespan)
    app.router.redirect_slashes = False
    app.state.reload = gateway.reload
    return app


async def _healthy(_: Request) -> Response:
    return PlainTextResponse("ok")


class _Gateway:
    """The state that the requests of all wires share."""

    def __init__(self, config: Config) -> None:
        self.telemetry = Telemetry()
        self.upstream: Upstream | None = None
        self.reload(config)

    def reload(self, config: Config) -> None:
        """Take another configuration. Raises `EncodeError` if a key is not in the environment."""
        for route in config.routes:
            secret(route.key)
        self._keys = [_digest(str(secret(name)).encode()) for name in config.client_keys]
        self.config = config
        self.since = int(time())
        self.translators = Translators(config)
        self.telemetry.form = config.log
        if self.upstream is not None:
            self.upstream.config = config

    @asynccontextmanager
    async def lifespan(self, _: Starlette) -> AsyncIterator[dict[str, float]]:
        """Hold the connections to providers; yield the bounds that `Guarded` applies."""
        async with Upstream.connected(self.config) as self.upstream:
            config = self.config
            yield {name: getattr(config, name) for name in ("largest", "arrival", "patience")}

    async def metrics(self, http: Request) -> Response:
        """Return all counts; a client shows the same key as for a request."""
        try:
            await self.come(http)
        except ProviderError as error:
            told = {"www-authenticate": "Bearer"} if error.kind == "authentication" else {}
            return PlainTextResponse(error.message, error.http_status, told)
        return Response(self.telemetry.metrics(), media_type=METRICS_TYPE)

    async def listed(self, http: Request) -> Response:
        """Return the models of the routes, or one of them, in the wire of the client.

        Nothing else is at a path that comes here, which is an error of that wire.
        """
        whole = f"/{http.path_params['path']}"  # without the prefix of an application around this
        wire = wire_of(whole, http.headers)
        path, models = whole.rstrip("/"), door_of(wire).endpoint.models
        if not path.startswith(models):  # which may begin with the name of the wire
            path = path.removeprefix(f"/{wire}")
        start = next((each for each in models if path.startswith(each)), "")
        try:
            await self.come(http)
            is_asked = http.method in ("GET", "HEAD")
            if is_asked and path == start:
                names = [route.model for route in self.config.routes if "*" not in route.model]
                return Response(models_json(wire, names, self.since), media_type=JSON)
            name = path.removeprefix(start + "/")
            if is_asked and start and name != path and self.config.route(name) is not None:
                return Response(model_json(wire, name, self.since), media_type=JSON)
            reason = f"nothing is at `{shown(f'{http.method} {whole}', _SHOWN)}`"
            like = path_like(whole)
            hint = f"; did you mean `{like}`?" if like is not None else ""
            # In the words of the wire, which has a code for a model that is not there.
            raise RefusedError("not_found", reason + hint, wire="" if start else wire)
        except ProviderError as error:
            return _refusal(wire, error, self.config)

    async def come(self, http: Request) -> None:
        """Wait for the end of a request whose body says nothing to us.

        An answer before it would end the connection, and be lost with it.

        Raises `ProviderError` as `admit` does, or if the body is too large or slow.
        """
        refused = None
        try:
            self.admit(http)
        except ProviderError as error:
            refused = error
        try:
            await _body(http, self.config, refused, is_kept=False)
        except ClientDisconnect as error:  # nobody sees this answer
            reason = "request without its end"
            raise ProviderError("invalid_request", reason, status=_LEFT) from error

    def admit(self, http: Request) -> None:
        """Raise `ProviderError` if clients need a key, and the request does not show it.

        If they need none, raise it for a request that a web page may have made.
        """
        if not self._keys:
            refuse_pages(http, self.config.hosts)
            return
        query = http.query_params if http.scope["query_string"] else {}
        shown = [_digest(key) for key in shown_keys(http.headers, query)]
        # All are compared, so that the time does not tell which one it is, or how long.
        found = [hmac.compare_digest(one, key) for one in shown for key in self._keys]
        if not any(found):
            raise ProviderError("authentication", "wrong key, expected that of this gateway")


def _digest(key: bytes) -> bytes:
    return blake2b(key).digest()


class _Door:
    """Answers the requests of a wire, with its errors in the same wire."""

    def __init__(self, gateway: _Gateway, name: str) -> None:
        self._gateway = gateway
        self._name = name

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        call = Call(self._name)
        self._gateway.telemetry.begun(call)
        try:
            await self._serve(Request(scope, receive), call.timed(to_client(send)), call)
        except ClientDisconnect:
            call.status = _LEFT
        except Exception:
            call.status, call.failure = call.status or 500, "server"
            raise
        finally:
            self._gateway.telemetry.done(call)

    async def _serve(self, http: Request, send: Send, call: Call) -> None:
        gateway = self._gateway
        try:
            body = await _body(http, gateway.config, self._refused(http))
            if gateway.upstream is None:
                raise ProviderError(
                    "server", "the gateway has not begun, expected an ASGI server with lifespan"
                )
            async with AsyncExitStack() as held, while_client_waits(http.receive):
                exchange = Exchange(
                    gateway.config, gateway.translators, gateway.upstream, held, http, call
                )
                response = self._named(await exchange.answer(body), call)
                call.status = response.status_code
                await response(http.scope, http.receive, send)
        except WireglotError as error:
            call.failed(error)
            if call.status:  # the answer has begun, and stays without an end
                return
            refusal = _refusal(self._name, error, gateway.config, call.should_retry)
            response = self._named(refusal, call)
            call.status = response.status_code
            await response(http.scope, http.receive, send)

    def _named(self, response: Response, call: Call) -> Response:
        """Give an answer the id under which it is in the log, unless it has the provider's."""
        response.headers.setdefault(door_of(self._name).endpoint.id_header, call.id)
        return response

    def _refused(self, http: Request) -> ProviderError | None:
        """Return why a request is refused by its head, or None."""
        try:
            self._gateway.admit(http)
            # A page may send a body without a type, or one of a form, and the browser does not ask.
            _expect("content-type", http.headers.get("content-type"), JSON)
            _expect("content-encoding", http.headers.get("content-encoding", _PLAIN), _PLAIN)
        except ProviderError as error:
            return error
        return None


class _Told:
    """Answers what the clients of a wire ask for before they send anything.

    What is always the same is told without a key.
    """

    def __init__(self, gateway: _Gateway, name: str, told: bytes | Callable[[int], bytes]) -> None:
        self._gateway = gateway
        self._name = name
        self._told = told

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        gateway = self._gateway
        try:
            told = self._told
            if not isinstance(told, bytes):
                await gateway.come(Request(scope, receive))
                told = told(gateway.since)
            response = Response(told, media_type=JSON)
        except ProviderError as error:
            response = _refusal(self._name, error, gateway.config)
        await response(scope, receive, send)


async def _body(
    http: Request, config: Config, refused: ProviderError | None, *, is_kept: bool = True
) -> bytes:
    """Read a request, and forget its body if it is `refused`, or not to be kept.

    Many clients read no answer before they have sent all. Raises `ProviderError` if it is refused,
    or too large or slow.
    """
    if refused is not None and http.headers.get("expect", "").lower() == "100-continue":
        raise refused  # this client sends nothing before it is told to
    chunks: list[bytes] = []
    size = 0
    is_whole = False
    try:
        async with asyncio.timeout(config.arrival):
            while not is_whole:
                message = await http.receive()
                if message["type"] == "http.disconnect":
                    raise ClientDisconnect
                is_whole = not message.get("more_body", False)
                chunk = message.get("body", b"")
                size += len(chunk)
                if is_kept and refused is None:
                    chunks.append(chunk)
                if size > config.largest:
                    reason = f"request of more than {config.largest:,} bytes"
                    raise refused or ProviderError("invalid_request", reason, status=413)
    except TimeoutError as error:
        reason = f"request took more than {config.arrival:g} seconds to arrive"
        raise refused or ProviderError("timeout", reason, status=_SLOW) from error
    if refused is not None:
        raise refused
    return b"".join(chunks)


def _expect(header: str, found: str | None, value: str) -> None:
    if found is None or found.partition(";")[0].strip().lower() != value:
        what = f"no {header}" if found is None else f"{header} {quoted(found)}"
        raise ProviderError("invalid_request", f"{what}, expected `{value}`", status=415)


def _refusal(name: str, error: WireglotError, config: Config, retry: str | None = None) -> Response:
    error = refused(error)
    status = error.http_status
    headers = {}
    if is_final(error):
        headers["x-should-retry"] = "false"  # which the SDKs of OpenAI and Anthropic obey
        if status == _UNUSABLE:
            status = door_of(name).endpoint.unusable
    elif retry in ("true", "false"):  # what the provider said
        headers["x-should-retry"] = retry
    if error.retry_after is not None:
        headers["retry-after"] = f"{math.ceil(error.retry_after)}"
    if error.status == _SLOW:
        headers["connection"] = "close"  # the rest may never come
    source = doors().get(error.wire)
    code_header = source.endpoint.code_header if source is not None else None
    if code_header is not None and error.code is not None and is_header_value(error.code):
        headers[code_header] = error.code
    return Response(
        PROVIDERS[name].encode_error(error, dialect=config.client_dialects.get(name)),
        status_code=status,
        headers=headers,
        media_type=JSON,
    )
