"""Tools of one API that its client runs itself -> functions for another, and their calls back.

An API has such tools beside functions: free text as the input, functions in a namespace, a search
for further tools, and tools whose schema the model knows. Every wire has functions, so that these
go as functions; a call of one comes back to the client as a call of its own tool (see `ToolName`).
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import Any, Final, TypeVar, cast

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

from ..._body.encode import encode_json as encode
from ..._body.fields import changed
from ...model import (
    Arguments,
    AssistantMessage,
    Content,
    Message,
    OpaqueBlock,
    RawJson,
    Request,
    Response,
    TextBlock,
    Tool,
    ToolCallBlock,
    ToolNames,
    ToolResultBlock,
    ToolResultMessage,
)
from ...model.events import ArgumentsDelta, BlockEnd, BlockStart, StreamEnd, StreamEvent
from .._state.encoding import Encoding
from .._state.facts import facts_of, our_facts
from .._state.stored import lenient_value
from .ids import own_id, with_call_ids
from .openai_tools import KNOWN, SEARCH, in_namespace, openai_tools, output_of

_input = msgspec.json.Decoder(dict[str, Raw]).decode
_string = msgspec.json.Decoder(str).decode

# -- in a request ------------------------------------------------------------------------------


def adapt_tools(encoding: Encoding) -> None:
    """Make functions of the tools that the client of another API or dialect runs, and their calls.

    If the caller keeps no map by which the calls come back as what they were, that is a loss.
    """
    request = encoding.root
    functions: list[Tool | OpaqueBlock] = []
    is_adapted = False
    own = encoding.api if encoding.rules.has_client_tools(encoding.dialect) else None
    for tool in request.tools:
        is_foreign = type(tool) is OpaqueBlock and tool.api != own
        made = _functions(lenient_value(tool.raw), tool, encoding) if is_foreign else None
        is_adapted |= made is not None
        functions += (tool,) if made is None else made
    if not is_adapted:
        return
    named = {tool.name for tool in functions if type(tool) is Tool}
    calls = _Calls(named & {SEARCH, *KNOWN})
    if SEARCH in calls.kinds:
        functions += _found(request, functions, encoding)
    messages = [_message(message, calls, encoding) for message in request.messages]
    encoding.stand_in(changed(request, {"tools": functions, "messages": messages}))


class _Calls(Struct):
    """The calls so far: the names of those that have changed, and the types of items of calls."""

    kinds: set[str]
    names: dict[str, str] = {}


def _found(
    request: Request, known: list[Tool | OpaqueBlock], encoding: Encoding
) -> Iterator[Tool | OpaqueBlock]:
    """Yield the functions for the tools that the client's searches have found, each once."""
    names = {tool.name for tool in known if type(tool) is Tool}
    for message in request.messages:
        for block in message.content if type(message) is not ToolResultMessage else ():
            for value in _listed(_item(block, "tool_search_output")):
                found = _functions(value, block, encoding, names) or []
                names.update(tool.name for tool in found)
                yield from found


def _item(block: Any, kind: str) -> dict[str, Any]:
    """Return an opaque item of a type that the model has no block for; empty if it is none.

    The item names its call.
    """
    if type(block) is not OpaqueBlock or not facts_of(block.api).finds_tools:
        return {}
    value = lenient_value(block.raw)
    is_so = isinstance(value, dict) and value.get("type") == kind
    return value if is_so and isinstance(value.get("call_id"), str) else {}


def _listed(item: dict[str, Any]) -> list[Any]:
    tools = item.get("tools")
    return tools if isinstance(tools, list) else []


def _functions(
    value: Any, tool: Any, encoding: Encoding, known: Container[str] = ()
) -> list[Tool] | None:
    """Return the functions that stand for a tool, without `known` ones; None if none can."""
    read = facts_of(tool.api).client_tools
    if read is None or not isinstance(value, dict):
        return None
    functions: list[Tool] = []
    for function, name, rest in read(value, tool.api):
        if function.name in known:
            continue
        encoding.derived(function, tool)
        functions.append(function)
        if name is not None and encoding.names is not None:
            encoding.names[function.name] = name
        elif name is not None:
            encoding.lose("tool kind", function)
        if rest:
            encoding.lose("extras", function, keys=rest)
    return functions or None


