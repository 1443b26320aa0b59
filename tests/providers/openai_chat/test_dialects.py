"""Each service that speaks Chat Completions -> the words that go to it, and what is lost there."""

import json
from typing import Any

import pytest

import wireglot as wg
from tests.providers.conversation import (
    answer,
    assistant,
    call,
    extras,
    request,
    user,
)

chat = wg.providers.openai_chat
LEVEL = wg.ThinkingLevel
TOOLS: list[wg.Tool | wg.OpaqueBlock] = [wg.Tool("f"), wg.Tool("g")]
LONG = "call_0_" + "a" * 36


def _written(dialect: str, *messages: wg.Message, **fields: Any) -> tuple[Any, list[str]]:
    """Return the body, and what was lost."""
    losses: list[wg.Loss] = []
    asked = request(*(messages or (user("hi"),)), **{"max_tokens": None, **fields})
    body = json.loads(chat.encode_request(asked, losses=losses, dialect=dialect))
    return body, [loss.what for loss in losses]


def _head(dialect: str, **fields: Any) -> tuple[Any, list[str]]:
    """Return the body without model and messages, and what was lost."""
    body, lost = _written(dialect, **fields)
    return {key: body[key] for key in body if key not in ("model", "messages")}, lost


# dialect -> the path, and the keys for a limit, a user, and the thinking of an answer
SPELLED = {
    "openai": ("/v1/chat/completions", "max_completion_tokens", "safety_identifier", None),
    "azure": ("/openai/v1/chat/completions", "max_completion_tokens", "user", None),
    "openrouter": ("/api/v1/chat/completions", "max_completion_tokens", "user", "reasoning"),
    "deepseek": ("/chat/completions", "max_tokens", "user_id", "reasoning_content"),
    "xai": ("/v1/chat/completions", "max_completion_tokens", "user", "reasoning_content"),
    "groq": ("/openai/v1/chat/completions", "max_completion_tokens", "user", "reasoning"),
    "zai": ("/api/paas/v4/chat/completions", "max_tokens", "user_id", "reasoning_content"),
    "qwen": ("/compatible-mode/v1/chat/completions", "max_tokens", "user", "reasoning_content"),
    "vllm": ("/v1/chat/completions", "max_completion_tokens", "user", "reasoning"),
    "llamacpp": ("/v1/chat/completions", "max_completion_tokens", "user", "reasoning_content"),
    "ollama": ("/v1/chat/completions", "max_tokens", "user", "reasoning"),
    "generic": ("/v1/chat/completions", "max_tokens", "user", "reasoning_content"),
}


def test_every_dialect_is_here() -> None:
    for table in (SPELLED, LOST, TIERS, CHOICES, LEVELS, THINKING, MEDIA, KNOWN):
        assert list(table) == list(chat.DIALECTS)


@pytest.mark.parametrize("dialect", SPELLED)
def test_a_service_has_words_of_its_own(dialect: str) -> None:
    path, limit, named, thinking = SPELLED[dialect]
    assert chat.route(request(user("hi")), dialect=dialect).path == path
    assert _head(dialect, max_tokens=8, user_id="user-1") == ({limit: 8, named: "user-1"}, [])
    body, lost = _written(dialect, assistant(wg.ThinkingBlock("so"), "x"), user("hi"))
    thought = {thinking: "so"} if thinking else {}
    assert body["messages"][0] == {"role": "assistant", "content": "x", **thought}
    assert lost == ([] if thinking else ["thinking"])


# dialect -> the parameters that it does not know
LOST = {
    "openai": "metadata top_k",
    "azure": "metadata top_k",
    "openrouter": "",
    "deepseek": "candidates metadata parallel_tool_calls seed top_k",
    "xai": "metadata top_k",
    "groq": "candidates logprobs metadata top_k top_logprobs",
    "zai": "candidates frequency_penalty logprobs metadata parallel_tool_calls presence_penalty "
    "seed top_k top_logprobs",
    "qwen": "metadata",
    "vllm": "metadata",
    "llamacpp": "metadata",
    "ollama": "candidates metadata parallel_tool_calls top_k",
    "generic": "metadata top_k",
}


