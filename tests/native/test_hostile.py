"""Bytes that nobody sane sends: one `DecodeError` with wire and path, or a value; nothing else."""

import random
import time
from pathlib import Path
from typing import Any

import pytest

import wireglot as wg

GOLDEN = Path(__file__).parents[1] / "golden" / "native" / "v1"

JSON_DOCUMENTS = [path.read_bytes() for path in sorted(GOLDEN.glob("*.json"))]
PACKED_DOCUMENTS = [path.read_bytes() for path in sorted(GOLDEN.glob("*.msgpack"))]
# Every kind of block and value in one document; see also the golden documents.
RICH = (GOLDEN / "unknown-keys-everywhere.json").read_bytes().removesuffix(b"\n")
RICH_PACKED = b"\x92" + b"".join(
    (GOLDEN / f"{name}.msgpack").read_bytes()[1:]
    for name in ("block-tool-call-arguments", "place-all-keys")
)


def _user(block: bytes) -> bytes:
    return b'[{"role":"user","content":[' + block + b"]}]"


def _call(arguments: bytes) -> bytes:
    return _user(b'{"type":"toolCall","id":"c","name":"n","arguments":' + arguments + b"}")


def _outcome(decode: Any, *args: Any, **kwargs: Any) -> tuple[Any, wg.DecodeError | None]:
    try:
        return decode(*args, **kwargs), None
    except wg.DecodeError as error:
        return None, error


def _encoded(value: Any) -> list[tuple[Any, bytes]]:
    """Write a decoded value on both wires, where no error of ours says that one cannot carry it."""
    written = []
    for wire in (wg.json, wg.msgpack):
        try:
            written.append((wire, wire.encode(value)))
        except wg.WireglotError:
            pass
    return written


# -- the words of errors --------------------------------------------------------------------------

FAULTS: list[tuple[str, bytes, str]] = [
    ("nothing", b"", "input data was truncated - at `$`"),
    ("no list", b"{}", "expected `array`, got `object` - at `$`"),
    ("a number for a message", b"[5]", "expected `object`, got `int` - at `$[0]`"),
    ("no role", b"[{}]", "object missing required field `role` - at `$[0]`"),
    ("a number for a role", b'[{"role":5}]', "expected `str`, got `int` - at `$[0].role`"),
    (
        "an unknown role",
        b'[{"role":"robot"}]',
        (
            "unknown role `robot`,"
            " expected one of `system`, `user`, `assistant`, `toolResult`, `tool`,"
            " `custom`, `branchSummary`, `compactionSummary`, `extension`;"
            " an extension has `kind` and `data` - at `$[0].role`"
        ),
    ),
    (
        "no content",
        b'[{"role":"user"}]',
        "object missing required field `content` - at `$[0]`",
    ),
    (
        "text for content",
        b'[{"role":"user","content":"Hi"}]',
        "expected `array`, got `str` - at `$[0].content`",
    ),
    (
        "a number for text",
        _user(b'{"type":"text","text":5}'),
        "expected `str`, got `int` - at `$[0].content[0].text`",
    ),
    (
        "no type",
        _user(b"{}"),
        "object missing required field `type` - at `$[0].content[0]`",
    ),
    (
        "an unknown type",
        _user(b'{"type":"hologram"}'),
        (
            "unknown type `hologram`,"
            " expected one of `text`, `image`, `audio`, `video`, `document`, `data`, "
            "`thinking`, `toolCall`, `toolResult`, `annotation`, `error`, `opaque`"
            " - at `$[0].content[0].type`"
        ),
    ),
    (
        "a fault beside an unknown key",
        b'[{"role":"user","content":[]},{"x":1,"role":"user","content":[{"type":"text"}]}]',
        "object missing required field `text` - at `$[1].content[0]`",
    ),
    (
        "a fault inside a tool result",
        _user(b'{"type":"toolResult","toolCallId":"c","content":[{"type":"text","text":[]}]}'),
        "expected `str`, got `array` - at `$[0].content[0].content[0].text`",
    ),
    (
        "two sources of an image",
        _user(b'{"type":"image","url":"u","fileId":"f"}'),
        "several of `data`, `url` and `fileId`, expected one - at `$[0].content[0]`",
    ),
    (
        "no arguments",
        _user(b'{"type":"toolCall","id":"c","name":"n"}'),
        "object missing required field `arguments` - at `$[0].content[0]`",
    ),
    (
        "an unknown stop reason",
        b'[{"role":"assistant","content":[],"stopReason":"tired"}]',
        "invalid enum value 'tired' - at `$[0].stopReason`",
    ),
    (
        "a broken time",
        b'[{"role":"user","content":[],"timestamp":1.5}]',
        "expected `int | null`, got `float` - at `$[0].timestamp`",
    ),
    (
        "text for a count",
        b'[{"role":"assistant","content":[],"usage":{"x":1,"input":"1"}}]',
        "expected `int`, got `str` - at `$[0].usage.input`",
    ),
    (
        "an unknown key where none is kept",
        _user(b'{"type":"text","text":"a","cache":{"ttl":"5m","x":1}}'),
        "object contains unknown field `x` - at `$[0].content[0].cache`",
    ),
    (
        "an extension without data",
        b'[{"role":"extension","kind":"k"}]',
        "object missing required field `data` - at `$[0]`",
    ),
    (
        "a number for the kind of an extension",
        b'[{"role":"robot","kind":1,"data":2}]',
        "expected `str`, got `int` - at `$[0].kind`",
    ),
    (
        "extras that are no object",
        b'[{"role":"user","content":[],"extras":{"a":{"keys":[]}}}]',
        "expected `object` - at `$[0].extras[...]`",
    ),
    (
        "a lone surrogate",
        _user(b'{"type":"text","text":"\\ud83d"}'),
        (
            "lone surrogate: half a character is not Unicode text;"
            " U+FFFD takes its place; pass a list as `losses`, and read it"
            " - at `byte 50`"
        ),
    ),
]


