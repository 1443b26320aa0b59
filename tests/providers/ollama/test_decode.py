"""The body of Ollama's wire -> a request: literal bytes in, model values out."""

from typing import Any

import pytest

import wireglot as wg
from tests.providers.ollama.pieces import (
    API,
    CALL_A,
    HI,
    RESULT_A,
    answered,
    batch,
    body,
    call,
    calling,
    extras,
    own,
    request,
    result,
    said,
    spelled,
    system,
    user,
)

decode = wg.providers.ollama.decode_request

NO_ID = '{"function":{"name":"f","arguments":{}}}'
OTHER_NO_ID = '{"function":{"name":"g","arguments":{}}}'
MADE = spelled(id=None)
UNSAID = spelled(tool_name=None, tool_call_id=None)
NO_CALL_ID = spelled(tool_call_id=None)


MESSAGES: dict[str, tuple[str, Any]] = {
    "a string is one text": (HI, user("hi")),
    "an empty string is no content": (said(""), user()),
    "no content": ('{"role":"user"}', user()),
    "content that is null": ('{"role":"user","content":null}', user()),
    "white space is text": (said(" "), user(" ")),
    "a system message": (said("x", role="system"), system("x")),
    "a role in capitals": (said("x", role="System"), system("x")),
    "an answer is this API's": (answered("x"), own("x")),
    "thinking comes before the text": (
        answered("x", '"thinking":"hm"'),
        own(wg.ThinkingBlock("hm"), "x"),
    ),
    "thinking that is empty is none": (answered("x", '"thinking":""'), own("x")),
    "images come after the text": (
        said("x", '"images":["iVBORw0KGgo=","AAAA"]'),
        user(
            "x",
            wg.ImageBlock(data=wg.Media.from_base64("iVBORw0KGgo=")),
            wg.ImageBlock(data=wg.Media.from_base64("AAAA")),
        ),
    ),
    "no images and no calls": (answered("x", '"images":[],"tool_calls":[]'), own("x")),
    "a call": (CALL_A, own(call())),
    "a call with an index and a type keeps them": (
        calling(
            '{"id":"a","type":"function","function":{"index":1,"name":"f","arguments":{"x": 1e2}}}'
        ),
        own(
            call(
                arguments='{"x": 1e2}',
                extras=spelled(type="function", function={"index": 1}),
            )
        ),
    ),
    "arguments that are left out are empty": (
        calling('{"id":"a","function":{"name":"f"}}'),
        own(call(arguments="")),
    ),
    "arguments that are null are empty": (
        calling('{"id":"a","function":{"name":"f","arguments":null}}'),
        own(call(arguments="")),
    ),
    "arguments in a string are the text of it": (
        calling(r'{"id":"a","function":{"name":"f","arguments":"{\"x\": 1}"}}'),
        own(call(arguments='{"x": 1}')),
    ),
    "calls without an id get one": (
        calling(NO_ID, NO_ID),
        own(call("call_0", extras=MADE), call("call_1", extras=MADE)),
    ),
    "an id that is empty is none": (
        calling('{"id":"","function":{"name":"f","arguments":{}}}'),
        own(call("call_0", extras=MADE)),
    ),
    "an id that is made is none of the others": (
        calling(NO_ID, NO_ID.replace("{", '{"id":"call_0",', 1)),
        own(call("call_1", extras=MADE), call("call_0")),
    ),
    "two calls of one id keep it": (
        calling(
            '{"id":"a","function":{"name":"f","arguments":{}}}',
            '{"id":"a","function":{"name":"g","arguments":{}}}',
        ),
        own(call(), call(name="g")),
    ),
    **{
        f"what says nothing in a {role} message is unknown": (
            said(
                "x",
                '"thinking":"hm","tool_calls":[{"function":{"name":"f"},"k":1}],"tool_name":"f",'
                '"tool_call_id":"a"',
                role,
            ),
            message(
                "x",
                extras=extras(
                    thinking="hm",
                    tool_calls=[{"function": {"name": "f"}, "k": 1}],
                    tool_name="f",
                    tool_call_id="a",
                ),
            ),
        )
        for role, message in (("user", user), ("system", system))
    },
    "what says nothing in an answer is unknown": (
        answered("x", '"tool_name":"f","tool_call_id":"a"'),
        own("x", extras=extras(tool_name="f", tool_call_id="a")),
    ),
    "unknown keys": (
        said("x", '"name":"n","cache":{"k":1}'),
        user("x", extras=extras(name="n", cache={"k": 1})),
    ),
    "unknown keys of a call and of its function": (
        calling('{"id":"a","k":1,"function":{"name":"f","arguments":{},"strict":true}}'),
        own(call(extras=extras(k=1, function={"strict": True}))),
    ),
    "a role that the model has no kind for": (
        said("thinking", role="control"),
        user(wg.OpaqueBlock(API, {"role": "control", "content": "thinking"})),
    ),
}


