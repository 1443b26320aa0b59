"""OpenTelemetry's GenAI messages and tools <-> canonical ones, and the attributes that hold them.

A conversation is a JSON array of messages, as in `gen_ai.input.messages` and
`gen_ai.output.messages`; a single message and JSON Lines are read too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from ... import model
from ..._body.decode import plain_text
from ..._body.refuse import errors
from ..._body.surrogates import mended_text
from ...errors import DecodeError
from ...losses import Losses
from ...model import RawJson
from .._mapping import CANONICAL, mapped
from .._records import own_value, read, read_all, readable, write, write_lines
from . import types as own
from .reading import Reader, tool
from .system import WIRE
from .writing import MessageWriter

__all__ = [
    "MESSAGE",
    "attributes",
    "decode",
    "encode",
    "from_canonical",
    "messages_of",
    "to_canonical",
    "tools_of",
]

MESSAGE: Final[Any] = own.Message
"""The type of the items of a conversation."""

_SYSTEM: Final = "gen_ai.system_instructions"
_INPUT: Final = "gen_ai.input.messages"
_OUTPUT: Final = "gen_ai.output.messages"
_TOOLS: Final = "gen_ai.tool.definitions"


def decode(data: Any, type: Any = None, *, losses: Losses = None) -> Any:
    """Decode a conversation as canonical messages, `list[AgentMessage]`.

    With `type`, a type of this module or a `list` of it, decode one document as that.

    Raises `DecodeError`.
    """
    if type is not None:
        return read(type, data, WIRE, losses)
    text = plain_text(data, WIRE, losses)
    try:
        return to_canonical(read_all(own.Message, text, WIRE, losses))
    except DecodeError:
        # A lone surrogate in a tool's response, which is first parsed by the mapping.
        mended = mended_text(text, WIRE, losses) if losses is not None else None
        if mended is None:
            raise
        return to_canonical(read_all(own.Message, mended, WIRE, losses))


def encode(value: Any, *, losses: Losses = None, lines: bool = False, check: bool = False) -> bytes:
    """Encode canonical messages as a conversation, or values of this module's types.

    `lines` asks for JSON Lines instead of an array.

    With `check`, the output is read again, so that nothing is written that `decode` refuses.

    Raises `EncodeError`, and `LossError` if there is a loss and no list for it.
    """
    data = _encoded(value, losses, lines)
    return readable(data, value, WIRE, decode, lines=lines) if check else data


def _encoded(value: Any, losses: Losses, lines: bool) -> bytes:
    if type(value) in CANONICAL:
        value = [value]
    if isinstance(value, list | tuple):
        made = from_canonical(value, losses=losses)
        return write_lines(made, WIRE, losses) if lines else write(made, WIRE, losses)
    return write(own_value(value, WIRE), WIRE, losses)


def to_canonical(messages: Iterable[own.Message]) -> list[model.AgentMessage]:
    """Return OpenTelemetry's messages as canonical ones. Raises `DecodeError`."""
    with mapped(WIRE):
        reader = Reader()
        return [reader.message(message) for message in messages]


def from_canonical(messages: Iterable[Any], *, losses: Losses = None) -> list[own.Message]:
    """Return canonical messages as OpenTelemetry's; its own stay as they are.

    Raises `EncodeError`, and `LossError` if there is a loss and no list for it.
    """
    with errors(WIRE):
        return MessageWriter(losses).messages(messages)


def attributes(
    request: model.Request, response: model.Response | None = None, *, losses: Losses = None
) -> dict[str, str]:
    """Return the attributes of a span that hold the conversation, as JSON text.

    A plain system message in first place becomes the system instructions; all others are input.
    Paths of losses begin with `$.request` or `$.response`.

    Raises `EncodeError`, and `LossError` if there is a loss and no list for it.
    """
    values: dict[str, Any] = {}
    with errors(WIRE):
        writer = MessageWriter(losses)
        messages: list[own.Message] = []
        for i, message in enumerate(request.messages):
            messages += writer.message(message, (f".request.messages[{i}]",))
        if messages and _is_instructions(messages[0]):
            values[_SYSTEM] = messages.pop(0).parts
        values[_INPUT] = messages
        if response is not None:
            answers = values[_OUTPUT] = writer.message(response.message, (".response.message",))
            for i, message in enumerate(response.alternatives or ()):
                answers += writer.message(message, (f".response.alternatives[{i}]",))
        if request.tools:
            given = enumerate(request.tools)
            tools = [writer.tool(tool, (f".request.tools[{i}]",)) for i, tool in given]
            values[_TOOLS] = [tool for tool in tools if tool is not None]
    return {name: write(value, WIRE, losses).decode() for name, value in values.items()}


def _is_instructions(message: own.Message) -> bool:
    return message == own.Message("system", message.parts)


def messages_of(
    attributes: Mapping[str, Any], *, losses: Losses = None
) -> list[model.AgentMessage]:
    """Return the messages in the attributes of a span or an event, in order.

    Raises `DecodeError`.
    """
    instructions: list[model.AgentMessage] = []
    with mapped(WIRE):
        if _SYSTEM in attributes:
            parts = read(list[own.Part], _text(attributes[_SYSTEM]), WIRE, losses)
            instructions.append(Reader().instructions(parts))
        messages = [
            message
            for name in (_INPUT, _OUTPUT)
            if name in attributes
            for message in read(list[own.Message], _text(attributes[name]), WIRE, losses)
        ]
    return instructions + to_canonical(messages)


def tools_of(
    attributes: Mapping[str, Any], *, losses: Losses = None
) -> list[model.Tool | model.OpaqueBlock]:
    """Return the tools in the attributes of a span or an event. Raises `DecodeError`."""
    if _TOOLS not in attributes:
        return []
    with mapped(WIRE):
        text = _text(attributes[_TOOLS])
        return [tool(each) for each in read(list[own.ToolDefinition], text, WIRE, losses)]


def _text(value: Any) -> Any:
    """Return the JSON of an attribute; an event's attribute is not text but a structure."""
    return value if isinstance(value, str | bytes) else RawJson.of(value).text
