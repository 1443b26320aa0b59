"""Operator-Use as a whole: its names, and its words for providers."""

from __future__ import annotations

from typing import Final

WIRE: Final = "operator_use"
"""The name of the system's folder, for errors."""
API: Final = "operator-use"
"""The system's key in `extras`."""
SYSTEM: Final = "Operator-Use"
"""The system's name, for people."""

ALONE: Final = "operator_use alone"
"""The key, in a provider's facts, of the names that only Operator-Use has for it.

Among them are those with an OAuth login (`program/inference/provider/oauth`).
"""
THINKING_SIGNER: Final = "anthropic"
"""The only provider to which signatures of thinking are sent back."""
CALL_SIGNER: Final = "google"
"""The only provider to which signatures of calls are sent back."""
