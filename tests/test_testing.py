"""The strategies that are published: what they draw, what it shrinks to, and what it needs."""

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, find, given, settings
from hypothesis import strategies as st
from msgspec import Struct

import wireglot as wg
from wireglot import model, testing
from wireglot.model.place import PLACE

laws = settings(max_examples=30, suppress_health_check=[HealthCheck.too_slow], database=None)
DOCS = Path(__file__).parents[1] / "docs" / "testing.md"

# Model types that stand on no wire of their own.
NOWHERE = {"CostConfig", "MediaBlock", "ToolName"}
STRUCTS = {
    name: kind
    for name in model.__all__
    if isinstance(kind := getattr(model, name), type)
    and issubclass(kind, Struct)
    and name not in NOWHERE
}


def test_every_name_is_a_function_that_says_what_it_draws() -> None:
    assert testing.__all__ == sorted(testing.__all__)
    for name in testing.__all__:
        strategy = getattr(testing, name)
        assert isinstance(strategy(), st.SearchStrategy)
        assert strategy.__doc__.startswith("Draw ")
        assert f"`{name}(" in DOCS.read_text("utf-8"), f"{name} is not in docs/testing.md"


@pytest.fixture
def _all_made_anew() -> Iterator[None]:
    modules = [module for name, module in sys.modules.items() if "wireglot.testing." in name]
    kept = [f for module in modules for f in vars(module).values() if hasattr(f, "cache_clear")]
    for function in kept:
        function.cache_clear()
    yield
    for function in kept:
        function.cache_clear()


@pytest.mark.usefixtures("_all_made_anew")
def test_no_field_of_the_model_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: dict[str, set[str]] = {name: set() for name in STRUCTS}
    builds = st.builds

    def recorded(kind: Any, /, *values: Any, **fields: Any) -> Any:
        if getattr(kind, "__name__", "") in drawn:
            drawn[kind.__name__] |= {*kind.__struct_fields__[: len(values)], *fields}
        return builds(kind, *values, **fields)

    monkeypatch.setattr(st, "builds", recorded)
    for name in testing.__all__:
        getattr(testing, name)()
    expected = {name: set(kind.__struct_fields__) for name, kind in STRUCTS.items()}
    expected["Extra"] -= {"spelling", "dialect"}  # what a provider's decoder notes down
    for kind in wg.Message.__args__:
        expected[kind.__name__] -= {*PLACE}  # which `pairs` draws
    assert drawn == expected


@laws
@given(st.data())
@pytest.mark.parametrize("name", ["stream_events", "agent_messages", "blocks", "usages"])
def test_what_is_drawn_comes_back_on_both_wires(name: str, data: st.DataObject) -> None:
    kinds: dict[str, Any] = {
        "stream_events": wg.StreamEvent,
        "agent_messages": wg.AgentMessage,
        "blocks": wg.Content,
        "usages": wg.Usage,
    }
    value = data.draw(getattr(testing, name)())
    for wire in (wg.json, wg.msgpack):
        encoded = wire.encode(value)
        decoded = wire.decode(encoded, kinds[name])
        assert decoded == value
        assert wire.encode(decoded) == encoded


def _drawn(strategy: st.SearchStrategy[Any], most: int = 300) -> list[Any]:
    drawn: list[Any] = []

    @settings(laws, max_examples=most, derandomize=True, phases=[Phase.generate])
    @given(strategy)
    def draw(value: Any) -> None:
        drawn.append(value)

    draw()
    return drawn


def test_no_kind_is_drawn_at_the_cost_of_the_others() -> None:
    blocks = _drawn(testing.blocks())
    kinds = Counter(type(block) for block in blocks if not isinstance(block, wg.MediaBlock))
    assert len(kinds) == 7
    assert min(kinds.values()) >= 8
    assert any(
        isinstance(inner, wg.ToolResultBlock)
        for block in _drawn(testing.blocks(), 1200)
        if isinstance(block, wg.ToolResultBlock)
        for inner in block.content
    )
    entries = _drawn(testing.agent_messages())
    assert 60 < sum(isinstance(entry, wg.Message) for entry in entries) < 240


def test_answers_say_how_they_ended_and_who_gave_them() -> None:
    answers = [response.message for response in _drawn(testing.responses())]
    assert len({answer.stop_reason for answer in answers}) > 6
    for name in ("model", "provider", "api", "error_message", "metadata", "extras"):
        assert sum(getattr(answer, name) is not None for answer in answers) > 10


def test_media_are_drawn_in_each_form_that_comes_off_a_wire() -> None:
    forms = Counter(media._form for media in _drawn(testing.media()))
    assert {*forms} == {"binary", "base64", "json", "inner"}
    assert min(forms.values()) > 10


# -- shrinking ------------------------------------------------------------------------------------


def _answered(events: list[wg.StreamEvent]) -> list[Any]:
    content: list[Any] = events[-1].response.message.content
    return content


