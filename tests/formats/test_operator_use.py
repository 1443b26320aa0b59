"""Operator-Use's messages and what they hold, both ways, against literal bytes and messages."""

import json
from functools import partial
from typing import Any

import pytest
from hypothesis import given, settings

import wireglot as wg
from tests.formats.operator_use_documents import messages
from tests.memory import within
from wireglot.formats import operator_use as ou
from wireglot.formats._records import unknown
from wireglot.formats.operator_use import media

API = "operator-use"
PNG = "iVBORw0KGgoAAAAN"
GIF = "R0lGODlhAQABAAAAACw="
MP3 = "SUQzBAAAAAAA"
NO_COST = '"cost":{"input":0.0,"output":0.0,"cache_read":0.0,"cache_write":0.0,"total":0.0}'
NO_USAGE = (
    '"usage":{"input_tokens":0,"output_tokens":0,"cache_read_tokens":0,"cache_write_tokens":0,'
    f"{NO_COST}}}"
)
ANSWER = (
    '{"role":"assistant","contents":[%s],"id":"a1","timestamp":1700000002.0,'
    f'{NO_USAGE},"stop_reason":"tool_calls","error":""}}'
)
USER = '{"role":"user","contents":[%s],"id":"u1","timestamp":1700000001.0}'
TOOL = '{"role":"tool","contents":[%s],"id":"t1","timestamp":1700000003.0}'


def _extras(keys: Any = None, **spelling: Any) -> wg.Extras:
    return {API: wg.Extra(keys or {}, spelling or None)}


def _answer(*content: wg.Content, **more: Any) -> wg.Message:
    stop = more.pop("stop_reason", wg.StopReason.TOOL_USE)
    return wg.AssistantMessage([*content], stop, timestamp=1700000002000, id="a1", **more)


def _user(*content: wg.Content, **more: Any) -> wg.Message:
    return wg.UserMessage([*content], 1700000001000, "u1", **more)


def _results(*content: wg.Content) -> wg.Message:
    return wg.ToolMessage([*content], 1700000003000, "t1")


def _image(data: str, mime_type: str, **more: Any) -> wg.ImageBlock:
    return (
        wg.ImageBlock.from_base64(data, mime_type)
        if not more
        else wg.ImageBlock(data=wg.Media.from_base64(data), mime_type=mime_type, **more)
    )


