"""What goes to Anthropic's models depends on their generation, over both APIs that serve them."""

import json
from typing import Any

import pytest

import wireglot as wg

LEVEL = wg.ThinkingLevel
OLD = ["claude-3-7-sonnet-20250219", "claude-sonnet-4-20250514", "claude-haiku-4-5-20251001"]
BETWEEN = ["claude-opus-4-6", "claude-4.6-sonnet"]
NEW = ["claude-opus-4-7", "claude-opus-4.8@20260528", "claude-sonnet-5", "claude-fable-5-1"]
UNKNOWN = ["claude-next", "sonnet", "arn:aws:bedrock:eu-west-1:1:application-inference-profile/x"]
FORM = [("$.thinking", "thinking form")]


def _body(wire: str, model: str, **fields: Any) -> tuple[dict[str, Any], list[tuple[str, str]]]:
    """Return what goes out for a request to a model, and what is lost."""
    name = f"eu.anthropic.{model}-v1:0" if wire == "bedrock" and "arn" not in model else model
    losses: list[wg.Loss] = []
    request = wg.Request([wg.UserMessage.from_text("hi")], name, **fields)
    body = json.loads(wg.PROVIDERS[wire].encode_request(request, losses=losses))
    return body, [(loss.path, loss.what) for loss in losses]


def _thinking(wire: str, model: str, **fields: Any) -> tuple[Any, Any, list[tuple[str, str]]]:
    """Return the thinking and the effort that go out, and what is lost."""
    body, losses = _body(wire, model, **fields)
    if wire == "bedrock":
        asked = body["additionalModelRequestFields"]["thinking"]
        return asked, body.get("outputConfig", {}).get("effort"), losses
    return body["thinking"], body.get("output_config", {}).get("effort"), losses


both = pytest.mark.parametrize("wire", ["anthropic", "bedrock"])
ADAPTIVE = {"type": "adaptive"}


def _enabled(budget: int) -> dict[str, Any]:
    return {"type": "enabled", "budget_tokens": budget}


@both
@pytest.mark.parametrize("model", OLD)
@pytest.mark.parametrize(
    ("asked", "limit", "budget"),
    [
        (wg.Thinking(LEVEL.MINIMAL), None, 1024),
        (wg.Thinking(LEVEL.LOW), None, 2048),
        (wg.Thinking(LEVEL.MEDIUM), None, 8192),
        (wg.Thinking(LEVEL.HIGH), None, 24576),
        (wg.Thinking(LEVEL.MAX), None, 32768),
        (wg.Thinking(), None, 8192),
        (wg.Thinking(LEVEL.HIGH), 10_000, 5000),  # half of it is left to the text
        (wg.Thinking(LEVEL.HIGH), 1500, 1024),
    ],
)
def test_an_old_model_gets_a_budget_for_a_level(
    wire: str, model: str, asked: wg.Thinking, limit: int | None, budget: int
) -> None:
    made = _thinking(wire, model, thinking=asked, max_tokens=limit)
    assert made == (_enabled(budget), None, [])


@both
@pytest.mark.parametrize("model", OLD)
def test_an_old_model_takes_a_budget_and_loses_the_level_beside_it(wire: str, model: str) -> None:
    budget = wg.Thinking(budget_tokens=4096)
    assert _thinking(wire, model, thinking=budget) == (_enabled(4096), None, [])
    beside = wg.Thinking(LEVEL.LOW, 4096)
    assert _thinking(wire, model, thinking=beside) == (_enabled(4096), None, FORM)


@both
@pytest.mark.parametrize("model", [*BETWEEN, *UNKNOWN[:1]])
def test_a_model_that_takes_both_gets_what_was_asked_for(wire: str, model: str) -> None:
    level = wg.Thinking(LEVEL.HIGH)
    assert _thinking(wire, model, thinking=level) == (ADAPTIVE, "high", [])
    budget = wg.Thinking(budget_tokens=4096)
    assert _thinking(wire, model, thinking=budget) == (_enabled(4096), None, [])


