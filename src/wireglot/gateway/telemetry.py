"""What a gateway reports about its exchanges: lines in the log, and numbers for Prometheus."""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Callable
from functools import cache
from json import dumps
from secrets import token_hex
from time import perf_counter
from typing import Any, Final

import prometheus_client as prometheus
from prometheus_client.multiprocess import MultiProcessCollector
from starlette.types import Message, Send

from ..errors import EncodeError, ProviderError, WireglotError
from ..losses import Loss
from ..model import Response
from .config import WIRE, ModelRoute

__all__ = ["METRICS_TYPE", "Call", "Telemetry"]

METRICS_TYPE: Final = prometheus.CONTENT_TYPE_LATEST

_log = logging.getLogger("wireglot.gateway")

_COUNTS: Final = "PROMETHEUS_MULTIPROC_DIR"
_BELIEVED: Final = 2**48  # tokens; a larger count is ignored
_MOST: Final = 20  # losses of one exchange that are logged
_SHOWN: Final = 500  # characters of a text in the log
_LONG_STEPS: Final = (0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0)
_STEPS: Final = (5e-5, 1e-4, 2e-4, 5e-4, 1e-3, 2e-3, 5e-3, 1e-2, 5e-2, 0.25, 1.0)


class Call:
    """What is known of an exchange: who asked, where it was sent, and the outcome.

    `status` is 0 until the answer begins. `failure` is the kind of the error that the answer is, or
    ends with; `reason` explains it in our own words. `worked` is the seconds spent in the codec,
    `first` those until the first byte of the answer's body had gone out, `took` those until the
    last. `tried` has the providers that gave no
    answer before another was asked, each with the kind of its error. `provider_id` is the
    provider's own name for the exchange, `should_retry` what it tells its SDK of another attempt.
    `masked` returns a text without the provider's key.
    """

    def __init__(self, client: str) -> None:
        self.id: str = token_hex(8)
        self.client: str = client
        self.route: ModelRoute | None = None
        self.response: Response | None = None
        self.losses: list[Loss] = []
        self.status: int = 0
        self.failure: str | None = None
        self.reason: str | None = None
        self.model: str | None = None
        self.provider_id: str | None = None
        self.should_retry: str | None = None
        self.masked: Callable[[str], str] = str
        self.tried: list[tuple[str, str]] = []
        self.worked: float = 0.0
        self.first: float | None = None
        self.took: float = 0.0
        self._began = perf_counter()

    def elapsed(self) -> float:
        """Return the seconds since the request came."""
        return perf_counter() - self._began

    def timed(self, send: Send) -> Send:
        """Wrap `send`, to note when the first and the last bytes of the answer have gone out."""

        async def sent(message: Message) -> None:
            await send(message)
            self.took = self.elapsed()
            if self.first is None and message.get("body"):
                self.first = self.took

        return sent

    def falls_back(self, route: ModelRoute) -> None:
        """Note that another route is asked, since the last one gave no answer."""
        if self.route is not None:
            self.tried.append((self.route.provider, self.failure or "resting"))
        self.route, self.failure, self.reason = route, None, None
        self.provider_id, self.should_retry = None, None
        self.losses.clear()

    def failed(self, error: WireglotError) -> None:
        """Note an error. A provider's message is for the client, and is not logged."""
        if not isinstance(error, ProviderError):
            self.failure, self.reason = "invalid_request", str(error)
            return
        self.failure = error.kind
        if not error.wire:
            cause = error.__cause__
            more = "" if cause is None else f" ({type(cause).__name__}: {cause})"
            self.reason = self.masked(f"{error}{more}")  # aiohttp quotes what it cannot read

    def working(self) -> _Working:
        """Count the time of a `with` as work of the codec."""
        return _Working(self)

    def tokens(self) -> dict[str, int]:
        """Return the counts of the answer; each token is in exactly one of them."""
        usage = None if self.response is None else self.response.message.usage
        if usage is None:
            return {}
        counts = {
            "input": usage.input,
            "output": usage.output,
            "cache_read": usage.cache_read,
            "cache_write": usage.cache_write,
        }
        return {kind: count for kind, count in counts.items() if 0 <= count < _BELIEVED}


class _Working:
    """Not a generator: an exchange enters it many times."""

    __slots__ = ("_began", "_call")

    def __init__(self, call: Call) -> None:
        self._call = call

    def __enter__(self) -> None:
        self._began = perf_counter()

    def __exit__(self, *_: object) -> None:
        self._call.worked += perf_counter() - self._began


