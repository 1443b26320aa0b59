"""The body of Responses -> a request: literal bytes in, model values out."""

from typing import Any

import pytest

import wireglot as wg
from tests.providers.openai_responses.pieces import (
    API,
    CALL_A,
    HI,
    RESULT_A,
    YES,
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

responses = wg.providers.openai_responses
decode = responses.decode_request

PNG_URL = "data:image/png;base64,iVBORw0KGgo="
PDF_URL = "data:application/pdf;base64,JVBERi0="
PNG = wg.Media.from_base64("iVBORw0KGgo=", "image/png")
SEARCH = {"type": "web_search_call", "id": "ws_1", "status": "completed", "action": {"type": "x"}}
CITED = '{"type":"url_citation","start_index":0,"end_index":1,"title":"t","url":"u"}'
REASONING = '{"type":"reasoning","id":"rs_1"'


def _answered(*parts: str, more: str = "") -> str:
    return f'{{"role":"assistant"{more},"content":[{",".join(parts)}]}}'


def _opaque(*pairs: Any, **keys: Any) -> wg.OpaqueBlock:
    return wg.OpaqueBlock(API, {**dict(*pairs), **keys})


def _json(value: Any) -> str:
    return wg.RawJson.of(value).text.decode()


def _part(raw: str) -> wg.OpaqueBlock:
    return wg.OpaqueBlock(API, wg.RawJson(raw), extras=spelled(**{"as": "part"}))


MESSAGES: dict[str, tuple[list[str], list[Any]]] = {
    "a string is one text": ([HI], [user("hi")]),
    "a list": (
        [said('{"type":"input_text","text":"x"}', '{"type":"input_text","text":""}')],
        [user("x", "")],
    ),
    "a message that says that it is one": (['{"type":"message",' + HI[1:]], [user("hi")]),
    "the system's and the developer's": (
        ['{"role":"system","content":"x"}', '{"role":"developer","content":"x"}'],
        [system("x"), system("x", extras=spelled(**{"as": "developer"}))],
    ),
    "a user's message with an id": (
        ['{"type":"message","id":"msg_1","status":"completed",' + HI[1:]],
        [user("hi", extras=spelled(id="msg_1", status="completed"))],
    ),
    "what an answer consists of is one message": (
        [HI, REASONING + ',"summary":[]}', _json(SEARCH), YES, CALL_A, RESULT_A, YES],
        [
            user("hi"),
            own(wg.ThinkingBlock("", extras=spelled(id="rs_1")), _opaque(SEARCH), "yes", call("a")),
            batch(result("a", "", tool_name="f")),
            own("yes"),
        ],
    ),
    "an answer's message with an id, in two parts": (
        [
            _answered(
                '{"type":"output_text","text":"x","annotations":[' + CITED + '],"logprobs":[]}',
                '{"type":"refusal","refusal":"no"}',
                more=',"type":"message","id":"msg_1","status":"completed","phase":"commentary"',
            )
        ],
        [
            own(
                text(
                    "x",
                    annotations=[wg.AnnotationRef("u", "t", start=0, end=1)],
                    extras=spelled(
                        {"message": {"phase": "commentary"}},
                        annotations=[
                            {
                                "type": "url_citation",
                                "start_index": 0,
                                "end_index": 1,
                                "title": "t",
                                "url": "u",
                            }
                        ],
                        logprobs=[],
                        message={"id": "msg_1", "status": "completed"},
                        next=False,
                    ),
                ),
                text("no", extras=spelled(**{"as": "refusal", "next": True})),
            )
        ],
    ),
    "an answer's message without parts": ([_answered()], [own("")]),
    "a text of the other side": (
        [_answered('{"type":"input_text","text":"x"}')],
        [own(text("x", extras=spelled(type="input_text")))],
    ),
    "reasoning with a summary": (
        [
            REASONING
            + ',"summary":[{"type":"summary_text","text":"a"},{"type":"summary_text","text":"b"}],'
            '"encrypted_content":"e"}'
        ],
        [own(wg.ThinkingBlock("a\n\nb", "e", details=["a", "b"], extras=spelled(id="rs_1")))],
    ),
    "reasoning in its own words": (
        [
            '{"type":"reasoning","summary":[],"encrypted_content":null,'
            '"content":[{"type":"reasoning_text","text":"x"}]}'
        ],
        [own(wg.ThinkingBlock("x", extras=spelled(**{"as": "content"})))],
    ),
    "reasoning that is nothing but itself": (
        ['{"type":"reasoning","summary":[{"type":"summary_text","text":"x"}]}'],
        [own(wg.ThinkingBlock("x", extras=spelled(**{"as": "summary"})))],
    ),
    "reasoning encrypted, with an unknown key": (
        ['{"type":"reasoning","summary":[],"content":[],"encrypted_content":"e","format":"f"}'],
        [own(wg.ThinkingBlock("", "e", extras=spelled({"format": "f"}, content=[])))],
    ),
    "reasoning of an unknown kind": (
        [REASONING + ',"summary":[{"type":"drawing"}]}'],
        [own(_opaque(type="reasoning", summary=[{"type": "drawing"}], id="rs_1"))],
    ),
    "calls, with ids of their own and unknown keys": (
        [
            CALL_A[:-1] + ',"id":"fc_1","status":"completed","namespace":"n"}',
            '{"type":"custom_tool_call","call_id":"b","name":"g","input":"1 +"}',
            RESULT_A,
            '{"type":"custom_tool_call_output","call_id":"b","output":"2"}',
        ],
        [
            own(
                call("a", extras=spelled({"namespace": "n"}, id="fc_1", status="completed")),
                call("b", "1 +", "g", tool_type="custom"),
            ),
            batch(result("a", "", tool_name="f")),
            batch(result("b", "2", tool_name="g")),
        ],
    ),
    "a result without its call, of a custom tool": (
        ['{"type":"custom_tool_call_output","call_id":"b","output":"2"}'],
        [batch(result("b", "2", extras=spelled(**{"as": "custom"})))],
    ),
    "a result with media": (
        [
            CALL_A,
            RESULT_A.replace(
                '""', f'[{{"type":"input_image","image_url":"{PNG_URL}","detail":"low"}}]'
            ),
        ],
        [
            own(call("a")),
            batch(
                result(
                    "a",
                    wg.ImageBlock(PNG, mime_type="image/png", detail="low"),
                    tool_name="f",
                )
            ),
        ],
    ),
    "results of the API's own tools are a batch": (
        [
            '{"type":"computer_call_output","call_id":"c","output":'
            '{"type":"computer_screenshot","image_url":"https://x.org"}}',
            '{"type":"shell_call_output","call_id":"c","output":[{"stdout":"","stderr":""}]}',
        ],
        [
            batch(
                _opaque(
                    type="computer_call_output",
                    call_id="c",
                    output={"type": "computer_screenshot", "image_url": "https://x.org"},
                )
            ),
            batch(
                _opaque(
                    type="shell_call_output", call_id="c", output=[{"stdout": "", "stderr": ""}]
                )
            ),
        ],
    ),
    "items that belong to nobody": (
        [HI, '{"type":"item_reference","id":"msg_1"}', YES, '{"id":"msg_2"}', HI],
        [
            user("hi"),
            user(_opaque(type="item_reference", id="msg_1")),
            own("yes", _opaque(id="msg_2")),
            user("hi"),
        ],
    ),
    "an item of an unknown type": (
        ['{"type":"hologram","role":"developer","x":1e2}'],
        [own(wg.OpaqueBlock(API, wg.RawJson('{"type":"hologram","role":"developer","x":1e2}')))],
    ),
    "images": (
        [
            said(
                f'{{"type":"input_image","image_url":"{PNG_URL}"}}',
                '{"type":"input_image","image_url":"https://x.org","detail":"low"}',
                '{"type":"input_image","file_id":"f","image_url":null,"detail":"auto"}',
            )
        ],
        [
            user(
                wg.ImageBlock(PNG, mime_type="image/png", extras=spelled(detail=None)),
                wg.ImageBlock(url="https://x.org", detail="low"),
                wg.ImageBlock(file_id="f", detail="auto", extras=extras()),
            )
        ],
    ),
    "files": (
        [
            said(
                f'{{"type":"input_file","filename":"a.pdf","file_data":"{PDF_URL}"}}',
                '{"type":"input_file","file_data":"data:audio/mpeg;base64,SUQz"}',
                '{"type":"input_file","file_url":"https://x.org"}',
                '{"type":"input_file","file_id":"f","detail":"low"}',
            )
        ],
        [
            user(
                wg.DocumentBlock(
                    wg.Media.from_base64("JVBERi0="),
                    mime_type="application/pdf",
                    filename="a.pdf",
                ),
                wg.DocumentBlock(
                    wg.Media.from_base64("SUQz"),
                    mime_type="audio/mpeg",
                    extras=spelled(**{"as": "as is", "filename": None}),
                ),
                wg.DocumentBlock(url="https://x.org"),
                wg.DocumentBlock(file_id="f", extras=spelled(detail="low")),
            )
        ],
    ),
    "parts that fit no block": (
        [
            said(
                '{"type":"input_image","image_url":"blob:x"}',
                '{"type":"input_image","image_url":"https://x.org","file_id":"f"}',
                '{"type":"input_file","file_data":"JVBERi0="}',
                '{"type":"input_audio","input_audio":{"data":"SUQz","format":"mp3"}}',
            )
        ],
        [
            user(
                _part('{"type":"input_image","image_url":"blob:x"}'),
                _part('{"type":"input_image","image_url":"https://x.org","file_id":"f"}'),
                _part('{"type":"input_file","file_data":"JVBERi0="}'),
                _part('{"type":"input_audio","input_audio":{"data":"SUQz","format":"mp3"}}'),
            )
        ],
    ),
    "cache breakpoints": (
        [
            said(
                '{"type":"input_text","text":"x","prompt_cache_breakpoint":{"mode":"explicit"}}',
                '{"type":"input_text","text":"x","prompt_cache_breakpoint":'
                '{"mode":"explicit","ttl":"12h"}}',
            )
        ],
        [
            user(
                text("x", cache=wg.CacheMark()),
                text("x", cache=wg.CacheMark("1h")),
            )
        ],
    ),
    "unknown keys of a message and of a part": (
        ['{"role":"user","a":1,"content":[{"type":"input_text","text":"x","b":2}]}'],
        [user(text("x", extras=extras(b=2)), extras=extras(a=1))],
    ),
    "an answer's part with a key that we need": (
        [_answered('{"type":"output_text","text":"x","message":1}')],
        [own(_part('{"type":"output_text","text":"x","message":1}'))],
    ),
}


@pytest.mark.parametrize(("items", "expected"), MESSAGES.values(), ids=MESSAGES)
def test_messages(items: list[str], expected: list[Any]) -> None:
    assert decode(body(*items)).messages == expected


def test_an_input_that_is_a_string() -> None:
    assert decode(b'{"model":"m","input":"hi"}').messages == [user("hi")]


def test_instructions_come_first() -> None:
    decoded = decode(body(HI, head='"instructions":"x"'))
    assert decoded.messages == [system("x", extras=spelled(**{"as": "instructions"})), user("hi")]


def test_arguments_and_media_are_slices_of_the_body() -> None:
    data = "A" * 4000
    image = f'{{"type":"input_image","image_url":"data:image/png;base64,{data}"}}'
    decoded = decode(body(said(image), CALL_A.replace("{}", data), RESULT_A))
    block: Any = decoded.messages[0].content[0]
    made: Any = decoded.messages[1].content[0]
    assert block.data.to_base64() == data
    assert made.arguments.text == data.encode()
    assert f'"arguments":"{data}"'.encode() in responses.encode_request(decoded)


FIELDS: dict[str, tuple[str, dict[str, Any]]] = {
    "plain parameters": (
        '"stream":true,"max_output_tokens":9,"temperature":1,"top_p":0.5,"top_logprobs":2,'
        '"service_tier":"flex","safety_identifier":"u","metadata":{"k":"v"},'
        '"parallel_tool_calls":false,"include":["message.output_text.logprobs"]',
        {
            "stream": True,
            "max_tokens": 9,
            "temperature": 1.0,
            "top_p": 0.5,
            "top_logprobs": 2,
            "service_tier": "flex",
            "user_id": "u",
            "metadata": {"k": "v"},
            "parallel_tool_calls": False,
            "logprobs": True,
        },
    ),
    "words of other dialects": (
        '"top_k":3,"frequency_penalty":1,"presence_penalty":-1,"stop":"x","logprobs":true,'
        '"user":"u","cache_control":{"type":"ephemeral","ttl":"1h"}',
        {
            "top_k": 3,
            "frequency_penalty": 1.0,
            "presence_penalty": -1.0,
            "stop": ["x"],
            "logprobs": True,
            "user_id": "u",
            "cache": wg.CacheConfig(
                strategy=wg.model.ManualCache(wg.model.CacheSections(False, False, True)), ttl="1h"
            ),
        },
    ),
    "how much to think": (
        '"reasoning":{"effort":"minimal","summary":"detailed"}',
        {"thinking": wg.Thinking(wg.ThinkingLevel.MINIMAL, visible=True)},
    ),
    "no thinking": (
        '"reasoning":{"effort":"none"}',
        {"thinking": wg.Thinking(wg.ThinkingLevel.OFF)},
    ),
    "thinking that is switched off": (
        '"reasoning":{"enabled":false}',
        {"thinking": wg.Thinking(wg.ThinkingLevel.OFF)},
    ),
    "a budget": ('"reasoning":{"max_tokens":9}', {"thinking": wg.Thinking(budget_tokens=9)}),
    "nothing said about thinking": ('"reasoning":{}', {}),
    "text": ('"text":{"format":{"type":"text"}}', {"response_format": wg.ResponseFormat("text")}),
    "json": (
        '"text":{"format":{"type":"json_object"}}',
        {"response_format": wg.ResponseFormat("json")},
    ),
    "a schema": (
        '"text":{"format":{"type":"json_schema","name":"n","schema":{"a":1e2},"strict":true}}',
        {
            "response_format": wg.ResponseFormat(
                "json_schema", wg.RawJson('{"a":1e2}'), "n", strict=True
            )
        },
    ),
    "a choice": ('"tool_choice":"required"', {"tool_choice": wg.ToolChoice("required")}),
    "a choice of one tool": (
        '"tool_choice":{"type":"custom","name":"f"}',
        {"tool_choice": wg.ToolChoice("tool", "f")},
    ),
    "a choice of some tools": (
        '"tool_choice":{"type":"allowed_tools","mode":"auto",'
        '"tools":[{"type":"function","name":"f"}]}',
        {"tool_choice": wg.ToolChoice(allowed=["f"])},
    ),
    "tools": (
        '"tools":[{"type":"function","name":"f","description":"d","parameters":'
        '{"type":"object","properties":{}},"strict":true,"defer_loading":true},'
        '{"type":"function","name":"g","parameters":{}},{"type":"web_search","a":[1]}]',
        {
            "tools": [
                wg.Tool(
                    "f",
                    "d",
                    {"type": "object", "properties": {}},
                    strict=True,
                    extras=extras(defer_loading=True),
                ),
                wg.Tool("g", parameters={}, extras=spelled(strict=None, parameters={})),
                _opaque(type="web_search", a=[1]),
            ]
        },
    ),
    "no tools": ('"tools":[]', {}),
}


@pytest.mark.parametrize(("head", "fields"), FIELDS.values(), ids=FIELDS)
def test_parameters(head: str, fields: dict[str, Any]) -> None:
    decoded = decode(body(HI, head=head))
    decoded.extras = None
    assert decoded == wg.Request([user("hi")], model="m", **fields)


KEPT: dict[str, tuple[str, dict[str, Any]]] = {
    "an unknown key": ('"background":true', {"background": True}),
    "an unknown key inside": (
        '"text":{"format":{"type":"text"},"verbosity":"low"}',
        {"text": {"verbosity": "low"}},
    ),
    "an effort without a level": (
        '"reasoning":{"effort":"huge"}',
        {"reasoning": {"effort": "huge"}},
    ),
    "a summary without a meaning": ('"reasoning":{"summary":"x"}', {"reasoning": {"summary": "x"}}),
    "a choice of a tool of the API's own": (
        '"tool_choice":{"type":"web_search"}',
        {"tool_choice": {"type": "web_search"}},
    ),
    "a choice without a meaning": ('"tool_choice":"maybe"', {"tool_choice": "maybe"}),
    "another user": ('"safety_identifier":"u","user":"v"', {"user": "v"}),
    "a form that is unknown": (
        '"text":{"format":{"type":"grammar"}}',
        {"text": {"format": {"type": "grammar"}}},
    ),
}


@pytest.mark.parametrize("word", ["auto", "concise", "detailed"])
def test_a_summary_of_thinking_is_thinking_shown(word: str) -> None:
    asked = decode(body(HI, head=f'"reasoning":{{"summary":"{word}"}}'))
    assert asked.thinking == wg.Thinking(visible=True)


@pytest.mark.parametrize("key", ["previous_response_id", "conversation", "prompt"])
def test_what_the_service_holds_needs_no_input(key: str) -> None:
    asked = decode(f'{{"model":"m","{key}":{{"id":"i"}}}}'.encode())
    assert asked.messages == []
    assert asked.extras is not None
    assert asked.extras[API].keys.value == {key: {"id": "i"}}


@pytest.mark.parametrize(
    "item",
    [
        '{"id":"i"}',
        '{"type":"additional_tools","tools":[]}',
        '{"type":"compaction_trigger"}',
        '{"type":"configuration_update"}',
        '{"type":"item_reference","id":"i"}',
    ],
)
def test_an_item_of_the_users_own_is_a_users_message(item: str) -> None:
    (message,) = decode(body(item)).messages
    assert isinstance(message, wg.UserMessage)
    (block,) = message.content
    assert isinstance(block, wg.OpaqueBlock)
    assert block.raw.text == item.encode()


def test_an_approval_is_a_result() -> None:
    item = '{"type":"mcp_approval_response","approve":true,"approval_request_id":"i"}'
    (message,) = decode(body(item)).messages
    assert isinstance(message, wg.ToolMessage)
    (block,) = message.content
    assert isinstance(block, wg.OpaqueBlock)
    assert block.raw.text == item.encode()


@pytest.mark.parametrize(("head", "keys"), KEPT.values(), ids=KEPT)
def test_what_the_model_has_no_word_for_is_kept(head: str, keys: dict[str, Any]) -> None:
    decoded = decode(body(HI, head=head))
    assert decoded.extras is not None
    assert decoded.extras[API].keys.value == keys


@pytest.mark.parametrize(
    "head",
    [
        '"store":false',
        '"include":["reasoning.encrypted_content"]',
        '"stream":true,"stream_options":{"include_obfuscation":false}',
    ],
)
def test_what_never_reaches_the_model_is_no_loss_elsewhere(head: str) -> None:
    decoded = decode(body(HI, head=head))
    assert wg.providers.anthropic.encode_request(decoded)


BAD: dict[str, tuple[bytes, str]] = {
    "no object": (b"3", "expected `object`, got `int` - at `$`"),
    "no input": (b'{"model":"m"}', "object missing required field `input` - at `$`"),
    "an input that is no list": (
        b'{"input":1}',
        "expected `str | array | null`, got `int` - at `$.input`",
    ),
    "an item that is not an object": (
        body("1"),
        "expected `object`, got `int` - at `$.input[0]`",
    ),
    "an item that does not say what it is": (
        body(HI, '{"foo":1}'),
        "object missing required field `type` - at `$.input[1]`",
    ),
    "messages alone that are not": (
        b'[{"foo":1},{"bar":2}]',
        "object missing required field `type` - at `$[0]`",
    ),
    "an unknown role": (
        body('{"role":"tool","content":"x"}'),
        "unknown role `tool`, expected one of `user`, `assistant`, `system`, `developer`"
        " - at `$.input[0].role`",
    ),
    "a message without content": (
        body('{"role":"user"}'),
        "object missing required field `content` - at `$.input[0]`",
    ),
    "an image whose url is a number": (
        body(said('{"type":"input_image","image_url":1}')),
        "expected `str`, got `int` - at `$.input[0].content[0].image_url`",
    ),
    "a file that is a number": (
        body(said('{"type":"input_file","file_data":1}')),
        "expected `str`, got `int` - at `$.input[0].content[0].file_data`",
    ),
    "a text without text": (
        body(HI, said('{"type":"input_text"}')),
        "object missing required field `text` - at `$.input[1].content[0]`",
    ),
    "a call without an id": (
        body('{"type":"function_call","name":"f","arguments":"{}"}'),
        "object missing required field `call_id` - at `$.input[0]`",
    ),
    "a call without a name": (
        body('{"type":"function_call","call_id":"a","arguments":"{}"}'),
        "object missing required field `name` - at `$.input[0]`",
    ),
    "a custom call without input": (
        body('{"type":"custom_tool_call","call_id":"a","name":"f"}'),
        "object missing required field `input` - at `$.input[0]`",
    ),
    "a result without output": (
        body('{"type":"function_call_output","call_id":"a"}'),
        "object missing required field `output` - at `$.input[0]`",
    ),
    "citations that are none": (
        body(_answered('{"type":"output_text","text":"x","annotations":{}}')),
        "expected `array | null`, got `object` - at `$.input[0].content[0].annotations`",
    ),
    "a function without a name": (
        body(HI, head='"tools":[{"type":"function"}]'),
        "object missing required field `name` - at `$.tools[0]`",
    ),
    "half of an emoji": (body(r'{"role":"user","content":"\ud83d"}'), ""),
}


@pytest.mark.parametrize(("data", "reason"), BAD.values(), ids=BAD)
def test_bad_bytes_are_one_error(data: bytes, reason: str) -> None:
    with pytest.raises(wg.DecodeError) as error:
        decode(data)
    assert str(error.value).startswith("openai_responses: ")
    assert str(error.value).endswith(reason)


def test_half_a_character_may_be_a_loss() -> None:
    losses: list[wg.Loss] = []
    decoded = decode(body(r'{"role":"user","content":"\ud83d"}'), losses=losses)
    assert decoded.messages == [user("\ufffd")]
    assert len(losses) == 1


def test_what_goes_to_another_api() -> None:
    data = body(
        HI,
        REASONING + ',"summary":[{"type":"summary_text","text":"hm"}],"encrypted_content":"e"}',
        YES,
        CALL_A,
        RESULT_A.replace('""', '"x"'),
        head='"instructions":"be","store":false',
    )
    losses: list[wg.Loss] = []
    made = wg.providers.anthropic.encode_request(decode(data), losses=losses)
    assert made == (
        b'{"model":"m","max_tokens":8192,"system":[{"type":"text","text":"be"}],"messages":['
        b'{"role":"user","content":[{"type":"text","text":"hi"}]},'
        b'{"role":"assistant","content":[{"type":"text","text":"yes"},'
        b'{"type":"tool_use","id":"a","name":"f","input":{}}]},'
        b'{"role":"user","content":[{"type":"tool_result","tool_use_id":"a",'
        b'"content":[{"type":"text","text":"x"}]}]}]}'
    )
    assert [(loss.path, loss.what) for loss in losses] == [("$.messages[2].content[0]", "thinking")]
