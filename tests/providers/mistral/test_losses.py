"""What Mistral's wire cannot carry: each row of the table of losses has a case that provokes it.

With `losses=None` the case is a `LossError` with the path; with a list the fallback goes out, and
the list says once what was lost and where.
"""

from typing import Any

import pytest

import wireglot as wg
from tests.field.test_models import ROWS as MODELS
from tests.providers.mistral.pieces import (
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
    extras,
    judge,
    own,
    request,
    result,
    said,
    system,
    text,
    user,
)
from tests.providers.test_common_losses import FOR_ALL, reason, told
from wireglot.providers.losses import losses_of

TABLE = losses_of("mistral")
STEP = "pass a list as `losses`, and read it"
BLOCK = "$.messages[0].content[0]"
SECOND = "$.messages[1].content[0]"
MARK = wg.CacheMark()
REF = wg.AnnotationRef(url="https://x.org")
X = '{"role":"user","content":"x"}'
ANSWER_X = '{"role":"assistant","content":"x"}'
IMAGE = '{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw0KGgo="}}'
TOOL = (
    '"tools":[{"type":"function","function":{"name":"f",'
    '"parameters":{"type":"object","properties":{}}}}]'
)
FOREIGN = wg.OpaqueBlock(OTHER, wg.RawJson("{}"))


def _calling(name: str, arguments: str = '"{}"') -> str:
    return CALL_A.replace('"name":"f"', f'"name":"{name}"').replace('"{}"', arguments)


