"""Ravi's stored messages (V2), both ways, against literal bytes and literal messages."""

import json
from typing import Any

import pytest

import wireglot as wg
from wireglot.formats import ravi

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC"


def _array(*texts: str) -> str:
    return f"[{','.join(texts)}]"


def _user(*content: wg.Content, **more: Any) -> wg.Message:
    return wg.UserMessage([*content], **more)


def _answer(*content: wg.Content, **more: Any) -> wg.Message:
    more = {"stop_reason": wg.StopReason.STOP, "raw_stop_reason": "stop", **more}
    return wg.AssistantMessage([*content], **more)


def _result(*content: wg.Content, **more: Any) -> wg.Message:
    return wg.ToolResultMessage("c1", content=[*content], **more)


def _keys(**keys: Any) -> wg.Extras:
    return {"ravi": wg.Extra(keys)}


def _spelled(**spelling: Any) -> wg.Extras:
    return {"ravi": wg.Extra({}, spelling)}


USER = '{"role":"user","content":[%s],"type":"UserMessage"}'
ANSWER = '{"role":"assistant","finish_reason":"stop","cached":false,"type":"AssistantMessage"%s}'
RESULT = (
    '{"role":"tool_response","tool_call_id":"c1","content":[%s],"isError":false,'
    '"type":"ToolExecutionResultMessage"}'
)
CALL = '{"role":"tool_call","type":"ToolCallMessage","id":"c1","name":"plot","arguments":%s}'

