"""Numbers that phi-core has no room for: kept where they stood, and no part of the message."""

import json

import pytest

from wireglot.formats import phi_core as phi


@pytest.mark.parametrize(("key", "name"), [("nodeId", "node_id"), ("parentId", "parent_id")])
@pytest.mark.parametrize(
    ("number", "read"),
    [(18446744073709551615, 18446744073709551615), (18446744073709551616, None)],
    ids=["the largest of 64 bits", "one more"],
)
def test_a_place_beyond_64_bits_is_set_aside_and_comes_back(
    key: str, name: str, number: int, read: int | None
) -> None:
    data = f'[{{"role":"user","content":[],"timestamp":5,"{key}":{number}}}]'
    [message] = phi.decode(data, list[phi.MESSAGE])
    assert getattr(message, name) == read
    assert json.loads(phi.encode([message])) == json.loads(data)
