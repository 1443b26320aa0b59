"""Rules for Gemini's generateContent: what it can write in two ways."""

from __future__ import annotations

import re
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

# Below these keys the names are the caller's own.
_OWN_JSON = (
    "args",
    "response",
    "parameters",
    "parametersJsonSchema",
    "responseSchema",
    "responseJsonSchema",
    "labels",
)


def _camel(key: str) -> str:
    return re.sub(r"_([a-z])", lambda match: match[1].upper(), key)


def _write_camel_case(value: Any) -> None:
    if isinstance(value, list):
        for item in value:
            _write_camel_case(item)
    elif isinstance(value, dict):
        for key in list(value):
            inner = value.pop(key)
            value[_camel(key)] = inner
            if _camel(key) not in _OWN_JSON:
                _write_camel_case(inner)


def _standard(data: str) -> str:
    return data.replace("-", "+").replace("_", "/")


def _listed(value: Any) -> Any:
    return [value] if isinstance(value, dict) else value


def _share_tool(body: Any) -> None:
    """Put all declarations into one tool, at the place of the first of them."""
    tools: list[Any] = []
    declared: list[Any] = []
    for tool in body.get("tools", ()):
        functions = tool.pop("functionDeclarations", None)
        if functions is not None:
            if not declared:
                tools.append({"functionDeclarations": declared})
            declared += functions
        if tool or functions is None:
            tools.append(tool)
    if "tools" in body:
        body["tools"] = tools


def _leave_out_empty_contents(body: Any) -> None:
    body["contents"] = [content for content in body["contents"] if content.get("parts")]


def _share_turns(body: Any) -> None:
    turns: list[Any] = []
    for content in body["contents"]:
        if turns and turns[-1].get("role") == content.get("role"):
            turns[-1] = turns[-1] | {"parts": turns[-1]["parts"] + content["parts"]}
        else:
            turns.append(content)
    body["contents"] = turns


def _leave_out_ids_of_results(body: Any) -> None:
    for content in body["contents"]:
        for part in content.get("parts", ()):
            if "functionResponse" in part:
                part["functionResponse"].pop("id", None)


RULES: tuple[Rule, ...] = (
    halves_of_pairs_are_replaced,
    Rule("a key is camelCase", _write_camel_case),
    Rule(
        "base64 is in the standard alphabet",
        every(
            each("contents.*.parts.*.inlineData.data", _standard),
            each("contents.*.parts.*.functionResponse.parts.*.inlineData.data", _standard),
        ),
    ),
    null_is_unset("a key that is null is unset", own_json=_OWN_JSON),
    Rule(
        "a part is no thought if nothing says so",
        every(
            left_out("contents.*.parts.*.thought", False),
            left_out("systemInstruction.parts.*.thought", False),
        ),
    ),
    Rule(
        "one value is short for a list of it",
        every(each("systemInstruction.parts", _listed), each("tools", _listed)),
    ),
    Rule("function declarations share a tool", _share_tool),
    Rule("an empty list of tools is none", left_out("tools", [])),
    Rule("a content without parts is none", _leave_out_empty_contents),
    Rule("answers that follow each other while calls are open are one", _share_turns),
    Rule("a result has the id of its call", _leave_out_ids_of_results),
)

# In the order of the enum FinishReason.
_FINISHES = (
    "FINISH_REASON_UNSPECIFIED",
    "STOP",
    "MAX_TOKENS",
    "SAFETY",
    "RECITATION",
    "OTHER",
)


def _finish(word: Any) -> Any:
    return _FINISHES[word] if isinstance(word, int) and word < len(_FINISHES) else word


ANSWER_RULES: tuple[Rule, ...] = (
    Rule("a finish reason is written by its name", each("candidates.*.finishReason", _finish)),
)
