"""The reader behind the strict decode: unknown keys set aside by object, and errors with paths."""

from typing import Any, ClassVar

import msgspec
import pytest
from msgspec import Raw, field

import wireglot as wg
from wireglot._body.decode import Aside, Decoded, read_body
from wireglot._body.refuse import errors
from wireglot.providers._state.wire import Slice, Wire


class Cat(Wire, tag_field="type", tag="cat"):
    name: str


class Dog(Wire, tag_field="type", tag="dog"):
    name: str
    toys: list[str] | None = None


class House(Wire, rename="camel"):
    front_door: str
    pets: str | list[Cat | Dog] | None = None
    inner: Cat | None = None
    free: Slice = None


class ProtoHouse(House):
    PROTO: ClassVar[bool] = True


class Lamp(Wire, Aside):
    colour: str | None = None
    aside: Slice = field(default=None, name="watts")


class Room(Wire):
    """A room of which many bodies say the floor."""

    lamp: Lamp | None = None
    lamps: list[Lamp] | None = None
    aside: Slice = field(default=None, name="floor")


class ProtoLamp(Wire, Aside, rename="camel"):
    """A lamp, one key of which clients often write in snake_case."""

    PROTO: ClassVar[bool] = True

    light_bulb: Slice = None
    aside: Slice = field(default=None, name="light_bulb")


def _read(data: str, kind: type[House] = House) -> Decoded:
    return read_body(kind, data, "w")


def _unknown(body: Decoded) -> dict[bytes, dict[str, bytes]]:
    """Return the unknown keys by the text of the object that has them."""
    texts = {key: bytes(raw) for key, raw in body.raws.items()}
    return {
        texts[key]: {name: bytes(raw) for name, raw in keys.items()}
        for key, keys in body.unknown.items()
        if key in texts
    }


def test_what_is_known_is_read_at_once() -> None:
    body = _read('{"frontDoor":"red","pets":[{"type":"cat","name":"a"}]}')
    assert body.root == House("red", [Cat("a")])
    assert (body.raws, body.unknown) == ({}, {})


def test_unknown_keys_are_kept_by_object() -> None:
    body = _read(
        '{"frontDoor":"red","x":1.0,"inner":{"type":"cat","name":"c","y":[1e2]},'
        '"pets":[{"type":"dog","name":"b"},{"type":"cat","name":"a","z":null}]}'
    )
    assert body.root == House("red", [Dog("b"), Cat("a")], Cat("c"))
    assert _unknown(body) == {
        bytes(body.data): {"x": b"1.0"},
        b'{"type":"cat","name":"c","y":[1e2]}': {"y": b"[1e2]"},
        b'{"type":"cat","name":"a","z":null}': {"z": b"null"},
    }


def test_a_member_of_no_known_type_stays_as_it_is() -> None:
    body = _read('{"frontDoor":"red","pets":[{"type":"newt", "name":"n"}]}')
    (newt,) = body.root.pets
    assert type(newt) is Raw
    assert bytes(newt) == b'{"type":"newt", "name":"n"}'
    assert body.unknown[id(newt)] == {}


def test_each_kind_of_a_field_that_takes_several() -> None:
    assert _read('{"frontDoor":"red","pets":"none","x":1}').root.pets == "none"
    assert _read('{"frontDoor":"red","pets":null,"x":1}').root.pets is None
    assert _read('{"frontDoor":"red","pets":[],"x":1}').root.pets == []


def test_free_json_is_a_slice() -> None:
    body = _read('{"frontDoor":"red","free":{"a": 1e400},"x":1}')
    assert bytes(body.root.free) == b'{"a": 1e400}'


WRONG: dict[str, tuple[str, str]] = {
    "a key that is missing": ('{"x":1}', "object missing required field `frontDoor` - at `$`"),
    "a wrong type beside an unknown key": (
        '{"frontDoor":1,"x":1}',
        "expected `str`, got `int` - at `$.frontDoor`",
    ),
    "a wrong type in a list": (
        '{"frontDoor":"red","x":1,"pets":[{"type":"dog","name":"a","toys":["b",2]}]}',
        "expected `str`, got `int` - at `$.pets[0].toys[1]`",
    ),
    "a member without a type": (
        '{"frontDoor":"red","pets":[{"name":"a"}]}',
        "object missing required field `type` - at `$.pets[0]`",
    ),
    "another type where there is one only": (
        '{"frontDoor":"red","inner":{"type":"dog","name":"a"}}',
        "`dog`, expected `cat` - at `$.inner.type`",
    ),
    "an object for a text or a list": (
        '{"frontDoor":"red","pets":5}',
        "expected `str | array | null`, got `int` - at `$.pets`",
    ),
    "no object": ("[]", "expected `object`, got `array` - at `$`"),
    "no JSON": ('{"frontDoor":', "input data was truncated - at `$`"),
}


