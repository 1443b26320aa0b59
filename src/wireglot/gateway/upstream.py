"""A request of a wire -> the provider's answer over HTTP, every failure a `ProviderError`."""

from __future__ import annotations

from asyncio import sleep, timeout
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from io import BytesIO
from time import monotonic
from typing import Final

import aiohttp

from ..errors import ProviderError, quoted
from ..model import Request
from ..providers import PROVIDERS
from .config import Config, ModelRoute, secret
from .masks import Mask, secrets_of
from .refusals import RefusedError

__all__ = ["Upstream", "refuse_odd"]

_TO_CONNECT: Final = 10.0  # seconds
_MUCH: Final = 256 * 1024  # bytes
_IDLE: Final = 4.0  # seconds; servers close idle connections later
_MOMENT: Final = 0.5  # seconds that a provider has to end an answer which is complete
_BRIEF: Final = 5.0  # seconds for the reason why another provider is asked
_SMALL: Final = 64 * 1024  # bytes of it
_ALWAYS: Final = {"content-type": "application/json", "accept-encoding": "identity"}
_LONGEST_REST: Final = 60.0  # seconds
_PAUSE: Final = 0.5  # seconds before the second retry, the first is at once


class Upstream:
    """The providers, over connections that are kept and shared by all requests."""

    def __init__(self, config: Config, client: aiohttp.ClientSession) -> None:
        self.config: Config = config
        self._client = client
        self._resting: dict[str, float] = {}
        """The time until which a route is left alone, by its pattern."""
        self._targets: dict[str, tuple[ModelRoute, str, dict[str, str], Mask]] = {}
        """The address, the headers and the mask of a route, by its pattern."""

    @classmethod
    @asynccontextmanager
    async def connected(cls, config: Config) -> AsyncIterator[Upstream]:
        """Hold the connections while the `with` runs."""
        patience = aiohttp.ClientTimeout(
            total=None, sock_connect=_TO_CONNECT, sock_read=config.patience
        )
        async with aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=0, keepalive_timeout=_IDLE),
            cookie_jar=aiohttp.DummyCookieJar(),  # one client's cookies are not another's
            timeout=patience,
            auto_decompress=False,
        ) as client:
            yield cls(config, client)

    def rest(self, route: ModelRoute, seconds: float | None) -> None:
        """Leave a route alone for the time that its provider has asked for, at most a minute."""
        if seconds is not None:
            self._resting[route.model] = monotonic() + min(seconds, _LONGEST_REST)

    def rests(self, route: ModelRoute) -> bool:
        """Whether a route is left alone, as its provider has asked."""
        return self._resting.get(route.model, 0.0) > monotonic()

    async def ask(
        self,
        stack: AsyncExitStack,
        route: ModelRoute,
        path: str,
        body: bytes,
        headers: Mapping[str, str],
    ) -> aiohttp.ClientResponse:
        """Send a request; the answer, whatever its status, is open until `stack` is closed.

        Raises `ProviderError` if there is no answer.
        """
        address, own, _ = self._target(route)
        all_headers = {**_ALWAYS, **headers, **own}
        url = address + path
        tries = 0
        with _PROVIDER_ERRORS:
            while True:
                # A redirect would show the key to another host.
                asked = self._client.post(
                    url, data=_payload(body), headers=all_headers, allow_redirects=False
                )
                try:
                    async with timeout(self.config.patience):  # the time to connect included
                        response = await stack.enter_async_context(asked)
                    break
                except (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError):
                    if tries >= self.config.retries:
                        raise
                    await sleep(_PAUSE * 2 ** (tries - 1) if tries else 0.0)
                    tries += 1
        return response

    def mask(self, route: ModelRoute) -> Mask:
        """Return what keeps the secrets of a route from its clients."""
        return self._target(route)[2]

    def _target(self, route: ModelRoute) -> tuple[str, dict[str, str], Mask]:
        """Return where a route sends, the headers that it always sends, and its mask."""
        known = self._targets.get(route.model)
        if known is None or known[0] is not route:  # or of an earlier configuration
            key = secret(route.key)
            shown = {} if key is None else _shown(route, key)
            headers = {**route.headers, **shown}
            mask = Mask(secrets_of(route.headers) | ({key} if key is not None else set()))
            known = (route, route.url.rstrip("/"), headers, mask)
            self._targets[route.model] = known
        return known[1:]

    async def whole(self, response: aiohttp.ClientResponse, most: int | None = None) -> bytes:
        """Return the body of an answer. Raises `ProviderError` if it is cut, or too large."""
        most = self.config.largest if most is None else most
        chunks: list[bytes] = []
        size = 0
        with _PROVIDER_ERRORS:
            while chunk := await response.content.readany():
                chunks.append(chunk)
                size += len(chunk)
                if size > most:
                    reason = f"answer of more than {most:,} bytes"
                    raise RefusedError("server", reason, status=502)
        return b"".join(chunks)

    async def said(self, response: aiohttp.ClientResponse, *, is_brief: bool) -> bytes | None:
        """Return the body of an error, or None if it is compressed, cut or too large.

        If `is_brief`, what takes longer than 5 seconds or has more than 64 KiB is not waited for.
        """
        if _encodings(response):
            return None
        try:
            async with timeout(_BRIEF if is_brief else None):
                return await self.whole(response, _SMALL if is_brief else None)
        except (ProviderError, TimeoutError):
            return None

    async def chunks(self, response: aiohttp.ClientResponse) -> AsyncGenerator[bytes, None]:
        """Yield the body of an answer as it comes. Raises `ProviderError` if it breaks off."""
        with _PROVIDER_ERRORS:
            async for chunk in response.content.iter_any():
                yield chunk

    async def drained(self, response: aiohttp.ClientResponse) -> None:
        """Wait a moment for the end of a body that has said all: only then is its connection kept.

        An error does not matter any more.
        """
        with suppress(TimeoutError, aiohttp.ClientError):
            async with timeout(_MOMENT):
                async for _ in response.content.iter_any():
                    pass


