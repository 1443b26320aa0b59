"""Model values -> native bytes: the bytes of each shape on both wires, and what has none."""

import contextlib
import sys
from pathlib import Path
from typing import Any

import pytest

import wireglot as wg
from wireglot.model.base import UnknownKeys

PNG = b"\x89PNG\r\n\x1a\n"


def _unknown(**keys: Any) -> wg.Extras:
    return {"wireglot": wg.Extra(UnknownKeys.of(keys))}


# One row: what it shows, the value, JSON, the same as MessagePack.
CASES: list[tuple[str, Any, bytes, bytes]] = [
    ("an empty session", [], b"[]", b"\x90"),
    (
        "a message",
        [wg.UserMessage([wg.TextBlock("Hi")], timestamp=5)],
        b'[{"role":"user","content":[{"type":"text","text":"Hi"}],"timestamp":5}]',
        b"\x91\x83\xa4role\xa4user\xa7content\x91\x82\xa4type\xa4text\xa4text\xa2Hi"
        b"\xa9timestamp\x05",
    ),
    (
        "a message in a session",
        [wg.UserMessage([])],
        b'[{"role":"user","content":[]}]',
        b"\x91\x82\xa4role\xa4user\xa7content\x90",
    ),
    (
        "a place in the session",
        wg.UserMessage(
            [],
            turn_id=wg.model.TurnId("l", 2),
            node_id=3,
            parent_id=0,
            tags=[],
            provenance_hint=wg.model.HintUnknown(),
        ),
        b'{"role":"user","content":[],"turnId":{"loopId":"l","turnIndex":2},"nodeId":3,'
        b'"parentId":0,"tags":[],"provenanceHint":{"kind":"unknown"}}',
        b"\x87\xa4role\xa4user\xa7content\x90\xa6turnId\x82\xa6loopId\xa1l\xa9turnIndex\x02"
        b"\xa6nodeId\x03\xa8parentId\x00\xa4tags\x90\xaeprovenanceHint\x81\xa4kind\xa7unknown",
    ),
    (
        "a turn id that was cleared",
        wg.UserMessage([], turn_id=wg.model.TurnId("l", 2)).with_turn_id(None),
        b'{"role":"user","content":[]}',
        b"\x82\xa4role\xa4user\xa7content\x90",
    ),
    (
        "usage, whose counts are always written",
        wg.Usage(1, 2),
        b'{"input":1,"output":2,"reasoning":0,"cache_read":0,"cache_write":0,"total_tokens":0}',
        b"\x86\xa5input\x01\xa6output\x02\xa9reasoning\x00\xaacache_read\x00\xabcache_write\x00"
        b"\xactotal_tokens\x00",
    ),
    (
        "an extension without data",
        wg.ExtensionMessage("k", None),
        b'{"role":"extension","kind":"k","data":null}',
        b"\x83\xa4role\xa9extension\xa4kind\xa1k\xa4data\xc0",
    ),
    (
        "an extension of an odd role",
        wg.ExtensionMessage("k", 1, _unknown(role="lighthouse", x=2)),
        b'{"role":"lighthouse","kind":"k","data":1,"x":2}',
        b"\x84\xa4role\xaalighthouse\xa4kind\xa1k\xa4data\x01\xa1x\x02",
    ),
    (
        "unknown keys behind the known ones",
        wg.TextBlock("a", signature="s", extras=_unknown(b=1, a=[None])),
        b'{"type":"text","text":"a","signature":"s","b":1,"a":[null]}',
        b"\x85\xa4type\xa4text\xa4text\xa1a\xa9signature\xa1s\xa1b\x01\xa1a\x91\xc0",
    ),
    (
        "a known key wins over an unknown one of its name",
        wg.TextBlock("a", extras=_unknown(text="b", type="image")),
        b'{"type":"text","text":"a"}',
        b"\x82\xa4type\xa4text\xa4text\xa1a",
    ),
    (
        "keys of another API",
        wg.TextBlock("a", extras={"gemini": wg.Extra(wg.RawJson('{"k": 1e2}'))}),
        b'{"type":"text","text":"a","extras":{"gemini":{"keys":{"k": 1e2}}}}',
        b'\x83\xa4type\xa4text\xa4text\xa1a\xa6extras\x81\xa6gemini\x81\xa4keys\xc4\x0a{"k": 1e2}',
    ),
    (
        "arguments as Python data",
        wg.ToolCallBlock("c", "n", {"é": [1.0, None]}),
        '{"type":"toolCall","id":"c","name":"n","arguments":{"é":[1.0,null]}}'.encode(),
        b"\x84\xa4type\xa8toolCall\xa2id\xa1c\xa4name\xa1n\xa9arguments\xc4\x11"
        b'{"\xc3\xa9":[1.0,null]}',
    ),
    (
        "arguments as the model's text",
        wg.ToolCallBlock("c", "n", '{"b":1e2, "a":1}'),
        b'{"type":"toolCall","id":"c","name":"n","arguments":{"b":1e2, "a":1}}',
        b'\x84\xa4type\xa8toolCall\xa2id\xa1c\xa4name\xa1n\xa9arguments\xc4\x10{"b":1e2, "a":1}',
    ),
    (
        "arguments that are broken",
        wg.ToolCallBlock("c", "n", '{"b":'),
        b'{"type":"toolCall","id":"c","name":"n","arguments":"{\\"b\\":"}',
        b'\x84\xa4type\xa8toolCall\xa2id\xa1c\xa4name\xa1n\xa9arguments\xc4\x05{"b":',
    ),
    (
        "an integer beyond 64 bits in free data",
        wg.UserMessage([], metadata={"n": -(2**64)}),
        b'{"role":"user","content":[],"metadata":{"n":-18446744073709551616}}',
        b"\x83\xa4role\xa4user\xa7content\x90\xa8metadata\x81\xa1n\xc7\x15\x01-18446744073709551616",
    ),
    (
        "an integer beyond 64 bits as the whole of free data",
        wg.ExtensionMessage("k", 2**64),
        b'{"role":"extension","kind":"k","data":18446744073709551616}',
        b"\x83\xa4role\xa9extension\xa4kind\xa1k\xa4data\xc7\x14\x0118446744073709551616",
    ),
    (
        "an integer beyond 64 bits in a session",
        [wg.UserMessage([], metadata={"n": 2**64})],
        b'[{"role":"user","content":[],"metadata":{"n":18446744073709551616}}]',
        b"\x91\x83\xa4role\xa4user\xa7content\x90\xa8metadata\x81\xa1n\xc7\x14\x0118446744073709551616",
    ),
    (
        "an integer beyond 64 bits beside unknown keys",
        [wg.UserMessage([], metadata={"n": 2**64}), wg.UserMessage([], extras=_unknown(x=1))],
        b'[{"role":"user","content":[],"metadata":{"n":18446744073709551616}},'
        b'{"role":"user","content":[],"x":1}]',
        b"\x92\x83\xa4role\xa4user\xa7content\x90\xa8metadata\x81\xa1n\xc7\x14\x0118446744073709551616"
        b"\x83\xa4role\xa4user\xa7content\x90\xa1x\x01",
    ),
]


