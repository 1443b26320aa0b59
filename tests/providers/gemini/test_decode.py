"""The body of Gemini's wire -> a request: literal bytes in, model values out."""

import json
from typing import Any

import pytest

import wireglot as wg
from tests.providers.gemini.literals import (
    API,
    CALL_A,
    HI,
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

decode = wg.providers.gemini.decode_request

PNG = wg.Media.from_base64("iVBORw0KGgo=")
NO_ID = spelled(id=None)
FILES = "https://generativelanguage.googleapis.com/v1beta/files/f"


def _opaque(**raw: Any) -> wg.OpaqueBlock:
    return wg.OpaqueBlock(API, raw)


def _call(more: str) -> str:
    return f'{{"functionCall":{{"name":"f"{more}}}}}'


MESSAGES: dict[str, tuple[str, Any]] = {
    "texts, an empty one too": (said('{"text":"x"}', '{"text":""}'), user("x", "")),
    "a turn without a role is the user's": (
        '{"parts":[{"text":"x"}]}',
        user("x", extras=spelled(role=None)),
    ),
    "no parts": ('{"role":"user"}', user()),
    "parts that are null": ('{"role":"model","parts":null}', own()),
    "one part that stands for a list": ('{"role":"user","parts":{"text":"x"}}', user("x")),
    "an answer is this API's": (YES, own("yes")),
    "a signed text": (
        answered('{"text":"","thoughtSignature":"c2ln"}'),
        own(text("", signature="c2ln")),
    ),
    "keys in snake_case": (
        answered('{"text":"x","thought_signature":"c2ln"}'),
        own(text("x", signature="c2ln")),
    ),
    "a thought, signed or not": (
        answered(
            '{"text":"hm","thought":true,"thoughtSignature":"c2ln"}', '{"text":"hm","thought":true}'
        ),
        own(wg.ThinkingBlock("hm", "c2ln"), wg.ThinkingBlock("hm")),
    ),
    "a thought that is none": (answered('{"text":"x","thought":false}'), own("x")),
    "a user does not think, or sign": (
        said('{"text":"x","thought":true,"thoughtSignature":"c2ln"}'),
        user(text("x", extras=spelled({"thought": True}, thoughtSignature="c2ln"))),
    ),
    "a signature that is no base64 keeps its spelling": (
        answered('{"text":"x","thoughtSignature":"!"}'),
        own(text("x", extras=spelled(thoughtSignature="!"))),
    ),
    "a call": (CALL_A, own(call())),
    "a call without an id gets one": (
        answered(_call(',"args":{"a": 1e2}'), _call("")),
        own(
            call("call_0", '{"a": 1e2}', extras=NO_ID),
            call("call_1", "", extras=NO_ID),
        ),
    ),
    "an id that is empty is none": (
        answered(_call(',"args":{},"id":""')),
        own(call("call_0", extras=NO_ID)),
    ),
    "arguments that are null are none": (
        answered(_call(',"args":null,"id":"a"')),
        own(call(arguments="")),
    ),
    "a call with its signature and unknown keys": (
        answered(
            '{"functionCall":{"name":"f","args":{},"id":"a","k":1},"thoughtSignature":"c2ln","l":2}'
        ),
        own(call(signature="c2ln", extras=extras(l=2, functionCall={"k": 1}))),
    ),
    "a call that is a thought": (
        answered('{"functionCall":{"name":"f","args":{},"id":"a"},"thought":true}'),
        own(call(extras=extras(thought=True))),
    ),
    "an image": (
        said('{"inlineData":{"mimeType":"image/png","data":"iVBORw0KGgo="}}'),
        user(wg.ImageBlock(data=PNG, mime_type="image/png")),
    ),
    "an image in snake_case, and in the alphabet of URLs": (
        said('{"inline_data":{"mime_type":"image/png","data":"_-8="}}'),
        user(wg.ImageBlock(data=wg.Media.from_base64("/+8="), mime_type="image/png")),
    ),
    "an image that the model made": (
        answered(
            '{"inlineData":{"mimeType":"image/png","data":"iVBORw0KGgo="},'
            '"thoughtSignature":"c2ln"}'
        ),
        own(wg.ImageBlock(data=PNG, mime_type="image/png", signature="c2ln")),
    ),
    "media by their types": (
        said(
            *(
                f'{{"inlineData":{{"mimeType":"{mime_type}","data":"eA=="}}}}'
                for mime_type in ("audio/wav", "VIDEO/mp4", "text/csv", "application/pdf", "x/y")
            ),
            '{"inlineData":{"data":"eA=="}}',
        ),
        user(
            wg.AudioBlock(data=b"x", mime_type="audio/wav"),
            wg.VideoBlock(data=b"x", mime_type="VIDEO/mp4"),
            wg.DocumentBlock(data=b"x", mime_type="text/csv"),
            wg.DocumentBlock(data=b"x", mime_type="application/pdf"),
            wg.DataBlock(data=b"x", mime_type="x/y"),
            wg.DataBlock(data=b"x"),
        ),
    ),
    "URLs and files": (
        said(
            '{"fileData":{"fileUri":"https://x.org/a","mimeType":"image/png"}}',
            '{"fileData":{"fileUri":"http://x.org/a","mimeType":"image/png"}}',
            '{"fileData":{"fileUri":"gs://b/f","mimeType":"video/mp4"}}',
            '{"fileData":{"fileUri":"files/f","mimeType":"audio/wav"}}',
            f'{{"fileData":{{"fileUri":"{FILES}"}}}}',
        ),
        user(
            wg.ImageBlock(url="https://x.org/a", mime_type="image/png"),
            wg.ImageBlock(url="http://x.org/a", mime_type="image/png"),
            wg.VideoBlock(url="gs://b/f", mime_type="video/mp4"),
            wg.AudioBlock(file_id="files/f", mime_type="audio/wav", extras=extras()),
            wg.DataBlock(file_id=FILES, extras=extras()),
        ),
    ),
    "unknown keys of media, at both places": (
        said('{"fileData":{"fileUri":"gs://b/f","k":1},"videoMetadata":{"fps":2}}'),
        user(
            wg.DataBlock(url="gs://b/f", extras=extras(videoMetadata={"fps": 2}, fileData={"k": 1}))
        ),
    ),
    "parts of a kind that the model has no block for": (
        answered('{"executableCode":{"code":"1"}}', '{"toolCall":{"id":"x"}}', "{}"),
        own(_opaque(executableCode={"code": "1"}), _opaque(toolCall={"id": "x"}), _opaque()),
    ),
    "parts of two kinds": (
        said('{"text":"x","inlineData":{"data":"eA==","mimeType":"image/png"}}'),
        user(_opaque(text="x", inlineData={"data": "eA==", "mimeType": "image/png"})),
    ),
    "media without data, or of another scheme": (
        said('{"inlineData":{"mimeType":"image/png"}}', '{"fileData":{"fileUri":"s3://b/f"}}'),
        user(
            _opaque(inlineData={"mimeType": "image/png"}),
            _opaque(fileData={"fileUri": "s3://b/f"}),
        ),
    ),
    "unknown keys of a turn and of a text": (
        '{"role":"user","a":1,"parts":[{"text":"x","b":2}]}',
        user(text("x", extras=extras(b=2)), extras=extras(a=1)),
    ),
}


@pytest.mark.parametrize(("content", "expected"), MESSAGES.values(), ids=MESSAGES)
def test_messages(content: str, expected: Any) -> None:
    assert decode(body(content)).messages == [expected]


def _response(more: str, name: str = "f") -> str:
    return f'{{"functionResponse":{{"name":"{name}"{more}}}}}'


RESULTS: dict[str, tuple[str, Any]] = {
    "a text": (
        said(_response(',"response":{"output":"x"},"id":"a"')),
        batch(result("x", tool_name="f")),
    ),
    "an error": (
        said(_response(',"response":{"error":"x"},"id":"a"')),
        batch(result("x", tool_name="f", is_error=True)),
    ),
    "a text in the word of others": (
        said(_response(',"response":{"result":"x"},"id":"a"')),
        batch(
            result(
                "x", tool_name="f", extras=spelled(functionResponse={"response": {"result": "x"}})
            )
        ),
    ),
    "data": (
        said(_response(',"response":{"output": [1e2]},"id":"a"')),
        batch(
            result(
                "[1e2]",
                tool_name="f",
                extras={
                    API: wg.Extra(
                        {}, wg.RawJson('{"functionResponse":{"response":{"output": [1e2]}}}')
                    )
                },
            )
        ),
    ),
    "any object": (
        said(_response(',"response":{"a":1,"output":"x"},"id":"a"')),
        batch(
            result(
                '{"a":1,"output":"x"}',
                tool_name="f",
                extras=spelled(functionResponse={"response": {"a": 1, "output": "x"}}),
            )
        ),
    ),
    "no response": (said(_response(',"id":"a"')), batch(result(tool_name="f"))),
    "a null response": (
        said(_response(',"response":null,"id":"a"')),
        batch(result(tool_name="f")),
    ),
    "media beside the text": (
        said(
            _response(
                ',"response":{"output":"x"},"id":"a","parts":[{"inlineData":{"mimeType":'
                '"image/png","data":"iVBORw0KGgo="}},{"fileData":{"fileUri":"x"}}]'
            )
        ),
        batch(
            result(
                "x",
                wg.ImageBlock(data=PNG, mime_type="image/png"),
                _opaque(fileData={"fileUri": "x"}),
                tool_name="f",
            )
        ),
    ),
    "unknown keys at both places": (
        said(_response(',"response":{"output":"x"},"id":"a","k":1')[:-1] + ',"l":2}'),
        batch(result("x", tool_name="f", extras=extras(l=2, functionResponse={"k": 1}))),
    ),
    "no id": (
        said(_response(',"response":{"output":"x"}')),
        batch(result("x", tool_name="f", extras=NO_ID)),
    ),
    "an id of no call": (
        said(_response(',"response":{"output":"x"},"id":"b"')),
        batch(result("x", tool_name="f", extras=spelled(functionResponse={"id": "b"}))),
    ),
    "another name": (
        said(_response(',"response":{"output":"x"}', "g")),
        batch(result("x", tool_name="g", extras=spelled(id=None, functionResponse={"name": "g"}))),
    ),
    "the role that results had once": (
        said(_response(',"response":{"output":"x"},"id":"a"'), role="function"),
        batch(result("x", tool_name="f"), extras=spelled(role="function")),
    ),
    "with a text beside it": (
        said(_response(',"response":{"output":"x"},"id":"a"'), '{"text":"y"}'),
        user(result("x", tool_name="f"), "y", extras=spelled(role="user")),
    ),
}


@pytest.mark.parametrize(("content", "expected"), RESULTS.values(), ids=RESULTS)
def test_results(content: str, expected: Any) -> None:
    assert decode(body(HI, CALL_A, content)).messages[2] == expected


def _ids(*contents: str) -> list[list[str]]:
    """Return the ids of calls and results, message by message."""
    return [
        [getattr(block, "id", "") or getattr(block, "tool_call_id", "") for block in made.content]
        for made in decode(body(*contents)).messages
    ]


F, G = _call(""), _call("").replace('"f"', '"g"')
DONE = ',"response":{"output":""}'
PAIRS: dict[str, tuple[list[str], list[list[str]]]] = {
    "by name": (
        [answered(F, G), said(_response(DONE, "g"), _response(DONE))],
        [["call_0", "call_1"], ["call_1", "call_0"]],
    ),
    "by order where names are the same": (
        [answered(F, F), said(_response(DONE), _response(DONE))],
        [["call_0", "call_1"], ["call_0", "call_1"]],
    ),
    "by order where no name fits": (
        [answered(F, G), said(_response(DONE, "x"), _response(DONE, "y"))],
        [["call_0", "call_1"], ["call_0", "call_1"]],
    ),
    "over several turns of either side": (
        [answered(F), answered(G), said(_response(DONE)), said(_response(DONE, "g"))],
        [["call_0"], ["call_1"], ["call_0"], ["call_1"]],
    ),
    "by id before name": (
        [
            answered(_call(',"id":"a"'), F),
            said(_response(DONE), _response(DONE + ',"id":"a"')),
        ],
        [["a", "call_0"], ["call_0", "a"]],
    ),
    "of two calls with one id": (
        [
            answered(_call(',"id":"a"'), _call(',"id":"a"')),
            said(_response(DONE + ',"id":"a"'), _response(DONE + ',"id":"a"')),
        ],
        [["a", "call_0"], ["a", "call_0"]],
    ),
    "each turn of the model anew": (
        [answered(F), said(_response(DONE)), answered(F), said(_response(DONE))],
        [["call_0"], ["call_0"], ["call_1"], ["call_1"]],
    ),
}


@pytest.mark.parametrize(("contents", "expected"), PAIRS.values(), ids=PAIRS)
def test_results_belong_to_calls(contents: list[str], expected: list[list[str]]) -> None:
    assert _ids(*contents) == expected


def test_arguments_and_media_are_slices_of_the_body() -> None:
    data = "A" * 4000
    decoded = decode(
        body(
            said(f'{{"inlineData":{{"data":"{data}","mimeType":"image/png"}}}}'),
            CALL_A.replace("{}", f'{{"x": "{data}"}}'),
            RESULT_A,
        )
    )
    image: Any = decoded.messages[0].content[0]
    made: Any = decoded.messages[1].content[0]
    assert image.data.to_base64() == data
    assert made.arguments.text == f'{{"x": "{data}"}}'.encode()
    assert f'"args":{{"x": "{data}"}}'.encode() in wg.providers.gemini.encode_request(decoded)


def test_the_system_instruction_comes_first() -> None:
    parts = '"parts":[{"text":"x"},{"text":"y"}]'
    plain = decode(body(HI, head=f'"systemInstruction":{{{parts}}}'))
    assert plain.messages == [system("x", "y"), user("hi")]
    named = decode(body(HI, head=f'"system_instruction":{{"role":"system",{parts}}}'))
    assert named.messages[0] == system("x", "y", extras=spelled(role="system"))
    assert decode(body(HI, head='"systemInstruction":{}')).messages == [user("hi")]


LEVEL = wg.ThinkingLevel
CONFIG = '"generationConfig":'
FIELDS: dict[str, tuple[str, dict[str, Any]]] = {
    "plain parameters": (
        CONFIG + '{"maxOutputTokens":9,"temperature":1,"topP":0.5,"topK":3,"candidateCount":2,'
        '"stopSequences":["x"],"seed":7,"presencePenalty":-1,"frequencyPenalty":1,'
        '"responseLogprobs":true,"logprobs":2},"serviceTier":"flex","labels":{"k":"v"}',
        {
            "max_tokens": 9,
            "temperature": 1.0,
            "top_p": 0.5,
            "top_k": 3,
            "candidates": 2,
            "stop": ["x"],
            "seed": 7,
            "presence_penalty": -1.0,
            "frequency_penalty": 1.0,
            "logprobs": True,
            "top_logprobs": 2,
            "service_tier": "flex",
            "metadata": {"k": "v"},
        },
    ),
    "snake_case": (
        '"generation_config":{"max_output_tokens":9,"stop_sequences":["x"]},"service_tier":"flex"',
        {"max_tokens": 9, "stop": ["x"], "service_tier": "flex"},
    ),
    "nulls": (CONFIG + 'null,"labels":null,"tools":null,"toolConfig":{}', {}),
    "thinking at a level, in any case": (
        CONFIG + '{"thinkingConfig":{"thinkingLevel":"low","includeThoughts":true}}',
        {"thinking": wg.Thinking(LEVEL.LOW, visible=True)},
    ),
    "no thinking": (
        CONFIG + '{"thinkingConfig":{"thinkingBudget":0}}',
        {"thinking": wg.Thinking(LEVEL.OFF)},
    ),
    "thinking as the model likes": (
        CONFIG + '{"thinkingConfig":{"thinkingBudget":-1}}',
        {"thinking": wg.Thinking()},
    ),
    "a budget": (
        CONFIG + '{"thinkingConfig":{"thinkingBudget":512}}',
        {"thinking": wg.Thinking(budget_tokens=512)},
    ),
    "JSON": (
        CONFIG + '{"responseMimeType":"application/json"}',
        {"response_format": wg.ResponseFormat("json")},
    ),
    "a JSON Schema": (
        CONFIG + '{"responseMimeType":"application/json","responseJsonSchema":{"x":1e2}}',
        {"response_format": wg.ResponseFormat("json_schema", wg.RawJson('{"x":1e2}'))},
    ),
    "a schema of Gemini's": (
        CONFIG + '{"responseMimeType":"application/json","responseSchema":{"type":"ARRAY",'
        '"items":{"type":"STRING","nullable":true},"minItems":"2"}}',
        {
            "response_format": wg.ResponseFormat(
                "json_schema",
                {
                    "type": "array",
                    "items": {"type": ["string", "null"]},
                    "minItems": 2,
                },
            )
        },
    ),
    "functions, one in each language": (
        '"tools":[{"functionDeclarations":[{"name":"f","description":"d","parametersJsonSchema":'
        '{"x": 1}},{"name":"h"}]}]',
        {"tools": [wg.Tool("f", "d", wg.RawJson('{"x": 1}')), wg.Tool("h")]},
    ),
    "tools that the provider runs, beside functions or alone": (
        '"tools":[{"functionDeclarations":[{"name":"f"}],"codeExecution":{}},{"googleSearch":{}}]',
        {
            "tools": [
                wg.Tool("f"),
                _opaque(codeExecution={}),
                _opaque(googleSearch={}),
            ]
        },
    ),
    **{
        f"a choice: {name}": (
            f'"toolConfig":{{"functionCallingConfig":{calling}}}',
            {"tool_choice": choice},
        )
        for name, calling, choice in (
            ("auto", '{"mode":"auto"}', wg.ToolChoice("auto")),
            ("no mode", "{}", wg.ToolChoice("auto")),
            ("none", '{"mode":"NONE"}', wg.ToolChoice("none")),
            ("any", '{"mode":"ANY"}', wg.ToolChoice("required")),
            (
                "one tool",
                '{"mode":"ANY","allowedFunctionNames":["f"]}',
                wg.ToolChoice("tool", "f"),
            ),
            (
                "one of some",
                '{"mode":"ANY","allowedFunctionNames":["f","g"]}',
                wg.ToolChoice("required", allowed=["f", "g"]),
            ),
        )
    },
}


@pytest.mark.parametrize(("head", "fields"), FIELDS.values(), ids=FIELDS)
def test_parameters(head: str, fields: dict[str, Any]) -> None:
    decoded = decode(body(HI, head=head))
    decoded.extras = None
    assert decoded == wg.Request([user("hi")], **fields)


def test_a_schema_of_geminis_is_read_as_json_schema_and_keeps_its_spelling() -> None:
    theirs = (
        '{"type":"OBJECT","properties":{"type":{"any_of":[{"type":"INTEGER"}]}},'
        '"propertyOrdering":["type"]}'
    )
    head = f'"tools":[{{"functionDeclarations":[{{"name":"f","parameters":{theirs}}}]}}]'
    expected = wg.Tool(
        "f",
        parameters={
            "type": "object",
            "properties": {"type": {"anyOf": [{"type": "integer"}]}},
            "propertyOrdering": ["type"],
        },
        extras={API: wg.Extra({}, wg.RawJson(f'{{"parameters":{theirs}}}'))},
    )
    assert decode(body(HI, head=head)).tools == [expected]


UNREAD: dict[str, tuple[str, dict[str, Any]]] = {
    "an unknown key": ('"cachedContent":"c"', {"cachedContent": "c"}),
    "an unknown level": (
        CONFIG + '{"thinkingConfig":{"thinkingLevel":"HUGE"}}',
        {"generationConfig": {"thinkingConfig": {"thinkingLevel": "HUGE"}}},
    ),
    "an unknown type of answer": (
        CONFIG + '{"responseMimeType":"text/x.enum"}',
        {"generationConfig": {"responseMimeType": "text/x.enum"}},
    ),
    "an answer that is one of some words": (
        CONFIG + '{"responseMimeType":"text/x.enum","responseSchema":{"enum":["a"]}}',
        {
            "generationConfig": {
                "responseMimeType": "text/x.enum",
                "responseSchema": {"enum": ["a"]},
            }
        },
    ),
    "an answer of an unknown type, and its schema": (
        CONFIG + '{"responseMimeType":"text/x.yaml","responseJsonSchema":{}}',
        {"generationConfig": {"responseMimeType": "text/x.yaml", "responseJsonSchema": {}}},
    ),
    "a text with a schema": (
        CONFIG + '{"responseMimeType":"text/plain","responseJsonSchema":{}}',
        {"generationConfig": {"responseMimeType": "text/plain", "responseJsonSchema": {}}},
    ),
    "an unknown mode": (
        '"toolConfig":{"functionCallingConfig":{"mode":"MOST"}}',
        {"toolConfig": {"functionCallingConfig": {"mode": "MOST"}}},
    ),
}


@pytest.mark.parametrize(("head", "keys"), UNREAD.values(), ids=UNREAD)
def test_what_the_model_has_no_word_for_is_kept(head: str, keys: dict[str, Any]) -> None:
    decoded = decode(body(HI, head=head))
    assert decoded.extras is not None
    assert decoded.extras[API].keys.value == keys
    decoded.extras = decoded.thinking = None
    assert decoded == wg.Request([user("hi")])


@pytest.mark.parametrize("key", ["responseSchema", "responseJsonSchema"])
def test_an_answer_that_is_one_of_some_words_is_not_json_for_another_api(key: str) -> None:
    config = (
        f'{{"maxOutputTokens":9,"responseMimeType":"text/x.enum","{key}":{{"enum":["a","b"]}}}}'
    )
    data = body(HI, head=CONFIG + config)
    losses: list[wg.Loss] = []
    made = json.loads(wg.translate_request(data, "gemini", "openai_chat", losses=losses, model="m"))
    assert "response_format" not in made
    assert made["max_completion_tokens"] == 9
    assert [loss.what for loss in losses] == ["extras"]
    same = wg.translate_request(data, "gemini", "gemini", model="m")
    assert f'"generationConfig":{config}'.encode() in same


URLS: dict[str, tuple[str | None, str | None, bool]] = {
    "no URL": (None, None, False),
    "a path": ("/v1beta/models/gemini-3-pro:generateContent", "gemini-3-pro", False),
    "a stream": ("/v1beta/models/m:streamGenerateContent?alt=sse", "m", True),
    "Vertex": (
        "https://x.org/v1/projects/p/locations/l/publishers/google/models/m:generateContent",
        "m",
        False,
    ),
    "a tuned model": ("/v1beta/tunedModels/m:generateContent", "tunedModels/m", False),
    "an endpoint": ("/v1/projects/p/locations/l/endpoints/1:generateContent", "endpoints/1", False),
    "a name with a colon": ("/v1beta/models/qwen3:8b:streamGenerateContent", "qwen3:8b", True),
    "a quoted name": ("/v1beta/models/a%2Fb:generateContent", "a/b", False),
}


@pytest.mark.parametrize(("url", "model", "stream"), URLS.values(), ids=URLS)
def test_the_url_names_the_model(url: str | None, model: str | None, stream: bool) -> None:
    assert decode(body(HI), url) == wg.Request([user("hi")], model=model, stream=stream)


BAD: dict[str, tuple[bytes, str]] = {
    "no JSON": (b"{", "input data was truncated - at `$`"),
    "no object": (b"3", "expected `object`, got `int` - at `$`"),
    "no contents": (b"{}", "object missing required field `contents` - at `$`"),
    "an unknown role": (
        body(said('{"text":"x"}', role="system")),
        "unknown role `system`, expected one of `user`, `model` - at `$.contents[0].role`",
    ),
    "a text that is a number": (
        body(said('{"text":1}')),
        "expected `str | null`, got `int` - at `$.contents[0].parts[0].text`",
    ),
    "data that is a number": (
        body(said('{"inlineData":{"mimeType":"image/png","data":1}}')),
        "expected base64 `str` - at `$.contents[0].parts[0].inlineData.data`",
    ),
    "a call without a name": (
        body(answered('{"functionCall":{"args":{}}}')),
        "object missing required field `name` - at `$.contents[0].parts[0].functionCall`",
    ),
    "a schema that is no JSON": (
        b'{"contents":[],"tools":[{"functionDeclarations":[{"name":"f","parameters":{x}}]}]}',
        "JSON is malformed: expected '\"' (byte 75) - at `$`",
    ),
    "half a character": (
        body(said(r'{"text":"\ud83d"}')),
        (
            "lone surrogate: half a character is not Unicode text;"
            " U+FFFD takes its place; pass a list as `losses`, and read it"
            " - at `byte 46`"
        ),
    ),
    "bytes that are not UTF-8": (body(HI).replace(b"hi", b"\xff"), "text is not UTF-8 - at `$`"),
}


@pytest.mark.parametrize(("data", "reason"), BAD.values(), ids=BAD)
def test_bad_bytes_are_one_error(data: bytes, reason: str) -> None:
    with pytest.raises(wg.DecodeError) as caught:
        decode(data)
    assert str(caught.value) == f"gemini: {reason}"


def test_half_a_character_may_be_a_loss() -> None:
    losses: list[wg.Loss] = []
    decoded = decode(body(said(r'{"text":"\ud83d"}')), losses=losses)
    assert decoded.messages == [user("\ufffd")]
    assert [loss.what for loss in losses] == ["lone surrogate"]
