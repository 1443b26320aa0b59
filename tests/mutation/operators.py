"""A module -> the mutants of its code, which cosmic-ray's operators make.

Mutants of annotations are left out, since nothing reads those, and most of the eleven that
cosmic-ray has for each operator: one that reverses a comparison and one that moves its limit are
enough.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names

from tests.mutation.mutant import Mutant

_KEPT = {
    f"ReplaceComparisonOperator_{pair}"
    for pair in (
        *("Eq_NotEq", "NotEq_Eq", "Is_IsNot", "IsNot_Is", "In_NotIn", "NotIn_In"),
        *("Lt_LtE", "LtE_Lt", "Gt_GtE", "GtE_Gt", "Lt_Gt", "LtE_GtE", "Gt_Lt", "GtE_LtE"),
    )
} | {
    f"ReplaceBinaryOperator_{pair}"
    for pair in ("Add_Sub", "Sub_Add", "Mul_FloorDiv", "FloorDiv_Mul", "Mod_Mul", "BitOr_BitAnd")
}
_MANY = ("ReplaceComparisonOperator_", "ReplaceBinaryOperator_")


def code_mutants(path: Path) -> Iterator[Mutant]:
    """Yield the mutants of the code of one module, without duplicates."""
    source = path.read_text()
    nodes = list(ast_nodes(get_ast(source)))
    seen = {_shape(source)}
    for full_name in operator_names():
        name = full_name.partition("/")[2]
        kind = get_operator(full_name)
        if kind.arguments() or (name.startswith(_MANY) and name not in _KEPT):
            continue
        places = [place for node in nodes for place in kind().mutation_positions(node)]
        for i, ((line, _), _) in enumerate(places):
            try:
                made = mutate_code(source, kind(), i)
                shape = _shape(made)
            except (AttributeError, SyntaxError):  # `except (a.B, c.D)` is too much for cosmic-ray
                continue
            if shape not in seen:
                seen.add(shape)
                yield Mutant(path, line, _difference(source, made), compile(made, path, "exec"))


def _difference(source: str, made: str) -> str:
    pairs = zip(source.splitlines(), made.splitlines(), strict=False)
    return next(f"`{old.strip()}` is `{new.strip()}`" for old, new in pairs if old != new)


def _shape(source: str) -> str:
    """Return a module without its annotations, as text to compare."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            node.annotation = None
        elif isinstance(node, ast.FunctionDef):
            node.returns = None
        elif isinstance(node, ast.AnnAssign):
            node.annotation = ast.Constant(None)
    return ast.dump(tree)
