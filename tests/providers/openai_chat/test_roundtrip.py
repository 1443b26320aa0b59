"""Literal bodies, with all the oddities that clients send, come back as they were."""

import json

import pytest

import wireglot as wg

chat = wg.providers.openai_chat
HI = '{"role":"user","content":"hi"}'
PNG = '{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw0KGgo="}}'
CALL = '{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}'
CALLED = f'{{"role":"assistant","content":null,"tool_calls":[{CALL}]}}'
RESULT = '{"role":"tool","tool_call_id":"a","content":"x"}'
TOOLS = '"tools":[{"type":"function","function":{"name":"f"}}]'


def _said(*parts: str) -> str:
    return f'{{"role":"user","content":[{",".join(parts)}]}}'


def _answered(more: str) -> str:
    return f'{{"role":"assistant","content":"x",{more}}}'


THOUGHT = _answered('"reasoning":"so"')

# what -> the dialects that it is read and written in, the keys before the messages, the messages
BODIES: dict[str, tuple[str, str, list[str]]] = {
    "blank texts and blank messages": (
        "openai generic",
        "",
        ['{"role":"system","content":""}', '{"role":"user","content":" "}', HI, HI],
    ),
    "the developer": ("openai groq ollama", "", ['{"role":"developer","content":"x"}', HI]),
    "a late system message with a name": (
        "openai",
        "",
        [HI, '{"role":"system","content":"x","name":"s"}'],
    ),
    "empty text beside a call": (
        "openai deepseek",
        '"thinking":{"type":"disabled"},',
        [CALLED.replace("null", '""'), RESULT],
    ),
    "a call with an index, a result with a name": (
        "openai openrouter",
        "",
        [
            CALLED.replace('"type"', '"index":0,"type"'),
            RESULT.replace('"x"', '"x","name":"f"'),
        ],
    ),
    "a call of a kind that one service has": (
        "generic",
        "",
        [CALLED.replace('"type":"function"', '"type":"builtin_function"'), RESULT],
    ),
    "arguments that are empty, broken, spaced": (
        "openai vllm",
        "",
        [
            CALLED.replace('"{}"', '""'),
            RESULT,
            CALLED.replace('"{}"', '"{\\"x\\": 1e2, "'),
            RESULT,
            CALLED.replace('"{}"', '"\\u007b\\/}"'),
            RESULT,
        ],
    ),
    "big integers and odd numbers of unknown keys": (
        "openai",
        '"x_big":123456789012345678901234567890,"x_float":1e2,',
        [HI],
    ),
    "a custom tool and its call": (
        "openai",
        '"tool_choice":{"type":"custom","custom":{"name":"g"}},'
        '"tools":[{"type":"custom","custom":{"name":"g","format":{"type":"text"}}}],',
        [
            '{"role":"assistant","content":null,"tool_calls":'
            '[{"id":"a","type":"custom","custom":{"name":"g","input":"1 + 1"}}]}',
            RESULT,
        ],
    ),
    "the deprecated functions": (
        "openai",
        '"function_call":{"name":"f"},"functions":[{"name":"f","parameters":'
        '{"type":"object","properties":{}}}],',
        [
            HI,
            '{"role":"assistant","content":null,"function_call":{"name":"f","arguments":"{}"}}',
            '{"role":"function","name":"f","content":"x"}',
        ],
    ),
    "a refusal, as a key and as a part": (
        "openai openrouter generic",
        "",
        [
            '{"role":"assistant","content":null,"refusal":"no"}',
            '{"role":"assistant","content":[{"type":"refusal","refusal":"no"}]}',
            HI,
        ],
    ),
    "an answer that was spoken": (
        "openai groq generic",
        "",
        ['{"role":"assistant","content":null,"audio":{"id":"audio_1"}}', HI],
    ),
    "an echo of annotations": (
        "openai azure",
        "",
        [
            _answered('"annotations":[]'),
            _answered(
                '"annotations":[{"type":"url_citation","url_citation":{"url":"u","title":"t",'
                '"start_index":0,"end_index":1}}]'
            ),
            HI,
        ],
    ),
    "thinking in each place, whichever the dialect's own": (
        "openai deepseek vllm openrouter generic",
        "",
        [
            _answered('"reasoning_content":"so"'),
            THOUGHT,
            _answered('"reasoning":"so","reasoning_content":"so"'),
            _answered('"reasoning":"so","reasoning_content":"thus"'),
            _answered('"reasoning_content":""'),
            _answered('"reasoning":"so","reasoning_signature":"s"'),
        ],
    ),
    "reasoning details, unmodified": (
        "openrouter openai",
        "",
        [
            _answered(
                '"reasoning":"so","reasoning_details":['
                '{"type":"reasoning.text","text":"so","format":"anthropic-claude-v1","index":0},'
                '{"type":"reasoning.text","signature":"s","format":"anthropic-claude-v1",'
                '"index":0},'
                '{"type":"reasoning.summary","summary":"also","id":"rs_1","index":1},'
                '{"type":"reasoning.encrypted","data":"blob","id":"rs_1","index":1},'
                '{"type":"reasoning.server_tool_call","arguments":"{}","result":"","x":1}]'
            ),
            _answered('"reasoning_details":[{"type":"reasoning.encrypted","data":"blob","x":1}]'),
            HI,
        ],
    ),
    "media of each kind, where they are taken and where not": (
        "openrouter openai deepseek llamacpp",
        "",
        [
            _said(
                PNG,
                '{"type":"image_url","image_url":{"url":"https://x.org/a","detail":"high"}}',
                '{"type":"image_url","image_url":{"url":"data:image/bmp;base64,AAAA"}}',
                '{"type":"image_url","image_url":{"url":"iVBORw0KGgo="}}',
                '{"type":"video_url","video_url":{"url":"data:video/mp4;base64,AAAA"}}',
                '{"type":"input_audio","input_audio":{"data":"AAAA","format":"wav"}}',
                '{"type":"input_audio","input_audio":{"data":"AAAA","format":"flac"}}',
                '{"type":"file","file":{"filename":"a.pdf","file_data":'
                '"data:application/pdf;base64,AAAA"}}',
                '{"type":"file","file":{"filename":"a.txt","file_data":'
                '"data:text/plain;base64,aGk="}}',
                '{"type":"file","file":{"filename":"a","file_data":"https://x.org/a"}}',
                '{"type":"file","file":{"file_id":"f"}}',
                '{"type":"file","file":{"filename":"a.pdf","file_id":"f"}}',
                '{"type":"file","file":{"file_data":"AAAA"}}',
                '{"type":"file_url","file_url":{"url":"AAAA"}}',
            )
        ],
    ),
    "an image in a result and in an answer": (
        "openrouter openai generic",
        '"thinking":{"type":"disabled"},',
        [
            CALLED,
            RESULT.replace('"x"', f"[{PNG}]"),
            '{"role":"assistant","content":[{"type":"text","text":"x"},' + PNG + "]}",
            HI,
        ],
    ),
    "breakpoints in both words, and their times": (
        "openrouter openai groq",
        "",
        [
            _said(
                '{"type":"text","text":"x","cache_control":{"type":"ephemeral","ttl":"1h"}}',
                '{"type":"text","text":"x","prompt_cache_breakpoint":'
                '{"mode":"explicit","ttl":"12h"}}',
                '{"type":"text","text":"x","prompt_cache_breakpoint":{"mode":"another"}}',
                '{"type":"text","text":"x","prompt_cache_breakpoint":{"mode":"explicit"},'
                '"cache_control":{"type":"ephemeral"}}',
                '{"type":"text","text":"x","cache_control":{"type":"ephemeral","ttl":"9h"}}',
            )
        ],
    ),
    "a tool with a breakpoint and unknown keys": (
        "openrouter openai",
        '"tools":[{"type":"function","function":{"name":"f","x":1},'
        '"cache_control":{"type":"ephemeral"},"eager_input_streaming":true},'
        '{"type":"openrouter:web_search","parameters":{"max_uses":1}}],',
        [HI],
    ),
    "unknown keys everywhere": (
        "openai",
        '"provider":{"order":["x"]},"stream_options":{"x":1},"response_format":'
        '{"type":"json_schema","json_schema":{"name":"n","x":1}},"stream":true,',
        [
            '{"role":"user","x":1,"content":[{"type":"text","text":"x","x":2},'
            '{"type":"image_url","image_url":{"url":"https://x.org/a","x":3}}]}',
            CALLED.replace('"name"', '"x":4,"name"').replace('"id"', '"x":5,"id"'),
            RESULT.replace('"x"', '"x","x":6'),
            _answered('"audio":{"id":"audio_1","x":7}'),
        ],
    ),
}

