"""Model value -> whether it is one of the simple ones: a text, a call or a result, and no more.

Nearly all messages are made of these. There is nothing to lose in one, and all of its types are
right, so that a wire writes it at once. What each holds is made of the fields that the model has: a
new one is unset in a simple value.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeGuard

from ..._body.field_types import compiled
from ...model import (
    AssistantMessage,
    SystemMessage,
    TextBlock,
    ToolCallBlock,
    ToolMessage,
    ToolResultBlock,
    ToolResultMessage,
    UserMessage,
)
from ...model.rawjson import Arguments
from .._state.rules import NEVER_SENT

_NAMES: Final[dict[str, Any]] = {
    "AnyText": frozenset({str, type(None)}),
    "Arguments": Arguments,
    "TextBlock": TextBlock,
    "ToolCallBlock": ToolCallBlock,
    "ToolResultBlock": ToolResultBlock,
    "ToolResultMessage": ToolResultMessage,
    "Messages": frozenset({SystemMessage, UserMessage, AssistantMessage, ToolMessage}),
}


def _unset(kind: Any, apart: str, name: str = "part") -> list[str]:
    """Return the conditions that every field of a type is unset, but for those `apart`."""
    fields = [field for field in kind.__struct_fields__ if field not in apart.split()]
    return [f"{name}.{field} is None" for field in fields]


_ONE_TEXT: Final = [
    "len(part.content) == 1",
    "type(block := part.content[0]) is TextBlock",
    "type(block.text) is str",
    *_unset(TextBlock, "text", "block"),
    "block.text != ''",
    "not block.text.isspace()",
]

is_bare: Callable[[Any], TypeGuard[TextBlock]] = compiled(
    ["type(part) is TextBlock", "type(part.text) is str", *_unset(TextBlock, "text")], _NAMES
)
"""Whether a block is a text without anything else."""

is_lone_text: Callable[[Any], bool] = compiled(
    [
        "type(part) in Messages",
        *_unset(UserMessage, f"content {NEVER_SENT[UserMessage]}"),
        *_ONE_TEXT,
    ],
    _NAMES,
)
"""Whether a message is one bare text that is not blank."""

is_bare_call: Callable[[Any], TypeGuard[ToolCallBlock]] = compiled(
    [
        "type(part) is ToolCallBlock",
        "type(part.id) is str",
        "type(part.name) is str",
        "type(part.arguments) is Arguments",
        "part.tool_type is None",
        *_unset(ToolCallBlock, f"id name arguments {NEVER_SENT[ToolCallBlock]}"),
    ],
    _NAMES,
)
"""Whether a block is a call with an id, a name and arguments, and perhaps a signature."""

is_lone_result: Callable[[Any], bool] = compiled(
    [
        "(type(part) is ToolResultMessage or type(part) is ToolResultBlock and part.cache is None)",
        "type(part.tool_name) in AnyText",
        "part.is_error is False",
        *_unset(
            ToolResultMessage, f"tool_call_id content is_error {NEVER_SENT[ToolResultMessage]}"
        ),
        *_ONE_TEXT,
    ],
    _NAMES,
)
"""Whether a result, a message or a block, is one bare text that is not blank, and not an error."""


_is_one_result: Final[Callable[[Any], bool]] = compiled(
    [
        "len(part.content) == 1",
        "type(block := part.content[0]) is ToolResultBlock",
        "block.cache is None",
        *_unset(ToolMessage, f"content {NEVER_SENT[ToolMessage]}"),
    ],
    _NAMES,
)


MAY_BE_RESULT: Final = frozenset({ToolMessage, ToolResultMessage})
"""The messages for which to ask `result_of`."""


def result_of(message: Any) -> Any:
    """Return the result that a message is, or the one that is all of a `ToolMessage`; else None."""
    if type(message) is ToolResultMessage:
        return message
    return message.content[0] if _is_one_result(message) else None


def is_plain(content: Any) -> bool:
    """Whether content is only bare texts, none of them empty, and does not begin with a blank one.

    Such content is written without a check of each block.
    """
    for block in content:
        if not is_bare(block) or not block.text:
            return False
    return bool(content) and not content[0].text.isspace()
