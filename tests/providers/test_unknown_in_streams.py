"""What a stream holds that we do not know: as it came on its own wire, a loss on another."""

import random
from typing import Any

import pytest

import wireglot as wg
from tests.clients.turn import STREAMS
from tests.swallowed import KINDS, fates, mutant, told_in_pieces
from wireglot.framing import eventstream


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("wire", wg.PROVIDERS)
def test_nothing_unknown_is_swallowed(wire: str, kind: str) -> None:
    chance = random.Random(f"{wire} {kind}")
    others = [name for name in wg.PROVIDERS if name != wire]
    made = [mutant(chance, wire, kind) for _ in range(8)]
    swallowed = [(m, to) for m in made if m for to, is_gone in fates(m, others) if is_gone]
    assert swallowed == []


def _translated(source: str, target: str, data: bytes) -> tuple[bytes, list[str]]:
    losses: list[wg.Loss] = []
    translator = wg.StreamTranslator(source, target, losses=losses)
    made = translator.feed(data) + translator.close()
    return made, [f"{loss.path} {loss.what}" for loss in losses]


@pytest.mark.parametrize("wire", wg.PROVIDERS)
def test_an_unknown_object_that_comes_in_pieces_goes_back_whole(wire: str) -> None:
    tried = 0
    for path, data in told_in_pieces(wire):
        made, _ = _translated(wire, wire, data)
        assert b'"first":' in made, path
        assert b'"second":' in made, path
        tried += 1
    assert tried > 3


_CHAT = (
    b'data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m",'
    b'"choices":[{"index":0,"delta":{"content":"%b"},"logprobs":%b,"finish_reason":null}]}\n\n'
)
_CHAT_END = (
    b'data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m",'
    b'"choices":[{"index":0,"delta":{},"logprobs":null,"finish_reason":"stop"}]}\n\n'
    b"data: [DONE]\n\n"
)


@pytest.mark.parametrize("source", ["openai_chat", "mistral"])
def test_unknown_keys_beside_the_log_probabilities_go_back(source: str) -> None:
    token = b'{"token":"%b","logprob":-0.5,"bytes":[],"top_logprobs":[]}'
    data = (
        _CHAT % (b"a", b'{"content":[%b],"refusal":null,"zz":{"a":1},"yy":5}' % (token % b"a"))
        + _CHAT % (b"b", b'{"content":[%b],"refusal":null,"zz":{"b":2},"yy":null}' % (token % b"b"))
        + _CHAT_END
    )
    made, losses = _translated(source, source, data)
    assert b'"zz":{"a":1,"b":2},"yy":5' in made
    assert made.count(b'"logprob":-0.5') == 2
    assert losses == []


_GEMINI = (
    b'data: {"candidates":[{"content":{"parts":[{"text":"%b"}],"role":"model"},"index":0%b}],'
    b'"modelVersion":"m","responseId":"r"}\n\n'
)
_A, _B = (b'{"web":{"uri":"https://%b.org/","title":"%b"}}' % (name, name) for name in (b"a", b"b"))
_GROUNDED = b',"groundingMetadata":{"groundingChunks":[%b],"groundingSupports":[%b]%b}'
_FIRST = b'{"segment":{"endIndex":4},"groundingChunkIndices":[0]}'
_LATER = b'{"segment":{"startIndex":4,"endIndex":8},"groundingChunkIndices":[%d]}'
METADATA = {
    "other chunks": ((_A, _FIRST, b',"zz":1'), (_B, _LATER % 0, b',"yy":2'), b',"zz":1,"yy":2'),
    "the same chunks, and one more": (
        (_A, _FIRST, b',"webSearchQueries":["q"]'),
        (_A + b"," + _B, _FIRST + b"," + _LATER % 1, b',"webSearchQueries":["q","p"]'),
        b',"webSearchQueries":["q","p"]',
    ),
}


