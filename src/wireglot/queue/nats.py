"""Envelopes <-> messages of NATS JetStream, by nats-py.

The CloudEvents binding for NATS has no headers yet (v1.0.2), so the headers are those of HTTP, on
which NATS headers are modelled. The server recognises duplicates by `Nats-Msg-Id`, within the
stream's window. Publish a poisonous message under a subject of its own::

    try:
        session = queue.decode(queue.nats.envelope(message))
    except wg.queue.PoisonError as error:
        await queue.nats.bury(stream, message, "turns.dead", error)
"""

from __future__ import annotations

import re
from typing import Any, Final

from .._runtime.extras import needs
from ..errors import WireglotError
from .envelope import Envelope
from .headers import ERROR, HTTP, described, envelope_of, headers_of
from .sizes import NATS_HEADERS, NATS_LIMIT, check_headers, check_size, size_of

with needs("wireglot.queue.nats", "nats-py"):
    from nats.aio.msg import Msg
    from nats.js import JetStreamContext
    from nats.js.api import PubAck

__all__ = ["bury", "envelope", "headers", "publish"]

_ID: Final = "Nats-Msg-Id"
_FRAME: Final = len("NATS/1.0\r\n\r\n")
_LINE: Final = len(": \r\n")
_NO_NAME: Final = re.compile(r"[^!#$%&'*+\-.^_`|~0-9A-Za-z]")  # not allowed in a header's name


def headers(envelope: Envelope) -> dict[str, str]:
    """Return the headers of a message, whose payload is the body of the envelope."""
    lines = headers_of(envelope, HTTP)
    return {**lines, _ID: f"{lines['ce-source']} {lines['ce-id']}"}


def envelope(message: Msg) -> Envelope:
    """Return the envelope of a message. Raises `PoisonError` if it is not a CloudEvent."""
    return envelope_of(message.headers or {}, message.data)


async def publish(
    stream: JetStreamContext,
    subject: str,
    envelope: Envelope,
    /,  # `stream` is also an option of JetStream
    *,
    limit: int = NATS_LIMIT,
    **options: Any,
) -> PubAck:
    """Publish an envelope, and return the server's receipt, which says if it is a duplicate.

    `limit` is the server's `max_payload` in bytes, which the client knows; `options` are those of
    `JetStreamContext.publish`, including your own headers.

    Raises `TooLargeError` before anything is sent if the message is larger than `limit`, or its
    headers are larger than the 65,535 bytes that a stream accepts.
    """
    lines = {**(options.pop("headers", None) or {}), **headers(envelope)}
    body = bytes(envelope.body)
    head = size_of(lines, b"", _LINE) + _FRAME
    check_size("nats", head + len(body), limit)
    check_headers("nats", head, NATS_HEADERS)
    return await stream.publish(subject, body, headers=lines, **options)


async def bury(
    stream: JetStreamContext,
    message: Msg,
    subject: str,
    error: WireglotError,
    *,
    limit: int = NATS_LIMIT,
) -> None:
    """Publish a message unchanged, with the error, under `subject`, and stop its redelivery.

    The error is cut to fit into `limit` bytes, and into the header size that a stream accepts; it
    replaces one of before. Headers that the server obeys, such as `Nats-Rollup`, get the prefix
    `came-` there, and a `_` at the end of a name that is taken. The stream of `subject` has the
    message before the other stream drops it: an interruption in between may duplicate it.
    """
    lines = _kept(message.headers or {})
    head = size_of({**lines, ERROR: ""}, b"", _LINE) + _FRAME
    # Beyond the first the server closes the connection, beyond the second it refuses the message.
    room = min(limit - head - len(message.data), NATS_HEADERS - head)
    if room > 0:
        lines[ERROR] = described(error)[:room]
    await stream.publish(subject, message.data, headers=lines or None)
    if message.reply.startswith("$JS.ACK."):  # otherwise it came without JetStream
        await message.term()


def _kept(headers: dict[str, str]) -> dict[str, str]:
    """Return headers that the server takes and does not obey, none in the place of another."""
    safe_headers: dict[str, str] = {}
    for key, value in headers.items():
        if key.lower() == ERROR:
            continue
        name = _NO_NAME.sub("_", key)
        if name[:5].lower() == "nats-":
            name = f"came-{name[5:]}"  # not longer than before
        while name != key and (name in safe_headers or name in headers):
            name += "_"
        # The client has three bytes for each one that is not UTF-8, perhaps too many for a stream.
        safe_headers[name] = value.replace("\ufffd", "?")
    return safe_headers