@pytest.mark.parametrize(
    ("data", "text"), [case[1:] for case in FAULTS], ids=[case[0] for case in FAULTS]
)
def test_an_error_says_what_and_where(data: bytes, text: str) -> None:
    with pytest.raises(wg.DecodeError) as caught:
        wg.json.decode(data)
    assert str(caught.value) == f"json: {text}"
    assert caught.value.wire == "json"
    assert text.endswith(f" - at `{caught.value.path}`")
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"", "msgpack: input data was truncated - at `$`"),
        (b"\x91\x05", "msgpack: expected `object`, got `int` - at `$[0]`"),
        (
            b"\x91\x82\xa4role\xa4user\xa7content\x91\x82\xa4type\xa4text\xa4text\x05",
            "msgpack: expected `str`, got `int` - at `$[0].content[0].text`",
        ),
        (
            b"\x91\x82\xa4role\xa4user\xa7content\x91\x82\xa4type\xa4data\xa4data\x05",
            "msgpack: expected `bytes` or base64 `str` - at `$[0].content[0]`",
        ),
        (
            b"\x91\x83\xa4role\xa4user\xa7content\x90\xa8metadata\x81\xc3\x01",
            "msgpack: expected `str`, got `bool` - at `$[0].metadata`",
        ),
        (
            b"\x91\x83\xa4role\xa4user\xa7content\x90\xa8metadata\x82\x01\x01\xa11\x02",
            "msgpack: expected `str`, got `int` - at `$[0].metadata`",
        ),
        (
            b"\x91\x83\xa4role\xa4user\xa7content\x90\xa1x\xd4\x05a",
            "msgpack: `Ext`, expected a value that JSON has - at `$[0]`",
        ),
    ],
    ids=[
        "nothing",
        "a number for a message",
        "a number for text",
        "a number for media",
        "a truth for a key",
        "a number and its text for keys",
        "an extension type among unknown keys",
    ],
)
def test_an_error_of_messagepack_says_what_and_where(data: bytes, text: str) -> None:
    with pytest.raises(wg.DecodeError) as caught:
        wg.msgpack.decode(data)
    assert str(caught.value) == text
    assert caught.value.wire == "msgpack"


