"""Operator-Use's own types: factories, methods, media rules, events, and input that is hostile."""

import base64
import copy
import dataclasses
import json
import pickle
import re
import time
import uuid
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

import wireglot as wg
from wireglot.formats import operator_use as ou

GIF = b"GIF89a\x01\0\x01\0"
GIF64 = base64.b64encode(GIF).decode()
HEADS = {
    "image/jpeg": b"\xff\xd8\xff\xe0\0\x10JFIF\0\x01",
    "image/png": b"\x89PNG\r\n\x1a\n\0\0\0\r",
    "image/gif": GIF,
    "image/webp": b"RIFF\0\0\0\0WEBP",
}
SOUNDS = {
    "audio/mpeg": [b"ID3\x04", b"\xff\xfb\x90", b"\xff\xf3\x90", b"\xff\xf2\x90"],
    "audio/ogg": [b"OggS\0\0"],
    "audio/flac": [b"fLaC\0\0"],
    "audio/wav": [b"RIFF\0\0\0\0WAVE"],
}

# -- media ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("mime_type", "data"), HEADS.items())
def test_an_image_is_told_by_its_first_bytes(mime_type: str, data: bytes) -> None:
    text = base64.b64encode(data).decode()
    for item in (data, text, bytearray(data), wg.Media.from_bytes(data)):
        assert ou.ImageContent([item]).to_base64() == [(text, mime_type)]


@pytest.mark.parametrize(
    ("mime_type", "data"), [(mime, data) for mime, heads in SOUNDS.items() for data in heads]
)
def test_a_sound_is_told_by_its_first_bytes(mime_type: str, data: bytes) -> None:
    text = base64.b64encode(data).decode()
    for item in (data, text):
        assert ou.AudioContent([item]).to_base64() == [(text, mime_type)]


@pytest.mark.parametrize(
    "text",
    ["", "a", "abcde", "AAAA", "no base64", "é", "BM6AAAA=", base64.b64encode(b"RIFF").decode()],
)
def test_what_nobody_can_tell_is_a_png_or_mpeg(text: str) -> None:
    image = ou.decode(f'{{"type":"image","images":["{text}"]}}', ou.ImageContent)
    sound = ou.decode(f'{{"type":"audio","audio":["{text}"]}}', ou.AudioContent)
    assert image.to_base64() == [(text, "image/png")]
    assert sound.to_base64() == [(text, "audio/mpeg")]
    assert ou.encode(image) == f'{{"type":"image","images":["{text}"]}}'.encode()


NEXT = (
    "pass a `Path` or use `from_file(path)` for a file,"
    " `from_base64(text)` for base64 of unknown type"
)


@pytest.mark.parametrize("text", ["pics/cat.png", "/abs/cat.png", "file:///x.png", "a cat", "AAAA"])
def test_a_callers_text_that_is_neither_a_url_nor_an_image_is_refused(text: str) -> None:
    reason = f"operator_use: `{text}`, expected a URL or base64 of an image; {NEXT}"
    content = ou.ImageContent(["http://x"])
    for add in (
        lambda: ou.ImageContent(["http://x", text]),
        lambda: ou.UserMessage.with_images("a", ["http://x", text]),
        lambda: content.images.append(text),
        lambda: content.images.extend([text]),
        lambda: content.images.__iadd__([text]),
        lambda: content.images.insert(1, text),
        lambda: setattr(content, "images", ["http://x", text]),
    ):
        with pytest.raises(wg.EncodeError) as caught:
            add()
        assert str(caught.value) == f"{reason} - at `$.images[1]`"
    with pytest.raises(wg.EncodeError, match=r"at `\$.images\[0\]`"):
        content.images[0] = text
    assert content.images == ["http://x"]


def test_a_url_that_operator_use_takes_for_base64_is_refused() -> None:
    with pytest.raises(wg.EncodeError) as caught:
        ou.ImageContent.from_url("gs://x/y.png")
    assert str(caught.value) == (
        "operator_use: URL `gs://x/y.png`, expected one that begins with `http` - at `$.images[0]`"
    )


