"""The oracle for Mistral's `POST /v1/chat/completions`: the body, the answer, the streamed answer.

Types: `mistralai` 3.7, made strict. Rules: what no type can say. Each names its source: "SDK" is
the docstring of a type, "Docs" a page below docs.mistral.ai, "Error" the words of the API's own
400, most of which come from the validator of `mistral-common`.
"""

import base64
import functools
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, NotRequired, Union, get_args, get_origin

import pydantic
from mistralai.client import models as sdk
from mistralai.client.types import Nullable, UnrecognizedStr
from typing_extensions import TypeAliasType, TypedDict, get_type_hints, is_typeddict

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
    """Judge a streamed answer: each chunk by the SDK's types, and their order.

    Chunks have no names, and `[DONE]` follows the last. An error ends the stream without it. Raises
    `OracleError`.
    """
    frames = data.decode().split("\n\n")
    if frames.pop() or not frames:
        raise OracleError("stream: it does not end")
    if frames[-1].startswith("event: error\ndata: {"):
        return
    if frames.pop() != "data: [DONE]":
        raise OracleError("stream: it ends without `[DONE]`")
    grammar = _Grammar()
    for number, frame in enumerate(frames):
        head, _, text = frame.partition("data: ")
        chunk = strict.read_json(text.replace("\ndata: ", "\n").encode())
        _leave_out_untyped(chunk)
        strict.check_schema(_schema_of_chunks(), chunk)
        fault = f"a frame that begins with {head!r}" if head else grammar.fault(chunk)
        if fault is not None:
            raise OracleError(f"stream: {fault} - at chunk {number}")
    if not grammar.counts or grammar.running():
        raise OracleError("stream: an answer without its end")


class _Grammar:
    """What the chunks have said so far: of the answer, and of each choice."""

    def __init__(self) -> None:
        self.head: Json = {}
        self.counts: Json = {}
        self.calls: dict[int, list[str]] = {}
        self.ended: set[int] = set()

    def running(self) -> set[int]:
        return set(self.calls) - self.ended

    def fault(self, chunk: Json) -> str | None:
        head = {key: chunk.get(key) for key in ("id", "object", "created", "model")}
        if head["object"] != "chat.completion.chunk" or self.head not in ({}, head):
            return "another head"
        self.head = head
        if self.counts:
            return "a chunk after the counts"
        for choice in chunk["choices"]:
            number, delta = choice["index"], choice["delta"]
            if number in self.ended:
                return "a delta after the end of its choice"
            if (number not in self.calls) != ("role" in delta):
                return "a role where a choice does not begin, or none where it does"
            calls = self.calls.setdefault(number, [])
            for call in delta.get("tool_calls") or ():
                if call.get("index") != len(calls):
                    return f"call {call.get('index')}, not {len(calls)}"
                calls.append(call["function"]["name"])
            if choice["finish_reason"] is not None:
                self.ended.add(number)
        self.counts = chunk.get("usage", {})
        return None


def _leave_out_untyped(answer: Json) -> None:
    """Leave out what the API sends and the types have not: its usage takes any key."""
    for key in ("prompt_tokens_details", "completion_tokens_details", "num_cached_tokens"):
        answer.get("usage", {}).pop(key, None)


# Types

# The SDK renames this key on its way out.
_RENAMED = {"schema_definition": "schema", "bytes_": "bytes"}


@functools.cache
def _schema() -> pydantic.TypeAdapter[Any]:
    return strict.schema_of(_plain(sdk.ChatCompletionRequestTypedDict))


@functools.cache
def _schema_of_answers() -> pydantic.TypeAdapter[Any]:
    return strict.schema_of(_plain(sdk.ChatCompletionResponseTypedDict))


@functools.cache
def _schema_of_chunks() -> pydantic.TypeAdapter[Any]:
    return strict.schema_of(_plain(sdk.CompletionChunkTypedDict))


def _plain(hint: Any) -> Any:
    """Write out the SDK's aliases, and leave out the words that it would take without knowing."""
    if isinstance(hint, TypeAliasType):
        return _plain(hint.__value__)
    if is_typeddict(hint):
        keys = get_type_hints(hint, include_extras=True)
        return TypedDict(hint.__name__, {_RENAMED.get(k, k): _plain(keys[k]) for k in keys})
    origin, arguments = get_origin(hint), get_args(hint)
    inner = tuple(_plain(argument) for argument in arguments if argument is not UnrecognizedStr)
    if origin is Nullable:
        return inner[0] | None
    if origin is NotRequired:
        return NotRequired[inner[0]]
    if origin is Union:
        return Union[(*inner,)]
    return list[inner[0]] if origin is list else hint


# Views of a request that has passed its schema

_Place = tuple[str, Json]  # an object, after the path to it


