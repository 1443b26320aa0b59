"""Ravi's own types: how they are made, their methods, and the JSON of stream chunks."""

import base64
import copy
import io
import pickle
import uuid
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from PIL import Image

import wireglot as wg
from tests.formats.ravi_documents import chunks
from wireglot.formats import ravi
from wireglot.formats._records import unknown

# The reference's own examples: a message, and the dict that it is stored as.
AS_DOCUMENTED = [
    (
        ravi.SystemMessage("You are a precise research assistant."),
        {
            "role": "system",
            "content": "You are a precise research assistant.",
            "type": "SystemMessage",
        },
    ),
    (
        ravi.UserMessage(content=["What year is it?"]),
        {
            "role": "user",
            "content": [{"type": "input_text", "text": "What year is it?"}],
            "type": "UserMessage",
        },
    ),
    (
        ravi.UserMessage(
            content=[
                "What is this chart showing?",
                ravi.ImageContent(url="https://example.com/chart.png", detail="high"),
            ],
            name="bob",
        ),
        {
            "role": "user",
            "content": [
                {"type": "input_text", "text": "What is this chart showing?"},
                {
                    "type": "input_image",
                    "image_url": "https://example.com/chart.png",
                    "detail": "high",
                },
            ],
            "type": "UserMessage",
            "name": "bob",
        },
    ),
    (
        ravi.UserMessage(
            content=[
                ravi.ImageContent(data=b"\xff\xd8\xff\xe0", media_type="image/jpeg", detail="low"),
                ravi.ImageContent(data=b"\xff\xd8\xff\xe0"),
                ravi.ImageContent(file_id="file-abc123"),
                ravi.AudioContent(b"ID3x"),
                ravi.VideoContent(b"mp4x", format="webm"),
            ]
        ),
        {
            "role": "user",
            "content": [
                {
                    "type": "input_image",
                    "image_url": "data:image/jpeg;base64,/9j/4A==",
                    "detail": "low",
                },
                {"type": "input_image", "image_url": "data:image/jpeg;base64,/9j/4A=="},
                {"type": "input_image", "file_id": "file-abc123"},
                {
                    "type": "input_audio",
                    "source": {"type": "base64", "media_type": "audio/mp3", "data": "SUQzeA=="},
                },
                {
                    "type": "input_video",
                    "source": {"type": "base64", "media_type": "video/webm", "data": "bXA0eA=="},
                },
            ],
            "type": "UserMessage",
        },
    ),
    (
        ravi.AssistantMessage(
            content=["Here"],
            reasoning="cot",
            usage=ravi.UsageStats(prompt_tokens=3, completion_tokens=2, total_tokens=5),
            parsed={"never": "written"},
        ),
        {
            "role": "assistant",
            "finish_reason": "stop",
            "cached": False,
            "type": "AssistantMessage",
            "reasoning": "cot",
            "content": [{"type": "output_text", "text": "Here"}],
            "usage": {"prompt_tokens": 3, "completion_tokens": 2, "total_tokens": 5},
        },
    ),
    (
        ravi.AssistantMessage(
            tool_calls=[
                ravi.ToolCallMessage(id="call-123", name="web_search", arguments={"query": "LLMs"})
            ],
            finish_reason="tool_calls",
        ),
        {
            "role": "assistant",
            "finish_reason": "tool_calls",
            "cached": False,
            "type": "AssistantMessage",
            "tool_calls": [
                {
                    "role": "tool_call",
                    "type": "ToolCallMessage",
                    "id": "call-123",
                    "name": "web_search",
                    "arguments": {"query": "LLMs"},
                }
            ],
        },
    ),
    (
        ravi.ToolExecutionResultMessage(
            tool_call_id="call-123",
            name="web_search",
            content=[{"type": "text", "text": "10 results"}],
            is_error=True,
        ),
        {
            "role": "tool_response",
            "tool_call_id": "call-123",
            "content": [{"type": "text", "text": "10 results"}],
            "isError": True,
            "type": "ToolExecutionResultMessage",
            "name": "web_search",
        },
    ),
]


@pytest.mark.parametrize(("message", "data"), AS_DOCUMENTED, ids=lambda part: type(part).__name__)
def test_a_message_is_stored_as_the_reference_stores_it(message: Any, data: Any) -> None:
    assert message.to_dict() == data
    assert list(message.to_dict()) == list(data)
    again = type(message).from_dict(data)
    if isinstance(message, ravi.AssistantMessage):
        message = msgspec.structs.replace(message, parsed=None)
    assert again == message
    assert ravi.decode(ravi.encode(message), ravi.AgentMessage) == message


