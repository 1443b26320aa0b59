"""A conversation that grows: what is encoded once, what every time, and what forbids that."""

import copy
from importlib import import_module
from typing import Any

import pytest

import wireglot as wg
from tests.providers.conversation import answer, assistant, call, request, system, text, user

TURNS: list[wg.Message] = [
    system("s"),
    user("a"),
    assistant("b", call("call00001")),
    answer("call00001", "r"),
    assistant("c"),
    user("d"),
    assistant("e"),
    user("f"),
]


def _expected(name: str, messages: list[wg.Message], **options: Any) -> bytes:
    asked = request(*messages, tools=[wg.Tool("f")], max_tokens=64)
    return wg.PROVIDERS[name].encode_request(asked, **options)


@pytest.mark.parametrize("name", list(wg.PROVIDERS))
def test_it_gives_the_bytes_of_a_request_at_every_length(name: str) -> None:
    transcript = wg.PROVIDERS[name].Transcript()
    for i, message in enumerate(TURNS):
        transcript.append(message)
        if type(message) in (wg.UserMessage, wg.ToolResultMessage):
            made = transcript.encode(model="m", max_tokens=64, tools=[wg.Tool("f")])
            assert made == _expected(name, TURNS[: i + 1])


@pytest.mark.parametrize("name", list(wg.PROVIDERS))
def test_what_was_settled_is_not_looked_at_again(name: str) -> None:
    first = user("a")
    transcript = wg.PROVIDERS[name].Transcript([first, assistant("b"), user("c")])
    before = transcript.encode(model="m")
    first.content[0] = text("changed, which nobody should do")
    assert transcript.encode(model="m") == before


@pytest.mark.parametrize("name", list(wg.PROVIDERS))
def test_an_error_is_that_of_a_request(name: str) -> None:
    transcript = wg.PROVIDERS[name].Transcript([user("a"), assistant(call("call00001"))])
    with pytest.raises(wg.EncodeError) as caught:
        transcript.encode(model="m")
    assert caught.value.path == "$.messages[1].content[0]"
    transcript.append(answer("call00001", "r"))
    assert b"call00001" in transcript.encode(model="m") or name == "gemini"


def test_a_loss_in_what_was_settled_is_told_every_time() -> None:
    clip = wg.AudioBlock.from_bytes(b"ID3")
    transcript = wg.providers.anthropic.Transcript([user("x", clip), assistant("b"), user("c")])
    for _ in range(2):
        losses: list[wg.Loss] = []
        transcript.encode(losses=losses, model="m")
        assert [(loss.path, loss.what) for loss in losses] == [
            ("$.messages[0].content[1]", "audio")
        ]
    with pytest.raises(wg.LossError, match="audio"):
        transcript.encode(model="m")


def test_breakpoints_are_counted_over_the_whole() -> None:
    marked = [user(text("a", cache=wg.CacheMark())), assistant("b")] * 3
    transcript = wg.providers.anthropic.Transcript(marked)
    cache = wg.CacheConfig()
    losses: list[wg.Loss] = []
    made = transcript.encode(
        losses=losses, model="m", max_tokens=8, tools=[wg.Tool("f")], cache=cache
    )
    expected: list[wg.Loss] = []
    asked = request(*marked, tools=[wg.Tool("f")], cache=cache)
    assert made == wg.providers.anthropic.encode_request(asked, losses=expected)
    assert losses == expected
    assert [loss.what for loss in losses] == ["cache mark"]


def test_repair_and_dialect_are_those_of_the_transcript() -> None:
    messages = [user("a"), assistant(call("a")), user("b"), assistant("c"), user("d")]
    transcript = wg.providers.anthropic.Transcript(messages, dialect="vertex", repair=True)
    made = transcript.encode(model="m", max_tokens=8)
    assert made.startswith(b'{"anthropic_version":"vertex-2023-10-16","max_tokens":8,')
    assert made.count(b"No result was recorded for this call.") == 1
    asked = request(*messages)
    expected = wg.providers.anthropic.encode_request(asked, dialect="vertex", repair=True)
    assert made == expected


@pytest.mark.parametrize("name", list(wg.PROVIDERS))
def test_an_answer_that_comes_to_nothing_parts_no_turns(name: str) -> None:
    messages = [user("a"), assistant("b"), user("c"), assistant(" "), user("d")]
    transcript = wg.PROVIDERS[name].Transcript()
    for i, message in enumerate(messages):
        transcript.append(message)
        if type(message) is wg.UserMessage:
            asked = request(*messages[: i + 1], max_tokens=64)
            expected = wg.PROVIDERS[name].encode_request(asked, losses=[])
            assert transcript.encode(losses=[], model="m", max_tokens=64) == expected


