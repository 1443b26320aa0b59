"""What people do with PyAgenity's pydantic models and Operator-Use's dataclasses."""

import base64
import copy
import dataclasses
import json
import pickle
import pprint
import re
import sys
import time
import uuid
from datetime import UTC, datetime
from typing import Any

import msgspec
import pydantic
import pytest
from msgspec import UNSET

import wireglot as wg
from wireglot.formats import FORMATS, mcp, otel, ravi
from wireglot.formats import operator_use as ou
from wireglot.formats import phi_core as phi
from wireglot.formats import pyagenity as pa

# -- tags ------------------------------------------------------------------------------------------

OURS = [
    value
    for module in (ou, pa)
    for name in module.__all__
    if isinstance(value := getattr(module, name), type) and issubclass(value, msgspec.Struct)
]
TAGGED = [kind for kind in OURS if kind.__struct_config__.tag is not None]


def test_many_types_have_a_tag() -> None:
    assert len(TAGGED) > 70


@pytest.mark.parametrize("kind", TAGGED, ids=lambda kind: f"{kind.__module__}.{kind.__name__}")
def test_the_attribute_is_the_tag(kind: Any) -> None:
    config = kind.__struct_config__
    assert getattr(kind, config.tag_field) == config.tag
    assert config.tag_field not in kind.__struct_fields__


@pytest.mark.parametrize(
    "make",
    [
        lambda tag: pa.TextBlock(type=tag, text="x"),
        lambda tag: ou.TextContent(type=tag, content="x"),
    ],
    ids=["PyAgenity", "Operator-Use"],
)
def test_a_constructor_takes_the_tag_and_refuses_another(make: Any) -> None:
    made = make("text")
    assert made == type(made)("x")
    with pytest.raises(wg.EncodeError, match=r"`image` of a `Text.*`, expected `text`"):
        make("image")


def test_a_role_is_taken_as_text_or_as_the_systems_own() -> None:
    for role in ("user", ou.Role.USER):
        message = ou.UserMessage(role=role, contents=[], id="u", timestamp=1.0)  # type: ignore[call-arg]
        assert message == ou.UserMessage([], "u", 1.0)
    with pytest.raises(wg.EncodeError, match="`tool` of a `UserMessage`, expected `user`"):
        ou.UserMessage(role="tool")  # type: ignore[call-arg]


# -- ids and times ---------------------------------------------------------------------------------


def test_a_new_message_of_pyagenity_has_an_id_and_a_time() -> None:
    before = time.time()
    message = pa.Message(role="user", content=[])
    assert uuid.UUID(str(message.message_id)).version == 4
    assert isinstance(message.timestamp, float)
    assert before <= message.timestamp <= time.time()
    assert message.parsed_content is None
    assert pa.Message(role="user", content=[]).message_id != message.message_id
    assert pa.Message(role="user", content=[], timestamp=None).timestamp is None


@pytest.mark.parametrize("more", ["", ',"odd":1'])
def test_a_decoded_message_has_no_more_than_it_came_with(more: str) -> None:
    text = f'{{"role":"user","content":[]{more}}}'
    message = pa.decode(text, pa.Message)
    assert (message.message_id, message.timestamp, message.parsed_content) == (UNSET,) * 3
    assert "message_id" not in json.loads(pa.encode(message))
    copies = [copy.copy(message), copy.deepcopy(message), message.model_copy()]
    for copied in (*copies, pickle.loads(pickle.dumps(message))):
        assert copied == message
        assert copied.message_id is UNSET
    chunk = pa.decode(f'{{"message":{text}}}', pa.StreamChunk)
    assert (chunk.message.message_id, chunk.timestamp) == (UNSET, UNSET)


def test_a_datetime_becomes_seconds() -> None:
    when = datetime(2024, 1, 2, 3, 4, 5, 500_000, UTC)
    message = pa.Message(role="user", content=[], message_id="m", timestamp=when)  # type: ignore[arg-type]
    assert message.timestamp == 1704164645.5
    message.timestamp = when.replace(tzinfo=None)  # type: ignore[assignment]
    assert message.timestamp == when.replace(tzinfo=None).timestamp()
    message.timestamp = when  # type: ignore[assignment]
    (canonical,) = pa.to_canonical([message])
    assert canonical.timestamp == 1704164645500
    assert b'"timestamp":"2024-01-02T03:04:05.500000"' in pa.encode([message], version="0.3.6")
    read = pa.Message.model_validate({"role": "user", "content": [], "timestamp": when})
    assert read.timestamp == 1704164645.5


