"""Native bytes -> model values: what each shape becomes, on both wires, and what is not copied."""

import copy
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

import wireglot as wg
from tests.memory import within
from wireglot import queue

PNG = b"\x89PNG\r\n\x1a\n"


def _keys(extras: wg.Extras | None) -> Any:
    return {api: extra.keys.value for api, extra in (extras or {}).items()}


# One row: what it shows, JSON, the same as MessagePack, the value.
CASES: list[tuple[str, bytes, bytes, wg.AgentMessage]] = [
    (
        "a user message",
        b'{"role":"user","content":[{"type":"text","text":"Hi"}],"timestamp":5}',
        b"\x83\xa4role\xa4user\xa7content\x91\x82\xa4type\xa4text\xa4text\xa2Hi\xa9timestamp\x05",
        wg.UserMessage([wg.TextBlock("Hi")], timestamp=5),
    ),
    (
        "keys in any order",
        b'{"content":[{"text":"Hi","type":"text"}],"timestamp":5,"role":"user"}',
        b"\x83\xa7content\x91\x82\xa4text\xa2Hi\xa4type\xa4text\xa9timestamp\x05\xa4role\xa4user",
        wg.UserMessage([wg.TextBlock("Hi")], timestamp=5),
    ),
    (
        "an assistant message with usage in snake case",
        b'{"role":"assistant","content":[],"stopReason":"toolUse",'
        b'"usage":{"input":1,"output":2,"cache_read":3},"error_message":"e"}',
        b"\x85\xa4role\xa9assistant\xa7content\x90\xaastopReason\xa7toolUse"
        b"\xa5usage\x83\xa5input\x01\xa6output\x02\xaacache_read\x03\xaderror_message\xa1e",
        wg.AssistantMessage(
            [],
            stop_reason=wg.StopReason.TOOL_USE,
            usage=wg.Usage(1, 2, cache_read=3),
            error_message="e",
        ),
    ),
    (
        "a tool result, isError left out",
        b'{"role":"toolResult","toolCallId":"c","content":[]}',
        b"\x83\xa4role\xaatoolResult\xaatoolCallId\xa1c\xa7content\x90",
        wg.ToolResultMessage("c", content=[], is_error=False),
    ),
    (
        "a child loop id in camel case",
        b'{"role":"toolResult","toolCallId":"c","content":[],"childLoopId":"l"}',
        b"\x84\xa4role\xaatoolResult\xaatoolCallId\xa1c\xa7content\x90\xabchildLoopId\xa1l",
        wg.ToolResultMessage("c", child_loop_id="l"),
    ),
    (
        "a child loop id in snake case",
        b'{"role":"toolResult","toolCallId":"c","content":[],"child_loop_id":"l"}',
        b"\x84\xa4role\xaatoolResult\xaatoolCallId\xa1c\xa7content\x90\xadchild_loop_id\xa1l",
        wg.ToolResultMessage("c", child_loop_id="l"),
    ),
    (
        "a place in the session",
        b'{"role":"user","content":[],"turnId":{"loopId":"l","turnIndex":2},"nodeId":3,'
        b'"provenanceHint":{"kind":"steering"}}',
        b"\x85\xa4role\xa4user\xa7content\x90\xa6turnId\x82\xa6loopId\xa1l\xa9turnIndex\x02"
        b"\xa6nodeId\x03\xaeprovenanceHint\x81\xa4kind\xa8steering",
        wg.UserMessage(
            [], turn_id=wg.model.TurnId("l", 2), node_id=3, provenance_hint=wg.model.HintSteering()
        ),
    ),
    (
        "null for what is optional",
        b'{"role":"user","content":[],"timestamp":null,"turnId":null,"name":null,"extras":null}',
        b"\x86\xa4role\xa4user\xa7content\x90\xa9timestamp\xc0\xa6turnId\xc0\xa4name\xc0\xa6extras\xc0",
        wg.UserMessage([]),
    ),
    (
        "an image",
        b'{"role":"user","content":[{"type":"image","data":"iVBORw0KGgo="}]}',
        b"\x82\xa4role\xa4user\xa7content\x91\x82\xa4type\xa5image\xa4data\xc4\x08" + PNG,
        wg.UserMessage([wg.ImageBlock(data=wg.Media.from_bytes(PNG))]),
    ),
    (
        "an image as base64 text in MessagePack",
        b'{"role":"user","content":[{"type":"image","data":"iVBORw0KGgo="}]}',
        b"\x82\xa4role\xa4user\xa7content\x91\x82\xa4type\xa5image\xa4data\xaciVBORw0KGgo=",
        wg.UserMessage([wg.ImageBlock(data=wg.Media.from_bytes(PNG))]),
    ),
    (
        "an extension",
        b'{"role":"extension","kind":"k","data":null}',
        b"\x83\xa4role\xa9extension\xa4kind\xa1k\xa4data\xc0",
        wg.ExtensionMessage("k", None),
    ),
    (
        "a branch summary",
        b'{"role":"branchSummary","summary":"s","fromId":"f"}',
        b"\x83\xa4role\xadbranchSummary\xa7summary\xa1s\xa6fromId\xa1f",
        wg.BranchSummaryMessage("s", from_id="f"),
    ),
]


