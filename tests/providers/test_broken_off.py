"""Streams that a provider's error ends: what had come by then is written, or is a loss."""

from typing import Any

import pytest

import wireglot as wg

every_provider = pytest.mark.parametrize("name", list(wg.PROVIDERS))
START = wg.StreamStart(wg.Response(wg.AssistantMessage([], model="m"), id="x"))
FAILURE = wg.StreamFailure("server", "BOOM")
PAGE = wg.AnnotationRef("https://x.org/xyzzy", "Xyzzy", start=0, end=2)
_CALL = wg.ToolCallBlock("call00001", "xyzzy", "")
_CUSTOM = wg.ToolCallBlock("call00001", "f", "", tool_type="custom")
Events = list[wg.StreamEvent]


def _call(index: int) -> Events:
    return [wg.BlockStart(index, wg.ToolCallBlock(f"call0000{index}", "f", ""))]


# What says `xyzzy` in a block that the error meets, and the block.
BROKEN: dict[str, tuple[Events, int]] = {
    "the name of an open call": ([wg.BlockStart(0, _CALL)], 0),
    "the arguments of an open call": ([*_call(0), wg.ArgumentsDelta(0, '{"xyzzy')], 0),
    "free text of an open call": (
        [wg.BlockStart(0, _CUSTOM), wg.ArgumentsDelta(0, "xyzzy")],
        0,
    ),
    "text that waits for an open call": (
        [*_call(0), wg.BlockStart(1, wg.TextBlock("")), wg.TextDelta(1, "xyzzy")],
        1,
    ),
    "a whole call that waits for an open one": (
        [*_call(0), wg.BlockStart(1, _CALL), wg.BlockEnd(1, wg.ToolCallBlock("b", "xyzzy", "{}"))],
        1,
    ),
    "a call that has ended": (
        [wg.BlockStart(0, _CALL), wg.BlockEnd(0, wg.ToolCallBlock("call00001", "xyzzy", "{}"))],
        0,
    ),
    "a source of a text that has ended": (
        [
            wg.BlockStart(0, wg.TextBlock("")),
            wg.TextDelta(0, "Hi"),
            wg.BlockEnd(0, wg.TextBlock("Hi", annotations=[PAGE])),
        ],
        0,
    ),
    "a source that comes after the end of its text": (
        [
            wg.BlockStart(0, wg.TextBlock("")),
            wg.TextDelta(0, "Hi"),
            wg.BlockEnd(0, wg.TextBlock("Hi")),
            wg.CitationDelta(0, PAGE),
        ],
        0,
    ),
    "a source of an open text": (
        [wg.BlockStart(0, wg.TextBlock("")), wg.TextDelta(0, "Hi"), wg.CitationDelta(0, PAGE)],
        0,
    ),
    "an image that has begun": (
        [wg.BlockStart(0, wg.ImageBlock(url="https://x.org/xyzzy"))],
        0,
    ),
    "a block of another API that has begun": (
        [wg.BlockStart(0, wg.OpaqueBlock("other", {"type": "xyzzy"}))],
        0,
    ),
}


def _written(name: str, events: Events, losses: wg.Losses) -> bytes:
    encoder = wg.PROVIDERS[name].StreamEncoder(losses=losses)
    made = b"".join(map(encoder.encode, [START, *events, FAILURE])) + encoder.close()
    assert b"BOOM" in made
    return made


@every_provider
@pytest.mark.parametrize(("events", "index"), BROKEN.values(), ids=BROKEN)
def test_what_came_before_an_error_is_written_or_is_a_loss(
    name: str, events: Events, index: int
) -> None:
    losses: list[wg.Loss] = []
    made = _written(name, events, losses)
    told = {loss.path for loss in losses}
    assert b"xyzzy" in made or f"$.message.content[{index}]" in told
    assert told <= {f"$.message.content[{at}]" for at in (0, 1)}