@pytest.mark.parametrize(
    ("value", "expected"), [(case[1], case[2]) for case in CASES], ids=[case[0] for case in CASES]
)
def test_json_is_exactly(value: Any, expected: bytes) -> None:
    assert wg.json.encode(value) == expected


@pytest.mark.parametrize(
    ("value", "expected"), [(case[1], case[3]) for case in CASES], ids=[case[0] for case in CASES]
)
def test_messagepack_is_exactly(value: Any, expected: bytes) -> None:
    assert wg.msgpack.encode(value) == expected


# -- media ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("media", "text", "packed"),
    [
        (wg.Media.from_bytes(PNG), b'"iVBORw0KGgo="', b"\xc4\x08" + PNG),
        (wg.Media.from_bytes(bytearray(PNG)), b'"iVBORw0KGgo="', b"\xc4\x08" + PNG),
        (wg.Media.from_bytes(b""), b'""', b"\xc4\x00"),
        (wg.Media.from_base64("iVBORw0KGgo="), b'"iVBORw0KGgo="', b"\xc4\x08" + PNG),
        (wg.Media.from_base64(b"iVBORw0KGgo="), b'"iVBORw0KGgo="', b"\xc4\x08" + PNG),
        (wg.Media.from_base64("iVBORw0KGgo"), b'"iVBORw0KGgo"', b"\xabiVBORw0KGgo"),
        (wg.Media.from_base64("_-8="), b'"_-8="', b"\xa4_-8="),
        (wg.Media.from_base64("AA\nEC"), b'"AA\\nEC"', b"\xa5AA\nEC"),
        (wg.Media.from_base64("AB=="), b'"AB=="', b"\xa4AB=="),
        (wg.Media.from_base64('"\\é'), '"\\"\\\\é"'.encode(), b'\xa4"\\\xc3\xa9'),
        (wg.Media.from_data_url("data:image/png;base64,iVBO"), b'"iVBO"', b"\xc4\x03\x89PN"),
        (wg.Media.from_data_url("data:,hi%21"), b'"aGkh"', b"\xc4\x03hi!"),
    ],
    ids=[
        "binary",
        "a writable buffer",
        "nothing",
        "base64 text",
        "base64 bytes",
        "base64 without padding",
        "base64 of the other alphabet",
        "base64 in lines",
        "base64 with stray bits",
        "no base64 at all",
        "a data URL of base64",
        "a data URL of text",
    ],
)
def test_media_go_out_as_base64_and_as_binary_where_nothing_changes(
    media: wg.Media, text: bytes, packed: bytes
) -> None:
    block = wg.DataBlock(data=media)
    assert wg.json.encode(block) == b'{"type":"data","data":' + text + b"}"
    assert wg.msgpack.encode(block) == b"\x82\xa4type\xa4data\xa4data" + packed