BOTH_WAYS = {
    "a text": (USER % '{"type":"text","content":"Où ?"}', _user(wg.TextBlock("Où ?"))),
    "no content at all": (USER % "", _user()),
    "a system message": (
        '{"role":"system","contents":[{"type":"text","content":"Be brief"}],"id":"s1",'
        '"timestamp":1700000000.5}',
        wg.SystemMessage([wg.TextBlock("Be brief")], 1700000000500, "s1"),
    ),
    "a message without id and time, which are not made up": (
        '{"role":"user","contents":[]}',
        wg.UserMessage([]),
    ),
    "an image by URL and one inline in one list": (
        USER % f'{{"type":"image","images":["https://x/y.png","{PNG}"]}}',
        _user(wg.ImageBlock(url="https://x/y.png"), _image(PNG, "image/png")),
    ),
    "two lists of images, kept apart": (
        USER % f'{{"type":"image","images":["{GIF}"]}},{{"type":"image","images":["{PNG}"]}}',
        _user(_image(GIF, "image/gif"), _image(PNG, "image/png", extras=_extras(apart=True))),
    ),
    "an image of a kind that nobody can tell is a PNG": (
        USER % '{"type":"image","images":["AAAAAAAA"]}',
        _user(_image("AAAAAAAA", "image/png")),
    ),
    "a string that begins like a URL is one": (
        USER % '{"type":"image","images":["httpfoo"]}',
        _user(wg.ImageBlock(url="httpfoo")),
    ),
    "an empty list of images": (
        USER % '{"type":"image","images":[]}',
        _user(wg.OpaqueBlock(API, wg.RawJson('{"type":"image","images":[]}'))),
    ),
    "a list after an empty one": (
        USER % f'{{"type":"image","images":[]}},{{"type":"image","images":["{GIF}"]}}',
        _user(
            wg.OpaqueBlock(API, wg.RawJson('{"type":"image","images":[]}')),
            _image(GIF, "image/gif", extras=_extras(apart=True)),
        ),
    ),
    "sound inline and by path": (
        USER % f'{{"type":"audio","audio":["{MP3}","file:clip.mp3"]}}',
        _user(
            wg.AudioBlock.from_base64(MP3, "audio/mpeg"),
            wg.AudioBlock(url="file:clip.mp3", extras=_extras(url="file:clip.mp3")),
        ),
    ),
    "sound that is Opus, in an Ogg file": (
        USER % '{"type":"audio","audio":["T2dnUwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAE9wdXNIZWFk"]}',
        _user(
            wg.AudioBlock.from_base64(
                "T2dnUwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAE9wdXNIZWFk", "audio/ogg"
            )
        ),
    ),
    "sound of a kind that nobody can tell is MPEG": (
        USER % '{"type":"audio","audio":["AAAAAAAA"]}',
        _user(wg.AudioBlock.from_base64("AAAAAAAA", "audio/mpeg")),
    ),
    "sound by URL, which Operator-Use takes for base64": (
        USER % '{"type":"audio","audio":["https://x/y.mp3"]}',
        _user(wg.AudioBlock(url="https://x/y.mp3", extras=_extras(url="https://x/y.mp3"))),
    ),
    "sound under its later name": (
        USER % f'{{"type":"audio","audios":["{MP3}"]}}',
        _user(
            wg.AudioBlock(
                data=wg.Media.from_base64(MP3),
                mime_type="audio/mpeg",
                extras=_extras(list="audios"),
            )
        ),
    ),
    "sound under both names": (
        USER % f'{{"type":"audio","audio":["{MP3}"],"audios":["{MP3}"]}}',
        _user(
            wg.OpaqueBlock(
                API, wg.RawJson(f'{{"type":"audio","audio":["{MP3}"],"audios":["{MP3}"]}}')
            )
        ),
    ),
    "a film": (
        USER % '{"type":"video","videos":["AAAAIGZ0eXBpc29t","file:a.mp4"]}',
        _user(
            wg.VideoBlock(
                data=wg.Media.from_base64("AAAAIGZ0eXBpc29t"),
                mime_type="video/mp4",
                extras=_extras(list="videos"),
            ),
            wg.VideoBlock(url="file:a.mp4", extras=_extras(list="videos", url="file:a.mp4")),
        ),
    ),
    "a file": (
        USER % '{"type":"file","files":["JVBERi0xLjQ="]}',
        _user(
            wg.DocumentBlock(
                data=wg.Media.from_base64("JVBERi0xLjQ="),
                mime_type="application/pdf",
                extras=_extras(list="files"),
            )
        ),
    ),
    "a film and a file of no kind that their bytes tell": (
        USER % '{"type":"video","videos":["eA=="]},{"type":"file","files":["eA==","gAE="]}',
        _user(
            wg.VideoBlock(
                data=wg.Media.from_base64("eA=="),
                mime_type="video/mp4",
                extras=_extras(list="videos"),
            ),
            wg.DocumentBlock(
                data=wg.Media.from_base64("eA=="),
                mime_type="text/plain",
                extras=_extras(list="files"),
            ),
            wg.DocumentBlock(
                data=wg.Media.from_base64("gAE="),
                mime_type="application/octet-stream",
                extras=_extras(list="files"),
            ),
        ),
    ),
    "an image that says how it was scaled": (
        USER % f'{{"type":"image","images":["{GIF}","{PNG}"],"dimension_note":"half"}}',
        _user(
            _image(GIF, "image/gif", extras=_extras({"dimension_note": "half"})),
            _image(PNG, "image/png"),
        ),
    ),
    "signed thinking": (
        ANSWER % '{"type":"thinking","content":"hm","signature":"c2ln"}',
        _answer(wg.ThinkingBlock("hm", "c2ln"), api="anthropic-messages"),
    ),
    "thinking without a signature": (
        ANSWER % '{"type":"thinking","content":"hm","signature":""}',
        _answer(wg.ThinkingBlock("hm")),
    ),
    "a call, its arguments byte for byte": (
        ANSWER
        % '{"type":"tool_call","id":"c1","name":"f","kind":"read","args":{"b": 1e2, "a":null}}',
        _answer(wg.ToolCallBlock("c1", "f", '{"b": 1e2, "a":null}', wg.model.ToolKind.READ)),
    ),
    "a call without a kind": (
        ANSWER % '{"type":"tool_call","id":"c1","name":"f","args":{}}',
        _answer(wg.ToolCallBlock("c1", "f", "{}")),
    ),
    "a call that Gemini signed": (
        ANSWER
        % (
            '{"type":"tool_call","id":"c1","name":"f","args":{},'
            '"metadata":{"thoughtSignature":"c2ln"}}'
        ),
        _answer(wg.ToolCallBlock("c1", "f", "{}", signature="c2ln"), api="gemini-generate-content"),
    ),
    "a call with metadata beside the signature": (
        ANSWER
        % (
            '{"type":"tool_call","id":"c1","name":"f","args":{},'
            '"metadata":{"n":1,"thoughtSignature":"c2ln"}}'
        ),
        _answer(
            wg.ToolCallBlock("c1", "f", "{}", signature="c2ln", metadata={"n": 1}),
            api="gemini-generate-content",
        ),
    ),
    "a call that Gemini signed, beside thinking that it did not": (
        ANSWER
        % (
            '{"type":"thinking","content":"so","signature":"s"},'
            '{"type":"tool_call","id":"c1","name":"f","args":{},'
            '"metadata":{"thoughtSignature":"c2ln"}}'
        ),
        _answer(wg.ThinkingBlock("so", "s"), wg.ToolCallBlock("c1", "f", "{}", signature="c2ln")),
    ),
    "a call with metadata that are empty": (
        ANSWER % '{"type":"tool_call","id":"c1","name":"f","args":{},"metadata":{}}',
        _answer(wg.ToolCallBlock("c1", "f", "{}", metadata={})),
    ),
    "a batch of results": (
        TOOL
        % (
            '{"type":"tool_result","id":"c1","content":"ok","is_error":false,"metadata":{},'
            '"terminate":false},{"type":"tool_result","id":"c2","content":"","is_error":true,'
            '"metadata":{"x":null},"terminate":true}'
        ),
        _results(
            wg.ToolResultBlock.from_text("c1", "ok"),
            wg.ToolResultBlock("c2", is_error=True, metadata={"x": None}, terminate=True),
        ),
    ),
    "a result in a user's message": (
        USER
        % (
            '{"type":"tool_result","id":"c1","content":"ok","is_error":false,"metadata":{},'
            '"terminate":false},{"type":"text","content":"and now?"}'
        ),
        _user(wg.ToolResultBlock.from_text("c1", "ok"), wg.TextBlock("and now?")),
    ),
    "a result with the fields of later versions": (
        TOOL
        % (
            '{"type":"tool_result","id":"c1","content":"see","is_error":false,"metadata":{},'
            '"terminate":true,"terminate_message":"enough","tool_name":"shot",'
            f'"image":{{"type":"image","images":["{PNG}"]}},"audio":null}}'
        ),
        _results(
            wg.ToolResultBlock(
                "c1",
                "shot",
                [wg.TextBlock("see"), _image(PNG, "image/png")],
                terminate=True,
                extras=_extras({"terminate_message": "enough"}, image=True, audio=None),
            )
        ),
    ),
    "a result with a film": (
        TOOL
        % (
            '{"type":"tool_result","id":"c1","content":"see","is_error":false,"metadata":{},'
            '"terminate":false,"video":{"type":"video","videos":["file:a.mp4"]}}'
        ),
        _results(
            wg.ToolResultBlock(
                "c1",
                content=[
                    wg.TextBlock("see"),
                    wg.VideoBlock(
                        url="file:a.mp4", extras=_extras(list="videos", url="file:a.mp4")
                    ),
                ],
                extras=_extras(video=True),
            )
        ),
    ),
    "a result with an empty list of images": (
        TOOL
        % (
            '{"type":"tool_result","id":"c1","content":"","is_error":false,"metadata":{},'
            '"terminate":false,"image":{"type":"image","images":[]}}'
        ),
        _results(
            wg.ToolResultBlock(
                "c1",
                content=[wg.OpaqueBlock(API, wg.RawJson('{"type":"image","images":[]}'))],
                extras=_extras(image=True),
            )
        ),
    ),
    "a result of a tool without a name": (
        TOOL
        % (
            '{"type":"tool_result","id":"c1","content":"x","is_error":false,"metadata":{},'
            '"terminate":false,"terminate_message":null,"tool_name":""}'
        ),
        _results(
            wg.ToolResultBlock(
                "c1",
                content=[wg.TextBlock("x")],
                extras=_extras(terminate_message=None, tool_name=""),
            )
        ),
    ),
    "an answer that was counted and paid": (
        '{"role":"assistant","contents":[],"id":"a1","timestamp":1700000002.0,"usage":'
        '{"input_tokens":10,"output_tokens":5,"cache_read_tokens":2,"cache_write_tokens":1,'
        '"cost":{"input":0.1,"output":0.2,"cache_read":0.0,"cache_write":0.0,"total":0.3}},'
        '"stop_reason":"stop","error":""}',
        _answer(
            stop_reason=wg.StopReason.STOP,
            usage=wg.Usage(
                10, 5, cache_read=2, cache_write=1, cost=wg.Cost(0.1, 0.2, 0.0, 0.0, 0.3)
            ),
        ),
    ),
    "an answer whose input has the cached tokens in it": (
        '{"role":"assistant","contents":[],"id":"a1","timestamp":1700000002.0,"usage":'
        '{"input_tokens":10,"output_tokens":5,"cache_read_tokens":2,"cache_write_tokens":1,'
        f'{NO_COST},"input_tokens_include_cache_read":true}},"stop_reason":"stop","error":""}}',
        _answer(
            stop_reason=wg.StopReason.STOP,
            usage=wg.Usage(
                7,
                5,
                cache_read=2,
                cache_write=1,
                extras=_extras(input_tokens_include_cache_read=True, input_tokens=10),
            ),
        ),
    ),
    "a cost with a key that nobody knows": (
        '{"role":"assistant","contents":[],"id":"a1","timestamp":1700000002.0,"usage":'
        '{"input_tokens":0,"output_tokens":0,"cache_read_tokens":0,"cache_write_tokens":0,'
        f'{NO_COST[:-1]},"x":1}},"y":2}},"stop_reason":"stop","error":""}}',
        _answer(
            stop_reason=wg.StopReason.STOP,
            usage=wg.Usage(cost=wg.Cost(), extras=_extras({"cost": {"x": 1}, "y": 2})),
        ),
    ),
    "an answer that failed": (
        '{"role":"assistant","contents":[],"id":"a1","timestamp":1700000002.0,'
        f'{NO_USAGE},"stop_reason":"error","error":"overloaded","error_kind":"rate_limit"}}',
        _answer(
            stop_reason=wg.StopReason.ERROR,
            error_message="overloaded",
            extras=_extras({"error_kind": "rate_limit"}),
        ),
    ),
    "a time that milliseconds do not say": (
        '{"role":"user","contents":[],"timestamp":1700000000.1234567}',
        wg.UserMessage([], 1700000000123, extras=_extras(timestamp=1700000000.1234567)),
    ),
    "a time that is nearer to the next millisecond": (
        '{"role":"user","contents":[],"timestamp":1.0006}',
        wg.UserMessage([], 1001, extras=_extras(timestamp=1.0006)),
    ),
    "a time beyond all times": (
        '{"role":"user","contents":[],"timestamp":1e300}',
        wg.UserMessage([], extras=_extras(timestamp=1e300)),
    ),
    "unknown keys, wherever they are": (
        '{"role":"user","contents":[{"type":"text","content":"a","x":1},'
        f'{{"type":"image","images":["{GIF}"],"y":{{"z":[]}}}}],"id":"u1","w":null}}',
        wg.UserMessage(
            [
                wg.TextBlock("a", extras=_extras({"x": 1})),
                _image(GIF, "image/gif", extras=_extras({"y": {"z": []}})),
            ],
            id="u1",
            extras=_extras({"w": None}),
        ),
    ),
    "lines for the screen": (
        '{"role":"custom","custom_type":"notice","timestamp":1700000004.0,"contents":['
        '{"type":"lines","lines":["a","b"],"notify_type":"info"}]}',
        wg.CustomMessage(
            "notice",
            [
                wg.OpaqueBlock(
                    API,
                    wg.RawJson('{"type":"lines","lines":["a","b"],"notify_type":"info"}'),
                )
            ],
            timestamp=1700000004000,
        ),
    ),
    "a custom message": (
        '{"role":"custom","custom_type":"note","timestamp":1700000004.0,"contents":['
        '{"type":"text","content":"seen"}],"details":{"k":null}}',
        wg.CustomMessage(
            "note", [wg.TextBlock("seen")], details={"k": None}, timestamp=1700000004000
        ),
    ),
    "a summary of a branch": (
        '{"role":"branch_summary","summary":"tried","from_id":"aa000003","timestamp":1.5}',
        wg.BranchSummaryMessage("tried", "aa000003", timestamp=1500),
    ),
    "a summary of a branch from the root": (
        '{"role":"branch_summary","summary":"tried","from_id":"root","timestamp":1.5}',
        wg.BranchSummaryMessage("tried", timestamp=1500),
    ),
    "a summary of what was compacted": (
        '{"role":"compaction_summary","summary":"said","tokens_before":1000,"timestamp":1.5}',
        wg.CompactionSummaryMessage("said", 1000, timestamp=1500),
    ),
    "a skill that was called upon": (
        '{"role":"skill_invocation","name":"s","args":"a","content":"c","expanded":true,'
        '"timestamp":1.5}',
        wg.ExtensionMessage(
            "skill_invocation",
            {"name": "s", "args": "a", "content": "c", "expanded": True, "timestamp": 1.5},
            _extras(role="skill_invocation"),
        ),
    ),
    "a prompt template that was called upon": (
        '{"role":"template_invocation","name":"s","args":"a","expanded_content":"c",'
        '"expanded":true,"timestamp":1.5}',
        wg.ExtensionMessage(
            "template_invocation",
            {"name": "s", "args": "a", "expanded_content": "c", "expanded": True, "timestamp": 1.5},
            _extras(role="template_invocation"),
        ),
    ),
    "a command that the user ran": (
        '{"role":"terminal_execution","command":"ls","output":"a","exit_code":0,'
        '"cancelled":false,"timestamp":1.5,"exclude":false,"x":1}',
        wg.ExtensionMessage(
            "terminal_execution",
            {
                "command": "ls",
                "output": "a",
                "exit_code": 0,
                "cancelled": False,
                "timestamp": 1.5,
                "exclude": False,
                "x": 1,
            },
            _extras(role="terminal_execution"),
        ),
    ),
}
BOTH_WAYS |= {
    f"an answer that stopped for {theirs}": (
        f'{{"role":"assistant","contents":[],"id":"a1","timestamp":1700000002.0,{NO_USAGE},'
        f'"stop_reason":"{theirs}","error":""}}',
        _answer(stop_reason=ours),
    )
    for theirs, ours in {
        "stop": wg.StopReason.STOP,
        "length": wg.StopReason.LENGTH,
        "tool_calls": wg.StopReason.TOOL_USE,
        "content_filter": wg.StopReason.GUARD_RAIL,
        "abort": wg.StopReason.ABORTED,
        "error": wg.StopReason.ERROR,
    }.items()
}
both_ways = pytest.mark.parametrize(("text", "message"), BOTH_WAYS.values(), ids=BOTH_WAYS.keys())


