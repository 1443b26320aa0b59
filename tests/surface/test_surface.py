"""Each element of the SDKs' types: kept on its own wire, and never lost in silence on another."""

import pytest

for _sdk in ("anthropic", "openai", "google.genai", "botocore", "mistralai", "cohere", "ollama"):
    pytest.importorskip(_sdk)
for _sdk in ("groq", "openrouter"):
    pytest.importorskip(_sdk)

from .excuses import Excused, Row, excuses, is_on_page, known  # noqa: E402
from .judge import Verdict  # noqa: E402
from .pairs import not_translated, pairs, reasons  # noqa: E402
from .table import judged, news  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore")
_EXCUSED = Excused()


@pytest.fixture(name="verdicts", scope="module")
def _verdicts() -> list[Verdict]:
    return judged(excused=_EXCUSED)


def test_no_element_is_gone_or_silent_without_a_reason(verdicts: list[Verdict]) -> None:
    assert [*news(verdicts)] == []


def test_each_row_of_the_tables_is_of_use(verdicts: list[Verdict]) -> None:
    assert len(verdicts) > 15_000
    unused = [f"{row.api}: {row.part} {row.name} -> {to}" for row, to in _EXCUSED.unused.items() if to]
    assert unused == []


@pytest.mark.parametrize("sentence", sorted({(row.page, row.why) for row in excuses()}))
def test_the_sentence_of_an_excuse_is_on_its_page(sentence: tuple[str, str]) -> None:
    page, why = sentence
    assert is_on_page(Row("", "", "", frozenset(), why, page))


def test_a_pair_is_translated_or_has_a_reason(verdicts: list[Verdict]) -> None:
    wanted = [*pairs()]
    found = {
        (pair.part, pair.what, pair.source, pair.target)
        for pair in not_translated(wanted, verdicts)
    }
    assert found == set(reasons())
    assert len(found) < len(wanted) / 10


def test_few_faults_are_known() -> None:
    assert len(known()) <= 10
