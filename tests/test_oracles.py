"""The oracles themselves: good requests pass, and each rule has a request that it alone refuses."""

import gzip
import json
from typing import Any

import pytest

from tests.oracles import anthropic
from tests.traffic import TRAFFIC, needs_traffic

strict = anthropic.strict


HI = '{"role":"user","content":"hi"}'
TEXT = '{"type":"text","text":"x"}'
EMPTY = '{"type":"text","text":""}'
BLANK = r'{"type":"text","text":"\n"}'
CALL_A = '{"type":"tool_use","id":"a","name":"f","input":{}}'
CALL_B = '{"type":"tool_use","id":"b","name":"f","input":{"type":"base64","data":"-"}}'
RESULT_A = '{"type":"tool_result","tool_use_id":"a"}'
RESULT_B = '{"type":"tool_result","tool_use_id":"b","content":[{"type":"text","text":""}]}'
THOUGHT = '{"type":"thinking","thinking":"","signature":"s"}'
SEARCH = '{"type":"server_tool_use","id":"s_1","name":"web_search","input":{}}'
FOUND = '{"type":"web_search_tool_result","tool_use_id":"s_1","content":[]}'
MARKED = '{"type":"text","text":"x","cache_control":{"type":"ephemeral"}}'
MARKED_1H = '{"type":"text","text":"x","cache_control":{"type":"ephemeral","ttl":"1h"}}'
CITATION = (
    '{"type":"char_location","cited_text":"x","document_index":0,"document_title":null,'
    '"start_char_index":0,"end_char_index":1,"file_id":null}'
)
SYSTEM = '{"role":"system","content":"x"}'
THINKING = '"thinking":{"type":"enabled","budget_tokens":1024}'


def _user(*blocks: str) -> str:
    return '{"role":"user","content":[' + ",".join(blocks) + "]}"


def _assistant(*blocks: str) -> str:
    return '{"role":"assistant","content":[' + ",".join(blocks) + "]}"


def _body(*messages: str, more: str = '"stream":false') -> bytes:
    return f'{{"model":"m","max_tokens":2048,"messages":[{",".join(messages)}],{more}}}'.encode()


def _tool(name: str, schema: str = '{"type":"object"}') -> str:
    return f'{{"name":"{name}","input_schema":{schema}}}'


def _image(data: str) -> str:
    source = f'{{"type":"base64","media_type":"image/png","data":"{data}"}}'
    return f'{{"type":"image","source":{source}}}'


OPEN_SCHEMA = '{"type":"object","properties":{"x":{}},"x-y":1}'
ARRAY_SCHEMA = '{"type":"array"}'
IMAGE_RESULT = f'{{"type":"tool_result","tool_use_id":"a","content":[{_image("")}]}}'

GOOD = {
    "a string": _body(HI),
    "an empty system prompt, sampling, stops and a stream": _body(
        HI,
        more='"system":"","temperature":1,"top_p":0.5,"top_k":5,"stop_sequences":["x"],"stream":true',
    ),
    "two calls, answered in two messages of one turn": _body(
        HI, _assistant(CALL_A, CALL_B), _user(RESULT_B), _user(RESULT_A, TEXT)
    ),
    "an id that a later turn uses again": _body(
        HI, _assistant(CALL_A), _user(RESULT_A), _assistant(CALL_A), _user(RESULT_A)
    ),
    "blank text before a call": _body(HI, _assistant(BLANK, CALL_A), _user(RESULT_A)),
    "omitted thinking that goes back with its call": _body(
        HI,
        _assistant(THOUGHT, CALL_A),
        _user(RESULT_A),
        more=f'{THINKING},"temperature":1,"tool_choice":{{"type":"auto"}}',
    ),
    "a server tool's call and result, then a system message": _body(
        HI, _assistant(SEARCH, FOUND), SYSTEM
    ),
    "a system message before a call": _body(HI, SYSTEM, _assistant(CALL_A), _user(RESULT_A)),
    "an empty last assistant message": _body(HI, _assistant()),
    "an image": _body(_user(_image("AA=="))),
    "tools, one with keys of the caller's in its schema": _body(
        HI, more=f'"tools":[{_tool("f")},{_tool("g", OPEN_SCHEMA)}]'
    ),
    "four cache marks, the longer first": _body(
        _user(MARKED), more=f'"tools":[{_tool("f")}],"system":[{MARKED_1H},{MARKED_1H},{MARKED}]'
    ),
}


