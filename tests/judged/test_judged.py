"""What made-up requests and answers become is taken by the fakes of every API, host and client.

A thousand of each here; `python -m tests.judged` makes as many as one likes.
"""

from __future__ import annotations

from collections import Counter

import pytest

from tests.judged.answered import answer_cases
from tests.judged.judge import cases

COUNT = 1_000


@pytest.mark.parametrize("made", [cases, answer_cases], ids=["requests", "answers"])
def test_what_is_translated_is_taken(made: object) -> None:
    outcomes: Counter[str] = Counter()
    faults: list[str] = []
    for outcome, fault in made(COUNT, 46):  # type: ignore[operator]
        outcomes[outcome] += 1
        faults += [] if fault is None else [fault.key]
    assert faults == []
    assert outcomes["whole"] + outcomes["with losses"] > COUNT / 2
