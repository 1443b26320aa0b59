"""Errors that come with status 200; and bodies, errors or answers, in place of streams."""

import json

import pytest

import wireglot as wg
from tests.clients.turn import PLAIN, RESPONSES, STREAMS
from tests.providers.streams import events_and_error, events_of

every_provider = pytest.mark.parametrize("name", list(wg.PROVIDERS))
SIZES = (1, 7, 64, 1 << 20)

_CHAT = '"id":"c","object":"chat.completion","created":1,"model":"m"'
_RESPONSE = '"id":"r","object":"response","created_at":1,"model":"m"'
_SAID = '"message":{"role":"assistant","content":"Hi"}'
# What each wire may send in place of an answer, and how its error is told.
FAILED: dict[str, tuple[str, str, str, str]] = {
    "an error of Chat": (
        "openai_chat",
        '{"error":{"message":"BOOM","code":429}}',
        "rate_limit",
        "BOOM",
    ),
    "an error that is a text": ("openai_chat", '{"error":"BOOM"}', "server", "BOOM"),
    "an error in a list, as Gemini's Chat sends it": (
        "openai_chat",
        '[{"error":{"code":400,"message":"BOOM","status":"INVALID_ARGUMENT"}}]',
        "invalid_request",
        "BOOM",
    ),
    "an error beside choices that are null": (
        "openai_chat",
        f'{{{_CHAT},"choices":null,"error":{{"code":502,"message":"BOOM"}}}}',
        "server",
        "BOOM",
    ),
    "an error beside an answer": (
        "openai_chat",
        f'{{{_CHAT},"choices":[{{"index":0,{_SAID},"finish_reason":"stop"}}],'
        '"error":{"code":503,"message":"BOOM"}}',
        "overloaded",
        "BOOM",
    ),
    "an error in a choice, as OpenRouter sends it": (
        "openai_chat",
        f'{{{_CHAT},"choices":[{{"index":0,{_SAID},"finish_reason":"error",'
        '"error":{"code":502,"message":"BOOM"}}]}',
        "server",
        "BOOM",
    ),
    "MiniMax's error": (
        "openai_chat",
        f'{{{_CHAT},"choices":null,"usage":null,'
        '"base_resp":{"status_code":1008,"status_msg":"BOOM"}}',
        "server",
        "BOOM",
    ),
    "an error of Anthropic": (
        "anthropic",
        '{"type":"error","error":{"type":"overloaded_error","message":"BOOM"}}',
        "overloaded",
        "BOOM",
    ),
    "a failed answer of Responses": (
        "openai_responses",
        f'{{{_RESPONSE},"status":"failed","error":{{"code":"server_error","message":"BOOM"}},'
        '"output":[]}',
        "server",
        "BOOM",
    ),
    "a failed answer of Responses that had begun": (
        "openai_responses",
        f'{{{_RESPONSE},"status":"failed","error":{{"code":"rate_limit_exceeded","message":"BOOM"}},'
        '"output":[{"type":"message","id":"m","role":"assistant","status":"incomplete","content":['
        '{"type":"output_text","text":"Hi","annotations":[]}]}]}',
        "rate_limit",
        "BOOM",
    ),
    "an error of Gemini": (
        "gemini",
        '{"error":{"code":503,"message":"BOOM","status":"UNAVAILABLE"}}',
        "overloaded",
        "BOOM",
    ),
    "an error of Gemini in an array": (
        "gemini",
        '[{"error":{"code":503,"message":"BOOM","status":"UNAVAILABLE"}}]',
        "overloaded",
        "BOOM",
    ),
    "an error of Gemini beside candidates": (
        "gemini",
        '{"candidates":[{"content":{"role":"model","parts":[{"text":"Hi"}]},"index":0}],'
        '"error":{"code":503,"message":"BOOM","status":"UNAVAILABLE"}}',
        "overloaded",
        "BOOM",
    ),
    "an error of Bedrock": (
        "bedrock",
        '{"__type":"ThrottlingException","message":"BOOM"}',
        "rate_limit",
        "BOOM",
    ),
    "an unknown path of Bedrock": (
        "bedrock",
        '{"Output":{"__type":"com.amazon.coral.service#UnknownOperationException",'
        '"message":"BOOM"},"Version":"1.0"}',
        "not_found",
        "BOOM",
    ),
    "an error of Mistral": (
        "mistral",
        '{"object":"error","message":"BOOM","type":"rate_limited","param":null,"code":"1300"}',
        "rate_limit",
        "BOOM",
    ),
    "faults that Mistral found": (
        "mistral",
        '{"detail":[{"loc":["body","model"],"msg":"BOOM","type":"missing"}]}',
        "invalid_request",
        "body.model: BOOM",
    ),
    "an error of Cohere": ("cohere", '{"id":"x","message":"BOOM"}', "server", "BOOM"),
    "a failed answer of Cohere": (
        "cohere",
        '{"id":"x","finish_reason":"ERROR","error":"BOOM","message":{"role":"assistant",'
        '"content":[]}}',
        "server",
        "BOOM",
    ),
    "an answer of Cohere that took too long": (
        "cohere",
        '{"id":"x","finish_reason":"TIMEOUT","error":"BOOM","message":{"role":"assistant",'
        '"content":[]}}',
        "timeout",
        "BOOM",
    ),
    "an error of Ollama": ("ollama", '{"error":"BOOM"}', "server", "BOOM"),
    "an error of Ollama in its last line": (
        "ollama",
        '{"model":"m","created_at":"2026-01-01T00:00:00Z","message":{"role":"assistant",'
        '"content":""},"done":true,"error":"BOOM"}',
        "server",
        "BOOM",
    ),
}
each_failure = pytest.mark.parametrize(
    ("name", "body", "kind", "message"), FAILED.values(), ids=FAILED
)


