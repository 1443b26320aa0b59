"""OpenAI Responses, and the dialects of it that other services speak."""

from __future__ import annotations

from .request import DIALECTS, Transcript, decode_request, encode_request, route
from .wire import API

__all__ = ["API", "DIALECTS", "Transcript", "decode_request", "encode_request", "route"]