@pytest.mark.parametrize("name", list(wg.PROVIDERS))
def test_a_user_who_says_nothing_parts_no_answers(name: str) -> None:
    messages = [user("a"), assistant("b"), user(), assistant("c"), user("d"), assistant("e")]
    transcript = wg.PROVIDERS[name].Transcript()
    for i, message in enumerate(messages):
        transcript.append(message)
        asked = request(*messages[: i + 1], max_tokens=64)
        expected = wg.PROVIDERS[name].encode_request(asked, losses=[])
        assert transcript.encode(losses=[], model="m", max_tokens=64) == expected


@pytest.mark.parametrize("name", list(wg.PROVIDERS))
def test_a_system_message_waits_for_the_end_of_its_turn(name: str) -> None:
    messages = [user("a"), assistant("b"), system("s"), assistant("c"), user("d")]
    transcript = wg.PROVIDERS[name].Transcript()
    for i, message in enumerate(messages):
        transcript.append(message)
        lost: list[wg.Loss] = []
        expected: list[wg.Loss] = []
        asked = request(*messages[: i + 1], max_tokens=64)
        made = transcript.encode(losses=lost, model="m", max_tokens=64)
        assert made == wg.PROVIDERS[name].encode_request(asked, losses=expected)
        assert lost == expected


def _changing(dialect: str, *asked: dict[str, Any]) -> None:
    """Check the second request of a conversation whose requests have other fields each time."""
    chat = wg.providers.openai_chat
    turns = [
        system("s"),
        user("a"),
        assistant(call("a")),
        answer("a", "r"),
        assistant("b"),
        user("c"),
    ]
    transcript = chat.Transcript(turns, dialect=dialect)
    for fields in asked:
        fields |= {"model": "m", "tools": [wg.Tool("f")]}
        expected = chat.encode_request(wg.Request(turns, **fields), dialect=dialect)
        assert transcript.encode(**fields) == expected


def test_what_was_settled_follows_the_cache() -> None:
    sections = wg.model.CacheSections(True, False, False)
    cached = {"cache": wg.CacheConfig(strategy=wg.model.ManualCache(sections))}
    _changing("openrouter", {}, cached, {})


def test_what_was_settled_follows_the_thinking() -> None:
    off, on = (wg.Thinking(level=level) for level in (wg.ThinkingLevel.OFF, wg.ThinkingLevel.HIGH))
    _changing("deepseek", {"thinking": off}, {"thinking": on}, {"thinking": off})


def _takes_images(name: str) -> bool:
    rules = import_module(f"wireglot.providers.{name}.losses").RULES
    return wg.ImageBlock in rules.carried


@pytest.mark.parametrize("name", [*filter(_takes_images, wg.PROVIDERS)])
def test_an_error_that_is_kept_stops_no_later_request(name: str) -> None:
    def load() -> bytes:
        if not kept:
            raise OSError("not now")
        return b"\x89PNG\r\n\x1a\n"

    kept: list[OSError] = []
    image = wg.ImageBlock(data=wg.Media.from_loader(load), mime_type="image/png")
    turns = [user("a"), assistant("b"), user("c", image)]
    transcript = wg.PROVIDERS[name].Transcript(turns)
    with pytest.raises(OSError, match="not now") as caught:
        transcript.encode(model="m", max_tokens=64, tools=[wg.Tool("f")])
    kept.append(caught.value)
    for message in (assistant("d"), user("e")):
        turns.append(message)
        transcript.append(message)
    made = transcript.encode(model="m", max_tokens=64, tools=[wg.Tool("f")])
    assert made == _expected(name, turns)


@pytest.mark.parametrize("name", list(wg.PROVIDERS))
def test_broken_base64_is_the_error_of_a_request(name: str) -> None:
    image = wg.ImageBlock(data=wg.Media.from_base64(b"\xff\xfe"), mime_type="image/png")
    turns = [user("a"), assistant("b"), user("c", image), assistant("d"), user("e")]
    with pytest.raises(wg.EncodeError) as expected:
        wg.PROVIDERS[name].encode_request(request(*turns, max_tokens=64))
    with pytest.raises(wg.EncodeError) as caught:
        wg.PROVIDERS[name].Transcript(turns).encode(model="m", max_tokens=64)
    assert str(caught.value) == str(expected.value)


@pytest.mark.parametrize("make", [copy.copy, copy.deepcopy], ids=["copy", "deepcopy"])
@pytest.mark.parametrize("name", list(wg.PROVIDERS))
def test_a_copy_is_a_branch(name: str, make: Any) -> None:
    transcript = wg.PROVIDERS[name].Transcript([user("a"), assistant("b"), user("c")])
    before = transcript.encode(model="m", max_tokens=64)
    branch = make(transcript)
    for message in (assistant("d"), user("e")):
        branch.append(message)
    grown = [user("a"), assistant("b"), user("c"), assistant("d"), user("e")]
    asked = request(*grown, max_tokens=64)
    expected = wg.PROVIDERS[name].encode_request(asked)
    assert branch.encode(model="m", max_tokens=64) == expected
    assert transcript.encode(model="m", max_tokens=64) == before
    for message in (assistant("d"), user("e")):
        transcript.append(message)
    assert transcript.encode(model="m", max_tokens=64) == expected