BOTH_WAYS = {
    "a system prompt": (
        '{"role":"system","content":"Be brief.","type":"SystemMessage"}',
        wg.SystemMessage([wg.TextBlock("Be brief.")]),
    ),
    "a user's text": (USER % '{"type":"input_text","text":"Où ?"}', _user(wg.TextBlock("Où ?"))),
    "a user with a name, and nothing to say": (
        '{"role":"user","content":[],"type":"UserMessage","name":"ada"}',
        _user(name="ada"),
    ),
    "an image by URL": (
        USER % '{"type":"input_image","image_url":"https://e/x.png","detail":"original"}',
        _user(wg.ImageBlock(url="https://e/x.png", detail="original")),
    ),
    "an image by file id": (
        USER % '{"type":"input_image","file_id":"file-7"}',
        _user(wg.ImageBlock(file_id="file-7")),
    ),
    "an image's URL beside its file id, which Ravi takes": (
        USER % '{"type":"input_image","file_id":"f","image_url":"https://e/x"}',
        _user(wg.ImageBlock(file_id="f", extras=_keys(image_url="https://e/x"))),
    ),
    "inline data beside a file id": (
        USER % '{"type":"input_image","file_id":"f","image_url":"data:image/gif;base64,R0lG"}',
        _user(wg.ImageBlock(file_id="f", extras=_keys(image_url="data:image/gif;base64,R0lG"))),
    ),
    "a source beside a URL, which Ravi takes": (
        USER % '{"type":"input_image","image_url":"https://e/x","source":{"type":"base64",'
        '"data":"R0lG"}}',
        _user(
            wg.ImageBlock(
                url="https://e/x", extras=_keys(source={"type": "base64", "data": "R0lG"})
            )
        ),
    ),
    "a source that is no base64 beside a URL": (
        USER % '{"type":"input_image","image_url":"https://e/x","source":{"type":"url","url":"u"}}',
        _user(wg.ImageBlock(url="https://e/x", extras=_keys(source={"type": "url", "url": "u"}))),
    ),
    "a data URL with parameters stays a URL": (
        USER % '{"type":"input_image","image_url":"data:image/svg+xml;charset=utf-8;base64,AAAA"}',
        _user(wg.ImageBlock(url="data:image/svg+xml;charset=utf-8;base64,AAAA")),
    ),
    "a data URL with parameters that is no base64": (
        USER % '{"type":"input_image","image_url":"data:image/svg+xml;utf8,%3Csvg/%3E"}',
        _user(wg.ImageBlock(url="data:image/svg+xml;utf8,%3Csvg/%3E")),
    ),
    "an image whose file id is empty": (
        USER % '{"type":"input_image","file_id":""}',
        _user(wg.ImageBlock(file_id="")),
    ),
    "an inline image: bytes, type and detail stay": (
        USER
        % '{"type":"input_image","image_url":"data:image/webp;base64,UklGRg==","detail":"low"}',
        _user(wg.ImageBlock(data="UklGRg==", mime_type="image/webp", detail="low")),
    ),
    "a sound": (
        USER % '{"type":"input_audio","source":{"type":"base64","media_type":"audio/mp3",'
        '"data":"SUQz"}}',
        _user(wg.AudioBlock(data="SUQz", mime_type="audio/mp3")),
    ),
    "a film": (
        USER % '{"type":"input_video","source":{"type":"base64","media_type":"video/webm",'
        '"data":"GkXf"}}',
        _user(wg.VideoBlock(data="GkXf", mime_type="video/webm")),
    ),
    "a sound of another kind of type": (
        USER % '{"type":"input_audio","source":{"type":"base64","media_type":"application/ogg",'
        '"data":"T2dn"}}',
        _user(wg.AudioBlock(data="T2dn", mime_type="application/ogg")),
    ),
    "an answer": (
        ANSWER % ',"content":[{"type":"output_text","text":"Here"}]',
        _answer(wg.TextBlock("Here")),
    ),
    "an answer's media": (
        ANSWER % ',"content":[{"type":"input_image","image_url":"https://e/y"},{"type":'
        '"output_audio","source":{"type":"base64","media_type":"audio/wav","data":"UklG"}},'
        '{"type":"output_video","source":{"type":"base64","media_type":"video/mp4","data":"AAAA"}}]',
        _answer(
            wg.ImageBlock(url="https://e/y"),
            wg.AudioBlock(data="UklG", mime_type="audio/wav"),
            wg.VideoBlock(data="AAAA", mime_type="video/mp4"),
        ),
    ),
    "an answer without content": (ANSWER % "", _answer()),
    "an answer whose content is empty": (
        ANSWER % ',"content":[]',
        _answer(extras=_spelled(content=[])),
    ),
    "an answer whose list of calls is empty": (
        ANSWER % ',"tool_calls":[]',
        _answer(extras=_spelled(tool_calls=[])),
    ),
    "all of an answer": (
        '{"role":"assistant","finish_reason":"tool_calls","cached":true,"type":"AssistantMessage",'
        '"name":"bot","reasoning":"so","content":[{"type":"output_text","text":"Well"}],'
        '"tool_calls":[{"role":"tool_call","type":"ToolCallMessage","id":"c1","name":"plot",'
        '"arguments":{"b": 1e2, "a":null}}],"usage":{"prompt_tokens":3,"completion_tokens":2,'
        '"total_tokens":5}}',
        wg.AssistantMessage(
            [
                wg.ThinkingBlock("so"),
                wg.TextBlock("Well"),
                wg.ToolCallBlock("c1", "plot", '{"b": 1e2, "a":null}'),
            ],
            wg.StopReason.TOOL_USE,
            usage=wg.Usage(input=3, output=2, total_tokens=5),
            raw_stop_reason="tool_calls",
            name="bot",
            cached=True,
        ),
    ),
    "a provider's own word for the end": (
        ANSWER.replace('"stop"', '"max_tokens"') % "",
        _answer(stop_reason=wg.StopReason.LENGTH, raw_stop_reason="max_tokens"),
    ),
    "a word for the end that nobody knows": (
        ANSWER.replace('"stop"', '"bored"') % "",
        _answer(stop_reason=None, raw_stop_reason="bored"),
    ),
    "Anthropic's cached tokens, beside the prompt's": (
        ANSWER % ',"usage":{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5,"extra":'
        '{"cache_read_input_tokens":7,"cache_creation_input_tokens":0,"tier":"x"}}',
        _answer(
            usage=wg.Usage(
                input=3,
                output=2,
                cache_read=7,
                total_tokens=5,
                extras={
                    "ravi": wg.Extra(
                        {"extra": {"tier": "x"}},
                        {
                            "extra": {
                                "cache_read_input_tokens": 7,
                                "cache_creation_input_tokens": 0,
                                "tier": "x",
                            }
                        },
                    )
                },
            )
        ),
    ),
    "a call alone": (
        CALL % '{"x": 1.50}',
        wg.AssistantMessage(
            [wg.ToolCallBlock("c1", "plot", '{"x": 1.50}')],
            extras=_spelled(type="ToolCallMessage"),
        ),
    ),
    "a call alone without an id": (
        '{"role":"tool_call","type":"ToolCallMessage","name":"plot","arguments":{}}',
        wg.AssistantMessage(
            [wg.ToolCallBlock("", "plot", "{}", extras=_spelled(id=None))],
            extras=_spelled(type="ToolCallMessage"),
        ),
    ),
    "a result that failed": (
        '{"role":"tool_response","tool_call_id":"c1","content":[{"type":"text","text":"no"}],'
        '"isError":true,"type":"ToolExecutionResultMessage","name":"plot"}',
        _result(wg.TextBlock("no"), is_error=True, tool_name="plot"),
    ),
    "a result with images and sounds, as in MCP": (
        RESULT % '{"type":"image","data":"iVBORw0KGgo=","mimeType":"image/png"},'
        '{"type":"audio","data":"UklG","mimeType":"audio/wav"}',
        _result(
            wg.ImageBlock(data="iVBORw0KGgo=", mime_type="image/png"),
            wg.AudioBlock(data="UklG", mime_type="audio/wav"),
        ),
    ),
    "what a result has that is none of ours": (
        RESULT % '{"type":"resource","resource":{"uri":"file:///a", "n":1e2}},'
        '{"type":"error","error_type":"E","message":"m","details":null,"recoverable":true},'
        '{"type":"image","data":"AA=="},7,{"no":"type"}',
        _result(
            wg.OpaqueBlock(
                "ravi",
                wg.RawJson('{"type":"resource","resource":{"uri":"file:///a", "n":1e2}}'),
            ),
            wg.OpaqueBlock(
                "ravi",
                wg.RawJson.of(
                    {
                        "type": "error",
                        "error_type": "E",
                        "message": "m",
                        "details": None,
                        "recoverable": True,
                    }
                ),
            ),
            wg.OpaqueBlock("ravi", wg.RawJson('{"type":"image","data":"AA=="}')),
            wg.OpaqueBlock("ravi", wg.RawJson("7")),
            wg.OpaqueBlock("ravi", wg.RawJson('{"no":"type"}')),
        ),
    ),
    "an image in a result under the key of V3": (
        RESULT % '{"type":"image","data":"AA==","media_type":"image/gif"}',
        _result(
            wg.ImageBlock(
                data="AA==", mime_type="image/gif", extras=_spelled(media_type="image/gif")
            )
        ),
    ),
    "a bare string in a result": (
        RESULT % '"ten",{"type":"text","text":"results"}',
        _result(wg.TextBlock("ten", extras=_spelled(**{"as": "str"})), wg.TextBlock("results")),
    ),
    "data for programs, which Ravi reads and does not write": (
        RESULT.replace("}", ',"app_data":{"a":[1]}}') % "",
        _result(details={"a": [1]}),
    ),
    "a role that is not the type's": (
        ANSWER.replace('"assistant"', '"user"') % ',"content":[{"type":"input_text","text":"a"}]',
        _answer(wg.TextBlock("a"), extras=_spelled(role="user")),
    ),
    "a total of nothing": (
        ANSWER % ',"usage":{"prompt_tokens":3,"completion_tokens":2,"total_tokens":0}',
        _answer(
            usage=wg.Usage(input=3, output=2, extras={"ravi": wg.Extra({}, {"total_tokens": 0})})
        ),
    ),
    "unknown keys at every level": (
        '{"role":"assistant","finish_reason":"stop","cached":false,"type":"AssistantMessage",'
        '"content":[{"type":"output_text","text":"a","mood":1.5},{"type":"input_image",'
        '"image_url":"https://e/x","k":1},{"type":"output_audio","source":{"type":"base64",'
        '"media_type":"audio/mp3","data":"SUQz","rate":8},"k":2}],"tool_calls":[{"role":'
        '"tool_call","type":"ToolCallMessage","id":"c1","name":"plot","arguments":{},"at":1}],'
        '"usage":{"prompt_tokens":1,"completion_tokens":0,"total_tokens":1,"tier":"x"},"at":2}',
        _answer(
            wg.TextBlock("a", extras=_keys(mood=1.5)),
            wg.ImageBlock(url="https://e/x", extras=_keys(k=1)),
            wg.AudioBlock(
                data="SUQz", mime_type="audio/mp3", extras=_keys(k=2, source={"rate": 8})
            ),
            wg.ToolCallBlock("c1", "plot", "{}", extras=_keys(at=1)),
            usage=wg.Usage(input=1, total_tokens=1, extras=_keys(tier="x")),
            extras=_keys(at=2),
        ),
    ),
    "unknown keys of a result and its items": (
        RESULT.replace("}", ',"_meta":{}}')
        % '{"type":"text","text":"a","annotations":{"audience":["user"]}}',
        _result(
            wg.TextBlock("a", extras=_keys(annotations={"audience": ["user"]})),
            extras=_keys(_meta={}),
        ),
    ),
    "a content of a call, which is never there": (
        CALL.replace("}", ',"content":"x"}') % "{}",
        wg.AssistantMessage(
            [wg.ToolCallBlock("c1", "plot", "{}", extras=_keys(content="x"))],
            extras=_spelled(type="ToolCallMessage"),
        ),
    ),
    "an id that V2 does not write, beside what V2 alone writes": (
        USER.replace("}", ',"id":"u1"}') % '{"type":"input_text","text":"a"}',
        _user(wg.TextBlock("a"), extras=_keys(id="u1")),
    ),
}