@pytest.mark.parametrize("body", GOOD.values(), ids=GOOD)
def test_anthropic_accepts(body: bytes) -> None:
    anthropic.check_request(body)


NOT_JSON = {
    "a key twice": (b'{"a":1,"a":2}', "json: duplicate key 'a'"),
    "a byte that is not UTF-8": (b'"\xff"', "json: not UTF-8 - at byte 1"),
    "not a number": (b"[NaN]", "json: NaN is not a JSON number"),
    "half of a surrogate pair": (rb'"\ud800"', "json: half of a surrogate pair"),
    "two values": (b"1 2", "json: Extra data - at character 2"),
}


@pytest.mark.parametrize(("body", "message"), NOT_JSON.values(), ids=NOT_JSON)
def test_json_reads_one_way(body: bytes, message: str) -> None:
    with pytest.raises(strict.OracleError) as error:
        strict.read_json(body)
    assert str(error.value) == message


EXTRA = "schema: Extra inputs are not permitted - at "
NOT_TYPED = {
    "the body is an array": (
        b"[]",
        "schema: Input should be an object with one of stream=False, stream=None, stream=True"
        " - at the body",
    ),
    "a required key is missing": (
        b'{"model":"m","messages":[]}',
        "schema: Field required - at max_tokens",
    ),
    "a key is unknown": (_body(HI, more='"n":1'), EXTRA + "n"),
    "a key deep inside is unknown": (
        _body(_user('{"type":"text","text":"x","id":"a"}')),
        EXTRA + "messages.0.content.0.id",
    ),
    "a key is the response's own": (
        _body(_user(f'{{"type":"text","text":"x","citations":[{CITATION}]}}')),
        EXTRA + "messages.0.content.0.citations.0.file_id",
    ),
    "a cache mark is on thinking": (
        _body(_assistant('{"type":"thinking","thinking":"","signature":"s","cache_control":null}')),
        EXTRA + "messages.0.content.0.cache_control",
    ),
    "a role is unknown": (
        _body('{"role":"tool","content":"x"}'),
        "schema: Input should be an object with one of role=user, role=assistant, role=system"
        " - at messages.0",
    ),
    "a call's input is a string": (
        _body(_assistant('{"type":"tool_use","id":"a","name":"f","input":"{}"}')),
        "schema: Input should be a valid dictionary - at messages.0.content.0.input",
    ),
    "base64 data is an object": (
        _body(_user(_image("").replace('""', "{}"))),
        "schema: Input should be a valid string - at messages.0.content.0.source.data",
    ),
    "a string stands for a list": (
        _body(HI, more='"stop_sequences":"x"'),
        "schema: Input should be a valid list - at stop_sequences",
    ),
    "a list holds another type": (
        _body(HI, more='"stop_sequences":[1]'),
        "schema: Input should be a valid string - at stop_sequences.0",
    ),
    "a string stands for a number": (
        _body(HI, more='"top_k":"1"'),
        "schema: Input should be a valid integer - at top_k",
    ),
    "the temperature is above its range": (
        _body(HI, more='"temperature":1.1'),
        "schema: Input should be less than or equal to 1 - at temperature",
    ),
}


@pytest.mark.parametrize(("body", "message"), NOT_TYPED.values(), ids=NOT_TYPED)
def test_the_types_are_strict(body: bytes, message: str) -> None:
    with pytest.raises(strict.OracleError) as error:
        anthropic.check_request(body)
    assert str(error.value) == message


