"""Requests of conversations that grow: what `RequestTranslator` gives is what the whole gives."""

import gc
import json
import random
import subprocess
import sys
import tracemalloc
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import islice
from threading import Barrier
from typing import Any

import pytest

import wireglot as wg
from tests.growing import LARGE, PAIRS, Both, requests
from wireglot._runtime.recent import Recent
from wireglot.capabilities import Capabilities
from wireglot.providers._across.tools import tools
from wireglot.providers._state.encoding import KeptTools

LONG = "x" * 2_000
Json = dict[str, Any]


def _chat(turns: int, *more: Json, first: str = LONG, **fields: Any) -> bytes:
    """Return a body of Chat Completions with an answer, a call and its result in each turn."""
    messages: list[Json] = [{"role": "user", "content": first}]
    for number in range(turns):
        function = {"name": "read", "arguments": f'{{"path":"{number}.py"}}'}
        call = {"id": f"call_{number:05}", "type": "function", "function": function}
        messages.append({"role": "assistant", "content": f"Step {number}.", "tool_calls": [call]})
        messages.append({"role": "tool", "tool_call_id": call["id"], "content": f"line {number}"})
    body = {"model": "m", **fields, "messages": [*messages, *more]}
    return json.dumps(body, separators=(",", ":")).encode()


def _claude(turns: int, marked: int = 0, **fields: Any) -> bytes:
    """Return a body of Anthropic's wire, whose last user turns are marked for its cache."""
    turn: Callable[[str], Json] = lambda text: {"type": "text", "text": text}  # noqa: E731
    messages: list[Json] = [{"role": "user", "content": [turn(LONG)]}]
    for number in range(turns):
        messages.append({"role": "assistant", "content": [turn(f"Step {number}.")]})
        messages.append({"role": "user", "content": [turn(f"Go on, {number}.")]})
    for message in messages[0::2][-marked:] if marked else ():
        message["content"][-1]["cache_control"] = {"type": "ephemeral"}
    body = {"model": "m", "max_tokens": 9, "messages": messages, **fields}
    return json.dumps(body, separators=(",", ":")).encode()


def _tool(name: str) -> Json:
    return {"type": "function", "function": {"name": name, "parameters": {"type": "object"}}}


def _check(translator: wg.RequestTranslator, wires: tuple[str, str], *bodies: Any) -> None:
    """Check that each body becomes what `translate_request` makes of it."""
    for body in bodies:
        losses: list[wg.Loss] = []
        expected: list[wg.Loss] = []
        made = translator.translate(body, losses=losses)
        assert made == wg.translate_request(body, *wires, losses=expected)
        assert losses == expected


_translator = partial(wg.RequestTranslator, at_once=True)
CHAT = "openai_chat", "mistral"
CLAUDE = "anthropic", "openai_chat"
CLAUDE_5 = Capabilities(efforts=())
"""What a model takes that has system turns."""


@pytest.fixture
def chat() -> wg.RequestTranslator:
    return _translator(*CHAT)


# -- the same as the whole -------------------------------------------------------------------------


def test_some_thousand_requests_become_what_they_become_as_a_whole() -> None:
    both = Both()
    different = [asked for asked in islice(requests(7), 3_000) if both.difference(asked)]
    assert different == []
    assert both.hits > 1_000


@pytest.mark.parametrize(("source", "target"), PAIRS, ids=[f"{a} to {b}" for a, b in PAIRS])
def test_each_two_wires_have_hits(source: str, target: str) -> None:
    both = Both(LARGE)
    asked_for = islice(requests(5, [(source, target)], 20), 80)
    assert [asked for asked in asked_for if both.difference(asked)] == []
    assert both.hits > 3


