"""The body of Anthropic's wire -> Request, value by value."""

from typing import Any

import pytest

import wireglot as wg
from tests.providers.conversation import API, assistant, batch, call, result, system, text, user

decode = wg.providers.anthropic.decode_request

PNG = "iVBORw0KGgo="


def _body(messages: str, more: str = "") -> bytes:
    return f'{{"model":"m","max_tokens":8,{more}"messages":[{messages}]}}'.encode()


def _own(*content: Any, **fields: Any) -> wg.AssistantMessage:
    return assistant(*content, api=API, **fields)


def _extra(keys: dict[str, Any], spelling: dict[str, Any] | None = None) -> wg.Extras:
    return {API: wg.Extra(keys, spelling)}


MESSAGES: dict[str, tuple[str, list[wg.Message]]] = {
    "a string is one text": ('{"role":"user","content":"hi"}', [user("hi")]),
    "texts, one with a breakpoint": (
        '{"role":"user","content":[{"type":"text","text":"a"},'
        '{"type":"text","text":"b","cache_control":{"type":"ephemeral","ttl":"1h"}}]}',
        [user("a", text("b", cache=wg.CacheMark("1h")))],
    ),
    "an answer has this API's name": ('{"role":"assistant","content":"hi"}', [_own("hi")]),
    "a system message in the middle": (
        '{"role":"user","content":"a"},{"role":"system","content":"b"}',
        [user("a"), system("b")],
    ),
    "thinking, signed and empty": (
        '{"role":"assistant","content":[{"type":"thinking","thinking":"","signature":"s"}]}',
        [_own(wg.ThinkingBlock("", "s"))],
    ),
    "redacted thinking": (
        '{"role":"assistant","content":[{"type":"redacted_thinking","data":"d"}]}',
        [_own(wg.ThinkingBlock("", "d", redacted=True))],
    ),
    "a call, and a turn of its result alone, which gets the tool's name": (
        '{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{"x":1e2}}]},'
        '{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"ok"}]}',
        [_own(call("a", '{"x":1e2}')), batch(result("a", "ok", tool_name="f"))],
    ),
    "a result that failed, with text beside it": (
        '{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","is_error":true},'
        '{"type":"text","text":"so?"}]}',
        [user(result("a", is_error=True), "so?")],
    ),
    "images from everywhere": (
        '{"role":"user","content":[{"type":"image","source":{"type":"base64",'
        f'"media_type":"image/png","data":"{PNG}"}}}},'
        '{"type":"image","source":{"type":"url","url":"https://x.org/a"}},'
        '{"type":"image","source":{"type":"file","file_id":"f"}}]}',
        [
            user(
                wg.ImageBlock.from_base64(PNG, "image/png"),
                wg.ImageBlock(url="https://x.org/a"),
                wg.ImageBlock(file_id="f", extras=_extra({})),
            )
        ],
    ),
    "a text document with all its fields": (
        '{"role":"user","content":[{"type":"document","source":{"type":"text",'
        '"media_type":"text/plain","data":"d"},"title":"t","context":"c",'
        '"citations":{"enabled":true}}]}',
        [
            user(
                wg.DocumentBlock(
                    text="d", mime_type="text/plain", title="t", context="c", citations=True
                )
            )
        ],
    ),
    "a document of blocks is opaque": (
        '{"role":"user","content":[{"type":"document","source":{"type":"content","content":"x"}}]}',
        [
            user(
                wg.OpaqueBlock(
                    API, {"type": "document", "source": {"type": "content", "content": "x"}}
                )
            )
        ],
    ),
    "a block of no known type is opaque": (
        '{"role":"user","content":[{"type":"container_upload","file_id":"f"}]}',
        [user(wg.OpaqueBlock(API, {"type": "container_upload", "file_id": "f"}))],
    ),
    "unknown keys of a message, a block, and an object in a block": (
        '{"role":"user","x":1,"content":[{"type":"text","text":"a","y":[2.0],'
        '"cache_control":{"type":"ephemeral","scope":"s"}}]}',
        [
            user(
                text(
                    "a",
                    cache=wg.CacheMark(),
                    extras=_extra({"y": [2.0], "cache_control": {"scope": "s"}}),
                ),
                extras=_extra({"x": 1}),
            )
        ],
    ),
    "citations are annotations, and kept as they came": (
        '{"role":"assistant","content":[{"type":"text","text":"a","citations":['
        '{"type":"web_search_result_location","url":"u","title":"t","cited_text":"c",'
        '"encrypted_index":"e"}]}]}',
        [
            _own(
                text(
                    "a",
                    annotations=[wg.AnnotationRef(url="u", title="t", cited_text="c")],
                    extras=_extra(
                        {},
                        {
                            "citations": [
                                {
                                    "type": "web_search_result_location",
                                    "url": "u",
                                    "title": "t",
                                    "cited_text": "c",
                                    "encrypted_index": "e",
                                }
                            ]
                        },
                    ),
                )
            )
        ],
    ),
}


