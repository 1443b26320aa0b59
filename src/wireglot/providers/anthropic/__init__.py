"""Anthropic Messages, API version 2023-06-01."""

from __future__ import annotations

from .request import encode_request
from .wire import API

__all__ = ["API", "encode_request"]