@pytest.mark.parametrize(("message", "expected"), MESSAGES.values(), ids=MESSAGES)
def test_a_message(message: str, expected: Any) -> None:
    assert decode(body(message)).messages == [expected]


def _answers(words: str, call_id: str, name: str | None = "f", **fields: Any) -> wg.ToolMessage:
    return batch(wg.ToolResultBlock(call_id, name, [wg.TextBlock(words)], **fields))


PAIRS: dict[str, tuple[list[str], list[wg.ToolMessage]]] = {
    "by the id, and with the name": ([CALL_A, RESULT_A], [batch(result(tool_name="f"))]),
    "by the id alone, in another order": (
        [
            calling(
                '{"id":"a","function":{"name":"f"}}',
                '{"id":"b","function":{"name":"g"}}',
            ),
            said("1", '"tool_call_id":"b"', "tool"),
            said("2", '"tool_call_id":"a"', "tool"),
        ],
        [
            _answers("1", "b", "g", extras=spelled(tool_name=None)),
            _answers("2", "a", extras=spelled(tool_name=None)),
        ],
    ),
    "by the id, with another name": (
        [CALL_A, said("1", '"tool_call_id":"a","tool_name":"g"', "tool")],
        [_answers("1", "a", extras=spelled(tool_name="g"))],
    ),
    "by the name, and in their order": (
        [
            calling(NO_ID, OTHER_NO_ID, NO_ID),
            said("1", '"tool_name":"g"', "tool"),
            said("2", '"tool_name":"f"', "tool"),
            said("3", '"tool_name":"f"', "tool"),
        ],
        [
            _answers("1", "call_1", "g", extras=NO_CALL_ID),
            _answers("2", "call_0", extras=NO_CALL_ID),
            _answers("3", "call_2", extras=NO_CALL_ID),
        ],
    ),
    "by the name, of a call with an id": (
        [CALL_A, said("1", '"tool_name":"f"', "tool")],
        [_answers("1", "a", extras=NO_CALL_ID)],
    ),
    "by their order alone": (
        [calling(NO_ID, OTHER_NO_ID), said("1", role="tool"), said("2", '"tool_name":""', "tool")],
        [
            _answers("1", "call_0", extras=UNSAID),
            _answers("2", "call_1", "g", extras=UNSAID),
        ],
    ),
    "by their order, where the name is of no call": (
        [calling(NO_ID), said("1", '"tool_name":"g"', "tool")],
        [_answers("1", "call_0", extras=spelled(tool_name="g", tool_call_id=None))],
    ),
    "with an id that the call has not": (
        [calling(NO_ID), said("1", '"tool_call_id":"x","tool_name":"f"', "tool")],
        [_answers("1", "call_0", extras=spelled(tool_call_id="x"))],
    ),
    "with the id of no call": (
        [CALL_A, said("1", '"tool_call_id":"x","tool_name":"f"', "tool")],
        [_answers("1", "x")],
    ),
    "after what a user said": (
        [CALL_A, HI, said("1", '"tool_call_id":"a"', "tool")],
        [_answers("1", "a", extras=spelled(tool_name=None))],
    ),
    "behind a further answer": (
        [CALL_A, answered("x"), said("1", role="tool")],
        [_answers("1", "a", extras=UNSAID)],
    ),
    "not with the call of an older turn": (
        [CALL_A, HI, answered("x"), said("1", role="tool")],
        [_answers("1", "", None, extras=UNSAID)],
    ),
    "two results of one id": (
        [
            calling('{"id":"a","function":{"name":"f"}}', '{"id":"a","function":{"name":"g"}}'),
            said("1", '"tool_call_id":"a"', "tool"),
            said("2", '"tool_call_id":"a"', "tool"),
        ],
        [
            _answers("1", "a", extras=spelled(tool_name=None)),
            _answers("2", "a", "g", extras=spelled(tool_name=None)),
        ],
    ),
    "images, and keys that say nothing here": (
        [
            CALL_A,
            said(
                "1", '"images":["AAAA"],"thinking":"hm","tool_name":"f","tool_call_id":"a"', "tool"
            ),
        ],
        [
            batch(
                wg.ToolResultBlock(
                    "a",
                    "f",
                    [wg.TextBlock("1"), wg.ImageBlock(data=wg.Media.from_base64("AAAA"))],
                    extras=extras(thinking="hm"),
                )
            )
        ],
    ),
}


