"""A conversation and an answer in eight wires, translated between any two: what is kept."""

import contextlib
import json
import traceback
from importlib import import_module
from typing import Any

import pytest

import wireglot as wg
from tests.clients.turn import ARGUMENTS as CALLED
from tests.clients.turn import RESPONSES, STREAMS, TEXT
from tests.providers.streams import chunked

PNG = "iVBORw0KGgo="
SCHEMA = '{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}'
ARGUMENTS = '{"city":"Köln","n":12345678901234567890123}'

BODIES: dict[str, str] = {
    "anthropic": f"""
{{"model":"m","max_tokens":77,"temperature":0.5,"stop_sequences":["END"],
 "tools":[{{"name":"weather","description":"Look it up","input_schema":{SCHEMA}}}],
 "system":[{{"type":"text","text":"Be brief."}}],
 "messages":[
  {{"role":"user","content":[{{"type":"text","text":"Is it raining?"}},
   {{"type":"image","source":{{"type":"base64","media_type":"image/png","data":"{PNG}"}}}}]}},
  {{"role":"assistant","content":[{{"type":"text","text":"Let me see."}},
   {{"type":"tool_use","id":"call00001","name":"weather","input":{ARGUMENTS}}}]}},
  {{"role":"user","content":[{{"type":"tool_result","tool_use_id":"call00001",
   "content":[{{"type":"text","text":"12 degrees"}}]}},{{"type":"text","text":"Well?"}}]}}]}}""",
    "openai_chat": f"""
{{"model":"m","max_completion_tokens":77,"temperature":0.5,"stop":["END"],
 "tools":[{{"type":"function","function":{{"name":"weather","description":"Look it up",
  "parameters":{SCHEMA}}}}}],
 "messages":[{{"role":"system","content":"Be brief."}},
  {{"role":"user","content":[{{"type":"text","text":"Is it raining?"}},
   {{"type":"image_url","image_url":{{"url":"data:image/png;base64,{PNG}"}}}}]}},
  {{"role":"assistant","content":"Let me see.","tool_calls":[{{"id":"call00001",
   "type":"function","function":{{"name":"weather","arguments":{json.dumps(ARGUMENTS)}}}}}]}},
  {{"role":"tool","tool_call_id":"call00001","content":"12 degrees"}},
  {{"role":"user","content":"Well?"}}]}}""",
    "openai_responses": f"""
{{"model":"m","max_output_tokens":77,"temperature":0.5,"store":false,
 "tools":[{{"type":"function","name":"weather","description":"Look it up","parameters":{SCHEMA},
  "strict":false}}],
 "instructions":"Be brief.",
 "input":[
  {{"role":"user","content":[{{"type":"input_text","text":"Is it raining?"}},
   {{"type":"input_image","image_url":"data:image/png;base64,{PNG}","detail":"auto"}}]}},
  {{"role":"assistant","content":"Let me see."}},
  {{"type":"function_call","call_id":"call00001","name":"weather",
   "arguments":{json.dumps(ARGUMENTS)}}},
  {{"type":"function_call_output","call_id":"call00001","output":"12 degrees"}},
  {{"role":"user","content":"Well?"}}]}}""",
    "gemini": f"""
{{"generationConfig":{{"maxOutputTokens":77,"temperature":0.5,"stopSequences":["END"]}},
 "tools":[{{"functionDeclarations":[{{"name":"weather","description":"Look it up",
  "parametersJsonSchema":{SCHEMA}}}]}}],
 "systemInstruction":{{"parts":[{{"text":"Be brief."}}]}},
 "contents":[{{"role":"user","parts":[{{"text":"Is it raining?"}},
   {{"inlineData":{{"mimeType":"image/png","data":"{PNG}"}}}}]}},
  {{"role":"model","parts":[{{"text":"Let me see."}},
   {{"functionCall":{{"name":"weather","args":{ARGUMENTS},"id":"call00001"}}}}]}},
  {{"role":"user","parts":[{{"functionResponse":{{"name":"weather","id":"call00001",
   "response":{{"output":"12 degrees"}}}}}},{{"text":"Well?"}}]}}]}}""",
    "bedrock": f"""
{{"inferenceConfig":{{"maxTokens":77,"temperature":0.5,"stopSequences":["END"]}},
 "toolConfig":{{"tools":[{{"toolSpec":{{"name":"weather","description":"Look it up",
  "inputSchema":{{"json":{SCHEMA}}}}}}}]}},
 "system":[{{"text":"Be brief."}}],
 "messages":[{{"role":"user","content":[{{"text":"Is it raining?"}},
   {{"image":{{"format":"png","source":{{"bytes":"{PNG}"}}}}}}]}},
  {{"role":"assistant","content":[{{"text":"Let me see."}},
   {{"toolUse":{{"toolUseId":"call00001","name":"weather","input":{ARGUMENTS}}}}}]}},
  {{"role":"user","content":[{{"toolResult":{{"toolUseId":"call00001",
   "content":[{{"text":"12 degrees"}}]}}}},{{"text":"Well?"}}]}}]}}""",
    "mistral": f"""
{{"model":"m","max_tokens":77,"temperature":0.5,"stop":["END"],
 "tools":[{{"type":"function","function":{{"name":"weather","description":"Look it up",
  "parameters":{SCHEMA}}}}}],
 "messages":[{{"role":"system","content":"Be brief."}},
  {{"role":"user","content":[{{"type":"text","text":"Is it raining?"}},
   {{"type":"image_url","image_url":"data:image/png;base64,{PNG}"}}]}},
  {{"role":"assistant","content":"Let me see.","tool_calls":[{{"id":"call00001",
   "type":"function","function":{{"name":"weather","arguments":{json.dumps(ARGUMENTS)}}}}}]}},
  {{"role":"tool","tool_call_id":"call00001","name":"weather","content":"12 degrees"}},
  {{"role":"user","content":"Well?"}}]}}""",
    "cohere": f"""
{{"model":"m","max_tokens":77,"temperature":0.5,"stop_sequences":["END"],
 "tools":[{{"type":"function","function":{{"name":"weather","description":"Look it up",
  "parameters":{SCHEMA}}}}}],
 "messages":[{{"role":"system","content":"Be brief."}},
  {{"role":"user","content":[{{"type":"text","text":"Is it raining?"}},
   {{"type":"image_url","image_url":{{"url":"data:image/png;base64,{PNG}"}}}}]}},
  {{"role":"assistant","tool_plan":"Let me see.","tool_calls":[{{"id":"call00001",
   "type":"function","function":{{"name":"weather","arguments":{json.dumps(ARGUMENTS)}}}}}]}},
  {{"role":"tool","tool_call_id":"call00001","content":"12 degrees"}},
  {{"role":"user","content":"Well?"}}]}}""",
    "ollama": f"""
{{"model":"m","stream":false,"options":{{"num_predict":77,"temperature":0.5,"stop":["END"]}},
 "tools":[{{"type":"function","function":{{"name":"weather","description":"Look it up",
  "parameters":{SCHEMA}}}}}],
 "messages":[{{"role":"system","content":"Be brief."}},
  {{"role":"user","content":"Is it raining?","images":["{PNG}"]}},
  {{"role":"assistant","content":"Let me see.","tool_calls":[{{"id":"call00001",
   "function":{{"name":"weather","arguments":{ARGUMENTS}}}}}]}},
  {{"role":"tool","tool_name":"weather","tool_call_id":"call00001","content":"12 degrees"}},
  {{"role":"user","content":"Well?"}}]}}""",
}
PATHS = {
    "gemini": "/v1beta/models/m:generateContent",
    "bedrock": "/model/m/converse",
}


