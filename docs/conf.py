"""Sphinx settings. Tables that the code knows are made from the code."""

import json
import re
import sys
from importlib import import_module
from inspect import isclass, isfunction
from pathlib import Path

from wireglot import PROVIDERS
from wireglot.capabilities import ANY, GENERATIONS
from wireglot.formats.losses import carried_by, losses_by
from wireglot.providers.losses import SEVERE, losses_of

sys.path.insert(0, str(Path(__file__).parent))  # for extensions of our own

project = "wireglot"
author = "wireglot contributors"
copyright = author

# So that a page can link to a section of another.
myst_heading_anchors = 3
extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.intersphinx",
    "sphinx_copybutton",
    "architecture_picture",
    "model_tables",
    "performance_tables",
    "same_request",
    "support_table",
    "surface_table",
    "works_with_table",
]
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
maximum_signature_line_length = 88  # a longer one has a line for each parameter
# Lists of the names that signatures have, so that a build needs no network.
intersphinx_mapping = {
    "python": ("https://docs.python.org/3/", "inventories/python.txt"),
    "msgspec": ("https://msgspec.dev/", "inventories/msgspec.txt"),
}
# Prompts and output are not copied.
copybutton_prompt_text = "$ "
# A system's type may have the name of one of ours; short references in signatures then say so.
suppress_warnings = ["ref.python"]

# Clients of brokers and frameworks, which the documentation does without.
autodoc_mock_imports = [
    "aio_pika", "aiormq", "celery", "dramatiq", "faststream", "kombu", "litestar", "nats", "pamqp",
    "psycopg", "pydantic", "pydantic_core", "redis", "sqlalchemy", "taskiq",
]  # fmt: skip

# Docstrings have single backticks around code.
default_role = "code"

html_theme = "furo"
# The default underlines what is imported, as if it were a link.
pygments_dark_style = "a11y-high-contrast-dark"
# In the source of a page, tables are names of functions.
html_copy_source = False
html_title = "wireglot"
html_search_scorer = str(Path(__file__).parent / "scorer.js")
html_static_path = ["_static"]
html_css_files = ["code.css"]
html_favicon = "_static/logo-light.svg"
html_theme_options = {"light_logo": "logo-light.svg", "dark_logo": "logo-dark.svg"}


def _losses():
    """Return the tables of what each wire cannot carry, a section a provider."""
    sections = []
    for name, provider in PROVIDERS.items():
        rows = "".join(
            f"| {what} | {why} | {SEVERE.get(what, '')} |\n"
            for what, why in losses_of(name).items()
        )
        sections.append(
            f"## {provider.__doc__.partition(',')[0].rstrip('.')}\n\n"
            f"`{name}`, API `{provider.API}`.\n\n"
            f"| what | why, and what happens instead | severe |\n| --- | --- | --- |\n{rows}"
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


def _models():
    """Return the table of what each generation of models takes."""
    rows = ""
    for row in GENERATIONS:
        takes, changes = row.takes, []
        if not takes.thinks:
            changes.append("no thinking")
        elif takes.efforts:
            changes.append(" ".join(level.value for level in takes.efforts))
        if takes.budgets is not None and takes.budgets != ANY.budgets:
            least, most = takes.budgets
            changes.append(f"budgets from {least:,}" + (f" to {most:,}" if most < 1 << 31 else ""))
        if takes.thinks and not takes.rests:
            changes.append("always thinks")
        if takes.sampling != "always":
            changes.append("sampling " + takes.sampling)
        if takes.tokens < ANY.tokens:
            changes.append(f"{takes.tokens:,} tokens")
        if takes.tools and takes.chat_tools != "always":
            changes.append("tools on Chat " + takes.chat_tools)
        if takes.unions != "always":
            changes.append("unions " + ("on Responses" if takes.unions == "responses" else "never"))
        changes += [f"not `{name}`" for name in _YES if not getattr(takes, name)]
        version = ".".join(map(str, row.since)) if row.since > (0, 0) else "first"
        only = f"`{row.only}`" if row.only else ""
        rows += f"| {row.family} | {version} | {only} | {', '.join(changes)} | {row.source} |\n"
    head = "| family | from | named | takes | source |\n| --- | --- | --- | --- | --- |\n"
    return head + rows.replace("|`", "\\|`")


_YES = [name for name in ANY.__struct_fields__ if getattr(ANY, name) is True and name != "rests"]


def _fuzzing():
    """Return the table of what was fuzzed, and for how long."""
    path = Path(__file__).parents[1] / "tests" / "fuzz" / "runs.json"
    runs = json.loads(path.read_text())
    rows = "".join(
        f"| `{name}` | {run['cpu_seconds'] / 60:,.1f} | {run['executions']:,} "
        f"| {run['edges']:,} | {run['features']:,} |\n"
        for name, run in runs.items()
    )
    minutes = sum(run["cpu_seconds"] for run in runs.values()) / 60
    inputs = sum(run["executions"] for run in runs.values())
    versions = sorted({version for run in runs.values() for version in run["versions"]})
    return (
        f"{minutes:,.0f} minutes of processor time, {inputs:,} inputs, "
        f"with {'; with '.join(versions)}. Edges are branches of `wireglot` that were taken, "
        "features those and how often.\n\n"
        "| target | CPU minutes | inputs | edges | features |\n"
        f"| --- | --- | --- | --- | --- |\n{rows}"
    )


def _public(match):
    """Return directives for what a module gives to a package, or else to the package it is in."""
    module = import_module(f"{match[1]}.{match[2]}")
    packages = [import_module(match[1]), import_module(module.__name__.rpartition(".")[0])]
    found = f".. automodule:: {module.__name__}\n   :no-members:\n   :no-index:\n"
    for name, value in vars(module).items():
        is_own = getattr(value, "__module__", None) == module.__name__
        package = next((each for each in packages if name in each.__all__), None)
        if not is_own or package is None or name not in module.__all__:
            continue
        if isfunction(value):
            found += f"\n.. autofunction:: {package.__name__}.{name}\n"
        elif isclass(value):
            kind = "exception" if issubclass(value, Exception) else "class"
            found += f"\n.. auto{kind}:: {package.__name__}.{name}\n   :members:\n"
    return found


_WIRES_OR_STR = re.compile(r"(?:~?typing\.)?Literal\[[^\]]*'ollama'[^\]]*\] \| str\b")


def _signature(app, what, name, value, options, signature, returned):
    """Leave out what is long and says little.

    A default that is made anew is an ellipsis, so that the names in it are references. The names of
    all wires beside `str` are for editors; here they would be most of the signature.
    """
    signature = signature and re.sub(_WIRES_OR_STR, "str", signature.replace("<factory>", "..."))
    return signature, returned


def _insert_tables(app, docname, source):
    source[0] = re.sub(r"@@public:([\w.]+):([\w.]+)@@", _public, source[0])
    source[0] = re.sub(r"@@carried:(\w+)@@", _carried, source[0])
    if "@@losses@@" in source[0]:
        source[0] = source[0].replace("@@losses@@", _losses())
    if "@@models@@" in source[0]:
        source[0] = source[0].replace("@@models@@", _models())
    if "@@fuzzing@@" in source[0]:
        source[0] = source[0].replace("@@fuzzing@@", _fuzzing())


def setup(app):
    """Connect the tables; called by Sphinx."""
    app.connect("autodoc-process-signature", _signature)
    app.connect("source-read", _insert_tables)