@both
@pytest.mark.parametrize("model", NEW)
@pytest.mark.parametrize(
    ("asked", "effort", "losses"),
    [
        (wg.Thinking(LEVEL.XHIGH), "xhigh", []),
        (wg.Thinking(), None, []),
        (wg.Thinking(budget_tokens=1024), "low", FORM),
        (wg.Thinking(budget_tokens=4096), "medium", FORM),
        (wg.Thinking(budget_tokens=10_000), "high", FORM),
        (wg.Thinking(LEVEL.MAX, 10_000), "max", FORM),
    ],
)
def test_a_new_model_gets_a_level_for_a_budget(
    wire: str, model: str, asked: wg.Thinking, effort: str | None, losses: list[tuple[str, str]]
) -> None:
    assert _thinking(wire, model, thinking=asked) == (ADAPTIVE, effort, losses)


@both
@pytest.mark.parametrize("model", [*OLD, *BETWEEN, *NEW[:-1]])
def test_thinking_can_be_turned_off(wire: str, model: str) -> None:
    off = wg.Thinking(LEVEL.OFF)
    assert _thinking(wire, model, thinking=off) == ({"type": "disabled"}, None, [])


SAMPLING = {"temperature": 0.5, "top_p": 0.5, "top_k": 3}


def _sampling(wire: str, model: str, **fields: Any) -> tuple[dict[str, Any], list[Any]]:
    body, losses = _body(wire, model, **fields)
    if wire == "bedrock":
        inference = body.get("inferenceConfig", {})
        body = {"top_p" if key == "topP" else key: inference[key] for key in inference} | body.get(
            "additionalModelRequestFields", {}
        )
    return {key: body[key] for key in SAMPLING if key in body}, losses


@both
@pytest.mark.parametrize("model", NEW)
def test_a_new_model_takes_no_sampling(wire: str, model: str) -> None:
    made = _sampling(wire, model, **SAMPLING)
    assert (made[0], set(made[1])) == (
        {},
        {("$.temperature", "sampling"), ("$.topP", "sampling"), ("$.topK", "sampling")},
    )
    assert _sampling(wire, model, temperature=1, top_p=1) == ({}, [])  # its own defaults


@both
@pytest.mark.parametrize("model", [*OLD[2:], *BETWEEN])
def test_a_model_between_takes_no_top_p_beside_a_temperature(wire: str, model: str) -> None:
    assert _sampling(wire, model, **SAMPLING) == (
        {"temperature": 0.5, "top_k": 3},
        [("$.topP", "sampling")],
    )
    assert _sampling(wire, model, top_p=0.5) == ({"top_p": 0.5}, [])


@both
@pytest.mark.parametrize("model", [*OLD[:2], UNKNOWN[0]])
def test_an_old_model_takes_all_sampling(wire: str, model: str) -> None:
    assert _sampling(wire, model, **SAMPLING) == (SAMPLING, [])


def test_a_model_of_another_name_may_take_anything() -> None:
    for model in UNKNOWN:
        assert _sampling("anthropic", model, **SAMPLING) == (SAMPLING, [])


@pytest.mark.parametrize(
    "parameters",
    [
        '"thinking":{"type":"enabled","budget_tokens":4096}',
        '"temperature":0.5,"top_p":0.5,"top_k":3',
        '"output_config":{"format":{"type":"json_schema","schema":{"type": "object"}}}',
    ],
)
def test_a_body_of_this_wire_goes_back_as_it_came(parameters: str) -> None:
    body = (
        f'{{"model":"claude-opus-5","max_tokens":8000,{parameters},'
        '"messages":[{"role":"user","content":[{"type":"text","text":"hi"}]}]}'
    ).encode()
    request = wg.providers.anthropic.decode_request(body)
    assert wg.providers.anthropic.encode_request(request) == body


