"""Canonical requests -> literal bodies, each of them judged by the oracle."""

from typing import Any

import pytest

import wireglot as wg
from tests.oracles import openai_chat as oracle
from tests.providers.conversation import (
    answer,
    assistant,
    batch,
    call,
    extras,
    request,
    result,
    system,
    text,
    user,
)

chat = wg.providers.openai_chat
PNG = wg.Media.from_bytes(b"\x89PNG\r\n\x1a\n")
PNG_URL = "data:image/png;base64,iVBORw0KGgo="
PNG_PART = f'{{"type":"image_url","image_url":{{"url":"{PNG_URL}"}}}}'
WAV = wg.Media.from_bytes(b"RIFF....WAVE")
PDF = wg.Media.from_bytes(b"%PDF-")
HI = '{"role":"user","content":"hi"}'
X = '{"type":"text","text":"x"}'
TOOL = wg.Tool("f")
TOOLS = '"tools":[{"type":"function","function":{"name":"f"}}]'


def _called(*ids: str, content: str = "null") -> str:
    calls = (
        f'{{"id":"{i}","type":"function","function":{{"name":"f","arguments":"{{}}"}}}}'
        for i in ids
    )
    return f'{{"role":"assistant","content":{content},"tool_calls":[{",".join(calls)}]}}'


def _answered(call_id: str, content: str = '""') -> str:
    return f'{{"role":"tool","tool_call_id":"{call_id}","content":{content}}}'


def _said(*parts: str) -> str:
    return f'{{"role":"user","content":[{",".join(parts)}]}}'


def _body(*messages: str, head: str = "") -> bytes:
    head = f'"model":"m",{head}' if head else '"model":"m"'
    return f'{{{head},"messages":[{",".join(messages)}]}}'.encode()


def _deprecated(dialect: str) -> wg.AssistantMessage:
    shape = wg.Extra({}, {"as": "function_call"}, dialect)
    return assistant(call("a", extras={"openai-chat": shape}))


def _chat(*messages: wg.Message, **fields: Any) -> wg.Request:
    return request(*messages, max_tokens=None, **fields)


# what -> the dialect, the request, the body

MESSAGES = {
    "a text is a string": ("openai", _chat(user("hi")), _body(HI)),
    "two texts are a list of parts": (
        "openai",
        _chat(user("x", "y")),
        _body(_said(X, '{"type":"text","text":"y"}')),
    ),
    "an empty text stays": ("openai", _chat(user("")), _body('{"role":"user","content":""}')),
    "a message without content is left out": (
        "openai",
        _chat(user("hi"), assistant(), user()),
        _body(HI),
    ),
    "a system message stays where it is, and names stay": (
        "openai",
        _chat(system("x"), user("hi", name="ann"), system("y", "z")),
        _body(
            '{"role":"system","content":"x"}',
            '{"role":"user","content":"hi","name":"ann"}',
            '{"role":"system","content":[{"type":"text","text":"y"},{"type":"text","text":"z"}]}',
        ),
    ),
    "messages of one side are not merged": (
        "openai",
        _chat(user("hi"), user("hi")),
        _body(HI, HI),
    ),
    "an image, inline and by URL, with its detail": (
        "openai",
        _chat(
            user(
                "x",
                wg.ImageBlock(data=PNG),
                wg.ImageBlock(url="https://x.org/a.png", detail="low"),
            )
        ),
        _body(
            _said(
                X,
                PNG_PART,
                '{"type":"image_url","image_url":{"url":"https://x.org/a.png","detail":"low"}}',
            )
        ),
    ),
    **{
        f"an image of the type {kind}": (
            "openai",
            _chat(user(wg.ImageBlock(data=wg.Media.from_bytes(b"x"), mime_type=kind))),
            _body(_said(f'{{"type":"image_url","image_url":{{"url":"data:{kind};base64,eA=="}}}}')),
        )
        for kind in ("image/jpeg", "image/png", "image/gif", "image/webp")
    },
    **{
        f"sound of the type {kind}": (
            "openai",
            _chat(user(wg.AudioBlock(data=wg.Media.from_bytes(b"x"), mime_type=kind))),
            _body(
                _said(f'{{"type":"input_audio","input_audio":{{"data":"eA==","format":"{form}"}}}}')
            ),
        )
        for kind, form in (
            ("audio/wav", "wav"),
            ("audio/wave", "wav"),
            ("audio/x-wav", "wav"),
            ("audio/vnd.wave", "wav"),
            ("audio/mpeg", "mp3"),
            ("audio/mp3", "mp3"),
        )
    },
    "sound is bare base64": (
        "openai",
        _chat(user(wg.AudioBlock(data=WAV))),
        _body(
            _said('{"type":"input_audio","input_audio":{"data":"UklGRi4uLi5XQVZF","format":"wav"}}')
        ),
    ),
    "a PDF, inline and by file id": (
        "openai",
        _chat(
            user(wg.DocumentBlock(data=PDF), wg.DocumentBlock(file_id="file-1", filename="a.pdf"))
        ),
        _body(
            _said(
                '{"type":"file","file":{"filename":"document.pdf",'
                '"file_data":"data:application/pdf;base64,JVBERi0="}}',
                '{"type":"file","file":{"file_id":"file-1"}}',
            )
        ),
    ),
    "an answer the model spoke": (
        "openai",
        _chat(user("hi"), assistant(wg.AudioBlock(file_id="audio_1"))),
        _body(HI, '{"role":"assistant","content":null,"audio":{"id":"audio_1"}}'),
    ),
    "a part of this API that has no kind": (
        "openai",
        _chat(user("x", wg.OpaqueBlock(chat.API, {"type": "file", "file": {"file_id": "f"}}))),
        _body(_said(X, '{"type":"file","file":{"file_id":"f"}}')),
    ),
    "a breakpoint is OpenAI's": (
        "openai",
        _chat(user(text("x", cache=wg.CacheMark()))),
        _body(
            _said('{"type":"text","text":"x","prompt_cache_breakpoint":{"mode":"explicit"}}'),
        ),
    ),
    "a breakpoint is OpenRouter's, in a result too": (
        "openrouter",
        _chat(
            user(text("x", cache=wg.CacheMark("1h"))),
            assistant(call("a")),
            batch(result("a", "x", cache=wg.CacheMark())),
        ),
        _body(
            _said('{"type":"text","text":"x","cache_control":{"type":"ephemeral","ttl":"1h"}}'),
            _called("a"),
            _answered("a", '[{"type":"text","text":"x","cache_control":{"type":"ephemeral"}}]'),
        ),
    ),
}