@pytest.mark.parametrize("digits", [b"", b"-", b"a", b"--1", b"1 ", b"1_0", b"\xb2", b"9" * 5000])
@pytest.mark.parametrize("key", [b"\xa8metadata\x81\xa1a", b"\xa7unknown"])
def test_a_big_integer_that_is_none_is_a_decode_error(key: bytes, digits: bytes) -> None:
    data = (
        b"\x91\x83\xa4role\xa4user\xa7content\x90"
        + key
        + (b"\xc8" + len(digits).to_bytes(2, "big") + b"\x01" + digits)
    )
    with pytest.raises(wg.DecodeError) as caught:
        wg.msgpack.decode(data)
    assert caught.value.wire == "msgpack"


# -- what JSON and Unicode forbid -----------------------------------------------------------------


@pytest.mark.parametrize(
    "data",
    [
        b"[NaN]",
        b"[Infinity]",
        b"[-Infinity]",
        b'[{"role":"user","content":[],"metadata":{"a":NaN}}]',
        b'[{"role":"user","content":[],"metadata":{"a":1e999}}]',
        b'[{"role":"user","content":[],"unknown":NaN}]',
        b'[{"role":"user","content":[],"metadata":{"a":%b}}]' % (b"9" * 5000),
        b'[{"role":"user","content":[],"metadata":{"a":01}}]',
        b"[] x",
        b"[][]",
        b"[],",
        b"[]\0",
        b"[{}",
        b"[,]",
        b"[1,]",
        b'[{"role":"user","content":[],}]',
        b"['a']",
        b"[\x00]",
        b'["\x01"]',
        b'["\\x41"]',
        b'["\\u12"]',
        b"\xff\xfe[\x00]\x00",
        b"\xef\xbb\xbf",
        b"\xef\xbb\xbf\xef\xbb\xbf[]",
        b"[]\xef\xbb\xbf",
        b"nul",
    ],
)
def test_what_is_no_json_is_refused(data: bytes) -> None:
    with pytest.raises(wg.DecodeError) as caught:
        wg.json.decode(data)
    assert caught.value.__cause__ is not None


@pytest.mark.parametrize(
    "data",
    [b"\xef\xbb\xbf[]", "\ufeff[]", memoryview(b"\xef\xbb\xbf[]"), b"\xef\xbb\xbf \r\n\t[] "],
    ids=["bytes", "text", "a view", "with space"],
)
def test_a_byte_order_mark_is_skipped(data: Any) -> None:
    assert wg.json.decode(data) == []


@pytest.mark.parametrize(
    "data",
    [
        b'[{"role":"user","content":[{"type":"text","text":"\xff"}]}]',
        b'[{"role":"user","content":[{"type":"text","text":"\xed\xa0\xbd"}]}]',
        b'[{"role":"user","content":[{"type":"text","text":"\xc0\x80"}]}]',
        b'[{"role":"user","content":[],"\xff":1}]',
        b'[{"role":"user","content":[],"unknown":"\xff"}]',
        b'[{"role":"user","content":[],"unknown":{"\xff":1}}]',
        b'[{"role":"user","content":[],"extras":{"api":{"keys":{"a":"\xff"}}}}]',
        b'[{"role":"user","content":[],"metadata":{"a":"\xff"}}]',
        b'[{"role":"\xff","kind":"k","data":1}]',
        b'[{"role":"extension","kind":"k","data":"\xff"}]',
        _call(b'{"a":"\xff"}'),
        _call(b'"\xff"'),
        _user(b'{"type":"toolCall","x":1,"id":"c","name":"n","arguments":"\xff"}'),
        _user(b'{"type":"opaque","api":"a","raw":{"a":"\xff"}}'),
    ],
    ids=[
        "in text",
        "a surrogate",
        "an overlong zero",
        "in an unknown key's name",
        "in an unknown key's value",
        "inside an unknown key's value",
        "in extras",
        "in metadata",
        "in a role",
        "in an extension",
        "in arguments",
        "in arguments that are text",
        "in arguments beside an unknown key",
        "in an opaque block",
    ],
)
@pytest.mark.parametrize("pad", [0, 2_000_000], ids=["small", "large"])
def test_invalid_utf_8_is_refused_wherever_it_stands(data: bytes, pad: int) -> None:
    for body in (data + b" " * pad, memoryview(data + b" " * pad)):
        with pytest.raises(wg.DecodeError) as caught:
            wg.json.decode(body)
        assert caught.value.__cause__ is not None


