"""Recorded answers survive a round trip on their own wire, and reach the others complete."""

from functools import cache

import pytest

import wireglot as wg
from tests.corpus.answers import Answer, read_answers
from tests.corpus.other_answers import judge_other_answer
from tests.corpus.own_answers import judge_own_answer
from tests.corpus.verdicts import Verdict
from tests.traffic import FOLDERS, needs_traffic

pytestmark = needs_traffic
every_provider = pytest.mark.parametrize("name", list(wg.PROVIDERS))


@cache
def _answers() -> list[Answer]:
    dialects = {name: wg.PROVIDERS[name].DIALECTS for name in wg.PROVIDERS}
    return read_answers(FOLDERS, dialects).samples


def _failed(verdict: Verdict) -> list[str]:
    return [
        f"{verdict.sample_id}: {failure.kind} at {failure.path} {failure.message}"
        for failure in verdict.failures
    ]


@every_provider
def test_an_answer_comes_back_from_its_own_wire(name: str) -> None:
    pytest.importorskip(f"tests.oracles.{name}")
    answers = [answer for answer in _answers() if answer.provider == name]
    assert answers
    assert [line for answer in answers for line in _failed(judge_own_answer(answer))] == []


@every_provider
def test_an_answer_gets_to_another_wire_whole(name: str) -> None:
    pytest.importorskip(f"tests.oracles.{name}")
    answers = [answer for answer in _answers() if answer.provider != name]
    assert [line for answer in answers for line in _failed(judge_other_answer(answer, name))] == []
