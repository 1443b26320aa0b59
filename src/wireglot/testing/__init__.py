"""Hypothesis strategies for values of the whole model, to test code that uses them.

Every name here is a function that returns a strategy. The values are valid, however odd they look:
JSON and MessagePack can carry them, and they come back equal. Texts hold any character of Unicode.
Each example shrinks to the smallest value that still fails: a session to one message, a message to
no content, a field to unset.

Hypothesis comes with the extra: `pip install 'wireglot[testing]'`.
"""

from __future__ import annotations

from .._runtime.extras import needs

with needs("wireglot.testing", "'wireglot[testing]'"):
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
