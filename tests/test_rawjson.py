"""JSON that is carried: its text byte for byte, its value on first use."""

import copy
import json
import math
import pickle
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import msgspec
import pytest
from msgspec import Raw

import wireglot as wg
from wireglot import Arguments, RawJson, queue
from wireglot.model.rawjson import adopt_arguments, adopt_text

NAN, INFINITY = float("nan"), float("inf")
DEEP = "[" * 100_000

KEPT = [
    ("an exponent", b'{"x": 1e2}', {"x": 100.0}),
    ("the order of keys", b'{"b":1,"a":2}', {"a": 2, "b": 1}),
    ("an integer beyond 64 bits", b'{"n":12345678901234567890123}', {"n": 12345678901234567890123}),
    ("minus zero", b'{"n":-0}', {"n": 0}),
    ("the zero after the point", b'{"n":1.0}', {"n": 1.0}),
    ("digits beyond a double", b'{"n":0.10000000000000000555}', {"n": 0.1}),
    ("escapes", rb'{"\u0061\/":"\u00e9\ud83d\ude00"}', {"a/": "é😀"}),
    ("text that is no ASCII", '{"é":"😀"}'.encode(), {"é": "😀"}),
    ("white space", b'{ "a" :\t[ 1,\n2 ] }', {"a": [1, 2]}),
    ("the same key twice", b'{"a":1,"a":2}', {"a": 2}),
    ("nothing much", b"{}", {}),
]
EVERY_KEPT = pytest.mark.parametrize(
    ("text", "value"), [row[1:] for row in KEPT], ids=[row[0] for row in KEPT]
)
COPIES: dict[str, Callable[[Any], Any]] = {
    "a copy": copy.copy,
    "a deep copy": copy.deepcopy,
    "a pickle": lambda value: pickle.loads(pickle.dumps(value)),
    "it, detached": lambda value: value.detach(),
}


def _call(arguments: bytes) -> bytes:
    return b'{"type":"toolCall","id":"c","name":"f","arguments":%b}' % arguments


def _wire_arguments(arguments: bytes) -> Arguments:
    return wg.json.decode(_call(arguments), wg.ToolCallBlock).arguments


@EVERY_KEPT
def test_the_text_is_kept_byte_for_byte_through_both_wires(text: bytes, value: Any) -> None:
    for given in (RawJson(text), RawJson(text.decode()), Arguments(text), Arguments(text.decode())):
        assert (given.text, given.value, bytes(given.native())) == (text, value, text)
        assert given.value is given.value
    wire = _call(text)
    call = wg.json.decode(wire, wg.ToolCallBlock)
    assert (call.arguments.text, call.arguments.value) == (text, value)
    packed = wg.msgpack.encode(call)
    assert text in packed
    assert wg.json.encode(wg.msgpack.decode(packed, wg.ToolCallBlock)) == wire
    opaque = b'{"type":"opaque","api":"x","raw":%b}' % text
    block = wg.json.decode(opaque, wg.OpaqueBlock)
    assert (block.raw.text, block.raw.value) == (text, value)
    packed = wg.msgpack.encode(block)
    assert text in packed
    assert wg.json.encode(wg.msgpack.decode(packed, wg.OpaqueBlock)) == opaque


def test_white_space_around_a_value_is_not_part_of_it() -> None:
    assert RawJson(" \n{} ").text == b"{}"


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "{",
        "{'a':1}",
        "[1,]",
        "1 2",
        "NaN",
        "-Infinity",
        r'"\ud800"',
        b"\xff",
        b'"\xff"',
        DEEP,
    ],
    ids=lambda text: repr(text[:12]),
)
def test_what_is_no_json_is_refused(text: str | bytes) -> None:
    with pytest.raises(wg.DecodeError):
        RawJson(text)


@pytest.mark.parametrize("text", ["1e999", "9" * 5000], ids=["1e999", "5,000 nines"])
def test_a_value_that_python_cannot_hold_is_carried_and_is_a_decode_error_when_asked(
    text: str,
) -> None:
    for made in (RawJson(text), Arguments(text)):
        assert made.text == text.encode()
        with pytest.raises(wg.DecodeError):
            _ = made.value
        assert made == RawJson(text)
        assert made != RawJson("{}")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"b": 1, "a": [2.5, None, True]}, b'{"b":1,"a":[2.5,null,true]}'),
        ("é", b'"\xc3\xa9"'),
        (None, b"null"),
        (10**30, b"1" + b"0" * 30),
        ({"null": "null"}, b'{"null":"null"}'),
    ],
)
def test_python_data_becomes_text(value: Any, text: bytes) -> None:
    assert (RawJson.of(value).text, RawJson.of(value).value) == (text, value)
    assert RawJson.adopt(value).text == text
    assert wg.OpaqueBlock("x", value).raw.text == text


