"""The oracle itself: good requests pass, and each rule has a request that it alone refuses."""

import json
import re
from typing import Any

import pytest

from tests.oracles import openai_responses as oracle

strict = oracle.strict

HI = '{"role":"user","content":"hi"}'
YES = '{"role":"assistant","content":"yes"}'
TEXT = '{"type":"input_text","text":"x"}'
SAID = '{"type":"output_text","text":"x","annotations":[]}'
CALL_A = '{"type":"function_call","call_id":"a","name":"f","arguments":"{}"}'
CALL_B = '{"type":"custom_tool_call","call_id":"b","name":"g","input":"1 +"}'
RESULT_A = '{"type":"function_call_output","call_id":"a","output":"1"}'
RESULT_B = '{"type":"custom_tool_call_output","call_id":"b","output":"2"}'
THOUGHT = '{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"e"}'
ECHO = (
    '{"type":"message","id":"msg_1","status":"completed","role":"assistant","content":['
    + SAID
    + ',{"type":"refusal","refusal":"no"}],"phase":"final_answer"}'
)
SEARCH = (
    '{"type":"web_search_call","id":"ws_1","status":"completed",'
    '"action":{"type":"search","query":"q"}}'
)


def _user(*parts: str) -> str:
    return '{"role":"user","content":[' + ",".join(parts) + "]}"


def _body(*items: str, more: str = '"stream":false') -> bytes:
    return f'{{"model":"m",{more},"input":[{",".join(items)}]}}'.encode()


def _result(output: str) -> str:
    return RESULT_A.replace('"1"', output)


def _tools(*names: str, more: str = '"strict":false,"parameters":null') -> str:
    tools = (f'{{"type":"function","name":"{name}",{more}}}' for name in names)
    return f'"tools":[{",".join(tools)}]'


def _schema(schema: str) -> str:
    return _tools("f", more=f'"strict":false,"parameters":{schema}')


def _image(source: str) -> str:
    return f'{{"type":"input_image","detail":"auto",{source}}}'


def _file(source: str) -> str:
    return f'{{"type":"input_file",{source}}}'


PNG = _image('"image_url":"data:image/png;base64,AA=="')
PDF = _file('"filename":"a.pdf","file_data":"data:application/pdf;base64,AA=="')

GOOD = {
    "a string": ("openai", b'{"model":"m","input":"hi"}'),
    "every role": (
        "openai",
        _body(
            '{"role":"system","content":""}',
            f'{{"type":"message","role":"developer","content":[{TEXT}]}}',
            HI,
            YES,
            ECHO,
            f'{{"role":"assistant","content":[{SAID}]}}',
        ),
    ),
    "two calls, answered in any order": (
        "openai",
        _body(HI, CALL_A, CALL_B, RESULT_B, RESULT_A, HI),
    ),
    "an id that a later answer uses again": (
        "openai",
        _body(HI, CALL_A, RESULT_A, CALL_A, RESULT_A),
    ),
    "arguments that are no JSON": ("openai", _body(CALL_A.replace("{}", "{"), RESULT_A)),
    "reasoning before what it led to": (
        "openai",
        _body(HI, THOUGHT, SEARCH, THOUGHT, CALL_A, RESULT_A, THOUGHT, ECHO),
    ),
    "reasoning without an id, even at the end": (
        "openai",
        _body(HI, THOUGHT.replace('"id":"rs_1",', "")),
    ),
    "media of each kind, in a result as well": (
        "openai",
        _body(
            _user(TEXT, PNG, _image('"image_url":"https://example.org/a.png"'), PDF),
            CALL_A,
            _result(f"[{TEXT},{PNG},{PDF}]"),
        ),
    ),
    "media that the service holds": (
        "xai",
        _body(_user(_image('"file_id":"f"'), _file('"file_id":"f"'))),
    ),
    "tools and a choice among them": (
        "openai",
        _body(
            HI,
            more=_tools("f", "g") + ',"tool_choice":{"type":"allowed_tools","mode":"auto","tools":['
            '{"type":"function","name":"g"}]}',
        ),
    ),
    "a tool of the API's own": ("openai", _body(HI, more='"tools":[{"type":"web_search"}]')),
    "a result whose call is stored": (
        "openai",
        _body(RESULT_A, more='"previous_response_id":"resp_1"'),
    ),
    "nothing but a stored prompt": ("openai", b'{"prompt":{"id":"pmpt_1"}}'),
    "a limit of one": ("xai", _body(HI, more='"max_output_tokens":1')),
    "logprobs of another dialect": ("xai", _body(HI, more='"logprobs":true,"top_logprobs":8')),
    "sampling of another dialect": (
        "openrouter",
        _body(HI, more='"top_k":3,"reasoning":{"max_tokens":9},"stop":["x"]'),
    ),
    "a key that came with a text and goes back": (
        "openai",
        _body(_user(TEXT.replace("}", ',"cache_control":null}'))),
    ),
}


