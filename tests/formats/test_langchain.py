"""LangChain's stored messages, both ways, against literal JSON and langchain-core's own loaders."""

import importlib
import json
import warnings
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET

import wireglot as wg
from tests.clients.turn import RESPONSES
from tests.formats.langchain_documents import documents
from tests.providers.anthropic import answers as anthropic_answers
from wireglot import testing
from wireglot.formats import langchain as lc

GOLDEN = Path(__file__).parents[1] / "golden" / "langchain"
PNG = "iVBORw0KGgo="


def _stored(type: str, content: Any, **fields: Any) -> dict[str, Any]:
    """Return a message as `messages_to_dict` writes it."""
    base = {"additional_kwargs": {}, "response_metadata": {}, "type": type, "name": None}
    return {"type": type, "data": {"content": content, **base, "id": None, **fields}}


def _ai(content: Any, **fields: Any) -> dict[str, Any]:
    calls: dict[str, Any] = {"tool_calls": [], "invalid_tool_calls": [], "usage_metadata": None}
    return _stored("ai", content, **{**calls, **fields})


def _tool(content: Any, **fields: Any) -> dict[str, Any]:
    result = {"tool_call_id": "c1", "artifact": None, "status": "success"}
    return _stored("tool", content, **{**result, **fields})


def _user(*content: wg.Content, **more: Any) -> wg.Message:
    return wg.UserMessage([*content], **more)


def _answer(*content: wg.Content, **more: Any) -> wg.Message:
    return wg.AssistantMessage([*content], **more)


def _result(*content: wg.Content, **more: Any) -> wg.Message:
    return wg.ToolResultMessage("c1", content=[*content], **more)


def _keys(**keys: Any) -> wg.Extras:
    return {"langchain": wg.Extra(keys)}


def _spelled(**spelling: Any) -> wg.Extras:
    return {"langchain": wg.Extra({}, spelling)}


