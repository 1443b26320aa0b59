"""Request -> the body of Mistral's wire, byte for byte, judged by the SDK's types and the rules."""

from typing import Any

import pytest

import wireglot as wg
from tests.providers.mistral.pieces import (
    API,
    CALL_A,
    HI,
    PNG,
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

encode = wg.providers.mistral.encode_request

X = '{"type":"text","text":"x"}'
PNG_URL = "data:image/png;base64,iVBORw0KGgo="
IMAGE = f'{{"type":"image_url","image_url":{{"url":"{PNG_URL}"}}}}'
PDF = '"document_url":"data:application/pdf;base64,JVBERi0="'
THOUGHT = '{"type":"thinking","thinking":[{"type":"text","text":"hm"}]}'
REFERENCE = wg.OpaqueBlock(API, wg.RawJson('{"type":"reference", "reference_ids":[1]}'))
LEVEL = wg.ThinkingLevel
PREFIX = '{"role":"assistant","content":"yes","prefix":true}'


def _calling(*calls: str, content: str = '""') -> str:
    return f'{{"role":"assistant","content":{content},"tool_calls":[{",".join(calls)}]}}'


def _call(arguments: str, call_id: str = "aaaaaaaa1", name: str = "f") -> str:
    function = f'{{"name":"{name}","arguments":{arguments}}}'
    return f'{{"id":"{call_id}","type":"function","function":{function}}}'


def _answers(call_id: str, content: str = '""') -> str:
    return f'{{"role":"tool","tool_call_id":"{call_id}","content":{content}}}'


MESSAGES: dict[str, tuple[list[Any], list[str]]] = {
    "one text is a string": ([user("hi")], [HI]),
    "several texts are a list": (
        [user("x", "")],
        [said(X, '{"type":"text","text":""}')],
    ),
    "an empty text is an empty string": ([user("")], ['{"role":"user","content":""}']),
    "a message without content is left out": (
        [user(), user("hi"), answer(), answer(""), batch(), system()],
        [HI],
    ),
    "system messages at the start": (
        [system("a"), system("b", "c"), user("hi"), answer("yes"), user("hi")],
        [
            '{"role":"system","content":"a"}',
            '{"role":"system","content":[{"type":"text","text":"b"},{"type":"text","text":"c"}]}',
            *(HI, YES, HI),
        ],
    ),
    "a system message alone": ([system("a")], ['{"role":"system","content":"a"}']),
    "a system message behind one without content": (
        [user(), system("a"), user("hi")],
        ['{"role":"system","content":"a"}', HI],
    ),
    "thinking in a system message": (
        [system("x", wg.ThinkingBlock("hm", "s")), user("hi")],
        [
            said(X, THOUGHT[:-1] + ',"signature":"s"}', role="system"),
            HI,
        ],
    ),
    "messages of one side stay apart": (
        [user("hi"), user("hi"), answer("yes"), answer("yes"), user("hi")],
        [HI, HI, YES, YES, HI],
    ),
    "an answer at the end is a prefix": ([user("hi"), answer("yes")], [HI, PREFIX]),
    "an answer at the end with a key of its own is a prefix": (
        [user("hi"), answer("yes", extras=extras(prefix=False))],
        [HI, '{"prefix":true,"role":"assistant","content":"yes"}'],
    ),
    "an image inline, by URL in a detail, and by id": (
        [
            user(
                wg.ImageBlock(data=PNG),
                wg.ImageBlock(url="https://x.org/a", detail="low"),
                wg.ImageBlock(file_id="f"),
                wg.ImageBlock(url=PNG_URL),
            )
        ],
        [
            said(
                IMAGE,
                '{"type":"image_url","image_url":{"url":"https://x.org/a","detail":"low"}}',
                '{"type":"file","file_id":"f"}',
                IMAGE,
            )
        ],
    ),
    "an image of each type, and of each detail": (
        [
            user(
                wg.ImageBlock(data=wg.Media.from_bytes(b"i", "image/jpeg")),
                wg.ImageBlock(data=wg.Media.from_bytes(b"i", "image/gif"), detail="auto"),
                wg.ImageBlock(data=wg.Media.from_bytes(b"i", "image/webp"), detail="high"),
            )
        ],
        [
            said(
                '{"type":"image_url","image_url":{"url":"data:image/jpeg;base64,aQ=="}}',
                '{"type":"image_url","image_url":{"url":"data:image/gif;base64,aQ==",'
                '"detail":"auto"}}',
                '{"type":"image_url","image_url":{"url":"data:image/webp;base64,aQ==",'
                '"detail":"high"}}',
            )
        ],
    ),
    "documents inline, by URL and by id": (
        [
            user(
                wg.DocumentBlock.from_bytes(b"%PDF-"),
                wg.DocumentBlock(url="http://x.org/a", filename="a.pdf", title="t"),
                wg.DocumentBlock(file_id="f", title="t"),
                wg.DocumentBlock.from_bytes(b"x", "text/plain"),
            )
        ],
        [
            said(
                f'{{"type":"document_url",{PDF}}}',
                '{"type":"document_url","document_url":"http://x.org/a","document_name":"a.pdf"}',
                '{"type":"file","file_id":"f"}',
                '{"type":"document_url","document_url":"data:text/plain;base64,eA=="}',
            )
        ],
    ),
    "a document without a file name goes under its title": (
        [user(wg.DocumentBlock(url="http://x.org/a", title="t"))],
        [
            said(
                '{"type":"document_url","document_url":"http://x.org/a","document_name":"t"}',
            )
        ],
    ),
    "audio inline, in a data URL, and by URL": (
        [
            user(
                wg.AudioBlock.from_bytes(b"ID3", "audio/mpeg"),
                wg.AudioBlock(url="data:audio/wav;base64,UklGRg=="),
                wg.AudioBlock(url="https://x.org/a"),
            )
        ],
        [
            said(
                '{"type":"input_audio","input_audio":"SUQz"}',
                '{"type":"input_audio","input_audio":"UklGRg=="}',
                '{"type":"input_audio","input_audio":"https://x.org/a"}',
            )
        ],
    ),
    "what describes a block to programs stays here": (
        [
            user(
                wg.ImageBlock(data=PNG, alt_text="a", width=1, bbox=[0.0], signature="s"),
                text("x", signature="s"),
                timestamp=1,
                id="i",
                metadata={"k": 1},
            )
        ],
        [said(IMAGE, X)],
    ),
    "thinking goes back as text, signed by this API or not": (
        [
            user("hi"),
            own(wg.ThinkingBlock("hm", "s"), "x"),
            user("hi"),
            answer(wg.ThinkingBlock("hm", "s"), "x", api="anthropic-messages"),
            user("hi"),
            answer(wg.ThinkingBlock("hm", "s"), provider="mistral"),
            user("hi"),
        ],
        [
            HI,
            answered(THOUGHT[:-1] + ',"signature":"s"}', X),
            HI,
            answered(THOUGHT, X),
            HI,
            answered(THOUGHT[:-1] + ',"signature":"s"}'),
            HI,
        ],
    ),
    "a summary stands for thinking without text": (
        [user("hi"), answer(wg.ThinkingBlock("", "s", details=["hm", "x"])), user("hi")],
        [HI, answered(THOUGHT[:-2] + f",{X}]}}"), HI],
    ),
    "own thinking without text keeps its signature": (
        [user("hi"), own(wg.ThinkingBlock("", "s"), "x"), user("hi")],
        [HI, answered('{"type":"thinking","thinking":[],"signature":"s"}', X), HI],
    ),
    "own opaque blocks go back as they came, anywhere": (
        [
            system(REFERENCE),
            user(REFERENCE),
            own("x", REFERENCE, call()),
            batch(result(REFERENCE)),
        ],
        [
            said(REFERENCE.raw.text.decode(), role="system"),
            said(REFERENCE.raw.text.decode()),
            _calling(_call('"{}"'), content=f"[{X},{REFERENCE.raw.text.decode()}]"),
            _answers("aaaaaaaa1", f"[{REFERENCE.raw.text.decode()}]"),
        ],
    ),
    "parallel calls, each result a message, in the order that they came": (
        [
            user("hi"),
            answer("so", call("aaaaaaaa1"), "x", call("bbbbbbbb2", '{"a": 1}', "g-1")),
            batch(result("two", call_id="bbbbbbbb2"), result("one")),
            user("hi"),
        ],
        [
            HI,
            _calling(
                _call('"{}"'),
                _call(r'"{\"a\": 1}"', "bbbbbbbb2", "g-1"),
                content=f'[{{"type":"text","text":"so"}},{X}]',
            ),
            _answers("bbbbbbbb2", '"two"'),
            _answers("aaaaaaaa1", '"one"'),
            HI,
        ],
    ),
    "results of every kind of message, and what a user says beside them": (
        [
            answer(call("aaaaaaaa1"), call("bbbbbbbb2"), call("cccccccc3")),
            user(result("x"), result("x", call_id="bbbbbbbb2")),
            wg.ToolResultMessage("cccccccc3", "f", [wg.TextBlock("x")]),
            answer(call()),
            user(result(), "hi"),
        ],
        [
            _calling(_call('"{}"'), _call('"{}"', "bbbbbbbb2"), _call('"{}"', "cccccccc3")),
            _answers("aaaaaaaa1", '"x"'),
            _answers("bbbbbbbb2", '"x"'),
            _answers("cccccccc3", '"x"'),
            CALL_A,
            RESULT_A,
            HI,
        ],
    ),
    "a result holds media": (
        [answer(call()), batch(result("x", wg.ImageBlock(data=PNG)))],
        [CALL_A, _answers("aaaaaaaa1", f"[{X},{IMAGE}]")],
    ),
    "results in disorder are put in order": (
        [answer(call()), user("hi"), batch(result("x"))],
        [CALL_A, _answers("aaaaaaaa1", '"x"'), HI],
    ),
    "what stands between a call and its result goes behind": (
        [answer(call()), user("hi"), user("d"), batch(result("x"))],
        [CALL_A, _answers("aaaaaaaa1", '"x"'), HI, '{"role":"user","content":"d"}'],
    ),
    "answers that follow each other while calls are open become one": (
        [answer(call()), answer(call("bbbbbbbb2")), batch(result(), result(call_id="bbbbbbbb2"))],
        [
            _calling(_call('"{}"'), _call('"{}"', "bbbbbbbb2")),
            _answers("aaaaaaaa1"),
            _answers("bbbbbbbb2"),
        ],
    ),
    "an id that is used twice gets two": (
        [answer(call(), call()), batch(result("one"), result("two"))],
        [
            _calling(_call('"{}"'), _call('"{}"', "Ruq76SBns")),
            _answers("aaaaaaaa1", '"one"'),
            _answers("Ruq76SBns", '"two"'),
        ],
    ),
    "an id of another form becomes nine letters and digits, call and result alike": (
        [answer(call("toolu_01")), batch(result(call_id="toolu_01"))],
        [_calling(_call('"{}"', "epW3A5ZNg")), _answers("epW3A5ZNg")],
    ),
    "hostile ids": (
        [
            answer(call(""), call('"\n\u2028é\U0001f600'), call("a" * 10)),
            batch(
                result(call_id=""),
                result(call_id='"\n\u2028é\U0001f600'),
                result(call_id="a" * 10),
            ),
        ],
        [
            _calling(
                _call('"{}"', "47DEQpj8H"), _call('"{}"', "xZiOCt8Mx"), _call('"{}"', "vyy1imj2h")
            ),
            _answers("47DEQpj8H"),
            _answers("xZiOCt8Mx"),
            _answers("vyy1imj2h"),
        ],
    ),
    "arguments are the model's own text": (
        [
            answer(
                call("aaaaaaaa1", '{"a":1e2, "b":12345678901234567890123}'),
                call("aaaaaaaa2", ""),
                call("aaaaaaaa3", '{"x":'),
                call("aaaaaaaa4", {"é": None}),
                call("aaaaaaaa5", "null"),
            ),
            batch(*[result(call_id=f"aaaaaaaa{n}") for n in range(1, 6)]),
        ],
        [
            _calling(
                _call(r'"{\"a\":1e2, \"b\":12345678901234567890123}"'),
                _call('"{}"', "aaaaaaaa2"),
                _call(r'"{\"x\":"', "aaaaaaaa3"),
                _call(r'"{\"é\":null}"', "aaaaaaaa4"),
                _call('"{}"', "aaaaaaaa5"),
            ),
            *[_answers(f"aaaaaaaa{n}") for n in range(1, 6)],
        ],
    ),
    "keys that came over this API go back": (
        [
            user(text("hi", extras=extras(a=1)), extras=extras(b=2)),
            answer(call(extras=extras(index=0, function={"c": 3}))),
            batch(result("x", extras=extras(d=4)), extras=extras("wireglot", e=5)),
        ],
        [
            '{"b":2,"role":"user","content":[{"a":1,"type":"text","text":"hi"}]}',
            _calling(
                '{"index":0,"id":"aaaaaaaa1","type":"function",'
                '"function":{"c":3,"name":"f","arguments":"{}"}}'
            ),
            '{"d":4,"role":"tool","tool_call_id":"aaaaaaaa1","content":"x"}',
        ],
    ),
}
# What is not of this API's making, or has a key that the SDK does not know.
_NOT_DOCUMENTED = {
    "own opaque blocks go back as they came, anywhere",
    "keys that came over this API go back",
}


@pytest.mark.parametrize("case", MESSAGES)
def test_messages(case: str) -> None:
    messages, expected = MESSAGES[case]
    made = encode(request(*messages))
    assert made == body(*expected)
    if case not in _NOT_DOCUMENTED:
        judge(made)


SCHEMA = wg.ResponseFormat("json_schema", {"x": {}}, "s", "d", strict=True)
PARAMETERS: dict[str, tuple[dict[str, Any], str]] = {
    "nothing": ({}, ""),
    "every plain parameter": (
        {
            "temperature": 0.5,
            "top_p": 0.25,
            "top_k": 3,
            "max_tokens": 9,
            "stream": True,
            "stop": ["x", "y"],
            "seed": 7,
            "metadata": {"k": [1, 12345678901234567890123]},
            "presence_penalty": -2.0,
            "frequency_penalty": 2.0,
            "logprobs": True,
            "top_logprobs": 2,
            "candidates": 2,
            "service_tier": "standard_only",
        },
        '"temperature":0.5,"top_p":0.25,"top_k":3,"max_tokens":9,"stream":true,'
        '"stop":["x","y"],"random_seed":7,"metadata":{"k":[1,12345678901234567890123]},'
        '"presence_penalty":-2.0,"frequency_penalty":2.0,"logprobs":true,"top_logprobs":2,"n":2,'
        '"service_tier":"standard_only"',
    ),
    "zeros are values": (
        {"temperature": 0.0, "top_p": 1.0, "max_tokens": 0, "seed": 0, "top_k": 0},
        '"temperature":0.0,"top_p":1.0,"top_k":0,"max_tokens":0,"random_seed":0',
    ),
    "what asks for nothing is not sent": (
        {
            "stop": [],
            "tools": [],
            "metadata": {},
            "parallel_tool_calls": False,
            "tool_choice": wg.ToolChoice(),
            "response_format": wg.ResponseFormat("text"),
            "cache": wg.CacheConfig(),
            "thinking": wg.Thinking(visible=True),
            "extras": extras("wireglot", k=1),
        },
        "",
    ),
    "a cache that is off": ({"cache": wg.CacheConfig(strategy="disabled", ttl="1h")}, ""),
    "JSON": (
        {"response_format": wg.ResponseFormat("json")},
        '"response_format":{"type":"json_object"}',
    ),
    "a schema": (
        {"response_format": SCHEMA},
        '"response_format":{"type":"json_schema","json_schema":{"name":"s","description":"d",'
        '"schema":{"x":{}},"strict":true}}',
    ),
    "a schema without a name gets one": (
        {"response_format": wg.ResponseFormat("json_schema", {})},
        '"response_format":{"type":"json_schema","json_schema":{"name":"response","schema":{}}}',
    ),
    **{
        f"thinking {level.value}": (
            {"thinking": wg.Thinking(level)},
            f'"reasoning_effort":"{"none" if level is LEVEL.OFF else level.value}"',
        )
        for level in LEVEL
        if level is not LEVEL.ULTRA
    },
    "thinking off and hidden": (
        {"thinking": wg.Thinking(LEVEL.OFF, visible=False)},
        '"reasoning_effort":"none"',
    ),
    "keys of this API": (
        {"extras": extras(prompt_mode="reasoning", safe_prompt=True)},
        '"prompt_mode":"reasoning","safe_prompt":true',
    ),
}


@pytest.mark.parametrize(("fields", "head"), PARAMETERS.values(), ids=PARAMETERS)
def test_parameters(fields: dict[str, Any], head: str) -> None:
    made = encode(request(user("hi"), **fields))
    expected = body(HI, head=head)
    if "extras" in fields and head:  # keys without a field come first
        expected = f'{{{head},"model":"m","messages":[{HI}]}}'.encode()
    assert made == expected
    judge(made)


SEARCH = wg.OpaqueBlock(API, wg.RawJson('{"type":"image_generation", "tool_configuration":{}}'))
FUNCTION = '{"name":"f","parameters":{"type":"object","properties":{}}}'
TOOL = f'{{"type":"function","function":{FUNCTION}}}'
TOOLS: dict[str, tuple[dict[str, Any], str]] = {
    "a name is enough": ({"tools": [wg.Tool("f")]}, f'"tools":[{TOOL}]'),
    "a whole one, its schema spliced in, and a connector": (
        {"tools": [wg.Tool("f", "d", wg.RawJson('{"a": 1e2}'), strict=False), SEARCH]},
        '"tools":[{"type":"function","function":{"name":"f","description":"d",'
        '"parameters":{"a": 1e2},"strict":false}},{"type":"image_generation", '
        '"tool_configuration":{}}]',
    ),
    "keys of this API": (
        {"tools": [wg.Tool("f", extras=extras(k=1, function={"strict": None}))]},
        '"tools":[{"k":1,"type":"function","function":{"strict":null,"name":"f",'
        '"parameters":{"type":"object","properties":{}}}}]',
    ),
    **{
        f"the choice {mode}": (
            {"tools": [wg.Tool("f")], "tool_choice": wg.ToolChoice(mode, name)},
            f'"tool_choice":{word},"tools":[{TOOL}]',
        )
        for mode, name, word in (
            ("auto", None, '"auto"'),
            ("none", None, '"none"'),
            ("required", None, '"any"'),
            ("tool", "f", '{"type":"function","function":{"name":"f"}}'),
        )
    },
    "a tier that is chosen for us": ({"service_tier": "auto"}, '"service_tier":"auto"'),
    "one call at a time": (
        {"tools": [wg.Tool("f")], "parallel_tool_calls": False},
        f'"parallel_tool_calls":false,"tools":[{TOOL}]',
    ),
}


@pytest.mark.parametrize(("fields", "head"), TOOLS.values(), ids=TOOLS)
def test_tools(fields: dict[str, Any], head: str) -> None:
    made = encode(request(user("hi"), **fields))
    assert made == body(HI, head=head)
    if '"k":1' not in head:
        judge(made)


REPAIRED: dict[str, tuple[list[Any], list[str]]] = {
    "a result without its call": (
        [user("hi"), batch(result("x", call_id="b"))],
        [HI, said('{"type":"text","text":"A result without its call (b):"}', X)],
    ),
    "a call without a result": (
        [answer(call()), user("hi")],
        [CALL_A, _answers("aaaaaaaa1", '"No result was recorded for this call."'), HI],
    ),
}


@pytest.mark.parametrize(("messages", "expected"), REPAIRED.values(), ids=REPAIRED)
def test_repair(messages: list[Any], expected: list[str]) -> None:
    made = encode(request(*messages), losses=[], repair=True)
    assert made == body(*expected)
    judge(made)


REFUSED: dict[str, tuple[wg.Request, str]] = {
    "no model": (
        wg.Request([user("hi")]),
        "no model, expected its name; pass `model` - at `$.model`",
    ),
    "no message": (request(), "no message with content, expected at least one - at `$.messages`"),
    "no content": (
        request(user()),
        "no message with content, expected at least one - at `$.messages`",
    ),
    "an answer alone": (
        request(answer("x")),
        "an answer alone, expected a message of the user before it - at `$.messages`",
    ),
    "a call without a result": (
        request(user("hi"), answer(call("b"))),
        "tool call `b` has no result; add one, or pass repair=True - at `$.messages[1].content[0]`",
    ),
    "two calls of one id, and one result": (
        request(answer(call("b"), call("b")), batch(result(call_id="b"))),
        "tool call `b` has no result; add one, or pass repair=True - at `$.messages[0].content[1]`",
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
    "a text of an answer that is a number": (
        request(user("hi"), answer(wg.TextBlock(5))),
        "expected `str`, got `int` - at `$.messages[1].content[0].text`",
    ),
    "a block of a result that is a number": (
        request(answer(call()), batch(result(5))),
        "`int`, expected a content block - at `$.messages[1].content[0].content[0]`",
    ),
    "a result without its call": (
        request(user("hi"), batch(result(call_id="b"))),
        (
            "tool result `b` has no call before it;"
            " add one, or pass repair=True - at `$.messages[1].content[0]`"
        ),
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
    "no number": (
        request(user("hi"), temperature=float("nan")),
        "`nan`, expected a finite number - at `$.temperature`",
    ),
    "no number in metadata": (
        request(user("hi"), metadata={"k": float("inf")}),
        "`inf`, expected a finite number - at `$.metadata`",
    ),
    "an opaque block that is not an object": (
        request(user(wg.OpaqueBlock(API, wg.RawJson("1")))),
        (
            "opaque block that is not an object, expected a JSON object"
            " - at `$.messages[0].content[0]`"
        ),
    ),
}


@pytest.mark.parametrize(("given", "reason"), REFUSED.values(), ids=REFUSED)
def test_a_request_that_cannot_be_written(given: wg.Request, reason: str) -> None:
    with pytest.raises(wg.EncodeError) as caught:
        encode(given, losses=[])
    assert str(caught.value) == f"mistral: {reason}"
    assert type(caught.value) is wg.EncodeError


def test_a_lone_surrogate_is_an_error_or_a_loss() -> None:
    given = request(user("x\ud83d"))
    with pytest.raises(wg.EncodeError, match="half a character"):
        encode(given)
    losses: list[wg.Loss] = []
    assert encode(given, losses=losses) == body('{"role":"user","content":"x\ufffd"}')
    assert [loss.what for loss in losses] == ["lone surrogate"]


def test_a_transcript() -> None:
    transcript = wg.providers.mistral.Transcript([user("hi"), answer("yes")])
    assert transcript.encode(model="m") == body(HI, PREFIX)
    transcript.append(user("hi"))
    transcript.append(answer(call()))
    transcript.append(batch(result()))
    assert transcript.encode(model="m") == body(HI, YES, HI, CALL_A, RESULT_A)


def test_route() -> None:
    assert wg.providers.mistral.route(request(user("hi"))) == wg.providers.Route(
        "POST", "/v1/chat/completions"
    )
