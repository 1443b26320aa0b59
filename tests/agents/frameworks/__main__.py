"""Run the cells of a framework: reads them from a file, prints a line of JSON for each."""

from __future__ import annotations

import asyncio
import inspect
import json
import sys
import traceback
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from tests.agents.script import result


def _tools(calls: list[Any]) -> list[Callable[..., str]]:
    """Return the tools as functions, as all frameworks take them, which note their calls."""

    def read_file(path: str, lines: int = 0) -> str:
        """Read a file.

        Args:
            path: The name of the file.
            lines: The most lines to read, or 0 for all.
        """
        arguments = {"path": path} | ({"lines": lines} if lines else {})
        calls.append(["read_file", arguments])
        return result("read_file", arguments)

    def write_file(path: str, content: str) -> str:
        """Write a file.

        Args:
            path: The name of the file.
            content: Its new text.
        """
        arguments = {"path": path, "content": content}
        calls.append(["write_file", arguments])
        return result("write_file", arguments)

    return [read_file, write_file]


def _seen(framework: Any, address: str, cell: Any) -> dict[str, Any]:
    calls: list[Any] = []
    seen: dict[str, Any] = {"number": cell["number"], "calls": calls, "said": "", "error": None}
    try:
        model = framework.MODELS[cell["client"]](address, cell["model"])
        said = framework.run(model, cell["prompt"], _tools(calls))
        seen["said"] = asyncio.run(said) if inspect.iscoroutine(said) else said
    except Exception:  # noqa: BLE001 - whatever a framework raises is what its user sees
        seen["error"] = traceback.format_exc()[-600:]
    return seen


plan = json.loads(Path(sys.argv[2]).read_text())
module = import_module(f"tests.agents.frameworks.{sys.argv[1]}")
for cell in plan["cells"]:
    print("\n" + json.dumps(_seen(module, plan["address"], cell)), flush=True)