@every_provider
def test_a_call_that_has_ended_is_written_before_an_error(name: str) -> None:
    losses: list[wg.Loss] = []
    made = _written(name, BROKEN["a call that has ended"][0], losses)
    assert b"xyzzy" in made
    assert losses == []
    decoder = wg.PROVIDERS[name].StreamDecoder()
    events = [*decoder.feed(made), *decoder.finish()]
    assert isinstance(events[-1], wg.StreamFailure)
    assert [block.name for block in decoder.message.tool_calls()] == ["xyzzy"]


_ENDED: Events = [
    wg.BlockStart(1, wg.ToolCallBlock("call00001", "xyzzy", "")),
    wg.ArgumentsDelta(1, '{"a":1}'),
    wg.BlockEnd(1, wg.ToolCallBlock("call00001", "xyzzy", '{"a":1}')),
]
_OPEN: dict[str, Events] = {
    "an open text": [wg.BlockStart(0, wg.TextBlock("")), wg.TextDelta(0, "Hi")],
    "open thinking": [wg.BlockStart(0, wg.ThinkingBlock("")), wg.ThinkingDelta(0, "Hi")],
    "an open call": [*_call(0), wg.ArgumentsDelta(0, '{"b')],
}


@pytest.mark.parametrize("name", [name for name in wg.PROVIDERS if name != "openai_responses"])
@pytest.mark.parametrize("before", _OPEN.values(), ids=_OPEN)
def test_a_call_that_has_ended_behind_an_open_block_is_written_before_an_error(
    name: str, before: Events
) -> None:
    losses: list[wg.Loss] = []
    made = _written(name, [*before, *_ENDED], losses)
    assert "$.message.content[1]" not in {loss.path for loss in losses}
    decoder = wg.PROVIDERS[name].StreamDecoder()
    events = [*decoder.feed(made), *decoder.finish()]
    assert isinstance(events[-1], wg.StreamFailure)
    call = decoder.message.tool_calls()[-1]
    assert (call.name, call.arguments.text) == ("xyzzy", b'{"a":1}')


def test_a_call_that_waits_for_an_open_block_of_responses_is_a_loss_that_says_so() -> None:
    losses: list[wg.Loss] = []
    _written("openai_responses", [*_OPEN["an open text"], *_ENDED], losses)
    assert list(map(str, losses)) == [
        "unfinished: an error ended the stream before this, or what it waited for, was complete; "
        "left out - at `$.message.content[1]`"
    ]


@every_provider
def test_an_error_is_written_without_a_list_of_losses(name: str) -> None:
    call = [*_call(0), wg.ArgumentsDelta(0, '{"a')]
    text = [wg.BlockStart(1, wg.TextBlock("")), wg.TextDelta(1, "xyzzy")]
    _written(name, [*call, *text], None)


@every_provider
def test_what_is_written_and_only_has_not_ended_is_not_a_loss(name: str) -> None:
    losses: list[wg.Loss] = []
    text = [wg.BlockStart(0, wg.TextBlock("")), wg.TextDelta(0, "xyzzy")]
    assert b"xyzzy" in _written(name, text, losses)
    assert losses == []


# -- from a provider's stream ----------------------------------------------------------------------