@pytest.mark.parametrize(
    "packed",
    [
        b"\x91\x82\xa4role\xa4user\xa7content\x91\x82\xa4type\xa4text\xa4text\xa1\xff",
        b"\x91\x83\xa4role\xa4user\xa7content\x90\xa1\xff\x01",
        b"\x91\x83\xa4role\xa4user\xa7content\x90\xa1x\xa1\xff",
        b"\x91\x82\xa4role\xa4user\xa7content\x91\x84\xa4type\xa8toolCall\xa2id\xa1c\xa4name\xa1n"
        b"\xa9arguments\xa1\xff",
        b"\x91\x82\xa4role\xa4user\xa7content\x91\x84\xa4type\xa8toolCall\xa2id\xa1c\xa4name\xa1n"
        b"\xa9arguments\xc4\x01\xff",
        b"\x91\x82\xa4role\xa4user\xa7content\x91\x85\xa4type\xa8toolCall\xa1x\x01\xa2id\xa1c"
        b"\xa4name\xa1n\xa9arguments\x91\xa1\xff",
        b"\x91\x82\xa4role\xa4user\xa7content\x91\x82\xa4type\xa5image\xa4data\xa1\xff",
        b'\x91\x82\xa4role\xa4user\xa7content\x91\x83\xa4type\xa6opaque\xa3api\xa1a\xa3raw\xc4\x03"\xff"',
    ],
    ids=[
        "in text",
        "in an unknown key's name",
        "in an unknown key's value",
        "in arguments",
        "in arguments as binary",
        "in arguments beside an unknown key",
        "in base64 text",
        "in an opaque block",
    ],
)
def test_invalid_utf_8_in_messagepack_is_refused_wherever_it_stands(packed: bytes) -> None:
    with pytest.raises(wg.DecodeError) as caught:
        wg.msgpack.decode(packed)
    assert caught.value.__cause__ is not None


# -- lone surrogates ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "mended", "places"),
    [
        (
            _user(b'{"type":"text","text":"a\\ud83db"}'),
            _user('{"type":"text","text":"a\ufffdb"}'.encode()),
            ["byte 51"],
        ),
        (
            _user(b'{"type":"text","text":"\\uDE00\\ud83d"}'),
            _user('{"type":"text","text":"\ufffd\ufffd"}'.encode()),
            ["byte 50", "byte 56"],
        ),
        (
            _user(b'{"type":"text","text":"\\ud83d\\ud83d\\ude00\\\\ud83d"}'),
            _user('{"type":"text","text":"\ufffd\U0001f600\\\\ud83d"}'.encode()),
            ["byte 50"],
        ),
        (
            _call(b'{"a":"\\ud83d", "b":1e2}'),
            _call(b'{"a":"\\ufffd", "b":1e2}'),
            ["byte 84"],
        ),
        (
            b'[{"role":"user","content":[],"unknown":"\\udc00"}]',
            b'[{"role":"user","content":[],"unknown":"\\ufffd"}]',
            ["byte 40"],
        ),
        (
            b'[{"role":"user","content":[],"\\udc00":1}]',
            '[{"role":"user","content":[],"\ufffd":1}]'.encode(),
            ["byte 30"],
        ),
    ],
    ids=[
        "in text",
        "the halves in the wrong order",
        "beside a whole character and a backslash",
        "in arguments",
        "in an unknown value",
        "in an unknown name",
    ],
)
def test_a_lone_surrogate_is_an_error_or_a_loss(
    data: bytes, mended: bytes, places: list[str]
) -> None:
    with pytest.raises(wg.DecodeError, match="lone surrogate") as caught:
        wg.json.decode(data)
    assert caught.value.path == places[0]
    losses: list[wg.Loss] = []
    assert wg.json.encode(wg.json.decode(data, losses=losses)) == mended
    assert [(loss.path, loss.what) for loss in losses] == [(at, "lone surrogate") for at in places]


