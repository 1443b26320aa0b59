"""Operator-Use as a whole: its names, and what it has of providers."""

from __future__ import annotations

from typing import Final

WIRE: Final = "operator_use"
"""The name of the system's folder, for errors."""
API: Final = "operator-use"
"""The system's key in `extras`."""
SYSTEM: Final = "Operator-Use"
"""The system's name, for people."""

ALONE: Final = "operator_use alone"
"""Under this, a provider's facts have the names that only Operator-Use has for it.

Among them are those with an OAuth login (`program/inference/provider/oauth`).
"""
THINKING_SIGNER: Final = "anthropic"
"""The provider whose signatures of thinking are sent back to it, those of no other."""
CALL_SIGNER: Final = "google"
"""The provider whose signatures of calls are sent back to it, those of no other."""
