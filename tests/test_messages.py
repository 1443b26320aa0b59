"""Messages and what a session keeps of them: made, asked, put in their place, copied."""

import copy
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

import wireglot as wg
from wireglot import LlmMessage, StopReason, TextBlock
from wireglot.model import TurnId

GIF, GIF_URL = b"GIF89a", "data:image/gif;base64,R0lGODlh"
HI = TextBlock("Hi")


# -- constructors -----------------------------------------------------------------------------


def test_a_user_message_is_made_from_text_now() -> None:
    before = wg.model.now_ms()
    message = wg.UserMessage.from_text("Hi")
    assert before <= message.timestamp <= wg.model.now_ms()
    assert message == wg.UserMessage([HI], message.timestamp)


def test_a_system_message_is_made_from_text_and_has_no_time() -> None:
    assert wg.SystemMessage.from_text("Hi") == wg.SystemMessage([HI], timestamp=None)


def test_images_follow_the_text() -> None:
    before = wg.model.now_ms()
    block = wg.ImageBlock(url="http://x")
    picture = Image.new("L", (1, 1))
    given = [block, GIF, wg.Media.from_bytes(GIF), GIF_URL, "http://y", picture]
    message = wg.UserMessage.with_images("Hi", iter(given))
    gif = wg.ImageBlock(data=GIF, mime_type="image/gif")
    assert message.content[:6] == [HI, block, gif, gif, gif, wg.ImageBlock(url="http://y")]
    assert message.content[1] is block
    assert message.content[6].to_pil() is picture
    assert len(message.content) == 7
    assert before <= message.timestamp <= wg.model.now_ms()


def test_sounds_follow_the_text() -> None:
    before = wg.model.now_ms()
    block = wg.AudioBlock(url="http://x")
    message = wg.UserMessage.with_audio("Hi", [block, b"fLaC", "http://y"])
    flac = wg.AudioBlock(data=b"fLaC", mime_type="audio/flac")
    assert message.content == [HI, block, flac, wg.AudioBlock(url="http://y")]
    assert before <= message.timestamp <= wg.model.now_ms()


def test_results_of_tools_make_a_tool_message() -> None:
    one = wg.ToolResultBlock.from_text("c1", "Hi")
    other = wg.ToolResultBlock.from_text("c2", "no", is_error=True)
    assert one == wg.ToolResultBlock("c1", content=[HI])
    assert other == wg.ToolResultBlock("c2", content=[TextBlock("no")], is_error=True)
    before = wg.model.now_ms()
    for made, content in (
        (wg.ToolMessage.from_results((one, other)), [one, other]),
        (wg.ToolMessage.from_result(one), [one]),
    ):
        assert made == wg.ToolMessage(content, made.timestamp)
        assert before <= made.timestamp <= wg.model.now_ms()


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
    "tags": [wg.model.Tag("lesson", "t", 1, [4])],
    "provenance_hint": wg.model.HintLoopTurn(3, "user-message", 0),
}
WIRE = (
    b'[{"role":"user","content":[{"type":"text","text":"Hi"}],"timestamp":5,'
    b'"turnId":{"loopId":"loop","turnIndex":3},"nodeId":7,"parentId":6,'
    b'"tags":[{"kind":"lesson","text":"t","created_at_turn":1,"abandoned_node_ids":[4]}],'
    b'"provenanceHint":{"kind":"loop-turn","turn_index":3,"role":"user-message","message_index":0}}]'
)
SHOWN = (
    "UserMessage(content=[TextBlock(text='Hi')], timestamp=5, turn_id=TurnId("
    "loop_id='loop', turn_index=3), node_id=7, parent_id=6, tags=[Tag(kind='lesson', text='t', "
    "created_at_turn=1, abandoned_node_ids=[4])], provenance_hint=HintLoopTurn(turn_index=3, "
    "role='user-message', message_index=0))"
)
MAKERS: dict[str, Callable[[], Any]] = {
    "made": lambda: wg.UserMessage([HI], 5, **PLACE),
    "decoded": lambda: wg.json.decode(WIRE)[0],
    "unpacked": lambda: wg.msgpack.decode(wg.msgpack.encode([MAKERS["made"]()]))[0],
    "read as a pair": lambda: wg.json.decode(WIRE, list[LlmMessage])[0].flat(),
}
EVERY_MAKER = pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)


