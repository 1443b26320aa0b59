"""Dialects: who speaks a wire, and what happens to a name that nobody has."""

import pytest

import wireglot as wg
from tests.providers.conversation import request, user

ASKED = request(user("hi"), max_tokens=64)
EACH = [(name, dialect) for name in wg.PROVIDERS for dialect in wg.PROVIDERS[name].DIALECTS]


@pytest.mark.parametrize(("name", "dialect"), EACH, ids=[f"{n}, {d}" for n, d in EACH])
def test_every_dialect_is_written_read_and_routed(name: str, dialect: str) -> None:
    provider = wg.PROVIDERS[name]
    body = provider.encode_request(ASKED, dialect=dialect)
    path = provider.route(ASKED, dialect=dialect).path
    made = provider.decode_request(body, path, dialect=dialect)
    assert [message.text() for message in made.messages] == ["hi"]
    assert provider.encode_request(made, dialect=dialect) == body
    assert (
        provider.Transcript([user("hi")], dialect=dialect).encode(model="m", max_tokens=64) == body
    )


@pytest.mark.parametrize("name", list(wg.PROVIDERS))
def test_an_unknown_dialect_is_the_callers_fault(name: str) -> None:
    provider = wg.PROVIDERS[name]
    body = provider.encode_request(ASKED)
    with pytest.raises(wg.EncodeError, match=rf"^{name}: unknown dialect `x`, expected one of `"):
        provider.encode_request(ASKED, dialect="x")
    with pytest.raises(wg.EncodeError, match="unknown dialect `x`"):
        provider.decode_request(body, dialect="x")
    with pytest.raises(wg.EncodeError, match="unknown dialect `x`"):
        provider.Transcript([user("hi")], dialect="x").encode(model="m")


def test_what_a_wire_has_no_key_for_is_lost_beside_a_spelling_too() -> None:
    body = b'{"model":"m","stream":false,"options":{},"messages":[{"role":"user","content":"hi"}]}'
    asked = wg.providers.ollama.decode_request(body)
    asked.parallel_tool_calls = False
    losses: list[wg.Loss] = []
    assert wg.providers.ollama.encode_request(asked, losses=losses) == body
    assert [loss.what for loss in losses] == ["parallel_tool_calls"]