def _unsaid(name: str) -> set[str]:
    """Return what a wire has no word for, and so does not come out of it or go into it."""
    if name in OURS:
        return {"stop"} if name == "openai_responses" else set()
    carried = import_module(f"wireglot.providers.{name}.losses").RULES.carried
    unsaid = {"stop", "temperature"} - {*carried[wg.Request].split()}
    return unsaid if wg.ImageBlock in carried else {*unsaid, "image"}


OURS = frozenset(
    {"anthropic", "bedrock", "cohere", "gemini", "mistral", "ollama"}
    | {"openai_chat", "openai_responses"}
)
"""The wires that can say all of it, but for one thing."""
UNSAID = {name: _unsaid(name) for name in wg.PROVIDERS}
PAIRS = [(source, target) for source in wg.PROVIDERS for target in wg.PROVIDERS]


@pytest.mark.parametrize(("source", "target"), PAIRS, ids=[f"{a} to {b}" for a, b in PAIRS])
def test_a_conversation_keeps_all_that_both_wires_can_say(source: str, target: str) -> None:
    losses: list[wg.Loss] = []
    made = wg.translate_request(
        BODIES[source], source, target, losses=losses, path=PATHS.get(source)
    )
    lost = {loss.what for loss in losses}
    unsaid = UNSAID[source] | UNSAID[target]
    assert lost <= UNSAID[target]
    assert json.loads(BODIES[target]).keys() >= json.loads(made).keys() - {"strict_tools"}
    request = wg.PROVIDERS[target].decode_request(made, PATHS.get(target))
    assert request.model == "m"
    assert request.max_tokens == 77
    if "temperature" not in unsaid:
        assert request.temperature == 0.5
    if "stop" not in unsaid:
        assert request.stop == ["END"]
    assert request.tools is not None
    (tool,) = request.tools
    assert isinstance(tool, wg.Tool)
    assert (tool.name, tool.description) == ("weather", "Look it up")
    assert tool.parameters is not None
    assert tool.parameters.value == json.loads(SCHEMA)
    image = [] if "image" in unsaid else [f"user: image/png {PNG}"]
    assert _told(request.messages) == [
        "system: Be brief.",
        "user: Is it raining?",
        *image,
        "assistant: Let me see.",
        f"assistant: weather {json.dumps(json.loads(ARGUMENTS), ensure_ascii=False)}",
        "result: 12 degrees",
        "user: Well?",
    ]
    (call,) = [b for m in request.messages for b in m.content if type(b) is wg.ToolCallBlock]
    (result,) = [b for m in request.messages for b in m.content if type(b) is wg.ToolResultBlock]
    assert call.id == result.tool_call_id
    assert call.arguments.text == ARGUMENTS.encode()  # byte for byte, on wires of both kinds