def test_what_is_added_to_a_list_of_images_is_what_the_constructor_takes(tmp_path: Path) -> None:
    path = tmp_path / "a.gif"
    path.write_bytes(GIF)
    message = ou.UserMessage.with_images("a", [])
    images = message.contents[1].images
    images.append(GIF64)
    images += [GIF, f"data:image/gif;base64,{GIF64}"]
    images.insert(0, "https://x")
    images.append(path)
    images[1:2] = [GIF64, "http://y"]
    path.unlink()
    written = f'["https://x","{GIF64}","http://y","{GIF64}","{GIF64}","{GIF64}"]'
    assert ou.encode(message.contents[1]) == (f'{{"type":"image","images":{written}}}'.encode())
    for copied in (pickle.loads(pickle.dumps(message)), copy.deepcopy(message)):
        assert copied == message
        copied.contents[1].images.append(GIF)
    blocks = ou.to_canonical([message])[0].content[1:]
    assert [(block.url, block.data and block.data.to_bytes()) for block in blocks] == [
        ("https://x", None),
        (None, GIF),
        ("http://y", None),
        (None, GIF),
        (None, GIF),
        (None, GIF),
    ]


def test_base64_of_unknown_type_is_added_by_name() -> None:
    content = ou.ImageContent.from_base64("AAAA")
    assert ou.encode(content) == b'{"type":"image","images":["AAAA"]}'
    with pytest.raises(wg.EncodeError, match="expected a URL or base64 of a sound"):
        ou.AudioContent(["a.mp3"])


def test_base64_needs_no_padding_to_be_told() -> None:
    assert ou.AudioContent(["T2dnUw"]).to_base64() == [("T2dnUw", "audio/ogg")]


def test_riff_of_another_kind_is_neither_webp_nor_wav() -> None:
    avi = base64.b64encode(b"RIFF\0\0\0\0AVI ").decode()
    assert ou.ImageContent.from_base64(avi).to_base64() == [(avi, "image/png")]
    assert ou.AudioContent.from_base64(avi).to_base64() == [(avi, "audio/mpeg")]


def test_an_images_url_stays_one_without_a_type() -> None:
    for url in ("https://x/y.png", "http", "httpfoo"):
        assert ou.ImageContent.from_url(url).to_base64() == [(url, "")]


def test_a_data_url_is_read_for_what_it_is() -> None:
    content = ou.ImageContent([f"data:image/gif;base64,{GIF64}"])
    assert content.to_base64() == [(GIF64, "image/gif")]
    assert ou.encode(content) == f'{{"type":"image","images":["{GIF64}"]}}'.encode()


def test_a_data_url_that_is_none_stays_what_operator_use_takes_it_for() -> None:
    for text in ("data:", "data:image/png;base64"):
        written = f'{{"type":"image","images":["{text}"]}}'.encode()
        content = ou.decode(written, ou.ImageContent)
        assert content.to_base64() == [(text, "image/png")]
        assert ou.encode(content) == written


def test_a_pil_image_is_written_in_its_own_format() -> None:
    import io

    for name, mime_type in (("PNG", "image/png"), ("GIF", "image/gif"), ("JPEG", "image/jpeg")):
        out = io.BytesIO()
        Image.new("RGB", (1, 1)).save(out, name)
        content = ou.ImageContent([Image.open(io.BytesIO(out.getvalue()))])
        assert content.to_base64()[0][1] == mime_type
    assert ou.ImageContent([Image.new("RGB", (1, 1))]).to_base64()[0][1] == "image/png"


def test_bytes_that_happen_to_be_text_are_written_as_base64_all_the_same() -> None:
    assert ou.encode(ou.ImageContent([b"plain"])) == b'{"type":"image","images":["cGxhaW4="]}'
    assert ou.encode(ou.AudioContent([b"\xff"])) == b'{"type":"audio","audio":["/w=="]}'


def test_contents_are_made_from_files(tmp_path: Path) -> None:
    path = tmp_path / "a.gif"
    path.write_bytes(GIF)
    image = ou.ImageContent.from_file(path)
    sound = ou.AudioContent.from_file(str(path))
    path.unlink()
    assert image.to_base64() == [(GIF64, "image/gif")]
    assert sound.to_base64() == [(GIF64, "audio/mpeg")]
    with pytest.raises(wg.EncodeError, match="cannot read"):
        ou.ImageContent.from_file(path)


def test_the_mime_type_of_base64_is_told_by_the_bytes_whatever_is_said() -> None:
    sound = ou.AudioContent.from_base64("SUQz", "audio/wav")
    assert sound.to_base64() == [("SUQz", "audio/mpeg")]


