"""phi-core's own types: their methods, and the JSON of events and settings, literally."""

import typing
from typing import Any

import msgspec
import pytest

import wireglot as wg
from wireglot.formats import phi_core as phi

TIME = "2026-08-01T12:00:00.123456789Z"
USAGE = '{"input":1,"output":2,"reasoning":0,"cache_read":0,"cache_write":0,"total_tokens":3}'
USER = '{"role":"user","content":[{"type":"text","text":"Hi"}],"timestamp":5}'
RESULT = '{"content":[{"type":"text","text":"ok"}],"details":null}'

EVENTS = [
    '{"type":"AgentStart","agent_id":"a","session_id":"s","loop_id":"l","parent_loop_id":null,'
    f'"continuation_kind":"Initial","timestamp":"{TIME}","metadata":null}}',
    '{"type":"AgentStart","agent_id":"a","session_id":"s","loop_id":"l","parent_loop_id":"k",'
    '"continuation_kind":{"Branch":{"tag":"t"}},"timestamp":"t","metadata":[1],"config_snapshot":'
    '{"model":"m","provider":"p","config_id":null,"name":"n","api":"open_ai_responses",'
    '"base_url":"u","reasoning":true,"context_window":9,"max_tokens":8,"thinking_level":"low",'
    '"temperature":0.5}}',
    '{"type":"AgentStart","agent_id":"a","session_id":"s","loop_id":"l","parent_loop_id":"k",'
    '"continuation_kind":"Compaction","timestamp":"t","metadata":null}',
    f'{{"type":"AgentEnd","loop_id":"l","messages":[{USER},'
    '{"role":"extension","kind":"k","data":{}}],'
    f'"usage":{USAGE},"timestamp":"t","rejection":"no"}}',
    '{"type":"TurnStart","loop_id":"l","turn_index":0,"timestamp":"t","triggered_by":"FollowUp"}',
    '{"type":"TurnRequest","loop_id":"l","turn_index":1,"payload":{"system_prompt":"s",'
    f'"messages":[{USER}],"provenance":[{{"kind":"steering"}}],"tools":[{{"name":"t",'
    '"description":"d","parameters":{"b":1e2, "a":[]}}],"model_id":"m","thinking_level":"off",'
    '"max_tokens":4,"temperature":null,"response_format":{"kind":"json-schema","schema":{},'
    '"name":"n","strict":true}},"timestamp":"t"}',
    f'{{"type":"TurnEnd","loop_id":"l","message":{USER},"usage":{USAGE},"timestamp":"t",'
    '"tool_results":[{"role":"toolResult","toolCallId":"c","toolName":"t","content":[],'
    '"isError":false,"timestamp":1}]}',
    f'{{"type":"MessageStart","loop_id":"l","message":{USER}}}',
    f'{{"type":"MessageUpdate","loop_id":"l","message":{USER},'
    '"delta":{"ToolCallDelta":{"delta":"{\\"a"}}}',
    f'{{"type":"MessageEnd","loop_id":"l","message":{USER}}}',
    '{"type":"ToolExecutionStart","loop_id":"l","tool_call_id":"c","tool_name":"t",'
    '"args":{"b": 1e2}}',
    '{"type":"ToolExecutionUpdate","loop_id":"l","tool_call_id":"c","tool_name":"t",'
    f'"partial_result":{RESULT}}}',
    '{"type":"ToolExecutionEnd","loop_id":"l","tool_call_id":"c","tool_name":"t","result":'
    '{"content":[],"details":{"a":1},"child_loop_id":"k"},"is_error":true,"child_loop_id":null}',
    '{"type":"ProgressMessage","loop_id":"l","tool_call_id":"c","tool_name":"t","text":"50 %"}',
    '{"type":"InputRejected","loop_id":"l","reason":"r"}',
    '{"type":"ParallelLoopStart","session_id":"s","loop_ids":["l.1","l.2"],"timestamp":"t"}',
    '{"type":"ParallelLoopEnd","session_id":"s","selected_loop_id":"l.2",'
    f'"selected_config_index":1,"evaluation_usage":{USAGE},"timestamp":"t"}}',
    '{"type":"CompactionStarted","loop_id":"l","estimated_tokens":9,"message_count":3,'
    '"timestamp":"t"}',
    '{"type":"CompactionEnded","loop_id":"l","messages_before":3,"messages_after":1,'
    '"estimated_tokens_before":9,"estimated_tokens_after":2,"loops_compacted":1,"timestamp":"t"}',
    '{"type":"PrunApplied","loop_id":"l","tokens_removed":5,"messages_removed":1,"memo":null,'
    '"pruned_timestamps":[5],"timestamp":"t"}',
    '{"type":"RevertApplied","loop_id":"l","category":"tangent","target":null,'
    '"abandoned_node_ids":[],"summary":"s","applied":false,"reason":"r","timestamp":"t"}',
]