@pytest.mark.parametrize(("first", "later", "rest"), METADATA.values(), ids=METADATA)
def test_the_metadata_of_several_chunks_of_gemini_are_one(
    first: tuple[bytes, ...], later: tuple[bytes, ...], rest: bytes
) -> None:
    data = _GEMINI % (b"Oslo", _GROUNDED % first)
    data += _GEMINI % (b"Bern", _GROUNDED % later + b',"finishReason":"STOP"')
    made, losses = _translated("gemini", "gemini", data)
    assert _GROUNDED[1:] % (_A + b"," + _B, _FIRST + b"," + _LATER % 1, rest) in made
    assert losses == []
    made, losses = _translated("gemini", "openai_chat", data)
    for url, start in ((b"https://a.org/", 0), (b"https://b.org/", 4)):
        assert b'"url":"%b"' % url in made
        assert b'"start_index":%d,"end_index":%d' % (start, start + 4) in made


_ANTHROPIC = b"""event: message_start
data: {"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant",\
"model":"m","content":[],"stop_reason":null,"stop_sequence":null,\
"usage":{"input_tokens":1,"output_tokens":1}}}

event: content_block_start
data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hi","x":1},"y":2}

event: content_block_stop
data: {"type":"content_block_stop","index":0,"z":[3]}

event: message_delta
data: {"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},\
"usage":{"output_tokens":2}}

event: message_stop
data: {"type":"message_stop"}

"""


def test_keys_beside_a_delta_go_back_into_its_frame() -> None:
    made, losses = _translated("anthropic", "anthropic", _ANTHROPIC)
    assert (
        b'data: {"type":"content_block_delta","index":0,'
        b'"delta":{"type":"text_delta","text":"Hi","x":1},"y":2}\n'
    ) in made
    assert b'data: {"type":"content_block_stop","index":0,"z":[3]}\n' in made
    assert made.count(b"event: ") == 6
    assert losses == []


def test_keys_beside_a_delta_are_a_loss_elsewhere_once_for_each_event() -> None:
    twice = _ANTHROPIC.replace(b'"y":2}\n\n', b'"y":2}\n\n' * 2)
    frame = _ANTHROPIC.split(b"\n\n")[2] + b"\n\n"
    _, losses = _translated("anthropic", "openai_chat", twice.replace(frame, frame * 2))
    assert losses == ["$ extras", "$ extras"]  # of deltas, and of the end of the block


def test_the_events_say_what_stands_beside() -> None:
    decoder = wg.providers.anthropic.StreamDecoder()
    events = decoder.feed(_ANTHROPIC)
    at = next(i for i, event in enumerate(events) if type(event) is wg.TextDelta)
    assert events[at - 1 : at + 1] == [
        wg.OpaqueEvent(
            "anthropic-messages", {"y": 2, "delta": {"x": 1}}, "content_block_delta", beside=True
        ),
        wg.TextDelta(0, "Hi"),
    ]


def test_padding_is_not_content() -> None:
    def frame(kind: str, data: bytes) -> bytes:
        headers = {":event-type": kind, ":message-type": "event"}
        return eventstream.encode(headers, data)

    data = (
        frame("messageStart", b'{"role":"assistant","p":"abc"}')
        + frame("contentBlockDelta", b'{"contentBlockIndex":0,"delta":{"text":"Hi"},"p":"abcd"}')
        + frame("contentBlockStop", b'{"contentBlockIndex":0,"p":"a"}')
        + frame("messageStop", b'{"stopReason":"end_turn","p":"ab"}')
    )
    for target in wg.PROVIDERS:
        made, losses = _translated("bedrock", target, data)
        assert b'"p":' not in made
        assert losses == []
    assert not any(
        type(event) is wg.OpaqueEvent for event in wg.providers.bedrock.StreamDecoder().feed(data)
    )


_USAGE: dict[str, Any] = {
    "anthropic": (
        b'{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],'
        b'"stop_reason":"end_turn","stop_sequence":null,'
        b'"usage":{"input_tokens":1,"output_tokens":2,"carbon":{"g":3}}}'
    ),
    "openai_chat": (
        b'{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,'
        b'"message":{"role":"assistant","content":"Hi","refusal":null},"finish_reason":"stop"}],'
        b'"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3,'
        b'"prompt_tokens_details":{"carbon":{"g":3}}}}'
    ),
}