def test_what_is_known_goes_out_before_what_is_new() -> None:
    translator = _translator("openai_chat", "anthropic")
    translator.translate(_chat(1, first="Hi. " * 600), losses=[])
    assert translator.translate(_chat(2, first="Hi. " * 600), losses=[]) == (
        b'{"model":"m","max_tokens":8192,"messages":[{"role":"user","content":[{"type":"text",'
        b'"text":"' + b"Hi. " * 600 + b'"}]},{"role":"assistant","content":[{"type":"text",'
        b'"text":"Step 0."},{"type":"tool_use","id":"call_00000","name":"read",'
        b'"input":{"path":"0.py"}}]},{"role":"user","content":[{"type":"tool_result",'
        b'"tool_use_id":"call_00000","content":[{"type":"text","text":"line 0"}]}]},'
        b'{"role":"assistant","content":[{"type":"text","text":"Step 1."},{"type":"tool_use",'
        b'"id":"call_00001","name":"read","input":{"path":"1.py"}}]},{"role":"user","content":['
        b'{"type":"tool_result","tool_use_id":"call_00001","content":[{"type":"text",'
        b'"text":"line 1"}]}]}]}'
    )
    assert translator.stats[:3] == (1, 1, 1)


# -- hits ------------------------------------------------------------------------------------------


def test_each_turn_after_the_first_is_a_hit(chat: wg.RequestTranslator) -> None:
    _check(chat, CHAT, *(_chat(turns) for turns in range(1, 9)))
    assert chat.stats[:3] == (7, 1, 1)


def test_the_same_body_again_is_a_hit(chat: wg.RequestTranslator) -> None:
    _check(chat, CHAT, _chat(3), _chat(3), _chat(3))
    assert chat.stats[:3] == (2, 1, 1)


def test_a_short_body_is_not_looked_up(chat: wg.RequestTranslator) -> None:
    _check(chat, CHAT, _chat(1, first="Hi."), _chat(2, first="Hi."))
    assert chat.stats == (0, 2, 0, 0)


def test_a_branch_from_an_earlier_turn_is_a_hit_and_both_go_on(chat: wg.RequestTranslator) -> None:
    other = {"role": "assistant", "content": "Or so?"}, {"role": "user", "content": "Yes."}
    last = {"role": "assistant", "content": "Well."}, {"role": "user", "content": "Thanks."}
    _check(chat, CHAT, _chat(4), _chat(3, *other), _chat(5), _chat(3, *other, *last), _chat(6))
    assert chat.stats[:3] == (4, 1, 2)


@pytest.mark.parametrize("target", list(wg.PROVIDERS))
def test_marks_that_move_on_leave_a_hit_behind(target: str) -> None:
    translator = _translator("anthropic", target)
    _check(translator, ("anthropic", target), *(_claude(turns, 2) for turns in range(8)))
    assert translator.stats.hits == 5


def test_other_tools_in_front_of_the_messages_are_a_miss(chat: wg.RequestTranslator) -> None:
    _check(chat, CHAT, *(_chat(n, tools=[_tool("read")]) for n in (1, 2)))
    _check(chat, CHAT, *(_chat(n, tools=[_tool("read"), _tool("x")]) for n in (3, 4)))
    assert chat.stats[:3] == (2, 2, 2)


def _behind(turns: int, **fields: Any) -> bytes:
    body = json.loads(_chat(turns))
    return json.dumps(body | fields, separators=(",", ":")).encode()


def test_other_tools_behind_the_messages_are_a_hit_and_go_out() -> None:
    wires = "openai_chat", "anthropic"
    translator = _translator(*wires)
    for turns, names in enumerate((["read"], ["a b", "read"], ["read"], [], ["x" * 70]), 2):
        body = _behind(turns, tools=[*map(_tool, names)] or None)
        _check(translator, wires, body)
        made = json.loads(translator.translate(body, losses=[]))
        assert len(made.get("tools", ())) == len(names)
    assert translator.stats[:2] == (9, 1)


@pytest.mark.parametrize("target", list(wg.PROVIDERS))
def test_a_prompt_behind_the_messages_may_come_and_go(target: str) -> None:
    wires = "anthropic", target
    translator = _translator(*wires)
    for turns, prompt in enumerate(("One.", "Two.", None, None, "One.", "One."), 2):
        _check(translator, wires, _claude(turns, **({"system": prompt} if prompt else {})))
    assert translator.stats[:2] == (5, 1)


@pytest.mark.parametrize("target", list(wg.PROVIDERS))
def test_a_user_may_go_on_where_there_was_an_answer(target: str) -> None:
    wires = "openai_chat", target
    translator = _translator(*wires)
    more = {"role": "user", "content": "Wait."}, {"role": "assistant", "content": "Yes?"}
    last = {"role": "user", "content": "Go on."}
    _check(translator, wires, _chat(2, last), _chat(1, *more, last), _chat(2, last, *more, last))