def test_the_two_functions_of_one_name_take_an_id_each_in_its_own_way() -> None:
    assert pa.generate_id("abc") == "abc"
    assert uuid.UUID(str(pa.generate_id(None))).version == 4
    assert wg.model.generate_id(default="abc") == "abc"
    assert uuid.UUID(str(wg.model.generate_id(None))).version == 4
    with pytest.raises(
        wg.EncodeError, match=r"unknown kind of id `abc`, .*; pass an id as `default`"
    ):
        wg.model.generate_id("abc")  # type: ignore[arg-type]


# -- pydantic's methods ----------------------------------------------------------------------------

REF = pa.MediaRef("data", data_base64="AAEC", mime_type="image/png")
MESSAGE = pa.Message(
    message_id="m1",
    role="assistant",
    content=[pa.TextBlock("Hi"), pa.ImageBlock(REF), pa.ToolCallBlock("c1", "f", {"a": None})],
    timestamp=1.5,
)
DUMPED = {
    "message_id": "m1",
    "role": "assistant",
    "content": [
        {"type": "text", "text": "Hi", "annotations": []},
        {
            "type": "image",
            "media": {
                "kind": "data",
                "url": None,
                "file_id": None,
                "data_base64": "AAEC",
                "mime_type": "image/png",
                "size_bytes": None,
                "sha256": None,
                "filename": None,
                "width": None,
                "height": None,
                "duration_ms": None,
                "page": None,
            },
            "alt_text": None,
            "bbox": None,
        },
        {"type": "tool_call", "id": "c1", "name": "f", "args": {"a": None}, "tool_type": None},
    ],
    "delta": False,
    "tools_calls": None,
    "reasoning": None,
    "timestamp": 1.5,
    "metadata": {},
    "usages": None,
    "raw": None,
    "parsed_content": None,
}


@pytest.mark.parametrize("mode", ["python", "json"])
def test_a_message_is_dumped_as_plain_data(mode: Any) -> None:
    assert MESSAGE.model_dump(mode=mode) == DUMPED
    assert [*MESSAGE.model_dump(mode=mode)] == [*DUMPED]
    with pytest.raises(
        wg.EncodeError, match="unknown mode `xml`, expected one of `python`, `json`"
    ):
        MESSAGE.model_dump(mode="xml")  # type: ignore[arg-type]


def test_a_message_is_dumped_as_json() -> None:
    assert MESSAGE.model_dump_json() == pa.encode(MESSAGE).decode()
    assert json.loads(MESSAGE.model_dump_json(indent=2)) == DUMPED
    assert MESSAGE.model_dump_json(indent=2).startswith('{\n  "message_id": "m1",')
    assert (
        pa.TextBlock("\u00e9").model_dump_json()
        == '{"type":"text","text":"\u00e9","annotations":[]}'
    )


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"exclude_none": True}, {"kind": "data", "data_base64": "AAEC", "mime_type": "image/png"}),
        (
            {"exclude_defaults": True},
            {"kind": "data", "data_base64": "AAEC", "mime_type": "image/png"},
        ),
        ({"include": {"kind", "page"}}, {"kind": "data", "page": None}),
        ({"include": {"kind": True, "url": False}}, {"kind": "data"}),
        (
            {"exclude": {"kind"}, "exclude_none": True},
            {"data_base64": "AAEC", "mime_type": "image/png"},
        ),
    ],
    ids=["no nulls", "no defaults", "some fields", "fields by a mapping", "all but some"],
)
def test_fields_are_chosen(options: Any, expected: Any) -> None:
    assert REF.model_dump(**options) == expected
    assert json.loads(REF.model_dump_json(**options)) == expected


def test_fields_are_chosen_inside_of_others() -> None:
    texts = MESSAGE.model_dump(include={"content": {0: {"text"}, -1: {"args"}}})
    assert texts == {"content": [{"text": "Hi"}, {"args": {"a": None}}]}
    kinds = MESSAGE.model_dump(include={"content": {"__all__": {"type"}}})
    assert [block["type"] for block in kinds["content"]] == ["text", "image", "tool_call"]
    left = MESSAGE.model_dump(exclude={"content": {1: True, 2: {"args"}}}, exclude_none=True)
    assert left["content"] == [
        {"type": "text", "text": "Hi", "annotations": []},
        {"type": "tool_call", "id": "c1", "name": "f"},
    ]


