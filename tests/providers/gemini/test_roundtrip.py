"""A body of Gemini's wire -> a request -> the same body, and the few that come back otherwise."""

import json
from typing import Any

import pytest

import wireglot as wg
from tests.providers.gemini.literals import (
    CALL_A,
    HI,
    RESULT_A,
    YES,
    answered,
    body,
    judge,
    said,
)

decode = wg.providers.gemini.decode_request
encode = wg.providers.gemini.encode_request

X = '{"text":"x"}'
CALL = '{"functionCall":{"name":"f","args":{}}}'
G = CALL.replace('"f"', '"g"')
RESULT = '{"functionResponse":{"name":"f","response":{"output":"x"}}}'
SCHEMA = '{"type":"OBJECT","properties":{"x":{"type":"STRING","nullable":true,"minLength":"1"}}}'
CONFIG = '"generationConfig":'

EXACT = {
    "texts, and turns of the user in a row": body(HI, HI, YES, said(X, '{"text":""}')),
    "a turn without a role": body('{"parts":[{"text":"x"}]}', YES),
    "a system instruction, with a role or without": body(
        HI, head='"systemInstruction":{"role":"system","parts":[{"text":"x"},{"text":""}],"k":1}'
    ),
    "results of another name or id than their calls": body(
        HI,
        answered(CALL[:-2] + ',"id":"a"}}', CALL[:-2] + ',"id":"c"}}', CALL),
        said(
            RESULT.replace('"f"', '"z"')[:-2] + ',"id":"a"}}',
            RESULT[:-2] + ',"id":"b"}}',
            RESULT[:-2] + ',"id":"e"}}',
        ),
    ),
    "a result of another name than its call, without an id": body(
        HI,
        answered(CALL[:-2] + ',"id":"a"}}', CALL),
        said(RESULT.replace('"f"', '"z"'), RESULT),
    ),
    "calls without ids": body(
        HI,
        answered(CALL, CALL, G),
        said(RESULT.replace('"f"', '"g"'), RESULT, RESULT),
        answered(CALL),
        said(RESULT),
    ),
    "two calls and their results": body(
        HI, answered(CALL, G), said(RESULT, RESULT.replace('"f"', '"g"'))
    ),
    "a call without arguments": body(HI, CALL_A.replace('"args":{},', ""), RESULT_A),
    "an id on the call alone": body(HI, CALL_A, RESULT_A.replace(',"id":"a"', "")),
    "an id on the result alone": body(
        HI, CALL_A.replace(',"id":"a"', ""), RESULT_A.replace('"a"', '"b"')
    ),
    "the role that results had once": body(HI, CALL_A, RESULT_A.replace("user", "function")),
    "results and a text in one turn": body(HI, CALL_A, RESULT_A[:-2] + f",{X}]}}"),
    "responses in words of their own": body(
        HI,
        answered(*[CALL] * 7),
        said(
            *(
                RESULT.replace('{"output":"x"}', response)
                for response in (
                    '{"result":"x"}',
                    '{"output":{"a": 1e2}}',
                    '{"error":[1]}',
                    '{"error":"x"}',
                    '{"a":1,"output":"x"}',
                    "{}",
                    '{"output":"x","error":null}',
                )
            )
        ),
    ),
    "media in a result": body(
        HI,
        CALL_A,
        RESULT_A.replace(
            ',"id"',
            ',"parts":[{"inlineData":{"mimeType":"image/png","data":"eA==","displayName":"d"}},'
            '{"fileData":{"fileUri":"gs://b/f","mimeType":"x/y"}},{"fileData":{"fileUri":"x"}}],"id"',
        ),
    ),
    "signatures where they stood": body(
        HI,
        answered(
            '{"text":"hm","thought":true,"thoughtSignature":"c2ln"}',
            '{"text":"","thoughtSignature":"c2ln"}',
            '{"inlineData":{"mimeType":"image/png","data":"eA=="},"thoughtSignature":"c2ln"}',
            '{"inlineData":{"mimeType":"audio/wav","data":"eA=="},"thoughtSignature":"c2ln"}',
            '{"functionCall":{"name":"f","args":{}},"thought":true,"thoughtSignature":"c2ln"}',
            '{"executableCode":{"language":"PYTHON","code":"1"},"thoughtSignature":"c2ln"}',
        ),
        said(RESULT),
    ),
    "signatures where none belong": body(
        said('{"text":"x","thought":true,"thoughtSignature":"c2ln"}'),
        answered('{"text":"x","thoughtSignature":"!"}'),
    ),
    "media": body(
        said(
            '{"inlineData":{"mimeType":"image/png","data":"iVBORw0KGgo="}}',
            '{"inlineData":{"mimeType":"x/y","data":"eA=="},"mediaResolution":{"level":"L"}}',
            '{"inlineData":{"mimeType":"image/png"}}',
            '{"fileData":{"fileUri":"https://x.org/a"},"videoMetadata":{"fps":1}}',
            '{"fileData":{"fileUri":"files/f","mimeType":"video/mp4"}}',
            '{"fileData":{"fileUri":"s3://b/f"}}',
        )
    ),
    "parts of no kind, of two, and of new kinds": body(
        said(
            "{}",
            '{"text":"x","fileData":{"fileUri":"gs://b/f"}}',
            '{"hologram":{"k":1e2}}',
            '{"codeExecutionResult":{"outcome":"OUTCOME_OK","output":"1"}}',
        )
    ),
    "unknown keys everywhere": body(
        '{"role":"user","a":1,"parts":[{"text":"x","b":2}]}',
        '{"role":"model","parts":[{"functionCall":{"name":"f","args":{},"c":3},"d":4}]}',
        '{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":""},"e":5}}]}',
        head='"cachedContent":"c","safetySettings":[{"k":1e2}],"toolConfig":{"f":6},'
        + CONFIG
        + '{"g":7,"maxOutputTokens":1,"thinkingConfig":{"h":8,"thinkingBudget":512}}',
    ),
    "parameters in words of their own": body(
        HI,
        head=CONFIG + '{"temperature":0,"topK":40,"stopSequences":[],"responseMimeType":'
        '"text/plain","thinkingConfig":{"thinkingLevel":"low"}},"labels":{},"serviceTier":"new",'
        '"toolConfig":{"functionCallingConfig":{"mode":"any"}}',
    ),
    "parameters that contradict each other": body(
        HI,
        head=CONFIG + '{"thinkingConfig":{"thinkingBudget":0,"thinkingLevel":"LOW"},"logprobs":2,'
        '"responseJsonSchema":{},"topK":2.5},"toolConfig":{"functionCallingConfig":{"mode":"ANY",'
        '"allowedFunctionNames":["g"]}}',
    ),
    "schemas in either language": body(
        HI,
        head=CONFIG + f'{{"responseMimeType":"application/json","responseSchema":{SCHEMA}}},'
        f'"tools":[{{"functionDeclarations":[{{"name":"f","parameters":{SCHEMA},"behavior":"B"}},'
        '{"name":"g","parametersJsonSchema":{"type": "object"},"response":{}}]}]',
    ),
    "tools of each kind": body(
        HI, head='"tools":[{"googleSearch":{}},{"functionDeclarations":[{"name":"f"}]},{}]'
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
    "keys are camelCase, and lists are lists": (
        b'{"contents":{"role":"user","parts":{"text":"x"}},"system_instruction":{"parts":'
        b'{"text":"x"}},"generation_config":{"max_output_tokens":5}}',
        body(
            said(X),
            head=CONFIG + f'{{"maxOutputTokens":5}},"systemInstruction":{{"parts":[{X}]}}',
        ),
    ),
    "base64 is in the standard alphabet": (
        body(said('{"inlineData":{"data":"_-8=","mimeType":"image/png"}}')),
        body(said('{"inlineData":{"data":"/+8=","mimeType":"image/png"}}')),
    ),
    "inline data have a type": (
        body(said('{"inlineData":{"data":"eA=="}}')),
        body(said('{"inlineData":{"data":"eA==","mimeType":"application/octet-stream"}}')),
    ),
    "a turn without parts is none": (
        body('{"role":"user"}', HI, answered(), said(X)),
        body(HI, said(X)),
    ),
    "a thought that is none says nothing": (
        body(said('{"text":"x","thought":false}')),
        body(said(X)),
    ),
    "a null is nothing": (body(HI, head='"tools":null,"labels":null'), body(HI)),
    "functions share a tool": (
        body(
            HI,
            head='"tools":[{"functionDeclarations":[{"name":"f"}],"googleSearch":{}},'
            '{"functionDeclarations":[{"name":"g"}]}]',
        ),
        body(
            HI,
            head='"tools":[{"functionDeclarations":[{"name":"f"},{"name":"g"}]},'
            '{"googleSearch":{}}]',
        ),
    ),
    "a result without a response says nothing": (
        body(HI, CALL_A, RESULT_A.replace('"response":{"output":""},', "")),
        body(HI, CALL_A, RESULT_A),
    ),
    "contents come last": (
        b'{"contents":[{"parts":[{"text":"hi"}],"role":"user"}],"serviceTier":"flex"}',
        body(HI, head='"serviceTier":"flex"'),
    ),
}


@pytest.mark.parametrize(("data", "expected"), NORMALIZED.values(), ids=NORMALIZED)
def test_what_comes_back_otherwise(data: bytes, expected: bytes) -> None:
    assert encode(decode(data)) == expected
    judge(expected)


def test_what_a_caller_changes_wins_over_what_came() -> None:
    given = decode(body(HI, head=CONFIG + '{"temperature":1,"topK":40,"stopSequences":[]}'))
    given.stop = ["y"]
    given.temperature = 0.5
    assert json.loads(encode(given)) == {
        "generationConfig": {"temperature": 0.5, "topK": 40, "stopSequences": ["y"]},
        "contents": [{"role": "user", "parts": [{"text": "hi"}]}],
    }


def test_a_form_of_their_own_does_not_outlast_what_was_in_it() -> None:
    given = decode(
        body(
            HI,
            answered(CALL),
            said(RESULT.replace("output", "result")),
            head=f'"tools":[{{"functionDeclarations":[{{"name":"f","parameters":{SCHEMA}}}]}}]',
        )
    )
    assert given.tools is not None
    tool: Any = given.tools[0]
    tool.parameters = wg.RawJson('{"type":"object"}')
    result: Any = given.messages[2].content[0]
    result.content[0].text = "y"
    assert encode(given) == body(
        HI,
        answered(CALL),
        said(RESULT.replace('"x"', '"y"')),
        head='"tools":[{"functionDeclarations":[{"name":"f","parametersJsonSchema":'
        '{"type":"object"}}]}]',
    )


def test_turns_that_came_split_go_out_as_the_one_that_every_model_accepts() -> None:
    results = [said(RESULT), said(RESULT.replace('"f"', '"g"'))]
    given = decode(body(HI, answered(CALL), answered(G), *results, YES))
    assert encode(given) == body(
        HI, answered(CALL, G), said(RESULT, RESULT.replace('"f"', '"g"')), YES
    )


def test_a_split_turn_with_an_unknown_key_stays_split() -> None:
    marked = said(RESULT.replace('"f"', '"g"')).replace('"role"', '"k":1,"role"')
    data = body(HI, answered(CALL, G), said(RESULT), marked)
    assert encode(decode(data)) == data


def test_a_split_turn_of_the_former_role_for_results() -> None:
    contents = [said(r).replace('"user"', '"function"') for r in (RESULT, RESULT)]
    given = decode(body(HI, answered(CALL, CALL), *contents))
    assert encode(given) == body(
        HI, answered(CALL, CALL), said(RESULT, RESULT).replace('"user"', '"function"')
    )


def test_results_without_ids_go_out_in_the_order_of_their_calls() -> None:
    one, two = RESULT.replace('"x"', '"1"'), RESULT.replace('"x"', '"2"')
    for contents in ([said(one, two)], [said(one), said(two)]):
        given = decode(body(HI, answered(CALL, CALL), *contents))
        results: list[Any] = given.messages[2:]
        results[0].content[0], results[-1].content[-1] = (
            results[-1].content[-1],
            results[0].content[0],
        )
        assert encode(given) == body(HI, answered(CALL, CALL), said(one, two))


def test_an_id_that_the_reader_makes_is_none_that_the_body_has() -> None:
    named = CALL[:-2] + ',"id":"call_0"}}'
    results = said(RESULT[:-2] + ',"id":"call_0"}}', RESULT)
    given = decode(body(HI, answered(CALL, named), results))
    assert [made.id for made in given.messages[1].tool_calls()] == ["call_1", "call_0"]
    assert encode(given) == body(HI, answered(CALL, named), results)


def test_a_schema_that_a_caller_changes_wins_over_geminis() -> None:
    head = CONFIG + f'{{"responseMimeType":"application/json","responseSchema":{SCHEMA}}}'
    given = decode(body(HI, head=head))
    given.response_format = wg.ResponseFormat("json_schema", wg.RawJson('{"type":"string"}'))
    assert encode(given) == body(
        HI,
        head=CONFIG
        + '{"responseMimeType":"application/json","responseJsonSchema":{"type":"string"}}',
    )


def test_a_byte_order_mark_is_skipped() -> None:
    assert encode(decode(b"\xef\xbb\xbf" + body(HI))) == body(HI)


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview, bytes.decode])
def test_any_kind_of_bytes(kind: type) -> None:
    assert encode(decode(kind(body(HI)))) == body(HI)