@dataclass
class _Reading:
    level: float


@pytest.mark.parametrize(
    "value",
    [NAN, INFINITY, -INFINITY, [1, NAN], (NAN,), {"a": {"b": [INFINITY]}}, {NAN}, _Reading(NAN)],
    ids=str,
)
def test_nan_is_refused_wherever_it_stands(value: Any) -> None:
    for make in (RawJson.of, RawJson.adopt, Arguments.of, lambda v: wg.Tool("f", parameters=v)):
        with pytest.raises(wg.EncodeError):
            make(value)


def _circle() -> list[Any]:
    circle: list[Any] = []
    circle.append(circle)
    return circle


@pytest.mark.parametrize("value", [object(), 1j, "\ud800", {"a": ["\ud800"]}, _circle()], ids=type)
def test_data_that_has_no_json_is_refused(value: Any) -> None:
    with pytest.raises(wg.EncodeError):
        RawJson.of(value)


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (10**5000, "integer of more than 4,300 digits, expected fewer"),
        ("\ud800", "text holds a lone surrogate"),
        (_circle(), "nested too deeply"),
    ],
    ids=["a long integer", "half a character", "a circle"],
)
def test_what_data_has_no_json_is_said_in_words_of_ours(value: Any, reason: str) -> None:
    made: list[Callable[[], Any]] = [
        lambda: RawJson.of(value),
        lambda: Arguments.of({"a": value}),
        lambda: wg.Tool("f", parameters={"a": value}),
        lambda: wg.ToolCallBlock("c", "f", {"a": value}),
        lambda: wg.OpaqueBlock("x", {"a": value}),
        lambda: wg.Extra({"a": value}),
        lambda: wg.ResponseFormat("json_schema", {"a": value}),
        lambda: wg.providers.cohere.decode_request({"messages": [value]}),
        lambda: wg.providers.cohere.decode_error({"message": value}),
        lambda: queue.encode_values({"a": (value,)}),
    ]
    if type(value) is int:
        made[-1] = lambda: wg.json.encode(wg.UserMessage([], metadata={"a": value}))
    for make in made:  # a task takes long integers
        with pytest.raises(wg.EncodeError) as raised:
            make()
        assert raised.value.reason == reason


# -- arguments --------------------------------------------------------------------------------

# what the model said, its value (none where it is broken), as an object, and as native JSON
SAID: dict[str, tuple[bytes, Any, bytes | None, bytes]] = {
    "nothing": (b"", {}, b"{}", b'""'),
    "a blank": (b" \n", {}, b"{}", rb'" \n"'),
    "an object": (b'{"a": 1e2}', {"a": 100.0}, b'{"a": 1e2}', b'{"a": 1e2}'),
    "an empty object": (b"{}", {}, b"{}", b"{}"),
    "a list": (b"[1]", [1], None, b"[1]"),
    "null": (b"null", {}, b"{}", b"null"),
    "a number": (b"12345678901234567890", 12345678901234567890, None, b"12345678901234567890"),
    "a string": (b'"x"', "x", None, rb'"\"x\""'),
    "a string of JSON": (rb'"{\"a\":1}"', '{"a":1}', None, rb'"\"{\\\"a\\\":1}\""'),
    "half an object": (b'{"a":', ..., None, rb'"{\"a\":"'),
    "two objects": (b"{}{}", ..., None, b'"{}{}"'),
    "NaN": (b'{"a":NaN}', ..., None, rb'"{\"a\":NaN}"'),
    "prose": ("é!".encode(), ..., None, '"é!"'.encode()),
    "half a string": (b'"x', ..., None, rb'"\"x"'),
}  # fmt: skip
EVERY_SAID = pytest.mark.parametrize(
    ("text", "value", "as_object", "native"), SAID.values(), ids=SAID
)


