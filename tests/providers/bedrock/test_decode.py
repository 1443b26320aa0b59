"""The body of Bedrock's wire -> a request: literal bytes in, model values out."""

from typing import Any

import pytest

import wireglot as wg
from tests.providers.bedrock.pieces import (
    API,
    CALL_A,
    HI,
    POINT,
    RESULT_A,
    YES,
    answered,
    batch,
    body,
    call,
    extras,
    own,
    result,
    said,
    spelled,
    system,
    text,
    user,
)

decode = wg.providers.bedrock.decode_request

PNG = wg.Media.from_base64("iVBORw0KGgo=")
HOUR = '{"cachePoint":{"type":"default","ttl":"1h"}}'
MINUTES = '{"cachePoint":{"type":"default","ttl":"5m"}}'


def _opaque(**raw: Any) -> wg.OpaqueBlock:
    return wg.OpaqueBlock(API, raw)


def _image(source: str, form: str = "png", more: str = "") -> str:
    return f'{{"image":{{"format":"{form}","source":{source}{more}}}}}'


def _document(more: str) -> str:
    return f'{{"document":{{"name":"d",{more}}}}}'


CITED = (
    '"content":[{"text":"x"},{"text":"y"}],"citations":[{"title":"t","sourceContent":[{"text":"q"},'
    '{"text":"r"}],"location":{"web":{"url":"u"}}},{"source":"s"}]'
)