# What is lost, how, the messages, the path of the loss, and the messages that go out.
IN_MESSAGES: list[tuple[str, str, list[Any], str, list[str]]] = [
    ("annotation", "on a text", [user(text("hi", annotations=[REF]))], BLOCK, [HI]),
    ("annotation", "as a block", [user(wg.AnnotationBlock(), "hi")], BLOCK, [HI]),
    *(
        (what, how, [user("hi"), answer(block, "x"), user("hi")], SECOND, expected)
        for what, how, block, expected in (
            ("image", "in an answer", wg.ImageBlock(data=PNG), [HI, ANSWER_X, HI]),
            ("document", "in an answer", wg.DocumentBlock.from_text("t"), [HI, ANSWER_X, HI]),
            ("data", "in an answer", wg.DataBlock(data=b"x"), [HI, ANSWER_X, HI]),
            ("audio", "in an answer", wg.AudioBlock(data=b"ID3"), [HI, ANSWER_X, HI]),
            (
                "audio",
                "in an answer, with a transcript",
                wg.AudioBlock(data=b"ID3", transcript="t"),
                [HI, answered('{"type":"text","text":"t"}', '{"type":"text","text":"x"}'), HI],
            ),
            (
                "video",
                "in an answer, with a transcript",
                wg.VideoBlock(url="https://x.org", transcript="t"),
                [HI, answered('{"type":"text","text":"t"}', '{"type":"text","text":"x"}'), HI],
            ),
        )
    ),
    (
        "arguments",
        "that are not UTF-8",
        [answer(call(arguments=b'{"x":"\xff"}')), batch(result())],
        BLOCK,
        [_calling("f", '"{\\"x\\":\\"\ufffd\\"}"'), RESULT_A],
    ),
    *(
        ("audio", name, [user(block, "hi")], BLOCK, [HI])
        for name, block in (
            ("by id", wg.AudioBlock(file_id="f")),
            ("by a URL of another scheme", wg.AudioBlock(url="ftp://x/a")),
            ("in a malformed data URL", wg.AudioBlock(url="data:audio/wav")),
            ("that is a URL, not base64", wg.AudioBlock.from_base64("HTTPS://x.org/a")),
            ("that is a data URL, not base64", wg.AudioBlock.from_base64("data:x")),
            ("without a source", wg.AudioBlock(transcript=" ")),
        )
    ),
    ("audio", "with a transcript", [user(wg.AudioBlock(transcript="x"))], BLOCK, [X]),
    ("cache mark", "on a text", [user(text("hi", cache=MARK))], BLOCK, [HI]),
    (
        "cache mark",
        "on an image",
        [user(wg.ImageBlock(data=PNG, cache=MARK))],
        BLOCK,
        [said(IMAGE)],
    ),
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
        SECOND,
        [CALL_A, RESULT_A],
    ),
    (
        "citations",
        "of a document",
        [user(wg.DocumentBlock(file_id="f", citations=True))],
        BLOCK,
        [said('{"type":"file","file_id":"f"}')],
    ),
    ("data", "inline", [user(wg.DataBlock(data=b"x"), "hi")], BLOCK, [HI]),
    *(
        ("file id", name, [user(block, "hi")], BLOCK, [HI])
        for name, block in (
            ("of an image", wg.ImageBlock(file_id="f", extras=extras(OTHER))),
            ("of a document", wg.DocumentBlock(file_id="f", extras=extras(OTHER))),
        )
    ),
    *(
        ("document", name, [user(block, "hi")], BLOCK, [HI])
        for name, block in (
            ("without a source", wg.DocumentBlock()),
            ("by a URL of another scheme", wg.DocumentBlock(url="ftp://x/a.pdf")),
            ("in a malformed data URL", wg.DocumentBlock(url="data:application/pdf")),
        )
    ),
    (
        "document context",
        "beside an id",
        [user(wg.DocumentBlock(file_id="f", context="c"))],
        BLOCK,
        [said('{"type":"file","file_id":"f"}')],
    ),
    ("document text", "as it is", [user(wg.DocumentBlock.from_text("x", "t"))], BLOCK, [X]),
    ("error", "with a message", [user(wg.ErrorBlock("x", code="e", data=1))], BLOCK, [X]),
    ("error", "without words", [user(wg.ErrorBlock(" "), "hi")], BLOCK, [HI]),
    (
        "error flag",
        "of a result",
        [answer(call()), batch(result(is_error=True))],
        SECOND,
        [CALL_A, RESULT_A],
    ),
    (
        "error flag",
        "of a message",
        [answer(call()), wg.ToolResultMessage("aaaaaaaa1", is_error=True)],
        "$.messages[1]",
        [CALL_A, RESULT_A],
    ),
    ("extras", "of a message", [user("hi", extras=extras(OTHER, k=1))], "$.messages[0]", [HI]),
    (
        "extras",
        "of two other APIs",
        [user("hi", extras=extras(OTHER, k=1) | extras("third-api", k=1))],
        "$.messages[0]",
        [HI],
    ),
    (
        "extras",
        "of a text",
        [user(text("hi", extras=extras(OTHER, k=1)))],
        BLOCK,
        [HI],
    ),
    (
        "extras",
        "of a message of results",
        [answer(call()), batch(result(), extras=extras(k=1))],
        "$.messages[1]",
        [CALL_A, RESULT_A],
    ),
    *(
        ("image", name, [user(block, "hi")], BLOCK, [HI])
        for name, block in (
            ("of another type", wg.ImageBlock.from_bytes(b"II*\0", "image/tiff")),
            ("without a source", wg.ImageBlock()),
            ("by a URL of another scheme", wg.ImageBlock(url="ftp://x/a.png")),
            ("in a malformed data URL", wg.ImageBlock(url="data:image/png")),
        )
    ),
    (
        "image detail",
        "that is unknown",
        [user(wg.ImageBlock(data=PNG, detail="original"))],
        BLOCK,
        [said(IMAGE)],
    ),
    ("name", "of a user", [user("hi", name="n")], "$.messages[0]", [HI]),
    (
        "name",
        "of a system message",
        [system("x", name="n"), user("hi")],
        "$.messages[0]",
        ['{"role":"system","content":"x"}', HI],
    ),
    (
        "name",
        "of a batch",
        [answer(call()), batch(result(), name="n")],
        "$.messages[1]",
        [CALL_A, RESULT_A],
    ),
    ("opaque block", "in a user's message", [user(FOREIGN, "hi")], BLOCK, [HI]),
    (
        "system content",
        "an image",
        [system(wg.ImageBlock(data=PNG), "x"), user("hi")],
        BLOCK,
        ['{"role":"system","content":"x"}', HI],
    ),
    (
        "system place",
        "after a user, at the end",
        [system("s"), user("hi"), system("x")],
        "$.messages[2]",
        ['{"role":"system","content":"s"}', HI, X],
    ),
    (
        "system place",
        "after a user, as it is once the conversation goes on",
        [system("s"), user("hi"), system("x"), answer("yes"), user("hi")],
        "$.messages[2]",
        ['{"role":"system","content":"s"}', HI, X, YES, HI],
    ),
    (
        "system place",
        "after an answer, as a user's",
        [user("hi"), answer("yes"), system("x"), user("hi"), answer("yes"), user("hi")],
        "$.messages[2]",
        [HI, YES, X, HI, YES, HI],
    ),
    (
        "system place",
        "between two answers",
        [user("hi"), answer("yes"), system("x"), answer("yes"), user("hi")],
        "$.messages[2]",
        [HI, YES, X, YES, HI],
    ),
    (
        "system place",
        "after a result, at the end",
        [answer(call()), batch(result()), system("x")],
        "$.messages[2]",
        [CALL_A, RESULT_A, X],
    ),
    (
        "system place",
        "between a call and its result",
        [answer(call()), system("x"), batch(result()), user("hi")],
        "$.messages[1]",
        [CALL_A, RESULT_A, X, HI],
    ),
    *(
        ("thinking", name, messages, path, expected)
        for name, messages, path, expected in (
            ("of a user", [user(wg.ThinkingBlock("t"), "hi")], BLOCK, [HI]),
            (
                "that is redacted",
                [user("hi"), answer(wg.ThinkingBlock("", "s", redacted=True), "yes"), user("hi")],
                SECOND,
                [HI, YES, HI],
            ),
            (
                "of another API, without text",
                [user("hi"), answer(wg.ThinkingBlock("", "s"), "yes", api=OTHER), user("hi")],
                SECOND,
                [HI, YES, HI],
            ),
        )
    ),
    ("tool call", "of a user", [user(call(), "hi")], BLOCK, [HI]),
    (
        "tool name",
        "with a dot",
        [answer(call(name="a.b")), batch(result())],
        BLOCK,
        [_calling("a_b_2e7336dc"), RESULT_A],
    ),
    (
        "tool result",
        "of an answer",
        [user("hi"), answer(result(), "yes"), user("hi")],
        SECOND,
        [HI, YES, HI],
    ),
    *(
        (
            "tool result content",
            name,
            [answer(call()), batch(result(block))],
            "$.messages[1].content[0].content[0]",
            [CALL_A, RESULT_A],
        )
        for name, block in (
            ("thinking", wg.ThinkingBlock("t")),
            ("a call", call("b")),
            ("a result", result("x", call_id="b")),
        )
    ),
    ("video", "with a transcript", [user(wg.VideoBlock(transcript="x"))], BLOCK, [X]),
    ("video", "without words", [user(wg.VideoBlock(url="https://x.org"), "hi")], BLOCK, [HI]),
]

