"""A body of Ollama's wire -> a request -> the same body, and the few that come back otherwise."""

import json
from typing import Any

import pytest

import wireglot as wg
from tests.providers.ollama.pieces import (
    CALL_A,
    HI,
    RESULT_A,
    YES,
    answered,
    body,
    calling,
    judge,
    said,
)

decode = wg.providers.ollama.decode_request
encode = wg.providers.ollama.encode_request

NO_ID = '{"function":{"name":"f","arguments":{}}}'

EXACT = {
    "texts": body(said("x", role="system"), HI, YES, said(""), YES),
    "a call and its result": body(HI, CALL_A, RESULT_A),
    "a call as the server writes it": body(
        calling('{"id":"call_x","function":{"index":0,"name":"f","arguments":{"x": 1e2}}}'),
        said("1", '"tool_name":"f","tool_call_id":"call_x"', "tool"),
    ),
    "calls without ids, answered in another order": body(
        calling(NO_ID, NO_ID.replace('"f"', '"g"')),
        said("1", '"tool_name":"g"', "tool"),
        said("2", '"tool_name":"f"', "tool"),
        calling(NO_ID),
        said("3", role="tool"),
        calling(NO_ID),
        said("4", role="tool"),
    ),
    "a result under another name": body(
        CALL_A, said("1", '"tool_name":"g","tool_call_id":"a"', "tool")
    ),
    "a result without a name": body(CALL_A, said("1", '"tool_call_id":"a"', "tool")),
    "a result without an id": body(CALL_A, said("1", '"tool_name":"f"', "tool")),
    "thinking and images": body(
        said("x", '"images":["iVBORw0KGgo=","not base64"]'),
        answered("", '"thinking":"hm","images":["AA\\/A"]'),
    ),
    "an image in a result": body(
        CALL_A, said("", '"images":["AAAA"],"tool_name":"f","tool_call_id":"a"', "tool")
    ),
    "a role of a model's own": body('{"role":"control", "content":"thinking", "k":[1e2]}', HI),
    "options as they were spelled": body(
        HI, head='"options":{"temperature": 0, "num_predict":-1,"stop":"x","seed":1.0}'
    ),
    "a format that is none": body(HI, head='"format":""'),
    "a schema": body(HI, head='"format":{"type": "object"}'),
    "levels of thinking": body(HI, head='"think":"medium"'),
    "tools, one of which the server runs": body(
        HI,
        head='"tools":[{"type":"function","function":{"name":"f","parameters":{"x": 1e2}}},'
        '{"type":"web", "k":1},{"function":{"name":"g","parameters":{}}},{"name":"h"}]',
    ),
    "a stream that nobody asked for": b'{"model":"m","messages":[' + HI.encode() + b"]}",
}


@pytest.mark.parametrize("data", EXACT.values(), ids=EXACT)
def test_it_comes_back_byte_for_byte(data: bytes) -> None:
    assert encode(decode(data)) == data


SAME_JSON = {
    "keys in another order": b'{"messages":[{"content":"hi","role":"user"}],"stream":true,'
    b'"model":"m","options":{"top_k":1,"num_ctx":2},"think":true,"keep_alive":null}',
    "the keys that the SDK writes": b'{"model":"m","messages":[' + HI.encode() + b'],"tools":'
    b'[{"type":"function","function":{"name":"f","description":"d","parameters":{"type":"object"}}}'
    b'],"stream":false,"format":"json","options":{"numa":true,"temperature":0.5},"keep_alive":3}',
    "unknown keys everywhere": body(
        said("x", '"k":{"j":1}'),
        calling('{"k":1,"type":"function","id":"a","function":{"k":2,"name":"f","arguments":{}}}'),
        RESULT_A[:-1] + ',"k":null,"name":"f"}',
        head='"k":[],"options":{"mirostat":2,"stop":[]},"think":"much","format":"yaml",'
        '"tools":[{"k":1,"type":"function","function":{"k":2,"name":"f","parameters":{}}}]',
    ),
    "keys that say nothing in their role": body(
        said(
            "x", '"thinking":"hm","tool_calls":[{"function":{"name":"f","arguments":{"x":1.50}}}]'
        ),
        answered("x", '"tool_name":"f","tool_call_id":"a"'),
        CALL_A,
        RESULT_A[:-1] + f',"thinking":"hm","tool_calls":[{NO_ID}]}}',
    ),
    "a result with an id that its call has not": body(
        calling(NO_ID), said("1", '"tool_name":"f","tool_call_id":"x"', "tool")
    ),
    "a call with a type, and no result's name": body(
        calling(NO_ID.replace("{", '{"type":"function",', 1)), said("1", role="tool")
    ),
}


@pytest.mark.parametrize("data", SAME_JSON.values(), ids=SAME_JSON)
def test_it_comes_back_as_the_same_json(data: bytes) -> None:
    assert _without_null(json.loads(encode(decode(data)))) == _without_null(json.loads(data))


def _without_null(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_null(item) for key, item in value.items() if item is not None}
    return [_without_null(item) for item in value] if isinstance(value, list) else value