def test_another_model_has_its_own_rules_for_the_same_messages() -> None:
    translator = _translator(*CLAUDE)
    roles = []
    for turns, model in enumerate(("gpt-4.1", "o1-mini", "gpt-4.1", "o4-mini", None), 2):
        body = _claude(turns, system="Be brief.")
        losses: list[wg.Loss] = []
        expected: list[wg.Loss] = []
        made = translator.translate(body, losses=losses, model=model)
        assert made == wg.translate_request(body, *CLAUDE, losses=expected, model=model)
        assert losses == expected
        roles.append(json.loads(made)["messages"][0]["role"])
    assert roles == ["system", "user", "system", "system", "system"]
    assert translator.stats[:2] == (4, 1)


def test_sampling_behind_the_messages_does_not_matter_to_them(chat: wg.RequestTranslator) -> None:
    _check(chat, CHAT, *(_behind(turns, temperature=turns / 10) for turns in range(1, 6)))
    assert chat.stats[:3] == (4, 1, 1)


# -- names, losses, errors -------------------------------------------------------------------------


def test_names_are_emptied_and_filled_with_those_of_known_messages() -> None:
    translator = _translator("anthropic", "openai_chat")
    use = {"type": "tool_use", "id": "call_1", "name": "a.b", "input": {}}
    done = {"type": "tool_result", "tool_use_id": "call_1", "content": "ok"}
    messages = [
        {"role": "user", "content": LONG},
        {"role": "assistant", "content": [use]},
        {"role": "user", "content": [done]},
        *({"role": role, "content": "x"} for role in ("assistant", "user") * 2),
    ]
    for count in (5, 7):
        body = json.dumps({"model": "m", "max_tokens": 9, "messages": messages[:count]}).encode()
        names = wg.ToolNames(left=wg.ToolName("over"))
        translator.translate(body, names=names)
        assert names == {"a_b_2e7336dc": wg.ToolName("a.b")}
    assert translator.stats[:2] == (1, 1)


def test_who_keeps_no_names_is_told_of_them_beside_one_who_does() -> None:
    translator = _translator("openai_chat", "anthropic")
    tools = [_tool("a.b c")]
    for turns in range(1, 5):
        names = wg.ToolNames()
        translator.translate(_chat(turns, tools=tools), names=names)
        assert [name.name for name in names.values()] == ["a.b c"]
        losses: list[wg.Loss] = []
        translator.translate(_chat(turns, tools=tools), losses=losses)
        assert [(loss.path, loss.what) for loss in losses] == [("$.tools[0]", "tool name")]


def test_losses_of_known_messages_are_told_again_each_time_with_their_places() -> None:
    translator = _translator("openai_chat", "anthropic")
    name = {"role": "user", "content": LONG, "name": "Jo"}
    for turns in range(1, 5):
        body = json.loads(_chat(turns))
        body["messages"].insert(0, name)
        body["messages"].insert(3, name)
        losses: list[wg.Loss] = []
        translator.translate(json.dumps(body).encode(), losses=losses)
        assert [(loss.path, loss.what) for loss in losses] == [
            ("$.messages[0]", "name"),
            ("$.messages[3]", "name"),
        ]
    assert translator.stats.hits == 3


def test_without_a_list_what_is_lost_of_a_known_message_is_an_error() -> None:
    translator = _translator("anthropic", "mistral")
    body = json.loads(_claude(4))
    body["messages"][0]["content"][0]["cache_control"] = {"type": "ephemeral"}
    for count in (5, 7, 9):
        data = json.dumps({**body, "messages": body["messages"][:count]}).encode()
        losses: list[wg.Loss] = []
        translator.translate(data, losses=losses)
        assert [loss.path for loss in losses] == ["$.messages[0].content[0]"]
        with pytest.raises(wg.LossError, match=r"^mistral: cache mark: .* at `\$\.messages\[0\]"):
            translator.translate(data)
    assert translator.stats.hits == 2


