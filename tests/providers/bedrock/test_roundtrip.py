"""A body of Bedrock's wire -> a request -> the same body, and the few that come back otherwise."""

import json
from typing import Any

import pytest

import wireglot as wg
from tests.providers.bedrock.pieces import (
    CALL_A,
    CLAUDE,
    CONFIG,
    HI,
    POINT,
    RESULT_A,
    YES,
    answered,
    body,
    judge,
    said,
)

decode = wg.providers.bedrock.decode_request
encode = wg.providers.bedrock.encode_request

X = '{"text":"x"}'
TOOL = '{"toolSpec":{"name":"f","inputSchema":{"json":{"type":"object","x": 1e2}}}}'
CALL_TYPED = CALL_A.replace('"input"', '"type":"tool_use","input"')

EXACT = {
    "texts": body(HI, YES, said(X, X), YES, HI),
    "a prompt": body(
        HI,
        head=f'"system":[{X},{POINT},{X},{{"guardContent":{{"text":{{"text":"x"}}}}}}]',
    ),
    "a call with the type that the API writes": body(HI, CALL_TYPED, RESULT_A, head=CONFIG),
    "a call of the provider's own": body(
        HI,
        answered(
            '{"toolUse":{"toolUseId":"a","name":"f","input":{},"type":"server_tool_use"}}',
            '{"toolResult":{"toolUseId":"a","content":[],"type":"x"}}',
            X,
        ),
        HI,
        head=CONFIG,
    ),
    "results with either status": body(
        HI,
        answered(*(CALL_A[31:-2].replace('"a"', f'"{i}"') for i in "ab")),
        said(
            '{"toolResult":{"toolUseId":"a","content":[],"status":"success"}}',
            '{"toolResult":{"toolUseId":"b","content":[{"text":"no"}],"status":"error"}}',
            X,
        ),
        head=CONFIG,
    ),
    "JSON in results": body(
        HI,
        CALL_A,
        RESULT_A.replace(
            "[]",
            f'[{{"json":{{"a": 1e2}}}},{{"json":"x"}},{{"json":null}},{{"json":[]}},{X},'
            '{"searchResult":{"source":"s"}}]',
        ),
        head=CONFIG,
    ),
    "thinking, signed, bare and redacted": body(
        HI,
        answered(
            '{"reasoningContent":{"reasoningText":{"text":"hm","signature":"c2ln"}}}',
            '{"reasoningContent":{"reasoningText":{"text":""}}}',
            '{"reasoningContent":{"redactedContent":"c2ln"}}',
            X,
        ),
        HI,
    ),
    "a cited text": body(
        HI,
        answered(
            '{"citationsContent":{"content":[{"text":"x"},{"text":"y"}],"citations":[{"title":"t",'
            '"source":"s","sourceContent":[{"text":"q"}],"location":{"web":{"url":"u"}}}]}}'
        ),
        HI,
    ),
    "media": body(
        said(
            X,
            '{"image":{"format":"png","source":{"bytes":"iVBORw0KGgo="}}}',
            '{"image":{"format":"webp","source":{"s3Location":{"uri":"s3://bucket/f"}}}}',
            '{"image":{"format":"png","source":{"s3Location":{"uri":"s3://bucket/f",'
            '"bucketOwner":"123456789012"}}}}',
            '{"image":{"format":"bmp","source":{"bytes":"eA=="}}}',
            '{"video":{"format":"mkv","source":{"bytes":"eA=="}}}',
            '{"audio":{"format":"mp3","source":{"bytes":"eA=="}}}',
            '{"audio":{"format":"mkv","source":{"bytes":"eA=="}}}',
            '{"document":{"name":"a","source":{"bytes":"eA=="},"format":"docx"}}',
            '{"document":{"name":"b","source":{"text":"t"},"context":"c",'
            '"citations":{"enabled":false}}}',
            '{"document":{"name":"c","source":{"text":"t"},"format":"md"}}',
            '{"document":{"name":"d","source":{"content":[{"text":"t"}]}}}',
        )
    ),
    "cache points behind everything, and one behind nothing": body(
        said(POINT, X, '{"cachePoint":{"type":"default","ttl":"1h"}}'),
        CALL_A[:-2] + f",{POINT}]}}",
        RESULT_A[:-2] + ',{"cachePoint":{"type":"default","ttl":"5m"}}]}',
        head=f'"toolConfig":{{"tools":[{TOOL}]}}',
    ),
    "cache points that are none of ours": body(
        said(
            X,
            '{"cachePoint":{"type":"new"}}',
            '{"cachePoint":{"type":"default","ttl":"2h"}}',
            '{"cachePoint":{"type":"default","k":1}}',
        )
    ),
    "a cache point with an unknown key": body(said(X, '{"cachePoint":{"type":"default","k":1}}')),
    "an image in an answer of this API": body(
        HI, answered('{"image":{"format":"png","source":{"bytes":"iVBORw0KGgo="}}}', X), HI
    ),
    "blocks of kinds that have no place here": body(
        said('{"guardContent":{"text":{"text":"x"}}}', '{"searchResult":{"source":"s"}}', X)
    ),
    "unknown keys": body(
        said('{"image":{"format":"png","source":{"bytes":"eA=="},"k":1}}', '{"text":"x","k":2}')[
            :-1
        ]
        + ',"l":3}',
        CALL_A.replace('"name"', '"k":4,"name"'),
        RESULT_A.replace('"content":[]', '"content":[],"k":5'),
        head=f'"k":{{"l":[1e2]}},"toolConfig":{{"k":6,"tools":[{TOOL}]}}',
    ),
    "parameters in words of their own": body(
        HI,
        head='"inferenceConfig":{"temperature":0,"topP":1,"stopSequences":[],"maxTokens":5},'
        '"additionalModelRequestFields":{"top_k":3,"thinking":{"type":"enabled",'
        '"budget_tokens":4000,"k":1},"reasoning_effort":"x"},"outputConfig":{"effort":"huge"},'
        '"requestMetadata":{},"serviceTier":{"type":"new"},"performanceConfig":{"latency":"x"}',
    ),
    "parameters of another model's": body(HI, head='"additionalModelRequestFields":[1e2]'),
    "parameters that contradict each other": body(
        HI,
        head='"inferenceConfig":{"temperature":0.5,"maxTokens":2},"additionalModelRequestFields":'
        '{"thinking":{"type":"enabled","budget_tokens":4000}}',
    ),
    "a schema": body(
        HI,
        head='"outputConfig":{"textFormat":{"type":"json_schema","structure":{"jsonSchema":'
        '{"schema":"{\\"x\\": {}}","name":"s"}}}}',
    ),
    "a schema that is none": body(
        HI,
        head='"outputConfig":{"textFormat":{"type":"json_schema","structure":{"jsonSchema":'
        '{"schema":"{"}}}}',
    ),
    "tools of each kind": body(
        HI,
        head=f'"toolConfig":{{"tools":[{TOOL},{POINT},{POINT},{{"systemTool":{{"name":"n"}}}},'
        '{"toolSpec":{"name":"g","inputSchema":{"json":{"type":"object"}},"description":"d","strict":false,'
        '"k":1}}],"toolChoice":{"tool":{"name":"g"}}}',
    ),
    "a choice that is none of ours": body(
        HI, head=f'"toolConfig":{{"tools":[{TOOL}],"toolChoice":{{"any":{{"k":1}}}}}}'
    ),
    "a managed prompt": b'{"promptVariables":{"x":{"text":"y"}}}',
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


def test_system_messages_among_the_turns_come_back() -> None:
    data = body(HI, said(X, role="system"), YES, said(X, POINT, role="system"), HI)
    assert encode(decode(data, f"/model/{CLAUDE}/converse")) == data


# What comes, and what goes back.
NORMALIZED = {
    "turns of one side are one": (
        body(HI, HI, YES, YES, HI),
        body(
            said('{"text":"hi"}', '{"text":"hi"}'), answered('{"text":"yes"}', '{"text":"yes"}'), HI
        ),
    ),
    "blank text is no content": (
        body(said('{"text":" "}', X), answered('{"text":""}'), said(X)),
        body(said(X, X)),
    ),
    "results come first": (
        body(HI, CALL_A, RESULT_A.replace('"content":[{"tool', f'"content":[{X},{{"tool')),
        body(HI, CALL_A, RESULT_A[:-2] + f",{X}]}}", head=CONFIG),
    ),
    "tools that were called are described": (
        body(HI, CALL_A, RESULT_A),
        body(HI, CALL_A, RESULT_A, head=CONFIG),
    ),
    "a null is nothing": (
        body(HI, head='"system":null,"toolConfig":null,"inferenceConfig":null'),
        body(HI),
    ),
    "an empty prompt is none": (body(HI, head='"system":[]'), body(HI)),
    "a document alone gets words": (
        body(said('{"document":{"name":"a","source":{"text":"t"}}}')),
        body(said('{"document":{"name":"a","source":{"text":"t"}}}', '{"text":"Documents"}')),
    ),
    "the name of a document keeps to its alphabet": (
        body(said(X, '{"document":{"name":"my_file.pdf","source":{"text":"t"}}}')),
        body(said(X, '{"document":{"name":"my file","source":{"text":"t"}}}')),
    ),
    "messages come last": (
        b'{"messages":[{"content":[{"text":"hi"}],"role":"user"}],"serviceTier":{"type":"flex"}}',
        body(HI, head='"serviceTier":{"type":"flex"}'),
    ),
}


@pytest.mark.parametrize(("data", "expected"), NORMALIZED.values(), ids=NORMALIZED)
def test_what_comes_back_otherwise(data: bytes, expected: bytes) -> None:
    assert encode(decode(data)) == expected
    judge(expected)


def test_what_a_caller_changes_wins_over_what_came() -> None:
    given = decode(
        body(
            HI,
            head='"inferenceConfig":{"temperature":1,"stopSequences":[],"maxTokens":5}',
        )
    )
    given.stop = ["y"]
    given.temperature = 0.5
    assert encode(given) == body(
        HI, head='"inferenceConfig":{"maxTokens":5,"temperature":0.5,"stopSequences":["y"]}'
    )


def test_a_form_of_their_own_does_not_outlast_what_was_in_it() -> None:
    given = decode(
        body(
            HI,
            CALL_A,
            RESULT_A.replace('"content":[]', '"content":[{"json":{"a":1}}],"status":"success"'),
            answered('{"citationsContent":{"content":[{"text":"x"}],"citations":[]}}'),
            HI,
        )
    )
    result: Any = given.messages[2].content[0]
    result.is_error = True
    result.content[0].text = "x"
    cited: Any = given.messages[3].content[0]
    cited.text = "yes"
    assert encode(given) == body(
        HI,
        CALL_A,
        RESULT_A.replace('"content":[]', f'"content":[{X}],"status":"error"'),
        YES,
        HI,
        head=CONFIG,
    )


def test_a_choice_that_a_caller_makes_wins_over_what_came() -> None:
    given = decode(body(HI, head=CONFIG[:-1] + ',"toolChoice":{"any":{"k":1}}}'))
    given.tool_choice = wg.ToolChoice("auto")
    made: Any = json.loads(encode(given))
    assert list(made["toolConfig"]["toolChoice"]) == ["auto"]


def test_what_stood_beside_tools_is_lost_with_them() -> None:
    given = decode(body(HI, head=CONFIG[:-1] + ',"k":1}'))
    given.tools = None
    losses: list[wg.Loss] = []
    assert encode(given, losses=losses) == body(HI)
    assert [(loss.path, loss.what) for loss in losses] == [("$", "extras")]


def test_a_byte_order_mark_is_skipped() -> None:
    assert encode(decode(b"\xef\xbb\xbf" + body(HI))) == body(HI)


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview, bytes.decode])
def test_any_kind_of_bytes(kind: type) -> None:
    assert encode(decode(kind(body(HI)))) == body(HI)
