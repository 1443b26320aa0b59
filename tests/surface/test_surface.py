"""Each element of the SDKs' types: kept on its own wire, and never lost in silence on another.

The tables and the page are of certain versions of the SDKs. With others, the test runs only where
WIREGLOT_NEWEST_SDKS=1 asks for it, so that a release of theirs breaks no change of ours.
"""

import json
import os

import pytest

for _sdk in ("anthropic", "openai", "google.genai", "botocore", "mistralai", "cohere", "ollama"):
    pytest.importorskip(_sdk)
for _sdk in ("groq", "openrouter"):
    pytest.importorskip(_sdk)

from .apis import versions  # noqa: E402
from .excuses import Excused, Row, excuses, is_on_page, known  # noqa: E402
from .judge import Verdict  # noqa: E402
from .pairs import not_translated, pairs, reasons  # noqa: E402
from .table import RESULTS, judged, news, results  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore")
_EXCUSED = Excused()
_KNOWN = json.loads(RESULTS.read_text())
_IS_NEWEST = bool(os.environ.get("WIREGLOT_NEWEST_SDKS"))
_of_known_sdks = pytest.mark.skipif(versions() != _KNOWN["versions"], reason="other SDKs")
_of_wanted_sdks = pytest.mark.skipif(
    versions() != _KNOWN["versions"] and not _IS_NEWEST, reason="other SDKs"
)


@pytest.fixture(name="verdicts", scope="module")
def _verdicts() -> list[Verdict]:
    return judged(excused=_EXCUSED)


@_of_wanted_sdks
def test_no_element_is_gone_or_silent_without_a_reason(verdicts: list[Verdict]) -> None:
    assert [*news(verdicts)] == []


@_of_known_sdks
def test_each_row_of_the_tables_is_of_use(verdicts: list[Verdict]) -> None:
    assert len(verdicts) > 15_000
    unused = {f"{row.api}: {row.part} {row.name}": to for row, to in _EXCUSED.unused.items() if to}
    assert unused == {}


@pytest.mark.parametrize("sentence", sorted({(row.page, row.why) for row in excuses()}))
def test_the_sentence_of_an_excuse_is_on_its_page(sentence: tuple[str, str]) -> None:
    page, why = sentence
    assert is_on_page(Row("", "", "", frozenset(), why, page))


@_of_wanted_sdks
def test_a_pair_is_translated_or_has_a_reason(verdicts: list[Verdict]) -> None:
    wanted = [*pairs()]
    found = {
        (pair.part, pair.what, pair.source, pair.target)
        for pair in not_translated(wanted, verdicts)
    }
    assert found == set(reasons())
    assert len(found) < len(wanted) / 10


@_of_known_sdks
def test_the_page_shows_what_was_measured(verdicts: list[Verdict]) -> None:
    assert results(verdicts) == _KNOWN  # else run `python -m tests.surface --write`


def test_few_faults_are_known() -> None:
    assert len(known()) <= 10
