"""Requests -> the literal bytes of Cohere's wire, each judged by the oracle."""

from typing import Any

import pytest

import wireglot as wg
from tests.providers.cohere.pieces import (
    API,
    CALL_A,
    HI,
    OTHER,
    PNG,
    PNG_URL,
    RESULT_A,
    TOOL,
    YES,
    answer,
    answered,
    batch,
    body,
    call,
    calls,
    extras,
    judge,
    own,
    request,
    result,
    said,
    system,
    text,
    user,
)

encode = wg.providers.cohere.encode_request

X = '{"type":"text","text":"x"}'
IMAGE = f'{{"type":"image_url","image_url":{{"url":"{PNG_URL}"}}}}'
NO_OUTPUT = (
    '{"role":"tool","tool_call_id":"a","content":'
    '[{"type":"document","document":{"data":{"output":""}}}]}'
)
OK = wg.ToolResultMessage("a", content=[wg.TextBlock("ok")])

MESSAGES: dict[str, tuple[list[wg.Message], list[str]]] = {
    "one text is a string": ([user("hi"), answer("yes"), user("hi")], [HI, YES, HI]),
    "several texts are a list": ([user("x", "x")], [said(X, X)]),
    "an empty text is no content": ([user("", "hi", ""), answer(""), user()], [HI]),
    "white space is content": ([user(" ")], ['{"role":"user","content":" "}']),
    "system messages keep their place": (
        [system("s"), user("hi"), answer("yes"), system("x", "x"), user("hi")],
        ['{"role":"system","content":"s"}', HI, YES, said(X, X, role="system"), HI],
    ),
    "an answer at the end": ([user("hi"), answer("yes")], [HI, YES]),
    "signatures and what is for programs are not sent": (
        [
            user(text("hi", signature="s"), timestamp=1, id="i", metadata={"x": 1}),
            answer("yes", usage=wg.Usage(), stop_reason=wg.StopReason.STOP, model="other"),
            user(wg.ImageBlock(data=PNG, alt_text="a", width=1, filename="b", bbox=[1.0])),
        ],
        [HI, YES, said(IMAGE)],
    ),
    "thinking is a part, its signature left out": (
        [user("hi"), answer(wg.ThinkingBlock("hm", "s"), "yes", api=OTHER)],
        [HI, answered('{"type":"thinking","thinking":"hm"}', '{"type":"text","text":"yes"}')],
    ),
    "the details of thinking without a text": (
        [user("hi"), answer(wg.ThinkingBlock("", "s", details=["a", "b"]))],
        [HI, answered(r'{"type":"thinking","thinking":"a\nb"}')],
    ),
    "thinking that says nothing": (
        [user("hi"), answer(wg.ThinkingBlock("", "s"), "yes", api=OTHER)],
        [HI, YES],
    ),
    "a call and its result": ([user("hi"), answer(call()), OK], [HI, CALL_A, RESULT_A]),
    "parallel calls, answered in a batch": (
        [answer(call("a"), call("b")), batch(result("ok"), result("no", call_id="b"))],
        [
            calls("a", "b"),
            RESULT_A,
            '{"role":"tool","tool_call_id":"b","content":"no"}',
        ],
    ),
    "text beside calls is their plan": (
        [answer("first", "then", call()), OK],
        [calls("a", before=r'"tool_plan":"first\nthen",'), RESULT_A],
    ),
    "text behind calls is their plan too": (
        [answer(call(), "so"), OK],
        [calls("a", before='"tool_plan":"so",'), RESULT_A],
    ),
    "the thinking of another API joins the plan": (
        [answer(wg.ThinkingBlock("hm", "s"), "so", call(), api=OTHER), OK],
        [calls("a", before=r'"tool_plan":"hm\nso",'), RESULT_A],
    ),
    "the thinking of this API stays thinking": (
        [own(wg.ThinkingBlock("hm"), "so", call()), OK],
        [
            calls(
                "a",
                before='"content":[{"type":"thinking","thinking":"hm"}],"tool_plan":"so",',
            ),
            RESULT_A,
        ],
    ),
    "an answer of this provider is this API's": (
        [answer(wg.ThinkingBlock("hm"), call(), provider="cohere"), OK],
        [calls("a", before='"content":[{"type":"thinking","thinking":"hm"}],'), RESULT_A],
    ),
    "an opaque text beside calls is their plan": (
        [own(wg.OpaqueBlock(API, {"type": "text", "text": "so"}), call()), OK],
        [calls("a", before='"tool_plan":"so",'), RESULT_A],
    ),
    "blank arguments are an empty object": (
        [answer(call("a", " "), call("b", "")), batch(result("ok"), result("ok", call_id="b"))],
        [calls("a", "b"), RESULT_A, RESULT_A.replace('"a"', '"b"')],
    ),
    "arguments keep the model's own text": (
        [answer(call("a", '{ "b" : 1e2, "n":12345678901234567890123, "é":"\\u00e9" }')), OK],
        [
            calls(
                "a",
                arguments=r"{ \"b\" : 1e2, \"n\":12345678901234567890123, "
                + r"\"é\":\"\\u00e9\" }",
            ),
            RESULT_A,
        ],
    ),
    "arguments that are JSON, but no object": (
        [answer(call("a", "[1]")), OK],
        [calls("a", arguments="[1]"), RESULT_A],
    ),
    "arguments that are null": ([answer(call("a", "null")), OK], [CALL_A, RESULT_A]),
    "ids of any form": (
        [answer(call("é.:/")), wg.ToolResultMessage("é.:/", content=[text("ok")])],
        [calls("é.:/"), RESULT_A.replace('"a"', '"é.:/"')],
    ),
    "an empty id": (
        [answer(call("")), wg.ToolResultMessage("", content=[text("ok")])],
        [calls("_e3b0c442"), RESULT_A.replace('"a"', '"_e3b0c442"')],
    ),
    "an id that is used twice": (
        [answer(call("a"), call("a")), batch(result("ok"), result("ok"))],
        [calls("a", "a_2"), RESULT_A, RESULT_A.replace('"a"', '"a_2"')],
    ),
    "a result that comes late": (
        [answer(call()), user("hi"), OK],
        [CALL_A, RESULT_A, HI],
    ),
    "an answer that goes on before the result": (
        [answer(call()), answer("so"), OK],
        [calls("a", before='"tool_plan":"so",'), RESULT_A],
    ),
    "text beside results": (
        [answer(call()), user(result("ok"), "hi")],
        [CALL_A, RESULT_A, HI],
    ),
    "a result without content": ([answer(call()), batch(result())], [CALL_A, NO_OUTPUT]),
    "a result of an empty text": ([answer(call()), batch(result(""))], [CALL_A, NO_OUTPUT]),
    "a document in a result": (
        [
            answer(call()),
            batch(
                result(
                    wg.DocumentBlock.from_text("x", "t"),
                    wg.DocumentBlock(text="y", context="c"),
                    wg.DocumentBlock.from_bytes("é".encode(), "text/csv"),
                )
            ),
        ],
        [
            CALL_A,
            '{"role":"tool","tool_call_id":"a","content":['
            '{"type":"document","document":{"data":{"title":"t","text":"x"}}},'
            '{"type":"document","document":{"data":{"text":"y","context":"c"}}},'
            '{"type":"document","document":{"data":{"text":"é"}}}]}',
        ],
    ),
    "a document in a result of its own message": (
        [answer(call()), wg.ToolResultMessage("a", content=[wg.DocumentBlock.from_text("x", "t")])],
        [
            CALL_A,
            '{"role":"tool","tool_call_id":"a","content":['
            '{"type":"document","document":{"data":{"title":"t","text":"x"}}}]}',
        ],
    ),
    "images of results follow them": (
        [
            answer(call("a"), call("b")),
            batch(
                result("ok", wg.ImageBlock(data=PNG)),
                result(wg.ImageBlock(data=PNG), call_id="b"),
            ),
            user("hi"),
        ],
        [
            calls("a", "b"),
            '{"role":"tool","tool_call_id":"a","content":['
            '{"type":"text","text":"ok"},{"type":"text","text":"See image a-1."}]}',
            '{"role":"tool","tool_call_id":"b","content":"See image b-2."}',
            said(
                '{"type":"text","text":"This is image a-1:"}',
                IMAGE,
                '{"type":"text","text":"This is image b-2:"}',
                IMAGE,
            ),
            HI,
        ],
    ),
    "an image waits for the results of other messages": (
        [
            answer(call("a"), call("b")),
            batch(result(wg.ImageBlock(data=PNG))),
            batch(result("ok", call_id="b")),
        ],
        [
            calls("a", "b"),
            RESULT_A.replace("ok", "See image a-1."),
            RESULT_A.replace('"a"', '"b"'),
            said('{"type":"text","text":"This is image a-1:"}', IMAGE),
        ],
    ),
    "an image of a lone result": (
        [answer(call()), wg.ToolResultMessage("a", content=[wg.ImageBlock(data=PNG)])],
        [
            CALL_A,
            '{"role":"tool","tool_call_id":"a","content":"See image a-1."}',
            said('{"type":"text","text":"This is image a-1:"}', IMAGE),
        ],
    ),
    "images, inline and by URL": (
        [
            user(
                wg.ImageBlock(data=PNG, detail="original"),
                wg.ImageBlock(url="https://x.org/a", detail="low"),
                wg.ImageBlock(url=PNG_URL),
            )
        ],
        [
            said(
                f'{{"type":"image_url","image_url":{{"url":"{PNG_URL}","detail":"high"}}}}',
                '{"type":"image_url","image_url":{"url":"https://x.org/a","detail":"low"}}',
                IMAGE,
            )
        ],
    ),
    "images of all types and details": (
        [
            user(
                wg.ImageBlock(data=b"x", mime_type="image/jpeg", detail="high"),
                wg.ImageBlock(data=b"x", mime_type="image/gif", detail="auto"),
                wg.ImageBlock(data=b"x", mime_type="image/webp"),
            )
        ],
        [
            said(
                '{"type":"image_url",'
                '"image_url":{"url":"data:image/jpeg;base64,eA==","detail":"high"}}',
                '{"type":"image_url",'
                '"image_url":{"url":"data:image/gif;base64,eA==","detail":"auto"}}',
                '{"type":"image_url","image_url":{"url":"data:image/webp;base64,eA=="}}',
            )
        ],
    ),
    "an opaque block of this API": (
        [user("x", wg.OpaqueBlock(API, {"type": "text", "text": "x"}))],
        [said(X, X)],
    ),
}


