"""The types of the public functions of a provider: methods of its codecs."""

from __future__ import annotations

from typing import Any, Protocol

from ..capabilities import Capabilities
from ..losses import Losses
from ..model import IdSource, Request, Response, ToolNames

__all__ = ["DecodeRequest", "DecodeResponse", "EncodeRequest", "EncodeResponse"]


class EncodeRequest(Protocol):
    """The type of `encode_request`; see `RequestCodec`."""

    def __call__(
        self,
        request: Request,
        *,
        losses: Losses = None,
        dialect: str | None = None,
        repair: bool = False,
        capabilities: Capabilities | None = None,
        names: ToolNames | None = None,
    ) -> bytes:
        """Encode a request."""
        ...


class DecodeRequest(Protocol):
    """The type of `decode_request`; see `RequestCodec`."""

    def __call__(
        self,
        data: Any,
        path: str | None = None,
        *,
        dialect: str | None = None,
        losses: Losses = None,
        target: str = "",
    ) -> Request:
        """Decode a request."""
        ...


class EncodeResponse(Protocol):
    """The type of `encode_response`; see `ResponseCodec`."""

    def __call__(
        self,
        response: Response,
        *,
        losses: Losses = None,
        dialect: str | None = None,
        ids: IdSource | None = None,
    ) -> bytes:
        """Encode an answer."""
        ...


class DecodeResponse(Protocol):
    """The type of `decode_response`; see `ResponseCodec`."""

    def __call__(
        self,
        data: Any,
        *,
        dialect: str | None = None,
        losses: Losses = None,
        ids: IdSource | None = None,
        names: ToolNames | None = None,
    ) -> Response:
        """Decode an answer."""
        ...
