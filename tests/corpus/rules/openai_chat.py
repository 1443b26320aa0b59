"""What Chat Completions says in two ways."""

from __future__ import annotations

from typing import Any

from tests.corpus.rules import Rule
from tests.corpus.rules.common import (
    each,
    halves_of_pairs_are_replaced,
    left_out,
    null_is_unset,
)

__all__ = ["RULES"]


def _one_text(content: Any) -> Any:
    if isinstance(content, list) and len(content) == 1 and isinstance(content[0], dict):
        (part,) = content
        if part.keys() == {"type", "text"} and part["type"] == "text":
            return part["text"]
    return content


def _think_before_calls(body: Any) -> None:
    for message in body.get("messages", ()):
        if message.get("tool_calls"):
            message.setdefault("reasoning_content", "")


RULES: tuple[Rule, ...] = (
    halves_of_pairs_are_replaced,
    null_is_unset(
        "a key that is null is unset",
        own_json=("metadata", "parameters", "schema", "logit_bias"),
    ),
    Rule(
        "content that is a list of one plain text is that text",
        each("messages.*.content", _one_text),
    ),
    Rule("an empty list of tools is none", left_out("tools", [])),
    Rule("an answer with calls has thinking, if empty", _think_before_calls, ("deepseek",)),
)