def test_a_path_is_read_only_where_the_caller_says_so(tmp_path: Path) -> None:
    path = tmp_path / "a.flac"
    path.write_bytes(b"fLaC\0\0")
    text = f'{{"type":"audio","audio":["file:{path}"]}}'
    content = ou.decode(text, ou.AudioContent)
    assert ou.encode(content) == text.encode()
    with pytest.raises(wg.EncodeError, match="pass `read_files=True`"):
        content.to_base64()
    assert content.to_base64(read_files=True) == [("ZkxhQwAA", "audio/flac")]
    path.unlink()
    with pytest.raises(wg.EncodeError, match="cannot read"):
        content.to_base64(read_files=True)


def test_no_path_of_a_wire_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a file was opened")

    path = tmp_path / "secret"
    path.write_bytes(b"secret")
    items = [f"file:{path}", f"file://{path}", str(path), f"data:{path}", f"FILE:{path}"]
    listed = json.dumps(items)
    text = (
        '{"role":"user","contents":['
        f'{{"type":"image","images":{listed}}},{{"type":"audio","audio":{listed}}},'
        f'{{"type":"audio","audios":{listed}}},{{"type":"video","videos":{listed}}},'
        f'{{"type":"file","files":{listed}}}]}}'
    )
    monkeypatch.setattr("builtins.open", refuse)
    own = ou.decode(text, ou.AgentMessage)
    written = ou.encode(own)
    (message,) = ou.decode(text)
    again = ou.encode([message], form="messages")
    native = wg.json.encode([message])
    monkeypatch.undo()
    for body in (written, again, native):
        assert b"secret" not in body.replace(str(path).encode(), b"")
        assert base64.b64encode(b"secret") not in body


def test_the_items_of_a_sound_are_the_same_under_both_names() -> None:
    assert ou.AudioContent(["file:a"]).items == ou.AudioContent(audios=["file:a"]).items
    assert ou.AudioContent().items == []
    assert ou.encode(ou.AudioContent()) == b'{"type":"audio","audio":[]}'
    assert ou.encode(ou.AudioContent(audios=[])) == b'{"type":"audio","audios":[]}'


# -- factories and methods ------------------------------------------------------------------------


def test_contents_have_the_defaults_of_the_system() -> None:
    assert [
        ou.encode(made)
        for made in (
            ou.TextContent(),
            ou.ImageContent(),
            ou.AudioContent(),
            ou.ThinkingContent(),
            ou.ToolCallContent(),
            ou.ToolResultContent(),
            ou.LinesContent(),
            ou.VideoContent(),
            ou.FileContent(),
        )
    ] == [
        b'{"type":"text","content":""}',
        b'{"type":"image","images":[]}',
        b'{"type":"audio","audio":[]}',
        b'{"type":"thinking","content":"","signature":""}',
        b'{"type":"tool_call","id":"","name":"","args":{}}',
        b'{"type":"tool_result","id":"","content":"","is_error":false,"metadata":{},'
        b'"terminate":false}',
        b'{"type":"lines","lines":[],"notify_type":"info"}',
        b'{"type":"video","videos":[]}',
        b'{"type":"file","files":[]}',
    ]


@pytest.mark.parametrize(
    ("made", "written"),
    [
        (
            ou.SystemMessage.text("a"),
            '{"role":"system","contents":[{"type":"text","content":"a"}]',
        ),
        (ou.UserMessage.text("a"), '{"role":"user","contents":[{"type":"text","content":"a"}]'),
        (
            ou.UserMessage.from_text("a"),
            '{"role":"user","contents":[{"type":"text","content":"a"}]',
        ),
        (
            ou.UserMessage.with_images("a", ["https://x", GIF]),
            '{"role":"user","contents":[{"type":"text","content":"a"},'
            f'{{"type":"image","images":["https://x","{GIF64}"]}}]',
        ),
        (
            ou.UserMessage.with_audio("a", [b"ID3", "file:x"]),
            '{"role":"user","contents":[{"type":"text","content":"a"},'
            '{"type":"audio","audio":["SUQz","file:x"]}]',
        ),
        (
            ou.AssistantMessage.from_text("a"),
            '{"role":"assistant","contents":[{"type":"text","content":"a"}]',
        ),
        (
            ou.ToolMessage.from_result(ou.ToolResultContent("c", "x")),
            '{"role":"tool","contents":[{"type":"tool_result","id":"c","content":"x",'
            '"is_error":false,"metadata":{},"terminate":false}]',
        ),
    ],
)
def test_a_factory_makes_an_id_and_a_time(made: Any, written: str) -> None:
    body = ou.encode(made).decode()
    assert body.startswith(written)
    assert len(made.id) == 36
    assert 1.7e9 < made.timestamp < 1e10
    assert body[len(written) :].startswith(f',"id":"{made.id}","timestamp":{made.timestamp!r}')


