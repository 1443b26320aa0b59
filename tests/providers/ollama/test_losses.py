"""What Ollama's wire cannot carry: each row of the table of losses has a case that provokes it.

With `losses=None` the case is a `LossError` with the path; with a list the fallback goes out, and
the list says once what was lost and where.
"""

from typing import Any

import pytest

import wireglot as wg
from tests.field.test_models import ROWS as MODELS
from tests.providers.ollama.pieces import (
    API,
    CALL_A,
    HI,
    OTHER,
    PNG,
    RESULT_A,
    YES,
    answer,
    answered,
    batch,
    body,
    call,
    calling,
    extras,
    judge,
    own,
    request,
    result,
    said,
    spelled,
    system,
    text,
    user,
)
from tests.providers.test_common_losses import FOR_ALL, reason, told
from wireglot.providers.losses import losses_of

TABLE = losses_of("ollama")
STEP = "pass a list as `losses`, and read it"
BLOCK = "$.messages[0].content[0]"
RESULT = "$.messages[1].content[0]"
MARK = wg.CacheMark()
REF = wg.AnnotationRef(url="https://x.org")
FOREIGN = wg.OpaqueBlock(OTHER, wg.RawJson("{}"))
LEVEL = wg.ThinkingLevel
TOOL = (
    '"tools":[{"type":"function","function":{"name":"f",'
    '"parameters":{"type":"object","properties":{}}}}]'
)


def _calling(arguments: str) -> list[str]:
    return [CALL_A.replace("{}", arguments), RESULT_A]


