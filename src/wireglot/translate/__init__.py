"""A body of one wire -> the body of another: once, in a stream, or as a conversation grows."""

from __future__ import annotations

from .conversation import RequestTranslator
from .one import StreamTranslator, translate_request, translate_response

__all__ = ["RequestTranslator", "StreamTranslator", "translate_request", "translate_response"]