@both_ways
def test_own_bytes_come_back_as_they_were(text: str, message: wg.AgentMessage) -> None:
    own = ou.decode(text, ou.AgentMessage)
    assert ou.encode(own) == text.encode()
    assert ou.encode([own], form="messages") == f"[{text}]".encode()


@both_ways
def test_a_message_is_read(text: str, message: wg.AgentMessage) -> None:
    assert ou.decode(text) == [message]
    assert ou.decode(f"[{text}]") == [message]


@both_ways
def test_a_message_is_written(text: str, message: wg.AgentMessage) -> None:
    assert ou.encode([message], form="messages") == f"[{text}]".encode()


@both_ways
def test_a_message_goes_through_the_native_wires_and_home(
    text: str, message: wg.AgentMessage
) -> None:
    for native in (wg.json, wg.msgpack):
        again = native.decode(native.encode([message]))
        assert json.loads(ou.encode(again, form="messages")) == [json.loads(text)]


# What comes back in another form, and why.
NORMALIZED = {
    "a missing key is written with its default, which the system's reader takes for it": (
        '{"role":"assistant"}',
        f'{{"role":"assistant","contents":[],{NO_USAGE},"stop_reason":"stop","error":""}}',
    ),
    "null is left out of a session file, as the system leaves it out": (
        ANSWER % '{"type":"tool_call","id":"c","name":"n","kind":null,"args":{}}',
        ANSWER % '{"type":"tool_call","id":"c","name":"n","args":{}}',
    ),
    "the role comes first, wherever later versions write it": (
        '{"contents":[],"id":"u1","timestamp":1700000001.0,"role":"user"}',
        USER % "",
    ),
    "a whole number of seconds is a float": (
        '{"role":"user","contents":[],"timestamp":1700000001}',
        '{"role":"user","contents":[],"timestamp":1700000001.0}',
    ),
    "a `data:` URL, which the system takes for base64, is written as the base64 that it holds": (
        USER % f'{{"type":"image","images":["data:image/gif;base64,{GIF}"]}}',
        USER % f'{{"type":"image","images":["{GIF}"]}}',
    ),
    "a `data:` URL of sound too": (
        USER % f'{{"type":"audio","audio":["DATA:audio/mpeg;base64,{MP3}"]}}',
        USER % f'{{"type":"audio","audio":["{MP3}"]}}',
    ),
    "a `data:` URL of a type that the bytes do not tell": (
        USER % '{"type":"image","images":["data:image/svg+xml;base64,PHN2Zy8+"]}',
        USER % '{"type":"image","images":["PHN2Zy8+"]}',
    ),
    "Python's text of bytes, which RPC prints, is written as base64": (
        USER % r"""{"type":"image","images":["b'GIF89a\\x01\\x00\\''"]}""",
        USER % '{"type":"image","images":["R0lGODlhAQAn"]}',
    ),
    "Python's text of bytes without escapes": (
        USER % """{"type":"image","images":["b'GIF89a'","b'GIF"]}""",
        USER % """{"type":"image","images":["R0lGODlh","b'GIF"]}""",
    ),
    "Python's text of bytes with an apostrophe": (
        USER % r"""{"type":"audio","audio":["b\"ID3'\\xff\""]}""",
        USER % '{"type":"audio","audio":["SUQzJ/8="]}',
    ),
    "an escaped URL": (
        USER % r'{"type":"image","images":["https:\/\/x"]}',
        USER % '{"type":"image","images":["https://x"]}',
    ),
}


