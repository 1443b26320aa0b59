"""What came over a wire, of which a caller takes a part away: what goes back to it."""

import pytest

import wireglot as wg

# Wire, body, the field that is set to None, and what is written.
TAKEN = {
    "a format, of whose object another key is left": (
        "openai_responses",
        b'{"model":"m","text":{"verbosity":"low","format":{"type":"json_object"}},"input":"Hi"}',
        "response_format",
        b'{"text":{"verbosity":"low"},"model":"m","input":[{"role":"user","content":"Hi"}]}',
    ),
    "thinking, beside a budget of the task": (
        "anthropic",
        b'{"model":"m","max_tokens":8,"output_config":{"task_budget":{"total":5},"effort":"low"},'
        b'"messages":[{"role":"user","content":"Hi"}]}',
        "thinking",
        b'{"output_config":{"task_budget":{"total":5}},"model":"m","max_tokens":8,"messages":['
        b'{"role":"user","content":[{"type":"text","text":"Hi"}]}]}',
    ),
    "thinking, with a key that nobody knows": (
        "gemini",
        b'{"contents":[{"role":"user","parts":[{"text":"Hi"}]}],"generationConfig":'
        b'{"thinkingConfig":{"thinkingLevel":"LOW","yy":2}}}',
        "thinking",
        b'{"generationConfig":{"thinkingConfig":{"yy":2}},"contents":[{"role":"user","parts":'
        b'[{"text":"Hi"}]}]}',
    ),
}


@pytest.mark.parametrize("case", TAKEN)
def test_what_stands_by_itself_goes_back(case: str) -> None:
    name, body, field, expected = TAKEN[case]
    provider = wg.PROVIDERS[name]
    request = provider.decode_request(body)
    setattr(request, field, None)
    assert provider.encode_request(request) == expected


URL = b'{"type":"url_citation","url":"https://x.org","title":"X","start_index":0,"end_index":4}'
PLACE = (
    b'{"type":"char_location","cited_text":"Oslo","document_index":0,"document_title":null,'
    b'"start_char_index":0,"end_char_index":4}'
)

# Wire, answer in a request or by itself, and what is written without its citations.
CITED_IN_REQUESTS = {
    "anthropic": (
        b'{"model":"m","max_tokens":8,"messages":[{"role":"assistant","content":'
        b'[{"citations":[%b],"type":"text","text":"Oslo."}]}]}' % PLACE,
        b'{"model":"m","max_tokens":8,"messages":[{"role":"assistant","content":'
        b'[{"type":"text","text":"Oslo."}]}]}',
    ),
    "openai_responses": (
        b'{"model":"m","input":[{"type":"message","role":"assistant","content":[{"type":'
        b'"output_text","text":"Oslo.","annotations":[%b]}],"id":"msg_1"}]}' % URL,
        b'{"model":"m","input":[{"type":"message","role":"assistant","content":[{"type":'
        b'"output_text","text":"Oslo.","annotations":[]}],"id":"msg_1"}]}',
    ),
    "cohere": (
        b'{"model":"m","messages":[{"citations":[{"start":0,"end":4,"text":"Oslo"}],'
        b'"role":"assistant","content":"Oslo."}]}',
        b'{"model":"m","messages":[{"role":"assistant","content":"Oslo."}]}',
    ),
}
CITED_IN_ANSWERS = {
    "anthropic": (
        b'{"id":"msg_1","type":"message","role":"assistant","model":"m","content":'
        b'[{"citations":[%b],"type":"text","text":"Oslo."}],"stop_reason":"end_turn",'
        b'"stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}' % PLACE,
        b'{"id":"msg_1","type":"message","role":"assistant","model":"m","content":'
        b'[{"type":"text","text":"Oslo."}],"stop_reason":"end_turn",'
        b'"stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}',
    ),
    "openai_responses": (
        b'{"id":"resp_1","object":"response","created_at":1,"status":"completed","error":null,'
        b'"incomplete_details":null,"model":"m","output":[{"id":"msg_1","type":"message",'
        b'"status":"completed","role":"assistant","content":[{"type":"output_text",'
        b'"annotations":[%b],"text":"Oslo."}]}],"usage":null}' % URL,
        b'{"id":"resp_1","object":"response","created_at":1,"status":"completed","error":null,'
        b'"incomplete_details":null,"model":"m","output":[{"id":"msg_1","type":"message",'
        b'"status":"completed","role":"assistant","content":[{"type":"output_text",'
        b'"annotations":[],"text":"Oslo."}]}],"usage":null}',
    ),
    "cohere": (
        b'{"id":"1","message":{"citations":[{"start":0,"end":4,"text":"Oslo"}],"role":"assistant",'
        b'"content":[{"type":"text","text":"Oslo."}]},"finish_reason":"COMPLETE"}',
        b'{"id":"1","message":{"role":"assistant",'
        b'"content":[{"type":"text","text":"Oslo."}]},"finish_reason":"COMPLETE"}',
    ),
}


