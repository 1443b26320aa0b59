"""A configuration file -> a gateway that listens, in one process or several, by uvicorn.

uvicorn does not limit what a client may do before its request is complete: see `Guarded`.
"""

from __future__ import annotations

import asyncio
import copy
import gc
import logging
import os
import re
import shutil
import signal
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from json import dumps
from time import gmtime, strftime
from typing import Any, ClassVar, Final

import uvicorn
from httptools import HttpParserError
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.config import LOGGING_CONFIG
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from ..errors import WireglotError
from .app import create_app
from .config import read_config

__all__ = ["Guarded", "serve"]

_log = logging.getLogger("wireglot.gateway")

_CONFIG: Final = "WIREGLOT_GATEWAY_CONFIG"
_LAST: Final = "WIREGLOT_GATEWAY_LAST"  # the file with the last configuration that was valid
_COUNTS: Final = "PROMETHEUS_MULTIPROC_DIR"
_HEAD: Final = 64 * 1024  # bytes of a request line and its headers
_FRAMING: Final = 2  # bytes allowed for each byte of a body, sent in small chunks
_BAD: Final = "Invalid HTTP request received."
_UPGRADE: Final = re.compile(rb"\r\nupgrade:[^\r\n]*", re.IGNORECASE)
_LONE_LF: Final = re.compile(rb"(?<!\r)\n")
_GARBAGE: Final = 10_000  # new objects until they are searched for cycles; Python has 700
_SHUTDOWN: Final = 30  # seconds that streams have to end
_READY: Final = 30  # seconds that a process has to start on a busy machine; uvicorn has 5


