"""OpenAI Responses, and the dialects of it that other services speak."""

from __future__ import annotations

from .._codec import Codec, DecodeRequest, DecodeResponse, EncodeRequest, EncodeResponse
from .dialects import DIALECTS
from .errors import decode_error, encode_error
from .request import REQUESTS, Transcript, route
from .response import RESPONSES
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

_codec: Codec = Codec(REQUESTS, RESPONSES)
encode_request: EncodeRequest = _codec.encode_request
decode_request: DecodeRequest = _codec.decode_request
encode_response: EncodeResponse = _codec.encode_response
decode_response: DecodeResponse = _codec.decode_response