def _told(messages: list[Any]) -> list[str]:
    told: list[str] = []
    for message in messages:
        for block in message.content:
            role = message.role
            if type(block) is wg.TextBlock:
                told.append(f"{role}: {block.text}")
            elif type(block) is wg.ImageBlock:
                told.append(f"{role}: {block.mime_type or 'image/png'} {block.data.to_base64()}")
            elif type(block) is wg.ToolCallBlock:
                value = json.dumps(json.loads(block.arguments.text), ensure_ascii=False)
                told.append(f"{role}: {block.name} {value}")
            elif type(block) is wg.ToolResultBlock:
                told.append(f"result: {block.text()}")
    return told


@pytest.mark.parametrize("name", list(wg.PROVIDERS))
def test_its_own_wire_gives_the_same_json_back(name: str) -> None:
    made = wg.translate_request(BODIES[name], name, name, path=PATHS.get(name))
    assert json.loads(made) == json.loads(BODIES[name])


def test_the_model_may_have_another_name_there() -> None:
    made = wg.translate_request(BODIES["gemini"], "gemini", "anthropic", model="claude-sonnet-4-5")
    assert made.startswith(b'{"model":"claude-sonnet-4-5","max_tokens":77,')


def test_dialects_of_both_sides() -> None:
    made = wg.translate_request(
        BODIES["anthropic"].replace('"model":"m"', '"anthropic_version":"bedrock-2023-05-31"'),
        "anthropic",
        "anthropic",
        path="/model/claude/invoke",
        source_dialect="bedrock",
        target_dialect="vertex",
    )
    assert made.startswith(b'{"anthropic_version":"vertex-2023-10-16","max_tokens":77,')