@pytest.mark.parametrize(
    ("data", "expected"), [(case[1], case[3]) for case in CASES], ids=[case[0] for case in CASES]
)
def test_json_decodes(data: bytes, expected: wg.AgentMessage) -> None:
    assert wg.json.decode(b"[" + data + b"]") == [expected]
    assert wg.json.decode(data, wg.AgentMessage) == expected


@pytest.mark.parametrize(
    ("data", "expected"), [(case[2], case[3]) for case in CASES], ids=[case[0] for case in CASES]
)
def test_messagepack_decodes(data: bytes, expected: wg.AgentMessage) -> None:
    assert wg.msgpack.decode(b"\x91" + data) == [expected]
    assert wg.msgpack.decode(data, wg.AgentMessage) == expected


# -- other types than a session -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "kind", "expected"),
    [
        (b'{"role":"user","content":[]}', wg.Message, wg.UserMessage([])),
        (b'[{"role":"user","content":[]}]', list[wg.Message], [wg.UserMessage([])]),
        (b'{"role":"user","content":[]}', wg.UserMessage, wg.UserMessage([])),
        (
            b'{"role":"user","content":[],"nodeId":1}',
            wg.LlmMessage,
            wg.LlmMessage(wg.UserMessage([]), node_id=1),
        ),
        (
            b'[{"role":"user","content":[],"nodeId":1}]',
            list[wg.LlmMessage],
            [wg.LlmMessage(wg.UserMessage([]), node_id=1)],
        ),
        (
            b'[{"role":"user","content":[],"nodeId":1}]',
            list[wg.AgentMessage],
            [wg.UserMessage([], node_id=1)],
        ),
        (b'{"type":"text","text":"a"}', wg.Content, wg.TextBlock("a")),
        (b'{"type":"annotation"}', wg.Content, wg.AnnotationBlock("citation", [])),
        (b'{"input":1}', wg.Usage, wg.Usage(1)),
        (b'{"messages":[],"model":"m"}', wg.Request, wg.Request([], model="m")),
        (
            b'{"message":{"role":"assistant","content":[]}}',
            wg.Response,
            wg.Response(wg.AssistantMessage([])),
        ),
    ],
    ids=[
        "a message",
        "a list of messages",
        "a message of one role",
        "a pair of a message and its place",
        "a list of pairs",
        "a session",
        "a block",
        "a block of defaults",
        "usage",
        "a request",
        "a response",
    ],
)
def test_another_type_decodes(data: bytes, kind: Any, expected: Any) -> None:
    assert wg.json.decode(data, kind) == expected
    assert wg.json.decode(data, type=kind) == expected
    assert wg.msgpack.decode(wg.msgpack.encode(expected), kind) == expected


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b'{"role":"assistant","content":[]}', wg.UserMessage),
        (b'{"type":"image","text":"a"}', wg.TextBlock),
        (b'{"message":{"role":"user","content":[]}}', wg.Response),
        (b'[{"role":"user","content":[{"type":"video","thumbnail":{"type":"text"}}]}]', None),
        (b'[{"role":"extension","kind":"k","data":1}]', list[wg.Message]),
    ],
    ids=[
        "an assistant message where a user message is asked for",
        "an image where text is asked for",
        "a user message as a response",
        "a text as a thumbnail",
        "an extension as a message for an LLM",
    ],
)
def test_one_kind_is_never_taken_for_another(data: bytes, kind: Any) -> None:
    with pytest.raises(wg.DecodeError):
        wg.json.decode(data, kind or list[wg.AgentMessage])