def test_free_data_stay_objects_in_python_mode_alone() -> None:
    when = datetime(2024, 1, 2, tzinfo=UTC)
    message = pa.Message(role="user", content=[], metadata={"when": when, "n": [when]})
    assert message.model_dump()["metadata"] == {"when": when, "n": [when]}
    text = "2024-01-02T00:00:00Z"
    assert message.model_dump(mode="json")["metadata"] == {"when": text, "n": [text]}
    message.metadata = {"odd": object()}
    with pytest.raises(wg.EncodeError):
        message.model_dump(mode="json")


def test_plain_data_are_validated() -> None:
    assert pa.Message.model_validate(DUMPED) == MESSAGE
    assert pa.Message.model_validate(MESSAGE) is MESSAGE
    assert pa.Message.model_validate_json(json.dumps(DUMPED)) == MESSAGE
    assert pa.TextBlock.model_validate({"type": "text", "text": "x"}) == pa.TextBlock("x")
    for wrong in ({"type": "image", "text": "x"}, {"type": "text"}, [], 5, {"text": 5}):
        with pytest.raises(ValueError, match="pyagenity: "):
            pa.TextBlock.model_validate(wrong)
    with pytest.raises(wg.DecodeError, match=r"at `\$\.content\[0\]\.type`"):
        pa.Message.model_validate({"role": "user", "content": [{"type": "odd"}]})


def test_validation_fills_in_an_id_and_a_time_as_there() -> None:
    message = pa.Message.model_validate({"role": "user", "content": []})
    assert uuid.UUID(str(message.message_id)).version == 4
    assert isinstance(message.timestamp, float)
    chunk = pa.StreamChunk.model_validate_json('{"message":{"role":"user","content":[]}}')
    assert chunk.message is not None
    assert isinstance(chunk.message.message_id, str)
    assert isinstance(chunk.timestamp, float)


def test_unknown_keys_are_dumped_and_validated() -> None:
    block = pa.TextBlock.model_validate({"text": "x", "odd": [1]})
    assert block.model_dump() == {"type": "text", "text": "x", "annotations": [], "odd": [1]}


def test_a_model_is_copied_with_other_fields() -> None:
    copied = MESSAGE.model_copy(update={"role": "user", "content": []})
    assert (copied.role, copied.content, copied.message_id) == ("user", [], "m1")
    assert MESSAGE.model_copy().content is MESSAGE.content
    deep = MESSAGE.model_copy(deep=True)
    assert deep == MESSAGE
    assert deep.content is not MESSAGE.content


def test_a_model_tells_its_fields_and_its_schema() -> None:
    assert [*pa.TextBlock.model_fields] == ["type", "text", "annotations"]
    assert pa.TextBlock("x").model_fields["text"].required
    assert [*pa.MediaRef.model_fields][:4] == ["kind", "url", "file_id", "data_base64"]
    assert dict(pa.TextBlock("x")) == {"type": "text", "text": "x", "annotations": []}  # type: ignore[arg-type]
    assert pa.TextBlock.model_construct(text="x") == pa.TextBlock("x")
    schema = pa.TextBlock.model_json_schema()
    assert schema["$defs"]["TextBlock"]["required"] == ["type", "text"]
    assert [*schema["$defs"]["TextBlock"]["properties"]] == ["type", "text", "annotations"]


def test_a_model_is_a_field_of_a_callers_model() -> None:
    class Job(pydantic.BaseModel):
        message: pa.Message
        part: ou.TextContent

    job = Job.model_validate({"message": DUMPED, "part": {"content": "x"}})
    assert job.message == MESSAGE
    assert job.part == ou.TextContent("x")
    assert Job(message=MESSAGE, part=ou.TextContent("x")) == job
    plain = {"message": DUMPED, "part": {"type": "text", "content": "x"}}
    assert job.model_dump() == plain
    assert json.loads(job.model_dump_json()) == plain
    assert Job.model_json_schema()["properties"]["message"]["title"] == "Message"
    with pytest.raises(pydantic.ValidationError, match="missing required field"):
        Job.model_validate({"message": {"role": "user"}, "part": {}})


# -- base64 ----------------------------------------------------------------------------------------


