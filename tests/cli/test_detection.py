"""Which wire a document is of, by what it says alone."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

import wireglot as wg
from tests.cli.running import run
from tests.clients.turn import RESPONSES, STREAMS, TEXT
from wireglot._documents import detection
from wireglot._documents.detection import Found, detect
from wireglot.cli import documents, faults

_GOLDEN = Path(__file__).parents[1] / "golden"
_USER = '"messages":[{"role":"user","content":"Hello"}]'
REQUESTS = {
    "openai_chat": f'{{"model":"gpt-5",{_USER}}}',
    "anthropic": f'{{"model":"claude-sonnet-4-5","max_tokens":9,{_USER}}}',
    "openai_responses": '{"model":"gpt-5","input":"Hello"}',
    "gemini": '{"contents":[{"role":"user","parts":[{"text":"Hello"}]}]}',
    "bedrock": '{"messages":[{"role":"user","content":[{"text":"Hello"}]}]}',
    "mistral": f'{{"model":"mistral-large-latest",{_USER}}}',
    "cohere": f'{{"model":"m",{_USER},"documents":["It rains."]}}',
    "ollama": f'{{"model":"m",{_USER},"options":{{"num_ctx":8000}}}}',
    "native": '{"model":"m","messages":[{"role":"user","content":[{"type":"text","text":"Hello"}],'
    '"timestamp":1760000000000}]}',
}
_HELLO = wg.Request([wg.UserMessage.from_text("Hello")], "m", max_tokens=9)
for _name in wg.PROVIDERS.keys() - REQUESTS:  # as the wire itself writes it
    REQUESTS[_name] = wg.PROVIDERS[_name].encode_request(_HELLO).decode()


@pytest.mark.parametrize("wire", REQUESTS)
def test_a_request(wire: str) -> None:
    found = detect(REQUESTS[wire].encode())
    assert (found.wire, found.kind) == (wire, "request")
    assert found.value.messages[0].text() == "Hello"


# Says nothing that is Mistral's alone, as long as its model has no name.
SAID = {wire: wire for wire in RESPONSES} | {"mistral": "openai_chat"}


@pytest.mark.parametrize("wire", REQUESTS)
def test_half_a_character_changes_no_wire(wire: str) -> None:
    found = detect(REQUESTS[wire].replace("Hello", r"a \ud83d b").encode())
    assert (found.wire, found.kind) == (wire, "request")
    assert found.value.messages[0].text() == "a \ufffd b"
    assert [loss.what for loss in found.losses] == ["lone surrogate"]


@pytest.mark.parametrize("wire", RESPONSES)
def test_an_answer(wire: str) -> None:
    found = detect(RESPONSES[wire].encode())
    assert (found.wire, found.kind) == (SAID[wire], "response")
    assert found.value.message.text() == TEXT


@pytest.mark.parametrize(
    ("model", "wire", "kind"),
    [("claude-sonnet-4-5", "anthropic", "response"), ("gpt-5", "native", "session")],
)
def test_the_name_of_a_model_decides_between_wires_that_fit(
    model: str, wire: str, kind: str
) -> None:
    text = '{"role":"assistant","content":[{"type":"text","text":"Hi"}],"model":"%s"}'
    found = detect((text % model).encode())
    assert (found.wire, found.kind) == (wire, kind)


@pytest.mark.parametrize("wire", STREAMS)
def test_a_stream(wire: str) -> None:
    found = detect(STREAMS[wire])
    assert (found.wire, found.kind) == (SAID[wire], "stream")
    assert found.value.message.text() == TEXT


# Where something follows: another stream, and a line of none. Gemini's never says that it is over.
AFTER_THE_END = {
    "anthropic": ("line 38: $", "line 37: $"),
    "openai_chat": ("line 19: $", "line 19: $"),
    "openai_responses": ("line 44: $", "line 43: $"),
    "bedrock": ("byte 1590", "byte 1590"),
    "mistral": ("line 11: $", "line 11: $"),
    "cohere": ("line 26: $", "line 25: $"),
    "ollama": ("line 5: $", "line 5: $"),
}


@pytest.mark.parametrize("wire", AFTER_THE_END)
def test_what_follows_the_end_of_a_stream_is_not_dropped(wire: str) -> None:
    for more, place in zip((STREAMS[wire], b"oops {{{\n"), AFTER_THE_END[wire], strict=True):
        with pytest.raises(wg.DecodeError) as caught:
            detect(STREAMS[wire] + more)
        assert str(caught.value) == (
            f"cli: text after the end of the answer, expected none - at `{place}`"
        )


@pytest.mark.parametrize("more", [b"\n\n", b": bye\n\n", b"event: done\r\ndata: [DONE]\r\n\r\n"])
def test_the_end_of_a_stream_may_be_said_again(more: bytes) -> None:
    assert detect(STREAMS["anthropic"] + more).value.message.text() == TEXT


SESSIONS = {
    "native, whose superset phi-core is": ("native", "phi_core/session.json"),
    "pyagenity": ("pyagenity", "pyagenity/session.json"),
    "ravi": ("ravi", "ravi/session.json"),
    "operator_use": ("operator_use", "operator_use/session.jsonl"),
    "langchain": ("langchain", "langchain/session.json"),
    "langchain, as dumpd writes it": ("langchain", "langchain/session-dumpd.json"),
    "langchain, as model_dump writes it": ("langchain", "langchain/session-plain.json"),
    "pydantic_ai": ("pydantic_ai", "pydantic_ai/session.json"),
    "pydantic_ai, of 1.0": ("pydantic_ai", "pydantic_ai/session-1.0.json"),
    "mcp": ("mcp", "mcp/session.json"),
    "otel": ("otel", "otel/session.json"),
    "native MessagePack": ("native", "native/v1/message-user.msgpack"),
}


@pytest.mark.parametrize(("wire", "name"), SESSIONS.values(), ids=SESSIONS)
def test_a_session(wire: str, name: str) -> None:
    found = detect((_GOLDEN / name).read_bytes())
    assert (found.wire, found.kind) == (wire, "session")


BINARY = {
    "a request": ("request", b"\x82\xa5model\xa1m\xa8messages\x91\x82\xa4role\xa4user"
    b"\xa7content\x91\x82\xa4type\xa4text\xa4text\xa2Hi"),
    "a request of many keys": ("request", b"\xde\x00\x01\xa8messages\x91\x82\xa4role\xa4user"
    b"\xa7content\x91\x82\xa4type\xa4text\xa4text\xa2Hi"),
    "an answer": ("response", b"\x81\xa7message\x82\xa4role\xa9assistant"
    b"\xa7content\x91\x82\xa4type\xa4text\xa4text\xa2Hi"),
}  # fmt: skip


@pytest.mark.parametrize(("kind", "data"), BINARY.values(), ids=BINARY)
def test_what_our_messagepack_holds(kind: str, data: bytes) -> None:
    found = detect(data)
    assert (found.wire, found.kind) == ("native", kind)
    message = found.value.message if kind == "response" else found.value.messages[0]
    assert message.text() == "Hi"


ALIKE = {
    "blocks that everybody has": (
        "native",
        '[{"role":"user","content":[{"type":"text","text":"Hi"}]}]',
    ),
    "a block alone": ("mcp", '[{"role":"user","content":{"type":"text","text":"Hi"}}]'),
    "the answer to a sampling": (
        "mcp",
        '{"role":"assistant","content":{"type":"text","text":"Hi"},"model":"m","stopReason":"x"}',
    ),
    "a prompt": ("mcp", '{"messages":[{"role":"user","content":{"type":"text","text":"Hi"}}]}'),
    "a request to sample": (
        "mcp",
        '{"messages":[{"role":"user","content":[{"type":"text","text":"Hi"}]}],"maxTokens":9,'
        '"systemPrompt":"Be brief."}',
    ),
    "the output of a model": (
        "otel",
        '[{"role":"assistant","parts":[{"type":"text","content":"Hi"}],"finish_reason":"stop"}]',
    ),
    "lines of an input": (
        "otel",
        '{"role":"user","parts":[{"type":"text","content":"a"}]}\n{"role":"user","parts":[]}\n',
    ),
}


@pytest.mark.parametrize(("wire", "text"), ALIKE.values(), ids=ALIKE)
def test_a_session_that_looks_like_others(wire: str, text: str) -> None:
    found = detect(text.encode())
    assert (found.wire, found.kind) == (wire, "session")


def _decoders_of(monkeypatch: pytest.MonkeyPatch, *arguments: str, stdin: str) -> Counter[str]:
    """Return which wires' decoders read how many lines."""
    read: Counter[str] = Counter()

    def decoded(data: bytes, wire: str, kind: str, *, dialect: str | None = None) -> Found:
        read[f"{wire} {kind}"] += data.count(b"\n", 0, -1) + 1
        return decode(data, wire, kind, dialect=dialect)

    decode = detection.decoded
    for module in (detection, documents, faults):
        monkeypatch.setattr(module, "decoded", decoded)
    assert run(*arguments, stdin=stdin).code == 0
    return read


