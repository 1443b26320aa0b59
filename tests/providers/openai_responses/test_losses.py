"""What Responses cannot carry: each row of the table of losses has a case that provokes it.

With `losses=None` the case is a `LossError` with the path; with a list the fallback goes out, and
the list says once what was lost and where.
"""

from typing import Any

import pytest

import wireglot as wg
from tests.field.test_models import ROWS as MODELS
from tests.providers.openai_responses.pieces import (
    API,
    CALL_A,
    HI,
    OTHER,
    PNG,
    RESULT_A,
    YES,
    answer,
    assistant,
    batch,
    body,
    call,
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

encode = wg.providers.openai_responses.encode_request
TABLE = losses_of("openai_responses")
STEP = "pass a list as `losses`, and read it"
BLOCK = "$.messages[0].content[0]"
SECOND = "$.messages[1].content[0]"
MARK = wg.CacheMark()
REF = wg.AnnotationRef(url="https://x.org")
X = '{"role":"user","content":"x"}'
X_PART = '{"type":"input_text","text":"x"}'
FOREIGN = wg.OpaqueBlock(OTHER, {"type": "x"})
PDF = wg.DocumentBlock.from_bytes
LEVEL = wg.ThinkingLevel
TOOL = (
    '"tools":[{"type":"function","name":"f","parameters":{"type":"object","properties":{}},'
    '"strict":false}]'
)
REASONING = '{"type":"reasoning","summary":[],"encrypted_content":"s"}'

# What is lost, how, the dialect, the messages, the path of the loss, and the items that go out.
IN_MESSAGES: list[tuple[str, str, str, list[Any], str, list[str]]] = [
    ("annotation", "on a text", "openai", [user(text("hi", annotations=[REF]))], BLOCK, [HI]),
    (
        "annotation",
        "on an answer's text",
        "openai",
        [assistant(text("yes", annotations=[REF]))],
        BLOCK,
        [YES],
    ),
    ("annotation", "as a block", "openai", [user(wg.AnnotationBlock(), "hi")], BLOCK, [HI]),
    *(
        (what, "in an answer", "openai", [assistant(block, "yes")], BLOCK, [YES])
        for what, block in (
            ("image place", wg.ImageBlock(data=PNG)),
            ("document", wg.DocumentBlock(file_id="f")),
            ("user part", wg.OpaqueBlock(API, {"type": "input_file", "file_id": "f"})),
        )
    ),
    (
        "audio",
        "with a transcript",
        "openai",
        [user(wg.AudioBlock(data=b"ID3", transcript="x"))],
        BLOCK,
        [X],
    ),
    ("audio", "without a transcript", "openai", [user(wg.AudioBlock(url="x"), "hi")], BLOCK, [HI]),
    (
        "audio",
        "in an answer",
        "openai",
        [assistant(wg.AudioBlock(data=b"ID3", transcript="yes"))],
        BLOCK,
        [YES],
    ),
    ("cache mark", "on a part at Azure", "azure", [user(text("hi", cache=MARK))], BLOCK, [HI]),
    (
        "cache mark",
        "on an image at OpenRouter",
        "openrouter",
        [user(wg.ImageBlock(file_id="f", cache=MARK))],
        BLOCK,
        [said('{"type":"input_image","file_id":"f","detail":"auto"}')],
    ),
    ("cache mark", "on an answer's text", "openai", [own(text("yes", cache=MARK))], BLOCK, [YES]),
    (
        "cache mark",
        "on a call",
        "openai",
        [own(call("a", cache=MARK)), answer("a")],
        BLOCK,
        [CALL_A, RESULT_A],
    ),
    (
        "cache mark",
        "on a result without content",
        "openai",
        [own(call("a")), batch(result("a", cache=MARK))],
        SECOND,
        [CALL_A, RESULT_A],
    ),
    (
        "cache ttl",
        "on a part",
        "openrouter",
        [user(text("x", cache=wg.CacheMark("1h")))],
        BLOCK,
        [said(X_PART[:-1] + ',"prompt_cache_breakpoint":{"mode":"explicit"}}')],
    ),
    (
        "citations",
        "of a document",
        "openai",
        [user(wg.DocumentBlock(file_id="f", citations=True))],
        BLOCK,
        [said('{"type":"input_file","file_id":"f"}')],
    ),
    (
        "custom call",
        "at xAI",
        "xai",
        [own(call("a", '"', tool_type="custom")), answer("a")],
        BLOCK,
        [CALL_A.replace("{}", r"{\"input\":\"\\\"\"}"), RESULT_A],
    ),
    ("data", "inline", "openai", [user(wg.DataBlock(data=b"x"), "hi")], BLOCK, [HI]),
    *(
        ("file id", name, "openai", [user(block, "hi")], BLOCK, [HI])
        for name, block in (
            ("of an image", wg.ImageBlock(file_id="f", extras=extras(OTHER))),
            ("of a document", wg.DocumentBlock(file_id="f", extras=extras(OTHER))),
        )
    ),
    *(
        ("document", name, dialect, [user(block, "hi")], BLOCK, [HI])
        for name, dialect, block in (
            ("of another type", "openai", PDF(b"PK", "application/zip")),
            ("of a type that Azure does not take", "azure", PDF(b"{}", "application/json")),
            ("inline at xAI", "xai", PDF(b"%PDF-")),
            ("of text that is not UTF-8", "azure", PDF(b"\xff", "text/plain")),
            ("without a source", "openai", wg.DocumentBlock()),
            ("without a text", "openai", wg.DocumentBlock.from_text("")),
            ("by a URL of another scheme", "openai", wg.DocumentBlock(url="ftp://x/a.pdf")),
            ("in a malformed data URL", "openai", wg.DocumentBlock(url="data:application/pdf")),
        )
    ),
    (
        "document context",
        "of a file",
        "openai",
        [user(wg.DocumentBlock(file_id="f", context="c"))],
        BLOCK,
        [said('{"type":"input_file","file_id":"f"}')],
    ),
    (
        "document source",
        "beside the text",
        "openai",
        [user(wg.DocumentBlock(text="x", file_id="f"))],
        BLOCK,
        [
            said(
                '{"type":"input_file","filename":"document.txt",'
                '"file_data":"data:text/plain;base64,eA=="}'
            )
        ],
    ),
    ("document text", "at Azure", "azure", [user(wg.DocumentBlock.from_text("x"))], BLOCK, [X]),
    ("document text", "inline", "xai", [user(PDF(b"x", "text/csv"))], BLOCK, [X]),
    ("error", "with a message", "openai", [user(wg.ErrorBlock("x", code="e"))], BLOCK, [X]),
    ("error", "without a message", "openai", [user(wg.ErrorBlock(""), "x")], BLOCK, [X]),
    (
        "error flag",
        "of a result",
        "openai",
        [own(call("a")), answer("a", is_error=True)],
        "$.messages[1]",
        [CALL_A, RESULT_A],
    ),
    (
        "extras",
        "of another API",
        "openai",
        [user(text("hi", extras=extras(OTHER, k=1)))],
        BLOCK,
        [HI],
    ),
    (
        "extras",
        "of a message without content of its own",
        "openai",
        [own(call("a")), wg.ToolMessage([result("a")], extras=extras(k=1))],
        "$.messages[1]",
        [CALL_A, RESULT_A],
    ),
    (
        "extras",
        "of an answer, which has no item of its own",
        "openai",
        [own("yes", extras=extras(k=1))],
        "$.messages[0]",
        [YES],
    ),
    *(
        ("image", name, "openai", [user(block, "hi")], BLOCK, [HI])
        for name, block in (
            ("of another type", wg.ImageBlock(data=b"BM", mime_type="image/bmp")),
            ("by a URL of another scheme", wg.ImageBlock(url="ftp://x")),
            ("in a malformed data URL", wg.ImageBlock(url="data:x")),
            ("without a source", wg.ImageBlock()),
        )
    ),
    *(
        ("name", role, "openai", [message], "$.messages[0]", [expected])
        for role, message, expected in (
            ("of a user", user("hi", name="n"), HI),
            ("of an answer", own("yes", name="n"), YES),
            ("of the system", system("x", name="n"), X.replace("user", "system")),
        )
    ),
    ("opaque block", "of another API", "openai", [user(FOREIGN, "hi")], BLOCK, [HI]),
    ("opaque block", "in an answer", "openai", [own(FOREIGN, "yes")], BLOCK, [YES]),
    (
        "thinking",
        "of another API",
        "openai",
        [assistant(wg.ThinkingBlock("t", "s"), "yes", api=OTHER)],
        BLOCK,
        [YES],
    ),
    ("thinking", "unsigned", "openai", [own(wg.ThinkingBlock("t"), "yes")], BLOCK, [YES]),
    ("thinking", "of a user", "openai", [user(wg.ThinkingBlock("t", "s"), "hi")], BLOCK, [HI]),
    (
        "thinking",
        "without an id at OpenRouter",
        "openrouter",
        [own(wg.ThinkingBlock("t", "s"), "yes")],
        BLOCK,
        [YES],
    ),
    (
        "thinking at the end",
        "with an id",
        "openai",
        [own(wg.ThinkingBlock("", "s", extras=spelled(id="rs_1"))), user("hi")],
        BLOCK,
        [HI],
    ),
    (
        "thinking at the end",
        "behind other reasoning",
        "openai",
        [
            own(
                wg.ThinkingBlock("", "s"),
                wg.ThinkingBlock("", "s", extras=spelled(id="rs_1")),
            )
        ],
        "$.messages[0].content[1]",
        [REASONING],
    ),
    ("tool call", "of a user", "openai", [user(call("a"), "hi")], BLOCK, [HI]),
    (
        "tool name",
        "of a call",
        "openai",
        [own(call("a", name="a.b")), answer("a")],
        BLOCK,
        [CALL_A.replace('"f"', '"a_b_2e7336dc"'), RESULT_A],
    ),
    ("tool result", "in an answer", "openai", [own(result("a"), "yes")], BLOCK, [YES]),
    (
        "tool result",
        "of the system",
        "openai",
        [system(result("a"), "x")],
        BLOCK,
        [X.replace("user", "system")],
    ),
    *(
        (
            what,
            "in a result",
            "openai",
            [own(call("a")), batch(result("a", block))],
            "$.messages[1].content[0].content[0]",
            [CALL_A, RESULT_A.replace('"output":""', '"output":"x"')],
        )
        for what, block in (
            ("audio", wg.AudioBlock(url="https://x.org", transcript="x")),
            ("video", wg.VideoBlock(url="https://x.org", transcript="x")),
            ("error", wg.ErrorBlock("x")),
        )
    ),
    *(
        (
            "tool result content",
            name,
            "openai",
            [own(call("a")), batch(result("a", block))],
            "$.messages[1].content[0].content[0]",
            [CALL_A, RESULT_A],
        )
        for name, block in (
            ("thinking", wg.ThinkingBlock("t")),
            ("a call", call("b")),
            ("data", wg.DataBlock(data=b"x")),
            ("an item", wg.OpaqueBlock(API, {"type": "item_reference", "id": "x"})),
        )
    ),
    (
        "video",
        "with a transcript",
        "openai",
        [user(wg.VideoBlock(url="https://x.org", transcript="x"))],
        BLOCK,
        [X],
    ),
]

# What is lost, how, the dialect, the fields of the request, the path, and what goes out instead.
IN_FIELDS: list[tuple[str, str, str, dict[str, Any], str, str]] = [
    ("cache", "turned off", "openai", {"cache": wg.CacheConfig(enabled=False)}, "$.cache", ""),
    ("cache", "disabled", "openai", {"cache": wg.CacheConfig(strategy="disabled")}, "$.cache", ""),
    (
        "cache mark",
        "on a tool",
        "openai",
        {"tools": [wg.Tool("f", cache=MARK)]},
        "$.tools[0]",
        TOOL,
    ),
    ("cache ttl", "of the request", "azure", {"cache": wg.CacheConfig(ttl="1h")}, "$.cache", ""),
    ("candidates", "two", "openai", {"candidates": 2}, "$", ""),
    ("frequency_penalty", "at OpenAI", "openai", {"frequency_penalty": 1.0}, "$", ""),
    ("max_tokens", "fifteen", "openai", {"max_tokens": 15}, "$", '"max_output_tokens":16'),
    (
        "tool choice unused",
        "of a tool",
        "openai",
        {"tool_choice": wg.ToolChoice("tool", "f")},
        "$.toolChoice",
        "",
    ),
    ("metadata", "at xAI", "xai", {"metadata": {"a": "b"}}, "$", ""),
    ("metadata", "that are no texts", "openai", {"metadata": {"a": 1}}, "$", ""),
    (
        "metadata",
        "too many",
        "openai",
        {"metadata": dict.fromkeys("abcdefghijklmnopq", "")},
        "$",
        "",
    ),
    (
        "name",
        "of a schema",
        "openai",
        {"response_format": wg.ResponseFormat("json_schema", {}, "a b")},
        "$.responseFormat",
        '"text":{"format":{"type":"json_schema","name":"a_b_c8687a08","schema":{}}}',
    ),
    (
        "opaque tool",
        "of another API",
        "openai",
        {"tools": [FOREIGN, wg.Tool("f")]},
        "$.tools[0]",
        TOOL,
    ),
    ("logprobs", "at OpenRouter", "openrouter", {"logprobs": True}, "$", ""),
    ("presence_penalty", "at Azure", "azure", {"presence_penalty": 1.0}, "$", ""),
    ("seed", "any", "openrouter", {"seed": 1}, "$", ""),
    ("service_tier", "of another service", "azure", {"service_tier": "flex"}, "$", ""),
    ("stop", "at OpenAI", "openai", {"stop": ["x"]}, "$", ""),
    ("temperature", "too high", "openai", {"temperature": 3.0}, "$", '"temperature":2.0'),
    ("top_k", "at xAI", "xai", {"top_k": 1}, "$", ""),
    ("top_logprobs", "too many", "openai", {"top_logprobs": 21}, "$", '"top_logprobs":20'),
    (
        "top_logprobs",
        "too many for xAI",
        "xai",
        {"top_logprobs": 9},
        "$",
        '"logprobs":true,"top_logprobs":8',
    ),
    ("top_p", "too low", "openai", {"top_p": -1.0}, "$", '"top_p":0.0'),
    *(
        (
            "thinking budget",
            f"like {effort}",
            "openai",
            {"thinking": wg.Thinking(budget_tokens=budget)},
            "$.thinking",
            f'"include":["reasoning.encrypted_content"],"reasoning":{{"effort":"{effort}"}}',
        )
        for budget, effort in ((2048, "low"), (8192, "medium"), (8193, "high"))
    ),
    (
        "thinking budget",
        "beside a level",
        "openai",
        {"thinking": wg.Thinking(LEVEL.LOW, 9000)},
        "$.thinking",
        '"include":["reasoning.encrypted_content"],"reasoning":{"effort":"low"}',
    ),
    *(
        (
            "thinking level",
            f"{level} in {dialect}",
            dialect,
            {"thinking": wg.Thinking(level)},
            "$.thinking",
            f'"include":["reasoning.encrypted_content"],"reasoning":{{"effort":"{effort}"}}',
        )
        for dialect, level, effort in (
            ("openai", LEVEL.ULTRA, "max"),
            ("xai", LEVEL.MINIMAL, "low"),
            ("xai", LEVEL.MAX, "high"),
        )
    ),
    (
        "thinking level",
        "beside a budget",
        "openrouter",
        {"thinking": wg.Thinking(LEVEL.LOW, 9)},
        "$.thinking",
        '"include":["reasoning.encrypted_content"],"reasoning":{"max_tokens":9}',
    ),
    (
        "tool choice allowed",
        "of none",
        "openai",
        {"tools": [wg.Tool("f")], "tool_choice": wg.ToolChoice("none", allowed=["f"])},
        "$.toolChoice",
        '"tool_choice":"none",' + TOOL,
    ),
    (
        "tool choice unused",
        "without tools",
        "openai",
        {"tool_choice": wg.ToolChoice("required")},
        "$.toolChoice",
        "",
    ),
    (
        "tool name",
        "of a tool",
        "openai",
        {"tools": [wg.Tool("a.b")]},
        "$.tools[0]",
        TOOL.replace('"f"', '"a_b_2e7336dc"'),
    ),
    (
        "user id",
        "of 129 characters",
        "openai",
        {"user_id": "u" * 129},
        "$",
        f'"safety_identifier":"{"u" * 119}_4d9221bd"',
    ),
]
CASES = {
    **{
        f"{what}, {how}": (what, dialect, path, request(*messages), body(*expected))
        for what, how, dialect, messages, path, expected in IN_MESSAGES
    },
    **{
        f"{what}, {how}": (what, dialect, path, request(user("hi"), **fields), body(HI, head=head))
        for what, how, dialect, fields, path, head in IN_FIELDS
    },
}


SEVERE = {
    "audio, without a transcript",
    "tool result content, data",
}
"""Cases of rows that are not always severe, but are so here."""


@pytest.mark.parametrize(
    ("case", "what", "dialect", "path", "asked", "expected"),
    [(case, *row) for case, row in CASES.items()],
    ids=CASES,
)
def test_a_loss(
    case: str, what: str, dialect: str, path: str, asked: wg.Request, expected: bytes
) -> None:
    losses: list[wg.Loss] = []
    encoded = encode(asked, losses=losses, dialect=dialect)
    assert encoded.decode() == expected.decode()
    assert losses == [told(what, path, TABLE, severe=case in SEVERE or None)]
    judge(encoded, dialect)


@pytest.mark.parametrize(
    ("what", "dialect", "path", "asked", "expected"), CASES.values(), ids=CASES
)
def test_a_loss_that_nobody_allowed(
    what: str, dialect: str, path: str, asked: wg.Request, expected: bytes
) -> None:
    with pytest.raises(wg.LossError) as caught:
        encode(asked, dialect=dialect)
    assert (
        str(caught.value)
        == f"openai_responses: {what}: {reason(what, TABLE)}; {STEP} - at `{path}`"
    )


ANSWERS_ALONE = {"redacted thinking", "signature", "stop reason", "stop sequence"}
"""Rows that no request provokes; those of answers have their cases beside them."""


def test_every_case_has_its_own_name() -> None:
    assert len(CASES) == len(IN_MESSAGES) + len(IN_FIELDS)


def test_every_row_of_the_table_has_a_case() -> None:
    in_requests = {what for what, *_ in CASES.values()}
    in_requests |= MODELS["openai_responses"]  # tests/field/test_models.py
    in_requests |= {"annotation detail", "web search"}  # tests/field/test_search.py
    in_requests |= {"parameter"}  # tests/field/test_openai_keys.py
    assert in_requests | ANSWERS_ALONE == set(TABLE) - FOR_ALL


def test_a_choice_that_contradicts_itself_is_an_error_even_without_tools() -> None:
    asked = request(user("hi"), tool_choice=wg.ToolChoice("tool"))
    with pytest.raises(wg.EncodeError) as caught:
        encode(asked, losses=[])
    assert str(caught.value) == (
        "openai_responses: tool choice of mode `tool` without a name, expected one"
        " - at `$.toolChoice`"
    )


def test_what_is_not_a_block_in_a_result_is_an_error() -> None:
    asked = request(own(call("a")), batch(result("a", user("x"))))
    with pytest.raises(wg.EncodeError) as caught:
        encode(asked, losses=[])
    assert caught.value.path == "$.messages[1].content[0].content[0]"


def test_what_is_no_loss() -> None:
    described = wg.ImageBlock(
        data=PNG, alt_text="x", bbox=[0.0, 0.0, 1.0, 1.0], width=1, height=1, size=8, page=1
    )
    asked = request(
        user(text("hi", signature="s"), described, timestamp=1, id="m", metadata={"k": 1}),
        own(
            call("a", kind=wg.model.ToolKind.READ, metadata={"k": 1}, signature="s"),
            usage=wg.Usage(),
        ),
        answer("a", status="s", details={"k": 1}, extras=extras("wireglot", k=1)),
    )
    assert encode(asked)