def test_a_text_in_place_of_base64_goes_back_and_is_a_loss_elsewhere() -> None:
    for text in ("pics/cat.png", "file:///x.png", "data:image/png;base64"):
        written = USER % f'{{"type":"image","images":["{GIF}","{text}","https://x"]}}'
        session = ou.decode(written)
        assert ou.encode(session, form="messages") == f"[{written}]".encode()
        assert ou.encode(wg.json.decode(wg.json.encode(session)), form="messages") == (
            f"[{written}]".encode()
        )
        request = wg.Request(wg.llm_messages(session), model="m", max_tokens=1)
        for provider in ("anthropic", "openai_chat", "gemini"):
            losses: list[wg.Loss] = []
            body = wg.PROVIDERS[provider].encode_request(request, losses=losses)
            assert [loss.path for loss in losses] == ["$.messages[0].content[1]"]
            assert text.encode() not in body


@pytest.mark.parametrize(("text", "normal"), NORMALIZED.values(), ids=NORMALIZED.keys())
def test_what_is_written_in_another_form(text: str, normal: str) -> None:
    assert ou.encode(ou.decode(text, ou.AgentMessage)) == normal.encode()
    assert ou.encode(ou.decode(text), form="messages") == f"[{normal}]".encode()


def test_escaped_base64_goes_through_as_it_came() -> None:
    text = USER % r'{"type":"image","images":["\/9j\/4AAQ"]}'
    assert ou.encode(ou.decode(text), form="messages") == f"[{text}]".encode()
    block = ou.decode(text)[0].content[0]
    assert (block.mime_type, block.data.to_bytes()[:3]) == ("image/jpeg", b"\xff\xd8\xff")