class Guarded(HttpToolsProtocol):
    """HTTP for uvicorn, with bounds on what a client sends and takes, and on the time of both.

    A head must arrive within `arrival` seconds, and have at most 64 KiB. The connection is closed
    if a request is more than twice `largest`, or if the client takes nothing for `patience`
    seconds. An answer that is given before its request is complete is the last of the connection:
    what comes then might be taken for another request. A second request before the answer to the
    first is ignored, and so is an upgrade of the protocol. This is for `create_app`, whose lifespan
    provides the bounds.
    """

    _late: asyncio.TimerHandle | None = None
    _stuck: asyncio.TimerHandle | None = None
    _is_head = True
    _is_last = False
    _keeps_alive = False
    _size = 0
    _begun = b""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the timer for a request."""
        super().connection_made(transport)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop both timers."""
        self._arrived()
        self.resume_writing()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Handle the next bytes, and close the connection if they are too many."""
        if self._is_last:
            return
        if self._late is None and not self._is_served():
            self._wait()  # for the next request
        self._size += len(data)
        data = self._rest_of_head(data) if self._is_head else data
        if _is_foreign(self._begun):
            self._begun = b""
            self.logger.warning(_BAD)
            self.send_400_response(_BAD)
            return
        super().data_received(data)
        most = _HEAD if self._is_head else _HEAD + _FRAMING * self.app_state["largest"]
        if self._size > most and not self.transport.is_closing():
            self.logger.warning("Request too large.")
            self.transport.abort()

    def _rest_of_head(self, data: bytes) -> bytes:
        """Return the head as soon as it is whole, and what follows it; until then, return nothing.

        The parser would not read the body of a request that asks for an upgrade, as Java's client
        does. Nothing behind the head may change: the length of a body has been told.
        """
        self._begun = (self._begun + data).lstrip(b"\r\n")  # empty lines may come before it
        head, end, rest = self._begun.partition(b"\r\n\r\n")
        if not end or len(head) > _HEAD:
            return b""
        self._begun = b""
        return _UPGRADE.sub(b"", head) + end + rest

    def send_400_response(self, msg: str) -> None:
        """Refuse what is not HTTP; behind a whole request, it only ends the connection."""
        if self._is_served() and (self.cycle.response_started or not self.cycle.more_body):
            self._end()
        else:
            super().send_400_response(msg)

    def shutdown(self) -> None:
        """End the connection after the answer."""
        self._keeps_alive = False
        super().shutdown()

    def pause_writing(self) -> None:
        """Start the timer for a client that takes nothing."""
        super().pause_writing()
        if self._stuck is None:
            self._stuck = self.loop.call_later(self.app_state["patience"], self.transport.abort)

    def resume_writing(self) -> None:
        """Stop that timer: the client takes data again."""
        if self._stuck is not None:
            self._stuck.cancel()
            self._stuck = None
        super().resume_writing()

    def on_message_begin(self) -> None:
        """Reset the byte count, and start the timer for the head."""
        if self._is_served():
            self._end()
            return
        super().on_message_begin()
        self._size = 0
        self._wait()

    def on_url(self, url: bytes) -> None:
        """Handle a piece of the URL."""
        if not self._is_last:
            super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Handle a header; those after a body are ignored."""
        if self._is_head and not self._is_last:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Stop the timer: the application limits the time of the body."""
        if self._is_last or self.parser is None:  # None where the connection is lost
            return
        if self.parser.should_upgrade():  # CONNECT, which has no body that all agree on
            raise HttpParserError("a tunnel, expected a request")
        self._is_head = False
        self._arrived()
        super().on_headers_complete()
        self._keeps_alive, self.cycle.keep_alive = self.cycle.keep_alive, False

    def on_body(self, body: bytes) -> None:
        """Handle a piece of the body."""
        if not self._is_last:
            super().on_body(body)

    def on_message_complete(self) -> None:
        """Tell the application that the request is complete."""
        if not self._is_last:
            self._size = 0
            self._is_head = True  # a head comes next
            if not self.cycle.response_started:
                self.cycle.keep_alive = self._keeps_alive
            super().on_message_complete()

    def _end(self) -> None:
        """Ignore what comes, and end the connection after the answer."""
        self._is_last = True
        self.cycle.keep_alive = False

    def _is_served(self) -> bool:
        cycle = getattr(self, "cycle", None)  # None at first, which its type does not know
        return cycle is not None and not cycle.response_complete

    def _wait(self) -> None:
        self._arrived()
        self._late = self.loop.call_later(self.app_state["arrival"], self.transport.abort)

    def _arrived(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None


def _is_foreign(begun: bytes) -> bool:
    """Whether the beginning of a head is not HTTP, and its client waits for us to talk.

    It may be of another protocol, or have lines without a CR, of which no head would end.
    """
    end = begun.find(b"\n")
    is_line = end < 0 or b" HTTP/1." in begun[:end]
    is_ours = begun[:1].isupper() and is_line and _LONE_LF.search(begun) is None
    return begun != b"" and not is_ours


def serve(config: str, *, host: str = "127.0.0.1", port: int = 8000, workers: int = 1) -> None:
    """Serve the gateway of a TOML file until a signal ends it.

    Raises `WireglotError` if the configuration is invalid, OSError if it cannot be read.
    """
    first = read_config(config)
    create_app(first)  # report its errors here, not in each process
    _Lines.form = first.log
    os.environ[_CONFIG] = os.path.abspath(config)
    with ExitStack() as held:
        held.enter_context(_ended_by_signal())
        if workers > 1:
            folder = tempfile.TemporaryDirectory(prefix="wireglot-", ignore_cleanup_errors=True)
            name = held.enter_context(folder)
            os.environ.setdefault(_COUNTS, name)
            os.environ[_LAST] = os.path.join(name, "last.toml")
            _Lines.config = config
        uvicorn.run(
            "wireglot.gateway.server:configured",
            factory=True,
            http=Guarded,
            ws="none",
            host=host,
            port=port,
            workers=workers,
            log_config=_logging(),
            access_log=False,  # a URL may hold a key
            server_header=False,
            proxy_headers=False,  # who the client is matters to nothing here
            timeout_graceful_shutdown=_SHUTDOWN,
            timeout_worker_healthcheck=_READY,
        )


@contextmanager
def _ended_by_signal() -> Iterator[None]:
    """Make a SIGTERM the end of the program, with the status 0, not its death.

    uvicorn raises the signal once more when all has ended, for the handler that was there before.
    """
    if threading.current_thread() is not threading.main_thread():  # as uvicorn then
        yield
        return
    before = signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def configured() -> ASGIApp:
    """Return the application for one process of `serve`.

    On SIGHUP it reads its file anew. With several processes, uvicorn starts each anew.
    """
    gc.freeze()  # the modules are there for good
    gc.set_threshold(_GARBAGE)
    try:
        config = read_config(os.environ[_CONFIG])
        app = create_app(config)
    except (WireglotError, OSError) as error:
        if not os.path.exists(os.environ.get(_LAST, "")):
            raise
        config = read_config(os.environ[_LAST])
        _Lines.form = config.log
        _log.error("the configuration stays as it was: %s", error)
        app = create_app(config)
    else:
        _Lines.form = config.log
        if _LAST in os.environ:
            _keep(os.environ[_CONFIG], os.environ[_LAST])

    def reload() -> None:
        try:
            config = read_config(os.environ[_CONFIG])
            app.state.reload(config)
            _Lines.form = config.log
            _log.info("the configuration has been read anew")
        except (WireglotError, OSError) as error:
            _log.error("the configuration stays as it was: %s", error)

    async def quiet(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan" and hasattr(signal, "SIGHUP"):
            asyncio.get_running_loop().add_signal_handler(signal.SIGHUP, reload)
        with suppress(asyncio.CancelledError):  # on shutdown the server would log each stream
            await app(scope, receive, send)

    return quiet


def _keep(config: str, last: str) -> None:
    """Copy a configuration that was valid, unless it has changed since and is not any more."""
    own = f"{last}.{os.getpid()}"
    shutil.copyfile(config, own)
    with suppress(WireglotError):
        read_config(own)
        os.replace(own, last)


class _Lines(logging.Formatter):
    """Lines with their time, in the form that the configuration says, uvicorn's own included.

    They have no colours, for which uvicorn copies each record.
    """

    form: ClassVar[str] = "text"
    """That of `Config.log`; a new configuration may change it."""
    config: ClassVar[str | None] = None
    """The file that says the form: set in the parent of several processes, which is not told."""

    def format(self, record: logging.LogRecord) -> str:
        """Return a line; as text, a traceback follows it in lines of its own."""
        if self.config is not None:
            with suppress(WireglotError, OSError):
                _Lines.form = read_config(self.config).log
        message, level = record.getMessage(), record.levelname
        seconds, milliseconds = divmod(int(record.created * 1000), 1000)
        time = f"{strftime('%Y-%m-%dT%H:%M:%S', gmtime(seconds))}.{milliseconds:03}Z"
        more = self.formatException(record.exc_info) if record.exc_info else None
        if self.form == "text":
            line = f"{time} {level + ':':<9} {message}"
            return line if more is None else f"{line.rstrip()}\n{more}"
        if getattr(record, "is_object", False):
            return f'{{"time": "{time}", "level": "{level}", {message[1:]}'
        told = {"time": time, "level": level, "message": message.strip(), "traceback": more}
        return dumps({key: value for key, value in told.items() if value is not None})


def _logging() -> dict[str, Any]:
    said = copy.deepcopy(LOGGING_CONFIG)
    said["formatters"]["default"] = {"()": _Lines}
    for name, level in (("wireglot", "INFO"), ("asyncio", "WARNING"), ("aiohttp", "WARNING")):
        said["loggers"][name] = {"handlers": ["default"], "level": level, "propagate": False}
    return said
