"""The suite itself: how many situations there are, whose they are, and on which wires."""

import re
from collections import Counter
from importlib import import_module
from typing import Final

import wireglot as wg
from tests.field.cases import Case

CLASSES: Final = ("answers", "hosts", "media", "messages", "streams", "thinking", "tools", "usage")
CASES: Final[dict[str, dict[str, Case]]] = {
    name: import_module(f"tests.field.test_{name}").CASES for name in CLASSES
}
"""The class of a situation -> its cases by id."""
REPORTED: Final = frozenset(
    {"anthropic", "bedrock", "cohere", "gemini", "mistral", "ollama"}
    | {"openai_chat", "openai_responses"}
)
"""The wires of which there are reports. A new one has none yet."""
_is_report = re.compile(r"[\w.-]+/[\w.-]+#[0-9]+").fullmatch


def counts() -> dict[str, int]:
    """Return how many situations each class has."""
    return {name: len(cases) for name, cases in CASES.items()}


def test_there_are_many_situations_of_each_class() -> None:
    assert min(counts().values()) >= 10
    assert sum(counts().values()) >= 150


def test_each_situation_has_a_report_and_a_sentence_of_its_own() -> None:
    cases = [(name, case) for part in CASES.values() for name, case in part.items()]
    assert [case.report for _, case in cases if not _is_report(case.report)] == []
    repeated = [name for name, count in Counter(name for name, _ in cases).items() if count > 1]
    assert repeated == []
    assert [name for name, _ in cases if name.count(" ") < 3] == []


def test_every_wire_with_reports_is_read_and_written() -> None:
    cases = [case for part in CASES.values() for case in part.values()]
    read = Counter(case.source.partition(":")[0] for case in cases)
    written = Counter(case.target.partition(":")[0] for case in cases)
    assert REPORTED <= read.keys() == written.keys() <= wg.PROVIDERS.keys()
