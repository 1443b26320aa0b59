"""OpenAI Chat Completions, and the dialects of it that other services speak."""

from __future__ import annotations

from .errors import decode_error, encode_error
from .request import DIALECTS, Transcript, decode_request, encode_request, route
from .response import decode_response
from .response_writing import encode_response
from .stream import StreamDecoder
from .stream_writing import StreamEncoder
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
