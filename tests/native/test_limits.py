"""How much is too much: each limit at its boundary and one beyond, on both wires."""

import contextlib
from typing import Any

import pytest

import wireglot as wg
from tests.memory import within

# Two messages, three blocks of which one is inside a tool result, six levels of nesting.
JSON = (
    b'[{"role":"user","content":[{"type":"text","text":"a"}]},'
    b'{"role":"tool","content":[{"type":"toolResult","toolCallId":"c",'
    b'"content":[{"type":"data"}]}]}]'
)
PACKED = (
    b"\x92\x82\xa4role\xa4user\xa7content\x91\x82\xa4type\xa4text\xa4text\xa1a"
    b"\x82\xa4role\xa4tool\xa7content\x91\x83\xa4type\xaatoolResult\xaatoolCallId\xa1c"
    b"\xa7content\x91\x81\xa4type\xa4data"
)


def _decode(wire: str, **kwargs: Any) -> Any:
    return wg.json.decode(JSON, **kwargs) if wire == "json" else wg.msgpack.decode(PACKED, **kwargs)


BOUNDARIES = [
    (
        "json",
        "bytes",
        151,
        "json: input of 151 bytes, expected at most 150; increase `Limits.bytes` - at `$`",
    ),
    (
        "json",
        "messages",
        2,
        "json: 2 messages, expected at most 1; increase `Limits.messages` - at `$`",
    ),
    ("json", "blocks", 3, "json: 3 blocks, expected at most 2; increase `Limits.blocks` - at `$`"),
    ("json", "depth", 6, "json: nested deeper than 5; increase `Limits.depth` - at `$`"),
    (
        "msgpack",
        "bytes",
        109,
        "msgpack: input of 109 bytes, expected at most 108; increase `Limits.bytes` - at `$`",
    ),
    (
        "msgpack",
        "messages",
        2,
        "msgpack: 2 messages, expected at most 1; increase `Limits.messages` - at `$`",
    ),
    (
        "msgpack",
        "blocks",
        3,
        "msgpack: 3 blocks, expected at most 2; increase `Limits.blocks` - at `$`",
    ),
    ("msgpack", "depth", 6, "msgpack: nested deeper than 5; increase `Limits.depth` - at `$`"),
]
_IDS = [f"{wire} {limit}" for wire, limit, _, _ in BOUNDARIES]


@pytest.mark.parametrize(("wire", "limit", "most"), [c[:3] for c in BOUNDARIES], ids=_IDS)
def test_what_is_at_a_limit_decodes(wire: str, limit: str, most: int) -> None:
    assert _decode(wire, limits=wg.Limits(**{limit: most})) == _decode(wire)


@pytest.mark.parametrize(("wire", "limit", "most", "text"), BOUNDARIES, ids=_IDS)
def test_what_is_one_beyond_a_limit_is_refused(wire: str, limit: str, most: int, text: str) -> None:
    with pytest.raises(wg.LimitError) as caught:
        _decode(wire, limits=wg.Limits(**{limit: most - 1}))
    assert str(caught.value) == text
    assert isinstance(caught.value, wg.DecodeError)


def test_the_limits_in_force_are_generous() -> None:
    assert wg.Limits() == wg.Limits(
        bytes=256 * 1024 * 1024,
        messages=100_000,
        blocks=1_000_000,
        values=4_000_000,
        depth=None,
    )


def test_more_messages_than_the_limits_in_force_are_refused_until_they_are_raised() -> None:
    data = b"[" + b",".join([b'{"role":"user","content":[]}'] * 100_001) + b"]"
    with pytest.raises(wg.LimitError, match="100,001 messages, expected at most 100,000"):
        wg.json.decode(data)
    assert len(wg.json.decode(data, limits=wg.Limits(messages=100_001))) == 100_001


def test_more_blocks_than_the_limits_in_force_are_refused_until_they_are_raised() -> None:
    data = (
        b"\x91\x82\xa4role\xa4user\xa7content\xdd\x00\x0f\x42\x41"
        + b"\x81\xa4type\xa4data" * 1_000_001
    )
    with pytest.raises(wg.LimitError, match="1,000,001 blocks, expected at most 1,000,000"):
        wg.msgpack.decode(data)
    [message] = wg.msgpack.decode(data, limits=wg.Limits(blocks=1_000_001))
    assert len(message.as_llm().content) == 1_000_001