# -- tool arguments -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (b"1e2", 100.0),
        (b'{"z":1,"a":2}', {"z": 1, "a": 2}),
        (b"123456789012345678901234567890", 123456789012345678901234567890),
        (b'{ "a" : [ 1 ,\t2 ] }', {"a": [1, 2]}),
        (b'{"a":1,"a":2}', {"a": 2}),
        (b'{"a":"\\u0041\\/\\ud83d\\ude00"}', {"a": "A/😀"}),
        (b"-0.0", -0.0),
        (b"null", {}),
        (b"[]", []),
    ],
    ids=[
        "an exponent",
        "an order of keys",
        "an integer beyond 64 bits",
        "space inside",
        "the same key twice",
        "escapes",
        "minus zero",
        "null",
        "an empty list",
    ],
)
def test_arguments_keep_their_bytes(text: bytes, value: Any) -> None:
    data = b'[{"role":"assistant","content":[%b]}]' % (
        b'{"type":"toolCall","id":"c","name":"n","arguments":' + text + b"}"
    )
    [message] = wg.json.decode(data)
    arguments = message.as_llm().tool_calls()[0].arguments
    assert arguments.text == text
    assert arguments.value == value
    assert wg.json.encode([message]) == data
    [packed] = wg.msgpack.decode(wg.msgpack.encode([message]))
    assert packed.tool_calls()[0].arguments.text == text
    assert wg.json.encode([packed]) == data


@pytest.mark.parametrize(
    ("written", "text"),
    [
        (b'"{\\"a\\": "', b'{"a": '),
        (b'""', b""),
        (b'"plain \\u0041"', b"plain A"),
        (b'"\\"quoted\\""', b'"quoted"'),
        (b'"1e2"', b"1e2"),
    ],
    ids=["broken JSON", "nothing", "words", "a JSON string", "JSON in a string"],
)
def test_arguments_in_a_json_string_are_the_text_in_it(written: bytes, text: bytes) -> None:
    data = b'{"type":"toolCall","id":"c","name":"n","arguments":' + written + b"}"
    assert wg.json.decode(data, wg.ToolCallBlock).arguments.text == text


@pytest.mark.parametrize(
    ("written", "packed"),
    [
        (b"{}", b"\xc4\x02{}"),
        (b'"{}"', b"\xa2{}"),
        (b'"[1]"', b"\xa3[1]"),
        (b'"1e2"', b"\xa31e2"),
        (b'"null"', b"\xa4null"),
        (b'" {} "', b"\xa4 {} "),
        (b'"{"', b"\xc4\x01{"),
        (b'""', b"\xc4\x00"),
        (b'"\\"x\\""', b'\xc4\x03"x"'),
        (b'"\xc3\xa9"', b"\xc4\x02\xc3\xa9"),
    ],
)
def test_arguments_in_a_json_string_are_in_one_after_messagepack_and_plain_data(
    written: bytes, packed: bytes
) -> None:
    data = b'[{"type":"toolCall","id":"c","name":"n","arguments":' + written + b"}]"
    calls = wg.json.decode(data, list[wg.ToolCallBlock])
    assert wg.json.encode(calls) == data
    made = wg.msgpack.encode(calls)
    assert made.endswith(b"arguments" + packed)
    for again in (
        wg.msgpack.decode(made, list[wg.ToolCallBlock]),
        wg.from_builtins(wg.to_builtins(calls), list[wg.ToolCallBlock]),
    ):
        assert wg.json.encode(again) == data
        assert wg.msgpack.encode(again) == made
        assert again[0].arguments == calls[0].arguments
    session = [wg.AssistantMessage([*calls], timestamp=1)]
    assert b'"arguments":' + written in wg.json.encode(queue.decode(queue.encode(session)))


