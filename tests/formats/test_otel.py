"""OpenTelemetry's messages and tools, against literal bytes and literal messages."""

import json
from typing import Any

import pytest
from hypothesis import given, settings

import wireglot as wg
from tests.formats import otel_documents
from wireglot import testing
from wireglot.formats import otel


def _extras(spelling: dict[str, Any] | None = None, **keys: Any) -> wg.Extras:
    return {"otel": wg.Extra(keys, spelling)}


def _user(*content: wg.Content, **more: Any) -> wg.Message:
    return wg.UserMessage([*content], **more)


def _answer(*content: wg.Content, **more: Any) -> wg.Message:
    return wg.AssistantMessage([*content], **more)


def _results(*content: wg.Content) -> wg.Message:
    return wg.ToolMessage([*content])


def _opaque(**raw: Any) -> wg.OpaqueBlock:
    return wg.OpaqueBlock("otel", raw)


_RESULT = '[{"role":"tool","parts":[{"type":"tool_call_response","response":%s,"id":"c"}]}]'

BOTH_WAYS = {
    "a text": (
        '[{"role":"user","parts":[{"type":"text","content":"Où ?"}]}]',
        [_user(wg.TextBlock("Où ?"))],
    ),
    "instructions, and a participant's name": (
        '[{"role":"system","parts":[{"type":"text","content":"a"}]},'
        '{"role":"user","parts":[],"name":"Ada"},{"role":"user","parts":[],"name":null}]',
        [
            wg.SystemMessage([wg.TextBlock("a")]),
            _user(name="Ada"),
            _user(extras=_extras({"name": None})),
        ],
    ),
    "a developer's instructions": (
        '[{"role":"developer","parts":[]}]',
        [wg.SystemMessage([], extras=_extras({"role": "developer"}))],
    ),
    "a role of somebody else": (
        '[{"role":"critic","parts":[{"type":"text","content":"a"}],"name":"Bo","x":1}]',
        [wg.CustomMessage("critic", [wg.TextBlock("a")], extras=_extras(name="Bo", x=1))],
    ),
    "an answer": (
        '[{"role":"assistant","parts":[{"type":"reasoning","content":"so"},'
        '{"type":"tool_call","name":"plot","id":"c","arguments":{"b": 1e2, "a":null}}],'
        '"finish_reason":"tool_call"}]',
        [
            _answer(
                wg.ThinkingBlock("so"),
                wg.ToolCallBlock("c", "plot", '{"b": 1e2, "a":null}'),
                stop_reason=wg.StopReason.TOOL_USE,
                raw_stop_reason="tool_call",
            )
        ],
    ),
    "an answer that ended for a reason of its own": (
        '[{"role":"assistant","parts":[],"finish_reason":"recitation"}]',
        [_answer(raw_stop_reason="recitation")],
    ),
    "no finish reason": (
        '[{"role":"assistant","parts":[],"finish_reason":null}]',
        [_answer(extras=_extras({"finish_reason": None}))],
    ),
    "a finish reason of what is no answer": (
        '[{"role":"user","parts":[],"finish_reason":"stop"}]',
        [_user(extras=_extras(finish_reason="stop"))],
    ),
    "calls without ids and arguments": (
        '[{"role":"assistant","parts":[{"type":"tool_call","name":"a"},'
        '{"type":"tool_call","name":"b","id":null,"arguments":null},'
        '{"type":"tool_call","name":"c","id":"","arguments":""},'
        '{"type":"tool_call","name":"d","id":"d","arguments":"{half"}]}]',
        [
            _answer(
                wg.ToolCallBlock("", "a", ""),
                wg.ToolCallBlock("", "b", "", extras=_extras({"id": None, "arguments": None})),
                wg.ToolCallBlock("", "c", "", extras=_extras({"id": "", "arguments": ""})),
                wg.ToolCallBlock("d", "d", "{half"),
            )
        ],
    ),
    "a call of which the model said null": (
        '[{"role":"assistant","parts":[{"type":"tool_call","name":"a","id":"a",'
        '"arguments":"null"}]}]',
        [_answer(wg.ToolCallBlock("a", "a", "null"))],
    ),
    "the result of a call that was named": (
        '[{"role":"assistant","parts":[{"type":"tool_call","name":"plot","id":"c",'
        '"arguments":{}}]},{"role":"user","parts":[{"type":"tool_call_response",'
        '"response":"x","id":"c"}]}]',
        [
            _answer(wg.ToolCallBlock("c", "plot", {})),
            _user(wg.ToolResultBlock("c", "plot", [wg.TextBlock("x")])),
        ],
    ),
    "a response that is an object": (
        _RESULT % '{"temp":57}',
        [
            _results(
                wg.ToolResultBlock(
                    "c",
                    content=[wg.TextBlock('{"temp":57}')],
                    extras=_extras({"response": {"temp": 57}}),
                )
            )
        ],
    ),
    "a response of parts": (
        _RESULT % '[{"type":"text","content":"a"},{"type":"blob","modality":"image",'
        '"content":"AAEC"}]',
        [
            _results(
                wg.ToolResultBlock(
                    "c",
                    content=[
                        wg.TextBlock("a"),
                        wg.ImageBlock(data=wg.Media.from_base64("AAEC")),
                    ],
                )
            )
        ],
    ),
    "a response of one text": (
        _RESULT % '[{"type":"text","content":"a"}]',
        [
            _results(
                wg.ToolResultBlock(
                    "c",
                    content=[wg.TextBlock("a")],
                    extras=_extras({"response": [{"type": "text", "content": "a"}]}),
                )
            )
        ],
    ),
    "a response of nothing": (_RESULT % "[]", [_results(wg.ToolResultBlock("c"))]),
    "a response of null": (
        _RESULT % "null",
        [_results(wg.ToolResultBlock("c", extras=_extras({"response": None})))],
    ),
    "media of every kind": (
        '[{"role":"user","parts":[{"type":"blob","modality":"audio","content":"UklGRg==",'
        '"mime_type":"audio/wav"},{"type":"file","modality":"document","file_id":"f",'
        '"mime_type":null},{"type":"uri","modality":"video","uri":"gs://b/o"},'
        '{"type":"uri","modality":"image","uri":"data:a/b,c"},'
        '{"type":"uri","modality":"smell","uri":"u"}]}]',
        [
            _user(
                wg.AudioBlock(data=wg.Media.from_base64("UklGRg=="), mime_type="audio/wav"),
                wg.DocumentBlock(file_id="f", extras=_extras({"mime_type": None})),
                wg.VideoBlock(url="gs://b/o"),
                wg.ImageBlock(url="data:a/b,c", extras=_extras({"type": "uri"})),
                wg.DataBlock(url="u", extras=_extras({"modality": "smell"})),
            )
        ],
    ),
    "what has no block of ours": (
        '[{"role":"assistant","parts":[{"type":"server_tool_call","name":"web_search",'
        '"server_tool_call":{"type":"x"},"id":"s"},{"type":"server_tool_call_response",'
        '"server_tool_call_response":{"type":"y"}},{"type":"compaction"},'
        '{"type":"hologram","depth":3}]}]',
        [
            _answer(
                _opaque(
                    type="server_tool_call",
                    name="web_search",
                    server_tool_call={"type": "x"},
                    id="s",
                ),
                _opaque(type="server_tool_call_response", server_tool_call_response={"type": "y"}),
                _opaque(type="compaction"),
                _opaque(type="hologram", depth=3),
            )
        ],
    ),
    "a text without its content is a part of any other type": (
        '[{"role":"user","parts":[{"type":"text","text":"a"}]}]',
        [_user(_opaque(type="text", text="a"))],
    ),
    "a blob without its data is too": (
        '[{"role":"user","parts":[{"type":"blob","modality":"image","content":null}]}]',
        [_user(_opaque(type="blob", modality="image", content=None))],
    ),
    "a response that is a list of anything": (
        _RESULT % '[{"type":"hologram"}]',
        [
            _results(
                wg.ToolResultBlock(
                    "c",
                    content=[wg.TextBlock('[{"type":"hologram"}]')],
                    extras=_extras({"response": [{"type": "hologram"}]}),
                )
            )
        ],
    ),
    "unknown keys": (
        '[{"role":"user","parts":[{"type":"text","content":"a","mood":[1.5]}],"x":null}]',
        [_user(wg.TextBlock("a", extras=_extras(mood=[1.5])), extras=_extras(x=None))],
    ),
}


