"""Numbers that JSON has and Python does not, in raw places: they go on as they are written."""

import pytest

import wireglot as wg
from tests.fuzz.providers import PATHS

NUMBERS = {"a power": "1e400", "a huge power": "-1E+1000000000", "5,000 digits": "7" * 5000}
_FUNCTION = '"type":"function","function":{"name":"t","parameters":{"type":"object",'
_SAID = '"messages":[{"role":"user","content":"x"}]'
_GEMINI = '"contents":[{"role":"user","parts":[{"text":"x"}]}'
# Wire and what holds the number, with `@` in its place.
BODIES = {
    "openai_chat: a key beside metadata": f'{{"metadata":{{"a":"b"}},"zz":@,{_SAID}}}',
    "openai_chat: a schema": f'{{"tools":[{{{_FUNCTION}"zz":@}}}}}}],{_SAID}}}',
    "openai_chat: a schema that is held to": '{"response_format":{"type":"json_schema",'
    f'"json_schema":{{"name":"a","schema":{{"zz":@}},"strict":true}}}},{_SAID}}}',
    "openai_chat: a breakpoint": '{"messages":[{"role":"user","content":[{"type":"text",'
    '"text":"x","cache_control":{"type":"ephemeral","zz":@}}]}]}',
    "openai_responses: an item": '{"input":[{"type":"strange","zz":@},{"role":"user",'
    '"content":"x"}]}',
    "openai_responses: a schema": '{"input":"x","tools":[{"type":"function","name":"t",'
    '"parameters":{"zz":@}}]}',
    "openai_responses: a schema that is held to": '{"input":"x","text":{"format":{"type":'
    '"json_schema","name":"a","schema":{"zz":@},"strict":true}}}',
    "anthropic: a schema": '{"max_tokens":9,"tools":[{"name":"t","input_schema":{"type":"object",'
    f'"zz":@}}}}],{_SAID}}}',
    "anthropic: a text": '{"max_tokens":9,"messages":[{"role":"user","content":[{"type":"text",'
    '"text":"x","zz":@}]}]}',
    "gemini: a schema": '{"tools":[{"functionDeclarations":[{"name":"t","parametersJsonSchema":'
    f'{{"type":"object","zz":@}}}}]}}],{_GEMINI}]}}',
    "gemini: a schema in its dialect": '{"tools":[{"functionDeclarations":[{"name":"t",'
    f'"parameters":{{"type":"OBJECT","zz":@}}}}]}}],{_GEMINI}]}}',
    "gemini: a result": f'{{{_GEMINI},{{"role":"model","parts":[{{"functionCall":{{"name":"f",'
    '"args":{"zz":@}}}]},{"role":"user","parts":[{"functionResponse":{"name":"f","response":'
    '{"zz":@}}}]}]}',
    "bedrock: a schema": '{"toolConfig":{"tools":[{"toolSpec":{"name":"t","inputSchema":{"json":'
    '{"type":"object","zz":@}}}}]},"messages":[{"role":"user","content":[{"text":"x"}]}]}',
    "mistral: metadata": f'{{"metadata":{{"zz":@}},{_SAID}}}',
    "mistral: a key": f'{{"zz":@,{_SAID}}}',
    "cohere: a message": '{"messages":[{"role":"user","content":"x","zz":@}]}',
    "ollama: a schema": f'{{"tools":[{{{_FUNCTION}"zz":@}}}}}}],{_SAID}}}',
}


# A schema in another dialect is parsed, and Python reads no integer of so many digits.
PLACES = [
    (place, number)
    for place in BODIES
    for number in NUMBERS
    if (place, number) != ("gemini: a schema in its dialect", "5,000 digits")
]


@pytest.mark.parametrize(("place", "kind"), PLACES)
def test_a_number_that_python_has_not_goes_on_as_it_is_written(place: str, kind: str) -> None:
    name, number = place.partition(":")[0], NUMBERS[kind]
    provider = wg.PROVIDERS[name]
    body = BODIES[place].replace("@", number)
    request = provider.decode_request(body, PATHS.get(name))
    request.model = request.model or "m"
    made = provider.encode_request(request)
    assert f'"zz":{number}'.encode() in made
    assert made == provider.encode_request(
        provider.decode_request(made, provider.route(request).path)
    )


@pytest.mark.parametrize("number", NUMBERS.values(), ids=NUMBERS)
@pytest.mark.parametrize("target", wg.PROVIDERS)
@pytest.mark.parametrize("place", [place for place in BODIES if place.endswith(": a schema")])
def test_what_is_written_for_another_wire_can_be_read_there(
    place: str, target: str, number: str
) -> None:
    name = place.partition(":")[0]
    body = BODIES[place].replace("@", number)
    made = wg.translate_request(body, name, target, losses=[], path=PATHS.get(name), model="m")
    assert f'"zz":{number}'.encode() in made
    read = wg.PROVIDERS[target].decode_request(made)
    assert read.tools is not None
    [tool] = read.tools
    assert isinstance(tool, wg.Tool)
    assert tool.parameters is not None
    assert f'"zz":{number}'.encode() in tool.parameters.text


@pytest.mark.parametrize("target", ["anthropic", "openai_chat", "openai_responses", "bedrock"])
def test_a_schema_that_must_be_merged_and_cannot_be_parsed_is_refused_at_its_place(
    target: str,
) -> None:
    models = {"anthropic": "claude-haiku-4-5", "bedrock": "anthropic.claude-haiku-4-5"}
    schema = wg.RawJson('{"anyOf":[{"properties":{"a":{"const":%s}}}]}' % ("7" * 5000))
    tool = wg.Tool("t", None, schema)
    request = wg.Request(
        [wg.UserMessage.from_text("x")], models.get(target, "gpt-4.1"), max_tokens=9, tools=[tool]
    )
    with pytest.raises(wg.EncodeError) as raised:
        wg.PROVIDERS[target].encode_request(request, losses=[])
    assert str(raised.value) == (
        f"{target}: Integer value out of range - at `$.tools[0].parameters`"
    )