def test_rpc_prints_null_where_a_session_file_leaves_a_key_out() -> None:
    text = (
        "["
        + ANSWER % '{"type":"tool_call","id":"c","name":"n","kind":null,"args":{}}'
        + ',{"role":"custom","custom_type":"x","timestamp":1.0,"contents":[],"details":null}'
        ',{"role":"terminal_execution","command":"ls","output":"","exit_code":null,'
        '"cancelled":true,"timestamp":1.5,"exclude":false}]'
    )
    own = ou.decode(text, list[ou.AgentMessage])
    assert ou.encode(own, form="rpc") == text.encode()
    assert ou.encode(ou.decode(text), form="rpc") == text.encode()
    assert ou.encode(own[0], form="rpc") == text[1 : text.index(',{"role":"custom"')].encode()
    assert b"null" not in ou.encode(ou.decode(text), form="messages")


def test_rpc_keeps_unknown_keys_beside_null() -> None:
    call = '{"type":"tool_call","id":"c","name":"n","kind":null,"args":{},"x":1}'
    text = f"[{ANSWER % call}]"
    assert ou.encode(ou.decode(text), form="rpc") == text.encode()


def test_a_form_that_there_is_not_is_the_callers_fault() -> None:
    with pytest.raises(wg.EncodeError, match=r"unknown form `xml`, expected one of `session`"):
        ou.encode([], form="xml")  # type: ignore[arg-type]


