"""PyAgenity's own types: what programs make of them, ids, streams, and their JSON."""

import json
import re
import uuid
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from msgspec import UNSET

import wireglot as wg
from tests.formats.pyagenity_documents import blocks, documents
from wireglot.formats import pyagenity as pa

SOME = settings(max_examples=60)


@SOME
@given(documents())
def test_a_conversation_comes_back_equal_through_its_bytes(document: list[pa.Message]) -> None:
    body = pa.encode(document)
    assert pa.decode(body, list[pa.Message]) == document
    if document:  # no lines are no document
        assert pa.decode(pa.encode(document, lines=True)) == pa.to_canonical(document)


@SOME
@given(documents())
def test_a_conversation_comes_back_equal_through_canonical_messages(
    document: list[pa.Message],
) -> None:
    canonical = pa.to_canonical(document)
    assert pa.from_canonical(canonical) == document
    assert pa.from_canonical(wg.json.decode(wg.json.encode(canonical))) == document
    assert pa.to_canonical(pa.from_canonical(canonical)) == canonical


@SOME
@given(blocks("agentflow", is_known=False))
def test_a_block_comes_back_equal_through_its_bytes(block: Any) -> None:
    assert pa.decode(pa.encode(block), pa.ContentBlock) == block


def test_unknown_keys_come_back_after_the_known_ones() -> None:
    text = (
        '{"kind":"url","url":"u","file_id":null,"data_base64":null,"mime_type":null,'
        '"size_bytes":null,"sha256":null,"filename":null,"width":null,"height":null,'
        '"duration_ms":null,"page":null,"etag":1e2,"kinds":[]}'
    )
    ref = pa.decode('{"etag":1e2,"url":"u","kinds":[]}', pa.MediaRef)
    assert ref.unknown.value == {"etag": 100.0, "kinds": []}
    assert pa.encode(ref).decode() == text


# -- what callers may pass ------------------------------------------------------------------------


def test_media_may_be_given_as_bytes_or_base64() -> None:
    ref = pa.MediaRef("data", data_base64="AAEC")
    assert ref.inline is not None
    assert ref.inline.to_bytes() == b"\0\1\2"
    assert pa.DataBlock("x/y", b"\0\1\2").inline == ref.inline


def test_a_call_without_arguments_has_an_empty_object() -> None:
    assert pa.encode(pa.ToolCallBlock("c1", "f")).decode() == (
        '{"type":"tool_call","id":"c1","name":"f","args":{},"tool_type":null}'
    )


@pytest.mark.parametrize(
    ("output", "text"),
    [
        (None, "null"),
        ("a", '"a"'),
        ([1, {"k": None}], '[1,{"k":null}]'),
        (pa.AnnotationRef("u"), '{"url":"u","file_id":null,"page":null,"index":null,"title":null}'),
        (
            [pa.TextBlock("a"), pa.DataBlock("x/y", b"\0\1\2")],
            '[{"type":"text","text":"a","annotations":[]},{"type":"data","mime_type":"x/y",'
            '"data_base64":"AAEC","media":null}]',
        ),
    ],
    ids=["nothing", "text", "plain data", "a record", "blocks"],
)
def test_an_output_is_any_json_and_blocks_too(output: Any, text: str) -> None:
    block = pa.ToolResultBlock("c1", output)
    assert pa.encode(block).decode() == (
        f'{{"type":"tool_result","call_id":"c1","output":{text},"is_error":false,"status":null}}'
    )
    assert pa.decode(pa.encode(block), pa.ToolResultBlock).output == json.loads(text)


# -- messages as programs make them ---------------------------------------------------------------


def test_text_shows_what_is_no_json_and_what_programs_put_there() -> None:
    result = pa.ToolResultBlock("c", [pa.TextBlock("x")])
    loose: Any = [
        {"type": "text", "text": "a"},
        {"type": "tool_result", "output": [1]},
        {"type": "image"},
        result,
    ]
    message = pa.Message(role="tool", content=[])
    message.content = loose
    assert message.text() == "a[1][\"TextBlock(text='x')\"]"
    assert message.text(version="0.3.9") == ""


