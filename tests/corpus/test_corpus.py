"""Recorded requests survive a round trip on their own wire, and reach the others complete."""

import json
from functools import cache

import pytest

import wireglot as wg
from tests.corpus.compare import parsed
from tests.corpus.exchanges import Sample, read_corpus
from tests.corpus.kept import dropped
from tests.corpus.others import judge_other
from tests.corpus.own import judge_own
from tests.corpus.parameters import unset
from tests.corpus.rules import normalized, rules_of
from tests.corpus.verdicts import Failure, Verdict
from tests.traffic import FOLDERS, needs_traffic

pytestmark = needs_traffic
every_provider = pytest.mark.parametrize("name", list(wg.PROVIDERS))


@cache
def _samples() -> list[Sample]:
    dialects = {name: wg.PROVIDERS[name].DIALECTS for name in wg.PROVIDERS}
    return read_corpus(FOLDERS, dialects).samples


def _failed(verdict: Verdict) -> list[str]:
    return [
        f"{verdict.sample_id}: {failure.kind} at {failure.path} {failure.message}"
        for failure in verdict.failures
    ]


@every_provider
def test_a_request_comes_back_from_its_own_wire(name: str) -> None:
    samples = [sample for sample in _samples() if sample.provider == name]
    assert samples
    assert [line for sample in samples for line in _failed(judge_own(sample))] == []


@every_provider
def test_the_rules_leave_what_is_said_as_it_is(name: str) -> None:
    changed = []
    for sample in _samples():
        if sample.provider != name:
            continue
        rules = rules_of(name, sample.dialect)
        try:
            before = _decoded(sample, sample.data)
        except wg.DecodeError:
            continue
        after = _decoded(sample, json.dumps(normalized(parsed(sample.data), rules)))
        changed += [f"{sample.id} at {failure.path}" for failure in _parted(before, after)]
    assert changed == []


def _decoded(sample: Sample, data: bytes | str) -> wg.Request:
    return wg.PROVIDERS[sample.provider].decode_request(
        data, sample.path, dialect=sample.dialect, losses=[]
    )


def _parted(one: wg.Request, other: wg.Request) -> list[Failure]:
    """List what only one of two requests has, except raw JSON, whose spelling may differ."""
    found = [*dropped(one, other, []), *dropped(other, one, [])]
    found += [*unset(one, other, []), *unset(other, one, [])]
    return [failure for failure in found if not failure.message.startswith(("opaque", "extras"))]


@every_provider
def test_a_request_gets_to_another_wire_whole(name: str) -> None:
    pytest.importorskip(f"tests.oracles.{name}")
    samples = [sample for sample in _samples() if sample.provider != name]
    assert [line for sample in samples for line in _failed(judge_other(sample, name))] == []