BROKEN_RULES = {
    "no message": (_body(), "there is a message - at messages"),
    "a user message is an empty string": (
        _body('{"role":"user","content":""}'),
        "every message has content - at messages.0.content",
    ),
    "an assistant message before the last is empty": (
        _body(HI, _assistant(), HI),
        "every message has content - at messages.1.content",
    ),
    "a text block is empty beside another": (
        _body(_user(TEXT, EMPTY)),
        "every text block has text - at messages.0.content.1.text",
    ),
    "a text block of the system prompt is empty": (
        _body(HI, more=f'"system":[{EMPTY}]'),
        "every text block has text - at system.0.text",
    ),
    "a message is only whitespace": (
        _body(_user(BLANK, BLANK)),
        "no message is only whitespace - at messages.0.content",
    ),
    "the system prompt is only whitespace": (
        _body(HI, more='"system":" "'),
        "no message is only whitespace - at system",
    ),
    "a prefill ends in a space": (
        _body(HI, '{"role":"assistant","content":"x "}'),
        "the last text has no trailing whitespace - at messages.1.content.0.text",
    ),
    "base64 is without its padding": (
        _body(_user(_image("AA"))),
        "base64 data is valid - at messages.0.content.0.source.data",
    ),
    "base64 is of the alphabet for URLs": (
        _body(_user(_image("-_8="))),
        "base64 data is valid - at messages.0.content.0.source.data",
    ),
    "base64 in a tool's result is empty": (
        _body(_assistant(CALL_A), _user(IMAGE_RESULT)),
        "base64 data is valid - at messages.1.content.0.content.0.source.data",
    ),
    "a user thinks": (
        _body(_user(THOUGHT)),
        "every block stays with its role - at messages.0.content.0",
    ),
    "a user calls a tool": (
        _body(_user(CALL_A)),
        "every block stays with its role - at messages.0.content.0",
    ),
    "an assistant answers a call": (
        _body(HI, _assistant(RESULT_A)),
        "every block stays with its role - at messages.1.content.0",
    ),
    "a system message comes first": (
        _body(SYSTEM, _assistant(TEXT)),
        "system messages stand after a user turn - at messages.0",
    ),
    "a system message comes after the assistant": (
        _body(HI, _assistant(TEXT), SYSTEM),
        "system messages stand after a user turn - at messages.2",
    ),
    "a user speaks after a system message": (
        _body(HI, SYSTEM, HI),
        "system messages stand after a user turn - at messages.2",
    ),
    "thinking has no signature": (
        _body(HI, _assistant('{"type":"thinking","thinking":"x","signature":""}')),
        "thinking is signed - at messages.1.content.0.signature",
    ),
    "a server tool's id has a dot": (
        _body(
            HI, _assistant('{"type":"server_tool_use","id":"a.b","name":"web_search","input":{}}')
        ),
        "call ids match their pattern - at messages.1.content.0.id",
    ),
    "a search's result has an id with a space": (
        _body(HI, _assistant('{"type":"web_search_tool_result","tool_use_id":"a ","content":[]}')),
        "call ids match their pattern - at messages.1.content.0.tool_use_id",
    ),
    "two calls of one turn share an id": (
        _body(_assistant(CALL_A), _assistant(CALL_A), _user(RESULT_A)),
        "call ids are unique in their turn - at messages.1.content.0.id",
    ),
    "a call of two is not answered": (
        _body(_assistant(CALL_A, CALL_B), _user(RESULT_A)),
        "every call is answered in the next turn - at messages.0.content.1.id",
    ),
    "a call at the end, after a system message, is not answered": (
        _body(HI, SYSTEM, _assistant(CALL_A)),
        "every call is answered in the next turn - at messages.2.content.0.id",
    ),
    "a result has no call": (
        _body(_user(RESULT_A)),
        "every result has its call in the turn before - at messages.0.content.0.tool_use_id",
    ),
    "a result comes a turn late": (
        _body(_assistant(CALL_A), _user(RESULT_A), _assistant(TEXT), _user(RESULT_A)),
        "every result has its call in the turn before - at messages.3.content.0.tool_use_id",
    ),
    "a call has two results": (
        _body(_assistant(CALL_A), _user(RESULT_A), _user(RESULT_A)),
        "every call has one result - at messages.2.content.0.tool_use_id",
    ),
    "text comes before a result": (
        _body(_assistant(CALL_A), _user(TEXT), _user(RESULT_A)),
        "results come first in their turn - at messages.2.content.0",
    ),
    "a tool's name has a dot": (
        _body(HI, more=f'"tools":[{_tool("f.g")}]'),
        "tool names match their pattern - at tools.0.name",
    ),
    "a tool's name has 129 characters": (
        _body(HI, more=f'"tools":[{_tool("f" * 129)}]'),
        "tool names match their pattern - at tools.0.name",
    ),
    "a call's name is empty": (
        _body(_assistant('{"type":"tool_use","id":"a","name":"","input":{}}'), _user(RESULT_A)),
        "tool names match their pattern - at messages.0.content.0.name",
    ),
    "two tools share a name": (
        _body(HI, more=f'"tools":[{_tool("f")},{_tool("f")}]'),
        "tool names are unique - at tools.1.name",
    ),
    "a tool's input is an array": (
        _body(HI, more=f'"tools":[{_tool("f", ARRAY_SCHEMA)}]'),
        "every input schema describes an object - at tools.0.input_schema.type",
    ),
    "a thinking budget is 1023": (
        _body(HI, more='"thinking":{"type":"enabled","budget_tokens":1023}'),
        "a thinking budget is at least 1024 and below max tokens - at thinking.budget_tokens",
    ),
    "a thinking budget is all of max_tokens": (
        _body(HI, more='"thinking":{"type":"enabled","budget_tokens":2048}'),
        "a thinking budget is at least 1024 and below max tokens - at thinking.budget_tokens",
    ),
    "thinking goes with a temperature of zero": (
        _body(HI, more=f'{THINKING},"temperature":0'),
        "thinking leaves the temperature at one - at temperature",
    ),
    "adaptive thinking goes with a temperature of zero": (
        _body(HI, more='"thinking":{"type":"adaptive"},"temperature":0'),
        "thinking leaves the temperature at one - at temperature",
    ),
    "thinking goes with a forced tool": (
        _body(HI, more=f'{THINKING},"tool_choice":{{"type":"any"}}'),
        "thinking goes with no forced tool - at tool_choice",
    ),
    "there are five cache marks": (
        _body(_user(MARKED, MARKED), more=f'"system":[{MARKED},{MARKED},{MARKED}]'),
        "there are at most four cache marks - at messages.0.content.1.cache_control",
    ),
    "the automatic cache mark is the fifth": (
        _body(_user(MARKED, MARKED, MARKED, MARKED), more='"cache_control":{"type":"ephemeral"}'),
        "there are at most four cache marks - at cache_control",
    ),
    "a cache time of an hour follows a default": (
        _body(_user(MARKED_1H), more=f'"system":[{MARKED}]'),
        "longer cache times come first - at messages.0.content.0.cache_control.ttl",
    ),
}