def test_from_dict_takes_items_as_they_are_held_and_needs_no_type() -> None:
    image = ravi.ImageContent(data=b"GIF89a", media_type="image/gif", detail="low")
    made = ravi.UserMessage.from_dict({"content": ["a", image]})
    assert made == ravi.UserMessage(["a", image])
    made = ravi.UserMessage.from_dict({"content": [ravi.DocumentContent(file_id="f")]})
    assert made.version == "v3"
    with pytest.raises(wg.DecodeError, match="missing required field `content`"):
        ravi.SystemMessage.from_dict({"role": "system"})
    with pytest.raises(wg.DecodeError, match="expected `UserMessage`"):
        ravi.UserMessage.from_dict({"type": "SystemMessage", "content": []})
    with pytest.raises(wg.EncodeError):
        ravi.UserMessage.from_dict({"content": [object()]})


def test_what_is_decoded_is_what_ravi_holds() -> None:
    body = (
        b'{"role":"user","type":"UserMessage","content":[{"type":"input_text","text":"a"},'
        b'{"type":"input_image","image_url":"data:image/gif;base64,R0lGODlh","detail":"low"},'
        b'{"type":"input_audio","source":{"type":"base64","media_type":"audio/ogg","data":""}}]}'
    )
    message = ravi.decode(body, ravi.UserMessage)
    text, image, sound = message.content
    assert text == "a"
    assert type(image) is ravi.ImageContent
    assert (image.media_type, image.detail, image.url) == ("image/gif", "low", None)
    assert image.data.to_bytes() == b"GIF89a"
    assert image.to_data_url() == "data:image/gif;base64,R0lGODlh"
    assert type(sound) is ravi.AudioContent
    assert sound.format == "ogg"
    for same in (copy.deepcopy(message), pickle.loads(pickle.dumps(message))):
        assert same == message
        assert ravi.encode(same) == ravi.encode(message)


def test_an_image_has_exactly_one_source() -> None:
    for wrong in ({}, {"url": "https://e/x", "file_id": "f"}, {"data": b"a", "url": "https://e"}):
        for kind in (ravi.ImageContent, ravi.DocumentContent):
            with pytest.raises(ValueError, match="several or none of `url`, `file_id` and `data`"):
                kind(**wrong)
    with pytest.raises(ValueError, match="both `url` and `data`"):
        ravi.VideoContent(b"a", url="https://e/x")
    with pytest.raises(wg.EncodeError, match="without inline data"):
        ravi.ImageContent(file_id="f").to_data_url()


def test_a_data_url_given_as_a_url_is_inline() -> None:
    image = ravi.ImageContent(url="data:image/webp;base64,UklGRg==")
    assert image == ravi.ImageContent(data=b"RIFF", media_type="image/webp")


def test_a_file_is_read_when_it_is_written(tmp_path: Path) -> None:
    path = tmp_path / "a.mp3"
    sounds = [ravi.AudioContent(path), ravi.AudioContent(str(path))]
    film = ravi.VideoContent(str(path))
    path.write_bytes(b"ID3x")
    items = ravi.UserMessage([*sounds, film]).to_dict()["content"]
    assert [item["source"]["data"] for item in items] == ["SUQzeA=="] * 3
    path.unlink()
    with pytest.raises(wg.EncodeError, match="cannot read"):
        ravi.UserMessage([*sounds]).to_dict()


def test_nothing_in_a_document_names_a_file() -> None:
    message = ravi.decode(
        '{"type":"UserMessage","content":[{"type":"input_audio","source":{"type":"base64",'
        '"data":"file:/etc/passwd"}},{"type":"image/png","data":"/etc/passwd"}]}',
        ravi.UserMessage,
    )
    with pytest.raises(wg.DecodeError):
        message.content[0].data.to_bytes()
    assert message.content[1].data.to_base64() == "/etc/passwd"


@pytest.mark.parametrize("mode", ["RGB", "RGBA", "L", "P"])
def test_a_pil_image_is_written_as_png(mode: str) -> None:
    image = Image.new(mode, (2, 1), 1 if mode == "P" else None)
    message = ravi.UserMessage([image])
    (item,) = message.to_dict()["content"]
    assert list(item) == ["type", "image_url"]
    head, _, payload = item["image_url"].partition(",")
    assert head == "data:image/png;base64"
    assert Image.open(io.BytesIO(base64.b64decode(payload))).tobytes() == image.tobytes()
    assert ravi.encode(message, version="v3").startswith(
        b'{"role":"user","content":[{"type":"image"'
    )
    canonical = ravi.to_canonical([message])
    assert ravi.from_canonical(canonical) == [message]
    assert canonical[0].content[0].mime_type == "image/png"  # type: ignore[union-attr]