NORMALIZED = {
    "a key that is null is left out": (
        body('{"role":"user","content":null,"images":null}', HI, head='"think":null'),
        body(said(""), HI),
    ),
    "an empty list is left out": (
        body(said("x", '"images":[]'), answered("x", '"tool_calls":[]'), head='"tools":[]'),
        body(said("x"), answered("x")),
    ),
    "an empty string is left out": (
        body(
            answered("x", '"thinking":""'),
            calling('{"id":"","function":{"name":"f","arguments":{}}}'),
            said("1", '"tool_name":"","tool_call_id":""', "tool"),
        ),
        body(answered("x"), calling(NO_ID), said("1", role="tool")),
    ),
    "a message has content": (
        body('{"role":"user","images":["AAAA"]}'),
        body(said("", '"images":["AAAA"]')),
    ),
    "a role is in small letters": (body(said("x", role="System")), body(said("x", role="system"))),
    "arguments are an object": (
        body(
            calling(
                '{"id":"a","function":{"name":"f"}}',
                '{"id":"b","function":{"name":"f","arguments":null}}',
                r'{"id":"c","function":{"name":"f","arguments":"{\"x\": 1}"}}',
            ),
            *(said("", f'"tool_name":"f","tool_call_id":"{i}"', "tool") for i in "abc"),
        ),
        body(
            calling(
                '{"id":"a","function":{"name":"f","arguments":{}}}',
                '{"id":"b","function":{"name":"f","arguments":{}}}',
                '{"id":"c","function":{"name":"f","arguments":{"x": 1}}}',
            ),
            *(said("", f'"tool_name":"f","tool_call_id":"{i}"', "tool") for i in "abc"),
        ),
    ),
    "a tool has parameters": (
        body(HI, head='"tools":[{"type":"function","function":{"name":"f","parameters":null}}]'),
        body(
            HI,
            head='"tools":[{"type":"function","function":{"name":"f",'
            '"parameters":{"type":"object","properties":{}}}}]',
        ),
    ),
    "two calls of one id in an answer get two": (
        body(CALL_A[:-2] + "," + CALL_A[CALL_A.index('{"id"') :], RESULT_A, RESULT_A),
        body(
            calling(
                '{"id":"a","function":{"name":"f","arguments":{}}}',
                '{"id":"a_2","function":{"name":"f","arguments":{}}}',
            ),
            RESULT_A,
            RESULT_A.replace('"a"', '"a_2"'),
        ),
    ),
}


@pytest.mark.parametrize(("data", "expected"), NORMALIZED.values(), ids=NORMALIZED)
def test_it_comes_back_in_the_usual_form(data: bytes, expected: bytes) -> None:
    made = encode(decode(data))
    assert made == expected
    assert encode(decode(made)) == made
    judge(made)


def test_what_was_changed_goes_out_as_changed() -> None:
    decoded = decode(body(HI, head='"options":{"temperature":0,"stop":"x"},"think":"low"'))
    decoded.temperature = 1.0
    decoded.thinking = None
    assert encode(decoded) == body(HI, head='"options":{"temperature":1.0,"stop":["x"]}')


def test_results_without_ids_go_out_in_the_order_of_their_calls() -> None:
    done = [said(f"{i}", '"tool_name":"f"', "tool") for i in range(3)]
    decoded = decode(body(calling(NO_ID, NO_ID, NO_ID), *done))
    decoded.messages[1:] = [decoded.messages[i] for i in (2, 3, 1)]
    assert encode(decoded) == body(calling(NO_ID, NO_ID, NO_ID), *done)


def test_results_in_another_order_say_the_ids_of_their_calls() -> None:
    calls = calling(*(f'{{"id":"{i}","function":{{"name":"f","arguments":{{}}}}}}' for i in "ab"))
    decoded = decode(body(calls, *(said(i, '"tool_name":"f"', "tool") for i in "12")))
    decoded.messages[1:] = decoded.messages[:0:-1]
    assert encode(decoded) == body(
        calls,
        '{"role":"tool","content":"1","tool_name":"f","tool_call_id":"a"}',
        '{"role":"tool","content":"2","tool_name":"f","tool_call_id":"b"}',
    )


def test_a_result_without_an_id_is_for_a_call_without_one() -> None:
    data = body(
        calling('{"id":"a","function":{"name":"f","arguments":{}}}', NO_ID),
        said("1", '"tool_name":"f"', "tool"),
        said("2", '"tool_name":"f","tool_call_id":"a"', "tool"),
    )
    decoded = decode(data)
    results: list[Any] = [message.content[0] for message in decoded.messages[1:]]
    assert [each.tool_call_id for each in results] == ["call_0", "a"]
    assert encode(decoded) == data


def test_the_text_of_a_result_may_be_changed() -> None:
    decoded = decode(body(calling(NO_ID), said("1", role="tool")))
    (block,) = decoded.messages[1].content
    assert isinstance(block, wg.ToolResultBlock)
    block.content = [wg.TextBlock("2")]
    assert encode(decoded) == body(calling(NO_ID), said("2", role="tool"))


def test_base64_is_looked_at_beside_a_key_that_says_nothing() -> None:
    data = b'{"model":"m","messages":[{"tool_name":"f","role":"assistant","content":"x",'
    data += b'"images":["AAA\xe7"]}]}'
    with pytest.raises(wg.DecodeError, match="text is not UTF-8"):
        decode(data)