def test_what_the_target_cannot_carry_is_an_error_or_a_loss() -> None:
    body = b'{"model":"m","max_tokens":9,"top_k":5,"messages":[{"role":"user","content":"hi"}]}'
    with pytest.raises(wg.LossError, match="top_k"):
        wg.translate_request(body, "anthropic", "openai_chat")
    losses: list[wg.Loss] = []
    wg.translate_request(body, "anthropic", "openai_chat", losses=losses)
    assert [loss.what for loss in losses] == ["top_k"]


def test_an_unknown_provider_is_named() -> None:
    with pytest.raises(wg.EncodeError, match="unknown provider `x`, expected one of `anthropic`, "):
        wg.translate_request(b"{}", "x", "anthropic")


def test_a_body_that_is_no_request() -> None:
    with pytest.raises(wg.DecodeError, match=r"^openai_chat: "):
        wg.translate_request(b"{}", "openai_chat", "anthropic")


@pytest.mark.parametrize("path", [None, "", "/v1/chat/completions"])
def test_an_empty_name_of_a_model_is_none(path: str | None) -> None:
    body = b'{"model":"","messages":[{"role":"user","content":"q"}]}'
    with pytest.raises(wg.EncodeError) as caught:
        wg.translate_request(body, "openai_chat", "mistral", losses=[], path=path)
    assert str(caught.value) == "mistral: no model, expected its name; pass `model` - at `$.model`"


@pytest.mark.parametrize("target", list(wg.PROVIDERS))
def test_the_path_of_none_in_place_of_a_block_is_its_own(target: str) -> None:
    result = wg.ToolMessage([wg.ToolResultBlock("c", content=[wg.TextBlock("ok")])])
    result.content[0].content = [None]
    call = wg.AssistantMessage([wg.ToolCallBlock("c", "f", "{}")], model="m")
    asked = wg.Request([wg.UserMessage([wg.TextBlock("q")]), call, result], model="m")
    losses: list[wg.Loss] = []
    paths: list[str] = []
    try:
        wg.PROVIDERS[target].encode_request(asked, losses=losses)
    except wg.EncodeError as error:
        paths.append(error.path)
    paths += [loss.path for loss in losses]
    assert paths
    assert {path[:13] for path in paths} == {"$.messages[2]"}


def test_a_signature_of_geminis_comes_back_to_it_through_chat() -> None:
    """The call's spelling names who signed it, and is read by another API's encoder."""
    body = (
        b'{"model":"m","messages":[{"role":"user","content":"q"},{"role":"assistant","tool_calls":'
        b'[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"},"extra_content":'
        b'{"google":{"thought_signature":"c2ln"}}}]},{"role":"tool","tool_call_id":"c",'
        b'"content":"ok"}]}'
    )
    assert wg.translate_request(body, "openai_chat", "gemini") == (
        b'{"contents":[{"role":"user","parts":[{"text":"q"}]},{"role":"model","parts":'
        b'[{"functionCall":{"name":"f","args":{},"id":"c"},"thoughtSignature":"c2ln"}]},'
        b'{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":"ok"},'
        b'"id":"c"}}]}]}'
    )