def test_results_of_a_batch_are_copied_into_a_list_of_their_own() -> None:
    results = [ou.ToolResultContent("a"), ou.ToolResultContent("b")]
    message = ou.ToolMessage.from_results(results)
    assert message.contents == results
    assert message.contents is not results


def test_constructors_share_nothing() -> None:
    assert ou.UserMessage().contents is not ou.UserMessage().contents
    assert ou.AssistantMessage().usage is not ou.AssistantMessage().usage


@pytest.mark.parametrize("more", ["", ',"odd":1'])
def test_decoding_makes_nothing_up(more: str) -> None:
    message = ou.decode(f'{{"role":"user"{more}}}', ou.AgentMessage)
    assert (message.id, message.timestamp, message.contents) == (None, None, [])
    header = ou.decode(f'{{"type":"session"{more}}}', ou.SessionFileEntry)
    assert (header.id, header.timestamp, header.cwd) == (None, None, ".")
    entry = ou.decode(f'{{"type":"session_info"{more}}}', ou.SessionFileEntry)
    assert (entry.id, entry.timestamp, entry.parent_id) == (None, None, None)


LLM = [ou.SystemMessage, ou.UserMessage, ou.AssistantMessage, ou.ToolMessage]


@pytest.mark.parametrize("kind", LLM)
def test_a_new_message_has_an_id_and_a_time(kind: Any) -> None:
    before = time.time()
    one, other = kind(), kind([])
    assert uuid.UUID(one.id).version == uuid.UUID(other.id).version == 4
    assert len(one.id) == 36
    assert one.id != other.id
    assert before <= one.timestamp <= other.timestamp <= time.time()
    assert type(one.timestamp) is float
    assert kind([], "i", 1.5) == kind(contents=[], id="i", timestamp=1.5)
    assert (kind(id=None).id, kind([], None).id, kind(timestamp=None).timestamp) == (None,) * 3


def test_a_new_entry_has_an_id_of_eight_digits_and_a_header_a_uuid7() -> None:
    entry = ou.SessionInfoEntry(name="n")
    assert re.fullmatch("[0-9a-f]{8}", entry.id or "")
    assert abs((entry.timestamp or 0) - time.time()) < 5
    header = ou.SessionHeader(cwd="/p")
    found = uuid.UUID(header.id)
    assert (found.version, found.variant) == (7, uuid.RFC_4122)
    assert abs((found.int >> 80) / 1000 - time.time()) < 5


def test_copies_and_pickles_keep_the_id_or_its_absence() -> None:
    for message in (ou.UserMessage.text("a"), ou.UserMessage(id=None, timestamp=None)):
        for copied in (copy.copy(message), copy.deepcopy(message)):
            assert copied == message
        assert pickle.loads(pickle.dumps(message)) == message
        assert dataclasses.replace(message) == message


def test_a_datetime_becomes_seconds() -> None:
    when = datetime(2024, 1, 2, 3, 4, 5, 500_000, UTC)
    message = ou.UserMessage([], "u", when)  # type: ignore[arg-type]
    assert message.timestamp == 1704164645.5
    assert ou.UserMessage(timestamp=when).timestamp == 1704164645.5  # type: ignore[arg-type]
    message.timestamp = when.astimezone(timezone(timedelta(hours=5)))  # type: ignore[assignment]
    assert ou.encode(message) == b'{"role":"user","contents":[],"id":"u","timestamp":1704164645.5}'


def test_an_answer_finds_its_texts_calls_and_thinking_in_order() -> None:
    calls = [ou.ToolCallContent("1"), ou.ToolCallContent("2")]
    message = ou.AssistantMessage(
        [ou.ThinkingContent("t"), ou.TextContent("a"), calls[0], ou.TextContent("b"), calls[1]]
    )
    assert message.text_content() == "ab"
    assert message.tool_calls() == calls
    assert message.thinking() == [ou.ThinkingContent("t")]


