"""Literal bodies of Cohere's wire -> the requests that they stand for."""

from typing import Any

import pytest

import wireglot as wg
from tests.providers.cohere.pieces import (
    API,
    CALL_A,
    HI,
    PNG,
    PNG_URL,
    RESULT_A,
    TOOL,
    YES,
    answered,
    batch,
    body,
    call,
    calls,
    own,
    result,
    said,
    system,
    text,
    user,
)

decode = wg.providers.cohere.decode_request

X = '{"type":"text","text":"x"}'
THOUGHT = '{"type":"thinking","thinking":"hm"}'


def _extras(keys: Any = None, spelling: Any = None, dialect: str | None = None) -> wg.Extras:
    return {API: wg.Extra(keys or {}, spelling, dialect)}


def _documents(*documents: str) -> str:
    parts = [f'{{"type":"document","document":{document}}}' for document in documents]
    return RESULT_A.replace('"ok"', f"[{','.join(parts)}]")


def _cited(*citations: str) -> str:
    return answered(THOUGHT, X)[:-1] + f',"citations":[{",".join(citations)}]}}'


ANSWERED = [own(call())]
MESSAGES: dict[str, tuple[list[str], list[wg.Message]]] = {
    "strings": (
        ['{"role":"system","content":"s"}', HI, YES],
        [system("s"), user("hi"), own("yes")],
    ),
    "lists": (
        [said(X, X, role="system"), said(X, X), answered(THOUGHT, X)],
        [system("x", "x"), user("x", "x"), own(wg.ThinkingBlock("hm"), "x")],
    ),
    "a list of one text": (
        [said(X)],
        [user("x", extras=_extras(spelling={"content": []}))],
    ),
    "nothing": (
        ['{"role":"user","content":""}', said()],
        [
            user(extras=_extras(spelling={"content": ""})),
            user(extras=_extras(spelling={"content": []})),
        ],
    ),
    "a call and its result, which gets the tool's name": (
        [CALL_A, RESULT_A],
        [*ANSWERED, batch(result("ok", tool_name="f"))],
    ),
    "a plan is text": (
        [calls("a", before='"tool_plan":"so",'), RESULT_A],
        [own("so", call()), batch(result("ok", tool_name="f"))],
    ),
    "what is empty beside calls is spelling": (
        [
            calls("a", before='"content":[{"type":"text","text":""}],"tool_plan":"",'),
            RESULT_A,
            '{"role":"assistant","content":"yes","tool_calls":[],"citations":[]}',
        ],
        [
            own(
                call(),
                extras=_extras(
                    spelling={"content": [{"type": "text", "text": ""}], "tool_plan": ""}
                ),
            ),
            batch(result("ok", tool_name="f")),
            own("yes", extras=_extras(spelling={"citations": [], "tool_calls": []})),
        ],
    ),
    "what is null is not there": (
        [
            '{"role":"assistant","content":"yes","tool_plan":null,"tool_calls":null,"citations":null}'
        ],
        [own("yes")],
    ),
    "a plan without calls is an unknown key": (
        ['{"role":"assistant","content":"yes","tool_plan":"so"}'],
        [own("yes", extras=_extras({"tool_plan": "so"}))],
    ),
    "a call without its type": (
        [CALL_A.replace('"type":"function",', ""), RESULT_A],
        [
            own(call(extras=_extras(spelling={"type": None}))),
            batch(result("ok", tool_name="f")),
        ],
    ),
    "a call without arguments": (
        [
            '{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"f"}}]}'
        ],
        [own(call("a", ""))],
    ),
    "each result is a message": (
        [calls("a", "b"), RESULT_A, RESULT_A.replace('"a"', '"b"')],
        [
            own(call("a"), call("b")),
            batch(result("ok", tool_name="f")),
            batch(result("ok", call_id="b", tool_name="f")),
        ],
    ),
    "a result without its call": ([RESULT_A], [batch(result("ok"))]),
    "documents of title, context and text": (
        [
            CALL_A,
            _documents(
                '{"data":{"text":"x","title":"t","context":"c"}}', '{"id":"d","data":{"text":"y"}}'
            ),
        ],
        [
            *ANSWERED,
            batch(
                result(
                    wg.DocumentBlock(text="x", title="t", context="c"),
                    wg.DocumentBlock(text="y", extras=_extras(spelling={"document": {"id": "d"}})),
                    tool_name="f",
                )
            ),
        ],
    ),
    "documents of anything else are the text of their JSON": (
        [
            CALL_A,
            _documents(
                '{"data":{"n": 1e2}}', '{"data":"{\\"n\\":1}"}', '{"data":{"text":"x","url":"u"}}'
            ),
        ],
        [
            *ANSWERED,
            batch(
                result(
                    text('{"n": 1e2}', extras=_extras(spelling={"document": {"data": {"n": 1e2}}})),
                    text('{"n":1}', extras=_extras(spelling={"document": {"data": '{"n":1}'}})),
                    text(
                        '{"text":"x","url":"u"}',
                        extras=_extras(spelling={"document": {"data": {"text": "x", "url": "u"}}}),
                    ),
                    tool_name="f",
                )
            ),
        ],
    ),
    "images": (
        [
            said(
                f'{{"type":"image_url","image_url":{{"url":"{PNG_URL}","detail":"high"}}}}',
                '{"type":"image_url","image_url":{"url":"https:\\/\\/x.org/a"}}',
            )
        ],
        [
            user(
                wg.ImageBlock(data=PNG, mime_type="image/png", detail="high"),
                wg.ImageBlock(url="https://x.org/a"),
            )
        ],
    ),
    "a part of an unknown type": (
        [said('{"type":"audio","n":1e2}')],
        [user(wg.OpaqueBlock(API, wg.RawJson('{"type":"audio","n":1e2}')))],
    ),
    "unknown keys": (
        [
            '{"role":"user","a":1,"content":[{"type":"text","text":"x","b":2},'
            '{"type":"image_url","image_url":{"url":"https://x.org/a","c":3}}]}'
        ],
        [
            user(
                text("x", extras=_extras({"b": 2})),
                wg.ImageBlock(url="https://x.org/a", extras=_extras({"image_url": {"c": 3}})),
                extras=_extras({"a": 1}),
            )
        ],
    ),
}


