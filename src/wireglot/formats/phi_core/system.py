"""phi-core as a whole: its names, and its words for providers."""

from __future__ import annotations

from typing import Final

WIRE: Final = "phi_core"
"""The name of the system's folder, for errors."""
API: Final = "phi-core"
"""The system's key in `extras`."""
SYSTEM: Final = "phi-core"
"""The system's name, for people."""

CACHE_APART: Final = ("anthropic", "bedrock")
"""Parts of the names of providers whose `input` does not include the cached tokens."""
