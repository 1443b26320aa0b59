"""Request -> the body of Ollama's wire, byte for byte, judged by the SDK's types and the rules."""

from typing import Any

import pytest

import wireglot as wg
from tests.providers.ollama.pieces import (
    API,
    CALL_A,
    HI,
    OTHER,
    PNG,
    RESULT_A,
    YES,
    answer,
    answered,
    batch,
    body,
    call,
    calling,
    extras,
    judge,
    request,
    result,
    said,
    system,
    text,
    user,
)

encode = wg.providers.ollama.encode_request

LEVEL = wg.ThinkingLevel
IMAGES = '"images":["iVBORw0KGgo="]'
CONTROL = '{"role":"control", "content":"thinking"}'


def _call(arguments: str, call_id: str = "a", name: str = "f") -> str:
    return f'{{"id":"{call_id}","function":{{"name":"{name}","arguments":{arguments}}}}}'


def _answers(words: str, call_id: str, name: str = "f") -> str:
    return said(words, f'"tool_name":"{name}","tool_call_id":"{call_id}"', "tool")


MESSAGES: dict[str, tuple[list[Any], list[str]]] = {
    "one text": ([user("hi")], [HI]),
    "several texts are one, a line each": ([user("x", "", "y")], [said("x\\ny")]),
    "an empty text": ([user("")], [said("")]),
    "white space": ([user(" \n")], [said(" \\n")]),
    "no content": (
        [user("hi"), user(), answer(), system()],
        [
            HI,
            said(""),
            answered(""),
            said("", role="system"),
        ],
    ),
    "a batch of nothing is nothing": ([user("hi"), batch()], [HI]),
    "system messages stay where they are": (
        [system("a"), user("hi"), system("b"), answer("yes"), system("c")],
        [
            said("a", role="system"),
            HI,
            said("b", role="system"),
            YES,
            said("c", role="system"),
        ],
    ),
    "messages of one side stay apart": (
        [user("hi"), user("hi"), answer("yes"), answer("yes")],
        [HI, HI, YES, YES],
    ),
    "images go beside the text, in their order": (
        [user(wg.ImageBlock(data=PNG), "x", wg.ImageBlock(data=b"GIF89a"), "y")],
        [said("x\\ny", '"images":["iVBORw0KGgo=","R0lGODlh"]')],
    ),
    "an image without text": ([user(wg.ImageBlock(data=PNG))], [said("", IMAGES)]),
    "an image in a data URL": (
        [user("x", wg.ImageBlock(url="data:image/png;base64,iVBORw0KGgo="))],
        [said("x", IMAGES)],
    ),
    "images of the system and of an answer": (
        [system("x", wg.ImageBlock(data=PNG)), answer("x", wg.ImageBlock(data=PNG))],
        [said("x", IMAGES, "system"), answered("x", IMAGES)],
    ),
    "thinking of any API goes along, without its signature": (
        [
            answer(wg.ThinkingBlock("hm", "s"), "x", wg.ThinkingBlock("so"), api=OTHER),
            answer(wg.ThinkingBlock("hm"), "x", api=API),
        ],
        [answered("x", '"thinking":"hm\\nso"'), answered("x", '"thinking":"hm"')],
    ),
    "thinking of nothing is none": ([answer(wg.ThinkingBlock(""), "x")], [answered("x")]),
    "a call, and its result": ([answer(call()), batch(result())], [CALL_A, RESULT_A]),
    "thinking, text and a call": (
        [answer(wg.ThinkingBlock("hm"), "x", call()), batch(result("y"))],
        [
            answered("x", f'"thinking":"hm","tool_calls":[{_call("{}")}]'),
            _answers("y", "a"),
        ],
    ),
    "arguments as they came": (
        [
            answer(
                call(arguments='{"x": 1e2, "n":12345678901234567890123}'),
                call("b", ""),
                call("c", {"é": [None, True]}),
                call("d", " {}\n"),
            ),
            batch(*(result(call_id=i) for i in "abcd")),
        ],
        [
            calling(
                _call('{"x": 1e2, "n":12345678901234567890123}'),
                _call("{}", "b"),
                _call('{"é":[null,true]}', "c"),
                _call("{}", "d"),
            ),
            *(_answers("", i) for i in "abcd"),
        ],
    ),
    "each result is a message of its own": (
        [
            answer(call("a"), call("b", name="g"), call("c")),
            batch(result("1", call_id="b"), result("2", call_id="a")),
            wg.ToolResultMessage("c", content=[wg.TextBlock("3")]),
        ],
        [
            calling(_call("{}"), _call("{}", "b", "g"), _call("{}", "c")),
            _answers("1", "b", "g"),
            _answers("2", "a"),
            _answers("3", "c"),
        ],
    ),
    "results that a user brings, and what he says": (
        [answer(call()), user(result(), "hi")],
        [CALL_A, RESULT_A, HI],
    ),
    "a batch with words in it": (
        [answer(call()), batch(result(), text("hi"))],
        [
            CALL_A,
            RESULT_A,
            HI,
        ],
    ),
    "a result under another name gets that of its call": (
        [answer(call()), batch(wg.ToolResultBlock("a", "g"))],
        [CALL_A, _answers("", "a", "f")],
    ),
    "a result with an image": (
        [answer(call()), batch(result("x", wg.ImageBlock(data=PNG)))],
        [CALL_A, said("x", IMAGES + ',"tool_name":"f","tool_call_id":"a"', "tool")],
    ),
    "ids of any kind": (
        [answer(call("ü b/c", name="a.b")), batch(result(call_id="ü b/c"))],
        [calling(_call("{}", "ü b/c", "a.b")), _answers("", "ü b/c", "a.b")],
    ),
    "an id that is empty is none": (
        [answer(call("")), batch(result(call_id=""))],
        [
            calling('{"function":{"name":"f","arguments":{}}}'),
            said("", '"tool_name":"f"', "tool"),
        ],
    ),
    "a name that is empty is none in the result": (
        [answer(call(name="")), batch(result())],
        [calling(_call("{}", name="")), said("", '"tool_call_id":"a"', "tool")],
    ),
    "an id that a later answer uses again": (
        [answer(call()), batch(result()), answer(call()), batch(result())],
        [CALL_A, RESULT_A, CALL_A, RESULT_A],
    ),
    "an id that one answer uses twice gets a suffix": (
        [answer(call(), call()), batch(result("1"), result("2"))],
        [
            calling(_call("{}"), _call("{}", "a_2")),
            _answers("1", "a"),
            _answers("2", "a_2"),
        ],
    ),
    "what comes between a call and its result goes behind it": (
        [answer(call()), user("hi"), system("x"), batch(result())],
        [CALL_A, RESULT_A, HI, said("x", role="system")],
    ),
    "words before a result go behind it": (
        [answer(call()), user("hi", result())],
        [CALL_A, RESULT_A, HI],
    ),
    "two answers that wait for their results are one": (
        [answer("x", call()), answer(call("b")), batch(result(), result(call_id="b"))],
        [
            calling(_call("{}"), _call("{}", "b"), content="x"),
            RESULT_A,
            _answers("", "b"),
        ],
    ),
    "texts with everything that JSON escapes": (
        [user('"\\\n\x01\u2028😀')],
        [said('\\"\\\\\\n\\u0001\u2028😀')],
    ),
    "what describes a block to programs stays behind": (
        [
            user(
                wg.TextBlock("hi", signature="s"),
                timestamp=1,
                id="m",
                metadata={"k": 1},
                extras=extras("wireglot", k=1),
            ),
            answer(
                call(kind=wg.model.ToolKind.READ, signature="s"), stop_reason=wg.StopReason.TOOL_USE
            ),
            batch(result(status="x", details=1)),
        ],
        [HI, CALL_A, RESULT_A],
    ),
}