@pytest.mark.parametrize(("text", "messages"), BOTH_WAYS.values(), ids=BOTH_WAYS)
def test_a_conversation_goes_both_ways(text: str, messages: list[wg.AgentMessage]) -> None:
    assert otel.decode(text) == messages
    assert json.loads(otel.encode(messages)) == json.loads(text)
    assert otel.encode(otel.decode(text)).decode() == text
    assert otel.encode(otel.decode(text, list[otel.Message])).decode() == text
    assert otel.to_canonical(otel.from_canonical(messages)) == messages


def test_one_message_and_json_lines_are_read_and_lines_written() -> None:
    one = '{"role":"user","parts":[{"type":"text","content":"a"}]}'
    two = '{"role":"assistant","parts":[]}'
    both = [_user(wg.TextBlock("a")), _answer()]
    assert otel.decode(one) == both[:1]
    assert otel.decode(f"{one}\n{two}\n") == both
    assert otel.encode(both, lines=True).decode() == f"{one}\n{two}\n"
    assert otel.encode(both[0]).decode() == f"[{one}]"


def test_parts_have_types_of_their_own() -> None:
    text = (
        '[{"type":"server_tool_call","name":"n","server_tool_call":{"a": 1}},'
        '{"type":"compaction","content":"c"},{"type":"hologram","depth":3}]'
    )
    call, compaction, other = otel.decode(text, list[otel.Part])
    assert (call.name, call.server_tool_call.value) == ("n", {"a": 1})
    assert compaction.content == "c"
    assert type(other) is otel.GenericPart
    assert other.unknown.value == {"type": "hologram", "depth": 3}
    assert otel.encode([call, compaction, other]).decode() == text


