"""The models that rows speak of, by the form of their names; newer ones take after the newest."""

from __future__ import annotations

from tests.refusals.row import Models

# Claude. A version may be followed by a date, which has eight digits.
_AFTER = r"(?=$|[@:]|-\d{8}|-v\d)"
_LATER = r"(?:fable|mythos)-\d|claude-(?:opus|sonnet|haiku)-(?:[5-9]|4-\d\d(?!\d))"

CLAUDE = Models("Claude", "claude")
CLAUDE_3_7_TO_4_5 = Models(
    "Claude 3.7 to 4.5", rf"claude-(?:3-7-|(?:opus|sonnet|haiku)-4(?:-[015])?{_AFTER})"
)
CLAUDE_4_1_TO_4_6 = Models("Claude 4.1 to 4.6", rf"claude-(?:opus|sonnet|haiku)-4-[156]{_AFTER}")
CLAUDE_4_6 = Models("Claude 4.6", rf"claude-(?:opus|sonnet)-4-6{_AFTER}")
CLAUDE_4_6_ON = Models("Claude 4.6 and later", rf"claude-(?:opus|sonnet)-4-[6-9]{_AFTER}|{_LATER}")
CLAUDE_4_7 = Models(
    "Claude 4.7 and later",
    r"claude-(opus|sonnet|haiku|fable|mythos)-(4[-.](?:[7-9]|\d\d)(?!\d)|[5-9])",
)
BEFORE_CLAUDE_4_8 = Models(
    "Claude before 4.8, and Sonnet 5",
    rf"claude-(?:3-|(?:opus|sonnet|haiku)-4(?:-[0-7])?{_AFTER}|sonnet-5{_AFTER})",
)
OPUS_4_5 = Models("Claude Opus 4.5", rf"claude-opus-4-5{_AFTER}")
CLAUDE_WITHOUT_EFFORT = Models(
    "Claude before 4.6, but for Opus 4.5",
    rf"claude-(?:3-|(?:opus|sonnet|haiku)-4(?:-[01])?{_AFTER}|(?:sonnet|haiku)-4-5{_AFTER})",
)
CLAUDE_THAT_ALWAYS_THINKS = Models("Claude Fable and Mythos", r"claude-(?:fable|mythos)-\d")
CLAUDE_UNFORCED = Models(
    "Claude Fable 5.1, Opus 5.5, Sonnet 5.5", r"claude-(?:(?:fable|mythos)-5-1|(?:opus|sonnet)-5-5)"
)
CLAUDE_OF_32_000 = Models("Claude Opus 4 and 4.1", rf"claude-opus-4(?:-[01])?{_AFTER}")
CLAUDE_OF_64_000 = Models(
    "Claude Sonnet 4, and Claude 4.5",
    rf"claude-(?:sonnet-4|(?:opus|sonnet|haiku)-4-5){_AFTER}",
)
