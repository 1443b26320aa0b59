"""Keys that another wire does not have -> losses that name them, and their texts.

Cases of the row `extras` of all eight tables, of requests, answers and streams.
"""

import json

import msgspec
import pytest

import wireglot as wg

PATHS = {"gemini": "/v1beta/models/m:generateContent", "bedrock": "/model/m/converse"}
WHY = "keys that another API understands; left out"
# A request with the unknown key `odd` in its root, in a message and in a block of the message.
REQUESTS = {
    "anthropic": b'{"model":"m","max_tokens":99,"odd":1,"messages":[{"role":"user","odd":2,'
    b'"content":[{"type":"text","text":"Hi","odd":3}]}]}',
    "openai_chat": b'{"model":"m","odd":1,"messages":[{"role":"user","odd":2,'
    b'"content":[{"type":"text","text":"Hi","odd":3}]}]}',
    "openai_responses": b'{"model":"m","odd":1,"input":[{"role":"user","odd":2,'
    b'"content":[{"type":"input_text","text":"Hi","odd":3}]}]}',
    "gemini": b'{"odd":1,"contents":[{"role":"user","odd":2,"parts":[{"text":"Hi","odd":3}]}]}',
    "bedrock": b'{"odd":1,"messages":[{"role":"user","odd":2,"content":[{"text":"Hi"}]}]}',
    "mistral": b'{"model":"m","odd":1,"messages":[{"role":"user","odd":2,'
    b'"content":[{"type":"text","text":"Hi","odd":3}]}]}',
    "cohere": b'{"model":"m","odd":1,"messages":[{"role":"user","odd":2,'
    b'"content":[{"type":"text","text":"Hi","odd":3}]}]}',
    "ollama": b'{"model":"m","odd":1,"messages":[{"role":"user","odd":2,"content":"Hi"}]}',
}


def _lost(body: bytes, source: str, target: str) -> list[wg.Loss]:
    losses: list[wg.Loss] = []
    path = PATHS.get(source)
    wg.translate_request(body, source, target, losses=losses, path=path, model="m")
    return losses


@pytest.mark.parametrize("source", REQUESTS)
@pytest.mark.parametrize("target", wg.PROVIDERS)
def test_unknown_keys_of_a_request_are_named_where_they_stood(source: str, target: str) -> None:
    losses = _lost(REQUESTS[source], source, target)
    if source == target:
        assert losses == []
        return
    assert {loss.keys for loss in losses} == {("odd",)}
    paths = {"$", "$.messages[0]", "$.messages[0].content[0]"}
    assert {loss.path for loss in losses} == paths - (
        {"$.messages[0].content[0]"} if source in ("bedrock", "ollama") else set()
    )


def test_the_text_of_a_loss_and_of_its_error_name_the_keys() -> None:
    body = (
        b'{"model":"m","messages":[{"role":"user","content":"Hi"}],'
        b'"prompt_cache_key":"k","verbosity":"low"}'
    )
    (loss,) = _lost(body, "openai_chat", "anthropic")
    assert loss == wg.Loss("$", "extras", WHY, keys=("prompt_cache_key", "verbosity"))
    named = "keys that another API understands (`prompt_cache_key`, `verbosity`); left out"
    assert str(loss) == f"extras: {named} - at `$`"
    with pytest.raises(wg.LossError) as caught:
        wg.translate_request(body, "openai_chat", "anthropic", model="m")
    step = "pass a list as `losses`, and read it"
    assert str(caught.value) == f"anthropic: extras: {named}; {step} - at `$`"


def test_keys_are_told_in_the_order_in_which_they_came() -> None:
    body = b'{"model":"m","z":1,"input":"Hi","b":1,"a":1,"none":null}'
    (loss,) = _lost(body, "openai_responses", "cohere")
    assert loss.keys == ("z", "b", "a")


def test_a_key_inside_of_a_known_object_is_named_without_the_object() -> None:
    body = b'{"model":"m","input":"Hi","text":{"verbosity":"low"},"new":{"inner":1}}'
    (loss,) = _lost(body, "openai_responses", "anthropic")
    assert {*loss.keys} == {"verbosity", "new"}


def test_only_a_few_of_many_keys_are_kept_and_none_at_length() -> None:
    keys = b",".join(b'"k%d%b":1' % (i, b"x" * 200 if i == 1 else b"") for i in range(100_000))
    body = b'{"model":"m","input":"Hi",%b}' % keys
    (loss,) = _lost(body, "openai_responses", "gemini")
    assert len(loss.keys) == 64
    assert loss.more_keys == 99_936
    assert loss.keys[1] == "k1" + "x" * 95 + "..."
    assert str(loss).startswith("extras: keys that another API understands (`k0`, `k1xx")
    assert str(loss).endswith(
        "x...`, `k2`, `k3`, `k4`, `k5`, `k6`, `k7` and 99,992 more); left out - at `$`"
    )


