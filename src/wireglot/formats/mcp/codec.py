"""MCP's messages, results of tools and tools <-> canonical ones.

A conversation is a JSON array of messages. A single message, JSON Lines, and objects that hold
messages are read too: the result of `prompts/get`, the parameters of `sampling/createMessage`.
Media, schemas and the input of calls pass through as slices of the input.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import msgspec
from msgspec import Raw

from ... import model
from ..._body.decode import plain_text
from ..._body.refuse import errors
from ..._body.surrogates import mended_text
from ...errors import DecodeError, EncodeError
from ...losses import Loss, Losses
from .._mapping import CANONICAL, mapped
from .._records import own_value, read, read_all, readable, write, write_lines
from . import types as own
from .reading import Reader, tool
from .system import WIRE
from .writing import MessageWriter

__all__ = [
    "MESSAGE",
    "call_tool_result",
    "decode",
    "encode",
    "from_canonical",
    "list_tools_result",
    "to_canonical",
    "tool_result",
    "tools",
]

MESSAGE: Final[Any] = own.Message
"""The type of the items of a conversation."""

_keys = msgspec.json.Decoder(dict[str, Raw]).decode
_TOLD: Final = frozenset({"messages", "systemPrompt"})
_COMPLETE: Final = ("resultType", b'"complete"')  # the default, which says nothing
_BESIDE: Final = "what stands beside messages is in their holder's own type; left out"
_RESULTS: Final = frozenset({model.ToolResultMessage, model.ToolResultBlock})


def decode(data: Any, type: Any = None, *, losses: Losses = None) -> Any:
    """Decode a conversation as canonical messages, `list[AgentMessage]`.

    An object that holds a conversation gives its messages, with `systemPrompt` as the first. Each
    other key of it is an error, or with a list of losses a loss; its own type holds them all. With
    `type`, a type of this module or a `list` of it, decode one document as that.

    Raises `DecodeError`.
    """
    if type is not None:
        return read(type, data, WIRE, losses)
    text = plain_text(data, WIRE, losses)
    try:
        return _conversation(text, losses)
    except DecodeError:
        # A lone surrogate in structured content, which is first parsed by the mapping.
        mended = mended_text(text, WIRE, losses) if losses is not None else None
        if mended is None:
            raise
        return _conversation(mended, losses)


def _conversation(text: bytes, losses: Losses) -> list[model.AgentMessage]:
    kind = _holder(text)
    if kind is None:
        return to_canonical(read_all(own.Message, text, WIRE, losses))
    holder = read(kind, text, WIRE, losses)
    for key, raw in _keys(text).items():
        says = bytes(raw) != b"null" and (key, bytes(raw)) != _COMPLETE
        if says and key not in _TOLD:
            _leave_out(key, losses)
    prompt = getattr(holder, "system_prompt", None)
    before: list[model.AgentMessage] = []
    if prompt:
        before.append(model.SystemMessage.from_text(prompt))
    return before + to_canonical(holder.messages)


def _leave_out(key: str, losses: Losses) -> None:
    if losses is None:
        reason = f"`{key}`, expected a message; pass the type, or a list as `losses`"
        raise DecodeError(reason, wire=WIRE, path=f"$.{key}")
    losses.append(Loss(f"$.{key}", key, _BESIDE))


def _holder(text: bytes) -> Any:
    """Return the type of an object that holds messages, None for anything else."""
    try:
        keys = _keys(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    if "messages" not in keys or "role" in keys:
        return None
    return own.CreateMessageRequestParams if "maxTokens" in keys else own.GetPromptResult


def encode(value: Any, *, losses: Losses = None, lines: bool = False, check: bool = False) -> bytes:
    """Encode canonical messages as a conversation, or values of this module's types.

    `lines` asks for JSON Lines instead of an array; then tool results are not merged into one
    message, so that more lines can be appended.

    With `check`, the output is read again, so that nothing is written that `decode` refuses.

    Raises `EncodeError`, and `LossError` if there is a loss and no list for it.
    """
    data = _encoded(value, losses, lines)
    return readable(data, value, WIRE, decode, lines=lines) if check else data


def _encoded(value: Any, losses: Losses, lines: bool) -> bytes:
    if type(value) in CANONICAL:
        value = [value]
    if isinstance(value, list | tuple):
        with errors(WIRE):
            made = MessageWriter(losses, merge=not lines).messages(value)
        return write_lines(made, WIRE, losses) if lines else write(made, WIRE, losses)
    return write(own_value(value, WIRE), WIRE, losses)


def to_canonical(messages: Iterable[own.Message]) -> list[model.AgentMessage]:
    """Return MCP's messages as canonical ones. Raises `DecodeError`."""
    with mapped(WIRE):
        reader = Reader()
        return [reader.message(message) for message in messages]


def from_canonical(messages: Iterable[Any], *, losses: Losses = None) -> list[own.Message]:
    """Return canonical messages as MCP's; its own stay as they are.

    Consecutive tool results share one message, as MCP requires for the results of a turn.

    Raises `EncodeError`, and `LossError` if there is a loss and no list for it.
    """
    with errors(WIRE):
        return MessageWriter(losses).messages(messages)


def tool_result(
    result: own.CallToolResult, tool_call_id: str, tool_name: str | None = None
) -> model.ToolResultMessage:
    """Return a tool's answer as the canonical result of a call. Raises `DecodeError`."""
    with mapped(WIRE):
        return Reader().answered(result, tool_call_id, tool_name)


def call_tool_result(
    result: model.ToolResultMessage | model.ToolResultBlock, *, losses: Losses = None
) -> own.CallToolResult:
    """Return the result of a call as a tool's answer: all but the id and the name of the call.

    Raises `EncodeError`, and `LossError` if there is a loss and no list for it.
    """
    if type(result) not in _RESULTS:
        raise EncodeError(f"`{type(result).__name__}`, expected a tool result", wire=WIRE)
    with errors(WIRE):
        return MessageWriter(losses).answered(result, ("",))


def tools(result: own.ListToolsResult) -> list[model.Tool]:
    """Return the tools of a server as canonical ones. Raises `DecodeError`."""
    with mapped(WIRE):
        return [tool(each) for each in result.tools]


def list_tools_result(tools: Iterable[Any], *, losses: Losses = None) -> own.ListToolsResult:
    """Return canonical tools as a server lists them.

    Raises `EncodeError`, and `LossError` if there is a loss and no list for it.
    """
    with errors(WIRE):
        writer = MessageWriter(losses)
        made = [writer.tool(each, (i,)) for i, each in enumerate(tools)]
        return own.ListToolsResult([each for each in made if each is not None])