HEADS = {
    "the old limit": '"max_tokens":8,',
    "both limits": '"max_tokens":8,"max_completion_tokens":9,',
    "all that names a user": '"user":"u","safety_identifier":"v","user_id":"w",',
    "a stop that is a string": '"stop":"x",',
    "a stop of five": '"stop":["a","b","c","d","e"],',
    "whole numbers": '"temperature":1,"top_p":1,',
    "numbers out of range": '"temperature":9,"top_logprobs":99,',
    "a stream without options": '"stream":true,',
    "a stream with all options": '"stream":true,"stream_options":'
    '{"include_usage":false,"include_obfuscation":false},',
    "no stream": '"stream":false,',
    "a choice without tools": '"tool_choice":"none","parallel_tool_calls":true,',
    "a choice that some servers know": f'"tool_choice":"any",{TOOLS},',
    "a choice without its type": f'"tool_choice":{{"function":{{"name":"f"}}}},{TOOLS},',
    "a choice of some": f'"tool_choice":{{"type":"allowed_tools","allowed_tools":{{"mode":"auto",'
    f'"tools":[{{"type":"function","function":{{"name":"f"}}}}]}}}},{TOOLS},',
    "a choice of no meaning": f'"tool_choice":{{"type":"odd"}},{TOOLS},',
    "an effort with a switch": '"reasoning_effort":"low","thinking":{"type":"enabled"},',
    "an effort with a switch that is off": '"reasoning_effort":"low",'
    '"thinking":{"type":"disabled"},',
    "an effort of no meaning": '"reasoning_effort":"vast",',
    "Groq's effort and format": '"reasoning_effort":"default","reasoning_format":"raw",',
    "OpenRouter's reasoning": '"reasoning":{"effort":"high","exclude":true},',
    "OpenRouter's reasoning, on": '"reasoning":{"effort":"medium","enabled":true},',
    "OpenRouter's budget": '"reasoning":{"max_tokens":1024},',
    "OpenRouter's caching": '"cache_control":{"type":"ephemeral","ttl":"1h"},',
    "OpenRouter's caching, for long": '"cache_control":{"type":"ephemeral","ttl":"9h"},',
    "Z.AI's thinking": '"thinking":{"type":"enabled","clear_thinking":false},',
    "Z.AI's thinking, of which little is said": '"thinking":{"clear_thinking":false},',
    "a kind of thinking that nobody knows": '"thinking":{"type":"odd"},',
    "Qwen's thinking": '"enable_thinking":true,"thinking_budget":9,"top_k":3,',
    "vLLM's thinking": '"chat_template_kwargs":{"enable_thinking":false,"x":1},',
    "vLLM's budget": '"thinking_token_budget":9,',
    "llama.cpp's budget": '"thinking_budget_tokens":9,',
    "a schema for the answer": '"response_format":{"type":"json_schema","json_schema":'
    '{"name":"n","schema":{"type":"object"},"strict":true}},',
    "a format that some servers know": '"response_format":{"type":"grammar","grammar":"x"},',
    "metadata without store": '"metadata":{"a":"b","n":1},',
    "a tier of another service": '"service_tier":"on_demand",',
    "logprobs without logprobs": '"top_logprobs":5,',
    "a choice of a tool that there is not": (
        '"tools":[{"type":"function","function":{"name":"g","parameters":{"type":"object",'
        '"properties":{}}}}],"tool_choice":{"type":"function","function":{"name":"f"}},'
    ),
}
CASES = {
    **{
        f"{what} ({dialect})": (dialect, head, messages)
        for what, (dialects, head, messages) in BODIES.items()
        for dialect in dialects.split()
    },
    **{
        f"{what} ({dialect})": (dialect, head, [HI])
        for what, head in HEADS.items()
        for dialect in ("openai", "openrouter", "deepseek", "zai")
    },
}


