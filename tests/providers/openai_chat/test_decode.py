"""Literal bodies -> the model's values, whichever dialect they are in."""

from typing import Any

import pytest

import wireglot as wg
from tests.providers.conversation import call, result, text
from wireglot.model import CacheSections, ManualCache

chat = wg.providers.openai_chat
API = "openai-chat"
LEVEL = wg.ThinkingLevel
HI = '{"role":"user","content":"hi"}'


def _decoded(body: str, path: str | None = None, dialect: str = "openai") -> wg.Request:
    return chat.decode_request(body, path, dialect=dialect)


def _messages(*messages: str) -> list[wg.Message]:
    return _decoded(f'{{"model":"m","messages":[{",".join(messages)}]}}').messages


def _own(*content: Any, **fields: Any) -> wg.AssistantMessage:
    blocks = [wg.TextBlock(part) if isinstance(part, str) else part for part in content]
    return wg.AssistantMessage(blocks, api=API, **fields)


def _user(*content: Any, **fields: Any) -> wg.UserMessage:
    blocks = [wg.TextBlock(part) if isinstance(part, str) else part for part in content]
    return wg.UserMessage(blocks, **fields)


def _came(spelling: dict[str, Any], keys: dict[str, Any] | None = None) -> wg.Extras:
    return {API: wg.Extra(keys or {}, spelling, "openai")}


def _read(spelling: dict[str, Any]) -> wg.Extras:
    return {API: wg.Extra({}, spelling)}


CALLED = (
    '{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function",'
    '"function":{"name":"f","arguments":"{\\"x\\": 1e2}"}}]}'
)

