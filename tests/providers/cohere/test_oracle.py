"""The oracle itself: good requests pass, and each rule has a request that it alone refuses."""

import gzip
import json

import pytest

from tests.oracles import cohere
from tests.traffic import TRAFFIC, needs_traffic

strict = cohere.strict


HI = '{"role":"user","content":"hi"}'
YES = '{"role":"assistant","content":"yes"}'
TEXT = '{"type":"text","text":"x"}'
EMPTY = '{"type":"text","text":""}'
THOUGHT = '{"type":"thinking","thinking":"hm"}'
DOCUMENT = '{"type":"document","document":{"id":"d","data":{"text":"x","n":[1]}}}'
CITATION = (
    '{"start":0,"end":1,"text":"y","type":"TEXT_CONTENT","content_index":0,'
    '"sources":[{"type":"tool","id":"a:0","tool_output":{"x":1}}]}'
)


def _call(call_id: str, name: str = "f", arguments: str = "{}") -> str:
    function = f'{{"name":"{name}","arguments":"{arguments}"}}'
    return f'{{"id":"{call_id}","type":"function","function":{function}}}'


def _calls(*calls: str, more: str = "") -> str:
    return f'{{"role":"assistant",{more}"tool_calls":[{",".join(calls)}]}}'


def _result(call_id: str, content: str = '"ok"') -> str:
    return f'{{"role":"tool","tool_call_id":"{call_id}","content":{content}}}'


def _said(role: str, *parts: str) -> str:
    return f'{{"role":"{role}","content":[{",".join(parts)}]}}'


def _image(url: str) -> str:
    return f'{{"type":"image_url","image_url":{{"url":"{url}","detail":"low"}}}}'


def _body(*messages: str, more: str = '"stream":false') -> bytes:
    return f'{{"model":"m",{more},"messages":[{",".join(messages)}]}}'.encode()


def _tool(name: str) -> str:
    return f'{{"type":"function","function":{{"name":"{name}","parameters":{{"x":1}}}}}}'


CALL = _calls(_call("a"))
RESULT = _result("a")
PNG = "data:image/png;base64,AA=="

GOOD = {
    "a string": _body(HI),
    "system messages on the way": _body(
        '{"role":"system","content":"x"}', HI, _said("system", TEXT)
    ),
    "a talk that the assistant opens and ends": _body(YES, HI, YES),
    "a plan, two calls, answered in another order": _body(
        HI,
        _calls(_call("a"), _call("b"), more='"tool_plan":"p",'),
        _result("b"),
        _result("a", f"[{TEXT},{DOCUMENT}]"),
        HI,
    ),
    "an id that a later message uses again": _body(HI, CALL, RESULT, CALL, RESULT),
    "empty text and thinking beside calls": _body(
        HI, _calls(_call("a"), more=f'"content":[{EMPTY},{THOUGHT}],'), RESULT
    ),
    "nothing beside calls": _body(
        HI, _calls(_call("a"), more='"content":null,"tool_plan":null,"citations":[],'), RESULT
    ),
    "arguments that are JSON, but no object": _body(HI, _calls(_call("a", "f", "null")), RESULT),
    "thinking that goes back, with citations": _body(
        HI, _said("assistant", THOUGHT, TEXT)[:-1] + f',"citations":[{CITATION}]}}', HI
    ),
    "images": _body(_said("user", TEXT, _image("https://a.example/b.png"), _image(PNG))),
    "tools": _body(
        HI, more=f'"tools":[{_tool("f")},{_tool("g")}],"strict_tools":true,"tool_choice":"REQUIRED"'
    ),
    "parameters": _body(
        HI,
        more='"temperature":1,"k":0,"p":0.75,"seed":0,"max_tokens":1,"frequency_penalty":0.5,'
        '"presence_penalty":1,"logprobs":true,"stop_sequences":["a","b","c","d","e"],"priority":1,'
        '"thinking":{"type":"enabled","token_budget":1}',
    ),
    "documents, citations and safety": _body(
        HI,
        more='"documents":["x",{"id":"d","data":{"x":1}}],"citation_options":{"mode":"FAST"},'
        '"stream":true',
    ),
    "JSON in a schema": _body(
        HI, more='"response_format":{"type":"json_object","json_schema":{"x":1}},"documents":[]'
    ),
    "text, strictly": _body(HI, more='"response_format":{"type":"text"},"safety_mode":"STRICT"'),
}


@pytest.mark.parametrize("body", GOOD.values(), ids=GOOD)
def test_cohere_accepts(body: bytes) -> None:
    cohere.check_request(body)