def test_images_of_another_origin_become_one_list() -> None:
    message = wg.UserMessage(
        [
            wg.ImageBlock.from_url("https://x"),
            wg.ImageBlock.from_bytes(b"GIF89a"),
            wg.TextBlock("and"),
            wg.ImageBlock.from_url("https://y"),
            wg.AudioBlock.from_bytes(b"ID3\x04"),
            wg.AudioBlock.from_bytes(b"OggS"),
        ]
    )
    assert ou.encode([message], form="messages") == (
        b'[{"role":"user","contents":[{"type":"image","images":["https://x","R0lGODlh"]},'
        b'{"type":"text","content":"and"},{"type":"image","images":["https://y"]},'
        b'{"type":"audio","audio":["SUQzBA==","T2dnUw=="]}]}]'
    )


def test_a_mime_type_that_the_bytes_tell_is_no_loss() -> None:
    blocks = [
        wg.ImageBlock.from_base64(GIF, "image/gif"),
        wg.ImageBlock.from_base64("/9j/4AAQ", "image/jpg"),
        wg.ImageBlock.from_bytes(b"II*\0tiff", "image/tiff"),
        wg.AudioBlock.from_bytes(b"ID3", "audio/mp3"),
        wg.AudioBlock.from_bytes(b"OggS" + b"\0" * 24 + b"OpusHead", "audio/opus"),
        wg.AudioBlock.from_bytes(b"RIFF\4\0\0\0WAVE", "audio/wave"),
        wg.AudioBlock.from_bytes(b"RIFF\4\0\0\0WAVE", "audio/x-wav"),
        wg.AudioBlock.from_bytes(b"fLaC", "audio/x-flac"),
    ]
    losses: list[wg.Loss] = []
    ou.encode([wg.UserMessage([*blocks])], losses=losses, form="messages")
    assert losses == []


