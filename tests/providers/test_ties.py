"""A result stays with its call on every wire, whatever order the results come in.

Where a wire lets ids be missing, a result that has none belongs to a call by name and order.
"""

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wireglot as wg
from tests.providers.conversation import answer, assistant, batch, call, request, result, user

WITHOUT_IDS = {"gemini": "id", "ollama": "tool_call_id"}
"""Provider -> the key of a result that may be missing there, as may the `id` of a call."""


def _bare(name: str, key: str) -> wg.Extras:
    """Return the extras of a part that came without an id."""
    return {wg.PROVIDERS[name].API: wg.Extra({}, {key: None})}


@st.composite
def _turns(draw: st.DrawFn, name: str) -> list[wg.Message]:
    """An answer with calls that all differ, and a result for each that repeats its number."""
    calls: list[wg.ToolCallBlock] = []
    results: list[Any] = []
    for i in range(draw(st.integers(1, 4))):
        is_bare = name in WITHOUT_IDS and draw(st.booleans())
        made = call(f"id{i}", f'{{"n":{i}}}', draw(st.sampled_from("fg")))
        told: dict[str, Any] = {"tool_name": draw(st.sampled_from([None, "f", "g", "h"]))}
        if is_bare:
            made.extras = _bare(name, "id")
        if name in WITHOUT_IDS and draw(st.booleans()):
            told["extras"] = _bare(name, WITHOUT_IDS[name])
        calls.append(made)
        make: Callable[..., Any] = draw(st.sampled_from([answer, result]))
        results.append(make(made.id, f"result {i}", **told))
    messages: list[wg.Message] = [user("x"), assistant(*calls)]
    for each in draw(st.permutations(results)):
        if isinstance(each, wg.ToolResultMessage):
            messages.append(each)
        elif isinstance(messages[-1], wg.ToolMessage) and draw(st.booleans()):
            messages[-1].content.append(each)
        else:
            messages.append(batch(each))
        if draw(st.integers(0, 9)) == 0:
            messages.append(user("between"))
    return messages


@pytest.mark.parametrize("name", list(wg.PROVIDERS))
@settings(max_examples=100)
@given(data=st.data())
def test_a_result_stays_with_its_call(name: str, data: st.DataObject) -> None:
    provider = wg.PROVIDERS[name]
    messages = data.draw(_turns(name)) + data.draw(_turns(name))
    asked = request(*messages)
    body = provider.encode_request(asked, losses=[])
    pairs = list(_pairs(provider.decode_request(body, provider.route(asked).path).messages))
    assert [(n, said) for n, said in pairs if f"result {n}" not in said] == []
    asked_for = [m.tool_calls() for m in messages if isinstance(m, wg.AssistantMessage)]
    assert len(pairs) == sum(map(len, asked_for))


@pytest.mark.parametrize("name", list(wg.PROVIDERS))
@settings(max_examples=100)
@given(data=st.data())
def test_what_is_out_of_order_leaves_the_turns_before_it_as_they_are(
    name: str, data: st.DataObject
) -> None:
    first, second = data.draw(_turns(name)), data.draw(_turns(name))
    tools = [wg.Tool("f"), wg.Tool("g")]
    before = wg.PROVIDERS[name].encode_request(request(*first, tools=tools), losses=[])
    made = wg.PROVIDERS[name].encode_request(request(*first, *second, tools=tools), losses=[])
    assert made.startswith(before.rstrip(b"]}"))


# A turn with results in another order than its calls, and one with something between.
MIXED = [
    user("a"),
    assistant(call("1"), call("2", name="g")),
    answer("2", "two"),
    answer("1", "one"),
    assistant(call("3")),
    user("wait"),
    answer("3", "three"),
]
MIXED_BODIES = {
    "gemini": b'{"contents":[{"role":"user","parts":[{"text":"a"}]},{"role":"model","parts":'
    b'[{"functionCall":{"name":"f","args":{},"id":"1"},"thoughtSignature":'
    b'"c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I="},'
    b'{"functionCall":{"name":"g","args":{},"id":"2"}}]},{"role":"user","parts":'
    b'[{"functionResponse":{"name":"g","response":{"output":"two"},"id":"2"}},'
    b'{"functionResponse":{"name":"f","response":{"output":"one"},"id":"1"}}]},'
    b'{"role":"model","parts":[{"functionCall":{"name":"f","args":{},"id":"3"},'
    b'"thoughtSignature":"c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I="}]},'
    b'{"role":"user","parts":[{"functionResponse":{"name":"f","response":{"output":"three"},'
    b'"id":"3"}}]},{"role":"user","parts":[{"text":"wait"}]}]}',
    "ollama": b'{"model":"m","stream":false,"messages":[{"role":"user","content":"a"},'
    b'{"role":"assistant","content":"","tool_calls":['
    b'{"id":"1","function":{"name":"f","arguments":{}}},'
    b'{"id":"2","function":{"name":"g","arguments":{}}}]},'
    b'{"role":"tool","content":"two","tool_name":"g","tool_call_id":"2"},'
    b'{"role":"tool","content":"one","tool_name":"f","tool_call_id":"1"},'
    b'{"role":"assistant","content":"","tool_calls":['
    b'{"id":"3","function":{"name":"f","arguments":{}}}]},'
    b'{"role":"tool","content":"three","tool_name":"f","tool_call_id":"3"},'
    b'{"role":"user","content":"wait"}]}',
}