MESSAGES: dict[str, tuple[str, Any]] = {
    "texts, an empty one too": (said('{"text":"x"}', '{"text":""}'), user("x", "")),
    "a message without content": ('{"role":"user","content":[]}', user()),
    "an answer is this API's": (YES, own("yes")),
    "a system message": (said('{"text":"x"}', role="system"), system("x")),
    "thinking, signed, bare and redacted": (
        answered(
            '{"reasoningContent":{"reasoningText":{"text":"hm","signature":"c2ln"}}}',
            '{"reasoningContent":{"reasoningText":{"text":"hm"}}}',
            '{"reasoningContent":{"redactedContent":"c2ln"}}',
        ),
        own(
            wg.ThinkingBlock("hm", "c2ln"),
            wg.ThinkingBlock("hm"),
            wg.ThinkingBlock("", "c2ln", redacted=True),
        ),
    ),
    "thinking of neither kind": (
        answered('{"reasoningContent":{}}'),
        own(_opaque(reasoningContent={})),
    ),
    "a call": (CALL_A, own(call())),
    "a call's input is its own text": (
        CALL_A.replace("{}", '{"a": 1e2}'),
        own(call(arguments='{"a": 1e2}')),
    ),
    "a call with the type that the API writes": (
        CALL_A.replace('"input"', '"type":"tool_use","input"'),
        own(call(extras=spelled(toolUse={"type": "tool_use"}))),
    ),
    "a call of the provider's own": (
        CALL_A.replace('"input"', '"type":"server_tool_use","input"'),
        own(
            _opaque(toolUse={"toolUseId": "a", "name": "f", "input": {}, "type": "server_tool_use"})
        ),
    ),
    "an unknown key of a call": (
        CALL_A.replace('"name"', '"k":1,"name"'),
        own(call(extras=extras(toolUse={"k": 1}))),
    ),
    "a cited text": (
        answered(f'{{"citationsContent":{{{CITED}}}}}'),
        own(
            text(
                "xy",
                annotations=[
                    wg.AnnotationRef(url="u", title="t", cited_text="qr"),
                    wg.AnnotationRef(url="s"),
                ],
                extras={API: wg.Extra({}, wg.RawJson(f'{{"citationsContent":{{{CITED}}}}}'))},
            )
        ),
    ),
    "images, inline and in S3": (
        said(
            _image('{"bytes":"iVBORw0KGgo="}'),
            _image('{"s3Location":{"uri":"s3://bucket/f"}}', "webp"),
        ),
        user(
            wg.ImageBlock(data=PNG, mime_type="image/png"),
            wg.ImageBlock(url="s3://bucket/f", mime_type="image/webp"),
        ),
    ),
    "images that have no place in the model": (
        said(
            _image('{"bytes":"eA=="}', "bmp"),
            _image('{"s3Location":{"uri":"s3://bucket/f","bucketOwner":"1"}}'),
            _image('{"s3Location":{"uri":"https://x.org"}}'),
            _image("{}"),
        ),
        user(
            _opaque(image={"format": "bmp", "source": {"bytes": "eA=="}}),
            _opaque(
                image={
                    "format": "png",
                    "source": {"s3Location": {"uri": "s3://bucket/f", "bucketOwner": "1"}},
                }
            ),
            _opaque(image={"format": "png", "source": {"s3Location": {"uri": "https://x.org"}}}),
            _opaque(image={"format": "png", "source": {}}),
        ),
    ),
    "an unknown key of an image": (
        said(_image('{"bytes":"iVBORw0KGgo="}', more=',"k":1')),
        user(wg.ImageBlock(data=PNG, mime_type="image/png", extras=extras(image={"k": 1}))),
    ),
    "sound and films": (
        said(
            '{"audio":{"format":"mp3","source":{"bytes":"eA=="}}}',
            '{"audio":{"format":"wav","source":{"bytes":"eA=="}}}',
            '{"video":{"format":"three_gp","source":{"bytes":"eA=="}}}',
        ),
        user(
            wg.AudioBlock(data=b"x", mime_type="audio/mpeg"),
            wg.AudioBlock(data=b"x", mime_type="audio/wav"),
            wg.VideoBlock(data=b"x", mime_type="video/3gpp"),
        ),
    ),
    "documents": (
        said(
            _document('"format":"pdf","source":{"bytes":"eA=="},"context":"c"'),
            _document('"source":{"text":"t"},"citations":{"enabled":true}'),
            _document('"format":"csv","source":{"text":"t"}'),
        ),
        user(
            wg.DocumentBlock(data=b"x", mime_type="application/pdf", title="d", context="c"),
            wg.DocumentBlock(text="t", title="d", citations=True),
            wg.DocumentBlock(text="t", title="d", mime_type="text/csv"),
        ),
    ),
    "documents that have no place in the model": (
        said(
            _document('"format":"odt","source":{"text":"t"}'),
            _document('"source":{"content":[{"text":"t"}]}'),
            _document('"source":{"bytes":"eA=="}'),
        ),
        user(
            _opaque(document={"name": "d", "format": "odt", "source": {"text": "t"}}),
            _opaque(document={"name": "d", "source": {"content": [{"text": "t"}]}}),
            _opaque(document={"name": "d", "source": {"bytes": "eA=="}}),
        ),
    ),
    "a cache point marks the block before it": (
        said('{"text":"x"}', HOUR, '{"text":"y"}', POINT, '{"text":"z"}', MINUTES),
        user(
            text("x", cache=wg.CacheMark("1h")),
            text("y", cache=wg.CacheMark()),
            text("z", cache=wg.CacheMark("5m")),
        ),
    ),
    "a cache point behind nothing, or behind another": (
        said(POINT, '{"text":"x"}', POINT, POINT),
        user(
            _opaque(cachePoint={"type": "default"}),
            text("x", cache=wg.CacheMark()),
            _opaque(cachePoint={"type": "default"}),
        ),
    ),
    "cache points that are none of ours": (
        said(
            '{"text":"x"}',
            '{"cachePoint":{"type":"new"}}',
            '{"cachePoint":{"type":"default","ttl":"2h"}}',
        ),
        user(
            "x",
            _opaque(cachePoint={"type": "new"}),
            _opaque(cachePoint={"type": "default", "ttl": "2h"}),
        ),
    ),
    "blocks of an unknown kind, of two kinds, and of none": (
        said('{"hologram":{"k":1e2}}', '{"text":"x","k":1}', "{}"),
        user(
            wg.OpaqueBlock(API, wg.RawJson('{"hologram":{"k":1e2}}')),
            _opaque(text="x", k=1),
            _opaque(),
        ),
    ),
    "an unknown key of a message": (
        said('{"text":"x"}')[:-1] + ',"k":1}',
        user("x", extras=extras(k=1)),
    ),
}


