"""The oracle for the body of `POST /v1/messages`, version 2023-06-01, without beta headers.

Types: `anthropic.types.message_create_params`. Rules: what no type can say. Each names its source:
"SDK" is the docstring of a type, "Docs" a page below platform.claude.com/docs/en, "Error" the words
of the API's own 400.
"""

import base64
import functools
import re
from collections.abc import Iterable, Iterator
from itertools import groupby, pairwise, zip_longest
from operator import itemgetter
from typing import Annotated, Any, NamedTuple

import pydantic
from anthropic import types as answers
from anthropic.types import message_create_params as sdk
from botocore.eventstream import EventStreamBuffer
from typing_extensions import TypedDict

from tests.oracles import strict
from tests.oracles.strict import Json, OracleError, Paths, Rule


def check_request(body: bytes) -> None:
    """Judge `body` by its JSON, then by the SDK's types, then by `RULES`.

    Raises `OracleError` for the first layer that finds fault; the rules give a line to each fault.
    """
    request = strict.read_json(body)
    strict.check_schema(_schema(), request)
    strict.check_rules(RULES, _spelled_out(request))


def check_response(body: bytes) -> None:
    """Judge the body of an answer by its JSON and by the SDK's model of it.

    Raises `OracleError`.
    """
    strict.check_model(answers.Message, strict.read_json(body))


def check_stream(data: bytes) -> None:
    """Judge a streamed answer: each event by the SDK's model of it, and their order.

    SDK: an event without an `event:` line is dropped, so each has one. Docs: streaming. The stream
    of Bedrock's InvokeModel holds the events in base64, in messages that botocore reads. Raises
    `OracleError`.
    """
    if data[:1] == b"\0":
        data = b"".join(_in_messages(data))
    kinds: list[str] = []
    blocks: list[str] = []
    for frame in data.decode().split("\n\n")[:-1]:
        head, _, text = frame.partition("\ndata: ")
        event = strict.read_json(text.encode())
        kind = event["type"]
        if head != f"event: {kind}":
            raise OracleError(f"stream: {head!r} - at event {len(kinds)}")
        if kind == "error":
            return
        if kind == "ping":
            continue
        strict.check_model(answers.RawMessageStreamEvent, event)
        _check_block(event, blocks, len(kinds))
        kinds.append(kind)
    if not data.endswith(b"\n\n") or kinds[0] != "message_start":
        raise OracleError("stream: it does not begin, or not end")
    if kinds[-2:] != ["message_delta", "message_stop"] or "message_start" in kinds[1:]:
        raise OracleError(f"stream: it ends in {kinds[-2:]}")
    if any(blocks):
        raise OracleError("stream: a block without its end")


def _in_messages(data: bytes) -> Iterator[bytes]:
    buffer = EventStreamBuffer()
    buffer.add_data(data)
    for message in buffer:
        if message.headers != {
            ":event-type": "chunk",
            ":content-type": "application/json",
            ":message-type": "event",
        }:
            raise OracleError(f"stream: headers {message.headers}")
        event = base64.b64decode(strict.read_json(message.payload)["bytes"], validate=True)
        yield b"event: %b\ndata: %b\n\n" % (strict.read_json(event)["type"].encode(), event)


def _check_block(event: Json, blocks: list[str], number: int) -> None:
    kind = event["type"]
    if kind == "content_block_start":
        if event["index"] != len(blocks):
            raise OracleError(f"stream: blocks are numbered as they come - at event {number}")
        blocks.append(event["content_block"]["type"])
    elif kind == "content_block_delta":
        if event["delta"]["type"] not in _DELTAS.get(blocks[event["index"]], ()):
            raise OracleError(f"stream: a delta of another block - at event {number}")
    elif kind == "content_block_stop":
        blocks[event["index"]] = ""


_DELTAS = {
    "text": ("text_delta", "citations_delta"),
    "thinking": ("thinking_delta", "signature_delta"),
    "tool_use": ("input_json_delta",),
    "server_tool_use": ("input_json_delta",),
}


# Types


class _Sampling(TypedDict, total=False):
    """What older models still honour, though version 2 of the SDK has dropped the types.

    Error: `temperature: range: 0..1`.
    """

    temperature: Annotated[float, pydantic.Field(ge=0, le=1)]
    top_p: Annotated[float, pydantic.Field(ge=0, le=1)]
    top_k: Annotated[int, pydantic.Field(ge=0)]


