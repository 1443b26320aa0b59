"""Messages and what a session keeps of them: made, asked, put in their place, copied."""

import copy
import pickle
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

import wireglot as wg
from wireglot import LlmMessage, StopReason, TextBlock, TurnId

GIF, GIF_URL = b"GIF89a", "data:image/gif;base64,R0lGODlh"
HI = TextBlock("Hi")


# -- constructors -----------------------------------------------------------------------------


def test_a_user_message_is_made_from_text_now() -> None:
    before = wg.now_ms()
    message = wg.UserMessage.from_text("Hi")
    assert before <= message.timestamp <= wg.now_ms()
    assert message == wg.UserMessage([HI], message.timestamp)


def test_a_system_message_is_made_from_text_and_has_no_time() -> None:
    assert wg.SystemMessage.from_text("Hi") == wg.SystemMessage([HI], timestamp=None)


def test_images_follow_the_text() -> None:
    before = wg.now_ms()
    block = wg.ImageBlock(url="http://x")
    picture = Image.new("L", (1, 1))
    given = [block, GIF, wg.Media.from_bytes(GIF), GIF_URL, "http://y", picture]
    message = wg.UserMessage.with_images("Hi", iter(given))
    gif = wg.ImageBlock(data=GIF, mime_type="image/gif")
    assert message.content[:6] == [HI, block, gif, gif, gif, wg.ImageBlock(url="http://y")]
    assert message.content[1] is block
    assert message.content[6].to_pil() is picture
    assert len(message.content) == 7
    assert before <= message.timestamp <= wg.now_ms()


def test_sounds_follow_the_text() -> None:
    before = wg.now_ms()
    block = wg.AudioBlock(url="http://x")
    message = wg.UserMessage.with_audio("Hi", [block, b"fLaC", "http://y"])
    flac = wg.AudioBlock(data=b"fLaC", mime_type="audio/flac")
    assert message.content == [HI, block, flac, wg.AudioBlock(url="http://y")]
    assert before <= message.timestamp <= wg.now_ms()


def test_results_of_tools_make_a_tool_message() -> None:
    one = wg.ToolResultBlock.from_text("c1", "Hi")
    other = wg.ToolResultBlock.from_text("c2", "no", is_error=True)
    assert one == wg.ToolResultBlock("c1", content=[HI])
    assert other == wg.ToolResultBlock("c2", content=[TextBlock("no")], is_error=True)
    before = wg.now_ms()
    for made, content in (
        (wg.ToolMessage.from_results((one, other)), [one, other]),
        (wg.ToolMessage.from_result(one), [one]),
    ):
        assert made == wg.ToolMessage(content, made.timestamp)
        assert before <= made.timestamp <= wg.now_ms()


RESULT = wg.ToolResultBlock.from_text("c2", "yes")
THOUGHT = wg.ThinkingBlock("hm")
CALL = wg.ToolCallBlock("c1", "f", {"a": 1})
ANSWER = wg.AssistantMessage(
    [THOUGHT, TextBlock("a"), CALL, wg.ImageBlock(url="u"), TextBlock("b")]
)


def test_an_assistant_message_tells_its_text_calls_and_thoughts() -> None:
    assert ANSWER.text() == "ab"
    assert ANSWER.tool_calls() == [CALL]
    assert ANSWER.thinking() == [THOUGHT]
    empty = wg.AssistantMessage([])
    assert (empty.text(), empty.tool_calls(), empty.thinking()) == ("", [], [])


@pytest.mark.parametrize(
    ("message", "text"),
    [
        (wg.UserMessage([HI, wg.ImageBlock(url="u"), TextBlock(" you")]), "Hi you"),
        (wg.SystemMessage([]), ""),
        (wg.ToolResultMessage("c1", content=[HI, HI]), "HiHi"),
        (wg.ToolMessage([wg.ToolResultBlock("c", content=[HI]), RESULT, HI]), "HiyesHi"),
        (wg.AssistantMessage([wg.ThinkingBlock("hm"), wg.ErrorBlock("no")]), ""),
    ],
    ids=lambda value: getattr(value, "role", ""),
)
def test_a_message_has_the_text_of_its_text_blocks_and_results(message: Any, text: str) -> None:
    assert message.text() == text


