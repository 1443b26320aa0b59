"""The oracle itself: good requests pass, and each rule has a request that it alone refuses."""

import gzip
import json
import re

import pytest

from tests.oracles import openai_chat as oracle
from tests.traffic import TRAFFIC, needs_traffic

strict = oracle.strict

HI = '{"role":"user","content":"hi"}'
TEXT = '{"type":"text","text":"x"}'
CALL_A = '{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}'
CALL_B = '{"id":"b","type":"custom","custom":{"name":"g","input":"1 +"}}'
RESULT_A = '{"role":"tool","tool_call_id":"a","content":"1"}'
RESULT_B = f'{{"role":"tool","tool_call_id":"b","content":[{TEXT}]}}'
MARKED = '{"type":"text","text":"x","cache_control":{"type":"ephemeral"}}'
STORED = '"store":true,"metadata":'
THINKING = '"thinking":{"type":"enabled"}'


def _user(*parts: str) -> str:
    return '{"role":"user","content":[' + ",".join(parts) + "]}"


def _assistant(*calls: str, more: str = '"content":null') -> str:
    return f'{{"role":"assistant",{more},"tool_calls":[{",".join(calls)}]}}'


def _call(call_id: str = "a", name: str = "f") -> str:
    call = CALL_A.replace('"id":"a"', f'"id":"{call_id}"')
    return call.replace('"name":"f"', f'"name":"{name}"')


def _result(call_id: str) -> str:
    return RESULT_A.replace('"a"', f'"{call_id}"')


def _body(*messages: str, more: str = '"stream":false') -> bytes:
    return f'{{"model":"m",{more},"messages":[{",".join(messages)}]}}'.encode()


def _tools(*names: str, parameters: str = '{"type":"object","properties":{}}') -> str:
    tools = (
        f'{{"type":"function","function":{{"name":"{name}","parameters":{parameters}}}}}'
        for name in names
    )
    return f'"tools":[{",".join(tools)}]'


def _image(url: str) -> str:
    return f'{{"type":"image_url","image_url":{{"url":"{url}"}}}}'


def _file(fields: str) -> str:
    return f'{{"type":"file","file":{{{fields}}}}}'


PNG = _image("data:image/png;base64,AA==")
PDF = _file('"filename":"a.pdf","file_data":"data:application/pdf;base64,AA=="')
AUDIO = '{"type":"input_audio","input_audio":{"data":"AA==","format":"wav"}}'
TOOL_IMAGE = f'{{"role":"tool","tool_call_id":"a","content":[{TEXT},{PNG}]}}'

GOOD = {
    "a string": ("openai", _body(HI)),
    "every role": (
        "openai",
        _body(
            '{"role":"system","content":""}',
            f'{{"role":"developer","content":[{TEXT}],"name":"dev-1"}}',
            HI,
            '{"role":"assistant","content":"x","refusal":null}',
        ),
    ),
    "two calls, answered in any order": (
        "openai",
        _body(HI, _assistant(CALL_A, CALL_B), RESULT_B, RESULT_A, HI),
    ),
    "an id that a later message uses again": (
        "openai",
        _body(HI, _assistant(CALL_A), RESULT_A, _assistant(CALL_A), RESULT_A),
    ),
    "arguments that are no JSON": (
        "openai",
        _body(_assistant(CALL_A.replace("{}", "{")), RESULT_A),
    ),
    "media of each kind": (
        "openai",
        _body(_user(TEXT, PNG, _image("https://example.org/a.png"), PDF, AUDIO)),
    ),
    "tools and a choice among them": (
        "openai",
        _body(
            HI,
            more=_tools("f", "g")
            + ',"tool_choice":{"type":"function","function":{"name":"g"}},"stop":["x"]',
        ),
    ),
    "a stream with its options": (
        "openai",
        _body(HI, more='"stream":true,"stream_options":{"include_usage":true}'),
    ),
    "no model, for the URL names the deployment": ("azure", b'{"messages":[' + HI.encode() + b"]}"),
    "thinking that goes back before a call": (
        "deepseek",
        _body(HI, _assistant(CALL_A, more='"content":"","reasoning_content":""'), RESULT_A),
    ),
    "a call without thinking, which is turned off": (
        "deepseek",
        _body(_assistant(CALL_A), RESULT_A, more='"thinking":{"type":"disabled"}'),
    ),
    "an image in a tool's result": ("groq", _body(_assistant(CALL_A), TOOL_IMAGE)),
    "stream options, which the SDK's type has not": (
        "groq",
        _body(HI, more='"stream":true,"stream_options":{"include_usage":true}'),
    ),
    "reasoning with its details and its budget": (
        "openrouter",
        _body(
            HI,
            '{"role":"assistant","content":"x","reasoning":"y","reasoning_details":'
            '[{"type":"reasoning.text","text":"y","signature":"s","index":0}]}',
            more='"reasoning":{"max_tokens":1024}',
        ),
    ),
    "a cache mark of another dialect, which is ignored": ("openai", _body(_user(MARKED))),
    "a film": ("vllm", _body(_user('{"type":"video_url","video_url":{"url":"https://a.org/b"}}'))),
    "a budget to think with": (
        "qwen",
        _body(HI, more='"enable_thinking":true,"thinking_budget":9'),
    ),
    "an image in the result of a local tool": ("llamacpp", _body(_assistant(CALL_A), TOOL_IMAGE)),
}