@each_failure
def test_a_failed_answer_is_the_providers_error(
    name: str, body: str, kind: str, message: str
) -> None:
    for answer in (body.encode(), json.dumps(json.loads(body), indent=2).encode()):
        with pytest.raises(wg.ProviderError) as caught:
            wg.PROVIDERS[name].decode_response(answer)
        error = caught.value
        assert (error.kind, error.message, error.wire) == (kind, message, name)
        assert error.body == answer
    for target in wg.PROVIDERS:
        with pytest.raises(wg.ProviderError, match="BOOM"):
            wg.translate_response(body, name, target, losses=[])


@each_failure
@pytest.mark.parametrize("size", SIZES)
def test_a_failed_answer_in_place_of_a_stream_is_its_failure(
    name: str, body: str, kind: str, message: str, size: int
) -> None:
    for before in (b"", b" \r\n", b"\xef\xbb\xbf")[: 1 if name == "ollama" else None]:
        decoder = wg.PROVIDERS[name].StreamDecoder()
        events = events_of(decoder, before + body.encode(), size)
        failure = events[-1]
        assert isinstance(failure, wg.StreamFailure)
        assert (failure.kind, failure.message, failure.wire) == (kind, message, name)
        with pytest.raises(wg.ProviderError, match="BOOM"):
            decoder.close()


@each_failure
def test_a_failed_answer_in_place_of_a_stream_is_an_error_for_each_client(
    name: str, body: str, kind: str, message: str
) -> None:
    for target in wg.PROVIDERS:
        translator = wg.StreamTranslator(name, target, losses=[], model="m")
        made = translator.feed(body.encode()) + translator.close()
        assert made.count(b"BOOM") >= 1
        decoder = wg.PROVIDERS[target].StreamDecoder()
        decoder.feed(made)
        with pytest.raises(wg.ProviderError, match="BOOM"):
            decoder.close()


NO_ERROR: dict[str, tuple[str, str]] = {
    "no choices, and no word why": ("openai_chat", f'{{{_CHAT},"choices":null}}'),
    "MiniMax's word for success": (
        "openai_chat",
        f'{{{_CHAT},"choices":null,"base_resp":{{"status_code":0,"status_msg":""}}}}',
    ),
    "a message of another program": ("cohere", '{"message":"BOOM","level":"info"}'),
    "the same": ("bedrock", '{"message":"BOOM","level":"info"}'),
    "the same again": ("mistral", '{"message":"BOOM","level":"info"}'),
}