@pytest.mark.parametrize(("body", "message"), BROKEN_RULES.values(), ids=BROKEN_RULES)
def test_anthropic_refuses(body: bytes, message: str) -> None:
    with pytest.raises(strict.OracleError) as error:
        anthropic.check_request(body)
    assert str(error.value) == message


def test_every_rule_has_a_request_that_breaks_it() -> None:
    broken = {message.partition(" - at ")[0] for _, message in BROKEN_RULES.values()}
    assert broken == {strict.sentence(rule) for rule in anthropic.RULES}


def test_every_fault_has_its_line() -> None:
    with pytest.raises(strict.OracleError) as error:
        anthropic.check_request(_body(_user(EMPTY, CALL_A)))
    assert str(error.value).splitlines() == [
        "every text block has text - at messages.0.content.0.text",
        "every block stays with its role - at messages.0.content.1",
    ]


@needs_traffic
def test_anthropic_accepts_what_the_api_has_answered() -> None:
    refused = {}
    with gzip.open(TRAFFIC / "anthropic.jsonl.gz", "rt", encoding="utf-8") as lines:
        for exchange in map(json.loads, lines):
            if _is_plain(exchange):
                try:
                    anthropic.check_request(exchange["request"].encode())
                except strict.OracleError as error:
                    refused[exchange["id"]] = str(error)
    assert not refused


def _is_plain(exchange: dict[str, Any]) -> bool:
    """Tell the stable API from the betas, bytes that were sent from those that were written since.

    Claude 3 Opus is left out: it answered even where a result names another call.
    """
    return (
        exchange["status"] == 200
        and exchange["fidelity"].startswith(("raw", "reser_req"))
        and "beta" not in exchange["url"]
        and "claude-3-opus" not in exchange["model"]
        and "request" in exchange
    )