@pytest.mark.parametrize("limits", [None, wg.Limits(depth=20)], ids=["no limit", "a limit"])
def test_a_lone_surrogate_in_text_is_an_error_or_a_loss(limits: wg.Limits | None) -> None:
    data = '[{"role":"user","content":[{"type":"text","text":"a\ud83db"}]}]'
    with pytest.raises(wg.DecodeError, match="lone surrogate"):
        wg.json.decode(data, limits=limits)
    losses: list[wg.Loss] = []
    [message] = wg.json.decode(data, limits=limits, losses=losses)
    assert message.as_llm().text() == "a\ufffdb"
    assert [loss.what for loss in losses] == ["lone surrogate"]


@pytest.mark.parametrize(
    "text",
    [
        rb"a\ud8",
        rb'a\ud83"x',
        rb'a\ud8"}, {"type":"text","text":"b',
        rb"a\ud83d\u00",
        rb"a\ud83d\udeg0",
        rb'a\ud83d\ud8"',
        rb'a\u00"}',
    ],
)
def test_an_escape_of_less_than_four_digits_is_no_surrogate(text: bytes) -> None:
    with pytest.raises(wg.DecodeError, match="malformed"):
        wg.json.decode(_user(b'{"type":"text","text":"' + text + b'"}'), losses=[])


@pytest.mark.parametrize(
    ("metadata", "read", "places"),
    [
        (rb'{"\ud83d":1,"\ud83e":2}', {"\ufffd": 2}, [("value of a key", "byte 41")]),
        ('{"\ufffd":1,"\\uD83E" :2}'.encode(), {"\ufffd": 2}, [("value of a key", "byte 41")]),
        (
            rb'{"\ud83d":1,"\ud83e":2,"\ufffd":3}',
            {"\ufffd": 3},
            [("value of a key", "byte 41"), ("value of a key", "byte 52")],
        ),
        (
            rb'{"\ud83d":{"\ud83d":{}},"b":["\ud83d"]}',
            {"\ufffd": {"\ufffd": {}}, "b": ["\ufffd"]},
            [],
        ),
        (rb'{"a":[{"\ud83d":1},{"\ud83d":2}]}', {"a": [{"\ufffd": 1}, {"\ufffd": 2}]}, []),
        (rb'{"\\\ud83d":1,"\ud83d\\":2}', {"\\\ufffd": 1, "\ufffd\\": 2}, []),
    ],
    ids=["two", "one that was so", "three", "one in the other", "side by side", "not equal"],
)
def test_keys_that_are_equal_without_surrogates_are_further_losses(
    metadata: bytes, read: Any, places: list[tuple[str, str]]
) -> None:
    losses: list[wg.Loss] = []
    data = b'[{"role":"user","content":[],"metadata":' + metadata + b"}]"
    [message] = wg.json.decode(data, losses=losses)
    assert message.as_llm().metadata == read
    found = [(loss.what, loss.path) for loss in losses if loss.what != "lone surrogate"]
    assert found == places


def test_keys_of_a_string_that_are_equal_without_surrogates_are_a_further_loss() -> None:
    losses: list[wg.Loss] = []
    data = '[{"role":"user","content":[],"metadata":{"\ud83d":1,"\ud83e":2}}]'
    [message] = wg.json.decode(data, losses=losses)
    assert message.as_llm().metadata == {"\ufffd": 2}
    assert [(loss.what, loss.path) for loss in losses] == [
        ("lone surrogate", "$"),
        ("value of a key", "byte 41"),
    ]


def test_a_byte_order_mark_is_counted_in_the_place_of_a_loss() -> None:
    losses: list[wg.Loss] = []
    data = b'\xef\xbb\xbf[{"role":"user","content":[{"type":"text","text":"\\ud83d"}]}]'
    wg.json.decode(data, losses=losses)
    assert [loss.path for loss in losses] == ["byte 53"]
    assert data[53:59] == b"\\ud83d"


@pytest.mark.parametrize("text", [rb'"\ud83d"}}', rb'{"\ud83d\q":1}', b'{"\\ud83d":1,"\\u\xff":1}'])
def test_a_search_for_equal_keys_in_malformed_text_leaves_the_error_to_the_decoder(
    text: bytes,
) -> None:
    with pytest.raises(wg.DecodeError):
        wg.json.decode(text, wg.Usage, losses=[])