@pytest.mark.parametrize(("name", "body"), NO_ERROR.values(), ids=NO_ERROR)
def test_what_is_neither_an_answer_nor_an_error_cannot_be_decoded(name: str, body: str) -> None:
    with pytest.raises(wg.DecodeError):
        wg.PROVIDERS[name].decode_response(body)
    decoder = wg.PROVIDERS[name].StreamDecoder()
    decoder.feed(body.encode())
    with pytest.raises(wg.StreamError):
        decoder.close()


def test_an_error_that_says_nothing_is_none() -> None:
    for word in ("null", '""', "{}", "false"):
        body = RESPONSES["openai_chat"].replace("{", f'{{"error":{word},', 1)
        answer = wg.providers.openai_chat.decode_response(body)
        assert answer.message.text() == "Let me look: Łódź."


# -- whole answers --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", RESPONSES)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("answers", [RESPONSES, PLAIN], ids=["a call", "a text"])
def test_a_whole_answer_in_place_of_a_stream_has_its_events(
    name: str, answers: dict[str, str], size: int
) -> None:
    body = answers[name].strip().replace("\n", "").encode()
    decoder = wg.PROVIDERS[name].StreamDecoder()
    events = events_of(decoder, body, size)
    expected = wg.PROVIDERS[name].decode_response(body)
    got = decoder.close()
    assert got.message.content == expected.message.content
    assert (got.id, got.message.stop_reason) == (expected.id, expected.message.stop_reason)
    assert got.message.usage == expected.message.usage
    assert type(events[0]) is wg.StreamStart
    assert type(events[-1]) is wg.StreamEnd
    total = wg.Accumulator()
    for event in events:
        total.add(event)
    assert total.message == got.message


@pytest.mark.parametrize("name", RESPONSES)
def test_a_whole_answer_that_is_cut_is_a_stream_that_was_cut(name: str) -> None:
    body = RESPONSES[name].strip().replace("\n", "").encode()
    for end in range(1, len(body) - 1):
        decoder = wg.PROVIDERS[name].StreamDecoder()
        decoder.feed(body[:end])
        with pytest.raises(wg.StreamError):
            decoder.close()


@every_provider
@pytest.mark.parametrize("size", SIZES)
def test_a_body_in_place_of_a_stream_is_bounded(name: str, size: int) -> None:
    body = b'{"error":{"message":"' + b"a" * 5000 + b'"}}'
    decoder = wg.PROVIDERS[name].StreamDecoder(max_frame=1000)
    with pytest.raises(wg.LimitError, match="frame of more than 1,000 bytes"):
        events_of(decoder, body, size)


EVENTS = ["anthropic", "cohere", "mistral", "openai_chat", "openai_responses"]


@pytest.mark.parametrize("name", EVENTS)
def test_a_stream_may_still_begin_with_anything(name: str) -> None:
    for before in (b": {\n\n", b"\xef\xbb\xbf", b"\n\n", b"retry: 1\n\n"):
        decoder = wg.PROVIDERS[name].StreamDecoder()
        decoder.feed(before + STREAMS[name])
        assert decoder.close().message.tool_calls()


@pytest.mark.parametrize(
    "error",
    ["null", "{}", "{ }", "[]", "0", "false", '""', '{"code":0,"message":""}', '{"code":null}'],
)
def test_an_error_that_says_nothing_does_not_hide_the_answer(error: str) -> None:
    choice = f'{{"index":0,{_SAID},"finish_reason":"stop"}}'
    body = f'{{{_CHAT},"choices":[{choice}],"error":{error}}}'
    found = wg.providers.openai_chat.decode_response(body.encode(), losses=[])
    assert found.message.text() == "Hi"


_WIRES = [(name, None) for name in wg.PROVIDERS] + [("anthropic", "bedrock"), ("gemini", "vertex")]
_BEFORE = [b" " * n for n in (1, 11, 12, 13, 40, 62, 63, 64, 65)]
_BEFORE += [b"\n" * 12, b"\r\n" * 9, b"\xef\xbb\xbf", b"\xef\xbb\xbf" + b"\n" * 20, b""]


def _read(
    name: str, dialect: str | None, data: bytes, size: int
) -> tuple[list[object], str, wg.Response | None]:
    decoder = wg.PROVIDERS[name].StreamDecoder(dialect=dialect, losses=[])
    events, error = events_and_error(decoder, data, size)
    if error is not None:
        return events, str(error), None
    return events, "", decoder.close()