def test_repair() -> None:
    body = b"""{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"hi"},
        {"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]}]}"""
    with pytest.raises(
        wg.EncodeError, match="tool call `a` has no result; add one, or pass repair=True"
    ):
        wg.translate_request(body, "anthropic", "ollama")
    made = wg.translate_request(body, "anthropic", "ollama", losses=[], repair=True)
    assert b'"role":"tool","content":"No result was recorded for this call."' in made


# Answers


@pytest.mark.parametrize("name", list(wg.PROVIDERS))
def test_an_answer_of_its_own_wire_comes_back(name: str) -> None:
    made = wg.translate_response(RESPONSES[name], name, name)
    assert json.loads(made) == _without_null(json.loads(RESPONSES[name]), json.loads(made))


def _without_null(value: Any, like: Any) -> Any:
    """Leave out keys that are null, where `like` has none of them."""
    if isinstance(value, dict) and isinstance(like, dict):
        kept = {k: v for k, v in value.items() if v is not None or k in like}
        return {key: _without_null(item, like.get(key)) for key, item in kept.items()}
    if isinstance(value, list) and isinstance(like, list) and len(value) == len(like):
        return [_without_null(one, other) for one, other in zip(value, like, strict=True)]
    return value


@pytest.mark.parametrize(("source", "target"), PAIRS, ids=[f"{a} to {b}" for a, b in PAIRS])
def test_a_stream_says_what_the_whole_answer_says(source: str, target: str) -> None:
    whole = wg.translate_response(RESPONSES[source], source, target, losses=[])
    translator = wg.StreamTranslator(source, target, losses=[])
    data = b"".join(map(translator.feed, chunked(STREAMS[source], 7))) + translator.close()
    decoder = wg.PROVIDERS[target].StreamDecoder(losses=[])
    decoder.feed(data)
    streamed = decoder.close()
    again = wg.PROVIDERS[target].decode_response(whole, losses=[])
    for message in (streamed.message, again.message):
        assert message.text() == TEXT
        (call,) = message.tool_calls()
        assert (call.name, call.arguments.text) == ("weather", CALLED.encode())
        assert message.stop_reason == wg.StopReason.TOOL_USE
        assert message.usage is not None
        assert (message.usage.input, message.usage.output) == (20, 9)


def test_an_answer_may_name_the_model_that_was_asked_for() -> None:
    made = wg.translate_response(
        RESPONSES["cohere"], "cohere", "anthropic", losses=[], model="claude"
    )
    assert json.loads(made)["model"] == "claude"
    translator = wg.StreamTranslator("cohere", "anthropic", losses=[], model="claude")
    first, _, _ = (translator.feed(STREAMS["cohere"]) + translator.close()).partition(b"\n\n")
    assert b'"model":"claude"' in first


def test_what_is_no_answer() -> None:
    with pytest.raises(wg.DecodeError, match=r"^anthropic: "):
        wg.translate_response(b"[]", "anthropic", "ollama")
    with pytest.raises(wg.StreamError, match=r"^anthropic: "):
        wg.StreamTranslator("anthropic", "ollama").feed(b"event: message_stop\ndata: {\n\n")


def test_what_the_target_of_an_answer_cannot_carry() -> None:
    body = b"""{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[
        {"type":"thinking","thinking":"Hm","signature":"c2lnbmVk"}],"stop_reason":"end_turn",
        "stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":2}}"""
    with pytest.raises(
        wg.LossError, match=r"^ollama: signature: .* at `\$\.message\.content\[0\]`"
    ):
        wg.translate_response(body, "anthropic", "ollama")
    losses: list[wg.Loss] = []
    made = wg.translate_response(body, "anthropic", "ollama", losses=losses)
    assert [loss.what for loss in losses] == ["signature"]
    assert json.loads(made)["message"] == {"role": "assistant", "content": "", "thinking": "Hm"}
    assert b"c2lnbmVk" not in made


