"""`wireglot convert` from any kind of document to any other, by what the wires are."""

from __future__ import annotations

import json

import pytest

from tests.cli.running import Done, run
from tests.clients.turn import RESPONSES, STREAMS, TEXT
from wireglot._documents.conversion import TARGETS
from wireglot.formats import FORMATS
from wireglot.providers import PROVIDERS

CHAT = '{"model":"gpt-5","messages":[{"role":"user","content":"Hello"}],"seed":7}'
ANSWER = (
    '{"id":"chatcmpl-1","object":"chat.completion","created":1760000000,"model":"gpt-5","choices":'
    '[{"index":0,"message":{"role":"assistant","content":"Hi."},"finish_reason":"stop"}]}'
)
CHUNKS = (
    'data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"gpt-5","choices":'
    '[{"index":0,"delta":{"role":"assistant","content":"Hi."},"finish_reason":null}]}\n\n'
    'data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"gpt-5","choices":'
    '[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n'
    "data: [DONE]\n\n"
)


def _convert(stdin: str, *options: str) -> Done:
    return run("convert", *options, stdin=stdin)


@pytest.mark.parametrize(
    ("given", "options", "expected", "said"),
    [
        pytest.param(
            CHAT,
            ["--to", "ollama"],
            '{"model":"gpt-5","stream":false,"options":{"seed":7},'
            '"messages":[{"role":"user","content":"Hello"}]}',
            "",
            id="a request to another provider",
        ),
        pytest.param(
            CHAT,
            ["--to", "gemini"],
            '{"generationConfig":{"seed":7},'
            '"contents":[{"role":"user","parts":[{"text":"Hello"}]}]}',
            "the model is in the URL, not in the body: POST /v1beta/models/gpt-5:generateContent\n",
            id="a request whose model goes to the URL",
        ),
        pytest.param(
            CHAT,
            ["--to", "native"],
            '{"messages":[{"role":"user","content":[{"type":"text","text":"Hello"}]}],'
            '"model":"gpt-5","seed":7}',
            "",
            id="a request to our own wire",
        ),
        pytest.param(
            CHAT,
            ["--to", "native", "--as", "session"],
            '[{"role":"user","content":[{"type":"text","text":"Hello"}]}]',
            "lost: model: a session has no place for it; left out - at `$.model`\n"
            "lost: seed: a session has no place for it; left out - at `$.seed`\n",
            id="the messages of a request",
        ),
        pytest.param(
            CHAT,
            ["--to", "native", "--as", "session", "--jsonl"],
            '{"role":"user","content":[{"type":"text","text":"Hello"}]}\n',
            "lost: model: a session has no place for it; left out - at `$.model`\n"
            "lost: seed: a session has no place for it; left out - at `$.seed`\n",
            id="as JSON Lines",
        ),
        pytest.param(
            ANSWER,
            ["--to", "ollama", "--model", "llama4"],
            '{"model":"llama4","created_at":"2025-10-09T08:53:20Z",'
            '"message":{"role":"assistant","content":"Hi."},"done":true,"done_reason":"stop",'
            '"total_duration":0,"load_duration":0,"prompt_eval_count":0,"prompt_eval_duration":0,'
            '"eval_count":0,"eval_duration":0}',
            "",
            id="an answer to another provider",
        ),
        pytest.param(
            CHUNKS,
            ["--to", "ollama"],
            '{"model":"gpt-5","created_at":"1970-01-01T00:00:01Z",'
            '"message":{"role":"assistant","content":"Hi."},"done":false}\n'
            '{"model":"gpt-5","created_at":"1970-01-01T00:00:01Z",'
            '"message":{"role":"assistant","content":""},"done":true,"done_reason":"stop",'
            '"total_duration":0,"load_duration":0,"prompt_eval_count":0,"prompt_eval_duration":0,'
            '"eval_count":0,"eval_duration":0}\n',
            "",
            id="a stream to another provider",
        ),
        pytest.param(
            CHUNKS,
            ["--to", "ollama", "--as", "response"],
            '{"model":"gpt-5","created_at":"1970-01-01T00:00:01Z",'
            '"message":{"role":"assistant","content":"Hi."},"done":true,"done_reason":"stop",'
            '"total_duration":0,"load_duration":0,"prompt_eval_count":0,"prompt_eval_duration":0,'
            '"eval_count":0,"eval_duration":0}',
            "",
            id="a stream as the answer that it is",
        ),
        pytest.param(
            CHUNKS,
            ["--to", "native", "--as", "session"],
            '[{"role":"assistant","content":[{"type":"text","text":"Hi."}],"stopReason":"stop",'
            '"model":"gpt-5","timestamp":1000,"api":"openai-chat",'
            '"rawStopReason":"stop","id":"c"}]',
            "",
            id="a stream as a message of a session",
        ),
    ],
)
def test_a_document_goes_to_another_wire(
    given: str, options: list[str], expected: str, said: str
) -> None:
    assert _convert(given, *options) == (0, expected, said)


@pytest.mark.parametrize("target", [*PROVIDERS, *FORMATS, "native", "msgpack"])
@pytest.mark.parametrize("source", RESPONSES)
def test_an_answer_of_any_wire_goes_to_any_other(source: str, target: str) -> None:
    given = ["convert", "--from", source, "--to", target]
    made = run(*given, stdin=RESPONSES[source])
    assert made.code == 0
    if target != "msgpack":
        back = run("convert", "--from", target, "--to", "native", "--as", "session", stdin=made.out)
        (message,) = [m for m in json.loads(back.out) if m["role"] == "assistant"]
        assert [b["text"] for b in message["content"] if b["type"] == "text"] == [TEXT]


@pytest.mark.parametrize("target", PROVIDERS)
@pytest.mark.parametrize("source", STREAMS)
def test_a_stream_of_any_wire_goes_to_any_other(source: str, target: str) -> None:
    from click.testing import CliRunner

    from wireglot.cli.command import wireglot

    given = ["convert", "--from", source, "--to", target]
    made = CliRunner().invoke(wireglot, given, input=STREAMS[source])
    assert (made.exit_code, made.exception) == (0, None)
    back = run("convert", "--from", target, "--to", "native", stdin=made.stdout_bytes)
    texts = [b["text"] for b in json.loads(back.out)["message"]["content"] if b["type"] == "text"]
    assert "".join(texts) == TEXT


@pytest.mark.parametrize(
    ("given", "options", "why"),
    [
        (
            CHAT,
            ["--to", "phi_core", "--as", "request"],
            "request written as a request, expected a session",
        ),
        (
            CHAT,
            ["--to", "ollama", "--as", "stream"],
            "request written as a stream, expected a request",
        ),
        (
            ANSWER,
            ["--to", "ollama", "--as", "request"],
            "response written as a request, expected a response",
        ),
        (
            ANSWER,
            ["--to", "native", "--as", "stream"],
            "response written as a stream, expected a response or session",
        ),
    ],
)
def test_what_has_no_way_there_is_said(given: str, options: list[str], why: str) -> None:
    done = _convert(given, *options)
    assert (done.code, done.out) == (1, "")
    assert why in done.said


def test_a_loss_of_the_decoder_fails_a_strict_run() -> None:
    given = '[{"role":"user","content":[{"type":"text","text":"\\ud800"}]}]'
    done = _convert(given, "--from", "native", "--to", "anthropic", "--model", "m", "--strict")
    assert (done.code, done.out) == (1, "")
    assert "surrogate" in done.said


def test_every_wire_is_a_target() -> None:
    assert (*PROVIDERS, *FORMATS, "native", "msgpack") == TARGETS
