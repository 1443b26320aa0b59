"""A body of Mistral's wire -> a request -> the same body, and the few that come back otherwise."""

import json
from typing import Any

import pytest

import wireglot as wg
from tests.providers.mistral.pieces import CALL_A, HI, RESULT_A, YES, body, judge, said

decode = wg.providers.mistral.decode_request
encode = wg.providers.mistral.encode_request

X = '{"type":"text","text":"x"}'
PNG_URL = "data:image/png;base64,iVBORw0KGgo="
TOOL = '{"type":"function","function":{"name":"f","parameters":{"x": 1e2}}}'
INDEXED = CALL_A.replace('"type"', '"index":0,"type"')

EXACT = {
    "texts": body(HI, YES, said(X, X), YES, HI),
    "system messages": body('{"role":"system","content":"x"}', HI),
    "system messages after a user's": body(
        '{"role":"system","content":"x"}', HI, '{"role":"system","content":"y"}', HI
    ),
    "a system message at the end": body(
        HI, '{"role":"system","content":[{"type":"text","text":"x"}]}'
    ),
    "a call as the API writes it, and its result": body(
        HI, INDEXED, RESULT_A[:-1] + ',"name":"f"}'
    ),
    "answers as the SDK writes them": body(
        HI,
        CALL_A.replace('"content":""', '"content":[],"prefix":false'),
        RESULT_A,
        '{"role":"assistant","content":"x","prefix":false}',
        HI,
    ),
    "lists of one text, and of none": body(
        said(X, role="system"),
        said(X),
        CALL_A.replace('"content":""', f'"content":[{X}]'),
        RESULT_A.replace('""', f"[{X}]"),
        CALL_A.replace('"content":""', '"content":[]'),
        RESULT_A.replace('""', "[]"),
    ),
    "a prefix": body(HI, '{"role":"assistant","content":"x","prefix":true}'),
    "broken arguments": body(HI, CALL_A.replace('"{}"', r'"{\"x\":\/"'), RESULT_A),
    "thinking, closed or not": body(
        HI,
        said(
            '{"type":"thinking","thinking":[{"type":"text","text":"hm"}],"signature":"s",'
            '"closed":false}',
            '{"type":"thinking","thinking":[{"type":"text","text":"hm"}],"closed":true}',
            '{"type":"thinking","thinking":[]}',
            '{"type":"thinking","thinking":[{"type":"reference","reference_ids":[1]}]}',
            X,
            role="assistant",
        ),
        HI,
    ),
    "a call of a type of its own": body(
        HI, CALL_A.replace('"type":"function"', '"type":"builtin"'), RESULT_A
    ),
    "media": body(
        said(
            f'{{"type":"image_url","image_url":{{"url":"{PNG_URL}","detail":"high"}}}}',
            '{"type":"image_url","image_url":{"url":"https://x.org/a"}}',
            '{"type":"document_url","document_url":"data:text/csv;base64,eA==",'
            '"document_name":"a.csv"}',
            '{"type":"document_url","document_url":"https://x.org/a"}',
            '{"type":"file","file_id":"f"}',
            '{"type":"input_audio","input_audio":"SUQz"}',
            '{"type":"input_audio","input_audio":"https://x.org/a"}',
            '{"type":"resource_link","uri":"a:b"}',
        )
    ),
    "media in another form": body(
        said(
            f'{{"type":"image_url","image_url":"{PNG_URL}"}}',
            '{"type":"image_url","image_url":"https://x.org/a","k":1}',
            '{"type":"input_audio","input_audio":{"data":"SUQz","format":"mp3","k":1}}',
            '{"type":"input_audio","input_audio":{"data":"https://x.org/a"}}',
        )
    ),
    "arguments that are an object": body(
        HI, INDEXED.replace('"{}"', '{"a": 1e2, "b":{}}'), RESULT_A
    ),
    "unknown keys everywhere": body(
        '{"role":"system","content":"x","a":1}',
        said(
            '{"type":"text","text":"x","b":2}',
            '{"type":"image_url","image_url":{"url":"https://x.org","c":3},"d":4}',
            '{"type":"new","e":5}',
        )[:-1]
        + ',"f":6}',
        INDEXED.replace('"name"', '"g":{"h":7},"name"'),
        RESULT_A[:-1] + ',"i":8}',
        head='"j":null,"k":{"l":[]},"safe_prompt":false,"guardrails":[{"block_on_error":true}]',
    ),
    "parameters in words of their own": body(
        HI,
        head='"temperature":0,"top_p":1.0,"n":1,"stream":false,"stop":"x",'
        '"metadata":{"k": 1e2},"tool_choice":"required","response_format":{"type":"text"},'
        '"parallel_tool_calls":true,"reasoning_effort":"huge","service_tier":"flex"',
    ),
    "parameters that contradict each other": body(
        HI,
        head='"temperature":0,"top_p":0.5,"response_format":{"type":"json_schema"},"max_tokens":-1',
    ),
    "a schema with a key of its own": body(
        HI,
        head='"response_format":{"type":"json_schema","json_schema":{"name":"s","schema":{},'
        '"k":1}}',
    ),
    "tools": body(
        HI,
        head=f'"tools":[{TOOL},{{"type":"image_generation"}},{{"type":"document_library",'
        '"library_ids":["x"],"tool_configuration":{"exclude":[]}}],"tool_choice":"any"',
    ),
    "a tool with unknown keys": body(
        HI,
        head='"tools":[{"type":"function","k":1,"function":{"name":"f","parameters":{},"l":2}}]',
    ),
}