_CHUNK = (
    'data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[{'
    '"index":0,"delta":%s,"finish_reason":null}]}\n\n'
)
_ERROR = 'data: {"error":{"message":"BOOM","code":502}}\n\n'
_CITED = (
    '{"content":"Hi","annotations":[{"type":"url_citation","url_citation":{"url":'
    '"https://x.org/xyzzy","title":"T","start_index":0,"end_index":2}}]}'
)
_UNBEGUN = '{"tool_calls":[{"index":0,"id":"call00001","function":{"name":"xyzzy"}}]}'
_NO_ARGUMENTS = (
    '{"tool_calls":[{"index":0,"id":"call00001","function":{"name":"f","arguments":"{}"}},'
    '{"index":1,"id":"call00002","function":{"name":"xyzzy","arguments":""}}]}'
)
_GROUNDED = (
    'data: {"candidates":[{"index":0,"content":{"role":"model","parts":[{"text":"Hi"}]},'
    '"groundingMetadata":{"groundingChunks":[{"web":{"uri":"https://x.org/xyzzy","title":"T"}}]}}]}'
    "\n\n"
    'data: {"error":{"code":503,"message":"BOOM","status":"UNAVAILABLE"}}\n\n'
)
_COHERE = (
    'data: {"type":"message-start","id":"c","delta":{"message":{"role":"assistant"}}}\n\n'
    'data: {"type":"citation-start","index":0,"delta":{"message":{"citations":{"start":0,"end":1,'
    '"text":"x","sources":[{"type":"document","id":"d","document":{"title":"xyzzy"}}],'
    '"content_index":9}}}}\n\n'
    'data: {"type":"message-end","delta":{"finish_reason":"ERROR","error":"BOOM"}}\n\n'
)
STREAMS: dict[str, tuple[str, str]] = {
    "sources of Chat": ("openai_chat", _CHUNK % _CITED + _ERROR),
    "a call of Chat without arguments": ("openai_chat", _CHUNK % _UNBEGUN + _ERROR),
    "calls of Chat, the first without arguments": ("openai_chat", _CHUNK % _NO_ARGUMENTS + _ERROR),
    "a call of Mistral without arguments": (
        "mistral",
        _CHUNK % _UNBEGUN + 'data: {"object":"error","message":"BOOM"}\n\n',
    ),
    "sources of Gemini": ("gemini", _GROUNDED),
    "sources of Cohere without their text": ("cohere", _COHERE),
}


_ANTHROPIC = (
    'data: {"type":"message_start","message":{"id":"m","type":"message","role":"assistant",'
    '"model":"m","content":[],"usage":{"input_tokens":1,"output_tokens":1}}}\n\n'
    'data: {"type":"content_block_start","index":0,"content_block":{"type":"thinking",'
    '"thinking":"","signature":""}}\n\n'
    'data: {"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta",'
    '"thinking":"Hm"}}\n\n'
    'data: {"type":"content_block_delta","index":0,"delta":{"type":"signature_delta",'
    '"signature":"xyzzy"}}\n\n'
    'data: {"type":"error","error":{"type":"overloaded_error","message":"BOOM"}}\n\n'
)
_SIGNED = (
    'data: {"candidates":[{"index":0,"content":{"role":"model","parts":[{"text":"Hi"},'
    '{"text":"","thoughtSignature":"xyzzy"}]}}]}\n\n' + _GROUNDED.split("\n\n")[1] + "\n\n"
)
_RESPONSES = (
    'data: {"type":"response.created","sequence_number":0,"response":{"id":"r","object":'
    '"response","created_at":1,"model":"m","status":"in_progress","output":[]}}\n\n'
    'data: {"type":"response.output_item.added","sequence_number":1,"output_index":0,"item":'
    '{"type":"function_call","id":"i","call_id":"call00001","name":"f","arguments":""}}\n\n'
    'data: {"type":"response.function_call_arguments.done","sequence_number":2,"output_index":0,'
    '"item_id":"i","arguments":"{\\"a\\":\\"xyzzy\\"}"}\n\n'
    'data: {"type":"error","sequence_number":3,"code":"server_error","message":"BOOM"}\n\n'
)
_VOICE = '{"content":"Hi","audio":{"id":"a","data":"eHk=","transcript":"xyzzy","expires_at":1}}'
# What only the end of a block, or of the answer, tells: it is told before an error.
ENDED: dict[str, tuple[str, str]] = {
    "a signature of Anthropic": ("anthropic", _ANTHROPIC),
    "a signature of Gemini": ("gemini", _SIGNED),
    "audio of Chat": ("openai_chat", _CHUNK % _VOICE + _ERROR),
    "arguments of Responses that no delta tells": ("openai_responses", _RESPONSES),
}


