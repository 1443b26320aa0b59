"""Sphinx settings. Tables that the code knows are made from the code."""

from wireglot import PROVIDERS
from wireglot.providers.losses import losses_of

project = "wireglot"
author = "wireglot contributors"
copyright = author

extensions = ["myst_parser", "sphinx.ext.autodoc"]
autodoc_member_order = "bysource"
autodoc_typehints = "signature"

html_theme = "furo"
html_title = "wireglot"


def _losses():
    """Return the tables of what each wire cannot carry, a section a provider."""
    sections = []
    for name, provider in PROVIDERS.items():
        rows = "".join(f"| {what} | {why} |\n" for what, why in losses_of(name).items())
        sections.append(
            f"## {provider.__doc__.partition(',')[0].rstrip('.')}\n\n"
            f"`{name}`, API `{provider.API}`.\n\n"
            f"| what | why, and what happens instead |\n| --- | --- |\n{rows}"
        )
    return "\n".join(sections)


def _insert_tables(app, docname, source):
    if "@@losses@@" in source[0]:
        source[0] = source[0].replace("@@losses@@", _losses())


def setup(app):
    """Connect the tables; called by Sphinx."""
    app.connect("source-read", _insert_tables)