@pytest.mark.parametrize(("messages", "expected"), MESSAGES.values(), ids=MESSAGES)
def test_messages(messages: list[Any], expected: list[str]) -> None:
    made = encode(request(*messages))
    assert made == body(*expected)
    judge(made)


OWN: dict[str, tuple[list[Any], list[str]]] = {
    "a message of a role of its own": (
        [user(wg.OpaqueBlock(API, wg.RawJson(CONTROL))), user("hi")],
        [CONTROL, HI],
    ),
    "and with keys of its own": (
        [user(wg.OpaqueBlock(API, wg.RawJson(CONTROL)), extras=extras(k=1))],
        ['{"k":1,"role":"control","content":"thinking"}'],
    ),
    "keys of a message": ([user("hi", extras=extras(k=1))], ['{"k":1,' + HI[1:]]),
    "keys of a call and of its function": (
        [answer(call(extras=extras(k=1, function={"j": 2}))), batch(result(extras=extras(k=1)))],
        [
            calling('{"k":1,"id":"a","function":{"j":2,"name":"f","arguments":{}}}'),
            '{"k":1,' + RESULT_A[1:],
        ],
    ),
    "keys of a batch go with its last result": (
        [
            answer(call(), call("b")),
            batch(result(), result(call_id="b"), extras=extras(k=1)),
        ],
        [
            calling(_call("{}"), _call("{}", "b")),
            RESULT_A,
            '{"k":1,' + _answers("", "b")[1:],
        ],
    ),
    "keys of a result with its own message": (
        [
            answer(call()),
            wg.ToolResultMessage("a", extras=extras(k=1)),
        ],
        [CALL_A, '{"k":1,' + RESULT_A[1:]],
    ),
}


