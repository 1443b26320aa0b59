"""A body of Cohere's wire -> a request -> the same body, and the few that come back otherwise."""

import json

import pytest

import wireglot as wg
from tests.providers.cohere.pieces import (
    CALL_A,
    HI,
    PNG_URL,
    RESULT_A,
    TOOL,
    YES,
    answered,
    body,
    calls,
    judge,
    said,
)

decode = wg.providers.cohere.decode_request
encode = wg.providers.cohere.encode_request

X = '{"type":"text","text":"x"}'
THOUGHT = '{"type":"thinking","thinking":"hm"}'
CITATION = (
    '{"start":0,"end":1,"text":"y","type":"TEXT_CONTENT","content_index":0,'
    '"sources":[{"type":"tool","id":"a:0","tool_output":{"n":1e2}}]}'
)
EMPTY = '{"type":"text","text":""}'


def _result(*parts: str) -> str:
    return RESULT_A.replace('"ok"', f"[{','.join(parts)}]")


def _document(document: str) -> str:
    return f'{{"type":"document","document":{document}}}'


EXACT = {
    "strings": body('{"role":"system","content":"s"}', HI, YES, HI),
    "lists of one text": body(said(X, role="system"), said(X), answered(X), CALL_A, _result(X)),
    "lists": body(said(X, X), answered(THOUGHT, X), HI),
    "system messages on the way": body(HI, YES, '{"role":"system","content":"s"}', HI),
    "messages of one side": body(HI, HI, YES, YES, HI),
    "an answer as the API gives it": body(
        HI,
        answered(THOUGHT, X)[:-1] + f',"citations":[{CITATION}]}}',
        calls("a", "b", before='"tool_plan":"so",'),
        RESULT_A,
        RESULT_A.replace('"a"', '"b"'),
    ),
    "thinking and a plan": body(HI, calls("a", before=f'"content":[{THOUGHT}],"tool_plan":"so",')),
    "thinking beside calls": body(HI, calls("a", before=f'"content":[{THOUGHT}],'), RESULT_A),
    "what is empty beside calls": body(
        calls("a", before=f'"content":[{EMPTY}],"tool_plan":"","citations":[],'),
        RESULT_A,
        calls("a", before='"content":[],'),
        RESULT_A,
        calls("a", before='"content":"",'),
        RESULT_A,
        YES[:-1] + ',"tool_calls":[],"tool_plan":"","citations":[]}',
    ),
    "a plan without calls": body(HI, YES[:-1] + ',"tool_plan":"so"}'),
    "results that say nothing": body(CALL_A, _result(), CALL_A, RESULT_A.replace("ok", "")),
    "documents of every kind": body(
        CALL_A,
        _result(
            _document('{"data":{"output":"60"}}'),
            _document('{"id":"d","data":{"title":"t","text":"x"}}'),
            _document('{"data":{"text":"x","context":"c"}}'),
            _document('{"id":"d","data":{"text":"x"},"n":1}'),
            _document('{"id":"d","data":"{\\"n\\": 1}"}'),
            _document('{"data":{"text":1e2}}'),
            _document('{"data":{}}'),
            X,
        ),
    ),
    "arguments as the model wrote them": body(
        calls("a", arguments=r"{\"n\": 12345678901234567890123, \"\\u00e9\": 1e2}"), RESULT_A
    ),
    "arguments that are a list": body(calls("a", arguments="[1]"), RESULT_A),
    "a call without its type": body(CALL_A.replace('"type":"function",', ""), RESULT_A),
    "images": body(
        said(
            f'{{"type":"image_url","image_url":{{"url":"{PNG_URL}"}}}}',
            '{"type":"image_url","image_url":{"url":"data:image/jpg;base64,/9j/","detail":"low"}}',
            '{"type":"image_url","image_url":{"url":"https://x.org/a","detail":"auto"}}',
        )
    ),
    "unknown keys and parts": body(
        said(X[:-1] + ',"a":1}', '{"type":"b","c":1e2}')[:-1] + ',"d":null}',
        CALL_A.replace('"id"', '"e":1,"id"').replace('"name"', '"f":1,"name"'),
        RESULT_A[:-1] + ',"g":1}',
        head='"h":{"i":1},"thinking":{"type":"enabled","j":1}',
    ),
    "parameters in their ranges": body(
        HI,
        head='"stream":true,"max_tokens":8,"temperature":0.5,"seed":1,"frequency_penalty":0.5,'
        '"presence_penalty":0.5,"k":5,"p":0.5,"logprobs":true,"stop_sequences":["a"],'
        '"thinking":{"type":"enabled","token_budget":9}',
    ),
    "parameters beyond their ranges": body(
        HI,
        head='"stream":false,"temperature":5.0,"seed":-1,"k":501,"p":1.0,"stop_sequences":[],'
        '"frequency_penalty":-1.0,"thinking":{"type":"enabled","token_budget":0}',
    ),
    "JSON in a schema beside tools": body(
        HI,
        head='"response_format":{"type":"json_object","json_schema":{"n":1e2}},'
        f'"tools":[{TOOL}],"tool_choice":"REQUIRED","strict_tools":true',
    ),
    "a format of text with a schema": body(
        HI, head='"response_format":{"type":"text","json_schema":{"n":1}}'
    ),
    "words that nobody knows": body(
        HI,
        head='"response_format":{"type":"xml"},"thinking":{"type":"adaptive","token_budget":1},'
        f'"tool_choice":"AUTO","tools":[{TOOL},{{"type":"web","n":1}}]',
    ),
    "a choice and strictness without tools": body(
        HI, head='"tool_choice":"REQUIRED","strict_tools":true'
    ),
    "a tool without its type": body(
        HI, head='"tools":[' + TOOL.replace('"type":"function",', "") + "]"
    ),
    "documents, citations, safety and priority": body(
        HI,
        head='"documents":["x",{"id":"d","data":{"n":1e2}}],"citation_options":{"mode":"FAST"},'
        '"safety_mode":"OFF","priority":1',
    ),
    "no documents": body(HI, head='"documents":[]'),
}


