"""Model types in other people's hands: msgspec's own functions with our hooks, and plain data."""

import datetime as dt
from typing import Any

import jsonschema
import msgspec
import pytest
from msgspec import Struct

import wireglot as wg


class Job(Struct):
    """Every type that msgspec asks a hook about, and some that it knows."""

    session: list[wg.AgentMessage]
    entry: wg.AgentMessage | None
    llm: list[wg.LlmMessage]
    call: wg.ToolCallBlock
    arguments: wg.Arguments
    image: wg.Media
    raw: wg.RawJson | None = None
    many: list[wg.Media] = []


class Plain(Struct):
    """What `msgspec.convert` can make: no field of a block holds raw JSON."""

    session: list[wg.AgentMessage]
    arguments: wg.Arguments
    image: wg.Media | None = None


_PAIR = wg.LlmMessage(wg.UserMessage([wg.TextBlock("hé")]), wg.model.TurnId("l", 1))
_MESSAGE = wg.UserMessage([wg.TextBlock("hé")], turn_id=wg.model.TurnId("l", 1))
JOB = Job(
    [_MESSAGE, wg.CustomMessage("note")],
    _MESSAGE,
    [_PAIR],
    wg.ToolCallBlock("1", "f", wg.Arguments('{"b":1e2}')),
    wg.Arguments('{"b": 1e2}'),
    wg.Media.from_bytes(b"\x89PNG\r\n\x1a\n"),
    wg.RawJson("[1]"),
    [wg.Media.from_base64("aGk=")],
)
_USER = (
    '{"role":"user","content":[{"type":"text","text":"hé"}],"turnId":{"loopId":"l","turnIndex":1}}'
)
JSON = (
    f'{{"session":[{_USER},{{"role":"custom","customType":"note","content":[]}}],"entry":{_USER},'
    f'"llm":[{_USER}],"call":{{"type":"toolCall","id":"1","name":"f","arguments":{{"b":1e2}}}},'
    '"arguments":{"b": 1e2},"image":"iVBORw0KGgo=","raw":[1],"many":["aGk="]}'
).encode()


def test_msgspec_writes_what_we_write() -> None:
    assert msgspec.json.encode(JOB, enc_hook=wg.json.enc_hook) == JSON
    assert wg.json.encode(JOB) == JSON
    packed = msgspec.msgpack.encode(JOB, enc_hook=wg.msgpack.enc_hook)
    assert packed == wg.msgpack.encode(JOB)
    assert msgspec.msgpack.decode(packed)["arguments"] == b'{"b": 1e2}'


def test_msgspec_reads_what_we_read() -> None:
    assert msgspec.json.decode(JSON, type=Job, dec_hook=wg.json.dec_hook) == JOB
    packed = wg.msgpack.encode(JOB)
    assert msgspec.msgpack.decode(packed, type=Job, dec_hook=wg.msgpack.dec_hook) == JOB


def test_our_decoders_keep_the_text_of_values_that_stand_alone() -> None:
    for found in (wg.json.decode(JSON, Job), wg.msgpack.decode(wg.msgpack.encode(JOB), Job)):
        assert found == JOB
        assert found.arguments.text == b'{"b": 1e2}'
        assert found.image.to_bytes() == b"\x89PNG\r\n\x1a\n"


def test_a_value_that_may_be_missing_is_none_where_the_data_have_null() -> None:
    assert wg.json.decode(b"null", wg.Media | None) is None
    assert wg.json.decode(b"[null]", list[wg.Arguments | None]) == [None]
    assert wg.json.decode(b"null", wg.Arguments).value == {}


def test_plain_data_are_the_native_json_parsed() -> None:
    plain: Any = {
        "role": "user",
        "content": [{"type": "text", "text": "hé"}],
        "turnId": {"loopId": "l", "turnIndex": 1},
    }
    expected = {
        "session": [plain, {"role": "custom", "customType": "note", "content": []}],
        "entry": plain,
        "llm": [plain],
        "call": {"type": "toolCall", "id": "1", "name": "f", "arguments": {"b": 100.0}},
        "arguments": {"b": 100.0},
        "image": "iVBORw0KGgo=",
        "raw": [1],
        "many": ["aGk="],
    }
    assert wg.to_builtins(JOB) == expected
    assert msgspec.to_builtins(JOB, enc_hook=wg.builtins.enc_hook) == expected
    assert wg.from_builtins(expected, Job) == JOB
    assert wg.from_builtins([plain]) == [_MESSAGE]
    found = msgspec.convert(expected, Plain, dec_hook=wg.builtins.dec_hook)
    assert found == Plain(JOB.session, wg.Arguments('{"b":100.0}'), JOB.image)


def test_plain_data_may_hold_bytes_dates_and_big_integers() -> None:
    call = {"type": "toolCall", "id": "1", "name": "f", "arguments": b'{"a":1e2}'}
    image = {"type": "image", "data": b"\x89PNG\r\n\x1a\n"}
    session = wg.from_builtins(
        [
            {
                "role": "assistant",
                "content": [call, image],
                "metadata": {"at": dt.date(2026, 1, 2), "n": 2**70},
            }
        ]
    )
    assert wg.json.encode(session) == (
        b'[{"role":"assistant","content":[{"type":"toolCall","id":"1","name":"f",'
        b'"arguments":{"a":1e2}},{"type":"image","data":"iVBORw0KGgo="}],'
        b'"metadata":{"at":"2026-01-02","n":1180591620717411303424}}]'
    )


