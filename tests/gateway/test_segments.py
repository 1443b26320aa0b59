"""Requests whose bytes arrive in any pieces: an answer is to its own request, or there is none.

A proxy sends the requests of many clients over one connection. If it and the gateway do not agree
where a request ends, the body of one client is read as a request of another.
"""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from hashlib import sha256
from itertools import pairwise
from typing import Any, ClassVar, NamedTuple

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route as Path

from tests.gateway.serving import served
from wireglot.gateway import Config, ModelRoute, create_app
from wireglot.gateway.server import Guarded


class Watched(Guarded):
    """Notes how many bytes have arrived, by the address of the client."""

    seen: ClassVar[dict[Any, int]] = {}
    told: ClassVar[list[Guarded]] = []
    """Those that have been told to end."""

    def shutdown(self) -> None:
        super().shutdown()
        self.told.append(self)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        assert self.client is not None
        self.seen[self.client] = self.seen.get(self.client, 0) + len(data)


class Connection(asyncio.Protocol):
    """A client that decides in which pieces its bytes arrive."""

    def __init__(self) -> None:
        self.head = b""
        """The head of the last answer."""
        self.came = b""
        self._sent = 0
        self._is_closed = False

    @classmethod
    @asynccontextmanager
    async def to(cls, address: str) -> AsyncIterator[Connection]:
        host, _, port = address.removeprefix("http://").partition(":")
        loop = asyncio.get_running_loop()
        transport, client = await loop.create_connection(cls, host, int(port))
        yield client
        transport.abort()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self._transport = transport
        self.name = transport.get_extra_info("sockname")

    def data_received(self, data: bytes) -> None:
        self.came += data

    def connection_lost(self, _: Exception | None) -> None:
        self._is_closed = True

    async def send(self, *pieces: bytes) -> None:
        """Send pieces, each when the one before it has arrived, until the other side closes."""
        for piece in pieces:
            self._transport.write(piece)
            self._sent += len(piece)
            while Watched.seen.get(self.name, 0) < self._sent and not self._is_closed:
                await asyncio.sleep(0)

    async def answer(self) -> tuple[int, bytes] | None:
        """Return the status and the body of the next answer; None if the connection has ended."""
        while True:
            found = re.match(rb"HTTP/1.1 (\d+).*?\r\n\r\n", self.came, re.DOTALL)
            size = re.search(rb"\r\ncontent-length: (\d+)", found[0]) if found else None
            end = found.end() + int(size[1]) if found and size else 0
            if found is not None and len(self.came) >= end:
                body, self.came = self.came[found.end() : end], self.came[end or found.end() :]
                if found[1] != b"100":
                    self.head = found[0]
                    return int(found[1]), body
            elif self._is_closed:
                assert self.came == b""
                return None
            await asyncio.sleep(0)


# -- requests of which a part may be taken for another one -----------------------------------------

HIDDEN = b"GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n"
NEXT = (
    b"POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer sesame\r\n"
    b"content-type: application/json\r\nconnection: close\r\ncontent-length: %d\r\n\r\n%b"
) % (len(HIDDEN), HIDDEN)
"""A request whose body would be answered with `ok`."""
UPGRADE = b"\r\nupgrade: " + b"a" * (len(NEXT) - len(HIDDEN) - 13) + b"\r\n"
"""A line, with as many bytes as the next request has before its body."""


def _post(
    body: bytes,
    more: bytes = b"",
    path: bytes = b"/v1/messages",
    kind: bytes = b"application/json",
) -> bytes:
    head = b"POST %b HTTP/1.1\r\nhost: localhost\r\nx-key: \r\ncontent-type: %b\r\n%b" % (
        path,
        kind,
        more,
    )
    return head + b"content-length: %d\r\n\r\n%b" % (len(body), body)


def _chunked(*chunks: bytes, more: bytes = b"", trailers: bytes = b"") -> bytes:
    head = _post(b"", more + b"transfer-encoding: chunked\r\n").replace(
        b"content-length: 0\r\n", b""
    )
    data = b"".join(b"%x\r\n%b\r\n" % (len(chunk), chunk) for chunk in chunks)
    return head + data + b"0\r\n" + trailers + b"\r\n"