CALLS = {
    "parallel calls and their results, each a message": (
        "openai",
        _chat(assistant("x", call("a"), call("b")), batch(result("b", "2"), result("a", "1"))),
        _body(_called("a", "b", content='"x"'), _answered("b", '"2"'), _answered("a", '"1"')),
    ),
    "a result as a message, and one without content": (
        "openai",
        _chat(assistant(call("a"), call("b")), answer("a", "x", "y"), answer("b")),
        _body(
            _called("a", "b"),
            _answered("a", '[{"type":"text","text":"x"},{"type":"text","text":"y"}]'),
            _answered("b"),
        ),
    ),
    "what a user says between a call and its result waits": (
        "openai",
        _chat(assistant(call("a")), user("hi"), answer("a")),
        _body(_called("a"), _answered("a"), HI),
    ),
    "arguments are the model's own text, broken as it may be": (
        "openai",
        _chat(assistant(call("a", '{"x": 1e2, "y": "\\u00e9"')), answer("a")),
        _body(
            '{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function",'
            '"function":{"name":"f","arguments":"{\\"x\\": 1e2, \\"y\\": \\"\\\\u00e9\\""}}]}',
            _answered("a"),
        ),
    ),
    "no arguments of another API are an empty object": (
        "openai",
        _chat(assistant(call("a", "")), answer("a")),
        _body(_called("a"), _answered("a")),
    ),
    "big integers survive": (
        "openai",
        _chat(assistant(call("a", '{"n":123456789012345678901234567890}')), answer("a")),
        _body(
            '{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function",'
            '"function":{"name":"f","arguments":"{\\"n\\":123456789012345678901234567890}"}}]}',
            _answered("a"),
        ),
    ),
    "an id of 43 characters is cut, call and result alike": (
        "openai",
        _chat(assistant(call("call_0_" + "a" * 36)), answer("call_0_" + "a" * 36)),
        _body(
            _called("call_0_aaaaaaaaaaaaaaaaaaaaaaaa_c5af2bb1"),
            _answered("call_0_aaaaaaaaaaaaaaaaaaaaaaaa_c5af2bb1"),
        ),
    ),
    "an id of 43 characters stays where it came from": (
        "generic",
        _chat(assistant(call("call_0_" + "a" * 36)), answer("call_0_" + "a" * 36)),
        _body(_called("call_0_" + "a" * 36), _answered("call_0_" + "a" * 36)),
    ),
    "an empty id gets one": (
        "openai",
        _chat(assistant(call("")), answer("")),
        _body(_called("_e3b0c442"), _answered("_e3b0c442")),
    ),
    "an image in a result follows as a user's, after all results": (
        "openai",
        _chat(
            assistant(call("a"), call("b")),
            batch(result("a", "x", wg.ImageBlock(data=PNG)), result("b", "y")),
            user("hi"),
        ),
        _body(
            _called("a", "b"),
            _answered("a", '[{"type":"text","text":"x"},{"type":"text","text":"See file a-1."}]'),
            _answered("b", '"y"'),
            _said('{"type":"text","text":"This is file a-1:"}', PNG_PART),
            HI,
        ),
    ),
    "images in results that come one by one": (
        "openai",
        _chat(
            assistant(call("a"), call("b")),
            answer("a", wg.ImageBlock(data=PNG)),
            answer("b", wg.ImageBlock(data=PNG)),
        ),
        _body(
            _called("a", "b"),
            _answered("a", '"See file a-1."'),
            _answered("b", '"See file b-2."'),
            _said(
                '{"type":"text","text":"This is file a-1:"}',
                PNG_PART,
                '{"type":"text","text":"This is file b-2:"}',
                PNG_PART,
            ),
        ),
    ),
    "an image in the result of a deprecated call, where other results hold images": (
        "llamacpp",
        _chat(_deprecated("llamacpp"), answer("a", "x", wg.ImageBlock(data=PNG))),
        _body(
            '{"role":"assistant","content":null,"function_call":{"name":"f","arguments":"{}"}}',
            '{"role":"function","name":"f","content":"x\\nSee file f-1."}',
            _said('{"type":"text","text":"This is file f-1:"}', PNG_PART),
        ),
    ),
    "a deprecated call of another dialect is one of a tool": (
        "groq",
        _chat(_deprecated("openai"), answer("a", "x")),
        _body(_called("a"), _answered("a", '"x"')),
    ),
    "texts of which one has a breakpoint, and a part of this API, in a result": (
        "openrouter",
        _chat(
            assistant(call("a")),
            answer(
                "a",
                "x",
                text("y", cache=wg.CacheMark()),
                wg.OpaqueBlock(chat.API, {"type": "text", "text": "z"}),
            ),
        ),
        _body(
            _called("a"),
            _answered(
                "a",
                f'[{X},{{"type":"text","text":"y","cache_control":{{"type":"ephemeral"}}}},'
                '{"type":"text","text":"z"}]',
            ),
        ),
    ),
    "an image in a result stays where the dialect takes it": (
        "groq",
        _chat(assistant(call("a")), answer("a", wg.ImageBlock(data=PNG))),
        _body(_called("a"), _answered("a", f"[{PNG_PART}]")),
    ),
    "a custom tool's call": (
        "openai",
        _chat(assistant(call("a", "1 + 1", tool_type="custom")), answer("a", "2")),
        _body(
            '{"role":"assistant","content":null,"tool_calls":'
            '[{"id":"a","type":"custom","custom":{"name":"f","input":"1 + 1"}}]}',
            _answered("a", '"2"'),
        ),
    ),
}