@pytest.mark.parametrize("text", EVENTS)
def test_an_event_both_ways(text: str) -> None:
    event: Any = phi.decode(text, phi.AgentEvent)
    assert type(event).__name__ == event.__struct_config__.tag
    assert phi.encode(event).decode() == text


def test_every_event_has_a_case() -> None:
    seen = {type(phi.decode(text, phi.AgentEvent)) for text in EVENTS}
    assert seen == {*phi.AgentEvent.__args__}


SETTINGS = [
    ('{"enabled":true,"strategy":"auto"}', phi.CacheConfig, phi.CacheConfig.default()),
    (
        '{"enabled":false,"strategy":{"manual":{"cache_system":true,"cache_tools":false,'
        '"cache_messages":true}}}',
        phi.CacheConfig,
        phi.CacheConfig(False, phi.Manual(phi.ManualSections(True, False, True))),
    ),
    (
        '{"input_per_million":3.0,"output_per_million":15.0,"cache_read_per_million":0.3,'
        '"cache_write_per_million":0.0}',
        phi.CostConfig,
        phi.CostConfig(3.0, 15.0, 0.3),
    ),
    ('{"type":"batched","size":3}', phi.ToolExecutionStrategy, phi.Batched(3)),
    ('{"type":"parallel"}', phi.ToolExecutionStrategy, phi.Parallel()),
    ('"bedrock_converse_stream"', phi.ApiProtocol, phi.ApiProtocol.BEDROCK_CONVERSE_STREAM),
    ('{"Rerun":{"tag":"t"}}', phi.ContinuationKind, phi.Continuation(rerun=phi.Marked("t"))),
    ('{"Thinking":{"delta":"x"}}', phi.StreamDelta, phi.StreamDelta(thinking=phi.Delta("x"))),
    ('{"kind":"json-object"}', phi.ResponseFormat, phi.JsonObjectFormat()),
]


@pytest.mark.parametrize(("text", "kind", "value"), SETTINGS)
def test_a_setting_both_ways(text: str, kind: Any, value: Any) -> None:
    assert phi.decode(text, kind) == value
    assert phi.encode(value).decode() == text


@pytest.mark.parametrize("text", ['{"enabled":true}', '{"enabled":true,"strategy":"manual"}'])
def test_a_cache_setting_without_its_strategy_is_refused(text: str) -> None:
    with pytest.raises(wg.DecodeError):
        phi.decode(text, phi.CacheConfig)


@pytest.mark.parametrize("text", ["{}", '{"Text":{"delta":"a"},"Thinking":{"delta":"b"}}'])
def test_a_delta_is_one_of_its_kinds(text: str) -> None:
    with pytest.raises(wg.DecodeError):
        phi.decode(text, phi.StreamDelta)
    with pytest.raises(wg.DecodeError):
        phi.decode("{}", phi.ContinuationKind)


def test_counts_beyond_64_bits_are_refused() -> None:
    with pytest.raises(wg.DecodeError, match="count of 2"):
        phi.decode('{"input":18446744073709551616,"output":0}', phi.Usage)


def test_usage_adds_up_and_costs() -> None:
    usage = phi.Usage(1_000_000, 200_000, 50_000, 3_000_000, 100_000, 5)
    assert usage.combine(phi.Usage(1, 2, 3, 4, 5, 6)) == phi.Usage(
        1_000_001, 200_002, 50_003, 3_000_004, 100_005, 11
    )
    assert usage.estimated_cost(phi.CostConfig(3.0, 15.0, 0.3, 3.75)) == pytest.approx(7.275)
    assert usage.cache_hit_rate() == pytest.approx(3 / 4.1)
    assert phi.Usage(0, 5).cache_hit_rate() == 0.0


@pytest.mark.parametrize(
    "said",
    [
        "Prompt is TOO LONG: 3 > 2",
        "Input is too long for the model",
        "This exceeds the context window of m",
        "The prompt exceeds the maximum of 2",
        "The maximum prompt length is 2",
        "Please reduce the length of the messages",
        "The maximum context length is 2",
        "The request exceeds the limit of 2",
        "The request exceeds the available context size",
        "The prompt is greater than the context length",
        "The context window exceeds limit",
        "You exceeded model token limit",
        "Context length exceeded",
        "400 context_length_exceeded",
        "Too many tokens: 3",
        "Token limit exceeded",
    ],
)
def test_an_overflow_is_an_error_that_says_so(said: str) -> None:
    assert _answer(wg.StopReason.ERROR, said).is_context_overflow()
    assert not _answer(wg.StopReason.STOP, said).is_context_overflow()