def test_too_many_losses_are_refused_however_many_were_known() -> None:
    translator = _translator("openai_chat", "anthropic")
    tools = [_tool(f"a.{number}") for number in range(6_000)]
    name = {"role": "user", "content": "Hi.", "name": "Jo"}
    for count in (1, 2_000, 4_100, 4_100, 2_000):
        messages = [*[name] * count, *json.loads(_chat(2))["messages"]]
        body = json.dumps({"model": "m", "tools": tools, "messages": messages}).encode()
        losses: list[wg.Loss] = []
        if count == 4_100:
            with pytest.raises(wg.LossError, match="more than 10,000 losses"):
                translator.translate(body, losses=losses)
        else:
            translator.translate(body, losses=losses)
            assert len(losses) == 6_000 + count


def test_the_prompt_behind_the_messages_has_its_place_in_what_is_lost() -> None:
    system = [{"type": "text", "text": "S", "cache_control": {"type": "ephemeral"}}]
    translator = _translator("anthropic", "gemini")
    for turns in range(2, 6):
        losses: list[wg.Loss] = []
        translator.translate(_claude(turns, system=system, temperature=turns / 10), losses=losses)
        assert [loss.path for loss in losses] == ["$.messages[0].content[0]"]
    assert translator.stats.hits == 3


@pytest.mark.parametrize("target", ["bedrock", "anthropic"])
def test_what_is_lost_of_a_system_turn_is_told_behind_what_is_lost_of_the_answer(
    target: str,
) -> None:
    translator = _translator("ollama", target, capabilities=CLAUDE_5)
    system = {"role": "system", "content": "c", "x_unknown": 1}
    messages: list[Json] = [{"role": "user", "content": LONG}]
    for number in range(4):
        answer = {"role": "assistant", "content": "a", "thinking": "Hm.", "x_unknown": number}
        messages += [answer, {"role": "user", "content": "b"}, system]
        body = json.dumps({"model": "m", "messages": messages}).encode()
        losses: list[wg.Loss] = []
        expected: list[wg.Loss] = []
        made = translator.translate(body, losses=losses)
        assert made == wg.translate_request(
            body, "ollama", target, losses=expected, capabilities=CLAUDE_5
        )
        assert losses == expected


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            _chat(3, {"role": "user", "content": 5}),
            r"^openai_chat: expected `str \| array`, got `int` - at `\$\.messages\[7\]\.content`$",
        ),
        (_chat(3)[:-1], "^openai_chat: input data was truncated"),
        (_chat(3)[:-2] + b",]}", r"^openai_chat: JSON is malformed: .* \(byte 2\d\d\d\)"),
        (
            _chat(3, {"role": "tool", "tool_call_id": "x", "content": "y"}),
            "^mistral: .* `x` .* - at `\\$\\.messages\\[7\\]",
        ),
    ],
    ids=["a wrong type", "a cut body", "a comma too many", "a result without its call"],
)
def test_errors_name_their_place_in_the_whole_body(
    chat: wg.RequestTranslator, body: bytes, message: str
) -> None:
    chat.translate(_chat(2))
    with pytest.raises(wg.WireglotError, match=message) as caught:
        chat.translate(body)
    with pytest.raises(type(caught.value)) as expected:
        wg.translate_request(body, *CHAT)
    assert str(caught.value) == str(expected.value)
    assert chat.translate(_chat(3)) == wg.translate_request(_chat(3), *CHAT)


def test_an_error_leaves_the_losses_that_a_whole_one_leaves() -> None:
    translator = _translator(*CLAUDE)
    first = wg.Loss("$", "before", "it was there")
    translator.translate(_claude(2, 1), losses=[])
    without = json.loads(_claude(3, 1))
    del without["model"]
    for body in (_claude(3, 1)[:-1], json.dumps(without).encode(), _claude(3, 1, messages=[])):
        losses, expected = [first], [first]
        with pytest.raises(wg.WireglotError):
            translator.translate(body, losses=losses)
        with pytest.raises(wg.WireglotError):
            wg.translate_request(body, *CLAUDE, losses=expected)
        assert losses == expected


