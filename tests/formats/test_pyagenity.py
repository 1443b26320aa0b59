"""PyAgenity's messages, both ways, against literal bytes and literal canonical messages."""

import json
from pathlib import Path
from typing import Any

import pytest

import wireglot as wg
from wireglot.formats import pyagenity as pa

_REST = (
    '"delta":false,"tools_calls":%s,"reasoning":%s,"timestamp":1754000000.123,"metadata":%s,'
    '"usages":null,"raw":null,"parsed_content":null}'
)
_PLAIN = _REST % ("null", "null", "{}")
_REF = (
    '{"kind":"%s","url":%s,"file_id":%s,"data_base64":%s,"mime_type":%s,"size_bytes":null,'
    '"sha256":null,"filename":null,"width":null,"height":null,"duration_ms":null,"page":null}'
)
URL = _REF % ("url", '"https://e.com/a"', "null", "null", "null")
FILE = _REF % ("file_id", "null", '"file-1"', "null", "null")
INLINE = _REF % ("data", "null", "null", '"iVBORw0KGgo="', '"image/png"')
FULL = (
    '{"kind":"url","url":"https://e.com/a","file_id":null,"data_base64":null,'
    '"mime_type":"image/png","size_bytes":8,"sha256":"ab","filename":"a.png","width":640,'
    '"height":480,"duration_ms":12,"page":3}'
)


def _user(*blocks: str) -> str:
    return f'{{"message_id":"m1","role":"user","content":[{",".join(blocks)}],{_PLAIN}'


def _extras(keys: Any = None, spelling: Any = None, dialect: str | None = None) -> wg.Extras:
    return {"pyagenity": wg.Extra(keys or {}, spelling, dialect)}


BLOCKS = {
    "text": (
        '{"type":"text","text":"Où ?","annotations":[]}',
        wg.TextBlock("Où ?"),
    ),
    "text with sources": (
        '{"type":"text","text":"so","annotations":[{"url":"https://e.com","file_id":null,"page":2,'
        '"index":0,"title":"T"}]}',
        wg.TextBlock("so", [wg.AnnotationRef("https://e.com", "T", None, 2, 0)]),
    ),
    "an image by URL, all that is known of it": (
        f'{{"type":"image","media":{FULL},"alt_text":"chart","bbox":[0.0,0.0,1.5,2.0]}}',
        wg.ImageBlock(
            url="https://e.com/a",
            mime_type="image/png",
            filename="a.png",
            size=8,
            sha256="ab",
            width=640,
            height=480,
            duration_ms=12,
            page=3,
            alt_text="chart",
            bbox=[0.0, 0.0, 1.5, 2.0],
        ),
    ),
    "an inline image": (
        f'{{"type":"image","media":{INLINE},"alt_text":null,"bbox":null}}',
        wg.ImageBlock.from_base64("iVBORw0KGgo=", "image/png"),
    ),
    "an image that a provider holds": (
        f'{{"type":"image","media":{FILE},"alt_text":null,"bbox":null}}',
        wg.ImageBlock.from_file_id("file-1"),
    ),
    "an image in a data URL": (
        '{"type":"image","media":'
        + _REF % ("url", '"data:image/png;base64,AAEC"', "null", "null", "null")
        + ',"alt_text":null,"bbox":null}',
        wg.ImageBlock(url="data:image/png;base64,AAEC"),
    ),
    "a sound": (
        f'{{"type":"audio","media":{URL},"transcript":"hi","sample_rate":16000,"channels":1}}',
        wg.AudioBlock(url="https://e.com/a", transcript="hi", sample_rate=16000, channels=1),
    ),
    "a film with a still": (
        f'{{"type":"video","media":{URL},"thumbnail":{FILE}}}',
        wg.VideoBlock(url="https://e.com/a", thumbnail=wg.ImageBlock(file_id="file-1")),
    ),
    "a document": (
        f'{{"type":"document","media":{FILE},"text":"all","pages":[1,2],"excerpt":"a"}}',
        wg.DocumentBlock(file_id="file-1", text="all", pages=[1, 2], excerpt="a"),
    ),
    "data": (
        '{"type":"data","mime_type":"application/json","data_base64":"e30=","media":null}',
        wg.DataBlock.from_base64("e30=", "application/json"),
    ),
    **{
        f"data of which the `{key}` is known": (
            '{"type":"data","mime_type":"x/y","data_base64":"AAEC","media":'
            + (_REF % ("url", "null", "null", "null", '"x/y"')).replace(
                f'"{key}":null', f'"{key}":{value}'
            )
            + "}",
            wg.DataBlock(data=wg.Media.from_base64("AAEC"), mime_type="x/y", **known),
        )
        for key, value, known in [
            ("sha256", '"ab"', {"sha256": "ab"}),
            ("filename", '"a.png"', {"filename": "a.png"}),
            ("width", "640", {"width": 640}),
            ("height", "480", {"height": 480}),
            ("duration_ms", "12", {"duration_ms": 12}),
            ("page", "3", {"page": 3}),
            ("size_bytes", "8", {"size": 8}),
        ]
    },
    "data elsewhere": (
        '{"type":"data","mime_type":"text/csv","data_base64":null,"media":'
        + _REF % ("url", '"https://e.com/a"', "null", "null", '"text/csv"')
        + "}",
        wg.DataBlock(url="https://e.com/a", mime_type="text/csv"),
    ),
    "a result that is text": (
        '{"type":"tool_result","call_id":"c1","output":"plain","is_error":false,'
        '"status":"completed"}',
        wg.ToolResultBlock("c1", content=[wg.TextBlock("plain")], status="completed"),
    ),
    "a result that is other JSON": (
        '{"type":"tool_result","call_id":"c1","output":{"k":[1.5]},"is_error":true,"status":null}',
        wg.ToolResultBlock(
            "c1",
            content=[wg.TextBlock('{"k":[1.5]}')],
            is_error=True,
            extras={"pyagenity": wg.Extra({}, wg.RawJson('{"output":{"k":[1.5]}}'))},
        ),
    ),
    "a result that is a list of blocks": (
        '{"type":"tool_result","call_id":"c1","output":[{"type":"text","text":"a",'
        f'"annotations":[]}},{{"type":"image","media":{INLINE},"alt_text":null,"bbox":null}}],'
        '"is_error":false,"status":"failed"}',
        wg.ToolResultBlock(
            "c1",
            content=[
                wg.TextBlock("a"),
                wg.ImageBlock.from_base64("iVBORw0KGgo=", "image/png"),
            ],
            status="failed",
        ),
    ),
    "a result that is one block in a list": (
        '{"type":"tool_result","call_id":"c1","output":[{"type":"text","text":"a",'
        '"annotations":[]}],"is_error":false,"status":null}',
        wg.ToolResultBlock(
            "c1",
            content=[wg.TextBlock("a")],
            extras=_extras(None, {"output": [{"type": "text", "text": "a", "annotations": []}]}),
        ),
    ),
    "a result that is a list of blocks in other words": (
        '{"type":"tool_result","call_id":"c1","output":[{"text":"a","type":"text"},'
        '{"text":"b","type":"text"}],"is_error":false,"status":null}',
        wg.ToolResultBlock(
            "c1",
            content=[wg.TextBlock("a"), wg.TextBlock("b")],
            extras=_extras(
                None, {"output": [{"text": "a", "type": "text"}, {"text": "b", "type": "text"}]}
            ),
        ),
    ),
    "a result that is a list of no blocks": (
        '{"type":"tool_result","call_id":"c1","output":[{"type":"fallback"}],"is_error":false,'
        '"status":null}',
        wg.ToolResultBlock(
            "c1",
            content=[wg.TextBlock('[{"type":"fallback"}]')],
            extras=_extras(None, {"output": [{"type": "fallback"}]}),
        ),
    ),
    "a result that is text with sources": (
        '{"type":"tool_result","call_id":"c1","output":[{"type":"text","text":"a","annotations":'
        '[{"url":"u","file_id":null,"page":null,"index":null,"title":null}]}],"is_error":false,'
        '"status":null}',
        wg.ToolResultBlock(
            "c1",
            content=[wg.TextBlock("a", [wg.AnnotationRef("u")])],
            extras=_extras(
                None,
                {
                    "output": [
                        {
                            "type": "text",
                            "text": "a",
                            "annotations": [
                                {
                                    "url": "u",
                                    "file_id": None,
                                    "page": None,
                                    "index": None,
                                    "title": None,
                                }
                            ],
                        }
                    ]
                },
            ),
        ),
    ),
    "a result that is nothing": (
        '{"type":"tool_result","call_id":"c1","output":null,"is_error":false,"status":null}',
        wg.ToolResultBlock("c1"),
    ),
    "a result that is an empty list": (
        '{"type":"tool_result","call_id":"c1","output":[],"is_error":false,"status":null}',
        wg.ToolResultBlock("c1", extras=_extras(None, {"output": []})),
    ),
    "references": (
        '{"type":"annotation","kind":"note","refs":[{"url":null,"file_id":"f","page":null,'
        '"index":null,"title":null}],"spans":[[0,5]]}',
        wg.AnnotationBlock("note", [wg.AnnotationRef(file_id="f")], [(0, 5)]),
    ),
    "a citation": (
        '{"type":"annotation","kind":"citation","refs":[],"spans":null}',
        wg.AnnotationBlock("citation"),
    ),
    "an error": (
        '{"type":"error","message":"boom","code":"E1","data":{"a":1}}',
        wg.ErrorBlock("boom", "E1", {"a": 1}),
    ),
    "a call that the client is to run": (
        '{"type":"remote_tool_call","id":"r1","name":"ui","args":{"a":1},"tool_type":"remote"}',
        wg.OpaqueBlock(
            "pyagenity",
            {
                "type": "remote_tool_call",
                "id": "r1",
                "name": "ui",
                "args": {"a": 1},
                "tool_type": "remote",
            },
        ),
    ),
    "a reference of a kind that its source is not": (
        '{"type":"image","media":'
        + _REF % ("data", '"https://e.com/a"', "null", "null", "null")
        + ',"alt_text":null,"bbox":null}',
        wg.ImageBlock(url="https://e.com/a", extras=_extras(None, {"media": {"kind": "data"}})),
    ),
    "a reference with several sources, of which the kind names one": (
        '{"type":"image","media":'
        + _REF % ("url", '"https://e.com/a"', '"f"', '"AAEC"', "null")
        + ',"alt_text":null,"bbox":null}',
        wg.ImageBlock(
            url="https://e.com/a",
            extras=_extras({"media": {"data_base64": "AAEC", "file_id": "f"}}),
        ),
    ),
    "a reference with several sources, of which the kind names none": (
        '{"type":"audio","media":'
        + _REF % ("file_id", '"https://e.com/a"', "null", '"AAEC"', "null")
        + ',"transcript":null,"sample_rate":null,"channels":null}',
        wg.AudioBlock(
            data=wg.Media.from_base64("AAEC"),
            extras=_extras({"media": {"url": "https://e.com/a"}}, {"media": {"kind": "file_id"}}),
        ),
    ),
    "a reference to nothing": (
        '{"type":"image","media":'
        + _REF % ("url", "null", "null", "null", "null")
        + ',"alt_text":null,"bbox":null}',
        wg.ImageBlock(),
    ),
    "data in its reference": (
        f'{{"type":"data","mime_type":"image/png","data_base64":null,"media":{INLINE}}}',
        wg.DataBlock(
            data=wg.Media.from_base64("iVBORw0KGgo="),
            mime_type="image/png",
            extras=_extras(None, {"data_base64": None, "media": {}}),
        ),
    ),
    "data twice, of two types": (
        f'{{"type":"data","mime_type":"x/y","data_base64":"AAEC","media":{INLINE}}}',
        wg.DataBlock(
            data=wg.Media.from_base64("AAEC"),
            mime_type="x/y",
            extras=_extras(
                {"media": {"data_base64": "iVBORw0KGgo=", "mime_type": "image/png"}},
                {"media": {"kind": "data"}},
            ),
        ),
    ),
    "a document of a version without text": (
        f'{{"type":"document","media":{FILE},"pages":null,"excerpt":null}}',
        wg.DocumentBlock(file_id="file-1", extras=_extras(None, {"text": False})),
    ),
    "unknown keys at every level": (
        '{"type":"video","media":'
        + URL[:-1]
        + ',"etag":1},"thumbnail":'
        + FILE[:-1]
        + ',"blur":[true]},"mood":"x"}',
        wg.VideoBlock(
            url="https://e.com/a",
            thumbnail=wg.ImageBlock(file_id="file-1", extras=_extras({"media": {"blur": [True]}})),
            extras=_extras({"media": {"etag": 1}, "mood": "x"}),
        ),
    ),
}


