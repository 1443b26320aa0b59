"""Schemas and names that Anthropic's API refuses, and what it gets instead."""

import json
from typing import Any

import pytest

import wireglot as wg

HI = wg.UserMessage.from_text("hi")


def _asked(schema: str, *, strict: bool | None = None) -> wg.Request:
    """Return a request with a schema: of its answer, or of a tool."""
    parameters = wg.RawJson(schema)
    if strict is None:
        form = wg.ResponseFormat("json_schema", parameters)
        return wg.Request([HI], "claude-haiku-4-5", max_tokens=9, response_format=form)
    tool = wg.Tool("f", None, parameters, strict)
    return wg.Request([HI], "claude-haiku-4-5", max_tokens=9, tools=[tool])


def _schema(request: wg.Request) -> tuple[str, list[str]]:
    losses: list[wg.Loss] = []
    body: Any = json.loads(wg.providers.anthropic.encode_request(request, losses))
    form = body.get("output_config", {}).get("format", {})
    schema = form.get("schema") or body["tools"][0]["input_schema"]
    return json.dumps(schema, separators=(",", ":")), [loss.what for loss in losses]


REFUSED = {
    "numbers are not bounded (agentjido/req_llm#302)": (
        '{"type":"object","additionalProperties":false,'
        '"properties":{"n":{"type":"integer","minimum":1,"maximum":10}}}',
        '{"type":"object","additionalProperties":false,'
        '"properties":{"n":{"type":"integer","description":"minimum: 1, maximum: 10"}}}',
    ),
    "what bounds it follows the description": (
        '{"type":"object","additionalProperties":false,'
        '"properties":{"s":{"type":"string","description":"A word.","maxLength":5}}}',
        '{"type":"object","additionalProperties":false,'
        '"properties":{"s":{"type":"string","description":"A word. (maxLength: 5)"}}}',
    ),
    "lists have no most items, and no more than one at least": (
        '{"type":"object","additionalProperties":false,'
        '"properties":{"a":{"type":"array","minItems":1,"maxItems":3,"items":'
        '{"type":"number","multipleOf":0.5}},"b":{"type":"array","minItems":2}}}',
        '{"type":"object","additionalProperties":false,'
        '"properties":{"a":{"type":"array","minItems":1,"items":{"type":"number",'
        '"description":"multipleOf: 0.5"},"description":"maxItems: 3"},'
        '"b":{"type":"array","description":"minItems: 2"}}}',
    ),
    "oneOf is anyOf": (
        '{"type":"object","additionalProperties":false,'
        '"properties":{"x":{"oneOf":[{"type":"string"},{"type":"null"}]}}}',
        '{"type":"object","additionalProperties":false,'
        '"properties":{"x":{"anyOf":[{"type":"string"},{"type":"null"}]}}}',
    ),
    "a property may have the name of a constraint": (
        '{"type":"object","additionalProperties":false,"properties":{"minimum":{"type":"number"}}}',
        '{"type":"object","additionalProperties":false,"properties":{"minimum":{"type":"number"}}}',
    ),
}


@pytest.mark.parametrize("case", REFUSED)
@pytest.mark.parametrize("strict", [None, True], ids=["an answer", "a strict tool"])
def test_a_constraint_that_is_refused_goes_into_the_description(
    case: str, strict: bool | None
) -> None:
    schema, expected = REFUSED[case]
    assert _schema(_asked(schema, strict=strict)) == (expected, [])


def test_a_tool_that_is_not_strict_keeps_its_schema() -> None:
    schema = '{"type":"object","properties":{"n":{"type":"integer","minimum":1}}}'
    assert _schema(_asked(schema, strict=False)) == (schema, [])


def test_an_open_object_of_a_strict_tool_is_closed_and_that_is_a_loss() -> None:
    schema = '{"type":"object","properties":{},"additionalProperties":true}'
    closed = '{"type":"object","properties":{},"additionalProperties":false}'
    assert _schema(_asked(schema, strict=True)) == (closed, ["json schema"])


@pytest.mark.parametrize(
    ("user", "sent"),
    [
        ("ada@example.org", "cfe00dde46ef942601ffafb9e2825e80"),
        ("+49 170 1234567", "cdbb568f5dc8fe5cd9bc2ebd65796f29"),
        ("user-17", "user-17"),
        ("a1b2c3d4", "a1b2c3d4"),
    ],
)
def test_an_id_that_is_an_address_or_a_number_is_hashed(user: str, sent: str) -> None:
    losses: list[wg.Loss] = []
    request = wg.Request([HI], "claude-haiku-4-5", max_tokens=9, user_id=user)
    body = json.loads(wg.providers.anthropic.encode_request(request, losses))
    assert body["metadata"] == {"user_id": sent}
    assert [loss.what for loss in losses] == ([] if user == sent else ["user id"])


SCHEMA = '{"type":"json_schema","schema":{"type":"object","additionalProperties":false}}'


@pytest.mark.parametrize(
    ("keys", "sent", "lost"),
    [
        (f'"output_format":{SCHEMA}', "object", []),
        (f'"output_config":{{"effort":"low"}},"output_format":{SCHEMA}', "object", []),
        (
            f'"output_config":{{"format":{SCHEMA.replace("object", "array")}}},'
            f'"output_format":{SCHEMA}',
            "array",
            ["extras"],
        ),
    ],
    ids=["alone", "beside an effort", "beside its successor"],
)
def test_the_format_of_the_beta_is_an_answers_schema(keys: str, sent: str, lost: list[str]) -> None:
    """`output_format` is refused by now: prism-php/prism#912."""
    losses: list[wg.Loss] = []
    body = _beta(keys, "bedrock", losses)
    form = body["outputConfig"]["textFormat"]["structure"]["jsonSchema"]["schema"]
    assert json.loads(form) == {"type": sent, "additionalProperties": False}
    assert [loss.what for loss in losses] == lost


def test_the_format_of_the_beta_goes_back_as_it_came() -> None:
    body = _beta(f'"output_format":{SCHEMA}', "anthropic", [])
    assert body["output_format"] == json.loads(SCHEMA)
    assert "output_config" not in body


def _beta(keys: str, target: str, losses: list[wg.Loss]) -> Any:
    turn = '{"role":"user","content":"hi"}'
    request = f'{{"model":"claude-opus-4-6","max_tokens":9,{keys},"messages":[{turn}]}}'
    return json.loads(wg.translate_request(request, "anthropic", target, losses))
