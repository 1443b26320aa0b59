"""The wire of the made-up echo server, version 1: the smallest complete provider."""

from __future__ import annotations

from .errors import decode_error, encode_error
from .request import DIALECTS, Transcript, decode_request, encode_request, route
from .response import decode_response, encode_response
from .stream import StreamDecoder, StreamEncoder
from .wire import API

__all__ = [
    "API",
    "DIALECTS",
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
