"""Pydantic AI as a whole: its names, and its words for providers."""

from __future__ import annotations

from typing import Final

WIRE: Final = "pydantic_ai"
"""The name of the system's folder, for errors."""
API: Final = "pydantic-ai"
"""The system's key in `extras`."""
SYSTEM: Final = "Pydantic AI"
"""The system's name, for people."""

CALL_SIGNER: Final = "google"
"""The `provider_name` of the calls that have a signature: `thought_signature` in their details."""