WRITTEN = {
    "a result that is a message": (
        [wg.ToolResultMessage("c", content=[wg.TextBlock("a"), wg.TextBlock("b")])],
        '[{"role":"tool","parts":[{"type":"tool_call_response","response":'
        '[{"type":"text","content":"a"},{"type":"text","content":"b"}],"id":"c"}]}]',
    ),
    "an answer that was stopped": (
        [wg.AssistantMessage([], wg.StopReason.GUARD_RAIL)],
        '[{"role":"assistant","parts":[],"finish_reason":"content_filter"}]',
    ),
    "a provider's own word": (
        [wg.AssistantMessage([], wg.StopReason.STOP, raw_stop_reason="end_turn")],
        '[{"role":"assistant","parts":[],"finish_reason":"end_turn"}]',
    ),
    "a data URL is inline": (
        [wg.UserMessage([wg.ImageBlock(url="data:image/webp;base64,UklGRg==")])],
        '[{"role":"user","parts":[{"type":"blob","modality":"image","content":"UklGRg=="}]}]',
    ),
    "what was a data URL and is inline now": (
        [wg.UserMessage([wg.ImageBlock(data=b"a", extras=_extras({"type": "uri"}))])],
        '[{"role":"user","parts":[{"type":"blob","modality":"image","content":"YQ=="}]}]',
    ),
    "a document of text": (
        [wg.UserMessage([wg.DocumentBlock(text="é")])],
        '[{"role":"user","parts":[{"type":"blob","modality":"document","content":"w6k=",'
        '"mime_type":"text/plain"}]}]',
    ),
    "data of any other kind": (
        [wg.UserMessage([wg.DataBlock(file_id="f", mime_type="a/b")])],
        '[{"role":"user","parts":[{"type":"file","modality":"data","file_id":"f",'
        '"mime_type":"a/b"}]}]',
    ),
}


@pytest.mark.parametrize(("messages", "text"), WRITTEN.values(), ids=WRITTEN)
def test_what_others_said_is_written_without_a_loss(messages: list[wg.Message], text: str) -> None:
    assert otel.encode(messages).decode() == text