@pytest.mark.parametrize(("text", "message"), BOTH_WAYS.values(), ids=BOTH_WAYS)
def test_a_message_both_ways(text: str, message: Any) -> None:
    assert ravi.decode(f"[{text}]") == [message]
    assert ravi.encode([message]).decode() == f"[{text}]"
    own = ravi.decode(text, ravi.AgentMessage)
    assert own.version == "v2"
    assert ravi.encode(own).decode() == text
    assert ravi.to_canonical([own]) == [message]
    assert ravi.from_canonical([message]) == [own]
    assert type(own).from_dict(own.to_dict()) == own
    assert own.to_dict() == json.loads(text)


# What Ravi's own reader takes for the same thing is written in one way, that of the reference.
NORMAL = {
    "an image as in Chat Completions": (
        USER % '{"type":"image_url","image_url":{"url":"https://e/x","detail":"high"}}',
        USER % '{"type":"input_image","image_url":"https://e/x","detail":"high"}',
    ),
    "an image as in Chat Completions, its detail beside it": (
        USER % '{"type":"image_url","image_url":{"url":"https://e/x"},"detail":"low"}',
        USER % '{"type":"input_image","image_url":"https://e/x","detail":"low"}',
    ),
    "unknown keys inside it": (
        USER % '{"type":"image_url","image_url":{"url":"https://e/x","k":1}}',
        USER % '{"type":"input_image","image_url":"https://e/x","k":1}',
    ),
    "an image with a source": (
        USER % '{"type":"input_image","source":{"type":"base64","media_type":"image/gif",'
        '"data":"R0lG"}}',
        USER % '{"type":"input_image","image_url":"data:image/gif;base64,R0lG"}',
    ),
    "a source with keys that the image has too": (
        USER % '{"type":"input_image","source":{"type":"base64","media_type":"image/gif",'
        '"data":"R0lG","image_url":"x","k":1},"k":2}',
        USER % '{"type":"input_image","image_url":"data:image/gif;base64,R0lG","k":2,'
        '"source":{"image_url":"x","k":1}}',
    ),
    "an output image": (
        USER % '{"type":"output_image","image_url":"https://e/x"}',
        USER % '{"type":"input_image","image_url":"https://e/x"}',
    ),
    "an image of the first version": (
        USER % '{"type":"image/png","data":"iVBO"}',
        USER % '{"type":"input_image","image_url":"data:image/png;base64,iVBO"}',
    ),
    "a source where the URL is empty": (
        USER % '{"type":"input_image","image_url":"","source":{"type":"base64","data":"R0lG"}}',
        USER % '{"type":"input_image","image_url":"data:application/octet-stream;base64,R0lG"}',
    ),
    "a source whose type has parameters": (
        USER % '{"type":"input_image","source":{"type":"base64","media_type":"image/gif; a=b",'
        '"data":"R0lG"}}',
        USER % '{"type":"input_image","image_url":"data:image/gif;base64,R0lG"}',
    ),
    "a source whose type is none": (
        USER % '{"type":"input_image","source":{"type":"base64","media_type":"a b","data":"R0lG"}}',
        USER % '{"type":"input_image","image_url":"data:application/octet-stream;base64,R0lG"}',
    ),
    "a data URL in capitals": (
        USER % '{"type":"input_image","image_url":"DATA:image/gif;BASE64,R0lG"}',
        USER % '{"type":"input_image","image_url":"data:image/gif;base64,R0lG"}',
    ),
    "a URL that is null": (
        USER % '{"type":"input_image","image_url":null,"file_id":"f","detail":"auto"}',
        USER % '{"type":"input_image","file_id":"f"}',
    ),
    "texts of other roles and places": (
        USER % '{"type":"output_text","text":"a"},{"type":"text","text":"b"},'
        '{"type":"summary_text","text":"c"},{"type":"input_text"},"d"',
        USER % '{"type":"input_text","text":"a"},{"type":"input_text","text":"b"},'
        '{"type":"input_text","text":"c"},{"type":"input_text","text":""},'
        '{"type":"input_text","text":"d"}',
    ),
    "a sound without a type": (
        USER % '{"type":"output_audio","source":{"type":"base64","data":"SUQz"}}',
        USER % '{"type":"input_audio","source":{"type":"base64","media_type":"audio/mp3",'
        '"data":"SUQz"}}',
    ),
    "a sound with half a type": (
        USER % '{"type":"input_audio","source":{"type":"base64","media_type":"wav","data":"UklG"}}',
        USER % '{"type":"input_audio","source":{"type":"base64","media_type":"audio/wav",'
        '"data":"UklG"}}',
    ),
    "a data URL with escapes": (
        USER % '{"type":"input_image","image_url":"data:image\\/png;base64,iVBO"}',
        USER % '{"type":"input_image","image_url":"data:image/png;base64,iVBO"}',
    ),
    "names and reasoning that are empty": (
        '{"role":"assistant","type":"AssistantMessage","name":"","reasoning":"","usage":null}',
        ANSWER % "",
    ),
    "arguments as a JSON string": (CALL % '"{\\"a\\": 1}"', CALL % '{"a": 1}'),
    "arguments that are missing": (
        '{"type":"ToolCallMessage","id":"c1","name":"plot"}',
        CALL % "{}",
    ),
    "the first version's call": (
        '{"id":"c1","name":"plot","content":{"x": 1e2},"type":"ToolCallMessage"}',
        CALL % '{"x": 1e2}',
    ),
    "the first version's error flag": (
        RESULT.replace('"isError":false', '"is_error":true') % "",
        RESULT.replace("false", "true") % "",
    ),
    "error flags that contradict each other": (
        RESULT.replace('"isError":false', '"isError":true,"is_error":false') % "",
        RESULT.replace("false", "true") % "",
    ),
    "a result that is text": (
        '{"type":"ToolExecutionResultMessage","tool_call_id":"c1","content":"ten"}',
        RESULT % '{"type":"text","text":"ten"}',
    ),
    "a result that is one object": (
        '{"type":"ToolExecutionResultMessage","tool_call_id":"c1","content":{"a":1}}',
        RESULT % '{"a":1}',
    ),
    "a result that is something else": (
        '{"type":"ToolExecutionResultMessage","tool_call_id":"c1","content":null}',
        RESULT % '{"type":"text","text":"None"}',
    ),
}