@pytest.mark.parametrize(("dialect", "body"), GOOD.values(), ids=GOOD)
def test_the_oracle_accepts(dialect: str, body: bytes) -> None:
    oracle.check_request(body, dialect)


NOT_TYPED = {
    "a key is unknown": ("openai", _body(HI, more='"top_k":1'), "top_k"),
    "thinking goes to OpenAI": (
        "openai",
        _body('{"role":"assistant","content":"x","reasoning_content":"y"}'),
        "messages.0.reasoning_content",
    ),
    "a result holds an image": (
        "openai",
        _body(_assistant(CALL_A), TOOL_IMAGE),
        "messages.1.content.1",
    ),
    "a limit of another dialect": (
        "deepseek",
        _body(HI, more='"max_completion_tokens":1'),
        "max_completion_tokens",
    ),
    "no model": ("openai", b'{"messages":[' + HI.encode() + b"]}", "model"),
    "a key deep inside is unknown": (
        "openrouter",
        _body(_user('{"type":"text","text":"x","id":"a"}')),
        "messages.0.content.0.id",
    ),
    "arguments are an object": (
        "openrouter",
        _body(_assistant(CALL_A.replace('"{}"', "{}")), RESULT_A),
        "messages.0",
    ),
    "a part of an unknown type": (
        "groq",
        _body(_user('{"type":"input_audio","input_audio":{"data":"","format":"wav"}}')),
        "messages.0.content.0",
    ),
}


@pytest.mark.parametrize(("dialect", "body", "path"), NOT_TYPED.values(), ids=NOT_TYPED)
def test_the_types_are_strict(dialect: str, body: bytes, path: str) -> None:
    with pytest.raises(strict.OracleError, match=r"^schema: ") as error:
        oracle.check_request(body, dialect)
    assert f" - at {path}" in str(error.value)


