"""Tools of one API that its client runs itself -> functions for another, and their calls back.

An API has such tools beside functions: free text as the input, functions in a namespace, a search
for further tools, and tools whose schema the model knows. Every wire has functions, so that these
go as functions; a call of one comes back to the client as a call of its own tool (see `ToolName`).
Sources: the tools of OpenAI's Responses and Chat, and of Anthropic's Messages, as their SDKs had
them in 2026-10; what Codex 0.169 sends.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from typing import Any, Final, cast

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

from ..._body.fields import changed
from ..._body.objects import encode
from ...model import (
    Arguments,
    AssistantMessage,
    CacheMark,
    Content,
    Extra,
    Message,
    OpaqueBlock,
    RawJson,
    Request,
    Response,
    TextBlock,
    Tool,
    ToolCallBlock,
    ToolName,
    ToolNames,
    ToolResultBlock,
    ToolResultMessage,
)
from ...model.events import ArgumentsDelta, BlockEnd, BlockStart, StreamEnd, StreamEvent
from .._state.encoding import Writer
from .._state.stored import loose

__all__ = ["EventsGivenBack", "adapt_tools", "given_back", "message_given_back"]

_CHAT, _RESPONSES, _CLAUDE = "openai-chat", "openai-responses", "anthropic-messages"
_TEXT: Final = RawJson.of(
    {"type": "object", "properties": {"input": {"type": "string"}}, "required": ["input"]}
)
_SEARCH: Final = "tool_search"
_input = msgspec.json.Decoder(dict[str, Raw]).decode
_string = msgspec.json.Decoder(str).decode

# -- in a request ------------------------------------------------------------------------------


def adapt_tools(writer: Writer) -> None:
    """Make functions of the tools that another API's client runs, and of their calls.

    If the caller keeps no map by which the calls come back as what they were, that is a loss.
    """
    request = writer.root
    functions: list[Tool | OpaqueBlock] = []
    is_adapted = False
    for tool in request.tools:
        is_foreign = type(tool) is OpaqueBlock and tool.api != writer.api
        made = _functions(loose(tool.raw), tool, writer) if is_foreign else None
        is_adapted |= made is not None
        functions += (tool,) if made is None else made
    if not is_adapted:
        return
    calls = _Calls(any(type(tool) is Tool and tool.name == _SEARCH for tool in functions))
    if calls.searches:
        functions += _found(request, functions, writer)
    messages = [_message(message, calls, writer) for message in request.messages]
    writer.stand_in(changed(request, {"tools": functions, "messages": messages}))


class _Calls(Struct):
    """The calls so far: the names of those that have changed, and whether searches are calls."""

    searches: bool
    names: dict[str, str] = {}


def _found(
    request: Request, known: list[Tool | OpaqueBlock], writer: Writer
) -> Iterator[Tool | OpaqueBlock]:
    """Yield the functions for the tools that the client's searches have found, each once."""
    names = {tool.name for tool in known if type(tool) is Tool}
    for message in request.messages:
        for block in message.content if type(message) is not ToolResultMessage else ():
            for value in _listed(_item(block, "tool_search_output")):
                found = _functions(value, block, writer, names) or []
                names.update(tool.name for tool in found)
                yield from found


def _item(block: Any, kind: str) -> dict[str, Any]:
    """Return an item of Responses of a type that the model has no block for; empty if it is none.

    The item names its call.
    """
    if type(block) is not OpaqueBlock or block.api != _RESPONSES:
        return {}
    value = loose(block.raw)
    is_so = isinstance(value, dict) and value.get("type") == kind
    return value if is_so and isinstance(value.get("call_id"), str) else {}


def _listed(item: dict[str, Any]) -> list[Any]:
    tools = item.get("tools")
    return tools if isinstance(tools, list) else []


