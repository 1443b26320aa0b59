"""Tools of OpenAI's APIs that the client runs -> functions for another API.

These are free text as the input, functions in a namespace, a search for further tools, patches of
files, and a shell. Sources: the tools of OpenAI's Responses and Chat, as their SDKs had them in
2026-11; what Codex 0.169 sends.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, Final

from msgspec import Struct

from ...model import Extra, RawJson, Tool, ToolName

_Read = Iterator[tuple[Tool, ToolName | None, Collection[str]]]
SEARCH: Final = "tool_search"
"""The type of a search for tools, and the name of the function for it."""


class Known(Struct, frozen=True):
    """A tool that the client runs, and whose input the model knows without a schema."""

    about: str
    schema: RawJson
    key: str
    """The key of a call's item that holds the input."""


KNOWN: Final = {
    "apply_patch": Known(
        "Creates, updates or deletes a file; `diff` is a V4A diff, which a deletion has not.",
        RawJson.of(
            {
                "type": "object",
                "properties": {
                    "type": {
                        "type": "string",
                        "enum": ["create_file", "update_file", "delete_file"],
                    },
                    "path": {"type": "string"},
                    "diff": {"type": "string"},
                },
                "required": ["type", "path"],
            }
        ),
        "operation",
    ),
    "shell": Known(
        "Runs shell commands, and returns what each prints, and its exit code.",
        RawJson.of(
            {
                "type": "object",
                "properties": {
                    "commands": {"type": "array", "items": {"type": "string"}},
                    "timeout_ms": {"type": "integer"},
                    "max_output_length": {"type": "integer"},
                },
                "required": ["commands"],
            }
        ),
        "action",
    ),
}
"""The types of such tools, which are also the names of the functions for them."""
_TEXT: Final = RawJson.of(
    {"type": "object", "properties": {"input": {"type": "string"}}, "required": ["input"]}
)


def openai_tools(value: dict[str, Any], api: str) -> _Read:
    """Read a tool of an API; see `FunctionsOf`."""
    kind, name = value.get("type"), value.get("name")
    inner = value.get("custom")
    if kind == "custom" and isinstance(inner, dict):  # as in Chat
        value, name = inner, inner.get("name")
    if kind == SEARCH and value.get("execution") == "client":
        own = ToolName(SEARCH, SEARCH)
        yield Tool(SEARCH, _text(value) or None, _schema(value)), own, ()
    if isinstance(kind, str) and kind in KNOWN and _is_local(value):
        known = KNOWN[kind]
        yield Tool(kind, known.about, known.schema), ToolName(kind, kind), _options(value)
    if not isinstance(name, str):
        return
    if kind == "custom":
        yield _free(value, name, ToolName(name, "custom"))
    elif kind == "function":  # that a search has found
        yield Tool(name, _text(value) or None, _schema(value)), None, ()
    elif kind == "namespace" and isinstance(value.get("tools"), list):
        about = value.get("description")
        for tool in value["tools"]:
            yield from _member(tool, name, about, api)
            about = None


def _is_local(tool: dict[str, Any]) -> bool:
    """Whether the client runs a tool, and not OpenAI in a container."""
    place = tool.get("environment")
    return place is None or (isinstance(place, dict) and place.get("type") == "local")


def _options(tool: dict[str, Any]) -> list[str]:
    """Return the options of a known tool that no function has.

    Who may call it is usually the model itself (`direct`).
    """
    place = tool.get("environment")
    lost = ["skills"] if isinstance(place, dict) and place.get("skills") else []
    return lost if tool.get("allowed_callers") in (None, ["direct"]) else ["allowed_callers", *lost]


def output_of(kind: str, item: dict[str, Any]) -> tuple[str, bool]:
    """Return what the result of a known tool says, and whether it is a failure."""
    output = item.get("output")
    if kind == "apply_patch":
        is_failure = item.get("status") == "failed"
        return (output if isinstance(output, str) else str(item.get("status"))), is_failure
    chunks = output if isinstance(output, list) else []
    return "\n".join(_chunk(chunk) for chunk in chunks if isinstance(chunk, dict)), False


def _chunk(chunk: dict[str, Any]) -> str:
    """Return what one command has printed, and how it has ended."""
    outcome = chunk.get("outcome")
    outcome = outcome if isinstance(outcome, dict) else {}
    code = outcome.get("exit_code")
    end = f"exit code {code}" if code is not None else str(outcome.get("type", ""))
    texts = [chunk.get("stdout"), chunk.get("stderr"), end]
    return "\n".join(text for text in texts if isinstance(text, str) and text)


def _member(tool: Any, namespace: str, about: Any, api: str) -> _Read:
    """Read a tool of a namespace; `about` is the namespace's description, for its first tool."""
    name = tool.get("name") if isinstance(tool, dict) else None
    if not isinstance(name, str):
        return
    own = ToolName(name, extras={api: Extra(RawJson.of({"namespace": namespace}))})
    sent = in_namespace(namespace, name)
    if isinstance(about, str) and about:
        prefix = in_namespace(namespace, "")
        about = f"Of all tools whose names begin with `{prefix}`: {about}"
        tool = {**tool, "description": "\n\n".join(filter(None, (_text(tool), about)))}
    if tool.get("type") == "custom":
        own.tool_type = "custom"
        yield _free(tool, sent, own)
        return
    function = Tool(sent, _text(tool) or None, _schema(tool), tool.get("strict") or None)
    yield function, own, _others(tool, "type", "name", "description", "parameters", "strict")


def _free(tool: dict[str, Any], sent: str, own: ToolName) -> tuple[Tool, ToolName, list[str]]:
    """Return the function for a tool whose input is free text, perhaps of a grammar."""
    about, form = _text(tool), tool.get("format")
    grammar = form.get("grammar", form) if isinstance(form, dict) else None  # as in Chat
    if isinstance(grammar, dict) and isinstance(grammar.get("definition"), str):
        rule = f"`input` follows this {grammar.get('syntax', '')} grammar:"
        about = f"{about}\n\n{rule}\n{grammar['definition']}".lstrip()
    rest = _others(tool, "type", "name", "description", "format")
    return Tool(sent, about or None, _TEXT), own, rest


def _others(tool: dict[str, Any], *known: str) -> list[str]:
    return [key for key in tool if key not in known]


def _schema(tool: dict[str, Any]) -> RawJson | None:
    schema = tool.get("parameters")
    return RawJson.of(schema) if schema is not None else None


def _text(tool: dict[str, Any]) -> str:
    text = tool.get("description")
    return text if isinstance(text, str) else ""


def in_namespace(namespace: str, name: str) -> str:
    """Return the name of a function for one in a namespace, in the form that MCP's clients use."""
    return f"{namespace}{name}" if namespace.endswith("__") else f"{namespace}__{name}"
