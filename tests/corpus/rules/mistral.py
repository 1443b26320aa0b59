"""Rules for Mistral's chat completions: what they can write in two ways."""

from __future__ import annotations

from typing import Any

from tests.corpus.rules import Rule
from tests.corpus.rules.common import each, halves_of_pairs_are_replaced, null_is_unset, places

__all__ = ["ANSWER_RULES", "RULES"]


def _typed(path: str) -> Any:
    """Add the type of a tool or call, which is `function` if it has that key."""

    def change(body: Any) -> None:
        for owner, key in places(body, path):
            if "function" in owner[key]:
                owner[key].setdefault("type", "function")

    return change


def _number_calls(body: Any) -> None:
    """Replace the id of a call by its number, in the call and in its result."""
    known: dict[str, str] = {}
    count = 0
    for message in body.get("messages", ()):
        for call in message.get("tool_calls") or ():
            count += 1
            known[call.get("id", "null")] = f"call {count}"
            call["id"] = f"call {count}"
        if message.get("role") == "tool":
            call_id = message.get("tool_call_id", "null")
            message["tool_call_id"] = known.get(call_id, call_id)


def _write_empty_content(body: Any) -> None:
    for message in body.get("messages", ()):
        if message.get("tool_calls"):
            message.setdefault("content", "")


def _bare(audio: Any) -> Any:
    return audio.partition(",")[2] if isinstance(audio, str) and audio[:5] == "data:" else audio


RULES: tuple[Rule, ...] = (
    halves_of_pairs_are_replaced,
    null_is_unset(
        "a key that is null is unset",
        own_json=("metadata", "parameters", "schema", "arguments"),
    ),
    Rule("a tool of a function names its type", _typed("tools.*")),
    Rule("a call names its type", _typed("messages.*.tool_calls.*")),
    Rule("an answer has content beside calls, if empty", _write_empty_content),
    Rule("audio is bare", each("messages.*.content.*.input_audio", _bare)),
    Rule("an id of another form becomes one of this API", _number_calls),
)


def _number_in_answer(body: Any) -> None:
    for owner, key in places(body, "choices.*.message.tool_calls"):
        for i, call in enumerate(owner[key] or ()):
            call.setdefault("index", i)


_CALLS = "choices.*.message.tool_calls.*"

ANSWER_RULES: tuple[Rule, ...] = (
    null_is_unset("a key that is null is unset", own_json=("arguments",)),
    Rule("a call is of a function", _typed(_CALLS)),
    Rule("a call has its number", _number_in_answer),
    Rule(
        "no arguments are `{}`",
        each(f"{_CALLS}.function.arguments", lambda text: "{}" if text == "" else text),
    ),
)