def test_base64_is_text_in_pyagenity() -> None:
    assert base64.b64decode(REF.data_base64 or "") == b"\0\1\2"
    assert f"data:{REF.mime_type};base64,{REF.data_base64}" == "data:image/png;base64,AAEC"
    assert isinstance(REF.data_base64, str)
    assert pa.MediaRef().data_base64 is None
    block = pa.DataBlock("x/y", data_base64=b"\0\1\2")
    assert block.data_base64 == "AAEC"
    block.data_base64 = b"\1"
    assert b'"data_base64":"AQ=="' in pa.encode(block)
    block.data_base64 = None
    assert block.inline is None
    assert pa.MediaRef("data", data_base64="audiodata").data_base64 == "audiodata"


def test_inline_data_are_the_slice_that_came() -> None:
    text = b'{"kind":"data","data_base64":"AAEC"}'
    ref = pa.decode(text, pa.MediaRef)
    assert type(ref.inline) is wg.Media
    assert ref.inline.json() is pa.to_canonical(
        [pa.Message(role="user", content=[pa.ImageBlock(ref)])]
    )[0].content[0].data.json()  # fmt: skip


@pytest.mark.parametrize("text", ["https://x/y.png", "cat.png", "a cat!", "/tmp/cat.png"])
def test_text_that_cannot_be_base64_is_refused(text: str) -> None:
    with pytest.raises(wg.EncodeError, match="expected base64 or"):
        pa.MediaRef("data", data_base64=text)
    ref = pa.MediaRef("data")
    with pytest.raises(wg.EncodeError, match="expected base64 or"):
        ref.data_base64 = text


# -- dataclasses -----------------------------------------------------------------------------------

USER = ou.UserMessage([ou.TextContent("a"), ou.ImageContent(["http://x"])], "u", 1.5)


def test_a_message_is_a_dataclass() -> None:
    assert dataclasses.is_dataclass(ou.UserMessage)
    assert dataclasses.is_dataclass(USER)
    assert [field.name for field in dataclasses.fields(USER)] == [
        *("role", "contents", "id", "timestamp"),
    ]
    names = [field.name for field in dataclasses.fields(ou.ImageContent)]
    assert names == ["type", "images", "dimension_note", "unknown"]
    assert not dataclasses.fields(ou.TextContent)[0].init
    assert {field.name for field in dataclasses.fields(ou.Usage())} == {
        *("input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens", "cost"),
    }


def test_a_message_is_made_a_dict_and_a_tuple() -> None:
    expected = {
        "role": "user",
        "contents": [
            {"type": "text", "content": "a"},
            {"type": "image", "images": ["http://x"]},
        ],
        "id": "u",
        "timestamp": 1.5,
    }
    assert dataclasses.asdict(USER) == expected
    assert json.loads(json.dumps(dataclasses.asdict(USER))) == expected
    assert dataclasses.astuple(ou.TextContent("a")) == ("text", "a")


def test_a_message_is_replaced_with_other_fields() -> None:
    assert dataclasses.replace(USER, id="v") == ou.UserMessage(USER.contents, "v", 1.5)
    with pytest.raises((ValueError, TypeError), match="type"):  # the latter from 3.13 on
        dataclasses.replace(ou.TextContent("a"), type="text")
    read = ou.decode('{"type":"text","content":"a","odd":1}', ou.TextContent)
    assert ou.encode(dataclasses.replace(read, content="b")) == (
        b'{"type":"text","content":"b","odd":1}'
    )
    if sys.version_info >= (3, 13):
        assert copy.replace(USER, id="v").id == "v"


def test_tools_that_look_for_dataclasses_work() -> None:
    assert "UserMessage(contents=[TextContent" in pprint.pformat(USER, width=20)
    assert msgspec.json.decode(msgspec.json.encode(ou.TextContent("a")), type=ou.TextContent) == (
        ou.TextContent("a")
    )
    assert msgspec.to_builtins(ou.TextContent("a")) == {"type": "text", "content": "a"}


# -- Operator-Use's own ----------------------------------------------------------------------------


def test_media_of_several_kinds_make_one_message() -> None:
    message = ou.UserMessage.with_media(
        "a", images=["http://x"], audio=["file:a.mp3"], video=[b"x"], file=[b"%PDF-1.4"]
    )
    assert [content.type for content in message.contents] == [
        *("text", "image", "audio", "video", "file"),
    ]
    assert ou.UserMessage.with_media("a").contents == [ou.TextContent("a")]
    assert ou.UserMessage.with_video("a", [b"x"]).contents[1] == ou.VideoContent([b"x"])  # type: ignore[list-item]
    assert ou.UserMessage.with_file("a", [b"x"]).contents[1] == ou.FileContent([b"x"])  # type: ignore[list-item]