@EVERY_SAID
def test_arguments_keep_what_the_model_said_through_both_wires(
    text: bytes, value: Any, as_object: bytes | None, native: bytes
) -> None:
    call = wg.ToolCallBlock("c", "f", text)
    wire = _call(native)
    assert wg.json.encode(call) == wire
    read = wg.json.decode(wire, wg.ToolCallBlock)
    unpacked = wg.msgpack.decode(wg.msgpack.encode(call), wg.ToolCallBlock)
    for arguments in (call.arguments, read.arguments, unpacked.arguments, Arguments(text.decode())):
        assert arguments.text == text
        assert bytes(arguments.native()) == native
        made = arguments.object_json()
        assert (None if made is None else bytes(made)) == as_object
        if value is ...:
            with pytest.raises(wg.DecodeError):
                _ = arguments.value
        else:
            assert arguments.value == value
            assert type(arguments.value) is type(value)


@EVERY_SAID
@pytest.mark.parametrize("how", COPIES)
def test_a_copy_of_arguments_says_the_same(
    text: bytes, value: Any, as_object: bytes | None, native: bytes, how: str
) -> None:
    for arguments in (Arguments(text), _wire_arguments(native)):
        copied = COPIES[how](arguments)
        assert type(copied) is Arguments
        assert (copied.text, bytes(copied.native())) == (text, native)
        assert copied == arguments


@pytest.mark.parametrize("how", COPIES)
def test_a_copy_of_raw_json_has_the_same_text(how: str) -> None:
    block = wg.json.decode(b'{"type":"opaque","api":"x","raw":{"b": 1e2}}', wg.OpaqueBlock)
    for raw in (block.raw, RawJson('{"b": 1e2}')):
        copied = COPIES[how](raw)
        assert (type(copied), copied.text, copied.value) == (RawJson, b'{"b": 1e2}', {"b": 100.0})


@pytest.mark.parametrize(
    "given", [{"a": 1}, '{"a":1}', b'{"a":1}', bytearray(b'{"a":1}'), Arguments('{"a":1}'),
              memoryview(b'{"a":1}'), RawJson('{"a":1}'), msgspec.Raw(b'{"a":1}')],
    ids=lambda given: type(given).__name__
)  # fmt: skip
def test_a_call_takes_arguments_as_data_and_as_text(given: Any) -> None:
    call = wg.ToolCallBlock("c", "f", given)
    assert (type(call.arguments), call.arguments.text) == (Arguments, b'{"a":1}')


@pytest.mark.parametrize("native", [native for *_, native in SAID.values()] + [rb'"{\"a\":1}"'])
def test_looking_at_arguments_does_not_change_what_is_written(native: bytes) -> None:
    call = wg.json.decode(_call(native), wg.ToolCallBlock)
    assert wg.json.encode(call) == _call(native)
    _ = call.arguments.text, repr(call), call == call
    assert wg.json.encode(call) == _call(native)


def test_arguments_nested_beyond_reading_are_told_apart_and_carried() -> None:
    arguments = Arguments(DEEP)
    with pytest.raises(wg.DecodeError, match="nested too deeply"):
        _ = arguments.value
    assert arguments.object_json() is None
    assert bytes(arguments.native()) == b'"' + DEEP.encode() + b'"'
    assert arguments == Arguments(DEEP)
    assert arguments != Arguments(DEEP + "[")


def test_text_that_is_no_unicode_has_no_place_in_json() -> None:
    with pytest.raises(wg.EncodeError):
        wg.json.encode(wg.ToolCallBlock("c", "f", b"\xff"))
    with pytest.raises(wg.EncodeError):
        Arguments("\ud800")
    with pytest.raises(wg.DecodeError):
        _wire_arguments(b'{"a":"\xff"}')