# -- media ------------------------------------------------------------------------------------


LABELLED = wg.ImageBlock(url="u", alt_text="t")
ATTACHED: dict[str, tuple[Any, Any, wg.MediaBlock]] = {
    "a URL as an image": ("http://u", "image", wg.ImageBlock(url="http://u")),
    "a URL as audio": ("https://u", "audio", wg.AudioBlock(url="https://u")),
    "a URL as video": ("gs://u", "video", wg.VideoBlock(url="gs://u")),
    "a URL as a document": ("S3://u", "document", wg.DocumentBlock(url="S3://u")),
    "a data URL": (GIF_URL, "image", wg.ImageBlock(data=GIF, mime_type="image/gif")),
    "base64": (GIF_URL[22:], "image", wg.ImageBlock(data=GIF, mime_type="image/gif")),
    "bytes": (GIF, "image", wg.ImageBlock(data=GIF, mime_type="image/gif")),
    "media": (wg.Media.from_bytes(GIF, "x/y"), "video", wg.VideoBlock(data=GIF, mime_type="x/y")),
    "a block of that kind": (LABELLED, "image", LABELLED),
    "a block of another kind": (
        wg.DataBlock(file_id="f", filename="n", mime_type="x/y", size=3, sha256="5", page=2),
        "document",
        wg.DocumentBlock(file_id="f", filename="n", mime_type="x/y", size=3, sha256="5", page=2),
    ),
    "a block with a transcript": (
        wg.AudioBlock(url="u", transcript="t"),
        "video",
        wg.VideoBlock(url="u", transcript="t"),
    ),
}


@pytest.mark.parametrize(("ref", "as_type", "block"), ATTACHED.values(), ids=ATTACHED)
@pytest.mark.parametrize("kind", [wg.UserMessage, wg.AssistantMessage, wg.SystemMessage])
def test_media_are_attached_as_a_block_of_the_kind_asked_for(
    kind: Any, ref: Any, as_type: Any, block: wg.MediaBlock
) -> None:
    message = kind([HI])
    message.attach_media(ref, as_type)
    assert message.content == [HI, block]


NEXT = (
    "pass a `Path` or use `from_file(path)` for a file,"
    " `from_base64(text)` for base64 of unknown type"
)
REFUSED = {
    "a path": ("pics/cat.png", "`pics/cat.png`, expected a URL or base64 of an image"),
    "a `file:` URL": (
        "file:///a.png",
        "`file:///a.png`, expected a URL or base64 of an image",
    ),
    "a path on Windows": ("C:/a.png", "`C:/a.png`, expected a URL or base64 of an image"),
    "a text": ("a cat", "`a cat`, expected a URL or base64 of an image"),
    "half a character": ("\ud83d", "`\\ud83d`, expected a URL or base64 of an image"),
    "no text": ("", "``, expected a URL or base64 of an image"),
    "base64 of a PDF": (
        "JVBERi0xLjQ=",
        "base64 of `application/pdf`, expected a URL or base64 of an image",
    ),
    "base64 that breaks off": (
        "R0lGODlh!",
        "`R0lGODlh!`, expected a URL or base64 of an image",
    ),
}


@pytest.mark.parametrize(("given", "reason"), REFUSED.values(), ids=REFUSED)
def test_text_that_is_neither_a_url_nor_an_image_is_refused(given: str, reason: str) -> None:
    with pytest.raises(wg.EncodeError) as caught:
        wg.UserMessage.with_images("Hi", ["http://x", given])
    assert str(caught.value) == f"model: {reason}; {NEXT} - at `$.images[1]`"
    message = wg.UserMessage([])
    with pytest.raises(wg.EncodeError) as caught:
        message.attach_media(given, "image")
    assert str(caught.value) == f"model: {reason}; {NEXT} - at `$.ref`"
    assert message.content == []


