"""What Cohere's wire cannot carry: each row of the table of losses has a case that provokes it.

With `losses=None` the case is a `LossError` with the path; with a list the fallback goes out, and
the list says once what was lost and where.
"""

from typing import Any

import pytest

import wireglot as wg
from tests.field.test_models import ROWS as MODELS
from tests.providers.cohere.pieces import (
    CALL_A,
    HI,
    OTHER,
    PNG,
    PNG_URL,
    RESULT_A,
    TOOL,
    YES,
    answer,
    batch,
    body,
    call,
    calls,
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

encode = wg.providers.cohere.encode_request

TABLE = losses_of("cohere")
STEP = "pass a list as `losses`, and read it"
FIRST = "$.messages[0].content[0]"
SECOND = "$.messages[1].content[0]"
IN_RESULT = "$.messages[1].content[0].content[0]"
MARK = wg.CacheMark()
REF = wg.AnnotationRef(url="https://x.org")
X = '{"type":"text","text":"x"}'
IMAGE = f'{{"type":"image_url","image_url":{{"url":"{PNG_URL}"}}}}'
TOOL_G = TOOL.replace('"f"', '"g"')


def _raw(text: str) -> str:
    """Return arguments that hold what the model wrote, inside the JSON of a string."""
    return calls("a", arguments=rf"{{\"raw_arguments\":\"{text}\"}}")


# What is lost, how, the messages, the path of the loss, and the messages that go out.
IN_MESSAGES: list[tuple[str, str, list[wg.Message], str, list[str]]] = [
    ("annotation", "on a text", [user(text("hi", annotations=[REF]))], FIRST, [HI]),
    (
        "annotation",
        "on a text of an answer",
        [answer(text("yes", annotations=[REF]))],
        FIRST,
        [YES],
    ),
    (
        "annotation",
        "on a text beside calls",
        [answer(text("so", annotations=[REF]), call()), batch(result("ok"))],
        FIRST,
        [calls("a", before='"tool_plan":"so",'), RESULT_A],
    ),
    ("annotation", "as a block", [user(wg.AnnotationBlock(), "hi")], FIRST, [HI]),
    (
        "image",
        "in an answer",
        [user("hi"), answer(wg.ImageBlock(data=PNG), "yes")],
        SECOND,
        [HI, YES],
    ),
    (
        "audio",
        "in an answer",
        [user("hi"), answer(wg.AudioBlock(url="https://x.org/a", transcript="yes"))],
        SECOND,
        [HI, YES],
    ),
    (
        "video",
        "beside calls",
        [answer(wg.VideoBlock(file_id="f", transcript="so"), call()), batch(result("ok"))],
        FIRST,
        [calls("a", before='"tool_plan":"so",'), RESULT_A],
    ),
    (
        "document",
        "in an answer",
        [user("hi"), answer(wg.DocumentBlock.from_text("x"), "yes")],
        SECOND,
        [HI, YES],
    ),
    (
        "data",
        "in an answer",
        [user("hi"), answer(wg.DataBlock(data=b"x"), "yes")],
        SECOND,
        [HI, YES],
    ),
    *(
        ("arguments", name, [answer(call("a", arguments)), batch(result("ok"))], FIRST, expected)
        for name, arguments, expected in (
            ("that break off", '{"x":', [_raw(r"{\\\"x\\\":"), RESULT_A]),
            ("that are no number", "NaN", [_raw("NaN"), RESULT_A]),
            ("that are not UTF-8", b"\xff", [_raw("\ufffd"), RESULT_A]),
        )
    ),
    (
        "audio",
        "with a transcript",
        [user(wg.AudioBlock(data=b"ID3", transcript="hi"))],
        FIRST,
        [HI],
    ),
    ("audio", "without a transcript", [user(wg.AudioBlock(url="x"), "hi")], FIRST, [HI]),
    (
        "audio",
        "in a result",
        [answer(call()), batch(result(wg.AudioBlock(data=b"ID3", transcript="ok")))],
        IN_RESULT,
        [CALL_A, RESULT_A],
    ),
    ("cache mark", "on a text", [user(text("hi", cache=MARK))], FIRST, [HI]),
    (
        "cache mark",
        "on a system message",
        [system(text("s", cache=MARK)), user("hi")],
        FIRST,
        ['{"role":"system","content":"s"}', HI],
    ),
    (
        "cache mark",
        "on an image",
        [user(wg.ImageBlock(data=PNG, cache=MARK))],
        FIRST,
        [said(IMAGE)],
    ),
    (
        "cache mark",
        "on a call",
        [answer(call(cache=MARK)), batch(result("ok"))],
        FIRST,
        [CALL_A, RESULT_A],
    ),
    (
        "cache mark",
        "on a result",
        [answer(call()), batch(result("ok", cache=MARK))],
        SECOND,
        [CALL_A, RESULT_A],
    ),
    ("data", "inline", [user(wg.DataBlock(data=b"x"), "hi")], FIRST, [HI]),
    *(
        ("document", name, [user(block, "hi")], FIRST, [HI])
        for name, block in (
            ("of a PDF", wg.DocumentBlock.from_bytes(b"%PDF-")),
            ("of text that is not UTF-8", wg.DocumentBlock.from_bytes(b"\xff", "text/plain")),
            ("of text in not base64", wg.DocumentBlock.from_base64("*", "text/plain")),
            ("by URL", wg.DocumentBlock(url="https://x.org/a")),
            ("of nothing", wg.DocumentBlock()),
        )
    ),
    (
        "document",
        "in a result",
        [answer(call()), batch(result(wg.DocumentBlock(file_id="f"), "ok"))],
        IN_RESULT,
        [CALL_A, RESULT_A],
    ),
    (
        "document source",
        "beside the text, in a result",
        [answer(call()), batch(result(wg.DocumentBlock(text="x", url="https://x.org/a")))],
        IN_RESULT,
        [
            CALL_A,
            RESULT_A.replace('"ok"', '[{"type":"document","document":{"data":{"text":"x"}}}]'),
        ],
    ),
    ("document text", "of a user", [user(wg.DocumentBlock.from_text("hi"))], FIRST, [HI]),
    ("error", "with a message", [user(wg.ErrorBlock("hi", code="e", data=1))], FIRST, [HI]),
    ("error", "without a message", [user(wg.ErrorBlock(" "), "hi")], FIRST, [HI]),
    (
        "error",
        "in a result",
        [answer(call()), batch(result(wg.ErrorBlock("ok")))],
        IN_RESULT,
        [CALL_A, RESULT_A],
    ),
    (
        "error flag",
        "of a result",
        [answer(call()), batch(result("ok", is_error=True))],
        SECOND,
        [CALL_A, RESULT_A],
    ),
    (
        "error flag",
        "of a result that is a message",
        [answer(call()), wg.ToolResultMessage("a", content=[text("ok")], is_error=True)],
        "$.messages[1]",
        [CALL_A, RESULT_A],
    ),
    (
        "extras",
        "of another API, on a message",
        [user("hi", extras=extras(OTHER, k=1))],
        "$.messages[0]",
        [HI],
    ),
    (
        "extras",
        "of another API, on a block",
        [user(text("hi", extras=extras(OTHER, k=1)), "hi")],
        FIRST,
        [said('{"type":"text","text":"hi"}', '{"type":"text","text":"hi"}')],
    ),
    (
        "extras",
        "of a message that is left out",
        [user("", extras=extras(k=1)), user("hi")],
        "$.messages[0]",
        [HI],
    ),
    (
        "extras",
        "of a text beside calls",
        [own(text("so", extras=extras(k=1)), call()), batch(result("ok"))],
        FIRST,
        [calls("a", before='"tool_plan":"so",'), RESULT_A],
    ),
    *(
        ("image", name, [user(block, "hi")], FIRST, [HI])
        for name, block in (
            ("of another type", wg.ImageBlock.from_bytes(b"II*\0")),
            ("by file id", wg.ImageBlock(file_id="f")),
            ("by a URL of another scheme", wg.ImageBlock(url="ftp://x/a.png")),
            ("in a malformed data URL", wg.ImageBlock(url="data:image/png")),
            ("of nothing", wg.ImageBlock()),
        )
    ),
    (
        "image",
        "in a result",
        [answer(call()), batch(result(wg.ImageBlock(file_id="f"), "ok"))],
        IN_RESULT,
        [CALL_A, RESULT_A],
    ),
    (
        "image detail",
        "that is no word of the API",
        [user(wg.ImageBlock(url="https://x.org/a", detail="Zq7"), "hi")],
        FIRST,
        [
            '{"role":"user","content":['
            '{"type":"image_url","image_url":{"url":"https://x.org/a"}},'
            '{"type":"text","text":"hi"}]}'
        ],
    ),
    ("name", "of a user", [user("hi", name="n")], "$.messages[0]", [HI]),
    ("name", "of an answer", [answer("yes", name="n")], "$.messages[0]", [YES]),
    (
        "opaque block",
        "of another API",
        [user(wg.OpaqueBlock(OTHER, {"type": "x"}), "hi")],
        FIRST,
        [HI],
    ),
    (
        "redacted thinking",
        "in an answer",
        [answer(wg.ThinkingBlock("", "s", redacted=True), "yes")],
        FIRST,
        [YES],
    ),
    (
        "redacted thinking",
        "beside calls",
        [answer(wg.ThinkingBlock("", "s", redacted=True), call()), batch(result("ok"))],
        FIRST,
        [CALL_A, RESULT_A],
    ),
    (
        "system content",
        "an image",
        [system(wg.ImageBlock(data=PNG), "s"), user("hi")],
        FIRST,
        ['{"role":"system","content":"s"}', HI],
    ),
    ("thinking", "of a user", [user(wg.ThinkingBlock("hm"), "hi")], FIRST, [HI]),
    ("tool call", "of a user", [user(call(), "hi")], FIRST, [HI]),
    ("tool result", "in an answer", [answer(result("x"), "yes")], FIRST, [YES]),
    *(
        (
            "tool result content",
            name,
            [answer(call()), batch(result(block, "ok"))],
            IN_RESULT,
            [CALL_A, RESULT_A],
        )
        for name, block in (
            ("thinking", wg.ThinkingBlock("hm")),
            ("a call", call("b")),
            ("a result", result("x", call_id="b")),
        )
    ),
    (
        "video",
        "with a transcript",
        [user(wg.VideoBlock(url="https://x.org/a", transcript="hi"))],
        FIRST,
        [HI],
    ),
]

# What is lost, how, the fields of the request, the path of the loss, and what stands before HI.
IN_FIELDS: list[tuple[str, str, dict[str, Any], str, str]] = [
    ("cache", "with a time", {"cache": wg.CacheConfig(ttl="1h")}, "$", ""),
    (
        "cache",
        "of one section",
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
        f'"tools":[{TOOL}]',
    ),
    ("candidates", "two", {"candidates": 2}, "$", ""),
    ("extras", "of another API, on the request", {"extras": extras(OTHER, k=1)}, "$", ""),
    ("frequency_penalty", "below", {"frequency_penalty": -1.0}, "$", '"frequency_penalty":0.0'),
    ("metadata", "any", {"metadata": {"x": 1}}, "$", ""),
    (
        "opaque tool",
        "of another API",
        {"tools": [wg.OpaqueBlock(OTHER, {"type": "web"}), wg.Tool("f")]},
        "$.tools[0]",
        f'"tools":[{TOOL}]',
    ),
    (
        "parallel_tool_calls",
        "one call at a time",
        {"parallel_tool_calls": False, "tools": [wg.Tool("f")]},
        "$",
        f'"tools":[{TOOL}]',
    ),
    ("presence_penalty", "above", {"presence_penalty": 2.0}, "$", '"presence_penalty":1.0'),
    (
        "response format",
        "JSON beside a tool",
        {"response_format": wg.ResponseFormat("json"), "tools": [wg.Tool("f")]},
        "$.responseFormat",
        f'"tools":[{TOOL}]',
    ),
    ("seed", "below", {"seed": -1}, "$", '"seed":0'),
    ("seed", "above", {"seed": 2**64}, "$", '"seed":18446744073709551615'),
    ("service_tier", "any", {"service_tier": "auto"}, "$", ""),
    ("stop", "six", {"stop": list("abcdef")}, "$", '"stop_sequences":["a","b","c","d","e"]'),
    (
        "strict",
        "for one tool of two",
        {"tools": [wg.Tool("f", strict=True), wg.Tool("g")]},
        "$",
        f'"tools":[{TOOL},{TOOL_G}]',
    ),
    ("temperature", "above", {"temperature": 2.0}, "$", '"temperature":1.0'),
    (
        "thinking budget",
        "of nothing",
        {"thinking": wg.Thinking(budget_tokens=0)},
        "$.thinking",
        '"thinking":{"type":"disabled"}',
    ),
    (
        "thinking level",
        "high",
        {"thinking": wg.Thinking(wg.ThinkingLevel.HIGH)},
        "$.thinking",
        '"thinking":{"type":"enabled"}',
    ),
    (
        "thinking shown",
        "not",
        {"thinking": wg.Thinking(visible=False)},
        "$.thinking",
        '"thinking":{"type":"enabled"}',
    ),
    (
        "tool choice",
        "one of two",
        {"tools": [wg.Tool("f"), wg.Tool("g")], "tool_choice": wg.ToolChoice("tool", "f")},
        "$.toolChoice",
        f'"tool_choice":"REQUIRED","tools":[{TOOL},{TOOL_G}]',
    ),
    (
        "tool choice allowed",
        "one of one",
        {"tools": [wg.Tool("f")], "tool_choice": wg.ToolChoice(allowed=["f"])},
        "$.toolChoice",
        f'"tools":[{TOOL}]',
    ),
    (
        "tool choice unused",
        "required",
        {"tool_choice": wg.ToolChoice("required")},
        "$.toolChoice",
        "",
    ),
    ("top_k", "above", {"top_k": 501}, "$", '"k":500'),
    ("top_logprobs", "one", {"top_logprobs": 1}, "$", ""),
    ("top_p", "above", {"top_p": 1.0}, "$", '"p":0.99'),
]

CASES = {
    **{
        f"{what}, {how}": ([(what, path)], request(*messages), body(*expected))
        for what, how, messages, path, expected in IN_MESSAGES
    },
    **{
        f"{what}, {how}": ([(what, path)], request(user("hi"), **fields), body(HI, head=head))
        for what, how, fields, path, head in IN_FIELDS
    },
    "what a user's document has beside its text": (
        [
            ("document source", FIRST),
            ("document text", FIRST),
            ("document context", FIRST),
            ("citations", FIRST),
        ],
        request(
            user(wg.DocumentBlock(text="hi", url="https://x.org", context="c", citations=True))
        ),
        body(HI),
    ),
}


SEVERE = {
    "audio, without a transcript",
    "system content, an image",
    "tool result content, a result",
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
    ("case", "lost", "given", "expected"), [(case, *row) for case, row in CASES.items()], ids=CASES
)
def test_a_loss(case: str, lost: list[tuple[str, str]], given: wg.Request, expected: bytes) -> None:
    losses: list[wg.Loss] = []
    encoded = encode(given, losses=losses)
    judge(encoded)
    assert encoded == expected
    assert losses == [told(what, path, TABLE, severe=_is_severe(case)) for what, path in lost]


@pytest.mark.parametrize(("lost", "given", "expected"), CASES.values(), ids=CASES)
def test_a_loss_that_nobody_allowed(
    lost: list[tuple[str, str]], given: wg.Request, expected: bytes
) -> None:
    what, path = lost[0]
    with pytest.raises(wg.LossError) as caught:
        encode(given)
    assert str(caught.value) == f"cohere: {what}: {reason(what, TABLE)}; {STEP} - at `{path}`"


def test_a_choice_of_a_tool_that_another_provider_runs() -> None:
    tools = [wg.OpaqueBlock(OTHER, {"type": "web"})]
    losses: list[wg.Loss] = []
    asked = request(user("hi"), tools=tools, tool_choice=wg.ToolChoice("required"))
    assert encode(asked, losses=losses) == body(HI)
    assert [loss.what for loss in losses] == ["opaque tool", "tool choice unused", "only tools"]


def test_every_case_has_its_own_name() -> None:
    assert len(CASES) == len(IN_MESSAGES) + len(IN_FIELDS) + 1


def test_every_row_of_the_table_has_a_case() -> None:
    in_requests = {what for lost, *_ in CASES.values() for what, _ in lost}
    in_answers = {"signature", "stop reason"}  # test_response.py has these
    in_requests |= MODELS["cohere"]  # tests/field/test_models.py
    assert in_requests == set(TABLE) - FOR_ALL - in_answers


def test_documents_to_cite_are_a_loss_on_another_wire() -> None:
    asked = wg.providers.cohere.decode_request(body(HI, head='"documents":["x"],"max_tokens":8'))
    losses: list[wg.Loss] = []
    wg.providers.anthropic.encode_request(asked, losses=losses)
    why = (
        "`documents`, what the model is shown beside the messages, as another API has it; left out"
    )
    assert losses == [wg.Loss("$.documents", "context", why, severe=True)]


def test_what_is_only_spelling_is_no_loss_on_another_wire() -> None:
    given = body(
        said(X),
        calls("a", before='"tool_plan":"","content":[],'),
        RESULT_A.replace('"ok"', '[{"type":"document","document":{"data":{"output":"60"}}}]'),
        head='"documents":[],"stream":false,"max_tokens":8',
    )
    assert wg.providers.anthropic.encode_request(wg.providers.cohere.decode_request(given)) == (
        b'{"model":"m","max_tokens":8,"messages":['
        b'{"role":"user","content":[{"type":"text","text":"x"}]},'
        b'{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]},'
        b'{"role":"user","content":[{"type":"tool_result","tool_use_id":"a",'
        rb'"content":[{"type":"text","text":"{\"output\":\"60\"}"}]}]}]}'
    )
