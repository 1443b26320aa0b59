"""Ravi: what callers get wrong, and messages whose version hardly shows."""

import io
from typing import Any

import pytest
from PIL import Image

import wireglot as wg
from wireglot.formats import ravi

V3 = {"ravi": wg.Extra({}, None, "v3")}


# -- errors ----------------------------------------------------------------------------------------


def _nested(depth: int) -> wg.ToolResultBlock:
    block = wg.ToolResultBlock("c1")
    for _ in range(depth):
        block = wg.ToolResultBlock("c1", content=[block])
    return block


REFUSED = {
    "results in results, too deep": [
        wg.ToolResultMessage("c1", content=[_nested(2000)], extras=V3)
    ],
    "a usage whose spelling is no object": [
        wg.AssistantMessage([], usage=wg.Usage(extras={"ravi": wg.Extra({}, {"extra": 5})}))
    ],
    "a usage whose keys are no object": [
        wg.AssistantMessage([], usage=wg.Usage(extras={"ravi": wg.Extra({"extra": 5})}))
    ],
    "a role that is none": [wg.UserMessage([], extras={"ravi": wg.Extra({}, {"role": 5})})],
    "a call's content that is no text": [
        wg.AssistantMessage(
            [wg.ToolCallBlock("c1", "f", "{}", extras={"ravi": wg.Extra({"content": 5})})]
        )
    ],
    "arguments that a caller broke": [
        ravi.AssistantMessage(tool_calls=[ravi.ToolCallMessage("f", {"a": 1})]),
    ],
}
REFUSED["arguments that a caller broke"][0].tool_calls[0].arguments["a"] = object()  # type: ignore[union-attr,index]