class _Whole(sdk.MessageCreateParamsNonStreaming, _Sampling):
    pass


class _Streamed(sdk.MessageCreateParamsStreaming, _Sampling):
    pass


@functools.cache
def _schema() -> pydantic.TypeAdapter[Any]:
    return strict.schema_of(_Whole | _Streamed)


# Views of a request that has passed its schema

_Place = tuple[str, Json]  # an object, after the path to it


class _Turn(NamedTuple):
    role: str
    blocks: list[_Place]

    def of_type(self, kind: str) -> list[_Place]:
        return [(path, block) for path, block in self.blocks if block["type"] == kind]


def _spelled_out(request: Json) -> Json:
    """Write out a string as the one text block that it is short for. SDK: MessageCreateParams."""

    def blocks(content: Any) -> Any:
        if not isinstance(content, str):
            return content
        return [{"type": "text", "text": content}] if content else []

    messages = [
        message | {"content": blocks(message["content"])} for message in request["messages"]
    ]
    return request | {"messages": messages, "system": blocks(request.get("system", ""))}


def _contents(request: Json) -> list[tuple[str, list[_Place]]]:
    """List the system prompt and each message's content, with the path to it and to its blocks."""
    contents = [("system", request["system"])]
    contents += [(f"messages.{i}.content", m["content"]) for i, m in enumerate(request["messages"])]
    return [(path, [(f"{path}.{i}", b) for i, b in enumerate(bs)]) for path, bs in contents]


def _turns(request: Json) -> list[_Turn]:
    """Merge neighbours of one role; leave the system out. SDK: MessageCreateParams."""
    roles = [message["role"] for message in request["messages"]]
    said = [(role, blocks) for role, (_, blocks) in zip(roles, _contents(request)[1:], strict=True)]
    talk = groupby((turn for turn in said if turn[0] != "system"), key=itemgetter(0))
    return [_Turn(role, [block for _, blocks in group for block in blocks]) for role, group in talk]


def _exchanges(request: Json) -> Iterable[tuple[_Turn, _Turn]]:
    """Pair each assistant turn with the user turn after it; one that is missing is empty."""
    turns = _turns(request)
    if turns and turns[0].role == "user":
        turns.insert(0, _Turn("assistant", []))
    return zip_longest(turns[::2], turns[1::2], fillvalue=_Turn("user", []))


def _tools(request: Json) -> list[_Place]:
    """List the tools that have a name; a toolset has none."""
    tools = enumerate(request.get("tools", []))
    return [(f"tools.{i}", tool) for i, tool in tools if "name" in tool]


def _objects(node: Any, path: str) -> Iterator[_Place]:
    """Walk over the API's own objects, the inner before the outer."""
    if isinstance(node, list):
        for i, item in enumerate(node):
            yield from _objects(item, f"{path}.{i}")
    elif isinstance(node, dict):
        for key in node:
            if key not in ("input", "input_schema", "input_examples"):  # the caller's own JSON
                yield from _objects(node[key], f"{path}.{key}")
        yield path, node


def _cache_marks(request: Json) -> list[_Place]:
    """List the cache marks in the prompt's order, the automatic one last.

    Docs: build-with-claude/prompt-caching.
    """
    prompt = {section: request.get(section) for section in ("tools", "system", "messages")}
    places = _objects(prompt | {"cache_control": request.get("cache_control")}, "body")
    marked = [(f"{path}.cache_control", place.get("cache_control")) for path, place in places]
    return [(path.removeprefix("body."), mark) for path, mark in marked if mark]


def _repeats(places: list[_Place], key: str) -> Iterator[str]:
    seen: set[str] = set()
    for path, place in places:
        if place[key] in seen:
            yield f"{path}.{key}"
        seen.add(place[key])


# Rules on what is said


def there_is_a_message(request: Json) -> Paths:
    """Error: `messages: at least one message is required`."""
    return [] if request["messages"] else ["messages"]


def every_message_has_content(request: Json) -> Paths:
    """Error: `all messages must have non-empty content except for the optional final assistant`...

    Newer models accept any empty assistant message, older ones do not.
    """
    messages = request["messages"]
    must = messages[:-1] if messages and messages[-1]["role"] == "assistant" else messages
    return [f"messages.{i}.content" for i, message in enumerate(must) if not message["content"]]