NAME = "tool names match their pattern - at "
BROKEN_RULES = {
    "no message": ("openai", _body(), "there is a message - at messages"),
    "content without parts": (
        "openai",
        _body(_user()),
        "no list in a message is empty - at messages.0.content",
    ),
    "an empty list of calls": (
        "openai",
        _body(_assistant(more='"content":"x"')),
        "no list in a message is empty - at messages.0.tool_calls",
    ),
    "an assistant without content": (
        "openai",
        _body(HI, '{"role":"assistant","content":null}'),
        "an assistant says something or calls - at messages.1.content",
    ),
    "a participant's name has a space": (
        "openai",
        _body('{"role":"user","content":"x","name":"a b"}'),
        "participants have plain names - at messages.0.name",
    ),
    "a path for an image's URL": (
        "openai",
        _body(_user(_image("file:///etc/passwd"))),
        "images are http urls or data urls - at messages.0.content.0.image_url.url",
    ),
    "an image is a film": (
        "openai",
        _body(_user(_image("data:video/mp4;base64,AA=="))),
        "images are http urls or data urls - at messages.0.content.0.image_url.url",
    ),
    "an image's base64 is without its padding": (
        "openai",
        _body(_user(_image("data:image/png;base64,AA"))),
        "images are http urls or data urls - at messages.0.content.0.image_url.url",
    ),
    "audio is a data URL": (
        "openai",
        _body(_user(AUDIO.replace("AA==", "data:audio/wav;base64,AA=="))),
        "audio is bare base64 - at messages.0.content.0.input_audio.data",
    ),
    "a file has no source": (
        "openai",
        _body(_user(_file('"filename":"a.pdf"'))),
        "a file has one source - at messages.0.content.0.file",
    ),
    "a file is bare base64": (
        "openai",
        _body(_user(_file('"filename":"a.pdf","file_data":"AA=="'))),
        "file data is a pdf in a data url - at messages.0.content.0.file.file_data",
    ),
    "a file is no PDF": (
        "openai",
        _body(_user(PDF.replace("application/pdf", "text/plain"))),
        "file data is a pdf in a data url - at messages.0.content.0.file.file_data",
    ),
    "an empty id": (
        "openai",
        _body(_assistant(_call("")), _result("")),
        "call ids are not empty - at messages.0.tool_calls.0.id",
    ),
    "two calls of one message share an id": (
        "openai",
        _body(_assistant(CALL_A, CALL_A), RESULT_A),
        "call ids are unique in their message - at messages.0.tool_calls.1.id",
    ),
    "a call of two is not answered": (
        "openai",
        _body(_assistant(CALL_A, CALL_B), RESULT_A, HI),
        "every call is answered at once - at messages.0.tool_calls.1.id",
    ),
    "a call at the end is not answered": (
        "openai",
        _body(HI, _assistant(CALL_A)),
        "every call is answered at once - at messages.1.tool_calls.0.id",
    ),
    "a result has no call": (
        "openai",
        _body(RESULT_A),
        "every result follows its call - at messages.0.tool_call_id",
    ),
    "a call has two results": (
        "openai",
        _body(_assistant(CALL_A), RESULT_A, RESULT_A),
        "every call has one result - at messages.2.tool_call_id",
    ),
    "a tool's name has a dot": (
        "openai",
        _body(HI, more=_tools("f.g")),
        NAME + "tools.0.function.name",
    ),
    "a tool's name has 65 characters": (
        "openai",
        _body(HI, more=_tools("f" * 65)),
        NAME + "tools.0.function.name",
    ),
    "a call's name is empty": (
        "openai",
        _body(_assistant(_call(name="")), RESULT_A),
        NAME + "messages.0.tool_calls.0.function.name",
    ),
    "two tools share a name": (
        "openai",
        _body(HI, more=_tools("f", "f")),
        "tool names are unique - at tools.1.function.name",
    ),
    "no tool in the list": (
        "openai",
        _body(HI, more='"tools":[]'),
        "no list of tools is empty - at tools",
    ),
    "a tool's parameters are an array": (
        "openai",
        _body(HI, more=_tools("f", parameters='{"type":"array","properties":{}}')),
        "tool parameters describe an object - at tools.0.function.parameters",
    ),
    "a tool's parameters have no properties": (
        "openai",
        _body(HI, more=_tools("f", parameters='{"type":"object"}')),
        "tool parameters describe an object - at tools.0.function.parameters",
    ),
    "a choice without tools": (
        "openai",
        _body(HI, more='"tool_choice":"auto"'),
        "what governs tools stands with tools - at tool_choice",
    ),
    "a choice of a tool that is not there": (
        "openai",
        _body(
            HI,
            more=_tools("f") + ',"tool_choice":{"type":"function","function":{"name":"g"}}',
        ),
        "a named choice is one of the tools - at tool_choice.function.name",
    ),
    "the temperature is above its range": (
        "openai",
        _body(HI, more='"temperature":2.1'),
        "numbers keep to their ranges - at temperature",
    ),
    "both limits": (
        "openai",
        _body(HI, more='"max_tokens":1,"max_completion_tokens":1'),
        "there is one token limit - at max_tokens",
    ),
    "five stops": (
        "openai",
        _body(HI, more='"stop":["a","b","c","d","e"]'),
        "there are at most four stops - at stop",
    ),
    "top logprobs alone": (
        "openai",
        _body(HI, more='"top_logprobs":1'),
        "top logprobs go with logprobs - at top_logprobs",
    ),
    "stream options without a stream": (
        "openai",
        _body(HI, more='"stream_options":{"include_usage":true}'),
        "stream options go with a stream - at stream_options",
    ),
    "a response format's name has a space": (
        "openai",
        _body(HI, more='"response_format":{"type":"json_schema","json_schema":{"name":"a b"}}'),
        "a response format has a plain name - at response_format.json_schema.name",
    ),
    "an id has 41 characters": (
        "openai",
        _body(_assistant(_call("a" * 41)), _result("a" * 41)),
        "call ids have at most 40 characters - at messages.0.tool_calls.0.id",
    ),
    "metadata without store": (
        "openai",
        _body(HI, more='"metadata":{"a":"b"}'),
        "metadata goes with store - at metadata",
    ),
    "a value of the metadata has 513 characters": (
        "openai",
        _body(HI, more=STORED + json.dumps({"a": "b" * 513})),
        "metadata is small - at metadata.a",
    ),
    "17 pairs of metadata": (
        "openai",
        _body(HI, more=STORED + json.dumps({str(i): "b" for i in range(17)})),
        "metadata is small - at metadata",
    ),
    "an identifier has 129 characters": (
        "openai",
        _body(HI, more=f'"safety_identifier":"{"a" * 129}"'),
        "an identifier has at most 128 characters - at safety_identifier",
    ),
    "an image goes to DeepSeek": (
        "deepseek",
        _body(_user(PNG)),
        "every part is text - at messages.0.content.0.image_url",
    ),
    "a call is forced while thinking": (
        "deepseek",
        _body(HI, more=_tools("f") + f',{THINKING},"tool_choice":"required"'),
        "thinking goes with no forced call - at tool_choice",
    ),
    "thinking before a call is left out": (
        "deepseek",
        _body(_assistant(CALL_A), RESULT_A),
        "thinking before a call goes back - at messages.0.reasoning_content",
    ),
    "a choice is an object": (
        "llamacpp",
        _body(
            HI,
            more=_tools("f") + ',"tool_choice":{"type":"function","function":{"name":"f"}}',
        ),
        "a choice of tool is a word - at tool_choice",
    ),
    "five cache marks": (
        "openrouter",
        _body(_user(*[MARKED] * 5)),
        "there are at most four cache marks - at messages.0.content.4.cache_control",
    ),
}