class Telemetry:
    """The counts of one application.

    Several processes add up their counts if `PROMETHEUS_MULTIPROC_DIR` names a folder they share.

    Raises `EncodeError` if it names something else.
    """

    def __init__(self) -> None:
        self.form: str = "text"
        """The form of a line in the log, as in `Config.log`."""
        own = self._registry = prometheus.CollectorRegistry()
        folder = os.environ.get(_COUNTS)
        if folder is not None:
            if not os.path.isdir(folder):
                raise EncodeError(f"{_COUNTS} `{folder}`, expected a folder", wire=WIRE)
            self._registry = prometheus.CollectorRegistry()
            MultiProcessCollector(self._registry)  # type: ignore[no-untyped-call]

        def metric(
            kind: Any, name: str, words: str, labels: str, **more: Any
        ) -> Callable[..., Any]:
            """Return a function of the labels that remembers: a look-up costs more than a count."""
            return cache(
                kind(f"wireglot_{name}", words, labels.split(), registry=own, **more).labels
            )

        counter, histogram = prometheus.Counter, prometheus.Histogram
        self._requests = metric(
            counter,
            "requests",
            "Exchanges by client's wire, provider and status; 499 is a client that left",
            "client provider status",
        )
        self._failures = metric(
            counter,
            "failures",
            "Errors by their kind, those in the middle of an answer included",
            "client provider kind",
        )
        self._overhead = metric(
            histogram,
            "overhead_seconds",
            "Time that the codec took for an exchange, all chunks of a stream together",
            "client provider",
            buckets=_STEPS,
        )
        self._duration = metric(
            histogram,
            "duration_seconds",
            "Time from the request to the end of its answer",
            "client provider",
            buckets=_LONG_STEPS,
        )
        self._first = metric(
            histogram,
            "first_byte_seconds",
            "Time from the request to the first byte of its answer's body",
            "client provider",
            buckets=_LONG_STEPS,
        )
        self._open = metric(
            prometheus.Gauge,
            "requests_open",
            "Exchanges that have not ended",
            "client",
            multiprocess_mode="livesum",
        )
        self._fallbacks = metric(
            counter,
            "fallbacks",
            "Providers that gave no answer, so that another was asked; `resting` was not asked",
            "client provider kind",
        )
        self._tokens = metric(
            counter,
            "tokens",
            "Tokens that providers counted, by the route's pattern; each is of one kind",
            "provider route kind",
        )
        self._losses = metric(
            counter,
            "losses",
            "What a wire could not carry",
            "client provider what",
        )

    def metrics(self) -> bytes:
        """Return all counts in Prometheus' text format."""
        return prometheus.generate_latest(self._registry)

    def begun(self, call: Call) -> None:
        """Count an exchange that has begun."""
        self._open(call.client).inc()

    def done(self, call: Call) -> None:
        """Count an exchange, and log it in one line."""
        provider = "" if call.route is None else call.route.provider
        tokens = call.tokens()
        both = (call.client, provider)
        self._open(call.client).dec()
        self._requests(*both, str(call.status)).inc()
        if call.failure is not None:
            self._failures(*both, call.failure).inc()
        for before, kind in call.tried:
            self._fallbacks(call.client, before, kind).inc()
        if call.route is not None:
            self._overhead(*both).observe(call.worked)
            self._duration(*both).observe(call.took)
            if call.first is not None:
                self._first(*both).observe(call.first)
            for kind, count in tokens.items():
                self._tokens(provider, call.route.model, kind).inc(count)
        lost: dict[str, int] = {}
        for loss in call.losses:
            self._losses(*both, loss.what).inc()
            lost[loss.what] = lost.get(loss.what, 0) + 1
        is_ours = call.reason is not None and not 400 <= call.status < 500
        level = logging.WARNING if is_ours else logging.INFO
        if _log.isEnabledFor(level):
            line = _LINES[self.form](_record(call, tokens, lost))
            # As `_log.log` would, which first looks for the line of code that calls it.
            more = {"is_object": self.form == "json"}
            made = _log.makeRecord(_log.name, level, __file__, 0, "%s", (line,), None, extra=more)
            _log.handle(made)
        for loss in call.losses[:_MOST]:
            _log.debug("%s lost: %a", call.id, str(loss))


def _record(call: Call, tokens: dict[str, int], lost: dict[str, int]) -> dict[str, Any]:
    """Return what the log tells of an exchange; what is not known is left out."""
    route = call.route
    record = {
        "id": call.id,
        "client": call.client,
        "provider": None if route is None else route.provider,
        "provider_id": None if call.provider_id is None else call.provider_id[:_SHOWN],
        "route": None if route is None else route.model,
        "model": None if call.model is None else call.model[:_SHOWN],
        "status": call.status,
        "failure": call.failure,
        "reason": None if call.reason is None else call.reason[:_SHOWN],
        "tried": [f"{provider}: {kind}" for provider, kind in call.tried] or None,
        "losses": lost or None,
        "codec_ms": round(call.worked * 1e3, 2),
        "first_ms": None if call.first is None else round(call.first * 1e3),
        "total_ms": round(call.took * 1e3),
        "tokens": tokens or None,
    }
    return {key: value for key, value in record.items() if value is not None}


def _text(record: dict[str, Any]) -> str:
    return " ".join([f"{key}={_WORDS[type(value)](value)}" for key, value in record.items()])


def _word(text: str) -> str:
    """Return a text without spaces, or as a string of JSON: a client may have chosen it."""
    return text if _is_word(text) else dumps(text)


def _counts(counts: dict[str, int]) -> str:
    return _word(", ".join([f"{name}: {count}" for name, count in counts.items()]))


def _list(words: list[str]) -> str:
    return _word(", ".join(words))


_is_word: Final = re.compile(r"[A-Za-z0-9_.:/@*+-]+").fullmatch
_WORDS: Final[dict[type, Callable[[Any], str]]] = {
    str: _word,
    int: str,
    float: str,
    dict: _counts,
    list: _list,
}
_LINES: Final[dict[str, Callable[[dict[str, Any]], str]]] = {"text": _text, "json": dumps}