@pytest.mark.parametrize(("text", "block"), BLOCKS.values(), ids=BLOCKS)
def test_a_block_both_ways(text: str, block: Any) -> None:
    body = f"[{_user(text)}]"
    user = wg.UserMessage([block], 1754000000123, "m1")
    if isinstance(block, wg.ToolResultBlock):
        user.extras = _extras(None, {"together": True})
    assert pa.decode(body) == [user]
    assert pa.encode([user]).decode() == body
    assert pa.encode(pa.decode(text, pa.ContentBlock)).decode() == text
    assert pa.from_canonical([user]) == pa.decode(body, list[pa.Message])
    (through_native,) = wg.json.decode(wg.json.encode([user]))
    assert pa.encode([through_native]).decode() == body


def _answer(
    *blocks: str, calls: str = "null", reasoning: str = "null", metadata: str = "{}"
) -> str:
    head = f'{{"message_id":7,"role":"assistant","content":[{",".join(blocks)}],'
    return head + _REST % (calls, reasoning, metadata)


def _canonical(*content: wg.Content, **more: Any) -> wg.Message:
    return wg.AssistantMessage([*content], timestamp=1754000000123, id=7, **more)


CALL = '{"type":"tool_call","id":"c1","name":"plot","args":%s,"tool_type":null}'
ENTRY = '{"id":"c1","type":"function","function":{"name":"plot","arguments":"%s"}}'
NO_BLOCK = _extras(None, {"block": False})


def _entry(text: str, **more: Any) -> dict[str, Any]:
    made = {"id": "c1", "type": "function", "function": {"name": "plot", "arguments": text}}
    return {**made, **more}