@pytest.mark.parametrize(("dialect", "head", "messages"), CASES.values(), ids=CASES)
def test_a_body_comes_back(dialect: str, head: str, messages: list[str]) -> None:
    body = f'{{"model":"m",{head}"messages":[{",".join(messages)}]}}'
    read = chat.decode_request(body, dialect=dialect)
    again = chat.encode_request(read, dialect=dialect)
    assert json.loads(again) == json.loads(body)
    assert (
        chat.encode_request(chat.decode_request(again, dialect=dialect), dialect=dialect) == again
    )


def test_the_native_wire_keeps_all_that_a_body_needs_to_come_back() -> None:
    dialect, head, messages = CASES["reasoning details, unmodified (openrouter)"]
    body = f'{{"model":"m",{head}"messages":[{",".join(messages)}]}}'
    native = wg.json.encode(chat.decode_request(body, dialect=dialect))
    read = wg.json.decode(native, type=wg.Request)
    assert json.loads(chat.encode_request(read, dialect=dialect)) == json.loads(body)


NORMALIZED = {
    "a list of one text is a string": (
        _said('{"type":"text","text":"hi"}'),
        HI,
    ),
    "a null is no key": ('{"role":"user","content":"hi","name":null}', HI),
    "an answer with calls alone has content that is null": (
        f'{{"role":"assistant","tool_calls":[{CALL}]}},{RESULT}',
        f"{CALLED},{RESULT}",
    ),
    "base64 keeps its escapes": (
        _said(PNG.replace("image/png", "image\\/png").replace("iVBO", "iV\\u0042O")),
        _said(PNG.replace("iVBO", "iV\\u0042O")),
    ),
}