def test_a_decode_that_fails_for_another_reason_is_the_same_with_losses() -> None:
    with pytest.raises(wg.DecodeError, match="truncated"):
        wg.json.decode(b'[{"role":"user"', losses=[])


# -- nesting --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data",
    [
        b"[" * 100_000,
        b"[" * 100_000 + b"]" * 100_000,
        b"[" + b'{"a":' * 100_000 + b"1" + b"}" * 100_000 + b"]",
        b'[{"role":"user","content":[],"metadata":{"a":%b%b}}]' % (b"[" * 100_000, b"]" * 100_000),
        b'[{"role":"user","content":[],"unknown":%b%b}]' % (b"[" * 100_000, b"]" * 100_000),
        b'[{"role":"user","content":[],"turnId":%b%b}]' % (b"[" * 100_000, b"]" * 100_000),
        b'[{"role":"odd","kind":"k","data":%b%b}]' % (b"[" * 100_000, b"]" * 100_000),
        _call(b"[" * 100_000 + b"]" * 100_000),
        _call(b'{"a":' * 100_000 + b"1" + b"}" * 100_000),
        _user(
            b'{"type":"toolResult","toolCallId":"c","content":[' * 100_000 + b"]}" * 100_000,
        ),
        _user(
            b'{"type":"toolResult","toolCallId":"c","content":[' * 300
            + b'{"type":"text","text":"a","unknown":1}'
            + b"]}" * 300,
        ),
    ],
    ids=[
        "lists without end",
        "lists",
        "objects",
        "in metadata",
        "in an unknown key",
        "in a turn id",
        "in an extension",
        "lists in arguments",
        "objects in arguments",
        "tool results",
        "an unknown key below tool results",
    ],
)
def test_a_nesting_bomb_is_a_limit_error(data: bytes) -> None:
    with pytest.raises(wg.LimitError, match=r"^json: nested too deeply"):
        wg.json.decode(data)


@pytest.mark.parametrize(
    "data",
    [
        b"\x91" * 100_000 + b"\x90",
        b"\x91" + b"\x81\xa1a" * 100_000 + b"\x90",
        b"\x91\x83\xa4role\xa4user\xa7content\x90\xa8metadata\x81\xa1a"
        + b"\x91" * 100_000
        + b"\x90",
        b"\x91\x83\xa4role\xa4user\xa7content\x90\xa1x" + b"\x91" * 100_000 + b"\x90",
        b"\x91\x82\xa4role\xa4user\xa7content\x91\x84\xa4type\xa8toolCall\xa2id\xa1c\xa4name\xa1n"
        b"\xa9arguments" + b"\x91" * 100_000 + b"\x90",
        b"\x91\x82\xa4role\xa4user\xa7content"
        + b"\x91\x83\xa4type\xaatoolResult\xaatoolCallId\xa1c\xa7content" * 100_000
        + b"\x90",
    ],
    ids=["lists", "maps", "in metadata", "in an unknown key", "in arguments", "tool results"],
)
def test_a_nesting_bomb_in_messagepack_is_a_limit_error(data: bytes) -> None:
    with pytest.raises(wg.LimitError, match=r"^msgpack: nested too deeply"):
        wg.msgpack.decode(data)


@pytest.mark.parametrize("kwargs", [{}, {"check_media": True}, {"limits": wg.Limits(messages=2)}])
@pytest.mark.parametrize("inner", [b"", b'{"type":"text","text":"a","unknown":1}'])
def test_every_depth_of_tool_results_decodes_or_is_a_limit_error(
    inner: bytes, kwargs: dict[str, Any]
) -> None:
    for depth in (*range(50, 440, 50), *range(440, 505)):
        data = _user(
            b'{"type":"toolResult","toolCallId":"","content":[' * depth + inner + b"]}" * depth
        )
        try:
            value = wg.json.decode(data, **kwargs)
        except wg.LimitError:
            continue
        _encoded(value)


def test_an_unknown_key_is_found_below_thirty_tool_results_and_not_below_more() -> None:
    def nested(depth: int) -> bytes:
        result = b'{"type":"toolResult","toolCallId":"","content":['
        return _user(result * depth + b'{"type":"data","unknown":1}' + b"]}" * depth)

    assert wg.json.encode(wg.json.decode(nested(30))) == nested(30)
    where = "$[0].content[0]" + ".content[0]" * 31
    with pytest.raises(wg.LimitError, match=r"^json: nested too deeply - at ") as caught:
        wg.json.decode(nested(31))
    assert caught.value.path == where