ANSWERS = {
    "thinking, and the string that repeats it": (
        _answer('{"type":"reasoning","summary":"so","details":["a"]}', reasoning='"so"'),
        _canonical(wg.ThinkingBlock("so", details=["a"])),
    ),
    "thinking in the block alone": (
        _answer('{"type":"reasoning","summary":"so","details":null}'),
        _canonical(wg.ThinkingBlock("so"), extras=_extras(None, {"reasoning": None})),
    ),
    "thinking in the string alone": (
        _answer('{"type":"text","text":"a","annotations":[]}', reasoning='"so"'),
        _canonical(wg.ThinkingBlock("so", extras=NO_BLOCK), wg.TextBlock("a")),
    ),
    "a string that joins two thoughts in another way": (
        _answer(
            '{"type":"reasoning","summary":"a","details":null}',
            '{"type":"reasoning","summary":"b","details":null}',
            reasoning='"a\\nb"',
        ),
        _canonical(
            wg.ThinkingBlock("a"),
            wg.ThinkingBlock("b"),
            extras=_extras(None, {"reasoning": "a\nb"}),
        ),
    ),
    "a string that says something else": (
        _answer('{"type":"reasoning","summary":"a","details":null}', reasoning='"b"'),
        _canonical(wg.ThinkingBlock("a"), extras=_extras({"reasoning": "b"}, {"thoughts": ["a"]})),
    ),
    "a string that says nothing": (
        _answer(reasoning='""'),
        _canonical(extras=_extras(None, {"reasoning": ""})),
    ),
    "a call as a block and as an entry": (
        _answer(CALL % '{"x":100.0}', calls=f"[{ENTRY}]" % r"{\"x\": 1e2}"),
        _canonical(wg.ToolCallBlock("c1", "plot", '{"x": 1e2}')),
    ),
    "two calls that are the same": (
        _answer(CALL % "{}", CALL % "{}", calls=f"[{ENTRY},{ENTRY}]" % ("{}", "{}")),
        _canonical(wg.ToolCallBlock("c1", "plot", "{}"), wg.ToolCallBlock("c1", "plot", "{}")),
    ),
    "an entry with its place in the stream": (
        _answer(CALL % "{}", calls=f"[{ENTRY[:-1]},%s]" % ("{}", '"index":0}')),
        _canonical(
            wg.ToolCallBlock("c1", "plot", "{}"),
            extras=_extras(None, {"tools_calls": [_entry("{}", index=0)]}),
        ),
    ),
    "a call in the block alone": (
        _answer(CALL % '{"x":1}'),
        _canonical(
            wg.ToolCallBlock("c1", "plot", '{"x":1}'), extras=_extras(None, {"tools_calls": None})
        ),
    ),
    "a call in the entry alone": (
        _answer(calls=f"[{ENTRY}]" % "{}"),
        _canonical(wg.ToolCallBlock("c1", "plot", "{}", extras=NO_BLOCK)),
    ),
    "a call that the provider has run is no entry": (
        _answer((CALL % "{}").replace('"tool_type":null', '"tool_type":"server_tool"')),
        _canonical(wg.ToolCallBlock("c1", "plot", "{}", tool_type="server_tool")),
    ),
    "an entry that says otherwise than the block": (
        _answer(CALL % '{"x":1}', calls=f"[{ENTRY}]" % r"{\"x\": true}"),
        _canonical(
            wg.ToolCallBlock("c1", "plot", '{"x":1}'),
            extras=_extras(
                {"tools_calls": [_entry('{"x": true}')]},
                {"calls": [["c1", "plot", '{"x":1}', None]]},
            ),
        ),
    ),
    "text that is no JSON, beside a block of no arguments": (
        _answer(CALL % "{}", calls=f"[{ENTRY}]" % r"{\"half"),
        _canonical(wg.ToolCallBlock("c1", "plot", '{"half')),
    ),
    "text that is not an object, beside a block of no arguments": (
        _answer(CALL % "{}", calls=f"[{ENTRY}]" % "[1]"),
        _canonical(wg.ToolCallBlock("c1", "plot", "[1]")),
    ),
    "empty text, which says no arguments": (
        _answer(CALL % "{}", calls=f"[{ENTRY}]" % ""),
        _canonical(wg.ToolCallBlock("c1", "plot", "")),
    ),
    "an entry that is no call": (
        _answer(calls='[{"id":"c1","type":"custom"}]'),
        _canonical(
            extras=_extras({"tools_calls": [{"id": "c1", "type": "custom"}]}, {"calls": []})
        ),
    ),
    "an entry with keys of its own": (
        _answer(CALL % "{}", calls=f"[{ENTRY[:-1]},%s]" % ("{}", '"caller":1}')),
        _canonical(
            wg.ToolCallBlock("c1", "plot", "{}"),
            extras=_extras(
                {"tools_calls": [_entry("{}", caller=1)]}, {"calls": [["c1", "plot", "{}", None]]}
            ),
        ),
    ),
    "no calls, as an empty list": (
        _answer(calls="[]"),
        _canonical(extras=_extras(None, {"tools_calls": []})),
    ),
    "Gemini's signature of a call": (
        _answer(
            CALL % "{}",
            calls=f"[{ENTRY[:-1]},%s]" % ("{}", '"thought_signature":"c2ln"}'),
            metadata='{"provider":"google_genai","finish_reason":"FinishReason.STOP"}',
        ),
        _canonical(
            wg.ToolCallBlock("c1", "plot", "{}", signature="c2ln"),
            stop_reason=wg.StopReason.TOOL_USE,
            provider="google_genai",
            api="gemini-generate-content",
            raw_stop_reason="FinishReason.STOP",
        ),
    ),
    "Gemini's signature of a call whose entry has no type": (
        _answer(
            CALL % "{}",
            calls='[{"id":"c1","function":{"name":"plot","arguments":"{}"},'
            '"thought_signature":"c2ln"}]',
        ),
        _canonical(
            wg.ToolCallBlock("c1", "plot", "{}", signature="c2ln"),
            api="gemini-generate-content",
            extras=_extras(
                None,
                {
                    "tools_calls": [
                        {
                            "id": "c1",
                            "function": {"name": "plot", "arguments": "{}"},
                            "thought_signature": "c2ln",
                        }
                    ]
                },
            ),
        ),
    ),
    "who answered, and why it stopped": (
        _answer(
            metadata='{"provider":"anthropic","model":"claude-x","finish_reason":"end_turn",'
            '"node_name":"n"}'
        ),
        _canonical(
            stop_reason=wg.StopReason.STOP,
            model="claude-x",
            provider="anthropic",
            raw_stop_reason="end_turn",
            metadata={"node_name": "n"},
        ),
    ),
    "a reason that nobody knows, a model that is no text": (
        _answer(metadata='{"finish_reason":"UNKNOWN","model":7}'),
        _canonical(raw_stop_reason="UNKNOWN", metadata={"model": 7}),
    ),
    "a delta": (
        _answer('{"type":"text","text":"a","annotations":[]}').replace(
            '"delta":false', '"delta":true'
        ),
        _canonical(wg.TextBlock("a"), delta=True),
    ),
    "the response, and what was parsed": (
        _answer()
        .replace('"raw":null', '"raw":{"id":"x"}')
        .replace('"parsed_content":null', '"parsed_content":{"a":1.5}'),
        _canonical(raw={"id": "x"}, parsed={"a": 1.5}),
    ),
}


@pytest.mark.parametrize(("text", "message"), ANSWERS.values(), ids=ANSWERS)
def test_an_answer_both_ways(text: str, message: Any) -> None:
    _check_both_ways(text, message)


def _check_both_ways(text: str, message: Any) -> None:
    assert pa.decode(text) == [message]
    assert pa.encode([message]).decode() == f"[{text}]"
    assert pa.encode(pa.decode(text, pa.Message)).decode() == text
    assert pa.from_canonical([message]) == [pa.decode(text, pa.Message)]
    assert wg.json.decode(wg.json.encode([message])) == [message]