SECTIONS = wg.model.CacheSections(cache_system=True, cache_tools=False, cache_messages=False)
SCHEMA = wg.RawJson("{}")
# What is lost, how, the fields of the request, the path of the loss, and the keys that go out.
IN_FIELDS: list[tuple[str, str, dict[str, Any], str, str]] = [
    ("cache", "for an hour", {"cache": wg.CacheConfig(ttl="1h")}, "$", ""),
    (
        "cache",
        "of some sections",
        {"cache": wg.CacheConfig(strategy=wg.model.ManualCache(SECTIONS))},
        "$",
        "",
    ),
    ("cache mark", "on a tool", {"tools": [wg.Tool("f", cache=MARK)]}, "$.tools[0]", TOOL),
    ("candidates", "none", {"candidates": 0}, "$", '"n":1'),
    ("extras", "of the request", {"extras": extras(OTHER, k=1)}, "$", ""),
    (
        "extras",
        "of a tool",
        {"tools": [wg.Tool("f", extras=extras(OTHER, k=1))]},
        "$.tools[0]",
        TOOL,
    ),
    ("frequency_penalty", "too high", {"frequency_penalty": 3.0}, "$", '"frequency_penalty":2.0'),
    (
        "json schema",
        "beside a mode without one",
        {"response_format": wg.ResponseFormat("json", SCHEMA)},
        "$.responseFormat",
        '"response_format":{"type":"json_object"}',
    ),
    ("max_tokens", "negative", {"max_tokens": -1}, "$", '"max_tokens":0'),
    ("opaque tool", "of another API", {"tools": [FOREIGN, wg.Tool("f")]}, "$.tools[0]", TOOL),
    ("presence_penalty", "too low", {"presence_penalty": -2.5}, "$", '"presence_penalty":-2.0'),
    ("seed", "negative", {"seed": -7}, "$", '"random_seed":0'),
    ("service_tier", "that is unknown", {"service_tier": "flex"}, "$", ""),
    ("temperature", "too high", {"temperature": 2.0}, "$", '"temperature":1.5'),
    (
        "thinking budget",
        "alone",
        {"thinking": wg.Thinking(budget_tokens=9)},
        "$.thinking",
        '"reasoning_effort":"high"',
    ),
    (
        "thinking budget",
        "of nothing",
        {"thinking": wg.Thinking(budget_tokens=0)},
        "$.thinking",
        '"reasoning_effort":"none"',
    ),
    (
        "thinking budget",
        "beside a level",
        {"thinking": wg.Thinking(wg.ThinkingLevel.LOW, 9)},
        "$.thinking",
        '"reasoning_effort":"low"',
    ),
    (
        "thinking level",
        "beyond the highest",
        {"thinking": wg.Thinking(wg.ThinkingLevel.ULTRA)},
        "$.thinking",
        '"reasoning_effort":"max"',
    ),
    ("thinking shown", "not", {"thinking": wg.Thinking(visible=False)}, "$.thinking", ""),
    (
        "tool choice allowed",
        "one of two",
        {
            "tools": [wg.Tool("f")],
            "tool_choice": wg.ToolChoice("required", allowed=["f"]),
        },
        "$.toolChoice",
        '"tool_choice":"any",' + TOOL,
    ),
    (
        "tool choice unused",
        "without tools",
        {"tool_choice": wg.ToolChoice("required")},
        "$.toolChoice",
        "",
    ),
    (
        "tool name",
        "of a tool, chosen",
        {"tools": [wg.Tool("a.b")], "tool_choice": wg.ToolChoice("tool", "a.b")},
        "$.tools[0]",
        '"tool_choice":{"type":"function","function":{"name":"a_b_2e7336dc"}},'
        + TOOL.replace('"f"', '"a_b_2e7336dc"'),
    ),
    ("top_p", "above one", {"top_p": 1.5}, "$", '"top_p":1.0'),
    ("top_p", "at temperature 0", {"temperature": 0.0, "top_p": 0.5}, "$", '"temperature":0.0'),
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
    "audio, by id",
    "audio, by a URL of another scheme",
    "audio, in a malformed data URL",
    "audio, that is a URL, not base64",
    "audio, that is a data URL, not base64",
    "audio, without a source",
    "system content, an image",
    "tool result content, a result",
    "video, without words",
}
"""Cases of rows that are not always severe, but are so here."""