@pytest.mark.parametrize("part", [b'"unknown":', b'"metadata":{"a":', b'"turnId":'])
def test_every_depth_of_other_keys_decodes_or_is_a_decode_error(part: bytes) -> None:
    for depth in (*range(100, 900, 200), *range(900, 1005, 3)):
        nested = part + b"[" * depth + b"]" * depth + (b"}" if b"{" in part else b"")
        try:
            value = wg.json.decode(b'[{"role":"user","content":[],%b}]' % nested)
        except wg.DecodeError:
            continue
        _encoded(value)


def test_brackets_in_the_name_of_an_unknown_key_are_no_nesting() -> None:
    name = b"[" * 100
    data = b"\x91\x83\xa4role\xa4user\xa7content\x90\xd9\x64" + name + b"\x01"
    [message] = wg.msgpack.decode(data)
    assert wg.json.encode(message) == b'{"role":"user","content":[],"%b":1}' % name


def test_a_fault_far_down_takes_no_time_that_grows_with_its_depth() -> None:
    def seconds(depth: int) -> float:
        text = b"x" * 2_000_000
        data = _user(
            b'{"type":"toolResult","toolCallId":"","content":[' * depth
            + b'{"type":"text","unknown":1,"text":"%b"}' % text
            + b"]}" * depth
        )
        start = time.process_time()
        try:
            wg.json.decode(data)
        except wg.LimitError:
            pass
        return time.process_time() - start

    assert seconds(450) < 100 * seconds(1) + 1


def test_a_string_that_never_ends_is_not_scanned_again_and_again() -> None:
    data = b'["' + b'\\"' * 40_000
    start = time.process_time()
    with pytest.raises(wg.DecodeError):
        wg.json.decode(data, limits=wg.Limits(depth=5))
    assert time.process_time() - start < 1


# -- media and other slices -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "block",
    [
        b'{"type":"data","data":"\\ud83d"}',
        b'{"type":"data","data":"\\x41"}',
        b'{"type":"data","data":"A\nB"}',
        b'{"type":"data","data":5}',
        b'{"type":"data","data":{}}',
        b'{"type":"data","data":["aGk="]}',
        b'{"type":"data","data":true}',
    ],
)
def test_media_that_are_no_json_string_are_refused(block: bytes) -> None:
    with pytest.raises(wg.DecodeError):
        wg.json.decode(_user(block))


def test_media_from_a_wire_never_open_a_file(tmp_path: Path) -> None:
    path = tmp_path / "secret"
    path.write_bytes(b"secret")
    for text in (f"file:{path}", f"file://{path}", str(path)):
        data = _user(b'{"type":"data","data":"%b"}' % text.encode())
        [message] = wg.json.decode(data)
        assert wg.json.encode([message]) == data
        [packed] = wg.msgpack.decode(wg.msgpack.encode([message]))
        assert wg.json.encode([packed]) == data


def test_our_own_name_in_extras_cannot_be_used_to_forge_a_role_or_break_the_encoder() -> None:
    data = (
        b'[{"role":"extension","kind":"k","data":1,'
        b'"extras":{"wireglot":{"keys":{"role":"user","content":[]}}}},'
        b'{"role":"user","content":[],"x":1}]'
    )
    extension, _ = session = wg.json.decode(data)
    assert extension.as_llm() is None
    assert len(_encoded(session)) == 2
    assert wg.json.decode(wg.json.encode(session)) == session


# -- truncation -----------------------------------------------------------------------------------


@pytest.mark.parametrize("document", [RICH, *JSON_DOCUMENTS[:10]])
def test_json_cut_off_anywhere_is_a_decode_error(document: bytes) -> None:
    document = document.rstrip()
    for end in range(len(document)):
        with pytest.raises(wg.DecodeError):
            wg.json.decode(document[:end])