RESULT = '{"type":"tool_result","call_id":"%s","output":"a","is_error":false,"status":null}'
USAGES = (
    '{"completion_tokens":5,"prompt_tokens":113,"total_tokens":118,"reasoning_tokens":2,'
    '"cache_creation_input_tokens":3,"cache_read_input_tokens":10,"image_tokens":0,'
    '"audio_tokens":null}'
)


def _tool(*blocks: str, metadata: str = "{}") -> str:
    head = f'{{"message_id":"m1","role":"tool","content":[{",".join(blocks)}],'
    return head + _REST % ("null", "null", metadata)


def _text_result(call_id: str, tool_name: str | None = None) -> wg.ToolResultBlock:
    return wg.ToolResultBlock(call_id, tool_name, [wg.TextBlock("a")])


OTHERS = {
    "a system prompt": (
        _user('{"type":"text","text":"a","annotations":[]}').replace("user", "system"),
        wg.SystemMessage([wg.TextBlock("a")], 1754000000123, "m1"),
    ),
    "a result, and its function in the metadata": (
        _tool(RESULT % "c1", metadata='{"function_name":"f","tool_call_id":"c1"}'),
        wg.ToolMessage(
            [_text_result("c1", "f")], 1754000000123, "m1", metadata={"tool_call_id": "c1"}
        ),
    ),
    "a result, and an error beside it": (
        _tool(RESULT % "c1", '{"type":"error","message":"x","code":null,"data":null}'),
        wg.ToolMessage([_text_result("c1"), wg.ErrorBlock("x")], 1754000000123, "m1"),
    ),
    "results together, of no function that could be named": (
        _tool(RESULT % "c1", RESULT % "c2", metadata='{"function_name":"f"}'),
        wg.ToolMessage(
            [_text_result("c1"), _text_result("c2")],
            1754000000123,
            "m1",
            metadata={"function_name": "f"},
            extras=_extras(None, {"together": True}),
        ),
    ),
    "a user's message with all that only answers have a canonical field for": (
        _user()
        .replace('"tools_calls":null', '"tools_calls":[{"id":1}]')
        .replace('"reasoning":null', '"reasoning":"r"')
        .replace('"usages":null', '"usages":' + USAGES[:-1] + ',"tier":"x"}')
        .replace('"raw":null', '"raw":{}')
        .replace('"parsed_content":null', '"parsed_content":{"a":1}'),
        wg.UserMessage(
            [],
            1754000000123,
            "m1",
            extras=_extras(
                {
                    "tools_calls": [{"id": 1}],
                    "reasoning": "r",
                    "usages": {**json.loads(USAGES), "tier": "x"},
                    "raw": {},
                    "parsed_content": {"a": 1},
                }
            ),
        ),
    ),
    "a part of a system prompt, and an unknown key": (
        _user().replace("user", "system").replace('"delta":false', '"delta":true')[:-1]
        + ',"mood":1}',
        wg.SystemMessage([], 1754000000123, "m1", extras=_extras({"delta": True, "mood": 1})),
    ),
    "a time that nobody knows": (
        _user().replace("1754000000.123", "null"),
        wg.UserMessage([], id="m1"),
    ),
    "a time finer than a millisecond": (
        _user().replace("1754000000.123", "1754000000.123456"),
        wg.UserMessage(
            [], 1754000000123, "m1", extras=_extras(None, {"timestamp": 1754000000.123456})
        ),
    ),
}


@pytest.mark.parametrize(("text", "message"), OTHERS.values(), ids=OTHERS)
def test_another_message_both_ways(text: str, message: Any) -> None:
    _check_both_ways(text, message)


USAGE = wg.Usage(100, 5, 2, 10, 3, 118, 0)


@pytest.mark.parametrize(
    ("provider", "usages", "usage"),
    [
        ("openai", USAGES, USAGE),
        ("litellm", USAGES, USAGE),
        ("anthropic", USAGES.replace("113", "100"), USAGE),
        (
            "openai",
            USAGES.replace("113", "12"),
            wg.Usage(12, 5, 2, 10, 3, 118, 0, extras=_extras(None, {"prompt_tokens": 12})),
        ),
        (
            "openai",
            USAGES.replace("118", "0"),
            wg.Usage(100, 5, 2, 10, 3, 0, 0, extras=_extras(None, {"total_tokens": 0})),
        ),
    ],
    ids=[
        "of OpenAI the prompt has the cached tokens in it",
        "of LiteLLM too",
        "of Anthropic it has not",
        "a prompt of less than its cached part stays what it was",
        "a total of nothing stays that",
    ],
)
def test_usage_both_ways(provider: str, usages: str, usage: wg.Usage) -> None:
    text = _answer(metadata=f'{{"provider":"{provider}"}}').replace(
        '"usages":null', f'"usages":{usages}'
    )
    _check_both_ways(text, _canonical(provider=provider, usage=usage))


@pytest.mark.parametrize(
    ("change", "prompt"),
    [({"input": 7}, 17), ({"input": 100}, 110), ({"cache_read": 2}, 7), ({}, 5)],
)
def test_a_prompt_of_less_than_is_cached_is_counted_anew_when_it_is_no_longer(
    change: dict[str, int], prompt: int
) -> None:
    usages = pa.TokenUsages(
        completion_tokens=1, prompt_tokens=5, total_tokens=6, cache_read_input_tokens=10
    )
    (message,) = pa.to_canonical([pa.Message(role="assistant", content=[], usages=usages)])
    assert message.usage.input == 5
    for name, count in change.items():
        setattr(message.usage, name, count)
    (made,) = pa.from_canonical([message])
    assert made.usages.prompt_tokens == prompt
    assert pa.to_canonical([made])[0].usage.input == message.usage.input


def test_a_total_that_nobody_counted_is_the_sum() -> None:
    (made,) = json.loads(pa.encode([_canonical(usage=wg.Usage(100, 5, cache_read=10))]))
    assert made["usages"]["prompt_tokens"] == 110
    assert made["usages"]["total_tokens"] == 115


def test_the_smallest_document_comes_home_without_an_id_and_a_time() -> None:
    message = wg.UserMessage([], extras=_extras(None, {"timestamp": None}, "0.3.9"))
    assert pa.decode(b'{"role":"user","content":[]}') == [message]
    assert pa.encode([message]).decode() == (
        '[{"role":"user","content":[],"delta":false,"tools_calls":null,"reasoning":null,'
        '"metadata":{},"usages":null,"raw":null}]'
    )


def test_one_message_alone_and_json_lines_are_read_too() -> None:
    text = BLOCKS["text"][0]
    (message,) = pa.decode(f"[{_user(text)}]")
    assert pa.decode(_user(text)) == [message]
    assert pa.decode("\ufeff\n" + _user(text) + "\n\n" + _user(text)) == [message, message]
    assert pa.encode([message, message], lines=True).decode() == (_user(text) + "\n") * 2
    own = pa.decode(_user(text), pa.Message)
    assert pa.encode([own, own], lines=True).decode() == (_user(text) + "\n") * 2
    assert pa.encode((own, message)).decode() == f"[{_user(text)},{_user(text)}]"


# -- what comes from elsewhere --------------------------------------------------------------------