def _message(message: Message, calls: _Calls, encoding: Encoding) -> Message:
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
            encoding.derived(part, old)
        new = replace(message, content=content)
    encoding.derived(new, message)
    return new


def _part(block: Content, calls: _Calls, *, is_answer: bool) -> Content:
    names = calls.names
    if type(block) is OpaqueBlock:
        if not calls.kinds:
            return block
        made = _ran(block, calls, is_answer=is_answer)
        is_search = made is block and SEARCH in calls.kinds
        return _searched(block, names, is_answer=is_answer) if is_search else made
    if type(block) is ToolResultBlock and block.tool_call_id in names:
        return replace(block, tool_name=names[block.tool_call_id])
    if type(block) is not ToolCallBlock or not is_answer:
        return block
    api = next((api for api in block.extras or () if facts_of(api).finds_tools), "")
    extra = (block.extras or {}).get(api)
    keys = lenient_value(extra.keys) if extra is not None else {}
    namespace = keys.get("namespace")
    if block.tool_type != "custom" and not isinstance(namespace, str):
        return block
    call = replace(block)
    if block.tool_type == "custom":
        call.tool_type = None
        call.arguments = Arguments.adopt(Raw(b'{"input":%b}' % block.arguments.string_json()))
    if isinstance(namespace, str) and extra is not None:
        call.name = names[block.id] = in_namespace(namespace, block.name)
        rest = {key: Raw(encode(keys[key])) for key in keys if key != "namespace"}
        call.extras = {**(block.extras or {}), api: replace(extra, keys=RawJson.of(rest))}
    return call


def _ran(block: OpaqueBlock, calls: _Calls, *, is_answer: bool) -> Content:
    """Return the call of a known tool, or its result; any other block itself."""
    for kind in calls.kinds & KNOWN.keys():
        call = _item(block, f"{kind}_call") if is_answer else {}
        if call:
            calls.names[call["call_id"]] = kind
            return ToolCallBlock(
                call["call_id"], kind, Arguments.of(call.get(KNOWN[kind].key) or {})
            )
        result = _item(block, f"{kind}_call_output")
        if calls.names.get(result.get("call_id", "")) == kind:
            text, is_failure = output_of(kind, result)
            content: list[Content] = [TextBlock(text)]
            return ToolResultBlock(result["call_id"], kind, content, is_error=is_failure)
    return block


def _searched(block: OpaqueBlock, names: dict[str, str], *, is_answer: bool) -> Content:
    """Return the call of a search for tools, or its result; any other block itself."""
    call = _item(block, "tool_search_call") if is_answer else {}
    if call:
        call_id = call["call_id"]
        names[call_id] = SEARCH
        return ToolCallBlock(call_id, SEARCH, Arguments.of(call.get("arguments") or {}))
    result = _item(block, "tool_search_output")
    if result.get("call_id") not in names:
        return block
    found = [
        tool.name
        for value in _listed(result)
        if isinstance(value, dict)
        for tool, _, _ in openai_tools(value, block.api or "")
    ]
    told = ", ".join(f"`{name}`" for name in found)
    text = f"These tools can be called now: {told}." if found else "No tools were found."
    return ToolResultBlock(result["call_id"], SEARCH, [TextBlock(text)])


# -- in an answer ------------------------------------------------------------------------------


def restored(response: Response, names: ToolNames) -> Response:
    """Return an answer whose calls are what its client knows, each with an id of its own."""
    response = with_call_ids(response, None)
    others = response.alternatives
    return replace(
        response,
        message=restored_message(response.message, names),
        alternatives=others and [restored_message(other, names) for other in others],
    )


def restored_message(message: AssistantMessage, names: ToolNames) -> AssistantMessage:
    """Return a message whose calls are what its client knows."""
    content = [_restored_call(block, names) for block in message.content]
    return replace(message, content=content)


