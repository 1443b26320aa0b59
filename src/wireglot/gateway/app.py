"""An ASGI application that takes the requests of any provider's client, and asks any provider."""

from __future__ import annotations

import hmac
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import aiohttp
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route as Path

from ..errors import ERROR_KINDS, ProviderError, WireglotError
from ..providers import PROVIDERS
from .config import Config, secret
from .doors import DOORS, shown_key
from .exchange import Exchange

__all__ = ["create_app"]

_TO_CONNECT = 10.0  # seconds


def create_app(config: Config) -> Starlette:
    """Return the application of a gateway.

    Raises `EncodeError` if a key that the configuration names is not in the environment.
    """
    for variable in (config.client_key, *(route.key for route in config.routes)):
        secret(variable)
    gateway = _Gateway(config)
    doors: dict[str, Callable[[Request], Awaitable[Response]]] = {}
    for name, door in DOORS.items():
        for path in door.paths:
            doors.setdefault(path, gateway.door(name))
            doors[f"/{name}{path}"] = gateway.door(name)
    paths = [Path(path, answer, methods=["POST"]) for path, answer in doors.items()]
    return Starlette(routes=[*paths, Path("/health", _healthy)], lifespan=gateway.lifespan)


async def _healthy(_: Request) -> Response:
    return PlainTextResponse("ok")


class _Gateway:
    def __init__(self, config: Config) -> None:
        self._config = config
        self._key = secret(config.client_key)
        self._client: aiohttp.ClientSession

    @asynccontextmanager
    async def lifespan(self, _: Starlette) -> AsyncIterator[None]:
        """Hold the connections to providers while the application runs."""
        patience = aiohttp.ClientTimeout(
            total=None, sock_connect=_TO_CONNECT, sock_read=self._config.patience
        )
        connector = aiohttp.TCPConnector(limit=0)
        async with aiohttp.ClientSession(connector=connector, timeout=patience) as self._client:
            yield

    def door(self, name: str) -> Callable[[Request], Awaitable[Response]]:
        """Return what answers the requests of a wire, its errors in the same wire."""

        async def answer(http: Request) -> Response:
            try:
                self._admit(http)
                exchange = Exchange(self._config, self._client, name, http)
                return await exchange.answer()
            except WireglotError as error:
                return _refusal(name, error)
            except TimeoutError:
                return _refusal(name, ProviderError("timeout", "the provider took too long"))
            except aiohttp.ClientConnectorError:
                reason = "the provider cannot be reached"
                return _refusal(name, ProviderError("server", reason, status=502))
            except aiohttp.ClientError as error:
                reason = f"the provider broke off: {error}"
                return _refusal(name, ProviderError("server", reason, status=502))

        return answer

    def _admit(self, http: Request) -> None:
        if self._key is None:
            return
        shown = shown_key(http.headers) or ""
        if not hmac.compare_digest(shown.encode("latin-1"), self._key.encode()):
            raise ProviderError("authentication", "the key is not that of this gateway")


def _refusal(name: str, error: WireglotError) -> Response:
    if not isinstance(error, ProviderError):
        error = ProviderError("invalid_request", str(error))
    headers = {} if error.retry_after is None else {"retry-after": f"{error.retry_after:.0f}"}
    return Response(
        PROVIDERS[name].encode_error(error),
        status_code=error.status or ERROR_KINDS[error.kind],
        headers=headers,
        media_type="application/json",
    )