@pytest.mark.parametrize("said", ["exceeds the context length", "overloaded", None])
def test_another_error_is_no_overflow(said: str | None) -> None:
    assert not _answer(wg.StopReason.ERROR, said).is_context_overflow()


def _answer(reason: wg.StopReason, said: str | None) -> phi.AssistantMessage:
    return phi.AssistantMessage([], reason, "m", "p", phi.Usage(0, 0), 1, said)


def test_structured_output_is_the_call_that_carries_it_or_the_text() -> None:
    call = phi.ToolCallContent("c", "respond_json", {"a": 1})
    text = [phi.TextContent('{"b":'), phi.TextContent("2}")]
    assert phi.extract_json(phi.UserMessage([*text, call], 1)) == {"a": 1}
    assert phi.extract_json(phi.UserMessage([*text], 1)) == {"b": 2}
    as_text = phi.decode(
        r'{"type":"toolCall","id":"c","name":"respond_json","arguments":"{\"a\":1}"}', phi.Content
    )
    assert phi.extract_json(phi.UserMessage([as_text], 1)) == '{"a":1}'
    with pytest.raises(wg.DecodeError):
        phi.extract_json(phi.UserMessage([phi.TextContent("no JSON")], 1))


def test_a_user_message_is_made_now() -> None:
    before = wg.model.now_ms()
    message = phi.UserMessage.user("Hi")
    assert message.content == [phi.TextContent("Hi")]
    assert before <= message.timestamp <= wg.model.now_ms()


def test_a_turn_is_set_and_cleared_but_not_on_an_extension() -> None:
    turn = wg.model.TurnId("l", 2)
    message = phi.UserMessage([], 1)
    assert message.with_turn_id(turn) is message
    assert phi.encode(message).endswith(b'"turnId":{"loopId":"l","turnIndex":2}}')
    assert phi.encode(message.with_turn_id(None)) == b'{"role":"user","content":[],"timestamp":1}'
    assert message.as_llm() is message
    extension = phi.ExtensionMessage.new("k", {"a": 1})
    assert extension.with_turn_id(turn) is extension
    assert (extension.role, extension.turn_id, extension.timestamp) == ("extension", None, 0)
    assert extension.as_llm() is None


def test_data_that_json_cannot_say_are_null_in_an_extension() -> None:
    assert phi.ExtensionMessage.new("k", float("nan")).data.value is None
    assert phi.encode(phi.ExtensionMessage.new("k", object())) == (
        b'{"role":"extension","kind":"k","data":null}'
    )


def test_images_and_arguments_are_slices_of_the_document() -> None:
    body = (
        b'{"role":"assistant","content":[{"type":"image","data":"AAECAw==","mimeType":"x/y"},'
        b'{"type":"toolCall","id":"c","name":"n","arguments":{"a":  1}}],"stopReason":"stop",'
        b'"model":"","provider":"","usage":{"input":0,"output":0},"timestamp":1}'
    )
    image, call = phi.decode(body, phi.AssistantMessage).content
    assert image.data.to_bytes() == b"\0\1\2\3"
    assert call.arguments.text == b'{"a":  1}'
    assert phi.encode(call) == (b'{"type":"toolCall","id":"c","name":"n","arguments":{"a":  1}}')


def test_constructors_take_plain_data() -> None:
    assert phi.encode(phi.ImageContent(b"\0\1", "x/y")) == (
        b'{"type":"image","data":"AAE=","mimeType":"x/y"}'
    )
    assert phi.encode(phi.ToolDefinition("t", "d", {"type": "object"})) == (
        b'{"name":"t","description":"d","parameters":{"type":"object"}}'
    )
    assert phi.encode(phi.ToolResult([])) == b'{"content":[],"details":null}'


# -- what the source has on every type -------------------------------------------------------------

TAGGED = [
    *phi.Content.__args__,
    *phi.Message.__args__,
    *phi.AgentEvent.__args__,
    *phi.ToolExecutionStrategy.__args__,
    *phi.ResponseFormat.__args__,
]


@pytest.mark.parametrize("kind", TAGGED, ids=lambda kind: kind.__name__)
def test_a_tag_is_an_attribute_too(kind: Any) -> None:
    config = kind.__struct_config__
    assert getattr(kind, config.tag_field) == config.tag
    assert config.tag_field not in kind.__struct_fields__