def test_a_text_message_is_of_now_and_has_an_id() -> None:
    message = pa.Message.text_message("hi")
    assert message.role == "user"
    assert message.content == [pa.TextBlock("hi")]
    assert uuid.UUID(message.message_id).version == 4
    assert isinstance(message.timestamp, float)
    assert abs(message.timestamp * 1000 - wg.model.now_ms()) < 60_000
    assert json.loads(pa.encode(message)).keys() >= {"parsed_content", "raw", "usages"}
    assert pa.Message.text_message("hi", "system", "m1").message_id == "m1"
    numbered = partial(pa.generate_id, generated_id_type="int")
    assert pa.Message.text_message("hi", message_id=7, make_id=numbered).message_id == 7
    assert pa.Message.text_message("hi", message_id=7).message_id != 7


def test_a_tool_message_has_blocks_and_metadata() -> None:
    result = pa.ToolResultBlock("c1", "a")
    message = pa.Message.tool_message((result,), "m1", {"a": 1})
    assert (message.role, message.content, message.metadata) == ("tool", [result], {"a": 1})
    assert pa.Message.tool_message([]).metadata == {}


def test_a_message_of_an_image() -> None:
    both = pa.Message.image_message(image_url="u", image_base64="AAEC", text="see")
    assert both.content == [
        pa.TextBlock("see"),
        pa.ImageBlock(pa.MediaRef("url", "u", mime_type="image/png")),
    ]
    inline = pa.Message.image_message(image_base64="AAEC", mime_type="image/webp", role="assistant")
    ref = pa.MediaRef("data", data_base64="AAEC", mime_type="image/webp")
    assert (inline.role, inline.content) == ("assistant", [pa.ImageBlock(ref)])
    with pytest.raises(wg.EncodeError, match="expected `image_url` or `image_base64`"):
        pa.Message.image_message(image_url="")
    with pytest.raises(wg.EncodeError) as caught:
        pa.Message.image_message(image_url="R0lGODlhAQABAAAAACw=")
    assert str(caught.value) == (
        "pyagenity: base64 as `image_url`, expected a URL; pass it as `image_base64`"
        " - at `$.image_url`"
    )
    for text in ("pics/cat.png", "https://x/a.png"):
        with pytest.raises(wg.EncodeError) as caught:
            pa.Message.image_message(image_base64=text)
        assert str(caught.value) == (
            f"pyagenity: `{text}`, expected base64; pass a URL as `image_url`, "
            "or use `Message.from_file(path)` - at `$.image_base64`"
        )


@pytest.mark.parametrize(
    ("name", "mime_type", "kind", "known"),
    [
        ("a.png", None, pa.ImageBlock, "image/png"),
        ("a.mp3", None, pa.AudioBlock, "audio/mpeg"),
        ("a.mp4", None, pa.VideoBlock, "video/mp4"),
        ("a.pdf", None, pa.DocumentBlock, "application/pdf"),
        ("a", None, pa.DocumentBlock, "application/octet-stream"),
        ("a", "image", pa.DocumentBlock, "image"),
        ("a.pdf", "image/x", pa.ImageBlock, "image/x"),
    ],
    ids=["an image", "a sound", "a film", "a document", "no type", "half a type", "a type given"],
)
def test_a_message_of_a_file(
    tmp_path: Path, name: str, mime_type: str | None, kind: Any, known: str
) -> None:
    path = tmp_path / name
    path.write_bytes(b"\0\1\2")
    message = pa.Message.from_file(path, mime_type, text="see")
    text, block = message.content
    assert text == pa.TextBlock("see")
    assert type(block) is kind
    assert block.media == pa.MediaRef(
        "data", data_base64="AAEC", mime_type=known, size_bytes=3, filename=name
    )


def test_a_file_that_is_not_there_is_an_encode_error(tmp_path: Path) -> None:
    with pytest.raises(wg.EncodeError, match="cannot read"):
        pa.Message.from_file(tmp_path / "none.png")


def test_a_message_of_blocks_holds_a_list_of_its_own() -> None:
    held = [pa.TextBlock("a")]
    message = pa.Message.multimodal_message(held, "assistant", "m")
    assert message.content == held
    assert message.content is not held


def test_text_is_of_texts_and_outputs_as_the_version_has_it() -> None:
    message = pa.Message.tool_message(
        [
            pa.TextBlock("a"),
            pa.ToolResultBlock("c", "b"),
            pa.ToolResultBlock("c", {"k": "é"}),
            pa.ToolResultBlock("c"),
            pa.ReasoningBlock("so"),
        ]
    )
    assert message.text() == 'ab{"k": "\\u00e9"}null'
    assert message.text(version="0.3.9") == message.text(version="0.3.6") == "ab"