@pytest.mark.parametrize(("text", "normal"), NORMAL.values(), ids=NORMAL)
def test_what_says_the_same_is_written_in_one_way(text: str, normal: str) -> None:
    own = ravi.decode(text, ravi.AgentMessage)
    assert ravi.encode(own).decode() == normal
    assert ravi.encode(ravi.decode(text)).decode() == f"[{normal}]"
    assert ravi.decode(normal) == ravi.decode(text)


def test_a_sniffed_type_is_written_where_a_data_url_has_none() -> None:
    text = USER % '{"type":"input_image","image_url":"data:;base64,%s"}' % PNG
    (message,) = ravi.decode(text)
    assert message.content[0].mime_type == "image/png"
    assert f'"data:image/png;base64,{PNG}"' in ravi.encode([message]).decode()


def test_one_message_alone_and_json_lines_are_read_too() -> None:
    texts = [text for text, _ in BOTH_WAYS.values()]
    messages = [message for _, message in BOTH_WAYS.values()]
    assert ravi.decode(texts[0]) == messages[:1]
    assert ravi.decode("\ufeff\n" + "\n\n".join(texts) + "\n") == messages
    assert ravi.decode(json.dumps([json.loads(text) for text in texts], indent=2)) == messages
    assert ravi.encode(messages, lines=True).decode() == "".join(f"{text}\n" for text in texts)


def test_payloads_are_slices_of_what_came_in() -> None:
    data = "A" * 4000
    text = USER % '{"type":"input_image","image_url":"data:image/png;base64,%s"}' % data
    (own,) = ravi.decode(f"[{text}]", list[ravi.AgentMessage])
    assert repr(own.content[0].data) == "<Media inner image/png, about 3,000 bytes>"
    text = RESULT % '{"type":"image","data":"%s","mimeType":"image/png"}' % data
    (message,) = ravi.decode(text)
    assert repr(message.content[0].data).startswith("<Media json")
    assert ravi.encode([message]).decode() == f"[{text}]"


@pytest.mark.parametrize(
    ("word", "reason"),
    [
        ("end_turn", "stop"),
        ("stop_sequence", "stop"),
        ("STOP", "stop"),
        ("max_tokens", "length"),
        ("max_output_tokens", "length"),
        ("MAX_TOKENS", "length"),
        ("tool_calls", "toolUse"),
        ("tool_call", "toolUse"),
        ("tool_use", "toolUse"),
        ("function_call", "toolUse"),
        ("cancelled", "aborted"),
        ("content_filter", "guardRail"),
        ("refusal", "guardRail"),
        ("SAFETY", "guardRail"),
        ("guardrail_tripped", "guardRail"),
        ("maxTurns", "maxTurns"),
    ],
)
def test_a_word_for_the_end_says_why_the_answer_stopped(word: str, reason: str) -> None:
    text = ANSWER.replace('"stop"', f'"{word}"') % ""
    (message,) = ravi.decode(text)
    assert (message.stop_reason, message.raw_stop_reason) == (reason, word)
    assert ravi.encode([message]).decode() == f"[{text}]"


# -- canonical messages that came from elsewhere ---------------------------------------------------