@pytest.mark.parametrize(("given", "expected"), MESSAGES.values(), ids=MESSAGES)
def test_messages(given: list[str], expected: list[wg.Message]) -> None:
    assert decode(body(*given)) == wg.Request(expected, model="m")


PLACED = '{"start":0,"end":1,"text":"x","content_index":1,"sources":[%s],"type":"TEXT_CONTENT"}'
SOURCE = '{"type":"document","id":"d","document":{"title":"t","url":"https://x.org","n":1}}'
OUTPUT = '{"type":"tool","id":"a:0","tool_output":{"title":1}}'
REF = wg.AnnotationRef(url="https://x.org", title="t", start=0, end=1)
CITATIONS: dict[str, tuple[str, list[wg.Content]]] = {
    "on a text, a reference for each source": (
        _cited(PLACED % f"{SOURCE},{OUTPUT}"),
        [
            wg.ThinkingBlock("hm"),
            text("x", annotations=[REF, wg.AnnotationRef(start=0, end=1)]),
        ],
    ),
    "of no source": (
        _cited(PLACED % ""),
        [wg.ThinkingBlock("hm"), text("x", annotations=[wg.AnnotationRef(start=0, end=1)])],
    ),
    "two on a text": (
        _cited(PLACED % SOURCE, PLACED % SOURCE),
        [wg.ThinkingBlock("hm"), text("x", annotations=[REF, REF])],
    ),
    "on thinking": (
        _cited((PLACED % SOURCE).replace("TEXT_CONTENT", "THINKING_CONTENT")),
        [wg.ThinkingBlock("hm"), text("x"), wg.AnnotationBlock(refs=[REF])],
    ),
    "on a part that is not there": (
        _cited((PLACED % SOURCE).replace(":1,", ":9,")),
        [
            wg.ThinkingBlock("hm"),
            text("x"),
            wg.AnnotationBlock(
                refs=[wg.AnnotationRef(url="https://x.org", title="t", start=0, end=9)]
            ),
        ],
    ),
    "on the plan": (
        calls("a", before='"tool_plan":"so","citations":[{"start":0,"end":1,"type":"PLAN"}],'),
        [text("so", annotations=[wg.AnnotationRef(start=0, end=1)]), call()],
    ),
}