def _messages(request: Json, *roles: str) -> list[_Place]:
    places = [(f"messages.{i}", message) for i, message in enumerate(request["messages"])]
    return [place for place in places if not roles or place[1]["role"] in roles]


def _chunks(message: _Place) -> list[_Place]:
    path, content = message[0], message[1].get("content")
    listed = content if isinstance(content, list) else ()
    return [(f"{path}.content.{i}", chunk) for i, chunk in enumerate(listed)]


def _media(request: Json, key: str) -> Iterator[tuple[str, str]]:
    """List the URLs of one kind of media, each after its path."""
    for message in _messages(request):
        for path, chunk in _chunks(message):
            if chunk["type"] == key:
                media = chunk[key]
                path = f"{path}.{key}"
                yield (path, media) if isinstance(media, str) else (f"{path}.url", media["url"])


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
        if place.get(key) in seen:
            yield f"{path}.{key}"
        seen.add(place.get(key, ""))


# Rules on the order of messages


def there_is_a_message(request: Json) -> Paths:
    """Error: `Conversation must have at least one message`."""
    return [] if request["messages"] else ["messages"]


def a_lone_message_is_no_answer(request: Json) -> Paths:
    """Error: `Conversation must start with a user message or system message`."""
    lone = _messages(request) if len(request["messages"]) == 1 else []
    return [path for path, message in lone if message["role"] in ("assistant", "tool")]


_MAY_FOLLOW = {
    "system": {"system", "user", "assistant"},
    "user": {"system", "user", "assistant"},
    "assistant": {"user", "assistant", "tool"},
    "tool": {"user", "assistant", "tool"},
}


def roles_follow_each_other(request: Json) -> Paths:
    """Error: `Unexpected role 'system' after role 'assistant'`.

    A user after a tool was refused until 2026.
    """
    for (_, before), (path, message) in pairwise(_messages(request)):
        if message["role"] not in _MAY_FOLLOW[before["role"]]:
            yield f"{path}.role"


def an_answer_at_the_end_is_a_prefix(request: Json) -> Paths:
    """Error: `Expected last role User or Tool (or Assistant with prefix True) for serving`..."""
    last = _messages(request)[-1:] if len(request["messages"]) > 1 else []
    for path, message in last:
        if message["role"] == "assistant" and not message.get("prefix"):
            yield f"{path}.prefix"


def a_prefix_stands_at_the_end(request: Json) -> Paths:
    """Error: `Assistant message with prefix True must be last message`."""
    return [f"{path}.prefix" for path, m in _messages(request)[:-1] if m.get("prefix")]


# Rules on content


def an_assistant_says_something_or_calls(request: Json) -> Paths:
    """Error: `Assistant message must have either content or tool_calls, but not none`."""
    messages = _messages(request, "assistant")
    return [path for path, m in messages if not m.get("content") and not m.get("tool_calls")]


def only_an_assistant_leaves_its_content_out(request: Json) -> Paths:
    """Docs: the types of `mistral-common`, which take no null where the SDK's do."""
    messages = _messages(request, "user", "tool")
    return [f"{path}.content" for path, message in messages if message["content"] is None]


_SPOKEN = {"system": {"text", "thinking"}, "assistant": {"text", "thinking", "reference"}}
_UNSPOKEN = {"user": {"thinking"}, "tool": {"thinking"}}


def every_chunk_stays_with_its_role(request: Json) -> Paths:
    """Error: `Unexpected content chunk types in assistant message`."""
    for place in _messages(request):
        role = place[1]["role"]
        for path, chunk in _chunks(place):
            if chunk["type"] not in _SPOKEN.get(role, {chunk["type"]} - _UNSPOKEN.get(role, set())):
                yield path


def images_are_http_urls_or_data_urls(request: Json) -> Paths:
    """Docs: capabilities/vision. PNG, JPEG, WEBP and GIF."""
    for path, url in _media(request, "image_url"):
        if not _is_http(url) and not _is_data_url(url, "image/(png|jpeg|webp|gif)"):
            yield path


def documents_are_http_urls_or_data_urls(request: Json) -> Paths:
    """Docs: capabilities/document_ai/document_qna."""
    for path, url in _media(request, "document_url"):
        if not _is_http(url) and not _is_data_url(url, r"[a-z]+/[\w.+-]+"):
            yield path


def audio_is_an_http_url_or_bare_base64(request: Json) -> Paths:
    """Docs: capabilities/audio."""
    for path, audio in _media(request, "input_audio"):
        if not _is_http(audio) and not _is_base64(audio):
            yield path


def _is_http(url: str) -> bool:
    return re.match("https?://.", url) is not None


def _is_data_url(url: str, types: str) -> bool:
    head = re.match(f"data:{types};base64,", url)
    return head is not None and _is_base64(url[head.end() :])


def _is_base64(data: str) -> bool:
    try:
        return bool(base64.b64decode(data, validate=True))
    except ValueError:
        return False


