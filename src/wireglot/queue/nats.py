"""Envelopes <-> messages of NATS JetStream, by nats-py.

The binding of CloudEvents for NATS knows no headers yet (v1.0.2), so that these are HTTP's, which
NATS headers are modelled on. The server tells duplicates by `Nats-Msg-Id`, within the stream's
window. A poisonous message goes to a subject for that::

    try:
        session = queue.decode(queue.nats.envelope(message))
    except wg.PoisonError as error:
        await queue.nats.bury(stream, message, "turns.dead", error)
"""

from __future__ import annotations

import re
from typing import Any, Final

from nats.aio.msg import Msg
from nats.js import JetStreamContext
from nats.js.api import PubAck

from ..errors import WireglotError
from .envelope import Envelope
from .headers import ERROR, HTTP, described, envelope_of, headers_of
from .sizes import NATS_HEADERS, NATS_LIMIT, check_headers, check_size, size_of

__all__ = ["bury", "envelope", "headers", "publish"]

_ID: Final = "Nats-Msg-Id"
_FRAME: Final = len("NATS/1.0\r\n\r\n")
_LINE: Final = len(": \r\n")
_NO_NAME: Final = re.compile(r"[^!#$%&'*+\-.^_`|~0-9A-Za-z]")  # in the name of a header


def headers(envelope: Envelope) -> dict[str, str]:
    """Return the headers of a message; its payload is the body of the envelope."""
    lines = headers_of(envelope, HTTP)
    return {**lines, _ID: f"{lines['ce-source']} {lines['ce-id']}"}


def envelope(message: Msg) -> Envelope:
    """Return the envelope of a message. Raises `PoisonError` if it is no CloudEvent."""
    return envelope_of(message.headers or {}, message.data)


async def publish(
    stream: JetStreamContext,
    subject: str,
    envelope: Envelope,
    /,  # `stream` is an option too
    *,
    limit: int = NATS_LIMIT,
    **options: Any,
) -> PubAck:
    """Publish an envelope, and return the server's receipt, which tells a duplicate.

    `limit` is the server's `max_payload` in bytes, which the client knows; `options` are those of
    `JetStreamContext.publish`, headers of your own among them.

    Raises `TooLargeError` before anything is sent if the message is beyond it, or its headers
    are beyond the 65,535 bytes that a stream takes.
    """
    lines = {**options.pop("headers", {}), **headers(envelope)}
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
    """Put a message aside under `subject`, as it came, with the error; then it comes no more.

    Of the error there is as much as fits into `limit` bytes, and into what a stream takes of
    headers. Those that the server obeys, such as `Nats-Rollup`, begin with `came-` there. The
    stream of `subject` has the message before the other one lets go: cut off between, it comes
    twice.
    """
    came = (message.headers or {}).items()
    # For a byte that is no UTF-8 the client has three, which may be more than a stream takes.
    lines = {_kept(key): value.replace("\ufffd", "?") for key, value in came}
    lines.pop(ERROR, None)
    head = size_of({**lines, ERROR: ""}, b"", _LINE) + _FRAME
    # Beyond the one the server closes the connection, beyond the other it refuses the message.
    room = min(limit - head - len(message.data), NATS_HEADERS - head)
    if room > 0:
        lines[ERROR] = described(error)[:room]
    await stream.publish(subject, message.data, headers=lines or None)
    if message.reply.startswith("$JS.ACK."):  # or it came without JetStream, and comes no more
        await message.term()


def _kept(name: str) -> str:
    name = _NO_NAME.sub("_", name)
    return f"came-{name[5:]}" if name[:5].lower() == "nats-" else name  # no longer than it was
