"""MCP as a whole: its names."""

from __future__ import annotations

from typing import Final

WIRE: Final = "mcp"
"""The name of the system's folder, for errors."""
API: Final = "mcp"
"""The system's key in `extras`."""
SYSTEM: Final = "MCP"
"""The system's name, for people."""