@pytest.mark.parametrize("dialect", LOST)
def test_a_parameter_that_a_service_does_not_know_is_lost(dialect: str) -> None:
    given = {
        "candidates": 2,
        "frequency_penalty": 0.5,
        "logprobs": True,
        "metadata": {"a": "b"},
        "parallel_tool_calls": False,
        "presence_penalty": 0.5,
        "seed": 1,
        "top_k": 5,
        "top_logprobs": 1,
    }
    _, lost = _head(dialect, tools=TOOLS, **given)
    assert sorted(lost) == LOST[dialect].split()


@pytest.mark.parametrize("dialect", LOST)
def test_a_parameter_that_asks_for_nothing_is_never_lost(dialect: str) -> None:
    nothing = {
        "candidates": 1,
        "frequency_penalty": 0.0,
        "logprobs": False,
        "metadata": {},
        "parallel_tool_calls": True,
        "presence_penalty": 0.0,
        "top_logprobs": 0,
    }
    _, lost = _head(dialect, tools=TOOLS, **nothing)
    assert lost == []


def test_a_seed_of_zero_asks_for_something() -> None:
    assert _head("deepseek", seed=0, top_k=0) == ({}, ["seed", "top_k"])


@pytest.mark.parametrize("dialect", ["openai", "azure"])
def test_metadata_go_where_they_are_stored(dialect: str) -> None:
    stored = extras(chat.API, store=True)
    head, lost = _head(dialect, metadata={"a": "b"}, extras=stored)
    assert (head, lost) == ({"store": True, "metadata": {"a": "b"}}, [])


# dialect -> the service tiers that it has
TIERS = {
    "openai": "auto default flex scale priority fast",
    "azure": "auto default priority",
    "openrouter": "auto default flex scale priority fast ultrafast",
    "deepseek": "",
    "xai": "",
    "groq": "auto flex on_demand performance",
    "zai": "",
    "qwen": "",
    "vllm": "",
    "llamacpp": "",
    "ollama": "",
    "generic": "",
}
EVERY_TIER = "auto default flex scale priority fast ultrafast on_demand performance odd"


@pytest.mark.parametrize("dialect", TIERS)
def test_a_tier_of_another_service_is_lost(dialect: str) -> None:
    for tier in EVERY_TIER.split():
        head, lost = _head(dialect, service_tier=tier)
        if tier in TIERS[dialect].split():
            assert (head, lost) == ({"service_tier": tier}, [])
        else:
            assert (head, lost) == ({}, ["service_tier"])


# dialect -> the tool choices that it takes
CHOICES = {
    "openai": "auto none required tool allowed",
    "azure": "auto none required tool allowed",
    "openrouter": "auto none required tool",
    "deepseek": "auto none required tool",
    "xai": "auto none required tool",
    "groq": "auto none required tool",
    "zai": "auto",
    "qwen": "auto none tool",
    "vllm": "auto none required tool",
    "llamacpp": "auto none required",
    "ollama": "auto",
    "generic": "auto none required tool",
}
CHOSEN: dict[str, tuple[wg.ToolChoice, Any]] = {
    "auto": (wg.ToolChoice("auto"), "auto"),
    "none": (wg.ToolChoice("none"), "none"),
    "required": (wg.ToolChoice("required"), "required"),
    "tool": (
        wg.ToolChoice("tool", "f"),
        {"type": "function", "function": {"name": "f"}},
    ),
    "allowed": (
        wg.ToolChoice("auto", allowed=["f"]),
        {
            "type": "allowed_tools",
            "allowed_tools": {
                "mode": "auto",
                "tools": [{"type": "function", "function": {"name": "f"}}],
            },
        },
    ),
}