@EVERY_MAKER
def test_an_entry_is_the_message_with_its_place(make: Callable[[], Any]) -> None:
    entry = make()
    assert type(entry) is wg.UserMessage
    assert {name: getattr(entry, name) for name in PLACE} == PLACE
    assert (entry.role, entry.content, entry.timestamp) == ("user", [HI], 5)
    assert entry.as_llm() is entry
    assert wg.llm_messages([entry]) == [wg.UserMessage([HI], 5)]
    assert repr(entry) == SHOWN
    assert wg.json.encode([entry]) == WIRE


@EVERY_MAKER
def test_what_is_changed_in_a_message_is_what_is_written(make: Callable[[], Any]) -> None:
    entry = make()
    entry.timestamp = 6
    entry.content.append(TextBlock("you"))
    for name in PLACE:
        setattr(entry, name, None)
    assert wg.json.encode([entry]) == (
        b'[{"role":"user","content":[{"type":"text","text":"Hi"},'
        b'{"type":"text","text":"you"}],"timestamp":6}]'
    )


@EVERY_MAKER
def test_a_copy_is_the_same_message(make: Callable[[], Any]) -> None:
    for copied in (pickle.loads(pickle.dumps(make())), copy.copy(make()), copy.deepcopy(make())):
        assert copied == make()
        assert wg.json.encode([copied]) == WIRE


@pytest.mark.parametrize("message", [wg.AssistantMessage([HI], model="m"), wg.ToolMessage([HI])])
def test_a_copy_without_a_place_has_none(message: Any) -> None:
    for copied in (pickle.loads(pickle.dumps(message)), copy.deepcopy(message)):
        assert copied == message
        assert [getattr(copied, name) for name in PLACE] == [None] * 5


def test_a_deep_copy_shares_nothing_and_a_copy_the_content() -> None:
    entry = MAKERS["decoded"]()
    assert copy.copy(entry).content is entry.content
    copy.deepcopy(entry).content.clear()
    assert wg.json.encode([entry]) == WIRE


@EVERY_MAKER
@pytest.mark.parametrize("turn", [TurnId("other", 0), None])
def test_a_message_in_another_turn_is_a_new_one(
    make: Callable[[], Any], turn: TurnId | None
) -> None:
    entry = make()
    moved = entry.with_turn_id(turn)
    assert {name: getattr(moved, name) for name in PLACE} == PLACE | {"turn_id": turn}
    assert moved.content is entry.content
    assert entry.turn_id == TurnId("loop", 3)


@pytest.mark.parametrize("name", PLACE)
def test_every_part_of_a_place_is_written_also_alone(name: str) -> None:
    entry = wg.UserMessage([HI], 5, **{name: PLACE[name]})
    assert entry != wg.UserMessage([HI], 5)
    (read,) = wg.json.decode(wg.json.encode([entry]))
    assert {field: getattr(read, field) for field in PLACE if getattr(read, field)} == {
        name: PLACE[name]
    }


def test_the_role_tells_the_type() -> None:
    told = []
    for entry in wg.json.decode(
        b'[{"role":"user","content":[]},{"role":"custom","customType":"n"}]'
    ):
        match entry:
            case wg.UserMessage(content=[]):
                told.append("empty")
            case wg.CustomMessage(custom_type=kind):
                told.append(kind)
    assert told == ["empty", "n"]


# -- the pair of a message and its place ------------------------------------------------------

