"""What the wires cannot carry: API -> what -> why, the fallback taken included.

Each provider's rows stand in `losses.py` of its folder. The docs page of the same content is made
from them.
"""

from __future__ import annotations

from importlib import import_module
from typing import Final

__all__ = ["COMMON", "SEVERE", "losses_of"]

COMMON: Final = {
    "context": "what the model is shown beside the messages, as another API has it; left out",
    "extras": "keys that another API understands; left out",
    "opaque block": "a block of another API, or of a result without its call; left out",
    "opaque text": "a block of another API; its text is sent, without its source and settings",
    "only tools": "the only tools of a request, which only another API has; left out",
    "opaque event": "an event or a delta of a kind that only another API knows; left out",
    "opaque tool": "a tool that only another API has; left out",
    "revision": "a stream cannot take back what it has told; that stays",
    "stored state": "a reference to what its own API alone stores; left out",
    "tool choice lost": "a tool that is left out is not chosen; `auto`, or the others are taken",
    "tool choice unused": "a call cannot be forced where there are no tools; left out",
    "tool kind": "a tool of another kind, which goes as a function; so do its calls",
    "unfinished": (
        "an error ended the stream before this, or what it waited for, was complete; left out"
    ),
    "user_id": "there is no such parameter; left out",
}
"""Rows that every wire has, but those of fields that it never loses.

The tools, options and references are named before the reason. A row of a wire's own goes before.
"""


SEVERE: Final = {
    "context": "yes",
    "only tools": "yes",
    "stored state": "yes",
    "tools": "yes",
    "opaque block": "if only its own API can read it",
    "audio": "unless its transcript is sent",
    "media": "unless its transcript is sent",
    "video": "unless its transcript is sent",
    "data": "yes",
    "document": "yes",
    "document context": "yes",
    "file id": "yes",
    "host key": "if it is in the tools or the messages, at Gemini's hosts",
    "image": "yes",
    "image file": "yes",
    "image input": "yes",
    "image place": "yes",
    "media url": "yes",
    "system content": "if it is media, an error or a result",
    "tool result": "yes",
    "tool result content": "if it is media, an error or a result",
}
"""Rows of losses that are severe in a request, and when; no other row is."""


def losses_of(name: str) -> dict[str, str]:
    """Return the rows of a provider's wire, in alphabetical order."""
    wire = import_module(f".{name}.losses", __package__)
    carried = {field for fields in wire.CARRIED.values() for field in fields.split()}
    lost = {row for kind in wire.CARRIED for _, row, _ in wire.RULES.plans[kind].lost}
    common = {what: why for what, why in COMMON.items() if what in lost or what not in carried}
    return dict(sorted({**common, **wire.LOSSES}.items()))