# -- common to both ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        (RawJson('{"a":1,"b":2}'), RawJson('{ "b":2, "a":1 }'), True),
        (RawJson("1e2"), RawJson("100.0"), True),
        (RawJson("[1,2]"), RawJson("[2,1]"), False),
        (RawJson('{"a":1e400,"b":[1]}'), RawJson('{ "b":[1.0],"a":1e400 }'), True),
        (RawJson('[[1e400],"a"]'), RawJson('[ [ 1e400 ],"\\u0061"]'), True),
        (RawJson("[1e400]"), RawJson("[2e400]"), False),
        (RawJson('[1e400,"a"]'), RawJson('[1e400,"b"]'), False),
        (RawJson("[1e400]"), RawJson("[1e400,1]"), False),
        (RawJson("[1e400]"), RawJson('{"a":1e400}'), False),
        (RawJson('{"a":1e400}'), RawJson('{"b":1e400}'), False),
        (RawJson(f"[{'9' * 5000}, 1]"), RawJson(f"[{'9' * 5000},1]"), True),
        (RawJson('{"a":[1]}'), RawJson('{"a":[1.0]}'), True),
        (RawJson('{"a":[1]}'), RawJson('{"a":[true]}'), False),
        (RawJson('{"a":[true]}'), RawJson('{"a": [true]}'), True),
        (RawJson("{}"), Arguments("{}"), True),
        (Arguments(""), Arguments("{}"), True),
        (Arguments("{"), Arguments("{"), True),
        (Arguments("{"), Arguments("["), False),
        (Arguments("{"), Arguments("{}"), False),
        (RawJson("{}"), {}, True),
        (RawJson('{"a":[1,null]}'), {"a": [1, None]}, True),
        (RawJson('{"a":[1]}'), {"a": [True]}, False),
        (RawJson("null"), None, True),
        (RawJson('"a"'), "a", True),
        (RawJson('"a"'), b'"a"', False),
        (RawJson("[1]"), (1,), False),
        (Arguments('{"a": 1}'), {"a": 1}, True),
        (Arguments('{"a": 1}'), '{"a": 1}', True),
        (Arguments('{"a": 1}'), '{"a":1}', False),
        (Arguments("{"), {}, False),
    ],
)
def test_values_are_equal_if_their_texts_or_what_those_mean_are(
    one: Any, other: Any, equal: bool
) -> None:
    assert (one == other, other == one, one != other) == (equal, equal, not equal)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (RawJson('{"a": [null, 1e2]}'), "{'a': [None, 100.0]}"),
        (wg.ToolCallBlock("1", "f", "{}"), "ToolCallBlock(id='1', name='f', arguments={})"),
        (RawJson("9" * 5000), "RawJson(" + "9" * 57 + "...)"),
        (Arguments("{"), "Arguments({)"),
        (Arguments(b"\xff"), "Arguments(�)"),
        (RawJson(b'"%b"' % (b"x" * 9_998)), "'" + "x" * 9_998 + "'"),
        (RawJson(b'"%b"' % (b"x" * 9_999)), 'RawJson("' + "x" * 56 + "...)"),
    ],
)
def test_repr_shows_the_value_or_the_type_and_the_start_of_the_text(value: Any, shown: str) -> None:
    assert repr(value) == shown


@pytest.mark.parametrize("kind", [wg.ToolCallBlock, wg.OpaqueBlock])
def test_a_slice_keeps_its_input_alive_until_it_is_detached(kind: Any) -> None:
    wires = {
        wg.ToolCallBlock: _call(b"[1]"),
        wg.OpaqueBlock: b'{"type":"opaque","api":"x","raw":[1]}',
    }
    body = bytes(bytearray(wires[kind]))  # no other test holds these
    before = sys.getrefcount(body)
    block = wg.json.decode(memoryview(body), kind)
    raw = block.arguments if kind is wg.ToolCallBlock else block.raw
    assert sys.getrefcount(body) > before
    assert raw.detach() is raw
    assert sys.getrefcount(body) == before
    assert raw.text == b"[1]"


def test_the_keys_of_an_extra_are_an_object() -> None:
    assert wg.Extra({"a": 1}).keys == RawJson('{"a":1}')
    for keys in ([1], "a", 1, None):
        with pytest.raises(ValueError, match="expected `object`"):
            wg.Extra(keys)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (Raw(b'"{\\"a\\": 1}"'), b'"{\\"a\\": 1}"'),
        (Raw(b'{"a": 1}'), b'"{\\"a\\": 1}"'),
        ('{"a":"\u00e9"}', b'"{\\"a\\":\\"\xc3\xa9\\"}"'),
        ("", b'""'),
        ("no json", b'"no json"'),
    ],
)
def test_arguments_as_a_json_string(given: Any, expected: bytes) -> None:
    made = wg.ToolCallBlock("a", "f", given).arguments
    assert bytes(made.string_json()) == expected


def test_a_json_string_that_came_in_goes_out_as_it_came() -> None:
    slice_of_the_input = Raw(b'"\\u007b}"')
    made = wg.ToolCallBlock("a", "f", slice_of_the_input).arguments
    assert made.string_json() is slice_of_the_input
    assert made.text == b"{}"


@EVERY_SAID
@pytest.mark.parametrize("how", [*COPIES, "as it is"])
def test_text_in_the_json_string_of_a_wire_is_any_other_text(
    text: bytes, value: Any, as_object: bytes | None, native: bytes, how: str
) -> None:
    string = Raw(json.dumps(text.decode()).encode())
    arguments = COPIES.get(how, lambda same: same)(adopt_text(string))
    assert type(arguments) is Arguments
    assert arguments.text == text
    assert arguments == Arguments(text)
    assert bytes(arguments.native()) == native
    assert bytes(arguments.string_json()) == bytes(string)  # escapes and all
    made = arguments.object_json()
    assert (None if made is None else bytes(made)) == as_object
    assert bytes(arguments.detach().string_json()) == bytes(string)


