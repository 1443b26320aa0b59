"""The models that rows speak of, by the form of their names; newer ones take after the newest."""

from __future__ import annotations

from tests.refusals.row import Models

CLAUDE_4_7 = Models(
    "Claude 4.7 and later",
    r"claude-(opus|sonnet|haiku|fable|mythos)-(4[-.](?:[7-9]|\d\d)(?!\d)|[5-9])",
)
CLAUDE = Models("Claude", "claude")
