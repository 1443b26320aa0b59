"""Request -> the body of Anthropic's wire: parameters, tools, cache, and whole golden requests."""

import json
from pathlib import Path
from typing import Any

import pytest

import wireglot as wg
from tests.providers.anthropic.wire import HI, body, check_request
from tests.providers.conversation import (
    API,
    OTHER,
    answer,
    assistant,
    batch,
    call,
    extras,
    own,
    request,
    result,
    system,
    text,
    user,
)

GOLDEN = Path(__file__).parents[2] / "golden" / "anthropic"
MARK = wg.CacheMark()
SEARCH = wg.OpaqueBlock(
    API, wg.RawJson('{"type":"web_search_20250305", "name":"web_search","max_uses":5}')
)
LEVEL = wg.ThinkingLevel
CLOSED = '{"type": "object", "additionalProperties": false}'


@pytest.mark.parametrize("case", sorted(path.name[:-8] for path in GOLDEN.glob("*.in.json")))
def test_golden(case: str) -> None:
    given = wg.json.decode((GOLDEN / f"{case}.in.json").read_bytes(), type=wg.Request)
    expected = (GOLDEN / f"{case}.out.json").read_bytes().removesuffix(b"\n")
    check_request(expected)
    assert wg.providers.anthropic.encode_request(given) == expected


def _cache(*, tools: bool = False, prompt: bool = False, messages: bool = False) -> wg.CacheConfig:
    return wg.CacheConfig(
        strategy=wg.model.ManualCache(
            wg.model.CacheSections(cache_tools=tools, cache_system=prompt, cache_messages=messages)
        )
    )


SAMPLING: dict[str, tuple[dict[str, Any], str]] = {
    "a limit is asked for where none is named": ({"max_tokens": None}, '"max_tokens":8192'),
    "a limit of zero, which only fills the cache": ({"max_tokens": 0}, '"max_tokens":0'),
    "every plain parameter": (
        {
            "stream": True,
            "service_tier": "standard_only",
            "user_id": "u",
            "temperature": 0.5,
            "top_p": 0.25,
            "top_k": 3,
            "stop": ["x", "y"],
        },
        '"max_tokens":8,"stream":true,"service_tier":"standard_only","metadata":{"user_id":"u"},'
        '"temperature":0.5,"top_p":0.25,"top_k":3,"stop_sequences":["x","y"]',
    ),
    "zeros are values": (
        {"temperature": 0.0, "top_p": 0.0, "top_k": 0, "user_id": ""},
        '"max_tokens":8,"metadata":{"user_id":""},"temperature":0.0,"top_p":0.0,"top_k":0',
    ),
    "what asks for nothing is not sent": (
        {
            "stop": [],
            "tools": [],
            "metadata": {},
            "logprobs": False,
            "top_logprobs": 0,
            "frequency_penalty": 0.0,
            "presence_penalty": 0.0,
            "parallel_tool_calls": True,
            "response_format": wg.ResponseFormat("text"),
            "cache": wg.CacheConfig(enabled=False),
        },
        '"max_tokens":8',
    ),
    "one candidate is what there is": ({"candidates": 1}, '"max_tokens":8'),
    "unknown keys of the native wire are not sent": (
        {"extras": extras("wireglot", key=1)},
        '"max_tokens":8',
    ),
}