@pytest.mark.parametrize(("messages", "expected"), OWN.values(), ids=OWN)
def test_what_only_this_api_knows(messages: list[Any], expected: list[str]) -> None:
    assert encode(request(*messages)) == body(*expected)


FIELDS: dict[str, tuple[dict[str, Any], str]] = {
    "nothing": ({}, ""),
    "options": (
        {
            "max_tokens": 9,
            "temperature": 0.5,
            "top_k": 5,
            "top_p": 1.0,
            "seed": -1,
            "stop": ["x", ""],
            "frequency_penalty": -0.5,
            "presence_penalty": 0.0,
        },
        '"options":{"num_predict":9,"temperature":0.5,"top_k":5,"top_p":1.0,"seed":-1,'
        '"stop":["x",""],"frequency_penalty":-0.5,"presence_penalty":0.0}',
    ),
    "no stop sequence": ({"stop": []}, ""),
    "probabilities": ({"logprobs": True, "top_logprobs": 3}, '"logprobs":true,"top_logprobs":3'),
    "text": ({"response_format": wg.ResponseFormat("text")}, ""),
    "JSON": ({"response_format": wg.ResponseFormat("json")}, '"format":"json"'),
    "a schema": (
        {
            "response_format": wg.ResponseFormat(
                "json_schema", wg.RawJson('{"type": "object"}'), "n", "d", strict=True
            )
        },
        '"format":{"type":"object","description":"d"}',
    ),
    "thinking": ({"thinking": wg.Thinking(visible=True)}, '"think":true'),
    "no thinking": ({"thinking": wg.Thinking(LEVEL.OFF, visible=False)}, '"think":false'),
    "a little thinking": ({"thinking": wg.Thinking(LEVEL.LOW)}, '"think":"low"'),
    "thinking as usual": ({"thinking": wg.Thinking(LEVEL.MEDIUM)}, '"think":"medium"'),
    "much thinking": ({"thinking": wg.Thinking(LEVEL.HIGH)}, '"think":"high"'),
    "all thinking": ({"thinking": wg.Thinking(LEVEL.MAX)}, '"think":"max"'),
    "the cache works by itself": ({"cache": wg.CacheConfig()}, ""),
    "no cache": ({"cache": wg.CacheConfig(enabled=False)}, ""),
    "what asks for nothing": (
        {"candidates": 1, "metadata": {}, "parallel_tool_calls": True, "tools": []},
        "",
    ),
    "no call where there are no tools": ({"tool_choice": wg.ToolChoice("none")}, ""),
    "a tool": (
        {"tools": [wg.Tool("f")], "tool_choice": wg.ToolChoice()},
        '"tools":[{"type":"function","function":{"name":"f",'
        '"parameters":{"type":"object","properties":{}}}}]',
    ),
    "tools": (
        {
            "tools": [
                wg.Tool("a.b", "d", wg.RawJson('{"x": 1e2}'), strict=False),
                wg.Tool("g", "", {"type": "object"}),
            ]
        },
        '"tools":[{"type":"function","function":{"name":"a.b","description":"d",'
        '"parameters":{"x": 1e2}}},{"type":"function","function":{"name":"g","description":"",'
        '"parameters":{"type":"object"}}}]',
    ),
}


