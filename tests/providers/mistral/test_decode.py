"""The body of Mistral's wire -> a request: literal bytes in, model values out."""

from typing import Any

import pytest

import wireglot as wg
from tests.providers.mistral.pieces import (
    API,
    CALL_A,
    HI,
    RESULT_A,
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

decode = wg.providers.mistral.decode_request

PNG_URL = "data:image/png;base64,iVBORw0KGgo="


def _message(message: str) -> Any:
    """Decode a body of one message, and one of the user's behind it."""
    return decode(body(message, HI)).messages[0]


MESSAGES: dict[str, tuple[str, Any]] = {
    "a string is one text": (HI, user("hi")),
    "an empty string is an empty text": ('{"role":"user","content":""}', user("")),
    "no content is an empty text": ('{"role":"user","content":null}', user("")),
    "a list": (said('{"type":"text","text":"x"}', '{"type":"text","text":""}'), user("x", "")),
    "a system message": ('{"role":"system","content":"x"}', system("x")),
    "an answer is this API's": ('{"role":"assistant","content":"x"}', own("x")),
    "an empty answer is no text": ('{"role":"assistant","content":""}', own()),
    "an answer without content": ('{"role":"assistant"}', own()),
    "an answer whose content is null": ('{"role":"assistant","content":null}', own()),
    "an answer whose content is an empty list keeps that": (
        '{"role":"assistant","content":[]}',
        own(extras=spelled(content=[])),
    ),
    "a prefix that is none keeps that": (
        '{"role":"assistant","content":"x","prefix":false}',
        own("x", extras=spelled(prefix=False)),
    ),
    "a call": (CALL_A, own(call())),
    "a call without type and id, with an index": (
        '{"role":"assistant","content":"x","tool_calls":[{"index":1,"function":{"name":"f",'
        '"arguments":"{\\"a\\": 1e2}"}}]}',
        own("x", call("null", '{"a": 1e2}', extras=spelled(index=1))),
    ),
    "arguments that are an object": (
        CALL_A.replace('"{}"', '{"a": 1}'),
        own(call(arguments='{"a": 1}', extras=spelled(function={"arguments": {}}))),
    ),
    "arguments that are broken": (
        CALL_A.replace('"{}"', r'"{\"a\":"'),
        own(call(arguments='{"a":')),
    ),
    "thinking in several texts": (
        '{"role":"assistant","content":[{"type":"thinking","thinking":[{"type":"text","text":"h"},'
        '{"type":"text","text":"m"}],"signature":"s","closed":true},{"type":"text","text":"x"}]}',
        own(wg.ThinkingBlock("hm", "s", extras=spelled(closed=True)), "x"),
    ),
    "thinking with a source in it": (
        said(
            '{"type":"thinking","thinking":[{"type":"tool_reference","tool":"t","title":"x"}]}',
            role="assistant",
        ),
        own(
            wg.OpaqueBlock(
                API,
                {
                    "type": "thinking",
                    "thinking": [{"type": "tool_reference", "tool": "t", "title": "x"}],
                },
            )
        ),
    ),
    "a reference": (
        said('{"type":"reference","reference_ids":[1,"a"]}', role="assistant"),
        own(wg.OpaqueBlock(API, {"type": "reference", "reference_ids": [1, "a"]})),
    ),
    "a chunk of an unknown type": (
        said('{"type":"hologram","x":1}'),
        user(wg.OpaqueBlock(API, {"type": "hologram", "x": 1})),
    ),
    "an image in a data URL": (
        said(f'{{"type":"image_url","image_url":"{PNG_URL}"}}'),
        user(
            wg.ImageBlock(
                data=wg.Media.from_base64("iVBORw0KGgo="),
                mime_type="image/png",
                extras=spelled(image_url=""),
            )
        ),
    ),
    "an image by URL, with a detail": (
        said('{"type":"image_url","image_url":{"url":"https://x.org","detail":"low"}}'),
        user(wg.ImageBlock(url="https://x.org", detail="low")),
    ),
    "an image with unknown keys at both places": (
        said('{"type":"image_url","a":1,"image_url":{"url":"https://x.org","b":2}}'),
        user(wg.ImageBlock(url="https://x.org", extras=extras(a=1, image_url={"b": 2}))),
    ),
    "a document in a data URL, with its name": (
        said(
            '{"type":"document_url","document_url":"data:application/pdf;base64,JVBERi0=",'
            '"document_name":"a.pdf"}'
        ),
        user(
            wg.DocumentBlock(
                data=wg.Media.from_base64("JVBERi0="),
                mime_type="application/pdf",
                filename="a.pdf",
            )
        ),
    ),
    "a file": (
        said('{"type":"file","file_id":"f"}'),
        user(wg.DocumentBlock(file_id="f", extras=extras())),
    ),
    "bare audio": (
        said('{"type":"input_audio","input_audio":"SUQz"}'),
        user(wg.AudioBlock(data=wg.Media.from_base64("SUQz"))),
    ),
    "audio in OpenAI's form": (
        said('{"type":"input_audio","input_audio":{"data":"SUQz","format":"mp3"}}'),
        user(
            wg.AudioBlock(
                data=wg.Media.from_base64("SUQz"),
                mime_type="audio/mpeg",
                extras=spelled(input_audio={"format": "mp3"}),
            )
        ),
    ),
    "audio in OpenAI's form, of another format": (
        said('{"type":"input_audio","input_audio":{"data":"UklGRg==","format":"wav"}}'),
        user(
            wg.AudioBlock(
                data=wg.Media.from_base64("UklGRg=="),
                mime_type="audio/wav",
                extras=spelled(input_audio={"format": "wav"}),
            )
        ),
    ),
    "audio by URL": (
        said('{"type":"input_audio","input_audio":"https://x.org/a"}'),
        user(wg.AudioBlock(url="https://x.org/a")),
    ),
    "audio by URL, as some write JSON": (
        said('{"type":"input_audio","input_audio":"https:\\/\\/x.org\\/a"}'),
        user(wg.AudioBlock(url="https://x.org/a")),
    ),
    "bare audio that begins like a URL": (
        said('{"type":"input_audio","input_audio":"httpsAAA"}'),
        user(wg.AudioBlock(data=wg.Media.from_base64("httpsAAA"))),
    ),
    "unknown keys of a message and of a text": (
        '{"role":"user","a":1,"content":[{"type":"text","text":"x","b":2}]}',
        user(text("x", extras=extras(b=2)), extras={API: wg.Extra({"a": 1}, {"content": []})}),
    ),
    "a list of one text keeps that": (
        said('{"type":"text","text":"x"}'),
        user("x", extras=spelled(content=[])),
    ),
}


@pytest.mark.parametrize(("message", "expected"), MESSAGES.values(), ids=MESSAGES)
def test_messages(message: str, expected: Any) -> None:
    assert _message(message) == expected


def test_a_result_gets_the_name_of_its_call() -> None:
    decoded = decode(body(CALL_A, RESULT_A, RESULT_A[:-1] + ',"name":"g","k":1}')).messages
    other = {API: wg.Extra({"k": 1}, {"name": "g"})}
    assert decoded[1:] == [
        batch(result(tool_name="f")),
        batch(result(tool_name="f", extras=other)),
    ]


def test_a_result_without_an_id_belongs_to_the_call_without_one() -> None:
    decoded = decode(
        body(
            '{"role":"assistant","tool_calls":[{"function":{"name":"f","arguments":"{}"}}]}',
            '{"role":"tool","content":"x"}',
        )
    )
    assert decoded.messages == [
        own(call("null")),
        batch(result("x", call_id="null", tool_name="f")),
    ]


def test_a_prefix_at_the_end_says_nothing_more() -> None:
    prefix = '{"role":"assistant","content":"x","prefix":true}'
    assert decode(body(HI, prefix)).messages[1] == own("x")
    assert decode(body(prefix, HI)).messages[0] == own("x", extras=spelled(prefix=True))


def test_arguments_and_media_are_slices_of_the_body() -> None:
    data = "A" * 4000
    decoded = decode(
        body(
            said(f'{{"type":"image_url","image_url":{{"url":"data:image/png;base64,{data}"}}}}'),
            CALL_A.replace("{}", data),
            RESULT_A,
        )
    )
    image: Any = decoded.messages[0].content[0]
    made: Any = decoded.messages[1].content[0]
    assert image.data.to_base64() == data
    assert made.arguments.text == data.encode()
    assert f'"arguments":"{data}"'.encode() in wg.providers.mistral.encode_request(
        decoded, losses=[]
    )


FIELDS: dict[str, tuple[str, dict[str, Any]]] = {
    "plain parameters": (
        '"temperature":1,"top_p":0.5,"top_k":3,"max_tokens":9,"stream":true,"stop":["x"],'
        '"random_seed":7,"metadata":{"k":[1]},"presence_penalty":-1,"frequency_penalty":1,'
        '"logprobs":true,"top_logprobs":2,"n":2,"service_tier":"auto","parallel_tool_calls":false',
        {
            "temperature": 1.0,
            "top_p": 0.5,
            "top_k": 3,
            "max_tokens": 9,
            "stream": True,
            "stop": ["x"],
            "seed": 7,
            "metadata": {"k": [1]},
            "presence_penalty": -1.0,
            "frequency_penalty": 1.0,
            "logprobs": True,
            "top_logprobs": 2,
            "candidates": 2,
            "service_tier": "auto",
            "parallel_tool_calls": False,
        },
    ),
    "one stop": ('"stop":"x"', {"stop": ["x"]}),
    "nulls": ('"temperature":null,"stop":null,"metadata":null,"tools":null', {}),
    "an effort": (
        '"reasoning_effort":"none"',
        {"thinking": wg.Thinking(wg.ThinkingLevel.OFF)},
    ),
    "a tool or none": ('"tool_choice":"auto"', {"tool_choice": wg.ToolChoice("auto")}),
    "no tool": ('"tool_choice":"none"', {"tool_choice": wg.ToolChoice("none")}),
    "any tool": ('"tool_choice":"any"', {"tool_choice": wg.ToolChoice("required")}),
    "a required tool": ('"tool_choice":"required"', {"tool_choice": wg.ToolChoice("required")}),
    "one tool": (
        '"tool_choice":{"type":"function","function":{"name":"f"}}',
        {"tool_choice": wg.ToolChoice("tool", "f")},
    ),
    "text": (
        '"response_format":{"type":"text"}',
        {"response_format": wg.ResponseFormat("text")},
    ),
    "JSON": (
        '"response_format":{"type":"json_object"}',
        {"response_format": wg.ResponseFormat("json")},
    ),
    "a schema": (
        '"response_format":{"type":"json_schema","json_schema":{"name":"s","description":"d",'
        '"schema":{"x":1e2},"strict":true}}',
        {
            "response_format": wg.ResponseFormat(
                "json_schema", wg.RawJson('{"x":1e2}'), "s", "d", strict=True
            )
        },
    ),
    "tools, one without a type, and a connector": (
        '"tools":[{"function":{"name":"f","description":"d","parameters":{"x": 1},"strict":true}},'
        '{"type":"connector","connector_id":"c"}]',
        {
            "tools": [
                wg.Tool("f", "d", wg.RawJson('{"x": 1}'), strict=True),
                wg.OpaqueBlock(API, {"type": "connector", "connector_id": "c"}),
            ]
        },
    ),
}


@pytest.mark.parametrize(("head", "fields"), FIELDS.values(), ids=FIELDS)
def test_parameters(head: str, fields: dict[str, Any]) -> None:
    decoded = decode(body(HI, head=head))
    decoded.extras = None
    assert decoded == wg.Request([user("hi")], model="m", **fields)


UNREAD: dict[str, tuple[str, dict[str, Any]]] = {
    "an unknown key": ('"prompt_mode":"reasoning"', {"prompt_mode": "reasoning"}),
    "an unknown effort": ('"reasoning_effort":"huge"', {"reasoning_effort": "huge"}),
    "an unknown choice": ('"tool_choice":"most"', {"tool_choice": "most"}),
    "a choice without its function": ('"tool_choice":{"type":"x"}', {"tool_choice": {"type": "x"}}),
    "an unknown format": ('"response_format":{"type":"x"}', {"response_format": {"type": "x"}}),
}


@pytest.mark.parametrize(("head", "keys"), UNREAD.values(), ids=UNREAD)
def test_what_the_model_has_no_word_for_is_kept(head: str, keys: dict[str, Any]) -> None:
    assert decode(body(HI, head=head)) == wg.Request([user("hi")], model="m", extras=extras(**keys))


def test_a_body_without_a_model() -> None:
    assert decode(b'{"messages":[]}') == wg.Request([])


BAD: dict[str, tuple[bytes, str]] = {
    "no JSON": (b"{", "input data was truncated - at `$`"),
    "no object": (b"3", "expected `object`, got `int` - at `$`"),
    "no messages": (b'{"model":"m"}', "object missing required field `messages` - at `$`"),
    "a message without a role": (
        body('{"content":"x"}'),
        "object missing required field `role` - at `$.messages[0]`",
    ),
    "an unknown role": (
        body('{"role":"developer","content":"x"}'),
        (
            "unknown role `developer`,"
            " expected one of `system`, `user`, `assistant`, `tool` - at `$.messages[0].role`"
        ),
    ),
    "content that is a number": (
        body('{"role":"user","content":1}'),
        "expected `str | array | null`, got `int` - at `$.messages[0].content`",
    ),
    "a chunk without a type": (
        body(said('{"text":"x"}')),
        "object missing required field `type` - at `$.messages[0].content[0]`",
    ),
    "arguments that are a number": (
        body(CALL_A.replace('"{}"', "1"), RESULT_A),
        "expected `str` or `object` - at `$.messages[0].tool_calls[0].function.arguments`",
    ),
    "an image that is a number": (
        body(said('{"type":"image_url","image_url":1}')),
        "expected `str` or `object` - at `$.messages[0].content[0].image_url`",
    ),
    "an image without a URL": (
        body(said('{"type":"image_url","image_url":{}}')),
        "expected `str` - at `$.messages[0].content[0].image_url.url`",
    ),
    "an image whose detail is a number": (
        body(said('{"type":"image_url","image_url":{"url":"x","detail":1}}')),
        "expected `str` - at `$.messages[0].content[0].image_url.detail`",
    ),
    "a document that is an object": (
        body(said('{"type":"document_url","document_url":{}}')),
        "expected `str` - at `$.messages[0].content[0].document_url`",
    ),
    "metadata that is a list": (
        body(HI, head='"metadata":[1]'),
        "expected `object` - at `$.metadata`",
    ),
    "a schema that is no JSON": (
        b'{"tools":[{"function":{"name":"f","parameters":{x}}}],"messages":[]}',
        "JSON is malformed: expected '\"' (byte 48) - at `$`",
    ),
    "half a character": (
        body(r'{"role":"user","content":"\ud83d"}'),
        (
            "lone surrogate: half a character is not Unicode text;"
            " U+FFFD takes its place; pass a list as `losses`, and read it"
            " - at `byte 51`"
        ),
    ),
    "bytes that are not UTF-8": (
        b'{"model":"\xff","messages":[]}',
        "text is not UTF-8 - at `$`",
    ),
}


@pytest.mark.parametrize(("data", "reason"), BAD.values(), ids=BAD)
def test_bad_bytes_are_one_error(data: bytes, reason: str) -> None:
    with pytest.raises(wg.DecodeError) as caught:
        decode(data)
    assert str(caught.value) == f"mistral: {reason}"


def test_half_a_character_may_be_a_loss() -> None:
    losses: list[wg.Loss] = []
    decoded = decode(body(r'{"role":"user","content":"\ud83d"}'), losses=losses)
    assert decoded.messages == [user("\ufffd")]
    assert [loss.what for loss in losses] == ["lone surrogate"]


def test_a_limit_beyond_any_float_is_a_number_like_others() -> None:
    limit = "9" * 350
    data = f'{{"max_tokens":{limit},"model":"m","messages":[{{"role":"user","content":"x"}}]}}'
    assert decode(data.encode()).max_tokens == int(limit)