@pytest.mark.parametrize(("name", "dialect"), _WIRES)
def test_a_body_in_place_of_a_stream_is_the_same_in_chunks_of_any_size(
    name: str, dialect: str | None
) -> None:
    failed = '{"error":{"message":"BOOM","code":429},"message":"BOOM"}'
    whole = json.dumps(json.loads(RESPONSES[name]))
    read = 0
    for before in _BEFORE:
        for body in (
            failed,
            f"[{failed}]",
            whole,
            whole[:60],
            failed[:5],
            failed + whole,
            "<a>",
            "",
        ):
            data = before + body.encode()
            found = [_read(name, dialect, data, size) for size in (len(data) or 1, 1, 2, 7, 64)]
            assert found[1:] == found[:1] * 4, data
            read += found[0][2] is not None or "BOOM" in found[0][1]
    assert read > 9


@every_provider
@pytest.mark.parametrize("blank", [b"\n\n\n", b" ", b"\r\n" * 40, b"\n" * 63, b"\n" * 64])
def test_a_stream_of_blank_lines_ends_before_its_answer(name: str, blank: bytes) -> None:
    decoder = wg.PROVIDERS[name].StreamDecoder()
    with pytest.raises(wg.StreamError) as caught:  # noqa: PT012 -- either may raise
        decoder.feed(blank)
        decoder.close()
    expected = "the stream ended before the answer did, expected "
    if name == "bedrock":
        expected = "the stream ended within a message" if len(blank) < 64 else "wrong checksum"
    assert caught.value.reason.startswith(expected)


_EMPTY = ["{}", '""', "null", "false", "0", "[]", '{"message":null,"code":null}']
_BESIDE: dict[str, tuple[str, str]] = {
    "openai_chat": (
        'data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{'
        '"index":0,"delta":{"content":"Hi"},"finish_reason":"stop"}],"error":%s}\n\n',
        "data: [DONE]\n\n",
    ),
    "openai_chat, in a choice": (
        'data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{'
        '"index":0,"delta":{"content":"Hi"},"finish_reason":"stop","error":%s}]}\n\n',
        "data: [DONE]\n\n",
    ),
    "mistral": (
        'data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{'
        '"index":0,"delta":{"content":"Hi"},"finish_reason":"stop"}],"error":%s}\n\n',
        "data: [DONE]\n\n",
    ),
    "gemini": (
        'data: {"candidates":[{"index":0,"content":{"role":"model","parts":[{"text":"Hi"}]},'
        '"finishReason":"STOP"}],"error":%s}\n\n',
        "",
    ),
    "ollama": (
        '{"model":"m","created_at":"2026-01-01T00:00:00Z","message":{"role":"assistant",'
        '"content":"Hi"},"done":false,"error":%s}\n',
        '{"model":"m","created_at":"2026-01-01T00:00:00Z","message":{"role":"assistant",'
        '"content":""},"done":true,"done_reason":"stop"}\n',
    ),
}
_EACH_BESIDE = pytest.mark.parametrize("name", _BESIDE)


@_EACH_BESIDE
@pytest.mark.parametrize("error", _EMPTY)
def test_an_empty_error_beside_the_chunks_of_a_stream_says_nothing(name: str, error: str) -> None:
    frame, last = _BESIDE[name]
    decoder = wg.PROVIDERS[name.partition(",")[0]].StreamDecoder()
    decoder.feed((frame % error + last).encode())
    response = decoder.close()
    assert response.message.text() == "Hi"
    if error != "null":
        kept = json.loads(wg.json.encode(response))["extras"]
        assert f'"error":{error}' in json.dumps(kept, separators=(",", ":"))


@_EACH_BESIDE
def test_an_error_beside_the_chunks_of_a_stream_is_its_failure(name: str) -> None:
    frame, last = _BESIDE[name]
    decoder = wg.PROVIDERS[name.partition(",")[0]].StreamDecoder()
    error = '"BOOM"' if name == "ollama" else '{"message":"BOOM"}'
    events = decoder.feed((frame % error + last).encode())
    assert isinstance(events[-1], wg.StreamFailure)
    with pytest.raises(wg.ProviderError, match="BOOM"):
        decoder.close()