OPEN = """{"type": "object", "properties": {"a": {"type": ["object", "null"]},
"properties": {"$ref": "#/$defs/d"}, "list": {"type": "array", "items": {"type": "object"}},
"any": {"anyOf": [{"type": "object"}, {"type": "string", "enum": ["object"]}]}},
"$defs": {"d": {"type": "object", "additionalProperties": false}}}"""
CLOSED = (
    '{"type":"object","properties":{"a":{"type":["object","null"],"additionalProperties":false},'
    '"properties":{"$ref":"#/$defs/d"},'
    '"list":{"type":"array","items":{"type":"object","additionalProperties":false}},'
    '"any":{"anyOf":[{"type":"object","additionalProperties":false},'
    '{"type":"string","enum":["object"]}]}},'
    '"$defs":{"d":{"type":"object","additionalProperties":false}},"additionalProperties":false}'
)


def _schema(wire: str, schema: str, model: str = "claude-opus-5") -> tuple[str, list[Any]]:
    form = wg.ResponseFormat("json_schema", wg.RawJson(schema))
    losses: list[wg.Loss] = []
    request = wg.Request([wg.UserMessage.from_text("hi")], model, response_format=form)
    body = wg.PROVIDERS[wire].encode_request(request, losses=losses)
    if wire == "bedrock":
        config = json.loads(body)["outputConfig"]["textFormat"]
        return config["structure"]["jsonSchema"]["schema"], losses
    return body.partition(b'"schema":')[2].partition(b'}},"messages"')[0].decode(), losses


@pytest.mark.parametrize(
    ("wire", "model"), [("anthropic", "claude-opus-5"), ("bedrock", "anthropic.claude-opus-4-6-v1")]
)
def test_a_schema_that_does_not_say_so_is_closed(wire: str, model: str) -> None:
    assert _schema(wire, OPEN, model) == (CLOSED, [])
    assert _schema(wire, CLOSED, model) == (CLOSED, [])


def test_a_schema_for_another_model_stays_as_it_is() -> None:
    assert _schema("bedrock", CLOSED, "qwen.qwen3-32b-v1:0") == (CLOSED, [])


@pytest.mark.parametrize("extra", ["true", '{"type":"string"}'])
def test_a_schema_that_is_open_is_closed_with_a_loss(extra: str) -> None:
    schema = f'{{"type":"object","additionalProperties":{extra}}}'
    made, losses = _schema("anthropic", schema)
    assert made == '{"type":"object","additionalProperties":false}'
    assert [(loss.path, loss.what) for loss in losses] == [("$.responseFormat", "json schema")]


def _on_the_way() -> list[wg.Message]:
    return [
        wg.UserMessage.from_text("a"),
        wg.SystemMessage.from_text("s"),
        wg.AssistantMessage([wg.TextBlock("b")]),
        wg.UserMessage.from_text("c"),
    ]


@pytest.mark.parametrize("model", ["claude-3-5-sonnet-20241022", "claude-opus-4-7", "m-claude-4.1"])
def test_a_system_message_on_the_way_is_a_users_text_for_older_models(model: str) -> None:
    losses: list[wg.Loss] = []
    asked = wg.Request(_on_the_way(), model=model, max_tokens=8)
    assert wg.providers.anthropic.encode_request(asked, losses=losses).endswith(
        b'"messages":[{"role":"user","content":[{"type":"text","text":"a"},'
        b'{"type":"text","text":"s"}]},{"role":"assistant","content":[{"type":"text","text":"b"}]},'
        b'{"role":"user","content":[{"type":"text","text":"c"}]}]}'
    )
    assert [(loss.path, loss.what) for loss in losses] == [("$.messages[1]", "system place")]


@pytest.mark.parametrize("model", ["claude-opus-4-8", "claude-5", "an-alias"])
def test_a_system_message_on_the_way_is_a_turn_for_newer_models(model: str) -> None:
    asked = wg.Request(_on_the_way(), model=model, max_tokens=8)
    assert wg.providers.anthropic.encode_request(asked).endswith(
        b'"messages":[{"role":"user","content":[{"type":"text","text":"a"}]},'
        b'{"role":"system","content":[{"type":"text","text":"s"}]},'
        b'{"role":"assistant","content":[{"type":"text","text":"b"}]},'
        b'{"role":"user","content":[{"type":"text","text":"c"}]}]}'
    )