_H2C = b"connection: Upgrade, HTTP2-Settings\r\nupgrade: h2c\r\nhttp2-settings: AA\r\n"
ASKED = {
    "a line of a body": (_post(UPGRADE), 400, 401),
    "a line of a body after JSON": (_post(b"{}" + UPGRADE), 400, 401),
    "a line of a body of another type": (_post(UPGRADE, kind=b"text/plain"), 415, 401),
    "a line of a body for nobody": (_post(UPGRADE, path=b"/v1/nobody"), 404, 401),
    "a line of a body for a constant": (_post(UPGRADE, path=b"/api/show"), 200, 401),
    "a line of a chunk": (_chunked(b"{}" + UPGRADE, UPGRADE), 400, 401),
    "a line of a trailer": (_chunked(b"{}", trailers=UPGRADE.lstrip()), 404, 401),
    "trailers": (_chunked(b"{}", trailers=b"content-type: a/b\r\n" + _H2C), 404, 401),
    "an upgrade": (_post(b"{}" + UPGRADE, _H2C), 400, 401),
    "an upgrade in chunks": (_chunked(UPGRADE, more=_H2C), 400, 401),
    "an upgrade after empty lines": (b"\r\n\r\n" + _post(UPGRADE, _H2C), 400, 401),
    "an upgrade of two lines": (_post(b"{}", b"upgrade: a\r\n b: c\r\n"), 400, 400),
    "a body that is a request": (_post(HIDDEN), 400, 401),
    "a body that is expected": (_post(UPGRADE, b"expect: 100-continue\r\n"), 400, 401),
    "a body of a GET": (
        _post(HIDDEN, path=b"/v1/models").replace(b"POST", b"GET", 1),
        200,
        401,
    ),
    "a tunnel": (_post(HIDDEN).replace(b"POST", b"CONNECT", 1), 400, 400),
    "two lengths": (_post(HIDDEN, b"content-length: 0\r\n"), 400, 400),
    "a length and chunks": (_post(HIDDEN, b"transfer-encoding: chunked\r\n"), 400, 400),
}
KEYS = pytest.mark.parametrize("has_key", [True, False], ids=["with a key", "without a key"])