MADE = {
    "a system prompt of several texts": (
        wg.SystemMessage([wg.TextBlock("Count."), wg.TextBlock("Be brief.")]),
        '{"role":"system","content":"Count.\\nBe brief.","type":"SystemMessage"}',
    ),
    "an answer of which nothing is known": (wg.AssistantMessage([]), ANSWER % ""),
    "why an answer stopped, in Ravi's words": (
        wg.AssistantMessage([], wg.StopReason.TOOL_USE),
        ANSWER.replace('"stop"', '"tool_calls"') % "",
    ),
    "why an answer stopped, in a provider's words": (
        wg.AssistantMessage([], wg.StopReason.STOP, raw_stop_reason="end_turn"),
        ANSWER.replace('"stop"', '"end_turn"') % "",
    ),
    "why an answer stopped, in ours where there is no other": (
        wg.AssistantMessage([], wg.StopReason.MAX_TURNS),
        ANSWER.replace('"stop"', '"maxTurns"') % "",
    ),
    "why an answer that was aborted stopped": (
        wg.AssistantMessage([], wg.StopReason.ABORTED),
        ANSWER.replace('"stop"', '"cancelled"') % "",
    ),
    "why an answer that a guard rail refused stopped": (
        wg.AssistantMessage([], wg.StopReason.GUARD_RAIL),
        ANSWER.replace('"stop"', '"guardrail_tripped"') % "",
    ),
    "an answer with a call": (
        wg.AssistantMessage([wg.ToolCallBlock("c1", "plot", "")]),
        ANSWER % (',"tool_calls":[%s]' % (CALL % "{}")),
    ),
    "a data URL is inline": (
        wg.UserMessage([wg.ImageBlock(url="data:image/webp;base64,UklGRg==")]),
        USER % '{"type":"input_image","image_url":"data:image/webp;base64,UklGRg=="}',
    ),
    "types that are known by their look, or not at all": (
        wg.UserMessage([wg.ImageBlock(data=b"GIF89a"), wg.AudioBlock(data=b"?")]),
        USER % '{"type":"input_image","image_url":"data:image/gif;base64,R0lGODlh"},'
        '{"type":"input_audio","source":{"type":"base64","media_type":"audio/wav","data":"Pw=="}}',
    ),
    "results stand before what a user says": (
        wg.UserMessage([wg.ToolResultBlock("c1"), wg.TextBlock("go on")]),
        RESULT % "" + "," + USER % '{"type":"input_text","text":"go on"}',
    ),
    "a user's message of results alone": (
        wg.UserMessage([wg.ToolResultBlock("c1")]),
        RESULT % "",
    ),
    "a batch of results": (
        wg.ToolMessage(
            [wg.ToolResultBlock.from_text("c1", "one"), wg.ToolResultBlock("c1", details={"a": 1})]
        ),
        RESULT % '{"type":"text","text":"one"}'
        + ","
        + RESULT.replace("}", ',"app_data":{"a":1}}') % "",
    ),
    "an image in a result whose type is not said": (
        wg.ToolResultMessage("c1", content=[wg.ImageBlock(data=b"GIF89a")]),
        RESULT % '{"type":"image","data":"R0lGODlh","mimeType":"image/gif"}',
    ),
}


@pytest.mark.parametrize(("message", "text"), MADE.values(), ids=MADE)
def test_a_message_from_elsewhere_is_made_without_a_loss(message: Any, text: str) -> None:
    assert ravi.encode([message]).decode() == f"[{text}]"
    assert ravi.encode(ravi.decode(f"[{text}]")).decode() == f"[{text}]"


def test_a_call_alone_that_got_company_is_an_answer() -> None:
    (message,) = ravi.decode(CALL % "{}")
    message.content.insert(0, wg.TextBlock("I will"))
    assert ravi.encode([message]).decode() == "[%s]" % (
        ANSWER
        % ',"content":[{"type":"output_text","text":"I will"}],"tool_calls":[%s]'
        % (CALL % "{}")
    )


def test_spellings_are_used_only_while_they_say_what_the_fields_say() -> None:
    (empty, called, counted) = ravi.decode(
        _array(
            ANSWER % ',"content":[],"tool_calls":[]',
            ANSWER % (',"tool_calls":[%s]' % (CALL.replace('"id":"c1",', "") % "{}")),
            BOTH_WAYS["Anthropic's cached tokens, beside the prompt's"][0],
        )
    )
    empty.content.append(wg.TextBlock("a"))
    called.content[0].id = "c1"
    counted.usage.cache_read = 8
    losses: list[wg.Loss] = []
    assert ravi.encode([empty, called, counted], losses=losses).decode() == _array(
        ANSWER % ',"content":[{"type":"output_text","text":"a"}],"tool_calls":[]',
        ANSWER % (',"tool_calls":[%s]' % (CALL % "{}")),
        ANSWER % ',"usage":{"prompt_tokens":11,"completion_tokens":2,"total_tokens":5,"extra":'
        '{"tier":"x"}}',
    )
    assert [loss.path for loss in losses] == ["$[2].usage.cache_read"]


def test_a_canonical_message_alone_is_an_array_of_one() -> None:
    (text, message) = BOTH_WAYS["a user's text"]
    assert ravi.encode(message).decode() == f"[{text}]"
    assert ravi.encode(message).decode() == f"[{text}]"


def test_its_own_messages_stay_as_they_are_among_canonical_ones() -> None:
    own = ravi.UserMessage(["a"])
    assert ravi.from_canonical([own, wg.UserMessage([wg.TextBlock("b")])]) == [
        own,
        ravi.UserMessage(["b"]),
    ]


# -- what is lost ----------------------------------------------------------------------------------


def _in_user(*content: wg.Content) -> list[wg.Message]:
    return [wg.UserMessage([*content])]


def _in_answer(*content: wg.Content, **more: Any) -> list[wg.Message]:
    return [wg.AssistantMessage([*content], **more)]


def _in_result(*content: wg.Content) -> list[wg.Message]:
    return [wg.ToolResultMessage("c1", content=[*content])]