@pytest.mark.parametrize(("dialect", "given"), GOOD.values(), ids=GOOD)
def test_the_oracle_accepts(dialect: str, given: bytes) -> None:
    oracle.check_request(given, dialect)


NOT_TYPED = {
    "a key is unknown": ("openai", _body(HI, more='"top_k":1'), "top_k"),
    "a key deep inside is unknown": (
        "openai",
        _body(_user(TEXT.replace("}", ',"id":"a"}'))),
        "input.0.content.0.id",
    ),
    "an item of an unknown type": ("openai", _body('{"type":"hologram"}'), "input.0"),
    "a role is unknown": ("openai", _body('{"role":"tool","content":"x"}'), "input.0.role"),
    "an answer holds a user's part": (
        "openai",
        _body(f'{{"role":"assistant","content":[{TEXT}]}}'),
        "input.0.content",
    ),
    "a user says an answer's part": ("openai", _body(_user(SAID)), "input.0.content.0"),
    "arguments are an object": (
        "openai",
        _body(CALL_A.replace('"{}"', "{}"), RESULT_A),
        "input.0.arguments",
    ),
    "an image without a detail": (
        "openai",
        _body(_user(PNG.replace('"detail":"auto",', ""))),
        "input.0.content.0.detail",
    ),
    "a function does not say whether it is strict": (
        "openai",
        _body(HI, more=_tools("f", more='"parameters":null')),
        "tools.0.strict",
    ),
    "metadata go to xAI": ("xai", _body(HI, more='"metadata":{}'), "metadata"),
    "reasoning without an id goes to OpenRouter": (
        "openrouter",
        _body(THOUGHT.replace('"id":"rs_1",', "")),
        "input",
    ),
    "a key that OpenRouter does not know": ("openrouter", _body(HI, more='"seed":1'), "seed"),
}


@pytest.mark.parametrize(("dialect", "given", "path"), NOT_TYPED.values(), ids=NOT_TYPED)
def test_the_types_are_strict(dialect: str, given: bytes, path: str) -> None:
    with pytest.raises(strict.OracleError, match=r"^schema: ") as error:
        oracle.check_request(given, dialect)
    assert f" - at {path}" in str(error.value)


