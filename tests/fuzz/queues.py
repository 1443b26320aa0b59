"""Inputs of queues, whole envelopes and values of tasks -> nothing, or the law that was broken."""

from __future__ import annotations

from typing import Any

import wireglot as wg
from tests.fuzz.laws import check, choices, decoded, encoded, is_deep
from wireglot import queue
from wireglot.queue.headers import AMQP, HTTP, KAFKA, envelope_of, headers_of

__all__ = ["QUEUES"]

_PREFIXES = (AMQP, HTTP, KAFKA)
_LIMITS = wg.Limits(bytes=1_000_000)


def _envelope(data: bytes) -> None:
    first, _, body = choices(data)
    envelope = decoded(lambda: queue.Envelope.from_bytes(body), "queue")
    if envelope is None:
        return
    check(queue.Envelope.from_bytes(envelope.to_bytes()) == envelope, "an envelope comes back")
    headers = headers_of(envelope, _PREFIXES[first % 3])
    check(envelope_of(headers, envelope.body) == envelope, "headers give back the envelope")
    # The checksum would refuse every mutated body, so it is removed.
    unchecked = {name: text for name, text in envelope.attributes.items() if name != "crc32"}
    _open(queue.Envelope(unchecked, envelope.body, envelope.encoding))


def _open(envelope: queue.Envelope) -> None:
    content = decoded(lambda: envelope.content_type, "queue")
    if content is None:
        return
    if content.kind == "batch":
        parts = decoded(lambda: queue.decode_batch(envelope, limits=_LIMITS), "queue")
        while parts is not None:
            try:
                next(parts)
            except StopIteration:
                return
            except wg.queue.PoisonError:
                continue
    kind = queue.KINDS.get(content.kind, list[wg.AgentMessage])
    value = decoded(lambda: queue.decode(envelope, kind, limits=_LIMITS), "queue")
    if value is None or is_deep(bytes(envelope.body)):
        return
    if content.kind in ("messages", "events"):
        each = [*queue.decode_each(envelope, limits=_LIMITS)]
        check(each == value or repr(each) == repr(value), "one by one they are the same")
    made = encoded(lambda: queue.encode(value, id="1"))
    if made is not None:
        again = queue.decode(made, kind)
        check(again == value or repr(again) == repr(value), "what was read can be sent on")


def _values(data: bytes) -> None:
    _, _, body = choices(data)
    value: Any = decoded(lambda: queue.decode_values(body), "queue")
    made = None if value is None else encoded(lambda: queue.encode_values(value))
    if made is None or is_deep(body):
        return
    again = queue.decode_values(made)
    check(again == value or repr(again) == repr(value), "values come back")
    check(queue.encode_values(again) == made, "and are written the same again")


QUEUES = {"envelope": _envelope, "values": _values}