def _functions(
    value: Any, tool: Any, writer: Writer, known: Container[str] = ()
) -> list[Tool] | None:
    """Return the functions that stand for a tool, without `known` ones; None if none can."""
    read = _TOOLS.get(tool.api or "")
    if read is None or not isinstance(value, dict):
        return None
    functions: list[Tool] = []
    for function, name, rest in read(value):
        if function.name in known:
            continue
        writer.derived(function, tool)
        functions.append(function)
        if name is not None and writer.names is not None:
            writer.names[function.name] = name
        elif name is not None:
            writer.lose("tool kind", function)
        if rest:
            writer.lose("extras", function)
    return functions or None


_Read = Iterator[tuple[Tool, ToolName | None, bool]]
"""Functions; what the client calls each, if otherwise; and whether a part has no place."""


def _openai_tools(value: dict[str, Any]) -> _Read:
    kind, name = value.get("type"), value.get("name")
    inner = value.get("custom")
    if kind == "custom" and isinstance(inner, dict):  # as in Chat
        value, name = inner, inner.get("name")
    if kind == _SEARCH and value.get("execution") == "client":
        own = ToolName(_SEARCH, _SEARCH)
        yield Tool(_SEARCH, _text(value) or None, _schema(value)), own, False
    if not isinstance(name, str):
        return
    if kind == "custom":
        yield _free(value, name, ToolName(name, "custom"))
    elif kind == "function":  # that a search has found
        yield Tool(name, _text(value) or None, _schema(value)), None, False
    elif kind == "namespace" and isinstance(value.get("tools"), list):
        about = value.get("description")
        for tool in value["tools"]:
            yield from _member(tool, name, about)
            about = None


def _member(tool: Any, namespace: str, about: Any) -> _Read:
    """Read a tool of a namespace; `about` is the namespace's description, for its first tool."""
    name = tool.get("name") if isinstance(tool, dict) else None
    if not isinstance(name, str):
        return
    own = ToolName(name, extras={_RESPONSES: Extra(RawJson.of({"namespace": namespace}))})
    sent = _in_namespace(namespace, name)
    if isinstance(about, str) and about:
        prefix = _in_namespace(namespace, "")
        about = f"Of all tools whose names begin with `{prefix}`: {about}"
        tool = {**tool, "description": "\n\n".join(filter(None, (_text(tool), about)))}
    if tool.get("type") == "custom":
        own.tool_type = "custom"
        yield _free(tool, sent, own)
        return
    function = Tool(sent, _text(tool) or None, _schema(tool), tool.get("strict") or None)
    is_whole = tool.keys() <= {"type", "name", "description", "parameters", "strict"}
    yield function, own, not is_whole


def _free(tool: dict[str, Any], sent: str, own: ToolName) -> tuple[Tool, ToolName, bool]:
    """Return the function for a tool whose input is free text, perhaps of a grammar."""
    about, form = _text(tool), tool.get("format")
    grammar = form.get("grammar", form) if isinstance(form, dict) else None  # as in Chat
    if isinstance(grammar, dict) and isinstance(grammar.get("definition"), str):
        rule = f"`input` follows this {grammar.get('syntax', '')} grammar:"
        about = f"{about}\n\n{rule}\n{grammar['definition']}".lstrip()
    is_whole = tool.keys() <= {"type", "name", "description", "format"}
    return Tool(sent, about or None, _TEXT), own, not is_whole


def _schema(tool: dict[str, Any]) -> RawJson | None:
    schema = tool.get("parameters")
    return RawJson.of(schema) if schema is not None else None


def _text(tool: dict[str, Any]) -> str:
    text = tool.get("description")
    return text if isinstance(text, str) else ""


def _in_namespace(namespace: str, name: str) -> str:
    """Return the name of a function for one in a namespace, in the form that MCP's clients use."""
    return f"{namespace}{name}" if namespace.endswith("__") else f"{namespace}__{name}"


