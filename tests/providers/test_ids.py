"""Ids that an answer lacks: from a source, or from a hash, in every wire's own form."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from itertools import count, pairwise
from typing import Any

import pytest

import wireglot as wg
from tests.providers.streams import check_chunkings, events_of
from wireglot.framing import eventstream

EVERY = pytest.mark.parametrize("name", wg.PROVIDERS)
BOTH = pytest.mark.parametrize("streamed", [False, True], ids=["whole", "streamed"])


def _source() -> Callable[[], str]:
    numbers: Iterator[int] = count()
    return lambda: f"token{next(numbers)}"


def _response(text: str = "Hi.", **fields: Any) -> wg.Response:
    """Return an answer of another API without any id."""
    blocks = [
        wg.ThinkingBlock("Hm."),
        wg.TextBlock(text),
        wg.ToolCallBlock("", "f", "{}"),
        wg.ToolCallBlock("", "f", "{}"),
    ]
    message = wg.AssistantMessage(
        [*blocks], api="other", model="m", stop_reason=wg.StopReason.TOOL_USE
    )
    return wg.Response(message, **fields)


def _encoded(name: str, response: wg.Response, streamed: bool, **options: Any) -> bytes:
    if not streamed:
        return wg.PROVIDERS[name].encode_response(response, losses=[], **options)
    encoder = wg.PROVIDERS[name].StreamEncoder(losses=[], **options)
    message = response.message
    begun = wg.AssistantMessage([], api="other", model="m")
    events: list[Any] = [wg.StreamStart(wg.Response(begun, created_at=response.created_at))]
    for index, block in enumerate(message.content):
        events += [wg.BlockStart(index, block), wg.BlockEnd(index, block)]
    events.append(wg.StreamEnd(response))
    return b"".join(map(encoder.encode, events)) + encoder.close()


def _ids(data: bytes, keys: str = "id|call_id|toolUseId") -> list[str]:
    found = re.findall(rf'"(?:{keys})": ?"([^"]*)"'.encode(), data)
    return [each.decode() for each in found]


def _keys(name: str) -> str:
    """Return the keys under which a wire writes the ids that it makes."""
    made = _encoded(name, _response(), False, ids=_source())
    return "|".join({"id", *re.findall(r'"(\w+)": ?"[^"]*token\d', made.decode())})


# -- writing -----------------------------------------------------------------------------------

# What a wire without a row writes has the tokens of the source all the same.
FORMS = {
    "anthropic": ["msg_token0", "toolu_token00002", "toolu_token00003"],
    "openai_chat": ["chatcmpl-token0", "call_token00002", "call_token00003"],
    "openai_responses": [
        "resp_token0",
        "rs_token00000",
        "msg_token00001",
        "fc_token00002",
        "call_token00002",
        "fc_token00003",
        "call_token00003",
    ],
    "gemini": [],
    "bedrock": ["tooluse_token00002", "tooluse_token00003"],
    "mistral": ["token0", "1kFu283Zw", "u3ud5uV6H"],
    "cohere": ["token0", "call_token00002", "call_token00003"],
    "ollama": [],
}


@BOTH
@EVERY
def test_a_source_gives_one_token_to_an_answer(name: str, streamed: bool) -> None:
    source, keys = _source(), _keys(name)
    made = _ids(_encoded(name, _response(), streamed, ids=source), keys)
    if name in FORMS:
        assert [*dict.fromkeys(made)] == FORMS[name]
    else:
        assert [each for each in made if "token0" not in each] == []
    again = _ids(_encoded(name, _response(), streamed, ids=source), keys)
    assert not {*again} & {*made}


@BOTH
@EVERY
def test_without_a_source_an_answer_has_the_same_ids_each_time(name: str, streamed: bool) -> None:
    one, other = _response(created_at=1000), _response("Ho.", created_at=2000)
    keys = _keys(name)
    made = _encoded(name, one, streamed)
    assert _encoded(name, one, streamed) == made
    assert not {*_ids(made, keys)} & {*_ids(_encoded(name, other, streamed), keys)}
    tokens = {*_ids(_encoded(name, one, streamed, ids=_source()), keys)}
    assert len({*_ids(made, keys)}) == len(tokens)


def test_ids_of_an_answer_without_a_source_are_hashes() -> None:
    made = _encoded("anthropic", _response(), False)
    assert _ids(made) == [
        "msg_3eff7a6d2c555b7fc1a82bee",
        "toolu_3eff7a6d2c555b7fc1a82bee0002",
        "toolu_3eff7a6d2c555b7fc1a82bee0003",
    ]


@BOTH
@EVERY
def test_ids_that_an_answer_has_are_kept(name: str, streamed: bool) -> None:
    call = wg.ToolCallBlock("abcdefgh1", "f", "{}")
    message = wg.AssistantMessage([call], api="other", model="m")
    response = wg.Response(message, id="msg_given")
    if streamed:
        encoder = wg.PROVIDERS[name].StreamEncoder(losses=[], ids=lambda: "made")
        given = wg.Response(wg.AssistantMessage([], api="other", model="m"), id="msg_given")
        events = [wg.StreamStart(given), wg.BlockStart(0, call), wg.BlockEnd(0, call)]
        made = b"".join(map(encoder.encode, [*events, wg.StreamEnd(response)])) + encoder.close()
    else:
        made = wg.PROVIDERS[name].encode_response(response, losses=[], ids=lambda: "made")
    assert {*_ids(made)} - {"fc_made0000"} <= {"msg_given", "abcdefgh1"}
    assert b"abcdefgh1" in made


# -- reading -----------------------------------------------------------------------------------

_FUNCTION = '{"name":"f","arguments":"{}"}'
_OLLAMA = '{"model":"m","created_at":"%s","message":{"role":"assistant","content":"","tool_calls":['
_OLLAMA += '{"function":{"name":"f","arguments":{}}},{"function":{"name":"f","arguments":{}}}]},'
_OLLAMA += '"done":true,"done_reason":"stop"}'
_GEMINI = '{"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"name":"f"}},'
_GEMINI += '{"functionCall":{"name":"f"}}]},"finishReason":"STOP"}],"modelVersion":"%s"}'
_CHAT = '{"id":"","object":"chat.completion","created":0,"model":"%%s","choices":[{"index":0,'
_CHAT += '"message":{"role":"assistant","content":null,"tool_calls":[{%s"type":"function",'
_CHAT += f'"function":{_FUNCTION}}},{{%s"type":"function","function":{_FUNCTION}}}]}},'
_CHAT += '"finish_reason":"tool_calls"}]}'
_ANTHROPIC = '{"id":"","type":"message","role":"assistant","model":"%s","content":['
_ANTHROPIC += '{"type":"tool_use","id":"","name":"f","input":{}},'
_ANTHROPIC += '{"type":"tool_use","id":"","name":"f","input":{}}],"stop_reason":"tool_use",'
_ANTHROPIC += '"stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}'
_COHERE = '{"message":{"role":"assistant","tool_plan":"%s","tool_calls":['
_COHERE += f'{{"id":"","type":"function","function":{_FUNCTION}}},'
_COHERE += f'{{"id":"","type":"function","function":{_FUNCTION}}}]}},"finish_reason":"TOOL_CALL"}}'
BARE: dict[str, tuple[str, str]] = {
    "Ollama": ("ollama", _OLLAMA),
    "Gemini": ("gemini", _GEMINI),
    "Chat, without the key": ("openai_chat", _CHAT % ("", "")),
    "Chat, an empty id": ("openai_chat", _CHAT % ('"id":"",', '"id":"",')),
    "Chat, null": ("openai_chat", _CHAT.replace('"id":""', '"id":null') % ("", "")),
    "Mistral, without the key": ("mistral", _CHAT % ("", "")),
    "Mistral, the word null": ("mistral", _CHAT % ('"id":"null",', '"id":"null",')),
    "Anthropic": ("anthropic", _ANTHROPIC),
    "Cohere": ("cohere", _COHERE),
}
CALLS = re.compile(r"call_[0-9a-f]{12}_[01]").fullmatch


@pytest.mark.parametrize("case", BARE)
def test_calls_without_ids_get_some(case: str) -> None:
    name, body = BARE[case]
    decode = wg.PROVIDERS[name].decode_response
    one, other = body % "1", body % "2"
    ids = [call.id for call in decode(one).message.tool_calls()]
    assert all(map(CALLS, ids))
    assert len({*ids}) == 2
    assert [call.id for call in decode(one).message.tool_calls()] == ids
    assert not {*ids} & {call.id for call in decode(other).message.tool_calls()}
    made = [call.id for call in decode(one, ids=_source()).message.tool_calls()]
    assert made == ["call_token0_0", "call_token0_1"]


@pytest.mark.parametrize("case", BARE)
def test_they_are_the_same_after_a_way_through_its_own_wire(case: str) -> None:
    name, body = BARE[case]
    provider = wg.PROVIDERS[name]
    response = provider.decode_response(body % "1")
    again = provider.decode_response(provider.encode_response(response, losses=[]))
    if name in ("gemini", "ollama"):  # the others have ids that answers must have
        assert again == response
    assert all(CALLS(call.id) for call in response.message.tool_calls())


@pytest.mark.parametrize("case", BARE)
@EVERY
def test_results_find_calls_that_had_no_ids(case: str, name: str) -> None:
    response = wg.PROVIDERS[BARE[case][0]].decode_response(BARE[case][1] % "1")
    calls = response.message.tool_calls()
    results = [wg.ToolResultBlock.from_text(call.id, str(i)) for i, call in enumerate(calls)]
    asked = wg.UserMessage([wg.TextBlock("Hi.")])
    messages = [asked, response.message, wg.ToolMessage([*results])]
    request = wg.Request(messages, "m", max_tokens=9)
    to = wg.PROVIDERS[name].route(request)
    made = wg.PROVIDERS[name].encode_request(request, losses=[])
    _, said, *answers = wg.PROVIDERS[name].decode_request(made, to.path).messages
    assert isinstance(said, wg.AssistantMessage)
    ids = [call.id for call in said.tool_calls()]
    assert len({*ids}) == 2
    found = [block for each in answers for block in each.content]
    assert [block.tool_call_id for block in found if type(block) is wg.ToolResultBlock] == ids


_LINE = '{"model":"m","created_at":"%s","message":{"role":"assistant","content":"","tool_calls":['
_LINE += '{"function":{"name":"f","arguments":{}}}]},"done":false}\n'
_DELTA = '{"id":"","object":"chat.completion.chunk","created":0,"model":"%%s","choices":[{'
_DELTA += f'"index":0,"delta":{{"tool_calls":[{{"index":%d,"function":{_FUNCTION}}}]}},'
_DELTA += '"finish_reason":%s}]}'
_CHUNKS = "data: " + _DELTA % (0, "null") + "\n\ndata: " + _DELTA % (1, '"tool_calls"')
_CHUNKS += "\n\ndata: [DONE]\n\n"
STREAMS: dict[str, tuple[str, str]] = {
    "Ollama": ("ollama", _LINE + _LINE + '{"model":"m","created_at":"x","done":true}\n'),
    "Gemini": ("gemini", f"data: {_GEMINI}\n\n"),
    "Chat": ("openai_chat", _CHUNKS),
    "Mistral": ("mistral", _CHUNKS),
}


@pytest.mark.parametrize("case", STREAMS)
def test_streamed_calls_without_ids_get_some(case: str) -> None:
    name, body = STREAMS[case]
    provider = wg.PROVIDERS[name]
    one, other = (body.replace("%s", word).encode() for word in "12")
    ids = [call.id for call in check_chunkings(provider, one).message.tool_calls()]
    assert all(map(CALLS, ids))
    assert len({*ids}) == 2
    assert not {*ids} & {c.id for c in check_chunkings(provider, other).message.tool_calls()}
    begun = [e.block.id for e in events_of(provider.StreamDecoder(), one) if _is_call(e)]
    assert begun == ids
    decoder = provider.StreamDecoder(ids=_source())
    decoder.feed(one)
    made = [call.id for call in decoder.close().message.tool_calls()]
    assert made == ["call_token0_0", "call_token0_1"]


def _is_call(event: Any) -> bool:
    return type(event) is wg.BlockStart and type(event.block) is wg.ToolCallBlock


def test_an_answer_with_an_id_gives_its_calls_the_same_whole_or_streamed() -> None:
    body = _GEMINI.replace("%s", 'm","responseId":"r1').encode()
    ids = ["call_491f37c8258b_0", "call_491f37c8258b_1"]  # b2sum -l 48 of the answer's id
    whole = wg.providers.gemini.decode_response(body)
    assert [call.id for call in whole.message.tool_calls()] == ids
    streamed = check_chunkings(wg.providers.gemini, b"data: " + body + b"\n\n")
    assert [call.id for call in streamed.message.tool_calls()] == ids


def test_a_translator_hands_its_source_to_both_sides() -> None:
    source = _source()
    body = _OLLAMA % "2026-01-02T03:04:05Z"
    made = wg.translate_response(body, "ollama", "anthropic", losses=[], ids=source)
    assert _ids(made) == ["msg_token1", "call_token0_0", "call_token0_1"]
    translator = wg.StreamTranslator("ollama", "anthropic", losses=[], ids=source)
    streamed = translator.feed(body.encode() + b"\n") + translator.close()
    assert _ids(streamed) == ["msg_token3", "call_token2_0", "call_token2_1"]


# -- requests ----------------------------------------------------------------------------------

_ASKED = {
    "gemini": (
        '{"role":"model","parts":[{"functionCall":{%s"name":"f"}}]}',
        '{"role":"user","parts":[{"functionResponse":{%s"name":"f","response":{"output":"x"}}}]}',
        '{"contents":[%s]}',
    ),
    "ollama": (
        '{"role":"assistant","tool_calls":[{%s"function":{"name":"f","arguments":{}}}]}',
        '{"role":"tool","tool_name":"f",%s"content":"x"}',
        '{"model":"m","messages":[%s]}',
    ),
    **dict.fromkeys(
        ("openai_chat", "mistral", "cohere"),
        (
            '{"role":"assistant","tool_calls":[{%s"type":"function",'
            '"function":{"name":"f","arguments":"{}"}}]}',
            '{"role":"tool",%s"content":"x"}',
            '{"model":"m","messages":[%s]}',
        ),
    ),
}
_EMPTY = {"gemini": "", "ollama": ""}
"""How a call has no id, where an empty one is not how."""


def _asked(name: str, *given: str | None) -> wg.Request:
    """Return a conversation with one turn for each call: its id, or None if it has none."""
    said, answered, body = _ASKED[name]
    key = "id" if name == "gemini" else "tool_call_id"
    turns = []
    for call_id in given:
        for template, named in ((said, "id"), (answered, key)):
            lacks = _EMPTY.get(name, f'"{named}":"",')
            turns.append(template % (lacks if call_id is None else f'"{named}":"{call_id}",'))
    return wg.PROVIDERS[name].decode_request(body % ",".join(turns))


def _call_ids(request: wg.Request) -> list[str]:
    pairs = []
    for said, answered in zip(request.messages[::2], request.messages[1::2], strict=True):
        assert isinstance(said, wg.AssistantMessage)
        (call,) = said.tool_calls()
        (result,) = answered.content
        assert isinstance(result, wg.ToolResultBlock)
        assert result.tool_call_id == call.id
        pairs.append(call.id)
    return pairs


@pytest.mark.parametrize("name", _ASKED)
def test_calls_of_a_request_are_numbered_past_the_ids_that_it_has(name: str) -> None:
    assert _call_ids(_asked(name, None, None)) == ["call_0", "call_1"]
    assert _call_ids(_asked(name, "call_0", None, None)) == ["call_0", "call_1", "call_2"]
    assert _call_ids(_asked(name, None, "call_0", None)) == ["call_0", "call_1", "call_2"]
    assert _call_ids(_asked(name, None, "x", "call_2", None)) == ["call_0", "x", "call_2", "call_1"]


@pytest.mark.parametrize("name", ["openai_chat", "mistral", "cohere"])
def test_results_without_ids_belong_to_the_calls_in_their_order(name: str) -> None:
    call = '{"id":"","type":"function","function":{"name":"%s","arguments":"{}"}}'
    result = '{"role":"tool","tool_call_id":"","content":"%s"}'
    turn = (
        f'{{"role":"assistant","tool_calls":[{call % "f"},{call % "g"}]}}',
        result % "one",
        result % "two",
    )
    hi = '{"role":"user","content":"Hi"}'
    body = f'{{"model":"m","messages":[{",".join((hi, *turn, *turn))}]}}'
    made = json.loads(wg.translate_request(body, name, "bedrock", losses=[]))["messages"]
    said = [content for message in made[1:] for content in message["content"]]
    assert [each["toolUse"]["toolUseId"] for each in said if "toolUse" in each] == [
        "call_0",
        "call_1",
        "call_2",
        "call_3",
    ]
    results = [each["toolResult"] for each in said if "toolResult" in each]
    assert [(each["toolUseId"], each["content"][0]["text"]) for each in results] == [
        ("call_0", "one"),
        ("call_1", "two"),
        ("call_2", "one"),
        ("call_3", "two"),
    ]


# -- answers whose ids are empty -----------------------------------------------------------------

_CHAT = (
    '{"id":"","object":"chat.completion","created":0,"model":"m","choices":[{"index":0,'
    '"message":{"role":"assistant","content":null,"tool_calls":[{"id":"","type":"function",'
    '"function":{"name":"f","arguments":"{}"}},{"type":"function","function":{"name":"g",'
    '"arguments":"{}"}}]},"finish_reason":"tool_calls"}]}'
)
_CHUNKS = (
    b'data: {"id":"","model":"m","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"",'
    b'"function":{"name":"f","arguments":"{}"}}]}}]}\n\n'
    b'data: {"id":"","model":"m","choices":[{"index":0,"delta":{"tool_calls":[{"index":1,'
    b'"function":{"name":"g","arguments":"{}"}}]}}]}\n\n'
    b'data: {"id":"","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}\n\n'
    b"data: [DONE]\n\n"
)


def test_calls_without_ids_have_ids_for_a_client_of_chat_too() -> None:
    made = wg.translate_response(_CHAT, "openai_chat", "openai_chat")
    assert made == (
        b'{"id":"chatcmpl-59eca578b6f560a07f78373f","object":"chat.completion","created":0,'
        b'"model":"m","choices":[{"index":0,"message":{"content":null,"role":"assistant",'
        b'"refusal":null,"tool_calls":[{"id":"call_78e7c93690d9_0","type":"function",'
        b'"function":{"name":"f","arguments":"{}"}},{"id":"call_78e7c93690d9_1",'
        b'"type":"function","function":{"name":"g","arguments":"{}"}}]},"logprobs":null,'
        b'"finish_reason":"tool_calls"}]}'
    )
    source = _source()
    made = wg.translate_response(_CHAT, "openai_chat", "openai_chat", ids=source)
    assert _ids(made) == ["chatcmpl-token1", "call_token0_0", "call_token0_1"]


def test_an_empty_id_in_a_stream_is_none() -> None:
    translator = wg.StreamTranslator("openai_chat", "openai_chat", ids=_source())
    made = translator.feed(_CHUNKS) + translator.close()
    assert list(dict.fromkeys(_ids(made))) == ["chatcmpl-token1", "call_token0_0", "call_token0_1"]


@pytest.mark.parametrize("name", list(wg.PROVIDERS))
def test_the_source_is_not_asked_for_the_id_of_an_answer_that_has_one(name: str) -> None:
    source = _source()
    encoder = wg.PROVIDERS[name].StreamEncoder(losses=[], ids=source)
    encoder.encode(wg.StreamStart(wg.Response(wg.AssistantMessage([], model="m"), id="x")))
    assert source() == "token0"


_UNNAMED = {
    "anthropic": '{"id":"","type":"message","role":"assistant","model":"m","stop_reason":"end_turn"'
    ',"content":[],"usage":{"input_tokens":1,"output_tokens":1}}',
    "openai_responses": '{"id":"","object":"response","created_at":1,"model":"m","output":[],'
    '"status":"completed"}',
    "mistral": '{"id":"","model":"m","choices":[{"index":0,"finish_reason":"stop",'
    '"message":{"role":"assistant","content":""}}]}',
    "cohere": '{"id":"","finish_reason":"COMPLETE","message":{"role":"assistant"}}',
    "gemini": '{"responseId":"","candidates":[{"content":{"parts":[{"text":"a"}]}}]}',
}


@pytest.mark.parametrize("name", _UNNAMED)
def test_an_empty_id_of_an_answer_is_none(name: str) -> None:
    assert wg.PROVIDERS[name].decode_response(_UNNAMED[name]).id is None
    if name != "gemini":
        made = wg.translate_response(_UNNAMED[name], name, name, ids=lambda: "made")
        assert _ids(made)[0].endswith("made")


@pytest.mark.parametrize("target", ["anthropic", "openai_chat", "bedrock", "mistral"])
@pytest.mark.parametrize("name", _ASKED)
def test_a_longer_conversation_begins_with_the_bytes_of_the_shorter(name: str, target: str) -> None:
    given = (None, "call_0", None, "call_3", None)
    messages = []
    for end in range(1, len(given) + 1):
        request = _asked(name, *given[:end])
        request.model, request.max_tokens = "m", 9
        body = json.loads(wg.PROVIDERS[target].encode_request(request, losses=[]))
        messages.append(body["messages"])
    for shorter, longer in pairwise(messages):
        assert longer[: len(shorter)] == shorter


def test_a_call_of_bedrock_whose_id_is_empty_gets_one() -> None:
    headers = {":event-type": "contentBlockStart", ":message-type": "event"}
    begun = b'{"contentBlockIndex":0,"start":{"toolUse":{"toolUseId":"","name":"f"}}}'
    decoder = wg.providers.bedrock.StreamDecoder(ids=lambda: "made")
    (_, begins) = decoder.feed(eventstream.encode(headers, begun))
    assert isinstance(begins, wg.BlockStart)
    assert isinstance(begins.block, wg.ToolCallBlock)
    assert begins.block.id == "call_made_0"


def test_what_a_hash_cannot_read_is_no_error() -> None:
    lost = wg.ImageBlock(wg.Media.from_file("/nowhere/at/all.png"))
    strange = wg.TextBlock("hi", extras={"wireglot": wg.Extra(wg.model.base.UnknownKeys(b"{}"))})
    cut = wg.DataBlock(wg.Media.from_base64("a"), filename="\ud83d")
    response = wg.Response(wg.AssistantMessage([lost, strange, cut], api="other"))
    losses: list[wg.Loss] = []
    made = wg.providers.anthropic.encode_response(response, losses=losses)
    assert _ids(made) == ["msg_0e7e55e8d4413ba90d8aee80"]