def test_content_that_a_program_made_text_is_still_read_and_attached_to() -> None:
    message = pa.Message.text_message("a")
    message.content = "hi"  # type: ignore[assignment]
    assert message.text() == "hi"
    message.attach_media(pa.MediaRef(url="u"), "image")
    message.attach_media(pa.MediaRef(url="v"), "document")
    assert message.content == [
        pa.TextBlock("hi"),
        pa.ImageBlock(pa.MediaRef(url="u")),
        pa.DocumentBlock(pa.MediaRef(url="v")),
    ]
    with pytest.raises(
        wg.EncodeError,
        match=(
            "unknown kind of media `zip`, expected one of `image`, `audio`, `video`, `document`"
        ),
    ):
        message.attach_media(pa.MediaRef(url="u"), "zip")


# -- ids ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("default", "injected", "expected"),
    [
        ("m1", {}, "m1"),
        ("m1", {"generated_id": "x"}, "x"),
        ("m1", {"generated_id": ""}, "m1"),
        ("m1", {"generated_id": 0}, "m1"),
        (7, {"generated_id_type": "int"}, 7),
        (7, {"generated_id_type": "bigint"}, 7),
        (None, {"generated_id": 9, "generated_id_type": "string"}, 9),
    ],
)
def test_an_id_that_is_given_is_kept(default: Any, injected: Any, expected: Any) -> None:
    assert pa.generate_id(default, **injected) == expected


@pytest.mark.parametrize("default", [None, "", 0, 7])
def test_an_id_that_is_not_there_or_of_another_type_is_made(default: Any) -> None:
    assert uuid.UUID(pa.generate_id(default)).version == 4


@pytest.mark.parametrize(
    ("kind", "version", "bits"),
    [
        ("int", "agentflow", 32),
        ("int", "0.3.6", 96),
        ("bigint", "agentflow", 64),
        ("bigint", "0.3.9", 64),
    ],
)
def test_an_id_that_is_a_number_has_the_bits_of_its_version(
    kind: Any, version: Any, bits: int
) -> None:
    made = [
        pa.generate_id(default, generated_id_type=kind, version=version)
        for default in [None, "m1"] * 20
    ]
    assert bits - 16 < max(id_.bit_length() for id_ in made) <= bits
    assert len(set(made)) == 40


def test_an_id_that_is_to_come_is_waited_for() -> None:
    async def later(value: Any) -> Any:
        return value

    assert pa.generate_id("m1", generated_id=later("x")) == "x"
    assert pa.generate_id("m1", generated_id=later(None)) == "m1"


def test_an_id_of_96_bits_goes_both_ways() -> None:
    text = '[{"message_id":79228162514264337593543950335,"role":"user","content":[]}]'
    assert b'"message_id":79228162514264337593543950335,' in pa.encode(pa.decode(text))


# -- streams --------------------------------------------------------------------------------------

MESSAGE = (
    '{"message_id":"m","role":"assistant","content":[{"type":"text","text":"a","annotations":[]}],'
    '"delta":true,"tools_calls":null,"reasoning":null,"timestamp":1.0,"metadata":{},"usages":null,'
    '"raw":null,"parsed_content":null}'
)
CHUNKS = {
    "a message": (
        f'{{"event":"message","message":{MESSAGE},"state":null,"data":null,"thread_id":"t",'
        '"run_id":"r","metadata":null,"timestamp":2.0}',
        pa.StreamChunk(
            message=pa.Message(
                message_id="m",
                role="assistant",
                content=[pa.TextBlock("a")],
                delta=True,
                timestamp=1.0,
                parsed_content=None,
            ),
            thread_id="t",
            run_id="r",
            timestamp=2.0,
        ),
    ),
    "a state": (
        '{"event":"state","message":null,"state":{"context":[]},"data":null,"thread_id":null,'
        '"run_id":null,"metadata":{"a":1},"timestamp":2.5}',
        pa.StreamChunk(
            pa.StreamEvent.STATE, state={"context": []}, metadata={"a": 1}, timestamp=2.5
        ),
    ),
    "an error": (
        '{"event":"error","message":null,"state":null,"data":{"reason":"x"},"thread_id":null,'
        '"run_id":null,"metadata":null}',
        pa.StreamChunk(pa.StreamEvent.ERROR, data={"reason": "x"}, timestamp=UNSET),
    ),
}