def test_a_malformed_data_url_is_the_callers_fault() -> None:
    with pytest.raises(wg.EncodeError) as caught:
        wg.UserMessage.with_images("Hi", ["data:image/png;base64"])
    assert (
        str(caught.value)
        == "model: `data:image/png;base64`, expected a `data:` URL - at `$.images[0]`"
    )


def test_a_sound_may_be_base64_and_nothing_else_that_is_not_a_url() -> None:
    message = wg.UserMessage.with_audio("Hi", ["SUQz"])
    assert message.content[1] == wg.AudioBlock(data=b"ID3", mime_type="audio/mpeg")
    with pytest.raises(wg.EncodeError) as caught:
        wg.UserMessage.with_audio("Hi", ["a.mp3"])
    assert str(caught.value) == (
        f"model: `a.mp3`, expected a URL or base64 of a sound; {NEXT} - at `$.clips[0]`"
    )


def test_an_image_given_by_its_path_is_read_from_the_file(tmp_path: Path) -> None:
    path = tmp_path / "a.gif"
    path.write_bytes(GIF)
    (block,) = wg.UserMessage.with_images("Hi", [path]).content[1:]
    assert block == wg.ImageBlock(data=GIF, mime_type="image/gif", filename="a.gif")
    assert wg.ImageBlock(data=path).data.to_bytes() == GIF


@pytest.mark.parametrize("as_type", ["data", "text", "Image", ""])
def test_media_of_any_other_kind_are_refused(as_type: Any) -> None:
    message = wg.UserMessage([])
    with pytest.raises(wg.EncodeError, match=f"unknown kind of media `{as_type}`, expected"):
        message.attach_media("http://x", as_type)
    assert message.content == []


def test_a_document_that_is_text_is_no_image() -> None:
    with pytest.raises(wg.EncodeError):
        wg.UserMessage([]).attach_media(wg.DocumentBlock.from_text("Hi"), "image")


# -- context overflow -------------------------------------------------------------------------

OVERFLOWS = [
    "prompt is too long",
    "input is too long",
    "exceeds the context window",
    "exceeds the maximum",
    "maximum prompt length",
    "reduce the length of the messages",
    "maximum context length",
    "exceeds the limit of",
    "exceeds the available context size",
    "greater than the context length",
    "context window exceeds limit",
    "exceeded model token limit",
    "context length exceeded",
    "max context length",
    "exceeds the context length",
    "context_length_exceeded",
    "too many tokens",
    "token limit exceeded",
    "input tokens exceeded",
    "input tokens exceed the configured limit",
    "exceed context limit",
    "too many input tokens",
    "longer than the maximum model length",
    "longer than the model's context length",
]


@pytest.mark.parametrize("words", OVERFLOWS)
def test_an_error_in_these_words_is_a_context_overflow(words: str) -> None:
    for said in (words, f"400: Your {words.upper()} 200000", words.title()):
        message = wg.AssistantMessage([], StopReason.ERROR, error_message=said)
        assert message.is_context_overflow() is True


@pytest.mark.parametrize(
    ("stop_reason", "said"),
    [
        (None, "prompt is too long"),
        *((reason, "prompt is too long") for reason in StopReason if reason != "error"),
        (StopReason.ERROR, None),
        (StopReason.ERROR, ""),
        (StopReason.ERROR, "rate limit exceeded"),
        (StopReason.ERROR, "prompt too long"),
        (StopReason.ERROR, "413"),
    ],
)
def test_anything_else_is_no_context_overflow(stop_reason: Any, said: str | None) -> None:
    told = [TextBlock("prompt is too long")]
    message = wg.AssistantMessage(told, stop_reason, error_message=said)
    assert message.is_context_overflow() is False


def test_a_stop_reason_in_plain_text_counts() -> None:
    message = wg.AssistantMessage([], "error", error_message="too many tokens")
    assert message.stop_reason == StopReason.ERROR
    assert message.is_context_overflow() is True