# Rules on calls and their results


def call_ids_are_nine_letters_and_digits(request: Json) -> Paths:
    """Error: `Tool call id was x but must be a-z, A-Z, 0-9, with a length of 9`.

    The newest models take any other id too.
    """
    ids = [(f"{path}.id", call.get("id")) for path, call in _all_calls(request)]
    results = _messages(request, "tool")
    ids += [(f"{path}.tool_call_id", message.get("tool_call_id")) for path, message in results]
    return [path for path, call_id in ids if not re.fullmatch("[a-zA-Z0-9]{9}", call_id or "")]


def call_ids_are_unique_in_their_message(request: Json) -> Paths:
    """Error: `Duplicate tool call id x in assistant message`. A later message may use it again."""
    for message in _messages(request, "assistant"):
        yield from _repeats(_calls(message), "id")


def every_call_is_answered_at_once(request: Json) -> Paths:
    """Error: `Not the same number of function calls and responses`."""
    for calls, results in _exchanges(request):
        answered = {result.get("tool_call_id") for _, result in results}
        yield from (f"{path}.id" for path, call in calls if call.get("id") not in answered)


def every_result_follows_its_call(request: Json) -> Paths:
    """Error: `Unexpected tool call id x in tool results`."""
    for calls, results in _exchanges(request):
        called = {call.get("id") for _, call in calls}
        places = [(path, result.get("tool_call_id")) for path, result in results]
        yield from (f"{path}.tool_call_id" for path, call_id in places if call_id not in called)


def every_call_has_one_result(request: Json) -> Paths:
    """Error: `Duplicate tool call id x in tool results`."""
    for _, results in _exchanges(request):
        yield from _repeats(results, "tool_call_id")


def every_call_is_of_a_function(request: Json) -> Paths:
    """Docs: capabilities/function_calling. There is no other type."""
    calls = _all_calls(request)
    return [f"{path}.type" for path, call in calls if call.get("type") != "function"]


# Rules on tools


def function_names_match_their_pattern(request: Json) -> Paths:
    """Error: `Function name was x but must be a-z, A-Z, 0-9, or contain underscores and dashes`...

    At most 64 of them.
    """
    places = [(f"tools.{i}", tool) for i, tool in enumerate(request.get("tools") or ())]
    places.append(("tool_choice", {"function": {}} | _object(request.get("tool_choice"))))
    named = [(f"{path}.function", p["function"]) for path, p in places if "function" in p]
    named += [(f"{path}.function", call["function"]) for path, call in _all_calls(request)]
    for path, place in named + _messages(request, "tool"):
        name = place.get("name")
        if name is not None and not re.fullmatch("[a-zA-Z0-9_-]{1,64}", name):
            yield f"{path}.name"


def _object(value: Any) -> Json:
    return value if isinstance(value, dict) else {}


# Rules on parameters

_RANGES = {
    "temperature": (0, 1.5),
    "top_p": (0, 1),
    "frequency_penalty": (-2, 2),
    "presence_penalty": (-2, 2),
    "max_tokens": (0, float("inf")),
    "random_seed": (0, float("inf")),
    "n": (1, float("inf")),
}


def numbers_keep_to_their_ranges(request: Json) -> Paths:
    """Error: `Input should be less than or equal to 1.5`. Docs: api, "Chat Completion"."""
    for key, (least, most) in _RANGES.items():
        if request.get(key) is not None and not least <= request[key] <= most:
            yield key


def a_temperature_of_zero_leaves_top_p_at_one(request: Json) -> Paths:
    """Error: `top_p must be 1 when using greedy sampling`."""
    if request.get("temperature") == 0 and request.get("top_p") not in (None, 1):
        yield "top_p"


def a_schema_goes_with_its_format(request: Json) -> Paths:
    """SDK: ResponseFormat."""
    form = request.get("response_format", {})
    if ("json_schema" in form) != (form.get("type") == "json_schema"):
        yield "response_format"


RULES: tuple[Rule, ...] = (
    there_is_a_message,
    a_lone_message_is_no_answer,
    roles_follow_each_other,
    an_answer_at_the_end_is_a_prefix,
    a_prefix_stands_at_the_end,
    an_assistant_says_something_or_calls,
    only_an_assistant_leaves_its_content_out,
    every_chunk_stays_with_its_role,
    images_are_http_urls_or_data_urls,
    documents_are_http_urls_or_data_urls,
    audio_is_an_http_url_or_bare_base64,
    call_ids_are_nine_letters_and_digits,
    call_ids_are_unique_in_their_message,
    every_call_is_answered_at_once,
    every_result_follows_its_call,
    every_call_has_one_result,
    every_call_is_of_a_function,
    function_names_match_their_pattern,
    numbers_keep_to_their_ranges,
    a_temperature_of_zero_leaves_top_p_at_one,
    a_schema_goes_with_its_format,
)
