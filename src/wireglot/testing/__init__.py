"""Nothing in, Hypothesis strategies out: values of the whole model, for tests of what uses it.

Every name here is a function that returns a strategy. What they make is valid, odd as it may look:
it can be written as JSON and as MessagePack, and comes back equal. Texts hold any character of
Unicode. Each example shrinks to the smallest value that still fails: a session to one message, a
message to no content, a field to unset.

Hypothesis comes with the extra: `pip install 'wireglot[testing]'`.
"""

from __future__ import annotations

try:
    import hypothesis as _hypothesis  # noqa: F401 -- the modules below need it
except ModuleNotFoundError as _error:
    if _error.name != "hypothesis":
        raise
    raise ImportError(
        "wireglot.testing needs hypothesis: pip install 'wireglot[testing]'", name="hypothesis"
    ) from _error

from .blocks import blocks, media_blocks
from .events import stream_events, streams
from .exchanges import requests, responses
from .messages import (
    agent_messages,
    extension_messages,
    llm_messages,
    messages,
    session_only_messages,
    sessions,
    usages,
)
from .values import arguments, extras, json_objects, json_values, media, texts

__all__ = [
    "agent_messages",
    "arguments",
    "blocks",
    "extension_messages",
    "extras",
    "json_objects",
    "json_values",
    "llm_messages",
    "media",
    "media_blocks",
    "messages",
    "requests",
    "responses",
    "session_only_messages",
    "sessions",
    "stream_events",
    "streams",
    "texts",
    "usages",
]
