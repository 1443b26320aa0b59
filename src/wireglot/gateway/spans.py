"""A request to a provider -> a span of OpenTelemetry, if its API is installed.

Names are those of its semantic conventions for generative AI, 1.41. The SDK that the process has
set up decides what happens to the span.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from ..model import Request
from ..providers import facts_named
from .config import ModelRoute
from .telemetry import Call

__all__ = ["span"]

try:
    _is_installed = find_spec("opentelemetry.trace") is not None
except ModuleNotFoundError:  # not even its parent package
    _is_installed = False
if TYPE_CHECKING or _is_installed:
    from opentelemetry import trace
    from opentelemetry.trace.propagation import tracecontext

# Dialect -> the name of the service in the conventions, where that is another.
_SERVICES: Final = {"azure": "azure.ai.openai", "vertex": "gcp.vertex_ai", "xai": "x_ai"}
_PARAMETERS: Final = {
    "max_tokens": "max_tokens",
    "temperature": "temperature",
    "top_p": "top_p",
    "top_k": "top_k",
    "frequency_penalty": "frequency_penalty",
    "presence_penalty": "presence_penalty",
    "seed": "seed",
    "stop": "stop_sequences",
    "candidates": "choice.count",
}


def span(
    call: Call, route: ModelRoute, request: Request, client_headers: Mapping[str, str]
) -> AbstractContextManager[dict[str, str]]:
    """Wrap a request to a provider in a span, and yield headers that carry the trace on.

    `request` is the request as far as it was read. `client_headers` name the parent span if no span
    is current. When the span ends, its outcome is taken from `call`.
    """
    if not (_is_installed and _is_traced(client_headers)):
        return nullcontext({})
    return _span(call, _asked(route, request), client_headers)


def _is_traced(client_headers: Mapping[str, str]) -> bool:
    """Whether a span would be recorded, or there is a trace to carry on."""
    return (
        not isinstance(trace.get_tracer_provider(), trace.ProxyTracerProvider)  # no SDK is set up
        or "traceparent" in client_headers
        or trace.get_current_span().get_span_context().is_valid
    )


@contextmanager
def _span(
    call: Call, attributes: dict[str, Any], client_headers: Mapping[str, str]
) -> Iterator[dict[str, str]]:
    carrier = tracecontext.TraceContextTextMapPropagator()  # no baggage: that is the client's own
    # The span of an instrumented server comes first: it has read the client's headers.
    is_known = trace.get_current_span().get_span_context().is_valid
    context = None if is_known else carrier.extract(client_headers)
    span = trace.get_tracer("wireglot.gateway").start_span(
        f"chat {attributes.get('gen_ai.request.model', '')}",
        context,
        kind=trace.SpanKind.CLIENT,
        attributes=attributes,
    )
    carried: dict[str, str] = {}
    failure = None
    carrier.inject(carried, trace.set_span_in_context(span, context))
    try:
        yield carried
    except BaseException as error:
        failure = getattr(error, "kind", type(error).__name__)
        raise
    finally:
        failure = failure or call.failure
        if failure is not None:
            span.set_attribute("error.type", failure)
            span.set_status(trace.StatusCode.ERROR)
        span.set_attributes(_answered(call))
        span.end()


def _asked(route: ModelRoute, request: Request) -> dict[str, Any]:
    url = urlsplit(route.url)
    service = route.dialect or _provider(route.provider)
    attributes: dict[str, Any] = {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": _SERVICES.get(service, service),
        "gen_ai.request.model": request.model,
        "gen_ai.request.stream": request.stream,
        "server.address": url.hostname,
        "server.port": url.port or (443 if url.scheme == "https" else 80),
    }
    for name, theirs in _PARAMETERS.items():
        attributes[f"gen_ai.request.{theirs}"] = getattr(request, name)
    return _sayable(attributes)


def _provider(name: str) -> str:
    facts = facts_named(name)
    return next(iter(facts.also_called.get("opentelemetry", ())), name)


def _answered(call: Call) -> dict[str, Any]:
    if call.response is None:
        return {}
    message = call.response.message
    attributes: dict[str, Any] = {
        "gen_ai.response.id": call.response.id,
        "gen_ai.response.model": message.model,
    }
    if (reason := message.raw_stop_reason or message.stop_reason) is not None:
        attributes["gen_ai.response.finish_reasons"] = [str(reason)]
    if (usage := message.usage) is not None:
        attributes |= {
            "gen_ai.usage.input_tokens": usage.input + usage.cache_read + usage.cache_write,
            "gen_ai.usage.output_tokens": usage.output,
            "gen_ai.usage.cache_read.input_tokens": usage.cache_read,
            "gen_ai.usage.cache_creation.input_tokens": usage.cache_write,
            "gen_ai.usage.reasoning.output_tokens": usage.reasoning,
        }
    return _sayable(attributes)


def _sayable(said: dict[str, Any]) -> dict[str, Any]:
    """Return the attributes that are set, without integers that exporters cannot write."""
    return {
        name: value
        for name, value in said.items()
        if value is not None and not (isinstance(value, int) and abs(value) >= 2**63)
    }