def test_arguments_that_are_not_json_are_a_text_in_plain_data() -> None:
    block = wg.ToolCallBlock("1", "f", wg.Arguments('{"a":'))
    assert msgspec.to_builtins(block, enc_hook=wg.builtins.enc_hook)["arguments"] == '{"a":'
    assert wg.from_builtins(wg.to_builtins(block), wg.ToolCallBlock) == block


def test_arguments_in_plain_data_may_hold_an_integer_beyond_64_bits() -> None:
    data = {"type": "toolCall", "id": "1", "name": "f", "arguments": {"n": 2**70}}
    block = wg.from_builtins(data, wg.ToolCallBlock)
    assert block.arguments.text == b'{"n":1180591620717411303424}'


def test_unknown_keys_are_kept_by_the_hooks() -> None:
    block = wg.json.decode(b'{"type":"text","text":"a","new":1}', wg.TextBlock)
    under = b'{"type":"text","text":"a","extras":{"wireglot":{"keys":{"new":1}}}}'
    assert msgspec.json.encode(block, enc_hook=wg.json.enc_hook) == under
    assert wg.json.decode(under, wg.TextBlock) == block
    packed = msgspec.msgpack.encode(block, enc_hook=wg.msgpack.enc_hook)
    assert wg.msgpack.decode(packed, wg.TextBlock) == block
    assert wg.to_builtins(block) == {"type": "text", "text": "a", "new": 1}


def test_a_large_image_passes_a_hook() -> None:
    image = wg.Media.from_bytes(bytes(300_000))
    data = msgspec.json.encode(image, enc_hook=wg.json.enc_hook)
    assert len(data) == 400_002
    assert wg.json.decode(data, wg.Media) == image


@pytest.mark.parametrize(
    "hook",
    [
        wg.builtins.enc_hook,
        wg.json.enc_hook,
        wg.msgpack.enc_hook,
        lambda value: wg.builtins.schema_hook(type(value)),
        lambda value: wg.builtins.dec_hook(type(value), None),
        lambda value: wg.json.dec_hook(type(value), None),
        lambda value: wg.msgpack.dec_hook(type(value), None),
    ],
    ids=["enc", "json enc", "msgpack enc", "schema", "dec", "json dec", "msgpack dec"],
)
def test_a_hook_says_of_another_type_what_msgspec_expects(hook: Any) -> None:
    with pytest.raises(NotImplementedError):
        hook(object())


def test_a_hook_leaves_the_path_to_msgspec() -> None:
    data = b'{"session":[{"role":"user","content":3}],"arguments":{}}'
    with pytest.raises(msgspec.ValidationError, match=r"got `int`.*at `\$\.session\[0\]`"):
        msgspec.json.decode(data, type=Plain, dec_hook=wg.json.dec_hook)


def test_plain_data_of_another_type_are_an_error_with_a_path() -> None:
    with pytest.raises(wg.DecodeError) as caught:
        wg.from_builtins({"session": [], "arguments": {}, "image": 3}, Plain)
    assert str(caught.value) == "builtins: expected `bytes` or base64 `str` - at `$.image`"
    with pytest.raises(wg.EncodeError) as refused:
        wg.from_builtins([object()])
    assert str(refused.value) == "builtins: `object`, expected a type of the model - at `$[0]`"
    for value, said in (
        (float("nan"), "`nan`, expected a finite number"),
        ("\ud800", "text holds a lone surrogate"),
    ):
        held = {"role": "custom", "customType": "x", "details": {"a": value}}
        with pytest.raises(wg.EncodeError, match=said):
            wg.from_builtins([held])
    assert wg.from_builtins([{"role": "custom", "customType": "x", "details": 1e300}])
    with pytest.raises(wg.LimitError):
        wg.from_builtins([[]], Any, limits=wg.Limits(values=1))


def test_msgspecs_schema_of_a_type_that_holds_ours_accepts_what_we_write() -> None:
    schema = msgspec.json.schema(Job, schema_hook=wg.builtins.schema_hook)
    judge = jsonschema.Draft202012Validator(schema)
    document = msgspec.json.decode(JSON)
    judge.validate(document)
    document["session"][0]["content"] = 3
    assert not judge.is_valid(document)


def test_agent_message_is_a_class_that_stands_for_its_types() -> None:
    assert isinstance(_MESSAGE, wg.AgentMessage)
    assert isinstance(wg.CustomMessage("x"), wg.AgentMessage)
    assert issubclass(wg.ExtensionMessage, wg.AgentMessage)
    assert issubclass(wg.UserMessage, wg.AgentMessage)
    assert not isinstance(_PAIR, wg.AgentMessage)
    with pytest.raises(TypeError, match="is a union of types"):
        wg.AgentMessage()  # type: ignore[operator]


def test_a_number_that_python_does_not_have_is_an_encode_error() -> None:
    with pytest.raises(wg.EncodeError, match="builtins: number out of range"):
        wg.to_builtins(wg.ToolCallBlock("1", "f", '{"a":1e400}'))
