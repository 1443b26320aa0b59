"""The oracle itself: good requests pass, and each rule has a request that it alone refuses."""

import gzip
import json
from typing import Any

import pytest

from tests.oracles import mistral
from tests.traffic import TRAFFIC, needs_traffic

strict = mistral.strict


HI = '{"role":"user","content":"hi"}'
ANSWER = '{"role":"assistant","content":"yes"}'
PREFIX = '{"role":"assistant","content":"yes","prefix":true}'
SYSTEM = '{"role":"system","content":"be brief"}'
TEXT = '{"type":"text","text":"x"}'
THOUGHT = '{"type":"thinking","thinking":[{"type":"text","text":"hm"}],"closed":true}'
REFERENCE = '{"type":"reference","reference_ids":[1,"a"]}'
PNG = "data:image/png;base64,AA=="
BMP = "data:image/bmp;base64,AA=="


def _call(call_id: str, name: str = "f", kind: str = '"type":"function",') -> str:
    return f'{{"id":"{call_id}",{kind}"function":{{"name":"{name}","arguments":"{{}}"}}}}'


def _calls(*calls: str) -> str:
    return f'{{"role":"assistant","content":"","tool_calls":[{",".join(calls)}]}}'


def _result(call_id: str, more: str = "") -> str:
    return f'{{"role":"tool","tool_call_id":"{call_id}",{more}"content":"ok"}}'


A, B = "aaaaaaaa1", "bbbbbbbb2"
CALL = _calls(_call(A))
RESULT = _result(A)


def _said(role: str, *chunks: str) -> str:
    return f'{{"role":"{role}","content":[{",".join(chunks)}]}}'


def _image(url: str) -> str:
    return f'{{"type":"image_url","image_url":"{url}"}}'


def _long_image(url: str) -> str:
    return _image("").replace('""', f'{{"url":"{url}","detail":"low"}}')


def _body(*messages: str, more: str = '"stream":false') -> bytes:
    return f'{{"model":"m",{more},"messages":[{",".join(messages)}]}}'.encode()


def _tool(name: str) -> str:
    return f'{{"type":"function","function":{{"name":"{name}","parameters":{{"x":1}}}}}}'


SCHEMA = '{"name":"s","schema":{"x":{}},"strict":true}'

GOOD = {
    "a string": _body(HI),
    "a lone system message": _body(SYSTEM),
    "system messages before the talk and after a user": _body(
        SYSTEM, SYSTEM, HI, SYSTEM, ANSWER, HI
    ),
    "a talk that the assistant opens": _body(ANSWER, HI),
    "two calls, answered in another order, then a user": _body(
        HI, _calls(_call(A), _call(B)), _result(B, '"name":"f",'), _result(A), HI
    ),
    "an id that a later message uses again": _body(HI, CALL, RESULT, CALL, RESULT),
    "arguments that are an object": _body(CALL.replace('"{}"', '{"x":1}'), RESULT),
    "an answer without content": _body(
        '{"role":"assistant","tool_calls":[' + _call(A) + "]}", RESULT
    ),
    "a prefix": _body(HI, PREFIX),
    "thinking that goes back": _body(HI, _said("assistant", THOUGHT, TEXT, REFERENCE), HI),
    "thinking in a system message": _body(_said("system", TEXT, THOUGHT), HI),
    "images, by URL in two forms and inline": _body(
        _said(
            "user",
            TEXT,
            _image("https://a.example/b.png"),
            _image(PNG),
            _long_image(PNG),
        )
    ),
    "a document, a file, sound and a resource": _body(
        _said(
            "user",
            '{"type":"document_url","document_url":"data:application/pdf;base64,AA==",'
            '"document_name":"a.pdf"}',
            '{"type":"document_url","document_url":"http://a.example/b.pdf"}',
            '{"type":"file","file_id":"x"}',
            '{"type":"input_audio","input_audio":"AAAA"}',
            '{"type":"input_audio","input_audio":"https://a.example/b.mp3"}',
            '{"type":"resource_link","uri":"x:y"}',
        )
    ),
    "an image in a result": _body(HI, CALL, RESULT.replace('"ok"', f"[{TEXT},{_image(PNG)}]")),
    "tools, one with keys of the caller's in its schema, and a connector": _body(
        HI,
        more=f'"tools":[{_tool("f-1")},{{"type":"image_generation"}}],'
        '"tool_choice":{"type":"function","function":{"name":"f-1"}},"parallel_tool_calls":false',
    ),
    "sampling": _body(
        HI,
        more='"temperature":0,"top_p":1,"stop":["x"],"random_seed":0,"max_tokens":1,"n":2,'
        '"presence_penalty":-2,"frequency_penalty":2,"top_k":5,"tool_choice":"any"',
    ),
    "a schema, an effort and a tier": _body(
        HI,
        more=f'"response_format":{{"type":"json_schema","json_schema":{SCHEMA}}},'
        '"reasoning_effort":"high","prompt_mode":"reasoning","service_tier":"standard_only",'
        '"metadata":{"x":[1]},"safe_prompt":true,"prompt_cache_key":"k"',
    ),
    "JSON without a schema, and a stream": _body(
        HI, more='"response_format":{"type":"json_object"},"stream":true'
    ),
}