def test_a_pil_image_in_a_later_message_is_an_item_with_bytes() -> None:
    message = ravi.UserMessage([Image.new("L", (1, 1))], version="v3")
    (item,) = message.to_dict()["content"]
    assert item["media_type"] == "image/png"
    assert list(item["data"]) == ["__bytes_b64__"]


def test_what_cannot_be_saved_is_an_encode_error() -> None:
    with pytest.raises(wg.EncodeError, match="image that Pillow cannot save"):
        ravi.UserMessage([Image.new("F", (1, 1))]).to_dict()


def test_content_of_another_type_is_refused() -> None:
    for wrong in (7, None, b"bytes", wg.TextBlock("a")):
        with pytest.raises(wg.EncodeError, match="expected content"):
            ravi.UserMessage([wrong])


def test_the_version_shows_in_what_a_message_has() -> None:
    assert ravi.UserMessage(["a"]).version == "v2"
    assert ravi.UserMessage(["a"], id="m1").version == "v3"
    assert ravi.SystemMessage("a", id="m1").version == "v3"
    assert ravi.AssistantMessage(id="m1").version == "v3"
    assert ravi.ToolCallMessage("plot", id="c1").version == "v2"
    assert ravi.ToolCallMessage("plot", version="v3").content is None
    assert ravi.ToolExecutionResultMessage("c1", [], media=[]).version == "v3"
    first = ravi.UserMessage(["a"], id="m1", version="v2")
    assert first.id == "m1"
    assert "id" not in first.to_dict()


def test_the_calls_of_an_answer_are_of_its_version_and_a_callers_own_are_left_alone() -> None:
    call = ravi.ToolCallMessage("plot", id="c1")
    answer = ravi.AssistantMessage(tool_calls=[call], id="m1")
    assert answer.tool_calls is not None
    assert answer.tool_calls[0].version == "v3"
    assert call.version == "v2"
    back = ravi.AssistantMessage(tool_calls=answer.tool_calls)
    assert back.tool_calls == [call]


def test_structured_output_goes_through_canonical_messages_and_is_not_written() -> None:
    message = ravi.AssistantMessage(['{"a":1}'], parsed={"a": 1})
    canonical = ravi.to_canonical([message])
    assert canonical[0].parsed == {"a": 1}  # type: ignore[union-attr]
    assert ravi.from_canonical(canonical) == [message]
    assert b"parsed" not in ravi.encode(canonical)


def test_a_new_call_has_an_id_and_a_decoded_one_has_only_its_own() -> None:
    first, second = ravi.ToolCallMessage.new("plot"), ravi.ToolCallMessage.new("plot", {"a": 1})
    assert first.id
    assert second.id
    assert first.id != second.id
    assert second.arguments.value == {"a": 1}
    assert ravi.ToolCallMessage.new("plot", id="c1").tool_call_id == "c1"
    assert ravi.ToolCallMessage("plot", id=None).id is None
    assert "id" not in ravi.ToolCallMessage("plot", id=None).to_dict()
    decoded = ravi.decode('{"type":"ToolCallMessage","name":"plot","?":1}', ravi.AgentMessage)
    assert decoded.id is None


def test_arguments_are_an_object() -> None:
    assert ravi.ToolCallMessage("plot", '{"a": 1}').to_dict()["arguments"] == {"a": 1}
    for wrong in ("[1]", "{", [1], 7):
        with pytest.raises(ValueError, match="expected `object`"):
            ravi.ToolCallMessage("plot", wrong)  # type: ignore[arg-type]


def test_a_call_as_others_have_it() -> None:
    call = ravi.ToolCallMessage("plot", {"a": [1, "é"]}, id="c1")
    assert call.to_mcp_format() == {"name": "plot", "arguments": {"a": [1, "é"]}}
    assert call.to_openai_format() == {
        "id": "c1",
        "type": "function",
        "function": {"name": "plot", "arguments": '{"a": [1, "\\u00e9"]}'},
    }