def test_an_unknown_provider_or_dialect_is_named() -> None:
    with pytest.raises(wg.EncodeError, match="unknown provider `x`, expected one of `anthropic`, "):
        _translator("x", "anthropic")
    with pytest.raises(wg.EncodeError, match="openai_chat: unknown dialect `x`, expected one of"):
        _translator("openai_chat", "anthropic", source_dialect="x")


# -- strange bodies --------------------------------------------------------------------------------


@pytest.mark.parametrize("count", range(1, 6))
def test_a_list_under_the_key_that_stands_in_for_the_own_one_is_not_taken_for_it(
    chat: wg.RequestTranslator, count: int
) -> None:
    for turns in (2, 3, 4):
        body = _chat(turns)
        messages = json.dumps(json.loads(body)["messages"][:count], separators=(",", ":"))
        _check(chat, CHAT, body[:-1] + b',"\x7fessages":' + messages.encode() + b"}")


@pytest.mark.parametrize(
    "change",
    [
        lambda body: body.replace(b'"messages"', b'"\\u006dessages"'),
        lambda body: body[:-1] + b',"mess\\u0061ges":[{"role":"user","content":"other"}]}',
        lambda body: b'{"messages":[{"role":"user","content":"other"}],' + body[1:],
        lambda body: b'{"metadata":{"messages":"[1]"},' + body[1:],
        lambda body: b"\xef\xbb\xbf" + body,
        lambda body: b" \n" + body.replace(b",", b" ,\n ").replace(b"]", b"\t] "),
        lambda body: body.replace(b"Step 1.", b"Step \\ud800."),
        lambda body: body.replace(b"Step 1.", b"Step \xff."),
        lambda body: b"[" + body.partition(b"[")[2][:-1],
    ],
    ids=[
        "escaped key",
        "second list, escaped",
        "second list",
        "key in another object",
        "byte order mark",
        "white space",
        "lone surrogate",
        "not UTF-8",
        "bare list",
    ],
)
def test_strange_bodies_between_usual_ones(
    chat: wg.RequestTranslator, change: Callable[[bytes], bytes]
) -> None:
    for turns in range(2, 6):
        for body in (_chat(turns), change(_chat(turns)), change(_chat(turns))):
            outcomes = []
            for translate in (
                chat.translate,
                lambda body, losses: wg.translate_request(body, *CHAT, losses=losses),
            ):
                losses: list[wg.Loss] = []
                try:
                    made: Any = translate(body, losses=losses)
                except wg.WireglotError as error:
                    made = str(error)
                outcomes.append((made, losses))
            assert outcomes[0] == outcomes[1]


@pytest.mark.parametrize("kind", [bytearray, memoryview, bytes.decode, json.loads])
def test_other_data_than_bytes_is_translated_as_a_whole(
    chat: wg.RequestTranslator, kind: Callable[[bytes], Any]
) -> None:
    chat.translate(_chat(2))
    assert chat.translate(kind(_chat(3))) == wg.translate_request(_chat(3), *CHAT)
    assert chat.stats[:3] == (0, 2, 1)


def test_a_buffer_may_be_changed_afterwards(chat: wg.RequestTranslator) -> None:
    buffer = bytearray(_chat(2))
    expected = wg.translate_request(_chat(2), *CHAT)
    assert chat.translate(buffer) == expected
    buffer[:] = b" " * len(buffer)
    assert chat.translate(_chat(2)) == expected
    buffer.append(0)  # would raise if the buffer were held


def test_thinking_that_depends_on_known_messages_is_spelled_as_it_came() -> None:
    thinking = {"type": "enabled", "budget_tokens": 2048}
    thought = {"type": "thinking", "thinking": "Hm.", "signature": "c2lnbmVk"}
    wires = "anthropic", "anthropic"
    translator = _translator(*wires)
    messages: list[Json] = [{"role": "user", "content": LONG}]
    for number in range(4):
        use = {"type": "tool_use", "id": f"call_{number}", "name": "f", "input": {}}
        done = {"type": "tool_result", "tool_use_id": f"call_{number}", "content": "ok"}
        messages += [
            {"role": "assistant", "content": [thought, use] if number == 0 else [use]},
            {"role": "user", "content": [done]},
        ]
        body = {"model": "m", "max_tokens": 4096, "thinking": thinking, "messages": messages}
        _check(translator, wires, json.dumps(body, indent=1).encode())
    assert translator.stats.hits == 3