def test_every_role_names_itself() -> None:
    kinds = {
        ou.SystemMessage: ou.Role.SYSTEM,
        ou.UserMessage: ou.Role.USER,
        ou.AssistantMessage: ou.Role.ASSISTANT,
        ou.ToolMessage: ou.Role.TOOL,
        ou.CustomMessage: ou.Role.CUSTOM,
        ou.BranchSummaryMessage: ou.Role.BRANCH_SUMMARY,
        ou.CompactionSummaryMessage: ou.Role.COMPACTION_SUMMARY,
        ou.SkillInvocationMessage: ou.Role.SKILL_INVOCATION,
        ou.TemplateInvocationMessage: ou.Role.TEMPLATE_INVOCATION,
        ou.TerminalExecutionMessage: ou.Role.TERMINAL_EXECUTION,
    }
    assert {kind.role for kind in kinds} == {*ou.Role}
    for kind, role in kinds.items():
        assert kind.role is role
        assert kind.__struct_config__.tag == role


def test_the_vocabularies_are_those_of_the_system() -> None:
    assert " ".join(ou.StopReason) == "stop length tool_calls content_filter abort error"
    assert " ".join(ou.ThinkingLevel) == "off minimal low medium high xhigh max ultra"
    assert " ".join(ou.ToolKind) == "read edit write execute web cron agent workflow plan unknown"


def test_messages_are_made_of_entries_of_a_session() -> None:
    text = ou.CustomMessageEntry(custom_type="x", content="a", timestamp=1.0, details={"k": 1})
    listed = ou.CustomMessageEntry(custom_type="x", content=[ou.TextContent("a")], timestamp=1.0)
    made = ou.CustomMessage("x", 1.0, [ou.TextContent("a")])
    assert ou.CustomMessage.from_session(listed) == made
    made.details = {"k": 1}
    assert ou.CustomMessage.from_session(text) == made
    branch = ou.BranchEntry(from_id="a", summary="s", timestamp=2.0)
    assert ou.BranchSummaryMessage.from_session(branch) == ou.BranchSummaryMessage("s", "a", 2.0)
    compaction = ou.CompactionEntry(
        summary="s", first_kept_entry_id="", tokens_before=7, timestamp=3.0
    )
    assert ou.CompactionSummaryMessage.from_session(compaction) == ou.CompactionSummaryMessage(
        "s", 7, 3.0
    )


def test_a_cost_is_the_price_of_each_million_tokens() -> None:
    prices = ou.Cost(3.0, 15.0, 0.3, 3.75)
    usage = ou.Usage(1_000_000, 2_000, 10_000, 4)
    cost = prices.calculate_cost(usage)
    assert usage.cost is cost
    assert cost == ou.UsageCost(3.0, 0.030000000000000002, 0.003, 0.000015, 3.033015)


def test_budgets_fall_back_to_those_of_the_level() -> None:
    budgets = ou.ThinkingBudgets(high=7, low=None)
    levels = [level for level in ou.ThinkingLevel if level not in ("off", "ultra")]
    assert [budgets.get(level) for level in levels] == [1024, 2048, 4096, 7, 16384, 32768]
    unset = ou.ThinkingBudgets(None, None, None, None, None, None)
    assert [unset.get(level) for level in levels] == [1024, 2048, 4096, 8192, 16384, 32768]
    for level in (ou.ThinkingLevel.OFF, ou.ThinkingLevel.ULTRA):
        with pytest.raises(wg.EncodeError, match=f"unknown thinking level `{level}`"):
            budgets.get(level)


def test_the_arguments_of_a_call_are_an_object() -> None:
    assert ou.ToolCallContent("c", "f", args={"a": 1}).args.value == {"a": 1}
    assert ou.encode(ou.ToolCallContent("c", "f", args=wg.Arguments(" "))) == (
        b'{"type":"tool_call","id":"c","name":"f","args":{}}'
    )
    for args in ([1], "text", wg.Arguments('{"a"')):
        with pytest.raises(wg.EncodeError, match="expected a JSON object"):
            ou.ToolCallContent("c", "f", args=args)


def test_own_values_can_be_pickled() -> None:
    message = ou.decode(
        '{"role":"user","contents":[{"type":"image","images":["R0lG"],"x":1}]}', ou.AgentMessage
    )
    assert pickle.loads(pickle.dumps(message)) == message