@pytest.mark.parametrize(("source", "stream"), ENDED.values(), ids=ENDED)
def test_what_the_end_of_a_block_tells_is_written_before_an_error(source: str, stream: str) -> None:
    losses: list[wg.Loss] = []
    translator = wg.StreamTranslator(source, source, losses=losses)
    made = translator.feed(stream.encode()) + translator.close()
    assert b"BOOM" in made
    assert b"xyzzy" in made
    assert losses == []


@every_provider
def test_a_block_that_an_error_cuts_says_so_and_hides_no_error(name: str) -> None:
    decoder = wg.PROVIDERS["anthropic"].StreamDecoder()
    *_, end, failure = decoder.feed(_ANTHROPIC.encode())
    thought = wg.ThinkingBlock("Hm", "xyzzy")
    assert end == wg.BlockEnd(0, thought, cut=True)
    if name == "openai_chat":  # which has no place for thinking at all
        return
    encoder = wg.PROVIDERS[name].StreamEncoder()
    begun = [START, wg.BlockStart(0, wg.ThinkingBlock("")), wg.ThinkingDelta(0, "Hm")]
    made = b"".join(map(encoder.encode, [*begun, end, failure])) + encoder.close()
    assert b"BOOM" in made


@pytest.mark.parametrize(
    ("source", "target", "stream"),
    [
        (
            "gemini",
            "anthropic",
            'data: {"candidates":[{"content":{"role":"model","parts":[{"text":"t","zz":1}]}}]}\n\n'
            + _GROUNDED.split("\n\n")[1]
            + "\n\n",
        ),
        (
            "openai_chat",
            "ollama",
            _CHUNK % '{"content":"Hi"}'
            + _CHUNK % _UNBEGUN.replace('"xyzzy"', '"f","arguments":"{}"')
            + _CHUNK % '{"content":"w"}'
            + _CHUNK % _CITED.replace('"content":"Hi",', "")
            + _ERROR,
        ),
    ],
    ids=["unknown keys of a text", "a source of a text that has ended"],
)
def test_what_is_told_before_an_error_hides_no_error(source: str, target: str, stream: str) -> None:
    decoder = wg.PROVIDERS[source].StreamDecoder()
    encoder = wg.PROVIDERS[target].StreamEncoder()
    assert b"BOOM" in b"".join(map(encoder.encode, decoder.feed(stream.encode())))
    translator = wg.StreamTranslator(source, target)
    assert b"BOOM" in translator.feed(stream.encode()) + translator.close()


@every_provider
def test_text_that_only_its_end_tells_is_written_though_its_source_cannot_be(name: str) -> None:
    file = wg.AnnotationRef(title="T", start=0, end=1)
    end = wg.BlockEnd(0, wg.TextBlock("xyzzy", annotations=[file]), cut=True)
    _events: Events = [wg.BlockStart(0, wg.TextBlock("")), end]
    assert b"xyzzy" in _written(name, _events, None)


@pytest.mark.parametrize("end", [_ERROR, _CHUNK % "{}" + "data: [DONE]\n\n"], ids=["error", "end"])
def test_audio_and_a_call_of_chat_are_told_once_each(end: str) -> None:
    call = (
        '{"tool_calls":[{"index":0,"id":"call00001","function":{"name":"f","arguments":"{\\""}}]}'
    )
    if end != _ERROR:
        call = call.replace('{\\""', '{}"')
        end = end.replace("null}]", '"tool_calls"}]')
    decoder = wg.PROVIDERS["openai_chat"].StreamDecoder()
    stream = _CHUNK % _VOICE.replace('"content":"Hi",', "") + _CHUNK % call + end
    events = [*decoder.feed(stream.encode()), *decoder.finish()]
    assert [block.type for block in decoder.message.content] == ["toolCall", "audio"]
    ended = [event.index for event in events if isinstance(event, wg.BlockEnd)]
    assert ended == ([1] if end == _ERROR else [0, 1])


