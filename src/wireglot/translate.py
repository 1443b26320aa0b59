"""Bytes of one provider's wire -> bytes of another's, by way of the canonical model."""

from __future__ import annotations

from .errors import EncodeError
from .losses import Losses
from .providers import PROVIDERS, Provider

__all__ = ["translate_request"]


def translate_request(
    data: bytes | bytearray | memoryview | str,
    source: str,
    target: str,
    losses: Losses = None,
    *,
    path: str | None = None,
    model: str | None = None,
    source_dialect: str | None = None,
    target_dialect: str | None = None,
    repair: bool = False,
) -> bytes:
    """Translate a request's body from `source` to `target`, both names of `PROVIDERS`.

    `path` is the URL's path, where the source keeps the model there; `model` is the target's name
    of the model, where it is another. `repair` closes calls without a result and results without a
    call. Translated to its own wire, a body keeps its unknown keys and its way of saying things.

    Raises `DecodeError` if the body is no such request, `EncodeError` if the target refuses it,
    `LossError` if the target cannot carry something and `losses` is None.
    """
    reader, writer = _provider(source), _provider(target)
    request = reader.decode_request(
        data, path, dialect=_dialect(reader, source_dialect), losses=losses
    )
    if model is not None:
        request.model = model
    return writer.encode_request(
        request, losses, dialect=_dialect(writer, target_dialect), repair=repair
    )


def _provider(name: str) -> Provider:
    try:
        return PROVIDERS[name]
    except KeyError as error:
        known = ", ".join(f"`{known}`" for known in PROVIDERS)
        reason = f"unknown provider `{name}`, expected one of {known}"
        raise EncodeError(reason, wire="translate") from error


def _dialect(provider: Provider, asked: str | None) -> str:
    return provider.DIALECTS[0] if asked is None else asked
