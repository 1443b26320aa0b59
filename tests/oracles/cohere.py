"""The oracle for Cohere's `POST /v2/chat`: the body, the answer, and the streamed answer.

Types: `cohere` 7.3, made strict. Rules: what no type can say. Each names its source: "SDK" is the
docstring of a type or of `V2Client.chat`, "Docs" a page below docs.cohere.com, "Error" the words of
the API's own 400.
"""

import base64
import functools
import inspect
import json
import re
import types
from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Literal, NotRequired, Union, get_args, get_origin, get_type_hints

import pydantic
from cohere.v2.raw_client import RawV2Client
from cohere.v2.types import V2ChatResponse, V2ChatStreamResponse
from typing_extensions import TypedDict

from tests.oracles import strict
from tests.oracles.strict import Json, OracleError, Paths, Rule


def check_request(body: bytes) -> None:
    """Judge `body` by its JSON, then by the SDK's types, then by `RULES`.

    Raises `OracleError` for the first layer that finds fault; the rules give a line to each fault.
    """
    request = strict.read_json(body)
    strict.check_schema(_schema(), request)
    strict.check_rules(RULES, request)


def check_response(body: bytes) -> None:
    """Judge the body of an answer by its JSON and by the SDK's types.

    Raises `OracleError`.
    """
    answer = strict.read_json(body)
    _leave_out_untyped(answer)
    strict.check_schema(_schema_of_answers(), answer)


def check_stream(data: bytes) -> None:
    """Judge a streamed answer: each event by the SDK's types, and their order.

    The API names each event twice, and ends with `[DONE]`. Raises `OracleError`.
    """
    frames = data.decode().split("\n\n")
    if frames[-2:] != ["data: [DONE]", ""]:
        raise OracleError(f"stream: it ends in {frames[-2:]}")
    kinds: list[str] = []
    grammar = _Grammar()
    for number, frame in enumerate(frames[:-2]):
        head, _, text = frame.partition("\ndata: ")
        event = strict.read_json(text.encode())
        kinds.append(event["type"])
        if head != f"event: {kinds[-1]}":
            raise OracleError(f"stream: {head!r} - at event {number}")
        _leave_out_untyped(event.get("delta") or {})
        if kinds[-1] == "message-start":
            event["delta"]["message"] = {"role": event["delta"]["message"]["role"]}
        strict.check_schema(_schema_of_events(), event)
        fault = grammar.fault(event)
        if fault is not None:
            raise OracleError(f"stream: {fault} - at event {number}")
    if kinds[0] != "message-start" or kinds[-1] != "message-end" or len(set(kinds)) < 2:
        raise OracleError(f"stream: it begins with {kinds[0]}, and ends with {kinds[-1]}")
    if grammar.open:
        raise OracleError(f"stream: {sorted(grammar.open)} without an end")


class _Grammar:
    """What is open, and how many of each kind there have been."""

    def __init__(self) -> None:
        self.open: dict[tuple[str, int], str] = {}
        self.counts = {"content": 0, "tool-call": 0, "citation": 0}
        self.is_over = False

    def fault(self, event: Json) -> str | None:
        kind, _, step = event["type"].rpartition("-")
        if self.is_over:
            return "an event after the end"
        if kind == "message":
            self.is_over = step == "end"
            return None
        if kind == "tool-plan":
            return None
        key = (kind, event["index"])
        if step == "start":
            number, self.counts[kind] = self.counts[kind], self.counts[kind] + 1
            content = event["delta"]["message"].get("content") or {}
            self.open[key] = content.get("type", kind)
            return None if event["index"] == number else f"index {event['index']}, not {number}"
        if "logprobs" in event and event["delta"]["message"]["content"] == {"text": ""}:
            return None  # which may come later
        if key not in self.open:
            return f"{step} of what is not open"
        if step == "end":
            del self.open[key]
        elif kind == "content" and list(event["delta"]["message"]["content"]) != [self.open[key]]:
            return f"a delta of another kind than {self.open[key]}"
        return None


def _leave_out_untyped(answer: Json) -> None:
    """Leave out what the API sends and the types have not: they take any key."""
    answer.pop("error", None)
    tokens = (answer.get("usage") or {}).get("tokens") or {}
    for key in ("reasoning_tokens", "image_tokens"):
        tokens.pop(key, None)


# Types


@functools.cache
def _schema_of_answers() -> pydantic.TypeAdapter[Any]:
    return strict.schema_of(_closed(V2ChatResponse))


@functools.cache
def _schema_of_events() -> pydantic.TypeAdapter[Any]:
    return strict.schema_of(_closed(V2ChatStreamResponse))


@functools.cache
def _schema() -> pydantic.TypeAdapter[Any]:
    """Build the schema of a body from the parameters of the method that sends it."""
    hints = get_type_hints(RawV2Client.chat, include_extras=True)
    parameters = inspect.signature(RawV2Client.chat).parameters
    keys: dict[str, Any] = {"stream": NotRequired[bool]}
    for name, parameter in parameters.items():
        if name not in ("self", "request_options"):
            is_required = parameter.default is inspect.Parameter.empty
            keys[name] = _closed(hints[name]) if is_required else NotRequired[_closed(hints[name])]
    return strict.schema_of(TypedDict("Body", keys))