THOUGHT = wg.ThinkingBlock("so")
SIGNED = wg.ThinkingBlock("so", "sig")

THINKING = {
    "thinking goes back to DeepSeek, whoever thought it": (
        "deepseek",
        _chat(assistant(SIGNED, "x", api="anthropic-messages"), user("hi")),
        _body('{"role":"assistant","content":"x","reasoning_content":"so"}', HI),
    ),
    "a call without thinking has an empty one at DeepSeek": (
        "deepseek",
        _chat(assistant(call("a")), answer("a")),
        _body(
            '{"role":"assistant","content":null,"reasoning_content":"","tool_calls":'
            '[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]}',
            _answered("a"),
        ),
    ),
    "a call without thinking has none at DeepSeek when thinking is off": (
        "deepseek",
        _chat(assistant(call("a")), answer("a"), thinking=wg.Thinking(wg.ThinkingLevel.OFF)),
        _body(_called("a"), _answered("a"), head='"thinking":{"type":"disabled"}'),
    ),
    "thoughts are joined by a blank line": (
        "vllm",
        _chat(assistant(THOUGHT, "x", THOUGHT), user("hi")),
        _body('{"role":"assistant","content":"x","reasoning":"so\\n\\nso"}', HI),
    ),
    "thinking alone has empty text": (
        "groq",
        _chat(assistant(THOUGHT), user("hi")),
        _body('{"role":"assistant","content":"","reasoning":"so"}', HI),
    ),
    "a signature of its own goes back to OpenRouter": (
        "openrouter",
        _chat(
            assistant(SIGNED, wg.ThinkingBlock("", "blob", redacted=True), "x", api=chat.API),
            user("hi"),
        ),
        _body(
            '{"role":"assistant","content":"x","reasoning_details":['
            '{"type":"reasoning.text","text":"so","signature":"sig"},'
            '{"type":"reasoning.encrypted","data":"blob"}]}',
            HI,
        ),
    ),
    "a signature goes back to OpenRouter where the message names it alone": (
        "openrouter",
        _chat(assistant(SIGNED, "x", api=None, provider="openrouter"), user("hi")),
        _body(
            '{"role":"assistant","content":"x","reasoning_details":['
            '{"type":"reasoning.text","text":"so","signature":"sig"}]}',
            HI,
        ),
    ),
    "a signature of another API does not go to OpenRouter": (
        "openrouter",
        _chat(assistant(SIGNED, "x", api="anthropic-messages"), user("hi")),
        _body('{"role":"assistant","content":"x","reasoning":"so"}', HI),
    ),
}

