"""Rules for Bedrock Converse: what it can write in two ways."""

from __future__ import annotations

import re
from typing import Any

from tests.corpus.rules import Rule
from tests.corpus.rules.common import each, halves_of_pairs_are_replaced, left_out, null_is_unset

__all__ = ["RULES"]


def _share_turns(body: Any) -> None:
    turns: list[Any] = []
    for message in body["messages"]:
        if turns and turns[-1]["role"] == message["role"]:
            turns[-1] = turns[-1] | {"content": turns[-1]["content"] + message["content"]}
        else:
            turns.append(message)
    body["messages"] = turns


def _leave_out_blank_texts(body: Any) -> None:
    for message in body["messages"]:
        results = [block["toolResult"] for block in message["content"] if "toolResult" in block]
        for holder in [message, *results]:
            holder["content"] = [
                block for block in holder["content"] if block.get("text", "x").strip()
            ]
    body["messages"] = [message for message in body["messages"] if message["content"]]


def _leave_out_the_model(body: Any) -> None:
    body.pop("modelId", None)


RULES: tuple[Rule, ...] = (
    halves_of_pairs_are_replaced,
    null_is_unset(
        "a key that is null is unset",
        own_json=("input", "json", "additionalModelRequestFields"),
    ),
    Rule("the model is in the URL, for boto3 a parameter", _leave_out_the_model),
    Rule("an empty list of prompts is none", left_out("system", [])),
    Rule("an empty description is none", left_out("toolConfig.tools.*.toolSpec.description", "")),
    Rule("blank text is no content", _leave_out_blank_texts),
    Rule("messages of one role that follow each other share a turn", _share_turns),
    Rule(
        "a document's name keeps to its alphabet",
        each(
            "messages.*.content.*.document.name",
            lambda name: re.sub(r"[^a-zA-Z0-9()\[\] -]", " ", name),
        ),
    ),
)