# -- the place in a session -------------------------------------------------------------------

PLACE = {
    "turn_id": TurnId("loop", 3),
    "node_id": 7,
    "parent_id": 6,
    "tags": [wg.Tag("lesson", "t", 1, [4])],
    "provenance_hint": wg.HintLoopTurn(3, "user-message", 0),
}
WIRE = (
    b'[{"role":"user","content":[{"type":"text","text":"Hi"}],"timestamp":5,'
    b'"turnId":{"loopId":"loop","turnIndex":3},"nodeId":7,"parentId":6,'
    b'"tags":[{"kind":"lesson","text":"t","created_at_turn":1,"abandoned_node_ids":[4]}],'
    b'"provenanceHint":{"kind":"loop-turn","turn_index":3,"role":"user-message","message_index":0}}]'
)
FIELDS = {"message": wg.UserMessage([HI], 5)} | PLACE
SHOWN = (
    "LlmMessage(UserMessage(content=[TextBlock(text='Hi')], timestamp=5), turn_id=TurnId("
    "loop_id='loop', turn_index=3), node_id=7, parent_id=6, tags=[Tag(kind='lesson', text='t', "
    "created_at_turn=1, abandoned_node_ids=[4])], provenance_hint=HintLoopTurn(turn_index=3, "
    "role='user-message', message_index=0))"
)
MAKERS: dict[str, Callable[[], LlmMessage]] = {
    "made": lambda: LlmMessage(wg.UserMessage([HI], 5), **PLACE),
    "decoded": lambda: wg.json.decode(WIRE)[0],
    "unpacked": lambda: wg.msgpack.decode(wg.msgpack.encode([MAKERS["made"]()]))[0],
}
EVERY_MAKER = pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)


@EVERY_MAKER
@pytest.mark.parametrize("first", FIELDS)
def test_every_field_is_there_whichever_is_asked_for_first(
    make: Callable[[], LlmMessage], first: str
) -> None:
    entry = make()
    assert getattr(entry, first) == FIELDS[first]
    assert {name: getattr(entry, name) for name in FIELDS} == FIELDS
    assert type(entry.message) is wg.UserMessage
    assert entry.message is entry.message is entry.as_llm()
    assert entry.role == "user"
    assert wg.json.encode([entry]) == WIRE


@EVERY_MAKER
@pytest.mark.parametrize("name", FIELDS)
def test_a_field_may_be_set_before_any_is_asked_for(
    make: Callable[[], LlmMessage], name: str
) -> None:
    entry = make()
    new = wg.UserMessage([]) if name == "message" else None
    setattr(entry, name, new)
    assert {field: getattr(entry, field) for field in FIELDS} == FIELDS | {name: new}
    written = wg.json.decode(wg.json.encode([entry]))[0]
    assert {field: getattr(written, field) for field in FIELDS} == FIELDS | {name: new}


@EVERY_MAKER
def test_what_is_changed_in_a_message_is_what_is_written(make: Callable[[], LlmMessage]) -> None:
    entry = make()
    entry.message.timestamp = 6
    entry.message.content.append(TextBlock("you"))
    for name in PLACE:
        setattr(entry, name, None)
    assert wg.json.encode([entry]) == (
        b'[{"role":"user","content":[{"type":"text","text":"Hi"},'
        b'{"type":"text","text":"you"}],"timestamp":6}]'
    )


@EVERY_MAKER
def test_the_first_look_may_be_any_look(make: Callable[[], LlmMessage]) -> None:
    made = MAKERS["made"]()
    assert repr(make()) == SHOWN
    assert make() == make() == made
    assert make().role == "user"
    assert make().as_llm() == wg.UserMessage([HI], 5)
    assert wg.llm_messages([make()]) == [wg.UserMessage([HI], 5)]
    for copied in (pickle.loads(pickle.dumps(make())), copy.copy(make()), copy.deepcopy(make())):
        assert copied == made
        assert wg.json.encode([copied]) == WIRE
    match make():
        case LlmMessage(wg.UserMessage(content=[TextBlock(text=text)])):
            assert text == "Hi"
        case _:
            pytest.fail("no match")