@pytest.mark.parametrize("target", ["openai_chat", "anthropic"])
def test_sources_beside_a_refusal_are_a_loss_before_an_error(target: str) -> None:
    losses: list[wg.Loss] = []
    sources = _CITED.replace('"content":"Hi"', '"refusal":"No"')
    translator = wg.StreamTranslator("openai_chat", target, losses=losses)
    translator.feed((_CHUNK % sources + _ERROR).encode())
    assert [loss.what for loss in losses] == ["unfinished"]


def test_an_unknown_key_of_a_chunk_is_not_one_of_its_open_call() -> None:
    losses: list[wg.Loss] = []
    decoder = wg.PROVIDERS["openai_chat"].StreamDecoder(losses=losses)
    chunk = _CHUNK % _UNBEGUN.replace('"xyzzy"', '"f","arguments":"{"')
    decoder.feed((chunk.replace('"object"', '"more":1,"object"') + _ERROR).encode())
    assert losses == []


@pytest.mark.parametrize("target", list(wg.PROVIDERS))
@pytest.mark.parametrize(("source", "stream"), STREAMS.values(), ids=STREAMS)
def test_what_a_provider_sent_before_its_error_is_written_or_is_a_loss(
    source: str, stream: str, target: str
) -> None:
    losses: list[wg.Loss] = []
    translator = wg.StreamTranslator(source, target, losses=losses)
    made = translator.feed(stream.encode()) + translator.close()
    assert b"BOOM" in made
    assert b"xyzzy" in made or any(loss.path.startswith("$.message.content[") for loss in losses)


@pytest.mark.parametrize(("source", "stream"), STREAMS.values(), ids=STREAMS)
def test_the_message_has_what_a_provider_sent_before_its_error(source: str, stream: str) -> None:
    decoder = wg.PROVIDERS[source].StreamDecoder()
    events: list[Any] = [*decoder.feed(stream.encode()), *decoder.finish()]
    assert isinstance(events[-1], wg.StreamFailure)
    assert b"xyzzy" in wg.json.encode(decoder.message)
    screen = wg.Accumulator()
    for event in events:
        screen.add(event)
    assert screen.message.content == decoder.message.content


# -- calls that grow after their end ---------------------------------------------------------------


def _piece(index: int, call: str, arguments: str) -> str:
    name = f'"name":"{call}",' if call else ""
    head = f'"id":"call0000{index}","type":"function",' if call else ""
    said = wg.json.encode(arguments).decode()
    function = f'"function":{{{name}"arguments":{said}}}'
    return _CHUNK % f'{{"tool_calls":[{{"index":{index},{head}{function}}}]}}'


_LATE = _piece(0, "delete", "{}") + _piece(1, "other", "{}") + _piece(0, "", '{"path":"xyzzy"}')
_OVERLOADED = {
    "openai_chat": _ERROR,
    "mistral": 'data: {"object":"error","message":"BOOM"}\n\n',
}
late = pytest.mark.parametrize("source", list(_OVERLOADED))


@late
def test_the_arguments_after_the_end_of_a_call_are_told_before_an_error(source: str) -> None:
    decoder = wg.PROVIDERS[source].StreamDecoder()
    events = decoder.feed((_LATE + _OVERLOADED[source]).encode())
    told = [event for event in events if isinstance(event, wg.BlockEnd) and event.index == 0]
    assert [event.revised for event in told] == [False, True]
    assert isinstance(events[-1], wg.StreamFailure)
    assert decoder.message.tool_calls()[0].arguments.text == b'{"path":"xyzzy"}'


@pytest.mark.parametrize("target", list(wg.PROVIDERS))
@late
def test_arguments_after_the_end_of_a_call_are_written_or_are_a_loss_before_an_error(
    source: str, target: str
) -> None:
    losses: list[wg.Loss] = []
    translator = wg.StreamTranslator(source, target, losses=losses)
    made = translator.feed((_LATE + _OVERLOADED[source]).encode()) + translator.close()
    assert b"BOOM" in made
    assert b"xyzzy" in made or "$.message.content[0]" in {loss.path for loss in losses}