@pytest.mark.parametrize("limit", ["messages", "blocks"])
def test_documents_of_the_shortest_spelling_are_counted_too(limit: str) -> None:
    shortest = {
        "messages": [(wg.json, b'{"role":"user","content":[]}', b"[%b]", b",", list[wg.Message])],
        "blocks": [
            (wg.json, b'{"type":"data"}', b"[%b]", b",", list[wg.Content]),
            (wg.json, b"{}", b"[%b]", b",", list[wg.DataBlock]),
            (wg.msgpack, b"\x81\xa4type\xa4data", b"\xdc\x00\x64%b", b"", list[wg.Content]),
            (wg.msgpack, b"\x80", b"\xdc\x00\x64%b", b"", list[wg.DataBlock]),
        ],
    }
    for wire, part, frame, comma, kind in shortest[limit]:
        data = frame % comma.join([part] * 100)
        assert len(wire.decode(data, kind, limits=wg.Limits(**{limit: 100}))) == 100
        with pytest.raises(wg.LimitError, match=f"100 {limit}, expected at most 99"):
            wire.decode(data, kind, limits=wg.Limits(**{limit: 99}))


def test_unknown_keys_do_not_hide_messages_and_blocks_from_the_limits() -> None:
    data = b'[{"role":"user","x":1,"content":[{"type":"data"},{"type":"data"}]}]'
    wg.json.decode(data, limits=wg.Limits(blocks=2))
    with pytest.raises(wg.LimitError, match="2 blocks"):
        wg.json.decode(data, limits=wg.Limits(blocks=1))


def test_the_messages_of_a_request_are_counted() -> None:
    data = b'{"messages":[{"role":"user","content":[]},{"role":"user","content":[]}]}'
    wg.json.decode(data, wg.Request, limits=wg.Limits(messages=2))
    with pytest.raises(wg.LimitError, match="2 messages"):
        wg.json.decode(data, wg.Request, limits=wg.Limits(messages=1))


def test_the_alternatives_of_a_response_are_counted() -> None:
    answer = b'{"role":"assistant","content":[]}'
    data = b'{"message":%b,"alternatives":[%b,%b]}' % (answer, answer, answer)
    wg.json.decode(data, wg.Response, limits=wg.Limits(messages=3))
    with pytest.raises(wg.LimitError, match="3 messages"):
        wg.json.decode(data, wg.Response, limits=wg.Limits(messages=2))


def test_what_stands_in_events_is_counted() -> None:
    block = b'{"type":"toolResult","toolCallId":"c","content":[{"type":"data"}]}'
    data = b"""[{"type":"blockEnd","index":0,"block":%b},
        {"type":"done","response":{"message":{"role":"assistant","content":[%b]}}}]""" % (
        block,
        block,
    )
    for limits in (wg.Limits(blocks=6), wg.Limits(messages=1)):
        assert len(wg.json.decode(data, list[wg.StreamEvent], limits=limits)) == 2
    with pytest.raises(wg.LimitError, match="6 blocks"):
        wg.json.decode(data, list[wg.StreamEvent], limits=wg.Limits(blocks=5))
    with pytest.raises(wg.LimitError, match="1 messages"):
        wg.json.decode(data, list[wg.StreamEvent], limits=wg.Limits(messages=0))


def test_bytes_of_text_are_those_of_its_utf_8() -> None:
    text = '["ééé"]'
    assert wg.json.decode(text, list[str], limits=wg.Limits(bytes=10)) == ["ééé"]
    with pytest.raises(wg.LimitError, match="10 bytes"):
        wg.json.decode(text, list[str], limits=wg.Limits(bytes=9))


@pytest.mark.parametrize(
    ("wire", "data"), [("json", b"[1,2,3] "), ("msgpack", b"\x97\1\2\3\4\5\6\7")]
)
def test_bytes_of_a_view_are_bytes_whatever_its_items(wire: str, data: bytes) -> None:
    view, decode = memoryview(data).cast("I"), getattr(wg, wire).decode
    assert decode(view, list[int], limits=wg.Limits(bytes=8))[:3] == [1, 2, 3]
    with pytest.raises(wg.LimitError, match="8 bytes"):
        decode(view, list[int], limits=wg.Limits(bytes=7))


# -- depth ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "depth"),
    [
        (b"{}", 1),
        (b'{"a":[]}', 2),
        (b'{"a":[1],"b":{"c":{}}}', 3),
        (b'{"[":"]]]][[[[","b":"\\"[[[["}', 1),
        (b'{"a":"\\\\","b":[]}', 2),
        ('{"é":"🌊[["}'.encode(), 1),
        (b" {} ", 1),
    ],
    ids=[
        "one object",
        "a list in it",
        "the deepest counts",
        "brackets in strings do not",
        "a backslash at the end of a string",
        "beyond ASCII",
        "space around",
    ],
)
def test_depth_counts_lists_and_objects(data: bytes, depth: int) -> None:
    wg.json.decode(data, dict, limits=wg.Limits(depth=depth))
    wg.json.decode(data.decode(), dict, limits=wg.Limits(depth=depth))
    wg.json.decode(memoryview(data), dict, limits=wg.Limits(depth=depth))
    with pytest.raises(wg.LimitError):
        wg.json.decode(data, dict, limits=wg.Limits(depth=depth - 1))