LEVEL = wg.ThinkingLevel
EFFORTS = {
    "OpenAI's effort": ("openai", wg.Thinking(LEVEL.XHIGH), '"reasoning_effort":"xhigh"'),
    "no effort of OpenAI's": ("openai", wg.Thinking(LEVEL.OFF), '"reasoning_effort":"none"'),
    "DeepSeek's effort and switch": (
        "deepseek",
        wg.Thinking(LEVEL.HIGH),
        '"reasoning_effort":"high","thinking":{"type":"enabled"}',
    ),
    "OpenRouter's effort, hidden": (
        "openrouter",
        wg.Thinking(LEVEL.LOW, visible=False),
        '"reasoning":{"effort":"low","exclude":true}',
    ),
    "OpenRouter's budget": (
        "openrouter",
        wg.Thinking(budget_tokens=2000),
        '"reasoning":{"max_tokens":2000}',
    ),
    "OpenRouter's switch": ("openrouter", wg.Thinking(), '"reasoning":{"enabled":true}'),
    "no effort of OpenRouter's": (
        "openrouter",
        wg.Thinking(LEVEL.OFF),
        '"reasoning":{"effort":"none"}',
    ),
    "Groq's format": (
        "groq",
        wg.Thinking(LEVEL.LOW, visible=True),
        '"reasoning_effort":"low","reasoning_format":"parsed"',
    ),
    "Qwen's budget": (
        "qwen",
        wg.Thinking(budget_tokens=9),
        '"enable_thinking":true,"thinking_budget":9',
    ),
    "Qwen's switch": ("qwen", wg.Thinking(LEVEL.OFF), '"enable_thinking":false'),
    "vLLM's switch": (
        "vllm",
        wg.Thinking(LEVEL.OFF),
        '"chat_template_kwargs":{"enable_thinking":false}',
    ),
    "vLLM's budget and switch": (
        "vllm",
        wg.Thinking(budget_tokens=9),
        '"thinking_token_budget":9,"chat_template_kwargs":{"enable_thinking":true}',
    ),
    "Z.AI's switch": ("zai", wg.Thinking(), '"thinking":{"type":"enabled"}'),
    "Ollama's effort": ("ollama", wg.Thinking(LEVEL.MEDIUM), '"reasoning_effort":"medium"'),
}