@pytest.mark.parametrize(("source", "target"), [(a, b) for a in _USAGE for b in wg.PROVIDERS])
def test_unknown_keys_of_usage_go_back_and_are_a_loss_elsewhere(source: str, target: str) -> None:
    losses: list[wg.Loss] = []
    made = wg.translate_response(_USAGE[source], source, target, losses=losses)
    if source == target:
        assert b'"carbon":{"g":3}' in made
        assert losses == []
    else:
        assert [(loss.path, loss.what) for loss in losses] == [("$.message.usage", "extras")]


def test_what_a_service_counts_and_the_model_does_not_is_no_loss() -> None:
    data = _USAGE["anthropic"].replace(b'"carbon":{"g":3}', b'"service_tier":"standard"')
    losses: list[wg.Loss] = []
    wg.translate_response(data, "anthropic", "openai_chat", losses=losses)
    assert losses == []


def test_counts_that_groq_tells_in_pieces_are_read() -> None:
    head = (
        b'data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[%b]'
    )
    said = head % b'{"index":0,"delta":{"role":"assistant","content":"Hi"},"finish_reason":null}'
    last = head % b'{"index":0,"delta":{},"finish_reason":"stop"}'
    usage = b'{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3}'
    decoder = wg.providers.openai_chat.StreamDecoder(dialect="groq")
    decoder.feed(said + b',"x_groq":{"id":"1"}}\n\n')
    decoder.feed(last + b',"x_groq":{"id":"1","usage":%b}}\n\ndata: [DONE]\n\n' % usage)
    found = decoder.close().message.usage
    assert found is not None
    assert (found.input, found.output) == (1, 2)


def test_a_prompt_that_gemini_blocks_twice_is_refused_once() -> None:
    frame = b'data: {"promptFeedback":{"blockReason":"SAFETY"},"usageMetadata":{}}\n\n'
    decoder = wg.providers.gemini.StreamDecoder()
    decoder.feed(frame + frame)
    assert decoder.close().message.stop_reason == wg.StopReason.GUARD_RAIL


def test_objects_that_are_nested_deeply_are_not_put_together() -> None:
    deep = b'{"a":' * 200 + b"[" + b"null," * 2000 + b"1]" + b"}" * 200
    frame = (
        b'data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","zz":%b,'
        b'"choices":[{"index":0,"delta":{"content":"x"},"finish_reason":null}]}\n\n' % deep
    )
    decoder = wg.providers.openai_chat.StreamDecoder()
    decoder.feed(frame)
    assert decoder.feed(frame)[-1] == wg.TextDelta(0, "x")


_CHAT_NAME = (
    b'data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m",'
    b'"choices":[{"index":0,"delta":{"content":"%b"%b},"finish_reason":null}]}\n\n'
)
_MESSAGE_DELTA = (
    b'data: {"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null}'
)
_PART_ADDED = b'"type":"response.content_part.added",'
_CITED = b'{"type":"web_search_result_location","cited_text":"%b","url":"u","title":"t",'
_CITED += b'"encrypted_index":"e"}'


TOLD_ELSEWHERE = {
    "an id beside the delta of the end, at Anthropic": (
        "anthropic",
        _ANTHROPIC.replace(_MESSAGE_DELTA, _MESSAGE_DELTA + b',"id":"canary"'),
    ),
    "an id in the delta of the end, at Anthropic": (
        "anthropic",
        _ANTHROPIC.replace(_MESSAGE_DELTA, _MESSAGE_DELTA[:-1] + b',"id":"canary"}'),
    ),
    "the content of the last event, at Anthropic": (
        "anthropic",
        _ANTHROPIC.replace(b'{"type":"message_stop"', b'{"type":"message_stop","content":"canary"'),
    ),
    "the name in a later piece of a text, at Chat": (
        "openai_chat",
        _CHAT_NAME % (b"a", b"")
        + _CHAT_NAME % (b"b", b',"name":"canary"')
        + _CHAT_END.replace(b'"logprobs":null,', b""),
    ),
    "the name of a tool in an answer, at Ollama": (
        "ollama",
        STREAMS["ollama"].replace(b'"message":{', b'"message":{"tool_name":"canary",', 1),
    ),
    "the arguments in an event of a part, at Responses": (
        "openai_responses",
        STREAMS["openai_responses"].replace(_PART_ADDED, _PART_ADDED + b'"arguments":"canary",', 1),
    ),
}
"""A key of a stream's event that other events tell, or other types of events."""