@late
def test_arguments_after_the_end_of_a_call_are_in_the_message_of_a_cut_stream(source: str) -> None:
    losses: list[wg.Loss] = []
    decoder = wg.PROVIDERS[source].StreamDecoder(losses=losses)
    events = decoder.feed(_LATE.encode())
    with pytest.raises(wg.StreamError):
        decoder.finish()
    assert not any(isinstance(event, wg.BlockEnd) and event.revised for event in events)
    assert decoder.message.tool_calls()[0].arguments.text == b'{"path":"xyzzy"}'
    assert [loss.path for loss in losses] == ["$.message.content[0]"]


@late
def test_arguments_after_the_end_of_a_call_are_told_before_an_invalid_frame(source: str) -> None:
    decoder = wg.PROVIDERS[source].StreamDecoder()
    decoder.feed(_LATE.encode())
    [end] = decoder.feed(b"data: {broken\n\n")
    assert isinstance(end, wg.BlockEnd)
    assert end.revised
    with pytest.raises(wg.StreamError):
        decoder.feed(b"data: 1\n\n")


@late
@pytest.mark.parametrize("target", list(wg.PROVIDERS))
def test_a_call_that_ends_again_hides_no_error(source: str, target: str) -> None:
    decoder = wg.PROVIDERS[source].StreamDecoder()
    encoder = wg.PROVIDERS[target].StreamEncoder()
    events = decoder.feed((_LATE + _OVERLOADED[source]).encode())
    assert b"BOOM" in b"".join(map(encoder.encode, events))


@late
@pytest.mark.parametrize("size", [1, 100_000], ids=["in bytes", "whole"])
def test_an_invalid_frame_counts_more_than_arguments_after_the_end_of_a_call(
    source: str, size: int
) -> None:
    translator = wg.StreamTranslator(source, "anthropic")
    stream = (_LATE + "data: {broken\n\n").encode()
    chunks = [stream[at : at + size] for at in range(0, len(stream), size)]
    with pytest.raises(wg.StreamError, match="malformed"):
        [*map(translator.feed, [*chunks, b"\n"])]