MESSAGES: dict[str, tuple[list[str], list[wg.Message]]] = {
    "a string": ([HI], [_user("hi")]),
    "a list of texts, and an empty one": (
        ['{"role":"user","content":[{"type":"text","text":"x"},{"type":"text","text":""}]}'],
        [_user("x", "")],
    ),
    "the system and the developer, with names": (
        [
            '{"role":"system","content":"x","name":"s"}',
            '{"role":"developer","content":[{"type":"text","text":"y"}]}',
        ],
        [
            wg.SystemMessage([wg.TextBlock("x")], name="s"),
            wg.SystemMessage([wg.TextBlock("y")], extras=_came({"as": "developer"})),
        ],
    ),
    "a call and its result, which learns the call's name": (
        [CALLED, '{"role":"tool","tool_call_id":"a","content":"1"}'],
        [
            _own(call("a", '{"x": 1e2}')),
            wg.ToolMessage([result("a", "1", tool_name="f")]),
        ],
    ),
    "a result with a name, a call with an index": (
        [
            CALLED.replace('"id"', '"index":0,"id"'),
            '{"role":"tool","tool_call_id":"a","content":[{"type":"text","text":"1"}],"name":"f"}',
        ],
        [
            _own(call("a", '{"x": 1e2}', extras=_came({"index": 0}))),
            wg.ToolMessage([result("a", "1", tool_name="f", extras=_read({"name": "f"}))]),
        ],
    ),
    "a custom tool's call": (
        [
            '{"role":"assistant","tool_calls":[{"id":"a","type":"custom",'
            '"custom":{"name":"f","input":"1 + 1"}}]}'
        ],
        [_own(call("a", "1 + 1", tool_type="custom"))],
    ),
    "empty text beside a call": (
        [CALLED.replace('"content":null', '"content":""')],
        [_own("", call("a", '{"x": 1e2}'))],
    ),
    "a refusal": (
        ['{"role":"assistant","content":null,"refusal":"no"}'],
        [_own(text("no", extras=_came({"as": "refusal"})))],
    ),
    "a refusal as a part": (
        ['{"role":"assistant","content":[{"type":"refusal","refusal":"no"}]}'],
        [_own(text("no", extras=_came({"as": "refusal part"})))],
    ),
    "an answer that was spoken": (
        ['{"role":"assistant","content":null,"audio":{"id":"audio_1"}}'],
        [_own(wg.AudioBlock(file_id="audio_1", extras={API: wg.Extra(wg.RawJson("{}"))}))],
    ),
    "citations of the web": (
        [
            '{"role":"assistant","content":"x","annotations":[{"type":"url_citation",'
            '"url_citation":{"url":"u","title":"t","start_index":0,"end_index":1}}]}'
        ],
        [
            _own(
                text(
                    "x",
                    annotations=[wg.AnnotationRef("u", "t", start=0, end=1)],
                    extras=_came({"as": "cited"}),
                ),
                extras=_read(
                    {
                        "annotations": [
                            {
                                "type": "url_citation",
                                "url_citation": {
                                    "url": "u",
                                    "title": "t",
                                    "start_index": 0,
                                    "end_index": 1,
                                },
                            }
                        ]
                    }
                ),
            )
        ],
    ),
    "thinking under one key": (
        ['{"role":"assistant","content":"x","reasoning_content":"so"}'],
        [_own(wg.ThinkingBlock("so", extras=_came({"as": ["reasoning_content"]})), "x")],
    ),
    "thinking under two keys": (
        ['{"role":"assistant","content":"x","reasoning":"so","reasoning_content":"so"}'],
        [
            _own(
                wg.ThinkingBlock("so", extras=_came({"as": ["reasoning", "reasoning_content"]})),
                "x",
            )
        ],
    ),
    "thinking in details": (
        [
            '{"role":"assistant","content":"x","reasoning":"so","reasoning_details":['
            '{"type":"reasoning.text","text":"so","signature":"s","format":"f","index":0},'
            '{"type":"reasoning.summary","summary":"also","id":"i"},'
            '{"type":"reasoning.encrypted","data":"blob"},'
            '{"type":"reasoning.odd"}]}'
        ],
        [
            _own(
                wg.ThinkingBlock(
                    "so",
                    "s",
                    extras=_came({"as": {"type": "reasoning.text", "format": "f", "index": 0}}),
                ),
                wg.ThinkingBlock(
                    "also", extras=_came({"as": {"type": "reasoning.summary", "id": "i"}})
                ),
                wg.ThinkingBlock(
                    "", "blob", redacted=True, extras=_came({"as": {"type": "reasoning.encrypted"}})
                ),
                wg.OpaqueBlock(API, {"type": "reasoning.odd"}),
                "x",
                extras=_came({"reasoning": "so"}),
            )
        ],
    ),
    "a call of the deprecated kind, and its result": (
        [
            '{"role":"assistant","content":null,"function_call":{"name":"f","arguments":"{}"}}',
            '{"role":"function","name":"f","content":"1"}',
        ],
        [
            _own(call("call_0", "{}", extras=_came({"as": "function_call"}))),
            wg.ToolMessage([result("call_0", "1", tool_name="f")]),
        ],
    ),
    "two calls of the deprecated kind": (
        [
            '{"role":"assistant","content":null,"function_call":{"name":"f","arguments":"{}"}}',
            '{"role":"function","name":"f","content":"1"}',
            '{"role":"assistant","content":null,"function_call":{"name":"g","arguments":"{}"}}',
            '{"role":"function","name":"g","content":null}',
        ],
        [
            _own(call("call_0", "{}", extras=_came({"as": "function_call"}))),
            wg.ToolMessage([result("call_0", "1", tool_name="f")]),
            _own(call("call_1", "{}", name="g", extras=_came({"as": "function_call"}))),
            wg.ToolMessage([result("call_1", "", tool_name="g")]),
        ],
    ),
    "unknown keys of a message, a part and a part's part": (
        [
            '{"role":"user","x":1,"content":[{"type":"text","text":"x","y":2},'
            '{"type":"image_url","image_url":{"url":"https://x.org/a","z":3}}]}'
        ],
        [
            _user(
                text("x", extras={API: wg.Extra({"y": 2})}),
                wg.ImageBlock(
                    url="https://x.org/a", extras={API: wg.Extra({"image_url": {"z": 3}})}
                ),
                extras={API: wg.Extra({"x": 1})},
            )
        ],
    ),
    "a part of no known type": (
        ['{"role":"user","content":[{"type":"file_url","file_url":{"url":"AA=="}}]}'],
        [_user(wg.OpaqueBlock(API, {"type": "file_url", "file_url": {"url": "AA=="}}))],
    ),
}