SCHEMA = '{"type": "object", "properties": {"x": {"type": "number"}}}'
FIELDS: dict[str, tuple[str, dict[str, Any], str]] = {
    "sampling": (
        "openai",
        {
            "temperature": 0.5,
            "top_p": 0.9,
            "frequency_penalty": 0.1,
            "presence_penalty": -0.1,
            "seed": 2**62,
            "stop": ["a", "b"],
            "candidates": 2,
            "logprobs": True,
            "top_logprobs": 3,
        },
        '"n":2,"temperature":0.5,"top_p":0.9,"frequency_penalty":0.1,"presence_penalty":-0.1,'
        '"seed":4611686018427387904,"stop":["a","b"],"logprobs":true,"top_logprobs":3',
    ),
    "a limit at OpenAI": ("openai", {"max_tokens": 8}, '"max_completion_tokens":8'),
    "a limit at DeepSeek": ("deepseek", {"max_tokens": 8}, '"max_tokens":8'),
    "a top_k at vLLM": ("vllm", {"top_k": 8}, '"top_k":8'),
    "a stream ends with its usage": (
        "openai",
        {"stream": True},
        '"stream":true,"stream_options":{"include_usage":true}',
    ),
    "a stream at Z.AI": ("zai", {"stream": True}, '"stream":true'),
    "a user at OpenAI": ("openai", {"user_id": "u"}, '"safety_identifier":"u"'),
    "a user at Azure": ("azure", {"user_id": "u"}, '"user":"u"'),
    "a user at DeepSeek": ("deepseek", {"user_id": "u"}, '"user_id":"u"'),
    "a service tier": ("openai", {"service_tier": "flex"}, '"service_tier":"flex"'),
    "metadata with store": (
        "openai",
        {"metadata": {"a": "b"}, "extras": extras(chat.API, store=True)},
        '"store":true,"metadata":{"a":"b"}',
    ),
    "metadata at OpenRouter": ("openrouter", {"metadata": {"a": "b"}}, '"metadata":{"a":"b"}'),
    "JSON": (
        "openai",
        {"response_format": wg.ResponseFormat("json")},
        '"response_format":{"type":"json_object"}',
    ),
    "text": (
        "openai",
        {"response_format": wg.ResponseFormat("text")},
        '"response_format":{"type":"text"}',
    ),
    "a schema, which needs a name": (
        "openai",
        {
            "response_format": wg.ResponseFormat(
                "json_schema", wg.RawJson(SCHEMA), description="d", strict=True
            )
        },
        '"response_format":{"type":"json_schema","json_schema":'
        f'{{"name":"response","description":"d","schema":{SCHEMA},"strict":true}}}}',
    ),
    "a tool, its schema byte for byte": (
        "openai",
        {"tools": [wg.Tool("f", "d", wg.RawJson(SCHEMA), True)]},
        '"tools":[{"type":"function","function":'
        f'{{"name":"f","description":"d","parameters":{SCHEMA},"strict":true}}}}]',
    ),
    "an empty schema is that of an object": (
        "openai",
        {"tools": [wg.Tool("f", parameters=wg.RawJson("{}"))]},
        '"tools":[{"type":"function","function":'
        '{"name":"f","parameters":{"type":"object","properties":{}}}}]',
    ),
    "an object's schema gets properties": (
        "openai",
        {"tools": [wg.Tool("f", parameters=wg.RawJson('{"type":"object"}'))]},
        '"tools":[{"type":"function","function":'
        '{"name":"f","parameters":{"properties":{},"type":"object"}}}]',
    ),
    "a custom tool, which has no kind": (
        "openai",
        {"tools": [TOOL, wg.OpaqueBlock(chat.API, {"type": "custom", "custom": {"name": "g"}})]},
        '"tools":[{"type":"function","function":{"name":"f"}},'
        '{"type":"custom","custom":{"name":"g"}}]',
    ),
    "a tool with a breakpoint at OpenRouter": (
        "openrouter",
        {"tools": [wg.Tool("f", cache=wg.CacheMark())]},
        '"tools":[{"type":"function","function":{"name":"f"},'
        '"cache_control":{"type":"ephemeral"}}]',
    ),
    "a forced tool, one call at a time": (
        "openai",
        {
            "tools": [TOOL],
            "tool_choice": wg.ToolChoice("tool", "f"),
            "parallel_tool_calls": False,
        },
        '"tool_choice":{"type":"function","function":{"name":"f"}},"parallel_tool_calls":false,'
        + TOOLS,
    ),
    "any call": (
        "openai",
        {"tools": [TOOL], "tool_choice": wg.ToolChoice("required")},
        f'"tool_choice":"required",{TOOLS}',
    ),
    "some of the tools": (
        "openai",
        {"tools": [TOOL], "tool_choice": wg.ToolChoice("auto", allowed=["f"])},
        '"tool_choice":{"type":"allowed_tools","allowed_tools":{"mode":"auto",'
        f'"tools":[{{"type":"function","function":{{"name":"f"}}}}]}}}},{TOOLS}',
    ),
    "the only tool by force, where none can be named": (
        "llamacpp",
        {"tools": [TOOL], "tool_choice": wg.ToolChoice("tool", "f")},
        f'"tool_choice":"required",{TOOLS}',
    ),
    "a choice without tools that forces nothing": (
        "openai",
        {"tool_choice": wg.ToolChoice("auto"), "parallel_tool_calls": True},
        "",
    ),
    "caching at OpenAI, which caches by itself": ("openai", {"cache": wg.CacheConfig()}, ""),
    "unknown keys of this API": (
        "openai",
        {"extras": extras(chat.API, verbosity="low")},
        '"verbosity":"low"',
    ),
}

