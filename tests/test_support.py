"""The tables of support say what the encoders do."""

import pytest
from msgspec.structs import fields
from support_probes import ANSWERS, REQUESTS, Probe
from support_table import Verdict, verdict

import wireglot as wg

_PROBES = [probe for groups in (REQUESTS, ANSWERS) for row in groups.values() for probe in row]
_DIALECTS = [
    (name, dialect) for name, provider in wg.PROVIDERS.items() for dialect in provider.DIALECTS
]


def _probe(name: str) -> Probe:
    return next(probe for probe in _PROBES if probe.name == name)


def test_what_a_wire_carries_is_yes() -> None:
    assert verdict(_probe("image by URL"), "anthropic", "anthropic") == Verdict("yes")
    assert verdict(_probe("`seed`"), "ollama", "ollama") == Verdict("yes")
    assert verdict(_probe("`paused`"), "anthropic", "anthropic") == Verdict("yes")


def test_what_goes_out_in_another_form_is_other() -> None:
    assert verdict(_probe("image in a result"), "openai_chat", "openai") == Verdict("other")
    assert verdict(_probe("`usage.reasoning`"), "ollama", "ollama") == Verdict("other")


def test_what_is_lost_has_its_reason() -> None:
    assert verdict(_probe("`seed`"), "anthropic", "anthropic") == Verdict(
        "-", ("there is no such parameter; left out",)
    )
    assert verdict(_probe("video inline"), "openai_chat", "openai") == Verdict(
        "-", ("videos are taken in few dialects; a user's transcript goes as text",)
    )
    assert verdict(_probe("video inline"), "openai_chat", "openrouter") == Verdict("yes")


def test_a_signature_where_there_are_none_is_not_carried() -> None:
    found = verdict(_probe("signature of thinking"), "cohere", "cohere")
    assert found == Verdict("-", ("this wire has none",))


@pytest.mark.parametrize(("name", "dialect"), _DIALECTS, ids="-".join)
def test_what_is_lost_is_refused_without_a_list_of_losses(name: str, dialect: str) -> None:
    provider = wg.PROVIDERS[name]
    for probe in _PROBES:
        value = probe.build(provider.API)
        encode = provider.encode_request if type(value) is wg.Request else provider.encode_response
        if verdict(probe, name, dialect).why in ((), ("this wire has none",)):
            encode(value, dialect=dialect)
        else:
            with pytest.raises(wg.LossError):
                encode(value, dialect=dialect)


def test_every_parameter_of_a_request_has_a_row() -> None:
    rows = " ".join(probe.name for probe in _PROBES)
    parameters = {field.name for field in fields(wg.Request)}
    without = {name for name in parameters if f"`{name}" not in rows}
    # The first three are what every row has; `cache` is a wish, which some APIs fulfil unasked.
    assert without == {"messages", "model", "extras", "tools", "tool_choice", "cache"}
    assert "tools" in rows
    assert "tool choice" in rows


def test_no_two_rows_of_a_table_have_one_name() -> None:
    for groups in (REQUESTS, ANSWERS):
        names = [probe.name for probes in groups.values() for probe in probes]
        assert len(set(names)) == len(names)
