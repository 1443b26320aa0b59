"""What the pages make of the code: the tabs of the landing page, and the marks of "Works with"."""

import json
import re
from html import unescape
from pathlib import Path

import pytest
import same_request
import surface_table
import works_with_table

import wireglot as wg

_DOCS = Path(__file__).parents[1] / "docs"


@pytest.fixture(name="tabs", scope="module")
def _tabs() -> str:
    page: str = same_request.with_tabs((_DOCS / "index.md").read_text())
    return page


def test_the_landing_page_has_a_tab_for_each_api(tabs: str) -> None:
    assert re.findall(r'id="api-(\w+)"', tabs) == [*wg.PROVIDERS]
    assert tabs.count(" checked>") == 1


def test_a_tab_has_the_route_and_the_body_of_the_request_on_the_page(tabs: str) -> None:
    panel = tabs.partition('id="api-ollama"')[2].partition("<input")[0]
    assert '<code class="literal">POST /api/chat</code>' in panel
    body = unescape(re.sub(r"<[^>]+>", "", panel.partition("<pre>")[2].partition("</pre>")[0]))
    assert json.loads(body) == {
        "model": "MODEL",
        "options": {"num_predict": 100},
        "stream": False,
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "How warm is it in Oslo?"},
            {
                "role": "assistant",
                "content": "",
                "tool_calls": [
                    {
                        "id": "call_1",
                        "function": {"name": "weather", "arguments": {"city": "Oslo"}},
                    }
                ],
            },
            {
                "role": "tool",
                "tool_name": "weather",
                "tool_call_id": "call_1",
                "content": "21 degrees.",
            },
        ],
    }


def test_works_with_shows_marks_and_keeps_the_numbers_folded() -> None:
    page = works_with_table.with_tables("@@works-with:clients@@")
    marks, fold, numbers = page.partition("<details>")
    assert fold
    assert "| openai, Responses | ✓ | △ | ✓ | △ | ✓ | ✓ | ✓ | ✓ |\n" in marks
    assert "| ollama | △ ◐ | △ ◐ | △ ◐ | △ ◐ | △ ◐ | ◐ | ◐ | ◐ |\n" in marks
    assert "| openai, Responses | 7.57.0 | all | 2 | all | 3 | all | all | all | all |\n" in numbers
    assert "\n6. *retry*: the SDK does not try again.\n" in numbers


def test_a_limit_of_which_nobody_knows_whose_it_is_stops_the_build() -> None:
    with pytest.raises(KeyError, match="a new limit"):
        works_with_table._mark({"tools": "a new limit"})


def test_the_surface_has_a_row_for_each_api_and_a_sum() -> None:
    page = surface_table.with_tables("@@surface:apis@@")
    assert page.startswith("| types of | | elements | typed | raw | gone | translated | loss |")
    assert re.search(r"\| `openai_chat`, groq \| requests \| 131 \| 94 \| 37 \| 0 \|", page)
    assert re.search(r"\| all \| +\| 17,\d{3} \|", page)
    assert " silent |" in page.splitlines()[0]


def test_nothing_on_the_surface_is_silent() -> None:
    rows = surface_table.with_tables("@@surface:targets@@").splitlines()[2:]
    assert [row.split(" | ")[-1] for row in rows] == ["0 |"] * len(wg.PROVIDERS)