def test_results_of_a_batch_become_a_message_each_since_a_model_gets_one_of_each() -> None:
    batch = wg.ToolMessage(
        [_text_result("c1", "f"), wg.ErrorBlock("x"), _text_result("c2")],
        1754000000123,
        "m1",
        metadata={"k": 1},
    )
    error = '{"type":"error","message":"x","code":null,"data":null}'
    first = _tool(RESULT % "c1", error, metadata='{"function_name":"f","k":1}')
    second = _tool(RESULT % "c2", metadata='{"k":1}').replace('"message_id":"m1",', "")
    assert pa.encode([batch]).decode() == f"[{first},{second}]"


def test_results_among_a_users_blocks_become_messages_before_the_rest() -> None:
    user = wg.UserMessage([wg.TextBlock("go on"), _text_result("c1")], 1754000000123, "m1")
    text = '{"type":"text","text":"go on","annotations":[]}'
    rest = _user(text).replace('"message_id":"m1",', "")
    losses: list[wg.Loss] = []
    assert pa.encode([user], losses=losses).decode() == f"[{_tool(RESULT % 'c1')},{rest}]"
    assert [(loss.path, loss.what) for loss in losses] == [("$[0].content[1]", "order")]
    user.content.reverse()
    assert pa.encode([user]).decode() == f"[{_tool(RESULT % 'c1')},{rest}]"
    user.content.pop()
    assert pa.encode([user]).decode() == f"[{_tool(RESULT % 'c1')}]"


def test_messages_that_were_one_have_metadata_of_their_own() -> None:
    batch = wg.ToolMessage([_text_result("c1"), _text_result("c2")], metadata={"k": 1})
    first, second = pa.from_canonical([batch])
    first.metadata["k"] = 2
    assert second.metadata == batch.metadata == {"k": 1}


def test_half_a_character_inside_an_output_of_blocks_is_a_loss_with_its_path() -> None:
    result = wg.ToolResultMessage("c1", content=[wg.TextBlock("\ud83d"), wg.TextBlock("b")])
    losses: list[wg.Loss] = []
    assert "\ufffd" in pa.encode([result], losses=losses).decode()
    assert [loss.path for loss in losses] == ["$[0].content[0].text"]


def test_many_calls_under_one_id_are_paired_in_order() -> None:
    count = 20_000  # one by one beside one by one would take minutes
    blocks = [pa.ToolCallBlock("c", "f", {"n": n}) for n in range(count)]
    entries = [
        {"id": "c", "type": "function", "function": {"name": "f", "arguments": f'{{"n": {n}}}'}}
        for n in reversed(range(count))
    ]
    own = pa.Message(role="assistant", content=[*blocks], tools_calls=entries)
    (message,) = pa.to_canonical([own])
    assert message.content[7].arguments.text == b'{"n": 7}'
    assert pa.from_canonical([message]) == [own]


def test_a_result_of_its_own_is_a_tool_message() -> None:
    result = wg.ToolResultMessage(
        "c1", "f", [wg.TextBlock("a")], False, 1754000000123, id="m1", status="done"
    )
    losses: list[wg.Loss] = []
    text = _tool(RESULT % "c1", metadata='{"function_name":"f"}')
    assert pa.encode([result], losses=losses).decode() == f"[{text}]"
    assert [loss.what for loss in losses] == ["status"]


def test_an_answer_from_elsewhere_has_its_calls_and_thoughts_in_both_places() -> None:
    answer = wg.AssistantMessage(
        [wg.ThinkingBlock("so"), wg.TextBlock("a"), wg.ToolCallBlock("c1", "plot", '{"x": 1}')],
        wg.StopReason.TOOL_USE,
        "gpt-x",
        "openai",
        timestamp=1754000000123,
        id=7,
        metadata={"n": 1},
    )
    assert (
        pa.encode([answer]).decode()
        == "["
        + _answer(
            '{"type":"reasoning","summary":"so","details":null}',
            '{"type":"text","text":"a","annotations":[]}',
            CALL % '{"x":1}',
            calls=f"[{ENTRY}]" % r"{\"x\": 1}",
            reasoning='"so"',
            metadata='{"provider":"openai","model":"gpt-x","finish_reason":"tool_calls","n":1}',
        )
        + "]"
    )


@pytest.mark.parametrize(
    ("reason", "word"),
    [
        ("stop", "stop"),
        ("length", "length"),
        ("toolUse", "tool_calls"),
        ("guardRail", "content_filter"),
        ("paused", "pause_turn"),
        ("error", "error"),
        ("aborted", "aborted"),
        ("maxTurns", "maxTurns"),
        ("userStop", "userStop"),
        ("handoff", "handoff"),
        ("contextCompacted", "contextCompacted"),
    ],
)
def test_every_reason_to_stop_has_a_word_that_is_read_as_it(reason: str, word: str) -> None:
    (made,) = pa.from_canonical([wg.AssistantMessage([], wg.StopReason(reason))])
    assert made.metadata == {"finish_reason": word}
    (again,) = pa.to_canonical([made])
    assert again.stop_reason == reason
    assert again.raw_stop_reason == word


@pytest.mark.parametrize(
    ("word", "reason"),
    [
        ("tool_calls", "toolUse"),
        ("function_call", "toolUse"),
        ("content_filter", "guardRail"),
        ("completed", "stop"),
        ("incomplete", "length"),
        ("failed", "error"),
        ("cancelled", "aborted"),
        ("end_turn", "stop"),
        ("max_tokens", "length"),
        ("stop_sequence", "stop"),
        ("tool_use", "toolUse"),
        ("pause_turn", "paused"),
        ("refusal", "guardRail"),
        ("model_context_window_exceeded", "length"),
        ("STOP", "stop"),
        ("FinishReason.STOP", "stop"),
        ("MAX_TOKENS", "length"),
        ("SAFETY", "guardRail"),
        ("RECITATION", "guardRail"),
        ("BLOCKLIST", "guardRail"),
        ("PROHIBITED_CONTENT", "guardRail"),
        ("SPII", "guardRail"),
        ("MALFORMED_FUNCTION_CALL", "error"),
    ],
)
def test_a_word_of_a_provider_says_why_the_answer_stopped(word: str, reason: str) -> None:
    (message,) = pa.decode(_answer(metadata=f'{{"finish_reason":"{word}"}}'))
    assert message.stop_reason == reason
    assert message.raw_stop_reason == word


@pytest.mark.parametrize("word", ["STOP", "completed"])
def test_an_answer_that_ended_with_calls_stopped_for_them(word: str) -> None:
    text = _answer(CALL % "{}", calls=f"[{ENTRY}]" % "{}", metadata=f'{{"finish_reason":"{word}"}}')
    (message,) = pa.decode(text)
    assert message.stop_reason == "toolUse"
    assert message.raw_stop_reason == word


def test_data_of_no_declared_type_gets_the_one_that_it_shows() -> None:
    png = wg.DataBlock(data=wg.Media.from_base64("iVBORw0KGgo="))
    (made,) = pa.from_canonical([wg.UserMessage([png, wg.DataBlock(data=b"?")])])
    assert [block.mime_type for block in made.content] == [
        "image/png",
        "application/octet-stream",
    ]


def test_own_messages_stay_as_they_are_among_canonical_ones() -> None:
    own = pa.Message(role="user", content=[])
    made = pa.from_canonical([own, wg.UserMessage([])])
    assert made[0] is own
    assert len(made) == 2


# -- spellings that no longer say what the message says ------------------------------------------


def _changed(text: str, change: Any) -> Any:
    (entry,) = pa.decode(text)
    change(entry)
    losses: list[wg.Loss] = []
    (made,) = pa.from_canonical([entry], losses=losses)
    return made, [loss.what for loss in losses]