@pytest.mark.parametrize(("messages", "expected"), MESSAGES.values(), ids=MESSAGES)
def test_messages(messages: list[wg.Message], expected: list[str]) -> None:
    encoded = encode(request(*messages))
    assert encoded == body(*expected)
    judge(encoded)


TOOL_G = TOOL.replace('"f"', '"g"')
PARAMETERS: dict[str, tuple[dict[str, Any], str]] = {
    "nothing": ({}, ""),
    "a stream": ({"stream": True}, '"stream":true'),
    "all numbers": (
        {
            "max_tokens": 8,
            "temperature": 0.5,
            "seed": 2**64 - 1,
            "frequency_penalty": 1.0,
            "presence_penalty": 0.0,
            "top_k": 500,
            "top_p": 0.99,
            "logprobs": False,
        },
        '"max_tokens":8,"temperature":0.5,"seed":18446744073709551615,"frequency_penalty":1.0,'
        '"presence_penalty":0.0,"k":500,"p":0.99,"logprobs":false',
    ),
    "stop sequences": ({"stop": ["a", "b"]}, '"stop_sequences":["a","b"]'),
    "no stop sequences": ({"stop": []}, ""),
    "what asks for nothing": (
        {
            "candidates": 1,
            "top_logprobs": 0,
            "metadata": {},
            "parallel_tool_calls": True,
            "cache": wg.CacheConfig(),
        },
        "",
    ),
    "one call at a time, without tools": ({"parallel_tool_calls": False}, ""),
    "text": ({"response_format": wg.ResponseFormat("text")}, '"response_format":{"type":"text"}'),
    "JSON": (
        {"response_format": wg.ResponseFormat("json")},
        '"response_format":{"type":"json_object"}',
    ),
    "JSON in a schema, whose name is for programs": (
        {"response_format": wg.ResponseFormat("json_schema", wg.RawJson('{"x": 1e2}'), name="n")},
        '"response_format":{"type":"json_object","json_schema":{"x": 1e2}}',
    ),
    "thinking": ({"thinking": wg.Thinking()}, '"thinking":{"type":"enabled"}'),
    "a budget": (
        {"thinking": wg.Thinking(budget_tokens=9, visible=True)},
        '"thinking":{"type":"enabled","token_budget":9}',
    ),
    "no thinking": (
        {"thinking": wg.Thinking(wg.ThinkingLevel.OFF)},
        '"thinking":{"type":"disabled"}',
    ),
    "a tool, which may be called": (
        {"tools": [wg.Tool("f")], "tool_choice": wg.ToolChoice()},
        f'"tools":[{TOOL}]',
    ),
    "a tool of a name of any form": (
        {"tools": [wg.Tool("a.b-1", "d", wg.RawJson('{"n": 1e2}'))]},
        '"tools":[{"type":"function","function":'
        '{"name":"a.b-1","description":"d","parameters":{"n": 1e2}}}]',
    ),
    "tools that must be called, strictly": (
        {"tools": [wg.Tool("f", strict=True)], "tool_choice": wg.ToolChoice("required")},
        f'"tool_choice":"REQUIRED","strict_tools":true,"tools":[{TOOL}]',
    ),
    "tools of which one is expressly not strict": (
        {"tools": [wg.Tool("f", strict=False), wg.Tool("g")]},
        f'"strict_tools":false,"tools":[{TOOL},{TOOL_G}]',
    ),
    "tools that must not be called": (
        {"tools": [wg.Tool("f")], "tool_choice": wg.ToolChoice("none")},
        f'"tool_choice":"NONE","tools":[{TOOL}]',
    ),
    "the only tool by name": (
        {"tools": [wg.Tool("f")], "tool_choice": wg.ToolChoice("tool", "f")},
        f'"tool_choice":"REQUIRED","tools":[{TOOL}]',
    ),
    "a choice without tools": ({"tool_choice": wg.ToolChoice("none")}, ""),
    "a schema that is an object of nothing": (
        {"tools": [wg.Tool("f", parameters=wg.RawJson("{}"))]},
        '"tools":[{"type":"function","function":{"name":"f","parameters":{}}}]',
    ),
}