def _closed(hint: Any) -> Any:
    """Rebuild a type of the SDK's, whose models take any key and whose enums take any value."""
    origin, arguments = get_origin(hint), get_args(hint)
    if isinstance(hint, type) and issubclass(hint, pydantic.BaseModel):
        return _closed_model(hint)
    if origin is Annotated:
        return _closed(arguments[0])
    if origin in (Union, types.UnionType):
        is_enum = any(get_origin(argument) is Literal for argument in arguments)
        members = [_closed(a) for a in arguments if not (is_enum and a is Any)]
        return Union[(*members,)]
    if origin in (list, Sequence):
        return list[_closed(arguments[0])]
    return hint


@functools.cache
def _closed_model(model: type[pydantic.BaseModel]) -> Any:
    keys = {}
    for name, hint in get_type_hints(model, include_extras=True).items():
        if name in model.model_fields:
            is_tag = get_origin(hint) is Literal  # the SDK writes it by itself
            is_required = model.model_fields[name].is_required() or is_tag
            keys[name] = _closed(hint) if is_required else NotRequired[_closed(hint)]
    return TypedDict(model.__name__, keys)


# Views of a request that has passed its schema

_Place = tuple[str, Json]  # an object, after the path to it


def _messages(request: Json, *roles: str) -> list[_Place]:
    places = [(f"messages.{i}", message) for i, message in enumerate(request["messages"])]
    return [place for place in places if not roles or place[1]["role"] in roles]


def _parts(message: _Place) -> list[_Place]:
    """List the parts of a message's content; a string is short for one text."""
    path, content = message[0], message[1].get("content") or []
    if isinstance(content, str):
        return [(f"{path}.content", {"type": "text", "text": content})]
    return [(f"{path}.content.{i}", part) for i, part in enumerate(content)]


def _calls(message: _Place) -> list[_Place]:
    path, calls = message[0], message[1].get("tool_calls") or []
    return [(f"{path}.tool_calls.{i}", call) for i, call in enumerate(calls)]


def _all_calls(request: Json) -> list[_Place]:
    return [call for message in _messages(request) for call in _calls(message)]


def _exchanges(request: Json) -> Iterator[tuple[list[_Place], list[_Place]]]:
    """Pair the calls of each message with the tool messages right after it."""
    calls: list[_Place] = []
    results: list[_Place] = []
    for place in _messages(request):
        if place[1]["role"] != "tool":
            yield calls, results
            calls, results = _calls(place), []
        else:
            results.append(place)
    yield calls, results


def _repeats(places: list[_Place], key: str) -> Iterator[str]:
    seen: set[str] = set()
    for path, place in places:
        if place[key] in seen:
            yield f"{path}.{key}"
        seen.add(place[key])


# Rules on content


def there_is_a_message(request: Json) -> Paths:
    """SDK: ChatMessages."""
    return [] if request["messages"] else ["messages"]


def every_message_has_content_or_calls(request: Json) -> Paths:
    """Error: `must have non-empty content or tool calls`."""
    for place in _messages(request):
        is_empty = all(part.get("text") == "" for _, part in _parts(place))
        if is_empty and not _calls(place):
            yield place[0]


def text_stands_beside_no_calls(request: Json) -> Paths:
    """Error: `text content is not allowed when tool_calls are provided`. Empty text has passed."""
    for place in _messages(request, "assistant"):
        if _calls(place):
            yield from (path for path, part in _parts(place) if part.get("text"))


def thinking_beside_calls_needs_thinking(request: Json) -> Paths:
    """Error: `pass thinking content (with thinking enabled)`."""
    if (request.get("thinking") or {}).get("type") == "disabled":
        for place in _messages(request, "assistant"):
            if _calls(place):
                yield from (path for path, part in _parts(place) if part["type"] == "thinking")


def images_are_http_urls_or_data_urls(request: Json) -> Paths:
    """Docs: image-inputs. PNG, JPEG, WEBP and GIF."""
    for place in _messages(request, "user"):
        for path, part in _parts(place):
            if part["type"] == "image_url" and not _is_image(part["image_url"]["url"]):
                yield f"{path}.image_url.url"


def _is_image(url: str) -> bool:
    head = re.match("data:image/(png|jpe?g|webp|gif);base64,", url)
    if head is None:
        return url.startswith(("https://", "http://"))
    try:
        return bool(base64.b64decode(url[head.end() :], validate=True))
    except ValueError:
        return False


# Rules on calls and their results


def calls_have_an_id(request: Json) -> Paths:
    """SDK: ToolCallV2."""
    return [f"{path}.id" for path, call in _all_calls(request) if not call["id"]]