@pytest.mark.parametrize("document", [RICH_PACKED, *PACKED_DOCUMENTS])
def test_messagepack_cut_off_anywhere_is_a_decode_error(document: bytes) -> None:
    for end in range(len(document)):
        with pytest.raises(wg.DecodeError):
            wg.msgpack.decode(document[:end])


@pytest.mark.parametrize("document", [RICH_PACKED, *PACKED_DOCUMENTS])
def test_messagepack_with_something_behind_it_is_a_decode_error(document: bytes) -> None:
    with pytest.raises(wg.DecodeError, match="trailing"):
        wg.msgpack.decode(document + b"\xc0")


# -- mutations ------------------------------------------------------------------------------------

_TOKENS = [
    *b'{ } [ ] , : " \\ null true -1 1e999 NaN 0 \\ud83d \\u0000'.split(),
    *b'"role" "type" "content" "extras" "wireglot" "keys" "data" "arguments"'.split(),
    *b'"turnId":null "usage":{} "x":1 "text":"" \xff \xed\xa0\x80 \xef\xbb\xbf'.split(),
]
_PACKED_TOKENS = [
    *(
        b"\x80",
        b"\x81",
        b"\x90",
        b"\x91",
        b"\xa0",
        b"\xc0",
        b"\xc1",
        b"\xc4",
        b"\xcb",
        b"\xdf",
        b"\xff",
    ),
    *(b"\xa4role", b"\xa4type", b"\xa4data", b"\xa7content", b"\xa6extras\x80", b"\xa1x\x01"),
    *(b"\xd4\x01a", b"\xd4\x05a", b"\xd6\xff\0\0\0\0", b"\xcb\x7f\xf8\0\0\0\0\0\0", b"\xa1\xff"),
    *(b"\xc7\x02\x01-5", b"\xdd\xff\xff\xff\xff", b"\xc6\xff\xff\xff\xff", b"\x81\x90\x01"),
]


def _mutated(chance: random.Random, documents: list[bytes], tokens: list[bytes]) -> bytes:
    data = bytearray(chance.choice(documents))
    for _ in range(chance.choice((1, 1, 2, 5))):
        at = chance.randrange(len(data) + 1)
        other = chance.choice(documents)
        start = chance.randrange(len(other))
        new = chance.choice(
            (
                b"",
                bytes([chance.randrange(256)]),
                chance.choice(tokens),
                other[start : start + chance.randrange(40)],
            )
        )
        data[at : at + chance.choice((0, len(new), 1, 20))] = new
    return bytes(data)


# Our own words, which need no cause; anything else is an error of the C decoder, wrapped.
_OUR_WORDS = (
    "object missing required field",
    "object contains unknown field",
    "unknown role",
    "unknown type",
    "unknown kind",
    "nested too deeply",
    "`extras.wireglot` beside",
    "expected `",
    "invalid value",
)


def _check(wire: Any, name: str, data: bytes, losses: dict[str, Any]) -> bool:
    """Return whether `data` decoded, after a look at what came of it."""
    value, error = _outcome(wire.decode, data, **losses)
    if error is not None:
        assert error.wire == name
        assert error.path.startswith(("$", "byte "))
        assert error.__cause__ is not None or error.reason.startswith(_OUR_WORDS)
        return False
    for target, data in _encoded(value):
        target.decode(data)
    return True


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("losses", [{}, {"losses": []}], ids=["strict", "with losses"])
def test_mutated_json_gives_a_decode_error_or_a_value_that_can_be_written(
    seed: int, losses: dict[str, Any]
) -> None:
    chance = random.Random(seed)
    decoded = sum(
        _check(wg.json, "json", _mutated(chance, JSON_DOCUMENTS, _TOKENS), losses)
        for _ in range(500)
    )
    assert 25 < decoded < 475, "the mutations are neither harmless nor hopeless"


@pytest.mark.parametrize("seed", range(20))
def test_mutated_messagepack_gives_a_decode_error_or_a_value_that_can_be_written(
    seed: int,
) -> None:
    chance = random.Random(seed)
    decoded = sum(
        _check(wg.msgpack, "msgpack", _mutated(chance, PACKED_DOCUMENTS, _PACKED_TOKENS), {})
        for _ in range(500)
    )
    assert 25 < decoded < 475, "the mutations are neither harmless nor hopeless"
