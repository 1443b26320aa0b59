"""The provider of recorded documents is detected from the documents alone."""

from __future__ import annotations

import pytest

import wireglot as wg
from tests.corpus.answers import read_answers
from tests.corpus.exchanges import read_corpus
from tests.traffic import FOLDERS, needs_traffic
from wireglot._documents.detection import detect


@needs_traffic
@pytest.mark.parametrize("kind", ["request", "response", "stream"])
def test_recorded_documents_are_known_for_what_they_are(kind: str) -> None:
    dialects = {name: wg.PROVIDERS[name].DIALECTS for name in wg.PROVIDERS}
    read = read_corpus if kind == "request" else read_answers
    samples = [
        sample
        for sample in read(FOLDERS, dialects, "").samples
        if kind == getattr(sample, "kind", "request") and sample.dialect != "bedrock"
    ][::10]
    wrong = []
    for sample in samples:
        try:
            found = detect(sample.data)
        except wg.DecodeError as error:
            wrong.append((sample.id, str(error)))
        else:
            if (found.wire, found.kind) != (sample.provider, kind):
                wrong.append((sample.id, found.wire))
    # Some have nothing that is specific to one provider; a few are cut.
    assert len(wrong) <= len(samples) * 0.03, wrong
    assert len(samples) > 50