EXTRA = "schema: Extra inputs are not permitted - at "
NOT_TYPED = {
    "a required key is missing": (b'{"messages":[]}', "schema: Field required - at model"),
    "a key of OpenAI's": (_body(HI, more='"top_p":0.5'), EXTRA + "top_p"),
    "a message has a name": (_body(HI[:-1] + ',"name":"x"}'), EXTRA + "messages.0.name"),
    "a key deep inside is unknown": (
        _body(_said("user", TEXT[:-1] + ',"id":1}')),
        EXTRA + "messages.0.content.0.id",
    ),
    "a role is unknown": (
        _body('{"role":"developer","content":"x"}'),
        "schema: Input should be an object with one of role=user, role=assistant, role=system,"
        " role=tool - at messages.0",
    ),
    "a user thinks": (
        _body(_said("user", THOUGHT)),
        "schema: Input should be an object with one of type=text, type=image_url"
        " - at messages.0.content.0",
    ),
    "a tool shows an image": (
        _body(CALL, _result("a", f"[{_image(PNG)}]")),
        "schema: Input should be an object with one of type=text, type=document"
        " - at messages.1.content.0",
    ),
    "arguments are an object": (
        _body(_calls(_call("a").replace('"{}"', "{}"))),
        "schema: Input should be a valid string - at messages.0.tool_calls.0.function.arguments",
    ),
    "a document is a string": (
        _body(CALL, _result("a", '[{"type":"document","document":{"data":"x"}}]')),
        "schema: Input should be a valid dictionary - at messages.1.content.0.document.data",
    ),
    "a choice is unknown": (
        _body(HI, more='"tool_choice":"AUTO"'),
        "schema: Input should be 'REQUIRED' or 'NONE' - at tool_choice",
    ),
    "a tool is without its type": (
        _body(HI, more='"tools":[{"function":{"name":"f","parameters":{}}}]'),
        "schema: Field required - at tools.0.type",
    ),
    "a tool is without parameters": (
        _body(HI, more='"tools":[{"type":"function","function":{"name":"f"}}]'),
        "schema: Field required - at tools.0.function.parameters",
    ),
    "a schema goes with text": (
        _body(HI, more='"response_format":{"type":"text","json_schema":{}}'),
        EXTRA + "response_format.json_schema",
    ),
    "a string stands for a number": (
        _body(HI, more='"max_tokens":"1"'),
        "schema: Input should be a valid integer - at max_tokens",
    ),
}


def test_a_detail_that_is_unknown_is_refused() -> None:
    body = _body(_said("user", _image(PNG).replace("low", "original")))
    with pytest.raises(strict.OracleError, match=r"at messages\.0\.content\.0\.image_url\.detail$"):
        cohere.check_request(body)  # its words stand in no certain order


@pytest.mark.parametrize(("body", "message"), NOT_TYPED.values(), ids=NOT_TYPED)
def test_the_types_are_strict(body: bytes, message: str) -> None:
    with pytest.raises(strict.OracleError) as error:
        cohere.check_request(body)
    assert str(error.value) == message


JSON = '"response_format":{"type":"json_object"}'
SIX = '"stop_sequences":["a","b","c","d","e","f"]'

