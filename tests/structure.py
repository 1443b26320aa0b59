"""`python -m tests.structure`: the source -> how large it is, and how far one thing is spread.

It prints the rooms (the modules and folders at the top, and those of the providers) and the arrows
between them: an import inside of a function or for type checkers is an arrow, too. Floors are the
longest way down. Then files and lines of code by room (blank lines, comments and docstrings are not
code), the files that name a provider from outside its folder, the longest chain of our own classes
and the files that one object's methods stand in, the Python calls of a translation of one message,
and the lines that stand in the source more than once.
"""

from __future__ import annotations

import ast
import gc
import inspect
import io
import pkgutil
import sys
import tokenize
from collections import Counter
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from msgspec import Struct

import wireglot as wg

__all__ = [
    "calls",
    "chain",
    "circles",
    "classes",
    "code_lines",
    "counted",
    "files_of",
    "imports",
    "namers",
]

SOURCE = Path(wg.__file__).parent
_WINDOW = 6
"""How many lines in a row make a repetition."""


def code_lines(path: Path) -> list[str]:
    """Return the lines of a file that are code."""
    text = path.read_text()
    skipped = {
        line
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    used = {
        line
        for token in tokens
        if token.type not in (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.ENDMARKER)
        for line in range(token.start[0], token.end[0] + 1)
    }
    lines = text.splitlines()
    kept = [n for n in sorted(used - skipped) if n <= len(lines)]
    return [line for n in kept if (line := lines[n - 1].strip())]


Graph = dict[str, set[str]]
"""Name -> the names that it uses."""


def imports(package: str = "wireglot") -> Graph:
    """Return which of our modules each module imports."""
    paths = {_dotted(path): path for path in SOURCE.rglob("*.py")}
    graph: Graph = {}
    for name, path in paths.items():
        inside = name.split(".")[: None if path.name == "__init__.py" else -1]
        graph[name] = {
            found if found in paths else found.rpartition(".")[0]
            for node in ast.walk(ast.parse(path.read_text("utf-8")))
            for found in _imported(node, inside)
            if found.startswith("wireglot.")
        } - {name}
    return {name: used for name, used in graph.items() if name.startswith(package)}


def _imported(node: ast.AST, inside: list[str]) -> Iterator[str]:
    """Yield what a statement in a package imports: `a.b`, or `a.b.name`."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        base = inside[: len(inside) - node.level + 1] if node.level else []
        stem = ".".join([*base, *filter(None, [node.module])])
        yield from (f"{stem}.{alias.name}" for alias in node.names)


def _dotted(path: Path) -> str:
    parts = path.relative_to(SOURCE.parent).with_suffix("").parts
    return ".".join(parts).removesuffix(".__init__")


def picture(package: str) -> Graph:
    """Return the rooms of a package, and which of them each uses; its `__init__` re-exports."""
    graph: Graph = {}
    deep = package.count(".") + 1
    for name, used in imports(f"{package}.").items():
        room = name.split(".")[deep]
        inside = (other for other in used if other.startswith(f"{package}."))
        graph.setdefault(room, set()).update(other.split(".")[deep] for other in inside)
    return {room: used - {room} for room, used in graph.items()}


def circles(graph: Graph) -> list[set[str]]:
    """Return what uses each other in a circle, and each name that is in none alone."""
    found: list[set[str]] = []
    reached = {name: _reached(graph, name) for name in graph}
    rest = set(graph)
    while rest:
        name = min(rest)
        circle = {other for other in reached[name] & rest if name in reached[other]} | {name}
        found.append(circle)
        rest -= circle
    return found


def _reached(graph: Graph, name: str) -> set[str]:
    seen: set[str] = set()
    ahead = [name]
    while ahead:
        more = graph.get(ahead.pop(), set()) - seen
        seen |= more
        ahead += more
    return seen


def floors(graph: Graph) -> int:
    """Return the length of the longest way down; a circle is one floor."""
    circle_of = {name: i for i, circle in enumerate(circles(graph)) for name in circle}
    below: dict[int, set[int]] = {}
    for name, used in graph.items():
        below.setdefault(circle_of[name], set()).update(
            circle_of[other] for other in used if other in circle_of
        )

    def depth(at: int) -> int:
        return 1 + max((depth(other) for other in below[at] - {at}), default=0)

    return max(map(depth, below))


_FAMILIES = ("capabilities.py", "providers/_state/signatures.py")
"""Files with families of models, of which two are called as their providers are."""


def namers() -> dict[str, list[str]]:
    """Return the files that name a provider or its API from outside its folder, with the names.

    The registry and the module of `PROVIDERS` have to. A file of a provider may name a service that
    speaks its dialect, and `system.py` of a format what that system calls the providers.
    """
    names = {*wg.PROVIDERS, *(provider.API for provider in wg.PROVIDERS.values())}
    found: dict[str, list[str]] = {}
    for path in sorted(SOURCE.rglob("*.py")):
        place = path.relative_to(SOURCE).as_posix()
        own = place.split("/")[1] if place.startswith("providers/") else ""
        if place in ("_registry.py", "providers/__init__.py", *_FAMILIES) or own in wg.PROVIDERS:
            continue
        if path.name == "system.py":
            continue
        tree = ast.parse(path.read_text("utf-8"))
        texts = {n.value for n in ast.walk(tree) if isinstance(n, ast.Constant)} & names
        if texts:
            found[place] = sorted(texts)
    return found


def rooms() -> Iterator[tuple[str, int, int]]:
    """Yield each folder of the source, its files, and their lines of code."""
    for folder in [SOURCE, *sorted(p for p in SOURCE.rglob("*") if p.is_dir())]:
        files = sorted(folder.glob("*.py"))
        if files:
            name = folder.relative_to(SOURCE.parent).as_posix()
            yield name, len(files), sum(len(code_lines(path)) for path in files)


def classes(package: str) -> list[type[Any]]:
    """Return the classes of a package that are not data."""
    found = {}
    for info in pkgutil.walk_packages([str(SOURCE / package)], f"wireglot.{package}."):
        for value in vars(import_module(info.name)).values():
            is_class = inspect.isclass(value) and value.__module__.startswith("wireglot.")
            if is_class and not issubclass(value, Struct | Exception):
                found[f"{value.__module__}.{value.__qualname__}"] = value
    return list(found.values())


def chain(kind: type[Any]) -> list[type[Any]]:
    """Return our own classes that a class is made of, itself first."""
    own = [base for base in kind.__mro__ if base.__module__.startswith("wireglot.")]
    return [base for base in own if not getattr(base, "_is_protocol", False)]


def files_of(kind: type[Any]) -> set[str]:
    """Return the files that the methods of an object stand in."""
    return {base.__module__ for base in chain(kind)}


def counted(job: Callable[[], Any]) -> tuple[int, int]:
    """Return how many Python functions a job calls, and how deep.

    What runs for the first time, and fills caches, is to be run before.
    """
    counts = [0, 0, 0]

    def note(_: Any, event: str, __: Any) -> None:
        if event == "call":
            counts[0] += 1
            counts[1] += 1
            counts[2] = max(counts[1:])
        elif event == "return":
            counts[1] -= 1

    gc.disable()  # a collection may call functions of others
    sys.setprofile(note)
    try:
        job()
    finally:
        sys.setprofile(None)
        gc.enable()
    return counts[0], counts[2]


def calls(source: str, target: str, body: bytes) -> tuple[int, int]:
    """Return how many Python functions a translation calls, and how deep."""

    def job() -> bytes:
        return wg.translate_request(body, source, target, losses=[], model="m")

    for _ in range(3):
        job()
    return counted(job)


def repeated() -> int:
    """Return how many lines of code are in a run of lines that stands in the source twice."""
    runs: dict[tuple[str, ...], list[tuple[Path, int]]] = {}
    for path in sorted(SOURCE.rglob("*.py")):
        lines = [line for line in code_lines(path) if not line.startswith(("from", "import"))]
        for at in range(len(lines) - _WINDOW + 1):
            runs.setdefault(tuple(lines[at : at + _WINDOW]), []).append((path, at))
    twice = [places for places in runs.values() if len(places) > 1]
    return len({(path, at + i) for places in twice for path, at in places for i in range(_WINDOW)})


_ONE = b'{"model":"m","messages":[{"role":"user","content":"Hello"}]}'


def main() -> None:
    """Print the figures."""
    for package in ("wireglot", "wireglot.providers"):
        graph = picture(package)
        arrows = sum(map(len, graph.values()))
        turning = [circle for circle in circles(graph) if len(circle) > 1]
        print(
            f"{package}: {len(graph)} rooms, {floors(graph)} floors, {arrows} arrows; "
            f"in circles: {sum(map(len, turning))} rooms"
        )
    turning = [circle for circle in circles(imports()) if len(circle) > 1]
    print(f"files in circles: {[len(circle) for circle in turning]}")
    outside = namers()
    print(f"files that name a provider from outside its folder: {len(outside)}", *outside)
    private = [name for name in dir(wg) if name.startswith("_") and name[:2] != "__"]
    print(f"names in wireglot: {len(wg.__all__)}, private ones in its dir: {len(private)}")
    total: Counter[str] = Counter()
    print(f"{'room':36}{'files':>6}{'lines':>7}")
    for name, files, lines in rooms():
        total["files"] += files
        total["lines"] += lines
        print(f"{name:36}{files:6}{lines:7}")
    print(f"{'all':36}{total['files']:6}{total['lines']:7}")
    for package in ("providers", "formats"):
        found = classes(package)
        longest = max(found, key=lambda kind: len(chain(kind)))
        widest = max(found, key=lambda kind: len(files_of(kind)))
        print(f"{package}: longest chain {len(chain(longest))}, {longest.__module__}")
        print(f"{package}: most files of one object {len(files_of(widest))}, {widest.__module__}")
    for source, target in (("openai_chat", "anthropic"), ("openai_chat", "ollama")):
        number, depth = calls(source, target, _ONE)
        print(f"{source} to {target}, one message: {number} calls, depth {depth}")
    print(f"lines in a run of {_WINDOW} that stands twice: {repeated()}")


if __name__ == "__main__":
    main()