@pytest.mark.parametrize(("message", "expected"), MESSAGES.values(), ids=MESSAGES)
def test_messages(message: str, expected: Any) -> None:
    assert decode(body(message)).messages == [expected]


def _result(parts: str, more: str = "") -> str:
    return RESULT_A.replace("[]}}", f"[{parts}]{more}}}}}")


RESULTS: dict[str, tuple[str, Any]] = {
    "nothing": (RESULT_A, batch(result(tool_name="f"))),
    "texts": (
        _result('{"text":"x"},{"text":"y"}'),
        batch(result("x", "y", tool_name="f")),
    ),
    "JSON is text, and keeps its spelling": (
        _result('{"json":{"a": 1e2}}'),
        batch(
            result(
                text('{"a": 1e2}', extras={API: wg.Extra({}, wg.RawJson('{"json":{"a": 1e2}}'))}),
                tool_name="f",
            )
        ),
    ),
    "JSON that is null": (
        _result('{"json":null}'),
        batch(result(_opaque(json=None), tool_name="f")),
    ),
    "media": (
        _result(_image('{"bytes":"iVBORw0KGgo="}')),
        batch(result(wg.ImageBlock(data=PNG, mime_type="image/png"), tool_name="f")),
    ),
    "a part of an unknown kind": (
        _result('{"searchResult":{}}'),
        batch(result(_opaque(searchResult={}), tool_name="f")),
    ),
    "an error": (
        _result("", ',"status":"error"'),
        batch(result(tool_name="f", is_error=True)),
    ),
    "a success keeps that": (
        _result("", ',"status":"success"'),
        batch(result(tool_name="f", extras=spelled(toolResult={"status": "success"}))),
    ),
    "a result of the provider's own": (
        _result("", ',"type":"x"'),
        user(_opaque(toolResult={"toolUseId": "a", "content": [], "type": "x"})),
    ),
    "of no call": (RESULT_A.replace('"a"', '"b"'), batch(result(call_id="b"))),
    "with a text beside it": (
        RESULT_A[:-2] + ',{"text":"x"}]}',
        user(result(tool_name="f"), "x"),
    ),
    "with a cache point behind it": (
        RESULT_A[:-2] + f",{POINT}]}}",
        batch(result(tool_name="f", cache=wg.CacheMark())),
    ),
}


@pytest.mark.parametrize(("message", "expected"), RESULTS.values(), ids=RESULTS)
def test_results(message: str, expected: Any) -> None:
    assert decode(body(HI, CALL_A, message)).messages[2] == expected


def test_arguments_and_media_are_slices_of_the_body() -> None:
    data = "A" * 4000
    decoded = decode(
        body(
            said(_image(f'{{"bytes":"{data}"}}')),
            CALL_A.replace("{}", f'{{"x": "{data}"}}'),
            RESULT_A,
        )
    )
    image: Any = decoded.messages[0].content[0]
    made: Any = decoded.messages[1].content[0]
    assert image.data.to_base64() == data
    assert made.arguments.text == f'{{"x": "{data}"}}'.encode()
    assert f'"input":{{"x": "{data}"}}'.encode() in wg.providers.bedrock.encode_request(decoded)


def test_the_prompt_comes_first() -> None:
    guard = '{"guardContent":{"text":{"text":"x"}}}'
    decoded = decode(body(HI, head=f'"system":[{{"text":"x"}},{POINT},{guard}]'))
    assert decoded.messages == [
        system(text("x", cache=wg.CacheMark()), _opaque(guardContent={"text": {"text": "x"}})),
        user("hi"),
    ]