def test_the_signature_of_a_call_goes_back_to_gemini_though_nobody_says_who_answered() -> None:
    stored = ANSWER % (
        '{"type":"tool_call","id":"c1","name":"f","args":{},"metadata":{"thoughtSignature":"c2ln"}}'
    )
    asked, result = wg.UserMessage.from_text("q"), wg.ToolResultMessage("c1", "f")
    messages = [asked, *wg.llm_messages(ou.decode(stored)), result]
    body = wg.providers.gemini.encode_request(wg.Request(messages, model="gemini-3-pro"))
    assert b'"thoughtSignature":"c2ln"' in body


def test_the_api_of_a_call_is_told_by_its_signature_alone() -> None:
    call = wg.ToolCallBlock("c1", "f", {}, signature="c2ln")
    message = wg.AssistantMessage([call], api="gemini-generate-content")
    assert ou.decode(ou.encode([message]))[1].api == "gemini-generate-content"
    message.provider = "google"  # which is told, and tells whose signature it is
    losses: list[wg.Loss] = []
    ou.encode([message], losses=losses)
    assert [(loss.path, loss.what) for loss in losses] == [("$[0].api", "api")]


def test_a_data_url_in_the_url_field_goes_inline() -> None:
    message = wg.UserMessage([wg.ImageBlock(url=f"data:image/gif;base64,{GIF}")])
    assert ou.encode([message], form="messages") == (
        f'[{{"role":"user","contents":[{{"type":"image","images":["{GIF}"]}}]}}]'.encode()
    )


def test_results_of_another_origin_are_one_text() -> None:
    result = wg.ToolResultMessage(
        "c1", "sh", [wg.TextBlock("a"), wg.TextBlock("b")], True, 1500, id="r1", terminate=True
    )
    assert ou.encode([result], form="messages") == (
        b'[{"role":"tool","contents":[{"type":"tool_result","id":"c1","content":"a\\nb",'
        b'"is_error":true,"metadata":{},"terminate":true,"tool_name":"sh"}],"id":"r1",'
        b'"timestamp":1.5}]'
    )


