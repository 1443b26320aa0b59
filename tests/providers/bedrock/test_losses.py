"""What Bedrock's wire cannot carry: each row of the table of losses has a case that provokes it.

With `losses=None` the case is a `LossError` with the path; with a list the fallback goes out, and
the list says once what was lost and where.
"""

from typing import Any

import pytest

import wireglot as wg
from tests.field.test_models import ROWS as MODELS
from tests.providers.bedrock.pieces import (
    API,
    CALL_A,
    CLAUDE,
    CONFIG,
    HI,
    OPENING,
    OTHER,
    PNG,
    POINT,
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

TABLE = losses_of("bedrock")
STEP = "pass a list as `losses`, and read it"
BLOCK = "$.messages[0].content[0]"
SECOND = "$.messages[1].content[0]"
THIRD = "$.messages[2].content[0]"
OPEN = '{"type":"object","additionalProperties":true}'
MARK = wg.CacheMark()
REF = wg.AnnotationRef(url="https://x.org")
FOREIGN = wg.OpaqueBlock(OTHER, wg.RawJson("{}"))
LEVEL = wg.ThinkingLevel
X = '{"text":"x"}'
SAID_X = said(X)

# What is lost, how, the messages, the path of the loss, and the messages that go out.
IN_MESSAGES: list[tuple[str, str, list[Any], str, list[str]]] = [
    ("annotation", "on a text", [user(text("hi", annotations=[REF]))], BLOCK, [HI]),
    ("annotation", "as a block", [user(wg.AnnotationBlock(), "hi")], BLOCK, [HI]),
    *(
        (what, "in an answer", [user("hi"), answer(block, "yes")], SECOND, [HI, YES])
        for what, block in (
            ("image", wg.ImageBlock(data=PNG)),
            ("document", wg.DocumentBlock.from_text("t")),
        )
    ),
    (
        "arguments",
        "that are a list",
        [user("hi"), own(call(arguments="[1]")), batch(result())],
        SECOND,
        [HI, CALL_A.replace("{}", '{"raw_arguments":"[1]"}'), RESULT_A],
    ),
    (
        "arguments",
        "that are not UTF-8",
        [user("hi"), own(call(arguments=b'{"x":"\xff"}')), batch(result())],
        SECOND,
        [HI, CALL_A.replace("{}", '{"raw_arguments":"{\\"x\\":\\"\ufffd\\"}"}'), RESULT_A],
    ),
    *(
        (what, name, [user(block, "hi")], BLOCK, [HI])
        for what, name, block in (
            ("audio", "by id", wg.AudioBlock(file_id="f")),
            ("audio", "by a URL of another scheme", wg.AudioBlock(url="https://x.org/a.mp3")),
            ("audio", "of another format", wg.AudioBlock(data=b"x", mime_type="audio/midi")),
            ("audio", "with a blank transcript", wg.AudioBlock(transcript=" ")),
            ("data", "inline", wg.DataBlock(data=b"x")),
            ("document", "without a source", wg.DocumentBlock()),
            ("document", "by id", wg.DocumentBlock(file_id="f")),
            ("document", "of another format", wg.DocumentBlock(data=b"x", mime_type="x/y")),
            ("document", "in a malformed data URL", wg.DocumentBlock(url="data:application/pdf")),
            ("image", "by URL", wg.ImageBlock(url="https://x.org/a.png")),
            ("image", "by id", wg.ImageBlock(file_id="f")),
            ("image", "of another format", wg.ImageBlock(data=b"x", mime_type="image/bmp")),
            ("video", "by URL", wg.VideoBlock(url="https://x.org/a.mp4")),
            ("video", "of another format", wg.VideoBlock(data=b"x", mime_type="video/x")),
            ("error", "without words", wg.ErrorBlock(" ")),
            ("opaque block", "of another API", FOREIGN),
            ("thinking", "of a user", wg.ThinkingBlock("hm")),
            ("tool call", "of a user", call()),
            ("cache mark", "behind nothing", text("", cache=MARK)),
        )
    ),
    ("audio", "with a transcript", [user(wg.AudioBlock(transcript="x"))], BLOCK, [SAID_X]),
    ("video", "with a transcript", [user(wg.VideoBlock(transcript="x"))], BLOCK, [SAID_X]),
    ("error", "with a message", [user(wg.ErrorBlock("x", code="e", data=1))], BLOCK, [SAID_X]),
    (
        "cache mark",
        "after thinking",
        [user("hi"), own(wg.ThinkingBlock("hm"), text(" ", cache=MARK))],
        "$.messages[1].content[1]",
        [HI, answered('{"reasoningContent":{"reasoningText":{"text":"hm"}}}')],
    ),
    (
        "cache mark",
        "two in a result",
        [user("hi"), own(call()), batch(result(text("x", cache=MARK), text("x", cache=MARK)))],
        THIRD + ".content[1]",
        [HI, CALL_A, RESULT_A.replace("[]", f"[{X},{X}]").removesuffix("]}") + f",{POINT}]}}"],
    ),
    (
        "cache mark",
        "the fifth",
        [user(*(text("x", cache=MARK) for _ in range(5)))],
        "$.messages[0].content[4]",
        [said(X, POINT, X, POINT, X, POINT, X, POINT, X)],
    ),
    (
        "cache ttl",
        "of an hour after five minutes",
        [user(text("x", cache=MARK), text("x", cache=wg.CacheMark("1h")))],
        "$.messages[0].content[1]",
        [said(X, POINT, X, POINT)],
    ),
    (
        "document source",
        "a text and a URL",
        [user(wg.DocumentBlock(text="t", url="https://x.org/a.pdf"), "x")],
        BLOCK,
        [said('{"document":{"name":"Document","source":{"text":"t"}}}', X)],
    ),
    ("extras", "of a message", [user("hi", extras=extras(OTHER, k=1))], "$.messages[0]", [HI]),
    ("extras", "of a text", [user(text("hi", extras=extras(k=1)))], BLOCK, [HI]),
    (
        "extras",
        "of a message that is left out",
        [user("hi"), user(extras=extras(k=1))],
        "$.messages[1]",
        [HI],
    ),
    (
        "extras",
        "of the system prompt",
        [system(extras=extras(k=1)), user("hi")],
        "$.messages[0]",
        [HI],
    ),
    ("name", "of a user", [user("hi", name="n")], "$.messages[0]", [HI]),
    (
        "redacted thinking",
        "beside a text",
        [user("hi"), own(wg.ThinkingBlock("hm", "c2ln", redacted=True))],
        SECOND,
        [HI, answered('{"reasoningContent":{"redactedContent":"c2ln"}}')],
    ),
    (
        "system place",
        "in a turn",
        [user("x"), system("be brief"), user("x")],
        "$.messages[1]",
        [said(X, '{"text":"be brief"}', X)],
    ),
    (
        "system place",
        "in a turn that ends with a call",
        [own("yes"), system("be brief"), own(call()), batch(result())],
        "$.messages[1]",
        [
            OPENING,
            YES,
            said('{"text":"be brief"}'),
            CALL_A,
            RESULT_A,
        ],
    ),
    (
        "system place",
        "before anything",
        [user(), system("x"), answer("yes")],
        "$.messages[1]",
        [SAID_X, YES],
    ),
    *(
        ("thinking", name, [user("hi"), message], SECOND, [HI, YES])
        for name, message in (
            ("of another API", answer(wg.ThinkingBlock("hm", "s"), "yes", api=OTHER)),
            ("of nobody", answer(wg.ThinkingBlock("hm", "s"), "yes")),
            ("redacted, without data", own(wg.ThinkingBlock("", redacted=True), "yes")),
            ("redacted, of no base64", own(wg.ThinkingBlock("", "!", redacted=True), "yes")),
        )
    ),
    ("tool result", "in an answer", [user("hi"), answer(result(), "yes")], SECOND, [HI, YES]),
    *(
        (
            "tool result content",
            name,
            [user("hi"), own(call()), batch(result(block))],
            THIRD + ".content[0]",
            [HI, CALL_A, RESULT_A],
        )
        for name, block in (
            ("sound", wg.AudioBlock(data=b"ID3")),
            ("data", wg.DataBlock(data=b"x")),
            ("an opaque block of another API", FOREIGN),
            ("a result", result(call_id="b")),
        )
    ),
    (
        "tool name",
        "of a call",
        [user("hi"), own(call(name="a.b")), batch(result())],
        SECOND,
        [HI, CALL_A.replace('"f"', '"a_b_2e7336dc"'), RESULT_A],
    ),
]

TOOL = wg.Tool("f")
BUDGET = wg.Thinking(budget_tokens=2048)
NOVA = "amazon.nova-pro-v1:0"
OURS = "my-profile"
THINKS = '"additionalModelRequestFields":{"thinking":{"type":"enabled","budget_tokens":%d}}'
SILENT = '"additionalModelRequestFields":{"thinking":{"type":"disabled"}}'
ADAPTIVE = '"additionalModelRequestFields":{"thinking":{"type":"adaptive"}}'
ANY = CONFIG[:-1] + ',"toolChoice":{"any":{}}}'

# What is lost, how, the fields, the path of the loss, and what stands before the messages.
IN_FIELDS: list[tuple[str, str, dict[str, Any], str, str]] = [
    ("candidates", "two", {"candidates": 2}, "$", ""),
    ("extras", "of the request", {"extras": extras(OTHER, k=1)}, "$", ""),
    ("frequency_penalty", "of the request", {"frequency_penalty": 0.5}, "$", ""),
    (
        "json mode",
        "without a schema",
        {"response_format": wg.ResponseFormat("json")},
        "$.responseFormat",
        "",
    ),
    (
        "json mode",
        "with a schema that is not there",
        {"response_format": wg.ResponseFormat("json_schema")},
        "$.responseFormat",
        "",
    ),
    (
        "json schema",
        "that is open",
        {"response_format": wg.ResponseFormat("json_schema", wg.RawJson(OPEN))},
        "$.responseFormat",
        '"outputConfig":{"textFormat":{"type":"json_schema","structure":{"jsonSchema":{"schema":'
        r'"{\"type\":\"object\",\"additionalProperties\":false}"}}}}',
    ),
    ("logprobs", "of the request", {"logprobs": True}, "$", ""),
    (
        "max_tokens",
        "below the budget",
        {"max_tokens": 2048, "thinking": BUDGET},
        "$.thinking",
        '"inferenceConfig":{"maxTokens":2048},' + THINKS % 2047,
    ),
    (
        "max_tokens",
        "below any budget",
        {"max_tokens": 1024, "thinking": BUDGET},
        "$.thinking",
        '"inferenceConfig":{"maxTokens":1024},' + SILENT,
    ),
    (
        "metadata",
        "that are not all texts",
        {"metadata": {"a": "x", "b": 1}},
        "$",
        '"requestMetadata":{"a":"x"}',
    ),
    ("metadata", "in other letters", {"metadata": {"a": "é", "é": "a"}}, "$", ""),
    ("metadata", "without a key", {"metadata": {"": "a"}}, "$", ""),
    (
        "metadata",
        "of seventeen",
        {"metadata": {f"k{i:02}": "" for i in range(17)}},
        "$",
        '"requestMetadata":{"k00":"","k01":"","k02":"","k03":"","k04":"","k05":"","k06":"",'
        '"k07":"","k08":"","k09":"","k10":"","k11":"","k12":"","k13":"","k14":"","k15":""}',
    ),
    (
        "opaque tool",
        "of another API",
        {"tools": [FOREIGN, TOOL]},
        "$.tools[0]",
        '"toolConfig":{"tools":[{"toolSpec":{"name":"f","inputSchema":{"json":'
        '{"type":"object","properties":{}}}}}]}',
    ),
    ("parallel_tool_calls", "one at a time", {"parallel_tool_calls": False}, "$", ""),
    ("presence_penalty", "of the request", {"presence_penalty": 0.5}, "$", ""),
    ("seed", "zero", {"seed": 0}, "$", ""),
    ("seed", "one", {"seed": 1}, "$", ""),
    ("service_tier", "of another API", {"service_tier": "auto"}, "$", ""),
    (
        "temperature",
        "above one",
        {"temperature": 2.0},
        "$",
        '"inferenceConfig":{"temperature":1.0}',
    ),
    (
        "temperature",
        "while thinking",
        {"temperature": 0.5, "thinking": BUDGET},
        "$",
        '"inferenceConfig":{"temperature":1.0},' + THINKS % 2048,
    ),
    ("thinking budget", "of another model", {"thinking": BUDGET, "model": OURS}, "$.thinking", ""),
    (
        "thinking level",
        "below the lowest",
        {"thinking": wg.Thinking(LEVEL.MINIMAL)},
        "$.thinking",
        ADAPTIVE + ',"outputConfig":{"effort":"low"}',
    ),
    (
        "thinking level",
        "beyond the highest",
        {"thinking": wg.Thinking(LEVEL.ULTRA), "model": OURS},
        "$.thinking",
        '"outputConfig":{"effort":"max"}',
    ),
    (
        "thinking off",
        "of another model",
        {"thinking": wg.Thinking(LEVEL.OFF), "model": OURS},
        "$.thinking",
        "",
    ),
    (
        "thinking shown",
        "not",
        {"thinking": wg.Thinking(visible=False)},
        "$.thinking",
        ADAPTIVE,
    ),
    (
        "tool choice",
        "none",
        {"tools": [TOOL], "tool_choice": wg.ToolChoice("none")},
        "$.toolChoice",
        CONFIG,
    ),
    (
        "tool choice",
        "forced, with a budget",
        {"tools": [TOOL], "tool_choice": wg.ToolChoice("required"), "thinking": BUDGET},
        "$.thinking",
        f"{SILENT},{ANY}",
    ),
    (
        "tool choice allowed",
        "one of some",
        {"tools": [TOOL], "tool_choice": wg.ToolChoice("required", allowed=["f"])},
        "$.toolChoice",
        ANY,
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
        CONFIG.replace('"f"', '"a_b_2e7336dc"')[:-1]
        + ',"toolChoice":{"tool":{"name":"a_b_2e7336dc"}}}',
    ),
    (
        "stop",
        "of white space",
        {"stop": ["\n", "x"]},
        "$",
        '"inferenceConfig":{"stopSequences":["x"]}',
    ),
    ("stop", "of white space alone", {"stop": [" ", ""]}, "$", ""),
    ("top_k", "of another model", {"top_k": 3, "model": OURS}, "$", ""),
    ("top_k", "while thinking", {"top_k": 3, "thinking": BUDGET}, "$", THINKS % 2048),
    ("top_logprobs", "of the request", {"top_logprobs": 2}, "$", ""),
    ("top_p", "above one", {"top_p": 1.5}, "$", '"inferenceConfig":{"topP":1.0}'),
    (
        "top_p",
        "while thinking",
        {"top_p": 0.9, "thinking": wg.Thinking()},
        "$",
        '"inferenceConfig":{"topP":0.95},' + ADAPTIVE,
    ),
]

FOUR = user(*(text("x", cache=MARK) for _ in range(4)), "x")
FOUR_POINTS = said(X, POINT, X, POINT, X, POINT, X, POINT, X)
OTHERS: dict[str, tuple[str, str, wg.Request, bytes]] = {
    "cache, of a model without one": (
        "cache",
        "$",
        request(user("hi"), cache=wg.CacheConfig(), model="meta.llama3-3-70b-instruct-v1:0"),
        body(HI),
    ),
    "citations, by another model": (
        "citations",
        BLOCK,
        request(user(wg.DocumentBlock(text="t", citations=True), "x"), model=NOVA),
        body(said('{"document":{"name":"Document","source":{"text":"t"}}}', X)),
    ),
    "error flag, of a result": (
        "error flag",
        THIRD,
        request(
            *(user("hi"), own(call()), batch(result("x", is_error=True))),
            model="writer.palmyra-x5-v1:0",
        ),
        body(HI, CALL_A, RESULT_A.replace("[]", f"[{X}]"), head=CONFIG),
    ),
    "strict, of a tool": (
        "strict",
        "$.tools[0]",
        request(user("hi"), tools=[wg.Tool("f", strict=True)], model=NOVA),
        body(HI, head=CONFIG),
    ),
    "trailing space, of an answer to go on with": (
        "trailing space",
        "$.messages[1]",
        request(user("hi"), answer("x "), model="anthropic.claude-sonnet-4-5"),
        body(HI, said(X, role="assistant")),
    ),
    "cache mark, of the request, the fifth": (
        "cache mark",
        "$",
        request(FOUR, cache=wg.CacheConfig()),
        body(FOUR_POINTS),
    ),
    "name, of the system prompt": (
        "name",
        "$.messages[0]",
        request(system("x", name="n"), user("hi")),
        body(HI, head=f'"system":[{X}]'),
    ),
    "system content, at the start": (
        "system content",
        BLOCK,
        request(system(wg.ImageBlock(data=PNG), "x"), user("hi")),
        body(HI, head=f'"system":[{X}]'),
    ),
    "system content, later": (
        "system content",
        SECOND,
        request(
            *(user("hi"), system(wg.ImageBlock(data=PNG), "x"), answer("yes"), user("x")),
            model=CLAUDE,
        ),
        body(HI, said(X, role="system"), YES, SAID_X),
    ),
    "system place, in a turn of Claude 4.8": (
        "system place",
        "$.messages[1]",
        request(user("x"), system("x"), user("x"), model=CLAUDE),
        body(said(X, X, X)),
    ),
    "system place, between two answers of Claude 4.8": (
        "system place",
        "$.messages[1]",
        request(answer("yes"), system("x"), answer("yes"), user("x"), model=CLAUDE),
        body(OPENING, YES, SAID_X, YES, SAID_X),
    ),
    **{
        f"system place, {model}": (
            "system place",
            "$.messages[1]",
            request(answer("yes"), system("x"), user("hi"), model=model),
            body(OPENING, YES, said(X, '{"text":"hi"}')),
        )
        for model in ("anthropic.claude-sonnet-4-5", "amazon.nova-pro-v1:0", "my-profile", None)
    },
    "thinking midway": (
        "thinking midway",
        "$.thinking",
        request(user("hi"), own(call()), batch(result()), thinking=BUDGET, tools=[TOOL]),
        body(HI, CALL_A, RESULT_A, head=f"{SILENT},{CONFIG}"),
    ),
    "name, of a tool that is no loss of its calls": (
        "tool name",
        "$.tools[0]",
        request(user("hi"), own(call(name="a.b")), batch(result()), tools=[wg.Tool("a.b")]),
        body(
            HI,
            CALL_A.replace('"f"', '"a_b_2e7336dc"'),
            RESULT_A,
            head=CONFIG.replace('"f"', '"a_b_2e7336dc"'),
        ),
    ),
}


def _head(messages: list[str]) -> str:
    """Return the tools that a conversation with calls must name."""
    names = [name for name in ("f", "a_b_2e7336dc") if f'"name":"{name}"' in "".join(messages)]
    return CONFIG.replace('"f"', f'"{names[0]}"') if names else ""


CASES = {
    **{
        f"{what}, {how}": (what, path, request(*messages), body(*expected, head=_head(expected)))
        for what, how, messages, path, expected in IN_MESSAGES
    },
    **{
        f"{what}, {how}": (what, path, request(user("hi"), **fields), body(HI, head=head))
        for what, how, fields, path, head in IN_FIELDS
    },
    **OTHERS,
}


SEVERE = {
    "audio, by id",
    "audio, by a URL of another scheme",
    "audio, of another format",
    "audio, with a blank transcript",
    "video, by URL",
    "video, of another format",
    "tool result content, sound",
    "tool result content, data",
    "tool result content, a result",
    "system content, at the start",
    "system content, later",
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
    encoded = wg.providers.bedrock.encode_request(given, losses=losses)
    judge(encoded)
    assert encoded == expected
    assert losses == [told(what, path, TABLE, severe=_is_severe(case))]


@pytest.mark.parametrize(("what", "path", "given", "expected"), CASES.values(), ids=CASES)
def test_a_loss_that_nobody_allowed(
    what: str, path: str, given: wg.Request, expected: bytes
) -> None:
    with pytest.raises(wg.LossError) as caught:
        wg.providers.bedrock.encode_request(given)
    assert str(caught.value) == f"bedrock: {what}: {reason(what, TABLE)}; {STEP} - at `{path}`"
    assert caught.value.path == path


def test_every_case_has_its_own_name() -> None:
    assert len(CASES) == len(IN_MESSAGES) + len(IN_FIELDS) + len(OTHERS)


ANSWERS_ALONE = {"signature", "stop reason", "stream content"}
"""Rows that no request provokes; those of answers have their cases beside them."""


def test_every_row_of_the_table_has_a_case() -> None:
    elsewhere = MODELS["bedrock"]  # tests/field/test_models.py
    elsewhere |= {"empty message", "system alone"}  # tests/field/test_hosts.py
    elsewhere |= {"system prompt", "tools"}  # tests/providers/test_refused_here.py
    assert {what for what, *_ in CASES.values()} | ANSWERS_ALONE | elsewhere == set(TABLE) - FOR_ALL


def test_what_is_no_loss() -> None:
    losses: list[wg.Loss] = []
    answered_by_another = own("x", usage=wg.Usage(), stop_reason=wg.StopReason.STOP, timestamp=1)
    block = wg.ImageBlock(data=PNG, alt_text="a", filename="f", size=8, page=1, extras={})
    native = user(block, "hi", id=1, metadata={"k": 1}, extras=extras("wireglot", k=1))
    given = request(answered_by_another, native, candidates=1, seed=None, top_logprobs=0)
    wg.providers.bedrock.encode_request(given, losses=losses)
    assert losses == []
    assert API == wg.providers.bedrock.API