@pytest.mark.parametrize(("given", "expected"), NORMALIZED.values(), ids=NORMALIZED)
def test_a_normalization(given: str, expected: str) -> None:
    body = chat.encode_request(chat.decode_request(f'{{"model":"m","messages":[{given}]}}'))
    assert json.loads(body) == json.loads(f'{{"model":"m","messages":[{expected}]}}')


CHANGED: dict[str, tuple[str, str, dict[str, object], str]] = {
    "a limit that was changed is no longer spelled the old way": (
        "openai",
        '"max_tokens":8,',
        {"max_tokens": 9},
        '"max_completion_tokens":9,',
    ),
    "the old limit is not one that a model which thinks takes": (
        "openai",
        '"max_tokens":8,',
        {"model": "gpt-5-mini"},
        '"max_completion_tokens":8,',
    ),
    "what else is spelled its own way stays so": (
        "openai",
        '"max_tokens":8,"tool_choice":{"function":{"name":"f"}},'
        '"tools":[{"type":"function","function":{"name":"f"}}],',
        {"model": "o3"},
        '"max_completion_tokens":8,"tool_choice":{"function":{"name":"f"}},'
        '"tools":[{"type":"function","function":{"name":"f"}}],',
    ),
    "an older model takes the old limit": (
        "openai",
        '"max_tokens":8,',
        {"model": "gpt-4o"},
        '"max_tokens":8,',
    ),
    "a spelling is not taken to another dialect": (
        "deepseek",
        '"max_completion_tokens":8,',
        {},
        '"max_tokens":8,',
    ),
}


@pytest.mark.parametrize(("target", "head", "changes", "expected"), CHANGED.values(), ids=CHANGED)
def test_a_spelling_that_no_longer_holds(
    target: str, head: str, changes: dict[str, object], expected: str
) -> None:
    read = chat.decode_request(f'{{"model":"m",{head}"messages":[{HI}]}}')
    for name, value in changes.items():
        setattr(read, name, value)
    body = chat.encode_request(read, dialect=target)
    model = changes.get("model", "m")
    assert json.loads(body) == json.loads(f'{{"model":"{model}",{expected}"messages":[{HI}]}}')


def test_a_thought_goes_from_one_dialect_to_another() -> None:
    body = f'{{"model":"m","messages":[{THOUGHT},{HI}]}}'
    read = chat.decode_request(body, dialect="openrouter")
    assert json.loads(chat.encode_request(read, dialect="deepseek"))["messages"][0] == {
        "role": "assistant",
        "content": "x",
        "reasoning_content": "so",
    }


def test_a_breakpoint_is_not_taken_to_a_dialect_without() -> None:
    part = '{"type":"text","text":"hi","cache_control":{"type":"ephemeral"}}'
    read = chat.decode_request(f'{{"model":"m","messages":[{_said(part)}]}}')
    losses: list[wg.Loss] = []
    body = chat.encode_request(read, losses=losses, dialect="groq")
    assert body == f'{{"model":"m","messages":[{HI}]}}'.encode()
    assert [loss.what for loss in losses] == ["cache mark"]