@pytest.mark.parametrize("given", EXACT.values(), ids=EXACT)
def test_the_same_comes_back(given: bytes) -> None:
    request = decode(_answered(given))
    again = encode(request)
    assert json.loads(again) == json.loads(_answered(given))
    kept = wg.json.decode(wg.json.encode(request), type=wg.Request)
    assert encode(kept) == again
    packed = wg.msgpack.decode(wg.msgpack.encode(request), type=wg.Request)
    assert json.loads(encode(packed)) == json.loads(again)


def _answered(given: bytes) -> bytes:
    """Answer a call at the end of a body, where the answer is not the point."""
    if b'"tool_calls"' in given.rpartition(b'{"role"')[2] and b'"tool_calls":[]' not in given:
        return given.removesuffix(b"]}") + b"," + RESULT_A.encode() + b"]}"
    return given


NORMALIZED = {
    "a key that is null": (
        body(
            calls("a", before='"content":null,"tool_plan":null,"citations":null,'),
            RESULT_A,
            head='"temperature":null,"tools":null,"documents":null',
        ),
        body(CALL_A, RESULT_A),
    ),
    "text beside calls": (
        body(calls("a", before=f'"content":[{X}],"tool_plan":"so",'), RESULT_A),
        body(calls("a", before=r'"tool_plan":"x\nso",'), RESULT_A),
    ),
    "a string beside calls": (
        body(calls("a", before='"content":"x",'), RESULT_A),
        body(calls("a", before='"tool_plan":"x",'), RESULT_A),
    ),
    "messages that say nothing": (
        body('{"role":"user","content":""}', said(), HI, answered(EMPTY), HI),
        body(HI, HI),
    ),
    "a text that says nothing": (body(said(EMPTY, X, X)), body(said(X, X))),
    "blank arguments, or none": (
        body(calls("a", arguments=""), RESULT_A, CALL_A.replace(',"arguments":"{}"', ""), RESULT_A),
        body(CALL_A, RESULT_A, CALL_A, RESULT_A),
    ),
    "thinking beside calls where it is turned off": (
        body(
            calls("a", before=f'"content":[{THOUGHT}],'),
            RESULT_A,
            head='"thinking":{"type":"disabled"}',
        ),
        body(
            calls("a", before='"tool_plan":"hm",'), RESULT_A, head='"thinking":{"type":"disabled"}'
        ),
    ),
    "a tool without parameters": (
        body(HI, head='"tools":[{"type":"function","function":{"name":"f"}}]'),
        body(HI, head=f'"tools":[{TOOL}]'),
    ),
}


@pytest.mark.parametrize(("given", "expected"), NORMALIZED.values(), ids=NORMALIZED)
def test_what_is_normalized(given: bytes, expected: bytes) -> None:
    again = encode(decode(given))
    assert again == expected
    judge(again)


def test_an_answer_whose_text_has_changed_keeps_no_document() -> None:
    request = decode(body(CALL_A, _result(_document('{"data":{"output":"60"}}'))))
    request.messages[1].content[0].content[0].text = "61"
    assert encode(request) == body(CALL_A, RESULT_A.replace("ok", "61"))


def test_a_document_that_has_changed_keeps_its_unknown_keys() -> None:
    document = _document('{"data":{"output":"60"}}').replace("{", '{"n":1,', 1)
    request = decode(body(CALL_A, _result(document)))
    request.messages[1].content[0].content[0].text = "61"
    changed = body(CALL_A, _result('{"n":1,"type":"text","text":"61"}'))
    assert encode(request) == changed


def test_a_plan_that_was_empty_gives_way_to_one_that_is_not() -> None:
    request = decode(body(calls("a", before='"tool_plan":"",'), RESULT_A))
    request.messages[0].content.insert(0, wg.TextBlock("so"))
    assert encode(request) == body(calls("a", before='"tool_plan":"so",'), RESULT_A)


def test_a_parameter_that_has_changed_keeps_no_spelling() -> None:
    request = decode(body(HI, head='"p":1.0'))
    request.top_p = 0.5
    assert encode(request) == body(HI, head='"p":0.5')
