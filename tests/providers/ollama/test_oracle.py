"""The oracle itself: good requests pass, and each rule has a request that it alone refuses."""

import pytest

from tests.oracles import ollama

strict = ollama.strict

HI = '{"role":"user","content":"hi"}'
SYSTEM = '{"role":"system","content":"be brief"}'
ANSWER = '{"role":"assistant","content":"yes","thinking":"hm"}'


def _call(call_id: str = "", name: str = "f", arguments: str = "{}") -> str:
    own = f'"id":"{call_id}",' if call_id else ""
    return f'{{{own}"function":{{"name":"{name}","arguments":{arguments}}}}}'


def _calls(*calls: str) -> str:
    return f'{{"role":"assistant","content":"","tool_calls":[{",".join(calls)}]}}'


def _result(call_id: str = "", more: str = "") -> str:
    own = f'"tool_call_id":"{call_id}",' if call_id else ""
    return f'{{"role":"tool",{own}{more}"content":"ok"}}'


def _seen(image: str, role: str = "user") -> str:
    return f'{{"role":"{role}","content":"","images":["{image}"]}}'


def _body(*messages: str, more: str = '"stream":false') -> bytes:
    return f'{{"model":"m",{more},"messages":[{",".join(messages)}]}}'.encode()


def _tool(name: str) -> str:
    return f'{{"type":"function","function":{{"name":"{name}","parameters":{{"x":1}}}}}}'


GOOD = {
    "a string": _body(HI),
    "an empty string": _body('{"role":"user","content":""}'),
    "roles in any order": _body(ANSWER, ANSWER, SYSTEM, HI, HI, SYSTEM),
    "calls with ids, answered in another order": _body(
        HI, _calls(_call("a"), _call("b")), _result("b", '"tool_name":"f",'), _result("a"), HI
    ),
    "calls without ids": _body(
        _calls(_call(), _call()), _result(), _result("", '"tool_name":"f",')
    ),
    "a call with an index": _body(
        _calls('{"id":"a","function":{"index":0,"name":"f","arguments":{"x":[1e2]}}}'),
        _result("a"),
    ),
    "a call with a type": _body(_calls(_call("a")[:-1] + ',"type":"function"}'), _result("a")),
    "an id that a later answer uses again": _body(
        _calls(_call("a")), _result("a"), _calls(_call("a")), _result("a")
    ),
    "images of every role": _body(
        _seen("iVBORw0KGgo="), _seen("", "system"), _seen("AAAA", "assistant")
    ),
    "an image in a result": _body(_calls(_call("a")), _result("a", '"images":["iVBORw0KGgo="],')),
    "tools, with keys of the caller's in their schemas": _body(
        HI, more=f'"tools":[{_tool("f")},{_tool("g")}]'
    ),
    "options of every type": _body(
        HI,
        more='"options":{"num_predict":-1,"temperature":0,"top_p":0.5,"stop":["x"],"seed":0,'
        '"num_ctx":4096,"use_mmap":true,"repeat_penalty":1.1}',
    ),
    "JSON, and a schema": _body(HI, more='"format":{"type":"object"},"keep_alive":"5m"'),
    "JSON without a schema": _body(HI, more='"format":"json","keep_alive":0'),
    "thinking, and a level of it": _body(HI, more='"think":"max","logprobs":true,"top_logprobs":2'),
    "no thinking": _body(HI, more='"think":false,"stream":true'),
}


@pytest.mark.parametrize("body", GOOD.values(), ids=GOOD)
def test_ollama_accepts(body: bytes) -> None:
    ollama.check_request(body)