DOCUMENT = wg.DocumentBlock.from_text("All of it")
HALF = wg.ToolCallBlock("c1", "plot", '{"a')
TEXT = '{"type":"input_text","text":"%s"}'
LOST = {
    "a summary": ([wg.CompactionSummaryMessage("all")], "$[0]", "compactionSummary", ""),
    "a place in a session": (
        [wg.UserMessage([], node_id=4)],
        "$[0].nodeId",
        "nodeId",
        USER % "",
    ),
    "a time": ([wg.UserMessage([], 5)], "$[0].timestamp", "timestamp", USER % ""),
    "an id": ([wg.UserMessage([], id="u1")], "$[0].id", "id", USER % ""),
    "keys of another API": (
        _in_user(wg.TextBlock("a", extras={"gemini": wg.Extra({"k": 1})})),
        "$[0].content[0].extras",
        "extras",
        USER % (TEXT % "a"),
    ),
    "an image in a system prompt": (
        [wg.SystemMessage([wg.TextBlock("a"), wg.ImageBlock(url="https://e/x")])],
        "$[0].content[1]",
        "system content",
        '{"role":"system","content":"a","type":"SystemMessage"}',
    ),
    "keys of a text in a system prompt": (
        [wg.SystemMessage([wg.TextBlock("a", extras=_keys(k=1))])],
        "$[0].content[0].extras",
        "extras",
        '{"role":"system","content":"a","type":"SystemMessage"}',
    ),
    "an image without a source": (
        _in_user(wg.ImageBlock(alt_text="a")),
        "$[0].content[0]",
        "image",
        USER % "",
    ),
    "an empty URL": (
        _in_user(wg.ImageBlock(url="")),
        "$[0].content[0]",
        "image",
        USER % "",
    ),
    "a broken data URL": (
        _in_user(wg.ImageBlock(url="data:x")),
        "$[0].content[0]",
        "image",
        USER % "",
    ),
    "the type of an image elsewhere": (
        _in_user(wg.ImageBlock(file_id="f", mime_type="image/png")),
        "$[0].content[0].mimeType",
        "mimeType",
        USER % '{"type":"input_image","file_id":"f"}',
    ),
    "an image's description": (
        _in_user(wg.ImageBlock(file_id="f", alt_text="a")),
        "$[0].content[0].altText",
        "altText",
        USER % '{"type":"input_image","file_id":"f"}',
    ),
    "a sound elsewhere": (
        _in_user(wg.AudioBlock(url="https://e/x", transcript="said")),
        "$[0].content[0]",
        "audio",
        USER % (TEXT % "said"),
    ),
    "a film elsewhere": (
        _in_user(wg.VideoBlock(file_id="f")),
        "$[0].content[0]",
        "video",
        USER % "",
    ),
    "a transcript beside the sound": (
        _in_user(wg.AudioBlock(data="SUQz", mime_type="audio/mp3", transcript="said")),
        "$[0].content[0].transcript",
        "transcript",
        BOTH_WAYS["a sound"][0],
    ),
    "a document": (
        _in_user(wg.DocumentBlock(url="https://e/x.pdf")),
        "$[0].content[0]",
        "document",
        USER % "",
    ),
    "a document that is text": (
        _in_user(DOCUMENT),
        "$[0].content[0]",
        "document",
        USER % (TEXT % "All of it"),
    ),
    "an error": (
        _in_user(wg.ErrorBlock("down", code="E5")),
        "$[0].content[0]",
        "error",
        USER % (TEXT % "down"),
    ),
    "data of any other kind": (
        _in_user(wg.DataBlock(data=b"a")),
        "$[0].content[0]",
        "data",
        USER % "",
    ),
    "thinking of a user": (
        _in_user(wg.ThinkingBlock("so")),
        "$[0].content[0]",
        "thinking",
        USER % "",
    ),
    "thinking that is empty": (
        _in_answer(wg.ThinkingBlock("")),
        "$[0].content[0]",
        "thinking",
        ANSWER % "",
    ),
    "a signature": (
        _in_answer(wg.ThinkingBlock("so", "sig")),
        "$[0].content[0].signature",
        "signature",
        ANSWER % ',"reasoning":"so"',
    ),
    "keys of thinking": (
        _in_answer(wg.ThinkingBlock("so", extras=_keys(k=1))),
        "$[0].content[0].extras",
        "extras",
        ANSWER % ',"reasoning":"so"',
    ),
    "thinking in parts": (
        _in_answer(wg.ThinkingBlock("so"), wg.ThinkingBlock("what")),
        "$[0].content[1]",
        "thoughts",
        ANSWER % ',"reasoning":"so\\nwhat"',
    ),
    "thinking after the text": (
        _in_answer(wg.TextBlock("a"), wg.ThinkingBlock("so")),
        "$[0].content[1]",
        "order",
        ANSWER % ',"reasoning":"so","content":[{"type":"output_text","text":"a"}]',
    ),
    "text after a call": (
        _in_answer(wg.ToolCallBlock("c1", "plot", "{}"), wg.TextBlock("a")),
        "$[0].content[1]",
        "order",
        ANSWER % ',"content":[{"type":"output_text","text":"a"}],"tool_calls":[%s]' % (CALL % "{}"),
    ),
    "arguments that are no object": (
        _in_answer(HALF),
        "$[0].content[0].arguments",
        "arguments",
        ANSWER % (',"tool_calls":[%s]' % (CALL % '{"raw_arguments":"{\\"a"}')),
    ),
    "the kind of a call": (
        _in_answer(wg.ToolCallBlock("c1", "plot", "{}", kind=wg.model.ToolKind.READ)),
        "$[0].content[0].kind",
        "kind",
        ANSWER % (',"tool_calls":[%s]' % (CALL % "{}")),
    ),
    "a provider's word beside ours": (
        _in_answer(stop_reason=wg.StopReason.ERROR, raw_stop_reason="insufficient"),
        "$[0].rawStopReason",
        "rawStopReason",
        ANSWER.replace('"stop"', '"error"') % "",
    ),
    "structured output": (_in_answer(parsed={"a": 1}), "$[0].parsed", "parsed", ANSWER % ""),
    "cached tokens": (
        _in_answer(usage=wg.Usage(input=3, cache_read=4)),
        "$[0].usage.cache_read",
        "cache_read",
        ANSWER % ',"usage":{"prompt_tokens":7,"completion_tokens":0,"total_tokens":7}',
    ),
    "tokens written to a cache": (
        _in_answer(usage=wg.Usage(input=3, cache_write=4)),
        "$[0].usage.cache_write",
        "cache_write",
        ANSWER % ',"usage":{"prompt_tokens":7,"completion_tokens":0,"total_tokens":7}',
    ),
    "reasoning tokens": (
        _in_answer(usage=wg.Usage(output=3, reasoning=2)),
        "$[0].usage.reasoning",
        "reasoning",
        ANSWER % ',"usage":{"prompt_tokens":0,"completion_tokens":3,"total_tokens":3}',
    ),
    "structured output of a tool that is not an object": (
        [wg.ToolResultMessage("c1", details=[1])],
        "$[0].details",
        "result details",
        RESULT % "",
    ),
    "text among a batch of results": (
        [wg.ToolMessage([wg.ToolResultBlock("c1"), wg.TextBlock("a")])],
        "$[0].content[1]",
        "tool content",
        RESULT % "",
    ),
    "keys of a batch": (
        [wg.ToolMessage([wg.ToolResultBlock("c1")], extras=_keys(k=1))],
        "$[0].extras",
        "extras",
        RESULT % "",
    ),
    "a batch of nothing": ([wg.ToolMessage([])], "$[0]", "tool", ""),
    "a result after what a user says": (
        _in_user(wg.TextBlock("go on"), wg.ToolResultBlock("c1")),
        "$[0].content[1]",
        "order",
        RESULT % "" + "," + USER % (TEXT % "go on"),
    ),
    "a media type that would break a data URL": (
        _in_user(wg.ImageBlock(data=b"GIF89a", mime_type="image/svg+xml; charset=utf-8")),
        "$[0].content[0].mimeType",
        "mimeType",
        USER % '{"type":"input_image","image_url":"data:image/gif;base64,R0lGODlh"}',
    ),
    "a media type that is not ASCII": (
        _in_user(wg.ImageBlock(data=b"GIF89a", mime_type="\x82")),
        "$[0].content[0].mimeType",
        "mimeType",
        USER % '{"type":"input_image","image_url":"data:image/gif;base64,R0lGODlh"}',
    ),
    "a media type that would break a data URL of unknown bytes": (
        _in_user(wg.ImageBlock(data=b"?", mime_type="a,b")),
        "$[0].content[0].mimeType",
        "mimeType",
        USER
        % '{"type":"input_image","image_url":"data:%s;base64,Pw=="}'
        % wg.ImageBlock.default_mime_type,
    ),
    "an image in a result, elsewhere": (
        _in_result(wg.ImageBlock(url="https://e/x")),
        "$[0].content[0]",
        "result media",
        RESULT % "",
    ),
    "the detail of an image in a result": (
        _in_result(wg.ImageBlock(data=b"GIF89a", detail="low")),
        "$[0].content[0].detail",
        "detail",
        RESULT % '{"type":"image","data":"R0lGODlh","mimeType":"image/gif"}',
    ),
    "a sound in a result, elsewhere": (
        _in_result(wg.AudioBlock(url="https://e/x", transcript="said")),
        "$[0].content[0]",
        "result media",
        RESULT % '{"type":"text","text":"said"}',
    ),
    "a transcript in a result": (
        _in_result(wg.AudioBlock(data="SUQz", mime_type="audio/mp3", transcript="said")),
        "$[0].content[0].transcript",
        "transcript",
        RESULT % '{"type":"audio","data":"SUQz","mimeType":"audio/mp3"}',
    ),
    "a film in a result": (
        _in_result(wg.VideoBlock(data=b"a", transcript="seen")),
        "$[0].content[0]",
        "video",
        RESULT % '{"type":"text","text":"seen"}',
    ),
    "a document in a result": (
        _in_result(DOCUMENT),
        "$[0].content[0]",
        "document",
        RESULT % '{"type":"text","text":"All of it"}',
    ),
    "an error in a result": (
        _in_result(wg.ErrorBlock("down")),
        "$[0].content[0]",
        "error",
        RESULT % '{"type":"text","text":"down"}',
    ),
    "a call in a result": (
        _in_result(wg.ToolCallBlock("c2", "plot", "{}")),
        "$[0].content[0]",
        "toolCall",
        RESULT % "",
    ),
    "a block of another system": (
        _in_result(wg.OpaqueBlock("phi-core", {"a": 1})),
        "$[0].content[0]",
        "opaque",
        RESULT % "",
    ),
    "keys of a block that stays as it is": (
        _in_result(wg.OpaqueBlock("ravi", {"a": 1}, extras=_keys(k=1))),
        "$[0].content[0].extras",
        "extras",
        RESULT % '{"a":1}',
    ),
}