@pytest.mark.parametrize(
    "part",
    [
        b'"metadata":{"a":[[[[]]]]}',
        b'"unknown":[[[[[]]]]]',
    ],
    ids=["in metadata", "in unknown keys"],
)
def test_depth_is_counted_in_every_part_of_a_message_on_both_wires(part: bytes) -> None:
    data = b'[{"role":"user","content":[],%b}]' % part
    packed = wg.msgpack.encode(wg.json.decode(data))
    for wire, body in ((wg.json, data), (wg.msgpack, packed)):
        wire.decode(body, limits=wg.Limits(depth=7))
        with pytest.raises(wg.LimitError, match="nested deeper than 6"):
            wire.decode(body, limits=wg.Limits(depth=6))


def test_depth_is_counted_in_arguments() -> None:
    data = (
        b'[{"role":"assistant","content":'
        b'[{"type":"toolCall","id":"c","name":"n","arguments":[[]]}]}]'
    )
    wg.json.decode(data, limits=wg.Limits(depth=6))
    with pytest.raises(wg.LimitError, match="nested deeper than 5"):
        wg.json.decode(data, limits=wg.Limits(depth=5))


@pytest.mark.parametrize("depth", [100, 300, 600, 900])
def test_a_limit_of_depth_above_what_the_decoder_bears_gives_no_foreign_error(depth: int) -> None:
    limits = wg.Limits(depth=10_000)
    for wire, data in (
        (wg.json, b"[" * depth + b"]" * depth),
        (wg.msgpack, b"\x91" * depth + b"\x90"),
    ):
        with contextlib.suppress(wg.LimitError):
            assert len(wire.decode(data, list, limits=limits)) == 1


# -- keys and values ------------------------------------------------------------------------------

MANY = 4_000_000
_FREE = b'[{"role":"user","content":[],"metadata":{"a":[%b]}}]'
_PACKED_FREE = b"\x91\x83\xa4role\xa4user\xa7content\x90\xa8metadata\x81\xa1a\xdd%b%b"


@pytest.mark.parametrize(
    ("part", "size"),
    [(b"0", 1), (b"[]", 2), (b'{"":0}', 3), (b'[[[""]]]', 4)],
    ids=["numbers", "empty lists", "objects", "lists in lists"],
)
def test_free_data_of_too_many_values_is_refused_before_it_is_decoded(
    part: bytes, size: int
) -> None:
    data = _FREE % b",".join([part] * (MANY // size))
    with pytest.raises(wg.LimitError, match="more than 4,000,000 keys and values"):
        within(4 * len(data), lambda: wg.json.decode(data))


def test_packed_free_data_of_too_many_values_is_refused_before_it_is_decoded() -> None:
    data = _PACKED_FREE % (MANY.to_bytes(4, "big"), b"\x90" * MANY)
    with pytest.raises(wg.LimitError, match="more than 4,000,000 keys and values"):
        within(100_000, lambda: wg.msgpack.decode(data))


@pytest.mark.parametrize(
    ("data", "values"),
    [
        (b'[{"role":"user","content":[],"metadata":{"a":[1,2]}}]', 1 + 6 + 1 + 2 + 2),
        (
            b'[{"role":"user","content":[{"type":"text","text":"a, [b]: {\\"c\\\\"}]}]',
            1 + 4 + 1 + 4,
        ),
    ],
    ids=["keys, values and empty lists", "the marks of JSON in texts are not values"],
)
def test_keys_and_values_are_counted_alike_on_both_wires(data: bytes, values: int) -> None:
    packed = wg.msgpack.encode(wg.json.decode(data))
    for wire, body in ((wg.json, data), (wg.msgpack, packed)):
        wire.decode(body, limits=wg.Limits(values=values))
        with pytest.raises(wg.LimitError, match=f"more than {values - 1} keys and values"):
            wire.decode(body, limits=wg.Limits(values=values - 1))


def test_text_of_many_commas_is_not_refused() -> None:
    data = _FREE % (b'"%b"' % (b",:[{" * MANY))
    [entry] = wg.json.decode(data)
    assert len(entry.metadata["a"][0]) == 4 * MANY


def test_the_values_of_every_type_of_messagepack_are_counted() -> None:
    value = [None, True, 5, -5, 200, -200, 40_000, 2**40, 1.5, "a", "b" * 40, "c" * 300, b"d" * 300]
    value += ["e" * 70_000, b"f" * 70_000, [0] * 20, [0] * 70_000, {str(i): i for i in range(20)}]
    value += [{str(i): {} for i in range(70_000)}, 2**70]
    count = 20 + 20 + 70_000 + 40 + 3 * 70_000
    data = wg.msgpack.encode(wg.ExtensionMessage("k", value))
    count += 2 * 3
    assert wg.msgpack.decode(data, limits=wg.Limits(values=count), type=wg.AgentMessage)
    with pytest.raises(wg.LimitError):
        wg.msgpack.decode(data, limits=wg.Limits(values=count - 1), type=wg.AgentMessage)
