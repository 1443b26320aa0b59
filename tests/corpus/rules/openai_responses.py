"""Rules for Responses: what it can write in two ways."""

from __future__ import annotations

from typing import Any

from tests.corpus.rules import Rule
from tests.corpus.rules.common import (
    each,
    every,
    halves_of_pairs_are_replaced,
    left_out,
    null_is_unset,
)

__all__ = ["ANSWER_RULES", "RULES"]


def _as_list(said: Any) -> Any:
    return [{"role": "user", "content": said}] if isinstance(said, str) else said


def _one_text(content: Any) -> Any:
    if isinstance(content, list) and len(content) == 1 and isinstance(content[0], dict):
        (part,) = content
        if part.keys() == {"type", "text"} and part["type"] in ("input_text", "output_text"):
            return part["text"]
    return content


def _leave_types_out(body: Any) -> None:
    said = body.get("input")
    for item in said if isinstance(said, list) else ():
        if item.get("type") == "message" and "id" not in item:
            del item["type"]


RULES: tuple[Rule, ...] = (
    halves_of_pairs_are_replaced,
    null_is_unset(
        "a key that is null is unset",
        own_json=("metadata", "parameters", "output_schema", "schema", "prompt"),
    ),
    Rule("an input that is a string is a list of one message", each("input", _as_list)),
    Rule(
        "content that is a list of one plain text is that text",
        every(each("input.*.content", _one_text), each("input.*.output", _one_text)),
    ),
    Rule("a message without an id need not say that it is one", _leave_types_out),
    Rule("an empty list of tools is none", left_out("tools", [])),
)

ANSWER_RULES: tuple[Rule, ...] = (null_is_unset("a key that is null is unset", own_json=()),)