def test_names_of_tools_that_a_model_does_not_take_are_not_kept() -> None:
    translator = _translator("openai_chat", "gemini")
    for turns in range(1, 4):
        names = wg.ToolNames()
        body = _chat(turns, tools=[_tool("a.b c"), _tool("read")])
        translator.translate(body, losses=[], model="gemma-3-27b-it", names=names)
        assert names == {}


# -- bounds ----------------------------------------------------------------------------------------


def test_no_more_conversations_than_allowed_are_kept() -> None:
    translator = _translator(*CHAT, most_conversations=3)
    for number in range(10):
        translator.translate(_chat(2, first=f"{number} {LONG}"))
        assert translator.stats.conversations == min(number + 1, 3)
    for number in (9, 8, 7, 6):
        translator.translate(_chat(3, first=f"{number} {LONG}"))
    assert translator.stats.hits == 3


def test_no_more_bytes_than_allowed_are_kept() -> None:
    translator = _translator(*CHAT, most_bytes=60_000)
    for number in range(20):
        translator.translate(_chat(2, first=f"{number} {LONG}", user=f"{number}"), losses=[])
        assert translator.stats.bytes <= 60_000
    assert 1 < translator.stats.conversations < 20


def test_a_conversation_that_is_too_large_is_not_kept() -> None:
    translator = _translator(*CHAT, most_bytes=10_000)
    _check(translator, CHAT, *(_chat(turns, first=LONG * 5) for turns in (1, 2, 3)))
    assert translator.stats[:3] == (0, 3, 0)


def test_with_no_room_at_all_everything_is_a_miss() -> None:
    translator = _translator(*CHAT, most_conversations=0, most_bytes=0)
    _check(translator, CHAT, *(_chat(turns) for turns in (1, 2, 3)))
    assert translator.stats == (0, 3, 0, 0)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [1_000.0]
    init = Recent.__init__

    def with_clock(self: Any, *args: Any, **options: Any) -> None:
        init(self, *args, **options)
        self._now = lambda: now[0]

    monkeypatch.setattr(Recent, "__init__", with_clock)
    return now


def test_what_was_not_used_for_long_is_forgotten(clock: list[float]) -> None:
    translator = _translator(*CHAT, most_seconds=60)
    translator.translate(_chat(1))
    clock[0] += 60
    translator.translate(_chat(2))  # it is used, and so becomes young again
    clock[0] += 60
    translator.translate(_chat(3))
    assert translator.stats[:3] == (2, 1, 1)
    clock[0] += 60.5
    _check(translator, CHAT, _chat(4))
    assert translator.stats[:3] == (2, 2, 1)


def test_what_is_too_old_goes_although_nobody_asks_for_it(clock: list[float]) -> None:
    translator = _translator(*CHAT, most_seconds=60)
    translator.translate(_chat(2, first="a" + LONG))
    clock[0] += 61
    translator.translate(_chat(2, first="b" + LONG))
    assert translator.stats.conversations == 1


def test_the_oldest_go_first(clock: list[float]) -> None:
    translator = _translator(*CHAT, most_conversations=2)
    for first in ("a", "b", "a", "c"):
        clock[0] += 1
        translator.translate(_chat(2, first=first + LONG))
    assert translator.stats[:3] == (1, 3, 2)
    translator.translate(_chat(2, first="a" + LONG))
    assert translator.stats.hits == 2
    translator.translate(_chat(2, first="b" + LONG))
    assert translator.stats.hits == 2


def test_clear_forgets_all_and_the_next_request_is_a_miss(chat: wg.RequestTranslator) -> None:
    _check(chat, CHAT, _chat(1), _chat(2))
    chat.clear()
    assert chat.stats == (1, 1, 0, 0)
    _check(chat, CHAT, _chat(3))
    assert chat.stats[:3] == (1, 2, 1)


def _held(translator: wg.RequestTranslator, bodies: Iterator[bytes]) -> int:
    """Return the bytes that a translator holds after some bodies, which nobody else holds."""
    gc.collect()
    tracemalloc.start()
    try:
        for body in bodies:
            translator.translate(body, losses=[])
        del body
        gc.collect()
        return tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()