# What is lost, how, the messages, the path of the loss, and the messages that go out.
IN_MESSAGES: list[tuple[str, str, list[Any], str, list[str]]] = [
    ("annotation", "on a text", [user(text("hi", annotations=[REF]))], BLOCK, [HI]),
    ("annotation", "as a block", [user(wg.AnnotationBlock(), "hi")], BLOCK, [HI]),
    *(
        (
            "arguments",
            how,
            [answer(call(arguments=given)), batch(result())],
            BLOCK,
            _calling(f'{{"raw_arguments":"{expected}"}}'),
        )
        for how, given, expected in (
            ("that are cut off", '{"x":', '{\\"x\\":'),
            ("that are a list", "[1]", "[1]"),
            ("that are no text", b"\xff", "\ufffd"),
        )
    ),
    ("audio", "without words", [user(wg.AudioBlock(data=b"ID3"), "hi")], BLOCK, [HI]),
    (
        "audio",
        "with words",
        [user("hi", wg.AudioBlock(url="https://x.org", transcript="t"))],
        "$.messages[0].content[1]",
        [said("hi\\nt")],
    ),
    ("cache mark", "on a text", [user(text("hi", cache=MARK))], BLOCK, [HI]),
    (
        "cache mark",
        "on a call",
        [answer(call(cache=MARK)), batch(result())],
        BLOCK,
        [CALL_A, RESULT_A],
    ),
    (
        "cache mark",
        "on a result",
        [answer(call()), batch(result(cache=MARK))],
        RESULT,
        [CALL_A, RESULT_A],
    ),
    ("data", "of a user", [user(wg.DataBlock(data=b"x"), "hi")], BLOCK, [HI]),
    ("document", "inline", [user(wg.DocumentBlock(data=b"%PDF-"), "hi")], BLOCK, [HI]),
    ("document", "by URL", [user(wg.DocumentBlock(url="https://x.org"), "hi")], BLOCK, [HI]),
    ("document", "without a source", [user(wg.DocumentBlock(), "hi")], BLOCK, [HI]),
    (
        "document text",
        "of a user",
        [user(wg.DocumentBlock.from_text("t"), "hi")],
        BLOCK,
        [said("t\\nhi")],
    ),
    ("error", "of a user", [user(wg.ErrorBlock("e"), "hi")], BLOCK, [said("e\\nhi")]),
    (
        "error flag",
        "of a block",
        [answer(call()), batch(result(is_error=True))],
        RESULT,
        [CALL_A, RESULT_A],
    ),
    (
        "error flag",
        "of a message",
        [answer(call()), wg.ToolResultMessage("a", is_error=True)],
        "$.messages[1]",
        [CALL_A, RESULT_A],
    ),
    (
        "tool name",
        "of a call without an id, where it is another's",
        [
            answer(call(""), call("b", name="g")),
            batch(
                result("1", call_id="", tool_name="f", extras=spelled(tool_name="g")),
                result("2", call_id="b"),
            ),
        ],
        RESULT,
        [
            calling(
                '{"function":{"name":"f","arguments":{}}}',
                '{"id":"b","function":{"name":"g","arguments":{}}}',
            ),
            said("1", '"tool_name":"f"', "tool"),
            said("2", '"tool_name":"g","tool_call_id":"b"', "tool"),
        ],
    ),
    ("extras", "of a message", [user("hi", extras=extras(OTHER, k=1))], "$.messages[0]", [HI]),
    ("extras", "of a text", [user(text("hi", extras=extras(OTHER, k=1)))], BLOCK, [HI]),
    (
        "extras",
        "of a text of this API, which is no object",
        [user(text("hi", extras=extras(API, k=1)))],
        BLOCK,
        [HI],
    ),
    (
        "extras",
        "of a call",
        [answer(call(extras=extras(OTHER, k=1))), batch(result())],
        BLOCK,
        [CALL_A, RESULT_A],
    ),
    (
        "extras",
        "of a result",
        [answer(call()), batch(result(extras=extras(OTHER, k=1)))],
        RESULT,
        [CALL_A, RESULT_A],
    ),
    ("image", "by URL", [user(wg.ImageBlock(url="https://x.org"), "hi")], BLOCK, [HI]),
    ("image", "by id", [user(wg.ImageBlock(file_id="f"), "hi")], BLOCK, [HI]),
    ("image", "of nothing", [user(wg.ImageBlock(), "hi")], BLOCK, [HI]),
    ("image", "in a broken data URL", [user(wg.ImageBlock(url="data:x"), "hi")], BLOCK, [HI]),
    ("name", "of a user", [user("hi", name="n")], "$.messages[0]", [HI]),
    ("name", "of an answer", [answer("yes", name="n")], "$.messages[0]", [YES]),
    (
        "name",
        "of a batch",
        [answer(call()), batch(result(), name="n")],
        "$.messages[1]",
        [
            CALL_A,
            RESULT_A,
        ],
    ),
    ("opaque block", "of another API", [user(FOREIGN, "hi")], BLOCK, [HI]),
    (
        "opaque block",
        "of this API that is no message",
        [user(wg.OpaqueBlock(API, {"type": "x"}))],
        BLOCK,
        [said("")],
    ),
    (
        "opaque block",
        "of this API beside a text",
        [user(wg.OpaqueBlock(API, {"role": "control"}), "hi")],
        BLOCK,
        [HI],
    ),
    (
        "redacted thinking",
        "of another API",
        [answer(wg.ThinkingBlock("", "s", redacted=True), "yes")],
        BLOCK,
        [YES],
    ),
    (
        "redacted thinking",
        "of which the signature is all",
        [answer(wg.ThinkingBlock("", "s"), "yes")],
        BLOCK,
        [YES],
    ),
    ("thinking", "of a user", [user(wg.ThinkingBlock("hm"), "hi")], BLOCK, [HI]),
    (
        "thinking",
        "in a result",
        [answer(call()), batch(result(wg.ThinkingBlock("hm")))],
        "$.messages[1].content[0].content[0]",
        [CALL_A, RESULT_A],
    ),
    ("tool call", "of a user", [user(call(), "hi")], BLOCK, [HI]),
    ("tool result", "in an answer", [answer(result(), "yes")], BLOCK, [YES]),
    (
        "tool result",
        "in a system message",
        [system(result(), "x")],
        BLOCK,
        [said("x", role="system")],
    ),
    (
        "tool result",
        "in a result",
        [answer(call()), batch(result(result()))],
        "$.messages[1].content[0].content[0]",
        [CALL_A, RESULT_A],
    ),
    (
        "video",
        "with words",
        [user("hi", wg.VideoBlock(data=b"x", transcript="t"))],
        "$.messages[0].content[1]",
        [said("hi\\nt")],
    ),
    ("video", "without words", [answer(wg.VideoBlock(data=b"x"), "x")], BLOCK, [answered("x")]),
]