def test_a_deep_copy_shares_nothing_and_a_copy_the_message() -> None:
    entry = MAKERS["decoded"]()
    assert copy.copy(entry).message is entry.message
    copy.deepcopy(entry).message.content.clear()
    assert wg.json.encode([entry]) == WIRE


@EVERY_MAKER
@pytest.mark.parametrize("turn", [TurnId("other", 0), None])
def test_a_message_in_another_turn_is_a_new_one(
    make: Callable[[], LlmMessage], turn: TurnId | None
) -> None:
    entry = make()
    moved = entry.with_turn_id(turn)
    assert {name: getattr(moved, name) for name in FIELDS} == FIELDS | {"turn_id": turn}
    assert moved.message is entry.message
    assert entry.turn_id == TurnId("loop", 3)


@pytest.mark.parametrize("name", FIELDS)
def test_a_difference_in_any_field_is_a_difference(name: str) -> None:
    other = wg.SystemMessage([]) if name == "message" else None
    assert LlmMessage(**FIELDS | {name: other}) != LlmMessage(**FIELDS)
    assert LlmMessage(**FIELDS | {name: other}) == LlmMessage(**FIELDS | {name: other})


@pytest.mark.parametrize("name", PLACE)
def test_every_part_of_a_place_is_written_also_alone(name: str) -> None:
    entry = LlmMessage(wg.UserMessage([HI], 5), **{name: PLACE[name]})
    (read,) = wg.json.decode(wg.json.encode([entry]))
    assert {field: getattr(read, field) for field in PLACE if getattr(read, field)} == {
        name: PLACE[name]
    }


def test_a_message_without_a_place_is_written_bare_and_is_not_equal_to_it() -> None:
    entry = LlmMessage(wg.UserMessage([]))
    assert repr(entry) == "LlmMessage(UserMessage(content=[]))"
    assert wg.json.encode([entry]) == b'[{"role":"user","content":[]}]'
    assert entry != wg.UserMessage([])
    assert not hasattr(entry, "content")
    with pytest.raises(AttributeError, match="`LlmMessage` has no attribute 'content'"):
        _ = entry.content


def test_entries_that_have_been_decoded_are_compared_whole() -> None:
    def read(message: bytes) -> LlmMessage:
        entry: LlmMessage = wg.json.decode(message, LlmMessage)
        return entry

    one = b'{"role":"user","content":[],"nodeId":7}'
    assert read(one) == read(one)
    assert read(one) != read(b'{"role":"user","content":[],"nodeId":8}')
    assert read(one) != read(b'{"role":"user","content":[],"timestamp":5,"nodeId":7}')
    assert read(one) != read(b'{"role":"assistant","content":[],"nodeId":7}')
    assert read(one) == LlmMessage(wg.UserMessage([]), node_id=7)