def test_what_is_only_carried_comes_back_byte_for_byte() -> None:
    text = (
        '[{"role":"assistant","parts":[{"type":"tool_call","name":"t","arguments":{ "a" :1e2}},'
        '{"type":"tool_call_response","response":{"b":2 ,"a":-0}},'
        '{"type":"server_tool_call","name":"s","server_tool_call":{"type": "x"}},'
        '{"type":"blob","modality":"image","content":"iVBOR\\/w=="}]}]'
    )
    assert otel.encode(otel.decode(text)).decode() == text
    assert otel.encode(otel.decode(text, list[otel.Message])).decode() == text


def test_a_response_that_was_changed_is_written_anew() -> None:
    (message,) = otel.decode(_RESULT % '{"temp": 57}')
    message.content[0].content = [wg.TextBlock("57")]
    assert otel.encode([message]).decode() == _RESULT % '"57"'


LOST = {
    "a summary": ([wg.CompactionSummaryMessage("all")], "$[0]", "compactionSummary"),
    "a custom message with the role of a user": ([wg.CustomMessage("user")], "$[0]", "custom"),
    "encrypted thinking": (
        [wg.AssistantMessage([wg.ThinkingBlock("", "ZW5j", redacted=True)])],
        "$[0].content[0]",
        "redacted thinking",
    ),
    "a signature": (
        [wg.AssistantMessage([wg.ThinkingBlock("so", "c2ln")])],
        "$[0].content[0].signature",
        "signature",
    ),
    "that a tool failed": (
        [wg.ToolResultMessage("c", is_error=True)],
        "$[0].isError",
        "isError",
    ),
    "a tool's name that no call says": (
        [wg.ToolResultMessage("c", "t")],
        "$[0].toolName",
        "toolName",
    ),
    "thinking in a result": (
        [wg.ToolResultMessage("c", content=[wg.ThinkingBlock("so")])],
        "$[0].content[0]",
        "thinking",
    ),
    "a block of another API": (
        [wg.UserMessage([wg.OpaqueBlock("gemini", {"k": 1})])],
        "$[0].content[0]",
        "opaque",
    ),
    "a medium of nowhere": (
        [wg.UserMessage([wg.ImageBlock()])],
        "$[0].content[0]",
        "media source",
    ),
    "a second source of a document": (
        [wg.UserMessage([wg.DocumentBlock(data=b"a", text="t")])],
        "$[0].content[0].text",
        "text",
    ),
    "a broken data URL beside a text": (
        [wg.UserMessage([wg.DocumentBlock(url="data:x", text="t")])],
        "$[0].content[0].url",
        "url",
    ),
    "a provider's word beside ours": (
        [wg.AssistantMessage([], wg.StopReason.STOP, raw_stop_reason="STOP")],
        "$[0].rawStopReason",
        "rawStopReason",
    ),
    "a model": ([wg.AssistantMessage([], model="m")], "$[0].model", "model"),
    "keys of an API": (
        [wg.UserMessage([wg.TextBlock("a", extras={"gemini": wg.Extra({"k": 1})})])],
        "$[0].content[0].extras",
        "extras",
    ),
}


@pytest.mark.parametrize(("messages", "path", "what"), LOST.values(), ids=LOST)
def test_what_is_lost_is_said_to_be(messages: Any, path: str, what: str) -> None:
    losses: list[wg.Loss] = []
    otel.encode(messages, losses=losses)
    assert [(loss.path, loss.what) for loss in losses] == [(path, what)]
    with pytest.raises(wg.LossError) as caught:
        otel.encode(messages)
    assert (caught.value.path, caught.value.wire) == (path, "otel")


BROKEN = {
    "no role": ('{"parts":[]}', "object missing required field `role` - at `$`"),
    "no parts": ('[{"role":"user"}]', "object missing required field `parts` - at `$[0]`"),
    "a part without a type": (
        '[{"role":"user","parts":[{"content":"a"}]}]',
        "object missing required field `type` - at `$[0].parts[0]`",
    ),
    "half a character": (
        '[{"role":"user","parts":[{"type":"text","content":"\\ud83d"}]}]',
        (
            "lone surrogate: half a character is not Unicode text;"
            " U+FFFD takes its place; pass a list as `losses`, and read it - at `byte 51`"
        ),
    ),
}


