"""Ravi as a whole: its names, and those of its versions."""

from __future__ import annotations

from typing import Final

WIRE: Final = "ravi"
"""The name of the system's folder, for errors."""
API: Final = "ravi"
"""The system's key in `extras`."""
SYSTEM: Final = "Ravi"
"""The system's name, for people."""

V2: Final = "v2"
"""The version of the reference."""
V3: Final = "v3"
"""The version after it, a dialect in `extras`."""