@pytest.mark.parametrize(("fields", "head"), FIELDS.values(), ids=FIELDS)
def test_fields(fields: dict[str, Any], head: str) -> None:
    made = encode(request(user("hi"), **fields))
    assert made == body(HI, head=head)
    judge(made)


OWN_FIELDS: dict[str, tuple[dict[str, Any], str]] = {
    "a tool that the server runs": (
        {"tools": [wg.OpaqueBlock(API, wg.RawJson('{"type": "web"}'), extras=extras(k=1))]},
        '"tools":[{"k":1,"type":"web"}]',
    ),
    "keys of a tool": (
        {"tools": [wg.Tool("f", parameters={}, extras=extras(k=1, function={"j": 2}))]},
        '"tools":[{"k":1,"type":"function","function":{"j":2,"name":"f","parameters":{}}}]',
    ),
}


@pytest.mark.parametrize(("fields", "head"), OWN_FIELDS.values(), ids=OWN_FIELDS)
def test_fields_that_only_this_api_knows(fields: dict[str, Any], head: str) -> None:
    assert encode(request(user("hi"), **fields)) == body(HI, head=head)


def test_options_of_this_api_stand_beside_the_others() -> None:
    given = request(user("hi"), seed=1, extras=extras(options={"num_ctx": 9}, keep_alive=0))
    assert encode(given) == (
        b'{"keep_alive":0,"model":"m","stream":false,"options":{"num_ctx":9,"seed":1},'
        b'"messages":[' + HI.encode() + b"]}"
    )


def test_a_stream() -> None:
    assert encode(request(user("hi"), stream=True)) == body(HI).replace(b"false", b"true")


REPAIRED: dict[str, tuple[list[Any], list[str]]] = {
    "a result without its call": (
        [user("hi"), batch(result("x", call_id="b"))],
        [HI, said("A result without its call (b):\\nx")],
    ),
    "a call without a result": (
        [answer(call()), user("hi")],
        [CALL_A, _answers("No result was recorded for this call.", "a"), HI],
    ),
}


@pytest.mark.parametrize(("messages", "expected"), REPAIRED.values(), ids=REPAIRED)
def test_repair(messages: list[Any], expected: list[str]) -> None:
    made = encode(request(*messages), repair=True)
    assert made == body(*expected)
    judge(made)