@pytest.mark.parametrize(("messages", "expected"), MESSAGES.values(), ids=MESSAGES)
def test_messages(messages: str, expected: list[wg.Message]) -> None:
    assert decode(_body(messages)).messages == expected


PARAMETERS: dict[str, tuple[str, dict[str, Any]]] = {
    "system as a string": (
        '"system":"s",',
        {"messages": [system("s"), user("hi")]},
    ),
    "sampling": (
        '"temperature":0.5,"top_p":1,"top_k":3,"stop_sequences":["a"],"stream":true,',
        {"temperature": 0.5, "top_p": 1.0, "top_k": 3, "stop": ["a"], "stream": True},
    ),
    "the user's id": ('"metadata":{"user_id":"u"},', {"user_id": "u"}),
    "a budget to think": (
        '"thinking":{"type":"enabled","budget_tokens":2000,"display":"omitted"},',
        {"thinking": wg.Thinking(budget_tokens=2000, visible=False)},
    ),
    "adaptive thinking with an effort": (
        '"thinking":{"type":"adaptive"},"output_config":{"effort":"xhigh"},',
        {"thinking": wg.Thinking(wg.ThinkingLevel.XHIGH)},
    ),
    "thinking switched off": (
        '"thinking":{"type":"disabled"},',
        {"thinking": wg.Thinking(wg.ThinkingLevel.OFF)},
    ),
    "an answer with a schema": (
        '"output_config":{"format":{"type":"json_schema","schema":{"type":"object"}}},',
        {"response_format": wg.ResponseFormat("json_schema", {"type": "object"})},
    ),
    "a forced tool, one call at a time": (
        '"tool_choice":{"type":"tool","name":"f","disable_parallel_tool_use":true},',
        {"tool_choice": wg.ToolChoice("tool", "f"), "parallel_tool_calls": False},
    ),
    "no tool": ('"tool_choice":{"type":"none"},', {"tool_choice": wg.ToolChoice("none")}),
    "any tool": ('"tool_choice":{"type":"any"},', {"tool_choice": wg.ToolChoice("required")}),
    "the automatic breakpoint": (
        '"cache_control":{"type":"ephemeral","ttl":"1h"},',
        {
            "cache": wg.CacheConfig(
                strategy=wg.model.ManualCache(wg.model.CacheSections(False, False, True)), ttl="1h"
            )
        },
    ),
    "a function, and a tool that the API runs": (
        '"tools":[{"name":"f","description":"d","strict":true,"input_schema":{"type":"object"}},'
        '{"type":"web_search_20250305","name":"web_search"}],',
        {
            "tools": [
                wg.Tool("f", "d", {"type": "object"}, strict=True),
                wg.OpaqueBlock(API, {"name": "web_search", "type": "web_search_20250305"}),
            ]
        },
    ),
}


@pytest.mark.parametrize(("more", "expected"), PARAMETERS.values(), ids=PARAMETERS)
def test_parameters(more: str, expected: dict[str, Any]) -> None:
    made = decode(_body('{"role":"user","content":"hi"}', more))
    assert (made.model, made.max_tokens) == ("m", 8)
    assert {name: getattr(made, name) for name in expected} == expected