@pytest.mark.parametrize(
    ("text", "native"),
    [
        (' {"a": 1}\n', b'{"a": 1}'),
        ('{"a":1}\x0b', b'"{\\"a\\":1}\\u000b"'),
        ("\x0c", b'"\\f"'),
    ],
    ids=["space around JSON", "a vertical tab, which JSON has not", "a form feed alone"],
)
def test_of_white_space_around_arguments_only_that_of_json_is_left_out(
    text: str, native: bytes
) -> None:
    call = wg.ToolCallBlock("c", "f", text)
    assert wg.json.encode(call).endswith(b'"arguments":%b}' % native)
    again = wg.msgpack.decode(wg.msgpack.encode(call), wg.ToolCallBlock)
    assert again.arguments.text == text.encode()


def test_a_number_for_a_key_of_metadata_comes_back_as_its_text() -> None:
    message = wg.UserMessage([], metadata={1: "a", 1.5: "b"})  # type: ignore[dict-item]
    for wire in (wg.json, wg.msgpack):
        again = wire.decode(wire.encode(message), wg.UserMessage)
        assert again.metadata == {"1": "a", "1.5": "b"}


def test_blank_arguments_have_the_value_of_an_empty_object() -> None:
    data = b'{"type":"toolCall","id":"c","name":"n","arguments":""}'
    assert wg.json.decode(data, wg.ToolCallBlock).arguments.value == {}


def test_broken_arguments_fail_when_they_are_parsed_and_not_before() -> None:
    data = b'{"type":"toolCall","id":"c","name":"n","arguments":"{"}'
    arguments = wg.json.decode(data, wg.ToolCallBlock).arguments
    with pytest.raises(wg.DecodeError, match=r"^json: Input data was truncated - at `\$`$"):
        _ = arguments.value


@pytest.mark.parametrize(
    ("packed", "text"),
    [
        (b"\x81\xa1a\x01", b'{"a":1}'),
        (b"\xa3{a}", b"{a}"),
        (b"\xc4\x031e2", b"1e2"),
        (b"\xc0", b"null"),
        (b"\xcb\x40\x59\x00\x00\x00\x00\x00\x00", b"100.0"),
    ],
    ids=["a map", "a str is the model's text", "a bin is the model's text", "nil", "a float"],
)
def test_arguments_in_messagepack_may_be_data_or_text(packed: bytes, text: bytes) -> None:
    data = b"\x84\xa4type\xa8toolCall\xa2id\xa1c\xa4name\xa1n\xa9arguments" + packed
    assert wg.msgpack.decode(data, wg.ToolCallBlock).arguments.text == text


# -- what is unknown ------------------------------------------------------------------------------


def test_unknown_keys_of_blocks_messages_and_usage_are_kept_where_they_stood() -> None:
    data = (
        b'[{"mood":"calm","role":"assistant","content":[{"type":"text","text":"a","b":[1e2]},'
        b'{"type":"toolResult","toolCallId":"c","content":[{"type":"text","text":"in","x":{}}]}],'
        b'"usage":{"tier":"gold","input":1}}]'
    )
    [message] = wg.json.decode(data)
    assert isinstance(message, wg.Message)
    assistant = message
    assert isinstance(assistant, wg.AssistantMessage)
    text, result = assistant.content
    assert isinstance(result, wg.ToolResultBlock)
    assert _keys(assistant.extras) == {"wireglot": {"mood": "calm"}}
    assert _keys(text.extras) == {"wireglot": {"b": [100.0]}}
    assert _keys(result.extras) == {}
    assert _keys(result.content[0].extras) == {"wireglot": {"x": {}}}
    assert assistant.usage is not None
    assert _keys(assistant.usage.extras) == {"wireglot": {"tier": "gold"}}
    assert wg.json.encode([message]) == (
        b'[{"role":"assistant","content":[{"type":"text","text":"a","b":[1e2]},'
        b'{"type":"toolResult","toolCallId":"c","content":[{"type":"text","text":"in","x":{}}]}],'
        b'"usage":{"input":1,"output":0,"reasoning":0,"cache_read":0,"cache_write":0,'
        b'"total_tokens":0,"tier":"gold"},"mood":"calm"}]'
    )