@pytest.mark.parametrize("choice", CHOSEN)
@pytest.mark.parametrize("dialect", CHOICES)
def test_a_tool_choice_that_a_service_does_not_take_is_lost(dialect: str, choice: str) -> None:
    asked, said = CHOSEN[choice]
    head, lost = _head(dialect, tools=TOOLS, tool_choice=asked)
    if choice in CHOICES[dialect].split():
        assert (head["tool_choice"], lost) == (said, [])
    else:
        assert head.get("tool_choice") != said
        assert lost == ["tool choice allowed" if choice == "allowed" else "tool choice"]


@pytest.mark.parametrize("dialect", SPELLED)
def test_an_answer_is_held_to_a_schema_where_that_can_be(dialect: str) -> None:
    asked = wg.ResponseFormat("json_schema", {"type": "object"}, "n")
    head, lost = _head(dialect, response_format=asked)
    if dialect in ("deepseek", "zai"):
        assert (head, lost) == ({"response_format": {"type": "json_object"}}, ["json schema"])
    else:
        schema = {"name": "n", "schema": {"type": "object"}}
        said = {"type": "json_schema", "json_schema": schema}
        assert (head, lost) == ({"response_format": said}, [])


_FIVE = ("minimal low medium high xhigh xhigh xhigh", "max ultra")
_SIX = ("minimal low medium high xhigh max max", "ultra")
_THREE = ("low low medium high high high high", "minimal xhigh max ultra")
# dialect -> the efforts for levels from `minimal` to `ultra`, and the levels without a word
LEVELS: dict[str, tuple[str, str]] = {
    "openai": _FIVE,
    "azure": _FIVE,
    "openrouter": _SIX,
    "deepseek": ("minimal low medium high xhigh max ultra", ""),
    "xai": _THREE,
    "groq": _THREE,
    "zai": ("low low medium high high max max", "minimal xhigh ultra"),
    "qwen": ("", "minimal low medium high xhigh max ultra"),
    "vllm": _THREE,
    "llamacpp": _SIX,
    "ollama": _THREE,
    "generic": _SIX,
}


@pytest.mark.parametrize("dialect", LEVELS)
def test_a_level_without_a_word_takes_the_nearest(dialect: str) -> None:
    efforts, wordless = LEVELS[dialect]
    found: list[str] = []
    without: list[str] = []
    for level in list(LEVEL)[1:]:
        head, lost = _head(dialect, thinking=wg.Thinking(level))
        inner = head.get("reasoning", {})
        found += [head[key] for key in ("reasoning_effort",) if key in head]
        found += [inner[key] for key in ("effort",) if key in inner]
        assert lost in ([], ["thinking level"])
        without += [level] * len(lost)
    assert (found, without) == (efforts.split(), wordless.split())


_NO_EFFORT = {"reasoning_effort": "none"}
_ON = {"thinking": {"type": "enabled"}}
_OFF = {"thinking": {"type": "disabled"}}
_AN_EFFORT = {"reasoning_effort": "low"}
# dialect -> what turns thinking off, what limits it to nine tokens, and which of showing and
# hiding it is a loss. A budget that is a loss becomes an effort.
THINKING: dict[str, tuple[Any, Any, str]] = {
    "openai": (_NO_EFFORT, _AN_EFFORT, "shown"),
    "azure": (_NO_EFFORT, _AN_EFFORT, "shown"),
    "openrouter": ({"reasoning": {"effort": "none"}}, {"reasoning": {"max_tokens": 9}}, ""),
    "deepseek": (_OFF, _AN_EFFORT | _ON, "hidden"),
    "xai": (_NO_EFFORT, _AN_EFFORT, "hidden"),
    "groq": (_NO_EFFORT, _AN_EFFORT, ""),
    "zai": (_OFF, _AN_EFFORT | _ON, "hidden"),
    "qwen": (
        {"enable_thinking": False},
        {"enable_thinking": True, "thinking_budget": 9},
        "hidden",
    ),
    "vllm": (
        {"chat_template_kwargs": {"enable_thinking": False}},
        {"thinking_token_budget": 9, "chat_template_kwargs": {"enable_thinking": True}},
        "hidden",
    ),
    "llamacpp": (_NO_EFFORT, {"thinking_budget_tokens": 9}, "hidden"),
    "ollama": (_NO_EFFORT, _AN_EFFORT, "hidden"),
    "generic": (_NO_EFFORT, _AN_EFFORT, "hidden"),
}