@pytest.mark.parametrize(("text", "error"), BROKEN.values(), ids=BROKEN)
def test_what_is_no_message_is_refused(text: str, error: str) -> None:
    with pytest.raises(wg.DecodeError) as caught:
        otel.decode(text)
    assert str(caught.value) == f"otel: {error}"
    if "half" not in error:
        with pytest.raises(wg.DecodeError):
            otel.decode(text, losses=[])


def test_half_a_character_of_a_response_is_replaced_where_losses_are_kept() -> None:
    with pytest.raises(wg.DecodeError):
        otel.decode(_RESULT % '"\\ud83d"')
    losses: list[wg.Loss] = []
    (message,) = otel.decode(_RESULT % '"\\ud83d"', losses=losses)
    assert message.content[0].text() == "\ufffd"
    assert [loss.what for loss in losses] == ["lone surrogate"]


def test_what_cannot_be_written_is_refused() -> None:
    with pytest.raises(wg.EncodeError, match="otel: `str`, expected a message"):
        otel.encode(["text"])
    broken = wg.OpaqueBlock("otel", {"content": "no type"})
    with pytest.raises(wg.EncodeError, match="object missing required field `type`"):
        otel.encode([wg.UserMessage([broken])])


# -- attributes --------------------------------------------------------------------------------

REQUEST = wg.Request(
    [
        wg.SystemMessage([wg.TextBlock("Be brief."), wg.TextBlock("Be kind.")]),
        wg.SystemMessage([wg.TextBlock("And quick.")], name="ops"),
        wg.UserMessage([wg.TextBlock("Weather?")]),
    ],
    model="m",
    tools=[
        wg.Tool("weather", "Tells.", wg.RawJson('{ "type":"object" }')),
        wg.OpaqueBlock("otel", {"type": "web_search", "name": "web", "x": 1}),
    ],
)
ANSWER = wg.AssistantMessage([wg.TextBlock("Rain.")], wg.StopReason.STOP)
ATTRIBUTES = {
    "gen_ai.system_instructions": (
        '[{"type":"text","content":"Be brief."},{"type":"text","content":"Be kind."}]'
    ),
    "gen_ai.input.messages": (
        '[{"role":"system","parts":[{"type":"text","content":"And quick."}],"name":"ops"},'
        '{"role":"user","parts":[{"type":"text","content":"Weather?"}]}]'
    ),
    "gen_ai.output.messages": (
        '[{"role":"assistant","parts":[{"type":"text","content":"Rain."}],"finish_reason":"stop"}]'
    ),
    "gen_ai.tool.definitions": (
        '[{"type":"function","name":"weather","description":"Tells.",'
        '"parameters":{ "type":"object" }},{"type":"web_search","name":"web","x":1}]'
    ),
}


def test_a_question_and_its_answer_are_the_attributes_of_a_span() -> None:
    assert otel.attributes(REQUEST, wg.Response(ANSWER)) == ATTRIBUTES
    answers = wg.Response(ANSWER, alternatives=[wg.AssistantMessage([])])
    output = otel.attributes(wg.Request([]), answers)
    assert output["gen_ai.output.messages"].endswith(',{"role":"assistant","parts":[]}]')
    assert output["gen_ai.input.messages"] == "[]"
    assert len(output) == 2


def test_instructions_with_a_name_stay_a_message() -> None:
    request = wg.Request([wg.SystemMessage([wg.TextBlock("a")], name="ops")])
    assert otel.attributes(request) == {
        "gen_ai.input.messages": (
            '[{"role":"system","parts":[{"type":"text","content":"a"}],"name":"ops"}]'
        )
    }


def test_the_attributes_of_a_span_are_read_in_order() -> None:
    answer = wg.AssistantMessage(
        [wg.TextBlock("Rain.")], wg.StopReason.STOP, raw_stop_reason="stop"
    )
    said = [*REQUEST.messages, answer]
    assert otel.messages_of(ATTRIBUTES) == said
    assert otel.tools_of(ATTRIBUTES) == REQUEST.tools
    structured = {name: json.loads(text) for name, text in ATTRIBUTES.items()}
    assert otel.messages_of(structured) == said
    assert otel.tools_of({}) == otel.messages_of({}) == []


