"""What a gateway reports about its exchanges: lines in the log, and numbers for Prometheus."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Final

import prometheus_client as prometheus
from prometheus_client.multiprocess import MultiProcessCollector

from ..errors import EncodeError, ProviderError, WireglotError
from ..losses import Loss
from ..model import Response
from .config import WIRE, Route

__all__ = ["METRICS_TYPE", "Call", "Telemetry"]

METRICS_TYPE: Final = prometheus.CONTENT_TYPE_LATEST

_log = logging.getLogger("wireglot.gateway")

_COUNTS: Final = "PROMETHEUS_MULTIPROC_DIR"
_BELIEVED: Final = 2**48  # tokens; a larger count is ignored
_MOST: Final = 20  # losses of one exchange that are logged
_STEPS: Final = (5e-5, 1e-4, 2e-4, 5e-4, 1e-3, 2e-3, 5e-3, 1e-2, 5e-2, 0.25, 1.0)


class Call:
    """What is known of an exchange: who asked, where it was sent, and the outcome.

    `status` is 0 until the answer begins. `failure` is the kind of the error that the answer is, or
    ends with; `reason` explains it in our own words. `worked` is the seconds spent in the codec.
    """

    def __init__(self, client: str) -> None:
        self.client: str = client
        self.route: Route | None = None
        self.response: Response | None = None
        self.losses: list[Loss] = []
        self.status: int = 0
        self.failure: str | None = None
        self.reason: str | None = None
        self.worked: float = 0.0

    def failed(self, error: WireglotError) -> None:
        """Note an error. A provider's message is for the client, and is not logged."""
        if not isinstance(error, ProviderError):
            self.failure, self.reason = "invalid_request", str(error)
            return
        self.failure = error.kind
        if not error.wire:
            cause = error.__cause__
            more = "" if cause is None else f" ({type(cause).__name__}: {cause})"
            self.reason = f"{error}{more}"

    @contextmanager
    def working(self) -> Iterator[None]:
        """Count the time of the `with` as work of the codec."""
        began = perf_counter()
        try:
            yield
        finally:
            self.worked += perf_counter() - began

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


class Telemetry:
    """The counts of one application.

    Several processes add up their counts if `PROMETHEUS_MULTIPROC_DIR` names a folder they share.

    Raises `EncodeError` if it names something else.
    """

    def __init__(self) -> None:
        own = self._registry = prometheus.CollectorRegistry()
        folder = os.environ.get(_COUNTS)
        if folder is not None:
            if not os.path.isdir(folder):
                raise EncodeError(f"{_COUNTS} `{folder}`, expected a folder", wire=WIRE)
            self._registry = prometheus.CollectorRegistry()
            MultiProcessCollector(self._registry)  # type: ignore[no-untyped-call]
        self._requests = prometheus.Counter(
            "wireglot_requests",
            "Exchanges by the wire of the client, provider and status; 499 is a client that left",
            ["client", "provider", "status"],
            registry=own,
        )
        self._failures = prometheus.Counter(
            "wireglot_failures",
            "Errors by their kind, those in the middle of an answer included",
            ["client", "provider", "kind"],
            registry=own,
        )
        self._overhead = prometheus.Histogram(
            "wireglot_overhead_seconds",
            "Time that the codec took for an exchange, all chunks of a stream together",
            ["client", "provider"],
            buckets=_STEPS,
            registry=own,
        )
        self._tokens = prometheus.Counter(
            "wireglot_tokens",
            "Tokens that providers counted, by the route's pattern; each is of one kind",
            ["provider", "route", "kind"],
            registry=own,
        )
        self._losses = prometheus.Counter(
            "wireglot_losses",
            "What a wire could not carry",
            ["client", "provider", "what"],
            registry=own,
        )

    def metrics(self) -> bytes:
        """Return all counts in Prometheus' text format."""
        return prometheus.generate_latest(self._registry)

    def done(self, call: Call) -> None:
        """Count an exchange, and log it."""
        provider = "" if call.route is None else call.route.provider
        tokens = call.tokens()
        self._requests.labels(call.client, provider, str(call.status)).inc()
        if call.failure is not None:
            self._failures.labels(call.client, provider, call.failure).inc()
        if call.route is not None:
            self._overhead.labels(call.client, provider).observe(call.worked)
            for kind, count in tokens.items():
                self._tokens.labels(provider, call.route.model, kind).inc(count)
        for loss in call.losses:
            self._losses.labels(call.client, provider, loss.what).inc()
        _log.info(
            "%s to %s: %d%s, %d losses, %.2f ms, tokens %s",
            call.client,
            provider or "nobody",
            call.status,
            "" if call.failure is None else f" ({call.failure})",
            len(call.losses),
            call.worked * 1e3,
            tokens,
        )
        if call.reason is not None:
            level = logging.INFO if 400 <= call.status < 500 else logging.WARNING
            _log.log(level, "failed: %.500a", call.reason)
        for loss in call.losses[:_MOST]:
            _log.info("lost: %a", str(loss))
