"""Schemas and names that an API refuses, and what it gets instead."""

import json
from typing import Any

import pytest

import wireglot as wg
from wireglot.providers._across import schemas as _schemas

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
    body: Any = json.loads(wg.providers.anthropic.encode_request(request, losses=losses))
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
    "no items or one may be written as a fraction": (
        '{"type":"object","additionalProperties":false,'
        '"properties":{"a":{"minItems":1.0},"b":{"minItems":0.0},"c":{"minItems":1.5}}}',
        '{"type":"object","additionalProperties":false,"properties":{"a":{"minItems":1.0},'
        '"b":{"minItems":0.0},"c":{"description":"minItems: 1.5"}}}',
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


A = '{"properties":{"do":{"const":"a"},"x":{"type":"string"}},"required":["do","x"]}'
B = '{"properties":{"do":{"const":"b"},"y":{"type":"integer"}},"required":["do"]}'
AT_THE_TOP = {
    "objects are merged, and what they require is told (lvndry/jazz#510)": (
        f'{{"type":"object","anyOf":[{A},{B}]}}',
        '{"type":"object","properties":{"do":{"anyOf":[{"const":"a"},{"const":"b"}]},'
        '"x":{"type":"string"},"y":{"type":"integer"}},"required":["do"],'
        '"description":"anyOf: [{\\"required\\":[\\"do\\",\\"x\\"]},{\\"required\\":[\\"do\\"]}]"}',
        ["schema union"],
    ),
    "what follows the description (zereight/gitlab-mcp#551)": (
        '{"type":"object","description":"One.","properties":{"id":{"type":"string"},"p":{}},'
        '"oneOf":[{"required":["id"]},{"required":["p"]}]}',
        '{"type":"object","description":"One. (oneOf: [{\\"required\\":[\\"id\\"]},'
        '{\\"required\\":[\\"p\\"]}])","properties":{"id":{"type":"string"},"p":{}}}',
        ["schema union"],
    ),
    "allOf is one object without a loss (kenn-io/kata#365)": (
        f'{{"type":"object","allOf":[{A},{{"required":["z"],"if":{{"required":["x"]}}}}]}}',
        '{"type":"object","properties":{"do":{"const":"a"},"x":{"type":"string"}},'
        '"required":["do","x","z"],"if":{"required":["x"]}}',
        [],
    ),
    "what another object of allOf says otherwise is told": (
        '{"type":"object","allOf":[{"minProperties":1,"maxProperties":9,"description":"One."},'
        '{"minProperties":2,"maxProperties":2,"description":"Two.","additionalProperties":false}]}',
        '{"type":"object","minProperties":1,"maxProperties":9,"description":"One. (allOf: '
        '[{\\"minProperties\\":2},{\\"maxProperties\\":2},{\\"description\\":\\"Two.\\"},'
        '{\\"additionalProperties\\":false}])"}',
        [],
    ),
    "a condition and what depends on it are told together": (
        '{"type":"object","properties":{"a":{"type":"string"}},"allOf":['
        '{"if":{"properties":{"a":{"const":"x"}}},"then":{"required":["b"]}},'
        '{"if":{"properties":{"a":{"const":"y"}}},"then":{"required":["b"]},'
        '"else":{"required":["c"]}},{"if":{"properties":{"a":{"const":"x"}}},'
        '"then":{"required":["b"]}},{"else":{"required":["d"]}}]}',
        '{"type":"object","properties":{"a":{"type":"string"}},'
        '"if":{"properties":{"a":{"const":"x"}}},"then":{"required":["b"]},"description":"allOf: '
        '[{\\"if\\":{\\"properties\\":{\\"a\\":{\\"const\\":\\"y\\"}}},\\"then\\":'
        '{\\"required\\":[\\"b\\"]},\\"else\\":{\\"required\\":[\\"c\\"]}},'
        '{\\"else\\":{\\"required\\":[\\"d\\"]}}]"}',
        [],
    ),
    "how often something is contained is told with it": (
        '{"type":"object","contains":{"const":1},'
        '"allOf":[{"contains":{"const":1},"minContains":2,"maxContains":3}]}',
        '{"type":"object","contains":{"const":1},"description":"allOf: [{\\"contains\\":'
        '{\\"const\\":1},\\"minContains\\":2,\\"maxContains\\":3}]"}',
        [],
    ),
    "what is beside a reference binds with what it names": (
        '{"type":"object","$defs":{"n":{"if":{"required":["a"]},"then":{"required":["b"]},'
        '"properties":{"a":{}},"required":["a"]}},"allOf":[{"$ref":"#/$defs/n",'
        '"else":{"required":["c"]},"properties":{"d":{}},"required":["d"]}]}',
        '{"type":"object","$defs":{"n":{"if":{"required":["a"]},"then":{"required":["b"]},'
        '"properties":{"a":{}},"required":["a"]}},"properties":{"d":{},"a":{}},'
        '"required":["d","a"],"else":{"required":["c"]},"description":"allOf: [{\\"if\\":'
        '{\\"required\\":[\\"a\\"]},\\"then\\":{\\"required\\":[\\"b\\"]}}]"}',
        [],
    ),
    "what the one object of a union says is told under that union's name": (
        '{"type":"object","title":"A","minProperties":1,"maxProperties":3,"anyOf":[{"title":"B",'
        '"minProperties":2,"maxProperties":2},{"type":"null"}],"oneOf":[{"maxProperties":4}]}',
        '{"type":"object","title":"A","minProperties":1,"maxProperties":3,"description":"'
        'anyOf: [{\\"minProperties\\":2,\\"maxProperties\\":2}], '
        'oneOf: [{\\"maxProperties\\":4}]"}',
        [],
    ),
    "what two unions of one kind say must hold together": (
        '{"type":"object","maxProperties":9,"allOf":[{"anyOf":[{"maxProperties":8}]},'
        '{"anyOf":[{"maxProperties":7}]}]}',
        '{"type":"object","maxProperties":9,"description":"allOf: [{\\"maxProperties\\":8},'
        '{\\"maxProperties\\":7}]"}',
        [],
    ),
    "notes on the parts are left out": (
        '{"type":"object","title":"A","$id":"a","$schema":"a","$comment":"a","examples":[{}],'
        '"allOf":[{"title":"B","$id":"b","$schema":"b","$comment":"b","examples":[]}]}',
        '{"type":"object","title":"A","$id":"a","$schema":"a","$comment":"a","examples":[{}]}',
        [],
    ),
    "what is not an object is left out (RooCodeInc/Roo-Code#10726)": (
        f'{{"anyOf":[{B},{{"type":"null"}}]}}',
        '{"type":"object","properties":{"do":{"const":"b"},"y":{"type":"integer"}},'
        '"required":["do"]}',
        [],
    ),
    "a property of all objects is theirs (openclaw/openclaw#128799)": (
        '{"type":"object","properties":{"n":{"type":["string","null"]},"o":{}},'
        '"anyOf":[{"properties":{"n":{"type":"string"},"o":{"const":1}}},'
        '{"properties":{"n":{"type":"string"}}}]}',
        '{"type":"object","properties":{"n":{"type":"string"},"o":{}}}',
        ["schema union"],
    ),
    "closed objects are one closed object": (
        '{"type":"object","oneOf":[{"properties":{"a":{}},"additionalProperties":false},'
        '{"properties":{"b":{}},"additionalProperties":false}]}',
        '{"type":"object","properties":{"a":{},"b":{}},"additionalProperties":false}',
        ["schema union"],
    ),
    "a reference at the top is followed (BerriAI/litellm#38792)": (
        f'{{"$ref":"#/$defs/N~1M","$defs":{{"N/M":{{"anyOf":[{B},{{"$ref":"#/$defs/N~1M"}}]}}}}}}',
        '{"type":"object","$defs":{"N/M":{"anyOf":[{"properties":{"do":{"const":"b"},"y":{"type":"integer"}},'
        '"required":["do"]},{"$ref":"#/$defs/N~1M"}]}},"properties":{"do":{"const":"b"},'
        '"y":{"type":"integer"}},"required":["do"]}',
        ["schema union"],
    ),
    "the type may be a list that has it": (
        '{"type":["object","null"],"properties":{}}',
        '{"type":"object","properties":{}}',
        [],
    ),
    "a missing type is added": (
        '{"properties":{"a":{}}}',
        '{"type":"object","properties":{"a":{}}}',
        [],
    ),
    "not and if are taken (kenn-io/kata#365)": (
        '{"type":"object","properties":{"a":{}},"not":{"required":["a"]},"if":{},"then":{}}',
        '{"type":"object","properties":{"a":{}},"not":{"required":["a"]},"if":{},"then":{}}',
        [],
    ),
}


@pytest.mark.parametrize("case", AT_THE_TOP)
def test_a_tool_takes_an_object_that_is_not_a_union_at_the_top(case: str) -> None:
    schema, expected, lost = AT_THE_TOP[case]
    assert _schema(_asked(schema, strict=False)) == (expected, lost)


@pytest.mark.parametrize(
    "schema",
    [
        '{"type":"array"}',
        '{"type":"string"}',
        '{"anyOf":[{"type":"string"},{"type":"array"}]}',
        '{"$ref":"#/$defs/Missing","$defs":{}}',
        '{"$ref":"#/$defs/N","$defs":{"N":{"$ref":"#/$defs/N"}}}',
    ],
)
@pytest.mark.parametrize(
    ("wire", "model"),
    [
        ("anthropic", "claude-haiku-4-5"),
        ("bedrock", "anthropic.claude-haiku-4-5"),
        ("openai_chat", "gpt-5"),
        ("openai_responses", "gpt-4.1"),
    ],
)
def test_parameters_that_are_never_an_object_are_refused(
    wire: str, model: str, schema: str
) -> None:
    request = wg.Request([HI], model, tools=[wg.Tool("f", None, wg.RawJson(schema))])
    with pytest.raises(
        wg.EncodeError, match=r"expected the JSON Schema of an object|without a target"
    ):
        wg.PROVIDERS[wire].encode_request(request, losses=[])


@pytest.mark.parametrize(
    ("key", "value"), [("not", '{"required":["b"]}'), ("enum", '[{"a":1}]'), ("const", '{"a":1}')]
)
def test_openai_gets_a_constraint_of_the_whole_in_words(key: str, value: str) -> None:
    """`schema must have type 'object' and not have ... at the top level`: litellm#38839."""
    schema = f'{{"type":"object","properties":{{"a":{{}}}},"{key}":{value}}}'
    request = wg.Request([HI], "gpt-4o", tools=[wg.Tool("f", None, wg.RawJson(schema))])
    losses: list[wg.Loss] = []
    body = json.loads(wg.providers.openai_chat.encode_request(request, losses=losses))
    assert body["tools"][0]["function"]["parameters"] == {
        "type": "object",
        "properties": {"a": {}},
        "description": f"{key}: {value}",
    }
    assert losses == []


def test_a_union_that_refers_to_itself_many_times_is_read_once() -> None:
    parts = {
        f"n{i}": {"anyOf": [{"$ref": f"#/$defs/n{i + 1}"}, {"$ref": f"#/$defs/n{i + 1}"}]}
        for i in range(60)
    }
    schema = json.dumps({"$ref": "#/$defs/n0", "$defs": {**parts, "n60": json.loads(B)}})
    made, lost = _schema(_asked(schema, strict=False))
    assert json.loads(made)["properties"] == {"do": {"const": "b"}, "y": {"type": "integer"}}
    assert lost == ["schema union"]


def _doubled(levels: int, outer: str, inner: str) -> str:
    """Return a schema in which each object has the next one twice."""
    defs: dict[str, Any] = {str(levels): {"type": "object", "properties": {"p": {"const": -1}}}}
    for i in range(levels):
        following = {"$ref": f"#/$defs/{i + 1}"}
        own = {"type": "object", "properties": {"p": {"const": i}}}
        defs[str(i)] = {outer: [following, {inner: [following, own]}]}
    return json.dumps({"type": "object", outer: [{"$ref": "#/$defs/0"}], "$defs": defs})


BOUND = [
    ("anthropic", "claude-haiku-4-5"),
    ("bedrock", "anthropic.claude-haiku-4-5"),
    ("openai_chat", "gpt-4o"),
    ("openai_responses", "gpt-4.1"),
]
"""A model of each wire that takes no union at the top of a tool's schema."""


@pytest.mark.parametrize(("wire", "model"), BOUND)
@pytest.mark.parametrize("outer", ["allOf", "anyOf", "oneOf"])
@pytest.mark.parametrize("inner", ["allOf", "anyOf", "oneOf"])
def test_a_schema_that_would_double_with_each_level_is_refused(
    wire: str, model: str, outer: str, inner: str
) -> None:
    schema = wg.RawJson(_doubled(14, outer, inner))
    request = wg.Request([HI], model, max_tokens=9, tools=[wg.Tool("f", None, schema)])
    with pytest.raises(wg.EncodeError) as raised:
        wg.PROVIDERS[wire].encode_request(request, losses=[])
    assert str(raised.value) == (
        f"{wire}: unions of tool parameters that are more than 4 times as large as one object, "
        "expected fewer references - at `$.tools[0].parameters`"
    )


@pytest.mark.parametrize("name", ["openai_chat", "openai_responses", "anthropic"])
def test_a_request_with_such_a_schema_is_refused_in_little_time(name: str) -> None:
    body = json.dumps(
        {
            "model": "gpt-4o",
            "messages": [{"role": "user", "content": "x"}],
            "tools": [
                {
                    "type": "function",
                    "function": {
                        "name": "t",
                        "parameters": json.loads(_doubled(150, "allOf", "allOf")),
                    },
                }
            ],
        }
    )
    with pytest.raises(wg.EncodeError, match="4 times as large"):
        wg.translate_request(body, "openai_chat", name, losses=[], model=dict(BOUND)[name])


def test_an_object_that_two_levels_refer_to_is_merged_on_both() -> None:
    assert _schema(_asked(_doubled(1, "allOf", "anyOf"), strict=False)) == (
        '{"type":"object","$defs":{"1":{"type":"object","properties":{"p":{"const":-1}}},'
        '"0":{"allOf":[{"$ref":"#/$defs/1"},{"anyOf":[{"$ref":"#/$defs/1"},'
        '{"type":"object","properties":{"p":{"const":0}}}]}]}},'
        '"properties":{"p":{"allOf":[{"const":-1},{"anyOf":[{"const":-1},{"const":0}]}]}}}',
        ["schema union"],
    )


@pytest.mark.parametrize("outer", ["allOf", "anyOf", "oneOf"])
@pytest.mark.parametrize("inner", ["allOf", "anyOf", "oneOf"])
@pytest.mark.parametrize("words", ["", "words " * 1000], ids=["short", "long"])
def test_unions_may_be_nested_deeply(outer: str, inner: str, words: str) -> None:
    schema: dict[str, Any] = {"properties": {"p": {"description": words}}}
    expected: dict[str, Any] = {"description": words}
    for i in range(50):
        kind = (outer, inner)[i % 2]
        schema = {kind: [schema, {"properties": {"p": {"const": i}}}]}
        expected = {kind.replace("one", "any"): [expected, {"const": i}]}
    made, _ = _schema(_asked(json.dumps(schema), strict=False))
    assert json.loads(made)["properties"] == {"p": expected}


INLINED = {
    "repeated parts, as zod-to-json-schema writes them": (
        '{"anyOf":[{"type":"object","properties":{"kind":{"const":"a"},"src":{"type":"string"},'
        '"dst":{"$ref":"#/anyOf/0/properties/src"}}},'
        '{"type":"object","properties":{"kind":{"const":"b"}}}]}',
        '{"type":"object","properties":{"kind":{"anyOf":[{"const":"a"},{"const":"b"}]},'
        '"src":{"type":"string"},"dst":{"type":"string"}}}',
        ["schema union"],
    ),
    "a chain of them, and a reference that stays": (
        '{"properties":{"q":{"$ref":"#/anyOf/0"}},"anyOf":[{"properties":{'
        '"a":{"$ref":"#/anyOf/0/properties/b"},"b":{"items":[{"$ref":"#/$defs/c"}]}}}],'
        '"$defs":{"c":{"type":"null"}}}',
        '{"type":"object","properties":{"q":{"properties":{"a":{"items":[{"$ref":"#/$defs/c"}]},'
        '"b":{"items":[{"$ref":"#/$defs/c"}]}}},"a":{"items":[{"$ref":"#/$defs/c"}]},'
        '"b":{"items":[{"$ref":"#/$defs/c"}]}},"$defs":{"c":{"type":"null"}}}',
        [],
    ),
    "what is beside a reference binds as well": (
        '{"allOf":[{"properties":{"a":{"type":"string","minLength":1,"description":"One."},'
        '"b":{"$ref":"#/allOf/0/properties/a","description":"Two."},'
        '"c":{"$ref":"#/allOf/0/properties/a","minLength":2}}}]}',
        '{"type":"object","properties":{"a":{"type":"string","minLength":1,"description":"One."},'
        '"b":{"type":"string","minLength":1,"description":"Two."},'
        '"c":{"minLength":2,"allOf":[{"type":"string","minLength":1,"description":"One."}]}}}',
        [],
    ),
    "properties beside a reference at the top, and those of its target": (
        '{"$ref":"#/$defs/A","properties":{"b":{"type":"string"}},"required":["b"],'
        '"$defs":{"A":{"properties":{"a":{"type":"null"}},"required":["a"]}}}',
        '{"type":"object","properties":{"a":{"type":"null"},"b":{"type":"string"}},'
        '"required":["a","b"],'
        '"$defs":{"A":{"properties":{"a":{"type":"null"}},"required":["a"]}}}',
        [],
    ),
    "what two of a chain of references say of one property": (
        '{"$ref":"#/$defs/A","properties":{"a":{"maximum":3}},'
        '"$defs":{"A":{"$ref":"#/$defs/B","required":["a"]},'
        '"B":{"properties":{"a":{"type":"integer"}}}}}',
        '{"type":"object","properties":{"a":{"allOf":[{"type":"integer"},{"maximum":3}]}},'
        '"required":["a"],"$defs":{"A":{"$ref":"#/$defs/B","required":["a"]},'
        '"B":{"properties":{"a":{"type":"integer"}}}}}',
        [],
    ),
    "data that looks like a reference": (
        '{"anyOf":[{"type":"object","properties":{"a":{"default":{"$ref":"#/anyOf/0"},'
        '"const":{"$ref":"#/anyOf/0"},"enum":[{"$ref":"#/anyOf/0"}],'
        '"examples":[{"$ref":"#/anyOf/0"}]}}},{"type":"object"}]}',
        '{"type":"object","properties":{"a":{"default":{"$ref":"#/anyOf/0"},'
        '"const":{"$ref":"#/anyOf/0"},"enum":[{"$ref":"#/anyOf/0"}],'
        '"examples":[{"$ref":"#/anyOf/0"}]}}}',
        ["schema union"],
    ),
    "a property may have the name of a key of data": (
        '{"properties":{"default":{"$ref":"#/anyOf/0/properties/x"}},'
        '"anyOf":[{"properties":{"x":{"type":"null"}}}]}',
        '{"type":"object","properties":{"default":{"type":"null"},"x":{"type":"null"}}}',
        [],
    ),
    "a property that is renamed": (
        '{"type":"object","properties":{"q":{"$ref":"#/properties/a%20b"},"a%20b":{"const":1}}}',
        '{"type":"object","properties":{"q":{"const":1}},'
        '"description":"properties: {\\"a%20b\\":{\\"const\\":1}}"}',
        ["property name"],
    ),
}


@pytest.mark.parametrize(
    ("wire", "model"),
    [("anthropic", "claude-haiku-4-5"), ("bedrock", "anthropic.claude-haiku-4-5")],
)
@pytest.mark.parametrize("case", INLINED)
def test_a_reference_to_what_is_merged_or_renamed_is_written_as_its_target(
    case: str, wire: str, model: str
) -> None:
    schema, expected, lost = INLINED[case]
    tool = wg.Tool("f", None, wg.RawJson(schema))
    losses: list[wg.Loss] = []
    request = wg.Request([HI], model, max_tokens=9, tools=[tool])
    body: Any = json.loads(wg.PROVIDERS[wire].encode_request(request, losses=losses))
    if wire == "anthropic":
        made = body["tools"][0]["input_schema"]
    else:
        made = body["toolConfig"]["tools"][0]["toolSpec"]["inputSchema"]["json"]
    assert json.dumps(made, separators=(",", ":")) == expected
    assert [loss.what for loss in losses] == lost


@pytest.mark.parametrize(
    ("schema", "made"),
    [
        (
            '{"$ref":"#/$defs/A","title":"T","required":["x"],'
            '"$defs":{"A":{"type":"object","properties":{},"required":["z"],"anyOf":[{"required":["a"]}]}}}',
            '{"type":"object","properties":{},"required":["z"],"anyOf":[{"required":["a"]}],"title":"T",'
            '"$defs":{"A":{"type":"object","properties":{},"required":["z"],"anyOf":[{"required":["a"]}]}},'
            '"allOf":[{"required":["x"]}]}',
        ),
        (
            '{"$ref":"#/$defs/A","$defs":{"A":{"type":"object","properties":{},"allOf":[true,{"$ref":"#/no"}]}}}',
            '{"type":"object","properties":{},"allOf":[true,{"$ref":"#/no"}],'
            '"$defs":{"A":{"type":"object","properties":{},"allOf":[true,{"$ref":"#/no"}]}}}',
        ),
    ],
    ids=["what contradicts", "what is not to be followed"],
)
def test_a_model_that_takes_unions_gets_both_parts_of_a_reference(schema: str, made: str) -> None:
    tool = wg.Tool("f", None, wg.RawJson(schema))
    body = wg.providers.openai_chat.encode_request(wg.Request([HI], "m", tools=[tool]))
    assert json.loads(body)["tools"][0]["function"]["parameters"] == json.loads(made)
    assert made.encode() in body


def test_a_chain_of_references_each_of_which_holds_the_next_is_refused() -> None:
    schema: dict[str, Any] = {"type": "object", "properties": {}, "x": "x" * 20_000}
    for i in range(50, 0, -1):
        schema = {"$ref": "#" + "/default" * i, "default": schema}
    tool = wg.Tool("f", None, wg.RawJson(json.dumps(schema)))
    with pytest.raises(wg.EncodeError, match="4 times as large as one object"):
        wg.providers.openai_chat.encode_request(wg.Request([HI], "m", tools=[tool]))


def test_a_chain_of_many_references_is_read() -> None:
    links = {f"d{i}": {"$ref": f"#/$defs/d{i + 1}", "minProperties": i} for i in range(1000)}
    last = {"type": "object", "properties": {"a": {}}, "minProperties": 1000}
    schema = {"$ref": "#/$defs/d0", "$defs": {**links, "d1000": last}}
    tool = wg.Tool("f", None, wg.RawJson(json.dumps(schema)))
    body = wg.providers.openai_chat.encode_request(wg.Request([HI], "m", tools=[tool]))
    assert len(json.loads(body)["tools"][0]["function"]["parameters"]["allOf"]) == 1000


def test_a_reference_to_a_merged_object_that_holds_itself_is_refused() -> None:
    schema = '{"anyOf":[{"properties":{"a":{"items":{"$ref":"#/anyOf/0"}}}},{"required":["a"]}]}'
    with pytest.raises(wg.EncodeError) as raised:
        _schema(_asked(schema, strict=False))
    assert str(raised.value) == (
        "anthropic: `$ref` to `#/anyOf/0`, which this API does not take there, "
        "expected one to `$defs` - at `$.tools[0].parameters`"
    )


def test_references_that_would_double_with_each_level_are_refused() -> None:
    parts: list[Any] = [
        {"properties": {name: {"$ref": f"#/anyOf/{i + 1}"} for name in "ab"}} for i in range(60)
    ]
    schema = {"properties": {"q": {"$ref": "#/anyOf/0"}}, "anyOf": [*parts, {"required": ["q"]}]}
    with pytest.raises(wg.EncodeError, match="4 times as large as one object"):
        _schema(_asked(json.dumps(schema), strict=False))


def test_a_reference_to_nothing_and_one_into_a_list_stay_or_are_followed() -> None:
    schema = '{"type":"object","properties":{"q":{"$ref":"#/$defs/x"}},"anyOf":[{}]}'
    assert _schema(_asked(schema, strict=False)) == (
        '{"type":"object","properties":{"q":{"$ref":"#/$defs/x"}}}',
        [],
    )
    schema = f'{{"$ref":"#/$defs/x/anyOf/0","$defs":{{"x":{{"anyOf":[{B}]}}}}}}'
    made, _ = _schema(_asked(schema, strict=False))
    assert json.loads(made)["properties"] == {"do": {"const": "b"}, "y": {"type": "integer"}}


def test_many_objects_may_have_one_in_common() -> None:
    base = {"properties": {f"p{i}": {"type": "string"} for i in range(40)}, "required": ["p0"]}
    kinds = [
        {"allOf": [{"$ref": "#/$defs/base"}, {"properties": {"kind": {"const": i}}}]}
        for i in range(40)
    ]
    schema = json.dumps({"oneOf": kinds, "$defs": {"base": base}})
    made, lost = _schema(_asked(schema, strict=False))
    assert list(json.loads(made)["properties"]) == [*base["properties"], "kind"]
    assert lost == ["schema union"]


NUMBERS = '"minimum":-1e400,"maximum":1.50,"multipleOf":1e-2,"default":12345678901234567890.5'


def test_numbers_of_a_schema_that_is_merged_stay_as_they_are_written() -> None:
    schema = f'{{"anyOf":[{{"properties":{{"n":{{{NUMBERS}}}}}}},{{"type":"null"}}]}}'
    made = _text(_asked(schema, strict=False))
    assert f'"input_schema":{{"type":"object","properties":{{"n":{{{NUMBERS}}}}}}}' in made


def test_numbers_of_a_schema_that_binds_stay_as_they_are_written() -> None:
    made = _text(_asked(f'{{"type":"object","properties":{{"n":{{{NUMBERS}}}}}}}', strict=True))
    assert (
        '"n":{"default":12345678901234567890.5,'
        '"description":"minimum: -1e400, maximum: 1.50, multipleOf: 1e-2"}' in made
    )


def _text(request: wg.Request) -> str:
    return wg.providers.anthropic.encode_request(request, losses=[]).decode()


ODD = ["[[]]", "[{}]", "[null]", "{}", "null", "5", '"a"', "[1e400]", "[true,1]"]


@pytest.mark.parametrize("required", ODD)
@pytest.mark.parametrize("name", ["openai_chat", "openai_responses"])
def test_what_a_strict_schema_requires_may_be_of_any_shape(name: str, required: str) -> None:
    schema = (
        f'{{"type":"object","properties":{{"a":{{}}}},"required":{required},'
        '"additionalProperties":false}'
    )
    body = (
        '{"model":"gpt-5","response_format":{"type":"json_schema","json_schema":{"name":"a",'
        f'"schema":{schema},"strict":true}}}},"messages":[{{"role":"user","content":"x"}}]}}'
        if name == "openai_chat"
        else '{"model":"gpt-5","text":{"format":{"type":"json_schema","name":"a",'
        f'"schema":{schema},"strict":true}}}},"input":"x"}}'
    )
    provider = wg.PROVIDERS[name]
    request = provider.decode_request(body)
    form = request.response_format
    assert form is not None
    assert form.schema is not None
    assert form.schema.text.decode() == schema
    assert f'"schema":{schema},"strict":true'.encode() in provider.encode_request(request)
    for other in ("anthropic", "openai_chat", "openai_responses"):
        assert wg.translate_request(body, name, other, losses=[], model="claude-haiku-4-5")


@pytest.mark.parametrize("fault", [TypeError, LookupError, RecursionError, wg.DecodeError("x")])
def test_a_fault_of_the_encoder_does_not_end_a_decode(
    fault: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any) -> None:
        raise fault

    monkeypatch.setattr(_schemas, "_is_closed", broken)
    schema = '{"type":"object","required":[[]]}'
    body = (
        '{"model":"gpt-5","input":"x","text":{"format":{"type":"json_schema","name":"a",'
        f'"schema":{schema},"strict":true}}}}}}'
    )
    request = wg.providers.openai_responses.decode_request(body)
    assert request.response_format is not None
    assert request.response_format.schema == {"type": "object", "required": [[]]}


@pytest.mark.parametrize("required", ODD)
def test_what_objects_of_a_union_require_may_be_of_any_shape(required: str) -> None:
    schema = (
        f'{{"anyOf":[{{"required":{required}}},{{"required":["a"],"properties":{{"a":{{}}}}}}]}}'
    )
    for wire, model in BOUND:
        tool = wg.Tool("f", None, wg.RawJson(schema))
        request = wg.Request([HI], model, max_tokens=9, tools=[tool])
        made = wg.PROVIDERS[wire].encode_request(request, losses=[])
        assert b'"properties":{"a":{}}' in made


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
    body = json.loads(wg.providers.anthropic.encode_request(request, losses=losses))
    assert body["metadata"] == {"user_id": sent}
    assert [loss.what for loss in losses] == ([] if user == sent else ["user id"])


@pytest.mark.parametrize(
    "keys",
    [
        '"output_config":{"format":{"type":"grammar","start":"root"}}',
        '"output_config":{"effort":"low","format":{"type":"grammar","start":"root"}}',
        '"output_format":{"type":"grammar","start":"root"}',
    ],
)
def test_a_format_of_another_type_goes_back_as_it_came_and_is_lost_elsewhere(keys: str) -> None:
    losses: list[wg.Loss] = []
    body = _beta(keys, "anthropic", losses)
    assert losses == []
    known = {"model", "max_tokens", "messages"}
    assert {key: body[key] for key in body if key not in known} == json.loads(f"{{{keys}}}")
    assert "textFormat" not in _beta(keys, "bedrock", losses).get("outputConfig", {})
    assert [loss.what for loss in losses] == ["extras"]


def test_a_format_without_its_schema_is_refused() -> None:
    with pytest.raises(wg.DecodeError, match=r"`schema` - at `\$.output_config.format`"):
        _beta('"output_config":{"format":{"type":"json_schema"}}', "bedrock", [])


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


@pytest.mark.parametrize(
    ("schema", "sent"),
    [
        ("{}", {"type": "object"}),
        ('{"properties":{}}', {"type": "object", "properties": {}}),
        ('{"type":"object"}', {"type": "object"}),
        ('{"$ref":"#/$defs/a","$defs":{"a":{"type":"object"}}}', None),
    ],
    ids=["empty", "properties alone", "an object", "a reference"],
)
def test_geminis_parameters_say_that_they_are_an_object(schema: str, sent: Any) -> None:
    """A tool without parameters gets a 400: BerriAI/litellm#18442."""
    function = f'{{"name":"f","parameters":{schema}}}'
    turn = '{"role":"user","content":"hi"}'
    tools = f'[{{"type":"function","function":{function}}}]'
    request = f'{{"model":"gpt-5","messages":[{turn}],"tools":{tools}}}'
    body = wg.translate_request(request, "openai_chat", "gemini", model="gemini-3-flash-preview")
    (tool,) = json.loads(body)["tools"]
    made = tool["functionDeclarations"][0]["parametersJsonSchema"]
    assert made == (sent if sent is not None else json.loads(schema))


def _beta(keys: str, target: str, losses: list[wg.Loss]) -> Any:
    turn = '{"role":"user","content":"hi"}'
    request = f'{{"model":"claude-opus-4-6","max_tokens":9,{keys},"messages":[{turn}]}}'
    return json.loads(wg.translate_request(request, "anthropic", target, losses=losses))