@pytest.mark.parametrize(("messages", "expected"), PAIRS.values(), ids=PAIRS)
def test_results_find_their_calls(messages: list[str], expected: list[wg.ToolMessage]) -> None:
    results = [m for m in decode(body(*messages)).messages if isinstance(m, wg.ToolMessage)]
    assert results == expected


OFF, LOW, MAX = wg.ThinkingLevel.OFF, wg.ThinkingLevel.LOW, wg.ThinkingLevel.MAX

FIELDS: dict[str, tuple[str, dict[str, Any]]] = {
    "nothing but a stream, which nobody asked for": ("", {"stream": True}),
    "no stream": ('"stream":false', {}),
    "a stream": ('"stream":true', {"stream": True}),
    "options": (
        '"stream":false,"options":{"num_predict":9,"temperature":1,"top_k":5,"top_p":0.5,"seed":0,'
        '"stop":["x"],"frequency_penalty":0.5,"presence_penalty":0.25}',
        {
            "max_tokens": 9,
            "temperature": 1.0,
            "top_k": 5,
            "top_p": 0.5,
            "seed": 0,
            "stop": ["x"],
            "frequency_penalty": 0.5,
            "presence_penalty": 0.25,
        },
    ),
    "a schema": (
        '"stream":false,"format":{"type": "object"}',
        {"response_format": wg.ResponseFormat("json_schema", {"type": "object"})},
    ),
    "JSON": ('"stream":false,"format":"json"', {"response_format": wg.ResponseFormat("json")}),
    "thinking": ('"stream":false,"think":true', {"thinking": wg.Thinking()}),
    "no thinking": ('"stream":false,"think":false', {"thinking": wg.Thinking(OFF)}),
    "a level": ('"stream":false,"think":"low"', {"thinking": wg.Thinking(LOW)}),
    "the highest level": ('"stream":false,"think":"max"', {"thinking": wg.Thinking(MAX)}),
    "probabilities": (
        '"stream":false,"logprobs":true,"top_logprobs":3',
        {"logprobs": True, "top_logprobs": 3},
    ),
    "no tools": ('"stream":false,"tools":[]', {"tools": []}),
    "tools": (
        '"stream":false,"tools":[{"type":"function","function":{"name":"f","description":"d",'
        '"parameters":{"x": 1e2},"k":1}},{"function":{"name":"g"}},{"type":"web"},{"name":"h"},'
        '{"type":"custom","function":{"name":"i"}}]',
        {
            "tools": [
                wg.Tool("f", "d", wg.RawJson('{"x": 1e2}'), extras=extras(function={"k": 1})),
                wg.Tool("g", extras=spelled(type=None)),
                wg.OpaqueBlock(API, {"type": "web"}),
                wg.OpaqueBlock(API, {"name": "h"}),
                wg.OpaqueBlock(API, {"type": "custom", "function": {"name": "i"}}),
            ]
        },
    ),
}


@pytest.mark.parametrize(("keys", "expected"), FIELDS.values(), ids=FIELDS)
def test_fields(keys: str, expected: dict[str, Any]) -> None:
    data = f'{{"model":"m",{keys + "," if keys else ""}"messages":[{HI}]}}'
    decoded = decode(data)
    if "extras" not in expected:
        decoded.extras = None
    assert decoded == request(user("hi"), **expected)


def test_no_limit_is_none() -> None:
    decoded = decode(body(HI, head='"options":{"num_predict":-1}'))
    assert decoded.max_tokens is None