SHOWN_PAIR = (
    "LlmMessage(UserMessage(content=[TextBlock(text='Hi')], timestamp=5), turn_id=TurnId("
    "loop_id='loop', turn_index=3), node_id=7, parent_id=6, tags=[Tag(kind='lesson', text='t', "
    "created_at_turn=1, abandoned_node_ids=[4])], provenance_hint=HintLoopTurn(turn_index=3, "
    "role='user-message', message_index=0))"
)
PAIRS: dict[str, Callable[[], LlmMessage]] = {
    "made": lambda: LlmMessage(wg.UserMessage([HI], 5), **PLACE),
    "made of a message with its place": lambda: LlmMessage(MAKERS["made"]()),
    "decoded": lambda: wg.json.decode(WIRE, list[LlmMessage])[0],
    "unpacked": lambda: wg.msgpack.decode(wg.msgpack.encode(PAIRS["made"]()), LlmMessage),
    "pickled": lambda: pickle.loads(pickle.dumps(PAIRS["made"]())),
    "copied": lambda: copy.deepcopy(PAIRS["made"]()),
}


@pytest.mark.parametrize("make", PAIRS.values(), ids=PAIRS)
def test_a_pair_is_written_flat_and_read_as_its_type(make: Callable[[], LlmMessage]) -> None:
    pair = make()
    assert pair.message == pair.as_llm() == wg.UserMessage([HI], 5)
    assert {name: getattr(pair, name) for name in PLACE} == PLACE
    assert repr(pair) == SHOWN_PAIR
    assert pair == PAIRS["made"]()
    assert pair.role == "user"
    assert pair.flat() == MAKERS["made"]()
    assert wg.json.encode([pair]) == WIRE
    assert wg.json.encode([pair.flat(), pair]) == b"[%b,%b]" % (WIRE[1:-1], WIRE[1:-1])
    match pair:
        case LlmMessage(wg.UserMessage(content=[TextBlock(text=text)]), TurnId(turn_index=index)):
            assert (text, index) == ("Hi", 3)
        case _:
            pytest.fail("no match")


def test_a_place_that_is_given_wins_over_that_of_the_message() -> None:
    pair = LlmMessage(MAKERS["made"](), TurnId("other", 0))
    assert (pair.turn_id, pair.node_id) == (TurnId("other", 0), 7)
    assert pair.with_turn_id(None).flat() == MAKERS["made"]().with_turn_id(None)
    assert pair.turn_id == TurnId("other", 0)


def test_a_place_that_its_message_gets_later_is_the_pairs() -> None:
    pair = LlmMessage(wg.UserMessage([]))
    pair.message.turn_id = TurnId("l", 1)
    assert pair.flat().turn_id == TurnId("l", 1)
    pair.message = wg.UserMessage([], node_id=4)
    assert wg.json.encode(pair, check=True) == b'{"role":"user","content":[],"nodeId":4}'


def test_a_pair_is_not_its_message() -> None:
    assert LlmMessage(wg.UserMessage([])) != wg.UserMessage([])
    assert LlmMessage(wg.UserMessage([])) != LlmMessage(wg.UserMessage([], 1))
    assert LlmMessage(wg.UserMessage([])) != LlmMessage(wg.UserMessage([]), node_id=1)
    assert wg.json.encode([LlmMessage(wg.UserMessage([]))]) == b'[{"role":"user","content":[]}]'


def test_a_pair_is_an_entry_wherever_entries_are_taken() -> None:
    pair = LlmMessage(wg.UserMessage([HI], 5), TurnId("l", 0))
    assert wg.llm_messages([pair]) == [pair.message]
    assert wg.Request([pair]).messages == [pair.flat()]


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
    user = wg.UserMessage([HI])
    assert wg.llm_messages([entry, user, entry]) == [user]
    read = wg.json.decode(wg.json.encode([entry]))
    assert (read, read[0].role) == ([entry], role)


@pytest.mark.parametrize("role", ["system", "tool", "toolResult", "assistant", "user"])
def test_a_message_has_the_role_of_its_wire(role: str) -> None:
    rest = b',"toolCallId":"c"}]' if role == "toolResult" else b"}]"
    entry = wg.json.decode(b'[{"role":"%b","content":[]%b' % (role.encode(), rest))[0]
    assert entry.role == role


def test_an_extension_keeps_the_role_that_stood_on_the_wire() -> None:
    wire = b'[{"role":"note","kind":"k","data":[1]}]'
    (entry,) = wg.json.decode(wire)
    assert (entry.role, entry.wire_role) == ("extension", "note")
    assert (entry.kind, entry.data, entry.as_llm()) == ("k", [1], None)
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
