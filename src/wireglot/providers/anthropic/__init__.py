"""Anthropic Messages, API version 2023-06-01."""

from __future__ import annotations

from .._codec import DecodeRequest, DecodeResponse, EncodeRequest, EncodeResponse
from .errors import decode_error, encode_error
from .request import REQUESTS, Transcript, route
from .response import RESPONSES
from .stream import StreamDecoder, StreamEncoder
from .wire import API, DIALECTS

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

encode_request: EncodeRequest = REQUESTS.encode_request
decode_request: DecodeRequest = REQUESTS.decode_request
encode_response: EncodeResponse = RESPONSES.encode_response
decode_response: DecodeResponse = RESPONSES.decode_response
