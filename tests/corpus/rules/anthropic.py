"""Rules for Anthropic Messages: what it can write in two ways."""

from __future__ import annotations

from typing import Any

from tests.corpus.rules import Rule
from tests.corpus.rules.common import (
    each,
    every,
    halves_of_pairs_are_replaced,
    left_out,
    null_is_unset,
    places,
)

__all__ = ["ANSWER_RULES", "RULES"]


def _spelled_out(content: Any) -> Any:
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def _spell_results_out(body: Any) -> None:
    for owner, key in places(body, "messages.*.content.*"):
        if owner[key].get("type") == "tool_result" and "content" in owner[key]:
            owner[key]["content"] = _spelled_out(owner[key]["content"])


def _share_turns(body: Any) -> None:
    turns: list[Any] = []
    for message in body["messages"]:
        last = turns[-1] if turns else {}
        if message["role"] == last.get("role") and _are_lists(message, last):
            turns[-1] = last | message | {"content": last["content"] + message["content"]}
        else:
            turns.append(message)
    body["messages"] = turns


def _are_lists(*messages: Any) -> bool:
    return all(isinstance(message.get("content"), list) for message in messages)


def _leave_out_empty_texts(body: Any) -> None:
    for owner, key in [*places(body, "system"), *places(body, "messages.*.content")]:
        if isinstance(owner[key], list):
            owner[key] = [part for part in owner[key] if not _is_empty_text(part)]
    body["messages"] = [message for message in body["messages"] if message.get("content") != []]


def _leave_out_empty_texts_of_an_answer(body: Any) -> None:
    body["content"] = [part for part in body["content"] if not _is_empty_text(part)]


def _is_empty_text(part: Any) -> bool:
    return isinstance(part, dict) and part.get("type") == "text" and part.get("text") == ""


_SHOWN = {"/9j/": "jpeg", "iVBOR": "png", "R0lGOD": "gif", "UklGR": "webp"}


def _as_shown(source: Any) -> Any:
    """Return an inline image with the type of its data; Claude refuses another label of late."""
    data = source.get("data") if isinstance(source, dict) else None
    kinds = (kind for begin, kind in _SHOWN.items() if str(data or "").startswith(begin))
    kind = next(kinds, None)
    return source if kind is None else source | {"media_type": f"image/{kind}"}


RULES: tuple[Rule, ...] = (
    Rule(
        "an image has the type that its data shows",
        each("messages.*.content.*.source", _as_shown),
    ),
    halves_of_pairs_are_replaced,
    Rule(
        "a string is short for one text",
        every(
            each("system", _spelled_out),
            each("messages.*.content", _spelled_out),
            _spell_results_out,
        ),
    ),
    Rule(
        "a result is no error if nothing says so", left_out("messages.*.content.*.is_error", False)
    ),
    Rule("messages of one role that follow each other share a turn", _share_turns),
    Rule("empty text is no content", _leave_out_empty_texts),
    Rule("an empty list is none", every(left_out("tools", []), left_out("system", []))),
)

ANSWER_RULES: tuple[Rule, ...] = (
    null_is_unset("a key that is null is unset", own_json=("input",)),
    Rule("empty text is no content", _leave_out_empty_texts_of_an_answer),
)