THINKING: dict[str, tuple[dict[str, Any], str]] = {
    "thinking off": (
        {"thinking": wg.Thinking(LEVEL.OFF), "temperature": 0.5},
        '"max_tokens":8,"temperature":0.5,"thinking":{"type":"disabled"}',
    ),
    **{
        f"thinking level {level}": (
            {"thinking": wg.Thinking(level)},
            '"max_tokens":8,"thinking":{"type":"adaptive"},"output_config":{"effort":"' + word,
        )
        for level, word in (
            (LEVEL.LOW, 'low"}'),
            (LEVEL.MEDIUM, 'medium"}'),
            (LEVEL.HIGH, 'high"}'),
            (LEVEL.XHIGH, 'xhigh"}'),
            (LEVEL.MAX, 'max"}'),
        )
    },
    "thinking as much as the model likes": (
        {"thinking": wg.Thinking(), "temperature": 1},
        '"max_tokens":8,"temperature":1.0,"thinking":{"type":"adaptive"}',
    ),
    "thinking that is shown": (
        {"thinking": wg.Thinking(visible=True)},
        '"max_tokens":8,"thinking":{"type":"adaptive","display":"summarized"}',
    ),
    "thinking that is not shown, with a budget and an effort": (
        {"thinking": wg.Thinking(LEVEL.LOW, 1024, visible=False), "max_tokens": 1025},
        '"max_tokens":1025,"thinking":{"type":"enabled","budget_tokens":1024,'
        '"display":"omitted"},"output_config":{"effort":"low"}',
    ),
    "a budget comes on top of the limit that nobody named": (
        {"thinking": wg.Thinking(budget_tokens=2048), "max_tokens": None},
        '"max_tokens":10240,"thinking":{"type":"enabled","budget_tokens":2048}',
    ),
    "a level with a forced call": (
        {
            "thinking": wg.Thinking(LEVEL.LOW),
            "tools": [wg.Tool("f")],
            "tool_choice": wg.ToolChoice("required"),
        },
        '"max_tokens":8,"thinking":{"type":"adaptive"},"output_config":{"effort":"low"},'
        '"tools":[{"name":"f","input_schema":{"type":"object","properties":{}}}],'
        '"tool_choice":{"type":"any"}',
    ),
    "an answer in a schema, and the effort for it": (
        {
            "thinking": wg.Thinking(LEVEL.HIGH),
            "response_format": wg.ResponseFormat("json_schema", wg.RawJson(CLOSED)),
        },
        '"max_tokens":8,"thinking":{"type":"adaptive"},"output_config":{"effort":"high",'
        f'"format":{{"type":"json_schema","schema":{CLOSED}}}}}',
    ),
}

F = '{"name":"f","input_schema":{"type":"object","properties":{}}}'
TOOLS: dict[str, tuple[dict[str, Any], str]] = {
    "a tool without parameters": ({"tools": [wg.Tool("f")]}, f'"max_tokens":8,"tools":[{F}]'),
    "a tool with everything, its schema as it came": (
        {
            "tools": [
                wg.Tool(
                    "f-1_A",
                    "what it does",
                    wg.RawJson('{"type":"object", "x":1e2}'),
                    strict=False,
                    cache=wg.CacheMark("1h"),
                    extras=extras(defer_loading=False),
                )
            ]
        },
        '"max_tokens":8,"tools":[{"defer_loading":false,"name":"f-1_A",'
        '"input_schema":{"type":"object", "x":1e2},"description":"what it does","strict":false,'
        '"cache_control":{"type":"ephemeral","ttl":"1h"}}]',
    ),
    "a tool that this API runs, as it came": (
        {"tools": [SEARCH, wg.Tool("f")]},
        '"max_tokens":8,"tools":['
        f'{{"type":"web_search_20250305", "name":"web_search","max_uses":5}},{F}]',
    ),
    "a tool's name of 128 characters": (
        {"tools": [wg.Tool("f" * 128)]},
        f'"max_tokens":8,"tools":[{F.replace("f", "f" * 128, 1)}]',
    ),
    **{
        f"tool choice {name}": (
            {"tools": [wg.Tool("f")], "tool_choice": choice, "parallel_tool_calls": parallel},
            f'"max_tokens":8,"tools":[{F}],"tool_choice":{expected}',
        )
        for name, choice, parallel, expected in (
            ("auto", wg.ToolChoice(), None, '{"type":"auto"}'),
            ("required", wg.ToolChoice("required"), True, '{"type":"any"}'),
            ("none", wg.ToolChoice("none"), False, '{"type":"none"}'),
            ("tool", wg.ToolChoice("tool", "f"), None, '{"type":"tool","name":"f"}'),
            (
                "auto, one call at a time",
                wg.ToolChoice(),
                False,
                '{"type":"auto","disable_parallel_tool_use":true}',
            ),
            (
                "required, one call at a time",
                wg.ToolChoice("required"),
                False,
                '{"type":"any","disable_parallel_tool_use":true}',
            ),
            (
                "tool, one call at a time",
                wg.ToolChoice("tool", "f"),
                False,
                '{"type":"tool","name":"f","disable_parallel_tool_use":true}',
            ),
            (
                "left open, one call at a time",
                None,
                False,
                '{"type":"auto","disable_parallel_tool_use":true}',
            ),
        )
    },
}