EXTRA = "schema: Extra inputs are not permitted - at "
NOT_TYPED = {
    "a required key is missing": (b'{"messages":[]}', "schema: Field required - at model"),
    "the model has no name": (
        _body(HI).replace(b'"m"', b'""'),
        "schema: String should have at least 1 character - at model",
    ),
    "a message has no content": (
        _body('{"role":"user"}'),
        "schema: Field required - at messages.0.content",
    ),
    "a content is a list": (
        _body('{"role":"user","content":[]}'),
        "schema: Input should be a valid string - at messages.0.content",
    ),
    "a role is of another API": (
        _body('{"role":"developer","content":""}'),
        "schema: Input should be 'system', 'user', 'assistant' or 'tool' - at messages.0.role",
    ),
    "a message has a name": (_body(HI[:-1] + ',"name":"x"}'), EXTRA + "messages.0.name"),
    "a call has a name beside its function": (
        _body(_calls(_call("a")[:-1] + ',"name":"f"}'), _result("a")),
        EXTRA + "messages.0.tool_calls.0.name",
    ),
    "arguments are a string": (
        _body(_calls(_call("a", arguments='"{}"')), _result("a")),
        "schema: Input should be a valid dictionary"
        " - at messages.0.tool_calls.0.function.arguments",
    ),
    "a tool has no parameters": (
        _body(HI, more='"tools":[{"type":"function","function":{"name":"f"}}]'),
        "schema: Field required - at tools.0.function.parameters",
    ),
    "a key of OpenAI's": (_body(HI, more='"tool_choice":"none"'), EXTRA + "tool_choice"),
    "an option stands beside the options": (
        _body(HI, more='"temperature":1'),
        EXTRA + "temperature",
    ),
    "an option is unknown": (
        _body(HI, more='"options":{"max_tokens":1}'),
        EXTRA + "options.max_tokens",
    ),
    "a number of tokens has a fraction": (
        _body(HI, more='"options":{"num_predict":1.5}'),
        "schema: Input should be a valid integer - at options.num_predict",
    ),
    "a level of thinking is unknown": (
        _body(HI, more='"think":"minimal"'),
        "schema: Input should be 'low', 'medium', 'high' or 'max' - at think",
    ),
    "a key is null": (
        _body(HI, more='"think":null'),
        "schema: Input should be 'low', 'medium', 'high' or 'max' - at think",
    ),
    "a key stands twice": (
        _body(HI, more='"stream":true,"stream":true'),
        "json: duplicate key 'stream'",
    ),
}


@pytest.mark.parametrize(("body", "message"), NOT_TYPED.values(), ids=NOT_TYPED)
def test_the_types_refuse(body: bytes, message: str) -> None:
    with pytest.raises(strict.OracleError) as error:
        ollama.check_request(body)
    assert str(error.value) == message


STRAY = "calls thoughts and results stand with their role - at messages.0."
BARE = "every image is bare base64 - at messages.0.images.0"
BROKEN_RULES = {
    "there is no message": (_body(), "there is a message - at messages"),
    "a user thinks": (_body(HI[:-1] + ',"thinking":"x"}'), STRAY + "thinking"),
    "a user calls": (_body(HI[:-1] + ',"tool_calls":[]}'), STRAY + "tool_calls"),
    "an answer has a tool's name": (
        _body(ANSWER[:-1] + ',"tool_name":"f"}'),
        STRAY + "tool_name",
    ),
    "an answer has a call's id": (
        _body(ANSWER[:-1] + ',"tool_call_id":"a"}'),
        STRAY + "tool_call_id",
    ),
    "an image is a data URL": (_body(_seen("data:image/png;base64,AAAA")), BARE),
    "an image is a URL": (_body(_seen("https://a.example/b.png")), BARE),
    "an image lacks its padding": (_body(_seen("AAA")), BARE),
    "an image has the alphabet of URLs": (_body(_seen("__--")), BARE),
    "a result has no call": (
        _body(HI, _result()),
        "every call is answered at once - at messages.1",
    ),
    "a result has the id of no call": (
        _body(_calls(_call("a"), _call("b")), _result("c"), _result("a"), _result("b")),
        "every call is answered at once - at messages.1.tool_call_id",
    ),
    "a user comes before a result": (
        _body(_calls(_call("a")), HI),
        "every call is answered at once - at messages.1",
    ),
    "a call at the end has no result": (
        _body(_calls(_call("a"), _call("b")), _result("a")),
        "every call is answered at once - at messages",
    ),
    "two tools have one name": (
        _body(HI, more=f'"tools":[{_tool("f")},{_tool("g")},{_tool("f")}]'),
        "tool names are unique - at tools.2",
    ),
}


@pytest.mark.parametrize(("body", "message"), BROKEN_RULES.values(), ids=BROKEN_RULES)
def test_ollama_refuses(body: bytes, message: str) -> None:
    with pytest.raises(strict.OracleError) as error:
        ollama.check_request(body)
    assert str(error.value) == message


def test_every_rule_has_a_request_that_breaks_it() -> None:
    broken = {message.partition(" - at ")[0] for _, message in BROKEN_RULES.values()}
    assert broken == {strict.sentence(rule) for rule in ollama.RULES}
