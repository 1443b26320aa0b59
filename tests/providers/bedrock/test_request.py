"""Request -> the body of Bedrock's wire, byte for byte, judged by the service model and rules."""

from typing import Any

import pytest

import wireglot as wg
from tests.providers.bedrock.pieces import (
    API,
    CALL_A,
    CLAUDE,
    CONFIG,
    HI,
    OPENING,
    PNG,
    POINT,
    RESULT_A,
    YES,
    answer,
    answered,
    batch,
    body,
    call,
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

encode = wg.providers.bedrock.encode_request

X = '{"text":"x"}'
IMAGE = '{"image":{"format":"png","source":{"bytes":"iVBORw0KGgo="}}}'
MARK = wg.CacheMark()
LEVEL = wg.ThinkingLevel
NOVA = "amazon.nova-pro-v1:0"
OURS = "my-profile"


def _call(call_id: str = "a", arguments: str = "{}", name: str = "f") -> str:
    use = f'"toolUseId":"{call_id}","name":"{name}","input":{arguments}'
    return f'{{"toolUse":{{{use}}}}}'


def _result(*parts: str, call_id: str = "a", more: str = "") -> str:
    held = f'"toolUseId":"{call_id}","content":[{",".join(parts)}]{more}'
    return f'{{"toolResult":{{{held}}}}}'


def _document(name: str, more: str = ',"format":"pdf"', source: str = '"bytes":"JVBERi0="') -> str:
    return f'{{"document":{{"name":"{name}","source":{{{source}}}{more}}}}}'


def _pdf(**fields: Any) -> wg.DocumentBlock:
    return wg.DocumentBlock(data=b"%PDF-", **fields)


MESSAGES: dict[str, tuple[list[Any], list[str]]] = {
    "each text is a block": ([user("x", "x")], [said(X, X)]),
    "blank texts are no content": ([user("", "x", " \n"), answer("")], [said(X)]),
    "turns of one side are one": (
        [user("x"), user("x"), answer("yes"), answer("yes"), user("x")],
        [said(X, X), answered('{"text":"yes"}', '{"text":"yes"}'), said(X)],
    ),
    "what is left out parts no turn": ([user("x"), answer(""), user("x")], [said(X, X)]),
    "an answer may be the last": ([user("hi"), answer("yes")], [HI, YES]),
    "an answer that comes first gets a user's turn before it": (
        [answer("yes"), user("hi")],
        [OPENING, YES, HI],
    ),
    "system messages at the start are the prompt": (
        [system("x"), system(" ", "y"), user("hi")],
        ['"system":[{"text":"x"},{"text":"y"}]', HI],
    ),
    "thinking of this API goes back, signed or not": (
        [user("hi"), own(wg.ThinkingBlock("hm", "c2ln"), wg.ThinkingBlock("hm"), "yes")],
        [
            HI,
            answered(
                '{"reasoningContent":{"reasoningText":{"text":"hm","signature":"c2ln"}}}',
                '{"reasoningContent":{"reasoningText":{"text":"hm"}}}',
                '{"text":"yes"}',
            ),
        ],
    ),
    "redacted thinking goes back": (
        [
            user("hi"),
            answer(wg.ThinkingBlock("", "c2ln", redacted=True), provider="bedrock"),
            user("hi"),
            answer(wg.ThinkingBlock("", "c2lu", redacted=True), provider="amazon-bedrock"),
        ],
        [
            HI,
            answered('{"reasoningContent":{"redactedContent":"c2ln"}}'),
            HI,
            answered('{"reasoningContent":{"redactedContent":"c2lu"}}'),
        ],
    ),
    "a call and its result": ([user("hi"), own(call()), batch(result())], [HI, CALL_A, RESULT_A]),
    "an empty system message between results is no loss": (
        [user("hi"), own(call(), call("b")), batch(result()), system(), batch(result(call_id="b"))],
        [HI, answered(_call(), _call("b")), said(_result(), _result(call_id="b"))],
    ),
    "arguments go out as they are": (
        [user("hi"), own(call(arguments='{"b": 1e2, "a":12345678901234567890}')), batch(result())],
        [HI, answered(_call(arguments='{"b": 1e2, "a":12345678901234567890}')), RESULT_A],
    ),
    "empty arguments are an empty object": (
        [user("hi"), own(call(arguments=" ")), batch(result())],
        [HI, CALL_A, RESULT_A],
    ),
    "an id in other letters is mapped, call and result alike": (
        [user("hi"), own(call("x y"), call("")), batch(result(call_id=""), result(call_id="x y"))],
        [
            HI,
            answered(_call("x_y_887fcea6"), _call("_e3b0c442")),
            said(_result(call_id="_e3b0c442"), _result(call_id="x_y_887fcea6")),
        ],
    ),
    "an id of 64 letters is sent": (
        [user("hi"), own(call("a" * 64)), batch(result(call_id="a" * 64))],
        [HI, answered(_call("a" * 64)), said(_result(call_id="a" * 64))],
    ),
    "an id of 65 letters is mapped": (
        [user("hi"), own(call("a" * 65)), batch(result(call_id="a" * 65))],
        [
            HI,
            answered(_call("a" * 55 + "_635361c4")),
            said(_result(call_id="a" * 55 + "_635361c4")),
        ],
    ),
    "an error has its status": (
        [user("hi"), own(call()), batch(result("x", is_error=True))],
        [HI, CALL_A, said(_result(X, more=',"status":"error"'))],
    ),
    "a result holds texts, images, films and documents": (
        [
            user("hi"),
            own(call()),
            batch(
                result(
                    "x",
                    " ",
                    wg.ImageBlock(data=PNG),
                    wg.VideoBlock(url="s3://bucket/f"),
                    _pdf(title="t"),
                    wg.OpaqueBlock(API, wg.RawJson('{"json": 1e2}')),
                )
            ),
        ],
        [
            HI,
            CALL_A,
            said(
                _result(
                    X,
                    IMAGE,
                    '{"video":{"format":"mp4","source":{"s3Location":{"uri":"s3://bucket/f"}}}}',
                    _document("t"),
                    '{"json": 1e2}',
                )
            ),
        ],
    ),
    "results stand together, and before what the user says": (
        [
            user("hi"),
            own(call(), call("b")),
            wg.ToolResultMessage("b", content=[wg.TextBlock("x")]),
            user("x", result()),
            user("x"),
        ],
        [
            HI,
            answered(_call(), _call("b")),
            said(_result(X, call_id="b"), _result(), X, X),
        ],
    ),
    "answers in a row are one, their calls too": (
        [user("hi"), own(call()), own(call("b")), batch(result(), result(call_id="b"))],
        [HI, answered(_call(), _call("b")), said(_result(), _result(call_id="b"))],
    ),
    "calls of one id in a turn get a suffix": (
        [user("hi"), own(call(), call()), batch(result("x"), result())],
        [HI, answered(_call(), _call("a_2")), said(_result(X), _result(call_id="a_2"))],
    ),
    "images in their formats, inline and in S3": (
        [
            user(
                wg.ImageBlock(data=PNG),
                wg.ImageBlock(url="data:image/png;base64,iVBORw0KGgo="),
                wg.ImageBlock(data=b"x", mime_type="image/JPEG; q=1"),
                wg.ImageBlock(url="s3://bucket/f.gif", mime_type="image/gif"),
            )
        ],
        [
            said(
                IMAGE,
                IMAGE,
                '{"image":{"format":"jpeg","source":{"bytes":"eA=="}}}',
                '{"image":{"format":"gif","source":{"s3Location":{"uri":"s3://bucket/f.gif"}}}}',
            )
        ],
    ),
    "sound and films": (
        [
            user(
                wg.AudioBlock(data=b"ID3"),
                wg.AudioBlock(data=b"x", mime_type="audio/webm; codecs=opus"),
                wg.VideoBlock(data=b"x", mime_type="video/3gpp"),
            )
        ],
        [
            said(
                '{"audio":{"format":"mp3","source":{"bytes":"SUQz"}}}',
                '{"audio":{"format":"webm","source":{"bytes":"eA=="}}}',
                '{"video":{"format":"three_gp","source":{"bytes":"eA=="}}}',
            )
        ],
    ),
    "a document alone gets words beside it": (
        [user(_pdf())],
        [said(_document("Document"), '{"text":"Documents"}')],
    ),
    "what a guardrail reads is not such words": (
        [user(_pdf(), wg.OpaqueBlock(API, {"guardContent": {"text": {"text": "x"}}}))],
        [
            said(
                _document("Document"),
                '{"guardContent":{"text":{"text":"x"}}}',
                '{"text":"Documents"}',
            )
        ],
    ),
    "names of documents keep to their alphabet, each its own": (
        [
            user(
                "x",
                _pdf(filename="my_file v2.pdf"),
                _pdf(title="a/b  c.d", filename="ignored.pdf"),
                _pdf(title="(a) [b]-1"),
                _pdf(title="(a) [b]-1"),
                _pdf(title="It fits. Is it done?"),
                _pdf(title="é"),
                _pdf(),
            )
        ],
        [
            said(
                X,
                _document("my file v2"),
                _document("a b c"),
                _document("(a) [b]-1"),
                _document("(a) [b]-1 2"),
                _document("It fits Is it done"),
                _document("Document"),
                _document("Document 2"),
            )
        ],
    ),
    "a document with its text, context and citations": (
        [
            user(
                "x",
                wg.DocumentBlock(text="t", title="a", context="c", citations=True),
                wg.DocumentBlock(text="t", title="b", mime_type="text/csv", citations=False),
                wg.DocumentBlock(text="t", title="c", mime_type="text/x"),
            )
        ],
        [
            said(
                X,
                _document("a", ',"context":"c","citations":{"enabled":true}', '"text":"t"'),
                _document("b", ',"format":"csv","citations":{"enabled":false}', '"text":"t"'),
                _document("c", ',"format":"txt"', '"text":"t"'),
            )
        ],
    ),
    "a cache point stands behind what it marks": (
        [
            user(text("x", cache=wg.CacheMark("5m")), text(" ", cache=MARK), "x"),
            own(call(cache=MARK)),
            batch(result(cache=MARK)),
        ],
        [
            said(X, '{"cachePoint":{"type":"default","ttl":"5m"}}', POINT, X),
            answered(_call(), POINT),
            said(_result(), POINT),
        ],
    ),
    "a cache point in the prompt": (
        [system(text("x", cache=wg.CacheMark("1h")), "y"), user("hi")],
        ['"system":[{"text":"x"},{"cachePoint":{"type":"default","ttl":"1h"}},{"text":"y"}]', HI],
    ),
    "opaque blocks of this API go as they are": (
        [
            system(wg.OpaqueBlock(API, wg.RawJson('{"guardContent": {"text":{"text":"x"}}}'))),
            user("hi", wg.OpaqueBlock(API, wg.RawJson('{"guardContent": {"text":{"text":"x"}}}'))),
        ],
        [
            '"system":[{"guardContent": {"text":{"text":"x"}}}]',
            said('{"text":"hi"}', '{"guardContent": {"text":{"text":"x"}}}'),
        ],
    ),
    "unknown keys inside a call": (
        [
            user("hi"),
            own(call(extras={API: wg.Extra({"toolUse": {"k": 1}}, {"toolUse": {"type": "x"}})})),
            batch(result()),
        ],
        [HI, CALL_A.replace('{"toolUseId"', '{"k":1,"type":"x","toolUseId"'), RESULT_A],
    ),
    "a spelling of what an unknown key says is no object": (
        [
            user("hi"),
            own(call(extras={API: wg.Extra({"toolUse": 1}, {"toolUse": {"type": "x"}})})),
            batch(result()),
        ],
        [HI, CALL_A.replace('{"toolUseId"', '{"type":"x","toolUseId"'), RESULT_A],
    ),
}


@pytest.mark.parametrize(("messages", "expected"), MESSAGES.values(), ids=MESSAGES)
def test_messages(messages: list[Any], expected: list[str]) -> None:
    made = encode(request(*messages))
    head = expected[0] if expected[0].startswith('"') else ""
    if '"name":"f"' in "".join(expected):
        head = CONFIG
    assert made == body(*expected[1 if expected[0].startswith('"') else 0 :], head=head)
    if '"type":"x"' not in "".join(expected):
        judge(made)


# Claude 4.8 and newer take system messages among the turns.
SYSTEM_TURNS: dict[str, tuple[list[Any], list[str]]] = {
    "a system message later is a turn of its own": (
        [user("hi"), system("x"), system("y"), answer("yes"), user("hi")],
        [HI, said(X, '{"text":"y"}', role="system"), YES, HI],
    ),
    "system messages are one where what parted them is left out": (
        [user("hi"), system("x"), answer(" "), system("x")],
        [HI, said(X, X, role="system")],
    ),
    "a system message with a mark of an hour stands before a user's of five minutes": (
        [answer("yes"), system(text("x", cache=wg.CacheMark("1h"))), user(text("x", cache=MARK))],
        [
            OPENING,
            YES,
            said(X, POINT.replace('"}', '","ttl":"1h"}'), role="system"),
            said(X, POINT),
        ],
    ),
    "a system message may be the last": (
        [user("hi"), answer("yes"), system("x")],
        [HI, YES, said(X, role="system")],
    ),
}


@pytest.mark.parametrize(("messages", "expected"), SYSTEM_TURNS.values(), ids=SYSTEM_TURNS)
def test_system_turns(messages: list[Any], expected: list[str]) -> None:
    made = encode(request(*messages, model=CLAUDE))
    assert made == body(*expected)
    judge(made)


SCHEMA = wg.ResponseFormat("json_schema", wg.RawJson('{"x": "é"}'), "s", "d", strict=True)
THINKING = '"additionalModelRequestFields":{"thinking":'
PARAMETERS: dict[str, tuple[dict[str, Any], str]] = {
    "nothing": ({}, ""),
    "the model and the stream stand in the URL": ({"model": "m", "stream": True}, ""),
    "every plain parameter": (
        {
            "max_tokens": 9,
            "temperature": 0.0,
            "top_p": 1.0,
            "stop": ["", "x"],
            "top_k": 3,
            "metadata": {"k": "v", "e": ""},
            "service_tier": "flex",
        },
        '"inferenceConfig":{"maxTokens":9,"temperature":0.0,"topP":1.0,"stopSequences":["x"]},'
        '"additionalModelRequestFields":{"top_k":3},"requestMetadata":{"k":"v","e":""},'
        '"serviceTier":{"type":"flex"}',
    ),
    **{
        f"the service tier {tier}": (
            {"service_tier": tier},
            f'"serviceTier":{{"type":"{tier}"}}',
        )
        for tier in ("default", "priority", "reserved")
    },
    "values that ask for nothing": (
        {
            "stop": [""],
            "metadata": {},
            "tools": [],
            "parallel_tool_calls": True,
            "response_format": wg.ResponseFormat("text"),
            "frequency_penalty": 0.0,
            "presence_penalty": 0.0,
            "candidates": 1,
            "logprobs": False,
            "top_logprobs": 0,
            "cache": wg.CacheConfig(enabled=False),
            "tool_choice": wg.ToolChoice("none"),
        },
        "",
    ),
    "a schema is a text": (
        {"response_format": SCHEMA},
        '"outputConfig":{"textFormat":{"type":"json_schema","structure":{"jsonSchema":'
        '{"schema":"{\\"x\\": \\"é\\"}","name":"s","description":"d"}}}}',
    ),
    "thinking as the model likes": (
        {"thinking": wg.Thinking()},
        THINKING + '{"type":"adaptive"}}',
    ),
    "thinking of another model": ({"thinking": wg.Thinking(), "model": OURS}, ""),
    "a budget": (
        {"thinking": wg.Thinking(budget_tokens=2048), "max_tokens": 2049, "temperature": 1.0},
        '"inferenceConfig":{"maxTokens":2049,"temperature":1.0},'
        + THINKING
        + '{"type":"enabled","budget_tokens":2048}}',
    ),
    "another model stops at white space": (
        {"stop": ["\n"], "model": NOVA},
        '"inferenceConfig":{"stopSequences":["\\n"]}',
    ),
    "a `top_p` that thinking takes": (
        {"thinking": wg.Thinking(), "top_p": 0.95},
        '"inferenceConfig":{"topP":0.95},' + THINKING + '{"type":"adaptive"}}',
    ),
    "no thinking, with a temperature": (
        {"thinking": wg.Thinking(LEVEL.OFF), "temperature": 0.5},
        '"inferenceConfig":{"temperature":0.5},' + THINKING + '{"type":"disabled"}}',
    ),
    **{
        f"thinking at {level.value}": (
            {"thinking": wg.Thinking(level), "model": OURS},
            f'"outputConfig":{{"effort":"{level.value}"}}',
        )
        for level in (LEVEL.LOW, LEVEL.MEDIUM, LEVEL.HIGH, LEVEL.XHIGH, LEVEL.MAX)
    },
    "thinking at a level and a budget": (
        {"thinking": wg.Thinking(LEVEL.LOW, 2048), "model": "us.anthropic.claude-x"},
        THINKING + '{"type":"enabled","budget_tokens":2048}},"outputConfig":{"effort":"low"}',
    ),
    "unknown keys come first": (
        {"extras": extras(performanceConfig={"latency": "optimized"})},
        '"performanceConfig":{"latency":"optimized"}',
    ),
}


@pytest.mark.parametrize(("fields", "head"), PARAMETERS.values(), ids=PARAMETERS)
def test_parameters(fields: dict[str, Any], head: str) -> None:
    made = encode(request(user("hi"), **fields))
    assert made == body(HI, head=head)
    judge(made)


TOOL = '{"toolSpec":{"name":"f","inputSchema":{"json":{"type":"object","properties":{}}}}}'
SEARCH = wg.OpaqueBlock(API, wg.RawJson('{"systemTool": {"name":"nova_grounding"}}'))
TOOLS: dict[str, tuple[dict[str, Any], str]] = {
    "functions, and a tool that AWS runs": (
        {
            "tools": [
                wg.Tool("f", "d", wg.RawJson('{"x": {}, "type": "object"}'), strict=True),
                SEARCH,
                wg.Tool("g_-", ""),
            ]
        },
        '"toolConfig":{"tools":[{"toolSpec":{"name":"f",'
        '"inputSchema":{"json":{"x":{},"type":"object","additionalProperties":false}},'
        '"description":"d","strict":true}},'
        '{"systemTool": {"name":"nova_grounding"}},'
        '{"toolSpec":{"name":"g_-","inputSchema":{"json":{"type":"object","properties":{}}}}}]}',
    ),
    "schemas that do not say that they are those of objects": (
        {"tools": [wg.Tool("f", None, wg.RawJson(' { "x": {}}')), wg.Tool("g", None, {})]},
        '"toolConfig":{"tools":[{"toolSpec":{"name":"f","inputSchema":{"json":'
        '{"type":"object", "x": {}}}}},'
        '{"toolSpec":{"name":"g","inputSchema":{"json":{"type":"object"}}}}]}',
    ),
    "a cache point behind a tool": (
        {"tools": [wg.Tool("f", cache=wg.CacheMark("1h")), wg.Tool("f2")]},
        f'"toolConfig":{{"tools":[{TOOL},{{"cachePoint":{{"type":"default","ttl":"1h"}}}},'
        + TOOL.replace('"f"', '"f2"')
        + "]}",
    ),
    **{
        f"a choice: {name}": (
            {"tools": [wg.Tool("f")], "tool_choice": choice},
            CONFIG[:-1] + f',"toolChoice":{expected}}}',
        )
        for name, choice, expected in (
            ("auto", wg.ToolChoice("auto"), '{"auto":{}}'),
            ("required", wg.ToolChoice("required"), '{"any":{}}'),
            ("one tool", wg.ToolChoice("tool", "f"), '{"tool":{"name":"f"}}'),
        )
    },
}


@pytest.mark.parametrize(("fields", "head"), TOOLS.values(), ids=TOOLS)
def test_tools(fields: dict[str, Any], head: str) -> None:
    made = encode(request(user("hi"), **fields))
    assert made == body(HI, head=head)
    judge(made)


def test_tools_that_were_called_are_described() -> None:
    made = encode(
        request(user("hi"), own(call(), call("b", name="g")), batch(result(), result(call_id="b")))
    )
    assert made == body(
        HI,
        answered(_call(), _call("b", name="g")),
        said(_result(), _result(call_id="b")),
        head=f'"toolConfig":{{"tools":[{TOOL},{TOOL.replace("f", "g", 1)}]}}',
    )
    judge(made)


CACHES: dict[str, tuple[wg.CacheConfig, bytes]] = {
    "everything": (
        wg.CacheConfig(ttl="1h"),
        body(
            said('{"text":"hi"}', '{"cachePoint":{"type":"default","ttl":"1h"}}'),
            head=CONFIG[:-2]
            + ',{"cachePoint":{"type":"default","ttl":"1h"}}]},'
            + f'"system":[{X},{{"cachePoint":{{"type":"default","ttl":"1h"}}}}]',
        ),
    ),
    "the system prompt alone": (
        wg.CacheConfig(
            strategy=wg.model.ManualCache(
                wg.model.CacheSections(cache_system=True, cache_tools=False, cache_messages=False)
            )
        ),
        body(HI, head=f'{CONFIG},"system":[{X},{POINT}]'),
    ),
    "nothing": (wg.CacheConfig(strategy="disabled"), body(HI, head=f'{CONFIG},"system":[{X}]')),
}


@pytest.mark.parametrize(("cache", "expected"), CACHES.values(), ids=CACHES)
def test_a_request_that_wants_a_cache(cache: wg.CacheConfig, expected: bytes) -> None:
    made = encode(request(system("x"), user("hi"), tools=[wg.Tool("f")], cache=cache))
    assert made == expected
    judge(made)


def test_a_mark_at_the_end_is_not_doubled() -> None:
    made = encode(request(user(text("x", cache=MARK)), cache=wg.CacheConfig()))
    assert made == body(said(X, POINT))


MANAGED = {
    "by its model": ({"model": "arn:aws:bedrock:us-east-1:1:prompt/abc"}, b"{}"),
    "by its variables": (
        {"extras": extras(promptVariables={"x": {"text": "y"}})},
        b'{"promptVariables":{"x":{"text":"y"}}}',
    ),
}


@pytest.mark.parametrize(("fields", "expected"), MANAGED.values(), ids=MANAGED)
def test_a_managed_prompt_needs_no_message(fields: dict[str, Any], expected: bytes) -> None:
    assert encode(request(**fields)) == expected


IN_A_RESULT = {
    "a call": '{"toolUse":{"toolUseId":"b","name":"f","input":{}}}',
    "a call that is none": '{"toolUse":{"name":{}}}',
    "a result that is none": '{"toolResult":{"toolUseId":"b"}}',
    "a sound that is none": '{"audio":{"format":"wav","source":{"bytes":[]}}}',
    "JSON that is null": '{"json":null}',
    "what nobody knows": '{"hologram":1}',
}


@pytest.mark.parametrize("block", IN_A_RESULT.values(), ids=IN_A_RESULT)
def test_what_has_no_kind_in_a_result_is_none_of_the_users_without_the_call(block: str) -> None:
    held = f'{{"toolResult":{{"toolUseId":"a","content":[{block},{X}]}}}}'
    given = wg.providers.bedrock.decode_request(body(said(held)))
    losses: list[wg.Loss] = []
    made = encode(given, losses=losses, repair=True)
    assert made == body(said('{"text":"A result without its call (a):"}', X))
    assert [(loss.path, loss.what) for loss in losses] == [
        ("$.messages[0].content[0].content[0]", "opaque block")
    ]


REPAIRED: dict[str, tuple[list[Any], list[str], str]] = {
    "a result without its call": (
        [user("hi"), batch(result("x", call_id="b"))],
        [said('{"text":"hi"}', '{"text":"A result without its call (b):"}', X)],
        "",
    ),
    "a call without a result": (
        [user("hi"), own(call()), user("hi")],
        [
            HI,
            CALL_A,
            said(
                _result(
                    '{"text":"No result was recorded for this call."}', more=',"status":"error"'
                ),
                '{"text":"hi"}',
            ),
        ],
        CONFIG,
    ),
}


@pytest.mark.parametrize(("messages", "expected", "head"), REPAIRED.values(), ids=REPAIRED)
def test_repair(messages: list[Any], expected: list[str], head: str) -> None:
    made = encode(request(*messages), repair=True)
    assert made == body(*expected, head=head)
    judge(made)


REFUSED: dict[str, tuple[wg.Request, str]] = {
    "no message": (request(), "no message with content, expected at least one - at `$.messages`"),
    "no content": (
        request(user(" "), answer()),
        "no message with content, expected at least one - at `$.messages`",
    ),
    "a call without a result": (
        request(user("hi"), own(call("b"))),
        "tool call `b` has no result; add one, or pass repair=True - at `$.messages[1].content[0]`",
    ),
    "a result without a call": (
        request(user("hi"), batch(result(call_id="b"))),
        (
            "tool result `b` has no call before it;"
            " add one, or pass repair=True - at `$.messages[1].content[0]`"
        ),
    ),
    "a result without a call, behind a system message": (
        request(
            user("hi"), answer("yes"), system("x"), wg.ToolResultMessage("b", content=[text("x")])
        ),
        "tool result `b` has no call before it; add one, or pass repair=True - at `$.messages[3]`",
    ),
    "a call whose result stands behind an empty message and an answer": (
        request(user("hi"), own(call("b")), user(), answer("yes"), batch(result(call_id="b"))),
        "tool call `b` has no result; add one, or pass repair=True - at `$.messages[1].content[0]`",
    ),
    "an opaque block that is not an object": (
        request(user(wg.OpaqueBlock(API, wg.RawJson("1")))),
        (
            "opaque block that is not an object, expected a JSON object"
            " - at `$.messages[0].content[0]`"
        ),
    ),
    "no number": (
        request(user("hi"), top_p=float("nan")),
        "`nan`, expected a finite number - at `$.topP`",
    ),
    "an endless temperature": (
        request(user("hi"), temperature=float("inf"), thinking=wg.Thinking()),
        "`inf`, expected a finite number - at `$.temperature`",
    ),
    "two tools of one name": (
        request(user("hi"), tools=[wg.Tool("f"), wg.Tool("f")]),
        "two tools named `f`, expected one - at `$.tools[1]`",
    ),
    "parameters that are a list": (
        request(user("hi"), tools=[wg.Tool("f", parameters=wg.RawJson("[]"))]),
        (
            "tool parameters of another type, expected the JSON Schema of an object"
            " - at `$.tools[0].parameters`"
        ),
    ),
    "parameters of a text": (
        request(user("hi"), tools=[wg.Tool("f", parameters={"type": "string"})]),
        (
            "tool parameters of another type, expected the JSON Schema of an object"
            " - at `$.tools[0].parameters`"
        ),
    ),
    "a choice of no name": (
        request(user("hi"), tools=[wg.Tool("f")], tool_choice=wg.ToolChoice("tool")),
        "tool choice of mode `tool` without a name, expected one - at `$.toolChoice`",
    ),
    "a name where none belongs": (
        request(user("hi"), tools=[wg.Tool("f")], tool_choice=wg.ToolChoice("auto", "f")),
        "tool choice of mode `auto` with a name, expected none - at `$.toolChoice`",
    ),
    "a block of another kind": (
        request(user("hi", user("x"))),
        "`UserMessage`, expected a content block - at `$.messages[0].content[1]`",
    ),
}


@pytest.mark.parametrize(("given", "reason"), REFUSED.values(), ids=REFUSED)
def test_a_request_that_cannot_be_written(given: wg.Request, reason: str) -> None:
    with pytest.raises(wg.EncodeError) as caught:
        encode(given, losses=[])
    assert str(caught.value) == f"bedrock: {reason}"
    assert type(caught.value) is wg.EncodeError


def test_a_lone_surrogate_is_an_error_or_a_loss() -> None:
    given = request(user("x\ud83d"))
    with pytest.raises(wg.EncodeError, match="half a character"):
        encode(given)
    losses: list[wg.Loss] = []
    assert encode(given, losses=losses) == body(said('{"text":"x\ufffd"}'))
    assert [loss.what for loss in losses] == ["lone surrogate"]


def test_a_transcript() -> None:
    transcript = wg.providers.bedrock.Transcript([user("hi"), answer("yes")])
    assert transcript.encode(model="m") == body(HI, YES)
    transcript.append(answer("yes"))
    transcript.append(user("hi"))
    transcript.append(own(call()))
    transcript.append(batch(result()))
    assert transcript.encode(model="m") == body(
        HI,
        answered('{"text":"yes"}', '{"text":"yes"}'),
        HI,
        CALL_A,
        RESULT_A.replace("[]", '[{"text":""}]'),
        head=CONFIG,
    )


def test_a_transcript_keeps_the_place_of_a_system_message_between_two_answers() -> None:
    messages = [user("hi"), answer("yes"), system("x"), own(call()), batch(result())]
    losses: list[wg.Loss] = []
    made = wg.providers.bedrock.Transcript(messages).encode(losses=losses, model="m")
    assert made == body(
        HI, YES, said(X), CALL_A, RESULT_A.replace("[]", '[{"text":""}]'), head=CONFIG
    )
    assert [(loss.path, loss.what) for loss in losses] == [("$.messages[2]", "system place")]


ROUTES = {
    "a model": ("m", False, "/model/m/converse"),
    "a stream": ("m", True, "/model/m/converse-stream"),
    "a name to quote": ("arn:aws:x/y", False, "/model/arn%3Aaws%3Ax%2Fy/converse"),
}


@pytest.mark.parametrize(("model", "stream", "path"), ROUTES.values(), ids=ROUTES)
def test_route(model: str, stream: bool, path: str) -> None:
    made = wg.providers.bedrock.route(request(model=model, stream=stream))
    assert made == wg.providers.Route("POST", path)


def test_a_route_wants_a_model() -> None:
    with pytest.raises(
        wg.EncodeError,
        match=(
            r"no model, expected its name;"
            r" pass `model` - at `\$.model`"
        ),
    ):
        wg.providers.bedrock.route(request())


FIELDS_OF_OTHERS = {
    "thinking without a budget": ('{"thinking":{"type":"enabled"},"q":1}', '{"q":1}', ["extras"]),
    "an effort that nobody knows": ('{"reasoning_effort":"odd","q":1}', '{"q":1}', ["extras"]),
    "thinking that says nothing else": ('{"thinking":{"type":"adaptive"},"q":1}', '{"q":1}', []),
}


@pytest.mark.parametrize(("came", "sent", "lost"), FIELDS_OF_OTHERS.values(), ids=FIELDS_OF_OTHERS)
def test_fields_of_other_makers_are_a_loss_if_they_say_more(
    came: str, sent: str, lost: list[str]
) -> None:
    said = '"messages":[{"role":"user","content":[{"text":"Hi"}]}]}'
    losses: list[wg.Loss] = []
    body = '{"additionalModelRequestFields":%s,' + said
    model = "us.amazon.nova-2-lite-v1:0"
    made = wg.translate_request(body % came, "bedrock", "bedrock", model=model, losses=losses)
    assert made.decode() == body % sent
    assert [loss.what for loss in losses] == lost