@pytest.mark.parametrize("dialect", THINKING)
def test_thinking_is_switched_limited_and_shown(dialect: str) -> None:
    off, nine, costs = THINKING[dialect]
    assert _head(dialect, thinking=wg.Thinking(LEVEL.OFF)) == (off, [])
    lost = ["thinking budget"] if "reasoning_effort" in nine else []
    assert _head(dialect, thinking=wg.Thinking(budget_tokens=9)) == (nine, lost)
    for word, visible in (("shown", True), ("hidden", False)):
        _, lost = _head(dialect, thinking=wg.Thinking(visible=visible))
        assert lost == (["thinking shown"] if word == costs else [])


# dialect -> what a user's message holds beside text, and what a tool's does
MEDIA = {
    "openai": ("image_url input_audio file inline_file", ""),
    "azure": ("image_url input_audio file inline_file", ""),
    "openrouter": (
        "image_url input_audio video_url file inline_file file_by_url",
        "image_url input_audio video_url file inline_file file_by_url",
    ),
    "deepseek": ("", ""),
    "xai": ("image_url", ""),
    "groq": ("image_url", "image_url"),
    "zai": ("image_url video_url", ""),
    "qwen": ("image_url input_audio video_url", ""),
    "vllm": ("image_url input_audio video_url", "image_url"),
    "llamacpp": ("image_url input_audio", "image_url"),
    "ollama": ("image_url", ""),
    "generic": ("image_url input_audio file inline_file", ""),
}
BLOCKS: dict[str, tuple[wg.Content, str, Any]] = {
    "image_url": (
        wg.ImageBlock(url="https://x.org/a.png"),
        "image",
        {"type": "image_url", "image_url": {"url": "https://x.org/a.png"}},
    ),
    "input_audio": (
        wg.AudioBlock(data=wg.Media.from_bytes(b"RIFF....WAVE")),
        "audio",
        {"type": "input_audio", "input_audio": {"data": "UklGRi4uLi5XQVZF", "format": "wav"}},
    ),
    "video_url": (
        wg.VideoBlock(url="https://x.org/a.mp4"),
        "video",
        {"type": "video_url", "video_url": {"url": "https://x.org/a.mp4"}},
    ),
    "file": (
        wg.DocumentBlock(file_id="f"),
        "document",
        {"type": "file", "file": {"file_id": "f"}},
    ),
    "inline_file": (
        wg.DocumentBlock.from_bytes(b"%PDF-"),
        "document",
        {
            "type": "file",
            "file": {
                "filename": "document.pdf",
                "file_data": "data:application/pdf;base64,JVBERi0=",
            },
        },
    ),
    "file_by_url": (
        wg.DocumentBlock(url="https://x.org/a.pdf", filename="a.pdf"),
        "document",
        {"type": "file", "file": {"filename": "a.pdf", "file_data": "https://x.org/a.pdf"}},
    ),
}
X = {"type": "text", "text": "x"}


