"""A field that a wire has no place for -> a loss, and the bytes of a request without the field.

Cases of the rows of `COMMON` that are fields, on each wire that does not carry them.
"""

from typing import Any

import pytest

import wireglot as wg
from wireglot.providers.losses import COMMON, losses_of
from wireglot.providers.ollama.losses import LOSSES


def _asked(*content: wg.Content, **fields: Any) -> wg.Request:
    return wg.Request([wg.UserMessage([*content])], "m", max_tokens=64, **fields)


_HI = _asked(wg.TextBlock("hi"))
# Row -> the path of the loss, a request that has the field, and the same request without it.
FIELDS: dict[str, tuple[str, wg.Request, wg.Request]] = {
    "user_id": ("$", _asked(wg.TextBlock("hi"), user_id="u"), _HI),
}
FOR_ALL = {
    *FIELDS,
    *("opaque event", "revision", "unfinished"),  # test_stream_rules.py, test_one_block.py
    *("context", "only tools", "stored state"),  # test_severe_losses.py
    "opaque text",  # tests/field/test_readable.py
    "tool choice lost",  # test_tool_choice.py
    "tool kind",  # tests/field/test_client_tools.py
}
"""Rows whose cases run over all wires, so that no wire's own `test_losses.py` has any."""
UNSEEN = frozenset(
    {"data", "document", "document context", "file id", "image", "image file"} | {"tool result"}
)
"""Rows of content that the model does not see, whatever the case: they are severe."""
LOST = [(name, what) for name in wg.PROVIDERS for what in FIELDS if what in losses_of(name)]


def told(what: str, path: str, table: dict[str, str], *, severe: bool | None = None) -> wg.Loss:
    """Return the loss of a case; the unknown key of all cases is `k`.

    With None it is severe if the row always is, but for what an earlier answer holds.
    """
    keys = ("k",) if what == "extras" else ()
    return wg.Loss(path, what, table[what], what in UNSEEN if severe is None else severe, keys)


def reason(what: str, table: dict[str, str]) -> str:
    """Return the reason of a case as a message has it."""
    named = "keys that another API understands (`k`); left out"
    return named if what == "extras" else table[what]


@pytest.mark.parametrize(("name", "what"), LOST)
def test_a_field_without_a_place_is_a_loss_and_changes_no_byte(name: str, what: str) -> None:
    path, asked, without = FIELDS[what]
    losses: list[wg.Loss] = []
    provider = wg.PROVIDERS[name]
    assert provider.encode_request(asked, losses=losses) == provider.encode_request(without)
    assert losses == [wg.Loss(path, what, losses_of(name)[what])]


@pytest.mark.parametrize(("name", "what"), LOST)
def test_a_field_without_a_place_that_nobody_allowed_to_lose(name: str, what: str) -> None:
    path, asked, _ = FIELDS[what]
    with pytest.raises(wg.LossError) as caught:
        wg.PROVIDERS[name].encode_request(asked)
    step = "pass a list as `losses`, and read it"
    assert str(caught.value) == f"{name}: {what}: {losses_of(name)[what]}; {step} - at `{path}`"


def test_a_wire_that_carries_a_field_has_no_row_for_it() -> None:
    lost = [name for name in wg.PROVIDERS if "user_id" in losses_of(name)]
    assert lost == ["gemini", "bedrock", "mistral", "cohere", "ollama"]


def test_a_field_that_is_carried_of_one_type_and_lost_of_another_has_a_row(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(COMMON, "name", "messages have no name; left out")  # tools have
    monkeypatch.setitem(COMMON, "temperature", "there is no such parameter; left out")
    monkeypatch.delitem(LOSSES, "name")
    table = losses_of("ollama")
    assert table["name"] == "messages have no name; left out"
    assert "temperature" not in table