def test_bad_attributes_are_a_decode_error() -> None:
    for value in ("[{}]", "{", [{}], object()):
        for name in ATTRIBUTES:
            read = otel.tools_of if name == "gen_ai.tool.definitions" else otel.messages_of
            with pytest.raises(wg.DecodeError, match="otel: "):
                read({name: value})


def test_what_of_a_question_is_lost_is_said_to_be() -> None:
    losses: list[wg.Loss] = []
    tools = [wg.Tool("a", strict=True), wg.OpaqueBlock("gemini", {"googleSearch": {}})]
    asked = [wg.SystemMessage.from_text("s"), wg.UserMessage([wg.TextBlock("x", signature="s")])]
    answer = wg.AssistantMessage([wg.ThinkingBlock("", "s", redacted=True)])
    other = wg.AssistantMessage([wg.TextBlock("y")], usage=wg.Usage(1))
    response = wg.Response(answer, alternatives=[other])
    made = otel.attributes(wg.Request(asked, tools=tools), response, losses=losses)
    assert made["gen_ai.tool.definitions"] == '[{"type":"function","name":"a"}]'
    assert [(loss.path, loss.what) for loss in losses] == [
        ("$.request.messages[1].content[0].signature", "signature"),
        ("$.response.message.content[0]", "redacted thinking"),
        ("$.response.alternatives[0].usage", "usage"),
        ("$.request.tools[0].strict", "strict"),
        ("$.request.tools[1]", "opaque"),
    ]


@given(otel_documents.tools())
def test_any_tools_come_back_equal(tools: list[otel.ToolDefinition]) -> None:
    definitions = otel.encode(tools).decode()
    found = otel.tools_of({"gen_ai.tool.definitions": definitions})
    made = otel.attributes(wg.Request([], tools=found))
    assert made.get("gen_ai.tool.definitions", "[]") == definitions


# -- the conventions' own library ----------------------------------------------------------------


def _library() -> Any:
    return pytest.importorskip("opentelemetry.util.genai.types")


def _parts(library: Any) -> dict[str, Any]:
    return {
        "text": library.TextPart,
        "reasoning": library.ReasoningPart,
        "tool_call": library.ToolCallRequestPart,
        "tool_call_response": library.ToolCallResponsePart,
        "blob": library.BlobPart,
        "file": library.FilePart,
        "uri": library.UriPart,
        "server_tool_call": library.ServerToolCallPart,
        "server_tool_call_response": library.ServerToolCallResponsePart,
        "compaction": library.CompactionPart,
    }


# As the schemas have it: keys that have to be there, and what each key may hold.
_REQUIRED = {
    "text": {"content"},
    "reasoning": {"content"},
    "tool_call": {"name"},
    "tool_call_response": {"response"},
    "blob": {"modality", "content"},
    "file": {"modality", "file_id"},
    "uri": {"modality", "uri"},
    "server_tool_call": {"name", "server_tool_call"},
    "server_tool_call_response": {"server_tool_call_response"},
    "compaction": set(),
}
_OPTIONAL = {"id", "arguments", "mime_type", "type", "content"}
_ANYTHING = {"arguments", "response", "server_tool_call", "server_tool_call_response"}


def _check_message(library: Any, message: dict[str, Any]) -> None:
    """Check a message against the schemas, and build the library's own of it."""
    assert {"role", "parts"} <= message.keys() <= {"role", "parts", "name", "finish_reason"}
    for part in message["parts"]:
        required = _REQUIRED[part["type"]]
        assert required <= part.keys() <= required | _OPTIONAL
        assert all(isinstance(part[key], str) for key in part.keys() - _ANYTHING)
    parts = [
        _parts(library)[part["type"]](**dict.fromkeys(_missing(part)) | part)
        for part in message["parts"]
    ]
    kind = library.OutputMessage if message["role"] == "assistant" else library.InputMessage
    made = kind(**{**message, "parts": parts})
    assert _without_nulls(made) == {**message, "parts": list(map(_some, message["parts"]))}


