"""Requests and answers -> verdicts, in several processes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from multiprocessing import Pool

from tests.corpus.answers import Answer
from tests.corpus.exchanges import Sample
from tests.corpus.other_answers import judge_other_answer
from tests.corpus.others import judge_other
from tests.corpus.own import judge_own
from tests.corpus.own_answers import judge_own_answer
from tests.corpus.verdicts import Verdict

__all__ = ["judged"]

_BATCH = 32


def judged(
    samples: Sequence[Sample | Answer], targets: Sequence[str], jobs: int
) -> Iterator[Verdict]:
    """Judge each sample on its own wire, and on those targets that are other wires."""
    with Pool(jobs) as pool:
        work = (samples[i : i + _BATCH] for i in range(0, len(samples), _BATCH))
        for verdicts in pool.imap(partial(_batch, targets=targets), work):
            yield from verdicts


def _batch(samples: Sequence[Sample | Answer], targets: Sequence[str]) -> list[Verdict]:
    verdicts = []
    for sample in samples:
        others = [name for name in targets if name != sample.provider]
        if isinstance(sample, Answer):
            verdicts.append(judge_own_answer(sample))
            verdicts += [judge_other_answer(sample, name) for name in others]
        else:
            verdicts.append(judge_own(sample))
            verdicts += [judge_other(sample, name) for name in others]
    return verdicts