@pytest.mark.parametrize("case", TOLD_ELSEWHERE)
def test_a_key_that_other_events_tell_goes_back(case: str) -> None:
    wire, data = TOLD_ELSEWHERE[case]
    assert data.count(b"canary") == 1
    made, losses = _translated(wire, wire, data)
    assert made.count(b"canary") == 1
    assert losses == []


@pytest.mark.parametrize("case", TOLD_ELSEWHERE)
def test_a_key_that_other_events_tell_is_a_loss_elsewhere(case: str) -> None:
    wire, data = TOLD_ELSEWHERE[case]
    _, losses = _translated(wire, "gemini", data)
    assert {"$ extras", "$ name", "$.message extras"} & {*losses}


def test_a_key_without_a_place_in_the_next_frame_is_a_loss() -> None:
    odd = _PART_ADDED + b'"item":{"id":"canary"},'
    stream = STREAMS["openai_responses"].replace(_PART_ADDED, odd, 1)
    made, losses = _translated("openai_responses", "openai_responses", stream)
    assert b"canary" not in made
    assert losses == ["$ extras"]


def test_citations_of_the_start_of_a_text_stay_before_later_ones() -> None:
    data = _ANTHROPIC.replace(
        b'"content_block":{"type":"text","text":""}',
        b'"content_block":{"type":"text","text":"","citations":[%b]}' % (_CITED % b"first"),
    ).replace(
        b"event: content_block_stop",
        b'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,'
        b'"delta":{"type":"citations_delta","citation":%b}}\n\nevent: content_block_stop'
        % (_CITED % b"second"),
        1,
    )
    made, losses = _translated("anthropic", "anthropic", data)
    assert made.count(_CITED % b"first") == made.count(_CITED % b"second") == 1
    assert losses == []


_WORDS = {
    "anthropic": b'"stop_reason":"tool_use"',
    "mistral": b'"finish_reason":"tool_calls"',
    "bedrock": b'"stopReason":"tool_use"',
    "cohere": b'"finish_reason":"TOOL_CALL"',
}


@pytest.mark.parametrize(("target", "written"), _WORDS.items())
@pytest.mark.parametrize("word", ["tool_use", "TOOL_CALLS", "eos_token", "stop"])
def test_an_answer_with_calls_has_the_word_for_them(word: str, target: str, written: bytes) -> None:
    body = (
        b'{"id":"c1","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,'
        b'"message":{"role":"assistant","content":null,"tool_calls":[{"id":"call00001",'
        b'"type":"function","function":{"name":"f","arguments":"{}"}}]},"finish_reason":"%b"}]}'
    ) % word.encode()
    made = wg.translate_response(body, "openai_chat", target)
    assert written in made


ENDED: dict[str, tuple[str, bytes]] = {
    "another id at the end, at Cohere": (
        "cohere",
        b'event: message-end\ndata: {"type":"message-end","id":"e","delta":'
        b'{"finish_reason":"ERROR","error":"boom"}}\n\n',
    ),
    "a role before the error, at Anthropic": (
        "anthropic",
        b'event: message_delta\ndata: {"type":"message_delta","delta":{"role":"assistant"}}\n\n'
        b'event: error\ndata: {"type":"error","error":{"type":"overloaded_error",'
        b'"message":"boom"}}\n\n',
    ),
}


@pytest.mark.parametrize(("wire", "end"), ENDED.values(), ids=ENDED)
@pytest.mark.parametrize("to_own", [True, False])
def test_the_providers_error_counts_more_than_a_key_without_a_place(
    wire: str, end: bytes, to_own: bool
) -> None:
    start = STREAMS[wire].split(b"\n\n", 1)[0] + b"\n\n"
    translator = wg.StreamTranslator(wire, wire if to_own else "openai_chat")
    assert b"boom" in translator.feed(start + end)


def test_a_list_beside_an_event_is_not_put_into_the_list_of_another() -> None:
    data = STREAMS["openai_responses"].replace(
        _PART_ADDED, _PART_ADDED + b'"item":{"content":[{"type":"refusal","refusal":"no"}]},', 1
    )
    made, losses = _translated("openai_responses", "openai_responses", data)
    assert b"refusal" not in made
    assert losses == ["$ extras"]
