"""Canonical messages -> the `messages` of Anthropic's wire, where nothing is lost.

Every case is encoded with `losses=None`: an unexpected loss is an error.
"""

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
from tests.providers.conversation import (
    API,
    answer,
    assistant,
    batch,
    call,
    extras,
    own,
    request,
    result,
    system,
    text,
    user,
)

MARK = wg.CacheMark()
NATIVE = "wireglot"

TEXTS = {
    "a text": ([user("hi")], [HI]),
    "a text with all that JSON escapes": (
        [user('é"\\/\n\t\x00\u2028😀')],
        [said(r'{"type":"text","text":"é\"\\/\n\t\u0000' + "\u2028" + r'😀"}')],
    ),
    "empty text is no content": ([user("", "hi", "")], [HI]),
    "white space beside other text stays": (
        [user(" ", "hi")],
        [said('{"type":"text","text":" "}', '{"type":"text","text":"hi"}')],
    ),
    "a message of white space is left out": (
        [user("hi"), assistant("yes"), user("\n", " "), user("you")],
        [HI, answered('{"type":"text","text":"yes"}'), said('{"type":"text","text":"you"}')],
    ),
    "a message without content is left out": ([user(), user("hi"), assistant()], [HI]),
    "an answer of white space at the end is left out": ([user("hi"), assistant(" ")], [HI]),
    "consecutive messages of one side share a turn": (
        [user("hi"), user("you"), assistant("a"), assistant("b")],
        [
            said('{"type":"text","text":"hi"}', '{"type":"text","text":"you"}'),
            answered('{"type":"text","text":"a"}', '{"type":"text","text":"b"}'),
        ],
    ),
    "a conversation may start with an answer, and end in the start of one": (
        [assistant("a"), user("hi"), assistant("{")],
        [
            answered('{"type":"text","text":"a"}'),
            HI,
            answered('{"type":"text","text":"{"}'),
        ],
    ),
    "only the last answer must end without a space": (
        [assistant("a "), user("hi")],
        [answered('{"type":"text","text":"a "}'), HI],
    ),
    "citations go back to the API that made them": (
        [
            own(
                text(
                    "x",
                    annotations=[wg.AnnotationRef(title="t")],
                    extras=extras(
                        citations=[
                            {
                                "type": "char_location",
                                "cited_text": "y",
                                "document_index": 0,
                                "document_title": None,
                                "start_char_index": 0,
                                "end_char_index": 1,
                            }
                        ]
                    ),
                )
            )
        ],
        [
            answered(
                '{"citations":[{"type":"char_location","cited_text":"y","document_index":0,'
                '"document_title":null,"start_char_index":0,"end_char_index":1}],'
                '"type":"text","text":"x"}'
            )
        ],
    ),
    "an empty list of annotations is none": ([user(text("hi", annotations=[]))], [HI]),
}

THINKING = {
    "thinking of this API goes back, text beside it": (
        [own(wg.ThinkingBlock("t", "s"), "x")],
        [
            answered(
                '{"type":"thinking","thinking":"t","signature":"s"}',
                '{"type":"text","text":"x"}',
            )
        ],
    ),
    "thinking without text keeps its signature": (
        [own(wg.ThinkingBlock("", "s"))],
        [answered('{"type":"thinking","thinking":"","signature":"s"}')],
    ),
    "redacted thinking": (
        [own(wg.ThinkingBlock("", "s", redacted=True))],
        [answered('{"type":"redacted_thinking","data":"s"}')],
    ),
    "a text has no signature here, whoever signed it": (
        [user(text("x", signature="s")), own(text("x", signature="s"))],
        [said('{"type":"text","text":"x"}'), answered('{"type":"text","text":"x"}')],
    ),
    "a message that names no API is its provider's": (
        [assistant(wg.ThinkingBlock("t", "s"), provider="anthropic")],
        [answered('{"type":"thinking","thinking":"t","signature":"s"}')],
    ),
    "the API decides, not who served it": (
        [assistant(wg.ThinkingBlock("t", "s"), api=API, provider="vertex")],
        [answered('{"type":"thinking","thinking":"t","signature":"s"}')],
    ),
}

SYSTEM = {
    "after a user turn, before an answer": (
        [user("hi"), system("s"), assistant("x")],
        [
            HI,
            '{"role":"system","content":[{"type":"text","text":"s"}]}',
            answered('{"type":"text","text":"x"}'),
        ],
    ),
    "at the end, two of them": (
        [user("hi"), system("s"), system("t")],
        [
            HI,
            '{"role":"system","content":[{"type":"text","text":"s"}]}',
            '{"role":"system","content":[{"type":"text","text":"t"}]}',
        ],
    ),
    "after a result": (
        [assistant(call("a")), answer("a"), system("s")],
        [CALL_A, RESULT_A, '{"role":"system","content":[{"type":"text","text":"s"}]}'],
    ),
    "between a call and its results it waits for them": (
        [
            assistant(call("a"), call("b")),
            system("s"),
            answer("a"),
            system("t"),
            answer("b"),
            assistant("x"),
        ],
        [
            CALL_AB,
            said(
                '{"type":"tool_result","tool_use_id":"a"}',
                '{"type":"tool_result","tool_use_id":"b"}',
            ),
            '{"role":"system","content":[{"type":"text","text":"s"}]}',
            '{"role":"system","content":[{"type":"text","text":"t"}]}',
            answered('{"type":"text","text":"x"}'),
        ],
    ),
    "of white space it is left out": ([user("hi"), system(" ", "")], [HI]),
    "a mark on it counts once": (
        [
            user(text("hi", cache=MARK)),
            system(text("s", cache=MARK)),
            assistant(text("x", cache=MARK)),
            user(text("y", cache=MARK)),
        ],
        [
            said('{"type":"text","text":"hi","cache_control":{"type":"ephemeral"}}'),
            '{"role":"system","content":'
            '[{"type":"text","text":"s","cache_control":{"type":"ephemeral"}}]}',
            answered('{"type":"text","text":"x","cache_control":{"type":"ephemeral"}}'),
            said('{"type":"text","text":"y","cache_control":{"type":"ephemeral"}}'),
        ],
    ),
}