def test_a_name_that_is_not_printable_is_shown_with_escapes() -> None:
    (loss,) = _lost(b'{"model":"m","input":"Hi","a\\nb":1}', "openai_responses", "gemini")
    assert loss.keys == ("a\nb",)
    assert str(loss) == r"extras: keys that another API understands (`a\nb`); left out - at `$`"


def test_the_json_of_a_loss_has_keys_only_if_there_are_some() -> None:
    loss = wg.Loss("$", "extras", WHY, keys=("a",))
    text = f'{{"path":"$","what":"extras","why":"{WHY}","keys":["a"]}}'
    assert msgspec.json.encode(loss) == text.encode()
    assert msgspec.json.decode(text, type=wg.Loss) == loss
    assert msgspec.json.encode(wg.Loss("$", "x", "y")) == b'{"path":"$","what":"x","why":"y"}'


def test_keys_of_a_tool_that_becomes_a_function_are_named() -> None:
    body = (
        b'{"model":"m","input":"Hi","tools":[{"type":"custom","name":"patch","odd":1,'
        b'"defer_loading":true}]}'
    )
    losses = [loss for loss in _lost(body, "openai_responses", "anthropic") if loss.keys]
    assert losses == [wg.Loss("$.tools[0]", "extras", WHY, keys=("odd", "defer_loading"))]


@pytest.mark.parametrize("target", [name for name in wg.PROVIDERS if name != "openai_chat"])
def test_unknown_keys_of_an_answer_are_named(target: str) -> None:
    data = (
        b'{"id":"c","model":"m","odd":1,"choices":[{"index":0,"odd2":1,"finish_reason":"stop",'
        b'"message":{"role":"assistant","content":"Hi","odd3":1}}]}'
    )
    losses: list[wg.Loss] = []
    wg.translate_response(data, "openai_chat", target, losses=losses)
    assert sorted(key for loss in losses for key in loss.keys) == ["odd", "odd2", "odd3"]


STREAM = (
    b'event: message_start\ndata: {"type":"message_start","message":{"id":"m","type":"message",'
    b'"role":"assistant","model":"m","content":[],"usage":{"input_tokens":1,"output_tokens":1}}}\n\n',
    b'event: content_block_start\ndata: {"type":"content_block_start","index":0,'
    b'"content_block":{"type":"text","text":""}}\n\n',
    b'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,%b'
    b'"delta":{"type":"text_delta","text":"Hi"%b}}\n\n',
    b'event: content_block_stop\ndata: {"type":"content_block_stop","index":0}\n\n',
    b'event: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"end_turn",'
    b'"stop_sequence":null},"usage":{"output_tokens":2}}\n\n',
    b'event: message_stop\ndata: {"type":"message_stop"}\n\n',
)


def _streamed(*deltas: tuple[bytes, bytes]) -> list[wg.Loss]:
    losses: list[wg.Loss] = []
    translator = wg.StreamTranslator("anthropic", "cohere", losses=losses)
    start, begin, delta, *rest = STREAM
    for frame in (start, begin, *(delta % each for each in deltas), *rest):
        translator.feed(frame)
    translator.close()
    return losses


def test_unknown_keys_of_events_are_one_loss_for_the_name_of_the_event() -> None:
    losses = _streamed((b'"odd":1,', b',"inner":1'), (b'"odd":2,', b""), (b"", b',"inner":2'))
    assert [loss.keys for loss in losses] == [("odd", "inner")]


def test_further_keys_of_events_of_one_name_are_told_too() -> None:
    losses = _streamed((b'"odd":1,', b""), (b'"odd":1,"more":1,', b""), (b'"more":2,', b""))
    assert [loss.keys for loss in losses] == [("odd",), ("more",)]


def test_no_more_keys_of_events_are_told_than_a_loss_can_name() -> None:
    losses = _streamed(*((b'"k%d":1,' % i, b"") for i in range(200)))
    assert [loss.keys for loss in losses] == [(f"k{i}",) for i in range(64)]


EVENTS = {
    "response.image_generation_call.partial_image": {"partial_image_b64": "iVBORw0KGgo="},
    "response.image_generation_call.generating": {},
    "response.compaction.compacting": {},
    "response.shell_call_command.added": {"command_index": 0, "command": ""},
    "response.shell_call_command.delta": {"command_index": 0, "delta": "ls"},
    "response.shell_call_command.done": {"command_index": 0, "command": "ls"},
    "response.shell_call_output_content.delta": {"command_index": 0, "delta": {"stdout": "a"}},
    "response.apply_patch_call_operation_diff.delta": {"delta": "+a"},
}
BEGUN = '{"id":"r","created_at":1,"model":"m","status":"%s","output":[]}'


