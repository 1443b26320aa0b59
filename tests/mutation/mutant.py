"""A mutant: one change of a module, and the code to run in its place."""

from pathlib import Path
from types import CodeType
from typing import NamedTuple


class Mutant(NamedTuple):
    """One change of the module at `path`; `code` is the changed module.

    If the change is in a constant called `name`, `value` is the code of that constant only.
    """

    path: Path
    line: int
    what: str
    code: CodeType
    name: str | None = None
    value: CodeType | None = None
