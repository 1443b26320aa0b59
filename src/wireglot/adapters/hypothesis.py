"""Types of the model for `hypothesis.strategies.from_type`, and so for `@given` and `builds`.

Hypothesis imports this module by itself, by an entry point, in every program that imports
Hypothesis. So it is small, and the strategies are made when one of them is asked for.
"""

from __future__ import annotations

from typing import Any, Final

from ..model import (
    AgentMessage,
    Arguments,
    Content,
    LlmMessage,
    Media,
    MediaBlock,
    Message,
    Request,
    Response,
    SessionOnly,
    StreamEvent,
    Usage,
)

__all__ = ["TYPES", "register"]

TYPES: Final[tuple[Any, ...]] = (
    AgentMessage,
    LlmMessage,
    *Message.__args__,
    *SessionOnly.__args__,
    *Content.__args__,
    MediaBlock,
    *StreamEvent.__args__,
    Request,
    Response,
    Usage,
    Arguments,
    Media,
)
"""The types that are registered; a union of them needs nothing more."""


def register() -> None:
    """Tell Hypothesis the types."""
    from hypothesis.strategies import register_type_strategy

    for kind in TYPES:
        register_type_strategy(kind, _strategy)


def _strategy(kind: Any) -> Any:
    if kind not in TYPES:  # such as `object`, of which Hypothesis tries all types that it knows
        return NotImplemented
    from ..testing._by_type import strategies

    return strategies()[kind]