@pytest.mark.parametrize(
    "packed",
    [
        b"\xc4\x02\x00\xff",
        b"\xca\x3f\x80\x00\x00",
        b"\xd6\xff\x00\x00\x00\x00",
        b"\x81\x07\xc0",
        b"\xc7\x14\x0118446744073709551616",
    ],
    ids=["binary", "a short float", "a time", "an integer as key", "a big integer"],
)
def test_unknown_messagepack_keys_come_back_as_they_came(packed: bytes) -> None:
    data = b"\x91\x83\xa4role\xa4user\xa7content\x90\xa1x" + packed
    decoded = wg.msgpack.decode(data)
    assert wg.msgpack.encode(decoded) == data
    assert wg.msgpack.encode(copy.deepcopy(decoded)) == data


def test_keys_of_another_api_and_unknown_keys_stand_side_by_side() -> None:
    data = b'{"type":"text","text":"a","extras":{"gemini":{"keys":{"k":1}}},"own":2}'
    block = wg.json.decode(data, wg.TextBlock)
    assert _keys(block.extras) == {"gemini": {"k": 1}, "wireglot": {"own": 2}}
    assert wg.json.encode(block) == data


@pytest.mark.parametrize(
    "place",
    [
        b'"turnId":"seven"',
        b'"turnId":{"loopId":"l"}',
        b'"turnId":{"loopId":"l","turnIndex":"1"}',
        b'"nodeId":"n5"',
        b'"parentId":1.5',
        b'"tags":[{"kind":"lesson"}]',
        b'"tags":{}',
        b'"provenanceHint":{"kind":"hearsay"}',
        b'"provenanceHint":"steering"',
    ],
)
def test_a_malformed_place_costs_neither_the_message_nor_the_bytes(place: bytes) -> None:
    data = b'[{"role":"user","content":[{"type":"text","text":"Hi"}],%b}]' % place
    [message] = wg.json.decode(data)
    assert message.as_llm().text() == "Hi"
    assert (message.turn_id, message.node_id, message.parent_id) == (None, None, None)
    assert (message.tags, message.provenance_hint) == (None, None)
    assert wg.json.encode([message]) == data


def test_a_malformed_place_beside_a_good_one_leaves_the_good_one() -> None:
    [message] = wg.json.decode(b'[{"role":"user","content":[],"nodeId":4,"turnId":0}]')
    assert message.node_id == 4
    assert message.turn_id is None


def test_the_right_spelling_wins_over_the_other_one() -> None:
    data = b'[{"role":"toolResult","toolCallId":"c","childLoopId":"a","child_loop_id":"b"}]'
    [message] = wg.json.decode(data)
    assert message.as_llm().child_loop_id == "a"
    assert _keys(message.as_llm().extras) == {"wireglot": {"child_loop_id": "b"}}


@pytest.mark.parametrize(
    ("decode", "data"),
    [
        (
            wg.json.decode,
            b'[{"role":"toolResult","toolCallId":"c","childLoopId":null,"child_loop_id":"b"}]',
        ),
        (
            wg.msgpack.decode,
            b"\x91\x84\xa4role\xaatoolResult\xaatoolCallId\xa1c\xabchildLoopId\xc0"
            b"\xadchild_loop_id\xa1b",
        ),
    ],
    ids=["json", "msgpack"],
)
def test_a_key_that_is_null_leaves_its_place_to_the_other_spelling(
    decode: Any, data: bytes
) -> None:
    [message] = decode(data)
    assert message.as_llm().child_loop_id == "b"
    assert message.as_llm().extras is None


@pytest.mark.parametrize(
    ("data", "role"),
    [
        (b'{"role":"extension","kind":"k","data":1}', "extension"),
        (b'{"role":"lighthouse","kind":"k","data":1}', "lighthouse"),
        (b'{"role":"","kind":"k","data":1}', ""),
        (b'{"role":"user","kind":"k","data":1}', "user"),
        (b'{"role":"extension","kind":"k","data":1,"x":2}', "extension"),
        (b'{"role":"lighthouse","kind":"k","data":1,"x":2}', "lighthouse"),
        (b'{"role":"lighthouse","kind":"k","data":1,"extras":5}', "lighthouse"),
    ],
)
def test_an_extension_of_any_role_keeps_it_and_never_reaches_an_llm(data: bytes, role: str) -> None:
    message = wg.json.decode(data, wg.AgentMessage)
    assert type(message) is wg.ExtensionMessage
    assert (message.role, message.wire_role) == ("extension", role)
    assert (message.kind, message.data) == ("k", 1)
    assert message.as_llm() is None
    assert wg.json.encode(message) == data
    packed = wg.msgpack.encode(message)
    again = wg.msgpack.decode(packed, wg.AgentMessage)
    assert again == message
    assert again.wire_role == role
    assert wg.msgpack.encode(again) == packed


