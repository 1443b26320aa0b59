"""LangChain as a whole: its names, and its words for providers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

WIRE: Final = "langchain"
"""The name of the system's folder, for errors."""
API: Final = "langchain"
"""The system's key in `extras`."""
SYSTEM: Final = "LangChain"
"""The system's name, for people."""

OWN_THINKING: Final = "anthropic"
"""The `model_provider` whose thinking has the type `thinking`; that of others is `reasoning`."""
STOPS: Final[Mapping[str | None, str]] = {
    OWN_THINKING: "stop_reason",
    "bedrock_converse": "stopReason",
    "ollama": "done_reason",
}
"""`model_provider` -> the key of its stop reason; for all others it is `finish_reason`."""