@pytest.mark.parametrize(("fields", "head"), PARAMETERS.values(), ids=PARAMETERS)
def test_parameters(fields: dict[str, Any], head: str) -> None:
    encoded = encode(request(user("hi"), **fields))
    assert encoded == body(HI, head=head)
    judge(encoded)


def test_unknown_keys_of_a_request() -> None:
    keys = {API: wg.Extra({"documents": ["x"], "priority": 1}), "wireglot": wg.Extra({"x": 1})}
    encoded = encode(request(user("hi"), extras=keys))
    assert encoded == (
        b'{"priority":1,"model":"m","documents":["x"],"messages":[{"role":"user","content":"hi"}]}'
    )
    judge(encoded)


def test_thinking_joins_the_plan_where_it_is_turned_off() -> None:
    off = wg.Thinking(wg.ThinkingLevel.OFF)
    encoded = encode(request(own(wg.ThinkingBlock("hm"), call()), OK, thinking=off))
    expected = [calls("a", before='"tool_plan":"hm",'), RESULT_A]
    assert encoded == body(*expected, head='"thinking":{"type":"disabled"}')
    judge(encoded)


def test_an_unknown_key_stands_before_those_that_are_known() -> None:
    encoded = encode(request(user(text("x", extras=extras(k=1)), extras=extras(n=2))))
    assert encoded == body('{"n":2,"role":"user","content":[{"k":1,"type":"text","text":"x"}]}')


