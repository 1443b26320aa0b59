"""Rules for Ollama's chat: what it can write in two ways."""

from __future__ import annotations

from typing import Any

from tests.corpus.rules import Rule
from tests.corpus.rules.common import every, halves_of_pairs_are_replaced, left_out, null_is_unset

__all__ = ["ANSWER_RULES", "RULES"]


def _write_empty_content(body: Any) -> None:
    for message in body["messages"]:
        message.setdefault("content", "")


def _write_empty_arguments(body: Any) -> None:
    for call in body.get("message", {}).get("tool_calls", ()):
        call["function"].setdefault("arguments", {})


RULES: tuple[Rule, ...] = (
    halves_of_pairs_are_replaced,
    null_is_unset("a key that is null is unset", own_json=("arguments", "parameters", "format")),
    Rule(
        "an empty list is none",
        every(left_out("tools", []), left_out("messages.*.tool_calls", [])),
    ),
    Rule("a message has content, if empty", _write_empty_content),
)

ANSWER_RULES: tuple[Rule, ...] = (
    Rule("a call has arguments, if an empty object", _write_empty_arguments),
)
