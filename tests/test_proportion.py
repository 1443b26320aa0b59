"""No time and no memory out of proportion: see `proportion.py`, which makes the shapes."""

import pytest

from tests.proportion import TARGETS, find, picked, shapes

_ONE_IN = 300


@pytest.mark.slow
@pytest.mark.parametrize("target", TARGETS)
def test_no_cost_grows_faster_than_its_input(target: str) -> None:
    found = [
        find(target, shape)
        for shape in picked(target, 1 if target.endswith("written") else _ONE_IN)
    ]
    assert [each for each in found if not each.is_fine()] == []


# Shapes that once took time like the square of their size.
_KNOWN = [
    ("gemini stream, read", "citationMetadata"),
    ("gemini stream, read", "logprobsResult"),
    ("openai_chat stream, read", "logprobs"),
    ("openai_chat stream, read", "tool_calls"),
]


@pytest.mark.parametrize(("target", "key"), _KNOWN, ids=[" ".join(known) for known in _KNOWN])
def test_the_cost_of_a_frame_does_not_grow_with_those_before_it(target: str, key: str) -> None:
    with_key = [s for s in shapes(target) if f'"{key}"'.encode() in s.make(1)]
    assert with_key
    for shape in with_key[:4]:
        assert find(target, shape).is_fine()
