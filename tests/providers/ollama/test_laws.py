"""Laws of Ollama's wire alone; those of all wires stand with the providers."""

import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wireglot as wg
from tests.providers.odd_requests import odd_requests
from tests.providers.ollama.pieces import API, answer, batch, call, judge, request, result, user
from wireglot import testing

ollama = wg.providers.ollama
CONTRADICTIONS = (
    "no message with content, expected at least one",
    "two tools named",
    "tool choice",
    "tool parameters of another type, expected the JSON Schema of an object",
    "response format without a schema, expected a JSON Schema",
)
SOME = settings(max_examples=60)


@SOME
@given(odd_requests(API, {"type": "x"}))
def test_a_request_contradicts_itself_or_the_oracle_accepts_its_body(asked: wg.Request) -> None:
    try:
        body = ollama.encode_request(asked, losses=[], repair=True)
    except wg.EncodeError as error:
        refused = error.reason
    else:
        judge(body)
        return
    assert refused.startswith(CONTRADICTIONS)


@SOME
@given(
    st.dictionaries(testing.texts(), testing.json_values(), max_size=3),
    st.sampled_from((None, 1)),
    st.booleans(),
)
def test_arguments_appear_byte_for_byte(value: Any, indent: int | None, ascii_only: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only).encode()
    asked = request(answer(call(arguments=text)), batch(result()))
    again = wg.json.decode(wg.json.encode(asked), type=wg.Request)
    expected = b'{"id":"a","function":{"name":"f","arguments":' + text + b"}}"
    once = ollama.encode_request(asked)
    assert expected in once
    assert expected in ollama.encode_request(again)
    assert expected in ollama.encode_request(ollama.decode_request(once))


@SOME
@given(testing.media().filter(lambda held: not held.is_empty))
def test_inline_images_appear_byte_for_byte(media: wg.Media) -> None:
    body = ollama.encode_request(request(user(wg.ImageBlock(data=media))))
    slice_of_the_native_wire = wg.json.encode(media)
    expected = b'"images":[' + slice_of_the_native_wire + b"]"
    assert expected in body
    assert expected in ollama.encode_request(ollama.decode_request(body))


# Calls and results as clients write them: with ids, with names, with both, with neither.

NAMES = st.sampled_from(("f", "g"))


@st.composite
def turns(draw: st.DrawFn) -> list[dict[str, Any]]:
    """An answer with calls, and as many results, which say enough or nothing."""
    names = draw(st.lists(NAMES, min_size=1, max_size=4))
    has_ids = draw(st.booleans())
    calls = [{"function": {"name": name, "arguments": {}}} for name in names]
    results = [{"role": "tool", "content": f"{i}"} for i in range(len(names))]
    for i, (one, answered) in enumerate(zip(calls, results, strict=True)):
        if has_ids:
            one["id"] = f"id{i}"
        if has_ids and draw(st.booleans()):
            answered["tool_call_id"] = f"id{i}"
        if draw(st.booleans()):
            answered["tool_name"] = names[i]
    return [{"role": "assistant", "content": "", "tool_calls": calls}, *results]


@SOME
@given(st.lists(turns(), min_size=1, max_size=3))
def test_every_result_has_a_call_of_its_own(found: list[list[dict[str, Any]]]) -> None:
    messages = [message for turn in found for message in turn]
    data = json.dumps({"model": "m", "stream": False, "messages": messages}).encode()
    decoded = ollama.decode_request(data)
    open_calls: list[tuple[str, str]] = []
    for message in decoded.messages:
        if isinstance(message, wg.AssistantMessage):
            assert not open_calls
            open_calls = [(c.id, c.name) for c in message.tool_calls()]
            assert len({call_id for call_id, _ in open_calls}) == len(open_calls)
            continue
        (block,) = message.content
        assert isinstance(block, wg.ToolResultBlock)
        (index,) = [i for i, c in enumerate(open_calls) if c[0] == block.tool_call_id]
        del open_calls[index]
    assert not open_calls
    assert json.loads(ollama.encode_request(decoded)) == json.loads(data)


@SOME
@given(st.lists(st.sampled_from(("said", "called", "asked")), min_size=2, max_size=6))
def test_a_longer_conversation_starts_with_the_bytes_of_the_shorter(kinds: list[str]) -> None:
    exchanges: dict[str, list[wg.Message]] = {
        "said": [user("hi")],
        "called": [answer(call()), batch(result("x"))],
        "asked": [answer("yes", wg.ThinkingBlock("hm"))],
    }
    bodies = []
    transcript = ollama.Transcript()
    for end in range(1, len(kinds) + 1):
        for message in exchanges[kinds[end - 1]]:
            transcript.append(message)
        messages = [message for kind in kinds[:end] for message in exchanges[kind]]
        bodies.append(ollama.encode_request(request(*messages, seed=1)))
        assert transcript.encode(model="m", seed=1) == bodies[-1]
    for shorter, longer in pairwise(bodies):
        assert longer.startswith(shorter.removesuffix(b"]}"))


@pytest.mark.parametrize("name", [n for n in wg.PROVIDERS if n != "ollama"])
@settings(max_examples=15)
@given(odd_requests("other-api", {"type": "x"}))
def test_what_this_wire_said_every_other_wire_can_say(name: str, asked: wg.Request) -> None:
    try:
        body = ollama.encode_request(asked, losses=[], repair=True)
    except wg.EncodeError:
        return
    decoded = ollama.decode_request(body)
    try:
        made = wg.PROVIDERS[name].encode_request(decoded, losses=[], repair=True)
    except wg.LossError:
        raise
    except wg.EncodeError:  # each wire has contradictions of its own
        return
    assert json.loads(made)