LEVEL = wg.ThinkingLevel
FIELDS_KEY = '"additionalModelRequestFields":'
TOOL = '{"toolSpec":{"name":"f","inputSchema":{"json":{"x": 1}}}}'
A_TOOL = wg.Tool("f", parameters=wg.RawJson('{"x": 1}'))
FIELDS: dict[str, tuple[str, dict[str, Any]]] = {
    "plain parameters": (
        '"inferenceConfig":{"maxTokens":9,"temperature":1,"topP":0.5,"stopSequences":["x"]},'
        f'{FIELDS_KEY}{{"top_k":3}},"requestMetadata":{{"k":"v"}},"serviceTier":{{"type":"flex"}}',
        {
            "max_tokens": 9,
            "temperature": 1.0,
            "top_p": 0.5,
            "stop": ["x"],
            "top_k": 3,
            "metadata": {"k": "v"},
            "service_tier": "flex",
        },
    ),
    "nulls": ('"inferenceConfig":null,"toolConfig":null,"system":null', {}),
    "a budget": (
        FIELDS_KEY + '{"thinking":{"type":"enabled","budget_tokens":2048}}',
        {"thinking": wg.Thinking(budget_tokens=2048)},
    ),
    "thinking as the model likes, at an effort": (
        FIELDS_KEY + '{"thinking":{"type":"adaptive"}},"outputConfig":{"effort":"max"}',
        {"thinking": wg.Thinking(LEVEL.MAX)},
    ),
    "an effort alone": ('"outputConfig":{"effort":"low"}', {"thinking": wg.Thinking(LEVEL.LOW)}),
    "no thinking": (
        FIELDS_KEY + '{"thinking":{"type":"disabled"}}',
        {"thinking": wg.Thinking(LEVEL.OFF)},
    ),
    "a schema": (
        '"outputConfig":{"textFormat":{"type":"json_schema","structure":{"jsonSchema":'
        '{"schema":"{\\"x\\": 1e2}","name":"s","description":"d"}}}}',
        {"response_format": wg.ResponseFormat("json_schema", wg.RawJson('{"x": 1e2}'), "s", "d")},
    ),
    "tools": (
        f'"toolConfig":{{"tools":[{TOOL},{HOUR},{{"systemTool":{{"name":"n"}}}},{POINT},'
        '{"toolSpec":{"name":"g","description":"d","strict":false,"k":1,'
        '"inputSchema":{"json":{}}}}]}',
        {
            "tools": [
                wg.Tool("f", parameters=wg.RawJson('{"x": 1}'), cache=wg.CacheMark("1h")),
                _opaque(systemTool={"name": "n"}),
                _opaque(cachePoint={"type": "default"}),
                wg.Tool("g", "d", {}, strict=False, extras=extras(toolSpec={"k": 1})),
            ]
        },
    ),
    **{
        f"a choice: {name}": (
            f'"toolConfig":{{"tools":[{TOOL}],"toolChoice":{choice}}}',
            {"tools": [A_TOOL], "tool_choice": expected},
        )
        for name, choice, expected in (
            ("auto", '{"auto":{}}', wg.ToolChoice("auto")),
            ("any", '{"any":{}}', wg.ToolChoice("required")),
            ("one tool", '{"tool":{"name":"f"}}', wg.ToolChoice("tool", "f")),
        )
    },
}


@pytest.mark.parametrize(("head", "fields"), FIELDS.values(), ids=FIELDS)
def test_parameters(head: str, fields: dict[str, Any]) -> None:
    decoded = decode(body(HI, head=head))
    decoded.extras = None
    assert decoded == wg.Request([user("hi")], **fields)


UNREAD: dict[str, tuple[str, dict[str, Any]]] = {
    "an unknown key": ('"guardrailConfig":{"k":1}', {"guardrailConfig": {"k": 1}}),
    "fields of another model's": (
        FIELDS_KEY + '{"reasoning":"x"}',
        {"additionalModelRequestFields": {"reasoning": "x"}},
    ),
    "fields that are a list": (FIELDS_KEY + "[1]", {"additionalModelRequestFields": [1]}),
    "an unknown effort": ('"outputConfig":{"effort":"huge"}', {"outputConfig": {"effort": "huge"}}),
    "a schema that is none": (
        '"outputConfig":{"textFormat":{"type":"json_schema","structure":{"jsonSchema":'
        '{"schema":"{"}}}}',
        {
            "outputConfig": {
                "textFormat": {
                    "type": "json_schema",
                    "structure": {"jsonSchema": {"schema": "{"}},
                }
            }
        },
    ),
    "a choice of two, and a key beside the tools": (
        '"toolConfig":{"tools":[],"toolChoice":{"auto":{},"any":{}},"k":1}',
        {"toolConfig": {"toolChoice": {"auto": {}, "any": {}}, "k": 1}},
    ),
}