@pytest.mark.parametrize("data", EXACT.values(), ids=EXACT)
def test_a_body_comes_back(data: bytes) -> None:
    again = encode(decode(data))
    assert json.loads(again) == json.loads(data)
    assert encode(decode(again)) == again


@pytest.mark.parametrize("data", EXACT.values(), ids=EXACT)
def test_a_body_comes_back_through_the_native_wires(data: bytes) -> None:
    given = decode(data)
    as_json = wg.json.decode(wg.json.encode(given), type=wg.Request)
    packed = wg.msgpack.decode(wg.msgpack.encode(given), type=wg.Request)
    assert json.loads(encode(as_json)) == json.loads(encode(packed)) == json.loads(data)


# What comes, and what goes back.
NORMALIZED = {
    "no content is an empty text": (
        body('{"role":"user","content":[]}'),
        body('{"role":"user","content":""}'),
    ),
    "an answer without content has an empty one beside calls": (
        body(
            HI,
            CALL_A.replace('"content":"",', ""),
            RESULT_A,
            CALL_A.replace('"content":""', '"content":null'),
            RESULT_A,
        ),
        body(HI, CALL_A, RESULT_A, CALL_A, RESULT_A),
    ),
    "a null is nothing": (
        body('{"role":"assistant","content":"yes","tool_calls":null}', HI, head='"stop":null'),
        body(YES, HI),
    ),
    "an answer of nothing is left out": (
        body(HI, '{"role":"assistant","content":""}', HI),
        body(HI, HI),
    ),
    "calls and tools name their type": (
        body(HI, CALL_A.replace('"type":"function",', ""), RESULT_A, head=f'"tools":[{TOOL}]'),
        body(HI, CALL_A, RESULT_A, head=f'"tools":[{TOOL}]'),
    ),
    "a tool names its type": (
        body(HI, head='"tools":[{"function":{"name":"f","parameters":{}}}]'),
        body(HI, head='"tools":[{"type":"function","function":{"name":"f","parameters":{}}}]'),
    ),
    "a tool without parameters takes none": (
        body(HI, head='"tools":[{"type":"function","function":{"name":"f"}}]'),
        body(
            HI,
            head='"tools":[{"type":"function","function":{"name":"f",'
            '"parameters":{"type":"object","properties":{}}}}]',
        ),
    ),
    "an id of another form becomes nine letters and digits": (
        body(
            HI, CALL_A.replace("aaaaaaaa1", "toolu_01"), RESULT_A.replace("aaaaaaaa1", "toolu_01")
        ),
        body(
            HI, CALL_A.replace("aaaaaaaa1", "epW3A5ZNg"), RESULT_A.replace("aaaaaaaa1", "epW3A5ZNg")
        ),
    ),
    "blank arguments are an empty object": (
        body(HI, CALL_A.replace('"{}"', '""'), RESULT_A),
        body(HI, CALL_A, RESULT_A),
    ),
    "audio is bare": (
        body(said('{"type":"input_audio","input_audio":"data:audio/mpeg;base64,SUQz"}')),
        body(said('{"type":"input_audio","input_audio":"SUQz"}')),
    ),
    "a thought in pieces is one": (
        body(
            said(
                '{"type":"thinking","thinking":[{"type":"text","text":"h"},'
                '{"type":"text","text":"m"}]}',
                X,
                role="assistant",
            ),
            HI,
        ),
        body(
            said(
                '{"type":"thinking","thinking":[{"type":"text","text":"hm"}]}', X, role="assistant"
            ),
            HI,
        ),
    ),
    "messages come last": (
        b'{"messages":[{"content":"hi","role":"user"}],"model":"m"}',
        body(HI),
    ),
}


@pytest.mark.parametrize(("data", "expected"), NORMALIZED.values(), ids=NORMALIZED)
def test_what_comes_back_otherwise(data: bytes, expected: bytes) -> None:
    assert encode(decode(data)) == expected
    judge(expected)


def test_what_a_caller_changes_wins_over_what_came() -> None:
    given = decode(body(HI, head='"stop":"x","n":1,"temperature":1'))
    given.stop = ["y"]
    given.temperature = 0.5
    assert json.loads(encode(given)) == {
        "model": "m",
        "stop": ["y"],
        "n": 1,
        "temperature": 0.5,
        "messages": [{"role": "user", "content": "hi"}],
    }


def test_a_form_of_their_own_does_not_outlast_what_was_in_it() -> None:
    given = decode(
        body(
            said('{"type":"image_url","image_url":"https://x.org/a"}'),
            CALL_A.replace('"{}"', '{"a":1}'),
            RESULT_A.replace('""', "[]"),
        )
    )
    image: Any = given.messages[0].content[0]
    image.detail = "low"
    called: Any = given.messages[1].content[0]
    called.arguments = wg.Arguments("{")
    result: Any = given.messages[2].content[0]
    result.content.append(wg.TextBlock("x"))
    assert encode(given) == body(
        said('{"type":"image_url","image_url":{"url":"https://x.org/a","detail":"low"}}'),
        CALL_A.replace('"{}"', '"{"'),
        RESULT_A.replace('""', f"[{X}]"),
    )


def test_a_byte_order_mark_is_skipped() -> None:
    assert encode(decode(b"\xef\xbb\xbf" + body(HI))) == body(HI)


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview, bytes.decode])
def test_any_kind_of_bytes(kind: type) -> None:
    assert encode(decode(kind(body(HI)))) == body(HI)