def calls_name_their_function_and_its_arguments(request: Json) -> Paths:
    """Docs: tool-use-overview. The SDK's types leave it open."""
    for path, call in _all_calls(request):
        function = call.get("function") or {}
        if not isinstance(function.get("name"), str) or not function.get("arguments"):
            yield f"{path}.function"


def arguments_are_json(request: Json) -> Paths:
    """Docs: tool-use-overview, where they are what `json.loads` takes."""
    for path, call in _all_calls(request):
        try:
            json.loads((call.get("function") or {}).get("arguments") or "{}")
        except ValueError:
            yield f"{path}.function.arguments"


def call_ids_are_unique_in_their_message(request: Json) -> Paths:
    """SDK: ToolChatMessageV2. A later message may use an id again."""
    for message in _messages(request, "assistant"):
        yield from _repeats(_calls(message), "id")


def every_call_is_answered_at_once(request: Json) -> Paths:
    """Docs: tool-use-overview, "Step 3"."""
    for calls, results in _exchanges(request):
        answered = {result["tool_call_id"] for _, result in results}
        yield from (f"{path}.id" for path, call in calls if call["id"] not in answered)


def every_result_follows_its_call(request: Json) -> Paths:
    """Docs: tool-use-overview, "Step 3"."""
    for calls, results in _exchanges(request):
        called = {call["id"] for _, call in calls}
        places = [(path, result["tool_call_id"]) for path, result in results]
        yield from (f"{path}.tool_call_id" for path, call_id in places if call_id not in called)


def every_call_has_one_result(request: Json) -> Paths:
    """Docs: tool-use-overview, "Step 3"."""
    for _, results in _exchanges(request):
        yield from _repeats(results, "tool_call_id")


# Rules on tools


def every_tool_is_a_function(request: Json) -> Paths:
    """Docs: tool-use-overview. The SDK's types leave it open."""
    tools = enumerate(request.get("tools") or [])
    return [f"tools.{i}.function" for i, tool in tools if not tool.get("function")]


def tool_names_are_unique(request: Json) -> Paths:
    """SDK: ToolV2Function."""
    functions = [tool.get("function") or {} for tool in request.get("tools") or []]
    places = [(f"tools.{i}.function", f) for i, f in enumerate(functions) if "name" in f]
    return _repeats(places, "name")


def a_forced_call_has_tools(request: Json) -> Paths:
    """SDK: V2Client.chat. "The `tools` parameter must be passed in the request"."""
    if request.get("tool_choice") == "REQUIRED" and not request.get("tools"):
        yield "tool_choice"


# Rules on parameters

_RANGES = {
    "temperature": (0, 1),
    "k": (0, 500),
    "p": (0.01, 0.99),
    "frequency_penalty": (0, 1),
    "presence_penalty": (0, 1),
    "seed": (0, 2**64 - 1),
}


def numbers_keep_to_their_ranges(request: Json) -> Paths:
    """SDK: V2Client.chat. Docs: reference/chat."""
    for key, (least, most) in _RANGES.items():
        if request.get(key) is not None and not least <= request[key] <= most:
            yield key


def there_are_at_most_five_stop_sequences(request: Json) -> Paths:
    """SDK: V2Client.chat."""
    return ["stop_sequences"] if len(request.get("stop_sequences") or []) > 5 else []


def a_thinking_budget_is_positive(request: Json) -> Paths:
    """SDK: Thinking. "Must be set to a positive integer"."""
    budget = (request.get("thinking") or {}).get("token_budget")
    return ["thinking.token_budget"] if budget is not None and budget < 1 else []


def json_is_not_asked_for_beside_tools_or_documents(request: Json) -> Paths:
    """SDK: JsonObjectResponseFormatV2, "Limitation"."""
    is_json = (request.get("response_format") or {}).get("type") == "json_object"
    if is_json and (request.get("tools") or request.get("documents")):
        yield "response_format"


def safety_is_not_set_beside_tools_or_documents(request: Json) -> Paths:
    """SDK: V2Client.chat. "Not yet configurable in combination with `tools` and `documents`"."""
    if request.get("safety_mode") and (request.get("tools") or request.get("documents")):
        yield "safety_mode"


RULES: tuple[Rule, ...] = (
    there_is_a_message,
    every_message_has_content_or_calls,
    text_stands_beside_no_calls,
    thinking_beside_calls_needs_thinking,
    images_are_http_urls_or_data_urls,
    calls_have_an_id,
    calls_name_their_function_and_its_arguments,
    arguments_are_json,
    call_ids_are_unique_in_their_message,
    every_call_is_answered_at_once,
    every_result_follows_its_call,
    every_call_has_one_result,
    every_tool_is_a_function,
    tool_names_are_unique,
    a_forced_call_has_tools,
    numbers_keep_to_their_ranges,
    there_are_at_most_five_stop_sequences,
    a_thinking_budget_is_positive,
    json_is_not_asked_for_beside_tools_or_documents,
    safety_is_not_set_beside_tools_or_documents,
)
