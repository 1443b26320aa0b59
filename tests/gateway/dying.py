"""A provider of Anthropic's wire that dies, and a client that sees each byte of an answer.

As a program, `python -m tests.gateway.dying BEGIN`, it says its address, then each request in a
line, and answers with `BEGIN` and nothing more, until it is killed.
"""

from __future__ import annotations

import asyncio
import re
import struct
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from socket import SO_LINGER, SOL_SOCKET

__all__ = ["Target", "ask", "text_of"]

_RESET = struct.pack("ii", 1, 0)  # closes with RST, as a crashed host or a killed process may
_text = re.compile(rb"Hello \d+").search


def text_of(body: bytes) -> bytes:
    """Return the text of a request, by which it is known."""
    found = _text(body)
    assert found is not None, body
    return found[0]


class Target:
    """Notes each request, answers with `begin`, and waits for `ends`: then it does as `rest` says.

    With None it resets the connection; else it sends `rest` and goes on with the next request.
    `models` are the names that were asked for.
    """

    def __init__(self, begin: bytes, rest: bytes | None = None) -> None:
        self.begin = begin
        self.rest = rest
        self.ends = asyncio.Event()
        self.asked: list[bytes] = []
        self.models: list[bytes] = []
        self.changed = asyncio.Condition()

    async def __call__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection."""
        try:
            # Cancelled with the event loop, at the end of the test.
            with suppress(asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
                while await self._answered(reader, writer):
                    pass
        finally:
            writer.transport.abort()

    async def _answered(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = await reader.readuntil(b"\r\n\r\n")
        size = re.search(rb"content-length: (\d+)", head.lower())
        assert size is not None
        body = await reader.readexactly(int(size[1]))
        async with self.changed:
            self.asked.append(text_of(body))
            self.models += re.findall(rb'"model":"(\w+)"', body)
            self.changed.notify_all()
        writer.write(self.begin)
        await self.ends.wait()
        if self.rest is None:
            writer.get_extra_info("socket").setsockopt(SOL_SOCKET, SO_LINGER, _RESET)
            return False
        writer.write(self.rest)
        return True

    async def until(self, count: int) -> None:
        """Wait until there were so many requests."""
        async with self.changed:
            await self.changed.wait_for(lambda: len(self.asked) >= count)

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[str]:
        """Yield the address."""
        server = await asyncio.start_server(self, "127.0.0.1", 0, backlog=1000)
        try:
            yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        finally:
            server.close()


async def ask(address: str, path: str, body: bytes, begun: asyncio.Event | None = None) -> bytes:
    """Return all that comes for a request; `begun` is set when a text of the answer has come.

    The request asks for the end of the connection, so that a second answer would be seen.
    """
    head = f"POST {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n"
    head += "content-type: application/json"
    host, _, port = address.removeprefix("http://").partition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(head.encode() + b"\r\ncontent-length: %d\r\n\r\n" % len(body) + body)
    answer = b""
    try:
        with suppress(ConnectionError):
            while data := await reader.read(65536):
                answer += data
                if begun is not None and b'"Hi"' in answer:
                    begun.set()
        return answer
    finally:
        writer.transport.abort()


class _Told(list[bytes]):
    def append(self, text: bytes) -> None:
        print(text.decode(), flush=True)


async def _main(begin: bytes) -> None:
    target = Target(begin)
    target.asked = _Told()
    async with target.listening() as address:
        print(address, flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(_main(sys.argv[1].encode()))