REFUSED: dict[str, tuple[wg.Request, str]] = {
    "no model": (
        wg.Request([user("hi")]),
        "no model, expected its name; pass `model` - at `$.model`",
    ),
    "a model without a name": (
        wg.Request([user("hi")], model=""),
        "no model, expected its name; pass `model` - at `$.model`",
    ),
    "no message": (request(), "no message with content, expected at least one - at `$.messages`"),
    "a batch of nothing alone": (
        request(batch()),
        "no message with content, expected at least one - at `$.messages`",
    ),
    "a call without a result": (
        request(user("hi"), answer(call("b"))),
        "tool call `b` has no result; add one, or pass repair=True - at `$.messages[1].content[0]`",
    ),
    "a call without a result, and words after it": (
        request(answer(call("b")), user("hi")),
        "tool call `b` has no result; add one, or pass repair=True - at `$.messages[0].content[0]`",
    ),
    "a result without its call": (
        request(user("hi"), batch(result(call_id="b"))),
        (
            "tool result `b` has no call before it;"
            " add one, or pass repair=True - at `$.messages[1].content[0]`"
        ),
    ),
    "a result without its call, behind words": (
        request(user("hi", result(call_id="b"))),
        (
            "tool result `b` has no call before it;"
            " add one, or pass repair=True - at `$.messages[0].content[1]`"
        ),
    ),
    "two calls of one id, and one result": (
        request(answer(call(), call()), batch(result())),
        "tool call `a` has no result; add one, or pass repair=True - at `$.messages[0].content[1]`",
    ),
    "two results of one call": (
        request(answer(call()), batch(result(), result())),
        (
            "tool result `a` has no call before it;"
            " add one, or pass repair=True - at `$.messages[1].content[1]`"
        ),
    ),
    "a message that never goes to an LLM": (
        request(user("hi"), wg.BranchSummaryMessage("x")),
        (
            "`BranchSummaryMessage`, expected a message for an LLM;"
            " use `llm_messages(session)` - at `$.messages[1]`"
        ),
    ),
    "a block of another library": (
        request(user(wg.CacheMark())),
        "`CacheMark`, expected a content block - at `$.messages[0].content[0]`",
    ),
    "an opaque block that is not an object": (
        request(user(wg.OpaqueBlock(API, wg.RawJson("1")))),
        (
            "opaque block that is not an object, expected a JSON object"
            " - at `$.messages[0].content[0]`"
        ),
    ),
    "an opaque tool that is not an object": (
        request(user("hi"), tools=[wg.OpaqueBlock(API, wg.RawJson("[]"))]),
        "opaque block that is not an object, expected a JSON object - at `$.tools[0]`",
    ),
    "two tools of one name": (
        request(user("hi"), tools=[wg.Tool("f"), wg.Tool("f")]),
        "two tools named `f`, expected one - at `$.tools[1]`",
    ),
    "parameters that are no object": (
        request(user("hi"), tools=[wg.Tool("f", parameters=wg.RawJson("true"))]),
        (
            "tool parameters of another type, expected the JSON Schema of an object"
            " - at `$.tools[0].parameters`"
        ),
    ),
    "a choice without its name": (
        request(user("hi"), tools=[wg.Tool("f")], tool_choice=wg.ToolChoice("tool")),
        "tool choice of mode `tool` without a name, expected one - at `$.toolChoice`",
    ),
    "a choice with a name too many": (
        request(user("hi"), tool_choice=wg.ToolChoice("auto", "f")),
        "tool choice of mode `auto` with a name, expected none - at `$.toolChoice`",
    ),
    "a schema that is missing": (
        request(user("hi"), response_format=wg.ResponseFormat("json_schema")),
        "response format without a schema, expected a JSON Schema - at `$.responseFormat.schema`",
    ),
    "a schema that is not an object": (
        request(user("hi"), response_format=wg.ResponseFormat("json_schema", wg.RawJson("1"))),
        "response format without a schema, expected a JSON Schema - at `$.responseFormat.schema`",
    ),
    **{
        f"no number as {key}": (
            request(user("hi"), **{field: float("nan")}),
            f"`nan`, expected a finite number - at `$.{key}`",
        )
        for field, key in (
            ("temperature", "temperature"),
            ("top_p", "topP"),
            ("frequency_penalty", "frequencyPenalty"),
            ("presence_penalty", "presencePenalty"),
        )
    },
}


@pytest.mark.parametrize(("given", "reason"), REFUSED.values(), ids=REFUSED)
def test_a_request_that_cannot_be_written(given: wg.Request, reason: str) -> None:
    with pytest.raises(wg.EncodeError) as caught:
        encode(given, losses=[])
    assert str(caught.value) == f"ollama: {reason}"
    assert type(caught.value) is wg.EncodeError


def test_a_lone_surrogate_is_an_error_or_a_loss() -> None:
    given = request(user("x\ud83d"))
    with pytest.raises(wg.EncodeError, match="half a character"):
        encode(given)
    losses: list[wg.Loss] = []
    assert encode(given, losses=losses) == body(said("x\ufffd"))
    assert [loss.what for loss in losses] == ["lone surrogate"]


def test_a_transcript() -> None:
    transcript = wg.providers.ollama.Transcript([user("hi"), answer("yes")])
    assert transcript.encode(model="m") == body(HI, YES)
    transcript.append(user("hi"))
    transcript.append(answer(call()))
    transcript.append(batch(result()))
    assert transcript.encode(model="m") == body(HI, YES, HI, CALL_A, RESULT_A)


def test_route() -> None:
    assert wg.providers.ollama.route(request(user("hi"))) == wg.providers.Route("POST", "/api/chat")