TOOLS = [_tool(f"tool_{number}") for number in range(30)]


@pytest.mark.parametrize("target", ["openai_chat", "anthropic", "gemini"])
@pytest.mark.parametrize(
    "bodies",
    [
        lambda: (_chat(turns, first="Go on. " * 900) for turns in range(1, 150)),
        lambda: (_chat(n, user=f"{i}" * 4_000, tools=TOOLS) for i in range(40) for n in (1, 2, 3)),
        lambda: (_chat(n, first=f"{i}{LONG}") for i in range(100) for n in (1, 2, 3)),
    ],
    ids=["a long conversation", "envelopes of their own", "many conversations"],
)
def test_the_bytes_that_it_says_it_holds_are_about_those_that_it_holds(
    target: str, bodies: Callable[[], Iterator[bytes]]
) -> None:
    translator = _translator("openai_chat", target)
    for body in islice(bodies(), 3):
        translator.translate(body, losses=[])  # what is loaded once is not its own
    translator.clear()
    held = _held(translator, bodies())
    assert held / 1.6 < translator.stats.bytes < held * 1.6


def _cited(turns: int, part: str, content_index: int, **unknown: Any) -> bytes:
    """Return a conversation whose first answer cites a thousand sources."""
    source = {"type": "document", "id": "d", "document": {"title": "t"}}
    place = {"start": 0, "end": 1, "text": "w", "content_index": content_index}
    citation = {**place, "sources": [source], "type": "TEXT_CONTENT", **unknown}
    answer = {"content": [{"type": "text", "text": part}], "citations": [citation] * 1000}
    messages: list[Json] = [{"role": "user", "content": part}, {"role": "assistant", **answer}]
    messages += [{"role": "user", "content": "and?"}, {"role": "assistant", "content": "a"}] * turns
    messages.append({"role": "user", "content": "then?"})
    return json.dumps({"model": "m", "messages": messages}).encode()


@pytest.mark.parametrize("at", [0, 9], ids=["on a text", "on no text"])
@pytest.mark.parametrize("unknown", [{}, {"z": 1}], ids=["known keys", "unknown keys"])
def test_what_an_answer_cites_is_counted(at: int, unknown: Json) -> None:
    translator = _translator("cohere", "anthropic")
    for turns in (1, 2):
        translator.translate(_cited(turns, "w", at, **unknown), losses=[])
    translator.clear()
    held = _held(translator, (_cited(n, f"{i}", at, **unknown) for i in range(6) for n in (1, 2)))
    assert held / 1.6 < translator.stats.bytes < held * 1.6


@pytest.mark.parametrize("target", ["openai_chat", "anthropic"])
def test_what_is_kept_does_not_hold_on_to_the_rest_of_a_body(target: str) -> None:
    large = {"role": "assistant", "content": "a"}, {"role": "user", "content": "y" * 1_000_000}
    translator = _translator("openai_chat", target)
    translator.translate(_chat(1), losses=[])
    held = _held(translator, (_chat(turns, *large) for turns in range(1, 8)))
    assert translator.stats.hits == 7
    assert held < 100_000


# -- tenants and threads ---------------------------------------------------------------------------


def test_a_tenant_never_gets_a_hit_of_anothers(chat: wg.RequestTranslator) -> None:
    for tenant in ("", "one", "two"):
        chat.translate(_chat(2), tenant=tenant)
        assert chat.stats.hits == 0
    for hits, tenant in enumerate(("one", "", "two"), 1):
        chat.translate(_chat(3), tenant=tenant)
        assert chat.stats.hits == hits
    assert chat.stats.conversations == 3


def test_what_one_tenant_has_does_not_let_in_another_between(chat: wg.RequestTranslator) -> None:
    bodies = [_chat(turns, seed=7) for turns in range(1, 6)]
    for number, body in enumerate(bodies):
        tenant = "one" if number % 2 else "two"
        assert chat.translate(body, tenant=tenant) == wg.translate_request(body, *CHAT)
    assert chat.stats[:3] == (3, 2, 2)