@pytest.mark.parametrize(("text", "chunk"), CHUNKS.values(), ids=CHUNKS)
def test_a_chunk_both_ways(text: str, chunk: pa.StreamChunk) -> None:
    assert pa.decode(text, pa.StreamChunk) == chunk
    assert pa.encode(pa.decode(text, pa.StreamChunk)).decode() == text
    assert json.loads(pa.encode(chunk)) == json.loads(text)


def test_the_message_of_a_chunk_becomes_a_canonical_one() -> None:
    chunk = pa.decode(CHUNKS["a message"][0], pa.StreamChunk)
    assert pa.to_canonical([chunk.message]) == [
        wg.AssistantMessage([wg.TextBlock("a")], timestamp=1000, id="m", delta=True)
    ]


EVENTS = {
    "of 0.3.6": '{"event":"streaming","event_type":"update","content":"a","content_blocks":'
    '[{"type":"text","text":"a","annotations":[]}],"delta":true,"delta_type":"text",'
    '"block_index":0,"chunk_index":1,"byte_offset":null,"data":{},"content_type":["text"],'
    '"sequence_id":3,"node_name":"n","run_id":"r","thread_id":7,"timestamp":1.5,"is_error":false,'
    '"metadata":{"user_id":1}}',
    "of 0.3.9": '{"event":"tool_execution","event_type":"error","content":"","content_blocks":null,'
    '"data":{"a":1},"content_type":null,"node_name":"","run_id":"r","thread_id":"t",'
    '"timestamp":1.5,"is_error":true,"metadata":{}}',
    "of Agentflow": '{"event":"realtime","event_type":"result","content":"","content_blocks":null,'
    '"data":{},"content_type":["transcript"],"node_name":"","run_id":"r","thread_id":"t",'
    '"user_id":null,"timestamp":1.5,"is_error":false,"metadata":{}}',
}


@pytest.mark.parametrize("text", EVENTS.values(), ids=EVENTS)
def test_an_event_both_ways(text: str) -> None:
    assert pa.encode(pa.decode(text, pa.EventModel)).decode() == text


def test_the_least_event_is_left_without_what_its_reader_makes() -> None:
    event = pa.decode('{"event":"node_execution","event_type":"start"}', pa.EventModel)
    assert event == pa.EventModel(
        pa.Event.NODE_EXECUTION, pa.EventType.START, run_id=UNSET, timestamp=UNSET
    )
    assert (event.run_id, event.timestamp, event.user_id) == (UNSET, UNSET, UNSET)
    assert "timestamp" not in json.loads(pa.encode(event))


def test_events_of_a_run_take_what_its_configuration_says() -> None:
    config = {"thread_id": "t", "run_id": "r", "user_id": 7, "timestamp": 5.0, "is_stream": True}
    event = pa.EventModel.default(config, {"a": 1}, [pa.ContentType.TEXT], extra={"x": 1})
    assert re.sub(r'"timestamp":[\d.]+', '"timestamp":0', pa.encode(event).decode()) == (
        '{"event":"graph_execution","event_type":"start","content":"","content_blocks":null,'
        '"data":{"a":1},"content_type":["text"],"node_name":"","run_id":"r","thread_id":"t",'
        '"user_id":7,"timestamp":0,"is_error":false,"metadata":{"run_timestamp":5.0,'
        '"is_stream":true,"x":1}}'
    )
    streamed = pa.EventModel.stream({}, "n")
    assert (streamed.event, streamed.event_type, streamed.node_name) == ("streaming", "update", "n")
    assert streamed.content_type == ["text", "reasoning"]
    assert streamed.metadata == {"run_timestamp": "", "is_stream": False}


@pytest.mark.parametrize(
    "text",
    [
        '{"event":"unheard of"}',
        '{"event":"message","message":{"role":"user"}}',
        '{"event":"state","state":[]}',
        '{"event":"message","timestamp":"now"}',
    ],
    ids=["an unknown event", "a broken message", "a state in a list", "a time that is text"],
)
def test_a_chunk_that_is_none_is_a_decode_error(text: str) -> None:
    with pytest.raises(wg.DecodeError):
        pa.decode(text, pa.StreamChunk)