def test_a_fraction_is_left_out_unless_it_is_zero() -> None:
    decoded = decode(body(HI, head='"options":{"num_predict":9.0,"top_k":5.9,"seed":1e2}'))
    assert (decoded.max_tokens, decoded.top_k, decoded.seed) == (9, None, 100)


def test_one_stop_sequence_may_stand_alone() -> None:
    assert decode(body(HI, head='"options":{"stop":"x"}')).stop == ["x"]


UNKNOWN: dict[str, tuple[str, dict[str, Any]]] = {
    "a key of the body": ('"keep_alive":"5m","shift":false', {"keep_alive": "5m", "shift": False}),
    "an option": ('"options":{"num_ctx":9}', {"options": {"num_ctx": 9}}),
    "a level of thinking": ('"think":"much"', {"think": "much"}),
    "a format": ('"format":"yaml"', {"format": "yaml"}),
}


@pytest.mark.parametrize(("head", "keys"), UNKNOWN.values(), ids=UNKNOWN)
def test_what_no_other_api_knows_is_kept_for_this_one(head: str, keys: dict[str, Any]) -> None:
    decoded = decode(body(HI, head=head))
    assert decoded.extras is not None
    assert decoded.extras[API].keys.value == keys
    losses: list[wg.Loss] = []
    wg.providers.openai_chat.encode_request(decoded, losses=losses)
    assert "extras" in [loss.what for loss in losses]


def test_made_ids_go_to_other_apis_and_not_back() -> None:
    data = body(HI, calling(NO_ID), said("x", '"tool_name":"f"', "tool"))
    decoded = decode(data)
    made = wg.providers.openai_chat.encode_request(decoded)
    assert made.count(b'"call_0"') == 2
    assert wg.providers.ollama.encode_request(decoded) == data


def test_bytes_like_and_str() -> None:
    data = body(HI)
    expected = request(user("hi"))
    for given in (data, bytearray(data), memoryview(data), data.decode(), b"\xef\xbb\xbf" + data):
        assert decode(given) == expected


BAD: dict[str, tuple[bytes, str]] = {
    "no messages": (b'{"model":"m"}', "object missing required field `messages` - at `$`"),
    "a message without a role": (
        body('{"content":"x"}'),
        "object missing required field `role` - at `$.messages[0]`",
    ),
    "a content that is a list": (
        body('{"role":"user","content":[]}'),
        "expected `str | null`, got `array` - at `$.messages[0].content`",
    ),
    "an image that is a number": (
        body(said("", '"images":[1]')),
        "expected `str` - at `$.messages[0].images[0]`",
    ),
    "a call without a function": (
        body(calling('{"id":"a"}')),
        "object missing required field `function` - at `$.messages[0].tool_calls[0]`",
    ),
    "a call without a name": (
        body(calling('{"id":"a","function":{}}')),
        "object missing required field `name` - at `$.messages[0].tool_calls[0].function`",
    ),
    "an option of another type": (
        body(HI, head='"options":{"top_k":"x"}'),
        "expected `int | float | null`, got `str` - at `$.options.top_k`",
    ),
    "half a character": (
        body(said("\\ud83d")),
        (
            "lone surrogate: half a character is not Unicode text;"
            " U+FFFD takes its place; pass a list as `losses`, and read it"
            " - at `byte 66`"
        ),
    ),
    "bytes that are not UTF-8": (b'{"model":"\xff","messages":[]}', "text is not UTF-8 - at `$`"),
}


@pytest.mark.parametrize(("data", "reason"), BAD.values(), ids=BAD)
def test_bad_bytes_are_one_error(data: bytes, reason: str) -> None:
    with pytest.raises(wg.DecodeError) as caught:
        decode(data)
    assert str(caught.value) == f"ollama: {reason}"


def test_half_a_character_may_be_a_loss() -> None:
    losses: list[wg.Loss] = []
    assert decode(body(said("\\ud83d")), losses=losses).messages == [user("\ufffd")]
    assert [loss.what for loss in losses] == ["lone surrogate"]


def test_twenty_thousand_calls_find_their_results_at_once() -> None:
    many = 20_000
    results = [said("", '"tool_name":"g"', "tool")] * many
    decoded = decode(body(calling(*[NO_ID] * many), *results))
    (last,) = decoded.messages[-1].content
    assert isinstance(last, wg.ToolResultBlock)
    assert last.tool_call_id == f"call_{many - 1}"
