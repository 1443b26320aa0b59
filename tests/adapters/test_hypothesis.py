"""`from_type` for types of the model, in a program that does not import `wireglot.testing`."""

import subprocess
import sys
from functools import partial
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, find, given, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample

import wireglot as wg
from wireglot.adapters.hypothesis import TYPES

FIRST = settings(max_examples=1_000, database=None, phases=[Phase.generate])
LAWS = settings(
    max_examples=20, database=None, suppress_health_check=[HealthCheck.too_slow, *HealthCheck]
)


@pytest.mark.parametrize("kind", TYPES, ids=lambda kind: kind.__name__)
def test_every_type_is_drawn_by_its_name(kind: Any) -> None:
    @given(st.from_type(kind))
    @LAWS
    def drawn(value: Any) -> None:
        assert isinstance(value, kind)

    drawn()


def _is(kind: Any, value: Any) -> bool:
    return type(value) is kind


@pytest.mark.parametrize(
    "union", [wg.Message, wg.Content, wg.StreamEvent], ids=["Message", "Content", "StreamEvent"]
)
def test_a_union_draws_each_of_its_members(union: Any) -> None:
    for kind in union.__args__:
        drawn = find(st.from_type(union), partial(_is, kind), settings=FIRST)
        assert type(drawn) is kind


def test_a_type_of_the_user_that_holds_ours_is_built() -> None:
    class Store:
        def __init__(self, session: list[wg.AgentMessage], request: wg.Request) -> None:
            self.parts = session, request

    @given(st.builds(Store))
    @LAWS
    def built(store: Store) -> None:
        session, request = store.parts
        assert all(isinstance(entry, wg.AgentMessage) for entry in session)
        assert isinstance(request, wg.Request)

    built()


def test_other_types_are_drawn_as_without_wireglot() -> None:
    with pytest.raises(NoSuchExample):
        find(st.from_type(object), lambda value: isinstance(value, TYPES), settings=FIRST)


def _printed(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout


def test_an_import_of_hypothesis_registers_the_types_and_makes_no_strategy() -> None:
    code = (
        "import sys, hypothesis; ours = [n for n in sys.modules if n.startswith('wireglot.')]\n"
        "print('wireglot.adapters.hypothesis' in ours)\n"
        "print(*sorted({n.split('.')[1] for n in ours}))\n"
        "import wireglot as w; found = hypothesis.strategies.from_type(w.TextBlock)\n"
        "print(isinstance(hypothesis.find(found, lambda _: True), w.TextBlock))"
    )
    registered, modules, is_drawn = _printed(code).splitlines()
    assert registered == "True"
    assert modules == "_runtime _version adapters errors limits losses model"
    assert is_drawn == "True"
