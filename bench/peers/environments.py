"""A library's name -> its own environment `.bench/NAME`, pinned; the floors share one."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from . import FLOORS, LIBRARIES, PEERS

__all__ = [
    "ENVIRONMENTS",
    "PLOTS",
    "environment",
    "imported",
    "install",
    "python",
    "requirements",
    "run",
]

_ROOT = Path(__file__).parents[2]
_FOLDER = _ROOT / ".bench"
_OURS = ("msgspec==0.22.0", "pybase64==1.5.1", "pillow==13.0.0")
PLOTS = "plots"  # the environment that draws the figures
ENVIRONMENTS = (*LIBRARIES, "floors", PLOTS)
_PLOTS = ("matplotlib==3.11.2",)


def environment(peer: str) -> str:
    """Return the name of the environment that a peer is measured in."""
    return "floors" if peer in FLOORS else peer


def requirements(name: str) -> tuple[str, ...]:
    """Return the requirements of an environment or a peer, without importing the peer's module."""
    if name == PLOTS:
        return _PLOTS
    peers = FLOORS if name == "floors" else (name,)
    return tuple(wanted for peer in peers for wanted in _literal(peer, "REQUIREMENTS"))


def imported(peer: str) -> str | None:
    """Return what a program imports before its first request."""
    found: str | None = _literal(peer, "IMPORT")
    return found


def python(name: str) -> Path:
    """Return the path of an environment's interpreter, whether or not it exists."""
    folder = "Scripts" if os.name == "nt" else "bin"
    return _FOLDER / name / folder / "python"


def install(name: str) -> None:
    """Make the environment anew, with the interpreter that runs this."""
    wanted = (*_OURS, *requirements(name))
    print(f"{name}: {' '.join(wanted)}", flush=True)
    folder = _FOLDER / name
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    quiet = ["--quiet", "--disable-pip-version-check"]
    pip = [str(python(name)), "-m", "pip", "install", *quiet, *wanted]
    if subprocess.run(pip).returncode:
        raise SystemExit(f"{name}: pip could not install {' '.join(wanted)}")


def run(name: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the environment's interpreter on this tree, offline as far as the library allows it."""
    paths = os.pathsep.join((str(_ROOT / "src"), str(_ROOT)))
    known = {"PYTHONPATH": paths, "LITELLM_LOCAL_MODEL_COST_MAP": "True", "PYTHONHASHSEED": "0"}
    return subprocess.run(
        [str(python(name)), *arguments],
        capture_output=True,
        text=True,
        env={**os.environ, **known},
        cwd=_ROOT,
    )


def _literal(name: str, variable: str) -> Any:
    if name not in PEERS:
        raise SystemExit(f"no peer `{name}`, only {', '.join(PEERS)}")
    tree = ast.parse(Path(__file__).with_name(f"{name}.py").read_text())
    for node in tree.body:
        target = node.targets[0] if isinstance(node, ast.Assign) else None
        if isinstance(target, ast.Name) and target.id == variable:
            return ast.literal_eval(node.value)
        if isinstance(node, ast.AnnAssign) and getattr(node.target, "id", "") == variable:
            return ast.literal_eval(node.value) if node.value else None
    raise SystemExit(f"bench/peers/{name}.py: no {variable}")
