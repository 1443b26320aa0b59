"""Each service that speaks Responses -> the words that go to it, and what it does not take."""

import json
from typing import Any

import pytest

import wireglot as wg
from tests.providers.conversation import answer, assistant, call, request, user

responses = wg.providers.openai_responses
LEVEL = wg.ThinkingLevel
MARK = wg.CacheMark()
ENCRYPTED = "reasoning.encrypted_content"
SAMPLING = "frequency_penalty presence_penalty stop top_k"
ALL_TIERS = "auto default flex scale priority fast ultrafast"
SIX = ("minimal low medium high xhigh max max", "ultra")
THREE = ("low low medium high high high high", "minimal xhigh max ultra")


def _written(dialect: str, *messages: wg.Message, **fields: Any) -> tuple[Any, list[str]]:
    """Return the input, and what was lost."""
    losses: list[wg.Loss] = []
    asked = request(*messages, **{"max_tokens": None, **fields})
    body = json.loads(responses.encode_request(asked, losses=losses, dialect=dialect))
    return body["input"], [loss.what for loss in losses]


def _head(dialect: str, **fields: Any) -> tuple[Any, list[str]]:
    """Return the body without model and input, and what was lost."""
    losses: list[wg.Loss] = []
    asked = request(user("hi"), **{"max_tokens": None, **fields})
    body = json.loads(responses.encode_request(asked, losses=losses, dialect=dialect))
    del body["model"], body["input"]
    return body, [loss.what for loss in losses]


# dialect -> the path, the key for a user, the lowest limit, the tiers, what it does not know, and
# the efforts for levels from `minimal` to `ultra` with the levels that have no word
SPELLED = {
    "openai": ("/v1/responses", "safety_identifier", 16, ALL_TIERS, SAMPLING, SIX),
    "azure": (
        *("/openai/v1/responses", "safety_identifier", 16, "auto default priority"),
        *(SAMPLING, SIX),
    ),
    "xai": (
        *("/v1/responses", "user", 1, ""),
        *("frequency_penalty metadata presence_penalty stop top_k", THREE),
    ),
    "openrouter": ("/api/v1/responses", "safety_identifier", 1, ALL_TIERS, "", SIX),
}


def test_every_dialect_is_here() -> None:
    for table in (SPELLED, TAKEN):
        assert list(table) == list(responses.DIALECTS)


@pytest.mark.parametrize("dialect", SPELLED)
def test_a_service_has_words_of_its_own(dialect: str) -> None:
    path, named, least, tiers, unknown, (efforts, wordless) = SPELLED[dialect]
    assert responses.route(request(user("hi")), dialect=dialect).path == path
    assert _head(dialect, user_id="u") == ({named: "u"}, [])
    raised = ["max_tokens"] if least > 1 else []
    assert _head(dialect, max_tokens=1) == ({"max_output_tokens": least}, raised)
    for tier in (*ALL_TIERS.split(), "odd"):
        said = ({"service_tier": tier}, []) if tier in tiers.split() else ({}, ["service_tier"])
        assert _head(dialect, service_tier=tier) == said
    given = {
        "frequency_penalty": 0.5,
        "metadata": {"a": "b"},
        "presence_penalty": 0.5,
        "stop": ["x"],
        "top_k": 3,
    }
    assert _head(dialect, **given)[1] == unknown.split()
    found: list[str] = []
    without: list[str] = []
    for level in list(LEVEL)[1:]:
        head, lost = _head(dialect, thinking=wg.Thinking(level))
        found.append(head["reasoning"]["effort"])
        assert lost in ([], ["thinking level"])
        without += [level] * len(lost)
    assert (found, without) == (efforts.split(), wordless.split())


@pytest.mark.parametrize("dialect", SPELLED)
def test_a_parameter_that_asks_for_nothing_is_never_lost(dialect: str) -> None:
    nothing = {"frequency_penalty": 0.0, "metadata": {}, "presence_penalty": 0.0, "stop": []}
    assert _head(dialect, **nothing)[1] == []