def test_media_that_came_as_json_with_escapes_are_binary_in_messagepack() -> None:
    block = wg.json.decode(b'{"type":"data","data":"\\/9j\\/"}', wg.DataBlock)
    assert wg.msgpack.encode(block).endswith(b"\xa4data\xc4\x03\xff\xd8\xff")


def test_a_payload_that_is_joined_at_the_end_leaves_what_stands_beside_it_alone() -> None:
    image = wg.ImageBlock.from_bytes(bytes(75_000), "image/png")
    call = wg.ToolCallBlock("c", "n", '{"a": 1}')
    assert wg.json.encode([wg.UserMessage([image]), wg.AssistantMessage([call])]) == (
        b'[{"role":"user","content":[{"type":"image","data":"' + b"A" * 100_000 + b'",'
        b'"mimeType":"image/png"}]},{"role":"assistant","content":[{"type":"toolCall","id":"c",'
        b'"name":"n","arguments":{"a": 1}}]}]'
    )


def test_media_of_a_file_are_read_when_they_are_written(tmp_path: Path) -> None:
    path = tmp_path / "dot.png"
    path.write_bytes(PNG)
    block = wg.ImageBlock.from_file(path)
    assert wg.json.encode(block) == (
        b'{"type":"image","data":"iVBORw0KGgo=","mimeType":"image/png","filename":"dot.png"}'
    )


@pytest.mark.parametrize("wire", ["json", "msgpack"])
def test_media_of_a_file_that_is_gone_are_an_encode_error(wire: str, tmp_path: Path) -> None:
    block = wg.DataBlock(data=wg.Media.from_file(tmp_path / "gone"))
    with pytest.raises(wg.EncodeError, match="No such file"):
        getattr(wg, wire).encode([wg.UserMessage([block])])


# -- stable bytes ---------------------------------------------------------------------------------

GROWING: list[wg.AgentMessage] = [
    wg.SystemMessage.from_text("Be brief."),
    wg.UserMessage([wg.TextBlock("Hi")], turn_id=wg.model.TurnId("l", 0)),
    wg.ExtensionMessage("k", {"a": 1}),
    wg.AssistantMessage([wg.ToolCallBlock("c", "n", "{}")], extras=_unknown(x=1)),
    wg.ToolResultMessage("c", content=[wg.ImageBlock.from_bytes(PNG)]),
    wg.ExtensionMessage("k", 1, _unknown(role="odd")),
]


@pytest.mark.parametrize("size", range(len(GROWING) + 1))
def test_a_longer_session_starts_with_the_bytes_of_the_shorter_one(size: int) -> None:
    shorter = wg.json.encode(GROWING[:size])
    assert wg.json.encode(GROWING).startswith(shorter[:-1])


def test_extras_under_our_own_name_do_not_break_the_prefix() -> None:
    first = wg.UserMessage([], extras={"wireglot": wg.Extra({"q": 1})})
    second = wg.UserMessage([], extras=_unknown(x=1))
    assert wg.json.encode([first, second]).startswith(wg.json.encode([first])[:-1])


@pytest.mark.parametrize("wire", ["json", "msgpack"])
@pytest.mark.parametrize(
    "data",
    [
        b'[{"role":"toolResult","toolCallId":"c","content":[],"isError":false}]',
        b'[{"role":"assistant","content":[],"nodeId":1}]',
        b'[{"role":"user","content":[]}]',
    ],
    ids=["a tool result", "an assistant message", "a user message"],
)
def test_looking_at_a_message_does_not_change_its_bytes(wire: str, data: bytes) -> None:
    encode = getattr(wg, wire).encode
    session = wg.json.decode(data)
    before = encode(session)
    assert session[0].as_llm().content == []
    assert encode(session) == before


