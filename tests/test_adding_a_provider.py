"""The provider of examples/provider, which docs/adding-a-provider.md shows, does what it says."""

import echo
import pytest
from hypothesis import given

import wireglot as wg
from wireglot import testing

PROVIDER: wg.providers.Provider = echo

REQUEST = (
    b'{"model":"echo-1","limit":100,"tools":[{"name":"weather","input":{"type":"object"}}],'
    b'"turns":[{"from":"system","text":"Be brief."},{"from":"user","text":"How warm is it?"},'
    b'{"from":"model","text":"Let me see.","calls":[{"id":"c1","name":"weather",'
    b'"input":{"city":  "Oslo"}}]},{"from":"tool","text":"21","call":"c1"}]}'
)
ANSWER = (
    b'{"id":"a1","model":"echo-1","turn":{"from":"model","text":"Warm.",'
    b'"calls":[{"id":"c2","name":"weather","input":{"at": 1e2}}]},'
    b'"end":"calls","asked":12,"said":5}'
)
STREAM = (
    b'{"id":"a1","model":"echo-1"}\n{"text":"Wa"}\n{"text":"rm."}\n'
    b'{"call":{"id":"c2","name":"weather","input":{"at": 1e2}}}\n'
    b'{"end":"calls","asked":12,"said":5}\n'
)
MESSAGES: list[wg.Message] = [
    wg.SystemMessage.from_text("Be brief."),
    wg.UserMessage([wg.TextBlock("How warm is it?")]),
    wg.AssistantMessage(
        [wg.TextBlock("Let me see."), wg.ToolCallBlock("c1", "weather", '{"city":  "Oslo"}')],
        api="echo-v1",
    ),
    wg.ToolMessage([wg.ToolResultBlock.from_text("c1", "21")]),
]
TOOLS: list[wg.Tool | wg.OpaqueBlock] = [wg.Tool("weather", parameters={"type": "object"})]


def _fed(data: bytes, size: int) -> echo.StreamDecoder:
    decoder = echo.StreamDecoder()
    for at in range(0, len(data), size):
        decoder.feed(data[at : at + size])
    return decoder


def test_it_has_every_name_of_a_provider_and_no_other() -> None:
    assert echo.__all__ == wg.providers.anthropic.__all__


def test_a_request_goes_out_and_comes_back() -> None:
    request = wg.Request(list(MESSAGES), "echo-1", TOOLS, max_tokens=100)
    assert PROVIDER.encode_request(request) == REQUEST
    assert PROVIDER.decode_request(REQUEST) == request
    assert PROVIDER.route(request) == wg.Route("POST", "/v1/echo")


def test_a_request_of_another_provider_becomes_one_of_this() -> None:
    theirs = (
        b'{"model":"gpt-5","seed":7,"messages":[{"role":"user","content":[{"type":"text","text":"Hi"},'
        b'{"type":"image_url","image_url":{"url":"https://example.com/a.png"}}]}]}'
    )
    request = wg.providers.openai_chat.decode_request(theirs)
    with pytest.raises(wg.LossError, match="echo: seed: there is no place for it"):
        echo.encode_request(request)
    losses: list[wg.Loss] = []
    made = echo.encode_request(request, losses=losses)
    assert made == b'{"model":"gpt-5","turns":[{"from":"user","text":"Hi"}]}'
    assert [str(loss) for loss in losses] == [
        "seed: there is no place for it; left out - at `$`",
        "image: turns hold text and calls; left out - at `$.messages[0].content[1]`",
    ]


def test_unknown_keys_go_back_to_this_wire_and_are_a_loss_on_another() -> None:
    body = b'{"mood":1e2,"model":"m","turns":[{"sure":true,"from":"user","text":"Hi"}]}'
    request = echo.decode_request(body)
    assert echo.encode_request(request) == body
    with pytest.raises(wg.LossError, match="extras"):
        wg.providers.anthropic.encode_request(request)


def test_a_call_without_a_result_is_an_error_or_repaired() -> None:
    request = wg.Request(MESSAGES[:3], "echo-1", TOOLS)
    with pytest.raises(
        wg.EncodeError, match="tool call `c1` has no result; add one, or pass repair=True"
    ):
        echo.encode_request(request)
    assert echo.encode_request(request, repair=True).endswith(
        b'{"from":"tool","text":"No result was recorded for this call.","call":"c1"}]}'
    )


