"""Recorded bodies validate against a schema if, and only if, they decode."""

from functools import cache
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import wireglot as wg
from tests.corpus.answers import read_answers
from tests.corpus.compare import parsed
from tests.corpus.exchanges import read_corpus
from tests.traffic import FOLDERS, needs_traffic
from wireglot.schema import schema

pytestmark = needs_traffic
every_provider = pytest.mark.parametrize("name", wg.PROVIDERS)


@cache
def _samples(kind: str) -> list[Any]:
    dialects = {name: wg.PROVIDERS[name].DIALECTS for name in wg.PROVIDERS}
    if kind == "request":
        return [*read_corpus(FOLDERS, dialects).samples]
    answers = read_answers(FOLDERS, dialects).samples
    return [answer for answer in answers if answer.label.endswith(" response")]


def _error(name: str, sample: Any, kind: str) -> wg.DecodeError | None:
    provider = wg.PROVIDERS[name]
    try:
        if kind == "request":
            provider.decode_request(sample.data, sample.path, dialect=sample.dialect, losses=[])
        else:
            provider.decode_response(sample.data, dialect=sample.dialect, losses=[])
    except wg.DecodeError as error:
        return error
    return None


@every_provider
@pytest.mark.parametrize("kind", ["request", "response"])
def test_a_recorded_body_validates_where_it_decodes(name: str, kind: str) -> None:
    is_valid = Draft202012Validator(schema(name, kind)).is_valid
    samples = [sample for sample in _samples(kind) if sample.provider == name]
    assert len(samples) >= 20
    for sample in samples:
        error = _error(name, sample, kind)
        valid = is_valid(parsed(sample.data))
        # Gemini's schema accepts any string as a role; decoding does not.
        assert valid is (error is None) or "unknown role" in str(error), (sample.id, error)