def test_threads_that_ask_at_once_get_the_same_message() -> None:
    wire = b'{"role":"user","content":[],"nodeId":7}'
    session = wg.json.decode(b"[" + b",".join([wire] * 20_000) + b"]")
    start = threading.Barrier(4)
    seen: list[list[Any]] = []

    def ask() -> None:
        start.wait()
        seen.append([entry.message for entry in session])

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)  # so that they meet in the middle of a message
    try:
        threads = [threading.Thread(target=ask) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert len(seen) == 4
    assert all(len({id(message) for message in asked}) == 1 for asked in zip(*seen, strict=True))
    assert all(entry == LlmMessage(wg.UserMessage([]), node_id=7) for entry in session)


# -- entries that never go to an LLM ----------------------------------------------------------

SESSION_ONLY = [
    ("custom", wg.CustomMessage("note", [HI])),
    ("branchSummary", wg.BranchSummaryMessage("s", from_id="n")),
    ("compactionSummary", wg.CompactionSummaryMessage("s", tokens_before=9)),
    ("extension", wg.ExtensionMessage("k", None)),
]


@pytest.mark.parametrize(("role", "entry"), SESSION_ONLY, ids=[row[0] for row in SESSION_ONLY])
def test_a_session_only_entry_has_no_way_to_an_llm(role: str, entry: Any) -> None:
    assert (entry.role, entry.as_llm(), entry.turn_id) == (role, None, None)
    user = LlmMessage(wg.UserMessage([HI]))
    assert wg.llm_messages([entry, user, entry]) == [user.message]
    read = wg.json.decode(wg.json.encode([entry]))
    assert (read, read[0].role) == ([entry], role)


@pytest.mark.parametrize("role", ["system", "tool", "toolResult", "assistant", "user"])
def test_a_message_has_the_role_of_its_wire(role: str) -> None:
    rest = b',"toolCallId":"c"}]' if role == "toolResult" else b"}]"
    entry = wg.json.decode(b'[{"role":"%b","content":[]%b' % (role.encode(), rest))[0]
    assert entry.role == role
    assert entry.message.role == role
    assert entry.role == role


def test_an_extension_keeps_the_role_that_stood_on_the_wire() -> None:
    wire = b'[{"role":"note","kind":"k","data":[1]}]'
    (entry,) = wg.json.decode(wire)
    assert (entry.role, entry.kind, entry.data, entry.as_llm()) == ("note", "k", [1], None)
    assert wg.json.encode([entry]) == wire


# -- helpers take what can be written and read -----------------------------------------------------

NOT_TEXT: dict[str, tuple[Callable[[Any], object], str]] = {
    "SystemMessage.from_text": (wg.SystemMessage.from_text, "$.text"),
    "UserMessage.from_text": (wg.UserMessage.from_text, "$.text"),
    "UserMessage.with_images": (lambda value: wg.UserMessage.with_images(value, []), "$.text"),
    "UserMessage.with_audio": (lambda value: wg.UserMessage.with_audio(value, []), "$.text"),
    "AssistantMessage.from_text": (wg.AssistantMessage.from_text, "$.text"),
    "ToolResultMessage.from_text": (
        lambda value: wg.ToolResultMessage.from_text("c1", value),
        "$.text",
    ),
    "ToolResultMessage.from_text, the id": (
        lambda value: wg.ToolResultMessage.from_text(value, "x"),
        "$.tool_call_id",
    ),
    "ToolResultBlock.from_text": (
        lambda value: wg.ToolResultBlock.from_text("c1", value),
        "$.text",
    ),
    "CustomMessage.from_text": (lambda value: wg.CustomMessage.from_text("note", value), "$.text"),
    "CustomMessage.from_text, the type": (
        lambda value: wg.CustomMessage.from_text(value, "x"),
        "$.custom_type",
    ),
    "DocumentBlock.from_text": (wg.DocumentBlock.from_text, "$.text"),
    "ImageBlock.from_url": (wg.ImageBlock.from_url, "$.url"),
    "ImageBlock.from_file_id": (wg.ImageBlock.from_file_id, "$.file_id"),
    "Request.from_text": (wg.Request.from_text, "$.text"),
    "Response.from_text": (wg.Response.from_text, "$.text"),
}


@pytest.mark.parametrize("value", [21, None, b"a", ["a"]], ids=repr)
@pytest.mark.parametrize(("make", "path"), NOT_TEXT.values(), ids=NOT_TEXT)
def test_a_helper_refuses_what_is_not_text(
    make: Callable[[Any], object], path: str, value: Any
) -> None:
    with pytest.raises(wg.EncodeError) as caught:
        make(value)
    kind = type(value).__name__
    assert str(caught.value) == f"model: expected `str`, got `{kind}` - at `{path}`"


def test_a_batch_is_made_of_results() -> None:
    text: Any = wg.TextBlock("x")
    for make in (
        lambda: wg.ToolMessage.from_results([text]),
        lambda: wg.ToolMessage.from_result(text),
    ):
        with pytest.raises(wg.EncodeError, match="expected `ToolResultBlock`, got `TextBlock`"):
            make()