@pytest.mark.parametrize("wire", ["json", "msgpack"])
def test_equal_values_have_equal_bytes(wire: str) -> None:
    encode = getattr(wg, wire).encode
    spelled_out = wg.json.decode(b'{"type":"annotation","kind":"citation"}', wg.AnnotationBlock)
    assert spelled_out == wg.AnnotationBlock()
    assert encode(spelled_out) == encode(wg.AnnotationBlock())


@pytest.mark.parametrize(
    ("name", "value", "key"),
    [
        ("turn_id", wg.model.TurnId("new", 9), b'"turnId":{"loopId":"new","turnIndex":9}'),
        ("node_id", 9, b'"nodeId":9'),
        ("parent_id", 9, b'"parentId":9'),
        ("tags", [], b'"tags":[]'),
        ("provenance_hint", wg.model.HintSteering(), b'"provenanceHint":{"kind":"steering"}'),
    ],
    ids=["a turn id", "a node id", "a parent id", "tags", "a hint"],
)
@pytest.mark.parametrize("looked_at", [False, True], ids=["untouched", "looked at"])
def test_a_field_set_on_a_decoded_message_is_written(
    name: str, value: Any, key: bytes, looked_at: bool
) -> None:
    [message] = wg.json.decode(b'[{"role":"user","content":[]}]')
    if looked_at:
        assert message.as_llm() is not None
    setattr(message, name, value)
    assert getattr(message, name) == value
    assert wg.json.encode([message]) == b'[{"role":"user","content":[],%b}]' % key


def test_a_message_set_on_a_pair_is_written() -> None:
    [pair] = wg.json.decode(b'[{"role":"user","content":[],"nodeId":1}]', list[wg.LlmMessage])
    pair.message = wg.SystemMessage([])
    assert wg.json.encode([pair]) == b'[{"role":"system","content":[],"nodeId":1}]'


def test_a_change_inside_a_decoded_message_is_written() -> None:
    [message] = wg.json.decode(b'[{"role":"user","content":[]}]')
    message.as_llm().content.append(wg.TextBlock("more"))
    assert wg.json.encode([message]) == (
        b'[{"role":"user","content":[{"type":"text","text":"more"}]}]'
    )


def test_another_thread_may_take_a_message_apart_at_any_point_of_an_encode() -> None:
    data = b'[{"role":"extension","kind":"k","data":1},{"role":"user","content":[],"nodeId":1}]'
    for point in range(400):
        session = wg.json.decode(data)
        steps = 0

        def trace(
            frame: Any, event: str, _: Any, point: int = point, session: Any = session
        ) -> Any:
            nonlocal steps
            frame.f_trace_opcodes = True
            if event == "opcode":
                steps += 1
                if steps == point:
                    session[1].as_llm()  # as another thread would, between two instructions
            return trace

        before = sys.gettrace()
        sys.settrace(trace)
        try:
            encoded = wg.json.encode(session)
        finally:
            sys.settrace(before)
        assert encoded == data
        if steps < point:
            return
    pytest.fail("the encode has more instructions than this test goes through")


# -- what cannot be written -----------------------------------------------------------------------

HALF = "\ud83d"


@pytest.mark.parametrize("wire", ["json", "msgpack"])
@pytest.mark.parametrize(
    ("value", "path"),
    [
        ([wg.UserMessage([wg.TextBlock(f"a{HALF}b")])], "$[0].content[0].text"),
        ([wg.UserMessage([wg.TextBlock(HALF)])], "$[0].content[0].text"),
        (
            [wg.UserMessage([], turn_id=wg.model.TurnId(HALF, 1))],
            "$[0].turnId.loopId",
        ),
        (
            [wg.UserMessage([]), wg.UserMessage([], metadata={"k": [1, HALF]})],
            "$[1].metadata.k[1]",
        ),
        ([wg.ExtensionMessage("k", {"a": HALF})], "$[0].data.a"),
        (wg.TextBlock(HALF), "$.text"),
        (wg.ToolResultBlock("c", content=[wg.TextBlock(HALF)]), "$.content[0].text"),
        ([wg.UserMessage([wg.TextBlock(HALF)], extras=_unknown(x=1))], "$[0].content[0].text"),
    ],
    ids=[
        "in a message",
        "in a message of a session",
        "in a place",
        "in metadata",
        "in an extension",
        "in a block",
        "in a tool result",
        "beside unknown keys",
    ],
)
def test_a_lone_surrogate_is_an_encode_error_or_a_loss(wire: str, value: Any, path: str) -> None:
    encode = getattr(wg, wire).encode
    with pytest.raises(wg.EncodeError, match="lone surrogate") as caught:
        encode(value)
    assert (caught.value.wire, caught.value.path) == (wire, path)
    losses: list[wg.Loss] = []
    assert b"\xef\xbf\xbd" in encode(value, losses=losses)
    assert [(loss.path, loss.what) for loss in losses] == [(path, "lone surrogate")]