def test_entries_are_made_anew_when_a_call_changes() -> None:
    def rename(message: Any) -> None:
        message.content[0].name = "draw"

    made, losses = _changed(ANSWERS["a call as a block and as an entry"][0], rename)
    assert [entry["function"]["name"] for entry in made.tools_calls] == ["draw"]
    assert losses == []
    made, losses = _changed(ANSWERS["an entry with its place in the stream"][0], rename)
    assert made.tools_calls == [{**_entry("{}"), "function": {"name": "draw", "arguments": "{}"}}]
    assert losses == []
    made, losses = _changed(ANSWERS["an entry with keys of its own"][0], rename)
    assert [entry["function"]["name"] for entry in made.tools_calls] == ["draw"]
    assert losses == ["extras"]


def test_a_call_that_is_added_gets_an_entry() -> None:
    def add(message: Any) -> None:
        message.content.append(wg.ToolCallBlock("c2", "f", {}))

    made, losses = _changed(ANSWERS["a call in the entry alone"][0], add)
    assert [block.id for block in made.content] == ["c1", "c2"]  # else `c1` would come after `c2`
    assert [entry["id"] for entry in made.tools_calls] == ["c1", "c2"]
    assert losses == []


def _read_again(message: wg.AssistantMessage) -> tuple[list[str], list[Any]]:
    """Return which blocks an answer is written with, and what is read of it."""
    (made,) = pa.from_canonical([message])
    (again,) = pa.to_canonical([made])
    read = [getattr(block, "thinking", None) or block.id for block in again.content]
    return [block.__struct_config__.tag for block in made.content], read


def _answers(*names: str) -> list[Any]:
    return [pa.decode(ANSWERS[name][0])[0] for name in names]


def test_a_thought_in_the_string_alone_gets_a_block_beside_another() -> None:
    (message,) = _answers("thinking in the string alone")
    message.content = [message.content[0], wg.ThinkingBlock("then")]
    assert _read_again(message) == (["reasoning", "reasoning"], ["so", "then"])
    message, other = _answers(*["thinking in the string alone"] * 2)
    message.content = [message.content[0], other.content[0]]
    assert _read_again(message) == (["reasoning", "reasoning"], ["so", "so"])
    message.content = [wg.ToolCallBlock("c1", "f", {}), other.content[0]]
    assert _read_again(message) == (["tool_call", "reasoning"], ["c1", "so"])
    message.content = [other.content[0]]
    assert _read_again(message) == ([], ["so"])


def test_a_thought_in_the_string_alone_is_said_where_there_was_no_string() -> None:
    message, other = _answers("thinking in the block alone", "thinking in the string alone")
    message.content = [other.content[0]]
    assert _read_again(message) == ([], ["so"])


def test_a_call_in_the_entry_alone_gets_a_block_before_what_follows_it() -> None:
    message, other = _answers(*["a call in the entry alone"] * 2)
    assert _read_again(message) == ([], ["c1"])
    message.content.append(wg.ThinkingBlock("then"))
    assert _read_again(message) == (["tool_call", "reasoning"], ["c1", "then"])
    message.content = [wg.ToolCallBlock("c2", "f", {}), other.content[0]]
    assert _read_again(message) == (["tool_call"], ["c2", "c1"])
    message.content = [wg.ToolCallBlock("c1", "f", {"a": 1}), other.content[0]]
    assert _read_again(message) == (["tool_call", "tool_call"], ["c1", "c1"])


def test_calls_in_entries_alone_are_read_in_the_order_of_the_entries() -> None:
    entries = [{**_entry("{}"), "id": call_id} for call_id in ("c1", "c2", "c1")]
    (message,) = pa.to_canonical([pa.Message(role="assistant", content=[], tools_calls=entries)])
    assert [call.id for call in message.content] == ["c1", "c2", "c1"]
    assert pa.from_canonical([message])[0].tools_calls == entries


def test_what_only_a_block_can_say_makes_one() -> None:
    def tell_more(message: Any) -> None:
        if isinstance(message.content[0], wg.ThinkingBlock):
            message.content[0].details = ["a"]
        else:
            message.content[0].tool_type = "web_search"

    made, losses = _changed(ANSWERS["a call in the entry alone"][0], tell_more)
    assert made.content == [pa.ToolCallBlock("c1", "plot", {}, "web_search")]
    assert (made.tools_calls, losses) == ([_entry("{}")], [])
    made, losses = _changed(ANSWERS["thinking in the string alone"][0], tell_more)
    assert made.content[0] == pa.ReasoningBlock("so", ["a"])
    assert (made.reasoning, losses) == ("so", [])


def test_a_thought_that_is_removed_leaves_no_copy_behind() -> None:
    for name in (
        "thinking, and the string that repeats it",
        "a string that joins two thoughts in another way",
        "a string that says something else",
        "thinking in the string alone",
    ):
        made, _ = _changed(ANSWERS[name][0], lambda message: message.content.clear())
        assert made.reasoning is None
        assert made.content == []


def test_a_thought_that_changes_takes_its_copy_with_it() -> None:
    def think_again(message: Any) -> None:
        message.content[0].thinking = "c"

    for name, reasoning, lost in (
        ("thinking in the block alone", None, []),
        ("thinking in the string alone", "c", []),
        ("a string that joins two thoughts in another way", "cb", []),
        ("a string that says something else", "c", ["extras"]),
    ):
        made, losses = _changed(ANSWERS[name][0], think_again)
        assert (made.reasoning, losses) == (reasoning, lost)


def test_the_text_of_an_entry_is_the_models_own_in_whatever_order() -> None:
    (message,) = pa.decode(
        _answer(CALL % '{"a":1,"b":2}', calls=f"[{ENTRY}]" % r"{\"b\": 2, \"a\": 1}")
    )
    assert message.content == [wg.ToolCallBlock("c1", "plot", '{"b": 2, "a": 1}')]
    assert message.extras is None
    (own,) = pa.from_canonical([message])
    assert own.content[0].args == {"b": 2, "a": 1}


def test_a_result_with_more_than_text_is_a_list_of_blocks() -> None:
    sourced = wg.TextBlock("a", [wg.AnnotationRef("u")])
    marked = wg.TextBlock("a", extras=_extras({"mood": 1}))
    for block in (sourced, marked):
        (made,) = pa.from_canonical([wg.ToolMessage([wg.ToolResultBlock("c", None, [block])])])
        assert pa.to_canonical([made])[0].content[0].content == [block]


def test_thinking_that_nobody_can_read_has_no_copy() -> None:
    (made,) = pa.from_canonical(
        [wg.AssistantMessage([wg.ThinkingBlock("x", redacted=True)])], losses=[]
    )
    assert (made.content, made.reasoning) == ([], None)


def test_an_output_is_written_anew_when_its_content_changes() -> None:
    def shout(message: Any) -> None:
        message.content[0].content = [wg.TextBlock("A")]

    for name in (
        "a result that is other JSON",
        "a result that is one block in a list",
        "a result that is an empty list",
    ):
        made, _ = _changed(_user(BLOCKS[name][0]), shout)
        assert made.content[0].output == "A"


def test_a_source_that_changes_takes_its_kind_with_it() -> None:
    def to_file(message: Any) -> None:
        message.content[0].url, message.content[0].file_id = None, "f"

    made, _ = _changed(_user(BLOCKS["a reference of a kind that its source is not"][0]), to_file)
    assert made.content[0].media == pa.MediaRef("data", file_id="f")
    several = "a reference with several sources, of which the kind names one"
    made, _ = _changed(_user(BLOCKS[several][0]), to_file)
    assert made.content[0].media.kind == "file_id"