def _is_severe(case: str) -> bool | None:
    return case in SEVERE or (False if case in MADE else None)


MADE = {
    "audio, in an answer",
    "data, in an answer",
    "document, in an answer",
    "image, in an answer",
}
"""Cases of media that the model has made itself, which are not severe."""


@pytest.mark.parametrize(
    ("case", "what", "path", "given", "expected"),
    [(case, *row) for case, row in CASES.items()],
    ids=CASES,
)
def test_a_loss(case: str, what: str, path: str, given: wg.Request, expected: bytes) -> None:
    losses: list[wg.Loss] = []
    encoded = wg.providers.mistral.encode_request(given, losses=losses)
    judge(encoded)
    assert encoded == expected
    assert losses == [told(what, path, TABLE, severe=_is_severe(case))]


@pytest.mark.parametrize(("what", "path", "given", "expected"), CASES.values(), ids=CASES)
def test_a_loss_that_nobody_allowed(
    what: str, path: str, given: wg.Request, expected: bytes
) -> None:
    with pytest.raises(wg.LossError) as caught:
        wg.providers.mistral.encode_request(given)
    assert str(caught.value) == f"mistral: {what}: {reason(what, TABLE)}; {STEP} - at `{path}`"
    assert caught.value.path == path


def test_a_document_of_two_sources_loses_one_and_its_form() -> None:
    given = request(user(wg.DocumentBlock(text="x", url="https://x.org/a.pdf")))
    losses: list[wg.Loss] = []
    assert wg.providers.mistral.encode_request(given, losses=losses) == body(X)
    assert [(loss.path, loss.what) for loss in losses] == [
        (BLOCK, "document text"),
        (BLOCK, "document source"),
    ]


def test_every_case_has_its_own_name() -> None:
    assert len(CASES) == len(IN_MESSAGES) + len(IN_FIELDS)


def test_every_row_of_the_table_has_a_case() -> None:
    elsewhere = {"document source", "signature", "stop reason"}  # here, and in test_response.py
    elsewhere |= MODELS["mistral"]  # tests/field/test_models.py
    assert {what for what, *_ in CASES.values()} | elsewhere == set(TABLE) - FOR_ALL


def test_what_is_no_loss() -> None:
    losses: list[wg.Loss] = []
    answered_by_another = own("x", usage=wg.Usage(), stop_reason=wg.StopReason.STOP, timestamp=1)
    block = wg.ImageBlock(data=PNG, alt_text="a", filename="f", size=8, page=1, extras={})
    native = user(block, "hi", id=1, metadata={"k": 1}, extras=extras("wireglot", k=1))
    wg.providers.mistral.encode_request(request(answered_by_another, native), losses=losses)
    assert losses == []
    assert API == wg.providers.mistral.API