EXTRAS = {
    "unknown keys of this API go back on text, image, call, result and opaque block": (
        [
            user(
                text("x", extras=extras(citations=None)),
                wg.ImageBlock(
                    file_id="i", extras=extras(transformations={"oversized_image": "error"})
                ),
                wg.OpaqueBlock(
                    API,
                    {"type": "container_upload", "file_id": "f"},
                    extras=extras(cache_control=None, file_id="not this"),
                ),
            ),
            assistant(
                call("a", extras=extras(caller={"type": "direct"})),
                call("b", extras=extras(id="not this", caller={"type": "direct"})),
            ),
            batch(result("a", extras=extras(toolset_name="t"))),
            answer("b", extras=extras(toolset_name=None)),
        ],
        [
            said(
                '{"citations":null,"type":"text","text":"x"}',
                '{"transformations":{"oversized_image":"error"},"type":"image",'
                '"source":{"type":"file","file_id":"i"}}',
                '{"cache_control":null,"type":"container_upload","file_id":"f"}',
            ),
            answered(
                '{"caller":{"type":"direct"},"type":"tool_use","id":"a","name":"f","input":{}}',
                '{"caller":{"type":"direct"},"type":"tool_use","id":"b","name":"f","input":{}}',
            ),
            said(
                '{"toolset_name":"t","type":"tool_result","tool_use_id":"a"}',
                '{"toolset_name":null,"type":"tool_result","tool_use_id":"b"}',
            ),
        ],
    ),
    "unknown keys of the native wire go to no LLM": (
        [
            user(text("hi", extras=extras(NATIVE, k=1)), extras=extras(NATIVE, k=1)),
            assistant(call("a", extras=extras(NATIVE, k=1))),
            answer("a", extras=extras(NATIVE, k=1)),
        ],
        [HI, CALL_A, RESULT_A],
    ),
    "an opaque block of this API is spliced in": (
        [
            user("hi"),
            assistant(
                wg.OpaqueBlock(
                    API,
                    wg.RawJson(
                        '{"type":"server_tool_use", "id":"s","name":"web_search","input":{"q":1e2}}'
                    ),
                ),
                wg.OpaqueBlock(
                    API,
                    wg.RawJson('{"type":"web_search_tool_result","tool_use_id":"s","content":[]}'),
                ),
            ),
        ],
        [
            HI,
            answered(
                '{"type":"server_tool_use", "id":"s","name":"web_search","input":{"q":1e2}}',
                '{"type":"web_search_tool_result","tool_use_id":"s","content":[]}',
            ),
        ],
    ),
    "what belongs to the session is not sent": (
        [
            user("hi", timestamp=1, id="u", delta=True, metadata={"a": 1}),
            assistant(
                "x",
                stop_reason=wg.StopReason.STOP,
                raw_stop_reason="end_turn",
                model="n",
                usage=wg.Usage(1, 2),
                timestamp=2,
                id=3,
                cached=True,
                parsed=4,
                raw=5,
                error_message="e",
            ),
        ],
        [HI, answered('{"type":"text","text":"x"}')],
    ),
    "cache marks, the longer first": (
        [
            user(
                text("x", cache=wg.CacheMark("1h")),
                wg.ImageBlock(file_id="i", cache=wg.CacheMark("5m")),
            ),
            assistant(call("a", cache=MARK)),
            batch(result("a", cache=MARK)),
        ],
        [
            said(
                '{"type":"text","text":"x","cache_control":{"type":"ephemeral","ttl":"1h"}}',
                '{"type":"image","source":{"type":"file","file_id":"i"},'
                '"cache_control":{"type":"ephemeral","ttl":"5m"}}',
            ),
            answered(
                '{"type":"tool_use","id":"a","name":"f","input":{},'
                '"cache_control":{"type":"ephemeral"}}'
            ),
            said('{"type":"tool_result","tool_use_id":"a","cache_control":{"type":"ephemeral"}}'),
        ],
    ),
}

MESSAGES = {
    **TEXTS,
    **THINKING,
    **{f"a system message {name}": case for name, case in SYSTEM.items()},
    **EXTRAS,
}


@pytest.mark.parametrize(("messages", "expected"), MESSAGES.values(), ids=MESSAGES)
def test_messages(messages: list[wg.Message], expected: list[str]) -> None:
    encoded = wg.providers.anthropic.encode_request(request(*messages))
    check_request(encoded)
    assert encoded == body(*expected)


def test_unknown_keys_of_messages_stand_on_their_turn() -> None:
    given = request(
        user("hi", extras=extras(future=1e2, more={})), user("x", extras=extras("wireglot", k=1))
    )
    # Not judged: no version of the API that the oracle knows has such a key.
    assert wg.providers.anthropic.encode_request(given) == (
        b'{"model":"m","max_tokens":8,"messages":[{"future":100.0,"more":{},"role":"user",'
        b'"content":[{"type":"text","text":"hi"},{"type":"text","text":"x"}]}]}'
    )
