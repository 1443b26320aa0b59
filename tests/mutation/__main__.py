"""`python -m tests.mutation MODULE...`: change modules, and exit with 1 if no test notices.

A module is a path below `src/wireglot`, for example `_hooks.py` or `providers/mistral/response.py`.
cosmic-ray's operators change its code; with `--tables`, its tables are changed instead, entry by
entry.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.mutation.in_place import survivors
from tests.mutation.stages import stages
from tests.mutation.tables import names_read_at_import, table_mutants
from tests.mutation.trial import preload, survives

_SOURCE = Path("src/wireglot")
_COPIED = ("src", "tests", "docs", "examples", "pyproject.toml", "README.md")
_IN_COPY = "WIREGLOT_MUTATION_COPY"
# The rest of wireglot imports nothing below these folders when it is itself imported.
_LEAVES = ("providers", "formats")


def main() -> int:
    """Run on a copy of the tree: an edit of the original meanwhile must not look like a mutant."""
    options = _options()
    if _IN_COPY in os.environ:
        return _run(options)
    with tempfile.TemporaryDirectory(prefix="mutation-") as folder:
        for name in _COPIED:
            if Path(name).is_dir():
                ignored = shutil.ignore_patterns("__pycache__")
                shutil.copytree(name, Path(folder, name), ignore=ignored)
            else:
                shutil.copy(name, folder)
        # `CI` keeps the examples of property tests the same each time.
        given = {_IN_COPY: "1", "CI": "1", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
        command = [sys.executable, "-m", "tests.mutation", *sys.argv[1:]]
        environment = {**os.environ, **given, "PYTHONPATH": "src"}
        return subprocess.run(command, cwd=folder, env=environment, check=False).returncode


def _run(options: argparse.Namespace) -> int:
    paths = [_SOURCE / name for name in options.modules]
    leaves = all(path.relative_to(_SOURCE).parts[0] in _LEAVES for path in paths)
    preload(["wireglot", "wireglot.json", "wireglot.msgpack"] if leaves else [])
    left = 0
    for path in paths:
        left += _module(path, options)
    return 1 if left else 0


def _module(path: Path, options: argparse.Namespace) -> int:
    """Try the mutants of one module, and return how many no test noticed."""
    tests = stages(path.relative_to(_SOURCE))
    if options.tables:
        mutants = list(table_mutants(path))
        # If another value is made of a table at import, it would disagree with a table that is
        # changed later, and a test of both would fail for that reason only.
        made_of = names_read_at_import(path)
        left = survivors([mutant for mutant in mutants if mutant.name not in made_of], tests)
        left += [m for m in mutants if m.name in made_of and survives(m, tests)]
    else:
        from tests.mutation.operators import code_mutants

        if not survives(None, tests):
            survives(None, tests, told=True)
            sys.exit(f"{path}: its tests fail before anything is changed")
        mutants = list(code_mutants(path))
        left = [mutant for mutant in mutants if survives(mutant, tests)]
    for mutant in left:
        print(f"{mutant.path}:{mutant.line}: {mutant.what}")
    print(f"{path}: {len(mutants)} mutants, {len(left)} survived", flush=True)
    return len(left)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("modules", nargs="+", metavar="MODULE", help="below src/wireglot")
    parser.add_argument("--tables", action="store_true", help="change tables, and not code")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
