"""The place of a message in an agent session: its turn, its node in the tree, notes on it."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any, Final, Literal

from msgspec import Struct

from .base import Adapted

__all__ = [
    "NOWHERE",
    "PLACE",
    "HintFollowUp",
    "HintIdentityBlock",
    "HintLoopTurn",
    "HintMemoryTier",
    "HintSteering",
    "HintSystemPrompt",
    "HintUnknown",
    "ProvenanceHint",
    "Tag",
    "TurnId",
    "place_of",
]


# Frozen, so that it can be a key; a frozen type cannot derive from `Node`.
class TurnId(Struct, Adapted, frozen=True, rename="camel", forbid_unknown_fields=True, gc=False):
    """Which turn of which loop a message belongs to."""

    loop_id: str
    turn_index: int


class Tag(Struct, Adapted, forbid_unknown_fields=True, gc=False):
    """A note that the loop keeps on a message, here with phi-core's snake_case keys."""

    kind: Literal["lesson", "finding", "outcome", "checkpoint"]
    text: str
    created_at_turn: int
    abandoned_node_ids: list[int]


class _Hint(Struct, Adapted, tag_field="kind", forbid_unknown_fields=True):
    """Base of the provenance hints: where in a request a message came from (phi-core)."""


class HintSystemPrompt(_Hint, tag="system-prompt"):
    """From the system prompt."""


class HintIdentityBlock(_Hint, tag="identity-block"):
    """From an identity block."""

    name: str
    order: int


class HintMemoryTier(_Hint, tag="memory-tier"):
    """From a memory record."""

    tier: str
    record_id: str


class HintLoopTurn(_Hint, tag="loop-turn"):
    """From a turn of the loop."""

    turn_index: int
    role: Literal["user-message", "assistant-response", "tool-call-request", "tool-call-result"]
    message_index: int


class HintSteering(_Hint, tag="steering"):
    """From a steering message."""


class HintFollowUp(_Hint, tag="follow-up"):
    """From a follow-up."""


class HintUnknown(_Hint, tag="unknown"):
    """From an unknown place."""


ProvenanceHint = (
    HintSystemPrompt
    | HintIdentityBlock
    | HintMemoryTier
    | HintLoopTurn
    | HintSteering
    | HintFollowUp
    | HintUnknown
)

PLACE: Final = ("turn_id", "node_id", "parent_id", "tags", "provenance_hint")
"""The fields of a message that are its place in a session. They are never sent to an LLM."""
NOWHERE: Final = (None,) * len(PLACE)
"""The place of a message that has none."""
place_of: Final[Callable[[Any], tuple[Any, ...]]] = attrgetter(*PLACE)
