"""Lines of providers' batches: what is in them is read, and what came in place of an answer."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.cli.running import run

CHAT = {"model": "gpt-5", "messages": [{"role": "user", "content": "Hello"}], "seed": 7}
CLAUDE = {
    "model": "claude-sonnet-4-5", "max_tokens": 5,
    "messages": [{"role": "user", "content": "Hello"}],
}  # fmt: skip
ANSWER = {
    "id": "c", "object": "chat.completion", "created": 1760000400, "model": "gpt-5",
    "choices": [{"index": 0, "finish_reason": "stop",
                 "message": {"role": "assistant", "content": "Hi."}}],
    "usage": {"prompt_tokens": 10, "completion_tokens": 4, "total_tokens": 14},
}  # fmt: skip
MESSAGE = {
    "id": "m", "type": "message", "role": "assistant", "model": "claude-sonnet-4-5",
    "content": [{"type": "text", "text": "Hi."}], "stop_reason": "end_turn",
    "usage": {"input_tokens": 10, "output_tokens": 4},
}  # fmt: skip
BAD = {"error": {"message": "Not today.", "type": "invalid_request_error"}}


def _asked(body: Any) -> Any:
    return {"custom_id": "r", "method": "POST", "url": "/v1/chat/completions", "body": body}


def _params(params: Any) -> Any:
    return {"custom_id": "r", "params": params}


def _answered(body: Any, error: Any = None) -> Any:
    response = None if body is None else {"status_code": 200, "request_id": "x", "body": body}
    return {"id": "b", "custom_id": "r", "response": response, "error": error}


def _result(**result: Any) -> Any:
    return {"custom_id": "r", "result": result}


def _lines(*lines: Any) -> str:
    return "".join(f"{json.dumps(line)}\n" for line in lines)


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        (_asked(CHAT), "stdin:1   openai_chat request\ngpt-5 · 1 entry\n"),
        (_params(CLAUDE), "stdin:1   anthropic request\nclaude-sonnet-4-5 · 1 entry\n"),
        (_answered(ANSWER), "stdin:1   openai_chat response\ngpt-5 · 1 entry · 10 in, 4 out"),
        (
            _result(type="succeeded", message=MESSAGE),
            "stdin:1   anthropic response\nclaude-sonnet-4-5 · 1 entry · 10 in, 4 out",
        ),
    ],
)
@pytest.mark.parametrize("count", [1, 2, 20])
def test_what_is_in_the_lines_is_read(line: Any, shown: str, count: int) -> None:
    given = _lines(line) * count
    done = run("show", stdin=given)
    assert (done.code, done.said) == (0, "")
    assert done.out.startswith(shown)
    assert f"\nstdin:{count}   " in f"\n{done.out}"
    sums = json.loads(run("stats", "--json", stdin=given).out)
    assert sums["documents"] == count
    assert sums["total"]["input"] == (0 if "body" in line or "params" in line else 10 * count)


def test_half_a_character_in_a_batch_is_recorded() -> None:
    asked = {**CHAT, "messages": [{"role": "user", "content": "a \ud83d b"}]}
    done = run("check", "--to", "openai_chat", stdin=_lines(_asked(asked)))
    assert done.out.splitlines() == [
        "lost: lone surrogate: half a character is not Unicode text; U+FFFD takes its place"
        " - at `stdin:1: byte 63`",
        "1 document, 0 with faults",
    ]


def test_a_batch_is_checked_before_it_goes() -> None:
    bad = {**CHAT, "temperature": "hot"}
    done = run("check", "--to", "anthropic", stdin=_lines(_asked(CHAT), _asked(bad)))
    assert done.code == 1
    assert done.out.splitlines() == [
        "stdin:2: openai_chat: expected `float | null`, got `str` - at `$.temperature`",
        "lost: seed: there is no such parameter; left out - at `stdin:1: $`",
        "2 documents, 1 with faults",
    ]


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ([_answered(ANSWER), _answered(BAD)], "openai_chat: invalid_request: Not today."),
        (
            [_answered(ANSWER), _answered(None, {"code": "batch_expired", "message": "Late."})],
            "openai_chat: server: Late.",
        ),
        (
            [
                _result(type="succeeded", message=MESSAGE),
                _result(type="errored", error={"type": "error", **BAD}),
            ],
            "anthropic: invalid_request: Not today.",
        ),
        (
            [_result(type="succeeded", message=MESSAGE), _result(type="expired")],
            "cli: result of type `expired`, expected one with an answer - at `$`",
        ),
    ],
)
def test_what_came_in_place_of_an_answer_is_said(lines: Any, said: str) -> None:
    assert run("check", stdin=_lines(*lines)) == (
        1,
        f"stdin:2: {said}\n2 documents, 1 with faults\n",
        "",
    )
    done = run("stats", "--json", "--keep-going", stdin=_lines(*lines))
    assert (done.code, json.loads(done.out)["total"]["answers"]) == (1, 1)


def test_a_batch_of_results_without_answers_is_read_line_by_line() -> None:
    given = _lines(_result(type="expired"), _result(type="canceled"))
    assert run("check", stdin=given).out.splitlines() == [
        "stdin:1: cli: result of type `expired`, expected one with an answer - at `$`",
        "stdin:2: cli: result of type `canceled`, expected one with an answer - at `$`",
        "2 documents, 2 with faults",
    ]
    for line, said in zip(given.splitlines(), ("expired", "canceled"), strict=True):
        assert run("show", stdin=line) == (
            1,
            "",
            f"wireglot: stdin: cli: result of type `{said}`, expected one with an answer"
            " - at `line 1: $`\n",
        )


def test_a_batch_of_errors_alone_is_read_line_by_line() -> None:
    assert run("check", stdin=_lines(_answered(BAD)) * 2).out.splitlines() == [
        "stdin:1: openai_chat: invalid_request: Not today.",
        "stdin:2: openai_chat: invalid_request: Not today.",
        "2 documents, 2 with faults",
    ]


@pytest.mark.parametrize("options", [[], ["--each-line"], ["--whole"]])
@pytest.mark.parametrize("line", [_asked(CHAT), _params(CLAUDE)])
def test_ids_are_not_lost_in_a_conversion(options: list[str], line: Any) -> None:
    done = run("convert", "--to", "anthropic", *options, stdin=_lines(line))
    assert done == (
        1,
        "",
        "wireglot: stdin: cli: batch, whose ids have no place elsewhere, expected what is in its"
        " lines - at `$`\n",
    )
