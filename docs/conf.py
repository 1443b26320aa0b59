"""Sphinx settings. Tables that the code knows are made from the code."""

from wireglot.providers.losses import LOSSES

project = "wireglot"
author = "wireglot contributors"
copyright = author

extensions = ["myst_parser", "sphinx.ext.autodoc"]
autodoc_member_order = "bysource"
autodoc_typehints = "signature"

html_theme = "furo"
html_title = "wireglot"


def _losses(api: str) -> str:
    rows = "".join(f"| {what} | {why} |\n" for what, why in LOSSES[api].items())
    return f"| what | why, and what happens instead |\n| --- | --- |\n{rows}"


def _insert_tables(app, docname, source):
    for api in LOSSES:
        source[0] = source[0].replace(f"@@losses {api}@@", _losses(api))


def setup(app):
    """Connect the tables; called by Sphinx."""
    app.connect("source-read", _insert_tables)