def every_text_block_has_text(request: Json) -> Paths:
    """Error: `text content blocks must be non-empty`. Inside a tool result they may be empty."""
    blocks = [place for _, blocks in _contents(request) for place in blocks]
    return [f"{path}.text" for path, block in blocks if block.get("text") == ""]


def no_message_is_only_whitespace(request: Json) -> Paths:
    """Error: `text content blocks must contain non-whitespace text`.

    Blank text beside another block is accepted: models write it before a call.
    """
    for path, blocks in _contents(request):
        if blocks and all(block.get("text", "").isspace() for _, block in blocks):
            yield path


def the_last_text_has_no_trailing_whitespace(request: Json) -> Paths:
    """Error: `final assistant content cannot end with trailing whitespace`."""
    for role, blocks in _turns(request)[-1:]:
        path, block = blocks[-1] if role == "assistant" and blocks else ("", {})
        if block.get("text", "")[-1:].isspace():
            yield f"{path}.text"


def base64_data_is_valid(request: Json) -> Paths:
    """Docs: build-with-claude/vision. The standard alphabet, padded, of at least one byte."""
    for path, source in _objects(request["messages"], "messages"):
        if source.get("type") == "base64" and not _is_base64(source["data"]):
            yield f"{path}.data"


def _is_base64(data: str) -> bool:
    try:
        return bool(base64.b64decode(data, validate=True))
    except ValueError:
        return False


# Rules on who says it

_SPEAKERS = {
    "thinking": "assistant",
    "redacted_thinking": "assistant",
    "tool_use": "assistant",
    "server_tool_use": "assistant",
    "tool_result": "user",
}


def every_block_stays_with_its_role(request: Json) -> Paths:
    """Error: "`tool_use` blocks can only be in `assistant` messages", and its like."""
    for role, blocks in _turns(request):
        yield from (path for path, b in blocks if _SPEAKERS.get(b["type"], role) != role)


def system_messages_stand_after_a_user_turn(request: Json) -> Paths:
    """Docs: build-with-claude/mid-conversation-system-messages, "Limitations".

    A server tool's block does for the user turn; what follows is an assistant turn or the end.
    """
    speakers = ["nobody", *map(_speaker, request["messages"])]
    wrong = {("nobody", "system"), ("assistant", "system"), ("system", "user")}
    return [f"messages.{i}" for i, pair in enumerate(pairwise(speakers)) if pair in wrong]


def _speaker(message: Json) -> str:
    last = message["content"][-1]["type"] if message["content"] else ""
    return "server tool" if last.endswith(("server_tool_use", "_tool_result")) else message["role"]


def thinking_is_signed(request: Json) -> Paths:
    """Error: "Invalid `signature` in `thinking` block". It is the text that may be empty."""
    thoughts = [place for turn in _turns(request) for place in turn.of_type("thinking")]
    return [f"{path}.signature" for path, block in thoughts if not block["signature"]]


# Rules on calls and their results


def call_ids_match_their_pattern(request: Json) -> Paths:
    """Error: `tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'`."""
    blocks = [place for turn in _turns(request) for place in turn.blocks]
    for key in ("id", "tool_use_id"):
        for path, block in blocks:
            if not re.fullmatch(r"[a-zA-Z0-9_-]+", block.get(key, "none")):
                yield f"{path}.{key}"


def call_ids_are_unique_in_their_turn(request: Json) -> Paths:
    """Error: "`tool_use` ids must be unique". A later turn may use an id again."""
    for turn in _turns(request):
        yield from _repeats(turn.of_type("tool_use"), "id")


def every_call_is_answered_in_the_next_turn(request: Json) -> Paths:
    """Error: "`tool_use` ids were found without `tool_result` blocks immediately after"."""
    for assistant, user in _exchanges(request):
        answered = {block["tool_use_id"] for _, block in user.of_type("tool_result")}
        calls = assistant.of_type("tool_use")
        yield from (f"{path}.id" for path, block in calls if block["id"] not in answered)


def every_result_has_its_call_in_the_turn_before(request: Json) -> Paths:
    """Error: "unexpected `tool_use_id` found in `tool_result` blocks"."""
    for assistant, user in _exchanges(request):
        called = {block["id"] for _, block in assistant.of_type("tool_use")}
        results = user.of_type("tool_result")
        yield from (f"{path}.tool_use_id" for path, b in results if b["tool_use_id"] not in called)