@pytest.mark.parametrize("body", GOOD.values(), ids=GOOD)
def test_mistral_accepts(body: bytes) -> None:
    mistral.check_request(body)


EXTRA = "schema: Extra inputs are not permitted - at "
NOT_TYPED = {
    "a required key is missing": (b'{"messages":[]}', "schema: Field required - at model"),
    "a key of OpenAI's": (
        _body(HI, more='"max_completion_tokens":1'),
        EXTRA + "max_completion_tokens",
    ),
    "a message has a name": (_body(HI[:-1] + ',"name":"x"}'), EXTRA + "messages.0.name"),
    "a key deep inside is unknown": (
        _body(_said("user", TEXT[:-1] + ',"id":1}')),
        EXTRA + "messages.0.content.0.id",
    ),
    "a role is unknown": (
        _body('{"role":"developer","content":"x"}'),
        "schema: Input should be an object with one of role=system, role=user, role=assistant,"
        " role=tool - at messages.0",
    ),
    "a chunk is of an unknown type": (
        _body(_said("system", _image("x"))),
        "schema: Input should be an object with one of type=text, type=thinking"
        " - at messages.0.content.0",
    ),
    "sound is in OpenAI's form": (
        _body(_said("user", '{"type":"input_audio","input_audio":{"data":"AA==","format":"wav"}}')),
        "schema: Input should be a valid string - at messages.0.content.0.input_audio",
    ),
    "an effort is unknown": (
        _body(HI, more='"reasoning_effort":"huge"'),
        "schema: Input should be 'none', 'minimal', 'low', 'medium', 'high', 'xhigh' or 'max'"
        " - at reasoning_effort",
    ),
    "a choice is unknown": (
        _body(HI, more='"tool_choice":"f"'),
        "schema: Input should be 'auto', 'none', 'any' or 'required' - at tool_choice",
    ),
    "a tool is without its type": (
        _body(HI, more='"tools":[{"function":{"name":"f","parameters":{}}}]'),
        "schema: Input should be an object with one of type=function, type=image_generation,"
        " type=document_library, type=connector - at tools.0",
    ),
    "a tool is without parameters": (
        _body(HI, more='"tools":[{"type":"function","function":{"name":"f"}}]'),
        "schema: Field required - at tools.0.function.parameters",
    ),
    "a string stands for a number": (
        _body(HI, more='"max_tokens":"1"'),
        "schema: Input should be a valid integer - at max_tokens",
    ),
}


@pytest.mark.parametrize(("body", "message"), NOT_TYPED.values(), ids=NOT_TYPED)
def test_the_types_are_strict(body: bytes, message: str) -> None:
    with pytest.raises(strict.OracleError) as error:
        mistral.check_request(body)
    assert str(error.value) == message


LONG = "f" * 65

