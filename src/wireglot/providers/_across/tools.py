"""What all wires do with tools: which go out, the choice among them, schemas and arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from msgspec import Raw
from msgspec.structs import replace

from ..._body.encode import encode_json as encode
from ..._body.objects import is_object
from ...errors import quoted
from ...model import OpaqueBlock, RawJson, Request, Tool, ToolCallBlock, ToolChoice
from .._state.encoding import Encoding
from .._state.stored import lenient_value, servers
from .old_schemas import may_be_old, modern

NO_PARAMETERS: Final = RawJson.of({"type": "object", "properties": {}})
"""The schema of a function without parameters."""
_FUNCTION: Final = frozenset({Tool})
_FEW, _NAME = 5, 64  # the most tools that a loss names, and the characters of each


Function = Callable[[Tool, str], Any]
"""A tool and its name on the wire -> the wire's tool."""


def tools(request: Request, encoding: Encoding, function: Function) -> list[Any]:
    """Return the wire's tools: what `function` makes of each, and this API's opaque ones.

    A tool that another provider runs is a loss.

    Raises `EncodeError` for two of one name.
    """
    kept = encoding.kept_tools
    if kept is None or (kept.lost and encoding.losses is None):
        return _written(request, encoding, function)
    if kept.parts is None:
        before = len(encoding.losses or ())
        parts = [Raw(encode(part)) for part in _written(request, encoding, function)]
        kept.lost = (encoding.losses or [])[before:]
        names = {tool.name for tool in request.tools or () if type(tool) is Tool}
        kept.sent_names = {name: encoding.sent_names[name] for name in names}
        known = encoding.names or {}
        kept.names = {sent: known[sent] for sent in kept.sent_names.values() if sent in known}
        kept.parts = parts  # the last: another thread may look for it
    else:
        encoding.sent_names |= kept.sent_names
        if encoding.losses is not None:
            encoding.losses += kept.lost
        if encoding.names is not None:
            encoding.names.update(kept.names)
    return list(kept.parts)


def _written(request: Request, encoding: Encoding, function: Function) -> list[Any]:
    names: set[str] = set()
    wire_tools: list[Any] = []
    for tool in request.tools or ():
        if isinstance(tool, OpaqueBlock):
            if encoding.is_run(tool):
                wire_tools.append(encoding.with_extras(encoding.opaque(tool), tool))
            else:
                is_own = tool.api == encoding.api
                encoding.lose("host tool" if is_own else "opaque tool", tool)
            continue
        name = encoding.tool_name(tool.name, tool)
        if name in names:
            encoding.fail(f"two tools named {quoted(tool.name)}, expected one", tool)
        names.add(name)
        encoding.lose_rest(tool)
        body = function(tool, name)
        wire_tools.append(body if tool.extras is None else encoding.with_extras(body, tool))
    return wire_tools


def carried(request: Request, encoding: Encoding) -> list[Tool | OpaqueBlock]:
    """Return the tools that a wire has a place for: functions, and its own opaque ones."""
    given = request.tools or []
    if {*map(type, given)} <= _FUNCTION:
        return given
    return [tool for tool in given if isinstance(tool, Tool) or encoding.is_run(tool)]


def has_opaque(request: Request) -> bool:
    """Whether any tool of a request is not a function."""
    return not {*map(type, request.tools or ())} <= _FUNCTION


def lose_only_tools(encoding: Encoding) -> None:
    """Report it if the request has lost all of its tools: the model would pretend to call them."""
    request: Request = encoding.root
    lost, choice = encoding.lost_tools, request.tool_choice
    names = [_shown(tool) for tool in lost] + servers(request, encoding.api)
    is_without = bool(names) and len(lost) == len(request.tools or ())
    if is_without and (choice is None or choice.mode != "none"):
        place = ".tools" if lost else f".{names[0]}"
        encoding.lose("only tools", request, place, names[:_FEW], severe=True)


# -- the choice --------------------------------------------------------------------------------