def test_a_result_is_a_list_of_objects_whatever_was_given() -> None:
    def value(content: Any) -> Any:
        return ravi.ToolExecutionResultMessage("c1", content).content.value

    text = [{"type": "text", "text": "a"}]
    assert value("a") == text
    assert value(text) == text
    assert value(["a", {"b": 1}, 7]) == [*text, {"b": 1}, {"type": "text", "text": "7"}]
    assert value({"b": 1}) == [{"b": 1}]
    assert value(None) == [{"type": "text", "text": "None"}]
    assert value(wg.RawJson('{"b":1}')) == [{"b": 1}]


def test_a_result_as_others_have_it() -> None:
    result = ravi.ToolExecutionResultMessage(
        "c1",
        [
            {"type": "text", "text": "a"},
            {"type": "image", "data": "AA==", "mimeType": "image/png"},
            {"type": "resource", "resource": {"uri": "file:///a"}},
            {"type": "text"},
            {"b": 1},
        ],
        is_error=True,
    )
    assert result.to_mcp_format() == {"content": result.content.value, "isError": True}
    assert result.to_openai_format() == {
        "role": "tool",
        "tool_call_id": "c1",
        "content": "a\n[Image]\n[Resource: file:///a]\n\n{'b': 1}",
    }
    empty = ravi.ToolExecutionResultMessage("c1", [])
    assert empty.to_openai_format()["content"] == ""
    bare = ravi.decode(
        '{"type":"ToolExecutionResultMessage","tool_call_id":"c1","content":["a"]}',
        ravi.ToolExecutionResultMessage,
    )
    assert bare.to_openai_format()["content"] == "a"


def test_a_result_of_a_tool() -> None:
    returned = SimpleNamespace(content="a", is_error=True, app_data={"b": 1})
    made = ravi.ToolExecutionResultMessage.from_tool_result(returned, "c1", "plot")
    assert made == ravi.ToolExecutionResultMessage("c1", "a", "plot", True, {"b": 1})
    bare = SimpleNamespace(content="a", is_error=False)
    made = ravi.ToolExecutionResultMessage.from_tool_result(bare, "c1")
    assert made == ravi.ToolExecutionResultMessage("c1", "a")


# -- chunks ----------------------------------------------------------------------------------------

CHUNKS: dict[str, tuple[str, Any]] = {
    "a piece of text": (
        '{"chunk_type":"text_delta","metadata":{},"text":"Hel"}',
        ravi.TextDeltaChunk("Hel"),
    ),
    "a piece of reasoning": (
        '{"chunk_type":"reasoning_delta","metadata":{"n":1},"text":"so"}',
        ravi.ReasoningDeltaChunk("so", {"n": 1}),
    ),
    "the whole answer": (
        '{"chunk_type":"completion","metadata":{},"message":{"id":"m1","role":"assistant",'
        '"content":["Hello"],"type":"AssistantMessage","name":null,"reasoning":null,'
        '"tool_calls":null,"finish_reason":"stop","usage":null,"cached":false,"parsed":null}}',
        ravi.CompletionChunk(ravi.AssistantMessage(["Hello"], id="m1")),
    ),
    "structured output": (
        '{"chunk_type":"structured_output","metadata":{},"result":{"parsed":{"a":1},'
        '"raw_text":"{\\"a\\":1}","refusal":null,"model":"m"}}',
        ravi.StructuredOutputChunk(ravi.StructuredOutputResult({"a": 1}, '{"a":1}', model="m")),
    ),
    "unknown keys": (
        '{"chunk_type":"text_delta","metadata":{},"text":"a","k":1}',
        ravi.TextDeltaChunk("a", unknown=unknown({"k": 1})),
    ),
}


@pytest.mark.parametrize(("text", "chunk"), CHUNKS.values(), ids=CHUNKS)
def test_a_chunk_both_ways(text: str, chunk: Any) -> None:
    assert ravi.decode(text, ravi.StreamChunk) == chunk
    assert ravi.encode(chunk).decode() == text
    assert chunk.type == chunk.__struct_config__.tag
    assert chunk.data == getattr(chunk, "text", None)


def test_chunks_go_as_lines_too() -> None:
    made = ravi.encode([ravi.TextDeltaChunk("a"), ravi.TextDeltaChunk("b")], lines=True)
    assert made.decode() == (
        '{"chunk_type":"text_delta","metadata":{},"text":"a"}\n'
        '{"chunk_type":"text_delta","metadata":{},"text":"b"}\n'
    )