def test_the_fault_of_a_field_is_told_with_the_whole_path() -> None:
    keys = b"\x81\xc0\x01"  # a map whose only key is nil
    data = b"\x91\x83\xa4role\xa4user\xa7content\x90\xa6extras\x81\xa1a\x81\xa4keys" + keys
    with pytest.raises(wg.DecodeError) as caught:
        wg.msgpack.decode(data)
    assert caught.value.path == "$[0].extras[...]"


def test_a_user_message_that_has_a_kind_and_data_is_still_a_user_message() -> None:
    data = b'{"role":"user","content":[],"kind":"k","data":1}'
    message = wg.json.decode(data, wg.AgentMessage)
    assert message.as_llm() is not None
    assert wg.json.encode(message) == data


def test_the_last_of_two_equal_keys_wins() -> None:
    data = b'[{"role":"user","content":[],"timestamp":1,"timestamp":2,"x":3,"x":4}]'
    [message] = wg.json.decode(data)
    assert message.as_llm().timestamp == 2
    assert _keys(message.as_llm().extras) == {"wireglot": {"x": 4}}


# -- buffers --------------------------------------------------------------------------------------

SESSION = (
    b'[{"role":"user","content":[{"type":"text","text":"Hi"},'
    b'{"type":"image","data":"iVBORw0KGgo="}]},'
    b'{"role":"assistant","content":[{"type":"toolCall","id":"c","name":"n","arguments":{"a":1e2}},'
    b'{"type":"opaque","api":"x","raw":{"b":1}}],"mood":"calm"}]'
)
PACKED = (
    b"\x92\x82\xa4role\xa4user\xa7content\x92\x82\xa4type\xa4text\xa4text\xa2Hi"
    b"\x82\xa4type\xa5image\xa4data\xc4\x08" + PNG + b"\x83\xa4role\xa9assistant\xa7content\x92"
    b'\x84\xa4type\xa8toolCall\xa2id\xa1c\xa4name\xa1n\xa9arguments\xc4\x09{"a":1e2}'
    b'\x83\xa4type\xa6opaque\xa3api\xa1x\xa3raw\xc4\x07{"b":1}\xa4mood\xa4calm'
)


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview, lambda data: data.decode()])
def test_json_takes_every_buffer_and_text(kind: Any) -> None:
    assert wg.json.encode(wg.json.decode(kind(SESSION))) == SESSION


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
def test_messagepack_takes_every_buffer(kind: Any) -> None:
    assert wg.json.encode(wg.msgpack.decode(kind(PACKED))) == SESSION


@pytest.mark.parametrize("kind", [bytearray, lambda data: memoryview(bytearray(data))])
def test_a_writable_buffer_may_be_overwritten_after_the_decode(kind: Any) -> None:
    text, packed = kind(SESSION), kind(PACKED)
    from_text, from_packed = wg.json.decode(text), wg.msgpack.decode(packed)
    text[:] = b"\0" * len(text)
    packed[:] = b"\0" * len(packed)
    assert wg.json.encode(from_text) == SESSION
    assert wg.json.encode(from_packed) == SESSION


def test_a_view_with_gaps_is_read_too() -> None:
    spread = bytes(byte for pair in zip(SESSION, SESSION, strict=True) for byte in pair)
    assert wg.json.encode(wg.json.decode(memoryview(spread)[::2])) == SESSION
    spread = bytes(byte for pair in zip(PACKED, PACKED, strict=True) for byte in pair)
    assert wg.json.encode(wg.msgpack.decode(memoryview(spread)[::2])) == SESSION


def test_slices_of_json_share_the_memory_of_bytes() -> None:
    data = bytes(bytearray(SESSION))  # no other test holds these
    before = sys.getrefcount(data)
    session = wg.json.decode(memoryview(data))
    assert sys.getrefcount(data) > before
    del session
    assert sys.getrefcount(data) == before