def test_a_total_that_nobody_counted_is_the_sum() -> None:
    message = wg.AssistantMessage([], usage=wg.Usage(input=3, output=2))
    usage = ',"usage":{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5}'
    assert ravi.encode([message]).decode() == f"[{ANSWER % usage}]"


@pytest.mark.parametrize(("messages", "path", "what", "text"), LOST.values(), ids=LOST)
def test_what_is_lost_is_said_to_be(messages: Any, path: str, what: str, text: str) -> None:
    losses: list[wg.Loss] = []
    assert ravi.encode(messages, losses=losses).decode() == f"[{text}]"
    assert [(loss.path, loss.what) for loss in losses] == [(path, what)]
    with pytest.raises(wg.LossError) as caught:
        ravi.encode(messages)
    assert caught.value.path == path
    assert caught.value.wire == "ravi"


def test_every_row_of_losses_has_a_case() -> None:
    from wireglot.formats.ravi.messages import MessageWriter

    assert {*MessageWriter.LOSSES} - {what for _, _, what, _ in LOST.values()} == set()


def test_half_a_character_in_a_result_is_a_loss_with_its_path() -> None:
    messages = [wg.UserMessage([]), *_in_result(wg.TextBlock("a"), wg.TextBlock("\ud83d"))]
    losses: list[wg.Loss] = []
    assert ravi.encode(messages, losses=losses).decode() == _array(
        USER % "",
        RESULT % '{"type":"text","text":"a"},{"type":"text","text":"\ufffd"}',
    )
    assert [loss.path for loss in losses] == ["$[1].content[1].text"]
    with pytest.raises(wg.LossError) as caught:
        ravi.encode(messages)
    assert caught.value.path == "$[1].content[1].text"


