"""A server on the loopback that answers with given bytes, and keeps what it was asked."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

__all__ = ["Asked", "Server", "serving"]


class Asked(NamedTuple):
    path: str
    body: bytes


class Server:
    """What to answer next, in order, and what has been asked."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.asked: list[Asked] = []
        self._answers: deque[tuple[int, str, bytes]] = deque()

    def answers(self, kind: str, body: bytes, status: int = 200) -> None:
        self._answers.append((status, kind, body))

    def answer(self, asked: Asked) -> tuple[int, str, bytes]:
        self.asked.append(asked)
        return self._answers.popleft()


@contextmanager
def serving() -> Iterator[Server]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True  # else the second packet waits for the client's word

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            path = unquote(urlsplit(self.path).path)
            status, kind, answer = server.answer(Asked(path, body))
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(answer)))
            self.send_header("Connection", "close")  # not every client can be told to let go
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        http.daemon_threads = True
        http.block_on_close = False
        server = Server(f"http://127.0.0.1:{http.server_port}")
        thread = Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        yield server
        http.shutdown()
        thread.join()
