"""What the APIs refuse though their types allow it: a table that runs.

Each row is a small function over the plain JSON of a request, with the error of the API, the hosts
and models that give it, and the source. The rows know nothing of wireglot, and wireglot knows
nothing of them: they are two statements of one fact, and `tests.judged` compares them. A file for
each wire. What a wire refuses at every host and for every model stands in `tests.oracles`.
"""

from __future__ import annotations

from importlib import import_module

from tests.refusals.row import ROWS, Json, Refusal

__all__ = ["ROWS", "WIRES", "Refusal", "refused"]

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
for _module in (*WIRES, "openai_models"):
    import_module(f"tests.refusals.{_module}")  # pytest has another `__name__`


def refused(wire: str, host: str, model: str, body: Json) -> list[tuple[Refusal, str]]:
    """Return the rows that refuse a body, and the path of each place."""
    return [
        (row, path) for row in ROWS if row.concerns(wire, host, model) for path in row.find(body)
    ]
