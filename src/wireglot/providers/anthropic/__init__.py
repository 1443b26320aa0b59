"""Anthropic Messages, API version 2023-06-01."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..._runtime.lazy import lazily
from .._interface import PLACES

if TYPE_CHECKING:  # with their parameters, which an editor shows
    from .._interface import decode_request, decode_response, encode_request, encode_response
    from .dialects import DIALECTS
    from .errors import decode_error, encode_error
    from .facts import API, FACTS
    from .request import Transcript, route
    from .stream import StreamDecoder, StreamEncoder
else:
    __getattr__, __dir__ = lazily(__name__, PLACES | {"DIALECTS": ".dialects"})

__all__ = [
    "API",
    "DIALECTS",
    "FACTS",
    "StreamDecoder",
    "StreamEncoder",
    "Transcript",
    "decode_error",
    "decode_request",
    "decode_response",
    "encode_error",
    "encode_request",
    "encode_response",
    "route",
]
