"""What ASGI leaves to its user: clients that leave, and answers sent as they come."""

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
    """Cancel what is in the `with`, and raise `ClientDisconnect`, when the client leaves.

    The request must have been read: `receive` has nothing but its end to tell.
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
    """Return `send` as it is for us: it raises `ClientDisconnect` where the client has left."""

    async def sent(message: Message) -> None:
        try:
            await send(message)
        except OSError as error:  # as ASGI has it from 2.4 on; other servers say nothing
            raise ClientDisconnect from error

    return sent


class Streamed(StreamingResponse):
    """An answer in chunks, sent as they come; the next is asked for when the last is on its way.

    A client that takes nothing for `patience` seconds, and one whose provider breaks off, get an
    answer without end: the server cuts the connection.
    """

    def __init__(self, chunks: AsyncIterator[bytes], patience: float, **more: Any) -> None:
        super().__init__(chunks, **more)
        self._patience = patience

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it all. Raises `ClientDisconnect` if the client takes nothing."""

        async def sent(message: Message) -> None:
            try:
                async with asyncio.timeout(self._patience):
                    await send(message)
            except TimeoutError as error:
                raise ClientDisconnect from error

        await self.stream_response(sent)