def _of_responses(name: str, *, is_named: bool) -> list[bytes]:
    data = json.dumps({"type": name, "item_id": "i", "output_index": 0, **EVENTS.get(name, {})})
    first = '{"type":"response.created","response":%s}' % (BEGUN % "in_progress")
    last = '{"type":"response.completed","response":%s}' % (BEGUN % "completed")
    head = f"event: {name}\n" if is_named else ""
    return [
        f"data: {first}\n\n".encode(),
        f"{head}data: {data}\n\n".encode(),
        f"data: {last}\n\n".encode(),
    ]


@pytest.mark.parametrize("is_named", [True, False], ids=["named", "without a name"])
@pytest.mark.parametrize("target", wg.PROVIDERS)
@pytest.mark.parametrize("name", EVENTS)
def test_progress_that_the_end_of_an_item_repeats_is_not_a_loss(
    name: str, target: str, is_named: bool
) -> None:
    translator = wg.StreamTranslator("openai_responses", target)
    made = b"".join(map(translator.feed, _of_responses(name, is_named=is_named)))
    made += translator.close()
    if target != "openai_responses":
        assert name.encode() not in made


def test_progress_reaches_a_client_of_its_own_api() -> None:
    frames = _of_responses("response.shell_call_command.delta", is_named=True)
    translator = wg.StreamTranslator("openai_responses", "openai_responses")
    assert frames[1] in b"".join(map(translator.feed, frames))


def test_an_event_that_is_not_progress_is_a_loss_still() -> None:
    losses: list[wg.Loss] = []
    translator = wg.StreamTranslator("openai_responses", "anthropic", losses=losses)
    for frame in _of_responses("response.new_thing.delta", is_named=True):
        translator.feed(frame)
    assert [loss.what for loss in losses] == ["opaque event"]


CACHING = {
    "openai_chat": b'{"model":"m","messages":[{"role":"user","content":"Hi"}],%b}',
    "openai_responses": b'{"model":"m","input":"Hi",%b}',
}


@pytest.mark.parametrize("key", ["prompt_cache_key", "prompt_cache_retention"])
@pytest.mark.parametrize("source", CACHING)
@pytest.mark.parametrize("target", wg.PROVIDERS)
def test_keys_of_caching_are_named_from_each_wire(source: str, target: str, key: str) -> None:
    body = CACHING[source] % (b'"%b":"24h"' % key.encode())
    lost = [loss.keys for loss in _lost(body, source, target)]
    assert lost == ([] if target in CACHING else [(key,)])


@pytest.mark.parametrize(
    ("keys", "lost"),
    [
        (b'"store":false', ()),
        (b'"store":true', ("store",)),
        (b'"include":["reasoning.encrypted_content"]', ()),
        (b'"include":["file_search_call.results"]', ("include",)),
        (b'"stream_options":{"include_obfuscation":false}', ()),
    ],
    ids=["nothing is stored", "stored", "thinking", "results", "padding"],
)
def test_what_another_api_does_anyway_is_not_a_loss(keys: bytes, lost: tuple[str, ...]) -> None:
    body = CACHING["openai_responses"] % keys
    found = [key for loss in _lost(body, "openai_responses", "mistral") for key in loss.keys]
    assert tuple(found) == lost
    assert keys in wg.translate_request(body, "openai_responses", "openai_responses")


SHELLS = {
    b'"allowed_callers":["direct"]': (),
    b'"allowed_callers":["programmatic"]': ("allowed_callers",),
    b'"environment":{"type":"local"}': (),
    b'"environment":{"type":"local","skills":[{"name":"pdf","description":"d","path":"/p"}]}': (
        "skills",
    ),
}


@pytest.mark.parametrize("option", SHELLS)
def test_options_of_a_shell_that_no_function_has_are_named(option: bytes) -> None:
    body = CACHING["openai_responses"] % (b'"tools":[{"type":"shell",%b}]' % option)
    losses: list[wg.Loss] = []
    wg.translate_request(body, "openai_responses", "anthropic", losses=losses, names={})
    assert [(loss.path, loss.keys) for loss in losses] == (
        [("$.tools[0]", SHELLS[option])] if SHELLS[option] else []
    )


def test_keys_of_an_image_of_an_answer_are_named_for_responses() -> None:
    body = (
        b'{"output":{"message":{"role":"assistant","content":[{"image":{"format":"png",'
        b'"source":{"bytes":"iVBORw0KGgo="},"error":{"message":"blurred"}}}]}},'
        b'"stopReason":"end_turn","usage":{"inputTokens":1,"outputTokens":1,"totalTokens":2},'
        b'"metrics":{"latencyMs":1}}'
    )
    losses: list[wg.Loss] = []
    made = wg.translate_response(body, "bedrock", "openai_responses", losses=losses, model="m")
    assert b'"type":"image_generation_call","status":"completed","result":"iVBORw0KGgo="' in made
    assert [(loss.path, loss.keys) for loss in losses] == [("$.message.content[0]", ("image",))]
