"""Operator-Use as a whole: its names."""

from __future__ import annotations

from typing import Final

WIRE: Final = "operator_use"
"""The name of the system's folder, for errors."""
API: Final = "operator-use"
"""The system's key in `extras`."""
SYSTEM: Final = "Operator-Use"
"""The system's name, for people."""