@settings(max_examples=60)
@given(chunks())
def test_any_chunk_comes_back_equal(chunk: ravi.StreamChunk) -> None:
    assert ravi.decode(ravi.encode(chunk), ravi.StreamChunk) == chunk


def test_a_chunk_leaves_a_callers_message_alone() -> None:
    message = ravi.AssistantMessage(["a"])
    assert ravi.CompletionChunk(message).message is message
    assert message.version == "v2"


def test_a_chunk_of_no_known_kind_is_refused() -> None:
    with pytest.raises(wg.DecodeError) as caught:
        ravi.decode('{"chunk_type":"pause"}', ravi.StreamChunk)
    assert str(caught.value) == (
        "ravi: unknown chunk_type `pause`,"
        " expected one of `text_delta`, `reasoning_delta`, `completion`,"
        " `structured_output` - at `$.chunk_type`"
    )


OUTPUTS: list[tuple[ravi.StructuredOutputResult, bool, bool, str]] = [
    (ravi.StructuredOutputResult({"a": 1}, '{"a":1}'), True, False, ""),
    (
        ravi.StructuredOutputResult(raw_text="hm"),
        False,
        False,
        "no structured output, expected one",
    ),
    (ravi.StructuredOutputResult(refusal="No."), False, True, "the model refused: No."),
]


@pytest.mark.parametrize(("result", "ok", "refused", "error"), OUTPUTS)
def test_structured_output(
    result: ravi.StructuredOutputResult, ok: bool, refused: bool, error: str
) -> None:
    assert (result.ok, result.refused) == (ok, refused)
    if ok:
        assert result.unwrap() == {"a": 1}
        return
    with pytest.raises(wg.DecodeError) as caught:
        result.unwrap()
    assert caught.value.reason == error


def test_the_parts_of_a_message_are_written_alone() -> None:
    cases: list[tuple[Any, str]] = [
        (ravi.UsageStats(1, 2, 3), '{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3}'),
        (ravi.TextContent("a"), '{"type":"input_text","text":"a"}'),
        (ravi.ImageContent(file_id="f"), '{"type":"input_image","file_id":"f"}'),
        (
            ravi.AudioContent(b"ID3", "mp3"),
            '{"type":"input_audio","source":{"type":"base64","media_type":"audio/mp3",'
            '"data":"SUQz"}}',
        ),
        (
            ravi.VideoContent(b"x", "mp4"),
            '{"type":"input_video","source":{"type":"base64","media_type":"video/mp4",'
            '"data":"eA=="}}',
        ),
        (
            ravi.AssistantMessage(),
            '{"role":"assistant","finish_reason":"stop","cached":false,"type":"AssistantMessage"}',
        ),
    ]
    for value, text in cases:
        assert ravi.encode(value).decode() == text
    with pytest.raises(wg.EncodeError, match="document, which V3 alone has"):
        ravi.encode(ravi.DocumentContent(data=b"x"))


# -- what Ravi's own constructors do ---------------------------------------------------------------

MADE: dict[str, tuple[Any, dict[str, Any]]] = {
    "SystemMessage": (ravi.SystemMessage, {"content": "a"}),
    "UserMessage": (ravi.UserMessage, {"content": ["a"]}),
    "AssistantMessage": (ravi.AssistantMessage, {"content": ["a"]}),
    "ToolCallMessage": (ravi.ToolCallMessage, {"name": "f"}),
    "ToolExecutionResultMessage": (
        ravi.ToolExecutionResultMessage,
        {"tool_call_id": "c1", "content": "a"},
    ),
}
ROLES = {
    "SystemMessage": "system",
    "UserMessage": "user",
    "AssistantMessage": "assistant",
    "ToolCallMessage": "tool_call",
    "ToolExecutionResultMessage": "tool_response",
}


@pytest.mark.parametrize("name", MADE)
def test_a_constructor_takes_the_type_and_the_role(name: str) -> None:
    make, fields = MADE[name]
    message = make(type=name, role=ROLES[name], **fields)
    assert (message.type, message.role) == (name, ROLES[name])
    assert make.type == make.__struct_config__.tag
    with pytest.raises(wg.EncodeError, match="`Message` of a"):
        make(type="Message", **fields)


