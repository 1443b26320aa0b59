"""Ravi's messages as later versions store them (V3), and from one version to the other."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

import wireglot as wg
from tests.formats.ravi_documents import documents
from wireglot.formats import ravi

EXAMPLES = Path(__file__).parents[2].parent / "shared" / "formats" / "ravi.jsonl"

USER = '{"id":"m1","role":"user","content":[%s],"type":"UserMessage","name":null}'
ANSWER = (
    '{"id":"m1","role":"assistant","content":%s,"type":"AssistantMessage","name":null,'
    '"reasoning":null,"tool_calls":%s,"finish_reason":"stop","usage":null,"cached":false,'
    '"parsed":null}'
)
RESULT = (
    '{"id":"m1","role":"tool_response","content":[%s],"type":"ToolExecutionResultMessage",'
    '"tool_call_id":"c1","name":null,"is_error":false,"app_data":null,"media":%s}'
)
CALL = (
    '{"id":"c1","role":"tool_call","content":null,"type":"ToolCallMessage","name":"plot",'
    '"arguments":%s}'
)
IMAGE = (
    '{"type":"image","url":null,"file_id":null,"data":{"__bytes_b64__":"iVBORw0KGgo="},'
    '"media_type":"image/png","detail":"high"}'
)


def _extra(spelling: Any = None, **keys: Any) -> wg.Extras:
    return {"ravi": wg.Extra(keys, spelling, "v3")}


def _spelled(**spelling: Any) -> wg.Extras:
    return {"ravi": wg.Extra({}, spelling)}


def _keys(**keys: Any) -> wg.Extras:
    return {"ravi": wg.Extra(keys)}


def _user(*content: wg.Content, **more: Any) -> wg.Message:
    more = {"id": "m1", "extras": _extra(), **more}
    return wg.UserMessage([*content], **more)


def _answer(*content: wg.Content, **more: Any) -> wg.Message:
    more = {"id": "m1", "extras": _extra(), **more}
    stopped = {"stop_reason": wg.StopReason.STOP, "raw_stop_reason": "stop"}
    return wg.AssistantMessage([*content], **stopped, **more)


def _result(*content: wg.Content, **more: Any) -> wg.Message:
    more = {"id": "m1", "extras": _extra(), **more}
    return wg.ToolResultMessage("c1", content=[*content], **more)


BOTH_WAYS = {
    "a sound in a format that V3 has not": (
        USER % '{"type":"audio","data":{"__bytes_b64__":"YQ=="},"format":"aac","transcript":null}',
        _user(
            wg.AudioBlock(data="YQ==", mime_type="audio/aac", extras=_spelled(format="aac")),
        ),
    ),
    "a sound in a format that V3 has another word for": (
        USER % '{"type":"audio","data":{"__bytes_b64__":"YQ=="},"format":"mpeg","transcript":null}',
        _user(
            wg.AudioBlock(data="YQ==", mime_type="audio/mpeg", extras=_spelled(format="mpeg")),
        ),
    ),
    "a detail that V3 has not": (
        USER % '{"type":"image","url":"https://e/x","file_id":null,"data":null,"media_type":'
        '"image/jpeg","detail":"original"}',
        _user(
            wg.ImageBlock(
                url="https://e/x",
                mime_type="image/jpeg",
                detail="original",
                extras=_spelled(detail="original"),
            )
        ),
    ),
    "a film of which half a type is said": (
        USER % '{"type":"video","url":"https://e/x","data":null,"media_type":"mp4"},'
        '{"type":"video","url":"https://e/x","data":null,"media_type":"","k":1}',
        _user(
            wg.VideoBlock(
                url="https://e/x", mime_type="video/mp4", extras=_spelled(media_type="mp4")
            ),
            wg.VideoBlock(
                url="https://e/x",
                mime_type="video/",
                extras={"ravi": wg.Extra({"k": 1}, {"media_type": ""})},
            ),
        ),
    ),
    "types that are empty": (
        USER % '{"type":"image","url":null,"file_id":null,"data":{"__bytes_b64__":"YQ=="},'
        '"media_type":"","detail":"auto"},{"type":"document","url":null,"file_id":null,"data":'
        '{"__bytes_b64__":"YQ=="},"media_type":"","filename":null}',
        _user(
            wg.ImageBlock(data="YQ==", mime_type=""), wg.DocumentBlock(data="YQ==", mime_type="")
        ),
    ),
    "data URLs that are URLs": (
        USER % '{"type":"video","url":"data:video/mp4;base64,AA==","data":null,"media_type":'
        '"video/mp4"},{"type":"document","url":"data:x","file_id":null,"data":null,"media_type":'
        '"application/pdf","filename":null},{"type":"image","url":"data:image/svg+xml;utf8,a",'
        '"file_id":null,"data":null,"media_type":"image/jpeg","detail":"auto"}',
        _user(
            wg.VideoBlock(
                url="data:video/mp4;base64,AA==", mime_type="video/mp4", extras=_spelled(url=True)
            ),
            wg.DocumentBlock(url="data:x", mime_type="application/pdf", extras=_spelled(url=True)),
            wg.ImageBlock(url="data:image/svg+xml;utf8,a", mime_type="image/jpeg"),
        ),
    ),
    "a data URL that is a URL in a result": (
        RESULT
        % (
            '{"type":"video","url":"data:video/mp4;base64,AA==","data":null,"media_type":""}',
            "null",
        ),
        _result(
            wg.VideoBlock(url="data:video/mp4;base64,AA==", mime_type="", extras=_spelled(url=True))
        ),
    ),
    "a system prompt": (
        '{"id":"m1","role":"system","content":"Be brief.","type":"SystemMessage"}',
        wg.SystemMessage([wg.TextBlock("Be brief.")], id="m1", extras=_extra()),
    ),
    "a user's text is a string": (USER % '"Où ?"', _user(wg.TextBlock("Où ?"))),
    "a name that is empty": (
        USER.replace("null", '""') % "",
        _user(name=""),
    ),
    "images": (
        USER % f'{IMAGE},{{"type":"image","url":"https://e/x","file_id":null,"data":null,'
        '"media_type":"image/jpeg","detail":"auto"},{"type":"image","url":null,"file_id":"f",'
        '"data":null,"media_type":"image/gif","detail":"low"}',
        _user(
            wg.ImageBlock(data="iVBORw0KGgo=", mime_type="image/png", detail="high"),
            wg.ImageBlock(url="https://e/x", mime_type="image/jpeg"),
            wg.ImageBlock(file_id="f", mime_type="image/gif", detail="low"),
        ),
    ),
    "images and documents that are nowhere": (
        USER % '{"type":"image","url":"","file_id":null,"data":null,"media_type":"image/jpeg",'
        '"detail":"auto"},{"type":"image","url":null,"file_id":"","data":null,"media_type":'
        '"image/jpeg","detail":"auto"},{"type":"document","url":"","file_id":null,"data":null,'
        '"media_type":"application/pdf","filename":null}',
        _user(
            wg.ImageBlock(url="", mime_type="image/jpeg"),
            wg.ImageBlock(file_id="", mime_type="image/jpeg"),
            wg.DocumentBlock(url="", mime_type="application/pdf"),
        ),
    ),
    "sounds, with what was said": (
        USER % '{"type":"audio","data":{"__bytes_b64__":"SUQz"},"format":"mp3","transcript":"a"},'
        '{"type":"audio","data":{"__bytes_b64__":"T2dn"},"format":"ogg","transcript":null}',
        _user(
            wg.AudioBlock(data="SUQz", mime_type="audio/mp3", transcript="a"),
            wg.AudioBlock(data="T2dn", mime_type="audio/ogg"),
        ),
    ),
    "films": (
        USER % '{"type":"video","url":"https://e/x","data":null,"media_type":"video/mp4"},'
        '{"type":"video","url":null,"data":{"__bytes_b64__":"GkXf"},"media_type":"video/webm"},'
        '{"type":"video","url":null,"data":null,"media_type":"video/mp4"}',
        _user(
            wg.VideoBlock(url="https://e/x", mime_type="video/mp4"),
            wg.VideoBlock(data="GkXf", mime_type="video/webm"),
            wg.VideoBlock(mime_type="video/mp4"),
        ),
    ),
    "documents": (
        USER % '{"type":"document","url":"https://e/x","file_id":null,"data":null,"media_type":'
        '"text/html","filename":null},{"type":"document","url":null,"file_id":"f","data":null,'
        '"media_type":"application/pdf","filename":null},{"type":"document","url":null,"file_id":'
        'null,"data":{"__bytes_b64__":"JVBERg=="},"media_type":"application/pdf","filename":"a"}',
        _user(
            wg.DocumentBlock(url="https://e/x", mime_type="text/html"),
            wg.DocumentBlock(file_id="f", mime_type="application/pdf"),
            wg.DocumentBlock(data="JVBERg==", mime_type="application/pdf", filename="a"),
        ),
    ),
    "an answer without content": (ANSWER % ("null", "null"), _answer()),
    "an answer whose lists are empty": (
        ANSWER % ("[]", "[]"),
        _answer(extras=_extra({"content": [], "tool_calls": []})),
    ),
    "an answer whose reasoning is empty": (
        ANSWER.replace('"reasoning":null', '"reasoning":""') % ("null", "null"),
        _answer(extras=_extra({"reasoning": ""})),
    ),
    "all of an answer": (
        '{"id":"m1","role":"assistant","content":["Well"],"type":"AssistantMessage","name":"bot",'
        f'"reasoning":"so","tool_calls":[{CALL % "{}"}],"finish_reason":"tool_calls",'
        '"usage":{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5,"extra":{}},'
        '"cached":true,"parsed":{"a":1}}',
        wg.AssistantMessage(
            [
                wg.ThinkingBlock("so"),
                wg.TextBlock("Well"),
                wg.ToolCallBlock("c1", "plot", "{}"),
            ],
            wg.StopReason.TOOL_USE,
            usage=wg.Usage(input=3, output=2, total_tokens=5),
            raw_stop_reason="tool_calls",
            id="m1",
            name="bot",
            cached=True,
            parsed={"a": 1},
            extras=_extra(),
        ),
    ),
    "a call alone": (
        CALL % '{"x": 1.50}',
        wg.AssistantMessage(
            [wg.ToolCallBlock("c1", "plot", '{"x": 1.50}')],
            extras=_extra({"type": "ToolCallMessage"}),
        ),
    ),
    "a result of every kind": (
        RESULT
        % (
            '{"type":"text","text":"ok"},'
            '{"type":"image","data":"iVBORw0KGgo=","media_type":"image/png"},'
            '{"type":"audio","data":"UklG","media_type":"audio/wav","transcript":"a"},'
            '{"type":"audio","data":"UklG","media_type":"audio/wav","transcript":null},'
            '{"type":"video","url":"https://e/x","data":null,"media_type":"video/mp4"},'
            '{"type":"video","url":null,"data":"GkXf","media_type":"video/webm"},'
            '{"type":"document","data":"YQ==","media_type":"text/csv","filename":"a.csv"},'
            '{"type":"error","error_type":"TimeoutError","message":"slow","details":{"s":3},'
            '"recoverable":false},'
            '{"type":"error","error_type":"E","message":"m","details":null,"recoverable":true},'
            '{"type":"thinking","text":"so","redacted":false},'
            '{"type":"tool_use","tool_call_id":"c2","tool_name":"sum","arguments":{"b": 1e2}},'
            '{"type":"tool_result","tool_call_id":"c2","content":[{"type":"text","text":"3"},'
            '{"type":"code","code":"1","language":"python"}],"is_error":true},'
            '{"type":"data","data":{"a":1},"schema_id":null},'
            '{"type":"code","code":"1","language":"python"},'
            '{"type":"resource","uri":"file:///a","mime_type":null,"text":null}',
            "null",
        ),
        _result(
            wg.TextBlock("ok"),
            wg.ImageBlock(data="iVBORw0KGgo=", mime_type="image/png"),
            wg.AudioBlock(data="UklG", mime_type="audio/wav", transcript="a"),
            wg.AudioBlock(data="UklG", mime_type="audio/wav"),
            wg.VideoBlock(url="https://e/x", mime_type="video/mp4"),
            wg.VideoBlock(data="GkXf", mime_type="video/webm"),
            wg.DocumentBlock(data="YQ==", mime_type="text/csv", filename="a.csv"),
            wg.ErrorBlock("slow", "TimeoutError", {"s": 3}, _keys(recoverable=False)),
            wg.ErrorBlock("m", "E"),
            wg.ThinkingBlock("so"),
            wg.ToolCallBlock("c2", "sum", '{"b": 1e2}'),
            wg.ToolResultBlock(
                "c2",
                content=[
                    wg.TextBlock("3"),
                    wg.OpaqueBlock(
                        "ravi", wg.RawJson('{"type":"code","code":"1","language":"python"}')
                    ),
                ],
                is_error=True,
            ),
            wg.OpaqueBlock("ravi", wg.RawJson('{"type":"data","data":{"a":1},"schema_id":null}')),
            wg.OpaqueBlock("ravi", wg.RawJson('{"type":"code","code":"1","language":"python"}')),
            wg.OpaqueBlock(
                "ravi",
                wg.RawJson('{"type":"resource","uri":"file:///a","mime_type":null,"text":null}'),
            ),
        ),
    ),
    "what a result has that lacks a key": (
        RESULT
        % (
            '{"type":"error","message":"m"},{"type":"audio","data":"UklG","media_type":"a/b"},'
            '{"type":"video","url":"u","data":"AA==","media_type":"video/mp4"},'
            '{"type":"document","data":null,"media_type":"a/b","filename":null},'
            '{"type":"tool_use","tool_call_id":"c2","tool_name":"sum","arguments":"{}"}',
            "null",
        ),
        _result(
            wg.OpaqueBlock("ravi", {"type": "error", "message": "m"}),
            wg.OpaqueBlock("ravi", {"type": "audio", "data": "UklG", "media_type": "a/b"}),
            wg.OpaqueBlock(
                "ravi", {"type": "video", "url": "u", "data": "AA==", "media_type": "video/mp4"}
            ),
            wg.OpaqueBlock(
                "ravi", {"type": "document", "data": None, "media_type": "a/b", "filename": None}
            ),
            wg.OpaqueBlock(
                "ravi",
                {"type": "tool_use", "tool_call_id": "c2", "tool_name": "sum", "arguments": "{}"},
            ),
        ),
    ),
    "an image in a result under MCP's key": (
        RESULT % ('{"type":"image","data":"AA==","mimeType":"image/gif"}', "null"),
        _result(
            wg.ImageBlock(data="AA==", mime_type="image/gif", extras=_spelled(mimeType="image/gif"))
        ),
    ),
    "media beside the content": (
        RESULT % ('{"type":"text","text":"see"}', f"[{IMAGE}]"),
        _result(
            wg.TextBlock("see"),
            wg.ImageBlock(
                data="iVBORw0KGgo=",
                mime_type="image/png",
                detail="high",
                extras=_spelled(**{"as": "media"}),
            ),
        ),
    ),
    "texts among the media": (
        RESULT % ("", '["a",{"type":"text","text":"b","k":1}]'),
        _result(
            wg.TextBlock("a", extras=_spelled(**{"as": "media"})),
            wg.TextBlock("b", extras={"ravi": wg.Extra({"k": 1}, {"as": "media"})}),
        ),
    ),
    "no media, said with a list": (
        RESULT % ("", "[]"),
        _result(extras=_extra({"media": []})),
    ),
    "data for programs": (
        RESULT.replace('"app_data":null', '"app_data":{}') % ("", "null"),
        _result(details={}),
    ),
    "unknown keys at every level": (
        '{"id":"m1","role":"user","content":[{"type":"text","text":"a","k":1},{"type":"image",'
        '"url":"https://e/x","file_id":null,"data":null,"media_type":"a/b","detail":"auto","k":2},'
        '{"type":"audio","data":{"__bytes_b64__":"YQ=="},"format":"mp3","transcript":null,"k":3},'
        '{"type":"video","url":"https://e/y","data":null,"media_type":"video/mp4","k":4},'
        '{"type":"document","url":null,"file_id":null,"data":{"__bytes_b64__":"YQ==","k":5},'
        '"media_type":"a/b","filename":null,"k":6}],"type":"UserMessage","name":null,"k":7}',
        _user(
            wg.TextBlock("a", extras=_keys(k=1)),
            wg.ImageBlock(url="https://e/x", mime_type="a/b", extras=_keys(k=2)),
            wg.AudioBlock(data="YQ==", mime_type="audio/mp3", extras=_keys(k=3)),
            wg.VideoBlock(url="https://e/y", mime_type="video/mp4", extras=_keys(k=4)),
            wg.DocumentBlock(data="YQ==", mime_type="a/b", extras=_keys(k=6, data={"k": 5})),
            extras=_extra(k=7),
        ),
    ),
    "unknown keys of a result's items": (
        RESULT
        % (
            '{"type":"text","text":"a","k":1},{"type":"image","data":"","media_type":"a/b","k":2},'
            '{"type":"audio","data":"","media_type":"a/b","transcript":null,"k":3},'
            '{"type":"video","url":"u","data":null,"media_type":"a/b","k":4},'
            '{"type":"document","data":"","media_type":"a/b","filename":null,"k":5},'
            '{"type":"error","error_type":"E","message":"m","details":null,"recoverable":true,'
            '"k":6},{"type":"thinking","text":"","redacted":true,"k":7},'
            '{"type":"tool_use","tool_call_id":"c","tool_name":"n","arguments":{},"k":8},'
            '{"type":"tool_result","tool_call_id":"c","content":["a",{"type":"text","text":"b",'
            '"k":9}],"is_error":false,"k":10}',
            "null",
        ),
        _result(
            wg.TextBlock("a", extras=_keys(k=1)),
            wg.ImageBlock(data="", mime_type="a/b", extras=_keys(k=2)),
            wg.AudioBlock(data="", mime_type="a/b", extras=_keys(k=3)),
            wg.VideoBlock(url="u", mime_type="a/b", extras=_keys(k=4)),
            wg.DocumentBlock(data="", mime_type="a/b", extras=_keys(k=5)),
            wg.ErrorBlock("m", "E", extras=_keys(k=6)),
            wg.ThinkingBlock("", redacted=True, extras=_keys(k=7)),
            wg.ToolCallBlock("c", "n", "{}", extras=_keys(k=8)),
            wg.ToolResultBlock(
                "c",
                content=[
                    wg.TextBlock("a", extras=_spelled(**{"as": "str"})),
                    wg.TextBlock("b", extras=_keys(k=9)),
                ],
                extras=_keys(k=10),
            ),
        ),
    ),
}


@pytest.mark.parametrize(("text", "message"), BOTH_WAYS.values(), ids=BOTH_WAYS)
def test_a_message_both_ways(text: str, message: Any) -> None:
    assert ravi.decode(f"[{text}]") == [message]
    assert ravi.encode([message]).decode() == f"[{text}]"
    own = ravi.decode(text, ravi.AgentMessage)
    assert own.version == "v3"
    assert ravi.encode(own).decode() == text
    assert ravi.to_canonical([own]) == [message]
    assert ravi.from_canonical([message]) == [own]
    assert type(own).from_dict(own.to_dict()) == own


# What V3's own reader takes for the same thing.
NORMAL = {
    "an item as in V2": (
        '{"id":"m1","type":"UserMessage","content":["a",{"type":"document","file_id":"f"}]}',
        USER % '"a",{"type":"document","url":null,"file_id":"f","data":null,'
        '"media_type":"application/pdf","filename":null}',
    ),
    "a document as base64": (
        '{"id":"m1","type":"UserMessage","content":[{"type":"document","data":"YQ=="},'
        '{"type":"document","data":"data:a/b;base64,YQ=="}]}',
        USER % '{"type":"document","url":null,"file_id":null,"data":{"__bytes_b64__":"YQ=="},'
        '"media_type":"application/pdf","filename":null},{"type":"document","url":null,'
        '"file_id":null,"data":{"__bytes_b64__":"YQ=="},"media_type":"application/pdf",'
        '"filename":null}',
    ),
    "a text as an object": (
        '{"id":"m1","type":"UserMessage","content":[{"type":"text","text":"a"}]}',
        USER % '"a"',
    ),
    "a text of a summary": (
        '{"id":"m1","type":"UserMessage","content":[{"type":"summary_text","text":"a"}]}',
        USER % '"a"',
    ),
    "nulls that are missing": (
        '{"id":"m1","type":"AssistantMessage"}',
        ANSWER % ("null", "null"),
    ),
    "calls that are V2's": (
        '{"id":"m1","type":"AssistantMessage","tool_calls":[{"id":"c1","name":"plot"}]}',
        ANSWER % ("null", f"[{CALL % '{}'}]"),
    ),
    "V2's spelling of the error flag": (
        '{"id":"m1","type":"ToolExecutionResultMessage","tool_call_id":"c1","content":[],'
        '"isError":true}',
        RESULT.replace("false", "true") % ("", "null"),
    ),
}


@pytest.mark.parametrize(("text", "normal"), NORMAL.values(), ids=NORMAL)
def test_what_says_the_same_is_written_in_one_way(text: str, normal: str) -> None:
    own = ravi.decode(text, ravi.AgentMessage)
    assert ravi.encode(own).decode() == normal
    assert ravi.encode(ravi.decode(text)).decode() == f"[{normal}]"


@pytest.mark.parametrize(
    ("name", "word"),
    [
        *(("mpeg", "mp3"), ("x-wav", "wav"), ("wave", "wav"), ("vnd.wave", "wav")),
        *(("mp3", "mp3"), ("wav", "wav"), ("opus", "opus"), ("flac", "flac"), ("ogg", "ogg")),
    ],
)
def test_a_sound_from_elsewhere_has_the_word_of_v3_for_its_type(name: str, word: str) -> None:
    sound = wg.AudioBlock(data="YQ==", mime_type=f"audio/{name}")
    assert ravi.encode([wg.UserMessage([sound])], version="v3").decode() == (
        '[{"role":"user","content":[{"type":"audio","data":{"__bytes_b64__":"YQ=="},'
        f'"format":"{word}","transcript":null}}],"type":"UserMessage","name":null}}]'
    )


BROKEN = {
    "an image without a source": (
        USER % '{"type":"image","url":null}',
        "several or none of `url`, `file_id` and `data`, expected one - at `$`",
    ),
    "an image whose bytes are text": (
        USER % '{"type":"image","data":"abc"}',
        "expected `object | null`, got `str` - at `$.content[0].data`",
    ),
    "bytes that are null": (
        USER % '{"type":"audio","data":{"__bytes_b64__":null}}',
        "expected base64 `str`, got `null` - at `$.content[0].data`",
    ),
}


@pytest.mark.parametrize(("text", "error"), BROKEN.values(), ids=BROKEN)
def test_what_is_broken_is_refused_with_its_path(text: str, error: str) -> None:
    with pytest.raises(wg.DecodeError) as caught:
        ravi.decode(text)
    assert str(caught.value) == f"ravi: {error}"


# -- from one version to the other -----------------------------------------------------------------

V2_USER = '{"role":"user","content":[%s],"type":"UserMessage"}'
V2_IMAGE = '{"type":"input_image","image_url":"data:image/png;base64,iVBORw0KGgo=","detail":"high"}'


def test_a_version_can_be_asked_for_whatever_the_messages_came_in() -> None:
    first = V2_USER % ('{"type":"input_text","text":"a"},' + V2_IMAGE)
    later = USER.replace('"id":"m1",', "") % f'"a",{IMAGE}'
    own = ravi.decode(first, ravi.AgentMessage)
    for value in (ravi.decode(first), [own]):
        assert ravi.encode(value).decode() == f"[{first}]"
        assert ravi.encode(value, version="v2").decode() == f"[{first}]"
        assert ravi.encode(value, version="v3").decode() == f"[{later}]"
    assert ravi.encode(own, version="v3").decode() == later
    losses: list[wg.Loss] = []
    came = USER % f'"a",{IMAGE}'
    for value in (ravi.decode(came), [ravi.decode(came, ravi.UserMessage)]):
        assert ravi.encode(value).decode() == f"[{came}]"
        assert ravi.encode(value, losses=losses, version="v2").decode() == f"[{first}]"
    assert [loss.path for loss in losses] == ["$[0].id", "$[0].id"]
    with pytest.raises(wg.EncodeError, match="unknown version `v4`, expected one of `v2`, `v3`"):
        ravi.encode([], version="v4")  # type: ignore[arg-type]


def test_ids_go_into_v3() -> None:
    messages = [wg.SystemMessage.from_text("a"), wg.UserMessage([], id="u1")]
    assert ravi.encode(messages, version="v3").decode() == (
        '[{"role":"system","content":"a","type":"SystemMessage"},{"id":"u1","role":"user",'
        '"content":[],"type":"UserMessage","name":null}]'
    )


def test_a_call_alone_whose_message_got_an_id_is_an_answer() -> None:
    (message,) = ravi.decode(CALL % "{}")
    message.id = "m1"
    call = CALL % "{}"
    assert ravi.encode([message]).decode() == "[%s]" % (ANSWER % ("null", f"[{call}]"))


def test_what_came_as_media_stands_in_a_result_of_v2() -> None:
    text = RESULT % ('{"type":"text","text":"see"}', f"[{IMAGE}]")
    losses: list[wg.Loss] = []
    assert ravi.encode(ravi.decode(text), losses=losses, version="v2").decode() == (
        '[{"role":"tool_response","tool_call_id":"c1","content":[{"type":"text","text":"see"},'
        '{"type":"image","data":"iVBORw0KGgo=","mimeType":"image/png"}],"isError":false,'
        '"type":"ToolExecutionResultMessage"}]'
    )
    assert [loss.path for loss in losses] == ["$[0].id", "$[0].content[1].detail"]


def test_what_only_v3_has_is_no_v2() -> None:
    for item in (
        ravi.DocumentContent(file_id="f"),
        ravi.AudioContent(b"a", "mp3", "said"),
        ravi.VideoContent(url="https://e/x"),
    ):
        with pytest.raises(wg.EncodeError, match="V3 alone has"):
            ravi.encode(ravi.UserMessage([item], version="v2"))
    made = ravi.UserMessage([ravi.DocumentContent(file_id="f")])
    assert made.version == "v3"


def _in_user(*content: wg.Content) -> list[wg.Message]:
    return [wg.UserMessage([*content])]


def _in_result(*content: wg.Content) -> list[wg.Message]:
    return [wg.ToolResultMessage("c1", content=[*content])]


NO_ID = '"id":"m1",'
LOST = {
    "an id that is a number": ([wg.UserMessage([], id=7)], "$[0].id", "id", USER % ""),
    "a detail": (
        _in_user(wg.ImageBlock(file_id="f", detail="original")),
        "$[0].content[0].detail",
        "detail",
        USER % '{"type":"image","url":null,"file_id":"f","data":null,"media_type":"image/jpeg",'
        '"detail":"auto"}',
    ),
    "a sound of another format": (
        _in_user(wg.AudioBlock(data=b"a", mime_type="audio/amr", transcript="said")),
        "$[0].content[0]",
        "audio",
        USER % '"said"',
    ),
    "a film by file id": (
        _in_user(wg.VideoBlock(file_id="f")),
        "$[0].content[0]",
        "video",
        USER % "",
    ),
    "a document that is text": (
        _in_user(wg.DocumentBlock.from_text("all")),
        "$[0].content[0]",
        "document",
        USER % '"all"',
    ),
    "a document in a broken data URL": (
        _in_user(wg.DocumentBlock(url="data:x")),
        "$[0].content[0]",
        "document",
        USER % "",
    ),
    "a document without a source": (
        _in_user(wg.DocumentBlock(title="a")),
        "$[0].content[0]",
        "document",
        USER % "",
    ),
    "a film in a broken data URL": (
        _in_user(wg.VideoBlock(url="data:x")),
        "$[0].content[0]",
        "video",
        USER % "",
    ),
    "arguments of a call in a result that are no object": (
        _in_result(wg.ToolCallBlock("c2", "plot", "7")),
        "$[0].content[0].arguments",
        "arguments",
        RESULT
        % (
            '{"type":"tool_use","tool_call_id":"c2","tool_name":"plot","arguments":'
            '{"raw_arguments":"7"}}',
            "null",
        ),
    ),
    "a batch's id": (
        [wg.ToolMessage([wg.ToolResultBlock("c1")], id="b1")],
        "$[0].id",
        "id",
        RESULT % ("", "null"),
    ),
    "an error": (_in_user(wg.ErrorBlock("down")), "$[0].content[0]", "error", USER % '"down"'),
    "thinking that is redacted": (
        [wg.AssistantMessage([wg.ThinkingBlock("so", redacted=True)])],
        "$[0].content[0].redacted",
        "redacted",
        ANSWER.replace('"reasoning":null', '"reasoning":"so"') % ("null", "null"),
    ),
    "the details of an error that are no object": (
        _in_result(wg.ErrorBlock("m", data=[1])),
        "$[0].content[0].data",
        "error data",
        RESULT
        % (
            '{"type":"error","error_type":"Error","message":"m","details":null,"recoverable":true}',
            "null",
        ),
    ),
    "the name of a tool in a result in a result": (
        _in_result(wg.ToolResultBlock("c2", "plot")),
        "$[0].content[0].toolName",
        "toolName",
        RESULT
        % (
            '{"type":"tool_result","tool_call_id":"c2","content":[],"is_error":false}',
            "null",
        ),
    ),
    "a document in a result that is text": (
        _in_result(wg.DocumentBlock.from_text("all")),
        "$[0].content[0]",
        "document",
        RESULT % ('{"type":"text","text":"all"}', "null"),
    ),
    "a film in a result by file id": (
        _in_result(wg.VideoBlock(file_id="f", transcript="seen")),
        "$[0].content[0]",
        "video",
        RESULT % ('{"type":"text","text":"seen"}', "null"),
    ),
    "text after an image that is not inline": (
        _in_result(wg.ImageBlock(file_id="f"), wg.TextBlock("a")),
        "$[0].content[1]",
        "order",
        RESULT
        % (
            '{"type":"text","text":"a"}',
            '[{"type":"image","url":null,"file_id":"f","data":null,"media_type":"image/jpeg",'
            '"detail":"auto"}]',
        ),
    ),
}


@pytest.mark.parametrize(("messages", "path", "what", "text"), LOST.values(), ids=LOST)
def test_what_v3_cannot_carry_is_said_to_be_lost(
    messages: Any, path: str, what: str, text: str
) -> None:
    losses: list[wg.Loss] = []
    made = ravi.encode(messages, losses=losses, version="v3").decode()
    assert made == f"[{text.replace(NO_ID, '')}]"
    assert [(loss.path, loss.what) for loss in losses] == [(path, what)]


def test_v3_carries_what_v2_does_not() -> None:
    answer = wg.AssistantMessage(
        [], usage=wg.Usage(input=3, output=2, cache_read=4, total_tokens=9), parsed=[1]
    )
    sound = wg.AudioBlock(data=b"a", mime_type="audio/mpeg", transcript="said")
    beside = wg.DocumentBlock(url="https://e/x.pdf", mime_type="application/pdf")
    made = ravi.encode([answer, *_in_user(sound), *_in_result(beside)], version="v3")
    assert made.decode() == (
        '[{"role":"assistant","content":null,"type":"AssistantMessage","name":null,"reasoning":'
        'null,"tool_calls":null,"finish_reason":"stop","usage":{"prompt_tokens":3,'
        '"completion_tokens":2,"total_tokens":9,"extra":{"cache_read_input_tokens":4}},"cached":'
        'false,"parsed":[1]},{"role":"user","content":[{"type":"audio","data":{"__bytes_b64__":'
        '"YQ=="},"format":"mp3","transcript":"said"}],"type":"UserMessage","name":null},{"role":'
        '"tool_response","content":[],"type":"ToolExecutionResultMessage","tool_call_id":"c1",'
        '"name":null,"is_error":false,"app_data":null,"media":[{"type":"document","url":'
        '"https://e/x.pdf","file_id":null,"data":null,"media_type":"application/pdf","filename":'
        "null}]}]"
    )


def test_types_that_are_not_said_are_those_that_the_data_show() -> None:
    blocks = [
        wg.DocumentBlock(data=b"?"),
        wg.DocumentBlock(data=b"GIF89a"),
        wg.DocumentBlock(url="https://e/x"),
    ]
    films = [wg.VideoBlock(data=b"?"), wg.VideoBlock(url="https://e/x")]
    made = ravi.from_canonical(_in_user(*blocks, *films), version="v3")[0]
    assert [item.media_type for item in made.content[:3]] == [
        "application/pdf",
        "image/gif",
        "application/pdf",
    ]
    assert [item.format for item in made.content[3:]] == ["mp4", "mp4"]
    (result,) = ravi.from_canonical(_in_result(*blocks[:2], films[0]), version="v3")
    assert [item["media_type"] for item in result.content.value] == [
        "application/pdf",
        "image/gif",
        "video/mp4",
    ]


@settings(max_examples=100)
@given(documents())
def test_any_document_comes_home(document: list[ravi.AgentMessage]) -> None:
    body = ravi.encode(document)
    again = ravi.decode(body, list[ravi.AgentMessage])
    assert again == document
    assert ravi.encode(again) == body
    canonical = ravi.decode(body)
    assert ravi.to_canonical(document) == canonical
    assert ravi.from_canonical(canonical) == document
    assert ravi.from_canonical(wg.json.decode(wg.json.encode(canonical))) == document


@settings(max_examples=60)
@given(documents())
def test_any_document_can_be_written_in_either_version(
    document: list[ravi.AgentMessage],
) -> None:
    for version in ("v2", "v3"):
        body = ravi.encode(document, losses=[], version=version)
        again = ravi.encode(ravi.to_canonical(document), losses=[], version=version)
        assert json.loads(again) == json.loads(body)
        assert len(ravi.decode(body)) == len(document)


# -- examples that Ravi itself wrote, and those that it reads --------------------------------------

EXPECTED = {
    # Chat Completions' image: Ravi reads it, and writes its own.
    10: '{"role":"user","content":[{"type":"input_image","image_url":"https://e/x.png"}],'
    '"type":"UserMessage"}',
    # A bare string and an image with a source: the same.
    11: '{"role":"user","content":[{"type":"input_text","text":"hi"},{"type":"input_image",'
    '"image_url":"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4'
    'nGNgYGAAAAAEAAH2FzhVAAAAAElFTkSuQmCC"}],"type":"UserMessage"}',
    # Arguments as a JSON string: Ravi holds them as an object.
    12: '{"role":"tool_call","type":"ToolCallMessage","id":"c1","name":"f","arguments":{"a":1}}',
    # The first version's call: its arguments under the reference's key.
    13: '{"role":"tool_call","type":"ToolCallMessage","name":"web_search",'
    '"arguments":{"query":"x"}}',
}


@pytest.mark.skipif(not EXAMPLES.exists(), reason="the collected examples are not here")
def test_every_collected_example_comes_home() -> None:
    lines = EXAMPLES.read_text().splitlines()
    assert len(lines) == 16
    for number, line in enumerate(lines, 1):
        kind = ravi.StreamChunk if "chunk_type" in line else ravi.AgentMessage
        own = ravi.decode(line, kind)
        expected = EXPECTED.get(number, line)
        assert ravi.encode(own).decode() == expected, number
        if kind is ravi.AgentMessage:
            made = json.loads(ravi.encode(ravi.decode(line)))
            assert made == [json.loads(expected)], number