def test_a_result_before_other_content_goes_to_its_call() -> None:
    late: list[wg.Message] = [
        *MESSAGES[:3],
        wg.UserMessage([wg.TextBlock("And?"), wg.ToolResultBlock.from_text("c1", "21")]),
    ]
    assert echo.encode_request(wg.Request(late, "echo-1")).endswith(
        b'{"from":"tool","text":"21","call":"c1"},{"from":"user","text":"And?"}]}'
    )


def test_a_number_is_brought_into_its_range() -> None:
    losses: list[wg.Loss] = []
    request = wg.Request(MESSAGES[1:2], "echo-1", temperature=3.5)
    made = echo.encode_request(request, losses=losses)
    assert made.startswith(b'{"model":"echo-1","heat":2.0,"turns"')
    assert echo.decode_request(made).temperature == 2
    assert [loss.what for loss in losses] == ["temperature"]


@pytest.mark.parametrize(
    ("request_", "reason"),
    [
        (
            wg.Request(MESSAGES[1:2]),
            "echo: no model, expected its name; pass `model` - at `$.model`",
        ),
        (
            wg.Request([], "echo-1"),
            "echo: no message with content, expected at least one - at `$.messages`",
        ),
    ],
)
def test_a_request_has_a_model_and_a_message(request_: wg.Request, reason: str) -> None:
    with pytest.raises(wg.EncodeError) as raised:
        echo.encode_request(request_)
    assert str(raised.value) == reason


def test_an_error_in_an_answer_goes_as_text() -> None:
    message = wg.AssistantMessage([wg.ErrorBlock("Full.")], wg.StopReason.STOP, "echo-1")
    losses: list[wg.Loss] = []
    made = echo.encode_response(wg.Response(message, "a1"), losses=losses)
    assert made.startswith(b'{"id":"a1","model":"echo-1","turn":{"from":"model","text":"Full."}')
    assert [loss.what for loss in losses] == ["error"]
    encoder = echo.StreamEncoder(losses=[])
    block = message.content[0]
    begun = wg.StreamStart(wg.Response(wg.AssistantMessage([], model="echo-1"), "a1"))
    for event in (begun, wg.BlockStart(0, block)):
        encoder.encode(event)
    assert encoder.encode(wg.BlockEnd(0, block)) == b'{"text":"Full."}\n'


def test_a_transcript_gives_the_bytes_of_the_encoder() -> None:
    transcript = echo.Transcript(MESSAGES[:2])
    for message in MESSAGES[2:]:
        transcript.append(message)
    assert transcript.encode(model="echo-1", max_tokens=100, tools=TOOLS) == REQUEST


def test_an_answer_comes_in_and_goes_out() -> None:
    response = PROVIDER.decode_response(ANSWER)
    assert response.message.text() == "Warm."
    assert response.message.stop_reason == wg.StopReason.TOOL_USE
    assert response.message.usage == wg.Usage(12, 5, total_tokens=17)
    assert PROVIDER.encode_response(response) == ANSWER
    theirs = wg.providers.anthropic.encode_response(response)
    assert b'"name":"weather","input":{"at": 1e2}' in theirs


def test_unknown_keys_of_the_usage_are_a_loss() -> None:
    body = (
        b'{"id":"m","type":"message","role":"assistant","model":"c","content":[],"stop_reason":'
        b'"end_turn","stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":2,"odd":3}}'
    )
    response = wg.providers.anthropic.decode_response(body)
    losses: list[wg.Loss] = []
    echo.encode_response(response, losses=losses)
    assert [(loss.what, loss.path) for loss in losses] == [("extras", "$.message.usage")]


def test_an_error_comes_in_and_goes_out() -> None:
    body = b'{"error":"Come back later.","code":"busy"}'
    error = PROVIDER.decode_error(body, 503, headers={"Retry-After": "9"})
    assert (error.kind, error.code, error.retry_after) == ("overloaded", "busy", 9.0)
    assert PROVIDER.encode_error(error) == body
    page = PROVIDER.decode_error(b"<html>", 502)
    assert (page.kind, page.message) == ("server", "<html>")
    slow = wg.ProviderError("rate_limit", "Slow down.", wire="anthropic")
    assert PROVIDER.encode_error(slow) == b'{"error":"Slow down.","code":"slow-down"}'