@pytest.mark.parametrize("kind", BLOCKS)
@pytest.mark.parametrize("dialect", MEDIA)
def test_media_go_where_a_service_takes_them(dialect: str, kind: str) -> None:
    block, what, part = BLOCKS[kind]
    of_users, of_tools = (kinds.split() for kinds in MEDIA[dialect])
    said, lost = _written(dialect, user("x", block))
    content = said["messages"][0]["content"]
    assert (content, lost) == (([X, part], []) if kind in of_users else ("x", [what]))
    said, lost = _written(dialect, assistant(call("a")), answer("a", "x", block))
    result, *after = said["messages"][1:]
    if kind in of_tools:
        assert (result["content"], after, lost) == ([X, part], [], [])
    elif kind in of_users:
        see = "See file a-1."
        joined = dialect in ("deepseek", "zai", "qwen", "ollama", "generic")
        assert result["content"] == (f"x\n{see}" if joined else [X, {"type": "text", "text": see}])
        name = {"type": "text", "text": "This is file a-1:"}
        assert (after, lost) == ([{"role": "user", "content": [name, part]}], [])
    else:
        assert (result["content"], after, lost) == ("x", [], [what])


# dialect -> what it knows of OpenAI's own, and `cut` where ids of calls are short
KNOWN = {
    "openai": "developer refusal voice custom cut",
    "azure": "developer refusal voice custom cut",
    "openrouter": "developer refusal voice",
    "deepseek": "",
    "xai": "",
    "groq": "developer",
    "zai": "",
    "qwen": "",
    "vllm": "",
    "llamacpp": "",
    "ollama": "",
    "generic": "",
}


@pytest.mark.parametrize("dialect", KNOWN)
def test_what_is_openais_own_goes_to_those_who_know_it(dialect: str) -> None:
    known = KNOWN[dialect].split()
    read = chat.decode_request(
        '{"model":"m","messages":[{"role":"developer","content":"x"},'
        '{"role":"assistant","content":null,"refusal":"No."}]}'
    )
    losses: list[wg.Loss] = []
    told, refused = json.loads(chat.encode_request(read, losses=losses, dialect=dialect))[
        "messages"
    ]
    assert told == {"role": "developer" if "developer" in known else "system", "content": "x"}
    words = (None, "No.") if "refusal" in known else ("No.", None)
    assert (refused["content"], refused.get("refusal")) == words
    assert losses == []
    body, lost = _written(dialect, assistant("x", wg.AudioBlock(file_id="v")))
    voice = {"audio": {"id": "v"}} if "voice" in known else {}
    assert body["messages"] == [{"role": "assistant", "content": "x", **voice}]
    assert lost == ([] if voice else ["audio"])
    body, lost = _written(dialect, assistant(call(LONG, "1", tool_type="custom")), answer(LONG))
    (made,) = body["messages"][0]["tool_calls"]
    if "custom" in known:
        said = {"type": "custom", "custom": {"name": "f", "input": "1"}}
    else:
        said = {"type": "function", "function": {"name": "f", "arguments": '{"input":"1"}'}}
    call_id = "call_0_aaaaaaaaaaaaaaaaaaaaaaaa_c5af2bb1" if "cut" in known else LONG
    assert made == {"id": call_id, **said}
    assert lost == ([] if "custom" in known else ["custom call"])


ECHOED = (
    b'{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,'
    b'"message":{"role":"assistant","content":"x","refusal":null,"annotations":[],"tool_calls":['
    b'{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]},'
    b'"logprobs":null,"finish_reason":"tool_calls"}]}'
)


def test_what_says_nothing_in_an_answer_goes_back_to_its_own_service_alone() -> None:
    message = chat.decode_response(ECHOED).message
    call = {"id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    said = {"role": "assistant", "content": "x"}
    for dialect, expected in {
        "openai": {**said, "annotations": [], "tool_calls": [{"index": 0, **call}]},
        "groq": {**said, "tool_calls": [call]},
    }.items():
        body, lost = _written(dialect, user("hi"), message, answer("a", "1"))
        assert (body["messages"][1], lost) == (expected, [])


def test_answers_of_every_service_may_cite_nothing() -> None:
    response = chat.decode_response(ECHOED)
    made = json.loads(chat.encode_response(response, dialect="openrouter"))
    assert made["choices"][0]["message"]["annotations"] == []