@pytest.mark.parametrize(
    ("data", "mime_type"),
    [
        (b"%PDF-1.4", "application/pdf"),
        (b'{"type":"session"}', "text/plain"),
        ("h\u00e9llo".encode(), "text/plain"),
        (b"a" * 8191 + "\u00e9".encode(), "text/plain"),
        (b"a\0b", "application/octet-stream"),
        (b"\xff\xfe\x00", "application/octet-stream"),
        (b"", "application/octet-stream"),
    ],
    ids=["a PDF", "JSON", "UTF-8", "a cut letter", "a zero byte", "no text", "nothing"],
)
def test_a_file_is_told_by_its_bytes(data: bytes, mime_type: str) -> None:
    content = ou.FileContent([data])  # type: ignore[list-item]
    assert content.to_base64() == [(base64.b64encode(data).decode(), mime_type)]


def test_films_and_files_are_read_when_asked(tmp_path: Any) -> None:
    path = tmp_path / "a.bin"
    path.write_bytes(b"\0\1")
    assert ou.VideoContent.from_file(path).to_base64() == [("AAE=", "video/mp4")]
    assert ou.FileContent.from_file(path).to_base64() == [("AAE=", "application/octet-stream")]
    named = ou.VideoContent([f"file:{path}"])
    with pytest.raises(wg.EncodeError, match="pass `read_files=True`"):
        named.to_base64()
    assert named.to_base64(read_files=True) == [("AAE=", "video/mp4")]


@pytest.mark.parametrize(
    ("message", "text"),
    [
        (ou.TerminalExecutionMessage("ls", "a"), "Ran `ls`\n```\na\n```"),
        (ou.TerminalExecutionMessage("ls"), "Ran `ls`\n(no output)"),
        (
            ou.TerminalExecutionMessage("ls", cancelled=True),
            "Ran `ls`\n(no output)\n\n(command cancelled)",
        ),
        (
            ou.TerminalExecutionMessage("ls", exit_code=2),
            "Ran `ls`\n(no output)\n\nCommand exited with code 2",
        ),
        (ou.TerminalExecutionMessage("ls", exit_code=0), "Ran `ls`\n(no output)"),
    ],
    ids=["output", "none", "cancelled", "a code", "success"],
)
def test_a_command_of_the_user_is_told_to_the_model(message: Any, text: str) -> None:
    assert message.to_user_message().contents == [ou.TextContent(text)]


def test_the_systems_own_spellings_of_stop_reasons_are_the_same_members() -> None:
    names = [name for name in ou.StopReason.__members__ if not name.isupper()]
    assert names == ["Stop", "Length", "ToolCalls", "ContentFilter", "Abort", "Error"]
    for name in names:
        member = ou.StopReason[name]
        assert member.name == re.sub("(?<=[a-z])(?=[A-Z])", "_", name).upper()


# -- what PyAgenity's constructors check -----------------------------------------------------------

REFUSED: dict[str, tuple[Any, str]] = {
    "a number as text": (lambda: pa.TextBlock(text=5), "expected `str`, got `int` - at `$.text`"),  # type: ignore[arg-type]
    "no text": (lambda: pa.TextBlock(text=None), "expected `str`, got `null` - at `$.text`"),  # type: ignore[arg-type]
    "text as media": (
        lambda: pa.ImageBlock(media="x"),  # type: ignore[arg-type]
        "expected `object`, got `str` - at `$.media`",
    ),
    "another kind": (
        lambda: pa.MediaRef(kind="blob"),  # type: ignore[arg-type]
        "invalid enum value 'blob' - at `$.kind`",
    ),
    "text as content": (
        lambda: pa.Message(role="user", content="hi"),  # type: ignore[arg-type]
        "expected `array`, got `str` - at `$.content`",
    ),
    "a number as block": (
        lambda: pa.Message(role="user", content=[5]),  # type: ignore[list-item]
        "expected `object`, got `int` - at `$.content[0]`",
    ),
    "a block without its text": (
        lambda: pa.Message(role="user", content=[{"type": "text"}]),  # type: ignore[list-item]
        "object missing required field `text` - at `$.content[0]`",
    ),
    "another role": (
        lambda: pa.Message(role="developer", content=[]),  # type: ignore[arg-type]
        "invalid enum value 'developer' - at `$.role`",
    ),
    "inside a dict": (
        lambda: pa.ImageBlock(media={"url": 5}),  # type: ignore[arg-type]
        "expected `str | null`, got `int` - at `$.media.url`",
    ),
}