def _restored_call(block: Content, names: ToolNames) -> Content:
    name = names.get(block.name) if type(block) is ToolCallBlock else None
    if type(block) is not ToolCallBlock or name is None:
        return block
    if name.tool_type == SEARCH:
        return _search_call(block)
    if name.tool_type in KNOWN:
        return _known_call(block, name.tool_type)
    call = replace(block, name=name.name)
    if name.tool_type is not None:
        call.tool_type = name.tool_type
        call.arguments = Arguments(_free_text(block.arguments.text))
    if name.extras is not None:
        call.extras = {**(block.extras or {}), **name.extras}
    return call


def _search_call(call: ToolCallBlock, status: str = "completed") -> OpaqueBlock:
    """Return the item for the call of a search for tools, of the API that has such items."""
    api = next(facts.api for facts in our_facts() if facts.finds_tools)
    item = {
        "type": "tool_search_call",
        "call_id": call.id,
        "execution": "client",
        "arguments": call.arguments.object_json() or Raw(b"{}"),
        "status": status,
    }
    return OpaqueBlock(api, RawJson.adopt(Raw(encode(item))))


def _known_call(call: ToolCallBlock, kind: str) -> OpaqueBlock:
    """Return the item for the call of a known tool, of the API that has such items."""
    api = next(facts.api for facts in our_facts() if facts.finds_tools)
    item = {
        "type": f"{kind}_call",
        "id": f"{_IDS[kind]}_{call.id}",
        "call_id": call.id,
        "status": "completed",
        KNOWN[kind].key: call.arguments.object_json() or Raw(b"{}"),
    }
    return OpaqueBlock(api, RawJson.adopt(Raw(encode(item))))


_IDS: Final = {"apply_patch": "apc", "shell": "sh"}
"""How the ids of the items begin."""


_AtBlock = TypeVar("_AtBlock", bound=BlockStart | BlockEnd)


class RestoredEvents:
    """The events of a stream, whose calls become what their client knows.

    The arguments of a custom tool come all at once, at the end of its call, and so does the call of
    a search for tools. Of a known tool the whole call comes at its end.
    """

    def __init__(self, names: ToolNames) -> None:
        self._names = names
        self._open: dict[int, list[str]] = {}
        """The arguments so far of calls whose client gets the text in them, by block."""
        self._ids: dict[int, tuple[str, str]] = {}
        """The id of a call as it came, and one that no other call has, by block."""
        self._taken: set[str] = set()

    def __call__(self, events: list[StreamEvent]) -> list[StreamEvent]:
        """Return the events for these."""
        return [made for event in events for made in self._restored(event)]

    def _restored(self, event: StreamEvent) -> list[StreamEvent]:
        if type(event) is ArgumentsDelta and event.index in self._open:
            self._open[event.index].append(event.text)
            return []
        if type(event) is StreamEnd:
            return [StreamEnd(restored(event.response, self._names))]
        if type(event) is BlockStart or type(event) is BlockEnd:
            event = self._identified(event)
            call = _restored_call(event.block, self._names)
            if call is not event.block:
                return self._at_call(event, call)
        return [event]

    def _identified(self, event: _AtBlock) -> _AtBlock:
        """Return the event of a block; if that is a call, it has an id that no other has."""
        block, index = event.block, event.index
        if type(block) is not ToolCallBlock or not block.id:
            return event
        given, own = self._ids.get(index, ("", ""))
        if given != block.id:
            own = own_id(block.id, index, self._taken)
            self._ids[index] = block.id, own
        return event if own == block.id else replace(event, block=replace(block, id=own))

    def _at_call(self, event: BlockStart | BlockEnd, call: Content) -> list[StreamEvent]:
        index = event.index
        name = self._names[cast(ToolCallBlock, event.block).name]
        if name.tool_type in KNOWN:
            if type(event) is BlockStart:
                self._open[index] = []
                return []
            self._open.pop(index, None)
            return [BlockStart(index, call), replace(event, block=call)]
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