def test_many_threads_share_one_translator() -> None:
    threads = 8
    tools = [_tool("a.b"), _tool("read")]
    bodies = [_chat(n, first=f"{i} {LONG}", tools=tools) for n in range(1, 17) for i in range(4)]
    wires = "openai_chat", "anthropic"

    def whole(body: bytes) -> tuple[bytes, list[str], list[str]]:
        losses: list[wg.Loss] = []
        names = wg.ToolNames()
        made = wg.translate_request(body, *wires, losses=losses, names=names)
        return made, [*map(str, losses)], [*names]

    expected = [whole(body) for body in bodies]
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for _ in range(5):
            translator = _translator(*wires, most_conversations=6)
            barrier = Barrier(threads)

            def work(number: int, translator: Any = translator, barrier: Any = barrier) -> Any:
                barrier.wait()
                made = {}
                for at in random.Random(number).sample(range(len(bodies)), len(bodies)):
                    losses: list[wg.Loss] = []
                    names = wg.ToolNames()
                    sent = translator.translate(bodies[at], losses=losses, names=names)
                    made[at] = sent, [*map(str, losses)], [*names]
                return [made[at] for at in range(len(bodies))]

            with ThreadPoolExecutor(threads) as pool:
                assert list(pool.map(work, range(threads))) == [expected] * threads
            hits, misses, conversations, _ = translator.stats
            assert hits + misses == threads * len(bodies)
            assert hits  # how many depends on which thread comes first
            assert conversations <= 6
    finally:
        sys.setswitchinterval(before)


def test_tools_are_kept_for_other_threads_only_once_all_is_known_of_them() -> None:
    order: list[str] = []

    class Watched(KeptTools):
        def __setattr__(self, name: str, value: Any) -> None:
            order.append(name)
            super().__setattr__(name, value)

    request = wg.Request([], model="m", tools=[wg.Tool("a.b", parameters={"type": "object"})])
    codec = wg.PROVIDERS["anthropic"].Transcript.CODEC
    writer = codec.writer(request, [], "anthropic", names=wg.ToolNames()).encoding
    writer.kept_tools = kept = Watched()
    order.clear()
    tools(request, writer, lambda _, name: {"name": name})
    assert sorted(order) == ["lost", "names", "parts", "sent_names"]
    assert order[-1] == "parts"
    assert kept.sent_names == {"a.b": "a_b_2e7336dc"}


def test_many_threads_may_make_each_other_forget() -> None:
    threads = 8
    bodies = [_chat(2, first=f"{number}{LONG}") for number in range(threads)]
    expected = [wg.translate_request(body, *CHAT) for body in bodies]
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for most in (1, 2) * 4:
            translator = wg.RequestTranslator(*CHAT, most_conversations=most)
            barrier = Barrier(threads)

            def work(number: int, translator: Any = translator, barrier: Any = barrier) -> bool:
                chosen = random.Random(number).choices(range(threads), k=100)
                barrier.wait()
                return all(translator.translate(bodies[at]) == expected[at] for at in chosen)

            with ThreadPoolExecutor(threads) as pool:
                assert all(pool.map(work, range(threads)))
            assert translator.stats.hits + translator.stats.misses == threads * 100
            assert translator.stats.conversations == most
    finally:
        sys.setswitchinterval(before)


FORK = """
import os, signal, threading, time
import wireglot as wg
from wireglot.translate.conversation import _one_at_a_time
translator = wg.RequestTranslator("openai_chat", "mistral")
body = b'{"model":"m","messages":[{"role":"user","content":"' + b"x" * 3000 + b'"}]}'
held = threading.Event()
def hold():
    with _one_at_a_time:
        held.set()
        time.sleep(0.5)
threading.Thread(target=hold).start()
held.wait()
child = os.fork()
if not child:
    signal.alarm(20)  # kills a child that hangs
    translator.translate(body)
    os._exit(translator.stats.misses)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="this system has no fork")
def test_a_child_goes_on_although_another_thread_was_at_work_at_the_fork() -> None:
    made = subprocess.run(
        [sys.executable, "-W", "ignore::DeprecationWarning", "-c", FORK],
        capture_output=True,
        text=True,
    )
    assert (made.stdout, made.stderr) == ("1\n", "")
