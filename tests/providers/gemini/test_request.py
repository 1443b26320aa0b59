"""Request -> the body of Gemini's wire, byte for byte, judged by the SDK's types and the rules."""

from typing import Any

import pytest

import wireglot as wg
from tests.providers.gemini.literals import (
    API,
    CALL_A,
    HI,
    PNG,
    RESULT_A,
    UNSIGNED,
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

encode = wg.providers.gemini.encode_request

X = '{"text":"x"}'
IMAGE = '{"inlineData":{"data":"iVBORw0KGgo=","mimeType":"image/png"}}'
FILES = "https://generativelanguage.googleapis.com/v1beta/files/f"
LEVEL = wg.ThinkingLevel


def _call(args: str = ',"args":{}', call_id: str = "a", name: str = "f", more: str = "") -> str:
    return f'{{"functionCall":{{"name":"{name}"{args},"id":"{call_id}"}}{more}}}'


def _result(response: str = '{"output":""}', call_id: str = "a", more: str = "") -> str:
    name = f'"name":"f","response":{response},"id":"{call_id}"{more}'
    return f'{{"functionResponse":{{{name}}}}}'


MESSAGES: dict[str, tuple[list[Any], list[str]]] = {
    "each text is a part, an empty one too": (
        [user("x", "", " ")],
        [said(X, '{"text":""}', '{"text":" "}')],
    ),
    "answers in a row share a content, what a user says does not": (
        [user("hi"), user("hi"), answer("yes"), answer("yes"), user("hi")],
        [HI, HI, answered('{"text":"yes"}', '{"text":"yes"}'), HI],
    ),
    "answers share a content over a message that comes to nothing": (
        [user("hi"), answer("yes"), user(), answer("yes")],
        [HI, answered('{"text":"yes"}', '{"text":"yes"}')],
    ),
    "an answer may be the last": ([user("hi"), answer("yes")], [HI, YES]),
    "a message without content is left out": ([user("hi"), answer(), user(), user("hi")], [HI, HI]),
    "a text is signed where this API signed it": (
        [user("hi"), own(text("", signature="c2ln")), answer(text("x", signature="c2ln"))],
        [HI, answered('{"text":"","thoughtSignature":"c2ln"}', X)],
    ),
    "a provider stands for an API that is not named": (
        [
            user("hi"),
            answer(text("x", signature="c2ln"), provider="google"),
            answer(text("x", signature="c2ln"), provider="gemini"),
            answer(text("x", signature="c2ln"), provider="vertex"),
        ],
        [HI, answered(*['{"text":"x","thoughtSignature":"c2ln"}'] * 3)],
    ),
    "what cannot be a signature is left out": (
        [user("hi"), own(text("x", signature=""), text("x", signature="!"))],
        [HI, answered(X, X)],
    ),
    "thinking of this API goes back, signed or not": (
        [user("hi"), own(wg.ThinkingBlock("hm", "c2ln"), wg.ThinkingBlock("hm"), "yes")],
        [
            HI,
            answered(
                '{"text":"hm","thought":true,"thoughtSignature":"c2ln"}',
                '{"text":"hm","thought":true}',
                '{"text":"yes"}',
            ),
        ],
    ),
    "a call of this API that nobody signed stays unsigned": (
        [user("hi"), own(call()), batch(result())],
        [HI, CALL_A, RESULT_A],
    ),
    "a call of this API has its signature": (
        [user("hi"), own(call(signature="c2ln")), batch(result())],
        [HI, answered(_call(more=',"thoughtSignature":"c2ln"')), RESULT_A],
    ),
    "the first call of another API's answer goes with the documented signature": (
        [
            user("hi"),
            answer("x", call(signature="c2ln"), call("b", signature="c2ln")),
            batch(result(), result(call_id="b")),
        ],
        [
            HI,
            answered(X, _call(more=UNSIGNED), _call(call_id="b")),
            said(_result(), _result(call_id="b")),
        ],
    ),
    "a conversation that begins with an answer gets a user's turn before it": (
        [answer("yes"), user("hi")],
        [said('{"text":" "}'), YES, HI],
    ),
    "a conversation that begins with a call gets a user's turn before it": (
        [own(call()), batch(result())],
        [said('{"text":" "}'), CALL_A, RESULT_A],
    ),
    "arguments go out as they are": (
        [user("hi"), own(call(arguments='{"b": 1e2, "a":12345678901234567890}')), batch(result())],
        [HI, answered(_call(',"args":{"b": 1e2, "a":12345678901234567890}')), RESULT_A],
    ),
    "empty arguments are none": (
        [user("hi"), own(call(arguments=" ")), batch(result())],
        [HI, answered(_call("")), RESULT_A],
    ),
    "a call with an empty id has none": (
        [user("hi"), own(call("")), batch(result(call_id=""))],
        [
            HI,
            answered('{"functionCall":{"name":"f","args":{}}}'),
            said('{"functionResponse":{"name":"f","response":{"output":""}}}'),
        ],
    ),
    "an id may be any text": (
        [user("hi"), own(call('"|é')), batch(result(call_id='"|é'))],
        [HI, answered(_call(call_id='\\"|é')), said(_result(call_id='\\"|é'))],
    ),
    "a name of 128 characters is sent": (
        [user("hi"), own(call(name="f" * 128)), batch(result(tool_name="other"))],
        [HI, CALL_A.replace('"f"', f'"{"f" * 128}"'), RESULT_A.replace('"f"', f'"{"f" * 128}"')],
    ),
    "the texts of a result are lines": (
        [user("hi"), own(call()), batch(result("x", "y"))],
        [HI, CALL_A, said(_result('{"output":"x\\ny"}'))],
    ),
    "an error has the word for it": (
        [user("hi"), own(call()), batch(result("x", is_error=True))],
        [HI, CALL_A, said(_result('{"error":"x"}'))],
    ),
    "media of a result stand beside its text": (
        [
            user("hi"),
            own(call()),
            batch(result(wg.ImageBlock(data=PNG), "x", wg.DocumentBlock(url="gs://b/f"))),
        ],
        [
            HI,
            CALL_A,
            said(
                _result(
                    '{"output":"x"}',
                    more=f',"parts":[{IMAGE},{{"fileData":{{"fileUri":"gs://b/f"}}}}]',
                )
            ),
        ],
    ),
    "an opaque block of a result goes as it is": (
        [
            user("hi"),
            own(call()),
            batch(result(wg.OpaqueBlock(API, wg.RawJson('{"fileData": {"fileUri":"gs://b/f"}}')))),
        ],
        [
            HI,
            CALL_A,
            said(_result(more=',"parts":[{"fileData": {"fileUri":"gs://b/f"}}]')),
        ],
    ),
    "results that are messages of their own share a turn": (
        [
            user("hi"),
            own(call(), call("b")),
            wg.ToolResultMessage("b", content=[wg.TextBlock("x")], is_error=True),
            wg.ToolResultMessage("a"),
            user("hi"),
        ],
        [
            HI,
            answered(_call(), _call(call_id="b")),
            said(_result('{"error":"x"}', "b"), _result()),
            HI,
        ],
    ),
    "results in several batches share a content": (
        [user("hi"), own(call(), call("b")), batch(result()), batch(result(call_id="b"))],
        [
            HI,
            answered(_call(), _call(call_id="b")),
            said(_result(), _result(call_id="b")),
        ],
    ),
    "results of each kind of message share a content, and what a user says follows it": (
        [
            user("hi"),
            own(call(), call("b"), call("c")),
            batch(result()),
            wg.ToolResultMessage("b"),
            user(result(call_id="c"), "x"),
        ],
        [
            HI,
            answered(_call(), _call(call_id="b"), _call(call_id="c")),
            said(_result(), _result(call_id="b"), _result(call_id="c")),
            said(X),
        ],
    ),
    "what a user says beside results is a turn of its own": (
        [user("hi"), own(call()), user(result(), "x")],
        [HI, CALL_A, RESULT_A, said(X)],
    ),
    "what a user says before a result goes behind it": (
        [user("hi"), own(call()), user("x", result())],
        [HI, CALL_A, RESULT_A, said(X)],
    ),
    "what a user says between a call and its result goes behind them": (
        [user("hi"), own(call()), user("x"), batch(result())],
        [HI, CALL_A, RESULT_A, said(X)],
    ),
    "answers in a row may each call": (
        [user("hi"), own(call()), own(call("b")), batch(result(), result(call_id="b"))],
        [
            HI,
            answered(_call(), _call(call_id="b")),
            said(_result(), _result(call_id="b")),
        ],
    ),
    "calls of one id in a turn get a suffix": (
        [user("hi"), own(call(), call()), batch(result("x"), result("y"))],
        [
            HI,
            answered(_call(), _call(call_id="a_2")),
            said(_result('{"output":"x"}'), _result('{"output":"y"}', "a_2")),
        ],
    ),
    "system messages at the start are one instruction": (
        [system("x", ""), system("y"), user("hi")],
        ['"systemInstruction":{"parts":[{"text":"x"},{"text":""},{"text":"y"}]}', HI],
    ),
    "a system message without content is nothing": ([system(), user("hi"), system()], [HI]),
    "an image": ([user(wg.ImageBlock(data=PNG))], [said(IMAGE)]),
    "an image of no declared type": (
        [user(wg.ImageBlock(data=b"\x89PNG\r\n\x1a\n"))],
        [said(IMAGE)],
    ),
    "an image in a data URL": (
        [user(wg.ImageBlock(url="data:image/png;base64,iVBORw0KGgo="))],
        [said(IMAGE)],
    ),
    "an image that the model made, signed": (
        [user("hi"), own(wg.ImageBlock(data=PNG, signature="c2ln"))],
        [HI, answered(IMAGE[:-1] + ',"thoughtSignature":"c2ln"}')],
    ),
    "URLs and files": (
        [
            user(
                wg.ImageBlock(url="https://x.org/a", mime_type="image/png"),
                wg.ImageBlock(url="http://x.org/a"),
                wg.VideoBlock(url="gs://b/f"),
                wg.AudioBlock(file_id="files/f", mime_type="audio/wav"),
                wg.DocumentBlock(file_id=FILES),
            )
        ],
        [
            said(
                '{"fileData":{"fileUri":"https://x.org/a","mimeType":"image/png"}}',
                '{"fileData":{"fileUri":"http://x.org/a"}}',
                '{"fileData":{"fileUri":"gs://b/f"}}',
                '{"fileData":{"fileUri":"files/f","mimeType":"audio/wav"}}',
                f'{{"fileData":{{"fileUri":"{FILES}"}}}}',
            )
        ],
    ),
    "other media, with the type of their kind where none is known": (
        [user(wg.AudioBlock(data=b"x"), wg.VideoBlock(data=b"x"), wg.DataBlock(data=b"x"))],
        [
            said(
                '{"inlineData":{"data":"eA==","mimeType":"audio/wav"}}',
                '{"inlineData":{"data":"eA==","mimeType":"video/mp4"}}',
                '{"inlineData":{"data":"eA==","mimeType":"application/octet-stream"}}',
            )
        ],
    ),
    "a document that is text": (
        [user(wg.DocumentBlock.from_text("x"), wg.DocumentBlock(text="x", mime_type="text/csv"))],
        [
            said(
                '{"inlineData":{"data":"eA==","mimeType":"text/plain"}}',
                '{"inlineData":{"data":"eA==","mimeType":"text/csv"}}',
            )
        ],
    ),
    "a part of an answer that says nothing is left out": (
        [user("hi"), own("x", wg.OpaqueBlock(API, wg.RawJson("{}")), "y")],
        [HI, answered(X, '{"text":"y"}')],
    ),
    "an opaque block of this API goes as it is": (
        [
            user("hi"),
            own(
                wg.OpaqueBlock(
                    API, wg.RawJson('{"executableCode": {"language":"PYTHON","code":"1"}}')
                )
            ),
        ],
        [HI, answered('{"executableCode": {"language":"PYTHON","code":"1"}}')],
    ),
    "unknown keys of this API come first": (
        [user(text("x", extras=extras(partMetadata={"k": 1})))],
        [said('{"partMetadata":{"k":1},"text":"x"}')],
    ),
    "unknown keys of a result, and inside it": (
        [
            user("hi"),
            own(call()),
            batch(result(extras=extras(functionResponse={"willContinue": False}))),
        ],
        [
            HI,
            CALL_A,
            RESULT_A.replace('{"name"', '{"willContinue":false,"name"'),
        ],
    ),
}


@pytest.mark.parametrize(("messages", "expected"), MESSAGES.values(), ids=MESSAGES)
def test_messages(messages: list[Any], expected: list[str]) -> None:
    made = encode(request(*messages))
    head = expected[0] if expected[0].startswith('"') else ""
    assert made == body(*expected[1 if head else 0 :], head=head)
    judge(made)


VERTEX: dict[str, tuple[list[Any], list[str]]] = {
    "an empty text is left out": ([user("", "x"), answer("")], [said(X)]),
    "an empty text that is signed is not": (
        [user("hi"), own(text("", signature="c2ln"))],
        [HI, answered('{"text":"","thoughtSignature":"c2ln"}')],
    ),
    "an empty thought is left out": (
        [user("hi"), own(wg.ThinkingBlock(""), wg.ThinkingBlock("", "c2ln"))],
        [HI, answered('{"text":"","thought":true,"thoughtSignature":"c2ln"}')],
    ),
    "a file has the type of its kind": (
        [user(wg.ImageBlock(url="gs://b/f"), wg.DocumentBlock(url="https://x.org/a"))],
        [
            said(
                '{"fileData":{"fileUri":"gs://b/f","mimeType":"image/png"}}',
                '{"fileData":{"fileUri":"https://x.org/a","mimeType":"application/pdf"}}',
            )
        ],
    ),
}


@pytest.mark.parametrize(("messages", "expected"), VERTEX.values(), ids=VERTEX)
def test_vertex(messages: list[Any], expected: list[str]) -> None:
    made = encode(request(*messages), dialect="vertex")
    assert made == body(*expected)
    judge(made, "vertex")


SCHEMA = wg.ResponseFormat("json_schema", wg.RawJson('{"x": {}}'), "s", "d", strict=True)
PARAMETERS: dict[str, tuple[dict[str, Any], str]] = {
    "nothing": ({}, ""),
    "the model and the stream stand in the URL": ({"model": "m", "stream": True}, ""),
    "every plain parameter": (
        {
            "max_tokens": 9,
            "temperature": 0.0,
            "top_p": 0.5,
            "top_k": 3,
            "candidates": 2,
            "stop": ["x"],
            "seed": 0,
            "presence_penalty": -1.0,
            "frequency_penalty": 1.0,
            "logprobs": True,
            "top_logprobs": 0,
            "service_tier": "flex",
            "metadata": {"k-1": "v_1", "e": ""},
        },
        '"generationConfig":{"maxOutputTokens":9,"temperature":0.0,"topP":0.5,"topK":3,'
        '"candidateCount":2,"stopSequences":["x"],"seed":0,"presencePenalty":-1.0,'
        '"frequencyPenalty":1.0,"responseLogprobs":true,"logprobs":0},"serviceTier":"flex",'
        '"labels":{"k-1":"v_1","e":""}',
    ),
    "the standard service tier": ({"service_tier": "standard"}, '"serviceTier":"standard"'),
    "the service tier of priority": ({"service_tier": "priority"}, '"serviceTier":"priority"'),
    "values that ask for nothing": (
        {
            "stop": [],
            "metadata": {},
            "tools": [],
            "parallel_tool_calls": True,
            "response_format": wg.ResponseFormat("text"),
            "top_logprobs": 0,
            "cache": wg.CacheConfig(),
            "tool_choice": wg.ToolChoice("auto"),
        },
        "",
    ),
    "alternatives bring the probabilities that they belong to": (
        {"top_logprobs": 2},
        '"generationConfig":{"responseLogprobs":true,"logprobs":2}',
    ),
    "JSON": (
        {"response_format": wg.ResponseFormat("json")},
        '"generationConfig":{"responseMimeType":"application/json"}',
    ),
    "a schema goes without its name, and with its description": (
        {"response_format": SCHEMA},
        '"generationConfig":{"responseMimeType":"application/json",'
        '"responseJsonSchema":{"x":{},"description":"d"}}',
    ),
    "no thinking": (
        {"thinking": wg.Thinking(LEVEL.OFF)},
        '"generationConfig":{"thinkingConfig":{"thinkingBudget":0}}',
    ),
    "thinking as the model likes": (
        {"thinking": wg.Thinking()},
        '"generationConfig":{"thinkingConfig":{"thinkingBudget":-1}}',
    ),
    "thinking shown": (
        {"thinking": wg.Thinking(visible=True)},
        '"generationConfig":{"thinkingConfig":{"includeThoughts":true}}',
    ),
    "a budget": (
        {"thinking": wg.Thinking(budget_tokens=512, visible=False)},
        '"generationConfig":{"thinkingConfig":{"includeThoughts":false,"thinkingBudget":512}}',
    ),
    **{
        f"thinking at {level.value}": (
            {"thinking": wg.Thinking(level), "model": "m"},
            f'"generationConfig":{{"thinkingConfig":{{"thinkingLevel":"{word}"}}}}',
        )
        for level, word in (
            (LEVEL.MINIMAL, "MINIMAL"),
            (LEVEL.LOW, "LOW"),
            (LEVEL.MEDIUM, "MEDIUM"),
            (LEVEL.HIGH, "HIGH"),
            (LEVEL.XHIGH, "XHIGH"),
        )
    },
    **{
        f"thinking at {level.value}, of a model that knows budgets alone": (
            {"thinking": wg.Thinking(level), "model": "gemini-2.5-pro"},
            f'"generationConfig":{{"thinkingConfig":{{"thinkingBudget":{budget}}}}}',
        )
        for level, budget in (
            (LEVEL.MINIMAL, 1024),
            (LEVEL.LOW, 2048),
            (LEVEL.MEDIUM, 8192),
            (LEVEL.HIGH, 24576),
            (LEVEL.XHIGH, 32768),
        )
    },
    "unknown keys come first": (
        {"extras": extras(cachedContent="c", safetySettings=[])},
        '"cachedContent":"c","safetySettings":[]',
    ),
}


@pytest.mark.parametrize(("fields", "head"), PARAMETERS.values(), ids=PARAMETERS)
def test_parameters(fields: dict[str, Any], head: str) -> None:
    made = encode(request(user("hi"), **fields))
    assert made == body(HI, head=head)
    judge(made)


SEARCH = wg.OpaqueBlock(API, wg.RawJson('{"googleSearch": {}}'))
FUNCTION = '{"name":"f"}'
TOOLS: dict[str, tuple[dict[str, Any], str]] = {
    "functions share a tool, which stands where the first of them does": (
        {"tools": [SEARCH, wg.Tool("f", "d", {"x": {}}), SEARCH, wg.Tool("g.h:i-j")]},
        '"tools":[{"googleSearch": {}},{"functionDeclarations":[{"name":"f","description":"d",'
        '"parametersJsonSchema":{"type":"object","x":{}}},{"name":"g.h:i-j"}]},'
        '{"googleSearch": {}}]',
    ),
    "a schema that does not say what it is gets the type": (
        {"tools": [wg.Tool("f", parameters=wg.RawJson(" {} "))]},
        '"tools":[{"functionDeclarations":[{"name":"f",'
        '"parametersJsonSchema":{"type":"object"}}]}]',
    ),
    "a schema that refers or unites keeps its own words": (
        {"tools": [wg.Tool("f", parameters=wg.RawJson('{"anyOf":[{"type":"object"}]}'))]},
        '"tools":[{"functionDeclarations":[{"name":"f",'
        '"parametersJsonSchema":{"anyOf":[{"type":"object"}]}}]}]',
    ),
    "a schema goes as it is": (
        {"tools": [wg.Tool("f", parameters=wg.RawJson('{"type": "object", "b":1e2}'))]},
        '"tools":[{"functionDeclarations":[{"name":"f",'
        '"parametersJsonSchema":{"type": "object", "b":1e2}}]}]',
    ),
    "unknown keys of a function": (
        {"tools": [wg.Tool("f", extras=extras(behavior="BLOCKING"))]},
        '"tools":[{"functionDeclarations":[{"behavior":"BLOCKING","name":"f"}]}]',
    ),
    **{
        f"a choice: {name}": (
            {"tools": [wg.Tool("f")], "tool_choice": choice},
            f'"toolConfig":{{"functionCallingConfig":{calling}}},'
            f'"tools":[{{"functionDeclarations":[{FUNCTION}]}}]',
        )
        for name, choice, calling in (
            ("auto", wg.ToolChoice("auto"), '{"mode":"AUTO"}'),
            ("none", wg.ToolChoice("none"), '{"mode":"NONE"}'),
            ("required", wg.ToolChoice("required"), '{"mode":"ANY"}'),
            (
                "one tool",
                wg.ToolChoice("tool", "f"),
                '{"mode":"ANY","allowedFunctionNames":["f"]}',
            ),
            (
                "one of some",
                wg.ToolChoice("required", allowed=["f"]),
                '{"mode":"ANY","allowedFunctionNames":["f"]}',
            ),
            (
                "some or none",
                wg.ToolChoice("auto", allowed=["f"]),
                '{"mode":"VALIDATED","allowedFunctionNames":["f"]}',
            ),
            ("of an empty list", wg.ToolChoice("auto", allowed=[]), '{"mode":"AUTO"}'),
        )
    },
}


@pytest.mark.parametrize(("fields", "head"), TOOLS.values(), ids=TOOLS)
def test_tools(fields: dict[str, Any], head: str) -> None:
    made = encode(request(user("hi"), **fields))
    assert made == body(HI, head=head)
    judge(made)


IN_A_RESULT = {
    "a call": '{"functionCall":{"name":"f","args":{}}}',
    "a call that is none": '{"functionCall":{"name":false}}',
    "a text": '{"text":"y"}',
    "media that is a call too": '{"inlineData":{"data":"AAAA"},"function_call":{"name":false}}',
    "media with a thought that is none": '{"inlineData":{"data":"AAAA"},"thought":5}',
    "what nobody knows": '{"hologram":1}',
}


@pytest.mark.parametrize("part", IN_A_RESULT.values(), ids=IN_A_RESULT)
def test_what_is_no_media_in_a_result_is_none_of_the_users_without_the_call(part: str) -> None:
    held = _result('{"output":"x"}', more=f',"parts":[{part}]')
    given = wg.providers.gemini.decode_request(body(said(held)))
    losses: list[wg.Loss] = []
    made = encode(given, losses=losses, repair=True)
    assert made == body(said('{"text":"A result without its call (a):"}', X))
    assert [(loss.path, loss.what) for loss in losses] == [
        ("$.messages[0].content[0].content[1]", "opaque block")
    ]


REPAIRED: dict[str, tuple[list[Any], list[str]]] = {
    "a result without its call": (
        [user("hi"), batch(result("x", call_id="b"))],
        [HI, said('{"text":"A result without its call (b):"}', X)],
    ),
    "a call without a result": (
        [user("hi"), own(call()), user("hi")],
        [HI, CALL_A, said(_result('{"error":"No result was recorded for this call."}')), HI],
    ),
}


@pytest.mark.parametrize(("messages", "expected"), REPAIRED.values(), ids=REPAIRED)
def test_repair(messages: list[Any], expected: list[str]) -> None:
    made = encode(request(*messages), repair=True)
    assert made == body(*expected)
    judge(made)


NO_OBJECT = (
    "tool parameters of another type, expected the JSON Schema of an object"
    " - at `$.tools[0].parameters`"
)
REFUSED: dict[str, tuple[wg.Request, str]] = {
    "no message": (request(), "no message with content, expected at least one - at `$.messages`"),
    "no content": (
        request(user(), answer()),
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
        request(user("hi"), temperature=float("inf")),
        "`inf`, expected a finite number - at `$.temperature`",
    ),
    "two tools of one name": (
        request(user("hi"), tools=[wg.Tool("f"), wg.Tool("f")]),
        "two tools named `f`, expected one - at `$.tools[1]`",
    ),
    "parameters that are a list": (
        request(user("hi"), tools=[wg.Tool("f", parameters=wg.RawJson("[]"))]),
        NO_OBJECT,
    ),
    "parameters that describe a text": (
        request(user("hi"), tools=[wg.Tool("f", parameters={"type": "string"})]),
        NO_OBJECT,
    ),
    "a choice of no name": (
        request(user("hi"), tools=[wg.Tool("f")], tool_choice=wg.ToolChoice("tool")),
        "tool choice of mode `tool` without a name, expected one - at `$.toolChoice`",
    ),
    "a name where none belongs": (
        request(user("hi"), tools=[wg.Tool("f")], tool_choice=wg.ToolChoice("auto", "f")),
        "tool choice of mode `auto` with a name, expected none - at `$.toolChoice`",
    ),
    "a choice of a tool that is not there": (
        request(user("hi"), tools=[wg.Tool("f")], tool_choice=wg.ToolChoice("tool", "g")),
        "tool choice `g`, expected the name of a tool of the request - at `$.toolChoice`",
    ),
    "a message of another kind": (
        request(wg.UserMessage([wg.TextBlock("hi")]), wg.TextBlock("x")),  # type: ignore[arg-type]
        "`TextBlock`, expected a message - at `$.messages[1]`",
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
    assert str(caught.value) == f"gemini: {reason}"
    assert type(caught.value) is wg.EncodeError


def test_a_lone_surrogate_is_an_error_or_a_loss() -> None:
    given = request(user("x\ud83d"))
    with pytest.raises(wg.EncodeError, match="half a character"):
        encode(given)
    losses: list[wg.Loss] = []
    assert encode(given, losses=losses) == body(said('{"text":"x\ufffd"}'))
    assert [loss.what for loss in losses] == ["lone surrogate"]


def test_a_transcript() -> None:
    transcript = wg.providers.gemini.Transcript([user("hi"), answer("yes")])
    assert transcript.encode(model="m") == body(HI, YES)
    transcript.append(user("hi"))
    transcript.append(own(call()))
    transcript.append(batch(result()))
    assert transcript.encode(model="m") == body(HI, YES, HI, CALL_A, RESULT_A)


def test_a_transcript_that_begins_with_an_answer() -> None:
    transcript = wg.providers.gemini.Transcript([own("yes")])
    assert transcript.encode() == body(said('{"text":" "}'), YES)
    transcript.append(own(call()))
    transcript.append(batch(result()))
    turn = answered('{"text":"yes"}', _call())
    assert transcript.encode() == body(said('{"text":" "}'), turn, RESULT_A)


ROUTES = {
    "a model": ("m", False, "gemini", "/v1beta/models/m:generateContent"),
    "a stream": ("m", True, "gemini", "/v1beta/models/m:streamGenerateContent?alt=sse"),
    "a model in full": ("models/m", False, "gemini", "/v1beta/models/m:generateContent"),
    "a tuned model": ("tunedModels/m", False, "gemini", "/v1beta/tunedModels/m:generateContent"),
    "a name to quote": ("a/b?", False, "gemini", "/v1beta/models/a%2Fb%3F:generateContent"),
    "Vertex": ("m", False, "vertex", "/publishers/google/models/m:generateContent"),
    "an endpoint of Vertex": ("endpoints/1", False, "vertex", "/endpoints/1:generateContent"),
}


@pytest.mark.parametrize(("model", "stream", "dialect", "path"), ROUTES.values(), ids=ROUTES)
def test_route(model: str, stream: bool, dialect: str, path: str) -> None:
    made = wg.providers.gemini.route(request(model=model, stream=stream), dialect=dialect)
    key = ("authorization", "Bearer ") if dialect == "vertex" else ("x-goog-api-key", "")
    assert made == wg.providers.Route("POST", path, key=key)


def test_a_route_wants_a_model() -> None:
    with pytest.raises(
        wg.EncodeError,
        match=(
            r"no model, expected its name;"
            r" pass `model` - at `\$.model`"
        ),
    ):
        wg.providers.gemini.route(request())


def test_a_model_without_functions_keeps_other_configuration_of_tools() -> None:
    body = (
        b'{"toolConfig":{"retrievalConfig":{"languageCode":"de"}},'
        b'"contents":[{"role":"user","parts":[{"text":"hi"}]}]}'
    )
    made = wg.translate_request(
        body, "gemini", "gemini", model="gemma-3-27b-it", path="/v1beta/models/m:generateContent"
    )
    assert made == body


def test_a_level_that_is_new_stands_without_a_budget_where_a_setting_is_left_out() -> None:
    body = (
        b'{"model":"gemini-2.5-pro","contents":[{"role":"user","parts":[{"text":"hi"}]}],'
        b'"generationConfig":{"frequencyPenalty":0.3,"thinkingConfig":{"thinkingLevel":"NEW"}}}'
    )
    losses: list[wg.Loss] = []
    made = wg.providers.gemini.encode_request(
        wg.providers.gemini.decode_request(body), losses=losses
    )
    assert made == (
        b'{"generationConfig":{"thinkingConfig":{"thinkingLevel":"NEW"}},'
        b'"contents":[{"role":"user","parts":[{"text":"hi"}]}]}'
    )
    assert [loss.path for loss in losses] == ["$.frequencyPenalty"]
