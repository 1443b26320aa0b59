"""PyAgenity and 10xScale Agentflow as a whole: their names, and their words for providers."""

from __future__ import annotations

from typing import Final

WIRE: Final = "pyagenity"
"""The name of the system's folder, for errors."""
API: Final = "pyagenity"
"""The system's key in `extras`."""
SYSTEM: Final = "PyAgenity"
"""The system's name, for people."""

CACHE_APART: Final = ("anthropic",)
"""Parts of the names of providers whose converter leaves cached tokens out of `prompt_tokens`."""
CALL_SIGNERS: Final = ("google", "gemini")
"""Parts of the names of providers whose calls may have a `thought_signature`."""