# -- events ---------------------------------------------------------------------------------------

USAGE = (
    '"usage":{"input_tokens":0,"output_tokens":0,"cache_read_tokens":0,"cache_write_tokens":0,'
    '"cost":{"input":0.0,"output":0.0,"cache_read":0.0,"cache_write":0.0,"total":0.0}}'
)
CALL = '{"type":"tool_call","id":"c1","name":"read","kind":null,"args":{"path":"a"}}'
DELTA = (
    f'{{"role":"assistant","contents":[{CALL}],"id":"d1","timestamp":2.0,{USAGE},'
    '"stop_reason":"stop","error":""}'
)
RESULT = (
    '{"type":"tool_result","id":"c1","content":"x","is_error":false,"metadata":{},'
    '"terminate":false}'
)
NOTE = '{"role":"custom","custom_type":"x","timestamp":1.0,"contents":[],"details":null}'
INPUT = '"input":{"a": 1e2,"n":null}'
EVENTS = [
    '{"type":"agent_start"}',
    f'{{"type":"agent_end","messages":[{DELTA},{NOTE}],"reason":"aborted"}}',
    '{"type":"agent_error","error":"no"}',
    '{"type":"before_agent_start","prompt":"p","system_prompt":"s"}',
    f'{{"type":"context","messages":[{NOTE}]}}',
    '{"type":"turn_start","turn_index":1,"timestamp":1.5}',
    f'{{"type":"turn_end","turn_index":1,"message":{DELTA},"tool_results":[{RESULT}]}}',
    '{"type":"turn_end","turn_index":1,"message":null,"tool_results":[]}',
    f'{{"type":"message_start","message":{DELTA}}}',
    f'{{"type":"message_update","message":{DELTA}}}',
    '{"type":"message_end","message":null}',
    f'{{"type":"queue_update","queue":"followup","message":{NOTE},"messages":[{NOTE}]}}',
    '{"type":"subagent_start","task_id":"t","label":"l","task":"x"}',
    '{"type":"subagent_end","task_id":"t","label":"l","status":"failed","result":null}',
    f'{{"type":"tool_execution_start","tool_call":{CALL}}}',
    f'{{"type":"tool_execution_update","partial_tool_result":{RESULT}}}',
    f'{{"type":"tool_execution_end","tool_result":{RESULT}}}',
    f'{{"type":"tool_execution_failure","tool_name":"t","tool_call_id":"c",{INPUT},"error":"e"}}',
    f'{{"type":"tool_call","tool_call_id":"c","tool_name":"t",{INPUT}}}',
    f'{{"type":"tool_result","tool_call_id":"c","tool_name":"t",{INPUT},"content":"x",'
    '"is_error":true}',
    '{"type":"session_start","reason":"resume","previous_session_file":null}',
    '{"type":"session_before_switch","reason":"new","target_session_file":"/a"}',
    '{"type":"session_before_fork","entry_id":"e","position":"before"}',
    '{"type":"session_before_compact","preparation":{"n":null},"branch_entries":[1],'
    '"custom_instructions":null}',
    '{"type":"session_compact","compaction_entry":null,"from_extension":true}',
    '{"type":"session_shutdown","reason":"quit","target_session_file":null}',
    '{"type":"session_before_tree","preparation":{"target_id":""}}',
    '{"type":"session_tree","new_leaf_id":"a","old_leaf_id":null,"summary_entry":{},'
    '"from_extension":false}',
    '{"type":"model_select","model":{"id":"m"},"previous_model":null,"source":"cycle"}',
    '{"type":"thinking_level_select","level":"high","previous_level":null}',
    '{"type":"input","text":"hi","source":"rpc"}',
    '{"type":"save_point"}',
    '{"type":"settled"}',
    '{"type":"response","command":"abort","success":true}',
    '{"type":"response","command":"fork","success":false,"id":"r1","error":"no"}',
    '{"type":"agent_error","error":"no","x":{"unknown":[null]}}',
]


@pytest.mark.parametrize("line", EVENTS, ids=lambda line: line[9:45])
def test_an_event_comes_back_as_rpc_prints_it(line: str) -> None:
    event = ou.decode(line, ou.Event)
    assert ou.encode(event) == line.encode()


def test_every_event_is_tried() -> None:
    tried = {type(ou.decode(line, ou.Event)) for line in EVENTS}
    assert tried == {*ou.Event.__args__}


