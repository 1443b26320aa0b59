"""What Gemini's wire cannot carry: each row of the table of losses has a case that provokes it.

With `losses=None` the case is a `LossError` with the path; with a list the fallback goes out, and
the list says once what was lost and where.
"""

from typing import Any

import pytest

import wireglot as wg
from tests.field.test_models import ROWS as MODELS
from tests.providers.gemini.literals import (
    API,
    CALL_A,
    HI,
    OTHER,
    PNG,
    RESULT_A,
    YES,
    answer,
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

TABLE = losses_of("gemini")
STEP = "pass a list as `losses`, and read it"
BLOCK = "$.messages[0].content[0]"
SECOND = "$.messages[1].content[0]"
THIRD = "$.messages[2].content[0]"
MARK = wg.CacheMark()
REF = wg.AnnotationRef(url="https://x.org")
FOREIGN = wg.OpaqueBlock(OTHER, wg.RawJson("{}"))
LEVEL = wg.ThinkingLevel
SAID_X = said('{"text":"x"}')
FILE = '{"fileData":{"fileUri":"files/f"}}'
IMAGE = '{"inlineData":{"data":"iVBORw0KGgo=","mimeType":"image/png"}}'


def _in_result(*content: Any, **fields: Any) -> list[Any]:
    return [user("hi"), own(call()), batch(result(*content, **fields))]


# What is lost, how, the messages, the path of the loss, and the contents that go out.
IN_MESSAGES: list[tuple[str, str, list[Any], str, list[str]]] = [
    ("annotation", "on a text", [user(text("hi", annotations=[REF]))], BLOCK, [HI]),
    ("annotation", "as a block", [user(wg.AnnotationBlock(), "hi")], BLOCK, [HI]),
    (
        "annotation",
        "in a result",
        _in_result(text("", annotations=[REF])),
        THIRD + ".content[0]",
        [HI, CALL_A, RESULT_A],
    ),
    *(
        (
            "arguments",
            name,
            [user("hi"), own(call(arguments=arguments)), batch(result())],
            SECOND,
            [HI, CALL_A.replace("{}", f'{{"raw_arguments":"{expected}"}}'), RESULT_A],
        )
        for name, arguments, expected in (
            ("that are a list", "[1]", "[1]"),
            ("that are broken", '{"x":', '{\\"x\\":'),
            ("that are not UTF-8", b'{"x":"\xff"}', '{\\"x\\":\\"\ufffd\\"}'),
        )
    ),
    ("cache mark", "on a text", [user(text("hi", cache=MARK))], BLOCK, [HI]),
    (
        "cache mark",
        "on an image",
        [user(wg.ImageBlock(data=PNG, cache=MARK))],
        BLOCK,
        [said(IMAGE)],
    ),
    *(
        ("cache mark", name, [user(kind(file_id="files/f", cache=MARK))], BLOCK, [said(FILE)])
        for name, kind in (
            ("on a document", wg.DocumentBlock),
            ("on a sound", wg.AudioBlock),
            ("on a film", wg.VideoBlock),
            ("on data", wg.DataBlock),
        )
    ),
    (
        "cache mark",
        "on a call",
        [user("hi"), own(call(cache=MARK)), batch(result())],
        SECOND,
        [HI, CALL_A, RESULT_A],
    ),
    ("cache mark", "on a result", _in_result(cache=MARK), THIRD, [HI, CALL_A, RESULT_A]),
    (
        "cache mark",
        "in a result",
        _in_result(text("", cache=MARK)),
        THIRD + ".content[0]",
        [HI, CALL_A, RESULT_A],
    ),
    (
        "citations",
        "of a document",
        [user(wg.DocumentBlock(file_id="files/f", citations=True))],
        BLOCK,
        [said(FILE)],
    ),
    (
        "document context",
        "beside an id",
        [user(wg.DocumentBlock(file_id="files/f", context="c"))],
        BLOCK,
        [said(FILE)],
    ),
    (
        "document source",
        "a text and a URL",
        [user(wg.DocumentBlock(text="x", url="https://x.org/a.pdf"))],
        BLOCK,
        [said('{"inlineData":{"data":"eA==","mimeType":"text/plain"}}')],
    ),
    ("error", "with a message", [user(wg.ErrorBlock("x", code="e", data=1))], BLOCK, [SAID_X]),
    ("extras", "of a message", [user("hi", extras=extras(OTHER, k=1))], "$.messages[0]", [HI]),
    ("extras", "of a text", [user(text("hi", extras=extras(OTHER, k=1)))], BLOCK, [HI]),
    (
        "extras",
        "of a text in a result",
        _in_result(text("", extras=extras(k=1))),
        THIRD + ".content[0]",
        [HI, CALL_A, RESULT_A],
    ),
    (
        "extras",
        "of a message that is left out",
        [user("hi"), user(extras=extras(k=1))],
        "$.messages[1]",
        [HI],
    ),
    *(
        (what, name, [user(block, "hi")], BLOCK, [HI])
        for what, name, block in (
            ("media", "without a source", wg.ImageBlock()),
            ("media", "by the id of another API", wg.DocumentBlock(file_id="file-1")),
            ("media", "by a URL of another scheme", wg.AudioBlock(url="ftp://x/a")),
            ("media", "in a malformed data URL", wg.ImageBlock(url="data:image/png")),
            ("opaque block", "of another API", FOREIGN),
            ("thinking", "of a user", wg.ThinkingBlock("hm")),
            ("tool call", "of a user", call()),
        )
    ),
    *(
        ("media", f"{name} with a transcript", [user(block)], BLOCK, [SAID_X])
        for name, block in (
            ("sound", wg.AudioBlock(transcript="x")),
            ("a film", wg.VideoBlock(file_id="f", transcript="x")),
        )
    ),
    (
        "media",
        "in a result",
        _in_result(wg.ImageBlock(file_id="f")),
        THIRD + ".content[0]",
        [HI, CALL_A, RESULT_A],
    ),
    ("name", "of a user", [user("hi", name="n")], "$.messages[0]", [HI]),
    (
        "redacted thinking",
        "of this API",
        [user("hi"), own(wg.ThinkingBlock("", "c2ln", redacted=True), "yes")],
        SECOND,
        [HI, YES],
    ),
    (
        "system place",
        "behind a user",
        [user("hi"), system("x"), answer("yes")],
        "$.messages[1]",
        [HI, SAID_X, YES],
    ),
    *(
        ("thinking", name, [user("hi"), message], SECOND, [HI, YES])
        for name, message in (
            ("of another API", answer(wg.ThinkingBlock("hm", "c2ln"), "yes", api=OTHER)),
            ("of nobody", answer(wg.ThinkingBlock("hm", "c2ln"), "yes")),
        )
    ),
    ("tool result", "in an answer", [user("hi"), answer(result(), "yes")], SECOND, [HI, YES]),
    *(
        (
            "tool result content",
            name,
            _in_result(block),
            THIRD + ".content[0]",
            [HI, CALL_A, RESULT_A],
        )
        for name, block in (
            ("an error", wg.ErrorBlock("x")),
            ("an opaque block of another API", FOREIGN),
            ("a result", result(call_id="b")),
        )
    ),
    (
        "tool name",
        "of a call",
        [user("hi"), own(call(name="a b")), batch(result())],
        SECOND,
        [HI, CALL_A.replace('"f"', '"_a_b_c8687a08"'), RESULT_A.replace('"f"', '"_a_b_c8687a08"')],
    ),
]

TOOL = '"tools":[{"functionDeclarations":[{"name":"f"}]}]'
NONE = '"toolConfig":{"functionCallingConfig":{"mode":"NONE"}},'

# What is lost, how, the fields, the path of the loss, and what stands before the contents.
IN_FIELDS: list[tuple[str, str, dict[str, Any], str, str]] = [
    ("cache", "for an hour", {"cache": wg.CacheConfig(ttl="1h")}, "$", ""),
    (
        "cache",
        "of a part",
        {
            "cache": wg.CacheConfig(
                strategy=wg.model.ManualCache(wg.model.CacheSections(True, False, False))
            )
        },
        "$",
        "",
    ),
    ("cache mark", "on a tool", {"tools": [wg.Tool("f", cache=MARK)]}, "$.tools[0]", TOOL),
    ("extras", "of the request", {"extras": extras(OTHER, k=1)}, "$", ""),
    (
        "metadata",
        "that are not all texts",
        {"metadata": {"a": "x", "b": 1}},
        "$",
        '"labels":{"a":"x"}',
    ),
    ("metadata", "in capitals", {"metadata": {"A": "x", "a": "X"}}, "$", ""),
    ("opaque tool", "of another API", {"tools": [FOREIGN, wg.Tool("f")]}, "$.tools[0]", TOOL),
    ("parallel_tool_calls", "one at a time", {"parallel_tool_calls": False}, "$", ""),
    ("service_tier", "of another API", {"service_tier": "batch"}, "$", ""),
    (
        "stop",
        "six",
        {"stop": list("abcdef")},
        "$",
        '"generationConfig":{"stopSequences":["a","b","c","d","e"]}',
    ),
    ("strict", "of a tool", {"tools": [wg.Tool("f", strict=True)]}, "$.tools[0]", TOOL),
    (
        "temperature",
        "above two",
        {"temperature": 3.0},
        "$",
        '"generationConfig":{"temperature":2.0}',
    ),
    (
        "temperature",
        "below zero",
        {"temperature": -1.0},
        "$",
        '"generationConfig":{"temperature":0.0}',
    ),
    *(
        (
            "thinking level",
            name,
            {"thinking": wg.Thinking(level)},
            "$.thinking",
            '"generationConfig":{"thinkingConfig":{"thinkingLevel":"XHIGH"}}',
        )
        for name, level in (
            ("beyond the highest", LEVEL.MAX),
            ("far beyond the highest", LEVEL.ULTRA),
        )
    ),
    (
        "thinking level",
        "beside a budget",
        {"thinking": wg.Thinking(LEVEL.LOW, 9)},
        "$.thinking",
        '"generationConfig":{"thinkingConfig":{"thinkingBudget":9}}',
    ),
    (
        "tool choice allowed",
        "of none",
        {"tools": [wg.Tool("f")], "tool_choice": wg.ToolChoice("none", allowed=["f"])},
        "$.toolChoice",
        NONE + TOOL,
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
        {"tools": [wg.Tool("a b")], "tool_choice": wg.ToolChoice("tool", "a b")},
        "$.tools[0]",
        '"toolConfig":{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":'
        '["_a_b_c8687a08"]}},' + TOOL.replace('"f"', '"_a_b_c8687a08"'),
    ),
]

INSTRUCTION = '"systemInstruction":{"parts":[{"text":"x"}]}'
OTHERS: dict[str, tuple[str, str, wg.Request, bytes]] = {
    "system content, an image": (
        "system content",
        BLOCK,
        request(system(wg.ImageBlock(data=PNG), "x"), user("hi")),
        body(HI, head=INSTRUCTION),
    ),
    "name, of the system prompt": (
        "name",
        "$.messages[0]",
        request(system("x", name="n"), user("hi")),
        body(HI, head=INSTRUCTION),
    ),
    "extras, of a system message of two": (
        "extras",
        "$.messages[0]",
        request(system("x", extras=extras(k=1)), system(), user("hi")),
        body(HI, head=INSTRUCTION),
    ),
}

CASES = {
    **{
        f"{what}, {how}": (what, path, request(*messages), body(*expected))
        for what, how, messages, path, expected in IN_MESSAGES
    },
    **{
        f"{what}, {how}": (what, path, request(user("hi"), **fields), body(HI, head=head))
        for what, how, fields, path, head in IN_FIELDS
    },
    **OTHERS,
}


SEVERE = {
    "media, without a source",
    "media, by the id of another API",
    "media, by a URL of another scheme",
    "media, in a malformed data URL",
    "media, in a result",
    "tool result content, an error",
    "tool result content, a result",
    "system content, an image",
}
"""Cases of rows that are not always severe, but are so here."""


@pytest.mark.parametrize(
    ("case", "what", "path", "given", "expected"),
    [(case, *row) for case, row in CASES.items()],
    ids=CASES,
)
def test_a_loss(case: str, what: str, path: str, given: wg.Request, expected: bytes) -> None:
    losses: list[wg.Loss] = []
    encoded = wg.providers.gemini.encode_request(given, losses=losses)
    judge(encoded)
    assert encoded == expected
    assert losses == [told(what, path, TABLE, severe=case in SEVERE or None)]


@pytest.mark.parametrize(("what", "path", "given", "expected"), CASES.values(), ids=CASES)
def test_a_loss_that_nobody_allowed(
    what: str, path: str, given: wg.Request, expected: bytes
) -> None:
    with pytest.raises(wg.LossError) as caught:
        wg.providers.gemini.encode_request(given)
    assert str(caught.value) == f"gemini: {what}: {reason(what, TABLE)}; {STEP} - at `{path}`"
    assert caught.value.path == path


def test_every_case_has_its_own_name() -> None:
    assert len(CASES) == len(IN_MESSAGES) + len(IN_FIELDS) + len(OTHERS)


def test_every_row_of_the_table_has_a_case() -> None:
    in_answers = {"signature", "stop reason", "stop sequence"}  # test_response.py has these
    in_requests = {what for what, *_ in CASES.values()}
    in_requests |= MODELS["gemini"]  # tests/field/test_models.py
    in_requests |= {"system alone"}  # tests/field/test_hosts.py
    in_requests |= {"annotation detail", "web search"}  # tests/field/test_search.py
    in_requests |= {"host key"}  # tests/refusals/test_grid_of_gemini.py
    assert in_requests == set(TABLE) - FOR_ALL - in_answers


def test_keys_beside_no_parts_of_a_prompt_go_back() -> None:
    body = b'{"systemInstruction":{"new":1},"contents":[{"role":"user","parts":[{"text":"hi"}]}]}'
    assert wg.translate_request(body, "gemini", "gemini") == body
    losses: list[wg.Loss] = []
    made = wg.translate_request(body, "gemini", "mistral", losses=losses, model="m")
    assert made == b'{"model":"m","messages":[{"role":"user","content":"hi"}]}'
    assert [(loss.what, loss.path) for loss in losses] == [("extras", "$.messages[0]")]


def test_a_prompt_that_is_a_role_alone_is_none() -> None:
    body = b'{"systemInstruction":{"role":"user"},"contents":[{"role":"user","parts":[]}]}'
    assert len(wg.providers.gemini.decode_request(body).messages) == 1


def test_what_is_no_loss() -> None:
    losses: list[wg.Loss] = []
    signed = answer(text("x", signature="s"), usage=wg.Usage(), timestamp=1, api=OTHER)
    block = wg.ImageBlock(data=PNG, alt_text="a", filename="f", size=8, page=1, extras={})
    native = user(
        block, text("hi", annotations=[]), id=1, metadata={"k": 1}, extras=extras("wireglot", k=1)
    )
    given = request(signed, native, user(), cache=wg.CacheConfig(), top_logprobs=0)
    wg.providers.gemini.encode_request(given, losses=losses)
    assert losses == []
    assert API == wg.providers.gemini.API