def _with_none(event: Any) -> Any:
    """Return an event with None in each field that may be None or left out."""
    hints = typing.get_type_hints(type(event))
    unset = {type(None), msgspec.UnsetType}
    names = [name for name, hint in hints.items() if unset & {*typing.get_args(hint)}]
    optional = [name for name in event.__struct_fields__ if name in names and name != "unknown"]
    return msgspec.structs.replace(event, **dict.fromkeys(optional))


@pytest.mark.parametrize("text", EVENTS, ids=lambda text: text[9:].partition('"')[0])
def test_an_event_without_what_is_optional_is_read_as_it_was_written(text: str) -> None:
    event = _with_none(phi.decode(text, phi.AgentEvent))
    again = phi.decode(phi.encode(event), phi.AgentEvent)
    assert again == event


def test_a_continuation_of_no_kind_is_the_first_loop_as_for_phi_core() -> None:
    start = phi.AgentStart("a", "s", "l", None, None, "t")
    assert start.continuation_kind == "Initial"


def test_a_message_is_given_a_place_in_its_session() -> None:
    turn = wg.model.TurnId("l", 2)
    message = (
        phi.UserMessage.user("Hi").with_turn_id(wg.model.TurnId("k", 1)).with_node_identity(7, 6)
    )
    message.add_tag(wg.model.Tag("lesson", "a", 0, []))
    message.add_tag(wg.model.Tag("outcome", "b", 1, [3]))
    message.with_provenance_hint(wg.model.HintSteering())
    assert (message.node_id, message.parent_id) == (7, 6)
    assert [tag.kind for tag in message.tags or ()] == ["lesson", "outcome"]
    bare = phi.LlmMessage.new(message)
    assert phi.encode(bare).decode().startswith('{"role":"user","content":[{"type":"text"')
    assert (bare.turn_id, bare.node_id, bare.parent_id) == (None, None, None)
    assert (bare.tags, bare.provenance_hint) == (None, None)
    placed = phi.LlmMessage.with_turn(message, turn)
    assert (placed.turn_id, placed.node_id) == (turn, None)
    assert message.turn_id == wg.model.TurnId("k", 1)
    extension = phi.ExtensionMessage.new("k", None)
    assert extension.with_node_identity(7) is extension


def test_every_message_says_whether_it_is_an_overflow() -> None:
    messages = [
        phi.UserMessage.user("prompt is too long"),
        phi.ToolResultMessage("c", "t", [], True, 1),
        phi.ExtensionMessage.new("k", "prompt is too long"),
    ]
    assert [message.is_context_overflow() for message in messages] == [False, False, False]


def test_a_turn_is_a_key() -> None:
    assert {wg.model.TurnId("l", 1): "a"}[wg.model.TurnId("l", 1)] == "a"
    with pytest.raises(AttributeError):
        wg.model.TurnId("l", 1).turn_index = 2  # type: ignore[misc]


def test_a_message_for_an_llm_is_one_by_type_and_is_decoded_as_one() -> None:
    text = '{"role":"user","content":[],"timestamp":1}'
    assert phi.decode(text, phi.LlmMessage) == phi.UserMessage([], 1)
    assert phi.decode(f"[{text}]", list[phi.LlmMessage]) == [phi.UserMessage([], 1)]
    assert isinstance(phi.UserMessage([], 1), phi.LlmMessage)
    assert not isinstance(phi.ExtensionMessage.new("k", None), phi.LlmMessage)


CACHED = (
    '[{"role":"assistant","content":[],"stopReason":"stop","model":"m","provider":"%s",'
    '"usage":{"input":100,"output":10,"reasoning":0,"cache_read":80,"cache_write":0,'
    '"total_tokens":110},"timestamp":1}]'
)
# Provider -> the input without cached tokens as this module reads it, and as the native wire does.
INPUTS = {"openai": (20, 100), "google": (20, 100), "anthropic": (100, 100), "bedrock": (100, 100)}


@pytest.mark.parametrize("provider", INPUTS)
def test_the_cached_tokens_are_taken_out_here_and_stay_on_the_native_wire(provider: str) -> None:
    here, native = INPUTS[provider]
    text = CACHED % provider
    assert phi.decode(text)[0].usage.input == here
    (entry,) = wg.json.decode(text)
    assert isinstance(entry, wg.AssistantMessage)
    assert entry.usage is not None
    assert entry.usage.input == native
    assert phi.encode(phi.decode(text)).decode() == text
