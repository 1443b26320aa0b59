"""Sphinx settings. Tables that the code knows are made from the code."""

import re

from wireglot import PROVIDERS
from wireglot.formats.losses import carried_by, losses_by
from wireglot.providers.losses import losses_of

project = "wireglot"
author = "wireglot contributors"
copyright = author

extensions = ["myst_parser", "sphinx.ext.autodoc"]
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
# A system's type may have the name of one of ours; short references in signatures then say so.
suppress_warnings = ["ref.python"]

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


def _carried(match):
    """Return the tables of what a format carries, and of what else is lost."""
    kinds = "".join(
        f"| `{kind.__name__}` | {' '.join(f'`{name}`' for name in carried)} "
        f"| {' '.join(f'`{name}`' for name in lost)} |\n"
        for kind, (carried, lost) in carried_by(match[1]).items()
    )
    rows = "".join(f"| {what} | {why} |\n" for what, why in losses_by(match[1]).items())
    return (
        "Of the canonical types it carries these fields. Whatever else is set, and every type that "
        "is not here, is a loss.\n\n"
        f"| type | carried | lost |\n| --- | --- | --- |\n{kinds}\n"
        f"| what else is lost | why, and what happens instead |\n| --- | --- |\n{rows}"
    )


def _insert_tables(app, docname, source):
    source[0] = re.sub(r"@@carried:(\w+)@@", _carried, source[0])
    if "@@losses@@" in source[0]:
        source[0] = source[0].replace("@@losses@@", _losses())


def setup(app):
    """Connect the tables; called by Sphinx."""
    app.connect("source-read", _insert_tables)