@pytest.mark.parametrize(("bodies", "expected"), MESSAGES.values(), ids=MESSAGES)
def test_messages(bodies: list[str], expected: list[wg.Message]) -> None:
    assert _messages(*bodies) == expected


def _part(part: str) -> Any:
    (message,) = _messages(f'{{"role":"user","content":[{part}]}}')
    return message.content[0]


PARTS: dict[str, tuple[str, Any]] = {
    "an image in a data URL": (
        '{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA","detail":"low"}}',
        wg.ImageBlock(wg.Media.from_base64("AAAA"), mime_type="image/png", detail="low"),
    ),
    "an image whose slashes are escaped": (
        '{"type":"image_url","image_url":{"url":"data:image\\/png;base64,AA\\/A"}}',
        wg.ImageBlock(wg.Media.from_base64("AA/A"), mime_type="image/png"),
    ),
    "an image by URL": (
        '{"type":"image_url","image_url":{"url":"https://x.org/a"}}',
        wg.ImageBlock(url="https://x.org/a"),
    ),
    "an image of a format that is not taken": (
        '{"type":"image_url","image_url":{"url":"data:image/bmp;base64,AAAA"}}',
        wg.ImageBlock(
            wg.Media.from_base64("AAAA"), mime_type="image/bmp", extras=_came({"as": "as is"})
        ),
    ),
    "an image that is a path": (
        '{"type":"image_url","image_url":{"url":"file:///etc/passwd"}}',
        wg.OpaqueBlock(API, {"type": "image_url", "image_url": {"url": "file:///etc/passwd"}}),
    ),
    "an image that is no data URL": (
        '{"type":"image_url","image_url":{"url":"data:x"}}',
        wg.OpaqueBlock(API, {"type": "image_url", "image_url": {"url": "data:x"}}),
    ),
    "sound": (
        '{"type":"input_audio","input_audio":{"data":"AAAA","format":"mp3"}}',
        wg.AudioBlock(wg.Media.from_base64("AAAA"), mime_type="audio/mpeg"),
    ),
    "sound of another format": (
        '{"type":"input_audio","input_audio":{"data":"AAAA","format":"flac"}}',
        wg.AudioBlock(
            wg.Media.from_base64("AAAA"), mime_type="audio/flac", extras=_came({"as": "as is"})
        ),
    ),
    "a film, which OpenAI does not take": (
        '{"type":"video_url","video_url":{"url":"https://x.org/a"}}',
        wg.VideoBlock(url="https://x.org/a", extras=_came({"as": "as is"})),
    ),
    "a PDF": (
        '{"type":"file","file":{"filename":"a.pdf",'
        '"file_data":"data:application/pdf;base64,AAAA"}}',
        wg.DocumentBlock(
            wg.Media.from_base64("AAAA"), mime_type="application/pdf", filename="a.pdf"
        ),
    ),
    "a file by id": (
        '{"type":"file","file":{"file_id":"f"}}',
        wg.DocumentBlock(file_id="f", extras={API: wg.Extra({})}),
    ),
    "a file without a name": (
        '{"type":"file","file":{"file_data":"AAAA"}}',
        wg.OpaqueBlock(API, {"type": "file", "file": {"file_data": "AAAA"}}),
    ),
    "a breakpoint of OpenAI's": (
        '{"type":"text","text":"x","prompt_cache_breakpoint":{"mode":"explicit"}}',
        text("x", cache=wg.CacheMark()),
    ),
    "a breakpoint of OpenRouter's, for five minutes": (
        '{"type":"text","text":"x","cache_control":{"type":"ephemeral","ttl":"5m"}}',
        text(
            "x",
            cache=wg.CacheMark("5m"),
            extras=_came({"cache_control": {"type": "ephemeral", "ttl": "5m"}}),
        ),
    ),
    "a breakpoint of OpenRouter's": (
        '{"type":"text","text":"x","cache_control":{"type":"ephemeral","ttl":"1h"}}',
        text(
            "x",
            cache=wg.CacheMark("1h"),
            extras=_came({"cache_control": {"type": "ephemeral", "ttl": "1h"}}),
        ),
    ),
}


