"""What ASGI leaves to the application: clients that leave, and answers sent as they come."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from starlette.requests import ClientDisconnect
from starlette.responses import StreamingResponse
from starlette.types import Message, Receive, Scope, Send

__all__ = ["Streamed", "to_client", "while_client_waits"]


@asynccontextmanager
async def while_client_waits(receive: Receive) -> AsyncIterator[None]:
    """Cancel the body of the `with`, and raise `ClientDisconnect`, when the client leaves.

    The request must have been read: only the disconnect is left to receive.
    """
    scope = asyncio.timeout(None)
    try:
        async with scope:
            leaving = asyncio.create_task(_leaving(receive, scope))
            try:
                yield
            finally:
                leaving.cancel()
    except TimeoutError as error:
        if scope.expired():
            raise ClientDisconnect from error
        raise


async def _leaving(receive: Receive, scope: asyncio.Timeout) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    scope.reschedule(0)


def to_client(send: Send) -> Send:
    """Wrap `send`, so that it raises `ClientDisconnect` if the client has left."""

    async def sent(message: Message) -> None:
        try:
            await send(message)
        except OSError as error:  # ASGI 2.4 and later; other servers report nothing
            raise ClientDisconnect from error

    return sent


class Streamed(StreamingResponse):
    """An answer in chunks: each is sent before the next is asked for.

    If the client takes nothing for `patience` seconds, or the provider breaks off, the answer has
    no end: the server cuts the connection.
    """

    def __init__(self, chunks: AsyncIterator[bytes], patience: float, **more: Any) -> None:
        super().__init__(chunks, **more)
        self._patience = patience

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the whole answer. Raises `ClientDisconnect` if the client takes nothing."""

        async def sent(message: Message) -> None:
            try:
                async with asyncio.timeout(self._patience):
                    await send(message)
            except TimeoutError as error:
                raise ClientDisconnect from error

        await self.stream_response(sent)
