"""The tables of what each format carries: every field of the model stands on one side of them."""

import pytest
from msgspec.structs import fields

import wireglot as wg
from wireglot.formats.losses import carried_by, losses_by
from wireglot.model.session import PLACE


@pytest.mark.parametrize("name", wg.FORMATS)
def test_a_field_is_carried_or_lost(name: str) -> None:
    table = carried_by(name)
    assert wg.UserMessage in table
    assert wg.TextBlock in table
    for kind, (carried, lost) in table.items():
        known = PLACE if kind is wg.LlmMessage else [info.name for info in fields(kind)]
        assert sorted([*carried, *lost]) == sorted(set(known) - {"extras"}), kind.__name__


@pytest.mark.parametrize("name", wg.FORMATS)
def test_what_else_is_lost_has_a_reason(name: str) -> None:
    losses = losses_by(name)
    assert "extras" in losses
    assert all(why and not why.endswith(".") for why in losses.values())