BROKEN_RULES = {
    "no message": (_body(), "there is a message - at messages"),
    "an answer stands alone": (_body(PREFIX), "a lone message is no answer - at messages.0"),
    "a system message follows an answer": (
        _body(HI, ANSWER, SYSTEM, HI),
        "roles follow each other - at messages.2.role",
    ),
    "a system message follows a result": (
        _body(HI, CALL, RESULT, SYSTEM),
        "roles follow each other - at messages.3.role",
    ),
    "the last message is an answer": (
        _body(HI, ANSWER),
        "an answer at the end is a prefix - at messages.1.prefix",
    ),
    "a prefix is followed": (
        _body(HI, PREFIX, HI),
        "a prefix stands at the end - at messages.1.prefix",
    ),
    "an answer is an empty string": (
        _body('{"role":"assistant","content":""}', HI),
        "an assistant says something or calls - at messages.0",
    ),
    "an answer is an empty list, its calls too": (
        _body('{"role":"assistant","content":[],"tool_calls":[]}', HI),
        "an assistant says something or calls - at messages.0",
    ),
    "a user's content is null": (
        _body('{"role":"user","content":null}'),
        "only an assistant leaves its content out - at messages.0.content",
    ),
    "a user thinks": (
        _body(_said("user", THOUGHT)),
        "every chunk stays with its role - at messages.0.content.0",
    ),
    "an assistant shows an image": (
        _body(_said("assistant", TEXT, _image(PNG)), HI),
        "every chunk stays with its role - at messages.0.content.1",
    ),
    "a tool thinks": (
        _body(CALL, RESULT.replace('"ok"', f"[{THOUGHT}]")),
        "every chunk stays with its role - at messages.1.content.0",
    ),
    "an image is a file": (
        _body(_said("user", _image("file:///a.png"))),
        "images are http urls or data urls - at messages.0.content.0.image_url",
    ),
    "an image's base64 is without its padding": (
        _body(_said("user", _long_image(PNG.rstrip("=")))),
        "images are http urls or data urls - at messages.0.content.0.image_url.url",
    ),
    "an image in a result is a BMP": (
        _body(CALL, RESULT.replace('"ok"', f"[{_image(BMP)}]")),
        "images are http urls or data urls - at messages.1.content.0.image_url",
    ),
    "a document is bare base64": (
        _body(_said("user", '{"type":"document_url","document_url":"AAAA"}')),
        "documents are http urls or data urls - at messages.0.content.0.document_url",
    ),
    "sound is a data URL": (
        _body(_said("user", '{"type":"input_audio","input_audio":"data:audio/wav;base64,AA=="}')),
        "audio is an http url or bare base64 - at messages.0.content.0.input_audio",
    ),
    "ids are OpenAI's": (
        _body(_calls(_call("call_1")), _result("call_1")),
        "call ids are nine letters and digits - at messages.0.tool_calls.0.id\n"
        "call ids are nine letters and digits - at messages.1.tool_call_id",
    ),
    "two calls share an id": (
        _body(_calls(_call(A), _call(A)), RESULT),
        "call ids are unique in their message - at messages.0.tool_calls.1.id",
    ),
    "a call of two is not answered": (
        _body(_calls(_call(A), _call(B)), RESULT),
        "every call is answered at once - at messages.0.tool_calls.1.id",
    ),
    "a user interrupts a call": (
        _body(CALL, HI),
        "every call is answered at once - at messages.0.tool_calls.0.id",
    ),
    "a result has no call": (
        _body(ANSWER, RESULT),
        "every result follows its call - at messages.1.tool_call_id",
    ),
    "a call has two results": (
        _body(CALL, RESULT, RESULT),
        "every call has one result - at messages.2.tool_call_id",
    ),
    "a call is without its type": (
        _body(_calls(_call(A, kind="")), RESULT),
        "every call is of a function - at messages.0.tool_calls.0.type",
    ),
    "a tool's name has a dot": (
        _body(HI, more=f'"tools":[{_tool("f")},{_tool("f.g")}]'),
        "function names match their pattern - at tools.1.function.name",
    ),
    "a call's name has 65 characters": (
        _body(_calls(_call(A, LONG)), RESULT),
        "function names match their pattern - at messages.0.tool_calls.0.function.name",
    ),
    "a result's name is empty": (
        _body(CALL, _result(A, '"name":"",')),
        "function names match their pattern - at messages.1.name",
    ),
    "a choice's name has a space": (
        _body(HI, more='"tool_choice":{"type":"function","function":{"name":"f g"}}'),
        "function names match their pattern - at tool_choice.function.name",
    ),
    "the temperature is above its range": (
        _body(HI, more='"temperature":1.6'),
        "numbers keep to their ranges - at temperature",
    ),
    "the seed is negative": (
        _body(HI, more='"random_seed":-1'),
        "numbers keep to their ranges - at random_seed",
    ),
    "a temperature of zero goes with a nucleus": (
        _body(HI, more='"temperature":0,"top_p":0.9'),
        "a temperature of zero leaves top p at one - at top_p",
    ),
    "a schema is missing": (
        _body(HI, more='"response_format":{"type":"json_schema"}'),
        "a schema goes with its format - at response_format",
    ),
    "a schema goes with text": (
        _body(HI, more=f'"response_format":{{"type":"text","json_schema":{SCHEMA}}}'),
        "a schema goes with its format - at response_format",
    ),
}


@pytest.mark.parametrize(("body", "message"), BROKEN_RULES.values(), ids=BROKEN_RULES)
def test_mistral_refuses(body: bytes, message: str) -> None:
    with pytest.raises(strict.OracleError) as error:
        mistral.check_request(body)
    assert str(error.value) == message


