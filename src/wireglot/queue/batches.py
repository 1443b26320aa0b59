"""Many envelopes <-> one, for brokers that handle few large messages better than many small ones.

The body is a MessagePack array of what `Envelope.to_bytes` writes. Each envelope keeps its own
attributes, and is opened by itself: a poisonous one does not affect the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from ..errors import EncodeError, LimitError
from ..limits import DEFAULT_LIMITS, Limits
from ..model.counting import INCREASE_VALUES, check_msgpack
from .codec import opened, sealed
from .envelope import VERSION, WIRE, ContentType, Envelope

__all__ = ["decode_batch", "encode_batch"]

_BATCH: Final = "batch"
_encode = msgspec.msgpack.Encoder(order="deterministic").encode  # as `Envelope.to_bytes`
_decode = msgspec.msgpack.Decoder(list[msgspec.Raw]).decode


def encode_batch(
    envelopes: Iterable[Envelope],
    *,
    id: str | None = None,
    source: str = "wireglot",
    type: str | None = None,
    conversation: str | None = None,
    zstd_over: int | None = None,
    **attributes: str,
) -> Envelope:
    """Put many envelopes in one, unchanged, in a MessagePack array.

    `id` and the rest are those of `encode`; `type` defaults to `wireglot.batch`.

    Raises `EncodeError` if an attribute is invalid, and beyond the default `Limits` of readers.
    """
    if conversation is not None:
        attributes["partitionkey"] = conversation
    parts = [envelope.packed() for envelope in envelopes]
    if len(parts) > DEFAULT_LIMITS.messages:
        most = DEFAULT_LIMITS.messages
        reason = f"{len(parts):,} envelopes, expected at most {most:,}, the readers' default"
        raise EncodeError(reason, wire=WIRE)
    body = _encode(parts)
    return sealed(
        body,
        ContentType("msgpack", _BATCH, VERSION),
        {"id": id, "source": source, "type": type, **attributes},
        zstd_over,
    )


def decode_batch(envelope: Envelope, *, limits: Limits | None = None) -> Iterator[Envelope]:
    """Yield the envelopes of a batch, unopened, each with a slice of the batch's body.

    Raises `PoisonError`, `VersionError`: at once if the batch cannot be read; from `next` for one
    of its envelopes, after which iteration can continue.
    """
    content = envelope.content_type
    if content.kind != _BATCH or content.format != "msgpack":
        held = f"{content.kind}` as `{content.format}"
        raise envelope.poison(f"content of kind `{held}`, expected `{_BATCH}` as `msgpack`")
    body = opened(envelope, limits)
    most = (limits or DEFAULT_LIMITS).messages
    try:
        check_msgpack(body, (limits or DEFAULT_LIMITS).values, WIRE, step=INCREASE_VALUES)
        parts = _decode(body)
    except LimitError as error:
        raise envelope.poison(error.reason) from error
    except (ValueError, RecursionError) as error:
        raise envelope.poison(f"not a batch: {error}") from error
    if len(parts) > most:
        raise envelope.poison(
            f"{len(parts):,} envelopes, expected at most {most:,}; increase `Limits.messages`"
        )
    return map(_envelope, parts)


def _envelope(part: msgspec.Raw) -> Envelope:
    return Envelope.from_bytes(memoryview(part))