def test_a_delta_goes_out_as_soon_as_it_came() -> None:
    translator = wg.StreamTranslator("anthropic", "ollama", losses=[])
    data = STREAMS["anthropic"]
    end = data.index(b'"Let me "')
    end = data.index(b"\n\n", end) + 2
    translator.feed(data[: end - 1])
    (line,) = translator.feed(data[end - 1 : end]).splitlines()
    assert json.loads(line)["message"] == {"role": "assistant", "content": "Let me "}


def test_after_an_error_of_the_target_nothing_goes_out() -> None:
    events = [
        b'{"type":"message_start","message":{"id":"m","type":"message","role":"assistant",'
        b'"model":"m","content":[],"stop_reason":null,"usage":{"input_tokens":1,"output_tokens":1}}}',
        b'{"type":"content_block_start","index":0,'
        b'"content_block":{"type":"thinking","thinking":"","signature":""}}',
        b'{"type":"content_block_delta","index":0,'
        b'"delta":{"type":"signature_delta","signature":"c2lnbmVk"}}',
        b'{"type":"content_block_stop","index":0}',
        b'{"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}',
        b'{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"Do not "}}',
        b'{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"run it."}}',
        b'{"type":"content_block_stop","index":1}',
        b'{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":9}}',
        b'{"type":"message_stop"}',
    ]
    frames = [b"data: " + event + b"\n\n" for event in events]
    translator = wg.StreamTranslator("anthropic", "ollama")
    with pytest.raises(wg.LossError, match="redacted thinking"):
        translator.feed(b"".join(frames[:6]))
    for call in (lambda: translator.feed(b"".join(frames[6:])), translator.close):
        with pytest.raises(wg.LossError, match="redacted thinking"):
            call()


HI = b"""data: {"type":"message_start","message":{"id":"m","type":"message","role":"assistant",\
"model":"m","content":[],"stop_reason":null,"usage":{"input_tokens":1,"output_tokens":1}}}

data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}

data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hi"}}

data: {"type":"content_block_stop","index":0}

"""
BAD = {
    "of the source": (b"data: {oops\n\n", wg.StreamError, r"^anthropic: .* at `\$\[4\]`"),
    "of the target": (
        b'data: {"type":"content_block_start","index":1,'
        b'"content_block":{"type":"redacted_thinking","data":"c2lnbmVk"}}\n\n'
        b'data: {"type":"content_block_stop","index":1}\n\n',
        wg.LossError,
        "redacted thinking",
    ),
}


@pytest.mark.parametrize(("bad", "kind", "reason"), BAD.values(), ids=BAD)
@pytest.mark.parametrize("size", [1, 7, 64, 10_000])
def test_the_bytes_before_an_error_come_first(
    size: int, bad: bytes, kind: type[wg.WireglotError], reason: str
) -> None:
    translator = wg.StreamTranslator("anthropic", "ollama")
    made = []
    with contextlib.suppress(kind):
        for chunk in chunked(HI + bad, size):
            made.append(translator.feed(chunk))
    assert b"".join(made) == (
        b'{"model":"m","created_at":"1970-01-01T00:00:00Z",'
        b'"message":{"role":"assistant","content":"Hi"},"done":false}\n'
    )
    for call in (lambda: translator.feed(b""), translator.close):
        with pytest.raises(kind, match=reason):
            call()


def test_after_an_error_of_close_every_call_raises_it() -> None:
    said = [
        f'{{"content":{{"role":"model","parts":[{{"text":"{text}"}}]}},"finishReason":"STOP",'
        f'"index":{index}}}'
        for index, text in enumerate(["Hi", "Ho"])
    ]
    translator = wg.StreamTranslator("gemini", "bedrock")
    frame = b'data: {"candidates":[%b]}\n\n' % ",".join(said).encode()
    assert translator.feed(frame)
    with pytest.raises(wg.LossError, match="candidates: one answer per request") as first:
        translator.close()
    depth = []
    for call in (translator.close, lambda: translator.feed(frame), translator.close):
        with pytest.raises(wg.LossError) as again:
            call()
        assert again.value is first.value
        depth.append(len(list(traceback.walk_tb(again.value.__traceback__))))
    assert depth[2] == depth[0]  # the traceback does not grow