BROKEN_RULES = {
    "no message": (_body(), "there is a message - at messages"),
    "a user says nothing": (
        _body('{"role":"user","content":""}'),
        "every message has content or calls - at messages.0",
    ),
    "a result is an empty list": (
        _body(CALL, _result("a", "[]")),
        "every message has content or calls - at messages.1",
    ),
    "an answer is empty texts": (
        _body(HI, _said("assistant", EMPTY, EMPTY)),
        "every message has content or calls - at messages.1",
    ),
    "an answer is a plan alone": (
        _body(HI, '{"role":"assistant","tool_plan":"p","tool_calls":[]}'),
        "every message has content or calls - at messages.1",
    ),
    "an answer is text and calls": (
        _body(_calls(_call("a"), more='"content":"x",'), RESULT),
        "text stands beside no calls - at messages.0.content",
    ),
    "a text of an answer stands beside calls": (
        _body(_calls(_call("a"), more=f'"content":[{THOUGHT},{TEXT}],'), RESULT),
        "text stands beside no calls - at messages.0.content.1",
    ),
    "thinking is off and stands beside calls": (
        _body(
            _calls(_call("a"), more=f'"content":[{THOUGHT}],'),
            RESULT,
            more='"thinking":{"type":"disabled"}',
        ),
        "thinking beside calls needs thinking - at messages.0.content.0",
    ),
    "an image is a file": (
        _body(_said("user", _image("file:///a.png"))),
        "images are http urls or data urls - at messages.0.content.0.image_url.url",
    ),
    "an image's base64 is without its padding": (
        _body(_said("user", _image(PNG.rstrip("=")))),
        "images are http urls or data urls - at messages.0.content.0.image_url.url",
    ),
    "an image is a BMP": (
        _body(_said("user", _image("data:image/bmp;base64,AA=="))),
        "images are http urls or data urls - at messages.0.content.0.image_url.url",
    ),
    "an id is empty": (
        _body(_calls(_call("")), _result("")),
        "calls have an id - at messages.0.tool_calls.0.id",
    ),
    "a call is without its function": (
        _body(_calls('{"id":"a","type":"function"}'), RESULT),
        "calls name their function and its arguments - at messages.0.tool_calls.0.function",
    ),
    "arguments are empty": (
        _body(_calls(_call("a", "f", "")), RESULT),
        "calls name their function and its arguments - at messages.0.tool_calls.0.function",
    ),
    "arguments break off": (
        _body(_calls(_call("a", "f", "{")), RESULT),
        "arguments are json - at messages.0.tool_calls.0.function.arguments",
    ),
    "two calls share an id": (
        _body(_calls(_call("a"), _call("a")), RESULT),
        "call ids are unique in their message - at messages.0.tool_calls.1.id",
    ),
    "a call of two is not answered": (
        _body(_calls(_call("a"), _call("b")), RESULT),
        "every call is answered at once - at messages.0.tool_calls.1.id",
    ),
    "a user interrupts a call": (
        _body(CALL, HI),
        "every call is answered at once - at messages.0.tool_calls.0.id",
    ),
    "a result has no call": (
        _body(YES, RESULT),
        "every result follows its call - at messages.1.tool_call_id",
    ),
    "a call has two results": (
        _body(CALL, RESULT, RESULT),
        "every call has one result - at messages.2.tool_call_id",
    ),
    "a tool is nothing": (
        _body(HI, more='"tools":[{"type":"function"}]'),
        "every tool is a function - at tools.0.function",
    ),
    "two tools share a name": (
        _body(HI, more=f'"tools":[{_tool("f")},{_tool("f")}]'),
        "tool names are unique - at tools.1.function.name",
    ),
    "a call is forced without tools": (
        _body(HI, more='"tool_choice":"REQUIRED","tools":[]'),
        "a forced call has tools - at tool_choice",
    ),
    "the temperature is above its range": (
        _body(HI, more='"temperature":1.1'),
        "numbers keep to their ranges - at temperature",
    ),
    "the nucleus is whole": (
        _body(HI, more='"p":1.0'),
        "numbers keep to their ranges - at p",
    ),
    "there are six stop sequences": (
        _body(HI, more=SIX),
        "there are at most five stop sequences - at stop_sequences",
    ),
    "the budget is zero": (
        _body(HI, more='"thinking":{"type":"enabled","token_budget":0}'),
        "a thinking budget is positive - at thinking.token_budget",
    ),
    "JSON is asked for beside tools": (
        _body(HI, more=f'{JSON},"tools":[{_tool("f")}]'),
        "json is not asked for beside tools or documents - at response_format",
    ),
    "JSON is asked for beside documents": (
        _body(HI, more=f'{JSON},"documents":["x"]'),
        "json is not asked for beside tools or documents - at response_format",
    ),
    "safety is set beside tools": (
        _body(HI, more=f'"safety_mode":"STRICT","tools":[{_tool("f")}]'),
        "safety is not set beside tools or documents - at safety_mode",
    ),
}


@pytest.mark.parametrize(("body", "message"), BROKEN_RULES.values(), ids=BROKEN_RULES)
def test_cohere_refuses(body: bytes, message: str) -> None:
    with pytest.raises(strict.OracleError) as error:
        cohere.check_request(body)
    assert str(error.value) == message


def test_every_rule_has_a_request_that_breaks_it() -> None:
    broken = {message.partition(" - at ")[0] for _, message in BROKEN_RULES.values()}
    assert broken == {strict.sentence(rule) for rule in cohere.RULES}


@needs_traffic
def test_cohere_accepts_what_the_api_has_answered() -> None:
    refused = {}
    with gzip.open(TRAFFIC / "cohere.jsonl.gz", "rt", encoding="utf-8") as lines:
        for exchange in map(json.loads, lines):
            if exchange["status"] == 200 and "request" in exchange:
                try:
                    cohere.check_request(exchange["request"].encode())
                except strict.OracleError as error:
                    refused[exchange["id"]] = str(error)
    assert not refused