def _entry(id: str, name: str, arguments: str) -> dict[str, Any]:
    """Return a call as OpenAI has it."""
    return {"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}


CALL = {"name": "plot", "args": {"rows": 3}, "id": "c1", "type": "tool_call"}
BROKEN = {"name": "plot", "args": '{"rows": ', "id": "c1", "type": "invalid_tool_call"}

BOTH_WAYS: dict[str, tuple[Any, wg.AgentMessage]] = {
    "a system prompt": (
        _stored("system", "Be brief."),
        wg.SystemMessage([wg.TextBlock("Be brief.")]),
    ),
    "a user's text, with an id and a name": (
        _stored("human", "Où ?", id="7f", name="ada"),
        _user(wg.TextBlock("Où ?"), id="7f", name="ada"),
    ),
    "nothing said": (_stored("human", ""), _user()),
    "one text in a list": (
        _stored("human", [{"type": "text", "text": "Hi"}]),
        _user(wg.TextBlock("Hi"), extras=_spelled(content="list")),
    ),
    "a list with a bare string": (
        _stored("human", ["Hi", {"type": "text", "text": "there"}]),
        _user(wg.TextBlock("Hi", extras=_spelled(type=None)), wg.TextBlock("there")),
    ),
    "a text with a cache mark, a signature and an unknown key": (
        _stored(
            "human",
            [
                {
                    "type": "text",
                    "text": "Hi",
                    "cache_control": {"type": "ephemeral", "ttl": "1h"},
                    "extras": {"signature": "c2ln"},
                    "index": 0,
                }
            ],
        ),
        _user(
            wg.TextBlock("Hi", signature="c2ln", cache=wg.CacheMark("1h"), extras=_keys(index=0))
        ),
    ),
    "citations": (
        _ai(
            [
                {
                    "type": "text",
                    "text": "It is 42.",
                    "annotations": [
                        {
                            "type": "citation",
                            "url": "https://e.org",
                            "title": "E",
                            "cited_text": "42",
                            "start_index": 6,
                            "end_index": 8,
                        }
                    ],
                }
            ]
        ),
        _answer(
            wg.TextBlock(
                "It is 42.",
                [wg.AnnotationRef(url="https://e.org", title="E", cited_text="42", start=6, end=8)],
            )
        ),
    ),
    "an image, inline": (
        _stored("human", [{"type": "image", "base64": PNG, "mime_type": "image/png"}]),
        _user(wg.ImageBlock(data=PNG, mime_type="image/png")),
    ),
    "an image by URL, with an id of its own": (
        _stored("human", [{"type": "image", "url": "https://e/x.png", "id": "lc_1"}]),
        _user(wg.ImageBlock(url="https://e/x.png", extras=_keys(id="lc_1"))),
    ),
    "an image in the words of OpenAI": (
        _stored(
            "human",
            [
                {
                    "type": "image_url",
                    "image_url": {"url": f"data:image/png;base64,{PNG}", "detail": "low"},
                }
            ],
        ),
        _user(
            wg.ImageBlock(
                data=PNG,
                mime_type="image/png",
                detail="low",
                extras=_spelled(style="image_url"),
            )
        ),
    ),
    "an image in the words of Anthropic": (
        _stored(
            "human",
            [
                {
                    "type": "image",
                    "source": {"type": "base64", "media_type": "image/png", "data": PNG},
                }
            ],
        ),
        _user(wg.ImageBlock(data=PNG, mime_type="image/png", extras=_spelled(style="source"))),
    ),
    "an image in the words of 0.3": (
        _stored(
            "human",
            [
                {
                    "type": "image",
                    "source_type": "base64",
                    "data": PNG,
                    "mime_type": "image/png",
                }
            ],
        ),
        _user(wg.ImageBlock(data=PNG, mime_type="image/png", extras=_spelled(style="source_type"))),
    ),
    "a sound, a film and a file": (
        _stored(
            "human",
            [
                {"type": "audio", "base64": "UklG", "mime_type": "audio/wav"},
                {"type": "video", "file_id": "f1"},
                {"type": "file", "file_id": "f2", "filename": "a.pdf"},
            ],
        ),
        _user(
            wg.AudioBlock(data="UklG", mime_type="audio/wav"),
            wg.VideoBlock(file_id="f1"),
            wg.DocumentBlock(file_id="f2", filename="a.pdf"),
        ),
    ),
    "a sound in the words of OpenAI": (
        _stored(
            "human",
            [{"type": "input_audio", "input_audio": {"data": "UklG", "format": "wav"}}],
        ),
        _user(
            wg.AudioBlock(data="UklG", mime_type="audio/wav", extras=_spelled(style="input_audio"))
        ),
    ),
    "a text document": (
        _stored(
            "human",
            [
                {
                    "type": "text-plain",
                    "text": "A text.",
                    "mime_type": "text/plain",
                    "title": "T",
                    "context": "C",
                }
            ],
        ),
        _user(wg.DocumentBlock(text="A text.", mime_type="text/plain", title="T", context="C")),
    ),
    "a block that has no kind of ours": (
        _ai([{"type": "server_tool_call", "id": "s1", "name": "web_search", "args": {}}]),
        _answer(
            wg.OpaqueBlock(
                "langchain",
                {"type": "server_tool_call", "id": "s1", "name": "web_search", "args": {}},
            )
        ),
    ),
    "reasoning, signed": (
        _ai([{"type": "reasoning", "reasoning": "Hm.", "extras": {"signature": "c2ln"}}]),
        _answer(wg.ThinkingBlock("Hm.", "c2ln")),
    ),
    "thinking in the words of Anthropic": (
        _ai([{"type": "thinking", "thinking": "Hm.", "signature": "c2ln"}]),
        _answer(wg.ThinkingBlock("Hm.", "c2ln", extras=_spelled(type="thinking"))),
    ),
    "redacted thinking": (
        _ai([{"type": "redacted_thinking", "data": "ZGF0YQ=="}]),
        _answer(wg.ThinkingBlock("", "ZGF0YQ==", redacted=True)),
    ),
    "a call": (_ai("", tool_calls=[CALL]), _answer(wg.ToolCallBlock("c1", "plot", {"rows": 3}))),
    "a call that LangChain could not parse": (
        _ai("", invalid_tool_calls=[{**BROKEN, "error": None}]),
        _answer(wg.ToolCallBlock("c1", "plot", '{"rows": ')),
    ),
    "a call with an error": (
        _ai("", invalid_tool_calls=[{**BROKEN, "error": "no JSON"}]),
        _answer(wg.ToolCallBlock("c1", "plot", '{"rows": ', extras=_keys(error="no JSON"))),
    ),
    "what is known of an answer": (
        _ai(
            "Hi",
            id="run-1",
            response_metadata={
                "model_name": "gpt-5",
                "model_provider": "openai",
                "finish_reason": "stop",
                "system_fingerprint": "fp",
            },
            additional_kwargs={"reasoning_content": "Hm."},
            usage_metadata={
                "input_tokens": 20,
                "output_tokens": 9,
                "total_tokens": 29,
                "input_token_details": {"cache_read": 12, "cache_creation": 3, "audio": 1},
                "output_token_details": {"reasoning": 4},
            },
        ),
        _answer(
            wg.TextBlock("Hi"),
            stop_reason=wg.StopReason.STOP,
            model="gpt-5",
            provider="openai",
            raw_stop_reason="stop",
            id="run-1",
            usage=wg.Usage(5, 9, 4, 12, 3, 29, extras=_keys(input_token_details={"audio": 1})),
            extras=_keys(
                additional_kwargs={"reasoning_content": "Hm."},
                response_metadata={"system_fingerprint": "fp"},
            ),
        ),
    ),
    "an answer of Anthropic's, whose API is known": (
        _ai(
            "Hi",
            response_metadata={
                "model_name": "claude-sonnet-4-5",
                "model_provider": "anthropic",
                "stop_reason": "end_turn",
            },
        ),
        _answer(
            wg.TextBlock("Hi"),
            stop_reason=wg.StopReason.STOP,
            model="claude-sonnet-4-5",
            provider="anthropic",
            api="anthropic-messages",
            raw_stop_reason="end_turn",
        ),
    ),
    "an answer of Google's, whose word for calls is the one for the end": (
        _ai("", tool_calls=[CALL], response_metadata={"finish_reason": "STOP"}),
        _answer(
            wg.ToolCallBlock("c1", "plot", {"rows": 3}),
            stop_reason=wg.StopReason.TOOL_USE,
            raw_stop_reason="STOP",
        ),
    ),
    "a part of an answer": (
        _stored(
            "AIMessageChunk",
            "Hel",
            tool_calls=[],
            invalid_tool_calls=[],
            usage_metadata=None,
        ),
        _answer(wg.TextBlock("Hel"), delta=True),
    ),
    "a result": (
        _tool("42", name="plot", id="t1", artifact={"rows": [1]}),
        _result(wg.TextBlock("42"), tool_name="plot", id="t1", details={"rows": [1]}),
    ),
    "a result that is an error": (
        _tool("no", status="error"),
        _result(wg.TextBlock("no"), is_error=True),
    ),
    "a message that goes": (
        _stored("remove", "", id="7f"),
        wg.ExtensionMessage("langchain.remove", {"id": "7f"}),
    ),
    "unknown keys": (
        _stored("human", "Hi", example=True),
        _user(wg.TextBlock("Hi"), extras=_keys(example=True)),
    ),
    "unknown keys beside the data": (
        {**_stored("human", "Hi"), "at": 5},
        _user(wg.TextBlock("Hi"), extras=_keys(**{"(message)": {"at": 5}})),
    ),
    "the shape of dumpd": (
        {
            "lc": 1,
            "type": "constructor",
            "id": ["langchain", "schema", "messages", "HumanMessage"],
            "kwargs": {"content": "Hi", "type": "human", "id": "7f"},
        },
        _user(wg.TextBlock("Hi"), id="7f", extras=_spelled(shape="constructor")),
    ),
    "the shape of model_dump": (
        _stored("human", "Hi", id="7f")["data"],
        _user(wg.TextBlock("Hi"), id="7f", extras=_spelled(shape="plain")),
    ),
}


@pytest.mark.parametrize(("stored", "message"), BOTH_WAYS.values(), ids=BOTH_WAYS)
def test_a_message_both_ways(stored: Any, message: wg.AgentMessage) -> None:
    text = json.dumps([stored])
    assert lc.decode(text) == [message]
    assert lc.encode(lc.decode(lc.encode([message]))) == lc.encode([message])
    assert json.loads(lc.encode([message])) == [stored]
    assert json.loads(lc.encode(lc.decode(text, list[lc.Message]))) == [stored]


READ: dict[str, tuple[Any, wg.AgentMessage]] = {
    "a call that the content has too, where it stands there": (
        _ai(
            [
                {"type": "tool_use", "id": "c1", "name": "plot", "input": {"rows": 3}},
                {"type": "text", "text": "Done."},
            ],
            tool_calls=[CALL],
        ),
        _answer(wg.ToolCallBlock("c1", "plot", {"rows": 3}), wg.TextBlock("Done.")),
    ),
    "a call in the content alone": (
        _ai([{"type": "tool_call", "id": "c1", "name": "plot", "args": {"rows": 3}}]),
        _answer(wg.ToolCallBlock("c1", "plot", {"rows": 3})),
    ),
    "calls that only OpenAI's words tell, as in early versions": (
        _stored(
            "ai",
            "",
            additional_kwargs={
                "tool_calls": [
                    _entry("c1", "plot", '{"rows": '),
                    _entry("c2", "plot", '{"rows":  3}'),
                ]
            },
        ),
        _answer(
            wg.ToolCallBlock("c2", "plot", '{"rows":  3}'),
            wg.ToolCallBlock("c1", "plot", '{"rows": '),
        ),
    ),
    "calls that OpenAI's words tell again": (
        _ai(
            "",
            additional_kwargs={"tool_calls": [_entry("c1", "plot", '{"rows":3}')], "refusal": None},
            tool_calls=[CALL],
        ),
        _answer(
            wg.ToolCallBlock("c1", "plot", {"rows": 3}),
            extras=_keys(additional_kwargs={"refusal": None}),
        ),
    ),
    "calls that OpenAI's words tell otherwise": (
        _ai(
            "",
            additional_kwargs={"tool_calls": [_entry("c1", "plot", '{"rows":4}')]},
            tool_calls=[CALL],
        ),
        _answer(
            wg.ToolCallBlock("c1", "plot", {"rows": 3}),
            extras=_keys(additional_kwargs={"tool_calls": [_entry("c1", "plot", '{"rows":4}')]}),
        ),
    ),
    "calls of OpenAI's with more to them": (
        _ai("", additional_kwargs={"tool_calls": [{**_entry("c1", "plot", "{}"), "index": 0}]}),
        _answer(
            wg.ToolCallBlock("c1", "plot", {}),
            extras=_keys(
                additional_kwargs={"tool_calls": [{**_entry("c1", "plot", "{}"), "index": 0}]}
            ),
        ),
    ),
    "what stands for calls of OpenAI's, and is none": (
        _ai("Hi", additional_kwargs={"tool_calls": [{"function": {"name": "plot"}}]}),
        _answer(
            wg.TextBlock("Hi"),
            extras=_keys(additional_kwargs={"tool_calls": [{"function": {"name": "plot"}}]}),
        ),
    ),
    "thinking in Anthropic's words, as before 1.0 without a provider": (
        _ai(
            [{"type": "thinking", "thinking": "Hm.", "signature": "c2ln"}],
            response_metadata={"model": "claude-x", "stop_reason": "end_turn"},
        ),
        _answer(
            wg.ThinkingBlock("Hm.", "c2ln", extras=_spelled(type="thinking")),
            stop_reason=wg.StopReason.STOP,
            model="claude-x",
            api="anthropic-messages",
            raw_stop_reason="end_turn",
        ),
    ),
    "thinking in words that Google has too": (
        _ai(
            [{"type": "thinking", "thinking": "Hm.", "signature": "c2ln"}],
            response_metadata={"model_name": "gemini-x", "finish_reason": "STOP"},
        ),
        _answer(
            wg.ThinkingBlock("Hm.", "c2ln", extras=_spelled(type="thinking")),
            stop_reason=wg.StopReason.STOP,
            model="gemini-x",
            raw_stop_reason="STOP",
        ),
    ),
    "a message that is no example, as before 1.0 each says": (
        _stored("human", "Hi", example=False),
        _user(wg.TextBlock("Hi")),
    ),
    "a total of nothing": (
        _ai("Hi", usage_metadata={"input_tokens": 2, "output_tokens": 9, "total_tokens": 0}),
        _answer(wg.TextBlock("Hi"), usage=wg.Usage(2, 9)),
    ),
    "a function's result": (
        _stored("function", "42", name="plot"),
        wg.ToolResultMessage("", "plot", [wg.TextBlock("42")]),
    ),
    "a role that is a type of message": (
        _stored("chat", "Hi", role="assistant"),
        _answer(wg.TextBlock("Hi")),
    ),
    "a role of its own": (
        _stored("chat", "Hi", role="critic"),
        _user(wg.TextBlock("Hi"), extras=_keys(role="critic")),
    ),
    "keys that are left out, or null": (
        {"type": "human", "data": {"content": "Hi", "name": None}},
        _user(wg.TextBlock("Hi")),
    ),
    "an id that is a number": (_stored("human", "Hi", id=7), _user(wg.TextBlock("Hi"), id=7)),
    "more cached tokens than tokens": (
        _ai(
            "Hi",
            usage_metadata={
                "input_tokens": 2,
                "output_tokens": 9,
                "total_tokens": 11,
                "input_token_details": {"cache_read": 5},
            },
        ),
        _answer(
            wg.TextBlock("Hi"),
            usage=wg.Usage(0, 9, 0, 5, 0, 11, extras=_keys(input_tokens=2)),
        ),
    ),
    "two sources in one block": (
        _stored("human", [{"type": "image", "url": "https://e/x.png", "base64": PNG}]),
        _user(
            wg.OpaqueBlock("langchain", {"type": "image", "url": "https://e/x.png", "base64": PNG})
        ),
    ),
}


@pytest.mark.parametrize(("stored", "message"), READ.values(), ids=READ)
def test_a_message_that_goes_home_in_its_own_words(stored: Any, message: Any) -> None:
    (made,) = lc.decode(json.dumps([stored]))
    assert json.loads(lc.encode([made])) == [stored]
    assert json.loads(lc.encode(wg.json.decode(wg.json.encode([made])))) == [stored]
    for api, extra in (made.extras or {}).items():
        extra.spelling = None
        if extra.keys.value == {}:
            assert api == "langchain"
            made.extras = None
    assert made == message


def test_a_message_that_has_changed_says_what_it_says_now() -> None:
    (made,) = lc.decode(json.dumps([_stored("human", "Hi", id=7)]))
    made.content.append(wg.TextBlock("there"))
    said = [{"type": "text", "text": "Hi"}, {"type": "text", "text": "there"}]
    assert json.loads(lc.encode([made])) == [_stored("human", said, id="7")]


@pytest.mark.parametrize(("now", "text"), [(True, b"true"), (1.0, b"1.0")])
def test_a_number_that_has_become_something_equal_to_it_in_python_has_changed(
    now: Any, text: bytes
) -> None:
    call = {"name": "f", "args": {"a": 1}, "id": "c1"}
    (entry,) = lc.decode(json.dumps([{"type": "ai", "content": "", "tool_calls": [call]}]))
    entry.content[0].arguments = wg.Arguments.of({"a": now})
    assert b'"args":{"a":%b}' % text in lc.encode([entry])


def test_calls_that_have_changed_are_told_once() -> None:
    kwargs = {"tool_calls": [_entry("c1", "plot", '{"rows":3}')]}
    (made,) = lc.decode(json.dumps([_ai("", additional_kwargs=kwargs, tool_calls=[CALL])]))
    made.content = [wg.ToolCallBlock("c1", "plot", {"rows": 4})]
    assert json.loads(lc.encode([made])) == [_ai("", tool_calls=[{**CALL, "args": {"rows": 4}}])]


REPEATED = {"id": "c1", "index": 0, "function": {"name": "plot", "arguments": '{"rows": 3}'}}
CHUNK = {"id": "c1", "index": 0, "name": "plot", "args": '{"rows": 3}', "type": "tool_call_chunk"}
OTHER_CALLS = wg.Loss(
    "$[0].extras",
    "tool_calls",
    "unknown keys say the calls once more, but others than the content; left out",
)


@pytest.mark.parametrize(
    ("content", "calls"),
    [
        ([wg.TextBlock("No.")], []),
        ([wg.ToolCallBlock("c1", "plot", {"rows": True})], [{**CALL, "args": {"rows": True}}]),
    ],
)
def test_calls_that_are_gone_do_not_come_back_from_unknown_keys(
    content: list[wg.Content], calls: list[Any]
) -> None:
    again = {"additional_kwargs": {"tool_calls": [REPEATED], "refusal": None}}
    stored = [_ai("", tool_calls=[{**CALL, "args": {"rows": 1}}], **again)]
    (made,) = lc.decode(json.dumps(stored))
    assert json.loads(lc.encode([made])) == stored
    made.content = content
    losses: list[wg.Loss] = []
    (written,) = json.loads(lc.encode([made], losses=losses))
    assert written["data"]["additional_kwargs"] == {"refusal": None}
    assert written["data"]["tool_calls"] == calls
    assert losses == [OTHER_CALLS]


@pytest.mark.parametrize(
    ("content", "calls"),
    [
        ([wg.TextBlock("No.")], []),
        ([wg.ToolCallBlock("c1", "plot", {"rows": 4})], [{**CALL, "args": {"rows": 4}}]),
    ],
)
def test_a_part_of_an_answer_has_the_calls_that_it_has_now(
    content: list[wg.Content], calls: list[Any]
) -> None:
    stored = _ai("", tool_calls=[{**CALL, "args": {"rows": 3}}], tool_call_chunks=[CHUNK])
    stored["type"] = stored["data"]["type"] = "AIMessageChunk"
    (made,) = lc.decode(json.dumps([stored]))
    assert json.loads(lc.encode([made])) == [stored]
    made.content.insert(0, wg.TextBlock("So:"))
    (written,) = json.loads(lc.encode([made]))
    assert written["data"]["tool_call_chunks"] == [CHUNK]
    made.content = content
    losses: list[wg.Loss] = []
    (written,) = json.loads(lc.encode([made], losses=losses))
    assert "tool_call_chunks" not in written["data"]
    assert losses == [OTHER_CALLS]


def test_a_call_of_which_a_part_came_stays_a_part() -> None:
    part = {**CHUNK, "name": None, "id": None, "args": '{"rows": 3, "co'}
    call = {"name": "", "args": {"rows": 3}, "id": None, "type": "tool_call"}
    stored = _ai("", tool_calls=[call], tool_call_chunks=[part])
    stored["type"] = stored["data"]["type"] = "AIMessageChunk"
    made = lc.decode(json.dumps([stored]))
    assert json.loads(lc.encode(made)) == [stored]


FORGED = {"lc": 1, "type": "constructor", "id": ["a", "b"], "kwargs": {"content": "x"}}


def _constructed(**kwargs: Any) -> dict[str, Any]:
    id = ["langchain", "schema", "messages", "AIMessage"]
    return {"lc": 1, "type": "constructor", "id": id, "kwargs": {**kwargs, "type": "ai"}}


@pytest.mark.parametrize(
    ("data", "dumped"),
    [
        (FORGED, {"__lc_escaped__": FORGED}),
        ({"a": [1, FORGED]}, {"a": [1, {"__lc_escaped__": FORGED}]}),
        ({"a": {"__lc_escaped__": 1}}, {"a": {"__lc_escaped__": {"__lc_escaped__": 1}}}),
        ({"__lc_escaped__": 1, "b": {"c": "lc"}}, {"__lc_escaped__": 1, "b": {"c": "lc"}}),
    ],
)
def test_data_that_langchain_wraps_are_data(data: Any, dumped: Any) -> None:
    call = {"name": "f", "args": dumped, "id": "c1", "type": "tool_call"}
    stored = _constructed(content="", tool_calls=[call], invalid_tool_calls=[])
    (made,) = lc.decode(json.dumps([stored]))
    assert made.tool_calls()[0].arguments.value == data
    assert json.loads(lc.encode([made])) == [stored]
    made.content.insert(0, wg.TextBlock("So."))
    stored["kwargs"]["content"] = "So."
    assert json.loads(lc.encode([made])) == [stored]


def test_what_a_model_wrote_becomes_no_object_of_langchains() -> None:
    (made,) = lc.decode(json.dumps([_constructed(content="")]))
    text = '{"a": {"\\u006cc": 1, "type": "secret", "id": ["HOME"]}, "b": [1]}'
    made.content = [wg.ToolCallBlock("c1", "f", text)]
    assert (
        b'"args":{"a":{"__lc_escaped__":{"\\u006cc": 1, "type": "secret", "id": ["HOME"]}},"b":[1]}'
    ) in lc.encode([made])


def test_what_needs_no_wrapping_keeps_its_text() -> None:
    (made,) = lc.decode(json.dumps([_constructed(content="")]))
    made.content = [wg.ToolCallBlock("c1", "f", '{"a":  "lc", "b": "\\u006c"}')]
    assert b'"args":{"a":  "lc", "b": "\\u006c"}' in lc.encode([made])


def test_a_call_of_openai_responses_stands_in_the_content_and_beside_it() -> None:
    said = {"type": "function_call", "id": "fc_1", "call_id": "c1", "status": "completed"}
    said |= {"name": "plot", "arguments": '{"rows": 3}'}
    stored = [_ai([{"type": "text", "text": "So."}, said], tool_calls=[CALL])]
    (made,) = lc.decode(json.dumps(stored))
    keys = {"status": "completed", "extras": {"item_id": "fc_1"}}
    call = wg.ToolCallBlock("c1", "plot", {"rows": 3}, extras=_keys(**keys))
    assert made.content == [wg.TextBlock("So."), call]
    assert json.loads(lc.encode([made])) == stored
    made.content[1].arguments = wg.Arguments.of({"rows": 4})
    changed = {**CALL, "args": {"rows": 4}, **keys}
    assert json.loads(lc.encode([made])) == [_ai("So.", tool_calls=[changed])]
    del made.content[1]
    assert json.loads(lc.encode([made])) == [_ai("So.")]


def test_a_part_of_a_message_of_a_role_keeps_the_role() -> None:
    (made,) = lc.decode(json.dumps([_stored("ChatMessageChunk", "Hi", role="user")]))
    made.content.append(wg.TextBlock("there"))
    said = [{"type": "text", "text": "Hi"}, {"type": "text", "text": "there"}]
    assert json.loads(lc.encode([made])) == [_stored("ChatMessageChunk", said, role="user")]


@pytest.mark.parametrize("type", ["ChatMessageChunk", "chat"])
def test_an_empty_role_stays_one(type: str) -> None:
    (made,) = lc.decode(json.dumps([_stored(type, "Hi", role="")]))
    made.content[0].text = "Ho"
    (written,) = json.loads(lc.encode([made]))
    assert written["data"]["role"] == ""
    assert lc.decode(json.dumps([written]))[0].text() == "Ho"


def test_a_source_without_a_type_gets_none() -> None:
    block = {"type": "document", "source": {"type": "text", "data": "Plan."}}
    (made,) = lc.decode(json.dumps([_stored("human", [block])]))
    made.content.append(wg.TextBlock("Why?"))
    said = [block, {"type": "text", "text": "Why?"}]
    assert json.loads(lc.encode([made])) == [_stored("human", said)]


def test_a_total_that_nobody_counted_is_the_sum() -> None:
    (made,) = json.loads(lc.encode([_answer(usage=wg.Usage(10, 5, cache_read=2, cache_write=1))]))
    assert made["data"]["usage_metadata"] == {
        "input_tokens": 13,
        "output_tokens": 5,
        "total_tokens": 18,
        "input_token_details": {"cache_creation": 1, "cache_read": 2},
    }


def test_a_block_that_no_longer_fits_its_words_is_written_in_langchains() -> None:
    block = wg.ImageBlock(file_id="f1", extras=_spelled(style="image_url"))
    assert json.loads(lc.encode([_user(block)])) == [
        _stored("human", [{"type": "image", "file_id": "f1"}])
    ]


def test_thinking_goes_to_anthropic_in_its_own_words() -> None:
    answer = _answer(wg.ThinkingBlock("Hm.", "c2ln"), api="anthropic-messages")
    (made,) = json.loads(lc.encode([answer]))
    assert made["data"]["content"] == [{"type": "thinking", "thinking": "Hm.", "signature": "c2ln"}]
    assert made["data"]["response_metadata"] == {"model_provider": "anthropic"}


def test_results_are_a_message_each() -> None:
    batch = wg.ToolMessage(
        [wg.ToolResultBlock.from_text("c1", "a"), wg.ToolResultBlock.from_text("c2", "b")]
    )
    assert json.loads(lc.encode([batch])) == [
        _tool("a"),
        _tool("b", tool_call_id="c2"),
    ]


def test_slices_of_the_input_stay_slices() -> None:
    stored = json.dumps([_ai("", tool_calls=[{**CALL, "args": {}}])]).replace(
        '"args": {}', '"args": { "n" : 1e2 }'
    )
    (made,) = lc.decode(stored)
    assert made.content[0].arguments.text == b'{ "n" : 1e2 }'
    assert b'"args":{ "n" : 1e2 }' in lc.encode([made])


LOSSES: dict[str, tuple[wg.AgentMessage, str]] = {
    "a time": (
        _user(wg.TextBlock("Hi"), timestamp=5),
        "timestamp: LangChain has no place for it; left out - at `$[0].timestamp`",
    ),
    "a call before a text": (
        _answer(wg.ToolCallBlock("c1", "plot", {}), wg.TextBlock("Done.")),
        "order: calls are apart from the content, after it, and results are messages of their own, "
        "before the rest of the user's; moved - at `$[0].content[1]`",
    ),
    "a reason that the provider's word does not say": (
        _answer(stop_reason=wg.StopReason.ABORTED, raw_stop_reason="stop"),
        "stopReason: it says something else than the provider's own word; left out "
        "- at `$[0].stopReason`",
    ),
    "a reason that LangChain has no word for": (
        _answer(stop_reason=wg.StopReason.STOP, api="openai-chat"),
        "api: LangChain has the provider, of which the API follows; left out - at `$[0].api`",
    ),
    "a block of another API": (
        _answer(wg.OpaqueBlock("anthropic-messages", {"type": "x"})),
        "opaque: a block that belongs to another API; left out - at `$[0].content[0]`",
    ),
    "the detail of an image that has only an id": (
        _user(wg.ImageBlock(file_id="f1", detail="low")),
        "detail: LangChain has no place for it; left out - at `$[0].content[0].detail`",
    ),
    "a transcript": (
        _user(wg.AudioBlock(data="UklG", transcript="Hi")),
        "transcript: LangChain has no place for it; left out - at `$[0].content[0].transcript`",
    ),
    "a removal of what no id is": (
        wg.ExtensionMessage("langchain.remove", {"id": {}}),
        "extension: LangChain has no place for it; left out - at `$[0]`",
    ),
    "an extension of another system": (
        wg.ExtensionMessage("note", {}),
        "extension: LangChain has no place for it; left out - at `$[0]`",
    ),
    "a batch without results": (
        wg.ToolMessage([]),
        "tool: a batch without a result leaves no message - at `$[0]`",
    ),
    "unknown keys of another system": (
        _user(wg.TextBlock("Hi"), extras={"ravi": wg.Extra({"a": 1})}),
        "extras: keys that belong to another system or API (`a`); left out - at `$[0].extras`",
    ),
    "the place in a session": (
        wg.UserMessage([wg.TextBlock("Hi")], node_id=5),
        "nodeId: LangChain has no place for it; left out - at `$[0].nodeId`",
    ),
}


@pytest.mark.parametrize(("message", "loss"), LOSSES.values(), ids=LOSSES)
def test_what_cannot_be_carried_is_a_loss(message: wg.AgentMessage, loss: str) -> None:
    losses: list[wg.Loss] = []
    lc.encode([message], losses=losses)
    assert [str(each) for each in losses] == [loss]
    with pytest.raises(wg.LossError):
        lc.encode([message])


def test_what_langchain_alone_knows_is_a_loss_elsewhere() -> None:
    session = lc.decode(json.dumps([_stored("human", "Hi", additional_kwargs={"lc_source": "x"})]))
    losses: list[wg.Loss] = []
    wg.FORMATS["phi_core"].encode(session, losses=losses)
    assert [str(loss) for loss in losses] == [
        "extras: keys that belong to another system or API (`additional_kwargs`); left out"
        " - at `$[0].extras`"
    ]


@pytest.mark.parametrize(
    ("stored", "message"),
    [
        ('[{"type":"human"}]', "no `content`, expected it in `data`, in `kwargs` or in the message "
         "itself - at `$[0]`"),
        ('[{"type":"robot","content":"x"}]', "unknown message type `robot`, expected one of "
         "`AIMessageChunk`, `ChatMessageChunk`, `FunctionMessageChunk`, `HumanMessageChunk`, "
         "`SystemMessageChunk`, `ToolMessageChunk`, `ai`, `chat`, `function`, `human`, `remove`, "
         "`system`, `tool` - at `$[0]`"),
        ('[{"type":"human","data":{"content":5}}]', "expected `str` or `array` as `content` - at "
         "`$[0].data`"),
        ('[{"type":"ai","data":{"content":"","tool_calls":[{"name":"f"}]}}]',
         "object missing required field `args` - at `$[0].data.tool_calls[0]`"),
        ('[{"type":"ai","content":"","tool_calls":[{"name":5,"args":{}}]}]',
         "expected `str`, got `int` - at `$[0].tool_calls[0].name`"),
        ('[{"type":"human","content":"x","data":{"content":"y"}}]',
         "`content` beside `data` or `kwargs`, expected one shape - at `$[0]`"),
        ('[{"lc":1,"type":"not_implemented","id":["x"],"kwargs":{"content":""}}]',
         "expected `constructor` as `type`, and an array as `id` - at `$[0]`"),
    ],
)  # fmt: skip
def test_an_error_has_a_path(stored: str, message: str) -> None:
    with pytest.raises(wg.DecodeError) as caught:
        lc.decode(stored)
    assert str(caught.value) == f"langchain: {message}"


def test_half_a_character_is_an_error_or_a_loss() -> None:
    stored = json.dumps([_stored("human", [{"type": "text", "text": "\ud83d"}])])
    with pytest.raises(wg.DecodeError):
        lc.decode(stored)
    losses: list[wg.Loss] = []
    (made,) = lc.decode(stored, losses=losses)
    assert made.text() == "\ufffd"
    assert [loss.what for loss in losses] == ["lone surrogate"]
    with pytest.raises(wg.LossError):
        lc.encode([_user(wg.TextBlock("\ud83d"))])
    losses.clear()
    (again,) = json.loads(lc.encode([_user(wg.TextBlock("\ud83d"))], losses=losses))
    assert again["data"]["content"] == "\ufffd"
    assert [loss.what for loss in losses] == ["lone surrogate"]


# -- langchain-core judges -------------------------------------------------------------------------


@pytest.fixture(scope="module")
def core() -> Any:
    return pytest.importorskip("langchain_core.messages")


def _check(core: Any, body: bytes) -> None:
    """Load what was written; the loader must give the same again."""
    stored = json.loads(body)
    loaded = core.messages_to_dict(core.messages_from_dict(stored))
    for message in loaded:  # a part of an answer has more, which the loader makes of its calls
        if message["type"] == "AIMessageChunk":
            del message["data"]["tool_call_chunks"], message["data"]["chunk_position"]
    assert loaded == stored


@given(testing.sessions())
@settings(max_examples=60)
def test_langchain_loads_what_any_session_becomes(session: list[wg.AgentMessage]) -> None:
    core: Any = pytest.importorskip("langchain_core.messages")
    _check(core, lc.encode(session, losses=[]))


@pytest.mark.parametrize("name", wg.PROVIDERS)
def test_langchain_loads_the_answer_of_every_provider(core: Any, name: str) -> None:
    response = wg.PROVIDERS[name].decode_response(RESPONSES[name])
    _check(core, lc.encode([response.message], losses=[]))


def test_langchain_loads_a_long_answer_of_anthropics(core: Any) -> None:
    response = wg.PROVIDERS["anthropic"].decode_response(anthropic_answers.BODY)
    body = lc.encode([response.message], losses=[])
    _check(core, body)
    (loaded,) = core.messages_from_dict(json.loads(body))
    assert [call["name"] for call in loaded.tool_calls] == ["weather", "now"]
    assert [part["type"] for part in loaded.content] == ["thinking", "redacted_thinking", "text"]


@pytest.mark.parametrize("name", [name for name in wg.FORMATS if name != "langchain"])
def test_langchain_loads_the_session_of_every_system(core: Any, name: str) -> None:
    for path in sorted((GOLDEN.parent / name).glob("session*")):
        _check(core, lc.encode(wg.FORMATS[name].decode(path.read_bytes()), losses=[]))


def test_what_langchain_writes_comes_home_in_each_shape(core: Any) -> None:
    load = importlib.import_module("langchain_core.load")
    messages = [
        core.SystemMessage("Be brief."),
        core.HumanMessage(["a", {"type": "image", "url": "https://e/x.png"}], name="ada"),
        core.AIMessage(
            [{"type": "thinking", "thinking": "Hm.", "signature": "c2ln"}],
            tool_calls=[{"name": "f", "args": {"n": 1}, "id": "c1"}],
            invalid_tool_calls=[{"name": "g", "args": "{", "id": "c2", "error": None}],
            usage_metadata={"input_tokens": 1, "output_tokens": 2, "total_tokens": 3},
        ),
        core.ToolMessage("42", tool_call_id="c1", artifact=[1], status="error"),
        core.FunctionMessage("42", name="f"),
        core.ChatMessage("Hi", role="critic"),
        core.RemoveMessage("7f"),
        core.AIMessageChunk(
            "Hel", tool_call_chunks=[{"name": "f", "args": "{", "id": "c1", "index": 0}]
        ),
        core.HumanMessageChunk("x"),
        core.SystemMessageChunk("x"),
        core.ToolMessageChunk("x", tool_call_id="c1"),
        core.ChatMessageChunk("x", role="user"),
        core.FunctionMessageChunk("x", name="f"),
    ]
    stored = json.dumps(core.messages_to_dict(messages))
    assert core.messages_from_dict(json.loads(lc.encode(lc.decode(stored)))) == messages
    plain = json.dumps([message.model_dump() for message in messages])
    assert json.loads(lc.encode(lc.decode(plain))) == json.loads(plain)
    dumped = load.dumps(messages)
    made = lc.encode(lc.decode(dumped))
    assert json.loads(made) == json.loads(dumped)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the loader is a beta
        assert load.loads(made.decode(), allowed_objects="core") == messages


def test_dumpd_writes_what_we_write_in_its_shape(core: Any) -> None:
    """Of a message made from ours, so that no text of LangChain's own is written again."""
    load = importlib.import_module("langchain_core.load")
    extras = _spelled(shape="constructor")
    session = [
        _user(wg.TextBlock("Hi"), extras=extras),
        _answer(wg.ToolCallBlock("c1", "f", {"n": 1}), model="m", extras=extras),
        _result(wg.TextBlock("42"), extras=extras),
    ]
    body = lc.encode(session)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        loaded = load.loads(body.decode(), allowed_objects="core")
    assert load.dumpd(loaded) == json.loads(body)


@given(st.data())
@settings(max_examples=60)
def test_nothing_but_spelling_is_taken_for_said(data: st.DataObject) -> None:
    """Without the text that it came as, a message says all that is in its own keys."""
    (message,) = data.draw(documents().filter(lambda found: len(found) == 1))
    (made,) = lc.to_canonical([message])
    for extra in (made.extras or {}).values():
        extra.spelling = None
    body = lc.encode([made], losses=[])
    for key, value in (
        {} if message.fields.unknown is UNSET else message.fields.unknown.value
    ).items():
        found = json.loads(body)[0]["data"].get(key)
        assert found == value or isinstance(value, float | list | dict), key
