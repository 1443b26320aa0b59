"""Applications on the loopback: in a thread of their own, or in the event loop at hand."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import uvicorn
from starlette.types import ASGIApp

__all__ = ["served", "serving"]


def _server(app: ASGIApp, **more: Any) -> uvicorn.Server:
    return uvicorn.Server(
        uvicorn.Config(app, port=0, log_level="warning", timeout_graceful_shutdown=1, **more)
    )


def _address(server: uvicorn.Server) -> str:
    return f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"


@contextmanager
def serving(app: ASGIApp) -> Iterator[str]:
    """Serve in a thread, for clients that block. Yields the address."""
    # Not every client can be told to let go.
    server = _server(app, headers=[("connection", "close")])
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        thread.join(0.01)
    try:
        yield _address(server)
    finally:
        server.should_exit = True
        thread.join()


@asynccontextmanager
async def served(app: ASGIApp, **more: Any) -> AsyncIterator[str]:
    """Serve in this event loop, with `more` for uvicorn. Yields the address."""
    server = _server(app, **more)
    task = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0)
    try:
        yield _address(server)
    finally:
        server.should_exit = True
        await task
