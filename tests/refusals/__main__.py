"""`python -m tests.refusals`: write the tables of docs/refusals.md from the rows."""

from __future__ import annotations

from tests.refusals.page import PAGE, with_tables

if __name__ == "__main__":
    PAGE.write_text(with_tables(PAGE.read_text()))