@pytest.mark.parametrize(("data", "message"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_named_with_its_path(data: str, message: str) -> None:
    with pytest.raises(wg.DecodeError) as caught:
        _read(data)
    assert str(caught.value) == f"w: {message}"


def test_proto3_json_may_be_snake_case_and_one_value_for_a_list() -> None:
    body = _read('{"front_door":"red","pets":{"type":"cat","name":"a"}}', ProtoHouse)
    assert body.root.front_door == "red"
    assert body.root.pets == [Cat("a")]
    assert body.unknown == {}
    with pytest.raises(wg.DecodeError):
        _read('{"front_door":"red"}')


# -- keys that the typed decode sets aside -----------------------------------------------------

FLOORS: dict[str, tuple[str, list[dict[str, bytes]]]] = {
    "of the root": ('{"floor": 1e2,"lamp":{"colour":"red"}}', [{"floor": b"1e2"}]),
    "of a field": ('{"lamp":{"watts":[ 5 ]}}', [{"watts": b"[ 5 ]"}]),
    "of an item": ('{"lamps":[{},{"watts":5}]}', [{"watts": b"5"}]),
    "null": ('{"floor":null}', [{"floor": b"null"}]),
    "given twice": ('{"floor":1,"floor":2}', [{"floor": b"2"}]),
    "of several objects": (
        '{"lamps":[{"watts":1},{"watts":2}],"floor":3}',
        [{"watts": b"1"}, {"watts": b"2"}, {"floor": b"3"}],
    ),
}


@pytest.mark.parametrize(("data", "unknown"), FLOORS.values(), ids=FLOORS)
def test_a_frequent_key_is_an_unknown_key_without_the_tolerant_reader(
    data: str, unknown: list[dict[str, bytes]]
) -> None:
    body = read_body(Room, data, "w")
    assert body.raws == {}
    found = [{key: bytes(raw) for key, raw in keys.items()} for keys in body.unknown.values()]
    assert found == unknown
    assert [part.aside for part in _parts(body.root)] == [None] * len(_parts(body.root))
    assert body.unknown.keys() <= set(map(id, _parts(body.root)))


def _parts(room: Room) -> list[Any]:
    return [room, *([room.lamp] if room.lamp is not None else ()), *(room.lamps or ())]


def test_a_frequent_key_beside_an_unknown_one_keeps_its_place() -> None:
    body = read_body(Room, '{"x":1,"lamp":{"watts":5,"y":2},"floor":3,"z":4}', "w")
    assert [*body.unknown[id(body.root)]] == ["x", "floor", "z"]
    assert [*body.unknown[id(body.root.lamp)]] == ["watts", "y"]
    assert (body.root.aside, body.root.lamp.aside) == (None, None)


def test_an_object_that_a_later_key_replaces_takes_no_key_of_another() -> None:
    body = read_body(Room, '{"lamp":{"watts":5},"lamp":{"colour":"red"},"lamps":[{},{}]}', "w")
    assert body.root == Room(Lamp("red"), [Lamp(), Lamp()])
    assert body.unknown.keys().isdisjoint(map(id, _parts(body.root)))
    assert body.unknown.keys() == set(map(id, body.found))  # as long as it is held


@pytest.mark.parametrize(
    ("data", "bulb", "unknown"),
    [
        ('{"light_bulb":1e2}', b"1e2", []),
        ('{"lightBulb":1,"light_bulb":2}', b"1", [{"light_bulb": Raw(b"2")}]),
        ('{"light_bulb":null,"lightBulb":1}', b"1", [{"light_bulb": Raw(b"null")}]),
        ('{"light_bulb":1,"x":1}', b"1", [{"x": Raw(b"1")}]),
    ],
    ids=["alone", "after the usual one", "null before the usual one", "beside an unknown key"],
)
def test_a_frequent_key_may_be_another_spelling(
    data: str, bulb: bytes, unknown: list[dict[str, Raw]]
) -> None:
    body = read_body(ProtoLamp, data, "w")
    assert [*body.unknown.values()] == unknown
    assert body.root.aside is None
    assert bytes(body.root.light_bulb) == bulb


def test_only_the_reader_of_a_body_takes_a_frequent_key() -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode('{"watts":5}', type=Lamp)


@pytest.mark.parametrize(
    ("raised", "reason"),
    [
        (OverflowError("int too large to convert to float"), "int too large to convert to float"),
        (msgspec.EncodeError("no such type"), "no such type"),
        (RecursionError("maximum depth"), "nested too deeply"),
        (wg.DecodeError("not base64", wire="media"), "not base64"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else "",
)
def test_whatever_goes_wrong_in_an_encoder_is_an_error_in_its_name(
    raised: Exception, reason: str
) -> None:
    with pytest.raises(wg.EncodeError) as caught, errors("w"):
        raise raised
    assert (caught.value.wire, caught.value.reason) == ("w", reason)
    assert caught.value.__cause__ is raised


@pytest.mark.parametrize(("mark", "place"), [(b"", "byte 14"), (b"\xef\xbb\xbf", "byte 17")])
def test_a_loss_is_where_it_is_in_the_body_with_its_byte_order_mark(
    mark: bytes, place: str
) -> None:
    losses: list[wg.Loss] = []
    body = read_body(House, mark + rb'{"frontDoor":"\ud83d"}', "w", losses)
    assert body.root == House("\ufffd")
    assert [loss.path for loss in losses] == [place]


LONE = (
    "lone surrogate: half a character is not Unicode text; U+FFFD takes its place;"
    " pass a list as `losses`, and read it"
)
HALF = wg.Loss(
    "$", "lone surrogate", "half a character is not Unicode text; U+FFFD takes its place"
)
MINIMAL = {
    "anthropic": '{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"a\ud83d"}]}',
    "openai_chat": '{"model":"m","messages":[{"role":"user","content":"a\ud83d"}]}',
    "openai_responses": '{"model":"m","input":[{"role":"user","content":"a\ud83d"}]}',
    "gemini": '{"contents":[{"role":"user","parts":[{"text":"a\ud83d"}]}]}',
    "bedrock": '{"messages":[{"role":"user","content":[{"text":"a\ud83d"}]}]}',
    "mistral": '{"model":"m","messages":[{"role":"user","content":"a\ud83d"}]}',
    "cohere": '{"model":"m","messages":[{"role":"user","content":"a\ud83d"}]}',
    "ollama": '{"model":"m","messages":[{"role":"user","content":"a\ud83d"}]}',
}
STORED = {
    "phi_core": '[{"role":"user","content":[{"type":"text","text":"a\ud83d"}],"timestamp":1}]',
    "pyagenity": '[{"role":"user","content":[{"type":"text","text":"a\ud83d"}]}]',
    "ravi": '[{"role":"user","content":["a\ud83d"],"type":"UserMessage"}]',
    "operator_use": '[{"role":"user","contents":[{"type":"text","content":"a\ud83d"}]}]',
    "langchain": '[{"type":"human","data":{"content":"a\ud83d","type":"human"}}]',
    "pydantic_ai": '[{"kind":"request","parts":[{"part_kind":"user-prompt","content":"a\ud83d"}]}]',
    "mcp": '[{"role":"user","content":{"type":"text","text":"a\ud83d"}}]',
    "otel": '[{"role":"user","parts":[{"type":"text","content":"a\ud83d"}]}]',
}


def _halved(name: str) -> str:
    """Return the same, as a wire writes it that has no row."""
    request = wg.Request([wg.UserMessage.from_text("a half")], "m", max_tokens=9)
    return wg.PROVIDERS[name].encode_request(request).decode().replace(" half", "\ud83d")


@pytest.mark.parametrize("name", wg.PROVIDERS)
def test_half_a_character_in_the_text_of_a_body_is_an_error_or_a_loss(name: str) -> None:
    decode = wg.PROVIDERS[name].decode_request
    body = MINIMAL[name] if name in MINIMAL else _halved(name)
    with pytest.raises(wg.DecodeError) as caught:
        decode(body)
    assert str(caught.value) == f"{name}: {LONE} - at `$`"
    losses: list[wg.Loss] = []
    assert decode(body, losses=losses).messages[-1].text() == "a\ufffd"
    assert losses == [HALF]


@pytest.mark.parametrize("name", wg.FORMATS)
def test_half_a_character_in_the_text_of_a_document_is_an_error_or_a_loss(name: str) -> None:
    decode = wg.FORMATS[name].decode
    with pytest.raises(wg.DecodeError) as caught:
        decode(STORED[name])
    assert str(caught.value) == f"{name}: {LONE} - at `$`"
    losses: list[wg.Loss] = []
    assert wg.llm_messages(decode(STORED[name], losses=losses))[-1].text() == "a\ufffd"
    assert losses == [HALF]


def test_keys_that_half_characters_make_equal_are_losses_in_a_text() -> None:
    losses: list[wg.Loss] = []
    body = read_body(dict[str, int], '{"\ud83d":1,"\ud83e":2}', "w", losses)
    assert body.root == {"\ufffd": 2}
    assert [(loss.what, loss.path) for loss in losses] == [
        ("lone surrogate", "$"),
        ("value of a key", "byte 1"),
    ]


@pytest.mark.parametrize("name", ["langchain", "pydantic_ai"])
@pytest.mark.parametrize(
    ("message", "path"),
    [
        (wg.UserMessage([wg.TextBlock("a\ud83d")]), "$[0].content[0].text"),
        (wg.ToolResultMessage("c1", content=[], details={"a": "\ud83d"}), "$[0].details.a"),
    ],
    ids=["text", "details"],
)
def test_half_a_character_is_a_loss_of_a_framework(
    name: str, message: wg.Message, path: str
) -> None:
    losses: list[wg.Loss] = []
    assert "\ufffd" in wg.FORMATS[name].encode([message], losses=losses).decode()
    assert [(loss.what, loss.path) for loss in losses] == [("lone surrogate", path)]
    with pytest.raises(wg.LossError) as caught:
        wg.FORMATS[name].encode([message])
    assert caught.value.path == path
