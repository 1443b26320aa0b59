"""Names of tools that a wire cannot have: what is sent, and how they come back with the answer."""

from typing import Final

import pytest

import wireglot as wg

DOTTED: Final = "files.read"
SENT: Final = "files_read_601e4eb6"
CALLED = wg.Response(
    wg.AssistantMessage(
        [wg.ToolCallBlock("c1", SENT, "{}")], stop_reason=wg.StopReason.TOOL_USE, model="m"
    )
)
ALPHABETS = ("anthropic", "bedrock", "mistral", "openai_chat", "openai_responses")
SIZES = (1, 7, 1 << 20)


def request_of(name: str) -> wg.Request:
    return wg.Request(
        [
            wg.UserMessage.from_text("Hi"),
            wg.AssistantMessage([wg.ToolCallBlock("c0", name, "{}")]),
            wg.ToolResultMessage("c0", name, [wg.TextBlock("ok")]),
        ],
        "m",
        tools=[wg.Tool(name)],
        tool_choice=wg.ToolChoice("tool", name),
        max_tokens=99,
    )


@pytest.mark.parametrize("wire", ALPHABETS)
def test_a_name_that_a_wire_cannot_have_is_sent_as_another(wire: str) -> None:
    names: wg.ToolNames = {}
    losses: list[wg.Loss] = []
    body = wg.PROVIDERS[wire].encode_request(request_of(DOTTED), losses=losses, names=names)
    assert body.count(f'"{SENT}"'.encode()) == 3  # the tool, the call, and the choice
    assert DOTTED.encode() not in body
    assert names == {SENT: wg.ToolName(DOTTED)}
    assert losses == []


def test_gemini_takes_a_dot_and_no_digit_at_the_beginning() -> None:
    names: wg.ToolNames = {}
    encode = wg.providers.gemini.encode_request
    encode(request_of(DOTTED), losses=[], names=names)
    assert names == {}
    encode(request_of("2nd"), losses=[], names=names)
    assert names == {"_2nd_c21365c7": wg.ToolName("2nd")}


@pytest.mark.parametrize("wire", ALPHABETS)
def test_without_a_map_the_name_is_a_loss(wire: str) -> None:
    losses: list[wg.Loss] = []
    wg.PROVIDERS[wire].encode_request(request_of(DOTTED), losses=losses)
    assert [(loss.path, loss.what) for loss in losses] == [("$.tools[0]", "tool name")]


@pytest.mark.parametrize("wire", ALPHABETS)
def test_the_map_has_the_names_of_the_last_request(wire: str) -> None:
    names = {"old": wg.ToolName("older")}
    wg.PROVIDERS[wire].encode_request(request_of("f"), losses=[], names=names)
    assert names == {}


@pytest.mark.parametrize("wire", wg.PROVIDERS)
def test_an_answer_gives_the_name_back(wire: str) -> None:
    answer = wg.PROVIDERS[wire].encode_response(CALLED, losses=[])
    decode = wg.PROVIDERS[wire].decode_response
    names = {SENT: wg.ToolName(DOTTED)}
    assert [call.name for call in decode(answer, names=names).message.tool_calls()] == [DOTTED]
    assert [call.name for call in decode(answer).message.tool_calls()] == [SENT]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("wire", wg.PROVIDERS)
def test_a_stream_gives_the_name_back(wire: str, size: int) -> None:
    stream = streamed(wire, CALLED.message.content[0])
    decoder = wg.PROVIDERS[wire].StreamDecoder(names={SENT: wg.ToolName(DOTTED)})
    events = [
        event
        for start in range(0, len(stream), size)
        for event in decoder.feed(stream[start : start + size])
    ]
    events += decoder.finish()
    begun = [event.block for event in events if isinstance(event, wg.BlockStart)]
    ended = [event.block for event in events if isinstance(event, wg.BlockEnd)]
    assert [[getattr(block, "name", None) for block in told] for told in (begun, ended)] == [
        [DOTTED],
        [DOTTED],
    ]
    assert [call.name for call in decoder.close().message.tool_calls()] == [DOTTED]


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ('{"input":"a\\n\\"b\\""}', 'a\n"b"'),
        ('{"input":""}', ""),
        ('{"patch":"a"}', "a"),
        ("{}", ""),
        ("", ""),
        ('{"input":["a"]}', '{"input":["a"]}'),
        ('{"patch":"a","path":"b"}', '{"patch":"a","path":"b"}'),
        ('{"input":"a', '{"input":"a'),
        ("a", "a"),
    ],
)
@pytest.mark.parametrize("wire", ["openai_chat", "openai_responses", "mistral"])
def test_a_custom_tool_gets_the_text_in_its_input(wire: str, arguments: str, text: str) -> None:
    """These wires have the arguments as text, whatever it is."""
    call = wg.ToolCallBlock("c1", "patch", arguments)
    names = {"patch": wg.ToolName("patch", "custom")}
    stream = streamed(wire, call)
    message = wg.AssistantMessage([call], stop_reason=wg.StopReason.TOOL_USE, model="m")
    answer = wg.PROVIDERS[wire].encode_response(wg.Response(message), losses=[])
    decoder = wg.PROVIDERS[wire].StreamDecoder(names=names)
    events = decoder.feed(stream) + decoder.finish()
    deltas = [event.text for event in events if isinstance(event, wg.ArgumentsDelta)]
    whole = wg.PROVIDERS[wire].decode_response(answer, names=names)
    for made in (whole, decoder.close()):
        [block] = made.message.tool_calls()
        assert (block.tool_type, block.arguments.text) == ("custom", text.encode())
    assert "".join(deltas) == text


def test_a_conversation_that_grows_fills_its_map() -> None:
    names: wg.ToolNames = {}
    messages = request_of(DOTTED).messages
    transcript = wg.providers.anthropic.Transcript(messages, names=names)
    tools = [wg.Tool(DOTTED)]
    for text in ("one", "two"):
        names.clear()
        transcript.encode(losses=[], model="m", max_tokens=9, tools=tools)
        assert names == {SENT: wg.ToolName(DOTTED)}
        transcript.append(wg.AssistantMessage([wg.TextBlock(text)]))
        transcript.append(wg.UserMessage.from_text(text))


def streamed(wire: str, block: wg.Content) -> bytes:
    """Return the stream of an answer of one block."""
    encoder = wg.PROVIDERS[wire].StreamEncoder(losses=[])
    message = wg.AssistantMessage([block], stop_reason=wg.StopReason.TOOL_USE, model="m")
    begun = wg.Response(wg.AssistantMessage([], model="m"), id="r1")
    assert isinstance(block, wg.ToolCallBlock)
    text = block.arguments.text.decode()
    events: list[wg.StreamEvent] = [
        wg.StreamStart(begun),
        wg.BlockStart(0, wg.ToolCallBlock(block.id, block.name, "")),
        *(wg.ArgumentsDelta(0, letter) for letter in text),
        wg.BlockEnd(0, block),
        wg.StreamEnd(wg.Response(message, id="r1")),
    ]
    return b"".join(map(encoder.encode, events)) + encoder.close()
