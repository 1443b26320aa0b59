"""Recorded requests in any order: what `RequestTranslator` knows of others changes none of them."""

import random

import pytest

import wireglot as wg
from tests.corpus.exchanges import read_corpus
from tests.growing import LARGE, SMALL, Asked, Both
from tests.traffic import FOLDERS, needs_traffic

pytestmark = [needs_traffic, pytest.mark.slow]


def test_each_recorded_request_becomes_what_it_becomes_alone() -> None:
    chance = random.Random(1)
    names = list(wg.PROVIDERS)
    samples = read_corpus(FOLDERS, {name: wg.PROVIDERS[name].DIALECTS for name in names}).samples
    assert samples
    chance.shuffle(samples)
    both = Both(LARGE, SMALL)
    different = []
    for sample in samples:
        at = names.index(sample.provider)
        for step in (1, 2):
            target = names[(at + step) % len(names)]
            asked = Asked(
                sample.provider,
                target,
                sample.data,
                (("source_dialect", sample.dialect), ("repair", step == 1)),
                sample.path,
                model=None,
                tenant="",
                keeps_names=chance.random() < 0.5,
                keeps_losses=chance.random() < 0.8,
            )
            if both.difference(asked) is not None:
                different.append(f"{sample.id} to {target}")
    assert different == []
    assert both.hits > 100
