"""OpenTelemetry's conventions as a whole: their names."""

from __future__ import annotations

from typing import Final

WIRE: Final = "otel"
"""The name of the system's folder, for errors."""
API: Final = "otel"
"""The system's key in `extras`."""
SYSTEM: Final = "OpenTelemetry"
"""The system's name, for people."""