def test_every_rule_has_a_request_that_breaks_it() -> None:
    broken = {message.partition(" - at ")[0] for _, message in BROKEN_RULES.values()}
    assert broken == {strict.sentence(rule) for rule in mistral.RULES}


@needs_traffic
def test_mistral_accepts_what_the_api_has_answered() -> None:
    refused = {}
    with gzip.open(TRAFFIC / "mistral.jsonl.gz", "rt", encoding="utf-8") as lines:
        for exchange in map(json.loads, lines):
            if exchange["status"] == 200 and "request" in exchange:
                try:
                    mistral.check_request(_documented(exchange))
                except strict.OracleError as error:
                    refused[exchange["id"]] = str(error)
    assert not refused


def _documented(exchange: dict[str, Any]) -> bytes:
    """Give a request what its recorder took from the ids, and the form that is documented."""
    request = json.loads(exchange["request"])
    for tool in request.get("tools", []):
        tool.setdefault("type", "function")
    for message in request["messages"]:
        for call in message.get("tool_calls", []):
            call["id"] = _letters(call["id"])
        if "tool_call_id" in message:
            message["tool_call_id"] = _letters(message["tool_call_id"])
        for chunk in message["content"]:
            if "input_audio" in chunk and isinstance(chunk["input_audio"], dict):
                chunk["input_audio"] = chunk["input_audio"]["data"]
    return json.dumps(request).encode()


def _letters(call_id: str) -> str:
    return "".join(filter(str.isalnum, call_id))[-9:]


# Answers

COUNTS = '{"prompt_tokens":9,"completion_tokens":3,"total_tokens":12}'
SAID = '{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"x"}}'
ANSWERED = (
    '{"id":"i","object":"chat.completion","created":7,"model":"m",'
    f'"choices":[{SAID}],"usage":{COUNTS}}}'
)

NO_ANSWERS = {
    "no id": ANSWERED.replace('"id":"i",', ""),
    "no usage": ANSWERED.replace(f',"usage":{COUNTS}', ""),
    "a key that there is not": ANSWERED.replace('"id"', '"x":1,"id"'),
    "a reason that there is not": ANSWERED.replace('"stop"', '"end_turn"'),
    "a time that is a text": ANSWERED.replace("7", '"7"'),
}


def test_an_answer_passes() -> None:
    mistral.check_response(ANSWERED.encode())


@pytest.mark.parametrize("body", NO_ANSWERS.values(), ids=NO_ANSWERS)
def test_an_answer_that_is_none(body: str) -> None:
    with pytest.raises(strict.OracleError):
        mistral.check_response(body.encode())


def _chunk(delta: str, word: str = "null", more: str = "") -> str:
    inner = f'{{"index":0,"delta":{delta},"finish_reason":{word}}}'
    head = '"id":"i","object":"chat.completion.chunk","created":7,"model":"m"'
    return f'data: {{{head},"choices":[{inner}]{more}}}\n\n'


FIRST = _chunk('{"role":"assistant","content":""}')
MORE = _chunk('{"content":"x"}')
LAST = _chunk('{"content":""}', '"stop"', f',"usage":{COUNTS}')
DONE = "data: [DONE]\n\n"
CALLED = _chunk(
    '{"tool_calls":[{"index":1,"id":"a","type":"function","function":{"name":"f","arguments":""}}]}'
)

NO_STREAMS = {
    "no frame": "",
    "no last word": FIRST + MORE + LAST,
    "no blank line at the end": FIRST + MORE + LAST + DONE[:-1],
    "no reason": FIRST + MORE + DONE,
    "no counts": FIRST + _chunk("{}", '"stop"') + DONE,
    "a chunk after the counts": FIRST + LAST + MORE + DONE,
    "a text after the reason": FIRST + _chunk("{}", '"stop"') + MORE + LAST + DONE,
    "no role": MORE + LAST + DONE,
    "a role again": FIRST + FIRST + LAST + DONE,
    "another id": FIRST + MORE.replace('"i"', '"j"') + LAST + DONE,
    "a call of another number": FIRST + CALLED + LAST + DONE,
    "a name of an event": FIRST + "event: x\n" + MORE + LAST + DONE,
    "a key that there is not": FIRST + MORE.replace('"id"', '"x":1,"id"') + LAST + DONE,
}


def test_a_stream_passes() -> None:
    mistral.check_stream((FIRST + MORE + LAST + DONE).encode())


@pytest.mark.parametrize("stream", NO_STREAMS.values(), ids=NO_STREAMS)
def test_a_stream_that_is_none(stream: str) -> None:
    with pytest.raises(strict.OracleError):
        mistral.check_stream(stream.encode())
