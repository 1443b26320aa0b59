"""The public functions of a provider, made from the codecs of its requests and its answers."""

from __future__ import annotations

from typing import Protocol

from ..losses import Losses
from ..model import IdSource, Request, Response
from ._requests import RequestCodec
from ._responses import ResponseCodec

__all__ = ["Codec", "DecodeRequest", "DecodeResponse", "EncodeRequest", "EncodeResponse"]


class EncodeRequest(Protocol):
    """The type of `encode_request`; see `Codec`."""

    def __call__(
        self,
        request: Request,
        losses: Losses = None,
        *,
        dialect: str | None = None,
        repair: bool = False,
    ) -> bytes:
        """Encode a request."""
        ...


class DecodeRequest(Protocol):
    """The type of `decode_request`; see `Codec`."""

    def __call__(
        self,
        data: bytes | bytearray | memoryview | str,
        path: str | None = None,
        *,
        dialect: str | None = None,
        losses: Losses = None,
        target: str = "",
    ) -> Request:
        """Decode a request."""
        ...


class EncodeResponse(Protocol):
    """The type of `encode_response`; see `Codec`."""

    def __call__(
        self,
        response: Response,
        losses: Losses = None,
        *,
        dialect: str | None = None,
        ids: IdSource | None = None,
    ) -> bytes:
        """Encode an answer."""
        ...


class DecodeResponse(Protocol):
    """The type of `decode_response`; see `Codec`."""

    def __call__(
        self,
        data: bytes | bytearray | memoryview | str,
        *,
        dialect: str | None = None,
        losses: Losses = None,
        ids: IdSource | None = None,
    ) -> Response:
        """Decode an answer."""
        ...


class Codec:
    """What every provider does: a provider's module has these methods as its functions.

    What a wire needs and leaves out, its own page and the modules of its folder say.
    """

    def __init__(self, request: RequestCodec, response: ResponseCodec) -> None:
        self._request = request
        self._response = response

    def encode_request(
        self,
        request: Request,
        losses: Losses = None,
        *,
        dialect: str | None = None,
        repair: bool = False,
    ) -> bytes:
        """Encode `request` as the body of a call of the API; `dialect` is one of `DIALECTS`.

        Tool arguments and inline media are spliced in unparsed. `repair` gives a call without a
        result an error result that says so, and makes a result without its call a user's text.

        Raises `EncodeError` if there is no model or no message, if a call has no result or a result
        no call, or if the request contradicts itself; `LossError` if something has no place on this
        wire and `losses` is None.
        """
        return self._request.encode(request, losses, dialect, repair=repair)

    def decode_request(
        self,
        data: bytes | bytearray | memoryview | str,
        path: str | None = None,
        *,
        dialect: str | None = None,
        losses: Losses = None,
        target: str = "",
    ) -> Request:
        """Decode the body of a call of the API.

        `path` is that of the URL, which on some wires names the model, or asks for a stream.
        `target` is the API that the request goes to, if it is known to go only there: then what
        only this API's encoder needs is not looked for.

        Raises `DecodeError`. With `losses`, a lone surrogate becomes U+FFFD and a loss.
        """
        return self._request.decode(data, path, dialect, losses, target=target)

    def encode_response(
        self,
        response: Response,
        losses: Losses = None,
        *,
        dialect: str | None = None,
        ids: IdSource | None = None,
    ) -> bytes:
        """Encode `response` as the API would have sent it.

        `ids` is asked for the ids that the wire needs and the answer does not have; without it they
        are a hash of the answer.

        Raises `LossError` if a part of it has no place on this wire and `losses` is None.
        """
        return self._response.encode(response, losses, dialect, ids)

    def decode_response(
        self,
        data: bytes | bytearray | memoryview | str,
        *,
        dialect: str | None = None,
        losses: Losses = None,
        ids: IdSource | None = None,
    ) -> Response:
        """Decode an answer of the API; calls without ids get some from `ids`, or from a hash.

        A lone surrogate is an error; with `losses` it becomes U+FFFD and a loss.

        Raises `DecodeError`, or `ProviderError` where the API answers 200 with an error.
        """
        return self._response.decode(data, dialect, losses, ids)