@pytest.mark.parametrize("wire", ["json", "msgpack"])
def test_keys_that_are_equal_without_surrogates_are_further_losses(wire: str) -> None:
    codec = getattr(wg, wire)
    losses: list[wg.Loss] = []
    value = wg.UserMessage([], metadata={HALF: 1, "ok": 2, "\ufffd": {HALF: HALF}})
    made = codec.decode(codec.encode([value], losses=losses))
    assert made[0].as_llm().metadata == {"\ufffd": {"\ufffd": "\ufffd"}, "ok": 2}
    assert [(loss.what, loss.path) for loss in losses] == [
        ("lone surrogate", "$[0].metadata"),
        ("value of a key", "$[0].metadata.\ufffd"),
        ("lone surrogate", "$[0].metadata.\ufffd"),
        ("lone surrogate", "$[0].metadata.\ufffd.\ufffd"),
    ]


def test_a_lone_surrogate_is_replaced_and_all_else_is_as_it_was() -> None:
    losses: list[wg.Loss] = []
    value = [wg.UserMessage([wg.TextBlock(f"a{HALF}b\U0001f600"), wg.TextBlock("c")], timestamp=1)]
    assert (
        wg.json.encode(value, losses=losses)
        == (
            '[{"role":"user","content":[{"type":"text","text":"a\ufffdb\U0001f600"},'
            '{"type":"text","text":"c"}],"timestamp":1}]'
        ).encode()
    )
    assert [str(loss) for loss in losses] == [
        "lone surrogate: half a character is not Unicode text; U+FFFD takes its place"
        " - at `$[0].content[0].text`"
    ]
    assert value[0].content[0].text == f"a{HALF}b\U0001f600"


@pytest.mark.parametrize("wire", ["json", "msgpack"])
@pytest.mark.parametrize(
    ("value", "path"),
    [
        ([wg.UserMessage([], metadata={"a": object()})], "$[0].metadata.a"),
        ([object()], "$[0]"),
        ([wg.UserMessage([object()])], "$[0].content[0]"),  # type: ignore[list-item]
    ],
    ids=["in metadata", "as a message", "as a block"],
)
def test_a_foreign_value_is_an_encode_error(wire: str, value: Any, path: str) -> None:
    with pytest.raises(wg.EncodeError) as caught:
        getattr(wg, wire).encode(value)
    assert str(caught.value) == f"{wire}: `object`, expected a type of the model - at `{path}`"
    assert type(caught.value.__cause__) is TypeError


class _Mine(wg.UserMessage):
    pass


_OTHERS = "a message"
_WRAPPED = "a message for an LLM; use `llm_messages(session)`"
_TEXT = "a message; use `UserMessage.from_text`"
_DICT = "a message; use `from_builtins`"


@pytest.mark.parametrize(
    ("held", "name", "step"),
    [
        (_Mine([]), "_Mine", _OTHERS),
        (wg.CustomMessage("x"), "CustomMessage", _WRAPPED),
        (wg.LlmMessage(wg.UserMessage([])), "LlmMessage", _OTHERS),
        (None, "NoneType", _OTHERS),
        ("Hello", "str", _TEXT),
        ({"role": "user"}, "dict", _DICT),
    ],
)
def test_what_is_not_a_message_has_no_place_in_a_session(held: Any, name: str, step: str) -> None:
    reason = f"model: `{name}`, expected {step} - at `$`"
    with pytest.raises(wg.EncodeError) as caught:
        wg.LlmMessage(held)
    assert str(caught.value) == reason
    assigned = wg.LlmMessage(wg.UserMessage([]), wg.model.TurnId("l", 0))
    with pytest.raises(wg.EncodeError) as caught:
        assigned.message = held
    assert str(caught.value) == reason
    if name not in ("LlmMessage", "CustomMessage"):
        with pytest.raises(wg.EncodeError) as caught:
            wg.llm_messages([held])
        assert str(caught.value) == reason.replace("`$`", "`$[0]`")