SMALLEST: dict[str, tuple[Any, Any, str]] = {
    "a session": (testing.sessions(), lambda _: True, "[]"),
    "a call": (
        testing.blocks(),
        lambda block: type(block) is wg.ToolCallBlock,
        "ToolCallBlock(id='', name='', arguments={})",
    ),
    "an answer with usage": (
        testing.responses(),
        lambda response: response.message.usage is not None,
        "Response(message=AssistantMessage(content=[], usage=Usage(input=0, output=0, "
        "reasoning=0, cache_read=0, cache_write=0, total_tokens=0, image_tokens=None, "
        "audio_tokens=None, cost=None, extras=None)))",
    ),
    "tool arguments": (testing.arguments(), lambda _: True, "{}"),
    "JSON": (testing.json_values(), lambda _: True, "None"),
    "a text": (testing.texts(), lambda text: "z" in text, "'z'"),
    "a text with half a character": (
        testing.texts(surrogates=True),
        lambda text: any("\ud800" <= letter <= "\udfff" for letter in text),
        r"'\ud800'",
    ),
    "a stream with a thought": (
        testing.streams(),
        lambda events: any(type(block) is wg.ThinkingBlock for block in _answered(events)),
        "[StreamStart(response=Response(message=AssistantMessage(content=[]))), "
        "BlockStart(index=0, block=ThinkingBlock(thinking='')), "
        "BlockEnd(index=0, block=ThinkingBlock(thinking='')), StreamEnd(response=Response("
        "message=AssistantMessage(content=[ThinkingBlock(thinking='')])))]",
    ),
}


@pytest.mark.parametrize("case", SMALLEST)
def test_what_fails_shrinks_to_the_least_that_does(case: str) -> None:
    strategy, fails, smallest = SMALLEST[case]
    many = settings(max_examples=1000, database=None, derandomize=True)
    assert repr(find(strategy, fails, settings=many)) == smallest


# -- streams --------------------------------------------------------------------------------------


def _said(block: wg.Content) -> Any:
    """Return what the deltas of a block say, the block itself if there are none."""
    if isinstance(block, wg.TextBlock):
        return block.text, block.annotations or []
    if isinstance(block, wg.ThinkingBlock):
        return block.thinking
    return block.arguments.text if isinstance(block, wg.ToolCallBlock) else block


@settings(laws, max_examples=150)
@given(testing.streams())
def test_the_events_of_a_stream_add_up_to_its_answer(events: list[wg.StreamEvent]) -> None:
    *deltas, end = events
    assert isinstance(deltas[0], wg.StreamStart)
    assert isinstance(end, wg.StreamEnd)
    total = wg.Accumulator()
    for event in deltas:
        if isinstance(event, wg.BlockEnd):
            assert _said(total.block(event.index)) == _said(event.block)
        total.add(event)
    assert total.message.content == end.response.message.content
    assert total.message.usage == end.response.message.usage


def _is_in_our_time(events: list[wg.StreamEvent]) -> bool:
    created: int | None = events[-1].response.created_at
    return created is None or abs(created) < 2**47  # beyond the year 6000 a wire may refuse it


def _is_named(events: list[wg.StreamEvent]) -> bool:
    """Whether all calls have names: where names may come late, one that never comes is an error."""
    blocks = [event.block for event in events if isinstance(event, wg.BlockStart)]
    return all(block.name for block in blocks if isinstance(block, wg.ToolCallBlock))


@laws
@given(testing.streams().filter(_is_in_our_time).filter(_is_named))
@pytest.mark.parametrize("name", wg.PROVIDERS)
def test_a_stream_that_a_wire_writes_it_reads(name: str, events: list[wg.StreamEvent]) -> None:
    provider = wg.PROVIDERS[name]
    encoder, decoder = provider.StreamEncoder(losses=[]), provider.StreamDecoder()
    try:
        written = [encoder.encode(event) for event in events]
        written.append(encoder.close())
    except wg.EncodeError:  # an answer that contradicts itself
        return
    for chunk in written:
        decoder.feed(chunk)
    try:
        assert decoder.close().message.content is not None
    except wg.ProviderError as error:  # an answer that says one
        told = events[-1].response.message
        if error.message != (told.error_message or told.raw_stop_reason or ""):
            raise


# -- hypothesis -----------------------------------------------------------------------------------


def _python(code: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(Path(wg.__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
    env = {**os.environ, "PYTHONPATH": path}
    return subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True)


def test_nothing_else_imports_hypothesis() -> None:
    made = _python(
        "import sys, wireglot as wg; [*wg.PROVIDERS.values(), *wg.FORMATS.values()]; "
        "wg.json.decode(wg.msgpack.encode([]) and '[]'); import wireglot.cli; "
        "print('hypothesis' in sys.modules, 'wireglot.testing' in sys.modules)"
    )
    assert (made.stdout, made.stderr) == ("False False\n", "")