# Wire and its answer, a call whose arguments are in a JSON string.
IN_A_STRING = {
    "openai_chat": rb'{"id":"a","object":"chat.completion","created":1,"model":"m","choices":[{'
    rb'"index":0,"finish_reason":"tool_calls","message":{"role":"assistant","content":null,'
    rb'"tool_calls":[{"id":"c1","type":"function","function":{"name":"plot","arguments":'
    rb'"{\"rows\": 3}"}}]}}]}',
    "openai_responses": rb'{"id":"a","object":"response","created_at":1,"status":"completed",'
    rb'"model":"m","output":[{"id":"fc","type":"function_call","status":"completed","call_id":'
    rb'"c1","name":"plot","arguments":"{\"rows\": 3}"}]}',
    "mistral": rb'{"id":"a","object":"chat.completion","created":1,"model":"m","choices":[{'
    rb'"index":0,"finish_reason":"tool_calls","message":{"role":"assistant","content":"",'
    rb'"tool_calls":[{"id":"c1","type":"function","function":{"name":"plot","arguments":'
    rb'"{\"rows\": 3}"}}]}}]}',
    "cohere": rb'{"id":"a","finish_reason":"TOOL_CALL","message":{"role":"assistant",'
    rb'"tool_calls":[{"id":"c1","type":"function","function":{"name":"plot","arguments":'
    rb'"{\"rows\": 3}"}}]}}',
}


@pytest.mark.parametrize(("name", "answer"), IN_A_STRING.items(), ids=IN_A_STRING)
def test_arguments_in_a_string_of_a_wire_are_an_object_in_native_json(
    name: str, answer: bytes
) -> None:
    message = wg.PROVIDERS[name].decode_response(answer).message
    call = rb'"id":"c1","name":"plot","arguments":{"rows": 3}'
    assert call in wg.json.encode([message])
    assert call in wg.json.encode(wg.msgpack.decode(wg.msgpack.encode([message])))
    assert call in wg.formats.phi_core.encode([message], losses=[])
    assert b'"arguments":{"rows": 3}' in wg.formats.otel.encode([message], losses=[])
    sent = wg.PROVIDERS[name].encode_response(wg.Response(message))
    assert rb'"{\"rows\": 3}"' in sent


def test_what_is_no_string_on_a_wire_of_text_is_adopted_as_it_is() -> None:
    for given in (Raw(b'{"a": 1}'), Raw(b"null"), '{"a": 1}', Arguments('"x"')):
        assert adopt_text(given) == adopt_arguments(given)


def test_arguments_that_are_no_utf8_are_no_json_string() -> None:
    with pytest.raises(wg.EncodeError, match="not UTF-8"):
        wg.Arguments(b"\xff").string_json()


# -- as the value that it holds ----------------------------------------------------------------


def test_arguments_are_a_mapping() -> None:
    call = wg.ToolCallBlock("1", "f", '{"a": 1, "b": [2]}')
    arguments = call.arguments
    assert isinstance(arguments, Mapping)
    assert arguments["a"] == 1
    assert "b" in arguments
    assert "c" not in arguments
    assert arguments.get("c", 3) == 3
    assert [*arguments] == ["a", "b"]
    assert len(arguments) == 2
    assert [*arguments.items()] == [("a", 1), ("b", [2])]
    assert [*arguments.values()] == [1, [2]]
    assert arguments.keys() == {"a", "b"}
    assert dict(**arguments) == {"a": 1, "b": [2]}
    assert arguments.text == b'{"a": 1, "b": [2]}'
    with pytest.raises(KeyError):
        arguments["c"]
    with pytest.raises(TypeError):
        arguments["c"] = 3  # type: ignore[index]


def test_they_are_parsed_once() -> None:
    arguments = Arguments('{"a": [1]}')
    assert arguments["a"] is arguments["a"]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (Arguments(""), False),
        (Arguments("null"), False),
        (Arguments("{}"), False),
        (Arguments('{"a":1}'), True),
        (Arguments('{"a":'), True),
        (RawJson("[]"), False),
        (RawJson("0"), False),
        (RawJson("[0]"), True),
    ],
)
def test_an_empty_value_is_false(value: RawJson, expected: bool) -> None:
    assert bool(value) is expected