class _ProviderErrors:
    """Makes a `ProviderError` of what the `with` raises."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        if isinstance(error, TimeoutError):
            raise ProviderError("timeout", "the provider took too long") from error
        if isinstance(error, aiohttp.ClientError):
            is_there = not isinstance(error, aiohttp.ClientConnectorError)
            reason = f"broke off: {type(error).__name__}" if is_there else "cannot be reached"
            raise ProviderError("server", f"the provider {reason}", status=502) from error


_PROVIDER_ERRORS: Final = _ProviderErrors()


def _shown(route: ModelRoute, key: str) -> dict[str, str]:
    """Return the header that carries the provider's key."""
    asked = Request([], model="any")
    name, before = PROVIDERS[route.provider].route(asked, dialect=route.dialect).key
    return {name: before + key}


def _payload(body: bytes) -> bytes | BytesIO:
    """Return a body for aiohttp: a large one is sent in pieces, so that others are served too."""
    return body if len(body) < _MUCH else BytesIO(body)


def refuse_odd(response: aiohttp.ClientResponse, mask: Mask) -> None:
    """Raise `RefusedError` if an answer is of no use, whatever its body is. No error is."""
    status = response.status
    if 400 <= status < 600:
        return
    odd = _encodings(response)
    if 300 <= status < 400:
        reason = f"the provider answers from another place ({status})"
    elif not 200 <= status < 300:
        reason = f"the provider answers with the status {status}"
    elif odd:
        packed = quoted(mask.text(", ".join(odd)))
        reason = f"the provider answers in {packed}, which was not asked for"
    else:
        return
    raise RefusedError("server", reason, status=502)


def _encodings(response: aiohttp.ClientResponse) -> list[str]:
    """Return how a body is compressed; an empty list if it is not."""
    names = ",".join(response.headers.getall("content-encoding", [])).split(",")
    names = [name for each in names if (name := each.strip())]
    return names if {name.lower() for name in names} - {"identity"} else []