@pytest.mark.parametrize("name", MADE)
def test_a_message_that_a_program_makes_has_an_id_of_its_own(name: str) -> None:
    make, fields = MADE[name]
    first, second = make(**fields), make(**fields)
    assert uuid.UUID(first.id).version == 4
    assert first.id != second.id
    assert make(id="m1", **fields).id == "m1"
    assert first.version == "v2"
    again = ravi.decode(ravi.encode(first), ravi.AgentMessage)
    assert again.id == (first.id if name == "ToolCallMessage" else None)
    assert again == first
    assert copy.copy(first).id == copy.deepcopy(first).id == first.id
    assert pickle.loads(pickle.dumps(first)).id == first.id
    assert b"?" not in ravi.encode(msgspec.structs.replace(first))


@pytest.mark.parametrize("name", MADE)
def test_a_later_message_is_written_with_its_id(name: str) -> None:
    make, fields = MADE[name]
    message = make(version="v3", **fields)
    assert message.to_dict()["id"] == message.id
    again = ravi.decode(ravi.encode(message), ravi.AgentMessage)
    assert (again.id, again.version) == (message.id, "v3")
    assert again == message


def test_messages_are_equal_if_they_say_the_same() -> None:
    first = ravi.UserMessage(["a"])
    assert first == ravi.UserMessage(["a"])
    assert first == ravi.UserMessage(["a"], id=None, version="v3")
    assert first != ravi.UserMessage(["b"])
    assert first != ravi.UserMessage(["a"], id="m1", version="v3")
    assert first != ravi.SystemMessage("a")
    assert first != "a"
    call = ravi.ToolCallMessage("f", id="c1")
    assert call == ravi.ToolCallMessage("f", id="c1", version="v3")
    assert call != ravi.ToolCallMessage("f", id="c2")
    assert call != ravi.ToolCallMessage("f", id="c1", content="x")


@pytest.mark.parametrize("version", ["v2", "v3"])
def test_a_chunk_equals_the_one_that_was_encoded(version: Any) -> None:
    answer = ravi.AssistantMessage(
        ["a"], [ravi.ToolCallMessage("f", {"a": 1})], "b", parsed={"c": 1}, version=version
    )
    chunk = ravi.CompletionChunk(answer)
    again = ravi.decode(ravi.encode(chunk), ravi.StreamChunk)
    assert again == chunk
    assert again.message == chunk.message == answer
    assert chunk.message is answer
    assert ravi.encode(again) == ravi.encode(chunk)


@pytest.mark.parametrize("kind", [*ravi.StreamChunk.__args__], ids=lambda kind: str(kind.__name__))
def test_a_chunk_has_both_names_of_its_tag(kind: Any) -> None:
    tag = kind.__struct_config__.tag
    assert (kind.type, kind.chunk_type) == (tag, tag)


def test_items_have_the_type_of_the_later_version() -> None:
    kinds = [
        ravi.TextContent,
        ravi.ImageContent,
        ravi.AudioContent,
        ravi.VideoContent,
        ravi.DocumentContent,
    ]
    assert [kind.type for kind in kinds] == ["text", "image", "audio", "video", "document"]


def test_content_may_be_given_as_it_is_stored() -> None:
    image = {"type": "input_image", "image_url": "https://e/x.png", "detail": "low"}
    made = ravi.UserMessage([{"type": "input_text", "text": "a"}, image])  # type: ignore[list-item]
    assert made.content == ["a", ravi.ImageContent(url="https://e/x.png", detail="low")]
    answer = ravi.AssistantMessage(
        tool_calls=[{"id": "c1", "name": "f", "arguments": {"a": 1}}],  # type: ignore[list-item]
        usage={"prompt_tokens": 3},  # type: ignore[arg-type]
    )
    assert answer.tool_calls == [ravi.ToolCallMessage("f", {"a": 1}, id="c1")]
    assert answer.usage == ravi.UsageStats(3)
    fresh = ravi.AssistantMessage(tool_calls=[{"name": "f"}])  # type: ignore[list-item]
    assert fresh.tool_calls is not None
    assert fresh.tool_calls[0].id
    with pytest.raises(wg.EncodeError, match="unknown type `odd`"):
        ravi.UserMessage([{"type": "odd"}])  # type: ignore[list-item]


def test_a_text_is_not_a_list_of_content_and_has_a_constructor() -> None:
    with pytest.raises(wg.EncodeError, match="`str`, expected a list of content; use `from_text`"):
        ravi.UserMessage("a")  # type: ignore[arg-type]
    assert ravi.UserMessage.from_text("a", "bob") == ravi.UserMessage(["a"], "bob")
    assert ravi.AssistantMessage.from_text("a") == ravi.AssistantMessage(["a"])
