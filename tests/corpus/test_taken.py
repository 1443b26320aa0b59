"""What recorded requests become is taken by the fakes of every API, host and model."""

from collections import Counter

import pytest

from tests.judged.recorded import recorded_cases
from tests.refusals.hosts import HOSTS
from tests.traffic import FOLDERS, needs_traffic

pytestmark = needs_traffic


@pytest.mark.parametrize("target", HOSTS)
def test_what_a_recorded_request_becomes_is_taken(target: str) -> None:
    outcomes: Counter[str] = Counter()
    faults: list[str] = []
    for outcome, fault in recorded_cases(FOLDERS, [target]):
        outcomes[outcome] += 1
        faults += [fault] if fault else []
    assert faults == []
    assert outcomes["refused"] < sum(outcomes.values()) / 40  # calls for a model without tools