F_MARKED = F[:-1] + ',"cache_control":{"type":"ephemeral"}}'
CACHE: dict[str, tuple[dict[str, Any], str]] = {
    "cache auto: tools, and the conversation": (
        {"cache": wg.CacheConfig(), "tools": [wg.Tool("g", cache=None), wg.Tool("f")]},
        '"max_tokens":8,"cache_control":{"type":"ephemeral"},"tools":['
        f"{F.replace('f', 'g', 1)},{F_MARKED}]",
    ),
    "cache auto with nothing but a conversation": (
        {"cache": wg.CacheConfig(ttl="5m")},
        '"max_tokens":8,"cache_control":{"type":"ephemeral","ttl":"5m"}',
    ),
    "cache disabled": ({"cache": wg.CacheConfig(strategy="disabled")}, '"max_tokens":8'),
    "cache off, whatever is named": (
        {
            "cache": wg.CacheConfig(enabled=False, strategy=_cache(tools=True).strategy),
            "tools": [wg.Tool("f")],
        },
        f'"max_tokens":8,"tools":[{F}]',
    ),
    "cache of the tools alone": (
        {"cache": _cache(tools=True), "tools": [wg.Tool("f")]},
        f'"max_tokens":8,"tools":[{F_MARKED}]',
    ),
    "cache of the conversation alone": (
        {"cache": _cache(messages=True), "tools": [wg.Tool("f")]},
        f'"max_tokens":8,"cache_control":{{"type":"ephemeral"}},"tools":[{F}]',
    ),
    "a tool's own mark stands": (
        {
            "cache": _cache(tools=True),
            "tools": [wg.Tool("f", cache=wg.CacheMark("1h"))],
        },
        '"max_tokens":8,"tools":[{"name":"f","input_schema":{"type":"object","properties":{}},'
        '"cache_control":{"type":"ephemeral","ttl":"1h"}}]',
    ),
}

FIELDS = SAMPLING | THINKING | TOOLS | CACHE


@pytest.mark.parametrize(("fields", "head"), FIELDS.values(), ids=FIELDS)
def test_parameters(fields: dict[str, Any], head: str) -> None:
    encoded = wg.providers.anthropic.encode_request(request(user("hi"), **fields))
    check_request(encoded)
    assert encoded == body(HI, head=head)


PROMPTS: dict[str, tuple[list[wg.SystemMessage], wg.CacheConfig | None, str]] = {
    "of one text": ([system("s")], None, '[{"type":"text","text":"s"}]'),
    "of several messages": (
        [system("s", "t"), system("u")],
        None,
        '[{"type":"text","text":"s"},{"type":"text","text":"t"},{"type":"text","text":"u"}]',
    ),
    "without its empty texts": ([system("", "s", "")], None, '[{"type":"text","text":"s"}]'),
    "with white space between its texts": (
        [system("s", "\n", "t")],
        None,
        '[{"type":"text","text":"s"},{"type":"text","text":"\\n"},{"type":"text","text":"t"}]',
    ),
    "with a mark on its last text": (
        [system("s"), system("t")],
        _cache(prompt=True),
        '[{"type":"text","text":"s"},'
        '{"type":"text","text":"t","cache_control":{"type":"ephemeral"}}]',
    ),
    "with a mark on its last text, empty ones after it": (
        [system("s", ""), system("")],
        _cache(prompt=True),
        '[{"type":"text","text":"s","cache_control":{"type":"ephemeral"}}]',
    ),
    "with a mark on the last of two equal texts that are one object": (
        [system(*[text("s")] * 2)],
        _cache(prompt=True),
        '[{"type":"text","text":"s"},'
        '{"type":"text","text":"s","cache_control":{"type":"ephemeral"}}]',
    ),
    "with marks of its own": (
        [system(text("s", cache=wg.CacheMark("1h")), text("t", cache=MARK))],
        _cache(prompt=True),
        '[{"type":"text","text":"s","cache_control":{"type":"ephemeral","ttl":"1h"}},'
        '{"type":"text","text":"t","cache_control":{"type":"ephemeral"}}]',
    ),
    "with unknown keys of this API": (
        [system(text("s", extras=extras(citations=None)))],
        None,
        '[{"citations":null,"type":"text","text":"s"}]',
    ),
}