@pytest.mark.parametrize(("make", "said"), REFUSED.values(), ids=REFUSED)
def test_a_constructor_of_pyagenity_refuses_a_value_of_another_type(make: Any, said: str) -> None:
    with pytest.raises(wg.EncodeError) as caught:
        make()
    assert str(caught.value) == f"pyagenity: {said}"


def test_a_constructor_of_pyagenity_makes_models_of_dicts() -> None:
    made: Any = pa.Message(
        role="assistant",
        content=[
            {"type": "image", "media": {"kind": "url", "url": "https://x"}},  # type: ignore[list-item]
            pa.TextBlock("Hi", annotations=[{"url": "https://y"}]),  # type: ignore[list-item]
        ],
        usages={"completion_tokens": 1, "prompt_tokens": 2, "total_tokens": 3},  # type: ignore[arg-type]
    )
    assert made.content[0] == pa.ImageBlock(pa.MediaRef("url", url="https://x"))
    assert made.content[1].annotations[0].url == "https://y"
    assert made.usages.total_tokens == 3
    chunk: Any = pa.StreamChunk(message={"role": "user", "content": []})  # type: ignore[arg-type]
    assert uuid.UUID(chunk.message.message_id).version == 4


def test_the_list_that_a_constructor_of_pyagenity_was_given_is_its_own() -> None:
    content: list[Any] = [pa.TextBlock("Hi")]
    assert pa.Message(role="user", content=content).content is content
    assert pa.Message(role="user", content=(*content,)).content == content  # type: ignore[arg-type]


def test_what_was_set_afterwards_is_copied_as_it_is_and_refused_by_a_check() -> None:
    message: Any = pa.Message(role="user", content=[])
    message.role = "developer"
    for made in (pickle.loads(pickle.dumps(message)), copy.deepcopy(message), message.model_copy()):
        assert made == message
    assert b'"developer"' in pa.encode(message)
    for value in (message, [message]):
        with pytest.raises(wg.EncodeError, match="invalid enum value 'developer' - at"):
            pa.encode(value, check=True)
    with pytest.raises(wg.DecodeError) as caught:
        pa.to_canonical([message])
    assert str(caught.value) == (
        "pyagenity: unknown role `developer`, expected one of `system`, `user`, `assistant`, `tool`"
        " - at `$[0].role`"
    )
    assert pa.Message.model_construct(role="developer", content="x").content == "x"


# -- a check of what is written --------------------------------------------------------------------

SESSION = [
    wg.UserMessage([wg.TextBlock("Hi")]),
    wg.AssistantMessage([wg.ToolCallBlock("c", "f", {"a": 1})], "toolUse"),  # type: ignore[arg-type]
    wg.ToolMessage([wg.ToolResultBlock("c", "f", [wg.TextBlock("ok")])]),
]


@pytest.mark.parametrize("name", FORMATS)
def test_a_check_passes_what_can_be_read(name: str) -> None:
    module: Any = FORMATS[name]
    own = module.from_canonical(SESSION, losses=[])
    more: list[dict[str, Any]] = [{}] if name == "operator_use" else [{}, {"lines": True}]
    for options in more:
        for value in (SESSION, own, own[0]):
            data = module.encode(value, losses=[], **options)
            assert module.encode(value, losses=[], check=True, **options) == data