@pytest.mark.parametrize("name", CITED_IN_REQUESTS)
def test_citations_stay_away_from_a_request(name: str) -> None:
    body, expected = CITED_IN_REQUESTS[name]
    provider = wg.PROVIDERS[name]
    request = provider.decode_request(body)
    assert provider.encode_request(request) == body
    text = request.messages[0].content[0]
    assert isinstance(text, wg.TextBlock)
    text.annotations = None
    assert provider.encode_request(request) == expected


@pytest.mark.parametrize("name", CITED_IN_ANSWERS)
def test_citations_stay_away_from_an_answer(name: str) -> None:
    body, expected = CITED_IN_ANSWERS[name]
    provider = wg.PROVIDERS[name]
    response = provider.decode_response(body)
    assert provider.encode_response(response) == body
    text = response.message.content[0]
    assert isinstance(text, wg.TextBlock)
    text.annotations = None
    assert provider.encode_response(response) == expected


def test_a_breakpoint_stays_away_in_the_words_of_another_service_too() -> None:
    openai = wg.providers.openai_chat
    body = (
        b'{"model":"m","messages":[{"role":"user","content":[{"prompt_cache_breakpoint":'
        b'{"mode":"explicit"},"cache_control":{"type":"ephemeral"},"type":"text","text":"Hi"}]}]}'
    )
    request = openai.decode_request(body)
    assert openai.encode_request(request) == body
    text = request.messages[0].content[0]
    assert isinstance(text, wg.TextBlock)
    text.cache = None
    assert openai.encode_request(request) == (
        b'{"model":"m","messages":[{"role":"user","content":"Hi"}]}'
    )


def test_half_an_object_does_not_go_out() -> None:
    anthropic = wg.providers.anthropic
    request = anthropic.decode_request(
        b'{"model":"m","max_tokens":9,"output_config":{"effort":"low","format":{"type":'
        b'"json_schema","schema":{"type":"object"},"name":"n"}},'
        b'"messages":[{"role":"user","content":"Hi"}]}'
    )
    request.response_format = None
    losses: list[wg.Loss] = []
    made = anthropic.encode_request(request, losses=losses)
    assert b"format" not in made
    assert [loss.what for loss in losses] == ["extras"]
    with pytest.raises(wg.LossError):
        anthropic.encode_request(request)


def test_a_parameter_that_no_reader_takes_does_not_go_out() -> None:
    extras = {"openai-chat": wg.Extra({"temperature": "hot", "k": 1})}
    request = wg.Request([wg.UserMessage([wg.TextBlock("Hi")])], model="m", extras=extras)
    losses: list[wg.Loss] = []
    assert wg.providers.openai_chat.encode_request(request, losses=losses) == (
        b'{"k":1,"model":"m","messages":[{"role":"user","content":"Hi"}]}'
    )
    assert [(loss.what, loss.path) for loss in losses] == [("extras", "$")]


def test_what_the_wire_has_no_key_for_is_a_loss_beside_a_spelling_that_goes_back() -> None:
    body = (
        b'{"toolConfig":{"functionCallingConfig":{"mode":"any"}},'
        b'"contents":[{"role":"user","parts":[{"text":"Hi"}]}]}'
    )
    request = wg.providers.gemini.decode_request(body)
    request.parallel_tool_calls = False
    losses: list[wg.Loss] = []
    assert wg.providers.gemini.encode_request(request, losses=losses) == body
    assert [(loss.what, loss.path) for loss in losses] == [("parallel_tool_calls", "$")]