MARKED_TOOLS = (
    '"cache_control":{"type":"ephemeral","ttl":"1h"},"tools":[{"type":"function",'
    '"function":{"name":"f"},"cache_control":{"type":"ephemeral"}}]'
)
CACHED = _body(
    '{"role":"system","content":[{"type":"text","text":"x",'
    '"cache_control":{"type":"ephemeral","ttl":"1h"}}]}',
    HI,
    head='"cache_control":{"type":"ephemeral","ttl":"1h"},"tools":[{"type":"function",'
    '"function":{"name":"f"},"cache_control":{"type":"ephemeral","ttl":"1h"}}]',
)


def _with_head(head: str) -> bytes:
    if head.startswith('"store"') or head.startswith('"verbosity"'):
        unknown, _, known = head.partition(',"metadata"')
        known = f',"metadata"{known}' if known else ""
        return f'{{{unknown},"model":"m"{known},"messages":[{HI}]}}'.encode()
    return _body(HI, head=head)


CASES = {
    **MESSAGES,
    **CALLS,
    **THINKING,
    **{
        what: (dialect, _chat(user("hi"), thinking=asked), _body(HI, head=head))
        for what, (dialect, asked, head) in EFFORTS.items()
    },
    **{
        what: (dialect, wg.Request([user("hi")], model="m", **fields), _with_head(head))
        for what, (dialect, fields, head) in FIELDS.items()
    },
    "caching at OpenRouter": (
        "openrouter",
        _chat(system("x"), user("hi"), tools=[TOOL], cache=wg.CacheConfig(ttl="1h")),
        CACHED,
    ),
    "caching at OpenRouter, where tools and prompt have breakpoints of their own": (
        "openrouter",
        _chat(
            system(text("x", cache=wg.CacheMark())),
            user("hi"),
            tools=[wg.Tool("f", cache=wg.CacheMark())],
            cache=wg.CacheConfig(ttl="1h"),
        ),
        _body(
            '{"role":"system","content":[{"type":"text","text":"x",'
            '"cache_control":{"type":"ephemeral"}}]}',
            HI,
            head=MARKED_TOOLS,
        ),
    ),
    "no model at Azure, whose URL has it": (
        "azure",
        wg.Request([user("hi")]),
        b'{"messages":[' + HI.encode() + b"]}",
    ),
}


@pytest.mark.parametrize(("dialect", "asked", "expected"), CASES.values(), ids=CASES)
def test_a_request(dialect: str, asked: wg.Request, expected: bytes) -> None:
    body = chat.encode_request(asked, dialect=dialect)
    assert body == expected
    oracle.check_request(body, dialect)


def test_every_case_has_its_own_name() -> None:
    tables = (MESSAGES, CALLS, THINKING, EFFORTS, FIELDS)
    assert len(CASES) == sum(map(len, tables)) + 3