def test_a_time_that_changes_is_written_anew() -> None:
    def later(message: Any) -> None:
        message.timestamp += 1

    made, _ = _changed(OTHERS["a time finer than a millisecond"][0], later)
    assert made.timestamp == 1754000000.124


# -- what PyAgenity cannot carry -----------------------------------------------------------------


def _asked(*content: wg.Content) -> list[wg.Message]:
    return [wg.UserMessage([*content])]


def _answered(*content: wg.Content, **more: Any) -> list[wg.Message]:
    return [wg.AssistantMessage([*content], **more)]


LOST = {
    "a summary": ([wg.CompactionSummaryMessage("all")], "$[0]", "compactionSummary"),
    "a place in a session": (
        [wg.UserMessage([], node_id=1)],
        "$[0].nodeId",
        "nodeId",
    ),
    "a name": ([wg.UserMessage([], name="x")], "$[0].name", "name"),
    "a signature of thinking": (
        _answered(wg.TextBlock("a"), wg.ThinkingBlock("so", "c2ln")),
        "$[0].content[1].signature",
        "signature",
    ),
    "thinking that nobody can read": (
        _answered(wg.ThinkingBlock("", "x", redacted=True)),
        "$[0].content[0]",
        "redacted",
    ),
    "a signature of a call of another model": (
        _answered(wg.ToolCallBlock("c", "f", {}, signature="x"), provider="openrouter"),
        "$[0].content[0].signature",
        "signature",
    ),
    "a signature of a call in a result": (
        [
            wg.ToolMessage(
                [wg.ToolResultBlock("c", None, [wg.ToolCallBlock("d", "f", {}, signature="x")])]
            )
        ],
        "$[0].content[0].content[0].signature",
        "signature",
    ),
    "arguments that are no object, where there is no entry": (
        _asked(wg.ToolCallBlock("c", "f", "[1]")),
        "$[0].content[0].arguments",
        "arguments",
    ),
    "arguments that are no object, of a call that the provider has run": (
        _answered(wg.ToolCallBlock("c", "f", "[1]", tool_type="server_tool")),
        "$[0].content[0].arguments",
        "arguments",
    ),
    "the API": (_answered(api="openai-chat"), "$[0].api", "api"),
    "a provider's word beside another reason": (
        _answered(stop_reason=wg.StopReason.GUARD_RAIL, raw_stop_reason="stop"),
        "$[0].rawStopReason",
        "rawStopReason",
    ),
    "money": (
        _answered(usage=wg.Usage(cost=wg.Cost(1.0))),
        "$[0].usage.cost",
        "cost",
    ),
    "a time that no number of seconds says": (
        [wg.UserMessage([], 2**62 + 1)],
        "$[0].timestamp",
        "timestamp",
    ),
    "a time that is read as one beyond all counting": (
        [wg.UserMessage([], 2**63 - 1)],
        "$[0].timestamp",
        "timestamp",
    ),
    "another status": (
        [wg.ToolMessage([wg.ToolResultBlock("c", status="running")])],
        "$[0].content[0].status",
        "status",
    ),
    "another kind of annotation": (
        _asked(wg.AnnotationBlock("footnote")),
        "$[0].content[0].kind",
        "annotation kind",
    ),
    "what a source was cited for": (
        _asked(wg.TextBlock("a", [wg.AnnotationRef("u"), wg.AnnotationRef("u", start=1)])),
        "$[0].content[0].annotations[1].start",
        "start",
    ),
    "data of an error that is not an object": (
        _asked(wg.ErrorBlock("x", data=[1])),
        "$[0].content[0].data",
        "error data",
    ),
    "a response that is not an object": (_answered(raw=[1]), "$[0].raw", "raw"),
    "what was parsed and is no object": (_answered(parsed=[1]), "$[0].parsed", "parsed"),
    "the functions of results that stand together": (
        [
            wg.ToolMessage(
                [_text_result("c1", "f"), _text_result("c2")],
                extras=_extras(None, {"together": True}),
            )
        ],
        "$[0].content[0].toolName",
        "function name",
    ),
    "the function of a result that is no message's": (
        _answered(_text_result("c1", "f")),
        "$[0].content[0].toolName",
        "function name",
    ),
    "the function of a result in a result": (
        [wg.ToolMessage([wg.ToolResultBlock("c", "g", [_text_result("c1", "f")])])],
        "$[0].content[0].content[0].toolName",
        "function name",
    ),
    "a function in the metadata beside another": (
        [wg.ToolMessage([_text_result("c1", "f")], metadata={"function_name": "g"})],
        "$[0].metadata.function_name",
        "metadata key",
    ),
    "a model in the metadata beside another": (
        _answered(model="a", metadata={"model": "b"}),
        "$[0].metadata.model",
        "metadata key",
    ),
    "keys of a call that a client runs": (
        _answered(
            wg.OpaqueBlock(
                "pyagenity",
                {"type": "remote_tool_call", "id": "r", "name": "f"},
                extras={"pyagenity": wg.Extra({"x": 1})},
            )
        ),
        "$[0].content[0].extras",
        "extras",
    ),
    "another API's block": (_answered(wg.OpaqueBlock("x", {})), "$[0].content[0]", "opaque"),
    "an own block that is none": (
        _answered(wg.OpaqueBlock("pyagenity", {"type": "zip"})),
        "$[0].content[0]",
        "opaque",
    ),
    "how a still is described": (
        _asked(wg.VideoBlock(url="u", thumbnail=wg.ImageBlock(url="v", alt_text="x"))),
        "$[0].content[0].thumbnail.altText",
        "altText",
    ),
    "an unknown key of a still": (
        _asked(
            wg.VideoBlock(url="u", thumbnail=wg.ImageBlock(url="v", extras=_extras({"mood": 1})))
        ),
        "$[0].content[0].thumbnail.extras",
        "extras",
    ),
    "an unknown key of a call that has no block": (
        _answered(wg.ToolCallBlock("c", "f", {}, extras=_extras({"mood": 1}, {"block": False}))),
        "$[0].content[0].extras",
        "extras",
    ),
    "a mark for a cache": (
        _asked(wg.TextBlock("a", cache=wg.CacheMark())),
        "$[0].content[0].cache",
        "cache",
    ),
    "keys of an API": (
        _asked(wg.TextBlock("a", extras={"gemini": wg.Extra({"k": 1})})),
        "$[0].content[0].extras",
        "extras",
    ),
}


@pytest.mark.parametrize(("messages", "path", "what"), LOST.values(), ids=LOST)
def test_what_is_lost_is_said_to_be(messages: Any, path: str, what: str) -> None:
    losses: list[wg.Loss] = []
    pa.encode(messages, losses=losses)
    assert [(loss.path, loss.what) for loss in losses] == [(path, what)]
    with pytest.raises(wg.LossError) as caught:
        pa.encode(messages)
    assert caught.value.path == path
    assert caught.value.wire == "pyagenity"