@asynccontextmanager
async def _gateway(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[str]:
    monkeypatch.setenv("GATEWAY_KEY", "sesame")
    routes = [ModelRoute("m", "anthropic", "http://127.0.0.1:9")]
    config = Config(routes, client_key="GATEWAY_KEY", arrival=1)
    async with asyncio.timeout(60), served(create_app(config), http=Watched) as here:
        yield here


@pytest.mark.slow
@KEYS
@pytest.mark.parametrize(("asked", "known", "unknown"), ASKED.values(), ids=ASKED)
def test_wherever_a_request_is_cut_the_next_one_gets_its_own_answer_or_none(
    asked: bytes, known: int, unknown: int, has_key: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = asked.replace(b"x-key: \r\n", b"x-api-key: sesame\r\n" if has_key else b"", 1)
    status = known if has_key else unknown

    async def run() -> None:
        async with _gateway(monkeypatch) as here:
            for cut in range(len(asked) + 1):
                async with Connection.to(here) as client:
                    await client.send(asked[:cut], asked[cut:])
                    first = await client.answer()
                    assert first is not None
                    assert (cut, first[0]) == (cut, status)
                    await client.send(NEXT)
                    _check_next(await client.answer())
                    assert await client.answer() is None

    asyncio.run(run())


@pytest.mark.slow
@KEYS
@pytest.mark.parametrize(("asked", "known", "unknown"), ASKED.values(), ids=ASKED)
def test_two_requests_in_one_piece_get_an_answer_to_the_first_alone(
    asked: bytes, known: int, unknown: int, has_key: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = asked.replace(b"x-key: \r\n", b"x-api-key: sesame\r\n" if has_key else b"", 1)
    status = known if has_key else unknown

    async def run() -> None:
        async with _gateway(monkeypatch) as here:
            for cut in range(len(asked) + 1):
                async with Connection.to(here) as client:
                    await client.send(asked[:cut], asked[cut:] + NEXT)
                    first = await client.answer()
                    assert first is not None
                    assert (cut, first[0]) == (cut, status)
                    _check_next(await client.answer())

    asyncio.run(run())


def _check_next(answer: tuple[int, bytes] | None) -> None:
    """Check the answer to `NEXT`, whose body is not JSON."""
    if answer is not None:
        assert answer[0] == 400
        assert b"JSON is malformed" in answer[1]


# -- an answer before the end of its request -------------------------------------------------------


def test_an_answer_before_the_end_of_its_request_is_the_last(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = _post(HIDDEN, b"x-api-key: sesame\r\n", b"/health").replace(b"POST", b"GET", 1)

    async def run() -> None:
        async with _gateway(monkeypatch) as here:
            for pieces, closes in (((whole,), False), ((whole[:-1], whole[-1:]), True)):
                async with Connection.to(here) as client:
                    await client.send(pieces[0])
                    answer = await client.answer()
                    assert answer is not None
                    assert answer[0] == 200
                    assert (b"\r\nconnection: close\r\n" in client.head) is closes
                    if closes:
                        assert await client.answer() is None
                        continue
                    await client.send(NEXT)
                    assert await client.answer() is not None

    asyncio.run(run())


def test_a_refusal_waits_for_the_body_so_that_a_client_that_sends_it_sees_the_refusal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    large = _post(b"x" * 3_000_000)

    async def run() -> None:
        async with _gateway(monkeypatch) as here, Connection.to(here) as client:
            await client.send(large[:-1])
            assert client.head == b""
            await client.send(large[-1:])
            answer = await client.answer()
            assert answer is not None
            assert answer[0] == 401
            assert b"connection: close" not in client.head

    asyncio.run(run())


@asynccontextmanager
async def _bounds(_: Starlette) -> AsyncIterator[dict[str, float]]:
    yield {"largest": 10_000, "arrival": 5.0, "patience": 5.0}


def test_an_answer_that_began_before_the_end_of_its_request_is_the_last_too() -> None:
    ends = asyncio.Event()

    async def slow() -> AsyncIterator[bytes]:
        yield b"a"
        await ends.wait()
        yield b"b"

    async def answer(_: Request) -> Response:
        return StreamingResponse(slow(), headers={"content-length": "2"})

    async def run() -> None:
        app = Starlette(routes=[Path("/", answer, methods=["POST"])], lifespan=_bounds)
        async with (
            asyncio.timeout(30),
            served(app, http=Watched) as here,
            Connection.to(here) as client,
        ):
            asked = _post(b"ab", path=b"/")
            await client.send(asked[:-1])
            while b"\r\n\r\na" not in client.came:
                await asyncio.sleep(0)
            await client.send(asked[-1:])
            ends.set()
            assert await client.answer() == (200, b"ab")
            await client.send(NEXT)
            assert await client.answer() is None

    asyncio.run(run())


@pytest.mark.parametrize(
    "rest", [b"zz\r\n", b"0\r\ncontent-length: 2\r\n\r\n"], ids=["a chunk", "a trailer"]
)
def test_a_body_that_is_not_http_is_refused_at_once(
    rest: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = _chunked(b"{}", more=b"x-api-key: sesame\r\n").removesuffix(b"0\r\n\r\n")

    async def run() -> None:
        async with _gateway(monkeypatch) as here, Connection.to(here) as client:
            await client.send(asked, rest)
            assert await client.answer() == (400, b"Invalid HTTP request received.")
            assert await client.answer() is None

    asyncio.run(run())


def test_a_head_that_is_too_large_is_not_answered_however_it_arrives(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = _post(b"{}", b"x: " + b"a" * 70_000 + b"\r\n")

    async def run() -> None:
        async with _gateway(monkeypatch) as here:
            for pieces in ((asked,), (asked[:1000], asked[1000:]), (asked[:-1000], asked[-1000:])):
                async with Connection.to(here) as client:
                    await client.send(*pieces)
                    assert await client.answer() is None

    asyncio.run(run())


def test_a_server_that_stops_ends_a_connection_whose_request_is_not_there_yet() -> None:
    async def answer(http: Request) -> Response:
        return PlainTextResponse(await http.body())

    async def run() -> None:
        app = Starlette(routes=[Path("/", answer, methods=["POST"])], lifespan=_bounds)
        async with asyncio.timeout(30), AsyncExitStack() as held:
            server = AsyncExitStack()
            here = await server.enter_async_context(served(app, http=Watched))
            client = await held.enter_async_context(Connection.to(here))
            asked = _post(b"ab", path=b"/")
            await client.send(asked[:-1])
            stopped = asyncio.create_task(server.aclose())
            while not any(client.name == each.client for each in Watched.told):
                await asyncio.sleep(0)
            await client.send(asked[-1:])
            assert await client.answer() == (200, b"ab")
            assert b"\r\nconnection: close\r\n" in client.head
            await stopped

    asyncio.run(run())


def test_what_is_not_http_behind_a_request_leaves_its_answer_alone() -> None:
    ends = asyncio.Event()

    async def answer(_: Request) -> Response:
        await ends.wait()
        return PlainTextResponse("ab")

    async def run() -> None:
        app = Starlette(routes=[Path("/", answer, methods=["POST"])], lifespan=_bounds)
        async with (
            asyncio.timeout(30),
            served(app, http=Watched) as here,
            Connection.to(here) as client,
        ):
            await client.send(_post(b"ab", path=b"/"), b"\0\r\n\r\n", NEXT)
            ends.set()
            assert await client.answer() == (200, b"ab")
            assert await client.answer() is None

    asyncio.run(run())


# -- any requests ----------------------------------------------------------------------------------

_HEADERS = (
    *(b"connection: upgrade\r\n", b"connection: a, Upgrade\r\n", b"connection: x\r\n"),
    *(b"upgrade: h2c\r\n", b"Upgrade: websocket\r\n", b"UPGRADE:\r\n"),
    *(b"x-upgrade: a\r\n", b"upgrade-insecure-requests: 1\r\n", b"x: upgrade: a\r\n"),
    *(b"expect: 100-continue\r\n", b"te: trailers\r\n"),
)
_PIECES = (
    *(b"{}", b"a" * 50, b"\r\n", b"\r\n\r\n", b"\n", b"0\r\n\r\n", b"\0", b"upgrade: a"),
    *(b"\r\nupgrade: aaaaaaaaaa\r\n", b"\r\nUpgrade:\r\n\r\n", b"connection: close\r\n"),
    *(b"GET /early HTTP/1.1\r\n\r\n", b"POST /whole HTTP/1.1\r\ncontent-length: 5\r\n\r\n12345"),
)


class Asked(NamedTuple):
    data: bytes
    answer: tuple[int, bytes]
    is_read: bool
    """Whether it is read to its end before it is answered."""


async def _whole(http: Request) -> Response:
    """Answer with a number of the request, and what its body is."""
    return PlainTextResponse(http.headers["x-number"] + sha256(await http.body()).hexdigest())


async def _early(http: Request) -> Response:
    return PlainTextResponse(http.headers["x-number"])


def _asked(chance: random.Random, number: int) -> Asked:
    is_read = chance.random() < 0.7
    body = b"".join(chance.choices(_PIECES, k=chance.randrange(5)))
    method, path = chance.choice((b"GET", b"POST")), b"whole" if is_read else b"early"
    head = b"%b /%b HTTP/1.1\r\nx-number: %d\r\n" % (method, path, number)
    headers = chance.choices(_HEADERS, k=chance.randrange(4))
    if chance.random() < 0.3:
        headers.append(b"transfer-encoding: chunked\r\n")
        sizes = [0, *sorted(chance.choices(range(len(body) + 1), k=2)), len(body)]
        chunks = [body[a:b] for a, b in pairwise(sizes) if a < b]
        data = b"".join(b"%x\r\n%b\r\n" % (len(chunk), chunk) for chunk in chunks)
        data += b"0\r\n" + b"".join(chance.choices(_HEADERS, k=chance.randrange(3))) + b"\r\n"
    else:
        headers.append(b"content-length: %d\r\n" % len(body))
        data = body
    chance.shuffle(headers)
    said = b"%d" % number + (sha256(body).hexdigest().encode() if is_read else b"")
    return Asked(b"".join((head, *headers, b"\r\n", data)), (200, said), is_read)


def _cut(chance: random.Random, data: bytes) -> Iterator[bytes]:
    at = 0
    for end in (*sorted(chance.choices(range(len(data)), k=chance.randrange(4))), len(data)):
        if end > at:
            yield data[at:end]
            at = end


@pytest.mark.parametrize("seed", range(8))
def test_answers_are_to_the_requests_in_their_order_whatever_these_are(seed: int) -> None:
    methods = ["GET", "POST"]
    routes = [Path("/whole", _whole, methods=methods), Path("/early", _early, methods=methods)]
    app = Starlette(routes=routes, lifespan=_bounds)
    chance = random.Random(seed)

    async def run() -> None:
        async with asyncio.timeout(60), served(app, http=Watched, ws="none") as here:
            for _ in range(100):
                asked = [_asked(chance, number) for number in range(4)]
                expected = [each.answer for each in asked]
                async with Connection.to(here) as client:
                    waits = chance.random() < 0.6
                    if waits:
                        came = [await _answered(client, _cut(chance, each.data)) for each in asked]
                        ended = next((i for i, each in enumerate(asked) if not each.is_read), 4)
                        assert came[: ended + 1] == expected[: ended + 1], asked
                    else:
                        await client.send(*_cut(chance, b"".join(each.data for each in asked)))
                        came = [await client.answer()]
                    came = [answer for answer in came if answer is not None]
                    assert came == expected[: len(came)], asked

    asyncio.run(run())


async def _answered(client: Connection, pieces: Iterator[bytes]) -> tuple[int, bytes] | None:
    await client.send(*pieces)
    return await client.answer()