def test_after_the_first_lines_only_their_wire_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    line = '{"role":"user","content":[{"type":"text","text":"Hi"}]}\n'
    read = _decoders_of(monkeypatch, "stats", stdin=line * 1000)
    assert {name for name, count in read.items() if count >= 1000} == {"native session"}
    line = '{"model":"m","messages":[{"role":"user","content":"Hi"}]}\n'
    read = _decoders_of(monkeypatch, "stats", stdin=line * 1000)
    assert {name for name, count in read.items() if count >= 1000} == {"openai_chat request"}


def test_lines_of_another_wire_do_not_end_the_search_for_theirs() -> None:
    chat = '{"model":"m","messages":[{"role":"user","content":"Hi"}]}\n'
    gemini = '{"contents":[{"role":"user","parts":[{"text":"Hello"}]}]}\n'
    out = run("check", stdin=chat * 20 + gemini * 300).out
    assert out == "320 documents, 0 with faults\n"


def test_what_is_unknown_in_the_first_lines_excludes_no_wire_that_accepts_them() -> None:
    session = json.loads((_GOLDEN / "native/v1/unknown-keys-everywhere.json").read_bytes())
    lines = "".join(f"{json.dumps(entry)}\n" for entry in session)
    for count in (1, 20):
        out = run("check", stdin=lines * count).out
        assert out == "stdin: native session, no faults\n"