def every_call_has_one_result(request: Json) -> Paths:
    """Error: "each tool_use must have a single result"."""
    for turn in _turns(request):
        yield from _repeats(turn.of_type("tool_result"), "tool_use_id")


def results_come_first_in_their_turn(request: Json) -> Paths:
    """Docs: agents-and-tools/tool-use/handle-tool-calls."""
    for turn in _turns(request):
        for (_, before), (path, block) in pairwise(turn.blocks):
            if block["type"] == "tool_result" != before["type"]:
                yield path


# Rules on tools


def tool_names_match_their_pattern(request: Json) -> Paths:
    """Error: `tools.0.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`."""
    calls = [place for turn in _turns(request) for place in turn.of_type("tool_use")]
    names = [(f"{path}.name", named["name"]) for path, named in _tools(request) + calls]
    return [path for path, name in names if not re.fullmatch(r"[a-zA-Z0-9_-]{1,128}", name)]


def tool_names_are_unique(request: Json) -> Paths:
    """Error: `tools: Tool names must be unique`."""
    return _repeats(_tools(request), "name")


def every_input_schema_describes_an_object(request: Json) -> Paths:
    """Error: `tools.0.custom.input_schema.type: Input should be 'object'`."""
    for path, tool in _tools(request):
        if "input_schema" in tool and tool["input_schema"].get("type") != "object":
            yield f"{path}.input_schema.type"


# Rules on thinking


def a_thinking_budget_is_at_least_1024_and_below_max_tokens(request: Json) -> Paths:
    """SDK: ThinkingConfigEnabledParam.budget_tokens."""
    budget = request["thinking"]["budget_tokens"] if _thinks(request, "enabled") else None
    if budget is not None and not 1024 <= budget < request["max_tokens"]:
        yield "thinking.budget_tokens"


def thinking_leaves_the_temperature_at_one(request: Json) -> Paths:
    """Error: "`temperature` may only be set to 1 when thinking is enabled or in adaptive mode"."""
    if _thinks(request, "enabled", "adaptive") and request.get("temperature", 1) != 1:
        yield "temperature"


def thinking_goes_with_no_forced_tool(request: Json) -> Paths:
    """Error: `Thinking may not be enabled when tool_choice forces tool use`."""
    is_forced = request.get("tool_choice", {}).get("type") in ("any", "tool")
    if is_forced and _thinks(request, "enabled"):
        yield "tool_choice"


def _thinks(request: Json, *modes: str) -> bool:
    return request.get("thinking", {}).get("type") in modes


# Rules on the cache. That no mark is on thinking, the types say.


def there_are_at_most_four_cache_marks(request: Json) -> Paths:
    """Error: `A maximum of 4 blocks with cache_control may be provided`."""
    return [path for path, _ in _cache_marks(request)[4:]]


def longer_cache_times_come_first(request: Json) -> Paths:
    """Error: `a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block`.

    The order is tools, system, messages; no ttl means 5m.
    """
    for (_, before), (path, mark) in pairwise(_cache_marks(request)):
        if mark.get("ttl") == "1h" != before.get("ttl"):
            yield f"{path}.ttl"


RULES: tuple[Rule, ...] = (
    there_is_a_message,
    every_message_has_content,
    every_text_block_has_text,
    no_message_is_only_whitespace,
    the_last_text_has_no_trailing_whitespace,
    base64_data_is_valid,
    every_block_stays_with_its_role,
    system_messages_stand_after_a_user_turn,
    thinking_is_signed,
    call_ids_match_their_pattern,
    call_ids_are_unique_in_their_turn,
    every_call_is_answered_in_the_next_turn,
    every_result_has_its_call_in_the_turn_before,
    every_call_has_one_result,
    results_come_first_in_their_turn,
    tool_names_match_their_pattern,
    tool_names_are_unique,
    every_input_schema_describes_an_object,
    a_thinking_budget_is_at_least_1024_and_below_max_tokens,
    thinking_leaves_the_temperature_at_one,
    thinking_goes_with_no_forced_tool,
    there_are_at_most_four_cache_marks,
    longer_cache_times_come_first,
)
