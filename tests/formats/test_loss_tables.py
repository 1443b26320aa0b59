"""The tables of what each format carries: every field of the model stands on one side of them."""

import pytest
from msgspec.structs import fields

import wireglot as wg
from wireglot.formats.losses import carried_by, losses_by


@pytest.mark.parametrize("name", wg.FORMATS)
def test_a_field_is_carried_or_lost(name: str) -> None:
    table = carried_by(name)
    assert wg.UserMessage in table
    assert wg.TextBlock in table
    for kind, (carried, lost) in table.items():
        known = [info.name for info in fields(kind)]
        assert sorted([*carried, *lost]) == sorted(set(known) - {"extras"}), kind.__name__


@pytest.mark.parametrize("name", wg.FORMATS)
def test_what_else_is_lost_has_a_reason(name: str) -> None:
    losses = losses_by(name)
    assert "extras" in losses
    assert all(why and not why.endswith(".") for why in losses.values())


@pytest.mark.parametrize("name", ["mcp", "otel"])
def test_a_malformed_data_url_is_called_so(name: str) -> None:
    losses: list[wg.Loss] = []
    wg.FORMATS[name].encode([wg.UserMessage([wg.ImageBlock(url="data:x")])], losses=losses)
    assert "a malformed `data:` URL" in losses[0].why


CALL = wg.ToolCallBlock("c1", "f", {}, wg.model.ToolKind.READ, metadata={"a": 1})
PARTS = wg.ThinkingBlock("so", details=["s", "o"])
PYAGENITY = "PyAgenity has no place for it; left out"
RAVI = "Ravi has no place for it; left out"


@pytest.mark.parametrize(
    ("name", "message", "expected"),
    [
        (
            "pyagenity",
            wg.AssistantMessage([CALL]),
            [f"kind: {PYAGENITY}", f"metadata: {PYAGENITY}"],
        ),
        (
            "ravi",
            wg.AssistantMessage([PARTS], usage=wg.Usage(reasoning=2)),
            [f"details: {RAVI}", f"reasoning: {RAVI}"],
        ),
    ],
)
def test_a_field_is_not_lost_for_the_reason_of_another_of_its_name(
    name: str, message: wg.Message, expected: list[str]
) -> None:
    losses: list[wg.Loss] = []
    wg.FORMATS[name].encode([message], losses=losses)
    assert [f"{loss.what}: {loss.why}" for loss in losses] == expected


def test_data_is_not_lost_in_v3_for_the_reason_of_an_errors_data() -> None:
    losses: list[wg.Loss] = []
    data = wg.DataBlock.from_bytes(b"x")
    wg.formats.ravi.encode([wg.UserMessage([data])], losses=losses, version="v3")
    assert [f"{loss.what}: {loss.why}" for loss in losses] == [f"data: {RAVI}"]
