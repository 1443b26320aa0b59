"""Calls and their results -> Anthropic's wire: arguments, order, ids, and what `repair` closes."""

import pytest

import wireglot as wg
from tests.providers.anthropic.wire import (
    CALL_A,
    CALL_AB,
    HI,
    RESULT_A,
    answered,
    body,
    check_request,
    said,
)
from tests.providers.conversation import API, answer, assistant, batch, call, request, result, user

PNG = b"\x89PNG\r\n\x1a\n"

CALLS = {
    "arguments go out as they came": (
        [
            assistant(call("a", '{"b": 1e2,\n"a":12345678901234567890123, "c":"\\u00e9\\/"}')),
            answer("a"),
        ],
        [
            '{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":'
            '{"b": 1e2,\n"a":12345678901234567890123, "c":"\\u00e9\\/"}}]}',
            RESULT_A,
        ],
    ),
    "blank arguments are an empty object": (
        [assistant(call("a", ""), call("b", " \n")), answer("a"), answer("b")],
        [
            CALL_AB,
            said(
                '{"type":"tool_result","tool_use_id":"a"}',
                '{"type":"tool_result","tool_use_id":"b"}',
            ),
        ],
    ),
    "arguments given as Python data": (
        [assistant(call("a", {"x": [1, None]})), answer("a")],
        [
            answered('{"type":"tool_use","id":"a","name":"f","input":{"x":[1,null]}}'),
            RESULT_A,
        ],
    ),
    "parallel results share a user turn, in the order in which they came, text after": (
        [
            assistant("x", call("a"), call("b")),
            batch(result("b", "two")),
            user("hi"),
            answer("a", "one"),
        ],
        [
            answered(
                '{"type":"text","text":"x"}',
                '{"type":"tool_use","id":"a","name":"f","input":{}}',
                '{"type":"tool_use","id":"b","name":"f","input":{}}',
            ),
            said(
                '{"type":"tool_result","tool_use_id":"b","content":[{"type":"text","text":"two"}]}',
                '{"type":"tool_result","tool_use_id":"a","content":[{"type":"text","text":"one"}]}',
                '{"type":"text","text":"hi"}',
            ),
        ],
    ),
    "a result inside a user message stands before its text": (
        [assistant(call("a")), user("hi", result("a"), "you")],
        [
            CALL_A,
            said(
                '{"type":"tool_result","tool_use_id":"a"}',
                '{"type":"text","text":"hi"}',
                '{"type":"text","text":"you"}',
            ),
        ],
    ),
    "text beside the results of a batch stands after them": (
        [assistant(call("a")), batch("hi", result("a"))],
        [CALL_A, said('{"type":"tool_result","tool_use_id":"a"}', '{"type":"text","text":"hi"}')],
    ),
    "calls of two messages of one turn": (
        [assistant(call("a")), assistant(call("b")), answer("b"), answer("a")],
        [
            CALL_AB,
            said(
                '{"type":"tool_result","tool_use_id":"b"}',
                '{"type":"tool_result","tool_use_id":"a"}',
            ),
        ],
    ),
    "the error flag, of either kind of result": (
        [
            assistant(call("a"), call("b")),
            answer("a", "no", is_error=True),
            batch(result("b", is_error=True)),
        ],
        [
            CALL_AB,
            said(
                '{"type":"tool_result","tool_use_id":"a","content":'
                '[{"type":"text","text":"no"}],"is_error":true}',
                '{"type":"tool_result","tool_use_id":"b","content":'
                '[{"type":"text","text":"error"}],"is_error":true}',
            ),
        ],
    ),
    "a result of empty text is an empty result": (
        [assistant(call("a")), answer("a", "")],
        [CALL_A, RESULT_A],
    ),
    "images, documents and blocks of this API in a result": (
        [
            assistant(call("a")),
            answer(
                "a",
                wg.ImageBlock.from_bytes(PNG),
                wg.ImageBlock.from_url("https://x.org/a"),
                wg.ImageBlock.from_file_id("i"),
                wg.DocumentBlock.from_bytes(b"%PDF-"),
                wg.DocumentBlock.from_text("d"),
                wg.OpaqueBlock(API, wg.RawJson('{"type":"tool_reference", "tool_name":"g"}')),
            ),
        ],
        [
            CALL_A,
            said(
                '{"type":"tool_result","tool_use_id":"a","content":['
                '{"type":"image","source":'
                '{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo="}},'
                '{"type":"image","source":{"type":"url","url":"https://x.org/a"}},'
                '{"type":"image","source":{"type":"file","file_id":"i"}},'
                '{"type":"document","source":'
                '{"type":"base64","media_type":"application/pdf","data":"JVBERi0="}},'
                '{"type":"document","source":'
                '{"type":"text","data":"d","media_type":"text/plain"}},'
                '{"type":"tool_reference", "tool_name":"g"}]}'
            ),
        ],
    ),
    "what a result carries for the loop is not sent": (
        [
            assistant(call("a"), call("b")),
            answer("a", tool_name="f", status="ok", details={"x": 1}, terminate=True),
            batch(result("b", tool_name="f", status="ok", details=[1], child_loop_id="l")),
        ],
        [
            CALL_AB,
            said(
                '{"type":"tool_result","tool_use_id":"a"}',
                '{"type":"tool_result","tool_use_id":"b"}',
            ),
        ],
    ),
}

