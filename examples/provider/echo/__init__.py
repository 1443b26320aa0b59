"""The wire of the made-up echo server, version 1: the smallest complete provider."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .errors import decode_error, encode_error
from .facts import API, FACTS
from .request import REQUESTS, Transcript, route
from .response import RESPONSES
from .stream import StreamDecoder, StreamEncoder
from .wire import DIALECTS

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

if TYPE_CHECKING:  # with their parameters, which an editor shows
    from wireglot.providers._interface import (
        decode_request,
        decode_response,
        encode_request,
        encode_response,
    )
else:
    encode_request, decode_request = REQUESTS.encode_request, REQUESTS.decode_request
    encode_response, decode_response = RESPONSES.encode_response, RESPONSES.decode_response