def test_broken_arguments_say_so_when_they_are_used() -> None:
    with pytest.raises(wg.DecodeError, match="truncated"):
        Arguments('{"a":')["a"]


@pytest.mark.parametrize("text", ["[1]", '"a"', "5", "true"])
@pytest.mark.parametrize(
    "use",
    [
        lambda a: a["a"],
        lambda a: "a" in a,
        lambda a: [*a],
        len,
        dict,
        lambda a: a.get("a"),
        lambda a: a.keys(),
        lambda a: a.values(),
        lambda a: a.items(),
    ],
    ids=["index", "in", "iteration", "len", "dict", "get", "keys", "values", "items"],
)
def test_arguments_that_are_not_an_object_are_not_a_mapping(text: str, use: Any) -> None:
    with pytest.raises(TypeError, match="expected `object`, got"):
        use(Arguments(text))


def test_a_text_with_half_a_character_equals_no_arguments() -> None:
    assert Arguments("{}") != "\ud800"


def test_data_may_hold_raw_json_and_mappings() -> None:
    data = MappingProxyType({"a": MappingProxyType({"b": RawJson("1e2")}), "c": Arguments("{")})
    assert Arguments.of(data).text == b'{"a":{"b":1e2},"c":"{"}'
    assert wg.ToolCallBlock("1", "f", data).arguments == Arguments.of(data)
    with pytest.raises(wg.EncodeError, match="`nan`, expected a finite number"):
        Arguments.of(MappingProxyType({"a": math.nan}))


def test_raw_json_is_used_as_a_list_too() -> None:
    raw = RawJson('[1, {"a": 2}]')
    assert raw[1]["a"] == 2
    assert [*raw] == [1, {"a": 2}]
    assert 1 in raw
    assert len(raw) == 2
    with pytest.raises(TypeError):
        len(RawJson("1"))


def test_what_a_constructor_takes_can_be_assigned() -> None:
    call = wg.ToolCallBlock("1", "f", {})
    call.arguments = '{"a": 1e2}'
    assert wg.json.encode(call) == (
        b'{"type":"toolCall","id":"1","name":"f","arguments":{"a": 1e2}}'
    )
    call.arguments = {"a": 2}
    assert call.arguments.text == b'{"a":2}'
    image = wg.ImageBlock(url="https://x/a.png")
    image.url, image.data = None, b"\x89PNG\r\n\x1a\n"
    assert wg.json.encode(image) == b'{"type":"image","data":"iVBORw0KGgo="}'
    tool = wg.Tool("f")
    tool.parameters = {"type": "object"}
    assert wg.json.encode(tool) == b'{"type":"function","name":"f","parameters":{"type":"object"}}'
    asked = wg.ResponseFormat("json_schema")
    asked.schema = {"type": "object"}
    assert wg.json.encode(asked) == b'{"kind":"json_schema","schema":{"type":"object"}}'
    block = wg.OpaqueBlock("a", {})
    block.raw = [1]
    assert wg.json.encode(block) == b'{"type":"opaque","api":"a","raw":[1]}'
    extra = wg.Extra({})
    extra.keys, extra.spelling = {"a": 1}, {"b": None}
    assert wg.json.encode(extra) == b'{"keys":{"a":1},"spelling":{"b":null}}'
    event = wg.OpaqueEvent("a", {})
    event.raw = 1
    assert wg.json.encode(event) == b'{"type":"opaque","api":"a","raw":1}'
    failure = wg.StreamFailure("server", "Oh.")
    failure.body = {"a": 1}
    assert wg.json.encode(failure) == (
        b'{"type":"error","kind":"server","message":"Oh.","body":{"a":1}}'
    )
    with pytest.raises(wg.EncodeError):
        call.arguments = object()  # type: ignore[assignment]


@pytest.mark.parametrize("text", ['{"a": 1e2}', '{"é": "ü"}', '{"a"', " {} ", '"{}"', ""])
def test_arguments_that_have_been_encoded_are_the_same_as_before(text: str) -> None:
    given = text.encode()
    arguments = wg.Arguments(given)
    block = wg.ToolCallBlock("c", "f", arguments)
    assert len({wg.json.encode(block) for _ in range(3)}) == 1
    assert arguments.text == given
    assert arguments == wg.Arguments(given)
    assert pickle.loads(pickle.dumps(arguments)) == arguments
    assert wg.msgpack.decode(wg.msgpack.encode(block), wg.ToolCallBlock) == block