@pytest.mark.parametrize(("field", "value"), [("temperature", 0.5), ("stream", True)])
def test_what_contradicts_itself_goes_back_only_as_it_came(field: str, value: object) -> None:
    openai = wg.providers.openai_chat
    request = openai.decode_request(
        b'{"model":"m","tools":[{"type":"function","function":{"name":"g"}}],"tool_choice":'
        b'{"type":"function","function":{"name":"f"}},"messages":[{"role":"user","content":"Hi"}]}'
    )
    assert b'"function":{"name":"f"}' in openai.encode_request(request)
    setattr(request, field, value)
    with pytest.raises(
        wg.EncodeError, match="tool choice `f`, expected the name of a tool of the request"
    ):
        openai.encode_request(request)


def test_a_repaired_result_keeps_its_opaque_content_to_its_own_api() -> None:
    secret = wg.OpaqueBlock("anthropic-messages", wg.RawJson('{"type":"web_search_result"}'))
    result = wg.ToolResultMessage("call_9", "web", [secret])
    request = wg.Request([wg.UserMessage.from_text("Hi"), result], model="m")
    losses: list[wg.Loss] = []
    made = wg.providers.openai_chat.encode_request(request, losses=losses, repair=True)
    assert b"web_search_result" not in made
    assert [(loss.path, loss.what) for loss in losses] == [
        ("$.messages[1].content[0]", "opaque block")
    ]


@pytest.mark.parametrize("name", list(wg.PROVIDERS))
def test_a_repaired_result_leaves_behind_what_only_its_api_understands(name: str) -> None:
    provider = wg.PROVIDERS[name]
    opaque = wg.OpaqueBlock(provider.API, wg.RawJson('{"type":"only_in_results"}'))
    keys = {provider.API: wg.Extra(wg.RawJson('{"only_of_results":1}'))}
    result = wg.ToolResultBlock("call_9", "web", [wg.TextBlock("x"), opaque], extras=keys)
    result.cache = wg.CacheMark()
    message = wg.ToolMessage([result])
    request = wg.Request([wg.UserMessage.from_text("Hi"), message], model="m", max_tokens=16)
    losses: list[wg.Loss] = []
    made = provider.encode_request(request, losses=losses, repair=True)
    assert b"A result without its call (call_9):" in made
    assert b"only" not in made
    assert [(loss.path, loss.what) for loss in losses] == [
        ("$.messages[1].content[0]", "extras"),
        ("$.messages[1].content[0]", "cache mark"),
        ("$.messages[1].content[0].content[1]", "opaque block"),
    ]
    with pytest.raises(wg.LossError):
        provider.encode_request(request, repair=True)


# What has nothing to say, and unknown keys, as the content and as what is left out.
SILENT: dict[str, tuple[wg.Message, str]] = {
    "an answer": (wg.AssistantMessage([], extras={"x": wg.Extra({"k": 1})}), "$.messages[0]"),
    "a system prompt": (wg.SystemMessage([], extras={"x": wg.Extra({"k": 1})}), "$.messages[0]"),
    "a user's message": (wg.UserMessage([], extras={"x": wg.Extra({"k": 1})}), "$.messages[0]"),
    "a text": (
        wg.AssistantMessage([wg.TextBlock("", extras={"x": wg.Extra({"k": 1})})]),
        "$.messages[0].content[0]",
    ),
}


@pytest.mark.parametrize("name", wg.PROVIDERS)
@pytest.mark.parametrize(("message", "path"), SILENT.values(), ids=SILENT)
def test_unknown_keys_of_what_says_nothing_are_a_loss(
    message: wg.Message, path: str, name: str
) -> None:
    go_on = wg.UserMessage([wg.TextBlock("Go on.")])
    request = wg.Request([message, go_on], model="m", max_tokens=99)
    losses: list[wg.Loss] = []
    wg.PROVIDERS[name].encode_request(request, losses=losses)
    assert [(loss.what, loss.path) for loss in losses] == [("extras", path)]
    with pytest.raises(wg.LossError):
        wg.PROVIDERS[name].encode_request(request)