@pytest.mark.parametrize(("head", "keys"), UNREAD.values(), ids=UNREAD)
def test_what_the_model_has_no_word_for_is_kept(head: str, keys: dict[str, Any]) -> None:
    decoded = decode(body(HI, head=head))
    assert decoded.extras is not None
    assert decoded.extras[API].keys.value == keys
    decoded.extras = decoded.tools = None
    assert decoded == wg.Request([user("hi")])


URLS: dict[str, tuple[str | None, str | None, bool]] = {
    "no URL": (None, None, False),
    "a path": ("/model/m-v1:0/converse", "m-v1:0", False),
    "a stream": ("https://x.org/model/m/converse-stream", "m", True),
    "a quoted name": ("/model/arn%3Aaws%3Ax%2Fy/converse", "arn:aws:x/y", False),
    "another URL": ("/model/m/invoke", None, False),
}


@pytest.mark.parametrize(("url", "model", "stream"), URLS.values(), ids=URLS)
def test_the_url_names_the_model(url: str | None, model: str | None, stream: bool) -> None:
    assert decode(body(HI), url) == wg.Request([user("hi")], model=model, stream=stream)


def test_a_managed_prompt_needs_no_message() -> None:
    model = "arn:aws:bedrock:us-east-1:1:prompt/abc"
    assert decode(b"{}", f"/model/{model.replace('/', '%2F')}/converse") == wg.Request(
        [], model=model
    )
    variables = {"x": {"text": "y"}}
    assert decode(b'{"promptVariables":{"x":{"text":"y"}}}') == wg.Request(
        [], extras=extras(promptVariables=variables)
    )


BAD: dict[str, tuple[bytes, str]] = {
    "no JSON": (b"{", "input data was truncated - at `$`"),
    "no object": (b"3", "expected `object`, got `int` - at `$`"),
    "no messages": (b"{}", "object missing required field `messages` - at `$`"),
    "a message without a role": (
        body('{"content":[]}'),
        "object missing required field `role` - at `$.messages[0]`",
    ),
    "an unknown role": (
        body(said(role="tool")),
        "invalid enum value 'tool' - at `$.messages[0].role`",
    ),
    "content that is a text": (
        body('{"role":"user","content":"x"}'),
        "expected `array`, got `str` - at `$.messages[0].content`",
    ),
    "a text that is a number": (
        body(said('{"text":1}')),
        "expected `str | null`, got `int` - at `$.messages[0].content[0].text`",
    ),
    "data that are a number": (
        body(said(_image('{"bytes":1}'))),
        "expected base64 `str` - at `$.messages[0].content[0].image.source.bytes`",
    ),
    "citations that are a text": (
        body(answered('{"citationsContent":{"content":[],"citations":"x"}}')),
        "expected `array | null`, got `str`"
        " - at `$.messages[0].content[0].citationsContent.citations`",
    ),
    "half a character": (
        body(said(r'{"text":"\ud83d"}')),
        (
            "lone surrogate: half a character is not Unicode text;"
            " U+FFFD takes its place; pass losses=[] to take the fallback"
            " - at `byte 48`"
        ),
    ),
    "bytes that are not UTF-8": (
        body(HI).replace(b"hi", b"\xff"),
        "text is not UTF-8 - at `$`",
    ),
}


@pytest.mark.parametrize(("data", "reason"), BAD.values(), ids=BAD)
def test_bad_bytes_are_one_error(data: bytes, reason: str) -> None:
    with pytest.raises(wg.DecodeError) as caught:
        decode(data)
    assert str(caught.value) == f"bedrock: {reason}"


def test_half_a_character_may_be_a_loss() -> None:
    losses: list[wg.Loss] = []
    decoded = decode(body(said(r'{"text":"\ud83d"}')), losses=losses)
    assert decoded.messages == [user("\ufffd")]
    assert [loss.what for loss in losses] == ["lone surrogate"]