@pytest.mark.parametrize(("part", "expected"), PARTS.values(), ids=PARTS)
def test_a_part(part: str, expected: Any) -> None:
    assert _part(part) == expected


TOOLS = '"tools":[{"type":"function","function":{"name":"f"}}],'
FIELDS: dict[str, tuple[str, dict[str, Any]]] = {
    "sampling": (
        '"temperature":1,"top_p":0.5,"top_k":5,"frequency_penalty":1,"presence_penalty":-1,'
        '"seed":4611686018427387904,"stop":"x","n":2,"logprobs":true,"top_logprobs":3,',
        {
            "temperature": 1.0,
            "top_p": 0.5,
            "top_k": 5,
            "frequency_penalty": 1.0,
            "presence_penalty": -1.0,
            "seed": 2**62,
            "stop": ["x"],
            "candidates": 2,
            "logprobs": True,
            "top_logprobs": 3,
        },
    ),
    "the old limit": ('"max_tokens":8,', {"max_tokens": 8}),
    "the new limit": ('"max_completion_tokens":8,', {"max_tokens": 8}),
    "a stream": ('"stream":true,', {"stream": True}),
    "a user": ('"user":"u",', {"user_id": "u"}),
    "a safety identifier": ('"safety_identifier":"u",', {"user_id": "u"}),
    "no tools": ('"tools":[],"tool_choice":"none",', {"tool_choice": wg.ToolChoice("none")}),
    "a tool": (
        '"tools":[{"type":"function","function":{"name":"f","description":"d",'
        '"parameters":{"type":"object"},"strict":true},"cache_control":{"type":"ephemeral"}}],',
        {
            "tools": [
                wg.Tool(
                    "f",
                    "d",
                    wg.RawJson('{"type":"object"}'),
                    True,
                    wg.CacheMark(),
                    _came({"cache_control": {"type": "ephemeral"}}),
                )
            ]
        },
    ),
    "a tool of another kind": (
        '"tools":[{"type":"openrouter:web_search"}],',
        {"tools": [wg.OpaqueBlock(API, {"type": "openrouter:web_search"})]},
    ),
    "functions, deprecated": (
        '"functions":[{"name":"f"}],"function_call":{"name":"f"},',
        {
            "tools": [wg.Tool("f", extras=_came({"as": "functions"}))],
            "tool_choice": wg.ToolChoice("tool", "f"),
        },
    ),
    **{
        f"a choice of {mode}": (
            f'"tool_choice":"{mode}",',
            {"tool_choice": wg.ToolChoice(mode)},
        )
        for mode in ("auto", "none", "required")
    },
    "any tool": ('"tool_choice":"any",', {"tool_choice": wg.ToolChoice("required")}),
    "one tool": (
        '"tool_choice":{"type":"function","function":{"name":"f"}},',
        {"tool_choice": wg.ToolChoice("tool", "f")},
    ),
    "some tools": (
        '"tool_choice":{"type":"allowed_tools","allowed_tools":{"mode":"required",'
        '"tools":[{"type":"function","function":{"name":"f"}}]}},',
        {"tool_choice": wg.ToolChoice("required", allowed=["f"])},
    ),
    "JSON": (
        '"response_format":{"type":"json_object"},',
        {"response_format": wg.ResponseFormat("json")},
    ),
    "a schema": (
        '"response_format":{"type":"json_schema","json_schema":{"name":"n","schema":{},'
        '"description":"d","strict":true}},',
        {"response_format": wg.ResponseFormat("json_schema", {}, "n", "d", True)},
    ),
    "an effort": ('"reasoning_effort":"low",', {"thinking": wg.Thinking(LEVEL.LOW)}),
    "no effort": ('"reasoning_effort":"none",', {"thinking": wg.Thinking(LEVEL.OFF)}),
    "Groq's default effort": ('"reasoning_effort":"default",', {"thinking": wg.Thinking()}),
    "OpenRouter's reasoning": (
        '"reasoning":{"max_tokens":9,"exclude":true},',
        {"thinking": wg.Thinking(budget_tokens=9, visible=False)},
    ),
    "OpenRouter's reasoning, off": (
        '"reasoning":{"enabled":false},',
        {"thinking": wg.Thinking(LEVEL.OFF)},
    ),
    "DeepSeek's thinking": (
        '"thinking":{"type":"enabled"},"reasoning_effort":"high",',
        {"thinking": wg.Thinking(LEVEL.HIGH)},
    ),
    "DeepSeek's thinking, off": (
        '"thinking":{"type":"disabled"},"reasoning_effort":"high",',
        {"thinking": wg.Thinking(LEVEL.OFF)},
    ),
    "Qwen's thinking": (
        '"enable_thinking":true,"thinking_budget":9,',
        {"thinking": wg.Thinking(budget_tokens=9)},
    ),
    "Qwen's thinking, and no more": ('"enable_thinking":true,', {"thinking": wg.Thinking()}),
    "Qwen's thinking, off": ('"enable_thinking":false,', {"thinking": wg.Thinking(LEVEL.OFF)}),
    "vLLM's thinking": (
        '"chat_template_kwargs":{"enable_thinking":false},',
        {"thinking": wg.Thinking(LEVEL.OFF)},
    ),
    "vLLM's budget": ('"thinking_token_budget":9,', {"thinking": wg.Thinking(budget_tokens=9)}),
    "llama.cpp's budget": (
        '"thinking_budget_tokens":9,',
        {"thinking": wg.Thinking(budget_tokens=9)},
    ),
    "thinking, on": ('"thinking":{"type":"enabled"},', {"thinking": wg.Thinking()}),
    "thinking that adapts": ('"thinking":{"type":"adaptive"},', {"thinking": wg.Thinking()}),
    "Groq's format, shown": (
        '"reasoning_format":"parsed",',
        {"thinking": wg.Thinking(visible=True)},
    ),
    "Groq's format": ('"reasoning_format":"hidden",', {"thinking": wg.Thinking(visible=False)}),
    "OpenRouter's caching": (
        '"cache_control":{"type":"ephemeral","ttl":"1h"},',
        {
            "cache": wg.CacheConfig(
                strategy=ManualCache(CacheSections(False, False, True)), ttl="1h"
            )
        },
    ),
    "metadata": ('"metadata":{"a":"b"},', {"metadata": {"a": "b"}}),
    "a tier": ('"service_tier":"on_demand",', {"service_tier": "on_demand"}),
}