@pytest.mark.parametrize(("given", "expected"), CITATIONS.values(), ids=CITATIONS)
def test_citations(given: str, expected: list[wg.Content]) -> None:
    request = decode(body(given))
    assert request.messages[0].content == expected
    assert "citations" in request.messages[0].extras[API].spelling.value


def test_a_cited_number_that_python_cannot_hold_stays_as_it_is() -> None:
    cited = PLACED % SOURCE.replace('"n":1', '"n":1e400')
    request = decode(body(_cited(cited)))
    assert request.messages[0].content == [
        wg.ThinkingBlock("hm"),
        text("x", annotations=[REF]),
    ]
    assert f'"citations":[{cited}]'.encode() in wg.providers.cohere.encode_request(request)


PARAMETERS: dict[str, tuple[str, dict[str, Any]]] = {
    "all numbers": (
        '"stream":true,"max_tokens":8,"temperature":0.5,"seed":18446744073709551615,'
        '"frequency_penalty":0.5,"presence_penalty":0.5,"k":5,"p":0.5,"logprobs":true,'
        '"stop_sequences":["a"]',
        {
            "stream": True,
            "max_tokens": 8,
            "temperature": 0.5,
            "seed": 2**64 - 1,
            "frequency_penalty": 0.5,
            "presence_penalty": 0.5,
            "top_k": 5,
            "top_p": 0.5,
            "logprobs": True,
            "stop": ["a"],
        },
    ),
    "text": (
        '"response_format":{"type":"text"}',
        {"response_format": wg.ResponseFormat("text")},
    ),
    "JSON": (
        '"response_format":{"type":"json_object"}',
        {"response_format": wg.ResponseFormat("json")},
    ),
    "JSON in a schema": (
        '"response_format":{"type":"json_object","json_schema":{"x": 1e2}}',
        {"response_format": wg.ResponseFormat("json_schema", wg.RawJson('{"x": 1e2}'))},
    ),
    "thinking": ('"thinking":{"type":"enabled"}', {"thinking": wg.Thinking()}),
    "a budget": (
        '"thinking":{"type":"enabled","token_budget":9}',
        {"thinking": wg.Thinking(budget_tokens=9)},
    ),
    "no thinking": (
        '"thinking":{"type":"disabled"}',
        {"thinking": wg.Thinking(wg.ThinkingLevel.OFF)},
    ),
    "a tool that must be called, strictly": (
        f'"tool_choice":"REQUIRED","strict_tools":true,"tools":[{TOOL}]',
        {
            "tool_choice": wg.ToolChoice("required"),
            "tools": [
                wg.Tool("f", parameters={"type": "object", "properties": {}}, strict=True),
            ],
        },
    ),
    "a tool that must not be called": (
        f'"tool_choice":"NONE","tools":[{TOOL}]',
        {
            "tool_choice": wg.ToolChoice("none"),
            "tools": [wg.Tool("f", parameters={"type": "object", "properties": {}})],
        },
    ),
    "a tool of an unknown type": (
        '"tools":[{"type":"web"}]',
        {"tools": [wg.OpaqueBlock(API, wg.RawJson('{"type":"web"}'))]},
    ),
    "a word that the model has not": (
        f'"tool_choice":"AUTO","tools":[{TOOL}]',
        {
            "tools": [wg.Tool("f", parameters={"type": "object", "properties": {}})],
            "extras": _extras({"tool_choice": "AUTO"}),
        },
    ),
    "documents, and other keys that the model has no place for": (
        '"documents":["x"],"safety_mode":"OFF"',
        {"extras": _extras({"safety_mode": "OFF", "documents": ["x"]})},
    ),
    "what says nothing is spelling": (
        '"documents":[],"stream":false,"stop_sequences":[]',
        {
            "stop": [],
            "extras": _extras(
                {}, {"stream": False, "stop_sequences": [], "documents": []}, "cohere"
            ),
        },
    ),
    "a number beyond its range is spelling": (
        '"p":1.0',
        {"top_p": 1.0, "extras": _extras({}, {"p": 1.0}, "cohere")},
    ),
}