def test_the_messages_for_an_llm_may_be_bare_ones() -> None:
    hello = wg.UserMessage.from_text("Hello")
    assert wg.llm_messages([hello, wg.CustomMessage("x"), hello]) == [hello, hello]  # type: ignore[list-item]


def test_an_integer_field_beyond_64_bits_is_an_encode_error_in_messagepack() -> None:
    with pytest.raises(wg.EncodeError) as caught:
        wg.msgpack.encode([wg.UserMessage([], timestamp=2**64)])
    assert str(caught.value) == "msgpack: integer beyond 64 bits - at `$[0].timestamp`"


@pytest.mark.parametrize(
    ("block", "path"),
    [
        (wg.DocumentBlock(file_id="f", pages=[1, 2**64]), "$.pages[1]"),
        (wg.AnnotationBlock("note", [], [(0, 5), (7, 2**64)]), "$.spans[1][1]"),
    ],
)
def test_an_integer_beyond_64_bits_in_a_list_has_no_messagepack_either(
    block: wg.Content, path: str
) -> None:
    with pytest.raises(wg.EncodeError) as caught:
        wg.msgpack.encode(block)
    assert str(caught.value) == f"msgpack: integer beyond 64 bits - at `{path}`"


def test_a_key_beyond_64_bits_has_no_messagepack_either() -> None:
    with pytest.raises(wg.EncodeError) as caught:
        wg.msgpack.encode([wg.UserMessage([], metadata={"a": [{2**64: 1}]})])
    assert str(caught.value) == (
        "msgpack: integer beyond 64 bits as a key, expected text - at `$[0].metadata.a[0]`"
    )


@pytest.mark.parametrize("wire", ["json", "msgpack"])
def test_a_plain_dict_around_messages_gives_no_foreign_error(wire: str) -> None:
    value = {"session": [wg.UserMessage([], extras=_unknown(x=1))]}
    try:
        encoded = getattr(wg, wire).encode(value)
    except wg.EncodeError:
        return
    assert b"x" in encoded


@pytest.mark.parametrize("wire", ["json", "msgpack"])
def test_an_integer_of_over_4300_digits_is_an_encode_error(wire: str) -> None:
    with pytest.raises(wg.EncodeError):
        getattr(wg, wire).encode([wg.UserMessage([], metadata={"n": 10**5000})])


@pytest.mark.parametrize("wire", ["json", "msgpack"])
def test_a_value_nested_without_end_is_an_encode_error(wire: str) -> None:
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(wg.EncodeError, match="nested too deeply"):
        getattr(wg, wire).encode([wg.UserMessage([], metadata={"a": deep})])


@pytest.mark.parametrize("wire", ["json", "msgpack"])
@pytest.mark.parametrize("leaf", [HALF, 2**70], ids=["a lone surrogate", "a big integer"])
def test_a_deep_value_that_has_to_be_mended_gives_no_foreign_error(wire: str, leaf: Any) -> None:
    for depth in range(200, 1000, 50):
        deep = leaf
        for _ in range(depth):
            deep = [deep]
        with contextlib.suppress(wg.EncodeError):
            getattr(wg, wire).encode([wg.UserMessage([], metadata={"a": deep})], losses=[])


@pytest.mark.parametrize("wire", ["json", "msgpack"])
def test_a_set_with_a_lone_surrogate_gives_no_foreign_error(wire: str) -> None:
    value = [wg.UserMessage([], metadata={"a": {HALF}})]
    with pytest.raises(wg.EncodeError):
        getattr(wg, wire).encode(value)


@pytest.mark.parametrize("wire", ["json", "msgpack"])
def test_arguments_that_are_no_utf_8_are_an_encode_error(wire: str) -> None:
    with pytest.raises(wg.EncodeError, match="text is not UTF-8"):
        getattr(wg, wire).encode(wg.ToolCallBlock("c", "n", b"\xff"))


@pytest.mark.parametrize("value", [float("nan"), float("inf"), {"a": [float("-inf")]}])
def test_nan_and_infinity_in_raw_json_are_an_encode_error(value: Any) -> None:
    with pytest.raises(wg.EncodeError, match="expected a finite number"):
        wg.ToolCallBlock("c", "n", {"x": value})
    with pytest.raises(wg.EncodeError, match="expected a finite number"):
        wg.OpaqueBlock("api", wg.RawJson.of(value))
