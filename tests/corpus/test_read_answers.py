"""Which answers are read from a folder of recordings, and how they are judged."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import wireglot as wg
from tests.corpus.answers import Answer, AnswerCorpus, read_answers
from tests.corpus.other_answers import judge_other_answer
from tests.corpus.own_answers import judge_own_answer
from wireglot.framing import eventstream

DIALECTS = {name: wg.PROVIDERS[name].DIALECTS for name in wg.PROVIDERS}
EXCHANGE = {"id": "x/1", "wire": "anthropic", "kind": "response.json", "status": 200, "url": ""}
WHOLE = (
    '{"id":"msg_1","type":"message","role":"assistant","model":"m",'
    '"content":[{"type":"text","text":"Hello"}],"stop_reason":"end_turn","stop_sequence":null,'
    '"usage":{"input_tokens":1,"output_tokens":2}}'
)
STOP = '{"type":"message_stop"}'

Read = Callable[..., AnswerCorpus]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    def read(*exchanges: dict[str, Any], wire: str = "") -> AnswerCorpus:
        lines = "".join(json.dumps(EXCHANGE | exchange) + "\n" for exchange in exchanges)
        (tmp_path / "x.jsonl.gz").write_bytes(gzip.compress(lines.encode()))
        return read_answers([tmp_path], DIALECTS, wire)

    return read


def test_an_answer_is_read_once(read: Read) -> None:
    corpus = read({"answer": WHOLE}, {"answer": WHOLE, "id": "x/2"})
    assert corpus.exchanges == {"anthropic response": 2}
    assert corpus.samples == [
        Answer(
            "x/1", "anthropic response", "anthropic", "anthropic", "response", WHOLE.encode(), 200
        )
    ]


@pytest.mark.parametrize(
    ("exchange", "reason"),
    [
        ({"kind": "error", "status": 401}, "no answer was recorded"),
        ({"answer": "{"}, "no JSON"),
        ({"answer": '{"object":"list"}'}, "no answer of this wire"),
        (
            {"answer": '{"input_tokens":3}', "url": "https://x.org/v1/messages/count_tokens"},
            "the counting of tokens",
        ),
    ],
)
def test_is_left_out(exchange: dict[str, Any], reason: str, read: Read) -> None:
    corpus = read(exchange)
    assert corpus.samples == []
    assert [why for _, why in corpus.skipped] == [reason]


def test_an_error_may_have_a_status_that_says_that_all_is_well(read: Read) -> None:
    (answer,) = read({"answer": '{"error":{"message":"no"}}'}).samples
    assert answer.kind == "error"


def test_one_wire_alone(read: Read) -> None:
    body = '{"message":{"role":"assistant","content":""},"done":true}'
    exchanges = {"answer": WHOLE}, {"answer": body, "wire": "ollama"}
    assert [answer.provider for answer in read(*exchanges, wire="ollama").samples] == ["ollama"]


def test_events_that_are_recorded_as_lines_get_their_frames(read: Read) -> None:
    line = '{"messageStop":{"stopReason":"end_turn"}}\n'
    (answer,) = read({"wire": "bedrock", "kind": "stream.jsonl", "answer": line}).samples
    ((headers, payload),) = eventstream.Decoder().feed(answer.data)
    assert headers[":event-type"] == "messageStop"
    assert json.loads(payload) == {"stopReason": "end_turn"}


# Verdicts


def _judged(kind: str, data: bytes, target: str | None = None) -> list[str]:
    answer = Answer("x/1", f"anthropic {kind}", "anthropic", "anthropic", kind, data, 200)
    judge = judge_own_answer(answer) if target is None else judge_other_answer(answer, target)
    return [f"{failure.kind} {failure.message}".strip() for failure in judge.failures]


def test_a_good_answer_has_no_failures() -> None:
    pytest.importorskip("tests.oracles.anthropic")
    assert _judged("response", WHOLE.encode()) == []


def test_an_answer_that_does_not_decode_is_a_failure() -> None:
    (failure,) = _judged("response", b'{"content":1}')
    assert failure.startswith("decode ")


def _breaking(monkeypatch: pytest.MonkeyPatch, name: str, old: bytes, new: bytes) -> None:
    """Let an encoder of the provider write something else."""
    provider: Any = wg.PROVIDERS[name]
    encode = provider.encode_response

    def broken(*args: Any, **options: Any) -> bytes:
        written: bytes = encode(*args, **options)
        assert old in written
        return written.replace(old, new)

    monkeypatch.setattr(provider, "encode_response", broken)


BROKEN = {
    "a word": (b'"Hello"', b'"Hallo"', "drop text is gone, and no loss says so"),
    "a stop": (b'"end_turn"', b'"max_tokens"', "drop stop became length"),
    "a count": (b'"output_tokens":2', b'"output_tokens":3', "drop other counts"),
}


@pytest.mark.parametrize(("old", "new", "failure"), BROKEN.values(), ids=BROKEN)
def test_a_codec_that_changes_something_is_found_out(
    old: bytes, new: bytes, failure: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("tests.oracles.anthropic")
    _breaking(monkeypatch, "anthropic", old, new)
    ollama = b"""{"model":"m","created_at":"2026-01-02T03:04:05Z","done":true,"done_reason":"stop",
        "message":{"role":"assistant","content":"Hello"},"prompt_eval_count":1,"eval_count":2}"""
    answer = Answer("x/1", "ollama response", "ollama", "ollama", "response", ollama, 200)
    failures = judge_other_answer(answer, "anthropic").failures
    assert [f"{found.kind} {found.message}" for found in failures] == [failure]
    (own,) = _judged("response", WHOLE.encode())
    assert own == "difference"