@late
def test_a_call_that_cannot_be_ended_again_is_one_loss(
    source: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> None:
        raise wg.DecodeError("no call", wire=source)

    losses: list[wg.Loss] = []
    decoder = wg.PROVIDERS[source].StreamDecoder(losses=losses)
    decoder.feed(_LATE.encode())
    monkeypatch.setattr(decoder, "_call_again", refused)
    with pytest.raises(wg.StreamError):
        decoder.finish()
    assert [(loss.path, loss.what) for loss in losses] == [("$.message.content[0]", "unfinished")]


# -- what cannot be told ---------------------------------------------------------------------------

_SUPPORT = '{"segment":{"startIndex":0,"endIndex":2},"groundingChunkIndices":[0]}'
_TOO_MANY = _GROUNDED.replace(
    '"title":"T"}}]',
    f'"title":"{"x" * 100_000}"}}}}],"groundingSupports":[{",".join([_SUPPORT] * 100)}]',
)


def test_an_error_of_gemini_counts_more_than_sources_that_may_not_be_told() -> None:
    losses: list[wg.Loss] = []
    decoder = wg.PROVIDERS["gemini"].StreamDecoder(losses=losses)
    events = [*decoder.feed(_TOO_MANY.encode()), *decoder.finish()]
    assert isinstance(events[-1], wg.StreamFailure)
    assert [(loss.path, loss.what) for loss in losses] == [("$", "unfinished")]
    assert wg.PROVIDERS["gemini"].StreamDecoder().feed(_TOO_MANY.encode())[-1] == events[-1]


@every_provider
@pytest.mark.parametrize("size", [1, 100_000], ids=["in bytes", "whole"])
def test_an_error_is_written_though_a_source_before_it_cannot_be(name: str, size: int) -> None:
    stream = (_CHUNK % _CITED + _ERROR).encode()
    translator = wg.StreamTranslator("openai_chat", name)
    made, error = b"", None
    for at in range(0, len(stream), size):
        try:
            made += translator.feed(stream[at : at + size])
        except wg.LossError as lost:
            error = lost
            break
    assert b"BOOM" in made
    assert error is None


_NAMELESS = _CHUNK % (
    '{"content":"Hi","tool_calls":[{"index":0,"id":"call00001","function":{"arguments":"{xyzzy"}}]}'
)
_SECOND = _CHUNK.replace('"index":0', '"index":1') % '{"content":"xyzzy"}'
_SECOND_OF_GEMINI = (
    (
        'data: {"candidates":[{"index":0,"content":{"role":"model","parts":[{"text":"Hi"}]}},'
        '{"index":1,"content":{"role":"model","parts":[{"text":"xyzzy"}]}}]}\n\n'
    )
    + _GROUNDED.split("\n\n")[1]
    + "\n\n"
)
UNTOLD: dict[str, tuple[str, str, str]] = {
    "a call of Chat without a name": ("openai_chat", _NAMELESS + _ERROR, "$.message.content[1]"),
    "a call of Mistral without a name": (
        "mistral",
        _NAMELESS + _OVERLOADED["mistral"],
        "$.message.content[1]",
    ),
    "sources of Chat without a text": (
        "openai_chat",
        _CHUNK % _CITED.replace('"content":"Hi",', "") + _ERROR,
        "$.message.content[0]",
    ),
    "keys of an open call of Chat": (
        "openai_chat",
        _CHUNK
        % _UNBEGUN.replace('"name":"xyzzy"', '"name":"f","arguments":"{"').replace(
            '"index":0,', '"index":0,"more":"xyzzy",'
        )
        + _ERROR,
        "$.message.content[0]",
    ),
    "a call of Responses without an id": (
        "openai_responses",
        _RESPONSES.replace('"call_id":"call00001",', ""),
        "$.message.content[0]",
    ),
    "a further choice of Chat": (
        "openai_chat",
        _CHUNK % '{"content":"Hi"}' + _SECOND + _ERROR,
        "$.alternatives",
    ),
    "a further choice of Mistral": (
        "mistral",
        _CHUNK % '{"content":"Hi"}' + _SECOND + _OVERLOADED["mistral"],
        "$.alternatives",
    ),
    "a further candidate of Gemini": ("gemini", _SECOND_OF_GEMINI, "$.alternatives"),
}


@pytest.mark.parametrize(("source", "stream", "path"), UNTOLD.values(), ids=UNTOLD)
def test_what_no_event_can_tell_before_an_error_is_a_loss(
    source: str, stream: str, path: str
) -> None:
    losses: list[wg.Loss] = []
    decoder = wg.PROVIDERS[source].StreamDecoder(losses=losses)
    events = decoder.feed(stream.encode())
    assert isinstance(events[-1], wg.StreamFailure)
    assert [(loss.path, loss.what) for loss in losses] == [(path, "unfinished")]


_PARTIAL = (
    'data: {"candidates":[{"index":0,"content":{"role":"model","parts":[{"functionCall":%s}]}}]}'
    "\n\n"
)


def test_the_pieces_of_a_call_of_gemini_are_told_before_an_error_as_an_open_object() -> None:
    begun = '{"name":"f","willContinue":true}'
    more = '{"partialArgs":[{"jsonPath":"$.a","stringValue":"xyzzy"}],"willContinue":true}'
    stream = _PARTIAL % begun + _PARTIAL % more + _GROUNDED.split("\n\n")[1] + "\n\n"
    events = wg.PROVIDERS["gemini"].StreamDecoder().feed(stream.encode())
    assert events[-2] == wg.ArgumentsDelta(0, '{"a":"xyzzy"')
    assert isinstance(events[-1], wg.StreamFailure)


def test_a_call_of_gemini_without_pieces_has_no_arguments_before_an_error() -> None:
    stream = _PARTIAL % '{"name":"f","willContinue":true}' + _GROUNDED.split("\n\n")[1] + "\n\n"
    events = wg.PROVIDERS["gemini"].StreamDecoder().feed(stream.encode())
    assert [type(event) for event in events[1:]] == [wg.BlockStart, wg.StreamFailure]


_COUNTS = {
    "anthropic": (
        'event: message_delta\ndata: {"type":"message_delta","delta":{},"usage":{'
        '"output_tokens":%d,"k%d":"%s"}}\n\n',
        'event: error\ndata: {"type":"error","error":{"type":"api_error","message":"BOOM"}}\n\n',
    ),
    "mistral": (
        'data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"m","choices":[],'
        '"usage":{"prompt_tokens":1,"total_tokens":1,"completion_tokens":%d,"k%d":"%s"}}\n\n',
        _OVERLOADED["mistral"],
    ),
}


@pytest.mark.parametrize("source", list(_COUNTS))
def test_counts_that_waited_for_the_end_are_told_before_an_error(source: str) -> None:
    counts, error = _COUNTS[source]
    decoder = wg.PROVIDERS[source].StreamDecoder()
    stream = "".join(counts % (n, n, "x" * 100_000) for n in range(1, 10))
    events = decoder.feed((stream + error).encode())
    _check_counts(events)


def test_counts_of_bedrock_that_waited_for_the_end_are_told_before_an_error() -> None:
    decoder = wg.PROVIDERS["bedrock"].StreamDecoder()
    events = decoder.feed_event({"messageStart": {"role": "assistant"}})
    for n in range(1, 10):
        usage = {"inputTokens": 1, "outputTokens": n, "totalTokens": 1 + n}
        told = {"metadata": {"usage": usage, "metrics": {"latencyMs": 1}, f"k{n}": "x" * 100_000}}
        events += decoder.feed_event(told)
    events += decoder.feed_event({"internalServerException": {"message": "BOOM"}})
    _check_counts(events)


def _check_counts(events: Events) -> None:
    told = [event for event in events if isinstance(event, wg.UsageUpdate)]
    assert told[-1].usage.output == 9
    assert len(told) < 9
    assert events[-2] is told[-1]
    assert isinstance(events[-1], wg.StreamFailure)


# -- streams without their beginning ---------------------------------------------------------------


@every_provider
def test_a_stream_of_anthropic_without_its_start_is_translated(name: str) -> None:
    stream = (
        'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":'
        '"text_delta","text":"xyzzy"}}\n\n'
        'event: content_block_delta\ndata: {"type":"content_block_delta","index":1,"delta":{"type":'
        '"thinking_delta","thinking":"plugh"}}\n\n'
    )
    losses: list[wg.Loss] = []
    made = wg.StreamTranslator("anthropic", name, losses=losses).feed(stream.encode())
    assert b"xyzzy" in made


@pytest.mark.parametrize(
    "call",
    [
        '{"function_call":{"arguments":"{}"}}',
        '{"tool_calls":[{"index":0,"id":"call00001","function":{"arguments":"{}"}}]}',
    ],
    ids=["deprecated", "of a tool"],
)
@pytest.mark.parametrize("choice", [0, 1])
def test_a_call_of_chat_without_a_name_is_an_error_in_each_choice(choice: int, call: str) -> None:
    chunks = [_CHUNK % (call if at == choice else '{"content":"Hi"}') for at in (0, 1)]
    chunks[1] = chunks[1].replace('"index":0,"delta"', '"index":1,"delta"')
    stream = "".join(chunks).replace("null}]", '"stop"}]')
    decoder = wg.PROVIDERS["openai_chat"].StreamDecoder()
    decoder.feed(stream.encode())
    with pytest.raises(wg.StreamError, match="call without a name, expected one"):
        decoder.finish()