@pytest.mark.parametrize(("head", "fields"), PARAMETERS.values(), ids=PARAMETERS)
def test_parameters(head: str, fields: dict[str, Any]) -> None:
    assert decode(body(HI, head=head)) == wg.Request([user("hi")], model="m", **fields)


BROKEN: dict[str, tuple[bytes, str]] = {
    "no object": (b"3", "expected `object`, got `int` - at `$`"),
    "no messages": (b'{"model":"m"}', "object missing required field `messages` - at `$`"),
    "messages of another type": (
        b'{"messages":"x"}',
        "expected `array`, got `str` - at `$.messages`",
    ),
    "an unknown role": (
        body('{"role":"chatbot","content":"x"}'),
        (
            "unknown role `chatbot`, expected one of `system`, `user`, `assistant`, `tool`"
            " - at `$.messages[0].role`"
        ),
    ),
    "a message without a role": (
        body('{"content":"x"}'),
        "object missing required field `role` - at `$.messages[0]`",
    ),
    "content of another type": (
        body('{"role":"user","content":1}'),
        "expected `str | array`, got `int` - at `$.messages[0].content`",
    ),
    "arguments that are an object": (
        body(CALL_A.replace('"{}"', "{}")),
        "expected `str` - at `$.messages[0].tool_calls[0].function.arguments`",
    ),
    "a call of another type": (
        body(CALL_A.replace('"type":"function"', '"type":"custom"')),
        "expected `function`, got `custom` - at `$.messages[0].tool_calls[0].type`",
    ),
    "an image's URL that is no string": (
        body(said('{"type":"image_url","image_url":{"url":1}}')),
        "expected `str` - at `$.messages[0].content[0].image_url.url`",
    ),
    "a malformed data URL": (
        body(said('{"type":"image_url","image_url":{"url":"data:x"}}')),
        "`data:x`, expected a `data:` URL - at `$.messages[0].content[0].image_url.url`",
    ),
    "a document that is a list": (
        body(CALL_A, _documents('{"data":[]}')),
        "expected `object` - at `$.messages[1].content[0].document.data`",
    ),
    "citations that are no list": (
        body(YES[:-1] + ',"citations":{}}'),
        "expected `array | null`, got `object` - at `$.messages[0].citations`",
    ),
    "half an emoji": (
        body('{"role":"user","content":"\\ud83d"}'),
        (
            "lone surrogate: half a character is not Unicode text;"
            " U+FFFD takes its place; pass a list as `losses`, and read it"
            " - at `byte 51`"
        ),
    ),
}


@pytest.mark.parametrize(("given", "message"), BROKEN.values(), ids=BROKEN)
def test_a_broken_body(given: bytes, message: str) -> None:
    with pytest.raises(wg.DecodeError) as caught:
        decode(given)
    assert str(caught.value) == f"cohere: {message}"


def test_inline_images_and_arguments_are_slices_of_the_body() -> None:
    image = f'{{"type":"image_url","image_url":{{"url":"{PNG_URL}"}}}}'
    given = body(said(image), calls("a", arguments=r"{\"x\": 1e2}"), RESULT_A)
    request = decode(given)
    image_url = request.messages[0].content[0].data.json_data_url("image/png")
    assert bytes(image_url) == f'"{PNG_URL}"'.encode()
    arguments = request.messages[1].content[0].arguments
    assert arguments.text == b'{"x": 1e2}'
    assert bytes(arguments.string_json()) == rb'"{\"x\": 1e2}"'