# The eight digits are the start of the SHA-256 of the id.
IDS = {
    "ids outside the alphabet are mapped, each to its own": (
        [
            assistant(call("a.b"), call("a/b"), call("a_b"), call("")),
            batch(result(""), result("a_b"), result("a/b"), result("a.b")),
        ],
        [
            answered(
                '{"type":"tool_use","id":"a_b_2e7336dc","name":"f","input":{}}',
                '{"type":"tool_use","id":"a_b_c14cddc0","name":"f","input":{}}',
                '{"type":"tool_use","id":"a_b","name":"f","input":{}}',
                '{"type":"tool_use","id":"_e3b0c442","name":"f","input":{}}',
            ),
            said(
                '{"type":"tool_result","tool_use_id":"_e3b0c442"}',
                '{"type":"tool_result","tool_use_id":"a_b"}',
                '{"type":"tool_result","tool_use_id":"a_b_c14cddc0"}',
                '{"type":"tool_result","tool_use_id":"a_b_2e7336dc"}',
            ),
        ],
    ),
    "a long id of the alphabet stays": (
        [assistant(call("i-" * 100)), answer("i-" * 100)],
        [
            answered(f'{{"type":"tool_use","id":"{"i-" * 100}","name":"f","input":{{}}}}'),
            said(f'{{"type":"tool_result","tool_use_id":"{"i-" * 100}"}}'),
        ],
    ),
    "an id that an earlier turn has gets a suffix": (
        [assistant(call("a")), answer("a"), assistant(call("a")), answer("a")],
        [CALL_A, RESULT_A, CALL_A.replace('"a"', '"a_2"'), RESULT_A.replace('"a"', '"a_2"')],
    ),
    "an id that a turn has twice gets a suffix, and its results in order": (
        [
            assistant(call("a"), call("a_2"), call("a")),
            batch(result("a", "1"), result("a", "3"), result("a_2", "2")),
        ],
        [
            answered(
                '{"type":"tool_use","id":"a","name":"f","input":{}}',
                '{"type":"tool_use","id":"a_2","name":"f","input":{}}',
                '{"type":"tool_use","id":"a_3","name":"f","input":{}}',
            ),
            said(
                '{"type":"tool_result","tool_use_id":"a","content":[{"type":"text","text":"1"}]}',
                '{"type":"tool_result","tool_use_id":"a_3","content":[{"type":"text","text":"3"}]}',
                '{"type":"tool_result","tool_use_id":"a_2","content":[{"type":"text","text":"2"}]}',
            ),
        ],
    ),
}


@pytest.mark.parametrize(
    ("messages", "expected"), [*CALLS.values(), *IDS.values()], ids=[*CALLS, *IDS]
)
def test_calls_and_results(messages: list[wg.Message], expected: list[str]) -> None:
    encoded = wg.providers.anthropic.encode_request(request(*messages))
    check_request(encoded)
    assert encoded == body(*expected)