def test_media_of_messagepack_share_the_memory_of_bytes() -> None:
    data = bytes(bytearray(PACKED))
    before = sys.getrefcount(data)
    user, _ = wg.msgpack.decode(data)
    media = user.as_llm().content[1].data
    del user, _
    assert sys.getrefcount(data) > before
    del media
    assert sys.getrefcount(data) == before


def test_a_detached_slice_lets_go_of_the_input() -> None:
    data = bytes(bytearray(SESSION))
    before = sys.getrefcount(data)
    user, assistant = wg.json.decode(data)
    media = user.as_llm().content[1].data.detach()
    arguments = assistant.as_llm().tool_calls()[0].arguments.detach()
    del user, assistant
    assert sys.getrefcount(data) == before
    assert media.to_bytes() == PNG
    assert arguments.text == b'{"a":1e2}'


_LARGE = b"\x89PNG" + bytes(10_000_000)


def test_a_large_image_in_messagepack_is_not_copied() -> None:
    head = b"\x91\x82\xa4role\xa4user\xa7content\x91\x82\xa4type\xa5image\xa4data\xc6"
    data = head + len(_LARGE).to_bytes(4, "big") + _LARGE
    [message] = within(50_000, lambda: wg.msgpack.decode(data))
    assert message.as_llm().content[0].data.size == 10_000_004


def test_a_large_image_in_json_is_not_copied() -> None:
    data = b'[{"role":"user","content":[{"type":"image","data":"%b"}]}]' % (b"AAAA" * 2_500_000)
    [message] = within(50_000, lambda: wg.json.decode(data))
    assert message.as_llm().content[0].data.size == 7_500_000


# -- check_media ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("block", "path"),
    [
        (b'{"type":"image","data":"A"}', "$[0].content[0].data"),
        (b'{"type":"audio","data":"no base64!"}', "$[0].content[0].data"),
        (b'{"type":"data","data":"%b\xff"}' % (b"A" * 65_536), "$[0].content[0].data"),
        (
            b'{"type":"video","thumbnail":{"type":"image","data":"A"}}',
            "$[0].content[0].thumbnail.data",
        ),
        (
            b'{"type":"toolResult","toolCallId":"c","content":[{"type":"data","data":"A"}]}',
            "$[0].content[0].content[0].data",
        ),
        (b'{"type":"data","data":"A","unknown":1}', "$[0].content[0].data"),
    ],
    ids=[
        "too short",
        "no base64",
        "large and no UTF-8",
        "in a thumbnail",
        "in a tool result",
        "beside an unknown key",
    ],
)
def test_bad_base64_is_an_error_where_media_are_checked(block: bytes, path: str) -> None:
    data = b'[{"role":"user","content":[%b]}]' % block
    wg.json.decode(data)
    with pytest.raises(wg.DecodeError) as caught:
        wg.json.decode(data, check_media=True)
    assert (caught.value.wire, caught.value.path) == ("json", path)
    assert type(caught.value.__cause__) is wg.DecodeError


def test_bad_base64_text_in_messagepack_is_an_error_where_media_are_checked() -> None:
    data = b"\x91\x82\xa4role\xa4user\xa7content\x91\x82\xa4type\xa4data\xa4data\xa1A"
    wg.msgpack.decode(data)
    with pytest.raises(wg.DecodeError, match=r"^msgpack: not base64: .* `\$\[0\]\.content\[0\]"):
        wg.msgpack.decode(data, check_media=True)


@pytest.mark.parametrize(
    "text", [b"AAEC", b"AAECAw==", b"AAECAw", b"_-8=", b"AA\\nEC", b"\\/w==", b""]
)
def test_base64_in_any_of_its_dresses_passes_the_check(text: bytes) -> None:
    data = b'[{"role":"user","content":[{"type":"data","data":"%b"}]}]' % text
    wg.json.decode(data, check_media=True)


# -- threads --------------------------------------------------------------------------------------


def test_threads_share_the_codec() -> None:
    documents = [
        b'[{"role":"user","content":[{"type":"text","text":"%d"}],"%s":%d}]' % (i, key, i)
        for i in range(50)
        for key in (b"timestamp", b"unknown")
    ]

    def round_trip(data: bytes) -> bytes:
        return wg.json.encode(wg.msgpack.decode(wg.msgpack.encode(wg.json.decode(data))))

    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(round_trip, documents * 10)) == documents * 10
