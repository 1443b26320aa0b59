"""A module -> the mutants of its tables: constants that hold dicts, sets, tuples or lists.

cosmic-ray does not change them, and a wrong line in one is a wrong word on a wire. Each entry is
removed once, and each value is replaced once by another value of its table.
"""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.mutation.mutant import Mutant

_PROSE = {"__all__", "LOSSES", "COMMON"}  # names, and reasons in prose that have tests of their own
_Elements = ast.Set | ast.Tuple | ast.List


class _Edit(NamedTuple):
    """Remove the item at `i` from each of `lists`, or put `new` there."""

    line: int
    what: str
    lists: list[list[ast.expr]]
    i: int
    new: ast.expr | None = None


def table_mutants(path: Path) -> Iterator[Mutant]:
    """Yield the mutants of the tables of one module."""
    tree = ast.parse(path.read_text())
    for node in tree.body:
        if not isinstance(node, ast.Assign | ast.AnnAssign) or node.value is None:
            continue
        target = node.targets[0] if isinstance(node, ast.Assign) else node.target
        if not isinstance(target, ast.Name) or target.id in _PROSE:
            continue
        for edit in list(_edits(node.value)):
            olds = [values[edit.i] for values in edit.lists]
            for values in edit.lists:
                values[edit.i : edit.i + 1] = [] if edit.new is None else [edit.new]
            code = compile(tree, path, "exec")
            value = compile(ast.Expression(node.value), path, "eval")
            for values, old in zip(edit.lists, olds, strict=True):
                values[edit.i : edit.i + (edit.new is not None)] = [old]
            yield Mutant(path, edit.line, f"{target.id}: {edit.what}", code, target.id, value)


def _edits(table: ast.expr, is_row: bool = False) -> Iterator[_Edit]:
    """Yield the possible edits; a row of a table keeps its length."""
    if isinstance(table, ast.Dict):
        for i, (key, value) in enumerate(zip(table.keys, table.values, strict=True)):
            name = "**" if key is None else ast.unparse(key)
            yield _Edit(value.lineno, f"`{name}` is left out", [table.keys, table.values], i)
            yield from _exchanged(table.values, i, table.values, name)
        below = table.values
    elif isinstance(table, _Elements):
        rows = _rows(table)
        for i, element in enumerate(table.elts):
            if not is_row:
                what = f"`{ast.unparse(element)}` is left out"
                yield _Edit(element.lineno, what, [table.elts], i)
        for row in rows:
            for i in range(len(row)):
                others = [other[i] for other in rows]
                yield from _exchanged(row, i, others, ast.unparse(row[0]))
        below = table.elts
    elif isinstance(table, ast.Call):
        for i, keyword in enumerate(table.keywords):
            what = f"`{ast.unparse(keyword)}` is left out"
            yield _Edit(keyword.value.lineno, what, [table.keywords], i)
        below = [*table.args, *(keyword.value for keyword in table.keywords)]
    elif isinstance(table, ast.BinOp):
        below = [table.left, table.right]
    elif isinstance(table, ast.Starred):
        below = [table.value]
    else:
        below = []
    are_rows = isinstance(table, _Elements) and bool(_rows(table))
    for part in below:
        yield from _edits(part, are_rows or (isinstance(table, ast.Dict) and _is_row(part, below)))


def _exchanged(
    values: list[ast.expr], i: int, others: list[ast.expr], name: str
) -> Iterator[_Edit]:
    """Yield one edit that puts another value of `others` in its place, if there is one."""
    old = values[i]
    at = next((j for j, other in enumerate(others) if other is old), 0)
    for other in (*others[at + 1 :], *others[:at]):
        if ast.dump(other) != ast.dump(old) and not isinstance(old, ast.Lambda):
            what = f"`{ast.unparse(other)}` for `{ast.unparse(old)}` at `{name}`"
            yield _Edit(old.lineno, what, [values], i, other)
            return


def _rows(table: ast.expr) -> list[list[ast.expr]]:
    """Return the rows of a table of tuples of equal length, none for other tables."""
    elements = table.elts
    if len(elements) > 1 and all(_is_row(element, elements) for element in elements):
        return [element.elts for element in elements]
    return []


def _is_row(part: ast.expr, parts: list[ast.expr]) -> bool:
    """Whether `part` and all beside it are tuples of one length, two or more."""
    return (
        all(
            isinstance(other, ast.Tuple) and len(other.elts) == len(part.elts) > 1
            for other in parts
        )
        if isinstance(part, ast.Tuple)
        else False
    )


def names_read_at_import(path: Path) -> set[str]:
    """Return the names of constants that other values are made of while the module is imported.

    A plain alias, as in `STOPS = _STOPS`, does not count: that is the table itself. The default of
    a Struct's field counts, since the Struct keeps it.
    """
    names: set[str] = set()
    below: list[ast.AST] = [*ast.parse(path.read_text()).body]
    while below:
        node = below.pop()
        if isinstance(node, ast.FunctionDef):
            below += [*node.decorator_list, node.args]
        elif isinstance(node, ast.ClassDef):
            fields = [part for part in node.body if isinstance(part, ast.AnnAssign)]
            defaults = [part.value for part in fields if "ClassVar" not in ast.dump(part)]
            below += [part for part in defaults if part is not None]
            below += ast.iter_child_nodes(node)
        elif isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Name):
            continue
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            names.add(node.id)
        elif not isinstance(node, ast.Lambda):
            below += ast.iter_child_nodes(node)
    return names
