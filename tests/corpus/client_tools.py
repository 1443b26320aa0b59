"""Tools that a client runs itself: their names on a wire that has functions only."""

from __future__ import annotations

import re
from typing import Any

import wireglot as wg

__all__ = ["client_names", "found_tools", "name_of_call", "search_call"]

_is_claudes = re.compile(r"(bash|text_editor|computer|memory)_\d{8}").fullmatch


def client_names(tool: wg.OpaqueBlock) -> list[str]:
    """Return the names of the functions that stand for a tool; none if it is not a client's."""
    return _names(tool.raw.value)


def _names(tool: Any) -> list[str]:
    if not isinstance(tool, dict):
        return []
    kind = tool.get("type")
    if kind == "custom" or _is_claudes(str(kind)):
        return [tool.get("custom", tool)["name"]]
    if kind == "namespace":
        return [_flat(tool["name"], member["name"]) for member in tool["tools"]]
    if kind == "tool_search" and tool.get("execution") == "client":
        return ["tool_search"]
    return []


def _flat(namespace: str, name: str) -> str:
    return f"{namespace.removesuffix('__')}__{name}"


def name_of_call(call: wg.ToolCallBlock) -> str:
    """Return the name of a call, with its namespace."""
    extra = (call.extras or {}).get("openai-responses")
    namespace = extra.keys.value.get("namespace") if extra is not None else None
    return call.name if namespace is None else _flat(namespace, call.name)


def search_call(block: wg.OpaqueBlock) -> Any:
    """Return the arguments of a client's search for tools, None for any other block."""
    item = block.raw.value
    is_so = isinstance(item, dict) and item.get("type") == "tool_search_call"
    return item.get("arguments") if is_so and item.get("execution") == "client" else None


def found_tools(block: object) -> list[str] | None:
    """Return the names of the tools that such a search has found, None for any other block."""
    item = block.raw.value if isinstance(block, wg.OpaqueBlock) else None
    is_so = isinstance(item, dict) and item.get("type") == "tool_search_output"
    if not is_so or item.get("execution") != "client":
        return None
    found = item["tools"]
    plain = [tool["name"] for tool in found if tool["type"] == "function"]
    return [*plain, *(name for tool in found for name in _names(tool))]