def test_what_is_repaired() -> None:
    asked = request(answer(call()), user("hi"), batch(result("r", call_id="b")))
    encoded = encode(asked, losses=[], repair=True)
    assert encoded == body(
        CALL_A,
        RESULT_A.replace("ok", "No result was recorded for this call."),
        HI,
        said(
            '{"type":"text","text":"A result without its call (b):"}',
            '{"type":"text","text":"r"}',
        ),
    )
    judge(encoded)


CONTRADICTIONS: dict[str, tuple[wg.Request, str]] = {
    "no model": (
        wg.Request([user("hi")]),
        "no model, expected its name; pass `model` - at `$.model`",
    ),
    "no message": (request(), "no message with content, expected at least one - at `$.messages`"),
    "no content": (
        request(user("")),
        "no message with content, expected at least one - at `$.messages`",
    ),
    "a call without a result": (
        request(answer(call()), user("hi")),
        "tool call `a` has no result; add one, or pass repair=True - at `$.messages[0].content[0]`",
    ),
    "a result without a call": (
        request(user("hi"), batch(result())),
        (
            "tool result `a` has no call before it;"
            " add one, or pass repair=True - at `$.messages[1].content[0]`"
        ),
    ),
    "two tools of one name": (
        request(user("hi"), tools=[wg.Tool("f"), wg.Tool("f")]),
        "two tools named `f`, expected one - at `$.tools[1]`",
    ),
    "parameters that are no object": (
        request(user("hi"), tools=[wg.Tool("f", parameters=wg.RawJson("[]"))]),
        (
            "tool parameters of another type, expected the JSON Schema of an object"
            " - at `$.tools[0].parameters`"
        ),
    ),
    "a schema that is not an object": (
        request(user("hi"), response_format=wg.ResponseFormat("json_schema", wg.RawJson("1"))),
        "response format without a schema, expected a JSON Schema - at `$.responseFormat.schema`",
    ),
    "a choice of a tool without a name": (
        request(user("hi"), tool_choice=wg.ToolChoice("tool")),
        "tool choice of mode `tool` without a name, expected one - at `$.toolChoice`",
    ),
    "a name without the choice of a tool": (
        request(user("hi"), tool_choice=wg.ToolChoice("none", "f")),
        "tool choice of mode `none` with a name, expected none - at `$.toolChoice`",
    ),
    "a number that is none": (
        request(user("hi"), temperature=float("nan")),
        "`nan`, expected a finite number - at `$.temperature`",
    ),
    "an opaque block that is not an object": (
        request(user(wg.OpaqueBlock(API, wg.RawJson("[]")))),
        (
            "opaque block that is not an object, expected a JSON object"
            " - at `$.messages[0].content[0]`"
        ),
    ),
}


@pytest.mark.parametrize(("asked", "message"), CONTRADICTIONS.values(), ids=CONTRADICTIONS)
def test_contradictions(asked: wg.Request, message: str) -> None:
    with pytest.raises(wg.EncodeError) as caught:
        encode(asked, losses=[])
    assert str(caught.value) == f"cohere: {message}"


def test_the_route() -> None:
    assert wg.providers.cohere.route(request(user("hi"))) == wg.providers.Route("POST", "/v2/chat")


@pytest.mark.parametrize("is_off_first", [True, False])
def test_a_transcript_whose_thinking_is_turned_off_or_on(is_off_first: bool) -> None:
    off = wg.Thinking(wg.ThinkingLevel.OFF)
    messages = [user("hi"), own(wg.ThinkingBlock("hm"), call()), OK, answer("yes"), user("hi")]
    transcript = wg.providers.cohere.Transcript(messages)
    for thinking in (off, None) if is_off_first else (None, off):
        made = transcript.encode(model="m", thinking=thinking)
        assert made == encode(request(*messages, thinking=thinking))
