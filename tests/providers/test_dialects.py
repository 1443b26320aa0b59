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


IN_PATH = [
    ("anthropic", "vertex"),
    ("anthropic", "bedrock"),
    ("gemini", "gemini"),
    ("gemini", "vertex"),
    ("bedrock", "bedrock"),
]


@pytest.mark.parametrize("model", ["", ".", "..", "\ud83d", "m\udc00"])
@pytest.mark.parametrize(("name", "dialect"), IN_PATH, ids=[f"{n}, {d}" for n, d in IN_PATH])
def test_a_model_that_would_change_the_path_is_refused(name: str, dialect: str, model: str) -> None:
    expected = rf"^{name}: model .* - at `\$\.model`$"
    with pytest.raises(wg.EncodeError, match=expected):
        wg.PROVIDERS[name].route(wg.Request([user("hi")], model), dialect=dialect)


@pytest.mark.parametrize(("name", "dialect"), EACH, ids=[f"{n}, {d}" for n, d in EACH])
def test_no_model_has_a_part_of_the_path(name: str, dialect: str) -> None:
    provider = wg.PROVIDERS[name]
    path = provider.route(wg.Request([user("hi")], "x"), dialect=dialect).path
    for model in ("../x", "a/../../x", "..", "%2e%2e", "a?b", "a#b", "a\r\nb", "a\\b"):
        try:
            other = provider.route(wg.Request([user("hi")], model), dialect=dialect).path
        except wg.EncodeError:
            continue
        assert other.count("/") == path.count("/")
        assert not {"..", "."} & {*other.split("/")}
        assert not {*other} & {*"#\r\n\\"}


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