@pytest.mark.parametrize("size", [1, 2, 7, 64, len(STREAM)])
def test_a_stream_in_chunks_of_any_size_is_the_answer(size: int) -> None:
    assert _fed(STREAM, size).close() == echo.decode_response(ANSWER)


def test_a_stream_sends_the_events_of_its_lines() -> None:
    events = echo.StreamDecoder().feed(STREAM)
    assert [type(event).__name__ for event in events] == [
        *("StreamStart", "BlockStart", "TextDelta", "TextDelta", "BlockEnd"),
        *("BlockStart", "ArgumentsDelta", "BlockEnd", "StreamEnd"),
    ]


@pytest.mark.parametrize("length", range(len(STREAM)))
def test_a_stream_that_was_cut_is_an_error_or_the_whole_answer(length: int) -> None:
    decoder = _fed(STREAM[:length], 64)
    if length == len(STREAM) - 1:  # without the last line feed
        assert decoder.close() == echo.decode_response(ANSWER)
    else:
        with pytest.raises(wg.StreamError, match="echo: "):
            decoder.close()


def test_an_error_in_a_stream_is_its_last_event() -> None:
    decoder = echo.StreamDecoder()
    *_, last = decoder.feed(b'{"text":"Wa"}\n{"error":"Full.","code":"busy"}\n')
    assert isinstance(last, wg.StreamFailure)
    assert last.kind == "overloaded"
    assert echo.StreamEncoder().encode(last) == b'{"error":"Full.","code":"busy"}\n'
    with pytest.raises(wg.ProviderError, match="Full"):
        decoder.close()


def test_a_stream_goes_out_as_the_lines_that_it_came_in() -> None:
    encoder = echo.StreamEncoder()
    events = echo.StreamDecoder().feed(STREAM)
    assert b"".join(map(encoder.encode, events)) + encoder.close() == STREAM


def test_a_stream_of_another_provider_becomes_one_of_this() -> None:
    theirs = (
        b'{"model":"llama4","created_at":"2026-11-21T12:00:00Z","message":{"role":"assistant",'
        b'"content":"Hi."},"done":false}\n{"model":"llama4","created_at":"2026-11-21T12:00:00Z",'
        b'"message":{"role":"assistant","content":""},"done":true,"done_reason":"stop",'
        b'"prompt_eval_count":3,"eval_count":2}\n'
    )
    decoder = wg.providers.ollama.StreamDecoder()
    encoder = echo.StreamEncoder(ids=lambda: "7")
    made = b"".join(map(encoder.encode, decoder.feed(theirs))) + encoder.close()
    assert made == (
        b'{"id":"a7","model":"llama4"}\n{"text":"Hi."}\n{"end":"done","asked":3,"said":2}\n'
    )


@given(testing.requests())
def test_what_it_writes_of_any_request_it_reads_again(request: wg.Request) -> None:
    try:
        body = echo.encode_request(request, losses=[], repair=True)
    except wg.EncodeError:
        return
    again = echo.encode_request(echo.decode_request(body))
    assert again == body or b'""' in body  # an empty id gets a number
    assert echo.encode_request(echo.decode_request(again)) == again


@given(testing.responses())
def test_what_it_writes_of_any_answer_it_reads_again(response: wg.Response) -> None:
    body = echo.encode_response(response, losses=[])
    assert echo.encode_response(echo.decode_response(body)) == body


@given(testing.streams())
def test_what_it_writes_of_any_stream_it_reads_again(events: list[wg.StreamEvent]) -> None:
    encoder = echo.StreamEncoder(losses=[])
    data = b"".join(map(encoder.encode, events)) + encoder.close()
    whole = _fed(data, len(data)).close()
    said: wg.Response = events[-1].response  # type: ignore[union-attr]
    texts = [
        block.text if isinstance(block, wg.TextBlock) else block.message
        for block in said.message.content
        if isinstance(block, wg.TextBlock | wg.ErrorBlock)
    ]
    assert whole.message.text() == "".join(texts)
    assert _fed(data, 3).close() == whole