@pytest.mark.parametrize(("head", "fields"), FIELDS.values(), ids=FIELDS)
def test_parameters(head: str, fields: dict[str, Any]) -> None:
    read = _decoded(f'{{"model":"m",{head}"messages":[{HI}]}}')
    read.extras = None
    assert read == wg.Request([_user("hi")], model="m", **fields)


KEPT = {
    "unknown keys": ('"verbosity":"low",', {"verbosity": "low"}, None),
    "another spelling": ('"max_tokens":8,', {}, {"max_tokens": 8, "max_completion_tokens": None}),
    "two limits": (
        '"max_tokens":8,"max_completion_tokens":9,',
        {"max_tokens": 8},
        None,
    ),
    "an effort of no meaning": ('"reasoning_effort":"vast",', {"reasoning_effort": "vast"}, None),
    "a choice of no meaning": ('"tool_choice":"maybe",', {"tool_choice": "maybe"}, None),
    "a format of no meaning": (
        '"response_format":{"type":"grammar"},',
        {"response_format": {"type": "grammar"}},
        None,
    ),
    "a stream that does not tell of its usage": (
        '"stream":true,',
        {},
        {"stream_options": None},
    ),
}


@pytest.mark.parametrize(("head", "keys", "spelling"), KEPT.values(), ids=KEPT)
def test_what_the_model_has_no_word_for(
    head: str, keys: dict[str, Any], spelling: dict[str, Any] | None
) -> None:
    read = _decoded(f'{{"model":"m",{head}"messages":[{HI}]}}')
    assert read.extras is not None
    extra = read.extras[API]
    assert extra.keys.value == keys
    assert (extra.spelling.value if extra.spelling is not None else None) == spelling