# What is lost, how, the fields of the request, the path of the loss, and the head that goes out.
IN_FIELDS: list[tuple[str, str, dict[str, Any], str, str]] = [
    ("cache", "for an hour", {"cache": wg.CacheConfig(ttl="1h")}, "$", ""),
    (
        "cache",
        "of some parts",
        {
            "cache": wg.CacheConfig(
                strategy=wg.model.ManualCache(wg.model.CacheSections(True, False, False))
            )
        },
        "$",
        "",
    ),
    (
        "cache mark",
        "on a tool",
        {"tools": [wg.Tool("f", cache=MARK)]},
        "$.tools[0]",
        TOOL,
    ),
    ("candidates", "more than one", {"candidates": 2}, "$", ""),
    ("extras", "of the request", {"extras": extras(OTHER, k=1)}, "$", ""),
    (
        "extras",
        "of a tool",
        {"tools": [wg.Tool("f", extras=extras(OTHER, k=1))]},
        "$.tools[0]",
        TOOL,
    ),
    (
        "json schema",
        "with JSON of any form",
        {"response_format": wg.ResponseFormat("json", {"type": "object"})},
        "$.responseFormat",
        '"format":"json"',
    ),
    (
        "json schema",
        "with text",
        {"response_format": wg.ResponseFormat("text", {"type": "object"})},
        "$.responseFormat",
        "",
    ),
    ("metadata", "of the request", {"metadata": {"k": 1}}, "$", ""),
    ("opaque tool", "of another API", {"tools": [FOREIGN, wg.Tool("f")]}, "$.tools[0]", TOOL),
    ("parallel_tool_calls", "none", {"parallel_tool_calls": False}, "$", ""),
    ("service_tier", "of the request", {"service_tier": "auto"}, "$", ""),
    ("strict", "of a tool", {"tools": [wg.Tool("f", strict=True)]}, "$.tools[0]", TOOL),
    (
        "thinking budget",
        "alone",
        {"thinking": wg.Thinking(budget_tokens=9)},
        "$.thinking",
        '"think":true',
    ),
    (
        "thinking budget",
        "of nothing",
        {"thinking": wg.Thinking(budget_tokens=0)},
        "$.thinking",
        '"think":false',
    ),
    (
        "thinking budget",
        "beside a level",
        {"thinking": wg.Thinking(LEVEL.LOW, 0)},
        "$.thinking",
        '"think":"low"',
    ),
    *(
        (
            "thinking level",
            level.value,
            {"thinking": wg.Thinking(level)},
            "$.thinking",
            f'"think":"{nearest}"',
        )
        for level, nearest in (
            (LEVEL.MINIMAL, "low"),
            (LEVEL.XHIGH, "high"),
            (LEVEL.ULTRA, "max"),
        )
    ),
    (
        "thinking shown",
        "not",
        {"thinking": wg.Thinking(LEVEL.HIGH, visible=False)},
        "$.thinking",
        '"think":"high"',
    ),
    *(
        (
            "tool choice",
            choice.mode,
            {"tools": [wg.Tool("f")], "tool_choice": choice},
            "$.toolChoice",
            head,
        )
        for choice, head in (
            (wg.ToolChoice("required"), TOOL),
            (wg.ToolChoice("tool", "f"), TOOL),
            (wg.ToolChoice("none"), ""),
        )
    ),
    (
        "tool choice allowed",
        "one of two",
        {"tools": [wg.Tool("f")], "tool_choice": wg.ToolChoice(allowed=["f"])},
        "$.toolChoice",
        TOOL,
    ),
    (
        "tool choice unused",
        "without tools",
        {"tool_choice": wg.ToolChoice("required")},
        "$.toolChoice",
        "",
    ),
]