def _claude_tools(value: dict[str, Any]) -> _Read:
    kind, name = value.get("type"), value.get("name")
    known = next((row for row in _CLAUDES if str(kind).startswith(row[0])), None)
    if known is None or not isinstance(name, str):
        return
    _, about, properties, required = known
    control = value.get("cache_control")
    rest = {key for key in value if value[key] is not None}
    for key, words in _SETTINGS.items():
        if key in rest:
            about = f"{about} {words.format(value[key])}"
    schema = {"type": "object", "properties": properties, "required": required}
    tool = Tool(name, about, RawJson.of(schema))
    if isinstance(control, dict) and control.get("ttl") in (None, "5m", "1h"):
        tool.cache = CacheMark(control.get("ttl"))
        rest.discard("cache_control")
    yield tool, None, bool(rest - {"type", "name"} - _SETTINGS.keys())


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
"""A setting of a tool of Anthropic's -> a sentence of its description."""
_CLAUDES: Final[tuple[tuple[str, str, dict[str, Any], list[str]], ...]] = (
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
"""Anthropic's tools: how their types begin, what they do, their parameters, and which are needed.

The model knows them by heart, so that the API takes no schema of theirs; other models need one.
"""
_TOOLS: Final[dict[str, Callable[[dict[str, Any]], _Read]]] = {
    _CHAT: _openai_tools,
    _RESPONSES: _openai_tools,
    _CLAUDE: _claude_tools,
}


def _message(message: Message, calls: _Calls, writer: Writer) -> Message:
    """Return a message with calls and results of functions, itself if it has none to change."""
    if type(message) is ToolResultMessage:
        name = calls.names.get(message.tool_call_id)
        new: Message = message if name is None else replace(message, tool_name=name)
    else:
        is_answer = type(message) is AssistantMessage
        content = [_part(block, calls, is_answer=is_answer) for block in message.content]
        if all(new is old for new, old in zip(content, message.content, strict=True)):
            return message
        for part, old in zip(content, message.content, strict=True):
            writer.derived(part, old)
        new = replace(message, content=content)
    writer.derived(new, message)
    return new


def _part(block: Content, calls: _Calls, *, is_answer: bool) -> Content:
    names = calls.names
    if type(block) is OpaqueBlock:
        return _searched(block, names, is_answer=is_answer) if calls.searches else block
    if type(block) is ToolResultBlock and block.tool_call_id in names:
        return replace(block, tool_name=names[block.tool_call_id])
    if type(block) is not ToolCallBlock or not is_answer:
        return block
    extra = (block.extras or {}).get(_RESPONSES)
    keys = loose(extra.keys) if extra is not None else {}
    namespace = keys.get("namespace")
    if block.tool_type != "custom" and not isinstance(namespace, str):
        return block
    call = replace(block)
    if block.tool_type == "custom":
        call.tool_type = None
        call.arguments = Arguments.adopt(Raw(b'{"input":%b}' % block.arguments.string_json()))
    if isinstance(namespace, str) and extra is not None:
        call.name = names[block.id] = _in_namespace(namespace, block.name)
        rest = {key: Raw(encode(keys[key])) for key in keys if key != "namespace"}
        call.extras = {**(block.extras or {}), _RESPONSES: replace(extra, keys=RawJson.of(rest))}
    return call


def _searched(block: OpaqueBlock, names: dict[str, str], *, is_answer: bool) -> Content:
    """Return the call of a search for tools, or its result; any other block itself."""
    call = _item(block, "tool_search_call") if is_answer else {}
    if call:
        call_id = call["call_id"]
        names[call_id] = _SEARCH
        return ToolCallBlock(call_id, _SEARCH, Arguments.of(call.get("arguments") or {}))
    result = _item(block, "tool_search_output")
    if result.get("call_id") not in names:
        return block
    found = [
        tool.name
        for value in _listed(result)
        if isinstance(value, dict)
        for tool, _, _ in _openai_tools(value)
    ]
    told = ", ".join(f"`{name}`" for name in found)
    text = f"These tools can be called now: {told}." if found else "No tools were found."
    return ToolResultBlock(result["call_id"], _SEARCH, [TextBlock(text)])


# -- in an answer ------------------------------------------------------------------------------


def given_back(response: Response, names: ToolNames) -> Response:
    """Return an answer whose calls are what its client knows; that answer itself if none is."""
    others = response.alternatives
    return replace(
        response,
        message=message_given_back(response.message, names),
        alternatives=others and [message_given_back(other, names) for other in others],
    )


def message_given_back(message: AssistantMessage, names: ToolNames) -> AssistantMessage:
    """Return a message whose calls are what its client knows."""
    content = [_call_given_back(block, names) for block in message.content]
    return replace(message, content=content)


def _call_given_back(block: Content, names: ToolNames) -> Content:
    name = names.get(block.name) if type(block) is ToolCallBlock else None
    if type(block) is not ToolCallBlock or name is None:
        return block
    if name.tool_type == _SEARCH:
        return _search_call(block)
    call = replace(block, name=name.name)
    if name.tool_type is not None:
        call.tool_type = name.tool_type
        call.arguments = Arguments(_free_text(block.arguments.text))
    if name.extras is not None:
        call.extras = {**(block.extras or {}), **name.extras}
    return call


def _search_call(call: ToolCallBlock, status: str = "completed") -> OpaqueBlock:
    """Return the item of Responses for the call of a search for tools."""
    item = {
        "type": "tool_search_call",
        "call_id": call.id,
        "execution": "client",
        "arguments": call.arguments.object_json() or Raw(b"{}"),
        "status": status,
    }
    return OpaqueBlock(_RESPONSES, RawJson.adopt(Raw(encode(item))))


class EventsGivenBack:
    """The events of a stream, whose calls become what their client knows.

    The arguments of a custom tool come all at once, at the end of its call, and so does the call of
    a search for tools.
    """

    def __init__(self, names: ToolNames) -> None:
        self._names = names
        self._open: dict[int, list[str]] = {}
        """The arguments so far of calls whose client gets the text in them, by block."""

    def __call__(self, events: list[StreamEvent]) -> list[StreamEvent]:
        """Return the events for these."""
        return [made for event in events for made in self._given_back(event)]

    def _given_back(self, event: StreamEvent) -> list[StreamEvent]:
        if type(event) is ArgumentsDelta and event.index in self._open:
            self._open[event.index].append(event.text)
            return []
        if type(event) is StreamEnd:
            return [StreamEnd(given_back(event.response, self._names))]
        if type(event) is BlockStart or type(event) is BlockEnd:
            call = _call_given_back(event.block, self._names)
            if call is not event.block:
                return self._at_call(event, call)
        return [event]

    def _at_call(self, event: BlockStart | BlockEnd, call: Content) -> list[StreamEvent]:
        index = event.index
        if type(event) is BlockStart:
            if type(call) is not ToolCallBlock:
                self._open[index] = []
                call = _search_call(cast(ToolCallBlock, event.block), "in_progress")
            elif call.tool_type == "custom":
                self._open[index] = []
                call.arguments = Arguments(b"")
            return [BlockStart(index, call)]
        end = replace(event, block=call)
        text = "".join(self._open.pop(index, ()))
        given = _free_text(text.encode()).decode() if type(call) is ToolCallBlock else ""
        return [ArgumentsDelta(index, given), end] if given else [end]


def _free_text(arguments: bytes) -> bytes:
    """Return the input of a custom tool in the arguments of a function.

    A model may call its only text by another name, or write no JSON.
    """
    try:
        values = _input(arguments)
        text = values.get("input") or (values.popitem()[1] if len(values) == 1 else None)
        return _string(text).encode() if text is not None else (arguments if values else b"")
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return arguments