@pytest.mark.parametrize(("prompt", "cache", "expected"), PROMPTS.values(), ids=PROMPTS)
def test_system_prompt(
    prompt: list[wg.SystemMessage], cache: wg.CacheConfig | None, expected: str
) -> None:
    encoded = wg.providers.anthropic.encode_request(request(*prompt, user("hi"), cache=cache))
    check_request(encoded)
    assert encoded == body(HI, head=f'"max_tokens":8,"system":{expected}')


def test_a_system_prompt_of_white_space_is_none() -> None:
    encoded = wg.providers.anthropic.encode_request(request(system(" ", ""), user("hi")))
    assert encoded == body(HI)


def test_unknown_keys_of_a_request_stand_before_all_others_and_lose_against_known_ones() -> None:
    given = request(user("hi"), extras=extras(container="c", inference_geo=None, model="n"))
    encoded = wg.providers.anthropic.encode_request(given)
    check_request(encoded)
    assert encoded == b'{"container":"c","inference_geo":null,' + body(HI)[1:]


THOUGHT = wg.ThinkingBlock("hm", "s")
TURNS: dict[str, tuple[list[wg.Message], str]] = {
    "no call yet": ([user("hi")], "enabled"),
    "an answer and a user's word": ([user("hi"), own("yes"), user("so")], "enabled"),
    "a call after a thought": ([user("hi"), own(THOUGHT, call("a")), answer("a")], "enabled"),
    "a thought before the first of two calls": (
        [user("hi"), own(THOUGHT, call("a")), answer("a"), own(call("b")), answer("b")],
        "enabled",
    ),
    "a thought in an answer that goes on": (
        [user("hi"), own(THOUGHT), own(call("a")), batch(result("a"))],
        "enabled",
    ),
    "a call of an earlier turn": (
        [user("hi"), own(call("a")), answer("a"), own("yes"), user("so")],
        "enabled",
    ),
    "a call without a thought": ([user("hi"), own(call("a")), answer("a")], "disabled"),
    "a call without a thought, and a word behind the result": (
        [user("hi"), own(call("a")), answer("a"), user("so"), system("be brief")],
        "disabled",
    ),
    "an answer to go on with": ([user("hi"), own("yes")], "disabled"),
    "an answer with a thought to go on with": ([user("hi"), own(THOUGHT, "yes")], "enabled"),
    "a thought of an earlier turn": (
        [user("hi"), own(THOUGHT, "yes"), user("so"), own(call("a")), user(result("a"))],
        "disabled",
    ),
}


@pytest.mark.parametrize(("messages", "expected"), TURNS.values(), ids=TURNS)
def test_a_turn_with_calls_goes_on_with_the_thinking_it_began_with(
    messages: list[wg.Message], expected: str
) -> None:
    asked = request(*messages, max_tokens=None, thinking=wg.Thinking(budget_tokens=1024))
    losses: list[wg.Loss] = []
    body = json.loads(wg.providers.anthropic.encode_request(asked, losses=losses))
    assert body["thinking"]["type"] == expected
    assert [loss.what for loss in losses] == ["thinking midway"] * (expected == "disabled")
    transcript = wg.providers.anthropic.Transcript(messages)
    fields: dict[str, Any] = {"model": "m", "thinking": asked.thinking}
    assert json.loads(transcript.encode(losses=[], **fields)) == body


def test_a_thought_of_another_api_begins_no_turn() -> None:
    messages = [user("hi"), assistant(THOUGHT, call("a"), api=OTHER), answer("a")]
    asked = request(*messages, max_tokens=None, thinking=wg.Thinking(budget_tokens=1024))
    losses: list[wg.Loss] = []
    body = json.loads(wg.providers.anthropic.encode_request(asked, losses=losses))
    assert body["thinking"] == {"type": "disabled"}
    assert {loss.what for loss in losses} == {"thinking", "thinking midway"}


def test_a_level_of_thinking_asks_nothing_of_what_was_said() -> None:
    asked = request(user("hi"), own(call("a")), answer("a"), thinking=wg.Thinking(LEVEL.LOW))
    body = json.loads(wg.providers.anthropic.encode_request(asked))
    assert body["thinking"] == {"type": "adaptive"}