def test_a_top_k_of_zero_asks_for_something() -> None:
    assert _head("openai", top_k=0) == ({}, ["top_k"])


# dialect -> whether it takes calls of custom tools, the parts that take a breakpoint, and the
# documents that go inline
TAKEN = {
    "openai": (True, "input_text input_image input_file", "pdf csv"),
    "azure": (True, "", "pdf"),
    "xai": (False, "", ""),
    "openrouter": (True, "input_text", "pdf"),
}
MARKED: dict[str, tuple[wg.Content, dict[str, Any]]] = {
    "input_text": (wg.TextBlock("x", cache=MARK), {"text": "x"}),
    "input_image": (
        wg.ImageBlock(file_id="f", cache=MARK),
        {"file_id": "f", "detail": "auto"},
    ),
    "input_file": (wg.DocumentBlock(file_id="f", cache=MARK), {"file_id": "f"}),
}
PDF_PART = {
    "type": "input_file",
    "filename": "document.pdf",
    "file_data": "data:application/pdf;base64,JVBERi0=",
}
CSV_PART = {"type": "input_file", "filename": "file", "file_data": "data:text/csv;base64,YSxi"}


@pytest.mark.parametrize("dialect", TAKEN)
def test_what_a_service_does_not_take_is_lost(dialect: str) -> None:
    custom, marked, inline = TAKEN[dialect]
    items, lost = _written(dialect, assistant(call("a", "1", tool_type="custom")), answer("a"))
    kinds = ["custom_tool_call", "custom_tool_call_output"]
    if not custom:
        kinds = ["function_call", "function_call_output"]
    assert ([item["type"] for item in items], lost) == (kinds, [] if custom else ["custom call"])
    for kind, (block, keys) in MARKED.items():
        (said,), lost = _written(dialect, user(block, "hi"))
        is_taken = kind in marked.split()
        mark = {"prompt_cache_breakpoint": {"mode": "explicit"}} if is_taken else {}
        assert said["content"][0] == {"type": kind, **keys, **mark}
        assert lost == ([] if is_taken else ["cache mark"])
    pdf = wg.DocumentBlock.from_bytes(b"%PDF-")
    (said,), lost = _written(dialect, user("x", pdf))
    x = {"type": "input_text", "text": "x"}
    if "pdf" in inline.split():
        assert (said["content"], lost) == ([x, PDF_PART], [])
    else:
        assert (said["content"], lost) == ("x", ["document"])
    csv = wg.DocumentBlock(data=wg.Media.from_bytes(b"a,b"), mime_type="text/csv")
    (said,), lost = _written(dialect, user(csv))
    if "csv" in inline.split():
        assert (said["content"], lost) == ([CSV_PART], [])
    else:
        assert (said["content"], lost) == ("a,b", ["document text"])


def test_likelihoods_are_asked_for_in_two_ways() -> None:
    asked = {"logprobs": True, "top_logprobs": 20}
    included = {"include": ["message.output_text.logprobs"], "top_logprobs": 20}
    for dialect in ("openai", "azure"):
        assert _head(dialect, **asked) == (included, [])
    assert _head("openrouter", **asked) == ({"top_logprobs": 20}, [])
    assert _head("xai", **asked) == ({"logprobs": True, "top_logprobs": 8}, ["top_logprobs"])


def test_openrouter_alone_limits_thinking_and_caches_when_asked() -> None:
    nine, cached = wg.Thinking(budget_tokens=9), wg.CacheConfig(ttl="1h")
    for dialect in ("openai", "azure", "xai"):
        head = {"include": [ENCRYPTED], "reasoning": {"effort": "low"}}
        assert _head(dialect, thinking=nine) == (head, ["thinking budget"])
        assert _head(dialect, cache=cached) == ({}, ["cache ttl"])
    head = {"include": [ENCRYPTED], "reasoning": {"max_tokens": 9}}
    assert _head("openrouter", thinking=nine) == (head, [])
    mark = {"cache_control": {"type": "ephemeral", "ttl": "1h"}}
    assert _head("openrouter", cache=cached) == (mark, [])