@pytest.mark.parametrize("messages", REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_encoded_is_an_encode_error(messages: Any) -> None:
    with pytest.raises(wg.EncodeError) as caught:
        ravi.encode(messages)
    assert caught.value.wire == "ravi"


def test_what_cannot_be_made_of_canonical_messages_is_an_encode_error() -> None:
    for messages in list(REFUSED.values())[:-1]:
        with pytest.raises(wg.EncodeError):
            ravi.from_canonical(messages, losses=[], version="v3")


@pytest.mark.parametrize("wrong", ["hi", {"a": 1}, 7])
def test_a_content_is_a_list(wrong: Any) -> None:
    for make in (ravi.UserMessage, ravi.AssistantMessage):
        with pytest.raises(wg.EncodeError, match="expected a list of content"):
            make(wrong)
    with pytest.raises(wg.EncodeError, match="expected a list of content"):
        ravi.ToolExecutionResultMessage("c1", [], media=wrong)


def test_a_new_call_has_arguments_that_are_an_object() -> None:
    for wrong in ("oops", "[1]", [1], {1: object()}):
        with pytest.raises(wg.EncodeError):
            ravi.ToolCallMessage.new("f", wrong)


@pytest.mark.parametrize("wrong", ["oops", "[1]", [1], 5])
def test_arguments_that_are_set_are_an_object(wrong: Any) -> None:
    call = ravi.ToolCallMessage("f", {"a": 1})
    with pytest.raises(wg.EncodeError) as caught:
        call.arguments = wrong
    assert str(caught.value) == (
        "ravi: arguments that are not an object, expected a JSON object - at `$.arguments`"
    )
    assert call.arguments == {"a": 1}


@pytest.mark.parametrize("resource", [None, "x", [], {}])
def test_a_resource_that_is_none_is_shown(resource: Any) -> None:
    result = ravi.ToolExecutionResultMessage("c1", [{"type": "resource", "resource": resource}])
    assert result.to_openai_format()["content"] == "[Resource: ]"


def test_from_dict_takes_calls_as_they_are_held() -> None:
    call = ravi.ToolCallMessage.new("f", {})
    message = ravi.AssistantMessage.from_dict({"tool_calls": [call]})
    assert message == ravi.AssistantMessage(tool_calls=[call])
    beside = ravi.DocumentContent(file_id="f")
    result = ravi.ToolExecutionResultMessage.from_dict(
        {"tool_call_id": "c1", "content": [], "media": [beside]}
    )
    assert result.media == [beside]


def test_an_item_is_no_document() -> None:
    for kind in (ravi.ImageContent, list[ravi.ImageContent], ravi.AudioContent):
        with pytest.raises(wg.DecodeError) as caught:
            ravi.decode(b'{"data":"AAAA"}', kind)
        assert caught.value.wire == "ravi"


def test_a_type_that_breaks_a_data_url_is_not_written() -> None:
    for wrong in ("a;b", "a,b", "a b"):
        item = ravi.ImageContent(data=b"a", media_type=wrong)
        with pytest.raises(wg.EncodeError, match="expected one like `image/png`"):
            ravi.encode(ravi.UserMessage([item]))
        later = ravi.UserMessage([item], version="v3")
        assert ravi.from_canonical(ravi.to_canonical([later])) == [later]


# -- PIL images ------------------------------------------------------------------------------------


def _opened(form: str, mode: str = "RGB", **options: Any) -> Any:
    out = io.BytesIO()
    image = Image.new(mode, (8, 8))
    if mode == "RGB":
        image.putdata([(i * 3, 255 - i * 4, i * i % 256) for i in range(64)])
    image.save(out, form, **options)
    return Image.open(io.BytesIO(out.getvalue()))


@pytest.mark.parametrize("form", ["PNG", "JPEG", "GIF", "WEBP", "BMP", "TIFF"])
@pytest.mark.parametrize("version", ["v2", "v3"])
def test_a_pil_image_of_any_format_is_written_as_png_on_every_way(form: str, version: Any) -> None:
    image = _opened(form)
    message = ravi.UserMessage([image], version=version)
    canonical = ravi.to_canonical([message])
    block: Any = canonical[0].content[0]  # type: ignore[union-attr]
    assert block.mime_type == "image/png"
    again = Image.open(io.BytesIO(block.data.to_bytes()))
    assert again.format == "PNG"
    assert again.convert("RGB").tobytes() == image.convert("RGB").tobytes()
    assert ravi.encode(canonical) == ravi.encode([message])
    assert ravi.encode(wg.json.decode(wg.json.encode(canonical))) == ravi.encode([message])


# -- versions --------------------------------------------------------------------------------------


def _same(text: str) -> None:
    own = ravi.decode(text, ravi.AgentMessage)
    assert own.version == "v3"
    assert ravi.encode(own).decode() == text
    assert ravi.encode(ravi.decode(text)).decode() == f"[{text}]"


ITEM = '{"type":"%s"}'
ANSWER = (
    '{"role":"assistant","content":null,"type":"AssistantMessage","name":null,"reasoning":null,'
    '"tool_calls":null,"finish_reason":"stop","usage":null,"cached":false,"parsed":%s}'
)
RESULT = (
    '{"role":"tool_response","content":[%s],"type":"ToolExecutionResultMessage","tool_call_id":'
    '"c1","name":null,"is_error":false,"app_data":null,"media":%s}'
)
ERROR = '{"type":"error","error_type":"E","message":"m","details":null,"recoverable":true}'


@pytest.mark.parametrize("parsed", ['{"a":1}', "[]", "0", "false", '""'])
def test_structured_output_tells_the_later_version(parsed: str) -> None:
    _same(ANSWER % parsed)


def test_no_structured_output_tells_nothing() -> None:
    own = ravi.decode(ANSWER % "null", ravi.AgentMessage)
    assert own.version == "v2"
    assert own.parsed is None


def test_structured_output_stays_beside_items_of_the_reference() -> None:
    text = ANSWER.replace("null", '[{"type":"output_text","text":"a"}]', 1) % "1"
    assert ravi.encode(ravi.decode(text)).decode() == "[%s]" % (
        ANSWER.replace("null", '["a"]', 1) % "1"
    )


def test_a_callers_own_structured_output_is_stored_as_the_reference_stores_it() -> None:
    assert ravi.AssistantMessage(parsed={"a": 1}).version == "v2"
    assert ravi.AssistantMessage(parsed={"a": 1}, version="v3").to_dict()["parsed"] == {"a": 1}


def test_broken_structured_output_is_a_decode_error() -> None:
    for parsed in ("[1,,]", "[" * 100_000 + "]" * 100_000, '"\\ud83d"'):
        with pytest.raises(wg.DecodeError):
            ravi.decode(ANSWER % parsed)


def test_media_tell_the_later_version() -> None:
    _same(RESULT % ("", "[]"))


@pytest.mark.parametrize(
    "kind", ["error", "document", "video", "tool_use", "tool_result", "thinking"]
)
def test_items_of_the_later_version_tell_it_where_the_key_does(kind: str) -> None:
    _same(RESULT % (ITEM % kind, "null"))
    first = (RESULT % (ITEM % kind, "null")).replace("is_error", "isError")
    assert ravi.decode(first, ravi.AgentMessage).version == "v2"


@pytest.mark.parametrize(
    "item",
    ['"a"', "7", '{"type":7}', "{}"]
    + [ITEM % kind for kind in ("text", "image", "audio", "resource", "resource_link")],
)
def test_items_of_mcp_tell_nothing(item: str) -> None:
    assert ravi.decode(RESULT % (item, "null"), ravi.AgentMessage).version == "v2"


def test_an_error_in_a_later_result_without_an_id_is_one() -> None:
    (message,) = ravi.decode(RESULT % (ERROR, "null"))
    assert message.content == [wg.ErrorBlock("m", "E")]
    _same(RESULT % (ERROR, "null"))


def test_a_call_without_arguments_in_a_later_result_has_an_object() -> None:
    block = wg.ToolCallBlock("c2", "sum", "")
    text = ravi.encode([wg.ToolResultMessage("c1", content=[block])], version="v3").decode()
    assert text == "[%s]" % (
        RESULT
        % ('{"type":"tool_use","tool_call_id":"c2","tool_name":"sum","arguments":{}}', "null")
    )


def test_the_id_of_a_user_who_brings_results_alone_stays() -> None:
    message = wg.UserMessage([wg.ToolResultBlock("c1")], id="u1", extras=V3)
    made = ravi.from_canonical([message])
    assert [type(own).__name__ for own in made] == ["ToolExecutionResultMessage", "UserMessage"]
    assert made[1].id == "u1"


# -- words that came -------------------------------------------------------------------------------


USER = '{"id":"m1","role":"user","content":[%s],"type":"UserMessage","name":null}'


def _one(item: str) -> Any:
    text = USER % item
    (message,) = ravi.decode(text)
    return message


def test_a_word_that_came_is_used_only_while_it_says_what_the_type_says() -> None:
    sound = _one('{"type":"audio","data":{"__bytes_b64__":"YQ=="},"format":"mpeg"}')
    sound.content[0].mime_type = "audio/wav"
    film = _one('{"type":"video","url":"https://e/x","media_type":"mp4"}')
    film.content[0].mime_type = "video/webm"
    image = _one('{"type":"image","url":"https://e/x","detail":"original"}')
    image.content[0].detail = "low"
    first, second, third = (own.content[0] for own in ravi.from_canonical([sound, film, image]))  # type: ignore[union-attr,index]
    assert first.format == "wav"  # type: ignore[union-attr]
    assert second == ravi.VideoContent(url="https://e/x", format="webm")
    assert third.detail == "low"  # type: ignore[union-attr]


def test_words_of_the_later_version_stay_there() -> None:
    sound = _one('{"type":"audio","data":{"__bytes_b64__":"YQ=="},"format":"aac"}')
    losses: list[wg.Loss] = []
    made = ravi.encode([sound], losses=losses, version="v2").decode()
    assert made == (
        '[{"role":"user","content":[{"type":"input_audio","source":{"type":"base64","media_type":'
        '"audio/aac","data":"YQ=="}}],"type":"UserMessage"}]'
    )
    assert [loss.what for loss in losses] == ["id"]