@pytest.mark.parametrize("name", MIXED_BODIES)
def test_results_that_say_an_id_stay_in_their_order(name: str) -> None:
    made = wg.PROVIDERS[name].encode_request(request(*MIXED, max_tokens=None))
    assert made == MIXED_BODIES[name]


def _pairs(messages: list[wg.Message]) -> Any:
    """List the number in each call's arguments, and the text of the result that answers it."""
    waiting: dict[str, int] = {}
    for message in messages:
        for block in message.content:
            if isinstance(block, wg.ToolCallBlock):
                assert block.id not in waiting
                waiting[block.id] = block.arguments.value["n"]
        results = [message] if isinstance(message, wg.ToolResultMessage) else message.content
        for each in results:
            if isinstance(each, wg.ToolResultBlock | wg.ToolResultMessage):
                yield waiting.pop(each.tool_call_id), each.text()


def _ollama(name: str, number: int) -> dict[str, Any]:
    function = {"name": name, "arguments": {"n": number}}
    return {"role": "assistant", "content": "", "tool_calls": [{"function": function}]}


def _deprecated(name: str, number: int) -> dict[str, Any]:
    called = {"name": name, "arguments": f'{{"n":{number}}}'}
    return {"role": "assistant", "content": None, "function_call": called}


def _nameless(name: str, number: int) -> dict[str, Any]:
    function = {"name": name, "arguments": f'{{"n":{number}}}'}
    called = {"id": "", "type": "function", "function": function}
    return {"role": "assistant", "content": None, "tool_calls": [called]}


def _gemini(name: str, number: int) -> dict[str, Any]:
    return {"role": "model", "parts": [{"functionCall": {"name": name, "args": {"n": number}}}]}


def _gemini_result(name: str, said: str) -> dict[str, Any]:
    part = {"functionResponse": {"name": name, "response": {"output": said}}}
    return {"role": "user", "parts": [part]}


def _said(role: str, text: str, **more: str) -> dict[str, Any]:
    return {"role": role, "content": text} | more


_HI, _SAID, _SYSTEM = _said("user", "hi"), _said("assistant", "t"), _said("system", "s")
_ONE, _TWO = _said("tool", "one"), _said("tool", "two")
_ONE_F, _TWO_G = _said("function", "one", name="f"), _said("function", "two", name="g")
_ONE_EMPTY = _said("tool", "one", tool_call_id="")
_TWO_EMPTY = _said("tool", "two", tool_call_id="")
APART: dict[str, tuple[str, list[dict[str, Any]]]] = {
    "Ollama's, by order": (
        "ollama",
        [_HI, _ollama("f", 1), _SAID, _ollama("g", 2), _ONE, _TWO],
    ),
    "Ollama's, with a system message between": (
        "ollama",
        [_HI, _ollama("f", 1), _SYSTEM, _ollama("g", 2), _ONE, _TWO],
    ),
    "Ollama's, by name": (
        "ollama",
        [
            *(_HI, _ollama("f", 1), _SAID, _ollama("g", 2)),
            *(_said("tool", "two", tool_name="g"), _said("tool", "one", tool_name="f")),
        ],
    ),
    "Ollama's, behind another turn": (
        "ollama",
        [
            *(_HI, _ollama("f", 3), _said("tool", "three")),
            *(_ollama("f", 1), _SAID, _ollama("g", 2), _ONE, _TWO),
        ],
    ),
    "functions of Chat, by name": (
        "openai_chat",
        [_HI, _deprecated("f", 1), _SAID, _deprecated("g", 2), _TWO_G, _ONE_F],
    ),
    "functions of Chat, by order": (
        "openai_chat",
        [
            *(_HI, _deprecated("f", 1), _deprecated("f", 2)),
            *(_ONE_F, _said("function", "two", name="f")),
        ],
    ),
    "functions of Chat, with a system message between": (
        "openai_chat",
        [_HI, _deprecated("f", 1), _SYSTEM, _deprecated("g", 2), _ONE_F, _TWO_G],
    ),
    "empty ids of Chat": (
        "openai_chat",
        [_HI, _nameless("f", 1), _SAID, _nameless("g", 2), _ONE_EMPTY, _TWO_EMPTY],
    ),
    "empty ids of Chat, with a system message between": (
        "openai_chat",
        [_HI, _nameless("f", 1), _SYSTEM, _nameless("g", 2), _ONE_EMPTY, _TWO_EMPTY],
    ),
    "Gemini's, by name": (
        "gemini",
        [
            {"role": "user", "parts": [{"text": "hi"}]},
            *(_gemini("f", 1), {"role": "model", "parts": [{"text": "t"}]}, _gemini("g", 2)),
            *(_gemini_result("g", "two"), _gemini_result("f", "one")),
        ],
    ),
}