CASES = {
    **{
        f"{what}, {how}": (what, path, request(*messages), body(*expected))
        for what, how, messages, path, expected in IN_MESSAGES
    },
    **{
        f"{what}, {how}": (what, path, request(user("hi"), **fields), body(HI, head=head))
        for what, how, fields, path, head in IN_FIELDS
    },
}


SEVERE = {
    "audio, without words",
}
"""Cases of rows that are not always severe, but are so here."""


@pytest.mark.parametrize(
    ("case", "what", "path", "given", "expected"),
    [(case, *row) for case, row in CASES.items()],
    ids=CASES,
)
def test_a_loss(case: str, what: str, path: str, given: wg.Request, expected: bytes) -> None:
    losses: list[wg.Loss] = []
    encoded = wg.providers.ollama.encode_request(given, losses=losses)
    judge(encoded)
    assert encoded == expected
    assert losses == [told(what, path, TABLE, severe=case in SEVERE or None)]


@pytest.mark.parametrize(("what", "path", "given", "expected"), CASES.values(), ids=CASES)
def test_a_loss_that_nobody_allowed(
    what: str, path: str, given: wg.Request, expected: bytes
) -> None:
    with pytest.raises(wg.LossError) as caught:
        wg.providers.ollama.encode_request(given)
    assert str(caught.value) == f"ollama: {what}: {reason(what, TABLE)}; {STEP} - at `{path}`"
    assert caught.value.path == path


@pytest.mark.parametrize(
    ("field", "what"),
    [
        ({"url": "https://x.org/a.pdf"}, "document source"),
        ({"context": "of last year"}, "document context"),
        ({"citations": True}, "citations"),
    ],
)
def test_a_document_loses_all_but_its_text(field: dict[str, Any], what: str) -> None:
    given = request(user(wg.DocumentBlock(text="x", **field)))
    losses: list[wg.Loss] = []
    assert wg.providers.ollama.encode_request(given, losses=losses) == body(said("x"))
    assert losses == [
        wg.Loss(BLOCK, "document text", TABLE["document text"]),
        told(what, BLOCK, TABLE),
    ]


def test_every_case_has_its_own_name() -> None:
    assert len(CASES) == len(IN_MESSAGES) + len(IN_FIELDS)


def test_every_row_of_the_table_has_a_case() -> None:
    in_answers = {"signature", "stop reason"}  # test_response.py has these
    in_requests = {what for what, *_ in CASES.values()}
    in_requests |= {"document source", "document context", "citations"}  # beside "document text"
    in_requests |= MODELS["ollama"]  # tests/field/test_models.py
    assert in_requests == set(TABLE) - FOR_ALL - in_answers


def test_a_result_that_repair_made_is_no_error_that_is_lost() -> None:
    losses: list[wg.Loss] = []
    wg.providers.ollama.encode_request(
        request(answer(call()), user("hi")), losses=losses, repair=True
    )
    assert losses == []


def test_what_is_no_loss() -> None:
    losses: list[wg.Loss] = []
    answered_by_this_api = own("x", usage=wg.Usage(), stop_reason=wg.StopReason.STOP, timestamp=1)
    block = wg.ImageBlock(data=PNG, alt_text="a", detail="low", filename="f", size=8, extras={})
    native = user(block, "hi", id=1, metadata={"k": 1}, extras=extras("wireglot", k=1))
    thought = answer(wg.ThinkingBlock("hm", "s", details=["h", "m"]), api=OTHER)
    given = request(answered_by_this_api, native, thought, cache=wg.CacheConfig())
    wg.providers.ollama.encode_request(given, losses=losses)
    assert losses == []
