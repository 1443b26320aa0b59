"""Tools of Anthropic's that the client runs -> functions for another API.

The model knows them by heart, so that the API takes no schema of theirs; other models need one.
Source: the API's documentation and the types of the SDK, 2026-10.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from ...model import CacheMark, RawJson, Tool


def client_tools(value: dict[str, Any], _: str) -> Iterator[tuple[Tool, None, list[str]]]:
    """Read a tool; see `FunctionsOf`."""
    kind, name = value.get("type"), value.get("name")
    known = next((row for row in _TOOLS if str(kind).startswith(row[0])), None)
    if known is None or not isinstance(name, str):
        return
    _, about, properties, required = known
    control = value.get("cache_control")
    rest = {key: None for key in value if value[key] is not None}
    for key, words in _SETTINGS.items():
        if key in rest:
            about = f"{about} {words.format(value[key])}"
    schema = {"type": "object", "properties": properties, "required": required}
    tool = Tool(name, about, RawJson.of(schema))
    if isinstance(control, dict) and control.get("ttl") in (None, "5m", "1h"):
        tool.cache = CacheMark(control.get("ttl"))
        rest.pop("cache_control", None)
    yield tool, None, [key for key in rest if key not in ("type", "name", *_SETTINGS)]


def _one_of(*words: str) -> dict[str, Any]:
    return {"type": "string", "enum": [*words]}


_STRING: Final = {"type": "string"}
_INTEGER: Final = {"type": "integer"}
_PAIR: Final = {"type": "array", "items": _INTEGER, "minItems": 2, "maxItems": 2}
_SETTINGS: Final = {
    "display_width_px": "The screen is {} pixels wide.",
    "display_height_px": "The screen is {} pixels high.",
    "display_number": "Its display number is {}.",
    "max_characters": "At most {} characters of a file are shown.",
}
"""A setting of a tool -> a sentence of its description."""
_TOOLS: Final[tuple[tuple[str, str, dict[str, Any], list[str]], ...]] = (
    (
        "bash_",
        "Run a command in a shell that keeps its state between calls. `restart` starts it anew.",
        {"command": _STRING, "restart": {"type": "boolean"}},
        [],
    ),
    (
        "text_editor_",
        "View, create and edit text files. `view` takes a range of lines, counted from 1; `insert`"
        " puts its text after a line; `str_replace` needs a text that occurs once.",
        {
            "command": _one_of("view", "create", "str_replace", "insert"),
            "path": _STRING,
            "view_range": _PAIR,
            "file_text": _STRING,
            "old_str": _STRING,
            "new_str": _STRING,
            "insert_line": _INTEGER,
            "insert_text": _STRING,
        },
        ["command", "path"],
    ),
    (
        "computer_",
        "Use a screen, a mouse and a keyboard. Coordinates are x and y in pixels, from the top left"
        " corner. `text` is what to type, or the keys to press, as in `ctrl+s`.",
        {
            "action": _one_of(
                "screenshot",
                "left_click",
                "right_click",
                "middle_click",
                "double_click",
                "triple_click",
                "left_click_drag",
                "left_mouse_down",
                "left_mouse_up",
                "mouse_move",
                "cursor_position",
                "scroll",
                "key",
                "hold_key",
                "type",
                "wait",
            ),
            "coordinate": _PAIR,
            "start_coordinate": _PAIR,
            "text": _STRING,
            "scroll_direction": _one_of("up", "down", "left", "right"),
            "scroll_amount": _INTEGER,
            "duration": {"type": "number"},
        },
        ["action"],
    ),
    (
        "memory_",
        "Keep notes in files below `/memories`. `rename` moves `old_path` to `new_path`.",
        {
            "command": _one_of("view", "create", "str_replace", "insert", "delete", "rename"),
            "path": _STRING,
            "view_range": _PAIR,
            "file_text": _STRING,
            "old_str": _STRING,
            "new_str": _STRING,
            "insert_line": _INTEGER,
            "insert_text": _STRING,
            "old_path": _STRING,
            "new_path": _STRING,
        },
        ["command"],
    ),
)
"""How their types begin, what they do, their parameters, and which are needed."""