CONTRADICTIONS = {
    "no model": (
        wg.Request([user("hi")]),
        "no model, expected its name; pass `model` - at `$.model`",
    ),
    "no message": (_chat(), "no message with content, expected at least one - at `$.messages`"),
    "two tools of one name": (
        _chat(user("hi"), tools=[TOOL, TOOL]),
        "two tools named `f`, expected one - at `$.tools[0]`",
    ),
    "a choice of a tool without a name": (
        _chat(user("hi"), tools=[TOOL], tool_choice=wg.ToolChoice("tool")),
        "tool choice of mode `tool` without a name, expected one - at `$.toolChoice`",
    ),
    "a choice of a tool that is not there": (
        _chat(user("hi"), tools=[TOOL], tool_choice=wg.ToolChoice("tool", "g")),
        "tool choice `g`, expected the name of a tool of the request - at `$.toolChoice.name`",
    ),
    "parameters that are an array": (
        _chat(user("hi"), tools=[wg.Tool("f", parameters=wg.RawJson('{"type":"array"}'))]),
        (
            "tool parameters of another type, expected the JSON Schema of an object"
            " - at `$.tools[0].parameters`"
        ),
    ),
    "a temperature that is no number": (
        _chat(user("hi"), temperature=float("nan")),
        "`nan`, expected a finite number - at `$.temperature`",
    ),
    "a call without a result": (
        _chat(assistant(call("a"))),
        "tool call `a` has no result; add one, or pass repair=True - at `$.messages[0].content[0]`",
    ),
    "a result without a call": (
        _chat(answer("a")),
        "tool result `a` has no call before it; add one, or pass repair=True - at `$.messages[0]`",
    ),
    "an opaque block that is not an object": (
        _chat(user(wg.OpaqueBlock(chat.API, "x"))),
        (
            "opaque block that is not an object, expected a JSON object"
            " - at `$.messages[0].content[0]`"
        ),
    ),
    "half of a surrogate pair": (
        _chat(user("\ud83d")),
        (
            "lone surrogate: half a character is not Unicode text;"
            " U+FFFD takes its place; pass a list as `losses`, and read it"
            " - at `$.messages[0].content[0].text`"
        ),
    ),
}


@pytest.mark.parametrize(("asked", "reason"), CONTRADICTIONS.values(), ids=CONTRADICTIONS)
def test_a_request_that_contradicts_itself(asked: wg.Request, reason: str) -> None:
    with pytest.raises(wg.EncodeError) as caught:
        chat.encode_request(asked)
    assert str(caught.value) == f"openai_chat: {reason}"


def test_a_dialect_that_nobody_speaks() -> None:
    said = r"openai_chat: unknown dialect `klingon`, expected one of `openai`, "
    with pytest.raises(wg.EncodeError, match=said):
        chat.encode_request(_chat(user("hi")), dialect="klingon")
    with pytest.raises(wg.EncodeError, match=said):
        chat.decode_request(_body(HI), dialect="klingon")
    with pytest.raises(wg.EncodeError, match=said):
        chat.route(_chat(user("hi")), dialect="klingon")


ROUTES = {
    "openai": "/v1/chat/completions",
    "azure": "/openai/v1/chat/completions",
    "openrouter": "/api/v1/chat/completions",
    "deepseek": "/chat/completions",
    "groq": "/openai/v1/chat/completions",
}


@pytest.mark.parametrize(("dialect", "path"), ROUTES.items(), ids=ROUTES)
def test_a_route(dialect: str, path: str) -> None:
    route = chat.route(_chat(user("hi")), dialect=dialect)
    key = ("api-key", "") if dialect == "azure" else ("authorization", "Bearer ")
    assert route == wg.providers.Route("POST", path, {}, key)


def test_orphans_and_open_calls_are_closed_on_request() -> None:
    body = chat.encode_request(
        _chat(answer("a", "x"), assistant(call("b"))), losses=[], repair=True
    )
    assert body == _body(
        '{"role":"user","content":[{"type":"text","text":"A result without its call (a):"},'
        '{"type":"text","text":"x"}]}',
        _called("b"),
        _answered("b", '"No result was recorded for this call."'),
    )
    oracle.check_request(body)


GROWING = {
    "plain": ("openai", lambda i: user("hi")),
    "with breakpoints": ("openrouter", lambda i: user(text("hi", cache=wg.CacheMark()))),
    "with breakpoints that are not counted": (
        "openai",
        lambda i: user(text("hi", cache=wg.CacheMark())),
    ),
}


@pytest.mark.parametrize(("dialect", "said"), GROWING.values(), ids=GROWING)
def test_a_transcript_gives_the_same_bytes_and_losses(dialect: str, said: Any) -> None:
    transcript = chat.Transcript(dialect=dialect)
    messages: list[wg.Message] = []
    for i in range(6):
        for message in (
            said(i),
            assistant("x", call("a")),
            answer("a", wg.ImageBlock(data=PNG)),
            assistant("y"),
        ):
            transcript.append(message)
            messages.append(message)
        losses: list[wg.Loss] = []
        expected: list[wg.Loss] = []
        body = transcript.encode(losses=losses, model="m")
        assert body == chat.encode_request(_chat(*messages), losses=expected, dialect=dialect)
        assert losses == expected