def test_a_stream_that_was_cut_has_no_end() -> None:
    translator = wg.StreamTranslator("anthropic", "openai_responses", losses=[])
    made = translator.feed(STREAMS["anthropic"].partition(b"event: message_stop")[0])
    with pytest.raises(wg.StreamError, match=r"^anthropic: the stream ended before the answer did"):
        translator.close()
    assert b"response.completed" not in made


def test_an_error_in_a_stream_goes_out_as_the_targets() -> None:
    error = b'{"type":"error","error":{"type":"overloaded_error","message":"Too much to do"}}'
    translator = wg.StreamTranslator("anthropic", "ollama", losses=[])
    made = translator.feed(b"event: error\ndata: " + error + b"\n\n") + translator.close()
    assert json.loads(made) == {"error": "Too much to do"}


def test_a_stream_that_failed_ends_with_the_callers_error() -> None:
    translator = wg.StreamTranslator("anthropic", "openai_chat", losses=[])
    translator.feed(STREAMS["anthropic"].partition(b"event: message_stop")[0])
    with pytest.raises(wg.StreamError) as cut:
        translator.close()
    assert translator.fail(wg.ProviderError("server", "The provider broke off.")) == (
        b'data: {"error":{"message":"The provider broke off.","type":"server_error",'
        b'"param":null,"code":null}}\n\n'
    )
    with pytest.raises(wg.StreamError) as again:
        translator.feed(b"")
    assert again.value is cut.value


def test_half_a_character_in_an_error_does_not_take_the_end_from_a_stream() -> None:
    translator = wg.StreamTranslator("anthropic", "ollama")
    assert translator.fail(wg.ProviderError("server", "a\ud83d")) == b'{"error":"a?"}\n'


def test_a_stream_that_fails_after_its_end_has_no_second_one() -> None:
    translator = wg.StreamTranslator("anthropic", "ollama", losses=[])
    translator.feed(STREAMS["anthropic"])
    translator.close()
    error = wg.ProviderError("server", "Broken pipe.")
    assert translator.fail(error) == b""
    with pytest.raises(wg.ProviderError):
        translator.close()


@pytest.mark.parametrize("way", ["source", "target"])
def test_an_unknown_provider_of_an_answer_is_named(way: str) -> None:
    names = {"source": "anthropic", "target": "anthropic", way: "x"}
    with pytest.raises(wg.EncodeError, match="unknown provider `x`"):
        wg.translate_response(b"{}", **names)
    with pytest.raises(wg.EncodeError, match="unknown provider `x`"):
        wg.StreamTranslator(**names)


@pytest.mark.parametrize("source", wg.PROVIDERS)
def test_all_results_of_a_turn_are_one_content_at_gemini(source: str) -> None:
    calls = [wg.ToolCallBlock(f"call0000{i}", "f", "{}") for i in range(3)]
    request = wg.Request(
        [
            wg.UserMessage.from_text("Go."),
            wg.AssistantMessage(calls[:2]),
            wg.AssistantMessage(calls[2:]),
            *[wg.ToolResultMessage(each.id, content=[wg.TextBlock(each.id)]) for each in calls],
            wg.UserMessage.from_text("Well?"),
        ],
        "m",
        max_tokens=9,
    )
    provider = wg.PROVIDERS[source]
    body = provider.encode_request(request, losses=[])
    path = provider.route(request).path
    contents = json.loads(wg.translate_request(body, source, "gemini", losses=[], path=path))[
        "contents"
    ]
    kinds = [
        [key for part in content["parts"] for key in part if key != "thoughtSignature"]
        for content in contents
    ]
    assert kinds == [["text"], ["functionCall"] * 3, ["functionResponse"] * 3, ["text"]]