@pytest.mark.parametrize("blank", [0, 1, 40])
def test_blank_lines_hide_no_session(blank: int) -> None:
    line = '{"role":"user","content":[{"type":"text","text":"Hi"}]}\n'
    out = run("check", stdin="\n" * blank + (line + "\n") * 40).out
    assert out == "stdin: native session, no faults\n"


def test_a_session_may_differ_from_its_first_lines() -> None:
    line = '{"role":"user","content":[{"type":"text","text":"Hi"}]}\n'
    bad = '{"role":"user","content":5}\n'
    assert run("check", stdin=line * 20 + bad + line).out == (
        "stdin: json: expected `array`, got `int` - at `line 21: $.content`\n"
    )
    assert run("check", stdin=bad * 10 + line * 20).out.splitlines() == [
        f"stdin: json: expected `array`, got `int` - at `line {number}: $.content`"
        for number in range(1, 11)
    ]


@pytest.mark.parametrize("text", ["", "hello", "{", '{"a":1}', "[]x", "data: x\n\n", "\x00\x01"])
def test_what_is_of_no_wire(text: str) -> None:
    with pytest.raises(wg.DecodeError):
        detect(text.encode())


UNKNOWN = "cli: unknown document, expected one of a known wire; pass --from - at `$`"


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (
            b'\xef\xbb\xbf{"a":1}',
            "cli: text with a byte order mark, expected UTF-8 without one - at `$`",
        ),
        (
            '{"a":1}'.encode("utf-16"),
            "cli: text with a byte order mark, expected UTF-8 without one - at `$`",
        ),
        (b'{"model":"m","messages":[],"x":"\xff"}', "cli: text is not UTF-8 - at `byte 32`"),
        (b"hello", UNKNOWN),
        (b'[{"foo":1},{"bar":2}]', UNKNOWN),
        (b'{"foo":1}', UNKNOWN),
        (b'{"type":"x","foo":1}', UNKNOWN),
        (b'{"role":"user","content":"Hi"}', UNKNOWN),
        (b'{"a":1,"b":2,"c":3,"d":4,"message":{"role":"assistant","content":[]}}', UNKNOWN),
        (b'{"model":"m","messages":5}', "json: expected `array`, got `int` - at `$.messages`"),
        (b"\xef\xbf\xbd", "msgpack: expected `array`, got `int` - at `$`"),
    ],
)
def test_why_it_is_of_no_wire(data: bytes, why: str) -> None:
    with pytest.raises(wg.DecodeError) as caught:
        detect(data)
    assert str(caught.value) == why


def test_what_is_too_large_is_said_so() -> None:
    line = b'{"role":"branchSummary","summary":"","fromId":""}'  # which others refuse at once
    with pytest.raises(wg.LimitError, match="100,001 messages, expected at most 100,000"):
        detect(b"[" + b",".join([line] * 100_001) + b"]")


def test_an_error_that_a_provider_answered_is_said_as_such() -> None:
    with pytest.raises(wg.ProviderError) as caught:
        detect(b'{"error":{"message":"Not today.","type":"invalid_request_error"}}')
    assert caught.value.message == "Not today."


@pytest.mark.parametrize("first", ["id: 7", "retry: 10", ": hello", "event: x"])
def test_a_stream_may_begin_with_any_field(first: str) -> None:
    chunk = (
        '{"id":"c","object":"chat.completion.chunk","created":1,"model":"m",'
        '"choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":"stop"}]}'
    )
    found = detect(f"{first}\ndata: {chunk}\n\ndata: [DONE]\n\n".encode())
    assert (found.wire, found.kind) == ("openai_chat", "stream")
