"""The language of errors, comments and pages: the rules that a machine can check."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from wireglot import errors

ROOT = Path(__file__).parents[1]
FILES = sorted(
    path
    for pattern in ("src/**/*.py", "docs/**/*.md", "examples/**/*.py", "bench/**/*.py", "*.md")
    for path in ROOT.glob(pattern)
    if "_build" not in path.parts
)
COMPARED = "longer|more|less|matter|further|faster|slower|one"
IS_NO = rf"(?<!there )(?<!There )\b(?:is|are|was|were) no (?!{COMPARED})\w"
RULES = {
    "say `is not a`": re.compile(IS_NO),
    "say `must`, `has to` or what happens": re.compile(r"\bshall\b", re.IGNORECASE),
}


@pytest.mark.parametrize("rule", RULES)
def test_no_sentence_has_to_be_read_twice(rule: str) -> None:
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in FILES
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if RULES[rule].search(line)
    ]
    assert found == []


# -- the reasons of errors ---------------------------------------------------------------------

TREES = {path: ast.parse(path.read_text()) for path in sorted(ROOT.glob("src/**/*.py"))}
ERRORS = {*errors.__all__, "ValueError", "TypeError", "ValidationError", "UsageError"}
MAKERS = {"fail", "poison", "_bad", "_out_of_turn"}
"""The methods whose first argument, or the one after `self`, is the reason of an error."""
FUNCTIONS = {
    node.name: node
    for tree in TREES.values()
    for node in ast.walk(tree)
    if isinstance(node, ast.FunctionDef) and ast.unparse(node.returns or tree) == "str"
}
"""The functions that return a text, among them those that make reasons."""
CONSTANTS = {
    target.id: node.value
    for tree in TREES.values()
    for node in tree.body
    if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None
    for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
    if isinstance(target, ast.Name)
}
NAMED = "unknown role `nobody`, expected one of `user`, `model`"
"""What `unknown` makes; the literal parts of it are in one place."""
REASONS_RULES = {
    "begin in lower case, unless with a name": re.compile(r"^[A-Z][a-z]*(?![A-Za-z])"),
    "end without a full stop": re.compile(r"(?<!\.\.)\.$"),
    "quote with backticks": re.compile(r"!r\b|'\{|'\w+', expected"),
    "say what happens": re.compile(
        r"\bstands\b|\bis taken\b|\bis no\b|\bcomes\b|\bsaid\b|\bshall\b|\breaders take\b"
    ),
    "name the unit as `more than`": re.compile(r"\bof over\b"),
}


def _name(call: ast.Call) -> str:
    return ast.unparse(call.func).rpartition(".")[2]


def _value(part: ast.expr) -> str:
    """Return braces for a value, with `!r` where that quotes it."""
    return "{!r}" if getattr(part, "conversion", -1) == ord("r") else "{}"


def _texts(value: ast.expr, scope: ast.AST) -> Iterator[str]:
    """Yield the texts that a reason may be, with braces for each value in it."""
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        yield value.value
    elif isinstance(value, ast.JoinedStr):
        yield "".join(
            str(part.value) if isinstance(part, ast.Constant) else _value(part)
            for part in value.values
        )
    elif isinstance(value, ast.IfExp):
        yield from _texts(value.body, scope)
        yield from _texts(value.orelse, scope)
    elif isinstance(value, ast.BinOp):
        for left in _texts(value.left, scope):
            yield from (left + right for right in _texts(value.right, scope))
    elif isinstance(value, ast.Name):
        found = [
            node.value
            for node in ast.walk(scope)
            if isinstance(node, ast.Assign)
            and any(isinstance(t, ast.Name) and t.id == value.id for t in node.targets)
        ]
        for each in found or [CONSTANTS[value.id]] if value.id in CONSTANTS else found:
            yield from _texts(each, ast.Module([], []))
    elif isinstance(value, ast.Call) and _name(value) == "unknown":
        yield NAMED
    elif isinstance(value, ast.Call) and _name(value) in FUNCTIONS:
        function = FUNCTIONS[_name(value)]
        for node in ast.walk(function):
            if isinstance(node, ast.Return) and node.value is not None:
                yield from _texts(node.value, function)


def _reasons() -> Iterator[tuple[str, str]]:
    """Yield the place and the text of each reason in the source."""
    for path, tree in TREES.items():
        functions = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)]
        for scope in functions:
            for node in ast.walk(scope):
                if not isinstance(node, ast.Call) or not node.args:
                    continue
                name = _name(node)
                if name in ERRORS or name in MAKERS:
                    reason = node.args[name == "ProviderError" and len(node.args) > 1]
                    for text in _texts(reason, scope):
                        yield f"{path.relative_to(ROOT)}:{node.lineno}", text


REASONS = sorted({*_reasons()})


def test_the_reasons_of_errors_are_found() -> None:
    texts = [text for _, text in REASONS]
    assert len(texts) > 300
    assert "no model, expected its name; pass `model`" in texts
    assert "`$ref` of tool parameters without a target, expected one in `$defs`" in texts


@pytest.mark.parametrize("rule", REASONS_RULES)
def test_a_reason_is_in_the_form_of_all(rule: str) -> None:
    found = [f"{place}: {text}" for place, text in REASONS if REASONS_RULES[rule].search(text)]
    assert found == []