WRONG: dict[str, tuple[bytes, str]] = {
    "a number for a text": (
        _body('{"role":"user","content":[{"type":"text","text":5}]}'),
        "expected `str`, got `int` - at `$.messages[0].content[0].text`",
    ),
    "the same beside an unknown key": (
        _body('{"role":"user","content":[{"type":"text","text":5,"x":1}]}'),
        "expected `str`, got `int` - at `$.messages[0].content[0].text`",
    ),
    "data that are a number": (
        _body(
            '{"role":"user","content":[{"type":"image",'
            '"source":{"type":"base64","media_type":"image/png","data":1}}]}'
        ),
        "expected base64 `str` - at `$.messages[0].content[0].source.data`",
    ),
    "a block without a type": (
        _body('{"role":"user","content":[{"text":"a"}]}'),
        "object missing required field `type` - at `$.messages[0].content[0]`",
    ),
    "a block whose type is a number": (
        _body('{"role":"user","content":[{"type":1}]}'),
        "expected `str`, got `int` - at `$.messages[0].content[0].type`",
    ),
    "citations that are a switch, as on a document": (
        _body('{"role":"user","content":[{"type":"text","text":"a","citations":{}}]}'),
        "expected `array`, got `object` - at `$.messages[0].content[0].citations`",
    ),
    "no messages": (b"{}", "object missing required field `messages` - at `$`"),
    "half a surrogate pair": (
        _body(r'{"role":"user","content":"\ud83d"}'),
        (
            "lone surrogate: half a character is not Unicode text;"
            " U+FFFD takes its place; pass a list as `losses`, and read it"
            " - at `byte 66`"
        ),
    ),
    "what is no UTF-8": (
        _body('{"role":"user","content":"x"}').replace(b'"x"', b'"\xff"'),
        "text is not UTF-8 - at `$`",
    ),
}


@pytest.mark.parametrize(("data", "message"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_an_error_with_a_path(data: bytes, message: str) -> None:
    with pytest.raises(wg.DecodeError) as caught:
        decode(data)
    assert str(caught.value) == f"anthropic: {message}"


def test_half_a_surrogate_pair_may_be_a_loss() -> None:
    losses: list[wg.Loss] = []
    made = decode(_body(r'{"role":"user","content":"\ud83d"}'), losses=losses)
    assert made.messages == [user("\N{REPLACEMENT CHARACTER}")]
    assert [loss.what for loss in losses] == ["lone surrogate"]


@pytest.mark.parametrize("make", [bytes, bytearray, memoryview, bytes.decode])
def test_every_kind_of_bytes(make: Any) -> None:
    assert decode(make(_body('{"role":"user","content":"hi"}'))).messages == [user("hi")]


def test_a_byte_order_mark_is_skipped() -> None:
    body = b"\xef\xbb\xbf" + _body('{"role":"user","content":"hi"}')
    assert decode(body).messages == [user("hi")]


@pytest.mark.parametrize(
    ("path", "model", "stream"),
    [
        ("/publishers/anthropic/models/claude@1:rawPredict", "claude@1", False),
        ("/v1/projects/p/publishers/anthropic/models/c:streamRawPredict", "c", True),
        ("https://h/model/anthropic.claude-v1%3A0/invoke", "anthropic.claude-v1:0", False),
        ("/model/anthropic.claude-v1:0/invoke-with-response-stream", "anthropic.claude-v1:0", True),
        ("/v1/messages", None, False),
        (None, None, False),
    ],
)
def test_the_model_may_stand_in_the_url(path: str | None, model: str | None, stream: bool) -> None:
    made = decode(b'{"max_tokens":8,"messages":[]}', path)
    assert (made.model, made.stream) == (model, stream)


def test_media_are_slices_of_the_body() -> None:
    body = _body(
        '{"role":"user","content":[{"type":"image","source":{"type":"base64",'
        '"media_type":"image/png","data":"iVBORw0\\/KGgo="}}]}'
    )
    image = decode(body).messages[0].content[0]
    assert isinstance(image, wg.ImageBlock)
    assert image.data is not None
    assert image.data.to_base64() == "iVBORw0/KGgo="
    assert wg.providers.anthropic.encode_request(decode(body)).count(b"iVBORw0\\/KGgo=") == 1