def test_what_is_no_message_is_refused() -> None:
    for value in ("text", 7, ["text"], [7], wg.TextBlock("a")):
        with pytest.raises(wg.EncodeError, match=r"ravi: `.*`, expected a message"):
            ravi.encode(value)


# -- what is broken --------------------------------------------------------------------------------

BROKEN = {
    "an unknown type": (
        '{"role":"user","type":"RobotMessage"}',
        (
            "unknown type `RobotMessage`,"
            " expected one of `SystemMessage`, `UserMessage`, `AssistantMessage`,"
            " `ToolCallMessage`, `ToolExecutionResultMessage`;"
            " did you mean `ToolCallMessage`? - at `$.type`"
        ),
    ),
    "an unknown role": (
        '{"role":"robot","content":[],"type":"UserMessage"}',
        "invalid enum value 'robot' - at `$.role`",
    ),
    "no type": (
        '{"role":"user","content":[]}',
        "object missing required field `type` - at `$`",
    ),
    "an unknown item": (
        USER % '"a",{"type":"input_file","file_id":"f"}',
        (
            "unknown type `input_file`,"
            " expected one of `input_text`, `output_text`, `text`, `summary_text`,"
            " `input_image`, `output_image`, `image_url`, `image/png`,"
            " `input_audio`, `output_audio`, `input_video`, `output_video`, `image`,"
            " `audio`, `video`, `document`; did you mean `input_video`? - at `$.content[1].type`"
        ),
    ),
    "a user's content that is text": (
        '{"role":"user","content":"a","type":"UserMessage"}',
        "expected `array`, got `str` - at `$.content`",
    ),
    "a system prompt that is a list": (
        '{"role":"system","content":["a"],"type":"SystemMessage"}',
        "expected `str`, got `array` - at `$.content`",
    ),
    "an image without a source": (
        USER % '{"type":"input_image","image_url":""}',
        "none of `file_id`, `image_url` and `source`, expected one - at `$.content[0]`",
    ),
    "a source that is no base64": (
        USER % '{"type":"input_audio","source":{"type":"url","url":"x"}}',
        "`url`, expected `base64` - at `$.content[0].source.type`",
    ),
    "a data URL that is none": (
        USER % '{"type":"input_image","image_url":"data:x"}',
        "`data:x`, expected a `data:` URL - at `$.content[0]`",
    ),
    "arguments that are no object": (
        CALL % '"[1]"',
        "expected `object`, or text of one - at `$`",
    ),
    "arguments that are no JSON": (
        CALL % '"{"',
        "expected `object`, or text of one - at `$`",
    ),
    "a call's content that is a number": (
        '{"name":"plot","content":7,"type":"ToolCallMessage"}',
        "expected `str` - at `$`",
    ),
    "a call in a list that is none": (
        ANSWER % (',"tool_calls":[%s]' % (USER % "")),
        "`UserMessage`, expected `ToolCallMessage` - at `$.tool_calls[0].type`",
    ),
    "tokens that are no number": (
        ANSWER % ',"usage":{"prompt_tokens":"3"}',
        "expected `int`, got `str` - at `$.usage.prompt_tokens`",
    ),
    "a key under which a message keeps its version here": (
        '{"role":"system","content":"a","type":"SystemMessage","(version)":"v3"}',
        "expected `_Settled`, got `str` - at `$.(version)`",
    ),
    "a key of an image inside its URL": (
        USER % '{"type":"image_url","image_url":{"url":"https://e/x","type":"y"}}',
        "`type` in `image_url` and beside it, expected one - at `$.content[0]`",
    ),
    "an unknown key of an image, and another value of it inside its URL": (
        USER % '{"type":"image_url","image_url":{"url":"https://e/x","k":1},"k":2}',
        "`k` in `image_url` and beside it, expected one - at `$.content[0]`",
    ),
    "half a character": (
        USER % '{"type":"input_text","text":"\\ud83d"}',
        (
            "lone surrogate: half a character is not Unicode text;"
            " U+FFFD takes its place; pass a list as `losses`, and read it - at `byte 55`"
        ),
    ),
}


@pytest.mark.parametrize(("text", "error"), BROKEN.values(), ids=BROKEN)
def test_what_is_broken_is_refused_with_its_path(text: str, error: str) -> None:
    with pytest.raises(wg.DecodeError) as caught:
        ravi.decode(text)
    assert str(caught.value) == f"ravi: {error}"


@pytest.mark.parametrize("text", [text for text, _ in BOTH_WAYS.values()], ids=BOTH_WAYS)
def test_a_message_cut_at_any_byte_is_a_decode_error(text: str) -> None:
    body = text.encode()
    for end in range(len(body)):
        with pytest.raises(wg.DecodeError):
            ravi.decode(body[:end])


def test_nesting_in_a_result_is_a_decode_error() -> None:
    inner = '{"type":"tool_result","tool_call_id":"c","content":[%s],"is_error":false}'
    text = ""
    for _ in range(600):
        text = inner % text
    later = RESULT.replace("}", ',"id":"r1"}') % text
    with pytest.raises(wg.DecodeError):
        ravi.decode(later.replace('"isError"', '"is_error"'))


def test_half_a_character_is_replaced_where_losses_are_kept() -> None:
    for text in (USER % (TEXT % "\\ud83d"), RESULT % '{"type":"text","text":"\\ud83d"}'):
        with pytest.raises(wg.DecodeError):
            ravi.decode(text)
        losses: list[wg.Loss] = []
        (message,) = ravi.decode(text, losses=losses)
        assert message.text() == "\ufffd"
        assert [loss.what for loss in losses] == ["lone surrogate"]