REPAIRED = {
    "a call without a result gets an error that says so": (
        [assistant(call("a"), call("b")), answer("b"), user("hi")],
        [
            CALL_AB,
            said(
                '{"type":"tool_result","tool_use_id":"b"}',
                '{"type":"tool_result","tool_use_id":"a","content":[{"type":"text",'
                '"text":"No result was recorded for this call."}],"is_error":true}',
                '{"type":"text","text":"hi"}',
            ),
        ],
    ),
    "a call at the end too, twice where it stands twice": (
        [assistant(call("a"), call("a"))],
        [
            answered(
                '{"type":"tool_use","id":"a","name":"f","input":{}}',
                '{"type":"tool_use","id":"a_2","name":"f","input":{}}',
            ),
            said(
                '{"type":"tool_result","tool_use_id":"a","content":[{"type":"text",'
                '"text":"No result was recorded for this call."}],"is_error":true}',
                '{"type":"tool_result","tool_use_id":"a_2","content":[{"type":"text",'
                '"text":"No result was recorded for this call."}],"is_error":true}',
            ),
        ],
    ),
    "a result without a call becomes a user's text": (
        [user("hi"), answer("a", "x", wg.ImageBlock(file_id="i"))],
        [
            said(
                '{"type":"text","text":"hi"}',
                '{"type":"text","text":"A result without its call (a):"}',
                '{"type":"text","text":"x"}',
                '{"type":"image","source":{"type":"file","file_id":"i"}}',
            )
        ],
    ),
    "a second result of one call becomes text after the first": (
        [assistant(call("a")), user(result("a", "x"), result("a", "y"), "hi")],
        [
            CALL_A,
            said(
                '{"type":"tool_result","tool_use_id":"a","content":[{"type":"text","text":"x"}]}',
                '{"type":"text","text":"hi"}',
                '{"type":"text","text":"A result without its call (a):"}',
                '{"type":"text","text":"y"}',
            ),
        ],
    ),
    "a result that comes a turn late is both": (
        [assistant(call("a")), assistant("x"), user("hi"), assistant("y"), answer("a", "z")],
        [
            answered(
                '{"type":"tool_use","id":"a","name":"f","input":{}}', '{"type":"text","text":"x"}'
            ),
            said(
                '{"type":"tool_result","tool_use_id":"a","content":[{"type":"text",'
                '"text":"No result was recorded for this call."}],"is_error":true}',
                '{"type":"text","text":"hi"}',
            ),
            answered('{"type":"text","text":"y"}'),
            said(
                '{"type":"text","text":"A result without its call (a):"}',
                '{"type":"text","text":"z"}',
            ),
        ],
    ),
    "what is whole stays as it is": (
        [user("hi"), assistant(call("a")), answer("a")],
        [HI, CALL_A, RESULT_A],
    ),
}


@pytest.mark.parametrize(("messages", "expected"), REPAIRED.values(), ids=REPAIRED)
def test_repaired(messages: list[wg.Message], expected: list[str]) -> None:
    encoded = wg.providers.anthropic.encode_request(request(*messages), repair=True)
    check_request(encoded)
    assert encoded == body(*expected)


IN_A_RESULT = {
    "a call": '{"type":"tool_use","id":"b","name":"f","input":{}}',
    "a call that is none": '{"type":"tool_use","id":"b","name":1}',
    "a result": '{"type":"tool_result","tool_use_id":"b"}',
    "thinking": '{"type":"thinking","thinking":"t","signature":"s"}',
    "what nobody knows": '{"type":"tool_reference","tool_name":"g"}',
}


@pytest.mark.parametrize("block", IN_A_RESULT.values(), ids=IN_A_RESULT)
def test_what_has_no_kind_in_a_result_is_none_of_the_users_without_the_call(block: str) -> None:
    x = '{"type":"text","text":"x"}'
    held = f'{{"type":"tool_result","tool_use_id":"a","content":[{block},{x}]}}'
    given = wg.providers.anthropic.decode_request(body(said(held)))
    losses: list[wg.Loss] = []
    made = wg.providers.anthropic.encode_request(given, losses=losses, repair=True)
    assert made == body(said('{"type":"text","text":"A result without its call (a):"}', x))
    assert [(loss.path, loss.what) for loss in losses] == [
        ("$.messages[0].content[0].content[0]", "opaque block")
    ]
