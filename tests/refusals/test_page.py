"""docs/refusals.md has the tables that the rows make; `python -m tests.refusals` writes them."""

from __future__ import annotations

import pytest

from tests.refusals import ROWS
from tests.refusals.page import PAGE, with_tables


def test_the_page_is_what_the_rows_make() -> None:
    page = PAGE.read_text()
    assert with_tables(page) == page, "out of date: run `python -m tests.refusals`"


def test_every_row_is_on_the_page_under_the_heading_of_its_api() -> None:
    page = PAGE.read_text()
    assert (
        "| Cohere | Command R and R+ | `This parameter is only compatible with models Command-r7b "
        "and newer.` | the model chooses | cohere 7.3.1, ClientV2.chat; "
        "docs.cohere.com/reference/chat, 2026-11 |\n"
    ) in page.partition("### Mistral, Cohere and Ollama\n")[2]
    assert (
        "| Chat, Responses | o1-mini, o1-preview | `tools is not supported in this model.` "
        "| no tools | UKGovernmentBEIS/inspect_ai#1290, 2025-02 |\n"
    ) in page.partition("### OpenAI and Azure\n")[2]
    assert all(row.source in page for row in ROWS)


def test_every_row_says_what_is_sent_instead() -> None:
    for row in ROWS:
        assert row.sent
        assert not row.sent.endswith("."), "a phrase, in a cell of a table"


def test_a_page_without_a_place_for_the_tables_is_an_error() -> None:
    with pytest.raises(ValueError, match="the page has no <!-- rows -->"):
        with_tables("# A page")