def test_blank_arguments_are_an_empty_object() -> None:
    call = wg.ToolCallBlock("c", "f", wg.Arguments("  "))
    assert b'"args":{}' in ou.encode([wg.AssistantMessage([call])], form="messages")


def test_ids_that_are_numbers_become_text() -> None:
    body = ou.encode([wg.UserMessage([], id=7)], form="messages")
    assert body == b'[{"role":"user","contents":[],"id":"7"}]'


def test_a_change_wins_over_the_spelling() -> None:
    message = ou.decode('{"role":"user","contents":[],"timestamp":1700000000.1234567}')[0]
    message.timestamp = 1700000001000
    assert b'"timestamp":1700000001.0' in ou.encode([message], form="messages")
    text = (
        '{"role":"assistant","contents":[],"usage":{"input_tokens":10,"cache_read_tokens":2,'
        '"input_tokens_include_cache_read":true}}'
    )
    answer = ou.decode(text)[0]
    assert answer.usage.input == 8
    answer.usage.input = 100
    assert b'"input_tokens":102,' in ou.encode([answer], form="messages")


def test_counts_that_contradict_each_other_come_back() -> None:
    usage = (
        '{"input_tokens":1,"output_tokens":0,"cache_read_tokens":5,"cache_write_tokens":0,'
        f'{NO_COST},"input_tokens_include_cache_read":true}}'
    )
    text = f'[{{"role":"assistant","contents":[],"usage":{usage},"stop_reason":"stop","error":""}}]'
    message = ou.decode(text)[0]
    assert message.usage.input == 0
    assert ou.encode([message], form="messages") == text.encode()


def test_json_lines_of_messages_are_read() -> None:
    lines = (USER % "") + "\r\n\n" + (TOOL % "") + "\n"
    assert ou.decode(lines) == [_user(), _results()]
    assert len(ou.decode(lines, list[ou.AgentMessage])) == 2


def test_one_message_over_many_lines_is_one_message() -> None:
    assert ou.decode(json.dumps(json.loads(USER % ""), indent=2)) == [_user()]


@settings(max_examples=60)
@given(messages())
def test_bare_messages_come_back_equal(own: list[Any]) -> None:
    canonical = ou.to_canonical(own)
    assert ou.from_canonical(canonical, form="messages") == own
    assert ou.from_canonical(wg.json.decode(wg.json.encode(canonical)), form="rpc") == own
    for form in ("messages", "rpc"):
        assert ou.decode(ou.encode(own, form=form), list[ou.AgentMessage]) == own


@pytest.mark.parametrize("kind", ["audio", "audios", "videos", "files"])
def test_a_note_of_images_is_an_unknown_key_elsewhere(kind: str) -> None:
    tag = kind.rstrip("s")
    content = f'{{"type":"{tag}","{kind}":["T2dnUw=="],"dimension_note":"x"}}'
    if kind == "audios":
        content = content.replace('"audios"', '"audio":[],"audios"')
    text = f'[{{"role":"user","contents":[{content}]}}]'
    again = ou.encode(ou.decode(text), form="messages")
    assert json.loads(again)[0]["contents"][0]["dimension_note"] == "x"
    assert ou.decode(again) == ou.decode(text)


@pytest.mark.parametrize("key", ["(entry)", "(entry)(entry)", "(entry)x"])
def test_keys_of_ours_in_a_message_and_its_usage_come_back(key: str) -> None:
    own = ou.AssistantMessage([], unknown=unknown({key: {"meta": 1}}))
    own.usage = ou.Usage(1, unknown=unknown({key: 1}))
    custom = ou.CustomMessage("x", unknown=unknown({key: [1]}))
    for message in (own, custom):
        assert ou.from_canonical(ou.to_canonical([message]), form="messages") == [message]
        entry = ou.MessageEntry(
            id="a", message=message, meta=ou.MessageMeta("m"), unknown=unknown({key: 1})
        )
        assert ou.from_canonical(ou.to_canonical([entry]), header=False) == [entry]


@pytest.mark.parametrize("quote", ["'", '"'])
@pytest.mark.parametrize("part", ["a", r"\\x00", r"a\\n"])
def test_long_python_bytes_take_no_more_memory_than_they_are(part: str, quote: str) -> None:
    pattern = media._REPR
    text = f"b{quote}{json.loads(chr(34) + part + chr(34)) * 300_000}"
    for matches, value in (False, text), (True, text + quote):
        match = within(3 * len(text), partial(pattern.fullmatch, value))
        assert bool(match) is matches