def test_a_stream_of_events_is_json_lines() -> None:
    stream = "".join(f"{line}\n" for line in EVENTS).encode()
    events = ou.decode(stream, list[ou.Event])
    assert len(events) == len(EVENTS)
    assert ou.encode(events) == stream


def test_events_have_the_defaults_of_the_system() -> None:
    assert ou.encode(ou.AgentEndEvent()) == (
        b'{"type":"agent_end","messages":[],"reason":"completed"}'
    )
    assert ou.encode(ou.ToolCallEvent()) == (
        b'{"type":"tool_call","tool_call_id":"","tool_name":"","input":{}}'
    )
    assert ou.encode(ou.SessionBeforeCompactEvent()) == (
        b'{"type":"session_before_compact","preparation":null,"branch_entries":[],'
        b'"custom_instructions":null}'
    )
    assert ou.encode(ou.MessageEndEvent(ou.UserMessage(id=None, timestamp=None))) == (
        b'{"type":"message_end","message":{"role":"user","contents":[]}}'
    )
    call = ou.ToolCallEvent(input={"a": 1})
    assert ou.encode(call).endswith(b'"input":{"a":1}}')


def test_a_response_has_the_messages_that_were_asked_for() -> None:
    line = (
        '{"type":"response","command":"get_messages","success":true,"data":{"messages":['
        f"{NOTE},{DELTA}]}}}}"
    )
    response = ou.decode(line, ou.Response)
    assert ou.encode(response) == line.encode()
    read = response.messages()
    assert [type(message) for message in read] == [ou.CustomMessage, ou.AssistantMessage]
    assert ou.encode(read, form="rpc") == f"[{NOTE},{DELTA}]".encode()
    assert ou.Response("abort", True).messages() == []
    odd = ou.decode('{"type":"response","command":"x","success":true,"data":[]}', ou.Response)
    with pytest.raises(wg.DecodeError, match="expected `object`"):
        odd.messages()


def test_an_event_that_nobody_knows_is_an_error_or_with_losses_a_line_less() -> None:
    stream = '{"type":"agent_start"}\n{"type":"gateway:startup"}\n{"type":"settled"}\n'
    with pytest.raises(wg.DecodeError, match=r"unknown type `gateway:startup`, .* - at `line 2"):
        ou.decode(stream, list[ou.Event])
    losses: list[wg.Loss] = []
    assert ou.decode(stream, list[ou.Event], losses=losses) == [
        ou.AgentStartEvent(),
        ou.SettledEvent(),
    ]
    assert [loss.path for loss in losses] == ["line 2: $.type"]


def test_events_are_no_messages() -> None:
    with pytest.raises(wg.DecodeError, match="unknown type `agent_start`"):
        ou.decode('{"type":"agent_start"}')


# -- hostile input --------------------------------------------------------------------------------

WHOLE = (
    '{"type":"session","version":3,"id":"s","timestamp":1.0,"cwd":"/"}\n'
    '{"id":"a","timestamp":1.5,"type":"message","message":{"role":"user","contents":['
    '{"type":"text","content":"é","x":1},{"type":"image","images":["https://x","R0lG"]},'
    '{"type":"tool_call","id":"c","name":"f","args":{"a":[1]},"metadata":{}}],"id":"u"},'
    '"meta":{"reactions":["x"]}}\n'
    '{"id":"b","timestamp":2.5,"parent_id":"a","type":"custom","custom_type":"t","data":[{}]}\n'
).encode()


def test_a_file_that_is_cut_anywhere_is_an_error_or_shorter() -> None:
    whole = ou.decode(WHOLE)
    for end in range(len(WHOLE)):
        try:
            read = ou.decode(WHOLE[:end])
        except wg.DecodeError:
            continue
        assert read == whole[: len(read)]
        assert WHOLE[end : end + 1] in (b"\n", b"{")