def test_the_model_stands_in_azures_url() -> None:
    path = "/openai/deployments/gpt%2D5/chat/completions?api-version=2024-10-21"
    assert _decoded(f'{{"messages":[{HI}]}}', path, "azure").model == "gpt-5"


REFUSED = {
    "no object": ("3", "expected `object`, got `int` - at `$`"),
    "no messages": ("{}", "object missing required field `messages` - at `$`"),
    "a role that nobody has": (
        '{"messages":[{"role":"nobody","content":""}]}',
        (
            "unknown role `nobody`,"
            " expected one of `system`, `developer`, `user`, `assistant`, `tool`,"
            " `function` - at `$.messages[0].role`"
        ),
    ),
    "a part without a type": (
        '{"messages":[{"role":"user","content":[{"text":"x"}]}]}',
        "object missing required field `type` - at `$.messages[0].content[0]`",
    ),
    "an image whose url is a number": (
        '{"messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":1}}]}]}',
        "expected `str`, got `int` - at `$.messages[0].content[0].image_url.url`",
    ),
    "a file that is a number": (
        '{"messages":[{"role":"user","content":'
        '[{"type":"file","file":{"filename":"a","file_data":1}}]}]}',
        "expected `str`, got `int` - at `$.messages[0].content[0].file.file_data`",
    ),
    "sound that is a number": (
        '{"messages":[{"role":"user","content":'
        '[{"type":"input_audio","input_audio":{"format":"mp3","data":1}}]}]}',
        "expected base64 `str` - at `$.messages[0].content[0].input_audio.data`",
    ),
    "a call of no kind": (
        '{"messages":[{"role":"assistant","tool_calls":[{"id":"a","type":"odd"}]}]}',
        "call without `function` and `custom`, expected one - at `$.messages[0].tool_calls[0]`",
    ),
    "annotations that are an object": (
        '{"messages":[{"role":"assistant","content":"x","annotations":{}}]}',
        "expected `array | null`, got `object` - at `$.messages[0].annotations`",
    ),
    "content that is a number": (
        '{"messages":[{"role":"user","content":1}]}',
        "expected `str | array`, got `int` - at `$.messages[0].content`",
    ),
}


@pytest.mark.parametrize(("body", "reason"), REFUSED.values(), ids=REFUSED)
def test_a_body_that_is_refused(body: str, reason: str) -> None:
    with pytest.raises(wg.DecodeError) as caught:
        _decoded(body)
    assert str(caught.value) == f"openai_chat: {reason}"


def test_half_a_surrogate_pair_is_an_error_or_a_loss() -> None:
    body = '{"model":"m","messages":[{"role":"user","content":"\\ud83d"}]}'
    with pytest.raises(wg.DecodeError):
        chat.decode_request(body)
    losses: list[wg.Loss] = []
    assert chat.decode_request(body, losses=losses).messages == [_user("\ufffd")]
    assert len(losses) == 1