NAME = "tool names match their pattern - at "
IDS = "item ids have the form of their type - at "
IMAGE_URL = "images are http urls or data urls - at input.0.content.0.image_url"
BROKEN_RULES = {
    "no input": ("openai", _body(), "there is an input - at input"),
    "no model": ("openai", b'{"input":"hi"}', "there is a model - at model"),
    "content without parts": (
        "openai",
        _body(_user()),
        "no list of parts is empty - at input.0.content",
    ),
    "a result without parts": (
        "openai",
        _body(CALL_A, _result("[]")),
        "no list of parts is empty - at input.1.output",
    ),
    "a message's id is another's": (
        "openai",
        _body(ECHO.replace("msg_1", "1")),
        f"{IDS}input.0.id",
    ),
    "a call's id is no id of a call": (
        "openai",
        _body(CALL_A.replace('"name"', '"id":"toolu_1","name"'), RESULT_A),
        f"{IDS}input.0.id",
    ),
    "an id has a dot": (
        "openai",
        _body(THOUGHT.replace("rs_1", "rs_1.2"), YES),
        f"{IDS}input.0.id",
    ),
    "reasoning without id and content": (
        "openai",
        _body('{"type":"reasoning","summary":[]}', YES),
        "reasoning can be found - at input.0",
    ),
    "reasoning before the user": (
        "openai",
        _body(THOUGHT, HI),
        "stored reasoning is followed by what it led to - at input.0",
    ),
    "reasoning at the end": (
        "openai",
        _body(HI, THOUGHT),
        "stored reasoning is followed by what it led to - at input.1",
    ),
    "an image has two sources": (
        "openai",
        _body(_user(_image('"file_id":"f","image_url":"https://x.org"'))),
        "images have one source - at input.0.content.0",
    ),
    "a path for an image's URL": (
        "openai",
        _body(_user(_image('"image_url":"file:///etc/passwd"'))),
        IMAGE_URL,
    ),
    "an image is a film": (
        "openai",
        _body(_user(_image('"image_url":"data:video/mp4;base64,AA=="'))),
        IMAGE_URL,
    ),
    "an image's base64 is without its padding": (
        "openai",
        _body(_user(_image('"image_url":"data:image/png;base64,AA"'))),
        IMAGE_URL,
    ),
    "a file has no source": (
        "openai",
        _body(_user(_file('"filename":"a.pdf"'))),
        "a file has one source - at input.0.content.0",
    ),
    "a file's data have no name": (
        "openai",
        _body(_user(PDF.replace('"filename":"a.pdf",', ""))),
        "a file has one source - at input.0.content.0",
    ),
    "a file is bare base64": (
        "openai",
        _body(_user(_file('"filename":"a.pdf","file_data":"AA=="'))),
        "file data is a data url of a document - at input.0.content.0.file_data",
    ),
    "a file is a sound": (
        "openai",
        _body(_user(PDF.replace("application/pdf", "audio/mpeg"))),
        "file data is a data url of a document - at input.0.content.0.file_data",
    ),
    "an empty call id": (
        "openai",
        _body(CALL_A.replace('"a"', '""'), RESULT_A.replace('"a"', '""')),
        "call ids have at most 64 characters - at input.0.call_id\n"
        "call ids have at most 64 characters - at input.1.call_id",
    ),
    "two open calls share an id": (
        "openai",
        _body(CALL_A, CALL_A, RESULT_A),
        "open calls have ids of their own - at input.1.call_id",
    ),
    "a call of two is not answered": (
        "openai",
        _body(CALL_A, CALL_B, RESULT_A, HI),
        "every call is answered at once - at input.1.call_id",
    ),
    "a call is answered after the user has spoken": (
        "openai",
        _body(CALL_A, HI, RESULT_A),
        "every call is answered at once - at input.0.call_id\n"
        "every result follows its call - at input.2.call_id",
    ),
    "a custom call is answered as a function's": (
        "openai",
        _body(CALL_B, RESULT_A.replace('"a"', '"b"')),
        "every call is answered at once - at input.0.call_id",
    ),
    "a result has no call": (
        "openai",
        _body(RESULT_A),
        "every result follows its call - at input.0.call_id",
    ),
    "a call has two results": (
        "openai",
        _body(CALL_A, RESULT_A, RESULT_A),
        "every call has one result - at input.2.call_id",
    ),
    "a tool's name has a dot": ("openai", _body(HI, more=_tools("f.g")), f"{NAME}tools.0.name"),
    "a tool's name has 65 characters": (
        "openai",
        _body(HI, more=_tools("f" * 65)),
        f"{NAME}tools.0.name",
    ),
    "a call's name is empty": (
        "openai",
        _body(CALL_A.replace('"f"', '""'), RESULT_A),
        f"{NAME}input.0.name",
    ),
    "two tools share a name": (
        "openai",
        _body(HI, more=_tools("f", "f")),
        "tool names are unique - at tools.1.name",
    ),
    "a tool's parameters are an array": (
        "openai",
        _body(HI, more=_schema('{"type":"array","properties":{}}')),
        "tool parameters describe an object - at tools.0.parameters",
    ),
    "a tool's parameters have no properties": (
        "openai",
        _body(HI, more=_schema('{"type":"object"}')),
        "tool parameters describe an object - at tools.0.parameters",
    ),
    "a function does not say to OpenRouter whether it is strict": (
        "openrouter",
        _body(HI, more=_tools("f", more='"parameters":null')),
        "every function says whether it is strict - at tools.0.strict",
    ),
    "a choice without tools": (
        "openai",
        _body(HI, more='"tool_choice":"required"'),
        "what governs tools stands with tools - at tool_choice",
    ),
    "a choice of a tool that is not there": (
        "openai",
        _body(HI, more=_tools("f") + ',"tool_choice":{"type":"function","name":"g"}'),
        "a named choice is one of the tools - at tool_choice.name",
    ),
    "the temperature is above its range": (
        "openai",
        _body(HI, more='"temperature":2.1'),
        "numbers keep to their ranges - at temperature",
    ),
    "stream options without a stream": (
        "openai",
        _body(HI, more='"stream_options":{"include_obfuscation":false}'),
        "stream options go with a stream - at stream_options",
    ),
    "a schema's name has a space": (
        "openai",
        _body(HI, more='"text":{"format":{"type":"json_schema","name":"a b","schema":{}}}'),
        "an answers schema has a plain name - at text.format.name",
    ),
    "a value of the metadata has 513 characters": (
        "openai",
        _body(HI, more='"metadata":' + json.dumps({"a": "b" * 513})),
        "metadata is small - at metadata.a",
    ),
    "17 pairs of metadata": (
        "openai",
        _body(HI, more='"metadata":' + json.dumps({str(i): "b" for i in range(17)})),
        "metadata is small - at metadata",
    ),
    "an identifier has 129 characters": (
        "openai",
        _body(HI, more=f'"safety_identifier":"{"a" * 129}"'),
        "an identifier has at most 128 characters - at safety_identifier",
    ),
    "a limit of 15": (
        "azure",
        _body(HI, more='"max_output_tokens":15'),
        "a limit is at least 16 - at max_output_tokens",
    ),
    "xAI includes logprobs": (
        "xai",
        _body(HI, more='"include":["message.output_text.logprobs"]'),
        "only reasoning is included - at include.0",
    ),
    "a custom call goes to xAI": (
        "xai",
        _body(CALL_B, RESULT_B),
        "there are no custom tools - at input.0\nthere are no custom tools - at input.1",
    ),
    "a file's data go to xAI": (
        "xai",
        _body(_user(PDF)),
        "files are stored - at input.0.content.0",
    ),
    "xAI is asked for nine logprobs": (
        "xai",
        _body(HI, more='"logprobs":true,"top_logprobs":9'),
        "top logprobs go with logprobs - at top_logprobs",
    ),
}


@pytest.mark.parametrize(("dialect", "given", "message"), BROKEN_RULES.values(), ids=BROKEN_RULES)
def test_a_rule_is_broken(dialect: str, given: bytes, message: str) -> None:
    with pytest.raises(strict.OracleError) as error:
        oracle.check_request(given, dialect)
    assert str(error.value) == message


def test_every_rule_has_a_body_that_breaks_it() -> None:
    rules: list[Any] = [*oracle.RULES, *(r for some in oracle.DIALECT_RULES.values() for r in some)]
    broken = " ".join(message for *_, message in BROKEN_RULES.values())
    assert [strict.sentence(rule) for rule in rules if strict.sentence(rule) not in broken] == []


def test_every_rule_names_its_source() -> None:
    for rule in oracle.RULES:
        assert re.match(r"(SDK|Docs|Error): ", rule.__doc__)
