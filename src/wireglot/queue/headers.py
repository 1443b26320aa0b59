"""Envelopes <-> the headers and the body of a broker's message, in CloudEvents' binary mode.

Each binding has its own prefix for the attributes, and `content-type` for the type of the body:
Kafka `ce_`, HTTP `ce-` with percent-encoded values, AMQP `cloudEvents_`, which newer versions of
the binding prefer to `cloudEvents:`. Bindings, v1.0.2: https://github.com/cloudevents/spec,
`kafka-`, `http-` and `amqp-protocol-binding.md`. The reader accepts each prefix from every broker,
and so what others write by the binding for RabbitMQ, `ce-` with plain values:
https://github.com/knative-extensions/eventing-rabbitmq, `cloudevents-protocol-spec/spec.md`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from urllib.parse import unquote

from ..errors import EncodeError, PoisonError, WireglotError
from .envelope import WIRE, Envelope

__all__ = ["AMQP", "ERROR", "HTTP", "KAFKA", "described", "envelope_of", "headers_of", "shown"]

AMQP: Final = "cloudEvents_"
HTTP: Final = "ce-"
KAFKA: Final = "ce_"
ERROR: Final = "wireglot-error"
"""The header of a message that was put aside; it says why."""

_PREFIX: Final = re.compile("cloudevents[_:]|ce[-_]")
_CONTENT_TYPE: Final = "content-type"
_CONTENT_ENCODING: Final = "content-encoding"
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_UNSAFE: Final = re.compile('[^!-~]|["%]')  # in the value of an HTTP header
_PRINTED: Final = re.compile("[ -~]+")
_NOT_PRINTED: Final = re.compile("[^ -~]+")
# W3C Trace Context headers of tracing libraries, for events without these attributes.
_TRACE: Final = ("traceparent", "tracestate")


def headers_of(envelope: Envelope, prefix: str) -> dict[str, str]:
    """Return the attributes as headers, including content type and encoding."""
    attributes = {**envelope.attributes}
    content_type = attributes.pop("datacontenttype", None)
    if prefix == HTTP:
        attributes = {k: _UNSAFE.sub(_percent, value) for k, value in attributes.items()}
    headers = {prefix + name: value for name, value in attributes.items()}
    if content_type is not None:
        headers[_CONTENT_TYPE] = content_type
    if envelope.encoding is not None:
        headers[_CONTENT_ENCODING] = envelope.encoding
    return headers


def envelope_of(
    headers: Mapping[Any, Any] | Iterable[tuple[Any, Any]],
    body: bytes | memoryview,
    content_type: str | None = None,
    encoding: str | None = None,
    *,
    percent: bool = True,
) -> Envelope:
    """Return the envelope of a broker's message. Headers may be text or UTF-8 bytes.

    `content_type` and `encoding` are the broker's own properties, if it has them. With `percent`,
    values under `ce-` are percent-encoded: RabbitMQ's binding has that prefix and does not do so.

    Raises `PoisonError` if it is not a CloudEvent. The body is checked when it is opened.
    """
    pairs = [*(headers.items() if isinstance(headers, Mapping) else headers)]
    attributes: dict[str, str] = {}
    others: dict[str, Any] = {}
    try:
        for key, value in pairs:
            name = _text(key).lower()
            prefix = _PREFIX.match(name)
            if prefix is None:
                others[name] = value
            elif value is not None:
                text = _text(value)
                if percent and prefix[0] == HTTP:
                    text = unquote(text, errors="strict")
                attribute = name[prefix.end() :]
                if attribute == "time" and isinstance(value, int):  # AMQP's own timestamp
                    text = (_EPOCH + timedelta(milliseconds=value)).isoformat()
                attributes[attribute] = text
        for name in _TRACE:
            value = others.get(name)
            if isinstance(value, str | bytes) and _PRINTED.fullmatch(text := shown(value)):
                attributes.setdefault(name, text)
        content_type = content_type or others.get(_CONTENT_TYPE)
        if content_type is not None:
            attributes["datacontenttype"] = _text(content_type)
        encoding = encoding or others.get(_CONTENT_ENCODING)
        return Envelope(attributes, body, _text(encoding) if encoding else None)
    except (ValueError, TypeError, OverflowError) as error:
        reason = error.reason if isinstance(error, EncodeError) else f"bad header: {error}"
        came = {shown(key): shown(value) for key, value in pairs}
        raise PoisonError(reason, body=bytes(body), headers=came, wire=WIRE) from error


def described(error: WireglotError) -> str:
    """Return an error as the value of a header: one short line of ASCII."""
    text = str(error).encode("ascii", "backslashreplace").decode()
    return _NOT_PRINTED.sub(" ", text)[:1000]  # a line break would begin another header


def shown(value: Any) -> str:
    """Return a header's name or value as text, whatever its type."""
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value)


def _text(value: Any) -> str:
    """Return the canonical text of an attribute, whatever type the broker gives it."""
    if isinstance(value, str):
        return value
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, datetime):
        return value.isoformat()
    raise TypeError(f"`{type(value).__name__}`, expected text")


def _percent(character: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in character[0].encode())