OLDER = {
    "what was parsed": (_answered(parsed={}), "$[0].parsed", "parsed", "0.3.9"),
    "the text of a document": (
        _asked(wg.DocumentBlock(file_id="f", text="all")),
        "$[0].content[0].text",
        "text",
        "0.3.9",
    ),
    "a call that the client is to run": (
        [pa.decode(_user(BLOCKS["a call that the client is to run"][0]))[0]],
        "$[0].content[0]",
        "remote call",
        "0.3.6",
    ),
    "what was parsed of a user's message": (
        [wg.UserMessage([], extras=_extras({"parsed_content": {}}))],
        "$[0].extras",
        "parsed",
        "0.3.6",
    ),
    "a year of five digits": ([wg.UserMessage([], 2**48)], "$[0].timestamp", "timestamp", "0.3.6"),
}


@pytest.mark.parametrize(("messages", "path", "what", "version"), OLDER.values(), ids=OLDER)
def test_what_an_older_version_has_no_place_for_is_lost_there(
    messages: Any, path: str, what: str, version: Any
) -> None:
    losses: list[wg.Loss] = []
    pa.encode(messages, losses=losses, version=version)
    assert [(loss.path, loss.what) for loss in losses] == [(path, what)]
    pa.encode(messages, version="agentflow")


def test_a_result_that_is_in_two_messages_is_named_in_one() -> None:
    result = _text_result("c1", "f")
    losses: list[wg.Loss] = []
    pa.encode([wg.ToolMessage([result]), *_answered(result)], losses=losses)
    assert [(loss.path, loss.what) for loss in losses] == [
        ("$[1].content[0].toolName", "function name")
    ]


def test_what_is_no_message_or_no_block_is_refused() -> None:
    with pytest.raises(wg.EncodeError, match="pyagenity: `str`, expected a message"):
        pa.encode(["text"])
    with pytest.raises(wg.EncodeError, match="pyagenity: `str`, expected a content block"):
        pa.encode([wg.UserMessage(["text"])])
    odd = wg.UserMessage([], extras=_extras({"usages": 1}))
    with pytest.raises(wg.EncodeError, match="pyagenity: expected `object"):
        pa.encode([odd])


# -- what is refused ------------------------------------------------------------------------------

BROKEN = {
    "an unknown role": (
        '{"role":"developer","content":[]}',
        "invalid enum value 'developer' - at `$.role`",
    ),
    "an unknown block": (
        '{"role":"user","content":[{"type":"zip"}]}',
        (
            "unknown type `zip`,"
            " expected one of `text`, `image`, `audio`, `video`, `document`,"
            " `data`, `tool_call`, `remote_tool_call`, `tool_result`, `reasoning`,"
            " `annotation`, `error` - at `$.content[0].type`"
        ),
    ),
    "a block of no type": (
        '{"role":"user","content":[{"text":"a"}]}',
        "object missing required field `type` - at `$.content[0]`",
    ),
    "content that is text": (
        '{"role":"user","content":"hi"}',
        "expected `array`, got `str` - at `$.content`",
    ),
    "an unknown kind of reference": (
        '{"role":"user","content":[{"type":"image","media":{"kind":"path"}}]}',
        "invalid enum value 'path' - at `$.content[0].media.kind`",
    ),
    "arguments that are no object": (
        f'{{"role":"user","content":[{CALL % "[]"}]}}',
        "expected `object`, got `array` - at `$.content[0].args`",
    ),
    "arguments that are text": (
        '{"role":"user","content":[%s]}' % (CALL % r'"{\"a\":1}"'),
        "expected `object`, got `str` - at `$.content[0].args`",
    ),
    "a response that is not an object": (
        '{"role":"assistant","content":[],"raw":[1]}',
        "expected `object | null`, got `array` - at `$.raw`",
    ),
    "usage without its three counts": (
        '{"role":"assistant","content":[],"usages":{"prompt_tokens":1}}',
        "object missing required field `completion_tokens` - at `$.usages`",
    ),
    "a time that is none": (
        '{"role":"user","content":[],"timestamp":"soon"}',
        "not a time: Invalid isoformat string: 'soon' - at `$[0].timestamp`",
    ),
    "a time beyond all counting": (
        '{"role":"user","content":[],"timestamp":1e300}',
        "not a time: time out of range, expected milliseconds of 64 bits - at `$[0].timestamp`",
    ),
    "half a character": (
        '{"role":"user","content":[{"type":"text","text":"\\ud83d"}]}',
        (
            "lone surrogate: half a character is not Unicode text;"
            " U+FFFD takes its place; pass a list as `losses`, and read it - at `byte 49`"
        ),
    ),
}


@pytest.mark.parametrize(("text", "error"), BROKEN.values(), ids=BROKEN)
def test_what_pyagenity_refuses_is_refused(text: str, error: str) -> None:
    with pytest.raises(wg.DecodeError) as caught:
        pa.decode(text)
    assert str(caught.value) == f"pyagenity: {error}"


def test_half_a_character_is_replaced_where_losses_are_kept() -> None:
    losses: list[wg.Loss] = []
    (message,) = pa.decode(BROKEN["half a character"][0], losses=losses)
    assert message.text() == "\ufffd"
    assert [loss.what for loss in losses] == ["lone surrogate"]


def test_a_conversation_that_is_cut_off_is_a_decode_error() -> None:
    body = _answer(
        CALL % '{"x": 1}',
        BLOCKS["unknown keys at every level"][0],
        BLOCKS["a result that is a list of blocks"][0],
        calls=f"[{ENTRY}]" % r"{\"x\": 1}",
    )
    for end in range(len(body)):
        with pytest.raises(wg.DecodeError):
            pa.decode(body[:end])
    deep = '{"type":"tool_result","call_id":"c","output":' + "[" * 100_000
    with pytest.raises(wg.LimitError):
        pa.decode(f'{{"role":"tool","content":[{deep}')


def test_blocks_in_outputs_in_outputs_are_read_as_deep_as_they_go_or_refused() -> None:
    text = '"end"'
    for _ in range(40):
        text = f'[{{"type":"tool_result","call_id":"c","output":{text}}}]'
    message = f'{{"role":"tool","content":{text}}}'
    assert (
        json.loads(pa.encode(pa.decode(message)))[0]["content"][0]["output"]
        == (json.loads(message)["content"][0]["output"])
    )
    for _ in range(2000):
        text = f'[{{"type":"tool_result","call_id":"c","output":{text}}}]'
    with pytest.raises(wg.DecodeError):
        pa.decode(f'{{"role":"tool","content":{text}}}')


# -- the examples ---------------------------------------------------------------------------------

EXAMPLES = Path(__file__).parents[3] / "shared" / "formats" / "pyagenity.jsonl"
# Line 23 is the smallest document that there is: all that is missing is written out.
_DEFAULTS = {
    "delta": False,
    "tools_calls": None,
    "reasoning": None,
    "metadata": {},
    "usages": None,
    "raw": None,
}


def test_every_example_comes_back_the_same() -> None:
    if not EXAMPLES.exists():
        pytest.skip("the examples are not beside the repository")
    for number, line in enumerate(EXAMPLES.read_bytes().splitlines(), 1):
        kind: Any = pa.ContentBlock if number < 18 else pa.Message
        kind = pa.StreamChunk if number == 22 else kind
        own = pa.decode(line, kind)
        expected = json.loads(line) if number < 23 else {**json.loads(line), **_DEFAULTS}
        assert json.loads(pa.encode(own)) == expected, number
        if number == 22:
            continue
        messages = [own if kind is pa.Message else pa.Message(role="user", content=[own])]
        canonical = pa.to_canonical(messages)
        assert pa.from_canonical(canonical) == messages, number
        made = json.loads(pa.encode(canonical))[0]
        assert (made if kind is pa.Message else made["content"][0]) == expected, number
