"""Rules for Cohere's chat: what it can write in two ways."""

from __future__ import annotations

from typing import Any

from tests.corpus.rules import Rule
from tests.corpus.rules.common import each, halves_of_pairs_are_replaced, null_is_unset, places

__all__ = ["RULES"]


def _leave_out_empty_texts(body: Any) -> None:
    for message in body.get("messages", ()):
        content = message.get("content")
        if isinstance(content, list) and len(content) > 1:
            message["content"] = [part for part in content if part.get("text") != ""]
    body["messages"] = [m for m in body["messages"] if m.get("tool_calls") or m.get("content")]


def _plan_what_is_said(body: Any) -> None:
    for message in body.get("messages", ()):
        content = message.get("content")
        if not message.get("tool_calls") or not content:
            continue
        parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
        texts = [part["text"] for part in parts if part.get("text")]
        rest = [part for part in parts if part.get("type") != "text"]
        if texts:
            message.pop("content")
            message["tool_plan"] = "\n".join([*texts, *filter(None, [message.get("tool_plan")])])
            if rest:
                message["content"] = rest


def _write_no_arguments(body: Any) -> None:
    for owner, key in places(body, "messages.*.tool_calls.*.function"):
        if not (owner[key].get("arguments") or "").strip():
            owner[key]["arguments"] = "{}"


def _with_parameters(function: Any) -> Any:
    return {"parameters": {"type": "object", "properties": {}}} | function


RULES: tuple[Rule, ...] = (
    halves_of_pairs_are_replaced,
    null_is_unset(
        "a key that is null is unset",
        own_json=("parameters", "json_schema", "data", "tool_output", "document"),
    ),
    Rule("empty text is no content", _leave_out_empty_texts),
    Rule("text beside calls is their plan", _plan_what_is_said),
    Rule("blank arguments are an empty object", _write_no_arguments),
    Rule("a tool has parameters", each("tools.*.function", _with_parameters)),
)
