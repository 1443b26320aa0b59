"""What clients want of an answer, beyond its types: a table that runs.

Each row is a function over the plain JSON of an answer, or over the events of a stream, with the
client that breaks without it, and where that was reported. What every client of a wire wants stands
in `check_response` and `check_stream` of `tests.oracles`. Nothing here imports wireglot.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from tests.wants.row import Kind, Want

__all__ = ["ROWS", "WIRES", "Want", "broken"]

WIRES = (
    "anthropic",
    "openai_chat",
    "openai_responses",
    "gemini",
    "bedrock",
    "mistral",
    "cohere",
    "ollama",
)
_MODULES = [import_module(f"{__name__}.{wire}") for wire in WIRES]
ROWS = [row for module in _MODULES for row in vars(module).values() if isinstance(row, Want)]


def broken(wire: str, kind: Kind, value: Any) -> list[tuple[Want, str]]:
    """Return the rows that an answer, or a list of events, breaks, and the paths."""
    return [
        (row, path)
        for row in ROWS
        if row.wire == wire and row.kind == kind
        for path in row.find(value)
    ]