_STRANGE = b'{"model":"m","max_tokens":9,"messages":[{"role":"user","content":[%b]}]}'


@pytest.mark.parametrize("source", ["anthropic", "openai_chat"])
def test_a_body_of_more_than_ten_thousand_losses_is_refused(source: str) -> None:
    target = "openai_chat" if source == "anthropic" else "anthropic"
    text, strange = b'{"type":"text","text":"x"}', b'{"type":"strange"}'
    found: list[wg.Loss] = []
    for _ in range(2):  # the losses of an earlier body do not count
        body = _STRANGE % b",".join([text, *[strange] * 10_000])
        wg.translate_request(body, source=source, target=target, losses=found)
    assert len(found) == 20_000
    body = _STRANGE % b",".join([text, *[strange] * 10_001])
    with pytest.raises(wg.LossError, match=r"more than 10,000 losses - at .*content\[10001\]"):
        wg.translate_request(body, source=source, target=target, losses=[])


@pytest.mark.parametrize(
    ("source", "body", "strange"),
    [
        ("gemini", b'{"contents":[{"role":"user","parts":[%b]}]}', b'{"zz":1}'),
        ("bedrock", b'{"messages":[{"role":"user","content":[%b]}]}', b'{"zz":1}'),
        ("cohere", _STRANGE, b'{"type":"zz"}'),
        ("mistral", _STRANGE, b'{"type":"zz"}'),
        ("anthropic", _STRANGE, b'{"type":"text","text":"","zz":1}'),
        ("openai_chat", _STRANGE, b'{"type":"text","text":"","zz":1}'),
    ],
)
def test_a_body_of_more_than_100_000_strange_objects_is_refused_early(
    source: str, body: bytes, strange: bytes
) -> None:
    with pytest.raises(
        wg.LimitError, match=r"more than 100,000 objects with unknown keys .*\[100000\]"
    ):
        wg.PROVIDERS[source].decode_request(body % b",".join([strange] * 110_000))


def test_a_text_of_more_than_ten_thousand_lone_surrogates_is_refused() -> None:
    body = rb'[{"role":"user","content":[{"type":"text","text":"%b"}]}]'
    assert len(wg.json.decode(body % (rb"\ud83d" * 10_000), losses=[])) == 1
    with pytest.raises(wg.LimitError, match="more than 10,000 losses"):
        wg.json.decode(body % (rb"\ud83d" * 10_001), losses=[])
    texts = [wg.TextBlock("\ud83d")] * 10_001
    with pytest.raises(wg.LossError, match="more than 10,000 losses"):
        wg.json.encode([wg.UserMessage([*texts])], losses=[])


@pytest.mark.parametrize("fmt", ["operator_use", "ravi", "pydantic_ai"])
def test_a_format_refuses_more_than_ten_thousand_losses(fmt: str) -> None:
    block = wg.OpaqueBlock("x", wg.RawJson(b'{"type":"y"}'))
    with pytest.raises(wg.LossError, match="more than 10,000 losses"):
        getattr(wg.formats, fmt).encode([wg.UserMessage([block] * 10_001)], losses=[])


NULLS = (
    '{"model":"m","max_tokens":99,"new":null,"messages":[{"role":"user","content":'
    '[{"type":"text","text":"hi","new":null,"more":{"a":null,"b":[]}}],"new":null}]}'
)


@pytest.mark.parametrize("target", [name for name in wg.PROVIDERS if name != "anthropic"])
def test_unknown_keys_that_are_null_are_no_loss(target: str) -> None:
    data = wg.translate_request(NULLS, "anthropic", target)
    assert b"hi" in data
    assert b"new" not in data
    assert wg.translate_request(NULLS, "anthropic", "anthropic").count(b'"new":null') == 3
    with pytest.raises(wg.LossError, match="extras"):
        wg.translate_request(NULLS.replace("null", "0", 1), "anthropic", target)
