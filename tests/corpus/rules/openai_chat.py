"""Rules for Chat Completions: what it can write in two ways."""

from __future__ import annotations

import re
from typing import Any

from tests.corpus.rules import Rule
from tests.corpus.rules.common import (
    each,
    halves_of_pairs_are_replaced,
    left_out,
    null_is_unset,
    places,
)

__all__ = ["ANSWER_RULES", "RULES"]


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


def _no_arguments(arguments: Any) -> Any:
    return "{}" if arguments == "null" else arguments


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
    Rule(
        "arguments that say null are none",
        each("messages.*.tool_calls.*.function.arguments", _no_arguments),
    ),
    Rule("an answer with calls has thinking, if empty", _think_before_calls, ("deepseek",)),
)

_MESSAGE = "choices.*.message"


def _leave_out_padding(body: Any) -> None:
    for owner, key in places(body, _MESSAGE):
        owner[key].pop("padding", None)


def _write_no_arguments(body: Any) -> None:
    for owner, key in places(body, f"{_MESSAGE}.tool_calls.*.function"):
        owner[key].setdefault("arguments", "{}")


def _write_head(body: Any) -> None:
    body.setdefault("object", "chat.completion")
    body.setdefault("created", 0)


_is_made_up = re.compile(r"|chatcmpl-[0-9a-f]{12,24}|call_[0-9a-f]{12}_[0-9_]+").fullmatch


def _leave_out_made_up_ids(body: Any) -> None:
    owners = [owner[key] for owner, key in places(body, f"{_MESSAGE}.tool_calls.*")]
    for owner in [body, *owners]:
        if owner.get("id") is None or _is_made_up(owner["id"]):
            owner.pop("id", None)


ANSWER_RULES: tuple[Rule, ...] = (
    null_is_unset("a key that is null is unset", own_json=()),
    Rule("an empty list of calls is none", left_out(f"{_MESSAGE}.tool_calls", [])),
    Rule("padding is noise", _leave_out_padding),
    Rule("an answer names its kind and its time", _write_head),
    Rule("no arguments are `{}`", _write_no_arguments),
    Rule(
        "arguments that say null are none",
        each(f"{_MESSAGE}.tool_calls.*.function.arguments", _no_arguments),
    ),
    Rule("an answer or a call without an id gets one", _leave_out_made_up_ids),
)