def chosen(choice: ToolChoice, encoding: Encoding, *, has_tools: bool) -> ToolChoice | None:
    """Return the choice, None where there is nothing to choose from.

    A choice of a tool that is lost, or a call that the model cannot be made to make, is a loss, and
    becomes `auto`.

    Raises `EncodeError` if the choice contradicts itself.
    """
    if (choice.mode == "tool") is (choice.name is None):
        odd = (
            "without a name, expected one" if choice.name is None else "with a name, expected none"
        )
        encoding.fail(f"tool choice of mode `{choice.mode}` {odd}", choice)
    if not has_tools:
        if choice.mode in ("required", "tool"):
            encoding.lose("tool choice unused", choice)
        return None
    is_refused = not encoding.takes.forced and choice.mode in ("required", "tool")
    if not is_refused and not is_lost(choice.name, encoding):
        return choice
    encoding.lose("tool choice forced" if is_refused else "tool choice lost", choice)
    free = replace(choice, mode="auto", name=None)
    encoding.derived(free, choice)
    return free


def allowed(choice: ToolChoice, encoding: Encoding) -> list[str] | None:
    """Return the names that a choice is narrowed to; None if it is not, or all are lost."""
    given = choice.allowed
    if given is None:
        return None
    left = [name for name in given if not is_lost(name, encoding)]
    if len(left) == len(given):
        return given
    encoding.lose("tool choice lost", choice)
    return left or None


def parallel(asked: bool | None, encoding: Encoding) -> bool | None:
    """Return whether calls may come side by side, None if the model cannot be told."""
    if asked is None or encoding.takes.parallel:
        return asked
    if not asked:  # these models call one tool at a time, or several, as they like
        encoding.lose("parallel_tool_calls", encoding.root)
    return None


def is_lost(name: str | None, encoding: Encoding) -> bool:
    """Whether the request has a tool of this name that the wire does not carry.

    Where a lost tool does not tell its name, each name that no carried tool has may be its.
    """
    if name is None:
        return False
    lost: set[str | None] = set()
    for tool in encoding.root.tools or ():
        own = tool.name if isinstance(tool, Tool) else _name_of(tool)
        if not isinstance(tool, Tool) and not encoding.is_run(tool):
            lost.add(own)
        elif own == name:
            return False
    return name in lost or None in lost


def _name_of(tool: OpaqueBlock) -> str | None:
    """Return the name that an opaque tool tells, None if it tells none or holds tools itself.

    The name stands in the tool, or in the object that has its type as a key; a tool of Bedrock has
    no type.
    """
    value = lenient_value(tool.raw)
    if not isinstance(value, dict) or "tools" in value:
        return None
    inner = value.get(str(value.get("type", "systemTool")))
    name = value.get("name", inner.get("name") if isinstance(inner, dict) else None)
    return name if isinstance(name, str) else None


def _shown(tool: OpaqueBlock) -> str:
    """Return how to name an opaque tool: its name or its type."""
    value = lenient_value(tool.raw)
    kind = value.get("type", next(iter(value), None)) if isinstance(value, dict) else None
    return str(_name_of(tool) or kind or "unnamed")[:_NAME]


# -- JSON that must be an object ---------------------------------------------------------------


NOT_AN_OBJECT: Final = "tool parameters of another type, expected the JSON Schema of an object"
NO_SCHEMA: Final = "response format without a schema, expected a JSON Schema"


def no_such_tool(name: str | None) -> str:
    """Return the reason for a choice of a tool that the request does not have."""
    return f"tool choice {quoted(name)}, expected the name of a tool of the request"


def object_schema(tool: Tool, encoding: Encoding) -> RawJson:
    """Return the schema of a tool's parameters, in today's words; it has to be an object's."""
    schema = tool.parameters
    if schema is None:
        return NO_PARAMETERS
    text = schema.native()
    if not is_object(text):
        encoding.fail(NOT_AN_OBJECT, tool, ".parameters")
    return modern(schema) if may_be_old(text) else schema


def object_arguments(call: ToolCallBlock, encoding: Encoding) -> Any:
    """Return the arguments of a call, on a wire that requires an object.

    Any other text goes as `raw_arguments`, which is a loss.
    """
    arguments = call.arguments.object_json()
    if arguments is not None:
        return arguments
    encoding.lose("arguments", call)
    text = call.arguments.text.decode("utf-8", "replace")
    return Raw(encode({"raw_arguments": text}))
