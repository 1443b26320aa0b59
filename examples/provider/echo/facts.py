"""What is known of the echo server beside its JSON."""

from __future__ import annotations

from typing import Final

from wireglot.providers import Endpoint, Facts

API: Final = "echo-v1"
"""The stable id of this wire."""

FACTS: Final = Facts(
    api=API,
    endpoint=Endpoint(
        paths=("/v1/echo",), end="echo", models=("/v1/models",), own_paths=("/v1/echo",)
    ),
    framing="ndjson",
    models=("echo-",),
    own_keys=frozenset({"mood"}),
    stop_reasons=frozenset({"calls", "done", "full"}),
)