@pytest.mark.parametrize(
    ("text", "reason", "path"),
    [
        ('{"role":"robot"}', "unknown role `robot`, expected one of `", "$.role"),
        ('{"role":7}', "expected `str`", "$.role"),
        ('{"role":"user","contents":{}}', "expected `array`, got `object`", "$.contents"),
        ('{"role":"user","contents":[{}]}', "missing required field `type`", "$.contents[0]"),
        ('{"role":"user","contents":[{"type":"gif"}]}', "unknown type `gif`", "$.contents[0].type"),
        (
            '{"role":"user","contents":[{"type":"text","content":7,"x":1}]}',
            "expected `str`, got `int`",
            "$.contents[0].content",
        ),
        (
            '{"role":"user","contents":[{"type":"image","images":["a",7]}]}',
            "expected base64 `str`",
            "$.contents[0]",
        ),
        (
            '{"role":"user","contents":[{"type":"image","images":[null]}]}',
            "expected base64 `str`, got `null`",
            "$.contents[0]",
        ),
        (
            '{"role":"user","contents":[{"type":"tool_call","args":[]}]}',
            "expected `object` as `args`",
            "$.contents[0]",
        ),
        (
            '{"role":"user","contents":[{"type":"tool_call","args":"{}"}]}',
            "expected `object` as `args`",
            "$.contents[0]",
        ),
        (
            '{"role":"user","contents":[{"type":"tool_call","kind":"fly"}]}',
            "invalid enum value 'fly'",
            "$.contents[0].kind",
        ),
        ('{"role":"user","timestamp":"now"}', "expected `float", "$.timestamp"),
        ('{"role":"assistant","usage":null}', "expected `object`, got `null`", "$.usage"),
        ('{"role":"assistant","stop_reason":"bored"}', "invalid enum value", "$.stop_reason"),
        ('{"role":"custom"}', "missing required field `custom_type`", "$"),
        ('{"type":"message"}', "missing required field `message`", "$"),
        (
            '{"type":"message","message":{"role":"x"}}',
            "unknown role `x`, expected one of `",
            "$.message.role",
        ),
        ('{"type":"leaf","target_id":7}', "expected `str | null`, got `int`", "$.target_id"),
        ('{"type":"session_header"}', "unknown type `session_header`, expected one of `", "$.type"),
        ('{"a":1}', "missing required field `type`", "$"),
        ("[{}]", "missing required field `role`", "$[0]"),
    ],
)
def test_what_is_not_as_it_should_be_is_an_error_with_its_path(
    text: str, reason: str, path: str
) -> None:
    with pytest.raises(wg.DecodeError) as caught:
        ou.decode(text)
    assert reason in caught.value.reason
    assert (caught.value.path, caught.value.wire) == (path, "operator_use")


@pytest.mark.parametrize(
    "text",
    [
        b'{"role":"user","contents":[{"type":"text","content":"\xff"}]}',
        b'{"role":"user","contents":[{"type":"text","content":"\\ud83d"}]}',
        b'{"role":"user","contents":[{"type":"image","images":["http\\ud83d"]}]}',
        b'{"role":"user","contents":[{"type":"image","images":["http\\udc00"]}]}',
        b'{"role":"user","contents":[{"type":"image","images":["http\xff"]}],"x":1}',
        b'{"role":"user","contents":[{"type":"image","images":["http\xff"]}]}',
        b'{"role":"user","contents":[{"type":"tool_call","args":{"a":"\xff"}}]}',
        b'{"type":"custom","custom_type":"x","data":"\xff"}',
        b'{"role":"user","?":"\xff"}',
        b'{"role":"user","timestamp":1e999}',
        b'{"role":"user","timestamp":NaN}',
    ],
)
def test_text_that_is_no_text_is_an_error(text: bytes) -> None:
    with pytest.raises(wg.DecodeError):
        ou.decode(text)


@pytest.mark.parametrize(
    "text",
    [
        '{"role":"user","contents":[{"type":"tool_call","args":%s}]}',
        '{"role":"user","contents":[{"type":"tool_result","metadata":%s}]}',
        '{"type":"custom","custom_type":"x","data":%s}',
        '{"type":"leaf","x":%s}',
        "%s",
    ],
)
@pytest.mark.parametrize("opening", ['{"a":', "["])
def test_nesting_beyond_all_measure_is_an_error(text: str, opening: str) -> None:
    with pytest.raises(wg.DecodeError):
        ou.decode(text % (opening * 100_000))


def test_an_unknown_type_for_decode_is_what_it_says() -> None:
    assert ou.decode('{"type":"text","content":"a"}', ou.TextContent) == ou.TextContent("a")
    assert ou.decode('[{"type":"text"}]', list[ou.Content]) == [ou.TextContent()]
    assert ou.decode('{"path":"/a"}', ou.MessageAttachment) == ou.MessageAttachment("/a")