def _missing(part: dict[str, Any]) -> tuple[str, ...]:
    """Return the fields that the library asks for, and the schemas do not."""
    if part["type"] == "tool_call":
        return "id", "arguments"
    if part["type"] == "tool_call_response":
        return ("id",)
    return ("mime_type",) if "modality" in part else ()


def _some(keys: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in keys.items() if value is not None}


def _without_nulls(made: Any) -> dict[str, Any]:
    from dataclasses import asdict

    message = _some(asdict(made))
    return {**message, "parts": [_some(part) for part in message["parts"]]}


@settings(max_examples=300)
@given(testing.sessions())
def test_the_library_takes_whatever_is_written(session: list[wg.AgentMessage]) -> None:
    library = _library()
    for message in json.loads(otel.encode(session, losses=[])):
        _check_message(library, message)


def _said(library: Any) -> list[Any]:
    return [
        library.InputMessage("system", [library.TextPart("Be brief.")]),
        library.InputMessage(
            "user",
            [
                library.TextPart("é"),
                library.BlobPart("image/png", library.Modality.IMAGE, b"\x89PNG"),
                library.FilePart(None, "document", "f"),
                library.UriPart("video/mp4", "video", "gs://b/o"),
            ],
            "Ada",
        ),
        library.OutputMessage(
            "assistant",
            [
                library.ReasoningPart("so"),
                library.ToolCallRequestPart({"a": 1.5}, "plot", "c1"),
                library.ToolCallRequestPart(None, "now", None),
                library.ServerToolCallPart("web_search", {"type": "search", "q": "x"}),
                library.ServerToolCallResponsePart({"type": "search", "n": 1}, "s"),
                library.CompactionPart(),
            ],
            "tool_call",
        ),
        library.InputMessage(
            "tool",
            [
                library.ToolCallResponsePart("57", "c1"),
                library.ToolCallResponsePart({"temp": 57}, None),
            ],
        ),
    ]


def test_what_the_library_writes_is_read_and_comes_back() -> None:
    from opentelemetry.util.genai import utils

    library = _library()
    body = utils.gen_ai_json_dumps(_said(library))
    messages = otel.decode(body)
    assert [message.role for message in messages] == ["system", "user", "assistant", "tool"]
    assert messages[1].content[1] == wg.ImageBlock(data=b"\x89PNG", mime_type="image/png")
    assert messages[3].content[0].tool_name == "plot"
    assert json.loads(otel.encode(messages)) == json.loads(body)
    assert json.loads(otel.encode(otel.decode(body, list[otel.Message]))) == json.loads(body)


def test_what_the_library_records_in_a_span_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    library = _library()
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
    from opentelemetry.util.genai.handler import TelemetryHandler

    monkeypatch.setenv("OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT", "SPAN_ONLY")
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    handler = TelemetryHandler(tracer_provider=provider)
    with handler.inference("openai", request_model="m") as invocation:
        invocation.system_instruction = [library.TextPart("Be brief.")]
        invocation.input_messages = [library.InputMessage("user", [library.TextPart("Weather?")])]
        invocation.output_messages = [
            library.OutputMessage("assistant", [library.TextPart("Rain.")], "stop")
        ]
        invocation.tool_definitions = [
            library.FunctionToolDefinition("weather", "Tells.", {"type": "object"}),
            library.GenericToolDefinition("web", "web_search"),
        ]
    (span,) = exporter.get_finished_spans()
    messages = otel.messages_of(span.attributes)
    assert [(message.role, message.text()) for message in messages] == [
        ("system", "Be brief."),
        ("user", "Weather?"),
        ("assistant", "Rain."),
    ]
    weather, web = otel.tools_of(span.attributes)
    assert (weather.name, weather.parameters.value) == ("weather", {"type": "object"})
    request = wg.Request(wg.llm_messages(messages[:2]), tools=[weather, web])
    answer = wg.Response(messages[2])
    made = otel.attributes(request, answer)
    assert {name: json.loads(text) for name, text in made.items()} == {
        name: json.loads(span.attributes[name]) for name in ATTRIBUTES
    }