@pytest.mark.parametrize(("dialect", "body", "message"), BROKEN_RULES.values(), ids=BROKEN_RULES)
def test_the_oracle_refuses(dialect: str, body: bytes, message: str) -> None:
    with pytest.raises(strict.OracleError) as error:
        oracle.check_request(body, dialect)
    assert str(error.value) == message


def test_every_rule_has_a_request_that_breaks_it() -> None:
    broken = {message.partition(" - at ")[0] for _, _, message in BROKEN_RULES.values()}
    rules = {*oracle.RULES, *(rule for rules in oracle.DIALECT_RULES.values() for rule in rules)}
    assert broken == {strict.sentence(rule) for rule in rules}


def test_every_fault_has_its_line() -> None:
    with pytest.raises(strict.OracleError) as error:
        oracle.check_request(_body(_user(), RESULT_A))
    assert str(error.value).splitlines() == [
        "no list in a message is empty - at messages.0.content",
        "every result follows its call - at messages.1.tool_call_id",
    ]


# Keys of responses and of other dialects, and nulls, which the API takes but does not document.
TOLERATED = re.compile(
    r"schema: [^\n]* - at (tools|response_format|messages\.\d+\."
    r"(annotations|name|reasoning_signature|tool_calls\.\d+\.index))"
)


@needs_traffic
def test_the_oracle_accepts_what_openai_has_answered() -> None:
    refused = {}
    with gzip.open(TRAFFIC / "openai_chat.jsonl.gz", "rt", encoding="utf-8") as lines:
        for exchange in map(json.loads, lines):
            if exchange["status"] == 200 and "request" in exchange:
                try:
                    oracle.check_request(exchange["request"].encode())
                except strict.OracleError as error:
                    if not TOLERATED.fullmatch(str(error)):
                        refused[exchange["id"]] = str(error)
    assert not refused