UNREADABLE: dict[str, tuple[Any, Any]] = {
    "phi_core": (phi.UserMessage([phi.TextContent(5)], 1), "$.content[0].text"),  # type: ignore[arg-type]
    "ravi": (ravi.UserMessage(["x"], name=5), "$.name"),  # type: ignore[arg-type]
    "operator_use": (ou.TextContent(5), "$.content"),  # type: ignore[arg-type]
    "mcp": (mcp.TextContent(5), "$.text"),  # type: ignore[arg-type]
    "otel": (otel.Message(5, []), "$.role"),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_a_check_refuses_what_could_not_be_read(name: str) -> None:
    module: Any = FORMATS[name]
    value, path = UNREADABLE[name]
    assert b"5" in module.encode(value)
    with pytest.raises(wg.EncodeError) as caught:
        module.encode(value, check=True)
    assert caught.value.path == path


# -- other habits ----------------------------------------------------------------------------------


def test_an_own_name_of_a_provider_says_whose_signatures_are_in_a_session() -> None:
    thinking, call = ou.ThinkingContent("hm", "c2ln"), ou.ToolCallContent("c", "f")
    call.metadata = {"thoughtSignature": "c2ln"}

    def api(content: Any, provider: str | None) -> str | None:
        entries: list[Any] = [
            ou.ModelChangeEntry(id="e0", timestamp=1.0, model_id="m", provider_id=provider or ""),
            ou.MessageEntry(
                id="e1",
                timestamp=2.0,
                parent_id="e0" if provider else None,
                message=ou.AssistantMessage([*content]),
            ),
        ]
        (message,) = wg.llm_messages(ou.context(entries if provider else entries[1:]).messages)
        assert isinstance(message, wg.AssistantMessage)
        return message.api

    for name in ("anthropic-claude-code", "anthropic-oauth", "Anthropic"):
        assert api([thinking], name) == "anthropic-messages"
    for name in ("google-antigravity", "antigravity", "google-vertex", "Google"):
        assert api([call], name) == "gemini-generate-content"
    assert (api([thinking], None), api([call], None)) == (
        "anthropic-messages",
        "gemini-generate-content",
    )
    assert api([thinking, call], None) is None
    assert api([ou.TextContent("x")], "anthropic-claude-code") is None
    assert (api([thinking], "anthropic"), api([thinking], "openai")) == (None, None)


@pytest.mark.parametrize("name", ["anthropic-claude-code", "google-antigravity", None])
def test_an_answer_with_a_signature_is_written_back_as_it_came(name: str | None) -> None:
    answer = ou.AssistantMessage([ou.ThinkingContent("hm", "c2ln")], "a", 1.0)
    parent = None if name is None else "e0"
    entries = [ou.MessageEntry(id="e1", timestamp=2.0, parent_id=parent, message=answer)]
    if name is not None:
        before = ou.ModelChangeEntry(id="e0", timestamp=1.0, model_id="m", provider_id=name)
        entries.insert(0, before)  # type: ignore[arg-type]
    data = ou.encode(entries)
    assert ou.encode(ou.decode(data), header=False) == data


def test_a_total_that_the_other_counts_say_is_no_loss_in_operator_use() -> None:
    counts = wg.Usage(input=5, output=2, cache_read=3, total_tokens=10)
    answer = wg.AssistantMessage([wg.TextBlock("x")], usage=counts)
    assert ou.encode([answer])
    counts.total_tokens = 11
    with pytest.raises(wg.LossError, match="total_tokens"):
        ou.encode([answer])


def test_media_equal_the_bytes_and_the_base64_that_they_were_made_of() -> None:
    for media in (wg.Media.from_bytes(b"GIF89a"), wg.Media.from_base64("R0lGODlh")):
        assert media == b"GIF89a" == media
        assert media == bytearray(b"GIF89a")
        assert media == memoryview(b"GIF89a")
        assert media == "R0lGODlh"
        for other in (b"GIF87a", b"", "R0lGODdh", "GIF89a", "\ud83d", None, 5):
            assert media != other
    assert wg.Media.from_base64("no base64!") != b"no"


def test_one_message_is_printed_by_phi_core_as_the_type_that_it_is() -> None:
    user = phi.UserMessage([phi.TextContent("x")], 1)
    assert phi.encode(user, as_printed=True).startswith(b'{"role":"user","content":[{"type"')
    for placed in (
        phi.LlmMessage.with_turn(user, phi.TurnId("l", 1)),
        phi.LlmMessage.new(user).with_node_identity(1),
    ):
        (in_list,) = json.loads(phi.encode([placed], as_printed=True))
        printed = phi.encode(placed, as_printed=True)
        assert printed == json.dumps(in_list, separators=(",", ":")).encode()
        assert printed.startswith(b'{"content":[{"text"')


def test_the_role_of_an_extension_of_phi_core_may_be_written() -> None:
    made = phi.ExtensionMessage(role="extension", kind="k", data={})  # type: ignore[call-arg]
    assert made == phi.ExtensionMessage.new("k", {})
    with pytest.raises(wg.EncodeError, match="`system` of a `ExtensionMessage`"):
        phi.ExtensionMessage(role="system", kind="k", data={})  # type: ignore[call-arg]