@pytest.mark.parametrize("repair", [False, True])
@pytest.mark.parametrize("target", list(wg.PROVIDERS))
@pytest.mark.parametrize(("source", "messages"), APART.values(), ids=APART)
def test_calls_of_answers_in_a_row_wait_together_for_results_without_ids(
    source: str, messages: list[dict[str, Any]], target: str, repair: bool
) -> None:
    key = "contents" if source == "gemini" else "messages"
    made = wg.translate_request(
        json.dumps({key: messages}).encode(), source, target, losses=[], model="m", repair=repair
    )
    assert b"No result" not in made
    provider = wg.PROVIDERS[target]
    read = provider.decode_request(made).messages
    assert sorted(_pairs(read))[:2] == [(1, "one"), (2, "two")]


def test_results_find_deprecated_calls_in_a_conversation_that_has_grown() -> None:
    shorter = [_HI, _deprecated("f", 1), _ONE_F]
    longer = [*shorter, _deprecated("g", 2), _TWO_G, _said("user", "go on")]
    translator = wg.RequestTranslator("openai_chat", "anthropic")
    padded = {"model": "m", "max_tokens": 9, "stop": ["u" * 9000]}
    for messages in (
        shorter,
        longer,
        [*longer, _SAID, _HI],
        [*longer, _deprecated("f", 3), _ONE_F],
    ):
        body = json.dumps(padded | {"messages": messages}).encode()
        assert translator.translate(body) == wg.translate_request(body, "openai_chat", "anthropic")


_CALL = {"id": "aaaaaaaa1", "function": {"name": "weather", "arguments": "{}"}}
_CALLED = {"role": "assistant", "content": "", "tool_calls": [{"type": "function"} | _CALL]}
_CALL_OF_OLLAMA = _CALL | {"function": {"name": "weather", "arguments": {}}}
MISNAMED: dict[str, list[dict[str, Any]]] = {
    "mistral": [_HI, _CALLED, _said("tool", "r", name="tool", tool_call_id="aaaaaaaa1")],
    "openai_chat": [_HI, _CALLED, _said("tool", "r", name="tool", tool_call_id="aaaaaaaa1")],
    "ollama": [
        *(_HI, _said("assistant", "") | {"tool_calls": [_CALL_OF_OLLAMA]}),
        _said("tool", "r", tool_name="tool", tool_call_id="aaaaaaaa1"),
    ],
}


@pytest.mark.parametrize("source", MISNAMED)
def test_a_result_has_the_name_of_the_call_whose_id_it_has(source: str) -> None:
    body = json.dumps({"model": "m", "messages": MISNAMED[source]}, separators=(",", ":")).encode()
    request = wg.PROVIDERS[source].decode_request(body)
    result = request.messages[-1].content[0]
    assert isinstance(result, wg.ToolResultBlock)
    assert result.tool_name == "weather"
    assert b'{"name":"weather","response"' in wg.translate_request(body, source, "gemini")
    if source != "ollama":
        assert b'"tool_name":"weather"' in wg.translate_request(body, source, "ollama")
    # On its own wire it goes back as it came.
    again = json.loads(wg.PROVIDERS[source].encode_request(request))
    assert again["messages"][-1] == MISNAMED[source][-1]


def test_a_name_that_a_program_gave_a_result_is_not_written_beside_that_of_its_call() -> None:
    asked = request(user("x"), assistant(call("a")), answer("a", "one", tool_name="g"))
    assert b'"tool_name":"f"' in wg.providers.ollama.encode_request(asked)
